/* fathom ctl: sends commands to a server from a shell, and lists its contents. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "commands.h"
#include "local/local_doors.h"
#include "server/caller.h"
#include "server/command_text.h"
#include "server/seal.h"
#include "server/server.h"
#include "summary.h"

typedef struct ctl_options {
    cli_words words;
    const char *address, *socket, *key, *queue;
    int64_t port;
    double timeout;
    bool json;
} ctl_options;

static const cli_option argument_table[] = {
    {"COMMAND", CLI_FIELD(ctl_options, words), .noun = "command", .required = true,
     .text = "the command and its arguments",
     .words = "get clients vehicles stats params models actuators owners setpoints controllers instruments fields"
#define FM_COMMAND_WITH(name, NAME, number, word, ...) " " word
#include <fathom/command_table.h>
    },
};

static const cli_option option_table[] = {
    {"address", CLI_FIELD(ctl_options, address), .value = "ADDR", .fallback = "127.0.0.1",
     .text = "numeric address of the server"},
    {"port", CLI_FIELD(ctl_options, port), .value = "N", .min = 1, .max = 65535, .fallback = "4040",
     .text = "of the server"},
    {"socket", CLI_FIELD(ctl_options, socket), .value = "PATH", .path = CLI_FILE, .excludes = "address port",
     .text = "the server's Unix-domain socket, instead of UDP"},
    {"queue", CLI_FIELD(ctl_options, queue), .value = "NAME", .excludes = "address port socket key json",
     .text = "the command queue of `fathom serve --shared NAME`, instead of UDP; commands only"},
    {"key", CLI_FIELD(ctl_options, key), .value = "FILE", .path = CLI_FILE, .text = "key file of the server"},
    {"timeout", CLI_FIELD(ctl_options, timeout), .value = "S", .min = 0.1, .max = 3600, .fallback = "2",
     .text = "how long to wait for an answer"},
    {"json", CLI_FIELD(ctl_options, json), .text = "lists and results as JSON"},
};

const cli_command cli_ctl_command = {
    .name = "ctl",
    .section = "simulate",
    .text = "command a server, list its clients",
    .about =
        "Sends one command to `fathom serve` and prints the answer.\n\n"
        "Commands: "
#define SHOWN_NEEDED(words) " <" words ">"
#define SHOWN_UNSET(words) " <" words ">"
#define SHOWN_OPTIONAL(words) " [<" words ">]"
#define FM_COMMAND_WITH(name, NAME, number, word, ...) word
#define FM_COMMAND_END(name) "; "
#define FM_ARG_NAME(self, member, size, need, ...) SHOWN_##need(#member)
#define FM_ARG_NUMBER(self, member, need, ...) SHOWN_##need(#member)
#define FM_ARG_VECTOR(self, member, need, words, ...) SHOWN_##need(words)
#define FM_ARG_WHOLE(self, member, need, ...) SHOWN_##need(#member)
#define FM_ARG_BYTES(self, member, need, ...) SHOWN_##need(#member)
#include <fathom/command_table.h>
        "each is described in docs/protocol.md. Numbers are SI and radians, or followed by a unit as in scenarios: `45 "
        "deg`, `1500 rpm`, `1020 kg/m3`. Words may be left out from the end where they are in [brackets].\n\n"
        "An order holds its actuator until it is released: what the scenario or a controller of the vehicle orders "
        "waits meanwhile. `take` also refuses the orders of other clients.\n\n"
        "`get PATH` prints a parameter with its unit.\n\n"
        "Lists: clients; vehicles; stats; params [PATTERN]; models; actuators VEHICLE; owners VEHICLE; setpoints "
        "VEHICLE; controllers VEHICLE; instruments VEHICLE; fields VEHICLE.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .examples = "  fathom ctl clients\n"
                "  fathom ctl get /water/density\n"
                "  fathom ctl set /water/density 1010 kg/m3\n"
                "  fathom ctl step 10 --socket /run/fathom.sock\n"
                "  fathom ctl order lauv propeller 1500 rpm\n"
                "  fathom ctl desire lauv heading 45 deg\n"
                "  fathom ctl owners lauv\n"
                "  fathom ctl release lauv\n"
                "  fathom ctl stats --json\n",
    .failed = "no server answers, or it refuses",
    .main = cli_ctl,
};

/* --- words into a command --- */

