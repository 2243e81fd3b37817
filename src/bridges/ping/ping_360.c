#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "bridges/ping/ping_common.h"
#include "bridges/ping/ping_device.h"

enum { TURN = 400 /* gradians */, LEAST_PERIOD = 80, MOST_PERIOD = 40000 /* 25 ns */ };
#define TICK 25e-9           /* s, unit of the sample period */
#define NOMINAL_SPEED 1500.0 /* m/s, only for the settings at the start */
/* s: a turn of 400 pings takes 9 s at 2 m and 35 s at 50 m. */
#define EACH_PING 0.014
#define EACH_GRADIAN 0.006

void fm_ping_360_start(fm_ping_360 *d, double range)
{
    const double period = ceil(2 * range / (NOMINAL_SPEED * FM_PING_SAMPLES * TICK));
    *d = (fm_ping_360){.id = 1, .head = TURN / 2, .steps = 1};
    d->shot = (fm_ping_shot){.mode = 1,
                             .gain = 1,
                             .angle = TURN / 2,
                             .duration = 10,
                             .period = (uint16_t)fmin(fmax(period, LEAST_PERIOD), MOST_PERIOD),
                             .frequency = 750,
                             .samples = FM_PING_SAMPLES};
}

double fm_ping_360_delay(uint16_t from, const fm_ping_shot *shot)
{
    const int way = abs((int)from - (int)shot->angle), turn = way < TURN - way ? way : TURN - way;
    const double listening = shot->transmit ? shot->samples * (double)shot->period * TICK : 0;
    return EACH_PING + EACH_GRADIAN * turn + listening;
}

/* --- reports --- */

void fm_ping_360_report(const fm_ping_360 *d, uint16_t id, uint8_t to, fm_ping_message *m)
{
    static const uint8_t information[6] = {2, 1, 3, 3, 8, 0};
    const fm_ping_shot *s = &d->shot;
    const int automatic = id == FM_PING_360_AUTO_DEVICE_DATA;
    fm_ping_begin(m, id, d->id, to);
    if (!automatic && id != FM_PING_360_DEVICE_DATA) {
        if (fm_ping_add_identity(id, information, m))
            fm_ping_end(m);
        else
            m->size = 0;
        return;
    }
    fm_ping_add(m, 1, s->mode);
    fm_ping_add(m, 1, s->gain);
    fm_ping_add(m, 2, s->angle);
    fm_ping_add(m, 2, s->duration);
    fm_ping_add(m, 2, s->period);
    fm_ping_add(m, 2, s->frequency);
    if (automatic) {
        fm_ping_add(m, 2, d->first);
        fm_ping_add(m, 2, d->last);
        fm_ping_add(m, 1, d->steps);
        fm_ping_add(m, 1, d->delay);
    }
    fm_ping_add(m, 2, s->samples);
    fm_ping_add(m, 2, d->count);
    fm_ping_add_bytes(m, d->data, d->count);
    fm_ping_end(m);
}

/* --- commands --- */

/* Why a transmission cannot be made; NULL: it can. */
static const char *judge_shot(const fm_ping_shot *s)
{
    if (s->gain > 2)
        return "gain setting must be 0 to 2";
    if (s->angle >= TURN)
        return "angle must be 0 to 399 gradians";
    if (s->duration < 1 || s->duration > 1000)
        return "transmit duration must be 1 to 1000 us";
    if (s->period < LEAST_PERIOD || s->period > MOST_PERIOD)
        return "sample period must be 80 to 40000 times 25 ns";
    if (s->frequency < 500 || s->frequency > 1000)
        return "transmit frequency must be 500 to 1000 kHz";
    if (s->samples < 1 || s->samples > FM_PING_SAMPLES)
        return "number of samples must be 1 to 1200";
    return NULL;
}

static const char *set_id(fm_ping_360 *d, const fm_ping_frame *f)
{
    const uint32_t id = fm_ping_number(f, 0, 1);
    if (id < 1 || id > 254)
        return "device id must be 1 to 254";
    d->id = (uint8_t)id;
    return NULL;
}

static const char *take_transducer(fm_ping_360 *d, const fm_ping_frame *f, fm_ping_shot *shot)
{
    *shot = (fm_ping_shot){.mode = (uint8_t)fm_ping_number(f, 0, 1),
                           .gain = (uint8_t)fm_ping_number(f, 1, 1),
                           .angle = (uint16_t)fm_ping_number(f, 2, 2),
                           .duration = (uint16_t)fm_ping_number(f, 4, 2),
                           .period = (uint16_t)fm_ping_number(f, 6, 2),
                           .frequency = (uint16_t)fm_ping_number(f, 8, 2),
                           .samples = (uint16_t)fm_ping_number(f, 10, 2),
                           .transmit = fm_ping_number(f, 12, 1) != 0};
    const char *why = judge_shot(shot);
    if (!why)
        d->sweeping = 0;
    return why;
}

