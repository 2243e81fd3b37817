#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/priority.h"
#include "base/text.h"
#include "bridges/list.h"
#include "bridges/ros2/ros2_bridge.h"
#include "bridges/ros2/ros2_names.h"
#include "world/inputs.h"

/* --- messages of the run: the sink's thread --- */

static fm_status open_outlets(void *user, fm_sink *sink, fm_error *error)
{
    return fm_ros2_outlets_open(user, sink, error);
}

static void write_message(void *user, const fm_sink_message *message)
{
    fm_ros2_bridge *bridge = user;
    if (message->channel >= bridge->writer_count || bridge->writers[message->channel].entity == 0)
        return;
    uint32_t *last = &bridge->sequences[message->channel];
    if (*last && message->sequence > *last + 1)
        atomic_fetch_add(bridge->counts[FM_ROS2_DROP_RING], message->sequence - *last - 1);
    *last = message->sequence;
    const fm_dds_end *writer = &bridge->writers[message->channel];
    int sent = writer->entity == bridge->clock.entity ? fm_ros2_clock_write(bridge, message)
                                                      : fm_dds_write(writer, message->data, message->size);
    fm_ros2_tally(bridge, sent ? FM_ROS2_SENT : FM_ROS2_DROP_WRITE);
}

/* The loop announces it to other nodes, once for all channels of a vehicle. */
static void take_channel(void *user, uint32_t channel, const fm_channel_info *info)
{
    fm_ros2_bridge *bridge = user;
    fm_error error = {0};
    fm_status status = fm_ros2_outlet_rename(bridge, channel, info, &error);
    pthread_mutex_lock(&bridge->lock);
    bridge->roster_changed = 1;
    if (status != FM_OK)
        fm_text_shorten(bridge->refusal, sizeof bridge->refusal, error.text);
    pthread_mutex_unlock(&bridge->lock);
    pthread_mutex_lock(&bridge->ears_lock);
    if (bridge->dds) /* else the loop closes */
        uv_async_send(&bridge->wake);
    pthread_mutex_unlock(&bridge->ears_lock);
}

/* --- the stepping thread --- */

static void note_refusal(void *user, fm_sink *sink, const fm_input *input, const fm_error *error)
{
    fm_ros2_bridge *bridge = user;
    (void)sink;
    if (input->tag != FM_ROS2_TAG)
        return;
    fm_ros2_tally(bridge, FM_ROS2_DROP_REFUSED);
    pthread_mutex_lock(&bridge->lock);
    fm_text_shorten(bridge->refusal, sizeof bridge->refusal, error->text);
    pthread_mutex_unlock(&bridge->lock);
}

static void update_roster(fm_ros2_bridge *bridge, const fm_world *world)
{
    pthread_mutex_lock(&bridge->lock);
    for (int slot = 0; slot < bridge->slots; slot++) {
        const char *name = fm_world_name(world, slot);
        fm_ros2_name *who = &bridge->roster[slot];
        snprintf(who->name, sizeof who->name, "%.31s", name ? name : "");
        who->type = name ? world->slots[slot].type : NULL;
    }
    bridge->roster_changed = 1;
    pthread_mutex_unlock(&bridge->lock);
}

static fm_status attach(fm_ros2_bridge *bridge, fm_run *run, fm_error *error)
{
    fm_sink_config sink = {.rate = bridge->config->rate,
                           .delivery = FM_SINK_DROP,
                           .start = open_outlets,
                           .message = write_message,
                           .channel = take_channel,
                           .refused = note_refusal,
                           .user = bridge};
    fm_status status = fm_run_attach(run, &sink, NULL, error);
    pthread_mutex_lock(&bridge->ears_lock);
    if (status == FM_OK)
        status = fm_ros2_ears_follow(bridge, error);
    pthread_mutex_unlock(&bridge->ears_lock);
    return status;
}

