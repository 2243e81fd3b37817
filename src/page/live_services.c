/* The services that steer a live run: every command that the page offers, and the page's own. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/outfile.h"
#include "page/live_show.h"
#include "page/request.h"
#include "page/show_calls.h"
#include "run/run.h"
#include "world/inputs.h"
#include "world/world.h"

/* --- commands to the run --- */

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
        fm_live_show_note(live, 0, t->name);
    end_snapshot(t, status, error.text);
    atomic_store(&live->writing, WRITER_DONE);
    return NULL;
}

void fm_live_services_end(fm_live_show *live)
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
    fm_live_services_end(live);
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
        return fm_live_show_set_param(&live->show, command.set.path, command.set.value, error);
    if (kind == FM_COMMAND_RESET)
        return reset_run(live, &command, error);
    return fm_command_row_of(kind)->thread == FM_COMMAND_THREAD_LOOP ? command_run(live, &command, error)
                                                                     : fm_live_show_give(live, &command, error);
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

typedef fm_status (*service_function)(fm_live_show *live, const json_t *q, json_t *reply, fm_error *error);
static const fm_show_service own_services[] = {
    {"/pause", "pauses the run", FM_SHOW_FIELDS("")},
    {"/frame", "pauses the run and advances it to the next picture", FM_SHOW_FIELDS("")},
    {"/again", "starts again with the present values of the parameters", FM_SHOW_FIELDS("")},
    {"/snapshot", "the state into a file in the folder of the program", FM_SHOW_FIELDS("")},
    {"/scenarios", "what can be loaded", FM_SHOW_FIELDS("")},
    {"/load", "another scenario", FM_SHOW_FIELDS(FM_SHOW_TEXT("name"))},
};
static const service_function functions[] = {NULL, step_frame, again, snapshot, list_scenarios, load_scenario};
enum { OWN_SERVICES = sizeof own_services / sizeof *own_services };
_Static_assert(OWN_SERVICES == sizeof functions / sizeof *functions, "a function for each service");
_Static_assert(OWN_SERVICES <= FM_LIVE_SHOW_SERVICES - FM_COMMAND_KINDS, "room for all services");

fm_status fm_live_services_call(fm_show *show, const char *name, const json_t *request, json_t *reply, fm_error *error)
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

fm_status fm_live_services_list(fm_live_show *live, fm_error *error)
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
