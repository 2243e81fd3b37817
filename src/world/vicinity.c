#include "world/vicinity.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "world/contact_internal.h"

/* How far a vehicle may go in its box: a part of its size, and a number of steps at its present speed. A rebuild costs
 * about as much as twenty steps of looking whether one is due. */
static const double SLACK_SIZE = 0.25, SLACK_STEPS = 16;

enum { SIGHTED_RAYS = 4, SIGHTED_SLOTS = 5 };
static const double SIGHTED_MARGIN = 0.02; /* of the longest ray */

/* What the rays of a vehicle met, with a margin. */
struct fm_sighted {
    uint64_t built; /* of the tree; 0: of none */
    double margin;  /* m */
    double origin[SIGHTED_RAYS][3], end[SIGHTED_RAYS][3];
    uint32_t rays, count, slots[SIGHTED_SLOTS]; /* rays: 0: there was too much */
};

static const fm_aabb nowhere = {{1, 1, 1}, {0, 0, 0}};

/* --- memory --- */

static bool has_sensors(const fm_model *model)
{
    for (size_t i = 0; i < model->type_count; i++)
        if (model->types[i].sensor_count)
            return true;
    return false;
}

fm_status fm_vicinity_create(fm_world *world, size_t pair_room, fm_error *error)
{
    size_t slots = (size_t)world->slot_count;
    fm_vicinity *v = world->vicinity = fm_alloc(sizeof *v);
    if (!v)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the neighbours of %zu vehicles", slots);
    v->margin = 1;
    v->stale = 1;
    v->pair_room = pair_room;
    v->boxes = fm_alloc((slots + 1) * sizeof *v->boxes);
    v->members = fm_alloc((slots + 1) * sizeof *v->members);
    v->pairs = pair_room ? fm_alloc(pair_room * sizeof *v->pairs) : NULL;
    v->tree = fm_box_tree_reserve(slots + 1, error);
    if (has_sensors(world->model))
        v->sighted = fm_alloc((slots + 1) * sizeof *v->sighted);
    if (!v->boxes || !v->members || !v->tree || (pair_room && !v->pairs) || (has_sensors(world->model) && !v->sighted))
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the neighbours of %zu vehicles", slots);
    return FM_OK;
}

void fm_vicinity_free(fm_world *world)
{
    fm_vicinity *v = world->vicinity;
    if (!v)
        return;
    fm_free(v->boxes);
    fm_free(v->members);
    fm_free(v->pairs);
    fm_free(v->sighted);
    fm_box_tree_free(v->tree);
    fm_free(v);
    world->vicinity = NULL;
}

size_t fm_vicinity_bytes(const fm_world *world)
{
    const fm_vicinity *v = world->vicinity;
    return (size_t)world->slot_count * (sizeof *v->boxes + sizeof *v->members) + fm_box_tree_bytes(v->tree) +
           v->pair_room * sizeof *v->pairs + (v->sighted ? (size_t)world->slot_count * sizeof *v->sighted : 0);
}

void fm_vicinity_forget(fm_world *world)
{
    if (world->vicinity)
        world->vicinity->stale = 1;
}

/* --- boxes --- */

static bool is_inside(const fm_aabb *inner, const fm_aabb *outer)
{
    bool inside = true;
    for (int k = 0; k < 3; k++)
        inside &= inner->low[k] >= outer->low[k] && inner->high[k] <= outer->high[k];
    return inside; /* never with a NaN */
}

static bool is_finite(const fm_aabb *box)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += fabs(box->low[k]) + fabs(box->high[k]);
    return sum < HUGE_VAL;
}

/* A ball about the vehicle as it is. */
static bool need_ball(const fm_world *world, int index, fm_aabb *box)
{
    const fm_slot *slot = &world->slots[index];
    if (slot->vehicle->life == FM_EMPTY || slot->vehicle->passed & FM_PASSED_RUNAWAY)
        return false;
    double reach = world->contact ? fm_contact_reach(world, index) + FM_CONTACT_TOUCH : 0;
    for (int k = 0; k < 3; k++) {
        box->low[k] = slot->vehicle->body.position[k] - reach;
        box->high[k] = slot->vehicle->body.position[k] + reach;
    }
    return true;
}

