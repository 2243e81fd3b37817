/* `fathom report`: one page about a run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask/probe.h"
#include "base/text.h"
#include "commands.h"
#include "inputs.h"
#include "log_file.h"
#include "plot.h"
#include "plot/run_report.h"
#include "repeat.h"

typedef struct report_options {
    const char *file, *out;
    cli_list metrics;
} report_options;

static const cli_option argument_table[] = {
    {"FILE", CLI_FIELD(report_options, file), .noun = "log", .required = true, .path = CLI_FILE, .endings = ".mcap .nc",
     .text = "the log (MCAP), or the result of `fathom sweep` (NetCDF)"},
};

static const cli_option option_table[] = {
    {"output", 'o', CLI_FIELD(report_options, out), .value = "REPORT.html", .required = true, .path = CLI_FILE,
     .endings = ".html", .text = "where to"},
    {"metric", CLI_FIELD(report_options, metrics), .value = "NAME=EXPRESSION",
     .text = "the value of an expression at the end of the run, 'far=max(hypot(rov.x, rov.y))' (docs/expressions.md), "
             "for which the run is repeated; may be repeated"},
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

/* --- expressions, on the repeated run --- */

typedef struct asked {
    const report_options *options;
    fm_ask_panel *panel;
    fm_run_answer list[CLI_LIST_MOST];
    fm_text texts[CLI_LIST_MOST]; /* name, text and unit, each with its 0 */
} asked;

static fm_status start(void *user, const fm_model *model, fm_error *error)
{
    asked *a = user;
    a->panel = fm_ask_panel_create(model, a->options->metrics.items, a->options->metrics.count, error);
    return a->panel ? FM_OK : error->status;
}

static void note(void *user, const fm_world *world)
{
    fm_ask_panel_note(((asked *)user)->panel, world);
}

/* The answers outlive the model. */
static void end(void *user)
{
    asked *a = user;
    for (size_t i = 0; a->panel && i < fm_ask_panel_count(a->panel); i++) {
        const fm_ask *ask = fm_ask_probe_ask(fm_ask_panel_probe(a->panel, i));
        const char *name = fm_ask_panel_name(a->panel, i), *text = fm_ask_text(ask), *unit = fm_ask_unit(ask);
        fm_text_add(&a->texts[i], "%s%c%s%c%s", name, 0, text, 0, unit);
        const char *kept = a->texts[i].failed ? "" : a->texts[i].data;
        a->list[i] = (fm_run_answer){.name = kept,
                                     .text = a->texts[i].failed ? "" : kept + strlen(name) + 1,
                                     .unit = a->texts[i].failed ? "" : kept + strlen(name) + strlen(text) + 2,
                                     .condition = fm_ask_is_condition(ask),
                                     .value = fm_ask_panel_value(a->panel, i)};
    }
    fm_ask_panel_free(a->panel);
    a->panel = NULL;
}

static int write_report(const report_options *o, fm_mcap_reader *reader, asked *a)
{
    fm_error error = {0};
    const cli_repeat_watch watch = {start, note, end, a};
    const fm_run_answers answers = {a->list, o->metrics.count};
    if (o->metrics.count && !cli_repeat_watched("report", o->file, reader, &watch))
        return CLI_FAILED;
    if (fm_run_report_save(reader, &answers, o->file, o->out, &error) == FM_OK)
        return CLI_DONE;
    return fprintf(stderr, "fathom report: %s\n", error.text), CLI_FAILED;
}

static int report(const report_options *o)
{
    asked *a = calloc(1, sizeof *a);
    fm_mcap_reader *reader = a ? cli_open_log("report", o->file) : NULL;
    int code = CLI_FAILED;
    if (reader) {
        *a = (asked){.options = o};
        code = cli_output_apart("report", "-o", o->out, o->file) ? write_report(o, reader, a) : CLI_USAGE;
    }
    for (size_t i = 0; a && i < CLI_LIST_MOST; i++)
        fm_text_free(&a->texts[i]);
    fm_mcap_reader_close(reader);
    free(a);
    return code;
}

int cli_report(int argc, char **argv)
{
    report_options o = {0};
    int status;
    if (!cli_options_read(&cli_report_command, argc, argv, &o, &status))
        return status;
    if (!cli_is_sweep(o.file))
        return report(&o);
    if (o.metrics.count)
        return fprintf(stderr, "fathom report: --metric is for logs: the results of a sweep are those that it wrote\n"),
               CLI_USAGE;
    return cli_output_apart("report", "-o", o.out, o.file) ? cli_report_sweep(o.file, o.out) : CLI_USAGE;
}
