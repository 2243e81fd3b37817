/* AIS messages of ITU-R M.1371 as AIVDM sentences: position of class A (1) and class B (18), static data of class A (5)
 * and class B (24). */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/calendar.h"
#include "bridges/nmea/nmea.h"
#include "bridges/nmea/nmea_text.h"

enum { SIXES_MOST = 71, SIXES_OF_SENTENCE = 60 }; /* message 5 is the longest: 424 bits, in two sentences */

typedef struct bits {
    uint8_t six[SIXES_MOST];
    size_t count; /* bits */
} bits;

static void put(bits *b, uint64_t value, int width)
{
    for (int i = width - 1; i >= 0; i--, b->count++)
        b->six[b->count / 6] = (uint8_t)(b->six[b->count / 6] | (value >> i & 1) << (5 - b->count % 6));
}

/* Characters of 6 bits, padded with @; a space for those that AIS does not have. */
static void put_text(bits *b, const char *text, size_t width)
{
    for (size_t i = 0, ended = 0; i < width; i++) {
        ended = ended || !text || !text[i];
        int c = ended ? '@' : toupper((unsigned char)text[i]);
        c = c < 32 || c > 95 ? ' ' : c;
        put(b, (uint64_t)(c >= 64 ? c - 64 : c), 6);
    }
}

/* One or two AIVDM sentences; those of several parts have a number in common. */
static size_t write_message(const bits *b, unsigned sequence, char *text, size_t room)
{
    fm_nmea_writer w = {text, room, 0, 0};
    size_t sixes = (b->count + 5) / 6, parts = (sixes + SIXES_OF_SENTENCE - 1) / SIXES_OF_SENTENCE;
    for (size_t part = 0; part < parts; part++) {
        size_t start = w.count, first = part * SIXES_OF_SENTENCE, end = first + SIXES_OF_SENTENCE;
        end = end < sixes ? end : sixes;
        fm_nmea_print(&w, "!AIVDM,%zu,%zu,", parts, part + 1);
        if (parts > 1)
            fm_nmea_print(&w, "%u", sequence % 10);
        fm_nmea_print(&w, ",A,");
        for (size_t i = first; i < end; i++)
            fm_nmea_print(&w, "%c", b->six[i] < 40 ? b->six[i] + 48 : b->six[i] + 56);
        fm_nmea_print(&w, ",%zu", part + 1 == parts ? 6 * sixes - b->count : 0);
        if (fm_nmea_finish(&w, start) == 0)
            return 0;
    }
    return w.count;
}

/* Rate of turn in AIS encoding: 4.733 times the root of deg/min, with its sign. */
static int8_t rate_of_turn(double turn)
{
    double root = 4.733 * sqrt(fabs(turn) * FM_NMEA_DEGREES * 60);
    long rounded = lround(root > 126 ? 126 : root);
    return (int8_t)(turn < 0 ? -rounded : rounded);
}

static void put_speed(bits *b, const fm_nmea_vessel *v)
{
    long speed = lround(v->fix.speed / FM_NMEA_KNOT * 10);
    put(b, (uint64_t)(speed > 1022 ? 1022 : speed), 10);
}

/* Longitude, latitude, course, heading, second: the same in both position reports. */
static void put_position(bits *b, const fm_nmea_vessel *v)
{
    put(b, (uint64_t)llround(v->fix.longitude * FM_NMEA_DEGREES * 600000), 28);
    put(b, (uint64_t)llround(v->fix.latitude * FM_NMEA_DEGREES * 600000), 27);
    put(b, (uint64_t)lround(fm_nmea_compass(v->fix.course) * 10), 12);
    put(b, (uint64_t)lround(fm_nmea_compass(v->heading)) % 360, 9);
    put(b, (uint64_t)fm_calendar_from(v->fix.utc, 2).second, 6);
}

size_t fm_nmea_ais_position(const fm_nmea_vessel *v, char *text, size_t room)
{
    bits b = {{0}, 0};
    put(&b, v->ship.class_b ? 18 : 1, 6);
    put(&b, 0, 2);
    put(&b, v->ship.mmsi, 30);
    if (v->ship.class_b) {
        put(&b, 0, 8);
    } else {
        put(&b, 0, 4); /* under way by engine */
        put(&b, (uint64_t)rate_of_turn(v->turn), 8);
    }
    put_speed(&b, v);
    put(&b, 0, 1);
    put_position(&b, v);
    if (v->ship.class_b)
        put(&b, 1 << 26 | 0xe0006,
            2 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 20); /* it senses the carrier, as its radio status says */
    else
        put(&b, 0, 2 + 3 + 1 + 19);
    return write_message(&b, 0, text, room);
}

static uint64_t whole(double metres, uint64_t most)
{
    double up = ceil(metres - 1e-9);
    return up <= 0 ? 0 : up >= (double)most ? most : (uint64_t)up;
}

/* Distances from the antenna to bow, stern, port and starboard, rounded up. */
static void put_dimensions(bits *b, const fm_nmea_ship *s)
{
    put(b, whole(s->bow, 511), 9);
    put(b, whole(s->stern, 511), 9);
    put(b, whole(s->port, 63), 6);
    put(b, whole(s->starboard, 63), 6);
}

/* Class A: message 5, two sentences. */
static size_t write_class_a(const fm_nmea_ship *s, unsigned sequence, char *text, size_t room)
{
    bits b = {{0}, 0};
    put(&b, 5, 6);
    put(&b, 0, 2);
    put(&b, s->mmsi, 30);
    put(&b, 0, 2 + 30); /* AIS version; no IMO number */
    put_text(&b, s->call_sign, 7);
    put_text(&b, s->name, 20);
    put(&b, s->type, 8);
    put_dimensions(&b, s);
    put(&b, 1, 4);     /* positions from GPS */
    put(&b, 0, 4 + 5); /* estimated time of arrival: not available is month 0, day 0, … */
    put(&b, 24, 5);    /* … hour 24, … */
    put(&b, 60, 6);    /* … minute 60 */
    put(&b, whole(s->draught * 10, 255), 8);
    put_text(&b, NULL, 20); /* destination: not available */
    put(&b, 0, 1 + 1);
    return write_message(&b, sequence, text, room);
}

/* Class B: message 24, parts A and B, a sentence each. */
static size_t write_class_b(const fm_nmea_ship *s, char *text, size_t room)
{
    bits a = {{0}, 0}, b = {{0}, 0};
    for (bits *part = &a; part; part = part == &a ? &b : NULL) {
        put(part, 24, 6);
        put(part, 0, 2);
        put(part, s->mmsi, 30);
        put(part, part == &b, 2);
    }
    put_text(&a, s->name, 20);
    put(&b, s->type, 8);
    put_text(&b, NULL, 7); /* vendor */
    put_text(&b, s->call_sign, 7);
    put_dimensions(&b, s);
    put(&b, 0, 6);
    size_t first = write_message(&a, 0, text, room),
           second = first ? write_message(&b, 0, text + first, room - first) : 0;
    return second ? first + second : 0;
}

size_t fm_nmea_ais_static(const fm_nmea_ship *s, unsigned sequence, char *text, size_t room)
{
    return s->class_b ? write_class_b(s, text, room) : write_class_a(s, sequence, text, room);
}
