/* Tables of numbers over time, from any source: docs/records.md. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "analysis/record.h"
#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "geometry/file.h"

enum { COLUMNS_MOST = 4096, WHERE_MOST = 16, CELL_MOST = 64 };

typedef struct cell {
    const char *text;
    size_t length;
} cell;

typedef struct condition {
    size_t column;
    double value;
} condition;

typedef struct table {
    const char *at, *end, *file;
    char separator;
    int line; /* of the file, from 1 */
    fm_record *record;
    size_t columns, time; /* how many; which is the time */
    fm_unit seconds;      /* unit of the times */
    condition where[WHERE_MOST];
    size_t where_count;
    fm_error *error;
} table;

static cell trimmed(cell c)
{
    while (c.length && isspace((unsigned char)*c.text))
        c.text++, c.length--;
    while (c.length && isspace((unsigned char)c.text[c.length - 1]))
        c.length--;
    return c;
}

/* For messages: at most 40 characters of a cell. */
static int shown(cell c)
{
    return c.length < 40 ? (int)c.length : 40;
}

/* The next line that is not empty or a comment; 0: none. */
static int next_line(table *t, cell *line)
{
    while (t->at < t->end) {
        const char *stop = memchr(t->at, '\n', (size_t)(t->end - t->at));
        stop = stop ? stop : t->end;
        *line = trimmed((cell){t->at, (size_t)(stop - t->at)});
        t->at = stop < t->end ? stop + 1 : stop;
        t->line++;
        if (line->length && line->text[0] != '#')
            return 1;
    }
    return 0;
}

/* Cuts the next cell off the line, without spaces and quotes; 0: none is left. */
static int next_cell(const table *t, cell *line, cell *out)
{
    if (!line->text)
        return 0;
    size_t length = 0;
    for (int quoted = 0; length < line->length && (quoted || line->text[length] != t->separator); length++)
        quoted ^= line->text[length] == '"';
    *out = trimmed((cell){line->text, length});
    if (out->length >= 2 && out->text[0] == '"' && out->text[out->length - 1] == '"')
        *out = trimmed((cell){out->text + 1, out->length - 2});
    *line = length < line->length ? (cell){line->text + length + 1, line->length - length - 1} : (cell){NULL, 0};
    return 1;
}

static size_t count_cells(const table *t, cell line)
{
    size_t count = 0;
    for (cell c; next_cell(t, &line, &c);)
        count++;
    return count;
}

/* --- the head --- */

static const char *copy(table *t, cell c)
{
    char *text = fm_arena_alloc(&t->record->arena, c.length + 1);
    if (text)
        memcpy(text, c.text, c.length);
    return text;
}

/* "depth [m]" or "depth (m)" */
static int name_column(table *t, cell title, fm_record_series *series)
{
    cell unit = {title.text, 0};
    char last = title.length ? title.text[title.length - 1] : 0;
    if (last == ']' || last == ')')
        for (size_t i = title.length; i-- > 0;)
            if (title.text[i] == (last == ']' ? '[' : '(')) {
                unit = trimmed((cell){title.text + i + 1, title.length - i - 2});
                title = trimmed((cell){title.text, i});
                break;
            }
    series->name = copy(t, title);
    series->unit = copy(t, unit);
    return series->name && series->unit;
}

/* Columns with the same name are numbered: a[0], a[1] … */
static int number_names(table *t, fm_record_series *s)
{
    const char *shared = s->name;
    char name[300];
    size_t same = 0;
    for (fm_record_series *other = s + 1; other < t->record->series + t->columns; other++)
        if (!strcmp(other->name, shared)) {
            snprintf(name, sizeof name, "%.250s[%zu]", shared, ++same);
            if (!(other->name = fm_arena_text(&t->record->arena, name)))
                return 0;
        }
    snprintf(name, sizeof name, "%.250s[0]", shared);
    return !same || (s->name = fm_arena_text(&t->record->arena, name)) != NULL;
}

static fm_status check_names(table *t)
{
    fm_record_series *s = t->record->series;
    for (size_t i = 0; i < t->columns; i++) {
        if (!s[i].name[0])
            return fm_fail(t->error, FM_ERR_SYNTAX, "%s:%d: column %zu has no name", t->file, t->line, i + 1);
        if (!number_names(t, &s[i]))
            return fm_fail(t->error, FM_ERR_MEMORY, "%s: out of memory", t->file);
    }
    return FM_OK;
}

/* The column of that name; the number of columns if there is none. */
static size_t find_column(const table *t, const char *name, size_t length, int any_case)
{
    size_t i = 0;
    for (; i < t->columns; i++) {
        const char *own = t->record->series[i].name;
        if (strlen(own) == length && !(any_case ? strncasecmp(own, name, length) : strncmp(own, name, length)))
            break;
    }
    return i;
}

