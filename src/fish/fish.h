/* What a robotic fish knows of itself: its config, and the words it keeps while it swims. Its kind
 * (kinds/fish.c) moves it, its brain (fish/brain.c) decides. Theory: docs/theory/fish.md. */
#ifndef FM_FISH_FISH_H
#define FM_FISH_FISH_H

#include "fish/body.h"
#include "fish/servo_table.h"
#include "physics/fish_elongated.h"
#include "physics/fish_fins.h"

/* Actuators that every fish has, in this order before those of the file. */
enum { FM_FISH_FREQUENCY, FM_FISH_DEFLECTION, FM_FISH_DEPTH, FM_FISH_ORDERS };

enum fm_fish_thrust_model { FM_FISH_PAPER, FM_FISH_ELONGATED };

/* kind_config of a fish (world/model.h). */
typedef struct fm_fish_config {
    fm_fish_params par;
    fm_servo_table table;
    int table_given; /* a file's angles or written swings hold; a live wave then changes speed only */
    enum fm_fish_thrust_model thrust;
    fm_fish_elongated_params theory; /* of FM_FISH_ELONGATED */
    int turns_by_tail;               /* yaw by the force of the deflected tail; else (H9) */
    int has_fins; /* pectoral fins hold depth and balance; else depth follows its order at depth_rate */
    fm_fish_fins_params fins;
    double depth_rate;              /* m/s */
    double start[FM_FISH_ORDERS];   /* Hz, rad, m: orders at birth */
    int depth_given;                /* else the fish keeps the depth it starts at */
    double head_box[3];             /* length, width, height, m */
    double tail_box[2];             /* width, height, m; its length follows the joints */
    fm_fish_shape shape;            /* traverse points and fins */
    fm_fish_mesh seen;              /* what cameras see, at rest; at most FM_SKIN_VERTICES */
    const double (*seen_colour)[3]; /* of its vertices, by the formula */
} fm_fish_config;

/* The kind's words in the vehicle's record. Position, attitude and velocity stand in fm_vehicle. */
typedef struct fm_fish_words {
    double c1, c2, k;       /* live: the wave in force (1, 1/m, rad/m) */
    double time;            /* s since the world's start */
    double speed;           /* through the water along the heading, m/s */
    double cycles;          /* phase of the beat, [0, 1) */
    double turn_rate;       /* rad/s of the last step */
    double noise[3];        /* displacement by water noise that is in the position, m, NED */
    double noise_before[3]; /* the same at the start of the step, for a restored pose */
    double angle[FM_FISH_JOINTS_MOST], rate[FM_FISH_JOINTS_MOST]; /* joints with deflection: rad, rad/s */
    double tip[2];                                                /* of the tail in body axes, m */
    double deflection;                                            /* of the last step, rad */
    double heave, pitch, pitch_rate, roll, roll_rate;             /* with pectoral fins: m/s, rad, rad/s */
    double fin_starboard, fin_port;                               /* fin angles, rad */
    double momentum[2], spin;    /* elongated body: kg m/s in world axes, kg m²/s about joint 1 */
    double tail_force;           /* N forward: of the trailing edge, or thrust (H7) along the heading */
    double drag;                 /* N */
    fm_fish_beat beat;           /* elongated body: means over the last full beat */
    double efficiency, strouhal; /* of the last full beat, 1; strouhal fA/U in both models */
} fm_fish_words;

/* The parameters in force: those of the type with the live wave. */
static inline fm_fish_params fm_fish_par_now(const fm_fish_config *config, const fm_fish_words *words)
{
    fm_fish_params par = config->par;
    par.c1 = words->c1;
    par.c2 = words->c2;
    par.k = words->k;
    return par;
}

/* Heading of an attitude (quaternion, body → world), rad in (-π, π]. */
static inline double fm_fish_heading(const double q[4])
{
    return fm_atan2(2 * (q[0] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] * q[2] + q[3] * q[3]));
}

#endif
