/* The sea of a scenario: water column, currents, waves, wind, bottom, obstacles. */
#include "scenario/build_environment.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "scenario/build.h"
#include "world/stream.h"

/* --- water --- */

typedef struct segments_config {
    double surface, z1, z2, slope1, slope2;
} segments_config;
typedef struct spot_config {
    double amplitude, centre[3], sigma[3];
} spot_config;
#define SEGMENTS(its_unit, its_slope, low, high, v0, v1, v2)                                                           \
    FM_REAL_ATTR(segments_config, surface, "surface", its_unit, low, high, v0, FM_ATTR_LIVE,                           \
                 "value from the surface down to z1"),                                                                 \
        FM_REAL_ATTR(segments_config, z1, "z1", "m", 0, 12000, "20 m", FM_ATTR_LIVE,                                   \
                     "depth where the first slope begins"),                                                            \
        FM_REAL_ATTR(segments_config, z2, "z2", "m", 0, 12000, "120 m", FM_ATTR_LIVE,                                  \
                     "depth where the second slope begins"),                                                           \
        FM_REAL_ATTR(segments_config, slope1, "slope1", its_slope, 0, 0, v1, FM_ATTR_LIVE,                             \
                     "change per metre from z1 to z2"),                                                                \
        FM_REAL_ATTR(segments_config, slope2, "slope2", its_slope, 0, 0, v2, FM_ATTR_LIVE,                             \
                     "change per metre below z2")
#define SPOT(its_unit)                                                                                                 \
    FM_REAL_ATTR(spot_config, amplitude, "amplitude", its_unit, 0, 0, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,           \
                 "change at the centre"),                                                                              \
        FM_VECTOR_ATTR(spot_config, centre, 3, "centre", "m", 0, 0, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,             \
                       "north, east, depth"),                                                                          \
        FM_VECTOR_ATTR(spot_config, sigma, 3, "sigma", "m", 1e-3, 1e7, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,          \
                       "standard deviations of the Gaussian")

static const fm_attr warm_spot_attrs[] = {
    SPOT("K"),
};
static const fm_element warm_spot =
    FM_TABLE_ELEMENT(spot_config, "spot", warm_spot_attrs, NULL, 0, "A Gaussian warm (or cold) spot.");
static const fm_attr salt_spot_attrs[] = {
    SPOT(""),
};
static const fm_element salt_spot =
    FM_TABLE_ELEMENT(spot_config, "spot", salt_spot_attrs, NULL, 0, "A Gaussian spot of salt (or fresh) water.");
static const fm_attr conductive_spot_attrs[] = {
    SPOT("S/m"),
};
static const fm_element conductive_spot =
    FM_TABLE_ELEMENT(spot_config, "spot", conductive_spot_attrs, NULL, 0, "A Gaussian spot.");
static const fm_element *const warm_children[] = {&warm_spot, NULL}, *const salt_children[] = {&salt_spot, NULL},
                               *const conductive_children[] = {&conductive_spot, NULL};
static const fm_attr temperature_attrs[] = {
    SEGMENTS("degC", "K/m", -3, 50, "18 degC", "-0.06 K/m", "-0.002 K/m"),
};
static const fm_element temperature_element =
    FM_TABLE_ELEMENT(segments_config, "temperature", temperature_attrs, warm_children, FM_ELEMENT_ONCE,
                     "Temperature profile in three segments, with spots.");
static const fm_attr salinity_attrs[] = {
    SEGMENTS("", "1/m", 0, 45, "35", "0 1/m", "0 1/m"),
};
static const fm_element salinity_element =
    FM_TABLE_ELEMENT(segments_config, "salinity", salinity_attrs, salt_children, FM_ELEMENT_ONCE,
                     "Salinity profile (PSS-78) in three segments, with spots.");
static const fm_attr conductivity_attrs[] = {
    SEGMENTS("S/m", "S/m2", 0, 10, "4.62 S/m", "0.0004 S/m2", "0.0004 S/m2"),
};
static const fm_element conductivity_element = FM_TABLE_ELEMENT(
    segments_config, "conductivity", conductivity_attrs, conductive_children, FM_ELEMENT_ONCE,
    "Conductivity printed in three segments with spots, as WaVeSim has it; salinity then follows from it. "
    "Without this element conductivity follows from salinity.");

