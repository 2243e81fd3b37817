/* (I9) colour = albedo · light · e^(−c r) + water light (1 − e^(−c r)), per channel; light: daylight lost with
 * depth, from the sun and from all sides, and a lamp. */
#include "sensors/camera.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "environment/sight.h"
#include "physics/posture.h"
#include "sensors/parts.h"

enum { TILE = 8, BLOCK = TILE * TILE }; /* pixels drawn together: neighbouring rays traverse the scene faster */

static const fm_attr camera_attrs[] = {
    FM_INSTRUMENT_ATTRS(fm_camera_config),
    FM_REAL_ATTR(fm_camera_config, noise, "noise", "", 0, 1, "0", FM_ATTR_LIVE,
                 "standard deviation of each value, of 1"),
    FM_REAL_ATTR(fm_camera_config, exposure, "exposure", "", 0, 1e4, "1", FM_ATTR_LIVE,
                 "brightness of the whole picture"),
    FM_INT_ATTR(fm_camera_config, width, "width", 1, 8192, "640", 0, "pixels"),
    FM_INT_ATTR(fm_camera_config, height, "height", 1, 8192, "480", 0, "pixels"),
    FM_REAL_ATTR(fm_camera_config, field_of_view, "field-of-view", "rad", 0.01, 3.1, "60 deg", 0, "from left to right"),
    FM_REAL_ATTR(fm_camera_config, range, "range", "m", 0.1, 10000, "60 m", 0, "what is farther is not seen"),
    FM_VECTOR_ATTR(fm_camera_config, attenuation, 3, "attenuation", "1/m", 0, 100, "0.35 0.08 0.06 1/m", 0,
                   "loss of light on its way to the camera: red, green, blue"),
    FM_VECTOR_ATTR(fm_camera_config, downwelling, 3, "downwelling", "1/m", 0, 100, "0.20 0.035 0.025 1/m", 0,
                   "loss of daylight with depth: red, green, blue"),
    FM_VECTOR_ATTR(fm_camera_config, water, 3, "water", "", 0, 1, "0.10 0.42 0.50", 0,
                   "colour of the water itself in daylight: red, green, blue"),
    FM_VECTOR_ATTR(fm_camera_config, sun, 3, "sun", "", -1, 1, "0.3 0.2 -0.9", 0,
                   "direction towards the sun: north, east, down"),
    FM_REAL_ATTR(fm_camera_config, ambient, "ambient", "", 0, 1, "0.45", 0,
                 "share of the daylight that comes from all sides"),
    FM_REAL_ATTR(fm_camera_config, lamp, "lamp", "", 0, 1e4, "0", 0,
                 "brightness of a lamp beside the camera, at a distance of 1 m"),
    FM_REAL_ATTR(fm_camera_config, texture, "texture", "", 0, 1, "0.35", 0, "strength of the pattern on surfaces"),
    FM_BOOL_ATTR(fm_camera_config, shadows, "shadows", "false", 0, "of the sun"),
};
static const fm_element camera_element =
    FM_TABLE_ELEMENT(fm_camera_config, "camera", camera_attrs, NULL, 0,
                     "Colour camera that looks along its forward axis; two make a stereo pair.");

/* Without libm calls: these run per pixel and channel. */
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}
static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}
static inline int64_t whole_below(double x)
{
    int64_t i = (int64_t)x;
    return i - (x < (double)i);
}

/* e^x for x ≤ 0, to 2e-8: 2^k by its bits and a polynomial for the rest. No tables, no libm: the same bits everywhere.
 */
static inline double fade(double x)
{
    double y = larger(x, -700) * 1.4426950408889634;
    int64_t k = (int64_t)(y - 0.5); /* to the nearest */
    double f = (y - (double)k) * 0.6931471805599453, g = f * f;
    double p = (1 + f) + g * (0.5 + f * 0.16666666666666666) +
               g * g * (0.041666666666666664 + f * 0.008333333333333333 + g * 0.001388888888888889);
    union {
        uint64_t bits;
        double value;
    } scale = {(uint64_t)(k + 1023) << 52};
    return p * scale.value;
}

