/* The command queue of a server on the same computer (docs/shared-memory.md): one command per message, as text. */
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "client.h"

enum { MESSAGE = 1024 }; /* bytes */

static struct timespec until(double seconds)
{
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_sec += (time_t)seconds;
    at.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
    at.tv_sec += at.tv_nsec / 1000000000;
    at.tv_nsec %= 1000000000;
    return at;
}

static fm_status exchange(mqd_t queue, mqd_t reply, const char *message, double seconds, char *text, fm_error *error)
{
    struct timespec end = until(seconds);
    if (mq_timedsend(queue, message, strlen(message), 0, &end) != 0)
        return fm_client_fail(error, FM_ERR_FULL, "the queue does not take it: %s", strerror(errno));
    ssize_t size = mq_timedreceive(reply, text, MESSAGE, NULL, &end);
    if (size < 0)
        return fm_client_fail(error, FM_ERR_STATE, "no answer within %g s", seconds);
    text[size] = 0;
    return strncmp(text, "error", 5) == 0 ? fm_client_fail(error, FM_ERR_STATE, "%.700s", text) : FM_OK;
}

fm_status fm_client_queue_ask(const char *instance, const char *command, double seconds, fm_error *error)
{
    static atomic_uint asked;
    struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = MESSAGE};
    char name[64], reply_name[64], message[MESSAGE], text[MESSAGE + 1];
    if (!command || !(seconds > 0 && seconds < 1e6))
        return fm_client_fail(error, FM_ERR_ARGUMENT,
                              "command must not be NULL, and seconds must be above 0 and below 1e6");
    int n =
        snprintf(name, sizeof name, "/fathom-commands%s%s", instance && *instance ? "-" : "", instance ? instance : "");
    snprintf(reply_name, sizeof reply_name, "/fathom-reply-%d-%u", (int)getpid(), atomic_fetch_add(&asked, 1));
    int m = snprintf(message, sizeof message, "@%s %s", reply_name, command);
    if (n >= (int)sizeof name || m >= (int)sizeof message)
        return fm_client_fail(error, FM_ERR_RANGE, "the name of the instance or the command is too long");
    mqd_t queue = mq_open(name, O_WRONLY | O_CLOEXEC);
    if (queue == (mqd_t)-1)
        return fm_client_fail(error, FM_ERR_FILE, "%s: %s", name, strerror(errno));
    mqd_t reply = mq_open(reply_name, O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600, &attributes);
    fm_status status = reply == (mqd_t)-1 ? fm_client_fail(error, FM_ERR_FILE, "%s: %s", reply_name, strerror(errno))
                                          : exchange(queue, reply, message, seconds, text, error);
    if (reply != (mqd_t)-1) {
        mq_close(reply);
        mq_unlink(reply_name);
    }
    mq_close(queue);
    return status;
}
