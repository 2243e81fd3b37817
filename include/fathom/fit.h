/* Fits: parameters of a scenario from records, with 95 % intervals. As `fathom identify` does it (docs/identify.md).
 *
 *     static const char *const records[] = {"trial.mcap"}, *const fit[] = {"/rov/drag/X_u_absu"};
 *     fm_fit_options options = {.size = sizeof options, .records = records, .record_count = 1,
 *                               .parameters = fit, .parameter_count = 1, .check = 0.25, .threads = 8};
 *     fm_fit *fit = fm_fit_create(model, &options, &error);
 *     if (fm_fit_solve(fit, &error) == FM_OK && fm_fit_trusted(fit))
 *         … fm_fit_values(fit)[0], fm_fit_low(fit)[0], fm_fit_high(fit)[0] …
 *     fm_fit_free(fit);
 */
#ifndef FATHOM_FIT_H
#define FATHOM_FIT_H

#include <fathom/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A fit and its result. One thread may use it at a time, except where "any thread" is said. */
typedef struct fm_fit fm_fit;

/* How much a residual counts, over its noise. */
typedef enum fm_fit_loss {
    FM_FIT_SQUARE, /* its square: least squares */
    FM_FIT_HUBER,  /* square up to 1.345 times the noise, linear beyond: a few outliers do little */
    FM_FIT_CAUCHY  /* ln(1 + (u/2.385)^2): outliers far out do nothing */
} fm_fit_loss;

/* Where runs, and segments of them, begin. */
typedef enum fm_fit_start {
    FM_FIT_AUTO,     /* FM_FIT_DATA with `segment`, else FM_FIT_SCENARIO */
    FM_FIT_SCENARIO, /* as in the scenario */
    FM_FIT_DATA,     /* as in the record; the true start is estimated too */
    FM_FIT_STATE     /* the same, and unrecorded numbers of the pose are estimated as well */
} fm_fit_start;

/* A series of a record that the caller has in memory. */
typedef struct fm_fit_data {
    const char *name; /* "depth" */
    const char *unit; /* "m"; "" or NULL: none is given */
    const double *t;  /* s, increasing */
    const double *y;  /* in the unit; NaN: no value */
    size_t count;
} fm_fit_data;

/* Zero-initialise for the defaults and set `size`. Read only during fm_fit_create, which copies it; `user` is passed
 * on. */
typedef struct fm_fit_options {
    size_t size;                   /* sizeof(fm_fit_options) */
    const fm_load_options *load;   /* as the model was loaded; NULL: no options. `report` and `warn` are not used */
    const char *const *parameters; /* each "PATH" or "PATH=LOW:HIGH UNIT". With biases and delays at most 20 */
    size_t parameter_count;
    const char *const *priors; /* each "PATH~normal(MEAN,DEVIATION) UNIT" of a parameter: what is known of it before */
    size_t prior_count;
    const char *const *records; /* files: logs (MCAP), tables (CSV), NetCDF */
    size_t record_count;
    const fm_fit_data *data; /* one more record, in memory; its times are those of the run */
    size_t data_count;
    const char *const *maps; /* each "OURS=THEIRS[*FACTOR][+SHIFT]"; none: quantities with the usual names */
    size_t map_count;
    const char *const *inputs; /* recorded controls, written in the same way */
    size_t input_count;
    const char *const *sigmas; /* standard deviation of the noise, each "OURS=DEVIATION UNIT" */
    size_t sigma_count;
    /* Instruments that read too much by an unknown constant, each "OURS" or "OURS~normal(MEAN,DEVIATION) UNIT". It is
     * estimated too. */
    const char *const *biases;
    size_t bias_count;
    /* Instruments that are late by an unknown time, each "OURS" or "OURS~normal(MEAN,DEVIATION) s"; "record" in place
     * of OURS: all quantities of each record, by one delay per record. It is estimated too. */
    const char *const *delays;
    size_t delay_count;
    fm_fit_loss loss;
    const char *time_column;  /* of tables; NULL: the one with that name */
    const char *const *where; /* of tables: "trial=3": only rows with this number */
    size_t where_count;
    const char *const *betweens; /* each "THEIRS=A:B": compare only while a series is between two numbers */
    size_t between_count;
    const char *const *skips; /* each "A:B", s of the records: left out */
    size_t skip_count;
    int from_given, to_given; /* 1: `from`, `to` are used */
    double from, to;          /* s of the records: nothing before and after is used */
    fm_fit_start start;
    double segment; /* s after which runs begin again from the record; 0: never */
    double check;   /* fraction at the end of each record that is predicted, not fitted: 0 … 0.9 */
    int threads;    /* 0 or 1: the calling thread alone */
    int iterations; /* at most, in each search; 0: 50 */
    int searches;   /* each from another start; 0: one, and 8 if its result is in doubt. At most 1000 */
    /* A file that records every run; NULL: none. `resume`: the runs that it holds are not made again, and the fit goes
     * on as if it had not been interrupted; 0: an existing file is refused. */
    const char *journal;
    int resume;
    /* After each iteration, by the thread that solves; `values` as fm_fit_values. A result other than 0 cancels. May
     * be NULL. */
    int (*progress)(void *user, int iteration, double misfit, const double *values);
    void *user;
} fm_fit_options;

