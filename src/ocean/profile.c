#include "ocean/profile.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ocean/netcdf_file.h"

enum { DEPTH, TEMPERATURE, SALINITY, QUANTITIES, MOST_ROWS = 1000000, MOST_BYTES = 1 << 27 };

static const struct quantity {
    const char *name;
    double min, max;
    const char *const *units; /* accepted spellings, the first is the one to write */
} quantities[QUANTITIES] = {
    {"depth", 0, 12000, (const char *const[]){"m", "metre", "meter", "metres", "meters", NULL}},
    {"temperature", -5, 50,
     (const char *const[]){"degC", "C", "°C", "deg C", "degree_C", "degrees_C", "degree_Celsius", "degrees_Celsius",
                           "Celsius", "celsius", "degree_celsius", NULL}},
    {"salinity", 0, 50, (const char *const[]){"1", "psu", "PSU", "1e-3", "0.001", "pss-78", "PSS-78", NULL}},
};

/* ---- CSV ---- */

typedef struct cell {
    const char *text;
    size_t length;
} cell;

typedef struct reader {
    const char *at, *end, *name;
    int row;                /* line of the file, from 1 */
    int column[QUANTITIES]; /* where each quantity stands, from 0 */
    double *values[QUANTITIES];
    size_t count;
    fm_error *error;
} reader;

static cell without_spaces(cell c)
{
    while (c.length && isspace((unsigned char)*c.text))
        c.text++, c.length--;
    while (c.length && isspace((unsigned char)c.text[c.length - 1]))
        c.length--;
    return c;
}

/* Without spaces and one pair of quotes around it. */
static cell trimmed(cell c)
{
    c = without_spaces(c);
    if (c.length >= 2 && c.text[0] == '"' && c.text[c.length - 1] == '"')
        return without_spaces((cell){c.text + 1, c.length - 2});
    return c;
}

/* For messages: at most 40 characters of a cell. */
static int shown(cell c)
{
    return c.length < 40 ? (int)c.length : 40;
}

static cell next_line(reader *r)
{
    cell line = {r->at, 0};
    while (r->at < r->end && *r->at != '\n')
        r->at++;
    line.length = (size_t)(r->at - line.text);
    if (r->at < r->end)
        r->at++;
    r->row++;
    return without_spaces(line);
}

/* Cuts the cell before the next comma off the line; false when none is left. */
static int next_cell(cell *line, cell *out)
{
    if (!line->text)
        return 0;
    const char *comma = line->length ? memchr(line->text, ',', line->length) : NULL;
    size_t length = comma ? (size_t)(comma - line->text) : line->length;
    *out = trimmed((cell){line->text, length});
    *line = comma ? (cell){comma + 1, line->length - length - 1} : (cell){NULL, 0};
    return 1;
}

static int equals(cell c, const char *word)
{
    return strlen(word) == c.length && !strncasecmp(c.text, word, c.length);
}

/* Splits "depth [m]" or "depth (m)" into name and unit. */
static cell split_unit(cell title, cell *unit)
{
    *unit = (cell){NULL, 0};
    for (size_t i = 0; i < title.length; i++)
        if (title.text[i] == '[' || title.text[i] == '(') {
            *unit = trimmed((cell){title.text + i + 1, title.length - i - 1});
            if (unit->length && (unit->text[unit->length - 1] == ']' || unit->text[unit->length - 1] == ')'))
                unit->length--;
            return trimmed((cell){title.text, i});
        }
    return title;
}

static int unit_is_accepted(const struct quantity *q, cell unit)
{
    for (const char *const *u = q->units; *u; u++)
        if (strlen(*u) == unit.length && !memcmp(*u, unit.text, unit.length))
            return 1;
    return unit.length == 0;
}

static fm_status read_title(reader *r, cell title, int column)
{
    cell unit, name = split_unit(title, &unit);
    for (int q = 0; q < QUANTITIES; q++) {
        if (!equals(name, quantities[q].name))
            continue;
        if (r->column[q] >= 0)
            return fm_fail_at(r->error, FM_ERR_SYNTAX, r->name, r->row, "row %d, column %d: a second column '%s'",
                              r->row, column + 1, quantities[q].name);
        if (!unit_is_accepted(&quantities[q], unit))
            return fm_fail_at(r->error, FM_ERR_UNIT, r->name, r->row,
                              "row %d, column %d: %s is in '%.*s': must be '%s'", r->row, column + 1,
                              quantities[q].name, shown(unit), unit.text, quantities[q].units[0]);
        r->column[q] = column;
    }
    return FM_OK;
}

