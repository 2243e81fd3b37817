#include "telemetry/kinematics.h"

#include <math.h>

#include "physics/real.h"
#include "physics/vector.h"
#include "world/world.h"

/* vehicles may be at most 10,000 km from the origin */
const fm_kinematics_info fm_kinematics_infos[FM_KINEMATICS_COUNT] = {
    [FM_KINEMATICS_NORTH] = {"north", "m", 1e7, 0},
    [FM_KINEMATICS_EAST] = {"east", "m", 1e7, 0},
    [FM_KINEMATICS_DEPTH] = {"depth", "m", 1e7, 0},
    [FM_KINEMATICS_ROLL] = {"roll", "rad", 1e3, 1},
    [FM_KINEMATICS_PITCH] = {"pitch", "rad", 1e3, 1},
    [FM_KINEMATICS_HEADING] = {"heading", "rad", 1e3, 1},
    [FM_KINEMATICS_SURGE] = {"surge", "m/s", 1e3, 0},
    [FM_KINEMATICS_SWAY] = {"sway", "m/s", 1e3, 0},
    [FM_KINEMATICS_HEAVE] = {"heave", "m/s", 1e3, 0},
    [FM_KINEMATICS_ROLL_RATE] = {"roll-rate", "rad/s", 1e3, 0},
    [FM_KINEMATICS_PITCH_RATE] = {"pitch-rate", "rad/s", 1e3, 0},
    [FM_KINEMATICS_YAW_RATE] = {"yaw-rate", "rad/s", 1e3, 0},
    [FM_KINEMATICS_WATER_SURGE] = {"water-surge", "m/s", 1e3, 0},
    [FM_KINEMATICS_WATER_SWAY] = {"water-sway", "m/s", 1e3, 0},
    [FM_KINEMATICS_WATER_HEAVE] = {"water-heave", "m/s", 1e3, 0},
};

void fm_kinematics_clear(fm_kinematics *motion)
{
    for (int i = 0; i < FM_KINEMATICS_COUNT; i++)
        motion->values[i] = NAN;
}

size_t fm_kinematics_known(const fm_kinematics *motion)
{
    size_t count = 0;
    for (int i = 0; i < FM_KINEMATICS_COUNT; i++)
        count += isfinite(motion->values[i]) != 0;
    return count;
}

void fm_kinematics_of(const fm_world *world, int slot, fm_kinematics *motion)
{
    const fm_vehicle *v = world->slots[slot].vehicle;
    double water[3];
    fm_pose pose = {0};
    fm_world_pose(world, slot, &pose);
    fm_vector_to_body(fm_slot_rotation(world, slot), v->water, water);
    for (int i = 0; i < 3; i++) {
        motion->values[FM_KINEMATICS_NORTH + i] = pose.position[i];
        motion->values[FM_KINEMATICS_ROLL + i] = pose.euler[i];
        motion->values[FM_KINEMATICS_SURGE + i] = v->body.velocity[i];
        motion->values[FM_KINEMATICS_ROLL_RATE + i] = v->body.velocity[3 + i];
        motion->values[FM_KINEMATICS_WATER_SURGE + i] = v->body.velocity[i] - water[i];
    }
}

void fm_kinematics_differ(const fm_kinematics *model, const fm_kinematics *measured, fm_kinematics *difference)
{
    for (int i = 0; i < FM_KINEMATICS_COUNT; i++) {
        double d = model->values[i] - measured->values[i];
        difference->values[i] = fm_kinematics_infos[i].is_angle ? d - 2 * FM_PI * floor(d / (2 * FM_PI) + 0.5) : d;
    }
}

double fm_kinematics_distance(const fm_kinematics *d)
{
    const double *v = d->values + FM_KINEMATICS_NORTH;
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}
