#include <math.h>
#include <string.h>

#include "base/text.h"
#include "studies/result.h"

static void put_name(FILE *out, const char *name, const char *unit)
{
    fprintf(out, ",%s", name);
    if (unit[0])
        fprintf(out, " [%s]", unit);
}

/* "rov.x@0.5s [m]" */
static void put_sample_name(FILE *out, const fm_sweep_column *series, double time)
{
    char name[sizeof series->name + 48];
    snprintf(name, sizeof name, "%s@%.10gs", series->name, time);
    put_name(out, name, series->unit);
}

static void put_number(FILE *out, double value)
{
    char text[40];
    fprintf(out, ",%s", isnan(value) ? "" : fm_text_number_write(text, sizeof text, value));
}

/* Quotes a text that contains a comma or a quote. */
static void put_word(FILE *out, const char *word)
{
    if (!strpbrk(word, ",\"\n")) {
        fprintf(out, ",%s", word);
        return;
    }
    fputs(",\"", out);
    for (; *word; word++)
        fprintf(out, *word == '"' ? "\"\"" : "%c", *word);
    fputc('"', out);
}

void fm_sweep_write_csv(const fm_sweep *s, FILE *out)
{
    static const char *const outcomes[] = {"", "finished", "failed"};
    const fm_sweep_plan *plan = s->plan;
    double values[FM_AXES_MOST];
    fputs("run,seed,outcome", out);
    for (size_t i = 0; i < plan->axis_count; i++)
        put_name(out, plan->axes[i].path, plan->axes[i].kind == FM_AXIS_WORDS ? "" : plan->axes[i].unit);
    for (size_t i = 0; i < s->column_count; i++)
        put_name(out, s->columns[i].name, s->columns[i].unit);
    for (size_t i = 0; i < s->series_count; i++)
        for (size_t k = 0; k < s->samples; k++)
            put_sample_name(out, &s->series[i], (double)(s->stride * k) * fm_model_dt(s->model));
    fputc('\n', out);
    for (size_t run = 0; run < plan->total; run++) {
        if (s->outcomes[run] == FM_OUTCOME_NONE)
            continue;
        fm_plan_values(plan, run, values);
        fprintf(out, "%zu,%llu,%s", run, (unsigned long long)fm_plan_seed(plan, run), outcomes[s->outcomes[run]]);
        for (size_t i = 0; i < plan->axis_count; i++)
            if (plan->axes[i].kind == FM_AXIS_WORDS)
                put_word(out, plan->axes[i].words[(size_t)values[i]]);
            else
                put_number(out, values[i]);
        for (size_t i = 0; i < s->width; i++)
            put_number(out, s->values[run * s->width + i]);
        fputc('\n', out);
    }
}

void fm_result_free(fm_result *result)
{
    fm_arena_free(&result->arena);
    *result = (fm_result){0};
}
