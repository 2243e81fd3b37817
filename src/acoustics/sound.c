#include "acoustics/sound.h"

#include <math.h>
#include <string.h>

#include "acoustics/drift.h"
#include "base/random.h"
#include "physics/posture.h"
#include "world/stream.h"

/* Limits of a receiver's motion while a signal is in flight: the arrival is computed again before anything faster could
 * have met the signal. */
static const double fastest = 100, harshest = 5; /* m/s, m/s² */

static const fm_signals_size *size_of(const fm_world *world)
{
    return &world->sound->config->size;
}

static fm_signals *signals_of(const fm_world *world)
{
    return (fm_signals *)(void *)fm_subsystem_state(world, FM_SUBSYSTEM_SOUND);
}

static double time_now(const fm_world *world)
{
    return (double)world->head->tick * world->model->settings.dt;
}

static int64_t born_of(const fm_world *world, int64_t transducer)
{
    return world->slots[transducer / (int64_t)world->sound->config->per_slot].vehicle->born;
}

/* --- the record --- */

static fm_reception describe_signal(const fm_signal *signal)
{
    return (fm_reception){.signal = signal->number,
                          .answers = signal->answers,
                          .kind = signal->kind,
                          .from = signal->from,
                          .to = signal->to,
                          .code = signal->code,
                          .size = signal->size,
                          .time = signal->sent,
                          .duration = signal->duration,
                          .frequency = signal->frequency,
                          .level = signal->level,
                          .sent = signal->sent,
                          .source_level = signal->level,
                          .source_hz = signal->frequency,
                          .origin = {signal->origin[0], signal->origin[1], signal->origin[2]},
                          .source = signal->source};
}

static int64_t stamp_of(double time)
{
    return (int64_t)floor(time * 1e4);
}

static void note(fm_world *world, const fm_sound_device *d, fm_sound_event event, const fm_reception *what)
{
    fm_sound *sound = world->sound;
    if (sound->record_count == sound->record_room) {
        sound->records_lost++;
        return;
    }
    int part = (int)(d->part - world->slots[d->slot].type->parts);
    sound->records[sound->record_count] = (fm_sound_record){event, d->slot, part, *what};
    sound->records[sound->record_count++].sound.stamp = stamp_of(what->time);
}

/* --- arrivals --- */

static void current_at(const void *world, const double point[3], double velocity[3])
{
    fm_stream_current(world, point, velocity);
}

/* One path to a place in the moving water; 0: none. */
static int find_way(const fm_world *world, const fm_signal *signal, const double at[3], int64_t number,
                    fm_sound_way *way)
{
    const fm_medium *medium = &world->sound->medium;
    const double *u = world->live + FM_LIVE_CURRENT;
    fm_water_flow flow = {current_at, world, world->environment->current.count == 0};
    if (!fm_medium_way(medium, number, signal->origin, at, signal->frequency, way))
        return 0;
    if (medium->carried && (!flow.uniform || u[0] != 0 || u[1] != 0 || u[2] != 0))
        fm_sound_way_carry(medium, &flow, signal->origin, at, way);
    return 1;
}

/* When a signal meets a transducer along one path, by Newton steps on sent + T(p(t)) = t, which double the correct
 * digits: after a step below 0.1 ms no further one is needed. At most `steps`. 0: it does not arrive. (A7.2) */
static int meet_signal(const fm_world *world, const fm_signal *signal, const fm_sound_motion *motion, int steps,
                       fm_moment *moment, fm_sound_way *way)
{
    double t = moment->guess, at[3];
    for (int i = 0; i < steps; i++) {
        fm_sound_position(motion, t, at);
        at[2] = fmax(at[2], 0);
        way->launch = moment->launch;
        if (!find_way(world, signal, at, moment->way, way))
            return 0;
        moment->launch = way->launch;
        double miss = signal->sent + way->time - t, rate = fm_dot(way->in, motion->velocity) / way->speed_in;
        double step = miss / (1 - fmin(rate, 0.9));
        t += step;
        if (fabs(step) < 1e-4)
            break;
    }
    moment->guess = fmax(t, signal->sent);
    way->time = moment->guess - signal->sent;
    return 1;
}

