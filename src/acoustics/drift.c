#include "acoustics/drift.h"

#include <math.h>

#include "acoustics/ray_ways.h"
#include "physics/posture.h"
#include "physics/real.h"

enum { SAMPLES = 8 };

static void add_flow(const fm_water_flow *flow, const double point[3], double weight, double sum[3])
{
    double v[3];
    flow->at(flow->user, point, v);
    for (int i = 0; i < 3; i++)
        sum[i] += weight * v[i];
}

/* Depth of an unfolded path between its mirrors: the surface, and the bottom if there is one. */
static double fold(double depth, double bottom)
{
    if (!isfinite(bottom) || !(bottom > 0))
        return fabs(depth);
    double round = depth - 2 * bottom * floor(depth / (2 * bottom));
    return round > bottom ? 2 * bottom - round : round;
}

/* Mean over straight segments, evaluated at their midpoints. */
static void mean_of_line(const fm_medium *medium, const fm_water_flow *flow, const double from[3],
                         const fm_sound_way *way, double mean[3])
{
    double bottom = way->bottom ? fm_environment_depth(medium->water, from[0], from[1]) : HUGE_VAL;
    for (int i = 0; i < SAMPLES; i++) {
        double s = way->length * (i + 0.5) / SAMPLES, point[3];
        for (int k = 0; k < 3; k++)
            point[k] = from[k] + s * way->out[k];
        point[2] = fold(point[2], bottom);
        add_flow(flow, point, 1.0 / SAMPLES, mean);
    }
}

static void mean_velocity(const fm_medium *medium, const fm_water_flow *flow, const double from[3], const double to[3],
                          const fm_sound_way *way, double mean[3])
{
    double point[SAMPLES][3], share[SAMPLES];
    mean[0] = mean[1] = mean[2] = 0;
    if (flow->uniform)
        add_flow(flow, from, 1, mean);
    else if (!way->tube)
        mean_of_line(medium, flow, from, way, mean);
    else {
        fm_medium_ray_points(medium, from, to, way, SAMPLES, point, share);
        for (int i = 0; i < SAMPLES; i++)
            add_flow(flow, point[i], share[i], mean);
    }
    if (way->surface + way->bottom > 0 || way->tube)
        mean[2] = 0; /* what rises here sinks there */
}

/* A front emitted at speed c is a sphere about its carried origin: |d − uT| = cT, where d is the unfolded path. The
 * time of a ray is ∫ ds/(c + u·t), with a = cos θ/c constant along it. (A4.11) */
void fm_sound_way_carry(const fm_medium *medium, const fm_water_flow *flow, const double from[3], const double to[3],
                        fm_sound_way *way)
{
    double *u = way->water;
    if (!(way->length > 0))
        return;
    mean_velocity(medium, flow, from, to, way, u);
    if (way->tube) {
        way->time /= 1 + fmax((way->out[0] * u[0] + way->out[1] * u[1]) / way->speed_out, -0.5);
        return;
    }
    double c = way->length / way->time, along = way->length * fm_dot(way->out, u), uu = fm_dot(u, u);
    double room = fmax(c * c - uu, 0.25 * c * c);
    way->time = way->length * way->length / (along + sqrt(along * along + room * way->length * way->length));
}

static double face(double v[3], const fm_sound_way *way)
{
    double d[3];
    for (int i = 0; i < 3; i++)
        d[i] = way->length * v[i] - way->time * way->water[i];
    double length = sqrt(fm_dot(d, d));
    for (int i = 0; i < 3 && length > 0; i++)
        v[i] = d[i] / length;
    return length;
}

void fm_sound_way_face(fm_sound_way *way)
{
    if (way->water[0] == 0 && way->water[1] == 0 && way->water[2] == 0)
        return;
    double length = face(way->out, way);
    face(way->in, way);
    way->length = length;
}
