/* A small run written as a log, for the tests of files. */
#ifndef TEST_LOG_SAMPLE_H
#define TEST_LOG_SAMPLE_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "telemetry/frames.h"
#include "telemetry/recorder.h"
#include "telemetry/schema.h"
#include "telemetry/tap.h"

typedef struct sample_log {
    fm_channels *channels;
    uint32_t clock, odometry, joints, events, scene;
} sample_log;

static inline uint32_t sample_add(sample_log *log, const char *topic, const fm_message *type, size_t size, double rate,
                                  int latched)
{
    fm_error error;
    uint32_t number = 0;
    fm_channel_options config = {.topic = topic,
                                 .type = type,
                                 .max_size = size,
                                 .rate = rate,
                                 .burst = 2,
                                 .latched = latched,
                                 .text = "a channel of the tests"};
    if (fm_channel_add(log->channels, &config, &number, &error) != FM_OK)
        fprintf(stderr, "%s\n", error.text);
    return number;
}

static inline void sample_open(sample_log *log)
{
    fm_error error;
    log->channels = fm_channels_create();
    log->clock = sample_add(log, "/clock", &fm_msg_clock_type, 12, 100, 0);
    log->odometry = sample_add(log, "/phoenix/odometry", &fm_msg_odometry_type, 800, 100, 0);
    log->joints = sample_add(log, "/phoenix/joints", &fm_msg_joint_state_type, 400, 100, 0);
    log->events = sample_add(log, "/events", &fm_msg_event_type, 400, 10, 0);
    log->scene = sample_add(log, "/scene", &fm_msg_scene_type, 4000, 0.1, 1);
    if (fm_channels_seal(log->channels, &error) != FM_OK)
        fprintf(stderr, "%s\n", error.text);
}

static inline fm_msg_odometry sample_odometry_at(uint64_t time)
{
    double t = 1e-9 * (double)time, yaw = 0.1 * t, depth = 10 + sin(t);
    double position[3] = {20 * cos(yaw), 20 * sin(yaw), depth}, q[4] = {cos(0.5 * yaw), 0, 0, sin(0.5 * yaw)};
    fm_msg_odometry o = {.header = {fm_msg_time_from_ns(time), "map"}, .child_frame_id = "phoenix"};
    o.pose.pose = fm_enu_pose_from_ned(position, q);
    o.twist.twist.linear = fm_flu_from_frd((double[]){2, 0.01 * t, cos(t)});
    o.pose.covariance[0] = -1;
    o.twist.covariance[0] = -1;
    return o;
}

static inline void sample_scene_publish(sample_log *log)
{
    static const float vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    static const fm_msg_scene_mesh mesh = {.name = "hull", .vertices = {vertices, 12}, .triangles = {triangles, 6}};
    static const fm_msg_scene_shape shape = {.name = "wall", .frame = "map", .size = {1, 2, 3}, .mesh = -1};
    fm_msg_scene scene = {.header.frame_id = "map",
                          .name = "tank",
                          .latitude = 36.6,
                          .longitude = -121.9,
                          .shapes = {&shape, 1},
                          .meshes = {&mesh, 1}};
    fm_channel_publish(log->channels, log->scene, 0, &scene);
}

/* Step `tick` of 10 ms: clock, odometry, joints; an event every second. */
static inline int sample_step(sample_log *log, uint64_t tick)
{
    uint64_t time = tick * 10000000u;
    static const char *const names[] = {"rudder", "stern-plane"};
    double angles[2] = {0.1 * sin((double)tick), -0.25}, rates[2] = {1, 0};
    fm_msg_clock clock = {fm_msg_time_from_ns(time)};
    fm_msg_odometry odometry = sample_odometry_at(time);
    fm_msg_joint_state joints = {.header = {fm_msg_time_from_ns(time), "phoenix"},
                                 .name = {names, 2},
                                 .position = {angles, 2},
                                 .velocity = {rates, 2}};
    fm_msg_event event = {fm_msg_time_from_ns(time), tick, "phoenix", "waypoint", "reached \"A\", turning", 0.5};
    int good = fm_channel_publish(log->channels, log->clock, time, &clock) == FM_OK;
    good &= fm_channel_publish(log->channels, log->odometry, time, &odometry) == FM_OK;
    good &= fm_channel_publish(log->channels, log->joints, time, &joints) == FM_OK;
    if (tick % 100 == 0)
        good &= fm_channel_publish(log->channels, log->events, time, &event) == FM_OK;
    fm_channels_flush(log->channels);
    return good;
}

/* A recorder with a file of its own. */
static inline fm_status record_to(const char *path, const fm_channels *channels, const fm_mcap_options *options,
                                  fm_recorder **recorder, fm_error *error)
{
    fm_mcap_writer *writer;
    *recorder = NULL;
    fm_status status = fm_mcap_create(path, options, &writer, error);
    return status == FM_OK ? fm_recorder_create_on(writer, channels, recorder, error) : status;
}

/* A whole log of `ticks` steps. */
static inline fm_status sample_write(const char *path, fm_compression compression, uint64_t ticks,
                                     fm_recorder_result *result, fm_error *error)
{
    sample_log log;
    fm_recorder *recorder;
    fm_tap *tap = NULL;
    fm_mcap_options options = {.compression = compression};
    const fm_mcap_pair run[] = {{"seed", "1"}, {"version", "test"}};
    sample_open(&log);
    fm_status status = record_to(path, log.channels, &options, &recorder, error);
    if (status != FM_OK) {
        fm_channels_destroy(log.channels);
        return status;
    }
    fm_mcap_metadata(fm_recorder_writer(recorder), "run", run, 2, error);
    fm_mcap_attach(fm_recorder_writer(recorder), "scenario.xml", "application/xml", 0, "<fathom/>", 9, error);
    status = fm_tap_open(log.channels, 2, FM_RING_WAIT, fm_recorder_take, recorder, &tap, error);
    sample_scene_publish(&log);
    for (uint64_t tick = 0; tick < ticks && status == FM_OK; tick++) {
        fm_channels_wait(log.channels);
        sample_step(&log, tick);
    }
    fm_tap_close(tap);
    fm_status closed = fm_recorder_close(recorder, 0, result, error);
    fm_channels_destroy(log.channels);
    return status == FM_OK ? closed : status;
}

#endif
