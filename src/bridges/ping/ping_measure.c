#include "bridges/ping/ping_measure.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "bridges/ping/ping_source.h"
#include "environment/environment.h"
#include "physics/posture.h"
#include "world/contact.h"
#include "world/world.h"

#define GOLDEN_ANGLE 2.39996322972865332 /* rad */
#define MARGIN 1.25                      /* the scan region of the automatic mode reaches so far beyond the echo */
enum { REFERENCE_GAIN = 3 /* at which intensities are those of (I8) */ };

/* --- the instrument in the world --- */

/* A part and its vehicle at the present time. */
typedef struct sight {
    const fm_part *part;
    fm_vehicle *vehicle;
    fm_vehicle_view view;
    fm_part_context context;
    double sound_speed; /* m/s, of the water here */
} sight;

static const fm_part *part_now(const fm_ping_measure *m, const fm_world *world, int *slot)
{
    const fm_slot *s = fm_slot_occupied(world, *slot = fm_world_find(world, m->config->of));
    const fm_part *part = s ? fm_ping_part_find(s->type, m->config->part) : NULL;
    return part && (fm_ping_device_of(part) == FM_PING_DEVICE_360) == m->config->scanning ? part : NULL;
}

static int look(const fm_ping_measure *m, fm_world *world, sight *s)
{
    int slot;
    if (!(s->part = part_now(m, world, &slot)))
        return 0;
    s->vehicle = world->slots[slot].vehicle;
    const double *position = s->vehicle->body.position;
    s->view = (fm_vehicle_view){
        .position = position, .rotation = fm_slot_rotation(world, slot), .velocity = s->vehicle->body.velocity};
    s->context = (fm_part_context){.tick = world->head->tick,
                                   .time = fm_world_time(world),
                                   .seed = world->head->seed,
                                   .entity = (uint32_t)slot,
                                   .channel = s->part->channel,
                                   .vehicle = &s->view,
                                   .environment = world->environment,
                                   .bodies = fm_world_bodies(world),
                                   .state = fm_vehicle_words(s->vehicle, s->part->state),
                                   .world = world,
                                   .slot = slot};
    s->sound_speed =
        fm_water_column_sound_speed(&world->environment->column, position[0], position[1], fmax(position[2], 0));
    return 1;
}

static uint8_t level_of(double intensity)
{
    return (uint8_t)(fmin(fmax(intensity, 0), 1) * 255 + 0.5);
}

/* --- memory --- */

/* Rays that share a cone evenly: a spiral of the golden angle around the axis. */
static void aim_cone(fm_ping_measure *m)
{
    for (int64_t i = 0; i < m->rays; i++) {
        const double share = ((double)i + 0.5) / (double)m->rays, around = (double)i * GOLDEN_ANGLE;
        const double off = 0.5 * m->config->beam_width * fm_sqrt(share);
        m->directions[i][0] = fm_cos(off);
        m->directions[i][1] = fm_sin(off) * fm_cos(around);
        m->directions[i][2] = fm_sin(off) * fm_sin(around);
    }
}

fm_status fm_ping_measure_create(fm_ping_measure *m, const fm_model *model, const fm_ping_config *config,
                                 fm_error *error)
{
    m->config = config;
    m->rays = FM_PING_RAYS;
    for (size_t i = 0; config->scanning && i < model->vehicle_count; i++)
        if (strcmp(model->vehicles[i].name, config->of) == 0)
            m->rays = ((const fm_echo_config *)fm_ping_part_find(&model->types[model->vehicles[i].type], config->part)
                           ->config)
                          ->rays;
    if (!(m->directions = fm_alloc((size_t)m->rays * sizeof *m->directions)))
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the beam of a Ping device");
    if (!config->scanning)
        aim_cone(m);
    return FM_OK;
}

void fm_ping_measure_free(fm_ping_measure *m)
{
    fm_free(m->directions);
    m->directions = NULL;
}

/* --- Ping1D --- */

static const fm_range_reading *reading_of(const sight *s)
{
    return (const fm_range_reading *)(const void *)fm_vehicle_words(s->vehicle, s->part->output);
}

int64_t fm_ping_measure_count(const fm_ping_measure *m, const fm_world *world)
{
    int slot;
    const fm_part *part = part_now(m, world, &slot);
    return part ? ((const fm_reading *)(const void *)fm_vehicle_words(world->slots[slot].vehicle, part->output))->count
                : -1;
}

/* The range of the newest sample, m; NaN: no echo. */
static double echo_range(const sight *s)
{
    const char *block = (const char *)reading_of(s);
    double range;
    memcpy(&range, block + fm_ping_range_output(s->part)->offset, sizeof range);
    return reading_of(s)->head.valid && isfinite(range) && range >= 0 ? range : (double)NAN;
}

/* Scan region in mm of the device: in automatic mode 1, 2, 5, 10 … m, to contain the echo with a margin. */
static void choose_region(const fm_ping_1d *settings, double echo, double most, fm_ping_profile *p)
{
    p->start = settings->start;
    p->length = settings->length;
    if (!settings->automatic)
        return;
    static const uint32_t lengths[] = {1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000};
    const double wanted = isfinite(echo) ? fmin(MARGIN * echo, most) : most;
    size_t i = 0;
    while (i + 1 < FM_COUNT(lengths) && lengths[i] < wanted)
        i++;
    p->start = 0;
    p->length = lengths[i];
}

