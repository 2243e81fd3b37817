/* Stage collide. Hulls against obstacles and bottom, each vehicle by itself; then vehicles against each other, in
 * order. */
#include "world/contact.h"

#include <math.h>
#include <string.h>

#include "world/contact_internal.h"

enum { SWEEPS_MOST = 64, PASSES = 4 };
static const double part_again = 1e-3; /* m apart: a contact has ended */

/* --- what stands near a hull --- */

/* The bottom below a shape as a plane through the bottom there. */
static fm_shape bottom_plane(const fm_environment *e, const double at[3])
{
    double point[3] = {at[0], at[1], fm_bottom_depth(e->bottom, at[0], at[1])}, normal[3];
    fm_bottom_normal(e->bottom, at[0], at[1], normal);
    return fm_shape_wall(point, normal);
}

/* Standing thing `i` (the bottom after the obstacles), or 0 where it is too far from the shape to matter. */
static int standing_shape(const fm_world *world, size_t i, const fm_shape *shape, double reach, double t, fm_shape *out)
{
    const fm_environment *e = world->model->environment;
    if (i == e->obstacle_count) {
        if (!e->bottom)
            return 0;
        double depth = fm_bottom_depth(e->bottom, shape->position[0], shape->position[1]);
        if (depth - shape->position[2] > 4 * (fm_shape_bounding_radius(shape) + reach))
            return 0;
        *out = bottom_plane(e, shape->position);
        return 1;
    }
    *out = fm_obstacle_at(&e->obstacles[i], t);
    double far = fm_shape_bounding_radius(shape) + reach, d2 = 0;
    if (out->kind == FM_SHAPE_PLANE)
        return 1;
    far += fm_shape_bounding_radius(out);
    for (int k = 0; k < 3; k++)
        d2 += (shape->position[k] - out->position[k]) * (shape->position[k] - out->position[k]);
    return d2 < far * far;
}

static uint64_t bit_of(const fm_environment *e, size_t i)
{
    return i == e->obstacle_count ? 1ull << 63 : 1ull << (i < 62 ? i : 62);
}

/* --- one vehicle against all that stands --- */

typedef struct vehicle_contact {
    fm_world *world;
    int index;
    fm_slot *slot;
    fm_touch_side self;
    fm_shape shapes[FM_CONTACT_SHAPES]; /* body axes */
    size_t shape_count;
    double t; /* s, at the end of the step */
    uint64_t touched;
} vehicle_contact;

static void refresh_side(fm_touch_side *s, const fm_slot *slot)
{
    fm_body_matrix(&slot->type->body, slot->vehicle->body.attitude, s->R);
}

static fm_shape shape_now(const vehicle_contact *v, size_t i)
{
    double q[4];
    fm_body_quaternion(v->slot, q);
    return fm_shape_carried(&v->shapes[i], v->slot->vehicle->body.position, q);
}

/* Answers contacts of one shape with one thing; returns whether there were any. */
static int meet(vehicle_contact *v, size_t shape_index, size_t thing)
{
    const fm_environment *e = v->world->model->environment;
    fm_shape shape = shape_now(v, shape_index), other;
    fm_touch touches[FM_CONTACT_POINTS];
    if (!standing_shape(v->world, thing, &shape, 0, v->t, &other))
        return 0;
    size_t count = fm_contact_find_touches(&shape, &other, touches);
    if (!count)
        return 0;
    v->touched |= bit_of(e, thing);
    if (v->slot->type->contact.response != FM_CONTACT_IMPULSE)
        return 1;
    fm_touch_side standing = {0};
    if (thing < e->obstacle_count)
        fm_obstacle_velocity(&e->obstacles[thing], v->t, standing.drift);
    double deepest = 0;
    const double *normal = touches[0].normal;
    for (size_t i = 0; i < count; i++) {
        fm_contact_exchange(&v->self, &standing, &touches[i], v->slot->type->contact.restitution,
                            v->slot->type->contact.friction);
        deepest = fmax(deepest, touches[i].depth);
    }
    for (int k = 0; k < 3; k++)
        v->slot->vehicle->body.position[k] += deepest * normal[k];
    return 1;
}

static int meet_all(vehicle_contact *v)
{
    size_t things = v->world->model->environment->obstacle_count + 1;
    int any = 0;
    for (size_t s = 0; s < v->shape_count; s++)
        for (size_t i = 0; i < things; i++)
            any |= meet(v, s, i);
    return any;
}

