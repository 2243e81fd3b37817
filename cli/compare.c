/* `fathom compare`: two logs, channel by channel. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "log_file.h"
#include "telemetry/compare.h"

static void print_help(void)
{
    printf("usage: fathom compare A.mcap B.mcap [CHANNEL…]\n\n"
           "Compares two logs bit by bit. For each channel that differs: the first divergence, and the largest "
           "difference of two\n"
           "numbers. Exit status 0 when they are the same, 1 when they differ or cannot be read.\n");
}

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

static int compare_logs(fm_mcap_reader *a, fm_mcap_reader *b, int count, char **topics)
{
    int status = CLI_DONE;
    if (count == 0)
        return compare_all(a, b);
    for (int i = 0; i < count; i++)
        if (!cli_find_channel("compare", fm_mcap_find_channel(b, topics[i]) ? b : a, topics[i]))
            return CLI_USAGE;
    for (int i = 0; i < count; i++)
        status |= compare_channel(a, b, topics[i]);
    if (status == CLI_DONE)
        printf("the same in %d channels\n", count);
    return status;
}

int cli_compare(int argc, char **argv)
{
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
        print_help();
        return CLI_DONE;
    }
    if (argc < 3 || argv[1][0] == '-' || argv[2][0] == '-') {
        fprintf(stderr, "fathom compare: two files are needed; `fathom compare --help` explains it\n");
        return CLI_USAGE;
    }
    fm_mcap_reader *a = cli_open_log("compare", argv[1]), *b = a ? cli_open_log("compare", argv[2]) : NULL;
    int status = a && b ? compare_logs(a, b, argc - 3, argv + 3) : CLI_FAILED;
    fm_mcap_reader_close(a);
    fm_mcap_reader_close(b);
    return status;
}
