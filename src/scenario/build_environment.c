/* The sea of a scenario: water column, currents, waves, wind, bottom, obstacles. */
#include "scenario/build_environment.h"

#include <math.h>
#include <string.h>

#include "scenario/build.h"

#define REAL .type = FM_ATTR_REAL
#define VEC3 .type = FM_ATTR_VECTOR, .count = 3
#define LIST(most) .type = FM_ATTR_LIST, .count = most
#define ELEMENT(its_name, config, its_attrs, its_text)                                                                 \
    {                                                                                                                  \
        .name = its_name, .text = its_text, .attrs = its_attrs, .attr_count = FM_COUNT(its_attrs),                     \
        .config_size = sizeof(config)                                                                                  \
    }
#define ONCE(its_name, config, its_attrs, its_text)                                                                    \
    {                                                                                                                  \
        .name = its_name, .text = its_text, .attrs = its_attrs, .attr_count = FM_COUNT(its_attrs),                     \
        .config_size = sizeof(config), .flags = FM_ELEMENT_ONCE                                                        \
    }

/* --- water --- */

typedef struct segments_config {
    double surface, z1, z2, slope1, slope2;
} segments_config;
typedef struct spot_config {
    double amplitude, centre[3], sigma[3];
} spot_config;
#define SEG(field) .offset = offsetof(segments_config, field)
#define SEGMENTS(its_unit, its_slope, low, high, v0, v1, v2)                                                           \
    {.name = "surface",                                                                                                \
     REAL,                                                                                                             \
     SEG(surface),                                                                                                     \
     .unit = its_unit,                                                                                                 \
     .min = low,                                                                                                       \
     .max = high,                                                                                                      \
     .fallback = v0,                                                                                                   \
     .text = "value from the surface down to z1"},                                                                     \
        {.name = "z1",                                                                                                 \
         REAL,                                                                                                         \
         SEG(z1),                                                                                                      \
         .unit = "m",                                                                                                  \
         .min = 0,                                                                                                     \
         .max = 12000,                                                                                                 \
         .fallback = "20 m",                                                                                           \
         .text = "depth where the first slope begins"},                                                                \
        {.name = "z2",                                                                                                 \
         REAL,                                                                                                         \
         SEG(z2),                                                                                                      \
         .unit = "m",                                                                                                  \
         .min = 0,                                                                                                     \
         .max = 12000,                                                                                                 \
         .fallback = "120 m",                                                                                          \
         .text = "depth where the second slope begins"},                                                               \
        {.name = "slope1",                                                                                             \
         REAL,                                                                                                         \
         SEG(slope1),                                                                                                  \
         .unit = its_slope,                                                                                            \
         .fallback = v1,                                                                                               \
         .text = "change per metre from z1 to z2"},                                                                    \
    {                                                                                                                  \
        .name = "slope2", REAL, SEG(slope2), .unit = its_slope, .fallback = v2, .text = "change per metre below z2"    \
    }
#define SPOT(its_unit)                                                                                                 \
    {.name = "amplitude",                                                                                              \
     REAL,                                                                                                             \
     .offset = offsetof(spot_config, amplitude),                                                                       \
     .unit = its_unit,                                                                                                 \
     .flags = FM_ATTR_REQUIRED,                                                                                        \
     .text = "change at the centre"},                                                                                  \
        {.name = "centre",                                                                                             \
         VEC3,                                                                                                         \
         .offset = offsetof(spot_config, centre),                                                                      \
         .unit = "m",                                                                                                  \
         .flags = FM_ATTR_REQUIRED,                                                                                    \
         .text = "north, east, depth"},                                                                                \
    {                                                                                                                  \
        .name = "sigma", VEC3, .offset = offsetof(spot_config, sigma), .unit = "m", .min = 1e-3, .max = 1e7,           \
        .flags = FM_ATTR_REQUIRED, .text = "standard deviations of the Gaussian"                                       \
    }