/* The earliest possible arrival, however the receiver moves until then. */
static double earliest_of(double now, double time, double slowest)
{
    double left = time - now, turning = 0.5 * harshest * left * left / slowest;
    double racing = left * 2 * fastest / (slowest + fastest), bound = time - fmin(turning, racing);
    return bound > now ? bound : 0.5 * (now + time);
}

/* Reschedules an event: at its own time if that is before the present, otherwise at the earliest possible time. */
static void wait_for_arrival(fm_world *world, fm_moment moment)
{
    double now = time_now(world);
    moment.exact = moment.guess <= now;
    moment.time = moment.exact ? moment.guess : earliest_of(now, moment.guess, world->sound->medium.slowest);
    fm_signals_add(size_of(world), signals_of(world), moment);
}

double fm_sound_noise(const fm_world *world, const fm_sound_device *d, const fm_signal *signal)
{
    if (world->sound->medium.fixed_noise)
        return signal->ambient;
    double level = signal->ambient, own = d->is->own_noise;
    double power = world->slots[d->slot].vehicle->power - world->slots[d->slot].type->battery.hotel;
    if (own > 0 && power > 0)
        level = fm_level_sum(level,
                             own + 10 / 2.302585092994045684 * (fm_log(power) - 2 * fm_log(1e-3 * signal->frequency)));
    return level + d->is->band_level - d->is->gain;
}

/* dB/m of a path: the mean of both ends. */
static double absorption_of(const fm_medium *medium, const fm_signal *signal, fm_sound_motion *motion)
{
    if (motion->absorption_hz != signal->frequency) {
        motion->absorption = fm_medium_absorption(medium, signal->frequency, motion->position);
        motion->absorption_hz = signal->frequency;
    }
    return 0.5 * (signal->absorption + motion->absorption);
}

/* dB as heard along its way. */
static double level_at(const fm_world *world, const fm_signal *signal, const fm_sound_device *d,
                       fm_sound_motion *motion, const fm_sound_way *way)
{
    const fm_medium *medium = &world->sound->medium;
    const fm_transducer *source = world->model->types[signal->type].parts[signal->part].config;
    double back[3] = {-way->in[0], -way->in[1], -way->in[2]};
    double gains = fm_transducer_gain(source, signal->axis, way->out) + fm_transducer_gain(d->is, motion->axis, back);
    if (medium->law == FM_LAW_WAVESIM)
        return fm_level_wavesim(signal->level, way->length) + gains;
    return signal->level + gains - fm_medium_loss(medium, way) - absorption_of(medium, signal, motion) * way->length;
}

static double frequency_at(const fm_world *world, const fm_signal *signal, const fm_sound_motion *motion,
                           const fm_sound_way *way)
{
    if (!world->sound->medium.doppler)
        return signal->frequency;
    double nearing = -fm_dot(way->in, motion->velocity) + fm_dot(way->in, way->water);
    double sent_on = fm_dot(way->out, signal->velocity) - fm_dot(way->out, way->water);
    return fm_doppler_shift(signal->frequency, way->speed_in, nearing, sent_on * way->speed_in / way->speed_out);
}

static fm_reception hear_signal(const fm_world *world, const fm_signal *signal, const fm_sound_device *d,
                                fm_sound_motion *motion, double time, const fm_sound_way *way)
{
    fm_reception r = describe_signal(signal);
    r.time = time;
    r.stamp = stamp_of(time);
    r.level = level_at(world, signal, d, motion, way);
    r.noise = fm_sound_noise(world, d, signal);
    r.snr = r.level - r.noise;
    r.frequency = frequency_at(world, signal, motion, way);
    r.speed = way->speed_in;
    r.radius = way->length;
    r.travelled = way->time;
    r.surface = way->surface;
    r.bottom = way->bottom;
    for (int i = 0; i < 3; i++)
        r.direction[i] = -way->in[i];
    return r;
}

