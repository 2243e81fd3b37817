/* Velocities ordered by nodes: the autopilot holds the speeds forward and to starboard, and a heading, a depth, a pitch
 * and a roll that change at the ordered rates. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bridges/ros2/ros2_bridge.h"

static const double every = 0.1;    /* s of simulation between two orders */
static const double patience = 0.5; /* s of simulation without a new order, then it stops */
static const double turn = 6.28318530717958647692;

/* Orders that the world refuses are counted and reported, like later refusals. */
static void hold(fm_ros2_bridge *bridge, fm_world *world, const char *vehicle, const char *what, double value)
{
    fm_error error = {0};
    if (fm_world_desire(world, vehicle, what, value, &error) == FM_OK)
        return;
    fm_ros2_tally(bridge, FM_ROS2_DROP_REFUSED);
    snprintf(bridge->refusal, sizeof bridge->refusal, "cmd_vel: %.140s", error.text);
}

static void begin_twist(fm_ros2_twist *t, const fm_world *world, int slot, double now)
{
    fm_pose pose;
    t->stamp = now;
    t->fresh = 0;
    if (t->active || fm_world_pose(world, slot, &pose) != FM_OK)
        return;
    t->active = 1;
    t->heading = pose.euler[2];
    t->depth = pose.position[2];
    t->pitch = pose.euler[1];
    t->roll = pose.euler[0];
    t->sways = t->pitches = t->rolls = 0;
    t->last = now - every; /* at once */
}

static int has_setpoint(const fm_world *world, int slot, const char *what)
{
    for (size_t i = 0; i < fm_world_setpoint_count(world, slot); i++)
        if (strcmp(fm_world_setpoint(world, slot, i).name, what) == 0)
            return 1;
    return 0;
}

/* The axes that not every vehicle has: once their velocity is ordered, until the orders end. */
static void follow_more(fm_ros2_bridge *bridge, fm_world *world, int slot, const char *name, double passed)
{
    const double most = 1.5; /* rad: of pitch */
    fm_ros2_twist *t = &bridge->twists[slot];
    t->sways |= t->velocity[1] != 0 && has_setpoint(world, slot, "sway");
    t->rolls |= t->velocity[3] != 0 && has_setpoint(world, slot, "roll");
    t->pitches |= t->velocity[4] != 0 && has_setpoint(world, slot, "pitch");
    t->roll = remainder(t->roll + t->velocity[3] * passed, turn);
    t->pitch = fmin(fmax(t->pitch + t->velocity[4] * passed, -most), most);
    if (t->sways)
        hold(bridge, world, name, "sway", t->velocity[1]);
    if (t->rolls)
        hold(bridge, world, name, "roll", t->roll);
    if (t->pitches)
        hold(bridge, world, name, "pitch", t->pitch);
}

static void follow_twist(fm_ros2_bridge *bridge, fm_world *world, int slot, double now)
{
    fm_ros2_twist *t = &bridge->twists[slot];
    const char *name = fm_world_name(world, slot);
    int silent = now - t->stamp > patience;
    double passed = now - t->last;
    if (!name || (!silent && passed < every * (1 - 1e-9)))
        return;
    if (silent) {
        t->active = 0;
        hold(bridge, world, name, "speed", 0);
        if (t->sways)
            hold(bridge, world, name, "sway", 0);
        return;
    }
    t->last = now;
    t->heading = fmod(t->heading + t->velocity[5] * passed, turn);
    t->heading += t->heading < 0 ? turn : 0;
    t->depth = fmax(t->depth + t->velocity[2] * passed, 0);
    hold(bridge, world, name, "speed", t->velocity[0]);
    hold(bridge, world, name, "heading", t->heading);
    hold(bridge, world, name, "depth", t->depth);
    follow_more(bridge, world, slot, name, passed);
}

void fm_ros2_twists_follow(fm_ros2_bridge *bridge, fm_world *world)
{
    double now = fm_world_time(world);
    for (int slot = 0; slot < bridge->slots; slot++) {
        fm_ros2_twist *t = &bridge->twists[slot];
        if (t->active && now < t->last) /* a reset */
            t->active = 0;
        if (t->fresh)
            begin_twist(t, world, slot, now);
        if (t->active)
            follow_twist(bridge, world, slot, now);
    }
}
