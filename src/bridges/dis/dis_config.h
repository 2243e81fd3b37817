/* <bridge kind="dis">. */
#ifndef FM_BRIDGES_DIS_DIS_CONFIG_H
#define FM_BRIDGES_DIS_DIS_CONFIG_H

#include <stdint.h>

typedef struct fm_dis_config {
    const char *vehicle; /* NULL: all */
    const char *address;
    int64_t port, listen_port;           /* listen_port 0: as `port` */
    double rate;                         /* Hz of simulated time, of FM_DIS_FINE */
    int64_t version;                     /* 6 or 7 */
    int64_t exercise, site, application; /* identify this simulation */
    int64_t pace;                        /* enum fm_dis_pace (dis_sender.h) */
    int64_t reckoning;                   /* algorithm, less 1 */
    double position_threshold;           /* m */
    double angle_threshold;              /* rad */
    double heartbeat, timeout;           /* s of simulated time */
    int64_t ttl;                         /* of multicast */
    const char *interface;               /* its address; NULL: the system's choice */
    const char *entity_type;             /* "1.4.225.8"; NULL: by the vehicle */
    const char *foreign;                 /* type of the other simulations' entities; NULL: the scenario has none */
    int64_t manage;                      /* starts and stops others */
    const char *allow;                   /* addresses that may start and stop this simulation */
    /* Derived at load. */
    uint16_t entity[7]; /* numbers of entity_type; missing ones are 0 */
} fm_dis_config;

#endif
