/* Logs of single runs of a sweep. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "inputs.h"
#include "interrupt.h"
#include "sweep.h"

enum { NAME_MOST = 4096 };

/* "wall.nc" and 17: "wall-run-17.mcap". */
static bool name_log(const cli_sweep_options *o, size_t run, char *name, size_t size)
{
    const char *result = o->out ? o->out : o->csv, *dot = strrchr(result, '.'), *slash = strrchr(result, '/');
    const size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - result) : strlen(result);
    return (size_t)snprintf(name, size, "%.*s-run-%zu.mcap", (int)stem, result, run) < size;
}

static bool read_run(const char *text, size_t *run)
{
    char *end;
    const unsigned long long number = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
    *run = (size_t)number;
    return *text >= '0' && *text <= '9' && !*end && number <= UINT32_MAX;
}

bool cli_sweep_records_ready(const cli_sweep_options *o, const fm_sweep *sweep)
{
    char name[NAME_MOST];
    for (size_t i = 0; i < o->records.count; i++) {
        size_t run;
        if (!o->out && !strcmp(o->csv, "-"))
            return fprintf(stderr, "fathom sweep: --record needs a file that its log is named after, not standard "
                                   "output\n"),
                   false;
        if (!read_run(o->records.items[i], &run) || run >= sweep->plan->total)
            return fprintf(stderr, "fathom sweep: --record %s: must be a run from 0 to %zu\n", o->records.items[i],
                           sweep->plan->total - 1),
                   false;
        if (!name_log(o, run, name, sizeof name))
            return fprintf(stderr, "fathom sweep: --record %s: the name of the log is too long\n", o->records.items[i]),
                   false;
        if (!cli_output_apart_from_model("sweep", "--record", name, sweep->model) ||
            !cli_output_ready("sweep", "--record", name))
            return false;
    }
    return true;
}

/* The run as the sweep made it, to its end. */
static fm_status make_run(fm_sweep *sweep, const fm_model *model, size_t run, const char *name, fm_error *error)
{
    const fm_world_options world = {.seeded = 1, .seed = fm_plan_seed(sweep->plan, run), .threads = 1};
    fm_log_result log = {0};
    fm_run *made = fm_run_create(model, &(fm_run_options){.world = &world}, error);
    fm_status status = made ? fm_run_set_until(made, FM_RUN_UNTIL_DURATION, error) : FM_ERR_MODEL;
    if (status == FM_OK && !isnan(sweep->options.duration))
        status = fm_run_set_end(made, sweep->options.duration, error);
    if (status == FM_OK)
        status = fm_run_record(made, name, &(fm_log_options){.result = &log}, error);
    cli_interrupt_give(made);
    if (status == FM_OK)
        status = fm_run_go(made, NULL, error);
    const fm_status finished = made ? fm_run_finish(made, status == FM_OK ? error : NULL) : status;
    cli_interrupt_give(NULL);
    fm_run_free(made);
    if (status == FM_OK && log.error.status != FM_OK)
        *error = log.error;
    return status != FM_OK ? status : log.error.status != FM_OK ? log.error.status : finished;
}

bool cli_sweep_record(const cli_sweep_options *o, fm_sweep *sweep)
{
    char name[NAME_MOST];
    double values[FM_AXES_MOST];
    bool fine = true;
    for (size_t i = 0; i < o->records.count && !cli_interrupt_signal(); i++) {
        fm_error error = {0};
        size_t run = 0;
        (void)read_run(o->records.items[i], &run);
        (void)name_log(o, run, name, sizeof name);
        fm_plan_values(sweep->plan, run, values);
        fm_model *model = fm_sweep_load(sweep, values, &error);
        const fm_status status = model ? make_run(sweep, model, run, name, &error) : FM_ERR_MODEL;
        fm_model_free(model);
        if (status == FM_OK && !o->quiet)
            fprintf(stderr, "fathom sweep: run %zu is recorded in %s\n", run, name);
        if (status != FM_OK) {
            fprintf(stderr, "fathom sweep: --record %zu: ", run);
            cli_print_error(&error);
        }
        fine &= status == FM_OK;
    }
    return fine;
}
