/* The part <flow>; see flow_part.h. */
#include "flow/flow_part.h"

#include <math.h>

#include "base/error.h"
#include "base/part_class.h"
#include "environment/environment.h"
#include "flow/wall_table.h"
#include "geometry/distance.h"

static const char *const model_names[] = {"undisturbed", "dipole", "mirror", "wall", "sources", NULL};
static const fm_attr attrs[] = {
    FM_CHOICE_ATTR(
        fm_flow_config, model, model_names, "model", "wall", 0,
        "undisturbed; dipole: an isolated sphere; mirror: one mirror sphere per obstacle, columns by their tangent "
        "wall; wall: exact at a plane; sources: exact for several walls, columns and spheres at once"),
    FM_REAL_ATTR(fm_flow_config, radius, "radius", "m", 1e-3, 100, NULL, FM_ATTR_REQUIRED, "of the nose"),
    FM_VECTOR_ATTR(fm_flow_config, centre, 3, "centre", "m", -100, 100, "0 0 0 m", 0,
                   "of the nose's sphere, from the body origin"),
    FM_BOOL_ATTR(fm_flow_config, reference, "reference", "false", 0,
                 "sources: the reference sizes instead of those for 1e-3 of the speed"),
};
static const fm_element element =
    FM_TABLE_ELEMENT(fm_flow_config, "flow", attrs, NULL, FM_ELEMENT_ONCE,
                     "Model of the water velocity on the nose, near walls, columns, spheres and other vehicles, at "
                     "rest or moving, and among the vortices of the current. Flow sensors use it.");

/* --- at load --- */

static void free_sources(void *solver)
{
    fm_sources_free(solver);
}

static fm_status add_to_sources(fm_part_load *load, const fm_obstacle *o, fm_sources_options *c, fm_flow_plane *walls,
                                fm_flow_obstacle *obstacles, fm_error *error)
{
    const fm_shape *s = &o->shape;
    if (o->track_count)
        return FM_OK; /* not an obstacle of the solver: handled as a moving body (neighbours.h) */
    if (s->kind == FM_SHAPE_PLANE) {
        fm_flow_plane *w = &walls[c->wall_count++];
        fm_d3 n = fm_shape_plane_normal(s);
        *w = (fm_flow_plane){{s->position[0], s->position[1], s->position[2]}, {n.x, n.y, n.z}};
    } else if (s->kind == FM_SHAPE_CYLINDER || s->kind == FM_SHAPE_SPHERE) {
        fm_flow_obstacle *f = &obstacles[c->obstacle_count++];
        *f = (fm_flow_obstacle){.kind = s->kind == FM_SHAPE_SPHERE ? FM_OBSTACLE_SPHERE : FM_OBSTACLE_CYLINDER,
                                .radius = s->size[0]};
        for (int k = 0; k < 3; k++) {
            f->centre[k] = s->position[k];
            f->axis[k] = s->rotation[3 * k + s->axis];
        }
    } else {
        return fm_load_fail(load, error, FM_ERR_MODEL,
                            "model=\"sources\" accepts walls, columns, spheres and pools; '%s' is a box", o->name);
    }
    return FM_OK;
}

static fm_status make_sources(fm_part_load *load, fm_flow_config *flow, fm_error *error)
{
    const fm_environment *e = fm_load_environment(load);
    fm_flow_plane *walls = fm_load_alloc(load, (e->obstacle_count + 1) * sizeof *walls);
    fm_flow_obstacle *obstacles = fm_load_alloc(load, (e->obstacle_count + 1) * sizeof *obstacles);
    fm_sources_options c = {.radius = flow->radius,
                            .walls = walls,
                            .obstacles = obstacles,
                            .reference = (int)flow->reference,
                            .reference_gap = 0.1 * flow->radius};
    if (!walls || !obstacles)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the flow");
    for (size_t i = 0; i < e->obstacle_count; i++) {
        fm_status status = add_to_sources(load, &e->obstacles[i], &c, walls, obstacles, error);
        if (status != FM_OK)
            return status;
    }
    fm_status status = fm_sources_create(&c, &flow->sources, error);
    if (status != FM_OK)
        return status;
    if (!fm_load_on_free(load, free_sources, flow->sources)) {
        fm_sources_free(flow->sources);
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the flow");
    }
    flow->memory = fm_sources_state_count(flow->sources) + fm_sources_scratch_count(flow->sources);
    fm_load_output_size(load, sizeof(fm_flow_record) + flow->memory * sizeof(double));
    return FM_OK;
}

static fm_status load_flow(fm_part_load *load, void *config, fm_error *error)
{
    fm_flow_config *flow = config;
    if (flow->model == FM_FLOW_SOURCES)
        return make_sources(load, flow, error);
    return flow->model == FM_FLOW_WALL ? fm_wall_table_find(&flow->table, error) : FM_OK;
}

