/* Vehicles against each other, in order of their contact times. */
#include <math.h>
#include <string.h>

#include "physics/posture.h"
#include "physics/vector.h"
#include "world/contact_internal.h"
#include "world/vicinity.h"

static enum fm_contact_response response_of(const fm_world *world, int slot)
{
    return world->slots[slot].type->contact.response;
}

/* --- when --- */

typedef struct meeting {
    fm_world *world;
    int a, b;
    const fm_contact_track *track_a, *track_b;
    double touch;
    bool overlap;
    fm_contact_track spare;
} meeting;

static bool shapes_apart(const fm_shape *a, const fm_motion *ma, const fm_shape *b, const fm_motion *mb)
{
    fm_shape sa = fm_shape_carried(a, ma->start, ma->start + 3), sb = fm_shape_carried(b, mb->start, mb->start + 3);
    double reach = fm_shape_bounding_radius(a) + fm_shape_bounding_radius(b) + FM_CONTACT_TOUCH;
    reach += fm_d3_norm(fm_d3_sub(fm_d3_of(ma->way), fm_d3_of(mb->way)));
    reach += ma->angle * fm_d3_norm(fm_d3_sub(fm_d3_of(a->position), fm_d3_of(ma->pivot)));
    reach += mb->angle * fm_d3_norm(fm_d3_sub(fm_d3_of(b->position), fm_d3_of(mb->pivot)));
    return fm_d3_norm(fm_d3_sub(fm_d3_of(sa.position), fm_d3_of(sb.position))) > reach;
}

/* First contact of any two shapes between two times within which both paths are smooth; > to: none. */
static double touch_between(meeting *x, const fm_leg *leg_a, const fm_leg *leg_b, double from, double to)
{
    fm_motion ma = fm_leg_piece(leg_a, from, to), mb = fm_leg_piece(leg_b, from, to);
    double until = 1;
    bool hit = false;
    for (size_t i = 0; i < x->track_a->mover.shape_count; i++)
        for (size_t k = 0; k < x->track_b->mover.shape_count; k++) {
            fm_sweep_side a = {.shape = &x->track_a->mover.shapes[i], .motion = &ma},
                          b = {.shape = &x->track_b->mover.shapes[k], .motion = &mb};
            fm_sweep_result r;
            if (shapes_apart(a.shape, &ma, b.shape, &mb) || (hit && until == 0))
                continue;
            if (fm_sweep_touch(&a, &b, x->touch, NULL, 0, until, &r)) {
                hit = true;
                until = r.s;
            }
            x->overlap |= r.first_gap < 0.5 * FM_CONTACT_TOUCH;
        }
    return hit ? from + until * (to - from) : 2;
}

static void open_meeting(fm_world *world, int a, int b, meeting *x)
{
    const struct fm_contact_state *c = world->contact;
    x->world = world;
    x->a = a;
    x->b = b;
    x->overlap = false;
    x->track_a = fm_contact_track_of(world, a, NULL, NULL);
    x->track_b = fm_contact_track_of(world, b, x->track_a, &x->spare);
    int events = (c->broken[a] > 1 ? c->plans[a].impacts : 0) + (c->broken[b] > 1 ? c->plans[b].impacts : 0);
    x->touch = fm_contact_nearest(events);
}

/* Time of the first contact, from the later start of both paths on. 2: not in this step. */
static double moment_of(meeting *x)
{
    double t = fmax(x->track_a->course.leg[0].from, x->track_b->course.leg[0].from);
    while (t < 1) {
        const fm_leg *la = fm_course_leg(&x->track_a->course, t), *lb = fm_course_leg(&x->track_b->course, t);
        double to = fmin(la->to, lb->to);
        double touch = touch_between(x, la, lb, t, to);
        if (touch <= 1)
            return touch;
        t = to > t ? to : 1;
    }
    return 2;
}

/* --- what then --- */

