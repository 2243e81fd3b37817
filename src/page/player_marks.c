/* Events and pings of a recording, as the timeline of a viewer shows them. */
#include "page/player_marks.h"

#include "page/json_text.h"
#include "telemetry/message.h"

enum { EVENTS_MOST = 20000, PINGS_BYTES = 64 << 20 /* of a file: in a longer one pings are not searched */ };

static json_t *describe_mark(double time, const char *vehicle, const char *kind, const char *text, int second)
{
    return json_pack("{s:f,s:o,s:o,s:o,s:b}", "time", time, "vehicle", fm_json_text(vehicle), "kind",
                     fm_json_text(kind), "text", fm_json_text(text), "second", second);
}

static json_t *describe_event(const fm_mcap_message *m, int second)
{
    fm_arena arena = {0};
    fm_msg_event event = {0};
    json_t *row = NULL;
    if (fm_message_decode(&fm_msg_event_type, m->data, m->size, &event, &arena, NULL) == FM_OK)
        row = describe_mark(1e-9 * (double)m->time, event.vehicle, event.kind, event.text, second);
    fm_arena_free(&arena);
    return row;
}

static json_t *describe_ping(const fm_mcap_message *m, int second)
{
    fm_arena arena = {0};
    fm_msg_sound sound = {0};
    json_t *row = NULL;
    if (fm_message_decode(&fm_msg_sound_type, m->data, m->size, &sound, &arena, NULL) == FM_OK)
        row = describe_mark(sound.time, sound.vehicle, "ping", "", second);
    fm_arena_free(&arena);
    return row;
}

/* All messages of a topic, as rows of the list. */
static void list_topic(fm_mcap_reader *reader, int second, const char *topic,
                       json_t *(*describe)(const fm_mcap_message *, int), json_t *list)
{
    const fm_mcap_channel *channel = fm_mcap_find_channel(reader, topic);
    fm_mcap_query query = {.channel = channel};
    fm_mcap_cursor *cursor;
    fm_mcap_message m;
    if (!channel || fm_mcap_query_open(reader, &query, &cursor, NULL) != FM_OK)
        return;
    while (json_array_size(list) < EVENTS_MOST && fm_mcap_next(cursor, &m, NULL) == FM_OK && m.data) {
        json_t *row = describe(&m, second);
        if (row)
            json_array_append_new(list, row);
    }
    fm_mcap_query_close(cursor);
}

void fm_player_list_marks(fm_mcap_reader *reader, int second, json_t *list)
{
    list_topic(reader, second, "/events", describe_event, list);
    if (fm_mcap_get_info(reader)->file_size < PINGS_BYTES)
        list_topic(reader, second, "/acoustics/emissions", describe_ping, list);
}
