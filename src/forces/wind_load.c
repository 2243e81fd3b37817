/* Wind on everything above the water: surface craft and buoys (O6.1)(O6.2). */
#include "base/lane_part.h"
#include "environment/environment.h"
#include "forces/forces.h"

typedef struct wind_config {
    fm_wind_area area;
    double air_density; /* kg/m³ */
    double exponent;    /* of the wind profile */
} wind_config;

static const fm_attr wind_attrs[] = {
    FM_REAL_ATTR(wind_config, area.frontal, "frontal", "m2", 0, 1e5, NULL, FM_ATTR_REQUIRED,
                 "area above the water seen from ahead"),
    FM_REAL_ATTR(wind_config, area.lateral, "lateral", "m2", 0, 1e5, NULL, FM_ATTR_REQUIRED,
                 "the same seen from abeam"),
    FM_REAL_ATTR(wind_config, area.length, "length", "m", 0, 1e3, "0 m", 0, "overall length, for the yaw moment"),
    FM_REAL_ATTR(wind_config, area.height, "height", "m", 0, 100, NULL, FM_ATTR_REQUIRED,
                 "of the areas' centre above the water"),
    FM_REAL_ATTR(wind_config, area.cx, "cx", "", 0, 5, "0.7", 0, "coefficient of the force along x"),
    FM_REAL_ATTR(wind_config, area.cy, "cy", "", 0, 5, "0.9", 0, "coefficient of the force along y"),
    FM_REAL_ATTR(wind_config, area.cn, "cn", "", -1, 1, "0", 0, "coefficient of the yaw moment"),
    FM_REAL_ATTR(wind_config, air_density, "air-density", "kg/m3", 0.1, 10, "1.225 kg/m3", 0, "of the air"),
    FM_REAL_ATTR(wind_config, exponent, "exponent", "", 0, 1, "0.14285714285714285", 0,
                 "of the power-law profile over height; 0: the same wind at all heights"),
};
static const fm_element wind_element =
    FM_TABLE_ELEMENT(wind_config, "wind-area", wind_attrs, NULL, FM_ELEMENT_ONCE,
                     "What the wind of the scenario acts on. Nothing acts when the areas' centre is under water.");

static fm_wind_term term_of(const wind_config *c, const double wind[2])
{
    return (fm_wind_term){c->area, {{wind[0], wind[1]}, c->air_density, c->exponent}};
}

static void add_wind(const fm_part_context *context)
{
    const fm_wind_term term = term_of(context->config, context->environment->wind);
    const fm_force_moment now = fm_force_now(context);
    fm_wind_add(&term, &now, context->air_force);
}

static void describe_force(const void *config, const double wind[2], fm_force_term *term, double *levels, int32_t first)
{
    (void)levels, (void)first;
    term->kind = FM_FORCE_WIND;
    term->wind = term_of(config, wind);
}

static const fm_lane_part lanes = {.role = FM_LANE_FORCE, .term = describe_force};
const fm_part_class fm_wind_load_class = {
    .kind = FM_PART_FORCE, .element = &wind_element, .run = add_wind, .lanes = &lanes};
