#include "bridges.h"

#include <stdio.h>
#include <string.h>

#include "page.h"
#include "page/live_show.h"
#include "page/page_door.h"
#include "server/bridges.h"
#include "server/run_host.h"
#include "world/model.h"

enum { COUNTERS = 256 };

static void print_line(void *user, const char *text)
{
    const cli_run_host_options *o = user;
    fprintf(stderr, "fathom %s: %s\n", o->command, text);
    if (o->show)
        fm_live_show_report(o->show, text);
}

static void print_urls(void *unused, const fm_web_url *urls, size_t count)
{
    (void)unused;
    cli_page_print(stderr, "", urls, count);
}

static fm_status add_page(const cli_run_host_options *o, fm_run_host *run_host, fm_error *error)
{
    fm_page_options page = {.http = o->http, .scenario = o->scenario, .speed = o->speed, .opened = print_urls};
    fm_door door;
    fm_status status = o->http ? fm_page_door(&page, &door, error) : FM_OK;
    return status == FM_OK && o->http ? fm_host_add(fm_run_host_base(run_host), &door, error) : status;
}

static fm_status open_all(const cli_run_host_options *o, fm_run *run, fm_run_host **run_host, fm_error *error)
{
    fm_run_host_options options = {.pace.speed = o->speed, .tell = print_line, .user = (void *)(uintptr_t)o};
    *run_host = fm_run_host_create(run, &options, error);
    if (!*run_host)
        return error->status;
    fm_status status = fm_bridges_add(fm_run_host_base(*run_host), error);
    if (status == FM_OK)
        status = add_page(o, *run_host, error);
    return status == FM_OK ? fm_run_host_start(*run_host, error) : status;
}

int cli_run_host_open(const cli_run_host_options *o, fm_run *run, cli_run_host **result)
{
    fm_error error = {0};
    fm_run_host *run_host = NULL;
    *result = NULL;
    if (!o->http && fm_world_model(fm_run_world(run))->bridge_count == 0)
        return 1;
    fm_status status = open_all(o, run, &run_host, &error);
    if (status != FM_OK) {
        fprintf(stderr, "fathom %s: %s%s\n", o->command, o->http ? "--http: " : "", error.text);
        fm_run_finish(run, NULL);
        fm_run_host_free(run_host);
        return 0;
    }
    *result = (cli_run_host *)run_host;
    return 1;
}

void cli_run_host_close(const char *command, cli_run_host *opened)
{
    fm_run_host *run_host = (fm_run_host *)opened;
    fm_wire_counter counters[COUNTERS];
    if (!run_host)
        return;
    size_t count = fm_host_counters(fm_run_host_base(run_host), counters, COUNTERS);
    for (size_t i = 0; i < count && i < COUNTERS; i++)
        if (strstr(counters[i].name, "/drop/") && counters[i].value > 0)
            fprintf(stderr, "fathom %s: %s: %.0f\n", command, counters[i].name, counters[i].value);
    fm_run_host_free(run_host);
}
