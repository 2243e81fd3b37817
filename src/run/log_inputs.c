#include "run/log_inputs.h"

#include "base/error.h"
#include "base/memory.h"
#include "telemetry/message.h"
#include "telemetry/world_channels.h"

typedef struct input_list {
    fm_input *items;
    size_t count, room;
} input_list;

static fm_status keep_input(input_list *list, const fm_mcap_message *message, fm_error *error)
{
    fm_arena arena = {0};
    fm_msg_input input;
    fm_status status = fm_message_decode(&fm_msg_input_type, message->data, message->size, &input, &arena, error);
    if (status == FM_OK && list->count == list->room) {
        size_t room = 2 * list->room + 64;
        fm_input *items = fm_realloc(list->items, room * sizeof *items);
        if (items) {
            list->items = items;
            list->room = room;
        } else
            status = fm_fail(error, FM_ERR_MEMORY, "out of memory for the inputs of the log");
    }
    if (status == FM_OK)
        status = fm_input_from_message(&input, &list->items[list->count++], error);
    fm_arena_free(&arena);
    return status;
}

fm_status fm_log_inputs_read(fm_mcap_reader *reader, fm_input **inputs, size_t *count, fm_error *error)
{
    const fm_mcap_channel *channel = fm_mcap_find_channel(reader, "/inputs");
    fm_mcap_cursor *cursor;
    fm_mcap_message message = {0};
    input_list list = {0};
    *inputs = NULL;
    *count = 0;
    if (!channel)
        return fm_fail(error, FM_ERR_MISSING, "the log has no channel /inputs: it is not the log of a run");
    fm_status status = fm_mcap_query_open(reader, &(fm_mcap_query){.channel = channel}, &cursor, error);
    while (status == FM_OK && (status = fm_mcap_next(cursor, &message, error)) == FM_OK && message.data)
        status = keep_input(&list, &message, error);
    fm_mcap_query_close(cursor);
    *inputs = list.items;
    *count = list.count;
    return status;
}
