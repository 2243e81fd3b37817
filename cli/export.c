/* `fathom export`: a log as CSV files or as one NetCDF file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "log_file.h"
#include "telemetry/export.h"

typedef struct request {
    const char *file, *csv, *netcdf;
    char **topics;
    int topic_count;
} request;

static void print_help(void)
{
    printf("usage: fathom export FILE (--csv FOLDER | --netcdf FILE.nc) [CHANNEL…]\n\n"
           "Writes the channels of a log (all of them when none is named) as CSV, a file a channel, or as NetCDF-4 "
           "after the CF\n"
           "conventions, a group a channel. Numbers are written so that they read back exactly.\n\n"
           "example: fathom export run.mcap --csv out /phoenix/odom\n");
}

static int wrong(const char *what, const char *word)
{
    fprintf(stderr, "fathom export: %s%s; `fathom export --help` explains it\n", what, word);
    return CLI_USAGE;
}

static int read_request(request *r, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char **target = !strcmp(argv[i], "--csv") ? &r->csv : !strcmp(argv[i], "--netcdf") ? &r->netcdf : NULL;
        if (target && (*target || i + 1 == argc))
            return wrong(*target ? "given twice: " : "where to? a path is missing behind ", argv[i]);
        if (target)
            *target = argv[++i];
        else if (argv[i][0] == '-')
            return wrong("unknown option ", argv[i]);
        else if (!r->file)
            r->file = argv[i];
        else
            r->topics[r->topic_count++] = argv[i];
    }
    if (!r->file)
        return wrong("which file?", "");
    if (!r->csv == !r->netcdf)
        return wrong("give one of --csv FOLDER and --netcdf FILE", "");
    return CLI_DONE;
}

static void print_note(void *context, const char *text)
{
    (void)context;
    fprintf(stderr, "fathom export: note: %s\n", text);
}

static int export_log(const request *r, fm_mcap_reader *reader)
{
    fm_error error = {0};
    fm_export_result result;
    const fm_mcap_channel **channels = calloc((size_t)r->topic_count + 1, sizeof *channels);
    int status = channels ? CLI_DONE : CLI_FAILED;
    for (int i = 0; i < r->topic_count && status == CLI_DONE; i++)
        if (!(channels[i] = cli_find_channel("export", reader, r->topics[i])))
            status = CLI_USAGE;
    fm_export_options options = {r->topic_count > 0 ? channels : NULL, (size_t)r->topic_count, print_note, NULL};
    if (status == CLI_DONE) {
        fm_status done = r->csv ? fm_export_csv(reader, r->csv, &options, &result, &error)
                                : fm_export_netcdf(reader, r->netcdf, &options, &result, &error);
        if (done == FM_OK)
            printf("%zu channels, %llu rows, %llu values to %s\n", result.channels, (unsigned long long)result.rows,
                   (unsigned long long)result.values, r->csv ? r->csv : r->netcdf);
        else
            fprintf(stderr, "fathom export: %s\n", error.text);
        status = done == FM_OK ? CLI_DONE : CLI_FAILED;
    }
    free(channels);
    return status;
}

int cli_export(int argc, char **argv)
{
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
        print_help();
        return CLI_DONE;
    }
    request r = {.topics = calloc((size_t)argc, sizeof(char *))};
    int status = r.topics ? read_request(&r, argc, argv) : CLI_FAILED;
    if (status == CLI_DONE) {
        fm_mcap_reader *reader = cli_open_log("export", r.file);
        status = reader ? export_log(&r, reader) : CLI_FAILED;
        fm_mcap_reader_close(reader);
    }
    free(r.topics);
    return status;
}