/* A random number of a cell of a lattice, 0 … 1. */
static inline double speck(int64_t i, int64_t j, int64_t k)
{
    uint64_t h =
        (uint64_t)i * 0x9E3779B97F4A7C15u ^ (uint64_t)j * 0xC2B2AE3D27D4EB4Fu ^ (uint64_t)k * 0x165667B19E3779F9u;
    h = (h ^ h >> 29) * 0xBF58476D1CE4E5B9u;
    return (double)((h ^ h >> 32) & 0xffff) / 65535;
}

static double mix(double a, double b, double part)
{
    return a + part * (b - a);
}

/* Smooth noise on the plane of two coordinates. */
static double smooth_noise(double u, double v, int64_t salt)
{
    int64_t i = whole_below(u), j = whole_below(v);
    double a = u - (double)i, b = v - (double)j;
    a = a * a * (3 - 2 * a);
    b = b * b * (3 - 2 * b);
    return mix(mix(speck(i, j, salt), speck(i + 1, j, salt), a),
               mix(speck(i, j + 1, salt), speck(i + 1, j + 1, salt), a), b);
}

/* Pattern of a surface, around 1: noise of 1 m and of 0.2 m, projected along the axis that the surface faces most. */
static double pattern(const double p[3], const double n[3], double strength)
{
    int away = fabs(n[2]) > 0.6 ? 2 : fabs(n[0]) > fabs(n[1]) ? 0 : 1;
    double u = p[(away + 1) % 3], v = p[(away + 2) % 3];
    return 1 + strength * (1.2 * smooth_noise(u, v, away) + 0.8 * smooth_noise(5 * u, 5 * v, away + 3) - 1);
}

/* --- light --- */

typedef struct view {
    const fm_part_context *context;
    const fm_camera_config *c;
    const fm_instrument_pose *at;
    double exposure;
    double pixel;   /* width of a pixel at distance 1 */
    double veil[3]; /* light of the water itself at the camera's depth */
} view;

/* The water's own light: like daylight at the depth of the camera; brighter for upward rays. */
static void prepare(view *v)
{
    double depth = larger(v->at->position[2], 0);
    for (int k = 0; k < 3; k++)
        v->veil[k] = v->c->water[k] * fade(-v->c->downwelling[k] * depth);
}

/* Light that falls on a surface, per channel. */
static void light_on(const view *v, const double p[3], const double n[3], double distance, double cosine, int shaded,
                     double out[3])
{
    const fm_camera_config *c = v->c;
    double sun = shaded ? 0 : larger(n[0] * c->sun[0] + n[1] * c->sun[1] + n[2] * c->sun[2], 0);
    double sky = 0.65 - 0.35 * n[2]; /* more from above */
    double day = c->ambient * sky + (1 - c->ambient) * sun, r = larger(distance, 0.1);
    double lamp = c->lamp > 0 ? c->lamp * cosine / (r * r) : 0;
    for (int k = 0; k < 3; k++) {
        out[k] = day * fade(-c->downwelling[k] * larger(p[2], 0));
        if (lamp > 0)
            out[k] += lamp * fade(-c->attenuation[k] * distance);
    }
}

/* skin: the colour of a skin that was hit; NULL: that of the material with its pattern. */
static void shade(const view *v, const double direction[3], const fm_ray_hit *hit, int shaded, const double *skin,
                  double out[3])
{
    const fm_camera_config *c = v->c;
    double brighter = 0.75 + 0.45 * larger(-direction[2], -0.6);
    if (!(hit->distance < c->range)) {
        for (int k = 0; k < 3; k++)
            out[k] = v->veil[k] * brighter;
        return;
    }
    double p[3], light[3];
    for (int k = 0; k < 3; k++)
        p[k] = v->at->position[k] + hit->distance * direction[k];
    light_on(v, p, hit->normal, hit->distance, hit->cosine, shaded, light);
    const double *colour = skin ? skin : fm_sight_material(v->context, hit)->colour;
    double texture = !skin && c->texture > 0 ? pattern(p, hit->normal, c->texture) : 1;
    for (int k = 0; k < 3; k++) {
        double left = fade(-c->attenuation[k] * hit->distance);
        out[k] = colour[k] * texture * light[k] * left + v->veil[k] * brighter * (1 - left);
    }
}

