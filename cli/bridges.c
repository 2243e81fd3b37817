#include "bridges.h"

#include <stdio.h>
#include <string.h>

#include "page.h"
#include "page/live_show.h"
#include "page/page_door.h"
#include "server/beside.h"
#include "server/bridges.h"
#include "world/model.h"

enum { COUNTERS = 256 };

static void print_line(void *user, const char *text)
{
    const cli_beside_options *o = user;
    fprintf(stderr, "fathom %s: %s\n", o->command, text);
    if (o->show)
        fm_live_show_report(o->show, text);
}

static void print_urls(void *unused, const fm_web_url *urls, size_t count)
{
    (void)unused;
    cli_page_print(stderr, "", urls, count);
}

static fm_status add_page(const cli_beside_options *o, fm_beside *beside, fm_error *error)
{
    fm_page_options page = {.http = o->http, .scenario = o->scenario, .speed = o->speed, .opened = print_urls};
    fm_door door;
    fm_status status = o->http ? fm_page_door(&page, &door, error) : FM_OK;
    return status == FM_OK && o->http ? fm_place_add(fm_beside_place(beside), &door, error) : status;
}

static fm_status open_all(const cli_beside_options *o, fm_run *run, fm_beside **beside, fm_error *error)
{
    fm_beside_options options = {.pace.speed = o->speed, .tell = print_line, .user = (void *)(uintptr_t)o};
    *beside = fm_beside_create(run, &options, error);
    if (!*beside)
        return error->status;
    fm_status status = fm_bridges_add(fm_beside_place(*beside), error);
    if (status == FM_OK)
        status = add_page(o, *beside, error);
    return status == FM_OK ? fm_beside_start(*beside, error) : status;
}

int cli_beside_open(const cli_beside_options *o, fm_run *run, cli_beside **result)
{
    fm_error error = {0};
    fm_beside *beside = NULL;
    *result = NULL;
    if (!o->http && fm_world_model(fm_run_world(run))->bridge_count == 0)
        return 1;
    fm_status status = open_all(o, run, &beside, &error);
    if (status != FM_OK) {
        fprintf(stderr, "fathom %s: %s%s\n", o->command, o->http ? "--http: " : "", error.text);
        fm_run_finish(run, NULL);
        fm_beside_free(beside);
        return 0;
    }
    *result = (cli_beside *)beside;
    return 1;
}

void cli_beside_close(const char *command, cli_beside *opened)
{
    fm_beside *beside = (fm_beside *)opened;
    fm_wire_counter counters[COUNTERS];
    if (!beside)
        return;
    size_t count = fm_place_counters(fm_beside_place(beside), counters, COUNTERS);
    for (size_t i = 0; i < count && i < COUNTERS; i++)
        if (strstr(counters[i].name, "/drop/") && counters[i].value > 0)
            fprintf(stderr, "fathom %s: %s: %.0f\n", command, counters[i].name, counters[i].value);
    fm_beside_free(beside);
}
