/* Requests of a client: actuation, sound, commands, parameters, values of sensors. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "client.h"

static fm_status no_client(fm_error *error)
{
    return fm_client_fail(error, FM_ERR_ARGUMENT, "client must not be NULL");
}

static fm_status check_open(const fm_client *client, fm_error *error)
{
    return client->phase == FM_PHASE_OPEN ? FM_OK
                                          : fm_client_fail(error, FM_ERR_STATE, "not connected: %s", client->why);
}

/* --- actuation --- */

static fm_status check_actuation(fm_client_mode mode, const double *values, size_t count, double hold, fm_error *error)
{
    if ((unsigned)mode >= FM_CLIENT_MODES)
        return fm_client_fail(error, FM_ERR_RANGE, "mode %d is out of range: must be 0 to %d", (int)mode,
                              FM_CLIENT_MODES - 1);
    if (!values || count == 0 || count > 200)
        return fm_client_fail(error, FM_ERR_RANGE, "%zu values: must be 1 to 200", count);
    if (!(hold >= 0 && hold <= 65.535))
        return fm_client_fail(error, FM_ERR_RANGE, "hold is %g s: must be 0 to 65.535 s", hold);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]) || !isfinite((float)values[i]))
            return fm_client_fail(error, FM_ERR_RANGE, "value %zu is not finite", i);
    return FM_OK;
}

static void put_actuation(fm_wire_out *out, unsigned mode, const fm_client_actuation *a)
{
    unsigned hold = (unsigned)(1000 * a->hold + 0.5);
    fm_wire_actuate head = {
        .mode = (uint8_t)mode, .count = (uint8_t)a->count, .hold = (uint16_t)(hold || a->hold <= 0 ? hold : 1)};
    fm_wire_put_actuate(out, &head);
    for (size_t i = 0; i < a->count; i++)
        fm_wire_put_f32(out, a->values[i]);
}

static fm_status actuate(fm_client *client, fm_client_mode mode, const double *values, size_t count, double hold,
                         fm_error *error)
{
    fm_status status = check_open(client, error);
    if (status != FM_OK)
        return status;
    fm_client_actuation *a = &client->actuations[mode];
    a->given = 1;
    a->hold = hold;
    a->count = count;
    for (size_t i = 0; i < count; i++)
        a->values[i] = (float)values[i];
    if (client->welcome.flags & FM_WIRE_WELCOME_LOCKSTEP)
        return FM_OK; /* goes with READY */
    uint8_t bytes[FM_WIRE_PAYLOAD];
    fm_wire_out out = {.bytes = bytes, .room = sizeof bytes};
    put_actuation(&out, mode, a);
    fm_client_datagram_send(client, FM_WIRE_ACTUATE, bytes, out.size);
    return FM_OK;
}

fm_status fm_client_actuate(fm_client *client, fm_client_mode mode, const double *values, size_t count, double hold,
                            fm_error *error)
{
    if (!client)
        return no_client(error);
    fm_status status = check_actuation(mode, values, count, hold, error);
    if (status != FM_OK)
        return status;
    fm_client_lock(client);
    status = actuate(client, mode, values, count, hold, error);
    fm_client_unlock(client);
    return status;
}

fm_status fm_client_order(fm_client *client, const char *actuator, double value, fm_error *error)
{
    if (!client)
        return no_client(error);
    if (!isfinite(value))
        return fm_client_fail(error, FM_ERR_RANGE, "an order must be finite");
    fm_client_lock(client);
    int known = client->lists.orders != NULL, i = known ? fm_client_actuator_find(client, actuator) : -1;
    if (i >= 0)
        client->lists.orders[i] = value;
    fm_client_unlock(client);
    if (!known)
        return fm_client_fail(error, FM_ERR_STATE, "the list of actuators is not there yet");
    return i >= 0 ? FM_OK : fm_client_fail(error, FM_ERR_NAME, "no actuator '%s'", actuator ? actuator : "");
}

