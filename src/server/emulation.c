/* Values of instruments that emulators send (SENSOR_PUT). The newest value of each waits for the next step, which
 * passes it to the world as inputs: the vehicle's own controllers see it, and it is recorded and replayed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "server/core.h"
#include "world/inputs.h"

#define STALE 2.0 /* s of simulation without news */

static void forget(fm_server *server, fm_emulated *gone)
{
    for (fm_emulated **link = &server->emulated; *link; link = &(*link)->next)
        if (*link == gone) {
            *link = gone->next;
            fm_free(gone->values);
            fm_free(gone);
            return;
        }
}

void fm_emulated_free(fm_server *server)
{
    while (server->emulated)
        forget(server, server->emulated);
}

/* --- into the world; the stepping thread, with the lock --- */

/* The next value, SI; counts on. */
static double read_value(int type, const uint8_t **at)
{
    double real;
    float single;
    int64_t whole;
    const uint8_t *from = *at;
    switch (type) {
    case FM_WIRE_U8: *at += 1; return from[0];
    case FM_WIRE_F32: *at += 4; return memcpy(&single, from, sizeof single), (double)single;
    case FM_WIRE_I64: *at += 8; return memcpy(&whole, from, sizeof whole), (double)whole;
    default: *at += 8; return memcpy(&real, from, sizeof real), real;
    }
}

static fm_status sense_field(fm_world *world, const fm_emulated *e, const fm_sample *sample, const uint8_t **at)
{
    char target[96];
    fm_status status = FM_OK;
    for (size_t i = 0; i < sample->count && status == FM_OK; i++) {
        snprintf(target, sizeof target, "%s/%s[%zu]", e->instrument, sample->name, i);
        status = fm_world_sense(world, e->vehicle, target, read_value(fm_sample_type(sample), at), NULL);
    }
    return status;
}

static fm_status sense_all(fm_world *world, const fm_emulated *e)
{
    int slot = fm_world_find(world, e->vehicle), i = fm_world_instrument_find(world, slot, e->instrument);
    const uint8_t *at = e->values;
    fm_status status = i < 0 ? FM_ERR_NAME : FM_OK;
    size_t fields = i < 0 ? 0 : fm_world_instrument(world, slot, (size_t)i).field_count;
    for (size_t k = 0; k < fields && status == FM_OK; k++) {
        fm_sample sample = fm_world_instrument_field(world, slot, (size_t)i, k);
        if (fm_sample_type(&sample))
            status = sense_field(world, e, &sample, &at);
    }
    return status;
}

/* The first of its numbers that is not a text marks all of them as stale. */
static void mark_stale(fm_world *world, fm_emulated *e)
{
    int slot = fm_world_find(world, e->vehicle), i = fm_world_instrument_find(world, slot, e->instrument);
    char target[96];
    fm_sample sample = {0};
    for (size_t k = 0; i >= 0 && (k == 0 || (sample.name && !fm_sample_type(&sample))); k++)
        sample = fm_world_instrument_field(world, slot, (size_t)i, k);
    snprintf(target, sizeof target, "%s/%s", e->instrument, sample.name ? sample.name : "");
    fm_world_sense(world, e->vehicle, target, (double)NAN, NULL);
    e->stale = 1;
}

/* 1: it is not needed any more. */
static int steer_emulated(fm_world *world, fm_emulated *e)
{
    double now = (double)fm_world_steps(world) * fm_model_dt(fm_world_model(world));
    char path[96];
    if (e->ends) {
        snprintf(path, sizeof path, "/%s/%s/fault", e->vehicle, e->instrument);
        return fm_world_set(world, path, 0, NULL) != FM_ERR_FULL;
    }
    if (e->waits) {
        fm_status status = sense_all(world, e);
        e->waits = status == FM_ERR_FULL; /* with the next step */
        e->arrived = now;
        e->stale = 0;
        return status != FM_OK && status != FM_ERR_FULL;
    }
    if (!e->stale && now - e->arrived > STALE)
        mark_stale(world, e);
    return 0;
}

void fm_emulated_steer(fm_server *server, fm_run *run)
{
    for (fm_emulated *e = server->emulated, *next; e; e = next) {
        next = e->next;
        if (steer_emulated(fm_run_world(run), e))
            forget(server, e);
    }
}

