/* <autopilot> in lanes and on a GPU (physics/helm.h). Its guides are described with their parts. */
#include <string.h>

#include "control/autopilot_part.h"
#include "control/guidance_part.h"
#include "physics/chain.h"
#include "physics/lane_part.h"

/* Whether two guides of the vehicle are of the same kind: the kernel supports one of each. */
static int has_twice(const fm_lane_vehicle *v)
{
    int seen[FM_HELM_GUIDES + 1] = {0};
    for (size_t i = 0; i < v->part_count; i++) {
        const fm_lane_part *lanes = v->parts[i].part_class->lanes;
        if (lanes && lanes->role == FM_LANE_GUIDE && seen[lanes->guide]++)
            return 1;
    }
    return 0;
}

static const char *verdict(const fm_lane_vehicle *v, const fm_part *part)
{
    const fm_autopilot_config *c = part->config;
    if (fm_lane_count(v, FM_LANE_PILOT) > 1)
        return "it has more than one <autopilot>";
    if (has_twice(v))
        return "it has more than one <mission>, list of <waypoints> or <station>";
    if (fm_lane_count(v, FM_LANE_GUIDE) != c->guide_count)
        return "its <autopilot> follows other guidances than <mission>, <waypoints> and <station>";
    return NULL;
}

const char *fm_guide_verdict(const fm_lane_vehicle *v, const fm_part *part)
{
    const fm_part *pilot = fm_lane_find(v, FM_LANE_PILOT);
    return pilot && part < pilot ? NULL : "its guidance is followed by no <autopilot>";
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
    p->period = (int32_t)part->period;
    p->rises |= rises;
    for (size_t i = 0; i < c->guide_count; i++) {
        const fm_part *guide = &v->parts[c->guide[i]];
        p->guides[i] = guide->part_class->lanes->guide;
        p->guide_periods[i] = (int32_t)guide->period;
    }
}

static const fm_lane_metric metrics[] = {
    FM_LANE_KEEPS("depth_error_rms", FM_LANE_CHAIN, fm_chain_kept, pilot.depth_error),
    FM_LANE_KEEPS("heading_error_rms", FM_LANE_CHAIN, fm_chain_kept, pilot.heading_error),
};
const fm_lane_part fm_autopilot_lanes = {.role = FM_LANE_PILOT,
                                         .verdict = verdict,
                                         .count = count,
                                         .describe = describe,
                                         .metrics = metrics,
                                         .metric_count = FM_COUNT(metrics)};
