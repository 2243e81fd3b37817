/* The server in a network that loses, doubles and disorders: made of the same code, with a clock and a network of its
 * own, so that every case repeats. And senders that are up to no good. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "server/caller.h"
#include "server/core.h"
#include "support/scenario.h"

static const char text[] = "<fathom version='1'><world dt='0.05 s' seed='7' capacity='4'><water density='1000 kg/m3'/>"
                           "<current velocity='0 0 0 m/s'/></world>"
                           "<vehicle name='a' model='nps-auv-ii' position='3 4 10 m'/></fathom>";

enum { FLYING = 512, VALUES = 64 };

typedef struct flying {
    double at; /* s: when it arrives; 0: none */
    int to_server;
    int port;
    size_t size;
    uint8_t bytes[FM_WIRE_MOST];
} flying;

typedef struct net {
    fm_server *server;
    double now, ticked;
    double trouble; /* how much is lost, and how much doubled, 0 … 1 */
    uint64_t chance;
    flying air[FLYING];
    size_t sent, lost;
    size_t bytes_up, bytes_down;
    int port; /* of the one client */
    int done[VALUES];
} net;

static net n;
static fm_model *model;

static double chance(void)
{
    n.chance = n.chance * 6364136223846793005u + 1442695040888963407u;
    return (double)(n.chance >> 11) / 9007199254740992.0;
}

static void fly(int to_server, int port, const uint8_t *bytes, size_t size)
{
    n.sent++;
    if (chance() < n.trouble) {
        n.lost++;
        return;
    }
    for (int copies = chance() < n.trouble ? 2 : 1; copies > 0; copies--)
        for (size_t i = 0; i < FLYING; i++)
            if (n.air[i].at == 0) {
                n.air[i] = (flying){.at = n.now + 0.001 + 0.15 * chance() * (n.trouble > 0),
                                    .to_server = to_server,
                                    .port = port,
                                    .size = size};
                memcpy(n.air[i].bytes, bytes, size);
                break;
            }
}

/* --- the server's side --- */

static double fake_clock(void *user)
{
    (void)user;
    return n.now;
}

static size_t server_sends(void *user, const fm_datagram *datagrams, size_t count)
{
    (void)user;
    for (size_t i = 0; i < count; i++) {
        char address[48];
        uint16_t port;
        fm_address_write(&datagrams[i].address, address, &port);
        n.bytes_down += datagrams[i].size;
        fly(0, port, datagrams[i].bytes, datagrams[i].size);
    }
    return count;
}

static void stay(void *user)
{
    (void)user;
}

static void server_takes(int port, const uint8_t *bytes, size_t size)
{
    fm_datagram d = {.size = size};
    fm_error error;
    assert_int_equal(fm_address_read("127.0.0.1", port, &d.address, &error), FM_OK);
    memcpy(d.bytes, bytes, size);
    n.bytes_up += size;
    fm_server_receive(n.server, &d, 1);
}

/* A thousandth of a second passes. */
static void pass(void)
{
    double wait;
    n.now += 0.001;
    for (size_t i = 0; i < FLYING; i++)
        if (n.air[i].at > 0 && n.air[i].at <= n.now && n.air[i].to_server) {
            n.air[i].at = 0;
            server_takes(n.air[i].port, n.air[i].bytes, n.air[i].size);
        }
    if (n.now - n.ticked >= 0.02) {
        n.ticked = n.now;
        fm_server_tick(n.server);
    }
    assert_int_equal(fm_run_advance(n.server->run, n.now, &wait, NULL), FM_OK);
    fm_server_turn(n.server);
}

/* --- the client's side --- */

static void client_sends(void *user, const uint8_t *bytes, size_t size)
{
    (void)user;
    fly(1, n.port, bytes, size);
}

static size_t client_receives(void *user, uint8_t *bytes, size_t room, double seconds)
{
    double end = n.now + seconds;
    (void)user;
    do {
        for (size_t i = 0; i < FLYING; i++)
            if (n.air[i].at > 0 && n.air[i].at <= n.now && !n.air[i].to_server && n.air[i].port == n.port) {
                n.air[i].at = 0;
                assert_at_most(n.air[i].size, room);
                memcpy(bytes, n.air[i].bytes, n.air[i].size);
                return n.air[i].size;
            }
        pass();
    } while (n.now < end);
    return 0;
}

/* Every input that the world takes. */
static void count_inputs(void *user, fm_run *run)
{
    const fm_input *inputs;
    size_t count = fm_world_inputs(fm_run_world(run), &inputs);
    (void)user;
    for (size_t i = 0; i < count; i++)
        if (inputs[i].command.kind == FM_COMMAND_SET)
            n.done[(int)(inputs[i].command.set.value * 100 + 0.5) % VALUES]++;
}