/* The longest way that an obstacle goes in the step which ends now, m. */
static double farthest_track(const vehicle_contact *v)
{
    const fm_environment *e = v->world->model->environment;
    double most = 0;
    for (size_t i = 0; i < e->obstacle_count; i++) {
        double speed[3];
        if (!e->obstacles[i].track_count)
            continue;
        fm_obstacle_velocity(&e->obstacles[i], v->t, speed);
        most = fmax(most, sqrt(fm_dot(speed, speed)) * v->self.step);
    }
    return most;
}

/* Fast movers: the step in pieces in which hull and obstacles together go less than half the hull's least radius; the
 * first touch ends it. */
static void sweep(vehicle_contact *v, const double before[7])
{
    double *p = v->slot->vehicle->body.position, end[3], d2 = 0, least = HUGE_VAL, now = v->t;
    memcpy(end, p, sizeof end);
    for (int k = 0; k < 3; k++)
        d2 += (end[k] - before[k]) * (end[k] - before[k]);
    for (size_t s = 0; s < v->shape_count; s++) {
        const fm_shape *shape = &v->shapes[s];
        double radius = shape->kind == FM_SHAPE_BOX || shape->kind == FM_SHAPE_ELLIPSOID
                            ? fmin(shape->size[0], fmin(shape->size[1], shape->size[2]))
                            : shape->size[0];
        least = fmin(least, radius);
    }
    double pieces = least > 0 ? ceil((sqrt(d2) + farthest_track(v)) / (0.5 * least)) : 1;
    int count = pieces > SWEEPS_MOST ? SWEEPS_MOST : (int)pieces;
    for (int i = 1; i < count; i++) {
        for (int k = 0; k < 3; k++)
            p[k] = before[k] + (end[k] - before[k]) * i / count;
        v->t = now - v->self.step * (count - i) / count;
        int met = meet_all(v);
        v->t = now;
        if (met)
            return;
    }
    memcpy(p, end, sizeof end);
}

static void note_clearance(vehicle_contact *v)
{
    size_t things = v->world->model->environment->obstacle_count + 1;
    double least = v->slot->vehicle->min_clearance;
    for (size_t s = 0; s < v->shape_count; s++) {
        fm_shape shape = shape_now(v, s), other;
        for (size_t i = 0; i < things; i++)
            if (standing_shape(v->world, i, &shape, fmin(least, 1e4), v->t, &other))
                least = fmin(least, fm_shape_distance(&shape, &other));
    }
    v->slot->vehicle->min_clearance = least;
}

/* Contacts that were, and are not yet 1 mm apart, go on. */
static uint64_t still_touching(vehicle_contact *v, uint64_t was)
{
    const fm_environment *e = v->world->model->environment;
    uint64_t still = 0;
    for (size_t s = 0; s < v->shape_count; s++) {
        fm_shape shape = shape_now(v, s), other;
        for (size_t i = 0; i <= e->obstacle_count; i++)
            if ((was & bit_of(e, i)) && standing_shape(v->world, i, &shape, part_again, v->t, &other) &&
                fm_shape_distance(&shape, &other) < part_again)
                still |= bit_of(e, i);
    }
    return still;
}

static void count_onsets(vehicle_contact *v)
{
    fm_vehicle *vehicle = v->slot->vehicle;
    uint64_t was = vehicle->touching, lost = was & ~v->touched;
    uint64_t now = v->touched | (lost ? still_touching(v, lost) : 0);
    for (uint64_t fresh = now & ~was; fresh; fresh &= fresh - 1) {
        vehicle->contacts++;
        fm_event_add(v->world, v->index, "contact", (double)__builtin_ctzll(fresh));
    }
    vehicle->touching = now;
}

static void restore_pose(vehicle_contact *v, const double before[7])
{
    fm_vehicle *vehicle = v->slot->vehicle;
    memcpy(vehicle->body.position, before, 3 * sizeof *before);
    memcpy(vehicle->body.attitude, before + 3, 4 * sizeof *before);
    for (int i = 0; i < 6; i++)
        vehicle->body.velocity[i] *= v->slot->type->contact.kept_speed;
    if (v->slot->type->kind->touched)
        v->slot->type->kind->touched(v->slot->type, vehicle);
}

