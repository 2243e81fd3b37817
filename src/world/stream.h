/* The motion of the water at the vehicles: uniform current, current fields and waves together. */
#ifndef FM_WORLD_STREAM_H
#define FM_WORLD_STREAM_H

#include "world/world.h"

/* The motion of the water; every model has it. Config: the fm_current of the environment, words:
 * fm_current_state_count, those of random currents. */
extern const fm_subsystem fm_currents_subsystem;

/* Sets the sea of the world from its state (waters.h), and points world->stream at the fields of the model, or at the
 * uniform current alone. */
void fm_stream_prepare(fm_world *world);
/* Velocity of the water (m/s, NED) at a place, at the world's present time; and the same without its waves. */
void fm_stream_current(const fm_world *world, const double position[3], double out[3]);
void fm_stream_velocity(const fm_world *world, const double position[3], double out[3]);

/* The water as a vehicle of this type experiences it. A vehicle with a step of several ticks moves in the last of them,
 * and its step begins with the first. */
static inline const fm_stream_source *fm_stream_of(const fm_world *world, const fm_type *type, fm_stream_source *room)
{
    if (type->period <= 1)
        return &world->stream;
    *room = world->stream;
    room->begins = world->model->settings.dt - type->step_s;
    return room;
}

/* Whether waves are summed over the hull of a body; and that sum, for the body in this state `ahead` seconds after its
 * step begins. */
int fm_stream_waves(const fm_stream_source *source, const fm_body *body);
void fm_stream_hold(const fm_stream_source *source, const fm_body *body, double ahead, const fm_body_state *state,
                    fm_hull_hold *held);
/* The fields and the uniform current together at a body, `ahead` seconds after its step begins, with the waves in
 * `room`. */
void fm_stream_sample(const fm_stream_source *source, const fm_body *body, double ahead, const fm_body_state *state,
                      fm_stream_room *room);

static inline const fm_stream *fm_stream_at(const fm_stream_source *source, const fm_body *body, double ahead,
                                            const fm_body_state *state, fm_stream_room *room)
{
    if (!source->fields)
        return &source->fixed;
    fm_stream_room_clear(room);
    if (fm_stream_waves(source, body))
        fm_stream_hold(source, body, ahead, state, &room->held);
    fm_stream_sample(source, body, ahead, state, room);
    return &room->stream;
}

/* The same with the waves in `room`. */
static inline const fm_stream *fm_stream_held_at(const fm_stream_source *source, const fm_body *body, double ahead,
                                                 const fm_body_state *state, fm_stream_room *room)
{
    if (!source->fields)
        return &source->fixed;
    fm_stream_sample(source, body, ahead, state, room);
    return &room->stream;
}

static inline double fm_stream_level(const fm_stream_source *source)
{
    return source->fixed.surface;
}

/* The maximum depth (m) of the surface. */
static inline double fm_stream_trough_of(const fm_stream_source *source)
{
    return source->trough;
}

static inline int fm_stream_varies(const fm_stream_source *source)
{
    return source->fields != NULL;
}

/* The integrators of a file that includes this one sample the world's water. */
#define FM_WATER_TYPE fm_stream_source
#define FM_WATER_SAMPLE fm_stream_held_at
#define FM_WATER_HOLD fm_stream_hold
#define FM_WATER_WAVES fm_stream_waves
#define FM_WATER_LEVEL fm_stream_level
#define FM_WATER_TROUGH fm_stream_trough_of
#define FM_WATER_VARIES fm_stream_varies
#include "physics/vehicle.h"

#endif
