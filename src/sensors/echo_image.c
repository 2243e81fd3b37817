#include "sensors/echo_image.h"

#include <math.h>
#include <string.h>

#include "environment/sight.h"
#include "physics/posture.h"

enum { BLOCK = FM_FAN_BLOCK };

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
    o[at++] =
        (fm_output)FM_OUTPUT_NUMBER(fm_echo_reading, values.frequency, "ping_info.frequency", "Hz", FM_QUANTITY_NONE);
    o[at++] = (fm_output)FM_OUTPUT_NUMBER(fm_echo_reading, values.sound_speed, "ping_info.sound_speed", "m/s",
                                          FM_QUANTITY_NONE);
    o[at++] = (fm_output)FM_OUTPUT_NUMBER(fm_echo_reading, values.dtype, "image.dtype", "", FM_QUANTITY_NONE);
    o[at++] = (fm_output)FM_OUTPUT_NUMBER(fm_echo_reading, values.beams, "image.beam_count", "", FM_QUANTITY_NONE);
    o[at] = (fm_output)FM_OUTPUT_NUMBER(fm_echo_reading, values.heading, "heading", "rad", FM_QUANTITY_NONE);
    o[at++].reach = FM_OUTPUT_LOCAL;
    o[at++] = (fm_output){.field = "beam_directions",
                          .unit = "",
                          .offset = first,
                          .count = 3 * beams,
                          .frame = FM_OUTPUT_BODY,
                          .quantity = FM_QUANTITY_DIRECTIONS};
    o[at++] = (fm_output){
        .field = "ranges", .unit = "m", .offset = first + 24 * beams, .count = bins, .quantity = FM_QUANTITY_RANGES};
    o[at++] = (fm_output){.field = "image.data",
                          .unit = "",
                          .offset = first + 24 * beams + 8 * bins,
                          .count = beams * bins,
                          .type = FM_OUTPUT_UINT8,
                          .quantity = FM_QUANTITY_ECHOES};
    fm_load_outputs(load, o, at);
    return FM_OK;
}

fm_status fm_echo_load(fm_part_load *load, fm_echo_config *c, size_t own, fm_error *error)
{
    if (c->nearest >= c->range)
        return fm_load_fail(load, error, FM_ERR_RANGE,
                            "nearest: %g m is out of range: must be less than the range of %g m", c->nearest, c->range);
    if (c->beams * c->rays > FM_ECHO_RAYS_MOST || c->beams * c->bins > 1 << 24)
        return fm_load_fail(load, error, FM_ERR_RANGE,
                            "%lld beams of %lld rays and %lld bins given: must be at most %d rays and %d bins in all",
                            (long long)c->beams, (long long)c->rays, (long long)c->bins, FM_ECHO_RAYS_MOST, 1 << 24);
    if (!(c->directions = fm_load_alloc(load, (size_t)(c->beams * c->rays) * sizeof *c->directions)) ||
        describe(load, c) != FM_OK)
        return FM_ERR_MEMORY;
    for (int axis = 0; axis < 3; axis++)
        if (!(c->axes[axis] = fm_load_alloc(load, (size_t)(c->beams * c->rays + BLOCK) * sizeof *c->axes[axis])))
            return FM_ERR_MEMORY;
    fm_echo_aim(c);
    c->instrument.mount.nearest = c->nearest;
    c->instrument.mount.farthest = c->range;
    c->instrument.mount.width = c->sector;
    c->instrument.mount.height = c->beam_height;
    return fm_instrument_load(load, &c->instrument, 0, value_words(c), own, error);
}

static double azimuth_of(const fm_echo_config *c, int64_t beam)
{
    return c->beams > 1 ? c->sector * ((double)beam / (double)(c->beams - 1) - 0.5) : 0;
}

void fm_echo_aim(fm_echo_config *c)
{
    for (int64_t i = 0; i < c->beams; i++)
        for (int64_t k = 0; k < c->rays; k++) {
            double part = c->rays > 1 ? (double)k / (double)(c->rays - 1) - 0.5 : 0;
            fm_sight_direction(azimuth_of(c, i), c->tilt + c->beam_height * part, c->directions[i * c->rays + k]);
        }
    const int64_t all = c->beams * c->rays;
    for (int64_t i = 0; i < all + BLOCK && c->axes[0]; i++)
        for (int axis = 0; axis < 3; axis++)
            c->axes[axis][i] = c->directions[i < all ? i : all - 1][axis];
}

/* Local copies of what turns a hit into an echo: a byte written could alias anything the compiler cannot see. */
typedef struct echo_rule {
    double nearest, range, scale, gain, spreading;
    int64_t last;
    const fm_material *materials;
    size_t material_count;
} echo_rule;