static fm_status read_header(reader *r, cell line)
{
    cell rest = line, title;
    for (int column = 0; next_cell(&rest, &title); column++) {
        fm_status status = read_title(r, title, column);
        if (status != FM_OK)
            return status;
    }
    for (int q = 0; q < QUANTITIES; q++)
        if (r->column[q] < 0)
            return fm_fail_at(r->error, FM_ERR_SYNTAX, r->name, r->row,
                              "row %d: the header '%.*s' has no column '%s': must have depth, temperature and salinity",
                              r->row, shown(line), line.text, quantities[q].name);
    return FM_OK;
}

static fm_status read_number(reader *r, int quantity, cell c)
{
    const struct quantity *q = &quantities[quantity];
    int column = r->column[quantity] + 1;
    char text[64] = "", *end = text;
    if (c.length > 0 && c.length < sizeof text)
        memcpy(text, c.text, c.length);
    double value = strtod(text, &end);
    if (end == text || end != text + c.length)
        return fm_fail_at(r->error, FM_ERR_SYNTAX, r->name, r->row, "row %d, column %d (%s): '%.*s' is not a number",
                          r->row, column, q->name, shown(c), c.text);
    if (!(value >= q->min && value <= q->max))
        return fm_fail_at(r->error, FM_ERR_RANGE, r->name, r->row,
                          "row %d, column %d (%s): %s is out of range: must be %g … %g %s", r->row, column, q->name,
                          text, q->min, q->max, q->units[0]);
    if (quantity == DEPTH && r->count && !(value > r->values[DEPTH][r->count - 1]))
        return fm_fail_at(r->error, FM_ERR_RANGE, r->name, r->row,
                          "row %d, column %d (depth): %s m is not deeper than the %g m of the row before", r->row,
                          column, text, r->values[DEPTH][r->count - 1]);
    r->values[quantity][r->count] = value;
    return FM_OK;
}

static fm_status read_row(reader *r, cell line)
{
    cell rest = line, c;
    int found = 0, column = 0;
    for (; next_cell(&rest, &c); column++)
        for (int q = 0; q < QUANTITIES; q++)
            if (r->column[q] == column) {
                fm_status status = read_number(r, q, c);
                if (status != FM_OK)
                    return status;
                found++;
            }
    if (found < QUANTITIES)
        return fm_fail_at(r->error, FM_ERR_SYNTAX, r->name, r->row, "row %d: only %d columns; the header promises more",
                          r->row, column);
    r->count++;
    return FM_OK;
}

static size_t count_lines(const char *text, size_t length)
{
    size_t lines = 1;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    return lines;
}

fm_status fm_profile_parse_csv(fm_profile *profile, const char *text, size_t length, const char *name, fm_arena *arena,
                               fm_error *error)
{
    reader r = {text, text + length, name, 0, {-1, -1, -1}, {NULL}, 0, error};
    size_t lines = count_lines(text, length);
    if (lines > MOST_ROWS)
        return fm_fail_at(error, FM_ERR_RANGE, name, 0, "has %zu rows: must be at most %d", lines, MOST_ROWS);
    for (int q = 0; q < QUANTITIES; q++)
        if (!(r.values[q] = fm_arena_alloc(arena, lines * sizeof(double))))
            return fm_fail_at(error, FM_ERR_MEMORY, name, 0, "no memory for %zu rows", lines);
    fm_status status = FM_OK;
    for (int header = 1; status == FM_OK && r.at < r.end;) {
        cell line = next_line(&r);
        if (line.length == 0 || line.text[0] == '#')
            continue;
        status = header ? read_header(&r, line) : read_row(&r, line);
        header = 0;
    }
    if (status == FM_OK && r.count == 0)
        return fm_fail_at(error, FM_ERR_SYNTAX, name, r.row,
                          "no data: must be a header (depth,temperature,salinity) and rows");
    if (status == FM_OK)
        *profile = (fm_profile){r.count, r.values[DEPTH], r.values[TEMPERATURE], r.values[SALINITY]};
    return status;
}

