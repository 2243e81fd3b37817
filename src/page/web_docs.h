/* The documentation site under /docs, from files: share/fathom/site of an installation, or out/docs of the source tree
 * after `make docs`. */
#ifndef FM_PAGE_WEB_DOCS_H
#define FM_PAGE_WEB_DOCS_H

#include <stddef.h>
#include <stdint.h>

/* How the documentation answers a request path. */
typedef enum fm_web_docs_answer {
    FM_WEB_DOCS_OTHER,    /* the path is not below /docs */
    FM_WEB_DOCS_REDIRECT, /* "/docs": relative links need "/docs/" */
    FM_WEB_DOCS_NONE,     /* the file does not exist, or no site was built */
    FM_WEB_DOCS_FILE
} fm_web_docs_answer;

/* Reads the file of a request path. On FM_WEB_DOCS_FILE the caller frees *data (fm_free); *type is its media type. */
fm_web_docs_answer fm_web_docs_read(const char *path, uint8_t **data, size_t *size, const char **type);

#endif
