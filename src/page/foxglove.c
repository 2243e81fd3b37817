/* The viewers' protocol. Text frames are JSON objects with "op"; binary frames begin with a byte that gives their type;
 * numbers are little-endian. */
#include "page/foxglove.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "page/json_text.h"
#include "page/show_calls.h"

enum {
    CHANNELS_A_FRAME = 64,
    WAITING_MOST = 64 << 20, /* bytes of answers that a viewer may leave unread */
    LAG = 256 << 10,         /* lag in bytes from which a viewer counts as slow */
    SUBSCRIPTIONS_MOST = 1 << 17
};
enum { OP_MESSAGE = 1, OP_TIME = 2, OP_SERVICE = 3, OP_PLAYBACK = 5 };
enum { CLIENT_SERVICE = 2, CLIENT_PLAYBACK = 3 };

typedef struct frame {
    struct frame *next;
    int binary;
    size_t size;
    uint8_t bytes[]; /* front, then the frame */
} frame;

struct fm_foxglove {
    fm_show *show;
    fm_show_asker *asker;
    frame *first, *last; /* that wait */
    frame *given;        /* the one that was handed out */
    size_t waiting;      /* bytes */
    fm_hub_reader reader;
    uint8_t *wish;          /* a byte a channel */
    uint32_t *subscription; /* number of the viewer for each channel */
    uint32_t *fresh;        /* channels with an unsent last message */
    int64_t *ids;           /* the id that each channel was advertised under; FM_HUB_NO_ID: not advertised */
    size_t channels, fresh_count;
    int64_t next_id;  /* above all that were advertised */
    uint64_t version; /* version of the hub at the last check; UINT64_MAX: never */
    uint8_t *buffer;
    size_t room;
    uint64_t time; /* ns, time of the last clock message */
    int follows_params;
    uint64_t param_version;
};

/* --- frames that wait --- */

static frame *new_frame(int binary, size_t size)
{
    frame *f = fm_alloc(sizeof *f + FM_FOXGLOVE_FRONT + size);
    if (f)
        *f = (frame){.binary = binary, .size = size};
    return f;
}

static fm_status enqueue(fm_foxglove *c, frame *f)
{
    if (!f)
        return FM_ERR_MEMORY;
    c->waiting += f->size;
    if (c->last)
        c->last->next = f;
    else
        c->first = f;
    c->last = f;
    return c->waiting > WAITING_MOST ? FM_ERR_FULL : FM_OK;
}

/* Takes the object. */
static fm_status enqueue_json(fm_foxglove *c, json_t *object)
{
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    if (!text)
        return FM_ERR_MEMORY;
    size_t size = strlen(text);
    frame *f = new_frame(0, size);
    if (f)
        memcpy(f->bytes + FM_FOXGLOVE_FRONT, text, size);
    free(text);
    return enqueue(c, f);
}

static fm_status tell_status(fm_foxglove *c, int level, const char *text)
{
    return enqueue_json(c, json_pack("{s:s,s:i,s:o}", "op", "status", "level", level, "message", fm_json_text(text)));
}

static void put(uint8_t **at, const void *value, size_t size)
{
    memcpy(*at, value, size);
    *at += size;
}

/* --- the greeting --- */

static json_t *time_of(uint64_t ns)
{
    return json_pack("{s:I,s:I}", "sec", (json_int_t)(ns / 1000000000u), "nsec", (json_int_t)(ns % 1000000000u));
}

static fm_status greet(fm_foxglove *c)
{
    fm_show *show = c->show;
    json_t *able = json_pack("[s,s,s]", "time", "parameters", "parametersSubscribe");
    if (show->service_count)
        json_array_append_new(able, json_string("services"));
    json_t *info = json_pack("{s:s,s:s,s:o,s:[s],s:O}", "op", "serverInfo", "name", show->name, "capabilities", able,
                             "supportedEncodings", "json", "metadata", show->metadata);
    if (info && show->play) {
        json_array_append_new(able, json_string("playbackControl"));
        json_object_set_new(info, "dataStartTime", time_of(show->start));
        json_object_set_new(info, "dataEndTime", time_of(show->end));
    }
    const char *session = json_string_value(json_object_get(show->metadata, "session"));
    if (info && session)
        json_object_set_new(info, "sessionId", json_string(session));
    return enqueue_json(c, info);
}

