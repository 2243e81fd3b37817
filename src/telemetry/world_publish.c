/* Publishes the results of a step. Nothing here blocks or changes the world; memory is allocated only for the channels
 * of a new vehicle. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "acoustics/sound.h"
#include "environment/environment.h"
#include "telemetry/camera_info.h"
#include "telemetry/frames.h"
#include "telemetry/world_internal.h"
#include "world/command.h"

static uint64_t ns_of(const fm_world_channels *w, uint64_t tick)
{
    return (uint64_t)((double)(w->epoch + tick) * w->dt * 1e9 + 0.5);
}

static void publish(fm_world_channels *w, uint32_t number, uint64_t now, const void *message)
{
    if (number != FM_NO_CHANNEL)
        fm_channel_publish(w->channels, number, now, message);
}

/* --- one vehicle --- */

static void publish_odometry(fm_world_channels *w, const fm_world *world, int index, uint64_t now)
{
    const fm_slot *slot = &world->slots[index];
    const fm_body_state *body = &slot->vehicle->body;
    fm_slot_rotation(world, index); /* renews the quaternion */
    fm_msg_odometry *o = &w->odometry;
    o->header.stamp = fm_msg_time_from_ns(now);
    o->child_frame_id = w->slots[index].base;
    o->pose.pose = fm_enu_pose_from_ned(body->position, slot->quaternion);
    o->twist.twist.linear = fm_flu_from_frd(body->velocity);
    o->twist.twist.angular = fm_flu_from_frd(body->velocity + 3);
    publish(w, w->slots[index].set->own[FM_OF_ODOM], now, o);
    w->transforms[w->transform_count++] =
        (fm_msg_transform_stamped){.header = o->header,
                                   .child_frame_id = w->slots[index].base,
                                   .transform = {fm_enu_from_ned(body->position), o->pose.pose.orientation}};
}

static void publish_wrench(fm_world_channels *w, const fm_slot *slot, int index, fm_msg_header header, uint64_t now)
{
    const fm_actuator_state *states = fm_actuator_states(slot->type, slot->vehicle);
    double force[6] = {0};
    for (size_t i = 0; i < slot->type->actuator_count; i++)
        for (int k = 0; k < 6 && slot->type->actuators[i].kind == FM_ACT_THRUST; k++)
            force[k] += slot->type->actuators[i].column[k] * states[i].force;
    fm_msg_wrench_stamped wrench = {header, {fm_flu_from_frd(force), fm_flu_from_frd(force + 3)}};
    publish(w, w->slots[index].set->own[FM_OF_WRENCH], now, &wrench);
}

static void publish_joints(fm_world_channels *w, const fm_slot *slot, int index, fm_msg_header header, uint64_t now)
{
    const fm_type_channels *type = &w->types[slot->vehicle->type];
    const fm_actuator_state *states = fm_actuator_states(slot->type, slot->vehicle);
    size_t count = type->joint_count;
    if (!count)
        return;
    fm_msg_joint_state joints = {.header = header,
                                 .name = {type->joint_names, count},
                                 .position = {w->values, count},
                                 .velocity = {w->orders, type->joints ? 0 : count}};
    if (!type->joints)
        slot->type->kind->joints(slot->type, slot->vehicle, w->values, w->orders);
    else
        for (size_t i = 0; i < count; i++)
            w->values[i] = states[type->joints[i]].value;
    publish(w, w->slots[index].set->own[FM_OF_JOINTS], now, &joints);
}

static void publish_actuators(fm_world_channels *w, const fm_world *world, int index, uint64_t now)
{
    const fm_slot *slot = &world->slots[index];
    const fm_type *type = slot->type;
    const fm_actuator_state *states = fm_actuator_states(type, slot->vehicle);
    fm_msg_header header = {fm_msg_time_from_ns(now), w->slots[index].base};
    size_t count = type->actuator_count;
    if (!count)
        return;
    for (size_t i = 0; i < count; i++) {
        w->orders[i] = states[i].order;
        w->values[i] = states[i].value;
        fm_world_owner(world, index, i, &w->owners[i]);
        w->owner_names[i] = w->owners[i].name;
    }
    fm_msg_actuator_state message = {.header = header,
                                     .names = {type->actuator_names, count},
                                     .units = {type->actuator_units, count},
                                     .orders = {w->orders, count},
                                     .values = {w->values, count},
                                     .owners = {w->owner_names, count}};
    publish(w, w->slots[index].set->own[FM_OF_ACTUATORS], now, &message);
    publish_wrench(w, slot, index, header, now);
    publish_joints(w, slot, index, header, now);
}

