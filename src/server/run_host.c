#include "server/run_host.h"

#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/priority.h"
#include "base/text.h"
#include "server/host.h"
#include "server/world_command.h"

enum { PATIENCE_MS = 2000 };

/* A command in transit: to the stepping thread if it changes the world, then back to the loop's thread with its
 * answer. */
typedef struct order {
    fm_run_task task; /* first: it is found by it */
    fm_run_host *run_host;
    struct order *next;
    fm_command command;
    char holder[FM_HOLDER_SIZE];
    fm_wire_result result;
    fm_command_done *done;
    void *user;
} order;

struct fm_run_host {
    fm_host host;
    fm_run *run;
    uv_loop_t loop;
    uv_async_t woken, ended;
    uv_timer_t rest;
    pthread_t thread;
    int looped, running;  /* the loop is made; its thread runs */
    pthread_mutex_t lock; /* of what follows */
    fm_run_pace pace;
    order *answered; /* newest first */
};

/* --- commands --- */

static void bring_back(order *o)
{
    fm_run_host *b = o->run_host;
    o->result.verb = (uint16_t)o->command.kind;
    o->result.value = fm_command_value(&o->command);
    pthread_mutex_lock(&b->lock);
    o->next = b->answered;
    b->answered = o;
    pthread_mutex_unlock(&b->lock);
    uv_async_send(&b->woken);
}

static void do_in_world(fm_run *run, fm_run_task *task)
{
    order *o = (order *)(void *)task;
    fm_error error = {0};
    if (fm_run_over(run))
        o->result.code = FM_WIRE_CLOSING;
    else
        o->result.code = (uint16_t)fm_command_do(fm_run_world(run), &o->command, o->holder, &error);
    o->result.time = fm_stamp_of(fm_world_time(fm_run_world(run)));
    fm_text_shorten(o->result.text, sizeof o->result.text, error.text);
    bring_back(o);
}

static fm_status set_speed(fm_run_host *b, double speed, fm_error *error)
{
    pthread_mutex_lock(&b->lock);
    b->pace.speed = speed;
    fm_status status = fm_run_set_pace(b->run, &b->pace, error);
    pthread_mutex_unlock(&b->lock);
    return status;
}

/* Commands that need no world, and invalid ones; -1: for the stepping thread. */
static int do_at_once(fm_run_host *b, const fm_command *c, fm_error *error)
{
    fm_status status = fm_command_check(c, error);
    if (status != FM_OK)
        return (int)fm_command_code(status);
    switch (c->kind) {
    case FM_COMMAND_START: return fm_run_resume(b->run), FM_WIRE_DONE;
    case FM_COMMAND_STOP: return fm_run_pause(b->run), FM_WIRE_DONE;
    case FM_COMMAND_STEP: return fm_run_single(b->run, (uint64_t)c->step.steps), FM_WIRE_DONE;
    case FM_COMMAND_SPEED: return (int)fm_command_code(set_speed(b, c->speed.speed, error));
    case FM_COMMAND_RESET: return (int)fm_command_code(fm_run_reset(b->run, error));
    case FM_COMMAND_QUIT: return fm_run_stop(b->run), FM_WIRE_DONE;
    default: return -1;
    }
}

static void execute(void *user, const fm_command *command, const char *holder, fm_command_done *done, void *done_user)
{
    fm_run_host *b = user;
    order *o = fm_alloc(sizeof *o);
    if (!o) {
        fm_wire_result full = {.verb = (uint16_t)command->kind, .code = FM_WIRE_FULL};
        if (done)
            done(done_user, &full);
        return;
    }
    *o = (order){.task.call = do_in_world, .run_host = b, .command = *command, .done = done, .user = done_user};
    fm_error error = {0};
    snprintf(o->holder, sizeof o->holder, "%.31s", holder);
    int code = do_at_once(b, command, &error);
    if (code < 0 && fm_run_post(b->run, &o->task) == FM_OK)
        return;
    o->result.code = (uint16_t)(code < 0 ? FM_WIRE_CLOSING : code);
    fm_text_shorten(o->result.text, sizeof o->result.text, error.text);
    bring_back(o);
}

/* The loop's thread: answers in the order of arrival. */
static void give_answers(fm_run_host *b)
{
    order *list = NULL;
    pthread_mutex_lock(&b->lock);
    for (order *o = b->answered, *next; o; o = next) {
        next = o->next;
        o->next = list;
        list = o;
    }
    b->answered = NULL;
    pthread_mutex_unlock(&b->lock);
    for (order *o = list, *next; o; o = next) {
        next = o->next;
        if (o->done)
            o->done(o->user, &o->result);
        fm_free(o);
    }
}

