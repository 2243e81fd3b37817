/* REMUS: many runs of the rise: step phases, frame intervals, gain and height. */
#include <math.h>
#include <stdio.h>

#include "figures/remus.h"

typedef fm_remus_job job;

typedef struct jobs {
    const fm_run_folders *folders;
    job *list;
} jobs;

static void run_job(void *user, size_t i)
{
    jobs *all = user;
    job *j = &all->list[i];
    fm_remus_measure(all->folders, &j->run, &j->numbers, &j->error);
}

fm_status fm_remus_run_jobs(fm_sheet *sheet, job *list, size_t count, fm_error *error)
{
    jobs all = {fm_sheet_folders(sheet), list};
    fm_sheet_share(sheet, count, run_job, &all);
    for (size_t i = 0; i < count; i++)
        if (list[i].error.status != FM_OK) {
            *error = list[i].error;
            return error->status;
        }
    return FM_OK;
}

/* The cases, in the order of the columns and lines below. */
enum { CASES = 4 };
static const char *const case_names[CASES] = {"no look-ahead", "gain 3", "gain 7", "gain 3, not stabilised"};
static fm_remus_case case_of(size_t i)
{
    fm_remus_case c = fm_remus_chosen((double[]){0, 3, 7, 3}[i]);
    c.unstabilised = i == 3;
    return c;
}

#define OTHER "another program of the same equations, rays and pixels"

/* --- step phases --- */

enum { PHASES = 7 };

static void check_phases(fm_sheet *sheet, const job *list)
{
    /* by another program: least altitude in the worst and the best phase, m, and most pitch swings */
    static const double expected[CASES][3] = {
        {-1.001024, -1.001003, 1}, {2.086975, 2.296579, 8}, {1.353563, 2.999062, 44}, {1.304208, 2.040057, 49}};
    for (size_t c = 0; c < CASES; c++) {
        double least = INFINITY, most = -INFINITY, fewest = INFINITY, lots = -INFINITY;
        char name[96];
        for (size_t k = 0; k < PHASES; k++) {
            const fm_remus_numbers *m = &list[c * PHASES + k].numbers;
            least = fmin(least, m->least_altitude), most = fmax(most, m->least_altitude);
            fewest = fmin(fewest, m->reversals), lots = fmax(lots, m->reversals);
        }
        snprintf(name, sizeof name, "%s: least altitude, worst phase", case_names[c]);
        fm_sheet_check_near(sheet, name, NULL, "m", least, expected[c][0], 0.02, OTHER);
        snprintf(name, sizeof name, "%s: least altitude, best phase", case_names[c]);
        fm_sheet_check_near(sheet, name, NULL, "m", most, expected[c][1], 0.02, OTHER);
        snprintf(name, sizeof name, "%s: most pitch swings over 10°", case_names[c]);
        fm_sheet_check_near(sheet, name, NULL, "", lots, expected[c][2], fmin(1, floor(0.1 * expected[c][2])), OTHER);
    }
}

fm_status fm_remus_draw_phases(fm_sheet *sheet, fm_error *error)
{
    job list[CASES * PHASES] = {0};
    for (size_t i = 0; i < CASES * PHASES; i++) {
        list[i].run = case_of(i / PHASES);
        list[i].run.rise = 60 + 0.5 * (double)(i % PHASES);
    }
    if (fm_remus_run_jobs(sheet, list, CASES * PHASES, error) != FM_OK)
        return error->status;
    fm_figure *figure = fm_sheet_figure(sheet, 170, 80);
    fm_figure_note(figure, "One run a point, without noise.");
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1), *b = fm_figure_axes(figure, 0, 1, 1, 1);
    fm_axes_x(a, &(fm_axis_style){.label = "place of the rise", .unit = "m"});
    fm_axes_y(a, &(fm_axis_style){.label = "least altitude", .unit = "m", .min = -2, .max = 4});
    fm_axes_x(b, &(fm_axis_style){.label = "place of the rise", .unit = "m"});
    fm_axes_y(b, &(fm_axis_style){.label = "pitch swings over 10°", .min = 0, .max = 70});
    for (size_t c = 0; c < CASES; c++) {
        double rise[PHASES], altitude[PHASES], swings[PHASES];
        for (size_t k = 0; k < PHASES; k++) {
            const job *j = &list[c * PHASES + k];
            rise[k] = j->run.rise;
            altitude[k] = j->numbers.least_altitude;
            swings[k] = j->numbers.reversals;
        }
        fm_axes_line(a, rise, altitude, PHASES, &(fm_line_style){.label = case_names[c], .marker = FM_MARKER_DISC});
        fm_axes_line(b, rise, swings, PHASES, &(fm_line_style){.marker = FM_MARKER_DISC});
    }
    fm_axes_level(a, 0, "the bottom", NULL);
    fm_axes_legend(a, FM_LEGEND_FIGURE);
    check_phases(sheet, list);
    return FM_OK;
}

