#include "plot/sweep_parts.h"
#include "plot/sweep_sensitivity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

/* --- names and units --- */

fm_sweep_scale fm_sweep_scale_of_unit(const char *unit)
{
    if (!strcmp(unit, "rad"))
        return (fm_sweep_scale){57.29577951308232, "°"};
    if (!strcmp(unit, "rad/s"))
        return (fm_sweep_scale){57.29577951308232, "°/s"};
    return (fm_sweep_scale){1, !strcmp(unit, "deg") ? "°" : unit};
}

fm_sweep_scale fm_sweep_scale_of(const fm_result_variable *v)
{
    return fm_sweep_scale_of_unit(v->unit);
}

double fm_sweep_factor(const fm_sweep_question *q)
{
    return q->relation[0] ? 1 : fm_sweep_scale_of(q->metric).factor;
}

const char *fm_sweep_unit(const fm_sweep_question *q)
{
    return q->relation[0] ? NULL : fm_sweep_scale_of(q->metric).unit;
}

void fm_sweep_name_input(const fm_result_variable *v, char *name, size_t size)
{
    const char *start = strchr(v->name + (v->name[0] == '/'), '/');
    snprintf(name, size, "%s", start ? start + 1 : v->name);
    for (char *c = name; *c; c++)
        *c = *c == '/' || *c == '_' ? ' ' : *c;
}

void fm_sweep_name_question(const fm_sweep_question *q, char *name, size_t size)
{
    fm_sweep_scale scale = fm_sweep_scale_of(q->metric);
    if (q->relation[0])
        snprintf(name, size, "P(%s %s %.4g%s%s)", q->metric->name, q->relation, q->bound * scale.factor,
                 scale.unit[0] && strncmp(scale.unit, "°", strlen("°")) != 0 ? " " : "", scale.unit);
    else
        snprintf(name, size, "%s", q->metric->name);
}

void fm_sweep_style_input(fm_axes *axes, const fm_result_variable *v, void (*set)(fm_axes *, const fm_axis_style *))
{
    char name[200];
    fm_sweep_name_input(v, name, sizeof name);
    fm_axis_style style = {.label = name, .unit = v->words ? NULL : fm_sweep_scale_of(v).unit};
    if (v->words && v->word_count <= 40) {
        style.names = (const char *const *)v->words;
        style.name_count = v->word_count;
        style.min = -0.5;
        style.max = (double)v->word_count - 0.5;
    }
    set(axes, &style);
}

void fm_sweep_style_answer(fm_axes *axes, const fm_sweep_question *q)
{
    char name[200];
    fm_sweep_name_question(q, name, sizeof name);
    fm_axes_y(axes, &(fm_axis_style){.label = name,
                                     .unit = fm_sweep_unit(q),
                                     .min = q->relation[0] ? -0.03 : 0,
                                     .max = q->relation[0] ? 1.03 : 0});
}

/* --- a curve, with the interval of its mean --- */

static void draw_curve(fm_axes *axes, const fm_sweep_request *r, const fm_sweep_question *q, double level, size_t index)
{
    double x[FM_SWEEP_LEVELS], mean[FM_SWEEP_LEVELS], low[FM_SWEEP_LEVELS], high[FM_SWEEP_LEVELS],
        factor = fm_sweep_factor(q);
    size_t count = fm_sweep_levels(r->result, r->x, x, FM_SWEEP_LEVELS), several = 0;
    char label[120] = "", name[80];
    for (size_t i = 0; i < count; i++) {
        fm_sweep_cell cell =
            fm_sweep_gather(r->result, q, (const fm_result_variable *const[2]){r->x, r->by}, (double[2]){x[i], level});
        mean[i] = factor * cell.mean;
        low[i] = factor * cell.low;
        high[i] = factor * cell.high;
        several += cell.count > 1;
        x[i] *= fm_sweep_scale_of(r->x).factor;
    }
    if (r->by) {
        fm_sweep_name_input(r->by, name, sizeof name);
        if (r->by->words)
            snprintf(label, sizeof label, "%.80s", r->by->words[(size_t)level]);
        else
            snprintf(label, sizeof label, "%s %.4g %s", name, level * fm_sweep_scale_of(r->by).factor,
                     fm_sweep_scale_of(r->by).unit);
    }
    fm_colour colour = fm_colour_series(r->theme, index);
    if (several || q->relation[0]) /* one run gives little information about a probability, and the band shows it */
        fm_axes_band(axes, x, low, high, count, &(fm_area_style){.colour = colour, .opacity = r->by ? 0.13 : 0.25});
    fm_axes_line(axes, x, mean, count,
                 &(fm_line_style){.label = label[0] ? label : NULL,
                                  .colour = colour,
                                  .marker = count <= 40 ? FM_MARKER_DISC : FM_MARKER_NONE});
}

