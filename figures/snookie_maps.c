/* Snookie: maps over incidence angle, speed and noise from many seeded runs, and the room with its obstacle map. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figures/snookie.h"

enum { ANGLES = 18, ROWS = 6, SEEDS = 4 };
static const double start_gap = 0.4; /* m */
static const double false_gap = 0.3; /* m: a detection at a greater distance is a false alarm */

typedef struct cell {
    double gap, off, success; /* m: mean at detection; rad: rms of the direction; part of the runs */
} cell;

/* One map: angles along x, speeds or noises along y. Each angle (and speed) is one model, shared by its seeds. */
typedef struct map {
    const fm_run_folders *folders;
    int by_noise;
    double dt;         /* s */
    double row[ROWS];  /* m/s or V */
    double mark[ROWS]; /* its position on the y axis: m/s, or mV */
    cell cells[ROWS][ANGLES];
    fm_error errors[ROWS * ANGLES];
} map;

static double angle_of(size_t i)
{
    return 5.0 * (double)(i + 1); /* degrees */
}

static fm_model *load_approach(const map *m, double angle, double speed, fm_error *error)
{
    static const char text[] =
        "<fathom version=\"1\"><world dt=\"%.17g s\" gravity=\"9.81 m/s2\"><water density=\"1000 kg/m3\"/><wall "
        "name=\"wall\" position=\"3 0 0 m\" normal=\"-1 0 0\"/></world>"
        "<vehicle name=\"snookie\" model=\"snookie\" position=\"0 0 1 m\"><approach to=\"wall\" angle=\"%.17g deg\" "
        "gap=\"%.17g m\" speed=\"%.17g m/s\"/></vehicle></fathom>";
    char scenario[1024];
    fm_load_options options = {.model_dirs = m->folders->model_dirs, .model_dir_count = m->folders->model_dir_count};
    int size = snprintf(scenario, sizeof scenario, text, m->dt, angle, start_gap, speed);
    return fm_model_load_memory(scenario, (size_t)size, "approach.xml", &options, error);
}

static double metric(const fm_world *world, const char *name)
{
    for (size_t i = 0; i < fm_world_metric_count(world, 0); i++) {
        fm_metric_info info = fm_world_metric(world, 0, i);
        if (strcmp(info.name, name) == 0)
            return info.value;
    }
    return NAN;
}

static size_t state_column(const fm_world *world)
{
    size_t i = 0;
    while (i < fm_world_column_count(world, 0) && strcmp(fm_world_column_name(world, 0, i), "reflex.state"))
        i++;
    return i;
}

/* Until it has turned away, touched, or should have met the wall long ago. */
static fm_status run_one(const fm_model *model, uint64_t seed, double noise, double limit, cell *sum, double *felt,
                         fm_error *error)
{
    fm_world *world = fm_world_create(model, &(fm_world_options){.seeded = 1, .seed = seed}, error);
    if (!world)
        return error->status;
    fm_status status = fm_world_set(world, "/snookie/lateral_line/noise", noise, error);
    size_t column = state_column(world);
    int away = 0;
    for (double t = 0; status == FM_OK && t < limit && !away; t += 0.25) {
        status = fm_world_run_until(world, t + 0.25, error);
        int cruising = fm_world_column(world, 0, column) == 0;
        away = metric(world, "contacts") > 0 || (metric(world, "detections") > 0 && cruising);
    }
    double gap = metric(world, "detection_gap"), off = metric(world, "wall_angle_error");
    if (gap < false_gap) {
        sum->gap += gap;
        sum->off += off * off;
        *felt += 1;
        sum->success += metric(world, "contacts") == 0 ? 1 : 0;
    }
    fm_world_free(world);
    return status;
}

static fm_status fill_cell(const map *m, const fm_model *model, double angle, double speed, double noise, cell *out,
                           fm_error *error)
{
    double felt = 0, limit = start_gap / (speed * sin(angle * FM_DEGREE)) + 15;
    fm_status status = FM_OK;
    *out = (cell){0};
    (void)m;
    for (uint64_t seed = 1; status == FM_OK && seed <= SEEDS; seed++)
        status = run_one(model, seed, noise, limit, out, &felt, error);
    out->gap = felt > 0 ? out->gap / felt : NAN;
    out->off = felt > 0 ? sqrt(out->off / felt) : NAN;
    out->success /= SEEDS;
    return status;
}

static void fill_speed(void *user, size_t index)
{
    map *m = user;
    size_t row = index / ANGLES, column = index % ANGLES;
    fm_model *model = load_approach(m, angle_of(column), m->row[row], &m->errors[index]);
    if (model)
        fill_cell(m, model, angle_of(column), m->row[row], 1e-4, &m->cells[row][column], &m->errors[index]);
    fm_model_free(model);
}

