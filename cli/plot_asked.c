/* Expressions over the time of a recorded run, which is repeated for them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask/probe.h"
#include "base/error.h"
#include "base/text.h"
#include "commands.h"
#include "plot.h"
#include "repeat.h"

typedef struct answers {
    const cli_plot_request *request;
    const char *const *texts;
    size_t count;
    cli_plot_answer *list;
    fm_ask_panel *panel;
    int failed; /* no memory */
} answers;

static fm_status start(void *user, const fm_model *model, fm_error *error)
{
    answers *a = user;
    a->panel = fm_ask_panel_create(model, a->texts, a->count, error);
    for (size_t i = 0; a->panel && i < a->count; i++) {
        const fm_ask *ask = fm_ask_probe_ask(fm_ask_panel_probe(a->panel, i));
        char name[FM_ASK_NAME];
        const int named = fm_ask_split(a->texts[i], name, sizeof name) != a->texts[i];
        fm_text_copy(a->list[i].name, sizeof a->list[i].name, named ? name : a->texts[i]);
        fm_text_copy(a->list[i].unit, sizeof a->list[i].unit, fm_ask_unit(ask));
    }
    return a->panel ? FM_OK : error->status;
}

static void note(void *user, const fm_world *world)
{
    answers *a = user;
    const double t = fm_world_time(world);
    fm_ask_panel_note(a->panel, world);
    if (t < a->request->from || (a->request->to > 0 && t > a->request->to))
        return;
    for (size_t i = 0; i < a->count; i++) {
        const double value[3] = {fm_ask_panel_value(a->panel, i), 0, 0};
        cli_plot_answer *one = &a->list[i];
        a->failed |=
            !(a->request->x ? fm_run_track_add(&one->points, t, value) : fm_run_series_add(&one->values, t, value[0]));
    }
}

static void end(void *user)
{
    answers *a = user;
    fm_ask_panel_free(a->panel);
    a->panel = NULL;
}

int cli_plot_asked(const cli_plot_request *request, const cli_plot_run *run, const char *const *texts, size_t count,
                   cli_plot_answer *list)
{
    answers a = {.request = request, .texts = texts, .count = count, .list = list};
    const cli_repeat_watch watch = {start, note, end, &a};
    if (!cli_repeat_watched("plot", run->path, run->reader, &watch))
        return CLI_FAILED;
    for (size_t i = 0; i < count; i++)
        a.failed |= !fm_run_series_end(&list[i].values) || !fm_run_track_end(&list[i].points);
    return a.failed ? (fprintf(stderr, "fathom plot: out of memory\n"), CLI_FAILED) : CLI_DONE;
}
