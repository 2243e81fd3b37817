#include "overlay_live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "environment/environment.h"
#include "run/run.h"
#include "server/overlay_live.h"
#include "world/world.h"

struct cli_overlay_counts {
    char vehicle[FM_OVERLAY_NAME];
    fm_overlay_counts counts;
    struct cli_overlay_counts *next;
};

/* "5000", "127.0.0.1:5000", "[::1]:5000" */
static int read_position(const char *text, char *address, size_t size, int *port)
{
    const char *colon = strrchr(text, ':'), *digits = colon ? colon + 1 : text;
    size_t length = colon ? (size_t)(colon - text) : 0;
    char *end;
    long number = strtol(digits, &end, 10);
    if (colon && length >= 2 && text[0] == '[' && text[length - 1] == ']')
        text++, length -= 2;
    if (!*digits || *end || *digits < '0' || *digits > '9' || number > 65535 || length >= size || (colon && !length))
        return 0;
    snprintf(address, size, "%.*s", colon ? (int)length : 9, colon ? text : "127.0.0.1");
    *port = (int)number;
    return 1;
}

int cli_overlay_live_attach(const char *command, fm_run *run, const char *vehicle, const char *at, struct fm_host *host,
                            cli_overlay_counts **counts)
{
    char address[64];
    int port, bound = 0;
    fm_error error = {0};
    if (!read_position(at, address, sizeof address, &port))
        return fprintf(stderr, "fathom %s: --overlay udp:%s: must be udp:PORT or udp:ADDR:PORT\n", command, at), 0;
    const fm_environment *e = fm_run_world(run)->model->environment;
    const fm_geodetic origin = {e->latitude, e->longitude, 0};
    cli_overlay_counts *own = calloc(1, sizeof *own);
    fm_overlay_live *live = own ? fm_overlay_live_open(address, port, &origin, &bound, &error) : NULL;
    if (!live) {
        free(own);
        return fprintf(stderr, "fathom %s: --overlay udp:%s: %s\n", command, at, error.text), 0;
    }
    if (host)
        fm_overlay_live_count(live, host);
    snprintf(own->vehicle, sizeof own->vehicle, "%.31s", vehicle);
    own->next = *counts;
    *counts = own;
    fm_overlay_source source = fm_overlay_live_source(live, &own->counts);
    if (fm_run_overlay(run, vehicle, &source, &error) != FM_OK)
        return fprintf(stderr, "fathom %s: --overlay udp:%s: %s\n", command, at, error.text), 0;
    bool six = strchr(address, ':') != NULL;
    fprintf(stderr, "fathom %s: overlay of %s: telemetry at udp:%s%s%s:%d\n", command, vehicle, six ? "[" : "", address,
            six ? "]" : "", bound);
    fflush(stderr);
    return 1;
}

static void print_counts(const char *command, const cli_overlay_counts *c)
{
    const fm_overlay_counts *n = &c->counts;
    const struct {
        const char *name;
        uint64_t count;
    } drops[] = {{"malformed", n->dropped[FM_TELEMETRY_MALFORMED]},
                 {"out of range", n->dropped[FM_TELEMETRY_RANGE]},
                 {"without a quantity", n->dropped[FM_TELEMETRY_EMPTY]},
                 {"late", n->late},
                 {"from other senders", n->foreign},
                 {"replaced by a newer one before a step", n->passed}};
    fprintf(stderr, "fathom %s: overlay of %s: %llu lines, %llu used", command, c->vehicle,
            (unsigned long long)n->lines, (unsigned long long)n->taken);
    for (size_t i = 0; i < sizeof drops / sizeof *drops; i++)
        if (drops[i].count)
            fprintf(stderr, ", %llu %s", (unsigned long long)drops[i].count, drops[i].name);
    fprintf(stderr, "\n");
}

void cli_overlays_close(const char *command, cli_overlay_counts *counts)
{
    while (counts) {
        cli_overlay_counts *c = counts;
        counts = c->next;
        print_counts(command, c);
        free(c);
    }
}