static void begin(uint64_t seed, double trouble)
{
    fm_error error = {0};
    fm_door door = {.step = count_inputs};
    memset(&n, 0, sizeof n);
    n.now = n.ticked = 1000;
    n.chance = seed;
    n.trouble = trouble;
    n.port = 7000;
    n.server = fm_server_make(model, &(fm_server_options){.seed = -1}, &error);
    assert_non_null(n.server);
    n.server->clock = fake_clock;
    n.server->send = server_sends;
    n.server->wake = stay;
    n.server->outside = &n;
    assert_int_equal(fm_server_add_door(n.server, &door, &error), FM_OK);
    assert_int_equal(fm_server_begin(n.server, &error), FM_OK);
}

static void end(void)
{
    fm_server_end(n.server, NULL);
    fm_server_free(n.server);
}

static fm_caller *call(fm_wire_role role, const char *name, const char *vehicle)
{
    fm_error error = {0};
    fm_caller_options options = {.patience = 60,
                                 .connect = {.role = (uint8_t)role, .state_period = 50000},
                                 .way = {client_sends, client_receives, fake_clock, &n}};
    strcpy(options.connect.name, name);
    strcpy(options.connect.model, vehicle);
    fm_caller *caller = fm_caller_open(&options, NULL, &error);
    if (!caller)
        fail_msg("%s", error.text);
    return caller;
}

/* --- a bad network --- */

static void no_command_is_lost_and_none_is_done_twice(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        begin(seed, 0.3);
        fm_caller *caller = call(FM_WIRE_COMMANDER, "chief", "");
        for (int k = 1; k < VALUES; k++) {
            fm_command ask = {.kind = FM_COMMAND_SET, .set = {.path = "/current/velocity/x", .value = k * 0.01}};
            fm_wire_result result;
            fm_error error = {0};
            if (fm_caller_command(caller, &ask, &result, &error) != FM_OK)
                fail_msg("seed %d, command %d: %s", (int)seed, k, error.text);
            assert_int_equal(result.code, FM_WIRE_DONE);
        }
        for (int i = 0; i < 1000; i++) /* what still flies comes in */
            pass();
        for (int k = 1; k < VALUES; k++)
            if (n.done[k] != 1)
                fail_msg("seed %d: command %d was done %d times", (int)seed, k, n.done[k]);
        assert_greater(n.lost, 30); /* the network was bad */
        assert_greater(n.server->drops[FM_WIRE_FAULT_REPLAY], 0);
        fm_caller_drop(caller);
        end();
    }
}

static void states_come_in_order_of_time_for_who_keeps_the_newest(void **state)
{
    (void)state;
    begin(9, 0.3);
    fm_caller *caller = call(FM_WIRE_CONTROLLER, "pilot", "a");
    fm_wire_header h;
    fm_wire_in payload;
    uint64_t newest = 0;
    int states = 0, old = 0;
    for (double till = n.now + 10; n.now < till;)
        if (fm_caller_receive(caller, 0.05, &h, &payload) && h.type == FM_WIRE_STATE) {
            states++;
            old += h.time <= newest;
            newest = h.time > newest ? h.time : newest;
        }
    assert_between(100, states, 300); /* 200 were sent, 30 % are lost, 30 % doubled */
    assert_greater(old, 10);          /* and disordered */
    assert_greater((double)newest * 1e-4, fm_world_time(fm_run_world(n.server->run)) - 1);
    fm_caller_drop(caller);
    end();
}

/* --- senders that are up to no good --- */

static size_t write_ping(uint8_t bytes[FM_WIRE_MOST], uint16_t id, uint64_t token, uint32_t sequence)
{
    fm_wire_out out = fm_wire_begin(bytes);
    fm_wire_put_ping(&out, &(fm_wire_ping){.nonce = 1});
    return fm_wire_finish(
        &out, &(fm_wire_header){.type = FM_WIRE_PING, .source = id, .token = token, .sequence = sequence}, NULL, NULL);
}

static void strangers_guess_replay_and_borrow_in_vain(void **state)
{
    (void)state;
    begin(3, 0);
    fm_caller *caller = call(FM_WIRE_CONTROLLER, "pilot", "a");
    uint8_t bytes[FM_WIRE_MOST];
    uint16_t id = fm_caller_welcome(caller)->id;
    uint64_t token = fm_caller_token(caller), *drops = n.server->drops;
    size_t size = write_ping(bytes, id, token ^ 1, 5);
    for (int i = 0; i < 100; i++) /* a guessed token, from the right address and from others */
        server_takes(i % 2 ? n.port : 7001, bytes, size);
    assert_int_equal(drops[FM_WIRE_FAULT_SESSION], 100);
    size = write_ping(bytes, id, token, 5);
    server_takes(7001, bytes, size); /* the right token from another port */
    assert_int_equal(drops[FM_WIRE_FAULT_ADDRESS], 1);
    uint64_t answered = n.server->sessions[id - 1]->sent;
    server_takes(n.port, bytes, size);
    assert_int_equal(n.server->sessions[id - 1]->sent, answered + 1);
    for (int i = 0; i < 10; i++) /* recorded, and played again */
        server_takes(n.port, bytes, size);
    assert_int_equal(drops[FM_WIRE_FAULT_REPLAY], 10);
    assert_int_equal(n.server->sessions[id - 1]->sent, answered + 1);
    fm_caller_drop(caller);
    end();
}

