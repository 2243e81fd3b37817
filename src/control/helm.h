/* A vehicle that steers itself, as one kernel: <mission>, <waypoints> or <station> before an <autopilot> that uses the
 * true state or a <navigation>, in the order in which a world runs them. For engines that make whole runs (batch/);
 * each law is in its own header. docs/theory/control.md (C6)-(C20) */
#ifndef FM_CONTROL_HELM_H
#define FM_CONTROL_HELM_H

#include "control/autopilot_step.h"
#include "control/link.h"
#include "control/metrics.h"
#include "control/mission.h"
#include "control/route.h"
#include "control/stay.h"
#include "control/thrusters.h"
#include "physics/actuator.h"
#include "physics/body.h"

enum { FM_HELM_GUIDES = 4, FM_HELM_LOOPS = 11, FM_HELM_GAINS = 8 }; /* guides: one of each, with <avoid> */

/* The parameters, a record of physics/flat.h: integers, then numbers. */
typedef struct fm_helm {
    int32_t steering, enabled;
    int32_t measures_depth, measures_heading;
    int32_t rises; /* an altitude is ordered, or may be by a guidance */
    /* loops of the fins: depth, pitch, heading, roll, speed; of the thrusters: surge, sway, depth, roll, pitch,
     * heading; numbers of fm_pid_params */
    fm_var loops[FM_HELM_LOOPS][FM_HELM_GAINS];
    fm_var drag_feed, design_speed, least_speed, low, high; /* of fm_hybrid_pilot_params */
    fm_var hover[4];                                        /* of fm_autopilot */
} fm_helm;
enum { FM_HELM_INTEGERS = 5, FM_HELM_NUMBERS = FM_HELM_LOOPS * FM_HELM_GAINS + 5 + 4 };

/* All of it as a step reads it. */
typedef struct fm_helm_craft {
    const fm_helm *p;
    const fm_set_points *set;
    const fm_piloted_fin *fins;
    int fin_count;
    fm_thrusters thrusters;
    fm_mission mission;
    fm_route route;
    const fm_stay_params *stay;
    fm_par dt; /* s of a step */
} fm_helm_craft;

/* State from step to step: only numbers. */
typedef struct fm_helm_state {
    fm_autopilot_state pilot;
    fm_guidance guides[FM_HELM_GUIDES];
    fm_real next; /* step of the mission */
    fm_route_state route;
    fm_stay_state stay;
    fm_real depth_error[2], heading_error[2], track_error[2], station_error[2], reached[2], station_end[2],
        station_heading[2]; /* metrics: value and how often */
} fm_helm_state;
enum {
    FM_HELM_KEPT = FM_AUTOPILOT_KEPT + FM_GUIDANCE_NUMBERS * FM_HELM_GUIDES + 1 + FM_ROUTE_KEPT + FM_STAY_KEPT + 14
};

/* --- metrics --- */

FM_FN void fm_helm_note_square(fm_real metric[2], fm_mask wanted, fm_real value)
{
    fm_metric_keep(metric, wanted, metric[0] + value * value);
}

/* --- guidance --- */

FM_FN void fm_helm_route(const fm_route *route, const fm_guide_view *v, fm_par period, fm_helm_state *s, fm_guidance *g)
{
    fm_route_told told;
    fm_route_step(route, v, period, &s->route, g, &told);
    if (fm_any(told.tracked))
        fm_helm_note_square(s->track_error, told.tracked, told.cross);
    if (fm_any(told.arrived))
        fm_metric_keep(s->reached, told.arrived, s->route.list.reached);
    if (fm_any(told.settled))
        fm_helm_note_square(s->station_error, told.settled, told.away);
}

FM_FN void fm_helm_stay(const fm_stay_params *stay, const fm_guide_view *v, fm_helm_state *s, fm_guidance *g)
{
    fm_stay_told told;
    fm_stay_step(stay, v, &s->stay, g, &told);
    if (!fm_any(told.on))
        return;
    fm_helm_note_square(s->station_error, told.settled, told.away);
    fm_metric_keep(s->station_end, told.on, told.away);
    fm_metric_keep(s->station_heading, told.on, told.off);
}