static bool join_words(const ctl_options *o, char *text, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < o->words.count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? " " : "", o->words.items[i]);
    return used < size || fprintf(stderr, "fathom ctl: the command is too long\n") < 0;
}

/* Through the message queue instead of the network. */
static int ask_queue(const ctl_options *o, const char *text)
{
    fm_error error = {0};
    char answer[256];
    if (fm_queue_ask(o->queue, text, o->timeout, answer, sizeof answer, &error) != FM_OK)
        return fprintf(stderr, "fathom ctl: %s\n", error.text), CLI_FAILED;
    printf("%s\n", answer);
    return CLI_DONE;
}

/* --- units of values, asked of the server --- */

/* Calls the server when it is first needed. */
typedef struct connection {
    const ctl_options *options;
    fm_caller *caller; /* NULL: not yet */
    bool failed;       /* the server could not be asked: no fault of the command */
    uint8_t key[FM_WIRE_KEY];
} connection;

static fm_caller *call_server(connection *c, fm_error *error);

static fm_caller *reach(connection *c, fm_error *error)
{
    if (!c->caller && !(c->caller = call_server(c, error)))
        c->failed = true;
    return c->caller;
}

/* A record searched by name, and what is similar. */
typedef struct sought {
    const char *name;
    fm_wire_parameter parameter; /* the one found, with its unit */
    uint16_t number;             /* of a vehicle */
    bool found;
    fm_nearest nearest;
    char texts[FM_NEAREST + 1][96];
} sought;

/* '-' and '_' are the same in names. */
static bool same_name(const char *a, const char *b)
{
    for (; *a && (*a == '_' ? '-' : *a) == (*b == '_' ? '-' : *b); a++)
        b++;
    return *a == *b;
}

static bool compare_name(sought *s, const char *name)
{
    size_t room = 0;
    s->nearest.wanted = s->name;
    for (size_t i = 0; i < s->nearest.count;)
        if (s->nearest.names[i] == s->texts[room])
            room++, i = 0;
        else
            i++;
    snprintf(s->texts[room], sizeof s->texts[room], "%s", name);
    fm_nearest_offer(&s->nearest, s->texts[room]);
    return same_name(name, s->name);
}

static void seek_vehicle(void *user, fm_wire_in *in)
{
    sought *s = user;
    fm_wire_vehicle v;
    if (fm_wire_get_vehicle(in, &v) && compare_name(s, v.name))
        s->found = true, s->number = v.number;
}

static void keep_unit(sought *s, const char *unit)
{
    s->found = true;
    snprintf(s->parameter.unit, sizeof s->parameter.unit, "%s", unit);
}

static void seek_actuator(void *user, fm_wire_in *in)
{
    fm_wire_actuator a;
    if (fm_wire_get_actuator(in, &a) && compare_name(user, a.name))
        keep_unit(user, a.unit);
}

static void seek_setpoint(void *user, fm_wire_in *in)
{
    fm_wire_setpoint p;
    if (fm_wire_get_setpoint(in, &p) && compare_name(user, p.name))
        keep_unit(user, p.unit);
}

static void seek_parameter(void *user, fm_wire_in *in)
{
    sought *s = user;
    fm_wire_parameter p;
    if (fm_wire_get_parameter(in, &p) && compare_name(s, p.path))
        s->found = true, s->parameter = p;
}

/* Fails with similar names where it is not found. */
static fm_status seek(connection *c, int what, uint16_t vehicle, const char *noun, sought *s,
                      void (*visit)(void *user, fm_wire_in *record), fm_error *error)
{
    char near[400];
    if (!reach(c, error))
        return error->status;
    fm_status status = fm_caller_list(c->caller, what, vehicle, NULL, visit, s, error);
    if (status != FM_OK)
        return c->failed = true, status;
    return s->found ? FM_OK
                    : fm_fail(error, FM_ERR_NAME, "unknown %s '%.96s'%s", noun, s->name,
                              fm_nearest_write(&s->nearest, near, sizeof near));
}

