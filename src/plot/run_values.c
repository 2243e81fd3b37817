/* Values by name: set points of an autopilot, the legs of waypoints, the estimate of a navigation. */
#include <math.h>
#include <string.h>

#include <fathom/describe.h>

#include "plot/run_data.h"

enum { LEGS_MOST = 4096 };

typedef enum wanted {
    DEPTH_DEMAND,
    HEADING_DEMAND,
    SPEED_DEMAND,
    SPEED_ERROR,
    FROM_NORTH,
    FROM_EAST,
    FROM_DEPTH,
    TO_NORTH,
    TO_EAST,
    TO_DEPTH,
    NORTH,
    EAST,
    DEPTH,
    HEADING,
    VARIANCE_NORTH,
    VARIANCE_BOTH,
    VARIANCE_EAST,
    VARIANCE_DOWN,
    WANTED
} wanted;

static const char *const names[WANTED] = {[DEPTH_DEMAND] = "depth.demand",
                                          [HEADING_DEMAND] = "heading.demand",
                                          [SPEED_DEMAND] = "speed.demand",
                                          [SPEED_ERROR] = "speed.error",
                                          [FROM_NORTH] = "from.north",
                                          [FROM_EAST] = "from.east",
                                          [FROM_DEPTH] = "from.depth",
                                          [TO_NORTH] = "to.north",
                                          [TO_EAST] = "to.east",
                                          [TO_DEPTH] = "to.depth",
                                          [NORTH] = "position.north",
                                          [EAST] = "position.east",
                                          [DEPTH] = "position.depth",
                                          [HEADING] = "attitude.heading",
                                          [VARIANCE_NORTH] = "covariance.north",
                                          [VARIANCE_BOTH] = "covariance.north_east",
                                          [VARIANCE_EAST] = "covariance.east",
                                          [VARIANCE_DOWN] = "covariance.depth"};

/* The same in a vehicle's channel of setpoints, where they are PART/NAME; of one name the last part counts. */
static const struct {
    const char *name;
    wanted means;
} setpoints[] = {
    {"depth", DEPTH_DEMAND}, {"heading", HEADING_DEMAND}, {"bearing", HEADING_DEMAND}, {"speed", SPEED_DEMAND}};

struct fm_run_values {
    const char *topic;
    int holds;       /* it is a channel of setpoints */
    long at[WANTED]; /* place of each among the values; -1: not there */
    size_t count;    /* of values in the message from which that is known; 0: none yet */
};

fm_run_values *fm_run_values_create(fm_run_data *run, const char *topic)
{
    fm_run_values *values = fm_arena_alloc(&run->arena, sizeof *values);
    const char *last = strrchr(topic, '/');
    if (values)
        values->topic = topic, values->holds = last && strcmp(last, "/setpoints") == 0;
    return values;
}

/* What a name in a channel of setpoints means; WANTED: nothing that is drawn. */
static wanted meaning_of(const char *name)
{
    const char *last = strrchr(name, '/');
    for (size_t i = 0; last && i < FM_COUNT(setpoints); i++)
        if (strcmp(last + 1, setpoints[i].name) == 0)
            return setpoints[i].means;
    return WANTED;
}

static int search_for_setpoints(fm_run_values *v, const fm_msg_values *m)
{
    int found = 0;
    for (int k = 0; k < WANTED; k++)
        v->at[k] = -1;
    for (size_t i = 0; i < m->names.count && i < m->values.count; i++) {
        wanted means = meaning_of(m->names.items[i]);
        if (means != WANTED)
            v->at[means] = (long)i, found++;
    }
    v->count = m->values.count;
    return found;
}

/* Finds the names; returns how many are there. */
static int search_for(fm_run_values *v, const fm_msg_values *m)
{
    int found = 0;
    for (int k = 0; k < WANTED; k++) {
        v->at[k] = -1;
        for (size_t i = 0; i < m->names.count && i < m->values.count; i++)
            if (strcmp(m->names.items[i], names[k]) == 0)
                v->at[k] = (long)i;
        found += v->at[k] >= 0;
    }
    v->count = m->values.count;
    return found;
}

static double value_of(const fm_run_values *v, const fm_msg_values *m, wanted k)
{
    return v->at[k] >= 0 ? m->values.items[v->at[k]] : NAN;
}

