/* The channels of vehicles: those of each type, and the vehicle that uses them now. */
#include <stdio.h>
#include <string.h>

#include "telemetry/camera_info.h"
#include "telemetry/frames.h"
#include "telemetry/world_internal.h"

enum { FRAME = FM_FRAME_SIZE - 1 };

/* --- what a type has --- */

static size_t longest_of(const char *const *texts, size_t count)
{
    size_t longest = 0;
    for (size_t i = 0; i < count; i++)
        if (texts[i] && strlen(texts[i]) > longest)
            longest = strlen(texts[i]);
    return longest;
}

/* A channel to register: the limits of the strings and sequences in its messages; name NULL: none. */
typedef struct own_plan {
    const char *name;
    const fm_message *type;
    fm_message_limit limits[5];
    size_t limit_count;
    double rate;
    const char *text;
} own_plan;

static void plan_own(const fm_world_channels *w, const fm_type *type, const fm_type_channels *t, own_plan *own)
{
    double rate = fm_world_channels_rate(w, type->period);
    size_t actuators = type->actuator_count;
    own[FM_OF_ODOM] = (own_plan){
        "odom", &fm_msg_odometry_type, {{"*", FRAME}}, 1, rate, "pose in odom (ENU), velocity in body axes (FLU)"};
    own[FM_OF_ACTUATORS] = (own_plan){actuators > 0 ? "actuators" : NULL,
                                      &fm_msg_actuator_state_type,
                                      {{"header.frame_id", FRAME},
                                       {"names[]", longest_of(type->actuator_names, actuators)},
                                       {"units[]", longest_of(type->actuator_units, actuators)},
                                       {"owners[]", FM_HOLDER_SIZE - 1},
                                       {"*", actuators}},
                                      5,
                                      rate,
                                      "orders and values of all actuators"};
    own[FM_OF_JOINTS] = (own_plan){t->joint_count > 0 ? "joints" : NULL,
                                   &fm_msg_joint_state_type,
                                   {{"header.frame_id", FRAME},
                                    {"name[]", longest_of(t->joint_names, t->joint_count)},
                                    {"effort", 0},
                                    {"*", t->joint_count}},
                                   4,
                                   rate,
                                   "angles of fins and joints"};
    own[FM_OF_WRENCH] = (own_plan){actuators > 0 ? "wrench" : NULL,
                                   &fm_msg_wrench_stamped_type,
                                   {{"header.frame_id", FRAME}},
                                   1,
                                   rate,
                                   "force and torque of the thrusters, body axes (FLU)"};
    own[FM_OF_BATTERY] = (own_plan){type->battery.capacity > 0 ? "battery" : NULL,
                                    &fm_msg_battery_type,
                                    {{"header.frame_id", FRAME}, {"*", 0}},
                                    2,
                                    1,
                                    "charge left"};
    own[FM_OF_SETPOINTS] = (own_plan){t->setpoint_count > 0 ? "setpoints" : NULL,
                                      &fm_msg_values_type,
                                      {{"header.frame_id", FRAME},
                                       {"names[]", longest_of(t->setpoint_names, t->setpoint_count)},
                                       {"units[]", longest_of(t->setpoint_units, t->setpoint_count)},
                                       {"*", t->setpoint_count}},
                                      4,
                                      rate,
                                      "what the controllers are asked to hold, on change and every second; NaN: not "
                                      "set"};
}

/* "/", the longest name of a vehicle, "/", the channel's own name. */
static size_t topic_size(const char *name)
{
    return FM_NAME_SIZE + strlen(name) + 2;
}

static fm_status pattern_own(const own_plan *plan, fm_channel_pattern *out, fm_error *error)
{
    if (!plan->name)
        return FM_OK;
    *out = (fm_channel_pattern){
        plan->name, {.topic_size = topic_size(plan->name), .type = plan->type, .rate = plan->rate, .text = plan->text}};
    return fm_message_max_size(plan->type, plan->limits, plan->limit_count, &out->options.max_size, error);
}

/* The images of a camera are /NAME/CAMERA/image_raw, and its calibration is beside them, as nodes of ROS expect. */
static const char *image_name(fm_world_channels *w, const fm_part *part, const char *end)
{
    char name[FM_NAME_SIZE + 16];
    snprintf(name, sizeof name, "%.*s/%s", FM_NAME_SIZE - 1, part->name, end);
    return fm_arena_text(&w->arena, name);
}