static void publish_battery(fm_world_channels *w, const fm_world *world, int index, uint64_t now)
{
    const fm_slot *slot = &world->slots[index];
    double capacity = slot->type->battery.capacity;
    if (!(capacity > 0))
        return;
    fm_msg_battery battery = {.header = {fm_msg_time_from_ns(now), w->slots[index].base},
                              .voltage = NAN,
                              .temperature = NAN,
                              .current = NAN,
                              .charge = NAN,
                              .capacity = NAN,
                              .design_capacity = NAN,
                              .percentage = (float)(slot->vehicle->charge / capacity),
                              .power_supply_status = FM_MSG_battery_POWER_SUPPLY_STATUS_DISCHARGING,
                              .present = 1};
    publish(w, w->slots[index].set->own[FM_OF_BATTERY], now, &battery);
}

/* When one has changed, and where `due`. */
static void publish_setpoints(fm_world_channels *w, const fm_world *world, int index, uint64_t now, int due)
{
    fm_channel_set *set = w->slots[index].set;
    const fm_type_channels *t = &w->types[set->type];
    for (size_t i = 0; i < t->setpoint_count; i++) {
        double value = fm_world_setpoint(world, index, i).value;
        due |= memcmp(&value, &set->setpoints[i], sizeof value) != 0;
        set->setpoints[i] = value;
    }
    if (!t->setpoint_count || !due)
        return;
    fm_msg_values message = {.header = {fm_msg_time_from_ns(now), w->slots[index].base},
                             .names = {t->setpoint_names, t->setpoint_count},
                             .units = {t->setpoint_units, t->setpoint_count},
                             .values = {set->setpoints, t->setpoint_count}};
    publish(w, set->own[FM_OF_SETPOINTS], now, &message);
}

/* --- parts --- */

/* Whether the part sampled in the step before `tick`. */
static int has_sampled(const fm_part *part, fm_part_channel *channel, const int64_t *output, uint64_t tick)
{
    if (part->part_class->counts) {
        if (output[0] == channel->counted)
            return 0;
        channel->counted = output[0];
    } else if (tick == 0 || (tick - 1) % part->period != 0)
        return 0;
    if (channel->stride && channel->last && tick - channel->last < channel->stride)
        return 0;
    channel->last = tick;
    return 1;
}

/* The time of a message: that of its sample if the part reports one, otherwise the start of the step. */
static uint64_t sampled_at(const fm_world_channels *w, const fm_part *part, const void *output, uint64_t tick)
{
    const double time = part->part_class->counts >= FM_COUNTS_READING ? ((const fm_reading *)output)->time : -1;
    const uint64_t start = ns_of(w, tick - 1), base = ns_of(w, 0);
    return time >= 0 && time * 1e9 + 1000 < (double)(start - base) ? base + (uint64_t)(time * 1e9 + 0.5) : start;
}

static void publish_parts(fm_world_channels *w, const fm_world *world, int index, uint64_t tick)
{
    const fm_slot *slot = &world->slots[index];
    fm_part_channel *channels = w->slots[index].set->parts;
    fm_part_message *messages = w->types[slot->vehicle->type].parts;
    if (slot->vehicle->life != FM_ALIVE || tick == 0)
        return;
    for (size_t i = 0; i < slot->type->part_count; i++) {
        const fm_part *part = &slot->type->parts[i];
        if (channels[i].number == FM_NO_CHANNEL)
            continue;
        const void *output = fm_vehicle_words(slot->vehicle, part->output);
        if (!has_sampled(part, &channels[i], output, tick))
            continue;
        fm_part_message_fill(&messages[i], output, fm_vehicle_words(slot->vehicle, part->live));
        if (messages[i].header)
            *messages[i].header =
                (fm_msg_header){fm_msg_time_from_ns(sampled_at(w, part, output, tick)), channels[i].frame};
        if (messages[i].child)
            *messages[i].child = channels[i].mount;
        fm_channel_publish(w->channels, channels[i].number, ns_of(w, tick), messages[i].message);
        if (channels[i].info != FM_NO_CHANNEL) {
            fm_msg_camera_info info;
            fm_camera_info_fill(part, messages[i].message, &info);
            fm_channel_publish(w->channels, channels[i].info, ns_of(w, tick), &info);
        }
    }
}

