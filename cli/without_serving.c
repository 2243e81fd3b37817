/* The commands that need the network, in a program that was built without it: they say so. */
#include <stdio.h>

#include "bench.h"
#include "bridges.h"
#include "commands.h"
#include "local.h"
#include "overlay_live.h"
#include "world/model.h"

static const char about[] = "This program was built without its server, which needs libuv, libsodium, libwebsockets "
                            "and jansson (packages.txt).";

static int refuse(int argc, char **argv)
{
    (void)argc;
    fprintf(stderr, "fathom %s: %s\n", argv[0], about);
    return CLI_FAILED;
}

int cli_local_attach(const char *command, fm_run *run, const cli_local *local)
{
    (void)run;
    int asked = local->shared || local->telemetry >= 0 || local->hardware >= 0;
    if (asked)
        fprintf(stderr, "fathom %s: %s\n", command, about);
    return !asked;
}

int cli_overlay_live_attach(const char *command, fm_run *run, const char *vehicle, const char *at,
                            struct fm_place *place, cli_overlay_counts **counts)
{
    (void)run, (void)vehicle, (void)place, (void)counts;
    return fprintf(stderr, "fathom %s: --overlay udp:%s: %s\n", command, at, about), 0;
}

void cli_overlays_close(const char *command, cli_overlay_counts *counts)
{
    (void)command, (void)counts;
}

int cli_beside_open(const cli_beside_options *o, fm_run *run, cli_beside **beside)
{
    *beside = NULL;
    if (o->http)
        return fprintf(stderr, "fathom %s: --http: %s\n", o->command, about), 0;
    if (fm_world_model(fm_run_world(run))->bridge_count > 0)
        return fprintf(stderr, "fathom %s: a bridge: %s\n", o->command, about), 0;
    return 1;
}

void cli_beside_close(const char *command, cli_beside *beside)
{
    (void)command;
    (void)beside;
}

const cli_command cli_view_command = {
    .name = "view", .section = "simulate", .text = "(not in this build)", .about = about, .main = refuse};
const cli_command cli_serve_command = {
    .name = "serve", .section = "simulate", .text = "(not in this build)", .about = about, .main = refuse};
const cli_command cli_ctl_command = {
    .name = "ctl", .section = "simulate", .text = "(not in this build)", .about = about, .main = refuse};

const cli_command cli_dis_command = {
    .name = "dis", .section = "tools", .text = "(not in this build)", .about = about, .main = refuse};

void bench_serve(bench_report *report)
{
    (void)report; /* nothing to measure */
}

void bench_client_sizes(bench_report *report)
{
    (void)report; /* nothing to measure */
}

void bench_bridges(bench_report *report)
{
    (void)report; /* nothing to measure */
}

void bench_dis(bench_report *report)
{
    (void)report;
}
