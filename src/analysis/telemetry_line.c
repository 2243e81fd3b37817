#include "analysis/telemetry_line.h"

#include <math.h>
#include <string.h>

#include "base/accept.h"
#include "base/error.h"
#include "base/units.h"

/* The words of the house, then the variables of the NPS AUV's telemetry record (Table 6.1 of the dissertation; feet),
 * whose velocities are those through the water. */
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

/* Takes the unit off "depth[ft]"; NULL: none is given. */
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

static fm_telemetry_fault take_word(char *word, fm_kinematics *motion, double *time, fm_error *error)
{
    char *equals = strchr(word, '=');
    double value;
    fm_error cause = {0};
    if (!equals || equals == word)
        return fault(error, FM_TELEMETRY_MALFORMED, "'%.40s' is not NAME=VALUE", word);
    *equals = 0;
    if (!equals[1]) /* an instrument that has nothing */
        return FM_TELEMETRY_GOOD;
    if (fm_number_read(word, equals + 1, &value, &cause) != FM_OK)
        return fault(error, FM_TELEMETRY_MALFORMED, "the value of '%.40s' is not a number", word);
    const char *unit = cut_unit(word);
    if (!strcmp(word, "t") || !strcmp(word, "time"))
        return convert(word, unit ? unit : "s", "s", 1e12, &value, error) == FM_TELEMETRY_GOOD
                   ? (*time = value, FM_TELEMETRY_GOOD)
                   : FM_TELEMETRY_RANGE;
    const fm_telemetry_name *known = find_name(word);
    if (!known)
        return FM_TELEMETRY_GOOD;
    const fm_kinematics_info *info = &fm_kinematics_infos[known->quantity];
    fm_telemetry_fault kind = convert(word, unit ? unit : known->unit, known->unit, info->most, &value, error);
    if (kind == FM_TELEMETRY_GOOD)
        motion->values[known->quantity] = value;
    return kind;
}

fm_telemetry_fault fm_telemetry_line_read(const char *text, size_t size, fm_kinematics *motion, double *time,
                                          fm_error *error)
{
    char line[FM_TELEMETRY_LINE_MOST], *rest = line, *word;
    fm_kinematics_clear(motion);
    *time = NAN;
    if (size >= sizeof line || memchr(text, 0, size))
        return fault(error, FM_TELEMETRY_MALFORMED, "%s", "the line is too long, or not text");
    memcpy(line, text, size);
    line[size] = 0;
    fm_telemetry_fault kind = FM_TELEMETRY_GOOD;
    while (kind == FM_TELEMETRY_GOOD && (word = strsep(&rest, " \t\r\n")) != NULL)
        if (*word)
            kind = take_word(word, motion, time, error);
    if (kind == FM_TELEMETRY_GOOD && !fm_kinematics_known(motion))
        return fault(error, FM_TELEMETRY_EMPTY, "%s", "the line has no quantity of a vehicle's motion");
    return kind;
}
