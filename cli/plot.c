/* `fathom plot`: figures of logs. */
#include "plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "ask/ask.h"
#include "clock.h"
#include "commands.h"
#include "inputs.h"
#include "log_file.h"
#include "plot/fixes.h"
#include "plot/ladder.h"
#include "plot/overview.h"
#include "progress.h"

typedef struct plot_options {
    const char *file, *out, *title, *x, *y, *by;
    bool dark, ladder, fixes, histogram;
    double dpi;      /* dots per inch */
    double from, to; /* s */
    int frame;
    cli_words words;
} plot_options;

static const cli_option argument_table[] = {
    {"FILE", CLI_FIELD(plot_options, file), .noun = "log", .required = true, .path = CLI_FILE,
     .endings = ".mcap .nc .csv .json",
     .text =
         "the log (MCAP), the result of `fathom sweep` (NetCDF), a table (CSV), or the JSON of `fathom bench --sizes`"},
    {"FILE|FIELD|EXPRESSION|METRIC", CLI_FIELD(plot_options, words), .noun = "field",
     .text = "more logs, drawn together with the first; fields, each a name or a prefix "
             "(/phoenix/odom.pose.pose.position), or a whole channel; expressions ('hypot(phoenix.x, phoenix.y)', "
             "docs/expressions.md), for which the run is repeated; for a sweep metrics, conditions whose "
             "probability is drawn (snookie.contacts=0), or series; for a table columns"},
};

static const cli_option option_table[] = {
    {"output", 'o', CLI_FIELD(plot_options, out), .value = "FILE", .required = true, .path = CLI_FILE,
     .endings = ".png .svg .pdf", .text = "output file; its extension selects png, svg or pdf"},
    {"x", CLI_FIELD(plot_options, x), .value = "CHANNEL.FIELD",
     .text = "x axis, a field or an expression; default: the time; for a sweep the first varying parameter; for a "
             "table the first column"},
    {"y", CLI_FIELD(plot_options, y), .value = "PATH", .excludes = "by",
     .text = "for a sweep: a map over this parameter too"},
    {"by", CLI_FIELD(plot_options, by), .value = "PATH", .text = "for a sweep: one curve per value of this parameter"},
    {"histogram", CLI_FIELD(plot_options, histogram), .excludes = "x y by",
     .text = "for a sweep: histogram of a metric"},
    {"from", CLI_FIELD(plot_options, from), .value = "S", .unit = "s", .min = 0, .max = 1e9,
     .text = "ignore everything before this time"},
    {"to", CLI_FIELD(plot_options, to), .value = "S", .unit = "s", .min = 0, .max = 1e9,
     .text = "ignore everything after this time"},
    {"ladder", CLI_FIELD(plot_options, ladder),
     .text = "ladder diagram of sent and received sounds; --from and --to zoom in"},
    {"fixes", CLI_FIELD(plot_options, fixes),
     .text = "map of fixes, estimates and the true track, with ellipses of two standard deviations"},
    {"frame", CLI_FIELD(plot_options, frame), .value = "FRAME", .choices = cli_frames,
     .text = "frame of fields: ned (default), north-east-down and forward-starboard-down; or enu, east-north-up and "
             "forward-port-up, as in the log"},
    {"dark", CLI_FIELD(plot_options, dark), .text = "light text on a dark background"},
    {"dpi", CLI_FIELD(plot_options, dpi), .value = "N", .min = 20, .max = 1200,
     .text = "dots per inch of a PNG; default: 200"},
    {"title", CLI_FIELD(plot_options, title), .value = "TEXT", .text = "title of the figure"},
};

