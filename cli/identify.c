/* `fathom identify`: parameters of a scenario from records. */
#include "identify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "commands.h"
#include "inputs.h"
#include "interrupt.h"
#include "progress.h"

static const cli_choice starts[] = {
    {"auto", FM_FIT_AUTO}, {"scenario", FM_FIT_SCENARIO}, {"data", FM_FIT_DATA}, {"state", FM_FIT_STATE}, {0}};
static const cli_choice losses[] = {{"square", FM_FIT_SQUARE}, {"huber", FM_FIT_HUBER}, {"cauchy", FM_FIT_CAUCHY}, {0}};

static const cli_option argument_table[] = {
    {"FILE", CLI_FIELD(cli_identify_options, scenario.file), .noun = "scenario", .required = true, .path = CLI_FILE,
     .endings = ".xml", .text = "the scenario: a file, or a name listed by `fathom scenarios`"},
};

static const cli_option option_table[] = {
    {"data", CLI_FIELD(cli_identify_options, data), .section = "what is known", .value = "FILE", .required = true,
     .path = CLI_FILE, .endings = ".mcap .csv .nc",
     .text = "a record: a log (MCAP), a table (CSV) or NetCDF; may be repeated. The inputs of a log are applied to the "
             "runs, as in `fathom replay`"},
    {"map", CLI_FIELD(cli_identify_options, maps), .value = "OURS=THEIRS[*FACTOR][+SHIFT]",
     .text = "compare the quantity OURS of the run (VEHICLE.u, or any column of `fathom run --csv`) with THEIRS of the "
             "records (a column, or CHANNEL.FIELD of a log), times FACTOR and plus SHIFT (default: from the units). "
             "Default: columns with the same name, and in a log the velocities and the depth of /VEHICLE/odom"},
    {"input", CLI_FIELD(cli_identify_options, inputs), .value = "OURS=THEIRS[*FACTOR][+SHIFT]",
     .text = "recorded controls: OURS is VEHICLE.ACTUATOR (an order), VEHICLE.heading, depth or speed (a setpoint of "
             "its autopilot), or a number of its pose (VEHICLE.theta) that follows the record; may be repeated"},
    {"sigma", CLI_FIELD(cli_identify_options, sigmas), .value = "OURS=DEVIATION",
     .text = "standard deviation of the noise of a quantity, with a unit; default: from the residuals"},
    {"time-column", CLI_FIELD(cli_identify_options, time), .value = "COLUMN", .text = "time column of a table"},
    {"where", CLI_FIELD(cli_identify_options, where), .value = "COLUMN=NUMBER",
     .text = "use only rows of tables in which the column has this number"},
    {"between", CLI_FIELD(cli_identify_options, between), .value = "THEIRS=A:B",
     .text = "compare only while a series of the record is between two numbers"},
    {"from", CLI_FIELD(cli_identify_options, from), .value = "S", .unit = "s", .min = -1e12, .max = 1e12,
     .text = "ignore everything before this time of the record. Except for logs, the run starts there"},
    {"to", CLI_FIELD(cli_identify_options, to), .value = "S", .unit = "s", .min = -1e12, .max = 1e12,
     .text = "ignore everything after this time"},
    {"skip", CLI_FIELD(cli_identify_options, skip), .value = "A:B",
     .text = "ignore everything between two times; may be repeated"},
    {"fit", CLI_FIELD(cli_identify_options, fit), .section = "parameters", .value = "PATH[=LOW:HIGH]", .required = true,
     .text = "a parameter (see `fathom params FILE`), optionally with bounds and their unit; it starts at the value of "
             "the scenario and --set; may be repeated"},
    {"prior", CLI_FIELD(cli_identify_options, priors), .value = "PATH~normal(M,S)",
     .text = "what is known of a fitted parameter before: normal with mean M and standard deviation S, followed by the "
             "unit; may be repeated"},
    {"bias", CLI_FIELD(cli_identify_options, biases), .value = "OURS[~normal(M,S)]",
     .text = "estimate a constant by which the instrument of a compared quantity reads too much; may be repeated"},
    {"delay", CLI_FIELD(cli_identify_options, delays), .value = "OURS[~normal(M,S)]",
     .text = "estimate the time in s by which a compared quantity is recorded late; 'record': all quantities of each "
             "record together; may be repeated"},
    {"set", CLI_FIELD(cli_identify_options, scenario.sets), .value = "PATH=VALUE",
     .text = "set a parameter in all runs; may be repeated"},
    {"start", CLI_FIELD(cli_identify_options, start), .choices = starts, .fallback = "auto",
     .text = "scenario: runs start as in the scenario. data: as in the record, and the true start is estimated too. "
             "state: as data, and unrecorded numbers of the pose are also estimated in each segment. auto: data with "
             "--segment, else scenario"},
    {"segment", CLI_FIELD(cli_identify_options, segment), .value = "S", .unit = "s", .min = 1e-3, .max = 1e9,
     .text = "restart from the record after this time, so errors do not accumulate: for long records without control"},
    {"check", CLI_FIELD(cli_identify_options, check), .value = "PERCENT", .min = 0, .max = 90, .fallback = "25",
     .text = "part at the end of each record that is not fitted but predicted"},
    {"iterations", CLI_FIELD(cli_identify_options, iterations), .value = "N", .min = 1, .max = 10000, .fallback = "50",
     .text = "at most"},
    {"loss", CLI_FIELD(cli_identify_options, loss), .choices = losses, .fallback = "square",
     .text = "how residuals count: square, or for records with outliers huber (linear beyond 1.345 times the noise) or "
             "cauchy (far outliers do nothing)"},
    {"searches", CLI_FIELD(cli_identify_options, searches), .value = "N", .min = 1, .max = FM_FIT_SEARCHES_MOST,
     .text = "search from this number of starting points (a Latin hypercube over the bounds, or from a quarter of the "
             "start to four times it) and keep the best result. Default: 1, and 8 if its intervals cannot be trusted"},
    {"json", CLI_FIELD(cli_identify_options, json), .section = "results", .text = "one JSON object instead of text"},
    {"csv", CLI_FIELD(cli_identify_options, csv), .value = "FILE", .path = CLI_FILE, .endings = ".csv",
     .text = "write every row: recorded, fitted, residual"},
    {"save", CLI_FIELD(cli_identify_options, save), .value = "FILE", .path = CLI_FILE, .endings = ".xml",
     .text = "write the scenario with the values found, as one file with all models"},
    {"set-list", CLI_FIELD(cli_identify_options, set_list), .value = "FILE", .path = CLI_FILE,
     .text = "write one --set PATH=VALUE per line, for `xargs -a FILE fathom run SCENARIO`"},
    {"resume", CLI_FIELD(cli_identify_options, resume),
     .text = "continue an interrupted fit with the same output files: its runs are not repeated, and the result is the "
             "same"},
    {"output", 'o', CLI_FIELD(cli_identify_options, out), .value = "FILE", .path = CLI_FILE,
     .endings = ".html .svg .png .pdf", .checked = true,
     .text = "draw data, fit and residuals; .html is a page that also has the numbers"},
    {"dark", CLI_FIELD(cli_identify_options, dark), .needs = "output", .text = "light text on a dark background"},
    {"title", CLI_FIELD(cli_identify_options, title), .value = "TEXT", .needs = "output",
     .text = "title of the figure"},
    {"threads", CLI_FIELD(cli_identify_options, threads), .section = "how", .value = "N", .min = 1, .max = 1024,
     .text = "number of threads; the results do not depend on it. Default: one per processor"},
    {"quiet", CLI_FIELD(cli_identify_options, quiet), .text = "no progress"},
};

