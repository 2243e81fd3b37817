/* `fathom compare`: two logs, channel by channel; compare_records.c has its other half. */
#include "compare.h"

#include <stdio.h>

#include "commands.h"
#include "log_file.h"
#include "telemetry/compare.h"

static const cli_option argument_table[] = {
    {"A", CLI_FIELD(cli_compare_options, files[0]), .noun = "log", .required = true, .path = CLI_FILE,
     .endings = ".mcap .csv .nc", .text = "a log (MCAP), a table (CSV) or NetCDF"},
    {"B", CLI_FIELD(cli_compare_options, files[1]), .noun = "second log", .path = CLI_FILE, .endings = ".mcap .csv .nc",
     .text = "the other record; default: A is a log that contains the telemetry of a real vehicle (`fathom run "
             "--overlay`)"},
    {"CHANNEL", CLI_FIELD(cli_compare_options, channels), .noun = "channel",
     .text = "channels of logs to compare; default: all"},
};

static const cli_option option_table[] = {
    {"map", CLI_FIELD(cli_compare_options, maps), .value = "OURS=THEIRS[*FACTOR][+SHIFT]",
     .section = "Records: errors over time",
     .text = "compare the field or column OURS of A with THEIRS of B, times FACTOR and plus SHIFT; default: those with "
             "the same name"},
    {"offset", CLI_FIELD(cli_compare_options, offset), .value = "S", .unit = "s", .min = -1e12, .max = 1e12,
     .text = "added to the times of B"},
    {"align", CLI_FIELD(cli_compare_options, align), .value = "S", .unit = "s", .min = 1e-3, .max = 1e9,
     .text = "find the offset by cross-correlation, at most this far from --offset"},
    {"align-by", CLI_FIELD(cli_compare_options, align_by), .value = "OURS", .needs = "align",
     .text = "field used for the alignment; default: the first that is compared"},
    {"rate", CLI_FIELD(cli_compare_options, rate), .value = "HZ", .unit = "Hz", .min = 1e-6, .max = 1e6,
     .text = "sample rate of the comparison; default: the times of the record with fewer samples"},
    {"from", CLI_FIELD(cli_compare_options, from), .value = "S", .unit = "s", .min = 0, .max = 1e12,
     .text = "ignore everything before this time of A"},
    {"to", CLI_FIELD(cli_compare_options, to), .value = "S", .unit = "s", .min = 0, .max = 1e12,
     .text = "ignore everything after this time"},
    {"time-column", CLI_FIELD(cli_compare_options, time), .value = "COLUMN", .text = "time column of a table"},
    {"where", CLI_FIELD(cli_compare_options, where), .value = "COLUMN=NUMBER",
     .text = "use only rows of tables in which the column has this number"},
    {"overlay", CLI_FIELD(cli_compare_options, overlay), .value = "VEHICLE",
     .text = "A is a run, B the telemetry of this vehicle (table, log, lines): compare its motion. Without B: select "
             "this overlay of A. --map is then QUANTITY=COLUMN of B"},
    {"json", CLI_FIELD(cli_compare_options, json), .text = "one JSON object instead of text"},
    {"output", 'o', CLI_FIELD(cli_compare_options, out), .value = "FILE", .path = CLI_FILE, .endings = ".png .svg .pdf",
     .text = "draw both, and their difference below"},
    {"dark", CLI_FIELD(cli_compare_options, dark), .needs = "output", .text = "light text on a dark background"},
    {"title", CLI_FIELD(cli_compare_options, title), .value = "TEXT", .needs = "output", .text = "title of the figure"},
};

const cli_command cli_compare_command = {
    .name = "compare",
    .section = "logs",
    .text = "compare two logs bit for bit, or two records (logs, tables) over time",
    .about = "Compares two logs bit for bit. For each channel that differs, prints the first divergence and the "
             "largest difference of two numbers.\n\nIf one of the two is a table (CSV), or an option for records is "
             "given, compares values over time instead: A minus B, with bias, root mean square and largest error for "
             "each channel. Times are aligned, B is resampled linearly, units are converted if both are known, angles "
             "are compared the short way round. Fields of logs are named CHANNEL.FIELD, in north-east-down and "
             "forward-starboard-down. docs/records.md describes tables.\n\nWith only one log that contains the "
             "telemetry of a real vehicle, compares the model with the measurement; the run may still be in progress.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .examples = "  fathom compare before.mcap after.mcap\n"
                "  fathom compare run.mcap measured.csv --map /auv/odom.pose.pose.position.down=pressure_bar*9.93 "
                "--align 60 -o depth.png\n"
                "  fathom compare run.mcap sea.csv --overlay phoenix --align 5\n"
                "  fathom compare dive.mcap -o dive.png\n",
    .done = "they are the same, or were compared over time",
    .failed = "they differ, or cannot be read or compared",
    .main = cli_compare,
};

