#include "fish/eyes.h"

#include <string.h>

#include "physics/real.h"

static double tangent(double angle)
{
    return fm_sin(angle) / fm_cos(angle);
}

/* Width and height in pixels, from the number of bytes and the angles that the camera says it sees. */
static int set_lens(const fm_quantity_view *view, fm_eye_lens *lens)
{
    const fm_mount *m = view->mount;
    double across = tangent(0.5 * m->width), down = tangent(0.5 * m->height), pixels = (double)(view->count / 3);
    lens->width = (int)(fm_sqrt(pixels * across / down) + 0.5);
    lens->height = lens->width > 0 ? (int)(pixels / lens->width + 0.5) : 0;
    lens->pixel = 2 * across / lens->width;
    memcpy(lens->rotation, m->rotation, sizeof lens->rotation);
    return 3 * (size_t)lens->width * (size_t)lens->height == view->count;
}

fm_status fm_eyes_load(fm_part_load *load, fm_eyes *eyes, fm_error *error)
{
    double port = 0, starboard = 0;
    *eyes = (fm_eyes){0};
    for (size_t i = 0; i < fm_load_part_count(load); i++) {
        fm_quantity_view *view = &eyes->view[eyes->count];
        fm_part_info part = fm_load_part_info(load, i);
        if (eyes->count == FM_EYES_MOST || part.part_class->kind != FM_PART_SENSOR ||
            !fm_load_quantity(load, i, FM_QUANTITY_PICTURE, view) || view->type != FM_OUTPUT_UINT8 || !view->mount)
            continue;
        const double *R = view->mount->rotation;
        if (fm_sqrt(R[0] * R[0] + R[3] * R[3]) < 0.7)
            continue; /* it looks up or down */
        if (!set_lens(view, &eyes->lens[eyes->count]))
            return fm_load_fail(load, error, FM_ERR_MODEL, "the pictures of '%s' are not red, green, blue by row",
                                part.name);
        double axis = fm_atan2(R[3], R[0]), half = 0.5 * view->mount->width, pixel = eyes->lens[eyes->count].pixel;
        port = fm_max(port, half - axis);
        starboard = fm_max(starboard, half + axis);
        eyes->pixel = fm_max(eyes->pixel, pixel * pixel);
        eyes->count++;
    }
    eyes->widest = fm_min(port, starboard);
    return eyes->count
               ? FM_OK
               : fm_load_fail(load, error, FM_ERR_MODEL, "<seek> needs a <camera> on the fish that looks level");
}

/* Notes new pictures; whether there is one. */
static int note_pictures(const fm_part_context *context, const fm_eyes *eyes, fm_eyes_state *s)
{
    int news = 0;
    for (size_t i = 0; i < eyes->count; i++) {
        fm_reading r = fm_sensor_reading(context, (int)eyes->view[i].part);
        if (r.count == s->pictures[i])
            continue;
        s->interval[i] = s->pictures[i] > 0 ? context->time - s->time[i] : 0;
        s->time[i] = context->time;
        s->pictures[i] = r.count;
        news = 1;
    }
    return news;
}

int fm_eyes_see(const fm_part_context *context, const fm_eyes *eyes, fm_eyes_state *s, const fm_hue *hue, double pixels,
                int *seen, fm_blob *blob)
{
    fm_blob_bins bins;
    if (!note_pictures(context, eyes, s))
        return 0;
    fm_blob_begin(&bins);
    for (size_t i = 0; i < eyes->count; i++)
        if (s->pictures[i] > 0 && context->time - s->time[i] <= 1.5 * s->interval[i] + 1e-9)
            fm_blob_add(&bins, hue, &eyes->lens[i], fm_quantity_data(context, &eyes->view[i]));
    *seen = fm_blob_find(&bins, pixels * eyes->pixel, blob);
    return 1;
}
