/* Teledyne RD Instruments' PD0, little-endian, offsets as in the tables of the WorkHorse and Explorer manuals. */
#include "bytes.h"
#include "formats.h"

enum {
    TYPES = 3,
    HEADER = 6 + 2 * TYPES,
    FIXED = 59,
    VARIABLE = 65,
    TRACK = 85,
    RESERVED = 2,
    CHECKED = HEADER + FIXED + VARIABLE + TRACK + RESERVED, /* bytes before the checksum */
    BAD = -32768
};

static void put_signed(uint8_t *at, double value)
{
    broker_put16(at, (unsigned)broker_round(value, -32767, 32767, BAD) & 0xffff);
}

static void put_header(uint8_t *at)
{
    static const unsigned sizes[TYPES] = {FIXED, VARIABLE, TRACK};
    unsigned offset = HEADER;
    at[0] = at[1] = 0x7f;
    broker_put16(at + 2, CHECKED);
    at[5] = TYPES;
    for (int i = 0; i < TYPES; offset += sizes[i++])
        broker_put16(at + 6 + 2 * i, offset);
}

/* 600 kHz, convex, four beams, facing down; ship axes, three beams suffice, tilts not applied. */
static void put_fixed(uint8_t *at, const broker_dvl *dvl)
{
    long angle = broker_round(dvl->beam_angle * BROKER_DEGREES, 0, 90, 30);
    at[2] = 50; /* version of the firmware */
    at[3] = 40;
    at[4] = 0x4b;
    at[5] = (uint8_t)(0x40 | (angle == 15 ? 0 : angle == 20 ? 1 : angle == 30 ? 2 : 3));
    at[8] = 4;                /* beams */
    at[9] = 1;                /* cells */
    broker_put16(at + 10, 1); /* pings of an ensemble */
    at[16] = 1;               /* mode */
    at[17] = 64;              /* least correlation */
    at[25] = 0x12;            /* ship axes, three beams */
    at[30] = at[31] = 0x7d;   /* sound speed by depth, heading, tilts and temperature of sensors */
    at[58] = (uint8_t)angle;
}

static void put_time(uint8_t *at, const broker_moment *moment)
{
    const int fields[] = {moment->year % 100, moment->month,  moment->day,      moment->hour,
                          moment->minute,     moment->second, (int)moment->part};
    for (int i = 0; i < 7; i++)
        at[i] = (uint8_t)fields[i];
}

static void put_variable(uint8_t *at, const broker_dvl *dvl)
{
    broker_moment moment = broker_calendar(dvl->utc, 100);
    at[0] = 0x80;
    broker_put16(at + 2, dvl->ensemble & 0xffff);
    put_time(at + 4, &moment);
    at[11] = (uint8_t)(dvl->ensemble >> 16);
    broker_put16(at + 14, (unsigned)broker_round(dvl->sound_speed, 1400, 1600, 1500));
    broker_put16(at + 16, (unsigned)broker_round(10 * dvl->depth, 0, 9999, 0));
    broker_put16(at + 18, (unsigned)broker_round(100 * broker_compass(dvl->heading, 100), 0, 35999, 0));
    put_signed(at + 20, 100 * broker_known(dvl->pitch) * BROKER_DEGREES);
    put_signed(at + 22, 100 * broker_known(dvl->roll) * BROKER_DEGREES);
    broker_put16(at + 24, (unsigned)broker_round(dvl->salinity, 0, 40, 35));
    put_signed(at + 26, 100 * broker_known(dvl->temperature));
    broker_put32(at + 48, (uint32_t)broker_round(dvl->pressure / 10, 0, 4e9, 0));
    at[57] = (uint8_t)(moment.year / 100);
    put_time(at + 58, &moment);
}

static void put_range(uint8_t *track, int beam, double vertical)
{
    long cm = broker_round(100 * vertical, 0, 0xffffff, 0); /* 0: lost */
    broker_put16(track + 16 + 2 * beam, (unsigned)cm & 0xffff);
    track[77 + beam] = (uint8_t)(cm >> 16);
}

static void put_track(uint8_t *at, const broker_dvl *dvl)
{
    /* of the bottom, as the ship sees it: starboard, forward, up */
    const double velocity[4] = {-dvl->velocity[1], -dvl->velocity[0], dvl->velocity[2], dvl->error_velocity};
    at[1] = 0x06;
    broker_put16(at + 2, 1); /* pings */
    at[9] = 5;               /* mode */
    for (int i = 0; i < 4; i++) {
        int heard = !isnan(dvl->range[i]);
        put_range(at, i, dvl->range[i] * cos(dvl->beam_angle));
        put_signed(at + 24 + 2 * i, 1000 * velocity[i]);
        at[32 + i] = heard ? 255 : 0; /* correlation */
        at[40 + i] = heard ? 100 : 0; /* per cent good */
        broker_put16(at + 50 + 2 * i, (unsigned)BAD & 0xffff);
    }
}

size_t broker_dvl_pd0(const broker_dvl *dvl, uint8_t *bytes, size_t room)
{
    if (room < CHECKED + 2)
        return 0;
    memset(bytes, 0, CHECKED);
    put_header(bytes);
    put_fixed(bytes + HEADER, dvl);
    put_variable(bytes + HEADER + FIXED, dvl);
    put_track(bytes + HEADER + FIXED + VARIABLE, dvl);
    unsigned sum = 0;
    for (int i = 0; i < CHECKED; i++)
        sum += bytes[i];
    broker_put16(bytes + CHECKED, sum & 0xffff);
    return CHECKED + 2;
}