/* Tables with one row per channel grow with the hub. */
static fm_status grow(fm_foxglove *c, size_t count)
{
    if (count <= c->channels)
        return FM_OK;
    uint8_t *wish = fm_realloc(c->wish, count);
    c->wish = wish ? wish : c->wish;
    uint32_t *subscription = fm_realloc(c->subscription, count * sizeof *subscription);
    c->subscription = subscription ? subscription : c->subscription;
    uint32_t *fresh = fm_realloc(c->fresh, count * sizeof *fresh);
    c->fresh = fresh ? fresh : c->fresh;
    int64_t *ids = fm_realloc(c->ids, count * sizeof *ids);
    c->ids = ids ? ids : c->ids;
    if (!wish || !subscription || !fresh || !ids)
        return FM_ERR_MEMORY;
    memset(wish + c->channels, 0, count - c->channels);
    for (size_t i = c->channels; i < count; i++)
        ids[i] = FM_HUB_NO_ID;
    c->channels = count;
    c->reader.wish = wish;
    c->reader.wish_count = count;
    return FM_OK;
}

static void forget_fresh(fm_foxglove *c, uint32_t channel)
{
    for (size_t i = 0; i < c->fresh_count; i++)
        if (c->fresh[i] == channel) {
            c->fresh[i] = c->fresh[--c->fresh_count];
            return;
        }
}

/* Notifies a viewer of channels that were added or removed. */
typedef struct channel_lists {
    json_t *come, *gone;
} channel_lists;

static void describe_channel(void *user, uint32_t id, const fm_hub_channel *about)
{
    json_t *list = user;
    json_array_append_new(
        list, json_pack("{s:I,s:o,s:o,s:o,s:o,s:o}", "id", (json_int_t)id, "topic", fm_json_text(about->topic),
                        "encoding", fm_json_text(about->encoding), "schemaName", fm_json_text(about->type), "schema",
                        fm_json_text(about->schema), "schemaEncoding", fm_json_text(about->schema_encoding)));
}

static fm_status tell_gone(fm_foxglove *c, channel_lists *lists)
{
    json_t *gone = lists->gone;
    lists->gone = json_array();
    if (json_array_size(gone) > 0)
        return enqueue_json(c, json_pack("{s:s,s:o}", "op", "unadvertise", "channelIds", gone));
    json_decref(gone);
    return FM_OK;
}

static fm_status tell_come(fm_foxglove *c, channel_lists *lists)
{
    json_t *come = lists->come;
    lists->come = json_array();
    if (json_array_size(come) > 0)
        return enqueue_json(c, json_pack("{s:s,s:o}", "op", "advertise", "channels", come));
    json_decref(come);
    return FM_OK;
}

/* A number whose channel has ended: its subscription ends too. */
static void end_channel(fm_foxglove *c, size_t i, json_t *gone)
{
    if (c->ids[i] == FM_HUB_NO_ID)
        return;
    json_array_append_new(gone, json_integer((json_int_t)c->ids[i]));
    c->ids[i] = FM_HUB_NO_ID;
    if (c->wish[i])
        forget_fresh(c, (uint32_t)i);
    c->wish[i] = 0;
}

static fm_status compare_channels(fm_foxglove *c, channel_lists *lists)
{
    fm_status status = FM_OK;
    for (size_t i = 0; i < c->channels; i++)
        if (c->ids[i] != fm_hub_id(c->show->hub, i))
            end_channel(c, i, lists->gone);
    status = tell_gone(c, lists);
    for (size_t i = 0; i < c->channels && status == FM_OK; i++) {
        if (c->ids[i] != FM_HUB_NO_ID || !fm_hub_get_channel(c->show->hub, i, describe_channel, lists->come))
            continue;
        c->ids[i] =
            json_integer_value(json_object_get(json_array_get(lists->come, json_array_size(lists->come) - 1), "id"));
        if (c->ids[i] >= c->next_id)
            c->next_id = c->ids[i] + 1;
        if (json_array_size(lists->come) >= CHANNELS_A_FRAME)
            status = tell_come(c, lists);
    }
    return status == FM_OK ? tell_come(c, lists) : status;
}

