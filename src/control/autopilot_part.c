/* One decision of the <autopilot>: orders, measurements, control laws, then fins and thrusters. */
#include "control/autopilot_part.h"

#include <math.h>
#include <string.h>

#include "control/guidance_part.h"
#include "control/navigation_part.h"

/* --- orders and measurements --- */

/* What is to be held now, and where to stay if a place is ordered. */
typedef struct wanted {
    fm_autopilot_orders orders;
    double altitude; /* m; 0: a depth is ordered */
    int place_ordered;
    double place[2]; /* m, north and east */
} wanted;

static void follow(const fm_guidance *guide, wanted *w)
{
    if (guide->heads > 0)
        w->orders.heading = guide->heading;
    if (guide->dives > 0) {
        w->orders.depth = guide->depth;
        w->altitude = 0;
    }
    if (guide->rises > 0)
        w->altitude = guide->altitude;
    if (guide->runs > 0) {
        w->orders.speed = guide->speed;
        w->place_ordered = 0;
    }
    if (guide->stays > 0) {
        w->place_ordered = 1;
        w->orders.speed = 0;
        w->place[0] = guide->place[0];
        w->place[1] = guide->place[1];
    }
}

/* Set points that someone has taken into his own hands. */
static void take_over(const fm_autopilot_config *live, wanted *w)
{
    if (live->heading.override)
        w->orders.heading = live->heading.order;
    if (live->depth.override) {
        w->orders.depth = live->depth.order;
        w->altitude = 0;
    }
    if (live->speed.override) {
        w->orders.speed = live->speed.order;
        w->place_ordered = 0;
    }
}

static wanted find_orders(const fm_part_context *context, const fm_autopilot_config *c, const fm_navigation *n)
{
    const fm_autopilot_config *live = context->live;
    wanted w = {.orders = {.depth = live->depth.order,
                           .heading = live->heading.order,
                           .speed = live->speed.order,
                           .sway = live->sway.order,
                           .pitch = live->pitch.order,
                           .roll = live->roll.order},
                .altitude = live->altitude};
    for (size_t i = 0; i < c->guide_count; i++)
        follow(fm_sensor_output(context, (int)c->guide[i]), &w);
    take_over(live, &w);
    if (w.altitude > 0 && isfinite(n->altitude))
        w.orders.depth = fm_autopilot_depth_for_altitude(n->position[2], n->altitude, w.altitude);
    else if (w.altitude > 0 && c->navigation >= 0)
        w.orders.depth = n->position[2]; /* the bottom is lost: stay */
    return w;
}

static fm_autopilot_sensed measure(const fm_navigation *n)
{
    fm_true_motion m = {.depth_rate = n->depth_rate};
    memcpy(m.euler, n->euler, sizeof m.euler);
    memcpy(m.water, n->water, sizeof m.water);
    memcpy(m.rates, n->rates, sizeof m.rates);
    return fm_autopilot_sense(n->position[2], &m);
}

/* --- control laws --- */

/* Back-calculation takes as long as the integral action, kp/ki; without both gains integration is conditional. */
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

/* m/s, above the speed of thrusters alone, whatever was set live */
static double fins_alone(const fm_autopilot_config *live)
{
    return fmax(live->fins_alone, live->thrusters_alone + 1e-3);
}

/* The gains in force. The speed loop of the fins gives a force, as that of the thrusters; fed forward is the drag. */
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

static fm_fin_orders steer(const fm_part_context *context, const fm_autopilot_config *c, const wanted *w,
                           const fm_autopilot_sensed *m, double wrench[6])
{
    fm_autopilot_state *s = context->state;
    fm_hybrid_pilot_params gains = find_gains(c, context->live);
    return fm_autopilot_steer((int)c->steering, &gains, &s->pilot, &w->orders, m, context->period, wrench);
}

/* N: of the horizontal force that keeps a place */
static double hover_limit(const fm_autopilot_config *c, const fm_autopilot_config *live)
{
    return live->hover[3] > 0 ? live->hover[3] : fmin(c->reach[0], c->reach[1]);
}

