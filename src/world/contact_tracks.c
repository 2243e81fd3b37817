/* The paths of vehicles through a step, as seen by others. A path is computed once and kept until its plan changes. */
#include <string.h>

#include "world/contact_internal.h"

/* The valid plan of a vehicle. */
static fm_plan plan_of(const fm_mover *m)
{
    const struct fm_contact_state *c = m->world->contact;
    return c->broken[m->index] ? c->plans[m->index] : fm_mover_plan(m);
}

bool fm_contact_moves(const fm_world *world, int slot)
{
    return (world->head->tick + 1) % world->slots[slot].type->period == 0;
}

static void find_course(fm_world *world, int slot, fm_mover *m, fm_course *course)
{
    fm_touch_list bodies = {0};
    fm_mover_begin(world, slot, &bodies, m);
    m->silent = true;
    fm_plan plan = plan_of(m);
    if (!fm_contact_moves(world, slot)) {
        plan.way = FM_COURSE_HELD;
        memcpy(plan.pose, plan.goal, sizeof plan.pose);
        memcpy(plan.velocity, m->slot->vehicle->body.velocity, sizeof plan.velocity);
    }
    if (world->contact->broken[slot]) {
        fm_mover_run(m, &plan, course);
    } else {
        course->count = 1;
        course->leg[0] = (fm_leg){.from = plan.since, .to = 1, .motion = fm_mover_motion(m, &plan)};
        memcpy(course->leg[0].velocity, plan.velocity, sizeof plan.velocity);
    }
    m->bodies = NULL;
}

/* --- kept --- */

void fm_contact_tracks_begin(fm_world *world)
{
    world->contact->round++;
}

const fm_contact_track *fm_contact_track_of(fm_world *world, int slot, const fm_contact_track *taken,
                                            fm_contact_track *spare)
{
    struct fm_contact_state *c = world->contact;
    fm_contact_track *track = &c->tracks[(size_t)slot % c->track_room];
    if (track == taken)
        track = spare;
    else if (track->slot == slot && track->round == c->round)
        return track;
    find_course(world, slot, &track->mover, &track->course);
    track->slot = slot;
    track->round = c->round;
    return track;
}

void fm_contact_track_forget(fm_world *world, int slot)
{
    struct fm_contact_state *c = world->contact;
    fm_contact_track *track = &c->tracks[(size_t)slot % c->track_room];
    if (track->slot == slot)
        track->round = 0;
}

/* --- where --- */

const fm_leg *fm_course_leg(const fm_course *course, double t)
{
    int i = 0;
    while (i + 1 < course->count && course->leg[i].to <= t)
        i++;
    return &course->leg[i];
}

static double share_of_leg(const fm_leg *leg, double t)
{
    return leg->from < 1 ? (t - leg->from) / (1 - leg->from) : 0;
}

fm_motion fm_leg_piece(const fm_leg *leg, double from, double to)
{
    fm_motion piece = leg->motion;
    double u = share_of_leg(leg, from), part = share_of_leg(leg, to) - u;
    fm_motion_at(&leg->motion, u, piece.start);
    for (int k = 0; k < 3; k++)
        piece.way[k] *= part;
    piece.angle *= part;
    return piece;
}

fm_plan fm_contact_track_plan(const fm_contact_track *track, double t)
{
    fm_plan plan = plan_of(&track->mover);
    const fm_leg *leg = fm_course_leg(&track->course, t);
    memcpy(plan.velocity, leg->velocity, sizeof plan.velocity);
    fm_plan_advance(&plan, &leg->motion, share_of_leg(leg, t));
    plan.since = t;
    return plan;
}
