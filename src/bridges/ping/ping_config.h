/* <bridge kind="ping">. */
#ifndef FM_BRIDGES_PING_PING_CONFIG_H
#define FM_BRIDGES_PING_PING_CONFIG_H

#include <stdint.h>

enum { FM_PING_PORT_1D = 9090, FM_PING_PORT_360 = 9092 };

typedef struct fm_ping_config {
    const char *vehicle;    /* NULL: the first */
    const char *instrument; /* NULL: the first that fits */
    const char *address;
    int64_t port;      /* 0: that of the device */
    double beam_width; /* rad: cone of a Ping1D's profile */
    double patience;   /* s of the clock without a message after which a client gets no stream */

    /* derived by the check */
    const char *of, *part; /* names of the vehicle and its instrument */
    int scanning;          /* 1: a Ping360; 0: a Ping1D */
    double range;          /* m, the farthest that the instrument measures */
} fm_ping_config;

#endif
