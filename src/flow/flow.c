/* The flow at a sphere and its thermistors for programs (fathom/flow.h). */
#include <fathom/flow.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "flow/sources.h"
#include "flow/wall_table.h"
#include "sensors/thermistor.h"

struct fm_flow {
    fm_flow_options is;
    const fm_wall_table *table; /* exact flow at a wall */
    fm_sources *solver;         /* exact flow at a cylinder, and its numbers */
    double *state, *scratch;
};

static fm_status check_options(const fm_flow_options *o, fm_error *error)
{
    if (!o || o->size != sizeof *o)
        return fm_fail(error, FM_ERR_ARGUMENT, "options must not be NULL and their size must be %zu", sizeof *o);
    const double *d = o->direction, length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (!(o->radius > 0) || !isfinite(o->radius) || !(o->cylinder >= 0) || !isfinite(o->cylinder))
        return fm_fail(error, FM_ERR_RANGE, "radius %g m of the sphere and %g m of the cylinder: must be above 0",
                       o->radius, o->cylinder);
    if (o->solution != FM_SOLUTION_ALONE && !(fabs(length - 1) < 1e-9))
        return fm_fail(error, FM_ERR_RANGE, "direction is %g long: must be a unit vector", length);
    return FM_OK;
}

static fm_status create_solver(fm_flow *flow, fm_error *error)
{
    const fm_flow_options *o = &flow->is;
    const fm_flow_obstacle obstacle = {FM_OBSTACLE_CYLINDER,
                                       {o->point[0], o->point[1], o->point[2]},
                                       {o->direction[0], o->direction[1], o->direction[2]},
                                       o->cylinder};
    const fm_sources_options options = {
        .radius = o->radius, .obstacles = &obstacle, .obstacle_count = 1, .reference = 1, .reference_gap = o->gap};
    fm_status status = fm_sources_create(&options, &flow->solver, error);
    if (status != FM_OK)
        return status;
    flow->state = fm_alloc(fm_sources_state_count(flow->solver) * sizeof *flow->state);
    flow->scratch = fm_alloc(fm_sources_scratch_count(flow->solver) * sizeof *flow->scratch);
    if (!flow->state || !flow->scratch)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for the flow at a cylinder");
    fm_sources_reset(flow->solver, flow->state);
    return FM_OK;
}

fm_flow *fm_flow_create(const fm_flow_options *options, fm_error *error)
{
    if (check_options(options, error) != FM_OK)
        return NULL;
    fm_flow *flow = fm_alloc(sizeof *flow);
    if (!flow) {
        fm_fail(error, FM_ERR_MEMORY, "out of memory for a flow");
        return NULL;
    }
    flow->is = *options;
    fm_status status = FM_OK;
    if (options->solution == FM_SOLUTION_EXACT)
        status = options->cylinder > 0 ? create_solver(flow, error) : fm_wall_table_find(&flow->table, error);
    if (status == FM_OK)
        return flow;
    fm_flow_free(flow);
    return NULL;
}

void fm_flow_free(fm_flow *flow)
{
    if (!flow)
        return;
    fm_sources_free(flow->solver);
    fm_free(flow->state);
    fm_free(flow->scratch);
    fm_free(flow);
}

/* Unit vector to the wall, or to the plane that touches the cylinder; returns its distance from the centre, m. */
static double find_plane(const fm_flow_options *o, const double centre[3], double wall[3])
{
    double offset[3];
    for (int k = 0; k < 3; k++)
        offset[k] = o->point[k] - centre[k];
    if (o->cylinder > 0)
        return fm_flow_cylinder_plane(offset, o->direction, o->cylinder, wall);
    for (int k = 0; k < 3; k++)
        wall[k] = o->direction[k];
    return fm_dot(offset, wall);
}

static void sample_dipole(const fm_flow_options *o, const double centre[3], const double velocity[3],
                          const double point[3], double v[3])
{
    double r[3], wall[3];
    for (int k = 0; k < 3; k++) {
        r[k] = o->radius * point[k];
        v[k] = 0;
    }
    fm_flow_dipole_add(r, velocity, o->radius, v);
    if (o->solution != FM_SOLUTION_MIRROR)
        return;
    const double distance = find_plane(o, centre, wall);
    fm_flow_mirror_add(r, velocity, wall, distance, o->radius, v);
}

static void sample_wall(const fm_flow *flow, const double centre[3], const double velocity[3], size_t count,
                        const double (*points)[3], double (*water)[3])
{
    double wall[3];
    fm_wall_series series;
    fm_wall_series_at(flow->table, find_plane(&flow->is, centre, wall) / flow->is.radius - 1, &series);
    for (size_t i = 0; i < count; i++)
        fm_wall_velocity(&series, points[i], wall, velocity, water[i]);
}

void fm_flow_surface(fm_flow *flow, const double centre[3], const double velocity[3], size_t count,
                     const double (*points)[3], double (*water)[3])
{
    if (!flow || !centre || !velocity || !points || !water)
        return;
    if (flow->table) {
        sample_wall(flow, centre, velocity, count, points, water);
    } else if (flow->solver) {
        fm_sources_solve(flow->solver, centre, velocity, flow->state, flow->scratch);
        fm_sources_surface(flow->solver, flow->state, (int)count, points, water);
    } else {
        for (size_t i = 0; i < count; i++)
            sample_dipole(&flow->is, centre, velocity, points[i], water[i]);
    }
}

/* --- thermistors --- */

static fm_thermistor thermistor_of(const fm_bead *bead)
{
    if (!bead)
        return (fm_thermistor){0};
    return (fm_thermistor){bead->a,  bead->b,    bead->n,       bead->capacity, bead->r0,
                           bead->t0, bead->beta, bead->current, bead->water};
}

fm_bead fm_bead_printed(void)
{
    const fm_thermistor t = fm_thermistor_printed();
    return (fm_bead){t.a, t.b, t.n, t.c, t.r0, t.t0, t.beta, t.i, t.t_inf};
}

double fm_bead_steady(const fm_bead *bead, double speed)
{
    const fm_thermistor t = thermistor_of(bead);
    return bead ? fm_thermistor_steady(&t, speed) : NAN;
}

double fm_bead_step(const fm_bead *bead, double temperature, double speed, double dt)
{
    const fm_thermistor t = thermistor_of(bead);
    return bead ? fm_thermistor_step(&t, temperature, speed, dt) : NAN;
}

double fm_bead_voltage(const fm_bead *bead, double temperature)
{
    const fm_thermistor t = thermistor_of(bead);
    return bead ? fm_thermistor_voltage(&t, temperature) : NAN;
}
