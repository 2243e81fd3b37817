/* What the stepping thread publishes to clients: states, samples, sounds, events. It only fills the outbox; the loop
 * sends. */
#include <fathom/instrument.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "server/core.h"
#include "server/voices.h"

int fm_outbox_put(fm_outbox *box, const fm_outgoing *head, const void *payload)
{
    if (box->size + sizeof *head + head->size > box->room)
        return 0;
    memcpy(box->bytes + box->size, head, sizeof *head);
    memcpy(box->bytes + box->size + sizeof *head, payload, head->size);
    box->size += sizeof *head + head->size;
    return 1;
}

void fm_session_put(fm_server *server, fm_session *s, fm_wire_type type, uint16_t source, uint64_t time,
                    const void *payload, size_t size)
{
    fm_outgoing head = {.generation = s->generation,
                        .session = s->id,
                        .type = (uint16_t)type,
                        .source = source,
                        .size = (uint16_t)size,
                        .time = time};
    if (!fm_outbox_put(&server->boxes[0], &head, payload))
        fm_drop_count(server, s, FM_WIRE_FAULT_BEHIND);
}

/* --- state --- */

static void put_three(fm_wire_f32 to[3], const double from[3])
{
    for (int i = 0; i < 3; i++)
        to[i] = (float)from[i];
}

static uint32_t state_flags(const fm_vehicle *v, fm_session *s, int own)
{
    int64_t touches = v->contacts + v->vehicle_contacts;
    uint32_t flags = (v->life == FM_ALIVE ? FM_WIRE_STATE_ALIVE : 0u) |
                     (v->passed & FM_PASSED_SURFACE ? FM_WIRE_STATE_SURFACED : 0u);
    if (own) {
        flags |= (touches > s->touches ? FM_WIRE_STATE_CONTACT : 0u) | (s->zeroed ? FM_WIRE_STATE_ZEROED : 0u);
        s->touches = touches;
    }
    return flags;
}

static void put_state(fm_server *server, const fm_world *world, fm_session *s, int slot, uint64_t now)
{
    uint8_t room[FM_WIRE_PAYLOAD];
    fm_wire_out out = {.bytes = room, .room = sizeof room};
    const fm_slot *at = &world->slots[slot];
    const fm_actuator_state *actuators = fm_actuator_states(at->type, at->vehicle);
    size_t count = at->type->actuator_count < FM_WIRE_VALUES ? at->type->actuator_count : FM_WIRE_VALUES;
    fm_pose pose;
    if (fm_world_pose(world, slot, &pose) != FM_OK)
        return;
    fm_wire_state state = {.count = (uint8_t)count};
    memcpy(state.position, pose.position, sizeof state.position);
    memcpy(state.attitude, pose.attitude, sizeof state.attitude);
    put_three(state.velocity, pose.velocity);
    put_three(state.rates, pose.velocity + 3);
    put_three(state.acceleration, at->vehicle->acceleration);
    put_three(state.flow, at->vehicle->water);
    fm_wire_put_state(&out, &state);
    for (size_t i = 0; i < count; i++)
        fm_wire_put_f32(&out, (float)actuators[i].value);
    fm_wire_put_u32(&out, state_flags(at->vehicle, s, slot == s->slot));
    for (size_t i = 0; i < count; i++) {
        fm_owner owner = {.kind = FM_OWNER_SCHEDULE};
        fm_world_owner(world, slot, i, &owner);
        fm_wire_put_u8(&out, (uint8_t)fm_session_owner(s, &owner));
    }
    fm_session_put(server, s, FM_WIRE_STATE, (uint16_t)(slot + 1), now, room, out.size);
}

/* --- samples --- */

typedef struct sensor_mail {
    fm_wire_out out;
    uint8_t room[FM_WIRE_PAYLOAD];
} sensor_mail;

static void post_samples(fm_server *server, fm_session *s, int slot, uint64_t now, sensor_mail *mail)
{
    if (mail->out.size > 0)
        fm_session_put(server, s, FM_WIRE_SENSORS, (uint16_t)(slot + 1), now, mail->room, mail->out.size);
    mail->out = (fm_wire_out){.bytes = mail->room, .room = sizeof mail->room};
}

static void put_sample(fm_server *server, fm_session *s, int slot, uint64_t now, sensor_mail *mail, size_t id,
                       const fm_sample_head *head, size_t size)
{
    size_t parts = size ? (size + FM_WIRE_SAMPLE_MOST - 1) / FM_WIRE_SAMPLE_MOST : 1;
    if (parts > 255)
        return; /* over 255 KB: DESCRIBE lists its size */
    for (size_t part = 0; part < parts; part++) {
        size_t at = part * FM_WIRE_SAMPLE_MOST;
        size_t piece = size - at < FM_WIRE_SAMPLE_MOST ? size - at : FM_WIRE_SAMPLE_MOST;
        if (mail->out.size + FM_WIRE_SIZE_sensor + FM_WIRE_SIZE_sample + piece > mail->out.room)
            post_samples(server, s, slot, now, mail);
        fm_wire_put_sensor(&mail->out, &(fm_wire_sensor){.id = (uint16_t)id,
                                                         .length = (uint16_t)(FM_WIRE_SIZE_sample + piece),
                                                         .time = fm_stamp_of(head->time)});
        fm_wire_put_sample(
            &mail->out,
            &(fm_wire_sample){.flags = (uint8_t)head->flags, .part = (uint8_t)part, .parts = (uint8_t)parts});
        fm_wire_put_bytes(&mail->out, server->scratch + at, piece);
    }
}

