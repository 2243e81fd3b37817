/* Writers of the channels, readers of orders, and the discovery data for other nodes. */
#include <stdio.h>
#include <string.h>

#include "base/describe.h"
#include "base/error.h"
#include "base/memory.h"
#include "bridges/ros2/ros2_bridge.h"
#include "bridges/ros2/ros2_names.h"
#include "telemetry/offered_qos.h"

/* --- writers --- */

static int is_of(const char *topic, const char *vehicle)
{
    size_t length = strlen(vehicle);
    return strncmp(topic + 1, vehicle, length) == 0 && topic[1 + length] == '/';
}

/* With <bridge vehicle="…"> the channels of other vehicles are not published. */
static int is_wanted(const fm_ros2_bridge *bridge, const char *topic)
{
    const fm_model *model = fm_host_model(bridge->host);
    const char *only = bridge->config->vehicle;
    for (size_t i = 0; only && i < model->vehicle_count; i++)
        if (is_of(topic, model->vehicles[i].name))
            return strcmp(model->vehicles[i].name, only) == 0;
    return 1;
}

/* Two of our names may map to the same ROS 2 name ("a-b", "a_b"): the later one gets a number. */
static void make_unique(char (*names)[FM_ROS2_NAME], size_t count, size_t i)
{
    char plain[FM_ROS2_NAME - 8];
    unsigned number = 1;
    snprintf(plain, sizeof plain, "%.*s", (int)sizeof plain - 1, names[i]);
    for (size_t k = 0; k < count; k++)
        if (k != i && strcmp(names[k], names[i]) == 0) {
            snprintf(names[i], sizeof names[i], "%s_%u", plain, ++number % 1000);
            k = SIZE_MAX; /* from the first again */
        }
}

static fm_status open_writer(fm_ros2_bridge *bridge, const fm_channel_info *channel, const char *name,
                             fm_dds_end *writer, fm_error *error)
{
    const fm_message *message = fm_message_find(channel->type);
    char type[FM_ROS2_NAME], hash[FM_ROS2_HASH], user_data[FM_ROS2_HASH + 16];
    if (!message)
        return fm_fail(error, FM_ERR_NAME, "%s: unknown type '%s'", channel->topic, channel->type);
    fm_status status = fm_ros2_type_hash(message, hash, error);
    if (status != FM_OK)
        return status;
    fm_ros2_type_name(message, type, sizeof type);
    snprintf(user_data, sizeof user_data, "typehash=%s;", hash);
    fm_dds_topic topic = {name,      type, channel->latched, fm_offered_depth(channel->topic, channel->latched),
                          user_data, 0};
    return fm_dds_writer_open(bridge->dds, &topic, writer, error);
}

static fm_status open_outlet(fm_ros2_bridge *bridge, size_t i, const fm_channel_info *channel, fm_error *error)
{
    fm_ros2_topic_name(channel->topic, bridge->names[i], sizeof bridge->names[i]);
    make_unique(bridge->names, bridge->writer_count, i);
    fm_status status = open_writer(bridge, channel, bridge->names[i], &bridge->writers[i], error);
    if (status == FM_OK)
        fm_ros2_clock_note(bridge, i, channel->topic);
    return status;
}

/* Rows for `count` channels. */
static fm_status make_rows(fm_ros2_bridge *bridge, size_t count, fm_error *error)
{
    if (count <= bridge->writer_count)
        return FM_OK;
    size_t had = bridge->writer_count;
    fm_dds_end *writers = fm_realloc(bridge->writers, count * sizeof *writers);
    bridge->writers = writers ? writers : bridge->writers;
    char(*names)[FM_ROS2_NAME] = fm_realloc(bridge->names, count * sizeof *names);
    bridge->names = names ? names : bridge->names;
    uint32_t *sequences = fm_realloc(bridge->sequences, count * sizeof *sequences);
    bridge->sequences = sequences ? sequences : bridge->sequences;
    if (!writers || !names || !sequences)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for ROS 2");
    memset(writers + had, 0, (count - had) * sizeof *writers);
    memset(names + had, 0, (count - had) * sizeof *names);
    memset(sequences + had, 0, (count - had) * sizeof *sequences);
    bridge->writer_count = count;
    return FM_OK;
}