fm_status fm_client_orders_send(fm_client *client, double hold, fm_error *error)
{
    if (!client)
        return no_client(error);
    fm_client_lock(client);
    fm_status status = client->lists.orders
                           ? fm_client_actuate(client, FM_CLIENT_NATIVE, client->lists.orders,
                                               client->lists.actuator_count, hold, error)
                           : fm_client_fail(error, FM_ERR_STATE, "the list of actuators is not there yet");
    fm_client_unlock(client);
    return status;
}

static void send_ready(fm_client *client)
{
    fm_wire_out out = {.bytes = client->ready, .room = sizeof client->ready};
    fm_wire_ready ready = {.time = client->state.stamp};
    for (int i = 0; i < FM_CLIENT_MODES; i++)
        ready.count = (uint8_t)(ready.count + (client->actuations[i].given != 0));
    fm_wire_put_ready(&out, &ready);
    for (unsigned i = 0; i < FM_CLIENT_MODES; i++)
        if (client->actuations[i].given)
            put_actuation(&out, i, &client->actuations[i]);
    memset(client->actuations, 0, sizeof client->actuations);
    client->ready_size = out.size;
    client->ready_next = fm_client_now() + FM_CLIENT_READY_RETRY;
    fm_client_datagram_send(client, FM_WIRE_READY, client->ready, client->ready_size);
    fm_client_timer_set(client);
}

fm_status fm_client_ready(fm_client *client, fm_error *error)
{
    if (!client)
        return no_client(error);
    fm_client_lock(client);
    fm_status status = check_open(client, error);
    if (status == FM_OK && !(client->welcome.flags & FM_WIRE_WELCOME_LOCKSTEP))
        status = fm_client_fail(error, FM_ERR_STATE, "the server does not go in lock-step with this client");
    if (status == FM_OK && !client->have_state)
        status = fm_client_fail(error, FM_ERR_STATE, "no state has come yet");
    if (status == FM_OK)
        send_ready(client);
    fm_client_unlock(client);
    return status;
}

/* --- requests that are answered --- */

/* A newer id would make the server forget one that still waits for its answer. */
static int outruns(const fm_client *client, uint16_t type, uint32_t id)
{
    for (int i = 0; i < FM_CLIENT_REQUESTS; i++)
        if (client->requests[i].type == type && id - client->requests[i].id >= FM_CLIENT_KEPT)
            return 1;
    return 0;
}

/* Sends a payload of `type` and repeats it until its answer arrives. */
static fm_status request(fm_client *client, uint16_t type, uint32_t id, const fm_wire_out *out, fm_error *error)
{
    if (outruns(client, type, id))
        return fm_client_fail(error, FM_ERR_FULL, "a request of %d before still waits for its answer", FM_CLIENT_KEPT);
    for (int i = 0; i < FM_CLIENT_REQUESTS; i++) {
        fm_client_request *r = &client->requests[i];
        if (r->type == 0) {
            r->type = type;
            r->id = id;
            r->size = out->size;
            memcpy(r->payload, out->bytes, out->size);
            r->next = fm_client_now() + FM_CLIENT_RETRY;
            fm_client_datagram_send(client, type, r->payload, r->size);
            fm_client_timer_set(client);
            return FM_OK;
        }
    }
    return fm_client_fail(error, FM_ERR_FULL, "%d requests wait for their answers already", FM_CLIENT_REQUESTS);
}

static fm_status send_sound(fm_client *client, const fm_client_emission *e, uint32_t *id, fm_error *error)
{
    uint8_t bytes[FM_WIRE_PAYLOAD];
    fm_wire_out out = {.bytes = bytes, .room = sizeof bytes};
    fm_wire_acoustic_send head = {.transducer = e->transducer,
                                  .kind = e->kind,
                                  .length = (uint16_t)e->size,
                                  .frequency = (float)e->frequency,
                                  .level = (float)e->level,
                                  .id = client->sound_id + 1};
    fm_wire_acoustic_send_tail tail = {.to = e->to, .code = e->code};
    fm_status status = check_open(client, error);
    if (status != FM_OK)
        return status;
    fm_wire_put_acoustic_send(&out, &head);
    fm_wire_put_bytes(&out, e->bytes, e->size);
    fm_wire_put_acoustic_send_tail(&out, &tail);
    status = request(client, FM_WIRE_ACOUSTIC_SEND, head.id, &out, error);
    if (status == FM_OK) {
        client->sound_id = head.id;
        if (id)
            *id = head.id;
    }
    return status;
}