static fm_status find_time(table *t, const char *wanted)
{
    static const char *const usual[] = {"time", "t", "t_s", "time_s", "timestamp", "stamp", "seconds"};
    fm_error cause = {0};
    t->time = wanted ? find_column(t, wanted, strlen(wanted), 0) : t->columns;
    for (size_t i = 0; !wanted && i < sizeof usual / sizeof *usual && t->time == t->columns; i++)
        t->time = find_column(t, usual[i], strlen(usual[i]), 1);
    if (t->time == t->columns && wanted)
        return fm_fail(t->error, FM_ERR_NAME, "%s:%d: unknown column '%.40s' for the time", t->file, t->line, wanted);
    if (t->time == t->columns)
        return fm_fail(t->error, FM_ERR_NAME,
                       "%s:%d: no column is called time, t, t_s, time_s, timestamp, stamp or seconds; --time-column "
                       "says which one "
                       "is the time",
                       t->file, t->line);
    const char *unit = t->record->series[t->time].unit;
    fm_unit second;
    if (fm_unit_parse("s", &second, &cause) != FM_OK ||
        fm_unit_parse(unit[0] ? unit : "s", &t->seconds, &cause) != FM_OK || !fm_unit_compatible(&second, &t->seconds))
        return fm_fail(t->error, FM_ERR_UNIT, "%s:%d: the time is in '%.20s': must be a unit of time", t->file, t->line,
                       unit);
    return FM_OK;
}

static fm_status find_conditions(table *t, const fm_record_options *o)
{
    for (size_t i = 0; i < o->where_count; i++) {
        const char *word = o->where[i], *sign = strchr(word, '='), *rest = sign ? sign + 1 : word;
        condition *c = &t->where[t->where_count];
        if (!sign || !fm_text_number_read(&rest, &c->value) || *rest || t->where_count == WHERE_MOST)
            return fm_fail(t->error, FM_ERR_SYNTAX, "'%.40s': must be at most %d of COLUMN=NUMBER", word,
                           (int)WHERE_MOST);
        c->column = find_column(t, word, (size_t)(sign - word), 0);
        if (c->column == t->columns)
            return fm_fail(t->error, FM_ERR_NAME, "%s:%d: unknown column '%.*s'", t->file, t->line, (int)(sign - word),
                           word);
        t->where_count++;
    }
    return FM_OK;
}

static fm_status read_head(table *t, const fm_record_options *options)
{
    cell line, title;
    if (!next_line(t, &line))
        return fm_fail(t->error, FM_ERR_SYNTAX, "%s: it holds no line with the names of columns", t->file);
    t->separator = memchr(line.text, ',', line.length) ? ',' : memchr(line.text, ';', line.length) ? ';' : '\t';
    t->columns = count_cells(t, line);
    if (t->columns < 2 || t->columns > COLUMNS_MOST)
        return fm_fail(t->error, FM_ERR_SYNTAX,
                       "%s:%d: %zu column(s) given: must be 2 … %d, separated by commas, semicolons or tabs", t->file,
                       t->line, t->columns, (int)COLUMNS_MOST);
    fm_record *r = t->record;
    r->series = fm_arena_alloc(&r->arena, t->columns * sizeof *r->series);
    int named = r->series != NULL;
    for (size_t i = 0; named && next_cell(t, &line, &title); i++)
        named = name_column(t, title, &r->series[i]);
    if (!named)
        return fm_fail(t->error, FM_ERR_MEMORY, "%s: out of memory", t->file);
    r->count = t->columns;
    fm_status status = check_names(t);
    if (status == FM_OK)
        status = find_time(t, options->time);
    return status == FM_OK ? find_conditions(t, options) : status;
}

/* --- the rows --- */

/* 1 a number, 0 empty, -1 something else. */
static int read_number(cell c, double *value)
{
    static const char *const none[] = {"", "nan", "na", "n/a", "null", "-"};
    char text[CELL_MOST];
    const char *at = text;
    *value = NAN;
    if (c.length >= sizeof text)
        return -1;
    memcpy(text, c.text, c.length);
    text[c.length] = 0;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (!strcasecmp(text, none[i]))
            return 0;
    if (fm_text_number_read(&at, value) && !*at)
        return 1;
    *value = NAN;
    return -1;
}

static int is_wanted(const table *t, const double *row)
{
    for (size_t i = 0; i < t->where_count; i++)
        if (row[t->where[i].column] != t->where[i].value)
            return 0;
    return 1;
}

