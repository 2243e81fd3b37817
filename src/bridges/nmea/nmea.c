#include "bridges/nmea/nmea.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/calendar.h"
#include "base/text.h"
#include "bridges/nmea/nmea_text.h"

#define KNOT FM_NMEA_KNOT
#define FOOT 0.3048   /* m */
#define FATHOM 1.8288 /* m */
#define DEGREES FM_NMEA_DEGREES

/* --- writing --- */

void fm_nmea_print(fm_nmea_writer *w, const char *format, ...)
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

size_t fm_nmea_finish(fm_nmea_writer *w, size_t start)
{
    if (!w->full)
        fm_nmea_print(w, "*%02X\r\n", fm_nmea_checksum(w->text + start));
    return w->full ? 0 : w->count;
}

/* A number after a comma, or an empty field if it is unknown. */
static void field(fm_nmea_writer *w, double value, int digits)
{
    if (isfinite(value)) /* never -0.0 */
        fm_nmea_print(w, ",%.*f", digits, fabs(value) < 0.5 * pow(10, -digits) ? 0.0 : value);
    else
        fm_nmea_print(w, ",");
}

double fm_nmea_compass(double angle)
{
    if (!isfinite(angle))
        return NAN;
    double degrees = fmod(angle * DEGREES, 360);
    return (double)(lround((degrees < 0 ? degrees + 360 : degrees) * 10) % 3600) / 10;
}

/* ddmm.mmmmm,N: minutes are rounded before degrees are split off, so that 60 never appears. */
static void print_angle(fm_nmea_writer *w, double angle, int width, char positive, char negative)
{
    long long steps = llround(fabs(angle) * DEGREES * 6000000); /* of 0.00001 minute */
    fm_nmea_print(w, "%0*lld%02lld.%05lld,%c", width, steps / 6000000, steps / 100000 % 60, steps % 100000,
                  angle < 0 ? negative : positive);
}

static void print_position(fm_nmea_writer *w, const fm_nmea_fix *fix)
{
    if (!fix->valid) {
        fm_nmea_print(w, ",,,");
        return;
    }
    print_angle(w, fix->latitude, 2, 'N', 'S');
    fm_nmea_print(w, ",");
    print_angle(w, fix->longitude, 3, 'E', 'W');
}

/* hhmmss.ss */
static void print_time(fm_nmea_writer *w, const fm_calendar *at)
{
    fm_nmea_print(w, ",%02d%02d%05.2f", at->hour, at->minute, at->second);
}

size_t fm_nmea_gga(const char *talker, const fm_nmea_fix *fix, char *text, size_t room)
{
    fm_nmea_writer w = {text, room, 0, 0};
    const fm_calendar at = fm_calendar_from(fix->utc, 2);
    fm_nmea_print(&w, "$%.2sGGA", talker);
    print_time(&w, &at);
    fm_nmea_print(&w, ",");
    print_position(&w, fix);
    if (fix->valid)
        fm_nmea_print(&w, ",1,10,0.9,%.1f,M,0.0,M,,", fix->altitude);
    else
        fm_nmea_print(&w, ",0,0,,,M,,M,,");
    return fm_nmea_finish(&w, 0);
}

size_t fm_nmea_rmc(const char *talker, const fm_nmea_fix *fix, char *text, size_t room)
{
    fm_nmea_writer w = {text, room, 0, 0};
    const fm_calendar at = fm_calendar_from(fix->utc, 2);
    fm_nmea_print(&w, "$%.2sRMC", talker);
    print_time(&w, &at);
    fm_nmea_print(&w, ",%c,", fix->valid ? 'A' : 'V');
    print_position(&w, fix);
    field(&w, fix->valid ? fix->speed / KNOT : NAN, 2);
    field(&w, fix->valid ? fm_nmea_compass(fix->course) : NAN, 1);
    fm_nmea_print(&w, ",%02d%02d%02d,,,%c", at.day, at.month, at.year % 100, fix->valid ? 'A' : 'N');
    return fm_nmea_finish(&w, 0);
}

