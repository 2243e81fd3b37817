/* A vehicle that detects walls (control/feeler.h) in non-uniform water: obstacles that move through it, on tracks or in
 * a current, and vortices act too. The equivalent of <flow> in a world (flow/neighbours.h), for one vehicle alone. */
#ifndef FM_CONTROL_FEELER_FLOW_H
#define FM_CONTROL_FEELER_FLOW_H

#include "control/feeler.h"
#include "flow/flow_bodies.h"
#include "forces/surroundings.h"

static_assert(sizeof(fm_flow_form) == 5 * sizeof(fm_var), "a record of physics/flat.h");

typedef struct fm_feeler_flow_craft {
    fm_feeler_craft feeler;
    const fm_flow_form *forms; /* of the solids, where the feeler stirs */
} fm_feeler_flow_craft;

FM_FN fm_feeler_flow_craft fm_flat_feeler_flow(const fm_flat *flat, const fm_wall_table *table)
{
    const char *block = (const char *)flat;
    fm_feeler_flow_craft c;
    c.feeler = fm_flat_feeler(flat, table);
    c.forms = (const fm_flow_form *)(const void *)(block + flat->at[FM_FLAT_FORMS]);
    return c;
}

/* What moves near the nose at one moment; NED. */
typedef struct fm_stir {
    fm_real centre[FM_FLOW_PLANES][3], velocity[FM_FLOW_PLANES][3]; /* of each solid: m; m/s through the water */
    fm_flow_line lines[FM_FLOW_PLANES];                             /* balls */
    fm_real felt[FM_FLOW_PLANES];                                   /* 1: it is felt */
    fm_real any;                                                    /* 1: one is, or vortices are */
    fm_real base[3]; /* m/s, of the vortices where the vehicle is: already part of its velocity through the water */
    int swirls;
} fm_stir;

/* --- who is there --- */

/* Whether the i-th solid is felt; columns are endless (D3). */
FM_FN fm_mask fm_stir_meet(const fm_feeler_flow_craft *c, int i, const fm_feeler_view *v, fm_stir *out)
{
    const fm_ground_solid *solid = &c->feeler.ground.solids[i];
    const fm_real least = fm_const(FM_FLOW_LEAST), *velocity = out->velocity[i];
    fm_real offset[3], axis[3];
    for (int k = 0; k < 3; k++) {
        offset[k] = v->centre[k] - out->centre[i][k];
        axis[k] = fm_real_wide(solid->axes[3 * k]);
    }
    if (solid->kind == FM_SOLID_CYLINDER)
        return (fm_flow_cylinder_effect(offset, axis, velocity, solid->size[0], solid->size[1]) < least) == 0;
    out->lines[i] = fm_flow_form_move(&c->forms[i], out->centre[i], axis, velocity);
    return (fm_dot(velocity, velocity) > fm_const(0)) &
           ((fm_flow_line_effect(&out->lines[i], v->centre, c->feeler.p->radius) < least) == 0);
}

FM_WHOLE void fm_stir_find(const fm_feeler_flow_craft *c, const fm_surroundings *h, const fm_body_state *state,
                           const fm_real water[3], fm_par time, const fm_feeler_view *v, fm_stir *out)
{
    const fm_ground_craft *ground = &c->feeler.ground;
    out->swirls = fm_surroundings_swirls(h);
    out->any = fm_const(out->swirls);
    for (int i = 0; i < c->feeler.walls; i++) {
        out->felt[i] = fm_const(0);
        if (ground->solids[i].kind == FM_SOLID_PLANE)
            continue;
        fm_solid_where(&ground->solids[i], ground->tracks, time, out->centre[i]);
        fm_solid_velocity(&ground->solids[i], ground->tracks, time, out->velocity[i]);
        for (int k = 0; k < 3; k++)
            out->velocity[i][k] -= water[k];
        const fm_mask felt = fm_stir_meet(c, i, v, out);
        out->felt[i] = fm_select(felt, fm_const(1), fm_const(0));
        out->any = fm_select(felt, fm_const(1), out->any);
    }
    for (int k = 0; k < 3; k++)
        out->base[k] = fm_const(0);
    if (out->swirls)
        fm_surroundings_add_swirls(h, state->position, out->base);
}

/* --- what they do --- */

FM_FN void fm_stir_add_solid(const fm_feeler_flow_craft *c, int i, const fm_stir *stir, const fm_real x[3],
                             fm_real v[3])
{
    const fm_ground_solid *solid = &c->feeler.ground.solids[i];
    fm_real with[3], offset[3], axis[3];
    for (int k = 0; k < 3; k++) {
        with[k] = v[k];
        offset[k] = x[k] - stir->centre[i][k];
        axis[k] = fm_real_wide(solid->axes[3 * k]);
    }
    if (solid->kind == FM_SOLID_CYLINDER)
        fm_flow_cylinder_add(offset, axis, stir->velocity[i], solid->size[0], with);
    else
        fm_flow_ball_add(&stir->lines[i], x, with);
    for (int k = 0; k < 3; k++)
        v[k] = fm_select(stir->felt[i] > fm_const(0), with[k], v[k]);
}

