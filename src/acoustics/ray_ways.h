/* Sound paths along rays: found by tracing, remembered for each pair of transducers and tracked as they move. */
#ifndef FM_ACOUSTICS_RAY_WAYS_H
#define FM_ACOUSTICS_RAY_WAYS_H

#include "acoustics/medium.h"

/* The memory of a pair, in words of the world's state: rays are searched again when one of the two has moved far
 * enough, and tracked from their last launch angles until then. 8-byte fields. */
typedef struct fm_ray_memory {
    int64_t pair;          /* + 1; 0: empty */
    double from[3], to[3]; /* m: when they were looked for */
    int64_t count;
    struct {
        double launch; /* rad */
        int64_t number;
    } ways[FM_WAYS_MOST];
} fm_ray_memory;

/* Makes the waveguide of a medium that has layers; FM_OK if rays are not used. */
fm_status fm_medium_guide(fm_medium *medium, fm_arena *arena, fm_error *error);

/* The ray launched near way->launch with the reflections of `number`; 0: no such ray. */
int fm_medium_ray(const fm_medium *medium, int64_t number, const double from[3], const double to[3], double frequency,
                  fm_sound_way *way);
/* The rays between two places: those of the memory if it belongs to this pair and is near enough, otherwise from a new
 * search. The memory holds them afterwards. */
void fm_medium_rays(const fm_medium *medium, int64_t pair, const double from[3], const double to[3], double frequency,
                    fm_ray_memory *memory);
/* Points along a ray, and the share of its travel time near each. */
void fm_medium_ray_points(const fm_medium *medium, const double from[3], const double to[3], const fm_sound_way *way,
                          int count, double (*point)[3], double *share);
/* Traces back the ray that arrives at a depth from an elevation (fm_sound_trace). (A8.10) */
int fm_medium_trace(const fm_medium *medium, double depth, double elevation, double slant, double point[2]);
/* Whether an obstacle blocks a ray. */
int fm_medium_ray_blocked(const fm_medium *medium, const double from[3], const double to[3], const fm_sound_way *way);

#endif
