/* The table of built-in parts. A new instrument or controller is one line here; one with a law of its own is one in
 * control/laws.h, a new kind one in kinds/kinds.c. */
#include "scenario/load.h"

#include <fathom/part.h>

#include "control/laws.h"
#include "kinds/kinds.h"
#include "scenario/vehicle_elements.h"

/* In the order in which they are listed to people. */
/* clang-format off */
#define BUILT_INS(P) \
    P(navigation) P(waypoints) P(station) P(mission) P(homing) P(autopilot) FM_LAW_EACH(P) \
    P(glider_pilot) P(coverage) P(imu) P(ins) P(fin_position) P(shaft_rpm) P(compass) P(pressure) P(depth) P(ctd) \
    P(speed_log) P(gps) P(transducer) P(lbl) P(one_way_ranging) P(modem) P(report) P(field_survey) P(doppler_ranging) \
    P(usbl) P(sbl) P(acoustic_altimeter) P(adcp) P(battery) P(propulsion_current) P(leak) P(bumper) P(echosounder) \
    P(dvl) P(sonar) P(infrared) P(multibeam) P(scanning_sonar) P(profiling_sonar) P(side_scan) P(camera) P(mine_sonar) \
    P(node_sonar) P(avoid) P(planner) P(bottom_following) P(flow) P(lateral_line) P(imu_record) P(near_wall) P(reflex) \
    P(hover_pd) P(avoidance_record) P(obstacle_map) P(wake_finder) P(reynolds_drag) P(mmg_hull) P(mmg_propeller) \
    P(mmg_rudder) P(wind_load) P(fish_brain)
/* clang-format on */

#define BUILT_IN(x) extern const fm_part_class fm_##x##_class;
BUILT_INS(BUILT_IN)
#undef BUILT_IN
#define BUILT_IN(x) &fm_##x##_class,
static const fm_part_class *const built_ins[] = {BUILT_INS(BUILT_IN) NULL};

static const char *const group_names[] = {
    [FM_PART_FORCE] = "force", [FM_PART_SENSOR] = "sensor", [FM_PART_CONTROLLER] = "controller"};

fm_status fm_registry_add_part(fm_registry *registry, const fm_part_class *class, const fm_element *element,
                               fm_error *error)
{
    for (size_t i = 0; i < FM_COUNT(group_names); i++)
        if (fm_registry_find(registry, group_names[i], element->name))
            return fm_fail(error, FM_ERR_ARGUMENT, "the name '%s' is already taken among the parts of kind '%s'",
                           element->name, group_names[i]);
    return fm_registry_add(registry, group_names[class->kind], element, class, error);
}

fm_status fm_registry_add_bridge(fm_registry *registry, const fm_bridge_class *class, fm_error *error)
{
    return fm_registry_add(registry, "bridge", class->element, class, error);
}

/* A kind by its own element, or by the elements that it adds to <vehicle>. */
static fm_status add_kind(fm_registry *registry, const fm_kind *kind, fm_error *error)
{
    fm_status status = kind->element ? fm_registry_add(registry, "kind", kind->element, kind, error) : FM_OK;
    for (size_t i = 0; status == FM_OK && kind->elements && kind->elements[i]; i++)
        status = fm_registry_add(registry, "kind", kind->elements[i], kind, error);
    return status;
}

fm_status fm_registry_add_built_ins(fm_registry *registry, fm_error *error)
{
    for (size_t i = 0; built_ins[i]; i++) {
        fm_status status = fm_registry_add_part(registry, built_ins[i], built_ins[i]->element, error);
        if (status != FM_OK)
            return status;
    }
    fm_status status = fm_registry_add(registry, "root", &fm_model_element, NULL, error);
    for (size_t i = 0; status == FM_OK && fm_kinds[i]; i++)
        status = add_kind(registry, fm_kinds[i], error);
    for (size_t i = 0; status == FM_OK && fm_built_in_bridges[i]; i++)
        status = fm_registry_add_bridge(registry, fm_built_in_bridges[i], error);
    return status;
}