fm_status fm_client_sound_send(fm_client *client, const fm_client_emission *emission, uint32_t *id, fm_error *error)
{
    if (!client)
        return no_client(error);
    if (!emission || (emission->size && !emission->bytes))
        return fm_client_fail(error, FM_ERR_ARGUMENT, "emission and its bytes must not be NULL");
    if (emission->size > FM_CLIENT_BYTES)
        return fm_client_fail(error, FM_ERR_RANGE, "%zu bytes are too many: a sound carries at most %d", emission->size,
                              FM_CLIENT_BYTES);
    if (!isfinite((float)emission->frequency) || !isfinite((float)emission->level))
        return fm_client_fail(error, FM_ERR_RANGE, "frequency and level must be finite");
    fm_client_lock(client);
    fm_status status = send_sound(client, emission, id, error);
    fm_client_unlock(client);
    return status;
}

static fm_status send_command(fm_client *client, const fm_command *command, uint32_t *id, fm_error *error)
{
    uint8_t bytes[FM_WIRE_PAYLOAD];
    fm_wire_out out = {.bytes = bytes, .room = sizeof bytes};
    const fm_wire_command head = {.verb = (uint16_t)command->kind, .id = client->command_id + 1};
    fm_status status = check_open(client, error);
    if (status != FM_OK)
        return status;
    fm_wire_put_command(&out, &head);
    fm_wire_put_arguments(&out, command);
    status = request(client, FM_WIRE_COMMAND, head.id, &out, error);
    if (status == FM_OK) {
        client->command_id = head.id;
        if (id)
            *id = head.id;
    }
    return status;
}

/* The wire carries only finite numbers. */
static fm_status check_command(const fm_command *command, fm_error *error)
{
    if (!command)
        return fm_client_fail(error, FM_ERR_ARGUMENT, "command must not be NULL");
    fm_status status = fm_command_check(command, error);
    if (status == FM_OK && isnan(fm_command_value(command)))
        status = fm_client_fail(error, FM_ERR_RANGE, "the numbers of a command must be finite");
    return status;
}

fm_status fm_client_command_send(fm_client *client, const fm_command *command, uint32_t *id, fm_error *error)
{
    if (!client)
        return no_client(error);
    fm_status status = check_command(command, error);
    if (status != FM_OK)
        return status;
    fm_client_lock(client);
    status = send_command(client, command, id, error);
    fm_client_unlock(client);
    return status;
}

fm_status fm_client_command_do(fm_client *client, const fm_command *command, double seconds, fm_client_result *result,
                               fm_error *error)
{
    if (!client)
        return no_client(error);
    fm_status status = check_command(command, error);
    if (status != FM_OK)
        return status;
    fm_client_lock(client);
    client->waited_done = 0;
    status = send_command(client, command, &client->waited_id, error);
    fm_client_unlock(client);
    if (status == FM_OK)
        status = fm_client_await(client, &client->waited_done, seconds, "command", error);
    fm_client_lock(client);
    client->waited_id = 0;
    fm_client_result answer = client->waited;
    fm_client_unlock(client);
    if (status != FM_OK)
        return status;
    if (result)
        *result = answer;
    return answer.code == 0 ? FM_OK
                            : fm_client_fail(error, FM_ERR_STATE, "refused with code %d: %s", answer.code, answer.text);
}

