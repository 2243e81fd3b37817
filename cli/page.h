/* Telling a user where the page is. */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include <stdio.h>

#include "page/web_urls.h"

enum { CLI_PAGE_URLS = 16 };

/* One line per address; on a terminal also a QR code of the first one that another device can open. */
void cli_page_print(FILE *out, const char *before, const fm_web_url *urls, size_t count);

#endif
