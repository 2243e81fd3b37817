/* `fathom dis`: prints the traffic, one PDU per line, and the cost and benefit of dead reckoning. */
#include "dis.h"

#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bridges/dis/dis_wire.h"
#include "clock.h"
#include "commands.h"
#include "interrupt.h"
#include "server/socket.h"

#define DEGREES (180 / 3.14159265358979323846)

typedef struct query {
    const char *listen, *file, *study, *vehicle;
    bool json;
    int64_t count;
    double seconds;
} query;

static const cli_option argument_table[] = {
    {"LISTEN", CLI_FIELD(query, listen), .noun = "address",
     .text = "[ADDRESS][:PORT] to listen on; joins a multicast group; default: 127.0.0.1 and port 3000"}};

static const cli_option option_table[] = {
    {"file", CLI_FIELD(query, file), .value = "FILE", .path = CLI_FILE, .excludes = "study",
     .text = "read concatenated PDUs from a file instead"},
    {"json", CLI_FIELD(query, json), .text = "one JSON object per line"},
    {"count", CLI_FIELD(query, count), .value = "N", .min = 1, .max = 1e9, .text = "end after this number of PDUs"},
    {"seconds", CLI_FIELD(query, seconds), .value = "S", .min = 0.01, .max = 1e9, .unit = "s",
     .text = "end after this time"},
    {"study", CLI_FIELD(query, study), .value = "SCENARIO", .path = CLI_FILE, .endings = ".xml",
     .text = "run a scenario and print the position error of a receiver and the saved traffic for each dead-reckoning "
             "algorithm"},
    {"vehicle", CLI_FIELD(query, vehicle), .value = "NAME", .needs = "study",
     .text = "vehicle of the study; default: the first"},
};

const cli_command cli_dis_command = {
    .name = "dis",
    .section = "tools",
    .text = "print the DIS traffic of other simulators",
    .about = "Listens to Distributed Interactive Simulation (IEEE 1278.1, versions 6 and 7) and prints one line per "
             "PDU: Entity State, Underwater Acoustic, Collision, Start/Resume, Stop/Freeze, Acknowledge; for other "
             "PDUs type and length, for damaged ones the error.\n\nTo send PDUs, use <bridge kind=\"dis\"/> in a "
             "scenario, or `--dis` of run, serve and view (docs/dis.md).",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .examples = "  fathom dis 239.1.2.3\n  fathom dis 127.0.0.1:3001 --json --count 10\n"
                "  fathom dis --study scenarios/phoenix-mission.xml\n",
    .interrupted = "ends",
    .main = cli_dis,
};

/* --- one PDU --- */

typedef struct printer {
    bool json;
    const char *separator;
} printer;

static void print_text(printer *p, const char *name, const char *text)
{
    if (!p->json) {
        printf("%s%s", p->separator, text);
    } else {
        printf("%s\"%s\": \"", p->separator, name);
        for (; *text; text++)
            if (*text == '"' || *text == '\\')
                printf("\\%c", *text);
            else
                putchar(*text);
        printf("\"");
    }
    p->separator = p->json ? ", " : "  ";
}

/* `digits` after the decimal point, for people; all available ones in JSON. */
static void print_value(const printer *p, double value, int digits)
{
    if (p->json)
        printf("%.17g", value);
    else
        printf("%.*f", digits, value);
}

static void print_number(printer *p, const char *name, double value, int digits)
{
    printf(p->json ? "%s\"%s\": " : "%s%s ", p->separator, name);
    print_value(p, value, digits);
    p->separator = p->json ? ", " : "  ";
}

static void print_numbers(printer *p, const char *name, const double *values, size_t count, int digits)
{
    printf(p->json ? "%s\"%s\": [" : "%s%s (", p->separator, name);
    for (size_t i = 0; i < count; i++) {
        printf("%s", i ? ", " : "");
        print_value(p, values[i], digits);
    }
    printf(p->json ? "]" : ")");
    p->separator = p->json ? ", " : "  ";
}

static void print_vector(printer *p, const char *name, const float values[3], double scale, int digits)
{
    const double wide[3] = {scale * (double)values[0], scale * (double)values[1], scale * (double)values[2]};
    print_numbers(p, name, wide, 3, digits);
}

static void print_id(printer *p, const char *name, fm_dis_id id)
{
    char text[40];
    snprintf(text, sizeof text, "%u:%u:%u", id.site, id.application, id.entity);
    if (!p->json) {
        printf("%s%s ", p->separator, name);
        p->separator = "";
    }
    print_text(p, name, text);
}

