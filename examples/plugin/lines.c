/* A bridge as a plugin: it sends the pose of every vehicle as lines of JSON over UDP and accepts orders.
 *
 *     cc -shared -fPIC lines.c -o liblines.so $(pkg-config --cflags fathom)
 *
 *     <bridge kind="lines" plugin="./liblines.so" port="5005" listen-port="5006" rate="10 Hz"/>
 *
 * It sends, to `address` and `port`, one datagram per vehicle:
 *
 *     {"time":1.5,"vehicle":"phoenix","position":[12.1,0.4,3.0],"attitude":[0,0.01,1.57]}
 *
 * and takes lines such as "order phoenix stern-rudder 0.1" (SI units) at `listen-port`. */
#include <arpa/inet.h>
#include <errno.h>
#include <fathom/bridge.h>
#include <fathom/part.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct lines_config {
    const char *address;
    int64_t port, listen_port;
    double rate; /* Hz */
} lines_config;

typedef struct lines_bridge {
    fm_bridge *bridge;
    const lines_config *config;
    int opened; /* the socket is there */
    int socket;
    struct sockaddr_in to;
    double due; /* s of simulated time: when to send next; the stepping thread's */
} lines_bridge;

/* --- what a user can write --- */

static const fm_attr attrs[] = {
    FM_TEXT_ATTR(lines_config, address, "address", "127.0.0.1", 0, "IPv4 address that lines are sent to"),
    FM_INT_ATTR(lines_config, port, "port", 1, 65535, "5005", 0, "UDP port that lines are sent to"),
    FM_INT_ATTR(lines_config, listen_port, "listen-port", 0, 65535, "0", 0,
                "UDP port of 127.0.0.1 that takes orders; 0: any free one"),
    FM_REAL_ATTR(lines_config, rate, "rate", "Hz", 0.001, 1000, "1 Hz", 0, "of lines, in simulated time"),
};
static const fm_element element =
    FM_BRIDGE_ELEMENT(lines_config, "lines", attrs, "Poses as lines of JSON over UDP; orders come back.");

static fm_status check(const fm_model *model, void *config, const char **attribute, fm_error *error)
{
    const lines_config *c = (const lines_config *)config;
    struct in_addr address;
    (void)model;
    if (inet_pton(AF_INET, c->address, &address) == 1)
        return FM_OK;
    *attribute = "address";
    snprintf(error->text, sizeof error->text, "'%.60s' is not an IPv4 address", c->address);
    return FM_ERR_RANGE;
}

/* --- I/O thread --- */

/* "order VEHICLE ACTUATOR VALUE": the next step takes it from the run's queue. */
static void take_line(lines_bridge *b, const char *line)
{
    char vehicle[64], actuator[64];
    double value;
    if (sscanf(line, "order %63s %63s %lf", vehicle, actuator, &value) != 3)
        b->bridge->count(b->bridge, "lines/drop/syntax");
    else if (fm_run_order(b->bridge->run, vehicle, actuator, value, NULL) != FM_OK)
        b->bridge->count(b->bridge, "lines/drop/full");
    else
        b->bridge->count(b->bridge, "lines/orders");
}

static void read_socket(void *state)
{
    lines_bridge *b = (lines_bridge *)state;
    char line[256];
    for (ssize_t size; (size = recv(b->socket, line, sizeof line - 1, MSG_DONTWAIT)) >= 0;) {
        line[size] = 0;
        take_line(b, line);
    }
}

static fm_status refuse(fm_error *error, const char *what)
{
    snprintf(error->text, sizeof error->text, "lines: %s: %s", what, strerror(errno));
    return error->status = FM_ERR_FILE;
}

static fm_status open_lines(void *state, fm_bridge *bridge, fm_error *error)
{
    lines_bridge *b = (lines_bridge *)state;
    char text[128];
    b->bridge = bridge;
    b->config = (const lines_config *)bridge->config;
    b->to.sin_family = AF_INET;
    b->to.sin_port = htons((uint16_t)b->config->port);
    inet_pton(AF_INET, b->config->address, &b->to.sin_addr);
    struct sockaddr_in own = {};
    own.sin_family = AF_INET;
    own.sin_port = htons((uint16_t)b->config->listen_port);
    own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    b->socket = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (b->socket < 0)
        return refuse(error, "no socket");
    b->opened = 1;
    if (bind(b->socket, (const struct sockaddr *)&own, sizeof own) != 0)
        return refuse(error, "cannot use listen-port");
    snprintf(text, sizeof text, "lines to %s port %d", b->config->address, (int)b->config->port);
    bridge->report(bridge, text);
    return bridge->watch(bridge, b->socket, read_socket, error);
}

static void close_lines(void *state)
{
    lines_bridge *b = (lines_bridge *)state;
    if (b->opened)
        close(b->socket);
}

/* --- stepping thread --- */

static void begin(void *state, fm_run *run)
{
    lines_bridge *b = (lines_bridge *)state;
    b->due = fm_world_time(fm_run_world(run));
}

static void send_pose(lines_bridge *b, const char *name, double time, const fm_pose *pose)
{
    const double *p = pose->position, *a = pose->euler;
    char line[320];
    int size = snprintf(line, sizeof line,
                        "{\"time\":%.9g,\"vehicle\":\"%.31s\",\"position\":[%.9g,%.9g,%.9g],"
                        "\"attitude\":[%.9g,%.9g,%.9g]}\n",
                        time, name, p[0], p[1], p[2], a[0], a[1], a[2]);
    ssize_t sent = sendto(b->socket, line, (size_t)size, MSG_DONTWAIT, (const struct sockaddr *)&b->to, sizeof b->to);
    b->bridge->count(b->bridge, sent == size ? "lines/sent" : "lines/drop/send");
}

static void step(void *state, fm_run *run)
{
    lines_bridge *b = (lines_bridge *)state;
    const fm_world *world = fm_run_world(run);
    double time = fm_world_time(world), period = 1 / b->config->rate;
    fm_pose pose;
    if (time + 1e-9 < b->due && time > b->due - period - 1e-9) /* else it is due, or the world was reset */
        return;
    b->due = time + period;
    for (int i = 0; i < fm_world_slots(world); i++)
        if (fm_world_name(world, i) && fm_world_pose(world, i, &pose) == FM_OK)
            send_pose(b, fm_world_name(world, i), time, &pose);
}

static const fm_bridge_calls calls = {.size = sizeof(fm_bridge_calls),
                                      .state_size = sizeof(lines_bridge),
                                      .open = open_lines,
                                      .close = close_lines,
                                      .begin = begin,
                                      .step = step};
static const fm_bridge_class lines = {
    .size = sizeof(fm_bridge_class), .element = &element, .check = check, .calls = &calls};
static const fm_bridge_class *const bridges[] = {&lines};
const fm_plugin fm_plugin_v1 = {.abi = FM_PLUGIN_ABI, .bridges = bridges, .bridge_count = 1};
