#include "bridges/nmea/nmea.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"

#define KNOT (1852. / 3600) /* m/s */
#define FOOT 0.3048         /* m */
#define FATHOM 1.8288       /* m */
#define DEGREES (180 / 3.14159265358979323846)

/* --- writing --- */

typedef struct writer {
    char *text;
    size_t room, count;
    int full;
} writer;

__attribute__((format(printf, 2, 3))) static void print(writer *w, const char *format, ...)
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

uint8_t fm_nmea_checksum(const char *sentence)
{
    uint8_t sum = 0;
    for (const char *c = sentence + (*sentence == '$' || *sentence == '!'); *c && *c != '*' && *c != '\r' && *c != '\n';
         c++)
        sum ^= (uint8_t)*c;
    return sum;
}

static size_t finish(writer *w)
{
    if (!w->full)
        print(w, "*%02X\r\n", fm_nmea_checksum(w->text));
    return w->full ? 0 : w->count;
}

/* A number after a comma, or an empty field if it is unknown. */
static void field(writer *w, double value, int digits)
{
    if (isfinite(value))
        print(w, ",%.*f", digits, value);
    else
        print(w, ",");
}

/* Degrees in [0, 360) from rad, rounded to a tenth, never 360; NaN stays NaN. */
static double compass(double angle)
{
    if (!isfinite(angle))
        return NAN;
    double degrees = fmod(angle * DEGREES, 360);
    return (double)(lround((degrees < 0 ? degrees + 360 : degrees) * 10) % 3600) / 10;
}

/* ddmm.mmmmm,N: minutes are rounded before degrees are split off, so that 60 never appears. */
static void print_angle(writer *w, double angle, int width, char positive, char negative)
{
    long long steps = llround(fabs(angle) * DEGREES * 6000000); /* of 0.00001 minute */
    print(w, "%0*lld%02lld.%05lld,%c", width, steps / 6000000, steps / 100000 % 60, steps % 100000,
          angle < 0 ? negative : positive);
}

static void print_position(writer *w, const fm_nmea_fix *fix)
{
    if (!fix->valid) {
        print(w, ",,,");
        return;
    }
    print_angle(w, fix->latitude, 2, 'N', 'S');
    print(w, ",");
    print_angle(w, fix->longitude, 3, 'E', 'W');
}

/* The time in hundredths of a second, rounded; *tm is its whole seconds. */
static int moment_of(double utc, struct tm *at)
{
    long long hundredths = llround(utc * 100);
    time_t seconds = (time_t)(hundredths / 100);
    gmtime_r(&seconds, at);
    return (int)(hundredths % 100);
}

size_t fm_nmea_gga(const char *talker, const fm_nmea_fix *fix, char *text, size_t room)
{
    writer w = {text, room, 0, 0};
    struct tm at;
    int part = moment_of(fix->utc, &at);
    print(&w, "$%.2sGGA,%02d%02d%02d.%02d,", talker, at.tm_hour, at.tm_min, at.tm_sec, part);
    print_position(&w, fix);
    if (fix->valid)
        print(&w, ",1,10,0.9,%.1f,M,0.0,M,,", fix->altitude);
    else
        print(&w, ",0,0,,,M,,M,,");
    return finish(&w);
}

size_t fm_nmea_rmc(const char *talker, const fm_nmea_fix *fix, char *text, size_t room)
{
    writer w = {text, room, 0, 0};
    struct tm at;
    int part = moment_of(fix->utc, &at);
    print(&w, "$%.2sRMC,%02d%02d%02d.%02d,%c,", talker, at.tm_hour, at.tm_min, at.tm_sec, part, fix->valid ? 'A' : 'V');
    print_position(&w, fix);
    field(&w, fix->valid ? fix->speed / KNOT : NAN, 2);
    field(&w, fix->valid ? compass(fix->course) : NAN, 1);
    print(&w, ",%02d%02d%02d,,,%c", at.tm_mday, at.tm_mon + 1, at.tm_year % 100, fix->valid ? 'A' : 'N');
    return finish(&w);
}

size_t fm_nmea_vtg(const char *talker, const fm_nmea_fix *fix, char *text, size_t room)
{
    writer w = {text, room, 0, 0};
    print(&w, "$%.2sVTG", talker);
    field(&w, fix->valid ? compass(fix->course) : NAN, 1);
    print(&w, ",T,,M");
    field(&w, fix->valid ? fix->speed / KNOT : NAN, 2);
    print(&w, ",N");
    field(&w, fix->valid ? fix->speed * 3.6 : NAN, 2);
    print(&w, ",K,%c", fix->valid ? 'A' : 'N');
    return finish(&w);
}

