#include "world/thruster_curve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const struct quantity {
    const char *before, *after;
} quantities[FM_TABLE_QUANTITIES] = {{"thrust", "_N"}, {"rpm", ""}, {"power", "_W"}};

/* --- from the columns of a file --- */

/* Whether a heading names this quantity; *volts: its voltage, 0 if it gives none. */
static int heading_is(const char *heading, const struct quantity *q, double *volts)
{
    size_t before = strlen(q->before);
    if (strncmp(heading, q->before, before) != 0)
        return 0;
    const char *cursor = heading + before;
    *volts = 0;
    if (*cursor >= '0' && *cursor <= '9' && !fm_text_number_read(&cursor, volts))
        return 0;
    return strcmp(cursor, q->after) == 0;
}

/* The row of a voltage, in increasing order; −1: no space for it. */
static int row_of(fm_thruster_curve *curve, double volts)
{
    size_t i = 0;
    while (i < curve->voltages && curve->volts[i] < volts)
        i++;
    if (i < curve->voltages && curve->volts[i] == volts)
        return (int)i;
    if (curve->voltages == FM_CURVE_VOLTAGES)
        return -1;
    for (size_t k = curve->voltages++; k > i; k--) {
        curve->volts[k] = curve->volts[k - 1];
        for (int q = 0; q < FM_TABLE_QUANTITIES; q++)
            curve->value[q][k] = curve->value[q][k - 1];
    }
    curve->volts[i] = volts;
    for (int q = 0; q < FM_TABLE_QUANTITIES; q++)
        curve->value[q][i] = NULL;
    return (int)i;
}

static fm_status take_column(fm_thruster_curve *curve, const fm_columns *file, size_t column, const char *name,
                             fm_error *error)
{
    double volts, *values = file->values[column];
    for (size_t i = 0; i < file->rows; i++)
        if (!isfinite(values[i]))
            return fm_fail_at(error, FM_ERR_RANGE, name, 0, "column '%.30s': row %zu holds no number",
                              file->names[column], i + 1);
    if (strcmp(file->names[column], "pwm_us") == 0)
        for (size_t i = 0; i < file->rows; i++)
            values[i] = (values[i] - 1500) / 400;
    if (strcmp(file->names[column], "pwm_us") == 0 || strcmp(file->names[column], "command") == 0) {
        curve->command = values;
        curve->commands = file->rows;
        return FM_OK;
    }
    for (int q = 0; q < FM_TABLE_QUANTITIES; q++)
        if (heading_is(file->names[column], &quantities[q], &volts)) {
            int row = row_of(curve, volts);
            if (row < 0)
                return fm_fail_at(error, FM_ERR_RANGE, name, 0, "too many voltages: must be at most %d",
                                  FM_CURVE_VOLTAGES);
            curve->value[q][row] = values;
            return FM_OK;
        }
    return fm_fail_at(error, FM_ERR_NAME, name, 0,
                      "column '%.30s': must be pwm_us or command, and thrust_N, rpm, power_W, or with a voltage in V: "
                      "thrust16_N, rpm16, power16_W",
                      file->names[column]);
}

static void turn_row(fm_columns *file, size_t a, size_t b)
{
    for (size_t c = 0; c < file->columns; c++) {
        double keep = file->values[c][a];
        file->values[c][a] = file->values[c][b];
        file->values[c][b] = keep;
    }
}

static fm_status check_curve(const fm_thruster_curve *curve, const char *name, fm_error *error)
{
    if (!curve->command || curve->commands < 3 || curve->commands > FM_CURVE_COMMANDS)
        return fm_fail_at(error, FM_ERR_RANGE, name, 0, "%zu commands given: must be 3 to %d", curve->commands,
                          FM_CURVE_COMMANDS);
    for (size_t i = 0; i < curve->commands; i++)
        if (!(fabs(curve->command[i]) <= 1) || (i && !(curve->command[i] > curve->command[i - 1])))
            return fm_fail_at(
                error, FM_ERR_RANGE, name, 0,
                "command %g (row %zu): must rise or fall from row to row, within -1 to 1 (pwm_us: 1100 to 1900)",
                curve->command[i], i + 1);
    if (!(curve->command[0] < 0 && curve->command[curve->commands - 1] > 0))
        return fm_fail_at(error, FM_ERR_RANGE, name, 0, "commands go from %g to %g: must be a range around 0",
                          curve->command[0], curve->command[curve->commands - 1]);
    for (size_t v = 0; v < curve->voltages; v++)
        if (!curve->value[FM_TABLE_THRUST][v] || (curve->voltages > 1 && !(curve->volts[v] > 0)))
            return fm_fail_at(error, FM_ERR_MODEL, name, 0, "no column of thrust at %g V", curve->volts[v]);
    return curve->voltages ? FM_OK : fm_fail_at(error, FM_ERR_MODEL, name, 0, "no column of thrust");
}

fm_status fm_thruster_curve_take(fm_thruster_curve *curve, const fm_columns *file, const char *name, fm_error *error)
{
    fm_columns rising = *file;
    *curve = (fm_thruster_curve){.left = {1, 1}};
    if (file->rows > 1 && file->columns && file->values[0][0] > file->values[0][file->rows - 1])
        for (size_t i = 0; i < file->rows / 2; i++)
            turn_row(&rising, i, file->rows - 1 - i);
    for (size_t c = 0; c < file->columns; c++) {
        fm_status status = take_column(curve, &rising, c, name, error);
        if (status != FM_OK)
            return status;
    }
    return check_curve(curve, name, error);
}

void fm_thruster_curve_deduct(fm_thruster_curve *curve, double forwards, double backwards)
{
    curve->left[0] = forwards;
    curve->left[1] = backwards;
}

