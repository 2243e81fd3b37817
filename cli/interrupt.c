#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t caught;
static fm_run *_Atomic running;
static atomic_int *_Atomic told;

static void take_signal(int number)
{
    static const char text[] = "fathom: interrupted\n";
    fm_run *run = running;
    atomic_int *stop = told;
    if (!run && !stop) { /* it loads, and has written nothing; or it has written all */
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
        _exit(128 + number);
    }
    caught = number;
    if (stop)
        atomic_store(stop, 1);
    if (run)
        fm_run_stop(run);
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
}

void cli_interrupt_tell(atomic_int *stop)
{
    told = stop;
}

int cli_interrupt_signal(void)
{
    return caught;
}
