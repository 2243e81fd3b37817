/* The viewers' protocol. Text frames are JSON objects with "op"; binary frames begin with a byte that gives their type;
 * numbers are little-endian. */
#include "page/foxglove_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "page/json_text.h"

enum {
    CHANNELS_A_FRAME = 64,
    WAITING_MOST = 64 << 20, /* bytes of answers that a viewer may leave unread */
    LAG = 256 << 10,         /* lag in bytes from which a viewer counts as slow */
    SUBSCRIPTIONS_MOST = 1 << 17
};
enum { OP_MESSAGE = 1, OP_TIME = 2 };
enum { CLIENT_SERVICE = 2, CLIENT_PLAYBACK = 3 };

/* --- frames that wait --- */

fm_foxglove_item *fm_foxglove_item_create(int binary, size_t size)
{
    fm_foxglove_item *f = fm_alloc(sizeof *f + FM_FOXGLOVE_FRONT + size);
    if (f)
        *f = (fm_foxglove_item){.binary = binary, .size = size};
    return f;
}

fm_status fm_foxglove_enqueue(fm_foxglove *c, fm_foxglove_item *f)
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

fm_status fm_foxglove_enqueue_json(fm_foxglove *c, json_t *object)
{
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    if (!text)
        return FM_ERR_MEMORY;
    size_t size = strlen(text);
    fm_foxglove_item *f = fm_foxglove_item_create(0, size);
    if (f)
        memcpy(f->bytes + FM_FOXGLOVE_FRONT, text, size);
    free(text);
    return fm_foxglove_enqueue(c, f);
}

fm_status fm_foxglove_complain(fm_foxglove *c, int level, const char *text)
{
    return fm_foxglove_enqueue_json(
        c, json_pack("{s:s,s:i,s:o}", "op", "status", "level", level, "message", fm_json_text(text)));
}

void fm_foxglove_put(uint8_t **at, const void *value, size_t size)
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
    return fm_foxglove_enqueue_json(c, info);
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
        return fm_foxglove_enqueue_json(c, json_pack("{s:s,s:o}", "op", "unadvertise", "channelIds", gone));
    json_decref(gone);
    return FM_OK;
}

static fm_status tell_come(fm_foxglove *c, channel_lists *lists)
{
    json_t *come = lists->come;
    lists->come = json_array();
    if (json_array_size(come) > 0)
        return fm_foxglove_enqueue_json(c, json_pack("{s:s,s:o}", "op", "advertise", "channels", come));
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
    return fm_foxglove_enqueue_json(c, json_pack("{s:s,s:o}", "op", "advertiseServices", "services", list));
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
    for (fm_foxglove_item *f = c->first, *next; f; f = next) {
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
        return fm_foxglove_complain(c, 2, "subscribe: no such channel");
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
        return fm_foxglove_complain(c, 2, "subscribe: too many at once");
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

/* --- what a viewer says --- */

static const struct {
    const char *op;
    fm_status (*take)(fm_foxglove *c, const json_t *request);
} operations[] = {
    {"subscribe", subscribe},
    {"unsubscribe", unsubscribe},
    {"getParameters", fm_foxglove_get_params},
    {"setParameters", fm_foxglove_set_params},
    {"subscribeParameterUpdates", fm_foxglove_follow_params},
    {"unsubscribeParameterUpdates", fm_foxglove_leave_params},
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
        status = fm_foxglove_complain(c, 2, request ? "this operation is not supported" : "this is no JSON");
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
        status = fm_foxglove_take_call(c, bytes, size);
    else if (size && bytes[0] == CLIENT_PLAYBACK)
        status = fm_foxglove_take_playback(c, bytes, size);
    else
        status = fm_foxglove_complain(c, 2, "this binary message is not supported");
    return status == FM_OK ? status : fm_fail(error, status, "a viewer is cut off: it does not read its answers");
}

/* --- what is due to it --- */

static void give_waiting(fm_foxglove *c, fm_foxglove_frame *out)
{
    fm_foxglove_item *f = c->first;
    c->first = f->next;
    if (!c->first)
        c->last = NULL;
    c->waiting -= f->size;
    c->given = f;
    *out = (fm_foxglove_frame){f->binary, f->bytes + FM_FOXGLOVE_FRONT, f->size};
}

static int give_time(fm_foxglove *c, uint64_t time, fm_foxglove_frame *out)
{
    fm_foxglove_item *f = fm_foxglove_item_create(1, 9);
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
    fm_foxglove_put(&at, &c->subscription[m->channel], 4);
    fm_foxglove_put(&at, &m->time, 8);
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
    if (c->asker->calls && fm_foxglove_give_answers(c) != FM_OK)
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
    if (c->follows_params && fm_foxglove_renew_params(c) != FM_OK)
        return -1;
    if (c->asker->calls && fm_foxglove_give_answers(c) != FM_OK)
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
