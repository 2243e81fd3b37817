/* WaVeSim's interface: messages in a POSIX queue, with a signal to the reader.
 *
 * mq_notify signals once, and only when a message arrives in an empty queue. So a reader first requests the next
 * signal and then takes messages until the queue is empty: earlier messages are taken, later ones raise the signal.
 * One priority for all: a higher one would overtake. */
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "client.h"

enum { MESSAGES = 10 /* what every Linux allows (fs.mqueue.msg_max) */ };

static int open_queue(const char *name, int flags, fm_error *error)
{
    struct mq_attr wanted = {.mq_maxmsg = MESSAGES, .mq_msgsize = sizeof(fm_mail)}, there;
    if (!name || name[0] != '/' || strlen(name) < 2 || strlen(name) > 60) {
        fm_client_fail(error, FM_ERR_RANGE, "a queue has a name of 2 to 60 bytes that begins with '/'");
        return -1;
    }
    mqd_t queue = mq_open(name, flags | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0600, &wanted);
    if (queue == (mqd_t)-1) {
        fm_client_fail(error, FM_ERR_FILE, "%s: %s", name, strerror(errno));
        return -1;
    }
    if (mq_getattr(queue, &there) != 0 || there.mq_msgsize != (long)sizeof(fm_mail)) {
        mq_close(queue);
        fm_client_fail(error, FM_ERR_FILE, "%s: a queue of other messages (%ld bytes each, not %zu)", name,
                       there.mq_msgsize, sizeof(fm_mail));
        return -1;
    }
    return queue;
}

/* What of a message is in use. */
static size_t mail_size(const fm_mail *mail)
{
    switch (mail->kind) {
    case FM_MAIL_STATE: return offsetof(fm_mail, is) + sizeof mail->is.state;
    case FM_MAIL_SAMPLE: return offsetof(fm_mail, bytes) + mail->is.sample.size;
    case FM_MAIL_SOUND: return offsetof(fm_mail, is.sound.bytes) + mail->is.sound.size;
    case FM_MAIL_RESULT: return offsetof(fm_mail, is) + sizeof mail->is.result;
    case FM_MAIL_EVENT: return offsetof(fm_mail, is) + sizeof mail->is.event;
    case FM_MAIL_SENT: return offsetof(fm_mail, is) + sizeof mail->is.sent;
    default: return offsetof(fm_mail, is) + sizeof mail->is.link;
    }
}

static int drop_in(fm_client *client, const fm_mail *mail)
{
    return mq_send(client->queue, (const char *)mail, mail_size(mail), 0) == 0;
}

static void keep_letter(fm_client *client, const fm_mail *mail)
{
    if (client->letter_count == FM_CLIENT_LETTERS) {
        client->info.mail_lost++;
        return;
    }
    client->letters[(client->letter_first + client->letter_count++) % FM_CLIENT_LETTERS] = *mail;
}

void fm_client_mail_due(fm_client *client)
{
    while (client->letter_count && drop_in(client, &client->letters[client->letter_first])) {
        client->letter_first = (client->letter_first + 1) % FM_CLIENT_LETTERS;
        client->letter_count--;
    }
}

void fm_client_mail(fm_client *client, const fm_mail *mail)
{
    if (client->queue < 0)
        return;
    fm_client_mail_due(client);
    if (!client->letter_count && drop_in(client, mail))
        return;
    if (mail->kind == FM_MAIL_STATE || mail->kind == FM_MAIL_SAMPLE)
        client->info.mail_lost++; /* newer ones follow */
    else
        keep_letter(client, mail);
}

static void *deliver(void *user)
{
    fm_client *client = user;
    for (;;) {
        fm_client_lock(client);
        int stop = client->thread_stop;
        fm_client_unlock(client);
        if (stop || fm_client_poll(client, 0.05) < 0)
            return NULL;
    }
}

/* Signals are for the threads of the program, not for this one. */
static int start_thread(fm_client *client)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int status = pthread_create(&client->thread, NULL, deliver, client);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

static fm_status begin_mail(fm_client *client, const char *name, fm_error *error)
{
    if (client->queue >= 0)
        return fm_client_fail(error, FM_ERR_STATE, "messages go to %s already", client->queue_name);
    client->letters = calloc(FM_CLIENT_LETTERS, sizeof *client->letters);
    if (!client->letters)
        return fm_client_fail(error, FM_ERR_MEMORY, "out of memory");
    client->queue = open_queue(name, O_WRONLY, error);
    if (client->queue < 0)
        return error ? error->status : FM_ERR_FILE;
    strcpy(client->queue_name, name);
    int status = start_thread(client);
    client->thread_runs = status == 0;
    return status == 0 ? FM_OK : fm_client_fail(error, FM_ERR_FULL, "a thread: %s", strerror(status));
}

fm_status fm_client_deliver(fm_client *client, const char *name, fm_error *error)
{
    if (!client)
        return fm_client_fail(error, FM_ERR_ARGUMENT, "client must not be NULL");
    fm_client_lock(client);
    fm_status status = begin_mail(client, name, error);
    fm_client_unlock(client);
    return status;
}

void fm_client_mail_end(fm_client *client)
{
    if (client->thread_runs) {
        fm_client_lock(client);
        client->thread_stop = 1;
        fm_client_unlock(client);
        pthread_join(client->thread, NULL);
        client->thread_runs = 0;
    }
    if (client->queue >= 0)
        mq_close(client->queue);
    client->queue = -1;
    free(client->letters);
    client->letters = NULL;
    client->letter_count = 0;
}

/* --- the other end --- */

static int ask_signal(const fm_mailbox *box)
{
    const struct sigevent by = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = box->signal};
    return box->signal ? mq_notify(box->queue, &by) : 0;
}

fm_status fm_mailbox_open(fm_mailbox *box, const char *name, int signal, fm_error *error)
{
    if (!box)
        return fm_client_fail(error, FM_ERR_ARGUMENT, "mailbox must not be NULL");
    *box = (fm_mailbox){-1, signal};
    if (signal < 0 || signal > SIGRTMAX)
        return fm_client_fail(error, FM_ERR_RANGE, "signal %d is out of range: must be 0 to %d", signal, SIGRTMAX);
    box->queue = open_queue(name, O_RDONLY, error);
    if (box->queue < 0)
        return error ? error->status : FM_ERR_FILE;
    if (ask_signal(box) == 0)
        return FM_OK;
    fm_client_fail(error, FM_ERR_STATE, "%s: %s", name,
                   errno == EBUSY ? "another process asked for its signal already" : strerror(errno));
    fm_mailbox_close(box);
    return FM_ERR_STATE;
}

int fm_mailbox_next(fm_mailbox *box, fm_mail *mail)
{
    if (!box || !mail || box->queue < 0)
        return 0;
    int before = errno;
    ask_signal(box); /* first; fails harmlessly if it is already set */
    ssize_t size = mq_receive(box->queue, (char *)mail, sizeof *mail, NULL);
    if (size > 0 && mail->kind == FM_MAIL_SAMPLE) {
        mail->is.sample.bytes = mail->bytes;
        if (mail->is.sample.size > FM_MAIL_BYTES)
            mail->is.sample.size = 0;
    }
    errno = before;
    return size > 0;
}

void fm_mailbox_close(fm_mailbox *box)
{
    if (box && box->queue >= 0)
        mq_close(box->queue);
    if (box)
        box->queue = -1;
}