/* The box of a slot: what it needs, where it is now, and some more. */
static void make_box(fm_world *world, int index, fm_vicinity_need *need)
{
    fm_vicinity *v = world->vicinity;
    fm_aabb *box = &v->boxes[index], now;
    *box = nowhere;
    if (!need_ball(world, index, &now))
        return;
    if (need(world, index, box))
        fm_aabb_join(box, &now);
    else
        *box = now;
    const fm_slot *slot = &world->slots[index];
    const double *velocity = slot->vehicle->body.velocity;
    double speed = sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2]);
    double size = 0.5 * (now.high[0] - now.low[0]);
    double slack = v->margin * (SLACK_SIZE * size + SLACK_STEPS * speed * slot->type->step_s);
    for (int k = 0; k < 3; k++) {
        box->low[k] -= slack;
        box->high[k] += slack;
    }
    if (!is_finite(box))
        *box = nowhere;
}

void fm_vicinity_watch(fm_world *world, int slot, const fm_aabb *box)
{
    fm_vicinity *v = world->vicinity;
    if (!is_inside(box, &v->boxes[slot]) && !__atomic_load_n(&v->stale, __ATOMIC_RELAXED))
        __atomic_store_n(&v->stale, 1, __ATOMIC_RELAXED);
}

/* --- the tree --- */

static void box_of_member(const void *user, uint32_t item, fm_aabb *out)
{
    const fm_vicinity *v = user;
    *out = v->boxes[v->members[item]];
}

static void fill_tree(fm_world *world)
{
    fm_vicinity *v = world->vicinity;
    v->member_count = 0;
    for (int i = 0; i < world->slot_count; i++)
        if (v->boxes[i].low[0] <= v->boxes[i].high[0])
            v->members[v->member_count++] = (uint32_t)i;
    fm_box_tree_fill(v->tree, v->member_count, box_of_member, v);
    v->built++;
}

typedef struct search {
    const fm_vicinity *vicinity;
    const fm_region *region;
    uint32_t *slots;
    size_t count, most;
} search;

static void note_member(void *user, uint32_t item)
{
    search *s = user;
    uint32_t slot = s->vicinity->members[item];
    if (!fm_region_meets(s->region, &s->vicinity->boxes[slot]))
        return;
    if (s->count < s->most)
        s->slots[s->count] = slot;
    s->count++;
}

size_t fm_vicinity_find(const fm_world *world, const fm_region *region, uint32_t *slots, size_t most)
{
    search s = {world->vicinity, region, slots, 0, most};
    fm_box_tree_visit_region(s.vicinity->tree, region, note_member, &s);
    return s.count;
}

/* --- again and again --- */

static bool is_close(const double a[3], const double b[3], double margin)
{
    return fabs(a[0] - b[0]) <= margin && fabs(a[1] - b[1]) <= margin && fabs(a[2] - b[2]) <= margin;
}

/* Does the region lie within that of the last search? */
static bool covers(const struct fm_sighted *s, const fm_region *region)
{
    if (s->rays != region->count)
        return false;
    for (uint32_t i = 0; i < s->rays; i++)
        if (!is_close(s->origin[i], region->rays[i].origin, s->margin) ||
            !is_close(s->end[i], region->rays[i].end, s->margin))
            return false;
    return true;
}