typedef struct pressure_config {
    double p0, p1, p2;
} pressure_config;
static const fm_attr pressure_attrs[] = {
    FM_REAL_ATTR(pressure_config, p0, "p0", "Pa", 0, 1e6, "101325 Pa", FM_ATTR_LIVE, "at the surface"),
    FM_REAL_ATTR(pressure_config, p1, "p1", "Pa/m", 1, 1e5, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "per metre; it does not follow gravity"),
    FM_REAL_ATTR(pressure_config, p2, "p2", "Pa/m2", 0, 1, "0 Pa/m2", FM_ATTR_LIVE, "per metre squared"),
};
static const fm_element pressure_element =
    FM_TABLE_ELEMENT(pressure_config, "pressure", pressure_attrs, NULL, FM_ELEMENT_ONCE,
                     "Pressure P0 + P1 z + P2 z2. Without this element it is fitted to the latitude.");

typedef struct file_config {
    const char *file;
} file_config;
static const fm_attr file_attrs[] = {
    FM_FILE_ATTR(file_config, file, "file", NULL, FM_ATTR_REQUIRED, "CSV (depth, temperature, salinity) or NetCDF"),
};
static const fm_element profile_element = FM_TABLE_ELEMENT(file_config, "profile", file_attrs, NULL, FM_ELEMENT_ONCE,
                                                           "Measured profile of temperature and salinity over depth.");

static const char *const sound_names[] = {"automatic", "del-grosso", "chen-millero", "mackenzie", "constant", NULL};
typedef struct sound_config {
    int64_t formula;
    double speed;
} sound_config;
static const fm_attr sound_attrs[] = {
    FM_CHOICE_ATTR(sound_config, formula, sound_names, "formula", "automatic", FM_ATTR_LIVE, "of the speed of sound"),
    FM_REAL_ATTR(sound_config, speed, "speed", "m/s", 100, 3000, "1500 m/s", FM_ATTR_LIVE, "of formula constant"),
};
static const fm_element sound_element =
    FM_TABLE_ELEMENT(sound_config, "sound", sound_attrs, NULL, FM_ELEMENT_ONCE, "Speed of sound.");

typedef struct water_config {
    double density;
    int64_t stratified, surface;
    double attenuation;
} water_config;
static const char *const surface_names[] = {"open", "none", NULL};
static const fm_attr water_attrs[] = {
    FM_REAL_ATTR(water_config, density, "density", "kg/m3", 1, 2000, "1025 kg/m3", FM_ATTR_LIVE,
                 "nominal density; dimensionless coefficients are scaled with it. A change in a run changes the "
                 "buoyancy; coefficients stay as they were scaled at load"),
    FM_BOOL_ATTR(
        water_config, stratified, "stratified", "false", 0,
        "buoyancy follows the density of the place (temperature, salinity, pressure) instead of the nominal one"),
    FM_CHOICE_ATTR(
        water_config, surface, surface_names, "surface", "open", 0,
        "open: forces of the water fade as a hull leaves it; none: hulls are wholly submerged at every depth, "
        "as in papers that know no surface"),
    FM_REAL_ATTR(
        water_config, attenuation, "attenuation", "1/m", 0, 20, "0.045 1/m", 0,
        "of green light, for what people see on the page: 0.045 is clear, 1 is a harbour; red goes 2.4 times as "
        "fast, blue 0.8 times. Cameras have their own"),
};
static const fm_element *const water_children[] = {&temperature_element,
                                                   &salinity_element,
                                                   &conductivity_element,
                                                   &pressure_element,
                                                   &profile_element,
                                                   &sound_element,
                                                   NULL};
const fm_element fm_water_element =
    FM_TABLE_ELEMENT(water_config, "water", water_attrs, water_children, FM_ELEMENT_ONCE, "The water column.");

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
    e->attenuation = 0.045;
    if (!water)
        return FM_OK;
    water_config c;
    fm_node_fill(water, &c);
    e->stratified = (int)c.stratified;
    e->attenuation = c.attenuation;
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
        status = fm_node_fail(water, NULL, b->report, error.status, "%s", error.text);
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
static const fm_attr layers_attrs[] = {
    FM_LIST_ATTR(profile_config, depth, 1000, "depth", "m", 0, 12000, FM_ATTR_REQUIRED, "depths, increasing"),
    FM_LIST_ATTR(profile_config, north, 1000, "north", "m/s", -20, 20, FM_ATTR_REQUIRED,
                 "velocity to the north at each depth"),
    FM_LIST_ATTR(profile_config, east, 1000, "east", "m/s", -20, 20, FM_ATTR_REQUIRED,
                 "velocity to the east at each depth"),
};
static const fm_element layers_element = FM_TABLE_ELEMENT(profile_config, "layers", layers_attrs, NULL, 0,
                                                          "Current over depth, linear between the depths given.");
