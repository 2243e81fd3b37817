/* Ctrl-C, SIGTERM and SIGHUP: a run ends in an orderly way, with everything written; a second signal ends it at
 * once. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <fathom/run.h>
#include <stdatomic.h>

/* From now on a signal ends the program at once, with a message and the exit status 128 + its number, unless a run is
 * given. A signal that the caller of the program ignores (nohup) stays ignored. */
void cli_interrupt_watch(void);
/* A signal stops this run instead; NULL: no run any more. */
void cli_interrupt_give(fm_run *run);
/* A signal sets this to 1 instead, for work that is not a run; NULL: none any more. */
void cli_interrupt_tell(atomic_int *stop);
/* From now on, after a signal of this number: a step of this world that is still being made a second later is cancelled
 * (fm_world_cancel); where that does not end it within two more, the program ends at once, with a line that names the
 * stage and the vehicle and the exit status 128 + number. Also from a signal handler. */
void cli_interrupt_hurry(fm_world *world, int number);
void cli_interrupt_calm(void); /* the world is left alone again */
/* The signal received during the run; 0: none. */
int cli_interrupt_signal(void);

#endif