size_t fm_nmea_hdt(const char *talker, double heading, char *text, size_t room)
{
    writer w = {text, room, 0, 0};
    print(&w, "$%.2sHDT", talker);
    field(&w, compass(heading), 1);
    print(&w, ",T");
    return finish(&w);
}

size_t fm_nmea_dbt(const char *talker, double depth, char *text, size_t room)
{
    writer w = {text, room, 0, 0};
    print(&w, "$%.2sDBT", talker);
    field(&w, depth / FOOT, 1);
    print(&w, ",f");
    field(&w, depth, 2);
    print(&w, ",M");
    field(&w, depth / FATHOM, 1);
    print(&w, ",F");
    return finish(&w);
}

size_t fm_nmea_dpt(const char *talker, double depth, double offset, char *text, size_t room)
{
    writer w = {text, room, 0, 0};
    print(&w, "$%.2sDPT", talker);
    field(&w, depth, 2);
    field(&w, offset, 2);
    print(&w, ",");
    return finish(&w);
}

size_t fm_nmea_mtw(const char *talker, double celsius, char *text, size_t room)
{
    writer w = {text, room, 0, 0};
    print(&w, "$%.2sMTW", talker);
    field(&w, celsius, 2);
    print(&w, ",C");
    return finish(&w);
}

size_t fm_nmea_vhw(const char *talker, double heading, double water_speed, char *text, size_t room)
{
    writer w = {text, room, 0, 0};
    print(&w, "$%.2sVHW", talker);
    field(&w, compass(heading), 1);
    print(&w, ",T,,M");
    field(&w, water_speed / KNOT, 2);
    print(&w, ",N");
    field(&w, water_speed * 3.6, 2);
    print(&w, ",K");
    return finish(&w);
}

size_t fm_nmea_vwr(const char *talker, double angle, double speed, char *text, size_t room)
{
    writer w = {text, room, 0, 0};
    double degrees = compass(angle);
    print(&w, "$%.2sVWR", talker);
    field(&w, degrees > 180 ? 360 - degrees : degrees, 1);
    print(&w, ",%c", degrees > 180 ? 'L' : 'R');
    field(&w, speed / KNOT, 2);
    print(&w, ",N");
    field(&w, speed, 2);
    print(&w, ",M");
    field(&w, speed * 3.6, 2);
    print(&w, ",K");
    return finish(&w);
}

size_t fm_nmea_xdr(const char *talker, double pitch, double roll, double depth, char *text, size_t room)
{
    writer w = {text, room, 0, 0};
    print(&w, "$%.2sXDR,A", talker);
    field(&w, pitch * DEGREES, 1);
    print(&w, ",D,PTCH,A");
    field(&w, roll * DEGREES, 1);
    print(&w, ",D,ROLL,D");
    field(&w, depth, 2);
    print(&w, ",M,DEPTH");
    return finish(&w);
}

size_t fm_nmea_ttm(const char *talker, const fm_nmea_target *t, char *text, size_t room)
{
    writer w = {text, room, 0, 0};
    struct tm at;
    int part = moment_of(t->utc, &at);
    print(&w, "$%.2sTTM,%02d", talker, t->number);
    field(&w, t->range / 1852, 3);
    field(&w, compass(t->bearing), 1);
    print(&w, ",T");
    field(&w, t->speed / KNOT, 1);
    field(&w, compass(t->course), 1);
    print(&w, ",T");
    field(&w, t->closest / 1852, 2);
    field(&w, t->time / 60, 1);
    print(&w, ",N,%.10s,T,,%02d%02d%02d.%02d,A", t->name, at.tm_hour, at.tm_min, at.tm_sec, part);
    return finish(&w);
}

/* --- AIS --- */

typedef struct bits {
    uint8_t six[28]; /* 168 bits */
    size_t count;
} bits;

static void put(bits *b, uint64_t value, int width)
{
    for (int i = width - 1; i >= 0; i--, b->count++)
        b->six[b->count / 6] = (uint8_t)(b->six[b->count / 6] | (value >> i & 1) << (5 - b->count % 6));
}

/* Rate of turn in AIS encoding: 4.733 times the root of deg/min, with its sign. */
static int8_t rate_of_turn(double turn)
{
    double root = 4.733 * sqrt(fabs(turn) * DEGREES * 60);
    long rounded = lround(root > 126 ? 126 : root);
    return (int8_t)(turn < 0 ? -rounded : rounded);
}

