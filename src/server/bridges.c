/* A bridge as a door: its state, its view of the place, and the descriptors that it watches. */
#include "server/bridges.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "world/model.h"

enum { WATCHES = 8 };

typedef struct watch {
    uv_poll_t poll;
    struct opened *owner;
    void (*ready)(void *state);
} watch;

/* A bridge and its state in one block, so that the callbacks of its class serve the door unchanged. */
typedef struct opened {
    fm_bridge bridge;
    fm_bridge_calls calls;
    watch watches[WATCHES];
    size_t watch_count;
    int tried; /* open was called */
    max_align_t state[];
} opened;

static opened *opened_of(void *state)
{
    return (opened *)(void *)((char *)state - offsetof(opened, state));
}

/* --- what a bridge may ask --- */

static void on_ready(uv_poll_t *poll, int status, int events)
{
    watch *w = poll->data;
    (void)status, (void)events;
    w->ready(w->owner->state);
}

static fm_status watch_descriptor(fm_bridge *bridge, int fd, void (*ready)(void *state), fm_error *error)
{
    opened *o = (opened *)(void *)bridge;
    watch *w = &o->watches[o->watch_count];
    if (o->watch_count == WATCHES)
        return fm_fail(error, FM_ERR_FULL, "a bridge may watch up to %d descriptors", WATCHES);
    int wrong = uv_poll_init(fm_host_loop(bridge->host), &w->poll, fd);
    if (wrong)
        return fm_fail(error, FM_ERR_LIBRARY, "descriptor %d cannot be watched: %s", fd, uv_strerror(wrong));
    o->watch_count++;
    *w = (watch){.poll = w->poll, .owner = o, .ready = ready};
    w->poll.data = w;
    uv_poll_start(&w->poll, UV_READABLE, on_ready);
    return FM_OK;
}

static void report_line(fm_bridge *bridge, const char *text)
{
    fm_host_tell(bridge->host, "%s", text);
}

static void count_one(fm_bridge *bridge, const char *name)
{
    atomic_fetch_add(fm_host_count(bridge->host, name), 1);
}

/* --- callbacks of the door that do more than the bridge's --- */

static fm_status open_bridge(void *state, fm_host *host, fm_error *error)
{
    opened *o = opened_of(state);
    o->bridge.run = fm_host_run(host);
    o->tried = 1;
    return o->calls.open(state, &o->bridge, error);
}

/* Descriptors are no longer watched when the bridge closes them. */
static void close_bridge(void *state)
{
    opened *o = opened_of(state);
    for (size_t i = 0; i < o->watch_count; i++) {
        uv_poll_stop(&o->watches[i].poll);
        uv_close((uv_handle_t *)&o->watches[i].poll, NULL);
    }
    if (o->calls.close)
        o->calls.close(state);
}

static void release_bridge(void *state)
{
    opened *o = opened_of(state);
    if (o->tried && o->calls.release)
        o->calls.release(state);
    fm_free(o);
}

/* --- making --- */

static const fm_bridge_calls *find_calls(const char *kind)
{
    for (size_t i = 0; fm_built_in_calls[i].kind; i++)
        if (strcmp(fm_built_in_calls[i].kind, kind) == 0)
            return fm_built_in_calls[i].calls;
    return NULL;
}

const char *fm_bridges_missing(const char *kind)
{
    const fm_bridge_calls *calls = find_calls(kind);
    return calls ? calls->missing : "it is not built in";
}

static fm_status add_bridge(fm_host *host, const fm_bridge_config *config, fm_error *error)
{
    const fm_bridge_calls *given = config->class->calls ? config->class->calls : find_calls(config->kind);
    if (!given || given->missing)
        return fm_fail(error, FM_ERR_MISSING, "no bridge of kind '%s': %s", config->kind,
                       given ? given->missing : "libfathom-net does not have it");
    opened *o = fm_alloc(sizeof *o + given->state_size);
    if (!o)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a bridge of kind '%s'", config->kind);
    memcpy(&o->calls, given, given->size < sizeof o->calls ? given->size : sizeof o->calls);
    o->bridge = (fm_bridge){.size = sizeof(fm_bridge),
                            .config = config->config,
                            .model = fm_host_model(host),
                            .host = host,
                            .watch = watch_descriptor,
                            .report = report_line,
                            .count = count_one};
    const fm_door door = {.name = config->kind,
                          .open = open_bridge,
                          .turn = o->calls.turn,
                          .close = close_bridge,
                          .release = release_bridge,
                          .begin = o->calls.begin,
                          .steer = o->calls.steer,
                          .step = o->calls.step,
                          .event = o->calls.event,
                          .end = o->calls.end,
                          .user = o->state};
    return fm_host_add(host, &door, error);
}

fm_status fm_bridges_add(fm_host *host, fm_error *error)
{
    const fm_model *model = fm_host_model(host);
    fm_status status = FM_OK;
    for (size_t i = 0; i < model->bridge_count && status == FM_OK; i++)
        status = add_bridge(host, &model->bridges[i], error);
    return status;
}
