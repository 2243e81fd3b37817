/* `fathom rays`: its options, and its drawings. */
#ifndef CLI_RAYS_H
#define CLI_RAYS_H

#include <stdbool.h>
#include <stdint.h>

#include "acoustics/eigenray.h"
#include "acoustics/field.h"

typedef struct cli_rays {
    const char *profile, *angles, *bottom, *out, *field, *seabed;
    const char *arrivals; /* "-": printed */
    double source_depth, range, frequency, receiver_depth, receiver_range, roughness;
    int64_t rays, reflections; /* reflections −1: not given */
    bool json, incoherent, dark;
    /* read from them */
    double lowest, highest; /* rad */
    int64_t count;          /* of rays to draw */
    fm_sound_profile speeds;
    fm_waveguide guide;
    fm_arena arena;
} cli_rays;

/* Number of reflections after which a ray ends; default: 20. */
int cli_rays_reflections(const cli_rays *r);
/* Absorption at the given frequency after Thorp, dB/m; 0 without a frequency. */
double cli_rays_absorption(const cli_rays *r);

fm_status cli_rays_draw_fan(const cli_rays *r, fm_error *error);
/* `loss` is changed. */
fm_status cli_rays_draw_field(const cli_rays *r, const fm_field_options *o, double *loss, fm_error *error);
/* Drawn, or as a table. */
fm_status cli_rays_write_field(const cli_rays *r, fm_error *error);
/* Printed, or as a table. */
fm_status cli_rays_tell_arrivals(const cli_rays *r, fm_error *error);

#endif