static const fm_attr warm_spot_attrs[] = {SPOT("K")};
static const fm_element warm_spot = ELEMENT("spot", spot_config, warm_spot_attrs, "A Gaussian warm (or cold) spot.");
static const fm_attr salt_spot_attrs[] = {SPOT("")};
static const fm_element salt_spot =
    ELEMENT("spot", spot_config, salt_spot_attrs, "A Gaussian spot of salt (or fresh) water.");
static const fm_attr conductive_spot_attrs[] = {SPOT("S/m")};
static const fm_element conductive_spot = ELEMENT("spot", spot_config, conductive_spot_attrs, "A Gaussian spot.");
static const fm_element *const warm_children[] = {&warm_spot, NULL}, *const salt_children[] = {&salt_spot, NULL},
                               *const conductive_children[] = {&conductive_spot, NULL};
static const fm_attr temperature_attrs[] = {SEGMENTS("degC", "K/m", -3, 50, "18 degC", "-0.06 K/m", "-0.002 K/m")};
static const fm_element temperature_element = {.name = "temperature",
                                               .text = "Temperature profile in three segments, with spots.",
                                               .attrs = temperature_attrs,
                                               .attr_count = FM_COUNT(temperature_attrs),
                                               .children = warm_children,
                                               .config_size = sizeof(segments_config),
                                               .flags = FM_ELEMENT_ONCE};
static const fm_attr salinity_attrs[] = {SEGMENTS("", "1/m", 0, 45, "35", "0 1/m", "0 1/m")};
static const fm_element salinity_element = {.name = "salinity",
                                            .text = "Salinity profile (PSS-78) in three segments, with spots.",
                                            .attrs = salinity_attrs,
                                            .attr_count = FM_COUNT(salinity_attrs),
                                            .children = salt_children,
                                            .config_size = sizeof(segments_config),
                                            .flags = FM_ELEMENT_ONCE};
static const fm_attr conductivity_attrs[] = {SEGMENTS("S/m", "S/m2", 0, 10, "4.62 S/m", "0.0004 S/m2", "0.0004 S/m2")};
static const fm_element conductivity_element = {
    .name = "conductivity",
    .text =
        "Conductivity printed in three segments with spots, as WaVeSim has it; salinity then follows from it. Without "
        "this element conductivity follows from salinity.",
    .attrs = conductivity_attrs,
    .attr_count = FM_COUNT(conductivity_attrs),
    .children = conductive_children,
    .config_size = sizeof(segments_config),
    .flags = FM_ELEMENT_ONCE};

typedef struct pressure_config {
    double p0, p1, p2;
} pressure_config;
static const fm_attr pressure_attrs[] = {{.name = "p0",
                                          REAL,
                                          .offset = offsetof(pressure_config, p0),
                                          .unit = "Pa",
                                          .min = 0,
                                          .max = 1e6,
                                          .fallback = "101325 Pa",
                                          .text = "at the surface"},
                                         {.name = "p1",
                                          REAL,
                                          .offset = offsetof(pressure_config, p1),
                                          .unit = "Pa/m",
                                          .min = 0,
                                          .max = 1e5,
                                          .flags = FM_ATTR_REQUIRED,
                                          .text = "per metre"},
                                         {.name = "p2",
                                          REAL,
                                          .offset = offsetof(pressure_config, p2),
                                          .unit = "Pa/m2",
                                          .min = -1,
                                          .max = 1,
                                          .fallback = "0 Pa/m2",
                                          .text = "per metre squared"}};
static const fm_element pressure_element =
    ONCE("pressure", pressure_config, pressure_attrs,
         "Pressure P0 + P1 z + P2 z2. Without this element it is fitted to the latitude.");

typedef struct file_config {
    const char *file;
} file_config;
static const fm_attr file_attrs[] = {{.name = "file",
                                      .type = FM_ATTR_FILE,
                                      .offset = offsetof(file_config, file),
                                      .flags = FM_ATTR_REQUIRED,
                                      .text = "CSV (depth, temperature, salinity) or NetCDF"}};
static const fm_element profile_element =
    ONCE("profile", file_config, file_attrs, "Measured profile of temperature and salinity over depth.");

