/* Executes commands from every source. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "run/run.h"
#include "server/core.h"

const char *fm_role_name(fm_wire_role role)
{
    static const char *const names[] = {"?",        "surface",   "underwater", "buoy",
                                        "observer", "commander", "controller", "emulator"};
    return names[role >= FM_WIRE_SURFACE && role <= FM_WIRE_EMULATOR ? role : 0];
}

/* --- the log; stepping thread --- */

static fm_sink *last_sink(const fm_run *run)
{
    fm_sink *sink = run->sinks;
    while (sink && sink->next)
        sink = sink->next;
    return sink;
}

void fm_server_note_log(fm_server *server)
{
    fm_server_lock(server);
    server->log_past.dropped += server->log_result.dropped;
    server->log_past.lost += server->log_result.lost;
    server->log_now = (fm_log_counts){0};
    server->log_result = (fm_log_result){0};
    fm_server_unlock(server);
}

static void close_log(fm_server *server, fm_run *run)
{
    if (!server->log_sink)
        return;
    fm_run_detach(run, server->log_sink, NULL);
    server->log_sink = NULL;
    fm_server_note_log(server);
}

/* The disk is full: the simulation continues without the data that does not fit. */
static void tell_trouble(void *user, const fm_error *error)
{
    fm_host_tell(fm_server_host(user), "log: %s", error->text);
}

static fm_log_options log_options(fm_server *server)
{
    double period = server->settings->log_period;
    return (fm_log_options){
        .rate = period > 0 ? 1 / period : 0, .result = &server->log_result, .trouble = tell_trouble, .user = server};
}

static fm_status record_into(fm_server *server, fm_run *run, fm_log_file *file, fm_error *error)
{
    fm_log_options options = log_options(server);
    server->log_result = (fm_log_result){0};
    fm_status status = fm_run_record_into(run, file, &options, error);
    if (status == FM_OK)
        server->log_sink = last_sink(run);
    return status;
}

fm_status fm_server_record(fm_server *server, fm_run *run, const char *path, fm_error *error)
{
    fm_log_options options = log_options(server);
    fm_log_file *file;
    fm_status status = fm_log_file_open(server->model, path, &options, &file, error);
    return status == FM_OK ? record_into(server, run, file, error) : status;
}

/* Only in the server's folder, and no links out of it. Any thread but the stepping one. */
static fm_status open_log(fm_server *server, const char *name, fm_log_file **file, fm_error *error)
{
    struct stat found;
    if (strchr(name, '/') || name[0] == '.')
        return fm_fail(error, FM_ERR_ARGUMENT, "log: '%.60s' is invalid: must be a file name without '/'", name);
    if (lstat(name, &found) == 0 && !S_ISREG(found.st_mode))
        return fm_fail(error, FM_ERR_ARGUMENT, "log: %.60s: it is not a regular file", name);
    fm_log_options options = log_options(server);
    return fm_log_file_open(server->model, name, &options, file, error);
}

/* The previous log continues until the next one is open. */
static fm_status do_log(fm_server *server, fm_run *run, fm_errand *e, fm_error *error)
{
    fm_log_file *file = e->log;
    e->log = NULL;
    close_log(server, run);
    return file ? record_into(server, run, file, error) : FM_OK;
}

/* --- changes of the world; stepping thread --- */

static fm_wire_code do_in_world(fm_server *server, fm_run *run, fm_errand *e, fm_error *error)
{
    const fm_command *c = &e->command;
    if (c->kind == FM_COMMAND_RESET)
        return fm_command_code(fm_server_reset(server, error));
    return c->kind == FM_COMMAND_LOG ? fm_command_code(do_log(server, run, e, error))
                                     : fm_command_do(fm_run_world(run), c, e->holder, error);
}

static void command_work(fm_server *server, fm_run *run, fm_errand *e)
{
    fm_error error = {0};
    e->result.code = (uint16_t)(run ? do_in_world(server, run, e, &error) : FM_WIRE_CLOSING);
    e->result.time = run ? fm_stamp_of(fm_world_time(fm_run_world(run))) : server->time;
    e->result.value = fm_command_value(&e->command);
    fm_log_file_free(e->log);
    e->log = NULL;
    fm_text_shorten(e->result.text, sizeof e->result.text, error.text);
}

/* --- the pace; the loop's thread, with the lock --- */

static void tell_state(fm_server *server, const char *text)
{
    fm_sessions_tell(server, FM_WIRE_EVENT_STATE, 0, fm_server_how(server), text);
    fm_host_tell(&server->host, "%s at %.4f s", text, (double)server->time * 1e-4);
}

static void do_start(fm_server *server)
{
    int was = server->stopped;
    server->stopped = 0;
    if (!server->waiting)
        fm_run_resume(server->run);
    if (was)
        tell_state(server, "started");
}

static void do_stop(fm_server *server)
{
    int was = server->stopped;
    server->stopped = 1;
    fm_run_pause(server->run);
    if (!was)
        tell_state(server, "stopped");
}

static fm_status do_speed(fm_server *server, double speed, fm_error *error)
{
    server->pace.speed = speed;
    return fm_run_set_pace(server->run, &server->pace, error);
}

