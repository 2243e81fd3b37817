/* The stepping thread says what is due into an outbox, and steers the world by what others have said into an inbox; the
 * loop's thread sends and receives, and does what simulation managers ask. Times are simulated ones. */
#include "net/dis_door.h"
#include "environment/environment.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "net/dis_others.h"
#include "net/dis_sender.h"
#include "net/dis_sound.h"
#include "run/run.h"
#include "world/world.h"

#define GROUP "239.1.2.3"
#define WATCH_EVERY 100 /* ms between two looks whether the run is paused */

enum { OUTBOX = 1 << 20, INBOX = 1024, SLOTS_MOST = 65000 };

typedef struct dis_door {
    const fm_bridge_settings *settings;
    fm_place *place;
    fm_dis_rule rule;
    fm_geodetic origin;
    fm_dis_entity_type types[2]; /* of those that dive, and that float */

    /* the loop's thread */
    uv_udp_t udp;
    uv_timer_t watch;
    int opened;
    struct sockaddr_in target;
    int was_paused, managed;
    uint32_t request;
    uint8_t received[65536];
    fm_dis_pdu heard, answer;

    /* the stepping thread */
    fm_dis_sender *senders; /* a slot each */
    fm_dis_noise *noises;
    int64_t *born; /* tick at which the vehicle of a slot came; -1: empty */
    int slots;
    fm_dis_others others;
    double last;
    uint16_t events;
    fm_dis_pdu said;

    /* both, under the lock */
    pthread_mutex_t lock;
    uint8_t *outbox;
    size_t out;
    fm_dis_entity *inbox;
    size_t in;
    fm_run *run; /* NULL: none yet, or no more */
    double time; /* s: as of the last step */

    fm_counter *sent, *heard_well, *full, *unsent, *own, *other_exercise, *refused, *crowded, *no_type, *beyond,
        *silent;
    fm_counter *world_refuses, *acknowledged, *collisions;
    fm_counter *drops[FM_DIS_RESULTS];
} dis_door;

static void count(fm_counter *counter)
{
    atomic_fetch_add(counter, 1);
}

/* --- saying: the stepping thread, and the loop's for what it answers itself --- */

static void head(const dis_door *d, fm_dis_pdu *pdu, fm_dis_pdu_type type, double time)
{
    memset(pdu, 0, sizeof *pdu);
    pdu->header = (fm_dis_header){.version = (uint8_t)d->settings->version,
                                  .exercise = (uint8_t)d->settings->exercise,
                                  .type = (uint8_t)type,
                                  .timestamp = fm_dis_timestamp(time, 0)};
}

/* Two bytes of length before each, then the PDU; what finds no room is counted and gone. */
static void put_out(dis_door *d, const fm_dis_pdu *pdu)
{
    pthread_mutex_lock(&d->lock);
    size_t room = OUTBOX - d->out, size = room > 2 ? fm_dis_encode(pdu, d->outbox + d->out + 2, room - 2) : 0;
    if (size) {
        uint16_t length = (uint16_t)size;
        memcpy(d->outbox + d->out, &length, sizeof length);
        d->out += 2 + size;
    }
    pthread_mutex_unlock(&d->lock);
    count(size ? d->sent : d->full);
}

static fm_dis_id id_of(const dis_door *d, int slot)
{
    return (fm_dis_id){(uint16_t)d->settings->site, (uint16_t)d->settings->application, (uint16_t)(slot + 1)};
}

static int speaks_of(const dis_door *d, const fm_world *world, int slot)
{
    const fm_slot *s = fm_slot_occupied(world, slot);
    return s && !s->type->kind->sight && (!d->settings->vehicle || strcmp(d->settings->vehicle, s->vehicle->name) == 0);
}

static int floats(const fm_type *type)
{
    const fm_floating_hull *hull = &type->body.hull;
    return hull->volume > 0 && hull->holds < FM_HULL_DIVES * hull->volume;
}

static void say_entity(dis_door *d, const fm_world *world, int slot, double time, uint32_t appearance)
{
    fm_dis_entity *e = &d->said.entity;
    const fm_slot *s = &world->slots[slot];
    head(d, &d->said, FM_DIS_ENTITY_STATE, time);
    e->id = id_of(d, slot);
    e->force = 1;
    e->type = e->alternative = d->types[floats(s->type)];
    e->appearance = appearance;
    e->character_set = 1;
    memcpy(e->marking, s->vehicle->name, strnlen(s->vehicle->name, sizeof e->marking));
    fm_dis_sender_say(&d->senders[slot], &d->rule, world, slot, time, &d->origin, e);
    put_out(d, &d->said);
}

