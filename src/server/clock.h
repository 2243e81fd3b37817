/* The clock of servers, callers and players: the only place where the server reads it. */
#ifndef FM_SERVER_CLOCK_H
#define FM_SERVER_CLOCK_H

/* s, monotonic, with any origin. `unused`: so that it can serve as a callback. */
double fm_clock_now(void *unused);
/* s since 1970, UTC: the date of this computer, for messages that carry real-world time. */
double fm_clock_date(void);

#endif