/* Why a transducer does not hear it, or that it does. */
static fm_sound_event judge_reception(const fm_world *world, const fm_sound_device *d, const fm_reception *r,
                                      const fm_moment *moment)
{
    if (r->level < d->is->threshold || r->snr < d->is->detection)
        return FM_SOUND_WEAK;
    if (d->is->half_duplex && r->time >= d->state->sending_from && r->time < d->state->sending_till)
        return FM_SOUND_MASKED;
    if (d->live->health.fault == FM_TRANSDUCER_DEAD || d->live->health.fault == FM_TRANSDUCER_DEAF)
        return FM_SOUND_DROPPED;
    fm_random_key key = {world->head->seed, (uint32_t)d->slot, d->part->channel};
    uint32_t index = (uint32_t)(moment->order % FM_RANDOM_INDICES);
    if (d->live->health.dropout > 0 && fm_random_uniform(key, world->head->tick, index) < d->live->health.dropout)
        return FM_SOUND_DROPPED;
    return FM_SOUND_HEARD;
}

/* Into the inbox and the output. */
static void keep_reception(const fm_sound_device *d, fm_reception *r, const void *data)
{
    r->number = ++d->output->count;
    fm_reception *kept = fm_transducer_inbox(d->is, d->state, r->number);
    size_t room = (size_t)d->is->payload, size = (size_t)r->size < room ? (size_t)r->size : room;
    *kept = *r;
    memset(kept + 1, 0, 8 * fm_transducer_words(d->is));
    memcpy(kept + 1, data, size);
    d->output->heard = *r;
}

static int send_later(fm_world *world, int64_t transducer, const fm_sound_device *d, const fm_sound_request *request,
                      const void *data, int again);

static void answer_query(fm_world *world, int64_t transducer, const fm_sound_device *d, const fm_reception *r)
{
    if (!d->is->replies || r->kind != FM_SOUND_QUERY || (r->to != 0 && r->to != d->live->address))
        return;
    fm_sound_request reply = {.kind = FM_SOUND_REPLY,
                              .to = r->from,
                              .code = r->code,
                              .answers = r->signal,
                              .time = r->time + d->is->reply_delay,
                              .frequency = d->is->reply_frequency};
    send_later(world, transducer, d, &reply, NULL, 0);
}

static void arrive(fm_world *world, const fm_moment *moment)
{
    fm_signals *signals = signals_of(world);
    const fm_signal *signal = fm_signals_at(size_of(world), signals, moment->signal);
    fm_sound_motion *motion = fm_sound_motion_of(world, moment->transducer);
    const fm_sound_device *d = &motion->device;
    fm_sound_way way = {0};
    fm_moment met = *moment;
    double at[3];
    if (!motion->there || motion->born != moment->born || !meet_signal(world, signal, motion, 12, &met, &way))
        return;
    if (!moment->exact && (met.guess > time_now(world) || fm_signals_first(signals) < met.guess)) {
        wait_for_arrival(world, met);
        return;
    }
    fm_sound_position(motion, met.guess, at);
    if (fm_medium_blocked(&world->sound->medium, signal->origin, at, &way))
        return;
    fm_sound_way_face(&way);
    fm_reception r = hear_signal(world, signal, d, motion, met.guess, &way);
    fm_sound_event event = judge_reception(world, d, &r, moment);
    if (event == FM_SOUND_HEARD)
        keep_reception(d, &r, fm_signals_data(size_of(world), signals, moment->signal));
    note(world, d, event, &r);
    if (event == FM_SOUND_HEARD)
        answer_query(world, moment->transducer, d, &r);
}

