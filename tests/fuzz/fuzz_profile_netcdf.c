/* libFuzzer target: the reader of NetCDF profiles takes any classic file and gives a valid profile or says why not. */
#include "netcdf_fuzz.h"

#include "ocean/profile.h"

static void read_profile(const char *path)
{
    fm_arena arena = {0};
    fm_profile profile = {0};
    fm_error error = {0};
    if (fm_profile_read_netcdf(&profile, path, &arena, &error) == FM_OK) {
        if (profile.count == 0)
            abort();
        for (size_t i = 1; i < profile.count; i++)
            if (!(profile.depth[i] > profile.depth[i - 1]))
                abort();
    } else if (!error.text[0]) {
        abort();
    }
    fm_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_netcdf(data, size, read_profile);
}