static const char *const sound_names[] = {"automatic", "del-grosso", "chen-millero", "mackenzie", "constant", NULL};
typedef struct sound_config {
    int64_t formula;
    double speed;
} sound_config;
static const fm_attr sound_attrs[] = {{.name = "formula",
                                       .type = FM_ATTR_CHOICE,
                                       .choices = sound_names,
                                       .offset = offsetof(sound_config, formula),
                                       .fallback = "automatic",
                                       .text = "of the speed of sound"},
                                      {.name = "speed",
                                       REAL,
                                       .offset = offsetof(sound_config, speed),
                                       .unit = "m/s",
                                       .min = 100,
                                       .max = 3000,
                                       .fallback = "1500 m/s",
                                       .text = "of formula constant"}};
static const fm_element sound_element = ONCE("sound", sound_config, sound_attrs, "Speed of sound.");

typedef struct water_config {
    double density;
    int64_t stratified;
} water_config;
static const fm_attr water_attrs[] = {
    {.name = "density",
     REAL,
     .offset = offsetof(water_config, density),
     .unit = "kg/m3",
     .min = 1,
     .max = 2000,
     .fallback = "1025 kg/m3",
     .text = "nominal density; dimensionless coefficients are scaled with it"},
    {.name = "stratified",
     .type = FM_ATTR_BOOL,
     .offset = offsetof(water_config, stratified),
     .fallback = "false",
     .text = "buoyancy follows the density of the place (temperature, salinity, pressure) instead of the nominal one"}};
static const fm_element *const water_children[] = {&temperature_element,
                                                   &salinity_element,
                                                   &conductivity_element,
                                                   &pressure_element,
                                                   &profile_element,
                                                   &sound_element,
                                                   NULL};
const fm_element fm_water_element = {.name = "water",
                                     .text = "The water column.",
                                     .attrs = water_attrs,
                                     .attr_count = FM_COUNT(water_attrs),
                                     .children = water_children,
                                     .config_size = sizeof(water_config),
                                     .flags = FM_ELEMENT_ONCE};

static fm_status read_field(fm_builder *b, const fm_node *node, fm_water_field *field)
{
    if (!node)
        return FM_OK;
    segments_config c;
    fm_node_fill(node, &c);
    field->profile = (fm_segments){c.surface, c.z1, c.z2, c.slope1, c.slope2};
    size_t count = 0;
    for (const fm_node *spot = NULL; (spot = fm_node_next(node, "spot", spot));)
        count++;
    fm_spot *spots = fm_build_alloc(b, (count + 1) * sizeof *spots);
    if (!spots)
        return FM_ERR_MEMORY;
    field->spots = spots;
    for (const fm_node *spot = NULL; (spot = fm_node_next(node, "spot", spot)); spots++) {
        spot_config s;
        fm_node_fill(spot, &s);
        *spots = (fm_spot){.amplitude = s.amplitude,
                           .centre = {s.centre[0], s.centre[1], s.centre[2]},
                           .alpha = 1 / (s.sigma[0] * sqrt(2)),
                           .beta = 1 / (s.sigma[1] * sqrt(2)),
                           .gamma = 1 / (s.sigma[2] * sqrt(2))};
    }
    field->spot_count = count;
    return FM_OK;
}

static fm_status read_profile(fm_builder *b, const fm_node *node, fm_water_column *column)
{
    file_config c;
    fm_error error = {0};
    fm_node_fill(node, &c);
    fm_profile *profile = fm_build_alloc(b, sizeof *profile);
    if (!profile)
        return FM_ERR_MEMORY;
    size_t length = strlen(c.file);
    fm_status status = length > 3 && !strcmp(c.file + length - 3, ".nc")
                           ? fm_profile_read_netcdf(profile, c.file, &b->model->arena, &error)
                           : fm_profile_read_csv(profile, c.file, &b->model->arena, &error);
    if (status != FM_OK)
        return fm_node_fail(node, "file", b->report, status, "%s%s%s", error.file, error.file[0] ? ": " : "",
                            error.text);
    column->profile = profile;
    return FM_OK;
}