fm_status fm_ros2_outlets_open(fm_ros2_bridge *bridge, const fm_sink *sink, fm_error *error)
{
    size_t count = fm_sink_channel_count(sink);
    fm_status status = make_rows(bridge, count, error);
    for (size_t i = 0; i < count && status == FM_OK; i++) {
        fm_channel_info channel = fm_sink_channel(sink, i);
        if (channel.topic[0] && is_wanted(bridge, channel.topic))
            status = open_outlet(bridge, i, &channel, error);
    }
    return status;
}

fm_status fm_ros2_outlet_rename(fm_ros2_bridge *bridge, uint32_t channel, const fm_channel_info *info, fm_error *error)
{
    const char *only = bridge->config->vehicle;
    pthread_mutex_lock(&bridge->ears_lock);
    fm_status status = bridge->dds ? make_rows(bridge, (size_t)channel + 1, error) : FM_OK;
    if (status == FM_OK && bridge->dds) {
        fm_dds_end_close(&bridge->writers[channel]);
        bridge->names[channel][0] = 0;
        bridge->sequences[channel] = 0;
        if (info->topic[0] && (!only || is_of(info->topic, only)))
            status = open_outlet(bridge, channel, info, error);
    }
    pthread_mutex_unlock(&bridge->ears_lock);
    return status;
}

/* --- readers --- */

static void wake_loop(int32_t entity, void *user)
{
    fm_ros2_ear *ear = user;
    (void)entity;
    atomic_exchange(&ear->ready, 1); /* pairs with the store in add_ear: Cyclone's thread sees the complete ear */
    uv_async_send(&ear->bridge->wake);
}

static fm_ros2_ear *add_ear(fm_ros2_bridge *bridge, int slot, int service, fm_error *error)
{
    fm_ros2_ear *ear = fm_alloc(sizeof *ear);
    if (!ear) {
        fm_fail(error, FM_ERR_MEMORY, "out of memory for ROS 2");
        return NULL;
    }
    ear->bridge = bridge;
    ear->slot = slot;
    ear->service = service;
    ear->next = bridge->ears;
    bridge->ears = ear;
    atomic_store(&ear->ready, 0);
    return ear;
}

static fm_status open_inlet(fm_ros2_bridge *bridge, int slot, fm_ros2_inlet_kind kind, const char *owner,
                            const char *target, fm_error *error)
{
    char name[FM_ROS2_NAME], plain[FM_ROS2_NAME], type[FM_ROS2_NAME];
    fm_ros2_ear *ear = add_ear(bridge, slot, -1, error);
    if (!ear)
        return FM_ERR_MEMORY;
    ear->inlet.kind = kind;
    snprintf(ear->inlet.owner, sizeof ear->inlet.owner, "%.31s", owner);
    snprintf(ear->inlet.target, sizeof ear->inlet.target, "%.95s", target);
    fm_ros2_inlet_name(&ear->inlet, name, sizeof name);
    fm_ros2_topic_name(name, plain, sizeof plain);
    fm_ros2_type_name(fm_ros2_inlet_type(kind), type, sizeof type);
    fm_dds_topic topic = {.name = plain, .type = type, .depth = 100};
    fm_status status = fm_dds_reader_open(bridge->dds, &topic, wake_loop, ear, &ear->reader, error);
    topic.casual = 1;
    return status == FM_OK ? fm_dds_reader_open(bridge->dds, &topic, wake_loop, ear, &ear->casual, error) : status;
}

static fm_status open_service(fm_ros2_bridge *bridge, fm_ros2_service_kind kind, fm_error *error)
{
    const fm_ros2_service service = fm_ros2_service_of(kind);
    if (!service.request)
        return FM_OK;
    char name[FM_ROS2_NAME], request[FM_ROS2_NAME], reply[FM_ROS2_NAME], type[FM_ROS2_NAME];
    fm_ros2_ear *ear = add_ear(bridge, -1, (int)kind, error);
    if (!ear)
        return FM_ERR_MEMORY;
    snprintf(name, sizeof name, "/%s/%s", bridge->config->node, service.name);
    fm_ros2_service_names(name, request, reply, sizeof request);
    fm_ros2_type_name(service.response, type, sizeof type);
    fm_dds_topic replies = {.name = reply, .type = type, .depth = 10};
    fm_status status = fm_dds_writer_open(bridge->dds, &replies, &ear->reply, error);
    fm_ros2_type_name(service.request, type, sizeof type);
    fm_dds_topic requests = {.name = request, .type = type, .depth = 10};
    return status == FM_OK ? fm_dds_reader_open(bridge->dds, &requests, wake_loop, ear, &ear->reader, error) : status;
}

