#include "flow/neighbours.h"

#include <math.h>

#include "environment/bodies.h"
#include "flow/flow_dipole.h"

static double distance(const double a[3], const double b[3])
{
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(fm_dot(d, d));
}

/* --- a shape as a spheroid --- */

/* Half lengths along the local axes. */
static void half_sizes(const fm_shape *s, double half[3])
{
    for (int k = 0; k < 3; k++)
        half[k] = s->size[0];
    if (s->kind == FM_SHAPE_BOX || s->kind == FM_SHAPE_ELLIPSOID)
        half[1] = s->size[1], half[2] = s->size[2];
    if (s->kind == FM_SHAPE_CYLINDER)
        half[s->axis] = s->size[1];
    if (s->kind == FM_SHAPE_CAPSULE)
        half[s->axis] = s->size[0] + s->size[1];
    for (int k = 0; k < 3 && s->kind == FM_SHAPE_HULL && s->point_count; k++) {
        half[k] = 1e-6;
        for (uint32_t i = 0; i < s->point_count; i++)
            half[k] = fmax(half[k], fabs(s->points[i][k]));
    }
}

fm_flow_form fm_flow_shape_form(const fm_shape *s, int *longest)
{
    double half[3];
    half_sizes(s, half);
    int i = half[0] >= half[1] && half[0] >= half[2] ? 0 : half[1] >= half[2] ? 1 : 2;
    *longest = i;
    return fm_flow_form_make(half[i], sqrt(half[(i + 1) % 3] * half[(i + 2) % 3]));
}

static fm_flow_line spheroid_of(const fm_shape *s, const double velocity[3])
{
    double axis[3];
    int longest;
    fm_flow_form form = fm_flow_shape_form(s, &longest);
    for (int k = 0; k < 3; k++)
        axis[k] = s->rotation[3 * k + longest];
    return fm_flow_form_move(&form, s->position, axis, velocity);
}

/* --- who is there --- */

static double effect(const fm_flow_line *line, const fm_flow_nose *nose)
{
    return fm_flow_line_effect(line, nose->centre, nose->radius);
}

/* Keeps the strongest. */
static void keep_line(const fm_flow_nose *nose, const fm_flow_line *line, fm_flow_neighbours *out)
{
    if (effect(line, nose) < FM_FLOW_LEAST)
        return;
    int64_t at = out->line_count;
    if (at == FM_FLOW_LINES) {
        at = 0;
        for (int64_t i = 1; i < FM_FLOW_LINES; i++)
            at = effect(&out->lines[i], nose) < effect(&out->lines[at], nose) ? i : at;
        if (effect(&out->lines[at], nose) >= effect(line, nose))
            return;
    } else {
        out->line_count++;
    }
    out->lines[at] = *line;
}

static void keep_pillar(const fm_shape *s, const fm_flow_nose *nose, const double velocity[3], fm_flow_neighbours *out)
{
    fm_flow_pillar p = {.radius = s->size[0]};
    double offset[3];
    for (int k = 0; k < 3; k++) {
        p.point[k] = s->position[k], p.velocity[k] = velocity[k];
        p.axis[k] = s->rotation[3 * k + s->axis];
        offset[k] = nose->centre[k] - s->position[k];
    }
    if (out->pillar_count < FM_FLOW_CYLINDERS &&
        !(fm_flow_cylinder_effect(offset, p.axis, velocity, p.radius, s->size[1]) < FM_FLOW_LEAST))
        out->pillars[out->pillar_count++] = p;
}

static void keep_shape(const fm_shape *s, const fm_flow_nose *nose, const double velocity[3], fm_flow_neighbours *out)
{
    if (s->kind == FM_SHAPE_PLANE || !(fm_dot(velocity, velocity) > 0))
        return;
    fm_flow_line line = spheroid_of(s, velocity);
    keep_line(nose, &line, out);
}

/* Obstacles that move through the water, on tracks or because it flows past them. Columns are endless (D3). */
static void find_obstacles(const fm_part_context *context, const fm_flow_nose *nose, fm_flow_neighbours *out)
{
    const fm_environment *e = context->environment;
    for (size_t i = 0; i < e->obstacle_count; i++) {
        const fm_obstacle *o = &e->obstacles[i];
        fm_shape now = o->track_count ? fm_obstacle_at(o, context->time) : o->shape;
        double velocity[3] = {0};
        if (o->track_count)
            fm_obstacle_velocity(o, context->time, velocity);
        for (int k = 0; k < 3; k++)
            velocity[k] -= context->vehicle->water[k];
        if (now.kind == FM_SHAPE_CYLINDER)
            keep_pillar(&now, nose, velocity, out);
        else
            keep_shape(&now, nose, velocity, out);
    }
}

