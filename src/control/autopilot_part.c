/* One decision of the <autopilot>: orders, measurements, control laws, then fins and thrusters. */
#include "control/autopilot_part.h"

#include <math.h>
#include <string.h>

#include "control/guidance_part.h"
#include "control/navigation_part.h"

/* --- orders and measurements --- */

static fm_set_points set_points(const fm_autopilot_config *c, const fm_autopilot_config *live)
{
    return (fm_set_points){.holds_heading = live->heading.override != 0,
                           .holds_depth = live->depth.override != 0,
                           .holds_speed = live->speed.override != 0,
                           .believes = c->navigation >= 0,
                           .depth = live->depth.order,
                           .heading = live->heading.order,
                           .speed = live->speed.order,
                           .sway = live->sway.order,
                           .pitch = live->pitch.order,
                           .roll = live->roll.order,
                           .altitude = live->altitude};
}

/* --- control laws --- */

/* The time constant of back-calculation is that of the integral action, kp/ki; without both gains, integration is
 * conditional. */
static fm_pid_params pid(const fm_autopilot_config *live, double kp, double ki, double kd, double limit, int wraps)
{
    const double tracking = kp > 0 && ki > 0 ? kp / ki : 0;
    return (fm_pid_params){.kp = kp,
                           .ki = ki,
                           .kd = kd,
                           .low = -limit,
                           .high = limit,
                           .tracking = live->anti_windup ? tracking : -1,
                           .wraps = wraps};
}

static fm_pid_params by_fins(const fm_autopilot_config *live, const fm_loop *loop, int wraps)
{
    return pid(live, loop->kp, loop->ki, loop->kd, loop->limit, wraps);
}

static fm_pid_params by_thrust(const fm_autopilot_config *live, const fm_loop *loop, double reach, int wraps)
{
    return pid(live, loop->thrust_kp, loop->thrust_ki, loop->thrust_kd,
               loop->thrust_limit > 0 ? loop->thrust_limit : reach, wraps);
}

/* m/s, above the speed with thrusters alone, whatever was set live */
static double fins_alone(const fm_autopilot_config *live)
{
    return fmax(live->fins_alone, live->thrusters_alone + 1e-3);
}

/* The gains in force. The speed loop of the fins outputs a force, like that of the thrusters; the drag is fed
 * forward. */
static fm_hybrid_pilot_params find_gains(const fm_autopilot_config *c, const fm_autopilot_config *live)
{
    fm_pid_params surge = by_thrust(live, &live->speed, c->reach[0], 0);
    return (fm_hybrid_pilot_params){.fins = {.depth = by_fins(live, &live->depth, 0),
                                             .pitch = by_fins(live, &live->pitch, 0),
                                             .heading = by_fins(live, &live->heading, 1),
                                             .roll = by_fins(live, &live->roll, 0),
                                             .speed = surge,
                                             .drag_feed = live->speed_feed,
                                             .design_speed = live->design_speed,
                                             .least_speed = live->least_speed},
                                    .thrusters = {.surge = surge,
                                                  .sway = by_thrust(live, &live->sway, c->reach[1], 0),
                                                  .depth = by_thrust(live, &live->depth, c->reach[2], 0),
                                                  .roll = by_thrust(live, &live->roll, c->reach[3], 0),
                                                  .pitch = by_thrust(live, &live->pitch, c->reach[4], 0),
                                                  .heading = by_thrust(live, &live->heading, c->reach[5], 1)},
                                    .low = live->thrusters_alone,
                                    .high = fins_alone(live)};
}

/* N: limit of the horizontal force for station keeping */
static double hover_limit(const fm_autopilot_config *c, const fm_autopilot_config *live)
{
    return live->hover[3] > 0 ? live->hover[3] : fmin(c->reach[0], c->reach[1]);
}

