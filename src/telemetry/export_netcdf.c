/* NetCDF-4 export following the CF conventions: one group per channel with its own time coordinate; sequences are a
 * second dimension, padded where a message is shorter. */
#include "telemetry/export.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netcdf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/outfile.h"

/* A variable: one column, or the columns of an array of values. */
typedef struct variable {
    int id, type;
    size_t first, width; /* columns */
    size_t item;         /* bytes of one value in the buffer */
    uint8_t *buffer;     /* rows · width values */
} variable;

typedef struct group {
    int id, time_id;
    variable *variables;
    size_t count, rows, written; /* variables; rows in the buffers; rows in the file */
    double *times;
    fm_cell *row;
    fm_arena texts; /* strings of the rows in the buffers */
} group;

enum { ROWS = 1024 };

static fm_status nc_failed(int code, const char *what, fm_error *error)
{
    return fm_fail(error, FM_ERR_LIBRARY, "NetCDF, %s: %s", what, nc_strerror(code));
}

static int nc_type_of(fm_field_type type)
{
    static const int types[] = {NC_UBYTE, NC_UBYTE, NC_BYTE,   NC_UBYTE, NC_SHORT,  NC_USHORT, NC_INT,
                                NC_UINT,  NC_INT64, NC_UINT64, NC_FLOAT, NC_DOUBLE, NC_STRING};
    return types[type];
}

/* "position[3]" and "position[4]" belong to one variable. */
static size_t base_length(const char *path)
{
    const char *bracket = strrchr(path, '[');
    return bracket && path[strlen(path) - 1] == ']' ? (size_t)(bracket - path) : strlen(path);
}

static size_t run_length(const fm_layout *layout, size_t first)
{
    const fm_layout_column *c = &layout->columns[first];
    size_t length = base_length(c->path), width = 1;
    while (first + width < layout->count && c->path[length] == '[' &&
           layout->columns[first + width].field == c->field &&
           base_length(layout->columns[first + width].path) == length &&
           memcmp(layout->columns[first + width].path, c->path, length) == 0)
        width++;
    return width;
}

static void name_variable(const char *path, size_t length, char *name, size_t room)
{
    size_t used = 0;
    for (size_t i = 0; i < length && used + 1 < room; i++) {
        if (isalnum((unsigned char)path[i]) || path[i] == '_')
            name[used++] = path[i];
        else if (path[i] != ']')
            name[used++] = '_';
    }
    name[used] = 0;
}

/* Paths that differ only in characters that NetCDF names cannot contain ("rudder-top", "rudder_top"): the second gets a
 * number. */
static void set_apart(int group_id, char *name)
{
    size_t length = strlen(name);
    int id;
    for (unsigned i = 2; nc_inq_varid(group_id, name, &id) == NC_NOERR; i++)
        snprintf(name + length, 16, "_%u", i);
}

static int put_text(int group_id, int variable_id, const char *name, const char *text)
{
    return nc_put_att_text(group_id, variable_id, name, strlen(text), text);
}

/* Standard names exist for few of our fields: geographic positions. */
static int put_attributes(int group_id, int id, const fm_layout_column *column, const char *path)
{
    static const struct {
        const char *field, *standard_name, *unit;
    } known[] = {{"latitude", "latitude", "degrees_north"}, {"longitude", "longitude", "degrees_east"}};
    const char *unit = column->unit;
    int code = put_text(group_id, id, "long_name", path);
    for (size_t i = 0; i < 2; i++)
        if (strcmp(column->field->name, known[i].field) == 0 && strcmp(unit, "deg") == 0) {
            unit = known[i].unit;
            code = code ? code : put_text(group_id, id, "standard_name", known[i].standard_name);
        }
    return code || !unit[0] ? code : put_text(group_id, id, "units", strcmp(unit, "deg") == 0 ? "degree" : unit);
}

