/* The scene as visualization_msgs/MarkerArray, for viewers that do not know our messages: /markers/world has terrain,
 * walls and obstacles; /markers/vehicles has the hulls, each in the frame of its vehicle, which /tf moves. */
#ifndef FM_TELEMETRY_MARKERS_H
#define FM_TELEMETRY_MARKERS_H

#include "telemetry/scene.h"

typedef struct fm_markers {
    fm_msg_marker_array world, vehicles;
    fm_msg_marker *hulls;  /* the markers of `vehicles`; the first one deletes the previous markers */
    fm_msg_point **meshes; /* corners of the triangles of each mesh of the scene */
    size_t *mesh_points;
    int told;                                 /* those of the world, as they are */
    fm_msg_point *terrain;                    /* corners of the triangles of the bottom */
    double extent;                            /* m: edge of the squares that walls without end are drawn as */
    size_t max_world_size, max_vehicles_size; /* bytes of the messages at most */
} fm_markers;

/* Call after fm_scene_build; all memory is in the arena or in the scene. */
fm_status fm_markers_build(const fm_scene *scene, const fm_world *world, fm_arena *arena, fm_markers *markers,
                           fm_error *error);
/* Triangles of the bottom; call after fm_scene_sample_bottom. Never allocates. */
void fm_markers_sample_bottom(fm_markers *markers, const fm_scene *scene);
/* The vehicles that are in the world now; call after fm_scene_place. Never allocates. */
void fm_markers_place(fm_markers *markers, const fm_scene *scene, const fm_world *world, fm_msg_time now);

#endif
