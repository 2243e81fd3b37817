/* Drag whose coefficient is a table over Reynolds number (forces/force_terms.h). */
#include <string.h>

#include "base/lane_part.h"
#include "forces/forces.h"

enum { ROWS_MOST = 64 };

typedef struct reynolds_config {
    fm_reynolds_drag drag;
    int64_t axis;
    const char *name;
    fm_list reynolds, cd;
    const double *log_re; /* ln of reynolds; made at load */
} reynolds_config;

static const char *const axis_names[] = {"x", "y", "z", "all", NULL};
static const fm_attr reynolds_attrs[] = {
    FM_NAME_ATTR(reynolds_config, name, "name", NULL, 0, "needed where a vehicle has several"),
    FM_REAL_ATTR(reynolds_config, drag.length, "length", "m", 1e-6, 1e3, NULL, FM_ATTR_REQUIRED,
                 "length in the Reynolds number"),
    FM_REAL_ATTR(reynolds_config, drag.area, "area", "m2", 0, 1e5, NULL, FM_ATTR_REQUIRED,
                 "reference area of the coefficient"),
    FM_REAL_ATTR(reynolds_config, drag.viscosity, "viscosity", "m2/s", 1e-8, 1, "1.19e-6 m2/s", 0,
                 "kinematic viscosity; the default is sea water of 15 degC"),
    FM_VECTOR_ATTR(reynolds_config, drag.centre, 3, "centre", "m", -1e3, 1e3, "0 0 0 m", 0,
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
                            "%zu Reynolds numbers and %zu coefficients: must be one coefficient for each",
                            c->reynolds.count, c->cd.count);
    double *log_re = fm_load_alloc(load, c->reynolds.count * sizeof *log_re);
    if (!log_re)
        return fm_load_fail(load, error, FM_ERR_MEMORY, "no memory for the table");
    for (size_t i = 0; i < c->reynolds.count; i++) {
        if (i > 0 && !(c->reynolds.values[i] > c->reynolds.values[i - 1]))
            return fm_load_fail(load, error, FM_ERR_MODEL,
                                "Reynolds number %zu is not above the one before it: must be an increasing list",
                                i + 1);
        log_re[i] = fm_log(c->reynolds.values[i]);
    }
    c->log_re = log_re;
    return FM_OK;
}

static void add_drag(const fm_part_context *context)
{
    const reynolds_config *c = context->config;
    const fm_reynolds_rows rows = {c->reynolds.values, c->log_re, c->cd.values, (int32_t)c->reynolds.count};
    const fm_force_moment now = fm_force_now(context);
    fm_reynolds_force(&c->drag, (int32_t)c->axis, &rows, &now, context->force);
}

static void describe_force(const void *config, const double wind[2], fm_force_term *term, double *levels, int32_t first)
{
    (void)wind;
    const reynolds_config *c = config;
    const size_t count = c->reynolds.count;
    const double *const from[3] = {c->reynolds.values, c->log_re, c->cd.values};
    term->kind = FM_FORCE_REYNOLDS;
    term->actuator = (int32_t)c->axis;
    term->first = first;
    term->count = (int32_t)count;
    term->reynolds = c->drag;
    for (size_t i = 0; i < 3 && levels; i++)
        memcpy(levels + (size_t)first + i * count, from[i], count * sizeof *levels);
}

static const fm_lane_part lanes = {.role = FM_LANE_FORCE, .term = describe_force};
const fm_part_class fm_reynolds_drag_class = {
    .kind = FM_PART_FORCE, .element = &reynolds_element, .load = load_table, .run = add_drag, .lanes = &lanes};