static echo_rule rule_of(const fm_part_context *context)
{
    const fm_echo_config *c = context->config, *live = context->live;
    return (echo_rule){
        c->nearest,   c->range,    (double)c->bins / (c->range - c->nearest), live->gain / (double)c->rays,
        c->spreading, c->bins - 1, context->environment->materials,           context->environment->material_count};
}

/* The bin of a ray's echo, -1: none, and its intensity. */
static inline int64_t echo_of(const echo_rule *rule, const fm_fan_echoes *e, size_t i, double *intensity)
{
    double r = e->distance[i];
    if (!(r >= rule->nearest && r < rule->range))
        return -1;
    const uint32_t material = e->material[i] < rule->material_count ? e->material[i] : 0;
    *intensity = rule->gain * rule->materials[material].reflectivity * e->cosine[i];
    if (rule->spreading > 0)
        *intensity *= fm_pow(fmax(r, 0.01), -rule->spreading);
    int64_t bin = (int64_t)((r - rule->nearest) * rule->scale);
    return bin < rule->last ? bin : rule->last;
}

static uint8_t level_of(double threshold, double intensity)
{
    if (!(intensity >= threshold) || intensity <= 0)
        return 0;
    return (uint8_t)((intensity < 1 ? intensity : 1) * 255 + 0.5);
}

/* Bins low … high of a beam contain echoes. */
typedef struct beam_state {
    int64_t beam, low, high;
    int noisy; /* every bin counts, not only those with echoes */
    double echo[FM_ECHO_BINS_MOST];
} beam_state;

static void begin_beam(const fm_echo_config *c, beam_state *b, int64_t beam)
{
    b->beam = beam;
    b->low = b->noisy ? 0 : c->bins;
    b->high = b->noisy ? c->bins - 1 : -1;
}

/* Writes a finished beam into the image, which is 0 so far, and clears its bins. */
static void write_beam(const fm_part_context *context, beam_state *b, uint8_t *bytes)
{
    const fm_echo_config *c = context->config, *live = context->live;
    if (b->noisy)
        fm_instrument_spoil_row(context, &live->flaws, (size_t)(b->beam * c->bins), (size_t)c->bins, b->echo);
    for (int64_t k = b->low; k <= b->high; k++) {
        bytes[k * c->beams + b->beam] = level_of(live->threshold, b->echo[k]);
        b->echo[k] = 0;
    }
}

/* All but the echoes. */
static void write_frame(const fm_part_context *context, const fm_instrument_pose *at, double turn, fm_echo_values *v)
{
    const fm_echo_config *c = context->config;
    double *ranges = v->image + 3 * c->beams, width = (c->range - c->nearest) / (double)c->bins;
    for (int64_t i = 0; i < c->beams; i++)
        fm_sight_direction(azimuth_of(c, i) + turn, c->tilt, v->image + 3 * i);
    for (int64_t k = 0; k < c->bins; k++)
        ranges[k] = c->nearest + ((double)k + 0.5) * width;
    v->frequency = c->frequency;
    v->sound_speed =
        fm_water_column_sound_speed(&context->environment->column, at->position[0], at->position[1], at->position[2]);
    v->dtype = 0;
    v->beams = (double)c->beams;
    v->heading = turn;
}

/* rotation ← rotation · Rz(turn). */
static void turn_head(double rotation[9], double turn)
{
    double c = fm_cos(turn), s = fm_sin(turn);
    for (int i = 0; i < 3 && turn != 0; i++) {
        double x = rotation[3 * i], y = rotation[3 * i + 1];
        rotation[3 * i] = c * x + s * y;
        rotation[3 * i + 1] = c * y - s * x;
    }
}

/* One block of rays, starting at number `first`. */
static void sort_block(const fm_part_context *context, const fm_fan_echoes *echoes, int64_t first, size_t count,
                       beam_state *b, uint8_t *bytes)
{
    const fm_echo_config *c = context->config;
    const echo_rule rule = rule_of(context);
    int64_t next = (b->beam + 1) * c->rays; /* first ray of the next beam */
    for (size_t i = 0; i < count; i++) {
        if (first + (int64_t)i == next) {
            write_beam(context, b, bytes);
            begin_beam(c, b, b->beam + 1);
            next += c->rays;
        }
        double intensity;
        int64_t bin = echo_of(&rule, echoes, i, &intensity);
        if (bin < 0)
            continue;
        b->echo[bin] += intensity;
        b->low = bin < b->low ? bin : b->low;
        b->high = bin > b->high ? bin : b->high;
    }
}

