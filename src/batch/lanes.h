/* Vehicles in lanes: the vehicle kernel built for each instruction set, in double and in float.
 *
 * All numbers of a batch are in one array, with one row per quantity and one column per vehicle; a group of adjacent
 * vehicles fills a register. A GPU uses the same layout, with one thread per column. */
#ifndef FM_BATCH_LANES_H
#define FM_BATCH_LANES_H

#include <stddef.h>
#include <stdint.h>

struct fm_flat;
struct fm_wall_table;

/* First row of each quantity. */
typedef struct fm_batch_rows {
    uint32_t state;   /* 13: position (m, NED), attitude, velocity over ground (body: m/s, rad/s) */
    uint32_t current; /* 3: of the water, m/s, NED */
    uint32_t tally;   /* 4: fm_tally */
    uint32_t bad;     /* 1: nonzero once the state was not finite or out of range */
    uint32_t charge;  /* 1: J */
    uint32_t power;   /* 1: W */
    uint32_t orders;  /* one per actuator, like the next three */
    uint32_t values, rates, forces;
    uint32_t faults;      /* 3 per actuator: efficiency, stuck, reversed */
    uint32_t observation; /* 12: position, Euler angles, velocity; then the values of the actuators */
    uint32_t waves;       /* FM_WAVE_NUMBERS a component */
    uint32_t mass;        /* where masses move: fm_mass */
    uint32_t own;         /* of a body of its kind's own (physics/own_body.h): its words */
    uint32_t feeler;      /* of a chain that feels walls: FM_FEELER_EACH */
    uint32_t chain;       /* of what else a vehicle has (control/chain.h): fm_chain_kept */
    uint32_t suite;       /* of a navigation (control/sensor_suite.h): fm_suite_kept */
    uint32_t laws;        /* of controllers with a kernel of their own (control/law_link.h) */
    uint32_t touch;       /* of what may be touched (physics/touch.h): fm_touch_kept */
    uint32_t drift;       /* of random currents, and of a nose near walls (forces/surroundings.h) */
    uint32_t count;
    uint32_t actuators;
} fm_batch_rows;

enum { FM_BATCH_POSE = 12, FM_MASS_NUMBERS = 119 };

/* Which kernel moves vehicles. */
enum fm_lanes_kernel {
    FM_LANES_BODY,  /* bodies alone, and those that feel walls in still water (control/feeler.h) */
    FM_LANES_CHAIN, /* with a chain (control/chain.h), in water that differs from place to place, or that feel more than
                       walls (control/feeler_flow.h) */
    FM_LANES_OWN    /* whose kind has a body of its own (physics/own_body.h); chains and water as the one before */
};

/* What a kernel does. */
typedef struct fm_lanes_job {
    const void *types; /* blocks of this build (physics/flat.h) */
    size_t type_bytes; /* from the block of one group to that of the next; 0: all vehicles have the same type */
    void *numbers;     /* [row][stride] of double or float */
    size_t stride;     /* numbers in a row, a whole number of groups */
    fm_batch_rows rows;
    uint64_t steps;
    const uint64_t *seeds;             /* a vehicle each */
    uint64_t *ages;                    /* steps since it began, one per vehicle */
    const double *noise;               /* standard deviation of each row of the observation; NULL: none */
    const struct fm_wall_table *walls; /* that a chain reads; NULL: none */
    enum fm_lanes_kernel kernel;
} fm_lanes_job;

typedef struct fm_lanes_build {
    const char *set; /* "avx2" */
    uint32_t lanes;
    int single;   /* float */
    int one_type; /* parameters are shared by all vehicles */
    enum fm_lanes_kernel kernel;
    /* Head of a block for vehicles like these. */
    void (*head)(const struct fm_flat *doubles, struct fm_flat *head);
    void (*fill)(struct fm_flat *block, int lane, const struct fm_flat *doubles);
    void (*begin)(const fm_lanes_job *job, size_t group); /* actuators, faults, battery, metrics of the present state */
    void (*step)(const fm_lanes_job *job, size_t group);
} fm_lanes_build;

/* The widest build that this processor can run; `set` NULL: any, otherwise the requested one. NULL: none. */
const fm_lanes_build *fm_lanes_find(const char *set, int single, int one_type, enum fm_lanes_kernel kernel);
const char *fm_lanes_sets(void); /* those that this processor can run: "avx2 sse2" */

#endif
