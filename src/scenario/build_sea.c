/* Waves, wind and water noise of a scenario. */
#include <math.h>
#include <string.h>

#include "scenario/build_environment.h"

#define REAL .type = FM_ATTR_REAL
#define VEC3 .type = FM_ATTR_VECTOR, .count = 3

typedef struct wave_config {
    double amplitude, period, direction, phase;
} wave_config;
#define WAVE(field) .offset = offsetof(wave_config, field)
static const fm_attr wave_attrs[] = {{.name = "amplitude",
                                      REAL,
                                      WAVE(amplitude),
                                      .unit = "m",
                                      .min = 0,
                                      .max = 30,
                                      .flags = FM_ATTR_REQUIRED,
                                      .text = "half the height"},
                                     {.name = "period",
                                      REAL,
                                      WAVE(period),
                                      .unit = "s",
                                      .min = 0.1,
                                      .max = 1e5,
                                      .flags = FM_ATTR_REQUIRED,
                                      .text = "of the wave"},
                                     {.name = "direction",
                                      REAL,
                                      WAVE(direction),
                                      .unit = "rad",
                                      .min = -7,
                                      .max = 7,
                                      .fallback = "0 deg",
                                      .text = "where it runs to, from north"},
                                     {.name = "phase",
                                      REAL,
                                      WAVE(phase),
                                      .unit = "rad",
                                      .min = -7,
                                      .max = 7,
                                      .fallback = "0 deg",
                                      .text = "a crest stands at the origin at phase/frequency"}};
static const fm_element wave_element = {.name = "wave",
                                        .text = "One Airy wave.",
                                        .attrs = wave_attrs,
                                        .attr_count = FM_COUNT(wave_attrs),
                                        .config_size = sizeof(wave_config)};

typedef struct jonswap_config {
    fm_jonswap sea;
    int64_t components;
} jonswap_config;
#define SEA(field) .offset = offsetof(jonswap_config, sea.field)
static const fm_attr jonswap_attrs[] = {
    {.name = "height",
     REAL,
     SEA(significant_height),
     .unit = "m",
     .min = 0,
     .max = 20,
     .flags = FM_ATTR_REQUIRED,
     .text = "significant wave height"},
    {.name = "period",
     REAL,
     SEA(peak_period),
     .unit = "s",
     .min = 0.5,
     .max = 30,
     .flags = FM_ATTR_REQUIRED,
     .text = "peak period"},
    {.name = "peakedness", REAL, SEA(peakedness), .unit = "", .min = 1, .max = 7, .fallback = "3.3", .text = "gamma"},
    {.name = "direction",
     REAL,
     SEA(direction),
     .unit = "rad",
     .min = -7,
     .max = 7,
     .fallback = "0 deg",
     .text = "where the sea runs to, from north"},
    {.name = "spreading",
     REAL,
     SEA(spreading),
     .unit = "",
     .min = 0,
     .max = 100,
     .fallback = "0",
     .text = "s of cos^2s; 0: long-crested"},
    {.name = "components",
     .type = FM_ATTR_INT,
     .offset = offsetof(jonswap_config, components),
     .min = 1,
     .max = 1000,
     .fallback = "40",
     .text = "number of waves that make up the sea"}};
static const fm_element jonswap_element = {.name = "jonswap",
                                           .text = "A JONSWAP sea; its waves are drawn from the scenario's seed.",
                                           .attrs = jonswap_attrs,
                                           .attr_count = FM_COUNT(jonswap_attrs),
                                           .config_size = sizeof(jonswap_config)};

typedef struct waves_config {
    double depth;
} waves_config;
static const fm_attr waves_attrs[] = {{.name = "depth",
                                       REAL,
                                       .offset = offsetof(waves_config, depth),
                                       .unit = "m",
                                       .min = 0,
                                       .max = 12000,
                                       .fallback = "0 m",
                                       .text = "of the water, for the dispersion relation; 0: deep"}};
static const fm_element *const waves_children[] = {&wave_element, &jonswap_element, NULL};
const fm_element fm_waves_element = {.name = "waves",
                                     .text =
                                         "Surface waves after Airy: orbital motion of the water and a moving surface.",
                                     .attrs = waves_attrs,
                                     .attr_count = 1,
                                     .children = waves_children,
                                     .config_size = sizeof(waves_config),
                                     .flags = FM_ELEMENT_ONCE};

