/* REMUS: which behaviours of the paper come about under which assumptions about the sonar. */
#include <math.h>
#include <stdio.h>

#include "figures/remus.h"

/* --- sets of assumptions --- */

typedef struct assumption {
    const char *name;
    void (*change)(fm_remus_case *c);      /* of the one set; NULL: nothing */
    int follows, settles, unstable, bangs; /* result of another program: 1: as in the paper, 0: not */
} assumption;

static void take_sector(fm_remus_case *c)
{
    c->sector = 16;
}
static void take_fading(fm_remus_case *c)
{
    c->fades = true;
}
static void take_falling(fm_remus_case *c)
{
    c->end = 0;
}
static void take_no_delay(fm_remus_case *c)
{
    c->frame = 0;
}
static void take_delay(fm_remus_case *c)
{
    c->frame = 2.5;
}
static void take_every_ray(fm_remus_case *c)
{
    c->threshold = 0;
}
static void take_twice(fm_remus_case *c)
{
    c->weight *= 2, c->end *= 2;
}
static void take_half(fm_remus_case *c)
{
    c->weight /= 2, c->end /= 2;
}
static void take_nodes(fm_remus_case *c)
{
    *c = fm_remus_nodes(c->gain);
}

static const assumption sets[] = {
    {"the one set", NULL, 1, 1, 1, 1},
    {"no delay", take_no_delay, 1, 1, 0, 0},
    {"an image every 2.5 s", take_delay, 1, 1, 1, 1},
    {"threshold 0: one ray returns", take_every_ray, 0, 1, 1, 1},
    {"half the weights", take_half, 1, 1, 0, 1},
    {"twice the weights", take_twice, 0, 0, 1, 1},
    {"range weight falls to zero", take_falling, 1, 1, 0, 0},
    {"bearing weight falls to zero", take_fading, 1, 1, 0, 0},
    {"weights over 16° of the 20°", take_sector, 1, 1, 0, 1},
    {"every node, 2.5 s (reference)", take_nodes, 1, 1, 1, 1},
};
enum { SETS = sizeof sets / sizeof *sets, RUNS = 4, CASES = 5 };
static const char *const case_names[CASES] = {"a = 0 collides", "a = 3 keeps 3 m", "a = 3 settles", "a = 7 unstable",
                                              "not stabilised bangs"};
/* The run of each case. */
static const size_t run_of[CASES] = {0, 1, 1, 2, 3};

static fm_remus_case case_of(const assumption *s, size_t run)
{
    fm_remus_case c = fm_remus_chosen((double[]){0, 3, 7, 3}[run]);
    if (s->change)
        s->change(&c);
    c.unstabilised = run == 3;
    return c;
}

/* Whether a run behaves as the paper describes its case. */
static bool shows(const fm_remus_numbers *m, size_t which)
{
    switch (which) {
    case 0: return m->contacts > 0;
    case 1: return m->contacts == 0 && fabs(m->late_altitude - 3) < 0.3 && m->late_swing < 2;
    case 2: return m->contacts == 0 && m->reversals <= 8 && m->late_swing < 5;
    default: return m->reversals >= 20 && m->late_swing > 10;
    }
}

/* --- the size of bins --- */

enum { BINS = 11, LINES = 3 }; /* 0.5, 0.75 … 3 m; gains 3 and 7, and gain 3 not stabilised */

static fm_remus_case case_of_bin(size_t line, size_t i)
{
    fm_remus_case c = fm_remus_chosen(line == 1 ? 7 : 3);
    c.unstabilised = line == 2;
    c.bin = 0.5 + 0.25 * (double)i;
    return c;
}

static void draw_bins(fm_axes *axes, const fm_remus_job *list)
{
    static const char *const names[LINES] = {"a = 3", "a = 7", "a = 3, not stabilised"};
    fm_axes_title(axes, "The one set with other bins");
    fm_axes_x(axes, &(fm_axis_style){.label = "length of a bin", .unit = "m", .min = 0.25, .max = 3.25});
    fm_axes_y(axes, &(fm_axis_style){.label = "pitch peak to peak after 100 s", .unit = "°", .min = 0, .max = 35});
    for (size_t line = 0; line < LINES; line++) {
        double bin[BINS], late[BINS];
        for (size_t i = 0; i < BINS; i++) {
            bin[i] = list[line * BINS + i].run.bin;
            late[i] = list[line * BINS + i].numbers.late_swing;
        }
        fm_axes_line(axes, bin, late, BINS,
                     &(fm_line_style){.label = names[line],
                                      .marker = FM_MARKER_DISC,
                                      .colour = fm_colour_series(FM_THEME_LIGHT, line)});
    }
    fm_axes_legend(axes, FM_LEGEND_ABOVE);
}

