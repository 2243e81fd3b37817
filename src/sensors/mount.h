/* Position and motion of an instrument mounted on a vehicle. */
#ifndef FM_SENSORS_MOUNT_H
#define FM_SENSORS_MOUNT_H

#include "physics/posture.h"
#include "physics/vector.h"

typedef struct fm_mount_pose {
    fm_real position[3]; /* m, NED */
    fm_real rotation[9]; /* instrument → world */
    fm_real velocity[3]; /* m/s over ground, instrument axes */
    fm_real rates[3];    /* rad/s, instrument axes */
} fm_mount_pose;

/* `at` [m] and `turned` (instrument → body): where it sits; position, R and velocity: the vehicle's. */
FM_FN fm_mount_pose fm_mount_where(const fm_real at[3], const fm_real turned[9], const fm_real position[3],
                                   const fm_real R[9], const fm_real velocity[6])
{
    fm_mount_pose p;
    fm_real lever[3], turning[3], moved[3];
    fm_vector_to_world(R, at, lever);
    fm_cross(velocity + 3, at, turning);
    for (int i = 0; i < 3; i++) {
        p.position[i] = position[i] + lever[i];
        moved[i] = velocity[i] + turning[i];
        for (int k = 0; k < 3; k++)
            p.rotation[3 * i + k] = R[3 * i] * turned[k] + R[3 * i + 1] * turned[3 + k] + R[3 * i + 2] * turned[6 + k];
    }
    fm_vector_to_body(turned, moved, p.velocity);
    fm_vector_to_body(turned, velocity + 3, p.rates);
    return p;
}

/* Roll, pitch and yaw (−π … π) as an attitude sensor outputs them, rad. */
FM_FN void fm_mount_euler(const fm_real r[9], fm_real euler[3])
{
    euler[0] = fm_atan2(r[7], r[8]);
    euler[1] = fm_asin(fm_clamp(-r[6], fm_const(-1), fm_const(1)));
    euler[2] = fm_atan2(r[3], r[0]);
}

#endif