static void forgers_of_an_address_do_not_use_up_what_its_client_may_send(void **state)
{
    (void)state;
    begin(6, 0);
    fm_caller *caller = call(FM_WIRE_CONTROLLER, "pilot", "a");
    uint8_t bytes[FM_WIRE_MOST];
    uint16_t id = fm_caller_welcome(caller)->id;
    uint64_t token = fm_caller_token(caller);
    size_t size = write_ping(bytes, id, token ^ 1, 5);
    for (int i = 0; i < 20000; i++) /* as from the client's own port, far beyond the rate of one sender */
        server_takes(n.port, bytes, size);
    uint64_t answered = n.server->sessions[id - 1]->sent;
    size = write_ping(bytes, id, token, 5);
    server_takes(n.port, bytes, size);
    assert_int_equal(n.server->sessions[id - 1]->sent, answered + 1);
    assert_int_equal(n.server->drops[FM_WIRE_FAULT_SESSION], 20000);
    for (uint32_t i = 6; i < 20000; i++) { /* but the client itself is limited */
        size = write_ping(bytes, id, token, i);
        server_takes(n.port, bytes, size);
    }
    assert_greater(n.server->drops[FM_WIRE_FAULT_RATE], 10000);
    fm_caller_drop(caller);
    end();
}

/* No sender receives more bytes than it sent, and nothing is stored for it. */
static void a_flood_of_hellos_leaves_no_trace(void **state)
{
    (void)state;
    begin(4, 0);
    uint8_t bytes[FM_WIRE_MOST];
    long before = fm_alloc_live();
    size_t up = n.bytes_up, down = n.bytes_down;
    for (int i = 0; i < 100000; i++) {
        fm_wire_out out = fm_wire_begin(bytes);
        fm_wire_put_hello(&out, &(fm_wire_hello){.nonce = (uint64_t)i, .least = i % 3 == 0 ? 2 : 1, .most = 9});
        server_takes(1024 + i % 50000, bytes,
                     fm_wire_finish(&out, &(fm_wire_header){.type = FM_WIRE_HELLO}, NULL, NULL));
        n.now += 1e-5;
    }
    assert_int_equal(fm_alloc_live(), before);
    assert_int_equal(n.server->session_count, 0);
    assert_less(n.bytes_down - down, n.bytes_up - up);
    assert_greater(n.server->drops[FM_WIRE_FAULT_RATE], 50000);
    memset(n.air, 0, sizeof n.air);
    fm_caller *caller = call(FM_WIRE_OBSERVER, "late", ""); /* and who comes later is served */
    fm_caller_drop(caller);
    end();
}

static void a_cookie_is_good_for_its_address_only(void **state)
{
    (void)state;
    begin(5, 0);
    uint8_t bytes[FM_WIRE_MOST];
    fm_wire_connect connect = {.role = FM_WIRE_OBSERVER, .name = "x", .nonce = 5};
    for (int i = 0; i < 50; i++) {
        memset(connect.cookie, i, sizeof connect.cookie);
        fm_wire_out out = fm_wire_begin(bytes);
        fm_wire_put_connect(&out, &connect);
        server_takes(7000, bytes, fm_wire_finish(&out, &(fm_wire_header){.type = FM_WIRE_CONNECT}, NULL, NULL));
    }
    assert_int_equal(n.server->drops[FM_WIRE_FAULT_COOKIE], 50);
    assert_int_equal(n.bytes_down, 0);
    assert_int_equal(n.server->session_count, 0);
    end();
}

static int load_sea(void **state)
{
    (void)state;
    model = load(text);
    return 0;
}

static int free_sea(void **state)
{
    (void)state;
    fm_model_free(model);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_command_is_lost_and_none_is_done_twice),
        cmocka_unit_test(states_come_in_order_of_time_for_who_keeps_the_newest),
        cmocka_unit_test(strangers_guess_replay_and_borrow_in_vain),
        cmocka_unit_test(forgers_of_an_address_do_not_use_up_what_its_client_may_send),
        cmocka_unit_test(a_flood_of_hellos_leaves_no_trace),
        cmocka_unit_test(a_cookie_is_good_for_its_address_only),
    };
    return cmocka_run_group_tests_name("bad days", tests, load_sea, free_sea);
}
