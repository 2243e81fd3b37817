/* A run before viewers. */
#include "page/live_show.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "page/json_text.h"
#include "page/show_calls.h"
#include "run/run.h"
#include "server/seal.h"
#include "telemetry/message.h"
#include "world/inputs.h"
#include "world/world.h"

/* --- messages: by the sink's own thread --- */

/* A reset: the log's time continues, the viewers' time starts again. */
static void follow_reset(fm_live_show *live, uint64_t steps)
{
    live->origin = (uint64_t)((double)steps * fm_model_dt(fm_world_model(fm_run_world(live->run))) * 1e9 + 0.5);
    fm_show_params_reset(&live->show);
}

static void follow_input(fm_live_show *live, const fm_sink_message *message)
{
    fm_arena arena = {0};
    fm_msg_input input = {0};
    if (fm_message_decode(&fm_msg_input_type, message->data, message->size, &input, &arena, NULL) == FM_OK) {
        if (input.kind == FM_MSG_input_SET && input.values.count == 1 && input.texts.count == 1)
            fm_show_param_changed(&live->show, input.texts.items[0], input.values.items[0]);
        if (input.kind == FM_MSG_input_FAULT && input.values.count == 1 && input.texts.count == 2) {
            char path[160];
            snprintf(path, sizeof path, "/%s/%s/%s", input.vehicle, input.texts.items[0], input.texts.items[1]);
            fm_show_param_changed(&live->show, path, input.values.items[0]);
        }
        if (input.kind == FM_MSG_input_RESET)
            follow_reset(live, input.tick);
        if (input.kind != FM_MSG_input_ORDER && input.kind != FM_MSG_input_FLY)
            atomic_store(&live->waypoints_stale, 1);
    }
    fm_arena_free(&arena);
}

static void take_message(void *user, const fm_sink_message *message)
{
    fm_live_show *live = user;
    if (message->channel == live->inputs)
        follow_input(live, message);
    int number = message->channel < live->number_count ? live->numbers[message->channel] : -1;
    if (number < 0)
        return;
    fm_hub_message m = {(uint32_t)number, message->time > live->origin ? message->time - live->origin : 0,
                        message->data, message->size};
    fm_hub_publish(live->show.hub, &m);
}

static fm_status make_numbers(fm_live_show *live, size_t count, fm_error *error)
{
    if (count <= live->number_count)
        return FM_OK;
    size_t room = count + 64;
    int *numbers = fm_realloc(live->numbers, room * sizeof *numbers);
    if (!numbers)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for channels");
    for (size_t i = live->number_count; i < room; i++)
        numbers[i] = -1;
    live->numbers = numbers;
    live->number_count = room;
    return FM_OK;
}

static fm_status add_channel(fm_live_show *live, size_t i, const fm_channel_info *info, fm_error *error)
{
    char *schema = fm_type_schema(info->type);
    fm_hub_channel channel = {info->topic, "cdr", info->type, schema, "ros2msg", fm_hub_topic_is_sparse(info->topic)};
    fm_status status = make_numbers(live, i + 1, error);
    int number = status == FM_OK && schema ? fm_hub_add(live->show.hub, &channel) : -1;
    fm_free(schema);
    if (number < 0)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for channels");
    live->numbers[i] = number;
    return FM_OK;
}

/* A vehicle has come or gone. */
static void take_channel(void *user, uint32_t channel, const fm_channel_info *info)
{
    fm_live_show *live = user;
    fm_error ignored; /* viewers do not see a channel for lack of memory */
    if (channel < live->number_count && live->numbers[channel] >= 0) {
        fm_hub_remove(live->show.hub, (uint32_t)live->numbers[channel]);
        live->numbers[channel] = -1;
    }
    if (info->topic[0])
        add_channel(live, channel, info, &ignored);
}

static fm_status list_channels(void *user, fm_sink *sink, fm_error *error)
{
    fm_live_show *live = user;
    fm_status status = FM_OK;
    for (size_t i = 0; status == FM_OK && i < fm_sink_channel_count(sink); i++) {
        fm_channel_info info = fm_sink_channel(sink, i);
        if (strcmp(info.topic, "/inputs") == 0)
            live->inputs = i;
        if (info.topic[0])
            status = add_channel(live, i, &info, error);
    }
    return status;
}