static fm_status define_variable(group *g, const fm_layout *layout, size_t first, int time_dimension, fm_error *error)
{
    const fm_layout_column *column = &layout->columns[first];
    variable *v = &g->variables[g->count];
    char name[NC_MAX_NAME + 1], dimension[NC_MAX_NAME + 1], path[NC_MAX_NAME + 1];
    int dimensions[2] = {time_dimension, 0}, code = 0;
    *v = (variable){.first = first, .width = run_length(layout, first), .type = nc_type_of(column->field->type)};
    size_t length = v->width > 1 ? base_length(column->path) : strlen(column->path);
    name_variable(column->path, length, name, sizeof name - 16);
    snprintf(path, sizeof path, "%.*s", (int)(length < NC_MAX_NAME ? length : NC_MAX_NAME), column->path);
    set_apart(g->id, name);
    if (v->width > 1) {
        snprintf(dimension, sizeof dimension, "%.240s_n", name);
        code = nc_def_dim(g->id, dimension, v->width, &dimensions[1]);
    }
    code = code ? code : nc_def_var(g->id, name, v->type, v->width > 1 ? 2 : 1, dimensions, &v->id);
    code = code ? code : put_attributes(g->id, v->id, column, path);
    if (code)
        return nc_failed(code, name, error);
    v->item = column->field->type == FM_FIELD_string ? sizeof(char *) : fm_field_size(column->field->type);
    v->buffer = fm_alloc(ROWS * v->width * v->item);
    g->count++;
    return v->buffer ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "out of memory for an export");
}

/* "seconds since 2020-01-01T00:00:00.000Z": of the epoch of the log; one of before has none, and its times count from
 * 1970. */
static const char *units_of_time(const fm_mcap_reader *reader, char *units, size_t size)
{
    const char *epoch = fm_mcap_get_metadata(reader, "run", "epoch");
    snprintf(units, size, "seconds since %s", epoch ? epoch : "1970-01-01T00:00:00Z");
    return units;
}

static fm_status define_group(int file, const char *units, fm_export_channel *c, fm_error *error)
{
    group *g = fm_alloc(sizeof *g);
    int dimension, code;
    c->output = g;
    if (!g || !(g->variables = fm_alloc((c->layout.count + 1) * sizeof *g->variables)) ||
        !(g->times = fm_alloc(ROWS * sizeof *g->times)) || !(g->row = fm_alloc((c->layout.count + 1) * sizeof *g->row)))
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for an export");
    code = nc_def_grp(file, c->name, &g->id);
    code = code ? code : put_text(g->id, NC_GLOBAL, "topic", c->channel->topic);
    code = code ? code : put_text(g->id, NC_GLOBAL, "message_type", c->channel->schema->name);
    code = code ? code : nc_def_dim(g->id, "time", c->rows, &dimension);
    code = code ? code : nc_def_var(g->id, "time", NC_DOUBLE, 1, &dimension, &g->time_id);
    code = code ? code : put_text(g->id, g->time_id, "long_name", "time");
    code = code ? code : put_text(g->id, g->time_id, "standard_name", "time");
    code = code ? code : put_text(g->id, g->time_id, "units", units);
    code = code ? code : put_text(g->id, g->time_id, "calendar", "standard");
    code = code ? code : put_text(g->id, g->time_id, "axis", "T");
    if (code)
        return nc_failed(code, c->name, error);
    fm_status status = FM_OK;
    for (size_t i = 0; i < c->layout.count && status == FM_OK; i += g->variables[g->count - 1].width)
        status = define_variable(g, &c->layout, i, dimension, error);
    return status;
}

static void free_group(group *g)
{
    if (!g)
        return;
    for (size_t i = 0; g->variables && i < g->count; i++)
        fm_free(g->variables[i].buffer);
    fm_arena_free(&g->texts);
    fm_free(g->variables);
    fm_free(g->times);
    fm_free(g->row);
    fm_free(g);
}

