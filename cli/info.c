/* `fathom info`: what is in a log, or in a NetCDF file. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "info.h"
#include "log_file.h"
#include "telemetry/layout.h"

typedef struct info_options {
    const char *file;
    cli_words channels;
    bool all, parameters, metrics;
} info_options;

static const cli_option argument_table[] = {
    {"FILE", CLI_FIELD(info_options, file), .noun = "log", .required = true, .path = CLI_FILE, .endings = ".mcap .nc",
     .text = "the log (MCAP), or a NetCDF file"},
    {"CHANNEL", CLI_FIELD(info_options, channels), .noun = "channel",
     .text = "channels whose fields are listed; groups of a NetCDF file"},
};

static const cli_option option_table[] = {
    {"channels", CLI_FIELD(info_options, all), .text = "every channel, even if many are alike"},
    {"parameters", CLI_FIELD(info_options, parameters), .text = "parameters set by a file or --set, as written there"},
    {"metrics", CLI_FIELD(info_options, metrics), .text = "the metrics of the run"},
};

const cli_command cli_info_command = {
    .name = "info",
    .section = "logs",
    .text = "show the contents of a log: channels, fields, metadata",
    .about = "Prints the contents of a log (MCAP): duration, channels, outcome of the run and attachments; for the "
             "given channels, fields and units as named by `fathom plot` and `fathom export` (north, east, down; the "
             "log itself has east, north, up). Checks the CRCs of the whole file. Of a NetCDF file (an export, the "
             "result of a sweep, a chart): attributes, groups and variables with their sizes and units.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .examples = "  fathom info run.mcap /phoenix/odom\n"
                "  fathom info run.nc /phoenix_odom\n",
    .failed = "the log is damaged or cannot be read",
    .main = cli_info,
};

/* More channels than this do not fit on a screen: vehicles with the same channels share a line. */
enum { CHANNELS_MOST = 30 };

/* "/odom" of "/fish-1/odom"; NULL: not a vehicle's channel. */
static const char *channel_of_vehicle(const fm_mcap_channel *c)
{
    return c->topic[0] == '/' ? strchr(c->topic + 1, '/') : NULL;
}

static bool are_alike(const fm_mcap_channel *a, const fm_mcap_channel *b)
{
    const char *x = channel_of_vehicle(a), *y = channel_of_vehicle(b);
    return x && y && !strcmp(x, y) && !strcmp(cli_type_name(a), cli_type_name(b));
}

/* Number of channels like this one; 0: an earlier channel represents it. */
static size_t count_alike(const fm_mcap_reader *reader, size_t at)
{
    const fm_mcap_channel *c = fm_mcap_channel_at(reader, at);
    size_t count = 1;
    for (size_t i = 0; i < fm_mcap_channel_count(reader); i++) {
        bool alike = i != at && are_alike(c, fm_mcap_channel_at(reader, i));
        if (alike && i < at)
            return 0;
        count += alike;
    }
    return count;
}

static void print_channel(const fm_mcap_channel *c, size_t alike, double duration)
{
    char name[256];
    snprintf(name, sizeof name, alike > 1 ? "%s … (%zu)" : "%s", c->topic, alike);
    printf("%-40s %-40s %10llu", name, cli_type_name(c), (unsigned long long)c->messages);
    if (c->messages > 1 && duration > 0)
        printf(" %7.4g Hz", (double)(c->messages - 1) / duration);
    printf("\n");
}

static void print_channels(const fm_mcap_reader *reader, bool all)
{
    const fm_mcap_info *info = fm_mcap_get_info(reader);
    size_t count = fm_mcap_channel_count(reader), folded = 0;
    printf("%-40s %-40s %10s %10s\n", "channel", "type", "messages", "rate");
    for (size_t i = 0; i < count; i++) {
        size_t alike = all || count <= CHANNELS_MOST ? 1 : count_alike(reader, i);
        folded += alike == 0;
        if (alike)
            print_channel(fm_mcap_channel_at(reader, i), alike, 1e-9 * (double)(info->end - info->start));
    }
    if (folded)
        printf("(%zu channels of other vehicles are like these: --channels lists them)\n", folded);
}

