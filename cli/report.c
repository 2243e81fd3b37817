/* `fathom report`: one page about a run. */
#include <stdio.h>

#include "commands.h"
#include "inputs.h"
#include "log_file.h"
#include "plot.h"
#include "plot/run_report.h"

typedef struct report_options {
    const char *file, *out;
} report_options;

static const cli_option argument_table[] = {
    {"FILE", CLI_FIELD(report_options, file), .noun = "log", .required = true, .path = CLI_FILE, .endings = ".mcap .nc",
     .text = "the log (MCAP), or the result of `fathom sweep` (NetCDF)"},
};

static const cli_option option_table[] = {
    {"output", 'o', CLI_FIELD(report_options, out), .value = "REPORT.html", .required = true, .path = CLI_FILE,
     .endings = ".html", .text = "where to"},
};

const cli_command cli_report_command = {
    .name = "report",
    .section = "logs",
    .text = "write an HTML page about a recorded run or a sweep",
    .about = "Writes one self-contained page about a recorded run: how it ended, the overview figure, metrics, events, "
             "parameters and the scenario with its models. For a sweep: inputs, results, and one figure per metric "
             "that differs between runs.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .main = cli_report,
};

static int report(const char *file, const char *path)
{
    fm_error error = {0};
    fm_mcap_reader *reader = cli_open_log("report", file);
    if (!reader)
        return CLI_FAILED;
    if (!cli_output_apart("report", "-o", path, file))
        return fm_mcap_reader_close(reader), CLI_USAGE;
    fm_status status = fm_run_report_save(reader, file, path, &error);
    if (status != FM_OK)
        fprintf(stderr, "fathom report: %s\n", error.text);
    fm_mcap_reader_close(reader);
    return status == FM_OK ? CLI_DONE : CLI_FAILED;
}

int cli_report(int argc, char **argv)
{
    report_options o = {0};
    int status;
    if (!cli_options_read(&cli_report_command, argc, argv, &o, &status))
        return status;
    if (!cli_is_sweep(o.file))
        return report(o.file, o.out);
    return cli_output_apart("report", "-o", o.out, o.file) ? cli_report_sweep(o.file, o.out) : CLI_USAGE;
}
