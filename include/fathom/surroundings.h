/* What a part can query in a step: random numbers, the water at any position, what rays hit. The results depend only on
 * the context, so runs repeat bit for bit. World axes: north, east, down; SI. Call these functions only from the
 * callbacks of a part, with the context passed to it. */
#ifndef FATHOM_SURROUNDINGS_H
#define FATHOM_SURROUNDINGS_H

#include <fathom/part.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns a uniform random number in [0, 1). It depends only on seed, vehicle, part, tick, `use` and `index`. `use`
 * (0 … 65535) identifies the purpose, `index` (0 … 33554431) counts within it: use each number for one thing. A uniform
 * and a normal number with the same use and index are not independent. */
FM_API double fm_part_uniform(const fm_part_context *context, uint32_t use, uint32_t index);
/* Returns a normal random number with mean 0 and standard deviation 1; see fm_part_uniform. */
FM_API double fm_part_normal(const fm_part_context *context, uint32_t use, uint32_t index);

/* The water at a position. */
typedef struct fm_water_info {
    double velocity[3];  /* m/s, NED: current and waves */
    double temperature;  /* °C, ITS-90 */
    double salinity;     /* PSS-78 */
    double conductivity; /* S/m */
    double pressure;     /* Pa, absolute, of still water */
    double density;      /* kg/m³ */
    double sound_speed;  /* m/s */
    double bottom;       /* m: water depth there; HUGE_VAL: no bottom */
} fm_water_info;
/* Fills *water for a position (m, NED) at the present time and returns 1; returns 0 and zeroes *water if the position
 * is not finite. */
FM_API int fm_part_water(const fm_part_context *context, const double position[3], fm_water_info *water);

/* What a ray hit. `name` is valid until the callback returns. */
typedef struct fm_echo_info {
    double distance;     /* m; HUGE_VAL: no hit within the range */
    double normal[3];    /* unit vector, towards the ray's side; zero: no hit */
    double cosine;       /* between the reversed ray and the normal, 0 … 1 */
    double reflectivity; /* amplitude at normal incidence, 0 … 1 */
    double colour[3];    /* red, green, blue, 0 … 1 */
    const char *name;    /* of the obstacle or vehicle, "bottom", or "" */
} fm_echo_info;
/* Casts `count` rays and fills one echo per ray. Rays hit everything that is there at the start of the step except the
 * vehicle itself. Origins in m, NED; directions of any length; `range` in m. Returns the number of hits. */
FM_API size_t fm_part_rays(const fm_part_context *context, size_t count, const double (*origins)[3],
                           const double (*directions)[3], double range, fm_echo_info *echoes);

#ifdef __cplusplus
}
#endif
#endif
