/* WaVeSim: the formulas of its sensor emulators (section 8), as the instruments of a run measure them. */
#include <fathom/sea.h>
#include <math.h>
#include <string.h>

#include "figures/sets.h"
#include "figures/wavesim.h"

/* --- Fig. 2: temperature --- */

/* Two heavy buoys sink side by side, one through the middle of a spot, one far from it, and measure on the way. */
static const char cast[] =
    "<fathom version='1'><world dt='0.05 s' duration='26 s'><water density='1025 kg/m3'><temperature surface='18 degC' "
    "z1='10 m' z2='35 m' slope1='-0.2 K/m' slope2='-0.02 K/m'><spot amplitude='2 K' centre='0 0 25 m' "
    "sigma='20 20 4 m'/></temperature></water></world>"
    "<vehicle name='spot' model='wavesim-buoy' position='0 0 1 m'><mass mass='200 kg'/><ctd/></vehicle>"
    "<vehicle name='far' model='wavesim-buoy' position='500 0 1 m'><mass mass='200 kg'/><ctd/></vehicle></fathom>";

static double segments(double z)
{
    return z <= 10 ? 18 : z <= 35 ? 18 - 0.2 * (z - 10) : 13 - 0.02 * (z - 35);
}

/* The sample of a row was taken a step before it. Returns the greatest difference from the formula, K. */
static double draw_cast(fm_axes *axes, const fm_track *track, double spot, const char *label, size_t colour)
{
    const size_t n = fm_track_rows(track);
    const double *z = fm_track_column(track, "z"), *T = fm_track_column(track, "ctd.temperature");
    double most = 0;
    for (size_t i = 2; i < n; i++) {
        const double d = z[i - 1] - 25, want = segments(z[i - 1]) + spot * exp(-d * d / 32);
        most = fmax(most, fabs(T[i] - want));
    }
    fm_axes_line(axes, T + 2, z + 1, n - 2,
                 &(fm_line_style){.label = label,
                                  .colour = fm_colour_series(FM_THEME_LIGHT, colour),
                                  .width = spot > 0 ? 1.3 : 1.8});
    return most;
}

static fm_status draw_2(fm_sheet *sheet, fm_error *error)
{
    fm_track *spot = fm_sheet_run(sheet, &(fm_run_request){.text = cast, .all = true}, error);
    if (!spot)
        return error->status;
    fm_axes *axes = fm_figure_axes(fm_sheet_figure(sheet, 110, 120), 0, 0, 1, 1);
    const double far_off = draw_cast(axes, fm_track_next(spot), 0, "three segments", 0),
                 spot_off = draw_cast(axes, spot, 2, "through a spot of 2 K at 25 m", 1);
    fm_axes_x(axes, &(fm_axis_style){.label = "temperature", .unit = "°C", .min = 12, .max = 18.5});
    fm_axes_y(axes, &(fm_axis_style){.label = "depth", .unit = "m", .min = 0, .max = 60, .reversed = true});
    fm_axes_level(axes, 10, "z1", &(fm_line_style){.dash = FM_DASH_DOTTED});
    fm_axes_level(axes, 35, "z2", &(fm_line_style){.dash = FM_DASH_DOTTED});
    fm_axes_legend(axes, FM_LEGEND_ABOVE);
    fm_sheet_check_near(sheet, "greatest difference, far from the spot", NULL, "K", far_off, 0, 1e-6,
                        "the printed formula, typed again");
    fm_sheet_check_near(sheet, "greatest difference, through the spot", NULL, "K", spot_off, 0, 2e-3,
                        "the same; the buoy drifts off its middle by millimetres");
    fm_sheet_note(sheet,
                  "The paper's axis has no numbers: depths, slopes and spot are ours. Both curves are what a CTD "
                  "measures on a buoy that sinks.");
    return FM_OK;
}

/* --- pressure --- */

enum { DEPTHS = 121 };

static fm_water_info water_at(const fm_world *world, double north, double east, double depth)
{
    fm_water_info water;
    fm_world_water(world, (double[]){north, east, depth}, &water, NULL);
    return water;
}

/* Depth from pressure, with the formula of Saunders 1981, implemented separately: pressure above the surface's,
 * dbar. */
