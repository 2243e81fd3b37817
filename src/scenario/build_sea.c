/* Waves, wind and water noise of a scenario. */
#include <math.h>
#include <string.h>

#include "scenario/build_environment.h"

typedef struct wave_config {
    double amplitude, period, direction, phase;
} wave_config;
static const fm_attr wave_attrs[] = {
    FM_REAL_ATTR(wave_config, amplitude, "amplitude", "m", 0, 30, NULL, FM_ATTR_REQUIRED,
                 "half the height; a wave breaks above 0.45 over its wave number, which is refused"),
    FM_REAL_ATTR(wave_config, period, "period", "s", 0.1, 1e5, NULL, FM_ATTR_REQUIRED, "of the wave"),
    FM_REAL_ATTR(wave_config, direction, "direction", "rad", -7, 7, "0 deg", 0, "where it runs to, from north"),
    FM_REAL_ATTR(wave_config, phase, "phase", "rad", -7, 7, "0 deg", 0, "a crest is at the origin at phase/frequency"),
};
static const fm_element wave_element = FM_TABLE_ELEMENT(wave_config, "wave", wave_attrs, NULL, 0, "One Airy wave.");

typedef struct jonswap_config {
    fm_jonswap sea;
    int64_t components;
} jonswap_config;
static const fm_attr jonswap_attrs[] = {
    FM_REAL_ATTR(jonswap_config, sea.significant_height, "height", "m", 0, 20, NULL, FM_ATTR_REQUIRED,
                 "significant wave height"),
    FM_REAL_ATTR(jonswap_config, sea.peak_period, "period", "s", 0.5, 30, NULL, FM_ATTR_REQUIRED, "peak period"),
    FM_REAL_ATTR(jonswap_config, sea.peakedness, "peakedness", "", 1, 7, "3.3", 0, "gamma"),
    FM_REAL_ATTR(jonswap_config, sea.direction, "direction", "rad", -7, 7, "0 deg", 0,
                 "where the sea runs to, from north"),
    FM_REAL_ATTR(jonswap_config, sea.spreading, "spreading", "", 0, 100, "0", 0, "s of cos^2s; 0: long-crested"),
    FM_INT_ATTR(jonswap_config, components, "components", 1, 1000, "40", 0, "number of waves that make up the sea"),
};
static const fm_element jonswap_element = FM_TABLE_ELEMENT(
    jonswap_config, "jonswap", jonswap_attrs, NULL, 0, "A JONSWAP sea; its waves are drawn from the seed of the run.");

typedef struct waves_config {
    double depth;
} waves_config;
static const fm_attr waves_attrs[] = {
    FM_REAL_ATTR(waves_config, depth, "depth", "m", 0, 12000, "0 m", 0,
                 "of the water, for the dispersion relation; 0: deep"),
};
static const fm_element *const waves_children[] = {&wave_element, &jonswap_element, NULL};
const fm_element fm_waves_element =
    FM_TABLE_ELEMENT(waves_config, "waves", waves_attrs, waves_children, FM_ELEMENT_ONCE,
                     "Surface waves after Airy: orbital motion of the water and a moving surface.");

typedef struct wind_config {
    double velocity[3];
} wind_config;
static const fm_attr wind_attrs[] = {
    FM_VECTOR_ATTR(wind_config, velocity, 3, "velocity", "m/s", -80, 80, NULL, FM_ATTR_REQUIRED,
                   "of the air at 10 m height, where it blows to: north, east, down"),
};
const fm_element fm_wind_element =
    FM_TABLE_ELEMENT(wind_config, "wind", wind_attrs, NULL, FM_ELEMENT_ONCE,
                     "Wind, which loads surface craft and buoys (<wind-area> of a vehicle).");

static const fm_attr noise_attrs[] = {
    FM_VECTOR_ATTR(fm_water_noise, amplitude, 3, "amplitude", "m", 0, 10, NULL, FM_ATTR_REQUIRED,
                   "along north, east, down"),
    FM_VECTOR_ATTR(fm_water_noise, wavelength, 3, "wavelength", "m", 1e-3, 1e4, NULL, FM_ATTR_REQUIRED,
                   "along north, east, down"),
};
const fm_element fm_noise_element =
    FM_TABLE_ELEMENT(fm_water_noise, "water-noise", noise_attrs, NULL, FM_ELEMENT_ONCE,
                     "Liu and Hu's water noise: bounded displacements of a fish by travelling sines.");

static size_t count_waves(const fm_node *waves)
{
    size_t count = 0;
    for (const fm_node *node = NULL; (node = fm_node_next(waves, NULL, node));)
        count += node->element == &wave_element ? 1 : (size_t)fm_node_value(node, "components")->integer;
    return count;
}

/* One wave, or space for those that are drawn. */
static fm_status read_waves(fm_builder *b, const fm_node *node, fm_environment *e, fm_wave *waves,
                            fm_drawn_waves *drawn)
{
    fm_sea *sea = &e->sea;
    fm_error error = {0};
    if (node->element == &wave_element) {
        wave_config c;
        fm_node_fill(node, &c);
        fm_wave *wave = &waves[sea->count++];
        *wave = fm_wave_make(c.amplitude, 2 * FM_PI / c.period, c.direction, c.phase, sea->depth, sea->gravity);
        return fm_wave_check(wave, &error) == FM_OK
                   ? FM_OK
                   : fm_node_fail(node, "amplitude", b->report, error.status, "%s", error.text);
    }
    jonswap_config c;
    fm_node_fill(node, &c);
    if (fm_jonswap_check(&c.sea, &error) != FM_OK)
        return fm_node_fail(node, NULL, b->report, error.status, "%s", error.text);
    drawn[e->drawn_count++] = (fm_drawn_waves){c.sea, sea->count, (size_t)c.components};
    sea->count += (size_t)c.components;
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
    fm_drawn_waves *drawn = fm_build_alloc(b, (count_waves(parent) + 1) * sizeof *drawn);
    if (!waves || !drawn)
        return FM_ERR_MEMORY;
    e->sea = (fm_sea){
        .waves = waves, .depth = c.depth, .gravity = b->model->settings.gravity, .density = b->model->settings.density};
    e->drawn = drawn;
    for (node = NULL; (node = fm_node_next(parent, NULL, node));) {
        fm_status status = read_waves(b, node, e, waves, drawn);
        if (status != FM_OK)
            return status;
    }
    fm_sea_draw(&e->sea, drawn, e->drawn_count, b->model->settings.seed, waves);
    return FM_OK;
}
