/* Values of instruments as clients are told them; those of emulators outside take the place of the simulated ones. */
#include <fathom/instrument.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "net/core.h"

#define STALE 2.0 /* s of the clock without news */

int fm_sample_type(const fm_sample *sample)
{
    switch (sample->type) {
    case FM_OUTPUT_UINT8: return FM_WIRE_U8;
    case FM_OUTPUT_FLOAT32: return FM_WIRE_F32;
    case FM_OUTPUT_INT64: return FM_WIRE_I64;
    case FM_OUTPUT_TEXT: return 0;
    default: return FM_WIRE_F64;
    }
}

size_t fm_sample_size(const fm_sample *sample)
{
    static const size_t sizes[] = {0, 8, 4, 8, 1};
    return sizes[fm_sample_type(sample)] * sample->count;
}

static void pack(const fm_sample *sample, uint8_t *at)
{
    if (fm_sample_type(sample) != FM_WIRE_F64) {
        memcpy(at, sample->data, fm_sample_size(sample));
        return;
    }
    for (size_t i = 0; i < sample->count; i++) { /* SI */
        double value;
        memcpy(&value, (const char *)sample->data + 8 * i, sizeof value);
        value = sample->scale * value + sample->shift;
        memcpy(at + 8 * i, &value, sizeof value);
    }
}

static fm_emulated *find_emulated(fm_server *server, const char *vehicle, const char *instrument)
{
    for (fm_emulated *e = server->emulated; e; e = e->next)
        if (strcmp(e->vehicle, vehicle) == 0 && strcmp(e->instrument, instrument) == 0)
            return e;
    return NULL;
}

/* --- reading; stepping thread, with the lock --- */

static size_t pack_fields(const fm_world *world, int slot, size_t instrument, size_t fields, uint8_t *values,
                          size_t room)
{
    size_t size = 0;
    for (size_t k = 0; k < fields; k++) {
        fm_sample sample = fm_world_instrument_field(world, slot, instrument, k);
        size_t more = fm_sample_size(&sample);
        if (values && size + more <= room)
            pack(&sample, values + size);
        size += more;
    }
    return size;
}

size_t fm_sample_read(fm_server *server, const fm_world *world, int slot, size_t instrument, fm_sample_head *head,
                      uint8_t *values, size_t room)
{
    fm_instrument_info info = fm_world_instrument(world, slot, instrument);
    *head = (fm_sample_head){.time = info.time, .count = info.samples, .flags = info.valid ? FM_WIRE_SAMPLE_VALID : 0};
    if (!info.name)
        return 0;
    const fm_emulated *e = server->emulated ? find_emulated(server, fm_world_name(world, slot), info.name) : NULL;
    if (!e)
        return pack_fields(world, slot, instrument, info.field_count, values, room);
    int stale = server->now - e->renewed > STALE;
    head->time = e->time;
    head->count = 2 * e->count + (uint64_t)stale + ((uint64_t)1 << 62); /* never that of the simulated one */
    head->flags = FM_WIRE_SAMPLE_EXTERNAL | (stale ? FM_WIRE_SAMPLE_STALE : FM_WIRE_SAMPLE_VALID);
    if (values)
        memcpy(values, e->values, e->size < room ? e->size : room);
    return e->size;
}

size_t fm_server_sample(fm_server *server, const fm_world *world, int slot, size_t instrument, double *time, int *flags,
                        void *values, size_t room)
{
    fm_sample_head head;
    fm_server_lock(server);
    size_t size = fm_sample_read(server, world, slot, instrument, &head, values, room);
    fm_server_unlock(server);
    if (time)
        *time = head.time;
    if (flags)
        *flags = head.flags;
    return size;
}

/* --- from outside --- */

static void give_back(fm_server *server, fm_emulated *gone)
{
    for (fm_emulated **link = &server->emulated; *link; link = &(*link)->next)
        if (*link == gone) {
            *link = gone->next;
            fm_free(gone->values);
            fm_free(gone);
            return;
        }
}

static fm_emulated *make_emulated(fm_server *server, const char *vehicle, const char *instrument, size_t size)
{
    fm_emulated *e = fm_alloc(sizeof *e);
    if (!e || !(e->values = fm_alloc(size))) {
        fm_free(e);
        return NULL;
    }
    strcpy(e->vehicle, vehicle);
    strcpy(e->instrument, instrument);
    e->size = size;
    e->next = server->emulated;
    return server->emulated = e;
}

/* The size of an instrument's values by the types of the model; 0: there is none. Types never change. */
static size_t size_of_outputs(const fm_part *part)
{
    size_t size = 0;
    for (size_t i = 0; i < part->output_count; i++) {
        fm_sample sample = {.type = part->outputs[i].type, .count = part->outputs[i].count};
        if (part->outputs[i].reach != FM_OUTPUT_INNER)
            size += fm_sample_size(&sample);
    }
    return size;
}

static size_t size_in_type(const fm_type *type, const char *instrument)
{
    for (size_t i = 0; i < type->part_count; i++)
        if (strcmp(type->parts[i].name, instrument) == 0)
            return size_of_outputs(&type->parts[i]);
    return 0;
}

