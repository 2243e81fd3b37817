#include "analysis/telemetry_line.h"

#include <math.h>
#include <string.h>

#include "base/accept.h"
#include "base/error.h"
#include "base/units.h"
#include "physics/real.h"

/* Our own names, then the variables of the NPS AUV's telemetry record (Table 6.1 of the dissertation; feet), whose
 * velocities are relative to the water. */
static const fm_telemetry_name names[] = {
    {"north", FM_KINEMATICS_NORTH, "m"},
    {"east", FM_KINEMATICS_EAST, "m"},
    {"depth", FM_KINEMATICS_DEPTH, "m"},
    {"down", FM_KINEMATICS_DEPTH, "m"},
    {"roll", FM_KINEMATICS_ROLL, "rad"},
    {"pitch", FM_KINEMATICS_PITCH, "rad"},
    {"heading", FM_KINEMATICS_HEADING, "rad"},
    {"yaw", FM_KINEMATICS_HEADING, "rad"},
    {"surge", FM_KINEMATICS_SURGE, "m/s"},
    {"sway", FM_KINEMATICS_SWAY, "m/s"},
    {"heave", FM_KINEMATICS_HEAVE, "m/s"},
    {"roll-rate", FM_KINEMATICS_ROLL_RATE, "rad/s"},
    {"pitch-rate", FM_KINEMATICS_PITCH_RATE, "rad/s"},
    {"yaw-rate", FM_KINEMATICS_YAW_RATE, "rad/s"},
    {"water-surge", FM_KINEMATICS_WATER_SURGE, "m/s"},
    {"water-sway", FM_KINEMATICS_WATER_SWAY, "m/s"},
    {"water-heave", FM_KINEMATICS_WATER_HEAVE, "m/s"},
    {"x", FM_KINEMATICS_NORTH, "ft"},
    {"y", FM_KINEMATICS_EAST, "ft"},
    {"z", FM_KINEMATICS_DEPTH, "ft"},
    {"phi", FM_KINEMATICS_ROLL, "rad"},
    {"theta", FM_KINEMATICS_PITCH, "rad"},
    {"psi", FM_KINEMATICS_HEADING, "rad"},
    {"u", FM_KINEMATICS_WATER_SURGE, "ft/s"},
    {"v", FM_KINEMATICS_WATER_SWAY, "ft/s"},
    {"w", FM_KINEMATICS_WATER_HEAVE, "ft/s"},
    {"p", FM_KINEMATICS_ROLL_RATE, "rad/s"},
    {"q", FM_KINEMATICS_PITCH_RATE, "rad/s"},
    {"r", FM_KINEMATICS_YAW_RATE, "rad/s"},
};

const fm_telemetry_name *fm_telemetry_name_at(size_t i)
{
    return i < sizeof names / sizeof *names ? &names[i] : NULL;
}

static const fm_telemetry_name *find_name(const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].name, name) == 0)
            return &names[i];
    return NULL;
}

/* Cuts the unit off "depth[ft]"; NULL: none is given. */
static const char *cut_unit(char *name)
{
    size_t length = strlen(name);
    char *open = strchr(name, '[');
    if (!open || length < 2 || name[length - 1] != ']')
        return NULL;
    name[length - 1] = 0;
    *open = 0;
    return open + 1;
}

static fm_telemetry_fault fault(fm_error *error, fm_telemetry_fault kind, const char *text, const char *word)
{
    fm_fail(error, kind == FM_TELEMETRY_RANGE ? FM_ERR_RANGE : FM_ERR_SYNTAX, text, word);
    return kind;
}

/* The number of a name, SI. */
static fm_telemetry_fault convert(const char *name, const char *written, const char *own, double most, double *value,
                                  fm_error *error)
{
    fm_unit from, to;
    fm_error unknown = {0};
    if (fm_unit_parse(own, &to, &unknown) != FM_OK || fm_unit_parse(written, &from, &unknown) != FM_OK ||
        !fm_unit_compatible(&from, &to))
        return fault(error, FM_TELEMETRY_MALFORMED, "'%.40s' has a unit of another kind", name);
    double si = (*value * from.num / from.den) + from.offset;
    if (!(fabs(si) <= most))
        return fault(error, FM_TELEMETRY_RANGE, "'%.40s' is out of range", name);
    *value = si;
    return FM_TELEMETRY_GOOD;
}