static void draw_curves(fm_axes *axes, const fm_sweep_request *r, const fm_sweep_question *q)
{
    double levels[FM_SWEEP_CURVES] = {0};
    size_t count = r->by ? fm_sweep_levels(r->result, r->by, levels, FM_SWEEP_CURVES) : 1;
    fm_sweep_style_input(axes, r->x, fm_axes_x);
    fm_sweep_style_answer(axes, q);
    fm_axes_legend(axes, q == r->questions ? FM_LEGEND_FIGURE : FM_LEGEND_NONE);
    for (size_t i = 0; i < count && i < FM_SWEEP_CURVES; i++)
        draw_curve(axes, r, q, levels[i], i);
}

/* --- what is drawn over what --- */

/* Inputs that differ between runs. */
static size_t varied_inputs(const fm_result *result, const fm_result_variable **inputs, size_t *levels, size_t room)
{
    size_t count = 0;
    double some[1];
    for (size_t i = 0; i < result->variable_count && count < room; i++) {
        if (!result->variables[i].input)
            continue;
        levels[count] = fm_sweep_levels(result, &result->variables[i], some, 1);
        inputs[count] = &result->variables[i];
        count += levels[count] > 1;
    }
    return count;
}

static size_t varied_count(const fm_result *result)
{
    const fm_result_variable *inputs[FM_AXES_MOST];
    size_t levels[FM_AXES_MOST];
    return varied_inputs(result, inputs, levels, FM_AXES_MOST);
}

/* Two listed inputs make a map; the first is drawn along x, and a second one with few values as curves. */
static void choose(fm_sweep_request *r)
{
    const fm_result_variable *inputs[FM_AXES_MOST];
    size_t levels[FM_AXES_MOST], count = varied_inputs(r->result, inputs, levels, FM_AXES_MOST);
    r->influence = fm_sweep_tells_influence(r->result) && !r->histogram && !r->x && !r->y && !r->by;
    if (r->influence)
        return;
    if (r->histogram || count == 0 || r->x) {
        r->histogram |= count == 0;
        return;
    }
    r->x = inputs[0] != r->by && inputs[0] != r->y ? inputs[0] : count > 1 ? inputs[1] : inputs[0];
    for (size_t i = 0; i < count && !r->y && !r->by; i++)
        if (inputs[i] != r->x && count == 2) {
            if (!inputs[i]->drawn && !r->x->drawn && (levels[i] <= 3 || inputs[i]->words))
                r->by = inputs[i];
            else if (!inputs[i]->drawn && !r->x->drawn && levels[0] <= FM_SWEEP_LEVELS)
                r->y = inputs[i];
        }
}

bool fm_sweep_is_scattered(const fm_result *result, const fm_result_variable *input)
{
    return input->drawn || fm_sweep_levels(result, input, (double[1]){0}, 1) > FM_SWEEP_LEVELS;
}

static bool is_scattered(const fm_sweep_request *r)
{
    return fm_sweep_is_scattered(r->result, r->x);
}

static fm_status draw_question(fm_axes *axes, const fm_sweep_request *r, const fm_sweep_question *q, fm_error *error)
{
    if (r->influence)
        return fm_sweep_draw_influence(axes, r, q, error);
    if (r->histogram)
        return fm_sweep_draw_histogram(axes, r, q), FM_OK;
    if (r->y)
        return fm_sweep_draw_map(axes, r, q, error);
    if (is_scattered(r))
        return fm_sweep_draw_points(axes, r, q, error);
    return draw_curves(axes, r, q), FM_OK;
}

/* Points of all curves: with as many runs there is one a point, and no band. */
static size_t count_cells(const fm_sweep_request *r)
{
    double some[1];
    return fm_sweep_levels(r->result, r->x, some, 1) * (r->by ? fm_sweep_levels(r->result, r->by, some, 1) : 1);
}

