/* `fathom identify`: parameters of a scenario from records. */
#include "identify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/units.h"
#include "commands.h"
#include "inputs.h"
#include "interrupt.h"
#include "log_file.h"
#include "mapping.h"
#include "progress.h"
#include "run/log_inputs.h"

enum { SOURCES_MOST = 64, DEFAULTS = 10 };

static const cli_choice starts[] = {{"auto", CLI_START_AUTO},
                                    {"scenario", CLI_START_SCENARIO},
                                    {"data", CLI_START_DATA},
                                    {"state", CLI_START_STATE},
                                    {0}};

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
    {"searches", CLI_FIELD(cli_identify_options, searches), .value = "N", .min = 1, .max = FM_FIT_SEARCHES_MOST,
     .text = "search from this number of starting points (a Latin hypercube over the bounds, or from a quarter of the "
             "start to four times it) and keep the best result. Default: 1, and 8 if its intervals cannot be trusted"},
    {"json", CLI_FIELD(cli_identify_options, json), .section = "results", .text = "one JSON object instead of text"},
    {"csv", CLI_FIELD(cli_identify_options, csv), .value = "FILE", .path = CLI_FILE, .endings = ".csv",
     .text = "write every row: recorded, fitted, residual"},
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
    .doubtful = "values were found, but their intervals cannot be trusted",
    .interrupted = "nothing is written",
    .main = cli_identify,
};

/* --- what was asked --- */

typedef struct identify_case {
    const cli_identify_options *o;
    fm_model *model;
    fm_record records[SOURCES_MOST];
    fm_input *logged[SOURCES_MOST];
    fm_fit_source sources[SOURCES_MOST];
    size_t source_count;
    cli_mapping maps[FM_FIT_LINKS], inputs[FM_FIT_LINKS];
    fm_fit_link channels[FM_FIT_LINKS], steers[FM_FIT_LINKS];
    size_t channel_count, input_count;
    char names[2 * DEFAULTS][256]; /* of what is compared without --map */
    fm_fit_gate gates[FM_FIT_LINKS];
    char gate_names[FM_FIT_LINKS][160];
    double skips[CLI_LIST_MOST][2];
    atomic_int stop;
    bool visible;
} identify_case;

static int read_maps(const cli_list *words, const char *option, cli_mapping *maps, fm_fit_link *links, size_t *count)
{
    if (words->count > FM_FIT_LINKS)
        return fprintf(stderr, "fathom identify: %s: at most %d\n", option, FM_FIT_LINKS), CLI_USAGE;
    for (size_t i = 0; i < words->count; i++) {
        if (cli_mapping_read("identify", option, words->items[i], &maps[i]) != CLI_DONE)
            return CLI_USAGE;
        links[i] = (fm_fit_link){maps[i].ours, maps[i].theirs, maps[i].factor, maps[i].shift, maps[i].scaled, 0};
        *count = i + 1;
    }
    return CLI_DONE;
}

/* "A:B" */
static bool read_two(const char *text, double *low, double *high)
{
    return fm_text_number_read(&text, low) && *text++ == ':' && fm_text_number_read(&text, high) && !*text &&
           *low <= *high;
}

static int read_ranges(identify_case *c)
{
    for (size_t i = 0; i < c->o->skip.count; i++)
        if (!read_two(c->o->skip.items[i], &c->skips[i][0], &c->skips[i][1]))
            return fprintf(stderr, "fathom identify: --skip %s: must be A:B, two times in s\n", c->o->skip.items[i]),
                   CLI_USAGE;
    for (size_t i = 0; i < c->o->between.count; i++) {
        const char *text = c->o->between.items[i], *sign = strchr(text, '=');
        fm_fit_gate *g = &c->gates[i];
        if (!sign || (size_t)(sign - text) >= sizeof c->gate_names[0] || i == FM_FIT_LINKS ||
            !read_two(sign + 1, &g->low, &g->high))
            return fprintf(stderr, "fathom identify: --between %s: must be THEIRS=A:B, at most %d of them\n", text,
                           FM_FIT_LINKS),
                   CLI_USAGE;
        snprintf(c->gate_names[i], sizeof c->gate_names[0], "%.*s", (int)(sign - text), text);
        g->theirs = c->gate_names[i];
    }
    return CLI_DONE;
}

/* "glider.z=5 cm": in SI. */
static int read_sigmas(identify_case *c)
{
    for (size_t i = 0; i < c->o->sigmas.count; i++) {
        const char *word = c->o->sigmas.items[i], *sign = strchr(word, '='), *at = sign ? sign + 1 : word;
        double value;
        fm_unit unit;
        fm_fit_link *found = NULL;
        for (size_t k = 0; sign && k < c->channel_count; k++)
            if (strlen(c->channels[k].ours) == (size_t)(sign - word) &&
                !strncmp(c->channels[k].ours, word, (size_t)(sign - word)))
                found = &c->channels[k];
        if (!found || !fm_text_number_read(&at, &value) || !(value > 0) ||
            fm_unit_parse(at + strspn(at, " "), &unit, NULL) != FM_OK)
            return fprintf(stderr,
                           "fathom identify: --sigma %s: must be OURS=DEVIATION of a quantity that is compared, "
                           "greater than 0\n",
                           word),
                   CLI_USAGE;
        found->sigma = value * unit.num / unit.den;
    }
    return CLI_DONE;
}

