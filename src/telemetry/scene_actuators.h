/* The effect of the vehicles' actuators, for /scene. */
#ifndef FM_TELEMETRY_SCENE_ACTUATORS_H
#define FM_TELEMETRY_SCENE_ACTUATORS_H

#include "telemetry/message.h"
#include "world/world.h"

/* Writes one message per actuator of the model's type of this number. Gravity in m/s². */
void fm_scene_actuators(const fm_model *model, size_t number, double gravity, fm_msg_scene_actuator *out);

#endif
