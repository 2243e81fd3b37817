/* libFuzzer target: what a sweep varies. The first byte chooses: V, lines of --vary, with a comma before the sign of
 * --correlate; F, the result of a fit; P, a table of points. Anything is accepted or refused with a reason, and each
 * accepted plan gives finite numbers and places of words that exist. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "studies/points.h"

static void refused(const fm_error *error)
{
    if (!error->text[0])
        abort();
}

static void check_runs(fm_sweep_plan *plan, fm_design design)
{
    double values[FM_AXES_MOST];
    char text[FM_AXIS_PATH];
    fm_error error = {0};
    plan->design = design;
    plan->runs = 3;
    if (fm_plan_close(plan, &error) != FM_OK) {
        refused(&error);
        return;
    }
    for (size_t run = 0; run < plan->total && run < 40; run++) {
        fm_plan_values(plan, run, values);
        for (size_t i = 0; i < plan->axis_count; i++) {
            const fm_sweep_axis *axis = &plan->axes[i];
            if (isnan(values[i]) || (axis->words && !(values[i] >= 0 && values[i] < (double)axis->count)))
                abort();
            fm_axis_write(axis, values[i], text, sizeof text);
        }
        (void)fm_plan_seed(plan, run);
    }
    fm_free(fm_plan_write(plan));
}

static void vary(fm_sweep_plan *plan, char *lines)
{
    for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n")) {
        fm_error error = {0};
        const size_t sign = strcspn(line, "=~");
        const fm_status status = line[sign] == '=' && memchr(line, ',', sign) ? fm_plan_correlate(plan, line, &error)
                                                                              : fm_plan_vary(plan, line, &error);
        if (status != FM_OK)
            refused(&error);
    }
}

static void read_points(fm_sweep_plan *plan, const char *text)
{
    static fm_points points;
    fm_error error = {0};
    points = (fm_points){.arena = &plan->arena, .file = "fuzz.csv"};
    if (fm_points_parse_csv(&points, text, &error) != FM_OK) {
        refused(&error);
        return;
    }
    if (!points.count || !points.rows)
        abort();
    for (size_t i = 0; i < points.count; i++)
        for (size_t k = 0; k < points.rows; k++) {
            const fm_points_column *c = &points.columns[i];
            if (c->path[0] != '/' || !isfinite(c->values[k]) ||
                (c->words && !(c->values[k] >= 0 && c->values[k] < (double)c->word_count)))
                abort();
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fm_sweep_plan plan;
    fm_error error = {0};
    char *text = malloc(size + 1);
    if (!text || size < 2)
        return free(text), 0;
    memcpy(text, data, size);
    text[size] = 0;
    plan = (fm_sweep_plan){.seed = 1};
    if (text[0] == 'F' && fm_plan_parse_fit(&plan, "fuzz.json", text + 1, &error) != FM_OK)
        refused(&error);
    if (text[0] == 'P')
        read_points(&plan, text + 1);
    if (text[0] == 'V')
        vary(&plan, text + 2);
    check_runs(&plan, (fm_design)(data[1] % FM_DESIGN_POINTS));
    fm_plan_free(&plan);
    free(text);
    return 0;
}
