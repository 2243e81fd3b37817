/* Tethers between a vehicle and a vehicle, buoy or fixed point. */
#ifndef FM_WORLD_TETHER_H
#define FM_WORLD_TETHER_H

#include "physics/cable.h"
#include "world/world.h"

/* One end: a vehicle of the scenario, or a fixed point. */
typedef struct fm_tether_end {
    int vehicle;     /* index of the placement; -1: fixed */
    double point[3]; /* m: body axes of the vehicle, or NED */
    uint64_t period; /* ticks of the vehicle's step; 1 for a fixed point */
} fm_tether_end;

typedef struct fm_tether {
    const char *name;
    fm_cable cable;
    fm_tether_end ends[2];
    double length;     /* m, natural, at the start */
    double elongation; /* relative elongation beyond which it has diverged */
    double rate;       /* m/s, maximum rate of pay-out and haul-in */
    uint32_t live;     /* word of its ordered length in the world's live block */
    uint32_t state; /* word of its state: length (0: it has parted), tensions of the two ends (N), then 6 a node, then 9
                       an end whose vehicle steps with more than a tick: where it is within that step, and the sum of
                       its pulls */
} fm_tether;

typedef struct fm_tethers {
    const fm_tether *list;
    size_t count;
} fm_tethers;

/* Places the cables between their ends, at rest; moves them by one tick and pulls the vehicles. Config: fm_tethers. */
extern const fm_subsystem fm_tethers_subsystem;

/* Points of a tether now, from end to end (m, NED); fm_tether_points_count of them. */
static inline size_t fm_tether_points_count(const fm_tether *tether)
{
    return (size_t)tether->cable.pieces + 1;
}
void fm_tether_points(const fm_world *world, const fm_tether *tether, double (*out)[3]);
/* Its natural length (m), and the larger tension of its ends (N). */
double fm_tether_length(const fm_world *world, const fm_tether *tether);
double fm_tether_tension(const fm_world *world, const fm_tether *tether);

/* --- tethers that diverge --- */

#define FM_TETHER_FASTEST 100.0 /* m/s: a cable that moves faster has diverged */
/* m between its ends as the scenario places them. */
double fm_tether_start_span(const fm_model *model, const fm_tether *tether);
/* The tether with the strongest pull on a vehicle; NULL: none. */
const fm_tether *fm_tether_pulling(const fm_world *world, int slot);
/* Why it pulls too hard, and how to fix it. */
void fm_tether_explain(const fm_world *world, const fm_tether *tether, char *text, size_t size);

/* Words of state of a tether. */
size_t fm_tether_words(const fm_tether *tether);

#endif
