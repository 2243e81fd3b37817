/* A DVL's readings as messages of MAVLink. No input or output. */
#ifndef FM_BRIDGES_ODOMETRY_ODOMETRY_SAY_H
#define FM_BRIDGES_ODOMETRY_ODOMETRY_SAY_H

#include <fathom/run.h>

#include "bridges/mavlink/mavlink_fill.h"
#include "bridges/odometry/odometry_config.h"

#define FM_ODOMETRY_GAP 1.0 /* s between two readings after which the motion between them is not known */

/* The reading that was sent last; zero-initialise. */
typedef struct fm_odometry_past {
    int64_t count;      /* of samples that the instrument has given */
    int known;          /* there is an earlier reading */
    double time;        /* s, of that one */
    double rotation[9]; /* body → world then */
} fm_odometry_past;

typedef enum fm_odometry_news {
    FM_ODOMETRY_NONE,    /* no new sample */
    FM_ODOMETRY_SAID,    /* messages were added */
    FM_ODOMETRY_FIRST,   /* a reading without one before it: nothing to add the motion to */
    FM_ODOMETRY_UNLOCKED /* a sample without the bottom */
} fm_odometry_news;

/* After a step: adds the messages of a new sample. */
fm_odometry_news fm_odometry_say(const fm_world *world, const fm_odometry_config *config, fm_odometry_past *past,
                                 fm_mav_sender *from, fm_mav_mail *mail);

/* The rotation vector from one attitude to another, rad, in the axes of both; matrices body → world. */
void fm_odometry_turn(const double before[9], const double now[9], double turn[3]);

#endif
