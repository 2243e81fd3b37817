/* The force term <near-wall>: added mass of the nose that increases near a wall, and the force of its gradient
 * (forces/force_terms.h). */
#include "base/error.h"
#include "base/lane_part.h"
#include "environment/environment.h"
#include "flow/flow_part.h"
#include "flow/wall_table.h"
#include "forces/forces.h"

typedef struct near_config {
    int64_t enabled; /* live */
    const fm_flow_config *flow;
    const fm_wall_table *table;
    int part;
} near_config;

static const fm_attr attrs[] = {
    FM_BOOL_ATTR(near_config, enabled, "enabled", "true", FM_ATTR_LIVE, "switches the force"),
};
static const fm_element element =
    FM_TABLE_ELEMENT(near_config, "near-wall", attrs, NULL, FM_ELEMENT_ONCE,
                     "Added mass of the nose near the nearest wall, and the force of its gradient.");

static fm_status load_near(fm_part_load *load, void *config, fm_error *error)
{
    near_config *c = config;
    c->part = fm_flow_find(load, &c->flow, error);
    if (c->part < 0)
        return FM_ERR_NAME;
    c->table = c->flow->table;
    return c->table ? FM_OK : fm_wall_table_find(&c->table, error);
}

static fm_near_wall nose_of(const near_config *c)
{
    const double *centre = c->flow->centre;
    return (fm_near_wall){c->flow->radius, {centre[0], centre[1], centre[2]}};
}

static void run_near(const fm_part_context *context)
{
    const near_config *c = context->config;
    const fm_flow_record *flow = fm_sensor_output(context, c->part);
    if (!((const near_config *)context->live)->enabled || !flow->count)
        return;
    const fm_near_wall nose = nose_of(c);
    const fm_force_moment now = fm_force_now(context);
    fm_near_wall_force(&nose, c->table, &flow->tangents[0], flow->velocity, &now, context->force);
}

/* --- in lanes and on a GPU --- */

/* Why only a world knows the walls that act on the nose. */
static const char *verdict(const fm_lane_vehicle *v, const fm_part *part)
{
    if (!v->whole)
        return "it has a <near-wall>, and a batch knows walls in whole runs alone";
    for (size_t i = 0; i < v->sea->obstacle_count; i++) {
        const fm_shape_kind kind = v->sea->obstacles[i].shape.kind;
        if (kind != FM_SHAPE_PLANE && kind != FM_SHAPE_SPHERE && kind != FM_SHAPE_CYLINDER)
            return "its <near-wall> meets more than walls, columns and spheres";
    }
    const near_config *c = part->config;
    return v->parts[c->part].period != 1 ? "its <flow> has a period of its own" : NULL;
}

static void describe_force(const void *config, const double wind[2], fm_force_term *term, double *levels, int32_t first)
{
    const near_config *c = config;
    (void)wind, (void)levels, (void)first;
    term->kind = FM_FORCE_NEAR_WALL;
    term->actuator = c->enabled != 0;
    term->near_wall = nose_of(c);
}

static const fm_wall_table *walls(const fm_lane_vehicle *v, const fm_part *part)
{
    (void)v;
    return ((const near_config *)part->config)->table;
}

static const fm_lane_part lanes = {
    .role = FM_LANE_FORCE, .feels = 1, .verdict = verdict, .term = describe_force, .walls = walls};
const fm_part_class fm_near_wall_class = {.kind = FM_PART_FORCE,
                                          .element = &element,
                                          .live_size = sizeof(int64_t),
                                          .load = load_near,
                                          .run = run_near,
                                          .lanes = &lanes};
