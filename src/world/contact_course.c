/* The path of one vehicle through a step: to its first contact, from there with the velocity after the impulses, and so
 * on to the end of the step. */
#include <math.h>
#include <string.h>

#include "physics/posture.h"
#include "physics/vector.h"
#include "world/contact_internal.h"

enum { SHIFTS_MOST = 8 };

void fm_mover_begin(fm_world *world, int index, fm_touch_list *bodies, fm_mover *m)
{
    const fm_slot *slot = &world->slots[index];
    m->world = world;
    m->index = index;
    m->slot = slot;
    m->bodies = bodies;
    m->bearings.count = 0;
    m->overlap = m->tight = m->silent = false;
    m->step = slot->type->step_s;
    m->start = fm_world_time(world) + world->model->settings.dt - m->step;
    m->shape_count = fm_body_shapes(slot, m->shapes);
}

static void take_pose(const fm_type *type, const double position[3], const double attitude[4], double pose[FM_POSE])
{
    memcpy(pose, position, 3 * sizeof *pose);
    if (type->body.euler)
        fm_quat_from_euler(attitude, pose + 3);
    else
        memcpy(pose + 3, attitude, 4 * sizeof *pose);
}

/* Converts a velocity that is constant in the world from the axes of one attitude to those of another. */
static void carry_velocity(const double from[4], const double to[4], double velocity[3])
{
    double R[9], v[3];
    if (memcmp(from, to, 4 * sizeof *from) == 0)
        return;
    fm_quat_matrix(from, R);
    fm_vector_to_world(R, velocity, v);
    fm_quat_matrix(to, R);
    fm_vector_to_body(R, v, velocity);
}

/* The change of velocity over the step in the world, without the change of components caused by rotating axes. */
static void find_gained(const fm_mover *m, fm_plan *plan)
{
    double R[9], first[3], last[3], begun[3];
    for (int i = 0; i < 3; i++)
        begun[i] = plan->velocity[i] - m->step * m->slot->vehicle->acceleration[i];
    fm_quat_matrix(plan->pose + 3, R);
    fm_vector_to_world(R, begun, first);
    fm_quat_matrix(plan->goal + 3, R);
    fm_vector_to_world(R, plan->velocity, last);
    for (int i = 0; i < 3; i++)
        plan->gained[i] = last[i] - first[i];
}

fm_plan fm_mover_plan(const fm_mover *m)
{
    fm_plan plan = {.way = FM_COURSE_GOAL};
    const double *before = m->world->contact->before[m->index];
    const fm_body_state *body = &m->slot->vehicle->body;
    take_pose(m->slot->type, before, before + 3, plan.pose);
    take_pose(m->slot->type, body->position, body->attitude, plan.goal);
    memcpy(plan.velocity, body->velocity, sizeof plan.velocity);
    find_gained(m, &plan);
    carry_velocity(plan.goal + 3, plan.pose + 3, plan.velocity);
    return plan;
}

void fm_plan_advance(fm_plan *plan, const fm_motion *motion, double s)
{
    fm_motion_at(motion, s, plan->pose);
    carry_velocity(motion->start + 3, plan->pose + 3, plan->velocity);
}

fm_motion fm_mover_motion(const fm_mover *m, const fm_plan *plan)
{
    fm_motion motion;
    double left = (1 - plan->since) * m->step, turn[3];
    if (plan->way == FM_COURSE_HELD) {
        fm_motion_rest(plan->pose, &motion);
    } else if (plan->way == FM_COURSE_FREE) {
        fm_motion_drift(plan->pose, plan->velocity, left, plan->pivot, &motion);
    } else {
        for (int k = 0; k < 3; k++)
            turn[k] = plan->velocity[3 + k] * left;
        fm_motion_between(plan->pose, plan->goal, turn, &motion);
    }
    return motion;
}

/* --- looking ahead --- */

/* The motion of one shape among all fixed objects. */
typedef struct scan {
    fm_mover *mover;
    fm_sweep_side side;
    fm_sweep_axes axes;
    double touch, until;
    bool counting; /* all contacts are recorded, none stops the motion */
    bool hit;
} scan;

