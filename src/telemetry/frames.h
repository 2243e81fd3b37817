/* Conversion between Fathom's frames and those of ROS (REP 103).
 *
 * Inside: world NED (north, east, down), body FRD (forward, starboard, down), quaternion w x y z that turns body
 * into world vectors. Outside: world ENU (east, north, up), body FLU (forward, port, up). */
#ifndef FM_TELEMETRY_FRAMES_H
#define FM_TELEMETRY_FRAMES_H

#include <string.h>

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

/* Names of frames as REP 105 has them: map → odom → NAME/base_link → NAME/INSTRUMENT. `odom` does not drift here: it is
 * `map`. */
#define FM_MAP_FRAME "map"
#define FM_ODOM_FRAME "odom"
#define FM_BASE_FRAME "base_link"
/* A camera's frame with z ahead, x to the right and y down (REP 103), beside that of the camera itself. */
#define FM_OPTICAL_FRAME "_optical_frame"

/* Whether a frame has the axes of the world. */
static inline int fm_frame_is_world(const char *frame, size_t length)
{
    return (length == sizeof FM_MAP_FRAME - 1 && memcmp(frame, FM_MAP_FRAME, length) == 0) ||
           (length == sizeof FM_ODOM_FRAME - 1 && memcmp(frame, FM_ODOM_FRAME, length) == 0);
}

/* Length of the vehicle's name in its frame "NAME/base_link"; older logs have its name alone. */
static inline size_t fm_frame_vehicle_length(const char *frame)
{
    const size_t length = strlen(frame), end = sizeof FM_BASE_FRAME; /* with the slash */
    return length > end && frame[length - end] == '/' && strcmp(frame + length - end + 1, FM_BASE_FRAME) == 0
               ? length - end
               : length;
}

#endif
