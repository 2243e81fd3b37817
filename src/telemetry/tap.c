#include "telemetry/tap.h"

#include <pthread.h>

#include "base/memory.h"

struct fm_tap {
    fm_channels *channels;
    fm_ring *ring;
    fm_channel_take *take;
    void *user;
    pthread_t thread;
    int running;
};

static void *drain(void *context)
{
    fm_tap *tap = context;
    fm_ring_item item;
    for (;;) {
        int closed = fm_ring_closed(tap->ring); /* read before the ring is checked: nothing comes after the close */
        if (fm_ring_peek(tap->ring, &item)) {
            tap->take(tap->user, &item);
            fm_ring_pop(tap->ring);
        } else if (closed) {
            return NULL;
        } else {
            fm_ring_wait(tap->ring);
        }
    }
}

static void free_tap(fm_tap *tap)
{
    fm_ring_destroy(tap->ring);
    fm_free(tap);
}

fm_status fm_tap_open(fm_channels *channels, double seconds, fm_ring_policy policy, fm_channel_take *take, void *user,
                      fm_tap **out, fm_error *error)
{
    fm_tap *tap = fm_alloc(sizeof *tap);
    *out = NULL;
    if (!tap)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a listener of telemetry");
    *tap = (fm_tap){.channels = channels, .take = take, .user = user};
    fm_status status = fm_channels_attach(channels, seconds, policy, &tap->ring, error);
    if (status == FM_OK && pthread_create(&tap->thread, NULL, drain, tap) != 0) {
        fm_channels_detach(channels, tap->ring);
        status = fm_fail(error, FM_ERR_LIBRARY, "no thread for a listener of telemetry");
    }
    tap->running = status == FM_OK;
    if (status == FM_OK)
        *out = tap;
    else
        free_tap(tap);
    return status;
}

fm_ring *fm_tap_ring(fm_tap *tap)
{
    return tap->ring;
}

void fm_tap_stop(fm_tap *tap)
{
    if (!tap->running)
        return;
    fm_channels_detach(tap->channels, tap->ring);
    pthread_join(tap->thread, NULL);
    tap->running = 0;
}

void fm_tap_close(fm_tap *tap)
{
    if (!tap)
        return;
    fm_tap_stop(tap);
    free_tap(tap);
}
