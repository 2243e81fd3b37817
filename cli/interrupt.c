#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t caught;
static fm_run *_Atomic running;
static atomic_int *_Atomic told;

/* --- a step that takes too long --- */

static fm_world *_Atomic hurried;
static volatile sig_atomic_t hurried_by, alarms;

static void write_text(const char *text)
{
    (void)!write(STDERR_FILENO, text, strlen(text));
}

static void take_alarm(int unused)
{
    (void)unused;
    fm_world *world = hurried;
    const char *stage, *vehicle;
    if (!world)
        return;
    fm_world_progress(world, &stage, &vehicle);
    if (alarms++ == 0) {
        if (stage[0])
            fm_world_cancel(world);
        alarm(2);
        return;
    }
    if (!stage[0])
        return; /* no step is in progress: the remaining work may take its time */
    write_text("fathom: interrupted; a step does not end: stage '");
    write_text(stage);
    write_text(vehicle[0] ? "', vehicle '" : "");
    write_text(vehicle);
    write_text("'\n");
    _exit(128 + hurried_by);
}

void cli_interrupt_hurry(fm_world *world, int number)
{
    struct sigaction action = {.sa_handler = take_alarm};
    sigemptyset(&action.sa_mask);
    hurried = world;
    hurried_by = number;
    alarms = 0;
    sigaction(SIGALRM, &action, NULL);
    alarm(1);
}

void cli_interrupt_calm(void)
{
    alarm(0);
    hurried = NULL;
}

/* --- runs --- */

static void take_signal(int number)
{
    static const char text[] = "fathom: interrupted\n";
    fm_run *run = running;
    atomic_int *stop = told;
    if (!run && !stop) { /* it is loading, and has written nothing; or it has written everything */
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
        _exit(128 + number);
    }
    caught = number;
    if (stop)
        atomic_store(stop, 1);
    if (run) {
        fm_run_stop(run);
        cli_interrupt_hurry(fm_run_world(run), number);
    }
}

void cli_interrupt_watch(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction before, action = {.sa_handler = take_signal, .sa_flags = (int)SA_RESETHAND};
        sigemptyset(&action.sa_mask);
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}

void cli_interrupt_give(fm_run *run)
{
    running = run;
    if (!run)
        cli_interrupt_calm();
}

void cli_interrupt_tell(atomic_int *stop)
{
    told = stop;
}

int cli_interrupt_signal(void)
{
    return caught;
}