static const fm_attr gauss_markov_attrs[] = {
    FM_VECTOR_ATTR(fm_current_gauss_markov, deviation, 3, "deviation", "m/s", 0, 10, NULL, FM_ATTR_REQUIRED,
                   "standard deviation north, east, down"),
    FM_REAL_ATTR(fm_current_gauss_markov, time, "time", "s", 1e-3, 1e7, NULL, FM_ATTR_REQUIRED, "correlation time"),
};
static const fm_element gauss_markov_element =
    FM_TABLE_ELEMENT(fm_current_gauss_markov, "gauss-markov", gauss_markov_attrs, NULL, 0, "A random current.");
static const fm_attr tide_attrs[] = {
    FM_NAME_ATTR(tide_config, constituent, "constituent", NULL, 0, "M2, S2, K1 … (this or period)"),
    FM_REAL_ATTR(tide_config, period, "period", "s", 1, 1e8, NULL, 0, "of the tide, instead of its name"),
    FM_REAL_ATTR(tide_config, major, "major", "m/s", 0, 20, NULL, FM_ATTR_REQUIRED,
                 "major semi-axis of the tidal ellipse"),
    FM_REAL_ATTR(tide_config, minor, "minor", "m/s", -20, 20, "0 m/s", 0,
                 "minor semi-axis; its sign is the sense of rotation"),
    FM_REAL_ATTR(tide_config, direction, "direction", "rad", -7, 7, "0 deg", 0, "of the major axis from north"),
    FM_REAL_ATTR(tide_config, phase, "phase", "rad", -7, 7, "0 deg", 0, "when the major component peaks"),
};
static const fm_element tide_element =
    FM_TABLE_ELEMENT(tide_config, "tide", tide_attrs, NULL, 0, "One constituent of the tide.");
static const char *const vortex_names[] = {"lamb-oseen", "rankine", NULL};
static const fm_attr vortex_attrs[] = {
    FM_CHOICE_ATTR(vortex_config, model, vortex_names, "model", "lamb-oseen", 0, "of the core"),
    FM_VECTOR_ATTR(vortex_config, centre, 3, "centre", "m", 0, 0, NULL, FM_ATTR_REQUIRED,
                   "north, east (depth is ignored: the vortex stands upright)"),
    FM_VECTOR_ATTR(vortex_config, drift, 3, "drift", "m/s", -20, 20, "0 0 0 m/s", 0, "of the centre"),
    FM_REAL_ATTR(vortex_config, circulation, "circulation", "m2/s", 0, 0, NULL, FM_ATTR_REQUIRED,
                 "positive turns clockwise seen from above"),
    FM_REAL_ATTR(vortex_config, core, "core", "m", 1e-3, 1e6, NULL, FM_ATTR_REQUIRED, "core radius"),
    FM_REAL_ATTR(vortex_config, viscosity, "viscosity", "m2/s", 0, 1e3, "0 m2/s", 0, "that lets the core grow"),
};
static const fm_element vortex_element =
    FM_TABLE_ELEMENT(vortex_config, "vortex", vortex_attrs, NULL, 0, "An upright vortex.");
