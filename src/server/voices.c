/* Sound and modem messages of clients' vehicles. Stepping thread. */
#include <fathom/modem.h>
#include <fathom/sound.h>
#include <math.h>
#include <string.h>

#include "acoustics/modem.h"
#include "acoustics/parts.h"
#include "acoustics/sound.h"
#include "acoustics/transducer.h"
#include "base/error.h"
#include "physics/real.h"
#include "server/core.h"
#include "server/voices.h"

const fm_part *fm_voice_find(const fm_type *type, int modem, size_t number)
{
    const fm_part_role wanted = modem ? FM_ROLE_MODEM : FM_ROLE_TRANSDUCER;
    for (size_t i = 0; i < type->part_count; i++)
        if (type->parts[i].role == wanted && number-- == 0)
            return &type->parts[i];
    return NULL;
}

fm_wire_voice fm_voice_describe(const fm_world *world, int slot, const fm_part *part, int modem, size_t number)
{
    const fm_type *type = world->slots[slot].type;
    fm_wire_voice voice = {.number = (uint8_t)number, .modem = (uint8_t)modem};
    int transducer = modem ? (int)((const fm_modem *)part->config)->part : (int)(part - type->parts);
    fm_sound_device d;
    strncpy(voice.name, part->name, sizeof voice.name - 1);
    if (!fm_slot_voice(world, slot, transducer, &d))
        return voice;
    voice.address = (uint16_t)d.live->address;
    voice.most = (uint16_t)(modem ? ((const fm_modem *)part->config)->size : d.is->payload);
    if (!modem) {
        voice.frequency = (float)d.is->frequency;
        voice.level = (float)d.live->level;
    }
    return voice;
}

/* --- speaking --- */

/* s: when the transducer of a voice may send again after a pulse of `duration` that is emitted now. */
static double ready_after(const fm_sound_device *d, double now, double duration, int busy)
{
    if (busy && d->state->ready > now)
        return d->state->ready;
    return now + duration + d->is->recharge;
}

static fm_status send_message(fm_world *world, int slot, const fm_part *part, const fm_errand *e, double *ready,
                              fm_error *error)
{
    const fm_modem *m = part->config;
    fm_sound_device d;
    fm_status status = fm_world_modem_send(world, e->vehicle, part->name, e->send_tail.to, e->bytes, e->size, error);
    if (fm_slot_voice(world, slot, (int)m->part, &d))
        *ready = ready_after(&d, fmax(fm_world_time(world), d.state->ready),
                             fm_frame_duration(m, status == FM_OK ? (int64_t)e->size : 0), 0);
    return status;
}

static fm_status send_sound(fm_world *world, int slot, const fm_part *part, const fm_errand *e, double *ready,
                            fm_error *error)
{
    fm_sound_device d;
    fm_emission emission = {.frequency = (double)e->send.frequency,
                            .level = (double)e->send.level,
                            .kind = e->send.kind,
                            .to = e->send_tail.to,
                            .code = e->send_tail.code,
                            .data = e->size ? e->bytes : NULL,
                            .size = e->size};
    fm_status status = fm_world_emit(world, e->vehicle, part->name, &emission, error);
    if (fm_slot_voice(world, slot, (int)(part - world->slots[slot].type->parts), &d))
        *ready = status == FM_OK || status == FM_ERR_FULL
                     ? ready_after(&d, fm_world_time(world), d.is->pulse, status == FM_ERR_FULL)
                     : d.state->ready;
    return status;
}

static fm_wire_code code_of(fm_status status)
{
    switch (status) {
    case FM_OK: return FM_WIRE_DONE;
    case FM_ERR_FULL: return FM_WIRE_BUSY;
    case FM_ERR_NAME: return FM_WIRE_NO_TRANSDUCER;
    default: return FM_WIRE_BAD_VALUE;
    }
}

