/* Any bytes as a log: opened, every message read and decoded through its schema, exported columns built. */
#include "telemetry/layout.h"
#include "telemetry/mcap_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_channel(fm_mcap_reader *reader, const fm_mcap_channel *channel)
{
    fm_error error;
    fm_mcap_cursor *cursor;
    fm_mcap_message m;
    const fm_message *type;
    fm_layout layout;
    if (fm_mcap_channel_type(reader, channel, &type, &error) != FM_OK || fm_layout_init(&layout, type, &error) != FM_OK)
        return;
    if (fm_mcap_query_open(reader, &(fm_mcap_query){.channel = channel}, &cursor, &error) == FM_OK) {
        for (int i = 0; i < 100 && fm_mcap_next(cursor, &m, &error) == FM_OK && m.data; i++)
            fm_layout_measure(&layout, m.data, m.size, &error);
        fm_mcap_query_close(cursor);
        fm_layout_finish(&layout, 256, &error);
    }
    fm_layout_free(&layout);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fm_error error;
    fm_mcap_reader *reader;
    if (fm_mcap_open_memory(data, size, &reader, &error) != FM_OK)
        return 0;
    for (size_t i = 0; i < fm_mcap_channel_count(reader) && i < 8; i++)
        read_channel(reader, fm_mcap_channel_at(reader, i));
    fm_mcap_check(reader, &error);
    fm_mcap_get_metadata(reader, "run", "seed");
    fm_mcap_reader_close(reader);
    return 0;
}