/* --- the world --- */

static void publish_scene(fm_world_channels *w, const fm_world *world, uint64_t now)
{
    fm_scene_place(&w->scene, world);
    w->scene.message.header.stamp = fm_msg_time_from_ns(now);
    publish(w, w->scene_channel, now, &w->scene.message);
    publish(w, w->tf_static, now, &w->scene.fixed);
    fm_markers_place(&w->markers, &w->scene, world, w->scene.message.header.stamp);
    publish(w, w->vehicle_markers, now, &w->markers.vehicles);
    if (!w->markers.told)
        publish(w, w->world_markers, now, &w->markers.world);
    w->markers.told = 1;
}

static void move_obstacles(fm_world_channels *w, const fm_world *world, uint64_t now)
{
    const fm_environment *e = world->model->environment;
    for (size_t i = 0; i < e->obstacle_count; i++) {
        if (!e->obstacles[i].track_time)
            continue;
        fm_shape shape = fm_obstacle_at(&e->obstacles[i], fm_world_time(world));
        w->transforms[w->transform_count++] =
            (fm_msg_transform_stamped){.header = {fm_msg_time_from_ns(now), FM_MAP_FRAME},
                                       .child_frame_id = e->obstacles[i].name,
                                       .transform = {fm_enu_from_ned(shape.position), {0, 0, 0, 1}}};
    }
}

static void publish_current(fm_world_channels *w, const fm_world *world, uint64_t now)
{
    if (w->current == FM_NO_CHANNEL)
        return;
    fm_sea_messages_take_current(&w->sea, world);
    w->sea.current.header.stamp = fm_msg_time_from_ns(now);
    publish(w, w->current, now, &w->sea.current);
}

static void publish_tethers(fm_world_channels *w, const fm_world *world, uint64_t now)
{
    if (w->tethers == FM_NO_CHANNEL)
        return;
    fm_sea_messages_take_tethers(&w->sea, world);
    w->sea.tethers.header.stamp = fm_msg_time_from_ns(now);
    publish(w, w->tethers, now, &w->sea.tethers);
}

static void publish_events(fm_world_channels *w, const fm_world *world, uint64_t now)
{
    const fm_event *events;
    char kind[FM_EVENT_KIND];
    size_t count = fm_world_events(world, &events);
    for (size_t i = 0; i < count; i++) {
        snprintf(kind, sizeof kind, "%s", events[i].kind);
        const char *name = fm_world_name(world, events[i].slot);
        fm_msg_event event = {.stamp = fm_msg_time_from_ns(ns_of(w, events[i].tick)),
                              .tick = events[i].tick,
                              .vehicle = name ? name : "",
                              .kind = kind,
                              .text = events[i].text,
                              .value = events[i].value};
        publish(w, w->events, now, &event);
    }
}

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static void publish_sound(fm_world_channels *w, const fm_world *world, const fm_sound_record *r, uint64_t now)
{
    const fm_reception *s = &r->sound;
    const char *source_vehicle, *source = fm_world_sound_source(world, s->source, &source_vehicle);
    int sent = r->event == FM_SOUND_SENT || r->event == FM_SOUND_NOT_SENT;
    fm_msg_sound message = {.header = {fm_msg_time_from_ns((uint64_t)floor(s->time * 1e9 + 0.5)), "map"},
                            .tenths = (uint64_t)s->stamp,
                            .time = s->time,
                            .event = (uint8_t)r->event,
                            .kind = (uint8_t)s->kind,
                            .signal = (uint64_t)s->signal,
                            .answers = (uint64_t)s->answers,
                            .vehicle = or_empty(fm_world_name(world, r->slot)),
                            .transducer = world->slots[r->slot].type->parts[r->part].name,
                            .source_vehicle = or_empty(source_vehicle),
                            .source_transducer = or_empty(source),
                            .origin = fm_enu_point_from_ned(s->origin),
                            .sent = s->sent,
                            .duration = s->duration,
                            .frequency = s->source_hz,
                            .heard_frequency = s->frequency,
                            .initial_intensity = s->source_level,
                            .intensity = s->level,
                            .noise = sent ? NAN : s->noise,
                            .snr = sent ? NAN : s->snr,
                            .radius = s->radius,
                            .path = sent ? "" : fm_sound_path_name(s),
                            .surface_reflections = (uint32_t)s->surface,
                            .bottom_reflections = (uint32_t)s->bottom,
                            .size = (uint32_t)s->size};
    publish(w, sent ? w->emissions : w->receptions, now, &message);
}

