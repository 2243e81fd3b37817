/* "QGC WPL 110": a line for each item, its 12 columns separated by tabs. The first is the home position. As read by
 * MissionController::_loadTextMissionFile of QGroundControl and MAVWPLoader of pymavlink. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "missions/mission_file.h"
#include "physics/angle.h"

enum { INDEX, CURRENT, FRAME, COMMAND, PARAMS, LATITUDE = 8, LONGITUDE, ALTITUDE, CONTINUE, COLUMNS };

static const char *const column_names[COLUMNS] = {"index",       "current",     "frame",       "command",
                                                  "parameter 1", "parameter 2", "parameter 3", "parameter 4",
                                                  "latitude",    "longitude",   "altitude",    "autocontinue"};

/* --- reading --- */

static const char *skip_spaces(const char *at)
{
    while (*at == ' ' || *at == '\r')
        at++;
    return at;
}

static bool is_end(char c)
{
    return c == '\n' || c == 0;
}

/* One number and the space before it; "nan": not given. */
static bool read_number(const char **at, double *number)
{
    *at = skip_spaces(*at);
    if (strncasecmp(*at, "nan", 3) == 0) {
        *number = NAN;
        *at += 3;
    } else if (!fm_text_number_read(at, number)) {
        return false;
    }
    const char after = **at;
    *at = skip_spaces(*at);
    return after == ' ' || after == '\t' || after == '\r' || is_end(after);
}

static bool is_whole(double number, double most)
{
    return number >= 0 && number <= most && number == floor(number);
}

static fm_status read_line(const fm_mission_plan *plan, const char *at, fm_mission_item *item, fm_error *error)
{
    double numbers[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) {
        if (i > 0 && *at == '\t') /* in a line without tabs spaces separate */
            at++;
        if (is_end(*at))
            return fm_mission_refuse(plan, item, error, FM_ERR_SYNTAX, "has %d columns: must be %d", i, COLUMNS);
        if (!read_number(&at, &numbers[i]))
            return fm_mission_refuse(plan, item, error, FM_ERR_SYNTAX, "column %d (%s) is not a number", i + 1,
                                     column_names[i]);
    }
    if (!is_end(*at))
        return fm_mission_refuse(plan, item, error, FM_ERR_SYNTAX, "has more than %d columns", COLUMNS);
    for (int i = FRAME; i <= COMMAND; i++)
        if (!is_whole(numbers[i], 65535))
            return fm_mission_refuse(plan, item, error, FM_ERR_RANGE, "%s is %g: must be a whole number 0 to 65535",
                                     column_names[i], numbers[i]);
    item->frame = (int)numbers[FRAME];
    item->command = (int)numbers[COMMAND];
    memcpy(item->params, numbers + PARAMS, sizeof item->params);
    item->latitude = numbers[LATITUDE] * FM_DEGREE;
    item->longitude = numbers[LONGITUDE] * FM_DEGREE;
    item->altitude = numbers[ALTITUDE];
    return FM_OK;
}

static const char *next_line(const char *at)
{
    const char *end = strchr(at, '\n');
    return end ? end + 1 : at + strlen(at);
}

/* Versions: 110 begins with the home position, 120 has none. */
static bool read_header(const char *text, bool *has_home)
{
    const size_t length = strcspn(text, "\r\n");
    *has_home = strncmp(text, "QGC WPL 110", 11) == 0;
    return length == 11 && (*has_home || strncmp(text, "QGC WPL 120", 11) == 0);
}

fm_status fm_mission_text_parse(const char *text, fm_mission_plan *plan, fm_error *error)
{
    bool home_is_next;
    fm_status status = FM_OK;
    fm_mission_item item = {.number = 1};
    if (!read_header(text, &home_is_next))
        return fm_mission_refuse(plan, &item, error, FM_ERR_SYNTAX, "must be \"QGC WPL 110\"");
    text = next_line(text);
    for (int line = 2; *text && status == FM_OK; line++, text = next_line(text)) {
        const char *first = text + strspn(text, " \t\r");
        if (is_end(*first) || *first == '#')
            continue;
        item = (fm_mission_item){.number = line};
        status = read_line(plan, first, &item, error);
        if (status == FM_OK && home_is_next) {
            plan->home = (fm_geodetic){item.latitude, item.longitude, 0};
            plan->has_home = !isnan(item.latitude) && !isnan(item.longitude);
            home_is_next = false;
        } else if (status == FM_OK) {
            status = fm_mission_add(plan, &item, error);
        }
    }
    return status;
}

/* --- writing --- */

static void write_line(FILE *file, int index, int current, const fm_mission_item *item)
{
    char number[40];
    fprintf(file, "%d\t%d\t%d\t%d", index, current, item->frame, item->command);
    for (int i = 0; i < 4; i++)
        fprintf(file, "\t%s",
                fm_text_number_write(number, sizeof number, isnan(item->params[i]) ? 0 : item->params[i]));
    fprintf(file, "\t%.9f\t%.9f\t%s\t1\n", item->latitude / FM_DEGREE, item->longitude / FM_DEGREE,
            fm_text_number_write(number, sizeof number, item->altitude));
}

void fm_mission_text_write(FILE *file, const fm_mission_plan *plan)
{
    const fm_mission_item home = {.command = FM_MISSION_WAYPOINT,
                                  .frame = FM_MISSION_GLOBAL,
                                  .latitude = plan->home.latitude,
                                  .longitude = plan->home.longitude};
    fprintf(file, "QGC WPL 110\n");
    write_line(file, 0, 1, &home);
    for (size_t i = 0; i < plan->count; i++)
        write_line(file, (int)i + 1, 0, &plan->items[i]);
}
