/* <bridge kind="dis">. */
#ifndef FM_BRIDGES_DIS_DIS_CONFIG_H
#define FM_BRIDGES_DIS_DIS_CONFIG_H

#include <stdbool.h>
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
    const char *entity_types;            /* "NAME=1.3.225 …" of single vehicles; NULL: none */
    int64_t force;                       /* of vehicles: force id */
    const char *forces;                  /* "NAME=opposing …" of single vehicles; NULL: none */
    const char *foreign;                 /* type of the other simulations' entities; NULL: the scenario has none */
    int64_t manage;                      /* starts and stops others */
    const char *allow;                   /* addresses that may start and stop this simulation */
} fm_dis_config;

/* "1.4.225.8": up to seven numbers separated by dots; missing ones are 0. False: it is not an entity type. */
bool fm_dis_entity_type_read(const char *text, uint16_t numbers[7]);
/* "other", "friendly", "opposing", "neutral" → 0 to 3; -1: none of them. */
int fm_dis_force_find(const char *name);

#endif
