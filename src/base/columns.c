#include "base/columns.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

typedef struct reader {
    fm_columns *table;
    const char *name;
    fm_arena *arena;
    fm_error *error;
    int line;
    size_t room; /* maximum number of rows: the lines of the text */
} reader;

typedef struct cell {
    const char *text, *end;
} cell;

static cell trimmed(const char *text, const char *end)
{
    while (text < end && strchr(" \t\r", *text))
        text++;
    while (end > text && strchr(" \t\r", end[-1]))
        end--;
    return (cell){text, end};
}

/* The next cell of a line, without surrounding spaces; *at moves past its comma, to NULL after the last one. */
static cell next_cell(const char **at, const char *end)
{
    const char *from = *at, *comma = memchr(from, ',', (size_t)(end - from));
    *at = comma ? comma + 1 : NULL;
    return trimmed(from, comma ? comma : end);
}

static fm_status read_headings(reader *r, const char *at, const char *end)
{
    fm_columns *t = r->table;
    while (at) {
        cell c = next_cell(&at, end);
        if (t->columns == FM_COLUMNS_MOST)
            return fm_fail_at(r->error, FM_ERR_RANGE, r->name, r->line, "too many columns: must be at most %d",
                              FM_COLUMNS_MOST);
        char *heading = fm_arena_alloc(r->arena, (size_t)(c.end - c.text) + 1);
        t->values[t->columns] = fm_arena_alloc(r->arena, r->room * sizeof(double));
        if (!heading || !t->values[t->columns])
            return fm_fail_at(r->error, FM_ERR_MEMORY, r->name, r->line, "no memory for a column");
        memcpy(heading, c.text, (size_t)(c.end - c.text));
        t->names[t->columns++] = heading;
    }
    return FM_OK;
}

static fm_status read_cell(reader *r, cell c, size_t column)
{
    double value = NAN;
    char text[64];
    size_t length = (size_t)(c.end - c.text);
    const char *cursor = text;
    snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1), c.text);
    if (length && (length >= sizeof text || !fm_text_number_read(&cursor, &value) || *cursor))
        return fm_fail_at(r->error, FM_ERR_SYNTAX, r->name, r->line, "column %zu (%.30s): '%.30s' is not a number",
                          column + 1, r->table->names[column], text);
    r->table->values[column][r->table->rows] = value;
    return FM_OK;
}

static fm_status read_row(reader *r, const char *at, const char *end)
{
    fm_columns *t = r->table;
    size_t column = 0;
    for (; at && column < t->columns; column++) {
        fm_status status = read_cell(r, next_cell(&at, end), column);
        if (status != FM_OK)
            return status;
    }
    if (at || column < t->columns)
        return fm_fail_at(r->error, FM_ERR_SYNTAX, r->name, r->line, "%s than the %zu columns of the headings",
                          at ? "more" : "fewer", t->columns);
    t->rows++;
    return FM_OK;
}

static fm_status read_line(reader *r, const char *text, const char *end)
{
    cell line = trimmed(text, end);
    if (line.text == line.end || *line.text == '#')
        return FM_OK;
    return r->table->columns ? read_row(r, line.text, line.end) : read_headings(r, line.text, line.end);
}

fm_status fm_columns_parse(fm_columns *table, const char *text, size_t size, const char *name, fm_arena *arena,
                           fm_error *error)
{
    *table = (fm_columns){0};
    reader r = {.table = table, .name = name, .arena = arena, .error = error, .room = 1};
    if (size && memchr(text, 0, size))
        return fm_fail_at(error, FM_ERR_SYNTAX, name, 0, "holds a zero byte: must be text with commas");
    for (size_t i = 0; i < size; i++)
        r.room += text[i] == '\n';
    if (r.room > FM_COLUMNS_ROWS_MOST)
        return fm_fail_at(error, FM_ERR_RANGE, name, 0, "has %zu lines: must be up to %d", r.room,
                          FM_COLUMNS_ROWS_MOST);
    for (const char *at = text, *end = text + size; size && at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        r.line++;
        fm_status status = read_line(&r, at, stop ? stop : end);
        if (status != FM_OK)
            return status;
        at = stop ? stop + 1 : end;
    }
    return table->rows ? FM_OK : fm_fail_at(error, FM_ERR_SYNTAX, name, 0, "holds no row of numbers");
}

/* The whole file, with one spare byte at the end. */
static char *read_whole(FILE *file, const char *path, size_t *size, fm_error *error)
{
    char *text = NULL;
    long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (length < 0 || length > FM_COLUMNS_BYTES_MOST || fseek(file, 0, SEEK_SET) != 0)
        fm_fail_at(error, FM_ERR_FILE, path, 0, "cannot be read, or is too long: must be at most %d bytes",
                   FM_COLUMNS_BYTES_MOST);
    else if (!(text = fm_alloc((size_t)length + 1)))
        fm_fail_at(error, FM_ERR_MEMORY, path, 0, "no memory for its %ld bytes", length);
    else
        *size = fread(text, 1, (size_t)length, file);
    return text;
}

fm_status fm_columns_read(fm_columns *table, const char *path, fm_arena *arena, fm_error *error)
{
    size_t size = 0;
    FILE *file = fopen(path, "rb");
    *table = (fm_columns){0};
    if (!file)
        return fm_fail_at(error, FM_ERR_FILE, path, 0, "cannot be opened: %s", strerror(errno));
    char *text = read_whole(file, path, &size, error);
    fm_status status = text ? fm_columns_parse(table, text, size, path, arena, error) : FM_ERR_FILE;
    fm_free(text);
    fclose(file);
    return status;
}

double *fm_columns_find(const fm_columns *table, const char *heading)
{
    for (size_t i = 0; i < table->columns; i++)
        if (strcmp(table->names[i], heading) == 0)
            return table->values[i];
    return NULL;
}
