/* The telemetry loop: a vehicle's own software sends its record with its orders and its elapsed time; the simulation
 * advances by as much, fills in the sensors that the record lacks, and returns it (Fig. 6.5 of the dissertation). A
 * thread of its own receives the records. */
#include <fathom/server.h>
#include <math.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/priority.h"
#include "server/socket.h"
#include "server/telegram.h"
#include "world/inputs.h"
#include "world/world.h"

#define REACH 60.0         /* s that one record may advance the simulation by */
enum { CHECK_EVERY = 50 }; /* ms: for the end of the run */

typedef struct record_loop {
    fm_run_task task; /* first: it is found by it */
    fm_telegram_form form;
    char vehicle[32];
    fm_run *run;
    int socket;
    pthread_t thread;
    int urgent; /* the stepping thread has lent it its priority */
    int running;
    atomic_int ending;
    /* between the loop's thread and the stepping thread */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int posted;      /* the task has not been called yet */
    int answered;    /* the record below is whole again */
    uint64_t target; /* steps of the world when it is answered; 0: none pending */
    fm_telegram record;
    fm_error error;
    /* the loop's thread alone */
    int begun;
    double last; /* s, elapsed time of the last record */
} record_loop;

/* --- the stepping thread --- */

static const char *const holders[] = {
    [FM_TELEGRAM_PHOENIX] = "telemetry-loop", [FM_TELEGRAM_SNOOKIE] = "hardware-loop"};

static fm_status fly(record_loop *loop, fm_world *world, const char *actuator, double value)
{
    fm_input input;
    fm_status status = fm_input_value(&input, FM_COMMAND_FLY, loop->vehicle, actuator, value, &loop->error);
    fm_input_set_holder(&input, holders[loop->form]);
    return status == FM_OK ? fm_world_input(world, &input, &loop->error) : status;
}

static int holds_all(const record_loop *loop, const fm_world *world, int slot)
{
    fm_owner owner;
    for (size_t i = 0; fm_world_owner(world, slot, i, &owner) == FM_OK; i++)
        if (owner.kind != FM_OWNER_CLIENT || strcmp(owner.name, holders[loop->form]) != 0)
            return 0;
    return 1;
}

/* The software owns all actuators from its first record on; those that it has not ordered are at zero. */
static fm_status give_orders(record_loop *loop, fm_world *world)
{
    size_t count;
    const fm_telegram_field *fields = fm_telegram_fields(loop->form, &count);
    int slot = fm_world_find(world, loop->vehicle);
    const fm_type *type = slot >= 0 ? world->slots[slot].type : NULL;
    fm_status status = FM_OK;
    int held = holds_all(loop, world, slot);
    for (size_t i = 0; type && !held && i < type->actuator_count && status == FM_OK; i++)
        status = fly(loop, world, type->actuator_names[i], 0);
    for (size_t i = 0; i < count && status == FM_OK; i++)
        if (fields[i].role == FM_TELEGRAM_ORDER && loop->record.given >> i & 1)
            status = fly(loop, world, fields[i].actuator, loop->record.values[i] * fields[i].unit);
    return status;
}

/* Under the lock. */
static void answer(record_loop *loop, const fm_world *world)
{
    int slot = fm_world_find(world, loop->vehicle);
    if (slot < 0)
        fm_fail(&loop->error, FM_ERR_NAME, "no vehicle '%s' in the world", loop->vehicle);
    else
        fm_telegram_fill(loop->form, world, slot, &loop->record);
    loop->answered = 1;
    loop->target = 0;
    pthread_cond_signal(&loop->changed);
}

static void take_record(fm_run *run, fm_run_task *task)
{
    record_loop *loop = (record_loop *)(void *)task;
    fm_world *world = fm_run_world(run);
    if (!loop->urgent)
        fm_thread_lend_priority(loop->thread);
    loop->urgent = 1;
    pthread_mutex_lock(&loop->lock);
    uint64_t steps = loop->target;
    loop->posted = 0;
    if (fm_run_over(run))
        fm_fail(&loop->error, FM_ERR_STATE, "the run is over");
    if (steps == 0 || loop->error.status != FM_OK || give_orders(loop, world) != FM_OK)
        answer(loop, world);
    else {
        loop->target = fm_world_steps(world) + steps;
        fm_run_single(run, steps);
    }
    pthread_mutex_unlock(&loop->lock);
}

