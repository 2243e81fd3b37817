#include "batch/ground.h"

#include <math.h>
#include <string.h>

#include "environment/environment.h"
#include "world/contact_internal.h"

static int has_bottom(const fm_environment *e)
{
    return e->bottom || e->floor.triangle_count || e->map.columns;
}

int fm_ground_touches(const fm_model *model, const fm_type *type)
{
    const fm_environment *e = model->environment;
    return (has_bottom(e) || e->obstacle_count) && type->contact.response != FM_CONTACT_NONE && type->shape_count;
}

const char *fm_ground_foreign(const fm_model *model, const fm_type *type)
{
    const fm_environment *e = model->environment;
    (void)type;
    if (e->floor.triangle_count || e->map.columns ||
        (e->bottom && e->bottom->kind != FM_BOTTOM_PLANE && e->bottom->kind != FM_BOTTOM_NODES))
        return "its <bottom> is a grid or a mesh";
    return NULL;
}

int fm_ground_clears(const fm_model *model, const fm_type *type)
{
    const fm_bottom *b = model->environment->bottom;
    if (!fm_ground_touches(model, type))
        return 1;
    return !type->kind->lanes->reach && (!b || (b->kind == FM_BOTTOM_PLANE && !b->mound_count));
}

void fm_ground_count(const fm_model *model, const fm_type *type, int feels, fm_flat *head)
{
    const fm_environment *e = model->environment;
    const int touches = fm_ground_touches(model, type);
    if (!e->bottom && !touches && !(feels && e->obstacle_count) && !(type->crush_depth > 0))
        return;
    head->count[FM_FLAT_GROUND] = 1;
    head->count[FM_FLAT_NODES] = e->bottom && e->bottom->kind == FM_BOTTOM_NODES ? (uint32_t)e->bottom->nx : 0;
    head->count[FM_FLAT_MOUNDS] = e->bottom ? (uint32_t)e->bottom->mound_count : 0;
    head->count[FM_FLAT_SHAPES] = !touches ? 0 : type->kind->lanes->reach ? 1 : (uint32_t)type->shape_count;
    head->count[FM_FLAT_SOLIDS] = touches || feels ? (uint32_t)e->obstacle_count : 0;
    for (size_t i = 0; i < head->count[FM_FLAT_SOLIDS]; i++)
        head->count[FM_FLAT_TRACKS] += (uint32_t)e->obstacles[i].track_count;
}

static double hull_reach(const fm_environment *sea, const fm_type *type)
{
    double reach = 0;
    if (type->kind->lanes->reach)
        return type->kind->lanes->reach(sea, type);
    for (size_t i = 0; i < type->shape_count; i++) {
        const fm_shape *s = &type->shapes[i];
        reach = fmax(reach, fm_shape_bounding_radius(s) + fm_norm(s->position));
    }
    return reach;
}

/* The first axis along a round body. */
static void put_axes(const fm_shape *s, double axes[9])
{
    int first = s->kind == FM_SHAPE_CYLINDER || s->kind == FM_SHAPE_CAPSULE ? s->axis : 0;
    for (int row = 0; row < 3; row++)
        for (int k = 0; k < 3; k++)
            axes[3 * row + k] = s->rotation[3 * row + (first + k) % 3];
}

static void describe_solid(const fm_shape *s, fm_ground_solid *out)
{
    memset(out, 0, sizeof *out);
    memcpy(out->centre, s->position, sizeof out->centre);
    memcpy(out->size, s->size, sizeof out->size);
    put_axes(s, out->axes);
    switch (s->kind) {
    case FM_SHAPE_PLANE: {
        fm_d3 n = fm_shape_plane_normal(s);
        out->kind = FM_SOLID_PLANE;
        out->axes[0] = n.x, out->axes[3] = n.y, out->axes[6] = n.z;
        break;
    }
    case FM_SHAPE_BOX: out->kind = FM_SOLID_BOX; break;
    case FM_SHAPE_CYLINDER: out->kind = FM_SOLID_CYLINDER; break;
    case FM_SHAPE_CAPSULE: out->kind = FM_SOLID_CAPSULE; break;
    case FM_SHAPE_SPHERE: out->kind = FM_SOLID_BALL; break;
    default: out->kind = FM_SOLID_WITHIN; out->size[0] = fm_shape_bounding_radius(s);
    }
}

