/* Builds the 6-DOF body from its elements: mass, added mass, coefficients, strips. */
#include <math.h>
#include <string.h>

#include "environment/environment.h"
#include "kinds/body.h"
#include "kinds/body_elements.h"
#include "physics/spheroid.h"
#include "world/actuator_config.h"
#include "world/model.h"

/* --- mass properties --- */

static void add_inertia_of_point(double inertia[9], double mass, const double r[3])
{
    double rr = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            inertia[3 * i + k] += mass * ((i == k ? rr : 0) - r[i] * r[k]);
}

static double gravity_of(const fm_part_load *load)
{
    return fm_load_environment(load)->gravity;
}

static double density_of(const fm_part_load *load)
{
    return fm_load_environment(load)->density;
}

/* Principal moments of any body satisfy I1 + I2 >= I3: (trace/2) E - I has no negative eigenvalue. Tables are rounded:
 * two per cent are tolerated. */
static int is_inertia_possible(const double I[9])
{
    double half = 0.51 * (I[0] + I[4] + I[8]), a = half - I[0], b = half - I[4], c = half - I[8];
    double minor = a * b - I[1] * I[1];
    return a >= 0 && b >= 0 && c >= 0 && minor >= 0 &&
           a * (b * c - I[5] * I[5]) + I[1] * (-I[1] * c - I[5] * I[2]) - I[2] * (I[1] * I[5] + b * I[2]) >= 0;
}

static fm_status mass_from_element(fm_part_load *load, fm_mass_properties *p, fm_error *error)
{
    fm_mass_config c = {0};
    fm_status status = fm_load_child(load, "mass", 0, &c, error);
    int by_mass = fm_load_child_has(load, "mass", 0, "mass");
    if (status == FM_OK && by_mass == fm_load_child_has(load, "mass", 0, "weight"))
        status = fm_load_fail_at(load, "mass", 0, NULL, error, FM_ERR_MODEL, "give either mass or weight");
    if (status != FM_OK)
        return status;
    p->mass = by_mass ? c.mass : c.weight / gravity_of(load);
    memcpy(p->centre, c.centre, sizeof p->centre);
    double inertia[9] = {c.inertia[0],   -c.products[0], -c.products[1], -c.products[0], c.inertia[1],
                         -c.products[2], -c.products[1], -c.products[2], c.inertia[2]};
    memcpy(p->inertia, inertia, sizeof inertia);
    if (!is_inertia_possible(p->inertia))
        return fm_load_fail_at(
            load, "mass", 0, "inertia", error, FM_ERR_MODEL,
            "%g %g %g kg*m2 is impossible: each principal moment is at most the sum of the other two", c.inertia[0],
            c.inertia[1], c.inertia[2]);
    if (c.about == 1)
        add_inertia_of_point(p->inertia, p->mass, p->centre);
    return FM_OK;
}

/* The mass of the i-th component. Flooded water has mass and inertia, but its weight is carried by the water: it is
 * added to *flooded, so that the caller can leave it out of the weight. */
static fm_status component_mass(fm_part_load *load, size_t i, fm_component_config *c, double *mass, double *flooded,
                                fm_error *error)
{
    fm_status status = fm_load_child(load, "component", i, c, error);
    int by_mass = fm_load_child_has(load, "component", i, "mass"),
        by_volume = fm_load_child_has(load, "component", i, "flooded");
    if (status != FM_OK)
        return status;
    if (by_mass + by_volume + fm_load_child_has(load, "component", i, "weight") != 1)
        return fm_load_fail_at(load, "component", i, NULL, error, FM_ERR_MODEL, "give one of mass, weight and flooded");
    *mass = by_mass ? c->mass : c->weight / gravity_of(load);
    if (by_volume) {
        *mass = c->volume * density_of(load);
        *flooded += *mass;
    }
    return FM_OK;
}

