/* libFuzzer target: the reader of NetCDF current fields takes any classic file and gives a field that can be sampled,
 * or says why not. */
#include "netcdf_fuzz.h"

#include <math.h>

#include "ocean/current.h"

static void read_grid(const char *path)
{
    fm_arena arena = {0};
    fm_current_grid grid = {0};
    fm_error error = {0};
    if (fm_current_grid_read_netcdf(&grid, path, 0.6, -2, &arena, &error) == FM_OK) {
        fm_current_component component = {.kind = FM_CURRENT_GRID, .grid = &grid};
        fm_current current = {&component, 1};
        const double place[3] = {10, 20, 5};
        double velocity[3];
        if (fm_current_check(&current, &error) == FM_OK) {
            fm_current_velocity(&current, NULL, 100, place, velocity);
            if (!isfinite(velocity[0]) || !isfinite(velocity[1]))
                abort();
        }
    } else if (!error.text[0]) {
        abort();
    }
    fm_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_netcdf(data, size, read_grid);
}
