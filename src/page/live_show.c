/* A run before viewers. */
#include "page/live_show.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/outfile.h"
#include "base/text.h"
#include "page/json_text.h"
#include "page/request.h"
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
static void tell_note(fm_live_show *live, int level, const char *text)
{
    fm_live_show_publish(live, live->notes_channel, json_pack("{s:i,s:o}", "level", level, "text", fm_json_text(text)));
}

static void tell_refusal(void *user, fm_sink *sink, const fm_input *input, const fm_error *error)
{
    (void)sink;
    (void)input;
    tell_note(user, 2, error->text);
}

static void note_failure(void *user, fm_sink *sink, const fm_error *error)
{
    fm_live_show *live = user;
    (void)sink;
    pthread_mutex_lock(&live->show.lock);
    fm_text_copy(live->failure, sizeof live->failure, error->text);
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

static fm_status give(fm_live_show *live, const fm_command *command, fm_error *error)
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

static fm_status set_param(fm_show *show, const char *path, double value, fm_error *error)
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
    return status == FM_OK ? give(live, &set, error) : status;
}

/* --- services --- */

static void take_answer(void *user, const fm_wire_result *result)
{
    fm_show_answer(user, result->code == FM_WIRE_DONE ? FM_OK : FM_ERR_STATE, result->text);
}

/* Commands to the run go through the place if there is one: a server then knows its state and notifies its clients. */
static fm_status command_run(fm_live_show *live, const fm_command *c, fm_error *error)
{
    if (c->kind == FM_COMMAND_START || c->kind == FM_COMMAND_STOP || c->kind == FM_COMMAND_STEP)
        atomic_store(&live->paused, c->kind != FM_COMMAND_START);
    atomic_store(&live->ended, 0);
    if (c->kind == FM_COMMAND_SPEED)
        live->pace.speed = c->speed.speed;
    if (live->host) {
        fm_host_execute(live->host, c, "page", take_answer, fm_show_defer(&live->show));
        return FM_OK;
    }
    switch (c->kind) {
    case FM_COMMAND_START: return fm_run_resume(live->run), FM_OK;
    case FM_COMMAND_STOP: return fm_run_pause(live->run), FM_OK;
    case FM_COMMAND_STEP: return fm_run_single(live->run, (uint64_t)c->step.steps), FM_OK;
    case FM_COMMAND_SPEED: return fm_run_set_pace(live->run, &live->pace, error);
    default: return fm_run_reset(live->run, error);
    }
}

void fm_live_show_end_at(fm_live_show *live, double duration)
{
    live->pauses = 1;
    live->end = duration > 0 ? fm_model_ticks(fm_world_model(fm_run_world(live->run)), duration) : UINT64_MAX;
}

void fm_live_show_report(fm_live_show *live, const char *text)
{
    pthread_mutex_lock(&live->show.lock);
    fm_text_copy(live->told, sizeof live->told, text);
    pthread_mutex_unlock(&live->show.lock);
    tell_note(live, 0, text);
}

/* As many steps as it takes until viewers are sent the next picture. */
static fm_status step_frame(fm_live_show *live, const json_t *q, json_t *reply, fm_error *error)
{
    const uint64_t steps = live->frame - atomic_load(&live->tick) % live->frame;
    (void)q;
    (void)reply;
    return command_run(live, &(fm_command){.kind = FM_COMMAND_STEP, .step.steps = (int64_t)steps}, error);
}

/* Steps notify the viewers: one is made if the run is paused. */
static fm_status reset_run(fm_live_show *live, const fm_command *c, fm_error *error)
{
    static const fm_command step = {.kind = FM_COMMAND_STEP, .step.steps = 1};
    fm_status status = command_run(live, c, error);
    if (status != FM_OK || !fm_live_show_paused(live))
        return status;
    if (live->host) /* its answer is that of the reset */
        fm_host_execute(live->host, &step, "page", NULL, NULL);
    else
        fm_run_single(live->run, 1);
    return FM_OK;
}

/* Parameters that differ from those of the start, to be set after a reset. */
typedef struct again_task {
    fm_run_task task;
    fm_show_call *call;
    size_t count;
    fm_input inputs[];
} again_task;

