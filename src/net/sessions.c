/* Who is connected: joining by cookie, checks of what comes, keep-alive, leaving and coming back. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "net/core.h"
#include "net/seal.h"

#define COOKIE_SLOT 30.0 /* s: a cookie holds in its slot and the one after */
#define SOURCE_RATE 2000.0
#define HELLO_RATE 20000.0
#define REPEAT 0.1 /* s: a state that lock-step waits for an answer to */

/* --- counting and finding --- */

void fm_drop_count(fm_server *server, fm_session *session, fm_wire_fault fault)
{
    server->drops[fault]++;
    if (session)
        session->dropped++;
}

static fm_session *session_at(fm_server *server, size_t id)
{
    return id >= 1 && id <= server->session_count ? server->sessions[id - 1] : NULL;
}

fm_session *fm_session_find(fm_server *server, uint16_t id, uint32_t generation)
{
    fm_session *s = session_at(server, id);
    return s && s->life == FM_SESSION_LIVE && s->generation == generation ? s : NULL;
}

/* The next that is not free; NULL: no more. */
static fm_session *next_session(fm_server *server, size_t *i)
{
    while (*i < server->session_count) {
        fm_session *s = server->sessions[(*i)++];
        if (s && s->life != FM_SESSION_FREE)
            return s;
    }
    return NULL;
}

static int is_brought(fm_wire_role role)
{
    return role == FM_WIRE_SURFACE || role == FM_WIRE_UNDERWATER || role == FM_WIRE_BUOY;
}

int fm_server_how(const fm_server *server)
{
    if (server->over)
        return FM_WIRE_OVER;
    return server->waiting ? FM_WIRE_WAITING : server->stopped ? FM_WIRE_STOPPED : FM_WIRE_RUNNING;
}

/* --- sending --- */

static fm_datagram *next_datagram(fm_server *server)
{
    if (server->batch_count == FM_SOCKET_BATCH)
        fm_batch_flush(server);
    return &server->batch[server->batch_count];
}

void fm_batch_flush(fm_server *server)
{
    size_t count = server->batch_count;
    server->batch_count = 0;
    if (count == 0)
        return;
    fm_server_unlock(server); /* only the loop's thread uses the batch */
    size_t taken = server->send(server->outside, server->batch, count);
    fm_server_lock(server);
    server->sent += taken;
    server->drops[FM_WIRE_FAULT_SEND] += count - taken;
}

static uint8_t flags_of(const fm_server *server, fm_wire_type type)
{
    int reply = type == FM_WIRE_CHALLENGE || type == FM_WIRE_WELCOME || type == FM_WIRE_REJECT ||
                type == FM_WIRE_PONG || type == FM_WIRE_RESULT || type == FM_WIRE_ACOUSTIC_STATUS ||
                type == FM_WIRE_DESCRIPTION;
    int stopped = fm_server_how(server) != FM_WIRE_RUNNING;
    return (uint8_t)(FM_WIRE_FROM_SERVER | (reply ? FM_WIRE_REPLY : 0) | (stopped ? FM_WIRE_SIM_STOPPED : 0));
}

static void send_datagram(fm_server *server, const fm_address *to, fm_wire_header *header, const void *payload,
                          size_t size)
{
    fm_datagram *d = next_datagram(server);
    fm_wire_out out = fm_wire_begin(d->bytes);
    header->flags = flags_of(server, header->type);
    fm_wire_put_bytes(&out, payload, size);
    d->address = *to;
    d->size = fm_wire_finish(&out, header, server->keyed ? server->key : NULL, fm_seal_hash);
    server->batch_count += d->size > 0;
}

void fm_session_send(fm_server *server, fm_session *s, fm_wire_type type, uint16_t source, uint64_t time,
                     const void *payload, size_t size)
{
    fm_wire_header header = {.type = (uint16_t)type,
                             .sequence = ++s->sequence,
                             .token = s->token,
                             .time = time,
                             .source = source,
                             .destination = s->id};
    s->sent++;
    send_datagram(server, &s->address, &header, payload, size);
}