static const fm_attr jet_attrs[] = {
    FM_VECTOR_ATTR(jet_config, point, 3, "point", "m", 0, 0, NULL, FM_ATTR_REQUIRED, "a point of the axis"),
    FM_REAL_ATTR(jet_config, direction, "direction", "rad", -7, 7, NULL, FM_ATTR_REQUIRED, "from north"),
    FM_REAL_ATTR(jet_config, speed, "speed", "m/s", -20, 20, NULL, FM_ATTR_REQUIRED, "on the axis"),
    FM_REAL_ATTR(jet_config, width, "width", "m", 1e-3, 1e6, NULL, FM_ATTR_REQUIRED, "scale across"),
    FM_REAL_ATTR(jet_config, depth, "depth", "m", 0, 12000, "0 m", 0, "of the core"),
    FM_REAL_ATTR(jet_config, height, "height", "m", 0, 12000, "0 m", 0, "scale over depth; 0: the same at all depths"),
};
static const fm_element jet_element = FM_TABLE_ELEMENT(jet_config, "jet", jet_attrs, NULL, 0, "A Bickley jet.");
typedef struct street_config {
    const char *behind;
    double stream[3], strouhal, ratio, drift, formation, length, core, phase;
} street_config;
static const fm_attr street_attrs[] = {
    FM_NAME_ATTR(street_config, behind, "behind", NULL, FM_ATTR_REQUIRED, "the column that sheds the vortices"),
    FM_VECTOR_ATTR(street_config, stream, 3, "stream", "m/s", -20, 20, NULL, 0,
                   "velocity of the water that meets it: north, east; default: that of <current>"),
    FM_REAL_ATTR(street_config, strouhal, "strouhal", "", 0.05, 1, "0.2", 0,
                 "Strouhal number: frequency times diameter over speed"),
    FM_REAL_ATTR(street_config, ratio, "ratio", "", 0.05, 2, "0.281", 0,
                 "distance of the rows over the spacing in a row; 0.281 is Karman's"),
    FM_REAL_ATTR(street_config, drift, "drift", "", 0.1, 0.99, "0.86", 0,
                 "speed of the vortices over that of the stream"),
    FM_REAL_ATTR(street_config, formation, "formation", "m", 0, 1e4, NULL, 0,
                 "behind the column's axis, where vortices are born; default: its diameter"),
    FM_REAL_ATTR(street_config, length, "length", "m", 0, 1e5, NULL, 0,
                 "behind the axis, where the wake ends; default: 60 diameters"),
    FM_REAL_ATTR(street_config, core, "core", "m", 1e-3, 1e4, NULL, 0,
                 "radius of a vortex's core; default: a third of the diameter"),
    FM_REAL_ATTR(street_config, phase, "phase", "", 0, 1, "0", 0, "of the shedding at the start, in periods"),
};
static const fm_element street_element =
    FM_TABLE_ELEMENT(street_config, "vortex-street", street_attrs, NULL, 0,
                     "The wake of a column in the current: a street of vortices that it sheds in turn to either side.");
static const fm_attr grid_attrs[] = {
    FM_FILE_ATTR(file_config, file, "file", NULL, FM_ATTR_REQUIRED,
                 "NetCDF: u and v over latitude/longitude or x/y, with or without depth and time"),
};
static const fm_element grid_element =
    FM_TABLE_ELEMENT(file_config, "grid", grid_attrs, NULL, 0, "Currents gridded in space and time.");

const fm_attr fm_current_attrs[1] = {
    FM_VECTOR_ATTR(current_config, velocity, 3, "velocity", "m/s", -20, 20, "0 0 0 m/s", FM_ATTR_LIVE,
                   "of the water over ground: north, east, down"),
};
static const fm_element *const current_children[] = {
    &layers_element, &gauss_markov_element, &tide_element, &vortex_element,
    &street_element, &jet_element,          &grid_element, NULL};
const fm_element fm_current_element =
    FM_TABLE_ELEMENT(current_config, "current", fm_current_attrs, current_children, FM_ELEMENT_ONCE,
                     "Currents: a uniform one and any number of others, added.");

static fm_status read_layers(fm_builder *b, const fm_node *node, fm_current_component *out)
{
    profile_config c;
    fm_node_fill(node, &c);
    if (c.depth.count != c.north.count || c.depth.count != c.east.count)
        return fm_node_fail(node, "depth", b->report, FM_ERR_MODEL,
                            "%zu depths, %zu north and %zu east: must be one of each", c.depth.count, c.north.count,
                            c.east.count);
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
                            "'%s' is invalid: must be M2, S2, N2, K2, K1, O1, P1, Q1, M4, MS4, Mf", c.constituent);
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

static const fm_node *find_column(const fm_node *world, const char *name)
{
    for (const fm_node *node = NULL; (node = fm_node_next(world, "column", node));)
        if (fm_node_name(node) && fm_text_name_equal(fm_node_name(node), name))
            return node;
    return NULL;
}

static int is_written(const fm_node *node, const char *attr)
{
    return fm_node_value(node, attr)->source != FM_VALUE_UNSET;
}

