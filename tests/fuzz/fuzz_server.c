/* What clients and strangers may send: a server without sockets takes a script of datagrams. Each piece of the input is
 * a length, a type and a payload; header and CRC are corrected, so that the code after them is reached. HELLO and
 * CONNECT come from other addresses, with a cookie that is good; type 0xfe is bytes as they are, 0xff lets 2 s pass.
 * The first byte is the role of the first client; where its highest bit is set, the server has a key and all is
 * sealed, but for every fourth message, which a stranger without the key sends: nothing of it may be taken. */
#include <stdlib.h>
#include <string.h>

#include "server/core.h"
#include "server/seal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char text[] = "<fathom version='1'><world dt='0.05 s' capacity='3'><water density='1000 kg/m3'/></world>"
                           "<server clients='6'/>"
                           "<vehicle name='a' model='nps-auv-ii' position='3 4 10 m'><depth/></vehicle></fathom>";

typedef struct stage {
    fm_server *server;
    double now;
    const uint8_t *key; /* NULL: none */
    fm_wire_challenge challenge;
    fm_wire_header welcome;
    uint16_t id;
    uint64_t hash; /* of the world as it begins */
    int inputs;    /* that the server has had */
} stage;

static double fake_clock(void *user)
{
    return ((stage *)user)->now;
}

static size_t note_answers(void *user, const fm_datagram *datagrams, size_t count)
{
    stage *s = user;
    for (size_t i = 0; i < count; i++) {
        fm_wire_header h;
        fm_wire_in in;
        fm_wire_welcome welcome;
        if (fm_wire_open(datagrams[i].bytes, datagrams[i].size, 1, &h, &in) != FM_WIRE_FINE)
            abort(); /* a server sends nothing that is not sound */
        if (s->key && !fm_wire_is_sealed(datagrams[i].bytes, &h, s->key, fm_seal_hash))
            abort(); /* nor unsealed */
        if (h.type == FM_WIRE_CHALLENGE)
            fm_wire_get_challenge(&in, &s->challenge);
        if (h.type == FM_WIRE_WELCOME && fm_wire_get_welcome(&in, &welcome)) {
            s->welcome = h;
            s->id = welcome.id;
        }
    }
    return count;
}

static void stay(void *user)
{
    (void)user;
}

enum { HOME = 5000, RAW = 0xfe, PAUSE = 0xff }; /* port of the first client; types of pieces */

static void take(stage *s, int port, fm_datagram *d)
{
    fm_error error;
    fm_address_read("127.0.0.1", port, &d->address, &error);
    if (d->size > 0)
        fm_server_receive(s->server, d, 1);
}

static void give_sealed(stage *s, int port, uint16_t type, uint32_t sequence, const void *payload, size_t size,
                        const uint8_t *key)
{
    fm_datagram d = {.size = 0};
    fm_wire_out out = fm_wire_begin(d.bytes);
    fm_wire_put_bytes(&out, payload, size);
    d.size = fm_wire_finish(
        &out,
        &(fm_wire_header){
            .type = type, .sequence = sequence, .token = sequence ? s->welcome.token : 0, .source = s->id},
        key, fm_seal_hash);
    take(s, port, &d);
}

static void give(stage *s, int port, uint16_t type, uint32_t sequence, const void *payload, size_t size)
{
    give_sealed(s, port, type, sequence, payload, size, s->key);
}

/* Who does not have the key is not heard. */
static void give_unsealed(stage *s, uint16_t type, uint32_t sequence, const void *payload, size_t size)
{
    uint64_t taken = s->server->taken;
    give_sealed(s, HOME, type, sequence, payload, size, NULL);
    if (s->server->taken != taken)
        abort();
}

static void turn(stage *s)
{
    s->now += 0.05;
    fm_run_step(s->server->run, NULL);
    fm_server_turn(s->server);
    fm_server_tick(s->server);
}

static void say_hello(stage *s, int port)
{
    uint8_t bytes[FM_WIRE_MOST];
    fm_wire_out out = {.bytes = bytes, .room = sizeof bytes};
    fm_wire_put_hello(&out, &(fm_wire_hello){.nonce = 7, .least = 1, .most = 1});
    give(s, port, FM_WIRE_HELLO, 0, bytes, out.size);
}

static void join(stage *s, uint8_t role)
{
    uint8_t bytes[FM_WIRE_MOST];
    fm_wire_out out = {.bytes = bytes, .room = sizeof bytes};
    fm_wire_connect connect = {.role = role, .name = "f", .model = "a", .nonce = 7, .pose = {0, 9, 5}};
    say_hello(s, HOME);
    memcpy(connect.cookie, s->challenge.cookie, sizeof connect.cookie);
    fm_wire_put_connect(&out, &connect);
    give(s, HOME, FM_WIRE_CONNECT, 0, bytes, out.size);
    turn(s);
}