static void publish_sounds(fm_world_channels *w, const fm_world *world, uint64_t now)
{
    const fm_sound_record *records;
    size_t count = fm_world_sounds(world, &records);
    for (size_t i = 0; i < count; i++)
        if (world->slots[records[i].slot].type) /* it may have been removed since */
            publish_sound(w, world, &records[i], now);
}

/* The names, numbers and bytes of a command, in the order of the table. */
typedef struct spread_command {
    const char *names[FM_COMMAND_NAMES_MOST];
    double numbers[FM_COMMAND_NUMBERS_MOST];
    size_t name_count, number_count;
    const fm_command_bytes *bytes;
} spread_command;

static void spread_argument(spread_command *to, const fm_argument *a, const fm_command *command)
{
    if (a->type == FM_ARGUMENT_NAME && a->role != FM_ARGUMENT_VEHICLE)
        to->names[to->name_count++] = fm_argument_in(a, command);
    if (a->type == FM_ARGUMENT_BYTES)
        to->bytes = fm_argument_in(a, command);
    fm_argument_read(a, command, to->numbers + to->number_count);
    to->number_count += fm_argument_numbers(a);
}

static void publish_input(fm_world_channels *w, const fm_input *in, uint64_t now)
{
    const fm_command_row *row = fm_command_row_of(in->command.kind);
    spread_command c = {.name_count = 0};
    for (size_t i = 0; i < row->argument_count; i++)
        spread_argument(&c, &row->arguments[i], &in->command);
    fm_msg_input message = {.tick = in->tick,
                            .kind = (uint8_t)in->command.kind,
                            .vehicle = fm_command_vehicle(&in->command),
                            .texts = {c.names, c.name_count},
                            .holder = in->holder,
                            .values = {c.numbers, c.number_count},
                            .data = {c.bytes ? c.bytes->items : NULL, c.bytes ? c.bytes->size : 0}};
    publish(w, w->inputs, now, &message);
}

static void publish_inputs(fm_world_channels *w, const fm_world *world, uint64_t now)
{
    const fm_input *inputs;
    size_t count = fm_world_inputs(world, &inputs);
    for (size_t i = 0; i < count; i++)
        publish_input(w, &inputs[i], now);
}

static fm_status gather_argument(const fm_msg_input *m, const fm_argument *a, size_t *name, size_t *number,
                                 fm_command *command, fm_error *error)
{
    const size_t numbers = fm_argument_numbers(a);
    if (a->type == FM_ARGUMENT_NAME && a->role == FM_ARGUMENT_VEHICLE)
        return fm_argument_write_name(a, command, m->vehicle, error);
    if (a->type == FM_ARGUMENT_BYTES)
        return fm_argument_write_bytes(a, command, m->data.items, m->data.count, error);
    if (a->type == FM_ARGUMENT_NAME && *name < m->texts.count)
        return fm_argument_write_name(a, command, m->texts.items[(*name)++], error);
    if (a->type == FM_ARGUMENT_NAME || *number + numbers > m->values.count)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s is missing", a->name);
    *number += numbers;
    return fm_argument_write(a, command, m->values.items + *number - numbers, error);
}

