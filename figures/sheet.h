/* What a figure's function works on: a plot, checks, notes, memory, and help from the other cores.
 *
 *     static fm_status draw_fig8(fm_sheet *sheet, fm_error *error)
 *     {
 *         fm_track *track = fm_sheet_run(sheet, &(fm_run_request){.scenario = "remus-rise", .vehicle = "remus",
 *                                        .sets = (const char *[]){"/remus/avoid/gain=3", NULL}}, error);
 *         if (!track)
 *             return error->status;
 *         fm_figure *figure = fm_sheet_figure(sheet, 170, 100);
 *         … draw with plot/figure.h …
 *         fm_sheet_check_near(sheet, "least altitude", NULL, "m", fm_track_metric(track, "min_altitude"), 1.678, 0.05,
 *                       "an independent program");
 *         return FM_OK;
 *     }
 *
 * The figure is written and destroyed, and the memory freed, by the caller. */
#ifndef FM_FIGURES_SHEET_H
#define FM_FIGURES_SHEET_H

#include "figures/figures.h"
#include "figures/run.h"
#include "plot/figure.h"

/* The plot of this sheet, in the light theme; once a sheet. */
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
/* Says why the check before this call fails. A check with a reason must fail, one without must hold. */
void fm_sheet_fails(fm_sheet *sheet, const char *reason);
/* A fact that holds or does not, reported as 1 or 0. */
void fm_sheet_check_holds(fm_sheet *sheet, const char *fact, const char *paper, bool holds, const char *remark);

/* A paragraph of the report: what we found and why. */
void fm_sheet_note(fm_sheet *sheet, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Zeroed memory that lives as long as the sheet; NULL when out of memory. */
void *fm_sheet_alloc(fm_sheet *sheet, size_t size);
double *fm_sheet_reals(fm_sheet *sheet, size_t count);
fm_arena *fm_sheet_arena(fm_sheet *sheet); /* the same memory */

/* Calls work(user, i) for i = 0 … count - 1 on all cores and returns when all are done. The calls must not touch the
 * sheet (it belongs to one thread) but may fill places of their own in memory taken before. */
void fm_sheet_share(fm_sheet *sheet, size_t count, void (*work)(void *user, size_t i), void *user);

/* Runs a scenario (figures/run.h); the track lives as long as the sheet. NULL and *error where it fails. */
fm_track *fm_sheet_run(fm_sheet *sheet, const fm_run_request *request, fm_error *error);
/* The same for fm_figures_run_scenario inside fm_sheet_share: where scenarios and models are found. */
const fm_run_places *fm_sheet_places(const fm_sheet *sheet);

#endif
