/* The clock of servers, callers and players: the one place where src/net/ reads it. */
#ifndef FM_NET_CLOCK_H
#define FM_NET_CLOCK_H

/* s, monotonic, of any origin. `unused`: so that it can be lent as a callback. */
double fm_clock_now(void *unused);

#endif
