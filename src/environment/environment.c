#include "environment/environment.h"

#include <math.h>

#include "environment/solids.h"
#include "physics/track.h"

void fm_environment_free(fm_environment *environment)
{
    if (!environment)
        return;
    fm_ray_scene_free(environment->scene);
    fm_ray_scene_free(environment->floor_scene);
    fm_solids_free(environment);
    fm_mesh_free(&environment->floor);
    fm_heightmap_free(&environment->map);
    environment->scene = NULL;
}

/* Time within the track: clamped to its ends, or looped. */
static double track_moment(const fm_obstacle *o, double t)
{
    return fm_track_moment(o->track_time[0], o->track_time[o->track_count - 1], o->loops, t);
}

/* The leg of the track at a given time: from point *from to the returned one. */
static size_t track_leg(const fm_obstacle *o, double moment, size_t *from)
{
    size_t i = 1;
    while (i + 1 < o->track_count && moment > o->track_time[i])
        i++;
    if (o->track_count == 1)
        i = 0;
    *from = i ? i - 1 : 0;
    return i;
}

fm_shape fm_obstacle_at(const fm_obstacle *obstacle, double t)
{
    fm_shape shape = obstacle->shape;
    if (!obstacle->track_count)
        return shape;
    double moment = track_moment(obstacle, t);
    size_t from, to = track_leg(obstacle, moment, &from);
    double part = fm_track_part(obstacle->track_time[from], obstacle->track_time[to], moment);
    for (int k = 0; k < 3; k++)
        shape.position[k] = fm_track_between(obstacle->track[from][k], obstacle->track[to][k], part);
    return shape;
}

void fm_obstacle_velocity(const fm_obstacle *obstacle, double t, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    if (obstacle->track_count < 2 || t < obstacle->track_time[0] ||
        (!obstacle->loops && t > obstacle->track_time[obstacle->track_count - 1]))
        return;
    size_t from, to = track_leg(obstacle, track_moment(obstacle, t), &from);
    for (int k = 0; k < 3; k++)
        out[k] = fm_track_speed(obstacle->track[from][k], obstacle->track[to][k], obstacle->track_time[from],
                                obstacle->track_time[to]);
}

double fm_obstacle_corner(const fm_obstacle *o, double t)
{
    if (!o->track_count)
        return HUGE_VAL;
    double first = o->track_time[0], span = o->track_time[o->track_count - 1] - first;
    double begun = o->loops && span > 0 && t >= first ? span * floor((t - first) / span) : 0;
    for (size_t i = 0; i < o->track_count; i++)
        if (begun + o->track_time[i] > t)
            return begun + o->track_time[i];
    return o->loops && span > 0 ? begun + span + o->track_time[o->track_count > 1] : HUGE_VAL;
}

double fm_environment_depth(const fm_environment *environment, double x, double y)
{
    return environment->bottom ? fm_bottom_depth(environment->bottom, x, y) : HUGE_VAL;
}

double fm_environment_surface(const fm_environment *environment, double time, double x, double y)
{
    return environment->sea.count ? -fm_sea_elevation(&environment->sea, time, x, y) : 0;
}

double fm_environment_density(const fm_environment *environment, const double position[3])
{
    if (!environment->stratified)
        return environment->density;
    return fm_water_column_density(&environment->column, position[0], position[1], position[2]);
}
