/* Acoustic altimeter: sends pings through its transducer and measures the travel time of the echo. */
#include <math.h>
#include <string.h>

#include "acoustics/beacons.h"
#include "acoustics/parts.h"
#include "acoustics/transducer.h"
#include "environment/sight.h"
#include "physics/real.h"

typedef struct altimeter_config {
    fm_health health;
    fm_flaws flaws; /* m */
    fm_instrument instrument;
    fm_listener listener;
    double interval;       /* s */
    double range, nearest; /* m */
    const fm_transducer *own;
} altimeter_config;

static const fm_attr attrs[] = {
    FM_ACOUSTIC_ATTRS(altimeter_config),
    FM_FLAW_ATTRS(altimeter_config, flaws, "m"),
    FM_LISTENER_ATTRS(altimeter_config, listener),
    FM_REAL_ATTR(altimeter_config, interval, "interval", "s", 1e-3, 1e4, "1 s", 0, "between pings"),
    FM_REAL_ATTR(altimeter_config, range, "range", "m", 0.1, 12000, "200 m", 0, "that it waits for an echo from"),
    FM_REAL_ATTR(altimeter_config, nearest, "nearest", "m", 0, 1000, "0 m", 0, "that it sees"),
};
static const fm_element element = FM_TABLE_ELEMENT(altimeter_config, "acoustic-altimeter", attrs, NULL, 0,
                                                   "Altimeter: pings through a transducer that looks down, and reports "
                                                   "the range of the echo if it is above the noise.");

/* The ping that is on its way. */
typedef struct altimeter_state {
    double next;   /* s: of the next ping */
    double back;   /* s: when its echo is here; 0: none */
    double moment; /* s: when it was at the bottom */
    double way;    /* s, two-way travel time; 0: no echo */
} altimeter_state;

static fm_status load_altimeter(fm_part_load *load, void *config, fm_error *error)
{
    altimeter_config *c = config;
    fm_status status = fm_listener_load(load, &c->listener, &c->instrument, 0, error);
    if (status != FM_OK)
        return status;
    if (c->nearest >= c->range)
        return fm_load_fail(load, error, FM_ERR_RANGE,
                            "nearest: %g m is out of range: must be less than the range of %g m", c->nearest, c->range);
    c->own = fm_load_part_info(load, (size_t)c->listener.part).config;
    c->instrument.mount.nearest = c->nearest;
    c->instrument.mount.farthest = c->range;
    return fm_instrument_load(load, &c->instrument, 1, FM_READING_WORDS(fm_range_reading), sizeof(altimeter_state),
                              error);
}

/* (A8.8) SL − 20 log 2R − 2αR + 20 log |R₀| compared with noise and detection threshold: the bottom is a mirror. */
static int is_heard(const fm_transducer *t, const fm_sound_here *here, double range, double reflectivity)
{
    double level =
        t->level - 20 / 2.302585092994045684 * (fm_log(fmax(2 * range, 1)) - fm_log(fmax(reflectivity, 1e-6)));
    level -= 2 * here->absorption * range;
    return level >= t->threshold && level - here->noise >= t->detection;
}

/* Sends a ping and computes its echo. */
static void send_ping(const fm_part_context *context, const altimeter_config *c, altimeter_state *s)
{
    fm_sound_here here;
    fm_ray_hit hit;
    if (fm_sound_emit(context, (int)c->listener.part, &(fm_emission){.kind = FM_SOUND_PING}) != FM_SOUND_TAKEN)
        return;
    s->next = context->time + c->interval;
    s->back = 0;
    if (!fm_sound_listen(context, (int)c->listener.part, 0, &here))
        return;
    fm_instrument_pose at = fm_instrument_where(context, &c->instrument.mount);
    const double direction[1][3] = {{at.rotation[0], at.rotation[3], at.rotation[6]}};
    fm_sight_cast(context, 1, (const double(*)[3])(const void *)at.position, direction, c->range, &hit);
    if (!(hit.distance <= c->range) ||
        !is_heard(c->own, &here, hit.distance, fm_sight_material(context, &hit)->reflectivity))
        return;
    double there = at.position[2] + hit.distance * direction[0][2];
    double far = fm_water_column_sound_speed(&context->environment->column, at.position[0], at.position[1], there);
    double near =
        fm_water_column_sound_speed(&context->environment->column, at.position[0], at.position[1], at.position[2]);
    double speed = here.speed * 0.5 * (1 + far / near); /* mean of both ends, from the medium's own value */
    s->way = 2 * hit.distance / speed;
    s->moment = context->time + 0.5 * s->way;
    s->back = context->time + s->way;
}

static void give_echo(const fm_part_context *context, const altimeter_config *c, altimeter_state *s)
{
    const altimeter_config *live = context->live;
    fm_sound_here here;
    double speed = c->listener.sound_speed;
    if (!(speed > 0))
        speed = fm_sound_listen(context, (int)c->listener.part, 0, &here) ? here.speed : 1500;
    fm_range_reading r = {.range = 0.5 * speed * s->way,
                          .min_range = c->nearest,
                          .max_range = c->range,
                          .variance = live->flaws.noise * live->flaws.noise};
    s->back = 0;
    fm_instrument_spoil(context, &live->flaws, 0, 1, &r.range);
    if (r.range < c->nearest)
        r.range = -HUGE_VAL;
    fm_listener_give(context, &c->instrument, &live->health, s->moment, &r.range);
}

static void run_altimeter(const fm_part_context *context)
{
    const altimeter_config *c = context->config;
    altimeter_state *s = fm_instrument_state(context, &c->instrument);
    ((fm_reading *)context->output)->valid = 0;
    if (s->back > 0 && context->time >= s->back)
        give_echo(context, c, s);
    if (context->time >= s->next - 1e-9)
        send_ping(context, c, s);
}

static const fm_output outputs[] = {
    FM_OUTPUT_NUMBER(fm_range_reading, range, "range", "m", FM_QUANTITY_ALTITUDE),
    FM_OUTPUT_NUMBER(fm_range_reading, radiation, "radiation_type", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_range_reading, field_of_view, "field_of_view", "rad", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_range_reading, min_range, "min_range", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_range_reading, max_range, "max_range", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(fm_range_reading, variance, "variance", "m2", FM_QUANTITY_NONE),
};
const fm_part_class fm_acoustic_altimeter_class = {.kind = FM_PART_SENSOR,
                                                   .element = &element,
                                                   .live_size = offsetof(altimeter_config, instrument),
                                                   .mount = FM_MOUNT_AT(altimeter_config, instrument.mount),
                                                   .message = "sensor_msgs/Range",
                                                   .outputs = outputs,
                                                   .output_count = FM_COUNT(outputs),
                                                   .counts = FM_COUNTS_READING,
                                                   .load = load_altimeter,
                                                   .run = run_altimeter};
