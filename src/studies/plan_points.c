#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "geometry/file.h"
#include "modules/netcdf.h"
#include "studies/points.h"

enum { CELL_MOST = FM_AXIS_PATH + FM_AXIS_UNIT, COLUMNS_MOST = 4096 };

typedef struct table {
    fm_points *points;
    const char *at;
    char separator;
    int line;
    size_t cells;                 /* of the header */
    size_t columns[COLUMNS_MOST]; /* of each cell; FM_AXES_MOST: left out */
    size_t room;                  /* rows that the columns have memory for */
    char cell[CELL_MOST];
    fm_error *error;
} table;

static fm_status refuse(const table *t, const char *why)
{
    return fm_fail_at(t->error, FM_ERR_SYNTAX, t->points->file, t->line, "%s", why);
}

/* --- cells --- */

/* Goes to the next line with something in it; false: the end. */
static bool next_line(table *t)
{
    for (;;) {
        const size_t length = strcspn(t->at, "\n");
        t->line++;
        if (t->at[0] && t->at[0] != '#' && strspn(t->at, " \t\r") < length)
            return true;
        if (!t->at[length])
            return false;
        t->at += length + 1;
    }
}

/* Takes a cell and what separates it from the next one; *last: it ended the line. */
static fm_status take_cell(table *t, bool *last)
{
    size_t length = 0;
    bool quoted = *t->at == '"';
    t->at += quoted;
    while (*t->at && *t->at != '\n' && (quoted || *t->at != t->separator)) {
        if (quoted && *t->at == '"' && t->at[1] != '"') {
            quoted = false;
            t->at++;
            continue;
        }
        t->at += quoted && *t->at == '"';
        if (length + 1 == sizeof t->cell)
            return refuse(t, "a cell has too many characters");
        t->cell[length++] = *t->at++;
    }
    if (quoted)
        return refuse(t, "a quote is not closed");
    while (length && strchr(" \t\r", t->cell[length - 1]))
        length--;
    t->cell[length] = 0;
    memmove(t->cell, t->cell + strspn(t->cell, " "), length + 1 - strspn(t->cell, " "));
    *last = *t->at != t->separator;
    t->at += *t->at != 0;
    return FM_OK;
}

/* "/v/mass/mass [kg]" */
static fm_status take_name(table *t)
{
    fm_points *p = t->points;
    if (t->cells == COLUMNS_MOST)
        return refuse(t, "more than 4096 columns");
    t->columns[t->cells] = FM_AXES_MOST;
    if (t->cell[0] == '/') {
        const size_t path = strcspn(t->cell, " ["), open = strcspn(t->cell, "["), close = strcspn(t->cell, "]");
        if (p->count == FM_AXES_MOST)
            return fm_fail_at(t->error, FM_ERR_FULL, p->file, t->line, "more than %d parameters", FM_AXES_MOST);
        fm_points_column *c = &p->columns[p->count];
        if (path >= sizeof c->path || (t->cell[open] && (!t->cell[close] || close <= open)) ||
            close - open > sizeof c->unit)
            return refuse(t, "a path or a unit is too long, or its ']' is missing");
        fm_text_print(c->path, sizeof c->path, "%.*s", (int)path, t->cell);
        fm_text_print(c->unit, sizeof c->unit, "%.*s", t->cell[open] ? (int)(close - open - 1) : 0, t->cell + open + 1);
        t->columns[t->cells] = p->count++;
    }
    t->cells++;
    return FM_OK;
}

static fm_status take_header(table *t)
{
    bool last = false;
    t->separator = '\t';
    if (!next_line(t))
        return refuse(t, "the table is empty");
    if (memchr(t->at, ',', strcspn(t->at, "\n")))
        t->separator = ',';
    while (!last) {
        fm_status status = take_cell(t, &last);
        if (status == FM_OK)
            status = take_name(t);
        if (status != FM_OK)
            return status;
    }
    return t->points->count ? FM_OK
                            : refuse(t, "no column is named by the path of a parameter, as in '/v/mass/mass [kg]'");
}

/* --- rows --- */

static fm_status grow(table *t)
{
    const size_t room = t->room ? 2 * t->room : 256;
    for (size_t i = 0; i < t->points->count; i++) {
        fm_points_column *c = &t->points->columns[i];
        double *values = fm_arena_alloc(t->points->arena, room * sizeof *values);
        if (!values)
            return fm_fail(t->error, FM_ERR_MEMORY, "no memory for %zu points", room);
        if (t->room)
            memcpy(values, c->values, t->room * sizeof *values);
        c->values = values;
    }
    t->room = room;
    return FM_OK;
}

