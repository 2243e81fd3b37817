/* `fathom rays`: what it was asked, and what it draws. */
#ifndef CLI_RAYS_H
#define CLI_RAYS_H

#include <stdbool.h>
#include <stdint.h>

#include "acoustics/eigenray.h"

typedef struct cli_rays {
    const char *profile, *angles, *bottom, *out, *field, *seabed;
    double source_depth, range, frequency, receiver_depth, receiver_range, roughness;
    int64_t rays, reflections;
    bool arrivals, json, incoherent, dark;
    /* read from them */
    double lowest, highest; /* rad */
    int64_t count;          /* of rays to draw */
    fm_sound_profile speeds;
    fm_waveguide guide;
    fm_arena arena;
} cli_rays;

/* Absorption of the asked frequency after Thorp, dB/m; 0 where none was asked. */
double cli_rays_absorption(const cli_rays *r);

fm_status cli_rays_draw_fan(const cli_rays *r, fm_error *error);
fm_status cli_rays_draw_field(const cli_rays *r, fm_error *error);

#endif
