/* Conversion between Fathom's frames and those of ROS (REP 103).
 *
 * Inside: world NED (north, east, down), body FRD (forward, starboard, down), quaternion w x y z that turns body
 * into world vectors. Outside: world ENU (east, north, up), body FLU (forward, port, up). */
#ifndef FM_TELEMETRY_FRAMES_H
#define FM_TELEMETRY_FRAMES_H

#include "telemetry/message.h"

/* A world vector (position, velocity in the world …): NED to ENU. The map is its own inverse. */
static inline fm_msg_vector3 fm_enu_from_ned(const double v[3])
{
    return (fm_msg_vector3){v[1], v[0], -v[2]};
}

static inline fm_msg_point fm_enu_point_from_ned(const double v[3])
{
    return (fm_msg_point){v[1], v[0], -v[2]};
}

/* A body vector (velocity, angular rate, force, torque …): FRD to FLU. The map is its own inverse. */
static inline fm_msg_vector3 fm_flu_from_frd(const double v[3])
{
    return (fm_msg_vector3){v[0], -v[1], -v[2]};
}

static inline fm_msg_point fm_flu_point_from_frd(const double v[3])
{
    return (fm_msg_point){v[0], -v[1], -v[2]};
}

/* Attitude FRD→NED (q = w x y z) to FLU→ENU: q' = (0, √½, √½, 0) q (0, 1, 0, 0), up to an overall sign. */
static inline fm_msg_quaternion fm_enu_attitude_from_ned(const double q[4])
{
    const double s = 0.70710678118654752440; /* √½ */
    return (fm_msg_quaternion){
        .x = s * (q[1] + q[2]), .y = s * (q[1] - q[2]), .z = s * (q[0] - q[3]), .w = s * (q[0] + q[3])};
}

/* And back, to w x y z. */
static inline void fm_ned_attitude_from_enu(fm_msg_quaternion e, double q[4])
{
    const double s = 0.70710678118654752440;
    q[0] = s * (e.w + e.z);
    q[1] = s * (e.x + e.y);
    q[2] = s * (e.x - e.y);
    q[3] = s * (e.w - e.z);
}

/* The attitude of a part mounted on a body (FRD→FRD) as FLU→FLU. */
static inline fm_msg_quaternion fm_flu_attitude_from_frd(const double q[4])
{
    return (fm_msg_quaternion){.x = q[1], .y = -q[2], .z = -q[3], .w = q[0]};
}

/* A pose in the world, and one on a body. */
static inline fm_msg_pose fm_enu_pose_from_ned(const double position[3], const double q[4])
{
    return (fm_msg_pose){fm_enu_point_from_ned(position), fm_enu_attitude_from_ned(q)};
}

static inline fm_msg_pose fm_flu_pose_from_frd(const double position[3], const double q[4])
{
    return (fm_msg_pose){fm_flu_point_from_frd(position), fm_flu_attitude_from_frd(q)};
}

#endif
