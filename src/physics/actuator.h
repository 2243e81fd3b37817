/* Actuators: propellers, tunnel thrusters, generic thrusters, fins, ballast and moving masses, in one kernel.
 *
 * An order is limited, passes through the dynamics and becomes a value (rad/s of a shaft, V of a thruster, N, rad of
 * a fin, kg, m). The value then acts: a thruster pushes along its column, a fin deflects, a mass shifts weight. */
#ifndef FM_PHYSICS_ACTUATOR_H
#define FM_PHYSICS_ACTUATOR_H

#include "physics/body.h"
#include "physics/thruster_table.h"

enum fm_actuator_kind {
    FM_ACT_THRUST, /* force along a line */
    FM_ACT_FIN,    /* deflection that the hydrodynamic terms use */
    FM_ACT_MASS,   /* ballast (kg) or moving mass (m): changes fm_mass; the world renews it */
    FM_ACT_FREE    /* no force of its own: a value for others (joints, lights) */
};
enum fm_actuator_law {
    FM_LAW_LINEAR,
    FM_LAW_SQUARE,
    FM_LAW_TABLE,
    FM_LAW_SCREW, /* a propeller by its open-water curve; at rest as FM_LAW_SQUARE */
    FM_LAW_FOIL   /* a fin by its size */
};
enum fm_actuator_dynamics {
    FM_DYN_STATIC,       /* value = order */
    FM_DYN_FIRST_ORDER,  /* τ ẋ = order − x */
    FM_DYN_DC_MOTOR,     /* shaft with inertia and square load: order is the speed the voltage would give unloaded */
    FM_DYN_SECOND_ORDER, /* tunnel thruster: ẍ = ωn²(order − x) − 2ζωn ẋ (water column and motor) */
    FM_DYN_SHAFT         /* a propeller's shaft under its load: the world turns it (world/screws.c) */
};

typedef struct fm_actuator {
    int32_t kind, law, dynamics;
    int32_t fin; /* 1-based place among the deflections, of a fin and of a propeller that meets its inflow */
    fm_thruster_table table; /* of FM_LAW_TABLE */
    fm_var low, high;        /* accepted orders */
    fm_var dead_band;        /* smaller orders have no effect */
    fm_var rate_limit;       /* per second; 0: none */
    fm_var tau;              /* s: time constant, or 1/ωn */
    fm_var zeta;             /* damping ratio, or the load ratio of the DC motor */
    fm_var gain;             /* N per unit (or unit²) of value, forwards */
    fm_var gain_reverse;     /* the same for negative values */
    fm_var column[6];        /* generalised force of 1 N */
    fm_var power;            /* electrical power per |thrust|^1.5, W/N^1.5 */
} fm_actuator;

typedef struct fm_actuator_state {
    fm_real order; /* as asked for */
    fm_real value; /* what the actuator does now */
    fm_real rate;  /* of value, for second-order dynamics */
    fm_real force; /* N, for thrusters */
} fm_actuator_state;

/* Faults, live parameters. */
typedef struct fm_actuator_fault {
    fm_real efficiency; /* 1 healthy … 0 dead: scales the force, the deflection, or the speed of a moving mass */
    fm_real stuck;      /* nonzero: the value no longer changes */
    fm_real reversed;   /* nonzero: orders arrive with the wrong sign */
} fm_actuator_fault;

/* The value the dynamics aim at. */
FM_FN fm_real fm_actuator_target(const fm_actuator *a, const fm_actuator_fault *fault, fm_real order)
{
    fm_real wanted = fm_select(fault->reversed != fm_const(0), fm_const(0) - order, order);
    wanted = fm_clamp(wanted, fm_real_wide(a->low), fm_real_wide(a->high));
    return fm_select(fm_abs(wanted) < fm_real_wide(a->dead_band), fm_const(0), wanted);
}

FM_FN void fm_actuator_follow(const fm_actuator *a, fm_real target, fm_par dt, fm_actuator_state *s)
{
    const fm_par one = 1, two = 2;
    fm_real next = a->dynamics == FM_DYN_SHAFT ? s->value : target;
    if (a->dynamics == FM_DYN_FIRST_ORDER) {
        next = s->value + (target - s->value) * (fm_const(1) - fm_exp(fm_real_wide(-dt / a->tau)));
    } else if (a->dynamics == FM_DYN_DC_MOTOR) { /* τ ẋ = order − x − ζ x|x|/x_max, implicit in x */
        fm_real load = fm_abs(s->value) * (a->zeta / a->high);
        next = (s->value + (dt / a->tau) * target) / (fm_const(1) + (dt / a->tau) * (fm_const(1) + load));
    } else if (a->dynamics == FM_DYN_SECOND_ORDER) { /* semi-implicit: stable for any dt */
        fm_var w = one / a->tau;
        s->rate =
            (s->rate + dt * w * w * (target - s->value)) / fm_real_wide(one + two * a->zeta * w * dt + w * w * dt * dt);
        next = s->value + dt * s->rate;
    }
    fm_mask limited = fm_real_wide(a->rate_limit) > fm_const(0);
    if (fm_any(limited)) {
        fm_real most = fm_real_wide(a->rate_limit * dt);
        fm_real slow = s->value + fm_clamp(next - s->value, fm_const(0) - most, most);
        next = fm_select(limited, slow, next);
    }
    s->value = next;
}

