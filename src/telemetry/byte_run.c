#include "telemetry/byte_run.h"

#include <string.h>

#include "base/memory.h"

uint8_t *fm_byte_run_extend(fm_byte_run *b, size_t size)
{
    if (!b->failed && size > b->capacity - b->size) {
        size_t capacity = b->capacity * 2 > b->size + size ? b->capacity * 2 : b->size + size + 256;
        uint8_t *data = fm_realloc(b->data, capacity);
        b->failed = data == NULL;
        if (data) {
            b->data = data;
            b->capacity = capacity;
        }
    }
    if (b->failed)
        return NULL;
    b->size += size;
    return b->data + b->size - size;
}

void fm_byte_run_put(fm_byte_run *b, const void *data, size_t size)
{
    uint8_t *to = size > 0 ? fm_byte_run_extend(b, size) : NULL;
    if (to)
        memcpy(to, data, size);
}

void fm_byte_run_put_u8(fm_byte_run *b, unsigned value)
{
    fm_byte_run_put(b, &(uint8_t){(uint8_t)value}, 1);
}

void fm_byte_run_put_u16(fm_byte_run *b, unsigned value)
{
    fm_byte_run_put(b, &(uint16_t){(uint16_t)value}, 2);
}

void fm_byte_run_put_u32(fm_byte_run *b, size_t value)
{
    fm_byte_run_put(b, &(uint32_t){(uint32_t)value}, 4);
}

void fm_byte_run_put_u64(fm_byte_run *b, uint64_t value)
{
    fm_byte_run_put(b, &value, 8);
}

void fm_byte_run_put_text(fm_byte_run *b, const char *text)
{
    fm_byte_run_put_u32(b, strlen(text));
    fm_byte_run_put(b, text, strlen(text));
}
