#include "telemetry/export.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/outfile.h"
#include "telemetry/decimal.h"

static fm_status no_memory(fm_error *error)
{
    return fm_fail(error, FM_ERR_MEMORY, "out of memory for an export");
}

static void note(const fm_export_options *options, const char *topic, const char *what, const char *why)
{
    char text[600];
    snprintf(text, sizeof text, "%.200s: %.200s %.180s", topic, what, why);
    if (options->note)
        options->note(options->context, text);
}

/* --- preparing -----------------------------------------------------------------------------------------------------
 */

/* "/phoenix/odometry" becomes "phoenix.odometry". A topic with other characters gets its channel id as a suffix, so
 * that names stay unique. */
static void name_output(fm_export_channel *c, char separator)
{
    const char *topic = c->channel->topic + (c->channel->topic[0] == '/');
    size_t length = 0;
    int changed = topic[0] == 0;
    for (; topic[length] && length < sizeof c->name - 16; length++) {
        unsigned char letter = (unsigned char)topic[length];
        int plain = letter < 128 && (isalnum(letter) || letter == '_' || letter == '-');
        c->name[length] = letter == '/' ? separator : plain ? (char)letter : '_';
        changed |= !plain && letter != '/';
    }
    if (changed || topic[length] || (separator == '_' && strchr(topic, '_')))
        snprintf(c->name + length, 16, "%s%u", length > 0 ? "-" : "channel", c->channel->id);
}

static fm_status add_channel(fm_mcap_reader *reader, const fm_export_options *options, const fm_mcap_channel *channel,
                             char separator, fm_export_set *set, fm_error *error)
{
    const fm_message *type;
    fm_error why = {0};
    if (channel->messages == 0)
        return FM_OK;
    if (fm_mcap_channel_type(reader, channel, &type, &why) != FM_OK) {
        note(options, channel->topic, "left out:", why.text);
        return FM_OK;
    }
    fm_export_channel *c = &set->items[set->count];
    fm_status status = fm_layout_init(&c->layout, type, error);
    if (status != FM_OK)
        return status;
    c->channel = channel;
    c->type = type;
    name_output(c, separator);
    set->by_id[channel->id] = (int32_t)set->count++;
    return FM_OK;
}

/* Lets every layout see every message. A channel with a malformed message is left out. */
static fm_status measure(fm_mcap_reader *reader, const fm_export_options *options, fm_export_set *set, fm_error *error)
{
    fm_mcap_cursor *cursor;
    fm_mcap_message m;
    fm_status status = fm_mcap_query_open(reader, &(fm_mcap_query){0}, &cursor, error);
    while (status == FM_OK && (status = fm_mcap_next(cursor, &m, error)) == FM_OK && m.data) {
        fm_error why = {0};
        int32_t at = set->by_id[m.channel];
        if (at < 0)
            continue;
        set->items[at].rows++;
        if (fm_layout_measure(&set->items[at].layout, m.data, m.size, &why) == FM_OK)
            continue;
        note(options, set->items[at].channel->topic, "left out:", why.text);
        set->by_id[m.channel] = -1;
    }
    fm_mcap_query_close(cursor);
    return status;
}

fm_status fm_export_prepare(fm_mcap_reader *reader, const fm_export_options *options, char separator,
                            fm_export_set *set, fm_error *error)
{
    size_t count = options->channels ? options->channel_count : fm_mcap_channel_count(reader);
    size_t ids = fm_mcap_channel_ids(reader);
    *set = (fm_export_set){fm_alloc((count + 1) * sizeof *set->items), 0, fm_alloc((ids + 1) * sizeof *set->by_id)};
    fm_status status = set->items && set->by_id ? FM_OK : no_memory(error);
    for (size_t i = 0; i < ids && status == FM_OK; i++)
        set->by_id[i] = -1;
    for (size_t i = 0; i < count && status == FM_OK; i++)
        status = add_channel(reader, options, options->channels ? options->channels[i] : fm_mcap_channel_at(reader, i),
                             separator, set, error);
    if (status == FM_OK)
        status = measure(reader, options, set, error);
    for (size_t i = 0; i < set->count && status == FM_OK; i++) {
        fm_layout *layout = &set->items[i].layout;
        status = fm_layout_finish(layout, FM_EXPORT_COLUMNS, error);
        if (status == FM_OK && options->ned)
            status = fm_layout_use_ned(layout, set->items[i].type, error);
        if (status == FM_OK)
            status = fm_layout_use_tables(layout, set->items[i].type, options->covariances, error);
        for (size_t k = 0; k < layout->left_out_count && status == FM_OK; k++)
            note(options, set->items[i].channel->topic, layout->left_out[k], "is too long for columns and left out");
    }
    if (status != FM_OK)
        fm_export_set_free(set);
    return status;
}