static fm_status build_water(fm_builder *b, const fm_node *world, fm_environment *e)
{
    e->column = fm_water_column_default();
    fm_water_column_fit_pressure(e->latitude, e->column.pressure);
    const fm_node *water = fm_node_child(world, "water");
    if (!water)
        return FM_OK;
    water_config c;
    fm_node_fill(water, &c);
    e->stratified = (int)c.stratified;
    const fm_node *node = fm_node_child(water, "conductivity");
    e->column.conductivity_mode = node ? FM_CONDUCTIVITY_PRINTED : FM_CONDUCTIVITY_PHYSICAL;
    fm_status status = read_field(b, node, &e->column.conductivity);
    if (status == FM_OK)
        status = read_field(b, fm_node_child(water, "temperature"), &e->column.temperature);
    if (status == FM_OK)
        status = read_field(b, fm_node_child(water, "salinity"), &e->column.salinity);
    if (status == FM_OK && (node = fm_node_child(water, "profile")))
        status = read_profile(b, node, &e->column);
    if ((node = fm_node_child(water, "pressure")))
        fm_node_fill(node, e->column.pressure);
    if ((node = fm_node_child(water, "sound"))) {
        sound_config sound;
        fm_node_fill(node, &sound);
        e->column.sound = (fm_sound_formula)sound.formula;
        e->column.sound_speed = sound.speed;
    }
    fm_error error = {0};
    if (status == FM_OK && fm_water_column_check(&e->column, &error) != FM_OK)
        return fm_node_fail(water, NULL, b->report, error.status, "%s", error.text);
    return status;
}

/* --- currents --- */

typedef struct current_config {
    double velocity[3];
} current_config;
typedef struct profile_config {
    fm_list depth, north, east;
} profile_config;
typedef struct tide_config {
    const char *constituent;
    double period, major, minor, direction, phase;
} tide_config;
typedef struct vortex_config {
    int64_t model;
    double centre[3], drift[3], circulation, core, viscosity;
} vortex_config;
typedef struct jet_config {
    double point[3], direction, speed, width, depth, height;
} jet_config;
static const fm_attr layers_attrs[] = {{.name = "depth",
                                        LIST(1000),
                                        .offset = offsetof(profile_config, depth),
                                        .unit = "m",
                                        .min = 0,
                                        .max = 12000,
                                        .flags = FM_ATTR_REQUIRED,
                                        .text = "depths, increasing"},
                                       {.name = "north",
                                        LIST(1000),
                                        .offset = offsetof(profile_config, north),
                                        .unit = "m/s",
                                        .min = -20,
                                        .max = 20,
                                        .flags = FM_ATTR_REQUIRED,
                                        .text = "velocity to the north at each depth"},
                                       {.name = "east",
                                        LIST(1000),
                                        .offset = offsetof(profile_config, east),
                                        .unit = "m/s",
                                        .min = -20,
                                        .max = 20,
                                        .flags = FM_ATTR_REQUIRED,
                                        .text = "velocity to the east at each depth"}};
static const fm_element layers_element =
    ELEMENT("layers", profile_config, layers_attrs, "Current over depth, linear between the depths given.");
static const fm_attr gauss_markov_attrs[] = {{.name = "deviation",
                                              VEC3,
                                              .offset = offsetof(fm_current_gauss_markov, deviation),
                                              .unit = "m/s",
                                              .min = 0,
                                              .max = 10,
                                              .flags = FM_ATTR_REQUIRED,
                                              .text = "standard deviation north, east, down"},
                                             {.name = "time",
                                              REAL,
                                              .offset = offsetof(fm_current_gauss_markov, time),
                                              .unit = "s",
                                              .min = 1e-3,
                                              .max = 1e7,
                                              .flags = FM_ATTR_REQUIRED,
                                              .text = "correlation time"}};
static const fm_element gauss_markov_element =
    ELEMENT("gauss-markov", fm_current_gauss_markov, gauss_markov_attrs, "A current that wanders at random.");
