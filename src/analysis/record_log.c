/* Fields of a log as a record. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/record.h"
#include "base/error.h"
#include "telemetry/layout.h"

enum { FIELD_COLUMNS = 64, SERIES_MOST = 20000 };

typedef struct request {
    const char *const *names, *const *topics;
    size_t name_count, topic_count;
} request;

typedef struct channel_read {
    fm_record *record;
    fm_mcap_reader *reader;
    const fm_mcap_channel *channel;
    const request *wanted;
    fm_layout layout;
    size_t messages;
    size_t *columns; /* of the layout, one per series from `first` on */
    size_t first, count;
    size_t stamp[2]; /* columns of the time stamp of the header: s, ns */
    bool stamped;    /* samples count at that time */
    fm_error *error;
} channel_read;

static int is_wanted_channel(const request *r, const char *topic)
{
    size_t length = strlen(topic);
    for (size_t i = 0; i < r->name_count; i++)
        if (!strncmp(r->names[i], topic, length) && r->names[i][length] == '.')
            return 1;
    for (size_t i = 0; i < r->topic_count; i++)
        if (!strcmp(r->topics[i], topic))
            return 1;
    return !r->name_count && !r->topic_count;
}

/* The name by which a field was requested, or its own; NULL: not requested. */
static const char *wanted_name(const channel_read *c, const fm_layout_column *column, char *own, size_t size)
{
    const request *r = c->wanted;
    size_t length = strlen(c->channel->topic);
    for (size_t i = 0; i < r->name_count; i++) {
        const char *field = r->names[i] + length + 1;
        if (strlen(r->names[i]) > length && !strncmp(r->names[i], c->channel->topic, length) &&
            r->names[i][length] == '.' &&
            (!strcmp(field, column->path) || (column->alias && !strcmp(field, column->alias))))
            return r->names[i];
    }
    snprintf(own, size, "%.200s.%.200s", c->channel->topic, column->path);
    return r->name_count || column->stamp ? NULL : own;
}

static fm_status choose(channel_read *c)
{
    fm_record *r = c->record;
    char own[420];
    c->columns = fm_arena_alloc(&r->arena, (c->layout.count + 1) * sizeof *c->columns);
    for (size_t i = 0; c->columns && i < c->layout.count; i++) {
        const fm_layout_column *column = &c->layout.columns[i];
        const char *name = wanted_name(c, column, own, sizeof own);
        if (column->field->type == FM_FIELD_string || !name || c->first + c->count == SERIES_MOST)
            continue;
        fm_record_series *s = &r->series[c->first + c->count];
        *s = (fm_record_series){.name = fm_arena_text(&r->arena, name),
                                .unit = fm_arena_text(&r->arena, column->unit),
                                .t = fm_arena_alloc(&r->arena, (c->messages + 1) * sizeof *s->t),
                                .y = fm_arena_alloc(&r->arena, (c->messages + 1) * sizeof *s->y)};
        if (!s->name || !s->unit || !s->t || !s->y)
            return fm_fail(c->error, FM_ERR_MEMORY, "out of memory");
        c->columns[c->count++] = i;
    }
    return c->columns ? FM_OK : fm_fail(c->error, FM_ERR_MEMORY, "out of memory");
}

/* A message with a header counts at the time of its sample, which a log stores one step later. */
static void find_stamp(channel_read *c)
{
    static const char *const paths[] = {"header.stamp.sec", "header.stamp.nanosec"};
    bool found[2] = {false, false};
    for (size_t i = 0; i < c->layout.count; i++)
        for (int k = 0; k < 2; k++)
            if (!strcmp(c->layout.columns[i].path, paths[k]))
                c->stamp[k] = i, found[k] = true;
    c->stamped = found[0] && found[1];
}

/* The time of a message, s. Stamps that are not set, or of another clock, are ignored from there on. */
static double time_of(channel_read *c, uint64_t logged, const fm_cell *row)
{
    double t = 1e-9 * (double)logged;
    if (!c->stamped)
        return t;
    double sample = fm_cell_number(&row[c->stamp[0]]) + 1e-9 * fm_cell_number(&row[c->stamp[1]]);
    bool later = !c->count || !c->record->series[c->first].count ||
                 sample > c->record->series[c->first].t[c->record->series[c->first].count - 1];
    c->stamped = fm_record_is_sample_time(sample, t) && later;
    return c->stamped ? sample : t;
}

static void add_row(const channel_read *c, double t, const fm_cell *row)
{
    for (size_t i = 0; i < c->count; i++) {
        fm_record_series *s = &c->record->series[c->first + i];
        if (s->count && !(t > s->t[s->count - 1])) /* several at one time: the last one counts */
            s->count--;
        s->t[s->count] = t;
        s->y[s->count++] = fm_cell_number(&row[c->columns[i]]);
    }
}

/* Passes every message: to the layout while `row` is NULL, then to the series. */
static fm_status each_message(channel_read *c, fm_cell *row)
{
    fm_mcap_cursor *cursor;
    fm_mcap_message m = {0};
    fm_mcap_query query = {c->channel, 0, 0};
    fm_status status = fm_mcap_query_open(c->reader, &query, &cursor, c->error);
    while (status == FM_OK && (status = fm_mcap_next(cursor, &m, c->error)) == FM_OK && m.data) {
        if (!row) {
            status = fm_layout_measure(&c->layout, m.data, m.size, c->error);
            c->messages++;
        } else if ((status = fm_layout_read(&c->layout, m.data, m.size, row, c->error)) == FM_OK) {
            add_row(c, time_of(c, m.time, row), row);
        }
    }
    fm_mcap_query_close(cursor);
    return status;
}

static fm_status read_channel(channel_read *c)
{
    const fm_message *type;
    fm_error skipped = {0};
    if (fm_mcap_channel_type(c->reader, c->channel, &type, &skipped) != FM_OK)
        return FM_OK; /* a foreign encoding has no fields with names */
    fm_status status = fm_layout_init(&c->layout, type, c->error);
    if (status == FM_OK && (status = each_message(c, NULL)) == FM_OK &&
        (status = fm_layout_finish(&c->layout, FIELD_COLUMNS, c->error)) == FM_OK &&
        (status = fm_layout_use_ned(&c->layout, type, c->error)) == FM_OK && (status = choose(c)) == FM_OK) {
        fm_cell *row = fm_alloc((c->layout.count + 1) * sizeof *row);
        find_stamp(c);
        status = row ? each_message(c, row) : fm_fail(c->error, FM_ERR_MEMORY, "out of memory");
        fm_free(row);
    }
    fm_layout_free(&c->layout);
    return status;
}

fm_status fm_record_read_log(fm_record *record, fm_mcap_reader *reader, const char *file, const char *const *names,
                             size_t name_count, const char *const *topics, size_t topic_count, fm_error *error)
{
    const request wanted = {names, topics, name_count, topic_count};
    fm_status status = FM_OK;
    *record = (fm_record){.file = file};
    record->series = fm_arena_alloc(&record->arena, SERIES_MOST * sizeof *record->series);
    if (!record->series)
        return fm_fail(error, FM_ERR_MEMORY, "%s: out of memory", file);
    for (size_t i = 0; i < fm_mcap_channel_count(reader) && status == FM_OK; i++) {
        channel_read c = {.record = record,
                          .reader = reader,
                          .channel = fm_mcap_channel_at(reader, i),
                          .wanted = &wanted,
                          .first = record->count,
                          .error = error};
        if (is_wanted_channel(&wanted, c.channel->topic))
            status = read_channel(&c);
        record->count += c.count;
    }
    return status;
}
