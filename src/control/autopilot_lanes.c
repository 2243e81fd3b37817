/* <autopilot> in lanes and on a GPU (control/helm.h). Its guides are described with their parts. */
#include <string.h>

#include "base/lane_part.h"
#include "control/autopilot_part.h"
#include "control/chain.h"
#include "control/guidance_part.h"

static const char *verdict(const fm_lane_vehicle *v, const fm_part *part)
{
    (void)part;
    return fm_lane_count(v, FM_LANE_PILOT) > 1 ? "it has more than one <autopilot>" : NULL;
}

const char *fm_guide_verdict(const fm_lane_vehicle *v, const fm_part *part)
{
    for (const fm_part *p = v->parts; p < part; p++)
        if (p->part_class->lanes && p->part_class->lanes->link == part->part_class->lanes->link)
            return "it has more than one <mission>, list of <waypoints>, <station> or <avoid>";
    return NULL;
}

void fm_guide_orders_altitude(const fm_lane_vehicle *v, fm_flat *flat)
{
    if (fm_lane_find(v, FM_LANE_PILOT))
        ((fm_helm *)fm_flat_array(flat, FM_FLAT_PILOT))->rises = 1;
}

static void count(const fm_lane_vehicle *v, const fm_part *part, fm_flat *head)
{
    (void)v;
    const fm_autopilot_config *c = part->config;
    head->count[FM_FLAT_PILOT] = head->count[FM_FLAT_SET] = 1;
    head->count[FM_FLAT_FINS] = (uint32_t)c->fin_count;
    head->count[FM_FLAT_THRUSTERS] = (uint32_t)c->thruster_count;
}

static void describe_thrusters(const fm_lane_vehicle *v, const fm_autopilot_config *c, fm_piloted_thruster *out)
{
    double efficiency[FM_ALLOCATION_MAX];
    for (size_t i = 0; i < c->thruster_count; i++)
        efficiency[i] = c->fault_aware ? v->faults[c->thruster[i].actuator].efficiency : c->at_start[i].efficiency;
    fm_autopilot_remaining(c, efficiency, out);
}

static void describe(const fm_lane_vehicle *v, const fm_part *part, fm_flat *flat)
{
    const fm_autopilot_config *c = part->config;
    fm_helm *p = fm_flat_array(flat, FM_FLAT_PILOT);
    const int32_t rises = p->rises; /* as a guide before it has said */
    fm_autopilot_describe(c, p, fm_flat_array(flat, FM_FLAT_SET));
    memcpy(fm_flat_array(flat, FM_FLAT_FINS), c->fin, c->fin_count * sizeof *c->fin);
    describe_thrusters(v, c, fm_flat_array(flat, FM_FLAT_THRUSTERS));
    p->rises |= rises;
}

static const fm_lane_metric metrics[] = {
    FM_LANE_KEEPS("depth_error_rms", FM_LANE_CHAIN, fm_chain_kept, pilot.depth_error),
    FM_LANE_KEEPS("heading_error_rms", FM_LANE_CHAIN, fm_chain_kept, pilot.heading_error),
};
const fm_lane_part fm_autopilot_lanes = {.role = FM_LANE_PILOT,
                                         .link = FM_LINK_AUTOPILOT,
                                         .verdict = verdict,
                                         .count = count,
                                         .describe = describe,
                                         .metrics = metrics,
                                         .metric_count = FM_COUNT(metrics)};
