/* fathom serve: a scenario that external software connects to. */
#include <fathom/server.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "bridges.h"
#include "commands.h"
#include "inputs.h"
#include "interrupt.h"
#include "local.h"
#include "local/local_doors.h"
#include "overlay.h"
#include "page.h"
#include "page/page_door.h"
#include "realtime.h"
#include "scenario.h"
#include "server/seal.h"
#include "server/server.h"
#include "world/model.h"

typedef struct serve_options {
    cli_scenario scenario;
    const char *bind, *socket, *key, *log, *shared, *http, *token;
    double speed, duration;
    int64_t port, seed, threads, priority;
    bool lockstep, stopped, fast, quiet;
    cli_bridges bridges;
    cli_local loops;
    cli_overlays overlays;
} serve_options;

static const cli_option argument_table[] = {
    {"FILE", CLI_FIELD(serve_options, scenario.file), .noun = "scenario", .required = true, .path = CLI_FILE,
     .endings = ".xml", .text = "the scenario: a file, or a name listed by `fathom scenarios`"},
};

static const cli_option option_table[] = {
    {"bind", CLI_FIELD(serve_options, bind), .value = "ADDR", .section = "where", .fallback = "127.0.0.1",
     .text = "numeric address to bind to; addresses other than loopback need --key"},
    {"port", CLI_FIELD(serve_options, port), .value = "N", .min = 0, .max = 65535,
     .text = "UDP port; default: that of <server> (4040); 0: any free port, which is printed"},
    {"socket", CLI_FIELD(serve_options, socket), .value = "PATH", .path = CLI_FILE,
     .text = "an additional Unix-domain socket with the same messages"},
    {"key", CLI_FIELD(serve_options, key), .value = "FILE", .path = CLI_FILE,
     .text = "a file with a secret of 32 bytes or 64 hexadecimal digits, shared with the clients: every message is "
             "authenticated with it"},
    {"speed", CLI_FIELD(serve_options, speed), .value = "X", .min = 1e-6, .max = 1e9, .section = "run",
     .text = "times real time; default: 1"},
    {"fast", CLI_FIELD(serve_options, fast), .excludes = "speed",
     .text = "run as fast as possible; the default in lock-step unless --speed is given"},
    {"lockstep", CLI_FIELD(serve_options, lockstep),
     .text = "each step waits for the participating clients, so the run is the same every time"},
    {"stopped", CLI_FIELD(serve_options, stopped), .text = "wait for the command `start`"},
    {"duration", CLI_FIELD(serve_options, duration), .value = "S", .min = 1e-6, .max = 1e9,
     .text = "seconds to simulate; default: until the command `quit`"},
    {"seed", CLI_FIELD(serve_options, seed), .value = "N", .min = 0, .max = 9007199254740992.0,
     .text = "seed of the random numbers; default: the scenario's"},
    {"threads", CLI_FIELD(serve_options, threads), .value = "N", .min = 1, .max = 1024, .fallback = "1",
     .text = "number of threads; the result does not depend on it"},
    CLI_PRIORITY_OPTION(serve_options, priority),
    {"set", CLI_FIELD(serve_options, scenario.sets), .value = "PATH=VALUE",
     .text = "set a parameter (see `fathom params FILE`); may be repeated"},
    {"log", CLI_FIELD(serve_options, log), .value = "FILE.mcap", .path = CLI_FILE, .endings = ".mcap",
     .section = "output", .text = "record all channels and the inputs of clients (see `fathom replay`)"},
    {"shared", CLI_FIELD(serve_options, shared), .value = "NAME", .section = "programs on this computer",
     .text = "shared memory /fathom-simulation-NAME and /fathom-clients-NAME, and the command queue "
             "/fathom-commands-NAME (docs/shared-memory.md)"},
    {"telemetry-loop", CLI_FIELD(serve_options, loops.telemetry), .value = "PORT", .min = 0, .max = 65535,
     .excludes = "lockstep speed fast",
     .text = "advance only with telemetry records of the NPS AUV's software on this UDP port of 127.0.0.1; default: "
             "that of <server> (docs/shared-memory.md); 0: any free port, which is printed"},
    {"hardware-loop", CLI_FIELD(serve_options, loops.hardware), .value = "PORT", .min = 0, .max = 65535,
     .excludes = "telemetry-loop lockstep speed fast", .text = "the same with the hardware record of Snookie"},
    {"http", CLI_FIELD(serve_options, http), .value = "ADDR:PORT", .section = "page",
     .text = "also serve the page (see `fathom view`)"},
    {"token", CLI_FIELD(serve_options, token), .value = "TEXT", .needs = "http",
     .text = "token that viewers need; default: one is generated if other computers can reach the address"},
    CLI_OVERLAY_OPTIONS(serve_options, overlays),
    CLI_BRIDGE_OPTIONS(serve_options, bridges),
    {"quiet", CLI_FIELD(serve_options, quiet), .section = "output", .text = "do not print joining and leaving clients"},
};

