#include "batch/around.h"

#include <math.h>
#include <string.h>

#include "environment/environment.h"

static int has_bottom(const fm_environment *e)
{
    return e->bottom || e->floor.triangle_count || e->map.columns;
}

int fm_around_touches(const fm_model *model, const fm_type *type)
{
    const fm_environment *e = model->environment;
    return (has_bottom(e) || e->obstacle_count) && type->contact.response != FM_CONTACT_NONE && type->shape_count;
}

const char *fm_around_foreign(const fm_model *model, const fm_type *type)
{
    const fm_environment *e = model->environment;
    if (e->floor.triangle_count || e->map.columns ||
        (e->bottom && e->bottom->kind != FM_BOTTOM_PLANE && e->bottom->kind != FM_BOTTOM_NODES))
        return "its <bottom> is a grid or a mesh";
    if (!fm_around_touches(model, type))
        return NULL;
    for (size_t i = 0; i < e->obstacle_count; i++)
        if (e->obstacles[i].track_count)
            return "an obstacle moves on a track";
    return NULL;
}

void fm_around_count(const fm_model *model, const fm_type *type, fm_flat *head)
{
    const fm_environment *e = model->environment;
    if (!e->bottom && !fm_around_touches(model, type))
        return;
    head->count[FM_FLAT_GROUND] = 1;
    head->count[FM_FLAT_NODES] = e->bottom && e->bottom->kind == FM_BOTTOM_NODES ? (uint32_t)e->bottom->nx : 0;
    head->count[FM_FLAT_MOUNDS] = e->bottom ? (uint32_t)e->bottom->mound_count : 0;
    head->count[FM_FLAT_SOLIDS] = fm_around_touches(model, type) ? (uint32_t)e->obstacle_count : 0;
}

static double hull_reach(const fm_type *type)
{
    double reach = 0;
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
    default: /* within a ball */ out->kind = FM_SOLID_BALL; out->size[0] = fm_shape_bounding_radius(s);
    }
}

void fm_around_describe(const fm_model *model, const fm_type *type, fm_flat *flat)
{
    const fm_environment *e = model->environment;
    const fm_bottom *b = e->bottom;
    if (!flat->count[FM_FLAT_GROUND])
        return;
    fm_ground *p = fm_flat_array(flat, FM_FLAT_GROUND);
    memset(p, 0, sizeof *p);
    p->touches = fm_around_touches(model, type);
    p->reach = hull_reach(type);
    p->solids = (int32_t)flat->count[FM_FLAT_SOLIDS];
    fm_ground_solid *solids = fm_flat_array(flat, FM_FLAT_SOLIDS);
    for (int i = 0; i < p->solids; i++)
        describe_solid(&e->obstacles[i].shape, &solids[i]);
    if (!b)
        return;
    p->kind = b->kind == FM_BOTTOM_NODES ? FM_GROUND_NODES : FM_GROUND_PLANE;
    p->depth = b->depth;
    p->slope_x = b->slope_x;
    p->slope_y = b->slope_y;
    p->x0 = b->x0;
    p->dx = b->dx > 0 ? b->dx : 1;
    p->nodes = (int32_t)flat->count[FM_FLAT_NODES];
    p->mounds = (int32_t)b->mound_count;
    /* up to 10 m/s; one that is faster is doubted */
    p->span = (int32_t)fmin(ceil(2 * (p->reach + 0.01 + 20 * type->step_s) / p->dx) + 1, 1 + p->nodes);
    for (int i = 0; i < p->nodes; i++)
        ((double *)fm_flat_array(flat, FM_FLAT_NODES))[i] = b->depths[i];
    for (size_t i = 0; i < b->mound_count; i++) {
        const fm_mound *m = &b->mounds[i];
        ((fm_ground_mound *)fm_flat_array(flat, FM_FLAT_MOUNDS))[i] =
            (fm_ground_mound){m->height, {m->centre[0], m->centre[1]}, m->alpha, m->beta};
    }
}