static const fm_attr tide_attrs[] = {{.name = "constituent",
                                      .type = FM_ATTR_NAME,
                                      .offset = offsetof(tide_config, constituent),
                                      .text = "M2, S2, K1 … (this or period)"},
                                     {.name = "period",
                                      REAL,
                                      .offset = offsetof(tide_config, period),
                                      .unit = "s",
                                      .min = 1,
                                      .max = 1e8,
                                      .text = "of the tide, instead of its name"},
                                     {.name = "major",
                                      REAL,
                                      .offset = offsetof(tide_config, major),
                                      .unit = "m/s",
                                      .min = 0,
                                      .max = 20,
                                      .flags = FM_ATTR_REQUIRED,
                                      .text = "major semi-axis of the tidal ellipse"},
                                     {.name = "minor",
                                      REAL,
                                      .offset = offsetof(tide_config, minor),
                                      .unit = "m/s",
                                      .min = -20,
                                      .max = 20,
                                      .fallback = "0 m/s",
                                      .text = "minor semi-axis; its sign is the sense of rotation"},
                                     {.name = "direction",
                                      REAL,
                                      .offset = offsetof(tide_config, direction),
                                      .unit = "rad",
                                      .min = -7,
                                      .max = 7,
                                      .fallback = "0 deg",
                                      .text = "of the major axis from north"},
                                     {.name = "phase",
                                      REAL,
                                      .offset = offsetof(tide_config, phase),
                                      .unit = "rad",
                                      .min = -7,
                                      .max = 7,
                                      .fallback = "0 deg",
                                      .text = "when the major component peaks"}};
static const fm_element tide_element = ELEMENT("tide", tide_config, tide_attrs, "One constituent of the tide.");
static const char *const vortex_names[] = {"lamb-oseen", "rankine", NULL};
static const fm_attr vortex_attrs[] = {{.name = "model",
                                        .type = FM_ATTR_CHOICE,
                                        .choices = vortex_names,
                                        .offset = offsetof(vortex_config, model),
                                        .fallback = "lamb-oseen",
                                        .text = "of the core"},
                                       {.name = "centre",
                                        VEC3,
                                        .offset = offsetof(vortex_config, centre),
                                        .unit = "m",
                                        .flags = FM_ATTR_REQUIRED,
                                        .text = "north, east (depth is ignored: the vortex stands upright)"},
                                       {.name = "drift",
                                        VEC3,
                                        .offset = offsetof(vortex_config, drift),
                                        .unit = "m/s",
                                        .min = -20,
                                        .max = 20,
                                        .fallback = "0 0 0 m/s",
                                        .text = "of the centre"},
                                       {.name = "circulation",
                                        REAL,
                                        .offset = offsetof(vortex_config, circulation),
                                        .unit = "m2/s",
                                        .flags = FM_ATTR_REQUIRED,
                                        .text = "positive turns clockwise seen from above"},
                                       {.name = "core",
                                        REAL,
                                        .offset = offsetof(vortex_config, core),
                                        .unit = "m",
                                        .min = 1e-3,
                                        .max = 1e6,
                                        .flags = FM_ATTR_REQUIRED,
                                        .text = "core radius"},
                                       {.name = "viscosity",
                                        REAL,
                                        .offset = offsetof(vortex_config, viscosity),
                                        .unit = "m2/s",
                                        .min = 0,
                                        .max = 1e3,
                                        .fallback = "0 m2/s",
                                        .text = "that lets the core grow"}};