const cli_command cli_serve_command = {
    .name = "serve",
    .section = "simulate",
    .text = "serve a scenario to on-board software",
    .about = "Simulates a scenario in real time as a server. Clients add vehicles or control those of the scenario, "
             "read states and sensors, and send and receive sound (docs/live.md, docs/protocol.md). `fathom ctl` sends "
             "commands from a shell.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .examples = "  fathom serve scenarios/phoenix-turn.xml\n"
                "  fathom serve harbour.xml --bind 0.0.0.0 --key harbour.key --log day.mcap\n"
                "  fathom serve scenarios/phoenix-turn.xml --lockstep --log run.mcap\n",
    .done = "it was ended by a signal or a command",
    .main = cli_serve,
};

static fm_server *serving;

static void take_signal(int number)
{
    fm_server_stop(serving);
    cli_interrupt_hurry(fm_run_world(fm_host_run(fm_server_host(serving))), number);
}

static void watch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction action = {.sa_handler = take_signal, .sa_flags = (int)SA_RESETHAND}; /* twice: at once */
        sigemptyset(&action.sa_mask);
        sigaction(numbers[i], &action, NULL);
    }
}

static void print_line(void *user, const char *text)
{
    const serve_options *o = user;
    if (!o->quiet)
        fprintf(stderr, "fathom serve: %s\n", text);
}

static int fail(const fm_error *error)
{
    fprintf(stderr, "fathom serve: %s\n", error->text);
    return CLI_FAILED;
}

static int has_loop(const serve_options *o)
{
    return o->loops.telemetry >= 0 || o->loops.hardware >= 0;
}

/* The options have priority over the scenario. */
static void choose_loop(serve_options *o, const fm_server_settings *s)
{
    if (has_loop(o))
        return;
    o->loops.telemetry = s->telemetry_loop > 0 ? s->telemetry_loop : -1;
    o->loops.hardware = s->hardware_loop > 0 ? s->hardware_loop : -1;
}

static fm_server *open_server(serve_options *o, const fm_model *model, uint8_t key[FM_WIRE_KEY], fm_error *error)
{
    fm_server_options options = {.address = o->bind,
                                 .port = o->port < 0    ? 0
                                         : o->port == 0 ? -1
                                                        : (int)o->port,
                                 .socket = o->socket,
                                 .speed = o->speed > 0 ? o->speed : 0,
                                 .unpaced = o->fast,
                                 .lockstep = o->lockstep,
                                 .stopped = o->stopped || has_loop(o),
                                 .log = o->log,
                                 .duration = o->duration > 0 ? o->duration : 0,
                                 .seed = o->seed,
                                 .threads = (int)o->threads,
                                 .priority = (int)o->priority,
                                 .tell = print_line,
                                 .user = o};
    if (o->key && fm_seal_read_key(o->key, key, error) != FM_OK)
        return NULL;
    options.key = o->key ? key : NULL;
    return fm_server_create(model, &options, error);
}