static int moved_now(const fm_world *world, const fm_type *type)
{
    return (world->head->tick + 1) % type->period == 0;
}

static void collide_one(fm_world *world, int index)
{
    fm_slot *slot = &world->slots[index];
    if (slot->vehicle->life != FM_ALIVE || !slot->type->shape_count ||
        slot->type->contact.response == FM_CONTACT_NONE || !moved_now(world, slot->type))
        return;
    vehicle_contact v = {
        .world = world, .index = index, .slot = slot, .t = fm_world_time(world) + world->model->settings.dt};
    v.shape_count = fm_body_shapes(slot, v.shapes);
    v.self.vehicle = slot->vehicle;
    v.self.mass = fm_slot_mass(world, index);
    v.self.step = slot->type->step_s;
    refresh_side(&v.self, slot);
    const double *before = world->contact->before[index];
    if (slot->type->contact.response == FM_CONTACT_IMPULSE)
        sweep(&v, before);
    for (int pass = 0; pass < PASSES && meet_all(&v); pass++)
        if (slot->type->contact.response == FM_CONTACT_COUNT)
            break;
        else if (slot->type->contact.response == FM_CONTACT_RESTORE) {
            restore_pose(&v, before);
            break;
        }
    count_onsets(&v);
    if (slot->type->contact.clearance)
        note_clearance(&v);
}

/* --- vehicles against each other --- */

static int partner_place(const fm_vehicle *vehicle, int64_t other)
{
    for (int i = 0; i < 4; i++)
        if (vehicle->partners[i] == other + 1)
            return i;
    return -1;
}

static void add_partner(fm_world *world, int index, int other)
{
    fm_vehicle *vehicle = world->slots[index].vehicle;
    if (partner_place(vehicle, other) >= 0)
        return;
    int place = partner_place(vehicle, -1);
    vehicle->partners[place >= 0 ? place : 0] = other + 1;
    world->contact->any_partners = 1;
    vehicle->vehicle_contacts++;
    fm_event_add(world, index, "vehicle contact", (double)other);
}

/* Pushes two hulls apart along the normal, each by its share of the inverse mass. */
static void separate(fm_touch_side *a, fm_touch_side *b, const fm_touch *touch)
{
    double ka = fm_contact_touch_row(a, touch->point, touch->normal),
           kb = fm_contact_touch_row(b, touch->point, touch->normal);
    double share = ka + kb > 0 ? ka / (ka + kb) : 0.5;
    for (int i = 0; i < 3; i++) {
        a->vehicle->body.position[i] += share * touch->depth * touch->normal[i];
        b->vehicle->body.position[i] -= (1 - share) * touch->depth * touch->normal[i];
    }
}

