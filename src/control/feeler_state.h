/* Parameters and state of a vehicle that detects walls (control/feeler.h). */
#ifndef FM_CONTROL_FEELER_STATE_H
#define FM_CONTROL_FEELER_STATE_H

#include "control/hover_pd.h"
#include "control/reflex_orders.h"
#include "flow/flow_nose.h"
#include "physics/touch.h"

enum { FM_FEELER_SENSORS = 16 }; /* of one vehicle at most, here */

/* The parameters, a record of physics/flat.h: integers, then numbers. */
typedef struct fm_feeler {
    int32_t sensors, motors;                            /* how many */
    int32_t model;                                      /* fm_flow_model */
    int32_t printed;                                    /* the reflex by the paper's rule */
    int32_t reflex_period, hover_period, record_period; /* steps */
    int32_t channel;                                    /* of the lateral line's noise */
    int32_t noisy;                                      /* it has any */
    int32_t follows;                                    /* a reflex that receives the orders of <hover-pd> */
    int32_t stirs;                                      /* objects may move through the water near it, or vortices */
    fm_var radius, centre[3];                           /* m, of the nose, body axes */
    fm_thermistor bead;
    fm_var noise, bias, scale;       /* V, V, of the voltages */
    fm_var mount[3], turned[9];      /* of the IMU record: m, and its rotation into body axes */
    fm_var forward_scale, yaw_drift; /* , rad/s */
    fm_var spread, norm;             /* V */
    fm_var high_pass, fast;          /* s */
    fm_var cruise;                   /* m/s; 0: the speed at the start */
    fm_var back_speed, brake_speed, turn_error, turn_rate, calm, calm_time, resume_timeout, reverse_timeout,
        brake_timeout, turn_timeout;           /* of fm_reflex_params */
    fm_var speed, depth, bearing, pitch, roll; /* ordered; NaN: the first three are not */
    fm_hover_gains gains;
} fm_feeler;
enum { FM_FEELER_INTEGERS = 11, FM_FEELER_NUMBERS = 4 + 9 + 3 + 12 + 2 + 2 + 2 + 1 + 10 + 5 + 11 };

typedef struct fm_feeler_sensor {
    fm_var from[3], unit[3]; /* m from the centre of the nose, and of length 1: body axes */
    fm_var offset[3];        /* m, the same as known to the reflex */
    fm_var direction[3];     /* unit, along the surface */
    fm_var surge, yaw;       /* of fm_lateral_own_params */
} fm_feeler_sensor;

/* All of it as a step reads it. */
typedef struct fm_feeler_craft {
    const fm_feeler *p;
    const fm_feeler_sensor *sensors;
    const fm_hover_motor *motors;
    fm_ground_craft ground;     /* p NULL: nothing */
    int32_t walls;              /* how many things are in the water */
    const fm_wall_table *table; /* of FM_FLOW_WALL */
    fm_lateral_params lateral;
    fm_lateral_own_params own;
    fm_par dt; /* s of a step */
} fm_feeler_craft;

/* What is kept from step to step. */
typedef struct fm_feeler_state {
    fm_real temperature[FM_LATERAL_SENSORS], velocity[FM_LATERAL_SENSORS]; /* K, m/s: of the beads */
    fm_lateral_state line;
    fm_lateral_own own;
    fm_reflex_calm calm;
    fm_reflex_state mind;
    fm_reflex_known known;
    fm_reflex_output order;                                       /* the last */
    fm_real ordered_speed;                                        /* m/s; NaN: none. As ordered by the hover
                                                                   * controller */
    fm_reflex_wish wish;                                          /* rad; NaN: none. As ordered by the hover
                                                                   * controller */
    fm_real start_speed;                                          /* m/s */
    fm_real drift;                                                /* rad, of the output yaw */
    fm_real hold_depth, hold_yaw, last_depth, last_speed;         /* of the hover controller */
    fm_real path, alarm, stopped, closest;                        /* m: of the avoidance record */
    fm_real detections[2], gap[2], angle[2], stop[2], braking[2]; /* metrics: value and how often */
} fm_feeler_state;

/* Applies MOVE to every number that is kept, in one order. */
#define FM_FEELER_EACH(s, n, MOVE)                                                                                     \
    do {                                                                                                               \
        for (int each = 0; each < (n); each++) {                                                                       \
            MOVE((s)->temperature[each]);                                                                              \
            MOVE((s)->velocity[each]);                                                                                 \
            MOVE((s)->line.low[each]);                                                                                 \
            MOVE((s)->line.fast[each]);                                                                                \
            MOVE((s)->own.temperature[each]);                                                                          \
            MOVE((s)->own.speed[each]);                                                                                \
            MOVE((s)->own.felt[each]);                                                                                 \
        }                                                                                                              \
        MOVE((s)->own.forward);                                                                                        \
        MOVE((s)->own.yaw_rate);                                                                                       \
        MOVE((s)->calm.changing);                                                                                      \
        MOVE((s)->calm.calm_for);                                                                                      \
        MOVE((s)->mind.mode);                                                                                          \
        MOVE((s)->mind.since);                                                                                         \
        MOVE((s)->mind.calm_for);                                                                                      \
        MOVE((s)->mind.course);                                                                                        \
        MOVE((s)->mind.new_course);                                                                                    \
        MOVE((s)->mind.detections);                                                                                    \
        MOVE((s)->mind.rejected);                                                                                      \
        MOVE((s)->known.speed);                                                                                        \
        MOVE((s)->known.bearing);                                                                                      \
        MOVE((s)->known.depth);                                                                                        \
        MOVE((s)->known.pitch);                                                                                        \
        MOVE((s)->known.roll);                                                                                         \
        MOVE((s)->known.seen);                                                                                         \
        MOVE((s)->order.speed);                                                                                        \
        MOVE((s)->order.yaw);                                                                                          \
        MOVE((s)->order.reverse);                                                                                      \
        MOVE((s)->order.detected);                                                                                     \
        MOVE((s)->ordered_speed);                                                                                      \
        MOVE((s)->wish.bearing);                                                                                       \
        MOVE((s)->wish.depth);                                                                                         \
        MOVE((s)->wish.pitch);                                                                                         \
        MOVE((s)->wish.roll);                                                                                          \
        MOVE((s)->start_speed);                                                                                        \
        MOVE((s)->drift);                                                                                              \
        MOVE((s)->hold_depth);                                                                                         \
        MOVE((s)->hold_yaw);                                                                                           \
        MOVE((s)->last_depth);                                                                                         \
        MOVE((s)->last_speed);                                                                                         \
        MOVE((s)->path);                                                                                               \
        MOVE((s)->alarm);                                                                                              \
        MOVE((s)->stopped);                                                                                            \
        MOVE((s)->closest);                                                                                            \
        for (int each = 0; each < 3; each++)                                                                           \
            MOVE((s)->mind.direction[each]);                                                                           \
        for (int each = 0; each < 2; each++) {                                                                         \
            MOVE((s)->detections[each]);                                                                               \
            MOVE((s)->gap[each]);                                                                                      \
            MOVE((s)->angle[each]);                                                                                    \
            MOVE((s)->stop[each]);                                                                                     \
            MOVE((s)->braking[each]);                                                                                  \
        }                                                                                                              \
    } while (0)

enum { FM_FEELER_NUMBERS_MOST = 7 * FM_FEELER_SENSORS + 42 + 3 + 10 };

FM_FN int fm_feeler_rows(int sensors)
{
    return 7 * sensors + 42 + 3 + 10;
}

#endif