static double counter(const char *name)
{
    fm_wire_counter counters[128];
    size_t count = fm_server_counters(serving, counters, 128);
    for (size_t i = 0; i < count && i < 128; i++)
        if (strcmp(counters[i].name, name) == 0)
            return counters[i].value;
    return 0;
}

/* Errors of the disk are returned as an error. */
static void print_losses(void)
{
    double dropped = counter("log/dropped");
    if (dropped > 0)
        fprintf(stderr, "fathom serve: log: %.0f messages were not written to disk in time and are missing\n", dropped);
}

static void print_urls(void *unused, const fm_web_url *urls, size_t count)
{
    (void)unused;
    cli_page_print(stdout, "page at ", urls, count);
}

/* A client that reads this line can connect: it is printed by a door of its own, after the bridges, which are open by
 * then. */
static fm_status print_address(void *user, fm_host *host, fm_error *error)
{
    const serve_options *o = user;
    (void)host, (void)error;
    printf("serving at %s port %d%s%s\n", o->bind, fm_server_port(serving), o->socket ? " and " : "",
           o->socket ? o->socket : "");
    fflush(stdout);
    return FM_OK;
}

static fm_status add_doors(serve_options *o, fm_error *error)
{
    const fm_door address = {.name = "address", .open = print_address, .user = o};
    fm_page_options page = {.http = o->http, .token = o->token, .scenario = o->scenario.file, .opened = print_urls};
    fm_door door;
    fm_status status = FM_OK;
    if (o->shared)
        status = fm_server_share(serving, o->shared, error);
    if (o->shared && status == FM_OK)
        status = fm_server_open_queue(serving, o->shared, error);
    if (status == FM_OK)
        status = fm_server_add_door(serving, &address, error);
    if (o->http && status == FM_OK)
        status = fm_page_door(&page, &door, error);
    return o->http && status == FM_OK ? fm_server_add_door(serving, &door, error) : status;
}

static int run_server(serve_options *o, cli_overlay_counts **counts)
{
    fm_error error = {0};
    fm_run *run = fm_host_run(fm_server_host(serving));
    if (!cli_overlays_attach("serve", run, &o->overlays, fm_server_host(serving), counts) ||
        !cli_local_attach("serve", run, &o->loops))
        return CLI_FAILED;
    if (add_doors(o, &error) != FM_OK)
        return fail(&error);
    watch_signals();
    fm_status status = fm_server_run(serving, &error);
    cli_interrupt_calm();
    print_losses();
    fm_server_state state = fm_server_get_state(serving);
    if (!o->quiet)
        cli_realtime_print("serve", &state.counts);
    return status == FM_OK ? CLI_DONE : fail(&error);
}

static int serve(serve_options *o, const fm_model *model)
{
    fm_error error = {0};
    uint8_t key[FM_WIRE_KEY];
    cli_overlay_counts *counts = NULL;
    choose_loop(o, model->server);
    serving = open_server(o, model, key, &error);
    if (!serving)
        return fail(&error);
    int result = run_server(o, &counts);
    fm_server_free(serving);
    cli_overlays_close("serve", counts);
    return result;
}

int cli_serve(int argc, char **argv)
{
    serve_options o = {
        .bind = "127.0.0.1", .port = -1, .seed = -1, .threads = 1, .loops = {.telemetry = -1, .hardware = -1}};
    int status;
    if (!cli_options_read(&cli_serve_command, argc, argv, &o, &status))
        return status;
    o.scenario.warned = !o.quiet;
    cli_bridges_give(&o.bridges, &o.scenario);
    fm_model *model = cli_load(&o.scenario);
    if (!model)
        return CLI_FAILED;
    status = o.log && !cli_output_apart_from_model("serve", "--log", o.log, model) ? CLI_FAILED : serve(&o, model);
    fm_model_free(model);
    return status;
}
