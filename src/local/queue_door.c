/* The commander: a POSIX message queue. A message is one command as text ("step 10"), optionally preceded by the name
 * of a queue for the answer ("@/fathom-reply-77 step 10"). All have the same priority, so that their order is kept. */
#include <errno.h>
#include <fathom/shared.h>
#include <fcntl.h>
#include <mqueue.h>
#include <sys/file.h>
#include <time.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "local/local_doors.h"
#include "server/command_text.h"
#include "server/server.h"

enum { MESSAGES = 10, MESSAGE_SIZE = 1024, NAME_SIZE = 64 }; /* the limit that every Linux allows without privileges */
#define REPLY_PREFIX "/fathom-reply-"

typedef struct queue_door {
    fm_server *server;
    mqd_t queue;
    char name[FM_SHARED_PATH_SIZE];
    uv_poll_t poll;
    int polling;
} queue_door;

/* --- answers --- */

/* The sender of a command; separately allocated, since the answer comes later. */
typedef struct asker {
    char name[NAME_SIZE];
} asker;

/* A full or removed reply queue is not waited for. */
static void send_answer(const char *name, const char *text)
{
    mqd_t queue = name[0] ? mq_open(name, O_WRONLY | O_NONBLOCK | O_CLOEXEC) : (mqd_t)-1;
    if (queue == (mqd_t)-1)
        return;
    mq_send(queue, text, strlen(text), 0);
    mq_close(queue);
}

static void answer(void *user, const fm_wire_result *result)
{
    asker *a = user;
    char text[256];
    const fm_command_row *row = fm_command_row_of((fm_command_kind)result->verb);
    if (result->code == FM_WIRE_DONE)
        snprintf(text, sizeof text, "done %s %.4f", row ? row->word : "", (double)result->time * 1e-4);
    else
        snprintf(text, sizeof text, "error %u %.*s", result->code, (int)sizeof result->text, result->text);
    send_answer(a->name, text);
    fm_free(a);
}

/* --- messages --- */

/* Parses "@/fathom-reply-77 " at the beginning; returns the rest. */
static const char *read_asker(const char *text, size_t *size, char name[NAME_SIZE])
{
    const char *blank = *size && text[0] == '@' ? memchr(text, ' ', *size) : NULL;
    size_t length = blank ? (size_t)(blank - text) - 1 : 0;
    name[0] = 0;
    if (!blank || length >= NAME_SIZE)
        return text;
    memcpy(name, text + 1, length);
    name[length] = 0;
    if (strncmp(name, REPLY_PREFIX, strlen(REPLY_PREFIX)) != 0 || strchr(name + 1, '/'))
        name[0] = 0; /* never writes to a queue of another user */
    *size -= length + 1;
    return blank;
}

static void take_message(queue_door *door, const char *text, size_t size)
{
    fm_command command;
    fm_error error = {0};
    char words[FM_COMMAND_TEXT + 64], why[FM_COMMAND_TEXT];
    asker *a = fm_alloc(sizeof *a);
    if (!a)
        return;
    text = read_asker(text, &size, a->name);
    if (fm_command_read(text, size, &command, &error) == FM_OK) {
        fm_server_execute(door->server, &command, "queue", answer, a);
        return;
    }
    snprintf(words, sizeof words, "error %d %s", FM_WIRE_BAD_VALUE, fm_text_shorten(why, sizeof why, error.text));
    send_answer(a->name, words);
    fm_host_tell(fm_server_host(door->server), "command queue: %s", error.text);
    fm_free(a);
}

static void drain(uv_poll_t *poll, int status, int events)
{
    queue_door *door = poll->data;
    char text[MESSAGE_SIZE];
    ssize_t size;
    (void)status, (void)events;
    for (int i = 0; i < 2 * MESSAGES && (size = mq_receive(door->queue, text, sizeof text, NULL)) >= 0; i++)
        take_message(door, text, (size_t)size);
}

/* --- coming and going --- */