/* --- sending --- */

/* Adds a signal to the table, to be sent at its time; 0: no space. */
static int send_later(fm_world *world, int64_t transducer, const fm_sound_device *d, const fm_sound_request *request,
                      const void *data, int again)
{
    fm_signals *signals = signals_of(world);
    int64_t number = fm_signals_reserve(size_of(world), signals);
    if (number < 0)
        return 0;
    fm_signal *s = fm_signals_at(size_of(world), signals, number);
    s->source = transducer;
    s->type = world->slots[d->slot].vehicle->type;
    s->part = d->part - world->slots[d->slot].type->parts;
    s->kind = request->kind;
    s->from = d->live->address;
    s->to = request->to;
    s->code = request->code;
    s->answers = request->answers;
    s->size = request->size;
    s->again = again;
    s->sent = request->time;
    s->duration = request->duration > 0 ? request->duration : d->is->pulse;
    s->frequency = request->frequency > 0 ? request->frequency : d->is->frequency;
    s->level = request->level;
    if (data)
        memcpy(fm_signals_data(size_of(world), signals, number), data, (size_t)request->size);
    fm_moment moment = {.time = s->sent,
                        .guess = s->sent,
                        .kind = FM_MOMENT_SEND,
                        .signal = (int32_t)number,
                        .transducer = (int32_t)transducer,
                        .born = born_of(world, transducer)};
    d->state->scheduled++;
    if (fm_signals_add(size_of(world), signals, moment))
        return 1;
    d->state->scheduled--;
    s->uses = 1;
    fm_signals_leave(size_of(world), signals, number);
    return 0;
}

/* Whether a path may be heard: at most 3 dB too weak if both transducers pointed along it. */
static int may_hear(const fm_medium *medium, const fm_signal *signal, fm_sound_motion *motion, const fm_sound_way *way)
{
    const fm_transducer *is = motion->device.is;
    double noise = signal->ambient + (medium->fixed_noise ? 0 : is->band_level - is->gain) + is->detection;
    double level = medium->law == FM_LAW_WAVESIM ? fm_level_wavesim(signal->level, way->length)
                                                 : signal->level - fm_medium_loss(medium, way) -
                                                       absorption_of(medium, signal, motion) * way->length;
    return level > fmax(noise, is->threshold) - 3;
}

typedef struct spread_call {
    int64_t number; /* of the signal */
    double reach;   /* m: no transducer beyond this distance hears it */
    double sure;    /* m: within this distance the level needs no check */
} spread_call;

/* Schedules an event for one path to a transducer, if it may be heard. */
static void spread_way(fm_world *world, const fm_signal *signal, fm_sound_motion *motion, const spread_call *call,
                       fm_moment moment)
{
    fm_sound_way way = {0};
    if (meet_signal(world, signal, motion, 1, &moment, &way) &&
        (way.length < call->sure || may_hear(&world->sound->medium, signal, motion, &way)))
        wait_for_arrival(world, moment);
}

/* The same for the rays to it, remembered for each pair. */
static void spread_rays(fm_world *world, const fm_signal *signal, fm_sound_motion *motion, const spread_call *call,
                        fm_moment moment)
{
    const fm_sound_config *c = world->sound->config;
    int64_t pair = signal->source * (int64_t)world->sound->count + moment.transducer;
    fm_ray_memory *memory =
        (fm_ray_memory *)(void *)(fm_subsystem_state(world, FM_SUBSYSTEM_SOUND) + fm_signals_words(&c->size)) +
        (size_t)pair % c->memories;
    double at[3];
    fm_sound_position(motion, signal->sent, at);
    fm_medium_rays(&world->sound->medium, pair, signal->origin, at, signal->frequency, memory);
    for (int64_t i = 0; i < memory->count; i++) {
        moment.way = (int32_t)memory->ways[i].number;
        moment.launch = memory->ways[i].launch;
        spread_way(world, signal, motion, call, moment);
    }
}

