/* A vehicle of the world as a DIS entity: the contents of its PDUs, and when one is due. This is the dissertation's
 * networked body: it reads the vehicle, and the vehicle does not depend on it. No input or output. */
#ifndef FM_BRIDGES_DIS_DIS_SENDER_H
#define FM_BRIDGES_DIS_DIS_SENDER_H

#include <fathom/run.h>

#include "bridges/dis/dis_frame.h"

enum fm_dis_pace {
    FM_DIS_ADAPTIVE, /* when a receiver's error exceeds the threshold, and at the heartbeat */
    FM_DIS_FINE,     /* at a fixed rate */
    FM_DIS_STEP      /* after every step of the vehicle */
};
#define FM_DIS_FINE_PERIOD 0.1 /* s: the rate at which the dissertation's vehicle world answers */
#define FM_DIS_HEARTBEAT_MOST 5.0

typedef struct fm_dis_rule {
    int pace;
    int algorithm;    /* dead reckoning, 1 … 9 */
    double position;  /* m, allowed position error of a receiver */
    double angle;     /* rad, allowed error of the attitude and of articulated parts */
    double heartbeat; /* s: maximum interval between updates, at most FM_DIS_HEARTBEAT_MOST */
    double period;    /* s between two updates of FM_DIS_FINE */
} fm_dis_rule;

/* Source of the value of an articulated part. */
typedef struct fm_dis_part_source {
    uint32_t type;     /* class + metric */
    int actuator;      /* number; -1: an instrument */
    int instrument;    /* number */
    int angle;         /* of an instrument: the bearing of its nearest echo; 0: its range */
    double tolerance;  /* change that requires an update; rad, m … */
    double proportion; /* or this fraction of its value, if that is larger */
} fm_dis_part_source;

enum { FM_DIS_SOURCES_MOST = 40 }; /* so that an Entity State stays below 800 bytes */

/* Why an update is due; FM_DIS_QUIET: it is not. */
typedef enum fm_dis_reason {
    FM_DIS_QUIET,
    FM_DIS_FIRST,
    FM_DIS_EACH, /* by the pace */
    FM_DIS_BEAT, /* heartbeat */
    FM_DIS_MOVED,
    FM_DIS_TURNED,
    FM_DIS_PARTS
} fm_dis_reason;

/* One vehicle; zero-initialise, then fm_dis_sender_begin. */
typedef struct fm_dis_sender {
    int said; /* something was */
    double time;
    int algorithm;
    fm_reckon_track track; /* as it was last said */
    fm_dis_part_source sources[FM_DIS_SOURCES_MOST];
    size_t source_count;
    double values[FM_DIS_SOURCES_MOST]; /* as last said */
    uint8_t changes[FM_DIS_SOURCES_MOST];
} fm_dis_sender;

/* The vehicle in a slot: its parts. */
void fm_dis_sender_begin(fm_dis_sender *sender, const fm_world *world, int slot);
/* The vehicle as it is now, for an algorithm: NED; velocity and acceleration in the axes of the algorithm. */
void fm_dis_track_of(const fm_world *world, int slot, int algorithm, fm_reckon_track *track);
/* Whether an update is due at `time` (s), and why. */
fm_dis_reason fm_dis_sender_due(const fm_dis_sender *sender, const fm_dis_rule *rule, const fm_world *world, int slot,
                                double time);
/* Fills location, motion and parts of an Entity State, and stores them as sent. The caller fills id, type and
 * marking. */
void fm_dis_sender_say(fm_dis_sender *sender, const fm_dis_rule *rule, const fm_world *world, int slot, double time,
                       const fm_geodetic *origin, fm_dis_entity *entity);
/* Angle between two attitudes, rad. */
double fm_dis_angle_between(const double a[4], const double b[4]);

#endif