void fm_live_show_publish(fm_live_show *live, int channel, json_t *object)
{
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    if (text)
        fm_hub_publish(live->show.hub, &(fm_hub_message){.channel = (uint32_t)channel,
                                                         .time = fm_hub_time(live->show.hub),
                                                         .data = text,
                                                         .size = strlen(text)});
    free(text);
}

/* A message for viewers: level 0 for information, 2 for an error. */
void fm_live_show_note(fm_live_show *live, int level, const char *text)
{
    fm_live_show_publish(live, live->notes_channel, json_pack("{s:i,s:o}", "level", level, "text", fm_json_text(text)));
}

static void tell_refusal(void *user, fm_sink *sink, const fm_input *input, const fm_error *error)
{
    (void)sink;
    (void)input;
    fm_live_show_note(user, 2, error->text);
}

static void note_failure(void *user, fm_sink *sink, const fm_error *error)
{
    fm_live_show *live = user;
    (void)sink;
    pthread_mutex_lock(&live->show.lock);
    fm_text_shorten(live->failure, sizeof live->failure, error->text);
    pthread_mutex_unlock(&live->show.lock);
}

static fm_status note_end(void *user, fm_sink *sink, const fm_run_ending *ending, fm_error *error)
{
    fm_live_show *live = user;
    (void)sink;
    (void)ending;
    (void)error;
    atomic_store(&live->over, 1);
    return FM_OK;
}

/* --- waypoints: by the stepping thread --- */

static json_t *describe_waypoints(const fm_world *world, const char *vehicle)
{
    enum { MOST = 256 };
    fm_waypoint list[MOST];
    size_t count = fm_world_waypoints(world, vehicle, NULL, list, MOST);
    json_t *rows = json_array();
    for (size_t i = 0; i < count && i < MOST; i++)
        json_array_append_new(rows,
                              json_pack("{s:[f,f,f],s:f,s:f}", "position", list[i].position[0], list[i].position[1],
                                        list[i].position[2], "speed", list[i].speed, "hold", list[i].hold));
    return rows;
}

/* Waypoints by name of the vehicles that have some. */
static json_t *list_waypoints(const fm_world *world)
{
    json_t *all = json_object();
    for (int slot = 0; slot < fm_world_slots(world); slot++) {
        const char *name = fm_world_name(world, slot);
        if (name && fm_world_waypoints(world, name, NULL, NULL, 0))
            json_object_set_new(all, name, describe_waypoints(world, name));
    }
    return all;
}

/* --- set points, and owners of actuators: by the stepping thread --- */

static json_t *describe_setpoint(const fm_setpoint_info *s)
{
    json_t *value = isfinite(s->value) ? json_real(s->value) : json_null();
    return json_pack("{s:s,s:s,s:s,s:s,s:f,s:f,s:b,s:o}", "part", s->part, "name", s->name, "unit", s->unit, "text",
                     s->text, "min", s->min, "max", s->max, "optional", s->optional, "value", value);
}

static json_t *describe_holding(const fm_world *world, int slot)
{
    json_t *setpoints = json_array(), *controllers = json_array();
    const fm_type *type = world->slots[slot].type;
    for (size_t i = 0; i < fm_world_setpoint_count(world, slot); i++) {
        fm_setpoint_info s = fm_world_setpoint(world, slot, i);
        json_array_append_new(setpoints, describe_setpoint(&s));
    }
    for (size_t i = 0; i < type->controller_count; i++) {
        const char *name = type->parts[type->sensor_count + i].name;
        json_array_append_new(controllers,
                              json_pack("{s:s,s:b}", "name", name, "engaged", fm_world_engaged(world, slot, name)));
    }
    return json_pack("{s:o,s:o}", "setpoints", setpoints, "controllers", controllers);
}

static json_t *list_holdings(const fm_world *world)
{
    json_t *all = json_object();
    for (int slot = 0; slot < fm_world_slots(world); slot++)
        if (fm_world_name(world, slot))
            json_object_set_new(all, fm_world_name(world, slot), describe_holding(world, slot));
    return all;
}

