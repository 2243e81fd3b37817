/* Registering the channels of a world, and the memory that publishing needs. */
#include "telemetry/world_channels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "environment/environment.h"
#include "telemetry/frames.h"
#include "telemetry/world_internal.h"

static fm_status out_of_memory(fm_error *error)
{
    return fm_fail(error, FM_ERR_MEMORY, "out of memory for telemetry");
}

fm_channels *fm_world_channels_get(fm_world_channels *channels)
{
    return channels->channels;
}

void fm_world_channels_destroy(fm_world_channels *w)
{
    if (!w)
        return;
    fm_channels_destroy(w->channels);
    fm_arena_free(&w->arena);
    fm_free(w);
}

static fm_status add(fm_world_channels *w, uint16_t *number, const fm_message *type, size_t size, double rate,
                     unsigned burst, int latched, const char *text, fm_error *error, const char *topic)
{
    fm_channel_config config = {
        .topic = topic, .type = type, .max_size = size, .rate = rate, .burst = burst, .latched = latched, .text = text};
    return fm_channel_add(w->channels, &config, number, error);
}

static double rate_of(const fm_world_channels *w, uint64_t ticks)
{
    uint64_t stride = w->stride > ticks ? w->stride : ticks;
    return 1 / ((double)stride * w->dt);
}

/* --- sizes --- */

enum {
    ODOMETRY_SIZE = 4 + 8 + 2 * (4 + FM_FRAME_SIZE) + 8 + 8 * (7 + 36 + 6 + 36),
    HEADER_SIZE = 4 + 8 + 8 + FM_FRAME_SIZE,
    TRANSFORM_SIZE = 8 + 2 * (8 + FM_FRAME_SIZE) + 8 + 56,
    EVENT_SIZE = 256,
    INPUT_SIZE = 512,
    DIAGNOSTIC_SIZE = 640,
    METRIC_SIZE = 160
};

static size_t texts_size(const char *const *texts, size_t count)
{
    size_t size = 8;
    for (size_t i = 0; i < count; i++)
        size += 8 + strlen(texts[i]) + 1;
    return size;
}

static size_t actuators_size(const fm_type *type)
{
    return HEADER_SIZE + texts_size(type->actuator_names, type->actuator_count) +
           texts_size(type->actuator_units, type->actuator_count) + 2 * (16 + 8 * type->actuator_count);
}

/* --- one slot --- */

typedef struct slot_plan {
    const fm_model *model;
    char topic[64]; /* "/phoenix" */
    int own;        /* the only type with channels here; -1: any */
    size_t actuator_size, joint_size;
    int battery, sampled;
    uint64_t period; /* shortest */
} slot_plan;

static int may_hold(const slot_plan *plan, const fm_world *world, size_t slot, size_t type)
{
    if (plan->own >= 0)
        return (int)type == plan->own;
    return world->model->types[type].record_words <= world->slots[slot].room;
}

static void look_at_types(const fm_world_channels *w, const fm_world *world, size_t slot, slot_plan *plan)
{
    plan->period = UINT64_MAX;
    for (size_t t = 0; t < world->model->type_count; t++) {
        const fm_type *type = &world->model->types[t];
        if (!may_hold(plan, world, slot, t))
            continue;
        size_t size = type->actuator_count ? actuators_size(type) : 0;
        size_t joints = w->types[t].joint_count
                            ? HEADER_SIZE + texts_size(w->types[t].joint_names, w->types[t].joint_count) + 16 +
                                  16 * w->types[t].joint_count + 24
                            : 0;
        plan->actuator_size = size > plan->actuator_size ? size : plan->actuator_size;
        plan->joint_size = joints > plan->joint_size ? joints : plan->joint_size;
        plan->battery |= type->battery.capacity > 0;
        plan->period = type->period < plan->period ? type->period : plan->period;
        plan->sampled = 1;
    }
}