typedef struct wind_config {
    double velocity[3];
} wind_config;
static const fm_attr wind_attrs[] = {{.name = "velocity",
                                      VEC3,
                                      .offset = offsetof(wind_config, velocity),
                                      .unit = "m/s",
                                      .min = -80,
                                      .max = 80,
                                      .flags = FM_ATTR_REQUIRED,
                                      .text = "of the air at 10 m height, where it blows to: north, east, down"}};
const fm_element fm_wind_element = {.name = "wind",
                                    .text = "Wind, which loads surface craft and buoys (<wind-area> of a vehicle).",
                                    .attrs = wind_attrs,
                                    .attr_count = 1,
                                    .config_size = sizeof(wind_config),
                                    .flags = FM_ELEMENT_ONCE};

static const fm_attr noise_attrs[] = {{.name = "amplitude",
                                       VEC3,
                                       .offset = offsetof(fm_water_noise, amplitude),
                                       .unit = "m",
                                       .min = 0,
                                       .max = 10,
                                       .flags = FM_ATTR_REQUIRED,
                                       .text = "along north, east, down"},
                                      {.name = "wavelength",
                                       VEC3,
                                       .offset = offsetof(fm_water_noise, wavelength),
                                       .unit = "m",
                                       .min = 1e-3,
                                       .max = 1e4,
                                       .flags = FM_ATTR_REQUIRED,
                                       .text = "along north, east, down"}};
const fm_element fm_noise_element = {
    .name = "water-noise",
    .text = "Liu and Hu's water noise: bounded displacements of a fish by travelling sines.",
    .attrs = noise_attrs,
    .attr_count = FM_COUNT(noise_attrs),
    .config_size = sizeof(fm_water_noise),
    .flags = FM_ELEMENT_ONCE};

static size_t count_waves(const fm_node *waves)
{
    size_t count = 0;
    for (const fm_node *node = NULL; (node = fm_node_next(waves, NULL, node));)
        count += node->element == &wave_element ? 1 : (size_t)fm_node_value(node, "components")->integer;
    return count;
}

static fm_status read_waves(fm_builder *b, const fm_node *node, double depth, fm_wave *out, size_t *count)
{
    double gravity = b->model->settings.gravity;
    if (node->element == &wave_element) {
        wave_config c;
        fm_node_fill(node, &c);
        out[(*count)++] = fm_wave_make(c.amplitude, 2 * FM_PI / c.period, c.direction, c.phase, depth, gravity);
        return FM_OK;
    }
    jonswap_config c;
    fm_error error = {0};
    fm_node_fill(node, &c);
    if (fm_jonswap_check(&c.sea, &error) != FM_OK)
        return fm_node_fail(node, NULL, b->report, error.status, "%s", error.text);
    fm_jonswap_waves(&c.sea, depth, gravity, b->model->settings.seed, (uint32_t)*count, out + *count,
                     (size_t)c.components);
    *count += (size_t)c.components;
    return FM_OK;
}

fm_status fm_build_waves(fm_builder *b, const fm_node *world, fm_environment *e)
{
    const fm_node *node = fm_node_child(world, "wind"), *parent = fm_node_child(world, "waves");
    if (node)
        fm_node_fill(node, e->wind);
    if ((node = fm_node_child(world, "water-noise"))) {
        fm_water_noise *noise = fm_build_alloc(b, sizeof *noise);
        if (!noise)
            return FM_ERR_MEMORY;
        fm_node_fill(node, noise);
        noise->gravity = b->model->settings.gravity;
        e->noise = noise;
    }
    if (!parent)
        return FM_OK;
    waves_config c;
    fm_node_fill(parent, &c);
    fm_wave *waves = fm_build_alloc(b, (count_waves(parent) + 1) * sizeof *waves);
    if (!waves)
        return FM_ERR_MEMORY;
    e->sea = (fm_sea){
        .waves = waves, .depth = c.depth, .gravity = b->model->settings.gravity, .density = b->model->settings.density};
    for (node = NULL; (node = fm_node_next(parent, NULL, node));) {
        fm_status status = read_waves(b, node, c.depth, waves, &e->sea.count);
        if (status != FM_OK)
            return status;
    }
    return FM_OK;
}
