/* Sound and modem messages of clients' vehicles. Stepping thread. */
#include <fathom/modem.h>
#include <fathom/sound.h>
#include <math.h>
#include <string.h>

#include "acoustics/modem.h"
#include "acoustics/parts.h"
#include "acoustics/transducer.h"
#include "net/core.h"
#include "net/voices.h"
#include "physics/real.h"

const fm_part *fm_voice_find(const fm_type *type, int modem, size_t number)
{
    const fm_part_class *wanted = modem ? &fm_modem_class : &fm_transducer_class;
    for (size_t i = 0; i < type->part_count; i++)
        if (type->parts[i].part_class == wanted && number-- == 0)
            return &type->parts[i];
    return NULL;
}

fm_wire_voice fm_voice_describe(const fm_part *part, int modem, size_t number)
{
    fm_wire_voice voice = {.number = (uint8_t)number, .modem = (uint8_t)modem};
    strncpy(voice.name, part->name, sizeof voice.name - 1);
    if (modem) {
        voice.address = (uint16_t)((const fm_modem *)part->config)->address;
    } else {
        const fm_transducer *t = part->config;
        voice.address = (uint16_t)t->address;
        voice.frequency = (float)t->frequency;
        voice.level = (float)t->level;
    }
    return voice;
}

/* --- speaking --- */

fm_status fm_voice_send(fm_run *run, const fm_errand *e, double *ready)
{
    fm_world *world = fm_run_world(run);
    const char *vehicle = e->command.name;
    int slot = fm_world_find(world, vehicle), modem = e->send.kind == FM_WIRE_SOUND_MODEM;
    const fm_part *part = slot < 0 ? NULL : fm_voice_find(world->slots[slot].type, modem, e->send.transducer);
    if (!part)
        return FM_ERR_NAME;
    if (modem)
        return fm_world_modem_send(world, vehicle, part->name, e->send_tail.to, e->bytes, e->size, NULL);
    const fm_transducer_state *state = (const void *)fm_vehicle_words(world->slots[slot].vehicle, part->state);
    *ready = state->ready;
    fm_emission emission = {.frequency = (double)e->send.frequency,
                            .level = (double)e->send.level,
                            .kind = e->send.kind,
                            .to = e->send_tail.to,
                            .code = e->send_tail.code,
                            .data = e->size ? e->bytes : NULL,
                            .size = e->size};
    return fm_world_emit(world, vehicle, part->name, &emission, NULL);
}

/* --- hearing --- */

static uint8_t path_of(const fm_reception *r)
{
    return (uint8_t)(r->surface && r->bottom ? FM_WIRE_PATH_MULTIPLE
                     : r->surface            ? FM_WIRE_PATH_SURFACE
                     : r->bottom             ? FM_WIRE_PATH_BOTTOM
                                             : FM_WIRE_PATH_DIRECT);
}

static void tell(fm_server *server, fm_session *s, uint64_t now, const fm_wire_acoustic_recv *head, const void *data,
                 size_t size, fm_wire_acoustic_recv_tail *tail)
{
    uint8_t room[FM_WIRE_PAYLOAD];
    fm_wire_out out = {.bytes = room, .room = sizeof room};
    tail->number = ++s->sounds;
    fm_wire_put_acoustic_recv(&out, head);
    fm_wire_put_bytes(&out, data, size);
    fm_wire_put_acoustic_recv_tail(&out, tail);
    fm_session_put(server, s, FM_WIRE_ACOUSTIC_RECV, (uint16_t)(s->slot + 1), now, room, out.size);
}

static void tell_sound(fm_server *server, fm_session *s, uint64_t now, size_t number, const fm_reception *r,
                       const uint8_t *data)
{
    double rest = r->time * 1e4 - floor(r->time * 1e4);
    fm_wire_acoustic_recv head = {.id = (uint32_t)r->signal,
                                  .from = (uint16_t)r->from,
                                  .path = path_of(r),
                                  .frequency = (float)r->frequency,
                                  .level = (float)r->level,
                                  .snr = (float)r->snr,
                                  .time = (uint64_t)floor(r->time * 1e4),
                                  .sub = (uint32_t)(rest * 1e5),
                                  .azimuth = (float)fm_atan2(r->direction[1], r->direction[0]),
                                  .elevation = (float)fm_asin(fmax(-1, fmin(1, -r->direction[2])))};
    fm_wire_acoustic_recv_tail tail = {
        .transducer = (uint8_t)number, .kind = (uint8_t)r->kind, .to = (uint16_t)r->to, .code = (uint16_t)r->code};
    tell(server, s, now, &head, data, (size_t)r->size, &tail);
}

static void tell_message(fm_server *server, fm_session *s, uint64_t now, size_t number, const fm_modem_message *m,
                         const uint8_t *data)
{
    fm_wire_acoustic_recv head = {.id = (uint32_t)m->number,
                                  .from = (uint16_t)m->from,
                                  .snr = (float)m->snr,
                                  .time = (uint64_t)floor(m->time * 1e4),
                                  .sub = (uint32_t)((m->time * 1e4 - floor(m->time * 1e4)) * 1e5)};
    fm_wire_acoustic_recv_tail tail = {
        .transducer = (uint8_t)number, .kind = FM_WIRE_SOUND_MODEM, .to = (uint16_t)m->to};
    tell(server, s, now, &head, data, (size_t)m->size, &tail);
}

void fm_session_hear(fm_server *server, fm_run *run, fm_session *s, uint64_t now)
{
    fm_world *world = fm_run_world(run);
    const fm_type *type = world->slots[s->slot].type;
    uint8_t data[FM_INPUT_BYTES_MOST];
    fm_reception heard;
    fm_modem_message message;
    const fm_part *part;
    int sounds = fm_world_sounds(world, NULL) > 0;
    for (size_t i = 0; i < FM_NET_VOICES && sounds && (part = fm_voice_find(type, 0, i)); i++)
        while (fm_world_hear(world, s->vehicle, part->name, &s->heard_sounds[i], &heard, data, sizeof data))
            if (heard.size <= (int64_t)sizeof data)
                tell_sound(server, s, now, i, &heard, data);
    for (size_t i = 0; i < FM_NET_VOICES && (part = fm_voice_find(type, 1, i)); i++)
        while (
            fm_world_modem_receive(world, s->vehicle, part->name, &s->heard_messages[i], &message, data, sizeof data))
            tell_message(server, s, now, i, &message, data);
}
