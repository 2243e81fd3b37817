#include "base/priority.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "base/error.h"

void fm_thread_wake_promptly(void)
{
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}

/* Pages that are there are locked now, later ones when they are first used: stacks of other threads stay small. */
static int lock_memory(void)
{
    return mlockall(MCL_CURRENT) == 0 && mlockall(MCL_FUTURE | MCL_ONFAULT) == 0 ? 0 : errno;
}

static int set_priority(pthread_t thread, int priority)
{
    const struct sched_param wanted = {.sched_priority = priority};
    return pthread_setschedparam(thread, SCHED_FIFO | SCHED_RESET_ON_FORK, &wanted);
}

fm_status fm_thread_take_priority(int priority, fm_error *error)
{
    if (priority < 1 || priority > FM_PRIORITY_MOST)
        return fm_fail(error, FM_ERR_RANGE, "priority: %d is out of range: must be 1 to %d", priority,
                       FM_PRIORITY_MOST);
    int unscheduled = set_priority(pthread_self(), priority);
    int unlocked = lock_memory();
    if (unscheduled)
        return fm_fail(error, FM_ERR_STATE,
                       "real-time priority %d is not permitted (%s): run as root, or raise the limit rtprio of the "
                       "user (ulimit -r; /etc/security/limits.conf)",
                       priority, strerror(unscheduled));
    if (unlocked)
        return fm_fail(error, FM_ERR_STATE,
                       "memory cannot be locked (%s): run as root, or raise the limit memlock of the user (ulimit -l; "
                       "/etc/security/limits.conf)",
                       strerror(unlocked));
    return FM_OK;
}

void fm_thread_lend_priority(pthread_t other)
{
    struct sched_param own;
    int policy;
    if (pthread_getschedparam(pthread_self(), &policy, &own) == 0 && own.sched_priority > 0)
        (void)set_priority(other, own.sched_priority > 1 ? own.sched_priority - 1 : 1);
}

void fm_lock_create(pthread_mutex_t *lock)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
}
