/* An acoustic model of the water between surface and bottom: layers whose sound speed is linear in depth, a bottom
 * along the range, and the reflection of waves at both. Range x and depth z in m, angles from the horizontal, positive
 * downwards, in rad. Constant after creation. docs/theory/acoustics.md */
#ifndef FM_ACOUSTICS_WAVEGUIDE_H
#define FM_ACOUSTICS_WAVEGUIDE_H

#include <stddef.h>

#include "acoustics/seabed.h"
#include "base/error.h"
#include "base/memory.h"

/* Sound speed at increasing depths, linear between; constant beyond the ends. */
typedef struct fm_sound_profile {
    size_t count;        /* at least 1 */
    const double *depth; /* m, strictly rising */
    const double *speed; /* m/s */
} fm_sound_profile;

double fm_sound_profile_at(const fm_sound_profile *profile, double depth);

enum { FM_SOUND_PROFILE_MOST = 100000 }; /* nodes of a file */

/* "depth,speed" per line, m and m/s; a header line, empty lines and lines that begin with # are skipped. */
fm_status fm_sound_profile_parse_csv(fm_sound_profile *profile, const char *text, size_t length, const char *name,
                                     fm_arena *arena, fm_error *error);
fm_status fm_sound_profile_read_csv(fm_sound_profile *profile, const char *path, fm_arena *arena, fm_error *error);
/* Munk's profile down to `depth`, in linear segments that stay within 1e-4 m/s of it. (A4.1) */
fm_status fm_sound_profile_munk(fm_sound_profile *profile, double depth, fm_arena *arena, fm_error *error);
double fm_sound_speed_munk(double depth);
fm_status fm_sound_profile_constant(fm_sound_profile *profile, double speed, fm_arena *arena, fm_error *error);

typedef struct fm_waveguide {
    size_t layers;          /* layer i lies between nodes i and i + 1 */
    const double *depth;    /* m, of the layers + 1 nodes; the first is 0, the last at or below the deepest bottom */
    const double *speed;    /* m/s, at the nodes */
    const double *gradient; /* 1/s, in each layer */
    size_t bottom_count;    /* 1: level */
    const double *bottom_range, *bottom_depth; /* m */
    fm_seabed seabed;
    double roughness; /* m, rms height of the surface */
} fm_waveguide;

/* The bottom: one depth, or depths at increasing ranges with straight lines between; level beyond its ends. */
typedef struct fm_bottom_line {
    size_t count;
    const double *range, *depth;
} fm_bottom_line;

/* "range,depth" per line, m and m, in the format of profiles. */
fm_status fm_bottom_line_read_csv(fm_bottom_line *line, const char *path, fm_arena *arena, fm_error *error);

fm_status fm_waveguide_make(fm_waveguide *guide, const fm_sound_profile *profile, const fm_bottom_line *bottom,
                            const fm_seabed *seabed, double roughness, fm_arena *arena, fm_error *error);

double fm_waveguide_speed(const fm_waveguide *guide, double depth);
size_t fm_waveguide_layer(const fm_waveguide *guide, double depth);
/* Depth of the bottom at a range, and its slope there (rise of depth per range). */
double fm_waveguide_bottom(const fm_waveguide *guide, double range, double *slope);

#endif
