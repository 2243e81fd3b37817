/* `fathom compare`: its options, and its second half, records. */
#ifndef CLI_COMPARE_H
#define CLI_COMPARE_H

#include "analysis/archive.h"
#include "options.h"

typedef struct cli_compare_options {
    const char *files[2]; /* the second NULL: a log with an overlay */
    cli_words channels;
    cli_list maps, where;
    const char *align_by, *time, *out, *title;
    const char *overlay; /* name of the vehicle; NULL: not given */
    double offset, align, rate, from, to;
    bool json, dark;
} cli_compare_options;

/* One line of the report. */
typedef struct cli_compare_channel {
    fm_record_pair pair;
    fm_record_error error;
} cli_compare_channel;

/* Finds the series of an overlay: of a log that has one, or of a run and a record of `overlay`. Prints errors. `add` is
 * called for each pair and returns CLI_DONE or not. */
typedef int cli_compare_add(void *user, const fm_record_series *ours, const fm_record_series *theirs);
int cli_compare_overlay(const cli_compare_options *options, fm_record records[2], fm_archive archives[2],
                        cli_compare_add *add, void *user);

int cli_compare_records(const cli_compare_options *options);

/* Draws both over each other and their difference. */
fm_status cli_compare_draw(const cli_compare_options *options, const cli_compare_channel *channels, size_t count,
                           fm_error *error);

#endif
