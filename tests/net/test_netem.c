/* libfathom-client and `fathom serve`, through the sockets of the kernel, over a line that loses, doubles and
 * disorders. The log of the server says what was done. Skipped where no network of one's own can be made. usage:
 * net_test_netem [COMMANDS SOUNDS] */
#include "net/served.h"

#include <fathom/client.h>
#include <sys/stat.h>

#include "net/bad_line.h"
#include "support/log.h"
#include "telemetry/message.h"

static const char scenario[] =
    "<fathom version='1'><world dt='0.02 s' capacity='2' seed='1'><water density='1025 kg/m3'/>"
    "<current velocity='0 0 0 m/s'/><bottom depth='30 m'/><acoustics/></world>"
    "<server keep-alive='0.5 s' timeout='20 s'/>"
    "<vehicle name='rover' model='lauv' position='0 0 5 m'>"
    "<transducer name='head' address='7' payload='72'/><modem transducer='head'/></vehicle>"
    "<vehicle name='station' model='lauv' position='40 0 5 m'>"
    "<transducer name='head' address='3' payload='72'/><modem transducer='head'/></vehicle></fathom>";

enum { MOST = 20000 };
static int commands = 100, sounds = 20;
static bad_line line;
static int answered[MOST + 1], spoken[MOST + 1]; /* as reported to clients */
static int done[MOST + 1], emitted[MOST + 1];    /* as the log has it */
static program_run r;

#define STEP 1e-5 /* m/s: command k sets k of them */

/* --- clients --- */

static fm_client *join(const served *server, const char *name, fm_client_role role, const char *vehicle,
                       const fm_client_callbacks *callbacks)
{
    static uint8_t key[FM_CLIENT_KEY];
    char address[64];
    fm_error error = {0};
    snprintf(address, sizeof address, "%s:%d", line.far, server->port);
    assert_int_equal(fm_client_key_read("netem.key", key, &error), FM_OK);
    fm_client_options options = {
        .name = name, .role = role, .model = vehicle, .timeout = 20, .key = key, .callbacks = *callbacks};
    fm_client *client = fm_client_open(address, &options, &error);
    if (!client)
        fail_msg("%s: %s", name, error.text);
    return client;
}

static void note_result(void *user, const fm_client_result *result)
{
    (void)user;
    if (result->code != 0)
        fail_msg("command %u: %s", result->id, result->text);
    answered[result->id]++;
}

/* Which number each id said. A sound that was refused because the transducer was busy is said again, by another id. */
typedef struct speaker {
    int numbers[8 * MOST]; /* [id] */
    int todo[MOST], left;  /* numbers still to be said */
    int said;
} speaker;
static speaker speech;

static void note_sent(void *user, const fm_client_sent *sent)
{
    speaker *s = user;
    int number = s->numbers[sent->id];
    if (sent->code != 0 && sent->code != FM_WIRE_BUSY && sent->code != FM_WIRE_FULL)
        fail_msg("sound %d: code %d", number, sent->code);
    if (sent->code != 0)
        s->todo[s->left++] = number;
    spoken[number] += sent->code == 0;
    s->said += sent->code == 0;
}

static void speak(fm_client *pilot, speaker *s)
{
    fm_status status = FM_OK;
    while (s->left > 0 && status == FM_OK) {
        char words[16];
        uint32_t id = 0;
        fm_error error = {0};
        snprintf(words, sizeof words, "n%d", s->todo[s->left - 1]);
        const fm_client_emission emission = {.kind = FM_CLIENT_DATA, .bytes = words, .size = strlen(words)};
        status = fm_client_sound_send(pilot, &emission, &id, &error);
        if (status != FM_OK)
            assert_same(status, FM_ERR_FULL);
        if (status == FM_OK)
            s->numbers[id] = s->todo[--s->left];
    }
}

/* As many at once as the library takes. */
static void order(fm_client *chief, int *asked)
{
    fm_status status = FM_OK;
    while (status == FM_OK && *asked < commands) {
        uint32_t id = 0;
        fm_error error = {0};
        const fm_command set = {.kind = FM_COMMAND_SET,
                                .set = {.path = "/current/velocity/x", .value = (*asked + 1) * STEP}};
        status = fm_client_command_send(chief, &set, &id, &error);
        if (status == FM_OK)
            assert_int_equal(id, ++*asked);
        else
            assert_int_equal(status, FM_ERR_FULL);
    }
}

static int all_answered(void)
{
    int count = 0;
    for (int k = 1; k <= commands; k++)
        count += answered[k] > 0;
    return count == commands;
}

