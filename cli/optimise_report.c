/* Output of `fathom optimise`: text, JSON, a table of points. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/outfile.h"
#include "base/text.h"
#include "interrupt.h"
#include "optimise.h"
#include "summary.h"

static size_t width_of(const fm_search *s)
{
    return s->objectives + s->limits;
}

static const char *reason_of(const fm_search *s)
{
    return cli_interrupt_signal() && !s->ended ? "interrupted" : fm_search_ended(s);
}

static double mean_at(const fm_search *s, size_t i)
{
    return s->objectives > 1 ? (double)NAN : fm_cma_bounded(s->cma.mean[i], s->axes[i].low, s->axes[i].high);
}

/* --- JSON --- */

static void print_axes(const fm_search *s)
{
    printf("{\"parameters\": [");
    for (size_t i = 0; i < s->axis_count; i++) {
        const fm_search_axis *a = &s->axes[i];
        printf("%s\n  ", i ? "," : "");
        cli_json_parameter(stdout, a->path, a->unit);
        cli_json_member(stdout, "low", a->low);
        cli_json_member(stdout, "high", a->high);
        cli_json_member(stdout, "start", a->start);
        cli_json_member(stdout, "best", s->points[s->best * s->axis_count + i]);
        cli_json_member(stdout, "mean", mean_at(s, i));
        printf("}");
    }
    printf("]");
}

static void print_numbers(const char *name, const double *numbers, size_t count)
{
    printf(", \"%s\": [", name);
    for (size_t i = 0; i < count; i++) {
        char number[40];
        printf("%s%s", i ? ", " : "",
               isfinite(numbers[i]) ? fm_text_number_write(number, sizeof number, numbers[i]) : "null");
    }
    printf("]");
}

static void print_names(const fm_search *s, const char *name, size_t first, size_t count)
{
    printf(",\n \"%s\": [", name);
    for (size_t i = 0; i < count; i++) {
        printf("%s", i ? ", " : "");
        cli_json_text(stdout, fm_search_value_name(s, first + i));
    }
    printf("]");
}

static void print_front_json(const fm_search *s)
{
    printf(",\n \"front\": [");
    for (size_t i = 0; i < s->front_count; i++) {
        const size_t point = s->front_points[i];
        printf("%s\n  {\"point\": %zu", i ? "," : "", point);
        print_numbers("values", s->values + point * width_of(s), s->objectives);
        print_numbers("parameters", s->points + point * s->axis_count, s->axis_count);
        printf("}");
    }
    printf("]");
}

static void print_json(const fm_search *s)
{
    const double *best = s->values + s->best * width_of(s);
    print_axes(s);
    printf(",\n \"generations\": %zu, \"evaluations\": %zu, \"runs\": %zu, \"failed\": %zu, \"restarts\": %zu, "
           "\"feasible\": %s, \"ended\": ",
           s->generation_count, s->count, s->runs, s->failed, s->restart,
           fm_search_feasible(s, s->best) ? "true" : "false");
    cli_json_text(stdout, reason_of(s));
    cli_json_member(stdout, "start_cost", s->start_values[0]);
    cli_json_member(stdout, "cost", best[0]);
    cli_json_member(stdout, "width", fm_search_width(s));
    if (s->limits) {
        print_names(s, "constraints", s->objectives, s->limits);
        print_numbers("violations", best + s->objectives, s->limits);
    }
    if (s->objectives > 1) {
        print_names(s, "objectives", 0, s->objectives);
        print_front_json(s);
    }
    printf("}\n");
}

/* --- text --- */

