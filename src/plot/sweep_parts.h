/* Shared by the files that draw sweeps: names, units, and a figure for each kind of question. */
#ifndef FM_PLOT_SWEEP_PARTS_H
#define FM_PLOT_SWEEP_PARTS_H

#include "plot/sweep_figure.h"

enum { FM_SWEEP_LEVELS = 400, FM_SWEEP_CURVES = 8 };

/* Displayed units: angles in degrees. */
typedef struct fm_sweep_scale {
    double factor;
    const char *unit;
} fm_sweep_scale;

fm_sweep_scale fm_sweep_scale_of_unit(const char *unit);
fm_sweep_scale fm_sweep_scale_of(const fm_result_variable *variable);
/* "/snookie/approach/angle" is called "approach angle". */
void fm_sweep_name_input(const fm_result_variable *input, char *name, size_t size);
void fm_sweep_name_question(const fm_sweep_question *question, char *name, size_t size);
double fm_sweep_factor(const fm_sweep_question *question); /* from SI to what is shown; 1 for a probability */
const char *fm_sweep_unit(const fm_sweep_question *question);
void fm_sweep_style_answer(fm_axes *axes, const fm_sweep_question *question); /* the y axis; 0 to 1: a probability */
void fm_sweep_style_input(fm_axes *axes, const fm_result_variable *input,
                          void (*set)(fm_axes *, const fm_axis_style *));

/* Its values were drawn, so that hardly one comes twice, or there are too many of them. */
bool fm_sweep_is_scattered(const fm_result *result, const fm_result_variable *input);

/* Over two inputs: cells if both are listed, otherwise points in the colours of their values (sweep_map.c). */
fm_status fm_sweep_draw_map(fm_axes *axes, const fm_sweep_request *request, const fm_sweep_question *question,
                            fm_error *error);
/* Over a random input: one point per run; a probability as a curve, by bins with equal numbers of runs. */
fm_status fm_sweep_draw_points(fm_axes *axes, const fm_sweep_request *request, const fm_sweep_question *question,
                               fm_error *error);
/* Without inputs: a histogram of the metric; for a probability the estimate and its interval (sweep_histogram.c). */
void fm_sweep_draw_histogram(fm_axes *axes, const fm_sweep_request *request, const fm_sweep_question *question);
/* A series over time: quantiles of all runs, or of those with each value of request->by (sweep_series.c). */
fm_status fm_sweep_draw_series(fm_axes *axes, const fm_sweep_request *request, const fm_result_series *series,
                               bool legend, fm_error *error);

#endif