/* Whether a thruster takes commands, so that no client can order a force of it. */
FM_FN int fm_actuator_is_commanded(const fm_actuator *a)
{
    return a->law == FM_LAW_TABLE && !a->table.forces;
}

/* Whether its force goes with the square of its value. */
FM_FN int fm_actuator_is_square(const fm_actuator *a)
{
    return a->law == FM_LAW_SQUARE || a->law == FM_LAW_SCREW;
}

/* Force of a thruster at its present value in water at rest, N. */
FM_FN fm_real fm_actuator_thrust(const fm_actuator *a, const fm_supply *supply, fm_real value)
{
    if (a->law == FM_LAW_TABLE)
        return fm_table_quantity_at(&a->table, supply, FM_TABLE_THRUST, value);
    fm_real gain = fm_select(value < fm_const(0), fm_real_wide(a->gain_reverse), fm_real_wide(a->gain));
    return gain * (fm_actuator_is_square(a) ? value * fm_abs(value) : value);
}

/* Electrical power of a thruster that produces this force, W. A thruster without force draws none. */
FM_FN fm_real fm_actuator_power(const fm_actuator *a, const fm_supply *supply, fm_real value, fm_real force)
{
    fm_real size = fm_abs(force);
    if (a->law == FM_LAW_TABLE)
        return fm_select(size > fm_const(0), fm_table_quantity_at(&a->table, supply, FM_TABLE_POWER, value),
                         fm_const(0));
    return a->power * size * fm_sqrt(size);
}

/* The two numbers of a fin. */
FM_FN void fm_actuator_deflect(const fm_actuator *a, fm_real deflection, fm_body_input *input)
{
#ifdef FM_HAS_APPENDAGES
    if (a->law == FM_LAW_FOIL) {
        input->fin[a->fin] = fm_sin(deflection);
        input->fin[FM_FINS + a->fin] = fm_const(1) - fm_cos(deflection);
        return;
    }
#endif
    input->fin[a->fin] = deflection;
    input->fin[FM_FINS + a->fin] = deflection * deflection;
}

#ifdef FM_HAS_APPENDAGES
/* The two numbers of a propeller or thruster whose force follows from its inflow (physics/screw.h). */
FM_FN void fm_actuator_feed(const fm_actuator *a, const fm_actuator_fault *fault, const fm_supply *supply,
                            const fm_actuator_state *s, fm_body_input *input)
{
    fm_real shaft =
        a->law == FM_LAW_TABLE ? fm_table_quantity_at(&a->table, supply, FM_TABLE_SHAFT, s->value) : fm_const(0);
    int curve = a->law == FM_LAW_SCREW;
    input->fin[a->fin] = curve ? s->value * fm_const(1 / (2 * FM_PI)) : s->force;
    input->fin[FM_FINS + a->fin] = curve ? fm_const(1) - fault->efficiency : shaft;
}
#endif

/* Advances one actuator by dt towards its order and adds its effect to the body's input. */
FM_FN void fm_actuator_step(const fm_actuator *a, const fm_actuator_fault *fault, const fm_supply *supply, fm_par dt,
                            fm_actuator_state *s, fm_body_input *input)
{
    fm_mask free = fault->stuck == fm_const(0);
    if (fm_any(free)) {
        fm_actuator_state next = *s;
        fm_actuator_follow(a, fm_actuator_target(a, fault, s->order), dt, &next);
        if (a->kind == FM_ACT_MASS) /* a weak pump or motor moves its mass slowly */
            next.value = fm_select(fault->efficiency < fm_const(1),
                                   s->value + (next.value - s->value) * fault->efficiency, next.value);
        s->value = fm_select(free, next.value, s->value);
        s->rate = fm_select(free, next.rate, s->rate);
    }
    if (a->kind == FM_ACT_THRUST) {
        s->force = fm_actuator_thrust(a, supply, s->value) * fault->efficiency;
#ifdef FM_HAS_APPENDAGES
        if (a->fin) {
            fm_actuator_feed(a, fault, supply, s, input);
            return;
        }
#endif
        for (int i = 0; i < 6; i++)
            input->force[i] += a->column[i] * s->force;
    } else if (a->kind == FM_ACT_FIN) {
        fm_real deflection = s->value * fault->efficiency;
        fm_actuator_deflect(a, deflection, input);
    }
}

#endif
