#include "bridges/ardupilot/ardupilot_wire.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "server/wire.h"

enum { HEAD = 8 }; /* bytes: magic, frame rate, frame count */

const char *fm_ardupilot_fault_name(fm_ardupilot_fault fault)
{
    static const char *const names[FM_ARDUPILOT_FAULTS] = {"", "length", "magic", "rate"};
    return (unsigned)fault < FM_ARDUPILOT_FAULTS ? names[fault] : "";
}

/* --- servos --- */

fm_ardupilot_fault fm_ardupilot_read(const uint8_t *bytes, size_t size, fm_ardupilot_servos *servos)
{
    fm_wire_in in = {.bytes = bytes, .size = size};
    *servos = (fm_ardupilot_servos){0};
    if (size < 2)
        return FM_ARDUPILOT_FAULT_LENGTH;
    uint16_t magic = fm_wire_get_u16(&in);
    if (magic != FM_ARDUPILOT_MAGIC_16 && magic != FM_ARDUPILOT_MAGIC_32)
        return FM_ARDUPILOT_FAULT_MAGIC;
    unsigned channels = magic == FM_ARDUPILOT_MAGIC_16 ? 16 : 32;
    if (size != HEAD + 2 * channels)
        return FM_ARDUPILOT_FAULT_LENGTH;
    servos->channels = channels;
    servos->frame_rate = fm_wire_get_u16(&in);
    servos->frame_count = fm_wire_get_u32(&in);
    for (unsigned i = 0; i < channels; i++)
        servos->pwm[i] = fm_wire_get_u16(&in);
    return servos->frame_rate ? FM_ARDUPILOT_FINE : FM_ARDUPILOT_FAULT_RATE;
}

size_t fm_ardupilot_write_servos(const fm_ardupilot_servos *servos, uint8_t bytes[FM_ARDUPILOT_PACKET])
{
    fm_wire_out out = {.bytes = bytes, .room = FM_ARDUPILOT_PACKET};
    unsigned channels = servos->channels > 16 ? 32 : 16;
    fm_wire_put_u16(&out, channels == 16 ? FM_ARDUPILOT_MAGIC_16 : FM_ARDUPILOT_MAGIC_32);
    fm_wire_put_u16(&out, servos->frame_rate);
    fm_wire_put_u32(&out, servos->frame_count);
    for (unsigned i = 0; i < channels; i++)
        fm_wire_put_u16(&out, servos->pwm[i]);
    return out.size;
}

/* --- the answer --- */

typedef struct line {
    char *text;
    size_t length;
} line;

static void put(line *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(line *l, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int length = vsnprintf(l->text + l->length, FM_ARDUPILOT_LINE - l->length, format, values);
    va_end(values);
    l->length += length > 0 ? (size_t)length : 0;
    if (l->length >= FM_ARDUPILOT_LINE)
        l->length = FM_ARDUPILOT_LINE - 1;
}

static void put_list(line *l, const char *name, const double *values, int count)
{
    put(l, "\"%s\":[", name);
    for (int i = 0; i < count; i++)
        put(l, i ? ",%.10g" : "%.10g", values[i]);
    put(l, "]");
}

static int all_finite(const double *values, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return 0;
    return 1;
}

/* The parser of SITL does not understand JSON: it searches for a section's name, then for the first occurrence of the
 * key, and reads from two characters after it. So the line has no spaces; "velocity" precedes "velocity_wind", and the
 * keys of a section come where no other key of the same name lies between. */
static void put_options(line *l, const fm_ardupilot_state *s)
{
    for (int i = 0; i < FM_ARDUPILOT_RANGES; i++)
        if (isfinite(s->ranges[i]))
            put(l, ",\"rng_%d\":%.6g", i + 1, s->ranges[i]);
    if (all_finite(s->apparent, 2))
        put(l, ",\"windvane\":{\"direction\":%.6g,\"speed\":%.6g}", s->apparent[0], s->apparent[1]);
    if (isfinite(s->airspeed))
        put(l, ",\"airspeed\":%.6g", s->airspeed);
    if (all_finite(s->wind, 3)) {
        put(l, ",");
        put_list(l, "velocity_wind", s->wind, 3);
    }
    if (all_finite(s->battery, 2))
        put(l, ",\"battery\":{\"voltage\":%.6g,\"current\":%.6g}", s->battery[0], s->battery[1]);
}

size_t fm_ardupilot_write(const fm_ardupilot_state *s, char text[FM_ARDUPILOT_LINE])
{
    line l = {.text = text};
    if (!isfinite(s->time) || !all_finite(s->gyro, 3) || !all_finite(s->acceleration, 3) ||
        !all_finite(s->position, 3) || !all_finite(s->velocity, 3) || !all_finite(s->attitude, 4))
        return 0;
    put(&l, "\n{\"timestamp\":%.6f,\"imu\":{", s->time);
    put_list(&l, "gyro", s->gyro, 3);
    put(&l, ",");
    put_list(&l, "accel_body", s->acceleration, 3);
    put(&l, "},");
    put_list(&l, "position", s->position, 3);
    put(&l, ",");
    put_list(&l, "quaternion", s->attitude, 4);
    put(&l, ",");
    put_list(&l, "velocity", s->velocity, 3);
    put_options(&l, s);
    put(&l, "}\n");
    return l.length;
}
