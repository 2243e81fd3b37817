#include "plot/sweep_figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

enum { LEVELS = 400, CURVES = 8, BINS_MOST = 60 };

/* --- how numbers are shown: angles in degrees --- */

typedef struct scale {
    double factor;
    const char *unit;
} scale;

static scale scale_of(const fm_result_variable *v)
{
    if (!strcmp(v->unit, "rad"))
        return (scale){57.29577951308232, "°"};
    if (!strcmp(v->unit, "rad/s"))
        return (scale){57.29577951308232, "°/s"};
    return (scale){1, !strcmp(v->unit, "deg") ? "°" : v->unit};
}

/* "/snookie/approach/angle" is called "approach angle". */
static void name_input(const fm_result_variable *v, char *name, size_t size)
{
    const char *start = strchr(v->name + (v->name[0] == '/'), '/');
    snprintf(name, size, "%s", start ? start + 1 : v->name);
    for (char *c = name; *c; c++)
        *c = *c == '/' || *c == '_' ? ' ' : *c;
}

static void name_question(const fm_sweep_question *q, char *name, size_t size)
{
    if (q->relation[0])
        snprintf(name, size, "P(%s %s %g)", q->metric->name, q->relation, q->bound);
    else
        snprintf(name, size, "%s", q->metric->name);
}

static void style_input(fm_axes *axes, const fm_result_variable *v, void (*set)(fm_axes *, const fm_axis_style *))
{
    char name[200];
    name_input(v, name, sizeof name);
    fm_axis_style style = {.label = name, .unit = v->words ? NULL : scale_of(v).unit};
    if (v->words && v->word_count <= 40) {
        style.names = (const char *const *)v->words;
        style.name_count = v->word_count;
        style.min = -0.5;
        style.max = (double)v->word_count - 0.5;
    }
    set(axes, &style);
}

/* --- a curve, with the interval of its mean --- */

static void draw_curve(fm_axes *axes, const fm_sweep_request *r, const fm_sweep_question *q, double level, size_t index)
{
    double x[LEVELS], mean[LEVELS], low[LEVELS], high[LEVELS], factor = q->relation[0] ? 1 : scale_of(q->metric).factor;
    size_t count = fm_sweep_levels(r->result, r->x, x, LEVELS), several = 0;
    char label[120] = "", name[80];
    for (size_t i = 0; i < count; i++) {
        fm_sweep_cell cell =
            fm_sweep_gather(r->result, q, (const fm_result_variable *const[2]){r->x, r->by}, (double[2]){x[i], level});
        mean[i] = factor * cell.mean;
        low[i] = factor * cell.low;
        high[i] = factor * cell.high;
        several += cell.count > 1;
        x[i] *= scale_of(r->x).factor;
    }
    if (r->by) {
        name_input(r->by, name, sizeof name);
        if (r->by->words)
            snprintf(label, sizeof label, "%.80s", r->by->words[(size_t)level]);
        else
            snprintf(label, sizeof label, "%s %.4g %s", name, level * scale_of(r->by).factor, scale_of(r->by).unit);
    }
    fm_colour colour = fm_colour_series(r->theme, index);
    if (several)
        fm_axes_band(axes, x, low, high, count, &(fm_area_style){.colour = colour, .opacity = r->by ? 0.13 : 0.25});
    fm_axes_line(axes, x, mean, count,
                 &(fm_line_style){.label = label[0] ? label : NULL,
                                  .colour = colour,
                                  .marker = count <= 40 ? FM_MARKER_DISC : FM_MARKER_NONE});
}

static void draw_curves(fm_axes *axes, const fm_sweep_request *r, const fm_sweep_question *q)
{
    double levels[CURVES] = {0};
    size_t count = r->by ? fm_sweep_levels(r->result, r->by, levels, CURVES) : 1;
    char name[200];
    name_question(q, name, sizeof name);
    style_input(axes, r->x, fm_axes_x);
    fm_axes_y(axes, &(fm_axis_style){.label = name,
                                     .unit = q->relation[0] ? NULL : scale_of(q->metric).unit,
                                     .min = q->relation[0] ? -0.03 : 0,
                                     .max = q->relation[0] ? 1.03 : 0});
    fm_axes_legend(axes, q == r->questions ? FM_LEGEND_FIGURE : FM_LEGEND_NONE);
    for (size_t i = 0; i < count && i < CURVES; i++)
        draw_curve(axes, r, q, levels[i], i);
}

/* --- a map --- */