static int take_orders(fm_run_vehicle *vehicle, const fm_run_values *v, const fm_msg_values *m, double t)
{
    double heading = value_of(v, m, HEADING_DEMAND), speed = value_of(v, m, SPEED_DEMAND);
    return (v->at[DEPTH_DEMAND] < 0 || fm_run_series_add(&vehicle->ordered_depth, t, value_of(v, m, DEPTH_DEMAND))) &&
           (v->at[HEADING_DEMAND] < 0 ||
            fm_run_series_add(&vehicle->ordered_heading, t,
                              isnan(heading) ? heading : fm_run_unwrap(&vehicle->heading, heading))) &&
           (v->at[SPEED_DEMAND] < 0 ||
            (fm_run_series_add(&vehicle->ordered_speed, t, speed) &&
             (v->at[SPEED_ERROR] < 0 ||
              fm_run_series_add(&vehicle->water_speed, t, speed - value_of(v, m, SPEED_ERROR)))));
}

static int take_leg(fm_run_vehicle *vehicle, const fm_run_values *v, const fm_msg_values *m)
{
    fm_run_leg leg = {{value_of(v, m, FROM_NORTH), value_of(v, m, FROM_EAST), value_of(v, m, FROM_DEPTH)},
                      {value_of(v, m, TO_NORTH), value_of(v, m, TO_EAST), value_of(v, m, TO_DEPTH)}};
    size_t n = vehicle->leg_count;
    if (isnan(leg.to[0]) || isnan(leg.from[0]) || n == LEGS_MOST ||
        (n > 0 && memcmp(&leg, &vehicle->legs[n - 1], sizeof leg) == 0))
        return 1;
    if (n % 32 == 0) {
        fm_run_leg *legs = fm_realloc(vehicle->legs, (n + 32) * sizeof *legs);
        if (!legs)
            return 0;
        vehicle->legs = legs;
    }
    vehicle->legs[vehicle->leg_count++] = leg;
    return 1;
}

static int take_belief(fm_run_data *run, fm_run_vehicle *vehicle, const fm_run_values *v, const fm_msg_values *m,
                       double t)
{
    const double point[3] = {value_of(v, m, NORTH), value_of(v, m, EAST), value_of(v, m, DEPTH)};
    /* a position alone is a guidance's demand, not a belief */
    int is_belief = v->at[HEADING] >= 0 || v->at[VARIANCE_NORTH] >= 0;
    fm_run_estimate *e = !is_belief || isnan(point[0] + point[1]) ? NULL : fm_run_estimate_of(run, vehicle, v->topic);
    if (!e)
        return 1;
    /* without a known depth, the true depth is used */
    const double full[3] = {point[0], point[1], isnan(point[2]) ? vehicle->now[3] : point[2]};
    const double variance[4] = {value_of(v, m, VARIANCE_NORTH), value_of(v, m, VARIANCE_BOTH),
                                value_of(v, m, VARIANCE_EAST), value_of(v, m, VARIANCE_DOWN)};
    return fm_run_estimate_add(vehicle, e, t, full, value_of(v, m, HEADING)) &&
           fm_run_estimate_spread(e, t, full, variance);
}

fm_status fm_run_values_take(fm_run_data *run, fm_run_vehicle *vehicle, fm_run_values *values,
                             const fm_mcap_message *message, int *wanted_at_all, fm_error *error)
{
    fm_msg_values m;
    fm_arena arena = {0};
    fm_status status = fm_message_decode(&fm_msg_values_type, message->data, message->size, &m, &arena, error);
    if (status == FM_OK && values->count != m.values.count)
        *wanted_at_all = (values->holds ? search_for_setpoints : search_for)(values, &m) > 0;
    /* An autopilot's demands include what its guidance asks for; its setpoints alone say less. */
    if (status == FM_OK && !values->holds && values->count > 0)
        vehicle->demands |= values->at[DEPTH_DEMAND] >= 0 || values->at[HEADING_DEMAND] >= 0;
    if (status == FM_OK && *wanted_at_all) {
        double t = m.header.stamp.sec + 1e-9 * m.header.stamp.nanosec;
        int ok = t < run->from || (values->holds && vehicle->demands) ||
                 (take_orders(vehicle, values, &m, t) && take_leg(vehicle, values, &m) &&
                  take_belief(run, vehicle, values, &m, t));
        status = ok ? FM_OK : fm_run_data_no_memory(error);
    }
    fm_arena_free(&arena);
    return status;
}
