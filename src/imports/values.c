/* Numbers, names and files of the source. */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "imports/robot.h"

size_t fm_import_list(fm_import *m, const fm_foreign *at, const char *text, double *out, size_t most)
{
    const char *cursor = text;
    size_t count = 0;
    while (m->status == FM_OK) {
        while (isspace((unsigned char)*cursor) || *cursor == ',')
            cursor++;
        if (!*cursor)
            return count;
        if (count == most) {
            fm_import_fail(m, at, FM_ERR_RANGE, "has more than %zu numbers", most);
        } else if (!fm_text_number_read(&cursor, &out[count]) ||
                   (*cursor && !isspace((unsigned char)*cursor) && *cursor != ',')) {
            fm_import_fail(m, at, FM_ERR_SYNTAX, "'%.60s' is not a number%s", text,
                           strpbrk(text, "${@") ? ": run xacro, or the template's script, first" : "");
        } else {
            count++;
        }
    }
    return 0;
}

bool fm_import_numbers(fm_import *m, const fm_foreign *at, const char *text, double *out, size_t count)
{
    double list[64];
    if (!text || m->status != FM_OK)
        return false;
    const size_t found = fm_import_list(m, at, text, list, sizeof list / sizeof *list);
    if (m->status == FM_OK && found != count)
        fm_import_fail(m, at, FM_ERR_SYNTAX, "has %zu numbers: must be %zu", found, count);
    if (m->status != FM_OK)
        return false;
    memcpy(out, list, count * sizeof *out);
    return true;
}

static double in_range(fm_import *m, const fm_foreign *at, const char *name, double value, double min, double max)
{
    if (!(value >= min && value <= max))
        fm_import_fail(m, at, FM_ERR_RANGE, "%s%s%g is out of range: must be %g to %g", name, *name ? " " : "", value,
                       min, max);
    return value;
}

double fm_import_number(fm_import *m, fm_foreign *parent, const char *name, double fallback, double min, double max)
{
    double value = fallback;
    fm_foreign *child = fm_foreign_child(parent, name);
    if (child && fm_import_numbers(m, child, child->text, &value, 1))
        return in_range(m, child, "", value, min, max);
    return fallback;
}

double fm_import_attr(fm_import *m, fm_foreign *element, const char *name, double fallback, double min, double max)
{
    double value = fallback;
    const char *text = fm_foreign_attr_get(element, name);
    if (text && fm_import_numbers(m, element, text, &value, 1))
        return in_range(m, element, name, value, min, max);
    return fallback;
}

bool fm_import_vector(fm_import *m, fm_foreign *parent, const char *name, double out[3])
{
    fm_foreign *child = fm_foreign_child(parent, name);
    return child && fm_import_numbers(m, child, child->text, out, 3);
}

const char *fm_import_text(fm_foreign *parent, const char *name)
{
    fm_foreign *child = fm_foreign_child(parent, name);
    return child && *child->text ? child->text : NULL;
}

bool fm_import_flag(fm_import *m, fm_foreign *parent, const char *name, bool fallback)
{
    fm_foreign *child = fm_foreign_child(parent, name);
    static const char *const words[2][4] = {{"0", "false", "False", "FALSE"}, {"1", "true", "True", "TRUE"}};
    for (int value = 0; child && value < 2; value++)
        for (int i = 0; i < 4; i++)
            if (strcmp(child->text, words[value][i]) == 0)
                return value;
    if (child)
        fm_import_fail(m, child, FM_ERR_SYNTAX, "'%.40s' is neither true nor false", child->text);
    return fallback;
}

/* ---- writing ---- */

/* Sums of decimals are written as decimals: 0.1 + 0.2 is 0.3. */
static double tidy(double value)
{
    double rounded = fabs(value) < 1000 ? floor(value * 1e12 + 0.5) / 1e12 : value;
    return rounded == 0 ? 0 : rounded;
}

