/* The senses of a vehicle that feels walls: water past the nose, lateral line, IMU record (control/feeler.h). */
#ifndef FM_CONTROL_FEELER_SENSE_H
#define FM_CONTROL_FEELER_SENSE_H

#include "base/random.h"
#include "control/due.h"
#include "control/feeler_state.h"
#include "sensors/mount.h"

/* What a vehicle finds around it at one moment. */
typedef struct fm_feeler_view {
    fm_real R[9];
    fm_real centre[3], velocity[3], turning[3]; /* of the nose: m, NED; m/s through the water; rad/s */
    fm_flow_tangent tangents[FM_FLOW_PLANES];
    fm_real gap, bearing; /* m, rad */
    fm_mask lost;         /* only a world knows what is around */
    fm_motion_record told;
    fm_real voltages[FM_FEELER_SENSORS];
} fm_feeler_view;

FM_FN void fm_feeler_wide(const fm_var *from, int count, fm_real *to)
{
    for (int i = 0; i < count; i++)
        to[i] = fm_real_wide(from[i]);
}

/* --- around the nose --- */

/* The plane that touches an object at `place` where it is nearest to the centre of the nose, as <flow> uses it; lost:
 * beyond the end of a column the nearest point differs. Returns the distance, m; wall: unit, NED. */
FM_FN fm_real fm_feeler_plane(const fm_ground_solid *solid, const fm_real point[3], const fm_real centre[3],
                              fm_real wall[3], fm_mask *lost)
{
    fm_real offset[3], axis[3];
    for (int k = 0; k < 3; k++) {
        offset[k] = point[k] - centre[k];
        axis[k] = fm_real_wide(solid->axes[3 * k]);
    }
    if (solid->kind == FM_SOLID_PLANE)
        return fm_nose_plane(offset, axis, wall);
    if (solid->kind == FM_SOLID_BALL)
        return fm_flow_sphere_plane(offset, solid->size[0], wall);
    *lost = *lost | (fm_abs(fm_dot(offset, axis)) > fm_real_wide(solid->size[1]));
    return fm_flow_cylinder_plane(offset, axis, solid->size[0], wall);
}

/* The nose, and what it is near at `time` [s]. */
FM_FN void fm_feeler_observe(const fm_feeler_craft *f, const fm_body *body, const fm_body_state *state,
                             const fm_real water[3], fm_par time, fm_feeler_view *v)
{
    const fm_feeler *p = f->p;
    fm_real centre[3];
    v->lost = fm_const(0) > fm_const(0);
    fm_feeler_wide(p->centre, 3, centre);
    fm_body_matrix(body, state->attitude, v->R);
    fm_nose_centre(state->position, v->R, centre, v->centre);
    fm_nose_velocity(state->velocity, v->R, water, centre, v->velocity);
    for (int k = 0; k < 3; k++)
        v->turning[k] = state->velocity[3 + k];
    for (int i = 0; i < f->walls; i++) {
        const fm_ground_solid *solid = &f->ground.solids[i];
        fm_real point[3], wall[3];
        fm_solid_where(solid, f->ground.tracks, time, point);
        fm_real h = fm_feeler_plane(solid, point, v->centre, wall, &v->lost);
        fm_nose_keep(v->tangents, i, wall, h, v->R);
    }
    v->gap = f->walls ? v->tangents[0].h - p->radius : fm_const(FM_HUGE);
    v->bearing = f->walls ? fm_atan2(v->tangents[0].wall[1], v->tangents[0].wall[0]) : fm_const(0);
}

/* The sensors, and the water past each by the flow model, body axes. */
typedef struct fm_feeler_skin {
    fm_real from[FM_FEELER_SENSORS][3], unit[FM_FEELER_SENSORS][3]; /* m from the centre of the nose, and of length 1 */
    fm_real w[FM_FEELER_SENSORS][3];                                /* m/s */
} fm_feeler_skin;

