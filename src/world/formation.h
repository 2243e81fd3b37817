/* Vehicles of one type that move side by side in the lanes of a vector register (physics/glide.h). Their state stays in
 * their records: lanes are filled from there and emptied into it, and hold the bits that each vehicle has alone. */
#ifndef FM_WORLD_FORMATION_H
#define FM_WORLD_FORMATION_H

#include "physics/glide.h"
#include "world/stream.h"

/* What a record has of the way. */
static inline fm_tally fm_tally_of(const fm_vehicle *v)
{
    return (fm_tally){v->distance, v->max_depth, v->max_speed_squared, v->peak_sine_pitch};
}

static inline void fm_tally_put(const fm_tally *tally, fm_vehicle *v)
{
    v->distance = tally->distance;
    v->max_depth = tally->max_depth;
    v->max_speed_squared = tally->max_speed_squared;
    v->peak_sine_pitch = tally->peak_sine_pitch;
}

/* Prepares the types of which a world may have several vehicles. */
fm_status fm_formation_create(fm_world *world, fm_error *error);
void fm_formation_free(fm_world *world);

/* May vehicles of this type move in lanes now? Not where the water differs from place to place, where energy is
 * watched, or under another gravity than the model's. */
int fm_formation_takes(const fm_world *world, const fm_type *type);

/* Work on all slots, in parallel where the world has threads. */
typedef struct fm_formation_work {
    int (*takes)(const fm_world *world, int slot);                 /* this one can be one of several */
    void (*one)(fm_world *world, int slot);                        /* alone */
    void (*several)(fm_world *world, const int *slots, int count); /* of one type, up to FM_GLIDE_WIDEST */
} fm_formation_work;
void fm_formation_for_slots(fm_world *world, const fm_formation_work *work);

/* A vehicle in its lane. */
fm_glider fm_formation_glider(const fm_vehicle *vehicle, fm_glided *out);
/* Moves the vehicles of job->glider, all of one type, as physics/glide.h has it; sets the rest of the job but for
 * `ticks`, `deepest` and `bounds`. */
uint64_t fm_formation_move(const fm_world *world, const fm_type *type, fm_glide_job *job);

#endif
