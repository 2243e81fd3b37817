/* Rays that all start at one place, as the beams of a sonar do: directions are kept by axis in the frame of the
 * instrument, and rotated, cast and settled by sixteens. What is found has the bits of fm_rays_cast.
 *
 * ray_fan.c casts; ray_fan_narrow.c, ray_fan_wide.c and ray_fan_widest.c are the loops before and after, for the
 * registers that every processor has, for those of AVX2 and for those of AVX-512. */
#ifndef FM_GEOMETRY_RAY_FAN_H
#define FM_GEOMETRY_RAY_FAN_H

#include "geometry/rays.h"

enum { FM_FAN_BLOCK = 64 }; /* rays worked on together */

/* What a block of rays met. */
typedef struct fm_fan_echoes {
    double distance[FM_FAN_BLOCK]; /* m; infinite: nothing */
    double cosine[FM_FAN_BLOCK];
    uint32_t material[FM_FAN_BLOCK];
} fm_fan_echoes;

typedef struct fm_ray_fan {
    double origin[3], rotation[9]; /* m, instrument → world */
    const double *axes[3];         /* of unit vectors: x, y and z */
    double range;                  /* m */
    uint32_t exclude;
} fm_ray_fan;

/* Whether a fan can be cast as one: the scene has meshes and takes packets of sixteen, and no other body is within
 * range. */
bool fm_ray_fan_fits(const fm_ray_scene *scene, const fm_ray_fan *fan, const fm_ray_body *moving, size_t moving_count);
/* The rays `first` to `first + count - 1` of it, at most FM_FAN_BLOCK; false: these cannot be cast as packets. */
bool fm_ray_fan_cast(const fm_ray_scene *scene, const fm_ray_fan *fan, size_t first, size_t count, fm_fan_echoes *out);

/* ---- inside ---- */

/* A block of rays on its way. */
typedef struct fm_fan_block {
    double x[FM_FAN_BLOCK], y[FM_FAN_BLOCK], z[FM_FAN_BLOCK];                      /* unit directions, world */
    float fx[FM_FAN_BLOCK], fy[FM_FAN_BLOCK], fz[FM_FAN_BLOCK];                    /* the same for Embree */
    float ox[FM_FAN_BLOCK], oy[FM_FAN_BLOCK], oz[FM_FAN_BLOCK];                    /* and where they start */
    uint32_t mesh[FM_FAN_BLOCK], triangle[FM_FAN_BLOCK];                           /* as Embree names them */
    float t[FM_FAN_BLOCK], v[FM_FAN_BLOCK], w[FM_FAN_BLOCK];                       /* weights of two corners */
    double nx[FM_FAN_BLOCK], ny[FM_FAN_BLOCK], nz[FM_FAN_BLOCK], at[FM_FAN_BLOCK]; /* planes of what was named */
    double clear[FM_FAN_BLOCK]; /* after settling, above 0: the hit holds; else the ray is cast again by itself */
} fm_fan_block;

typedef struct fm_fan_place {
    double local[3]; /* m, about the scene's centre */
    double bulk, back, limit;
} fm_fan_place;

typedef void fm_fan_aimer(const fm_ray_fan *fan, const fm_fan_place *place, size_t first, fm_fan_block *b);
typedef void fm_fan_settler(const fm_fan_place *place, double error, fm_fan_block *b, double *distance, double *cosine);
fm_fan_aimer fm_fan_aim_narrow, fm_fan_aim_wide, fm_fan_aim_widest;
fm_fan_settler fm_fan_settle_narrow, fm_fan_settle_wide, fm_fan_settle_widest;

/* The bits of 1 / sqrt(square) for a square within 1e-13 of 1: where the exact root or its inverse is half-way between
 * two numbers up to terms of second order, these say which is nearer. */
static inline double fm_fan_inverse_root(double square)
{
    const double less = 1 - 0x1p-20;
    double root = 1 + (square - 1) * (0.5 * (square > 1 ? less : 1 + 0x1p-20)), q = root - 1;
    return 1 - q * (q > 0 ? less : 1 + 0x1p-20);
}

#ifdef FM_FAN_LOOPS
#include <math.h>
#include <string.h>

