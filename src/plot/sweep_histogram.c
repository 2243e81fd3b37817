/* Sweeps without inputs: histogram of a metric, or the probability of an outcome. */
#include <math.h>
#include <stdio.h>

#include "plot/sweep_parts.h"

enum { BINS_MOST = 60 };

/* --- a probability --- */

static void draw_chance(fm_axes *axes, const fm_sweep_request *r, const fm_sweep_question *q)
{
    const fm_result_variable *const any[2] = {NULL, NULL};
    fm_sweep_cell all = fm_sweep_gather(r->result, q, any, (double[2]){0, 0});
    char name[200], text[200];
    fm_sweep_name_question(q, name, sizeof name);
    fm_axes_x(axes, &(fm_axis_style){.label = name, .min = -0.03, .max = 1.03});
    fm_axes_y(axes, &(fm_axis_style){.scale = FM_SCALE_BARE, .min = -1, .max = 1});
    if (all.count == 0)
        return;
    snprintf(text, sizeof text, "%.0f of %zu runs: %.3g (95 %%: %.3g … %.3g)", all.mean * (double)all.count, all.count,
             all.mean, all.low, all.high);
    fm_colour colour = fm_colour_series(r->theme, 0);
    fm_axes_line(axes, (double[]){all.low, all.high}, (double[]){0, 0}, 2,
                 &(fm_line_style){.colour = colour, .width = 3});
    fm_axes_scatter(axes, &all.mean, (double[]){0}, 1, &(fm_scatter_style){.colour = colour, .size = 9});
    fm_axes_text(axes, all.mean, 0, text,
                 &(fm_text_style){.across = all.mean > 0.66   ? 1
                                            : all.mean > 0.33 ? 0.5
                                                              : 0,
                                  .dy = 12});
}

/* --- a histogram --- */

typedef struct bars {
    double low, width, gap; /* gap: between bars */
    size_t count, seen;
    double heights[BINS_MOST];
} bars;

/* Bins of one width; whole numbers that lie close have one each. */
static bars find_bins(const fm_sweep_request *r, const fm_sweep_question *q)
{
    bars b = {.low = HUGE_VAL};
    double high = -HUGE_VAL, factor = fm_sweep_factor(q);
    bool whole = factor == 1;
    for (size_t run = 0; run < r->result->runs; run++) {
        double v = factor * fm_sweep_answer(r->result, q, run);
        if (isnan(v))
            continue;
        b.low = fmin(b.low, v), high = fmax(high, v);
        whole &= floor(v) == v;
        b.seen++;
    }
    if (whole && high - b.low < BINS_MOST)
        return b.count = b.seen ? (size_t)(high - b.low) + 1 : 1, b.low -= 0.5, b.width = 1, b.gap = 0.2, b;
    b.count = (size_t)fmin(BINS_MOST, fmax(5, ceil(sqrt((double)b.seen))));
    b.width = (high - b.low) / (double)b.count;
    if (!(high > b.low)) { /* a single value */
        b.width = fmax(0.01 * fabs(high), 1e-9);
        b.low -= 0.5 * b.width;
        b.count = 1;
    }
    return b;
}

static void draw_bars(fm_axes *axes, fm_colour colour, const bars *b)
{
    for (size_t i = 0; i < b->count; i++) {
        double left = b->low + b->width * (double)i + 0.5 * b->gap, right = left + b->width - b->gap;
        double top = b->heights[i];
        if (top > 0)
            fm_axes_polygon(axes, (double[]){left, left, right, right}, (double[]){0, top, top, 0}, 4,
                            &(fm_area_style){.opacity = 0.6, .line_width = 0.4, .colour = colour});
    }
}

void fm_sweep_draw_histogram(fm_axes *axes, const fm_sweep_request *r, const fm_sweep_question *q)
{
    if (q->relation[0]) {
        draw_chance(axes, r, q);
        return;
    }
    bars b = find_bins(r, q);
    char name[200];
    for (size_t run = 0; run < r->result->runs; run++) {
        double v = fm_sweep_factor(q) * fm_sweep_answer(r->result, q, run);
        if (!isnan(v))
            b.heights[(size_t)fmin((double)(b.count - 1), (v - b.low) / b.width)]++;
    }
    fm_sweep_name_question(q, name, sizeof name);
    fm_axes_x(axes, &(fm_axis_style){.label = name, .unit = fm_sweep_unit(q)});
    fm_axes_y(axes, &(fm_axis_style){.label = "runs", .min = 0, .max = NAN});
    if (b.seen)
        draw_bars(axes, fm_colour_series(r->theme, 0), &b);
}
