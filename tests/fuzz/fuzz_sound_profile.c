/* libFuzzer target: the reader of sound profiles takes any bytes and either gives a valid profile, in which rays can be
 * shot, or says why not. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "acoustics/eigenray.h"

static void check_profile(const fm_sound_profile *profile)
{
    if (profile->count == 0)
        abort();
    for (size_t i = 0; i < profile->count; i++)
        if (!(profile->speed[i] > 0 && isfinite(profile->speed[i])) ||
            (i && !(profile->depth[i] > profile->depth[i - 1])))
            abort();
}

/* The cost of shooting is bounded, whatever the profile. */
static void shoot_rays(const fm_sound_profile *profile, fm_arena *arena)
{
    fm_waveguide guide;
    fm_error error = {0};
    double depth = 200;
    fm_bottom_line bottom = {1, (const double[]){0}, &depth};
    if (fm_waveguide_make(&guide, profile, &bottom, &(fm_seabed){.density = 1.9, .speed = 1650, .attenuation = 0.8}, 0,
                          arena, &error) != FM_OK)
        abort();
    fm_arrival arrivals[8];
    fm_eigenray_options options = {.reflections = 2, .rays = 300};
    size_t count = fm_eigenrays_find(&guide, 50, 120, 1000, &options, arrivals, 8);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(arrivals[i].time) || arrivals[i].time < 0)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fm_arena arena = {0};
    fm_sound_profile profile = {0};
    fm_error error = {0};
    if (fm_sound_profile_parse_csv(&profile, (const char *)data, size, "fuzz.csv", &arena, &error) == FM_OK) {
        check_profile(&profile);
        if (profile.count < 200)
            shoot_rays(&profile, &arena);
    } else if (error.text[0] == '\0') {
        abort();
    }
    fm_arena_free(&arena);
    return 0;
}
