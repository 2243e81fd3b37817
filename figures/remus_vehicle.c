/* REMUS: the paper's statements about the vehicle itself, checked with runs: endurance, maximum speed, sea state 2. */
#include <fathom/world.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figures/remus.h"

static const double knot = 1852.0 / 3600;

/* --- endurance --- */

enum { SPEEDS = 8, FULL = 2 }; /* 2.5, 3 … 5.5 knots and all that the propeller has; whole runs at 3 and 5 knots */

typedef struct sail {
    double order;        /* knots */
    double duration;     /* s */
    bool whole;          /* until the battery is empty */
    double speed, hours; /* knots, and until the battery is empty */
    fm_error error;
} sail;

typedef struct sails {
    const fm_run_folders *folders;
    sail *list;
} sails;

static double metric_of(const fm_world *world, const char *name)
{
    for (size_t i = 0; i < fm_world_metric_count(world, 0); i++) {
        const fm_metric_info info = fm_world_metric(world, 0, i);
        if (strcmp(info.name, name) == 0)
            return info.value;
    }
    return NAN;
}

/* Notes speed and power of level flight, and the moment when the battery is empty. */
static void watch_battery(void *user, fm_world *world)
{
    sail *s = user;
    if (fm_world_tick(world) % 50)
        return;
    const double time = fm_world_time(world);
    fm_pose pose = {0};
    if (time > 800 && isnan(s->speed)) {
        fm_world_pose(world, 0, &pose);
        s->speed = pose.velocity[0] / knot;
        if (!s->whole)
            s->hours = 1000 / metric_of(world, "power"); /* from 1 kWh */
    }
    if (isnan(s->hours) && metric_of(world, "battery") <= 0)
        s->hours = time / 3600;
}

static void run_sail(void *user, size_t i)
{
    sails *all = user;
    sail *s = &all->list[i];
    char order[64];
    snprintf(order, sizeof order, "/remus/autopilot/speed/order=%.9g kn", s->order);
    const char *sets[] = {order, "/world/dt=0.2 s", NULL};
    s->speed = s->hours = NAN;
    fm_track_free(fm_track_run(all->folders,
                               &(fm_run_request){.scenario = "remus-endurance",
                                                 .sets = sets,
                                                 .duration = s->duration,
                                                 .no_rows = true,
                                                 .watch = watch_battery,
                                                 .user = s},
                               &s->error));
}

static void draw_endurance(fm_axes *axes, const sail *list)
{
    double speed[SPEEDS], hours[SPEEDS];
    for (size_t i = 0; i < SPEEDS; i++) {
        speed[i] = list[i].speed;
        hours[i] = list[i].hours;
    }
    fm_axes_title(axes, "Endurance");
    fm_axes_x(axes, &(fm_axis_style){.label = "speed", .unit = "kn", .min = 2, .max = 6});
    fm_axes_y(axes, &(fm_axis_style){.label = "time until the battery is empty", .unit = "h", .min = 0, .max = 26});
    fm_axes_line(axes, speed, hours, SPEEDS, &(fm_line_style){.label = "by its power", .marker = FM_MARKER_DISC});
    fm_axes_scatter(axes, (double[]){list[SPEEDS].speed, list[SPEEDS + 1].speed},
                    (double[]){list[SPEEDS].hours, list[SPEEDS + 1].hours}, FULL,
                    &(fm_scatter_style){.label = "run to the end", .marker = FM_MARKER_DIAMOND, .size = 8});
    fm_axes_scatter(axes, (double[]){3, 5}, (double[]){20, 9}, 2,
                    &(fm_scatter_style){
                        .label = "the paper", .marker = FM_MARKER_RING, .size = 12, .colour = fm_colour_hex(0xd55e00)});
    fm_axes_event(axes, 5.6, "the paper: up to 5.6 kn", &(fm_line_style){.dash = FM_DASH_DOTTED});
    fm_axes_legend(axes, FM_LEGEND_ABOVE);
}

/* --- sea state 2 --- */

