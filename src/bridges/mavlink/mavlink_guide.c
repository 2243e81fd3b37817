/* Guided vehicles: where to steer, and how fast. Vehicles with thrusters hover at the point, others circle it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/part_class.h"
#include "bridges/mavlink/mavlink_flight.h"
#include "control/autopilot_part.h"
#include "control/guidance_part.h"
#include "physics/angle.h"
#include "world/world.h"

#define PATIENCE 3.0  /* s: for how long a velocity holds that is not repeated */
#define NEAR 3.0      /* m: a vehicle that hovers turns no more towards its point */
#define PULL 0.3      /* 1/s: speed per distance from the point */
#define CIRCLE 15.0   /* m: radius of the circle of those that cannot hover */
enum { LENGTHS = 5 }; /* of the vehicle, that the circle has at least */

/* A <station> that no other guidance overrides: its place can be set. */
static const char *find_station(const fm_type *type)
{
    const char *station = NULL;
    for (size_t i = type->sensor_count; i < type->sensor_count + type->controller_count; i++) {
        const fm_part_info part = {type->parts[i].name, type->parts[i].part_class, type->parts[i].config};
        if (!fm_guidance_is(&part))
            continue;
        if (!fm_class_is(part.part_class, "station"))
            return NULL;
        station = part.name;
    }
    return station;
}

fm_mav_helm fm_mav_helm_of(const fm_type *type)
{
    fm_mav_helm helm = {.part = NULL};
    for (size_t i = type->sensor_count; i < type->sensor_count + type->controller_count; i++) {
        const fm_part *part = &type->parts[i];
        if (!fm_class_is(part->part_class, "autopilot"))
            continue;
        const fm_autopilot_config *c = part->config;
        const int fins = c->steering != FM_STEER_THRUSTERS, thrusters = c->steering != FM_STEER_FINS;
        helm = (fm_mav_helm){.part = part->name,
                             .steers = (fins && c->heading.kp != 0) || (thrusters && c->heading.thrust_kp != 0),
                             .dives = (fins && c->depth.kp != 0) || (thrusters && c->depth.thrust_kp != 0),
                             .runs = c->speed.thrust_kp != 0 || c->speed_feed != 0,
                             .sidles = thrusters && c->sway.thrust_kp != 0,
                             .speed = c->speed.order,
                             .enabled = c->enabled};
        helm.hovers = thrusters && helm.runs && helm.sidles;
        helm.station = thrusters && c->hover[0] > 0 ? find_station(type) : NULL;
    }
    return helm;
}

/* --- what is held --- */

typedef struct demand {
    double heading, depth; /* rad, m; NaN: as before */
    double ahead, aside;   /* m/s through the water */
} demand;

static double clamp(double value, double most)
{
    return fmin(fmax(value, -most), most);
}

static void hold(const fm_mav_flight *f, fm_world *world, const char *what, double value)
{
    if (!isnan(value))
        fm_mav_flight_desire(f, world, what, value, NULL);
}

static void give(const fm_mav_flight *f, fm_world *world, const fm_mav_helm *helm, const demand *d)
{
    hold(f, world, "heading", isnan(d->heading) ? NAN : fm_angle_positive(fm_angle_wrap_pi(d->heading)));
    hold(f, world, "speed", d->ahead);
    if (helm->dives && !f->boat)
        hold(f, world, "depth", d->depth);
    if (helm->sidles)
        hold(f, world, "sway", d->aside);
}

/* Speeds over ground as speeds through the water, along the axes of a level body with this heading. */
static void turn_in(const fm_world *world, int slot, double heading, const double over_ground[2], demand *d)
{
    const double *water = world->slots[slot].vehicle->water, c = fm_cos(heading), s = fm_sin(heading);
    const double north = over_ground[0] - water[0], east = over_ground[1] - water[1];
    d->ahead = c * north + s * east;
    d->aside = c * east - s * north;
}

/* --- towards a point --- */

/* (north, east) from the vehicle to the point. */
static void hover(fm_mav_flight *f, const fm_world *world, const double away[2], double most, demand *d)
{
    fm_pose pose;
    const double pull[2] = {clamp(PULL * away[0], most), clamp(PULL * away[1], most)};
    if (fm_world_pose(world, f->slot, &pose) != FM_OK)
        return;
    turn_in(world, f->slot, pose.euler[2], pull, d);
    d->heading = f->heading;
}

