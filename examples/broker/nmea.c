/* NMEA 0183, and the other instruments that speak in lines: CTD, pressure gauge, modem, motors. */
#include <ctype.h>
#include <stdlib.h>

#include "bytes.h"
#include "formats.h"

#define KNOT (1852. / 3600) /* m/s */
#define PSI 6894.757293168  /* Pa */

uint8_t broker_nmea_checksum(const char *sentence)
{
    uint8_t sum = 0;
    for (const char *c = sentence + (*sentence == '$'); *c && *c != '*' && *c != '\r' && *c != '\n'; c++)
        sum ^= (uint8_t)*c;
    return sum;
}

static size_t finish(broker_writer *w)
{
    if (!w->full)
        broker_print(w, "*%02X\r\n", broker_nmea_checksum(w->text));
    return broker_written(w);
}

/* ddmm.mmmm,N: minutes are rounded before degrees are taken off, so that 60 never appears. */
static void print_angle(broker_writer *w, double degrees, int width, char positive, char negative)
{
    long long steps = llround(broker_within(fabs(degrees), 0, 360) * 600000); /* of 0.0001 minute */
    broker_print(w, "%0*lld%02lld.%04lld,%c", width, steps / 600000, steps / 10000 % 60, steps % 10000,
                 degrees < 0 ? negative : positive);
}

static void print_position(broker_writer *w, const broker_fix *fix)
{
    if (fix->valid) {
        print_angle(w, fix->latitude, 2, 'N', 'S');
        broker_print(w, ",");
        print_angle(w, fix->longitude, 3, 'E', 'W');
    } else {
        broker_print(w, ",,,");
    }
}

size_t broker_nmea_gga(const char *talker, const broker_fix *fix, char *text, size_t room)
{
    broker_writer w = {text, room, 0, 0};
    broker_moment m = broker_calendar(fix->utc, 1000);
    broker_print(&w, "$%.2sGGA,%02d%02d%02d.%03ld,", talker, m.hour, m.minute, m.second, m.part);
    print_position(&w, fix);
    if (fix->valid)
        broker_print(&w, ",1,%d,%.2f,%.1f,M,%.1f,M,,", fix->satellites, fix->dilution, fix->altitude, fix->separation);
    else
        broker_print(&w, ",0,0,,,M,,M,,");
    return finish(&w);
}

size_t broker_nmea_rmc(const char *talker, const broker_fix *fix, char *text, size_t room)
{
    broker_writer w = {text, room, 0, 0};
    broker_moment m = broker_calendar(fix->utc, 1000);
    broker_print(&w, "$%.2sRMC,%02d%02d%02d.%03ld,%c,", talker, m.hour, m.minute, m.second, m.part,
                 fix->valid ? 'A' : 'V');
    print_position(&w, fix);
    if (fix->valid && !isnan(fix->speed))
        broker_print(&w, ",%.2f,%.2f", fix->speed / KNOT, broker_compass(fix->course, 100));
    else
        broker_print(&w, ",,");
    broker_print(&w, ",%02d%02d%02d,,,%c", m.day, m.month, m.year % 100, fix->valid ? 'A' : 'N');
    return finish(&w);
}

size_t broker_nmea_hdt(const char *talker, double heading, char *text, size_t room)
{
    broker_writer w = {text, room, 0, 0};
    broker_print(&w, "$%.2sHDT,%.1f,T", talker, broker_compass(heading, 10));
    return finish(&w);
}

size_t broker_nmea_tilt(const char *talker, double pitch, double roll, char *text, size_t room)
{
    broker_writer w = {text, room, 0, 0};
    broker_print(&w, "$%.2sXDR,A,%.1f,D,PTCH,A,%.1f,D,ROLL", talker, pitch * BROKER_DEGREES, roll * BROKER_DEGREES);
    return finish(&w);
}

size_t broker_nmea_dpt(const char *talker, double depth, double offset, char *text, size_t room)
{
    broker_writer w = {text, room, 0, 0};
    broker_print(&w, "$%.2sDPT,%.2f,%.2f", talker, depth, offset);
    return finish(&w);
}

