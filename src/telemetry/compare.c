#include "telemetry/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "telemetry/layout.h"

/* Two logs read side by side. */
typedef struct pair {
    fm_mcap_cursor *cursor[2];
    fm_mcap_message message[2];
} pair;

static fm_status open_pair(pair *p, fm_mcap_reader *const reader[2], const fm_mcap_channel *const channel[2],
                           fm_error *error)
{
    *p = (pair){0};
    fm_status status = FM_OK;
    for (int i = 0; i < 2 && status == FM_OK; i++)
        status = fm_mcap_query_open(reader[i], &(fm_mcap_query){.channel = channel ? channel[i] : NULL}, &p->cursor[i],
                                    error);
    return status;
}

static fm_status next_pair(pair *p, fm_error *error)
{
    fm_status status = fm_mcap_next(p->cursor[0], &p->message[0], error);
    return status == FM_OK ? fm_mcap_next(p->cursor[1], &p->message[1], error) : status;
}

static void close_pair(pair *p)
{
    fm_mcap_query_close(p->cursor[0]);
    fm_mcap_query_close(p->cursor[1]);
}

static int same_message(const pair *p)
{
    const fm_mcap_message *a = &p->message[0], *b = &p->message[1];
    return a->time == b->time && a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

static const char *topic_of(const fm_mcap_reader *reader, uint16_t id, const char **table)
{
    for (size_t i = 0; !table[id] && i < fm_mcap_channel_count(reader); i++)
        if (fm_mcap_channel_at(reader, i)->id == id)
            table[id] = fm_mcap_channel_at(reader, i)->topic;
    return table[id] ? table[id] : "";
}

fm_status fm_compare_all(fm_mcap_reader *a, fm_mcap_reader *b, int *same, fm_error *error)
{
    fm_mcap_reader *const readers[2] = {a, b};
    const char **topics = fm_alloc(2 * 65536 * sizeof *topics);
    pair p;
    *same = fm_mcap_channel_count(a) == fm_mcap_channel_count(b);
    if (!topics)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a comparison");
    fm_status status = open_pair(&p, readers, NULL, error);
    while (status == FM_OK && *same && (status = next_pair(&p, error)) == FM_OK) {
        if (!p.message[0].data || !p.message[1].data) {
            *same = p.message[0].data == p.message[1].data;
            break;
        }
        *same = same_message(&p) && strcmp(topic_of(a, p.message[0].channel, topics),
                                           topic_of(b, p.message[1].channel, topics + 65536)) == 0;
    }
    close_pair(&p);
    fm_free(topics);
    return status;
}

/* --- one channel ---------------------------------------------------------------------------------------------------
 */

static void note_first(fm_difference *d, uint64_t time, const char *field)
{
    if (d->differing > 0)
        return;
    d->first_time = time;
    snprintf(d->first_field, sizeof d->first_field, "%s", field);
}

static void compare_rows(const fm_layout *layout, const fm_cell *a, const fm_cell *b, uint64_t time, fm_difference *d)
{
    const char *first = NULL;
    for (size_t i = 0; i < layout->count; i++) {
        if (fm_cell_same(&a[i], &b[i]))
            continue;
        double apart = fabs(fm_cell_number(&a[i]) - fm_cell_number(&b[i]));
        first = first ? first : layout->columns[i].path;
        if (!(apart > d->largest))
            continue;
        d->largest = apart;
        d->largest_time = time;
        snprintf(d->largest_field, sizeof d->largest_field, "%s", layout->columns[i].path);
        snprintf(d->unit, sizeof d->unit, "%s", layout->columns[i].unit);
    }
    note_first(d, time, first ? first : "bytes that are not listed");
}

static fm_status measure_both(pair *p, fm_layout *layout, fm_error *error)
{
    fm_status status = FM_OK;
    while (status == FM_OK && (status = next_pair(p, error)) == FM_OK && (p->message[0].data || p->message[1].data))
        for (int i = 0; i < 2 && status == FM_OK; i++)
            if (p->message[i].data)
                status = fm_layout_measure(layout, p->message[i].data, p->message[i].size, error);
    return status == FM_OK ? fm_layout_finish(layout, 65536, error) : status;
}

static fm_status compare_pairs(pair *p, const fm_layout *layout, fm_difference *d, fm_error *error)
{
    fm_cell *rows = fm_alloc(2 * (layout->count + 1) * sizeof *rows), *second = rows + layout->count;
    fm_status status = rows ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "out of memory for a comparison");
    while (status == FM_OK && (status = next_pair(p, error)) == FM_OK) {
        const fm_mcap_message *a = &p->message[0], *b = &p->message[1];
        d->messages[0] += a->data != NULL;
        d->messages[1] += b->data != NULL;
        if (!a->data && !b->data)
            break;
        if (!a->data || !b->data) {
            note_first(d, a->data ? a->time : b->time, "end");
            d->differing++;
        } else if (!same_message(p)) {
            if (a->time != b->time)
                note_first(d, a->time < b->time ? a->time : b->time, "time");
            status = fm_layout_read(layout, a->data, a->size, rows, error);
            if (status == FM_OK)
                status = fm_layout_read(layout, b->data, b->size, second, error);
            if (status == FM_OK)
                compare_rows(layout, rows, second, a->time, d);
            d->differing++;
        }
    }
    fm_free(rows);
    return status;
}

fm_status fm_compare_channel(fm_mcap_reader *a, const fm_mcap_channel *in_a, fm_mcap_reader *b,
                             const fm_mcap_channel *in_b, fm_difference *d, fm_error *error)
{
    fm_mcap_reader *const readers[2] = {a, b};
    const fm_mcap_channel *const channels[2] = {in_a, in_b};
    const fm_message *type;
    fm_layout layout;
    pair p;
    *d = (fm_difference){.messages = {in_a->messages, in_b->messages}};
    if (!in_a->schema || !in_b->schema || in_a->schema->size != in_b->schema->size ||
        memcmp(in_a->schema->data, in_b->schema->data, in_a->schema->size) != 0) {
        d->type_differs = 1;
        return FM_OK;
    }
    d->messages[0] = d->messages[1] = 0;
    fm_status status = fm_mcap_channel_type(a, in_a, &type, error);
    if (status == FM_OK)
        status = fm_layout_init(&layout, type, error);
    if (status != FM_OK)
        return status;
    status = open_pair(&p, readers, channels, error);
    if (status == FM_OK)
        status = measure_both(&p, &layout, error);
    close_pair(&p);
    if (status == FM_OK) {
        status = open_pair(&p, readers, channels, error);
        if (status == FM_OK)
            status = compare_pairs(&p, &layout, d, error);
        close_pair(&p);
    }
    fm_layout_free(&layout);
    return status;
}
