/* libfathom-tiff.so: height maps from TIFF files, loaded on first use (see netcdf.h). */
#ifndef FM_MODULES_TIFF_H
#define FM_MODULES_TIFF_H

#include "geometry/heightmap.h"

typedef struct fm_tiff_module {
    const char *version; /* FATHOM_VERSION of its build */
    fm_status (*parse)(const char *name, const void *data, size_t size, const fm_heightmap_options *options,
                       fm_heightmap *map, fm_error *error);
} fm_tiff_module;

#endif