const cli_command cli_identify_command = {
    .name = "identify",
    .section = "simulate",
    .text = "find coefficients of a model from recorded runs, with intervals",
    .about = "Finds the parameter values with which runs of a scenario best follow the records: Levenberg–Marquardt "
             "least squares, with derivatives from runs in parallel on all cores. The runs receive the recorded "
             "inputs. Each value has a 95 % interval; parameters that the records do not determine are "
             "reported.\n\nThe end of each record is not fitted but predicted, as a check. See docs/identify.md.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .examples = "  fathom identify phoenix-turn --data turn.mcap --fit /phoenix/hydrodynamics/X_u_absu --fit "
                "/phoenix/hydrodynamics/Y_uv\n"
                "  fathom identify tank.xml --data tank.csv --map rov.u=surge --input rov.front=command --fit "
                "/rov/drag/X_u_absu=-200:0 -o fit.html\n",
    .done = "values were found",
    .failed = "something cannot be read or run, or the search did not converge",
    .doubtful = "values were found, but they or their intervals cannot be trusted",
    .interrupted = "nothing is written; --resume continues",
    .main = cli_identify,
};

typedef struct identify_case {
    const cli_identify_options *o;
    fm_model *model;
    fm_fit *fit;
    atomic_int stop;
    bool visible;
} identify_case;

