/* Fig. 11 of Liu and Hu: what the two eyes of a fish see. */
#include <math.h>
#include <string.h>

#include "figures/fish.h"
#include "physics/angle.h"
#include "sensors/camera.h"
#include "world/world.h"

enum { WIDE = 160, HIGH = 120, EYES = 2 };

static const char pool[] =
    "<fathom version='1'><world dt='0.05 s' duration='0.1 s'><water density='1000 kg/m3'/><pool name='pool' size='6 4 "
    "1.5 m'/>"
    "<column name='first' position='2.6 1.2 0.2 m' radius='0.15 m' height='0.9 m' colour='0.75 0.12 0.06'/>"
    "<column name='second' position='2.9 2.9 0.2 m' radius='0.15 m' height='0.9 m' colour='0.75 0.12 0.06'/></world>"
    "<vehicle name='watcher' model='robotic-fish-senses' position='1 2 0.5 m'/>"
    "<vehicle name='other' model='robotic-fish' position='1.8 1.97 0.5 m' attitude='0 0 80 deg'><fish "
    "deflection='-30 deg'><wave frequency='1 Hz'/></fish></vehicle></fathom>";
static const double eye_east[EYES] = {1.98, 2.02}, eye_north = 1.16, yaw[EYES] = {-30, 30}; /* m, degrees */
static const double column_at[EYES][2] = {{2.6, 1.2}, {2.9, 2.9}}, column_radius = 0.15;    /* north, east, m */
static const char *const names[EYES] = {"left-eye", "right-eye"};

typedef struct pictures {
    uint8_t rgb[EYES][3 * WIDE * HIGH];
    int seen[EYES];
} pictures;

/* Takes the first picture of each camera. */
static void take_pictures(void *user, fm_world *world)
{
    pictures *p = user;
    const fm_slot *slot = &world->slots[0];
    for (size_t i = 0; i < slot->type->part_count; i++)
        for (int e = 0; e < EYES; e++) {
            const fm_part *part = &slot->type->parts[i];
            const fm_camera_reading *reading = (const fm_camera_reading *)fm_vehicle_words(slot->vehicle, part->output);
            if (strcmp(part->name, names[e]) != 0 || p->seen[e] || !(reading->width == WIDE && reading->height == HIGH))
                continue;
            memcpy(p->rgb[e], reading->image, sizeof p->rgb[e]);
            p->seen[e] = 1;
        }
}

/* Edges of the column in a row of the picture above the fish, pixels from the left: its run of red. */
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

/* Where geometry puts the edge on this side (-1 left, 1 right), pixels. */
static double expected_edge(int eye, int side)
{
    double dx = column_at[eye][0] - eye_north, dy = column_at[eye][1] - eye_east[eye];
    double bearing = atan2(dy, dx) + side * asin(column_radius / hypot(dx, dy)) - yaw[eye] * FM_DEGREE;
    return 0.5 * WIDE * (1 + tan(bearing) / tan(30 * FM_DEGREE));
}

static void check_column(fm_sheet *sheet, const pictures *p, int eye)
{
    static const char *const texts[EYES][2] = {
        {"left edge of the column, left eye", "right edge of the column, left eye"},
        {"left edge of the column, right eye", "right edge of the column, right eye"}};
    double edge[2];
    find_column(p->rgb[eye], HIGH / 2 - 20, edge);
    for (int s = 0; s < 2; s++)
        fm_sheet_check_near(sheet, texts[eye][s], NULL, "pixels", edge[s], expected_edge(eye, 2 * s - 1), 1,
                            "bearing and half-width of the column from the eye");
}

fm_status fm_fish_draw_eyes(fm_sheet *sheet, fm_error *error)
{
    pictures *p = fm_sheet_alloc(sheet, sizeof *p);
    if (!p)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for two pictures");
    if (!fm_sheet_run(sheet, &(fm_run_request){.text = pool, .watch = take_pictures, .user = p}, error))
        return error->status;
    if (!p->seen[0] || !p->seen[1])
        return fm_fail(error, FM_ERR_STATE, "the cameras gave no picture");
    fm_figure *figure = fm_sheet_figure(sheet, 170, 80);
    for (int e = 0; e < EYES; e++) {
        fm_axes *a = fm_figure_axes(figure, 0, (size_t)e, 1, 1);
        fm_axes_title(a, e == 0 ? "left eye" : "right eye");
        fm_axes_equal(a);
        fm_axes_x(a, &(fm_axis_style){.label = "across", .unit = "pixels", .min = 0, .max = WIDE});
        fm_axes_y(a, &(fm_axis_style){.label = "down", .unit = "pixels", .min = 0, .max = HIGH, .reversed = true});
        fm_axes_image(a, (fm_extent){0, WIDE, 0, HIGH}, p->rgb[e], WIDE, HIGH);
        check_column(sheet, p, e);
    }
    fm_sheet_note(sheet, "Eyes 40 mm apart, turned 30° to their sides, 60° wide each: where the pictures meet, dead "
                         "ahead, the other fish is seen by both. Its "
                         "skin is the mesh of the traverse points, bent by its joints. Places of fish and columns are "
                         "ours; the paper's are not given.");
    return FM_OK;
}