/* --- frame intervals --- */

enum { FRAMES = 11 }; /* 0, 0.25 … 2.5 s */

static void check_frames(fm_sheet *sheet, const job *list)
{
    static const struct expected {
        size_t c, k;
        double swings, late; /* degrees */
    } table[] = {{1, 0, 6, 0},       {1, 4, 8, 0},        {1, 10, 6, 0},       {2, 0, 8, 8.2743},
                 {2, 2, 12, 9.4387}, {2, 4, 45, 16.7261}, {2, 6, 38, 21.5386}, {2, 10, 34, 10.5689},
                 {3, 0, 1, 0},       {3, 2, 7, 8.6524},   {3, 4, 48, 28.1604}, {3, 10, 56, 37.2884}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const job *j = &list[table[i].c * FRAMES + table[i].k];
        char name[96];
        snprintf(name, sizeof name, "%s, frame %.1f s: pitch swings", case_names[table[i].c], j->run.frame);
        fm_sheet_check_near(sheet, name, NULL, "", j->numbers.reversals, table[i].swings,
                            fmin(1, floor(0.1 * table[i].swings)), OTHER);
        snprintf(name, sizeof name, "%s, frame %.1f s: pitch peak to peak after 100 s", case_names[table[i].c],
                 j->run.frame);
        fm_sheet_check_near(sheet, name, NULL, "°", j->numbers.late_swing, table[i].late,
                            table[i].late > 0 ? fmin(0.25, 0.1 * table[i].late) : 1e-6, OTHER);
    }
}

fm_status fm_remus_draw_frames(fm_sheet *sheet, fm_error *error)
{
    job list[CASES * FRAMES] = {0};
    for (size_t i = 0; i < CASES * FRAMES; i++) {
        list[i].run = case_of(i / FRAMES);
        list[i].run.frame = 0.25 * (double)(i % FRAMES);
    }
    if (fm_remus_run_jobs(sheet, list, CASES * FRAMES, error) != FM_OK)
        return error->status;
    fm_figure *figure = fm_sheet_figure(sheet, 170, 80);
    fm_figure_note(figure, "One run a point, without noise.");
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1), *b = fm_figure_axes(figure, 0, 1, 1, 1);
    fm_axes_x(a, &(fm_axis_style){.label = "interval between images", .unit = "s"});
    fm_axes_y(a, &(fm_axis_style){.label = "pitch peak to peak after 100 s", .unit = "°"});
    fm_axes_x(b, &(fm_axis_style){.label = "interval between images", .unit = "s"});
    fm_axes_y(b, &(fm_axis_style){.label = "least altitude", .unit = "m"});
    for (size_t c = 0; c < CASES; c++) {
        double frame[FRAMES], late[FRAMES], least[FRAMES];
        for (size_t k = 0; k < FRAMES; k++) {
            const job *j = &list[c * FRAMES + k];
            frame[k] = j->run.frame;
            late[k] = j->numbers.late_swing;
            least[k] = j->numbers.least_altitude;
        }
        fm_axes_line(a, frame, late, FRAMES, &(fm_line_style){.label = case_names[c], .marker = FM_MARKER_DISC});
        fm_axes_line(b, frame, least, FRAMES, &(fm_line_style){.marker = FM_MARKER_DISC});
    }
    fm_axes_level(b, 0, "the bottom", NULL);
    fm_axes_legend(a, FM_LEGEND_FIGURE);
    check_frames(sheet, list);
    fm_sheet_note(sheet,
                  "Gain 3 settles with every interval. With gain 7 the pitch never settles, by more than 10° from "
                  "0.75 s on (but for 2 s). Pitch banging needs 0.75 s and more: without a delay the bearing weight "
                  "acts as pitch feedback.");
    return FM_OK;
}

/* --- gain and height --- */

enum { GAINS = 21, HEIGHTS = 15 }; /* 0, 0.5 … 10 m; 1, 1.5 … 8 m */