/* Where to store the number of a name that is not a motion quantity; *unit, *own: as written, and its default. */
static double *find_other(fm_telemetry_line *line, const char *name, const char **own, const char **si, double *most)
{
    int is_time = !strcmp(name, "t") || !strcmp(name, "time");
    *own = is_time ? "s" : "deg";
    *si = is_time ? "s" : "rad";
    *most = is_time ? 1e12 : 2 * FM_PI;
    return is_time                      ? &line->time
           : !strcmp(name, "latitude")  ? &line->latitude
           : !strcmp(name, "longitude") ? &line->longitude
                                        : NULL;
}

static fm_telemetry_fault take_word(char *word, fm_telemetry_line *line, fm_error *error)
{
    char *equals = strchr(word, '=');
    double value, most;
    fm_error cause = {0};
    const char *own, *si;
    if (!equals || equals == word)
        return fault(error, FM_TELEMETRY_MALFORMED, "'%.40s' is not NAME=VALUE", word);
    *equals = 0;
    if (!equals[1]) /* an instrument that has nothing */
        return FM_TELEMETRY_GOOD;
    if (fm_number_read(word, equals + 1, &value, &cause) != FM_OK)
        return fault(error, FM_TELEMETRY_MALFORMED, "the value of '%.40s' is not a number", word);
    const char *unit = cut_unit(word);
    double *to = find_other(line, word, &own, &si, &most);
    const fm_telemetry_name *known = to ? NULL : find_name(word);
    if (known) {
        own = si = known->unit;
        most = fm_kinematics_infos[known->quantity].most;
        to = &line->motion.values[known->quantity];
    }
    if (!to)
        return FM_TELEMETRY_GOOD;
    fm_telemetry_fault kind = convert(word, unit ? unit : own, si, most, &value, error);
    if (kind == FM_TELEMETRY_GOOD)
        *to = value;
    return kind;
}

static int has_position(const fm_telemetry_line *line)
{
    return isfinite(line->latitude) && isfinite(line->longitude);
}

fm_telemetry_fault fm_telemetry_line_read(const char *text, size_t size, fm_telemetry_line *line, fm_error *error)
{
    char words[FM_TELEMETRY_LINE_MOST], *rest = words, *word;
    fm_kinematics_clear(&line->motion);
    line->time = line->latitude = line->longitude = NAN;
    if (size >= sizeof words || memchr(text, 0, size))
        return fault(error, FM_TELEMETRY_MALFORMED, "%s", "the line is too long, or not text");
    memcpy(words, text, size);
    words[size] = 0;
    fm_telemetry_fault kind = FM_TELEMETRY_GOOD;
    while (kind == FM_TELEMETRY_GOOD && (word = strsep(&rest, " \t\r\n")) != NULL)
        if (*word)
            kind = take_word(word, line, error);
    if (kind == FM_TELEMETRY_GOOD && !fm_kinematics_known(&line->motion) && !has_position(line))
        return fault(error, FM_TELEMETRY_EMPTY, "%s", "the line has no quantity of a vehicle's motion");
    return kind;
}

/* --- places --- */

int fm_telemetry_position(const fm_geodetic *origin, double latitude, double longitude, double *north, double *east)
{
    double ned[3];
    fm_geodetic_to_local(origin, &(fm_geodetic){latitude, longitude, origin->height}, ned);
    *north = ned[0];
    *east = ned[1];
    return ned[0] * ned[0] + ned[1] * ned[1] <= 1e12;
}

fm_telemetry_fault fm_telemetry_line_position(fm_telemetry_line *line, const fm_geodetic *origin, fm_error *error)
{
    double *values = line->motion.values;
    if (!has_position(line) || isfinite(values[FM_KINEMATICS_NORTH]) || isfinite(values[FM_KINEMATICS_EAST]))
        return FM_TELEMETRY_GOOD;
    if (!origin)
        return fault(error, FM_TELEMETRY_RANGE, "%s", "latitude and longitude need the origin of a scenario");
    return fm_telemetry_position(origin, line->latitude, line->longitude, &values[FM_KINEMATICS_NORTH],
                                 &values[FM_KINEMATICS_EAST])
               ? FM_TELEMETRY_GOOD
               : fault(error, FM_TELEMETRY_RANGE, "%s", "the place is more than 1000 km from the scenario's origin");
}
