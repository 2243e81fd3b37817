/* The clock of servers, callers and players: the one place where the server reads it. */
#ifndef FM_SERVER_CLOCK_H
#define FM_SERVER_CLOCK_H

/* s, monotonic, of any origin. `unused`: so that it can be lent as a callback. */
double fm_clock_now(void *unused);

#endif