/* fm_unit_of_value: `user` is the connection. */
static fm_status ask_unit(void *user, const fm_command *command, char *unit, size_t size, fm_error *error)
{
    sought thing = {0}, vehicle = {0};
    fm_status status = FM_OK;
    if (command->kind == FM_COMMAND_SET) {
        thing.name = command->set.path;
        status = seek(user, FM_WIRE_PARAMETERS, 0, "parameter", &thing, seek_parameter, error);
    } else if (command->kind == FM_COMMAND_ORDER || command->kind == FM_COMMAND_DESIRE) {
        const bool order = command->kind == FM_COMMAND_ORDER;
        vehicle.name = order ? command->order.vehicle : command->desire.vehicle;
        thing.name = order ? command->order.actuator : command->desire.what;
        status = seek(user, FM_WIRE_VEHICLES, 0, "vehicle", &vehicle, seek_vehicle, error);
        if (status == FM_OK)
            status = order ? seek(user, FM_WIRE_ACTUATORS, vehicle.number, "actuator", &thing, seek_actuator, error)
                           : seek(user, FM_WIRE_SETPOINTS, vehicle.number, "set point", &thing, seek_setpoint, error);
    } else {
        status = fm_fail(error, FM_ERR_UNIT, "a unit is not accepted here: write the value in SI");
    }
    snprintf(unit, size, "%s", thing.parameter.unit);
    return status;
}

static bool read_command(const char *text, connection *c, fm_command *command)
{
    fm_error error = {0};
    /* without a network connection, values are SI */
    return fm_command_read_in(text, strlen(text), c->options->queue ? NULL : ask_unit, c, command, &error) == FM_OK ||
           fprintf(stderr, "fathom ctl: %s\n", error.text) < 0;
}

static int get_parameter(const ctl_options *o, connection *c)
{
    fm_error error = {0};
    if (o->words.count != 2)
        return fprintf(stderr, "fathom ctl: get needs one path: fathom ctl get /water/density\n"), CLI_USAGE;
    sought s = {.name = o->words.items[1]};
    if (seek(c, FM_WIRE_PARAMETERS, 0, "parameter", &s, seek_parameter, &error) != FM_OK)
        return fprintf(stderr, "fathom ctl: %s\n", error.text), CLI_FAILED;
    if (o->json) {
        printf("{\"path\": ");
        cli_json_text(stdout, s.parameter.path);
        printf(", \"unit\": ");
        cli_json_text(stdout, s.parameter.unit);
        printf(", \"value\": ");
        cli_json_number(stdout, s.parameter.value);
        printf("}\n");
    } else {
        printf("%.10g%s%s\n", s.parameter.value, s.parameter.unit[0] ? " " : "", s.parameter.unit);
    }
    return CLI_DONE;
}

static int do_command(const ctl_options *o, fm_caller *caller, const fm_command *command, fm_error *error)
{
    fm_wire_result result;
    if (fm_caller_command(caller, command, &result, error) != FM_OK)
        return fprintf(stderr, "fathom ctl: %s\n", error->text), CLI_FAILED;
    if (o->json) {
        printf("{\"code\": %u, \"time\": %.4f, \"value\": ", result.code, (double)result.time * 1e-4);
        cli_json_number(stdout, result.value);
        printf(", \"text\": ");
        cli_json_text(stdout, result.text);
        printf("}\n");
    } else if (result.code != FM_WIRE_DONE) {
        fprintf(stderr, "fathom ctl: refused (%u)%s%s\n", result.code, result.text[0] ? ": " : "", result.text);
    } else {
        printf("%s at %.4f s\n", o->words.items[0], (double)result.time * 1e-4);
    }
    return result.code == FM_WIRE_DONE ? CLI_DONE : CLI_FAILED;
}

/* --- lists --- */

typedef struct listing {
    bool json;
    size_t count;
} listing;

static void begin_record(listing *l)
{
    if (l->json)
        printf("%s\n  {", l->count ? "," : "");
    l->count++;
}

