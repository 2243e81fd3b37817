/* REMUS: which behaviours of the paper come about under which assumptions about the sonar. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "figures/remus.h"

/* --- sets of assumptions --- */

typedef struct assumption {
    const char *name;
    bool pixels;
    double bin, frame; /* m, s */
    bool fades;
    int settles, unstable, bangs; /* whether gain 3 settles here, gain 7 is unstable, the unstabilised pitch bangs */
} assumption;

static const assumption sets[] = {
    {"nodes, no delay", false, 0, 0, false, 1, 0, 0},
    {"nodes, every 2.5 s", false, 0, 2.5, false, 1, 1, 1},
    {"nodes, every 2.5 s, fading weight", false, 0, 2.5, true, 1, 0, 1},
    {"pixels 1 m, no delay", true, 1, 0, false, 1, 0, 0},
    {"pixels 1.5 m, no delay", true, 1.5, 0, false, 1, 1, 0},
    {"pixels 2 m, no delay", true, 2, 0, false, 1, 1, 0},
    {"pixels 2 m, no delay, fading weight", true, 2, 0, true, 1, 0, 0},
    {"pixels 2 m, every 2.5 s", true, 2, 2.5, false, 0, 1, 1},
};
enum { SETS = sizeof sets / sizeof *sets, CASES = 4 };
static const char *const case_names[CASES] = {"a = 0 collides", "a = 3 settles", "a = 7 unstable",
                                              "not stabilised bangs"};

static fm_remus_case case_of(const assumption *s, size_t which)
{
    fm_remus_case c = s->pixels ? fm_remus_published(3) : fm_remus_nodes(3);
    c.gain = (double[]){0, 3, 7, 3}[which];
    c.unstabilised = which == 3;
    c.frame = s->frame;
    c.fades = s->fades;
    c.bin = s->bin;
    return c;
}

/* Whether a run shows what the paper says of its case. */
static bool shows(const fm_remus_numbers *m, size_t which)
{
    switch (which) {
    case 0: return m->contacts > 0;
    case 1: return m->contacts == 0 && m->reversals <= 8 && m->late_swing < 5;
    default: return m->reversals >= 20 && m->late_swing > 10;
    }
}

/* --- the size of bins --- */

enum { BINS = 11, LINES = 4 }; /* 0.5, 0.75 … 3 m; gains 3 and 7, each with both weights */

static fm_remus_case case_of_bin(size_t line, size_t i)
{
    fm_remus_case c = fm_remus_published(line % 2 ? 7 : 3);
    c.fades = line >= 2;
    c.bin = 0.5 + 0.25 * (double)i;
    return c;
}

static void draw_bins(fm_axes *axes, const fm_remus_job *list)
{
    static const char *const names[LINES] = {"a = 3", "a = 7", "a = 3, fading weight", "a = 7, fading weight"};
    fm_axes_title(axes, "Pixels without delay");
    fm_axes_x(axes, &(fm_axis_style){.label = "length of a bin", .unit = "m", .min = 0.25, .max = 3.25});
    fm_axes_y(axes, &(fm_axis_style){.label = "pitch peak to peak after 100 s", .unit = "°", .min = 0, .max = 30});
    for (size_t line = 0; line < LINES; line++) {
        double bin[BINS], late[BINS];
        for (size_t i = 0; i < BINS; i++) {
            bin[i] = list[line * BINS + i].run.bin;
            late[i] = list[line * BINS + i].numbers.late_swing;
        }
        fm_axes_line(axes, bin, late, BINS,
                     &(fm_line_style){.label = names[line],
                                      .marker = FM_MARKER_DISC,
                                      .colour = fm_colour_series(FM_THEME_LIGHT, line % 2),
                                      .dash = line >= 2 ? FM_DASH_DASHED : FM_DASH_SOLID});
    }
    fm_axes_legend(axes, FM_LEGEND_ABOVE);
}

/* --- the table --- */

static void draw_row(fm_axes *axes, const fm_remus_job *row, const assumption *s, double y)
{
    fm_axes_text(axes, 0, y, s->name, &(fm_text_style){.up = 0.5});
    for (size_t i = 0; i < CASES; i++) {
        const fm_remus_numbers *m = &row[i].numbers;
        const bool holds = shows(m, i);
        char text[64];
        double x = 2.6 + (double)i;
        if (i == 0)
            snprintf(text, sizeof text, "%.1f m", m->least_altitude);
        else
            snprintf(text, sizeof text, "%.0f, %.1f°", m->reversals, m->late_swing);
        fm_axes_scatter(axes, (double[]){x - 0.3}, &y, 1,
                        &(fm_scatter_style){.marker = holds ? FM_MARKER_DISC : FM_MARKER_RING,
                                            .size = 8,
                                            .colour = fm_colour_hex(holds ? 0x1b7f5a : 0xb23a48)});
        fm_axes_text(axes, x - 0.17, y, text, &(fm_text_style){.up = 0.5, .size = 7.5});
    }
}