static const double FARTHEST = 100; /* m: other hulls are not felt from there */

/* A search around the nose for other hulls. */
typedef struct hull_search {
    const fm_part_context *context;
    const fm_flow_nose *nose;
    fm_flow_neighbours *out;
} hull_search;

/* Another vehicle; where the flow model knows no obstacle there, with the dipole that the nose induces in it. */
static void keep_hull(void *user, const fm_ray_body *b)
{
    const hull_search *s = user;
    const fm_bodies *bodies = s->context->bodies;
    const fm_flow_nose *nose = s->nose;
    double velocity[3], own[3] = {0}, r[3];
    if (b->body >= FM_BODY_OBSTACLE || b->body == (uint32_t)s->context->slot ||
        distance(b->shape.position, nose->centre) > FARTHEST)
        return;
    bodies->velocity(bodies->world, b->body, b->shape.position, velocity);
    for (int k = 0; k < 3; k++)
        r[k] = b->shape.position[k] - nose->centre[k];
    if (nose->induced)
        fm_flow_dipole_add(r, nose->velocity, nose->radius, own);
    for (int k = 0; k < 3; k++)
        velocity[k] -= s->context->vehicle->water[k] + own[k];
    keep_shape(&b->shape, nose, velocity, s->out);
}

static void visit_around(const fm_part_context *context, const double centre[3], double reach, fm_body_visitor *visit,
                         void *user)
{
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = centre[k] - reach;
        high[k] = centre[k] + reach;
    }
    if (context->bodies)
        fm_bodies_visit_box(context->bodies, low, high, visit, user);
}

static void find_hulls(const fm_part_context *context, const fm_flow_nose *nose, fm_flow_neighbours *out)
{
    hull_search s = {context, nose, out};
    if (context->bodies && context->bodies->velocity)
        visit_around(context, nose->centre, FARTHEST, keep_hull, &s);
}

void fm_flow_neighbours_find(const fm_part_context *context, const fm_flow_nose *nose, fm_flow_neighbours *out)
{
    const fm_current *current = &context->environment->current;
    out->line_count = out->pillar_count = 0;
    out->time = context->time;
    find_obstacles(context, nose, out);
    find_hulls(context, nose, out);
    out->swirls = fm_current_has_vortices(current);
    for (int k = 0; k < 3; k++)
        out->base[k] = 0;
    if (out->swirls)
        fm_current_vortices_add(current, context->time, context->vehicle->position, out->base);
}

int fm_flow_neighbours_any(const fm_flow_neighbours *n)
{
    return n->line_count > 0 || n->pillar_count > 0 || n->swirls;
}

void fm_flow_around_add(const void *around, const double x[3], double v[3])
{
    const fm_flow_around *a = around;
    const fm_flow_neighbours *n = a->neighbours;
    for (int64_t i = 0; i < n->line_count; i++)
        fm_flow_line_add(&n->lines[i], x, v);
    for (int64_t i = 0; i < n->pillar_count; i++) {
        const fm_flow_pillar *p = &n->pillars[i];
        double offset[3] = {x[0] - p->point[0], x[1] - p->point[1], x[2] - p->point[2]};
        fm_flow_cylinder_add(offset, p->axis, p->velocity, p->radius, v);
    }
    if (!n->swirls)
        return;
    fm_current_vortices_add(&a->environment->current, n->time, x, v);
    for (int k = 0; k < 3; k++)
        v[k] -= n->base[k];
}

/* The first hulls within reach. */
typedef struct hull_list {
    const fm_part_context *context;
    const double *centre;
    double reach;
    fm_shape *hulls;
    size_t count;
} hull_list;

static void list_hull(void *user, const fm_ray_body *b)
{
    hull_list *l = user;
    double half[3];
    if (b->body >= FM_BODY_OBSTACLE || b->body == (uint32_t)l->context->slot || l->count == FM_FLOW_HULLS)
        return;
    half_sizes(&b->shape, half);
    double size = fmax(half[0], fmax(half[1], half[2]));
    if (distance(b->shape.position, l->centre) < l->reach + size)
        l->hulls[l->count++] = b->shape;
}

size_t fm_flow_hulls(const fm_part_context *context, const double centre[3], double reach,
                     fm_shape hulls[FM_FLOW_HULLS])
{
    hull_list list = {context, centre, reach, hulls, 0};
    visit_around(context, centre, reach, list_hull, &list);
    return list.count;
}