/* own: from a contact of its own, not one passed on to it. */
static void put_plan(fm_world *world, int slot, fm_plan *plan, bool own)
{
    struct fm_contact_state *c = world->contact;
    if (c->broken[slot] < 2)
        plan->impacts = 0;
    if (own || plan->impacts < FM_CONTACT_EVENTS / 2)
        plan->impacts++;
    if (plan->impacts > FM_CONTACT_EVENTS) {
        plan->way = FM_COURSE_HELD;
        if (response_of(world, slot) == FM_CONTACT_IMPULSE) {
            fm_event_add(world, slot, "held by contact", (1 - plan->since) * world->slots[slot].type->step_s);
            memset(plan->velocity, 0, sizeof plan->velocity);
        }
    }
    c->plans[slot] = *plan;
    c->broken[slot] = 2;
    fm_contact_track_forget(world, slot);
}

void fm_contact_find_touches(const fm_mover *a, const double pose_a[FM_POSE], const fm_mover *b,
                             const double pose_b[FM_POSE], fm_touch_set *set)
{
    for (size_t i = 0; i < a->shape_count; i++)
        for (size_t k = 0; k < b->shape_count; k++) {
            fm_shape sa = fm_shape_carried(&a->shapes[i], pose_a, pose_a + 3),
                     sb = fm_shape_carried(&b->shapes[k], pose_b, pose_b + 3);
            fm_contact_find_pair(&sa, &sb, set);
        }
}

static void bounce(const meeting *x, fm_plan *a, fm_plan *b)
{
    const fm_contact_rule *ra = &x->track_a->mover.slot->type->contact, *rb = &x->track_b->mover.slot->type->contact;
    fm_touch_set set = {.count = 0};
    fm_touch_side sa = fm_mover_side(&x->track_a->mover, a), sb = fm_mover_side(&x->track_b->mover, b);
    fm_contact_find_touches(&x->track_a->mover, a->pose, &x->track_b->mover, b->pose, &set);
    if (!set.count)
        return;
    if (!sa.inverse) { /* the one that can be pushed is the first */
        for (size_t i = 0; i < set.count; i++)
            for (int k = 0; k < 3; k++)
                set.touch[i].normal[k] = -set.touch[i].normal[k];
    }
    fm_contact_solve(sa.inverse ? &sa : &sb, sa.inverse ? &sb : &sa, set.touch, set.count,
                     fmin(ra->restitution, rb->restitution), fmin(ra->friction, rb->friction));
    if (sa.inverse)
        fm_plan_deflect(a, &sa, set.touch, set.count);
    if (sb.inverse)
        fm_plan_deflect(b, &sb, set.touch, set.count);
}

/* Along the line of centres; if both are equal, along north. */
static void line_of_centres(const double a[3], const double b[3], double out[3])
{
    fm_d3 d = fm_d3_unit(fm_d3_sub(fm_d3_of(a), fm_d3_of(b)), (fm_d3){1, 0, 0});
    fm_d3_store(d, out);
}

/* Hulls that restore their pose would lock each other: each moves by `way` (m) along the line of centres. */
static void part(fm_plan *a, fm_plan *b, double way)
{
    double d[3];
    line_of_centres(a->pose, b->pose, d);
    memcpy(a->goal, a->pose, sizeof a->goal);
    memcpy(b->goal, b->pose, sizeof b->goal);
    for (int k = 0; k < 3; k++) {
        a->goal[k] += way * d[k];
        b->goal[k] -= way * d[k];
    }
    memset(a->pivot, 0, sizeof a->pivot);
    memset(b->pivot, 0, sizeof b->pivot);
    a->way = b->way = FM_COURSE_GOAL;
}

/* Resolves a contact of two vehicles at time t. */
static void answer_pair(meeting *x, double t)
{
    fm_plan a = fm_contact_track_plan(x->track_a, t), b = fm_contact_track_plan(x->track_b, t);
    enum fm_contact_response ra = response_of(x->world, x->a), rb = response_of(x->world, x->b);
    if (ra == FM_CONTACT_RESTORE || rb == FM_CONTACT_RESTORE)
        part(&a, &b,
             fmax(x->track_a->mover.slot->type->contact.parting, x->track_b->mover.slot->type->contact.parting));
    else
        bounce(x, &a, &b);
    if (ra != FM_CONTACT_COUNT)
        put_plan(x->world, x->a, &a, true);
    if (rb != FM_CONTACT_COUNT)
        put_plan(x->world, x->b, &b, true);
}

