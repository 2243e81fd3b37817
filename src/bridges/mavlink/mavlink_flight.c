#include "bridges/mavlink/mavlink_flight.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "world/inputs.h"
#include "world/surface.h"
#include "world/world.h"

#define EVERY 0.1   /* s of simulated time between two decisions of a guided vehicle */
#define SILENCE 1.0 /* s of simulated time after which sticks that say nothing are in the middle */
enum { ACTUATORS = 256 };

/* --- orders to the world --- */

fm_status fm_mav_submit(fm_world *world, fm_status made, fm_input *input, fm_error *error)
{
    if (made != FM_OK)
        return made;
    fm_input_set_holder(input, FM_MAV_HOLDER);
    return fm_world_input(world, input, error);
}

fm_status fm_mav_flight_desire(const fm_mav_flight *f, fm_world *world, const char *what, double value, fm_error *error)
{
    fm_input input;
    return fm_mav_submit(world, fm_input_value(&input, FM_COMMAND_DESIRE, f->name, what, value, error), &input, error);
}

static fm_status order(const fm_mav_flight *f, fm_world *world, size_t i, double value, fm_error *error)
{
    fm_input input;
    return fm_mav_submit(world,
                         fm_input_value(&input, FM_COMMAND_ORDER, f->name, f->type->actuator_names[i], value, error),
                         &input, error);
}

/* Actuators and set points go back to the scenario. */
static fm_status release(const fm_mav_flight *f, fm_world *world, fm_error *error)
{
    fm_input input;
    return fm_mav_submit(world, fm_input_begin(&input, FM_COMMAND_RELEASE, f->name, NULL, error), &input, error);
}

/* All actuators at rest; ballast and moving masses stay as they are. */
static fm_status rest(const fm_mav_flight *f, fm_world *world, fm_error *error)
{
    fm_status status = FM_OK;
    for (size_t i = 0; i < f->type->actuator_count && status == FM_OK; i++) {
        const fm_actuator *a = &f->type->actuators[i];
        const double now = fm_actuator_states(f->type, world->slots[f->slot].vehicle)[i].order;
        status = order(f, world, i, a->kind == FM_ACT_MASS ? now : fmin(fmax(0, a->low), a->high), error);
    }
    if (status != FM_OK)
        release(f, world, NULL);
    return status;
}

/* An autopilot that does not steer must not integrate: it rests until it steers again. */
static fm_status enable(const fm_mav_flight *f, fm_world *world, int armed, fm_mav_mode mode, fm_error *error)
{
    const fm_mav_helm helm = fm_mav_helm_of(f->type);
    const double enabled = !armed || mode == FM_MAV_MANUAL ? 0 : mode == FM_MAV_AUTO ? helm.enabled : 1;
    char path[128];
    fm_input input;
    if (!helm.part)
        return FM_OK;
    snprintf(path, sizeof path, "/%s/%.60s/enabled", f->name, helm.part);
    return fm_mav_submit(world, fm_input_value(&input, FM_COMMAND_SET, NULL, path, enabled, error), &input, error);
}

/* --- meeting a vehicle --- */

/* It moves by itself: a controller or timed orders of the scenario steer it. */
static int is_steered(const fm_world *world, int slot, const fm_type *type)
{
    const int64_t placement = world->slots[slot].vehicle->placement;
    return type->controller_count > 0 || (placement >= 0 && world->model->vehicles[placement].order_count > 0);
}

int fm_mav_flight_meet(fm_mav_flight *f, const fm_world *world, int slot)
{
    const fm_slot *s = fm_slot_occupied(world, slot);
    const char *name = s ? fm_world_name(world, slot) : NULL;
    const double now = fm_world_time(world);
    const int same = name && f->type == s->type && strcmp(name, f->name) == 0 && now >= f->now;
    if (same) {
        f->now = now;
        return 0;
    }
    *f = (fm_mav_flight){.slot = slot, .now = now, .last = -HUGE_VAL, .moved = NAN, .speed = NAN};
    if (!name)
        return 1;
    snprintf(f->name, sizeof f->name, "%.31s", name);
    f->type = s->type;
    f->boat = fm_type_floats(s->type);
    f->armed = is_steered(world, slot, s->type);
    f->mode = f->armed ? FM_MAV_AUTO : FM_MAV_MANUAL;
    return 1;
}

