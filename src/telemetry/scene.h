/* The scene of a world: terrain, obstacles, hulls, joints and sensor mounts, published as the latched channels /scene
 * and /tf_static. Memory for every slot is allocated at load, so that the scene can be published again when vehicles
 * come and go. */
#ifndef FM_TELEMETRY_SCENE_H
#define FM_TELEMETRY_SCENE_H

#include "telemetry/message.h"
#include "world/world.h"

enum { FM_FRAME_SIZE = 96 }; /* bytes of a frame id, NUL included */

/* What a vehicle of a type adds to the scene; its frame is filled in when it is placed. */
typedef struct fm_scene_type {
    fm_msg_scene_shape *shapes;
    size_t shape_count;
    fm_msg_scene_mount *mounts;
    size_t mount_count;
    const fm_type *type; /* its joints are read when a vehicle is placed */
} fm_scene_type;

typedef struct fm_scene {
    fm_msg_scene message;
    fm_msg_tf fixed;            /* from map to odom, from vehicles to their sensors */
    fm_scene_type *types;       /* one a type of the model */
    fm_msg_scene_shape *shapes; /* obstacles, then hulls */
    fm_msg_scene_mount *mounts;
    fm_msg_scene_vehicle *vehicles;
    fm_msg_transform_stamped *transforms;
    char (*frames)[FM_FRAME_SIZE]; /* of the mounts, and the optical ones of cameras */
    char (*bases)[FM_FRAME_SIZE];  /* of the vehicles, by slot */
    fm_msg_scene_joint *joints;
    char (*links)[FM_FRAME_SIZE];    /* frames that the joints turn */
    fm_msg_scene_heightmap *terrain; /* of the message; NULL: no bottom */
    float *heights;                  /* its own */
    uint64_t moves;                  /* state of the mounds when they were sampled (fm_waters_moves) */
    size_t obstacle_shapes;
    size_t max_size, max_fixed_size; /* bytes of the messages at most */
} fm_scene;

/* All memory is in the arena or in the model. */
fm_status fm_scene_build(const fm_world *world, fm_arena *arena, fm_scene *scene, fm_error *error);

/* Samples the bottom as it is now; 1: mounds have moved since the last sample. Never allocates. */
int fm_scene_sample_bottom(fm_scene *scene, const fm_world *world);
/* Writes the vehicles that are in the world now into message and fixed. Never allocates. */
void fm_scene_place(fm_scene *scene, const fm_world *world);

#endif
