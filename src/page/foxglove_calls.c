/* What a viewer asks for beside messages: parameters, services and the playback of a recording. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "page/foxglove_internal.h"
#include "page/json_text.h"

enum { OP_SERVICE = 3, OP_PLAYBACK = 5 };

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
    return fm_foxglove_enqueue_json(c, answer);
}

fm_status fm_foxglove_get_params(fm_foxglove *c, const json_t *request)
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
        told = fm_foxglove_complain(c, 2, text);
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
fm_status fm_foxglove_set_params(fm_foxglove *c, const json_t *request)
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

fm_status fm_foxglove_follow_params(fm_foxglove *c, const json_t *request)
{
    (void)request;
    pthread_mutex_lock(&c->show->lock);
    c->follows_params = 1;
    c->param_version = c->show->param_version;
    pthread_mutex_unlock(&c->show->lock);
    return FM_OK;
}

fm_status fm_foxglove_leave_params(fm_foxglove *c, const json_t *request)
{
    (void)request;
    c->follows_params = 0;
    return FM_OK;
}

/* Parameters that have changed since the last message. */
fm_status fm_foxglove_renew_params(fm_foxglove *c)
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
    return fm_foxglove_enqueue_json(c, json_pack("{s:s,s:I,s:I,s:o}", "op", "serviceCallFailure", "serviceId",
                                                 (json_int_t)service, "callId", (json_int_t)call, "message",
                                                 fm_json_text(text)));
}

static fm_status answer_call(fm_foxglove *c, uint32_t service, uint32_t call, const json_t *reply)
{
    char *text = json_dumps(reply, JSON_COMPACT);
    if (!text)
        return FM_ERR_MEMORY;
    size_t size = strlen(text);
    uint32_t length = 4;
    fm_foxglove_item *f = fm_foxglove_item_create(1, 13 + length + size);
    if (f) {
        uint8_t *at = f->bytes + FM_FOXGLOVE_FRONT;
        *at++ = OP_SERVICE;
        fm_foxglove_put(&at, &service, 4);
        fm_foxglove_put(&at, &call, 4);
        fm_foxglove_put(&at, &length, 4);
        fm_foxglove_put(&at, "json", 4);
        fm_foxglove_put(&at, text, size);
    }
    free(text);
    return fm_foxglove_enqueue(c, f);
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
fm_status fm_foxglove_give_answers(fm_foxglove *c)
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

fm_status fm_foxglove_take_call(fm_foxglove *c, const uint8_t *data, size_t size)
{
    uint32_t head[3];
    if (size < 1 + sizeof head)
        return fm_foxglove_complain(c, 2, "a service request is at least 13 bytes long");
    memcpy(head, data + 1, sizeof head);
    size_t left = size - 1 - sizeof head;
    if (head[2] > left)
        return fm_foxglove_complain(c, 2, "a service request is shorter than it says");
    const char *encoding = (const char *)data + 13;
    if (head[2] != 4 || memcmp(encoding, "json", 4) != 0)
        return fail_call(c, head[0], head[1], "requests are encoded as json");
    return call_service(c, head[0], head[1], encoding + 4, left - 4);
}

/* --- playback --- */

static fm_status tell_playback(fm_foxglove *c, const fm_play *now, const uint8_t *id, uint32_t length)
{
    fm_foxglove_item *f = fm_foxglove_item_create(1, 19 + (size_t)length);
    if (!f)
        return FM_ERR_MEMORY;
    uint8_t *at = f->bytes + FM_FOXGLOVE_FRONT, sought = now->seek != 0;
    *at++ = OP_PLAYBACK;
    *at++ = (uint8_t)now->state;
    fm_foxglove_put(&at, &now->time, 8);
    fm_foxglove_put(&at, &now->speed, 4);
    *at++ = sought;
    fm_foxglove_put(&at, &length, 4);
    if (length)
        fm_foxglove_put(&at, id, length);
    return fm_foxglove_enqueue(c, f);
}

fm_status fm_foxglove_take_playback(fm_foxglove *c, const uint8_t *data, size_t size)
{
    if (!c->show->play)
        return fm_foxglove_complain(c, 2, "this is no recording");
    if (size < 19 || data[1] > 1)
        return fm_foxglove_complain(c, 2, "a playback request is at least 19 bytes long and plays (0) or pauses (1)");
    fm_play wanted = {.state = data[1] ? FM_PLAY_PAUSED : FM_PLAY_PLAYING, .seek = data[6] != 0}, now = {0};
    uint32_t length;
    memcpy(&wanted.speed, data + 2, 4);
    memcpy(&wanted.time, data + 7, 8);
    memcpy(&length, data + 15, 4);
    if (length > size - 19 || !(wanted.speed > 0 && wanted.speed <= 1e6f))
        return fm_foxglove_complain(c, 2, "a playback request has a speed above 0 and is as long as it says");
    uint64_t before = fm_hub_position(c->show->hub); /* the player may publish the new place before play returns */
    c->show->play(c->show, &wanted, &now);
    if (now.seek)
        c->reader.cursor = before;
    return tell_playback(c, &now, data + 19, length);
}
