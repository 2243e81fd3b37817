/* Stage collide. Hulls against obstacles and bottom, each vehicle by itself; then vehicles against each other, in order. */
#include "world/contact.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "geometry/broadphase.h"
#include "geometry/distance.h"
#include "sensors/environment.h"

enum { SHAPES_MOST = 8, POINTS_MOST = 8, SWEEPS_MOST = 64, PASSES = 4 };
static const double part_again = 1e-3;    /* m apart: a contact has ended */
static const double bounce_speed = 0.01;  /* m/s over what one step gives: slower approaches do not bounce, so that resting contact rests */

struct fm_contact_state {
    fm_bodies bodies;
    fm_ray_body *list;        /* of vehicles, then of moving obstacles */
    uint32_t *first;          /* per slot: where its shapes begin */
    fm_aabb *boxes;
    uint32_t *groups;
    fm_broadphase *broadphase; /* NULL: one vehicle only */
    size_t vehicle_bodies, room;
    double *reach;            /* per type: radius about the body origin that holds its shapes, m; < 0: they move */
    int any_partners;         /* some vehicles touch each other */
    double (*before)[7];      /* per slot: pose before the step, for `restore` and fast movers */
};

/* --- bodies --- */

static size_t shapes_of(const fm_model *model, size_t slot)
{
    if (slot < model->vehicle_count)
        return model->types[model->vehicles[slot].type].shape_count;
    size_t most = 0;
    for (size_t i = 0; i < model->type_count; i++)
        most = model->types[i].shape_count > most ? model->types[i].shape_count : most;
    return most;
}

static fm_status allocate(struct fm_contact_state *c, const fm_world *world, size_t moving, fm_error *error)
{
    size_t slots = (size_t)world->slot_count, room = c->vehicle_bodies + moving + 1;
    c->list = fm_alloc(room * sizeof *c->list);
    c->first = fm_alloc((slots + 1) * sizeof *c->first);
    c->boxes = fm_alloc(room * sizeof *c->boxes);
    c->groups = fm_alloc(room * sizeof *c->groups);
    c->before = fm_alloc((slots + 1) * sizeof *c->before);
    c->reach = fm_alloc((world->model->type_count + 1) * sizeof *c->reach);
    if (!c->list || !c->first || !c->boxes || !c->groups || !c->before || !c->reach)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the contact of %zu shapes", room);
    c->room = room;
    if (world->slot_count > 1 && c->vehicle_bodies > 1 &&
        !(c->broadphase = fm_broadphase_create(c->vehicle_bodies, 32 * c->vehicle_bodies + 1024, error)))
        return FM_ERR_MEMORY;
    return FM_OK;
}

static double reach_of(const fm_type *type)
{
    double reach = 0;
    if (type->kind->shapes)
        return -1;
    for (size_t i = 0; i < type->shape_count; i++) {
        const double *p = type->shapes[i].position;
        reach = fmax(reach, sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) + fm_shape_bounding_radius(&type->shapes[i]));
    }
    return reach * (1 + 1e-12);
}

fm_status fm_contact_create(fm_world *world, fm_error *error)
{
    const fm_environment *e = world->model->environment;
    size_t moving = 0, shapes = 0;
    for (size_t i = 0; i < e->obstacle_count; i++)
        moving += e->obstacles[i].track_count > 0;
    for (int i = 0; i < world->slot_count; i++)
        shapes += shapes_of(world->model, (size_t)i);
    if (!shapes && !moving)
        return FM_OK;
    struct fm_contact_state *c = fm_alloc(sizeof *c);
    if (!c)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for contact");
    world->contact = c;
    c->vehicle_bodies = shapes;
    fm_status status = allocate(c, world, moving, error);
    for (int i = 0, at = 0; status == FM_OK && i <= world->slot_count; i++) {
        c->first[i] = (uint32_t)at;
        at += i < world->slot_count ? (int)shapes_of(world->model, (size_t)i) : 0;
    }
    for (size_t i = 0; status == FM_OK && i < world->model->type_count; i++)
        c->reach[i] = reach_of(&world->model->types[i]);
    return status;
}

void fm_contact_free(fm_world *world)
{
    struct fm_contact_state *c = world->contact;
    if (!c)
        return;
    fm_broadphase_free(c->broadphase);
    fm_free(c->list);
    fm_free(c->first);
    fm_free(c->boxes);
    fm_free(c->groups);
    fm_free(c->before);
    fm_free(c->reach);
    fm_free(c);
    world->contact = NULL;
}

