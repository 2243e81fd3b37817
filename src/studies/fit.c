#include "studies/fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/error.h"
#include "base/text.h"
#include "base/threads.h"
#include "base/units.h"
#include "physics/real.h"
#include "run/row.h"
#include "studies/parameter.h"

/* --- parameters --- */

/* The number at `place` of "0 0 3 m", and its unit; the 1 of a unit such as "1/m" is not a number. */
static bool read_written(const char *written, size_t index, double *value, char *unit, size_t size)
{
    double number;
    bool found = false;
    written += strspn(written, " ");
    for (size_t i = 0;; i++) {
        const char *at = written;
        if (!fm_text_number_read(&at, &number) || (i > 0 && *at == '/'))
            break;
        if (i == index) {
            *value = number;
            found = true;
        }
        written = at + strspn(at, " ");
    }
    snprintf(unit, size, "%s", written);
    return found;
}

/* "PATH=LOW:HIGH UNIT" */
static fm_status read_bounds(fm_fit_parameter *p, const char *text, const char *at, fm_error *error)
{
    bool fine =
        fm_text_number_read(&at, &p->low) && *at++ == ':' && fm_text_number_read(&at, &p->high) && p->low < p->high;
    if (!fine)
        return fm_fail(error, FM_ERR_SYNTAX, "'%s' is invalid: must be PATH or PATH=LOW:HIGH, followed by a unit",
                       text);
    at += strspn(at, " ");
    snprintf(p->unit, sizeof p->unit, "%s", at);
    return FM_OK;
}

/* The model's initial value, in the unit of the bounds if they have one. */
static fm_status find_start(fm_fit_parameter *p, const fm_model *model, fm_error *error)
{
    fm_parameter parameter;
    char unit[FM_AXIS_UNIT] = "";
    fm_unit from, to;
    bool bounded = !isnan(p->low), given = false;
    if (fm_parameter_find(model, p->path, &parameter)) {
        const size_t index = parameter.number < 0 ? 0 : (size_t)parameter.number;
        p->text = parameter.info.text ? parameter.info.text : "";
        given = read_written(parameter.info.written, index, &p->start, unit, sizeof unit);
        if (!given)
            snprintf(unit, sizeof unit, "%s", parameter.info.unit);
    }
    if (bounded && given) {
        if (fm_unit_parse(unit, &from, error) != FM_OK || fm_unit_parse(p->unit, &to, error) != FM_OK ||
            !fm_unit_compatible(&from, &to))
            return fm_fail(error, FM_ERR_UNIT, "'%s' is in %s, its bounds in '%s'", p->path,
                           unit[0] ? unit : "plain numbers", p->unit);
        p->start = strcmp(unit, p->unit) ? fm_unit_convert(p->start, &from, &to) : p->start;
    } else if (bounded) {
        p->start = 0.5 * (p->low + p->high);
    } else {
        snprintf(p->unit, sizeof p->unit, "%s", unit);
    }
    if (bounded && (p->start < p->low || p->start > p->high))
        return fm_fail(error, FM_ERR_RANGE, "'%s' begins at %g %s, outside its bounds; --set %s=VALUE begins elsewhere",
                       p->path, p->start, p->unit, p->path);
    p->scale = p->start != 0 ? fabs(p->start) : bounded ? 0.25 * (p->high - p->low) : 1;
    p->value = p->start;
    return FM_OK;
}

static fm_status read_parameter(fm_fit *f, const char *text, fm_error *error)
{
    fm_fit_parameter *p = &f->parameters[f->plan.axis_count];
    const char *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    char axis[2 * FM_AXIS_PATH], number[40];
    if (f->plan.axis_count == FM_FIT_PARAMETERS)
        return fm_fail(error, FM_ERR_FULL, "more than %d parameters", FM_FIT_PARAMETERS);
    *p = (fm_fit_parameter){.low = NAN, .high = NAN, .mean = NAN, .prior = NAN, .text = ""};
    snprintf(p->path, sizeof p->path, "%.*s", (int)(length < sizeof p->path ? length : sizeof p->path - 1), text);
    fm_status status = equals ? read_bounds(p, text, equals + 1, error) : FM_OK;
    if (status == FM_OK)
        status = find_start(p, f->model, error);
    if (status != FM_OK)
        return status;
    snprintf(axis, sizeof axis, "%s=%s %s", p->path, fm_text_number_write(number, sizeof number, p->start), p->unit);
    return fm_plan_vary(&f->plan, axis, error);
}

