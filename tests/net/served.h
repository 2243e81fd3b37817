/* A server in a process of its own, and clients of it. */
#ifndef TESTS_NET_SERVED_H
#define TESTS_NET_SERVED_H

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

#include "server/caller.h"
#include "server/seal.h"
#include "server/wire_command.h"
#include "support/files.h"
#include "support/program.h"

typedef struct served {
    pid_t pid;
    int port;
    FILE *out;
    char words[8192];
} served;

static inline double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* `fathom serve` with these arguments at a free port; waits until it serves. */
__attribute__((format(printf, 2, 3))) static inline void serve(served *s, const char *format, ...)
{
    char line[4096];
    int ends[2], n = snprintf(line, sizeof line, "exec %s serve --port 0 --quiet ", FATHOM_PROGRAM);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + n, sizeof line - (size_t)n, format, arguments);
    va_end(arguments);
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    s->pid = fork();
    assert_at_least(s->pid, 0);
    if (s->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (dup2(ends[1], 1) < 0)
            _exit(126);
        close(ends[0]);
        close(ends[1]);
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    s->out = fdopen(ends[0], "r");
    if (!fgets(s->words, sizeof s->words, s->out) || sscanf(s->words, "serving at %*s port %d", &s->port) != 1)
        fail_msg("%s does not serve", line);
}

/* Waits for its end; its exit status, 128 + the signal's number where one ended it. */
static inline int end_of(served *s)
{
    int status;
    assert_int_equal(waitpid(s->pid, &status, 0), s->pid);
    fclose(s->out);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static inline int stop_serving(served *s)
{
    kill(s->pid, SIGTERM);
    return end_of(s);
}

/* A client; fails where it is refused. Vehicles that clients bring begin side by side. */
static inline fm_caller *call_as(const served *s, fm_wire_role role, const char *name, const char *model,
                                 uint32_t state_period)
{
    static int number;
    fm_error error = {0};
    fm_caller_options options = {
        .port = s->port,
        .patience = 10,
        .connect = {.role = (uint8_t)role, .state_period = state_period, .pose = {20, 10.0 * (number++ % 16), 5}}};
    snprintf(options.connect.name, sizeof options.connect.name, "%s", name);
    snprintf(options.connect.model, sizeof options.connect.model, "%s", model);
    fm_caller *caller = fm_caller_open(&options, NULL, &error);
    if (!caller)
        fail_msg("%s: %s", name, error.text);
    return caller;
}

/* The next message of a type; fails when none comes in time. */
static inline fm_wire_header expect_message(fm_caller *caller, fm_wire_type type, fm_wire_in *payload)
{
    fm_wire_header header;
    double end = seconds_now() + 10;
    while (seconds_now() < end)
        if (fm_caller_receive(caller, end - seconds_now(), &header, payload) && header.type == type)
            return header;
    fail_msg("no message 0x%02x came", type);
    return header;
}

static inline fm_wire_state expect_state(fm_caller *caller, fm_wire_header *header, uint32_t *flags)
{
    fm_wire_in payload;
    fm_wire_state state;
    *header = expect_message(caller, FM_WIRE_STATE, &payload);
    assert_true(fm_wire_get_state(&payload, &state));
    fm_wire_get_bytes(&payload, 4u * state.count);
    *flags = fm_wire_get_u32(&payload);
    fm_wire_get_bytes(&payload, state.count);
    assert_int_equal(payload.at, payload.size);
    return state;
}

/* The same value for all actuators, by mode 4. */
static inline void actuate(fm_caller *caller, unsigned count, float value, unsigned hold)
{
    uint8_t bytes[FM_WIRE_MOST];
    fm_wire_out out = {.bytes = bytes, .room = sizeof bytes};
    fm_wire_put_actuate(&out,
                        &(fm_wire_actuate){.mode = FM_WIRE_NATIVE, .count = (uint8_t)count, .hold = (uint16_t)hold});
    for (unsigned i = 0; i < count; i++)
        fm_wire_put_f32(&out, i < 2 ? value : 0);
    fm_caller_send(caller, FM_WIRE_ACTUATE, bytes, out.size);
}

/* A command with a vehicle, another name and a number, where it has them; a vehicle comes at 0 30 5. */
static inline fm_command make_command(fm_command_kind kind, const char *name, const char *target, double value)
{
    fm_command made;
    fm_error error = {0};
    assert_int_equal(fm_command_begin(&made, kind, &error), FM_OK);
    const fm_command_row *row = fm_command_row_of(kind);
    for (size_t i = 0; i < row->argument_count; i++) {
        const fm_argument *a = &row->arguments[i];
        fm_status status = FM_OK;
        if (a->type == FM_ARGUMENT_NAME)
            status = fm_argument_write_name(a, &made, a->role == FM_ARGUMENT_VEHICLE ? name : target, &error);
        else if (fm_argument_numbers(a) == 1 && kind != FM_COMMAND_SPAWN)
            memcpy(fm_argument_at(a, &made), a->type == FM_ARGUMENT_WHOLE ? (void *)&(int64_t){(int64_t)value} : &value,
                   8);
        if (status != FM_OK)
            fail_msg("%s", error.text);
    }
    if (kind == FM_COMMAND_SPAWN)
        memcpy(made.spawn.position, (const double[]){0, 30, 5}, sizeof made.spawn.position);
    return made;
}

static inline int command(fm_caller *caller, fm_command_kind kind, const char *name, const char *target, double value)
{
    fm_command ask = make_command(kind, name, target, value);
    fm_wire_result result;
    fm_error error = {0};
    if (fm_caller_command(caller, &ask, &result, &error) != FM_OK)
        fail_msg("%s", error.text);
    return result.code;
}

typedef struct counted {
    const char *name;
    double value;
} counted;

static inline void take_counter(void *user, fm_wire_in *in)
{
    counted *c = user;
    fm_wire_counter counter;
    if (fm_wire_get_counter(in, &counter) && strcmp(counter.name, c->name) == 0)
        c->value = counter.value;
}

static inline double counter_of(fm_caller *caller, const char *name)
{
    counted c = {.name = name, .value = NAN};
    fm_error error = {0};
    if (fm_caller_list(caller, FM_WIRE_COUNTERS, 0, NULL, take_counter, &c, &error) != FM_OK)
        fail_msg("%s", error.text);
    return c.value;
}

#endif