static void view_at(scan *l, const fm_sweep_side *other, uint32_t body, double start, double end)
{
    fm_sweep_result r;
    if (start >= l->until)
        return;
    bool hit = fm_sweep_touch(&l->side, other, l->touch, l->counting ? NULL : &l->axes, start, fmin(end, l->until), &r);
    if (start == 0 && r.first_gap < 0.5 * FM_CONTACT_TOUCH)
        l->mover->overlap = true;
    if (l->counting && (hit || (start == 0 && r.first_gap <= l->touch)))
        fm_touch_list_add(l->mover->bodies, body);
    if (!hit || l->counting)
        return;
    l->hit = true;
    l->until = r.s;
}

static void inspect_solid(void *user, const fm_solid *solid)
{
    view_at(user, &solid->side, solid->body, 0, 1);
}

/* An obstacle on its track, leg by leg, while the motion goes from time t to t + span. */
static void inspect_moving(scan *l, uint32_t number, double t, double span)
{
    const fm_obstacle *o = &l->mover->world->environment->obstacles[number];
    fm_shape shape = o->shape;
    memset(shape.position, 0, sizeof shape.position);
    for (double s = 0; s < l->until;) {
        double corner = (fm_obstacle_corner(o, t + s * span) - t) / span, end = fmin(corner > s ? corner : 1, 1);
        fm_shape from = fm_obstacle_at(o, t + s * span), to = fm_obstacle_at(o, t + end * span);
        double start[FM_POSE] = {0, 0, 0, 1}, way[3], none[3] = {0};
        for (int k = 0; k < 3; k++) {
            way[k] = end > s ? (to.position[k] - from.position[k]) / (end - s) : 0;
            start[k] = from.position[k] - s * way[k];
        }
        fm_motion motion;
        fm_motion_set(start, way, none, &motion);
        view_at(l, &(fm_sweep_side){.shape = &shape, .motion = &motion}, FM_BODY_OBSTACLE + number, s, end);
        if (end >= 1)
            return;
        s = end;
    }
}

/* Whether the obstacle can be met: from both centres and displacements. */
static bool may_meet(const scan *l, const fm_aabb *box, uint32_t number, double t, double span)
{
    const fm_obstacle *o = &l->mover->world->environment->obstacles[number];
    double reach = fm_shape_bounding_radius(&o->shape);
    for (double at = t; at < t + span;) {
        double corner = fmin(fm_obstacle_corner(o, at), t + span);
        fm_shape from = fm_obstacle_at(o, at), to = fm_obstacle_at(o, corner);
        bool apart = false;
        for (int k = 0; k < 3; k++)
            apart |= fmin(from.position[k], to.position[k]) - reach > box->high[k] + l->touch ||
                     fmax(from.position[k], to.position[k]) + reach < box->low[k] - l->touch;
        if (!apart)
            return true;
        at = corner > at ? corner : t + span;
    }
    return false;
}

static void search_around(scan *l, const fm_shape *shape, const fm_motion *motion, double since)
{
    const fm_environment *e = l->mover->world->environment;
    fm_aabb box;
    l->side = (fm_sweep_side){.shape = shape, .motion = motion};
    l->axes = l->mover->bearings;
    fm_sweep_aabb(&l->side, l->until, &box);
    for (int k = 0; k < 3; k++) {
        box.low[k] -= FM_CONTACT_TOUCH;
        box.high[k] += FM_CONTACT_TOUCH;
    }
    fm_solids_visit(e, &box, inspect_solid, l);
    double t = l->mover->start + since * l->mover->step, span = (1 - since) * l->mover->step;
    for (size_t i = 0; i < e->moving_count; i++)
        if (may_meet(l, &box, e->moving[i], t, span))
            inspect_moving(l, e->moving[i], t, span);
}

bool fm_mover_meets(fm_mover *m, const fm_motion *motion, double since, double touch, double *s)
{
    scan l = {.mover = m, .touch = touch, .until = 1};
    for (size_t i = 0; i < m->shape_count; i++)
        search_around(&l, &m->shapes[i], motion, since);
    *s = l.until;
    return l.hit;
}

void fm_mover_count(fm_mover *m, const fm_motion *motion)
{
    scan l = {.mover = m, .touch = FM_CONTACT_TOUCH, .until = 1, .counting = true};
    double end[FM_POSE];
    fm_motion_at(motion, 1, end);
    for (size_t i = 0; i < m->shape_count; i++) {
        fm_shape shape = fm_shape_carried(&m->shapes[i], end, end + 3);
        search_around(&l, &m->shapes[i], motion, 0);
        if (fm_solids_burial(m->world->environment, shape.position) > 0) /* under the bottom's sheet */
            fm_touch_list_add(m->bodies, FM_BODY_BOTTOM);
    }
}