const cli_command cli_plot_command = {
    .name = "plot",
    .section = "logs",
    .text = "draw logs (overview, comparison or any field), sweeps and tables",
    .about =
        "Draws the overview page of a run: its track from above and from the side with obstacles, bottom, waypoints "
        "and ordered path; depth, speed, heading and attitude with orders and estimates; actuators; events by number, "
        "explained below. Constant values are omitted. Several logs are drawn together. Fields are drawn over time or "
        "over another field, one plot per unit. `fathom info FILE CHANNEL` lists fields.\n\nFor the result of `fathom "
        "sweep`: metrics as curves over a parameter with the 95 % interval of the mean (Student) or of a probability "
        "(Wilson), as maps over two, as points for a random parameter, or as histograms if only the seed varies; "
        "default: six metrics. Series are drawn over time as the median with the middle 50 and 90 % of the runs; with "
        "the designs saltelli and morris metrics as bars per parameter, the one with the greatest influence "
        "first.\n\nFor a table (CSV): its columns over the first, one plot per unit (\"depth [m]\"). "
        "For `fathom bench --sizes --json`: what vehicles, strips, beams, transducers and clients cost.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .examples = "  fathom plot run.mcap -o run.png\n"
                "  fathom plot first.mcap second.mcap --from 60 --to 120 -o both.pdf\n"
                "  fathom plot run.mcap /torp/waypoints.depth /torp/autopilot.depth -o depth.svg\n"
                "  fathom plot run.mcap --x /torp/odom.pose.pose.position.east "
                "/torp/odom.pose.pose.position.north -o track.svg\n"
                "  fathom plot run.mcap 'off=hypot(torp.x - 10 m, torp.y)' torp.depth -o off.png\n"
                "  fathom plot run.mcap --ladder --from 10 --to 20 -o ladder.png\n"
                "  fathom plot run.mcap --fixes -o fixes.png\n"
                "  fathom plot wall.nc snookie.min_clearance snookie.contacts=0 -o wall.png\n"
                "  fathom plot curve.csv -o curve.svg\n",
    .main = cli_plot,
};

/* --- progress --- */

void cli_plot_progress_begin(cli_plot_progress *progress, const char *name)
{
    *progress = (cli_plot_progress){.name = name, .began = cli_clock(NULL)};
}

/* Only reading that takes a second or more is reported. */
void cli_plot_progress_tell(void *context, double share)
{
    cli_plot_progress *progress = context;
    if (!isatty(STDERR_FILENO) || cli_clock(NULL) - progress->began < 1)
        return;
    cli_progress("fathom plot: reading %s, %3.0f %%", progress->name, 100 * share);
    progress->told = 1;
}

void cli_plot_progress_end(cli_plot_progress *progress)
{
    if (progress->told)
        cli_progress_clear();
}

/* --- runs and fields --- */

/* A field begins with a channel; everything else is a file. */
static int is_field(const char *word)
{
    size_t length = strlen(word);
    return word[0] == '/' && !(length > 5 && strcmp(word + length - 5, ".mcap") == 0) && access(word, F_OK) != 0;
}

/* "runs/a.mcap" is called "a". */
static char *name_of(const char *path)
{
    const char *start = strrchr(path, '/') ? strrchr(path, '/') + 1 : path, *dot = strrchr(start, '.');
    size_t length = dot && dot > start ? (size_t)(dot - start) : strlen(start);
    char *name = calloc(length + 1, 1);
    if (name)
        memcpy(name, start, length);
    return name;
}

/* "rov.depth" of a vehicle of the first log, or anything with an operator. */
int cli_plot_is_asked(const cli_plot_request *r, const char *word)
{
    const size_t length = strlen(word), start = strcspn(word, ".");
    if (word[0] == '/' || (length > 5 && !strcmp(word + length - 5, ".mcap")) || access(word, F_OK) == 0)
        return 0;
    for (size_t i = 0; r->run_count && start < length && i < fm_mcap_channel_count(r->runs[0].reader); i++) {
        const char *topic = fm_mcap_channel_at(r->runs[0].reader, i)->topic;
        if (!strncmp(topic + 1, word, start) && topic[1 + start] == '/')
            return 1;
    }
    return fm_ask_is_expression(word) && strpbrk(word, "<>=()^+*, ") != NULL;
}

static int open_run(cli_plot_request *r, const char *path)
{
    cli_plot_run *run = &r->runs[r->run_count];
    run->path = path;
    run->name = name_of(path);
    run->reader = cli_open_log("plot", path);
    r->run_count += run->reader != NULL;
    return run->reader && run->name;
}

/* Two runs of one name are distinguished by their paths. */
static void tell_apart(cli_plot_request *r)
{
    for (size_t i = 0; i < r->run_count; i++)
        for (size_t k = 0; k < r->run_count; k++)
            if (i != k && strcmp(r->runs[i].name, r->runs[k].name) == 0 && r->runs[i].name[0]) {
                free((void *)(uintptr_t)r->runs[i].name);
                r->runs[i].name = strdup(r->runs[i].path);
                break;
            }
}

