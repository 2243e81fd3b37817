/* A real vehicle's telemetry, archived or live, overlaid on a vehicle of the model. It is published with the run and
 * changes nothing in the world:
 *
 *     /overlay/NAME/measured    what the telemetry has, fathom_msgs/Values
 *     /overlay/NAME/model       the same quantities of the model
 *     /overlay/NAME/difference  model less measured, and the distance of the two places */
#ifndef FM_TELEMETRY_OVERLAY_H
#define FM_TELEMETRY_OVERLAY_H

#include "telemetry/channel.h"
#include "telemetry/kinematics.h"

#define FM_OVERLAY_PREFIX "/overlay/" /* of the topics */

/* What was measured at a moment. */
typedef struct fm_overlay_reading {
    fm_kinematics motion;
    double time;     /* s, of the vehicle's own clock; NaN: not reported */
    uint64_t number; /* different for each reading, from 1 */
} fm_overlay_reading;

/* Where readings come from. */
typedef struct fm_overlay_source {
    /* The measurement at `time` (s since the start of the world or its last reset), at step `step`. 0: none. Stepping
     * thread: it never waits. */
    int (*read)(void *user, double time, uint64_t step, fm_overlay_reading *reading);
    void (*free)(void *user); /* may be NULL */
    void *user;
} fm_overlay_source;

typedef enum fm_overlay_topic {
    FM_OVERLAY_MEASURED,
    FM_OVERLAY_MODEL,
    FM_OVERLAY_DIFFERENCE,
    FM_OVERLAY_TOPICS
} fm_overlay_topic;
enum { FM_OVERLAY_VALUES = FM_KINEMATICS_COUNT + 1, FM_OVERLAY_NAME = 32 }; /* values of a message at most; bytes */

/* Names of the values of a topic. */
typedef struct fm_overlay_names {
    const char *names[FM_OVERLAY_VALUES], *units[FM_OVERLAY_VALUES];
    size_t count;
} fm_overlay_names;

typedef struct fm_overlay {
    char vehicle[FM_OVERLAY_NAME];
    fm_overlay_source source;
    fm_overlay_names topics[FM_OVERLAY_TOPICS];
    /* as of the last step */
    int present; /* the model's vehicle is in the water, and `model` is its motion */
    fm_kinematics model;
    fm_overlay_reading reading; /* number 0: none yet */
    fm_kinematics difference;   /* at the moment of the reading */
    struct fm_overlay *next;
} fm_overlay;

/* Overlays the vehicle of this name; takes ownership of the source, also on failure. NULL: no memory, or the name is
 * too long. */
fm_overlay *fm_overlay_create(const char *vehicle, const fm_overlay_source *source, fm_error *error);
void fm_overlay_free(fm_overlay *overlay);     /* not those that follow it */
void fm_overlay_free_all(fm_overlay *overlay); /* those too */
/* After a step, or with the motion of the model at a given time. */
void fm_overlay_follow(fm_overlay *overlay, const fm_world *world);
void fm_overlay_take(fm_overlay *overlay, const fm_kinematics *model, double time, uint64_t step);

/* --- messages --- */

/* "/overlay/NAME/measured" and its description. */
void fm_overlay_name(const fm_overlay *overlay, fm_overlay_topic topic, char *text, size_t size);
/* The message of a topic; `values` has room for FM_OVERLAY_VALUES. */
fm_msg_values fm_overlay_message(const fm_overlay *overlay, fm_overlay_topic topic, uint64_t now, double *values);

/* The channels of one overlay in a set of channels. */
typedef struct fm_overlay_channels {
    const fm_overlay *overlay;
    uint32_t numbers[FM_OVERLAY_TOPICS];
    uint64_t sent; /* number of the last reading published */
    uint64_t next; /* first step at which the next reading may be published */
} fm_overlay_channels;

/* Before the seal. `rate`: of steps, Hz. */
fm_status fm_overlay_channels_add(fm_channels *channels, const fm_overlay *overlay, double rate,
                                  fm_overlay_channels *added, fm_error *error);
/* Publishes new values. `due`: the model's samples are due; `stride`: minimum number of steps between two readings. */
void fm_overlay_channels_publish(fm_channels *channels, fm_overlay_channels *own, uint64_t now, uint64_t step,
                                 uint64_t stride, int due);

#endif