FM_FN void fm_feeler_sample(const fm_feeler_craft *f, const fm_feeler_view *v, fm_feeler_skin *skin)
{
    const fm_feeler *p = f->p;
    for (int i = 0; i < p->sensors; i++) {
        fm_feeler_wide(f->sensors[i].from, 3, skin->from[i]);
        fm_feeler_wide(f->sensors[i].unit, 3, skin->unit[i]);
        for (int k = 0; k < 3; k++)
            skin->w[i][k] = fm_const(0);
    }
    if (p->model == FM_FLOW_DIPOLE || p->model == FM_FLOW_MIRROR)
        fm_nose_sample_mirror(v->tangents, p->model == FM_FLOW_MIRROR ? f->walls : 0, p->radius, v->velocity,
                              p->sensors, (const fm_real(*)[3])skin->from, skin->w);
    if (p->model == FM_FLOW_WALL)
        fm_nose_sample_walls(f->table, v->tangents, f->walls, p->radius, v->velocity, p->sensors,
                             (const fm_real(*)[3])skin->unit, skin->w);
}

/* Water past each sensor along its direction [m/s]. */
FM_FN void fm_feeler_past(const fm_feeler_craft *f, const fm_feeler_view *v, fm_feeler_skin *skin, fm_real *speed)
{
    for (int i = 0; i < f->p->sensors; i++) {
        fm_real direction[3];
        fm_feeler_wide(f->sensors[i].direction, 3, direction);
        fm_flow_from_hull(v->velocity, v->turning, skin->from[i], skin->w[i]);
        speed[i] = fm_dot(skin->w[i], direction);
    }
}

FM_FN void fm_feeler_feel(const fm_feeler_craft *f, const fm_feeler_view *v, fm_real *speed)
{
    fm_feeler_skin skin;
    fm_feeler_sample(f, v, &skin);
    fm_feeler_past(f, v, &skin, speed);
}

/* --- sensors --- */

/* The beads a step later, in water of this speed past each sensor, and their voltages. */
FM_FN void fm_feeler_warm(const fm_feeler_craft *f, const fm_step_moment *now, const fm_real *speed, fm_feeler_state *s,
                          fm_feeler_view *v)
{
    const fm_feeler *p = f->p;
    fm_real noise[2];
    for (int i = 0; i < p->sensors; i++) {
        fm_real mean = fm_const(0.5) * (fm_abs(s->velocity[i]) + fm_abs(speed[i]));
        s->temperature[i] = fm_thermistor_step(&p->bead, s->temperature[i], mean, f->dt);
        s->velocity[i] = speed[i];
        fm_real u = fm_thermistor_voltage(&p->bead, s->temperature[i]);
        u = u + p->bias + p->scale * u;
        if (p->noisy) {
            if (i % 2 == 0)
                fm_step_draw(now, 0, (uint32_t)p->channel, (uint32_t)i / 2, noise);
            u += p->noise * noise[i % 2];
        }
        v->voltages[i] = u;
    }
}

FM_WHOLE void fm_feeler_measure(const fm_feeler_craft *f, const fm_step_moment *now, fm_feeler_state *s,
                                fm_feeler_view *v)
{
    fm_real speed[FM_FEELER_SENSORS];
    fm_feeler_feel(f, v, speed);
    fm_feeler_warm(f, now, speed, s, v);
}

/* The IMU record. */
FM_FN void fm_feeler_tell(const fm_feeler_craft *f, const fm_body_state *state, fm_feeler_state *s, fm_feeler_view *v)
{
    const fm_feeler *p = f->p;
    fm_real at[3], turned[9];
    fm_feeler_wide(p->mount, 3, at);
    fm_feeler_wide(p->turned, 9, turned);
    fm_mount_pose pose = fm_mount_where(at, turned, state->position, v->R, state->velocity);
    v->told.depth = pose.position[2];
    fm_mount_euler(pose.rotation, v->told.euler);
    v->told.euler[2] += s->drift;
    s->drift += p->yaw_drift * f->dt;
    for (int k = 0; k < 3; k++)
        v->told.rates[k] = pose.rates[k];
    v->told.forward = p->forward_scale * pose.velocity[0];
}

#endif
