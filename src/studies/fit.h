/* Parameters of a scenario from records: least squares over runs.
 *
 * Makes a run with the inputs of the record and compares its outputs with the record, each quantity weighted by the
 * standard deviation of its noise: (Q1), (Q2). Runs for the derivatives are made in parallel. */
#ifndef FM_STUDIES_FIT_H
#define FM_STUDIES_FIT_H

#include <fathom/fit.h>
#include <stdatomic.h>

#include "analysis/record.h"
#include "studies/rows.h"
#include "studies/sweep.h"

enum { FM_FIT_PARAMETERS = 20, FM_FIT_LINKS = 64, FM_FIT_POSE = 12, FM_FIT_SEARCHES = 8, FM_FIT_SEARCHES_MOST = 1000 };

/* Why the intervals of a fit cannot be trusted (fm_fit.doubts). */
typedef enum fm_fit_doubt {
    FM_DOUBT_ROUGH = 1,      /* derivatives depend on their step size: the runs contain switching */
    FM_DOUBT_OPEN = 2,       /* runs far beyond an interval fit the record as well */
    FM_DOUBT_BETTER = 4,     /* the search ended although runs near its end fit the record better */
    FM_DOUBT_OTHERS = 8,     /* another search ended elsewhere and fits the record as well */
    FM_DOUBT_RESIDUALS = 16, /* residuals are correlated and far above the noise of the record */
    FM_DOUBT_USELESS = 32,   /* a constant follows a quantity as well */
    FM_DOUBT_FORECAST = 128, /* a constant predicts the part that was kept for checking as well */
    FM_DOUBT_NOISE = 64,     /* residuals are far above the noise that was given */
} fm_fit_doubt;

/* A quantity of the run, and the series of the records that measures it: ours = theirs · factor + shift. */
typedef struct fm_fit_link {
    const char *ours;   /* "glider.z": a number of the row of a vehicle (run/row.h), or an actuator */
    const char *theirs; /* name of a series */
    double factor, shift;
    bool scaled;  /* by factor and shift; otherwise by the units of both */
    double sigma; /* standard deviation of its noise, in the unit of ours; 0: estimated from the residuals */
} fm_fit_link;

/* One record. */
typedef struct fm_fit_source {
    const fm_record *record;
    const fm_input *inputs; /* of a log: given to the run again */
    size_t input_count;
    bool is_run; /* its times are those of a run (a log); otherwise the run begins at `from`, or at the first row */
} fm_fit_source;

/* Rows count only while a series is between two numbers. */
typedef struct fm_fit_gate {
    const char *theirs;
    double low, high;
} fm_fit_gate;

/* "/rov/drag/X_u=-70" is known to be normal with this mean and deviation; or an instrument's bias, in `unit`. */
typedef struct fm_fit_prior {
    char name[FM_AXIS_PATH], unit[FM_AXIS_UNIT]; /* path, quantity, or "record" */
    double mean, deviation;                      /* NaN: none is given */
} fm_fit_prior;

typedef struct fm_fit_setup {
    const fm_load_options *load;   /* as the scenario was loaded */
    const char *const *parameters; /* "PATH" or "PATH=LOW:HIGH UNIT" */
    size_t parameter_count;
    const fm_fit_link *channels, *inputs;
    size_t channel_count, input_count;
    const fm_fit_source *sources;
    size_t source_count;
    const fm_fit_gate *gates;
    size_t gate_count;
    const double (*skips)[2]; /* s of the records: left out */
    size_t skip_count;
    double from, to;  /* s of the records; NaN: all */
    double segment;   /* s after which the run starts again from the record; 0: never */
    bool from_record; /* the first start uses the record too */
    bool whole_state; /* numbers of the pose that are not recorded have their own start in each segment */
    double check;     /* fraction at the end of each record that is kept for checking */
    int threads, iterations;
    int searches; /* each from another start; 0: one, and FM_FIT_SEARCHES if its result is in doubt */
    const fm_fit_prior *priors, *biases, *delays;
    size_t prior_count, bias_count, delay_count;
    fm_fit_loss loss;
    const char *journal; /* NULL: none */
    bool resume;
    int (*told)(void *user, int iteration, double misfit,
                const double *values); /* after each iteration; not 0: stops. May be NULL */
    void *user;
} fm_fit_setup;

