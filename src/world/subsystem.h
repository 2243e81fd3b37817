/* Subsystems: what has state in the world beyond its vehicles (random currents, tethers).
 *
 * Each is a row in the model. Its block of words is saved, restored and hashed with the world, after the live
 * parameters and in the order in which the rows were added; its functions are called at its stages. */
#ifndef FM_WORLD_SUBSYSTEM_H
#define FM_WORLD_SUBSYSTEM_H

#include <fathom/model.h>
#include <fathom/world.h>

/* One call: the row's config and its words, pointer-free, zeroed at the start. */
typedef void fm_subsystem_call(fm_world *world, const void *config, double *state);

typedef enum fm_subsystem_id {
    FM_SUBSYSTEM_CURRENTS,
    FM_SUBSYSTEM_TETHERS,
    FM_SUBSYSTEM_SOUND,
    FM_SUBSYSTEM_ENERGY,
    FM_SUBSYSTEM_OTHER /* a builder's own */
} fm_subsystem_id;

typedef struct fm_subsystem {
    fm_subsystem_id id; /* by which it is found */
    const char *name;
    fm_subsystem_call *start;   /* when the vehicles of the scenario are placed; NULL: zeros */
    fm_subsystem_call *deliver; /* each step, after the inputs and before the sensors; may be NULL */
    fm_subsystem_call *collect; /* each step, after the controllers: what parts have asked for; may be NULL */
    fm_subsystem_call *pull;    /* each step, after the controllers and before the vehicles move: adds forces to
                                   fm_slot.external; may be NULL */
} fm_subsystem;

enum { FM_SUBSYSTEMS_MOST = 16 };
typedef struct fm_subsystem_row {
    const fm_subsystem *subsystem;
    const void *config; /* lives as long as the model */
    size_t offset;      /* words from the first block */
    size_t words;
} fm_subsystem_row;

/* Adds a row, by a builder; a subsystem stands in a model at most once. */
fm_status fm_model_add_subsystem(fm_model *model, const fm_subsystem *subsystem, const void *config, size_t words,
                                 fm_error *error);

/* Its config and its words; NULL: the model has no such row. */
const void *fm_subsystem_config(const fm_model *model, fm_subsystem_id id);
double *fm_subsystem_state(const fm_world *world, fm_subsystem_id id);

/* Stages, in world.c's step. */
void fm_subsystems_start(fm_world *world);
void fm_subsystems_deliver(fm_world *world);
void fm_subsystems_collect(fm_world *world);
void fm_subsystems_pull(fm_world *world);
int fm_subsystems_any_pull(const fm_model *model);

#endif
