/* <bottom-following> with its <avoid> and <node-sonar> in lanes and on a GPU (control/follower.h). */
#include "base/lane_part.h"
#include "control/chain.h"
#include "control/guidance_part.h"
#include "control/parts.h"
#include "environment/environment.h"
#include "sensors/node_sonar.h"

static int number_of(const fm_lane_vehicle *v, const fm_part *part)
{
    return part ? (int)(part - v->parts) : -1;
}

/* Fills in all fields; returns the reason if lanes cannot run it, or NULL. */
static const char *describe_all(const fm_lane_vehicle *v, const fm_part *following, fm_follower *p)
{
    const fm_part *sonar = fm_lane_find_element(v, "node-sonar"), *avoid = fm_lane_find_element(v, "avoid");
    const char *why = NULL;
    if (avoid && !sonar)
        return "its <avoid> looks by another sonar than <node-sonar>";
    if (avoid)
        why = fm_node_sonar_describe(sonar->config, p);
    if (avoid && !why)
        why = fm_avoid_describe(avoid->config, number_of(v, sonar), p);
    if (avoid && !why && (sonar->period != 1 || avoid->period != 1))
        why = "its <avoid> has a period of its own";
    return why ? why : fm_bottom_following_describe(following->config, p);
}

static const char *verdict(const fm_lane_vehicle *v, const fm_part *part)
{
    fm_follower unused = {.spacing = 1};
    const char *why = describe_all(v, part, &unused);
    if (!why && fm_lane_count(v, FM_LANE_FOLLOWER) > 1)
        why = "it has more than one <bottom-following>";
    if (!why && unused.traces && v->sea->obstacle_count)
        return "the rays of its <node-sonar> may meet obstacles";
    return why;
}

static void count(const fm_lane_vehicle *v, const fm_part *part, fm_flat *head)
{
    (void)v, (void)part;
    head->count[FM_FLAT_FOLLOWER] = 1;
}

static void describe(const fm_lane_vehicle *v, const fm_part *part, fm_flat *flat)
{
    fm_follower *p = fm_flat_array(flat, FM_FLAT_FOLLOWER);
    *p = (fm_follower){.spacing = 1, .zone = 1, .half_sector = 1, .reference = 1};
    (void)describe_all(v, part, p);
}

static const fm_lane_metric metrics[] = {
    FM_LANE_KEEPS("min_altitude", FM_LANE_CHAIN, fm_chain_kept, follower.lowest),
    FM_LANE_KEEPS("pitch_reversals", FM_LANE_CHAIN, fm_chain_kept, follower.reversals),
    FM_LANE_KEEPS("late_pitch_pp", FM_LANE_CHAIN, fm_chain_kept, follower.late_pitch),
    FM_LANE_KEEPS("late_altitude", FM_LANE_CHAIN, fm_chain_kept, follower.late_altitude),
};
const fm_lane_part fm_bottom_following_lanes = {.role = FM_LANE_FOLLOWER,
                                                .link = FM_LINK_BOTTOM_FOLLOWING,
                                                .verdict = verdict,
                                                .count = count,
                                                .describe = describe,
                                                .metrics = metrics,
                                                .metric_count = FM_COUNT(metrics)};

static const char *avoid_verdict(const fm_lane_vehicle *v, const fm_part *part)
{
    return fm_lane_find(v, FM_LANE_FOLLOWER) ? fm_guide_verdict(v, part)
                                             : "its <avoid> is followed by no <bottom-following>";
}

static void describe_avoid(const fm_lane_vehicle *v, const fm_part *part, fm_flat *flat)
{
    (void)part;
    fm_guide_orders_altitude(v, flat);
}

static const fm_lane_metric avoid_metrics[] = {
    FM_LANE_KEEPS("threat_peak", FM_LANE_CHAIN, fm_chain_kept, follower.peak),
};
const fm_lane_part fm_avoid_lanes = {.role = FM_LANE_GUIDE,
                                     .link = FM_LINK_AVOID,
                                     .verdict = avoid_verdict,
                                     .describe = describe_avoid,
                                     .metrics = avoid_metrics,
                                     .metric_count = FM_COUNT(avoid_metrics)};