/* A fitted parameter; numbers in `unit`. */
typedef struct fm_fit_parameter {
    enum { FM_FIT_VALUE, FM_FIT_BIAS, FM_FIT_DELAY } kind;
    size_t channel, source; /* of a bias or delay; of a delay FM_FIT_LINKS: all of the source's; SIZE_MAX: all */
    double mean, prior;     /* what is known before: mean and standard deviation; NaN: nothing */
    char path[FM_AXIS_PATH], unit[FM_AXIS_UNIT];
    const char *text;
    double start, low, high;  /* NaN: no bounds */
    double scale;             /* a usual size */
    double value, deviation;  /* found; standard deviation */
    double least, most;       /* 95 % interval */
    bool at_bound;            /* it is at its bound: it has no interval */
    bool by_runs;             /* an end of the interval was moved to where runs confirm it (Q9) */
    bool open;                /* runs found no end */
    double rough, rough_wide; /* by which derivatives from two steps differ, over their length: the smallest step, and
                                 the one that was taken (Q8) */
    double rise[2];           /* of the misfit at the ends of the interval, divided by the prediction of the
                               * derivatives */
} fm_fit_parameter;

typedef struct fm_fit_channel {
    fm_fit_link link;
    char vehicle[64], unit[FM_AXIS_UNIT];
    size_t column;          /* of the vehicle's row */
    double turn;            /* of an angle: 2π; 0: it is none */
    double sigma, floor;    /* in `unit`; the floor is the effect of rounding for a record without noise */
    double noise, spread;   /* of the record itself, in `unit`: from its second differences; about its mean (0: an
                             * angle) */
    size_t count[2];        /* rows fitted, and kept for checking */
    double rms[2], bias[2]; /* of the residuals, in `unit` */
    double constant[2];     /* rms of a forecast that stays at the first recorded value of each segment, in `unit` */
    double memory;          /* s over which residuals are correlated; 0: they are not */
} fm_fit_channel;

/* Rows of a channel in a source: `first` and the number of rows from it on. */
typedef struct fm_fit_block {
    size_t first, count;
} fm_fit_block;

/* What steers the runs. */
typedef struct fm_fit_input {
    enum { FM_FIT_ORDER, FM_FIT_DESIRE, FM_FIT_HOLD } kind;
    char vehicle[64], target[96];
    size_t column; /* FM_FIT_HOLD: number of the pose, 1 … 12 */
    double turn;
} fm_fit_input;

/* A number of the initial pose of segments. */
typedef struct fm_fit_origin {
    char vehicle[64];
    size_t column;  /* of the vehicle's row, 1 … 12 */
    size_t channel; /* that records it; FM_FIT_LINKS: none, its start is only estimated */
} fm_fit_origin;

typedef struct fm_fit_steer {
    double *t, *y; /* s of the run, SI */
    size_t count;
} fm_fit_steer;

