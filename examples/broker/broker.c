/* Lays serial lines where a vehicle's software looks for its instruments: see README.md.
 *
 *     broker 127.0.0.1:4040 lauv --dvl /tmp/ttyDVL=pd0 --gps /tmp/ttyGPS --motors /tmp/ttyMotors */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "reports.h"

#define HOLD 1.0 /* s: motors stop should the broker fall silent for so long */

static volatile sig_atomic_t ended;
static int orders_given; /* 1: what the motors were told is repeated with each state */

static void end_by_signal(int number)
{
    (void)number;
    ended = 1;
}

static broker_line *line_of(broker *b, broker_kind kind)
{
    for (int i = 0; i < b->line_count; i++)
        if (b->lines[i].kind == kind)
            return &b->lines[i];
    return NULL;
}

/* --- from the simulation --- */

static void on_sample(void *user, const fm_client_sample *sample)
{
    broker_sample((broker *)user, sample);
}

static void on_state(void *user, const fm_client_state *state)
{
    broker *b = (broker *)user;
    broker_state(b, state);
    if (orders_given)
        fm_client_orders_send(b->client, HOLD, NULL);
}

static void say(broker_line *line, size_t count, const char *text)
{
    if (line && count)
        broker_serial_write(&line->serial, text, count);
}

static void on_sound(void *user, const fm_client_sound *sound)
{
    broker_line *line = line_of((broker *)user, BROKER_MODEM);
    broker_frame frame = {};
    char text[BROKER_LINES];
    frame.source = sound->from;
    frame.destination = sound->to;
    frame.count = sound->size;
    if ((sound->kind != FM_CLIENT_MODEM && sound->kind != FM_CLIENT_DATA) || sound->size > BROKER_FRAME)
        return;
    memcpy(frame.bytes, sound->bytes, sound->size);
    say(line, broker_modem_heard(&frame, text, sizeof text), text);
}

static broker_frame pending[64]; /* by the number of their request */

static void on_sent(void *user, const fm_client_sent *sent)
{
    broker_line *line = line_of((broker *)user, BROKER_MODEM);
    char text[BROKER_LINES], why[32];
    snprintf(why, sizeof why, "refused,%d", sent->code);
    say(line,
        sent->code == 0 ? broker_modem_taken(&pending[sent->id % 64], text, sizeof text)
                        : broker_modem_error(why, text, sizeof text),
        text);
}

static void on_link(void *user, fm_client_link link, int code, const char *text)
{
    (void)user;
    if (link != FM_CLIENT_CONNECTED)
        fprintf(stderr, "broker: %s (code %d)\n", text, code);
}

/* --- from the vehicle's software --- */

/* A modem where there is one, else the first transducer. */
static int voice_of(const broker *b, fm_client_voice *voice)
{
    fm_client_voice other;
    int found = fm_client_voice_get(b->client, 0, voice);
    for (size_t i = 0; fm_client_voice_get(b->client, i, &other); i++)
        if (other.modem) {
            *voice = other;
            return 1;
        }
    return found;
}

static void take_frame(broker *b, broker_line *line)
{
    broker_frame frame;
    fm_client_voice voice;
    fm_error error = {};
    uint32_t id = 0;
    char text[BROKER_LINES];
    if (!broker_modem_read(line->serial.line, &frame)) {
        say(line, broker_modem_error("not understood", text, sizeof text), text);
        return;
    }
    if (!voice_of(b, &voice)) {
        say(line, broker_modem_error("no transducer", text, sizeof text), text);
        return;
    }
    fm_client_emission emission = {};
    emission.transducer = voice.number;
    emission.kind = (uint8_t)(voice.modem ? FM_CLIENT_MODEM : FM_CLIENT_DATA);
    emission.to = (uint16_t)frame.destination;
    emission.bytes = frame.bytes;
    emission.size = frame.count;
    if (fm_client_sound_send(b->client, &emission, &id, &error) == FM_OK)
        pending[id % 64] = frame;
    else
        say(line, broker_modem_error(error.text, text, sizeof text), text);
}

static fm_status give_orders(broker *b, const broker_order *orders, int count, fm_error *error)
{
    fm_client_actuator actuator;
    fm_status status = FM_OK;
    if (count == 1 && orders[0].name[0] == 0) /* stop */
        for (size_t i = 0; status == FM_OK && fm_client_actuator_get(b->client, i, &actuator); i++)
            status = fm_client_order(b->client, actuator.name, 0, error);
    else
        for (int i = 0; status == FM_OK && i < count; i++)
            status = fm_client_order(b->client, orders[i].name, orders[i].value, error);
    return status == FM_OK ? fm_client_orders_send(b->client, HOLD, error) : status;
}

static void take_orders(broker *b, broker_line *line)
{
    broker_order orders[BROKER_ORDERS];
    fm_error error = {};
    char answer[1024];
    int count = broker_orders_read(line->serial.line, orders);
    snprintf(error.text, sizeof error.text, "not understood: name=value, …");
    int taken = count > 0 && give_orders(b, orders, count, &error) == FM_OK;
    orders_given |= taken;
    int n = snprintf(answer, sizeof answer, taken ? "ok\r\n" : "error %s\r\n", error.text);
    say(line, (size_t)n, answer);
}