/* An obstacle with its track; those of all obstacles are consecutive, from `first` on. */
static int32_t describe_obstacle(const fm_obstacle *o, int32_t first, fm_ground_station *tracks, fm_ground_solid *out)
{
    describe_solid(&o->shape, out);
    out->first = first;
    out->points = (int32_t)o->track_count;
    out->loops = o->loops;
    for (int32_t i = 0; i < out->points; i++) {
        fm_ground_station *station = &tracks[first + i];
        station->t = o->track_time[i];
        memcpy(station->position, o->track[i], sizeof station->position);
        double velocity[3] = {0}, span = i ? o->track_time[i] - o->track_time[i - 1] : 0;
        for (int k = 0; k < 3 && span > 0; k++)
            velocity[k] = (o->track[i][k] - o->track[i - 1][k]) / span;
        out->speed = fmax(out->speed, fm_norm(velocity));
    }
    return first + out->points;
}

/* A hull that bends: a world checks it when its bounding ball is near. */
static void describe_ball(double radius, fm_ground_solid *out)
{
    *out = (fm_ground_solid){.kind = FM_SOLID_WITHIN, .size = {radius}, .axes = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

static void describe_hull(const fm_type *type, fm_flat *flat, fm_ground *p)
{
    fm_ground_solid *shapes = fm_flat_array(flat, FM_FLAT_SHAPES);
    p->shapes = (int32_t)flat->count[FM_FLAT_SHAPES];
    p->touch = FM_CONTACT_TOUCH;
    p->ends = type->contact.ends && type->contact.response == FM_CONTACT_COUNT;
    p->clearance = type->contact.clearance && !type->kind->lanes->reach;
    p->crushes = type->crush_depth > 0;
    p->crush = type->crush_depth;
    if (p->shapes && type->kind->lanes->reach)
        describe_ball(p->reach, shapes);
    for (int i = 0; i < p->shapes && !type->kind->lanes->reach; i++)
        describe_solid(&type->shapes[i], &shapes[i]);
}

static void describe_plane(const fm_bottom *b, fm_ground *p)
{
    const double up[3] = {b->slope_x, b->slope_y, -1};
    for (int k = 0; k < 3; k++)
        p->up[k] = up[k] / fm_norm(up);
    p->depth = b->depth;
    p->slope_x = b->slope_x;
    p->slope_y = b->slope_y;
}

void fm_ground_describe(const fm_model *model, const fm_type *type, fm_flat *flat)
{
    const fm_environment *e = model->environment;
    const fm_bottom *b = e->bottom;
    if (!flat->count[FM_FLAT_GROUND])
        return;
    fm_ground *p = fm_flat_array(flat, FM_FLAT_GROUND);
    memset(p, 0, sizeof *p);
    p->touches = fm_ground_touches(model, type);
    p->reach = hull_reach(e, type);
    p->solids = (int32_t)flat->count[FM_FLAT_SOLIDS];
    fm_ground_solid *solids = fm_flat_array(flat, FM_FLAT_SOLIDS);
    for (int i = 0, track = 0; i < p->solids; i++)
        track = describe_obstacle(&e->obstacles[i], track, fm_flat_array(flat, FM_FLAT_TRACKS), &solids[i]);
    describe_hull(type, flat, p);
    if (!b)
        return;
    p->kind = b->kind == FM_BOTTOM_NODES ? FM_GROUND_NODES : FM_GROUND_PLANE;
    describe_plane(b, p);
    p->x0 = b->x0;
    p->dx = b->dx > 0 ? b->dx : 1;
    p->nodes = (int32_t)flat->count[FM_FLAT_NODES];
    p->mounds = (int32_t)b->mound_count;
    /* for up to 10 m/s; a faster vehicle is repeated by a world */
    p->span = (int32_t)fmin(ceil(2 * (p->reach + 0.01 + 20 * type->step_s) / p->dx) + 1, 1 + p->nodes);
    for (int i = 0; i < p->nodes; i++)
        ((double *)fm_flat_array(flat, FM_FLAT_NODES))[i] = b->depths[i];
    for (size_t i = 0; i < b->mound_count; i++) {
        const fm_mound *m = &b->mounds[i];
        ((fm_ground_mound *)fm_flat_array(flat, FM_FLAT_MOUNDS))[i] =
            (fm_ground_mound){m->height, {m->centre[0], m->centre[1]}, m->alpha, m->beta};
    }
}
