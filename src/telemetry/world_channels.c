/* Registers the channels of a world and allocates the memory that publishing needs. */
#include "telemetry/world_channels.h"

#include <stdio.h>
#include <string.h>

#include "acoustics/sound.h"
#include "environment/environment.h"
#include "telemetry/frames.h"
#include "telemetry/world_internal.h"
#include "world/inputs.h"

fm_status fm_channels_no_memory(fm_error *error)
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

/* One channel to register: its message size from limits of its strings and sequences, or as measured. */
typedef struct channel_plan {
    uint32_t *number;
    const char *topic;
    const fm_message *type;
    const fm_message_limit *limits;
    size_t limit_count, size;
    double rate;
    unsigned burst;
    int latched;
    const char *text;
} channel_plan;

#define LIMITS(...)                                                                                                    \
    .limits = (const fm_message_limit[]){__VA_ARGS__},                                                                 \
    .limit_count = sizeof((const fm_message_limit[]){__VA_ARGS__}) / sizeof(fm_message_limit)

static fm_status add(fm_world_channels *w, const channel_plan *plan, fm_error *error)
{
    fm_channel_options config = {.topic = plan->topic,
                                 .type = plan->type,
                                 .max_size = plan->size,
                                 .rate = plan->rate,
                                 .burst = plan->burst,
                                 .latched = plan->latched,
                                 .text = plan->text};
    fm_status status = FM_OK;
    if (!plan->size)
        status = fm_message_max_size(plan->type, plan->limits, plan->limit_count, &config.max_size, error);
    return status == FM_OK ? fm_channel_add(w->channels, &config, plan->number, error) : status;
}

double fm_world_channels_rate(const fm_world_channels *w, uint64_t ticks)
{
    uint64_t stride = w->stride > ticks ? w->stride : ticks;
    return 1 / ((double)stride * w->dt);
}

/* --- lengths of texts --- */

enum { FRAME = FM_FRAME_SIZE - 1, NAME = FM_NAME_SIZE - 1 };

static void note_longest(size_t *longest, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (texts[i] && strlen(texts[i]) > *longest)
            *longest = strlen(texts[i]);
}

/* --- types --- */

/* Joints of the kind itself, or else the actuators that rotate. */
static fm_status find_joints(fm_world_channels *w, const fm_type *type, fm_type_channels *out, fm_error *error)
{
    size_t most = type->joint_count > type->actuator_count ? type->joint_count : type->actuator_count;
    out->joint_names = fm_arena_alloc(&w->arena, (most + 1) * sizeof *out->joint_names);
    out->joints = type->joint_count ? NULL : fm_arena_alloc(&w->arena, (most + 1) * sizeof *out->joints);
    if (!out->joint_names || (!out->joints && !type->joint_count))
        return fm_channels_no_memory(error);
    for (size_t i = 0; i < type->joint_count; i++)
        out->joint_names[out->joint_count++] = type->kind->joint_names[i];
    for (size_t i = 0; out->joints && i < type->actuator_count; i++)
        if (strcmp(type->actuator_units[i], "rad") == 0) {
            out->joint_names[out->joint_count] = type->actuator_names[i];
            out->joints[out->joint_count++] = i;
        }
    return FM_OK;
}

static fm_status name_setpoints(fm_world_channels *w, const fm_type *type, fm_type_channels *out, fm_error *error)
{
    size_t count = fm_type_setpoint_count(type);
    out->setpoint_names = fm_arena_alloc(&w->arena, (count + 1) * sizeof *out->setpoint_names);
    out->setpoint_units = fm_arena_alloc(&w->arena, (count + 1) * sizeof *out->setpoint_units);
    if (!out->setpoint_names || !out->setpoint_units)
        return fm_channels_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        const fm_part *part;
        const fm_setpoint *row = fm_type_setpoint(type, i, &part);
        char name[2 * FM_NAME_SIZE];
        snprintf(name, sizeof name, "%s/%s", part->name, row->name);
        if (!(out->setpoint_names[i] = fm_arena_text(&w->arena, name)))
            return fm_channels_no_memory(error);
        out->setpoint_units[i] = row->unit;
    }
    out->setpoint_count = count;
    return FM_OK;
}

