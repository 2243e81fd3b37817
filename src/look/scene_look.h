/* The looks of vehicles, and the waves, for /scene. */
#ifndef FM_LOOK_SCENE_LOOK_H
#define FM_LOOK_SCENE_LOOK_H

#include "telemetry/message.h"
#include "world/world.h"

/* Pieces of a type; skins and drawings add a mesh each. */
size_t fm_scene_look_count(const fm_type *type);
size_t fm_scene_look_mesh_count(const fm_type *type);

/* Writes them, numbered as those of type `number`, and their meshes, the first of which has the index `first_mesh`. 0
 * when out of memory. */
int fm_scene_looks(const fm_type *type, uint32_t number, int32_t first_mesh, fm_arena *arena, fm_msg_scene_look *looks,
                   fm_msg_scene_mesh *meshes);

/* Space for the waves of a world in the arena, none drawn yet; 0 when out of memory. */
int fm_scene_waves_room(const fm_world *world, fm_arena *arena, fm_msg_scene *scene);
/* The waves as they are now. */
void fm_scene_take_waves(const fm_world *world, fm_msg_scene *scene);

/* The record of a newly added vehicle of the type, not placed; NULL when out of memory. */
fm_vehicle *fm_scene_rest(const fm_model *model, const fm_type *type, fm_arena *arena);

#endif
