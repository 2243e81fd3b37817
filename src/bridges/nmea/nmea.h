/* NMEA 0183 sentences, between text and numbers, without any input or output. Numbers are SI and radians, NaN if
 * unknown; encoders return the number of characters written, including CR LF, or 0 if `room` is too small. docs/nmea.md
 * documents it. */
#ifndef FM_BRIDGES_NMEA_NMEA_H
#define FM_BRIDGES_NMEA_NMEA_H

#include <stddef.h>
#include <stdint.h>

enum { FM_NMEA_MOST = 83 }; /* a sentence of 82 characters and its terminator */

/* The fix of a satellite receiver. */
typedef struct fm_nmea_fix {
    double utc;                 /* s since 1970 */
    int valid;                  /* 0: under water, no fix */
    double latitude, longitude; /* rad */
    double altitude;            /* m above mean sea level */
    double speed, course;       /* m/s over ground, rad from north */
} fm_nmea_fix;

uint8_t fm_nmea_checksum(const char *sentence); /* exclusive or of the characters between $ or ! and * */

/* --- output; `talker` is two letters --- */
size_t fm_nmea_gga(const char *talker, const fm_nmea_fix *fix, char *text, size_t room);
size_t fm_nmea_rmc(const char *talker, const fm_nmea_fix *fix, char *text, size_t room);
size_t fm_nmea_vtg(const char *talker, const fm_nmea_fix *fix, char *text, size_t room);
size_t fm_nmea_hdt(const char *talker, double heading, char *text, size_t room);
/* Depth of water below the transducer, m; `offset` from it to the surface (positive) for DPT. */
size_t fm_nmea_dbt(const char *talker, double depth, char *text, size_t room);
size_t fm_nmea_dpt(const char *talker, double depth, double offset, char *text, size_t room);
size_t fm_nmea_mtw(const char *talker, double celsius, char *text, size_t room);
size_t fm_nmea_vhw(const char *talker, double heading, double water_speed, char *text, size_t room);
/* Wind: where it comes from, rad from the bow to starboard; apparent, or true (that of a vehicle at rest in the water).
 */
size_t fm_nmea_mwv(const char *talker, double angle, int apparent, double speed, char *text, size_t room);
size_t fm_nmea_zda(const char *talker, double utc, char *text, size_t room);
size_t fm_nmea_gll(const char *talker, const fm_nmea_fix *fix, char *text, size_t room);
/* Rate of turn, rad/s, positive to starboard. */
size_t fm_nmea_rot(const char *talker, double turn, char *text, size_t room);
/* Distances travelled, m. */
size_t fm_nmea_vlw(const char *talker, double through_water, double over_ground, char *text, size_t room);
/* Rudders, rad, positive if they turn the vehicle to starboard: that to starboard or the only one, and that to port. */
size_t fm_nmea_rsa(const char *talker, double starboard, double port, char *text, size_t room);
/* Shaft 1, 2 …, rad/s, positive ahead. */
size_t fm_nmea_rpm(const char *talker, int shaft, double speed, char *text, size_t room);
/* Pitch and roll (XDR A), depth below the surface (XDR D, "DEPTH"). */
size_t fm_nmea_xdr(const char *talker, double pitch, double roll, double depth, char *text, size_t room);

/* Another vehicle, as a target of a tracker. */
typedef struct fm_nmea_target {
    int number;            /* 0 … 99 */
    double range, bearing; /* m; rad from north */
    double speed, course;  /* m/s, rad from north */
    double closest, time;  /* m and s to the closest approach; NaN: none */
    const char *name;
    double utc;
} fm_nmea_target;
size_t fm_nmea_ttm(const char *talker, const fm_nmea_target *target, char *text, size_t room);

/* What AIS says of a ship that does not change. */
typedef struct fm_nmea_ship {
    uint32_t mmsi;
    int class_b;                        /* a small craft: messages 18 and 24 instead of 1 and 5 */
    const char *name, *call_sign;       /* NULL: not known */
    unsigned type;                      /* of ship and cargo, 0 (not known) to 99 */
    double bow, stern, port, starboard; /* m from the antenna */
    double draught;                     /* m */
} fm_nmea_ship;

typedef struct fm_nmea_vessel {
    fm_nmea_ship ship;
    fm_nmea_fix fix;
    double heading; /* rad */
    double turn;    /* rad/s to starboard */
} fm_nmea_vessel;

/* AIS as AIVDM (nmea_ais.c): the position report of a vessel, and the static data of a ship in two sentences. */
size_t fm_nmea_ais_position(const fm_nmea_vessel *vessel, char *text, size_t room);
/* `sequence`: counts messages of several sentences. */
size_t fm_nmea_ais_static(const fm_nmea_ship *ship, unsigned sequence, char *text, size_t room);

/* --- input: sentences to an autopilot --- */
typedef enum fm_nmea_result {
    FM_NMEA_WELL,
    FM_NMEA_SHORT,    /* not a sentence: no $, no type */
    FM_NMEA_LONG,     /* more than 82 characters */
    FM_NMEA_CHECKSUM, /* missing or wrong */
    FM_NMEA_TYPE,     /* another sentence */
    FM_NMEA_VALUE,    /* a field that is not a number, or out of range */
    FM_NMEA_VOID,     /* its status field marks it as invalid */
    FM_NMEA_RESULTS
} fm_nmea_result;
const char *fm_nmea_result_name(fm_nmea_result result);

typedef struct fm_nmea_steering {
    char type[4];   /* "APB", "RMB", "HSC" */
    double heading; /* rad from north, true: to steer */
} fm_nmea_steering;
/* One line without its end. APB: heading to steer to the destination (field 13); RMB: bearing to it (field 11); HSC:
 * commanded heading, true (field 1). Magnetic values are refused. */
fm_nmea_result fm_nmea_read(const char *line, fm_nmea_steering *steering);

#endif