fm_status fm_client_parameter_set(fm_client *client, const char *path, double value, fm_error *error)
{
    fm_command set = {.kind = FM_COMMAND_SET, .set.value = value};
    fm_status status =
        fm_argument_write_name(fm_command_argument(fm_command_row_of(set.kind), FM_ARGUMENT_PATH), &set, path, error);
    if (status != FM_OK)
        return status;
    if (client && !path)
        return fm_client_fail(error, FM_ERR_ARGUMENT, "a parameter has a path");
    return fm_client_command_do(client, &set, 5, NULL, error);
}

/* --- lists that are requested once --- */

fm_status fm_client_list_ask(fm_client *client, uint16_t what, const char *pattern, fm_client_list_row *take,
                             void *user, uint32_t *total, fm_error *error)
{
    fm_client_lock(client);
    fm_status status = check_open(client, error);
    if (status == FM_OK && client->wait.what)
        status = fm_client_fail(error, FM_ERR_STATE, "another list is being asked for");
    if (status == FM_OK) {
        client->wait = (fm_client_wait){.what = what, .take = take, .user = user, .next = fm_client_now()};
        snprintf(client->wait.pattern, sizeof client->wait.pattern, "%s", pattern);
    }
    fm_client_unlock(client);
    if (status != FM_OK)
        return status;
    status = fm_client_await(client, &client->wait.done, 5, "list", error);
    fm_client_lock(client);
    *total = client->wait.total;
    client->wait.what = 0;
    fm_client_unlock(client);
    return status;
}

typedef struct parameter_rows {
    fm_client_parameter *rows;
    size_t room;
} parameter_rows;

static void take_parameter(void *user, uint32_t number, fm_wire_in *in)
{
    parameter_rows *into = user;
    fm_wire_parameter p;
    if (!fm_wire_get_parameter(in, &p) || number >= into->room)
        return;
    fm_client_parameter *row = &into->rows[number];
    *row = (fm_client_parameter){.value = p.value, .least = p.least, .most = p.most, .live = p.live};
    memcpy(row->path, p.path, sizeof row->path);
    memcpy(row->unit, p.unit, sizeof row->unit);
}

size_t fm_client_parameters_read(fm_client *client, const char *pattern, fm_client_parameter *parameters, size_t room,
                                 fm_error *error)
{
    parameter_rows into = {parameters, room};
    uint32_t total = 0;
    if (!client || (!parameters && room) || (pattern && strlen(pattern) >= 96)) {
        fm_client_fail(error, FM_ERR_ARGUMENT,
                       "client and parameters must not be NULL, and pattern must be at most 95 bytes");
        return 0;
    }
    if (fm_client_list_ask(client, FM_WIRE_PARAMETERS, pattern ? pattern : "", take_parameter, &into, &total, error) !=
        FM_OK)
        return 0;
    if (total == 0)
        fm_client_fail(error, FM_ERR_NAME, "no parameter '%s'", pattern ? pattern : "");
    return total;
}

typedef struct vehicle_search {
    const char *name;
    uint16_t number;
} vehicle_search;

static void take_vehicle(void *user, uint32_t number, fm_wire_in *in)
{
    vehicle_search *search = user;
    fm_wire_vehicle v;
    (void)number;
    if (fm_wire_get_vehicle(in, &v) && strcmp(v.name, search->name) == 0)
        search->number = v.number;
}

static void send_subscribe(fm_client *client, unsigned wants, double period, uint16_t vehicle)
{
    uint8_t bytes[FM_WIRE_SIZE_subscribe];
    fm_wire_out out = {.bytes = bytes, .room = sizeof bytes};
    fm_wire_subscribe subscribe = {.mask = wants, .period = fm_client_period(period), .vehicle = vehicle};
    fm_wire_put_subscribe(&out, &subscribe);
    for (int i = 0; i < 3; i++) /* it has no answer */
        fm_client_datagram_send(client, FM_WIRE_SUBSCRIBE, bytes, out.size);
}