static void say_noise(dis_door *d, const fm_world *world, int slot, double time)
{
    if (!fm_dis_noise_exists(world, slot) || !fm_dis_noise_due(&d->noises[slot], world, slot, time))
        return;
    head(d, &d->said, FM_DIS_ACOUSTIC, time);
    d->said.acoustic.emitter = id_of(d, slot);
    d->said.acoustic.event =
        (fm_dis_id){d->said.acoustic.emitter.site, d->said.acoustic.emitter.application, ++d->events};
    fm_dis_noise_say(&d->noises[slot], world, slot, time, &d->said.acoustic);
    put_out(d, &d->said);
}

static void say_pings(dis_door *d, const fm_world *world, double time)
{
    const fm_sound_record *records;
    size_t sounds = fm_world_sounds(world, &records);
    for (size_t i = 0; i < sounds; i++) {
        if (records[i].event != FM_SOUND_SENT || !speaks_of(d, world, records[i].slot))
            continue;
        head(d, &d->said, FM_DIS_ACOUSTIC, time);
        d->said.acoustic.emitter = id_of(d, records[i].slot);
        d->said.acoustic.event =
            (fm_dis_id){d->said.acoustic.emitter.site, d->said.acoustic.emitter.application, ++d->events};
        fm_dis_ping_say(world, &records[i], &d->said.acoustic);
        put_out(d, &d->said);
    }
}

static void begin_slot(dis_door *d, const fm_world *world, int slot)
{
    fm_dis_sender_begin(&d->senders[slot], world, slot);
    memset(&d->noises[slot], 0, sizeof d->noises[slot]);
    d->born[slot] = world->slots[slot].vehicle->born;
}

static void begin_door(void *user, fm_run *run)
{
    dis_door *d = user;
    for (int i = 0; i < d->slots; i++)
        d->born[i] = -1;
    pthread_mutex_lock(&d->lock);
    d->run = run;
    pthread_mutex_unlock(&d->lock);
}

static void step_door(void *user, fm_run *run)
{
    dis_door *d = user;
    const fm_world *world = fm_run_world(run);
    double time = fm_world_time(world);
    int reset = time < d->last;
    d->last = time;
    for (int slot = 0; slot < d->slots; slot++) {
        if (!speaks_of(d, world, slot)) {
            d->born[slot] = -1;
            continue;
        }
        if (reset || d->born[slot] != world->slots[slot].vehicle->born)
            begin_slot(d, world, slot);
        if (fm_dis_sender_due(&d->senders[slot], &d->rule, world, slot, time) != FM_DIS_QUIET)
            say_entity(d, world, slot, time, 0);
        say_noise(d, world, slot, time);
    }
    say_pings(d, world, time);
    pthread_mutex_lock(&d->lock);
    d->time = time;
    pthread_mutex_unlock(&d->lock);
}

/* The other's id: an entity of ours, one of somebody else, or none (ground, obstacles). */
static fm_dis_id id_of_other(const dis_door *d, const fm_world *world, int slot)
{
    const char *name = fm_world_name(world, slot);
    const fm_dis_other *other = name ? fm_dis_others_find(&d->others, name) : NULL;
    if (other)
        return other->id;
    return name ? id_of(d, slot) : (fm_dis_id){0, 0, 0};
}

static void event_door(void *user, fm_run *run, const fm_event *event)
{
    dis_door *d = user;
    const fm_world *world = fm_run_world(run);
    int met = strcmp(event->kind, "vehicle contact") == 0, other = met ? (int)event->value : -1;
    if ((!met && strcmp(event->kind, "contact") != 0) || !speaks_of(d, world, event->slot))
        return;
    fm_dis_collision *c = &d->said.collision;
    const fm_slot *s = &world->slots[event->slot];
    double velocity[3], turned[3];
    head(d, &d->said, FM_DIS_COLLISION, fm_world_time(world));
    c->issuer = id_of(d, event->slot);
    c->other = met ? id_of_other(d, world, other) : (fm_dis_id){0, 0, 0};
    c->event = (fm_dis_id){c->issuer.site, c->issuer.application, ++d->events};
    c->type = s->type->contact.response == FM_CONTACT_IMPULSE && s->type->contact.restitution > 0;
    if (s->type->kind->rigid)
        c->mass = (float)(fm_slot_mass(world, event->slot)->weight / world->environment->gravity);
    fm_vector_to_world(fm_slot_rotation(world, event->slot), s->vehicle->body.velocity, velocity);
    fm_dis_vector_out(&d->origin, s->vehicle->body.position, velocity, turned);
    for (int i = 0; i < 3; i++)
        c->velocity[i] = (float)turned[i];
    fm_pose there;
    if (met && fm_world_pose(world, other, &there) == FM_OK) { /* this one as the other sees it */
        for (int i = 0; i < 3; i++)
            velocity[i] = s->vehicle->body.position[i] - there.position[i];
        fm_vector_to_body(fm_slot_rotation(world, other), velocity, turned);
        for (int i = 0; i < 3; i++)
            c->location[i] = (float)turned[i];
    }
    put_out(d, &d->said);
}

