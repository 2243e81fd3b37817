/* libFuzzer target: the PNG height map reader takes any bytes and either gives a sound map or says why not. Checksums
 * would end most inputs at once, so the mutator works on the pictures inside: it unpacks the data, changes it or a
 * field of the header, packs it again and puts the right checksums on every chunk. */
#include "heightmap_fuzz.h"

#include <string.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_heightmap(fm_heightmap_parse_png, data, size);
}

/* libFuzzer's own; not there when stored inputs are replayed. */
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

enum { SIGNATURE = 8, HEADER = 13, RAW_MOST = 1 << 16 };

static uint32_t take_number(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void put_number(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (24 - 8 * i));
}

static size_t put_chunk(uint8_t *to, const char *kind, const uint8_t *body, size_t size)
{
    put_number(to, (uint32_t)size);
    memcpy(to + 4, kind, 4);
    memcpy(to + 8, body, size);
    put_number(to + 8 + size, (uint32_t)crc32_z(0, to + 4, size + 4));
    return size + 12;
}

/* The header, and the data of all IDAT chunks unpacked; 0: it is no such picture. */
static size_t open_picture(const uint8_t *data, size_t size, uint8_t header[HEADER], uint8_t raw[RAW_MOST])
{
    static uint8_t packed[RAW_MOST];
    size_t count = 0;
    uLongf unpacked = RAW_MOST;
    for (size_t at = SIGNATURE; at + 12 <= size;) {
        size_t length = take_number(data + at);
        if (length > size - at - 12)
            break;
        if (memcmp(data + at + 4, "IHDR", 4) == 0 && length == HEADER)
            memcpy(header, data + at + 8, HEADER);
        if (memcmp(data + at + 4, "IDAT", 4) == 0 && count + length <= RAW_MOST) {
            memcpy(packed + count, data + at + 8, length);
            count += length;
        }
        at += length + 12;
    }
    return count && uncompress(raw, &unpacked, packed, count) == Z_OK ? unpacked : 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static const uint8_t signature[SIGNATURE] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static uint8_t raw[RAW_MOST], packed[2 * RAW_MOST];
    uint8_t header[HEADER] = {0, 0, 0, 2, 0, 0, 0, 2, 16, 0, 0, 0, 0};
    uLongf length = sizeof packed;
    size_t count = size > SIGNATURE ? open_picture(data, size, header, raw) : 0, at = SIGNATURE;
    if (!count || seed % 8 == 0)
        return LLVMFuzzerMutate(data, size, most);
    if (seed % 8 < 3)
        LLVMFuzzerMutate(header, HEADER, HEADER);
    else
        count = LLVMFuzzerMutate(raw, count, RAW_MOST);
    if (compress2(packed, &length, raw, count, 1) != Z_OK || SIGNATURE + 3 * 12 + HEADER + length > most)
        return LLVMFuzzerMutate(data, size, most);
    memcpy(data, signature, SIGNATURE);
    at += put_chunk(data + at, "IHDR", header, HEADER);
    at += put_chunk(data + at, "IDAT", packed, length);
    return at + put_chunk(data + at, "IEND", packed, 0);
}
