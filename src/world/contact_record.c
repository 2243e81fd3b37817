/* The present contacts of a vehicle, and the number of their onsets: lists in its record, increasing, each object as
 * its number + 1, 0 after the last. */
#include <math.h>
#include <string.h>

#include "world/contact_internal.h"
#include "world/vicinity.h"

static const double part_again = 1e-3; /* m apart: a contact has ended */

void fm_touch_list_add(fm_touch_list *list, uint32_t id)
{
    uint32_t at = 0;
    while (at < list->count && list->ids[at] < id)
        at++;
    if (at < list->count && list->ids[at] == id)
        return;
    if (list->count == list->room) {
        list->overflow = 1;
        return;
    }
    memmove(&list->ids[at + 1], &list->ids[at], (list->count - at) * sizeof list->ids[0]);
    list->ids[at] = id;
    list->count++;
}

static bool in_list(const fm_touch_list *list, uint32_t id)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->ids[i] == id)
            return true;
    return false;
}

static void read_list(const uint64_t *words, uint32_t room, fm_touch_list *out)
{
    out->count = out->overflow = 0;
    while (out->count < room && words[out->count]) {
        out->ids[out->count] = (uint32_t)(words[out->count] - 1);
        out->count++;
    }
}

static void write_list(const fm_touch_list *list, uint64_t *words, uint32_t room)
{
    for (uint32_t i = 0; i < room; i++)
        words[i] = i < list->count ? (uint64_t)list->ids[i] + 1 : 0;
}

