/* `fathom compare` of telemetry of a real vehicle: the overlay in a log, or a run and a record. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare.h"
#include "log_file.h"
#include "overlay.h"
#include "telemetry/overlay.h"

static bool has_values(const fm_record_series *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (isfinite(s->y[i]))
            return true;
    return false;
}

/* --- a log with an overlay --- */

/* Whether a topic belongs to a part of an overlay, such as "model"; *vehicle: its vehicle. */
static bool is_part(const char *topic, const char *part, const char **vehicle, size_t *length)
{
    size_t prefix = strlen(FM_OVERLAY_PREFIX), whole = strlen(topic), tail = strlen(part) + 1;
    if (whole <= prefix + tail || strncmp(topic, FM_OVERLAY_PREFIX, prefix) != 0 || topic[whole - tail] != '/' ||
        strcmp(topic + whole - tail + 1, part) != 0)
        return false;
    *vehicle = topic + prefix;
    *length = whole - prefix - tail;
    return true;
}

static bool is_wanted(const cli_compare_options *o, const char *vehicle, size_t length)
{
    return !o->overlay || (strlen(o->overlay) == length && strncmp(o->overlay, vehicle, length) == 0);
}

static int read_part(const cli_compare_options *o, fm_mcap_reader *log, const char *part, fm_record *record)
{
    const char *topics[CLI_LIST_MOST], *vehicle;
    size_t count = 0, length;
    fm_error error = {0};
    for (size_t i = 0; i < fm_mcap_channel_count(log) && count < CLI_LIST_MOST; i++) {
        const char *topic = fm_mcap_channel_at(log, i)->topic;
        if (is_part(topic, part, &vehicle, &length) && is_wanted(o, vehicle, length))
            topics[count++] = topic;
    }
    if (!count)
        return fprintf(stderr,
                       "fathom compare: %s contains no telemetry of %s (fathom run --overlay); to compare it with "
                       "another record, name that too\n",
                       o->files[0], o->overlay ? o->overlay : "a real vehicle"),
               CLI_FAILED;
    if (fm_record_read_log(record, log, o->files[0], NULL, 0, topics, count, &error) != FM_OK)
        return fprintf(stderr, "fathom compare: %s\n", error.text), CLI_FAILED;
    return CLI_DONE;
}

/* "/overlay/auv/model.depth" and "/overlay/auv/measured.depth" */
static int pair_fields(fm_record records[2], cli_compare_add *add, void *user)
{
    int code = CLI_DONE;
    char name[300];
    for (size_t i = 0; i < records[0].count && code == CLI_DONE; i++) {
        const fm_record_series *ours = &records[0].series[i];
        const char *field = strrchr(ours->name, '.'), *slash = strrchr(ours->name, '/');
        if (!field || !slash || field < slash)
            continue;
        snprintf(name, sizeof name, "%.*s/measured%s", (int)(slash - ours->name), ours->name, field);
        const fm_record_series *theirs = fm_record_find(&records[1], name);
        if (theirs && has_values(theirs))
            code = add(user, ours, theirs);
    }
    return code;
}

static int pair_log(const cli_compare_options *o, fm_record records[2], cli_compare_add *add, void *user)
{
    static const char *const parts[2] = {"model", "measured"};
    fm_mcap_reader *log = cli_is_log(o->files[0]) ? cli_open_log("compare", o->files[0]) : NULL;
    int code = log ? CLI_DONE : CLI_FAILED;
    if (!cli_is_log(o->files[0]))
        fprintf(stderr,
                "fathom compare: compare %s with which other record? (a log with an overlay is compared alone)\n",
                o->files[0]);
    for (int i = 0; i < 2 && code == CLI_DONE; i++)
        code = read_part(o, log, parts[i], &records[i]);
    fm_mcap_reader_close(log);
    return code == CLI_DONE ? pair_fields(records, add, user) : code;
}

/* --- a run and a record --- */

static int pair_archives(const cli_compare_options *o, fm_archive archives[2], cli_compare_add *add, void *user)
{
    static const cli_overlays none = {0};
    const cli_overlays theirs = {.maps = o->maps, .time = o->time, .where = o->where};
    fm_geodetic position;
    const fm_geodetic *origin = cli_log_origin(o->files[0], &position) ? &position : NULL;
    int code = CLI_DONE, found = 0;
    if (!cli_archive_read("compare", &none, o->overlay, o->files[0], origin, &archives[0]) ||
        !cli_archive_read("compare", &theirs, o->overlay, o->files[1], origin, &archives[1]))
        return CLI_FAILED;
    for (int i = 0; i < FM_KINEMATICS_COUNT && code == CLI_DONE; i++)
        if (archives[0].series[i].count && archives[1].series[i].count) {
            code = add(user, &archives[0].series[i], &archives[1].series[i]);
            found = 1;
        }
    if (!found && code == CLI_DONE)
        return fprintf(stderr, "fathom compare: %s and %s have no quantity of motion in common\n", o->files[0],
                       o->files[1]),
               CLI_FAILED;
    return code;
}

int cli_compare_overlay(const cli_compare_options *o, fm_record records[2], fm_archive archives[2],
                        cli_compare_add *add, void *user)
{
    return o->files[1] ? pair_archives(o, archives, add, user) : pair_log(o, records, add, user);
}
