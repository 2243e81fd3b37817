/* What `fathom sweep` varies and keeps. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "sweep.h"

/* Whether an option sets a value that another option determines: an option without effect is refused. */
static bool is_set(const cli_list *list, const char *path)
{
    for (size_t i = 0; i < list->count; i++) {
        char name[FM_AXIS_PATH];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(list->items[i], "=~"), list->items[i]);
        if (fm_text_name_equal(name, path))
            return true;
    }
    return false;
}

static bool has_effect(bool useless, const char *what, const char *path, const char *why)
{
    if (useless)
        fprintf(stderr, "fathom sweep: %s%s has no effect: %s\n", what, path, why);
    return !useless;
}

static bool effects_apart(const cli_sweep_options *o, const fm_sweep_plan *plan)
{
    bool drawn = o->design != FM_DESIGN_FACTORIAL;
    for (size_t i = 0; i < plan->axis_count; i++) {
        drawn |= fm_axis_drawn(&plan->axes[i]);
        if (!has_effect(is_set(&o->scenario.sets, plan->axes[i].path), "--set ", plan->axes[i].path,
                        "--vary gives it another value in every run"))
            return false;
    }
    bool seeds = is_set(&o->vary, "/world/seed"), lasting = !isnan(o->duration);
    return has_effect(seeds && !drawn && o->runs > 1, "--runs", "",
                      "every run of a combination has the same seed, which --vary /world/seed gives") &&
           has_effect(seeds && !drawn && o->seed >= 0, "--seed", "", "--vary /world/seed gives the seeds") &&
           has_effect(o->seed >= 0 && is_set(&o->scenario.sets, "/world/seed"), "--set ", "/world/seed",
                      "--seed gives the seeds") &&
           has_effect(lasting && is_set(&o->vary, "/world/duration"), "--vary ", "/world/duration",
                      "all runs end after --duration") &&
           has_effect(lasting && is_set(&o->scenario.sets, "/world/duration"), "--set ", "/world/duration",
                      "all runs end after --duration");
}

/* All that varies; an error names the option. */
static bool add_axes(const cli_sweep_options *o, fm_sweep_plan *plan)
{
    fm_error error = {0};
    const char *option = "--points";
    fm_status status = o->points ? fm_plan_vary_points(plan, o->points, &error) : FM_OK;
    for (size_t i = 0; i < o->vary.count && status == FM_OK; i++)
        option = "--vary", status = fm_plan_vary(plan, o->vary.items[i], &error);
    for (size_t i = 0; i < o->fits.count && status == FM_OK; i++)
        option = "--vary-fit", status = fm_plan_vary_fit(plan, o->fits.items[i], &error);
    for (size_t i = 0; i < o->correlations.count && status == FM_OK; i++)
        option = "--correlate", status = fm_plan_correlate(plan, o->correlations.items[i], &error);
    if (status == FM_OK)
        return true;
    fprintf(stderr, "fathom sweep: %s ", option);
    if (error.file[0])
        fprintf(stderr, "%s:%d: ", error.file, error.line);
    return fprintf(stderr, "%s\n", error.text), false;
}

bool cli_sweep_plan(const cli_sweep_options *o, const fm_model *model, fm_sweep_plan *plan)
{
    plan->design = (fm_design)o->design;
    if (o->points && o->design != FM_DESIGN_FACTORIAL)
        return fprintf(stderr, "fathom sweep: --design has no effect: --points gives the points\n"), false;
    if (!add_axes(o, plan))
        return false;
    plan->runs = o->runs > 0 ? (size_t)o->runs : 1;
    plan->seed = o->seed >= 0 ? (uint64_t)o->seed : fm_model_seed(model);
    if (plan->axis_count == 0 && plan->runs == 1)
        return fprintf(stderr,
                       "fathom sweep: nothing varies; give --vary, --points, or --runs for runs with other seeds\n"),
               false;
    return effects_apart(o, plan);
}

bool cli_sweep_every(const char *text, double *every)
{
    const char *at = text;
    fm_error error = {0};
    if (!text || (fm_text_number_read(&at, every) && !*at))
        return true;
    if (fm_amount_parse(text, "s", every, 1, &(fm_amount){0}, &error) == FM_OK)
        return true;
    return fprintf(stderr, "fathom sweep: --every %s\n", error.text), false;
}

char *cli_sweep_series(const cli_list *given, cli_list *names)
{
    fm_text all = {0};
    for (size_t i = 0; i < given->count; i++)
        fm_text_add(&all, "%s%s", i ? "," : "", given->items[i]);
    fm_text_add(&all, "%s", given->count ? "," : " ");
    char *start = all.failed ? NULL : all.data;
    int depth = 0;
    for (char *c = start; c && *c; c++) {
        depth += (*c == '(' || *c == '[') - (*c == ')' || *c == ']');
        if (*c != ',' || depth > 0)
            continue;
        *c = 0;
        if (names->count == CLI_LIST_MOST)
            return fprintf(stderr, "fathom sweep: --series: more than %d\n", CLI_LIST_MOST), fm_text_free(&all), NULL;
        names->items[names->count++] = start + strspn(start, " ");
        start = c + 1;
    }
    if (all.failed)
        fm_text_free(&all);
    return all.data;
}