static void print_difference(const char *topic, const fm_difference *d)
{
    if (d->type_differs) {
        printf("%s: the message types differ\n", topic);
        return;
    }
    printf("%s: %llu of %llu messages differ", topic, (unsigned long long)d->differing,
           (unsigned long long)(d->messages[0] > d->messages[1] ? d->messages[0] : d->messages[1]));
    if (d->messages[0] != d->messages[1])
        printf(" (%llu and %llu messages)", (unsigned long long)d->messages[0], (unsigned long long)d->messages[1]);
    printf("; first at %.9g s in %s", 1e-9 * (double)d->first_time, d->first_field);
    if (d->largest > 0)
        printf("; largest %.6g%s%s in %s at %.9g s", d->largest, d->unit[0] ? " " : "", d->unit, d->largest_field,
               1e-9 * (double)d->largest_time);
    printf("\n");
}

/* Returns CLI_DONE when the channel is the same in both. */
static int compare_channel(fm_mcap_reader *a, fm_mcap_reader *b, const char *topic)
{
    fm_error error = {0};
    fm_difference d;
    const fm_mcap_channel *in_a = fm_mcap_find_channel(a, topic), *in_b = fm_mcap_find_channel(b, topic);
    if (!in_a || !in_b) {
        printf("%s: only in the %s log\n", topic, in_a ? "first" : "second");
        return CLI_FAILED;
    }
    if (fm_compare_channel(a, in_a, b, in_b, &d, &error) != FM_OK) {
        fprintf(stderr, "fathom compare: %s: %s\n", topic, error.text);
        return CLI_FAILED;
    }
    if (d.differing == 0 && !d.type_differs)
        return CLI_DONE;
    print_difference(topic, &d);
    return CLI_FAILED;
}

static int compare_all(fm_mcap_reader *a, fm_mcap_reader *b)
{
    fm_error error = {0};
    int same = 0, status = CLI_DONE;
    if (fm_compare_all(a, b, &same, &error) != FM_OK) {
        fprintf(stderr, "fathom compare: %s\n", error.text);
        return CLI_FAILED;
    }
    for (size_t i = 0; i < fm_mcap_channel_count(a) && !same; i++)
        status |= compare_channel(a, b, fm_mcap_channel_at(a, i)->topic);
    for (size_t i = 0; i < fm_mcap_channel_count(b) && !same; i++)
        if (!fm_mcap_find_channel(a, fm_mcap_channel_at(b, i)->topic))
            status |= compare_channel(a, b, fm_mcap_channel_at(b, i)->topic);
    if (status == CLI_DONE)
        printf("the same: %llu messages in %zu channels%s\n", (unsigned long long)fm_mcap_get_info(a)->messages,
               fm_mcap_channel_count(a), same ? "" : " (in another order)");
    return status;
}

static int compare_logs(fm_mcap_reader *a, fm_mcap_reader *b, const cli_words *channels)
{
    int status = CLI_DONE;
    if (channels->count == 0)
        return compare_all(a, b);
    for (size_t i = 0; i < channels->count; i++)
        if (!cli_find_channel("compare", fm_mcap_find_channel(b, channels->items[i]) ? b : a, channels->items[i]))
            return CLI_USAGE;
    for (size_t i = 0; i < channels->count; i++)
        status |= compare_channel(a, b, channels->items[i]);
    if (status == CLI_DONE)
        printf("the same in %zu channels\n", channels->count);
    return status;
}

static bool asks_for_records(const cli_compare_options *o)
{
    return o->maps.count || o->where.count || o->offset != 0 || o->align > 0 || o->rate > 0 || o->from > 0 ||
           o->to > 0 || o->time || o->json || o->out || o->overlay || !o->files[1] || !cli_is_log(o->files[0]) ||
           !cli_is_log(o->files[1]);
}

int cli_compare(int argc, char **argv)
{
    cli_compare_options o = {0};
    int status;
    if (!cli_options_read(&cli_compare_command, argc, argv, &o, &status))
        return status;
    if (asks_for_records(&o))
        return cli_compare_records(&o);
    fm_mcap_reader *a = cli_open_log("compare", o.files[0]), *b = a ? cli_open_log("compare", o.files[1]) : NULL;
    status = a && b ? compare_logs(a, b, &o.channels) : CLI_FAILED;
    fm_mcap_reader_close(a);
    fm_mcap_reader_close(b);
    return status;
}