static double saunders(double depth, double latitude)
{
    const double c = 1 - (5.92 + 5.25 * pow(sin(latitude), 2)) * 1e-3;
    return (c - sqrt(c * c - 8.84e-6 * depth)) / 4.42e-6;
}

/* P0, P1 and P2 of the water of a world, from three depths. */
static void find_terms(const fm_world *world, double terms[3])
{
    double p[3];
    for (int i = 0; i < 3; i++)
        p[i] = water_at(world, 0, 0, 3000.0 * i).pressure;
    terms[0] = p[0];
    terms[1] = (4 * (p[1] - p[0]) - (p[2] - p[0])) / 6000;
    terms[2] = ((p[2] - p[0]) - 2 * (p[1] - p[0])) / (2 * 3000.0 * 3000.0);
}

static fm_status draw_pressure(fm_sheet *sheet, fm_error *error)
{
    static const char scenario[] = "<fathom version='1'><world latitude='41 deg'/></fathom>";
    const double latitude = 41 * M_PI / 180;
    double z[DEPTHS], p[DEPTHS], off[DEPTHS], terms[3], most = 0;
    const fm_world *world = fm_sheet_world(sheet, &(fm_run_request){.text = scenario}, error);
    if (!world)
        return error->status;
    find_terms(world, terms);
    for (size_t i = 0; i < DEPTHS; i++) {
        z[i] = 50.0 * (double)i;
        p[i] = water_at(world, 0, 0, z[i]).pressure / 1e6;
        off[i] = (1e6 * p[i] - 101325 - 1e4 * saunders(z[i], latitude)) / 1e3;
        most = fmax(most, fabs(off[i]));
    }
    fm_figure *figure = fm_sheet_figure(sheet, 150, 95);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1), *b = fm_figure_axes(figure, 0, 1, 1, 1);
    fm_axes_line(a, p, z, DEPTHS, NULL);
    fm_axes_x(a, &(fm_axis_style){.label = "pressure", .unit = "MPa"});
    fm_axes_y(a, &(fm_axis_style){.label = "depth", .unit = "m", .min = 0, .max = 6000, .reversed = true});
    fm_axes_line(b, off, z, DEPTHS, NULL);
    fm_axes_x(b, &(fm_axis_style){.label = "less Saunders' pressure", .unit = "kPa"});
    fm_axes_y(b, &(fm_axis_style){.label = "depth", .unit = "m", .min = 0, .max = 6000, .reversed = true});
    fm_sheet_check_near(sheet, "P1 at 41°", NULL, "Pa/m", terms[1], 10080.9, 0.1, "least squares by another program");
    fm_sheet_check_near(sheet, "P2 at 41°", NULL, "Pa/m2", terms[2], 0.0235, 1e-4, "least squares by another program");
    fm_sheet_check_range(sheet, "greatest error to 6000 m", NULL, "kPa", most, 0, 1.6, "Saunders 1981");
    return FM_OK;
}

/* --- conductivity --- */

static fm_status draw_conductivity(fm_sheet *sheet, fm_error *error)
{
    static const char *const scenarios[2] = {"<fathom version='1'><world latitude='45 deg'><water><conductivity "
                                             "surface='4.62 S/m' z1='20 m' z2='120 m' slope1='4e-4 S/m2' "
                                             "slope2='4e-4 S/m2'/></water></world></fathom>",
                                             "<fathom version='1'><world latitude='45 deg'/></fathom>"};
    double z[DEPTHS], c[2][DEPTHS], s[2][DEPTHS];
    for (size_t k = 0; k < 2; k++) {
        const fm_world *world = fm_sheet_world(sheet, &(fm_run_request){.text = scenarios[k]}, error);
        if (!world)
            return error->status;
        for (size_t i = 0; i < DEPTHS; i++) {
            z[i] = 2.0 * (double)i;
            const fm_water_info water = water_at(world, 0, 0, z[i]);
            c[k][i] = water.conductivity;
            s[k][i] = water.salinity;
        }
    }
    static const char *const labels[2] = {"printed: slopes above 0", "physical: from salinity 35"};
    fm_figure *figure = fm_sheet_figure(sheet, 150, 95);
    for (size_t k = 0; k < 2; k++) {
        fm_axes *axes = fm_figure_axes(figure, 0, k, 1, 1);
        for (size_t i = 0; i < 2; i++)
            fm_axes_line(
                axes, k ? s[i] : c[i], z, DEPTHS,
                &(fm_line_style){.label = k ? NULL : labels[i], .colour = fm_colour_series(FM_THEME_LIGHT, i)});
        fm_axes_x(axes, &(fm_axis_style){.label = k ? "salinity" : "conductivity",
                                         .unit = k ? NULL : "S/m",
                                         .min = k ? 34 : 3.9,
                                         .max = k ? 43 : 4.8});
        fm_axes_y(axes, &(fm_axis_style){.label = "depth", .unit = "m", .min = 0, .max = 240, .reversed = true});
        if (k == 0)
            fm_axes_legend(axes, FM_LEGEND_FIGURE);
    }
    fm_sheet_check_near(sheet, "printed conductivity at 120 m", NULL, "S/m", c[0][60], 4.66, 1e-12,
                        "the printed formula, typed again");
    fm_sheet_check_range(sheet, "salinity that follows from it at 240 m", NULL, "", s[0][120], 40, 46,
                         "sea water has about 35");
    fm_sheet_check_near(sheet, "salinity of the physical mode at 240 m", NULL, "", s[1][120], 35, 1e-6,
                        "as it was set");
    fm_sheet_check_holds(
        sheet, "physical conductivity falls with the temperature", "rises with depth", c[1][60] < c[1][0],
        "conductivity follows temperature; with the printed slopes the salinity climbs to 40 and more");
    return FM_OK;
}