static fm_status prepare_type(fm_world_channels *w, const fm_type *type, fm_type_channels *out, fm_error *error)
{
    out->parts = fm_arena_alloc(&w->arena, (type->part_count + 1) * sizeof *out->parts);
    fm_status status = out->parts ? find_joints(w, type, out, error) : fm_channels_no_memory(error);
    if (status == FM_OK)
        status = name_setpoints(w, type, out, error);
    for (size_t i = 0; i < type->part_count && status == FM_OK; i++)
        status = fm_part_message_make(&type->parts[i], &w->arena, &out->parts[i], error);
    return status == FM_OK ? fm_vehicle_channels_plan(w, type, out, error) : status;
}

/* --- the world's own --- */

static size_t moving_obstacles(const fm_environment *environment)
{
    size_t count = 0;
    for (size_t i = 0; i < environment->obstacle_count; i++)
        count += environment->obstacles[i].track_time != NULL;
    return count;
}

/* Length of the longest text that the world's own channels publish. */
typedef struct text_lengths {
    size_t type, obstacle, unit;
} text_lengths;

static text_lengths measure_texts(const fm_world *world)
{
    text_lengths longest = {.unit = 8}; /* of the metrics of every vehicle: m/s, rad */
    const fm_environment *environment = world->model->environment;
    for (size_t i = 0; i < world->model->type_count; i++)
        note_longest(&longest.type, &world->model->types[i].name, 1);
    for (size_t i = 0; i < environment->obstacle_count; i++)
        note_longest(&longest.obstacle, &environment->obstacles[i].name, 1);
    for (size_t i = 0; i < world->model->type_count; i++)
        for (size_t k = 0; k < world->model->types[i].metric_count; k++)
            note_longest(&longest.unit, &world->model->types[i].metrics[k].unit, 1);
    return longest;
}

static fm_status add_world(fm_world_channels *w, const fm_world *world, fm_error *error)
{
    size_t slots = w->slot_count, frames = slots + moving_obstacles(world->model->environment);
    size_t metrics = slots * w->metric_most;
    text_lengths longest = measure_texts(world);
    size_t frame = longest.obstacle > FRAME ? longest.obstacle : FRAME;
    double rate = fm_world_channels_rate(w, w->clock_stride == UINT64_MAX ? 1 : w->clock_stride);
    const channel_plan own[] = {
        {&w->clock, "/clock", &fm_msg_clock_type, .rate = rate, .text = "simulated time"},
        {&w->tf, "/tf", &fm_msg_tf_type, LIMITS({"transforms", frames}, {"*", frame}), .rate = rate,
         .text = "poses of vehicles in odom and of moving obstacles in map (ENU)"},
        {&w->tf_static, "/tf_static", &fm_msg_tf_type, .size = w->scene.max_fixed_size, .rate = 0.1, .latched = 1,
         .text = "odom in map, and where sensors are mounted"},
        {&w->scene_channel, "/scene", &fm_msg_scene_type, .size = w->scene.max_size, .rate = 0.1, .latched = 1,
         .text = "terrain, obstacles, hulls, mounts"},
        {&w->world_markers, "/markers/world", &fm_msg_marker_array_type, .size = w->markers.max_world_size, .rate = 0.1,
         .latched = 1, .text = "terrain and obstacles for other viewers"},
        {&w->vehicle_markers, "/markers/vehicles", &fm_msg_marker_array_type, .size = w->markers.max_vehicles_size,
         .rate = 0.1, .latched = 1, .text = "hulls for other viewers"},
        {&w->events, "/events", &fm_msg_event_type,
         LIMITS({"vehicle", NAME}, {"kind", FM_EVENT_KIND - 1}, {"text", FM_EVENT_TEXT_SIZE - 1}), .rate = 10,
         .burst = (unsigned)(slots * FM_EVENTS_PER_VEHICLE + 1), .text = "what happened"},
        {&w->inputs, "/inputs", &fm_msg_input_type,
         LIMITS({"vehicle", NAME}, {"holder", FM_HOLDER_SIZE - 1}, {"texts", FM_COMMAND_NAMES_MOST},
                {"texts[]", sizeof((fm_command_set *)0)->path - 1}, {"values", FM_COMMAND_NUMBERS_MOST},
                {"data", world->sound ? FM_SOUND_BYTES_MOST : 0}),
         .rate = 100, .burst = (unsigned)world->input_room, .text = "every input of the world, with its tick"},
        {&w->metrics, "/metrics", &fm_msg_metrics_type,
         LIMITS({"names[]", FRAME}, {"units[]", longest.unit}, {"*", metrics}), .rate = 1, .text = "metrics so far"},
        {&w->diagnostics, "/diagnostics", &fm_msg_diagnostics_type,
         LIMITS({"status", slots + 1}, {"status.hardware_id", longest.type}, {"status.values", 3}, {"*", NAME}),
         .rate = 1, .text = "health of the world and its vehicles"}};
    fm_status status = FM_OK;
    for (size_t i = 0; i < sizeof own / sizeof *own && status == FM_OK; i++)
        status = add(w, &own[i], error);
    return status;
}

