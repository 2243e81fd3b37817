/* The context of a figure's function: a plot, checks, notes, memory, and parallel work.
 *
 *     static fm_status draw_fig8(fm_sheet *sheet, fm_error *error)
 *     {
 *         fm_track *track = fm_sheet_run(sheet, &(fm_run_request){.scenario = "remus-rise", .vehicle = "remus",
 *                                        .sets = (const char *[]){"/remus/avoid/gain=3", NULL}}, error);
 *         if (!track)
 *             return error->status;
 *         fm_figure *figure = fm_sheet_figure(sheet, 170, 100);
 *         … draw with plot/figure.h …
 *         fm_sheet_check_near(sheet, "least altitude", NULL, "m", fm_track_metric(track, "min_altitude"), 1.678,
 * 0.05,
 *                       "an independent program");
 *         return FM_OK;
 *     }
 *
 * The figure is written and destroyed, and the memory freed, by the caller. */
#ifndef FM_PLOT_SHEET_H
#define FM_PLOT_SHEET_H

#include <fathom/figures.h>
#include <math.h>
#include <stdio.h>

#include "plot/figure.h"
#include "plot/track.h"

#define FM_DEGREE (M_PI / 180) /* rad */

/* Writes status and text into *error and returns the status: how a figure's function reports why it cannot draw. */
fm_status fm_figure_fail(fm_error *error, fm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The plot of this sheet, in the light theme; once per sheet. */
fm_figure *fm_sheet_figure(fm_sheet *sheet, double width_mm, double height_mm);

/* Checks. Texts are copied. NULL for `paper` where the paper gives no number.
 *
 * A tolerance is at most a tenth of the number that it belongs to. Wider ones are refused, which makes the figure fail:
 * in check_near where the expected number is not 0; in check_range where both ends are numbers on one side of 0 and the
 * range is wider than a tenth of its middle to either side, and for differences in % beyond 10 %. A range from 0 bounds
 * a difference that has no sign, one with an open end states a fact. */
void fm_sheet_check(fm_sheet *sheet, const fm_check *check);
void fm_sheet_check_near(fm_sheet *sheet, const char *quantity, const char *paper, const char *unit, double ours,
                         double expected, double tolerance, const char *remark);
void fm_sheet_check_range(fm_sheet *sheet, const char *quantity, const char *paper, const char *unit, double ours,
                          double low, double high, const char *remark);
/* A range, or a number with its uncertainty, in the words of the source. */
void fm_sheet_check_stated(fm_sheet *sheet, const char *quantity, const char *paper, const char *unit, double ours,
                           double low, double high, const char *remark);
/* Gives the reason why the check before this call fails. A check with a reason must fail, one without must hold. */
void fm_sheet_fails(fm_sheet *sheet, const char *reason);
/* A fact that holds or does not, reported as 1 or 0. */
void fm_sheet_check_holds(fm_sheet *sheet, const char *fact, const char *paper, bool holds, const char *remark);

/* A paragraph of the report: what we found and why. */
void fm_sheet_note(fm_sheet *sheet, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Zeroed memory that lives as long as the sheet; NULL when out of memory. */
void *fm_sheet_alloc(fm_sheet *sheet, size_t size);
double *fm_sheet_reals(fm_sheet *sheet, size_t count);

/* Calls work(user, i) for i = 0 … count - 1 on all cores and returns when all are done. The calls must not touch the
 * sheet (it belongs to one thread) but may fill memory that was taken before. */
void fm_sheet_share(fm_sheet *sheet, size_t count, void (*work)(void *user, size_t i), void *user);
int fm_sheet_threads(const fm_sheet *sheet); /* the number of threads that share work, at least 1 */

/* Runs a scenario (plot/track.h); the track lives as long as the sheet. NULL and *error where it fails. A request with
 * neither `scenario` nor `text` runs the scenario that was written to fm_sheet_scenario. */
fm_track *fm_sheet_run(fm_sheet *sheet, const fm_run_request *request, fm_error *error);
/* A stream for the text of a scenario; fm_sheet_run and fm_sheet_world read it and close it. One at a time. NULL and
 * *error when out of memory. */
FILE *fm_sheet_scenario(fm_sheet *sheet, fm_error *error);
/* The world of a scenario at its start, to be asked what is in it; it lives as long as the sheet. */
fm_world *fm_sheet_world(fm_sheet *sheet, const fm_run_request *request, fm_error *error);
/* Where scenarios and models are found, for fm_track_run inside fm_sheet_share. */
const fm_run_folders *fm_sheet_folders(const fm_sheet *sheet);

/* A table of numbers (CSV with headings) in a folder next to the models, as "records/heron.csv"; it lives as long as
 * the sheet. NULL and *error if it cannot be read. */
typedef struct fm_sheet_table fm_sheet_table;
const fm_sheet_table *fm_sheet_read_table(fm_sheet *sheet, const char *name, fm_error *error);
size_t fm_sheet_table_rows(const fm_sheet_table *table);
/* The column with this heading. NULL and *error: the table has none. */
const double *fm_sheet_table_column(const fm_sheet_table *table, const char *heading, fm_error *error);
/* The path of a file next to the models; in the last folder if none contains it. */
void fm_sheet_find_file(const fm_sheet *sheet, const char *name, char *path, size_t size);

#endif
