/* The motion of the water where vehicles are: uniform current, current fields and waves together. */
#ifndef FM_WORLD_STREAM_H
#define FM_WORLD_STREAM_H

#include "world/world.h"

/* Random currents; config: the fm_current of the environment, words: fm_current_state_count. */
extern const fm_subsystem fm_currents_subsystem;

/* Points world->stream at the fields of the model, or at the uniform current alone. */
void fm_stream_prepare(fm_world *world);
/* Before the vehicles move: the uniform current in force. */
void fm_stream_begin_step(fm_world *world);
/* Velocity of the water (m/s, NED) at a place, at the world's present time. */
void fm_stream_velocity(const fm_world *world, const double position[3], double out[3]);

#endif