static void draw_maps(fm_sheet *sheet, const double *altitude, const double *swing)
{
    fm_figure *figure = fm_sheet_figure(sheet, 180, 85);
    fm_extent extent = {-0.25, 10.25, 0.75, 8.25};
    for (size_t i = 0; i < 2; i++) {
        fm_axes *a = fm_figure_axes(figure, 0, i, 1, 1);
        fm_axes_title(a, i ? "Oscillation" : "Clearance");
        fm_axes_x(a, &(fm_axis_style){.label = "threat gain a", .unit = "m"});
        fm_axes_y(a, &(fm_axis_style){.label = "height of the rise", .unit = "m"});
        if (i)
            fm_axes_heat(
                a, extent, swing, GAINS, HEIGHTS,
                &(fm_heat_style){.min = 0, .max = 30, .value_label = "pitch swing after 100 s", .value_unit = "°"});
        else
            fm_axes_heat(a, extent, altitude, GAINS, HEIGHTS,
                         &(fm_heat_style){.min = 0, .max = 3, .value_label = "least altitude", .value_unit = "m"});
        fm_axes_scatter(a, (double[]){0, 3, 7}, (double[]){4, 4, 4}, 3,
                        &(fm_scatter_style){.label = i ? NULL : "the paper's cases",
                                            .marker = FM_MARKER_RING,
                                            .size = 7,
                                            .colour = fm_colour_hex(0xd55e00)});
        fm_axes_legend(a, i ? FM_LEGEND_NONE : FM_LEGEND_FIGURE);
    }
    fm_figure_note(figure, "One run a cell, without noise. White: the vehicle strikes the rise.");
}

/* The least gain that clears a rise, and the largest below which the pitch settles. */
static void note_map(fm_sheet *sheet, const double *altitude, const double *swing)
{
    double tallest = 0, settles = 0;
    for (size_t h = 0; h < HEIGHTS; h++)
        for (size_t g = 0; g < GAINS; g++)
            if (altitude[h * GAINS + g] > 0)
                tallest = fmax(tallest, 1 + 0.5 * (double)h);
    for (size_t g = 0; g < GAINS; g++) {
        double worst = 0;
        for (size_t h = 0; h < HEIGHTS; h++)
            worst = fmax(worst, swing[h * GAINS + g]);
        if (worst > 5)
            break;
        settles = 0.5 * (double)g;
    }
    fm_sheet_note(sheet,
                  "The tallest rise of the map that some gain clears is %.1f m. Up to a gain of %.1f the pitch settles "
                  "(swing below 5°) after "
                  "rises of every height. Empty cells: the vehicle strikes the rise.",
                  tallest, settles);
}

fm_status fm_remus_draw_map(fm_sheet *sheet, fm_error *error)
{
    size_t count = GAINS * HEIGHTS;
    job *list = fm_sheet_alloc(sheet, count * sizeof *list);
    double *altitude = fm_sheet_reals(sheet, count), *swing = fm_sheet_reals(sheet, count);
    if (!list || !altitude || !swing)
        return fm_figure_fail(error, FM_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++) {
        list[i].run = fm_remus_chosen(0.5 * (double)(i % GAINS));
        list[i].run.height = 1 + 0.5 * (double)(i / GAINS);
    }
    if (fm_remus_run_jobs(sheet, list, count, error) != FM_OK)
        return error->status;
    for (size_t i = 0; i < count; i++) {
        altitude[i] = list[i].numbers.least_altitude > 0 ? list[i].numbers.least_altitude : NAN;
        swing[i] = list[i].numbers.late_swing;
    }
    draw_maps(sheet, altitude, swing);
    note_map(sheet, altitude, swing);
    const fm_remus_numbers *a3 = &list[6 * GAINS + 6].numbers, *a7 = &list[6 * GAINS + 14].numbers,
                           *a0 = &list[6 * GAINS].numbers;
    fm_sheet_check_range(sheet, "least altitude at gain 0 and 4 m", "a collision", "m", a0->least_altitude, -INFINITY,
                         0, "Fig. 2");
    fm_sheet_check_near(sheet, "least altitude at gain 3 and 4 m", "above 0", "m", a3->least_altitude, 2.08698, 0.1,
                        "Fig. 6");
    fm_sheet_check_range(sheet, "pitch swing after 100 s at gain 7 and 4 m", "unstable", "°", a7->late_swing, 12,
                         INFINITY, "Fig. 9");
    return FM_OK;
}
