/* `fathom info`: what is in a log. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "log_file.h"
#include "telemetry/layout.h"

typedef struct info_options {
    const char *file;
    cli_words channels;
} info_options;

static const cli_option argument_table[] = {
    {"FILE", CLI_FIELD(info_options, file), .noun = "log", .required = true, .path = CLI_FILE, .endings = ".mcap",
     .text = "the log (MCAP)"},
    {"CHANNEL", CLI_FIELD(info_options, channels), .noun = "channel", .text = "channels whose fields are told"},
};

const cli_command cli_info_command = {
    .name = "info",
    .section = "logs",
    .text = "what is in a log: channels, fields, metadata",
    .about = "Prints what a log (MCAP) holds: its duration, channels, metadata and attachments; with channels, their "
             "fields and units, as `fathom plot` and `fathom export` name them (north, east, down; the log itself has "
             "east, north, "
             "up). Checks the CRCs of the whole file.",
    CLI_ARGUMENTS(argument_table),
    .examples = "  fathom info run.mcap /phoenix/odom\n",
    .failed = "the log is damaged or cannot be read",
    .main = cli_info,
};

static void print_channels(const fm_mcap_reader *reader)
{
    const fm_mcap_info *info = fm_mcap_get_info(reader);
    double duration = 1e-9 * (double)(info->end - info->start);
    printf("%-40s %-40s %10s %10s\n", "channel", "type", "messages", "rate");
    for (size_t i = 0; i < fm_mcap_channel_count(reader); i++) {
        const fm_mcap_channel *c = fm_mcap_channel_at(reader, i);
        printf("%-40s %-40s %10llu", c->topic, cli_type_name(c), (unsigned long long)c->messages);
        if (c->messages > 1 && duration > 0)
            printf(" %7.4g Hz", (double)(c->messages - 1) / duration);
        printf("\n");
    }
}

/* A long value (the text of a scenario) is shown by its size only. */
static void print_metadata(const fm_mcap_reader *reader)
{
    for (size_t i = 0; i < fm_mcap_metadata_count(reader); i++) {
        const fm_mcap_record *m = fm_mcap_metadata_at(reader, i);
        printf("metadata %s:\n", m->name);
        for (size_t k = 0; k < m->pair_count; k++) {
            size_t length = strlen(m->pairs[k].value);
            if (length <= 100 && !strchr(m->pairs[k].value, '\n'))
                printf("  %s = %s\n", m->pairs[k].key, m->pairs[k].value);
            else
                printf("  %s: %zu bytes\n", m->pairs[k].key, length);
        }
    }
    for (size_t i = 0; i < fm_mcap_attachment_count(reader); i++) {
        const fm_mcap_record *a = fm_mcap_attachment_at(reader, i);
        printf("attachment %s (%s): %zu bytes%s\n", a->name, a->media_type, a->size, a->crc_fails ? ", DAMAGED" : "");
    }
}

static void print_summary(const char *path, const fm_mcap_reader *reader)
{
    const fm_mcap_info *info = fm_mcap_get_info(reader);
    printf("%s: %llu bytes, profile %s, written by %s\n", path, (unsigned long long)info->file_size, info->profile,
           info->library);
    printf("%llu messages from %.9g s to %.9g s in %zu chunks", (unsigned long long)info->messages,
           1e-9 * (double)info->start, 1e-9 * (double)info->end, info->chunk_count);
    if (info->chunk_packed > 0)
        printf(", %s, %.1f : 1", info->compression[0] ? info->compression : "not compressed",
               (double)info->chunk_bytes / (double)info->chunk_packed);
    printf("%s\n\n", info->recovered ? ", recovered" : "");
    print_channels(reader);
    print_metadata(reader);
}

static fm_status measure(fm_mcap_reader *reader, const fm_mcap_channel *channel, fm_layout *layout, fm_error *error)
{
    fm_mcap_cursor *cursor;
    fm_mcap_message m = {0};
    fm_status status = fm_mcap_query_open(reader, &(fm_mcap_query){.channel = channel}, &cursor, error);
    while (status == FM_OK && (status = fm_mcap_next(cursor, &m, error)) == FM_OK && m.data)
        if ((status = fm_layout_measure(layout, m.data, m.size, error)) != FM_OK)
            break;
    fm_mcap_query_close(cursor);
    return status == FM_OK ? fm_layout_finish(layout, 4096, error) : status;
}

static int print_fields(fm_mcap_reader *reader, const char *topic)
{
    fm_error error = {0};
    fm_layout layout;
    const fm_message *type;
    const fm_mcap_channel *channel = cli_find_channel("info", reader, topic);
    if (!channel)
        return CLI_USAGE;
    fm_status status = fm_mcap_channel_type(reader, channel, &type, &error);
    if (status == FM_OK && (status = fm_layout_init(&layout, type, &error)) == FM_OK) {
        status = measure(reader, channel, &layout, &error);
        if (status == FM_OK)
            status = fm_layout_use_ned(&layout, type, &error);
        printf("\n%s (%s):\n", topic, cli_type_name(channel));
        for (size_t i = 0; i < layout.count && status == FM_OK; i++)
            printf("  %-50s %-8s %s\n", layout.columns[i].path, fm_field_type_name(layout.columns[i].field->type),
                   layout.columns[i].unit);
        for (size_t i = 0; i < layout.left_out_count && status == FM_OK; i++)
            printf("  %-50s (too long to list)\n", layout.left_out[i]);
        fm_layout_free(&layout);
    }
    if (status != FM_OK)
        fprintf(stderr, "fathom info: %s: %s\n", topic, error.text);
    return status == FM_OK ? CLI_DONE : CLI_FAILED;
}

int cli_info(int argc, char **argv)
{
    info_options o = {0};
    int usage;
    if (!cli_options_read(&cli_info_command, argc, argv, &o, &usage))
        return usage;
    fm_mcap_reader *reader = cli_open_log("info", o.file);
    if (!reader)
        return CLI_FAILED;
    fm_error error = {0};
    int status = CLI_DONE;
    for (size_t i = 0; i < o.channels.count && status == CLI_DONE; i++)
        status = cli_find_channel("info", reader, o.channels.items[i]) ? CLI_DONE : CLI_USAGE;
    if (status == CLI_DONE)
        print_summary(o.file, reader);
    for (size_t i = 0; i < o.channels.count && status == CLI_DONE; i++)
        status = print_fields(reader, o.channels.items[i]);
    if (status == CLI_DONE && fm_mcap_check(reader, &error) != FM_OK) {
        fprintf(stderr, "fathom info: %s\n", error.text);
        status = CLI_FAILED;
    }
    fm_mcap_reader_close(reader);
    return status;
}