static void put_samples(fm_server *server, const fm_world *world, fm_session *s, int slot, uint64_t now, int again)
{
    double time = fm_world_time(world);
    sensor_mail mail;
    mail.out = (fm_wire_out){.bytes = mail.room, .room = sizeof mail.room};
    size_t count = fm_world_instrument_count(world, slot);
    for (size_t i = 0; i < count && i < FM_NET_INSTRUMENTS; i++) {
        fm_sample_head head;
        fm_sample_read(world, slot, i, &head, NULL, 0);
        int news = head.count != s->samples[i] && time - s->sampled[i] >= s->sensor_period - 1e-9;
        if (!(head.time >= 0) || !(news || again))
            continue;
        size_t size = fm_sample_read(world, slot, i, &head, server->scratch, server->scratch_room);
        if (size > server->scratch_room)
            continue;
        s->samples[i] = head.count;
        s->sampled[i] = time;
        put_sample(server, s, slot, now, &mail, i, &head, size);
    }
    post_samples(server, s, slot, now, &mail);
}

/* --- one client --- */

static void tell_vehicle(fm_server *server, const fm_world *world, fm_session *s, int slot, uint64_t now, int due)
{
    if ((s->mask & FM_WIRE_WANT_SENSORS) && s->sensor_period >= 0 && (slot == s->slot || s->watched))
        put_samples(server, world, s, slot, now, s->repeats && slot == s->slot);
    if ((s->mask & FM_WIRE_WANT_STATE) && due)
        put_state(server, world, s, slot, now);
}

/* Clients of one period take turns, so that they are not all served in the same step. */
static int is_due(fm_session *s, uint64_t tick)
{
    if (s->participant || s->repeats)
        return s->participant ? s->repeats || tick >= s->next_state : 1;
    return s->state_ticks > 0 && tick >= s->next_state;
}

static void note_told(fm_server *server, fm_session *s, uint64_t tick)
{
    uint64_t period = s->participant ? 1 : s->state_ticks;
    if (s->next_state == 0 && period > 1)
        s->next_state = tick + 1 + s->id % period;
    else
        s->next_state = tick + (period ? period : 1);
    s->told = server->now;
    s->repeats = 0;
}

static void tell_session(fm_server *server, fm_run *run, fm_session *s, uint64_t tick, uint64_t now)
{
    const fm_world *world = fm_run_world(run);
    int due = is_due(s, tick);
    if (s->vehicle[0] && s->role != FM_WIRE_EMULATOR) {
        if (s->slot < 0)
            s->slot = fm_world_find(world, s->vehicle);
        if (s->slot < 0 || !fm_world_name(world, s->slot))
            return;
        fm_session_hear(server, run, s, now); /* before STATE, which a client in lock-step answers */
        tell_vehicle(server, world, s, s->slot, now, due);
    } else if (s->watched) {
        if (fm_world_name(world, s->watched - 1))
            tell_vehicle(server, world, s, s->watched - 1, now, due);
    } else if (due && (s->mask & FM_WIRE_WANT_STATE)) {
        for (int slot = 0; slot < fm_world_slots(world); slot++)
            if (fm_world_name(world, slot))
                put_state(server, world, s, slot, now);
    }
    if (due)
        note_told(server, s, tick);
}

void fm_server_publish(fm_server *server, fm_run *run)
{
    const fm_world *world = fm_run_world(run);
    uint64_t tick = fm_world_tick(world), now = fm_stamp_of(fm_world_time(world));
    fm_server_lock(server);
    server->time = now;
    server->tick = tick;
    if (server->log_sink)
        server->log_now = fm_sink_log_counts(server->log_sink);
    for (size_t i = 0; i < server->session_count; i++)
        if (server->sessions[i]->life == FM_SESSION_LIVE)
            tell_session(server, run, server->sessions[i], tick, now);
    fm_server_unlock(server);
    server->wake(server->outside);
}

/* --- events --- */

static int kind_of(const fm_event *event)
{
    return strcmp(event->kind, "contact") == 0           ? FM_WIRE_EVENT_CONTACT
           : strcmp(event->kind, "vehicle contact") == 0 ? FM_WIRE_EVENT_COLLISION
                                                         : FM_WIRE_EVENT_WORLD;
}

void fm_server_publish_event(fm_server *server, fm_run *run, const fm_event *event)
{
    const fm_world *world = fm_run_world(run);
    double dt = fm_model_dt(fm_world_model(world));
    fm_wire_event told = {.kind = (uint16_t)kind_of(event),
                          .vehicle = (uint16_t)(event->slot + 1),
                          .time = fm_stamp_of((double)event->tick * dt),
                          .value = isfinite(event->value) ? event->value : 0};
    fm_text_shorten(told.text, sizeof told.text, event->text);
    fm_server_lock(server);
    for (size_t i = 0; i < server->session_count; i++) {
        fm_session *s = server->sessions[i];
        uint8_t room[FM_WIRE_SIZE_event];
        fm_wire_out out = {.bytes = room, .room = sizeof room};
        int own = s->vehicle[0] && s->slot != event->slot;
        if (s->life != FM_SESSION_LIVE || !(s->mask & FM_WIRE_WANT_EVENTS) || own)
            continue;
        told.number = ++s->events;
        fm_wire_put_event(&out, &told);
        fm_session_put(server, s, FM_WIRE_EVENT, told.vehicle, told.time, room, out.size);
    }
    fm_server_unlock(server);
}