/* --- compared quantities and inputs of a run --- */

static fm_fit_origin find_start_of(const fm_fit_channel *c, size_t channel)
{
    fm_fit_origin start = {.column = c->column, .channel = channel};
    snprintf(start.vehicle, sizeof start.vehicle, "%s", c->vehicle);
    return start;
}

/* "glider.z" → vehicle, column of its row, unit. */
static fm_status find_column(const fm_world *world, const char *ours, char *vehicle, size_t size, size_t *column,
                             const char **unit, fm_error *error)
{
    const char *dot = strchr(ours, '.');
    char hint[600];
    snprintf(vehicle, size, "%.*s", dot ? (int)(dot - ours) : 0, ours);
    int slot = dot ? fm_world_find(world, vehicle) : -1;
    if (slot < 0)
        return fm_fail(error, FM_ERR_NAME, "'%s': must be VEHICLE.QUANTITY with a vehicle of the scenario", ours);
    fm_nearest nearest = {.wanted = dot + 1};
    for (*column = 1; *column < fm_row_count(world, slot); ++*column) {
        const char *name = fm_row_name(world, slot, *column);
        if (fm_text_name_equal(name, dot + 1)) {
            *unit = fm_row_unit(world, slot, *column);
            return FM_OK;
        }
        fm_nearest_offer(&nearest, name);
    }
    return fm_fail(error, FM_ERR_NAME,
                   "'%s' has no '%s'%s (x, y, z, phi, theta, psi, u … r, and what `fathom run --csv` writes)", vehicle,
                   dot + 1, fm_nearest_write(&nearest, hint, sizeof hint));
}

static fm_status read_channel(fm_fit *f, const fm_world *world, size_t i, fm_error *error)
{
    fm_fit_channel *c = &f->channels[i];
    const char *unit = "";
    *c = (fm_fit_channel){.link = f->options.channels[i]};
    fm_status status = find_column(world, c->link.ours, c->vehicle, sizeof c->vehicle, &c->column, &unit, error);
    if (status != FM_OK)
        return status;
    snprintf(c->unit, sizeof c->unit, "%s", unit);
    c->turn = c->column == 4 || c->column == 6 || (c->column >= FM_ROW_POSE && !strcmp(unit, "rad")) ? 2 * FM_PI : 0;
    c->sigma = c->link.sigma;
    if ((f->options.from_record || f->segment_ticks) && c->column <= FM_FIT_POSE)
        f->starts[f->start_count++] = find_start_of(c, i);
    return FM_OK;
}

/* An order, a set point, or a number of the pose that the vehicle is held at. */
static fm_status read_input(fm_fit *f, fm_world *world, size_t i, const char **unit, fm_error *error)
{
    fm_fit_input *in = &f->inputs[i];
    const char *ours = f->options.inputs[i].ours, *dot = strchr(ours, '.');
    fm_error first = {0}, second = {0};
    bool known = find_column(world, ours, in->vehicle, sizeof in->vehicle, &in->column, unit, &first) == FM_OK;
    if (!dot || fm_world_find(world, in->vehicle) < 0)
        return fm_fail(error, FM_ERR_NAME, "%s", first.text);
    snprintf(in->target, sizeof in->target, "%s", dot + 1);
    if (known && in->column <= FM_FIT_POSE) {
        in->kind = FM_FIT_HOLD;
        in->turn = in->column >= 4 && in->column <= 6 ? 2 * FM_PI : 0;
        return FM_OK;
    }
    if (fm_world_order(world, in->vehicle, in->target, 0, &first) == FM_OK) {
        in->kind = FM_FIT_ORDER;
        return FM_OK;
    }
    in->kind = FM_FIT_DESIRE;
    *unit = "";
    return fm_world_desire(world, in->vehicle, in->target, 0, &second) == FM_OK
               ? FM_OK
               : fm_fail(error, FM_ERR_NAME, "%s", first.text);
}

