/* What a part may ask of the world around its vehicle in a step: random numbers, the water at any place, what rays
 * meet. The answers depend on the context alone, so that runs repeat bit by bit. World axes: north, east, down; SI. */
#ifndef FATHOM_SURROUNDINGS_H
#define FATHOM_SURROUNDINGS_H

#include <fathom/part.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Random numbers of this part in this step, the same for the same seed, vehicle, part, tick, use and index. `use`
 * (0 … 65535) tells what they are for, `index` (0 … 33554431) counts within it: each number is drawn for one thing. A
 * uniform and a normal number of the same use and index are not independent. */
FM_API double fm_part_uniform(const fm_part_context *context, uint32_t use, uint32_t index); /* in [0, 1) */
FM_API double fm_part_normal(const fm_part_context *context, uint32_t use, uint32_t index);  /* mean 0, deviation 1 */

typedef struct fm_water_info {
    double velocity[3];  /* m/s, NED: current and waves */
    double temperature;  /* °C, ITS-90 */
    double salinity;     /* PSS-78 */
    double conductivity; /* S/m */
    double pressure;     /* Pa, absolute, of still water */
    double density;      /* kg/m³ */
    double sound_speed;  /* m/s */
    double bottom;       /* m: water depth there; HUGE_VAL without a bottom */
} fm_water_info;
/* The water at a place now; 0: there is no such place (not finite), and *water is zeroed. */
FM_API int fm_part_water(const fm_part_context *context, const double position[3], fm_water_info *water);

typedef struct fm_echo_info {
    double distance;     /* m; HUGE_VAL: nothing within the range */
    double normal[3];    /* unit, towards the ray's side; zero: nothing was met */
    double cosine;       /* between the reversed ray and the normal, 0 … 1 */
    double reflectivity; /* amplitude at normal incidence, 0 … 1 */
    double colour[3];    /* red, green, blue, 0 … 1 */
    const char *name;    /* of the obstacle or vehicle, "bottom", or "" */
} fm_echo_info;
/* One answer a ray: what stands and moves at the start of the step, but never the vehicle itself. Directions need not
 * be of unit length. Returns how many rays met something. */
FM_API size_t fm_part_rays(const fm_part_context *context, size_t count, const double (*origins)[3],
                           const double (*directions)[3], double range, fm_echo_info *echoes);

#ifdef __cplusplus
}
#endif
#endif
