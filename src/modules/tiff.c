/* TIFF in libfathom: a function that loads libfathom-tiff.so and calls it. */
#include "modules/tiff.h"

#include "base/module.h"

fm_status fm_heightmap_parse_tiff(const char *name, const void *data, size_t size, const fm_heightmap_options *options,
                                  fm_heightmap *map, fm_error *error)
{
    static fm_module module = {"libfathom-tiff.so", "fm_tiff_module_table", "reading TIFF", "libtiff-dev", NULL};
    *map = (fm_heightmap){0};
    const fm_tiff_module *table = fm_module_find(&module, error);
    return table ? table->parse(name, data, size, options, map, error) : FM_ERR_MISSING;
}
