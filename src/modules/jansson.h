/* libfathom-jansson.so: missions from JSON, loaded on first use (see netcdf.h). */
#ifndef FM_MODULES_JANSSON_H
#define FM_MODULES_JANSSON_H

#include "missions/mission_file.h"

typedef struct fm_jansson_module {
    const char *version; /* FATHOM_VERSION of its build */
    fm_status (*parse)(fm_mission_format format, const char *text, size_t size, fm_mission_plan *plan, fm_error *error);
} fm_jansson_module;

#endif
