/* Shared by the files of `fathom plot`. */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include "plot/figure.h"
#include "plot/run_series.h"
#include "telemetry/mcap_reader.h"

/* A log on the command line. */
typedef struct cli_plot_run {
    const char *path, *name; /* as given; without folder and suffix */
    fm_mcap_reader *reader;
} cli_plot_run;

typedef struct cli_plot_request {
    cli_plot_run *runs;
    size_t run_count;
    char **fields;
    size_t field_count;
    const char **asked; /* expressions (ask/probe.h) */
    size_t asked_count;
    const char *x;   /* field or expression that is drawn along x; NULL: time */
    double from, to; /* s; to 0: the end */
    int ned;         /* fields in our frames; 0: as in the log */
    fm_theme theme;
} cli_plot_request;

/* Draws fields over time or over another; NULL: it has printed the reason on stderr, and *code is the exit status. */
fm_figure *cli_plot_fields(const cli_plot_request *request, int *code);

/* Whether a word is an expression about the runs, not a field or a file. */
int cli_plot_is_asked(const cli_plot_request *request, const char *word);
/* An expression over time; with an x in `points`, place 0. */
typedef struct cli_plot_answer {
    char name[240], unit[64];
    fm_run_series values;
    fm_run_track points;
} cli_plot_answer;
/* Evaluates expressions on the repeated run. Prints errors; the exit status. The caller frees the series. */
int cli_plot_asked(const cli_plot_request *request, const cli_plot_run *run, const char *const *texts, size_t count,
                   cli_plot_answer *list);

/* The result of a sweep on the command line. */
typedef struct cli_plot_sweep_request {
    const char *path;
    char **metrics;
    size_t metric_count;
    const char *x, *y, *by; /* parameters; NULL: chosen */
    int histogram;
    fm_theme theme;
} cli_plot_sweep_request;

int cli_is_sweep(const char *path); /* by its name */
/* As cli_plot_fields. */
fm_figure *cli_plot_sweep(const cli_plot_sweep_request *request, int *code);
/* A table (CSV): metrics are columns. And measurements of `fathom bench` (JSON). */
int cli_is_table(const char *path);
int cli_is_bench(const char *path);
fm_figure *cli_plot_table(const cli_plot_sweep_request *request, int *code);
fm_figure *cli_plot_bench(const char *path, fm_theme theme, int *code);
/* A page about a sweep; returns the exit status. */
int cli_report_sweep(const char *path, const char *page);

/* Prints the progress of reading on a terminal. */
typedef struct cli_plot_progress {
    const char *name;
    double began; /* s, of the clock */
    int told;
} cli_plot_progress;
void cli_plot_progress_begin(cli_plot_progress *progress, const char *name);
void cli_plot_progress_tell(void *progress, double share);
void cli_plot_progress_end(cli_plot_progress *progress);

#endif