fm_status fm_input_from_message(const fm_msg_input *m, fm_input *input, fm_error *error)
{
    const fm_command_row *row = fm_command_row_of((fm_command_kind)m->kind);
    fm_error found = {0};
    size_t name = 0, number = 0;
    *input = (fm_input){.tick = m->tick};
    fm_status status = fm_command_begin(&input->command, (fm_command_kind)m->kind, &found);
    for (size_t i = 0; status == FM_OK && i < row->argument_count; i++)
        status = gather_argument(m, &row->arguments[i], &name, &number, &input->command, &found);
    if (status == FM_OK && (!m->holder || strlen(m->holder) >= sizeof input->holder))
        status = fm_fail(&found, FM_ERR_RANGE, "its holder has more than %d characters", FM_HOLDER_SIZE - 1);
    if (status != FM_OK)
        return fm_fail(error, status, "an input of kind %d at tick %" PRIu64 ": %s", m->kind, m->tick, found.text);
    strcpy(input->holder, m->holder);
    return FM_OK;
}

static void publish_metrics(fm_world_channels *w, const fm_world *world, uint64_t now)
{
    size_t at = 0;
    for (int slot = 0; slot < world->slot_count; slot++) {
        size_t count = fm_world_metric_count(world, slot);
        for (size_t i = 0; i < count && i < w->metric_most; i++, at++) {
            fm_metric_info metric = fm_world_metric(world, slot, i);
            snprintf(w->metric_texts[at], sizeof *w->metric_texts, "%s/%.60s", fm_world_name(world, slot), metric.name);
            w->metric_names[at] = w->metric_texts[at];
            w->metric_units[at] = metric.unit;
            w->metric_values[at] = metric.value;
        }
    }
    fm_msg_metrics message = {
        fm_msg_time_from_ns(now), {w->metric_names, at}, {w->metric_units, at}, {w->metric_values, at}};
    publish(w, w->metrics, now, &message);
}

/* The vehicle's diagnostics: status, depth and charge. */
static size_t diagnose(fm_world_channels *w, const fm_slot *slot, fm_msg_diagnostic_status *status, size_t pair)
{
    const fm_vehicle *v = slot->vehicle;
    int ended = v->life == FM_ENDED, deep = (v->passed & FM_PASSED_RATED) != 0;
    size_t first = pair;
    snprintf(w->pair_texts[pair], sizeof *w->pair_texts, "%.9g", v->body.position[2]);
    w->pairs[pair] = (fm_msg_key_value){"depth", w->pair_texts[pair]}, pair++;
    if (slot->type->battery.capacity > 0) {
        snprintf(w->pair_texts[pair], sizeof *w->pair_texts, "%.9g", v->power);
        w->pairs[pair] = (fm_msg_key_value){"power", w->pair_texts[pair]}, pair++;
    }
    *status = (fm_msg_diagnostic_status){.level = ended  ? FM_MSG_diagnostic_status_ERROR
                                                  : deep ? FM_MSG_diagnostic_status_WARN
                                                         : FM_MSG_diagnostic_status_OK,
                                         .name = v->name,
                                         .message = ended  ? "lost"
                                                    : deep ? "below its rated depth"
                                                           : "",
                                         .hardware_id = slot->type->name ? slot->type->name : "",
                                         .values = {w->pairs + first, pair - first}};
    return pair;
}

static void publish_diagnostics(fm_world_channels *w, const fm_world *world, uint64_t now)
{
    size_t count = 1, pair = 3;
    snprintf(w->pair_texts[0], sizeof *w->pair_texts, "%" PRIu64, fm_world_tick(world));
    snprintf(w->pair_texts[1], sizeof *w->pair_texts, "%016" PRIx64, fm_world_hash(world));
    snprintf(w->pair_texts[2], sizeof *w->pair_texts, "%" PRIu64, world->events_lost);
    w->pairs[0] = (fm_msg_key_value){"tick", w->pair_texts[0]};
    w->pairs[1] = (fm_msg_key_value){"state_hash", w->pair_texts[1]};
    w->pairs[2] = (fm_msg_key_value){"events_lost", w->pair_texts[2]};
    w->statuses[0] =
        (fm_msg_diagnostic_status){.name = "world", .message = "", .hardware_id = "", .values = {w->pairs, 3}};
    for (int slot = 0; slot < world->slot_count; slot++)
        if (fm_world_name(world, slot))
            pair = diagnose(w, &world->slots[slot], &w->statuses[count++], pair);
    fm_msg_diagnostics message = {{fm_msg_time_from_ns(now), ""}, {w->statuses, count}};
    publish(w, w->diagnostics, now, &message);
}

