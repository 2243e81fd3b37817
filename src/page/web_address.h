/* "ADDR:PORT", ":PORT", "PORT" or "[::1]:PORT" as it is given to --http. */
#ifndef FM_PAGE_WEB_ADDRESS_H
#define FM_PAGE_WEB_ADDRESS_H

#include "page/web.h"

typedef struct fm_web_address {
    fm_web_options options; /* points into the next two */
    char address[64], token[128];
} fm_web_address;

/* `text` NULL: the defaults. Where the address is not this computer's own and no token is given, one is made. */
fm_status fm_web_address_read(const char *text, const char *token, fm_web_address *where, fm_error *error);

#endif