static void note_partners(fm_world *world, int a, int b)
{
    struct fm_contact_state *c = world->contact;
    fm_touch_list_add(&c->partners[a], (uint32_t)b);
    fm_touch_list_add(&c->partners[b], (uint32_t)a);
    c->any_partners = 1;
}

/* Whether a contact changes the path of a vehicle: not of one that only counts, nor of one that is held until the step
 * ends. */
static bool can_answer(const fm_world *world, int slot)
{
    const struct fm_contact_state *c = world->contact;
    bool held = c->broken[slot] > 1 && c->plans[slot].impacts > FM_CONTACT_EVENTS;
    return response_of(world, slot) != FM_CONTACT_COUNT && !held;
}

/* Computes and records when the pair touches. A pair of which neither vehicle responds continues undisturbed: each
 * contact brings a vehicle closer to FM_CONTACT_EVENTS, which limits their number. */
static void ask_pair(fm_world *world, fm_near_pair *pair, meeting *x)
{
    int a = (int)pair->first, b = (int)pair->second;
    enum fm_contact_response ra = response_of(world, a), rb = response_of(world, b);
    open_meeting(world, a, b, x);
    pair->moment = moment_of(x);
    pair->overlap |= x->overlap;
    bool locked = x->overlap && (ra == FM_CONTACT_RESTORE || rb == FM_CONTACT_RESTORE);
    if (locked && world->contact->broken[a] < 2 && world->contact->broken[b] < 2)
        pair->moment = fmax(x->track_a->course.leg[0].from, x->track_b->course.leg[0].from);
    if (pair->moment <= 1 || x->overlap)
        note_partners(world, a, b);
    if (!can_answer(world, a) && !can_answer(world, b))
        pair->moment = 2;
}

/* --- apart --- */

static void write_state(fm_world *world, int slot, const double pose[FM_POSE], const double velocity[6])
{
    fm_vehicle *vehicle = world->slots[slot].vehicle;
    memcpy(vehicle->body.position, pose, sizeof vehicle->body.position);
    memcpy(vehicle->body.velocity, velocity, sizeof vehicle->body.velocity);
    fm_contact_write_attitude(&world->slots[slot], pose + 3);
}

static void shift_vehicle(fm_world *world, int slot, const double way[3])
{
    fm_mover m;
    fm_touch_list bodies = {0};
    fm_mover_begin(world, slot, &bodies, &m);
    fm_plan plan = fm_mover_plan(&m);
    fm_mover_shift(&m, plan.goal, way);
    memcpy(world->slots[slot].vehicle->body.position, plan.goal, 3 * sizeof(double));
}

/* Two vehicles that can be pushed and overlap at the end of the step: each moves by its share of the inverse mass. */
static void separate(fm_world *world, int a, int b)
{
    fm_mover ma, mb;
    fm_touch_list none = {0};
    fm_touch_set set = {.count = 0};
    fm_mover_begin(world, a, &none, &ma);
    fm_mover_begin(world, b, &none, &mb);
    fm_plan pa = fm_mover_plan(&ma), pb = fm_mover_plan(&mb);
    memcpy(pa.pose, pa.goal, sizeof pa.pose);
    memcpy(pb.pose, pb.goal, sizeof pb.pose);
    fm_contact_find_touches(&ma, pa.pose, &mb, pb.pose, &set);
    size_t worst = 0;
    for (size_t i = 1; i < set.count; i++)
        worst = set.touch[i].gap < set.touch[worst].gap ? i : worst;
    if (!set.overlap || !set.count)
        return;
    const fm_touch *t = &set.touch[worst];
    fm_touch_side sa = fm_mover_side(&ma, &pa), sb = fm_mover_side(&mb, &pb);
    double ya = fm_contact_yield(&sa, t->point, t->normal), yb = fm_contact_yield(&sb, t->point, t->normal);
    double share = ya + yb > 0 ? ya / (ya + yb) : 0.5, depth = FM_CONTACT_TOUCH - t->gap, way_a[3], way_b[3];
    for (int k = 0; k < 3; k++) {
        way_a[k] = share * depth * t->normal[k];
        way_b[k] = -(1 - share) * depth * t->normal[k];
    }
    shift_vehicle(world, a, way_a);
    shift_vehicle(world, b, way_b);
}

/* --- the stage --- */

