/* What <bridge> says: how a run speaks with software that others have. Nothing of it acts in the world;
 * bridges/bridges.h works by it. */
#ifndef FM_WORLD_BRIDGE_SETTINGS_H
#define FM_WORLD_BRIDGE_SETTINGS_H

#include <stdint.h>

typedef enum fm_bridge_kind {
    FM_BRIDGE_DIS,
    FM_BRIDGE_ROS2,
    FM_BRIDGE_ARDUPILOT,
    FM_BRIDGE_MAVLINK,
    FM_BRIDGE_NMEA,
    FM_BRIDGE_KINDS
} fm_bridge_kind;

/* What a run does when an autopilot outside begins anew. */
enum { FM_BRIDGE_RESET, FM_BRIDGE_CONTINUE };

typedef struct fm_bridge_settings {
    int kind;            /* fm_bridge_kind */
    const char *vehicle; /* NULL: all of them, or the first, as the kind has it */
    const char *address; /* in numbers; NULL: that of the kind */
    int64_t port;        /* 0: that of the kind */
    double rate;         /* Hz of simulated time; 0: that of the kind */
    /* --- autopilots --- */
    const char *outputs; /* frame, or "1:actuator 2:-actuator"; NULL: a frame that fits */
    double pulses[3];    /* s: least, neutral, greatest */
    double patience;     /* s of the clock without news after which the run goes on alone */
    int64_t restart;     /* FM_BRIDGE_RESET, FM_BRIDGE_CONTINUE */
    int64_t simulator;   /* TCP port for PX4; 0: none */
    int64_t system;      /* MAVLink's number of the first vehicle */
    /* --- ROS 2 --- */
    int64_t domain;           /* -1: that of ROS_DOMAIN_ID, or 0 */
    const char *node;         /* NULL: "fathom" */
    const char *distribution; /* of ROS 2; NULL: that of ROS_DISTRO, or a recent one */
    int64_t listen_port;      /* 0: as `port` */

    /* --- dis --- */
    int64_t version;                     /* 6 or 7 */
    int64_t exercise, site, application; /* who it is */
    int64_t pace;                        /* enum fm_dis_pace (bridges/dis/dis_sender.h) */
    int64_t reckoning;                   /* algorithm, less 1 */
    double position_threshold;           /* m */
    double angle_threshold;              /* rad */
    double heartbeat, timeout;           /* s of simulated time */
    int64_t ttl;                         /* of multicast */
    const char *interface;               /* its address; NULL: the system's choice */
    const char *entity_type;             /* "1.4.225.8"; NULL: by the vehicle */
    uint16_t entity[7];                  /* its numbers, those that are left out 0 */
    const char *foreign;                 /* type of what others move; NULL: the scenario has none */
    int64_t manage;                      /* starts and stops others */
    const char *allow;                   /* addresses that may start and stop; NULL: this computer's */

    /* --- nmea --- */
    int64_t transport;  /* enum fm_nmea_transport (bridges/nmea/nmea_door.h) */
    const char *talker; /* two letters; NULL: II */
    const char *device; /* link to the pseudo-terminal */
    double epoch;       /* s since 1970: when the simulation begins */
} fm_bridge_settings;

#endif