/* The same for beams of one ray without noise: at most one bin of a beam contains an echo. */
static void sort_lone_rays(const fm_part_context *context, const fm_fan_echoes *echoes, int64_t first, size_t count,
                           uint8_t *bytes)
{
    const fm_echo_config *c = context->config, *live = context->live;
    const echo_rule rule = rule_of(context);
    double threshold = live->threshold;
    int64_t beams = c->beams;
    for (size_t i = 0; i < count; i++) {
        double intensity;
        int64_t bin = echo_of(&rule, echoes, i, &intensity);
        if (bin >= 0)
            bytes[bin * beams + first + (int64_t)i] = level_of(threshold, intensity);
    }
}

static int is_noisy(const fm_flaws *f)
{
    return f->noise > 0 || f->bias[0] != 0 || f->bias_spread > 0 || f->scale[0] != 0 || f->scale_spread > 0 ||
           f->quantum > 0 || f->minimum != 0 || f->maximum != 0;
}

/* Rays one by one, where they cannot be cast as a fan. */
static void cast_rays(const fm_part_context *context, const fm_ray_fan *fan, int64_t first, size_t count,
                      fm_fan_echoes *echoes)
{
    const fm_echo_config *c = context->config;
    double origin[BLOCK][3], direction[BLOCK][3];
    fm_ray_hit hits[BLOCK];
    for (size_t i = 0; i < count; i++) {
        memcpy(origin[i], fan->origin, sizeof origin[i]);
        fm_vector_to_world(fan->rotation, c->directions[first + (int64_t)i], direction[i]);
    }
    fm_sight_cast(context, count, (const double(*)[3])origin, (const double(*)[3])direction, c->range, hits);
    for (size_t i = 0; i < count; i++) {
        echoes->distance[i] = hits[i].distance;
        echoes->cosine[i] = hits[i].cosine;
        echoes->material[i] = hits[i].material;
    }
}

void fm_echo_cast(const fm_part_context *context, const fm_instrument_pose *at, uint8_t *bytes)
{
    const fm_echo_config *c = context->config, *live = context->live;
    fm_ray_fan fan = {
        .axes = {c->axes[0], c->axes[1], c->axes[2]}, .range = c->range, .exclude = (uint32_t)context->slot};
    fm_fan_echoes echoes;
    beam_state b;
    int64_t all = c->beams * c->rays;
    memset(bytes, 0, (size_t)(c->beams * c->bins));
    memset(b.echo, 0, (size_t)c->bins * sizeof *b.echo);
    b.noisy = is_noisy(&live->flaws);
    begin_beam(c, &b, 0);
    int lone = c->rays == 1 && !b.noisy;
    memcpy(fan.origin, at->position, sizeof fan.origin);
    memcpy(fan.rotation, at->rotation, sizeof fan.rotation);
    const bool fits = c->axes[0] && fm_sight_fan_fits(context, &fan);
    for (int64_t first = 0; first < all; first += BLOCK) {
        size_t count = (size_t)(all - first < BLOCK ? all - first : BLOCK);
        if (!fits || !fm_ray_fan_cast(context->environment->scene, &fan, (size_t)first, count, &echoes))
            cast_rays(context, &fan, first, count, &echoes);
        if (lone)
            sort_lone_rays(context, &echoes, first, count, bytes);
        else
            sort_block(context, &echoes, first, count, &b, bytes);
    }
    if (!lone)
        write_beam(context, &b, bytes);
}

void fm_echo_run(const fm_part_context *context, double turn)
{
    const fm_echo_config *c = context->config, *live = context->live;
    fm_instrument_pose at = fm_instrument_where(context, &c->instrument.mount);
    fm_echo_values *v = fm_instrument_room(context, &c->instrument, &live->health, 1);
    if (!v)
        return;
    write_frame(context, &at, turn, v);
    turn_head(at.rotation, turn);
    fm_echo_cast(context, &at, (uint8_t *)(v->image + 3 * c->beams + c->bins));
}

void fm_echo_beam(const fm_part_context *context, double turn, double *echo)
{
    const fm_echo_config *c = context->config;
    const echo_rule rule = rule_of(context);
    fm_instrument_pose at = fm_instrument_where(context, &c->instrument.mount);
    fm_ray_fan fan = {.range = c->range};
    fm_fan_echoes echoes;
    turn_head(at.rotation, turn);
    memcpy(fan.origin, at.position, sizeof fan.origin);
    memcpy(fan.rotation, at.rotation, sizeof fan.rotation);
    memset(echo, 0, (size_t)c->bins * sizeof *echo);
    for (int64_t first = 0; first < c->rays; first += BLOCK) {
        const size_t count = (size_t)(c->rays - first < BLOCK ? c->rays - first : BLOCK);
        cast_rays(context, &fan, first, count, &echoes);
        for (size_t i = 0; i < count; i++) {
            double intensity;
            const int64_t bin = echo_of(&rule, &echoes, i, &intensity);
            if (bin >= 0)
                echo[bin] += intensity;
        }
    }
}