/* What NetCDF reads as missing: its fill value of the type, NaN for reals. */
static void store_missing(int type, uint8_t *to)
{
    static const char *const empty = "";
    switch (type) {
    case NC_DOUBLE: memcpy(to, &(double){NAN}, 8); break;
    case NC_FLOAT: memcpy(to, &(float){NAN}, 4); break;
    case NC_UBYTE: memcpy(to, &(unsigned char){NC_FILL_UBYTE}, 1); break;
    case NC_BYTE: memcpy(to, &(signed char){NC_FILL_BYTE}, 1); break;
    case NC_SHORT: memcpy(to, &(int16_t){NC_FILL_SHORT}, 2); break;
    case NC_USHORT: memcpy(to, &(uint16_t){NC_FILL_USHORT}, 2); break;
    case NC_INT: memcpy(to, &(int32_t){NC_FILL_INT}, 4); break;
    case NC_UINT: memcpy(to, &(uint32_t){NC_FILL_UINT}, 4); break;
    case NC_INT64: memcpy(to, &(int64_t){NC_FILL_INT64}, 8); break;
    case NC_UINT64: memcpy(to, &(uint64_t){NC_FILL_UINT64}, 8); break;
    default: memcpy(to, &empty, sizeof empty); break;
    }
}

/* On a little-endian host the first bytes of an integer are the value in a shorter type. */
static int store_cell(group *g, const variable *v, const fm_cell *cell, uint8_t *to)
{
    if (cell->kind == FM_CELL_EMPTY) {
        store_missing(v->type, to);
    } else if (cell->kind == FM_CELL_TEXT) {
        char *text = fm_arena_alloc(&g->texts, cell->value.text.length + 1);
        if (!text)
            return 0;
        memcpy(text, cell->value.text.start, cell->value.text.length);
        memcpy(to, &text, sizeof text);
    } else if (v->type == NC_FLOAT) {
        memcpy(to, &cell->single, 4);
    } else {
        memcpy(to, &cell->value, v->item);
    }
    return 1;
}

static fm_status write_block(group *g, fm_error *error)
{
    size_t start[2] = {g->written, 0}, count[2] = {g->rows, 0};
    int code = g->rows > 0 ? nc_put_vara_double(g->id, g->time_id, start, count, g->times) : 0;
    for (size_t i = 0; i < g->count && g->rows > 0 && !code; i++) {
        count[1] = g->variables[i].width;
        code = nc_put_vara(g->id, g->variables[i].id, start, count, g->variables[i].buffer);
    }
    g->written += g->rows;
    g->rows = 0;
    fm_arena_free(&g->texts);
    return code ? nc_failed(code, "writing rows", error) : FM_OK;
}

static fm_status add_row(fm_export_channel *c, const fm_mcap_message *m, fm_error *error)
{
    group *g = c->output;
    fm_status status = fm_layout_read(&c->layout, m->data, m->size, g->row, error);
    if (status != FM_OK)
        return status;
    g->times[g->rows] = (double)m->time * 1e-9;
    for (size_t i = 0; i < g->count; i++) {
        const variable *v = &g->variables[i];
        for (size_t k = 0; k < v->width; k++)
            if (!store_cell(g, v, &g->row[v->first + k], v->buffer + (g->rows * v->width + k) * v->item))
                return fm_fail(error, FM_ERR_MEMORY, "out of memory for an export");
    }
    return ++g->rows == ROWS ? write_block(g, error) : FM_OK;
}

static fm_status write_rows(fm_mcap_reader *reader, fm_export_set *set, fm_export_result *result, fm_error *error)
{
    fm_mcap_cursor *cursor;
    fm_mcap_message m;
    fm_status status = fm_mcap_query_open(reader, &(fm_mcap_query){0}, &cursor, error);
    while (status == FM_OK && (status = fm_mcap_next(cursor, &m, error)) == FM_OK && m.data) {
        int32_t at = set->by_id[m.channel];
        if (at < 0)
            continue;
        status = add_row(&set->items[at], &m, error);
        result->rows++;
        result->values += set->items[at].layout.count;
    }
    fm_mcap_query_close(cursor);
    for (size_t i = 0; i < set->count && status == FM_OK; i++)
        if (set->items[i].output)
            status = write_block(set->items[i].output, error);
    return status;
}