/* --- the table --- */

static void draw_row(fm_axes *axes, const fm_remus_job *row, const assumption *s, double y)
{
    fm_axes_text(axes, 0, y, s->name, &(fm_text_style){.up = 0.5});
    for (size_t i = 0; i < CASES; i++) {
        const fm_remus_numbers *m = &row[run_of[i]].numbers;
        const bool holds = shows(m, i);
        char text[64];
        double x = 2.6 + (double)i;
        if (i < 2)
            snprintf(text, sizeof text, "%.2f m", i ? m->late_altitude : m->least_altitude);
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
    fm_axes_title(
        axes, "Seen (disc) or not (ring): least and late altitude; swings over 10°, pitch peak to peak after 100 s");
    fm_axes_x(axes, &(fm_axis_style){.min = -0.1, .max = 7.6, .scale = FM_SCALE_BARE});
    fm_axes_y(axes, &(fm_axis_style){.min = -0.7, .max = SETS + 0.1, .scale = FM_SCALE_BARE, .reversed = true});
    for (size_t i = 0; i < CASES; i++)
        fm_axes_text(axes, 2.2 + (double)i, -0.2, case_names[i], &(fm_text_style){.up = 0.5, .size = 7.5});
    for (size_t s = 0; s < SETS; s++)
        draw_row(axes, list + s * RUNS, &sets[s], (double)s + 0.6);
}

/* --- checks --- */

static void check_set(fm_sheet *sheet, const assumption *s, const fm_remus_job *row)
{
    const int expected[CASES] = {1, s->follows, s->settles, s->unstable, s->bangs};
    for (size_t i = 0; i < CASES; i++) {
        char name[128];
        snprintf(name, sizeof name, "%s: %s", s->name, case_names[i]);
        fm_sheet_check_near(sheet, name, NULL, "", shows(&row[run_of[i]].numbers, i), expected[i], 0,
                            "1: as the paper says, 0: not; by another program of the same equations");
    }
}

static void check_bins(fm_sheet *sheet, const fm_remus_job *list)
{
    static const struct row {
        size_t line, bin;
        double late; /* degrees */
    } table[] = {{0, 0, 0},      {0, 2, 0},       {0, 4, 6.6162}, {0, 6, 8.5286},
                 {1, 0, 8.1785}, {1, 2, 17.2391}, {1, 6, 21.5666}};
    static const char *const names[LINES] = {"gain 3", "gain 7", "gain 3, not stabilised"};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const fm_remus_job *j = &list[table[i].line * BINS + table[i].bin];
        char name[96];
        snprintf(name, sizeof name, "%s, bins of %g m: pitch peak to peak after 100 s", names[table[i].line],
                 j->run.bin);
        fm_sheet_check_near(sheet, name, NULL, "°", j->numbers.late_swing, table[i].late, 0.5,
                            "another program of the same equations, rays and pixels");
    }
}

fm_status fm_remus_draw_assumptions(fm_sheet *sheet, fm_error *error)
{
    const size_t table = SETS * RUNS, count = table + LINES * BINS;
    fm_remus_job *list = fm_sheet_alloc(sheet, count * sizeof *list);
    if (!list)
        return fm_figure_fail(error, FM_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < table; i++)
        list[i].run = case_of(&sets[i / RUNS], i % RUNS);
    for (size_t i = 0; i < LINES * BINS; i++)
        list[table + i].run = case_of_bin(i / BINS, i % BINS);
    if (fm_remus_run_jobs(sheet, list, count, error) != FM_OK)
        return error->status;
    fm_figure *figure = fm_sheet_figure(sheet, 200, 185);
    fm_figure_row_height(figure, 0, 1.3);
    draw_table(fm_figure_axes(figure, 0, 0, 1, 1), list);
    draw_bins(fm_figure_axes(figure, 1, 0, 1, 1), list + table);
    fm_figure_note(figure, "One run a point, without noise. Keeps 3 m: within 0.3 m, with less than 2° of pitch.");
    for (size_t s = 0; s < SETS; s++)
        check_set(sheet, &sets[s], list + s * RUNS);
    check_bins(sheet, list + table);
    fm_sheet_note(
        sheet, "Collision and avoidance need nothing of it. The instability with gain 7 needs the level bottom in the "
               "zone at the nominal altitude, weights that jump at the edge of the zone, and a delay. Pitch banging "
               "needs a delay. A vehicle that keeps 3.00 m exactly sees nothing of the level bottom at 3 m; it "
               "comes to 3 m from above, never sees the bottom, and no gain is unstable: the paper's Figs 6 and 9 "
               "exclude each other to that extent, and the one set leaves 0.24 m. Bins of 1.5 m and more leave "
               "more than 6° of swing with gain 3.");
    return FM_OK;
}
