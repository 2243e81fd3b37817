/* The part <obstacle-map>: dead reckoning corrected by detections, which the paper proposes as future work.
 *
 * The vehicle reckons its position from forward velocity and yaw of the IMU record. Each detection is a wall across
 * this direction at a measured distance: a landmark, a piece of plane n·x = o. When detected again, it corrects the
 * position.
 * With the landmarks' directions fixed at the first detection, the model is linear and one Kalman filter of position
 * and all offsets is exact: x = (north, east, o_1 … o_N),  d = o_k − n_k·p + noise,  d = n_k·lever + radius + gap
 * (L6) Side slip is not sensed; it and the errors of the IMU are the process noise. */
#include <math.h>
#include <string.h>

#include "base/lane_part.h"
#include "control/own_motion.h"
#include "control/reflex_part.h"
#include "environment/environment.h"
#include "flow/flow_part.h"
#include "geometry/distance.h"

enum { LANDMARKS = 24, STATES = 2 + LANDMARKS };

typedef struct map_live {
    int64_t correct;
    double gap, gap_noise, drift;               /* m, m, m/√s */
    double same_angle, same_reach, same_offset; /* rad, m, m */
} map_live;

typedef struct map_config {
    map_live live;
    fm_own_motion_view motion;
    int reflex;
    const fm_flow_config *flow;
    int map_error, position_error, reckoning_error; /* metrics */
} map_config;

typedef struct landmark {
    double normal[2]; /* unit, world, towards the wall */
    double along;     /* m, along the wall at the detection, tangent (−n_y, n_x) */
    double felt;      /* times */
} landmark;

typedef struct map_state {
    double count;
    double reckoned[2]; /* m, without corrections */
    double x[STATES];
    double p[STATES * STATES]; /* covariance */
    landmark marks[LANDMARKS];
} map_state;

typedef struct map_record {
    double position[2]; /* m, north and east, estimated */
    double landmarks;   /* so far */
    double error;       /* m, of the position; for people and figures, not used on board */
} map_record;

static const fm_attr attrs[] = {
    FM_BOOL_ATTR(map_config, live.correct, "correct", "true", FM_ATTR_LIVE,
                 "walls felt again correct the position; false: they are only mapped"),
    FM_REAL_ATTR(map_config, live.gap, "gap", "m", 0, 10, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "of the nose to a wall that has just been felt"),
    FM_REAL_ATTR(map_config, live.gap_noise, "gap-noise", "m", 1e-4, 10, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "standard deviation of that"),
    FM_REAL_ATTR(map_config, live.drift, "drift", "m", 0, 10, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "standard deviation that the reckoned position gains in a second (and by the root of time)"),
    FM_REAL_ATTR(map_config, live.same_angle, "same-angle", "rad", 0, 3.2, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "a wall is the same if its direction differs by less"),
    FM_REAL_ATTR(map_config, live.same_reach, "same-reach", "m", 0, 1e3, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "and it was felt this near"),
    FM_REAL_ATTR(map_config, live.same_offset, "same-offset", "m", 0, 1e3, NULL, FM_ATTR_REQUIRED | FM_ATTR_LIVE,
                 "and its distance fits to this"),
};
static const fm_element element =
    FM_TABLE_ELEMENT(map_config, "obstacle-map", attrs, NULL, FM_ELEMENT_ONCE,
                     "Dead reckoning from the IMU record, and a map of the walls felt that corrects it.");

static fm_status load_map(fm_part_load *load, void *config, fm_error *error)
{
    map_config *c = config;
    const fm_status status = fm_load_own_motion(load, &c->motion, error);
    if (status != FM_OK)
        return status;
    if ((c->reflex = fm_load_find_part(load, "reflex", error)) < 0 || fm_flow_find(load, &c->flow, error) < 0)
        return FM_ERR_NAME;
    c->map_error = fm_load_metric(load, "map_error", "m",
                                  "rms distance of the mapped places from the nearest real surface", FM_METRIC_LAST);
    c->position_error =
        fm_load_metric(load, "position_error", "m", "rms error of the corrected position", FM_METRIC_RMS);
    c->reckoning_error = fm_load_metric(load, "dead_reckoning_error", "m",
                                        "rms error of the position without corrections", FM_METRIC_RMS);
    return FM_OK;
}