struct fm_fit {
    fm_fit_setup options;
    fm_arena arena;
    fm_sweep_plan plan; /* its axes are the parameters of the model, the first of all */
    size_t count;       /* parameters, biases and delays */
    fm_sweep *sweep;    /* loads models */
    const fm_model *model;
    struct fm_threads *pool;
    fm_fit_parameter parameters[FM_FIT_PARAMETERS];
    fm_fit_channel channels[FM_FIT_LINKS];
    fm_fit_input inputs[FM_FIT_LINKS];
    fm_fit_block *blocks;   /* [source][channel] */
    fm_fit_steer *steers;   /* [source][input] */
    double *ends;           /* s of the run, a source each */
    double *split;          /* s of the run from which rows are kept for checking */
    uint64_t segment_ticks; /* 0: one segment */
    fm_fit_origin starts[FM_FIT_LINKS];
    size_t start_count;
    /* rows */
    size_t rows;
    double *t, *y, *said; /* s of the run; recorded value; value of the fitted run */
    double *weight;       /* root of the weight of the loss (Q11) */
    uint8_t *kept;        /* 0: fitted, 1: for checking */
    uint32_t *group;      /* segment of a source, counted over all */
    size_t groups;
    uint8_t *empty;        /* groups without rows: the run may be anywhere at their end */
    uint32_t *first_group; /* of each source */
    double *moves;         /* [group][start]: difference of a start from the record, or from `carried`; SI */
    double *carried;       /* [group][start]: an unrecorded start, as reached by the first run; SI */
    /* found */
    double misfit;             /* weighted sum of squares over degrees of freedom */
    double freedom;            /* degrees of freedom */
    double condition;          /* of the derivatives, columns of equal length */
    double widened;            /* factor by which correlated residuals widen the widest interval */
    bool stairs;               /* derivatives come from large steps: the runs contain switching (Q8) */
    unsigned doubts;           /* FM_DOUBT_…; 0: the intervals are reliable */
    int tried, agreed, failed; /* searches; those that ended at the best result; those that did not converge */
    double correlation[FM_FIT_PARAMETERS][FM_FIT_PARAMETERS];
    int iterations;
    size_t runs;       /* that were made */
    const char *ended; /* why it stopped */
    bool converged;
    atomic_int stop; /* set by any thread: stops the fit */
    fm_rows journal;
    uint64_t ticket; /* of the runs that are made together */
    /* for programs: fathom/fit.h (fit_create.c, fit_result.c) */
    fm_load_options load;
    fm_record *records;
    fm_input **logged;
    size_t record_count;
    double *found[4], *covariance; /* values, lower and upper ends, deviations: [parameter] */
    char **notes;
    size_t note_count;
    char warning[400]; /* about a record; "": none */
};

/* Reads the requested quantities and gathers the rows. */
fm_status fm_fit_prepare(const fm_model *model, const fm_fit_setup *options, fm_fit **fit, fm_error *error);
/* Clears what fm_fit_prepare made; fm_fit_free does it. */
void fm_fit_clear(fm_fit *fit);
/* Room for what fm_fit_values and the like return (fit_result.c). */
fm_status fm_fit_make_room(fm_fit *fit, fm_error *error);
/* Adds biases and delays to the parameters (fit_instruments.c). */
fm_status fm_fit_add_instruments(fm_fit *fit, fm_error *error);
/* One sentence for each remark about the result; returns their number (fit_notes.c). */
size_t fm_fit_remark(const fm_fit *fit, void (*line)(void *user, const char *text), void *user);
/* Gathers the rows of all sources (fit_rows.c); units: of the inputs. */
fm_status fm_fit_gather(fm_fit *fit, const char *const *units, fm_error *error);
/* Finds the parameters and their intervals (fit_searches.c). FM_ERR_MISSING in a build without GSL. */
fm_status fm_fit_search(fm_fit *fit, fm_error *error);

/* One set of parameters to run (fit_run.c). */
typedef struct fm_fit_trial {
    double values[FM_FIT_PARAMETERS];
    int nudged;    /* start channel whose starts are moved by FM_FIT_NUDGE; -1: none */
    uint64_t seed; /* added to the scenario's */
    bool carries;  /* fills fm_fit.carried */
    double *said;  /* [row] */
    fm_error failure;
} fm_fit_trial;
#define FM_FIT_NUDGE 1e-4 /* SI */

/* Makes all runs; errors are recorded in the trial. */
fm_status fm_fit_fly(fm_fit *fit, fm_fit_trial *trials, size_t count, fm_error *error);
/* Whether a source has a value of a start near the beginning of a segment, within a tenth of it. */
bool fm_fit_is_recorded(const fm_fit *fit, size_t source, size_t start, double time);
/* What a trial adds to a quantity, and by how much later the record has it. */
double fm_fit_bias(const fm_fit *fit, const double *values, size_t channel);
double fm_fit_delay(const fm_fit *fit, const double *values, size_t source, size_t channel);
/* Of the residuals of the fitted part: the root mean square, or with a loss that bears outliers their noise. */
static inline double fm_fit_typical(const fm_fit *fit, const fm_fit_channel *channel)
{
    return fit->options.loss == FM_FIT_SQUARE ? channel->rms[0] : channel->sigma;
}
/* Ours minus theirs, angles the shorter way round. */
double fm_fit_difference(const fm_fit_channel *channel, double ours, double theirs);

#endif
