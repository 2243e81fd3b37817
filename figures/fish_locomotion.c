/* The first aim of Liu and Hu: how the speed of the fish follows from the parameters of the tail's motion, c1, c2, k
 * and omega. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figures/fish.h"

enum { PANELS = 4, VALUES = 6 };
static const double seconds = 60, last = 4; /* of a run, and of it what the mean is taken over, s */

typedef struct sweep {
    const char *label, *unit, *title;
    double value[VALUES]; /* as drawn */
    double most;          /* of the axis */
} sweep;

/* Speeds are in steady swimming at 2 Hz but for the last panel; other parameters are those of the model. */
static const sweep sweeps[PANELS] = {
    {"linear envelope c1", "", "c1", {0, 0.025, 0.05, 0.075, 0.1, 0.125}, 0.135},
    {"quadratic envelope c2", "1/m", "c2", {0, 0.1, 0.20833333333333334, 0.3, 0.4, 0.5}, 0.55},
    {"wave number k",
     "rad/m",
     "k",
     {6.283185307179586, 7.853981633974483, 9, 10.471975511965978, 12.566370614359172, 15.707963267948966},
     17},
    {"frequency ω", "rad/s", "ω = 2πf", {3, 6, 9, 12, 12.566370614359172, 15}, 16.5},
};

/* The wave of one vehicle. */
typedef struct wave {
    double c1, c2, k, frequency;
} wave;

static wave wave_of(size_t panel, size_t i)
{
    wave w = {0.05, 0.05 / 0.24, 2 * M_PI / 0.6, 2}; /* of the model */
    double v = sweeps[panel].value[i];
    *(double *[]){&w.c1, &w.c2, &w.k, &w.frequency}[panel] = panel == 3 ? v / (2 * M_PI) : v;
    return w;
}

static void write_vehicles(FILE *text)
{
    static const char *const models[2] = {"robotic-fish", "robotic-fish-elongated"};
    for (size_t m = 0; m < 2; m++)
        for (size_t p = 0; p < PANELS; p++)
            for (size_t i = 0; i < VALUES; i++) {
                wave w = wave_of(p, i);
                fprintf(text,
                        "<vehicle name='%s%zu%zu' model='%s' position='%zu %zu 1 m'><fish><wave c1='%.17g' "
                        "c2='%.17g 1/m' k='%.17g 1/m' frequency='%.17g Hz'/></fish></vehicle>",
                        m ? "e" : "p", p, i, models[m], 100 * i, 10 * (p + PANELS * m), w.c1, w.c2, w.k, w.frequency);
            }
}

static double mean_speed(const fm_track *track)
{
    const double *t = fm_track_column(track, "t"), *u = fm_track_column(track, "water-speed");
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < fm_track_rows(track); i++)
        if (t[i] > seconds - last) {
            sum += u[i];
            n++;
        }
    return n ? sum / (double)n : NAN;
}

typedef struct speeds {
    double of[2][PANELS][VALUES]; /* m/s: the paper's thrust, elongated body */
} speeds;

static fm_status run_all(fm_sheet *sheet, speeds *s, fm_error *error)
{
    FILE *text = fm_sheet_scenario(sheet, error);
    if (!text)
        return error->status;
    fprintf(text, "<fathom version='1'><world dt='0.05 s' duration='%g s'><water density='1000 kg/m3'/></world>",
            seconds);
    write_vehicles(text);
    fprintf(text, "</fathom>");
    const fm_track *track = fm_sheet_run(sheet, &(fm_run_request){.all = true}, error);
    if (!track)
        return error->status;
    for (size_t k = 0; track; track = fm_track_next(track), k++)
        s->of[k / (PANELS * VALUES)][k / VALUES % PANELS][k % VALUES] = mean_speed(track);
    return FM_OK;
}