/* The queue of a killed simulator is taken over, without its commands. */
static fm_status open_queue(queue_door *door, fm_error *error)
{
    struct mq_attr attr = {.mq_maxmsg = MESSAGES, .mq_msgsize = MESSAGE_SIZE}, found;
    char old[MESSAGE_SIZE];
    for (int tries = 0; tries < 2; tries++) {
        door->queue = mq_open(door->name, O_RDONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0600, &attr);
        if (door->queue == (mqd_t)-1)
            return fm_fail(error, FM_ERR_FILE, "command queue %s: %s", door->name, strerror(errno));
        if (flock((int)door->queue, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
            return fm_fail(error, FM_ERR_STATE, "command queue %s is in use by another simulation", door->name);
        if (mq_getattr(door->queue, &found) == 0 && found.mq_msgsize == MESSAGE_SIZE) {
            while (mq_receive(door->queue, old, sizeof old, NULL) >= 0)
                ;
            return FM_OK;
        }
        mq_close(door->queue);
        mq_unlink(door->name);
        door->queue = (mqd_t)-1;
    }
    return fm_fail(error, FM_ERR_FILE, "command queue %s is of another form", door->name);
}

static fm_status open_door(void *user, fm_host *host, fm_error *error)
{
    queue_door *door = user;
    door->server = fm_host_server(host);
    fm_status status = open_queue(door, error);
    if (status != FM_OK)
        return status;
    if (uv_poll_init(fm_host_loop(host), &door->poll, (int)door->queue) != 0)
        return fm_fail(error, FM_ERR_LIBRARY, "command queue %s cannot be waited for", door->name);
    door->poll.data = door;
    door->polling = 1;
    uv_poll_start(&door->poll, UV_READABLE, drain);
    return FM_OK;
}

static void close_door(void *user)
{
    queue_door *door = user;
    if (door->polling)
        uv_close((uv_handle_t *)&door->poll, NULL);
}

static void release_door(void *user)
{
    queue_door *door = user;
    if (door->queue != (mqd_t)-1) {
        mq_close(door->queue);
        if (door->polling)
            mq_unlink(door->name);
    }
    fm_free(door);
}

fm_status fm_server_open_queue(fm_server *server, const char *instance, fm_error *error)
{
    queue_door *door = fm_alloc(sizeof *door);
    if (!door || !instance || !fm_shared_name(door->name, sizeof door->name, "commands", instance)) {
        fm_free(door);
        return fm_fail(error, FM_ERR_ARGUMENT,
                       "the name of the queue is invalid: must be up to 40 characters without '/'");
    }
    door->queue = (mqd_t)-1;
    fm_door table = {
        .name = "command queue", .open = open_door, .close = close_door, .release = release_door, .user = door};
    return fm_server_add_door(server, &table, error);
}

/* --- the other end --- */

static void moment_after(double seconds, struct timespec *moment)
{
    clock_gettime(CLOCK_REALTIME, moment);
    long nanoseconds = moment->tv_nsec + (long)((seconds - (double)(long)seconds) * 1e9);
    moment->tv_sec += (time_t)seconds + nanoseconds / 1000000000;
    moment->tv_nsec = nanoseconds % 1000000000;
}

static fm_status ask(mqd_t queue, mqd_t reply, const char *message, double timeout, char *text, size_t size,
                     fm_error *error)
{
    struct timespec limit;
    char answer_text[MESSAGE_SIZE];
    moment_after(timeout, &limit);
    if (mq_timedsend(queue, message, strlen(message), 0, &limit) != 0)
        return fm_fail(error, FM_ERR_FILE, "cannot send the command: %s", strerror(errno));
    ssize_t got = mq_timedreceive(reply, answer_text, sizeof answer_text, NULL, &limit);
    if (got < 0)
        return fm_fail(error, FM_ERR_FILE, "no answer: %s", strerror(errno));
    snprintf(text, size, "%.*s", (int)got, answer_text);
    return strncmp(text, "done", 4) == 0 ? FM_OK : fm_fail(error, FM_ERR_ARGUMENT, "%s", text);
}

fm_status fm_queue_ask(const char *instance, const char *command, double timeout, char *text, size_t size,
                       fm_error *error)
{
    struct mq_attr attr = {.mq_maxmsg = 1, .mq_msgsize = MESSAGE_SIZE};
    char name[FM_SHARED_PATH_SIZE], reply_name[NAME_SIZE], message[MESSAGE_SIZE];
    if (!fm_shared_name(name, sizeof name, "commands", instance))
        return fm_fail(error, FM_ERR_ARGUMENT, "'%s' is not the name of a simulation", instance);
    mqd_t queue = mq_open(name, O_WRONLY | O_CLOEXEC);
    if (queue == (mqd_t)-1)
        return fm_fail(error, FM_ERR_FILE, "command queue %s: %s", name, strerror(errno));
    snprintf(reply_name, sizeof reply_name, REPLY_PREFIX "%d", (int)getpid());
    mq_unlink(reply_name);
    mqd_t reply = mq_open(reply_name, O_RDONLY | O_CREAT | O_CLOEXEC, 0600, &attr);
    int length = snprintf(message, sizeof message, "@%s %s", reply_name, command);
    fm_status status = FM_OK;
    if (reply == (mqd_t)-1 || length >= (int)sizeof message)
        status = fm_fail(error, FM_ERR_FILE, "the command cannot be asked: %s",
                         reply == (mqd_t)-1 ? strerror(errno) : "it is too long");
    else
        status = ask(queue, reply, message, timeout, text, size, error);
    if (reply != (mqd_t)-1)
        mq_close(reply);
    mq_unlink(reply_name);
    mq_close(queue);
    return status;
}