static fm_status read_street(fm_builder *b, const fm_node *node, fm_current_component *out)
{
    street_config c;
    fm_node_fill(node, &c);
    const fm_node *column = find_column(node->parent->parent, c.behind);
    if (!column)
        return fm_node_fail(node, "behind", b->report, FM_ERR_NAME, "no <column> of the name '%s'", c.behind);
    if (fm_node_child(column, "track"))
        return fm_node_fail(node, "behind", b->report, FM_ERR_MODEL,
                            "'%s' moves on a track; a street needs a column at rest", c.behind);
    const double *position = fm_node_value(column, "position")->numbers,
                 *stream = is_written(node, "stream") ? c.stream : fm_node_value(node->parent, "velocity")->numbers;
    double diameter = 2 * fm_node_value(column, "radius")->numbers[0];
    if (!(fabs(stream[0]) + fabs(stream[1]) > 0))
        return fm_node_fail(node, "stream", b->report, FM_ERR_RANGE,
                            "the water stands still; a street needs a stream, here or as the velocity of <current>");
    out->kind = FM_CURRENT_STREET;
    out->street = (fm_vortex_street){.point = {position[0], position[1]},
                                     .diameter = diameter,
                                     .stream = {stream[0], stream[1]},
                                     .strouhal = c.strouhal,
                                     .ratio = c.ratio,
                                     .drift = c.drift,
                                     .formation = is_written(node, "formation") ? c.formation : diameter,
                                     .length = is_written(node, "length") ? c.length : 60 * diameter,
                                     .core = is_written(node, "core") ? c.core : diameter / 3,
                                     .phase = c.phase};
    return FM_OK;
}

static fm_status read_component(fm_builder *b, const fm_node *node, fm_current_component *out)
{
    if (node->element == &street_element)
        return read_street(b, node, out);
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
        out->vortex = (fm_current_vortex){
            (int32_t)c.model, {c.centre[0], c.centre[1]}, {c.drift[0], c.drift[1]}, c.circulation, c.core, c.viscosity};
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
    for (const fm_node *node = NULL; parent && (node = fm_node_next(parent, NULL, node));)
        count++;
    fm_current_component *components = fm_build_alloc(b, (count + 1) * sizeof *components);
    if (!components)
        return FM_ERR_MEMORY;
    e->current = (fm_current){components, count};
    for (const fm_node *node = NULL; parent && (node = fm_node_next(parent, NULL, node)); components++) {
        fm_status status = read_component(b, node, components);
        if (status != FM_OK)
            return status;
    }
    fm_error error = {0};
    if (fm_current_check(&e->current, &error) != FM_OK)
        return fm_node_fail(parent, NULL, b->report, error.status, "%s", error.text);
    size_t words = fm_current_state_count(&e->current);
    return fm_build_subsystem(b, &fm_currents_subsystem, &e->current, words);
}

/* --- all of it --- */

/* Clears a piece that was refused, so that the rest can be built and its errors reported too. */
static void clear_water(fm_environment *e)
{
    e->column = fm_water_column_default();
}

static void clear_currents(fm_environment *e)
{
    e->current = (fm_current){0};
}

static void clear_waves(fm_environment *e)
{
    e->sea = (fm_sea){0};
    e->drawn_count = 0;
}

static void clear_bottom(fm_environment *e)
{
    fm_environment_free(e);
    e->bottom = NULL;
    e->floor_scene = NULL;
}

static void clear_obstacles(fm_environment *e)
{
    e->obstacle_count = 0;
}

static const struct {
    fm_status (*build)(fm_builder *b, const fm_node *world, fm_environment *e);
    void (*clear)(fm_environment *e);
} pieces[] = {{build_water, clear_water},
              {build_currents, clear_currents},
              {fm_build_waves, clear_waves},
              {fm_build_bottom, clear_bottom},
              {fm_build_obstacles, clear_obstacles}};

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
    e->has_origin = fm_node_written(world, "latitude") && fm_node_written(world, "longitude");
    fm_status first = FM_OK;
    for (size_t i = 0; i < FM_COUNT(pieces); i++) {
        fm_status status = pieces[i].build(b, world, e);
        first = first ? first : status;
        if (status == FM_ERR_MEMORY)
            return status;
        if (status != FM_OK)
            pieces[i].clear(e);
    }
    fm_status scene = fm_build_scene(b, e);
    return first ? first : scene;
}