static fm_extent extent_of(const double *x, size_t columns, const double *y, size_t rows)
{
    double dx = columns > 1 ? (x[columns - 1] - x[0]) / (double)(columns - 1) : 1;
    double dy = rows > 1 ? (y[rows - 1] - y[0]) / (double)(rows - 1) : 1;
    return (fm_extent){x[0] - dx / 2, x[columns - 1] + dx / 2, y[0] - dy / 2, y[rows - 1] + dy / 2};
}

static fm_status draw_map(fm_axes *axes, const fm_sweep_request *r, const fm_sweep_question *q, fm_error *error)
{
    double x[LEVELS], y[LEVELS];
    size_t columns = fm_sweep_levels(r->result, r->x, x, LEVELS), rows = fm_sweep_levels(r->result, r->y, y, LEVELS);
    double *values = fm_alloc(columns * rows * sizeof *values);
    char name[200];
    if (!values || columns > LEVELS || rows > LEVELS)
        return fm_free(values), fm_fail(error, FM_ERR_RANGE, "a map has at most %d by %d values", LEVELS, LEVELS);
    const fm_result_variable *const inputs[2] = {r->x, r->y};
    for (size_t row = 0; row < rows; row++)
        for (size_t i = 0; i < columns; i++)
            values[row * columns + i] = fm_sweep_gather(r->result, q, inputs, (double[2]){x[i], y[row]}).mean *
                                        (q->relation[0] ? 1 : scale_of(q->metric).factor);
    for (size_t i = 0; i < columns; i++)
        x[i] *= scale_of(r->x).factor;
    for (size_t i = 0; i < rows; i++)
        y[i] *= scale_of(r->y).factor;
    name_question(q, name, sizeof name);
    style_input(axes, r->x, fm_axes_x);
    style_input(axes, r->y, fm_axes_y);
    fm_heat_style style = {.value_label = name, .value_unit = q->relation[0] ? NULL : scale_of(q->metric).unit};
    if (q->relation[0])
        style.max = 1;
    fm_axes_heat(axes, extent_of(x, columns, y, rows), values, columns, rows, &style);
    fm_free(values);
    return FM_OK;
}

/* --- points, where an input was drawn --- */

static fm_status draw_points(fm_axes *axes, const fm_sweep_request *r, const fm_sweep_question *q, fm_error *error)
{
    double *x = fm_alloc((r->result->runs + 1) * sizeof *x), *y = fm_alloc((r->result->runs + 1) * sizeof *y);
    size_t count = 0;
    char name[200];
    if (!x || !y)
        return fm_free(x), fm_free(y), fm_fail(error, FM_ERR_MEMORY, "no memory for %zu points", r->result->runs);
    for (size_t run = 0; run < r->result->runs; run++) {
        double answer = fm_sweep_answer(r->result, q, run);
        if (isnan(answer))
            continue;
        x[count] = r->x->values[run] * scale_of(r->x).factor;
        y[count++] = answer * (q->relation[0] ? 1 : scale_of(q->metric).factor);
    }
    name_question(q, name, sizeof name);
    style_input(axes, r->x, fm_axes_x);
    fm_axes_y(axes, &(fm_axis_style){.label = name, .unit = q->relation[0] ? NULL : scale_of(q->metric).unit});
    fm_axes_scatter(axes, x, y, count, &(fm_scatter_style){.size = count > 300 ? 2 : 3.5});
    fm_free(x);
    fm_free(y);
    return FM_OK;
}

/* --- a histogram --- */

static void draw_bars(fm_axes *axes, fm_colour colour, const double *bins, size_t count, double low, double width)
{
    for (size_t i = 0; i < count; i++) {
        double a = low + width * (double)i, b = a + width;
        if (bins[i] > 0)
            fm_axes_polygon(axes, (double[]){a, a, b, b}, (double[]){0, bins[i], bins[i], 0}, 4,
                            &(fm_area_style){.opacity = 0.6, .line_width = 0.4, .colour = colour});
    }
}