void fm_export_set_free(fm_export_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        fm_layout_free(&set->items[i].layout);
    fm_free(set->items);
    fm_free(set->by_id);
    *set = (fm_export_set){0};
}

/* --- CSV -----------------------------------------------------------------------------------------------------------
 */

/* Text of a column's last number: in most logs many values repeat from row to row. */
typedef struct shown {
    uint64_t bits;
    uint8_t kind, length;
    char text[FM_DECIMAL_SIZE];
} shown;

enum { BUFFER = 1 << 18, FILES_MAX = 64 };

typedef struct csv_file {
    fm_outfile output;
    char *buffer;
    size_t used;
    fm_cell *row;
    shown *last;
} csv_file;

static void flush(csv_file *f)
{
    if (f->used > 0)
        fwrite(f->buffer, 1, f->used, f->output.file);
    f->used = 0;
}

static void put(csv_file *f, const char *text, size_t length)
{
    if (length > BUFFER - f->used)
        flush(f);
    if (length > BUFFER) {
        fwrite(text, 1, length, f->output.file);
        return;
    }
    memcpy(f->buffer + f->used, text, length);
    f->used += length;
}

/* Quoted if it contains a quote, a comma or a line end (RFC 4180). */
static void put_text(csv_file *f, const char *text, size_t length)
{
    int quote = 0;
    for (size_t i = 0; i < length; i++)
        quote |= text[i] == '"' || text[i] == ',' || text[i] == '\n' || text[i] == '\r';
    if (!quote) {
        put(f, text, length);
        return;
    }
    put(f, "\"", 1);
    for (size_t i = 0; i < length; i++)
        put(f, text[i] == '"' ? "\"\"" : &text[i], text[i] == '"' ? 2 : 1);
    put(f, "\"", 1);
}

static void put_number(csv_file *f, const fm_decimal *d, const fm_layout_column *column, const fm_cell *cell,
                       shown *last)
{
    if (last->kind != cell->kind || last->bits != cell->value.natural) {
        size_t length = cell->kind == FM_CELL_INT                 ? fm_decimal_int(cell->value.integer, last->text)
                        : cell->kind == FM_CELL_UINT              ? fm_decimal_uint(cell->value.natural, last->text)
                        : column->field->type == FM_FIELD_float32 ? fm_decimal_single(d, cell->single, last->text)
                                                                  : fm_decimal_real(d, cell->value.real, last->text);
        last->kind = (uint8_t)cell->kind;
        last->bits = cell->value.natural;
        last->length = (uint8_t)length;
    }
    put(f, last->text, last->length);
}

static void put_row(csv_file *f, const fm_decimal *d, const fm_layout *layout, uint64_t time)
{
    char text[FM_DECIMAL_SIZE];
    put(f, text, fm_decimal_seconds(time, text));
    for (size_t i = 0; i < layout->count; i++) {
        const fm_cell *cell = &f->row[i];
        put(f, ",", 1);
        if (cell->kind == FM_CELL_TEXT)
            put_text(f, cell->value.text.start, cell->value.text.length);
        else if (cell->kind != FM_CELL_EMPTY)
            put_number(f, d, &layout->columns[i], cell, &f->last[i]);
    }
    put(f, "\n", 1);
}

static void put_head(csv_file *f, const fm_layout *layout)
{
    put(f, "time [s]", 8);
    for (size_t i = 0; i < layout->count; i++) {
        const fm_layout_column *c = &layout->columns[i];
        put(f, ",", 1);
        put_text(f, c->path, strlen(c->path));
        if (c->unit[0]) {
            put(f, " [", 2);
            put_text(f, c->unit, strlen(c->unit));
            put(f, "]", 1);
        }
    }
    put(f, "\n", 1);
}