/* Space for as many rows as the remaining lines can contain. */
static int make_room(table *t)
{
    size_t lines = 1, most = (size_t)(t->end - t->at) / t->columns + 1; /* a cell takes a byte and more */
    for (const char *at = t->at; at < t->end; at++)
        lines += *at == '\n';
    int made = 1;
    for (size_t i = 0; made && i < t->columns; i++) {
        fm_record_series *s = &t->record->series[i];
        s->y = fm_arena_alloc(&t->record->arena, (lines < most ? lines : most) * sizeof *s->y);
        made = s->y != NULL;
    }
    return made;
}

static fm_status read_row(table *t, cell line, double *row)
{
    cell whole = line, c;
    size_t found = count_cells(t, line);
    if (found != t->columns)
        return fm_fail(t->error, FM_ERR_SYNTAX, "%s:%d: %zu cells given: must be %zu, as in the line of names: '%.*s'",
                       t->file, t->line, found, t->columns, shown(whole), whole.text);
    for (size_t i = 0; next_cell(t, &line, &c); i++) {
        int is = read_number(c, &row[i]);
        if (i == t->time && is != 1)
            return fm_fail(t->error, FM_ERR_SYNTAX, "%s:%d: the time is '%.*s': must be a number", t->file, t->line,
                           shown(c), c.text);
        if (is < 0 && !t->record->series[i].text_line)
            t->record->series[i].text_line = t->line;
    }
    return FM_OK;
}

static fm_status take_row(table *t, const double *row, size_t *count)
{
    fm_record_series *s = t->record->series;
    static const fm_unit second = {.num = 1, .den = 1};
    double now = fm_unit_convert(row[t->time], &t->seconds, &second);
    if (!is_wanted(t, row))
        return FM_OK;
    if (*count && !(now > s[t->time].y[*count - 1]))
        return fm_fail(t->error, FM_ERR_RANGE, "%s:%d: the time %g s is not after that of the previous row, %g s",
                       t->file, t->line, now, s[t->time].y[*count - 1]);
    for (size_t i = 0; i < t->columns; i++)
        s[i].y[*count] = i == t->time ? now : row[i];
    ++*count;
    return FM_OK;
}

static fm_status read_rows(table *t)
{
    cell line;
    size_t count = 0;
    double *row = fm_arena_alloc(&t->record->arena, t->columns * sizeof *row);
    fm_status status = row && make_room(t) ? FM_OK : fm_fail(t->error, FM_ERR_MEMORY, "%s: out of memory", t->file);
    while (status == FM_OK && next_line(t, &line))
        if ((status = read_row(t, line, row)) == FM_OK)
            status = take_row(t, row, &count);
    if (status == FM_OK && !count)
        return fm_fail(t->error, FM_ERR_RANGE, "%s: it holds no row%s", t->file,
                       t->where_count ? " of those that are asked for" : "");
    for (size_t i = 0; status == FM_OK && i < t->columns; i++) {
        t->record->series[i].count = count;
        t->record->series[i].t = t->record->series[t->time].y;
    }
    return status;
}

fm_status fm_record_parse_csv(fm_record *record, const char *bytes, size_t size, const char *file,
                              const fm_record_options *options, fm_error *error)
{
    *record = (fm_record){.file = file};
    table t = {.at = bytes, .end = bytes + size, .file = file, .record = record, .error = error};
    if (size >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3)) /* the mark of UTF-8 */
        t.at += 3;
    static const fm_record_options none = {0};
    fm_status status = read_head(&t, options ? options : &none);
    return status == FM_OK ? read_rows(&t) : status;
}

fm_status fm_record_read_csv(fm_record *record, const char *file, const fm_record_options *options, fm_error *error)
{
    char *bytes;
    size_t size;
    *record = (fm_record){.file = file};
    fm_error cause = {0};
    fm_status status = fm_geometry_file(file, &bytes, &size, &cause);
    if (status != FM_OK)
        return fm_fail(error, status, "%s: %s", file, cause.text);
    status = fm_record_parse_csv(record, bytes, size, file, options, error);
    fm_free(bytes);
    return status;
}

const fm_record_series *fm_record_find(const fm_record *record, const char *name)
{
    for (size_t i = 0; i < record->count; i++)
        if (!strcmp(record->series[i].name, name))
            return &record->series[i];
    return NULL;
}

void fm_record_free(fm_record *record)
{
    fm_arena_free(&record->arena);
    *record = (fm_record){0};
}

fm_status fm_record_read_file(fm_record *record, const char *file, const fm_record_options *options, fm_error *error)
{
    size_t length = strlen(file);
    bool is_netcdf = length > 3 && strcmp(file + length - 3, ".nc") == 0;
    return is_netcdf ? fm_record_read_netcdf(record, file, options, error)
                     : fm_record_read_csv(record, file, options, error);
}