int fm_flow_find(fm_part_load *load, const fm_flow_config **flow, fm_error *error)
{
    for (size_t i = 0; i < fm_load_part_count(load); i++) {
        fm_part_info info = fm_load_part_info(load, i);
        if (fm_class_is(info.part_class, "flow")) {
            *flow = info.config;
            return (int)i;
        }
    }
    fm_load_fail(load, error, FM_ERR_NAME, "the vehicle has no <flow> before this part");
    return -1;
}

/* --- what is near --- */

/* The plane that touches an obstacle where it is nearest to the centre c; wall: unit, world, towards it. Returns the
 * distance. */
static double touching_plane(const fm_shape *s, const double c[3], double wall[3])
{
    double offset[3] = {s->position[0] - c[0], s->position[1] - c[1], s->position[2] - c[2]};
    if (s->kind == FM_SHAPE_PLANE) {
        double normal[3];
        fm_d3_store(fm_shape_plane_normal(s), normal);
        return fm_nose_plane(offset, normal, wall);
    }
    if (s->kind == FM_SHAPE_SPHERE)
        return fm_flow_sphere_plane(offset, s->size[0], wall);
    if (s->kind == FM_SHAPE_CYLINDER) {
        double axis[3] = {s->rotation[s->axis], s->rotation[3 + s->axis], s->rotation[6 + s->axis]};
        if (fabs(fm_dot(offset, axis)) <= s->size[1])
            return fm_flow_cylinder_plane(offset, axis, s->size[0], wall);
    }
    static const double level[4] = {1, 0, 0, 0};
    fm_shape point = fm_shape_sphere(1e-6);
    fm_separation found;
    fm_shape_place(&point, c, level);
    fm_shape_separation(&point, s, &found);
    for (int k = 0; k < 3; k++)
        wall[k] = -found.normal[k];
    return found.distance + 1e-6;
}

/* Keeps the nearest planes, in order. */
static void keep_tangent(fm_flow_record *record, const double wall[3], double h, const double rotation[9])
{
    if (record->count == FM_FLOW_PLANES && !(h < record->tangents[record->count - 1].h))
        return;
    if (record->count == FM_FLOW_PLANES)
        record->count--; /* the farthest gives way */
    fm_nose_keep(record->tangents, (int)record->count, wall, h, rotation);
    record->count++;
}

static const double HULL_REACH = 20; /* nose radii within which other hulls count as obstacles: 1e-5 of the speed */

static void search_around(const fm_part_context *context, const fm_flow_config *flow, const double centre[3],
                          fm_flow_record *record)
{
    const fm_environment *e = context->environment;
    record->count = 0;
    for (size_t i = 0; i < e->obstacle_count; i++) {
        const fm_obstacle *o = &e->obstacles[i];
        fm_shape moved;
        const fm_shape *shape = &o->shape;
        if (o->track_count)
            moved = fm_obstacle_at(o, context->time), shape = &moved;
        double wall[3], h = touching_plane(shape, centre, wall);
        keep_tangent(record, wall, h, context->vehicle->rotation);
    }
    fm_shape hulls[FM_FLOW_HULLS];
    size_t hull_count = fm_flow_hulls(context, centre, HULL_REACH * flow->radius, hulls);
    for (size_t i = 0; i < hull_count; i++) {
        double wall[3], h = touching_plane(&hulls[i], centre, wall);
        keep_tangent(record, wall, h, context->vehicle->rotation);
    }
    const fm_flow_tangent *near = &record->tangents[0];
    record->gap = record->count ? near->h - flow->radius : FM_FLOW_FAR;
    record->bearing = record->count ? fm_atan2(near->wall[1], near->wall[0]) : 0;
}

/* --- in a step --- */

/* Velocity of the nose through the water, body axes. */
static void nose_velocity(const fm_part_context *context, const fm_flow_config *flow, fm_flow_record *record)
{
    const fm_vehicle_view *v = context->vehicle;
    fm_nose_velocity(v->velocity, v->rotation, v->water, flow->centre, record->velocity);
    for (int k = 0; k < 3; k++)
        record->turning[k] = v->velocity[3 + k];
    record->speed = fm_sqrt(fm_dot(record->velocity, record->velocity));
}

static void run_flow(const fm_part_context *context)
{
    const fm_flow_config *flow = context->config;
    fm_flow_record *record = context->output;
    fm_flow_nose nose = {.radius = flow->radius, .induced = flow->model == FM_FLOW_SOURCES};
    fm_nose_centre(context->vehicle->position, context->vehicle->rotation, flow->centre, nose.centre);
    nose_velocity(context, flow, record);
    search_around(context, flow, nose.centre, record);
    const double *r = context->vehicle->rotation;
    double *memory = (double *)(void *)(record + 1);
    for (int k = 0; k < 3; k++) {
        record->centre[k] = nose.centre[k];
        nose.velocity[k] =
            r[3 * k] * record->velocity[0] + r[3 * k + 1] * record->velocity[1] + r[3 * k + 2] * record->velocity[2];
    }
    fm_flow_neighbours_find(context, &nose, &record->neighbours);
    if (flow->model == FM_FLOW_SOURCES)
        fm_sources_solve(flow->sources, nose.centre, nose.velocity, memory,
                         memory + fm_sources_state_count(flow->sources));
}

