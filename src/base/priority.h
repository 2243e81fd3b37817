/* What a thread asks of the operating system so that it runs on time. */
#ifndef FM_BASE_PRIORITY_H
#define FM_BASE_PRIORITY_H

#include <fathom/status.h>
#include <pthread.h>

enum { FM_PRIORITY_MOST = 99 };

/* The calling thread is woken at the moment it asks for, not up to 50 µs later. */
void fm_thread_wake_promptly(void);
/* Real-time scheduling (SCHED_FIFO, 1 … 99) for the calling thread, and all memory of the process locked. Threads that
 * it creates later are ordinary ones. FM_ERR_STATE: the system does not permit it; the error says what would help. What
 * was permitted stays. */
fm_status fm_thread_take_priority(int priority, fm_error *error);
/* For a thread that carries orders to the calling one, and its answers away: one less than the real-time priority of
 * the calling thread, so that it delays no step. Nothing if the calling thread has none. */
void fm_thread_lend_priority(pthread_t other);
/* A lock that passes the priority of a waiting thread on to its holder. */
void fm_lock_create(pthread_mutex_t *lock);

#endif