/* --- answering --- */

fm_touch_side fm_mover_side(const fm_mover *m, const fm_plan *plan)
{
    fm_touch_side side = {0};
    if (m->slot->type->contact.response == FM_CONTACT_IMPULSE)
        side.inverse = fm_slot_mass(m->world, m->index)->inverse;
    memcpy(side.position, plan->pose, sizeof side.position);
    fm_quat_matrix(plan->pose + 3, side.R);
    memcpy(side.velocity, plan->velocity, sizeof side.velocity);
    fm_vector_to_body(side.R, plan->gained, side.coming);
    for (int i = 0; i < 3; i++) {
        side.coming[i] *= 1 - plan->since;
        side.coming[3 + i] = (1 - plan->since) * m->step * m->slot->vehicle->acceleration[3 + i];
    }
    for (int i = 0; i < 6; i++)
        side.gained[i] = m->slot->vehicle->acceleration[i] * m->step;
    return side;
}

/* Whether the speed is a small fraction of what the forces of a step cause. */
static bool is_residue(const fm_touch_side *side, double part)
{
    double speed = 0, gained = 0;
    for (int i = 0; i < 6; i++) {
        speed = fmax(speed, fabs(side->velocity[i]));
        gained = fmax(gained, fabs(side->gained[i]));
    }
    return speed < part * gained;
}

void fm_plan_deflect(fm_plan *plan, const fm_touch_side *side, const fm_touch *touches, size_t count)
{
    double middle[3] = {0};
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            middle[k] += (touches[i].pivot[k] - plan->pose[k]) / (double)count;
    fm_plan_set_free(plan, side, middle, 1e-7); /* what rounding leaves */
}

void fm_plan_set_free(fm_plan *plan, const fm_touch_side *side, const double middle[3], double residue)
{
    fm_vector_to_body(side->R, middle, plan->pivot);
    memcpy(plan->velocity, side->velocity, sizeof plan->velocity);
    if (is_residue(side, residue))
        memset(plan->velocity, 0, sizeof plan->velocity);
    plan->way = FM_COURSE_FREE;
}

static void keep_bearings(fm_mover *m, const fm_touch_set *set)
{
    fm_sweep_axes *axes = &m->bearings;
    axes->count = 0;
    for (size_t i = 0; i < set->count && axes->count < FM_SWEEP_AXES / 2; i++)
        if (i == 0 || memcmp(set->touch[i].normal, set->touch[i - 1].normal, sizeof set->touch[i].normal) != 0)
            memcpy(axes->normal[axes->count++], set->touch[i].normal, sizeof axes->normal[0]);
}

/* The hull has reached an object: impulses at all contact points. */
static void answer(fm_mover *m, fm_plan *plan)
{
    const fm_environment *e = m->world->environment;
    const fm_contact_rule *rule = &m->slot->type->contact;
    fm_touch_set set = {.count = 0};
    for (size_t i = 0; i < m->shape_count; i++) {
        fm_shape shape = fm_shape_carried(&m->shapes[i], plan->pose, plan->pose + 3);
        fm_contact_find_standing(e, &shape, m->start + plan->since * m->step, &set, m->bodies);
    }
    m->overlap |= set.overlap;
    keep_bearings(m, &set);
    for (size_t i = 0; i < set.count; i++)
        m->tight |= set.touch[i].gap < 0.9 * FM_CONTACT_TOUCH;
    if (rule->response != FM_CONTACT_IMPULSE) {
        plan->way = FM_COURSE_HELD;
    } else if (set.count) {
        fm_touch_side side = fm_mover_side(m, plan);
        fm_contact_solve(&side, NULL, set.touch, set.count, rule->restitution, rule->friction);
        fm_plan_deflect(plan, &side, set.touch, set.count);
    }
}

/* --- out of overlaps, and back to the full contact distance --- */

typedef struct deepest {
    const fm_shape *shape;
    double depth; /* m below FM_CONTACT_TOUCH */
    double normal[3];
} deepest;