/* Sends new channels, several per frame, and channels that have ended. */
static fm_status advertise(fm_foxglove *c)
{
    uint64_t version = fm_hub_version(c->show->hub), removals = fm_hub_removals(c->show->hub);
    if (version == c->version)
        return FM_OK;
    channel_lists lists = {json_array(), json_array()};
    fm_status status = grow(c, fm_hub_channel_count(c->show->hub));
    if (status == FM_OK)
        status = compare_channels(c, &lists);
    json_decref(lists.come);
    json_decref(lists.gone);
    c->version = version;
    c->reader.removals = removals;
    return status;
}

static json_t *describe_service(const fm_show_service *s, size_t id)
{
    char schema[16] = "jsonschema";
    json_t *request = json_pack("{s:s,s:s,s:s,s:s}", "encoding", "json", "schemaName", s->name, "schemaEncoding",
                                schema, "schema", s->request);
    json_t *response = json_pack("{s:s,s:s,s:s,s:s}", "encoding", "json", "schemaName", s->name, "schemaEncoding",
                                 schema, "schema", "{\"type\":\"object\",\"properties\":{}}");
    return json_pack("{s:I,s:s,s:s,s:s,s:s,s:o,s:o}", "id", (json_int_t)id, "name", s->name, "type", s->text,
                     "requestSchema", s->request, "responseSchema", "{\"type\":\"object\",\"properties\":{}}",
                     "request", request, "response", response);
}

static fm_status advertise_services(fm_foxglove *c)
{
    if (!c->show->service_count)
        return FM_OK;
    json_t *list = json_array();
    for (size_t i = 0; i < c->show->service_count; i++)
        json_array_append_new(list, describe_service(&c->show->services[i], i + 1));
    return enqueue_json(c, json_pack("{s:s,s:o}", "op", "advertiseServices", "services", list));
}

fm_foxglove *fm_foxglove_open(fm_show *show)
{
    fm_foxglove *c = fm_alloc(sizeof *c);
    if (!c)
        return NULL;
    c->show = show;
    c->asker = fm_show_asker_create();
    c->time = c->version = UINT64_MAX;
    c->reader = (fm_hub_reader){.cursor = fm_hub_position(show->hub), .lag = LAG};
    if (c->asker && greet(c) == FM_OK && advertise(c) == FM_OK && advertise_services(c) == FM_OK)
        return c;
    fm_foxglove_close(c);
    return NULL;
}

void fm_foxglove_close(fm_foxglove *c)
{
    if (!c)
        return;
    for (frame *f = c->first, *next; f; f = next) {
        next = f->next;
        fm_free(f);
    }
    fm_show_asker_leave(c->show, c->asker);
    fm_free(c->given);
    fm_free(c->wish);
    fm_free(c->subscription);
    fm_free(c->fresh);
    fm_free(c->ids);
    fm_free(c->buffer);
    fm_free(c);
}

/* --- subscriptions --- */

/* A 32-bit number; −1: not a number. */
static json_int_t id_of(const json_t *value)
{
    json_int_t id = json_is_integer(value) ? json_integer_value(value) : -1;
    return id <= UINT32_MAX ? id : -1;
}

/* The number of the channel advertised under an id; the count: none, or the channel has ended. */
static size_t number_of(const fm_foxglove *c, json_int_t id)
{
    if (id >= 0 && (size_t)id < c->channels && c->ids[id] == id) /* while none has ended */
        return (size_t)id;
    size_t i = 0;
    while (i < c->channels && (id < 0 || c->ids[i] != id))
        i++;
    return i;
}

/* A channel may end before the viewer that asks for it has been notified: this is not an error. */
static fm_status subscribe_one(fm_foxglove *c, const json_t *row)
{
    json_int_t id = id_of(json_object_get(row, "id")), channel = id_of(json_object_get(row, "channelId"));
    size_t number = number_of(c, channel);
    if (number == c->channels && id >= 0 && channel >= 0 && channel < c->next_id)
        return FM_OK;
    if (number == c->channels || id < 0)
        return tell_status(c, 2, "subscribe: no such channel");
    if (!c->wish[number]) {
        c->wish[number] = 1;
        c->fresh[c->fresh_count++] = (uint32_t)number;
    }
    c->subscription[number] = (uint32_t)id;
    return FM_OK;
}

