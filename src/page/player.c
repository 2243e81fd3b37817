/* Plays one log, or two side by side, into a hub, on a thread of its own. */
#include "page/player.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/text.h"
#include "page/json_text.h"
#include "page/player_marks.h"
#include "page/player_overlay.h"
#include "page/request.h"
#include "server/clock.h"
#include "telemetry/mcap_reader.h"

/* One recording. */
typedef struct reel {
    fm_mcap_reader *reader;
    const char *prefix;     /* prefix of its topics: "", or that of the second log */
    int numbers[65536];     /* in the hub, by id of the file; -1: none */
    fm_mcap_cursor *cursor; /* while it plays */
    fm_mcap_message next;   /* that is due next; no data: none */
} reel;

struct fm_player {
    fm_show show;
    fm_player_shelf shelf;
    reel reels[FM_PLAYER_MOST];
    size_t count;
    int run_channel, events_channel;
    fm_player_overlay *overlay; /* over the first; NULL: none */
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    int playing, ended, sought, quit, threaded;
    double speed;
    uint64_t time, target; /* ns: current position, and target position */
    uint64_t anchor_time;  /* ns of the recording at */
    double anchor_clock;   /* s of the clock */
    fm_error fault;        /* the first unreadable piece of a recording */
};

/* --- messages --- */

static void publish(fm_player *p, const reel *r, const fm_mcap_message *m)
{
    int number = r->numbers[m->channel];
    if (number >= 0)
        fm_hub_publish(p->show.hub, &(fm_hub_message){(uint32_t)number, m->time, m->data, m->size});
    if (r == p->reels)
        fm_player_overlay_take(p->overlay, m);
}

/* The next message; unreadable pieces are skipped, and the first of them is recorded for viewers. No data: the end. */
static void read_next(fm_player *p, fm_mcap_cursor *cursor, fm_mcap_message *m)
{
    fm_error error = {0};
    while (fm_mcap_next(cursor, m, &error) != FM_OK) {
        pthread_mutex_lock(&p->lock);
        if (p->fault.status == FM_OK)
            p->fault = error;
        pthread_mutex_unlock(&p->lock);
    }
}

/* The last message of a channel up to a time. */
static void publish_last(fm_player *p, const reel *r, const fm_mcap_channel *channel, uint64_t time)
{
    fm_mcap_query query = {.channel = channel, .start = 0, .end = time ? time : 1};
    fm_mcap_cursor *cursor;
    fm_mcap_message m;
    uint8_t *kept = NULL;
    size_t room = 0, size = 0;
    uint64_t when = 0;
    if (fm_mcap_query_open(r->reader, &query, &cursor, NULL) != FM_OK)
        return;
    for (read_next(p, cursor, &m); m.data; read_next(p, cursor, &m)) {
        uint8_t *grown = m.size > room ? fm_realloc(kept, m.size) : kept;
        if (!grown)
            break;
        room = m.size > room ? m.size : room;
        kept = memcpy(grown, m.data, m.size);
        size = m.size;
        when = m.time;
    }
    fm_mcap_query_close(cursor);
    if (kept)
        publish(p, r, &(fm_mcap_message){.channel = channel->id, .time = when, .data = kept, .size = size});
    fm_free(kept);
}

static int is_latched(const fm_mcap_channel *channel)
{
    static const char *const topics[] = {"/scene", "/tf_static", "/markers/world", "/markers/vehicles"};
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++)
        if (strcmp(channel->topic, topics[i]) == 0)
            return 1;
    return 0;
}

/* The state at a time: latched messages, and all messages of the second before it. */
static void publish_reel(fm_player *p, const reel *r, uint64_t time)
{
    for (size_t i = 0; i < fm_mcap_channel_count(r->reader); i++)
        if (is_latched(fm_mcap_channel_at(r->reader, i)))
            publish_last(p, r, fm_mcap_channel_at(r->reader, i), time);
    fm_mcap_query query = {.start = time > 1000000000u ? time - 1000000000u : 0, .end = time ? time : 1};
    fm_mcap_cursor *cursor;
    fm_mcap_message m;
    if (fm_mcap_query_open(r->reader, &query, &cursor, NULL) != FM_OK)
        return;
    for (read_next(p, cursor, &m); m.data; read_next(p, cursor, &m))
        publish(p, r, &m);
    fm_mcap_query_close(cursor);
}

static void publish_situation(fm_player *p, uint64_t time)
{
    for (size_t i = 0; i < p->count; i++)
        publish_reel(p, &p->reels[i], time);
}

/* --- what is published about it --- */