size_t fm_nmea_vtg(const char *talker, const fm_nmea_fix *fix, char *text, size_t room)
{
    fm_nmea_writer w = {text, room, 0, 0};
    fm_nmea_print(&w, "$%.2sVTG", talker);
    field(&w, fix->valid ? fm_nmea_compass(fix->course) : NAN, 1);
    fm_nmea_print(&w, ",T,,M");
    field(&w, fix->valid ? fix->speed / KNOT : NAN, 2);
    fm_nmea_print(&w, ",N");
    field(&w, fix->valid ? fix->speed * 3.6 : NAN, 2);
    fm_nmea_print(&w, ",K,%c", fix->valid ? 'A' : 'N');
    return fm_nmea_finish(&w, 0);
}

size_t fm_nmea_hdt(const char *talker, double heading, char *text, size_t room)
{
    fm_nmea_writer w = {text, room, 0, 0};
    fm_nmea_print(&w, "$%.2sHDT", talker);
    field(&w, fm_nmea_compass(heading), 1);
    fm_nmea_print(&w, ",T");
    return fm_nmea_finish(&w, 0);
}

size_t fm_nmea_dbt(const char *talker, double depth, char *text, size_t room)
{
    fm_nmea_writer w = {text, room, 0, 0};
    fm_nmea_print(&w, "$%.2sDBT", talker);
    field(&w, depth / FOOT, 1);
    fm_nmea_print(&w, ",f");
    field(&w, depth, 2);
    fm_nmea_print(&w, ",M");
    field(&w, depth / FATHOM, 1);
    fm_nmea_print(&w, ",F");
    return fm_nmea_finish(&w, 0);
}

size_t fm_nmea_dpt(const char *talker, double depth, double offset, char *text, size_t room)
{
    fm_nmea_writer w = {text, room, 0, 0};
    fm_nmea_print(&w, "$%.2sDPT", talker);
    field(&w, depth, 2);
    field(&w, offset, 2);
    fm_nmea_print(&w, ",");
    return fm_nmea_finish(&w, 0);
}

size_t fm_nmea_mtw(const char *talker, double celsius, char *text, size_t room)
{
    fm_nmea_writer w = {text, room, 0, 0};
    fm_nmea_print(&w, "$%.2sMTW", talker);
    field(&w, celsius, 2);
    fm_nmea_print(&w, ",C");
    return fm_nmea_finish(&w, 0);
}

size_t fm_nmea_vhw(const char *talker, double heading, double water_speed, char *text, size_t room)
{
    fm_nmea_writer w = {text, room, 0, 0};
    fm_nmea_print(&w, "$%.2sVHW", talker);
    field(&w, fm_nmea_compass(heading), 1);
    fm_nmea_print(&w, ",T,,M");
    field(&w, water_speed / KNOT, 2);
    fm_nmea_print(&w, ",N");
    field(&w, water_speed * 3.6, 2);
    fm_nmea_print(&w, ",K");
    return fm_nmea_finish(&w, 0);
}

size_t fm_nmea_mwv(const char *talker, double angle, int apparent, double speed, char *text, size_t room)
{
    fm_nmea_writer w = {text, room, 0, 0};
    fm_nmea_print(&w, "$%.2sMWV", talker);
    field(&w, fm_nmea_compass(angle), 1);
    fm_nmea_print(&w, ",%c", apparent ? 'R' : 'T');
    field(&w, speed / KNOT, 2);
    fm_nmea_print(&w, ",N,A");
    return fm_nmea_finish(&w, 0);
}

size_t fm_nmea_zda(const char *talker, double utc, char *text, size_t room)
{
    fm_nmea_writer w = {text, room, 0, 0};
    const fm_calendar at = fm_calendar_from(utc, 2);
    fm_nmea_print(&w, "$%.2sZDA", talker);
    print_time(&w, &at);
    fm_nmea_print(&w, ",%02d,%02d,%04d,00,00", at.day, at.month, at.year);
    return fm_nmea_finish(&w, 0);
}

