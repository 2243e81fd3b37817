/* The 6-DOF body of a vehicle: mass, added mass, coefficients, strips, floating hull. */
#include <math.h>
#include <string.h>

#include "control/pole_place.h"
#include "physics/spheroid.h"
#include "scenario/build.h"

/* --- mass properties --- */

static void add_inertia_of_point(double inertia[9], double mass, const double r[3])
{
    double rr = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            inertia[3 * i + k] += mass * ((i == k ? rr : 0) - r[i] * r[k]);
}

static fm_status one_of_mass_and_weight(fm_builder *b, const fm_node *node)
{
    if (fm_node_written(node, "mass") == fm_node_written(node, "weight"))
        return fm_node_fail(node, NULL, b->report, FM_ERR_MODEL, "give either mass or weight");
    return FM_OK;
}

static fm_status mass_from_element(fm_builder *b, const fm_node *node, fm_mass_properties *p)
{
    fm_mass_config c;
    memset(&c, 0, sizeof c);
    fm_node_fill(node, &c);
    fm_status status = one_of_mass_and_weight(b, node);
    if (status != FM_OK)
        return status;
    p->mass = fm_node_written(node, "mass") ? c.mass : c.weight / b->model->settings.gravity;
    memcpy(p->centre, c.centre, sizeof p->centre);
    double inertia[9] = {c.inertia[0],   -c.products[0], -c.products[1], -c.products[0], c.inertia[1],
                         -c.products[2], -c.products[1], -c.products[2], c.inertia[2]};
    memcpy(p->inertia, inertia, sizeof inertia);
    if (c.about == 1)
        add_inertia_of_point(p->inertia, p->mass, p->centre);
    return FM_OK;
}

/* Sums components (6.55)–(6.60). Flooded water has mass and inertia, but its weight is carried by the water: *floods is
 * its mass, so that the caller can leave it out of the weight. */
static fm_status mass_from_components(fm_builder *b, const fm_node *vehicle, fm_mass_properties *p, double *flooded)
{
    double moment[3] = {0};
    for (const fm_node *node = NULL; (node = fm_node_next(vehicle, "component", node));) {
        fm_component_config c;
        memset(&c, 0, sizeof c);
        fm_node_fill(node, &c);
        int given = fm_node_written(node, "mass") + fm_node_written(node, "weight") + fm_node_written(node, "flooded");
        if (given != 1)
            return fm_node_fail(node, NULL, b->report, FM_ERR_MODEL, "give one of mass, weight and flooded");
        double mass = fm_node_written(node, "mass") ? c.mass : c.weight / b->model->settings.gravity;
        if (fm_node_written(node, "flooded")) {
            mass = c.volume * b->model->settings.density;
            *flooded += mass;
        }
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
            added[6 * col + row] -= 0.5 * density * pow(c->length, 3 + (row >= 3) + (col >= 3)) * c->c[row][col];
}

static fm_status full_block(fm_builder *b, const fm_node *node, const char *attr, fm_list list, double out[9])
{
    if (!fm_node_written(node, attr))
        return FM_OK;
    if (list.count != 9)
        return fm_node_fail(node, attr, b->report, FM_ERR_RANGE, "found %zu numbers, accepted 9 (3x3 by row)",
                            list.count);
    memcpy(out, list.values, 9 * sizeof *out);
    return FM_OK;
}

static fm_status added_from_matrix(fm_builder *b, const fm_node *node, double added[36])
{
    fm_added_matrix_config c;
    memset(&c, 0, sizeof c);
    fm_node_fill(node, &c);
    double linear[9] = {c.linear[0], 0, 0, 0, c.linear[1], 0, 0, 0, c.linear[2]};
    double angular[9] = {c.angular[0], 0, 0, 0, c.angular[1], 0, 0, 0, c.angular[2]};
    double coupled[9] = {0};
    fm_status status = full_block(b, node, "linear-full", c.linear_full, linear);
    if (status == FM_OK)
        status = full_block(b, node, "coupled", c.coupled, coupled);
    if (status == FM_OK)
        status = full_block(b, node, "angular-full", c.angular_full, angular);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            added[6 * k + i] += linear[3 * i + k];
            added[6 * (3 + k) + 3 + i] += angular[3 * i + k];
            added[6 * (3 + k) + i] += coupled[3 * i + k];
            added[6 * i + 3 + k] += coupled[3 * i + k];
        }
    return status;
}

