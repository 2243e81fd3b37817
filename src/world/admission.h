/* Checks for vehicles that enter a world: the same for those of a scenario's file and for those added during a run,
 * from every source. */
#ifndef FM_WORLD_ADMISSION_H
#define FM_WORLD_ADMISSION_H

#include "world/world.h"

/* Limits of a vehicle's start in each direction. The table of <vehicle> uses the same. */
#define FM_ADMIT_POSITION 1e7   /* m */
#define FM_ADMIT_ATTITUDE 7.0   /* rad */
#define FM_ADMIT_VELOCITY 100.0 /* m/s, rad/s */

/* A vehicle that wants to enter. */
typedef struct fm_entrant {
    const char *name;
    int type;               /* in the model */
    const double *position; /* m, NED: 3 */
    const double *euler;    /* rad: roll, pitch, heading */
    const double *velocity; /* m/s, rad/s, body axes: 6; NULL: it is at rest */
} fm_entrant;

/* The requested state. `what` is the attribute that a refusal names: "name", "position", "attitude" … */
typedef struct fm_admission {
    const fm_model *model;
    const fm_environment *environment;
    double time;       /* s: of obstacles that move */
    const char **what; /* set on a refusal; may be NULL */
} fm_admission;

/* A name: its syntax, its length, and whether the scenario uses it for something else. */
fm_status fm_entrant_check_name(const fm_model *model, const char *name, fm_error *error);
/* All checks of a single vehicle: name, numbers, and a place that is free of bottom and obstacles. */
fm_status fm_entrant_check(const fm_admission *where, const fm_entrant *entrant, fm_error *error);
/* Two vehicles present at the same time: their hulls must not overlap. Hulls without contact forces may overlap. */
fm_status fm_entrants_check_apart(const fm_admission *where, const fm_entrant *entrant, const fm_entrant *other,
                                  fm_error *error);
/* A box that contains the hull of an entrant; false: it has no hull that others can touch. */
bool fm_entrant_box(const fm_admission *where, const fm_entrant *entrant, fm_aabb *box);

/* Whether a vehicle of this name is present, or will be after the waiting inputs. */
int fm_world_expects(const fm_world *world, const char *name);

#endif
