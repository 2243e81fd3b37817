#include <math.h>
#include <string.h>

#include "imports/robot.h"
#include "physics/posture.h"

fm_robot_pose fm_robot_pose_none(void)
{
    return (fm_robot_pose){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

fm_robot_pose fm_robot_pose_from(const double position[3], const double angles[3])
{
    fm_robot_pose mount = {.position = {position[0], position[1], position[2]}};
    fm_euler_matrix(angles, mount.R);
    return mount;
}

void fm_robot_pose_turn(const fm_robot_pose *mount, const double vector[3], double out[3])
{
    const double v[3] = {vector[0], vector[1], vector[2]};
    fm_vector_to_world(mount->R, v, out);
}

void fm_robot_pose_point(const fm_robot_pose *mount, const double point[3], double out[3])
{
    fm_robot_pose_turn(mount, point, out);
    for (int i = 0; i < 3; i++)
        out[i] += mount->position[i];
}

fm_robot_pose fm_robot_pose_chain(const fm_robot_pose *outer, const fm_robot_pose *inner)
{
    fm_robot_pose chain = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                chain.R[3 * i + j] += outer->R[3 * i + k] * inner->R[3 * k + j];
    fm_robot_pose_point(outer, inner->position, chain.position);
    return chain;
}

fm_robot_pose fm_robot_pose_inverse(const fm_robot_pose *mount)
{
    fm_robot_pose inverse = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            inverse.R[3 * i + j] = mount->R[3 * j + i];
    fm_robot_pose_turn(&inverse, mount->position, inverse.position);
    for (int i = 0; i < 3; i++)
        inverse.position[i] = -inverse.position[i];
    return inverse;
}

void fm_robot_pose_angles(const fm_robot_pose *mount, double angles[3])
{
    fm_euler_from_matrix(mount->R, angles);
    if (angles[2] > FM_PI)
        angles[2] -= 2 * FM_PI;
}