static const fm_element vortex_element = ELEMENT("vortex", vortex_config, vortex_attrs, "An upright vortex.");
static const fm_attr jet_attrs[] = {{.name = "point",
                                     VEC3,
                                     .offset = offsetof(jet_config, point),
                                     .unit = "m",
                                     .flags = FM_ATTR_REQUIRED,
                                     .text = "a point of the axis"},
                                    {.name = "direction",
                                     REAL,
                                     .offset = offsetof(jet_config, direction),
                                     .unit = "rad",
                                     .min = -7,
                                     .max = 7,
                                     .flags = FM_ATTR_REQUIRED,
                                     .text = "from north"},
                                    {.name = "speed",
                                     REAL,
                                     .offset = offsetof(jet_config, speed),
                                     .unit = "m/s",
                                     .min = -20,
                                     .max = 20,
                                     .flags = FM_ATTR_REQUIRED,
                                     .text = "on the axis"},
                                    {.name = "width",
                                     REAL,
                                     .offset = offsetof(jet_config, width),
                                     .unit = "m",
                                     .min = 1e-3,
                                     .max = 1e6,
                                     .flags = FM_ATTR_REQUIRED,
                                     .text = "scale across"},
                                    {.name = "depth",
                                     REAL,
                                     .offset = offsetof(jet_config, depth),
                                     .unit = "m",
                                     .min = 0,
                                     .max = 12000,
                                     .fallback = "0 m",
                                     .text = "of the core"},
                                    {.name = "height",
                                     REAL,
                                     .offset = offsetof(jet_config, height),
                                     .unit = "m",
                                     .min = 0,
                                     .max = 12000,
                                     .fallback = "0 m",
                                     .text = "scale over depth; 0: the same at all depths"}};
static const fm_element jet_element = ELEMENT("jet", jet_config, jet_attrs, "A Bickley jet.");
static const fm_attr grid_attrs[] = {
    {.name = "file",
     .type = FM_ATTR_FILE,
     .offset = offsetof(file_config, file),
     .flags = FM_ATTR_REQUIRED,
     .text = "NetCDF: u and v over latitude/longitude or x/y, with or without depth and time"}};
static const fm_element grid_element = ELEMENT("grid", file_config, grid_attrs, "Currents gridded in space and time.");

const fm_attr fm_current_attrs[1] = {{.name = "velocity",
                                      VEC3,
                                      .offset = offsetof(current_config, velocity),
                                      .unit = "m/s",
                                      .min = -20,
                                      .max = 20,
                                      .fallback = "0 0 0 m/s",
                                      .flags = FM_ATTR_LIVE,
                                      .text = "of the water over ground: north, east, down"}};
static const fm_element *const current_children[] = {
    &layers_element, &gauss_markov_element, &tide_element, &vortex_element, &jet_element, &grid_element, NULL};
const fm_element fm_current_element = {.name = "current",
                                       .text = "Currents: a uniform one and any number of others, added.",
                                       .attrs = fm_current_attrs,
                                       .attr_count = 1,
                                       .children = current_children,
                                       .config_size = sizeof(current_config),
                                       .flags = FM_ELEMENT_ONCE};

static fm_status read_layers(fm_builder *b, const fm_node *node, fm_current_component *out)
{
    profile_config c;
    fm_node_fill(node, &c);
    if (c.depth.count != c.north.count || c.depth.count != c.east.count)
        return fm_node_fail(node, "depth", b->report, FM_ERR_MODEL,
                            "found %zu depths, %zu north and %zu east: one of each is accepted", c.depth.count,
                            c.north.count, c.east.count);
    double(*velocity)[3] = fm_build_alloc(b, c.depth.count * sizeof *velocity);
    if (!velocity)
        return FM_ERR_MEMORY;
    for (size_t i = 0; i < c.depth.count; i++) {
        velocity[i][0] = c.north.values[i];
        velocity[i][1] = c.east.values[i];
    }
    out->kind = FM_CURRENT_PROFILE;
    out->profile = (fm_current_profile){c.depth.count, c.depth.values, (const double(*)[3])velocity};
    return FM_OK;
}

static fm_status read_tide(fm_builder *b, const fm_node *node, fm_current_component *out)
{
    tide_config c;
    fm_node_fill(node, &c);
    fm_tide_constituent *tide = fm_build_alloc(b, sizeof *tide);
    if (!tide)
        return FM_ERR_MEMORY;
    if (!c.constituent == !fm_node_written(node, "period"))
        return fm_node_fail(node, NULL, b->report, FM_ERR_MODEL, "give either constituent or period");
    double speed = c.constituent ? fm_tide_speed(c.constituent) : 2 * FM_PI / c.period;
    if (speed == 0)
        return fm_node_fail(node, "constituent", b->report, FM_ERR_NAME,
                            "found '%s', accepted M2, S2, N2, K2, K1, O1, P1, Q1, M4, MS4, Mf", c.constituent);
    *tide = (fm_tide_constituent){speed, c.major, c.minor, c.direction, c.phase};
    out->kind = FM_CURRENT_TIDE;
    out->tide = (fm_current_tide){tide, 1};
    return FM_OK;
}

