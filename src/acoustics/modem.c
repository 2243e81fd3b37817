/* <modem>: a queue of messages sent as frames, received frames, acknowledgements and forwarding. */
#include "acoustics/modem.h"

#include <math.h>
#include <string.h>

#include "acoustics/parts.h"
#include "base/part_class.h"
#include "base/random.h"

/* --- messages that wait --- */

static int64_t next_hop(const fm_modem *m, int64_t final)
{
    for (size_t i = 0; i < m->route_count; i++)
        if (m->routes[i].to == final)
            return m->routes[i].via;
    return final;
}

static fm_modem_waiting *free_entry(fm_modem_state *s)
{
    for (int i = 0; i < FM_MODEM_WAITING; i++)
        if (!s->waiting[i].used)
            return &s->waiting[i];
    return NULL;
}

/* Adds a message to the queue; urgent ones before all others. 0: the queue is full. */
static int put(const fm_modem *m, fm_modem_state *s, const fm_modem_waiting *message, const void *data, int urgent)
{
    fm_modem_waiting *w = free_entry(s);
    if (!w)
        return 0;
    *w = *message;
    w->used = 1;
    w->order = urgent ? -1 : s->order++;
    w->to = next_hop(m, w->final);
    if (w->size)
        memcpy(w->data, data, (size_t)w->size);
    return 1;
}

size_t fm_modem_room(const fm_modem_state *s)
{
    size_t room = 0;
    for (int i = 0; i < FM_MODEM_WAITING; i++)
        room += !s->waiting[i].used;
    return room;
}

int fm_modem_put(const fm_part_context *context, const fm_modem *m, fm_modem_state *s, int64_t to, const void *data,
                 size_t size)
{
    if (to < 0 || to > 65535 || size > (size_t)m->size || (size && !data))
        return 0;
    const fm_modem_waiting w = {.final = to,
                                .sequence = s->sequence,
                                .flags = m->acknowledge && to ? FM_FRAME_WANTS_ACK : 0,
                                .origin = fm_sound_address(context, (int)m->part),
                                .size = (int64_t)size,
                                .due = context->time};
    fm_metric_note(context, (int)m->sent_metric, 1);
    if (!put(m, s, &w, data, 0)) {
        fm_metric_note(context, (int)m->lost_metric, 1);
        return 0;
    }
    s->sequence = (s->sequence + 1) & 0xffff;
    return 1;
}

/* --- sending --- */

static int hears_something(const fm_modem_state *s, double time)
{
    for (int i = 0; i < FM_MODEM_HEARD; i++)
        if (s->heard[i].used && s->heard[i].ends > time)
            return 1;
    return 0;
}

/* The due message that has waited longest. */
static fm_modem_waiting *choose(fm_modem_state *s, double time)
{
    fm_modem_waiting *best = NULL;
    for (int i = 0; i < FM_MODEM_WAITING; i++) {
        fm_modem_waiting *w = &s->waiting[i];
        if (w->used && w->due <= time && (!best || w->order < best->order))
            best = w;
    }
    return best;
}

/* After a frame was sent: removes the message, or waits for its acknowledgement; randomly up to twice as long, so that
 * two modems that collided do not collide again. */
static void wait_for_answer(const fm_part_context *context, const fm_modem *m, fm_modem_waiting *w, double ends)
{
    const fm_random_key key = {context->seed, context->entity, context->channel};
    if (!(w->flags & FM_FRAME_WANTS_ACK)) {
        w->used = 0;
        return;
    }
    w->tries++;
    w->due = ends + m->timeout * (1 + fm_random_uniform(key, context->tick, 1));
}

static void give_up(const fm_part_context *context, const fm_modem *m, fm_modem_waiting *w)
{
    w->used = 0;
    fm_metric_note(context, (int)m->lost_metric, 1);
    ((fm_modem_output *)context->output)->lost += 1;
    fm_event_emit(context, "message given up", (double)w->final);
}

