/* Finds a colour in pictures: pixels → its bearing from the fish and its apparent size. Pure functions; the pictures of
 * several cameras are combined, so that an object seen by both eyes counts once.
 *
 * A colour is compared by hue: water dims and veils, so that brightness says little. With c = the shares of red,
 * green and blue in the light of a pixel (the byte squared, as the camera writes its root) and e = c − (1/3, 1/3,
 * 1/3), a pixel matches where e points within `tolerance` of that of the colour, is long enough and the pixel not
 * dark (B11). */
#ifndef FM_FISH_COLOUR_BLOB_H
#define FM_FISH_COLOUR_BLOB_H

#include <stddef.h>
#include <stdint.h>

enum { FM_BLOB_BINS = 360 }; /* of bearing, one degree each */

/* A colour that is looked for. */
typedef struct fm_hue {
    double direction[3]; /* unit vector in the plane of equal light */
    double cosine;       /* of the tolerance */
    double saturation;   /* least length of e */
    double light;        /* least sum of red, green and blue, of 3 */
} fm_hue;

/* 0: grey has no hue. tolerance in rad. */
int fm_hue_of(const double colour[3], double tolerance, fm_hue *hue);
int fm_hue_matches(const fm_hue *hue, const uint8_t rgb[3]);

/* A pinhole camera on the fish. */
typedef struct fm_eye_lens {
    int width, height;  /* pixels */
    double pixel;       /* width of a pixel at distance 1 */
    double rotation[9]; /* camera → body, by row */
} fm_eye_lens;

/* Pixels of the colour by bearing. */
typedef struct fm_blob_bins {
    double area[FM_BLOB_BINS];                      /* sr */
    double moment[FM_BLOB_BINS];                    /* sr rad: area by bearing */
    double least[FM_BLOB_BINS], most[FM_BLOB_BINS]; /* rad: outermost edges of pixels */
} fm_blob_bins;

/* The largest group of neighbouring bearings. */
typedef struct fm_blob {
    double bearing; /* of its middle, rad to starboard of the heading */
    double width;   /* rad, from edge to edge */
    double area;    /* sr */
} fm_blob;

void fm_blob_begin(fm_blob_bins *bins);
/* rgb: three bytes a pixel, rows from the top. */
void fm_blob_add(fm_blob_bins *bins, const fm_hue *hue, const fm_eye_lens *lens, const uint8_t *rgb);
/* 0: nothing of at least this area, sr. */
int fm_blob_find(const fm_blob_bins *bins, double least_area, fm_blob *blob);

#endif