void fm_import_put(fm_text *text, const char *name, const double *values, size_t count, const char *unit)
{
    char buffer[64];
    fm_text_add(text, " %s=\"", name);
    for (size_t i = 0; i < count; i++)
        fm_text_add(text, "%s%s", i ? " " : "", fm_text_number_write(buffer, sizeof buffer, tidy(values[i])));
    fm_text_add(text, "%s%s\"", *unit ? " " : "", unit);
}

void fm_import_put_one(fm_text *text, const char *name, double value, const char *unit)
{
    fm_import_put(text, name, &value, 1, unit);
}

/* ---- names ---- */

bool fm_import_holds(const char *text, const char *part)
{
    for (; *text; text++) {
        size_t i = 0;
        while (part[i] && text[i] && tolower((unsigned char)text[i]) == part[i])
            i++;
        if (!part[i])
            return true;
    }
    return false;
}

static bool is_taken(const fm_import *m, const char *name)
{
    for (size_t i = 0; i < m->name_count; i++)
        if (fm_text_name_equal(m->names[i], name))
            return true;
    return strcmp(name, "t") == 0; /* an attribute of <at> */
}

const char *fm_import_name(fm_import *m, const char *source)
{
    char name[32], whole[48];
    const char *slash = strrchr(source, '/'), *scope = NULL;
    for (const char *at = slash ? slash : source; (at = strstr(at, "::")); at += 2)
        scope = at + 2;
    const char *from = scope ? scope : slash ? slash + 1 : source;
    size_t length = 0;
    for (; *from && length + 1 < sizeof name; from++)
        if (isalnum((unsigned char)*from) || *from == '_' || *from == '-' || *from == '.')
            name[length++] = *from;
        else if (length && name[length - 1] != '-')
            name[length++] = '-';
    name[length] = 0;
    if (length > 6 && strcmp(name + length - 6, "_joint") == 0)
        name[length - 6] = 0;
    if (!isalpha((unsigned char)name[0]) && name[0] != '_') {
        memmove(name + 1, name, sizeof name - 2);
        name[sizeof name - 1] = 0;
        name[0] = 'n';
    }
    fm_text_copy(whole, sizeof whole, name);
    for (int i = 2; is_taken(m, whole); i++)
        snprintf(whole, sizeof whole, "%s-%d", name, i);
    if (m->name_count == FM_IMPORT_NAMES_MOST)
        fm_import_fail(m, NULL, FM_ERR_RANGE, "has more than %d actuators and sensors", FM_IMPORT_NAMES_MOST);
    const char *kept = fm_import_print(m, "%s", whole);
    if (m->status == FM_OK)
        m->names[m->name_count++] = kept;
    return kept;
}

/* ---- files ---- */

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static const char *try_path(fm_import *m, const char *folder, size_t length, const char *rest)
{
    static const char *const endings[] = {"", "/model.sdf", "/model.urdf"};
    for (int i = 0; i < 3; i++) {
        const char *path = fm_import_print(m, "%.*s%s%s%s", (int)length, folder, length ? "/" : "", rest, endings[i]);
        if (m->status == FM_OK && strlen(path) < PATH_MAX && is_file(path))
            return path;
    }
    return NULL;
}

const char *fm_import_find(fm_import *m, const fm_foreign *at, const char *uri)
{
    const char *scheme = strstr(uri, "://"), *rest = scheme ? scheme + 3 : uri, *found = NULL;
    if (m->options->closed || m->status != FM_OK)
        return NULL;
    if (strncmp(uri, "file://", 7) == 0 || *rest == '/')
        return try_path(m, "", 0, rest);
    if (scheme && strncmp(uri, "model://", 8) != 0 && strncmp(uri, "package://", 10) != 0)
        return NULL;
    const char *slash = strrchr(at->file, '/');
    if (!scheme)
        found = try_path(m, slash ? at->file : ".", slash ? (size_t)(slash - at->file) : 1, rest);
    for (size_t i = 0; !found && i < m->options->folder_count; i++)
        found = try_path(m, m->options->folders[i], strlen(m->options->folders[i]), rest);
    return found;
}

const char *fm_import_whole_path(fm_import *m, const char *path)
{
    char whole[PATH_MAX];
    return realpath(path, whole) ? fm_import_print(m, "%s", whole) : path;
}
