#include "sensors/echo_image.h"

#include <math.h>
#include <string.h>

#include "physics/posture.h"
#include "sensors/see.h"

enum { BLOCK = 128 };

static size_t image_words(const fm_echo_config *c)
{
    return (size_t)(3 * c->beams + c->bins + (c->beams * c->bins + 7) / 8);
}

static size_t value_words(const fm_echo_config *c)
{
    return sizeof(fm_echo_values) / 8 + image_words(c);
}

/* Outputs depend on the numbers of beams and bins. */
static fm_status describe(fm_part_load *load, const fm_echo_config *c)
{
    size_t beams = (size_t)c->beams, bins = (size_t)c->bins, first = sizeof(fm_echo_reading), at = 0;
    fm_output *o = fm_load_alloc(load, 8 * sizeof *o);
    if (!o)
        return FM_ERR_MEMORY;
    o[at++] = (fm_output)FM_OUT(fm_echo_reading, values.frequency, "ping_info.frequency", "Hz");
    o[at++] = (fm_output)FM_OUT(fm_echo_reading, values.sound_speed, "ping_info.sound_speed", "m/s");
    o[at++] = (fm_output)FM_OUT(fm_echo_reading, values.dtype, "image.dtype", "");
    o[at++] = (fm_output)FM_OUT(fm_echo_reading, values.beams, "image.beam_count", "");
    o[at] = (fm_output)FM_OUT(fm_echo_reading, values.heading, "heading", "rad");
    o[at++].local = 1;
    o[at++] = (fm_output){.field = "beam_directions", .unit = "", .offset = first, .count = 3 * beams, .frame = FM_OUTPUT_BODY};
    o[at++] = (fm_output){.field = "ranges", .unit = "m", .offset = first + 24 * beams, .count = bins};
    o[at++] = (fm_output){.field = "image.data", .unit = "", .offset = first + 24 * beams + 8 * bins, .count = beams * bins, .type = FM_OUTPUT_UINT8};
    fm_load_outputs(load, o, at);
    return FM_OK;
}

fm_status fm_echo_load(fm_part_load *load, fm_echo_config *c, size_t own, fm_error *error)
{
    if (c->nearest >= c->range)
        return fm_load_fail(load, error, FM_ERR_RANGE, "nearest: found %g m, accepted less than the range of %g m", c->nearest, c->range);
    if (c->beams * c->rays > FM_ECHO_RAYS_MOST || c->beams * c->bins > 1 << 24)
        return fm_load_fail(load, error, FM_ERR_RANGE, "found %lld beams of %lld rays and %lld bins, accepted at most %d rays and %d bins in all", (long long)c->beams,
                            (long long)c->rays, (long long)c->bins, FM_ECHO_RAYS_MOST, 1 << 24);
    if (!(c->azimuths = fm_load_alloc(load, (size_t)c->beams * sizeof *c->azimuths)) || describe(load, c) != FM_OK)
        return FM_ERR_MEMORY;
    for (int64_t i = 0; i < c->beams; i++)
        c->azimuths[i] = c->beams > 1 ? c->sector * ((double)i / (double)(c->beams - 1) - 0.5) : 0;
    return fm_instrument_load(load, &c->mount, 0, value_words(c), own, error);
}

/* Adds the echoes of some rays to the bins; returns the shortest range. */
static double sort_echoes(const fm_part_context *context, const fm_ray_hit *hits, size_t count, double *echo)
{
    const fm_echo_config *c = context->config, *live = context->live;
    double scale = (double)c->bins / (c->range - c->nearest), best = HUGE_VAL;
    for (size_t i = 0; i < count; i++) {
        double r = hits[i].distance;
        if (!(r >= c->nearest && r < c->range))
            continue;
        double intensity = live->gain * fm_seen_material(context, &hits[i])->reflectivity * hits[i].cosine / (double)c->rays;
        if (c->spreading > 0)
            intensity *= fm_pow(fmax(r, 0.01), -c->spreading);
        int64_t bin = (int64_t)((r - c->nearest) * scale);
        echo[bin < c->bins ? bin : c->bins - 1] += intensity;
        best = fmin(best, r);
    }
    return best;
}

double fm_echo_beam(const fm_part_context *context, const fm_station *at, double azimuth, double *echo)
{
    const fm_echo_config *c = context->config;
    double origin[BLOCK][3], direction[BLOCK][3], best = HUGE_VAL;
    fm_ray_hit hits[BLOCK];
    memset(echo, 0, (size_t)c->bins * sizeof *echo);
    double forward[3], level[3], ca = fm_cos(azimuth), sa = fm_sin(azimuth);
    for (int64_t first = 0; first < c->rays; first += BLOCK) {
        size_t count = (size_t)(c->rays - first < BLOCK ? c->rays - first : BLOCK);
        for (size_t i = 0; i < count; i++) {
            double part = c->rays > 1 ? (double)(first + (int64_t)i) / (double)(c->rays - 1) - 0.5 : 0;
            fm_beam_direction(0, c->tilt + c->beam_height * part, forward);
            level[0] = forward[0] * ca;
            level[1] = forward[0] * sa;
            level[2] = forward[2];
            memcpy(origin[i], at->position, sizeof origin[i]);
            fm_to_world(at->rotation, level, direction[i]);
        }
        fm_see(context, count, (const double(*)[3])origin, (const double(*)[3])direction, c->range, hits);
        best = fmin(best, sort_echoes(context, hits, count, echo));
    }
    return best;
}

static uint8_t level_of(double threshold, double intensity)
{
    if (!(intensity >= threshold) || intensity <= 0)
        return 0;
    return (uint8_t)floor(fmin(intensity, 1) * 255 + 0.5);
}

/* All but the echoes. */
static void write_frame(const fm_part_context *context, const fm_station *at, double turn, fm_echo_values *v)
{
    const fm_echo_config *c = context->config;
    double *ranges = v->image + 3 * c->beams, width = (c->range - c->nearest) / (double)c->bins;
    for (int64_t i = 0; i < c->beams; i++)
        fm_beam_direction(c->azimuths[i] + turn, c->tilt, v->image + 3 * i);
    for (int64_t k = 0; k < c->bins; k++)
        ranges[k] = c->nearest + ((double)k + 0.5) * width;
    v->frequency = c->frequency;
    v->sound_speed = fm_column_sound_speed(&context->environment->column, at->position[0], at->position[1], at->position[2]);
    v->dtype = 0;
    v->beams = (double)c->beams;
    v->heading = turn;
}

void fm_echo_run(const fm_part_context *context, double turn)
{
    const fm_echo_config *c = context->config, *live = context->live;
    fm_station at = fm_instrument_station(context, &c->mount);
    fm_echo_values *v = fm_place(context, &c->mount, &live->health, 1);
    double echo[FM_ECHO_BINS_MOST];
    if (!v)
        return;
    write_frame(context, &at, turn, v);
    uint8_t *bytes = (uint8_t *)(v->image + 3 * c->beams + c->bins);
    for (int64_t i = 0; i < c->beams; i++) {
        fm_echo_beam(context, &at, c->azimuths[i] + turn, echo);
        fm_flaw_row(context, &live->flaws, (size_t)(i * c->bins), (size_t)c->bins, echo);
        for (int64_t k = 0; k < c->bins; k++)
            bytes[k * c->beams + i] = level_of(live->threshold, echo[k]);
    }
}
