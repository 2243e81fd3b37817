/* Fig. 11 of Liu and Hu: what the two eyes of fish C see in frame (a) of Fig. 12. */
#include <fathom/instrument.h>
#include <math.h>
#include <string.h>

#include "figures/fish.h"

enum { WIDE = 160, HIGH = 120, EYES = 2 };

static const char *const names[EYES] = {"left-eye", "right-eye"};
static const double yaw[EYES] = {-30, 30};                          /* degrees */
static const double head = 0.16;                                    /* m: the eyes are at the nose, before joint 1 */
static const double column_at[2] = {4.0, 2.6}, column_radius = 0.2; /* of fish-pool.xml: north, east, m */
enum { COLUMN_EYE = 0 };                                            /* the one that sees it */
static const char watcher[] = "red", seen[] = "blue";               /* C and B */

typedef struct pictures {
    uint8_t rgb[EYES][3 * WIDE * HIGH];
    bool taken;
    int alone; /* the other fish is taken out of the water a moment before */
} pictures;

static bool copy_picture(const fm_world *world, int eye, uint8_t *rgb)
{
    fm_sample image;
    if (fm_world_instrument_read(world, watcher, names[eye], "data", &image, NULL) != FM_OK ||
        image.type != FM_OUTPUT_UINT8 || image.count != 3 * WIDE * HIGH)
        return false;
    memcpy(rgb, image.data, 3 * WIDE * HIGH);
    return true;
}

/* The pictures are taken at the start of the step after the moment. */
static void take_pictures(void *user, fm_world *world)
{
    pictures *p = user;
    double late = fm_world_time(world) - FM_FISH_FRAME_A;
    if (fabs(late + 0.5) < 1e-6) { /* the eyes are off until now */
        fm_world_set(world, "/red/left-eye/fault", 0, NULL);
        fm_world_set(world, "/red/right-eye/fault", 0, NULL);
    }
    if (p->alone && fabs(late) < 1e-6)
        fm_world_remove(world, seen, NULL);
    if (late < 0.01 || p->taken)
        return;
    p->taken = true;
    for (int e = 0; e < EYES; e++)
        p->taken &= copy_picture(world, e, p->rgb[e]);
}

static fm_track *look(fm_sheet *sheet, pictures *p, fm_error *error)
{
    return fm_sheet_run(
        sheet,
        &(fm_run_request){
            .scenario = "fish-pool", .all = true, .duration = FM_FISH_FRAME_A + 0.1, .watch = take_pictures, .user = p},
        error);
}

static const fm_track *find_fish(const fm_track *track, const char *name)
{
    while (track && strcmp(fm_track_name(track), name) != 0)
        track = fm_track_next(track);
    return track;
}

/* A point (north, east) in the picture of an eye, pixels from the left. */
static double across(const fm_track *own, int eye, double north, double east)
{
    double t = FM_FISH_FRAME_A, psi = fm_track_at(own, "psi", t), side = eye ? 0.02 : -0.02;
    double x = fm_track_at(own, "x", t) + head * cos(psi) - side * sin(psi),
           y = fm_track_at(own, "y", t) + head * sin(psi) + side * cos(psi);
    double bearing = atan2(east - y, north - x) - psi - yaw[eye] * FM_DEGREE;
    return 0.5 * WIDE * (1 + tan(bearing) / tan(30 * FM_DEGREE));
}

/* The edge of the column on this side (-1 left, 1 right) in its eye: the tangent point. */
static double column_edge(const fm_track *own, int side)
{
    double t = FM_FISH_FRAME_A, psi = fm_track_at(own, "psi", t), beside = COLUMN_EYE ? 0.02 : -0.02;
    double x = fm_track_at(own, "x", t) + head * cos(psi) - beside * sin(psi),
           y = fm_track_at(own, "y", t) + head * sin(psi) + beside * cos(psi);
    double dx = column_at[0] - x, dy = column_at[1] - y, d = hypot(dx, dy);
    double bearing = atan2(dy, dx) + side * asin(column_radius / d);
    return across(own, COLUMN_EYE, x + cos(bearing), y + sin(bearing));
}

/* Where the other fish, ahead, begins in the left eye and ends in the right one: nose and tip of its tail. */
static void fish_edges(const fm_track *own, const fm_track *other, const fm_tail *tail, double edge[2])
{
    static const char *const joint[4] = {"joint1", "joint2", "joint3", "joint4"};
    double t = FM_FISH_FRAME_A, angle[4], body[5][2], psi = fm_track_at(other, "psi", t);
    for (int j = 0; j < 4; j++)
        angle[j] = fm_track_at(other, joint[j], t);
    fm_tail_points(tail, angle, body);
    double along[2] = {tail->head, body[4][0]}, aside[2] = {0, body[4][1]};
    for (int eye = 0; eye < EYES; eye++) {
        double at[2];
        for (int i = 0; i < 2; i++)
            at[i] = across(own, eye, fm_track_at(other, "x", t) + along[i] * cos(psi) - aside[i] * sin(psi),
                           fm_track_at(other, "y", t) + along[i] * sin(psi) + aside[i] * cos(psi));
        edge[eye] = eye ? fmax(at[0], at[1]) : fmin(at[0], at[1]);
    }
}

