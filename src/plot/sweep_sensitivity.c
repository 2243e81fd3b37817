#include "plot/sweep_sensitivity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "plot/page.h"

enum { BARS_MOST = 40 };

static size_t count_inputs(const fm_result *r)
{
    size_t count = 0;
    for (size_t i = 0; i < r->variable_count; i++)
        count += r->variables[i].input;
    return count;
}

bool fm_sweep_tells_influence(const fm_result *r)
{
    const size_t inputs = count_inputs(r);
    const bool pairs = !strcmp(r->design, "saltelli"), paths = !strcmp(r->design, "morris");
    return (pairs || paths) && inputs > 0 && inputs <= FM_AXES_MOST && r->runs == r->drawn * (inputs + (pairs ? 2 : 1));
}

/* --- finding --- */

static fm_status find_indices(const fm_result *r, const double *answers, const fm_result_variable **inputs,
                              fm_influence *out, fm_error *error)
{
    fm_sobol_index found[FM_AXES_MOST];
    size_t order[FM_AXES_MOST];
    fm_status status = fm_sobol_indices(answers, r->drawn, out->count, found, &out->used, error);
    if (status != FM_OK)
        return status;
    fm_sobol_rank(found, out->count, order);
    for (size_t i = 0; i < out->count; i++) {
        out->inputs[i] = inputs[order[i]];
        out->indices[i] = found[order[i]];
    }
    return FM_OK;
}

static fm_status find_effects(const fm_result *r, const double *answers, const fm_result_variable **inputs,
                              fm_influence *out, fm_error *error)
{
    fm_morris_effect found[FM_AXES_MOST];
    const double *values[FM_AXES_MOST];
    size_t order[FM_AXES_MOST];
    for (size_t i = 0; i < out->count; i++)
        values[i] = inputs[i]->values;
    fm_status status = fm_morris_effects(answers, values, r->drawn, out->count, found, error);
    if (status != FM_OK)
        return status;
    fm_morris_rank(found, out->count, order);
    for (size_t i = 0; i < out->count; i++) {
        out->inputs[i] = inputs[order[i]];
        out->effects[i] = found[order[i]];
    }
    return FM_OK;
}

fm_status fm_sweep_find_influence(const fm_result *r, const fm_sweep_question *question, fm_influence *influence,
                                  fm_error *error)
{
    const fm_result_variable *inputs[FM_AXES_MOST];
    *influence = (fm_influence){.paths = !strcmp(r->design, "morris")};
    for (size_t i = 0; i < r->variable_count; i++)
        if (r->variables[i].input)
            inputs[influence->count++] = &r->variables[i];
    double *answers = fm_alloc((r->runs + 1) * sizeof *answers);
    if (!answers)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu runs", r->runs);
    for (size_t run = 0; run < r->runs; run++)
        answers[run] = fm_sweep_factor(question) * fm_sweep_answer(r, question, run);
    fm_status status = influence->paths ? find_effects(r, answers, inputs, influence, error)
                                        : find_indices(r, answers, inputs, influence, error);
    fm_free(answers);
    return status;
}

/* --- drawing --- */

static void draw_bar(fm_axes *axes, double y, double height, double length, double opacity, const char *label,
                     fm_colour colour)
{
    if (isfinite(length))
        fm_axes_polygon(axes, (double[]){0, length, length, 0},
                        (double[]){y - height, y - height, y + height, y + height}, 4,
                        &(fm_area_style){.label = label, .opacity = opacity, .line_width = 0.4, .colour = colour});
}

static void draw_interval(fm_axes *axes, double y, const fm_index_estimate *e, fm_colour colour)
{
    if (isfinite(e->low))
        fm_axes_line(axes, (double[]){e->low, e->high}, (double[]){y, y}, 2,
                     &(fm_line_style){.colour = colour, .width = 1.2});
}