static void draw_table(fm_axes *axes, const fm_remus_job *list)
{
    fm_axes_title(axes, "Seen (disc) or not (ring): least altitude; swings over 10°, pitch peak to peak after 100 s");
    fm_axes_x(axes, &(fm_axis_style){.min = -0.1, .max = 6.2, .scale = FM_SCALE_BARE});
    fm_axes_y(axes, &(fm_axis_style){.min = -0.7, .max = SETS + 0.1, .scale = FM_SCALE_BARE, .reversed = true});
    for (size_t i = 0; i < CASES; i++)
        fm_axes_text(axes, 2.2 + (double)i, -0.2, case_names[i], &(fm_text_style){.up = 0.5, .size = 7.5});
    for (size_t s = 0; s < SETS; s++)
        draw_row(axes, list + s * CASES, &sets[s], (double)s + 0.6);
}

/* --- checks --- */

static void check_set(fm_sheet *sheet, const assumption *s, const fm_remus_job *row)
{
    const int expected[CASES] = {1, s->settles, s->unstable, s->bangs};
    for (size_t i = 0; i < CASES; i++) {
        char name[128];
        snprintf(name, sizeof name, "%s: %s", s->name, case_names[i]);
        fm_sheet_check_near(sheet, name, NULL, "", shows(&row[i].numbers, i), expected[i], 0,
                            "1: as the paper says, 0: not; by another program of the same equations");
    }
}

/* Bins of 1.5 and 2 m are unstable with gain 7, those of 1 and 1.25 m settle, and all do where the weight fades. */
static void check_bins(fm_sheet *sheet, const fm_remus_job *list)
{
    double fading = 0;
    for (size_t i = 0; i < BINS; i++)
        fading = fmax(fading, list[3 * BINS + i].numbers.late_swing);
    fm_sheet_check_near(sheet, "gain 7, bins of 1.5 m: pitch swings", "unstable", "", list[BINS + 4].numbers.reversals,
                        57, 1, "another program of the same equations and pixels");
    fm_sheet_check_near(sheet, "gain 7, bins of 2 m: pitch swings", "unstable", "", list[BINS + 6].numbers.reversals,
                        57, 1, "another program of the same equations and pixels");
    fm_sheet_check_range(sheet, "gain 7, bins of 1 m: pitch peak to peak after 100 s", "unstable; not so here", "°",
                         list[BINS + 2].numbers.late_swing, 0, 3, "the steps of the threat are too small");
    fm_sheet_check_range(sheet, "gain 7, bins of 1.25 m: pitch peak to peak after 100 s", "unstable; not so here", "°",
                         list[BINS + 3].numbers.late_swing, 0, 3, "the steps of the threat are too small");
    fm_sheet_check_range(sheet, "gain 7, fading weight, any bin: greatest pitch peak to peak after 100 s",
                         "unstable; not so here", "°", fading, 0, 3, "nothing jumps at the edge of the fan");
}

fm_status fm_remus_draw_assumptions(fm_sheet *sheet, fm_error *error)
{
    const size_t table = SETS * CASES, count = table + LINES * BINS;
    fm_remus_job *list = fm_sheet_alloc(sheet, count * sizeof *list);
    if (!list)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < table; i++)
        list[i].run = case_of(&sets[i / CASES], i % CASES);
    for (size_t i = 0; i < LINES * BINS; i++)
        list[table + i].run = case_of_bin(i / BINS, i % BINS);
    if (fm_remus_run_jobs(sheet, list, count, error) != FM_OK)
        return error->status;
    fm_figure *figure = fm_sheet_figure(sheet, 190, 170);
    draw_table(fm_figure_axes(figure, 0, 0, 1, 1), list);
    draw_bins(fm_figure_axes(figure, 1, 0, 1, 1), list + table);
    fm_figure_note(figure, "Beams of 1°. One run a point, without noise.");
    for (size_t s = 0; s < SETS; s++)
        check_set(sheet, &sets[s], list + s * CASES);
    check_bins(sheet, list + table);
    fm_sheet_note(sheet,
                  "Collision and avoidance need nothing of it. The instability with gain 7 needs a bearing weight "
                  "that jumps at the edge of the fan, and coarse bins (1.5 m and more) or a delay. Pitch banging "
                  "needs a delay, whatever the weight. No set of assumptions without a delay shows all that the "
                  "paper says. Bins of 1.75, 2.5 and 2.75 m leave 9° to 18° of swing with "
                  "gain 3.");
    return FM_OK;
}
