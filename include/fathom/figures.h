/* Drawing: recorded runs, and the published figures with the numbers of their papers beside ours.
 *
 * These functions stand in a library of their own, libfathom-figures (pkg-config: fathom-figures; CMake:
 * find_package(fathom COMPONENTS figures), target fathom::figures), and <fathom/fathom.h> leaves this header out: who
 * only simulates needs no drawing library. */
#ifndef FATHOM_FIGURES_H
#define FATHOM_FIGURES_H

#include <fathom/status.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- a recorded run --- */
typedef enum fm_theme { FM_THEME_LIGHT, FM_THEME_DARK } fm_theme;

/* The overview of a log: tracks, depth, speed, attitude, actuators, events. The ending of `file` chooses the format:
 * .png, .svg or .pdf. */
FM_API fm_status fm_log_draw(const char *log, const char *file, fm_theme theme, fm_error *error);
/* One HTML page about a log that needs nothing else: how it ended, overview, metrics, events, parameters, scenario. */
FM_API fm_status fm_log_report(const char *log, const char *file, fm_error *error);

/* --- the published figures: a set is a paper ("remus"); its figures are drawn in parallel, judged against stated
 * numbers and gathered in one report (HTML) and in validation.json --- */
typedef struct fm_sheet fm_sheet; /* what a figure is drawn on */

typedef struct fm_figure_spec {
    const char *id;        /* "fig8"; the files are SET-ID.png and SET-ID.svg */
    const char *title;     /* "Threat gain 3: the step is cleared" */
    const char *statement; /* what the paper says about it, in our own words, with the place in the paper */
    /* Draws and notes checks; an error makes the figure fail with that text. */
    fm_status (*draw)(fm_sheet *sheet, fm_error *error);
    bool fast; /* at most about two seconds: drawn by `make test` and `make run` too */
} fm_figure_spec;

typedef struct fm_figure_set {
    const char *name;   /* "remus" */
    const char *title;  /* "REMUS: obstacle avoidance while following the bottom" */
    const char *source; /* the paper: authors, title, year */
    const char *stated; /* heading of the column of stated values: "paper" or "record" */
    const fm_figure_spec *figures;
    size_t count;
} fm_figure_set;

/* All sets, ended by NULL. */
FM_API const fm_figure_set *const *fm_figures_sets(void);

/* One number of a figure, held against what is expected. Passed: low <= ours <= high. The interval is at most a tenth
 * of the expected number to either side, or what the source itself states. */
typedef struct fm_check {
    const char *quantity; /* "turn rate" */
    const char *paper;    /* the paper's value as text ("2 ft/s"); NULL: it gives none */
    const char *unit;     /* of ours, expected, low and high */
    double ours;
    double expected;    /* NaN: only the range is known */
    double low, high;   /* -INFINITY, INFINITY: open */
    const char *remark; /* where the expected value comes from; why it differs from the paper's */
    const char *known;  /* why it fails, where that is known; NULL: it should hold */
} fm_check;

FM_API bool fm_check_passed(const fm_check *check);

typedef struct fm_figures_options {
    size_t size;              /* sizeof(fm_figures_options); 0: the members of version 0.1 */
    const char *const *names; /* "SET" or "SET/FIGURE"; none: all */
    size_t name_count;
    bool fast;                        /* only fast figures of these */
    int threads;                      /* 0: one a core */
    const char *dir;                  /* for PNG, SVG, report.html, validation.json; NULL: write nothing */
    const char *const *scenario_dirs; /* where scenarios are looked for */
    size_t scenario_dir_count;
    const char *const *model_dirs; /* where models are looked for */
    size_t model_dir_count;
    /* Called after each figure, by one thread at a time. May be NULL. */
    void (*progress)(void *user, size_t done, size_t total, const fm_figure_set *set, const fm_figure_spec *spec,
                     bool passed);
    void *user;
} fm_figures_options;

/* The outcome of one figure. */
typedef struct fm_figure_result {
    const fm_figure_set *set;
    const fm_figure_spec *spec;
    const fm_check *checks;
    size_t check_count;
    const char *notes; /* what we found, as plain paragraphs; "" where nothing needs saying */
    bool passed;       /* drawn, and every check passed */
    bool as_known;     /* drawn, and the checks that fail are exactly those with a known reason */
    const char *error; /* why it could not be drawn; NULL: it could */
} fm_figure_result;

typedef struct fm_figures fm_figures;

/* Draws the chosen figures on all cores and writes the report. NULL and *error for a wrong name (with the near ones) or
 * a file that cannot be written; a failing figure is no error here but a result that has not passed. */
FM_API fm_figures *fm_figures_run(const fm_figures_options *options, fm_error *error);
FM_API void fm_figures_free(fm_figures *figures);
FM_API size_t fm_figures_count(const fm_figures *figures);
FM_API fm_figure_result fm_figures_result(const fm_figures *figures, size_t i);
FM_API const unsigned char *fm_figures_svg(const fm_figures *figures, size_t i, size_t *size); /* NULL: not drawn */
FM_API bool fm_figures_passed(const fm_figures *figures);
/* Whether all were drawn and exactly the checks with a known reason fail. */
FM_API bool fm_figures_as_known(const fm_figures *figures);

FM_API fm_status fm_figures_report(const fm_figures *figures, const char *path, fm_error *error); /* HTML */
FM_API fm_status fm_figures_json(const fm_figures *figures, const char *path, fm_error *error);

#ifdef __cplusplus
}
#endif
#endif