fm_status fm_ros2_ears_open(fm_ros2_bridge *bridge, fm_error *error)
{
    fm_status status = FM_OK;
    for (int kind = 0; kind < FM_ROS2_RUN_KINDS && status == FM_OK; kind++)
        status = open_inlet(bridge, -1, (fm_ros2_inlet_kind)kind, bridge->config->node, "", error);
    for (int kind = 0; kind < FM_ROS2_SERVICE_KINDS && status == FM_OK; kind++)
        status = open_service(bridge, (fm_ros2_service_kind)kind, error);
    fm_dds_topic topic = {"ros_discovery_info", "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_", 1, 1, NULL, 0};
    return status == FM_OK ? fm_dds_writer_open(bridge->dds, &topic, &bridge->discovery, error) : status;
}

/* If several controllers have a set point of this name, the last one is used. */
static int is_covered(const fm_type *type, size_t controller, const char *name)
{
    for (size_t i = controller + 1; i < type->controller_count; i++) {
        const fm_part_class *later = type->parts[type->sensor_count + i].part_class;
        for (size_t k = 0; k < later->setpoint_count; k++)
            if (strcmp(later->setpoints[k].name, name) == 0)
                return 1;
    }
    return 0;
}

static fm_status open_setpoints(fm_ros2_bridge *bridge, int slot, const fm_ros2_name *who, size_t controller,
                                fm_error *error)
{
    const fm_part_class *part = who->type->parts[who->type->sensor_count + controller].part_class;
    fm_status status = FM_OK;
    for (size_t k = 0; k < part->setpoint_count && status == FM_OK; k++)
        if (!is_covered(who->type, controller, part->setpoints[k].name))
            status = open_inlet(bridge, slot, FM_ROS2_SETPOINT, who->name, part->setpoints[k].name, error);
    return status;
}

static fm_status open_vehicle(fm_ros2_bridge *bridge, int slot, const fm_ros2_name *who, fm_error *error)
{
    static const fm_ros2_inlet_kind whole[] = {FM_ROS2_TWIST, FM_ROS2_TWIST_STAMPED, FM_ROS2_WRENCH, FM_ROS2_ORDERS,
                                               FM_ROS2_TAKE,  FM_ROS2_RELEASE,       FM_ROS2_ENGAGE, FM_ROS2_DISENGAGE};
    fm_status status = FM_OK;
    for (size_t i = 0; i < FM_COUNT(whole) && status == FM_OK; i++)
        status = open_inlet(bridge, slot, whole[i], who->name, "", error);
    for (size_t i = 0; i < who->type->controller_count && status == FM_OK; i++)
        status = open_setpoints(bridge, slot, who, i, error);
    for (size_t i = 0; i < who->type->actuator_count && status == FM_OK; i++)
        status = open_inlet(bridge, slot, FM_ROS2_ORDER, who->name, who->type->actuator_names[i], error);
    return status;
}

static void close_vehicle(fm_ros2_bridge *bridge, int slot)
{
    for (fm_ros2_ear **at = &bridge->ears, *ear; (ear = *at);) {
        if (ear->slot != slot) {
            at = &ear->next;
            continue;
        }
        *at = ear->next;
        fm_dds_end_close(&ear->reader);
        fm_dds_end_close(&ear->casual);
        fm_free(ear);
    }
}

void fm_ros2_ears_close(fm_ros2_bridge *bridge)
{
    while (bridge->ears) {
        fm_ros2_ear *ear = bridge->ears;
        bridge->ears = ear->next;
        fm_free(ear);
    }
}

/* --- rmw_dds_common/ParticipantEntitiesInfo: which node these writers and readers belong to --- */

/* CDR, little-endian; with bytes == NULL it only counts. Everything except text is a multiple of 4 bytes long. */
typedef struct telling {
    uint8_t *bytes;
    size_t size, gid_size;
} telling;