/* Sums components (6.55)–(6.60). */
static fm_status mass_from_components(fm_part_load *load, fm_mass_properties *p, double *flooded, fm_error *error)
{
    double moment[3] = {0}, mass = 0;
    for (size_t n = 0; n < fm_load_child_count(load, "component"); n++) {
        fm_component_config c = {0};
        fm_status status = component_mass(load, n, &c, &mass, flooded, error);
        if (status != FM_OK)
            return status;
        p->mass += mass;
        add_inertia_of_point(p->inertia, mass, c.centre);
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            moment[i] += mass * c.centre[i];
            p->inertia[4 * i] += mass * (c.size[j] * c.size[j] + c.size[k] * c.size[k]) / 12;
        }
    }
    for (int i = 0; i < 3; i++)
        p->centre[i] = moment[i] / p->mass;
    return FM_OK;
}

/* --- added mass, by column; positive --- */

static void added_from_coefficients(const fm_added_mass_config *c, double density, double added[36])
{
    for (int row = 0; row < 6; row++)
        for (int col = 0; col < 6; col++)
            added[6 * col + row] -= 0.5 * density * fm_pow(c->length, 3 + (row >= 3) + (col >= 3)) * c->c[row][col];
}

static fm_status full_block(fm_part_load *load, const char *attr, fm_list list, double out[9], fm_error *error)
{
    if (!fm_load_child_has(load, "added-mass-matrix", 0, attr))
        return FM_OK;
    if (list.count != 9)
        return fm_load_fail_at(load, "added-mass-matrix", 0, attr, error, FM_ERR_RANGE,
                               "%zu numbers given: must be 9 (3x3 by row)", list.count);
    memcpy(out, list.values, 9 * sizeof *out);
    return FM_OK;
}

static fm_status added_from_matrix(fm_part_load *load, double added[36], fm_error *error)
{
    fm_added_matrix_config c = {0};
    fm_status status = fm_load_child(load, "added-mass-matrix", 0, &c, error);
    double linear[9] = {c.linear[0], 0, 0, 0, c.linear[1], 0, 0, 0, c.linear[2]};
    double angular[9] = {c.angular[0], 0, 0, 0, c.angular[1], 0, 0, 0, c.angular[2]};
    double coupled[9] = {0};
    if (status == FM_OK)
        status = full_block(load, "linear-full", c.linear_full, linear, error);
    if (status == FM_OK)
        status = full_block(load, "coupled", c.coupled, coupled, error);
    if (status == FM_OK)
        status = full_block(load, "angular-full", c.angular_full, angular, error);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            added[6 * k + i] += linear[3 * i + k];
            added[6 * (3 + k) + 3 + i] += angular[3 * i + k];
            added[6 * (3 + k) + i] += coupled[3 * i + k];
            added[6 * i + 3 + k] += coupled[3 * i + k];
        }
    return status;
}

static fm_status build_added_mass(fm_part_load *load, fm_type *type, fm_error *error)
{
    fm_status status = FM_OK;
    double density = density_of(load);
    if (fm_load_has_child(load, "added-mass")) {
        fm_added_mass_config c = {0};
        status = fm_load_child(load, "added-mass", 0, &c, error);
        added_from_coefficients(&c, density, type->weights.added_mass);
    }
    if (status == FM_OK && fm_load_has_child(load, "spheroid")) {
        fm_spheroid_config c = {0};
        status = fm_load_child(load, "spheroid", 0, &c, error);
        fm_spheroid s = fm_spheroid_added_mass(c.diameter / 2, c.length / 2, density);
        const double diagonal[6] = {s.m11, s.m22, s.m22, 0, s.m55, s.m55};
        for (int i = 0; i < 6; i++)
            type->weights.added_mass[7 * i] += diagonal[i];
    }
    if (status == FM_OK && fm_load_has_child(load, "added-mass-matrix"))
        status = added_from_matrix(load, type->weights.added_mass, error);
    return status;
}

/* --- weight and buoyancy --- */