/* --- a step --- */

static int is_due(const fm_world_channels *w, uint64_t tick, uint64_t period, int last)
{
    uint64_t stride = w->stride > period ? w->stride : period;
    return last || tick % stride == 0;
}

static void publish_vehicle(fm_world_channels *w, const fm_world *world, int index, uint64_t tick, int last)
{
    fm_slot_channels *s = &w->slots[index];
    uint64_t now = ns_of(w, tick);
    if (!s->set || s->told == tick + 1)
        return;
    publish_parts(w, world, index, tick);
    if (s->told && !is_due(w, tick, world->slots[index].type->period, last))
        return;
    publish_odometry(w, world, index, now);
    publish_actuators(w, world, index, now);
    const int due = !s->told || last || tick % w->second == 0;
    if (due)
        publish_battery(w, world, index, now);
    publish_setpoints(w, world, index, now, due);
    s->told = tick + 1;
}

/* What real vehicles measured; the model's values with the samples of its vehicle. */
static void publish_overlays(fm_world_channels *w, const fm_world *world, uint64_t tick, int told, int last)
{
    for (size_t i = 0; i < w->overlay_count; i++) {
        int slot = fm_world_find(world, w->overlays[i].overlay->vehicle);
        int due = slot >= 0 && !told && is_due(w, tick, world->slots[slot].type->period, last);
        fm_overlay_channels_publish(w->channels, &w->overlays[i], ns_of(w, tick), w->epoch + tick, w->stride, due);
    }
}

/* The world was reset: nothing of its present state has been published. */
static void begin_anew(fm_world_channels *w, const fm_world *world)
{
    w->epoch = world->epoch;
    w->told = 0;
    for (size_t i = 0; i < w->slot_count; i++) {
        fm_slot_channels *s = &w->slots[i];
        s->told = 0;
        for (size_t k = 0; s->set && k < world->model->types[s->set->type].part_count; k++)
            s->set->parts[k].counted = 0, s->set->parts[k].last = 0;
    }
}

static void publish_step(fm_world_channels *w, const fm_world *world, int last)
{
    int anew = w->epoch != world->epoch;
    if (anew)
        begin_anew(w, world);
    uint64_t tick = fm_world_tick(world), now = ns_of(w, tick);
    int changed = !w->begun || (anew && w->scene.message.waves.count > 0), told = w->told == tick + 1;
    fm_status ignored = FM_OK; /* a vehicle that could not get memory is tried again */
    changed |= fm_vehicle_channels_follow(w, world, now, &ignored, NULL);
    w->begun = 1;
    if (fm_scene_sample_bottom(&w->scene, world)) {
        fm_markers_sample_bottom(&w->markers, &w->scene);
        changed = 1;
    }
    if (changed)
        publish_scene(w, world, now);
    if (tick > 0 && !told) {
        publish_inputs(w, world, now);
        publish_events(w, world, now);
        publish_sounds(w, world, now);
    }
    w->transform_count = 0;
    if (!told && (is_due(w, tick, w->clock_stride == UINT64_MAX ? 1 : w->clock_stride, last))) {
        fm_msg_clock clock = {fm_msg_time_from_ns(now)};
        publish(w, w->clock, now, &clock);
        move_obstacles(w, world, now);
        publish_tethers(w, world, now);
    }
    if (tick % w->second == 0 && !told)
        publish_current(w, world, now);
    for (int i = 0; i < world->slot_count; i++)
        publish_vehicle(w, world, i, tick, last);
    publish_overlays(w, world, tick, told, last);
    if (w->transform_count > 0)
        publish(w, w->tf, now, &(fm_msg_tf){{w->transforms, w->transform_count}});
    if (tick % w->second == 0 ? !told : last) {
        publish_metrics(w, world, now);
        publish_diagnostics(w, world, now);
    }
    w->told = tick + 1;
    fm_channels_flush(w->channels);
}

void fm_world_channels_begin(fm_world_channels *w, const fm_world *world)
{
    publish_step(w, world, 0);
}
void fm_world_channels_publish(fm_world_channels *w, const fm_world *world)
{
    publish_step(w, world, 0);
}
void fm_world_channels_end(fm_world_channels *w, const fm_world *world)
{
    publish_step(w, world, 1);
}