fm_status fm_client_subscribe(fm_client *client, unsigned wants, double period, const char *vehicle, fm_error *error)
{
    vehicle_search search = {vehicle, 0};
    uint32_t total;
    if (!client)
        return no_client(error);
    if (!isfinite(period))
        return fm_client_fail(error, FM_ERR_RANGE, "a period must be finite");
    fm_status status = FM_OK;
    if (vehicle) {
        status = fm_client_list_ask(client, FM_WIRE_VEHICLES, "", take_vehicle, &search, &total, error);
        if (status == FM_OK && !search.number)
            status = fm_client_fail(error, FM_ERR_NAME, "no vehicle '%s'", vehicle);
    }
    if (status != FM_OK)
        return status;
    fm_client_lock(client);
    status = check_open(client, error);
    if (status == FM_OK) {
        client->watched = search.number;
        client->have_state = 0;
        fm_client_lists_begin(client, search.number);
        send_subscribe(client, wants, period, search.number);
        fm_client_timer_set(client);
    }
    fm_client_unlock(client);
    return status;
}

/* --- emulators --- */

static void put_value(fm_wire_out *out, const fm_client_field *f, double value)
{
    double raw = (value - f->shift) / f->scale;
    switch (f->type) {
    case FM_WIRE_F64: fm_wire_put_f64(out, raw); break;
    case FM_WIRE_F32: fm_wire_put_f32(out, (float)raw); break;
    case FM_WIRE_I64: fm_wire_put_u64(out, (uint64_t)(int64_t)(raw < 0 ? raw - 0.5 : raw + 0.5)); break;
    default: fm_wire_put_u8(out, (uint8_t)(raw + 0.5)); break;
    }
}

/* Number of values of an instrument, or −1. */
static long put_values(const fm_client *client, uint16_t instrument, const double *values, size_t count,
                       fm_wire_out *out)
{
    size_t n = 0;
    for (size_t i = 0; i < client->lists.field_count; i++) {
        const fm_client_field *f = &client->lists.fields[i];
        for (size_t k = 0; f->instrument == instrument && k < f->count; k++, n++)
            if (n < count)
                put_value(out, f, values[n]);
    }
    return (long)n;
}

static fm_status put_sample(fm_client *client, const char *name, const double *values, size_t count, fm_error *error)
{
    uint8_t bytes[FM_WIRE_PAYLOAD], inner[FM_WIRE_SAMPLE_MOST];
    fm_wire_out out = {.bytes = bytes, .room = sizeof bytes}, body = {.bytes = inner, .room = sizeof inner};
    fm_client_instrument info = {.id = 0};
    size_t i = 0;
    while (fm_client_instrument_get(client, i, &info) && strcmp(info.name, name) != 0)
        i++;
    if (i >= client->lists.instrument_count)
        return fm_client_fail(error, FM_ERR_NAME, "no instrument '%s'", name);
    long needed = put_values(client, info.id, values, count, &body);
    if ((count && (long)count != needed) || body.fault)
        return fm_client_fail(error, FM_ERR_RANGE, "instrument '%s' has %ld values in at most %d bytes, not %zu", name,
                              needed, FM_WIRE_SAMPLE_MOST, count);
    fm_wire_sensor head = {.id = info.id, .length = (uint16_t)(FM_WIRE_SIZE_sample + body.size)};
    fm_wire_sample piece = {.flags = count ? FM_WIRE_SAMPLE_VALID : 0, .parts = 1};
    fm_wire_put_sensor(&out, &head);
    fm_wire_put_sample(&out, &piece);
    fm_wire_put_bytes(&out, inner, body.size);
    fm_client_datagram_send(client, FM_WIRE_SENSOR_PUT, bytes, out.size);
    return FM_OK;
}

fm_status fm_client_put(fm_client *client, const char *instrument, const double *values, size_t count, fm_error *error)
{
    if (!client)
        return no_client(error);
    if (!instrument || (!values && count))
        return fm_client_fail(error, FM_ERR_ARGUMENT, "instrument and values must not be NULL");
    fm_client_lock(client);
    fm_status status = check_open(client, error);
    if (status == FM_OK)
        status = put_sample(client, instrument, values, count, error);
    fm_client_unlock(client);
    return status;
}