/* --- hearing: the stepping thread --- */

static void steer_door(void *user, fm_run *run)
{
    dis_door *d = user;
    fm_world *world = fm_run_world(run);
    fm_counter *const reasons[] = {d->heard_well, d->heard_well, d->no_type, d->beyond, d->crowded};
    pthread_mutex_lock(&d->lock);
    for (size_t i = 0; i < d->in; i++)
        count(reasons[fm_dis_others_hear(&d->others, &d->inbox[i], &d->origin, fm_world_time(world))]);
    d->in = 0;
    pthread_mutex_unlock(&d->lock);
    atomic_fetch_add(d->silent, fm_dis_others_steer(&d->others, world));
    atomic_fetch_add(d->world_refuses, d->others.refused);
}

/* They leave the exercise: bit 23 of the appearance. */
static void end_door(void *user, fm_run *run)
{
    dis_door *d = user;
    const fm_world *world = fm_run_world(run);
    for (int slot = 0; slot < d->slots; slot++)
        if (d->born[slot] >= 0 && speaks_of(d, world, slot))
            say_entity(d, world, slot, fm_world_time(world), 1u << 23);
    pthread_mutex_lock(&d->lock);
    d->run = NULL;
    pthread_mutex_unlock(&d->lock);
}

/* --- the loop's thread: receiving --- */

static int is_ours(const dis_door *d, fm_dis_id id)
{
    return id.site == d->settings->site && id.application == d->settings->application;
}

/* Whether a simulation manager means this one. */
static int means_us(const dis_door *d, fm_dis_id to)
{
    return (to.site == d->settings->site || to.site == 0xffff) &&
           (to.application == d->settings->application || to.application == 0xffff);
}

static int may_manage(const dis_door *d, const struct sockaddr *from)
{
    char text[INET_ADDRSTRLEN] = "", list[512];
    inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)from)->sin_addr, text, sizeof text);
    snprintf(list, sizeof list, "%s", d->settings->allow ? d->settings->allow : "127.0.0.1");
    char *rest = list;
    for (char *word; (word = strsep(&rest, " ,")) != NULL;)
        if (strcmp(word, text) == 0)
            return 1;
    return 0;
}

static double time_now(dis_door *d)
{
    pthread_mutex_lock(&d->lock);
    double time = d->time;
    pthread_mutex_unlock(&d->lock);
    return time;
}

static void send_bytes(dis_door *d, const uint8_t *bytes, size_t size, const struct sockaddr *to)
{
    uv_buf_t buffer = uv_buf_init((char *)(uintptr_t)bytes, (unsigned)size);
    if (uv_udp_try_send(&d->udp, &buffer, 1, to) < 0)
        count(d->unsent);
}

/* Does what a simulation manager asks, and says so to whoever asked. */
static void obey(dis_door *d, const struct sockaddr *from)
{
    int starts = d->heard.header.type == FM_DIS_START_RESUME;
    fm_dis_id asker = starts ? d->heard.start.from : d->heard.stop.from;
    fm_dis_id to = starts ? d->heard.start.to : d->heard.stop.to;
    uint8_t bytes[64];
    if (is_ours(d, asker) || !means_us(d, to))
        return;
    int able = may_manage(d, from);
    fm_wire_command command = {.verb = (uint16_t)(starts ? FM_WIRE_START : FM_WIRE_STOP)};
    if (able)
        fm_place_execute(d->place, &command, NULL, NULL);
    else
        count(d->refused);
    if (able)
        d->was_paused = !starts; /* not told on */
    head(d, &d->answer, FM_DIS_ACKNOWLEDGE, time_now(d));
    d->answer.acknowledge =
        (fm_dis_acknowledge){.from = {(uint16_t)d->settings->site, (uint16_t)d->settings->application, 0},
                             .to = asker,
                             .flag = starts ? 3 : 4,
                             .response = able ? FM_DIS_ABLE : FM_DIS_UNABLE,
                             .request = starts ? d->heard.start.request : d->heard.stop.request};
    send_bytes(d, bytes, fm_dis_encode(&d->answer, bytes, sizeof bytes), from);
}

