/* Cryptography of the server, all from libsodium: MAC, cookies, tokens, keys. */
#ifndef FM_SERVER_SEAL_H
#define FM_SERVER_SEAL_H

#include <fathom/status.h>

#include "server/wire.h"

/* Once before the others. */
fm_status fm_seal_prepare(fm_error *error);
/* fm_wire_hash: BLAKE2b, keyed, 16 bytes. */
void fm_seal_hash(const uint8_t key[FM_WIRE_KEY], const uint8_t *bytes, size_t size, uint8_t mac[FM_WIRE_MAC]);
/* From the system's source of random numbers; never 0. */
uint64_t fm_seal_random(void);
void fm_seal_fill(void *bytes, size_t size);
/* In constant time. */
int fm_seal_equal(const void *a, const void *b, size_t size);
/* A key from a file: 32 bytes, or 64 hexadecimal digits. Refused if other users may read the file. */
fm_status fm_seal_read_key(const char *path, uint8_t key[FM_WIRE_KEY], fm_error *error);

#endif
