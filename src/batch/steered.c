#include "batch/steered.h"

#include <string.h>

#include "control/parts.h"

static const fm_part *find_pilot(const fm_type *type)
{
    const fm_part *found = NULL;
    for (size_t i = 0; i < type->part_count; i++)
        if (type->parts[i].part_class == &fm_autopilot_class)
            found = &type->parts[i];
    return found;
}

static int32_t guide_kind(const fm_part *part)
{
    return part->part_class == &fm_mission_class     ? FM_GUIDE_MISSION
           : part->part_class == &fm_waypoints_class ? FM_GUIDE_WAYPOINTS
           : part->part_class == &fm_station_class   ? FM_GUIDE_STATION
                                                     : FM_GUIDE_NONE;
}

int fm_steered_has(const fm_type *type, const fm_part *part)
{
    const fm_part *pilot = find_pilot(type);
    return pilot && (part == pilot || (part < pilot && guide_kind(part) != FM_GUIDE_NONE));
}

static size_t count_class(const fm_type *type, const fm_part_class *wanted)
{
    size_t count = 0;
    for (size_t i = 0; i < type->part_count; i++)
        count += type->parts[i].part_class == wanted;
    return count;
}

const char *fm_steered_foreign(const fm_type *type)
{
    const fm_part *pilot = find_pilot(type);
    if (!pilot)
        return NULL;
    const fm_autopilot_config *config = pilot->config;
    size_t guides = count_class(type, &fm_mission_class) + count_class(type, &fm_waypoints_class) +
                    count_class(type, &fm_station_class);
    if (count_class(type, &fm_autopilot_class) > 1)
        return "it has more than one <autopilot>";
    if (guides > FM_HELM_GUIDES || count_class(type, &fm_mission_class) > 1 ||
        count_class(type, &fm_waypoints_class) > 1 || count_class(type, &fm_station_class) > 1)
        return "it has more than one <mission>, list of <waypoints> or <station>";
    if (guides != config->guide_count)
        return "its <autopilot> follows other guidances than <mission>, <waypoints> and <station>";
    return NULL;
}

int fm_steered_keeps(const fm_type *type, const char *metric)
{
    static const char *const kept[] = {"depth_error_rms",      "heading_error_rms", "track_error_rms",
                                       "station_error_rms",    "waypoints_reached", "station_error",
                                       "station_heading_error"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept && find_pilot(type); i++)
        if (!strcmp(kept[i], metric))
            return 1;
    return 0;
}

void fm_steered_count(const fm_type *type, fm_flat *head)
{
    const fm_part *pilot = find_pilot(type);
    if (!pilot)
        return;
    const fm_autopilot_config *config = pilot->config;
    head->count[FM_FLAT_PILOT] = head->count[FM_FLAT_SET] = 1;
    head->count[FM_FLAT_FINS] = (uint32_t)config->fin_count;
    head->count[FM_FLAT_THRUSTERS] = (uint32_t)config->thruster_count;
    for (size_t i = 0; i < config->guide_count; i++) {
        const fm_part *guide = &type->parts[config->guide[i]];
        const int32_t kind = guide_kind(guide);
        if (kind == FM_GUIDE_MISSION)
            head->count[FM_FLAT_STEPS] = (uint32_t)fm_mission_describe(guide->config).count;
        if (kind == FM_GUIDE_WAYPOINTS)
            head->count[FM_FLAT_POINTS] = head->count[FM_FLAT_LEGS] =
                (uint32_t)fm_waypoints_describe(guide->config, NULL, NULL, NULL);
        head->count[FM_FLAT_ROUTE] += kind == FM_GUIDE_WAYPOINTS;
        head->count[FM_FLAT_STAY] += kind == FM_GUIDE_STATION;
    }
}

static void describe_guide(const fm_part *guide, fm_flat *flat)
{
    const int32_t kind = guide_kind(guide);
    if (kind == FM_GUIDE_MISSION) {
        const fm_mission mission = fm_mission_describe(guide->config);
        memcpy(fm_flat_array(flat, FM_FLAT_STEPS), mission.steps, (size_t)mission.count * sizeof *mission.steps);
    }
    if (kind == FM_GUIDE_WAYPOINTS)
        fm_waypoints_describe(guide->config, fm_flat_array(flat, FM_FLAT_ROUTE), fm_flat_array(flat, FM_FLAT_POINTS),
                              fm_flat_array(flat, FM_FLAT_LEGS));
    if (kind == FM_GUIDE_STATION)
        *(fm_stay_params *)fm_flat_array(flat, FM_FLAT_STAY) = *fm_station_describe(guide->config);
}

static void describe_thrusters(const fm_type *type, const fm_autopilot_config *config, fm_piloted_thruster *out)
{
    double efficiency[FM_ALLOCATION_MAX];
    for (size_t i = 0; i < config->thruster_count; i++)
        efficiency[i] = config->fault_aware ? type->faults[config->thruster[i].actuator].efficiency
                                            : config->at_start[i].efficiency;
    fm_autopilot_remaining(config, efficiency, out);
}

void fm_steered_describe(const fm_type *type, fm_flat *flat)
{
    const fm_part *pilot = find_pilot(type);
    if (!pilot)
        return;
    const fm_autopilot_config *config = pilot->config;
    fm_helm *p = fm_flat_array(flat, FM_FLAT_PILOT);
    memset(p, 0, sizeof *p);
    fm_autopilot_describe(config, p, fm_flat_array(flat, FM_FLAT_SET));
    memcpy(fm_flat_array(flat, FM_FLAT_FINS), config->fin, config->fin_count * sizeof *config->fin);
    describe_thrusters(type, config, fm_flat_array(flat, FM_FLAT_THRUSTERS));
    p->period = (int32_t)pilot->period;
    for (size_t i = 0; i < config->guide_count; i++) {
        const fm_part *guide = &type->parts[config->guide[i]];
        p->guides[i] = guide_kind(guide);
        p->guide_periods[i] = (int32_t)guide->period;
        p->rises |= p->guides[i] == FM_GUIDE_MISSION && fm_mission_orders_altitude(guide->config);
        describe_guide(guide, flat);
    }
}
