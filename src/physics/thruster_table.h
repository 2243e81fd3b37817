/* A thruster by a measured table: force, shaft speed and power over command and supply voltage.
 *
 *     F = F(c, V), n = n(c, V), P = P(c, V), linear between entries (V1)
 *
 * The numbers of all tables of a vehicle are in one array; an actuator gives the start of its own: a head of
 * FM_TABLE_HEAD numbers, then force (N), shaft speed (rad/s) and power (W), each by voltage and command, then the
 * command for a force at the nominal voltage. Entries are equally spaced. The battery that feeds it sags under load. */
#ifndef FM_PHYSICS_THRUSTER_TABLE_H
#define FM_PHYSICS_THRUSTER_TABLE_H

#include "physics/real.h"

enum fm_table_head {
    FM_TABLE_COMMAND,         /* the first command */
    FM_TABLE_COMMAND_DENSITY, /* entries per unit of command */
    FM_TABLE_VOLTS,           /* the first voltage, V */
    FM_TABLE_VOLTS_DENSITY,   /* rows per V */
    FM_TABLE_FORCE,           /* the first force of the inverse, N */
    FM_TABLE_FORCE_DENSITY,   /* entries of the inverse per N */
    FM_TABLE_NOMINAL,         /* V: supply if no battery gives another */
    FM_TABLE_HEAD
};
enum fm_table_quantity { FM_TABLE_THRUST, FM_TABLE_SHAFT, FM_TABLE_POWER, FM_TABLE_QUANTITIES };

/* Which table, and its extent. Without entries of the inverse it is ordered by command. */
typedef struct fm_thruster_table {
    int32_t at; /* first number in the array of tables */
    int32_t commands, voltages, forces;
} fm_thruster_table;

/* Supply of the thrusters of a vehicle. */
typedef struct fm_supply {
    const fm_par *tables;
    fm_real volts; /* V; 0: nominal of each table */
} fm_supply;

/* Open voltage of a battery with this part of its charge, V: linear from empty to full. */
FM_FN fm_real fm_supply_open(fm_real full, fm_real empty, fm_real part)
{
    return fm_select(empty > fm_const(0), empty + part * (full - empty), full);
}

/* (I5) Current I of power P = (U − R I) I, A; at more than the battery can give, the current of its greatest power. */
FM_FN fm_real fm_supply_current(fm_real open, fm_real resistance, fm_real power)
{
    fm_mask stiff = resistance <= fm_const(0);
    fm_real square = open * open - fm_const(4) * resistance * power;
    fm_real root = fm_sqrt(fm_max(square, fm_const(0))), least = fm_select(stiff, fm_const(1), resistance);
    fm_real sagging =
        fm_select(square > fm_const(0), fm_const(2) * power / (open + root), open / (fm_const(2) * least));
    return fm_select(stiff, power / open, sagging);
}

/* Entry `at` (any number, held within 0 … count − 1) of equally spaced numbers. */
FM_FN fm_real fm_table_between(const fm_par *numbers, int32_t count, fm_real at)
{
    fm_real entry = fm_clamp(at, fm_const(0), fm_const(count - 1));
    fm_real low = fm_min(fm_real_floor(entry), fm_const(count > 1 ? count - 2 : 0)), part = entry - low;
    fm_real a = fm_table_entry(numbers, low), b = fm_table_entry(numbers, low + fm_const(count > 1));
    return a + part * (b - a);
}

/* Entry by row and column, linear in both. */
FM_FN fm_real fm_table_within(const fm_par *numbers, int32_t rows, int32_t columns, fm_real row, fm_real column)
{
    fm_real entry = fm_clamp(row, fm_const(0), fm_const(rows - 1));
    fm_real low = fm_min(fm_real_floor(entry), fm_const(rows > 1 ? rows - 2 : 0)), part = entry - low;
    fm_real across = fm_clamp(column, fm_const(0), fm_const(columns - 1));
    fm_real left = fm_min(fm_real_floor(across), fm_const(columns - 2)), beside = across - left;
    fm_real first = low * fm_const(columns) + left, second = first + fm_const(rows > 1 ? columns : 0),
            one = fm_const(1);
    fm_real a = fm_table_entry(numbers, first), b = fm_table_entry(numbers, first + one);
    fm_real c = fm_table_entry(numbers, second), d = fm_table_entry(numbers, second + one);
    fm_real upper = a + beside * (b - a), lower = c + beside * (d - c);
    return upper + part * (lower - upper);
}

/* The command that an actuator's value stands for: itself, or what gives this force (N) at the nominal voltage. */
FM_FN fm_real fm_table_command(const fm_thruster_table *t, const fm_par *tables, fm_real value)
{
    const fm_par *head = tables + t->at;
    if (!t->forces)
        return value;
    const fm_par *inverse = head + FM_TABLE_HEAD + FM_TABLE_QUANTITIES * t->voltages * t->commands;
    return fm_table_between(inverse, t->forces,
                            (value - fm_const(head[FM_TABLE_FORCE])) * fm_const(head[FM_TABLE_FORCE_DENSITY]));
}

/* (V1) Force (N), shaft speed (rad/s) or power (W) at an actuator's value. */
FM_FN fm_real fm_table_quantity_at(const fm_thruster_table *t, const fm_supply *supply, int quantity, fm_real value)
{
    const fm_par *head = supply->tables + t->at, *numbers = head + FM_TABLE_HEAD + quantity * t->voltages * t->commands;
    fm_real volts = fm_select(supply->volts > fm_const(0), supply->volts, fm_const(head[FM_TABLE_NOMINAL]));
    fm_real row = (volts - fm_const(head[FM_TABLE_VOLTS])) * fm_const(head[FM_TABLE_VOLTS_DENSITY]);
    fm_real column = (fm_table_command(t, supply->tables, value) - fm_const(head[FM_TABLE_COMMAND])) *
                     fm_const(head[FM_TABLE_COMMAND_DENSITY]);
    return fm_table_within(numbers, t->voltages, t->commands, row, column);
}

#endif
