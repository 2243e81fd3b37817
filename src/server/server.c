/* A server: its run, the listeners of the run, and its doors. */
#include <fathom/log.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/priority.h"
#include "base/text.h"
#include "server/core.h"
#include "server/seal.h"

enum { SCRATCH = 256 * FM_WIRE_SAMPLE_MOST };

void fm_server_lock(fm_server *server)
{
    pthread_mutex_lock(&server->lock);
}

void fm_server_unlock(fm_server *server)
{
    pthread_mutex_unlock(&server->lock);
}

fm_host *fm_server_host(fm_server *server)
{
    return &server->host;
}

fm_status fm_server_add_door(fm_server *server, const fm_door *door, fm_error *error)
{
    return fm_host_add(&server->host, door, error);
}

/* --- listeners of a run; stepping thread --- */

static void steer(void *user, fm_sink *sink)
{
    fm_server *server = user;
    fm_server_lock(server);
    fm_sessions_steer(server, fm_sink_run(sink));
    fm_server_unlock(server);
    fm_host_steer(&server->host, fm_sink_run(sink));
}

static fm_status step(void *user, fm_sink *sink, fm_error *error)
{
    fm_server *server = user;
    (void)error;
    fm_host_step(&server->host, fm_sink_run(sink));
    fm_server_publish(server, fm_sink_run(sink));
    return FM_OK;
}

static void tell_event(void *user, fm_sink *sink, const fm_event *event)
{
    fm_server *server = user;
    fm_server_publish_event(server, fm_sink_run(sink), event);
    fm_host_event(&server->host, fm_sink_run(sink), event);
}

/* --- making --- */

static fm_status allocate(fm_server *server, fm_error *error)
{
    size_t box = (size_t)64 * 1024 + server->session_room * 4096;
    server->sessions = fm_alloc(server->session_room * sizeof *server->sessions);
    server->buckets = fm_alloc(FM_NET_BUCKETS * sizeof *server->buckets);
    server->used_cookies = fm_alloc(FM_NET_COOKIES * sizeof *server->used_cookies);
    server->batch = fm_alloc(FM_SOCKET_BATCH * sizeof *server->batch);
    server->scratch = fm_alloc(SCRATCH);
    server->scratch_room = SCRATCH;
    for (int i = 0; i < 2; i++)
        server->boxes[i] = (fm_outbox){.bytes = fm_alloc(box), .room = box};
    if (!server->sessions || !server->buckets || !server->used_cookies || !server->batch || !server->scratch ||
        !server->boxes[0].bytes || !server->boxes[1].bytes)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a server");
    return FM_OK;
}

static fm_status make_run(fm_server *server, fm_error *error)
{
    const fm_server_options *o = &server->options;
    const fm_world_options world = {.seeded = o->seed >= 0,
                                    .seed = (uint64_t)(o->seed >= 0 ? o->seed : 0),
                                    .threads = o->threads,
                                    .on_runaway = FM_RUNAWAY_REMOVE};
    fm_run_options options = {
        .world = &world, .duration = o->duration > 0 ? o->duration : HUGE_VAL, .pace = server->pace, .burst = 1};
    server->run = fm_run_create(server->model, &options, error);
    if (!server->run)
        return error->status;
    server->host.run = server->run;
    if (server->stopped || server->waiting)
        fm_run_pause(server->run);
    return FM_OK;
}

static void set_pace(fm_server *server)
{
    const fm_server_options *o = &server->options;
    double usual = o->lockstep || o->unpaced ? 0 : 1;
    server->pace = (fm_run_pace){
        .speed = o->speed > 0 ? o->speed : usual, .lockstep = o->lockstep, .deadline = server->settings->deadline};
    server->stopped = o->stopped;
    server->waiting = o->lockstep && server->settings->lockstep && *server->settings->lockstep;
}

static void execute(void *user, const fm_command *command, const char *holder, fm_command_done *done, void *done_user)
{
    fm_server_execute(user, command, holder, done, done_user);
}

static void make_host(fm_server *server, const fm_model *model, const fm_server_options *options)
{
    fm_host_init(&server->host, model);
    server->host.server = server;
    server->host.tell = options ? options->tell : NULL;
    server->host.tell_user = options ? options->user : NULL;
    server->host.execute = execute;
    server->host.execute_user = server;
}

fm_server *fm_server_make(const fm_model *model, const fm_server_options *options, fm_error *error)
{
    static const fm_server_options defaults = {.seed = -1};
    if (!model) {
        fm_fail(error, FM_ERR_ARGUMENT, "model must not be NULL");
        return NULL;
    }
    fm_server *server = fm_alloc(sizeof *server);
    if (!server || fm_seal_prepare(error) != FM_OK) {
        if (!server)
            fm_fail(error, FM_ERR_MEMORY, "out of memory for a server");
        fm_free(server);
        return NULL;
    }
    fm_lock_create(&server->lock);
    make_host(server, model, options);
    server->model = model;
    server->settings = model->server;
    server->options = options ? *options : defaults;
    server->session_room = (size_t)server->settings->clients;
    fm_seal_fill(server->secret, sizeof server->secret);
    server->keyed = server->options.key != NULL;
    if (server->keyed)
        memcpy(server->key, server->options.key, FM_WIRE_KEY);
    set_pace(server);
    if (allocate(server, error) == FM_OK && make_run(server, error) == FM_OK)
        return server;
    fm_server_free(server);
    return NULL;
}