static fm_status read_grid(fm_builder *b, const fm_node *node, fm_current_component *out)
{
    file_config c;
    fm_error error = {0};
    fm_node_fill(node, &c);
    fm_current_grid *grid = fm_build_alloc(b, sizeof *grid);
    if (!grid)
        return FM_ERR_MEMORY;
    fm_status status = fm_current_grid_read_netcdf(grid, c.file, b->model->settings.latitude,
                                                   b->model->settings.longitude, &b->model->arena, &error);
    if (status != FM_OK)
        return fm_node_fail(node, "file", b->report, status, "%s%s%s", error.file, error.file[0] ? ": " : "",
                            error.text);
    out->kind = FM_CURRENT_GRID;
    out->grid = grid;
    return FM_OK;
}

static fm_status read_component(fm_builder *b, const fm_node *node, fm_current_component *out)
{
    if (node->element == &layers_element)
        return read_layers(b, node, out);
    if (node->element == &tide_element)
        return read_tide(b, node, out);
    if (node->element == &grid_element)
        return read_grid(b, node, out);
    if (node->element == &gauss_markov_element) {
        out->kind = FM_CURRENT_GAUSS_MARKOV;
        fm_node_fill(node, &out->gauss_markov);
    } else if (node->element == &vortex_element) {
        vortex_config c;
        fm_node_fill(node, &c);
        out->kind = FM_CURRENT_VORTEX;
        out->vortex = (fm_current_vortex){(fm_vortex_model)c.model,
                                          {c.centre[0], c.centre[1]},
                                          {c.drift[0], c.drift[1]},
                                          c.circulation,
                                          c.core,
                                          c.viscosity};
    } else {
        jet_config c;
        fm_node_fill(node, &c);
        out->kind = FM_CURRENT_JET;
        out->jet = (fm_current_jet){{c.point[0], c.point[1]}, c.direction, c.speed, c.width, c.depth, c.height};
    }
    return FM_OK;
}

static fm_status build_currents(fm_builder *b, const fm_node *world, fm_environment *e)
{
    const fm_node *parent = fm_node_child(world, "current");
    size_t count = 0;
    if (!parent)
        return FM_OK;
    for (const fm_node *node = NULL; (node = fm_node_next(parent, NULL, node));)
        count++;
    fm_current_component *components = fm_build_alloc(b, (count + 1) * sizeof *components);
    if (!components)
        return FM_ERR_MEMORY;
    e->current = (fm_current){components, count};
    for (const fm_node *node = NULL; (node = fm_node_next(parent, NULL, node)); components++) {
        fm_status status = read_component(b, node, components);
        if (status != FM_OK)
            return status;
    }
    fm_error error = {0};
    if (fm_current_check(&e->current, &error) != FM_OK)
        return fm_node_fail(parent, NULL, b->report, error.status, "%s", error.text);
    b->model->field_words = fm_current_state_count(&e->current);
    return FM_OK;
}

fm_status fm_build_environment(fm_builder *b)
{
    const fm_node *world = fm_node_child(b->tree->root, "world");
    fm_environment *e = fm_build_alloc(b, sizeof *e);
    if (!e)
        return FM_ERR_MEMORY;
    const fm_settings *s = &b->model->settings;
    b->model->environment = e;
    e->gravity = s->gravity;
    e->density = s->density;
    e->latitude = s->latitude;
    e->longitude = s->longitude;
    fm_status status = build_water(b, world, e);
    if (status == FM_OK)
        status = build_currents(b, world, e);
    if (status == FM_OK)
        status = fm_build_waves(b, world, e);
    if (status == FM_OK)
        status = fm_build_bottom(b, world, e);
    if (status == FM_OK)
        status = fm_build_obstacles(b, world, e);
    return status == FM_OK ? fm_build_scene(b, e) : status;
}
