#include "bridges/mavlink/mavlink_bridge.h"

#include <stdio.h>

#include "bridges/list.h"

typedef struct mavlink_bridge {
    fm_mav_ground *ground;
    fm_mav_simulator *simulator; /* NULL: not asked for */
} mavlink_bridge;

void fm_mav_counters_find(fm_mav_counters *c, fm_host *host)
{
    char name[48];
    for (int i = FM_MAV_MORE + 1; i < FM_MAV_FAULTS; i++) {
        snprintf(name, sizeof name, "mavlink/drop/%s", fm_mav_fault_name((fm_mav_fault)i));
        c->faults[i] = fm_host_count(host, name);
    }
    c->sent = fm_host_count(host, "mavlink/sent");
    c->received = fm_host_count(host, "mavlink/received");
    c->send = fm_host_count(host, "mavlink/drop/send");
}

static fm_status open_bridge(void *user, fm_bridge *bridge, fm_error *error)
{
    mavlink_bridge *d = user;
    const fm_mavlink_config *config = bridge->config;
    fm_status status = fm_mav_ground_create(bridge->host, config, &d->ground, error);
    if (status == FM_OK && config->simulator)
        status = fm_mav_simulator_create(bridge->host, config, &d->simulator, error);
    return status;
}

static void turn(void *user)
{
    mavlink_bridge *d = user;
    fm_mav_ground_turn(d->ground);
    if (d->simulator)
        fm_mav_simulator_turn(d->simulator);
}

static void close_bridge(void *user)
{
    mavlink_bridge *d = user;
    if (d->ground)
        fm_mav_ground_close(d->ground);
    if (d->simulator)
        fm_mav_simulator_close(d->simulator);
}

static void release_bridge(void *user)
{
    mavlink_bridge *d = user;
    fm_mav_ground_free(d->ground);
    fm_mav_simulator_free(d->simulator);
}

static void begin(void *user, fm_run *run)
{
    mavlink_bridge *d = user;
    fm_mav_ground_begin(d->ground, run);
    if (d->simulator)
        fm_mav_simulator_begin(d->simulator, run);
}

static void steer(void *user, fm_run *run)
{
    mavlink_bridge *d = user;
    fm_mav_ground_steer(d->ground, run);
}

static void take_event(void *user, fm_run *run, const fm_event *event)
{
    mavlink_bridge *d = user;
    fm_mav_ground_event(d->ground, run, event);
}

static void step(void *user, fm_run *run)
{
    mavlink_bridge *d = user;
    fm_mav_ground_step(d->ground, run);
    if (d->simulator)
        fm_mav_simulator_step(d->simulator, run);
}

static void end(void *user, fm_run *run)
{
    mavlink_bridge *d = user;
    fm_mav_ground_end(d->ground);
    if (d->simulator)
        fm_mav_simulator_end(d->simulator, run);
}

const fm_bridge_calls fm_mavlink_calls = {.size = sizeof(fm_bridge_calls),
                                          .state_size = sizeof(mavlink_bridge),
                                          .open = open_bridge,
                                          .turn = turn,
                                          .close = close_bridge,
                                          .release = release_bridge,
                                          .begin = begin,
                                          .steer = steer,
                                          .step = step,
                                          .event = take_event,
                                          .end = end};