/* Adds the velocity at a point: balls, then columns, then vortices. */
FM_WHOLE void fm_stir_add(const fm_feeler_flow_craft *c, const fm_surroundings *h, const fm_stir *stir,
                          const fm_real x[3], fm_real v[3])
{
    for (int columns = 0; columns < 2; columns++)
        for (int i = 0; i < c->feeler.walls; i++) {
            const int32_t kind = c->feeler.ground.solids[i].kind;
            if (kind != FM_SOLID_PLANE && (kind == FM_SOLID_CYLINDER) == columns && fm_any(stir->felt[i] > fm_const(0)))
                fm_stir_add_solid(c, i, stir, x, v);
        }
    if (!stir->swirls)
        return;
    fm_surroundings_add_swirls(h, x, v);
    for (int k = 0; k < 3; k++)
        v[k] -= stir->base[k];
}

/* At a sensor, body axes, including the response of the nose: the paper's model (mirror) omits it, as it does for
 * walls. */
FM_FN void fm_stir_past(const fm_feeler_flow_craft *c, const fm_surroundings *h, const fm_stir *stir,
                        const fm_feeler_view *v, const fm_real from[3], const fm_real unit[3], fm_real out[3])
{
    const int32_t model = c->feeler.p->model;
    fm_real u[3], x[3], w[3], sum[3], zero = fm_const(0);
    for (int k = 0; k < 3; k++) {
        const fm_real *r = &v->R[3 * k];
        u[k] = r[0] * unit[0] + r[1] * unit[1] + r[2] * unit[2];
        x[k] = v->centre[k] + r[0] * from[0] + r[1] * from[1] + r[2] * from[2];
        w[k] = sum[k] = zero;
    }
    if (model == FM_FLOW_MIRROR || model == FM_FLOW_UNDISTURBED) {
        fm_stir_add(c, h, stir, x, w);
    } else {
        for (int i = 0; i < FM_FLOW_ASKED; i++) {
            fm_real there[3] = {zero, zero, zero};
            fm_flow_asked_point(i, v->centre, c->feeler.p->radius, u, x);
            fm_stir_add(c, h, stir, x, there);
            fm_flow_asked_take(i, there, sum);
        }
        fm_flow_asked_answer(sum, u, w);
    }
    for (int k = 0; k < 3; k++)
        out[k] =
            fm_select(stir->any > zero, out[k] + (v->R[k] * w[0] + v->R[3 + k] * w[1] + v->R[6 + k] * w[2]), out[k]);
}

/* Water past each sensor [m/s]. */
FM_WHOLE void fm_feeler_flow_feel(const fm_feeler_flow_craft *c, const fm_surroundings *h, const fm_body_state *state,
                                  const fm_real water[3], fm_par time, const fm_feeler_view *v, fm_real *speed)
{
    fm_feeler_skin skin;
    fm_stir stir;
    fm_feeler_sample(&c->feeler, v, &skin);
    if (c->feeler.p->stirs) {
        fm_stir_find(c, h, state, water, time, v, &stir);
        for (int i = 0; i < c->feeler.p->sensors && fm_any(stir.any > fm_const(0)); i++)
            fm_stir_past(c, h, &stir, v, skin.from[i], skin.unit[i], skin.w[i]);
    }
    fm_feeler_past(&c->feeler, v, &skin, speed);
}

/* --- a step --- */

/* As fm_feeler_begin and fm_feeler_sense. */
FM_WHOLE void fm_feeler_flow_begin(const fm_feeler_flow_craft *c, const fm_surroundings *h, const fm_body *body,
                                   const fm_body_state *state, const fm_real water[3], fm_feeler_state *s)
{
    fm_feeler_view v;
    fm_feeler_clear(&c->feeler, s);
    fm_feeler_observe(&c->feeler, body, state, water, 0, &v);
    fm_feeler_flow_feel(c, h, state, water, 0, &v, s->velocity);
    fm_feeler_settle(&c->feeler, state, &v, s);
}

FM_WHOLE void fm_feeler_flow_sense(const fm_feeler_flow_craft *c, const fm_surroundings *h, const fm_body *body,
                                   const fm_body_state *state, const fm_real water[3], const fm_step_moment *now,
                                   fm_feeler_state *s, fm_real *doubt, fm_feeler_view *v)
{
    const fm_par time = (fm_par)now->tick * c->feeler.dt;
    fm_real speed[FM_FEELER_SENSORS];
    fm_feeler_observe(&c->feeler, body, state, water, time, v);
    *doubt = fm_select(v->lost, fm_const(1), *doubt);
    fm_feeler_flow_feel(c, h, state, water, time, v, speed);
    fm_feeler_warm(&c->feeler, now, speed, s, v);
    fm_feeler_tell(&c->feeler, state, s, v);
}

#endif