/* --- the bottom --- */

enum { EASTS = 60, NORTHS = 100 };

/* The water depth in cells of 2 m, row by row to the east. */
static double *read_floor(fm_sheet *sheet, const fm_world *world)
{
    double *depth = fm_sheet_reals(sheet, EASTS * NORTHS);
    for (size_t i = 0; depth && i < EASTS * NORTHS; i++)
        depth[i] = water_at(world, 2 * (double)(i % NORTHS) + 1, 2 * (double)(i / NORTHS) - 59, 0).bottom;
    return depth;
}

/* D0 + D1 x + D2 y and the two mounds of wavesim-ctd, implemented separately. */
static double formula(double x, double y, double mound)
{
    return 32 + 0.02 * x - 0.01 * y + mound * exp(-(x - 80) * (x - 80) / 288 - y * y / 450) +
           3 * exp(-((x - 130) * (x - 130) + y * y) / 200);
}

static void draw_section(fm_sheet *sheet, fm_axes *axes, const fm_track *track)
{
    const size_t n = fm_track_rows(track);
    const double *t = fm_track_column(track, "t"), *x = fm_track_column(track, "x"), *y = fm_track_column(track, "y"),
                 *z = fm_track_column(track, "z"), *range = fm_track_column(track, "echosounder.range");
    double *measured = fm_sheet_reals(sheet, n), *real = fm_sheet_reals(sheet, n), most = 0;
    for (size_t i = 0; i < n; i++) {
        real[i] = formula(x[i], y[i], t[i] > 125 ? -8 : -5);
        measured[i] = t[i] > 0.6 ? z[i] + range[i] : NAN;
        if (t[i] > 1 && fabs(t[i] - 125) > 1)
            most = fmax(most, fabs(measured[i] - real[i]));
    }
    fm_axes_scatter(axes, x, measured, n, &(fm_scatter_style){.label = "depth and echosounder", .size = 3});
    fm_axes_line(axes, x, real, n,
                 &(fm_line_style){.label = "formula", .colour = fm_colour_hex(0x111111), .width = 0.7});
    fm_axes_line(axes, x, z, n, &(fm_line_style){.label = "vehicle", .colour = fm_colour_series(FM_THEME_LIGHT, 2)});
    fm_axes_y(axes, &(fm_axis_style){.label = "depth", .unit = "m", .min = 0, .max = 40, .reversed = true});
    fm_axes_x(axes, &(fm_axis_style){.label = "north", .unit = "m", .min = 0, .max = 200});
    fm_axes_legend(axes, FM_LEGEND_ABOVE);
    fm_sheet_check_range(sheet, "greatest difference of the echosounder", NULL, "m", most, 0, 0.25,
                         "its noise is 2 cm, and it is up to half a second old");
}

