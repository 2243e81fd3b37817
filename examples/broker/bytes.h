/* Text and little-endian bytes into a room of given size; `full` tells that it was too small. */
#ifndef BROKER_BYTES_H
#define BROKER_BYTES_H

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define BROKER_DEGREES (180 / 3.14159265358979323846)

typedef struct broker_writer {
    char *text;
    size_t room, count;
    int full;
} broker_writer;

__attribute__((format(printf, 2, 3))) static inline void broker_print(broker_writer *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = w->full ? -1 : vsnprintf(w->text + w->count, w->room - w->count, format, arguments);
    va_end(arguments);
    if (n < 0 || (size_t)n >= w->room - w->count)
        w->full = 1;
    else
        w->count += (size_t)n;
}

static inline size_t broker_written(const broker_writer *w)
{
    return w->full ? 0 : w->count;
}

static inline void broker_put16(uint8_t *at, unsigned value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

static inline void broker_put32(uint8_t *at, uint32_t value)
{
    broker_put16(at, value & 0xffff);
    broker_put16(at + 2, value >> 16);
}

static inline void broker_put_float(uint8_t *at, double value)
{
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    broker_put32(at, bits);
}

/* Rounded into [least, most]; NaN gives `unknown`. */
static inline long broker_round(double value, double least, double most, long unknown)
{
    return isnan(value) ? unknown : lround(fmin(fmax(value, least), most));
}

static inline double broker_known(double value)
{
    return isfinite(value) ? value : 0;
}

static inline double broker_within(double value, double least, double most)
{
    return fmin(fmax(broker_known(value), least), most);
}

/* deg in [0, 360), rounded to `steps` a degree: never 360 */
static inline double broker_compass(double heading, long steps)
{
    double degrees = fmod(broker_known(heading) * BROKER_DEGREES, 360);
    long rounded = lround((degrees < 0 ? degrees + 360 : degrees) * (double)steps) % (360 * steps);
    return (double)rounded / (double)steps;
}

/* The calendar from 1970 to 9999, with `parts` of a second counted and rounded down. */
#define BROKER_LAST 253402300799.0 /* s since 1970 */
typedef struct broker_moment {
    int year, month, day, hour, minute, second;
    long part;
} broker_moment;

static inline broker_moment broker_calendar(double utc, long parts)
{
    double moment = broker_within(utc, 0, BROKER_LAST), whole = floor(moment);
    long part = (long)((moment - whole) * (double)parts + 1e-3);
    time_t seconds = (time_t)whole + part / parts;
    struct tm at;
    gmtime_r(&seconds, &at);
    return (broker_moment){at.tm_year + 1900, at.tm_mon + 1, at.tm_mday,  at.tm_hour,
                           at.tm_min,         at.tm_sec,     part % parts};
}

#endif