static fm_status build_buoyancy(fm_part_load *load, fm_type *type, fm_error *error)
{
    type->mass.buoyancy = type->mass.weight;
    if (!fm_load_has_child(load, "buoyancy"))
        return FM_OK;
    fm_buoyancy_config c = {0};
    fm_status status = fm_load_child(load, "buoyancy", 0, &c, error);
    int by_force = fm_load_child_has(load, "buoyancy", 0, "force"),
        by_volume = fm_load_child_has(load, "buoyancy", 0, "volume");
    if (status == FM_OK && by_force && by_volume)
        status = fm_load_fail_at(load, "buoyancy", 0, NULL, error, FM_ERR_MODEL, "give force or volume, not both");
    if (by_force)
        type->mass.buoyancy = c.force;
    if (by_volume)
        type->mass.buoyancy = c.volume * density_of(load) * gravity_of(load);
    memcpy(type->mass.buoyancy_centre, c.centre, sizeof c.centre);
    type->mass.compression = c.compression;
    type->mass.expansion = c.expansion;
    type->mass.warmth = c.warmth;
    return status;
}

static fm_status build_mass(fm_part_load *load, fm_type *type, fm_error *error)
{
    int whole = fm_load_has_child(load, "mass");
    double flooded = 0;
    if (whole == fm_load_has_child(load, "component"))
        return fm_load_fail_at(load, NULL, 0, NULL, error, FM_ERR_MODEL,
                               "a vehicle of kind body needs either <mass> or <component>s");
    fm_status status = whole ? mass_from_element(load, &type->weights.properties, error)
                             : mass_from_components(load, &type->weights.properties, &flooded, error);
    if (status == FM_OK)
        status = build_added_mass(load, type, error);
    if (status != FM_OK)
        return status;
    type->weights.gravity = gravity_of(load);
    fm_error found = {0};
    status =
        fm_mass_derive(&type->weights.properties, type->weights.added_mass, type->full_coriolis, &type->mass, &found);
    if (status != FM_OK)
        return fm_load_fail_at(load, whole ? "mass" : "component", 0, NULL, error, status, "%s", found.text);
    type->mass.weight = (type->weights.properties.mass - flooded) * gravity_of(load);
    type->body.hull.flooded = flooded * gravity_of(load);
    return build_buoyancy(load, type, error);
}

/* --- strips --- */

/* Height or breadth at x, linear between stations. */
static double at_station(const fm_cross_flow_config *c, const fm_list *table, double x)
{
    size_t i = 1;
    while (i < c->x.count - 1 && x > c->x.values[i])
        i++;
    double x0 = c->x.values[i - 1], x1 = c->x.values[i];
    double t = (x - x0) / (x1 - x0);
    return table->values[i - 1] + t * (table->values[i] - table->values[i - 1]);
}

static fm_status check_stations(fm_part_load *load, const fm_cross_flow_config *c, fm_error *error)
{
    if (c->x.count < 2)
        return fm_load_fail_at(load, "cross-flow", 0, "x", error, FM_ERR_RANGE, "%zu stations given: must be 2 to 256",
                               c->x.count);
    if (c->height.count != c->x.count || c->breadth.count != c->x.count)
        return fm_load_fail_at(load, "cross-flow", 0, "height", error, FM_ERR_MODEL,
                               "%zu heights and %zu breadths for %zu stations: must be one of each per station",
                               c->height.count, c->breadth.count, c->x.count);
    for (size_t i = 1; i < c->x.count; i++)
        if (!(c->x.values[i] > c->x.values[i - 1]))
            return fm_load_fail_at(load, "cross-flow", 0, "x", error, FM_ERR_MODEL,
                                   "station %zu is not ahead of station %zu: must go from tail to nose", i + 1, i);
    return FM_OK;
}

typedef struct strips {
    fm_par *x, *h, *b;
    size_t count;
} strips;