static fm_status build_added_mass(fm_builder *b, const fm_node *vehicle, fm_type *type)
{
    const fm_node *node = fm_node_child(vehicle, "added-mass");
    double density = b->model->settings.density;
    if (node) {
        fm_added_mass_config c;
        memset(&c, 0, sizeof c);
        fm_node_fill(node, &c);
        added_from_coefficients(&c, density, type->added_mass);
    }
    if ((node = fm_node_child(vehicle, "spheroid"))) {
        fm_spheroid_config c;
        memset(&c, 0, sizeof c);
        fm_node_fill(node, &c);
        fm_spheroid s = fm_spheroid_added_mass(c.diameter / 2, c.length / 2, density);
        const double diagonal[6] = {s.m11, s.m22, s.m22, 0, s.m55, s.m55};
        for (int i = 0; i < 6; i++)
            type->added_mass[7 * i] += diagonal[i];
    }
    node = fm_node_child(vehicle, "added-mass-matrix");
    return node ? added_from_matrix(b, node, type->added_mass) : FM_OK;
}

/* --- weight and buoyancy --- */

static fm_status build_buoyancy(fm_builder *b, const fm_node *vehicle, fm_type *type)
{
    const fm_node *node = fm_node_child(vehicle, "buoyancy");
    type->mass.buoyancy = type->mass.weight;
    if (!node)
        return FM_OK;
    fm_buoyancy_config c;
    memset(&c, 0, sizeof c);
    fm_node_fill(node, &c);
    if (fm_node_written(node, "force") && fm_node_written(node, "volume"))
        return fm_node_fail(node, NULL, b->report, FM_ERR_MODEL, "give force or volume, not both");
    if (fm_node_written(node, "force"))
        type->mass.buoyancy = c.force;
    if (fm_node_written(node, "volume"))
        type->mass.buoyancy = c.volume * b->model->settings.density * b->model->settings.gravity;
    memcpy(type->mass.buoyancy_centre, c.centre, sizeof c.centre);
    type->mass.compression = c.compression;
    return FM_OK;
}