/* --- from datagrams; the loop's thread, with the lock --- */

static fm_emulated *find_emulated(fm_server *server, const char *vehicle, const char *instrument)
{
    for (fm_emulated *e = server->emulated; e; e = e->next)
        if (strcmp(e->vehicle, vehicle) == 0 && strcmp(e->instrument, instrument) == 0)
            return e;
    return NULL;
}

static fm_emulated *make_emulated(fm_server *server, const fm_session *s, const char *instrument, size_t size)
{
    fm_emulated *e = fm_alloc(sizeof *e);
    if (!e || !(e->values = fm_alloc(size))) {
        fm_free(e);
        return NULL;
    }
    snprintf(e->vehicle, sizeof e->vehicle, "%s", s->vehicle);
    snprintf(e->instrument, sizeof e->instrument, "%s", instrument);
    e->size = size;
    e->next = server->emulated;
    return server->emulated = e;
}

/* A vehicle of the scenario, or one that a client added. Types never change. */
static const fm_type *type_of(const fm_server *server, const char *vehicle)
{
    const char *like = vehicle;
    for (size_t i = 0; i < server->session_count; i++) {
        const fm_session *s = server->sessions[i];
        if (s->life != FM_SESSION_FREE && s->brought && strcmp(s->asked.name, vehicle) == 0)
            like = s->asked.model;
    }
    int type = fm_model_find_type(server->model, like);
    return type < 0 ? NULL : &server->model->types[type];
}

static int is_told(const fm_output *output)
{
    return output->reach != FM_OUTPUT_INNER;
}

/* The instrument of a number, numbered as in DESCRIBE instruments. */
static const fm_part *part_of(const fm_type *type, size_t number)
{
    for (size_t i = 0; type && i < type->part_count; i++) {
        const fm_part *part = &type->parts[i];
        size_t told = 0;
        for (size_t k = 0; k < part->output_count; k++)
            told += (size_t)is_told(&part->outputs[k]);
        if (told && number-- == 0)
            return part;
    }
    return NULL;
}

/* The number of bytes must match the instrument's values, and all numbers must be finite. */
static int values_are_sound(const fm_part *part, const uint8_t *bytes, size_t size)
{
    const uint8_t *at = bytes, *end = bytes + size;
    for (size_t i = 0; i < part->output_count; i++) {
        fm_sample sample = {.type = part->outputs[i].type, .count = part->outputs[i].count};
        if (!is_told(&part->outputs[i]) || !fm_sample_type(&sample))
            continue;
        if (fm_sample_size(&sample) > (size_t)(end - at))
            return 0;
        for (size_t k = 0; k < sample.count; k++)
            if (!isfinite(read_value(fm_sample_type(&sample), &at)))
                return 0;
    }
    return at == end;
}

static fm_status put_sample(fm_server *server, const fm_session *s, fm_wire_in *payload)
{
    fm_wire_sensor head;
    fm_wire_sample sample;
    fm_wire_get_sensor(payload, &head);
    fm_wire_in inside = {.bytes = fm_wire_get_bytes(payload, head.length), .size = head.length};
    if (!inside.bytes || !fm_wire_get_sample(&inside, &sample) || sample.parts > 1)
        return FM_ERR_SYNTAX;
    const fm_part *part = part_of(type_of(server, s->vehicle), head.id);
    const uint8_t *values = inside.bytes + inside.at;
    size_t size = inside.size - inside.at;
    if (!part || !part->fault)
        return FM_ERR_NAME;
    fm_emulated *e = find_emulated(server, s->vehicle, part->name);
    if (size == 0) {
        if (e)
            e->ends = 1;
        return FM_OK;
    }
    if (!values_are_sound(part, values, size))
        return FM_ERR_RANGE;
    if (!e && !(e = make_emulated(server, s, part->name, size)))
        return FM_ERR_MEMORY;
    memcpy(e->values, values, size);
    e->session = s->id;
    e->generation = s->generation;
    e->waits = 1;
    e->ends = 0;
    return FM_OK;
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

void fm_session_give_back(fm_server *server, const fm_session *s)
{
    for (fm_emulated *e = server->emulated; e; e = e->next)
        if (e->session == s->id && e->generation == s->generation)
            e->ends = 1;
}