/* --- conversion to the form of the kernel --- */

/* y at x, linear between increasing xs, constant beyond their ends. */
static double between(const double *xs, const double *ys, size_t count, double x)
{
    size_t i = 1;
    while (i < count - 1 && x > xs[i])
        i++;
    double part = (x - xs[i - 1]) / (xs[i] - xs[i - 1]);
    return ys[i - 1] + fmax(0, fmin(part, 1)) * (ys[i] - ys[i - 1]);
}

static double least_step(const double *xs, size_t count)
{
    double least = HUGE_VAL;
    for (size_t i = 1; i < count; i++)
        least = fmin(least, xs[i] - xs[i - 1]);
    return least;
}

/* Equally spaced entries that contain all of xs, at most `most`. */
static size_t entries(const double *xs, size_t count, size_t most)
{
    double steps = count > 1 ? floor((xs[count - 1] - xs[0]) / least_step(xs, count) + 0.5) : 0;
    return steps + 1 < (double)most ? (size_t)steps + 1 : most;
}

static double value_at(const fm_thruster_curve *c, int quantity, double volts, double command)
{
    double rows[FM_CURVE_VOLTAGES];
    for (size_t v = 0; v < c->voltages; v++)
        rows[v] = c->value[quantity][v] ? between(c->command, c->value[quantity][v], c->commands, command) : 0;
    double found = c->voltages > 1 ? between(c->volts, rows, c->voltages, volts) : rows[0];
    if (quantity == FM_TABLE_SHAFT)
        return copysign(found * FM_PI / 30, command);
    return quantity == FM_TABLE_THRUST ? c->left[found < 0] * found : found;
}

/* Goes from command 0 to `end` and records for each force of the inverse on that side the first command that produces
 * it; forces that are not reached use the end. */
static void put_side(const fm_thruster_curve *c, double volts, double end, const double *head, double *inverse)
{
    enum { PARTS = 2000 };
    int way = end > 0 ? 1 : -1;
    double before = 0, reached = 0, step = 1 / head[FM_TABLE_FORCE_DENSITY];
    long i = lround(-head[FM_TABLE_FORCE] / step) + way;
    for (int k = 1; k <= PARTS; k++) {
        double command = end * k / PARTS, now = fmax(reached, way * value_at(c, FM_TABLE_THRUST, volts, command));
        for (; i >= 0 && i < FM_CURVE_FORCES; i += way) {
            double force = way * (head[FM_TABLE_FORCE] + step * (double)i);
            if (!(force <= now))
                break;
            inverse[i] = before + (command - before) * (force - reached) / (now - reached);
        }
        before = command;
        reached = now;
    }
    for (; i >= 0 && i < FM_CURVE_FORCES; i += way)
        inverse[i] = end;
}

/* The entry nearest to zero force is command 0, in the dead band. */
static void put_inverse(const fm_thruster_curve *c, double volts, const double range[2], double *head, double *inverse)
{
    head[FM_TABLE_FORCE] = range[0];
    head[FM_TABLE_FORCE_DENSITY] = (FM_CURVE_FORCES - 1) / (range[1] - range[0]);
    inverse[lround(-range[0] * head[FM_TABLE_FORCE_DENSITY])] = 0;
    put_side(c, volts, c->command[0], head, inverse);
    put_side(c, volts, c->command[c->commands - 1], head, inverse);
}

/* Minimum and maximum force at a voltage, around 0. */
static void find_range(const fm_thruster_curve *c, double volts, double range[2])
{
    range[0] = -1e-3;
    range[1] = 1e-3;
    for (size_t i = 0; i < c->commands; i++) {
        double force = value_at(c, FM_TABLE_THRUST, volts, c->command[i]);
        range[0] = fmin(range[0], force);
        range[1] = fmax(range[1], force);
    }
}

size_t fm_thruster_curve_size(const fm_thruster_curve *c)
{
    return FM_TABLE_HEAD +
           FM_TABLE_QUANTITIES * entries(c->command, c->commands, FM_CURVE_COMMANDS) *
               entries(c->volts, c->voltages, FM_CURVE_VOLTAGES) +
           FM_CURVE_FORCES;
}

fm_thruster_table fm_thruster_curve_put(const fm_thruster_curve *c, double volts, int by_force, double *tables,
                                        size_t at)
{
    size_t commands = entries(c->command, c->commands, FM_CURVE_COMMANDS),
           voltages = entries(c->volts, c->voltages, FM_CURVE_VOLTAGES);
    double *head = tables + at, *to = head + FM_TABLE_HEAD, range[2];
    double first = c->command[0], reach = c->command[c->commands - 1] - first,
           rise = voltages > 1 ? (c->volts[c->voltages - 1] - c->volts[0]) / (double)(voltages - 1) : 1;
    head[FM_TABLE_COMMAND] = first;
    head[FM_TABLE_COMMAND_DENSITY] = (double)(commands - 1) / reach;
    head[FM_TABLE_VOLTS] = c->volts[0];
    head[FM_TABLE_VOLTS_DENSITY] = voltages > 1 ? 1 / rise : 0;
    head[FM_TABLE_NOMINAL] = volts;
    for (int q = 0; q < FM_TABLE_QUANTITIES; q++)
        for (size_t v = 0; v < voltages; v++)
            for (size_t i = 0; i < commands; i++)
                *to++ =
                    value_at(c, q, c->volts[0] + rise * (double)v, first + reach * (double)i / (double)(commands - 1));
    find_range(c, volts, range);
    put_inverse(c, volts, range, head, to);
    return (fm_thruster_table){(int32_t)at, (int32_t)commands, (int32_t)voltages, by_force ? FM_CURVE_FORCES : 0};
}
