/* Logs for programs (fathom/log_reader.h): a channel as a table. */
#include <fathom/log_reader.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "base/options.h"
#include "telemetry/export.h"

struct fm_log_reader {
    fm_mcap_reader *reader;
};

struct fm_log_table {
    fm_log_column *columns;
    size_t column_count, rows, left_out;
    double *times;   /* [rows] s */
    double *numbers; /* [column][row] */
    char **texts;    /* [column][row]; NULL: no column has texts */
    fm_arena arena;
};

fm_log_reader *fm_log_open(const char *path, fm_error *error)
{
    fm_log_reader *log = path ? fm_alloc(sizeof *log) : NULL;
    if (!log) {
        fm_fail(error, path ? FM_ERR_MEMORY : FM_ERR_ARGUMENT, path ? "no memory for a log" : "path must not be NULL");
        return NULL;
    }
    if (fm_mcap_open(path, &log->reader, error) != FM_OK) {
        fm_free(log);
        return NULL;
    }
    return log;
}

void fm_log_close(fm_log_reader *log)
{
    if (log)
        fm_mcap_reader_close(log->reader);
    fm_free(log);
}

fm_log_info fm_log_describe(const fm_log_reader *log)
{
    if (!log)
        return (fm_log_info){.library = "", .warning = ""};
    const fm_mcap_info *info = fm_mcap_get_info(log->reader);
    return (fm_log_info){info->library,
                         info->warning,
                         info->messages,
                         1e-9 * (double)info->start,
                         1e-9 * (double)info->end,
                         fm_mcap_channel_count(log->reader)};
}

fm_log_channel_info fm_log_channel(const fm_log_reader *log, size_t i)
{
    if (!log || i >= fm_mcap_channel_count(log->reader))
        return (fm_log_channel_info){0};
    const fm_mcap_channel *channel = fm_mcap_channel_at(log->reader, i);
    return (fm_log_channel_info){channel->topic, channel->schema ? channel->schema->name : "", channel->messages};
}

const char *fm_log_metadata(const fm_log_reader *log, const char *name, const char *key)
{
    return log && name && key ? fm_mcap_get_metadata(log->reader, name, key) : NULL;
}

/* --- reading --- */

static fm_status make_columns(fm_log_table *table, const fm_layout *layout, fm_error *error)
{
    size_t cells = layout->count * table->rows;
    bool any_text = false;
    table->column_count = layout->count;
    table->left_out = layout->left_out_count;
    table->columns = fm_arena_alloc(&table->arena, (layout->count + 1) * sizeof *table->columns);
    table->times = fm_alloc((table->rows + 1) * sizeof *table->times);
    table->numbers = fm_alloc((cells + 1) * sizeof *table->numbers);
    for (size_t i = 0; table->columns && i < layout->count; i++) {
        const fm_layout_column *column = &layout->columns[i];
        table->columns[i] =
            (fm_log_column){fm_arena_text(&table->arena, column->path), fm_arena_text(&table->arena, column->unit),
                            column->field->type == FM_FIELD_string};
        any_text |= table->columns[i].text != 0;
    }
    table->texts = any_text ? fm_alloc((cells + 1) * sizeof *table->texts) : NULL;
    return table->columns && table->times && table->numbers && (table->texts || !any_text)
               ? FM_OK
               : fm_fail(error, FM_ERR_MEMORY, "no memory for a table of %zu numbers", cells);
}

static fm_status take_row(fm_log_table *table, size_t row, uint64_t time, const fm_cell *cells, fm_error *error)
{
    table->times[row] = 1e-9 * (double)time;
    for (size_t i = 0; i < table->column_count; i++) {
        size_t at = i * table->rows + row;
        table->numbers[at] = fm_cell_number(&cells[i]);
        if (cells[i].kind != FM_CELL_TEXT)
            continue;
        size_t length = cells[i].value.text.length;
        char *text = table->texts ? fm_arena_alloc(&table->arena, length + 1) : NULL;
        if (!text)
            return fm_fail(error, FM_ERR_MEMORY, "no memory for the texts of a table");
        memcpy(text, cells[i].value.text.start, length);
        table->texts[at] = text;
    }
    return FM_OK;
}