/* The stepping thread: the reset takes effect at the next step, and what follows it in the world's inputs after it. */
static void begin_again(fm_run *run, fm_run_task *task)
{
    again_task *t = (again_task *)(void *)task;
    fm_error error = {0};
    fm_status status = fm_run_over(run) ? fm_fail(&error, FM_ERR_STATE, "the run is over") : fm_run_reset(run, &error);
    for (size_t i = 0; i < t->count && status == FM_OK; i++)
        status = fm_run_submit(run, &t->inputs[i], &error);
    fm_show_answer(t->call, status, error.text);
    fm_free(t);
}

static again_task *list_changed(fm_live_show *live, fm_error *error)
{
    again_task *t = fm_alloc(sizeof *t + live->show.param_count * sizeof *t->inputs);
    if (!t)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for inputs"), NULL;
    *t = (again_task){.task = {.call = begin_again}, .call = live->show.asked};
    pthread_mutex_lock(&live->show.lock);
    for (size_t i = 0; i < live->show.param_count; i++) {
        const fm_show_param *p = &live->show.params[i];
        fm_command set = {.kind = FM_COMMAND_SET, .set.value = p->value};
        if (!p->live || !p->numeric || p->value == p->first)
            continue;
        if (fm_argument_write_name(fm_command_argument(fm_command_row_of(set.kind), FM_ARGUMENT_PATH), &set, p->path,
                                   NULL) != FM_OK)
            continue;
        t->inputs[t->count] = (fm_input){.command = set};
        fm_input_set_holder(&t->inputs[t->count++], "page");
    }
    pthread_mutex_unlock(&live->show.lock);
    return t;
}

/* From the start, with the values that the parameters have now. */
static fm_status again(fm_live_show *live, const json_t *q, json_t *reply, fm_error *error)
{
    (void)q;
    (void)reply;
    again_task *t = list_changed(live, error);
    if (!t)
        return error->status;
    if (fm_run_post(live->run, &t->task) != FM_OK) {
        fm_free(t);
        return fm_fail(error, FM_ERR_STATE, "the run is over");
    }
    fm_show_defer(&live->show);
    if (!fm_live_show_paused(live))
        return FM_OK;
    static const fm_command step = {.kind = FM_COMMAND_STEP, .step.steps = 1}; /* steps notify the viewers */
    if (live->host)
        fm_host_execute(live->host, &step, "page", NULL, NULL);
    else
        fm_run_single(live->run, 1);
    return FM_OK;
}

/* --- snapshots: the state between two steps, put into a file by another thread --- */

typedef struct snapshot_task {
    fm_run_task task;
    fm_live_show *live;
    fm_show_call *call;
    void *state;
    size_t size;
    char name[64];
} snapshot_task;

enum { WRITER_NONE, WRITER_BUSY, WRITER_DONE };

static void end_snapshot(snapshot_task *t, fm_status status, const char *text)
{
    fm_show_answer(t->call, status, text);
    fm_free(t->state);
    fm_free(t);
}

static void *write_snapshot(void *user)
{
    snapshot_task *t = user;
    fm_live_show *live = t->live;
    fm_error error = {0};
    fm_status status = fm_outfile_write(t->name, t->state, t->size, &error);
    if (status == FM_OK)
        tell_note(live, 0, t->name);
    end_snapshot(t, status, error.text);
    atomic_store(&live->writing, WRITER_DONE);
    return NULL;
}

static void join_writer(fm_live_show *live)
{
    if (atomic_load(&live->writing) != WRITER_NONE)
        pthread_join(live->writer, NULL);
    atomic_store(&live->writing, WRITER_NONE);
}

