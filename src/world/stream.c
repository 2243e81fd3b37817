#include "world/stream.h"

#include <string.h>

#include "acoustics/sound.h"
#include "environment/environment.h"
#include "physics/waves.h"
#include "world/waters.h"

/* --- the stream --- */

int fm_stream_waves(const fm_stream_source *source, const fm_body *body)
{
    return source->fields && body->grid && source->fields->environment->sea.count;
}

/* The surface above a hull deeper than the lowest trough plus its own extent is never needed. */
void fm_stream_hold(const fm_stream_source *source, const fm_body *body, double ahead, const fm_body_state *state,
                    fm_hull_hold *held)
{
    const fm_world *world = source->fields;
    const fm_sea *sea = &world->environment->sea;
    fm_hull_sums value, rate;
    fm_wave_pose pose;
    double R[9];
    fm_body_matrix(body, state->attitude, R);
    pose.time = fm_world_time(world) + source->begins + ahead;
    fm_wave_pose_at(body->grid, sea->depth <= 0, sea->depth, state->position, R, state->velocity, &pose);
    held->waves = 1;
    held->near = state->position[2] - world->stream.trough < body->hull.reach;
    held->middle = ahead;
    fm_sea_add_up_hull(sea, body->grid, held->near, &pose, &value, &rate);
    fm_hull_settle(body->grid, &pose, &value, &rate, held);
    fm_hull_place(&pose, state->position, state->velocity, held);
}

/* The same for a body whose waves are evaluated at its origin. */
static void add_waves(const fm_world *world, double t, const fm_body *body, const double position[3], fm_stream *out,
                      double gradient[9])
{
    const fm_sea *sea = &world->environment->sea;
    int near = position[2] - world->stream.trough < body->hull.reach;
    fm_sea_sample wave = near ? fm_sea_at(sea, t, position) : fm_sea_below(sea, t, position);
    for (int i = 0; i < 3; i++) {
        out->velocity[i] += wave.velocity[i];
        out->acceleration[i] += wave.acceleration[i];
    }
    fm_wave_add_gradient(wave.gradient, gradient);
    out->surface -= wave.elevation;
}

void fm_stream_sample(const fm_stream_source *source, const fm_body *body, double ahead, const fm_body_state *state,
                      fm_stream_room *room)
{
    const fm_world *world = source->fields;
    double now = fm_world_time(world), t = now + source->begins + ahead, gradient[9] = {0};
    fm_stream *out = &room->stream;
    *out = source->fixed;
    if (room->held.waves) {
        fm_stream_add_waves(room, ahead, out);
        fm_hull_shift(&room->held, ahead, state->position, out->velocity, out->acceleration, gradient);
    } else if (world->environment->sea.count) {
        add_waves(world, t, body, state->position, out, gradient);
    }
    if (world->environment->current.count)
        fm_current_meet(&world->environment->current, fm_subsystem_state(world, FM_SUBSYSTEM_CURRENTS), now, t, body,
                        state, out);
    fm_stream_convect(gradient, out);
}

void fm_stream_prepare(fm_world *world)
{
    const fm_environment *e = world->environment;
    fm_waters_draw(world);
    fm_waters_refresh(world);
    fm_sound_refresh(world);
    world->stream.fields = fm_environment_has_fields(e) ? world : NULL;
    world->stream.trough = 0;
    for (size_t i = 0; i < e->sea.count; i++)
        world->stream.trough += fm_abs(e->sea.waves[i].amplitude);
    memcpy(world->stream.fixed.velocity, world->live + FM_LIVE_CURRENT, sizeof world->stream.fixed.velocity);
}

void fm_stream_current(const fm_world *world, const double position[3], double out[3])
{
    const fm_environment *e = world->environment;
    double velocity[3];
    memcpy(out, world->live + FM_LIVE_CURRENT, 3 * sizeof *out);
    if (!e->current.count)
        return;
    fm_current_velocity(&e->current, fm_subsystem_state(world, FM_SUBSYSTEM_CURRENTS), fm_world_time(world), position,
                        velocity);
    for (int i = 0; i < 3; i++)
        out[i] += velocity[i];
}

void fm_stream_velocity(const fm_world *world, const double position[3], double out[3])
{
    const fm_environment *e = world->environment;
    fm_stream_current(world, position, out);
    if (e->sea.count)
        fm_sea_add_velocity(&e->sea, fm_world_time(world), position, out);
}

/* --- the subsystem --- */

static fm_status create(fm_world *world, const void *config, double *state, fm_error *error)
{
    (void)config, (void)state;
    return fm_waters_create(world, error);
}

/* Drawn at the first step, advanced by one tick at each further step. */
static void advance_currents(fm_world *world, const void *config, double *state)
{
    const fm_world_head *head = world->head;
    fm_current_advance(config, head->seed, FM_CURRENT_ENTITY, head->tick, world->model->settings.dt, state);
}

static void refresh(fm_world *world, const void *config, double *state)
{
    (void)config, (void)state;
    world->water_changed = world->live_written;
    if (!world->live_written)
        return;
    world->live_written = 0;
    const int sea = fm_waters_refresh(world), sound = fm_sound_refresh(world);
    if (sea || sound)
        fm_sound_renew(world);
    memcpy(world->stream.fixed.velocity, world->live + FM_LIVE_CURRENT, sizeof world->stream.fixed.velocity);
}

const fm_subsystem fm_currents_subsystem = {.id = FM_SUBSYSTEM_CURRENTS,
                                            .name = "currents",
                                            .create = create,
                                            .free = fm_waters_free,
                                            .deliver = advance_currents,
                                            .refresh = refresh};