static fm_status take_rows(fm_log_table *table, fm_mcap_reader *reader, const fm_export_channel *channel,
                           fm_error *error)
{
    const fm_mcap_query query = {.channel = channel->channel};
    fm_mcap_cursor *cursor = NULL;
    fm_mcap_message message;
    size_t row = 0;
    fm_cell *cells = fm_alloc((channel->layout.count + 1) * sizeof *cells);
    fm_status status = cells ? fm_mcap_query_open(reader, &query, &cursor, error)
                             : fm_fail(error, FM_ERR_MEMORY, "no memory for a row of a table");
    while (status == FM_OK && (status = fm_mcap_next(cursor, &message, error)) == FM_OK && message.data &&
           row < table->rows) {
        status = fm_layout_read(&channel->layout, message.data, message.size, cells, error);
        if (status == FM_OK)
            status = take_row(table, row++, message.time, cells, error);
    }
    table->rows = status == FM_OK ? row : table->rows;
    if (cursor)
        fm_mcap_query_close(cursor);
    fm_free(cells);
    return status;
}

fm_log_table *fm_log_table_read(fm_log_reader *log, const char *topic, const fm_log_table_options *options,
                                fm_error *error)
{
    fm_log_table_options o;
    fm_export_set set = {0};
    if (FM_READ_OPTIONS(&o, options, fm_log_table_options, error) != FM_OK)
        return NULL;
    if (!log || !topic)
        return fm_fail(error, FM_ERR_ARGUMENT, "log and topic must not be NULL"), NULL;
    const fm_mcap_channel *channel = fm_mcap_find_channel(log->reader, topic);
    if (!channel)
        return fm_fail(error, FM_ERR_NAME, "no channel '%.200s' in the log", topic), NULL;
    fm_log_table *table = fm_alloc(sizeof *table);
    const fm_export_options chosen = {.channels = &channel, .channel_count = 1, .ned = !o.enu};
    fm_status status = table ? fm_export_prepare(log->reader, &chosen, '.', &set, error)
                             : fm_fail(error, FM_ERR_MEMORY, "no memory for a table");
    if (status == FM_OK && !set.count)
        status =
            channel->messages ? fm_fail(error, FM_ERR_MISSING, "channel '%.200s' cannot be decoded", topic) : FM_OK;
    else if (status == FM_OK) {
        table->rows = set.items[0].rows;
        status = make_columns(table, &set.items[0].layout, error);
        if (status == FM_OK)
            status = take_rows(table, log->reader, &set.items[0], error);
    }
    if (set.items)
        fm_export_set_free(&set);
    if (status != FM_OK) {
        fm_log_table_free(table);
        return NULL;
    }
    return table;
}

void fm_log_table_free(fm_log_table *table)
{
    if (!table)
        return;
    fm_free(table->times);
    fm_free(table->numbers);
    fm_free(table->texts);
    fm_arena_free(&table->arena);
    fm_free(table);
}

/* --- asking --- */

size_t fm_log_table_rows(const fm_log_table *table)
{
    return table ? table->rows : 0;
}

size_t fm_log_table_column_count(const fm_log_table *table)
{
    return table ? table->column_count : 0;
}

fm_log_column fm_log_table_column(const fm_log_table *table, size_t i)
{
    return table && i < table->column_count ? table->columns[i] : (fm_log_column){0};
}

static size_t copy(double *to, const double *from, size_t count, size_t room)
{
    size_t part = count < room ? count : room;
    if (to && part)
        memcpy(to, from, part * sizeof *to);
    return count;
}

size_t fm_log_table_times(const fm_log_table *table, double *times, size_t room)
{
    return table ? copy(times, table->times, table->rows, room) : 0;
}

size_t fm_log_table_numbers(const fm_log_table *table, size_t i, double *values, size_t room)
{
    return table && i < table->column_count ? copy(values, table->numbers + i * table->rows, table->rows, room) : 0;
}

const char *fm_log_table_text(const fm_log_table *table, size_t i, size_t row)
{
    return table && table->texts && i < table->column_count && row < table->rows ? table->texts[i * table->rows + row]
                                                                                 : NULL;
}

size_t fm_log_table_left_out(const fm_log_table *table)
{
    return table ? table->left_out : 0;
}
