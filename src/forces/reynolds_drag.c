/* Drag whose coefficient is a table over Reynolds number.
 *
 *     Re = |V| length / viscosity,   F = −½ ρ area cd(Re) |V| V
 *
 * V is the velocity relative to the water (m/s, body axes), or one component of it. Between two rows cd is linear in
 * log Re; outside the table its end rows hold. The force is taken at the start of a vehicle step and held over it. */
#include <math.h>

#include "forces/forces.h"
#include "physics/real.h"

enum { ROWS_MOST = 64 };
enum { AXIS_X, AXIS_Y, AXIS_Z, AXIS_ALL };

typedef struct reynolds_config {
    double length;    /* m */
    double area;      /* m² */
    double viscosity; /* m²/s, kinematic */
    double centre[3]; /* m, where the force acts, body axes */
    int64_t axis;
    const char *name;
    fm_list reynolds, cd;
    const double *log_re; /* ln of reynolds; made at load */
} reynolds_config;

static const char *const axis_names[] = {"x", "y", "z", "all", NULL};
static const fm_attr reynolds_attrs[] = {
    FM_NAME_ATTR(reynolds_config, name, "name", NULL, 0, "needed where a vehicle has several"),
    FM_REAL_ATTR(reynolds_config, length, "length", "m", 1e-6, 1e3, NULL, FM_ATTR_REQUIRED,
                 "length in the Reynolds number"),
    FM_REAL_ATTR(reynolds_config, area, "area", "m2", 0, 1e5, NULL, FM_ATTR_REQUIRED,
                 "reference area of the coefficient"),
    FM_REAL_ATTR(reynolds_config, viscosity, "viscosity", "m2/s", 1e-8, 1, "1.19e-6 m2/s", 0,
                 "kinematic viscosity; the default is sea water of 15 degC"),
    FM_VECTOR_ATTR(reynolds_config, centre, 3, "centre", "m", -1e3, 1e3, "0 0 0 m", 0,
                   "where the force acts, from the body origin"),
    FM_CHOICE_ATTR(reynolds_config, axis, axis_names, "axis", "x", 0,
                   "the component of the velocity that is resisted; all: the whole velocity, against its direction"),
    FM_LIST_ATTR(reynolds_config, reynolds, ROWS_MOST, "reynolds", "", 1e-6, 1e12, FM_ATTR_REQUIRED,
                 "Reynolds numbers of the table, increasing"),
    FM_LIST_ATTR(reynolds_config, cd, ROWS_MOST, "cd", "", 0, 1e9, FM_ATTR_REQUIRED,
                 "drag coefficient at each of them"),
};
static const fm_element reynolds_element = FM_TABLE_ELEMENT(
    reynolds_config, "reynolds-drag", reynolds_attrs, NULL, 0,
    "Drag with a coefficient that depends on the Reynolds number: a table, linear in its logarithm; the end "
    "rows hold outside. Added to other drag.");

static fm_status load_table(fm_part_load *load, void *config, fm_error *error)
{
    reynolds_config *c = config;
    if (c->cd.count != c->reynolds.count)
        return fm_load_fail(load, error, FM_ERR_MODEL,
                            "found %zu Reynolds numbers and %zu coefficients: one coefficient for each is accepted",
                            c->reynolds.count, c->cd.count);
    double *log_re = fm_load_alloc(load, c->reynolds.count * sizeof *log_re);
    if (!log_re)
        return fm_load_fail(load, error, FM_ERR_MEMORY, "no memory for the table");
    for (size_t i = 0; i < c->reynolds.count; i++) {
        if (i > 0 && !(c->reynolds.values[i] > c->reynolds.values[i - 1]))
            return fm_load_fail(load, error, FM_ERR_MODEL,
                                "Reynolds number %zu is not above the one before it: an increasing list is accepted",
                                i + 1);
        log_re[i] = fm_log(c->reynolds.values[i]);
    }
    c->log_re = log_re;
    return FM_OK;
}

static double coefficient_at(const reynolds_config *c, double reynolds)
{
    size_t last = c->reynolds.count - 1, i = 0;
    if (!(reynolds > c->reynolds.values[0]))
        return c->cd.values[0];
    if (reynolds >= c->reynolds.values[last])
        return c->cd.values[last];
    while (reynolds > c->reynolds.values[i + 1])
        i++;
    double t = (fm_log(reynolds) - c->log_re[i]) / (c->log_re[i + 1] - c->log_re[i]);
    return c->cd.values[i] + t * (c->cd.values[i + 1] - c->cd.values[i]);
}

/* Velocity of the point relative to the water, body axes, m/s. */
static void relative_velocity(const fm_vehicle_view *view, const double point[3], double out[3])
{
    const double *R = view->rotation, *v = view->velocity, *w = view->velocity + 3;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double water = R[i] * view->water[0] + R[3 + i] * view->water[1] + R[6 + i] * view->water[2];
        out[i] = v[i] - water + w[j] * point[k] - w[k] * point[j];
    }
}

static void add_drag(const fm_part_context *context)
{
    const reynolds_config *c = context->config;
    double v[3], f[3];
    relative_velocity(context->vehicle, c->centre, v);
    for (int i = 0; i < 3; i++)
        if (c->axis != AXIS_ALL && c->axis != i)
            v[i] = 0;
    double speed = fm_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    double factor =
        -0.5 * context->vehicle->density * c->area * speed * coefficient_at(c, speed * c->length / c->viscosity);
    for (int i = 0; i < 3; i++)
        f[i] = factor * v[i];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        context->force[i] += f[i];
        context->force[3 + i] += c->centre[j] * f[k] - c->centre[k] * f[j];
    }
}

const fm_part_class fm_reynolds_drag_class = {
    .kind = FM_PART_FORCE, .element = &reynolds_element, .load = load_table, .run = add_drag};