static fm_status subscribe(fm_foxglove *c, const json_t *request)
{
    const json_t *rows = json_object_get(request, "subscriptions");
    fm_status status = advertise(c);
    if (json_array_size(rows) > SUBSCRIPTIONS_MOST)
        return tell_status(c, 2, "subscribe: too many at once");
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row) if (status == FM_OK) status = subscribe_one(c, row);
    return status;
}

static fm_status unsubscribe(fm_foxglove *c, const json_t *request)
{
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(request, "subscriptionIds"), i, row) for (size_t n = 0; n < c->channels; n++)
    {
        if (c->wish[n] && (json_int_t)c->subscription[n] == id_of(row)) {
            c->wish[n] = 0;
            forget_fresh(c, (uint32_t)n);
        }
    }
    return FM_OK;
}

/* --- parameters --- */

static json_t *describe_param(const fm_show_param *p)
{
    if (!p->numeric)
        return json_pack("{s:o,s:o}", "name", fm_json_text(p->path), "value", fm_json_text(p->words));
    if (!isfinite(p->value))
        return json_pack("{s:o,s:n}", "name", fm_json_text(p->path), "value");
    return json_pack("{s:o,s:f,s:s}", "name", fm_json_text(p->path), "value", p->value, "type", "float64");
}

static fm_status tell_params(fm_foxglove *c, json_t *list, const json_t *id)
{
    json_t *answer = json_pack("{s:s,s:o}", "op", "parameterValues", "parameters", list);
    if (answer && json_is_string(id))
        json_object_set(answer, "id", (json_t *)(uintptr_t)id);
    return enqueue_json(c, answer);
}

static fm_status get_params(fm_foxglove *c, const json_t *request)
{
    const json_t *names = json_object_get(request, "parameterNames");
    json_t *list = json_array();
    pthread_mutex_lock(&c->show->lock);
    for (size_t i = 0; !json_array_size(names) && i < c->show->param_count; i++)
        json_array_append_new(list, describe_param(&c->show->params[i]));
    size_t i;
    json_t *name;
    json_array_foreach(names, i, name)
    {
        const fm_show_param *p = json_is_string(name) ? fm_show_find_param(c->show, json_string_value(name)) : NULL;
        if (p)
            json_array_append_new(list, describe_param(p));
    }
    pthread_mutex_unlock(&c->show->lock);
    return tell_params(c, list, json_object_get(request, "id"));
}

/* What one request has set, answered once the world has applied all of it. */
static fm_status note_set(fm_foxglove *c, json_t *batch, json_t *param, fm_status status, const char *text)
{
    json_int_t left = json_integer_value(json_object_get(batch, "left")) - 1;
    json_object_set_new(batch, "left", json_integer(left));
    fm_status told = FM_OK;
    if (status == FM_OK)
        json_array_append(json_object_get(batch, "list"), param);
    else
        told = tell_status(c, 2, text);
    if (left > 0 || told != FM_OK)
        return told;
    return tell_params(c, json_incref(json_object_get(batch, "list")), json_object_get(batch, "id"));
}

static fm_status set_one(fm_foxglove *c, const json_t *row, json_t *batch)
{
    const char *path = json_string_value(json_object_get(row, "name"));
    const json_t *value = json_object_get(row, "value");
    fm_error error = {0};
    if (!path || !json_is_number(value))
        return note_set(c, batch, NULL, FM_ERR_ARGUMENT, "setParameters: a parameter needs a name and a number");
    double number = json_number_value(value);
    fm_show_call *call = fm_show_call_begin(
        c->show, c->asker, 0, 0, json_pack("{s:s,s:f,s:s}", "name", path, "value", number, "type", "float64"));
    if (!call)
        return FM_ERR_MEMORY;
    call->batch = json_incref(batch);
    fm_status status = c->show->set ? c->show->set(c->show, path, number, &error)
                                    : fm_fail(&error, FM_ERR_MISSING, "%s: a recording cannot be changed", path);
    if (fm_show_call_deferred(c->show))
        return FM_OK;
    status = note_set(c, batch, call->reply, status, error.text);
    fm_show_call_free(call);
    return status;
}