static void tell_json(fm_player *p, int channel, json_t *object)
{
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    if (text)
        fm_hub_publish(p->show.hub, &(fm_hub_message){(uint32_t)channel, p->time, text, strlen(text)});
    free(text);
}

static void tell_state(fm_player *p)
{
    pthread_mutex_lock(&p->lock);
    const char *state = p->ended ? "ended" : p->playing ? "playing" : "paused";
    double speed = p->speed, factor = p->playing ? speed : 0;
    fm_error fault = p->fault;
    pthread_mutex_unlock(&p->lock);
    tell_json(p, p->run_channel,
              json_pack("{s:s,s:f,s:f,s:f,s:f,s:s}", "state", state, "speed", speed, "factor", factor, "start",
                        1e-9 * (double)p->show.start, "end", 1e-9 * (double)p->show.end, "fault", fault.text));
}

/* All events and pings, for the timeline. */
static void tell_events(fm_player *p)
{
    json_t *list = json_array();
    for (size_t i = 0; i < p->count; i++)
        fm_player_list_marks(p->reels[i].reader, i > 0, list);
    tell_json(p, p->events_channel, json_pack("{s:o}", "events", list));
}

/* --- the thread that plays --- */

static struct timespec timespec_of(double seconds)
{
    double whole = floor(seconds);
    return (struct timespec){(time_t)whole, (long)((seconds - whole) * 1e9)};
}

/* Waits until a message is due, or the state has changed; 0: it is due. */
static int wait_until_due(fm_player *p, uint64_t time)
{
    pthread_mutex_lock(&p->lock);
    while (!p->quit && !p->sought && p->playing) {
        double due = p->anchor_clock + 1e-9 * ((double)time - (double)p->anchor_time) / p->speed;
        if (due <= fm_clock_now(NULL))
            break;
        struct timespec until = timespec_of(due);
        pthread_cond_timedwait(&p->changed, &p->lock, &until);
    }
    int disturbed = p->quit || p->sought || !p->playing;
    pthread_mutex_unlock(&p->lock);
    return disturbed;
}

static void anchor(fm_player *p)
{
    p->anchor_time = p->time;
    p->anchor_clock = fm_clock_now(NULL);
}

/* --- playback: the reels' messages in order of time --- */

static fm_status open_cursors(fm_player *p)
{
    fm_mcap_query query = {.start = p->time + 1};
    for (size_t i = 0; i < p->count; i++) {
        reel *r = &p->reels[i];
        if (fm_mcap_query_open(r->reader, &query, &r->cursor, NULL) != FM_OK)
            return FM_ERR_MEMORY;
        read_next(p, r->cursor, &r->next);
    }
    return FM_OK;
}

static void close_cursors(fm_player *p)
{
    for (size_t i = 0; i < p->count; i++) {
        if (p->reels[i].cursor)
            fm_mcap_query_close(p->reels[i].cursor);
        p->reels[i].cursor = NULL;
    }
}

/* The reel with the earliest next message; NULL: all have ended. */
static reel *first_reel(fm_player *p)
{
    reel *first = NULL;
    for (size_t i = 0; i < p->count; i++) {
        reel *r = &p->reels[i];
        if (r->next.data && (!first || r->next.time < first->next.time))
            first = r;
    }
    return first;
}

static void set_time(fm_player *p, uint64_t time, int ended)
{
    pthread_mutex_lock(&p->lock);
    p->time = time;
    if (ended) {
        p->ended = 1;
        p->playing = 0;
    }
    pthread_mutex_unlock(&p->lock);
}

/* Plays from the current position to the end, a pause or a seek. */
static void play_on(fm_player *p)
{
    double told = 0;
    reel *r = NULL;
    fm_status status = open_cursors(p);
    while (status == FM_OK && (r = first_reel(p)) && !wait_until_due(p, r->next.time)) {
        set_time(p, r->next.time, 0);
        publish(p, r, &r->next);
        read_next(p, r->cursor, &r->next);
        if (fm_clock_now(NULL) - told > 0.2) {
            told = fm_clock_now(NULL);
            tell_state(p);
        }
    }
    if (status != FM_OK || !r)
        set_time(p, p->show.end, 1);
    close_cursors(p);
}

static void leap(fm_player *p)
{
    pthread_mutex_lock(&p->lock);
    p->sought = 0;
    p->ended = 0;
    p->time = p->target;
    pthread_mutex_unlock(&p->lock);
    publish_situation(p, p->time);
}

