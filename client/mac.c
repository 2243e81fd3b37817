/* The MAC is keyed BLAKE2b, which the client does not contain: it uses the caller's function, or libsodium's, loaded at
 * run time only if a key is given. */
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"

typedef int sodium_hash(unsigned char *out, size_t out_size, const unsigned char *in, unsigned long long in_size,
                        const unsigned char *key, size_t key_size);
/* Its address is the same for all clients of a process; set before any of them has a session. */
static _Atomic(sodium_hash *) found;

static void hash_by_sodium(const uint8_t key[FM_CLIENT_KEY], const uint8_t *bytes, size_t size,
                           uint8_t mac[FM_CLIENT_MAC])
{
    found(mac, FM_CLIENT_MAC, bytes, size, key, FM_CLIENT_KEY);
}

static void *open_sodium(void)
{
    static const char *const names[] = {"libsodium.so.23", "libsodium.so.26", "libsodium.so"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (library)
            return library;
    }
    return NULL;
}

fm_status fm_client_hash_find(fm_client *client, fm_error *error)
{
    if (!client->options.key || client->options.hash)
        return FM_OK;
    client->sodium = open_sodium();
    int (*start)(void) = NULL;
    sodium_hash *hash = NULL;
    if (client->sodium) { /* the way that dlsym(3) shows */
        *(void **)&start = dlsym(client->sodium, "sodium_init");
        *(void **)&hash = dlsym(client->sodium, "crypto_generichash");
    }
    if (!start || !hash || start() < 0)
        return fm_client_fail(error, FM_ERR_MISSING,
                              "a key needs libsodium (libsodium23), or a function of yours in options.hash");
    found = hash;
    client->options.hash = hash_by_sodium;
    return FM_OK;
}

static int from_hex(const char *text, size_t count, uint8_t key[FM_CLIENT_KEY])
{
    if (count < 2 * FM_CLIENT_KEY)
        return 0;
    for (size_t i = 0; i < FM_CLIENT_KEY; i++) {
        const char pair[] = {text[2 * i], text[2 * i + 1], 0};
        if (!isxdigit((unsigned char)pair[0]) || !isxdigit((unsigned char)pair[1]))
            return 0;
        key[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return strspn(text + 2 * FM_CLIENT_KEY, " \r\n") == count - 2 * FM_CLIENT_KEY;
}

fm_status fm_client_key_read(const char *file, uint8_t key[FM_CLIENT_KEY], fm_error *error)
{
    char text[128];
    if (!file || !key)
        return fm_client_fail(error, FM_ERR_ARGUMENT, "no file or no room for the key");
    FILE *stream = fopen(file, "rb");
    if (!stream)
        return fm_client_fail(error, FM_ERR_FILE, "%s: %s", file, strerror(errno));
    size_t count = fread(text, 1, sizeof text - 1, stream);
    fclose(stream);
    text[count] = 0;
    if (from_hex(text, count, key))
        return FM_OK;
    if (count != FM_CLIENT_KEY)
        return fm_client_fail(error, FM_ERR_SYNTAX, "%s: must be 32 bytes or 64 hexadecimal digits", file);
    memcpy(key, text, FM_CLIENT_KEY);
    return FM_OK;
}