static void fill_noise(void *user, size_t column)
{
    map *m = user;
    fm_model *model = load_approach(m, angle_of(column), 0.1, &m->errors[column]);
    for (size_t row = 0; model && row < ROWS && m->errors[column].status == FM_OK; row++)
        fill_cell(m, model, angle_of(column), 0.1, m->row[row], &m->cells[row][column], &m->errors[column]);
    fm_model_free(model);
}

static fm_status first_error(const map *m, fm_error *error)
{
    for (size_t i = 0; i < ROWS * ANGLES; i++)
        if (m->errors[i].status != FM_OK)
            return *error = m->errors[i], error->status;
    return FM_OK;
}

static double value_of(const cell *c, int what)
{
    return what == 0 ? 100 * c->gap : what == 1 ? c->off / FM_DEGREE : c->success;
}

static void draw_maps(fm_sheet *sheet, const map *m, const char *row_label, const char *row_unit)
{
    static const char *const titles[3] = {"gap at the detection", "direction error, rms", "turned away untouched"};
    static const char *const units[3] = {"cm", "°", NULL};
    static const double most[3] = {30, 30, 1};
    fm_figure *figure = fm_sheet_figure(sheet, 170, 150);
    double half = 0.5 * (m->mark[1] - m->mark[0]), factor = sqrt(m->mark[1] / m->mark[0]);
    fm_extent extent = {2.5, 92.5, m->by_noise ? m->mark[0] / factor : m->mark[0] - half,
                        m->by_noise ? m->mark[ROWS - 1] * factor : m->mark[ROWS - 1] + half};
    char note[160];
    for (int what = 0; what < 3; what++) {
        double *values = fm_sheet_reals(sheet, ROWS * ANGLES);
        for (size_t row = 0; values && row < ROWS; row++)
            for (size_t i = 0; i < ANGLES; i++)
                values[row * ANGLES + i] = value_of(&m->cells[row][i], what);
        fm_axes *a = fm_figure_axes(figure, (size_t)what, 0, 1, 1);
        fm_axes_title(a, titles[what]);
        if (what == 2)
            fm_axes_x(
                a, &(fm_axis_style){.label = "angle between heading and wall", .unit = "°", .min = 2.5, .max = 92.5});
        fm_axes_y(a, &(fm_axis_style){
                         .label = row_label, .unit = row_unit, .scale = m->by_noise ? FM_SCALE_LOG : FM_SCALE_LINEAR});
        fm_axes_heat(a, extent, values, ANGLES, ROWS,
                     &(fm_heat_style){.min = 0,
                                      .max = most[what],
                                      .value_label = what == 2 ? "part of the runs" : titles[what],
                                      .value_unit = units[what]});
    }
    snprintf(note, sizeof note, "%d runs a cell. White: never felt before a touch, or felt farther away than %g cm.",
             SEEDS, 100 * false_gap);
    fm_figure_note(figure, note);
}

/* Least success over the angles from 10° on, in one row. */
static double least_success(const map *m, size_t row)
{
    double least = 1;
    for (size_t i = 1; i < ANGLES; i++)
        least = fmin(least, m->cells[row][i].success);
    return least;
}

fm_status fm_snookie_draw_map_speed(fm_sheet *sheet, fm_error *error)
{
    map *m = fm_sheet_alloc(sheet, sizeof *m);
    if (!m)
        return FM_ERR_MEMORY;
    m->folders = fm_sheet_folders(sheet);
    m->dt = 0.002;
    for (size_t i = 0; i < ROWS; i++)
        m->row[i] = m->mark[i] = 0.05 * (double)(i + 1);
    fm_sheet_share(sheet, ROWS * ANGLES, fill_speed, m);
    if (first_error(m, error) != FM_OK)
        return error->status;
    draw_maps(sheet, m, "speed", "m/s");
    fm_sheet_check_near(sheet, "least part of runs that succeed at 0.1 m/s, 10° to 90°", NULL, "", least_success(m, 1),
                        1, 0, "never a touch at the paper's speed");
    fm_sheet_check_range(sheet, "gap at the detection, 45°, 0.1 m/s, noise 0.1 mV", NULL, "cm",
                         100 * m->cells[1][8].gap, 20.2, INFINITY, "20.2 cm without noise, which only detects earlier");
    fm_sheet_note(sheet,
                  "Exact flow at a plane, noise of 0.1 mV at 500 Hz, %d seeds a cell, start gap %g cm. White: never "
                  "felt before a touch, or felt only farther away than %g cm "
                  "(a false alarm).",
                  SEEDS, 100 * start_gap, 100 * false_gap);
    return FM_OK;
}