size_t broker_nmea_pressure(const char *talker, double pascal, char *text, size_t room)
{
    broker_writer w = {text, room, 0, 0};
    broker_print(&w, "$%.2sXDR,P,%.5f,B,PRESSURE", talker, pascal / 1e5);
    return finish(&w);
}

size_t broker_pressure_digiquartz(double pascal, char *text, size_t room)
{
    broker_writer w = {text, room, 0, 0};
    broker_print(&w, "*0001%.4f\r\n", pascal / PSI);
    return broker_written(&w);
}

size_t broker_ctd_sbe49(const broker_ctd *ctd, char *text, size_t room)
{
    broker_writer w = {text, room, 0, 0};
    broker_print(&w, "%8.4f, %8.5f, %8.3f, %8.4f, %8.3f\r\n", ctd->temperature, ctd->conductivity, ctd->pressure / 1e4,
                 ctd->salinity, ctd->sound_speed);
    return broker_written(&w);
}

size_t broker_modem_taken(const broker_frame *frame, char *text, size_t room)
{
    broker_writer w = {text, room, 0, 0};
    broker_print(&w, "$CATXD,%u,%u,%d,%zu", frame->source, frame->destination, frame->acknowledge, frame->count);
    return finish(&w);
}

size_t broker_modem_heard(const broker_frame *frame, char *text, size_t room)
{
    broker_writer w = {text, room, 0, 0};
    broker_print(&w, "$CARXD,%u,%u,%d,1,", frame->source, frame->destination, frame->acknowledge);
    for (size_t i = 0; i < frame->count && i < BROKER_FRAME; i++)
        broker_print(&w, "%02X", frame->bytes[i]);
    return finish(&w);
}

size_t broker_modem_error(const char *what, char *text, size_t room)
{
    broker_writer w = {text, room, 0, 0};
    broker_print(&w, "$CAERR,%s", what);
    return finish(&w);
}

/* 1: no checksum, or the right one. */
static int checksum_right(const char *line)
{
    const char *star = strchr(line, '*');
    char *end;
    if (star == NULL)
        return 1;
    long given = strtol(star + 1, &end, 16);
    return end == star + 3 && given == broker_nmea_checksum(line);
}

static int hex_bytes(const char *digits, broker_frame *frame)
{
    frame->count = 0;
    for (; isxdigit((unsigned char)digits[0]) && isxdigit((unsigned char)digits[1]); digits += 2) {
        const char pair[] = {digits[0], digits[1], 0};
        if (frame->count == BROKER_FRAME)
            return 0;
        frame->bytes[frame->count++] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return *digits == 0 || *digits == '*' || *digits == '\r' || *digits == '\n';
}

int broker_modem_read(const char *line, broker_frame *frame)
{
    int at = 0;
    memset(frame, 0, sizeof *frame);
    if (sscanf(line, "$CCTXD,%3u,%3u,%1d,%n", &frame->source, &frame->destination, &frame->acknowledge, &at) != 3 ||
        at == 0)
        return 0;
    return checksum_right(line) && hex_bytes(line + at, frame);
}

int broker_orders_read(const char *line, broker_order orders[BROKER_ORDERS])
{
    static const char between[] = ", \t\r\n";
    int count = 0;
    if (!checksum_right(line))
        return -1;
    line += *line == '$';
    for (line += strspn(line, between); *line && *line != '*'; line += strspn(line, between)) {
        size_t length = strcspn(line, "=, \t\r\n*");
        broker_order *order = &orders[count];
        if (length >= sizeof order->name || count == BROKER_ORDERS)
            return -1;
        if (count == 0 && length == 4 && strncmp(line, "stop", 4) == 0 && line[4] != '=') {
            *order = (broker_order){"", 0};
            return line[4 + strspn(line + 4, between)] == 0 || strchr(line, '*') ? 1 : -1;
        }
        if (length == 0 || line[length] != '=')
            return -1;
        memcpy(order->name, line, length);
        order->name[length] = 0;
        char *end;
        order->value = strtod(line + length + 1, &end);
        if (end == line + length + 1 || !isfinite(order->value) || !strchr(", \t\r\n*", *end))
            return -1;
        line = end;
        count++;
    }
    return count;
}
