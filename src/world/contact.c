/* The collide stage: hulls against obstacles and bottom, each vehicle separately; then vehicles against each other, in
 * order; then contacts are counted. */
#include "world/contact.h"

#include <math.h>
#include <string.h>

#include "physics/posture.h"
#include "world/contact_internal.h"
#include "world/energy.h"
#include "world/vicinity.h"

static bool is_solid(const fm_slot *slot)
{
    return slot->vehicle->life == FM_ALIVE && slot->type->shape_count &&
           slot->type->contact.response != FM_CONTACT_NONE;
}

void fm_contact_write_attitude(fm_slot *slot, const double quaternion[4])
{
    double R[9], *attitude = slot->vehicle->body.attitude, square = 0;
    if (slot->type->body.euler) {
        fm_quat_matrix(quaternion, R);
        fm_euler_from_matrix(R, attitude);
        return;
    }
    for (int i = 0; i < 4; i++)
        square += quaternion[i] * quaternion[i];
    for (int i = 0; i < 4; i++)
        attitude[i] = quaternion[i] / sqrt(square);
}

/* --- far from everything --- */

static void read_pose(const fm_vehicle *vehicle, double pose[FM_POSE])
{
    memcpy(pose, vehicle->body.position, 3 * sizeof *pose);
    memcpy(pose + 3, vehicle->body.attitude, 4 * sizeof *pose);
}