static void offer_depth(void *user, const fm_solid *solid)
{
    deepest *d = user;
    fm_separation s;
    fm_sweep_gap(d->shape, &solid->side, &s);
    if (FM_CONTACT_TOUCH - s.distance > d->depth) {
        d->depth = FM_CONTACT_TOUCH - s.distance;
        memcpy(d->normal, s.normal, sizeof d->normal);
    }
}

static deepest find_deepest(const fm_mover *m, const double pose[FM_POSE])
{
    const fm_environment *e = m->world->environment;
    deepest d = {.depth = 0.1 * FM_CONTACT_TOUCH};
    for (size_t i = 0; i < m->shape_count; i++) {
        fm_shape shape = fm_shape_carried(&m->shapes[i], pose, pose + 3);
        fm_aabb box;
        fm_shape_aabb(&shape, &box);
        d.shape = &shape;
        fm_solids_visit(e, &box, offer_depth, &d);
        for (size_t k = 0; k < e->moving_count; k++) {
            fm_shape there = fm_obstacle_at(&e->obstacles[e->moving[k]], m->start + m->step);
            offer_depth(&d, &(fm_solid){{.shape = &there}, 0});
        }
    }
    return d;
}

void fm_mover_shift(fm_mover *m, double pose[FM_POSE], const double way[3])
{
    static const double none[3];
    fm_motion motion;
    double s;
    fm_motion_set(pose, way, none, &motion);
    fm_mover_meets(m, &motion, 1, 0.5 * FM_CONTACT_TOUCH, &s);
    fm_motion_at(&motion, s, pose);
}

static bool shift_out(fm_mover *m, double pose[FM_POSE])
{
    bool moved = false;
    for (int i = 0; i < SHIFTS_MOST; i++) {
        deepest d = find_deepest(m, pose);
        if (d.depth <= 0.1 * FM_CONTACT_TOUCH)
            break;
        double way[3] = {d.depth * d.normal[0], d.depth * d.normal[1], d.depth * d.normal[2]};
        fm_mover_shift(m, pose, way);
        moved = true;
    }
    return moved;
}

/* --- the whole way --- */

static void add_leg(fm_course *course, const fm_plan *plan, const fm_motion *motion, double to)
{
    if (!course)
        return;
    fm_leg *leg = &course->leg[course->count++];
    *leg = (fm_leg){.from = plan->since, .to = to, .motion = *motion};
    memcpy(leg->velocity, plan->velocity, sizeof leg->velocity);
}

static void hold(fm_mover *m, fm_plan *plan)
{
    if (m->slot->type->contact.response == FM_CONTACT_IMPULSE && !m->silent)
        fm_event_add(m->world, m->index, "held by contact", (1 - plan->since) * m->step);
    if (plan->since == 0) /* jammed */
        memset(plan->velocity, 0, sizeof plan->velocity);
    plan->way = FM_COURSE_HELD;
}

/* Each contact in a step may bring the hull a little closer, but never to half of FM_CONTACT_TOUCH: bodies that roll,
 * tip and slide at the same time sink by the square of their displacement between contacts. */
double fm_contact_nearest(int impacts)
{
    double room = 0.5;
    for (int i = 0; i < impacts && i < FM_CONTACT_LEGS; i++)
        room *= 0.9;
    return FM_CONTACT_TOUCH * (0.5 + room);
}

bool fm_mover_run(fm_mover *m, fm_plan *plan, fm_course *course)
{
    bool met = false;
    if (course)
        course->count = 0;
    for (int i = 0;; i++) {
        fm_motion motion = fm_mover_motion(m, plan);
        double s = 1, touch = fm_contact_nearest(plan->impacts);
        bool hit = plan->way != FM_COURSE_HELD && m->slot->type->contact.response != FM_CONTACT_COUNT &&
                   fm_mover_meets(m, &motion, plan->since, touch, &s);
        double to = hit ? plan->since + s * (1 - plan->since) : 1;
        add_leg(course, plan, &motion, to);
        met |= hit;
        if (!hit && !met && !m->overlap)
            return false;
        fm_plan_advance(plan, &motion, s);
        plan->since = to;
        if (!hit)
            break;
        plan->impacts++;
        answer(m, plan);
        if (plan->impacts >= FM_CONTACT_LEGS)
            hold(m, plan);
    }
    if ((m->overlap || m->tight) && m->slot->type->contact.response == FM_CONTACT_IMPULSE)
        met |= shift_out(m, plan->pose);
    return met;
}