/* --- outputs --- */

/* Each file that is written, and its option. */
static size_t list_outputs(const cli_identify_options *o, const char **outs, const char **names)
{
    const char *const all[] = {o->csv, o->save, o->set_list, o->out};
    static const char *const options[] = {"--csv", "--save", "--set-list", "--output"};
    size_t count = 0;
    for (size_t i = 0; i < 4; i++)
        if (all[i]) {
            outs[count] = all[i];
            names[count++] = options[i];
        }
    return count;
}

static bool outputs_apart(const identify_case *c)
{
    const char *outs[4], *names[4];
    const size_t count = list_outputs(c->o, outs, names);
    for (size_t k = 0; k < count; k++) {
        if (!cli_output_apart_from_model("identify", names[k], outs[k], c->model))
            return false;
        for (size_t i = 0; i < c->o->data.count; i++)
            if (!cli_output_apart("identify", names[k], outs[k], c->o->data.items[i]))
                return false;
        for (size_t i = 0; i < k; i++)
            if (!cli_outputs_apart("identify", names[i], outs[i], names[k], outs[k]))
                return false;
    }
    return true;
}

static bool outputs_ready(const identify_case *c)
{
    const char *outs[4], *names[4];
    const size_t count = list_outputs(c->o, outs, names);
    for (size_t k = 0; k < count; k++)
        if (!cli_output_ready("identify", names[k], outs[k]))
            return false;
    return true;
}

/* --- the fit --- */

static int tell(void *user, int iteration, double misfit, const double *values)
{
    const identify_case *c = user;
    (void)values;
    if (c->visible)
        cli_progress("  iteration %d: misfit %.6g", iteration, misfit);
    return 0;
}

static void print_line(void *user, const char *text)
{
    (void)user;
    fprintf(stderr, "fathom identify: note: %s\n", text);
}

static bool write_results(const identify_case *c)
{
    static const struct {
        const char *name;
        fm_status (*write)(const cli_identify_options *options, const fm_fit *fit, fm_error *error);
    } writers[] = {{"--csv", cli_identify_table},
                   {"--save", cli_identify_save},
                   {"--set-list", cli_identify_list},
                   {"--output", cli_identify_draw}};
    const char *const asked[] = {c->o->csv, c->o->save, c->o->set_list, c->o->out};
    bool fine = true;
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        fm_error error = {0};
        if (asked[i] && writers[i].write(c->o, c->fit, &error) != FM_OK)
            fine = (fprintf(stderr, "fathom identify: %s %s\n", writers[i].name, error.text), false);
    }
    return fine;
}

static int finish(identify_case *c)
{
    fm_fit *fit = c->fit;
    const int code = !fit->converged ? CLI_FAILED : fit->doubts ? CLI_DOUBTFUL : CLI_DONE;
    cli_identify_print(c->o, fit);
    fflush(stdout);
    if (!c->o->json)
        fm_fit_remark(fit, print_line, NULL);
    if (!fit->converged)
        fprintf(stderr, "fathom identify: the search did not converge: %s\n", fit->ended);
    const bool written = write_results(c);
    fm_rows_close(&fit->journal, written);
    return written ? code : CLI_FAILED;
}