/* --- the filter --- */

/* Distance from the vehicle's origin to the wall just detected, along the landmark's normal. */
static double felt_distance(const map_config *c, const map_live *live, const double normal[2], double yaw)
{
    double north = fm_cos(yaw) * c->flow->centre[0] - fm_sin(yaw) * c->flow->centre[1];
    double east = fm_sin(yaw) * c->flow->centre[0] + fm_cos(yaw) * c->flow->centre[1];
    return normal[0] * north + normal[1] * east + c->flow->radius + live->gap;
}

static double residual(const map_state *m, int k, double distance)
{
    const double *n = m->marks[k].normal;
    return distance - (m->x[2 + k] - n[0] * m->x[0] - n[1] * m->x[1]);
}

/* The landmark that best fits this detection; −1: a new one. */
static int find_same(const map_config *c, const map_live *live, const map_state *m, const double normal[2], double yaw)
{
    int best = -1;
    double least = live->same_offset, cosine = fm_cos(live->same_angle);
    for (int k = 0; k < (int)m->count; k++) {
        const double *n = m->marks[k].normal;
        double along = -n[1] * m->x[0] + n[0] * m->x[1];
        double off = fabs(residual(m, k, felt_distance(c, live, n, yaw)));
        if (n[0] * normal[0] + n[1] * normal[1] > cosine && fabs(along - m->marks[k].along) < live->same_reach &&
            off < least) {
            least = off;
            best = k;
        }
    }
    return best;
}

static void add_landmark(const map_live *live, map_state *m, const double n[2], double distance)
{
    int k = (int)m->count, row = 2 + k;
    if (k == LANDMARKS)
        return;
    m->count++;
    m->marks[k] = (landmark){{n[0], n[1]}, -n[1] * m->x[0] + n[0] * m->x[1], 1};
    m->x[row] = n[0] * m->x[0] + n[1] * m->x[1] + distance;
    for (int i = 0; i < row; i++)
        m->p[row * STATES + i] = m->p[i * STATES + row] = n[0] * m->p[i] + n[1] * m->p[STATES + i];
    m->p[row * STATES + row] = n[0] * m->p[row] + n[1] * m->p[STATES + row] + live->gap_noise * live->gap_noise;
}

/* One scalar measurement: H = (−n, … 1 at the landmark …). */
static void correct(const map_live *live, map_state *m, int k, double innovation)
{
    const double *n = m->marks[k].normal;
    int states = 2 + (int)m->count, row = 2 + k;
    double ph[STATES];
    for (int i = 0; i < states; i++)
        ph[i] = m->p[i * STATES + row] - n[0] * m->p[i * STATES] - n[1] * m->p[i * STATES + 1];
    double s = ph[row] - n[0] * ph[0] - n[1] * ph[1] + live->gap_noise * live->gap_noise;
    for (int i = 0; i < states; i++)
        m->x[i] += ph[i] / s * innovation;
    for (int i = 0; i < states; i++)
        for (int j = 0; j < states; j++)
            m->p[i * STATES + j] -= ph[i] * ph[j] / s;
    m->marks[k].felt += 1;
}

/* --- compared with the true state, only for the metrics --- */

static double distance_to_surface(const fm_environment *e, const double point[3], double time)
{
    static const double level[4] = {1, 0, 0, 0};
    fm_shape probe = fm_shape_sphere(1e-6);
    double least = HUGE_VAL;
    fm_shape_place(&probe, point, level);
    for (size_t i = 0; i < e->obstacle_count; i++) {
        fm_shape shape = fm_obstacle_at(&e->obstacles[i], time);
        fm_separation s;
        fm_shape_separation(&probe, &shape, &s);
        least = fmin(least, fabs(s.distance));
    }
    return least;
}

