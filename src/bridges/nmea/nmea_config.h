/* <bridge kind="nmea">. */
#ifndef FM_BRIDGES_NMEA_NMEA_CONFIG_H
#define FM_BRIDGES_NMEA_NMEA_CONFIG_H

#include <stdint.h>

enum { FM_NMEA_DEVICE = 256 }; /* bytes of a path, NUL included */
enum fm_nmea_transport { FM_NMEA_UDP, FM_NMEA_TCP, FM_NMEA_PTY };

typedef struct fm_nmea_config {
    const char *vehicle; /* NULL: the first */
    int64_t transport;   /* enum fm_nmea_transport */
    const char *address;
    int64_t port, listen_port; /* listen_port 0: it does not listen */
    double rate;               /* Hz of simulated time */
    const char *talker;        /* two letters */
    const char *device;        /* link to the pseudo-terminal */
    const char *mmsis;         /* "NAME=211000001 …" */
    const char *call_signs;    /* "NAME=DABC …" */
    const char *ship_types;    /* "NAME=70 …" */
} fm_nmea_config;

#endif