/* Round the point clockwise, which from afar is straight at it. */
static void circle(const fm_mav_flight *f, const double away[2], double distance, double speed, demand *d)
{
    const double radius = f->target.radius > 0 ? f->target.radius : fmax(CIRCLE, LENGTHS * f->type->length);
    const double from_centre = fm_atan2(-away[1], -away[0]), off = 2 * (distance - radius) / radius;
    d->heading = from_centre + FM_PI / 2 + fm_atan2(off, 1);
    d->ahead = speed;
}

static void approach(fm_mav_flight *f, const fm_world *world, const fm_mav_helm *helm, const fm_pose *pose, demand *d)
{
    const fm_mav_target *t = &f->target;
    const double away[2] = {t->position[0] - pose->position[0], t->position[1] - pose->position[1]};
    const double distance = sqrt(away[0] * away[0] + away[1] * away[1]);
    const int was_near = f->near;
    d->depth = t->position[2];
    f->near = helm->hovers && distance < (was_near ? 2 : 1) * NEAR;
    if (f->near && !was_near)
        f->heading = !isnan(t->yaw) ? t->yaw : pose->euler[2];
    if (f->near)
        hover(f, world, away, t->speed, d);
    else if (!helm->hovers)
        circle(f, away, distance, t->speed, d);
    else {
        d->heading = fm_atan2(away[1], away[0]);
        d->ahead = fmin(t->speed, PULL * distance);
    }
}

/* --- with a velocity --- */

static void stop_here(fm_mav_flight *f, const fm_pose *pose)
{
    f->target.aim = FM_MAV_AIM_POINT;
    f->target.yaw = f->target.turn = NAN;
    memcpy(f->target.position, pose->position, sizeof pose->position);
}

static void run(fm_mav_flight *f, const fm_world *world, const fm_mav_helm *helm, const fm_pose *pose, double passed,
                demand *d)
{
    fm_mav_target *t = &f->target;
    const double *v = t->velocity, speed = sqrt(v[0] * v[0] + v[1] * v[1]);
    t->position[2] += v[2] * passed;
    if (!f->boat)
        t->position[2] = fmax(t->position[2], 0);
    if (!isnan(t->turn))
        t->yaw = (isnan(t->yaw) ? pose->euler[2] : t->yaw) + t->turn * passed;
    d->depth = t->position[2];
    d->heading = !isnan(t->yaw) && helm->hovers ? t->yaw : speed > 0.01 ? fm_atan2(v[1], v[0]) : NAN;
    if (helm->hovers)
        turn_in(world, f->slot, pose->euler[2], v, d);
    else
        d->ahead = speed;
}

/* --- by the place of a station --- */

static void hold_of(const fm_mav_flight *f, fm_world *world, const char *part, const char *what, double value)
{
    char name[96];
    snprintf(name, sizeof name, "%.60s/%s", part, what);
    hold(f, world, name, value);
}

static void move_station(fm_mav_flight *f, fm_world *world, const fm_mav_helm *helm, double passed)
{
    fm_mav_target *t = &f->target;
    for (int k = 0; k < 3 && t->aim == FM_MAV_AIM_VELOCITY; k++)
        t->position[k] += t->velocity[k] * passed;
    if (!isnan(t->turn) && !isnan(t->yaw))
        t->yaw += t->turn * passed;
    hold_of(f, world, helm->station, "north", t->position[0]);
    hold_of(f, world, helm->station, "east", t->position[1]);
    hold_of(f, world, helm->station, "depth", t->position[2]);
    if (!isnan(t->yaw))
        hold_of(f, world, helm->station, "heading", fm_angle_positive(fm_angle_wrap_pi(t->yaw)));
}

void fm_mav_guide(fm_mav_flight *f, fm_world *world, const fm_mav_helm *helm, double passed)
{
    fm_pose pose;
    demand d = {.heading = NAN, .depth = NAN};
    if (fm_world_pose(world, f->slot, &pose) != FM_OK || f->target.aim == FM_MAV_AIM_NONE)
        return;
    if (f->target.aim == FM_MAV_AIM_VELOCITY && f->now - f->aimed > PATIENCE)
        stop_here(f, &pose);
    if (helm->station) {
        move_station(f, world, helm, passed);
        return;
    }
    if (f->target.aim == FM_MAV_AIM_VELOCITY)
        run(f, world, helm, &pose, passed, &d);
    else
        approach(f, world, helm, &pose, &d);
    give(f, world, helm, &d);
}
