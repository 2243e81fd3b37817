/* Any bytes as a log: opened, every message read and decoded through its schema, exported columns built, index,
 * metadata and attachments read in full. Offsets in the index are hard to hit by chance: those of the footer and of the
 * index records are also made to point to records of the file, by the input itself (link_index). */
#include <stdlib.h>
#include <string.h>

#include "telemetry/layout.h"
#include "telemetry/mcap_internal.h"

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

/* Metadata and attachments: every text and byte is touched. */
static void read_records(fm_mcap_reader *reader)
{
    size_t bytes = 0;
    fm_error error;
    for (size_t i = 0; i < fm_mcap_metadata_count(reader) && i < 64; i++) {
        const fm_mcap_record *m = fm_mcap_metadata_at(reader, i);
        bytes += strlen(m->name);
        for (size_t k = 0; k < m->pair_count; k++)
            bytes += strlen(m->pairs[k].key) + strlen(m->pairs[k].value);
    }
    for (size_t i = 0; i < fm_mcap_attachment_count(reader) && i < 8; i++) {
        void *data;
        if (fm_mcap_attachment_read(reader, i, &data, &error) == FM_OK)
            bytes += strlen(data);
        fm_free(data);
    }
    if (bytes > ((size_t)64 << 20) || fm_mcap_held(reader) > fm_mcap_index_budget(reader) + (1 << 20))
        abort(); /* more than the budget of an input, which is small */
}

static void read_log(const uint8_t *data, size_t size)
{
    fm_error error;
    fm_mcap_reader *reader;
    if (fm_mcap_open_memory(data, size, &reader, &error) != FM_OK)
        return;
    read_records(reader);
    for (size_t i = 0; i < fm_mcap_channel_count(reader) && i < 8; i++)
        read_channel(reader, fm_mcap_channel_at(reader, i));
    fm_mcap_check(reader, &error);
    fm_mcap_get_metadata(reader, "run", "seed");
    fm_mcap_reader_close(reader);
}

enum { FOOTER_TAIL = FM_MCAP_RECORD_HEAD + 20 + FM_MCAP_MAGIC_SIZE, RECORDS = 256 };

/* The last magic and footer are made right, with a summary that begins at the record after the end of the data, and
 * without a CRC; the index records of the summary point to the records that come before, in turn. */
static void link_index(uint8_t *data, size_t size)
{
    uint64_t at = FM_MCAP_MAGIC_SIZE, offsets[RECORDS], start = 0, footer = size - FOOTER_TAIL;
    size_t count = 0, next = 0;
    for (uint64_t from = at; from + FM_MCAP_RECORD_HEAD < footer; from = at) {
        uint8_t op;
        fm_byte_view body;
        if (!fm_mcap_record_next(data, (size_t)footer, &at, &op, &body))
            break;
        if (start == 0 && count < RECORDS && (op == FM_MCAP_METADATA || op == FM_MCAP_ATTACHMENT))
            offsets[count++] = from;
        if ((op == FM_MCAP_METADATA_INDEX || op == FM_MCAP_ATTACHMENT_INDEX) && count && body.size >= 8)
            memcpy(data + from + FM_MCAP_RECORD_HEAD, &offsets[next++ % count], 8);
        if (op == FM_MCAP_DATA_END && start == 0)
            start = at;
    }
    uint64_t length = 20;
    memset(data + footer, 0, FOOTER_TAIL);
    data[footer] = FM_MCAP_FOOTER;
    memcpy(data + footer + 1, &length, 8);
    memcpy(data + footer + FM_MCAP_RECORD_HEAD, &start, 8);
    memcpy(data + size - FM_MCAP_MAGIC_SIZE, FM_MCAP_MAGIC, FM_MCAP_MAGIC_SIZE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_log(data, size);
    uint8_t *linked = size > FM_MCAP_MAGIC_SIZE + FOOTER_TAIL ? malloc(size) : NULL;
    if (!linked)
        return 0;
    memcpy(linked, data, size);
    link_index(linked, size);
    read_log(linked, size);
    free(linked);
    return 0;
}