/* Varied inputs that are not drawn: their runs are combined. */
static void note_others(const fm_sweep_request *r, fm_text *note)
{
    const fm_result_variable *inputs[FM_AXES_MOST];
    size_t levels[FM_AXES_MOST], count = varied_inputs(r->result, inputs, levels, FM_AXES_MOST), told = 0;
    for (size_t i = 0; i < count && !r->histogram; i++)
        if (inputs[i] != r->x && inputs[i] != r->y && inputs[i] != r->by)
            fm_text_add(note, "%s%s", told++ ? ", " : "; all values together of ", inputs[i]->name);
}

static void add_note(fm_figure *figure, const fm_sweep_request *r)
{
    fm_text note = {0};
    size_t relations = 0;
    fm_text_add(&note, "%zu runs", r->result->finished);
    if (r->result->finished < r->result->runs)
        fm_text_add(&note, " finished of %zu planned", r->result->runs);
    for (size_t i = 0; i < r->question_count; i++)
        relations += r->questions[i].relation[0] != 0;
    bool curves = !r->influence && !r->histogram && !r->y && !is_scattered(r) && r->result->finished > count_cells(r);
    size_t means = curves ? r->question_count - relations : 0, failed = fm_sweep_failed(r->result);
    bool chances = relations && !r->y && !r->influence;
    if (failed)
        fm_text_add(&note, ", %zu failed%s", failed, relations ? " (counted as false)" : "");
    if (means || chances)
        fm_text_add(&note, "; %s: 95 %% interval of the %s%s%s", r->histogram ? "line" : "bands",
                    means ? "mean (Student)" : "", means && chances ? " or the " : "",
                    chances ? "probability (Wilson)" : "");
    if (r->series_count && r->by)
        fm_text_add(&note, "; over time: median, and 5 to 95 %% of the runs");
    if (r->influence)
        fm_text_add(&note, "; lines: 95 %% intervals");
    else if (r->question_count)
        note_others(r, &note);
    if (!note.failed)
        fm_figure_note(figure, note.data);
    fm_text_free(&note);
}

/* Metrics and inputs that would be left out silently. */
static fm_status check(const fm_sweep_request *r, fm_error *error)
{
    const size_t plots = r->question_count + r->series_count;
    if (plots == 0 || plots > 16)
        return fm_fail(error, FM_ERR_RANGE, "1 to 16 metrics and series can be drawn, these are %zu", plots);
    size_t curves = r->by ? fm_sweep_levels(r->result, r->by, (double[1]){0}, 1) : 0;
    if (curves > FM_SWEEP_CURVES)
        return fm_fail(error, FM_ERR_RANGE, "%s has %zu values: must be at most %d curves; --y makes a map",
                       r->by->name, curves, FM_SWEEP_CURVES);
    if (r->x && r->x == (r->y ? r->y : r->by))
        return fm_fail(error, FM_ERR_ARGUMENT, "%s cannot be drawn over itself", r->x->name);
    for (size_t i = 0; i < r->question_count; i++) {
        fm_sweep_cell all = fm_sweep_gather(r->result, &r->questions[i],
                                            (const fm_result_variable *const[2]){NULL, NULL}, (double[2]){0, 0});
        if (all.count == 0)
            return fm_fail(error, FM_ERR_RANGE, "no run that finished has observed %s", r->questions[i].metric->name);
    }
    return FM_OK;
}

fm_figure *fm_sweep_draw(const fm_sweep_request *request, fm_error *error)
{
    fm_sweep_request r = *request;
    choose(&r);
    const size_t plots = r.question_count + r.series_count;
    double height = 30 + (plots > 1 ? 58 : 75) * (double)plots;
    if (r.influence) /* a line per input */
        height = fmin(1900, 40 + fmax(30, 7 * (double)varied_count(r.result)) * (double)r.question_count +
                                58 * (double)r.series_count);
    fm_figure *figure = check(&r, error) == FM_OK ? fm_figure_create(170, height, r.theme) : NULL;
    if (!figure)
        return NULL;
    fm_figure_title(figure, r.result->title);
    fm_status status = FM_OK;
    for (size_t i = 0; i < r.question_count && status == FM_OK; i++)
        status = draw_question(fm_figure_axes(figure, i, 0, 1, 1), &r, &r.questions[i], error);
    for (size_t i = 0; i < r.series_count && status == FM_OK; i++)
        status =
            fm_sweep_draw_series(fm_figure_axes(figure, r.question_count + i, 0, 1, 1), &r, r.series[i], i == 0, error);
    if (status != FM_OK) {
        fm_figure_destroy(figure);
        return NULL;
    }
    add_note(figure, &r);
    return figure;
}