static fm_status draw_bottom(fm_sheet *sheet, fm_error *error)
{
    const fm_world *world = fm_sheet_world(sheet, &(fm_run_request){.scenario = "wavesim-ctd"}, error);
    const fm_track *track =
        !world
            ? NULL
            : fm_sheet_run(sheet, &(fm_run_request){.scenario = "wavesim-ctd", .vehicle = "auv", .every = 0.5}, error);
    if (!track)
        return error->status;
    const double *depth = read_floor(sheet, world);
    if (!depth)
        return fm_figure_fail(error, FM_ERR_MEMORY, "no memory for a bottom");
    fm_figure *figure = fm_sheet_figure(sheet, 160, 140);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1), *b = fm_figure_axes(figure, 1, 0, 1, 1);
    fm_axes_heat(a, (fm_extent){0, 200, -60, 60}, depth, NORTHS, EASTS,
                 &(fm_heat_style){.value_label = "water depth", .value_unit = "m"});
    fm_axes_line(a, fm_track_column(track, "x"), fm_track_column(track, "y"), fm_track_rows(track),
                 &(fm_line_style){.colour = fm_colour_hex(0xffffff)});
    fm_axes_x(a, &(fm_axis_style){.label = "north", .unit = "m", .min = 0, .max = 200});
    fm_axes_y(a, &(fm_axis_style){.label = "east", .unit = "m", .min = -60, .max = 60, .reversed = true});
    draw_section(sheet, b, track);
    double most = 0;
    for (size_t i = 0; i < EASTS * NORTHS; i++)
        most = fmax(most, fabs(depth[i] - formula(2 * (double)(i % NORTHS) + 1, 2 * (double)(i / NORTHS) - 59, -5)));
    fm_sheet_check_near(sheet, "greatest difference of the bottom", NULL, "m", most, 0, 1e-9,
                        "the printed formula, typed again");
    fm_sheet_note(sheet, "h > 0 adds water: it is a hole, h < 0 a mound. At 125 s, with the vehicle over it, the mound "
                         "grows from 5 m to 8 m.");
    return FM_OK;
}

static const fm_figure_spec figures[] = {
    {"fig2", "Fig. 2: temperature over depth in three segments, and a spot",
     "Constant down to z1, then two straight pieces of different slope; a spot adds a Gaussian deviation (section "
     "8.2).",
     draw_2, true},
    {"pressure", "Pressure over depth",
     "Section 8.1 gives P0 + P1 z + P2 z² and prints no numbers and no figure; P1 and P2 are fitted here to Saunders' "
     "pressure.",
     draw_pressure, true},
    {"conductivity", "Conductivity with the printed slopes and as sea water has it",
     "Section 8.3: like the temperature, but with positive derivatives. No figure is printed.", draw_conductivity,
     true},
    {"bottom", "The bottom with mounds, and the echosounder over it",
     "Section 8.4: a plane D0 + D1 x + D2 y with Gaussian elevations and depressions; the vehicle's depth is "
     "subtracted. "
     "No figure is printed.",
     draw_bottom, true},
    {"level", "Level of a signal against range, by the printed law with its sign mended",
     "Section 7 prints I = I0 − 20 log r + (0.005 r), by which no signal would ever die. No figure is printed.",
     fm_wavesim_draw_level, true},
    {"survey-tracks", "The survey: where the vehicles were, and where they believed to be (ours)",
     "Ours: the paper describes no mission.", fm_wavesim_draw_tracks, false},
    {"survey-ladder", "The survey: who spoke when, and who heard it (ours)", "Ours: the paper describes no mission.",
     fm_wavesim_draw_ladder, true},
    {"survey-field", "The survey: warm and saline spots as mapped, and as they are (ours)",
     "Ours: the paper describes no mission.", fm_wavesim_draw_field, false},
    {"survey-bottom", "The survey: the bottom by echosounder, and as it is (ours)",
     "Ours: the paper describes no mission.", fm_wavesim_draw_echoes, false},
    {"homing", "Homing by USBL through water that bends sound, with and without the profile (ours)",
     "No figure is printed.", fm_wavesim_draw_homing, false},
};

const fm_figure_set fm_figures_wavesim = {
    "wavesim",
    "WaVeSim: what its sensor emulators measure",
    "A. Santos and A. Matos, WaVeSim - Water Vehicle Simulator (University of Porto)",
    "paper",
    figures,
    sizeof figures / sizeof *figures};