static void start_flow(const fm_part_context *context)
{
    const fm_flow_config *flow = context->config;
    if (flow->model == FM_FLOW_SOURCES)
        fm_sources_reset(flow->sources, (double *)(void *)((fm_flow_record *)context->output + 1));
    run_flow(context);
}

/* --- points --- */

enum { PORTION = 32 };

static void sample_sources(const fm_part_context *context, const fm_flow_config *flow, const fm_flow_record *record,
                           size_t n, const double (*u)[3], double (*v)[3])
{
    const double *r = context->vehicle->rotation;
    double turned[PORTION][3], found[PORTION][3];
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            turned[i][k] = r[3 * k] * u[i][0] + r[3 * k + 1] * u[i][1] + r[3 * k + 2] * u[i][2];
    fm_sources_surface(flow->sources, (const double *)(const void *)(record + 1), (int)n, (const double(*)[3])turned,
                       found);
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            v[i][k] = r[k] * found[i][0] + r[3 + k] * found[i][1] + r[6 + k] * found[i][2];
}

/* Moving bodies nearby, and the response of the nose: the paper's model (mirror) omits both, as it does for walls. */
static void sample_neighbours(const fm_part_context *context, const fm_flow_config *flow, const fm_flow_record *record,
                              size_t n, const double (*from)[3], const double (*unit)[3], double (*v)[3])
{
    const double *r = context->vehicle->rotation;
    fm_flow_around around = {&record->neighbours, context->environment};
    int answers = flow->model != FM_FLOW_MIRROR && flow->model != FM_FLOW_UNDISTURBED;
    for (size_t i = 0; i < n; i++) {
        double u[3], x[3], w[3] = {0};
        for (int k = 0; k < 3; k++) {
            u[k] = r[3 * k] * unit[i][0] + r[3 * k + 1] * unit[i][1] + r[3 * k + 2] * unit[i][2];
            x[k] = record->centre[k] + r[3 * k] * from[i][0] + r[3 * k + 1] * from[i][1] + r[3 * k + 2] * from[i][2];
        }
        if (answers)
            fm_flow_answer_add(record->centre, flow->radius, u, fm_flow_around_add, &around, w);
        else
            fm_flow_around_add(&around, x, w);
        for (int k = 0; k < 3; k++)
            v[i][k] += r[k] * w[0] + r[3 + k] * w[1] + r[6 + k] * w[2];
    }
}

static void sample_portion(const fm_part_context *context, const fm_flow_config *flow, const fm_flow_record *record,
                           size_t n, const double (*r)[3], double (*v)[3])
{
    double from[PORTION][3], unit[PORTION][3];
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++)
            from[i][k] = r[i][k] - flow->centre[k];
        double length = fm_sqrt(fm_dot(from[i], from[i]));
        for (int k = 0; k < 3; k++) {
            unit[i][k] = from[i][k] / fmax(length, 1e-12);
            v[i][k] = 0;
        }
    }
    if (flow->model == FM_FLOW_DIPOLE || flow->model == FM_FLOW_MIRROR)
        fm_nose_sample_mirror(record->tangents, flow->model == FM_FLOW_MIRROR ? (int)record->count : 0, flow->radius,
                              record->velocity, (int)n, (const double(*)[3])from, v);
    if (flow->model == FM_FLOW_WALL)
        fm_nose_sample_walls(flow->table, record->tangents, (int)record->count, flow->radius, record->velocity, (int)n,
                             (const double(*)[3])unit, v);
    if (flow->model == FM_FLOW_SOURCES)
        sample_sources(context, flow, record, n, (const double(*)[3])unit, v);
    if (fm_flow_neighbours_any(&record->neighbours))
        sample_neighbours(context, flow, record, n, (const double(*)[3])from, (const double(*)[3])unit, v);
    for (size_t i = 0; i < n; i++)
        fm_flow_from_hull(record->velocity, record->turning, from[i], v[i]);
}

void fm_flow_sample(const fm_part_context *context, const fm_flow_config *flow, int part, size_t n,
                    const double (*r)[3], double (*v)[3])
{
    const fm_flow_record *record = fm_sensor_output(context, part);
    for (size_t first = 0; first < n; first += PORTION)
        sample_portion(context, flow, record, n - first < PORTION ? n - first : PORTION, r + first, v + first);
}

static const fm_output outputs[] = {
    FM_OUTPUT_NUMBER(fm_flow_record, gap, "gap", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_flow_record, bearing, "bearing", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_flow_record, speed, "speed", "m/s", FM_QUANTITY_NONE),
};
const fm_part_class fm_flow_class = {.kind = FM_PART_SENSOR,
                                     .element = &element,
                                     .output_size = sizeof(fm_flow_record),
                                     .outputs = outputs,
                                     .output_count = FM_COUNT(outputs),
                                     .load = load_flow,
                                     .start = start_flow,
                                     .run = run_flow};