static void add_strip(strips *s, const fm_cross_flow_config *c, double density, double x, double width)
{
    s->x[s->count] = x;
    s->h[s->count] = 0.5 * density * c->cdy * at_station(c, &c->height, x) * width;
    s->b[s->count++] = 0.5 * density * c->cdz * at_station(c, &c->breadth, x) * width;
}

static void place_strips(strips *s, const fm_cross_flow_config *c, double density)
{
    size_t intervals = c->rule == FM_STRIPS_EQUAL ? 1 : c->x.count - 1;
    for (size_t i = 0; i < intervals; i++) {
        double from = c->x.values[i],
               to = c->rule == FM_STRIPS_EQUAL ? c->x.values[c->x.count - 1] : c->x.values[i + 1];
        double middle = (from + to) / 2, width = to - from;
        if (c->rule == FM_STRIPS_GAUSS) {
            add_strip(s, c, density, middle - width / 2 / sqrt(3), width / 2);
            add_strip(s, c, density, middle + width / 2 / sqrt(3), width / 2);
        } else {
            for (int64_t k = 0; k < c->count; k++)
                add_strip(s, c, density, from + width * ((double)k + 0.5) / (double)c->count, width / (double)c->count);
        }
    }
}

static fm_status build_strips(fm_part_load *load, fm_hydro *hydro, fm_error *error)
{
    fm_cross_flow_config c = {0};
    fm_status status = fm_load_child(load, "cross-flow", 0, &c, error);
    if (status == FM_OK)
        status = check_stations(load, &c, error);
    if (status != FM_OK)
        return status;
    size_t most = c.rule == FM_STRIPS_GAUSS   ? 2 * (c.x.count - 1)
                  : c.rule == FM_STRIPS_EQUAL ? (size_t)c.count
                                              : (size_t)c.count * (c.x.count - 1);
    size_t padded = (most + 1) / 2 * 2;
    strips s = {0};
    s.x = fm_load_alloc(load, padded * sizeof *s.x);
    s.h = fm_load_alloc(load, padded * sizeof *s.h);
    s.b = fm_load_alloc(load, padded * sizeof *s.b);
    if (!s.x || !s.h || !s.b)
        return FM_ERR_MEMORY;
    place_strips(&s, &c, density_of(load));
    hydro->strip_count = (int32_t)padded;
    hydro->strip_x = s.x;
    hydro->strip_h = s.h;
    hydro->strip_b = s.b;
    return FM_OK;
}

/* --- coefficients --- */

static bool has_numbers(const fm_fin_coefficients *c)
{
    const double all[] = {c->along[0], c->along[1], c->along[2], c->along[3], c->along[4], c->along[5],
                          c->squared,  c->uq,       c->ur,       c->uv,       c->uw};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] != 0)
            return true;
    return false;
}

/* The coefficients of a fin are complete: its position and lift have no effect. */
static fm_status check_fin_position(fm_part_load *load, size_t i, const fm_actuator_config *c, fm_error *error)
{
    const double *at = c->position, *to = c->direction;
    const char *idle = c->area != 0                               ? "area"
                       : c->lift_slope != 0                       ? "lift-slope"
                       : c->aspect != 0                           ? "aspect-ratio"
                       : c->behind                                ? "behind"
                       : at[0] != 0 || at[1] != 0 || at[2] != 0   ? "position"
                       : to[0] != 0 || to[1] != 0 || to[2] != 1.0 ? "direction"
                                                                  : NULL;
    return !idle ? FM_OK
                 : fm_load_fail_at(load, "fin", i, idle, error, FM_ERR_MODEL,
                                   "has no effect on a fin that is given by coefficients: must be either those or area "
                                   "and aspect-ratio or lift-slope, with position and direction");
}

