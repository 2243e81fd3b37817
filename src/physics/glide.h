/* Bodies of one type side by side in the lanes of a vector register: wholly submerged, their actuators held, in one
 * stream of water. A world moves its fleets by this (world/formation.h), with the bits that each vehicle has alone.
 *
 * physics/lanes/glide.c is compiled for each instruction set (cmake/Lanes.cmake). */
#ifndef FM_PHYSICS_GLIDE_H
#define FM_PHYSICS_GLIDE_H

#include <stddef.h>
#include <stdint.h>

struct fm_flat;

enum {
    FM_GLIDE_WIDEST = 8, /* lanes */
    FM_GLIDE_BODY = 13,  /* numbers of an fm_body_state */
    FM_GLIDE_TALLY = 4   /* and of an fm_tally */
};

/* What came of one vehicle. */
typedef struct fm_glided {
    double body[FM_GLIDE_BODY];
    double velocity[6]; /* before the last tick */
    double tally[FM_GLIDE_TALLY];
} fm_glided;

/* Where the origin of a vehicle may be: within `radius` of `centre`, and in a box. */
typedef struct fm_glide_bounds {
    double centre[3], radius, low[3], high[3]; /* m, NED */
} fm_glide_bounds;

/* One vehicle: numbers of an fm_body_state, an fm_body_input and an fm_tally. */
typedef struct fm_glider {
    const double *body, *input, *tally;
    fm_glided *out;
} fm_glider;

typedef struct fm_glide_job {
    const void *craft; /* as `prepare` made it */
    double water[3];   /* velocity, m/s, NED; the surface is at 0 */
    double deepest;    /* m: the greatest depth that is not too deep */
    uint64_t ticks;    /* of the vehicles */
    int count;         /* vehicles, 1 … lanes */
    fm_glider glider[FM_GLIDE_WIDEST];
    fm_glide_bounds *bounds; /* of each; NULL: they may be anywhere */
} fm_glide_job;

typedef struct fm_glide_build {
    const char *set; /* "avx2" */
    int lanes;
    /* Memory of a prepared type, bytes, from a block in double (physics/flat.h); it is to be aligned to FM_FLAT_ALIGN.
     */
    size_t (*bytes)(const struct fm_flat *doubles);
    void (*prepare)(const struct fm_flat *doubles, void *craft);
    /* Makes up to job->ticks ticks: as long as all vehicles stay submerged, sound, no deeper than `deepest` and in
     * their bounds. Returns how many; then `out` of each is its state after them. */
    uint64_t (*step)(const fm_glide_job *job);
} fm_glide_build;

const fm_glide_build *fm_glide_find(void); /* the widest that this processor can run */

#endif