/* --- starts that no record has --- */

static bool is_start(const fm_fit *f, const char *vehicle, size_t column)
{
    for (size_t i = 0; i < f->start_count; i++)
        if (f->starts[i].column == column && !strcmp(f->starts[i].vehicle, vehicle))
            return true;
    for (size_t i = 0; i < f->options.input_count; i++) /* it is held to the record */
        if (f->inputs[i].kind == FM_FIT_HOLD && f->inputs[i].column == column && !strcmp(f->inputs[i].vehicle, vehicle))
            return true;
    return false;
}

/* The other numbers of the pose of each vehicle that begins from the record. */
static fm_status add_starts(fm_fit *f, fm_error *error)
{
    const size_t recorded = f->start_count;
    for (size_t i = 0; i < recorded && f->options.whole_state; i++)
        for (size_t column = 1; column <= FM_FIT_POSE && f->start_count < FM_FIT_LINKS; column++) {
            if (is_start(f, f->starts[i].vehicle, column))
                continue;
            f->starts[f->start_count] = f->starts[i];
            f->starts[f->start_count].column = column;
            f->starts[f->start_count++].channel = FM_FIT_LINKS;
        }
    return f->start_count <= FM_DENSE_SMALL
               ? FM_OK
               : fm_fail(error, FM_ERR_FULL,
                         "segments begin with %zu numbers of poses: at most %d; compare one vehicle", f->start_count,
                         FM_DENSE_SMALL);
}

/* --- create and free --- */

static fm_status read_links(fm_fit *f, fm_error *error)
{
    const fm_fit_setup *o = &f->options;
    const char *units[FM_FIT_LINKS] = {0};
    fm_world *world = fm_world_create(f->model, NULL, error);
    fm_status status = world ? FM_OK : FM_ERR_MEMORY;
    if (status == FM_OK && (o->channel_count > FM_FIT_LINKS || o->input_count > FM_FIT_LINKS))
        status = fm_fail(error, FM_ERR_FULL, "more than %d quantities", FM_FIT_LINKS);
    for (size_t i = 0; i < o->channel_count && status == FM_OK; i++)
        status = read_channel(f, world, i, error);
    for (size_t i = 0; i < o->input_count && status == FM_OK; i++) {
        units[i] = "";
        status = read_input(f, world, i, &units[i], error);
    }
    if (status == FM_OK)
        status = add_starts(f, error);
    if (status == FM_OK)
        status = fm_fit_gather(f, units, error);
    if (status == FM_OK)
        status = fm_fit_add_instruments(f, error);
    fm_world_free(world);
    return status;
}

fm_status fm_fit_prepare(const fm_model *model, const fm_fit_setup *options, fm_fit **fit, fm_error *error)
{
    fm_fit *f = *fit ? *fit : (*fit = fm_alloc(sizeof *f));
    if (!f)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a fit");
    f->options = *options;
    f->journal.file = -1;
    f->model = model;
    f->widened = 1;
    f->ended = "it was not begun";
    if (options->segment > 0)
        f->segment_ticks = fm_model_ticks(model, fmax(options->segment, fm_model_dt(model)));
    fm_status status = FM_OK;
    for (size_t i = 0; i < options->parameter_count && status == FM_OK; i++)
        status = read_parameter(f, options->parameters[i], error);
    f->plan.runs = 1;
    if (status == FM_OK)
        status =
            fm_sweep_create(&f->plan, model, &(fm_sweep_options){.load = options->load, .duration = NAN, .threads = 1},
                            &f->sweep, error);
    if (status == FM_OK)
        status = read_links(f, error);
    if (status == FM_OK)
        status = fm_fit_make_room(f, error);
    if (status == FM_OK && !(f->pool = fm_threads_create(options->threads > 1 ? options->threads : 1)))
        status = fm_fail(error, FM_ERR_MEMORY, "no memory for threads");
    return status;
}

void fm_fit_clear(fm_fit *fit)
{
    fm_threads_free(fit->pool);
    fm_sweep_free(fit->sweep);
    fm_plan_free(&fit->plan);
    fm_rows_close(&fit->journal, false);
    fm_arena_free(&fit->arena);
}