/* Reads the records and creates a fit that has not begun. The model must outlive it. Free it with fm_fit_free. NULL and
 * *error where an option is refused or a record cannot be read. */
FM_API fm_fit *fm_fit_create(const fm_model *model, const fm_fit_options *options, fm_error *error);
/* Frees a fit; NULL is allowed. */
FM_API void fm_fit_free(fm_fit *fit);
/* Finds the values and their intervals. FM_OK also where the search did not converge (fm_fit_converged) or the result
 * is in doubt (fm_fit_trusted). FM_ERR_CANCELLED: fm_fit_cancel or `progress` ended it. FM_ERR_MISSING in a build
 * without GSL. Once for each fit. */
FM_API fm_status fm_fit_solve(fm_fit *fit, fm_error *error);
/* Ends fm_fit_solve as soon as possible. Any thread, also a signal handler. */
FM_API void fm_fit_cancel(fm_fit *fit);

/* --- parameters: those of the options, then biases, then delays --- */

/* The number of parameters, biases and delays. */
FM_API size_t fm_fit_count(const fm_fit *fit);
/* "/rov/drag/X_u_absu", "bias of rov.u", "delay of rov.u"; NULL: no such parameter. */
FM_API const char *fm_fit_name(const fm_fit *fit, size_t parameter);
/* The unit of its numbers; "": none; NULL: no such parameter. */
FM_API const char *fm_fit_unit(const fm_fit *fit, size_t parameter);
/* Found values, one per parameter; before fm_fit_solve where it starts. Valid as long as the fit, as the next four. */
FM_API const double *fm_fit_values(const fm_fit *fit);
/* Lower ends of the 95 % intervals. NaN: at a bound, or none was found. */
FM_API const double *fm_fit_low(const fm_fit *fit);
/* Upper ends of the 95 % intervals. */
FM_API const double *fm_fit_high(const fm_fit *fit);
/* Standard deviations. */
FM_API const double *fm_fit_deviations(const fm_fit *fit);
/* Covariance of the values, [parameter][parameter] in the product of their units; it agrees with the deviations. */
FM_API const double *fm_fit_covariance(const fm_fit *fit);

/* --- how good it is --- */

/* 1: the search converged. */
FM_API int fm_fit_converged(const fm_fit *fit);
/* 1: it converged and nothing speaks against values and intervals; 0: fm_fit_note says what does. */
FM_API int fm_fit_trusted(const fm_fit *fit);
/* Remarks about the result, one sentence each; NULL after the last. */
FM_API const char *fm_fit_note(const fm_fit *fit, size_t i);
/* Weighted sum of squares over degrees of freedom: about 1 where the weights are those of the noise. */
FM_API double fm_fit_misfit(const fm_fit *fit);
/* Runs made so far, those of a journal included. */
FM_API size_t fm_fit_runs(const fm_fit *fit);
/* Why it ended: "the last step was small". */
FM_API const char *fm_fit_ended(const fm_fit *fit);

/* --- compared quantities, and their samples --- */

/* The number of compared quantities. */
FM_API size_t fm_fit_quantity_count(const fm_fit *fit);
/* "rov.u"; NULL: no such quantity. */
FM_API const char *fm_fit_quantity_name(const fm_fit *fit, size_t quantity);
/* Its unit, SI; NULL: no such quantity. */
FM_API const char *fm_fit_quantity_unit(const fm_fit *fit, size_t quantity);
/* Root mean square of its residuals, in its unit; `checked`: 0 of the fitted part, 1 of the part kept for checking.
 * NaN: none. */
FM_API double fm_fit_rms(const fm_fit *fit, size_t quantity, int checked);

/* A recorded number and that of the fitted run. */
typedef struct fm_fit_sample {
    size_t record, quantity;
    int checked;     /* 1: it was kept for checking */
    double t;        /* s of the run */
    double recorded; /* in the unit of the quantity */
    double fitted;   /* the same, bias and delay included */
    double weight;   /* of the loss, 0 … 1: 1 is no outlier */
} fm_fit_sample;
/* The number of samples. */
FM_API size_t fm_fit_sample_count(const fm_fit *fit);
/* Copies samples `first` … `first + count - 1`; returns the number copied. */
FM_API size_t fm_fit_samples(const fm_fit *fit, size_t first, size_t count, fm_fit_sample *samples);

#ifdef __cplusplus
}
#endif
#endif
