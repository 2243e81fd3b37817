/* Response of a reflex to orders from outside, and to the vehicle's own motion caused by them (L7). */
#ifndef FM_CONTROL_REFLEX_ORDERS_H
#define FM_CONTROL_REFLEX_ORDERS_H

#include "control/lateral_own.h"
#include "control/reflex.h"

/* Orders as they were last seen. */
typedef struct fm_reflex_known {
    fm_real speed;              /* m/s, cruising */
    fm_real bearing;            /* rad; NaN: none */
    fm_real depth, pitch, roll; /* m, rad */
    fm_real seen;               /* 1: these three are */
} fm_reflex_known;

/* Orders as they are now; bearing NaN: none. */
typedef struct fm_reflex_wish {
    fm_real bearing, depth, pitch, roll;
} fm_reflex_wish;

FM_FN void fm_reflex_state_select(fm_mask m, const fm_reflex_state *from, fm_reflex_state *s)
{
    s->mode = fm_select(m, from->mode, s->mode);
    s->since = fm_select(m, from->since, s->since);
    s->calm_for = fm_select(m, from->calm_for, s->calm_for);
    s->new_course = fm_select(m, from->new_course, s->new_course);
}

/* Whether the vehicle will change its speed on an order, or dive, which disturbs the speed; other orders go to the
 * reflex. `wish` NULL: no orders. */
FM_FN fm_mask fm_reflex_take_orders(fm_reflex_known *k, fm_real cruise, const fm_reflex_wish *wish,
                                    fm_reflex_state *mind)
{
    fm_mask changed = k->speed != cruise;
    k->speed = cruise;
    if (!wish)
        return changed;
    fm_mask seen = k->seen > fm_const(0.5);
    fm_reflex_state next = *mind;
    changed = changed | (seen & (k->depth != wish->depth));
    fm_mask angles = seen & ((k->pitch != wish->pitch) | (k->roll != wish->roll));
    if (fm_any(angles)) {
        fm_reflex_order_angles(&next);
        fm_reflex_state_select(angles, &next, mind);
        next = *mind;
    }
    fm_mask course = (wish->bearing == wish->bearing) & ((k->bearing == wish->bearing) == 0);
    if (fm_any(course)) {
        fm_reflex_order_course(&next, wish->bearing);
        fm_reflex_state_select(course, &next, mind);
    }
    k->bearing = wish->bearing;
    k->depth = wish->depth;
    k->pitch = wish->pitch;
    k->roll = wish->roll;
    k->seen = fm_const(1);
    return changed;
}

/* Whether own motion is subtracted from the measurement now. */
typedef struct fm_reflex_calm {
    fm_real changing; /* 1: own motion changes on an order and is subtracted from the measurement (L7) */
    fm_real calm_for; /* s, since then */
} fm_reflex_calm;

FM_FN void fm_lateral_own_select(fm_mask m, int count, const fm_lateral_own *from, fm_lateral_own *own)
{
    own->forward = fm_select(m, from->forward, own->forward);
    own->yaw_rate = fm_select(m, from->yaw_rate, own->yaw_rate);
    for (int i = 0; i < count; i++) {
        own->temperature[i] = fm_select(m, from->temperature[i], own->temperature[i]);
        own->speed[i] = fm_select(m, from->speed[i], own->speed[i]);
        own->felt[i] = fm_select(m, from->felt[i], own->felt[i]);
    }
}

/* Subtracts own motion from the measurement, from an order until the voltages are calm (L7). */
FM_FN void fm_reflex_follow_own(const fm_lateral_own_params *p, const fm_thermistor *bead, int count, fm_mask changed,
                                fm_real forward, fm_real yaw_rate, const fm_real *voltages, fm_par dt,
                                fm_lateral_own *own, fm_reflex_calm *o, fm_lateral_state *line)
{
    fm_mask begins = changed & (o->changing < fm_const(0.5));
    if (fm_any(begins)) {
        fm_lateral_own fresh;
        fm_lateral_own_begin(p, bead, count, voltages, forward, yaw_rate, &fresh);
        fm_lateral_own_select(begins, count, &fresh, own);
    }
    o->changing = fm_select(changed, fm_const(1), o->changing);
    o->calm_for = fm_select(changed, fm_const(0), o->calm_for);
    fm_mask changing = o->changing > fm_const(0.5);
    if (fm_any(changing)) {
        fm_lateral_own next = *own;
        fm_lateral_state carried;
        for (int i = 0; i < count; i++)
            carried.low[i] = line->low[i];
        fm_lateral_own_step(p, bead, count, forward, yaw_rate, dt, &next, &carried);
        fm_lateral_own_select(changing, count, &next, own);
        for (int i = 0; i < count; i++)
            line->low[i] = fm_select(changing, carried.low[i], line->low[i]);
    }
}

/* Own motion is no longer subtracted once the voltages were calm for long enough. */
FM_FN void fm_reflex_wait_for_calm(fm_var calm, fm_var calm_time, fm_real unrest, fm_par dt, fm_reflex_calm *o)
{
    fm_mask changing = o->changing > fm_const(0.5);
    fm_real calm_for = fm_select(unrest < fm_real_wide(calm), o->calm_for + dt, fm_const(0));
    o->calm_for = fm_select(changing, calm_for, o->calm_for);
    fm_real still = fm_select(o->calm_for < fm_real_wide(calm_time), fm_const(1), fm_const(0));
    o->changing = fm_select(changing, still, o->changing);
}

#endif
