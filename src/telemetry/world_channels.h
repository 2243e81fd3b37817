/* The channels of a world: what a run tells, and when. All memory is taken at load; publishing neither blocks nor
 * allocates, and changes nothing in the world.
 *
 *     /clock /tf /tf_static /scene /events /inputs /metrics /diagnostics
 *     /NAME/odom /NAME/actuators /NAME/joints /NAME/wrench /NAME/battery /NAME/PART
 *
 * Channels belong to slots. Slots that the scenario leaves free are called spawned_1, spawned_2 …; a vehicle that is
 * spawned into one tells its own name in frame_id and child_frame_id. */
#ifndef FM_TELEMETRY_WORLD_CHANNELS_H
#define FM_TELEMETRY_WORLD_CHANNELS_H

#include <fathom/world.h>

#include "telemetry/channel.h"

typedef struct fm_world_channels fm_world_channels;

/* `rate`: samples per second of each vehicle and sensor at most; 0: every vehicle step, every sensor sample. */
fm_status fm_world_channels_create(const fm_world *world, double rate, fm_world_channels **channels, fm_error *error);
void fm_world_channels_destroy(fm_world_channels *channels);
/* Sealed: rings may be attached, recorders created. */
fm_channels *fm_world_channels_get(fm_world_channels *channels);

/* Before the first step: the scene and the state at the start. */
void fm_world_channels_begin(fm_world_channels *channels, const fm_world *world);
/* After each step. */
void fm_world_channels_publish(fm_world_channels *channels, const fm_world *world);
/* After the last step: the last sample of everything, metrics. */
void fm_world_channels_end(fm_world_channels *channels, const fm_world *world);

/* An input from a message of /inputs. */
fm_status fm_input_from_message(const fm_msg_input *message, fm_input *input, fm_error *error);

#endif