/* (C10): a place that is to be kept replaces the orders of speed. */
static void keep_place(const fm_part_context *context, const fm_autopilot_config *c, const wanted *w,
                       const fm_navigation *n, double wrench[6])
{
    const fm_autopilot_config *live = context->live;
    fm_autopilot_state *s = context->state;
    if (!w->place_ordered) {
        s->keeping = 0;
        return;
    }
    if (s->keeping == 0)
        s->station = (fm_station_state){0};
    s->keeping = 1;
    const double *at = n->position;
    double error[3] = {w->place[0] - at[0], w->place[1] - at[1], 0}, force[3];
    fm_station_params p = {
        .kp = {live->hover[0]}, .ki = {live->hover[1]}, .kd = {live->hover[2]}, .limit = {hover_limit(c, live), 1}};
    fm_station_step(&p, &s->station, error, n->velocity, n->euler[2], context->period, force);
    wrench[0] = force[0];
    wrench[1] = force[1];
}

/* --- actuators --- */

static double order_for(const fm_piloted_thruster *t, double force)
{
    return fm_thruster_order((int)t->square, t->gain, t->gain_reverse, force);
}

/* (C19a) What is left of the thrusters: an allocation with the efficiencies as they are. Returns 0 where all are
 * healthy and the one made at load holds. */
static int build_remaining(const fm_autopilot_config *c, const double *efficiency, fm_allocation *left)
{
    const fm_allocation *whole = c->allocation;
    const size_t n = whole->count;
    double effect[6 * FM_ALLOCATION_MAX], low[FM_ALLOCATION_MAX], high[FM_ALLOCATION_MAX];
    int healthy = 1;
    for (size_t i = 0; i < n; i++) {
        healthy = healthy && efficiency[i] == 1;
        low[i] = whole->low[i] * efficiency[i];
        high[i] = whole->high[i] * efficiency[i];
        for (size_t r = 0; r < 6; r++)
            effect[r * n + i] = efficiency[i] > 0 ? whole->effect[r][i] : 0;
    }
    return !healthy && fm_allocation_build(left, n, effect, NULL, low, high, 1, NULL) == FM_OK;
}

static void share_out(const fm_part_context *context, const fm_autopilot_config *c, const double wrench[6])
{
    const fm_autopilot_config *live = context->live;
    double thrust[FM_ALLOCATION_MAX], efficiency[FM_ALLOCATION_MAX];
    fm_allocation left;
    for (size_t i = 0; i < c->allocation->count; i++)
        efficiency[i] = live->fault_aware ? fm_actuator_efficiency(context, (int)c->thruster[i].actuator) : 1;
    const int faulty = live->fault_aware && build_remaining(c, efficiency, &left);
    fm_allocation_solve(faulty ? &left : c->allocation, wrench, FM_SATURATION_REDISTRIBUTE, thrust);
    for (size_t i = 0; i < c->allocation->count; i++)
        fm_actuator_order(context, (int)c->thruster[i].actuator,
                          efficiency[i] > 0 ? order_for(&c->thruster[i], thrust[i] / efficiency[i]) : 0);
}

static void set_actuators(const fm_part_context *context, const fm_autopilot_config *c, const fm_fin_orders *fins,
                          const double wrench[6])
{
    for (size_t i = 0; i < c->fin_count; i++)
        fm_actuator_order(context, (int)c->fin[i].actuator, fm_fin_mix(&c->fin[i].mix, fins));
    if (c->allocation)
        share_out(context, c, wrench);
}

