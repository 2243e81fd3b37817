/* Lists of a vehicle: actuators, instruments with their fields, voices; and the samples of its instruments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"

enum { SAMPLE_PIECE = FM_WIRE_SAMPLE_MOST, SAMPLE_PARTS = 255 }; /* bytes; of one sample at most */

void fm_client_lists_free(fm_client_lists *lists)
{
    for (size_t i = 0; i < lists->instrument_count; i++) {
        free(lists->instruments[i].bytes);
        free(lists->instruments[i].coming);
    }
    free(lists->actuators);
    free(lists->instruments);
    free(lists->fields);
    free(lists->voices);
    free(lists->orders);
    memset(lists, 0, sizeof *lists);
}

void fm_client_lists_begin(fm_client *client, uint16_t vehicle)
{
    fm_client_lists_free(&client->lists);
    client->lists.vehicle = vehicle;
    if (vehicle || client->welcome.vehicle) {
        client->lists.what = FM_WIRE_ACTUATORS;
        client->lists.next = fm_client_now();
    }
}

static size_t got_of(const fm_client_lists *l, uint16_t what)
{
    return what == FM_WIRE_ACTUATORS     ? l->actuator_count
           : what == FM_WIRE_INSTRUMENTS ? l->instrument_count
           : what == FM_WIRE_FIELDS      ? l->field_count
                                         : l->voice_count;
}

static void send_describe(fm_client *client, uint16_t what, uint16_t vehicle, uint32_t first, const char *pattern)
{
    uint8_t bytes[FM_WIRE_SIZE_describe];
    fm_wire_out out = {.bytes = bytes, .room = sizeof bytes};
    fm_wire_describe describe = {.what = what, .vehicle = vehicle, .first = first};
    snprintf(describe.pattern, sizeof describe.pattern, "%s", pattern);
    fm_wire_put_describe(&out, &describe);
    fm_client_datagram_send(client, FM_WIRE_DESCRIBE, bytes, out.size);
}

void fm_client_lists_due(fm_client *client, uint64_t now)
{
    fm_client_lists *l = &client->lists;
    fm_client_wait *w = &client->wait;
    if (l->what && now >= l->next) {
        send_describe(client, l->what, l->vehicle, (uint32_t)got_of(l, l->what), "");
        l->next = now + FM_CLIENT_RETRY;
    }
    if (w->what && !w->done && now >= w->next) {
        send_describe(client, w->what, w->vehicle, w->first, w->pattern);
        w->next = now + FM_CLIENT_RETRY;
    }
}

uint64_t fm_client_lists_next(const fm_client *client)
{
    uint64_t lists = client->lists.what ? client->lists.next : 0;
    uint64_t wait = client->wait.what && !client->wait.done ? client->wait.next : 0;
    return !lists ? wait : !wait ? lists : lists < wait ? lists : wait;
}

/* Space for one more; NULL: no memory, and the list ends there. */
static void *one_more(void **rows, size_t count, size_t size)
{
    void *more = realloc(*rows, (count + 1) * size);
    if (!more)
        return NULL;
    *rows = more;
    char *row = (char *)more + count * size;
    memset(row, 0, size);
    return row;
}

static void add_actuator(fm_client_lists *l, fm_wire_in *in)
{
    fm_wire_actuator a;
    fm_client_actuator *row;
    if (fm_wire_get_actuator(in, &a) && (row = one_more((void **)&l->actuators, l->actuator_count, sizeof *row))) {
        memcpy(row->name, a.name, sizeof row->name);
        memcpy(row->unit, a.unit, sizeof row->unit);
        row->low = a.low;
        row->high = a.high;
        row->modes = a.modes;
        l->actuator_count++;
    }
}

static void add_instrument(fm_client_lists *l, fm_wire_in *in)
{
    fm_wire_instrument a;
    fm_client_instrument_row *row;
    if (fm_wire_get_instrument(in, &a) &&
        (row = one_more((void **)&l->instruments, l->instrument_count, sizeof *row))) {
        row->info = (fm_client_instrument){.id = a.id, .period = a.period, .size = a.size};
        memcpy(row->info.name, a.name, sizeof row->info.name);
        memcpy(row->info.kind, a.kind, sizeof row->info.kind);
        l->instrument_count++;
    }
}