size_t fm_nmea_aivdm(const fm_nmea_vessel *v, char *text, size_t room)
{
    writer w = {text, room, 0, 0};
    bits b = {{0}, 0};
    struct tm at;
    moment_of(v->fix.utc, &at);
    long speed = lround(v->fix.speed / KNOT * 10);
    put(&b, 1, 6); /* message 1 */
    put(&b, 0, 2);
    put(&b, v->mmsi, 30);
    put(&b, 0, 4); /* under way by engine */
    put(&b, (uint64_t)rate_of_turn(v->turn), 8);
    put(&b, (uint64_t)(speed > 1022 ? 1022 : speed), 10);
    put(&b, 0, 1);
    put(&b, (uint64_t)llround(v->fix.longitude * DEGREES * 600000), 28);
    put(&b, (uint64_t)llround(v->fix.latitude * DEGREES * 600000), 27);
    put(&b, (uint64_t)lround(compass(v->fix.course) * 10), 12);
    put(&b, (uint64_t)lround(compass(v->heading)) % 360, 9);
    put(&b, (uint64_t)at.tm_sec, 6);
    put(&b, 0, 2 + 3 + 1 + 19);
    print(&w, "!AIVDM,1,1,,A,");
    for (size_t i = 0; i < sizeof b.six; i++)
        print(&w, "%c", b.six[i] < 40 ? b.six[i] + 48 : b.six[i] + 56);
    print(&w, ",0");
    return finish(&w);
}

/* --- reading --- */

const char *fm_nmea_result_name(fm_nmea_result result)
{
    static const char *const names[] = {"well", "short", "long", "checksum", "type", "value", "void"};
    return (unsigned)result < FM_NMEA_RESULTS ? names[result] : "unknown";
}

static int checksum_right(const char *line)
{
    const char *star = strrchr(line, '*');
    if (!star || !isxdigit((unsigned char)star[1]) || !isxdigit((unsigned char)star[2]) || star[3])
        return 0;
    return strtol(star + 1, NULL, 16) == fm_nmea_checksum(line);
}

/* Field number i after the address, without its comma; its length goes to *size. NULL: it does not exist. */
static const char *find_field(const char *line, int i, size_t *size)
{
    for (; i > 0 && line; i--) {
        line = strchr(line, ',');
        line = line ? line + 1 : NULL;
    }
    *size = line ? strcspn(line, ",*") : 0;
    return line;
}

static int field_is(const char *line, int i, char what)
{
    size_t size;
    const char *at = find_field(line, i, &size);
    return at && size == 1 && *at == what;
}

static int read_angle(const char *line, int i, double *angle)
{
    size_t size;
    const char *at = find_field(line, i, &size);
    const char *end = at;
    double degrees = 0;
    if (!at || size == 0 || !(isdigit((unsigned char)*at) || *at == '.') || !fm_text_number_read(&end, &degrees))
        return 0;
    *angle = degrees / DEGREES;
    return end == at + size && degrees >= 0 && degrees <= 360;
}

/* Field of the angle, field of its T, field of the sentence's own status (A) or 0. */
static fm_nmea_result read_steering(const char *line, int angle, int reference, int status, double *heading)
{
    if (status && !field_is(line, status, 'A'))
        return FM_NMEA_VOID;
    if (reference && !field_is(line, reference, 'T'))
        return FM_NMEA_VALUE;
    return read_angle(line, angle, heading) ? FM_NMEA_WELL : FM_NMEA_VALUE;
}

fm_nmea_result fm_nmea_read(const char *line, fm_nmea_steering *s)
{
    size_t length = strlen(line);
    memset(s, 0, sizeof *s);
    if (length > 80)
        return FM_NMEA_LONG;
    if (length < 6 || (line[0] != '$' && line[0] != '!') || strcspn(line, ",*") != 6)
        return FM_NMEA_SHORT;
    if (!checksum_right(line))
        return FM_NMEA_CHECKSUM;
    memcpy(s->type, line + 3, 3);
    if (strcmp(s->type, "APB") == 0)
        return field_is(line, 2, 'A') ? read_steering(line, 13, 14, 1, &s->heading) : FM_NMEA_VOID;
    if (strcmp(s->type, "RMB") == 0)
        return read_steering(line, 11, 0, 1, &s->heading);
    if (strcmp(s->type, "HSC") == 0)
        return read_steering(line, 1, 2, 0, &s->heading);
    return FM_NMEA_TYPE;
}
