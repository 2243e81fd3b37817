#include "bridges/ping/ping_wire.h"

#include <string.h>

const char *fm_ping_fault_name(fm_ping_fault fault)
{
    static const char *const names[FM_PING_FAULTS] = {"fine", "empty", "noise", "length", "checksum"};
    return names[fault];
}

static uint32_t number_at(const uint8_t *bytes, size_t width)
{
    uint32_t value = 0;
    for (size_t i = 0; i < width; i++)
        value |= (uint32_t)bytes[i] << 8 * i;
    return value;
}

static uint16_t sum_of(const uint8_t *bytes, size_t size)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += bytes[i];
    return (uint16_t)sum;
}

/* Bytes before the next 'B' 'R', or a 'B' at the end. */
static size_t noise_at(const uint8_t *bytes, size_t size)
{
    size_t i = 0;
    while (i < size && !(bytes[i] == 'B' && (i + 1 == size || bytes[i + 1] == 'R')))
        i++;
    return i;
}

fm_ping_fault fm_ping_open(const uint8_t *bytes, size_t size, fm_ping_frame *frame, size_t *used)
{
    if ((*used = noise_at(bytes, size)) > 0)
        return FM_PING_FAULT_NOISE;
    *used = size;
    if (size == 0)
        return FM_PING_EMPTY;
    const size_t payload = size >= FM_PING_HEAD ? number_at(bytes + 2, 2) : 0;
    if (size < FM_PING_HEAD + payload + FM_PING_SUM)
        return FM_PING_FAULT_LENGTH;
    if (sum_of(bytes, FM_PING_HEAD + payload) != number_at(bytes + FM_PING_HEAD + payload, FM_PING_SUM)) {
        *used = 2; /* the size may be what is wrong */
        return FM_PING_FAULT_CHECKSUM;
    }
    *used = FM_PING_HEAD + payload + FM_PING_SUM;
    *frame = (fm_ping_frame){.id = (uint16_t)number_at(bytes + 4, 2),
                             .from = bytes[6],
                             .to = bytes[7],
                             .size = (uint16_t)payload,
                             .payload = bytes + FM_PING_HEAD};
    return FM_PING_FINE;
}

uint32_t fm_ping_number(const fm_ping_frame *frame, size_t offset, size_t width)
{
    return offset + width <= frame->size ? number_at(frame->payload + offset, width) : 0;
}

static void put_number(uint8_t *bytes, size_t width, uint32_t value)
{
    for (size_t i = 0; i < width; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

void fm_ping_begin(fm_ping_message *m, uint16_t id, uint8_t from, uint8_t to)
{
    const uint8_t head[FM_PING_HEAD] = {'B', 'R', 0, 0, (uint8_t)id, (uint8_t)(id >> 8), from, to};
    memcpy(m->bytes, head, sizeof head);
    m->size = sizeof head;
}

void fm_ping_add_bytes(fm_ping_message *m, const void *bytes, size_t size)
{
    const size_t room = FM_PING_MOST - FM_PING_SUM - m->size;
    size = size < room ? size : room;
    memcpy(m->bytes + m->size, bytes, size);
    m->size += size;
}

void fm_ping_add(fm_ping_message *m, size_t width, uint32_t value)
{
    uint8_t bytes[4];
    put_number(bytes, width, value);
    fm_ping_add_bytes(m, bytes, width);
}

void fm_ping_end(fm_ping_message *m)
{
    put_number(m->bytes + 2, 2, (uint32_t)(m->size - FM_PING_HEAD));
    put_number(m->bytes + m->size, FM_PING_SUM, sum_of(m->bytes, m->size));
    m->size += FM_PING_SUM;
}
