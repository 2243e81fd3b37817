/* Guided points and velocities of ground stations, in their frames and with their masks. */
#include <math.h>
#include <string.h>

#include "bridges/mavlink/mavlink_ground.h"
#include "missions/mission.h"
#include "physics/angle.h"
#include "world/world.h"

/* Bits of a type mask: what is left out. */
enum {
    NO_X = 1,
    NO_Y = 2,
    NO_Z = 4,
    NO_VX = 8,
    NO_VY = 16,
    NO_VZ = 32,
    NO_ACCELERATION = 448,
    NO_YAW = 1024,
    NO_TURN = 2048
};
enum { NO_PLACE = NO_X | NO_Y, NO_VELOCITY = NO_VX | NO_VY };
enum { LOCAL_NED = 1, LOCAL_OFFSET_NED = 7, BODY_NED = 8, BODY_OFFSET_NED = 9 }; /* MAV_FRAME */

static const fm_mav_target nothing = {
    .aim = FM_MAV_AIM_POINT, .position = {NAN, NAN, NAN}, .speed = NAN, .yaw = NAN, .turn = NAN};

/* Numbers that the mask lets through must be numbers. */
static fm_status check_numbers(const float *values, const int *bits, int mask, fm_error *error)
{
    for (int i = 0; i < 8; i++)
        if (!(mask & bits[i]) && !isfinite(values[i]))
            return fm_fail(error, FM_ERR_RANGE, "a part of the target is not a number: must be finite, or masked");
    return FM_OK;
}

static fm_status check_mask(int mask, fm_error *error)
{
    if ((mask & NO_ACCELERATION) != NO_ACCELERATION)
        return fm_fail(error, FM_ERR_MODEL, "accelerations and forces are not supported: mask bits 6 to 8");
    if (!!(mask & NO_X) != !!(mask & NO_Y) || !!(mask & NO_VX) != !!(mask & NO_VY))
        return fm_fail(error, FM_ERR_MODEL, "only one of x and y is masked: must be both or neither");
    if ((mask & NO_PLACE) && (mask & NO_Z) && (mask & NO_VELOCITY) && (mask & NO_VZ) && (mask & NO_YAW) &&
        (mask & NO_TURN))
        return fm_fail(error, FM_ERR_MODEL, "everything is masked: must have a position, a velocity or a yaw");
    return FM_OK;
}

/* Position, velocity, yaw and rate of turn by the mask; speeds are level distances per second. */
static fm_status read_target(const float at[3], const float v[3], float yaw, float turn, int mask, fm_mav_target *t,
                             fm_error *error)
{
    static const int bits[8] = {NO_X, NO_Y, NO_Z, NO_VX, NO_VY, NO_VZ, NO_YAW, NO_TURN};
    const float values[8] = {at[0], at[1], at[2], v[0], v[1], v[2], yaw, turn};
    fm_status status = check_mask(mask, error);
    if (status == FM_OK)
        status = check_numbers(values, bits, mask, error);
    if (status != FM_OK)
        return status;
    *t = nothing;
    for (int k = 0; k < 3; k++) {
        t->position[k] = mask & bits[k] ? (double)NAN : (double)at[k];
        t->velocity[k] = mask & bits[3 + k] ? 0 : (double)v[k];
    }
    t->yaw = mask & NO_YAW ? (double)NAN : (double)yaw;
    t->turn = mask & NO_TURN ? (double)NAN : (double)turn;
    const int moves = !(mask & NO_VELOCITY) || !(mask & NO_VZ);
    if ((mask & NO_PLACE) && moves)
        t->aim = FM_MAV_AIM_VELOCITY;
    else if (!(mask & NO_VELOCITY))
        t->speed = sqrt(t->velocity[0] * t->velocity[0] + t->velocity[1] * t->velocity[1]);
    return FM_OK;
}

