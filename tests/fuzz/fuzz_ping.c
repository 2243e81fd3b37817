/* Any bytes as datagrams for a Ping1D and a Ping360: frames that are read are written as the same bytes, devices keep
 * their settings within their limits, and every answer is a frame. */
#include <stdlib.h>
#include <string.h>

#include "bridges/ping/ping_device.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(int holds)
{
    if (!holds)
        abort();
}

static void check_frame(const fm_ping_message *m)
{
    fm_ping_frame frame;
    size_t used;
    expect(m->size == 0 || (fm_ping_open(m->bytes, m->size, &frame, &used) == FM_PING_FINE && used == m->size));
}

static void copy_frame(const fm_ping_frame *frame, const uint8_t *bytes, size_t size)
{
    fm_ping_message m;
    if (size > FM_PING_MOST)
        return;
    fm_ping_begin(&m, frame->id, frame->from, frame->to);
    fm_ping_add_bytes(&m, frame->payload, frame->size);
    fm_ping_end(&m);
    expect(m.size == size && memcmp(m.bytes, bytes, size) == 0);
}

static void take_360(fm_ping_360 *device, const fm_ping_frame *frame, fm_ping_message *answer)
{
    fm_ping_shot shot;
    if (fm_ping_360_take(device, frame, &shot, answer) == FM_PING_SHOOT) {
        expect(shot.angle < 400 && shot.samples >= 1 && shot.samples <= FM_PING_SAMPLES && shot.gain <= 2);
        expect(fm_ping_360_delay(device->shot.angle, &shot) < 4); /* what a client waits */
        device->shot = shot;
        device->count = shot.samples;
    }
    if (device->sweeping)
        fm_ping_360_advance(device);
    expect(device->shot.angle < 400);
    check_frame(answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fm_ping_1d one;
    static fm_ping_360 three;
    static fm_ping_message answer;
    fm_ping_1d_start(&one, 50);
    fm_ping_360_start(&three, 50);
    for (size_t used; size > 0; data += used, size -= used) {
        fm_ping_frame frame;
        const fm_ping_fault fault = fm_ping_open(data, size, &frame, &used);
        expect(used > 0 && used <= size);
        if (fault != FM_PING_FINE)
            continue;
        copy_frame(&frame, data, used);
        fm_ping_1d_take(&one, &frame, &answer);
        expect(one.gain < FM_PING_GAINS && one.length >= 1000 && one.sound_speed > 0);
        check_frame(&answer);
        take_360(&three, &frame, &answer);
    }
    return 0;
}