static void decide(const fm_part_context *context, const fm_autopilot_config *c, fm_autopilot_decided *decided)
{
    const fm_autopilot_config *live = context->live;
    const fm_hybrid_pilot_params gains = find_gains(c, live);
    const fm_set_points set = set_points(c, live);
    const double hover[4] = {live->hover[0], live->hover[1], live->hover[2], hover_limit(c, live)};
    const fm_autopilot pilot = {.steering = (int)c->steering, .gains = &gains, .set = &set, .hover = hover};
    const fm_estimate believed = fm_navigation_known(context, (int)c->navigation);
    const fm_autopilot_view known = {&believed, context->vehicle->position[2],
                                     c->navigation >= 0 ? fm_vehicle_view_heading(context->vehicle)
                                                        : believed.euler[2]};
    const fm_guidance *guides[FM_AUTOPILOT_GUIDES];
    for (size_t i = 0; i < c->guide_count; i++)
        guides[i] = fm_sensor_output(context, (int)c->guide[i]);
    fm_autopilot_decide(&pilot, guides, (int)c->guide_count, &known, context->period, context->state, decided);
}

/* --- actuators --- */

void fm_autopilot_take_allocation(const fm_allocation *a, fm_piloted_thruster *thrusters)
{
    for (size_t i = 0; i < a->count; i++) {
        thrusters[i].low = a->low[i];
        thrusters[i].high = a->high[i];
        for (int r = 0; r < 6; r++) {
            thrusters[i].inverse[r] = a->inverse[i][r];
            thrusters[i].effect[r] = a->effect[r][i];
        }
    }
}

/* (C19a) With changed efficiencies the allocation is computed again; with healthy thrusters the one made at load is
 * used. */
void fm_autopilot_remaining(const fm_autopilot_config *c, const double *efficiency, fm_piloted_thruster *left)
{
    const size_t n = c->thruster_count;
    double effect[6 * FM_ALLOCATION_MAX], low[FM_ALLOCATION_MAX], high[FM_ALLOCATION_MAX];
    int healthy = 1;
    memcpy(left, c->thruster, n * sizeof *left);
    for (size_t i = 0; i < n; i++) {
        left[i].efficiency = efficiency[i];
        healthy = healthy && efficiency[i] == 1;
        low[i] = c->thruster[i].low * efficiency[i];
        high[i] = c->thruster[i].high * efficiency[i];
        for (size_t r = 0; r < 6; r++)
            effect[r * n + i] = efficiency[i] > 0 ? c->thruster[i].effect[r] : 0;
    }
    fm_allocation allocation;
    if (!healthy && fm_allocation_build(&allocation, n, effect, NULL, low, high, 1, NULL) == FM_OK)
        fm_autopilot_take_allocation(&allocation, left);
}

static void share_out(const fm_part_context *context, const fm_autopilot_config *c, const double wrench[6])
{
    const fm_autopilot_config *live = context->live;
    double thrust[FM_ALLOCATION_MAX], efficiency[FM_ALLOCATION_MAX];
    fm_piloted_thruster left[FM_ALLOCATION_MAX];
    for (size_t i = 0; i < c->thruster_count && live->fault_aware; i++)
        efficiency[i] = fm_actuator_efficiency(context, (int)c->thruster[i].actuator);
    if (live->fault_aware)
        fm_autopilot_remaining(c, efficiency, left);
    const fm_thrusters thrusters = {live->fault_aware ? left : c->at_start, (int)c->thruster_count,
                                    fm_allocation_solve};
    fm_thrusters_share(&thrusters, wrench, thrust);
    for (size_t i = 0; i < c->thruster_count; i++)
        fm_actuator_order(context, (int)c->thruster[i].actuator,
                          fm_piloted_thruster_order(&thrusters.each[i], thrust[i]));
}

static void set_actuators(const fm_part_context *context, const fm_autopilot_config *c, const fm_fin_orders *fins,
                          const double wrench[6])
{
    for (size_t i = 0; i < c->fin_count; i++)
        fm_actuator_order(context, (int)c->fin[i].actuator, fm_fin_mix(&c->fin[i].mix, fins));
    if (c->thruster_count)
        share_out(context, c, wrench);
}

/* Demand of the pitch loop: the order, and the pitch that the fins need for the depth; rad. */
static double pitch_demand(const fm_part_context *context, const fm_autopilot_config *c, const fm_autopilot_decided *d)
{
    const fm_autopilot_config *live = context->live;
    if (c->steering == FM_STEER_THRUSTERS)
        return d->orders.pitch;
    if (c->steering == FM_STEER_FINS)
        return d->fins.pitch;
    return (1 - fm_hybrid_share(live->thrusters_alone, fins_alone(live), d->sensed.u)) * d->orders.pitch +
           d->fins.pitch;
}

static void start(const fm_part_context *context)
{
    fm_autopilot_outputs_clear(context->output);
}

