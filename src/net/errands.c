/* Work that the loop's thread gives to the stepping one, and its way back. */
#include <string.h>

#include "base/memory.h"
#include "net/core.h"

fm_errand *fm_errand_create(fm_server *server, const fm_session *session)
{
    fm_errand *e = fm_alloc(sizeof *e);
    if (!e)
        return NULL;
    e->server = server;
    if (session) {
        e->session = session->id;
        e->generation = session->generation;
    }
    return e;
}

static void append(fm_errand **list, fm_errand *e)
{
    e->next = NULL;
    while (*list)
        list = &(*list)->next;
    *list = e;
}

void fm_errand_bring(fm_server *server, fm_errand *e)
{
    fm_server_lock(server);
    append(&server->finished_errands, e);
    fm_server_unlock(server);
    server->wake(server->outside);
}

/* Stepping thread. A run that ends for another one to follow leaves its errands to that one. */
static void do_errand(fm_run *run, fm_run_task *task)
{
    fm_errand *e = (fm_errand *)(void *)task;
    fm_server *server = e->server;
    if (fm_run_over(run)) {
        fm_server_lock(server);
        int later = server->again && !server->quitting;
        if (later)
            append(&server->waiting_errands, e);
        fm_server_unlock(server);
        if (later)
            return;
        run = NULL;
    }
    if (e->work)
        e->work(server, run, e);
    fm_errand_bring(server, e);
}

void fm_errand_post(fm_server *server, fm_errand *e)
{
    e->task.call = do_errand;
    if (server->run && fm_run_post(server->run, &e->task) == FM_OK)
        return;
    append(&server->waiting_errands, e);
}

void fm_errands_renew(fm_server *server)
{
    fm_errand *list = server->waiting_errands;
    server->waiting_errands = NULL;
    while (list) {
        fm_errand *e = list;
        list = e->next;
        fm_errand_post(server, e);
    }
}

void fm_errands_finish(fm_server *server)
{
    fm_errand *list = server->finished_errands;
    server->finished_errands = NULL;
    while (list) {
        fm_errand *e = list;
        list = e->next;
        fm_session *s = e->session ? fm_session_find(server, e->session, e->generation) : NULL;
        if (s && s->errands > 0)
            s->errands--;
        if (e->done)
            e->done(server, e);
        fm_free(e);
    }
}

static void free_list(fm_errand *list)
{
    while (list) {
        fm_errand *e = list;
        list = e->next;
        fm_free(e);
    }
}

void fm_errands_free(fm_server *server)
{
    free_list(server->waiting_errands);
    free_list(server->finished_errands);
    server->waiting_errands = server->finished_errands = NULL;
}
