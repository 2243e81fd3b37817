/* Snookie: the reliability with which it turns away from a wall, over angle, speed and noise, a thousand seeds per
 * cell: a sweep whose runs go in lanes, or on a GPU if there is one. */
#include <fathom/study.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figures/snookie.h"

enum { ANGLES = 9, SPEEDS = 5, NOISES = 4, SEEDS = 1000 };
static const double noises[NOISES] = {0.05, 0.1, 0.15, 0.2}; /* mV */
static const double false_gap = 0.3;                         /* m: a detection at a greater distance is a false alarm */

/* 100 Hz for everything; a touch ends the run. */
static const char scenario[] =
    "<fathom version=\"1\"><world dt=\"10 ms\" duration=\"30 s\" gravity=\"9.81 m/s2\"><water density=\"1000 "
    "kg/m3\"/><wall name=\"wall\" position=\"3 0 0 m\" normal=\"-1 0 0\"/></world><vehicle name=\"snookie\" "
    "model=\"snookie\" position=\"0 0 1 m\"><contact response=\"count\" ends=\"true\"/><lateral-line noise=\"0.1 "
    "mV\"/><approach to=\"wall\" angle=\"45 deg\" gap=\"0.4 m\" speed=\"0.1 m/s\"/></vehicle></fathom>";

typedef struct cell {
    size_t safe;  /* detected near the wall and never touched */
    size_t early; /* detected far from every wall */
} cell;

typedef struct reliability {
    cell cells[NOISES][SPEEDS][ANGLES];
    size_t runs;
    char engine[160];
} reliability;

static void count_runs(const fm_study *study, reliability *r)
{
    for (size_t run = 0; run < fm_study_count(study); run++) {
        const size_t at = run / SEEDS;
        const double contacts = fm_study_value(study, run, 0), gap = fm_study_value(study, run, 1);
        cell *c = &r->cells[at % NOISES][at / NOISES % SPEEDS][at / NOISES / SPEEDS];
        c->safe += contacts == 0 && gap < false_gap;
        c->early += gap >= false_gap;
        r->runs += (size_t)fm_study_finished(study, run);
    }
    snprintf(r->engine, sizeof r->engine, "%s", fm_study_engine(study));
}

static fm_status make_runs(fm_sheet *sheet, reliability *r, fm_error *error)
{
    static const char *const vary[] = {"/snookie/approach/angle=10:90:10 deg",
                                       "/snookie/approach/speed=0.1:0.3:0.05 m/s",
                                       "/snookie/lateral_line/noise=0.05,0.1,0.15,0.2 mV"};
    static const char *const metrics[] = {"snookie.contacts", "snookie.detection_gap"};
    const fm_run_folders *folders = fm_sheet_folders(sheet);
    const fm_load_options load = {.model_dirs = folders->model_dirs, .model_dir_count = folders->model_dir_count};
    const fm_study_options options = {.size = sizeof options,
                                      .load = &load,
                                      .vary = vary,
                                      .vary_count = sizeof vary / sizeof *vary,
                                      .runs = SEEDS,
                                      .seeded = 1,
                                      .seed = 1,
                                      .metrics = metrics,
                                      .metric_count = sizeof metrics / sizeof *metrics,
                                      .threads = fm_sheet_threads(sheet),
                                      .backend = FM_STUDY_FASTEST};
    fm_model *model = fm_model_load_memory(scenario, strlen(scenario), "reliability.xml", &load, error);
    fm_study *study = model ? fm_study_run(model, &options, error) : NULL;
    if (study)
        count_runs(study, r);
    const bool made = study != NULL;
    fm_study_free(study);
    fm_model_free(model);
    return made ? FM_OK : error->status;
}

static void draw_map(fm_sheet *sheet, fm_axes *a, const reliability *r, size_t noise, int labels)
{
    static const fm_extent extent = {5, 95, 0.075, 0.325};
    double *values = fm_sheet_reals(sheet, SPEEDS * ANGLES);
    char title[64];
    snprintf(title, sizeof title, "noise %g mV", noises[noise]);
    for (size_t i = 0; values && i < SPEEDS * ANGLES; i++)
        values[i] = (double)r->cells[noise][i / ANGLES][i % ANGLES].safe / SEEDS;
    fm_axes_title(a, title);
    fm_axes_x(a, &(fm_axis_style){.label = labels ? "angle between heading and wall" : NULL,
                                  .unit = labels ? "°" : NULL,
                                  .min = 5,
                                  .max = 95});
    fm_axes_y(a, &(fm_axis_style){.label = "speed", .unit = "m/s", .min = 0.075, .max = 0.325});
    fm_axes_heat(a, extent, values, ANGLES, SPEEDS,
                 &(fm_heat_style){.min = 0, .max = 1, .value_label = "part of the runs"});
}

/* Least part over all angles from 20° on, at one speed. */
static double least_safe(const reliability *r, size_t noise, size_t speed)
{
    size_t least = SEEDS;
    for (size_t i = 1; i < ANGLES; i++)
        least = r->cells[noise][speed][i].safe < least ? r->cells[noise][speed][i].safe : least;
    return (double)least / SEEDS;
}

static double mean_early(const reliability *r, size_t noise)
{
    double sum = 0;
    for (size_t i = 0; i < SPEEDS * ANGLES; i++)
        sum += (double)r->cells[noise][i / ANGLES][i % ANGLES].early / SEEDS;
    return sum / (SPEEDS * ANGLES);
}

fm_status fm_snookie_draw_reliability(fm_sheet *sheet, fm_error *error)
{
    reliability *r = fm_sheet_alloc(sheet, sizeof *r);
    if (!r)
        return FM_ERR_MEMORY;
    const fm_status status = make_runs(sheet, r, error);
    if (status != FM_OK)
        return status;
    fm_figure *figure = fm_sheet_figure(sheet, 170, 130);
    for (size_t k = 0; k < NOISES; k++)
        draw_map(sheet, fm_figure_axes(figure, k / 2, k % 2, 1, 1), r, k, k >= 2);
    fm_figure_note(figure, "Part of 1,000 runs a cell that felt the wall within 30 cm and never touched it.");
    fm_sheet_check_near(sheet, "runs that came to their end", NULL, "", (double)r->runs,
                        (double)ANGLES * SPEEDS * NOISES * SEEDS, 0, NULL);
    fm_sheet_check_near(sheet, "least part that turns away at 0.1 m/s with 0.05 mV, 20° to 90°", NULL, "",
                        least_safe(r, 0, 0), 1, 0, "never a touch at the paper's speed");
    fm_sheet_check_range(sheet, "false alarms with 0.05 mV", NULL, "", mean_early(r, 0), 0, 1e-3,
                         "a spread of 20 deviations among eight sensors");
    fm_sheet_check_range(sheet, "false alarms with 0.2 mV", NULL, "", mean_early(r, NOISES - 1), 0.5, INFINITY,
                         "1 mV is five deviations of a sensor: chance passes both thresholds");
    fm_sheet_note(sheet,
                  "Exact flow at a plane, sensors and control at 100 Hz, %d seeds a cell, start gap 40 cm, 30 s: %zu "
                  "runs by the batch engine (%s). A part of 0.5 is known to ±3.1 %% (95 %%, Wilson).",
                  SEEDS, r->runs, r->engine);
    return FM_OK;
}
