/* Subsystems: everything in a world except its vehicles (currents, tethers, sound, contact, the energy check).
 *
 * Each is a row in the model. Its block of words is saved, restored and hashed with the world, after the live
 * parameters and in the order in which the rows were added; its functions are called at their stages, row by row. */
#ifndef FM_WORLD_SUBSYSTEM_H
#define FM_WORLD_SUBSYSTEM_H

#include <fathom/model.h>
#include <fathom/world.h>

/* One call: the row's config and its words, pointer-free, zeroed at the start. */
typedef void fm_subsystem_call(fm_world *world, const void *config, double *state);
/* The same where it may refuse. */
typedef fm_status fm_subsystem_check(fm_world *world, const void *config, double *state, fm_error *error);

typedef enum fm_subsystem_id {
    FM_SUBSYSTEM_CURRENTS,
    FM_SUBSYSTEM_TETHERS,
    FM_SUBSYSTEM_SOUND,
    FM_SUBSYSTEM_CONTACT,
    FM_SUBSYSTEM_ENERGY,
    FM_SUBSYSTEM_END,
    FM_SUBSYSTEM_OTHER /* a builder's own */
} fm_subsystem_id;

typedef struct fm_subsystem {
    fm_subsystem_id id; /* by which it is found */
    const char *name;
    /* All of these may be NULL. Memory of a world beside its state: */
    fm_subsystem_check *create;      /* allocates; the state is not set yet */
    void (*free)(fm_world *world);   /* called even if `create` failed or was not called */
    void (*forget)(fm_world *world); /* the state was replaced: data derived from it is invalid */
    fm_subsystem_call *start;        /* after the vehicles of the scenario are placed */
    /* The stages of a step, in this order: */
    fm_subsystem_check *permit;      /* whether there may be another step */
    fm_subsystem_call *deliver;      /* after the inputs: arrivals up to now */
    fm_subsystem_call *refresh;      /* live parameters come into force */
    fm_subsystem_call *place_bodies; /* data for sensors and controllers about the vehicles */
    fm_subsystem_call *collect;      /* after the controllers: requests of parts, poses before the motion */
    fm_subsystem_call *pull;         /* before the vehicles move: adds forces to fm_slot.external */
    fm_subsystem_call *collide;      /* after the motion; not called if a state has diverged */
    fm_subsystem_check *check;       /* whether the step has succeeded */
    fm_subsystem_call *sum;          /* accounts of the step */
} fm_subsystem;

enum { FM_SUBSYSTEMS_MOST = 16 };
typedef struct fm_subsystem_row {
    const fm_subsystem *subsystem;
    const void *config; /* lives as long as the model */
    size_t offset;      /* words from the first block */
    size_t words;
} fm_subsystem_row;

/* Adds a row; called by a builder; a model has a subsystem at most once. */
fm_status fm_model_add_subsystem(fm_model *model, const fm_subsystem *subsystem, const void *config, size_t words,
                                 fm_error *error);

/* Its config and its words; NULL: the model has no such row. */
const void *fm_subsystem_config(const fm_model *model, fm_subsystem_id id);
double *fm_subsystem_state(const fm_world *world, fm_subsystem_id id);

/* Calls the function of each row in turn. Checks stop at the first row that refuses. */
fm_status fm_subsystems_create(fm_world *world, fm_error *error);
void fm_subsystems_free(fm_world *world);
void fm_subsystems_forget(fm_world *world);
void fm_subsystems_start(fm_world *world);
fm_status fm_subsystems_permit(fm_world *world, fm_error *error);
void fm_subsystems_deliver(fm_world *world);
void fm_subsystems_refresh(fm_world *world);
void fm_subsystems_place_bodies(fm_world *world);
void fm_subsystems_collect(fm_world *world);
void fm_subsystems_pull(fm_world *world);
void fm_subsystems_collide(fm_world *world);
fm_status fm_subsystems_check(fm_world *world, fm_error *error);
void fm_subsystems_sum(fm_world *world);

#endif
