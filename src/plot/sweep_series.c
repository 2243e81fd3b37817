/* Series of a sweep: quantile bands over time. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"
#include "plot/sweep_parts.h"

enum { BANDS = 5 }; /* quantiles: 5, 25, 50, 75 and 95 % */

static const double parts[BANDS] = {0.05, 0.25, 0.5, 0.75, 0.95};

/* The quantiles of all runs whose input has this level, at each time: [quantile][sample], in displayed units. */
static fm_status find_bands(const fm_sweep_request *r, const fm_result_series *s, double level, double *bands,
                            fm_error *error)
{
    const fm_result *result = r->result;
    const double factor = fm_sweep_scale_of_unit(s->unit).factor;
    double *column = fm_alloc((result->runs + 1) * sizeof *column);
    if (!column)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu runs", result->runs);
    for (size_t k = 0; k < result->samples; k++) {
        size_t count = 0;
        for (size_t run = 0; run < result->runs; run++) {
            const double value = s->values[run * result->samples + k];
            if (result->outcomes[run] == FM_OUTCOME_FINISHED && isfinite(value) &&
                (!r->by || r->by->values[run] == level))
                column[count++] = factor * value;
        }
        fm_sample_sort(column, count);
        for (size_t b = 0; b < BANDS; b++)
            bands[b * result->samples + k] = fm_sample_quantile(column, count, parts[b]);
    }
    fm_free(column);
    return FM_OK;
}

static void name_level(const fm_sweep_request *r, double level, char *label, size_t size)
{
    char name[200];
    if (!r->by)
        snprintf(label, size, "median");
    else if (r->by->words)
        snprintf(label, size, "%s", r->by->words[(size_t)level]);
    else {
        const fm_sweep_scale scale = fm_sweep_scale_of(r->by);
        fm_sweep_name_input(r->by, name, sizeof name);
        snprintf(label, size, "%.80s %.4g %s", name, level * scale.factor, scale.unit);
    }
}

static void draw_bands(fm_axes *axes, const fm_sweep_request *r, const double *bands, double level, size_t index)
{
    const size_t n = r->result->samples;
    const fm_colour colour = fm_colour_series(r->theme, index);
    char label[120];
    name_level(r, level, label, sizeof label);
    fm_axes_band(axes, r->result->times, bands, bands + 4 * n, n,
                 &(fm_area_style){.label = r->by ? NULL : "5 to 95 % of the runs", .colour = colour, .opacity = 0.15});
    if (!r->by)
        fm_axes_band(axes, r->result->times, bands + n, bands + 3 * n, n,
                     &(fm_area_style){.label = "25 to 75 %", .colour = colour, .opacity = 0.3});
    fm_axes_line(axes, r->result->times, bands + 2 * n, n, &(fm_line_style){.label = label, .colour = colour});
}

fm_status fm_sweep_draw_series(fm_axes *axes, const fm_sweep_request *r, const fm_result_series *s, bool legend,
                               fm_error *error)
{
    double levels[FM_SWEEP_CURVES] = {0};
    size_t count = r->by ? fm_sweep_levels(r->result, r->by, levels, FM_SWEEP_CURVES) : 1;
    double *bands = fm_alloc(BANDS * (r->result->samples + 1) * sizeof *bands);
    fm_status status = bands ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for bands");
    fm_axes_x(axes, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
    fm_axes_y(axes, &(fm_axis_style){.label = s->name, .unit = fm_sweep_scale_of_unit(s->unit).unit});
    fm_axes_legend(axes, legend ? FM_LEGEND_FIGURE : FM_LEGEND_NONE);
    for (size_t i = 0; i < count && i < FM_SWEEP_CURVES && status == FM_OK; i++) {
        status = find_bands(r, s, levels[i], bands, error);
        if (status == FM_OK)
            draw_bands(axes, r, bands, levels[i], i);
    }
    fm_free(bands);
    return status;
}

const fm_result_series *fm_result_find_series(const fm_result *result, const char *name)
{
    for (size_t i = 0; i < result->series_count; i++)
        if (fm_text_name_equal(result->series[i].name, name))
            return &result->series[i];
    return NULL;
}
