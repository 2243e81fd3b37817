/* Statistics of a sweep's result, grouped by the values of its inputs. */
#ifndef FM_PLOT_SWEEP_STATISTICS_H
#define FM_PLOT_SWEEP_STATISTICS_H

#include "studies/result.h"

/* The quantity evaluated for a metric: its value, or whether it satisfies a relation to a number. */
typedef struct fm_sweep_question {
    const fm_result_variable *metric;
    char relation[3]; /* "": its value; "=", "<", ">", "<=", ">=" */
    double bound;     /* SI */
} fm_sweep_question;

/* Parses "VEHICLE.NAME", optionally followed by a relation: "snookie.contacts=0". */
fm_status fm_sweep_question_read(const fm_result *result, const char *text, fm_sweep_question *question,
                                 fm_error *error);
/* The result of a run: a value, or 1 and 0. NaN: the run was not made, it failed and a value is needed, or it never
 * observed the value. A relation is false in a run that failed or never observed it. */
double fm_sweep_answer(const fm_result *result, const fm_sweep_question *question, size_t run);
size_t fm_sweep_failed(const fm_result *result); /* runs that failed */

const fm_result_series *fm_result_find_series(const fm_result *result, const char *name); /* NULL: none */
const fm_result_variable *fm_result_find(const fm_result *result, const char *name);      /* NULL: none */

/* The distinct values of an input, in order; at most `room` are stored, all are counted. */
size_t fm_sweep_levels(const fm_result *result, const fm_result_variable *input, double *levels, size_t room);

typedef struct fm_sweep_cell {
    size_t count;
    double mean, deviation; /* of the sample */
    double low, high;       /* the mean lies there with 95 %: Student, or Wilson for a relation */
} fm_sweep_cell;

/* Runs whose inputs have these values; an input that is NULL may have any. */
fm_sweep_cell fm_sweep_gather(const fm_result *result, const fm_sweep_question *question,
                              const fm_result_variable *const inputs[2], const double values[2]);
/* The value below which this part of sorted numbers lies, linear between neighbours; NaN: no numbers. */
double fm_sample_quantile(const double *sorted, size_t count, double part);
void fm_sample_sort(double *numbers, size_t count); /* none is NaN */
/* Interval of a probability of which `successes` of `count` were seen, 95 % (Wilson 1927). */
void fm_wilson_interval(double successes, double count, double interval[2]);
/* Half the width of the interval of a mean in standard errors, 95 %, for this number of runs (Student). */
double fm_student_factor(size_t count);

#endif