static void send_next(const fm_part_context *context, const fm_modem *m, fm_modem_state *s)
{
    unsigned char bytes[FM_SOUND_BYTES_MOST];
    fm_modem_waiting *w = choose(s, context->time);
    if (!w || (m->carrier_sense && hears_something(s, context->time)))
        return;
    if (w->tries > m->retries) {
        give_up(context, m, w);
        return;
    }
    const fm_frame_head head = {(int)(w->sequence), (int)(w->flags), (int)(w->hops), (int)(w->origin), (int)(w->final)};
    fm_frame_write(&head, bytes);
    memcpy(bytes + FM_MODEM_HEADER, w->data, (size_t)w->size);
    const double duration = fm_frame_duration(m, w->size);
    const fm_emission e = {.kind = FM_SOUND_DATA,
                           .to = w->to,
                           .code = w->sequence,
                           .duration = duration,
                           .data = bytes,
                           .size = (size_t)w->size + FM_MODEM_HEADER};
    if (fm_sound_emit(context, (int)m->part, &e) != FM_SOUND_TAKEN)
        return; /* it recharges: the message keeps waiting */
    s->sending_until = context->time + duration;
    for (int i = 0; i < FM_MODEM_HEARD; i++) /* half duplex: the frame being received is lost */
        s->heard[i].spoilt |= s->heard[i].used && s->heard[i].ends > context->time;
    wait_for_answer(context, m, w, s->sending_until);
}

static void send_letters(const fm_part_context *context, const fm_modem *m, fm_modem_state *s)
{
    for (size_t i = 0; i < m->letter_count; i++) {
        const fm_modem_letter *l = &m->letters[i];
        if (context->time + 1e-9 < s->letter_due[i])
            continue;
        fm_modem_put(context, m, s, l->to, l->text, strlen(l->text));
        s->letter_due[i] = l->period > 0 ? s->letter_due[i] + l->period : HUGE_VAL;
    }
}

/* --- hearing --- */

static void lose_frame(const fm_part_context *context, const fm_modem *m, int flags)
{
    fm_metric_note(context, (int)m->frames_metric, 1);
    if (flags & (FM_FRAME_WANTS_ACK | FM_FRAME_IS_ACK))
        return; /* its sender will know */
    fm_metric_note(context, (int)m->lost_metric, 1);
    ((fm_modem_output *)context->output)->lost += 1;
}

/* (A9.3) Two simultaneous sounds corrupt each other, except one that is louder by `capture`. */
static void disturb(const fm_modem *m, fm_modem_state *s, fm_modem_heard *h)
{
    for (int i = 0; i < FM_MODEM_HEARD; i++) {
        fm_modem_heard *other = &s->heard[i];
        if (other == h || !other->used || other->signal == h->signal || other->ends <= h->begins ||
            h->ends <= other->begins)
            continue;
        if (other->level > h->level - m->capture)
            h->spoilt = 1;
        if (h->level > other->level - m->capture)
            other->spoilt = 1;
    }
}

/* The same signal along another path: a modem equalises, the first copy counts. */
static int is_known(const fm_modem_state *s, int64_t signal)
{
    for (int i = 0; i < FM_MODEM_HEARD; i++)
        if (s->heard[i].used && s->heard[i].signal == signal)
            return 1;
    return 0;
}

static void take_in(const fm_part_context *context, const fm_modem *m, fm_modem_state *s, const fm_reception *r,
                    const unsigned char *data)
{
    fm_modem_heard *h = NULL;
    for (int i = 0; i < FM_MODEM_HEARD && !h; i++)
        if (!s->heard[i].used)
            h = &s->heard[i];
    const int frame = r->kind == FM_SOUND_DATA && r->size >= FM_MODEM_HEADER && r->size <= FM_SOUND_BYTES_MOST &&
                      (r->to == 0 || r->to == fm_sound_address(context, (int)m->part));
    if (!h) { /* more frames at once than it can track: no receiver could decode that */
        if (frame)
            lose_frame(context, m, data[2]);
        return;
    }
    *h = (fm_modem_heard){.used = 1,
                          .signal = r->signal,
                          .frame = frame,
                          .begins = r->time,
                          .ends = r->time + r->duration,
                          .level = r->level,
                          .snr = r->snr,
                          .sent = r->sent,
                          .spoilt = r->time < s->sending_until,
                          .from = r->from,
                          .to = r->to,
                          .size = r->size};
    if (frame)
        memcpy(h->data, data, (size_t)r->size);
    disturb(m, s, h);
}