static fm_status write_file(fm_mcap_reader *reader, int file, fm_export_set *set, fm_export_result *result,
                            fm_error *error)
{
    const char *seed = fm_mcap_get_metadata(reader, "run", "seed"),
               *scenario = fm_mcap_get_metadata(reader, "run", "scenario");
    char units[80], history[600];
    units_of_time(reader, units, sizeof units);
    snprintf(history, sizeof history, "fathom run %.400s; fathom export --netcdf", scenario ? scenario : "");
    int code = put_text(file, NC_GLOBAL, "Conventions", "CF-1.10");
    code = code ? code : put_text(file, NC_GLOBAL, "title", "Telemetry of a simulated run");
    code = code ? code : put_text(file, NC_GLOBAL, "source", fm_mcap_get_info(reader)->library);
    code = code ? code : put_text(file, NC_GLOBAL, "history", history);
    if (seed)
        code = code ? code : put_text(file, NC_GLOBAL, "seed", seed);
    fm_status status = code ? nc_failed(code, "attributes", error) : fm_export_netcdf_root(reader, file, error);
    for (size_t i = 0; i < set->count && status == FM_OK; i++)
        if (set->by_id[set->items[i].channel->id] >= 0) {
            status = define_group(file, units, &set->items[i], error);
            result->channels++;
        }
    return status == FM_OK ? write_rows(reader, set, result, error) : status;
}

/* The library reports "HDF error" for every cause; if the disk is full, the system knows. */
static fm_status tell_cause(const fm_outfile *output, const fm_error *found, fm_error *error)
{
    int file = open(fm_outfile_name(output), O_WRONLY | O_APPEND | O_CLOEXEC);
    int cause = file >= 0 ? fm_outfile_cause(file) : errno;
    if (file >= 0)
        close(file);
    if (cause == EIO) /* more could be written: the cause was something else */
        return fm_fail(error, found->status, "%s: %s", output->path, found->text);
    return fm_fail(error, FM_ERR_FILE, "%s: %s", output->path, strerror(cause));
}

/* Writes into an existing empty file. */
static fm_status fill_file(fm_mcap_reader *reader, const char *path, fm_export_set *set, fm_export_result *result,
                           fm_error *error)
{
    int file, code = nc_create(path, NC_NETCDF4 | NC_CLOBBER, &file);
    if (code)
        return fm_fail(error, FM_ERR_FILE, "%s", nc_strerror(code));
    fm_status status = write_file(reader, file, set, result, error);
    code = nc_close(file);
    return status == FM_OK && code ? fm_fail(error, FM_ERR_FILE, "%s", nc_strerror(code)) : status;
}

static fm_status write_whole(fm_mcap_reader *reader, const char *path, fm_export_set *set, fm_export_result *result,
                             fm_error *error)
{
    fm_outfile output;
    fm_error found = {0};
    fm_status status = fm_outfile_open(&output, path, error);
    if (status != FM_OK)
        return status;
    fclose(output.file);
    output.file = NULL;
    if (fill_file(reader, fm_outfile_name(&output), set, result, &found) == FM_OK)
        return fm_outfile_close(&output, error);
    status = tell_cause(&output, &found, error);
    fm_outfile_abandon(&output);
    return status;
}

fm_status fm_export_netcdf(fm_mcap_reader *reader, const char *path, const fm_export_options *options,
                           fm_export_result *result, fm_error *error)
{
    fm_export_set set;
    *result = (fm_export_result){0};
    fm_export_options all = *options;
    all.covariances = 1;
    fm_status status = fm_export_prepare(reader, &all, '_', &set, error);
    if (status != FM_OK)
        return status;
    status = write_whole(reader, path, &set, result, error);
    for (size_t i = 0; i < set.count; i++)
        free_group(set.items[i].output);
    fm_export_set_free(&set);
    return status;
}
