/* Studies: a scenario run many times over ranges of its parameters and over seeds, and the numbers that each run ends
 * with. As `fathom sweep` does it (docs/sweeps.md): results depend on the options alone, not on threads.
 *
 *     static const char *const vary[] = {"/snookie/approach/angle=10:90:10 deg"};
 *     fm_study_options options = {.size = sizeof options, .vary = vary, .vary_count = 1, .runs = 100, .threads = 8};
 *     fm_study *study = fm_study_run(model, &options, &error);
 *     for (size_t run = 0; run < fm_study_count(study); run++)
 *         … fm_study_value(study, run, 0) …
 *     fm_study_free(study);
 *
 * To make the runs in parts, in several processes, or with a look at the progress: fm_study_create, fm_study_make for
 * each part, and fm_study_put for what others have made.
 */
#ifndef FATHOM_STUDY_H
#define FATHOM_STUDY_H

#include <fathom/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What makes the runs of a study. */
typedef enum fm_study_backend {
    FM_STUDY_AUTO,   /* lanes where they can make the runs, else worlds: the same bits */
    FM_STUDY_WORLDS, /* one world per run, any scenario */
    FM_STUDY_SIMD,   /* runs in the lanes of vector registers */
    FM_STUDY_CUDA,   /* one run per thread of a GPU */
    FM_STUDY_FASTEST /* FM_STUDY_CUDA where a GPU is found, else FM_STUDY_SIMD */
} fm_study_backend;

/* Which runs are made; as --design of `fathom sweep`. */
typedef enum fm_study_design {
    FM_STUDY_FACTORIAL, /* all combinations of the listed values, `runs` times each */
    FM_STUDY_RANDOM,    /* `runs` points, each value drawn from its list or distribution */
    FM_STUDY_LATIN,     /* the same, a Latin hypercube */
    FM_STUDY_SOBOL,     /* the same, of the Sobol sequence */
    FM_STUDY_SALTELLI,  /* `runs` pairs of points, each with one more per parameter: for fm_study_index */
    FM_STUDY_MORRIS,    /* `runs` paths, on which one parameter after the other moves: for fm_study_effect */
    FM_STUDY_POINTS     /* the i-th listed numbers of all parameters together, `runs` times each */
} fm_study_design;

/* Zero-initialise for the defaults and set `size`. */
typedef struct fm_study_options {
    size_t size;                 /* sizeof(fm_study_options) */
    const fm_load_options *load; /* as the model was loaded; NULL: no options. `report` and `warn` are not used */
    /* Parameters that vary, each "PATH=A:B:STEP UNIT", "PATH=a,b,c UNIT" or "PATH~DISTRIBUTION(…) UNIT": normal(m,s),
     * normal(m,s,low,high), lognormal(m,s), uniform(a,b), triangular(low,mode,high). Listed values are combined with
     * each other, the last one varying fastest. */
    const char *const *vary;
    size_t vary_count;
    size_t runs; /* of each combination, with seeds that count up; 0: 1 */
    int seeded;  /* 1: the first seed is `seed`; 0: the scenario's */
    uint64_t seed;
    /* Columns, each "VEHICLE.METRIC" or a shell pattern; none: every metric of every vehicle. */
    const char *const *metrics;
    size_t metric_count;
    double duration; /* s; 0: the scenario's */
    int threads;     /* 0 or 1: the calling thread alone */
    fm_study_backend backend;
    int single; /* 1: float instead of double, in lanes or on a GPU */
    fm_study_design design;
    const char *points; /* file: one point per row of a table (CSV), or of a NetCDF file; NULL: none */
    /* Results of `fathom identify --json`, whose parameters are drawn with their deviations and correlations. */
    const char *const *fits;
    size_t fit_count;
    const char *const *correlations; /* of two parameters with distributions: "PATH,PATH=0.7" */
    size_t correlation_count;
    /* Kept over time, names of fields or expressions: sampled every `every` s from 0 to the end of a run. */
    const char *const *series;
    size_t series_count;
    double every; /* s; a multiple of the world's dt */
    /* Called after each run with the number of runs made and of all, by one thread at a time; not 0 ends the study
     * after the present runs. NULL: none. */
    int (*progress)(void *user, size_t made, size_t all);
    void *user; /* of `progress` */
} fm_study_options;