/* Shapes of a vehicle in its body axes; returns how many. */
static size_t body_shapes(const fm_slot *slot, fm_shape out[SHAPES_MOST])
{
    size_t count = slot->type->shape_count;
    if (slot->type->kind->shapes)
        slot->type->kind->shapes(slot->type, slot->vehicle, out);
    else
        memcpy(out, slot->type->shapes, count * sizeof *out);
    return count;
}

static void present_quaternion(const fm_slot *slot, double q[4])
{
    if (slot->type->body.euler)
        fm_quat_from_euler(slot->vehicle->body.attitude, q);
    else
        memcpy(q, slot->vehicle->body.attitude, 4 * sizeof *q);
}

static void place_one(fm_world *world, int index)
{
    struct fm_contact_state *c = world->contact;
    const fm_slot *slot = &world->slots[index];
    fm_ray_body *list = c->list + c->first[index];
    size_t room = c->first[index + 1] - c->first[index], count = 0;
    if (slot->vehicle->life != FM_EMPTY) {
        fm_shape shapes[SHAPES_MOST];
        double q[4];
        present_quaternion(slot, q);
        count = body_shapes(slot, shapes);
        for (size_t i = 0; i < count && i < room; i++)
            list[i] = (fm_ray_body){fm_shape_carried(&shapes[i], slot->vehicle->body.position, q), (uint32_t)index};
    }
    for (size_t i = count; i < room; i++) { /* out of the way: a speck far off */
        list[i] = (fm_ray_body){fm_shape_sphere(1e-6), (uint32_t)index};
        list[i].shape.position[2] = -1e9 - index;
    }
}

void fm_place_bodies(fm_world *world)
{
    struct fm_contact_state *c = world->contact;
    if (!c || !(world->any_sensors || world->any_controllers || world->any_forces)) /* nobody asks */
        return;
    fm_for_slots(world, place_one);
    const fm_environment *e = world->model->environment;
    size_t at = c->vehicle_bodies;
    for (size_t i = 0; i < e->obstacle_count; i++)
        if (e->obstacles[i].track_count)
            c->list[at++] = (fm_ray_body){fm_obstacle_at(&e->obstacles[i], fm_world_time(world)), FM_BODY_OBSTACLE + (uint32_t)i};
    c->bodies = (fm_bodies){c->list, at};
}

const fm_bodies *fm_world_bodies(const fm_world *world)
{
    static const fm_bodies none;
    return world->contact ? &world->contact->bodies : &none;
}

/* --- one contact --- */

typedef struct contact {
    double point[3];   /* m, NED */
    double normal[3];  /* unit, NED, from the other body to this one */
    double depth;      /* m, of penetration */
} contact;

/* Row of the contact in body axes: velocity along `direction` of the touched point = row · ν. */
static void contact_row(const double R[9], const double position[3], const double point[3], const double direction[3], double row[6])
{
    double arm[3] = {point[0] - position[0], point[1] - position[1], point[2] - position[2]}, r[3];
    fm_to_body(R, arm, r);
    fm_to_body(R, direction, row);
    fm_cross(r, row, row + 3);
}

static double dot6(const double a[6], const double b[6])
{
    double sum = 0;
    for (int i = 0; i < 6; i++)
        sum += a[i] * b[i];
    return sum;
}

/* One side of a contact: a vehicle that can be pushed, or something that stands (vehicle NULL). */
typedef struct side {
    fm_vehicle *vehicle;
    const fm_mass *mass;
    double step;              /* s, of the vehicle */
    double R[9];
    double row[6], pushed[6]; /* contact row, M⁻¹ row */
} side;

static double prepare_row(side *s, const double point[3], const double direction[3])
{
    if (!s->vehicle)
        return 0;
    contact_row(s->R, s->vehicle->body.position, point, direction, s->row);
    fm_mul6(s->mass->inverse, s->row, s->pushed);
    return dot6(s->row, s->pushed);
}

static double speed_along(const side *s)
{
    return s->vehicle ? dot6(s->row, s->vehicle->body.velocity) : 0;
}

/* Speed towards the other that the forces of this one step have given; what a body at rest arrives with. */
static double speed_of_a_step(const side *s)
{
    return s->vehicle ? fabs(dot6(s->row, s->vehicle->acceleration)) * s->step : 0;
}

static void push(side *s, double impulse)
{
    for (int i = 0; s->vehicle && i < 6; i++)
        s->vehicle->body.velocity[i] += impulse * s->pushed[i];
}