static fm_fit *create(identify_case *c, fm_error *error)
{
    const cli_identify_options *o = c->o;
    const char *outs[4], *names[4];
    char journal[4096];
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const fm_load_options load = {.set = o->scenario.sets.items, .set_count = o->scenario.sets.count};
    const bool written = list_outputs(o, outs, names) > 0;
    if (written)
        fm_text_print(journal, sizeof journal, "%s.journal", outs[0]);
    const fm_fit_options options = {
        .size = sizeof options,
        .load = &load,
        .parameters = o->fit.items,
        .parameter_count = o->fit.count,
        .priors = o->priors.items,
        .prior_count = o->priors.count,
        .records = o->data.items,
        .record_count = o->data.count,
        .maps = o->maps.items,
        .map_count = o->maps.count,
        .inputs = o->inputs.items,
        .input_count = o->inputs.count,
        .sigmas = o->sigmas.items,
        .sigma_count = o->sigmas.count,
        .biases = o->biases.items,
        .bias_count = o->biases.count,
        .delays = o->delays.items,
        .delay_count = o->delays.count,
        .loss = (fm_fit_loss)o->loss,
        .time_column = o->time,
        .where = o->where.items,
        .where_count = o->where.count,
        .betweens = o->between.items,
        .between_count = o->between.count,
        .skips = o->skip.items,
        .skip_count = o->skip.count,
        .from_given = !isnan(o->from),
        .to_given = !isnan(o->to),
        .from = o->from,
        .to = o->to,
        .start = (fm_fit_start)o->start,
        .segment = o->segment,
        .check = o->check / 100,
        .threads = (int)(o->threads > 0   ? o->threads
                         : processors > 0 ? processors
                                          : 1),
        .iterations = (int)o->iterations,
        .searches = (int)o->searches,
        .journal = written ? journal : NULL,
        .resume = o->resume,
        .progress = tell,
        .user = c,
    };
    return fm_fit_create(c->model, &options, error);
}

static int fit_model(identify_case *c)
{
    fm_error error = {0};
    if (!(c->fit = create(c, &error))) {
        fprintf(stderr, "fathom identify: %s\n", error.text);
        return error.status == FM_ERR_SYNTAX && !error.file[0] && strncmp(error.text, "--", 2) == 0 ? CLI_USAGE
                                                                                                    : CLI_FAILED;
    }
    if (c->fit->warning[0])
        fprintf(stderr, "fathom identify: warning: %s\n", c->fit->warning);
    if (!outputs_ready(c))
        return CLI_FAILED;
    cli_interrupt_tell(&c->fit->stop);
    fm_status status = fm_fit_solve(c->fit, &error);
    cli_interrupt_tell(NULL);
    if (c->visible)
        cli_progress_clear();
    if (status == FM_OK)
        return finish(c);
    fprintf(stderr, "fathom identify: %s%s\n", error.text,
            cli_interrupt_signal() && c->fit->journal.file >= 0 ? "; --resume continues it" : "");
    if (!cli_interrupt_signal())
        fm_rows_close(&c->fit->journal, c->fit->journal.file >= 0); /* it would fail again */
    return cli_interrupt_signal() ? 128 + cli_interrupt_signal() : CLI_FAILED;
}

int cli_identify(int argc, char **argv)
{
    cli_identify_options o = {.from = NAN, .to = NAN};
    const char *outs[4], *names[4];
    int status;
    if (!cli_options_read(&cli_identify_command, argc, argv, &o, &status))
        return status;
    cli_interrupt_watch();
    if (o.resume && !list_outputs(&o, outs, names))
        return fprintf(stderr, "fathom identify: --resume needs the --csv, --save, --set-list or --output of the "
                               "interrupted fit\n"),
               CLI_USAGE;
    identify_case c = {.o = &o, .visible = isatty(STDERR_FILENO) && !o.quiet};
    int code = (c.model = cli_load(&o.scenario)) ? CLI_DONE : CLI_FAILED;
    if (code == CLI_DONE)
        code = outputs_apart(&c) ? fit_model(&c) : CLI_USAGE;
    fm_fit_free(c.fit);
    fm_model_free(c.model);
    return code;
}