/* --- what a vehicle can do --- */

static fm_status check_guided(const fm_mav_flight *f, fm_error *error)
{
    const fm_mav_helm helm = fm_mav_helm_of(f->type);
    if (!helm.part)
        return fm_fail(error, FM_ERR_MODEL, "'%s' has no <autopilot> to guide it", f->name);
    if (helm.station)
        return FM_OK;
    if (!helm.steers || !helm.runs || (!helm.dives && !f->boat))
        return fm_fail(error, FM_ERR_MODEL, "the autopilot of '%s' has no gains of %s", f->name,
                       !helm.steers ? "heading"
                       : !helm.runs ? "speed"
                                    : "depth");
    return FM_OK;
}

static fm_status check_manual(const fm_mav_flight *f, fm_error *error)
{
    static const double still[FM_MAV_STICKS] = {0};
    double orders[ACTUATORS];
    uint8_t used[ACTUATORS];
    if (f->type->actuator_count > ACTUATORS || !fm_mav_sticks_mix(f->type, still, orders, used))
        return fm_fail(error, FM_ERR_MODEL, "'%s' has no thruster and no fin for sticks", f->name);
    return FM_OK;
}

fm_status fm_mav_flight_check(const fm_mav_flight *f, const fm_world *world, fm_mav_mode mode, fm_error *error)
{
    if (mode == FM_MAV_MANUAL)
        return check_manual(f, error);
    if (mode != FM_MAV_AUTO)
        return check_guided(f, error);
    return is_steered(world, f->slot, f->type)
               ? FM_OK
               : fm_fail(error, FM_ERR_MODEL, "'%s' has no <waypoints>, controller or orders to follow", f->name);
}

/* --- modes --- */

/* The speed of guided legs. */
static double usual_speed(const fm_mav_flight *f, const fm_world *world)
{
    const fm_mav_helm helm = fm_mav_helm_of(f->type);
    const char *list = fm_world_waypoint_list(world, f->name, NULL);
    char path[128];
    double speed = NAN;
    if (!isnan(f->speed))
        return f->speed;
    if (list) {
        snprintf(path, sizeof path, "/%s/%.80s/speed", f->name, list);
        fm_world_get(world, path, &speed, NULL);
    }
    return speed > 0 ? speed : helm.speed > 0 ? helm.speed : 1;
}

static void stay_here(fm_mav_flight *f, const fm_world *world)
{
    fm_pose pose;
    f->target = (fm_mav_target){.aim = FM_MAV_AIM_NONE, .speed = usual_speed(f, world), .yaw = NAN, .turn = NAN};
    f->near = 0;
    f->last = -HUGE_VAL;
    if (fm_world_pose(world, f->slot, &pose) != FM_OK)
        return;
    f->target.aim = FM_MAV_AIM_POINT;
    memcpy(f->target.position, pose.position, sizeof pose.position);
}

static fm_status move_actuators(const fm_mav_flight *f, fm_world *world, fm_error *error)
{
    double orders[ACTUATORS];
    uint8_t used[ACTUATORS];
    fm_status status = check_manual(f, error);
    if (status != FM_OK)
        return status;
    fm_mav_sticks_mix(f->type, f->sticks, orders, used);
    for (size_t i = 0; i < f->type->actuator_count && status == FM_OK; i++)
        if (used[i])
            status = order(f, world, i, orders[i], error);
    return status;
}

/* The orders of a mode when it begins. */
static fm_status begin(fm_mav_flight *f, fm_world *world, fm_mav_mode mode, fm_error *error)
{
    fm_status status = release(f, world, error);
    if (status == FM_OK)
        status = enable(f, world, 1, mode, error);
    memset(f->sticks, 0, sizeof f->sticks);
    f->moved = NAN;
    if (status != FM_OK || mode == FM_MAV_AUTO)
        return status;
    if (mode == FM_MAV_MANUAL)
        return move_actuators(f, world, error);
    stay_here(f, world);
    return FM_OK;
}