static fm_status step_loop(void *user, fm_sink *sink, fm_error *error)
{
    record_loop *loop = user;
    const fm_world *world = fm_run_world(fm_sink_run(sink));
    (void)error;
    pthread_mutex_lock(&loop->lock);
    if (!loop->posted && loop->target && (fm_world_steps(world) >= loop->target || fm_run_over(loop->run)))
        answer(loop, world);
    pthread_mutex_unlock(&loop->lock);
    return FM_OK;
}

/* --- the loop's thread --- */

/* Number of steps that bring the simulation to the elapsed time of the record; -1: refused. */
static int64_t count_steps(record_loop *loop, const fm_telegram *record, fm_error *error)
{
    const double dt = fm_model_dt(fm_world_model(fm_run_world(loop->run)));
    double time = loop->begun ? loop->last : 0, ahead;
    if (record->given & 1) {
        time = record->values[0];
        ahead = loop->begun ? time - loop->last : 0;
    } else if (record->given & 2) {
        ahead = record->values[1];
        time += ahead;
    } else
        return fm_fail(error, FM_ERR_ARGUMENT, "the record has neither t nor dt"), -1;
    if (!(ahead <= REACH))
        return fm_fail(error, FM_ERR_RANGE, "t: %g s beyond the last record is out of range: must be up to %g s", ahead,
                       REACH),
               -1;
    if (!loop->begun || ahead > 0) { /* a repeated or late record is answered without a step */
        loop->last = time;
        loop->begun = 1;
    }
    return ahead > 0 ? (int64_t)floor(ahead / dt + 0.5) : 0;
}

/* Passes the record to the stepping thread and waits for the complete answer. 0: the run ends. */
static int exchange(record_loop *loop, fm_telegram *record, int64_t steps, fm_error *error)
{
    pthread_mutex_lock(&loop->lock);
    loop->record = *record;
    loop->error = *error;
    loop->target = (uint64_t)steps;
    loop->answered = 0;
    loop->posted = 1;
    pthread_mutex_unlock(&loop->lock);
    if (fm_run_post(loop->run, &loop->task) != FM_OK)
        return 0;
    pthread_mutex_lock(&loop->lock);
    while (!loop->answered && !atomic_load(&loop->ending))
        pthread_cond_wait(&loop->changed, &loop->lock);
    int answered = loop->answered;
    *record = loop->record;
    *error = loop->error;
    pthread_mutex_unlock(&loop->lock);
    return answered;
}

static void serve_record(record_loop *loop, const char *text, size_t size, char *reply, size_t room)
{
    fm_telegram record;
    fm_error error = {0};
    reply[0] = 0;
    fm_status status = fm_telegram_read(loop->form, text, size, &record, &error);
    int64_t steps = status == FM_OK ? count_steps(loop, &record, &error) : -1;
    if (steps >= 0 && !exchange(loop, &record, steps, &error))
        return;
    if (error.status != FM_OK)
        snprintf(reply, room, "error: %s", error.text);
    else
        fm_telegram_write(loop->form, &record, reply, room);
}

static void *serve_loop(void *user)
{
    record_loop *loop = user;
    char text[FM_TELEGRAM_TEXT], reply[2 * FM_TELEGRAM_TEXT];
    while (!atomic_load(&loop->ending)) {
        struct pollfd poll_for = {.fd = loop->socket, .events = POLLIN};
        struct sockaddr_in from;
        socklen_t length = sizeof from;
        if (poll(&poll_for, 1, CHECK_EVERY) <= 0)
            continue;
        ssize_t size = recvfrom(loop->socket, text, sizeof text, 0, (struct sockaddr *)&from, &length);
        if (size <= 0)
            continue;
        serve_record(loop, text, (size_t)size, reply, sizeof reply);
        if (reply[0])
            sendto(loop->socket, reply, strlen(reply), 0, (struct sockaddr *)&from, length);
    }
    return NULL;
}

