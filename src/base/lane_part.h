/* How a part runs in lanes and on a GPU: fm_part_class.lanes. A part describes itself here, in its own folder; the
 * batch (batch/) iterates over the parts of a type and knows none of them. A controller or force term without this
 * description is run only by worlds, and the batch reports it. */
#ifndef FM_BASE_LANE_PART_H
#define FM_BASE_LANE_PART_H

#include <string.h>

#include "base/part.h"
#include "physics/flat.h"

struct fm_suite_instrument; /* control/sensor_suite.h */
struct fm_flaw_params;      /* sensors/flaws.h */
struct fm_force_term;       /* forces/force_terms.h */
struct fm_wall_table;       /* flow/flow_wall.h */

/* The vehicle of a part, as a batch presents it. */
typedef struct fm_lane_vehicle {
    const fm_part *parts; /* sensors, then controllers, then force terms, each in file order */
    size_t part_count;
    const fm_environment *sea;
    const fm_actuator_fault *faults; /* of the actuators, at this moment of the run */
    int whole;                       /* a run of the scenario; 0: the body alone, under orders */
    int rigid;                       /* its kind is a rigid body */
    int flows;                       /* the water moves, or may be set in motion by a change of the scenario */
} fm_lane_vehicle;

/* What a part does for the vehicle. */
enum fm_lane_role {
    FM_LANE_INSTRUMENT, /* measures for other parts */
    FM_LANE_RECORD,     /* measures for people */
    FM_LANE_GUIDE,      /* says what those after it hold */
    FM_LANE_PILOT,      /* orders actuators, by what guides say (control/helm.h) */
    FM_LANE_ESTIMATE,   /* says where the vehicle is (control/sensor_suite.h) */
    FM_LANE_FOLLOWER,   /* keeps a height above the bottom (control/follower.h) */
    FM_LANE_FEELER,     /* feels walls (control/feeler.h) */
    FM_LANE_FORCE,      /* pushes the body (forces/force_terms.h) */
    FM_LANE_LAW         /* has a kernel of its own (control/law.h) */
};

/* Which numbers of a batch a metric is kept in. */
enum fm_lane_block {
    FM_LANE_CHAIN, /* fm_chain_kept (control/chain.h) */
    FM_LANE_SUITE, /* fm_suite_kept */
    FM_LANE_FELT,  /* fm_feeler_state */
    FM_LANE_BLOCKS
};

/* A metric: value and count next to each other, `at` numbers from the start of its block. */
typedef struct fm_lane_metric {
    const char *name;
    enum fm_lane_block block;
    size_t at;
} fm_lane_metric;
#define FM_LANE_KEEPS(name, block, type, member)                                                                       \
    {                                                                                                                  \
        name, block, offsetof(type, member) / sizeof(double)                                                           \
    }

typedef struct fm_lane_part {
    enum fm_lane_role role;
    int link;  /* what it runs as in the chain: FM_LINK_… (control/link.h); FM_LINK_NONE: it does not run there */
    int feels; /* it has to know the solids around */
    /* Why lanes cannot run this part of this vehicle; NULL: they can. No function: they always can. */
    const char *(*verdict)(const fm_lane_vehicle *vehicle, const fm_part *part);
    /* How many records its sections have, and what is in them, in double. */
    void (*count)(const fm_lane_vehicle *vehicle, const fm_part *part, fm_flat *head);
    void (*describe)(const fm_lane_vehicle *vehicle, const fm_part *part, fm_flat *flat);
    const fm_lane_metric *metrics; /* that lanes keep */
    size_t metric_count;
    const struct fm_law
        *law; /* for a part with a law of its own: its description for the engines (control/law_part.h) */
    /* The table of the flow at walls that it reads. */
    const struct fm_wall_table *(*walls)(const fm_lane_vehicle *vehicle, const fm_part *part);
    /* Of an instrument that a navigation reads: all but channel, period and what is around, with up to two records of
     * errors. Why lanes cannot take it, NULL: they can. */
    const char *(*instrument)(const void *config, struct fm_suite_instrument *p, struct fm_flaw_params *flaws);
    /* Of a force term: the term as the kernel takes it, but for the numbers of hull and propeller. Rows of a table go
     * to `levels`, from `first` on; NULL: they are only counted. */
    void (*term)(const void *config, const double wind[2], struct fm_force_term *term, double *levels, int32_t first);
} fm_lane_part;

/* The last part of this role, or of this element; NULL: none. */
static inline const fm_part *fm_lane_find(const fm_lane_vehicle *v, enum fm_lane_role role)
{
    const fm_part *found = NULL;
    for (size_t i = 0; i < v->part_count; i++)
        if (v->parts[i].part_class->lanes && v->parts[i].part_class->lanes->role == role)
            found = &v->parts[i];
    return found;
}

static inline const fm_part *fm_lane_find_element(const fm_lane_vehicle *v, const char *element)
{
    const fm_part *found = NULL;
    for (size_t i = 0; i < v->part_count; i++)
        if (!strcmp(v->parts[i].part_class->element->name, element))
            found = &v->parts[i];
    return found;
}

/* Parts with this role. */
static inline size_t fm_lane_count(const fm_lane_vehicle *v, enum fm_lane_role role)
{
    size_t count = 0;
    for (size_t i = 0; i < v->part_count; i++)
        count += v->parts[i].part_class->lanes && v->parts[i].part_class->lanes->role == role;
    return count;
}

#endif