/* A CONNECT of these bytes with a good cookie, from a port that the first of them says; resumes the first session where
 * the last says so. The session of the first client stays the one that speaks. */
static void join_another(stage *s, const uint8_t *data, size_t size)
{
    uint8_t bytes[FM_WIRE_SIZE_connect] = {0};
    fm_wire_header welcome = s->welcome;
    uint16_t id = s->id;
    int port = HOME + (size ? data[0] % 4 : 0);
    memcpy(bytes, data, size < sizeof bytes ? size : sizeof bytes);
    say_hello(s, port);
    memcpy(bytes, s->challenge.cookie, sizeof s->challenge.cookie);
    memset(bytes + 133, 0, 8);
    bytes[133] = 7; /* the nonce */
    if (size > 0 && data[size - 1] == 1)
        memcpy(bytes + 141, &welcome.token, 8);
    give(s, port, FM_WIRE_CONNECT, 0, bytes, sizeof bytes);
    turn(s);
    if (port != HOME) {
        s->welcome = welcome;
        s->id = id;
    }
}

static void give_raw(stage *s, const uint8_t *data, size_t size)
{
    fm_datagram d = {.size = size < FM_WIRE_MOST ? size : FM_WIRE_MOST};
    memcpy(d.bytes, data, d.size);
    take(s, HOME, &d);
}

static void play(stage *s, const uint8_t *data, size_t size)
{
    uint32_t sequence = 0;
    while (size >= 3) {
        size_t length = (size_t)(data[0] | data[1] << 8) % 1200;
        uint16_t type = data[2];
        data += 3;
        size -= 3;
        length = length < size ? length : size;
        if (type == FM_WIRE_HELLO)
            give(s, HOME + 1, type, 0, data, length);
        else if (type == FM_WIRE_CONNECT)
            join_another(s, data, length);
        else if (type == RAW)
            give_raw(s, data, length);
        else if (type == PAUSE)
            s->now += 2;
        else if (s->key && sequence % 4 == 3)
            give_unsealed(s, type, ++sequence, data, length);
        else
            give(s, HOME, type, ++sequence, data, length);
        if (sequence % 4 == 0)
            turn(s);
        data += length;
        size -= length;
    }
}

/* --- the server between inputs: making one costs more than most inputs --- */

enum { INPUTS_MOST = 256 }; /* that one server is kept for */

static fm_model *load_model(void)
{
    static const char *const folders[] = {FATHOM_SOURCE_DIR "/models"};
    fm_load_options options = {.model_dirs = folders, .model_dir_count = 1};
    return fm_model_load_memory(text, strlen(text), "fuzz.xml", &options, NULL);
}

static void start_server(stage *s)
{
    static fm_model *model;
    if (!model)
        model = load_model();
    s->server = fm_server_make(model, &(fm_server_options){.seed = -1, .unpaced = 1, .key = s->key}, NULL);
    if (!s->server)
        abort();
    s->server->clock = fake_clock;
    s->server->send = note_answers;
    s->server->wake = stay;
    s->server->outside = s;
    if (fm_server_begin(s->server, NULL) != FM_OK)
        abort();
    s->inputs = 0;
}

static void end_server(stage *s)
{
    fm_server_end(s->server, NULL);
    fm_server_free(s->server);
    s->server = NULL;
}

/* All clients fall silent, and their vehicles leave; then the world begins again, and must be the one it was. */
static void begin_again(stage *s)
{
    for (int i = 0; i < 2; i++) { /* lost, then given up */
        s->now += 1e4;
        fm_server_tick(s->server);
    }
    turn(s);
    if (fm_server_clients(s->server, NULL, 0) != 0)
        abort(); /* a session that stays for ever */
    if (fm_server_reset(s->server, NULL) != FM_OK)
        abort();
    turn(s);
    uint64_t hash = fm_world_hash(fm_run_world(s->server->run));
    if (s->inputs > 0 && hash != s->hash)
        abort(); /* something of the last input is left in the world */
    s->hash = hash;
}

static void prepare(stage *s)
{
    if (s->server && (s->server->over || s->inputs >= INPUTS_MOST))
        end_server(s);
    if (!s->server)
        start_server(s);
    s->id = 0;
    begin_again(s);
    s->inputs++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t key[FM_WIRE_KEY] = "a key of thirty-two bytes, known";
    static stage stages[2] = {{.now = 100}, {.now = 100, .key = key}};
    if (size < 1)
        return 0;
    stage *s = &stages[data[0] >> 7];
    prepare(s);
    join(s, (uint8_t)(data[0] % 8));
    if (s->id)
        play(s, data + 1, size - 1);
    turn(s);
    return 0;
}