/* One transducer that may hear a signal: an event per path. */
static void spread_to(fm_world *world, int64_t transducer, void *user)
{
    const spread_call *call = user;
    const fm_sound_config *c = world->sound->config;
    const fm_signal *signal = fm_signals_at(size_of(world), signals_of(world), call->number);
    fm_sound_motion *motion = &world->sound->motions[transducer];
    const fm_transducer *is = motion->device.is;
    double apart[3], reach = call->reach;
    for (int i = 0; i < 3; i++)
        apart[i] = motion->position[i] - signal->origin[i];
    if (transducer == signal->source || fm_dot(apart, apart) > reach * reach || signal->frequency < is->band[0] ||
        signal->frequency > is->band[1])
        return;
    if (!is->hears_own && transducer / (int64_t)c->per_slot == signal->source / (int64_t)c->per_slot)
        return;
    fm_moment moment = {.guess = signal->sent,
                        .kind = FM_MOMENT_ARRIVE,
                        .signal = (int32_t)call->number,
                        .transducer = (int32_t)transducer,
                        .born = motion->born};
    if (world->sound->medium.ways == FM_WAYS_RAYS)
        spread_rays(world, signal, motion, call, moment);
    else
        for (int i = 0; i < fm_medium_way_count(&world->sound->medium); i++)
            spread_way(world, signal, motion, call, (moment.way = i, moment));
}

/* The signal is emitted: schedules it for all transducers in reach. */
static void spread_signal(fm_world *world, int64_t number)
{
    const fm_sound_config *c = world->sound->config;
    const fm_medium *medium = &world->sound->medium;
    fm_signal *s = fm_signals_at(size_of(world), signals_of(world), number);
    s->ambient = fm_medium_noise(medium, s->frequency);
    s->absorption = fm_medium_absorption(medium, s->frequency, s->origin);
    double least = fmax(c->lowest, s->ambient + c->quietest), most = fmax(c->highest, s->ambient + c->loudest);
    int alike = medium->law == FM_LAW_WAVESIM || medium->absorption >= FM_ABSORPTION_THORP;
    /* if it differs, the receiver's water may absorb nothing, or twice as much */
    double absorption = s->absorption, low = alike ? absorption : 0.5 * absorption,
           high = alike ? absorption : 1.5 * absorption;
    spread_call call = {.number = number,
                        .reach = fm_medium_reach(medium, s->level - least, low) * 1.05 + 10,
                        .sure = medium->ways == FM_WAYS_STRAIGHT ? 0.99 * fm_medium_reach(medium, s->level - most, high)
                                                                 : 0};
    fm_sound_near(world, s->origin, call.reach, spread_to, &call);
}

/* The next ping of a beacon; if it does not fit, the next step tries again. */
static void ping_again(fm_world *world, int64_t transducer, const fm_sound_device *d)
{
    double born = (double)born_of(world, transducer) * world->model->settings.dt;
    double time = born + d->is->ping_start + (double)d->state->pings++ * d->is->ping_period;
    fm_sound_request ping = {.kind = d->is->ping_kind, .time = time};
    d->state->awake = send_later(world, transducer, d, &ping, NULL, 1);
    d->state->pings -= !d->state->awake;
    world->sound->waiting |= !d->state->awake;
}