static void draw_panel(fm_figure *figure, const speeds *s, size_t p)
{
    const sweep *w = &sweeps[p];
    fm_axes *a = fm_figure_axes(figure, p / 2, p % 2, 1, 1);
    fm_axes_title(a, w->title);
    fm_axes_x(a, &(fm_axis_style){.label = w->label, .unit = w->unit, .min = p == 2 ? 5 : 0, .max = w->most});
    fm_axes_y(a, &(fm_axis_style){.label = "steady speed", .unit = "m/s", .min = 0, .max = 0.75});
    fm_axes_line(a, w->value, s->of[0][p], VALUES, &(fm_line_style){.label = p == 0 ? "the paper's (6)–(8)" : NULL});
    fm_axes_scatter(a, w->value, s->of[1][p], VALUES,
                    &(fm_scatter_style){
                        .label = p == 0 ? "elongated-body theory (ours)" : NULL, .marker = FM_MARKER_RING, .size = 6});
    fm_axes_legend(a, p == 0 ? FM_LEGEND_FIGURE : FM_LEGEND_NONE);
}

/* (H6) by hand: U = f A/St, A = 2(c1 L + c2 L²). */
static double by_hand(size_t panel, size_t i)
{
    wave w = wave_of(panel, i);
    return w.frequency * 2 * (w.c1 * 0.24 + w.c2 * 0.24 * 0.24) / 0.3;
}

static void check_speeds(fm_sheet *sheet, const speeds *s)
{
    static const char formula[] = "(6): U = fA/St, A = 2(c1 L + c2 L²), L = 0.24 m, St = 0.3";
    static const char independent[] = "an independent program of the elongated body";
    double spread = 0;
    for (size_t i = 0; i < VALUES; i++)
        spread = fmax(spread, fabs(s->of[0][2][i] - s->of[0][2][0]));
    fm_sheet_check_near(sheet, "speed at c1 = 0.1", NULL, "m/s", s->of[0][0][4], by_hand(0, 4), 1e-3, formula);
    fm_sheet_check_near(sheet, "speed at c2 = 0.4 1/m", NULL, "m/s", s->of[0][1][4], by_hand(1, 4), 1e-3, formula);
    fm_sheet_check_near(sheet, "speed at ω = 9 rad/s", NULL, "m/s", s->of[0][3][2], by_hand(3, 2), 1e-3, formula);
    fm_sheet_check_near(sheet, "spread of the speed over k, the paper's thrust", NULL, "m/s", spread, 0, 1e-9,
                        "k does not stand in (4)–(8)");
    fm_sheet_check_near(sheet, "elongated body at λ = 0.4 m", NULL, "m/s", s->of[1][2][5], 0.434, 0.05 * 0.434,
                        independent);
    fm_sheet_check_near(sheet, "elongated body at λ = 0.6 m", NULL, "m/s", s->of[1][2][3], 0.319, 0.05 * 0.319,
                        independent);
    fm_sheet_check_near(sheet, "elongated body at λ = 0.8 m", NULL, "m/s", s->of[1][2][1], 0.255, 0.05 * 0.255,
                        independent);
}

fm_status fm_fish_draw_locomotion(fm_sheet *sheet, fm_error *error)
{
    speeds *s = fm_sheet_alloc(sheet, sizeof *s);
    if (!s)
        return fm_figure_fail(error, FM_ERR_MEMORY, "no memory for the speeds");
    fm_status status = run_all(sheet, s, error);
    if (status != FM_OK)
        return status;
    fm_figure *figure = fm_sheet_figure(sheet, 170, 130);
    for (size_t p = 0; p < PANELS; p++)
        draw_panel(figure, s, p);
    check_speeds(sheet, s);
    fm_sheet_note(sheet,
                  "Steady swimming; what is not varied is that of the model: c1 = 0.05, c2 = 0.208 1/m, k = 10.5 "
                  "rad/m (λ = 0.6 m), 2 Hz. In the paper's model the speed follows from the amplitude of the tip "
                  "and the frequency alone, by the Strouhal number: the wave number has no effect. In "
                  "elongated-body theory, which is ours, a shorter wave is faster.");
    return FM_OK;
}