/* A study: its runs and their results. While no run is made any thread may read it. */
typedef struct fm_study fm_study;

/* Makes all runs and returns their results; free them with fm_study_free. The model must outlive them. NULL and *error
 * where an option is refused or the backend cannot make the runs; a run that fails is no error here. */
FM_API fm_study *fm_study_run(const fm_model *model, const fm_study_options *options, fm_error *error);
/* The same without making the runs: all have the outcome FM_STUDY_NOT_RUN. Copies the options, but `load` and what it
 * refers to must live as long as the study. */
FM_API fm_study *fm_study_create(const fm_model *model, const fm_study_options *options, fm_error *error);
/* Makes those of the runs first … first + count - 1 that have no outcome yet. FM_ERR_CANCELLED: fm_study_cancel ended
 * it; the results so far remain. One call at a time. */
FM_API fm_status fm_study_make(fm_study *study, size_t first, size_t count, fm_error *error);
/* Ends fm_study_make, or the next one, as soon as possible; present runs are abandoned. Any thread, also a signal
 * handler. */
FM_API void fm_study_cancel(fm_study *study);
/* The number of runs made so far by this process. Any thread. */
FM_API size_t fm_study_made(const fm_study *study);
/* Adds runs that another process has made: `outcomes` of each, and `values`, [run][fm_study_width]. Their studies must
 * have equal identities. */
FM_API fm_status fm_study_put(fm_study *study, size_t first, size_t count, const unsigned char *outcomes,
                              const double *values, fm_error *error);
/* Equal for equal results: a hash of the scenario, its files, the plan, the columns, duration and precision. */
FM_API uint64_t fm_study_identity(const fm_study *study);
/* Writes the table of results as `fathom sweep` does: to FILE.nc NetCDF, which stores `command`, else CSV. All or
 * nothing. */
FM_API fm_status fm_study_write(const fm_study *study, const char *file, const char *command, fm_error *error);
/* Frees the results; NULL is allowed. */
FM_API void fm_study_free(fm_study *study);

/* The number of runs; run i of the functions below is 0 … count - 1, ordered by combination, then by seed. */
FM_API size_t fm_study_count(const fm_study *study);
/* 1: the run came to its end; 0: it failed, or was not made because `progress` ended the study. */
FM_API int fm_study_finished(const fm_study *study, size_t run);
/* What became of a run. */
typedef enum fm_study_outcome { FM_STUDY_NOT_RUN, FM_STUDY_FINISHED, FM_STUDY_FAILED } fm_study_outcome;
/* The outcomes, one per run. Belongs to the study. */
FM_API const unsigned char *fm_study_outcomes(const fm_study *study);
/* Why the first run that failed in this process did; FM_OK: none failed. */
FM_API fm_error fm_study_failure(const fm_study *study);
/* The seed of a run. */
FM_API uint64_t fm_study_seed(const fm_study *study, size_t run);
/* The value of a varied parameter in a run, in the unit it was written with; words count from 0. NaN: out of range. */
FM_API double fm_study_input(const fm_study *study, size_t run, size_t vary);

/* Seeds of the runs first … first + count - 1, and the values of their varied parameters, [run][parameter]; either may
 * be NULL. Returns the number of runs written. */
FM_API size_t fm_study_inputs(const fm_study *study, size_t first, size_t count, uint64_t *seeds, double *values);