/* By the stepping thread, after each step. */
static void note_tick(fm_live_show *live)
{
    const uint64_t tick = fm_world_tick(fm_run_world(live->run)), before = atomic_exchange(&live->tick, tick);
    if (tick < before) {
        atomic_store(&live->ended, 0);
        live->next_change = 0;
    }
    const fm_model *model = fm_world_model(fm_run_world(live->run));
    for (; live->next_change < model->change_count && model->changes[live->next_change].tick < tick;
         live->next_change++)
        fm_show_param_changed(&live->show, model->changes[live->next_change].path,
                              model->changes[live->next_change].value);
    const int had_met_end = live->met_end;
    live->met_end = live->pauses && fm_world_over(fm_run_world(live->run));
    if ((tick < live->end || before >= live->end) && (had_met_end || !live->met_end))
        return;
    fm_run_pause(live->run);
    atomic_store(&live->ended, 1);
    atomic_store(&live->paused, 1);
}

static fm_status tell_waypoints(void *user, fm_sink *sink, fm_error *error)
{
    fm_live_show *live = user;
    (void)sink;
    (void)error;
    note_tick(live);
    if (!atomic_exchange(&live->waypoints_stale, 0))
        return FM_OK;
    json_t *lists = list_waypoints(fm_run_world(live->run));
    fm_live_show_publish(live, live->waypoints_channel, json_pack("{s:o}", "vehicles", lists));
    json_t *holdings = list_holdings(fm_run_world(live->run));
    fm_live_show_publish(live, live->setpoints_channel, json_pack("{s:o}", "vehicles", holdings));
    return FM_OK;
}

/* --- inputs: answered once the world has applied them --- */

typedef struct input_task {
    fm_run_task task;
    fm_show_call *call;
    fm_input input;
} input_task;

/* The stepping thread. */
static void take_input(fm_run *run, fm_run_task *task)
{
    input_task *t = (input_task *)(void *)task;
    fm_error error = {0};
    fm_status status = fm_run_over(run) ? fm_fail(&error, FM_ERR_STATE, "the run is over")
                                        : fm_world_input(fm_run_world(run), &t->input, &error);
    fm_show_answer(t->call, status, error.text);
    fm_free(t);
}

fm_status fm_live_show_give(fm_live_show *live, const fm_command *command, fm_error *error)
{
    input_task *task = fm_alloc(sizeof *task);
    if (!task)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for an input");
    *task = (input_task){{.call = take_input}, live->show.asked, {.command = *command}};
    fm_input_set_holder(&task->input, "page");
    if (fm_run_post(live->run, &task->task) == FM_OK) {
        fm_show_defer(&live->show);
        return FM_OK;
    }
    fm_free(task);
    return fm_fail(error, FM_ERR_STATE, "the run is over");
}

/* The stepping thread: releases all orders of the page. */
static void take_back(fm_run *run, fm_run_task *task)
{
    fm_world *world = fm_run_over(run) ? NULL : fm_run_world(run);
    for (int slot = 0; slot < fm_world_slots(world); slot++) {
        const char *name = fm_world_name(world, slot);
        fm_input input;
        if (!name || fm_input_begin(&input, FM_COMMAND_RELEASE, name, "", NULL) != FM_OK)
            continue;
        fm_input_set_holder(&input, "page");
        (void)fm_world_input(world, &input, NULL); /* refused where it holds nothing */
    }
    fm_free(task);
}

static void deserted(fm_show *show)
{
    fm_live_show *live = show->user;
    fm_run_task *task = live->run ? fm_alloc(sizeof *task) : NULL;
    if (!task)
        return;
    *task = (fm_run_task){.call = take_back};
    if (fm_run_post(live->run, task) != FM_OK)
        fm_free(task);
}

/* --- parameters --- */

static int read_number(const char *text, double *value)
{
    const char *at = text;
    return text && fm_text_number_read(&at, value) && *at == 0;
}

static void read_param(fm_show_param *p, const fm_world *world, fm_param_info info)
{
    *p = (fm_show_param){.path = info.path,
                         .unit = info.unit,
                         .text = info.text,
                         .min = info.min,
                         .max = info.max,
                         .live = info.live,
                         .written = info.set,
                         .words = info.value};
    p->numeric = read_number(info.value, &p->value);
    if (info.live && fm_world_get(world, info.path, &p->value, NULL) == FM_OK)
        p->numeric = 1;
    p->first = p->value;
}