fm_status fm_mav_flight_set_mode(fm_mav_flight *f, fm_world *world, fm_mav_mode mode, fm_error *error)
{
    fm_status status = fm_mav_flight_check(f, world, mode, error);
    if (status != FM_OK)
        return status;
    if (f->armed && mode != f->mode)
        status = begin(f, world, mode, error);
    if (status == FM_OK)
        f->mode = mode;
    return status;
}

fm_status fm_mav_flight_arm(fm_mav_flight *f, fm_world *world, int armed, fm_error *error)
{
    if (armed == f->armed)
        return FM_OK;
    fm_status status = armed ? fm_mav_flight_check(f, world, f->mode, error) : FM_OK;
    if (status == FM_OK)
        status = armed ? begin(f, world, f->mode, error) : rest(f, world, error);
    if (status == FM_OK && !armed)
        status = enable(f, world, 0, f->mode, error);
    if (status == FM_OK)
        f->armed = armed;
    return status;
}

static fm_status check_ready(const fm_mav_flight *f, fm_mav_mode mode, fm_error *error)
{
    if (!f->armed)
        return fm_fail(error, FM_ERR_STATE, "'%s' is not armed", f->name);
    if (f->mode != mode)
        return fm_fail(error, FM_ERR_STATE, "'%s' is in mode %s: must be %s", f->name, fm_mav_mode_name(f->mode),
                       fm_mav_mode_name(mode));
    return FM_OK;
}

fm_status fm_mav_flight_aim(fm_mav_flight *f, fm_world *world, const fm_mav_target *target, fm_error *error)
{
    fm_pose pose;
    fm_status status = check_ready(f, FM_MAV_GUIDED, error);
    if (status == FM_OK)
        status = fm_world_pose(world, f->slot, &pose);
    if (status != FM_OK)
        return status;
    const double depth = f->target.aim == FM_MAV_AIM_NONE ? pose.position[2] : f->target.position[2];
    f->target = *target;
    for (int k = 0; k < 2; k++)
        if (isnan(target->position[k]))
            f->target.position[k] = pose.position[k];
    if (isnan(target->position[2]))
        f->target.position[2] = depth;
    if (!(target->speed > 0))
        f->target.speed = usual_speed(f, world);
    f->aimed = f->now;
    f->near = 0;
    return FM_OK;
}

fm_status fm_mav_flight_move_sticks(fm_mav_flight *f, fm_world *world, const double sticks[FM_MAV_STICKS],
                                    fm_error *error)
{
    fm_status status = check_ready(f, FM_MAV_MANUAL, error);
    if (status != FM_OK)
        return status;
    memcpy(f->sticks, sticks, sizeof f->sticks);
    f->moved = f->now;
    return move_actuators(f, world, error);
}

/* --- before a step --- */

static void watch_sticks(fm_mav_flight *f, fm_world *world, fm_mav_outbox *news)
{
    if (isnan(f->moved) || f->now - f->moved <= SILENCE)
        return;
    f->moved = NAN;
    memset(f->sticks, 0, sizeof f->sticks);
    move_actuators(f, world, NULL);
    fm_mav_outbox_text(news, FM_MAV_WARNING, "no MANUAL_CONTROL for 1 s: sticks are centred");
}

void fm_mav_flight_steer(fm_mav_flight *f, fm_world *world, fm_mav_outbox *news)
{
    if (!f->type || !f->armed || f->mode == FM_MAV_AUTO)
        return;
    if (f->mode == FM_MAV_MANUAL) {
        watch_sticks(f, world, news);
        return;
    }
    const double passed = f->now - f->last;
    if (passed < EVERY * (1 - 1e-9))
        return;
    f->last = f->now;
    const fm_mav_helm helm = fm_mav_helm_of(f->type);
    fm_mav_guide(f, world, &helm, isfinite(passed) ? passed : 0);
}