static void add_field(fm_client_lists *l, fm_wire_in *in)
{
    fm_wire_field a;
    fm_client_field *row;
    if (fm_wire_get_field(in, &a) && (row = one_more((void **)&l->fields, l->field_count, sizeof *row))) {
        *row = (fm_client_field){.instrument = a.instrument,
                                 .type = a.type,
                                 .count = a.count,
                                 .offset = a.offset,
                                 .scale = a.scale,
                                 .shift = a.shift};
        memcpy(row->name, a.name, sizeof row->name);
        l->field_count++;
    }
}

static void add_voice(fm_client_lists *l, fm_wire_in *in)
{
    fm_wire_voice a;
    fm_client_voice *row;
    if (fm_wire_get_voice(in, &a) && (row = one_more((void **)&l->voices, l->voice_count, sizeof *row))) {
        *row = (fm_client_voice){.number = a.number,
                                 .modem = a.modem,
                                 .address = a.address,
                                 .frequency = (double)a.frequency,
                                 .level = (double)a.level,
                                 .most = a.most};
        memcpy(row->name, a.name, sizeof row->name);
        l->voice_count++;
    }
}

static void next_list(fm_client *client)
{
    static const uint16_t then[] = {[FM_WIRE_ACTUATORS] = FM_WIRE_INSTRUMENTS,
                                    [FM_WIRE_INSTRUMENTS] = FM_WIRE_FIELDS,
                                    [FM_WIRE_FIELDS] = FM_WIRE_VOICES,
                                    [FM_WIRE_VOICES] = 0};
    fm_client_lists *l = &client->lists;
    if (l->what == FM_WIRE_ACTUATORS)
        l->orders = calloc(l->actuator_count + 1, sizeof *l->orders);
    l->what = then[l->what];
}

static void take_list(fm_client *client, const fm_wire_description *d, fm_wire_in *in)
{
    static void (*const add[])(fm_client_lists *, fm_wire_in *) = {[FM_WIRE_ACTUATORS] = add_actuator,
                                                                   [FM_WIRE_INSTRUMENTS] = add_instrument,
                                                                   [FM_WIRE_FIELDS] = add_field,
                                                                   [FM_WIRE_VOICES] = add_voice};
    fm_client_lists *l = &client->lists;
    if (d->first != got_of(l, d->what))
        return; /* an answer that came twice */
    for (unsigned i = 0; i < d->count; i++) {
        const uint8_t *record = fm_wire_get_bytes(in, d->size);
        fm_wire_in one = {.bytes = record, .size = d->size};
        if (!record)
            return;
        add[d->what](l, &one);
    }
    if (got_of(l, d->what) >= d->total || d->count == 0)
        next_list(client);
    l->next = fm_client_now();
}

static void take_wait(fm_client_wait *w, const fm_wire_description *d, fm_wire_in *in)
{
    if (d->first != w->first)
        return;
    w->total = d->total;
    for (unsigned i = 0; i < d->count; i++) {
        const uint8_t *record = fm_wire_get_bytes(in, d->size);
        fm_wire_in one = {.bytes = record, .size = d->size};
        if (!record)
            return;
        w->take(w->user, w->first++, &one);
    }
    w->done = w->first >= w->total || d->count == 0;
    w->next = fm_client_now();
}

void fm_client_description_take(fm_client *client, fm_wire_in *in)
{
    fm_wire_description d;
    if (!fm_wire_get_description(in, &d) || d.what == 0)
        return;
    if (client->wait.what == d.what && !client->wait.done)
        take_wait(&client->wait, &d, in);
    else if (client->lists.what == d.what)
        take_list(client, &d, in);
}

/* --- samples --- */

static fm_client_instrument_row *find_row(const fm_client *client, uint16_t id)
{
    for (size_t i = 0; i < client->lists.instrument_count; i++)
        if (client->lists.instruments[i].info.id == id)
            return &client->lists.instruments[i];
    return NULL;
}