fm_status fm_build_mass(fm_builder *b, const fm_node *vehicle, fm_type *type)
{
    const fm_node *node = fm_node_child(vehicle, "mass"), *first = fm_node_child(vehicle, "component");
    double flooded = 0;
    if (!node == !first)
        return fm_node_fail(vehicle, NULL, b->report, FM_ERR_MODEL,
                            "a vehicle of kind body needs either <mass> or <component>s");
    fm_status status = node ? mass_from_element(b, node, &type->properties)
                            : mass_from_components(b, vehicle, &type->properties, &flooded);
    if (status == FM_OK)
        status = build_added_mass(b, vehicle, type);
    if (status != FM_OK)
        return status;
    fm_error error = {0};
    status = fm_mass_derive(&type->properties, type->added_mass, type->full_coriolis, &type->mass, &error);
    if (status != FM_OK)
        return fm_node_fail(node ? node : first, NULL, b->report, status, "%s", error.text);
    type->mass.weight = (type->properties.mass - flooded) * b->model->settings.gravity;
    return build_buoyancy(b, vehicle, type);
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

static fm_status check_stations(fm_builder *b, const fm_node *node, const fm_cross_flow_config *c)
{
    if (c->x.count < 2)
        return fm_node_fail(node, "x", b->report, FM_ERR_RANGE, "found %zu stations, accepted 2 to 256", c->x.count);
    if (c->height.count != c->x.count || c->breadth.count != c->x.count)
        return fm_node_fail(
            node, "height", b->report, FM_ERR_MODEL,
            "found %zu heights and %zu breadths for %zu stations: one of each is accepted at each station",
            c->height.count, c->breadth.count, c->x.count);
    for (size_t i = 1; i < c->x.count; i++)
        if (!(c->x.values[i] > c->x.values[i - 1]))
            return fm_node_fail(node, "x", b->report, FM_ERR_MODEL,
                                "station %zu is not ahead of station %zu: tail to nose is accepted", i + 1, i);
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

static fm_status build_strips(fm_builder *b, const fm_node *node, fm_hydro *hydro)
{
    fm_cross_flow_config c;
    memset(&c, 0, sizeof c);
    fm_node_fill(node, &c);
    fm_status status = check_stations(b, node, &c);
    if (status != FM_OK)
        return status;
    size_t most = c.rule == FM_STRIPS_GAUSS   ? 2 * (c.x.count - 1)
                  : c.rule == FM_STRIPS_EQUAL ? (size_t)c.count
                                              : (size_t)c.count * (c.x.count - 1);
    size_t padded = (most + 1) / 2 * 2;
    strips s = {0};
    s.x = fm_build_alloc(b, padded * sizeof *s.x);
    s.h = fm_build_alloc(b, padded * sizeof *s.h);
    s.b = fm_build_alloc(b, padded * sizeof *s.b);
    if (!s.x || !s.h || !s.b)
        return FM_ERR_MEMORY;
    place_strips(&s, &c, b->model->settings.density);
    hydro->strip_count = (int32_t)padded;
    hydro->strip_x = s.x;
    hydro->strip_h = s.h;
    hydro->strip_b = s.b;
    return FM_OK;
}

/* --- floating hull --- */

enum { COLUMNS = 8 }; /* Gauss points along x and y of a shape */
static const double gauss_x[COLUMNS] = {-0.9602898564975363, -0.7966664774136267, -0.5255324099163290,
                                        -0.1834346424956498, 0.1834346424956498,  0.5255324099163290,
                                        0.7966664774136267,  0.9602898564975363};
static const double gauss_w[COLUMNS] = {0.1012285362903763, 0.2223810344533745, 0.3137066458778873, 0.3626837833783620,
                                        0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};

/* Columns of one shape. Over a rectangle: Gauss points in x and y. Over an ellipse: Gauss in radius, equal angles. */
static void place_columns(const fm_float_config *c, fm_column_element *out)
{
    double a = c->size[0] / 2, w = c->size[1] / 2, h = c->size[2] / 2;
    int round_plan = c->shape == FM_FLOAT_CYLINDER || c->shape == FM_FLOAT_ELLIPSOID;
    for (int i = 0; i < COLUMNS; i++)
        for (int k = 0; k < COLUMNS; k++) {
            double x, y, area, half = h;
            if (round_plan) { /* r² uniform in area: r = √t, t by Gauss on (0, 1) */
                double t = (1 + gauss_x[i]) / 2, angle = 2 * FM_PI * (k + 0.5) / COLUMNS;
                x = a * sqrt(t) * cos(angle);
                y = w * sqrt(t) * sin(angle);
                area = FM_PI * a * w * gauss_w[i] / 2 / COLUMNS;
                if (c->shape == FM_FLOAT_ELLIPSOID)
                    half = h * sqrt(1 - t);
            } else {
                x = a * gauss_x[i];
                y = w * gauss_x[k];
                area = a * w * gauss_w[i] * gauss_w[k];
                if (c->shape == FM_FLOAT_LYING_CYLINDER)
                    half = h * sqrt(1 - gauss_x[k] * gauss_x[k]);
            }
            *out++ =
                (fm_column_element){c->centre[0] + x, c->centre[1] + y, c->centre[2] - half, c->centre[2] + half, area};
        }
}

/* Scales areas so that the columns hold exactly the shape's volume (Gauss points miss the round ends a little). */
static void fix_volume(const fm_float_config *c, fm_column_element *columns)
{
    static const double filled[4] = {1, FM_PI / 4, FM_PI / 4, FM_PI / 6};
    double wanted = filled[c->shape] * c->size[0] * c->size[1] * c->size[2], found = 0;
    for (int i = 0; i < COLUMNS * COLUMNS; i++)
        found += columns[i].area * (columns[i].bottom - columns[i].top);
    for (int i = 0; i < COLUMNS * COLUMNS; i++)
        columns[i].area *= wanted / found;
}

static fm_status build_floats(fm_builder *b, const fm_node *vehicle, fm_type *type)
{
    size_t shapes = 0;
    for (const fm_node *node = NULL; (node = fm_node_next(vehicle, "float", node));)
        shapes++;
    if (!shapes)
        return FM_OK;
    fm_column_element *columns = fm_build_alloc(b, shapes * COLUMNS * COLUMNS * sizeof *columns);
    if (!columns)
        return FM_ERR_MEMORY;
    size_t at = 0;
    for (const fm_node *node = NULL; (node = fm_node_next(vehicle, "float", node)); at += COLUMNS * COLUMNS) {
        fm_float_config c;
        memset(&c, 0, sizeof c);
        fm_node_fill(node, &c);
        place_columns(&c, columns + at);
        fix_volume(&c, columns + at);
    }
    type->body.hull = (fm_floating_hull){.columns = columns,
                                         .count = (int32_t)at,
                                         .weight_density = b->model->settings.density * b->model->settings.gravity};
    return FM_OK;
}

/* --- coefficients, strips and hull --- */

static fm_status no_memory(fm_builder *b, const fm_node *node)
{
    return fm_node_fail(node, NULL, b->report, FM_ERR_MEMORY, "no memory for the model");
}

static fm_status add_fins(fm_builder *b, const fm_node *vehicle, fm_term_list *terms)
{
    int number = 0;
    double density = b->model->settings.density;
    for (const fm_node *node = NULL; (node = fm_node_next(vehicle, "fin", node));) {
        fm_actuator_config c;
        memset(&c, 0, sizeof c);
        fm_node_fill(node, &c);
        if (++number > FM_FINS)
            return fm_node_fail(node, NULL, b->report, FM_ERR_RANGE, "found more than %d fins, accepted at most %d",
                                FM_FINS, FM_FINS);
        int by_lift = c.area > 0 && c.lift_slope > 0;
        if (by_lift == (c.length > 0))
            return fm_node_fail(node, NULL, b->report, FM_ERR_MODEL,
                                "give either coefficients with length, or area and lift-slope");
        if (by_lift) {
            double lift = 0.5 * density * c.area * c.lift_slope;
            double f[3] = {lift * c.direction[0], lift * c.direction[1], lift * c.direction[2]};
            memcpy(c.fin.along, f, sizeof f);
            fm_cross(c.position, f, c.fin.along + 3);
        }
        if (!fm_terms_from_fin(terms, &c.fin, number, by_lift ? 0 : density, c.length))
            return no_memory(b, node);
    }
    return FM_OK;
}

fm_status fm_build_hydrodynamics(fm_builder *b, const fm_node *vehicle, fm_type *type)
{
    fm_term_list terms = {.arena = &b->model->arena};
    fm_coefficients *c = fm_build_alloc(b, sizeof *c);
    if (!c)
        return FM_ERR_MEMORY;
    const fm_node *node = fm_node_child(vehicle, "hydrodynamics");
    if (node) {
        fm_node_fill(node, c);
        if (!fm_terms_from_coefficients(&terms, c, b->model->settings.density))
            return no_memory(b, node);
    }
    if ((node = fm_node_child(vehicle, "drag"))) {
        memset(c, 0, sizeof *c);
        fm_node_fill(node, c);
        if (!fm_terms_from_coefficients(&terms, c, 0))
            return no_memory(b, node);
    }
    fm_status status = add_fins(b, vehicle, &terms);
    if (status != FM_OK)
        return status;
    fm_terms_finish(&terms, &type->body.hydro);
    if ((node = fm_node_child(vehicle, "cross-flow")))
        status = build_strips(b, node, &type->body.hydro);
    return status == FM_OK ? build_floats(b, vehicle, type) : status;
}

fm_status fm_build_diving(fm_builder *b, const fm_node *vehicle, const fm_vehicle_config *config, fm_type *type)
{
    const fm_node *node = fm_node_child(vehicle, "diving");
    if (!node)
        return fm_node_fail(vehicle, NULL, b->report, FM_ERR_MODEL, "a vehicle of kind diving needs <diving>");
    fm_diving_config c;
    memset(&c, 0, sizeof c);
    fm_node_fill(node, &c);
    c.p.scaled = (int)c.scaled;
    c.p.large_angle_statics = (int)c.large_angle;
    c.p.speed = fm_node_written(vehicle, "speed") ? config->speed : c.p.table_speed;
    if (!(c.p.speed > 0))
        return fm_node_fail(vehicle, "speed", b->report, FM_ERR_RANGE,
                            "found %g m/s, the diving model accepts speeds above 0", c.p.speed);
    if (config->integrator != FM_HEUN && config->integrator != FM_RK4)
        return fm_node_fail(vehicle, "integrator", b->report, FM_ERR_MODEL,
                            "found '%s', the diving model accepts heun or rk4",
                            fm_node_value(vehicle, "integrator")->text);
    fm_diving_type *kept = fm_build_alloc(b, sizeof *kept);
    if (!kept)
        return FM_ERR_MEMORY;
    kept->params = c.p;
    if ((kept->trimmed = (int)c.trimmed)) {
        fm_error error = {0};
        const fm_diving_model m = fm_diving_derive(&c.p);
        double delta;
        if (fm_diving_trim(&m, &kept->trim_w, &kept->trim_theta, &delta, &error) != FM_OK)
            return fm_node_fail(node, "trimmed", b->report, error.status, "%s", error.text);
    }
    type->kind_config = kept;
    return FM_OK;
}