fm_wire_code fm_voice_send(fm_run *run, const fm_errand *e, double *ready, fm_error *error)
{
    fm_world *world = fm_run_world(run);
    const char *vehicle = e->vehicle;
    int slot = fm_world_find(world, vehicle), modem = e->send.kind == FM_WIRE_SOUND_MODEM;
    const fm_part *part = slot < 0 ? NULL : fm_voice_find(world->slots[slot].type, modem, e->send.transducer);
    if (slot < 0)
        return code_of(fm_fail(error, FM_ERR_NAME, "'%s' is not in the water", vehicle));
    if (!part)
        return code_of(fm_fail(error, FM_ERR_NAME, "'%s' has no %s %u", vehicle, modem ? "modem" : "transducer",
                               e->send.transducer));
    size_t most = fm_voice_describe(world, slot, part, modem, e->send.transducer).most;
    if (e->size > most) {
        fm_fail(error, FM_ERR_RANGE, "%zu bytes are too many for '%s' of '%s': at most %zu", e->size, part->name,
                vehicle, most);
        return FM_WIRE_TOO_MANY_BYTES;
    }
    return code_of((modem ? send_message : send_sound)(world, slot, part, e, ready, error));
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

/* The next reception of a voice. */
typedef struct voice_news {
    const fm_part *part;
    int64_t *seen;
    int modem, is; /* is: there is one */
    size_t number; /* of the voice */
    double time;   /* s */
    uint32_t lost; /* before it: overwritten in the inbox */
    fm_reception sound;
    fm_modem_message message;
    uint8_t data[FM_SOUND_BYTES_MOST];
    size_t size;
} voice_news;

static void tell_sound(fm_server *server, fm_session *s, uint64_t now, const voice_news *n)
{
    const fm_reception *r = &n->sound;
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
        .transducer = (uint8_t)n->number, .kind = (uint8_t)r->kind, .to = (uint16_t)r->to, .code = (uint16_t)r->code};
    tell(server, s, now, &head, n->data, n->size, &tail);
}

static void tell_message(fm_server *server, fm_session *s, uint64_t now, const voice_news *n)
{
    const fm_modem_message *m = &n->message;
    fm_wire_acoustic_recv head = {.id = (uint32_t)m->number,
                                  .from = (uint16_t)m->from,
                                  .snr = (float)m->snr,
                                  .time = (uint64_t)floor(m->time * 1e4),
                                  .sub = (uint32_t)((m->time * 1e4 - floor(m->time * 1e4)) * 1e5)};
    fm_wire_acoustic_recv_tail tail = {
        .transducer = (uint8_t)n->number, .kind = FM_WIRE_SOUND_MODEM, .to = (uint16_t)m->to};
    tell(server, s, now, &head, n->data, n->size, &tail);
}

static void search_for_news(const fm_world *world, int slot, voice_news *n)
{
    int64_t before = *n->seen;
    int part = (int)(n->part - world->slots[slot].type->parts);
    if (n->modem) {
        n->is = fm_world_modem_receive(world, world->slots[slot].vehicle->name, n->part->name, n->seen, &n->message,
                                       n->data, sizeof n->data);
        n->time = n->message.time;
        n->size = (size_t)n->message.size;
    } else {
        n->is = fm_slot_hear(world, slot, part, n->seen, &n->sound, n->data, sizeof n->data);
        n->time = n->sound.time;
        n->size = (size_t)n->sound.size;
        if (n->is && n->sound.size > ((const fm_transducer *)n->part->config)->payload)
            n->size = (size_t)((const fm_transducer *)n->part->config)->payload; /* it keeps no more */
    }
    n->lost = n->is ? (uint32_t)(*n->seen - before - 1) : 0;
}

static size_t gather_news(const fm_world *world, fm_session *s, voice_news *news)
{
    size_t count = 0;
    for (int modem = 0; modem < 2; modem++)
        for (size_t i = 0; i < FM_NET_VOICES; i++) {
            voice_news *n = &news[count];
            n->part = fm_voice_find(world->slots[s->slot].type, modem, i);
            if (!n->part)
                break;
            n->seen = modem ? &s->heard_messages[i] : &s->heard_sounds[i];
            n->modem = modem;
            n->number = i;
            search_for_news(world, s->slot, n);
            count++;
        }
    return count;
}

/* Among the voices with a reception, the one that heard it first. */
static voice_news *find_earliest(voice_news *news, size_t count)
{
    voice_news *first = NULL;
    for (size_t i = 0; i < count; i++)
        if (news[i].is && (!first || news[i].time < first->time))
            first = &news[i];
    return first;
}

void fm_session_hear(fm_server *server, fm_run *run, fm_session *s, uint64_t now)
{
    const fm_world *world = fm_run_world(run);
    voice_news news[2 * FM_NET_VOICES], *next;
    size_t count = gather_news(world, s, news);
    int wants = s->listens && (s->mask & FM_WIRE_WANT_ACOUSTICS);
    while ((next = find_earliest(news, count))) {
        s->sounds += wants ? next->lost : 0;
        if (wants)
            (next->modem ? tell_message : tell_sound)(server, s, now, next);
        search_for_news(world, s->slot, next);
    }
    s->listens = 1;
}
