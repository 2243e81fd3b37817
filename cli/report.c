/* `fathom report`: one page about a run. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "log_file.h"
#include "plot/run_report.h"

typedef struct report_options {
    const char *file, *out;
} report_options;

static const cli_option argument_table[] = {
    {"FILE", CLI_FIELD(report_options, file), .noun = "log", .required = true, .path = CLI_FILE, .endings = ".mcap",
     .text = "the log (MCAP)"},
};

static const cli_option option_table[] = {
    {"output", 'o', CLI_FIELD(report_options, out), .value = "REPORT.html", .required = true, .path = CLI_FILE,
     .endings = ".html", .text = "where to"},
};

const cli_command cli_report_command = {
    .name = "report",
    .section = "logs",
    .text = "a page about a recorded run",
    .about = "Writes one self-contained page about a recorded run: how it ended, the overview figure, metrics, events, "
             "parameters and the scenario with its models.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .main = cli_report,
};

static int write_page(const char *path, const fm_text *page)
{
    FILE *out = fopen(path, "wb");
    if (out && fwrite(page->data, 1, page->length, out) == page->length && fclose(out) == 0)
        return CLI_DONE;
    fprintf(stderr, "fathom report: %s: %s\n", path, strerror(errno));
    return CLI_FAILED;
}

static int report(const char *file, const char *path)
{
    fm_error error = {0};
    fm_text page = {0};
    fm_run_data run;
    fm_mcap_reader *reader = cli_open_log("report", file);
    if (!reader)
        return CLI_FAILED;
    int code = CLI_FAILED;
    if (fm_run_data_read(reader, &run, &error) == FM_OK &&
        fm_run_report_write(reader, &run, file, &page, &error) == FM_OK)
        code = write_page(path, &page);
    else
        fprintf(stderr, "fathom report: %s: %s\n", file, error.text);
    fm_text_free(&page);
    fm_run_data_free(&run);
    fm_mcap_reader_close(reader);
    return code;
}

int cli_report(int argc, char **argv)
{
    report_options o = {0};
    int status;
    if (!cli_options_read(&cli_report_command, argc, argv, &o, &status))
        return status;
    return report(o.file, o.out);
}