static double distance_from(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static bool inside_ball(const fm_free_ball *ball, const double p[3], double reach)
{
    return distance_from(p, ball->centre) + reach + FM_CONTACT_NEAR < ball->radius;
}

/* Upper limit of the distance that a point of the hull has moved between two poses, m; for rotations below a right
 * angle. */
static double moved_between(const fm_type *type, double reach, const double a[FM_POSE], const double b[FM_POSE])
{
    double sum = 0, square = 0;
    for (int k = 3; k < FM_POSE; k++) {
        sum += fabs(a[k] - b[k]);
        square += (a[k] - b[k]) * (a[k] - b[k]);
    }
    /* of quaternions |a − b| = 2 sin (turn/4) */
    double turn = type->body.euler ? sum : square < 0.25 ? 2.1 * sqrt(square) : HUGE_VAL;
    return turn < 1.5 ? distance_from(a, b) + reach * turn : HUGE_VAL;
}

/* Room around the hull as it is now. */
static double find_room(const fm_world *world, int index, double limit)
{
    const fm_slot *slot = &world->slots[index];
    const fm_environment *e = world->environment;
    fm_shape shapes[FM_CONTACT_SHAPES];
    double q[4];
    size_t count = fm_body_shapes(slot, shapes);
    fm_body_quaternion(slot, q);
    for (size_t i = 0; i < count && limit > 0; i++) {
        fm_shape shape = fm_shape_carried(&shapes[i], slot->vehicle->body.position, q);
        fm_separation s;
        uint32_t body;
        if (fm_solids_burial(e, shape.position) > 0)
            return 0;
        if (fm_solids_nearest(e, &shape, limit, &s, &body))
            limit = fmin(limit, fmax(s.distance, 0));
    }
    return limit;
}

/* Near an obstacle, but not touching: it may move by its distance before it can touch. */
static bool has_room(fm_world *world, int index, const double before[FM_POSE], const double now[FM_POSE])
{
    const fm_type *type = world->slots[index].type;
    const double *velocity = world->slots[index].vehicle->body.velocity;
    fm_free_ball *ball = &world->contact->balls[index];
    double reach = fm_contact_reach(world, index), moved = moved_between(type, reach, now, ball->pose);
    double rate = sqrt(fm_dot(velocity + 3, velocity + 3));
    if (type->kind->shapes || rate * type->step_s > 1)
        return false;
    if (ball->room > 0 && moved < 0.02 * reach && moved + FM_CONTACT_NEAR >= ball->room)
        return false; /* as near as at the last query */
    if (!(ball->room > 0) || moved + FM_CONTACT_NEAR >= ball->room) {
        ball->room = fmax(find_room(world, index, reach), 1e-9);
        memcpy(ball->pose, now, sizeof ball->pose);
        moved = 0;
    }
    return moved + FM_CONTACT_NEAR < ball->room &&
           moved_between(type, reach, before, ball->pose) + FM_CONTACT_NEAR < ball->room;
}

/* Whether the vehicle's path is inside a ball without obstacles. Searches a new ball once the vehicle has moved far
 * enough. */
static bool is_clear(fm_world *world, int index, const double before[FM_POSE], const double now[FM_POSE])
{
    fm_free_ball *ball = &world->contact->balls[index];
    double reach = fm_contact_reach(world, index);
    if (inside_ball(ball, before, reach) && inside_ball(ball, now, reach))
        return true;
    if (ball->radius > 0 && distance_from(now, ball->centre) < 0.2 * reach)
        return has_room(world, index, before, now);
    memcpy(ball->centre, now, sizeof ball->centre);
    ball->radius = fmax(fm_solids_clearance(world->environment, now, 4 * reach + 20), 1e-9);
    return (inside_ball(ball, before, reach) && inside_ball(ball, now, reach)) || has_room(world, index, before, now);
}

/* --- many ticks at once --- */

bool fm_contact_is_free(const fm_world *world)
{
    const struct fm_contact_state *c = world->contact;
    if (!c || !c->vehicle_bodies)
        return true;
    if (c->moving || c->any_partners || (c->pairs && (world->vicinity->stale || world->vicinity->pair_count)))
        return false;
    for (int i = 0; i < world->slot_count; i++) {
        const fm_slot *slot = &world->slots[i];
        if (is_solid(slot) &&
            (slot->type->contact.clearance || c->touched[i].count ||
             (slot->type->touch_block.words && *fm_vehicle_words(slot->vehicle, slot->type->touch_block))))
            return false;
    }
    return true;
}

void fm_contact_bounds(const fm_world *world, int index, fm_glide_bounds *out)
{
    const struct fm_contact_state *c = world->contact;
    *out = (fm_glide_bounds){
        .radius = HUGE_VAL, .low = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, .high = {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
    if (!c || !is_solid(&world->slots[index]))
        return;
    const double reach = fm_contact_reach(world, index);
    if (c->standing) {
        const fm_free_ball *ball = &c->balls[index];
        memcpy(out->centre, ball->centre, sizeof out->centre);
        out->radius = ball->radius - (reach + FM_CONTACT_NEAR) * (1 + 1e-9);
    }
    for (int k = 0; c->pairs && k < 3; k++) {
        const fm_aabb *box = &world->vicinity->boxes[index];
        out->low[k] = box->low[k] + (reach + FM_CONTACT_TOUCH) * (1 + 1e-9);
        out->high[k] = box->high[k] - (reach + FM_CONTACT_TOUCH) * (1 + 1e-9);
    }
}

/* --- one vehicle against fixed objects --- */

/* Keeps the pose before the step, and a fraction of the speed. */
static void restore_pose(fm_world *world, int index)
{
    const fm_slot *slot = &world->slots[index];
    fm_vehicle *vehicle = slot->vehicle;
    const double *before = world->contact->before[index];
    memcpy(vehicle->body.position, before, 3 * sizeof *before);
    memcpy(vehicle->body.attitude, before + 3, 4 * sizeof *before);
    for (int i = 0; i < 6; i++)
        vehicle->body.velocity[i] *= slot->type->contact.kept_speed;
    if (slot->type->kind->touched)
        slot->type->kind->touched(slot->type, vehicle);
}

static void note_span(fm_aabb *span, const fm_course *course)
{
    for (int i = 0; i < course->count; i++) {
        double pose[2][FM_POSE];
        const fm_leg *leg = &course->leg[i];
        fm_motion_at(&leg->motion, 0, pose[0]);
        fm_motion_at(&leg->motion, leg->from < 1 ? (leg->to - leg->from) / (1 - leg->from) : 0, pose[1]);
        for (int n = 0; n < 2; n++)
            for (int k = 0; k < 3; k++) {
                double arm = fabs(leg->motion.pivot[k]) * leg->motion.angle;
                span->low[k] = i || n ? fmin(span->low[k], pose[n][k] - arm) : pose[n][k] - arm;
                span->high[k] = i || n ? fmax(span->high[k], pose[n][k] + arm) : pose[n][k] + arm;
            }
    }
}

static void follow(fm_world *world, int index, fm_mover *m)
{
    struct fm_contact_state *c = world->contact;
    fm_vehicle *vehicle = world->slots[index].vehicle;
    fm_plan plan = fm_mover_plan(m), begun = plan;
    fm_course course;
    if (!fm_mover_run(m, &plan, &course))
        return;
    c->broken[index] = 1;
    c->plans[index] = begun;
    note_span(&c->spans[index], &course);
    memcpy(vehicle->body.position, plan.pose, sizeof vehicle->body.position);
    memcpy(vehicle->body.velocity, plan.velocity, sizeof vehicle->body.velocity);
    if (memcmp(plan.pose + 3, begun.pose + 3, 4 * sizeof(double)) == 0)
        memcpy(vehicle->body.attitude, c->before[index] + 3, sizeof vehicle->body.attitude);
    else
        fm_contact_write_attitude(&world->slots[index], plan.pose + 3);
}

static void meet_standing(fm_world *world, int index)
{
    fm_mover m;
    fm_mover_begin(world, index, &world->contact->touched[index], &m);
    fm_plan plan = fm_mover_plan(&m);
    double s;
    switch (world->slots[index].type->contact.response) {
    case FM_CONTACT_IMPULSE: follow(world, index, &m); break;
    case FM_CONTACT_COUNT: {
        fm_motion motion = fm_mover_motion(&m, &plan);
        fm_mover_count(&m, &motion);
        break;
    }
    case FM_CONTACT_RESTORE: {
        fm_motion motion = fm_mover_motion(&m, &plan);
        fm_mover_count(&m, &motion);
        if (m.bodies->count && fm_mover_meets(&m, &motion, 0, FM_CONTACT_TOUCH, &s))
            restore_pose(world, index);
        break;
    }
    default: break;
    }
}

/* --- again the same --- */

static void read_given(const fm_world *world, int index, fm_contact_memo *memo)
{
    const fm_slot *slot = &world->slots[index];
    memcpy(memo->given.before, world->contact->before[index], sizeof memo->given.before);
    read_pose(slot->vehicle, memo->given.after);
    memcpy(memo->given.velocity, slot->vehicle->body.velocity, sizeof memo->given.velocity);
    memcpy(memo->given.acceleration, slot->vehicle->acceleration, sizeof memo->given.acceleration);
    memo->given.mass = slot->own_mass_key;
}

/* It touches no fixed object. Written only if it did before: most vehicles are far from everything most of the time. */
static void leave(struct fm_contact_state *c, int index)
{
    if (c->touched[index].count)
        c->touched[index].count = 0;
    if (c->memos[index].steady)
        c->memos[index].steady = 0;
}

/* A body at rest has the same input in every step, and fixed objects do not move: the previous answer is used. */
static bool recall(fm_world *world, int index, const fm_contact_memo *now)
{
    const fm_contact_memo *memo = &world->contact->memos[index];
    fm_vehicle *vehicle = world->slots[index].vehicle;
    if (!memo->steady || memcmp(&memo->given, &now->given, sizeof memo->given) != 0)
        return false;
    memcpy(vehicle->body.position, memo->pose, 3 * sizeof(double));
    memcpy(vehicle->body.attitude, memo->pose + 3, 4 * sizeof(double));
    memcpy(vehicle->body.velocity, memo->velocity, sizeof memo->velocity);
    return true;
}

static void collide_one(fm_world *world, int index)
{
    struct fm_contact_state *c = world->contact;
    const fm_slot *slot = &world->slots[index];
    fm_contact_memo *memo = &c->memos[index], now;
    double pose[FM_POSE];
    if (!is_solid(slot)) {
        leave(c, index);
        return;
    }
    if ((world->head->tick + 1) % slot->type->period != 0)
        return;
    read_pose(slot->vehicle, pose);
    if (!c->moving && is_clear(world, index, c->before[index], pose)) {
        leave(c, index);
        return;
    }
    read_given(world, index, &now);
    if (!c->moving && recall(world, index, &now))
        return; /* and it touches what it touched */
    uint32_t events = slot->event_count;
    c->touched[index].count = c->touched[index].overflow = 0;
    meet_standing(world, index);
    read_pose(slot->vehicle, now.pose);
    memcpy(now.velocity, slot->vehicle->body.velocity, sizeof now.velocity);
    now.steady = slot->event_count == events && !slot->type->kind->shapes &&
                 memcmp(now.pose, now.given.before, sizeof now.pose) == 0;
    *memo = now;
}

static void collide_all(fm_world *world)
{
    struct fm_contact_state *c = world->contact;
    if (!c || !c->vehicle_bodies)
        return;
    c->crowded = 0;
    if (c->standing)
        fm_world_for_slots(world, collide_one);
    if (c->pairs)
        fm_contact_pairs(world);
    if (c->standing)
        fm_world_for_slots(world, fm_contact_conclude);
}

static void collide(fm_world *world, const void *config, double *state)
{
    (void)config, (void)state;
    fm_energy_before_contact(world);
    collide_all(world);
    fm_energy_after_contact(world);
}

const fm_subsystem fm_contact_subsystem = {.id = FM_SUBSYSTEM_CONTACT,
                                           .name = "contact",
                                           .create = fm_contact_create,
                                           .free = fm_contact_free,
                                           .forget = fm_contact_clear_bodies,
                                           .place_bodies = fm_contact_place_bodies,
                                           .collect = fm_contact_remember,
                                           .collide = collide,
                                           .check = fm_contact_check};
