#include "world/stretch.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "environment/environment.h"
#include "world/contact.h"
#include "world/formation.h"
#include "world/parts.h"
#include "world/stream.h"

enum { TICKS_MOST = 64, WAIT_MOST = 1024 };

/* The motion of one vehicle, before it is put into its record. */
typedef struct glide {
    fm_glided out;
    uint64_t ticks; /* as far as nothing else happens */
} glide;

struct fm_stretch {
    uint64_t ticks;      /* of the attempt under way */
    uint64_t wait, skip; /* ticks to make one by one after an attempt that came to little */
    glide glides[];      /* per slot */
};

fm_status fm_stretch_create(fm_world *world, fm_error *error)
{
    world->stretch = fm_alloc(sizeof *world->stretch + (size_t)world->slot_count * sizeof(glide));
    return world->stretch ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for the motion of a world");
}

void fm_stretch_free(fm_world *world)
{
    fm_free(world->stretch);
}

/* --- how far --- */

/* The ticks until the next order or change of the scenario. */
static uint64_t schedule_pause(const fm_world *world)
{
    const fm_model *model = world->model;
    const uint64_t tick = world->head->tick;
    uint64_t next = world->next_order; /* 0: unknown */
    if (world->next_change < model->change_count && model->changes[world->next_change].tick < next)
        next = model->changes[world->next_change].tick;
    return next > tick ? next - tick : 0;
}

/* Do subsystems have nothing to do as long as vehicles only move? */
static int is_still(const fm_world *world)
{
    for (size_t i = 0; i < world->model->subsystem_count; i++) {
        const fm_subsystem_row *row = &world->model->subsystems[i];
        const fm_subsystem_id id = row->subsystem->id;
        if (id == FM_SUBSYSTEM_CURRENTS ? row->words > 0 : id != FM_SUBSYSTEM_CONTACT && id != FM_SUBSYSTEM_ENERGY)
            return 0;
    }
    return !world->stream.fields && !world->energy && !world->any_pulls && !world->any_forces && !world->input_count &&
           !world->any_runaway && !world->live_written && !world->environment->stratified && world->bad_slot < 0;
}

/* Does a step of the vehicle consist of integration alone? Its actuators are at rest, and its input holds. */
static int is_gliding(const fm_type *type, const fm_vehicle *vehicle)
{
    const fm_craft *c = &type->craft;
    return type->kind->step_of_craft && type->period == 1 && c->tolerance == 0 && !c->has_battery && !c->moving_count &&
           !type->delays && !type->body.appendages && c->mass->expansion == 0 && vehicle->settled && !vehicle->pushed &&
           vehicle->passed == 0;
}

/* --- motion --- */

/* m: the greatest depth at which the stage of checks has nothing to report. */
static double deepest_of(const fm_type *type)
{
    return fmin(type->rated_depth > 0 ? type->rated_depth : HUGE_VAL,
                type->crush_depth > 0 ? type->crush_depth : HUGE_VAL);
}

/* A vehicle under way, and where the stages of contact and of checks have nothing to do. */
typedef struct track {
    const fm_body_problem *problem;
    double step_s, deepest;
    int substeps;
    fm_glide_bounds bounds;
    fm_body_state state;
    fm_tally tally;
} track;

static inline int is_inside(const fm_glide_bounds *b, const double p[3])
{
    const double d[3] = {p[0] - b->centre[0], p[1] - b->centre[1], p[2] - b->centre[2]};
    int inside = b->radius > 0 && d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < b->radius * b->radius;
    for (int k = 0; k < 3; k++)
        inside &= p[k] >= b->low[k] && p[k] <= b->high[k];
    return inside;
}

/* Is the state one in which those stages have nothing to do? */
static inline int is_plain(const track *t, const fm_body_state *state)
{
    return state->position[2] <= t->deepest && is_inside(&t->bounds, state->position) &&
           (!t->problem->body->euler || fm_body_posture_sound(state->attitude));
}

