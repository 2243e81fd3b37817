/* `fathom compare`: two logs, channel by channel. */
#include <stdio.h>

#include "commands.h"
#include "log_file.h"
#include "telemetry/compare.h"

typedef struct compare_options {
    const char *files[2];
    cli_words channels;
} compare_options;

static const cli_option argument_table[] = {
    {"A", CLI_FIELD(compare_options, files[0]), .noun = "log", .required = true, .path = CLI_FILE, .endings = ".mcap",
     .text = "a log (MCAP)"},
    {"B", CLI_FIELD(compare_options, files[1]), .noun = "second log", .required = true, .path = CLI_FILE,
     .endings = ".mcap", .text = "another"},
    {"CHANNEL", CLI_FIELD(compare_options, channels), .noun = "channel",
     .text = "channels to compare, instead of all of them"},
};

const cli_command cli_compare_command = {
    .name = "compare",
    .section = "logs",
    .text = "two logs: largest difference per channel, first divergence",
    .about = "Compares two logs bit by bit. For each channel that differs: the first divergence, and the largest "
             "difference of two numbers.",
    CLI_ARGUMENTS(argument_table),
    .examples = "  fathom compare before.mcap after.mcap\n",
    .done = "they are the same",
    .failed = "they differ or cannot be read",
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

int cli_compare(int argc, char **argv)
{
    compare_options o = {0};
    int status;
    if (!cli_options_read(&cli_compare_command, argc, argv, &o, &status))
        return status;
    fm_mcap_reader *a = cli_open_log("compare", o.files[0]), *b = a ? cli_open_log("compare", o.files[1]) : NULL;
    status = a && b ? compare_logs(a, b, &o.channels) : CLI_FAILED;
    fm_mcap_reader_close(a);
    fm_mcap_reader_close(b);
    return status;
}