/* The longest name of a transducer. */
static size_t longest_part(const fm_model *model)
{
    size_t longest = 0;
    for (size_t i = 0; i < model->type_count; i++)
        for (size_t k = 0; k < model->types[i].part_count; k++)
            note_longest(&longest, &model->types[i].parts[k].name, 1);
    return longest;
}

/* The acoustic record, if there is sound. */
static fm_status add_sound(fm_world_channels *w, const fm_world *world, fm_error *error)
{
    w->emissions = w->receptions = FM_NO_CHANNEL;
    if (!world->sound)
        return FM_OK;
    size_t part = longest_part(world->model);
    unsigned burst = (unsigned)world->sound->record_room;
    const channel_plan own[] = {{&w->emissions, "/acoustics/emissions", &fm_msg_sound_type,
                                 LIMITS({"transducer", part}, {"source_transducer", part}, {"*", NAME}), .rate = 10,
                                 .burst = burst, .text = "every sound that a transducer sent, or could not send"},
                                {&w->receptions, "/acoustics/receptions", &fm_msg_sound_type,
                                 LIMITS({"transducer", part}, {"source_transducer", part}, {"*", NAME}), .rate = 100,
                                 .burst = burst, .text = "every sound that reached a transducer, heard or not"}};
    fm_status status = add(w, &own[0], error);
    return status == FM_OK ? add(w, &own[1], error) : status;
}

/* The current and the tethers, if there are any. */
static fm_status add_sea(fm_world_channels *w, fm_error *error)
{
    double rate = fm_world_channels_rate(w, w->clock_stride == UINT64_MAX ? 1 : w->clock_stride);
    size_t tethers = w->sea.tethers.names.count;
    w->current = w->tethers = FM_NO_CHANNEL;
    const channel_plan own[] = {
        {&w->current, "/current", &fm_msg_current_field_type,
         LIMITS({"header.frame_id", 8}, {"velocity", 3 * (size_t)FM_FIELD_POINTS}), .rate = 1, .latched = 1,
         .text = "velocity of the water about the vehicles, without its waves"},
        {&w->tethers, "/tethers", &fm_msg_tethers_type,
         LIMITS({"header.frame_id", 8}, {"names[]", w->sea.longest}, {"points", 3 * w->sea.points}, {"*", tethers}),
         .rate = rate, .text = "how the tethers lie, and their tension"}};
    fm_status status = w->sea.flows ? add(w, &own[0], error) : FM_OK;
    return status == FM_OK && tethers ? add(w, &own[1], error) : status;
}

