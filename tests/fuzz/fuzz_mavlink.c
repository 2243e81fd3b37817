/* Any bytes as a stream of MAVLink, whole and in pieces of one byte: both see the same frames, and each is read as its
 * message and written again as one that reads the same. */
#include <stdlib.h>
#include <string.h>

#include "bridges/mavlink/mavlink_wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MESSAGE(name, NAME, id, extra)                                                                                 \
    static size_t rewrite_##name(const fm_mav_frame *frame, uint8_t bytes[FM_MAV_MOST])                                \
    {                                                                                                                  \
        fm_mav_sender from = {frame->system, frame->component, frame->sequence};                                       \
        fm_mav_##name message;                                                                                         \
        fm_mav_##name##_read(frame, &message);                                                                         \
        return fm_mav_##name##_write(&from, &message, bytes);                                                          \
    }
#include "bridges/mavlink/mavlink_table.h"

static size_t rewrite(const fm_mav_frame *frame, uint8_t bytes[FM_MAV_MOST])
{
#define MESSAGE(name, NAME, number, extra)                                                                             \
    if (frame->id == (number))                                                                                         \
        return rewrite_##name(frame, bytes);
#include "bridges/mavlink/mavlink_table.h"
    abort();
}

/* What was behind the known members or behind the end of a text is gone the first time, and no more after that. */
static void check_frame(const fm_mav_frame *frame)
{
    uint8_t first[FM_MAV_MOST], second[FM_MAV_MOST];
    fm_mav_frame again;
    size_t used, size = rewrite(frame, first);
    if (fm_mav_open(first, size, &again, &used) != FM_MAV_FINE || used != size || again.id != frame->id)
        abort();
    if (rewrite(&again, second) != size || memcmp(first, second, size) != 0)
        abort();
}

static size_t count_frames(const uint8_t *data, size_t size, size_t piece)
{
    fm_mav_stream stream = {.size = 0};
    fm_mav_frame frame;
    size_t count = 0;
    for (size_t at = 0; at < size; at += piece) {
        const uint8_t *next = data + at;
        size_t left = size - at < piece ? size - at : piece;
        fm_mav_fault fault;
        while ((fault = fm_mav_stream_take(&stream, &next, &left, &frame)) != FM_MAV_MORE)
            if (fault == FM_MAV_FINE) {
                check_frame(&frame);
                count++;
            }
        if (left != 0)
            abort();
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && count_frames(data, size, size) != count_frames(data, size, 1))
        abort();
    return 0;
}
