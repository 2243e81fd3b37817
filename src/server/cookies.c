/* Cookies of CHALLENGE: each one proves that an address is real, and is valid for one CONNECT. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "server/seal.h"
#include "server/sessions.h"

enum { TIME_BYTES = 5, COOKIE = 16 };
#define LIFE 60000u /* ms that a cookie is good for */

static uint64_t read_issued(const uint8_t cookie[COOKIE])
{
    uint64_t issued = 0;
    for (int i = TIME_BYTES - 1; i >= 0; i--)
        issued = issued << 8 | cookie[i];
    return issued;
}

static uint64_t now_ms(const fm_server *server)
{
    return ((uint64_t)(server->now * 1e3) + 1) & ((1ull << (8 * TIME_BYTES)) - 1); /* never 0 */
}

/* The time of issue in ms, then a MAC over it, the nonce and the address. */
static void make_cookie(const fm_server *server, const fm_address *from, uint64_t nonce, uint64_t issued,
                        uint8_t cookie[COOKIE])
{
    uint8_t bytes[sizeof from->at + 24] = {0}, mac[FM_WIRE_MAC];
    fm_wire_out out = {.bytes = bytes, .room = sizeof bytes};
    fm_wire_put_u64(&out, nonce);
    fm_wire_put_u64(&out, issued);
    fm_wire_put_u32(&out, (uint32_t)from->local);
    fm_wire_put_bytes(&out, &from->at, from->size);
    fm_seal_hash(server->secret, bytes, out.size, mac);
    for (int i = 0; i < TIME_BYTES; i++)
        cookie[i] = (uint8_t)(issued >> (8 * i));
    memcpy(cookie + TIME_BYTES, mac, COOKIE - TIME_BYTES);
}

void fm_cookie_make(const fm_server *server, const fm_address *from, uint64_t nonce, uint8_t cookie[COOKIE])
{
    make_cookie(server, from, nonce, now_ms(server), cookie);
}

int fm_cookie_holds(const fm_server *server, const fm_address *from, uint64_t nonce, const uint8_t cookie[COOKIE])
{
    uint8_t expected[COOKIE];
    uint64_t issued = read_issued(cookie), now = now_ms(server);
    make_cookie(server, from, nonce, issued, expected);
    int real = fm_seal_equal(cookie, expected, COOKIE);
    return real && issued > server->cookies_after && issued <= now && now - issued <= LIFE;
}

/* --- used cookies --- */

const fm_used_cookie *fm_cookie_find(const fm_server *server, const uint8_t cookie[COOKIE])
{
    for (size_t i = 0; i < FM_NET_COOKIES; i++)
        if (memcmp(server->used_cookies[i].cookie, cookie, COOKIE) == 0)
            return &server->used_cookies[i];
    return NULL;
}

/* Discards the oldest; no cookie issued before it is accepted any more, so that none is valid twice. */
void fm_cookie_use(fm_server *server, const uint8_t cookie[COOKIE], fm_wire_code code, const char *text)
{
    fm_used_cookie *used = (fm_used_cookie *)(uintptr_t)fm_cookie_find(server, cookie);
    if (!used) {
        used = &server->used_cookies[server->used_next++ % FM_NET_COOKIES];
        uint64_t issued = read_issued(used->cookie);
        server->cookies_after = issued > server->cookies_after ? issued : server->cookies_after;
    }
    memcpy(used->cookie, cookie, COOKIE);
    used->code = code;
    fm_text_shorten(used->text, sizeof used->text, text);
}