/* As many ticks as the surface is far and all states are plain; if they are not all of `ticks`, the track stays as it
 * was. Each integrator by itself, as in physics/integrate.h. No state between is kept: copies of what has just been
 * written number by number take a tenth of a step. */
#define GLIDE(integrator)                                                                                              \
    static __attribute__((noinline)) uint64_t glide_##integrator(track *t, uint64_t ticks)                             \
    {                                                                                                                  \
        const double h = t->step_s / t->substeps;                                                                      \
        const int substeps = t->substeps;                                                                              \
        const fm_body_problem *p = t->problem;                                                                         \
        fm_body_state state = t->state;                                                                                \
        fm_tally tally = t->tally;                                                                                     \
        for (uint64_t n = 0; n < ticks; n++) {                                                                         \
            const double before[3] = {state.position[0], state.position[1], state.position[2]};                        \
            for (int i = 0; i < substeps; i++) {                                                                       \
                if (fm_body_near(p, &state))                                                                           \
                    return n;                                                                                          \
                fm_body_step_##integrator(p, 0, h, &state);                                                            \
            }                                                                                                          \
            if (!is_plain(t, &state) || !fm_tally_add(&tally, p->body, &state, before))                                \
                return n;                                                                                              \
        }                                                                                                              \
        t->state = state;                                                                                              \
        t->tally = tally;                                                                                              \
        return ticks;                                                                                                  \
    }
GLIDE(euler)
GLIDE(heun)
GLIDE(rk4)
GLIDE(text)
GLIDE(midpoint)

static uint64_t glide_as(enum fm_integrator integrator, track *t, uint64_t ticks)
{
    switch (integrator) {
    case FM_EULER: return glide_euler(t, ticks);
    case FM_HEUN: return glide_heun(t, ticks);
    case FM_RK4: return glide_rk4(t, ticks);
    case FM_TEXT: return glide_text(t, ticks);
    case FM_MIDPOINT: return glide_midpoint(t, ticks);
    }
    return 0;
}

/* Moves the track by up to `ticks` ticks, and notes the velocity before the last one. */
static uint64_t follow(enum fm_integrator integrator, track *t, uint64_t ticks, double velocity[6])
{
    const fm_body_state start = t->state;
    const fm_tally tally = t->tally;
    while (ticks) {
        uint64_t made = glide_as(integrator, t, ticks - 1);
        memcpy(velocity, t->state.velocity, sizeof t->state.velocity);
        if (made == ticks - 1 && glide_as(integrator, t, 1) == 1)
            break;
        t->state = start;
        t->tally = tally;
        ticks = made;
    }
    return ticks;
}

static void glide_one(fm_world *world, int index)
{
    const fm_slot *slot = &world->slots[index];
    const fm_vehicle *v = slot->vehicle;
    glide *g = &world->stretch->glides[index];
    g->ticks = world->stretch->ticks;
    if (v->life != FM_ALIVE)
        return;
    const fm_craft *c = &slot->type->craft;
    fm_body_problem problem = {&c->body, c->mass, &v->input, &world->stream, v->input.force, NULL};
    track t = {.problem = &problem,
               .step_s = c->step_s,
               .deepest = deepest_of(slot->type),
               .substeps = c->substeps,
               .state = v->body,
               .tally = fm_tally_of(v)};
    fm_contact_bounds(world, index, &t.bounds);
    g->ticks = is_inside(&t.bounds, t.state.position)
                   ? follow((enum fm_integrator)c->integrator, &t, g->ticks, g->out.velocity)
                   : 0;
    memcpy(g->out.body, &t.state, sizeof g->out.body);
    memcpy(g->out.tally, &t.tally, sizeof g->out.tally);
}

/* --- several in lanes --- */

static int can_glide_in_lanes(const fm_world *world, int index)
{
    const fm_slot *slot = &world->slots[index];
    return slot->vehicle->life == FM_ALIVE && fm_formation_takes(world, slot->type);
}

