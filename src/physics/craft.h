/* A craft: the data of a vehicle type that its step reads, and the data of one vehicle that the step changes.
 *
 * The numbers are referenced by pointers, so that a craft of the live engine refers to its type, and one made from a
 * flat block (physics/flat.h) to that block, wherever it was copied. */
#ifndef FM_PHYSICS_CRAFT_H
#define FM_PHYSICS_CRAFT_H

#include "physics/mass.h"

typedef struct fm_battery {
    fm_var capacity;    /* J; 0: no battery */
    fm_var hotel;       /* W */
    fm_var drag_factor; /* propulsion power = drag_factor · u³ (W s³/m³), for models whose thrust is not an actuator */
    fm_var voltage;     /* V of the full battery without load; 0: thrusters have the nominal one */
    fm_var empty;       /* V of the empty one; 0: as when full */
    fm_var resistance; /* ohm */
} fm_battery;

typedef struct fm_craft {
    fm_body body;
    const fm_mass *mass; /* initially, and always if nothing moves in it */
    const fm_weights *weights;
    const fm_moving_mass *moving;
    const fm_actuator *actuators;
    const fm_actuator_fault *faults; /* at the start */
    const fm_battery *battery;
    const fm_par *tables; /* of thrusters that have one; may be NULL where none has */
    int32_t moving_count, actuator_count, table_numbers;
    int32_t has_battery;
    int32_t has_dynamics; /* some actuator is not static or has a rate limit: never settled */
    int32_t full_coriolis;
    int32_t integrator; /* enum fm_integrator */
    int32_t substeps;
    fm_par tolerance; /* sub-steps by error control; 0: off */
    fm_par step_s;    /* s */
} fm_craft;

/* Where the numbers of one vehicle (or of one vehicle a lane) are. */
typedef struct fm_craft_state {
    fm_body_state *body;
    fm_body_input *input; /* actuators, held over a step */
    fm_actuator_state *actuators;
    fm_actuator_fault *faults;
    fm_real *charge; /* J left in the battery */
    fm_real *power;  /* W drawn now */
} fm_craft_state;

/* Supply of the thrusters while the battery has this power: only tables if it gives no voltage. */
FM_FN fm_supply fm_craft_supply(const fm_craft *c, fm_real charge, fm_real power)
{
    const fm_battery *b = c->battery;
    fm_supply supply = {c->tables, fm_const(0)};
    if (!c->table_numbers || !c->has_battery || !fm_any(fm_real_wide(b->voltage) > fm_const(0)))
        return supply;
    fm_real open = fm_supply_open(fm_real_wide(b->voltage), fm_real_wide(b->empty), charge / b->capacity);
    fm_real current = fm_supply_current(open, fm_real_wide(b->resistance), power);
    supply.volts = fm_select(fm_real_wide(b->voltage) > fm_const(0), open - b->resistance * current, fm_const(0));
    return supply;
}

#endif