/* --- the loop's thread --- */

static void on_woken(uv_async_t *async)
{
    fm_run_host *b = async->data;
    give_answers(b);
    fm_host_turn(&b->host);
}

static void close_handle(uv_handle_t *handle, void *unused)
{
    (void)unused;
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

static void close_rest(uv_timer_t *timer)
{
    uv_walk(timer->loop, close_handle, NULL);
}

/* Doors close their own handles, some of them later; handles that they forget are closed after them. */
static void on_ended(uv_async_t *async)
{
    fm_run_host *b = async->data;
    on_woken(&b->woken);
    fm_host_close(&b->host);
    uv_close((uv_handle_t *)&b->woken, NULL);
    uv_close((uv_handle_t *)&b->ended, NULL);
    uv_unref((uv_handle_t *)&b->rest);
    uv_timer_start(&b->rest, close_rest, PATIENCE_MS, 0);
}

static void *work_loop(void *user)
{
    fm_run_host *b = user;
    uv_run(&b->loop, UV_RUN_DEFAULT);
    return NULL;
}

/* --- the stepping thread --- */

static void steer(void *user, fm_sink *sink)
{
    fm_run_host *b = user;
    fm_host_steer(&b->host, fm_sink_run(sink));
}

static fm_status step(void *user, fm_sink *sink, fm_error *error)
{
    fm_run_host *b = user;
    (void)error;
    fm_host_step(&b->host, fm_sink_run(sink));
    uv_async_send(&b->woken);
    return FM_OK;
}

static void take_event(void *user, fm_sink *sink, const fm_event *event)
{
    fm_run_host *b = user;
    fm_host_event(&b->host, fm_sink_run(sink), event);
}

static fm_status end(void *user, fm_sink *sink, const fm_run_ending *ending, fm_error *error)
{
    fm_run_host *b = user;
    (void)ending;
    (void)error;
    fm_host_end(&b->host, fm_sink_run(sink));
    return FM_OK;
}

/* --- making --- */

static fm_status make_loop(fm_run_host *b, fm_error *error)
{
    if (uv_loop_init(&b->loop) != 0)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a loop beside the run");
    b->looped = 1;
    uv_async_init(&b->loop, &b->woken, on_woken);
    uv_async_init(&b->loop, &b->ended, on_ended);
    uv_timer_init(&b->loop, &b->rest);
    uv_unref((uv_handle_t *)&b->rest);
    b->woken.data = b->ended.data = b;
    b->host.loop = &b->loop;
    return FM_OK;
}

fm_run_host *fm_run_host_create(fm_run *run, const fm_run_host_options *options, fm_error *error)
{
    fm_run_host *b = fm_alloc(sizeof *b);
    if (!b) {
        fm_fail(error, FM_ERR_MEMORY, "out of memory for doors beside the run");
        return NULL;
    }
    fm_host_init(&b->host, fm_world_model(fm_run_world(run)));
    fm_lock_create(&b->lock);
    b->run = b->host.run = run;
    if (options) {
        b->pace = options->pace;
        b->host.tell = options->tell;
        b->host.tell_user = options->user;
    }
    b->host.execute = execute;
    b->host.execute_user = b;
    if (make_loop(b, error) == FM_OK)
        return b;
    fm_run_host_free(b);
    return NULL;
}

fm_host *fm_run_host_base(fm_run_host *b)
{
    return &b->host;
}

fm_status fm_run_host_start(fm_run_host *b, fm_error *error)
{
    fm_sink_config sink = {.steer = steer, .step = step, .event = take_event, .end = end, .user = b};
    fm_status status = fm_host_open(&b->host, error);
    if (status != FM_OK)
        return status;
    fm_host_begin(&b->host, b->run);
    status = fm_run_attach(b->run, &sink, NULL, error);
    if (status == FM_OK && pthread_create(&b->thread, NULL, work_loop, b) != 0)
        status = fm_fail(error, FM_ERR_LIBRARY, "the thread of the loop cannot be started");
    b->running = status == FM_OK;
    return status;
}

void fm_run_host_free(fm_run_host *b)
{
    if (!b)
        return;
    if (b->looped)
        uv_async_send(&b->ended);
    if (b->running)
        pthread_join(b->thread, NULL);
    else if (b->looped)
        uv_run(&b->loop, UV_RUN_DEFAULT);
    if (b->looped) {
        close_handle((uv_handle_t *)&b->rest, NULL);
        uv_run(&b->loop, UV_RUN_DEFAULT);
        uv_loop_close(&b->loop);
    }
    fm_host_destroy(&b->host);
    pthread_mutex_destroy(&b->lock);
    fm_free(b);
}
