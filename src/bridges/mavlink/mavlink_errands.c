/* Frames of stations on their way to the stepping thread and back. */
#include "bridges/mavlink/mavlink_ground.h"

static void come_back(fm_mav_errand *e)
{
    fm_mav_ground *g = e->ground;
    pthread_mutex_lock(&g->lock);
    e->next = g->answered;
    g->answered = e;
    pthread_mutex_unlock(&g->lock);
    uv_async_send(&g->wake);
}

/* The stepping thread. */
static void do_errand(fm_run *run, fm_run_task *task)
{
    fm_mav_errand *e = (fm_mav_errand *)(void *)task;
    if (!fm_run_over(run))
        fm_mav_request_answer(e->ground, run, e, &e->out);
    come_back(e);
}

static fm_mav_errand *find_free(fm_mav_ground *g)
{
    for (size_t i = 0; i < FM_MAV_ERRANDS; i++)
        if (!g->errands[i].used)
            return &g->errands[i];
    return NULL;
}

/* A look at the clock that the stepping thread has not taken yet. */
static int is_ticking(const fm_mav_ground *g)
{
    for (size_t i = 0; i < FM_MAV_ERRANDS; i++)
        if (g->errands[i].used && !g->errands[i].framed)
            return 1;
    return 0;
}

void fm_mav_errand_send(fm_mav_ground *g, const fm_mav_frame *frame, const fm_address *from, int trusted)
{
    fm_mav_errand *e = find_free(g);
    if (!frame && is_ticking(g))
        return;
    if (!e) {
        atomic_fetch_add(g->full, 1);
        return;
    }
    fm_mav_outbox out = e->out;
    *e = (fm_mav_errand){.task.call = do_errand,
                         .ground = g,
                         .used = 1,
                         .framed = frame != NULL,
                         .trusted = trusted,
                         .now = uv_now(g->socket.loop),
                         .out = out};
    if (frame) {
        e->frame = *frame;
        e->from = *from;
    }
    e->out.size = 0;
    pthread_mutex_lock(&g->lock);
    const int sent = g->run && fm_run_post(g->run, &e->task) == FM_OK;
    pthread_mutex_unlock(&g->lock);
    if (!sent)
        e->used = 0;
}

void fm_mav_errands_free(fm_mav_ground *g)
{
    for (size_t i = 0; i < FM_MAV_ERRANDS; i++)
        fm_mav_outbox_free(&g->errands[i].out);
}