static void print_parts(printer *p, const fm_dis_entity *e)
{
    printf(p->json ? "%s\"parts\": [" : "%sparts ", p->separator);
    for (size_t i = 0; i < e->part_count; i++)
        printf(p->json ? "%s{\"type\": %u, \"value\": %.7g}" : "%s%u=%.4g", i ? p->json ? ", " : " " : "",
               e->parts[i].type, isfinite(e->parts[i].value) ? (double)e->parts[i].value : 0.0);
    printf("%s", p->json ? "]" : "");
}

static void print_entity(printer *p, const fm_dis_entity *e)
{
    static const char *const algorithms[] = {"other", "static", "FPW", "RPW", "RVW", "FVW", "FPB", "RPB", "RVB", "FVB"};
    char marking[12] = "", type[48];
    for (size_t i = 0; i < 11 && e->marking[i]; i++)
        marking[i] =
            (char)((unsigned char)e->marking[i] < ' ' || (unsigned char)e->marking[i] > '~' ? '?' : e->marking[i]);
    snprintf(type, sizeof type, "%u.%u.%u.%u.%u.%u.%u", e->type.kind, e->type.domain, e->type.country, e->type.category,
             e->type.subcategory, e->type.specific, e->type.extra);
    print_id(p, "entity", e->id);
    print_text(p, "marking", marking);
    print_text(p, "kind", type);
    if (p->json)
        print_number(p, "algorithm", e->reckoning, 0);
    else
        print_text(p, "algorithm", algorithms[e->reckoning]);
    print_numbers(p, "location", e->location, 3, 2);
    print_vector(p, "orientation", e->orientation, p->json ? 1 : DEGREES, 1);
    print_vector(p, "velocity", e->velocity, 1, 3);
    if (p->json) {
        print_vector(p, "acceleration", e->acceleration, 1, 3);
        print_vector(p, "rates", e->rates, 1, 3);
        print_number(p, "appearance", e->appearance, 0);
    }
    print_parts(p, e);
}

static void print_acoustic(printer *p, const fm_dis_acoustic *a)
{
    print_id(p, "entity", a->emitter);
    print_text(p, "what", a->change ? "change" : "state");
    double rpm[FM_DIS_SHAFTS_MOST];
    for (size_t i = 0; i < a->shaft_count; i++)
        rpm[i] = a->shafts[i].rpm;
    print_numbers(p, "rpm", rpm, a->shaft_count, 0);
    print_number(p, "systems", a->system_count, 0);
    size_t beams = 0;
    for (size_t i = 0; i < a->system_count; i++)
        beams += a->systems[i].beam_count;
    print_number(p, "beams", (double)beams, 0);
}

static void print_body(printer *p, const fm_dis_pdu *pdu)
{
    switch (pdu->header.type) {
    case FM_DIS_ENTITY_STATE: print_entity(p, &pdu->entity); break;
    case FM_DIS_ACOUSTIC: print_acoustic(p, &pdu->acoustic); break;
    case FM_DIS_COLLISION:
        print_id(p, "entity", pdu->collision.issuer);
        print_id(p, "other", pdu->collision.other);
        print_number(p, "mass", (double)pdu->collision.mass, 3);
        print_vector(p, "velocity", pdu->collision.velocity, 1, 3);
        break;
    case FM_DIS_START_RESUME:
        print_id(p, "from", pdu->start.from);
        print_id(p, "to", pdu->start.to);
        print_number(p, "request", pdu->start.request, 0);
        break;
    case FM_DIS_STOP_FREEZE:
        print_id(p, "from", pdu->stop.from);
        print_id(p, "to", pdu->stop.to);
        print_number(p, "reason", pdu->stop.reason, 0);
        print_number(p, "request", pdu->stop.request, 0);
        break;
    case FM_DIS_ACKNOWLEDGE:
        print_id(p, "from", pdu->acknowledge.from);
        print_id(p, "to", pdu->acknowledge.to);
        print_number(p, "response", pdu->acknowledge.response, 0);
        print_number(p, "request", pdu->acknowledge.request, 0);
        break;
    default: break;
    }
}

static void print_pdu(bool json, const fm_dis_pdu *pdu, fm_dis_result result)
{
    printer p = {json, json ? "{" : ""};
    const char *name = fm_dis_type_name(pdu->header.type);
    char other[24];
    snprintf(other, sizeof other, "type %u", pdu->header.type);
    print_number(&p, json ? "time" : "t", fm_dis_timestamp_seconds(pdu->header.timestamp), 6);
    print_text(&p, "type", name ? name : other);
    if (json) {
        print_number(&p, "version", pdu->header.version, 0);
        print_number(&p, "exercise", pdu->header.exercise, 0);
    }
    print_number(&p, json ? "length" : "bytes", pdu->header.length, 0);
    if (result == FM_DIS_WELL)
        print_body(&p, pdu);
    else if (result != FM_DIS_TYPE)
        print_text(&p, "dropped", fm_dis_result_name(result));
    printf(json ? "}\n" : "\n");
}

