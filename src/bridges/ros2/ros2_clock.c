/* The clock of simulated time: with every step, and again and again while the run is paused. */
#include <string.h>

#include "bridges/ros2/ros2_bridge.h"
#include "run/run.h"

static const uint64_t silence = 100000000; /* ns without a clock, then the last one is repeated */

void fm_ros2_clock_note(fm_ros2_bridge *bridge, size_t channel, const char *topic)
{
    if (strcmp(topic, "/clock") != 0)
        return;
    pthread_mutex_lock(&bridge->clock_lock);
    bridge->clock = bridge->writers[channel];
    bridge->clock_index = channel;
    pthread_mutex_unlock(&bridge->clock_lock);
}

int fm_ros2_clock_write(fm_ros2_bridge *bridge, const fm_sink_message *message)
{
    pthread_mutex_lock(&bridge->clock_lock);
    bridge->clock_size = message->size <= CLOCK ? message->size : 0;
    memcpy(bridge->clock_bytes, message->data, bridge->clock_size);
    bridge->clock_time = uv_hrtime();
    int sent = fm_dds_write(&bridge->clock, message->data, message->size);
    pthread_mutex_unlock(&bridge->clock_lock);
    return sent;
}

void fm_ros2_clock_repeat(fm_ros2_bridge *bridge)
{
    pthread_mutex_lock(&bridge->lock);
    int paused = bridge->run && fm_run_paused(bridge->run);
    pthread_mutex_unlock(&bridge->lock);
    pthread_mutex_lock(&bridge->clock_lock);
    if (paused && bridge->clock_size && uv_hrtime() - bridge->clock_time >= silence) {
        int sent = fm_dds_write(&bridge->clock, bridge->clock_bytes, bridge->clock_size);
        fm_ros2_tally(bridge, sent ? FM_ROS2_SENT : FM_ROS2_DROP_WRITE);
    }
    pthread_mutex_unlock(&bridge->clock_lock);
}

void fm_ros2_clock_end(fm_ros2_bridge *bridge)
{
    pthread_mutex_lock(&bridge->clock_lock);
    bridge->clock_size = 0;
    pthread_mutex_unlock(&bridge->clock_lock);
}