static int open_runs(cli_plot_request *r, const plot_options *o)
{
    int ok = open_run(r, o->file);
    for (size_t i = 0; i < o->words.count && ok; i++)
        if (is_field(o->words.items[i]))
            r->fields[r->field_count++] = o->words.items[i];
        else if (cli_plot_is_asked(r, o->words.items[i]))
            r->asked[r->asked_count++] = o->words.items[i];
        else
            ok = open_run(r, o->words.items[i]);
    if (ok)
        tell_apart(r);
    return ok;
}

static void close_runs(cli_plot_request *r)
{
    for (size_t i = 0; r->runs && i < r->run_count; i++) {
        fm_mcap_reader_close(r->runs[i].reader);
        free((void *)(uintptr_t)r->runs[i].name);
    }
    free(r->runs);
    free(r->fields);
    free(r->asked);
}

/* --- the overview --- */

/* Reads one run; prints an error on stderr on failure. */
static fm_status read_run(const cli_plot_request *r, const cli_plot_run *run, fm_run_data *data)
{
    fm_error error = {0};
    cli_plot_progress progress;
    cli_plot_progress_begin(&progress, run->path);
    fm_run_window request = {run->name, r->from, r->to, cli_plot_progress_tell, &progress};
    fm_status status = fm_run_data_read(run->reader, &request, data, &error);
    cli_plot_progress_end(&progress);
    if (status != FM_OK)
        fprintf(stderr, "fathom plot: %s: %s\n", run->path, error.text);
    return status;
}

static fm_figure *draw_overview(const cli_plot_request *r, int *code)
{
    fm_run_data *data = calloc(r->run_count, sizeof *data);
    const fm_run_data **list = calloc(r->run_count, sizeof *list);
    fm_figure *figure = NULL;
    fm_status status = data && list ? FM_OK : FM_ERR_MEMORY;
    size_t read = 0;
    for (; read < r->run_count && status == FM_OK; read++) {
        status = read_run(r, &r->runs[read], &data[read]);
        list[read] = &data[read];
    }
    if (status == FM_OK)
        figure = fm_overview_draw(list, r->run_count, r->theme);
    if (status == FM_OK && !figure)
        fprintf(stderr, "fathom plot: out of memory\n");
    for (size_t i = 0; data && i < read; i++)
        fm_run_data_free(&data[i]);
    free(data);
    free(list);
    *code = figure ? CLI_DONE : CLI_FAILED;
    return figure;
}

/* --- sound, and acoustic navigation --- */

static fm_figure *draw_ladder(const cli_plot_request *r, int *code)
{
    fm_error error = {0};
    fm_figure *figure = fm_ladder_draw(r->runs[0].reader, r->from, r->to, r->theme, &error);
    if (!figure)
        fprintf(stderr, "fathom plot: %s: %s\n", r->runs[0].path, error.text);
    *code = figure ? CLI_DONE : CLI_FAILED;
    return figure;
}

static fm_figure *draw_fixes(const cli_plot_request *r, int *code)
{
    fm_error error = {0};
    fm_run_data data;
    fm_figure *figure = NULL;
    if (read_run(r, &r->runs[0], &data) == FM_OK && !(figure = fm_fixes_draw(&data, r->theme, &error)))
        fprintf(stderr, "fathom plot: %s: %s\n", r->runs[0].path, error.text);
    fm_run_data_free(&data);
    *code = figure ? CLI_DONE : CLI_FAILED;
    return figure;
}

/* --- the command --- */

static fm_figure *draw(const plot_options *o, const cli_plot_request *r, int *code)
{
    return o->ladder                         ? draw_ladder(r, code)
           : o->fixes                        ? draw_fixes(r, code)
           : r->field_count + r->asked_count ? cli_plot_fields(r, code)
                                             : draw_overview(r, code);
}

static int write_figure(const plot_options *o, fm_figure *figure)
{
    fm_error error = {0};
    if (o->title)
        fm_figure_title(figure, o->title);
    fm_figure_resolution(figure, o->dpi > 0 ? o->dpi : 200);
    fm_status status = fm_figure_write(figure, o->out, &error);
    fm_figure_destroy(figure);
    if (status != FM_OK)
        fprintf(stderr, "fathom plot: %s\n", error.text);
    return status == FM_OK ? CLI_DONE : CLI_FAILED;
}

static int check_dpi(const plot_options *o)
{
    size_t length = strlen(o->out);
    if (o->dpi > 0 && !(length > 4 && strcasecmp(o->out + length - 4, ".png") == 0))
        return fprintf(stderr, "fathom plot: --dpi has no effect on %s; only a PNG has pixels\n", o->out), CLI_USAGE;
    return CLI_DONE;
}