static void take_lines(broker *b)
{
    for (int i = 0; i < b->line_count; i++) {
        broker_line *line = &b->lines[i];
        while (broker_serial_read(&line->serial))
            if (line->kind == BROKER_MODEM)
                take_frame(b, line);
            else if (line->kind == BROKER_MOTORS)
                take_orders(b, line);
    }
}

/* --- the program --- */

static int usage(const char *what, const char *which)
{
    fprintf(stderr,
            "broker: %s %s\n"
            "usage: broker ADDRESS VEHICLE [--key FILE] [--epoch SECONDS] [--dvl LINK=FORMAT[:NAME]] [--ctd LINK]\n"
            "              [--compass LINK] [--pressure LINK=FORMAT] [--echosounder LINK] [--gps LINK] [--modem LINK] "
            "[--motors LINK]\n"
            "formats: of a DVL pd0, pd6, nortek, nortek-nmea, waterlinked; of pressure nmea, digiquartz\n",
            what, which);
    return 0;
}

/* "/tmp/ttyDVL=pd0:dvl2". 0: it was told what is wrong. */
static int add_line(broker *b, broker_kind kind, const char *text)
{
    char link[256];
    broker_line *line = &b->lines[b->line_count];
    if (b->line_count == (int)(sizeof b->lines / sizeof *b->lines))
        return usage("too many lines:", text);
    memset(line, 0, sizeof *line);
    line->kind = kind;
    size_t length = strcspn(text, "=:");
    if (length == 0 || length >= sizeof link)
        return usage("a link of 1 to 255 bytes is needed:", text);
    memcpy(link, text, length);
    link[length] = 0;
    const char *format = text[length] == '=' ? text + length + 1 : "", *name = strchr(text + length, ':');
    snprintf(line->format, sizeof line->format, "%.*s", (int)strcspn(format, ":"), format);
    snprintf(line->instrument, sizeof line->instrument, "%s", name ? name + 1 : "");
    if (!broker_format_known(kind, line->format))
        return usage("unknown format:", text);
    if (broker_serial_open(&line->serial, link) != 0)
        return usage(link, strerror(errno));
    b->line_count++;
    return 1;
}

static int read_option(broker *b, const char *option, const char *value, const char **key)
{
    if (!value)
        return usage("a value is missing:", option);
    if (strcmp(option, "--key") == 0)
        return *key = value, 1;
    if (strcmp(option, "--epoch") == 0) {
        char *end;
        b->epoch = strtod(value, &end);
        return *end == 0 && isfinite(b->epoch) ? 1 : usage("not a number of seconds:", value);
    }
    for (int kind = 0; kind < BROKER_KINDS; kind++)
        if (strncmp(option, "--", 2) == 0 && strcmp(option + 2, broker_kind_names[kind]) == 0)
            return add_line(b, (broker_kind)kind, value);
    return usage("unknown option", option);
}

static void close_lines(broker *b)
{
    for (int i = 0; i < b->line_count; i++)
        broker_serial_close(&b->lines[i].serial);
}

/* Until the simulation ends or a signal comes. */
static void work(broker *b)
{
    struct pollfd files[17] = {};
    for (int i = 0; i <= b->line_count; i++) {
        files[i].fd = i == 0 ? fm_client_fd(b->client) : b->lines[i - 1].serial.master;
        files[i].events = POLLIN;
    }
    while (!ended && fm_client_poll(b->client, 0) >= 0) {
        take_lines(b);
        poll(files, (nfds_t)b->line_count + 1, 200);
    }
}

static int serve(broker *b, const char *address, const char *vehicle, const char *key_file)
{
    uint8_t key[FM_CLIENT_KEY];
    fm_error error = {};
    fm_client_options options = {};
    options.name = "broker";
    options.role = FM_CLIENT_CONTROLLER;
    options.model = vehicle;
    options.state_period = 0.1; /* s */
    options.callbacks.state = on_state;
    options.callbacks.sample = on_sample;
    options.callbacks.sound = on_sound;
    options.callbacks.sent = on_sent;
    options.callbacks.link = on_link;
    options.callbacks.user = b;
    if (!key_file || fm_client_key_read(key_file, key, &error) == FM_OK) {
        options.key = key_file ? key : NULL;
        b->client = fm_client_open(address, &options, &error);
    }
    if (!b->client) {
        fprintf(stderr, "broker: %s\n", error.text);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    static broker b;
    const char *key = NULL;
    b.epoch = floor((double)time(NULL));
    if (argc < 3)
        return usage("an address and a vehicle are needed", ""), 2;
    for (int i = 3; i < argc; i += 2)
        if (!read_option(&b, argv[i], argv[i + 1], &key)) {
            close_lines(&b);
            return 2;
        }
    signal(SIGINT, end_by_signal);
    signal(SIGTERM, end_by_signal);
    int status = serve(&b, argv[1], argv[2], key);
    if (status == 0)
        work(&b);
    for (int i = 0; status == 0 && i < b.line_count; i++)
        printf("%s: %lu reports\n", b.lines[i].serial.link, b.lines[i].reports);
    fm_client_close(b.client);
    close_lines(&b);
    return status;
}