/* The part's own channel; /spawned_1/TYPE/PART where any type may come. */
static fm_status add_part(fm_world_channels *w, const slot_plan *plan, const fm_type *type, const fm_part *part,
                          const fm_part_message *message, fm_part_channel *out, fm_error *error)
{
    char topic[256];
    const char *kind = plan->own >= 0 || !type->name ? "" : type->name;
    out->number = FM_NO_CHANNEL;
    if (!message->type)
        return FM_OK;
    snprintf(topic, sizeof topic, "%s%s%s/%s", plan->topic, *kind ? "/" : "", kind, part->name);
    out->stride = w->stride > part->period ? w->stride : 0;
    return add(w, &out->number, message->type, message->max_size, rate_of(w, part->period), 1, 0,
               part->part_class->element->text, error, topic);
}

static fm_status add_parts(fm_world_channels *w, const fm_world *world, size_t slot, const slot_plan *plan,
                           fm_error *error)
{
    fm_slot_channels *s = &w->slots[slot];
    fm_status status = FM_OK;
    s->parts = fm_arena_alloc(&w->arena, (world->model->type_count + 1) * sizeof *s->parts);
    if (!s->parts)
        return out_of_memory(error);
    for (size_t t = 0; t < world->model->type_count && status == FM_OK; t++) {
        const fm_type *type = &world->model->types[t];
        if (!may_hold(plan, world, slot, t))
            continue;
        s->parts[t] = fm_arena_alloc(&w->arena, (type->part_count + 1) * sizeof **s->parts);
        if (!s->parts[t])
            return out_of_memory(error);
        for (size_t i = 0; i < type->part_count && status == FM_OK; i++)
            status = add_part(w, plan, type, &type->parts[i], &w->types[t].parts[i], &s->parts[t][i], error);
    }
    return status;
}

static fm_status add_of(fm_world_channels *w, const slot_plan *plan, const char *name, uint16_t *number,
                        const fm_message *type, size_t size, double rate, const char *text, fm_error *error)
{
    char topic[128];
    *number = FM_NO_CHANNEL;
    if (!size)
        return FM_OK;
    snprintf(topic, sizeof topic, "%s/%s", plan->topic, name);
    return add(w, number, type, size, rate, 1, 0, text, error, topic);
}

static fm_status add_slot(fm_world_channels *w, const fm_world *world, size_t slot, fm_error *error)
{
    const fm_model *model = world->model;
    fm_slot_channels *s = &w->slots[slot];
    int placed = slot < model->vehicle_count;
    slot_plan plan = {.model = model, .own = placed ? model->vehicles[slot].type : -1};
    if (placed)
        snprintf(plan.topic, sizeof plan.topic, "/%s", model->vehicles[slot].name);
    else
        snprintf(plan.topic, sizeof plan.topic, "/spawned_%zu", slot - model->vehicle_count + 1);
    look_at_types(w, world, slot, &plan);
    s->odom = s->actuators = s->joints = s->wrench = s->battery = FM_NO_CHANNEL;
    if (!plan.sampled)
        return FM_OK;
    double rate = rate_of(w, plan.period);
    w->clock_stride = plan.period < w->clock_stride ? plan.period : w->clock_stride;
    fm_status status = add_of(w, &plan, "odom", &s->odom, &fm_msg_odometry_type, ODOMETRY_SIZE, rate,
                              "pose in map (ENU), velocity in body axes (FLU)", error);
    if (status == FM_OK)
        status = add_of(w, &plan, "actuators", &s->actuators, &fm_msg_actuator_state_type, plan.actuator_size, rate,
                        "orders and values of all actuators", error);
    if (status == FM_OK)
        status = add_of(w, &plan, "joints", &s->joints, &fm_msg_joint_state_type, plan.joint_size, rate,
                        "angles of fins and joints", error);
    if (status == FM_OK)
        status = add_of(w, &plan, "wrench", &s->wrench, &fm_msg_wrench_stamped_type,
                        plan.actuator_size ? HEADER_SIZE + 56 : 0, rate,
                        "force and torque of the thrusters, body axes (FLU)", error);
    if (status == FM_OK)
        status = add_of(w, &plan, "battery", &s->battery, &fm_msg_battery_type, plan.battery ? HEADER_SIZE + 96 : 0, 1,
                        "charge left", error);
    return status == FM_OK ? add_parts(w, world, slot, &plan, error) : status;
}

/* --- types --- */