/* A varied parameter. Belongs to the study. */
typedef struct fm_study_parameter {
    const char *path;         /* "/snookie/approach/angle" */
    const char *unit;         /* of its values, as written; "": none */
    const char *text;         /* one sentence for people */
    const char *const *words; /* of a list of words, whose values count from 0; NULL: it has numbers */
    size_t word_count;
    int drawn; /* 1: from a distribution; 0: from a list */
} fm_study_parameter;
/* The number of varied parameters. */
FM_API size_t fm_study_parameter_count(const fm_study *study);
/* Varied parameter `i`, from 0; all NULL: no such parameter. */
FM_API fm_study_parameter fm_study_parameter_info(const fm_study *study, size_t i);
/* All varied parameters, their values and the design as one text, equal for equal plans. Free it with fm_free; NULL:
 * out of memory. */
FM_API char *fm_study_plan(const fm_study *study);

/* The number of columns. */
FM_API size_t fm_study_column_count(const fm_study *study);
/* "snookie.contacts"; NULL: no such column. */
FM_API const char *fm_study_column_name(const fm_study *study, size_t column);
/* SI; "": no dimension; NULL: no such column. */
FM_API const char *fm_study_column_unit(const fm_study *study, size_t column);
/* One sentence for people; NULL: no such column. */
FM_API const char *fm_study_column_text(const fm_study *study, size_t column);
/* All numbers, fm_study_width of each run: its columns, then the samples of its series one after the other. NaN: never
 * observed, or the run did not finish. Belongs to the study. */
FM_API const double *fm_study_values(const fm_study *study);
/* Numbers of each run in fm_study_values and fm_study_put: at least the columns. */
FM_API size_t fm_study_width(const fm_study *study);
/* What a run ended with. NaN: never observed, the run failed, or out of range. */
FM_API double fm_study_value(const fm_study *study, size_t run, size_t column);

/* The number of series. */
FM_API size_t fm_study_series_count(const fm_study *study);
/* "rov.x", or the name of an expression; NULL: no such series. */
FM_API const char *fm_study_series_name(const fm_study *study, size_t series);
/* SI; "": no dimension; NULL: no such series. */
FM_API const char *fm_study_series_unit(const fm_study *study, size_t series);
/* The number of samples of each series. */
FM_API size_t fm_study_sample_count(const fm_study *study);
/* The time of a sample, s. NaN: out of range. */
FM_API double fm_study_sample_time(const fm_study *study, size_t sample);
/* A sample of a run. NaN: never observed, after the end of the run, it failed, or out of range. */
FM_API double fm_study_sample(const fm_study *study, size_t run, size_t series, size_t sample);

/* How much a column depends on a parameter, after a FM_STUDY_SALTELLI study: parts of its variance, with 95 %
 * intervals. NaN: unknown. */
typedef struct fm_study_sobol {
    double first, first_low, first_high; /* that the parameter causes alone */
    double total, total_low, total_high; /* that vanishes if it is fixed */
} fm_study_sobol;
/* Computes the Sobol indices of a column: one per parameter, in the order of `vary`; `room` of them are written. */
FM_API fm_status fm_study_index(const fm_study *study, size_t column, fm_study_sobol *indices, size_t room,
                                fm_error *error);
/* The effect on a column when a parameter moves through its range, after a FM_STUDY_MORRIS study; in the unit of the
 * column. NaN: unknown. */
typedef struct fm_study_morris {
    double magnitude, low, high; /* mean of the magnitudes of its effects, with the 95 % interval */
    double mean, deviation;      /* of the effects */
} fm_study_morris;
/* Computes the effects on a column: one per parameter, in the order of `vary`; `room` of them are written. */
FM_API fm_status fm_study_effect(const fm_study *study, size_t column, fm_study_morris *effects, size_t room,
                                 fm_error *error);
/* What made the runs: "simd avx2 double". */
FM_API const char *fm_study_engine(const fm_study *study);
/* A unit as the CF conventions (UDUNITS) name it: "lb*ft" becomes "lbf*ft", "" becomes "1". Returns `buffer`. */
FM_API const char *fm_study_unit_cf(const char *unit, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