/* Where its hull has been in this step; false: nothing can touch it. */
static bool swept_box(const fm_world *world, int index, fm_aabb *box)
{
    const struct fm_contact_state *c = world->contact;
    const fm_slot *slot = &world->slots[index];
    const fm_vehicle *vehicle = slot->vehicle;
    if (vehicle->life != FM_ALIVE || !slot->type->shape_count || slot->type->contact.response == FM_CONTACT_NONE)
        return false;
    double reach = fm_contact_reach(world, index) + FM_CONTACT_TOUCH;
    const double *now = vehicle->body.position, *before = fm_contact_moves(world, index) ? c->before[index] : now;
    for (int k = 0; k < 3; k++) {
        box->low[k] = fmin(now[k], before[k]) - reach;
        box->high[k] = fmax(now[k], before[k]) + reach;
        if (c->broken[index]) {
            box->low[k] = fmin(box->low[k], c->spans[index].low[k] - reach);
            box->high[k] = fmax(box->high[k], c->spans[index].high[k] + reach);
        }
    }
    return true;
}

static void watch_one(fm_world *world, int index)
{
    struct fm_contact_state *c = world->contact;
    const fm_slot *slot = &world->slots[index];
    fm_aabb box;
    if (c->partners[index].count | c->partners[index].overflow)
        c->partners[index].count = c->partners[index].overflow = 0;
    if (slot->vehicle->life != FM_EMPTY && slot->type->partner_block.words &&
        *fm_vehicle_words(slot->vehicle, slot->type->partner_block))
        __atomic_store_n(&c->any_partners, 1, __ATOMIC_RELAXED);
    if (swept_box(world, index, &box))
        fm_vicinity_watch(world, index, &box);
}

static bool boxes_meet(const fm_world *world, int a, int b)
{
    fm_aabb box_a, box_b;
    return swept_box(world, a, &box_a) && swept_box(world, b, &box_b) && fm_aabb_meet(&box_a, &box_b);
}

/* Whether the bounding balls of two vehicles on straight paths come near each other. */
static bool balls_meet(const fm_world *world, int a, int b)
{
    const struct fm_contact_state *c = world->contact;
    if (c->broken[a] || c->broken[b])
        return true;
    const double *now_a = world->slots[a].vehicle->body.position, *now_b = world->slots[b].vehicle->body.position;
    const double *was_a = fm_contact_moves(world, a) ? c->before[a] : now_a,
                 *was_b = fm_contact_moves(world, b) ? c->before[b] : now_b;
    double reach = fm_contact_reach(world, a) + fm_contact_reach(world, b) + FM_CONTACT_TOUCH;
    fm_d3 from = fm_d3_sub(fm_d3_of(was_a), fm_d3_of(was_b)), to = fm_d3_sub(fm_d3_of(now_a), fm_d3_of(now_b));
    fm_d3 way = fm_d3_sub(to, from);
    double square = fm_d3_dot(way, way), s = square > 0 ? -fm_d3_dot(from, way) / square : 0;
    fm_d3 nearest = fm_d3_add_scaled(from, fmin(fmax(s, 0), 1), way);
    return fm_d3_dot(nearest, nearest) <= reach * reach;
}

/* Completes the remaining part of an interrupted path and stores its end. */
static void finish_one(fm_world *world, int slot)
{
    struct fm_contact_state *c = world->contact;
    fm_mover m;
    if (c->broken[slot] != 2)
        return;
    fm_mover_begin(world, slot, &c->touched[slot], &m);
    fm_plan plan = c->plans[slot];
    fm_mover_run(&m, &plan, NULL);
    if (plan.since < 1) {
        fm_motion motion = fm_mover_motion(&m, &plan);
        fm_plan_advance(&plan, &motion, 1);
    }
    write_state(world, slot, plan.pose, plan.velocity);
    c->broken[slot] = 3; /* done; its plan is not used again */
}

/* Keeps those of the pairs whose boxes and balls meet; returns how many. */
static size_t keep_near(fm_world *world, const fm_broadphase_pair *pairs, size_t count)
{
    fm_near_pair *near = world->contact->near;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (boxes_meet(world, (int)pairs[i].first, (int)pairs[i].second) &&
            balls_meet(world, (int)pairs[i].first, (int)pairs[i].second))
            near[kept++] = (fm_near_pair){.first = pairs[i].first, .second = pairs[i].second};
    return kept;
}

