/* A door: a way from a run to the outside, such as shared memory, the command queue, the page, a bridge. It belongs to
 * a host: a server, or a run without a server (run_host.h).
 *
 * A place has two threads: the loop's (libuv, all input and output) and the stepping thread (the run). Each callback
 * states its thread. A door never blocks either one: the stepping thread reads the world and queues what the loop
 * sends. */
#ifndef FM_SERVER_DOOR_H
#define FM_SERVER_DOOR_H

#include <fathom/server.h>
#include <stdatomic.h>
#include <uv.h>

#include "server/wire.h"
#include "world/command.h"

typedef struct fm_host fm_host;

/* All callbacks may be NULL. Order: open; begin; steer and step around each step; turn whenever steps woke the loop;
 * end; close; release. */
typedef struct fm_door {
    const char *name; /* for messages */

    /* --- the loop's thread --- */
    /* Before the first step: opens files and sockets, starts handles on fm_host_loop(host). A failure ends the run
     * before it begins; `close` is called in that case too. */
    fm_status (*open)(void *user, fm_host *host, fm_error *error);
    /* After one or more steps: sends what `step` has queued. */
    void (*turn)(void *user);
    /* The place closes: uv_close on every handle; their memory must live until `release`. */
    void (*close)(void *user);
    /* The last call, also if the door was never opened. */
    void (*release)(void *user);

    /* --- the stepping thread --- */
    void (*begin)(void *user, fm_run *run);
    /* Just before a step reads its inputs: may steer the world directly (fm_world_order …). */
    void (*steer)(void *user, fm_run *run);
    /* After each step, once before the first, and after a reset: reads the world. A reset has happened if fm_world_time
     * has decreased; fm_world_steps keeps counting. */
    void (*step)(void *user, fm_run *run);
    /* An event of the world. */
    void (*event)(void *user, fm_run *run, const fm_event *event);
    void (*end)(void *user, fm_run *run);

    void *user;
} fm_door;

/* Call before the place is opened. The door is copied; on failure `release` is called. */
fm_status fm_host_add(fm_host *host, const fm_door *door, fm_error *error);

uv_loop_t *fm_host_loop(fm_host *host);
const fm_model *fm_host_model(const fm_host *host);
fm_run *fm_host_run(const fm_host *host);       /* in `open` the run has not begun: sinks may be attached */
fm_server *fm_host_server(const fm_host *host); /* NULL: beside a run */
/* A line for people; calls fm_server_options.tell or fm_run_host_options.tell on the calling thread. */
void fm_host_tell(fm_host *host, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* --- what is counted --- */
typedef _Atomic uint64_t fm_counter; /* atomic_fetch_add(counter, 1), any thread */
/* The counter of this name ("dis/drop/length", up to 47 characters), created if it does not exist; never NULL: if all
 * are used, "others". Any thread. `fathom ctl stats` prints them; `fathom run` prints those of drops at its end. */
fm_counter *fm_host_count(fm_host *host, const char *name);
/* The number of counters, and the first `room` of them; any thread. */
size_t fm_host_counters(fm_host *host, fm_wire_counter *counters, size_t room);

/* --- commands; any thread --- */
/* Called on the loop's thread, once, when the command is executed or refused: `result` has code, time, value and
 * text. */
typedef void fm_command_done(void *user, const fm_wire_result *result);
/* Executes a command of the table of commands. `holder`: the name that its orders hold actuators under. `done` may be
 * NULL. */
void fm_host_execute(fm_host *host, const fm_command *command, const char *holder, fm_command_done *done, void *user);

#endif
