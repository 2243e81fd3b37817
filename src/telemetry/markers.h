/* The scene once more as visualization_msgs/MarkerArray, for viewers that know nothing of ours: /markers/world has
 * terrain, walls and obstacles, /markers/vehicles the hulls, each in the frame of its vehicle, which /tf moves. */
#ifndef FM_TELEMETRY_MARKERS_H
#define FM_TELEMETRY_MARKERS_H

#include "telemetry/scene.h"

typedef struct fm_markers {
    fm_msg_marker_array world, vehicles;
    fm_msg_marker *hulls;  /* the markers of `vehicles`; the first removes those of before */
    fm_msg_point **meshes; /* corners of the triangles of each mesh of the scene */
    size_t *mesh_points;
    int told;                                 /* those of the world, as they are */
    fm_msg_point *terrain;                    /* corners of the triangles of the bottom */
    double extent;                            /* m: edge of the squares that walls without end are drawn as */
    size_t max_world_size, max_vehicles_size; /* bytes of the messages at most */
} fm_markers;

/* After fm_scene_build; all of it lives in the arena, or in the scene. */
fm_status fm_markers_build(const fm_scene *scene, const fm_world *world, fm_arena *arena, fm_markers *markers,
                           fm_error *error);
/* After fm_scene_look_at_bottom has taken it: its triangles. Never allocates. */
void fm_markers_sample_bottom(fm_markers *markers, const fm_scene *scene);
/* After fm_scene_place: the vehicles that are in the world now. Never allocates. */
void fm_markers_place(fm_markers *markers, const fm_scene *scene, const fm_world *world, fm_msg_time now);

#endif