#define SEND(server, session, type, name, message)                                                                     \
    do {                                                                                                               \
        uint8_t room_[FM_WIRE_SIZE_##name];                                                                            \
        fm_wire_out out_ = {.bytes = room_, .room = sizeof room_};                                                     \
        fm_wire_put_##name(&out_, message);                                                                            \
        fm_session_send(server, session, type, 0, (server)->time, room_, out_.size);                                   \
    } while (0)

/* Without a session. */
static void answer(fm_server *server, const fm_address *to, fm_wire_type type, const void *payload, size_t size)
{
    fm_wire_header header = {.type = (uint16_t)type, .time = server->time};
    send_datagram(server, to, &header, payload, size);
}

void fm_session_answer_rejection(fm_server *server, const fm_address *to, uint64_t nonce, fm_wire_code code,
                                 const char *text)
{
    uint8_t room[FM_WIRE_SIZE_reject];
    fm_wire_out out = {.bytes = room, .room = sizeof room};
    fm_wire_reject reject = {.code = (uint16_t)code, .nonce = nonce};
    snprintf(reject.text, sizeof reject.text, "%.63s", text);
    fm_wire_put_reject(&out, &reject);
    answer(server, to, FM_WIRE_REJECT, room, out.size);
}

void fm_sessions_tell(fm_server *server, int kind, uint16_t vehicle, double value, const char *text)
{
    fm_session *s;
    for (size_t i = 0; (s = next_session(server, &i));) {
        if (s->life != FM_SESSION_LIVE || !(s->mask & FM_WIRE_WANT_EVENTS))
            continue;
        fm_wire_event event = {
            .kind = (uint16_t)kind, .vehicle = vehicle, .number = ++s->events, .time = server->time, .value = value};
        snprintf(event.text, sizeof event.text, "%.127s", text);
        SEND(server, s, FM_WIRE_EVENT, event, &event);
    }
}

/* --- cookies --- */

static void make_cookie(const fm_server *server, const fm_address *from, uint64_t nonce, uint64_t slot,
                        uint8_t cookie[16])
{
    uint8_t bytes[sizeof from->at + 24] = {0};
    fm_wire_out out = {.bytes = bytes, .room = sizeof bytes};
    fm_wire_put_u64(&out, nonce);
    fm_wire_put_u64(&out, slot);
    fm_wire_put_u32(&out, (uint32_t)from->local);
    fm_wire_put_bytes(&out, &from->at, from->size);
    fm_seal_hash(server->secret, bytes, out.size, cookie);
}

static int is_cookie(const fm_server *server, const fm_address *from, uint64_t nonce, const uint8_t cookie[16])
{
    uint8_t now[16], before[16];
    uint64_t slot = (uint64_t)(server->now / COOKIE_SLOT) + 1; /* never 0 */
    make_cookie(server, from, nonce, slot, now);
    make_cookie(server, from, nonce, slot - 1, before);
    return fm_seal_equal(cookie, now, 16) | fm_seal_equal(cookie, before, 16);
}

/* --- rates --- */

static int take_token(fm_bucket *bucket, double now, double rate)
{
    bucket->tokens = fmin(bucket->tokens + (now - bucket->since) * rate, rate);
    bucket->since = now;
    if (bucket->tokens < 1)
        return 0;
    bucket->tokens -= 1;
    return 1;
}

/* Sources that share a place push each other out: a full bucket for whoever comes, never a stranger's empty one. */
static int source_may(fm_server *server, const fm_address *from)
{
    uint64_t hash = 0xcbf29ce484222325u;
    const uint8_t *bytes = (const uint8_t *)&from->at;
    for (size_t i = 0; i < from->size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    hash ^= hash >> 29;
    fm_bucket *bucket = &server->buckets[hash % FM_NET_BUCKETS];
    if (bucket->source != hash)
        *bucket = (fm_bucket){.source = hash, .tokens = SOURCE_RATE, .since = server->now};
    return take_token(bucket, server->now, SOURCE_RATE);
}

/* --- HELLO --- */

static void take_hello(fm_server *server, const fm_address *from, fm_wire_in *payload)
{
    fm_wire_hello hello;
    uint8_t room[FM_WIRE_SIZE_challenge];
    fm_wire_out out = {.bytes = room, .room = sizeof room};
    if (!take_token(&server->hellos, server->now, HELLO_RATE)) {
        fm_drop_count(server, NULL, FM_WIRE_FAULT_RATE);
        return;
    }
    fm_wire_get_hello(payload, &hello);
    if (hello.least > FM_WIRE_MAJOR || hello.most < FM_WIRE_MAJOR) {
        fm_drop_count(server, NULL, FM_WIRE_FAULT_VERSION);
        fm_session_answer_rejection(server, from, hello.nonce, FM_WIRE_BAD_VERSION, "this server speaks version 1");
        return;
    }
    fm_wire_challenge challenge = {.nonce = hello.nonce};
    make_cookie(server, from, hello.nonce, (uint64_t)(server->now / COOKIE_SLOT) + 1, challenge.cookie);
    fm_wire_put_challenge(&out, &challenge);
    answer(server, from, FM_WIRE_CHALLENGE, room, out.size);
}

/* --- CONNECT --- */

uint64_t fm_session_period(const fm_server *server, uint32_t us)
{
    double dt = server->model->settings.dt;
    double period = us == 0 ? server->settings->state_period : us * 1e-6;
    if (us == FM_WIRE_NONE)
        return 0;
    double ticks = ceil(period / dt - 1e-6);
    return ticks < 1 ? 1 : (uint64_t)ticks;
}

static double sensor_period(const fm_server *server, uint32_t us)
{
    return us == FM_WIRE_NONE ? -1 : us == 0 ? server->settings->sensor_period : us * 1e-6;
}

static uint32_t in_us(double seconds)
{
    return seconds < 0 ? FM_WIRE_NONE : seconds > 4000 ? 4000000000u : (uint32_t)(seconds * 1e6 + 0.5);
}

static uint32_t capabilities(const fm_server *server)
{
    int sound = 0;
    for (size_t i = 0; i < server->model->subsystem_count; i++)
        sound |= strcmp(server->model->subsystems[i].subsystem->name, "sound") == 0;
    int room = server->model->settings.capacity > server->model->vehicle_count;
    return (uint32_t)((sound ? FM_WIRE_CAN_ACOUSTICS : 0) | (server->pace.lockstep ? FM_WIRE_CAN_LOCKSTEP : 0) |
                      (room ? FM_WIRE_CAN_SPAWN : 0));
}

static void send_welcome(fm_server *server, fm_session *s, int resumed)
{
    double dt = server->model->settings.dt;
    uint8_t room[FM_WIRE_SIZE_welcome];
    fm_wire_out out = {.bytes = room, .room = sizeof room};
    fm_wire_welcome welcome = {.id = s->id,
                               .dt = (uint64_t)(dt * 1e9 + 0.5),
                               .state_period = s->state_ticks ? in_us((double)s->state_ticks * dt) : FM_WIRE_NONE,
                               .sensor_period = in_us(s->sensor_period),
                               .keep_alive = (uint32_t)(server->settings->keep_alive * 1e3 + 0.5),
                               .timeout = (uint32_t)(server->settings->timeout * 1e3 + 0.5),
                               .capabilities = capabilities(server),
                               .latitude = server->model->settings.latitude,
                               .longitude = server->model->settings.longitude,
                               .state = (uint8_t)fm_server_how(server),
                               .vehicle = (uint16_t)(s->slot + 1),
                               .flags = (uint16_t)((resumed ? FM_WIRE_WELCOME_RESUMED : 0) |
                                                   (s->participant ? FM_WIRE_WELCOME_LOCKSTEP : 0) |
                                                   (s->vehicle[0] && s->slot < 0 ? FM_WIRE_WELCOME_WAITS : 0)),
                               .nonce = s->asked.nonce};
    fm_wire_put_welcome(&out, &welcome);
    uint32_t before = s->sequence;
    s->sequence = 0; /* WELCOME is 1, also when it is repeated */
    fm_session_send(server, s, FM_WIRE_WELCOME, 0, server->time, room, out.size);
    s->sequence = before > 1 ? before : 1;
}

/* Clients without which a run in lock-step does not begin. */
static int all_named_are_here(fm_server *server)
{
    const char *names = server->settings->lockstep ? server->settings->lockstep : "";
    while (*names) {
        size_t length = strcspn(names, " ");
        int here = length == 0;
        fm_session *s;
        for (size_t i = 0; !here && (s = next_session(server, &i));)
            here = s->life == FM_SESSION_LIVE && strlen(s->asked.name) == length &&
                   strncmp(s->asked.name, names, length) == 0;
        if (!here)
            return 0;
        names += length;
        names += strspn(names, " ");
    }
    return 1;
}

void fm_spawns_sort(fm_world *world)
{
    for (size_t i = world->input_first + 1; i < world->input_count; i++)
        for (size_t k = i; k > world->input_first; k--) {
            fm_input *a = &world->inputs[k - 1], *b = &world->inputs[k], held = *b;
            if (a->kind != FM_INPUT_SPAWN || b->kind != FM_INPUT_SPAWN || strcmp(a->vehicle, b->vehicle) <= 0)
                break;
            *b = *a;
            *a = held;
        }
}

static void sort_work(fm_server *server, fm_run *run, fm_errand *e)
{
    (void)server;
    (void)e;
    if (run)
        fm_spawns_sort(fm_run_world(run));
}

static void sort_spawns(fm_server *server)
{
    fm_errand *e = fm_errand_create(server, NULL);
    if (!e)
        return;
    e->work = sort_work;
    fm_errand_post(server, e);
}

static void note_arrival(fm_server *server, fm_session *s, const char *how)
{
    char text[128], address[48];
    uint16_t port;
    fm_address_write(&s->address, address, &port);
    snprintf(text, sizeof text, "%s %s", s->asked.name, how);
    fm_sessions_tell(server, FM_WIRE_EVENT_JOINED, (uint16_t)(s->slot + 1), s->id, text);
    fm_server_tell(server, "client %u: %s %s from %s port %u", s->id, s->asked.name, how, address, port);
    if (server->waiting && all_named_are_here(server)) {
        server->waiting = 0;
        sort_spawns(server);
        if (!server->stopped)
            fm_run_resume(server->run);
        fm_sessions_tell(server, FM_WIRE_EVENT_STATE, 0, fm_server_how(server), "all clients are here");
    }
}

static void forget_vehicle(fm_session *s)
{
    s->slot = -1;
    s->touches = 0;
    s->zeroed = s->silenced = 0;
    memset(s->actuations, 0, sizeof s->actuations);
    memset(s->samples, 0, sizeof s->samples);
    memset(s->heard_sounds, 0, sizeof s->heard_sounds);
    memset(s->heard_messages, 0, sizeof s->heard_messages);
    for (size_t i = 0; i < FM_WIRE_VALUES; i++)
        s->ordered[i] = NAN;
    for (size_t i = 0; i < FM_NET_INSTRUMENTS; i++)
        s->sampled[i] = -HUGE_VAL;
    s->next_state = 0;
}

void fm_session_restart(fm_session *s)
{
    forget_vehicle(s);
}

/* A vehicle that is not in the water has no state to answer: the step that brings it does not wait for its client. */
void fm_session_take_part(fm_server *server, fm_session *s)
{
    int number = fm_run_join(server->run, NULL);
    s->participant = number > 0 ? number : 0;
    if (s->participant && s->slot < 0)
        fm_run_ready(server->run, s->participant);
}

/* The world has taken it. */
static void welcome_session(fm_server *server, fm_session *s)
{
    s->life = FM_SESSION_LIVE;
    s->token = fm_seal_random();
    s->window = (fm_wire_window){0};
    s->sequence = 0;
    s->heard = s->pinged = server->now;
    s->reply = NAN;
    if ((s->asked.flags & FM_WIRE_CONNECT_LOCKSTEP) && server->pace.lockstep && s->vehicle[0])
        fm_session_take_part(server, s);
    s->repeats = s->participant > 0;
    s->told = server->now;
    send_welcome(server, s, 0);
    note_arrival(server, s, "joined");
}

static void free_session(fm_server *server, fm_session *s)
{
    if (s->participant)
        fm_run_leave(server->run, s->participant);
    s->participant = 0;
    s->life = FM_SESSION_FREE;
    s->generation++;
}

/* --- asking the world --- */

static void publish_work(fm_server *server, fm_run *run, fm_errand *e)
{
    (void)e;
    if (run)
        fm_server_publish(server, run);
}

/* States are due though no step is. */
static void publish_soon(fm_server *server)
{
    fm_errand *e = fm_errand_create(server, NULL);
    if (!e)
        return;
    e->work = publish_work;
    fm_errand_post(server, e);
}

static void remove_work(fm_server *server, fm_run *run, fm_errand *e)
{
    (void)server;
    if (run)
        fm_world_remove(fm_run_world(run), e->command.name, NULL);
}

static void remove_vehicle(fm_server *server, const fm_session *s)
{
    fm_errand *e = fm_errand_create(server, NULL);
    if (!e)
        return;
    snprintf(e->command.name, sizeof e->command.name, "%s", s->vehicle);
    e->work = remove_work;
    fm_errand_post(server, e);
}

static fm_wire_code spawn_code(const fm_world *world, const fm_wire_connect *asked, const fm_error *error)
{
    if (error->status == FM_ERR_FULL)
        return FM_WIRE_FULL;
    if (error->status == FM_ERR_NAME)
        return fm_world_find(world, asked->name) >= 0 ? FM_WIRE_NAME_TAKEN : FM_WIRE_UNKNOWN_MODEL;
    return error->status == FM_ERR_RANGE ? FM_WIRE_BAD_VALUE : FM_WIRE_FAILED;
}

/* From now on a reset brings it again. */
static void note_brought(fm_server *server, const fm_errand *e)
{
    fm_server_lock(server);
    fm_session *s = session_at(server, e->session);
    if (s && s->generation == e->generation)
        s->brought = 1;
    fm_server_unlock(server);
}

static void join_work(fm_server *server, fm_run *run, fm_errand *e)
{
    fm_wire_connect asked;
    fm_wire_in in = {.bytes = e->bytes, .size = e->size};
    fm_error error = {0};
    fm_wire_get_connect(&in, &asked);
    fm_world *world = fm_run_world(run);
    if (!run) {
        e->result.code = FM_WIRE_CLOSING;
    } else if (is_brought((fm_wire_role)asked.role)) {
        if (fm_world_spawn(world, asked.name, asked.model, asked.pose, asked.pose + 3, &error) != FM_OK)
            e->result.code = (uint16_t)spawn_code(world, &asked, &error);
        else
            note_brought(server, e);
    } else if (fm_world_find(world, asked.model) < 0) {
        e->result.code = FM_WIRE_UNKNOWN_NAME;
        snprintf(error.text, sizeof error.text, "there is no vehicle '%.32s'", asked.model);
    }
    e->result.value = run ? fm_world_find(world, is_brought((fm_wire_role)asked.role) ? "" : asked.model) : -1;
    snprintf(e->result.text, sizeof e->result.text, "%.95s", error.text);
}

static void join_done(fm_server *server, fm_errand *e)
{
    fm_session *s = session_at(server, e->session);
    if (!s || s->life != FM_SESSION_JOINING || s->generation != e->generation)
        return;
    if (e->result.code != FM_WIRE_DONE) {
        fm_session_answer_rejection(server, &s->address, s->asked.nonce, (fm_wire_code)e->result.code, e->result.text);
        free_session(server, s);
        return;
    }
    s->slot = (int)e->result.value;
    welcome_session(server, s);
    if (s->slot >= 0)
        publish_soon(server);
}

/* --- who may --- */

static int is_name(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("-_.", *c))
            return 0;
    return isalpha((unsigned char)name[0]) || name[0] == '_';
}

static fm_wire_code judge_connect(fm_server *server, const fm_wire_connect *asked, const char **text)
{
    fm_session *s;
    int steers = asked->role == FM_WIRE_CONTROLLER;
    *text = "role 1 to 7 is accepted";
    if (asked->role < FM_WIRE_SURFACE || asked->role > FM_WIRE_EMULATOR)
        return FM_WIRE_BAD_VALUE;
    *text = "a name has letters, digits, - _ . and begins with a letter";
    if (!is_name(asked->name))
        return FM_WIRE_BAD_VALUE;
    for (size_t i = 0; (s = next_session(server, &i));) {
        *text = "another client has this name";
        if (strcmp(s->asked.name, asked->name) == 0)
            return FM_WIRE_NAME_TAKEN;
        *text = "another client steers this vehicle";
        if (steers && strcmp(s->vehicle, asked->model) == 0 && s->role != FM_WIRE_EMULATOR)
            return FM_WIRE_NAME_TAKEN;
    }
    return FM_WIRE_DONE;
}

static fm_session *make_session(fm_server *server)
{
    for (size_t i = 0; i < server->session_count; i++)
        if (server->sessions[i]->life == FM_SESSION_FREE)
            return server->sessions[i];
    if (server->session_count == server->session_room)
        return NULL;
    fm_session *s = fm_alloc(sizeof *s);
    if (s)
        server->sessions[server->session_count++] = s;
    if (s)
        s->id = (uint16_t)server->session_count;
    return s;
}

/* The place of a session is used again; what counts is its generation. */
static void fill_session(fm_server *server, fm_session *s, const fm_wire_connect *asked, const fm_address *from)
{
    uint16_t id = s->id;
    uint32_t generation = s->generation + 1;
    memset(s, 0, sizeof *s);
    s->id = id;
    s->generation = generation;
    s->role = (fm_wire_role)asked->role;
    s->asked = *asked;
    s->address = *from;
    s->life = FM_SESSION_JOINING;
    s->heard = server->now;
    s->mask = asked->role == FM_WIRE_OBSERVER || asked->role == FM_WIRE_COMMANDER ? FM_WIRE_WANT_EVENTS : 15;
    if (asked->role == FM_WIRE_EMULATOR)
        s->mask = 0;
    s->state_ticks = fm_session_period(server, asked->state_period);
    s->sensor_period = sensor_period(server, asked->sensor_period);
    forget_vehicle(s);
    if (is_brought(s->role))
        snprintf(s->vehicle, sizeof s->vehicle, "%s", asked->name);
    else if (s->role == FM_WIRE_CONTROLLER || s->role == FM_WIRE_EMULATOR)
        snprintf(s->vehicle, sizeof s->vehicle, "%s", asked->model);
}

static void begin_session(fm_server *server, const fm_wire_connect *asked, const fm_address *from)
{
    const char *text;
    fm_wire_code code = judge_connect(server, asked, &text);
    fm_session *s = code == FM_WIRE_DONE ? make_session(server) : NULL;
    fm_errand *e = NULL;
    if (code == FM_WIRE_DONE && !s) {
        fm_drop_count(server, NULL, FM_WIRE_FAULT_FULL);
        code = FM_WIRE_FULL;
        text = "no more clients are taken";
    }
    if (code != FM_WIRE_DONE) {
        fm_session_answer_rejection(server, from, asked->nonce, code, text);
        return;
    }
    fill_session(server, s, asked, from);
    if (!s->vehicle[0]) {
        welcome_session(server, s);
        return;
    }
    if (!(e = fm_errand_create(server, s))) {
        free_session(server, s);
        return;
    }
    fm_wire_out out = {.bytes = e->bytes, .room = sizeof e->bytes};
    fm_wire_put_connect(&out, asked);
    e->size = out.size;
    e->work = join_work;
    e->done = join_done;
    fm_errand_post(server, e);
}

/* --- coming back --- */

static void resume_session(fm_server *server, fm_session *s, const fm_wire_connect *asked, const fm_address *from)
{
    if (s->life == FM_SESSION_LIVE) {
        fm_wire_leave leave = {.reason = FM_WIRE_REPLACED};
        SEND(server, s, FM_WIRE_BYE, leave, &leave);
    }
    int was_lost = s->life == FM_SESSION_LOST;
    s->asked.nonce = asked->nonce;
    s->asked.resume = asked->resume;
    s->address = *from;
    s->life = FM_SESSION_LIVE;
    s->token = fm_seal_random();
    s->sequence = 0;
    s->window = (fm_wire_window){0};
    s->heard = s->pinged = s->told = server->now;
    s->silenced = 0;
    s->next_state = 0;
    memset(s->commands, 0, sizeof s->commands);
    memset(s->sends, 0, sizeof s->sends);
    if (was_lost && (s->asked.flags & FM_WIRE_CONNECT_LOCKSTEP) && server->pace.lockstep)
        fm_session_take_part(server, s);
    send_welcome(server, s, 1);
    note_arrival(server, s, "came back");
    publish_soon(server);
}

/* The session that a token belongs to; all are looked at, in constant time each. */
static fm_session *find_resumed(fm_server *server, const fm_wire_connect *asked)
{
    fm_session *s, *found = NULL;
    for (size_t i = 0; asked->resume && (s = next_session(server, &i));)
        if (s->life != FM_SESSION_JOINING && fm_seal_equal(&s->token, &asked->resume, sizeof s->token))
            found = s;
    int same = found && found->role == (fm_wire_role)asked->role && strcmp(found->asked.name, asked->name) == 0;
    return same ? found : NULL;
}

static void take_connect(fm_server *server, const fm_address *from, fm_wire_in *payload)
{
    fm_wire_connect asked;
    fm_session *s;
    int fine = fm_wire_get_connect(payload, &asked);
    if (!is_cookie(server, from, asked.nonce, asked.cookie)) {
        fm_drop_count(server, NULL, FM_WIRE_FAULT_COOKIE);
        return;
    }
    if (!fine) {
        fm_drop_count(server, NULL, FM_WIRE_FAULT_VALUE);
        fm_session_answer_rejection(server, from, asked.nonce, FM_WIRE_BAD_VALUE,
                                    "a number is not finite, or a text does not end");
        return;
    }
    for (size_t i = 0; (s = next_session(server, &i));)
        if (s->asked.nonce == asked.nonce && fm_address_equal(&s->address, from)) { /* said again */
            if (s->life == FM_SESSION_LIVE)
                send_welcome(server, s, s->asked.resume != 0);
            return;
        }
    if ((s = find_resumed(server, &asked)))
        resume_session(server, s, &asked, from);
    else if (asked.resume)
        fm_session_answer_rejection(server, from, asked.nonce, FM_WIRE_NOT_CONNECTED,
                                    "there is no such session any more");
    else
        begin_session(server, &asked, from);
}

/* --- leaving --- */

static void say_bye(fm_server *server, fm_session *s, fm_wire_code reason)
{
    fm_wire_leave leave = {.reason = (uint16_t)reason};
    SEND(server, s, FM_WIRE_BYE, leave, &leave);
}

static void end_session(fm_server *server, fm_session *s, const char *how)
{
    char text[128];
    snprintf(text, sizeof text, "%s %s", s->asked.name, how);
    uint16_t vehicle = (uint16_t)(s->slot + 1), id = s->id;
    if (is_brought(s->role))
        remove_vehicle(server, s);
    if (s->role == FM_WIRE_EMULATOR)
        fm_session_give_back(server, s);
    free_session(server, s);
    fm_sessions_tell(server, FM_WIRE_EVENT_LEFT, vehicle, id, text);
    fm_server_tell(server, "client %u: %s", id, text);
}

void fm_session_leave(fm_server *server, fm_session *s, fm_wire_code reason)
{
    say_bye(server, s, reason);
    end_session(server, s, "left");
}

static void lose_session(fm_server *server, fm_session *s)
{
    say_bye(server, s, FM_WIRE_TIMED_OUT);
    if (server->settings->keep <= 0 || !s->vehicle[0]) {
        end_session(server, s, "was not heard any more");
        return;
    }
    if (s->participant)
        fm_run_leave(server->run, s->participant);
    s->participant = 0;
    s->life = FM_SESSION_LOST;
    s->lost = server->now;
    s->silenced = 1;
    char text[128];
    snprintf(text, sizeof text, "%s was not heard any more", s->asked.name);
    fm_sessions_tell(server, FM_WIRE_EVENT_LEFT, (uint16_t)(s->slot + 1), s->id, text);
    fm_server_tell(server, "client %u: %s", s->id, text);
}

void fm_server_close_sessions(fm_server *server)
{
    fm_session *s;
    fm_server_lock(server);
    for (size_t i = 0; (s = next_session(server, &i));)
        if (s->life == FM_SESSION_LIVE)
            say_bye(server, s, FM_WIRE_CLOSING);
    fm_batch_flush(server);
    fm_server_unlock(server);
}

/* --- time --- */

static void ping_session(fm_server *server, fm_session *s)
{
    fm_wire_ping ping = {.nonce = fm_seal_random(), .sent = (uint64_t)(server->now * 1e9)};
    s->ping = ping.nonce;
    s->pinged = server->now;
    s->pings++;
    SEND(server, s, FM_WIRE_PING, ping, &ping);
}

static void repeat_state(fm_server *server, fm_session *s)
{
    if (!s->participant || server->now - s->told < REPEAT)
        return;
    s->told = server->now;
    s->repeats = 1;
    publish_soon(server);
}

void fm_server_tick(fm_server *server)
{
    fm_session *s;
    fm_server_lock(server);
    server->now = server->clock(server->outside);
    for (size_t i = 0; (s = next_session(server, &i));) {
        if (s->life == FM_SESSION_LIVE && server->now - s->heard > server->settings->timeout)
            lose_session(server, s);
        else if (s->life == FM_SESSION_LOST && server->now - s->lost > server->settings->keep)
            end_session(server, s, "did not come back");
        else if (s->life == FM_SESSION_LIVE && server->now - s->pinged >= server->settings->keep_alive)
            ping_session(server, s);
        if (s->life == FM_SESSION_LIVE)
            repeat_state(server, s);
    }
    fm_batch_flush(server);
    fm_server_unlock(server);
}

/* --- what comes --- */

/* The session that a datagram is of, or why it is not taken. */
static fm_wire_fault find_sender(fm_server *server, const fm_datagram *d, const fm_wire_header *h, fm_session **found)
{
    static const uint64_t nobody = 0;
    fm_session *s = session_at(server, h->source);
    int live = s && s->life == FM_SESSION_LIVE;
    int same = fm_seal_equal(live ? &s->token : &nobody, &h->token, sizeof h->token);
    if (!live || !same)
        return FM_WIRE_FAULT_SESSION;
    *found = s;
    if (!fm_address_equal(&s->address, &d->address))
        return FM_WIRE_FAULT_ADDRESS;
    return FM_WIRE_FINE;
}

static fm_wire_fault check_seal(const fm_server *server, const fm_datagram *d, const fm_wire_header *h)
{
    if (!server->keyed)
        return h->flags & FM_WIRE_SEALED ? FM_WIRE_FAULT_MAC : FM_WIRE_FINE;
    return fm_wire_is_sealed(d->bytes, h, server->key, fm_seal_hash) ? FM_WIRE_FINE : FM_WIRE_FAULT_MAC;
}

static void take_datagram(fm_server *server, const fm_datagram *d)
{
    fm_wire_header h;
    fm_wire_in payload;
    fm_session *s = NULL;
    fm_wire_fault fault = fm_wire_open(d->bytes, d->size, 0, &h, &payload);
    int stranger = h.type == FM_WIRE_HELLO || h.type == FM_WIRE_CONNECT;
    if (fault == FM_WIRE_FINE)
        fault = !stranger                         ? find_sender(server, d, &h, &s)
                : source_may(server, &d->address) ? FM_WIRE_FINE
                                                  : FM_WIRE_FAULT_RATE;
    if (fault == FM_WIRE_FINE)
        fault = check_seal(server, d, &h);
    if (fault == FM_WIRE_FINE && s && !fm_wire_window_take(&s->window, h.sequence))
        fault = FM_WIRE_FAULT_REPLAY;
    if (fault == FM_WIRE_FINE && s && !take_token(&s->rate, server->now, SOURCE_RATE))
        fault = FM_WIRE_FAULT_RATE; /* of its own: whoever forges its address cannot use it up */
    if (fault != FM_WIRE_FINE) {
        fm_drop_count(server, s, fault);
        return;
    }
    server->taken++;
    if (h.type == FM_WIRE_HELLO) {
        take_hello(server, &d->address, &payload);
    } else if (h.type == FM_WIRE_CONNECT) {
        take_connect(server, &d->address, &payload);
    } else {
        s->heard = server->now;
        s->received++;
        fm_session_take(server, s, &h, &payload);
    }
}

void fm_server_receive(fm_server *server, const fm_datagram *datagrams, size_t count)
{
    fm_server_lock(server);
    server->now = server->clock(server->outside);
    for (size_t i = 0; i < count; i++)
        take_datagram(server, &datagrams[i]);
    fm_batch_flush(server);
    fm_server_unlock(server);
}

/* --- what steps have brought --- */

static void send_outbox(fm_server *server, const fm_outbox *box)
{
    fm_outgoing head;
    for (size_t at = 0; at + sizeof head <= box->size; at += sizeof head + head.size) {
        memcpy(&head, box->bytes + at, sizeof head);
        fm_session *s = fm_session_find(server, head.session, head.generation);
        if (s)
            fm_session_send(server, s, (fm_wire_type)head.type, head.source, head.time, box->bytes + at + sizeof head,
                            head.size);
    }
}

void fm_server_turn(fm_server *server)
{
    fm_server_lock(server);
    server->now = server->clock(server->outside);
    fm_outbox full = server->boxes[0];
    server->boxes[0] = server->boxes[1];
    server->boxes[0].size = 0;
    server->boxes[1] = full;
    fm_errands_finish(server);
    send_outbox(server, &full);
    fm_batch_flush(server);
    fm_server_unlock(server);
}
