/* REMUS: how the returns of the forward-looking sonar are weighed. */
#include <math.h>

#include "figures/remus.h"
#include "physics/angle.h"
#include "physics/threat.h"

static const fm_threat_params sonar = {.zone = 20, .weight = 0.2, .end = 0.15, .half_sector = 10 * FM_DEGREE},
                              fading = {.zone = 20, .weight = 0.2, .half_sector = 10 * FM_DEGREE, .fades = 1};

enum { SAMPLES = 401 };

fm_status fm_remus_draw_bearing_weight(fm_sheet *sheet, fm_error *error)
{
    (void)error;
    double bearing[SAMPLES], weight[SAMPLES], other[SAMPLES], skew = 0, edge = sonar.half_sector / FM_DEGREE;
    for (int i = 0; i < SAMPLES; i++) { /* within the fan; it ends on both sides by a jump to zero */
        bearing[i] = edge * (2.0 * i / (SAMPLES - 1) - 1) * (1 - 1e-12);
        weight[i] = fm_threat_bearing_weight(&sonar, bearing[i] * FM_DEGREE);
        other[i] = fm_threat_bearing_weight(&fading, bearing[i] * FM_DEGREE);
        skew = fmax(skew, fabs(weight[i] - fm_threat_bearing_weight(&sonar, -bearing[i] * FM_DEGREE)));
    }
    fm_axes *a = fm_figure_axes(fm_sheet_figure(sheet, 120, 75), 0, 0, 1, 1);
    fm_axes_x(a, &(fm_axis_style){.label = "bearing", .unit = "°", .min = -15, .max = 15});
    fm_axes_y(a, &(fm_axis_style){.label = "bearing weight", .min = 0, .max = 1.1});
    fm_colour blue = fm_colour_series(FM_THEME_LIGHT, 0);
    fm_axes_line(a, bearing, weight, SAMPLES, &(fm_line_style){.label = "a half at the edge", .colour = blue});
    fm_axes_line(a, bearing, other, SAMPLES,
                 &(fm_line_style){.label = "zero at the edge (edge=\"zero\")",
                                  .colour = fm_colour_series(FM_THEME_LIGHT, 1),
                                  .dash = FM_DASH_DASHED});
    fm_axes_legend(a, FM_LEGEND_ABOVE);
    for (int side = -1; side <= 1; side += 2) {
        double out = side * edge;
        fm_axes_line(a, (double[]){side * 15.0, out}, (double[]){0, 0}, 2, &(fm_line_style){.colour = blue});
        fm_axes_line(a, (double[]){out, out}, (double[]){0, weight[0]}, 2,
                     &(fm_line_style){.colour = blue, .width = 0.7, .dash = FM_DASH_DOTTED});
    }
    fm_sheet_check_near(sheet, "weight straight ahead", "largest", "", fm_threat_bearing_weight(&sonar, 0), 1, 1e-12,
                        "raised cosine (R10)");
    fm_sheet_check_near(sheet, "weight at 5°", NULL, "", fm_threat_bearing_weight(&sonar, 5 * FM_DEGREE),
                        0.5 * (1 + sqrt(0.5)), 1e-12, "(1 + cos 45°) / 2 (R10)");
    fm_sheet_check_near(sheet, "weight at 9.999°", NULL, "", fm_threat_bearing_weight(&sonar, 9.999 * FM_DEGREE), 0.5,
                        1e-3, "(1 + cos 90°) / 2 (R10)");
    fm_sheet_check_near(sheet, "weight at 10.1°", "zero outside", "",
                        fm_threat_bearing_weight(&sonar, 10.1 * FM_DEGREE), 0, 0, "the fan is 20° high");
    fm_sheet_check_near(sheet, "largest difference between the sides", "equal", "", skew, 0, 1e-12, "the paper's text");
    fm_sheet_check_near(sheet, "weight at 9.999° where it fades", NULL, "",
                        fm_threat_bearing_weight(&fading, 9.999 * FM_DEGREE), 0, 1e-3, "(1 + cos 180°) / 2 (R10)");
    fm_sheet_note(sheet,
                  "The paper's text gives the properties, no formula; a raised cosine of period 40° has them. A "
                  "return at the edge of the fan still counts half, so that the threat jumps when a pixel enters "
                  "or leaves the fan. A cosine of period 20° has them too, and does not jump: with it gain 7 is "
                  "not unstable (remus/assumptions). " FM_REMUS_ONE_SET "that jump.");
    return FM_OK;
}

fm_status fm_remus_draw_range_weight(fm_sheet *sheet, fm_error *error)
{
    (void)error;
    double range[SAMPLES], weight[SAMPLES], rise = -1;
    for (int i = 0; i < SAMPLES; i++) {
        range[i] = 40.0 * i / (SAMPLES - 1);
        weight[i] = fm_threat_range_weight(&sonar, range[i]);
        if (i)
            rise = fmax(rise, weight[i] - weight[i - 1]);
    }
    const int inside = (SAMPLES - 1) / 2; /* samples before 20 m */
    fm_axes *a = fm_figure_axes(fm_sheet_figure(sheet, 120, 75), 0, 0, 1, 1);
    fm_colour blue = fm_colour_series(FM_THEME_LIGHT, 0);
    fm_axes_x(a, &(fm_axis_style){.label = "range", .unit = "m", .min = 0, .max = 40});
    fm_axes_y(a, &(fm_axis_style){.label = "range weight", .min = 0, .max = 0.22});
    fm_axes_line(a, range, weight, (size_t)inside, &(fm_line_style){.colour = blue});
    fm_axes_line(a, range + inside, weight + inside, (size_t)(SAMPLES - inside), &(fm_line_style){.colour = blue});
    fm_axes_line(a, (double[]){20, 20}, (double[]){0, 0.15}, 2,
                 &(fm_line_style){.colour = blue, .width = 0.7, .dash = FM_DASH_DOTTED});
    fm_axes_event(a, 20, "end of the reaction zone", NULL);
    fm_sheet_check_near(sheet, "weight at range zero", NULL, "", weight[0], 0.2, 1e-12, "(R10)");
    fm_sheet_check_near(sheet, "weight at 19.999 m", NULL, "", fm_threat_range_weight(&sonar, 19.999), 0.15, 1e-4,
                        "(R10)");
    fm_sheet_check_near(sheet, "weight at 20 m", "zero outside the zone", "", fm_threat_range_weight(&sonar, 20), 0,
                        1e-12, "returns within 20 m count");
    fm_sheet_check_range(sheet, "largest growth with range", "falls with range", "", rise, -INFINITY, 0,
                         "the paper's text");
    fm_sheet_note(sheet, FM_REMUS_ONE_SET
                  "the paper's curve is lost; its text gives the properties, which ours has, no numbers. A weight that "
                  "falls to zero at 20 m has them too, and with it gain 7 is not unstable (remus/assumptions).");
    return FM_OK;
}