/* --- pixels --- */

static uint8_t byte_of(double value)
{
    double x = smaller(larger(value, 0), 1);
    return (uint8_t)(255 * sqrt(x) + 0.5); /* the eye's curve, about */
}

/* Hits that are in shadow of the sun. */
static void find_shadows(const view *v, size_t count, const double direction[][3], const fm_ray_hit *hits,
                         int shaded[BLOCK])
{
    double origin[BLOCK][3], sun[BLOCK][3];
    fm_ray_hit above[BLOCK];
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            double reach = hits[i].distance < v->c->range ? hits[i].distance : 0;
            origin[i][k] = v->at->position[k] + reach * direction[i][k] + 1e-4 * hits[i].normal[k];
            sun[i][k] = v->c->sun[k];
        }
    fm_sight_cast(v->context, count, (const double(*)[3])origin, (const double(*)[3])sun, v->c->range, above);
    for (size_t i = 0; i < count; i++)
        shaded[i] = above[i].distance < v->c->range;
}

static void draw_block(const view *v, size_t count, const double origin[][3], const double direction[][3],
                       const uint32_t *pixel, uint8_t *rgb)
{
    fm_ray_hit hits[BLOCK];
    int shaded[BLOCK] = {0}, skinned[BLOCK];
    double skin[BLOCK][3];
    const fm_part_context *context = v->context;
    fm_random_key key = {context->seed, context->entity, context->channel};
    double noise = ((const fm_camera_config *)context->live)->noise;
    fm_sight_cast(context, count, origin, direction, v->c->range, hits);
    fm_sight_cast_skins(context, count, origin, direction, v->c->range, hits, skinned, skin);
    if (v->c->shadows)
        find_shadows(v, count, direction, hits, shaded);
    for (size_t i = 0; i < count; i++) {
        double colour[3];
        shade(v, direction[i], &hits[i], shaded[i], skinned[i] ? skin[i] : NULL, colour);
        for (uint32_t k = 0; k < 3; k++) {
            double value = v->exposure * colour[k];
            if (noise > 0)
                value += noise * fm_random_normal(key, context->tick, 3 * pixel[i] + k);
            rgb[3 * (size_t)pixel[i] + k] = byte_of(value);
        }
    }
}

/* Directions (world axes) and numbers of the pixels of a tile; returns the number that are inside the picture. */
static size_t aim_tile(const view *v, int64_t left, int64_t top, double direction[BLOCK][3], uint32_t pixel[BLOCK])
{
    const fm_camera_config *c = v->c;
    size_t count = 0;
    for (int64_t row = top; row < top + TILE && row < c->height; row++)
        for (int64_t column = left; column < left + TILE && column < c->width; column++) {
            double y = ((double)column + 0.5 - 0.5 * (double)c->width) * v->pixel;
            double z = ((double)row + 0.5 - 0.5 * (double)c->height) * v->pixel, scale = 1 / sqrt(1 + y * y + z * z);
            double beam[3] = {scale, y * scale, z * scale};
            fm_vector_to_world(v->at->rotation, beam, direction[count]);
            pixel[count++] = (uint32_t)(row * c->width + column);
        }
    return count;
}