static void ask_again(fm_world *world, uint32_t i, meeting *x)
{
    ask_pair(world, &world->contact->near[i], x);
    fm_near_sort(world->contact, i);
}

/* Computes the pairs of a vehicle again, except the one with `other`. */
static void ask_around(fm_world *world, uint32_t slot, uint32_t other, meeting *x)
{
    struct fm_contact_state *c = world->contact;
    for (uint32_t i = c->near_first[slot]; i != FM_NO_PAIR; i = fm_near_next(&c->near[i], slot))
        if (c->near[i].first != other && c->near[i].second != other)
            ask_again(world, i, x);
}

/* Computes the pairs of all cluster members whose plans have changed, each once. */
static void ask_cluster(fm_world *world, meeting *x)
{
    struct fm_contact_state *c = world->contact;
    const fm_cluster *g = &c->cluster;
    for (uint32_t member = 0; member < g->count; member++) {
        uint32_t slot = (uint32_t)g->members[member];
        if (!g->changed[member])
            continue;
        for (uint32_t i = c->near_first[slot]; i != FM_NO_PAIR; i = fm_near_next(&c->near[i], slot)) {
            uint32_t other = c->near[i].first == slot ? c->near[i].second : c->near[i].first;
            if (!fm_cluster_has(g, other) || !g->changed[g->member[other]] || g->member[other] > member)
                ask_again(world, i, x);
        }
    }
}

/* Resolves the contact of a pair, and recomputes the contact times of all vehicles whose plans have changed. */
static void answer(fm_world *world, const fm_near_pair *pair, meeting *x)
{
    fm_cluster *g = &world->contact->cluster;
    uint32_t a = pair->first, b = pair->second;
    if (fm_cluster_gather(world, (int)a, (int)b, pair->moment)) {
        fm_cluster_answer(world);
        for (uint32_t i = 0; i < g->count; i++)
            if (g->changed[i] || i < 2)
                put_plan(world, g->members[i], &g->plans[i], i < 2);
        g->changed[0] = g->changed[1] = 1;
        ask_cluster(world, x);
        return;
    }
    open_meeting(world, (int)a, (int)b, x);
    answer_pair(x, pair->moment);
    ask_around(world, a, FM_NO_PAIR, x);
    ask_around(world, b, a, x);
}

static void resolve(fm_world *world, size_t count)
{
    struct fm_contact_state *c = world->contact;
    fm_near_pair *near = c->near;
    meeting x;
    uint32_t next;
    fm_contact_tracks_begin(world);
    for (size_t i = 0; i < count && !fm_world_is_cancelled(world); i++) {
        fm_world_work_on(world, (int)near[i].first);
        ask_pair(world, &near[i], &x);
    }
    fm_near_begin(c, count);
    while ((next = fm_near_earliest(c)) != FM_NO_PAIR && !fm_world_is_cancelled(world)) {
        fm_world_work_on(world, (int)near[next].first);
        answer(world, &near[next], &x);
    }
    for (size_t i = 0; i < count && !fm_world_is_cancelled(world); i++) {
        fm_world_work_on(world, (int)near[i].first);
        finish_one(world, (int)near[i].first);
        finish_one(world, (int)near[i].second);
    }
    for (size_t i = 0; i < count; i++)
        if (near[i].overlap && response_of(world, (int)near[i].first) == FM_CONTACT_IMPULSE &&
            response_of(world, (int)near[i].second) == FM_CONTACT_IMPULSE)
            separate(world, (int)near[i].first, (int)near[i].second);
}

void fm_contact_pairs(fm_world *world)
{
    struct fm_contact_state *c = world->contact;
    c->any_partners = 0;
    fm_world_for_slots(world, watch_one);
    c->overflow = !fm_vicinity_settle(world, swept_box);
    if (c->overflow)
        return; /* fm_stage_check ends the run: a contact must not be missed in silence */
    size_t near = keep_near(world, world->vicinity->pairs, world->vicinity->pair_count);
    size_t left = near ? fm_islands_recall(world, near) : 0;
    if (left) {
        resolve(world, left);
        fm_islands_keep(world, left);
    }
    fm_contact_conclude_partners(world);
}
