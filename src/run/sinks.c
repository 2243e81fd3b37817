/* Sinks: attaching, publishing, ending. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "run/run.h"
#include "telemetry/schema.h"

/* --- messages --- */

static void tell_channel(const fm_sink *sink, const fm_ring_item *item)
{
    const fm_channel_news *news = (const void *)item->data;
    fm_channel_info info = {.topic = news->topic, .text = news->text};
    if (!sink->config.channel)
        return;
    fm_schema_name(news->type, info.type, sizeof info.type);
    sink->config.channel(sink->config.user, item->channel, &info);
}

static void pass_on(void *user, const fm_ring_item *item)
{
    const fm_sink *sink = user;
    if (item->news) {
        tell_channel(sink, item);
        return;
    }
    fm_sink_message message = {item->channel, item->sequence, item->time, item->data, item->size};
    sink->config.message(sink->config.user, &message);
}

/* The channels at a rate; created when the first sink needs them. */
static fm_status find_channels(fm_run *run, double rate, fm_run_channels **found, fm_error *error)
{
    for (*found = run->channels; *found; *found = (*found)->next)
        if ((*found)->rate == rate)
            return FM_OK;
    fm_run_channels *c = fm_alloc(sizeof *c);
    if (!c)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for channels");
    fm_status status = fm_world_channels_create(run->world, run->overlays, rate, &c->channels, error);
    if (status != FM_OK) {
        fm_free(c);
        return status;
    }
    c->rate = rate;
    c->next = run->channels;
    *found = run->channels = c;
    return FM_OK;
}

static fm_ring_policy policy_of(const fm_sink *sink, int fast)
{
    int wait = sink->config.delivery == FM_SINK_WAIT || (sink->config.delivery == FM_SINK_PACED && fast);
    return wait ? FM_RING_WAIT : FM_RING_DROP;
}

static int goes_fast(fm_run *run)
{
    pthread_mutex_lock(&run->schedule->lock);
    int fast = run->schedule->pace.speed == 0;
    pthread_mutex_unlock(&run->schedule->lock);
    return fast;
}

static fm_status listen(fm_sink *sink, fm_error *error)
{
    fm_channels *channels = fm_sink_channels(sink);
    if (sink->config.delivery == FM_SINK_DIRECT)
        return fm_channels_listen(channels, pass_on, sink, error);
    fm_ring_policy policy = policy_of(sink, goes_fast(sink->run));
    double buffer = sink->config.buffer > 0 ? sink->config.buffer : policy == FM_RING_WAIT ? 0.5 : 2;
    return fm_tap_open(channels, buffer, policy, pass_on, sink, &sink->tap, error);
}

fm_channels *fm_sink_channels(const fm_sink *sink)
{
    return sink->channels ? fm_world_channels_get(sink->channels->channels) : NULL;
}

/* The pace may have changed since the last step. */
static void renew_policies(fm_run *run)
{
    int known = -1;
    if (atomic_load_explicit(&run->free_running, memory_order_relaxed))
        known = 1;
    for (fm_sink *sink = run->sinks; sink; sink = sink->next)
        if (sink->tap && sink->config.delivery == FM_SINK_PACED)
            fm_ring_set_policy(fm_tap_ring(sink->tap), policy_of(sink, known >= 0 ? known : goes_fast(run)));
}

static void wait_for_room(fm_run *run)
{
    renew_policies(run);
    for (fm_run_channels *c = run->channels; c; c = c->next)
        fm_channels_wait(fm_world_channels_get(c->channels));
}

/* --- telling --- */

static fm_status begin_sink(fm_sink *sink, fm_error *error)
{
    sink->begun = 1;
    return sink->config.step ? sink->config.step(sink->config.user, sink, error) : FM_OK;
}

fm_status fm_run_begin_sinks(fm_run *run, fm_error *error)
{
    fm_status status = FM_OK;
    int new_ones = 0;
    for (const fm_run_channels *c = run->channels; c; c = c->next)
        new_ones |= !c->begun;
    if (new_ones)
        fm_run_follow_overlays(run);
    for (fm_run_channels *c = run->channels; c; c = c->next)
        if (!c->begun) {
            fm_world_channels_begin(c->channels, run->world);
            c->begun = 1;
        }
    for (fm_sink *sink = run->sinks; sink && status == FM_OK; sink = sink->next)
        if (!sink->begun)
            status = begin_sink(sink, error);
    return status;
}

