#include "telemetry/motion.h"

#include <math.h>

#include "physics/real.h"
#include "physics/vector.h"
#include "world/world.h"

/* 10,000 km is as far as vehicles may be from the origin. */
const fm_motion_info fm_motion_infos[FM_MOTION_COUNT] = {
    [FM_MOTION_NORTH] = {"north", "m", 1e7, 0},
    [FM_MOTION_EAST] = {"east", "m", 1e7, 0},
    [FM_MOTION_DEPTH] = {"depth", "m", 1e7, 0},
    [FM_MOTION_ROLL] = {"roll", "rad", 1e3, 1},
    [FM_MOTION_PITCH] = {"pitch", "rad", 1e3, 1},
    [FM_MOTION_HEADING] = {"heading", "rad", 1e3, 1},
    [FM_MOTION_SURGE] = {"surge", "m/s", 1e3, 0},
    [FM_MOTION_SWAY] = {"sway", "m/s", 1e3, 0},
    [FM_MOTION_HEAVE] = {"heave", "m/s", 1e3, 0},
    [FM_MOTION_ROLL_RATE] = {"roll-rate", "rad/s", 1e3, 0},
    [FM_MOTION_PITCH_RATE] = {"pitch-rate", "rad/s", 1e3, 0},
    [FM_MOTION_YAW_RATE] = {"yaw-rate", "rad/s", 1e3, 0},
    [FM_MOTION_WATER_SURGE] = {"water-surge", "m/s", 1e3, 0},
    [FM_MOTION_WATER_SWAY] = {"water-sway", "m/s", 1e3, 0},
    [FM_MOTION_WATER_HEAVE] = {"water-heave", "m/s", 1e3, 0},
};

void fm_motion_clear(fm_motion *motion)
{
    for (int i = 0; i < FM_MOTION_COUNT; i++)
        motion->values[i] = NAN;
}

size_t fm_motion_known(const fm_motion *motion)
{
    size_t count = 0;
    for (int i = 0; i < FM_MOTION_COUNT; i++)
        count += isfinite(motion->values[i]) != 0;
    return count;
}

void fm_motion_of(const fm_world *world, int slot, fm_motion *motion)
{
    const fm_vehicle *v = world->slots[slot].vehicle;
    double water[3];
    fm_pose pose = {0};
    fm_world_pose(world, slot, &pose);
    fm_vector_to_body(fm_slot_rotation(world, slot), v->water, water);
    for (int i = 0; i < 3; i++) {
        motion->values[FM_MOTION_NORTH + i] = pose.position[i];
        motion->values[FM_MOTION_ROLL + i] = pose.euler[i];
        motion->values[FM_MOTION_SURGE + i] = v->body.velocity[i];
        motion->values[FM_MOTION_ROLL_RATE + i] = v->body.velocity[3 + i];
        motion->values[FM_MOTION_WATER_SURGE + i] = v->body.velocity[i] - water[i];
    }
}

void fm_motion_differ(const fm_motion *model, const fm_motion *measured, fm_motion *difference)
{
    for (int i = 0; i < FM_MOTION_COUNT; i++) {
        double d = model->values[i] - measured->values[i];
        difference->values[i] = fm_motion_infos[i].is_angle ? d - 2 * FM_PI * floor(d / (2 * FM_PI) + 0.5) : d;
    }
}

double fm_motion_distance(const fm_motion *d)
{
    const double *v = d->values + FM_MOTION_NORTH;
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}