static fm_status add_fin(fm_part_load *load, size_t i, fm_term_list *terms, fm_foil *foils, size_t *foil_count,
                         fm_error *error)
{
    double density = density_of(load);
    fm_actuator_config c = {0};
    fm_status status = fm_load_child(load, "fin", i, &c, error);
    if (status != FM_OK)
        return status;
    if (i >= FM_FINS)
        return fm_load_fail_at(load, "fin", i, NULL, error, FM_ERR_RANGE, "more than %d fins given: must be at most %d",
                               FM_FINS, FM_FINS);
    int by_lift = c.area > 0 && (c.lift_slope > 0 || c.aspect > 0), by_number = 0;
    for (int row = 0; row < 6; row++)
        by_number |= c.dimensional.along[row] != 0;
    if (by_lift + by_number + (c.length > 0) != 1 || (c.length <= 0 && has_numbers(&c.fin)))
        return fm_load_fail_at(load, "fin", i, NULL, error, FM_ERR_MODEL,
                               "give one of: X … N with length; Y_uudr, Z_uuds, K_uudr, M_uuds, N_uudr; area and "
                               "aspect-ratio or lift-slope");
    if (!by_lift && (status = check_fin_position(load, i, &c, error)) != FM_OK)
        return status;
    if (by_number)
        return fm_terms_from_fin(terms, &c.dimensional, (int)i + 1, 0, 1) ? FM_OK : FM_ERR_MEMORY;
    if (by_lift && !c.ahead)
        return fm_body_build_foil(load, i, &c, density, &foils[(*foil_count)++], error);
    if (by_lift && !(c.lift_slope > 0))
        return fm_load_fail_at(load, "fin", i, "inflow", error, FM_ERR_MODEL, "ahead needs a lift-slope");
    if (by_lift) {
        double lift = 0.5 * density * c.area * c.lift_slope;
        double f[3] = {lift * c.direction[0], lift * c.direction[1], lift * c.direction[2]};
        memcpy(c.fin.along, f, sizeof f);
        fm_cross(c.position, f, c.fin.along + 3);
    }
    return fm_terms_from_fin(terms, &c.fin, (int)i + 1, by_lift ? 0 : density, c.length) ? FM_OK : FM_ERR_MEMORY;
}

/* Terms of <hydrodynamics> (dimensionless, by `density`) or <drag> (density 0). */
static fm_status add_coefficients(fm_part_load *load, const char *element, double density, fm_term_list *terms,
                                  fm_error *error)
{
    if (!fm_load_has_child(load, element))
        return FM_OK;
    fm_coefficients *c = fm_load_alloc(load, sizeof *c);
    fm_status status = c ? fm_load_child(load, element, 0, c, error) : FM_ERR_MEMORY;
    if (status == FM_OK && !fm_terms_from_coefficients(terms, c, density))
        status = FM_ERR_MEMORY;
    return status;
}

static fm_status build_hydrodynamics(fm_part_load *load, fm_type *type, fm_error *error)
{
    fm_term_list terms = {.load = load};
    fm_status status = add_coefficients(load, "hydrodynamics", density_of(load), &terms, error);
    if (status == FM_OK)
        status = add_coefficients(load, "drag", 0, &terms, error);
    fm_foil *foils = fm_load_alloc(load, FM_FINS * sizeof *foils);
    if (!foils)
        return FM_ERR_MEMORY;
    for (size_t i = 0; status == FM_OK && i < fm_load_child_count(load, "fin"); i++)
        status = add_fin(load, i, &terms, foils, &type->foil_count, error);
    if (status != FM_OK)
        return status;
    type->foils = foils;
    fm_terms_finish(&terms, &type->body.hydro);
    return fm_load_has_child(load, "cross-flow") ? build_strips(load, &type->body.hydro, error) : FM_OK;
}

fm_status fm_body_build(fm_part_load *load, const void *config, fm_type *type, fm_error *error)
{
    (void)config;
    fm_status status = build_mass(load, type, error);
    if (status == FM_OK)
        status = build_hydrodynamics(load, type, error);
    return status == FM_OK ? fm_body_build_hull(load, type, error) : status;
}