/* Intensities in the scan region, (I8) over a cone. `scale`: m per mm of the device. */
static void cast_cone(fm_ping_measure *m, sight *s, const fm_ping_profile *p, double scale)
{
    const fm_mount *mount = fm_part_mount(s->part);
    fm_echo_config beam = {.gain = 1,
                           .nearest = p->start * scale,
                           .range = (p->start + (double)p->length) * scale,
                           .beams = 1,
                           .bins = FM_PING_POINTS,
                           .rays = m->rays,
                           .directions = m->directions};
    beam.instrument.mount = *mount;
    s->context.config = s->context.live = &beam;
    fm_echo_beam(&s->context, 0, m->echo);
}

/* The strongest gain at which nothing saturates. */
static uint32_t choose_gain(const double *echo)
{
    double peak = 0;
    for (int i = 0; i < FM_PING_POINTS; i++)
        peak = fmax(peak, echo[i]);
    uint32_t gain = FM_PING_GAINS - 1;
    while (gain > 0 && peak * fm_ping_gains[gain] > fm_ping_gains[REFERENCE_GAIN])
        gain--;
    return gain;
}

static void fill_profile(const fm_ping_measure *m, const fm_ping_1d *settings, fm_ping_profile *p)
{
    p->gain = settings->automatic ? choose_gain(m->echo) : settings->gain;
    const double factor = fm_ping_gains[p->gain] / fm_ping_gains[REFERENCE_GAIN];
    for (int i = 0; i < FM_PING_POINTS; i++)
        p->data[i] = level_of(factor * m->echo[i]);
}

/* The device multiplies the travel time by the speed of sound that it was given. */
void fm_ping_measure_1d(fm_ping_measure *m, fm_world *world, const fm_ping_1d *settings, fm_ping_profile *p)
{
    sight s;
    if (!look(m, world, &s))
        return;
    const fm_mount *mount = fm_part_mount(s.part);
    const double scale = 1e-3 * s.sound_speed / (settings->sound_speed * 1e-3), echo = echo_range(&s) / scale;
    const double *at = s.view.position;
    choose_region(settings, echo, mount->farthest / scale, p);
    const int seen = echo >= p->start && echo <= p->start + (double)p->length;
    p->distance = seen ? (uint32_t)(echo + 0.5) : 0;
    p->confidence = seen ? 100 : 0;
    p->duration = (uint16_t)fmin(fmax(2e6 * p->length / FM_PING_POINTS / settings->sound_speed, 1), 65535);
    p->temperature =
        (uint16_t)fmax(100 * fm_water_column_temperature(&world->environment->column, at[0], at[1], fmax(at[2], 0)), 0);
    cast_cone(m, &s, p, scale);
    fill_profile(m, settings, p);
}

/* --- Ping360 --- */

/* A sample contains all echoes of the pulse: those of as many bins as the pulse is long. */
static void add_pulse(double *echo, int count, int length)
{
    double sum = 0;
    static const int most = FM_PING_SAMPLES;
    double before[FM_PING_SAMPLES];
    memcpy(before, echo, (size_t)count * sizeof *echo);
    for (int i = 0; i < count && i < most; i++) {
        sum += before[i] - (i >= length ? before[i - length] : 0);
        echo[i] = sum;
    }
}

/* The beam of the instrument with the samples of the transmission. */
static fm_echo_config beam_of(const fm_ping_measure *m, const sight *s, const fm_ping_shot *shot)
{
    static const double gains[3] = {0.5, 1, 2};
    fm_echo_config beam = *(const fm_echo_config *)s->part->config;
    memcpy(&beam, fm_vehicle_words(s->vehicle, s->part->live), FM_ECHO_LIVE);
    beam.gain *= gains[shot->gain];
    beam.nearest = 0;
    beam.range = shot->samples * (0.5 * s->sound_speed * shot->period * 25e-9);
    beam.beams = 1;
    beam.bins = shot->samples;
    beam.directions = m->directions;
    beam.axes[0] = NULL;
    return beam;
}

static void write_samples(const fm_ping_measure *m, const sight *s, const fm_echo_config *beam, uint8_t *data)
{
    const fm_echo_config *own = s->part->config;
    for (int64_t i = 0; i < beam->bins; i++) {
        const double range = ((double)i + 0.5) * beam->range / (double)beam->bins;
        const int heard = range >= own->nearest && range <= own->range && m->echo[i] >= beam->threshold;
        data[i] = heard ? level_of(m->echo[i]) : 0;
    }
}

int fm_ping_measure_360(fm_ping_measure *m, fm_world *world, const fm_ping_shot *shot, uint8_t *data)
{
    sight s;
    if (!look(m, world, &s) || ((const fm_echo_config *)s.part->config)->rays > m->rays)
        return 0;
    fm_echo_config beam = beam_of(m, &s, shot);
    memset(data, 0, shot->samples);
    if (beam.health.fault != FM_FAULT_HEALTHY)
        return 1;
    fm_echo_aim(&beam);
    s.context.config = s.context.live = &beam;
    fm_echo_beam(&s.context, (shot->angle - 200) * (FM_PI / 200), m->echo);
    add_pulse(m->echo, shot->samples, (int)fmax(1, floor(shot->duration / (shot->period * 25e-3) + 0.5)));
    fm_instrument_spoil_row(&s.context, &beam.flaws, 0, shot->samples, m->echo);
    write_samples(m, &s, &beam, data);
    return 1;
}
