/* Where the page is served. */
#include "page/web_address.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/web_host.h"

static fm_status read_port(const char *text, const char *whole, int *port, fm_error *error)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (end == text || *end || number < 1 || number > 65535)
        return fm_fail(error, FM_ERR_SYNTAX, "%s: an address and a port of 1 … 65535, as 127.0.0.1:8080", whole);
    *port = (int)number;
    return FM_OK;
}

static fm_status make_token(fm_web_address *where, fm_error *error)
{
    uint8_t bytes[16];
    if (sodium_init() < 0)
        return fm_fail(error, FM_ERR_LIBRARY, "libsodium cannot begin");
    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2hex(where->token, sizeof where->token, bytes, sizeof bytes);
    where->options.token = where->token;
    return FM_OK;
}

static fm_status read_position(const char *text, fm_web_address *where, fm_error *error)
{
    const char *colon = strrchr(text, ':'), *first = text, *end = colon ? colon : text;
    if (*first == '[' && end > first && end[-1] == ']') {
        first++;
        end--;
    }
    if ((size_t)(end - first) >= sizeof where->address)
        return fm_fail(error, FM_ERR_SYNTAX, "%s: an address is at most %zu characters long", text,
                       sizeof where->address - 1);
    if (end > first)
        snprintf(where->address, sizeof where->address, "%.*s", (int)(end - first), first);
    where->options.fixed = 1;
    return read_port(colon ? colon + 1 : text, text, &where->options.port, error);
}

fm_status fm_web_address_read(const char *text, const char *token, fm_web_address *where, fm_error *error)
{
    *where = (fm_web_address){.address = "127.0.0.1"};
    fm_status status = text ? read_position(text, where, error) : FM_OK;
    where->options.address = where->address;
    where->options.token = token;
    if (status == FM_OK && !token && !fm_web_is_loopback(where->address))
        status = make_token(where, error);
    return status;
}
