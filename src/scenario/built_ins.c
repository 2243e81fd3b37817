/* The table of built-in parts. A new instrument or controller is one line here, a new kind one in kinds/kinds.c. */
#include "scenario/load.h"

#include <fathom/part.h>

#include "acoustics/parts.h"
#include "acoustics/transducer.h"
#include "base/error.h"
#include "control/navigation_part.h"
#include "control/parts.h"
#include "control/reflex_part.h"
#include "fish/brain.h"
#include "flow/flow_part.h"
#include "forces/forces.h"
#include "kinds/kinds.h"
#include "scenario/vehicle_elements.h"
#include "sensors/node_sonar.h"
#include "sensors/parts.h"

static const fm_part_class *const built_ins[] = {&fm_navigation_class,
                                                 &fm_waypoints_class,
                                                 &fm_station_class,
                                                 &fm_mission_class,
                                                 &fm_homing_class,
                                                 &fm_autopilot_class,
                                                 &fm_turning_circle_class,
                                                 &fm_zigzag_test_class,
                                                 &fm_glider_pilot_class,
                                                 &fm_coverage_class,
                                                 &fm_imu_class,
                                                 &fm_ins_class,
                                                 &fm_fin_position_class,
                                                 &fm_shaft_rpm_class,
                                                 &fm_compass_class,
                                                 &fm_pressure_class,
                                                 &fm_depth_class,
                                                 &fm_ctd_class,
                                                 &fm_speed_log_class,
                                                 &fm_gps_class,
                                                 &fm_transducer_class,
                                                 &fm_lbl_class,
                                                 &fm_one_way_ranging_class,
                                                 &fm_modem_class,
                                                 &fm_report_class,
                                                 &fm_field_survey_class,
                                                 &fm_doppler_ranging_class,
                                                 &fm_usbl_class,
                                                 &fm_sbl_class,
                                                 &fm_acoustic_altimeter_class,
                                                 &fm_adcp_class,
                                                 &fm_battery_class,
                                                 &fm_propulsion_current_class,
                                                 &fm_leak_class,
                                                 &fm_bumper_class,
                                                 &fm_echosounder_class,
                                                 &fm_dvl_class,
                                                 &fm_sonar_class,
                                                 &fm_infrared_class,
                                                 &fm_multibeam_class,
                                                 &fm_scanning_sonar_class,
                                                 &fm_profiling_sonar_class,
                                                 &fm_side_scan_class,
                                                 &fm_camera_class,
                                                 &fm_mine_sonar_class,
                                                 &fm_node_sonar_class,
                                                 &fm_avoid_class,
                                                 &fm_planner_class,
                                                 &fm_bottom_following_class,
                                                 &fm_flow_class,
                                                 &fm_lateral_line_class,
                                                 &fm_imu_record_class,
                                                 &fm_near_wall_class,
                                                 &fm_reflex_class,
                                                 &fm_hover_pd_class,
                                                 &fm_avoidance_record_class,
                                                 &fm_obstacle_map_class,
                                                 &fm_wake_finder_class,
                                                 &fm_reynolds_drag_class,
                                                 &fm_mmg_hull_class,
                                                 &fm_mmg_propeller_class,
                                                 &fm_mmg_rudder_class,
                                                 &fm_wind_load_class,
                                                 &fm_fish_brain_class,
                                                 NULL};

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

/* A kind by its own element, or by those that it brings to <vehicle>. */
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
