/* `fathom compare`: what it was asked, and its second half, records. */
#ifndef CLI_COMPARE_H
#define CLI_COMPARE_H

#include "analysis/record.h"
#include "options.h"

typedef struct cli_compare_options {
    const char *files[2];
    cli_words channels;
    cli_list maps, where;
    const char *align_by, *time, *out, *title;
    double offset, align, rate, from, to;
    bool json, dark;
} cli_compare_options;

/* One line of the report. */
typedef struct cli_compare_channel {
    fm_record_pair pair;
    fm_record_error error;
} cli_compare_channel;

int cli_compare_records(const cli_compare_options *options);

/* Draws both over each other and their difference. */
fm_status cli_compare_draw(const cli_compare_options *options, const cli_compare_channel *channels, size_t count,
                           fm_error *error);

#endif