static void print_front_text(const fm_search *s)
{
    for (size_t k = 0; k < s->objectives; k++)
        printf("%s%14s", k ? " " : "", fm_search_value_name(s, k));
    for (size_t i = 0; i < s->axis_count; i++)
        printf(s->axes[i].unit[0] ? "  %s [%s]" : "  %s%s", s->axes[i].path, s->axes[i].unit);
    printf("\n");
    for (size_t f = 0; f < s->front_count; f++) {
        const size_t point = s->front_points[f];
        for (size_t k = 0; k < s->objectives; k++)
            printf("%s%14.7g", k ? " " : "", s->values[point * width_of(s) + k]);
        for (size_t i = 0; i < s->axis_count; i++)
            printf("  %14.7g", s->points[point * s->axis_count + i]);
        printf("\n");
    }
    printf("\n%zu values on the front\n", s->front_count);
}

static void print_best(const fm_search *s)
{
    printf("%-44s %14s %14s %14s %14s  %s\n", "parameter", "from", "to", "start", "best", "unit");
    for (size_t i = 0; i < s->axis_count; i++) {
        const fm_search_axis *a = &s->axes[i];
        printf("%-44s %14.7g %14.7g %14.7g %14.7g  %s\n", a->path, a->low, a->high, a->start,
               s->points[s->best * s->axis_count + i], a->unit);
    }
    printf("\ncost %.9g, at the start %.9g\n", s->values[s->best * width_of(s)], s->start_values[0]);
    for (size_t i = 0; i < s->limits; i++) {
        const double value = s->values[s->best * width_of(s) + s->objectives + i];
        printf("%s: %s", s->constraints[i].text, value > 0 ? "violated" : "holds");
        printf(s->constraints[i].condition ? "\n" : ", by %.4g\n", fabs(value));
    }
}

void cli_optimise_print(const cli_optimise_case *c)
{
    const fm_search *s = c->search;
    if (c->o->json) {
        print_json(s);
        return;
    }
    if (s->objectives > 1)
        print_front_text(s);
    else
        print_best(s);
    printf("%zu generations, %zu runs (%s), %zu failed; %s\n", s->generation_count, s->runs, s->engine, s->failed,
           reason_of(s));
}

/* --- the table --- */

static void write_head(const fm_search *s, FILE *out)
{
    fprintf(out, "point,generation");
    for (size_t i = 0; i < s->axis_count; i++)
        fprintf(out, s->axes[i].unit[0] ? ",%s [%s]" : ",%s%s", s->axes[i].path, s->axes[i].unit);
    for (size_t k = 0; k < width_of(s); k++) {
        const char *name = s->objectives == 1 && k == 0 ? "cost" : fm_search_value_name(s, k);
        fprintf(out, strpbrk(name, ",\"") ? ",\"%s\"" : ",%s", name);
    }
    fprintf(out, s->objectives > 1 ? ",front\n" : s->limits ? ",feasible\n" : "\n");
}

static bool is_on_front(const fm_search *s, size_t point)
{
    for (size_t i = 0; i < s->front_count; i++)
        if (s->front_points[i] == point)
            return true;
    return false;
}

static void write_points(const fm_search *s, FILE *out)
{
    char number[40];
    for (size_t k = 0; k < s->count; k++) {
        fprintf(out, "%zu,%zu", k, fm_search_generation_of(s, k, NULL));
        for (size_t i = 0; i < s->axis_count; i++)
            fprintf(out, ",%s", fm_text_number_write(number, sizeof number, s->points[k * s->axis_count + i]));
        for (size_t i = 0; i < width_of(s); i++) {
            const double value = s->values[k * width_of(s) + i];
            fprintf(out, ",%s", isnan(value) ? "" : fm_text_number_write(number, sizeof number, value));
        }
        if (s->objectives > 1)
            fprintf(out, ",%d", is_on_front(s, k));
        else if (s->limits)
            fprintf(out, ",%d", fm_search_feasible(s, k));
        fprintf(out, "\n");
    }
}

fm_status cli_optimise_table(const cli_optimise_case *c, fm_error *error)
{
    fm_outfile out;
    fm_status status = fm_outfile_open(&out, c->o->csv, error);
    if (status != FM_OK)
        return status;
    write_head(c->search, out.file);
    write_points(c->search, out.file);
    return fm_outfile_close(&out, error);
}