/* All PDUs of a datagram or a file; false: the requested number was reached. */
static bool print_all(const query *q, const uint8_t *bytes, size_t size, int64_t *told)
{
    static fm_dis_pdu pdu;
    for (size_t used; size > 0; bytes += used, size -= used) {
        fm_dis_result result = fm_dis_decode(bytes, size, &pdu, &used);
        print_pdu(q->json, &pdu, result);
        if (++*told == q->count)
            return false;
        if (used == 0)
            break;
    }
    fflush(stdout);
    return true;
}

/* --- from where --- */

static int read_file(const query *q)
{
    enum { MOST = 64 << 20 };
    FILE *file = fopen(q->file, "rb");
    int64_t told = 0;
    if (!file)
        return fprintf(stderr, "fathom dis: %s: %s\n", q->file, strerror(errno)), CLI_FAILED;
    uint8_t *bytes = malloc(MOST);
    size_t size = bytes ? fread(bytes, 1, MOST, file) : 0;
    fclose(file);
    if (bytes)
        print_all(q, bytes, size, &told);
    free(bytes);
    return told > 0 ? CLI_DONE : (fprintf(stderr, "fathom dis: %s contains no PDU\n", q->file), CLI_FAILED);
}

/* "ADDRESS", "ADDRESS:PORT" or ":PORT". */
static bool read_address(const char *text, fm_address *at)
{
    char address[64] = "127.0.0.1";
    const char *colon = strchr(text, ':');
    char *end = NULL;
    size_t length = colon ? (size_t)(colon - text) : strlen(text);
    long port = colon ? strtol(colon + 1, &end, 10) : FM_DIS_PORT;
    if (length >= sizeof address || port < 1 || port > 65535 || (end && *end))
        return false;
    if (length > 0)
        snprintf(address, sizeof address, "%.*s", (int)length, text);
    return fm_address_read(address, (int)port, at, NULL) == FM_OK;
}

/* Several programs may receive the same group. */
static int open_socket(const fm_address *at)
{
    fm_error error = {0};
    struct sockaddr_in group;
    memcpy(&group, &at->at, sizeof group);
    struct ip_mreq join = {.imr_multiaddr = group.sin_addr};
    int fd = -1, shared = fm_address_is_group(at);
    if (fm_socket_bind(at, shared ? FM_SOCKET_UDP_SHARED : FM_SOCKET_UDP, &fd, NULL, &error) != FM_OK)
        return fprintf(stderr, "fathom dis: %s\n", error.text), -1;
    if (!IN_MULTICAST(ntohl(group.sin_addr.s_addr)) ||
        setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &join, sizeof join) == 0)
        return fd;
    fprintf(stderr, "fathom dis: cannot join the group: %s\n", strerror(errno));
    close(fd);
    return -1;
}

static int listen_there(const query *q)
{
    fm_address at;
    static uint8_t bytes[65536];
    static atomic_int stop;
    double end = q->seconds > 0 ? cli_clock(NULL) + q->seconds : HUGE_VAL;
    int64_t told = 0;
    if (!read_address(q->listen, &at))
        return fprintf(stderr,
                       "fathom dis: '%s' is not a valid address: must be [ADDRESS][:PORT] in numbers, e.g. "
                       "239.1.2.3:3000\n",
                       q->listen),
               CLI_USAGE;
    int fd = open_socket(&at);
    if (fd < 0)
        return CLI_FAILED;
    cli_interrupt_watch();
    cli_interrupt_tell(&stop);
    for (bool more = true; more && !atomic_load(&stop) && cli_clock(NULL) < end;) {
        struct pollfd poll_for = {.fd = fd, .events = POLLIN};
        if (poll(&poll_for, 1, 50) < 1)
            continue;
        ssize_t size = recv(fd, bytes, sizeof bytes, 0);
        if (size > 0)
            more = print_all(q, bytes, (size_t)size, &told);
    }
    cli_interrupt_tell(NULL);
    close(fd);
    return cli_interrupt_signal() ? 128 + cli_interrupt_signal() : CLI_DONE;
}

int cli_dis(int argc, char **argv)
{
    query q = {0};
    int status;
    if (!cli_options_read(&cli_dis_command, argc, argv, &q, &status))
        return status;
    if (q.study)
        return cli_dis_study(q.study, q.vehicle);
    if (q.file)
        return read_file(&q);
    if (!q.listen)
        return fprintf(stderr, "fathom dis: where to listen? e.g. fathom dis 239.1.2.3\n"), CLI_USAGE;
    return listen_there(&q);
}
