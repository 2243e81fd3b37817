/* Vehicles that press on each other. Solved contact by contact, the load of a heap would travel between hulls many
 * times in a step; so all contact points of the heap, including those on fixed objects, are solved together. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "world/contact_internal.h"

static const double PASSED_ON = 0.02; /* of the approach speed: smaller changes are not propagated at once */
static const double RESIDUE = 5e-3; /* of the speed that the forces of one step cause: below it a member of a heap is at
                                     * rest */
enum { ROUNDS_FIRST = 8, ROUNDS_MOST = 400 }; /* during the search for members; afterwards */
enum { TOUCHES_ALONE = 3 };                   /* of one vehicle in a step, that are solved pair by pair */

bool fm_cluster_has(const fm_cluster *cluster, uint32_t slot)
{
    uint32_t member = cluster->member[slot];
    return member < cluster->count && cluster->members[member] == (int)slot;
}

static bool can_be_pushed(const fm_world *world, int slot)
{
    return world->slots[slot].type->contact.response == FM_CONTACT_IMPULSE;
}

static bool is_held(const struct fm_contact_state *c, int slot)
{
    return c->broken[slot] > 1 && c->plans[slot].impacts > FM_CONTACT_EVENTS;
}

static void add_member(fm_world *world, int slot, double t)
{
    fm_cluster *g = &world->contact->cluster;
    uint32_t member = (uint32_t)g->count++;
    const fm_contact_track *track = fm_contact_track_of(world, slot, NULL, NULL);
    g->members[member] = slot;
    g->member[slot] = member;
    g->plans[member] = fm_contact_track_plan(track, t);
    g->sides[member] = fm_mover_side(&track->mover, &g->plans[member]);
    g->changed[member] = g->inside[member] = 0;
    if (is_held(world->contact, slot)) {
        g->sides[member].inverse = NULL;
        memset(g->sides[member].velocity, 0, sizeof g->sides[member].velocity);
    }
}

/* --- gathering --- */

static void add_joints(fm_cluster *g, uint32_t a, uint32_t b, double friction, const fm_touch_set *set)
{
    bool turned = !g->sides[a].inverse; /* the one that can be pushed is the first */
    if (turned && (b == FM_NO_SIDE || !g->sides[b].inverse))
        return;
    for (size_t i = 0; i < set->count && g->joint_count < g->joint_room; i++) {
        fm_joint *j = &g->joints[g->joint_count++];
        j->a = turned ? b : a;
        j->b = turned ? a : b;
        j->friction = friction;
        j->open = false;
        j->touch = set->touch[i];
        for (int k = 0; turned && k < 3; k++)
            j->touch.normal[k] = -j->touch.normal[k];
    }
}

/* Whether both are far enough apart at that time that no query is needed. */
static bool are_apart(const fm_world *world, const fm_plan *a, int slot_a, const fm_plan *b, int slot_b)
{
    fm_d3 d = fm_d3_sub(fm_d3_of(a->pose), fm_d3_of(b->pose));
    double reach = fm_contact_reach(world, slot_a) + fm_contact_reach(world, slot_b) + 2 * FM_CONTACT_NEAR;
    return fm_d3_dot(d, d) > reach * reach;
}

/* A near pair of a member: adds its points, and the other vehicle as a member, if they touch. */
static void meet_other(fm_world *world, uint32_t member, int other, fm_contact_track *spare)
{
    fm_cluster *g = &world->contact->cluster;
    int slot = g->members[member];
    bool known = fm_cluster_has(g, (uint32_t)other);
    if (!can_be_pushed(world, other) || (known && g->inside[g->member[other]]) || (!known && g->count >= g->room))
        return;
    const fm_contact_track *mine = fm_contact_track_of(world, slot, NULL, NULL),
                           *its = fm_contact_track_of(world, other, mine, spare);
    fm_plan plan = known ? g->plans[g->member[other]] : fm_contact_track_plan(its, g->moment);
    if (are_apart(world, &g->plans[member], slot, &plan, other))
        return;
    fm_touch_set set = {.count = 0};
    fm_contact_find_touches(&mine->mover, g->plans[member].pose, &its->mover, plan.pose, &set);
    if (!set.count)
        return;
    if (!known)
        add_member(world, other, g->moment);
    const fm_contact_rule *rule = &world->slots[slot].type->contact, *its_rule = &world->slots[other].type->contact;
    add_joints(g, member, g->member[other], fmin(rule->friction, its_rule->friction), &set);
}