/* --- records --- */

/* Names of the required fields of a log; every number of it without a mapping. */
static fm_status read_log(identify_case *c, const char *file, fm_mcap_reader *reader, fm_error *error)
{
    const char *names[3 * FM_FIT_LINKS + DEFAULTS];
    size_t count = 0;
    fm_fit_source *s = &c->sources[c->source_count];
    for (size_t i = 0; i < c->channel_count; i++)
        names[count++] = c->channels[i].theirs;
    for (size_t i = 0; i < c->input_count; i++)
        names[count++] = c->steers[i].theirs;
    for (size_t i = 0; i < c->o->between.count; i++)
        names[count++] = c->gates[i].theirs;
    fm_status status = fm_record_read_log(&c->records[c->source_count], reader, file, names, count, NULL, 0, error);
    if (status == FM_OK)
        status = fm_log_inputs_read(reader, &c->logged[c->source_count], &s->input_count, error);
    s->inputs = c->logged[c->source_count];
    s->is_run = true;
    return status;
}

static int read_record(identify_case *c, const char *file)
{
    fm_error error = {0};
    fm_status status;
    if (c->source_count == SOURCES_MOST)
        return fprintf(stderr, "fathom identify: --data: at most %d records\n", SOURCES_MOST), CLI_USAGE;
    if (cli_is_log(file)) {
        fm_mcap_reader *reader = cli_open_log("identify", file);
        if (!reader)
            return CLI_FAILED;
        status = read_log(c, file, reader, &error);
        fm_mcap_reader_close(reader);
    } else {
        fm_record_options options = {c->o->time, c->o->where.items, c->o->where.count};
        status = fm_record_read_file(&c->records[c->source_count], file, &options, &error);
    }
    c->sources[c->source_count].record = &c->records[c->source_count];
    c->source_count++;
    if (status != FM_OK)
        fprintf(stderr, "fathom identify: %s\n", error.text);
    return status == FM_OK ? CLI_DONE : CLI_FAILED;
}

/* Without --map: the velocities and the depth of the vehicle whose parameters are fitted; for tables also other columns
 * with a known name. */
static const struct {
    const char *ours, *field;
} usual[] = {{"u", "twist.twist.linear.forward"},
             {"v", "twist.twist.linear.starboard"},
             {"w", "twist.twist.linear.down"},
             {"p", "twist.twist.angular.roll"},
             {"q", "twist.twist.angular.pitch"},
             {"r", "twist.twist.angular.yaw"},
             {"z", "pose.pose.position.down"},
             {"phi", NULL},
             {"theta", NULL},
             {"psi", NULL}};

static void name_usual(identify_case *c, bool of_log)
{
    char vehicle[64];
    const char *path = c->o->fit.items[0];
    path += *path == '/';
    snprintf(vehicle, sizeof vehicle, "%.*s", (int)strcspn(path, "/=."), path);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        char *ours = c->names[2 * i], *theirs = c->names[2 * i + 1];
        snprintf(ours, sizeof c->names[0], "%s.%s", vehicle, usual[i].ours);
        if (of_log && usual[i].field)
            snprintf(theirs, sizeof c->names[0], "/%s/odom.%s", vehicle, usual[i].field);
        else
            snprintf(theirs, sizeof c->names[0], "%s", usual[i].ours);
        if (of_log ? usual[i].field != NULL : fm_record_find(&c->records[0], theirs) != NULL)
            c->channels[c->channel_count++] = (fm_fit_link){ours, theirs, 1, 0, false, 0};
    }
}

static int read_records(identify_case *c)
{
    bool of_log = cli_is_log(c->o->data.items[0]), asked = c->channel_count > 0;
    int code = CLI_DONE;
    if (!asked && of_log)
        name_usual(c, true);
    for (size_t i = 0; i < c->o->data.count && code == CLI_DONE; i++)
        code = read_record(c, c->o->data.items[i]);
    if (code == CLI_DONE && !asked && !of_log)
        name_usual(c, false);
    if (code == CLI_DONE && !c->channel_count) {
        fprintf(stderr,
                "fathom identify: %s has none of the columns u, v, w, p, q, r, z, phi, theta, psi; map them with --map "
                "OURS=THEIRS\n",
                c->o->data.items[0]);
        return CLI_USAGE;
    }
    return code;
}

/* --- the fit --- */

static void tell(void *user, int iteration, double misfit, const double *values)
{
    identify_case *c = user;
    (void)values;
    if (c->visible)
        cli_progress("  iteration %d: misfit %.6g", iteration, misfit);
}

static void print_line(void *user, const char *text)
{
    (void)user;
    fprintf(stderr, "fathom identify: note: %s\n", text);
}

