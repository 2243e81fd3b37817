/* REMUS: many runs of the rise: step phases, frame intervals, gain and height. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "figures/remus.h"

typedef fm_remus_job job;

typedef struct jobs {
    const fm_run_places *places;
    job *list;
} jobs;

static void run_job(void *user, size_t i)
{
    jobs *all = user;
    job *j = &all->list[i];
    fm_arena arena = {0};
    fm_track *track = fm_remus_run(all->places, &j->run, false, &arena, &j->error);
    if (track)
        j->numbers = fm_remus_numbers_of(track);
    fm_arena_free(&arena);
}

fm_status fm_remus_run_jobs(fm_sheet *sheet, job *list, size_t count, fm_error *error)
{
    jobs all = {fm_sheet_places(sheet), list};
    fm_sheet_share(sheet, count, run_job, &all);
    for (size_t i = 0; i < count; i++)
        if (list[i].error.status != FM_OK) {
            *error = list[i].error;
            return error->status;
        }
    return FM_OK;
}

/* The cases of the reference program, in the order of the columns and lines below. */
enum { CASES = 4 };
static const char *const case_names[CASES] = {"no look-ahead", "gain 3", "gain 7", "gain 3, not stabilised"};
static fm_remus_case case_of(size_t i)
{
    fm_remus_case c = fm_remus_nodes((double[]){0, 3, 7, 3}[i]);
    c.unstabilised = i == 3;
    return c;
}

/* --- step phases --- */

enum { PHASES = 7 };

static void check_phases(fm_sheet *sheet, const job *list)
{
    /* least and most over the phases by the reference program: altitude, pitch, swings, late swing */
    static const double low[CASES][4] = {{-1.0010276180995525, 32.13708994933413, 1, 0},
                                         {1.4737594559445917, 38.14796358612022, 4, 1.7662583833555356},
                                         {1.7549200638697577, 38.32947257253233, 27, 17.117103128308138},
                                         {-0.9177337340753269, 26.355429649030636, 55, 37.28746067698219}};
    static const double high[CASES][4] = {{-1.001006741406517, 32.138641651256926, 1, 0},
                                          {2.9992295199550973, 40.13496045623269, 6, 1.7741381286049216},
                                          {2.9990650374339154, 40.2062184376394, 31, 19.71335145917856},
                                          {1.538850852723673, 38.17197558887868, 58, 37.288109089666875}};
    for (size_t c = 0; c < CASES; c++) {
        double least = INFINITY, most = -INFINITY, fewest = INFINITY, lots = -INFINITY;
        char name[96];
        for (size_t k = 0; k < PHASES; k++) {
            const fm_remus_numbers *m = &list[c * PHASES + k].numbers;
            least = fmin(least, m->least_altitude), most = fmax(most, m->least_altitude);
            fewest = fmin(fewest, m->reversals), lots = fmax(lots, m->reversals);
        }
        snprintf(name, sizeof name, "%s: least altitude, worst phase", case_names[c]);
        fm_sheet_check_near(sheet, name, NULL, "m", least, low[c][0], 0.01, "an independent program, 7 phases");
        snprintf(name, sizeof name, "%s: least altitude, best phase", case_names[c]);
        fm_sheet_check_near(sheet, name, NULL, "m", most, high[c][0], 0.01, "an independent program, 7 phases");
        snprintf(name, sizeof name, "%s: most pitch swings over 10°", case_names[c]);
        fm_sheet_check_near(sheet, name, NULL, "", lots, high[c][2], 0, "an independent program, 7 phases");
    }
}

fm_status fm_remus_draw_phases(fm_sheet *sheet, fm_error *error)
{
    job list[CASES * PHASES] = {0};
    for (size_t i = 0; i < CASES * PHASES; i++) {
        list[i].run = case_of(i / PHASES);
        list[i].run.place = 60 + 0.5 * (double)(i % PHASES);
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
        double place[PHASES], altitude[PHASES], swings[PHASES];
        for (size_t k = 0; k < PHASES; k++) {
            const job *j = &list[c * PHASES + k];
            place[k] = j->run.place;
            altitude[k] = j->numbers.least_altitude;
            swings[k] = j->numbers.reversals;
        }
        fm_axes_line(a, place, altitude, PHASES, &(fm_line_style){.label = case_names[c], .marker = FM_MARKER_DISC});
        fm_axes_line(b, place, swings, PHASES, &(fm_line_style){.marker = FM_MARKER_DISC});
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
    } table[] = {{1, 0, 6, 0.226290988762},       {1, 4, 6, 3.0691354995},       {1, 8, 6, 3.98912146462},
                 {2, 0, 6, 0.386549011777},       {2, 4, 12, 8.03563756903},     {2, 8, 19, 11.4424948585},
                 {2, 10, 31, 17.117103128308138}, {3, 0, 1, 0.217419012706},     {3, 4, 59, 26.0920033358},
                 {3, 8, 71, 25.937780923},        {3, 10, 55, 37.28764850982334}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const job *j = &list[table[i].c * FRAMES + table[i].k];
        char name[96];
        snprintf(name, sizeof name, "%s, frame %.1f s: pitch swings", case_names[table[i].c], j->run.frame);
        fm_sheet_check_near(sheet, name, NULL, "", j->numbers.reversals, table[i].swings,
                            fmin(1, floor(0.1 * table[i].swings)), "an independent program");
        snprintf(name, sizeof name, "%s, frame %.1f s: pitch peak to peak after 100 s", case_names[table[i].c],
                 j->run.frame);
        fm_sheet_check_near(sheet, name, NULL, "°", j->numbers.late_swing, table[i].late,
                            fmin(0.25, 0.1 * table[i].late), "an independent program");
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
    fm_sheet_note(sheet, "With nodes as returns the instability at gain 7 and the pitch banging need the delay: with a "
                         "continuously refreshed sonar both vanish. With pixels gain 7 is unstable without a delay "
                         "(Fig. 9; remus/assumptions), pitch banging is not.");
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
        return fm_fail(error, FM_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++) {
        list[i].run = fm_remus_nodes(0.5 * (double)(i % GAINS));
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
    fm_sheet_check_near(sheet, "least altitude at gain 3 and 4 m", "above 0", "m", a3->least_altitude,
                        1.678169108159997, 0.1, "Fig. 6");
    fm_sheet_check_range(sheet, "pitch swing after 100 s at gain 7 and 4 m", "unstable", "°", a7->late_swing, 12,
                         INFINITY, "Fig. 9");
    return FM_OK;
}