/* Along one axis: directions in single precision, and the origin moved back by the head start. */
static inline void fan_narrow_down(const double *restrict from, double origin, double back, float *restrict to,
                                   float *restrict start)
{
    for (int i = 0; i < FM_FAN_BLOCK; i++) {
        to[i] = (float)from[i];
        start[i] = (float)(origin + -back * from[i]);
    }
}

/* The operations are those of make_ready and cast_16. */
static inline void fan_aim(const fm_ray_fan *fan, const fm_fan_place *place, size_t first, fm_fan_block *b)
{
    const double *restrict lx = fan->axes[0] + first, *restrict ly = fan->axes[1] + first,
                           *restrict lz = fan->axes[2] + first;
    double R[9]; /* a copy: what is written may be anything to the compiler */
    memcpy(R, fan->rotation, sizeof R);
    const double back = place->back, x0 = place->local[0], y0 = place->local[1], z0 = place->local[2];
    double scales[FM_FAN_BLOCK];
    int64_t off = 0;
    for (int i = 0; i < FM_FAN_BLOCK; i++) {
        double x = R[0] * lx[i] + R[1] * ly[i] + R[2] * lz[i], y = R[3] * lx[i] + R[4] * ly[i] + R[5] * lz[i],
               z = R[6] * lx[i] + R[7] * ly[i] + R[8] * lz[i];
        scales[i] = x * x + y * y + z * z;
        b->x[i] = x, b->y[i] = y, b->z[i] = z;
    }
    for (int i = 0; i < FM_FAN_BLOCK; i++)
        off += !(fabs(scales[i] - 1) < 1e-13);
    if (!off)
        for (int i = 0; i < FM_FAN_BLOCK; i++)
            scales[i] = fm_fan_inverse_root(scales[i]);
    else
        for (int i = 0; i < FM_FAN_BLOCK; i++)
            scales[i] = 1 / sqrt(scales[i]);
    for (int i = 0; i < FM_FAN_BLOCK; i++)
        b->x[i] *= scales[i], b->y[i] *= scales[i], b->z[i] *= scales[i];
    fan_narrow_down(b->x, x0, back, b->fx, b->ox);
    fan_narrow_down(b->y, y0, back, b->fy, b->oy);
    fan_narrow_down(b->z, z0, back, b->fz, b->oz);
}

/* Those of settle and write_hit. */
static inline void fan_settle(const fm_fan_place *place, double error, fm_fan_block *b, double *restrict distance,
                              double *restrict cosine)
{
    const double bulk = place->bulk, limit = place->limit, x0 = place->local[0], y0 = place->local[1],
                 z0 = place->local[2];
    double squares[FM_FAN_BLOCK], inverses[FM_FAN_BLOCK];
    uint64_t bits[FM_FAN_BLOCK];
    for (int i = 0; i < FM_FAN_BLOCK; i++)
        squares[i] = (b->nx[i] * b->nx[i] + b->ny[i] * b->ny[i] + b->nz[i] * b->nz[i]) * 1.0000001;
    memcpy(bits, squares, sizeof bits);
    for (int i = 0; i < FM_FAN_BLOCK; i++) { /* half the exponent, towards 0 */
        uint64_t twice = bits[i] >> 52, half = twice >= 1023 ? (twice - 1023) / 2 : 0 - (1023 - twice) / 2;
        bits[i] = (1023 - half) << 52;
    }
    memcpy(inverses, bits, sizeof inverses);
    for (int i = 0; i < FM_FAN_BLOCK; i++) {
        double along = b->nx[i] * b->x[i] + b->ny[i] * b->y[i] + b->nz[i] * b->z[i];
        double t = (b->at[i] - (b->nx[i] * x0 + b->ny[i] * y0 + b->nz[i] * z0)) / along;
        double v = (double)b->v[i], w = (double)b->w[i], u = 1 - v - w, least = v < w ? v : w;
        double far = fabs(t), blur = error * (bulk + far), steep = fabs(along), c = steep * inverses[i];
        least = least < u ? least : u;
        b->clear[i] = ((least * steep > blur) & (far > blur) & (t > 0)) ? 1 : 0;
        distance[i] = t > limit ? INFINITY : t;
        cosine[i] = c < 1 ? c : 1;
    }
}
#endif

#endif