/* Answers with the accepted values; a refused value is reported separately. */
static fm_status set_params(fm_foxglove *c, const json_t *request)
{
    const json_t *rows = json_object_get(request, "parameters"), *id = json_object_get(request, "id");
    json_t *batch = json_pack("{s:I,s:[]}", "left", (json_int_t)json_array_size(rows) + 1, "list");
    fm_status status = batch ? FM_OK : FM_ERR_MEMORY;
    if (batch && json_is_string(id))
        json_object_set(batch, "id", (json_t *)(uintptr_t)id);
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row) if (status == FM_OK) status = set_one(c, row, batch);
    if (status == FM_OK) { /* ours: the answer waits until all parts were requested */
        json_int_t left = json_integer_value(json_object_get(batch, "left")) - 1;
        json_object_set_new(batch, "left", json_integer(left));
        if (left == 0)
            status = tell_params(c, json_incref(json_object_get(batch, "list")), json_object_get(batch, "id"));
    }
    json_decref(batch);
    return status;
}

static fm_status follow_params(fm_foxglove *c, const json_t *request)
{
    (void)request;
    pthread_mutex_lock(&c->show->lock);
    c->follows_params = 1;
    c->param_version = c->show->param_version;
    pthread_mutex_unlock(&c->show->lock);
    return FM_OK;
}

static fm_status leave_params(fm_foxglove *c, const json_t *request)
{
    (void)request;
    c->follows_params = 0;
    return FM_OK;
}

/* Parameters that have changed since the last message. */
static fm_status renew_params(fm_foxglove *c)
{
    pthread_mutex_lock(&c->show->lock);
    json_t *list = NULL;
    for (size_t i = 0; c->param_version < c->show->param_version && i < c->show->param_count; i++)
        if (c->show->params[i].version > c->param_version) {
            list = list ? list : json_array();
            json_array_append_new(list, describe_param(&c->show->params[i]));
        }
    c->param_version = c->show->param_version;
    pthread_mutex_unlock(&c->show->lock);
    return list ? tell_params(c, list, NULL) : FM_OK;
}

/* --- services --- */

static fm_status fail_call(fm_foxglove *c, uint32_t service, uint32_t call, const char *text)
{
    return enqueue_json(c, json_pack("{s:s,s:I,s:I,s:o}", "op", "serviceCallFailure", "serviceId", (json_int_t)service,
                                     "callId", (json_int_t)call, "message", fm_json_text(text)));
}

static fm_status answer_call(fm_foxglove *c, uint32_t service, uint32_t call, const json_t *reply)
{
    char *text = json_dumps(reply, JSON_COMPACT);
    if (!text)
        return FM_ERR_MEMORY;
    size_t size = strlen(text);
    uint32_t length = 4;
    frame *f = new_frame(1, 13 + length + size);
    if (f) {
        uint8_t *at = f->bytes + FM_FOXGLOVE_FRONT;
        *at++ = OP_SERVICE;
        put(&at, &service, 4);
        put(&at, &call, 4);
        put(&at, &length, 4);
        put(&at, "json", 4);
        put(&at, text, size);
    }
    free(text);
    return enqueue(c, f);
}

static fm_status call_service(fm_foxglove *c, uint32_t service, uint32_t call, const char *text, size_t size)
{
    fm_show *show = c->show;
    if (service < 1 || service > show->service_count || !show->call)
        return fail_call(c, service, call, "no such service");
    json_error_t where;
    json_t *request = size ? json_loadb(text, size, 0, &where) : json_object();
    if (!json_is_object(request)) {
        json_decref(request);
        return fail_call(c, service, call, "the request is no JSON object");
    }
    fm_show_call *asked = fm_show_call_begin(show, c->asker, service, call, json_pack("{s:b}", "ok", 1));
    fm_error error = {0};
    fm_status status = FM_ERR_MEMORY;
    if (asked) {
        status = show->call(show, show->services[service - 1].name, request, asked->reply, &error);
        if (fm_show_call_deferred(show))
            status = FM_OK;
        else {
            status =
                status == FM_OK ? answer_call(c, service, call, asked->reply) : fail_call(c, service, call, error.text);
            fm_show_call_free(asked);
        }
    }
    json_decref(request);
    return status;
}

