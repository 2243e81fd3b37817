/* libFuzzer target: the reader of NetCDF height maps takes any classic file and gives a sound map or says why not. */
#include "netcdf_fuzz.h"

#include <math.h>

#include "geometry/heightmap.h"

static void read_map(const char *path)
{
    fm_heightmap_options options = {.origin_latitude = 0.6, .origin_longitude = -2};
    fm_heightmap map;
    fm_error error = {0};
    if (fm_heightmap_read_netcdf(path, &options, &map, &error) == FM_OK) {
        double depth;
        if (map.rows < 2 || map.columns < 2 || !fm_heightmap_depth(&map, map.north, map.east, &depth, NULL) ||
            !isfinite(depth))
            abort();
    } else if (!error.text[0] || map.depth) {
        abort();
    }
    fm_heightmap_free(&map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_netcdf(data, size, read_map);
}