void fm_server_free(fm_server *server)
{
    if (!server)
        return;
    fm_run_free(server->run);
    fm_loop_free(server->loop);
    fm_errands_free(server);
    fm_emulated_free(server);
    for (size_t i = 0; i < server->session_count; i++)
        fm_free(server->sessions[i]);
    fm_host_destroy(&server->host);
    fm_free(server->sessions);
    fm_free(server->buckets);
    fm_free(server->used_cookies);
    fm_free(server->batch);
    fm_free(server->scratch);
    fm_free(server->boxes[0].bytes);
    fm_free(server->boxes[1].bytes);
    pthread_mutex_destroy(&server->lock);
    fm_free(server);
}

void fm_server_stop(fm_server *server)
{
    if (!server)
        return;
    atomic_store(&server->stop_asked, 1);
    if (server->loop)
        fm_loop_stop(server->loop);
}

/* --- the run; stepping thread --- */

fm_status fm_server_begin(fm_server *server, fm_error *error)
{
    fm_sink_config sink = {.steer = steer, .step = step, .event = tell_event, .user = server};
    fm_host_begin(&server->host, server->run);
    fm_status status = fm_run_attach(server->run, &sink, NULL, error);
    if (status == FM_OK && server->options.log)
        status = fm_server_record(server, server->run, server->options.log, error);
    return status;
}

fm_status fm_server_end(fm_server *server, fm_error *error)
{
    fm_host_end(&server->host, server->run);
    fm_status status = fm_run_finish(server->run, error);
    server->log_sink = NULL;
    fm_server_note_log(server);
    fm_server_lock(server);
    server->over = 1;
    fm_server_unlock(server);
    return status;
}

/* The loop's thread: the scenario restarted without space for this client's vehicle. */
static void end_refused(fm_server *server, fm_errand *e)
{
    fm_session *s = fm_session_find(server, e->session, e->generation);
    if (!s)
        return;
    fm_host_tell(&server->host, "client %u: %s cannot begin again: %s", s->id, s->asked.name, e->result.text);
    fm_session_leave(server, s, FM_WIRE_FAILED);
}

static void refuse_session(fm_server *server, fm_session *s, const fm_error *error, fm_errand **refused)
{
    fm_errand *e = fm_errand_create(server, s);
    if (!e)
        return;
    fm_text_shorten(e->result.text, sizeof e->result.text, error->text);
    e->done = end_refused;
    e->next = *refused;
    *refused = e;
}

/* Connected clients start again where they joined; in lock-step each one answers the first state it receives. */
static void bring_session(fm_server *server, fm_session *s, fm_errand **refused)
{
    fm_world *world = fm_run_world(server->run);
    fm_error error = {0};
    fm_session_restart(s);
    if (s->brought && fm_world_spawn_addressed(world, s->asked.name, s->asked.model, s->asked.pose, s->asked.pose + 3,
                                               s->asked.address, &error) != FM_OK)
        refuse_session(server, s, &error, refused);
    if (s->vehicle[0] && s->role != FM_WIRE_EMULATOR)
        s->slot = fm_world_find(world, s->vehicle);
    if (s->participant) {
        fm_run_leave(server->run, s->participant);
        fm_session_take_part(server, s);
    }
}

fm_status fm_server_reset(fm_server *server, fm_error *error)
{
    fm_run *run = server->run;
    fm_status status = fm_world_reset(fm_run_world(run), error);
    if (status != FM_OK)
        return status;
    fm_errand *refused = NULL;
    fm_server_lock(server);
    server->time = server->tick = 0; /* an answer to an older state is too late */
    for (size_t i = 0; i < server->session_count; i++)
        if (server->sessions[i]->life != FM_SESSION_FREE)
            bring_session(server, server->sessions[i], &refused);
    fm_server_unlock(server);
    for (fm_errand *e = refused, *next; e; e = next) {
        next = e->next;
        fm_errand_bring(server, e);
    }
    fm_spawns_sort(fm_run_world(run));
    fm_host_step(&server->host, run);
    fm_server_publish(server, run);
    return FM_OK;
}

fm_status fm_server_go(fm_server *server, const fm_run_clock *clock, fm_error *error)
{
    fm_error later = {0};
    fm_status status = fm_server_begin(server, error);
    if (status == FM_OK)
        status = fm_run_begin_sinks(server->run, error); /* what is there is seen before the first step */
    if (status == FM_OK)
        status = fm_run_go(server->run, clock, error);
    fm_status ended = fm_server_end(server, &later);
    if (status == FM_OK && ended != FM_OK && error)
        *error = later;
    return status == FM_OK ? ended : status;
}