static void take_entity(dis_door *d)
{
    if (is_ours(d, d->heard.entity.id)) {
        count(d->own);
        return;
    }
    pthread_mutex_lock(&d->lock);
    int room = d->in < INBOX;
    if (room)
        d->inbox[d->in++] = d->heard.entity;
    pthread_mutex_unlock(&d->lock);
    if (!room)
        count(d->crowded);
}

static void take_pdu(dis_door *d, const struct sockaddr *from)
{
    if (d->heard.header.exercise != d->settings->exercise) {
        count(d->other_exercise);
        return;
    }
    switch (d->heard.header.type) {
    case FM_DIS_ENTITY_STATE: take_entity(d); break;
    case FM_DIS_START_RESUME:
    case FM_DIS_STOP_FREEZE: obey(d, from); break;
    case FM_DIS_ACKNOWLEDGE: count(d->acknowledged); break;
    case FM_DIS_COLLISION: count(d->collisions); break;
    default: count(d->heard_well); break;
    }
}

/* Several PDUs may stand in one datagram. */
static void on_datagram(uv_udp_t *udp, ssize_t size, const uv_buf_t *buffer, const struct sockaddr *from,
                        unsigned flags)
{
    dis_door *d = udp->data;
    const uint8_t *at = (const uint8_t *)buffer->base;
    (void)flags;
    if (size <= 0 || !from || from->sa_family != AF_INET)
        return;
    for (size_t left = (size_t)size, used; left > 0; left -= used, at += used) {
        fm_dis_result result = fm_dis_decode(at, left, &d->heard, &used);
        if (result == FM_DIS_WELL)
            take_pdu(d, from);
        else
            count(d->drops[result]);
        if (used == 0)
            return;
    }
}

static void give_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
    dis_door *d = handle->data;
    (void)suggested;
    *buffer = uv_buf_init((char *)d->received, sizeof d->received);
}

/* --- the loop's thread: sending --- */

/* One PDU a datagram: what listens to others may not know of more. */
static void turn_door(void *user)
{
    dis_door *d = user;
    uint16_t length;
    pthread_mutex_lock(&d->lock);
    for (size_t at = 0; at + sizeof length <= d->out; at += sizeof length + length) {
        memcpy(&length, d->outbox + at, sizeof length);
        send_bytes(d, d->outbox + at + sizeof length, length, (const struct sockaddr *)&d->target);
    }
    d->out = 0;
    pthread_mutex_unlock(&d->lock);
}

/* Tells the others when this one starts and stops. */
static void manage(dis_door *d, int starts)
{
    uint8_t bytes[64];
    const fm_dis_id own = {(uint16_t)d->settings->site, (uint16_t)d->settings->application, 0},
                    all = {0xffff, 0xffff, 0xffff};
    double time = time_now(d);
    head(d, &d->answer, starts ? FM_DIS_START_RESUME : FM_DIS_STOP_FREEZE, time);
    if (starts)
        d->answer.start = (fm_dis_start){own, all, fm_dis_clock_from(time), fm_dis_clock_from(time), ++d->request};
    else
        d->answer.stop = (fm_dis_stop){
            .from = own, .to = all, .real = fm_dis_clock_from(time), .reason = 1, .request = ++d->request};
    send_bytes(d, bytes, fm_dis_encode(&d->answer, bytes, sizeof bytes), (const struct sockaddr *)&d->target);
}

static void on_watch(uv_timer_t *timer)
{
    dis_door *d = timer->data;
    pthread_mutex_lock(&d->lock);
    int there = d->run != NULL, paused = there && fm_run_paused(d->run);
    pthread_mutex_unlock(&d->lock);
    if (!there || (d->managed && paused == d->was_paused))
        return;
    if (d->managed || !paused)
        manage(d, !paused);
    d->managed = 1;
    d->was_paused = paused;
}