fm_status fm_snookie_draw_map_noise(fm_sheet *sheet, fm_error *error)
{
    map *m = fm_sheet_alloc(sheet, sizeof *m);
    if (!m)
        return FM_ERR_MEMORY;
    m->folders = fm_sheet_folders(sheet);
    m->by_noise = 1;
    m->dt = 0.001;
    for (size_t i = 0; i < ROWS; i++) { /* 0.01 to 1 mV */
        m->mark[i] = pow(10, -2 + 0.4 * (double)i);
        m->row[i] = 1e-3 * m->mark[i];
    }
    fm_sheet_share(sheet, ANGLES, fill_noise, m);
    if (first_error(m, error) != FM_OK)
        return error->status;
    draw_maps(sheet, m, "noise", "mV rms");
    fm_sheet_check_near(sheet, "least part of runs that succeed with 0.01 mV, 10° to 90°", NULL, "",
                        least_success(m, 0), 1, 0, "one detection and no touch");
    fm_sheet_check_near(sheet, "gap at the detection, 45°, 0.01 mV", NULL, "cm", 100 * m->cells[0][8].gap, 20.19, 0.7,
                        "an independent program without noise, start gap 45 cm");
    fm_sheet_check_range(sheet, "greatest part of runs that succeed with 1 mV", NULL, "", m->cells[ROWS - 1][8].success,
                         0, 0.2, "noise as large as the threshold alarms at once");
    fm_sheet_note(sheet,
                  "Exact flow at a plane, 0.1 m/s, white noise at 1 kHz, %d seeds a cell, start gap %g cm. With eight "
                  "sensors the difference of the largest and the smallest "
                  "filtered voltage passes 1 mV by noise alone within seconds once the noise is about 0.2 mV rms: the "
                  "printed thresholds need quieter sensors or a slower filter.",
                  SEEDS, 100 * start_gap);
    return FM_OK;
}

/* --- the room --- */

fm_status fm_snookie_draw_corridor(fm_sheet *sheet, fm_error *error)
{
    fm_track *track = fm_sheet_run(sheet, &(fm_run_request){.scenario = "snookie-corridor", .every = 0.1}, error);
    if (!track)
        return error->status;
    size_t n = fm_track_rows(track);
    fm_figure *figure = fm_sheet_figure(sheet, 170, 105);
    fm_figure_column_width(figure, 0, 1.15);
    fm_axes *a = fm_figure_axes(figure, 0, 0, 1, 1);
    fm_axes_title(a, "The room from above");
    fm_axes_x(a, &(fm_axis_style){.label = "east", .unit = "m", .min = -0.2, .max = 5.2});
    fm_axes_y(a, &(fm_axis_style){.label = "north", .unit = "m", .min = -0.2, .max = 7.2});
    fm_axes_equal(a);
    fm_axes_line(a, (double[]){0, 0, 5, 5, 0}, (double[]){0, 7, 7, 0, 0}, 5,
                 &(fm_line_style){.width = 2, .colour = fm_colour_hex(0x555b63)});
    static const double columns[3][3] = {{2.1, 3.1, 0.25}, {3.9, 1.8, 0.3}, {5.2, 3.3, 0.2}};
    for (int k = 0; k < 3; k++) {
        double north[37], east[37];
        for (int i = 0; i < 37; i++) {
            north[i] = columns[k][0] + columns[k][2] * cos(10 * i * FM_DEGREE);
            east[i] = columns[k][1] + columns[k][2] * sin(10 * i * FM_DEGREE);
        }
        fm_axes_polygon(a, east, north, 37, &(fm_area_style){.opacity = 0.6, .colour = fm_colour_hex(0x555b63)});
    }
    fm_axes_line(a, fm_track_column(track, "y"), fm_track_column(track, "x"), n,
                 &(fm_line_style){.label = "true", .width = 0.9});
    fm_axes_line(a, fm_track_column(track, "obstacle-map.position.east"),
                 fm_track_column(track, "obstacle-map.position.north"), n,
                 &(fm_line_style){.label = "reckoned and corrected", .width = 0.7, .dash = FM_DASH_DASHED});
    fm_axes_legend(a, FM_LEGEND_FIGURE);
    fm_axes *b = fm_figure_axes(figure, 0, 1, 1, 1);
    fm_axes_title(b, "Error of the corrected position");
    fm_axes_x(b, &(fm_axis_style){.label = "time", .scale = FM_SCALE_TIME});
    fm_axes_y(b, &(fm_axis_style){.label = "error", .unit = "m", .min = 0, .max = NAN});
    fm_axes_line(b, fm_track_column(track, "t"), fm_track_column(track, "obstacle-map.error"), n, NULL);
    fm_sheet_check_holds(sheet, "ten minutes without a touch", NULL, fm_track_metric(track, "contacts") == 0, NULL);
    fm_sheet_check_range(sheet, "error of the corrected position over that of dead reckoning", NULL, "",
                         fm_track_metric(track, "position_error") / fm_track_metric(track, "dead_reckoning_error"), 0,
                         0.95, "the map must help");
    fm_sheet_check_range(sheet, "rms error of the map", NULL, "m", fm_track_metric(track, "map_error"), 0, 0.4,
                         "direction errors of 10° and side slip");
    return FM_OK;
}