size_t fm_nmea_gll(const char *talker, const fm_nmea_fix *fix, char *text, size_t room)
{
    fm_nmea_writer w = {text, room, 0, 0};
    const fm_calendar at = fm_calendar_from(fix->utc, 2);
    fm_nmea_print(&w, "$%.2sGLL,", talker);
    print_position(&w, fix);
    print_time(&w, &at);
    fm_nmea_print(&w, ",%c,%c", fix->valid ? 'A' : 'V', fix->valid ? 'A' : 'N');
    return fm_nmea_finish(&w, 0);
}

size_t fm_nmea_rot(const char *talker, double turn, char *text, size_t room)
{
    fm_nmea_writer w = {text, room, 0, 0};
    fm_nmea_print(&w, "$%.2sROT", talker);
    field(&w, turn * DEGREES * 60, 1);
    fm_nmea_print(&w, ",A");
    return fm_nmea_finish(&w, 0);
}

size_t fm_nmea_vlw(const char *talker, double through_water, double over_ground, char *text, size_t room)
{
    fm_nmea_writer w = {text, room, 0, 0};
    fm_nmea_print(&w, "$%.2sVLW", talker);
    for (int i = 0; i < 4; i++) { /* total and since reset, through the water and over ground */
        field(&w, (i < 2 ? through_water : over_ground) / 1852, 3);
        fm_nmea_print(&w, ",N");
    }
    return fm_nmea_finish(&w, 0);
}

size_t fm_nmea_rsa(const char *talker, double starboard, double port, char *text, size_t room)
{
    fm_nmea_writer w = {text, room, 0, 0};
    const double angles[2] = {starboard, port};
    fm_nmea_print(&w, "$%.2sRSA", talker);
    for (int i = 0; i < 2; i++) {
        field(&w, angles[i] * DEGREES, 1);
        fm_nmea_print(&w, ",%c", isfinite(angles[i]) ? 'A' : 'V');
    }
    return fm_nmea_finish(&w, 0);
}

size_t fm_nmea_rpm(const char *talker, int shaft, double speed, char *text, size_t room)
{
    fm_nmea_writer w = {text, room, 0, 0};
    fm_nmea_print(&w, "$%.2sRPM,S,%d", talker, shaft);
    field(&w, speed * DEGREES / 6, 1);
    fm_nmea_print(&w, ",,A");
    return fm_nmea_finish(&w, 0);
}

size_t fm_nmea_xdr(const char *talker, double pitch, double roll, double depth, char *text, size_t room)
{
    fm_nmea_writer w = {text, room, 0, 0};
    fm_nmea_print(&w, "$%.2sXDR,A", talker);
    field(&w, pitch * DEGREES, 1);
    fm_nmea_print(&w, ",D,PTCH,A");
    field(&w, roll * DEGREES, 1);
    fm_nmea_print(&w, ",D,ROLL,D");
    field(&w, depth, 2);
    fm_nmea_print(&w, ",M,DEPTH");
    return fm_nmea_finish(&w, 0);
}

size_t fm_nmea_ttm(const char *talker, const fm_nmea_target *t, char *text, size_t room)
{
    fm_nmea_writer w = {text, room, 0, 0};
    const fm_calendar at = fm_calendar_from(t->utc, 2);
    fm_nmea_print(&w, "$%.2sTTM,%02d", talker, t->number);
    field(&w, t->range / 1852, 3);
    field(&w, fm_nmea_compass(t->bearing), 1);
    fm_nmea_print(&w, ",T");
    field(&w, t->speed / KNOT, 1);
    field(&w, fm_nmea_compass(t->course), 1);
    fm_nmea_print(&w, ",T");
    field(&w, t->closest / 1852, 2);
    field(&w, t->time / 60, 1);
    fm_nmea_print(&w, ",N,%.10s,T,", t->name);
    print_time(&w, &at);
    fm_nmea_print(&w, ",A");
    return fm_nmea_finish(&w, 0);
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
