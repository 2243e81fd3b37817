#include "bridges/dis/dis_frame.h"

#include <string.h>

static fm_geodetic index_of(const fm_geodetic *origin, const double position[3])
{
    fm_geodetic geodetic = fm_geodetic_from_chart(origin, position[0], position[1]);
    geodetic.height = -position[2];
    return geodetic;
}

void fm_dis_vector_out(const fm_geodetic *origin, const double point[3], const double world[3], double out[3])
{
    double axes[9];
    fm_geodetic at = index_of(origin, point);
    fm_geodetic_axes(&at, axes);
    fm_vector_to_world(axes, world, out);
}

static void narrow(const double from[3], float to[3])
{
    for (int i = 0; i < 3; i++)
        to[i] = (float)from[i];
}

static void widen(const float from[3], double to[3])
{
    for (int i = 0; i < 3; i++)
        to[i] = (double)from[i];
}

/* out = a b, by rows; `turned`: out = aᵀ b. */
static void multiply(const double a[9], int turned, const double b[9], double out[9])
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                sum += (turned ? a[3 * k + r] : a[3 * r + k]) * b[3 * k + c];
            out[3 * r + c] = sum;
        }
}

void fm_dis_entity_set_track(fm_dis_entity *entity, const fm_geodetic *origin, const fm_reckon_track *track,
                             int algorithm)
{
    double axes[9], R[9], M[9], euler[3], turned[3];
    fm_geodetic at = index_of(origin, track->position);
    fm_geodetic_axes(&at, axes);
    fm_geodetic_to_geocentric(&at, entity->location);
    fm_quat_matrix(track->attitude, R);
    multiply(axes, 0, R, M);
    fm_euler_from_matrix(M, euler);
    const double orientation[3] = {fm_angle_wrap_pi(euler[2]), euler[1], euler[0]};
    narrow(orientation, entity->orientation);
    entity->reckoning = (uint8_t)algorithm;
    if (fm_reckon_in_body(algorithm)) {
        narrow(track->velocity, entity->velocity);
        narrow(track->acceleration, entity->acceleration);
    } else {
        fm_vector_to_world(axes, track->velocity, turned);
        narrow(turned, entity->velocity);
        fm_vector_to_world(axes, track->acceleration, turned);
        narrow(turned, entity->acceleration);
    }
    narrow(track->rates, entity->rates);
}

void fm_dis_entity_get_track(const fm_dis_entity *entity, const fm_geodetic *origin, fm_reckon_track *track)
{
    double axes[9], R[9], M[9], given[3];
    fm_geodetic at = fm_geodetic_from_geocentric(entity->location), level = {at.latitude, at.longitude, 0};
    fm_geodetic_to_local(origin, &level, track->position);
    track->position[2] = -at.height;
    fm_geodetic_axes(&at, axes);
    const double euler[3] = {(double)entity->orientation[2], (double)entity->orientation[1],
                             (double)entity->orientation[0]};
    double own[3];
    fm_euler_matrix(euler, M);
    multiply(axes, 1, M, R);
    fm_euler_from_matrix(R, own);
    fm_quat_from_euler(own, track->attitude);
    widen(entity->velocity, track->velocity);
    widen(entity->acceleration, track->acceleration);
    widen(entity->rates, track->rates);
    if (!fm_reckon_in_body(entity->reckoning)) {
        memcpy(given, track->velocity, sizeof given);
        fm_vector_to_body(axes, given, track->velocity);
        memcpy(given, track->acceleration, sizeof given);
        fm_vector_to_body(axes, given, track->acceleration);
    }
}