/* Commands that need no world, and invalid ones. 0: for the stepping thread. */
static int do_at_once(fm_server *server, const fm_command *c, fm_wire_result *result)
{
    fm_error error = {0};
    fm_status status = fm_command_check(c, &error);
    if (status == FM_OK && fm_command_row_of(c->kind)->thread == FM_COMMAND_THREAD_STEP)
        return 0;
    if (status == FM_OK && c->kind == FM_COMMAND_START)
        do_start(server);
    if (status == FM_OK && c->kind == FM_COMMAND_STOP)
        do_stop(server);
    if (status == FM_OK && c->kind == FM_COMMAND_STEP) {
        server->stopped = 1;
        fm_run_single(server->run, (uint64_t)c->step.steps);
    }
    if (status == FM_OK && c->kind == FM_COMMAND_SPEED)
        status = do_speed(server, c->speed.speed, &error);
    if (status == FM_OK && c->kind == FM_COMMAND_QUIT)
        fm_server_stop(server);
    result->code = (uint16_t)fm_command_code(status);
    fm_text_shorten(result->text, sizeof result->text, error.text);
    result->value = fm_command_value(c);
    return 1;
}

/* --- both --- */

/* Sends the answer to the session, or calls the caller's `tell`. */
static void give_answer(fm_server *server, uint16_t session, uint32_t generation, fm_command_done *tell, void *user,
                        const fm_wire_result *result)
{
    if (session)
        fm_session_finish_command(server, session, generation, result);
    if (!tell)
        return;
    fm_server_unlock(server); /* it may ask for the next */
    tell(user, result);
    fm_server_lock(server);
}

static void command_done(fm_server *server, fm_errand *e)
{
    e->result.id = e->id;
    e->result.verb = (uint16_t)e->command.kind;
    if (e->command.kind == FM_COMMAND_RESET && e->result.code == FM_WIRE_DONE)
        tell_state(server, "reset");
    give_answer(server, e->session, e->generation, e->tell, e->user, &e->result);
}

/* --- opening a log file: on a thread of the pool, then on the loop's --- */

static void work_on_opening(uv_work_t *work)
{
    fm_errand *e = work->data;
    fm_error error = {0};
    fm_status status = open_log(e->server, e->command.log.file, &e->log, &error);
    e->result.code = (uint16_t)fm_command_code(status);
    fm_text_shorten(e->result.text, sizeof e->result.text, error.text);
}

static void end_opening(uv_work_t *work, int status)
{
    fm_errand *e = work->data;
    fm_server *server = e->server;
    (void)status;
    if (!e->log) {
        fm_errand_bring(server, e);
        return;
    }
    fm_server_lock(server);
    fm_errand_post(server, e);
    fm_server_unlock(server);
}

/* Without a loop (the fake network of the tests) no pool exists: the file is opened at once. */
static void post_log(fm_server *server, fm_errand *e)
{
    e->opening.data = e;
    if (server->host.loop && uv_queue_work(server->host.loop, &e->opening, work_on_opening, end_opening) == 0)
        return;
    work_on_opening(&e->opening);
    fm_server_unlock(server);
    end_opening(&e->opening, 0);
    fm_server_lock(server);
}

void fm_server_do(fm_server *server, const fm_command *command, const char *holder, const fm_session *session,
                  uint32_t number, fm_command_done *tell, void *user)
{
    fm_wire_result result = {.id = number, .verb = (uint16_t)command->kind, .time = server->time};
    fm_errand *e = NULL;
    uint16_t id = session ? session->id : 0;
    uint32_t generation = session ? session->generation : 0;
    if (do_at_once(server, command, &result)) {
        give_answer(server, id, generation, tell, user, &result);
        return;
    }
    if (!(e = fm_errand_create(server, session))) {
        result.code = FM_WIRE_FULL;
        give_answer(server, id, generation, tell, user, &result);
        return;
    }
    e->command = *command;
    e->id = number;
    snprintf(e->holder, sizeof e->holder, "%.31s", holder);
    e->tell = tell;
    e->user = user;
    e->work = command_work;
    e->done = command_done;
    if (command->kind == FM_COMMAND_LOG && command->log.file[0])
        post_log(server, e);
    else
        fm_errand_post(server, e);
}

/* --- from other doors, on any thread --- */

/* Moves to the loop's thread first: the pace is changed and sessions are notified there. */
static void execute_done(fm_server *server, fm_errand *e)
{
    fm_server_do(server, &e->command, e->holder, NULL, 0, e->tell, e->user);
}

void fm_server_execute(fm_server *server, const fm_command *command, const char *holder, fm_command_done *done,
                       void *user)
{
    fm_errand *e = fm_errand_create(server, NULL);
    if (!e) {
        fm_wire_result result = {.verb = (uint16_t)command->kind, .code = FM_WIRE_FULL};
        if (done)
            done(user, &result);
        return;
    }
    e->command = *command;
    snprintf(e->holder, sizeof e->holder, "%.31s", holder);
    e->tell = done;
    e->user = user;
    e->done = execute_done;
    fm_errand_bring(server, e);
}