static fm_status read_params(fm_live_show *live, fm_error *error)
{
    const fm_world *world = fm_run_world(live->run);
    const fm_model *model = fm_world_model(world);
    size_t count = fm_model_param_count(model);
    fm_status status = fm_show_reserve(&live->show, count, error);
    for (size_t i = 0; status == FM_OK && i < count; i++)
        read_param(&live->show.params[i], world, fm_model_param(model, i));
    return status;
}

/* Unit, range and description, which the protocol has no field for: a channel, published once. */
static void tell_params(fm_live_show *live)
{
    json_t *list = json_array();
    for (size_t i = 0; i < live->show.param_count; i++) {
        const fm_show_param *p = &live->show.params[i];
        json_array_append_new(list, json_pack("{s:o,s:o,s:o,s:f,s:f,s:b,s:b}", "path", fm_json_text(p->path), "unit",
                                              fm_json_text(p->unit), "text", fm_json_text(p->text), "min", p->min,
                                              "max", p->max, "live", p->live, "written", p->written));
    }
    fm_live_show_publish(live, live->params_channel, json_pack("{s:o}", "parameters", list));
}

fm_status fm_live_show_set_param(fm_show *show, const char *path, double value, fm_error *error)
{
    fm_live_show *live = show->user;
    const fm_show_param *p = fm_show_find_param(show, path);
    if (!p)
        return fm_fail(error, FM_ERR_NAME, "%s: unknown parameter", path);
    if (!p->live)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s: it is read at load and cannot change in a run", path);
    if ((p->min != 0 || p->max != 0) && !(value >= p->min && value <= p->max))
        return fm_fail(error, FM_ERR_RANGE, "%s: %g %s: must be %g … %g", path, value, p->unit, p->min, p->max);
    fm_command set = {.kind = FM_COMMAND_SET, .set.value = value};
    fm_status status =
        fm_argument_write_name(fm_command_argument(fm_command_row_of(set.kind), FM_ARGUMENT_PATH), &set, path, error);
    return status == FM_OK ? fm_live_show_give(live, &set, error) : status;
}

/* --- what it is --- */

void fm_live_show_end_at(fm_live_show *live, double duration)
{
    live->pauses = 1;
    live->end = duration > 0 ? fm_model_ticks(fm_world_model(fm_run_world(live->run)), duration) : UINT64_MAX;
}

void fm_live_show_report(fm_live_show *live, const char *text)
{
    pthread_mutex_lock(&live->show.lock);
    fm_text_shorten(live->told, sizeof live->told, text);
    pthread_mutex_unlock(&live->show.lock);
    fm_live_show_note(live, 0, text);
}

/* clang-format off */
static const char run_schema[] = FM_SHOW_FIELDS(
    FM_SHOW_TEXT("state") "," FM_SHOW_NUMBER("speed") "," FM_SHOW_NUMBER("factor") "," FM_SHOW_NUMBER("time") ","
    FM_SHOW_TEXT("told") "," FM_SHOW_NUMBER("steps") "," FM_SHOW_NUMBER("late") "," FM_SHOW_NUMBER("latest") ","
    FM_SHOW_NUMBER("inputs") "," FM_SHOW_NUMBER("refused") "," FM_SHOW_TEXT("failure"));
/* clang-format on */
static const char notes_schema[] = FM_SHOW_FIELDS(FM_SHOW_NUMBER("level") "," FM_SHOW_TEXT("text"));
static const char waypoints_schema[] = FM_SHOW_FIELDS("\"vehicles\":{\"type\":\"object\",\"properties\":{}}");
static const char clients_schema[] = FM_SHOW_FIELDS("\"clients\":{\"type\":\"array\"}");
static const char params_schema[] = FM_SHOW_FIELDS("\"parameters\":{\"type\":\"array\"}");