/* Velocity of the touched point of a over that of b, NED. */
static void relative_velocity(const side *a, const side *b, const double point[3], double out[3])
{
    memset(out, 0, 3 * sizeof *out);
    for (int k = 0; k < 2; k++) {
        const side *s = k ? b : a;
        if (!s->vehicle)
            continue;
        double arm[3], r[3], turned[3], v[3], w[3];
        for (int i = 0; i < 3; i++)
            arm[i] = point[i] - s->vehicle->body.position[i];
        fm_to_body(s->R, arm, r);
        fm_cross(s->vehicle->body.velocity + 3, r, turned);
        for (int i = 0; i < 3; i++)
            v[i] = s->vehicle->body.velocity[i] + turned[i];
        fm_to_world(s->R, v, w);
        for (int i = 0; i < 3; i++)
            out[i] += k ? -w[i] : w[i];
    }
}

/* Impulse along the normal through the virtual masses: λ = −(1 + e) v_n / (Jᵀ M⁻¹ J), then Coulomb friction across it. */
static void exchange_impulse(side *a, side *b, const contact *touch, double restitution, double friction)
{
    double k = prepare_row(a, touch->point, touch->normal) + prepare_row(b, touch->point, touch->normal);
    double approach = speed_along(a) - speed_along(b);
    if (!(k > 0) || approach >= 0)
        return;
    double resting = bounce_speed + 1.5 * (speed_of_a_step(a) + speed_of_a_step(b));
    double bounce = -approach > resting ? restitution : 0;
    double normal_impulse = -(1 + bounce) * approach / k;
    push(a, normal_impulse);
    push(b, -normal_impulse);
    double v[3], across = 0, along;
    relative_velocity(a, b, touch->point, v);
    along = fm_dot(v, touch->normal);
    for (int i = 0; i < 3; i++) {
        v[i] -= along * touch->normal[i];
        across += v[i] * v[i];
    }
    across = sqrt(across);
    if (friction <= 0 || across < 1e-9)
        return;
    for (int i = 0; i < 3; i++)
        v[i] /= across;
    double kt = prepare_row(a, touch->point, v) + prepare_row(b, touch->point, v);
    double impulse = fmin(across / kt, friction * normal_impulse);
    push(a, -impulse);
    push(b, impulse);
}

/* --- hull against one standing thing --- */

/* Points of a shape that lie in a half-space: several, so that flat hulls rest flat. */
static size_t plane_contacts(const fm_shape *shape, const fm_shape *plane, contact out[POINTS_MOST])
{
    fm_separation s;
    fm_d3 n = fm_shape_plane_normal(plane);
    const double normal[3] = {n.x, n.y, n.z};
    size_t count = 0;
    fm_shape_separation(shape, plane, &s);
    if (s.distance >= 0)
        return 0;
    if (shape->kind != FM_SHAPE_BOX && shape->kind != FM_SHAPE_CAPSULE) {
        memcpy(out[0].point, s.point_a, sizeof s.point_a);
        memcpy(out[0].normal, normal, sizeof normal);
        out[0].depth = -s.distance;
        return 1;
    }
    for (int corner = 0; corner < (shape->kind == FM_SHAPE_BOX ? 8 : 2); corner++) {
        double local[3] = {0}, p[3], height = 0;
        if (shape->kind == FM_SHAPE_BOX)
            for (int i = 0; i < 3; i++)
                local[i] = corner >> i & 1 ? shape->size[i] : -shape->size[i];
        else
            local[shape->axis] = corner ? shape->size[1] : -shape->size[1];
        fm_to_world(shape->rotation, local, p);
        for (int i = 0; i < 3; i++) {
            p[i] += shape->position[i] - (shape->kind == FM_SHAPE_CAPSULE ? shape->size[0] * normal[i] : 0);
            height += (p[i] - plane->position[i]) * normal[i];
        }
        if (height >= 0)
            continue;
        memcpy(out[count].point, p, sizeof p);
        memcpy(out[count].normal, normal, sizeof normal);
        out[count++].depth = -height;
    }
    return count;
}

static size_t find_contacts(const fm_shape *shape, const fm_shape *other, contact out[POINTS_MOST])
{
    if (other->kind == FM_SHAPE_PLANE)
        return plane_contacts(shape, other, out);
    fm_separation s;
    fm_shape_separation(shape, other, &s);
    if (s.distance >= 0)
        return 0;
    memcpy(out[0].point, s.point_b, sizeof s.point_b);
    memcpy(out[0].normal, s.normal, sizeof s.normal);
    out[0].depth = -s.distance;
    return 1;
}