void fm_camera_draw(const fm_part_context *context, const fm_camera_config *c, const fm_instrument_pose *at,
                    uint8_t *rgb)
{
    view v = {.context = context, .c = c, .at = at, .exposure = ((const fm_camera_config *)context->live)->exposure};
    double origin[BLOCK][3], direction[BLOCK][3], half = 0.5 * c->field_of_view;
    uint32_t pixel[BLOCK];
    v.pixel = 2 * fm_sin(half) / fm_cos(half) / (double)c->width;
    prepare(&v);
    for (int i = 0; i < BLOCK; i++)
        memcpy(origin[i], at->position, sizeof origin[i]);
    for (int64_t top = 0; top < c->height; top += TILE)
        for (int64_t left = 0; left < c->width; left += TILE) {
            size_t count = aim_tile(&v, left, top, direction, pixel);
            draw_block(&v, count, (const double(*)[3])origin, (const double(*)[3])direction, pixel, rgb);
        }
}

/* --- the part --- */

static fm_status load_camera(fm_part_load *load, void *config, fm_error *error)
{
    fm_camera_config *c = config;
    size_t bytes = (size_t)(3 * c->width * c->height);
    double length = sqrt(c->sun[0] * c->sun[0] + c->sun[1] * c->sun[1] + c->sun[2] * c->sun[2]);
    if (bytes > FM_RANDOM_INDICES / 2)
        return fm_load_fail(load, error, FM_ERR_RANGE, "%lld × %lld pixels given: must be at most %d in all",
                            (long long)c->width, (long long)c->height, FM_RANDOM_INDICES / 6);
    if (!(length > 0))
        return fm_load_fail(load, error, FM_ERR_RANGE, "sun: 0 0 0 is invalid: a direction must not be zero");
    for (int k = 0; k < 3; k++)
        c->sun[k] /= length;
    fm_output *o = fm_load_alloc(load, 6 * sizeof *o);
    if (!o)
        return FM_ERR_MEMORY;
    o[0] = (fm_output)FM_OUTPUT_NUMBER(fm_camera_reading, height, "height", "", FM_QUANTITY_NONE);
    o[1] = (fm_output)FM_OUTPUT_NUMBER(fm_camera_reading, width, "width", "", FM_QUANTITY_NONE);
    o[2] = (fm_output)FM_OUTPUT_NUMBER(fm_camera_reading, step, "step", "", FM_QUANTITY_NONE);
    o[3] = (fm_output)FM_OUTPUT_NUMBER(fm_camera_reading, big_endian, "is_bigendian", "", FM_QUANTITY_NONE);
    o[4] = (fm_output)FM_OUTPUT_CONSTANT("encoding", "rgb8");
    o[5] = (fm_output){.field = "data",
                       .unit = "",
                       .offset = sizeof(fm_camera_reading),
                       .count = bytes,
                       .type = FM_OUTPUT_UINT8,
                       .quantity = FM_QUANTITY_PICTURE};
    fm_load_outputs(load, o, 6);
    const double half_width = fm_sin(c->field_of_view / 2) / fm_cos(c->field_of_view / 2);
    c->instrument.mount.farthest = c->range;
    c->instrument.mount.width = c->field_of_view;
    c->instrument.mount.height = 2 * fm_atan2(half_width * (double)c->height, (double)c->width);
    return fm_instrument_load(load, &c->instrument, 0, 4 + (bytes + 7) / 8, 0, error);
}

static void run_camera(const fm_part_context *context)
{
    const fm_camera_config *c = context->config, *live = context->live;
    double *values = fm_instrument_room(context, &c->instrument, &live->health, 1);
    if (!values)
        return;
    fm_instrument_pose at = fm_instrument_where(context, &c->instrument.mount);
    values[0] = (double)c->height;
    values[1] = (double)c->width;
    values[2] = 3 * (double)c->width;
    values[3] = 0;
    fm_camera_draw(context, c, &at, (uint8_t *)(values + 4));
}

const fm_part_class fm_camera_class = {.kind = FM_PART_SENSOR,
                                       .element = &camera_element,
                                       .live_size = offsetof(fm_camera_config, instrument),
                                       .mount = FM_MOUNT_AT(fm_camera_config, instrument.mount),
                                       .message = "sensor_msgs/Image",
                                       .counts = FM_COUNTS_READING,
                                       .load = load_camera,
                                       .run = run_camera};
