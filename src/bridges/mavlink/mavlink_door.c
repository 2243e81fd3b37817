#include "bridges/mavlink/mavlink_door.h"

#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"

typedef struct mavlink_door {
    const fm_bridge_settings *settings;
    fm_mav_ground *ground;
    fm_mav_simulator *simulator; /* NULL: not asked for */
} mavlink_door;

void fm_mav_counters_find(fm_mav_counters *c, fm_place *place)
{
    char name[48];
    for (int i = FM_MAV_MORE + 1; i < FM_MAV_FAULTS; i++) {
        snprintf(name, sizeof name, "mavlink/drop/%s", fm_mav_fault_name((fm_mav_fault)i));
        c->faults[i] = fm_place_count(place, name);
    }
    c->sent = fm_place_count(place, "mavlink/sent");
    c->received = fm_place_count(place, "mavlink/received");
    c->send = fm_place_count(place, "mavlink/drop/send");
}

static fm_status open_door(void *user, fm_place *place, fm_error *error)
{
    mavlink_door *d = user;
    fm_status status = fm_mav_ground_create(place, d->settings, &d->ground, error);
    if (status == FM_OK && d->settings->simulator)
        status = fm_mav_simulator_create(place, d->settings, &d->simulator, error);
    return status;
}

static void turn(void *user)
{
    mavlink_door *d = user;
    fm_mav_ground_turn(d->ground);
    if (d->simulator)
        fm_mav_simulator_turn(d->simulator);
}

static void close_door(void *user)
{
    mavlink_door *d = user;
    if (d->ground)
        fm_mav_ground_close(d->ground);
    if (d->simulator)
        fm_mav_simulator_close(d->simulator);
}

static void release_door(void *user)
{
    mavlink_door *d = user;
    fm_mav_ground_free(d->ground);
    fm_mav_simulator_free(d->simulator);
    fm_free(d);
}

static void begin(void *user, fm_run *run)
{
    mavlink_door *d = user;
    if (d->simulator)
        fm_mav_simulator_begin(d->simulator, run);
}

static void step(void *user, fm_run *run)
{
    mavlink_door *d = user;
    fm_mav_ground_step(d->ground, run);
    if (d->simulator)
        fm_mav_simulator_step(d->simulator, run);
}

static void end(void *user, fm_run *run)
{
    mavlink_door *d = user;
    (void)run;
    if (d->simulator)
        fm_mav_simulator_end(d->simulator);
}

fm_status fm_mavlink_door(const fm_bridge_settings *settings, fm_door *door, fm_error *error)
{
    mavlink_door *d = fm_alloc(sizeof *d);
    if (!d)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a bridge");
    d->settings = settings;
    *door = (fm_door){.name = "mavlink",
                      .open = open_door,
                      .turn = turn,
                      .close = close_door,
                      .release = release_door,
                      .begin = begin,
                      .step = step,
                      .end = end,
                      .user = d};
    return FM_OK;
}
