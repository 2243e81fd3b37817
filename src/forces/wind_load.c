/* Wind on what stands out of the water: surface craft and buoys ([ocean-6.1], [ocean-6.2]). */
#include "environment/environment.h"
#include "forces/forces.h"
#include "ocean/wind.h"

typedef struct wind_config {
    fm_wind_area area;
    double air_density; /* kg/m³ */
    double exponent;    /* of the wind profile */
} wind_config;

#define AT(field) .offset = offsetof(wind_config, field)
#define REAL .type = FM_ATTR_REAL
static const fm_attr wind_attrs[] = {{.name = "frontal",
                                      REAL,
                                      AT(area.frontal),
                                      .unit = "m2",
                                      .min = 0,
                                      .max = 1e5,
                                      .flags = FM_ATTR_REQUIRED,
                                      .text = "area above the water seen from ahead"},
                                     {.name = "lateral",
                                      REAL,
                                      AT(area.lateral),
                                      .unit = "m2",
                                      .min = 0,
                                      .max = 1e5,
                                      .flags = FM_ATTR_REQUIRED,
                                      .text = "the same seen from abeam"},
                                     {.name = "length",
                                      REAL,
                                      AT(area.length),
                                      .unit = "m",
                                      .min = 0,
                                      .max = 1e3,
                                      .fallback = "0 m",
                                      .text = "overall length, for the yaw moment"},
                                     {.name = "height",
                                      REAL,
                                      AT(area.height),
                                      .unit = "m",
                                      .min = 0,
                                      .max = 100,
                                      .flags = FM_ATTR_REQUIRED,
                                      .text = "of the areas' centre above the water"},
                                     {.name = "cx",
                                      REAL,
                                      AT(area.cx),
                                      .unit = "",
                                      .min = 0,
                                      .max = 5,
                                      .fallback = "0.7",
                                      .text = "coefficient of the force along x"},
                                     {.name = "cy",
                                      REAL,
                                      AT(area.cy),
                                      .unit = "",
                                      .min = 0,
                                      .max = 5,
                                      .fallback = "0.9",
                                      .text = "coefficient of the force along y"},
                                     {.name = "cn",
                                      REAL,
                                      AT(area.cn),
                                      .unit = "",
                                      .min = -1,
                                      .max = 1,
                                      .fallback = "0",
                                      .text = "coefficient of the yaw moment"},
                                     {.name = "air-density",
                                      REAL,
                                      AT(air_density),
                                      .unit = "kg/m3",
                                      .min = 0.1,
                                      .max = 10,
                                      .fallback = "1.225 kg/m3",
                                      .text = "of the air"},
                                     {.name = "exponent",
                                      REAL,
                                      AT(exponent),
                                      .unit = "",
                                      .min = 0,
                                      .max = 1,
                                      .fallback = "0.14285714285714285",
                                      .text = "of the power-law profile over height; 0: the same wind at all heights"}};
static const fm_element wind_element = {
    .name = "wind-area",
    .text = "What the wind of the scenario acts on. Nothing acts when the areas' centre is under water.",
    .attrs = wind_attrs,
    .attr_count = FM_COUNT(wind_attrs),
    .config_size = sizeof(wind_config),
    .flags = FM_ELEMENT_ONCE};

static void add_wind(const fm_part_context *context)
{
    const wind_config *c = context->config;
    const fm_vehicle_view *view = context->vehicle;
    const double *R = view->rotation, *wind = context->environment->wind;
    double depth = view->position[2], air[2], relative[2], load[3];
    if (depth >= c->area.height || (wind[0] == 0 && wind[1] == 0))
        return;
    fm_wind blowing = {.velocity = {wind[0], wind[1]}, .density = c->air_density, .exponent = c->exponent};
    fm_wind_at(&blowing, c->area.height, air);
    for (int i = 0; i < 2; i++)
        relative[i] = view->velocity[i] - (R[i] * air[0] + R[3 + i] * air[1]);
    fm_wind_load(&c->area, c->air_density, relative, load);
    double arm = -(c->area.height + depth); /* body z of the centre of the areas, craft nearly level */
    context->force[0] += load[0];
    context->force[1] += load[1];
    context->force[3] -= arm * load[1];
    context->force[4] += arm * load[0];
    context->force[5] += load[2];
}

const fm_part_class fm_wind_load_class = {.kind = FM_PART_FORCE, .element = &wind_element, .run = add_wind};