static int check(const plot_options *o, const cli_plot_request *r)
{
    for (size_t i = 0; i < r->run_count; i++)
        if (!cli_output_apart("plot", "-o", o->out, r->runs[i].path))
            return CLI_USAGE;
    if (o->to > 0 && o->to <= o->from)
        return fprintf(stderr, "fathom plot: --to %g s is before --from %g s\n", o->to, o->from), CLI_USAGE;
    if (check_dpi(o) != CLI_DONE)
        return CLI_USAGE;
    if (o->y || o->by || o->histogram)
        return fprintf(stderr,
                       "fathom plot: --y, --by and --histogram are for results of sweeps (.nc), not for logs\n"),
               CLI_USAGE;
    const char *special = o->ladder ? "--ladder" : "--fixes";
    if (o->ladder && o->fixes)
        return fprintf(stderr, "fathom plot: give --ladder or --fixes, not both\n"), CLI_USAGE;
    if ((o->ladder || o->fixes) && (r->field_count || r->asked_count || r->run_count > 1))
        return fprintf(stderr, "fathom plot: %s draws only one log, without fields\n", special), CLI_USAGE;
    if (o->frame && !r->field_count && !r->asked_count)
        return fprintf(stderr, "fathom plot: --frame without a field has no effect; the overview has its own axes\n"),
               CLI_USAGE;
    if (o->x && !r->field_count && !r->asked_count)
        return fprintf(stderr, "fathom plot: --x without a field has no effect; name what to draw over it\n"),
               CLI_USAGE;
    return CLI_DONE;
}

/* Files other than logs: sweeps, tables, measurements. */
static int plot_other(const plot_options *o)
{
    bool sweep = cli_is_sweep(o->file), bench = cli_is_bench(o->file);
    if (!cli_output_apart("plot", "-o", o->out, o->file) || check_dpi(o) != CLI_DONE)
        return CLI_USAGE;
    if (o->ladder || o->fixes || o->frame || o->from > 0 || o->to > 0)
        return fprintf(stderr, "fathom plot: --ladder, --fixes, --frame, --from and --to are for logs, not for %s\n",
                       sweep ? "sweeps" : "tables"),
               CLI_USAGE;
    if (!sweep && (o->y || o->by || o->histogram || (bench && (o->x || o->words.count))))
        return fprintf(stderr, "fathom plot: --y, --by and --histogram are for results of sweeps (.nc)%s\n",
                       bench ? ", --x and fields not for measurements (.json)" : ""),
               CLI_USAGE;
    int code;
    fm_theme theme = o->dark ? FM_THEME_DARK : FM_THEME_LIGHT;
    cli_plot_sweep_request r = {.path = o->file,
                                .metrics = o->words.items,
                                .metric_count = o->words.count,
                                .x = o->x,
                                .y = o->y,
                                .by = o->by,
                                .histogram = o->histogram,
                                .theme = theme};
    fm_figure *figure = sweep   ? cli_plot_sweep(&r, &code)
                        : bench ? cli_plot_bench(o->file, theme, &code)
                                : cli_plot_table(&r, &code);
    return figure ? write_figure(o, figure) : code;
}

int cli_plot(int argc, char **argv)
{
    plot_options o = {0};
    int code;
    if (!cli_options_read(&cli_plot_command, argc, argv, &o, &code))
        return code;
    if (cli_is_sweep(o.file) || cli_is_table(o.file) || cli_is_bench(o.file))
        return plot_other(&o);
    cli_plot_request r = {.x = o.x,
                          .ned = o.frame != CLI_FRAME_ENU,
                          .from = o.from,
                          .to = o.to,
                          .theme = o.dark ? FM_THEME_DARK : FM_THEME_LIGHT};
    r.runs = calloc(o.words.count + 1, sizeof *r.runs);
    r.fields = calloc(o.words.count + 1, sizeof *r.fields);
    r.asked = calloc(o.words.count + 1, sizeof *r.asked);
    code = r.runs && r.fields && r.asked && open_runs(&r, &o) ? check(&o, &r) : CLI_FAILED;
    if (code == CLI_DONE) {
        fm_figure *figure = draw(&o, &r, &code);
        if (figure)
            code = write_figure(&o, figure);
    }
    close_runs(&r);
    return code;
}