static void meet_standing(fm_world *world, uint32_t member)
{
    struct fm_contact_state *c = world->contact;
    int slot = c->cluster.members[member];
    const fm_mover *m = &fm_contact_track_of(world, slot, NULL, NULL)->mover;
    const double *pose = c->cluster.plans[member].pose;
    fm_touch_set set = {.count = 0};
    for (size_t i = 0; i < m->shape_count; i++) {
        fm_shape shape = fm_shape_carried(&m->shapes[i], pose, pose + 3);
        fm_contact_find_standing(world->environment, &shape, m->start + c->cluster.moment * m->step, &set,
                                 &c->touched[slot]);
    }
    add_joints(&c->cluster, member, FM_NO_SIDE, world->slots[slot].type->contact.friction, &set);
}

/* Adds a member: all its contacts are known afterwards. */
static void take_in(fm_world *world, uint32_t member)
{
    struct fm_contact_state *c = world->contact;
    uint32_t slot = (uint32_t)c->cluster.members[member];
    fm_contact_track spare;
    for (uint32_t i = c->near_first[slot]; i != FM_NO_PAIR; i = fm_near_next(&c->near[i], slot))
        meet_other(world, member, (int)(c->near[i].first == slot ? c->near[i].second : c->near[i].first), &spare);
    c->cluster.inside[member] = 1;
}

/* Whether one of the points between the first two bounces. */
static bool would_bounce(const fm_world *world, fm_cluster *g)
{
    double restitution = fmin(world->slots[g->members[0]].type->contact.restitution,
                              world->slots[g->members[1]].type->contact.restitution);
    for (size_t i = 0; i < g->joint_count; i++) {
        fm_joint *j = &g->joints[i];
        if (j->a < 2 && j->b < 2 && fm_joint_bounces(g->sides, j, restitution))
            return true;
    }
    return false;
}

bool fm_cluster_gather(fm_world *world, int a, int b, double t)
{
    struct fm_contact_state *c = world->contact;
    fm_cluster *g = &c->cluster;
    if (!can_be_pushed(world, a) || !can_be_pushed(world, b))
        return false;
    g->count = g->joint_count = 0;
    g->moment = t;
    add_member(world, a, t);
    add_member(world, b, t);
    take_in(world, 0);
    take_in(world, 1);
    bool often = (c->broken[a] > 1 && c->plans[a].impacts >= TOUCHES_ALONE) ||
                 (c->broken[b] > 1 && c->plans[b].impacts >= TOUCHES_ALONE);
    if (!g->joint_count || (!often && (g->count == 2 || would_bounce(world, g))))
        return false;
    for (uint32_t member = 0; c->standing && member < 2; member++)
        meet_standing(world, member);
    return true;
}

/* --- answering --- */

/* Centre of each member's contact points relative to its origin, m, NED. */
static void find_middles(fm_cluster *g)
{
    memset(g->middles, 0, g->count * sizeof *g->middles);
    for (size_t i = 0; i < g->joint_count; i++)
        for (int side = 0; side < 2; side++) {
            uint32_t member = side ? g->joints[i].b : g->joints[i].a;
            if (member == FM_NO_SIDE || !g->joints[i].open)
                continue;
            fm_middle *m = &g->middles[member];
            for (int k = 0; k < 3; k++)
                m->sum[k] += g->joints[i].touch.pivot[k] - g->plans[member].pose[k];
            m->count++;
        }
}

/* Whether the solution changed its velocity by more than rounding. */
static bool is_pushed(const fm_touch_side *side, const fm_plan *plan)
{
    double most = 0, size = 0;
    for (int i = 0; i < 6; i++) {
        most = fmax(most, fabs(side->velocity[i] - plan->velocity[i]));
        size = fmax(size, fmax(fabs(plan->velocity[i]), fabs(side->gained[i])));
    }
    return most > 1e-12 * size;
}

