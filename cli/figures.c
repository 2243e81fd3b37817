/* fathom figures: the published figures again, with a report. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "figures/figures.h"
#include "scenario.h"
#include "suggest.h"

enum { NAMES_MOST = 256 };

typedef struct figures_options {
    fm_figures_options run;
    const char *names[NAMES_MOST];
    const char *validation, *check_validation;
    int list, verdicts, numbers, quiet;
} figures_options;

static void print_help(void)
{
    puts("usage: fathom figures [SET | SET/FIGURE …] -o DIR [OPTIONS]\n\n"
         "Draws the published figures that simulation can produce, holds their numbers against the papers', and writes "
         "into DIR\n"
         "a PNG and an SVG of each, report.html and validation.json. Exits 1 when a check fails.\n\n"
         "  -o DIR                     where to write\n"
         "  --fast                     only the fast half\n"
         "  --list                     list sets and figures\n"
         "  --threads N                instead of one a core\n"
         "  --verdicts                 print each figure's verdict and the numbers that a paper states\n"
         "  --numbers                  print every number with its verdict\n"
         "  --validation FILE          renew the generated table of a Markdown file (docs/validation.md)\n"
         "  --check-validation FILE    fail where that table is not what these figures give\n"
         "  --quiet                    no progress");
}

static const char *const option_names[] = {"-o",         "--fast",    "--list",       "--threads",
                                           "--verdicts", "--numbers", "--validation", "--check-validation",
                                           "--quiet",    "--help"};

static int unknown_option(const char *word)
{
    const char *near = cli_nearest(word, option_names, sizeof option_names / sizeof *option_names);
    fprintf(stderr, "fathom figures: unknown option '%s'", word);
    if (near)
        fprintf(stderr, "; did you mean '%s'?", near);
    fputc('\n', stderr);
    return CLI_USAGE;
}

/* 1: taken, 0: bad value, -1: not an option with a value */
static int read_valued(figures_options *o, const char *name, const char *value)
{
    double number;
    if (!strcmp(name, "-o"))
        return o->run.dir = value, 1;
    if (!strcmp(name, "--validation"))
        return o->validation = value, 1;
    if (!strcmp(name, "--check-validation"))
        return o->check_validation = value, 1;
    if (strcmp(name, "--threads"))
        return -1;
    if (!cli_whole("figures", name, value, 1, 1024, &number))
        return 0;
    o->run.threads = (int)number;
    return 1;
}

static int read_flag(figures_options *o, const char *word)
{
    if (!strcmp(word, "--fast"))
        return o->run.fast = true, 1;
    if (!strcmp(word, "--list"))
        return o->list = 1;
    if (!strcmp(word, "--verdicts"))
        return o->verdicts = 1;
    if (!strcmp(word, "--numbers"))
        return o->verdicts = o->numbers = 1;
    if (!strcmp(word, "--quiet"))
        return o->quiet = 1;
    return 0;
}

static int read_options(int argc, char **argv, figures_options *o)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (!strcmp(word, "--help") || !strcmp(word, "-h"))
            return print_help(), CLI_DONE - 1;
        if (read_flag(o, word))
            continue;
        if (word[0] != '-') {
            if (o->run.name_count == NAMES_MOST)
                return fprintf(stderr, "fathom figures: at most %d names\n", NAMES_MOST), CLI_USAGE;
            o->names[o->run.name_count++] = word;
            continue;
        }
        int known = read_valued(o, word, i + 1 < argc ? argv[i + 1] : "");
        if (known < 0)
            return unknown_option(word);
        if (i + 1 >= argc)
            return fprintf(stderr, "fathom figures: %s needs a value\n", word), CLI_USAGE;
        if (!known)
            return CLI_USAGE;
        i++;
    }
    if (!o->run.dir && !o->list && !o->validation && !o->check_validation && !o->verdicts)
        return fprintf(stderr, "fathom figures: where to? -o DIR; `fathom figures --help` explains\n"), CLI_USAGE;
    return CLI_DONE;
}

static void print_list(void)
{
    for (const fm_figure_set *const *set = fm_figure_sets; *set; set++) {
        printf("%s: %s\n    %s\n", (*set)->name, (*set)->title, (*set)->source);
        for (size_t i = 0; i < (*set)->count; i++)
            printf("  %s/%-16s %s%s\n", (*set)->name, (*set)->figures[i].id, (*set)->figures[i].title,
                   (*set)->figures[i].fast ? "" : " (slow)");
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
    fprintf(stderr, "\r\033[K  [%s] %zu of %zu   %s/%s", bar, done, total, set->name, spec->id);
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
        printf("; FAILS, accepted %.4g … %.4g [%s/%s]", check->low, check->high, r->set->name, r->spec->id);
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
        if (o->numbers || (o->verdicts && r->checks[i].paper) || !fm_check_passed(&r->checks[i]))
            print_check(r, &r->checks[i], colour);
}

static int print_results(const figures_options *o, const fm_figures *figures)
{
    size_t held = 0, checks = 0, count = fm_figures_count(figures);
    for (size_t i = 0; i < count; i++) {
        fm_figure_result r = fm_figures_result(figures, i);
        print_result(o, &r);
        held += r.passed;
        checks += r.check_count;
    }
    printf("%zu of %zu figures hold (%zu numbers)", held, count, checks);
    if (o->run.dir)
        printf("; the report is %s/report.html", o->run.dir);
    putchar('\n');
    return held == count;
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
    int usage = read_options(argc, argv, &o);
    if (usage != CLI_DONE)
        return usage < 0 ? CLI_DONE : usage;
    if (o.list)
        return print_list(), CLI_DONE;
    cli_places places;
    cli_find_places(&places);
    o.run.names = o.names;
    o.run.scenario_dirs = places.scenario_dirs;
    o.run.model_dirs = places.model_dirs;
    o.run.scenario_dir_count = o.run.model_dir_count = places.count;
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