/* Before the first step, so that nothing waits for it. */
static void begin_run(void *user, fm_run *run)
{
    fm_ros2_bridge *bridge = user;
    fm_error error = {0};
    pthread_mutex_lock(&bridge->lock);
    bridge->run = run;
    pthread_mutex_unlock(&bridge->lock);
    update_roster(bridge, fm_run_world(run));
    fm_status status = attach(bridge, run, &error);
    pthread_mutex_lock(&bridge->lock);
    bridge->roster_changed = 0;
    if (status != FM_OK)
        fm_text_shorten(bridge->refusal, sizeof bridge->refusal, error.text);
    pthread_mutex_unlock(&bridge->lock);
}

static void steer_run(void *user, fm_run *run)
{
    fm_ros2_bridge *bridge = user;
    pthread_mutex_lock(&bridge->lock);
    fm_ros2_twists_follow(bridge, fm_run_world(run));
    pthread_mutex_unlock(&bridge->lock);
}

/* Vehicles come and go by inputs. */
static void step_run(void *user, fm_run *run)
{
    const fm_input *inputs;
    size_t count = fm_world_inputs(fm_run_world(run), &inputs);
    int changed = 0;
    for (size_t i = 0; i < count; i++)
        changed |= inputs[i].command.kind == FM_COMMAND_SPAWN || inputs[i].command.kind == FM_COMMAND_REMOVE ||
                   inputs[i].command.kind == FM_COMMAND_RESET;
    if (changed)
        update_roster(user, fm_run_world(run));
}

static void end_run(void *user, fm_run *run)
{
    fm_ros2_bridge *bridge = user;
    (void)run;
    pthread_mutex_lock(&bridge->lock);
    bridge->run = NULL;
    pthread_mutex_unlock(&bridge->lock);
    fm_ros2_clock_end(bridge);
}

/* --- orders from outside: the loop's thread --- */

static void submit_input(fm_ros2_bridge *bridge, const fm_command *command)
{
    fm_input input = {.tag = FM_ROS2_TAG, .command = *command};
    fm_status status = fm_command_check(command, NULL);
    fm_input_set_holder(&input, "ros2");
    pthread_mutex_lock(&bridge->lock);
    if (status == FM_OK && bridge->run)
        status = fm_run_submit(bridge->run, &input, NULL);
    pthread_mutex_unlock(&bridge->lock);
    if (status != FM_OK)
        fm_ros2_tally(bridge, status == FM_ERR_FULL ? FM_ROS2_DROP_FULL : FM_ROS2_DROP_VALUE);
}

static void take_result(void *user, const fm_wire_result *result)
{
    fm_ros2_bridge *bridge = user;
    if (result->code == FM_WIRE_DONE)
        return;
    fm_ros2_tally(bridge, FM_ROS2_DROP_REFUSED);
    fm_host_tell(bridge->host, "ros2: a command is refused: %s", result->text);
}

static void set_twist(fm_ros2_bridge *bridge, int slot, const double velocity[6])
{
    pthread_mutex_lock(&bridge->lock);
    fm_ros2_twist *t = &bridge->twists[slot];
    memcpy(t->velocity, velocity, sizeof t->velocity);
    t->fresh = 1;
    pthread_mutex_unlock(&bridge->lock);
}

static void obey(void *user, const fm_ros2_inlet *inlet, const fm_command *command, const double *velocity)
{
    const fm_ros2_ear *ear = user;
    if (!command)
        set_twist(ear->bridge, ear->slot, velocity);
    else if (inlet->kind >= FM_ROS2_RUN_KINDS)
        submit_input(ear->bridge, command);
    else
        fm_host_execute(ear->bridge->host, command, "ros2", take_result, ear->bridge);
}

static void take_sample(void *user, const void *data, size_t size, const fm_dds_identity *origin)
{
    fm_ros2_ear *ear = user;
    fm_ros2_bridge *bridge = ear->bridge;
    fm_ros2_tally(bridge, FM_ROS2_TAKEN);
    if (ear->service >= 0) {
        fm_ros2_serve(bridge, ear, data, size, origin);
    } else {
        fm_error error = {0};
        fm_status status = fm_ros2_inlet_read(&ear->inlet, data, size, &bridge->arena, obey, ear, &error);
        if (status != FM_OK)
            fm_ros2_tally(bridge, status == FM_ERR_RANGE ? FM_ROS2_DROP_VALUE : FM_ROS2_DROP_SYNTAX);
    }
    fm_arena_rewind(&bridge->arena);
}