static void sight(const fm_world *world, const fm_region *region, struct fm_sighted *s)
{
    fm_region wide = *region;
    double longest = 0;
    for (size_t i = 0; i < region->count; i++)
        for (int k = 0; k < 3; k++) {
            s->origin[i][k] = region->rays[i].origin[k];
            s->end[i][k] = region->rays[i].end[k];
            longest = fmax(longest, fabs(s->end[i][k] - s->origin[i][k]));
        }
    s->margin = SIGHTED_MARGIN * longest;
    wide.slack += s->margin * (1 + 1e-9);
    for (int k = 0; k < 3; k++) {
        wide.box.low[k] -= s->margin * (1 + 1e-9);
        wide.box.high[k] += s->margin * (1 + 1e-9);
    }
    size_t found = fm_vicinity_find(world, &wide, s->slots, SIGHTED_SLOTS);
    s->built = world->vicinity->built;
    s->rays = found <= SIGHTED_SLOTS && longest < HUGE_VAL ? (uint32_t)region->count : 0;
    s->count = (uint32_t)found;
}

size_t fm_vicinity_find_again(const fm_world *world, int asker, const fm_region *region, uint32_t *slots, size_t most)
{
    const fm_vicinity *v = world->vicinity;
    if (asker < 0 || !v->sighted || !region->count || region->count > SIGHTED_RAYS)
        return fm_vicinity_find(world, region, slots, most);
    struct fm_sighted *s = &v->sighted[asker];
    if (s->built != v->built || (s->rays && !covers(s, region)))
        sight(world, region, s);
    if (!s->rays)
        return fm_vicinity_find(world, region, slots, most);
    size_t count = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (!fm_region_meets(region, &v->boxes[s->slots[i]]))
            continue;
        if (count < most)
            slots[count] = s->slots[i];
        count++;
    }
    return count;
}

/* --- pairs --- */

typedef struct pair_search {
    const fm_world *world;
    uint32_t first; /* slot */
    size_t begin;   /* of its pairs */
    bool full;
} pair_search;

static bool can_touch(const fm_world *world, uint32_t slot)
{
    const fm_type *type = world->slots[slot].type;
    return type && type->shape_count && type->contact.response != FM_CONTACT_NONE;
}

/* Keeps the pairs of a slot in order as they come. */
static void note_pair(void *user, uint32_t item)
{
    pair_search *s = user;
    fm_vicinity *v = s->world->vicinity;
    uint32_t slot = v->members[item];
    if (slot <= s->first || !fm_aabb_meet(&v->boxes[s->first], &v->boxes[slot]) || !can_touch(s->world, slot))
        return;
    if (v->pair_count == v->pair_room) {
        s->full = true;
        return;
    }
    size_t k = v->pair_count++;
    for (; k > s->begin && v->pairs[k - 1].second > slot; k--)
        v->pairs[k] = v->pairs[k - 1];
    v->pairs[k] = (fm_broadphase_pair){s->first, slot};
}

static bool find_pairs(fm_world *world)
{
    fm_vicinity *v = world->vicinity;
    pair_search s = {.world = world};
    v->pair_count = 0;
    for (size_t i = 0; v->pairs && i < v->member_count && !s.full; i++) {
        s.first = v->members[i];
        s.begin = v->pair_count;
        if (can_touch(world, s.first))
            fm_box_tree_visit(v->tree, &v->boxes[s.first], note_pair, &s);
    }
    return !s.full;
}

static bool build(fm_world *world, fm_vicinity_need *need)
{
    for (int i = 0; i < world->slot_count; i++)
        make_box(world, i, need);
    fill_tree(world);
    world->vicinity->stale = 0;
    return find_pairs(world);
}

bool fm_vicinity_settle(fm_world *world, fm_vicinity_need *need)
{
    fm_vicinity *v = world->vicinity;
    if (!v->stale)
        return true;
    v->margin = 1;
    bool settled = build(world, need);
    if (!settled) {
        v->margin = 0;
        settled = build(world, need);
        v->stale = 1; /* the next step finds out whether larger boxes do again */
    }
    return settled;
}

static void watch_ball(fm_world *world, int slot)
{
    fm_aabb box;
    if (need_ball(world, slot, &box))
        fm_vicinity_watch(world, slot, &box);
}

void fm_vicinity_follow(fm_world *world)
{
    fm_world_for_slots(world, watch_ball);
    fm_vicinity_settle(world, need_ball);
}
