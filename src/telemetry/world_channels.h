/* The channels of a world: what a run publishes, and when. Publishing does not block and does not change the world.
 * All memory is allocated at load, except for channels of vehicles that are added later.
 *
 *     /clock /tf /tf_static /scene /events /inputs /metrics /diagnostics
 *     /NAME/odom /NAME/actuators /NAME/joints /NAME/wrench /NAME/battery /NAME/PART
 *     /overlay/NAME/measured /overlay/NAME/model /overlay/NAME/difference
 *
 * A vehicle has the channels of its type, under its own name, while it is in the water: they are opened when it
 * arrives and closed when it leaves. The next vehicle of the same type reuses them, so that their number depends on how
 * many vehicles exist at a time, not on how many have existed. */
#ifndef FM_TELEMETRY_WORLD_CHANNELS_H
#define FM_TELEMETRY_WORLD_CHANNELS_H

#include <fathom/world.h>

#include "telemetry/overlay.h"

typedef struct fm_world_channels fm_world_channels;

/* `rate`: samples per second of each vehicle and sensor at most; 0: every vehicle step, every sensor sample.
 * `overlays`: of real vehicles, which outlive the channels; NULL: none. */
fm_status fm_world_channels_create(const fm_world *world, const fm_overlay *overlays, double rate,
                                   fm_world_channels **channels, fm_error *error);
void fm_world_channels_destroy(fm_world_channels *channels);
/* Sealed: rings may be attached, recorders created. */
fm_channels *fm_world_channels_get(fm_world_channels *channels);

/* Before the first step: the scene and the initial state. */
void fm_world_channels_begin(fm_world_channels *channels, const fm_world *world);
/* After each step. */
void fm_world_channels_publish(fm_world_channels *channels, const fm_world *world);
/* After the last step: the last sample of everything, metrics. */
void fm_world_channels_end(fm_world_channels *channels, const fm_world *world);

/* An input from a message of /inputs. */
fm_status fm_input_from_message(const fm_msg_input *message, fm_input *input, fm_error *error);

#endif