static void listen(const fm_part_context *context, const fm_modem *m, fm_modem_state *s)
{
    unsigned char data[FM_SOUND_BYTES_MOST] = {0};
    fm_reception r;
    while (fm_sound_hear(context, (int)m->part, &s->seen, &r, data, sizeof data))
        if (!is_known(s, r.signal))
            take_in(context, m, s, &r, data);
}

/* Frames that the transducer did not detect: too weak, or it was sending. */
static void count_unheard(const fm_part_context *context, const fm_modem *m)
{
    const fm_sound_record *records;
    const size_t count = fm_world_sounds(context->world, &records);
    for (size_t i = 0; i < count; i++) {
        const fm_sound_record *r = &records[i];
        const int lost = r->event == FM_SOUND_WEAK || r->event == FM_SOUND_MASKED || r->event == FM_SOUND_DROPPED;
        if (lost && r->slot == context->slot && r->part == m->part && r->sound.kind == FM_SOUND_DATA &&
            r->sound.surface + r->sound.bottom == 0 &&
            (r->sound.to == fm_sound_address(context, (int)m->part) || r->sound.to == 0))
            lose_frame(context, m, r->sound.to && m->acknowledge ? FM_FRAME_WANTS_ACK : 0);
    }
}

/* --- frames that are complete --- */

/* Whether this message of its sender was received before. */
static int came_before(fm_modem_state *s, const fm_frame_head *head)
{
    for (int i = 0; i < FM_MODEM_PEERS; i++)
        if (s->peers[i][0] == head->origin) {
            const int again = s->peers[i][1] == head->sequence + 1;
            s->peers[i][1] = head->sequence + 1;
            return again;
        }
    s->peers[s->peer_next][0] = head->origin;
    s->peers[s->peer_next][1] = head->sequence + 1;
    s->peer_next = (s->peer_next + 1) % FM_MODEM_PEERS;
    return 0;
}

static void keep(const fm_part_context *context, const fm_modem *m, fm_modem_state *s, const fm_modem_heard *h,
                 const fm_frame_head *head)
{
    fm_modem_output *o = context->output;
    fm_modem_kept *k = &s->inbox[s->received++ % FM_MODEM_INBOX];
    *k = (fm_modem_kept){.message = {.number = s->received,
                                     .from = head->origin,
                                     .to = head->final,
                                     .hops = head->hops,
                                     .sent = h->sent,
                                     .time = h->ends,
                                     .snr = h->snr,
                                     .size = h->size - FM_MODEM_HEADER}};
    memcpy(k->data, h->data + FM_MODEM_HEADER, (size_t)k->message.size);
    o->head = (fm_reading){.count = s->received, .valid = 1, .time = h->ends};
    o->from = (double)head->origin;
    o->to = (double)head->final;
    o->hops = (double)head->hops;
    o->snr = h->snr;
    o->size = (double)k->message.size;
    memcpy(o->data, k->data, sizeof o->data);
    o->delivered += 1;
    fm_metric_note(context, (int)m->delivered_metric, 1);
}

static void acknowledge(const fm_part_context *context, const fm_modem *m, fm_modem_state *s, const fm_modem_heard *h,
                        const fm_frame_head *head)
{
    const fm_modem_waiting w = {.final = h->from,
                                .sequence = head->sequence,
                                .flags = FM_FRAME_IS_ACK,
                                .origin = head->origin,
                                .due = context->time};
    fm_modem_waiting *entry = free_entry(s);
    if (put(m, s, &w, NULL, 1))
        entry->to = h->from; /* directly to the previous hop, whatever the routes */
}

/* An acknowledged message needs no repetition. */
static void take_acknowledgement(fm_modem_state *s, const fm_modem_heard *h, const fm_frame_head *head)
{
    for (int i = 0; i < FM_MODEM_WAITING; i++) {
        fm_modem_waiting *w = &s->waiting[i];
        if (w->used && w->tries > 0 && w->sequence == head->sequence && w->origin == head->origin && w->to == h->from)
            w->used = 0;
    }
}

static void pass_on(const fm_part_context *context, const fm_modem *m, fm_modem_state *s, const fm_modem_heard *h,
                    const fm_frame_head *head)
{
    const fm_modem_waiting w = {.final = head->final,
                                .sequence = head->sequence,
                                .flags = head->flags,
                                .hops = head->hops + 1,
                                .origin = head->origin,
                                .size = h->size - FM_MODEM_HEADER,
                                .due = context->time};
    if (head->hops + 1 > FM_MODEM_HOPS_MOST || !put(m, s, &w, h->data + FM_MODEM_HEADER, 0))
        fm_metric_note(context, (int)m->lost_metric, 1);
}

