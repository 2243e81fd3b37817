/* A height map reader under fire: any bytes give a sound map or a reason why not, and nothing leaks. */
#ifndef TESTS_FUZZ_HEIGHTMAP_FUZZ_H
#define TESTS_FUZZ_HEIGHTMAP_FUZZ_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "geometry/heightmap.h"

typedef fm_status heightmap_parser(const char *name, const void *data, size_t size, const fm_heightmap_options *options,
                                   fm_heightmap *map, fm_error *error);

static inline int fuzz_heightmap(heightmap_parser *parse, const uint8_t *data, size_t size)
{
    fm_heightmap_options options = {.spacing = {1, 1}, .depth_white = 100};
    fm_heightmap map;
    fm_error error = {0};
    long before = fm_alloc_live();
    if (parse("fuzz", data, size, &options, &map, &error) == FM_OK) {
        double depth;
        if (map.rows < 2 || map.columns < 2 || !fm_heightmap_depth(&map, map.north, map.east, &depth, NULL) ||
            !isfinite(depth))
            abort();
    } else if (error.text[0] == '\0' || map.depth) {
        abort();
    }
    fm_heightmap_free(&map);
    if (fm_alloc_live() != before)
        abort();
    return 0;
}

#endif