static int is_used(const fm_loop *loop)
{
    return loop->kp != 0 || loop->thrust_kp != 0;
}

static void run(const fm_part_context *context)
{
    const fm_autopilot_config *c = context->config, *live = context->live;
    if (live->enabled < 0.5) {
        fm_autopilot_outputs_clear(context->output);
        return;
    }
    fm_autopilot_decided d;
    decide(context, c, &d);
    set_actuators(context, c, &d.fins, d.wrench);
    fm_autopilot_outputs_write(context->state, &d.orders, &d.sensed, pitch_demand(context, c, &d), context->output);
    if (is_used(&live->depth))
        fm_metric_note(context, (int)c->depth_metric, d.depth_error);
    if (is_used(&live->heading))
        fm_metric_note(context, (int)c->heading_metric, d.heading_error);
}

/* --- the same as a kernel --- */

static void put_loop(const fm_pid_params *pid, double loop[FM_HELM_GAINS])
{
    const double numbers[FM_HELM_GAINS] = {pid->kp,  pid->ki,   pid->kd,   pid->filter,
                                           pid->low, pid->high, pid->rate, pid->tracking};
    memcpy(loop, numbers, sizeof numbers);
}

void fm_autopilot_describe(const fm_autopilot_config *c, fm_helm *p, fm_set_points *set)
{
    const fm_hybrid_pilot_params g = find_gains(c, c);
    const fm_pid_params *const loops[FM_HELM_LOOPS] = {&g.fins.depth,      &g.fins.pitch,       &g.fins.heading,
                                                       &g.fins.roll,       &g.fins.speed,       &g.thrusters.surge,
                                                       &g.thrusters.sway,  &g.thrusters.depth,  &g.thrusters.roll,
                                                       &g.thrusters.pitch, &g.thrusters.heading};
    for (int i = 0; i < FM_HELM_LOOPS; i++)
        put_loop(loops[i], p->loops[i]);
    p->steering = (int32_t)c->steering;
    p->enabled = c->enabled >= 0.5;
    p->drag_feed = g.fins.drag_feed;
    p->design_speed = g.fins.design_speed;
    p->least_speed = g.fins.least_speed;
    p->low = g.low;
    p->high = g.high;
    p->measures_depth = is_used(&c->depth);
    p->measures_heading = is_used(&c->heading);
    p->rises = c->altitude > 0;
    memcpy(p->hover, c->hover, sizeof p->hover);
    p->hover[3] = hover_limit(c, c);
    *set = set_points(c, c);
}

/* Set heading, depth and speed have priority over a guidance; guidances do not affect the others. */
#define HELD(loop, unit, text)                                                                                         \
    {                                                                                                                  \
        FM_SETPOINT_ROW(fm_autopilot_config, loop.order, #loop, unit, -1e9, 1e9, text),                                \
            .flag = 1 + offsetof(fm_autopilot_config, loop.override)                                                   \
    }
static const fm_setpoint set_point_table[] = {
    HELD(heading, "rad", "heading to steer"),
    HELD(depth, "m", "depth to hold"),
    HELD(speed, "m/s", "speed through the water, ahead"),
    {FM_SETPOINT_ROW(fm_autopilot_config, altitude, "altitude", "m", 0, 1e4, "height above the bottom; 0: off")},
    {FM_SETPOINT_ROW(fm_autopilot_config, pitch.order, "pitch", "rad", -1e9, 1e9, "pitch to hold, nose up")},
    {FM_SETPOINT_ROW(fm_autopilot_config, roll.order, "roll", "rad", -1e9, 1e9, "roll to hold, to starboard")},
    {FM_SETPOINT_ROW(fm_autopilot_config, sway.order, "sway", "m/s", -1e9, 1e9,
                     "speed through the water, to starboard")},
};
const fm_part_class fm_autopilot_class = {.kind = FM_PART_CONTROLLER,
                                          .element = &fm_autopilot_element,
                                          .live_size = FM_AUTOPILOT_LIVE,
                                          .state_size = sizeof(fm_autopilot_state),
                                          .output_size = sizeof(fm_autopilot_output),
                                          .load = fm_autopilot_load,
                                          .start = start,
                                          .run = run,
                                          .setpoints = set_point_table,
                                          .setpoint_count = FM_COUNT(set_point_table),
                                          .lanes = &fm_autopilot_lanes};