static void take_frame(const fm_part_context *context, const fm_modem *m, fm_modem_state *s, const fm_modem_heard *h)
{
    const fm_random_key key = {context->seed, context->entity, context->channel};
    const fm_frame_head head = fm_frame_read(h->data);
    const double chance = fm_random_uniform(key, context->tick, 2 + (uint32_t)(h - s->heard));
    if (h->spoilt || chance < fm_frame_loss(m, h->size - FM_MODEM_HEADER, h->snr)) {
        lose_frame(context, m, head.flags);
        return;
    }
    if (head.flags & FM_FRAME_IS_ACK) {
        take_acknowledgement(s, h, &head);
        return;
    }
    if (head.flags & FM_FRAME_WANTS_ACK)
        acknowledge(context, m, s, h, &head);
    if (came_before(s, &head))
        return;
    if (head.final == 0 || head.final == fm_sound_address(context, (int)m->part))
        keep(context, m, s, h, &head);
    else
        pass_on(context, m, s, h, &head);
}

/* One frame per step, so that each is seen on the channel; a sound that can still interfere with another stays. */
static void finish_frames(const fm_part_context *context, const fm_modem *m, fm_modem_state *s)
{
    int taken = 0;
    for (int i = 0; i < FM_MODEM_HEARD; i++) {
        fm_modem_heard *h = &s->heard[i];
        if (!h->used || h->ends > context->time || (h->frame && taken))
            continue;
        if (h->frame)
            take_frame(context, m, s, h);
        taken |= h->frame != 0;
        h->used = 0;
    }
}

static void run_modem(const fm_part_context *context)
{
    const fm_modem *m = context->config;
    fm_modem_state *s = context->state;
    ((fm_modem_output *)context->output)->head.valid = 0;
    listen(context, m, s);
    count_unheard(context, m);
    finish_frames(context, m, s);
    send_letters(context, m, s);
    send_next(context, m, s);
}

static void start_modem(const fm_part_context *context)
{
    const fm_modem *m = context->config;
    fm_modem_state *s = context->state;
    for (size_t i = 0; i < m->letter_count; i++)
        s->letter_due[i] = m->letters[i].start;
}

/* --- its class --- */

static const fm_output outputs[] = {
    FM_OUTPUT_NUMBER(fm_modem_output, from, "from", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_modem_output, to, "to", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_modem_output, hops, "hops", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_modem_output, snr, "snr", "dB", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_modem_output, size, "size", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_modem_output, delivered, "delivered", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_modem_output, lost, "lost", "", FM_QUANTITY_NONE),
    {.field = "data",
     .unit = "",
     .offset = offsetof(fm_modem_output, data),
     .count = FM_SOUND_BYTES_MOST,
     .type = FM_OUTPUT_UINT8},
};
const fm_part_class fm_modem_class = {.kind = FM_PART_CONTROLLER,
                                      .element = &fm_modem_element,
                                      .state_size = sizeof(fm_modem_state),
                                      .output_size = sizeof(fm_modem_output),
                                      .message = "fathom_msgs/ModemMessage",
                                      .outputs = outputs,
                                      .output_count = FM_COUNT(outputs),
                                      .counts = FM_COUNTS_MESSAGES,
                                      .load = fm_modem_load,
                                      .start = start_modem,
                                      .run = run_modem};
_Static_assert(sizeof(fm_modem_state) % 8 == 0 && sizeof(fm_modem_output) % 8 == 0, "state is made of words");

/* --- for other parts --- */

int fm_load_modem(fm_part_load *load, const char *name, fm_error *error)
{
    for (size_t i = 0; i < fm_load_part_count(load); i++) {
        const fm_part_info info = fm_load_part_info(load, i);
        if (fm_class_is(info.part_class, "modem") && (!name || strcmp(info.name, name) == 0))
            return (int)i;
    }
    fm_load_fail(load, error, FM_ERR_MODEL, "no modem%s%s before it", name ? " " : "", name ? name : "");
    return -1;
}
