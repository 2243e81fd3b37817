/* Propellers and thrusters whose force depends on the inflow (physics/screw.h). */
#include "scenario/build_screws.h"

#include <math.h>
#include <string.h>

#include "base/columns.h"
#include "world/propeller_series.h"

/* --- curves --- */

static fm_status check_series(fm_builder *b, const fm_node *node, const fm_actuator_config *c)
{
    static const char *const needed[] = {"pitch", "blade-area", "blades"};
    size_t count = c->series == FM_SERIES_WAGENINGEN_B ? 3 : 1;
    for (size_t i = 0; i < 3; i++)
        if (fm_node_written(node, needed[i]) != (i < count))
            return fm_node_fail(node, needed[i], b->report, FM_ERR_MODEL,
                                i < count ? "is needed by the series" : "has no effect on ka-4-70, which fixes it");
    if (c->series == FM_SERIES_KA_4_70 && c->pitch < 0.6)
        return fm_node_fail(node, "pitch", b->report, FM_ERR_RANGE, "is %g: ka-4-70 covers 0.6 to 1.4", c->pitch);
    return FM_OK;
}

static fm_status check_rows(const fm_columns *file, const double *advance, const double *kt, const char *path,
                            fm_error *error)
{
    if (!advance || !kt || file->rows < 2 || file->rows > FM_OPEN_WATER_ROWS)
        return fm_fail(error, FM_ERR_SYNTAX,
                       "%s: an open-water table needs columns J and KT (and KQ) with 2 to %d rows", path,
                       FM_OPEN_WATER_ROWS);
    const double *kq = fm_columns_find(file, "KQ");
    for (size_t i = 0; i < file->rows; i++)
        if (!isfinite(advance[i]) || !isfinite(kt[i]) || (kq && !isfinite(kq[i])) ||
            (i ? advance[i] <= advance[i - 1] : advance[i] != 0))
            return fm_fail(error, FM_ERR_RANGE, "%s: row %zu: J must rise from 0, and every value must be a number",
                           path, i + 1);
    return FM_OK;
}

/* Rows of a table into the vehicle's tables: advances, K_T, K_Q. */
static fm_status read_open_water(fm_builder *b, const fm_node *node, const char *path, fm_screw *screw,
                                 fm_number_list *tables)
{
    fm_columns file;
    fm_error error = {0};
    fm_arena scratch = {0};
    fm_status status = fm_columns_read(&file, path, &scratch, &error);
    const double *advance = status == FM_OK ? fm_columns_find(&file, "J") : NULL;
    const double *kt = status == FM_OK ? fm_columns_find(&file, "KT") : NULL;
    if (status == FM_OK)
        status = check_rows(&file, advance, kt, path, &error);
    double *to = status == FM_OK ? fm_number_list_extend(b, tables, 3 * file.rows) : NULL;
    if (to) {
        const double *kq = fm_columns_find(&file, "KQ");
        screw->rows = (int32_t)file.rows;
        screw->at = (int32_t)(to - tables->numbers);
        screw->last = advance[file.rows - 1];
        memcpy(to, advance, file.rows * sizeof *to);
        memcpy(to + file.rows, kt, file.rows * sizeof *to);
        if (kq)
            memcpy(to + 2 * file.rows, kq, file.rows * sizeof *to);
    } else if (status == FM_OK) {
        status = FM_ERR_MEMORY;
    }
    fm_arena_free(&scratch);
    return status == FM_OK || !error.status ? status : fm_build_report(b, node, status, &error);
}

static fm_status take_curve(fm_builder *b, const fm_node *node, const fm_actuator_config *c, fm_screw *screw,
                            fm_number_list *tables)
{
    int ways = fm_node_written(node, "k0") + fm_node_written(node, "open-water") + (c->series != FM_SERIES_NONE);
    fm_status status = FM_OK;
    if (ways != 1)
        return fm_node_fail(node, NULL, b->report, FM_ERR_MODEL,
                            "needs one of k0, open-water and series beside its diameter");
    if (c->open_water)
        return read_open_water(b, node, c->open_water, screw, tables);
    if (c->series != FM_SERIES_NONE) {
        status = check_series(b, node, c);
        if (status == FM_OK)
            fm_propeller_series_curve((fm_propeller_series)c->series, c->pitch, c->blade_area, c->blades, screw->kt,
                                      screw->kq);
    } else {
        memcpy(screw->kt, c->kt, sizeof c->kt);
        memcpy(screw->kq, c->kq, sizeof c->kq);
    }
    screw->last = fm_propeller_last_advance(screw->kt);
    return status;
}

