#include "page/show_calls.h"

#include "base/memory.h"
#include "base/text.h"

fm_show_asker *fm_show_asker_create(void)
{
    return fm_alloc(sizeof(fm_show_asker));
}

/* With the lock. */
static void drop(fm_show_call *call)
{
    fm_show_call **at = &call->show->calls;
    while (*at && *at != call)
        at = &(*at)->next;
    if (*at)
        *at = call->next;
    if (--call->asker->calls == 0 && call->asker->gone)
        fm_free(call->asker);
    json_decref(call->reply);
    json_decref(call->batch);
    fm_free(call);
}

void fm_show_asker_leave(fm_show *show, fm_show_asker *asker)
{
    if (!asker)
        return;
    pthread_mutex_lock(&show->lock);
    asker->gone = 1;
    if (asker->calls == 0)
        fm_free(asker);
    pthread_mutex_unlock(&show->lock);
}

fm_show_call *fm_show_call_begin(fm_show *show, fm_show_asker *asker, uint32_t service, uint32_t number, json_t *reply)
{
    fm_show_call *call = fm_alloc(sizeof *call);
    if (!call) {
        json_decref(reply);
        return NULL;
    }
    *call = (fm_show_call){.show = show, .asker = asker, .service = service, .number = number, .reply = reply};
    pthread_mutex_lock(&show->lock);
    call->next = show->calls;
    show->calls = call;
    asker->calls++;
    pthread_mutex_unlock(&show->lock);
    show->asked = call;
    return call;
}

int fm_show_call_deferred(fm_show *show)
{
    int deferred = show->asked == NULL;
    show->asked = NULL;
    return deferred;
}

fm_show_call *fm_show_defer(fm_show *show)
{
    fm_show_call *call = show->asked;
    show->asked = NULL;
    return call;
}

void fm_show_answer(fm_show_call *call, fm_status status, const char *text)
{
    if (!call)
        return;
    fm_show *show = call->show;
    pthread_mutex_lock(&show->lock);
    call->status = status;
    fm_text_shorten(call->text, sizeof call->text, text && *text ? text : "refused");
    call->answered = 1;
    pthread_mutex_unlock(&show->lock);
    fm_hub_wake(show->hub);
}

/* Drops the calls of askers that have gone. The oldest are last. */
fm_show_call *fm_show_call_next(fm_show *show, const fm_show_asker *asker)
{
    fm_show_call *found = NULL;
    pthread_mutex_lock(&show->lock);
    for (fm_show_call *call = show->calls, *next; call; call = next) {
        next = call->next;
        if (call->answered && call->asker->gone)
            drop(call);
        else if (call->answered && call->asker == asker)
            found = call;
    }
    pthread_mutex_unlock(&show->lock);
    return found;
}

void fm_show_call_free(fm_show_call *call)
{
    fm_show *show = call->show;
    pthread_mutex_lock(&show->lock);
    drop(call);
    pthread_mutex_unlock(&show->lock);
}
