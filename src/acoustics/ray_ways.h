/* Ways of sound by rays: found by shooting, remembered for each pair of transducers and followed as they move. */
#ifndef FM_ACOUSTICS_RAY_WAYS_H
#define FM_ACOUSTICS_RAY_WAYS_H

#include "acoustics/medium.h"

/* What is remembered of a pair, in words of the world's state: rays are looked for again when one of the two has moved
 * on, and until then followed from the angles at which they last left. 8-byte fields. */
typedef struct fm_ray_memory {
    int64_t pair;          /* + 1; 0: empty */
    double from[3], to[3]; /* m: when they were looked for */
    int64_t count;
    struct {
        double launch; /* rad */
        int64_t number;
    } ways[FM_WAYS_MOST];
} fm_ray_memory;

/* Makes the waveguide of a medium that has layers; FM_OK where rays are not asked for. */
fm_status fm_medium_guide(fm_medium *medium, fm_arena *arena, fm_error *error);

/* The ray that leaves near way->launch and reflects as `number` says; 0: there is none. */
int fm_medium_ray(const fm_medium *medium, int64_t number, const double from[3], const double to[3], double frequency,
                  fm_sound_way *way);
/* The rays between two places: those of the memory where it is of this pair and near enough, else looked for anew. The
 * memory holds them afterwards. */
void fm_medium_rays(const fm_medium *medium, int64_t pair, const double from[3], const double to[3], double frequency,
                    fm_ray_memory *memory);
/* Places along a ray, and the share of its time that it spends about each. */
void fm_medium_ray_points(const fm_medium *medium, const double from[3], const double to[3], const fm_sound_way *way,
                          int count, double (*point)[3], double *share);
/* Back along the ray that arrives at a depth from an elevation (fm_sound_trace). (A8.10) */
int fm_medium_trace(const fm_medium *medium, double depth, double elevation, double slant, double point[2]);
/* Whether an obstacle stands in a ray's way. */
int fm_medium_ray_blocked(const fm_medium *medium, const double from[3], const double to[3], const fm_sound_way *way);

#endif