/* The place of a word in the list of its column, which it is added to. */
static fm_status take_word(table *t, fm_points_column *c, double *value)
{
    size_t i = 0;
    while (i < c->word_count && strcmp(c->words[i], t->cell) != 0)
        i++;
    *value = (double)i;
    if (i < c->word_count)
        return FM_OK;
    if ((c->word_count & (c->word_count - 1)) == 0) {
        char **words = fm_arena_alloc(t->points->arena, (2 * c->word_count + 1) * sizeof *words);
        if (words && c->word_count)
            memcpy(words, c->words, c->word_count * sizeof *words);
        c->words = words;
    }
    if (!c->words || !(c->words[c->word_count] = fm_arena_text(t->points->arena, t->cell)))
        return fm_fail(t->error, FM_ERR_MEMORY, "no memory for points");
    c->word_count++;
    return FM_OK;
}

/* The first row decides whether a column has numbers or words. */
static fm_status take_value(table *t, fm_points_column *c)
{
    const char *at = t->cell;
    double *value = &c->values[t->points->rows];
    const bool number = fm_text_number_read(&at, value) && !*at;
    if (!t->cell[0])
        return fm_fail_at(t->error, FM_ERR_SYNTAX, t->points->file, t->line, "column '%s' has no value here", c->path);
    if (c->words || (t->points->rows == 0 && !number))
        return take_word(t, c, value);
    return number ? FM_OK
                  : fm_fail_at(t->error, FM_ERR_SYNTAX, t->points->file, t->line,
                               "column '%s' is '%.60s': must be a number, as in the rows before", c->path, t->cell);
}

static fm_status take_row(table *t)
{
    bool last = false;
    size_t cell = 0;
    fm_status status = t->points->rows == t->room ? grow(t) : FM_OK;
    for (; !last && status == FM_OK; cell++) {
        status = take_cell(t, &last);
        if (status == FM_OK && cell < t->cells && t->columns[cell] < FM_AXES_MOST)
            status = take_value(t, &t->points->columns[t->columns[cell]]);
    }
    if (status == FM_OK && cell != t->cells)
        status = fm_fail_at(t->error, FM_ERR_SYNTAX, t->points->file, t->line,
                            "%zu cells: must be %zu, as in the header", cell, t->cells);
    t->points->rows += status == FM_OK;
    return status;
}

fm_status fm_points_parse_csv(fm_points *points, const char *text, fm_error *error)
{
    table *t = fm_alloc(sizeof *t);
    if (!t)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for points");
    *t = (table){.points = points, .at = text, .error = error};
    if (!strncmp(t->at, "\xEF\xBB\xBF", 3)) /* a byte order mark */
        t->at += 3;
    fm_status status = take_header(t);
    while (status == FM_OK && next_line(t))
        status = take_row(t);
    if (status == FM_OK && points->rows == 0)
        status = refuse(t, "the table has no row");
    fm_free(t);
    return status;
}

/* --- the plan --- */

static fm_status add_axis(fm_sweep_plan *plan, const fm_points_column *c, size_t rows, fm_error *error)
{
    char text[FM_AXIS_PATH + FM_AXIS_UNIT + 8];
    snprintf(text, sizeof text, "%s=0 %s", c->path, c->words ? "" : c->unit);
    fm_status status = fm_plan_vary(plan, text, error);
    if (status != FM_OK)
        return status;
    fm_sweep_axis *axis = &plan->axes[plan->axis_count - 1];
    axis->kind = c->words ? FM_AXIS_WORDS : FM_AXIS_NUMBERS;
    axis->values = c->values;
    axis->words = c->words;
    axis->count = c->words ? c->word_count : rows;
    plan->point_axes = plan->axis_count;
    return FM_OK;
}

static fm_status read_csv(fm_points *points, fm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    fm_status status = fm_geometry_file(points->file, &text, &size, error);
    if (status == FM_OK && strlen(text) != size)
        status = fm_fail(error, FM_ERR_SYNTAX, "%s contains a NUL byte: must be a table (CSV)", points->file);
    if (status == FM_OK)
        status = fm_points_parse_csv(points, text, error);
    fm_free(text);
    return status;
}

fm_status fm_plan_vary_points(fm_sweep_plan *plan, const char *file, fm_error *error)
{
    const size_t length = strlen(file);
    fm_points *points = fm_alloc(sizeof *points);
    if (!points)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for points");
    *points = (fm_points){.arena = &plan->arena, .file = file};
    fm_status status = plan->axis_count ? fm_fail(error, FM_ERR_ARGUMENT, "points come before all other parameters")
                       : length > 3 && !strcmp(file + length - 3, ".nc") ? fm_points_read_netcdf(points, error)
                                                                         : read_csv(points, error);
    for (size_t i = 0; i < points->count && status == FM_OK; i++)
        status = add_axis(plan, &points->columns[i], points->rows, error);
    plan->points = points->rows;
    plan->design = FM_DESIGN_POINTS;
    fm_free(points);
    return status;
}
