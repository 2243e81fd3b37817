#include "missions/mission_file.h"

#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/outfile.h"
#include "geometry/file.h"

fm_mission_format fm_mission_format_of(const char *path)
{
    static const struct {
        const char *ending;
        fm_mission_format format;
    } endings[] = {{".plan", FM_MISSION_PLAN},
                   {".waypoints", FM_MISSION_TEXT},
                   {".txt", FM_MISSION_TEXT},
                   {".geojson", FM_MISSION_GEOJSON},
                   {".json", FM_MISSION_GEOJSON}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(dot, endings[i].ending) == 0)
            return endings[i].format;
    return FM_MISSION_NO_FORMAT;
}

fm_status fm_mission_parse(fm_mission_format format, const char *name, const char *text, size_t size,
                           fm_mission_plan *plan, fm_error *error)
{
    static const char *const nouns[] = {
        [FM_MISSION_PLAN] = "item", [FM_MISSION_TEXT] = "line", [FM_MISSION_GEOJSON] = "feature"};
    *plan = fm_mission_begin(name, nouns[format]);
    if (size > FM_MISSION_BYTES_MOST)
        return fm_fail(error, FM_ERR_RANGE, "%.200s: has %zu bytes: must be up to %d", name, size,
                       FM_MISSION_BYTES_MOST);
    if (strlen(text) != size)
        return fm_fail(error, FM_ERR_SYNTAX, "%.200s: contains a zero byte: must be text", name);
    return format == FM_MISSION_TEXT ? fm_mission_text_parse(text, plan, error)
                                     : fm_mission_json_parse(format, text, size, plan, error);
}

fm_status fm_mission_read(const char *path, fm_mission_plan *plan, fm_error *error)
{
    const fm_mission_format format = fm_mission_format_of(path);
    fm_error found = {0};
    char *text;
    size_t size;
    *plan = fm_mission_begin(path, "item");
    if (format == FM_MISSION_NO_FORMAT)
        return fm_fail(error, FM_ERR_ARGUMENT,
                       "%.200s: unknown kind of mission file: must end with .plan, .waypoints, .txt, .geojson or .json",
                       path);
    if (fm_geometry_file(path, &text, &size, &found) != FM_OK)
        return fm_fail(error, found.status, "%.200s: %s", path, found.text);
    fm_status status = fm_mission_parse(format, path, text, size, plan, error);
    fm_free(text);
    return status;
}

fm_status fm_mission_write(const char *path, fm_mission_format format, const fm_mission_plan *plan, const char *vehicle,
                           fm_error *error)
{
    fm_outfile output;
    fm_status status = fm_outfile_open(&output, path, error);
    if (status != FM_OK)
        return status;
    if (format == FM_MISSION_PLAN)
        fm_mission_plan_write(output.file, plan);
    else if (format == FM_MISSION_TEXT)
        fm_mission_text_write(output.file, plan);
    else
        fm_mission_geojson_write(output.file, plan, vehicle);
    return fm_outfile_close(&output, error);
}