static void glide_several(fm_world *world, const int *slots, int count)
{
    const fm_type *type = world->slots[slots[0]].type;
    fm_glide_bounds bounds[FM_GLIDE_WIDEST];
    fm_glide_job job = {.ticks = world->stretch->ticks, .count = count, .deepest = deepest_of(type), .bounds = bounds};
    for (int i = 0; i < count; i++) {
        const fm_vehicle *v = world->slots[slots[i]].vehicle;
        fm_contact_bounds(world, slots[i], &bounds[i]);
        job.glider[i] = fm_formation_glider(v, &world->stretch->glides[slots[i]].out);
    }
    uint64_t made = fm_formation_move(world, type, &job);
    for (int i = 0; i < count; i++)
        world->stretch->glides[slots[i]].ticks = made;
}

/* --- all --- */

static void conclude_one(fm_world *world, int index)
{
    const fm_glided *out = &world->stretch->glides[index].out;
    const fm_slot *slot = &world->slots[index];
    fm_vehicle *v = slot->vehicle;
    if (v->life != FM_ALIVE)
        return;
    fm_tally tally;
    memcpy(&tally, out->tally, sizeof tally);
    memcpy(&v->body, out->body, sizeof out->body);
    for (int i = 0; i < 6; i++)
        v->acceleration[i] = (v->body.velocity[i] - out->velocity[i]) / slot->type->step_s;
    fm_tally_put(&tally, v);
}

/* Moves all vehicles by this number of ticks, in their glides; returns how many of them all vehicles can make. */
static uint64_t try_ticks(fm_world *world, uint64_t ticks)
{
    static const fm_formation_work work = {can_glide_in_lanes, glide_one, glide_several};
    struct fm_stretch *s = world->stretch;
    uint64_t all = s->ticks = ticks;
    fm_formation_for_slots(world, &work);
    for (int i = 0; i < world->slot_count; i++)
        all = s->glides[i].ticks < all ? s->glides[i].ticks : all;
    return all;
}

static int may_glide(const fm_world *world)
{
    if (!is_still(world) || !fm_contact_is_free(world))
        return 0;
    for (int i = 0; i < world->slot_count; i++)
        if (world->slots[i].vehicle->life == FM_ALIVE && !is_gliding(world->slots[i].type, world->slots[i].vehicle))
            return 0;
    return 1;
}

/* An attempt that comes to little is followed by ticks of all stages, each time twice as many. */
static void note_attempt(struct fm_stretch *s, uint64_t made, uint64_t tried)
{
    const int good = 4 * made >= tried;
    s->wait = good ? 0 : s->wait ? 2 * s->wait : 1;
    s->wait = s->wait < WAIT_MOST ? s->wait : WAIT_MOST;
    s->skip = s->wait;
}

uint64_t fm_stretch_make(fm_world *world, uint64_t most)
{
    struct fm_stretch *s = world->stretch;
    if (s->skip) {
        s->skip--;
        return 0;
    }
    if (most < 2 || world->cut_short || fm_world_is_cancelled(world))
        return 0;
    uint64_t ticks = schedule_pause(world), pause = fm_parts_pause(world);
    ticks = pause < ticks ? pause : ticks;
    ticks = most < ticks ? most : ticks;
    ticks = ticks < TICKS_MOST ? ticks : TICKS_MOST;
    if (ticks < 2 || !may_glide(world))
        return 0;
    uint64_t made = try_ticks(world, ticks);
    note_attempt(s, made, ticks);
    if (made && made < ticks && try_ticks(world, made) != made)
        return 0;
    if (!made || fm_world_is_cancelled(world)) /* then some were not moved */
        return 0;
    for (int i = 0; i < world->slot_count; i++)
        conclude_one(world, i);
    world->taken_count = world->event_count = 0;
    world->water_changed = 0;
    world->head->tick += made;
    return made;
}
