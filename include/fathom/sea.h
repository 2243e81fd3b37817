/* What is in the sea of a world, for programs: water, obstacles, rays of sound. For parts of vehicles in a step:
 * surroundings.h. World axes north-east-down, SI. Between steps, by the caller that owns the world. */
#ifndef FATHOM_SEA_H
#define FATHOM_SEA_H

#include <fathom/surroundings.h>
#include <fathom/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The water at a position now. FM_ERR_ARGUMENT: a coordinate is not finite, or an argument is NULL. */
FM_API fm_status fm_world_water(const fm_world *world, const double position[3], fm_water_info *water, fm_error *error);

/* An obstacle of the scenario. */
typedef struct fm_obstacle_info {
    const char *name;   /* NULL: no such obstacle */
    const char *shape;  /* "sphere", "box", "cylinder", "capsule", "ellipsoid", "hull" or "plane" */
    int axis;           /* 0, 1, 2: its own axis x, y or z along which a cylinder or capsule lies */
    double size[3];     /* m: radius of a sphere; half lengths of a box; radius and half length of a cylinder or capsule
                           (without its caps); semi-axes of an ellipsoid; radius of a ball that holds a hull */
    double position[3]; /* m: its origin, now */
    double rotation[9]; /* its own axes → world, by row; a plane is solid where its own z ≥ 0 */
    int moves;          /* 1: it follows a track */
} fm_obstacle_info;
/* Obstacles are numbered from 0 in the order of the scenario. */
FM_API size_t fm_world_obstacle_count(const fm_world *world);
/* Strings live as long as the model. */
FM_API fm_obstacle_info fm_world_obstacle(const fm_world *world, size_t i);

/* A ray of sound that leaves a depth (m) at an elevation (rad, down positive), by the layers of <acoustics>: its
 * horizontal range and depth (m) at ranges 0, spacing, 2 · spacing … Returns the number of points, at most `room`: the
 * ray ends where it meets surface or bottom or turns back. 0: the world has no sound. (A4.2) */
FM_API size_t fm_world_sound_ray(const fm_world *world, double depth, double elevation, double spacing,
                                 double (*points)[2], size_t room);
/* Name of a transducer by the slot and part of an fm_sound_record (sound.h); NULL: no such transducer. Lives as long as
 * the model. */
FM_API const char *fm_world_transducer(const fm_world *world, int slot, int part);

#ifdef __cplusplus
}
#endif
#endif
