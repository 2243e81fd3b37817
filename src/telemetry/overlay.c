#include "telemetry/overlay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "world/world.h"

/* --- names --- */

static const struct {
    const char *name, *more, *unit, *text; /* more values: those before the values of the motion */
} topics[FM_OVERLAY_TOPICS] = {
    [FM_OVERLAY_MEASURED] = {"measured", "clock", "s", "telemetry of the real vehicle, and what its own clock showed"},
    [FM_OVERLAY_MODEL] = {"model", NULL, NULL, "the model's vehicle, in the quantities of the telemetry"},
    [FM_OVERLAY_DIFFERENCE] = {"difference", "distance", "m", "model less measured, and the distance of the two"},
};

static void name_values(fm_overlay_topic topic, fm_overlay_names *list)
{
    if (topics[topic].more) {
        list->names[0] = topics[topic].more;
        list->units[list->count++] = topics[topic].unit;
    }
    for (int i = 0; i < FM_KINEMATICS_COUNT; i++) {
        list->names[list->count] = fm_kinematics_infos[i].name;
        list->units[list->count++] = fm_kinematics_infos[i].unit;
    }
}

/* --- the overlay --- */

fm_overlay *fm_overlay_create(const char *vehicle, const fm_overlay_source *source, fm_error *error)
{
    fm_overlay *o = strlen(vehicle) < FM_OVERLAY_NAME ? fm_alloc(sizeof *o) : NULL;
    if (!o) {
        if (source->free)
            source->free(source->user);
        return fm_fail(error, FM_ERR_MEMORY, "no memory for an overlay of '%.40s'", vehicle), NULL;
    }
    snprintf(o->vehicle, sizeof o->vehicle, "%s", vehicle);
    o->source = *source;
    for (int i = 0; i < FM_OVERLAY_TOPICS; i++)
        name_values((fm_overlay_topic)i, &o->topics[i]);
    fm_kinematics_clear(&o->model);
    fm_kinematics_clear(&o->reading.motion);
    fm_kinematics_clear(&o->difference);
    return o;
}

void fm_overlay_free(fm_overlay *o)
{
    if (o && o->source.free)
        o->source.free(o->source.user);
    fm_free(o);
}

void fm_overlay_free_all(fm_overlay *o)
{
    while (o) {
        fm_overlay *next = o->next;
        fm_overlay_free(o);
        o = next;
    }
}

void fm_overlay_take(fm_overlay *o, const fm_kinematics *model, double time, uint64_t step)
{
    fm_overlay_reading reading = {.time = NAN};
    o->present = 1;
    o->model = *model;
    if (!o->source.read(o->source.user, time, step, &reading))
        return;
    o->reading = reading;
    fm_kinematics_differ(model, &reading.motion, &o->difference);
}

void fm_overlay_follow(fm_overlay *o, const fm_world *world)
{
    int slot = fm_world_find(world, o->vehicle);
    fm_kinematics model;
    o->present = 0;
    if (slot < 0)
        return;
    fm_kinematics_of(world, slot, &model);
    fm_overlay_take(o, &model, fm_world_time(world), fm_world_steps(world));
}

/* --- messages --- */

void fm_overlay_name(const fm_overlay *o, fm_overlay_topic topic, char *text, size_t size)
{
    snprintf(text, size, FM_OVERLAY_PREFIX "%s/%s", o->vehicle, topics[topic].name);
}

fm_msg_values fm_overlay_message(const fm_overlay *o, fm_overlay_topic topic, uint64_t now, double *values)
{
    const fm_overlay_names *list = &o->topics[topic];
    const fm_kinematics *motion = topic == FM_OVERLAY_MEASURED ? &o->reading.motion
                                  : topic == FM_OVERLAY_MODEL  ? &o->model
                                                               : &o->difference;
    size_t at = 0;
    if (topic == FM_OVERLAY_MEASURED)
        values[at++] = o->reading.time;
    if (topic == FM_OVERLAY_DIFFERENCE)
        values[at++] = fm_kinematics_distance(motion);
    memcpy(values + at, motion->values, sizeof motion->values);
    return (fm_msg_values){.header = {fm_msg_time_from_ns(now), topic == FM_OVERLAY_DIFFERENCE ? "" : "map"},
                           .names = {list->names, list->count},
                           .units = {list->units, list->count},
                           .values = {values, list->count}};
}

/* --- channels --- */

fm_status fm_overlay_channels_add(fm_channels *channels, const fm_overlay *o, double rate, fm_overlay_channels *added,
                                  fm_error *error)
{
    static const fm_message_limit limits[] = {
        {"header.frame_id", 8}, {"names[]", 16}, {"units[]", 8}, {"*", FM_OVERLAY_VALUES}};
    char topic[FM_TOPIC_SIZE];
    size_t size;
    *added = (fm_overlay_channels){.overlay = o};
    fm_status status = fm_message_max_size(&fm_msg_values_type, limits, sizeof limits / sizeof *limits, &size, error);
    for (int i = 0; i < FM_OVERLAY_TOPICS && status == FM_OK; i++) {
        fm_overlay_name(o, (fm_overlay_topic)i, topic, sizeof topic);
        fm_channel_options options = {
            .topic = topic, .type = &fm_msg_values_type, .max_size = size, .rate = rate, .text = topics[i].text};
        status = fm_channel_add(channels, &options, &added->numbers[i], error);
    }
    return status;
}

static void publish(fm_channels *channels, const fm_overlay_channels *own, fm_overlay_topic topic, uint64_t now)
{
    double values[FM_OVERLAY_VALUES];
    fm_msg_values message = fm_overlay_message(own->overlay, topic, now, values);
    fm_channel_publish(channels, own->numbers[topic], now, &message);
}

void fm_overlay_channels_publish(fm_channels *channels, fm_overlay_channels *own, uint64_t now, uint64_t step,
                                 uint64_t stride, int due)
{
    const fm_overlay *o = own->overlay;
    if (!o->present)
        return;
    if (due)
        publish(channels, own, FM_OVERLAY_MODEL, now);
    if (o->reading.number == own->sent || step < own->next)
        return;
    own->sent = o->reading.number;
    own->next = step + stride;
    publish(channels, own, FM_OVERLAY_MEASURED, now);
    publish(channels, own, FM_OVERLAY_DIFFERENCE, now);
}