static void draw_histogram(fm_axes *axes, const fm_sweep_request *r, const fm_sweep_question *q)
{
    double low = HUGE_VAL, high = -HUGE_VAL, bins[BINS_MOST] = {0}, factor = scale_of(q->metric).factor;
    size_t seen = 0;
    for (size_t run = 0; run < r->result->runs; run++) {
        double v = factor * fm_sweep_answer(r->result, q, run);
        if (!isnan(v)) {
            low = fmin(low, v), high = fmax(high, v);
            seen++;
        }
    }
    size_t count = (size_t)fmin(BINS_MOST, fmax(5, ceil(sqrt((double)seen))));
    double width = high > low ? (high - low) / (double)count : 1;
    for (size_t run = 0; run < r->result->runs; run++) {
        double v = factor * fm_sweep_answer(r->result, q, run);
        if (!isnan(v))
            bins[(size_t)fmin((double)(count - 1), (v - low) / width)]++;
    }
    char name[200];
    name_question(q, name, sizeof name);
    fm_axes_x(axes, &(fm_axis_style){.label = name, .unit = q->relation[0] ? NULL : scale_of(q->metric).unit});
    fm_axes_y(axes, &(fm_axis_style){.label = "runs", .min = 0, .max = NAN});
    if (seen)
        draw_bars(axes, fm_colour_series(r->theme, 0), bins, count, low, width);
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

/* Two listed inputs make a map; the first is drawn along x, and a second one with few values as curves. */
static void choose(fm_sweep_request *r)
{
    const fm_result_variable *inputs[FM_AXES_MOST];
    size_t levels[FM_AXES_MOST], count = varied_inputs(r->result, inputs, levels, FM_AXES_MOST);
    if (r->histogram || count == 0 || r->x) {
        r->histogram |= count == 0;
        return;
    }
    r->x = inputs[0] != r->by && inputs[0] != r->y ? inputs[0] : count > 1 ? inputs[1] : inputs[0];
    for (size_t i = 0; i < count && !r->y && !r->by; i++)
        if (inputs[i] != r->x && count == 2) {
            if (!inputs[i]->drawn && !r->x->drawn && (levels[i] <= 3 || inputs[i]->words))
                r->by = inputs[i];
            else if (!inputs[i]->drawn && !r->x->drawn && levels[0] <= LEVELS)
                r->y = inputs[i];
        }
}

/* Its values were drawn: hardly one comes twice. */
static bool is_scattered(const fm_sweep_request *r)
{
    return r->x->drawn || fm_sweep_levels(r->result, r->x, (double[1]){0}, 1) > LEVELS;
}

static fm_status draw_question(fm_axes *axes, const fm_sweep_request *r, const fm_sweep_question *q, fm_error *error)
{
    if (r->histogram)
        return draw_histogram(axes, r, q), FM_OK;
    if (r->y)
        return draw_map(axes, r, q, error);
    if (is_scattered(r))
        return draw_points(axes, r, q, error);
    return draw_curves(axes, r, q), FM_OK;
}

/* Points of all curves: with as many runs there is one a point, and no band. */
static size_t count_places(const fm_sweep_request *r)
{
    double some[1];
    return fm_sweep_levels(r->result, r->x, some, 1) * (r->by ? fm_sweep_levels(r->result, r->by, some, 1) : 1);
}

static void add_note(fm_figure *figure, const fm_sweep_request *r)
{
    char note[400];
    size_t relations = 0;
    int n = snprintf(note, sizeof note, "%zu runs", r->result->finished);
    if (r->result->finished < r->result->runs)
        n += snprintf(note + n, sizeof note - (size_t)n, " finished of %zu planned", r->result->runs);
    for (size_t i = 0; i < r->question_count; i++)
        relations += r->questions[i].relation[0] != 0;
    if (!r->histogram && !r->y && !is_scattered(r) && r->result->finished > count_places(r))
        snprintf(note + n, sizeof note - (size_t)n, "; bands: 95 %% interval of the %s%s%s",
                 relations < r->question_count ? "mean (Student)" : "",
                 relations && relations < r->question_count ? " or the " : "", relations ? "probability (Wilson)" : "");
    fm_figure_note(figure, note);
}

fm_figure *fm_sweep_draw(const fm_sweep_request *request, fm_error *error)
{
    fm_sweep_request r = *request;
    choose(&r);
    double height = 30 + (r.question_count > 1 ? 58 : 75) * (double)r.question_count;
    fm_figure *figure = r.question_count && r.question_count <= 16 ? fm_figure_create(170, height, r.theme) : NULL;
    if (!figure) {
        fm_fail(error, FM_ERR_RANGE, "1 to 16 metrics can be drawn, these are %zu", r.question_count);
        return NULL;
    }
    fm_figure_title(figure, r.result->title);
    for (size_t i = 0; i < r.question_count; i++)
        if (draw_question(fm_figure_axes(figure, i, 0, 1, 1), &r, &r.questions[i], error) != FM_OK) {
            fm_figure_destroy(figure);
            return NULL;
        }
    add_note(figure, &r);
    return figure;
}
