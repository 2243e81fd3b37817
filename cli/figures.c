/* fathom figures: reproduces the published figures, with a report. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "plot/sheets.h"
#include "progress.h"
#include "scenario.h"

typedef struct figures_options {
    fm_figures_options run;
    cli_words names;
    const char *dir, *validation, *check_validation;
    int64_t threads; /* 0: one a core */
    bool fast, list, verdicts, numbers, known, quiet;
} figures_options;

static const cli_option argument_table[] = {
    {"SET/FIGURE", CLI_FIELD(figures_options, names), .offer = "figures --list", .noun = "figure",
     .text = "a set (phoenix) or one of its figures (phoenix/speed); default: all"},
};

static const cli_option option_table[] = {
    {"output", 'o', CLI_FIELD(figures_options, dir), .value = "DIR", .path = CLI_FOLDER, .text = "output directory"},
    {"fast", CLI_FIELD(figures_options, fast), .text = "only the fast half"},
    {"list", CLI_FIELD(figures_options, list),
     .excludes = "output threads verdicts numbers validation check-validation", .text = "list sets and figures"},
    {"threads", CLI_FIELD(figures_options, threads), .value = "N", .min = 1, .max = 1024,
     .text = "number of threads; default: one per core"},
    {"verdicts", CLI_FIELD(figures_options, verdicts),
     .text = "print each figure's verdict and the numbers that a paper states"},
    {"numbers", CLI_FIELD(figures_options, numbers), .text = "print every number with its verdict"},
    {"validation", CLI_FIELD(figures_options, validation), .value = "FILE", .path = CLI_FILE, .endings = ".md",
     .text = "update the generated table of a Markdown file (docs/validation.md)"},
    {"check-validation", CLI_FIELD(figures_options, check_validation), .value = "FILE", .path = CLI_FILE,
     .endings = ".md", .text = "fail if that table differs from these figures"},
    {"known", CLI_FIELD(figures_options, known), .text = "exit with 0 if exactly the checks with a known reason fail"},
    {"quiet", CLI_FIELD(figures_options, quiet), .text = "no progress"},
};

const cli_command cli_figures_command = {
    .name = "figures",
    .section = "papers",
    .text = "draw the published figures and compare their numbers with the papers",
    .about = "Draws the published figures that a simulation can produce, compares their numbers with the papers, and "
             "writes to DIR a PNG and an SVG of each, report.html and validation.json.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .one_of = "output list verdicts numbers validation check-validation",
    .examples = "  fathom figures remus -o out/figures\n  fathom figures phoenix/speed --verdicts\n",
    .done = "every check passes; with --known: exactly the checks with a known reason fail",
    .failed = "a check fails or a figure cannot be drawn; with --known: a check fails or passes unexpectedly",
    .main = cli_figures,
};

static bool is_named(const figures_options *o, const fm_figure_set *set, const fm_figure_spec *figure)
{
    char name[128];
    snprintf(name, sizeof name, "%s/%s", set->name, figure->id);
    for (size_t i = 0; i < o->names.count; i++)
        if (!strcmp(o->names.items[i], set->name) || !strcmp(o->names.items[i], name))
            return true;
    return o->names.count == 0;
}

static void print_list(const figures_options *o)
{
    for (const fm_figure_set *const *set = fm_figures_sets(); *set; set++) {
        bool begun = false;
        for (size_t i = 0; i < (*set)->count; i++) {
            const fm_figure_spec *figure = &(*set)->figures[i];
            if (!is_named(o, *set, figure) || (o->fast && !figure->fast))
                continue;
            if (!begun)
                printf("%s: %s\n    %s\n", (*set)->name, (*set)->title, (*set)->source);
            begun = true;
            printf("  %s/%-16s %s%s\n", (*set)->name, figure->id, figure->title, figure->fast ? "" : " (slow)");
        }
    }
}

static void show_progress(void *user, size_t done, size_t total, const fm_figure_set *set, const fm_figure_spec *spec,
                          bool passed)
{
    (void)user;
    enum { WIDTH = 32 };
    char bar[WIDTH + 1];
    size_t full = total ? done * WIDTH / total : WIDTH;
    memset(bar, '.', WIDTH);
    memset(bar, '#', full);
    bar[WIDTH] = 0;
    if (!passed)
        fprintf(stderr, "\r\033[K\033[31m%s/%s fails\033[0m\n", set->name, spec->id);
    cli_progress("  [%s] %zu of %zu   %s/%s", bar, done, total, set->name, spec->id);
    if (done == total)
        fprintf(stderr, "\r\033[K");
    fflush(stderr);
}

