/* The scene of a model: terrain, obstacles, hulls, joints and sensor mounts, as the latched channel /scene tells them. */
#ifndef FM_TELEMETRY_SCENE_H
#define FM_TELEMETRY_SCENE_H

#include "telemetry/message.h"
#include "world/model.h"

/* All of it lives in the arena, or in the model. */
fm_status fm_scene_build(const fm_model *model, fm_arena *arena, fm_msg_scene *scene, fm_error *error);

/* Fixed transforms from vehicles to their sensors (/tf_static). */
fm_status fm_scene_mounts(const fm_model *model, fm_arena *arena, fm_msg_tf *tf, fm_error *error);

/* Where a part is mounted: position (m, body) and attitude (w x y z, part → body) from its attributes `position`, `attitude`
 * (or `orientation`) and `direction`. Returns 0 where it has none of them. */
int fm_part_mount(const fm_part *part, double position[3], double attitude[4]);

#endif