static void take_snapshot(fm_run *run, fm_run_task *task)
{
    snapshot_task *t = (snapshot_task *)(void *)task;
    fm_live_show *live = t->live;
    const fm_world *world = fm_run_world(run);
    fm_error error = {0};
    if (atomic_load(&live->writing) == WRITER_BUSY) {
        end_snapshot(t, FM_ERR_STATE, "the snapshot before this one is still being written");
        return;
    }
    join_writer(live);
    t->size = fm_world_state_size(world);
    t->state = fm_alloc(t->size);
    snprintf(t->name, sizeof t->name, "fathom-%.3fs.state", fm_world_time(world));
    fm_status status = t->state ? fm_world_save(world, t->state, t->size, &error)
                                : fm_fail(&error, FM_ERR_MEMORY, "out of memory for a snapshot");
    if (status != FM_OK) {
        end_snapshot(t, status, error.text);
        return;
    }
    atomic_store(&live->writing, WRITER_BUSY);
    if (pthread_create(&live->writer, NULL, write_snapshot, t) != 0) {
        atomic_store(&live->writing, WRITER_NONE);
        end_snapshot(t, FM_ERR_LIBRARY, "no thread to write a snapshot");
    }
}

static fm_status snapshot(fm_live_show *live, const json_t *q, json_t *reply, fm_error *error)
{
    (void)q;
    (void)reply;
    snapshot_task *task = fm_alloc(sizeof *task);
    if (!task)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a snapshot");
    *task = (snapshot_task){.task = {.call = take_snapshot}, .live = live, .call = live->show.asked};
    if (fm_run_post(live->run, &task->task) == FM_OK) {
        fm_show_defer(&live->show);
        return FM_OK;
    }
    fm_free(task);
    return fm_fail(error, FM_ERR_STATE, "the run is over");
}

/* --- commands of viewers --- */

static fm_command_kind waypoint_kind(const char *action)
{
    return !action || strcmp(action, "add") == 0 ? FM_COMMAND_WAYPOINT
           : strcmp(action, "move") == 0         ? FM_COMMAND_WAYPOINT_MOVE
           : strcmp(action, "clear") == 0        ? FM_COMMAND_WAYPOINTS_CLEAR
                                                 : FM_COMMAND_NONE;
}

/* The command of a service. Three services cover several commands: /pause stops, /desire without a value releases, and
 * /waypoint adds, moves or clears, depending on its `action`. */
static fm_command_kind kind_of(const char *service, const json_t *q)
{
    const fm_command_row *row = fm_command_row_find(service[0] == '/' ? service + 1 : service);
    if (strcmp(service, "/pause") == 0)
        return FM_COMMAND_STOP;
    if (!row || row->refused[FM_COMMAND_DOOR_PAGE])
        return FM_COMMAND_NONE;
    if (row->kind == FM_COMMAND_DESIRE && !fm_request_has(q, "value"))
        return FM_COMMAND_RELEASE;
    if (row->kind == FM_COMMAND_WAYPOINT)
        return waypoint_kind(json_string_value(json_object_get(q, "action")));
    return row->kind;
}

static fm_status do_command(fm_live_show *live, fm_command_kind kind, const json_t *q, fm_error *error)
{
    fm_command command;
    fm_status status = fm_request_command(q, kind, &command, error);
    if (status != FM_OK)
        return status;
    if (kind == FM_COMMAND_SET)
        return set_param(&live->show, command.set.path, command.set.value, error);
    if (kind == FM_COMMAND_RESET)
        return reset_run(live, &command, error);
    return fm_command_row_of(kind)->thread == FM_COMMAND_THREAD_LOOP ? command_run(live, &command, error)
                                                                     : give(live, &command, error);
}

/* --- other services --- */

static fm_status list_scenarios(fm_live_show *live, const json_t *q, json_t *reply, fm_error *error)
{
    (void)q;
    (void)error;
    json_object_set_new(reply, "scenarios", live->scenarios ? json_incref(live->scenarios) : json_array());
    return FM_OK;
}

/* Only entries of the list: a viewer cannot name files. */
static fm_status load_scenario(fm_live_show *live, const json_t *q, json_t *reply, fm_error *error)
{
    (void)reply;
    const char *name;
    fm_status status = fm_request_text(q, "name", &name, error);
    size_t i;
    json_t *row;
    if (status != FM_OK)
        return status;
    json_array_foreach(live->scenarios, i, row) if (live->load && json_is_string(json_object_get(row, "name")) &&
                                                    strcmp(json_string_value(json_object_get(row, "name")), name) == 0)
    {
        if (live->loading)
            return fm_fail(error, FM_ERR_STATE, "another scenario is being loaded");
        snprintf(live->wanted, sizeof live->wanted, "%s", name);
        live->loading = fm_show_defer(&live->show);
        live->load(live->load_user);
        return FM_OK;
    }
    return fm_fail(error, FM_ERR_NAME, "unknown scenario '%s'", name);
}