/* The bottom below a shape as a plane through the bottom there. */
static fm_shape bottom_plane(const fm_environment *e, const double at[3])
{
    double point[3] = {at[0], at[1], fm_bottom_depth(e->bottom, at[0], at[1])}, normal[3];
    fm_bottom_normal(e->bottom, at[0], at[1], normal);
    return fm_shape_wall(point, normal);
}

static double hull_radius(const fm_shape *shape)
{
    return fm_shape_bounding_radius(shape);
}

/* Standing thing `i` (the bottom after the obstacles), or 0 where it is too far from the shape to matter. */
static int standing_shape(const fm_world *world, size_t i, const fm_shape *shape, double reach, double t, fm_shape *out)
{
    const fm_environment *e = world->model->environment;
    if (i == e->obstacle_count) {
        if (!e->bottom)
            return 0;
        double depth = fm_bottom_depth(e->bottom, shape->position[0], shape->position[1]);
        if (depth - shape->position[2] > 4 * (hull_radius(shape) + reach))
            return 0;
        *out = bottom_plane(e, shape->position);
        return 1;
    }
    *out = fm_obstacle_at(&e->obstacles[i], t);
    double far = hull_radius(shape) + reach, d2 = 0;
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
    side self;
    fm_shape shapes[SHAPES_MOST]; /* body axes */
    size_t shape_count;
    double t;                     /* s, at the end of the step */
    uint64_t touched;
} vehicle_contact;

static void refresh_side(side *s, const fm_slot *slot)
{
    fm_body_matrix(&slot->type->body, slot->vehicle->body.attitude, s->R);
}

static fm_shape shape_now(const vehicle_contact *v, size_t i)
{
    double q[4];
    present_quaternion(v->slot, q);
    return fm_shape_carried(&v->shapes[i], v->slot->vehicle->body.position, q);
}