static void give_sample(fm_client *client, const fm_client_sample *sample)
{
    if (client->queue >= 0) {
        static const fm_mail none;
        fm_mail mail = none;
        mail.kind = FM_MAIL_SAMPLE;
        mail.is.sample = *sample;
        if (sample->size <= FM_MAIL_BYTES) {
            memcpy(mail.bytes, sample->bytes, sample->size);
            fm_client_mail(client, &mail);
        } else {
            client->info.mail_lost++;
        }
    }
    if (client->options.callbacks.sample)
        client->options.callbacks.sample(client->options.callbacks.user, sample);
}

static int has_memory(fm_client_instrument_row *row)
{
    size_t size = row->info.size ? row->info.size : 1;
    if (!row->bytes)
        row->bytes = calloc(1, size);
    if (!row->coming)
        row->coming = calloc(1, size);
    return row->bytes && row->coming;
}

/* 1: a piece that had not come yet. */
static int note_part(fm_client_instrument_row *row, uint64_t stamp, unsigned part)
{
    if (row->coming_stamp != stamp || !row->part_count) {
        row->coming_stamp = stamp;
        row->part_count = 0;
        memset(row->parts, 0, sizeof row->parts);
    }
    if (row->parts[part / 8] >> (part % 8) & 1)
        return 0;
    row->parts[part / 8] |= (uint8_t)(1u << (part % 8));
    row->part_count++;
    return 1;
}

/* 1: the sample is now complete, in row->bytes. */
static int put_piece(fm_client_instrument_row *row, const fm_wire_sensor *head, const fm_wire_sample *piece,
                     const uint8_t *bytes, size_t size)
{
    size_t at = (size_t)piece->part * SAMPLE_PIECE;
    unsigned parts = piece->parts ? piece->parts : 1;
    if (row->info.size > SAMPLE_PARTS * SAMPLE_PIECE || piece->part >= parts || at + size > row->info.size ||
        !has_memory(row))
        return 0;
    if (!note_part(row, head->time, piece->part))
        return 0;
    memcpy(row->coming + at, bytes, size);
    if (row->part_count < parts)
        return 0;
    uint8_t *whole = row->coming;
    row->coming = row->bytes;
    row->bytes = whole;
    row->stamp = head->time;
    row->flags = piece->flags;
    row->have = 1;
    row->part_count = 0;
    return 1;
}

static void take_sample(fm_client *client, uint16_t vehicle, const fm_wire_sensor *head, const uint8_t *bytes)
{
    fm_wire_in in = {.bytes = bytes, .size = head->length};
    fm_wire_sample piece;
    if (!fm_wire_get_sample(&in, &piece))
        return;
    const uint8_t *values = bytes + in.at;
    size_t size = head->length - in.at;
    uint16_t own = client->watched ? client->watched : client->welcome.vehicle;
    fm_client_instrument_row *row = vehicle == own ? find_row(client, head->id) : NULL;
    fm_client_sample sample = {.stamp = head->time, .vehicle = vehicle, .instrument = head->id, .flags = piece.flags};
    if (row) {
        if (!put_piece(row, head, &piece, values, size))
            return;
        sample.size = row->info.size;
        sample.bytes = row->bytes;
    } else if (piece.parts <= 1) { /* of another vehicle: as it comes */
        sample.size = size;
        sample.bytes = values;
    } else {
        return;
    }
    give_sample(client, &sample);
}

void fm_client_sensors_take(fm_client *client, const fm_wire_header *header, fm_wire_in *in)
{
    while (in->at < in->size) {
        fm_wire_sensor head;
        if (!fm_wire_get_sensor(in, &head))
            return;
        const uint8_t *bytes = fm_wire_get_bytes(in, head.length);
        if (!bytes)
            return;
        take_sample(client, header->source, &head, bytes);
    }
}

static double value_at(const uint8_t *at, uint8_t type)
{
    fm_wire_in in = {.bytes = at, .size = 8};
    uint64_t wide = type == FM_WIRE_F64 || type == FM_WIRE_I64 ? fm_wire_get_u64(&in) : 0;
    uint32_t narrow = type == FM_WIRE_F32 ? fm_wire_get_u32(&in) : 0;
    double f64;
    float f32;
    memcpy(&f64, &wide, sizeof f64);
    memcpy(&f32, &narrow, sizeof f32);
    return type == FM_WIRE_F64   ? f64
           : type == FM_WIRE_I64 ? (double)(int64_t)wide
           : type == FM_WIRE_F32 ? (double)f32
                                 : *at;
}

