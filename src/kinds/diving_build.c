/* Builds the diving model from its elements. */
#include "control/pole_place.h"
#include "kinds/diving.h"
#include "world/model.h"

static const fm_attr diving_attrs[] = {
    FM_REAL_ATTR(fm_diving_type, params.mass, "mass", "kg", 1e-3, 1e7, NULL, FM_ATTR_REQUIRED, "m"),
    FM_REAL_ATTR(fm_diving_type, params.inertia, "inertia", "kg*m2", 1e-6, 1e9, NULL, FM_ATTR_REQUIRED, "Iy"),
    FM_REAL_ATTR(fm_diving_type, params.weight, "weight", "N", 0, 1e8, NULL, FM_ATTR_REQUIRED, "W"),
    FM_REAL_ATTR(fm_diving_type, params.buoyancy, "buoyancy", "N", 0, 1e8, NULL, FM_ATTR_REQUIRED, "B"),
    FM_REAL_ATTR(fm_diving_type, params.centre_of_gravity, "zg", "m", -10, 10, NULL, FM_ATTR_REQUIRED,
                 "centre of gravity below the centre of buoyancy"),
    FM_REAL_ATTR(fm_diving_type, params.z_w, "Z_w", "kg/s", 0, 0, NULL, FM_ATTR_REQUIRED,
                 "heave force of heave, at table-speed"),
    FM_REAL_ATTR(fm_diving_type, params.z_q, "Z_q", "kg*m/s", 0, 0, NULL, FM_ATTR_REQUIRED,
                 "heave force of pitch rate, at table-speed"),
    FM_REAL_ATTR(fm_diving_type, params.z_wdot, "Z_wdot", "kg", 0, 0, NULL, FM_ATTR_REQUIRED, "added mass"),
    FM_REAL_ATTR(fm_diving_type, params.z_qdot, "Z_qdot", "kg*m", 0, 0, NULL, FM_ATTR_REQUIRED, "added mass"),
    FM_REAL_ATTR(fm_diving_type, params.z_delta, "Z_delta", "N/rad", 0, 0, NULL, FM_ATTR_REQUIRED,
                 "heave force of the stern planes, at table-speed"),
    FM_REAL_ATTR(fm_diving_type, params.m_w, "M_w", "kg*m/s", 0, 0, NULL, FM_ATTR_REQUIRED,
                 "pitch moment of heave, at table-speed"),
    FM_REAL_ATTR(fm_diving_type, params.m_q, "M_q", "kg*m2/s", 0, 0, NULL, FM_ATTR_REQUIRED,
                 "pitch moment of pitch rate, at table-speed"),
    FM_REAL_ATTR(fm_diving_type, params.m_wdot, "M_wdot", "kg*m", 0, 0, NULL, FM_ATTR_REQUIRED, "added mass"),
    FM_REAL_ATTR(fm_diving_type, params.m_qdot, "M_qdot", "kg*m2", 0, 0, NULL, FM_ATTR_REQUIRED, "added inertia"),
    FM_REAL_ATTR(fm_diving_type, params.m_delta, "M_delta", "N*m/rad", 0, 0, NULL, FM_ATTR_REQUIRED,
                 "pitch moment of the stern planes, at table-speed"),
    FM_REAL_ATTR(fm_diving_type, params.table_speed, "table-speed", "m/s", 0.01, 100, NULL, FM_ATTR_REQUIRED,
                 "speed at which the coefficients were taken"),
    FM_REAL_ATTR(fm_diving_type, params.speed, "speed", "m/s", 1e-3, 100, NULL, 0,
                 "constant speed through the water; default: table-speed"),
    FM_BOOL_ATTR(fm_diving_type, scaled, "scaled", "true", 0,
                 "coefficients follow the speed; false: table values at every speed"),
    FM_BOOL_ATTR(fm_diving_type, large_angle, "large-angle-statics", "false", 0,
                 "restoring by sine and cosine of pitch instead of the printed linear form"),
    FM_BOOL_ATTR(fm_diving_type, trimmed, "trimmed", "false", 0,
                 "begins in level flight, with the pitch and heave that hold the depth against weight less buoyancy, "
                 "whatever the scenario's are"),
};
const fm_element fm_diving_element =
    FM_TABLE_ELEMENT(fm_diving_type, "diving", diving_attrs, NULL, FM_ELEMENT_ONCE,
                     "Makes the vehicle one of kind diving: the linear vertical-plane model, heave and pitch at "
                     "constant speed. When its battery is empty it stops and drifts with the water.");

fm_status fm_diving_build(fm_part_load *load, const void *config, fm_type *type, fm_error *error)
{
    fm_diving_type *kept = fm_load_alloc(load, sizeof *kept);
    if (!kept)
        return FM_ERR_MEMORY;
    *kept = *(const fm_diving_type *)config;
    kept->params.scaled = (int)kept->scaled;
    kept->params.large_angle_statics = (int)kept->large_angle;
    if (!fm_load_has_attribute(load, "speed"))
        kept->params.speed = kept->params.table_speed;
    if (type->integrator != FM_HEUN && type->integrator != FM_RK4)
        return fm_load_fail(load, error, FM_ERR_MODEL,
                            "the vehicle's integrator is '%s', the diving model accepts heun or rk4",
                            type->integrator == FM_EULER  ? "euler"
                            : type->integrator == FM_TEXT ? "text"
                                                          : "midpoint");
    if (kept->trimmed) {
        fm_error found = {0};
        const fm_diving_model m = fm_diving_derive(&kept->params);
        double delta;
        if (fm_diving_trim(&m, &kept->trim_w, &kept->trim_theta, &delta, &found) != FM_OK)
            return fm_load_fail_at(load, NULL, 0, "trimmed", error, found.status, "%s", found.text);
    }
    type->kind_config = kept;
    return FM_OK;
}
