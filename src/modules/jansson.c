/* JSON in libfathom: a function that loads libfathom-jansson.so and calls it. */
#include "modules/jansson.h"

#include "base/module.h"

fm_status fm_mission_json_parse(fm_mission_format format, const char *text, size_t size, fm_mission_plan *plan,
                                fm_error *error)
{
    static fm_module module = {"libfathom-jansson.so", "fm_jansson_module_table", "reading missions from JSON",
                               "libjansson-dev", NULL};
    const fm_jansson_module *table = fm_module_find(&module, error);
    return table ? table->parse(format, text, size, plan, error) : FM_ERR_MISSING;
}