/* The longest run of red in a row, pixels from the left. */
static void find_column(const uint8_t *rgb, int row, double edge[2])
{
    int best = 0, run = 0;
    edge[0] = edge[1] = NAN;
    for (int i = 0; i < WIDE; i++) {
        const uint8_t *p = rgb + 3 * (row * WIDE + i);
        run = p[0] > p[1] + 10 ? run + 1 : 0;
        if (run > best) {
            best = run;
            edge[0] = i + 1 - run;
            edge[1] = i + 1;
        }
    }
}

/* First and last column of pixels in which two pictures differ. */
static void find_difference(const uint8_t *a, const uint8_t *b, double edge[2])
{
    edge[0] = WIDE;
    edge[1] = 0;
    for (int k = 0; k < WIDE * HIGH; k++)
        if (memcmp(a + 3 * k, b + 3 * k, 3) != 0) {
            edge[0] = fmin(edge[0], k % WIDE);
            edge[1] = fmax(edge[1], k % WIDE + 1);
        }
}

static void check_pictures(fm_sheet *sheet, const pictures *with, const pictures *without, const fm_track *track,
                           const fm_tail *tail)
{
    const fm_track *own = find_fish(track, watcher);
    double column[2], left[2], right[2], expected[2];
    find_column(with->rgb[COLUMN_EYE], HIGH / 2 - 10, column);
    find_difference(with->rgb[0], without->rgb[0], left);
    find_difference(with->rgb[1], without->rgb[1], right);
    fish_edges(own, find_fish(track, seen), tail, expected);
    static const char tangent[] = "tangent from the eye to the column, poses of the Fig. 12 run";
    static const char ends[] = "nose and tail of fish B at that moment of the Fig. 12 run";
    fm_sheet_check_near(sheet, "left edge of column 2, left eye", NULL, "pixels", column[0], column_edge(own, -1), 1,
                        tangent);
    fm_sheet_check_near(sheet, "right edge of column 2, left eye", NULL, "pixels", column[1], column_edge(own, 1), 1,
                        tangent);
    fm_sheet_check_near(sheet, "left end of fish B, left eye", NULL, "pixels", left[0], expected[0], 2, ends);
    fm_sheet_check_near(sheet, "right end of fish B, right eye", NULL, "pixels", right[1], expected[1], 1, ends);
}

fm_status fm_fish_draw_eyes(fm_sheet *sheet, fm_error *error)
{
    pictures *with = fm_sheet_alloc(sheet, sizeof *with), *without = fm_sheet_alloc(sheet, sizeof *without);
    if (!with || !without)
        return fm_figure_fail(error, FM_ERR_MEMORY, "no memory for four pictures");
    without->alone = 1;
    const fm_track *track = look(sheet, with, error);
    fm_tail tail;
    if (!track || !look(sheet, without, error) || fm_fish_find_tail(sheet, &tail, error) != FM_OK)
        return error->status;
    if (!with->taken || !without->taken)
        return fm_figure_fail(error, FM_ERR_MODEL, "the eyes gave no picture of %d by %d pixels", WIDE, HIGH);
    fm_figure *figure = fm_sheet_figure(sheet, 170, 80);
    for (int e = 0; e < EYES; e++) {
        fm_axes *a = fm_figure_axes(figure, 0, (size_t)e, 1, 1);
        fm_axes_title(a, e == 0 ? "left eye of fish C" : "right eye of fish C");
        fm_axes_equal(a);
        fm_axes_x(a, &(fm_axis_style){.label = "across", .unit = "pixels", .min = 0, .max = WIDE});
        fm_axes_y(a, &(fm_axis_style){.label = "down", .unit = "pixels", .min = 0, .max = HIGH, .reversed = true});
        fm_axes_image(a, (fm_extent){0, WIDE, 0, HIGH}, with->rgb[e], WIDE, HIGH);
    }
    check_pictures(sheet, with, without, track, &tail);
    fm_sheet_note(sheet,
                  "What fish C (red) sees at the moment of frame (a) of our Fig. 12: column 2 to the left, and ahead "
                  "fish B (blue), of which both eyes see a part. Eyes "
                  "40 mm apart, turned 30° to their sides, 60° wide each; these numbers and the places of fish "
                  "and columns are ours, the paper gives none. A fish's skin is the mesh of its traverse points, "
                  "bent by its joints.");
    return FM_OK;
}