static void put_text(const listing *l, const char *name, const char *text, int width)
{
    if (!l->json) {
        printf("%-*s ", width, text[0] ? text : "-");
        return;
    }
    printf("\"%s\": ", name);
    cli_json_text(stdout, text);
    printf(", ");
}

static void put_number(const listing *l, const char *name, double value, const char *format, bool last)
{
    char text[40];
    snprintf(text, sizeof text, format, value);
    if (!l->json) {
        printf("%s%s", text, last ? "\n" : " ");
        return;
    }
    printf("\"%s\": ", name);
    cli_json_number(stdout, value);
    printf("%s", last ? "}" : ", ");
}

static void print_client(void *user, fm_wire_in *in)
{
    listing *l = user;
    fm_wire_client c;
    char address[64];
    fm_wire_get_client(in, &c);
    begin_record(l);
    snprintf(address, sizeof address, "%s:%u", c.address, c.port);
    put_number(l, "id", c.id, "%4.0f", false);
    put_text(l, "name", c.name, 16);
    put_text(l, "role", fm_role_name((fm_wire_role)c.role), 10);
    put_text(l, "model", c.model, 14);
    put_text(l, "address", address, 22);
    put_text(l, "state", c.flags & FM_WIRE_CLIENT_CONNECTED ? "connected" : "lost", 9);
    put_number(l, "lockstep", (c.flags & FM_WIRE_CLIENT_LOCKSTEP) != 0, "lockstep %.0f", false);
    put_number(l, "vehicle", c.vehicle, "vehicle %.0f", false);
    put_number(l, "reply_ms", (double)c.reply * 1e-6, "reply %.3f ms", false);
    put_number(l, "silence_ms", c.silence, "silent %.0f ms", false);
    put_number(l, "received", (double)c.received, "received %.0f", false);
    put_number(l, "sent", (double)c.sent, "sent %.0f", false);
    put_number(l, "dropped", (double)c.dropped, "dropped %.0f", true);
}

static void print_vehicle(void *user, fm_wire_in *in)
{
    listing *l = user;
    fm_wire_vehicle v;
    fm_wire_get_vehicle(in, &v);
    begin_record(l);
    put_text(l, "name", v.name, 20);
    put_text(l, "model", v.model, 20);
    put_number(l, "number", v.number, "number %.0f", false);
    put_number(l, "client", v.client, "client %.0f", true);
}

static void print_counter(void *user, fm_wire_in *in)
{
    listing *l = user;
    fm_wire_counter c;
    fm_wire_get_counter(in, &c);
    begin_record(l);
    put_text(l, "name", c.name, 20);
    put_number(l, "value", c.value, "%.10g", true);
}

static void print_parameter(void *user, fm_wire_in *in)
{
    listing *l = user;
    fm_wire_parameter p;
    fm_wire_get_parameter(in, &p);
    begin_record(l);
    put_text(l, "path", p.path, 40);
    put_text(l, "unit", p.unit, 8);
    put_text(l, "kind", p.live ? "live" : "load", 4);
    put_number(l, "value", p.value, "%.10g", true);
}

static void print_model(void *user, fm_wire_in *in)
{
    listing *l = user;
    fm_wire_model m;
    fm_wire_get_model(in, &m);
    begin_record(l);
    put_text(l, "name", m.name, 1);
    printf(l->json ? "\"brought\": true}" : "\n");
}

static void print_actuator(void *user, fm_wire_in *in)
{
    listing *l = user;
    fm_wire_actuator a;
    fm_wire_get_actuator(in, &a);
    begin_record(l);
    put_text(l, "name", a.name, 24);
    put_text(l, "unit", a.unit, 6);
    put_number(l, "low", a.low, "%10.5g", false);
    put_number(l, "high", a.high, "%10.5g", false);
    put_number(l, "modes", a.modes, "modes 0x%02.0f", true);
}