static void tell_bytes(telling *t, const void *bytes, size_t size)
{
    if (t->bytes)
        memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
}

static void tell_u32(telling *t, size_t value)
{
    uint32_t v = (uint32_t)value;
    tell_bytes(t, &v, sizeof v);
}

static void tell_text(telling *t, const char *text)
{
    static const uint8_t zeros[4] = {0};
    size_t length = strlen(text) + 1;
    tell_u32(t, length);
    tell_bytes(t, text, length);
    tell_bytes(t, zeros, (4 - length % 4) % 4);
}

/* Since Iron a gid has 16 bytes, before it had 24. */
static void tell_gid(telling *t, const uint8_t guid[FM_DDS_GUID])
{
    static const uint8_t zeros[8] = {0};
    tell_bytes(t, guid, FM_DDS_GUID);
    tell_bytes(t, zeros, t->gid_size - FM_DDS_GUID);
}

static void tell_readers(telling *t, const fm_ros2_bridge *bridge)
{
    size_t count = 0;
    for (const fm_ros2_ear *ear = bridge->ears; ear; ear = ear->next)
        count += ear->casual.entity > 0 ? 2 : 1;
    tell_u32(t, count);
    for (const fm_ros2_ear *ear = bridge->ears; ear; ear = ear->next) {
        tell_gid(t, ear->reader.guid);
        if (ear->casual.entity > 0)
            tell_gid(t, ear->casual.guid);
    }
}

static void tell_writers(telling *t, const fm_ros2_bridge *bridge)
{
    size_t count = 0;
    for (size_t i = 0; i < bridge->writer_count; i++)
        count += bridge->writers[i].entity > 0;
    for (const fm_ros2_ear *ear = bridge->ears; ear; ear = ear->next)
        count += ear->reply.entity > 0;
    tell_u32(t, count);
    for (size_t i = 0; i < bridge->writer_count; i++)
        if (bridge->writers[i].entity > 0)
            tell_gid(t, bridge->writers[i].guid);
    for (const fm_ros2_ear *ear = bridge->ears; ear; ear = ear->next)
        if (ear->reply.entity > 0)
            tell_gid(t, ear->reply.guid);
}

static void tell_node(telling *t, const fm_ros2_bridge *bridge)
{
    static const uint8_t encapsulation[4] = {0, 1, 0, 0};
    uint8_t guid[FM_DDS_GUID] = {0};
    fm_dds_guid(bridge->dds, guid);
    tell_bytes(t, encapsulation, sizeof encapsulation);
    tell_gid(t, guid);
    tell_u32(t, 1); /* nodes */
    tell_text(t, "/");
    tell_text(t, bridge->config->node);
    tell_readers(t, bridge);
    tell_writers(t, bridge);
}

static fm_status tell_discovery(fm_ros2_bridge *bridge, fm_error *error)
{
    telling count = {.gid_size = bridge->gid_size}, t = count;
    tell_node(&count, bridge);
    t.bytes = fm_alloc(count.size);
    if (!t.bytes)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for ROS 2");
    tell_node(&t, bridge);
    if (!fm_dds_write(&bridge->discovery, t.bytes, t.size))
        fm_ros2_tally(bridge, FM_ROS2_DROP_WRITE);
    fm_free(t.bytes);
    return FM_OK;
}

/* --- who is in the water --- */

static int is_same(const fm_ros2_name *a, const fm_ros2_name *b)
{
    return a->type == b->type && strcmp(a->name, b->name) == 0;
}

fm_status fm_ros2_ears_follow(fm_ros2_bridge *bridge, fm_error *error)
{
    const char *only = bridge->config->vehicle;
    fm_status status = FM_OK;
    for (int slot = 0; slot < bridge->slots && status == FM_OK; slot++) {
        pthread_mutex_lock(&bridge->lock);
        fm_ros2_name now = bridge->roster[slot];
        pthread_mutex_unlock(&bridge->lock);
        if (is_same(&now, &bridge->heard[slot]))
            continue;
        close_vehicle(bridge, slot);
        bridge->heard[slot] = now;
        if (now.name[0] && (!only || strcmp(only, now.name) == 0))
            status = open_vehicle(bridge, slot, &now, error);
    }
    return status == FM_OK ? tell_discovery(bridge, error) : status;
}