static void turn_level(double heading, double v[2])
{
    const double c = fm_cos(heading), s = fm_sin(heading), ahead = v[0], aside = v[1];
    v[0] = c * ahead - s * aside;
    v[1] = s * ahead + c * aside;
}

fm_status fm_mav_aim_local(const fm_mav_flight *f, const fm_world *world, const fm_mav_set_position_target_local_ned *m,
                           fm_mav_target *t, fm_error *error)
{
    const float at[3] = {m->x, m->y, m->z}, v[3] = {m->vx, m->vy, m->vz};
    const int frame = m->coordinate_frame, body = frame == BODY_NED || frame == BODY_OFFSET_NED;
    fm_pose pose;
    if (frame != LOCAL_NED && frame != LOCAL_OFFSET_NED && !body)
        return fm_fail(error, FM_ERR_MODEL, "frame %d is not supported: must be 1, 7, 8 or 9", frame);
    fm_status status = read_target(at, v, m->yaw, m->yaw_rate, m->type_mask, t, error);
    if (status == FM_OK)
        status = fm_world_pose(world, f->slot, &pose);
    if (status != FM_OK)
        return status;
    if (body) {
        turn_level(pose.euler[2], t->position);
        turn_level(pose.euler[2], t->velocity);
        t->yaw += pose.euler[2];
    }
    for (int k = 0; k < 3 && frame != LOCAL_NED; k++)
        t->position[k] += pose.position[k];
    return FM_OK;
}

fm_status fm_mav_aim_check_frame(int frame, fm_error *error)
{
    return fm_mission_frame_fits(frame)
               ? FM_OK
               : fm_fail(error, FM_ERR_MODEL, "frame %d is not supported: must be 0, 3, 5 or 6", frame);
}

fm_status fm_mav_aim_place(const fm_geodetic *origin, double latitude, double longitude, double altitude,
                           fm_mav_target *t, fm_error *error)
{
    double local[3];
    const int here = isnan(latitude) && isnan(longitude);
    *t = nothing;
    t->position[2] = 0 - altitude;
    if (here)
        return FM_OK;
    if (!(fabs(latitude) <= 90 * FM_DEGREE) || !(fabs(longitude) <= 180 * FM_DEGREE))
        return fm_fail(error, FM_ERR_RANGE, "latitude or longitude is out of range: must be up to 90 and 180 deg");
    fm_geodetic_to_local(origin, &(fm_geodetic){latitude, longitude, 0}, local);
    const double away = sqrt(local[0] * local[0] + local[1] * local[1] + local[2] * local[2]);
    if (!(away <= FM_MISSION_REACH))
        return fm_fail(error, FM_ERR_RANGE, "the point is %.0f km from the origin: must be up to %g km", away * 1e-3,
                       FM_MISSION_REACH * 1e-3);
    t->position[0] = local[0];
    t->position[1] = local[1];
    return FM_OK;
}

fm_status fm_mav_aim_global(const fm_geodetic *origin, const fm_mav_set_position_target_global_int *m, fm_mav_target *t,
                            fm_error *error)
{
    const float at[3] = {0, 0, m->alt}, v[3] = {m->vx, m->vy, m->vz};
    const int frame = m->coordinate_frame, mask = m->type_mask;
    fm_mav_target place;
    fm_status status = fm_mav_aim_check_frame(frame, error);
    if (status == FM_OK)
        status = read_target(at, v, m->yaw, m->yaw_rate, mask, t, error);
    if (status == FM_OK)
        status = fm_mav_aim_place(origin, mask & NO_PLACE ? (double)NAN : m->lat_int * 1e-7 * FM_DEGREE,
                                  mask & NO_PLACE ? (double)NAN : m->lon_int * 1e-7 * FM_DEGREE,
                                  mask & NO_Z ? (double)NAN : (double)m->alt, &place, error);
    if (status == FM_OK)
        memcpy(t->position, place.position, sizeof t->position);
    return status;
}