/* Answers contacts of one shape with one thing; returns whether there were any. */
static int meet(vehicle_contact *v, size_t shape_index, size_t thing)
{
    const fm_environment *e = v->world->model->environment;
    fm_shape shape = shape_now(v, shape_index), other;
    contact touches[POINTS_MOST];
    if (!standing_shape(v->world, thing, &shape, 0, v->t, &other))
        return 0;
    size_t count = find_contacts(&shape, &other, touches);
    if (!count)
        return 0;
    v->touched |= bit_of(e, thing);
    if (v->slot->type->contact.response != FM_CONTACT_IMPULSE)
        return 1;
    side standing = {0};
    double deepest = 0;
    const double *normal = touches[0].normal;
    for (size_t i = 0; i < count; i++) {
        exchange_impulse(&v->self, &standing, &touches[i], v->slot->type->contact.restitution, v->slot->type->contact.friction);
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

/* Fast movers: the path of the step in pieces shorter than half the hull's least radius; the first touch ends it. */
static void sweep(vehicle_contact *v, const double before[7])
{
    double *p = v->slot->vehicle->body.position, end[3], d2 = 0, least = HUGE_VAL;
    memcpy(end, p, sizeof end);
    for (int k = 0; k < 3; k++)
        d2 += (end[k] - before[k]) * (end[k] - before[k]);
    for (size_t s = 0; s < v->shape_count; s++) {
        const fm_shape *shape = &v->shapes[s];
        double radius = shape->kind == FM_SHAPE_BOX || shape->kind == FM_SHAPE_ELLIPSOID
                            ? fmin(shape->size[0], fmin(shape->size[1], shape->size[2])) : shape->size[0];
        least = fmin(least, radius);
    }
    double pieces = least > 0 ? ceil(sqrt(d2) / (0.5 * least)) : 1;
    int count = pieces > SWEEPS_MOST ? SWEEPS_MOST : (int)pieces;
    for (int i = 1; i < count; i++) {
        for (int k = 0; k < 3; k++)
            p[k] = before[k] + (end[k] - before[k]) * i / count;
        if (meet_all(v))
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
        vehicle->body.velocity[i] *= 0.3;
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
    if (slot->vehicle->life != FM_ALIVE || !slot->type->shape_count || slot->type->contact.response == FM_CONTACT_NONE || !moved_now(world, slot->type))
        return;
    vehicle_contact v = {.world = world, .index = index, .slot = slot, .t = fm_world_time(world) + world->model->settings.dt};
    v.shape_count = body_shapes(slot, v.shapes);
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

static void remember_one(fm_world *world, int index)
{
    double *before = world->contact->before[index];
    memcpy(before, world->slots[index].vehicle->body.position, 3 * sizeof *before);
    memcpy(before + 3, world->slots[index].vehicle->body.attitude, 4 * sizeof *before);
}

void fm_contact_remember(fm_world *world)
{
    const fm_environment *e = world->model->environment;
    if (world->contact && world->contact->vehicle_bodies && (e->obstacle_count || e->bottom))
        fm_for_slots(world, remember_one);
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
static void separate(side *a, side *b, const contact *touch)
{
    double ka = prepare_row(a, touch->point, touch->normal), kb = prepare_row(b, touch->point, touch->normal);
    double share = ka + kb > 0 ? ka / (ka + kb) : 0.5;
    for (int i = 0; i < 3; i++) {
        a->vehicle->body.position[i] += share * touch->depth * touch->normal[i];
        b->vehicle->body.position[i] -= (1 - share) * touch->depth * touch->normal[i];
    }
}

/* Hulls that restore their pose would lock each other: they part by 10 mm along the line of centres. */
static void part_slowly(fm_vehicle *a, fm_vehicle *b)
{
    double d[3], length = 0;
    for (int i = 0; i < 3; i++) {
        d[i] = a->body.position[i] - b->body.position[i];
        length += d[i] * d[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 3 && length > 0; i++) {
        a->body.position[i] += 0.005 * d[i] / length;
        b->body.position[i] -= 0.005 * d[i] / length;
    }
}

static void meet_vehicle(fm_world *world, int i, int k, const contact *touch)
{
    const fm_contact_rule *ra = &world->slots[i].type->contact, *rb = &world->slots[k].type->contact;
    add_partner(world, i, k);
    add_partner(world, k, i);
    if (ra->response == FM_CONTACT_RESTORE || rb->response == FM_CONTACT_RESTORE) {
        part_slowly(world->slots[i].vehicle, world->slots[k].vehicle);
        return;
    }
    side a = {0}, b = {0};
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
    exchange_impulse(&a, &b, touch, fmin(ra->restitution, rb->restitution), fmin(ra->friction, rb->friction));
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

/* Boxes of a vehicle's shapes for the search of pairs: of the ball that holds them all where they do not move in the body,
 * so that only those that may touch are placed. */
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
        place_one(world, index);
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
    const fm_pair *pairs;
    size_t count;
    c->any_partners = 0;
    fm_for_slots(world, box_one);
    if (fm_broadphase_pairs(c->broadphase, c->vehicle_bodies, c->boxes, c->groups, &pairs, &count, NULL) != FM_OK)
        return;
    for (size_t i = 0; i < count; i++) { /* all before any of them is pushed */
        place_one(world, (int)c->groups[pairs[i].first]);
        place_one(world, (int)c->groups[pairs[i].second]);
    }
    for (size_t i = 0; i < count; i++) {
        fm_separation s;
        fm_shape_separation(&c->list[pairs[i].first].shape, &c->list[pairs[i].second].shape, &s);
        if (s.distance >= 0)
            continue;
        contact touch = {.depth = -s.distance};
        memcpy(touch.point, s.point_b, sizeof touch.point);
        memcpy(touch.normal, s.normal, sizeof touch.normal);
        meet_vehicle(world, (int)c->groups[pairs[i].first], (int)c->groups[pairs[i].second], &touch);
    }
    if (c->any_partners)
        fm_for_slots(world, forget_partners);
}

/* Bytes that contact holds for the vehicle in this slot. */
size_t fm_contact_bytes(const fm_world *world, int slot)
{
    const struct fm_contact_state *c = world->contact;
    if (!c)
        return 0;
    size_t shapes = c->first[slot + 1] - c->first[slot];
    size_t each = sizeof *c->list + sizeof *c->boxes + sizeof *c->groups;
    if (c->broadphase)
        each += fm_broadphase_bytes(c->broadphase) / c->vehicle_bodies;
    return shapes * each + sizeof *c->before + sizeof *c->first;
}

void fm_stage_collide(fm_world *world)
{
    const fm_environment *e = world->model->environment;
    if (!world->contact || !world->contact->vehicle_bodies)
        return;
    if (e->obstacle_count || e->bottom)
        fm_for_slots(world, collide_one);
    if (world->contact->broadphase)
        collide_vehicles(world);
}
