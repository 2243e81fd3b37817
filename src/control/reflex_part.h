/* The wall-avoiding reflex and related parts: <reflex>, <hover-pd>, <avoidance-record>, <obstacle-map>. */
#ifndef FM_CONTROL_REFLEX_PART_H
#define FM_CONTROL_REFLEX_PART_H

#include <fathom/part.h>

#include "control/feeler.h"

/* Outputs of <reflex>. */
typedef struct fm_reflex_record {
    double state;                /* fm_reflex_mode */
    double distance_estimate[3]; /* V·m, D_est now, body axes */
    double threat;               /* the smaller of spread and norm, divided by its threshold: above 1 is a wall */
    double speed, yaw, reverse;  /* orders: m/s, rad, 1: all forward motors full reverse */
    double detected;             /* 1 in the step of a detection */
    double detections, rejected;
    double found[3];                              /* V·m, D_est of the last detection, body axes at that time */
    double filtered_voltages[FM_LATERAL_SENSORS]; /* V, after the high-pass */
} fm_reflex_record;

/* Outputs of <hover-pd>: the set points followed, and the orders. */
typedef struct fm_hover_record {
    double depth, bearing, pitch, roll;    /* m, rad: followed */
    double speed;                          /* m/s: followed */
    double ordered_speed, ordered_bearing; /* m/s, rad: as set; NaN: not set */
} fm_hover_record;

/* Outputs of <wake-finder>; bearing and speed are orders while its state is not LISTEN. */
enum { FM_WAKE_LISTEN, FM_WAKE_SEARCH, FM_WAKE_FOLLOW, FM_WAKE_SOURCE };
typedef struct fm_wake_record {
    double found;     /* 1: in a wake */
    double frequency; /* Hz, 0 before */
    double signal;    /* V, starboard minus port, after the high-pass */
    double amplitude; /* m/s, of the water's oscillation across the hull */
    double side;      /* −1 … 1: positive if the wake is to starboard */
    double state;     /* FM_WAKE_… */
    double bearing;   /* rad */
    double speed;     /* m/s */
} fm_wake_record;

extern const fm_part_class fm_reflex_class;           /* reflex_part.c */
extern const fm_part_class fm_hover_pd_class;         /* hover_pd.c */
extern const fm_part_class fm_avoidance_record_class; /* avoidance_record.c */
extern const fm_part_class fm_obstacle_map_class;     /* obstacle_map.c */
extern const fm_part_class fm_wake_finder_class;      /* wake_finder.c */

/* --- for a kernel that runs the whole chain (control/feeler.h) --- */

extern const struct fm_lane_part fm_reflex_lanes, fm_hover_pd_lanes, fm_avoidance_record_lanes; /* reflex_lanes.c */

/* The parts that a <reflex> reads; motion −1: several, hover −1: none. */
typedef struct fm_reflex_links {
    int line, motion, hover;
} fm_reflex_links;
fm_reflex_links fm_reflex_linked(const void *config);
void fm_reflex_describe(const void *config, fm_feeler *p, fm_feeler_sensor *sensors);
/* Whether a <hover-pd> follows only this part's motion record and this reflex. */
int fm_hover_pd_follows(const void *config, int motion, int reflex);
size_t fm_hover_pd_motors(const void *config);
void fm_hover_pd_describe(const void *config, fm_feeler *p, fm_hover_motor *motors);

/* Index of the first part of a class, among those before this one; -1 and an error if there is none. */
int fm_load_find_part(fm_part_load *load, const char *class_name, fm_error *error);

#endif
