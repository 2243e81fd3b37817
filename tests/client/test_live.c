/* libfathom-client against `fathom serve` in a process of its own. */
#include "support/cmocka_all.h"

#include <fathom/client.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/program.h"

#define SCENARIO "client_live.xml"
#define LONG_NAME "a-vehicle-with-a-very-long-name"
/* Two that hear each other, room for a third. */
static const char scenario[] =
    "<fathom version='1'><world dt='0.05 s' duration='3600 s' capacity='6' seed='1'><water density='1025 kg/m3'/>"
    "<current velocity='0 0 0 m/s'/><bottom depth='30 m'/><acoustics/></world>"
    "<server keep-alive='0.2 s' timeout='2 s' keep='5 s'/>"
    "<vehicle name='rover' model='lauv' position='0 0 5 m'><depth period='0.1 s'/>"
    "<transducer name='head' address='7' payload='72'/><modem transducer='head'/>"
    "<transducer name='ear' address='7' payload='256' frequency='60 kHz' band='50 70 kHz'/></vehicle>"
    "<vehicle name='station' model='lauv' position='40 0 5 m'>"
    "<transducer name='head' address='3' payload='72'/><modem transducer='head'/>"
    "<transducer name='mouth' address='3' payload='256' frequency='60 kHz' band='50 70 kHz'/></vehicle>"
    "<vehicle name='pinger' model='lauv' position='0 -30 5 m'><transducer address='9' frequency='60 kHz' band='50 70 "
    "kHz' "
    "pulse='2 ms' ping-period='10 ms'/></vehicle>"
    "<vehicle name='" LONG_NAME "' model='lauv' position='0 900 5 m'/></fathom>";

static pid_t server;
static char instance[32]; /* of its shared memory and command queue */
static char address[64];

/* `fathom serve` on a port (0: one that is free); its address once it says so. */
static void start_server(int port)
{
    int out[2];
    char number[16], line[256] = "";
    snprintf(number, sizeof number, "%d", port);
    snprintf(instance, sizeof instance, "live-%d", (int)getpid());
    assert_int_equal(pipe(out), 0);
    server = fork();
    assert_at_least(server, 0);
    if (server == 0) {
        dup2(out[1], 1);
        close(out[0]);
        close(out[1]);
        execl(FATHOM_PROGRAM, FATHOM_PROGRAM, "serve", SCENARIO, "--port", number, "--speed", "4", "--quiet",
              "--shared", instance, (char *)NULL);
        _exit(127);
    }
    close(out[1]);
    FILE *said = fdopen(out[0], "r");
    const char *found = fgets(line, sizeof line, said) ? strstr(line, " port ") : NULL;
    fclose(said);
    if (!found)
        fail_msg("the server did not say where it is: '%s'", line);
    snprintf(address, sizeof address, "127.0.0.1:%d", atoi(found + 6));
}