static bool outputs_apart(const identify_case *c)
{
    const char *outs[] = {c->o->out, c->o->csv}, *names[] = {"--output", "--csv"};
    for (int k = 0; k < 2; k++) {
        if (outs[k] && !cli_output_apart_from_model("identify", names[k], outs[k], c->model))
            return false;
        for (size_t i = 0; outs[k] && i < c->o->data.count; i++)
            if (!cli_output_apart("identify", names[k], outs[k], c->o->data.items[i]))
                return false;
    }
    return cli_outputs_apart("identify", names[0], outs[0], names[1], outs[1]);
}

static int finish(const identify_case *c, const fm_fit *fit)
{
    fm_error error = {0};
    int code = !fit->converged ? CLI_FAILED : fit->doubts ? CLI_DOUBTFUL : CLI_DONE;
    cli_identify_print(c->o, fit);
    fflush(stdout);
    if (!c->o->json)
        cli_identify_warn(fit, print_line, NULL);
    if (!fit->converged)
        fprintf(stderr, "fathom identify: the search did not converge: %s\n", fit->ended);
    if (c->o->csv && cli_identify_table(c->o, fit, &error) != FM_OK)
        code = (fprintf(stderr, "fathom identify: --csv %s\n", error.text), CLI_FAILED);
    if (c->o->out && cli_identify_draw(c->o, fit, &error) != FM_OK)
        code = (fprintf(stderr, "fathom identify: --output %s\n", error.text), CLI_FAILED);
    return code;
}

static int fit_model(identify_case *c)
{
    const cli_identify_options *o = c->o;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    fm_load_options load = {.set = o->scenario.sets.items, .set_count = o->scenario.sets.count};
    fm_fit_setup options = {.load = &load,
                              .parameters = o->fit.items,
                              .parameter_count = o->fit.count,
                              .channels = c->channels,
                              .channel_count = c->channel_count,
                              .inputs = c->steers,
                              .input_count = c->input_count,
                              .sources = c->sources,
                              .source_count = c->source_count,
                              .gates = c->gates,
                              .gate_count = o->between.count,
                              .skips = (const double(*)[2])c->skips,
                              .skip_count = o->skip.count,
                              .from = o->from,
                              .to = o->to,
                              .segment = o->segment,
                              .from_record =
                                  o->start >= CLI_START_DATA || (o->start == CLI_START_AUTO && o->segment > 0),
                              .whole_state = o->start == CLI_START_STATE,
                              .check = o->check / 100,
                              .threads = (int)(o->threads > 0   ? o->threads
                                               : processors > 0 ? processors
                                                                : 1),
                              .iterations = (int)o->iterations,
                              .searches = (int)o->searches,
                              .stop = &c->stop,
                              .told = tell,
                              .user = c};
    fm_error error = {0};
    fm_fit *fit = NULL;
    cli_interrupt_tell(&c->stop);
    fm_status status = fm_fit_prepare(c->model, &options, &fit, &error);
    if (status == FM_OK)
        status = fm_fit_solve(fit, &error);
    cli_interrupt_tell(NULL);
    if (c->visible)
        cli_progress_clear();
    int code = status == FM_OK ? finish(c, fit) : cli_interrupt_signal() ? 128 + cli_interrupt_signal() : CLI_FAILED;
    if (status != FM_OK)
        fprintf(stderr, "fathom identify: %s\n", error.text);
    fm_fit_free(fit);
    return code;
}

static void free_case(identify_case *c)
{
    for (size_t i = 0; i < c->source_count; i++) {
        fm_record_free(&c->records[i]);
        fm_free(c->logged[i]);
    }
    for (size_t i = 0; i < FM_FIT_LINKS; i++) {
        free(c->maps[i].ours);
        free(c->inputs[i].ours);
    }
    fm_model_free(c->model);
    fm_free(c);
}

int cli_identify(int argc, char **argv)
{
    cli_identify_options o = {.from = NAN, .to = NAN};
    int status;
    if (!cli_options_read(&cli_identify_command, argc, argv, &o, &status))
        return status;
    cli_interrupt_watch();
    identify_case *c = fm_alloc(sizeof *c);
    if (!c)
        return fprintf(stderr, "fathom identify: no memory\n"), CLI_FAILED;
    c->o = &o;
    c->visible = isatty(STDERR_FILENO) && !o.quiet;
    int code = read_maps(&o.maps, "--map", c->maps, c->channels, &c->channel_count);
    if (code == CLI_DONE)
        code = read_maps(&o.inputs, "--input", c->inputs, c->steers, &c->input_count);
    if (code == CLI_DONE)
        code = read_ranges(c);
    if (code == CLI_DONE && !(c->model = cli_load(&o.scenario)))
        code = CLI_FAILED;
    if (code == CLI_DONE)
        code = outputs_apart(c) ? read_records(c) : CLI_USAGE;
    if (code == CLI_DONE)
        code = read_sigmas(c);
    if (code == CLI_DONE &&
        (!cli_output_ready("identify", "--output", o.out) || !cli_output_ready("identify", "--csv", o.csv)))
        code = CLI_FAILED;
    if (code == CLI_DONE)
        code = fit_model(c);
    free_case(c);
    return code;
}
