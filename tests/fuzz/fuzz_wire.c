/* Any bytes as a datagram, from either side, and as every message and record of the protocol. */
#include <stdlib.h>
#include <string.h>

#include "server/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What can be read is written as the same bytes, but behind the end of a text. */
#define MESSAGE(name)                                                                                                  \
    static void read_##name(const uint8_t *data, size_t size)                                                          \
    {                                                                                                                  \
        fm_wire_##name message, again;                                                                                 \
        uint8_t bytes[FM_WIRE_SIZE_##name];                                                                            \
        fm_wire_in in = {.bytes = data, .size = size};                                                                 \
        if (!fm_wire_get_##name(&in, &message))                                                                        \
            return;                                                                                                    \
        fm_wire_out out = {.bytes = bytes, .room = sizeof bytes};                                                      \
        fm_wire_put_##name(&out, &message);                                                                            \
        fm_wire_in back = {.bytes = bytes, .size = out.size};                                                          \
        if (out.fault || !fm_wire_get_##name(&back, &again))                                                           \
            abort();                                                                                                   \
    }
#define FIELD(name, type, member)
#define ARRAY(name, type, member, count)
#define TEXT(name, member, size)
#define END(name)
#include "server/wire_table.h"
#undef MESSAGE

/* The same with corrected magic, version, length and checksum, so that the code after them is reached. */
static void open_mended(const uint8_t *data, size_t size)
{
    uint8_t bytes[FM_WIRE_MOST];
    fm_wire_header header;
    fm_wire_in payload;
    if (size < FM_WIRE_HEADER || size > sizeof bytes)
        return;
    memcpy(bytes, data, size);
    memcpy(bytes, "FTHM\1", 5);
    for (int i = 0; i < 4; i++)
        bytes[8 + i] = (uint8_t)(size >> 8 * i);
    memset(bytes + 36, 0, 4);
    uint32_t crc = fm_wire_crc32c(0, bytes, size);
    for (int i = 0; i < 4; i++)
        bytes[36 + i] = (uint8_t)(crc >> 8 * i);
    int client = fm_wire_open(bytes, size, 0, &header, &payload) == FM_WIRE_FINE;
    int server = fm_wire_open(bytes, size, 1, &header, &payload) == FM_WIRE_FINE;
    if (client && server)
        abort(); /* a datagram has one direction */
    if ((client || server) && payload.size > size - FM_WIRE_HEADER)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fm_wire_header header;
    fm_wire_in payload;
    for (int from_server = 0; from_server < 2; from_server++)
        if (fm_wire_open(data, size, from_server, &header, &payload) == FM_WIRE_FINE && header.length != size)
            abort();
    open_mended(data, size);
#define MESSAGE(name) read_##name(data, size);
#include "server/wire_table.h"
    return 0;
}
