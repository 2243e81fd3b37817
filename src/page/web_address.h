/* "ADDR:PORT", ":PORT", "PORT" or "[::1]:PORT", as given to --http. */
#ifndef FM_PAGE_WEB_ADDRESS_H
#define FM_PAGE_WEB_ADDRESS_H

#include "page/web.h"

typedef struct fm_web_address {
    fm_web_options options; /* points into the next two */
    char address[64], token[128];
} fm_web_address;

/* `text` NULL: the defaults. If other computers can reach the address and no token is given, one is generated. */
fm_status fm_web_address_read(const char *text, const char *token, fm_web_address *where, fm_error *error);

#endif
