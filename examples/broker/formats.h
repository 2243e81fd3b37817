/* What instruments say on their serial lines: encoders without state, from plain numbers to bytes. Each returns how
 * many bytes it wrote, or 0 where `room` is too small. Numbers are SI and radians; axes are forward, starboard, down
 * and north, east, down, as everywhere in Fathom; each format turns them into its own. NaN: not known, or not valid. */
#ifndef BROKER_FORMATS_H
#define BROKER_FORMATS_H

#include <stddef.h>
#include <stdint.h>

#define BROKER_LINES 2048 /* bytes: more than any report of an instrument */

/* One ping of a Doppler velocity log, with what the vehicle's other instruments tell it. */
typedef struct broker_dvl {
    double utc;              /* s since 1970: of the echo */
    double since;            /* s since the report before */
    double since_good;       /* s since the last valid velocity */
    unsigned ensemble;       /* number of this report, from 1 */
    double velocity[3];      /* m/s over ground, forward starboard down; NaN: no lock */
    double error_velocity;   /* m/s by which the beams disagree; NaN: fewer than four */
    double deviation;        /* m/s, standard deviation of the velocity */
    double altitude;         /* m; NaN: no lock */
    double range[4];         /* m along each beam; NaN: lost */
    double beam_velocity[4]; /* m/s along each beam, away from the instrument */
    double beam_angle;       /* rad between the beams and straight down */
    double travelled[3];     /* m north, east, down since the start, by this instrument's own sum */
    double roll, pitch, heading;
    double depth;       /* m */
    double pressure;    /* Pa above that of the air */
    double temperature; /* °C */
    double salinity;    /* PSS-78 */
    double sound_speed; /* m/s */
} broker_dvl;

/* Teledyne PD0: fixed leader, variable leader, bottom track. Velocities in ship axes (starboard, forward, up), of the
 * bottom as the instrument sees it: a vehicle that goes forward reads a negative second velocity. Ranges are vertical.
 */
size_t broker_dvl_pd0(const broker_dvl *dvl, uint8_t *bytes, size_t room);
/* Teledyne PD6: ten lines. Velocities are the vehicle's over ground: BI and BS starboard, forward, up; BE east, north,
 * up. */
size_t broker_dvl_pd6(const broker_dvl *dvl, char *text, size_t room);
/* Nortek: binary DF21; sentences PNORBT0 of each beam and PNORBT7. Velocities forward, starboard, down. */
size_t broker_dvl_df21(const broker_dvl *dvl, uint8_t *bytes, size_t room);
size_t broker_dvl_pnor(const broker_dvl *dvl, char *text, size_t room);
/* Water Linked serial protocol 2: wrz, four wru, wrp. Velocities forward, starboard, down. */
size_t broker_dvl_waterlinked(const broker_dvl *dvl, char *text, size_t room);

/* Sea-Bird SBE 49, output format 3 with salinity and sound velocity. */
typedef struct broker_ctd {
    double temperature;  /* °C, ITS-90 */
    double conductivity; /* S/m */
    double pressure;     /* Pa above that of the air */
    double salinity;     /* PSS-78 */
    double sound_speed;  /* m/s */
} broker_ctd;
size_t broker_ctd_sbe49(const broker_ctd *ctd, char *text, size_t room);

/* NMEA 0183. `talker`: two letters, such as "GP", "II". */
typedef struct broker_fix {
    double utc;
    int valid;                  /* 0: no fix */
    double latitude, longitude; /* deg */
    double altitude;            /* m above the geoid */
    double separation;          /* m of the geoid above the ellipsoid */
    double speed, course;       /* m/s over ground, rad from north */
    int satellites;             /* in use */
    double dilution;            /* horizontal dilution of precision */
} broker_fix;
size_t broker_nmea_gga(const char *talker, const broker_fix *fix, char *text, size_t room);
size_t broker_nmea_rmc(const char *talker, const broker_fix *fix, char *text, size_t room);
size_t broker_nmea_hdt(const char *talker, double heading, char *text, size_t room);
size_t broker_nmea_tilt(const char *talker, double pitch, double roll, char *text, size_t room); /* XDR */
size_t broker_nmea_dpt(const char *talker, double depth, double offset, char *text, size_t room);
size_t broker_nmea_pressure(const char *talker, double pascal, char *text, size_t room); /* XDR, absolute, in bar */
/* Paroscientific Digiquartz, from unit 1 to host 0: absolute, in psi. */
size_t broker_pressure_digiquartz(double pascal, char *text, size_t room);

/* Lines of a WHOI Micro-Modem. The host says CCTXD (binary, as hexadecimal digits); the modem says CATXD when it has
 * taken it, and CARXD when it has heard a frame. */
#define BROKER_FRAME 256 /* bytes of a message at most */
typedef struct broker_frame {
    unsigned source, destination; /* addresses; 0: everyone */
    int acknowledge;              /* 1: an acknowledgement is asked for */
    size_t count;
    uint8_t bytes[BROKER_FRAME];
} broker_frame;
size_t broker_modem_taken(const broker_frame *frame, char *text, size_t room);
size_t broker_modem_heard(const broker_frame *frame, char *text, size_t room);
size_t broker_modem_error(const char *what, char *text, size_t room); /* CAERR */
int broker_modem_read(const char *line, broker_frame *frame);         /* 1: a CCTXD with a right checksum, or none */

/* Orders of motors, one line: `name=value` separated by commas or blanks, `stop` alone for zero everywhere; a checksum
 * as of NMEA (`*hh`) may follow. Values are SI: N, rad/s, rad, whatever the actuator of that name takes. */
#define BROKER_ORDERS 32
typedef struct broker_order {
    char name[32];
    double value;
} broker_order;
/* How many; −1: not understood, or a wrong checksum. `stop` alone is one order without a name. */
int broker_orders_read(const char *line, broker_order orders[BROKER_ORDERS]);

uint8_t broker_nmea_checksum(const char *sentence);  /* exclusive or of what stands between $ and *, or the end */
uint8_t broker_crc8(const char *text, size_t count); /* polynomial 07, from 0 */

#endif
