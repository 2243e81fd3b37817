#include <math.h>

#include "base/number.h"
#include "bridges/ping/ping_common.h"
#include "bridges/ping/ping_device.h"

enum {
    SUPPLY = 5000 /* mV */,
    LEAST_LENGTH = 1000,
    MOST_RANGE = 1000000 /* mm */,
    FIRMWARE_MAJOR = 3,
    FIRMWARE_MINOR = 29
};

const double fm_ping_gains[FM_PING_GAINS] = {0.6, 1.8, 5.5, 12.9, 30.2, 66.1, 144};

void fm_ping_1d_start(fm_ping_1d *d, double range)
{
    *d = (fm_ping_1d){.id = 1, .automatic = 1, .enabled = 1, .gain = 3, .interval = 100, .sound_speed = 1500000};
    d->length = (uint32_t)fmin(fmax(range * 1000, LEAST_LENGTH), MOST_RANGE);
    d->last.length = d->length;
    d->last.gain = d->gain;
}

/* --- reports --- */

static void add_distance(const fm_ping_1d *d, fm_ping_message *m)
{
    fm_ping_add(m, 4, d->last.distance);
    fm_ping_add(m, 2, d->last.confidence);
    fm_ping_add(m, 2, d->last.duration);
    fm_ping_add(m, 4, d->last.number);
    fm_ping_add(m, 4, d->last.start);
    fm_ping_add(m, 4, d->last.length);
    fm_ping_add(m, 4, d->last.gain);
}

static void add_information(const fm_ping_1d *d, fm_ping_message *m)
{
    fm_ping_add(m, 2, FIRMWARE_MAJOR);
    fm_ping_add(m, 2, FIRMWARE_MINOR);
    fm_ping_add(m, 2, SUPPLY);
    fm_ping_add(m, 2, d->interval);
    fm_ping_add(m, 1, d->automatic ? d->last.gain : d->gain);
    fm_ping_add(m, 1, d->automatic);
}

/* Of one number; 0: another message. */
static int add_number(const fm_ping_1d *d, uint16_t id, fm_ping_message *m)
{
    const struct {
        uint16_t id;
        uint8_t width;
        uint32_t value;
    } rows[] = {
        {FM_PING_1D_DEVICE_ID, 1, d->id},
        {FM_PING_1D_VOLTAGE_5, 2, SUPPLY},
        {FM_PING_1D_SPEED_OF_SOUND, 4, d->sound_speed},
        {FM_PING_1D_MODE_AUTO, 1, d->automatic},
        {FM_PING_1D_PING_INTERVAL, 2, d->interval},
        {FM_PING_1D_GAIN_SETTING, 4, d->automatic ? d->last.gain : d->gain},
        {FM_PING_1D_TRANSMIT_DURATION, 2, d->last.duration},
        {FM_PING_1D_PROCESSOR_TEMPERATURE, 2, d->last.temperature},
        {FM_PING_1D_PCB_TEMPERATURE, 2, d->last.temperature},
        {FM_PING_1D_PING_ENABLE, 1, d->enabled},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].id == id) {
            fm_ping_add(m, rows[i].width, rows[i].value);
            return 1;
        }
    return 0;
}

void fm_ping_1d_report(const fm_ping_1d *d, uint16_t id, uint8_t to, fm_ping_message *m)
{
    static const uint8_t information[6] = {1, 1, FIRMWARE_MAJOR, FIRMWARE_MINOR, 0, 0};
    fm_ping_begin(m, id, d->id, to);
    switch (id) {
    case FM_PING_1D_FIRMWARE_VERSION:
        fm_ping_add(m, 1, 1);
        fm_ping_add(m, 1, 1);
        fm_ping_add(m, 2, FIRMWARE_MAJOR);
        fm_ping_add(m, 2, FIRMWARE_MINOR);
        break;
    case FM_PING_1D_RANGE:
        fm_ping_add(m, 4, d->automatic ? d->last.start : d->start);
        fm_ping_add(m, 4, d->automatic ? d->last.length : d->length);
        break;
    case FM_PING_1D_GENERAL_INFO: add_information(d, m); break;
    case FM_PING_1D_DISTANCE_SIMPLE:
        fm_ping_add(m, 4, d->last.distance);
        fm_ping_add(m, 1, d->last.confidence);
        break;
    case FM_PING_1D_DISTANCE: add_distance(d, m); break;
    case FM_PING_1D_PROFILE:
        add_distance(d, m);
        fm_ping_add(m, 2, FM_PING_POINTS);
        fm_ping_add_bytes(m, d->last.data, FM_PING_POINTS);
        break;
    default:
        if (!add_number(d, id, m) && !fm_ping_add_identity(id, information, m)) {
            m->size = 0;
            return;
        }
    }
    fm_ping_end(m);
}