/* --- propellers --- */

static void place(const fm_actuator_config *c, const fm_actuator *a, double density, fm_screw *screw)
{
    memcpy(screw->position, c->position, sizeof c->position);
    memcpy(screw->direction, a->column, 3 * sizeof *a->column);
    memcpy(screw->moment, a->column + 3, 3 * sizeof *a->column);
    screw->diameter = c->diameter;
    screw->through = 1 - c->wake;
    screw->undeducted = 1 / (1 - c->deduction);
    screw->slip = 8 / (FM_PI * density * c->diameter * c->diameter);
}

static fm_status take_shaft(fm_builder *b, const fm_node *node, const fm_actuator_config *c, fm_actuator *a,
                            fm_screw *screw)
{
    static const char *const limits[] = {"motor-torque", "motor-power"};
    for (size_t i = 0; i < 2; i++)
        if (!(c->inertia > 0) && fm_node_written(node, limits[i]))
            return fm_node_fail(node, limits[i], b->report, FM_ERR_MODEL, "needs an inertia of the shaft");
    if (c->inertia > 0 && a->dynamics != FM_DYN_STATIC)
        return fm_node_fail(node, "dynamics", b->report, FM_ERR_MODEL,
                            "has no effect beside inertia: the shaft answers within time-constant");
    if (c->inertia > 0)
        a->dynamics = FM_DYN_SHAFT;
    screw->inertia = c->inertia;
    screw->tau = a->tau;
    screw->most_torque = fm_node_written(node, "motor-torque") ? c->most_torque : 1e30;
    screw->most_power = fm_node_written(node, "motor-power") ? c->most_power : 1e30;
    return FM_OK;
}

fm_status fm_build_screw(fm_builder *b, const fm_node *node, const fm_actuator_config *c, fm_actuator *a,
                         fm_screw *screw, fm_number_list *tables)
{
    static const double hands[] = {0, -1, 1};
    double density = b->model->settings.density, d4 = density * c->diameter * c->diameter * c->diameter * c->diameter;
    *screw = (fm_screw){.thrust_scale = d4 * (1 - c->deduction),
                        .torque_scale = d4 * c->diameter,
                        .reaction = hands[c->rotation],
                        .reverse = c->reverse};
    place(c, a, density, screw);
    fm_status status = take_curve(b, node, c, screw, tables);
    if (status == FM_OK)
        status = take_shaft(b, node, c, a, screw);
    if (status != FM_OK)
        return status;
    double rest = fm_screw_coefficient(screw, tables->numbers, 0, 0), turning = 2 * FM_PI;
    double load = fm_screw_coefficient(screw, tables->numbers, 1, 0);
    if (!(rest > 0))
        return fm_node_fail(node, NULL, b->report, FM_ERR_MODEL, "gives no thrust at rest: K_T(0) is %g", rest);
    a->law = FM_LAW_SCREW;
    a->gain = screw->thrust_scale * rest / (turning * turning);
    a->gain_reverse = c->reverse * a->gain;
    double thrust = a->gain * a->high * a->high,
           power = a->high * screw->torque_scale * load * a->high * a->high / (turning * turning);
    a->power = thrust > 0 ? (c->power > 0 ? c->power : power) / (thrust * sqrt(thrust)) : 0;
    return FM_OK;
}

/* --- thrusters --- */

void fm_build_bollard(const fm_builder *b, const fm_actuator_config *c, const fm_actuator *a, fm_screw *screw)
{
    *screw = (fm_screw){.rows = FM_SCREW_BOLLARD, .last = c->zero_thrust};
    place(c, a, b->model->settings.density, screw);
}

void fm_build_tunnel(const fm_builder *b, const fm_actuator_config *c, const fm_actuator *a, fm_screw *screw)
{
    fm_actuator_config sized = *c;
    sized.diameter = 1e-3; /* not used: it does not draw air through a tunnel */
    *screw = (fm_screw){.rows = FM_SCREW_TUNNEL, .last = c->half_speed};
    place(&sized, a, b->model->settings.density, screw);
}