static void print_check(const fm_figure_result *r, const fm_check *check, int colour)
{
    bool passed = fm_check_passed(check);
    printf("       %s%s", colour && !passed ? "\033[31m" : "", check->quantity);
    if (*check->unit || check->low != 1 || check->high != 1 ||
        !isnan(check->expected)) /* otherwise a fact, without a number */
        printf(": %.4g%s%s", check->ours, *check->unit ? " " : "", check->unit);
    if (check->paper)
        printf(" (paper: %s)", check->paper);
    if (!passed)
        printf("; FAILS: must be %.4g … %.4g [%s/%s]", check->low, check->high, r->set->name, r->spec->id);
    if (!passed && check->known)
        printf(": %s", check->known);
    if (passed && check->known)
        printf("; holds, but is noted as failing: %s", check->known);
    printf("%s\n", colour && !passed ? "\033[0m" : "");
}

static void print_result(const figures_options *o, const fm_figure_result *r)
{
    int colour = isatty(STDOUT_FILENO);
    if (o->verdicts || !r->passed)
        printf("%s%s  %s/%s: %s%s\n", colour ? (r->passed ? "\033[32m" : "\033[31m") : "",
               r->passed ? "holds" : "FAILS", r->set->name, r->spec->id, r->spec->title, colour ? "\033[0m" : "");
    if (r->error)
        printf("       not drawn: %s\n", r->error);
    for (size_t i = 0; i < r->check_count; i++)
        if (o->numbers || (o->verdicts && r->checks[i].paper) || !fm_check_passed(&r->checks[i]) || r->checks[i].known)
            print_check(r, &r->checks[i], colour);
}

static int print_results(const figures_options *o, const fm_figures *figures)
{
    size_t held = 0, checks = 0, failed = 0, count = fm_figures_count(figures);
    for (size_t i = 0; i < count; i++) {
        fm_figure_result r = fm_figures_result(figures, i);
        print_result(o, &r);
        held += r.passed;
        checks += r.check_count;
        for (size_t k = 0; k < r.check_count; k++)
            failed += !fm_check_passed(&r.checks[k]);
    }
    printf("%zu of %zu figures hold, %zu of %zu numbers fail%s", held, count, failed, checks,
           !failed                        ? ""
           : fm_figures_as_known(figures) ? ", each for a reason that its figure gives"
                                          : "");
    if (o->run.dir)
        printf("; the report is %s/report.html", o->run.dir);
    putchar('\n');
    return o->known ? fm_figures_as_known(figures) : held == count;
}

static int use_validation(const figures_options *o, const fm_figures *figures)
{
    fm_error error = {0};
    if (o->validation && fm_figures_validation_write(figures, o->validation, &error) != FM_OK)
        return cli_print_error(&error), 0;
    if (o->check_validation && fm_figures_validation_check(figures, o->check_validation, &error) != FM_OK)
        return cli_print_error(&error), 0;
    return 1;
}

int cli_figures(int argc, char **argv)
{
    figures_options o = {0};
    int status;
    if (!cli_options_read(&cli_figures_command, argc, argv, &o, &status))
        return status;
    if (o.list)
        return print_list(&o), CLI_DONE;
    o.verdicts |= o.numbers;
    o.run.dir = o.dir;
    o.run.fast = o.fast;
    o.run.threads = (int)o.threads;
    o.run.names = (const char *const *)o.names.items;
    o.run.name_count = o.names.count;
    if (!o.quiet && isatty(STDERR_FILENO))
        o.run.progress = show_progress;
    fm_error error = {0};
    fm_figures *figures = fm_figures_run(&o.run, &error);
    if (!figures)
        return cli_print_error(&error), error.status == FM_ERR_NAME ? CLI_USAGE : CLI_FAILED;
    int held = print_results(&o, figures);
    held &= use_validation(&o, figures);
    fm_figures_free(figures);
    return held ? CLI_DONE : CLI_FAILED;
}