/* --- coming and going --- */

int fm_dis_read_entity_type(const char *text, unsigned numbers[7])
{
    static const unsigned most[7] = {255, 255, 65535, 255, 255, 255, 255};
    memset(numbers, 0, 7 * sizeof *numbers);
    for (int i = 0; i < 7; i++) {
        char *end;
        unsigned long number = strtoul(text, &end, 10);
        if (end == text || *text == '-' || *text == '+' || number > most[i])
            return 0;
        numbers[i] = (unsigned)number;
        if (*end == 0)
            return 1;
        if (*end != '.')
            return 0;
        text = end + 1;
    }
    return 0;
}

static fm_status set_types(dis_door *d, fm_error *error)
{
    static const char *const usual[2] = {"1.4.0.8", "1.3.0.87"};
    for (int i = 0; i < 2; i++) {
        unsigned n[7];
        if (!fm_dis_read_entity_type(d->settings->entity_type ? d->settings->entity_type : usual[i], n))
            return fm_fail(error, FM_ERR_RANGE,
                           "entity-type '%.60s' of the DIS bridge; accepted are up to seven numbers apart by dots, "
                           "kind.domain.country.category…, each 0 … 255, the country to 65535",
                           d->settings->entity_type);
        d->types[i] = (fm_dis_entity_type){(uint8_t)n[0], (uint8_t)n[1], (uint16_t)n[2], (uint8_t)n[3],
                                           (uint8_t)n[4], (uint8_t)n[5], (uint8_t)n[6]};
    }
    return FM_OK;
}

static fm_status set_foreign(dis_door *d, const fm_model *model, fm_error *error)
{
    const char *wanted = d->settings->foreign;
    for (size_t i = 0; i < model->type_count; i++)
        if (model->types[i].kind->sight && (!wanted || strcmp(wanted, model->types[i].name) == 0)) {
            d->others.like = model->types[i].name;
            return FM_OK;
        }
    return wanted ? fm_fail(error, FM_ERR_NAME, "the DIS bridge's foreign '%s' is no <type> with <foreign/>", wanted)
                  : FM_OK;
}

static fm_status prepare(dis_door *d, fm_error *error)
{
    const fm_model *model = fm_place_model(d->place);
    const fm_bridge_settings *s = d->settings;
    d->rule = (fm_dis_rule){(int)s->pace,       (int)s->reckoning + 1, s->position_threshold,
                            s->angle_threshold, s->heartbeat,          s->rate > 0 ? 1 / s->rate : FM_DIS_FINE_PERIOD};
    d->origin = (fm_geodetic){model->settings.latitude, model->settings.longitude, 0};
    d->others.timeout = s->timeout;
    size_t slots = model->vehicle_count > model->settings.capacity ? model->vehicle_count : model->settings.capacity;
    d->slots = (int)(slots < SLOTS_MOST ? slots : SLOTS_MOST);
    d->senders = fm_alloc(slots * sizeof *d->senders + 1);
    d->noises = fm_alloc(slots * sizeof *d->noises + 1);
    d->born = fm_alloc(slots * sizeof *d->born + 1);
    d->outbox = fm_alloc(OUTBOX);
    d->inbox = fm_alloc(INBOX * sizeof *d->inbox);
    if (!d->senders || !d->noises || !d->born || !d->outbox || !d->inbox)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for the DIS bridge");
    fm_status status = set_types(d, error);
    return status == FM_OK ? set_foreign(d, model, error) : status;
}