/* Vehicles may have come or gone: updates their readers and notifies other nodes. */
static void follow_roster(fm_ros2_bridge *bridge)
{
    fm_error error = {0};
    pthread_mutex_lock(&bridge->lock);
    int changed = bridge->roster_changed;
    bridge->roster_changed = 0;
    pthread_mutex_unlock(&bridge->lock);
    if (!changed)
        return;
    pthread_mutex_lock(&bridge->ears_lock);
    if (fm_ros2_ears_follow(bridge, &error) != FM_OK)
        fm_host_tell(bridge->host, "ros2: %s", error.text);
    pthread_mutex_unlock(&bridge->ears_lock);
}

static void take_all(uv_async_t *async)
{
    fm_ros2_bridge *bridge = async->data;
    follow_roster(bridge);
    pthread_mutex_lock(&bridge->ears_lock);
    for (fm_ros2_ear *ear = bridge->ears; ear; ear = ear->next)
        if (atomic_exchange(&ear->ready, 0)) {
            fm_dds_take(&ear->reader, take_sample, ear);
            if (ear->casual.entity > 0)
                fm_dds_take(&ear->casual, take_sample, ear);
        }
    pthread_mutex_unlock(&bridge->ears_lock);
    fm_ros2_calls_answer(bridge);
}

/* --- the loop's thread --- */

static void open_counters(fm_ros2_bridge *bridge)
{
    static const char *const names[FM_ROS2_COUNTS] = {
        [FM_ROS2_SENT] = "ros2/sent",
        [FM_ROS2_TAKEN] = "ros2/taken",
        [FM_ROS2_DROP_RING] = "ros2/drop/ring",
        [FM_ROS2_DROP_WRITE] = "ros2/drop/write",
        [FM_ROS2_DROP_SYNTAX] = "ros2/drop/syntax",
        [FM_ROS2_DROP_VALUE] = "ros2/drop/value",
        [FM_ROS2_DROP_FRAMING] = "ros2/drop/framing",
        [FM_ROS2_DROP_FULL] = "ros2/drop/full",
        [FM_ROS2_DROP_REFUSED] = "ros2/drop/refused",
    };
    for (int i = 0; i < FM_ROS2_COUNTS; i++)
        bridge->counts[i] = fm_host_count(bridge->host, names[i]);
}

static fm_status reserve(fm_ros2_bridge *bridge, fm_error *error)
{
    const fm_model *model = fm_host_model(bridge->host);
    size_t slots = model->settings.capacity > model->vehicle_count ? model->settings.capacity : model->vehicle_count;
    bridge->slots = (int)slots;
    bridge->heard = fm_alloc((slots + 1) * sizeof *bridge->heard);
    bridge->roster = fm_alloc((slots + 1) * sizeof *bridge->roster);
    bridge->twists = fm_alloc((slots + 1) * sizeof *bridge->twists);
    if (bridge->heard && bridge->roster && bridge->twists)
        return FM_OK;
    return fm_fail(error, FM_ERR_MEMORY, "out of memory for ROS 2");
}

enum { DOMAINS = 233 };

/* The scenario's, or that of the environment variable, or 0. */
static fm_status find_domain(const fm_ros2_config *config, unsigned *domain, fm_error *error)
{
    const char *text = getenv("ROS_DOMAIN_ID");
    char *end = NULL;
    long number = config->domain >= 0 ? (long)config->domain : text && *text ? strtol(text, &end, 10) : 0;
    if (number < 0 || number >= DOMAINS || (end && *end))
        return fm_fail(error, FM_ERR_RANGE, "ROS_DOMAIN_ID is '%.40s': must be 0 … %d", text, DOMAINS - 1);
    *domain = (unsigned)number;
    return FM_OK;
}

/* Gids in ros_discovery_info had 24 bytes up to Humble. */
static size_t find_gid_size(const fm_ros2_config *config)
{
    static const char *const old[] = {"foxy", "galactic", "humble"};
    const char *distribution = config->distribution ? config->distribution : getenv("ROS_DISTRO");
    for (size_t i = 0; distribution && i < sizeof old / sizeof *old; i++)
        if (strcmp(distribution, old[i]) == 0)
            return 24;
    return FM_DDS_GUID;
}

