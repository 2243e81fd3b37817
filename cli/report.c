/* `fathom report`: one page about a run. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "log_file.h"
#include "plot/run_report.h"

static void print_help(void)
{
    printf("usage: fathom report FILE.mcap -o REPORT.html\n\n"
           "Writes one self-contained page about a recorded run: how it ended, the overview figure, metrics, events, "
           "parameters and the\n"
           "scenario with its models.\n");
}

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
    const char *file = NULL, *out = NULL;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return print_help(), CLI_DONE;
        if (!strcmp(argv[i], "-o") && i + 1 < argc)
            out = argv[++i];
        else if (argv[i][0] == '-' || file)
            return fprintf(stderr, "fathom report: what is '%s'? `fathom report --help` explains\n", argv[i]),
                   CLI_USAGE;
        else
            file = argv[i];
    }
    if (!file || !out)
        return fprintf(stderr, "fathom report: %s; `fathom report --help` explains\n",
                       file ? "where to? -o FILE is missing" : "which log?"),
               CLI_USAGE;
    return report(file, out);
}
