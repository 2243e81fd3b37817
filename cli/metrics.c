#include "metrics.h"

#include <math.h>

#include "ask/probe.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

struct cli_metrics {
    fm_ask_panel *panel;
};

static fm_status note(void *user, fm_sink *sink, fm_error *error)
{
    cli_metrics *m = user;
    (void)error;
    fm_ask_panel_note(m->panel, fm_run_world(fm_sink_run(sink)));
    return FM_OK;
}

fm_status cli_metrics_attach(fm_run *run, const char *const *texts, size_t count, cli_metrics **metrics,
                             fm_error *error)
{
    cli_metrics *m = *metrics = fm_alloc(sizeof *m);
    if (!m)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for --metric");
    m->panel = fm_ask_panel_create(fm_world_model(fm_run_world(run)), texts, count, error);
    if (!m->panel)
        return error ? error->status : FM_ERR_SYNTAX;
    fm_ask_panel_note(m->panel, fm_run_world(run)); /* the start; a run of no steps has no other sample */
    return fm_run_attach(run, &(fm_sink_config){.step = note, .user = m}, NULL, error);
}

void cli_metrics_free(cli_metrics *metrics)
{
    if (metrics)
        fm_ask_panel_free(metrics->panel);
    fm_free(metrics);
}

size_t cli_metrics_count(const cli_metrics *metrics)
{
    return metrics ? fm_ask_panel_count(metrics->panel) : 0;
}

const char *cli_metrics_name(const cli_metrics *metrics, size_t i)
{
    return fm_ask_panel_name(metrics->panel, i);
}

double cli_metrics_value(const cli_metrics *metrics, size_t i)
{
    return fm_ask_panel_value(metrics->panel, i);
}

void cli_metrics_print(const cli_metrics *metrics, FILE *out)
{
    char number[40];
    for (size_t i = 0; i < cli_metrics_count(metrics); i++) {
        const fm_ask *ask = fm_ask_probe_ask(fm_ask_panel_probe(metrics->panel, i));
        const double value = cli_metrics_value(metrics, i);
        const char *unit = fm_ask_unit(ask);
        if (isnan(value))
            fprintf(out, "%s: unknown\n", cli_metrics_name(metrics, i));
        else if (fm_ask_is_condition(ask))
            fprintf(out, "%s: %s\n", cli_metrics_name(metrics, i), value != 0 ? "yes" : "no");
        else
            fprintf(out, "%s = %s%s%s\n", cli_metrics_name(metrics, i),
                    fm_text_number_write(number, sizeof number, value), *unit ? " " : "", unit);
    }
    fflush(out);
}
