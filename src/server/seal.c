#include "server/seal.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"

fm_status fm_seal_prepare(fm_error *error)
{
    return sodium_init() < 0 ? fm_fail(error, FM_ERR_LIBRARY, "libsodium cannot be initialised") : FM_OK;
}

void fm_seal_hash(const uint8_t key[FM_WIRE_KEY], const uint8_t *bytes, size_t size, uint8_t mac[FM_WIRE_MAC])
{
    crypto_generichash(mac, FM_WIRE_MAC, bytes, size, key, FM_WIRE_KEY);
}

uint64_t fm_seal_random(void)
{
    uint64_t value = 0;
    while (value == 0)
        randombytes_buf(&value, sizeof value);
    return value;
}

void fm_seal_fill(void *bytes, size_t size)
{
    randombytes_buf(bytes, size);
}

int fm_seal_equal(const void *a, const void *b, size_t size)
{
    return sodium_memcmp(a, b, size) == 0;
}

/* --- keys --- */

static int is_private(FILE *file)
{
    struct stat about;
    return fstat(fileno(file), &about) == 0 && (!S_ISREG(about.st_mode) || !(about.st_mode & (S_IROTH | S_IWOTH)));
}

static int read_digits(const char *text, size_t size, uint8_t key[FM_WIRE_KEY])
{
    size_t length = 0;
    const char *end = NULL;
    if (sodium_hex2bin(key, FM_WIRE_KEY, text, size, " \n\r\t", &length, &end) != 0)
        return 0;
    return length == FM_WIRE_KEY && end == text + size;
}

fm_status fm_seal_read_key(const char *path, uint8_t key[FM_WIRE_KEY], fm_error *error)
{
    char text[128];
    FILE *file = fopen(path, "rb");
    if (!file)
        return fm_fail(error, FM_ERR_FILE, "%s: cannot read the key", path);
    size_t size = fread(text, 1, sizeof text, file);
    int open = !is_private(file);
    fclose(file);
    if (open)
        return fm_fail(error, FM_ERR_FILE, "%s: all users can read this key; `chmod o-rw` makes it private", path);
    if (size == FM_WIRE_KEY)
        memcpy(key, text, FM_WIRE_KEY);
    fm_status status = size == FM_WIRE_KEY || read_digits(text, size, key) ? FM_OK : FM_ERR_SYNTAX;
    sodium_memzero(text, sizeof text);
    if (status != FM_OK)
        return fm_fail(error, status, "%s: %zu bytes given: must be a key of 32 bytes or of 64 hexadecimal digits",
                       path, size);
    return FM_OK;
}
