/* What may enter a world: the one check for vehicles of a scenario's file and for those that come in a run, whoever
 * brings them. */
#ifndef FM_WORLD_ADMISSION_H
#define FM_WORLD_ADMISSION_H

#include "world/world.h"

/* Limits of a vehicle's start, either way. The table of <vehicle> has the same. */
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

/* Where it wants to be. `what` is the attribute that a refusal is about: "name", "position", "attitude" … */
typedef struct fm_admission {
    const fm_model *model;
    const fm_environment *environment;
    double time;       /* s: of obstacles that move */
    const char **what; /* written where it is refused; may be NULL */
} fm_admission;

/* A name: as it is written, how long it is, and whether the scenario has it for something else. */
fm_status fm_entrant_check_name(const fm_model *model, const char *name, fm_error *error);
/* All that one vehicle needs by itself: name, numbers, and a place that is free of bottom and obstacles. */
fm_status fm_entrant_check(const fm_admission *where, const fm_entrant *entrant, fm_error *error);
/* Two that would be there at once: their hulls are apart. Hulls that push nothing may pass through each other. */
fm_status fm_entrants_check_apart(const fm_admission *where, const fm_entrant *entrant, const fm_entrant *other,
                                  fm_error *error);
/* A box that holds the hull of an entrant; false: it has none that meets others. */
bool fm_entrant_box(const fm_admission *where, const fm_entrant *entrant, fm_aabb *box);

/* Whether a vehicle of this name is there, or will be with the inputs that wait. */
int fm_world_expects(const fm_world *world, const char *name);

#endif