static fm_status open_csv(fm_export_channel *c, const char *folder, const fm_mcap_reader *reader, fm_error *error)
{
    char path[1024];
    csv_file *f = fm_alloc(sizeof *f);
    c->output = f;
    if (!f || !(f->buffer = fm_alloc(BUFFER)) || !(f->row = fm_alloc((c->layout.count + 1) * sizeof *f->row)) ||
        !(f->last = fm_alloc((c->layout.count + 1) * sizeof *f->last)))
        return no_memory(error);
    snprintf(path, sizeof path, "%.800s/%s.csv", folder, c->name);
    if (fm_mcap_reads(reader, path))
        return fm_fail(error, FM_ERR_FILE, "%s is the log itself", path);
    fm_status status = fm_outfile_open(&f->output, path, error);
    if (status == FM_OK)
        put_head(f, &c->layout);
    return status;
}

/* `whole`: all of it was given. */
static fm_status close_csv(fm_export_channel *c, int whole, fm_error *error)
{
    csv_file *f = c->output;
    fm_status status = FM_OK;
    if (!f)
        return FM_OK;
    if (f->output.file && whole) {
        flush(f);
        status = fm_outfile_close(&f->output, error);
    }
    fm_outfile_abandon(&f->output);
    fm_free(f->buffer);
    fm_free(f->row);
    fm_free(f->last);
    fm_free(f);
    c->output = NULL;
    return status;
}

/* Rows of the channels first … end - 1, in one pass over the log. */
static fm_status write_rows(fm_mcap_reader *reader, const fm_decimal *decimal, fm_export_set *set, int32_t first,
                            int32_t end, fm_export_result *result, fm_error *error)
{
    fm_mcap_cursor *cursor;
    fm_mcap_message m;
    fm_mcap_query query = {.channel = end - first == 1 ? set->items[first].channel : NULL};
    fm_status status = fm_mcap_query_open(reader, &query, &cursor, error);
    while (status == FM_OK && (status = fm_mcap_next(cursor, &m, error)) == FM_OK && m.data) {
        int32_t at = set->by_id[m.channel];
        if (at < first || at >= end)
            continue;
        fm_export_channel *c = &set->items[at];
        csv_file *f = c->output;
        status = fm_layout_read(&c->layout, m.data, m.size, f->row, error);
        if (status != FM_OK)
            break;
        put_row(f, decimal, &c->layout, m.time);
        result->rows++;
        result->values += c->layout.count;
    }
    fm_mcap_query_close(cursor);
    return status;
}

static fm_status export_group(fm_mcap_reader *reader, const char *folder, const fm_decimal *decimal, fm_export_set *set,
                              size_t first, size_t end, fm_export_result *result, fm_error *error)
{
    fm_status status = FM_OK;
    for (size_t i = first; i < end && status == FM_OK; i++)
        if (set->by_id[set->items[i].channel->id] >= 0) {
            status = open_csv(&set->items[i], folder, reader, error);
            result->channels++;
        }
    if (status == FM_OK)
        status = write_rows(reader, decimal, set, (int32_t)first, (int32_t)end, result, error);
    for (size_t i = first; i < end; i++) {
        fm_status closed = close_csv(&set->items[i], status == FM_OK, status == FM_OK ? error : NULL);
        status = status == FM_OK ? closed : status;
    }
    return status;
}

fm_status fm_export_csv(fm_mcap_reader *reader, const char *folder, const fm_export_options *options,
                        fm_export_result *result, fm_error *error)
{
    fm_export_set set;
    *result = (fm_export_result){0};
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fm_fail(error, FM_ERR_FILE, "%s: %s", folder, strerror(errno));
    fm_decimal *decimal = fm_decimal_create();
    if (!decimal)
        return no_memory(error);
    fm_status status = fm_export_prepare(reader, options, '.', &set, error);
    for (size_t first = 0; status == FM_OK && first < set.count; first += FILES_MAX) {
        size_t end = first + FILES_MAX < set.count ? first + FILES_MAX : set.count;
        status = export_group(reader, folder, decimal, &set, first, end, result, error);
    }
    if (set.items)
        fm_export_set_free(&set);
    fm_free(decimal);
    return status;
}