#define FIELDS(fields) "{\"type\":\"object\",\"properties\":{" fields "}}"
#define TEXT(name) "\"" name "\":{\"type\":\"string\"}"
#define NUMBER(name) "\"" name "\":{\"type\":\"number\"}"
#define VECTOR(name) "\"" name "\":{\"type\":\"array\",\"items\":{\"type\":\"number\"}}"

typedef fm_status (*service_function)(fm_live_show *live, const json_t *q, json_t *reply, fm_error *error);
static const fm_show_service own_services[] = {
    {"/pause", "pauses the run", FIELDS("")},
    {"/frame", "pauses the run and advances it to the next picture", FIELDS("")},
    {"/again", "starts again with the present values of the parameters", FIELDS("")},
    {"/snapshot", "the state into a file in the folder of the program", FIELDS("")},
    {"/scenarios", "what can be loaded", FIELDS("")},
    {"/load", "another scenario", FIELDS(TEXT("name"))},
};
static const service_function functions[] = {NULL, step_frame, again, snapshot, list_scenarios, load_scenario};
enum { OWN_SERVICES = sizeof own_services / sizeof *own_services };
_Static_assert(OWN_SERVICES == sizeof functions / sizeof *functions, "a function for each service");
_Static_assert(OWN_SERVICES <= FM_LIVE_SHOW_SERVICES - FM_COMMAND_KINDS, "room for all services");

static fm_status call_service(fm_show *show, const char *name, const json_t *request, json_t *reply, fm_error *error)
{
    const fm_command_kind kind = kind_of(name, request);
    if (kind != FM_COMMAND_NONE)
        return do_command(show->user, kind, request, error);
    for (size_t i = 0; i < OWN_SERVICES; i++)
        if (strcmp(own_services[i].name, name) == 0)
            return functions[i](show->user, request, reply, error);
    if (strcmp(name, "/waypoint") == 0)
        return fm_fail(error, FM_ERR_ARGUMENT, "action: add, move or clear");
    return fm_fail(error, FM_ERR_NAME, "unknown service '%s'", name);
}

/* A service for every command that the page offers, and the page's own services. */
static fm_status list_services(fm_live_show *live, fm_error *error)
{
    size_t count = 0;
    for (int kind = 1; kind < FM_COMMAND_KINDS; kind++) {
        const fm_command_row *row = fm_command_row_of((fm_command_kind)kind);
        char *schema = row->refused[FM_COMMAND_DOOR_PAGE] ? NULL : fm_request_schema(row);
        if (row->refused[FM_COMMAND_DOOR_PAGE])
            continue;
        if (!schema)
            return fm_fail(error, FM_ERR_MEMORY, "out of memory for services");
        snprintf(live->service_names[count], sizeof live->service_names[count], "/%s", row->word);
        live->service_schemas[count] = schema;
        live->services[count] = (fm_show_service){live->service_names[count], row->about, schema};
        count++;
    }
    memcpy(live->services + count, own_services, sizeof own_services);
    live->show.services = live->services;
    live->show.service_count = count + OWN_SERVICES;
    return FM_OK;
}

static const char run_schema[] =
    FIELDS(TEXT("state") "," NUMBER("speed") "," NUMBER("factor") "," NUMBER("time") "," TEXT("told") "," NUMBER(
        "steps") "," NUMBER("late") "," NUMBER("latest") "," NUMBER("inputs") "," NUMBER("refused") "," TEXT("failur"
                                                                                                             "e"));
static const char notes_schema[] = FIELDS(NUMBER("level") "," TEXT("text"));
static const char waypoints_schema[] = FIELDS("\"vehicles\":{\"type\":\"object\",\"properties\":{}}");
static const char clients_schema[] = FIELDS("\"clients\":{\"type\":\"array\"}");
static const char params_schema[] = FIELDS("\"parameters\":{\"type\":\"array\"}");

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
    live->show.set = set_param;
    live->show.call = call_service;
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
    status = list_services(live, error);
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
    join_writer(live);
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
