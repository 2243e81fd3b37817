/* REMUS: how the returns of the forward-looking sonar are weighed. */
#include <fathom/guidance.h>
#include <math.h>

#include "figures/remus.h"
enum { SAMPLES = 401 };

/* Of a return at range zero and a bearing in degrees, where the range weight is 1. */
static double bearing_weight(const fm_world *world, double bearing)
{
    return fm_world_return_weight(world, "remus", NULL, 0, bearing * FM_DEGREE);
}

/* Of a return straight ahead, where the bearing weight is 1. */
static double range_weight(const fm_world *world, double range)
{
    return fm_world_return_weight(world, "remus", NULL, range, 0);
}

fm_status fm_remus_draw_bearing_weight(fm_sheet *sheet, fm_error *error)
{
    fm_remus_case c = fm_remus_chosen(3);
    c.weight = 1;
    const fm_world *jumping = fm_remus_world(sheet, &c, error);
    c.fades = true;
    const fm_world *fading = jumping ? fm_remus_world(sheet, &c, error) : NULL;
    if (!fading)
        return error->status;
    double bearing[SAMPLES], weight[SAMPLES], other[SAMPLES], skew = 0, edge = c.sector / 2;
    for (int i = 0; i < SAMPLES; i++) { /* within the fan; it ends on both sides by a jump to zero */
        bearing[i] = edge * (2.0 * i / (SAMPLES - 1) - 1) * (1 - 1e-12);
        weight[i] = bearing_weight(jumping, bearing[i]);
        other[i] = bearing_weight(fading, bearing[i]);
        skew = fmax(skew, fabs(weight[i] - bearing_weight(jumping, -bearing[i])));
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
    fm_sheet_check_near(sheet, "weight straight ahead", "largest", "", bearing_weight(jumping, 0), 1, 1e-12,
                        "raised cosine (R10)");
    fm_sheet_check_near(sheet, "weight at 5°", NULL, "", bearing_weight(jumping, 5), 0.5 * (1 + sqrt(0.5)), 1e-12,
                        "(1 + cos 45°) / 2 (R10)");
    fm_sheet_check_near(sheet, "weight at 9.999°", NULL, "", bearing_weight(jumping, 9.999), 0.5, 1e-3,
                        "(1 + cos 90°) / 2 (R10)");
    fm_sheet_check_near(sheet, "weight at 10.1°", "zero outside", "", bearing_weight(jumping, 10.1), 0, 0,
                        "the fan is 20° high");
    fm_sheet_check_near(sheet, "largest difference between the sides", "equal", "", skew, 0, 1e-12, "the paper's text");
    fm_sheet_check_near(sheet, "weight at 9.999° where it fades", NULL, "", bearing_weight(fading, 9.999), 0, 1e-3,
                        "(1 + cos 180°) / 2 (R10)");
    fm_sheet_note(sheet,
                  "The paper's text gives the properties, no formula; a raised cosine of period 40° has them. A "
                  "return at the edge of the fan still counts half, so that the threat jumps when a pixel enters "
                  "or leaves the fan. A cosine of period 20° has them too, and does not jump: with it gain 7 is "
                  "not unstable (remus/assumptions). " FM_REMUS_ONE_SET "that jump.");
    return FM_OK;
}

fm_status fm_remus_draw_range_weight(fm_sheet *sheet, fm_error *error)
{
    const fm_remus_case c = fm_remus_chosen(3);
    const fm_world *world = fm_remus_world(sheet, &c, error);
    if (!world)
        return error->status;
    double range[SAMPLES], weight[SAMPLES], rise = -1;
    for (int i = 0; i < SAMPLES; i++) {
        range[i] = 40.0 * i / (SAMPLES - 1);
        weight[i] = range_weight(world, range[i]);
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
    fm_sheet_check_near(sheet, "weight at 19.999 m", NULL, "", range_weight(world, 19.999), 0.15, 1e-4, "(R10)");
    fm_sheet_check_near(sheet, "weight at 20 m", "zero outside the zone", "", range_weight(world, 20), 0, 1e-12,
                        "returns within 20 m count");
    fm_sheet_check_range(sheet, "largest growth with range", "falls with range", "", rise, -INFINITY, 0,
                         "the paper's text");
    fm_sheet_note(sheet, FM_REMUS_ONE_SET
                  "the paper's curve is lost; its text gives the properties, which ours has, no numbers. A weight that "
                  "falls to zero at 20 m has them too, and with it gain 7 is not unstable (remus/assumptions).");
    return FM_OK;
}