static void beat(uv_timer_t *timer)
{
    fm_ros2_clock_repeat(timer->data);
}

static void open_timers(fm_ros2_bridge *bridge)
{
    enum { BEAT = 100 }; /* ms */
    uv_timer_init(fm_host_loop(bridge->host), &bridge->retry);
    uv_timer_init(fm_host_loop(bridge->host), &bridge->beat);
    bridge->retry.data = bridge->beat.data = bridge;
    uv_timer_start(&bridge->beat, beat, BEAT, BEAT);
    uv_unref((uv_handle_t *)&bridge->beat);
}

static fm_status open_bridge(void *user, fm_bridge *opened, fm_error *error)
{
    fm_ros2_bridge *bridge = user;
    const char *alone = getenv("ROS_LOCALHOST_ONLY");
    bridge->config = opened->config;
    bridge->host = opened->host;
    bridge->gid_size = find_gid_size(bridge->config);
    fm_lock_create(&bridge->lock);
    fm_lock_create(&bridge->ears_lock);
    fm_lock_create(&bridge->clock_lock);
    open_counters(bridge);
    fm_dds_options options = {.interface = bridge->config->address, .user_data = "enclave=/;"};
    if (!options.interface && alone && strcmp(alone, "1") == 0)
        options.interface = "lo";
    fm_status status = find_domain(bridge->config, &options.domain, error);
    if (status == FM_OK)
        status = reserve(bridge, error);
    if (status != FM_OK)
        return status;
    uv_async_init(fm_host_loop(bridge->host), &bridge->wake, take_all);
    bridge->wake.data = bridge;
    open_timers(bridge);
    bridge->opened = 1;
    status = fm_dds_open(&options, &bridge->dds, error);
    return status == FM_OK ? fm_ros2_ears_open(bridge, error) : status;
}

/* After steps: vehicles may have come or gone, and the world may have refused an input. */
static void turn_bridge(void *user)
{
    fm_ros2_bridge *bridge = user;
    char refusal[sizeof bridge->refusal];
    follow_roster(bridge);
    pthread_mutex_lock(&bridge->lock);
    memcpy(refusal, bridge->refusal, sizeof refusal);
    bridge->refusal[0] = 0;
    pthread_mutex_unlock(&bridge->lock);
    if (refusal[0] && strcmp(refusal, bridge->told) != 0) {
        memcpy(bridge->told, refusal, sizeof refusal);
        fm_host_tell(bridge->host, "ros2: %s", refusal);
    }
}

static void close_bridge(void *user)
{
    fm_ros2_bridge *bridge = user;
    pthread_mutex_lock(&bridge->ears_lock);
    fm_dds *dds = bridge->dds;
    bridge->dds = NULL;
    pthread_mutex_unlock(&bridge->ears_lock);
    fm_dds_close(dds);
    if (!bridge->opened)
        return;
    uv_close((uv_handle_t *)&bridge->wake, NULL);
    uv_close((uv_handle_t *)&bridge->retry, NULL);
    uv_close((uv_handle_t *)&bridge->beat, NULL);
}

static void release_bridge(void *user)
{
    fm_ros2_bridge *bridge = user;
    fm_ros2_calls_drop(bridge);
    fm_ros2_ears_close(bridge);
    fm_free(bridge->heard);
    fm_free(bridge->roster);
    fm_free(bridge->twists);
    fm_free(bridge->writers);
    fm_free(bridge->names);
    fm_free(bridge->sequences);
    fm_arena_free(&bridge->arena);
    pthread_mutex_destroy(&bridge->lock);
    pthread_mutex_destroy(&bridge->ears_lock);
    pthread_mutex_destroy(&bridge->clock_lock);
}

const fm_bridge_calls fm_ros2_calls = {.size = sizeof(fm_bridge_calls),
                                       .state_size = sizeof(fm_ros2_bridge),
                                       .open = open_bridge,
                                       .turn = turn_bridge,
                                       .close = close_bridge,
                                       .release = release_bridge,
                                       .begin = begin_run,
                                       .steer = steer_run,
                                       .step = step_run,
                                       .end = end_run};