static void leave_source(fm_world *world, const fm_moment *moment)
{
    fm_signals *signals = signals_of(world);
    fm_signal *s = fm_signals_at(size_of(world), signals, moment->signal);
    const fm_sound_motion *motion = fm_sound_motion_of(world, moment->transducer);
    fm_sound_device d;
    if (born_of(world, moment->transducer) != moment->born || !fm_sound_device_find(world, moment->transducer, &d))
        return;
    d.state->scheduled--;
    int again = (int)s->again,
        broken = d.live->health.fault == FM_TRANSDUCER_DEAD || d.live->health.fault == FM_TRANSDUCER_MUTE;
    fm_sound_position(motion, s->sent, s->origin);
    memcpy(s->velocity, motion->velocity, sizeof s->velocity);
    memcpy(s->axis, motion->axis, sizeof s->axis);
    s->level = s->level > 0 ? fmin(s->level, d.live->level) : d.live->level;
    fm_sound_event event = broken || !motion->there || s->sent < d.state->ready ? FM_SOUND_NOT_SENT : FM_SOUND_SENT;
    if (again)
        ping_again(world, moment->transducer, &d);
    if (event == FM_SOUND_SENT) {
        s->number = ++signals->sent;
        d.state->sending_from = s->sent;
        d.state->sending_till = s->sent + s->duration;
        d.state->ready = d.state->sending_till + d.is->recharge;
        spread_signal(world, moment->signal);
    } else {
        d.state->refused++;
    }
    fm_reception r = describe_signal(s);
    note(world, &d, event, &r);
}

/* --- other water --- */

static void forget_rays(fm_world *world)
{
    const fm_sound_config *c = world->sound->config;
    memset(fm_subsystem_state(world, FM_SUBSYSTEM_SOUND) + fm_signals_words(&c->size), 0,
           c->memories * sizeof(fm_ray_memory));
}

void fm_sound_renew(fm_world *world)
{
    if (!world->sound)
        return;
    forget_rays(world);
    fm_signals_hasten(size_of(world), signals_of(world));
}

/* --- stages --- */

/* Processes all events up to the present in order of time. */
static void deliver_sound(fm_world *world, const void *config, double *state)
{
    (void)config;
    fm_sound *sound = world->sound;
    fm_signals *signals = (fm_signals *)(void *)state;
    int64_t lost = signals->lost;
    sound->record_count = 0;
    fm_signals_turn(size_of(world), signals, world->head->tick);
    while (fm_signals_first(signals) < HUGE_VAL && !fm_world_is_cancelled(world)) {
        fm_moment moment;
        fm_signals_take(size_of(world), signals, &moment);
        fm_world_work_on(world, (int)(moment.transducer / (int64_t)sound->config->per_slot));
        if (moment.kind == FM_MOMENT_SEND)
            leave_source(world, &moment);
        else
            arrive(world, &moment);
        fm_signals_leave(size_of(world), signals, moment.signal);
    }
    if (signals->lost > lost && world->slot_count > 0 && world->slots[0].type)
        fm_event_tell(world, 0, "sound lost", (double)signals->lost,
                      "no room for %lld sounds: more signals or arrivals at once than <acoustics> has",
                      (long long)(signals->lost - lost));
}

/* Handles the requests to transducers in this step, and the first pings of new ones. */
static void collect_requests(fm_world *world, const void *config, double *state)
{
    (void)config, (void)state;
    fm_sound *sound = world->sound;
    if (!__atomic_load_n(&sound->waiting, __ATOMIC_RELAXED))
        return;
    sound->waiting = 0;
    for (size_t i = 0; i < sound->count; i++) {
        fm_sound_device d;
        if (!fm_sound_device_find(world, (int64_t)i, &d))
            continue;
        fm_sound_request *request = &d.state->request;
        if (!d.state->awake && d.is->ping_period > 0)
            ping_again(world, (int64_t)i, &d);
        if (request->waits)
            send_later(world, (int64_t)i, &d, request, fm_transducer_request_data(d.state), 0);
        memset(request, 0, sizeof *request);
    }
}

const fm_subsystem fm_sound_subsystem = {.id = FM_SUBSYSTEM_SOUND,
                                         .name = "sound",
                                         .create = fm_sound_create,
                                         .free = fm_sound_free,
                                         .forget = fm_sound_forget,
                                         .deliver = deliver_sound,
                                         .collect = collect_requests};