static void note_map_error(const fm_part_context *context, const map_config *c, const map_state *m)
{
    double squares = 0;
    for (int k = 0; k < (int)m->count; k++) {
        const double *n = m->marks[k].normal, o = m->x[2 + k], a = m->marks[k].along;
        double point[3] = {n[0] * o - n[1] * a, n[1] * o + n[0] * a, context->vehicle->position[2]};
        double off = distance_to_surface(context->environment, point, context->time);
        squares += off * off;
    }
    if (m->count > 0 && isfinite(squares))
        fm_metric_note(context, c->map_error, sqrt(squares / m->count));
}

/* --- in a step --- */

static void note_position(const fm_part_context *context, const map_config *c, const map_state *m, map_record *out)
{
    const double *p = context->vehicle->position;
    memcpy(out->position, m->x, sizeof out->position);
    out->landmarks = m->count;
    out->error = fm_sqrt((m->x[0] - p[0]) * (m->x[0] - p[0]) + (m->x[1] - p[1]) * (m->x[1] - p[1]));
    double without =
        fm_sqrt((m->reckoned[0] - p[0]) * (m->reckoned[0] - p[0]) + (m->reckoned[1] - p[1]) * (m->reckoned[1] - p[1]));
    fm_metric_note(context, c->position_error, out->error);
    fm_metric_note(context, c->reckoning_error, without);
}

static void run_map(const fm_part_context *context)
{
    const map_config *c = context->config;
    const map_live *live = context->live;
    const fm_own_motion now = fm_own_motion_read(context, &c->motion);
    const fm_reflex_record *reflex = fm_sensor_output(context, c->reflex);
    map_state *m = context->state;
    note_position(context, c, m, context->output);
    if (reflex->detected > 0.5) {
        double bearing = now.euler[2] + fm_atan2(reflex->found[1], reflex->found[0]);
        double normal[2] = {fm_cos(bearing), fm_sin(bearing)};
        int k = find_same(c, live, m, normal, now.euler[2]);
        if (k < 0)
            add_landmark(live, m, normal, felt_distance(c, live, normal, now.euler[2]));
        else if (live->correct)
            correct(live, m, k, residual(m, k, felt_distance(c, live, m->marks[k].normal, now.euler[2])));
        note_map_error(context, c, m);
    }
    double way = now.forward * context->period, step[2] = {way * fm_cos(now.euler[2]), way * fm_sin(now.euler[2])};
    for (int i = 0; i < 2; i++) {
        m->x[i] += step[i];
        m->reckoned[i] += step[i];
        m->p[i * STATES + i] += live->drift * live->drift * context->period;
    }
}

/* The start is known. */
static void start_map(const fm_part_context *context)
{
    map_state *m = context->state;
    for (int i = 0; i < 2; i++) {
        m->x[i] = m->reckoned[i] = context->vehicle->position[i];
        m->p[i * STATES + i] = 1e-6;
    }
}

static const fm_output outputs[] = {
    FM_OUTPUT_NUMBER(map_record, position[0], "position.north", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(map_record, position[1], "position.east", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(map_record, landmarks, "landmarks", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(map_record, error, "error", "m", FM_QUANTITY_NONE),
};
static const fm_lane_part lanes = {.role = FM_LANE_RECORD}; /* it has no effect on the motion, and lanes do not compute
                                                             * its metrics */
const fm_part_class fm_obstacle_map_class = {.kind = FM_PART_CONTROLLER,
                                             .element = &element,
                                             .live_size = sizeof(map_live),
                                             .state_size = sizeof(map_state),
                                             .output_size = sizeof(map_record),
                                             .outputs = outputs,
                                             .output_count = FM_COUNT(outputs),
                                             .load = load_map,
                                             .start = start_map,
                                             .run = run_map,
                                             .lanes = &lanes};