/* Joints that the kind has of itself, or else the actuators that turn. */
static fm_status find_joints(fm_world_channels *w, const fm_type *type, fm_type_channels *out, fm_error *error)
{
    size_t most = type->kind->joint_count > type->actuator_count ? type->kind->joint_count : type->actuator_count;
    out->joint_names = fm_arena_alloc(&w->arena, (most + 1) * sizeof *out->joint_names);
    out->joints = type->kind->joint_count ? NULL : fm_arena_alloc(&w->arena, (most + 1) * sizeof *out->joints);
    if (!out->joint_names || (!out->joints && !type->kind->joint_count))
        return out_of_memory(error);
    for (size_t i = 0; i < type->kind->joint_count; i++)
        out->joint_names[out->joint_count++] = type->kind->joint_names[i];
    for (size_t i = 0; out->joints && i < type->actuator_count; i++)
        if (strcmp(type->actuator_units[i], "rad") == 0) {
            out->joint_names[out->joint_count] = type->actuator_names[i];
            out->joints[out->joint_count++] = i;
        }
    return FM_OK;
}

static fm_status prepare_type(fm_world_channels *w, const fm_type *type, fm_type_channels *out, fm_error *error)
{
    out->parts = fm_arena_alloc(&w->arena, (type->part_count + 1) * sizeof *out->parts);
    fm_status status = out->parts ? find_joints(w, type, out, error) : out_of_memory(error);
    for (size_t i = 0; i < type->part_count && status == FM_OK; i++)
        status = fm_part_message_make(&type->parts[i], &w->arena, &out->parts[i], error);
    return status;
}

/* --- the world's own --- */

static size_t moving_obstacles(const fm_environment *environment)
{
    size_t count = 0;
    for (size_t i = 0; i < environment->obstacle_count; i++)
        count += environment->obstacles[i].track_time != NULL;
    return count;
}

static fm_status add_world(fm_world_channels *w, const fm_world *world, fm_error *error)
{
    size_t slots = w->slot_count, frames = slots + moving_obstacles(world->model->environment);
    double rate = rate_of(w, w->clock_stride == UINT64_MAX ? 1 : w->clock_stride);
    struct {
        uint16_t *number;
        const char *topic;
        const fm_message *type;
        size_t size;
        double rate;
        unsigned burst;
        int latched;
        const char *text;
    } own[] = {
        {&w->clock, "/clock", &fm_msg_clock_type, 16, rate, 1, 0, "simulated time"},
        {&w->tf, "/tf", &fm_msg_tf_type, 16 + frames * TRANSFORM_SIZE, rate, 1, 0,
         "poses of vehicles and moving obstacles in map (ENU)"},
        {&w->tf_static, "/tf_static", &fm_msg_tf_type, w->scene.max_fixed_size, 0.1, 1, 1, "where sensors are mounted"},
        {&w->scene_channel, "/scene", &fm_msg_scene_type, w->scene.max_size, 0.1, 1, 1,
         "terrain, obstacles, hulls, mounts"},
        {&w->events, "/events", &fm_msg_event_type, EVENT_SIZE, 10, (unsigned)(slots * FM_EVENTS_PER_VEHICLE + 1), 0,
         "what happened"},
        {&w->inputs, "/inputs", &fm_msg_input_type, INPUT_SIZE, 100, (unsigned)world->input_room, 0,
         "every input of the world, with its tick"},
        {&w->metrics, "/metrics", &fm_msg_metrics_type, 64 + slots * w->metric_most * METRIC_SIZE, 1, 1, 0,
         "metrics so far"},
        {&w->diagnostics, "/diagnostics", &fm_msg_diagnostics_type, HEADER_SIZE + (slots + 1) * DIAGNOSTIC_SIZE, 1, 1,
         0, "health of the world and its vehicles"}};
    fm_status status = FM_OK;
    for (size_t i = 0; i < sizeof own / sizeof *own && status == FM_OK; i++)
        status = add(w, own[i].number, own[i].type, own[i].size, own[i].rate, own[i].burst, own[i].latched, own[i].text,
                     error, own[i].topic);
    return status;
}