static const char *take_sweep(fm_ping_360 *d, const fm_ping_frame *f)
{
    const uint32_t first = fm_ping_number(f, 10, 2), last = fm_ping_number(f, 12, 2), steps = fm_ping_number(f, 14, 1),
                   delay = fm_ping_number(f, 15, 1);
    const fm_ping_shot shot = {.mode = (uint8_t)fm_ping_number(f, 0, 1),
                               .gain = (uint8_t)fm_ping_number(f, 1, 1),
                               .angle = (uint16_t)first,
                               .duration = (uint16_t)fm_ping_number(f, 2, 2),
                               .period = (uint16_t)fm_ping_number(f, 4, 2),
                               .frequency = (uint16_t)fm_ping_number(f, 6, 2),
                               .samples = (uint16_t)fm_ping_number(f, 8, 2),
                               .transmit = 1};
    const char *why = judge_shot(&shot);
    if (why)
        return why;
    if (last >= TURN)
        return "start and stop angle must be 0 to 399 gradians";
    if (steps < 1 || steps > 10 || delay > 100)
        return "num_steps must be 1 to 10 gradians, delay at most 100 ms";
    d->shot = shot;
    d->first = (uint16_t)first;
    d->last = (uint16_t)last;
    d->steps = (uint8_t)steps;
    d->delay = (uint8_t)delay;
    d->back = 0;
    d->sweeping = 1;
    return NULL;
}

static const char *take_reset(fm_ping_360 *d, const fm_ping_frame *f)
{
    if (fm_ping_number(f, 0, 1) != 0)
        return "a simulated device has no bootloader";
    d->sweeping = 0;
    d->count = 0;
    return NULL;
}

static const char *take_command(fm_ping_360 *d, const fm_ping_frame *f, fm_ping_shot *shot)
{
    switch (f->id) {
    case FM_PING_SET_DEVICE_ID:
    case FM_PING_360_SET_DEVICE_ID: return set_id(d, f);
    case FM_PING_360_TRANSDUCER: return take_transducer(d, f, shot);
    case FM_PING_360_AUTO_TRANSMIT: return take_sweep(d, f);
    case FM_PING_360_RESET: return take_reset(d, f);
    default:
        d->sweeping = 0; /* motor_off */
        return NULL;
    }
}

static int size_of_command(uint16_t id)
{
    static const struct {
        uint16_t id;
        uint8_t size;
    } rows[] = {{FM_PING_SET_DEVICE_ID, 1},   {FM_PING_360_SET_DEVICE_ID, 2},  {FM_PING_360_RESET, 2},
                {FM_PING_360_TRANSDUCER, 14}, {FM_PING_360_AUTO_TRANSMIT, 16}, {FM_PING_360_MOTOR_OFF, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].id == id)
            return rows[i].size;
    return -1;
}

fm_ping_effect fm_ping_360_take(fm_ping_360 *d, const fm_ping_frame *f, fm_ping_shot *shot, fm_ping_message *answer)
{
    const int size = size_of_command(f->id);
    const uint16_t wanted = fm_ping_requested(f);
    answer->size = 0;
    if (size >= 0) {
        const char *why = f->size == size ? take_command(d, f, shot) : "wrong length";
        if (why) {
            fm_ping_refuse(f, f->id, d->id, why, answer);
            return FM_PING_NOTHING;
        }
        if (f->id == FM_PING_360_TRANSDUCER)
            return FM_PING_SHOOT;
        if (f->id == FM_PING_360_AUTO_TRANSMIT)
            return FM_PING_STREAM;
        fm_ping_acknowledge(f, d->id, answer);
        return f->id == FM_PING_360_MOTOR_OFF || f->id == FM_PING_360_RESET ? FM_PING_CEASE : FM_PING_NOTHING;
    }
    fm_ping_360_report(d, wanted, f->from, answer);
    if (answer->size > 0)
        return FM_PING_NOTHING;
    fm_ping_refuse(f, wanted ? wanted : f->id, d->id, "unknown message", answer);
    return FM_PING_UNKNOWN;
}

/* --- auto_transmit --- */

/* A sector of more than half a turn is scanned in one direction, a smaller one to and fro. It may contain angle 0. */
void fm_ping_360_advance(fm_ping_360 *d)
{
    const int sector = (d->last - d->first + TURN) % TURN, at = (d->shot.angle - d->first + TURN) % TURN;
    int next = at + (d->back ? -d->steps : d->steps);
    if (next > sector && sector > TURN / 2) {
        next = 0;
    } else if (next > sector || next < 0) {
        d->back = !d->back;
        next = at + (d->back ? -d->steps : d->steps);
        next = next < 0 ? 0 : next < sector ? next : sector;
    }
    d->shot.angle = (uint16_t)((d->first + next) % TURN);
}
