/* The clock of servers, callers and players: the only place where the server reads it. */
#ifndef FM_SERVER_CLOCK_H
#define FM_SERVER_CLOCK_H

/* s, monotonic, with any origin. `unused`: so that it can serve as a callback. */
double fm_clock_now(void *unused);

#endif
