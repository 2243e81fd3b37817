/* DESCRIBE: all lists, one page at a time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "server/core.h"
#include "server/voices.h"

/* The list being written: records from `first` on, as many as fit. */
typedef struct page {
    fm_server *server;
    const fm_world *world;     /* NULL: none */
    const fm_session *session; /* that asks */
    int slot;                  /* the vehicle in question; -1: none */
    const fm_wire_describe *ask;
    fm_wire_out *out;
    uint32_t total;
    uint16_t count, size;
} page;

/* Whether the next record is wanted and fits; it is counted in either case. */
static int wants(page *p, size_t size)
{
    uint32_t at = p->total++;
    p->size = (uint16_t)size;
    if (at < p->ask->first || at != p->ask->first + p->count || p->out->size + size > p->out->room)
        return 0;
    p->count++;
    return 1;
}

#define WRITE(page, name, record)                                                                                      \
    do {                                                                                                               \
        if (wants(page, FM_WIRE_SIZE_##name))                                                                          \
            fm_wire_put_##name((page)->out, record);                                                                   \
    } while (0)

static double told_number(double value)
{
    return isfinite(value) ? value : 0;
}

#define COPY(to, from) snprintf(to, sizeof to, "%.*s", (int)sizeof to - 1, from)

/* --- of a vehicle --- */

static void list_actuators(page *p)
{
    const fm_type *type = p->world->slots[p->slot].type;
    for (size_t i = 0; i < type->actuator_count && i < FM_WIRE_VALUES; i++) {
        const fm_actuator *a = &type->actuators[i];
        fm_wire_actuator record = {.low = told_number(a->low), .high = told_number(a->high)};
        COPY(record.name, type->actuator_names[i]);
        COPY(record.unit, type->actuator_units[i]);
        for (int mode = 0; mode < FM_WIRE_MODES; mode++)
            if (fm_actuator_takes(type, i, mode))
                record.modes |= (uint8_t)(1u << mode);
        WRITE(p, actuator, &record);
    }
}

static void list_instruments(page *p)
{
    for (size_t i = 0; i < fm_world_instrument_count(p->world, p->slot); i++) {
        fm_instrument_info info = fm_world_instrument(p->world, p->slot, i);
        fm_wire_instrument record = {.id = (uint16_t)i, .period = info.period};
        for (size_t k = 0; k < info.field_count; k++) {
            fm_sample sample = fm_world_instrument_field(p->world, p->slot, i, k);
            record.size += (uint32_t)fm_sample_size(&sample);
            record.fields = (uint16_t)(record.fields + (fm_sample_type(&sample) != 0));
        }
        COPY(record.name, info.name);
        COPY(record.kind, info.kind);
        WRITE(p, instrument, &record);
    }
}

static void list_fields(page *p)
{
    for (size_t i = 0; i < fm_world_instrument_count(p->world, p->slot); i++) {
        size_t count = fm_world_instrument(p->world, p->slot, i).field_count, offset = 0;
        for (size_t k = 0; k < count; k++) {
            fm_sample sample = fm_world_instrument_field(p->world, p->slot, i, k);
            int type = fm_sample_type(&sample);
            fm_wire_field record = {.instrument = (uint16_t)i,
                                    .type = (uint8_t)type,
                                    .count = (uint32_t)sample.count,
                                    .offset = (uint32_t)offset,
                                    .scale = type == FM_WIRE_F64 ? 1 : sample.scale,
                                    .shift = type == FM_WIRE_F64 ? 0 : sample.shift};
            COPY(record.name, sample.name);
            COPY(record.unit, sample.unit);
            offset += fm_sample_size(&sample);
            if (type)
                WRITE(p, field, &record);
        }
    }
}

static void list_voices(page *p)
{
    const fm_type *type = p->world->slots[p->slot].type;
    const fm_part *part;
    for (int modem = 0; modem < 2; modem++)
        for (size_t i = 0; (part = fm_voice_find(type, modem, i)); i++) {
            fm_wire_voice record = fm_voice_describe(p->world, p->slot, part, modem, i);
            WRITE(p, voice, &record);
        }
}

static void list_owners(page *p)
{
    const fm_slot *slot = &p->world->slots[p->slot];
    const fm_actuator_state *states = fm_actuator_states(slot->type, slot->vehicle);
    for (size_t i = 0; i < slot->type->actuator_count && i < FM_WIRE_VALUES; i++) {
        fm_owner owner;
        if (fm_world_owner(p->world, p->slot, i, &owner) != FM_OK)
            return;
        fm_wire_owner record = {.kind = (uint8_t)fm_session_owner(p->session, &owner),
                                .taken = (uint8_t)owner.taken,
                                .order = told_number(states[i].order)};
        COPY(record.actuator, slot->type->actuator_names[i]);
        COPY(record.name, owner.name);
        WRITE(p, owner, &record);
    }
}

static void list_setpoints(page *p)
{
    for (size_t i = 0; i < fm_world_setpoint_count(p->world, p->slot); i++) {
        fm_setpoint_info info = fm_world_setpoint(p->world, p->slot, i);
        fm_wire_setpoint record = {.least = info.min,
                                   .most = info.max,
                                   .value = told_number(info.value),
                                   .set = isfinite(info.value) != 0,
                                   .optional = (uint8_t)(info.optional != 0)};
        COPY(record.part, info.part);
        COPY(record.name, info.name);
        COPY(record.unit, info.unit);
        WRITE(p, setpoint, &record);
    }
}

static void list_controllers(page *p)
{
    const fm_type *type = p->world->slots[p->slot].type;
    for (size_t i = 0; i < type->controller_count; i++) {
        const fm_part *part = &type->parts[type->sensor_count + i];
        fm_wire_controller record = {.engaged = fm_world_engaged(p->world, p->slot, part->name) != 0};
        COPY(record.name, part->name);
        COPY(record.kind, part->part_class->element->name);
        WRITE(p, controller, &record);
    }
}

/* --- of the world --- */

static uint16_t client_of(const fm_server *server, const char *vehicle)
{
    for (size_t i = 0; i < server->session_count; i++) {
        const fm_session *s = server->sessions[i];
        if (s->life >= FM_SESSION_LIVE && s->role != FM_WIRE_EMULATOR && strcmp(s->vehicle, vehicle) == 0)
            return s->id;
    }
    return 0;
}

static void list_vehicles(page *p)
{
    for (int slot = 0; slot < fm_world_slots(p->world); slot++) {
        const char *name = fm_world_name(p->world, slot);
        if (!name)
            continue;
        fm_wire_vehicle record = {.number = (uint16_t)(slot + 1), .client = client_of(p->server, name)};
        COPY(record.name, name);
        COPY(record.model, p->world->slots[slot].type->name);
        WRITE(p, vehicle, &record);
    }
}

static void list_models(page *p)
{
    const fm_model *m = p->server->model;
    for (size_t i = 0; i < m->type_count; i++) {
        int again = 0;
        for (size_t k = 0; k < i; k++)
            again |= strcmp(m->types[k].name, m->types[i].name) == 0;
        fm_wire_model record = {{0}};
        COPY(record.name, m->types[i].name);
        if (!again)
            WRITE(p, model, &record);
    }
}

static void list_clients(page *p)
{
    for (size_t i = 0; i < p->server->session_count; i++) {
        const fm_session *s = p->server->sessions[i];
        if (s->life < FM_SESSION_LIVE)
            continue;
        fm_wire_client record = {.id = s->id,
                                 .role = (uint8_t)s->role,
                                 .flags = (uint8_t)((s->life == FM_SESSION_LIVE ? FM_WIRE_CLIENT_CONNECTED : 0) |
                                                    (s->participant ? FM_WIRE_CLIENT_LOCKSTEP : 0) |
                                                    (s->address.local ? FM_WIRE_CLIENT_LOCAL : 0)),
                                 .vehicle = (uint16_t)(s->slot + 1),
                                 .reply = isfinite(s->reply) ? (uint64_t)(s->reply * 1e9) : 0,
                                 .silence = (uint32_t)fmax(0, (p->server->now - s->heard) * 1e3),
                                 .received = s->received,
                                 .sent = s->sent,
                                 .dropped = s->dropped};
        COPY(record.name, s->asked.name);
        COPY(record.model, s->asked.model);
        fm_address_write(&s->address, record.address, &record.port);
        WRITE(p, client, &record);
    }
}

static void list_counters(page *p)
{
    fm_wire_counter counters[64];
    size_t count = fm_counters_read(p->server, counters, 64);
    for (size_t i = 0; i < count && i < 64; i++)
        WRITE(p, counter, &counters[i]);
}

/* --- parameters --- */

/* Lists a value that waits for the next step as already set. */
static double value_of(const fm_world *world, const char *path, double stored)
{
    double value = stored;
    if (world && fm_world_get(world, path, &value, NULL) != FM_OK)
        return stored;
    for (size_t i = world ? world->input_first : 0; world && i < world->input_count; i++) {
        const fm_command *command = &world->inputs[i].command;
        if (command->kind == FM_COMMAND_SET && fm_text_name_equal(command->set.path, path))
            value = command->set.value;
    }
    return value;
}

static int fits(const page *p, const char *path)
{
    return !p->ask->pattern[0] || strstr(path, p->ask->pattern) != NULL;
}

static void write_parameter(page *p, const char *path, const char *unit, double low, double high, int live,
                            double value)
{
    fm_wire_parameter record = {.least = told_number(low), .most = told_number(high), .live = (uint8_t)(live != 0)};
    if (!fits(p, path) || strlen(path) >= sizeof record.path)
        return;
    COPY(record.path, path);
    COPY(record.unit, unit);
    record.value = told_number(live ? value_of(p->world, path, value) : value);
    WRITE(p, parameter, &record);
}

/* Those of vehicles added later are not in the model's list. */
static void list_spawned(page *p)
{
    for (int slot = 0; p->world && slot < p->world->slot_count; slot++) {
        const fm_slot *at = &p->world->slots[slot];
        if (at->vehicle->life == FM_EMPTY || at->vehicle->placement >= 0)
            continue;
        for (size_t i = 0; i < at->type->live_count; i++) {
            const fm_attr *attr = at->type->live[i].attr;
            char path[160];
            snprintf(path, sizeof path, "/%s/%s", at->vehicle->name, at->type->live[i].path);
            write_parameter(p, path, attr->unit ? attr->unit : "", attr->min, attr->max, 1, 0);
        }
    }
}

/* A vector that is live has one number per component. */
static int is_component(const fm_model *m, const char *path)
{
    for (size_t i = 0; i < m->live_count; i++)
        if (strcmp(m->live[i].path, path) == 0)
            return 1;
    return 0;
}

static void list_parameters(page *p)
{
    const fm_model *m = p->server->model;
    for (size_t i = 0; i < fm_model_param_count(m); i++) {
        fm_param_info info = fm_model_param(m, i);
        write_parameter(p, info.path, info.unit, info.min, info.max, info.live, strtod(info.value, NULL));
    }
    for (size_t i = 0; i < m->live_count; i++) { /* components: /current/velocity/x */
        const fm_live_param *live = &m->live[i];
        if (live->attr->type == FM_ATTR_VECTOR && is_component(m, live->path))
            write_parameter(p, live->path, live->attr->unit ? live->attr->unit : "", live->attr->min, live->attr->max,
                            1, 0);
    }
    list_spawned(p);
}

/* --- all of them --- */

static int find_slot(const fm_world *world, const fm_session *s, const fm_wire_describe *ask)
{
    int slot = ask->vehicle ? ask->vehicle - 1 : s->slot;
    if (!ask->vehicle && slot < 0 && s->vehicle[0])
        slot = fm_world_find(world, s->vehicle);
    return world && fm_world_name(world, slot) ? slot : -1;
}

static void write_records(page *p)
{
    int of_vehicle = p->ask->what <= FM_WIRE_FIELDS || p->ask->what >= FM_WIRE_VOICES;
    if ((of_vehicle && p->slot < 0) || (!p->world && p->ask->what == FM_WIRE_VEHICLES))
        return;
    switch (p->ask->what) {
    case FM_WIRE_ACTUATORS: list_actuators(p); break;
    case FM_WIRE_INSTRUMENTS: list_instruments(p); break;
    case FM_WIRE_FIELDS: list_fields(p); break;
    case FM_WIRE_VEHICLES: list_vehicles(p); break;
    case FM_WIRE_CLIENTS: list_clients(p); break;
    case FM_WIRE_COUNTERS: list_counters(p); break;
    case FM_WIRE_PARAMETERS: list_parameters(p); break;
    case FM_WIRE_MODELS: list_models(p); break;
    case FM_WIRE_VOICES: list_voices(p); break;
    case FM_WIRE_OWNERS: list_owners(p); break;
    case FM_WIRE_SETPOINTS: list_setpoints(p); break;
    case FM_WIRE_CONTROLLERS: list_controllers(p); break;
    default: break;
    }
}

void fm_list_write(fm_server *server, fm_run *run, const fm_session *session, const fm_wire_describe *ask,
                   fm_wire_out *out)
{
    const fm_world *world = run ? fm_run_world(run) : NULL;
    page p = {.server = server,
              .world = world,
              .session = session,
              .slot = world ? find_slot(world, session, ask) : -1,
              .ask = ask,
              .out = out};
    size_t head = out->size;
    fm_wire_description description = {.what = ask->what, .vehicle = (uint16_t)(p.slot + 1), .first = ask->first};
    fm_wire_put_description(out, &description);
    write_records(&p);
    description.total = p.total;
    description.count = p.count;
    description.size = p.size;
    fm_wire_out again = {.bytes = out->bytes, .size = head, .room = out->room};
    fm_wire_put_description(&again, &description);
}