/* Maximum number of actuators or joints of a vehicle. */
static size_t most_values(const fm_model *model)
{
    size_t most = 0;
    for (size_t i = 0; i < model->type_count; i++) {
        const fm_type *type = &model->types[i];
        most = type->actuator_count > most ? type->actuator_count : most;
        most = type->joint_count > most ? type->joint_count : most;
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
    w->owners = fm_arena_alloc(&w->arena, (values + 1) * sizeof *w->owners);
    w->owner_names = fm_arena_alloc(&w->arena, (values + 1) * sizeof *w->owner_names);
    w->metric_names = fm_arena_alloc(&w->arena, (metrics + 1) * sizeof(char *));
    w->metric_units = fm_arena_alloc(&w->arena, (metrics + 1) * sizeof(char *));
    w->metric_values = fm_arena_alloc(&w->arena, (metrics + 1) * sizeof(double));
    w->metric_texts = fm_arena_alloc(&w->arena, (metrics + 1) * sizeof *w->metric_texts);
    w->statuses = fm_arena_alloc(&w->arena, (slots + 2) * sizeof *w->statuses);
    w->pairs = fm_arena_alloc(&w->arena, (4 * slots + 8) * sizeof *w->pairs);
    w->pair_texts = fm_arena_alloc(&w->arena, (4 * slots + 8) * sizeof *w->pair_texts);
    if (!w->slots || !w->types || !w->transforms || !w->orders || !w->values || !w->owners || !w->owner_names ||
        !w->metric_names || !w->metric_units || !w->metric_values || !w->metric_texts || !w->statuses || !w->pairs ||
        !w->pair_texts)
        return fm_channels_no_memory(error);
    return FM_OK;
}

/* Refuses more vehicles than a log has channels for, before any channel is registered; those of sensors are added. */
static fm_status check_count(const fm_world_channels *w, const fm_world *world, fm_error *error)
{
    size_t count = 0, vehicles = 0;
    for (int i = 0; i < world->slot_count; i++) {
        if (!fm_world_name(world, i))
            continue;
        const fm_channel_pattern *own = w->types[world->slots[i].vehicle->type].patterns;
        vehicles++;
        for (int k = 0; k < FM_OF_VEHICLE; k++)
            count += own[k].name != NULL;
    }
    if (count <= FM_CHANNELS_MOST)
        return FM_OK;
    return fm_fail(error, FM_ERR_FULL, "%zu vehicles need %zu channels at least: must be at most %d", vehicles, count,
                   FM_CHANNELS_MOST);
}

/* The clock ticks at the step of the fastest type of vehicle that may appear. */
static void find_clock(fm_world_channels *w, const fm_world *world)
{
    for (int i = 0; i < world->slot_count; i++)
        for (size_t t = 0; t < world->model->type_count; t++) {
            const fm_type *type = &world->model->types[t];
            int placed = (size_t)i < world->model->vehicle_count;
            int may = placed ? (int)t == world->model->vehicles[i].type : type->record_words <= world->slots[i].room;
            if (may && type->period < w->clock_stride)
                w->clock_stride = type->period;
        }
}

/* The telemetry of real vehicles. */
static fm_status add_overlays(fm_world_channels *w, const fm_overlay *overlays, fm_error *error)
{
    double rate = fm_world_channels_rate(w, 1);
    size_t count = 0;
    for (const fm_overlay *o = overlays; o; o = o->next)
        count++;
    w->overlays = fm_arena_alloc(&w->arena, (count + 1) * sizeof *w->overlays);
    fm_status status = w->overlays ? FM_OK : fm_channels_no_memory(error);
    for (const fm_overlay *o = overlays; o && status == FM_OK; o = o->next)
        status = fm_overlay_channels_add(w->channels, o, rate, &w->overlays[w->overlay_count++], error);
    return status;
}

static fm_status fill(fm_world_channels *w, const fm_world *world, const fm_overlay *overlays, fm_error *error)
{
    w->channels = fm_channels_create();
    fm_status status = w->channels ? take_room(w, world, error) : fm_channels_no_memory(error);
    for (size_t i = 0; i < world->model->type_count && status == FM_OK; i++)
        status = prepare_type(w, &world->model->types[i], &w->types[i], error);
    if (status == FM_OK)
        status = check_count(w, world, error);
    if (status == FM_OK)
        status = fm_scene_build(world, &w->arena, &w->scene, error);
    if (status == FM_OK)
        status = fm_markers_build(&w->scene, world, &w->arena, &w->markers, error);
    if (status == FM_OK)
        status = fm_sea_messages_build(world, &w->arena, &w->sea, error);
    if (status == FM_OK) {
        find_clock(w, world);
        fm_vehicle_channels_reserve(w, world);
        fm_vehicle_channels_follow(w, world, 0, &status, error);
    }
    if (status == FM_OK)
        status = add_world(w, world, error);
    if (status == FM_OK)
        status = add_sound(w, world, error);
    if (status == FM_OK)
        status = add_sea(w, error);
    if (status == FM_OK)
        status = add_overlays(w, overlays, error);
    return status == FM_OK ? fm_channels_seal(w->channels, error) : status;
}

static uint64_t ticks_in(const fm_model *model, double seconds)
{
    uint64_t ticks = fm_model_ticks(model, seconds);
    return ticks ? ticks : 1;
}

fm_status fm_world_channels_create(const fm_world *world, const fm_overlay *overlays, double rate,
                                   fm_world_channels **channels, fm_error *error)
{
    fm_world_channels *w = fm_alloc(sizeof *w);
    *channels = NULL;
    if (!w)
        return fm_channels_no_memory(error);
    w->dt = world->model->settings.dt;
    w->slot_count = (size_t)world->slot_count;
    w->metric_most = most_metrics(world);
    w->clock_stride = UINT64_MAX;
    w->second = ticks_in(world->model, 1);
    if (rate > 0)
        w->stride = ticks_in(world->model, 1 / rate);
    w->odometry.header.frame_id = FM_ODOM_FRAME;
    fm_status status = fill(w, world, overlays, error);
    if (status == FM_OK)
        *channels = w;
    else
        fm_world_channels_destroy(w);
    return status;
}