/* --- settings --- */

static const char *set_range(fm_ping_1d *d, uint32_t start, uint32_t length)
{
    if (length < LEAST_LENGTH || length > MOST_RANGE || start > MOST_RANGE)
        return "range: length must be 1000 to 1000000 mm, start at most 1000000 mm";
    d->start = start;
    d->length = length;
    return NULL;
}

static const char *set_speed(fm_ping_1d *d, uint32_t speed)
{
    if (speed < 100000 || speed > 10000000)
        return "speed of sound must be 100000 to 10000000 mm/s";
    d->sound_speed = speed;
    return NULL;
}

static const char *set_small(uint8_t *member, uint32_t value, uint32_t most, const char *why)
{
    if (value > most)
        return why;
    *member = (uint8_t)value;
    return NULL;
}

/* NULL: done; otherwise why not. */
static const char *set_value(fm_ping_1d *d, const fm_ping_frame *f)
{
    const uint32_t value = fm_ping_number(f, 0, f->size < 4 ? f->size : 4);
    switch (f->id) {
    case FM_PING_SET_DEVICE_ID:
    case FM_PING_1D_SET_DEVICE_ID: return set_small(&d->id, value, 254, "device id must be 0 to 254");
    case FM_PING_1D_SET_RANGE: return set_range(d, value, fm_ping_number(f, 4, 4));
    case FM_PING_1D_SET_SPEED_OF_SOUND: return set_speed(d, value);
    case FM_PING_1D_SET_MODE_AUTO: return set_small(&d->automatic, value, 1, "mode must be 0 or 1");
    case FM_PING_1D_SET_PING_INTERVAL: d->interval = (uint16_t)value; return NULL;
    case FM_PING_1D_SET_GAIN_SETTING:
        return set_small(&d->gain, value, FM_PING_GAINS - 1, "gain setting must be 0 to 6");
    case FM_PING_1D_SET_PING_ENABLE: return set_small(&d->enabled, value, 1, "ping enable must be 0 or 1");
    default: return value == FM_PING_1D_PROFILE ? NULL : "only 1300 (profile) can be streamed";
    }
}

static int size_of_setting(uint16_t id)
{
    static const struct {
        uint16_t id;
        uint8_t size;
    } rows[] = {{FM_PING_SET_DEVICE_ID, 1},         {FM_PING_1D_SET_DEVICE_ID, 1},   {FM_PING_1D_SET_RANGE, 8},
                {FM_PING_1D_SET_SPEED_OF_SOUND, 4}, {FM_PING_1D_SET_MODE_AUTO, 1},   {FM_PING_1D_SET_PING_INTERVAL, 2},
                {FM_PING_1D_SET_GAIN_SETTING, 1},   {FM_PING_1D_SET_PING_ENABLE, 1}, {FM_PING_1D_CONTINUOUS_START, 2},
                {FM_PING_1D_CONTINUOUS_STOP, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].id == id)
            return rows[i].size;
    return -1;
}

static fm_ping_effect apply_setting(fm_ping_1d *d, const fm_ping_frame *f, int size, fm_ping_message *answer)
{
    const char *why = f->size == size ? set_value(d, f) : "wrong length";
    if (why) {
        fm_ping_refuse(f, f->id, d->id, why, answer);
        return FM_PING_NOTHING;
    }
    fm_ping_acknowledge(f, d->id, answer);
    return f->id == FM_PING_1D_CONTINUOUS_START  ? FM_PING_STREAM
           : f->id == FM_PING_1D_CONTINUOUS_STOP ? FM_PING_CEASE
                                                 : FM_PING_NOTHING;
}

fm_ping_effect fm_ping_1d_take(fm_ping_1d *d, const fm_ping_frame *f, fm_ping_message *answer)
{
    const uint16_t wanted = fm_ping_requested(f);
    const int size = size_of_setting(f->id);
    if (f->id == FM_PING_1D_GOTO_BOOTLOADER) {
        fm_ping_refuse(f, f->id, d->id, "a simulated device has no bootloader", answer);
        return FM_PING_NOTHING;
    }
    if (size > 0)
        return apply_setting(d, f, size, answer);
    fm_ping_1d_report(d, wanted, f->from, answer);
    if (answer->size > 0)
        return FM_PING_NOTHING;
    fm_ping_refuse(f, wanted ? wanted : f->id, d->id, "unknown message", answer);
    return FM_PING_UNKNOWN;
}
