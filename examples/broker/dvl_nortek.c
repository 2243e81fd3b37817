/* Nortek's DVL: binary data format 21 (bottom track, little-endian) and the sentences PNORBT0 and PNORBT7. What is not
 * valid is −32.768 m/s, 0 m, 10 m/s of merit, and a bit of the status that is not set. */
#include "bytes.h"
#include "formats.h"

#define BAD_VELOCITY -32.768
#define BAD_MERIT 10.0
enum { HEADER = 10, BODY = 212 };

/* Valid: 0…3 velocity, 4…7 distance, 8…11 merit of the beams; 12…15 velocity, 16…19 merit of x, y, z1, z2. */
static uint32_t status_of(const broker_dvl *dvl)
{
    uint32_t status = 0;
    for (unsigned i = 0; i < 4; i++)
        status |= isnan(dvl->range[i]) ? 0 : 0x111u << i;
    return isnan(dvl->velocity[0]) ? status : status | 0xff000u;
}

static double velocity_or_bad(double value)
{
    return isnan(value) ? BAD_VELOCITY : value;
}

static double merit(const broker_dvl *dvl, double value)
{
    return isnan(value) ? BAD_MERIT : dvl->deviation;
}

/* s from the ping to the middle of its echo */
static double echo_time(const broker_dvl *dvl, double range)
{
    return isnan(range) ? 0 : 2 * range / (dvl->sound_speed > 0 ? dvl->sound_speed : 1500);
}

/* Sum of 16-bit words, from B58C. */
static unsigned checksum(const uint8_t *bytes, size_t count)
{
    unsigned sum = 0xb58c;
    for (size_t i = 0; i + 1 < count; i += 2)
        sum += bytes[i] | (unsigned)bytes[i + 1] << 8;
    return (count % 2 ? sum + ((unsigned)bytes[count - 1] << 8) : sum) & 0xffff;
}

static void put_head(uint8_t *at, const uint8_t *body)
{
    at[0] = 0xa5;
    at[1] = HEADER;
    at[2] = 0x1b; /* bottom track */
    at[3] = 0x16; /* family of the instrument */
    broker_put16(at + 4, BODY);
    broker_put16(at + 6, checksum(body, BODY));
    broker_put16(at + 8, checksum(at, HEADER - 2));
}

static void put_common(uint8_t *at, const broker_dvl *dvl)
{
    broker_moment m = broker_calendar(dvl->utc, 10000);
    const int date[] = {m.year - 1900, m.month - 1, m.day, m.hour, m.minute, m.second};
    at[0] = 1;  /* version */
    at[1] = 36; /* where the data begin */
    broker_put32(at + 2, 1);
    for (int i = 0; i < 6; i++)
        at[6 + i] = (uint8_t)date[i];
    broker_put16(at + 12, (unsigned)m.part); /* 0.1 ms */
    broker_put16(at + 14, 4);                /* beams */
    broker_put32(at + 20, status_of(dvl));
    broker_put_float(at + 24, broker_known(dvl->sound_speed));
    broker_put_float(at + 28, broker_known(dvl->temperature));
    broker_put_float(at + 32, broker_known(dvl->pressure) / 1e5); /* bar */
}

size_t broker_dvl_df21(const broker_dvl *dvl, uint8_t *bytes, size_t room)
{
    uint8_t *body = bytes + HEADER, *beam = body + 36, *axis = body + 132;
    if (room < HEADER + BODY)
        return 0;
    memset(bytes, 0, HEADER + BODY);
    put_common(body, dvl);
    for (int i = 0; i < 4; i++) { /* velocity, distance, merit, time from the ping to the echo of each beam */
        double lost = isnan(dvl->range[i]) ? NAN : 0, velocity = dvl->velocity[i < 3 ? i : 2]; /* x y z1 z2 */
        broker_put_float(beam + 4 * i, velocity_or_bad(dvl->beam_velocity[i] + lost));
        broker_put_float(beam + 16 + 4 * i, broker_known(dvl->range[i]));
        broker_put_float(beam + 32 + 4 * i, merit(dvl, lost));
        broker_put_float(beam + 48 + 4 * i, echo_time(dvl, dvl->range[i]));
        broker_put_float(axis + 4 * i, velocity_or_bad(velocity));
        broker_put_float(axis + 16 + 4 * i, merit(dvl, velocity));
        broker_put_float(axis + 32 + 4 * i, echo_time(dvl, dvl->altitude));
    }
    put_head(bytes, body);
    return HEADER + BODY;
}

static void end_sentence(broker_writer *w, size_t start)
{
    if (!w->full)
        broker_print(w, "*%02X\r\n", broker_nmea_checksum(w->text + start));
}

static void print_beam(broker_writer *w, const broker_dvl *dvl, int i)
{
    broker_moment m = broker_calendar(dvl->utc, 10000);
    size_t start = w->count;
    double lost = isnan(dvl->range[i]) ? NAN : 0;
    broker_print(w, "$PNORBT0,%d,%02d%02d%02d,%02d%02d%02d.%04ld,%.3f,%.3f,%.5f,%.5f,%.2f,0x%08X", i + 1, m.day,
                 m.month, m.year % 100, m.hour, m.minute, m.second, m.part, 1000 * echo_time(dvl, dvl->range[i]), 0.,
                 velocity_or_bad(dvl->beam_velocity[i] + lost), merit(dvl, lost), broker_known(dvl->range[i]),
                 (unsigned)status_of(dvl));
    end_sentence(w, start);
}

size_t broker_dvl_pnor(const broker_dvl *dvl, char *text, size_t room)
{
    broker_writer w = {text, room, 0, 0};
    const double *v = dvl->velocity, cosine = cos(dvl->beam_angle);
    for (int i = 0; i < 4; i++)
        print_beam(&w, dvl, i);
    size_t start = w.count;
    broker_print(&w, "$PNORBT7,%.4f,%.3f,%.3f,%.5f,%.5f,%.5f,%.5f", dvl->utc, 1000 * echo_time(dvl, dvl->altitude), 0.,
                 velocity_or_bad(v[0]), velocity_or_bad(v[1]), velocity_or_bad(v[2]), merit(dvl, v[0]));
    for (int i = 0; i < 4; i++)
        broker_print(&w, ",%.2f", broker_known(dvl->range[i]) * cosine);
    end_sentence(&w, start);
    return broker_written(&w);
}