/* Of actuators or joints a vehicle may have. */
static size_t most_values(const fm_model *model)
{
    size_t most = 0;
    for (size_t i = 0; i < model->type_count; i++) {
        const fm_type *type = &model->types[i];
        most = type->actuator_count > most ? type->actuator_count : most;
        most = type->kind->joint_count > most ? type->kind->joint_count : most;
    }
    return most;
}

static size_t most_metrics(const fm_world *world)
{
    size_t most = 0;
    for (size_t i = 0; i < world->model->type_count; i++)
        most = world->model->types[i].metric_count > most ? world->model->types[i].metric_count : most;
    for (int i = 0; i < world->slot_count; i++)
        most = fm_world_metric_count(world, i) > most ? fm_world_metric_count(world, i) : most;
    return most + 16;
}

static fm_status take_room(fm_world_channels *w, const fm_world *world, fm_error *error)
{
    size_t slots = w->slot_count, values = most_values(world->model), metrics = slots * w->metric_most;
    w->slots = fm_arena_alloc(&w->arena, (slots + 1) * sizeof *w->slots);
    w->types = fm_arena_alloc(&w->arena, (world->model->type_count + 1) * sizeof *w->types);
    w->transforms =
        fm_arena_alloc(&w->arena, (slots + moving_obstacles(world->model->environment) + 1) * sizeof *w->transforms);
    w->orders = fm_arena_alloc(&w->arena, (values + 1) * sizeof(double));
    w->values = fm_arena_alloc(&w->arena, (values + 1) * sizeof(double));
    w->metric_names = fm_arena_alloc(&w->arena, (metrics + 1) * sizeof(char *));
    w->metric_units = fm_arena_alloc(&w->arena, (metrics + 1) * sizeof(char *));
    w->metric_values = fm_arena_alloc(&w->arena, (metrics + 1) * sizeof(double));
    w->metric_texts = fm_arena_alloc(&w->arena, (metrics + 1) * sizeof *w->metric_texts);
    w->statuses = fm_arena_alloc(&w->arena, (slots + 2) * sizeof *w->statuses);
    w->pairs = fm_arena_alloc(&w->arena, (4 * slots + 8) * sizeof *w->pairs);
    w->pair_texts = fm_arena_alloc(&w->arena, (4 * slots + 8) * sizeof *w->pair_texts);
    if (!w->slots || !w->types || !w->transforms || !w->orders || !w->values || !w->metric_names || !w->metric_units ||
        !w->metric_values || !w->metric_texts || !w->statuses || !w->pairs || !w->pair_texts)
        return out_of_memory(error);
    return FM_OK;
}

static fm_status fill(fm_world_channels *w, const fm_world *world, fm_error *error)
{
    w->channels = fm_channels_create();
    fm_status status = w->channels ? take_room(w, world, error) : out_of_memory(error);
    for (size_t i = 0; i < world->model->type_count && status == FM_OK; i++)
        status = prepare_type(w, &world->model->types[i], &w->types[i], error);
    if (status == FM_OK)
        status = fm_scene_build(world, &w->arena, &w->scene, error);
    for (size_t i = 0; i < w->slot_count && status == FM_OK; i++)
        status = add_slot(w, world, i, error);
    if (status == FM_OK)
        status = add_world(w, world, error);
    return status == FM_OK ? fm_channels_seal(w->channels, error) : status;
}

fm_status fm_world_channels_create(const fm_world *world, double rate, fm_world_channels **channels, fm_error *error)
{
    fm_world_channels *w = fm_alloc(sizeof *w);
    *channels = NULL;
    if (!w)
        return out_of_memory(error);
    w->dt = world->model->settings.dt;
    w->slot_count = (size_t)world->slot_count;
    w->metric_most = most_metrics(world);
    w->clock_stride = UINT64_MAX;
    w->second = (uint64_t)fmax(floor(1 / w->dt + 0.5), 1);
    if (rate > 0)
        w->stride = (uint64_t)fmax(floor(1 / (rate * w->dt) + 0.5), 1);
    w->odometry.header.frame_id = "map";
    fm_covariance_unknown(w->odometry.pose.covariance, 36);
    fm_covariance_unknown(w->odometry.twist.covariance, 36);
    fm_status status = fill(w, world, error);
    if (status == FM_OK)
        *channels = w;
    else
        fm_world_channels_destroy(w);
    return status;
}
