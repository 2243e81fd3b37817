/* Drawing: recorded runs, and published figures compared with the numbers of their papers.
 *
 * These functions are in a separate library, libfathom-draw (pkg-config: fathom-draw; CMake:
 * find_package(fathom COMPONENTS draw), target fathom::draw). <fathom/fathom.h> does not include this header, so
 * programs that only simulate need no drawing library. Any thread may call these functions. */
#ifndef FATHOM_FIGURES_H
#define FATHOM_FIGURES_H

#include <fathom/status.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- a recorded run --- */
/* Colours of a drawing. */
typedef enum fm_theme { FM_THEME_LIGHT, FM_THEME_DARK } fm_theme;

/* Draws an overview of a log: tracks, depth, speed, attitude, actuators, events. The extension of `file` selects the
 * format: .png, .svg or .pdf. */
FM_API fm_status fm_log_draw(const char *log, const char *file, fm_theme theme, fm_error *error);
/* Writes one self-contained HTML page about a log: outcome, overview, metrics, events, parameters, scenario. */
FM_API fm_status fm_log_report(const char *log, const char *file, fm_error *error);

/* --- published figures: a set is a paper ("remus"); its figures are drawn in parallel, checked against stated
 * numbers and collected in one report (HTML) and in validation.json --- */

/* The drawing surface of one figure. Used only by the thread that draws it, until `draw` returns. */
typedef struct fm_sheet fm_sheet;

/* One figure of a set; constant, part of the library. */
typedef struct fm_figure_spec {
    const char *id;        /* "fig8"; the files are SET-ID.png and SET-ID.svg */
    const char *title;     /* "Threat gain 3: the step is cleared" */
    const char *statement; /* what the paper says about it, in our own words, with the place in the paper */
    /* Draws and records checks; an error makes the figure fail with that text. */
    fm_status (*draw)(fm_sheet *sheet, fm_error *error);
    bool fast; /* takes at most about two seconds: also drawn by `make test` and `make run` */
} fm_figure_spec;

/* The figures of one paper; constant, part of the library. */
typedef struct fm_figure_set {
    const char *name;   /* "remus" */
    const char *title;  /* "REMUS: obstacle avoidance while following the bottom" */
    const char *source; /* the paper: authors, title, year */
    const char *stated; /* heading of the column of stated values: "paper" or "record" */
    const fm_figure_spec *figures;
    size_t count;
} fm_figure_set;

/* Returns all sets, terminated by NULL. They are constant: never freed. */
FM_API const fm_figure_set *const *fm_figures_sets(void);

/* One number of a figure, compared with the expected value. It passes if low <= ours <= high. The interval is at most
 * ±10 % of the expected value, or what the source itself states. Belongs to the fm_figures that it came from. */
typedef struct fm_check {
    const char *quantity; /* "turn rate" */
    const char *paper;    /* the paper's value as text ("2 ft/s"); NULL: it gives none */
    const char *unit;     /* of ours, expected, low and high */
    double ours;
    double expected;    /* NaN: only the range is known */
    double low, high;   /* -INFINITY, INFINITY: no limit */
    const char *remark; /* where the expected value comes from; why it differs from the paper's */
    const char *known;  /* known reason for failing; NULL: it should pass */
} fm_check;

/* Returns whether a check passed: low <= ours <= high. */
FM_API bool fm_check_passed(const fm_check *check);

/* Which figures to draw, and where; zero-initialise for the defaults. Read only during fm_figures_run. */
typedef struct fm_figures_options {
    size_t size;              /* sizeof(fm_figures_options); 0: the members of version 0.1 */
    const char *const *names; /* "SET" or "SET/FIGURE"; none: all */
    size_t name_count;
    bool fast;                        /* draw only the fast ones of these */
    int threads;                      /* 0: one per core */
    const char *dir;                  /* for PNG, SVG, report.html, validation.json; NULL: write nothing */
    const char *const *scenario_dirs; /* directories searched for scenarios; none: the installed ones */
    size_t scenario_dir_count;
    const char *const *model_dirs; /* directories searched for models; none: the installed ones */
    size_t model_dir_count;
    /* Called after each figure, by one thread at a time. May be NULL. */
    void (*progress)(void *user, size_t done, size_t total, const fm_figure_set *set, const fm_figure_spec *spec,
                     bool passed);
    void *user;
} fm_figures_options;

/* The outcome of one figure. Its pointers are valid as long as the fm_figures. */
typedef struct fm_figure_result {
    const fm_figure_set *set;
    const fm_figure_spec *spec;
    const fm_check *checks;
    size_t check_count;
    const char *notes; /* remarks on the result, as plain paragraphs; "": none */
    bool passed;       /* drawn, and every check passed */
    bool as_known;     /* drawn, and the checks that fail are exactly those with a known reason */
    const char *error; /* why it could not be drawn; NULL: it was drawn */
} fm_figure_result;

/* The outcome of fm_figures_run. Constant, so any thread may read it; free it with fm_figures_free. */
typedef struct fm_figures fm_figures;

/* Draws the selected figures on options->threads cores and writes the report. Returns NULL and sets *error for an
 * unknown name (with similar names) or a file that cannot be written. A failing figure is not an error: it is a result
 * with `passed` false. */
FM_API fm_figures *fm_figures_run(const fm_figures_options *options, fm_error *error);
/* Frees the results; NULL is allowed. */
FM_API void fm_figures_free(fm_figures *figures);
/* Returns the number of results. */
FM_API size_t fm_figures_count(const fm_figures *figures);
/* Returns result `i`, in the order of the sets. */
FM_API fm_figure_result fm_figures_result(const fm_figures *figures, size_t i);
/* Returns figure `i` as SVG, *size bytes, owned by `figures`; NULL: not drawn. */
FM_API const unsigned char *fm_figures_svg(const fm_figures *figures, size_t i, size_t *size);
/* Returns whether all figures were drawn and all checks passed. */
FM_API bool fm_figures_passed(const fm_figures *figures);
/* Returns whether all figures were drawn and exactly the checks with a known reason fail. */
FM_API bool fm_figures_as_known(const fm_figures *figures);

/* Writes the report as one HTML file. */
FM_API fm_status fm_figures_report(const fm_figures *figures, const char *path, fm_error *error);
/* Writes all checks as JSON. */
FM_API fm_status fm_figures_json(const fm_figures *figures, const char *path, fm_error *error);

#ifdef __cplusplus
}
#endif
#endif