/* What the pitch loop is asked for: the order, and what the fins need for the depth; rad. */
static double pitch_demand(const fm_part_context *context, const fm_autopilot_config *c, const wanted *w,
                           const fm_autopilot_sensed *m, const fm_fin_orders *fins)
{
    const fm_autopilot_config *live = context->live;
    if (c->steering == FM_STEER_THRUSTERS)
        return w->orders.pitch;
    if (c->steering == FM_STEER_FINS)
        return fins->pitch;
    return (1 - fm_hybrid_share(live->thrusters_alone, fins_alone(live), m->u)) * w->orders.pitch + fins->pitch;
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
    const fm_navigation n = fm_navigation_estimate(context, (int)c->navigation),
                        truth = fm_navigation_estimate(context, -1);
    const wanted w = find_orders(context, c, &n);
    const fm_autopilot_sensed m = measure(&n);
    double wrench[6];
    const fm_fin_orders fins = steer(context, c, &w, &m, wrench);
    keep_place(context, c, &w, &n, wrench);
    set_actuators(context, c, &fins, wrench);
    fm_autopilot_outputs_write(context->state, &w.orders, &m, pitch_demand(context, c, &w, &m, &fins), context->output);
    if (is_used(&live->depth))
        fm_metric_note(context, (int)c->depth_metric, w.orders.depth - truth.position[2]);
    if (is_used(&live->heading))
        fm_metric_note(context, (int)c->heading_metric, fm_angle_wrap_pi(w.orders.heading - truth.euler[2]));
}

/* --- the same as a kernel --- */

const char *fm_autopilot_foreign(const fm_autopilot_config *c, int faulty)
{
    if (c->altitude > 0)
        return "its <autopilot> holds an altitude";
    if (c->fault_aware && faulty)
        return "its <autopilot> knows of faults (fault-aware=\"true\")";
    return NULL;
}

static void put_loop(const fm_pid_params *pid, double loop[FM_HELM_GAINS])
{
    const double numbers[FM_HELM_GAINS] = {pid->kp,  pid->ki,   pid->kd,   pid->filter,
                                           pid->low, pid->high, pid->rate, pid->tracking};
    memcpy(loop, numbers, sizeof numbers);
}

static void describe_thrusters(const fm_autopilot_config *c, fm_helm_thruster *thrusters)
{
    const fm_allocation *a = c->allocation;
    for (size_t i = 0; a && i < a->count; i++) {
        fm_helm_thruster *t = &thrusters[i];
        *t = (fm_helm_thruster){.actuator = (int32_t)c->thruster[i].actuator,
                                .square = (int32_t)c->thruster[i].square,
                                .gain = c->thruster[i].gain,
                                .gain_reverse = c->thruster[i].gain_reverse,
                                .low = a->low[i],
                                .high = a->high[i]};
        for (int r = 0; r < 6; r++) {
            t->inverse[r] = a->inverse[i][r];
            t->effect[r] = a->effect[r][i];
        }
    }
}

void fm_autopilot_describe(const fm_autopilot_config *c, fm_helm *p, fm_helm_fin *fins, fm_helm_thruster *thrusters)
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
    p->fins = (int32_t)c->fin_count;
    p->thrusters = c->allocation ? (int32_t)c->allocation->count : 0;
    p->drag_feed = g.fins.drag_feed;
    p->design_speed = g.fins.design_speed;
    p->least_speed = g.fins.least_speed;
    p->low = g.low;
    p->high = g.high;
    p->depth = c->depth.order;
    p->heading = c->heading.order;
    p->speed = c->speed.order;
    p->sway = c->sway.order;
    p->pitch = c->pitch.order;
    p->roll = c->roll.order;
    p->holds_heading = c->heading.override != 0;
    p->holds_depth = c->depth.override != 0;
    p->holds_speed = c->speed.override != 0;
    p->measures_depth = is_used(&c->depth);
    p->measures_heading = is_used(&c->heading);
    memcpy(p->hover, c->hover, sizeof p->hover);
    p->hover[3] = hover_limit(c, c);
    for (size_t i = 0; i < c->fin_count; i++)
        fins[i] = (fm_helm_fin){(int32_t)c->fin[i].actuator, c->fin[i].mix};
    describe_thrusters(c, thrusters);
}

const fm_part_class fm_autopilot_class = {.kind = FM_PART_CONTROLLER,
                                          .element = &fm_autopilot_element,
                                          .live_size = FM_AUTOPILOT_LIVE,
                                          .state_size = sizeof(fm_autopilot_state),
                                          .output_size = sizeof(fm_autopilot_output),
                                          .load = fm_autopilot_load,
                                          .start = start,
                                          .run = run};