/* A guidance of this kind (FM_LINK_…), which is the `at`-th. */
FM_WHOLE void fm_helm_guide(const fm_helm_craft *c, int kind, int at, fm_par time, fm_par period,
                            const fm_estimate *believed, const fm_estimate *truth, fm_helm_state *s)
{
    fm_guide_view v;
    v.time = time;
    v.position = believed->position, v.truth = truth->position;
    v.heading = believed->euler[2], v.true_heading = truth->euler[2];
    if (kind == FM_LINK_MISSION)
        fm_mission_run(&c->mission, v.time, period, v.position, &s->next, &s->guides[at]);
    if (kind == FM_LINK_WAYPOINTS)
        fm_helm_route(&c->route, &v, period, s, &s->guides[at]);
    if (kind == FM_LINK_STATION)
        fm_helm_stay(c->stay, &v, s, &s->guides[at]);
}

/* --- the autopilot --- */

FM_FN fm_pid_params fm_helm_loop(const fm_helm *p, int loop, int wraps)
{
    const fm_var *n = p->loops[loop];
    fm_pid_params r;
    r.kp = n[0], r.ki = n[1], r.kd = n[2], r.filter = n[3];
    r.low = n[4], r.high = n[5], r.rate = n[6], r.tracking = n[7];
    r.wraps = wraps;
    return r;
}

FM_FN fm_hybrid_pilot_params fm_helm_gains(const fm_helm *p)
{
    fm_hybrid_pilot_params g;
    g.fins.depth = fm_helm_loop(p, 0, 0), g.fins.pitch = fm_helm_loop(p, 1, 0);
    g.fins.heading = fm_helm_loop(p, 2, 1), g.fins.roll = fm_helm_loop(p, 3, 0);
    g.fins.speed = fm_helm_loop(p, 4, 0);
    g.fins.drag_feed = p->drag_feed, g.fins.design_speed = p->design_speed, g.fins.least_speed = p->least_speed;
    g.thrusters.surge = fm_helm_loop(p, 5, 0), g.thrusters.sway = fm_helm_loop(p, 6, 0);
    g.thrusters.depth = fm_helm_loop(p, 7, 0), g.thrusters.roll = fm_helm_loop(p, 8, 0);
    g.thrusters.pitch = fm_helm_loop(p, 9, 0), g.thrusters.heading = fm_helm_loop(p, 10, 1);
    g.low = p->low, g.high = p->high;
    return g;
}

/* Decides before the body moves, by the first `count` guidances; what it orders becomes the orders of the actuators. */
FM_WHOLE void fm_helm_decide(const fm_helm_craft *c, int count, fm_par period, const fm_estimate *believed,
                             const fm_estimate *truth, fm_helm_state *s, fm_actuator_state *actuators)
{
    const fm_helm *p = c->p;
    if (!p->enabled)
        return;
    const fm_hybrid_pilot_params gains = fm_helm_gains(p);
    const fm_mask always = fm_const(0) == fm_const(0);
    const fm_guidance *guides[FM_HELM_GUIDES];
    for (int i = 0; i < count; i++)
        guides[i] = &s->guides[i];
    fm_autopilot_view v;
    v.believed = believed;
    v.true_depth = truth->position[2];
    v.true_heading = truth->euler[2];
    fm_autopilot pilot;
    pilot.steering = p->steering, pilot.gains = &gains, pilot.set = c->set, pilot.hover = p->hover;
    fm_autopilot_decided d;
    fm_autopilot_decide(&pilot, guides, count, &v, period, &s->pilot, &d);
    for (int i = 0; i < c->fin_count; i++)
        actuators[c->fins[i].actuator].order = fm_fin_mix(&c->fins[i].mix, &d.fins);
    fm_real thrust[FM_ALLOCATION_MAX];
    fm_thrusters_share(&c->thrusters, d.wrench, thrust);
    for (int i = 0; i < c->thrusters.count; i++)
        actuators[c->thrusters.each[i].actuator].order = fm_piloted_thruster_order(&c->thrusters.each[i], thrust[i]);
    if (p->measures_depth)
        fm_helm_note_square(s->depth_error, always, d.depth_error);
    if (p->measures_heading)
        fm_helm_note_square(s->heading_error, always, d.heading_error);
}

#endif