static void print_instrument(void *user, fm_wire_in *in)
{
    listing *l = user;
    fm_wire_instrument i;
    fm_wire_get_instrument(in, &i);
    begin_record(l);
    put_number(l, "id", i.id, "%3.0f", false);
    put_text(l, "name", i.name, 20);
    put_text(l, "kind", i.kind, 20);
    put_number(l, "period", i.period, "%8.4g s", false);
    put_number(l, "fields", i.fields, "%3.0f fields", false);
    put_number(l, "bytes", i.size, "%6.0f bytes", true);
}

static void print_field(void *user, fm_wire_in *in)
{
    static const char *const types[] = {"?", "f64", "f32", "i64", "u8"};
    listing *l = user;
    fm_wire_field f;
    fm_wire_get_field(in, &f);
    begin_record(l);
    put_number(l, "instrument", f.instrument, "%3.0f", false);
    put_text(l, "name", f.name, 32);
    put_text(l, "type", types[f.type <= 4 ? f.type : 0], 4);
    put_text(l, "unit", f.unit, 8);
    put_number(l, "count", f.count, "%5.0f values", false);
    put_number(l, "offset", f.offset, "at %5.0f", true);
}

static void print_owner(void *user, fm_wire_in *in)
{
    static const char *const kinds[] = {"schedule", "controller", "client", "client"};
    listing *l = user;
    fm_wire_owner o;
    fm_wire_get_owner(in, &o);
    begin_record(l);
    put_text(l, "actuator", o.actuator, 24);
    put_text(l, "owner", o.name, 20);
    put_text(l, "kind", kinds[o.kind & 3], 10);
    put_text(l, "held", o.taken ? "taken" : o.kind >= FM_WIRE_OWNER_SELF ? "ordered" : "-", 7);
    put_number(l, "order", o.order, "%10.5g", true);
}

static void print_setpoint(void *user, fm_wire_in *in)
{
    listing *l = user;
    fm_wire_setpoint s;
    fm_wire_get_setpoint(in, &s);
    begin_record(l);
    put_text(l, "controller", s.part, 20);
    put_text(l, "name", s.name, 14);
    put_text(l, "unit", s.unit, 6);
    put_number(l, "low", s.least, "%10.5g", false);
    put_number(l, "high", s.most, "%10.5g", false);
    if (s.set || l->json)
        put_number(l, "value", s.set ? s.value : NAN, "%10.5g", true);
    else
        printf("   not set\n");
}

static void print_controller(void *user, fm_wire_in *in)
{
    listing *l = user;
    fm_wire_controller c;
    fm_wire_get_controller(in, &c);
    begin_record(l);
    put_text(l, "name", c.name, 20);
    put_text(l, "kind", c.kind, 20);
    put_number(l, "engaged", c.engaged, c.engaged ? "engaged %.0f" : "disengaged %.0f", true);
}

static const struct {
    const char *word;
    int what;
    void (*print)(void *user, fm_wire_in *record);
} lists[] = {
    {"clients", FM_WIRE_CLIENTS, print_client},
    {"vehicles", FM_WIRE_VEHICLES, print_vehicle},
    {"stats", FM_WIRE_COUNTERS, print_counter},
    {"params", FM_WIRE_PARAMETERS, print_parameter},
    {"models", FM_WIRE_MODELS, print_model},
    {"actuators", FM_WIRE_ACTUATORS, print_actuator},
    {"instruments", FM_WIRE_INSTRUMENTS, print_instrument},
    {"fields", FM_WIRE_FIELDS, print_field},
    {"owners", FM_WIRE_OWNERS, print_owner},
    {"setpoints", FM_WIRE_SETPOINTS, print_setpoint},
    {"controllers", FM_WIRE_CONTROLLERS, print_controller},
};
enum { LISTS = sizeof lists / sizeof *lists };

static int find_list(const char *word)
{
    for (int i = 0; i < LISTS; i++)
        if (strcmp(lists[i].word, word) == 0)
            return i;
    return -1;
}