static fm_status pattern_part(fm_world_channels *w, const fm_part *part, const fm_part_message *message,
                              fm_channel_pattern *out, fm_channel_pattern *info, fm_error *error)
{
    static const fm_message_limit limits[] = {
        {"header.frame_id", FRAME}, {"distortion_model", FM_CAMERA_MODEL_TEXT}, {"d", FM_CAMERA_COEFFICIENTS}};
    const int camera = fm_part_is_camera(part);
    if (!message->type)
        return FM_OK;
    const char *name = camera ? image_name(w, part, "image_raw") : part->name;
    const char *beside = camera ? image_name(w, part, "camera_info") : NULL;
    if (!name || (camera && !beside))
        return fm_channels_no_memory(error);
    *out = (fm_channel_pattern){name,
                                {.topic_size = topic_size(name),
                                 .type = message->type,
                                 .max_size = message->max_size,
                                 .rate = fm_world_channels_rate(w, part->period),
                                 .text = part->part_class->element->text}};
    if (!camera)
        return FM_OK;
    *info = (fm_channel_pattern){beside,
                                 {.topic_size = topic_size(beside),
                                  .type = &fm_msg_camera_info_type,
                                  .rate = out->options.rate,
                                  .text = "calibration of the camera"}};
    return fm_message_max_size(info->options.type, limits, FM_COUNT(limits), &info->options.max_size, error);
}

static fm_status check_names(const fm_type *type, const fm_type_channels *t, fm_error *error)
{
    for (size_t i = 0; i < t->pattern_count; i++)
        for (size_t k = 0; k < i && t->patterns[i].name; k++)
            if (t->patterns[k].name && strcmp(t->patterns[k].name, t->patterns[i].name) == 0)
                return fm_fail(error, FM_ERR_NAME,
                               "vehicles of type '%s' have two channels '%s': give the part another name",
                               type->name ? type->name : "", t->patterns[i].name);
    return FM_OK;
}

fm_status fm_vehicle_channels_plan(fm_world_channels *w, const fm_type *type, fm_type_channels *out, fm_error *error)
{
    own_plan own[FM_OF_VEHICLE];
    fm_status status = FM_OK;
    out->pattern_count = FM_OF_VEHICLE + 2 * type->part_count;
    out->patterns = fm_arena_alloc(&w->arena, out->pattern_count * sizeof *out->patterns);
    if (!out->patterns)
        return fm_channels_no_memory(error);
    plan_own(w, type, out, own);
    for (size_t i = 0; i < FM_OF_VEHICLE && status == FM_OK; i++)
        status = pattern_own(&own[i], &out->patterns[i], error);
    fm_channel_pattern *parts = out->patterns + FM_OF_VEHICLE;
    for (size_t i = 0; i < type->part_count && status == FM_OK; i++)
        status = pattern_part(w, &type->parts[i], &out->parts[i], &parts[i], &parts[type->part_count + i], error);
    for (size_t i = 0; i < out->pattern_count; i++) {
        fm_channel_load load = fm_channels_load(&out->patterns[i].options, out->patterns[i].name != NULL);
        out->load.step_bytes += load.step_bytes;
        out->load.bytes_per_second += load.bytes_per_second;
        out->load.longest = load.longest > out->load.longest ? load.longest : out->load.longest;
    }
    return status == FM_OK ? check_names(type, out, error) : status;
}

void fm_vehicle_channels_reserve(fm_world_channels *w, const fm_world *world)
{
    for (int i = 0; i < world->slot_count; i++) {
        fm_channel_load most = {0};
        for (size_t t = 0; t < world->model->type_count; t++) {
            const fm_channel_load *load = &w->types[t].load;
            if (world->model->types[t].record_words > world->slots[i].room)
                continue;
            most.step_bytes = load->step_bytes > most.step_bytes ? load->step_bytes : most.step_bytes;
            most.longest = load->longest > most.longest ? load->longest : most.longest;
            if (load->bytes_per_second > most.bytes_per_second)
                most.bytes_per_second = load->bytes_per_second;
        }
        fm_channels_reserve(w->channels, &most);
    }
}

/* --- sets --- */

/* That of a pattern. */
static uint32_t *channel_of(fm_channel_set *set, size_t i)
{
    if (i < FM_OF_VEHICLE)
        return &set->own[i];
    i -= FM_OF_VEHICLE;
    return i < set->part_count ? &set->parts[i].number : &set->parts[i - set->part_count].info;
}

static fm_status make_set(fm_world_channels *w, const fm_type *type, size_t number, fm_channel_set **made,
                          fm_error *error)
{
    const fm_type_channels *t = &w->types[number];
    fm_channel_set *set = fm_arena_alloc(&w->arena, sizeof *set);
    fm_status status = FM_OK;
    if (!set || !(set->parts = fm_arena_alloc(&w->arena, (type->part_count + 1) * sizeof *set->parts)))
        return fm_channels_no_memory(error);
    if (!(set->setpoints = fm_arena_alloc(&w->arena, (t->setpoint_count + 1) * sizeof *set->setpoints)))
        return fm_channels_no_memory(error);
    set->type = number;
    set->part_count = type->part_count;
    for (size_t i = 0; i < t->pattern_count && status == FM_OK; i++) {
        uint32_t *channel = channel_of(set, i);
        *channel = FM_NO_CHANNEL;
        if (t->patterns[i].name)
            status = fm_channel_add(w->channels, &t->patterns[i].options, channel, error);
    }
    for (size_t i = 0; i < type->part_count; i++) {
        const fm_part *part = &type->parts[i];
        int thinned = w->stride > part->period && part->part_class->counts != FM_COUNTS_MESSAGES;
        set->parts[i].stride = thinned ? w->stride : 0;
    }
    *made = set;
    return status;
}