static bool is_inside(const fm_cluster *g, const fm_joint *j)
{
    return g->inside[j->a] && (j->b == FM_NO_SIDE || g->inside[j->b]);
}

static double step_speed(const fm_touch_side *side)
{
    return fmax(fmax(fabs(side->gained[0]), fabs(side->gained[1])), fabs(side->gained[2]));
}

/* Adds the vehicles that the present solution presses on; false: none. */
static bool reach_out(fm_world *world, double scale)
{
    struct fm_contact_state *c = world->contact;
    fm_cluster *g = &c->cluster;
    bool any = false;
    for (size_t i = 0; i < g->joint_count; i++) { /* their joints follow */
        const fm_joint *j = &g->joints[i];
        if (is_inside(g, j))
            continue;
        double least = PASSED_ON * scale + RESIDUE * fmax(step_speed(&g->sides[j->a]), step_speed(&g->sides[j->b]));
        if (fm_joint_approach(g->sides, j) <= least)
            continue;
        uint32_t member = g->inside[j->a] ? j->b : j->a;
        take_in(world, member);
        if (c->standing)
            meet_standing(world, member);
        any = true;
    }
    return any;
}

static void solve(fm_world *world)
{
    fm_cluster *g = &world->contact->cluster;
    double scale = 0;
    bool more = true;
    while (more) {
        for (size_t i = 0; i < g->joint_count; i++)
            if (is_inside(g, &g->joints[i]) && !g->joints[i].open)
                fm_joint_open(g->sides, &g->joints[i], &scale);
        fm_contact_solve_joints(g->sides, g->joints, g->joint_count, scale, ROUNDS_FIRST);
        more = reach_out(world, scale);
    }
    fm_contact_solve_joints(g->sides, g->joints, g->joint_count, scale, ROUNDS_MOST);
}

void fm_cluster_answer(fm_world *world)
{
    fm_cluster *g = &world->contact->cluster;
    solve(world);
    find_middles(g);
    for (uint32_t member = 0; member < g->count; member++) {
        const fm_middle *m = &g->middles[member];
        double middle[3];
        if (!g->inside[member] || !g->sides[member].inverse || !is_pushed(&g->sides[member], &g->plans[member]))
            continue;
        for (int k = 0; k < 3; k++)
            middle[k] = m->count > 0 ? m->sum[k] / m->count : 0;
        fm_plan_set_free(&g->plans[member], &g->sides[member], middle, RESIDUE);
        g->changed[member] = 1;
    }
}

/* --- memory --- */

int fm_cluster_allocate(fm_cluster *g, size_t slots)
{
    g->room = slots < FM_CLUSTER_MEMBERS ? slots : FM_CLUSTER_MEMBERS;
    g->joint_room = g->room * FM_CLUSTER_JOINTS;
    g->members = fm_alloc(g->room * sizeof *g->members);
    g->plans = fm_alloc(g->room * sizeof *g->plans);
    g->sides = fm_alloc(g->room * sizeof *g->sides);
    g->middles = fm_alloc(g->room * sizeof *g->middles);
    g->inside = fm_alloc(g->room);
    g->changed = fm_alloc(g->room);
    g->member = fm_alloc(slots * sizeof *g->member);
    g->joints = fm_alloc(g->joint_room * sizeof *g->joints);
    return g->members && g->plans && g->sides && g->middles && g->inside && g->changed && g->member && g->joints;
}

void fm_cluster_free(fm_cluster *g)
{
    fm_free(g->members);
    fm_free(g->plans);
    fm_free(g->sides);
    fm_free(g->middles);
    fm_free(g->inside);
    fm_free(g->changed);
    fm_free(g->member);
    fm_free(g->joints);
}

size_t fm_cluster_bytes(const fm_cluster *g, size_t slots)
{
    size_t member = sizeof *g->members + sizeof *g->plans + sizeof *g->sides + sizeof *g->middles + 2;
    return g->room * member + slots * sizeof *g->member + g->joint_room * sizeof *g->joints;
}
