/* Measured vehicles: records of real ones, and our runs with the same inputs. */
#include "figures/measured.h"

#include <math.h>
#include <stdio.h>

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

fm_track *fm_measured_run(fm_sheet *sheet, double every, fm_error *error)
{
    return fm_sheet_run(sheet, &(fm_run_request){.all = true, .every = every}, error);
}

static const fm_figure_spec figures[] = {
    {"bluerov2-speeds", "BlueROV2 Heavy: speeds of all axes over the command",
     "End speeds of single-axis pulses of 2 to 13 s in a motion-capture tank, tethered, battery 16.3 V: mean over "
     "pulses "
     "of six runs.",
     fm_measured_draw_bluerov2_speeds, true},
    {"bluerov2-attitude", "BlueROV2 Heavy: pitch in surge, roll and yaw rate in sway",
     "Pitch 4.5° to 8° at surge command 0.5, 9° to 12° at 0.625, 6.3° at -0.625; roll 7.7° to 9.4° and 0.28 to 0.47 "
     "rad/s at sway commands of 0.5 to either side, with the sign of the sway.",
     fm_measured_draw_bluerov2_attitude, true},
    {"bluerov2-pitch", "BlueROV2 Heavy: free decay of the pitch angle",
     "Period 2.3 s; half of the swing is left after half a period.", fm_measured_draw_bluerov2_pitch, true},
    {"otter", "Otter: speed over thrust, and turning",
     "An Otter in the Oslo fjord, wind and current unknown (±0.15 m/s): 1.19, 1.35, 1.53 and 1.93 m/s at 48, 60, 102 "
     "and "
     "212 N; 6 °/s at 1.75 m/s with the port propeller alone at 1115 rpm; 28 to 41 °/s on the spot at most.",
     fm_measured_draw_otter, true},
    {"heron", "Heron: measured thrust, and speeds",
     "Thrust of one thruster by a load cell; 1.5 m/s at 40 N, 0.25 rad/s at 8 N m.", fm_measured_draw_heron, true},
    {"slocum-flight", "Slocum: a flight through recorded pitch and ballast",
     "The glider COMET in the Baltic Sea, June 2016: 18 dives to 41 m, depth by pressure, speed through water by a "
     "DVL.",
     fm_measured_draw_slocum_flight, true},
    {"slocum-polar", "Slocum: the glide polar",
     "Lift slope 7.53 per rad, drag 0.150 + 10.5 per rad² on 0.1 m² (Merckelbach et al. 2019).",
     fm_measured_draw_slocum_polar, true},
    {"fish", "A robotic fish with one joint: speed and turn rate by amplitude and bias of its tail",
     "72 trials in a tank, camera-tracked: 0.091, 0.120, 0.168 and 0.195 m/s at amplitudes of 15° to 30°, 0.14 to 0.56 "
     "rad/s at a bias of 20° to 50°.",
     fm_measured_draw_fish, true},
    {"kvlcc2-circle", "KVLCC2: turning circles with the rudder at 35°",
     "Free-running model of 7 m: to port advance 3.01 L, tactical diameter 3.06 L, steady 2.88 °/s at 0.431 m/s; to "
     "starboard 3.09 L, 3.33 L, 2.75 °/s at 0.424 m/s.",
     fm_measured_draw_kvlcc2_circle, true},
    {"kvlcc2-zigzag", "KVLCC2: zigzags 10/10 and 20/20 to both sides",
     "Greatest headings of the first two swings: 10/10 19.3° to port and 25.2° to starboard, or 18.1° to starboard and "
     "32.0° to port; 20/20 35.7° to port and 32.7° to starboard, or 32.5° to starboard and 36.1° to port.",
     fm_measured_draw_kvlcc2_zigzag, true},
};

const fm_figure_set fm_figures_measured = {
    "measured",
    "Measured vehicles: our models beside records of real ones",
    "KTH and Saab (BlueROV2 Heavy, github.com/SAABmarine-MEX/saabmarineMEX_learning); Blue Robotics (T200); "
    "github.com/LSJohnsen/Otter-USV; Naval Postgraduate School (Heron, github.com/bsb808/pub_usv_modeling); L. "
    "Merckelbach "
    "et al. 2019 (Slocum, github.com/smerckel/gliderflight); G. Mamakoukas et al. 2020 (robotic fish, "
    "github.com/giorgosmamakoukas/DerivativeBasedKoopman); MARIN and HSVA, SIMMAN 2008 (KVLCC2)",
    "record",
    figures,
    sizeof figures / sizeof *figures};