/* The first of them is named, whichever thread finds it. */
static void mark_crowded(struct fm_contact_state *c, int slot)
{
    int seen = __atomic_load_n(&c->crowded, __ATOMIC_RELAXED);
    while ((seen == 0 || slot + 1 < seen) &&
           !__atomic_compare_exchange_n(&c->crowded, &seen, slot + 1, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* --- what stands --- */

typedef struct end_pose {
    const fm_environment *e;
    fm_shape shapes[FM_CONTACT_SHAPES]; /* NED */
    size_t count;
    double t; /* s */
} end_pose;

static void locate_end(const fm_world *world, int index, end_pose *out)
{
    const fm_slot *slot = &world->slots[index];
    fm_shape shapes[FM_CONTACT_SHAPES];
    double q[4];
    out->e = world->environment;
    out->t = fm_world_time(world) + world->model->settings.dt;
    out->count = fm_body_shapes(slot, shapes);
    fm_body_quaternion(slot, q);
    for (size_t i = 0; i < out->count; i++)
        out->shapes[i] = fm_shape_carried(&shapes[i], slot->vehicle->body.position, q);
}

static double distance_to_bottom(const fm_environment *e, const fm_shape *shape, double reach);

/* Distance of the hull to one object, m; more than `reach`: unknown. */
static double distance_to(const end_pose *p, uint32_t body, double reach)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < p->count; i++) {
        if (body == FM_BODY_BOTTOM) {
            least = fmin(least, distance_to_bottom(p->e, &p->shapes[i], reach));
        } else {
            fm_shape there = fm_obstacle_at(&p->e->obstacles[body - FM_BODY_OBSTACLE], p->t);
            least = fmin(least, fm_shape_distance(&p->shapes[i], &there));
        }
    }
    return least;
}

typedef struct bottom_search {
    const fm_shape *shape;
    double least;
} bottom_search;

static void offer_bottom(void *user, const fm_solid *solid)
{
    bottom_search *l = user;
    fm_separation s;
    if (solid->body != FM_BODY_BOTTOM)
        return;
    fm_sweep_separation(l->shape, &solid->side, &s);
    l->least = fmin(l->least, s.distance);
}

static double distance_to_bottom(const fm_environment *e, const fm_shape *shape, double reach)
{
    bottom_search l = {shape, HUGE_VAL};
    fm_aabb box;
    fm_shape_aabb(shape, &box);
    for (int k = 0; k < 3; k++) {
        box.low[k] -= reach;
        box.high[k] += reach;
    }
    fm_solids_visit(e, &box, offer_bottom, &l);
    return fm_solids_burial(e, shape->position) > 0 ? 0 : l.least;
}

static void count_onsets(fm_world *world, int index, fm_touch_list *now)
{
    fm_slot *slot = &world->slots[index];
    const fm_type *type = slot->type;
    uint64_t *words = fm_vehicle_words(slot->vehicle, type->touch_block);
    uint32_t ids[FM_TOUCHES_MOST];
    fm_touch_list was = {.room = FM_TOUCHES_MOST, .ids = ids};
    end_pose pose = {.count = 0};
    read_list(words, type->touch_block.words, &was);
    for (uint32_t i = 0; i < was.count; i++) {
        if (in_list(now, was.ids[i]))
            continue;
        if (!pose.count)
            locate_end(world, index, &pose);
        if (distance_to(&pose, was.ids[i], part_again) < part_again)
            fm_touch_list_add(now, was.ids[i]);
    }
    for (uint32_t i = 0; i < now->count; i++)
        if (!in_list(&was, now->ids[i])) {
            slot->vehicle->contacts++;
            fm_event_add(world, index, "contact",
                         now->ids[i] == FM_BODY_BOTTOM ? -1 : (double)(now->ids[i] - FM_BODY_OBSTACLE));
        }
    write_list(now, words, type->touch_block.words);
    if (now->overflow || now->count > type->touch_block.words)
        mark_crowded(world->contact, index);
}

/* --- clearance --- */

static void note_clearance(fm_world *world, int index, bool touched)
{
    fm_vehicle *vehicle = world->slots[index].vehicle;
    const fm_free_ball *ball = &world->contact->balls[index];
    double least = touched ? 0 : vehicle->min_clearance, square = 0;
    for (int k = 0; k < 3; k++)
        square += (vehicle->body.position[k] - ball->centre[k]) * (vehicle->body.position[k] - ball->centre[k]);
    bool far = ball->radius - sqrt(square) - fm_contact_reach(world, index) > least;
    if (least > 0 && (!far || world->contact->moving)) {
        end_pose pose;
        locate_end(world, index, &pose);
        for (size_t i = 0; i < pose.count; i++) {
            fm_separation s;
            uint32_t body;
            if (!far && fm_solids_nearest(pose.e, &pose.shapes[i], fmin(least, 1e4), &s, &body))
                least = fmin(least, fmax(s.distance, 0));
            for (size_t k = 0; k < pose.e->moving_count; k++) {
                fm_shape there = fm_obstacle_at(&pose.e->obstacles[pose.e->moving[k]], pose.t);
                least = fmin(least, fm_shape_distance(&pose.shapes[i], &there));
            }
        }
    }
    vehicle->min_clearance = least;
}

void fm_contact_conclude(fm_world *world, int index)
{
    const fm_slot *slot = &world->slots[index];
    if (slot->vehicle->life != FM_ALIVE || !slot->type->shape_count ||
        slot->type->contact.response == FM_CONTACT_NONE || (world->head->tick + 1) % slot->type->period != 0)
        return;
    fm_touch_list *now = &world->contact->touched[index];
    bool touched = now->count > 0;
    const uint64_t *words = fm_vehicle_words(slot->vehicle, slot->type->touch_block);
    if (slot->type->touch_block.words && (touched || words[0]))
        count_onsets(world, index, now);
    if (slot->type->contact.clearance)
        note_clearance(world, index, touched);
    if (touched && slot->type->contact.ends) {
        fm_event_add(world, index, "ended by contact", (double)(world->head->tick + 1) * world->model->settings.dt);
        slot->vehicle->life = FM_ENDED;
    }
}

double fm_contact_clearance(fm_world *world, int index)
{
    fm_contact_forget(world, index);
    world->slots[index].vehicle->min_clearance = HUGE_VAL;
    note_clearance(world, index, false);
    return world->slots[index].vehicle->min_clearance;
}

/* --- other vehicles --- */

static bool has_hull(const fm_slot *slot)
{
    return slot->vehicle->life == FM_ALIVE && slot->type->shape_count > 0;
}

/* The present distance of two hulls if it is less than `least`, otherwise `least`; m. */
static double separation(const fm_world *world, int index, int other, double least)
{
    const double *a = world->slots[index].vehicle->body.position, *b = world->slots[other].vehicle->body.position;
    double apart = sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
    if (apart - fm_contact_reach(world, index) - fm_contact_reach(world, other) >= least)
        return least;
    end_pose here, there;
    locate_end(world, index, &here);
    locate_end(world, other, &there);
    for (size_t i = 0; i < here.count; i++)
        for (size_t k = 0; k < there.count; k++)
            least = fmin(least, fmax(fm_shape_distance(&here.shapes[i], &there.shapes[k]), 0));
    return least;
}

/* If a vehicle records its clearance: how close it has come to others. */
static void note_separation(fm_world *world, int index)
{
    enum { NEAR_MOST = 256 };
    const fm_slot *slot = &world->slots[index];
    double *least = &slot->vehicle->min_separation;
    uint32_t near[NEAR_MOST];
    size_t count = SIZE_MAX;
    if (!has_hull(slot) || !slot->type->contact.clearance || (world->head->tick + 1) % slot->type->period != 0)
        return;
    if (world->contact->pairs && *least < HUGE_VAL) {
        fm_region region;
        region.count = 0;
        double reach = fm_contact_reach(world, index) + *least + 0.01;
        for (int k = 0; k < 3; k++) {
            region.box.low[k] = slot->vehicle->body.position[k] - reach;
            region.box.high[k] = slot->vehicle->body.position[k] + reach;
        }
        count = fm_vicinity_find(world, &region, near, NEAR_MOST);
    }
    size_t others = count <= NEAR_MOST ? count : (size_t)world->slot_count;
    for (size_t i = 0; i<others && * least> 0; i++) {
        int other = count <= NEAR_MOST ? (int)near[i] : (int)i;
        if (other != index && has_hull(&world->slots[other]))
            *least = separation(world, index, other, *least);
    }
}

static bool still_near(const fm_world *world, int index, int other)
{
    fm_ray_body own[FM_CONTACT_SHAPES], its[FM_CONTACT_SHAPES];
    size_t own_count = fm_contact_place_hull(world, index, own), count = fm_contact_place_hull(world, other, its);
    for (size_t a = 0; a < own_count; a++)
        for (size_t b = 0; b < count; b++)
            if (fm_shape_distance(&own[a].shape, &its[b].shape) < part_again)
                return true;
    return false;
}

/* Partners that were touching and are not yet 1 mm apart stay partners. */
static void count_partners(fm_world *world, int index)
{
    struct fm_contact_state *c = world->contact;
    fm_slot *slot = &world->slots[index];
    if (slot->vehicle->life == FM_EMPTY || !slot->type->partner_block.words)
        return;
    uint64_t *words = fm_vehicle_words(slot->vehicle, slot->type->partner_block);
    uint32_t ids[FM_TOUCHES_MOST];
    fm_touch_list was = {.room = FM_TOUCHES_MOST, .ids = ids}, *now = &c->partners[index];
    read_list(words, slot->type->partner_block.words, &was);
    if (!was.count && !now->count)
        return;
    for (uint32_t i = 0; i < was.count; i++)
        if (!in_list(now, was.ids[i]) && still_near(world, index, (int)was.ids[i]))
            fm_touch_list_add(now, was.ids[i]);
    for (uint32_t i = 0; i < now->count; i++)
        if (!in_list(&was, now->ids[i])) {
            slot->vehicle->vehicle_contacts++;
            fm_event_add(world, index, "vehicle contact", (double)now->ids[i]);
        }
    write_list(now, words, slot->type->partner_block.words);
    if (now->overflow || now->count > slot->type->partner_block.words)
        mark_crowded(c, index);
}

void fm_contact_conclude_partners(fm_world *world)
{
    for (int i = 0; i < world->slot_count && world->slot_count > 1; i++)
        note_separation(world, i);
    if (!world->contact->any_partners)
        return;
    for (int i = 0; i < world->slot_count; i++)
        count_partners(world, i);
}
