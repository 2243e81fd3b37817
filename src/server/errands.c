/* Work that the loop's thread passes to the stepping thread, and its return. */
#include <string.h>

#include "base/memory.h"
#include "server/core.h"

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

/* Stepping thread. */
static void do_errand(fm_run *run, fm_run_task *task)
{
    fm_errand *e = (fm_errand *)(void *)task;
    fm_server *server = e->server;
    if (e->work)
        e->work(server, run && !fm_run_over(run) ? run : NULL, e);
    fm_errand_bring(server, e);
}

void fm_errand_post(fm_server *server, fm_errand *e)
{
    e->task.call = do_errand;
    if (fm_run_post(server->run, &e->task) == FM_OK)
        return;
    fm_server_unlock(server);
    do_errand(NULL, &e->task);
    fm_server_lock(server);
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

void fm_errands_free(fm_server *server)
{
    while (server->finished_errands) {
        fm_errand *e = server->finished_errands;
        server->finished_errands = e->next;
        fm_free(e);
    }
}
