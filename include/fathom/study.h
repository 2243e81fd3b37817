/* Studies: a scenario run many times over ranges of its parameters and over seeds, and the numbers that each run ends
 * with. As `fathom sweep` does it (docs/sweeps.md): results depend on the options alone, not on threads.
 *
 *     static const char *const vary[] = {"/snookie/approach/angle=10:90:10 deg"};
 *     fm_study_options options = {.size = sizeof options, .vary = vary, .vary_count = 1, .runs = 100, .threads = 8};
 *     fm_study *study = fm_study_run(model, &options, &error);
 *     for (size_t run = 0; run < fm_study_count(study); run++)
 *         … fm_study_value(study, run, 0) …
 *     fm_study_free(study);
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

/* Zero-initialise for the defaults and set `size`. */
typedef struct fm_study_options {
    size_t size;                 /* sizeof(fm_study_options) */
    const fm_load_options *load; /* as the model was loaded; NULL: no options. `report` and `warn` are not used */
    /* Parameters that vary, each "PATH=A:B:STEP UNIT", "PATH=a,b,c UNIT", "PATH~normal(m,s) UNIT" or
     * "PATH~uniform(a,b) UNIT". Listed values are combined with each other, the last one varying fastest. */
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
} fm_study_options;

/* Results of a study; they do not change. Any thread may read them. */
typedef struct fm_study fm_study;

/* Makes all runs and returns their results; free them with fm_study_free. The model must outlive them. NULL and *error
 * where an option is refused or the backend cannot make the runs; a run that fails is no error here. */
FM_API fm_study *fm_study_run(const fm_model *model, const fm_study_options *options, fm_error *error);
/* Frees the results; NULL is allowed. */
FM_API void fm_study_free(fm_study *study);

/* The number of runs; run i of the functions below is 0 … count - 1, ordered by combination, then by seed. */
FM_API size_t fm_study_count(const fm_study *study);
/* 1: the run came to its end; 0: it failed. */
FM_API int fm_study_finished(const fm_study *study, size_t run);
/* The seed of a run. */
FM_API uint64_t fm_study_seed(const fm_study *study, size_t run);
/* The value of a varied parameter in a run, in the unit it was written with; words count from 0. NaN: out of range. */
FM_API double fm_study_input(const fm_study *study, size_t run, size_t vary);

/* The number of columns. */
FM_API size_t fm_study_column_count(const fm_study *study);
/* "snookie.contacts"; NULL: no such column. */
FM_API const char *fm_study_column_name(const fm_study *study, size_t column);
/* SI; "": no dimension; NULL: no such column. */
FM_API const char *fm_study_column_unit(const fm_study *study, size_t column);
/* What a run ended with. NaN: never observed, the run failed, or out of range. */
FM_API double fm_study_value(const fm_study *study, size_t run, size_t column);
/* What made the runs: "simd avx2 double". */
FM_API const char *fm_study_engine(const fm_study *study);

#ifdef __cplusplus
}
#endif
#endif
