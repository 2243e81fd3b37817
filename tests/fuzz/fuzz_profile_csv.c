/* libFuzzer target: the profile reader takes any bytes and either gives a valid profile or says why not. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "ocean/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fm_arena arena = {0};
    fm_profile profile = {0};
    fm_error error = {0};
    if (fm_profile_parse_csv(&profile, (const char *)data, size, "fuzz.csv", &arena, &error) == FM_OK) {
        if (profile.count == 0)
            abort();
        const fm_water_levels levels = fm_profile_levels(&profile);
        for (size_t i = 0; i < profile.count; i++) {
            double temperature, salinity;
            fm_water_levels_at(&levels, profile.depth[i], &temperature, &salinity);
            if (temperature != profile.temperature[i] || salinity != profile.salinity[i])
                abort();
            if (i && !(profile.depth[i] > profile.depth[i - 1]))
                abort();
        }
    } else if (error.text[0] == '\0') {
        abort();
    }
    fm_arena_free(&arena);
    return 0;
}