void fm_run_steer_sinks(fm_run *run)
{
    for (fm_sink *sink = run->sinks; sink; sink = sink->next)
        if (sink->config.steer)
            sink->config.steer(sink->config.user, sink);
}

static void tell_events(const fm_run *run, fm_sink *sink)
{
    const fm_event *events;
    size_t count = sink->config.event ? fm_world_events(run->world, &events) : 0;
    for (size_t i = 0; i < count; i++)
        sink->config.event(sink->config.user, sink, &events[i]);
}

fm_status fm_run_tell_sinks(fm_run *run, fm_error *error)
{
    fm_status status = FM_OK;
    if (run->channels) {
        wait_for_room(run);
        fm_run_follow_overlays(run);
        for (fm_run_channels *c = run->channels; c; c = c->next)
            fm_world_channels_publish(c->channels, run->world);
    }
    for (fm_sink *sink = run->sinks; sink && status == FM_OK; sink = sink->next) {
        tell_events(run, sink);
        if (sink->begun && sink->config.step)
            status = sink->config.step(sink->config.user, sink, error);
    }
    return status;
}

void fm_run_tell_refusal(fm_run *run, const fm_input *input, const fm_error *error)
{
    for (fm_sink *sink = run->sinks; sink; sink = sink->next)
        if (sink->config.refused)
            sink->config.refused(sink->config.user, sink, input, error);
}

void fm_run_tell_failure(fm_run *run)
{
    for (fm_sink *sink = run->sinks; sink; sink = sink->next)
        if (sink->config.error)
            sink->config.error(sink->config.user, sink, &run->failure);
}

/* --- coming and going --- */

static void free_sink(fm_sink *sink)
{
    fm_sink **link = &sink->run->sinks;
    while (*link && *link != sink)
        link = &(*link)->next;
    if (*link)
        *link = sink->next;
    if (sink->config.release)
        sink->config.release(sink->config.user);
    fm_free(sink);
}

static fm_status check_config(const fm_run *run, const fm_sink_config *config, fm_error *error)
{
    if (!run || !config)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s must not be NULL", run ? "sink" : "run");
    if (run->finished)
        return fm_fail(error, FM_ERR_STATE, "the run is finished");
    if (!(config->rate >= 0) || !(config->buffer >= 0) || (unsigned)config->delivery > FM_SINK_DIRECT)
        return fm_fail(error, FM_ERR_RANGE,
                       "a sink with a rate of %g Hz, a buffer of %g s and delivery %d: must be 0 and more, and 0 to %d",
                       config->rate, config->buffer, (int)config->delivery, FM_SINK_DIRECT);
    return FM_OK;
}

static fm_status start_sink(fm_sink *sink, fm_error *error)
{
    fm_status status = FM_OK;
    if (sink->config.message)
        status = find_channels(sink->run, sink->config.rate, &sink->channels, error);
    if (status == FM_OK && sink->config.start)
        status = sink->config.start(sink->config.user, sink, error);
    if (status != FM_OK || !sink->config.message)
        return status;
    status = listen(sink, error);
    if (status != FM_OK && sink->config.end) /* what `start` has opened */
        sink->config.end(sink->config.user, sink, &(fm_run_ending){.status = status, .text = "not attached"}, NULL);
    return status;
}

fm_status fm_run_attach(fm_run *run, const fm_sink_config *config, fm_sink **out, fm_error *error)
{
    if (out)
        *out = NULL;
    fm_status status = check_config(run, config, error);
    fm_sink *sink = status == FM_OK ? fm_alloc(sizeof *sink) : NULL;
    if (status == FM_OK && !sink)
        status = fm_fail(error, FM_ERR_MEMORY, "out of memory for a sink");
    if (!sink) {
        if (config && config->release)
            config->release(config->user);
        return status;
    }
    *sink = (fm_sink){.run = run, .config = *config};
    status = start_sink(sink, error);
    if (status != FM_OK) {
        free_sink(sink);
        return status;
    }
    fm_sink **end = &run->sinks;
    while (*end)
        end = &(*end)->next;
    *end = sink;
    if (out)
        *out = sink;
    return FM_OK;
}