/* The whole of a file, into fm_alloc'ed memory. */
static fm_status read_whole(FILE *file, const char *path, char **text, size_t *length, fm_error *error)
{
    size_t room = 1 << 16;
    *length = 0;
    *text = fm_alloc(room);
    while (*text) {
        *length += fread(*text + *length, 1, room - *length, file);
        if (*length < room)
            break;
        if (room >= MOST_BYTES)
            return fm_fail_at(error, FM_ERR_RANGE, path, 0, "the file is too long: must be at most %d bytes",
                              MOST_BYTES);
        room *= 2;
        char *more = fm_realloc(*text, room);
        if (!more)
            fm_free(*text);
        *text = more;
    }
    if (!*text)
        return fm_fail_at(error, FM_ERR_MEMORY, path, 0, "no memory to read the file");
    return ferror(file) ? fm_fail_at(error, FM_ERR_FILE, path, 0, "cannot be read") : FM_OK;
}

fm_status fm_profile_read_csv(fm_profile *profile, const char *path, fm_arena *arena, fm_error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return fm_fail_at(error, FM_ERR_FILE, path, 0, "cannot be opened");
    char *text = NULL;
    size_t length = 0;
    fm_status status = read_whole(file, path, &text, &length, error);
    fclose(file);
    if (status == FM_OK)
        status = fm_profile_parse_csv(profile, text, length, path, arena, error);
    fm_free(text);
    return status;
}

/* ---- NetCDF ---- */

static const char *const standard_names[QUANTITIES][3] = {
    {"depth", NULL},
    {"sea_water_temperature", NULL},
    {"sea_water_practical_salinity", "sea_water_salinity", NULL},
};
static const char *const variable_names[QUANTITIES][5] = {
    {"depth", "z", "DEPTH", NULL},
    {"temperature", "temp", "TEMP", NULL},
    {"salinity", "psal", "PSAL", "so", NULL},
};

static fm_status check_array(const fm_netcdf *file, int quantity, fm_netcdf_array *a)
{
    const struct quantity *q = &quantities[quantity];
    double shift = 0;
    if (quantity == TEMPERATURE && (!strcmp(a->units, "K") || !strcmp(a->units, "kelvin")))
        shift = -273.15;
    else if (!unit_is_accepted(q, (cell){a->units, strlen(a->units)}))
        return fm_fail_at(file->error, FM_ERR_UNIT, file->path, 0, "variable '%s' is in '%s': must be '%s'", a->name,
                          a->units, q->units[0]);
    for (size_t i = 0; i < a->count; i++) {
        a->values[i] += shift;
        if (!(a->values[i] >= q->min && a->values[i] <= q->max))
            return fm_fail_at(file->error, FM_ERR_RANGE, file->path, 0, "%s[%zu] is %g: must be %g … %g %s", a->name, i,
                              a->values[i], q->min, q->max, q->units[0]);
        if (quantity == DEPTH && i && !(a->values[i] > a->values[i - 1]))
            return fm_fail_at(file->error, FM_ERR_RANGE, file->path, 0,
                              "%s[%zu] is %g m, not deeper than the %g m before it", a->name, i, a->values[i],
                              a->values[i - 1]);
    }
    return FM_OK;
}

static fm_status read_arrays(const fm_netcdf *file, fm_arena *arena, fm_netcdf_array arrays[QUANTITIES])
{
    for (int q = 0; q < QUANTITIES; q++) {
        int variable;
        fm_status status = fm_netcdf_find(file, quantities[q].name, standard_names[q], variable_names[q], &variable);
        if (status == FM_OK)
            status = fm_netcdf_read(file, variable, arena, &arrays[q]);
        if (status != FM_OK)
            return status;
        if (arrays[q].rank != 1 || arrays[q].count != arrays[0].count)
            return fm_fail_at(file->error, FM_ERR_SYNTAX, file->path, 0,
                              "variable '%s' has %d dimensions and %zu values: must have one dimension of %zu",
                              arrays[q].name, arrays[q].rank, arrays[q].count, arrays[0].count);
        if ((status = check_array(file, q, &arrays[q])) != FM_OK)
            return status;
    }
    return FM_OK;
}

fm_status fm_profile_read_netcdf(fm_profile *profile, const char *path, fm_arena *arena, fm_error *error)
{
    fm_netcdf file;
    fm_netcdf_array arrays[QUANTITIES];
    fm_status status = fm_netcdf_open(&file, path, error);
    if (status != FM_OK)
        return status;
    status = read_arrays(&file, arena, arrays);
    fm_netcdf_close(&file);
    if (status == FM_OK)
        *profile =
            (fm_profile){arrays[0].count, arrays[DEPTH].values, arrays[TEMPERATURE].values, arrays[SALINITY].values};
    return status;
}