static void draw_bars(fm_axes *axes, const fm_influence *f, size_t count, fm_theme theme)
{
    const fm_colour first = fm_colour_series(theme, 0), total = fm_colour_series(theme, 1);
    for (size_t i = 0; i < count; i++) {
        const double y = (double)(count - 1 - i);
        if (f->paths) {
            draw_bar(axes, y, 0.3, f->effects[i].magnitude.value, 0.6, i ? NULL : "mean magnitude of the effect",
                     first);
            draw_interval(axes, y, &f->effects[i].magnitude, first);
            if (isfinite(f->effects[i].deviation))
                fm_axes_scatter(axes, &f->effects[i].deviation, &y, 1,
                                &(fm_scatter_style){.label = i ? NULL : "deviation of the effects",
                                                    .colour = total,
                                                    .marker = FM_MARKER_DIAMOND,
                                                    .size = 6});
            continue;
        }
        draw_bar(axes, y + 0.2, 0.17, f->indices[i].total.value, 0.35, i ? NULL : "total index", total);
        draw_interval(axes, y + 0.2, &f->indices[i].total, total);
        draw_bar(axes, y - 0.2, 0.17, f->indices[i].first.value, 0.6, i ? NULL : "first-order index", first);
        draw_interval(axes, y - 0.2, &f->indices[i].first, first);
    }
}

fm_status fm_sweep_draw_influence(fm_axes *axes, const fm_sweep_request *r, const fm_sweep_question *q, fm_error *error)
{
    fm_influence *f = fm_alloc(sizeof *f);
    char names[BARS_MOST][200], title[200];
    const char *shown[BARS_MOST];
    if (!f)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a figure");
    fm_status status = fm_sweep_find_influence(r->result, q, f, error);
    const size_t count = f->count < BARS_MOST ? f->count : BARS_MOST;
    for (size_t i = 0; i < count && status == FM_OK; i++) {
        fm_sweep_name_input(f->inputs[i], names[count - 1 - i], sizeof *names);
        shown[count - 1 - i] = names[count - 1 - i];
    }
    fm_sweep_name_question(q, title, sizeof title);
    fm_axes_title(axes, title);
    fm_axes_x(axes, &(fm_axis_style){.label = f->paths ? "effect of the whole range" : "part of the variance",
                                     .unit = f->paths ? fm_sweep_unit(q) : NULL,
                                     .min = f->paths ? 0 : -0.05,
                                     .max = NAN});
    fm_axes_y(axes, &(fm_axis_style){.names = shown, .name_count = count, .min = -0.6, .max = (double)count - 0.4});
    fm_axes_legend(axes, q == r->questions ? FM_LEGEND_FIGURE : FM_LEGEND_NONE);
    if (status == FM_OK)
        draw_bars(axes, f, count, r->theme);
    fm_free(f);
    return status;
}

/* --- a table --- */

static void add_estimate(fm_text *page, const fm_index_estimate *e, bool paths)
{
    fm_text_add(page,
                paths ? "<td class=\"n\">%.4g</td><td class=\"n\">%.4g … %.4g</td>"
                      : "<td class=\"n\">%.4f</td><td class=\"n\">%.4f … %.4f</td>",
                e->value, e->low, e->high);
}

static void add_row(fm_text *page, const fm_influence *f, size_t i)
{
    fm_text_add(page, "<tr><th>%zu</th><th>", i + 1);
    fm_text_add_escaped(page, f->inputs[i]->name);
    fm_text_add(page, "</th>");
    if (f->paths) {
        add_estimate(page, &f->effects[i].magnitude, true);
        fm_text_add(page, "<td class=\"n\">%.4g</td><td class=\"n\">%.4g</td>", f->effects[i].mean,
                    f->effects[i].deviation);
    } else {
        add_estimate(page, &f->indices[i].first, false);
        add_estimate(page, &f->indices[i].total, false);
    }
    fm_text_add(page, "</tr>\n");
}

fm_status fm_sweep_tell_influence(fm_text *page, const fm_result *r, const fm_sweep_question *q, fm_error *error)
{
    fm_influence *f = fm_alloc(sizeof *f);
    if (!f)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a table");
    fm_status status = fm_sweep_find_influence(r, q, f, error);
    fm_text_add(page, "<table><tr><th>rank</th><th>parameter</th>");
    if (f->paths)
        fm_text_add(page, "<th>mean magnitude of its effects</th><th>95 %%</th><th>mean effect</th>"
                          "<th>deviation of the effects</th></tr>\n");
    else
        fm_text_add(page, "<th>first-order index</th><th>95 %%</th><th>total index</th><th>95 %%</th></tr>\n");
    for (size_t i = 0; i < f->count && status == FM_OK; i++)
        add_row(page, f, i);
    fm_text_add(page, "</table>\n");
    if (!f->paths && f->used < r->drawn)
        fm_text_add(page, "<p>%zu of %zu pairs of points: the others have a failed run.</p>\n", f->used, r->drawn);
    fm_free(f);
    return status;
}