static fm_status describe(fm_live_show *live, const char *scenario)
{
    const fm_model *model = fm_world_model(fm_run_world(live->run));
    json_t *about = live->show.metadata;
    char session[33]; /* cannot be guessed, and differs between runs */
    uint64_t random[2] = {fm_seal_random(), fm_seal_random()};
    snprintf(session, sizeof session, "%016" PRIx64 "%016" PRIx64, random[0], random[1]);
    json_object_set_new(about, "mode", json_string("live"));
    json_object_set_new(about, "scenario", fm_json_text(scenario));
    json_object_set_new(about, "title", fm_json_text(fm_model_title(model)));
    json_object_set_new(about, "about", fm_json_text(model->about ? model->about : ""));
    json_object_set_new(about, "view", fm_json_text(model->view ? model->view : ""));
    json_object_set_new(about, "session", json_string(session));
    live->clients_channel = fm_hub_add(
        live->show.hub, &(fm_hub_channel){"/clients", "json", "fathom.Clients", clients_schema, "jsonschema", 0});
    live->run_channel =
        fm_hub_add(live->show.hub, &(fm_hub_channel){"/run", "json", "fathom.Run", run_schema, "jsonschema", 0});
    live->params_channel = fm_hub_add(
        live->show.hub, &(fm_hub_channel){"/parameters", "json", "fathom.Parameters", params_schema, "jsonschema", 0});
    live->notes_channel =
        fm_hub_add(live->show.hub, &(fm_hub_channel){"/notes", "json", "fathom.Note", notes_schema, "jsonschema", 1});
    live->setpoints_channel = fm_hub_add(
        live->show.hub, &(fm_hub_channel){"/setpoints", "json", "fathom.Setpoints", waypoints_schema, "jsonschema", 0});
    live->waypoints_channel = fm_hub_add(
        live->show.hub, &(fm_hub_channel){"/waypoints", "json", "fathom.Waypoints", waypoints_schema, "jsonschema", 0});
    return live->clients_channel < 0 || live->run_channel < 0 || live->params_channel < 0 || live->notes_channel < 0 ||
                   live->waypoints_channel < 0 || live->setpoints_channel < 0
               ? FM_ERR_MEMORY
               : FM_OK;
}

/* Ticks between two samples of the vehicle that moves most often. */
static uint64_t find_frame(const fm_model *model, double rate)
{
    uint64_t frame = fm_model_ticks(model, 1 / rate), period = UINT64_MAX;
    for (size_t i = 0; i < model->vehicle_count; i++) {
        const uint64_t own = model->types[model->vehicles[i].type].period;
        period = own < period ? own : period;
    }
    frame = frame > 0 ? frame : 1;
    return model->vehicle_count && period > frame ? period : frame;
}

fm_status fm_live_show_open(fm_live_show *live, fm_run *run, const char *scenario, double rate, double speed,
                            int paused, fm_error *error)
{
    *live = (fm_live_show){.run = run, .pace = {.speed = speed}, .inputs = SIZE_MAX, .end = UINT64_MAX};
    live->frame = find_frame(fm_world_model(fm_run_world(run)), rate);
    atomic_store(&live->paused, paused);
    atomic_store(&live->waypoints_stale, 1);
    fm_status status = fm_seal_prepare(error);
    if (status == FM_OK)
        status = fm_show_open(&live->show, "Fathom", error);
    if (status != FM_OK)
        return status;
    live->show.user = live;
    live->show.set = fm_live_show_set_param;
    live->show.call = fm_live_services_call;
    live->show.deserted = deserted;
    fm_sink_config sink = {.rate = rate,
                           .delivery = FM_SINK_DROP,
                           .start = list_channels,
                           .step = tell_waypoints,
                           .message = take_message,
                           .channel = take_channel,
                           .refused = tell_refusal,
                           .error = note_failure,
                           .end = note_end,
                           .user = live};
    status = fm_live_services_list(live, error);
    if (status == FM_OK)
        status = read_params(live, error);
    if (status == FM_OK && describe(live, scenario) != FM_OK)
        status = fm_fail(error, FM_ERR_MEMORY, "out of memory for a show");
    if (status == FM_OK)
        status = fm_run_attach(run, &sink, NULL, error);
    if (status != FM_OK)
        return fm_live_show_close(live), status;
    tell_params(live);
    return FM_OK;
}

void fm_live_show_close(fm_live_show *live)
{
    fm_live_services_end(live);
    json_decref(live->clients);
    live->clients = NULL;
    fm_free(live->numbers);
    live->numbers = NULL;
    live->number_count = 0;
    for (size_t i = 0; i < FM_COMMAND_KINDS; i++) {
        fm_free(live->service_schemas[i]);
        live->service_schemas[i] = NULL;
    }
    if (live->show.hub)
        fm_show_close(&live->show);
}