static void talk(const served *server)
{
    int asked = 0;
    for (int k = sounds; k > 0; k--)
        speech.todo[speech.left++] = k;
    fm_client *chief = join(server, "chief", FM_CLIENT_COMMANDER, NULL, &(fm_client_callbacks){.result = note_result});
    fm_client *pilot = join(server, "pilot", FM_CLIENT_CONTROLLER, "rover",
                            &(fm_client_callbacks){.sent = note_sent, .user = &speech});
    double end = seconds_now() + 60 + 0.05 * (commands + sounds);
    while (!all_answered() || speech.said < sounds) {
        order(chief, &asked);
        speak(pilot, &speech);
        assert_at_least(fm_client_poll(chief, 0.002), 0);
        assert_at_least(fm_client_poll(pilot, 0), 0);
        if (seconds_now() > end)
            fail_msg("%d commands sent, %d sounds spoken: the rest hangs", asked, speech.said);
    }
    fm_client_status status = fm_client_status_get(chief), other = fm_client_status_get(pilot);
    print_message("%s: %d commands, %d sounds; %lu requests repeated, %lu datagrams dropped by clients\n", line.made_by,
                  commands, sounds, status.repeated + other.repeated, status.dropped + other.dropped);
    assert_greater(status.repeated, 10);
    assert_greater(status.dropped, 10); /* the line was bad */
    fm_client_close(pilot);
    fm_client_close(chief);
}

/* --- the log --- */

static void count_input(const fm_msg_input *in)
{
    int k = in->kind == FM_MSG_input_SET ? (int)(in->values.items[0] / STEP + 0.5) : 0;
    if (k > 0 && k <= MOST)
        done[k]++;
    char words[16] = "";
    if (in->kind == FM_MSG_input_EMISSION && in->data.count < sizeof words)
        memcpy(words, in->data.items, in->data.count);
    if (words[0] == 'n' && atoi(words + 1) > 0 && atoi(words + 1) <= MOST)
        emitted[atoi(words + 1)]++;
}

static void read_log(const char *path)
{
    fm_error error = {0};
    fm_mcap_cursor *cursor;
    fm_mcap_message message;
    fm_mcap_reader *reader = open_log(path);
    const fm_mcap_channel *channel = fm_mcap_find_channel(reader, "/inputs");
    assert_int_equal(fm_mcap_query_open(reader, &(fm_mcap_query){.channel = channel}, &cursor, &error), FM_OK);
    while (fm_mcap_next(cursor, &message, &error) == FM_OK && message.data) {
        fm_arena arena = {0};
        fm_msg_input in;
        assert_int_equal(fm_message_decode(&fm_msg_input_type, message.data, message.size, &in, &arena, &error), FM_OK);
        count_input(&in);
        fm_arena_free(&arena);
    }
    fm_mcap_query_close(cursor);
    fm_mcap_reader_close(reader);
}

static void over_a_bad_line_each_command_and_each_sound_is_done_once(void **state)
{
    served server;
    (void)state;
    if (!line.near) {
        print_message("skipped: %s\n", line.why);
        skip();
    }
    write_file("netem.xml", scenario);
    write_file("netem.key", "0707070707070707070707070707070707070707070707070707070707070707\n");
    assert_int_equal(chmod("netem.key", 0600), 0);
    unlink("netem.mcap");
    serve(&server, "--bind %s --key netem.key --log netem.mcap netem.xml", line.near);
    talk(&server);
    assert_int_equal(stop_serving(&server), 0);
    read_log("netem.mcap");
    for (int k = 1; k <= commands; k++)
        if (answered[k] != 1 || done[k] != 1)
            fail_msg("command %d was done %d times and answered %d times", k, done[k], answered[k]);
    for (int k = 1; k <= sounds; k++)
        if (spoken[k] != 1 || emitted[k] != 1)
            fail_msg("sound %d went out %d times and was answered %d times", k, emitted[k], spoken[k]);
    run_fathom(&r, "replay netem.mcap --verify");
    expect_run(&r, 0, "the same");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(over_a_bad_line_each_command_and_each_sound_is_done_once),
    };
    if (argc == 3) {
        commands = atoi(argv[1]);
        sounds = atoi(argv[2]);
    }
    if (argc == 2 || argc > 3 || commands < 1 || commands > MOST || sounds < 1 || sounds > MOST) {
        fprintf(stderr, "usage: net_test_netem [COMMANDS SOUNDS]    1 to %d each\n", MOST);
        return 2;
    }
    lay_bad_line(&line, 1);
    return cmocka_run_group_tests_name("netem", tests, NULL, NULL);
}