/* A long value (the text of a scenario) is shown by its size only. */
static void print_pair(const fm_mcap_pair *pair)
{
    size_t length = strlen(pair->value);
    if (length <= 100 && !strchr(pair->value, '\n'))
        printf("  %s = %s\n", pair->key, pair->value);
    else
        printf("  %s: %zu bytes\n", pair->key, length);
}

/* A metric is called by its vehicle: "phoenix/distance". */
static bool is_metric(const fm_mcap_record *m, size_t pair)
{
    return !strcmp(m->name, "result") && strchr(m->pairs[pair].key, '/');
}

static void print_record(const fm_mcap_record *m, const info_options *o)
{
    size_t metrics = 0;
    printf("metadata %s:", m->name);
    if ((!strcmp(m->name, "parameters") || !strcmp(m->name, "written")) && !o->parameters) {
        printf(" %zu (--parameters)\n", m->pair_count);
        return;
    }
    printf("\n");
    for (size_t k = 0; k < m->pair_count; k++)
        if (is_metric(m, k) && !o->metrics)
            metrics++;
        else
            print_pair(&m->pairs[k]);
    if (metrics)
        printf("  and %zu metrics (--metrics)\n", metrics);
}

/* The source text says more than all parameters; a log of another program may have only these. */
static void print_metadata(const fm_mcap_reader *reader, const info_options *o)
{
    bool written = false;
    for (size_t i = 0; i < fm_mcap_metadata_count(reader); i++)
        written |= !strcmp(fm_mcap_metadata_at(reader, i)->name, "written");
    for (size_t i = 0; i < fm_mcap_metadata_count(reader); i++)
        if (!written || strcmp(fm_mcap_metadata_at(reader, i)->name, "parameters") != 0)
            print_record(fm_mcap_metadata_at(reader, i), o);
    for (size_t i = 0; i < fm_mcap_attachment_count(reader); i++) {
        const fm_mcap_record *a = fm_mcap_attachment_at(reader, i);
        printf("attachment %s (%s): %zu bytes%s\n", a->name, a->media_type, a->size, a->crc_fails ? ", DAMAGED" : "");
    }
}

static void print_summary(const info_options *o, const fm_mcap_reader *reader)
{
    const fm_mcap_info *info = fm_mcap_get_info(reader);
    printf("%s: %llu bytes, profile %s, written by %s\n", o->file, (unsigned long long)info->file_size, info->profile,
           info->library);
    printf("%llu messages from %.9g s to %.9g s in %zu chunks", (unsigned long long)info->messages,
           1e-9 * (double)info->start, 1e-9 * (double)info->end, info->chunk_count);
    if (info->chunk_packed > 0)
        printf(", %s, %.1f : 1", info->compression[0] ? info->compression : "not compressed",
               (double)info->chunk_bytes / (double)info->chunk_packed);
    printf("%s\n\n", info->recovered ? ", recovered" : "");
    print_channels(reader, o->all);
    print_metadata(reader, o);
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
    if (cli_is_netcdf(o.file))
        return cli_info_netcdf(o.file, o.channels.items, o.channels.count);
    fm_mcap_reader *reader = cli_open_log("info", o.file);
    if (!reader)
        return CLI_FAILED;
    fm_error error = {0};
    int status = CLI_DONE;
    for (size_t i = 0; i < o.channels.count && status == CLI_DONE; i++)
        status = cli_find_channel("info", reader, o.channels.items[i]) ? CLI_DONE : CLI_USAGE;
    if (status == CLI_DONE)
        print_summary(&o, reader);
    for (size_t i = 0; i < o.channels.count && status == CLI_DONE; i++)
        status = print_fields(reader, o.channels.items[i]);
    if (status == CLI_DONE && fm_mcap_check(reader, &error) != FM_OK) {
        fprintf(stderr, "fathom info: %s\n", error.text);
        status = CLI_FAILED;
    }
    fm_mcap_reader_close(reader);
    return status;
}
