#include "fish/colour_blob.h"

#include "physics/real.h"

enum { GAP = 1 }; /* empty bearings within one group, degrees */

int fm_hue_of(const double colour[3], double tolerance, fm_hue *hue)
{
    double sum = colour[0] + colour[1] + colour[2], length = 0;
    for (int k = 0; k < 3; k++) {
        hue->direction[k] = sum > 0 ? colour[k] / sum - 1.0 / 3 : 0;
        length += hue->direction[k] * hue->direction[k];
    }
    length = fm_sqrt(length);
    if (length < 0.05)
        return 0;
    for (int k = 0; k < 3; k++)
        hue->direction[k] /= length;
    hue->cosine = fm_cos(tolerance);
    hue->saturation = 0.06;
    hue->light = 0.01;
    return 1;
}

/* (B11) */
int fm_hue_matches(const fm_hue *hue, const uint8_t rgb[3])
{
    double light[3], sum = 0, along = 0, length2 = 0;
    for (int k = 0; k < 3; k++) {
        light[k] = (double)rgb[k] * rgb[k] / (255.0 * 255.0);
        sum += light[k];
    }
    if (sum < hue->light)
        return 0;
    for (int k = 0; k < 3; k++) {
        double e = light[k] / sum - 1.0 / 3;
        along += e * hue->direction[k];
        length2 += e * e;
    }
    return along > 0 && length2 >= hue->saturation * hue->saturation &&
           along * along >= hue->cosine * hue->cosine * length2;
}

void fm_blob_begin(fm_blob_bins *bins)
{
    for (int i = 0; i < FM_BLOB_BINS; i++)
        bins->area[i] = bins->moment[i] = bins->least[i] = bins->most[i] = 0;
}

/* One pixel whose middle is at (y, z) on the plane at distance 1. */
static void add_pixel(fm_blob_bins *bins, const fm_eye_lens *lens, double y, double z)
{
    const double *R = lens->rotation, far2 = 1 + y * y + z * z;
    double ahead = R[0] + R[1] * y + R[2] * z, aside = R[3] + R[4] * y + R[5] * z;
    double bearing = fm_atan2(aside, ahead), area = lens->pixel * lens->pixel / (far2 * fm_sqrt(far2));
    double half = 0.5 * lens->pixel / (1 + y * y);
    int i = (int)((bearing + FM_PI) * FM_BLOB_BINS / (2 * FM_PI));
    i = i < 0 ? 0 : i < FM_BLOB_BINS ? i : FM_BLOB_BINS - 1;
    if (bins->area[i] == 0 || bearing - half < bins->least[i])
        bins->least[i] = bearing - half;
    if (bins->area[i] == 0 || bearing + half > bins->most[i])
        bins->most[i] = bearing + half;
    bins->area[i] += area;
    bins->moment[i] += area * bearing;
}

void fm_blob_add(fm_blob_bins *bins, const fm_hue *hue, const fm_eye_lens *lens, const uint8_t *rgb)
{
    for (int row = 0; row < lens->height; row++)
        for (int column = 0; column < lens->width; column++, rgb += 3)
            if (fm_hue_matches(hue, rgb))
                add_pixel(bins, lens, (column + 0.5 - 0.5 * lens->width) * lens->pixel,
                          (row + 0.5 - 0.5 * lens->height) * lens->pixel);
}

int fm_blob_find(const fm_blob_bins *bins, double least_area, fm_blob *blob)
{
    blob->area = 0;
    for (int first = 0; first < FM_BLOB_BINS; first++) {
        if (bins->area[first] == 0)
            continue;
        double area = 0, moment = 0;
        int last = first;
        for (int i = first; i < FM_BLOB_BINS && i <= last + 1 + GAP; i++)
            if (bins->area[i] > 0) {
                area += bins->area[i];
                moment += bins->moment[i];
                last = i;
            }
        if (area > blob->area)
            *blob = (fm_blob){moment / area, bins->most[last] - bins->least[first], area};
        first = last;
    }
    return blob->area >= least_area && blob->area > 0;
}