/* Names similar ones, lists included. */
static int unknown_verb(const char *word)
{
    char near[300];
    fm_nearest nearest = {.wanted = word};
    fm_nearest_offer(&nearest, "get");
    for (int i = 0; i < LISTS; i++)
        fm_nearest_offer(&nearest, lists[i].word);
    for (fm_command_kind kind = FM_COMMAND_NONE + 1; kind < FM_COMMAND_KINDS; kind++)
        fm_nearest_offer(&nearest, fm_command_row_of(kind)->word);
    return fprintf(stderr, "fathom ctl: unknown command '%s'%s\n`fathom ctl --help` lists the commands.\n", word,
                   fm_nearest_write(&nearest, near, sizeof near)),
           CLI_USAGE;
}

/* The number of the named vehicle. */
static fm_status look_up(const ctl_options *o, connection *c, uint16_t *number, fm_error *error)
{
    sought vehicle = {.name = o->words.count > 1 ? o->words.items[1] : ""};
    fm_status status = seek(c, FM_WIRE_VEHICLES, 0, "vehicle", &vehicle, seek_vehicle, error);
    *number = vehicle.number;
    return status;
}

static int print_list(const ctl_options *o, connection *c, int which, fm_error *error)
{
    listing l = {.json = o->json};
    int what = lists[which].what;
    const char *pattern = what == FM_WIRE_PARAMETERS && o->words.count > 1 ? o->words.items[1] : NULL;
    int of_vehicle = what <= FM_WIRE_FIELDS || what >= FM_WIRE_OWNERS;
    uint16_t number = 0;
    fm_status status = of_vehicle ? look_up(o, c, &number, error) : FM_OK;
    if (status == FM_OK && o->json)
        printf("[");
    if (status == FM_OK)
        status = fm_caller_list(c->caller, what, number, pattern, lists[which].print, &l, error);
    if (status == FM_OK && o->json)
        printf("\n]\n");
    if (status != FM_OK)
        fprintf(stderr, "fathom ctl: %s\n", error->text);
    return status == FM_OK ? CLI_DONE : CLI_FAILED;
}

/* --- the command --- */

static fm_caller *call_server(connection *c, fm_error *error)
{
    const ctl_options *o = c->options;
    fm_caller_options options = {.address = o->address,
                                 .port = (int)o->port,
                                 .socket = o->socket,
                                 .patience = o->timeout,
                                 .connect = {.role = FM_WIRE_COMMANDER,
                                             .state_period = FM_WIRE_NONE,
                                             .sensor_period = FM_WIRE_NONE,
                                             .flags = FM_WIRE_CONNECT_STAYS}};
    snprintf(options.connect.name, sizeof options.connect.name, "ctl-%ld", (long)getpid());
    if (o->key && fm_seal_read_key(o->key, c->key, error) != FM_OK)
        return NULL;
    options.key = o->key ? c->key : NULL;
    return fm_caller_open(&options, NULL, error);
}

int cli_ctl(int argc, char **argv)
{
    ctl_options o = {.address = "127.0.0.1", .port = 4040, .timeout = 2};
    fm_error error = {0};
    int status;
    if (!cli_options_read(&cli_ctl_command, argc, argv, &o, &status))
        return status;
    int list = find_list(o.words.items[0]);
    char text[FM_COMMAND_TEXT];
    fm_command command = {0};
    connection c = {.options = &o};
    const bool gets = !strcmp(o.words.items[0], "get");
    if (list < 0 && !gets && !fm_command_row_find(o.words.items[0]))
        return unknown_verb(o.words.items[0]);
    if (list < 0 && !gets && (!join_words(&o, text, sizeof text) || !read_command(text, &c, &command))) {
        if (c.caller)
            fm_caller_close(c.caller);
        return c.failed ? CLI_FAILED : CLI_USAGE;
    }
    if (o.queue)
        return list < 0 && !gets
                   ? ask_queue(&o, text)
                   : (fprintf(stderr, "fathom ctl: a queue accepts only commands; lists need a network connection\n"),
                      CLI_USAGE);
    if (!reach(&c, &error))
        return fprintf(stderr, "fathom ctl: %s\n", error.text), CLI_FAILED;
    status = list >= 0 ? print_list(&o, &c, list, &error)
             : gets    ? get_parameter(&o, &c)
                       : do_command(&o, c.caller, &command, &error);
    fm_caller_close(c.caller);
    return status;
}
