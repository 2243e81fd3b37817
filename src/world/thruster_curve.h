/* The measured table of a thruster from its file: force, shaft speed and power over command and voltage. */
#ifndef FM_WORLD_THRUSTER_CURVE_H
#define FM_WORLD_THRUSTER_CURVE_H

#include "base/columns.h"
#include "physics/thruster_table.h"

enum { FM_CURVE_VOLTAGES = 16, FM_CURVE_COMMANDS = 2001, FM_CURVE_FORCES = 801 };

typedef struct fm_thruster_curve {
    size_t commands, voltages;
    double left[2];                                              /* fractions of the force: forwards, backwards */
    const double *command;                                       /* [commands], −1 … 1, rising */
    double volts[FM_CURVE_VOLTAGES];                             /* increasing; a single 0: the file names none */
    const double *value[FM_TABLE_QUANTITIES][FM_CURVE_VOLTAGES]; /* N, rpm, W; NULL: not in the file */
} fm_thruster_curve;

/* Checks the columns of a file: pwm_us or command, then thrust_N, and rpm and power_W if measured; or thrust16_N,
 * rpm16, power16_W for each voltage (V). */
fm_status fm_thruster_curve_take(fm_thruster_curve *curve, const fm_columns *file, const char *name, fm_error *error);

/* Scales the forces by these fractions, forwards and backwards: those of the thruster as mounted. */
void fm_thruster_curve_deduct(fm_thruster_curve *curve, double forwards, double backwards);
/* Count of numbers that fm_thruster_curve_put writes. */
size_t fm_thruster_curve_size(const fm_thruster_curve *curve);
/* The table in the form of the kernel (physics/thruster_table.h) at tables[at]; `volts` is the nominal supply;
 * by_force: with the inverse for orders by force. */
fm_thruster_table fm_thruster_curve_put(const fm_thruster_curve *curve, double volts, int by_force, double *tables,
                                        size_t at);

#endif
