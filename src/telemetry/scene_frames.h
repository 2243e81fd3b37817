/* The frames that do not move: map → odom, and those of the sensors of each vehicle below its base. */
#ifndef FM_TELEMETRY_SCENE_FRAMES_H
#define FM_TELEMETRY_SCENE_FRAMES_H

#include "telemetry/scene.h"

/* Leaves map → odom alone in scene->fixed. */
void fm_scene_frames_begin(fm_scene *scene);
/* Adds the frame of a sensor, NAME/SENSOR, and for a camera its optical frame. */
void fm_scene_frames_mount(fm_scene *scene, const fm_part *sensor, const fm_msg_pose *pose, const char *vehicle,
                           const char *base);

#endif
