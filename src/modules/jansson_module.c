/* The table that libfathom-jansson.so exports. */
#include "modules/jansson.h"

FM_API const fm_jansson_module fm_jansson_module_table = {.version = FATHOM_VERSION, .parse = fm_mission_json_parse};