static int stop_server(int number)
{
    int status;
    kill(server, number);
    assert_int_equal(waitpid(server, &status, 0), server);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int start(void **state)
{
    (void)state;
    start_server(0);
    return 0;
}

static int end(void **state)
{
    (void)state;
    return stop_server(SIGTERM); /* 0: in good order */
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Polls both until the condition holds; fails after 20 s. */
#define UNTIL(a, b, condition)                                                                                         \
    do {                                                                                                               \
        double end_ = seconds_now() + 20;                                                                              \
        while (!(condition)) {                                                                                         \
            if (seconds_now() > end_)                                                                                  \
                fail_msg("not within 20 s: %s", #condition);                                                           \
            fm_client_poll(a, 0.02);                                                                                   \
            fm_client_poll(b, 0);                                                                                      \
        }                                                                                                              \
    } while (0)

static fm_client *join(const char *name, fm_client_role role, const char *model, const fm_client_callbacks *callbacks)
{
    fm_error error = {0};
    fm_client_options options = {
        .name = name, .role = role, .model = model, .pose = {0, 20, 8, 0, 0, 0.5}, .timeout = 20};
    if (callbacks)
        options.callbacks = *callbacks;
    fm_client *client = fm_client_open(address, &options, &error);
    if (!client)
        fail_msg("%s: %s", name, error.text);
    return client;
}

typedef struct ears {
    char heard[80];
    unsigned from, sent, sent_code;
} ears;

static void hear(void *user, const fm_client_sound *sound)
{
    ears *e = user;
    if (sound->kind != FM_CLIENT_MODEM) /* its transducers hear too */
        return;
    snprintf(e->heard, sizeof e->heard, "%.*s", (int)sound->size, (const char *)sound->bytes);
    e->from = sound->from;
}

static void note_sent(void *user, const fm_client_sent *sent)
{
    ears *e = user;
    e->sent++;
    e->sent_code = (unsigned)sent->code;
}

static void two_clients_speak_by_their_modems(void **state)
{
    (void)state;
    ears rover_ears = {0}, station_ears = {0};
    const fm_client_callbacks one = {.sound = hear, .sent = note_sent, .user = &rover_ears};
    const fm_client_callbacks other = {.sound = hear, .user = &station_ears};
    fm_client *rover = join("rover-pilot", FM_CLIENT_CONTROLLER, "rover", &one);
    fm_client *station = join("station-pilot", FM_CLIENT_CONTROLLER, "station", &other);
    fm_client_voice voice = {0};
    fm_error error;
    size_t i = 0;
    while (fm_client_voice_get(rover, i, &voice) && !voice.modem)
        i++;
    assert_true(voice.modem);
    assert_same(voice.address, 7);
    const fm_client_emission emission = {
        .transducer = voice.number, .kind = FM_CLIENT_MODEM, .to = 3, .bytes = "come home", .size = 9};
    assert_int_equal(fm_client_sound_send(rover, &emission, NULL, &error), FM_OK);
    UNTIL(rover, station, station_ears.heard[0]);
    assert_string_equal(station_ears.heard, "come home");
    assert_int_equal(station_ears.from, 7);
    assert_same(rover_ears.sent, 1);
    assert_same(rover_ears.sent_code, 0);
    fm_client_close(rover);
    fm_client_close(station);
}

/* What was heard, as it came. */
enum { SOUNDS = 4000 };
typedef struct hearing {
    fm_client_sound sounds[SOUNDS];
    size_t count;
} hearing;

static void keep_sound(hearing *h, const fm_client_sound *sound)
{
    if (h->count < SOUNDS)
        h->sounds[h->count++] = *sound;
}

static void keep(void *user, const fm_client_sound *sound)
{
    keep_sound(user, sound);
}

/* Numbers without a gap, rising times, direction of the pinger or of the station. Returns how many carried data. */
static size_t check_hearing(const hearing *h, const unsigned char *data, size_t size)
{
    size_t letters = 0, together = 0;
    for (size_t i = 0; i < h->count; i++) {
        const fm_client_sound *s = &h->sounds[i], *before = &h->sounds[i ? i - 1 : 0];
        double azimuth = s->from == 9 ? -1.5707963 : 0;
        assert_int_equal(s->number, h->sounds[0].number + i);
        if (s->from != 9)
            assert_same(s->from, 3);
        if (i != 0)
            assert_at_least(s->stamp * 100000 + s->nanoseconds, before->stamp * 100000 + before->nanoseconds);
        if (s->path == 0) {
            assert_nearer(s->azimuth, azimuth, 0.05);
            assert_nearer(s->elevation, 0, 0.05);
        }
        together += i > 0 && s->stamp / 500 == before->stamp / 500;
        if (s->kind == FM_CLIENT_DATA && s->transducer == 1 && s->path == 0) {
            assert_same(s->size, size);
            assert_memory_equal(s->bytes, data, size);
            assert_same(s->from, 3);
            assert_same(s->to, 7);
            assert_same(s->code, 21);
            letters++;
        }
    }
    assert_greater(together, h->count / 2); /* most came with another one in the same step */
    return letters;
}

static void all_that_a_vehicle_hears_reaches_callbacks_and_the_message_queue_in_order(void **state)
{
    (void)state;
    static hearing called, mailed;
    char queue[40];
    unsigned char data[FM_CLIENT_BYTES];
    const fm_client_callbacks ears_of = {.sound = keep, .user = &called};
    const fm_client_emission emission = {
        .transducer = 1, .kind = FM_CLIENT_DATA, .to = 7, .code = 21, .bytes = data, .size = sizeof data};
    fm_error error = {0};
    fm_mailbox box;
    fm_mail mail;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(255 - i);
    snprintf(queue, sizeof queue, "/fathom-hearing-%d", (int)getpid());
    fm_client *station = join("station-pilot", FM_CLIENT_CONTROLLER, "station", NULL);
    assert_int_equal(fm_mailbox_open(&box, queue, 0, &error), FM_OK);
    fm_client *rover = join("rover-pilot", FM_CLIENT_CONTROLLER, "rover", &ears_of);
    fm_client_status before = fm_client_status_get(rover);
    assert_int_equal(fm_client_subscribe(rover, FM_CLIENT_WANT_SOUND, 1, NULL, &error), FM_OK);
    called.count = 0; /* of one delivery from here on */
    assert_int_equal(fm_client_deliver(rover, queue, &error), FM_OK);
    assert_int_equal(fm_client_sound_send(station, &emission, NULL, &error), FM_OK);
    int letters = 0;
    UNTIL(station, NULL, ({
              while (fm_mailbox_next(&box, &mail))
                  if (mail.kind == FM_MAIL_SOUND) {
                      keep_sound(&mailed, &mail.is.sound);
                      letters += mail.is.sound.kind == FM_CLIENT_DATA && mail.is.sound.transducer == 1;
                  }
              letters &&mailed.count > 100;
          }));
    fm_client_close(rover);
    while (fm_mailbox_next(&box, &mail))
        if (mail.kind == FM_MAIL_SOUND)
            keep_sound(&mailed, &mail.is.sound);
    fm_mailbox_close(&box);
    assert_same(before.mail_lost, 0);
    size_t first = 0; /* sounds that came before the queue was there reached the callback alone */
    while (first < called.count && called.sounds[first].number != mailed.sounds[0].number)
        first++;
    assert_at_most(mailed.count, called.count - first);
    for (size_t i = 0; i < mailed.count; i++) {
        const fm_client_sound *a = &mailed.sounds[i], *b = &called.sounds[first + i];
        assert_int_equal(a->number, b->number);
        assert_int_equal(a->stamp, b->stamp);
        assert_int_equal(a->signal, b->signal);
        assert_same(a->level, b->level);
        assert_int_equal(a->size, b->size);
        assert_memory_equal(a->bytes, b->bytes, a->size);
    }
    assert_int_equal(check_hearing(&called, data, sizeof data), 1);
    assert_int_equal(check_hearing(&mailed, data, sizeof data), 1);
    fm_client_close(station);
}

static void a_long_refusal_ends_after_a_whole_word(void **state)
{
    (void)state;
    fm_error error = {0};
    const fm_client_options options = {
        .name = "another-vehicle-with-a-long-nam", .role = FM_CLIENT_UNDERWATER, .model = "lauv", .pose = {0, 900, 5}};
    assert_null(fm_client_open(address, &options, &error));
    const char *ends = strstr(error.text, "m inside that of '" LONG_NAME "': move it to a free … (code ");
    if (!ends)
        fail_msg("refused with '%s'", error.text);
}

static void a_sound_of_too_many_bytes_is_refused_with_the_limit(void **state)
{
    (void)state;
    unsigned char data[FM_CLIENT_BYTES + 1] = {0};
    fm_client_emission emission = {.kind = FM_CLIENT_DATA, .bytes = data, .size = sizeof data};
    fm_client *station = join("station-pilot", FM_CLIENT_CONTROLLER, "station", NULL);
    fm_error error = {0};
    assert_int_equal(fm_client_sound_send(station, &emission, NULL, &error), FM_ERR_RANGE);
    assert_non_null(strstr(error.text, "at most 256"));
    fm_client_close(station);
}

static void a_commander_stops_sets_and_steps(void **state)
{
    (void)state;
    fm_client *boss = join("boss", FM_CLIENT_COMMANDER, NULL, NULL);
    fm_client_state before, after;
    fm_client_result result;
    fm_client_parameter parameter;
    fm_error error = {0};
    const fm_command stop = {.kind = FM_COMMAND_STOP}, start_again = {.kind = FM_COMMAND_START};
    const fm_command steps = {.kind = FM_COMMAND_STEP, .step.steps = 7};
    assert_int_equal(fm_client_subscribe(boss, FM_CLIENT_WANT_STATE | FM_CLIENT_WANT_EVENTS, 0.05, "rover", &error),
                     FM_OK);
    UNTIL(boss, NULL, fm_client_state_read(boss, &before));
    assert_int_equal(fm_client_command_do(boss, &stop, 10, &result, &error), FM_OK);
    UNTIL(boss, NULL, fm_client_status_get(boss).simulation == FM_CLIENT_STOPPED);
    for (int i = 0; i < 10; i++)
        fm_client_poll(boss, 0.02);
    fm_client_state_read(boss, &before);
    assert_int_equal(fm_client_command_do(boss, &steps, 10, &result, &error), FM_OK);
    UNTIL(boss, NULL, fm_client_state_read(boss, &after) && after.stamp >= before.stamp + 7 * 500);
    assert_int_equal(after.stamp, before.stamp + 7 * 500); /* seven steps of 50 ms */
    size_t count = fm_client_parameters_read(boss, "/current/velocity/x", &parameter, 1, &error);
    if (count != 1 || parameter.value != 0)
        fail_msg("%zu parameters: %s", count, error.text);
    assert_int_equal(fm_client_parameter_set(boss, parameter.path, 0.25, &error), FM_OK);
    assert_int_equal(fm_client_command_do(boss, &start_again, 10, &result, &error), FM_OK);
    UNTIL(boss, NULL, fm_client_state_read(boss, &after) && fabs(after.flow[0] - 0.25) < 1e-6);
    assert_int_equal(fm_client_parameter_set(boss, "/no/such/thing", 1, &error), FM_ERR_STATE);
    assert_greater(strlen(error.text), 10);
    assert_int_equal(fm_client_parameter_set(boss, parameter.path, 0, &error), FM_OK);
    fm_client_close(boss);
}

static void the_command_queue_does_what_it_is_asked(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_client *watcher = join("watcher", FM_CLIENT_OBSERVER, NULL, NULL);
    if (fm_client_queue_ask(instance, "stop", 10, &error) != FM_OK)
        fail_msg("%s", error.text);
    UNTIL(watcher, NULL, fm_client_status_get(watcher).simulation == FM_CLIENT_STOPPED);
    assert_int_equal(fm_client_queue_ask(instance, "start", 10, &error), FM_OK);
    UNTIL(watcher, NULL, fm_client_status_get(watcher).simulation == FM_CLIENT_RUNNING);
    assert_int_equal(fm_client_queue_ask(instance, "set /no/such/thing 1", 10, &error), FM_ERR_STATE);
    assert_non_null(strstr(error.text, "error 14"));
    assert_int_equal(fm_client_queue_ask("no-such-simulation", "stop", 1, &error), FM_ERR_FILE);
    fm_client_close(watcher);
}

static void a_client_brings_its_vehicle_and_takes_it_away(void **state)
{
    (void)state;
    fm_client *guest = join("guest", FM_CLIENT_UNDERWATER, "lauv", NULL);
    fm_client *watcher = join("watcher", FM_CLIENT_OBSERVER, NULL, NULL);
    fm_client_state s;
    fm_error error;
    UNTIL(guest, watcher, fm_client_state_read(guest, &s) && fm_client_actuator_count(guest) == 5);
    assert_nearer(s.position[0], 0, 1);
    assert_nearer(s.position[1], 20, 1);
    assert_nearer(s.position[2], 8, 1);
    assert_same(fm_client_status_get(guest).vehicle, s.vehicle);
    assert_greater(s.vehicle, 0);
    assert_int_equal(fm_client_order(guest, "propeller", 200, &error), FM_OK);
    assert_int_equal(fm_client_orders_send(guest, 0, &error), FM_OK);
    UNTIL(guest, watcher, fm_client_state_read(guest, &s) && s.velocity[0] > 0.2 && s.actuators[0] > 100);
    assert_int_equal(fm_client_subscribe(watcher, FM_CLIENT_WANT_STATE, 0.1, "guest", &error), FM_OK);
    fm_client_close(guest);
    double end_at = seconds_now() + 20;
    while (fm_client_subscribe(watcher, FM_CLIENT_WANT_STATE, 0.1, "guest", &error) == FM_OK && seconds_now() < end_at)
        fm_client_poll(watcher, 0.05);
    assert_int_equal(fm_client_subscribe(watcher, FM_CLIENT_WANT_STATE, 0.1, "guest", &error), FM_ERR_NAME);
    fm_client_close(watcher);
}

static void orders_end_with_their_hold(void **state)
{
    (void)state;
    fm_client *pilot = join("pilot", FM_CLIENT_CONTROLLER, "rover", NULL);
    fm_client_state s;
    fm_error error;
    assert_int_equal(fm_client_order(pilot, "propeller", 150, &error), FM_OK);
    assert_int_equal(fm_client_orders_send(pilot, 0.5, &error), FM_OK);
    UNTIL(pilot, NULL, fm_client_state_read(pilot, &s) && s.actuators[0] > 100);
    UNTIL(pilot, NULL, fm_client_state_read(pilot, &s) && (s.flags & FM_CLIENT_ZEROED) && fabs(s.actuators[0]) < 1);
    fm_client_close(pilot);
}

static void an_emulator_says_what_a_sensor_reads(void **state)
{
    (void)state;
    fm_client *pilot = join("pilot", FM_CLIENT_CONTROLLER, "rover", NULL);
    fm_client *gauge = join("gauge", FM_CLIENT_EMULATOR, "rover", NULL);
    double depth = 0;
    unsigned flags = 0;
    fm_error error = {0};
    UNTIL(pilot, gauge,
          fm_client_instrument_count(gauge) > 0 && fm_client_read(pilot, "depth", NULL, &depth, 1, NULL, &flags));
    assert_nearer(depth, 5, 2);
    assert_same(flags, FM_CLIENT_VALID);
    const double values[] = {42.5, 0.01};
    assert_int_equal(fm_client_put(gauge, "depth", values, 1, &error), FM_ERR_RANGE); /* it has two values */
    assert_int_equal(fm_client_put(gauge, "depth", values, 2, &error), FM_OK);
    UNTIL(pilot, gauge, fm_client_read(pilot, "depth", NULL, &depth, 1, NULL, &flags) && depth == 42.5);
    assert_true(flags & FM_CLIENT_EXTERNAL);
    assert_int_equal(fm_client_put(gauge, "depth", NULL, 0, &error), FM_OK);
    UNTIL(pilot, gauge, fm_client_read(pilot, "depth", NULL, &depth, 1, NULL, &flags) && fabs(depth - 5) < 2);
    fm_client_close(pilot);
    fm_client_close(gauge);
}

static void a_server_that_was_killed_and_is_back_is_joined_again(void **state)
{
    (void)state;
    fm_client *pilot = join("pilot", FM_CLIENT_CONTROLLER, "rover", NULL);
    fm_client_state s;
    UNTIL(pilot, NULL, fm_client_state_read(pilot, &s));
    assert_int_equal(stop_server(SIGKILL), 128 + SIGKILL);
    start_server(atoi(strrchr(address, ':') + 1));
    UNTIL(pilot, NULL, fm_client_status_get(pilot).reconnected == 1);
    uint64_t stamp = s.stamp;
    UNTIL(pilot, NULL, fm_client_state_read(pilot, &s) && s.stamp != stamp);
    assert_int_equal(fm_client_status_get(pilot).link, FM_CLIENT_CONNECTED);
    fm_client_close(pilot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_clients_speak_by_their_modems),
        cmocka_unit_test(all_that_a_vehicle_hears_reaches_callbacks_and_the_message_queue_in_order),
        cmocka_unit_test(a_long_refusal_ends_after_a_whole_word),
        cmocka_unit_test(a_sound_of_too_many_bytes_is_refused_with_the_limit),
        cmocka_unit_test(a_commander_stops_sets_and_steps),
        cmocka_unit_test(the_command_queue_does_what_it_is_asked),
        cmocka_unit_test(a_client_brings_its_vehicle_and_takes_it_away),
        cmocka_unit_test(orders_end_with_their_hold),
        cmocka_unit_test(an_emulator_says_what_a_sensor_reads),
        cmocka_unit_test(a_server_that_was_killed_and_is_back_is_joined_again),
    };
    FILE *file = fopen(SCENARIO, "w");
    if (!file || fputs(scenario, file) < 0 || fclose(file) != 0)
        return 1;
    return cmocka_run_group_tests(tests, start, end);
}