/* The greatest distance from 10 ft after a minute, m. */
static double draw_sea(fm_axes *axes, const fm_track *track)
{
    const double *t = fm_track_column(track, "t"), *z = fm_track_column(track, "z");
    double most = 0;
    for (size_t i = 0; i < fm_track_rows(track); i++)
        if (t[i] > 60)
            most = fmax(most, fabs(z[i] - 3.048));
    fm_axes_title(axes, "Sea state 2, waves of 0.5 m");
    fm_axes_x(axes, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
    fm_axes_y(axes, &(fm_axis_style){.label = "depth", .unit = "m", .min = 0, .max = 4, .reversed = true});
    fm_axes_line(axes, t, z, fm_track_rows(track), NULL);
    fm_axes_level(axes, 3.048, "ordered: 10 ft", &(fm_line_style){.dash = FM_DASH_DOTTED});
    return most;
}

/* --- the figure --- */

static void check_sails(fm_sheet *sheet, const sail *list)
{
    fm_sheet_check_near(sheet, "greatest speed", "up to 5.6 kn", "kn", list[SPEEDS - 1].speed, 5.6, 0.02,
                        "an order of 7 kn; fitted: the propeller's greatest shaft speed");
    fm_sheet_check_near(sheet, "endurance at 3 kn, run to the end", "up to 20 h", "h", list[SPEEDS].hours, 20, 0.05,
                        "fitted: hotel load and electrical power of the propeller");
    fm_sheet_check_near(sheet, "endurance at 5 kn, run to the end", "9 h", "h", list[SPEEDS + 1].hours, 9, 0.05,
                        "fitted: hotel load and electrical power of the propeller");
    fm_sheet_check_near(sheet, "endurance at 3 kn by the power of level flight", NULL, "h", list[1].hours,
                        list[SPEEDS].hours, 0.05, "the run to the end");
    fm_sheet_check_near(sheet, "endurance at 5 kn by the power of level flight", NULL, "h", list[5].hours,
                        list[SPEEDS + 1].hours, 0.05, "the run to the end");
}

fm_status fm_remus_draw_vehicle(fm_sheet *sheet, fm_error *error)
{
    sail list[SPEEDS + FULL] = {0};
    for (size_t i = 0; i < SPEEDS; i++) {
        list[i].order = i + 1 < SPEEDS ? 2.5 + 0.5 * (double)i : 7;
        list[i].duration = 900;
    }
    list[SPEEDS] = (sail){.order = 3, .duration = 20.2 * 3600, .whole = true};
    list[SPEEDS + 1] = (sail){.order = 5, .duration = 9.2 * 3600, .whole = true};
    sails all = {fm_sheet_folders(sheet), list};
    fm_sheet_share(sheet, SPEEDS + FULL, run_sail, &all);
    for (size_t i = 0; i < SPEEDS + FULL; i++)
        if (list[i].error.status != FM_OK) {
            *error = list[i].error;
            return error->status;
        }
    fm_track *track = fm_sheet_run(sheet, &(fm_run_request){.scenario = "remus-sea-state-2", .every = 0.2}, error);
    if (!track)
        return error->status;
    fm_figure *figure = fm_sheet_figure(sheet, 180, 85);
    draw_endurance(fm_figure_axes(figure, 0, 0, 1, 1), list);
    double off = draw_sea(fm_figure_axes(figure, 0, 1, 1, 1), track);
    check_sails(sheet, list);
    fm_sheet_check_range(sheet, "sea state 2, 10 ft deep: greatest error of the depth", "can operate", "m", off, 0,
                         0.25, "significant height 0.5 m, the most of sea state 2; 40 ft of water");
    fm_sheet_note(
        sheet,
        "Model remus-vsw: 62 in, 80 lb, Prestero's derivatives with a longer middle. Propeller, motor and hotel "
        "load draw on a battery of 1 kWh, which the paper does not give. Three numbers are fitted to its three: "
        "hotel load 31.2 W, electrical power 13.2 W at 3.86 N of thrust, 3057 rpm at most. The paper's own table "
        "of coefficients is of a vehicle of 299 N, 67 lb.");
    return FM_OK;
}