static void *play(void *user)
{
    fm_player *p = user;
    publish_situation(p, p->time);
    tell_events(p);
    for (;;) {
        tell_state(p);
        pthread_mutex_lock(&p->lock);
        while (!p->quit && !p->sought && !p->playing)
            pthread_cond_wait(&p->changed, &p->lock);
        int quit = p->quit, sought = p->sought;
        anchor(p);
        pthread_mutex_unlock(&p->lock);
        if (quit)
            return NULL;
        if (sought) {
            leap(p);
            continue;
        }
        play_on(p);
    }
}

/* --- what viewers ask for --- */

static void control(fm_show *show, const fm_play *wanted, fm_play *now)
{
    fm_player *p = show->user;
    pthread_mutex_lock(&p->lock);
    p->playing = wanted->state == FM_PLAY_PLAYING;
    p->speed = wanted->speed;
    if (wanted->seek || (p->playing && p->ended)) {
        uint64_t time = wanted->seek ? wanted->time : show->start;
        p->target = time < show->start ? show->start : time > show->end ? show->end : time;
        p->sought = 1;
        p->ended = 0;
    }
    anchor(p);
    *now = (fm_play){.state = p->playing ? FM_PLAY_PLAYING : FM_PLAY_PAUSED,
                     .speed = (float)p->speed,
                     .seek = p->sought,
                     .time = p->sought ? p->target : p->time};
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

static fm_status call(fm_show *show, const char *service, const json_t *request, json_t *reply, fm_error *error)
{
    const fm_player_shelf *shelf = &((fm_player *)show->user)->shelf;
    if (strcmp(service, "/recordings") == 0)
        return json_object_set_new(reply, "recordings", shelf->list(shelf->user)) == 0
                   ? FM_OK
                   : fm_fail(error, FM_ERR_MEMORY, "out of memory for the recordings");
    const char *name;
    fm_status status = fm_request_text(request, "name", &name, error);
    return status == FM_OK ? shelf->compare(shelf->user, name, error) : status;
}

void fm_player_offer(fm_player *p, const fm_player_shelf *shelf)
{
    static const fm_show_service services[] = {
        {"/recordings", "what can be laid beside this recording", "{\"type\":\"object\",\"properties\":{}}"},
        {"/compare", "another recording beside this one; \"\": none",
         "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}"},
    };
    p->shelf = *shelf;
    p->show.services = services;
    p->show.service_count = sizeof services / sizeof *services;
    p->show.call = call;
}

void fm_player_follow(fm_player *p, fm_player *before)
{
    pthread_mutex_lock(&before->lock);
    fm_play wanted = {.state = before->playing ? FM_PLAY_PLAYING : FM_PLAY_PAUSED,
                      .speed = (float)before->speed,
                      .seek = 1,
                      .time = before->sought ? before->target : before->time};
    pthread_mutex_unlock(&before->lock);
    fm_play now;
    control(&p->show, &wanted, &now);
}

/* --- opening and closing --- */

static fm_status add_channels(fm_player *p, reel *r, fm_error *error)
{
    char topic[256];
    for (size_t i = 0; i < sizeof r->numbers / sizeof *r->numbers; i++)
        r->numbers[i] = -1;
    for (size_t i = 0; i < fm_mcap_channel_count(r->reader); i++) {
        const fm_mcap_channel *c = fm_mcap_channel_at(r->reader, i);
        const fm_mcap_schema *s = c->schema;
        fm_text_print(topic, sizeof topic, "%s%s", r->prefix, c->topic);
        fm_hub_channel channel = {topic,
                                  c->encoding,
                                  s ? s->name : "",
                                  s ? s->data : "",
                                  s ? s->encoding : "",
                                  fm_hub_topic_is_sparse(c->topic)};
        r->numbers[c->id] = fm_hub_add(p->show.hub, &channel);
        if (r->numbers[c->id] < 0)
            return fm_fail(error, FM_ERR_MEMORY, "out of memory for channels");
    }
    return FM_OK;
}

static fm_status add_own_channels(fm_player *p, fm_error *error)
{
    static const char any[] = "{\"type\":\"object\",\"properties\":{}}";
    fm_hub *hub = p->show.hub;
    p->run_channel = fm_hub_add(hub, &(fm_hub_channel){"/run", "json", "fathom.Playback", any, "jsonschema", 0});
    p->events_channel =
        fm_hub_add(hub, &(fm_hub_channel){"/timeline", "json", "fathom.Timeline", any, "jsonschema", 0});
    return p->run_channel < 0 || p->events_channel < 0 ? fm_fail(error, FM_ERR_MEMORY, "out of memory for channels")
                                                       : FM_OK;
}

/* The parameters of the first recording, with their initial values. */
static fm_status read_params(fm_player *p, fm_error *error)
{
    const fm_mcap_reader *reader = p->reels[0].reader;
    const fm_mcap_record *found = NULL;
    for (size_t i = 0; i < fm_mcap_metadata_count(reader); i++)
        if (strcmp(fm_mcap_metadata_at(reader, i)->name, "parameters") == 0)
            found = fm_mcap_metadata_at(reader, i);
    fm_status status = fm_show_reserve(&p->show, found ? found->pair_count : 0, error);
    for (size_t i = 0; status == FM_OK && found && i < found->pair_count; i++) {
        const char *words = found->pairs[i].value, *at = words;
        fm_show_param *param = &p->show.params[i];
        *param = (fm_show_param){.path = found->pairs[i].key, .unit = "", .text = "", .words = words};
        param->numeric = fm_text_number_read(&at, &param->value) && *at == 0;
        param->first = param->value;
    }
    return status;
}

static void set_text(json_t *object, const char *name, const char *text)
{
    json_object_set_new(object, name, fm_json_text(text));
}

static void describe(fm_player *p, const char *const *paths)
{
    json_t *about = p->show.metadata;
    const fm_mcap_reader *first = p->reels[0].reader;
    set_text(about, "mode", "recording");
    set_text(about, "file", paths[0]);
    set_text(about, "scenario", fm_mcap_get_metadata(first, "run", "scenario"));
    set_text(about, "title", fm_mcap_get_metadata(first, "run", "title"));
    set_text(about, "about", fm_mcap_get_metadata(first, "run", "about"));
    set_text(about, "view", fm_mcap_get_metadata(first, "run", "view"));
    set_text(about, "warning", fm_mcap_get_info(first)->warning);
    if (p->count > 1)
        set_text(about, "compare", paths[1]);
    p->show.start = fm_mcap_get_info(first)->start;
    p->show.end = p->show.start + 1;
    for (size_t i = 0; i < p->count; i++) {
        const fm_mcap_info *info = fm_mcap_get_info(p->reels[i].reader);
        p->show.start = info->start < p->show.start ? info->start : p->show.start;
        p->show.end = info->end > p->show.end ? info->end : p->show.end;
    }
    p->time = p->show.start;
}

static fm_status begin(fm_player *p, const char *const *paths, size_t count, fm_overlay *overlays, fm_error *error)
{
    fm_status status = FM_OK;
    for (p->count = 0; status == FM_OK && p->count < count; p->count += status == FM_OK) {
        reel *r = &p->reels[p->count];
        r->prefix = p->count ? FM_PLAYER_SECOND : "";
        status = fm_mcap_open(paths[p->count], &r->reader, error);
        if (status == FM_OK)
            status = add_channels(p, r, error);
    }
    if (status == FM_OK) {
        p->overlay = fm_player_overlay_open(overlays, p->reels[0].reader, p->show.hub, error);
        status = overlays && !p->overlay ? FM_ERR_ARGUMENT : FM_OK;
    } else {
        fm_overlay_free_all(overlays);
    }
    if (status == FM_OK)
        status = add_own_channels(p, error);
    if (status == FM_OK)
        status = read_params(p, error);
    if (status != FM_OK)
        return status;
    describe(p, paths);
    p->show.user = p;
    p->show.play = control;
    p->threaded = pthread_create(&p->thread, NULL, play, p) == 0;
    return p->threaded ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no thread to play a recording");
}

fm_player *fm_player_open(const char *const *paths, size_t count, double speed, int paused, fm_overlay *overlays,
                          fm_error *error)
{
    fm_player *p = fm_alloc(sizeof *p);
    if (!p) {
        fm_overlay_free_all(overlays);
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a recording"), NULL;
    }
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&p->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&p->lock, NULL);
    p->speed = speed > 0 ? speed : 1;
    p->playing = !paused;
    if (fm_show_open(&p->show, "Fathom", error) != FM_OK)
        fm_overlay_free_all(overlays);
    else if (begin(p, paths, count, overlays, error) == FM_OK)
        return p;
    fm_player_close(p);
    return NULL;
}

int fm_player_fault(fm_player *p, fm_error *fault)
{
    pthread_mutex_lock(&p->lock);
    *fault = p->fault;
    pthread_mutex_unlock(&p->lock);
    return fault->status != FM_OK;
}

fm_show *fm_player_show(fm_player *p)
{
    return &p->show;
}

void fm_player_close(fm_player *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->quit = 1;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
    if (p->threaded)
        pthread_join(p->thread, NULL);
    fm_player_overlay_close(p->overlay);
    if (p->show.hub)
        fm_show_close(&p->show);
    for (size_t i = 0; i < FM_PLAYER_MOST; i++)
        if (p->reels[i].reader)
            fm_mcap_reader_close(p->reels[i].reader);
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    fm_free(p);
}