/* Of the scenario's vehicle, or of one that a client has brought. */
static size_t size_of_instrument(const fm_server *server, const char *vehicle, const char *instrument)
{
    const fm_model *m = server->model;
    const char *like = vehicle;
    for (size_t i = 0; i < server->session_count; i++)
        if (server->sessions[i]->life != FM_SESSION_FREE && strcmp(server->sessions[i]->asked.name, vehicle) == 0)
            like = server->sessions[i]->asked.model;
    for (size_t i = 0; i < m->vehicle_count; i++)
        if (strcmp(m->vehicles[i].name, like) == 0)
            return size_in_type(&m->types[m->vehicles[i].type], instrument);
    for (size_t i = 0; i < m->type_count; i++)
        if (strcmp(m->types[i].name, like) == 0)
            return size_in_type(&m->types[i], instrument);
    return 0;
}

static fm_status emulate(fm_server *server, const char *vehicle, const char *instrument, double time,
                         const void *values, size_t size, fm_error *error)
{
    fm_emulated *e = find_emulated(server, vehicle, instrument);
    size_t wanted = size_of_instrument(server, vehicle, instrument);
    if (wanted == 0)
        return fm_fail(error, FM_ERR_NAME, "'%s' has no instrument '%s'", vehicle, instrument);
    if (size == 0) {
        if (e)
            give_back(server, e);
        return FM_OK;
    }
    if (size != wanted)
        return fm_fail(error, FM_ERR_RANGE, "'%s' of '%s': found %zu bytes, accepted %zu", instrument, vehicle, size,
                       wanted);
    if (!e && !(e = make_emulated(server, vehicle, instrument, size)))
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for the values of '%s'", instrument);
    memcpy(e->values, values, size);
    e->time = isfinite(time) ? time : (double)server->time * 1e-4;
    e->renewed = server->clock(server->outside);
    e->count++;
    return FM_OK;
}

fm_status fm_server_emulate(fm_server *server, const char *vehicle, const char *instrument, double time,
                            const void *values, size_t size, fm_error *error)
{
    if (!server || !vehicle || !instrument || strlen(vehicle) >= 32 || strlen(instrument) >= 32 || (size && !values))
        return fm_fail(error, FM_ERR_ARGUMENT, "there is no server, no name of up to 31 bytes, or no values");
    fm_server_lock(server);
    fm_status status = emulate(server, vehicle, instrument, time, values, size, error);
    fm_server_unlock(server);
    return status;
}

void fm_emulated_free(fm_server *server)
{
    while (server->emulated)
        give_back(server, server->emulated);
}

/* --- SENSOR_PUT; the loop's thread, with the lock --- */

/* The instrument of a number, as DESCRIBE instruments counts them. */
static const fm_part *part_of(const fm_server *server, const char *vehicle, size_t number)
{
    const fm_model *m = server->model;
    const fm_type *type = NULL;
    for (size_t i = 0; i < m->vehicle_count; i++)
        if (strcmp(m->vehicles[i].name, vehicle) == 0)
            type = &m->types[m->vehicles[i].type];
    for (size_t i = 0; !type && i < server->session_count; i++)
        for (size_t k = 0; k < m->type_count; k++)
            if (server->sessions[i]->life != FM_SESSION_FREE && !strcmp(server->sessions[i]->asked.name, vehicle) &&
                !strcmp(m->types[k].name, server->sessions[i]->asked.model))
                type = &m->types[k];
    for (size_t i = 0; type && i < type->part_count; i++) {
        size_t told = 0;
        for (size_t k = 0; k < type->parts[i].output_count; k++)
            told += type->parts[i].outputs[k].reach != FM_OUTPUT_INNER;
        if (told && number-- == 0)
            return &type->parts[i];
    }
    return NULL;
}

static fm_status put_sample(fm_server *server, const fm_session *s, fm_wire_in *payload)
{
    fm_wire_sensor head;
    fm_wire_sample sample;
    fm_wire_get_sensor(payload, &head);
    fm_wire_in inside = {.bytes = fm_wire_get_bytes(payload, head.length), .size = head.length};
    if (!inside.bytes || !fm_wire_get_sample(&inside, &sample) || sample.parts > 1)
        return FM_ERR_SYNTAX;
    const fm_part *part = part_of(server, s->vehicle, head.id);
    if (!part)
        return FM_ERR_NAME;
    return emulate(server, s->vehicle, part->name, head.time ? (double)head.time * 1e-4 : NAN, inside.bytes + inside.at,
                   inside.size - inside.at, NULL);
}

void fm_session_put_samples(fm_server *server, fm_session *s, const fm_wire_header *h, fm_wire_in *payload)
{
    while (payload->at < payload->size && !payload->fault) {
        fm_status status = put_sample(server, s, payload);
        if (status == FM_OK)
            continue;
        fm_drop_count(server, s, FM_WIRE_FAULT_VALUE);
        fm_session_send_error(server, s, h, status == FM_ERR_NAME ? FM_WIRE_UNKNOWN_NAME : FM_WIRE_BAD_VALUE);
        return;
    }
}
