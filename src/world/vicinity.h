/* Which vehicles are near a place, a ray or each other: one structure for contact, instruments, sound and wakes.
 *
 * Each vehicle has a box that is a little larger than it needs. As long as all stay in theirs nothing is done; when one
 * has left its own, all boxes and the tree over them are made again. What is found is a superset, and those who ask
 * compare exactly: results do not depend on the boxes. */
#ifndef FM_WORLD_VICINITY_H
#define FM_WORLD_VICINITY_H

#include "geometry/box_tree.h"
#include "geometry/broadphase.h"
#include "world/world.h"

typedef struct fm_vicinity {
    fm_aabb *boxes; /* per slot, m, NED; low > high: it is empty */
    fm_box_tree *tree;
    uint32_t *members; /* slots that are in the tree */
    size_t member_count;
    fm_broadphase_pair *pairs; /* of boxes that overlap, in order; NULL: not needed */
    size_t pair_count, pair_room;
    double margin;              /* 1; 0 if the pairs of larger boxes do not fit */
    int stale;                  /* some vehicle has left its box; atomic */
    uint64_t built;             /* how often the tree was made */
    struct fm_sighted *sighted; /* per slot: what its rays could meet; NULL: no vehicle has instruments */
} fm_vicinity;

/* `pair_room`: how many pairs are kept at most; 0: they are not asked for. */
fm_status fm_vicinity_create(fm_world *world, size_t pair_room, fm_error *error);
void fm_vicinity_free(fm_world *world);
size_t fm_vicinity_bytes(const fm_world *world); /* that all slots take together */
/* Another vehicle is in some slot, or one is elsewhere. */
void fm_vicinity_forget(fm_world *world);

/* Vehicles as they are now: before fm_vicinity_find. */
void fm_vicinity_follow(fm_world *world);
/* Slots of vehicles that may meet the region, in no order, and some near ones. Returns how many there are; only the
 * first `most` are written. */
size_t fm_vicinity_find(const fm_world *world, const fm_region *region, uint32_t *slots, size_t most);

/* The same for rays of the vehicle in the slot `asker`, -1: none. Its rays are much the same from step to step: what
 * somewhat longer and thicker ones meet is kept, as long as the tree is the same. For one thread per asker. */
size_t fm_vicinity_find_again(const fm_world *world, int asker, const fm_region *region, uint32_t *slots, size_t most);

/* Writes the box that a vehicle needs in this step; false: it needs none. */
typedef bool fm_vicinity_need(const fm_world *world, int slot, fm_aabb *box);
/* A vehicle is to be in its box; from any thread. */
void fm_vicinity_watch(fm_world *world, int slot, const fm_aabb *box);
/* All that need a box are watched: makes the tree again where one has left its own. False: there are more pairs than
 * there is room for. */
bool fm_vicinity_settle(fm_world *world, fm_vicinity_need *need);

#endif
