/* The force term <near-wall>: added mass of the nose that rises near a wall, and the force of its gradient (W4),
 * (W5).
 *
 * The hull's own added mass is that of open water; here stands what the nearest wall adds to the nose's share of it,
 *   F = −m (k_n − ½) Vdot_n − m (k_t − ½) Vdot_t + gradient force, m = 4/3 π ρ a³,
 * with the acceleration of the last step (the added part is at most 0.3 m, far below the vehicle's mass, so the lag of
 * one step does no harm). The rest of the hull is taken as in open water. */
#include <math.h>

#include "base/error.h"
#include "flow/flow_part.h"
#include "flow/wall_table.h"
#include "physics/vector.h"

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

/* Acceleration of the nose's centre, body components: rate of change plus the turning of the axes. */
static void nose_acceleration(const fm_vehicle_view *v, const double centre[3], const double velocity[3], double out[3])
{
    double lever[3], turned[3];
    fm_cross(v->acceleration + 3, centre, lever);
    fm_cross(v->velocity + 3, velocity, turned);
    for (int k = 0; k < 3; k++)
        out[k] = v->acceleration[k] + lever[k] + turned[k];
}

static void run_near(const fm_part_context *context)
{
    const near_config *c = context->config;
    const fm_flow_record *flow = fm_sensor_output(context, c->part);
    if (!((const near_config *)context->live)->enabled || !flow->count)
        return;
    const double *wall = flow->tangents[0].wall;
    double a = c->flow->radius, mass = 4.0 / 3 * FM_PI * context->vehicle->density * a * a * a, rate[3], force[3],
           moment[3];
    fm_wall_mass k = fm_wall_added_mass(c->table, flow->gap / a);
    fm_wall_force(&k, wall, flow->velocity, mass, a, force);
    nose_acceleration(context->vehicle, c->flow->centre, flow->velocity, rate);
    double normal = fm_dot(rate, wall);
    for (int i = 0; i < 3; i++)
        force[i] -= mass * ((k.normal - 0.5) * normal * wall[i] + (k.parallel - 0.5) * (rate[i] - normal * wall[i]));
    fm_cross(c->flow->centre, force, moment);
    for (int i = 0; i < 3; i++) {
        context->force[i] += force[i];
        context->force[3 + i] += moment[i];
    }
}

const fm_part_class fm_near_wall_class = {
    .kind = FM_PART_FORCE, .element = &element, .live_size = sizeof(int64_t), .load = load_near, .run = run_near};