/* Deferred calls that now have an answer. */
static fm_status give_answers(fm_foxglove *c)
{
    fm_status status = FM_OK;
    for (fm_show_call *call; status == FM_OK && (call = fm_show_call_next(c->show, c->asker));) {
        if (call->batch)
            status = note_set(c, call->batch, call->reply, call->status, call->text);
        else if (call->status == FM_OK)
            status = answer_call(c, call->service, call->number, call->reply);
        else
            status = fail_call(c, call->service, call->number, call->text);
        fm_show_call_free(call);
    }
    return status;
}

static fm_status take_call(fm_foxglove *c, const uint8_t *data, size_t size)
{
    uint32_t head[3];
    if (size < 1 + sizeof head)
        return tell_status(c, 2, "a service request is at least 13 bytes long");
    memcpy(head, data + 1, sizeof head);
    size_t left = size - 1 - sizeof head;
    if (head[2] > left)
        return tell_status(c, 2, "a service request is shorter than it says");
    const char *encoding = (const char *)data + 13;
    if (head[2] != 4 || memcmp(encoding, "json", 4) != 0)
        return fail_call(c, head[0], head[1], "requests are encoded as json");
    return call_service(c, head[0], head[1], encoding + 4, left - 4);
}

/* --- playback --- */

static fm_status tell_playback(fm_foxglove *c, const fm_play *now, const uint8_t *id, uint32_t length)
{
    frame *f = new_frame(1, 19 + (size_t)length);
    if (!f)
        return FM_ERR_MEMORY;
    uint8_t *at = f->bytes + FM_FOXGLOVE_FRONT, sought = now->seek != 0;
    *at++ = OP_PLAYBACK;
    *at++ = (uint8_t)now->state;
    put(&at, &now->time, 8);
    put(&at, &now->speed, 4);
    *at++ = sought;
    put(&at, &length, 4);
    if (length)
        put(&at, id, length);
    return enqueue(c, f);
}

static fm_status take_playback(fm_foxglove *c, const uint8_t *data, size_t size)
{
    if (!c->show->play)
        return tell_status(c, 2, "this is no recording");
    if (size < 19 || data[1] > 1)
        return tell_status(c, 2, "a playback request is at least 19 bytes long and plays (0) or pauses (1)");
    fm_play wanted = {.state = data[1] ? FM_PLAY_PAUSED : FM_PLAY_PLAYING, .seek = data[6] != 0}, now = {0};
    uint32_t length;
    memcpy(&wanted.speed, data + 2, 4);
    memcpy(&wanted.time, data + 7, 8);
    memcpy(&length, data + 15, 4);
    if (length > size - 19 || !(wanted.speed > 0 && wanted.speed <= 1e6f))
        return tell_status(c, 2, "a playback request has a speed above 0 and is as long as it says");
    uint64_t before = fm_hub_position(c->show->hub); /* the player may publish the new place before play returns */
    c->show->play(c->show, &wanted, &now);
    if (now.seek)
        c->reader.cursor = before;
    return tell_playback(c, &now, data + 19, length);
}

/* --- what a viewer says --- */

static const struct {
    const char *op;
    fm_status (*take)(fm_foxglove *c, const json_t *request);
} operations[] = {
    {"subscribe", subscribe},
    {"unsubscribe", unsubscribe},
    {"getParameters", get_params},
    {"setParameters", set_params},
    {"subscribeParameterUpdates", follow_params},
    {"unsubscribeParameterUpdates", leave_params},
};

static fm_status take_text(fm_foxglove *c, const void *data, size_t size)
{
    json_error_t where;
    json_t *request = json_loadb(data, size, 0, &where);
    const char *op = json_string_value(json_object_get(request, "op"));
    fm_status status = FM_ERR_MISSING;
    for (size_t i = 0; op && i < sizeof operations / sizeof *operations; i++)
        if (strcmp(op, operations[i].op) == 0)
            status = operations[i].take(c, request);
    if (status == FM_ERR_MISSING)
        status = tell_status(c, 2, request ? "this operation is not supported" : "this is no JSON");
    json_decref(request);
    return status;
}

