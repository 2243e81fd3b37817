/* The files of the page, compressed with gzip (viewer/dist). */
#ifndef FM_PAGE_WEB_PAGE_H
#define FM_PAGE_WEB_PAGE_H

#include <stddef.h>
#include <stdint.h>

typedef struct fm_web_page_file {
    const char *path; /* "/index.html" */
    const char *type; /* "text/html; charset=utf-8" */
    const uint8_t *data;
    size_t size, plain_size; /* bytes, packed and as they were */
} fm_web_page_file;
size_t fm_web_page_file_count(void);
fm_web_page_file fm_web_page_get_file(size_t i);

#endif
