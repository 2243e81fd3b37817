/* The table that libfathom-tiff.so exports. */
#include "modules/tiff.h"

FM_API const fm_tiff_module fm_tiff_module_table = {.version = FATHOM_VERSION, .parse = fm_heightmap_parse_tiff};