fm_status fm_foxglove_take(fm_foxglove *c, int binary, const void *data, size_t size, fm_error *error)
{
    const uint8_t *bytes = data;
    fm_status status;
    if (!binary)
        status = take_text(c, data, size);
    else if (size && bytes[0] == CLIENT_SERVICE)
        status = take_call(c, bytes, size);
    else if (size && bytes[0] == CLIENT_PLAYBACK)
        status = take_playback(c, bytes, size);
    else
        status = tell_status(c, 2, "this binary message is not supported");
    return status == FM_OK ? status : fm_fail(error, status, "a viewer is cut off: it does not read its answers");
}

/* --- what is due to it --- */

static void give_waiting(fm_foxglove *c, fm_foxglove_frame *out)
{
    frame *f = c->first;
    c->first = f->next;
    if (!c->first)
        c->last = NULL;
    c->waiting -= f->size;
    c->given = f;
    *out = (fm_foxglove_frame){f->binary, f->bytes + FM_FOXGLOVE_FRONT, f->size};
}

static int give_time(fm_foxglove *c, uint64_t time, fm_foxglove_frame *out)
{
    frame *f = new_frame(1, 9);
    if (!f)
        return -1;
    f->bytes[FM_FOXGLOVE_FRONT] = OP_TIME;
    memcpy(f->bytes + FM_FOXGLOVE_FRONT + 1, &time, 8);
    c->time = time;
    c->given = f;
    *out = (fm_foxglove_frame){1, f->bytes + FM_FOXGLOVE_FRONT, 9};
    return 1;
}

enum { MESSAGE_HEAD = 13 };

static int give_message(fm_foxglove *c, const fm_hub_message *m, fm_foxglove_frame *out)
{
    uint8_t *at = c->buffer + FM_FOXGLOVE_FRONT;
    *out = (fm_foxglove_frame){1, at, MESSAGE_HEAD + m->size};
    *at++ = OP_MESSAGE;
    put(&at, &c->subscription[m->channel], 4);
    put(&at, &m->time, 8);
    return 1;
}

/* The last message of a channel that was just subscribed; the ring holds it or older ones. */
static int give_fresh(fm_foxglove *c, fm_foxglove_frame *out)
{
    const size_t front = FM_FOXGLOVE_FRONT + MESSAGE_HEAD;
    fm_hub_message m;
    while (c->fresh_count) {
        uint32_t channel = c->fresh[--c->fresh_count];
        int given = fm_hub_last(c->show->hub, channel, front, &c->buffer, &c->room, &m);
        if (given)
            return given < 0 ? given : give_message(c, &m, out);
    }
    return 0;
}

int fm_foxglove_next_answer(fm_foxglove *c, fm_foxglove_frame *out)
{
    fm_free(c->given);
    c->given = NULL;
    if (c->asker->calls && give_answers(c) != FM_OK)
        return -1;
    if (!c->first)
        return 0;
    give_waiting(c, out);
    return 1;
}

int fm_foxglove_next(fm_foxglove *c, fm_foxglove_frame *out)
{
    fm_free(c->given);
    c->given = NULL;
    if (c->follows_params && renew_params(c) != FM_OK)
        return -1;
    if (c->asker->calls && give_answers(c) != FM_OK)
        return -1;
    if (advertise(c) != FM_OK)
        return -1;
    if (c->first) {
        give_waiting(c, out);
        return 1;
    }
    uint64_t time = fm_hub_time(c->show->hub);
    if (time != c->time)
        return give_time(c, time, out);
    int given = give_fresh(c, out);
    fm_hub_message m;
    if (given)
        return given;
    given = fm_hub_read(c->show->hub, &c->reader, FM_FOXGLOVE_FRONT + MESSAGE_HEAD, &c->buffer, &c->room, &m);
    return given > 0 ? give_message(c, &m, out) : given;
}