/* Lets it read its remaining messages, then end. */
static fm_status end_sink(fm_sink *sink, fm_status ended, const char *text, fm_error *error)
{
    fm_run_ending ending = {.status = ended, .text = text};
    fm_channels *channels = fm_sink_channels(sink);
    if (sink->tap)
        fm_tap_stop(sink->tap);
    else if (channels)
        fm_channels_unlisten(channels, pass_on, sink);
    if (sink->tap) {
        ending.dropped = fm_ring_dropped(fm_tap_ring(sink->tap));
        ending.overrun = fm_ring_overrun(fm_tap_ring(sink->tap));
    }
    if (channels)
        ending.oversize = fm_channels_oversize(channels);
    fm_status status = sink->config.end ? sink->config.end(sink->config.user, sink, &ending, error) : FM_OK;
    fm_tap_close(sink->tap);
    free_sink(sink);
    return status;
}

fm_status fm_run_detach(fm_run *run, fm_sink *sink, fm_error *error)
{
    fm_sink *found = run ? run->sinks : NULL;
    while (found && found != sink)
        found = found->next;
    if (!found)
        return fm_fail(error, FM_ERR_ARGUMENT, "the sink does not belong to this run");
    return end_sink(sink, FM_OK, "detached", error);
}

static const char *ending_of(const fm_run *run)
{
    if (run->failure.status != FM_OK)
        return run->failure.text;
    return fm_run_complete(run) ? "finished" : "interrupted";
}

fm_status fm_run_finish(fm_run *run, fm_error *error)
{
    if (!run)
        return fm_fail(error, FM_ERR_ARGUMENT, "run must not be NULL");
    if (run->finished)
        return FM_OK;
    fm_error first = {0}, late = {0};
    fm_run_end_tasks(run);
    fm_run_begin_sinks(run, &first); /* of a run without a step */
    if (run->channels)
        wait_for_room(run);
    for (fm_run_channels *c = run->channels; c; c = c->next)
        fm_world_channels_end(c->channels, run->world);
    while (run->sinks) {
        late = (fm_error){0};
        if (end_sink(run->sinks, run->failure.status, ending_of(run), &late) != FM_OK && first.status == FM_OK)
            first = late;
    }
    run->finished = 1;
    if (error && first.status != FM_OK)
        *error = first;
    return first.status;
}

void fm_run_free_sinks(fm_run *run)
{
    while (run->channels) {
        fm_run_channels *c = run->channels;
        run->channels = c->next;
        fm_world_channels_destroy(c->channels);
        fm_free(c);
    }
}

/* --- questions --- */

fm_run *fm_sink_run(const fm_sink *sink)
{
    return sink ? sink->run : NULL;
}

size_t fm_sink_channel_count(const fm_sink *sink)
{
    return sink && sink->channels ? fm_channels_count(fm_sink_channels(sink)) : 0;
}

fm_channel_info fm_sink_channel(const fm_sink *sink, size_t i)
{
    fm_channel_info info = {.topic = "", .text = ""};
    if (i >= fm_sink_channel_count(sink))
        return info;
    const fm_channel *channel = fm_channel_at(fm_sink_channels(sink), i);
    info.topic = channel->topic;
    info.text = channel->text;
    info.latched = channel->latched;
    fm_schema_name(channel->type, info.type, sizeof info.type);
    return info;
}

char *fm_sink_schema(const fm_sink *sink, size_t i)
{
    return i < fm_sink_channel_count(sink) ? fm_schema_text(fm_channel_at(fm_sink_channels(sink), i)->type) : NULL;
}

char *fm_type_schema(const char *type)
{
    const fm_message *message = type ? fm_message_find(type) : NULL;
    return message ? fm_schema_text(message) : NULL;
}