static fm_status open_set(fm_world_channels *w, fm_channel_set *set, const char *name, uint64_t now, fm_error *error)
{
    const fm_type_channels *t = &w->types[set->type];
    char topic[FM_TOPIC_SIZE];
    fm_status status = FM_OK;
    for (size_t i = 0; i < t->pattern_count && status == FM_OK; i++) {
        if (!t->patterns[i].name)
            continue;
        snprintf(topic, sizeof topic, "/%s/%s", name, t->patterns[i].name);
        status = fm_channel_open(w->channels, *channel_of(set, i), now, topic, error);
    }
    return status;
}

static void close_set(fm_world_channels *w, fm_channel_set *set, uint64_t now)
{
    fm_type_channels *t = &w->types[set->type];
    for (size_t i = 0; i < t->pattern_count; i++)
        if (*channel_of(set, i) != FM_NO_CHANNEL)
            fm_channel_close(w->channels, *channel_of(set, i), now);
    set->next = t->free;
    t->free = set;
}

/* Where the numbers of its parts are from. */
static void name_frames(const fm_world_channels *w, const fm_type *type, const fm_slot_channels *s)
{
    for (size_t i = 0; i < type->part_count; i++) {
        fm_part_channel *part = &s->set->parts[i];
        int mounted = i < type->sensor_count && fm_part_mount(&type->parts[i]);
        fm_part_frame frame = w->types[s->set->type].parts[i].frame;
        snprintf(part->mount, sizeof part->mount, mounted ? "%s/%.60s" : "%s/" FM_BASE_FRAME, s->name,
                 type->parts[i].name);
        snprintf(part->frame, sizeof part->frame, "%s",
                 frame == FM_FRAME_MAP       ? FM_MAP_FRAME
                 : frame == FM_FRAME_VEHICLE ? s->base
                                             : part->mount);
        if (frame == FM_FRAME_OPTICAL)
            fm_optical_frame_write(s->name, type->parts[i].name, part->frame);
        part->counted = 0;
        part->last = 0;
    }
}

/* --- who is in the water --- */

/* Whether the slot holds another vehicle, or none, than its channels belong to. */
static int has_changed(const fm_slot_channels *s, const fm_world *world, int index)
{
    const char *name = fm_world_name(world, index);
    if (!name || !s->set)
        return name || s->set;
    return strcmp(s->name, name) != 0 || s->set->type != (size_t)world->slots[index].vehicle->type;
}

static void leave(fm_world_channels *w, fm_slot_channels *s, uint64_t now)
{
    if (s->set)
        close_set(w, s->set, now);
    *s = (fm_slot_channels){0};
}

static fm_status enter(fm_world_channels *w, const fm_world *world, int index, uint64_t now, fm_error *error)
{
    fm_slot_channels *s = &w->slots[index];
    const fm_slot *slot = &world->slots[index];
    const char *name = fm_world_name(world, index);
    fm_type_channels *t = &w->types[slot->vehicle->type];
    fm_channel_set *set = t->free;
    fm_status status = FM_OK;
    if (set)
        t->free = set->next;
    else
        status = make_set(w, slot->type, (size_t)slot->vehicle->type, &set, error);
    if (status == FM_OK)
        status = open_set(w, set, name, now, error);
    if (status != FM_OK)
        return status;
    s->set = set;
    memcpy(s->name, name, strnlen(name, sizeof s->name - 1));
    snprintf(s->base, sizeof s->base, "%s/" FM_BASE_FRAME, s->name);
    name_frames(w, slot->type, s);
    return FM_OK;
}

/* All channels are closed before any is opened: a name may have moved to another slot. */
int fm_vehicle_channels_follow(fm_world_channels *w, const fm_world *world, uint64_t now, fm_status *status,
                               fm_error *error)
{
    int changed = 0;
    for (int i = 0; i < world->slot_count; i++)
        if (has_changed(&w->slots[i], world, i)) {
            leave(w, &w->slots[i], now);
            changed = 1;
        }
    for (int i = 0; changed && i < world->slot_count && *status == FM_OK; i++)
        if (has_changed(&w->slots[i], world, i))
            *status = enter(w, world, i, now, error);
    return changed;
}