static void make_counters(dis_door *d)
{
    const struct {
        fm_counter **counter;
        const char *name;
    } all[] = {{&d->sent, "dis/sent"},
               {&d->heard_well, "dis/heard"},
               {&d->own, "dis/own"},
               {&d->acknowledged, "dis/acknowledged"},
               {&d->collisions, "dis/collisions"},
               {&d->silent, "dis/gone"},
               {&d->full, "dis/drop/outbox"},
               {&d->unsent, "dis/drop/unsent"},
               {&d->other_exercise, "dis/drop/exercise"},
               {&d->refused, "dis/drop/not-allowed"},
               {&d->crowded, "dis/drop/crowded"},
               {&d->no_type, "dis/drop/no-foreign-type"},
               {&d->beyond, "dis/drop/far"},
               {&d->world_refuses, "dis/drop/refused"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i].counter = fm_place_count(d->place, all[i].name);
    for (int i = 0; i < FM_DIS_RESULTS; i++) {
        char name[48];
        snprintf(name, sizeof name, "dis/drop/%s", fm_dis_result_name((fm_dis_result)i));
        d->drops[i] = i == FM_DIS_WELL ? d->heard_well : fm_place_count(d->place, name);
    }
}

static int is_multicast(const struct sockaddr_in *at)
{
    return IN_MULTICAST(ntohl(at->sin_addr.s_addr));
}

/* Binds where it listens: for unicast to this computer only there, else everywhere. */
static int bind_socket(dis_door *d, const char *address, int port)
{
    struct sockaddr_in here;
    int local = strncmp(address, "127.", 4) == 0;
    uv_ip4_addr(local ? address : "0.0.0.0", d->settings->listen_port ? (int)d->settings->listen_port : port, &here);
    int wrong = uv_udp_bind(&d->udp, (const struct sockaddr *)&here, UV_UDP_REUSEADDR);
    if (!wrong)
        wrong = uv_udp_set_broadcast(&d->udp, 1);
    if (!wrong && is_multicast(&d->target)) {
        const char *interface = d->settings->interface;
        wrong = uv_udp_set_membership(&d->udp, address, interface, UV_JOIN_GROUP);
        wrong = wrong ? wrong : uv_udp_set_multicast_ttl(&d->udp, (int)d->settings->ttl);
        wrong = wrong ? wrong : uv_udp_set_multicast_loop(&d->udp, 1);
        wrong = wrong || !interface ? wrong : uv_udp_set_multicast_interface(&d->udp, interface);
    }
    return wrong ? wrong : uv_udp_recv_start(&d->udp, give_room, on_datagram);
}

static fm_status open_door(void *user, fm_place *place, fm_error *error)
{
    dis_door *d = user;
    d->place = place;
    const char *address = d->settings->address ? d->settings->address : GROUP;
    int port = d->settings->port ? (int)d->settings->port : FM_DIS_PORT;
    make_counters(d);
    fm_status status = prepare(d, error);
    if (status != FM_OK)
        return status;
    if (uv_ip4_addr(address, port, &d->target) != 0)
        return fm_fail(error, FM_ERR_ARGUMENT,
                       "address '%.60s' of the DIS bridge; accepted is an IPv4 address: one "
                       "computer's, a broadcast or a multicast one",
                       address);
    uv_udp_init(fm_place_loop(place), &d->udp);
    uv_timer_init(fm_place_loop(place), &d->watch);
    d->udp.data = d->watch.data = d;
    d->opened = 1;
    int wrong = bind_socket(d, address, port);
    if (wrong)
        return fm_fail(error, FM_ERR_FILE, "the DIS bridge cannot use %s port %d: %s", address, port,
                       uv_strerror(wrong));
    if (d->settings->manage)
        uv_timer_start(&d->watch, on_watch, 0, WATCH_EVERY);
    fm_place_tell(place, "DIS %d to %s port %d as site %d, application %d, exercise %d%s", (int)d->settings->version,
                  address, port, (int)d->settings->site, (int)d->settings->application, (int)d->settings->exercise,
                  d->others.like ? "" : "; others are not shown: the scenario has no <type> with <foreign/>");
    return FM_OK;
}

static void close_door(void *user)
{
    dis_door *d = user;
    if (!d->opened)
        return;
    turn_door(d);
    if (d->settings->manage && d->managed)
        manage(d, 0);
    uv_close((uv_handle_t *)&d->udp, NULL);
    uv_close((uv_handle_t *)&d->watch, NULL);
}

static void release_door(void *user)
{
    dis_door *d = user;
    pthread_mutex_destroy(&d->lock);
    fm_free(d->senders);
    fm_free(d->noises);
    fm_free(d->born);
    fm_free(d->outbox);
    fm_free(d->inbox);
    fm_free(d);
}

fm_status fm_dis_door(const fm_bridge_settings *settings, fm_door *door, fm_error *error)
{
    dis_door *d = fm_alloc(sizeof *d);
    if (!d)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for the DIS bridge");
    d->settings = settings;
    pthread_mutex_init(&d->lock, NULL);
    *door = (fm_door){.name = "dis",
                      .open = open_door,
                      .turn = turn_door,
                      .close = close_door,
                      .release = release_door,
                      .begin = begin_door,
                      .steer = steer_door,
                      .step = step_door,
                      .event = event_door,
                      .end = end_door,
                      .user = d};
    return FM_OK;
}
