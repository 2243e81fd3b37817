/* Values of instruments as sent to clients. */
#include <fathom/instrument.h>
#include <string.h>

#include "server/core.h"

int fm_sample_type(const fm_sample *sample)
{
    switch (sample->type) {
    case FM_OUTPUT_UINT8: return FM_WIRE_U8;
    case FM_OUTPUT_FLOAT32: return FM_WIRE_F32;
    case FM_OUTPUT_INT64: return FM_WIRE_I64;
    case FM_OUTPUT_TEXT: return 0;
    default: return FM_WIRE_F64;
    }
}

size_t fm_sample_size(const fm_sample *sample)
{
    static const size_t sizes[] = {0, 8, 4, 8, 1};
    return sizes[fm_sample_type(sample)] * sample->count;
}

static void pack(const fm_sample *sample, uint8_t *at)
{
    if (fm_sample_type(sample) != FM_WIRE_F64) {
        memcpy(at, sample->data, fm_sample_size(sample));
        return;
    }
    for (size_t i = 0; i < sample->count; i++) { /* SI */
        double value;
        memcpy(&value, (const char *)sample->data + 8 * i, sizeof value);
        value = sample->scale * value + sample->shift;
        memcpy(at + 8 * i, &value, sizeof value);
    }
}

static size_t pack_fields(const fm_world *world, int slot, size_t instrument, size_t fields, uint8_t *values,
                          size_t room)
{
    size_t size = 0;
    for (size_t k = 0; k < fields; k++) {
        fm_sample sample = fm_world_instrument_field(world, slot, instrument, k);
        size_t more = fm_sample_size(&sample);
        if (values && size + more <= room)
            pack(&sample, values + size);
        size += more;
    }
    return size;
}

size_t fm_sample_read(const fm_world *world, int slot, size_t instrument, fm_sample_head *head, uint8_t *values,
                      size_t room)
{
    fm_instrument_info info = fm_world_instrument(world, slot, instrument);
    *head = (fm_sample_head){.time = info.time,
                             .count = 2 * info.samples + (uint64_t)info.valid,
                             .flags = (info.valid ? FM_WIRE_SAMPLE_VALID : 0) |
                                      (info.external ? FM_WIRE_SAMPLE_EXTERNAL : 0) |
                                      (info.external && !info.valid ? FM_WIRE_SAMPLE_STALE : 0)};
    return info.name ? pack_fields(world, slot, instrument, info.field_count, values, room) : 0;
}