static size_t size_of(uint8_t type)
{
    return type == FM_WIRE_F64 || type == FM_WIRE_I64 ? 8 : type == FM_WIRE_F32 ? 4 : 1;
}

static const fm_client_field *find_field(const fm_client_lists *l, uint16_t instrument, const char *name)
{
    for (size_t i = 0; i < l->field_count; i++)
        if (l->fields[i].instrument == instrument && (!name || strcmp(l->fields[i].name, name) == 0))
            return &l->fields[i];
    return NULL;
}

size_t fm_client_sample_values(const fm_client *client, const fm_client_sample *sample, const char *field,
                               double *values, size_t room)
{
    if (!client || !sample || !sample->bytes || (!values && room))
        return 0;
    fm_client_lock(client);
    const fm_client_field *f = find_field(&client->lists, sample->instrument, field);
    size_t count = 0, width = f ? size_of(f->type) : 1;
    if (f && f->offset <= sample->size && f->count <= (sample->size - f->offset) / width) {
        count = f->count;
        for (size_t i = 0; i < count && i < room; i++)
            values[i] = f->scale * value_at(sample->bytes + f->offset + i * width, f->type) + f->shift;
    }
    fm_client_unlock(client);
    return count;
}

static const fm_client_instrument_row *find_instrument(const fm_client *client, const char *name)
{
    for (size_t i = 0; name && i < client->lists.instrument_count; i++)
        if (strcmp(client->lists.instruments[i].info.name, name) == 0)
            return &client->lists.instruments[i];
    return NULL;
}

size_t fm_client_read(const fm_client *client, const char *instrument, const char *field, double *values, size_t room,
                      uint64_t *stamp, unsigned *flags)
{
    size_t count = 0;
    if (!client)
        return 0;
    fm_client_lock(client);
    const fm_client_instrument_row *row = find_instrument(client, instrument);
    if (row && row->have) {
        fm_client_sample sample = {.instrument = row->info.id, .size = row->info.size, .bytes = row->bytes};
        count = fm_client_sample_values(client, &sample, field, values, room);
        if (stamp)
            *stamp = row->stamp;
        if (flags)
            *flags = row->flags;
    }
    fm_client_unlock(client);
    return count;
}

/* --- the lists, for callers --- */

#define LIST_FUNCTIONS(name, type, rows, count, part)                                                                  \
    size_t fm_client_##name##_count(const fm_client *client)                                                           \
    {                                                                                                                  \
        if (!client)                                                                                                   \
            return 0;                                                                                                  \
        fm_client_lock(client);                                                                                        \
        size_t n = client->lists.count;                                                                                \
        fm_client_unlock(client);                                                                                      \
        return n;                                                                                                      \
    }                                                                                                                  \
    int fm_client_##name##_get(const fm_client *client, size_t i, type *into)                                          \
    {                                                                                                                  \
        if (!client || !into)                                                                                          \
            return 0;                                                                                                  \
        fm_client_lock(client);                                                                                        \
        int there = i < client->lists.count;                                                                           \
        if (there)                                                                                                     \
            *into = client->lists.rows[i] part;                                                                        \
        fm_client_unlock(client);                                                                                      \
        return there;                                                                                                  \
    }
LIST_FUNCTIONS(actuator, fm_client_actuator, actuators, actuator_count, )
LIST_FUNCTIONS(instrument, fm_client_instrument, instruments, instrument_count, .info)
LIST_FUNCTIONS(voice, fm_client_voice, voices, voice_count, )

int fm_client_actuator_find(const fm_client *client, const char *name)
{
    int found = -1;
    if (!client || !name)
        return -1;
    fm_client_lock(client);
    for (size_t i = 0; i < client->lists.actuator_count && found < 0; i++)
        if (strcmp(client->lists.actuators[i].name, name) == 0)
            found = (int)i;
    fm_client_unlock(client);
    return found;
}
