/* Measured vehicles: records of real ones, and our runs with the same inputs. */
#include "figures/measured.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "figures/sets.h"

void fm_measured_scatter(fm_axes *axes, const fm_measured_point *points, size_t count, const char *label)
{
    const fm_colour colour = fm_colour_series(FM_THEME_LIGHT, 0);
    for (size_t i = 0; i < count; i++) {
        const double x[2] = {points[i].input, points[i].input},
                     y[2] = {points[i].value - points[i].spread, points[i].value + points[i].spread};
        if (points[i].spread > 0)
            fm_axes_line(axes, x, y, 2, &(fm_line_style){.colour = colour, .width = 1});
        fm_axes_scatter(axes, x, &points[i].value, 1,
                        &(fm_scatter_style){.label = i ? NULL : label, .colour = colour, .size = 4.5});
    }
}

void fm_measured_check(fm_sheet *sheet, const char *quantity, const char *unit, double ours, double measured,
                       double part, bool is_fitted, const char *record)
{
    char paper[64], remark[200];
    snprintf(paper, sizeof paper, "%.4g%s%s", measured, *unit ? " " : "", unit);
    snprintf(remark, sizeof remark, "%s; %s", record, is_fitted ? "the model is fitted to it" : "not used in the fit");
    fm_sheet_check_near(sheet, quantity, paper, unit, ours, measured, fabs(part * measured), remark);
}

fm_track *fm_measured_run(fm_sheet *sheet, fm_text *text, double every, fm_error *error)
{
    fm_track *track = NULL;
    if (text->failed)
        fm_fail(error, FM_ERR_MEMORY, "out of memory for a scenario");
    else
        track = fm_sheet_run(sheet, &(fm_run_request){.text = text->data, .all = true, .every = every}, error);
    fm_text_free(text);
    return track;
}

static const fm_figure_spec figures[] = {
    {"bluerov2-speeds", "BlueROV2 Heavy: speeds of all axes over the command",
     "End speeds of single-axis pulses of 2 to 13 s in a motion-capture tank, tethered, battery 16.3 V: mean over "
     "pulses "
     "of six runs.",
     fm_measured_draw_bluerov2_speeds, true},
    {"bluerov2-pitch", "BlueROV2 Heavy: free decay of the pitch angle",
     "Period 2.3 s; half of the swing is left after half a period.", fm_measured_draw_bluerov2_pitch, true},
};

const fm_figure_set fm_figures_measured = {
    "measured", "Measured vehicles: our models beside records of real ones",
    "KTH and Saab (BlueROV2 Heavy, github.com/SAABmarine-MEX/saabmarineMEX_learning); Blue Robotics (T200)", figures,
    sizeof figures / sizeof *figures};