/* Hulls that restore their pose would lock each other: each moves by `way` [m] along the line of centres. */
static void part_slowly(fm_vehicle *a, fm_vehicle *b, double way)
{
    double d[3], length = 0;
    for (int i = 0; i < 3; i++) {
        d[i] = a->body.position[i] - b->body.position[i];
        length += d[i] * d[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 3 && length > 0; i++) {
        a->body.position[i] += way * d[i] / length;
        b->body.position[i] -= way * d[i] / length;
    }
}

static void meet_vehicle(fm_world *world, int i, int k, const fm_touch *touch)
{
    const fm_contact_rule *ra = &world->slots[i].type->contact, *rb = &world->slots[k].type->contact;
    add_partner(world, i, k);
    add_partner(world, k, i);
    if (ra->response == FM_CONTACT_RESTORE || rb->response == FM_CONTACT_RESTORE) {
        part_slowly(world->slots[i].vehicle, world->slots[k].vehicle, fmax(ra->parting, rb->parting));
        return;
    }
    fm_touch_side a = {0}, b = {0};
    if (ra->response == FM_CONTACT_IMPULSE) {
        a.vehicle = world->slots[i].vehicle;
        a.mass = fm_slot_mass(world, i);
        a.step = world->slots[i].type->step_s;
        refresh_side(&a, &world->slots[i]);
    }
    if (rb->response == FM_CONTACT_IMPULSE) {
        b.vehicle = world->slots[k].vehicle;
        b.mass = fm_slot_mass(world, k);
        b.step = world->slots[k].type->step_s;
        refresh_side(&b, &world->slots[k]);
    }
    fm_contact_exchange(&a, &b, touch, fmin(ra->restitution, rb->restitution), fmin(ra->friction, rb->friction));
    if (a.vehicle && b.vehicle)
        separate(&a, &b, touch);
}

/* Forgets partners that are 1 mm apart or gone. */
static void forget_partners(fm_world *world, int index)
{
    const struct fm_contact_state *c = world->contact;
    fm_vehicle *vehicle = world->slots[index].vehicle;
    if (vehicle->life == FM_EMPTY)
        return;
    for (int i = 0; i < 4; i++) {
        if (!vehicle->partners[i])
            continue;
        int other = (int)vehicle->partners[i] - 1, near = 0;
        for (uint32_t a = c->first[index]; a < c->first[index + 1]; a++)
            for (uint32_t b = c->first[other]; b < c->first[other + 1]; b++)
                near |= fm_shape_distance(&c->list[a].shape, &c->list[b].shape) < part_again;
        if (!near)
            vehicle->partners[i] = 0;
    }
}

/* Boxes of a vehicle's shapes for the search of pairs: of the ball that holds them all where they do not move in the
 * body, so that only those that may touch are placed. */
static void box_one(fm_world *world, int index)
{
    struct fm_contact_state *c = world->contact;
    const fm_slot *slot = &world->slots[index];
    const fm_vehicle *vehicle = slot->vehicle;
    double reach = vehicle->life == FM_EMPTY ? 0 : c->reach[vehicle->type];
    int partners = (vehicle->partners[0] | vehicle->partners[1] | vehicle->partners[2] | vehicle->partners[3]) != 0;
    if (partners)
        __atomic_store_n(&c->any_partners, 1, __ATOMIC_RELAXED);
    if (reach < 0 || partners)
        fm_contact_place_body(world, index);
    for (uint32_t i = c->first[index]; i < c->first[index + 1]; i++) {
        c->groups[i] = (uint32_t)index;
        if (vehicle->life != FM_ALIVE || slot->type->contact.response == FM_CONTACT_NONE ||
            i - c->first[index] >= slot->type->shape_count)
            c->boxes[i] = (fm_aabb){{1, 1, 1}, {0, 0, 0}}; /* empty: overlaps nothing */
        else if (reach < 0)
            fm_shape_aabb(&c->list[i].shape, &c->boxes[i]);
        else
            for (int k = 0; k < 3; k++) {
                c->boxes[i].low[k] = vehicle->body.position[k] - reach;
                c->boxes[i].high[k] = vehicle->body.position[k] + reach;
            }
    }
}

static void collide_vehicles(fm_world *world)
{
    struct fm_contact_state *c = world->contact;
    const fm_broadphase_pair *pairs;
    size_t count;
    c->any_partners = 0;
    fm_world_for_slots(world, box_one);
    c->overflow =
        fm_broadphase_pairs(c->broadphase, c->vehicle_bodies, c->boxes, c->groups, &pairs, &count, NULL) != FM_OK;
    if (c->overflow)
        return;                          /* fm_stage_check ends the run: a contact must not be missed in silence */
    for (size_t i = 0; i < count; i++) { /* all before any of them is pushed */
        fm_contact_place_body(world, (int)c->groups[pairs[i].first]);
        fm_contact_place_body(world, (int)c->groups[pairs[i].second]);
    }
    for (size_t i = 0; i < count; i++) {
        fm_separation s;
        fm_shape_separation(&c->list[pairs[i].first].shape, &c->list[pairs[i].second].shape, &s);
        if (s.distance >= 0)
            continue;
        fm_touch touch = {.depth = -s.distance};
        memcpy(touch.point, s.point_b, sizeof touch.point);
        memcpy(touch.normal, s.normal, sizeof touch.normal);
        meet_vehicle(world, (int)c->groups[pairs[i].first], (int)c->groups[pairs[i].second], &touch);
    }
    if (c->any_partners)
        fm_world_for_slots(world, forget_partners);
}

void fm_stage_collide(fm_world *world)
{
    const fm_environment *e = world->model->environment;
    if (!world->contact || !world->contact->vehicle_bodies)
        return;
    if (e->obstacle_count || e->bottom)
        fm_world_for_slots(world, collide_one);
    if (world->contact->broadphase)
        collide_vehicles(world);
}