/* --- coming and going --- */

static fm_status end_loop(void *user, fm_sink *sink, const fm_run_ending *ending, fm_error *error)
{
    record_loop *loop = user;
    (void)sink, (void)ending, (void)error;
    pthread_mutex_lock(&loop->lock);
    atomic_store(&loop->ending, 1);
    pthread_cond_broadcast(&loop->changed);
    pthread_mutex_unlock(&loop->lock);
    if (loop->running)
        pthread_join(loop->thread, NULL);
    loop->running = 0;
    return FM_OK;
}

static void release_loop(void *user)
{
    record_loop *loop = user;
    if (loop->socket >= 0)
        close(loop->socket);
    pthread_mutex_destroy(&loop->lock);
    pthread_cond_destroy(&loop->changed);
    fm_free(loop);
}

static fm_status bind_loop(record_loop *loop, int wanted, int *port, fm_error *error)
{
    fm_address address;
    fm_status status = fm_address_read("127.0.0.1", wanted, &address, error);
    return status == FM_OK ? fm_socket_bind(&address, FM_SOCKET_UDP, &loop->socket, port, error) : status;
}

/* Whether the vehicle has the actuators that the record orders. */
static fm_status check_vehicle(record_loop *loop, const fm_world *world, fm_error *error)
{
    size_t count;
    const fm_telegram_field *fields = fm_telegram_fields(loop->form, &count);
    int slot = fm_world_find(world, loop->vehicle);
    if (slot < 0)
        return fm_fail(error, FM_ERR_NAME, "no vehicle '%s' in the world", loop->vehicle);
    const fm_type *type = world->slots[slot].type;
    for (size_t i = 0; i < count; i++) {
        int found = fields[i].role != FM_TELEGRAM_ORDER;
        for (size_t k = 0; k < type->actuator_count && !found; k++)
            found = !strcmp(type->actuator_names[k], fields[i].actuator) ||
                    (type->actuator_groups[k] && !strcmp(type->actuator_groups[k], fields[i].actuator));
        if (!found)
            return fm_fail(error, FM_ERR_MODEL, "'%s' has no actuator '%s', which %s of the record orders",
                           loop->vehicle, fields[i].actuator, fields[i].name);
    }
    return FM_OK;
}

static fm_status start_loop(void *user, fm_sink *sink, fm_error *error)
{
    record_loop *loop = user;
    fm_status status = check_vehicle(loop, fm_run_world(fm_sink_run(sink)), error);
    if (status != FM_OK)
        return status;
    if (pthread_create(&loop->thread, NULL, serve_loop, loop) != 0)
        return fm_fail(error, FM_ERR_MEMORY, "no thread for the telemetry loop");
    loop->running = 1;
    fm_run_pause(loop->run);
    return FM_OK;
}

fm_status fm_run_loop(fm_run *run, const fm_telegram_loop_options *options, int *port, fm_error *error)
{
    fm_telegram_loop_options chosen, *o = &chosen;
    if (!run)
        return fm_fail(error, FM_ERR_ARGUMENT, "run must not be NULL");
    fm_status read = FM_READ_OPTIONS(o, options, fm_telegram_loop_options, error);
    if (read != FM_OK)
        return read;
    record_loop *loop = fm_alloc(sizeof *loop);
    const char *first = fm_world_name(fm_run_world(run), 0), *vehicle = o->vehicle ? o->vehicle : first;
    if (!loop)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a telemetry loop");
    loop->task.call = take_record;
    loop->form = o->form;
    loop->run = run;
    loop->socket = -1;
    int unused;
    snprintf(loop->vehicle, sizeof loop->vehicle, "%.31s", vehicle ? vehicle : "");
    fm_lock_create(&loop->lock);
    pthread_cond_init(&loop->changed, NULL);
    fm_status status = bind_loop(loop, o->port, port ? port : &unused, error);
    if (status != FM_OK) {
        release_loop(loop);
        return status;
    }
    fm_sink_config sink = {
        .start = start_loop, .step = step_loop, .end = end_loop, .release = release_loop, .user = loop};
    return fm_run_attach(run, &sink, NULL, error);
}
