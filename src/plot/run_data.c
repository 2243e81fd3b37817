/* One pass over a log: every message goes to the vehicle to which its channel belongs. */
#include "plot/run_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "telemetry/frames.h"

enum { VEHICLES_MOST = 1024, SERIES_EACH = 16, POINTS_ALL = 1 << 23 };

fm_status fm_run_data_no_memory(fm_error *error)
{
    return fm_fail(error, FM_ERR_MEMORY, "out of memory for the run's data");
}

static size_t list_series(fm_run_vehicle *v, fm_run_series *all[SERIES_EACH])
{
    fm_run_series *own[] = {&v->depth,           &v->roll,          &v->pitch,       &v->heading,
                            &v->speed,           &v->bottom,        &v->altitude,    &v->ordered_depth,
                            &v->ordered_heading, &v->ordered_speed, &v->water_speed, &v->force};
    memcpy(all, own, sizeof own);
    return sizeof own / sizeof *own;
}

static size_t list_estimated(fm_run_estimate *e, fm_run_series *all[SERIES_EACH])
{
    fm_run_series *own[] = {&e->depth, &e->heading, &e->error, &e->spread, &e->vertical};
    memcpy(all, own, sizeof own);
    return sizeof own / sizeof *own;
}

typedef int each_series(fm_run_series *series);

/* Does the same to every series of a vehicle; 0: no memory. */
static int for_series(fm_run_vehicle *v, each_series *call)
{
    fm_run_series *all[SERIES_EACH];
    int ok = 1;
    for (size_t i = 0, n = list_series(v, all); i < n && ok; i++)
        ok = call(all[i]);
    for (size_t i = 0; i < v->actuator_count && ok; i++)
        ok = call(&v->actuators[i].values);
    for (size_t k = 0; k < v->estimate_count && ok; k++)
        for (size_t i = 0, n = list_estimated(&v->estimates[k], all); i < n && ok; i++)
            ok = call(all[i]);
    for (size_t k = 0; k < v->fix_count && ok; k++)
        for (size_t i = 0, n = list_estimated(&v->fixes[k], all); i < n && ok; i++)
            ok = call(all[i]);
    return ok;
}

static int free_series(fm_run_series *series)
{
    fm_run_series_free(series);
    return 1;
}

void fm_run_data_free(fm_run_data *run)
{
    for (size_t i = 0; run->vehicles && i < run->vehicle_count; i++) {
        fm_run_vehicle *v = &run->vehicles[i];
        for_series(v, free_series);
        fm_run_track_free(&v->track);
        for (size_t k = 0; k < v->estimate_count; k++)
            fm_run_track_free(&v->estimates[k].track);
        for (size_t k = 0; k < v->fix_count; k++)
            fm_run_track_free(&v->fixes[k].track);
        fm_free(v->legs);
    }
    fm_free(run->vehicles);
    fm_free(run->events);
    fm_arena_free(&run->arena);
}

double fm_run_data_bottom(const fm_run_data *run, double north, double east)
{
    if (!run->has_scene || !run->scene.heightmaps.count)
        return NAN;
    const fm_msg_scene_heightmap *map = &run->scene.heightmaps.items[0];
    if (map->columns < 2 || map->rows < 2 || map->heights.count < (size_t)map->columns * map->rows || !(map->dx > 0) ||
        !(map->dy > 0))
        return NAN;
    double x = fmin(fmax((east - map->x0) / map->dx, 0), map->columns - 1),
           y = fmin(fmax((north - map->y0) / map->dy, 0), map->rows - 1);
    size_t i = (size_t)fmin(floor(x), map->columns - 2), j = (size_t)fmin(floor(y), map->rows - 2);
    const float *h = map->heights.items + j * map->columns + i;
    double fx = x - (double)i, fy = y - (double)j;
    return -((1 - fy) * ((1 - fx) * (double)h[0] + fx * (double)h[1]) +
             fy * ((1 - fx) * (double)h[map->columns] + fx * (double)h[map->columns + 1]));
}

/* --- vehicles --- */

double fm_run_unwrap(const fm_run_series *series, double angle)
{
    const double turn = 6.283185307179586;
    int begun = series->count > 0 && isfinite(series->last);
    double last = begun ? series->last : angle < 0 ? angle + turn : angle;
    return angle + turn * floor((last - angle) / turn + 0.5);
}

static void limit_points(const fm_run_data *run, fm_run_vehicle *v)
{
    fm_run_series *all[SERIES_EACH];
    for (size_t i = 0, n = list_series(v, all); i < n; i++)
        all[i]->most = run->most;
    v->track.most = run->most;
}

static fm_run_vehicle *find_vehicle(fm_run_data *run, const char *base, const char *name)
{
    for (size_t i = run->vehicle_count; i-- > 0;)
        if (strcmp(run->vehicles[i].base, base) == 0 && strcmp(run->vehicles[i].name, name) == 0)
            return &run->vehicles[i];
    if (run->vehicle_count == VEHICLES_MOST)
        return NULL;
    fm_run_vehicle *v = &run->vehicles[run->vehicle_count];
    v->base = base;
    v->name = fm_arena_text(&run->arena, name);
    v->before[0] = v->now[0] = NAN;
    limit_points(run, v);
    return v->name ? (run->vehicle_count++, v) : NULL;
}

static void euler_of(fm_msg_quaternion enu, double euler[3])
{
    double q[4];
    fm_ned_attitude_from_enu(enu, q);
    double sine = 2 * (q[0] * q[2] - q[3] * q[1]);
    euler[0] = atan2(2 * (q[0] * q[1] + q[2] * q[3]), 1 - 2 * (q[1] * q[1] + q[2] * q[2]));
    euler[1] = asin(fmin(fmax(sine, -1), 1));
    euler[2] = atan2(2 * (q[0] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] * q[2] + q[3] * q[3]));
}

static int add_bottom(fm_run_data *run, fm_run_vehicle *v, double t, const double point[3])
{
    double bottom = fm_run_data_bottom(run, point[0], point[1]);
    return isnan(bottom) ||
           (fm_run_series_add(&v->bottom, t, bottom) && fm_run_series_add(&v->altitude, t, bottom - point[2]));
}

static int add_pose(fm_run_data *run, fm_run_vehicle *v, double t, const fm_msg_odometry *o)
{
    const fm_msg_point *p = &o->pose.pose.position;
    const fm_msg_vector3 *u = &o->twist.twist.linear;
    const double point[3] = {p->y, p->x, -p->z};
    double euler[3];
    euler_of(o->pose.pose.orientation, euler);
    memcpy(v->before, v->now, sizeof v->before);
    v->now[0] = t;
    memcpy(v->now + 1, point, sizeof point);
    run->from = fmin(run->from, t);
    run->to = fmax(run->to, t);
    return fm_run_track_add(&v->track, t, point) && fm_run_series_add(&v->depth, t, point[2]) &&
           fm_run_series_add(&v->roll, t, euler[0]) && fm_run_series_add(&v->pitch, t, euler[1]) &&
           fm_run_series_add(&v->heading, t, fm_run_unwrap(&v->heading, euler[2])) &&
           fm_run_series_add(&v->speed, t, sqrt(u->x * u->x + u->y * u->y + u->z * u->z)) &&
           add_bottom(run, v, t, point);
}

/* --- estimates --- */

/* The one of this topic in a list, or a new one; NULL: full. */
static fm_run_estimate *estimate_in(fm_run_data *run, fm_run_estimate **list, size_t *count, const char *topic)
{
    const char *name = strrchr(topic, '/') ? strrchr(topic, '/') + 1 : topic;
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*list)[i].name, name) == 0)
            return &(*list)[i];
    if (!*list)
        *list = fm_arena_alloc(&run->arena, FM_RUN_ESTIMATES * sizeof **list);
    if (!*list || *count == FM_RUN_ESTIMATES)
        return NULL;
    fm_run_estimate *e = &(*list)[*count];
    fm_run_series *all[SERIES_EACH];
    e->name = fm_arena_text(&run->arena, name);
    e->track.most = run->most;
    for (size_t i = 0, n = list_estimated(e, all); i < n; i++)
        all[i]->most = run->most;
    return e->name ? (++*count, e) : NULL;
}

fm_run_estimate *fm_run_estimate_of(fm_run_data *run, fm_run_vehicle *v, const char *topic)
{
    return estimate_in(run, &v->estimates, &v->estimate_count, topic);
}

/* Distance from the true place at the time of the estimate, m. */
static double estimate_error(const fm_run_vehicle *v, double t, const double point[3])
{
    double sum = 0, span = v->now[0] - v->before[0];
    double f = span > 0 ? fmin(fmax((t - v->before[0]) / span, 0), 1) : 1;
    for (int k = 0; k < 3; k++) {
        double from = isnan(v->before[0]) ? v->now[1 + k] : v->before[1 + k];
        double off = point[k] - (from + f * (v->now[1 + k] - from));
        sum += off * off;
    }
    return sqrt(sum);
}

int fm_run_estimate_add(fm_run_vehicle *v, fm_run_estimate *e, double t, const double point[3], double heading)
{
    return fm_run_track_add(&e->track, t, point) && fm_run_series_add(&e->depth, t, point[2]) &&
           (isnan(heading) || fm_run_series_add(&e->heading, t, fm_run_unwrap(&v->heading, heading))) &&
           (isnan(v->now[0]) || fm_run_series_add(&e->error, t, estimate_error(v, t, point)));
}

static void add_ellipse(fm_run_estimate *e, const fm_run_ellipse *ellipse)
{
    if (++e->ellipse_skipped < e->ellipse_stride)
        return;
    e->ellipse_skipped = 0;
    if (e->ellipse_count == FM_RUN_ELLIPSES) {
        for (size_t i = 0; i < FM_RUN_ELLIPSES / 2; i++)
            e->ellipses[i] = e->ellipses[2 * i];
        e->ellipse_count = FM_RUN_ELLIPSES / 2;
        e->ellipse_stride = e->ellipse_stride ? 2 * e->ellipse_stride : 2;
    }
    e->ellipses[e->ellipse_count++] = *ellipse;
}

int fm_run_estimate_spread(fm_run_estimate *e, double t, const double point[3], const double c[4])
{
    double north = c[0], both = c[1], east = c[2], down = c[3];
    if (!(east >= 0) || !(north >= 0) || east + north <= 0 || isnan(both))
        return 1;
    double middle = 0.5 * (east + north), half = hypot(0.5 * (east - north), both);
    fm_run_ellipse ellipse = {.t = t,
                              .position = {point[0], point[1]},
                              .axes = {sqrt(middle + half), sqrt(fmax(middle - half, 0))},
                              .heading = 0.5 * atan2(2 * both, north - east)};
    add_ellipse(e, &ellipse);
    return fm_run_series_add(&e->spread, t, ellipse.axes[0]) && fm_run_series_add(&e->vertical, t, sqrt(fmax(down, 0)));
}

/* The covariance of a pose in ENU, by rows of x, y, z and three angles; unknown where it begins with −1 or is zero. */
static int add_covariance(fm_run_estimate *e, double t, const double point[3], const double *c)
{
    return fm_run_estimate_spread(e, t, point, (const double[4]){c[7], c[1], c[0], c[14]});
}

static fm_status take_estimate(fm_run_data *run, fm_run_vehicle *v, const char *topic, const fm_msg_odometry *o,
                               fm_error *error)
{
    const fm_msg_point *p = &o->pose.pose.position;
    const double point[3] = {p->y, p->x, -p->z}, t = o->header.stamp.sec + 1e-9 * o->header.stamp.nanosec;
    double euler[3];
    fm_run_estimate *e = fm_run_estimate_of(run, v, topic);
    if (!e || t < run->from)
        return FM_OK;
    euler_of(o->pose.pose.orientation, euler);
    return fm_run_estimate_add(v, e, t, point, euler[2]) && add_covariance(e, t, point, o->pose.covariance)
               ? FM_OK
               : fm_run_data_no_memory(error);
}

static fm_status take_fix(fm_run_data *run, fm_run_vehicle *v, const char *topic,
                          const fm_msg_pose_covariance_stamped *m, fm_error *error)
{
    const fm_msg_point *p = &m->pose.pose.position;
    const double point[3] = {p->y, p->x, -p->z}, t = m->header.stamp.sec + 1e-9 * m->header.stamp.nanosec;
    fm_run_estimate *e = estimate_in(run, &v->fixes, &v->fix_count, topic);
    if (!e || t < run->from)
        return FM_OK;
    return fm_run_track_add(&e->track, t, point) && add_covariance(e, t, point, m->pose.covariance)
               ? FM_OK
               : fm_run_data_no_memory(error);
}

/* --- channels --- */

/* The prefix of related topics, and the vehicle last found for it. */
typedef struct topic_base {
    const char *text;
    fm_run_vehicle *vehicle; /* NULL: none yet */
} topic_base;

typedef struct channel {
    enum { IGNORED, TRUTH, ESTIMATE, FIXES, ACTUATORS, WRENCH, VALUES, EVENTS } kind;
    const char *topic;
    topic_base *base;
    fm_run_values *values;
} channel;

typedef struct reading {
    fm_mcap_reader *reader;
    fm_run_data *run;
    channel *channels; /* by id */
    fm_error *error;
    topic_base **bases;
    size_t base_count;
} reading;

static fm_status take_odometry(reading *r, const channel *c, const fm_mcap_message *message)
{
    fm_msg_odometry o;
    fm_arena arena = {0};
    fm_status status = fm_message_decode(&fm_msg_odometry_type, message->data, message->size, &o, &arena, r->error);
    if (status == FM_OK && c->kind == ESTIMATE) {
        fm_run_vehicle *v = c->base->vehicle;
        status = v ? take_estimate(r->run, v, c->topic, &o, r->error) : FM_OK;
    } else if (status == FM_OK) {
        fm_run_vehicle *v = c->base->vehicle;
        char name[256];
        snprintf(name, sizeof name, "%.*s", (int)fm_frame_vehicle_length(o.child_frame_id), o.child_frame_id);
        if (!v || strcmp(v->name, name) != 0)
            v = c->base->vehicle = find_vehicle(r->run, c->base->text, name);
        if (!v)
            status = fm_fail(r->error, FM_ERR_FULL, "over %d vehicles in one figure", VEHICLES_MOST);
        else if (!add_pose(r->run, v, 1e-9 * (double)message->time, &o))
            status = fm_run_data_no_memory(r->error);
    }
    fm_arena_free(&arena);
    return status;
}

static fm_status take_pose(reading *r, const channel *c, const fm_mcap_message *message)
{
    fm_msg_pose_covariance_stamped m;
    fm_arena arena = {0};
    fm_run_vehicle *v = c->base->vehicle;
    fm_status status =
        fm_message_decode(&fm_msg_pose_covariance_stamped_type, message->data, message->size, &m, &arena, r->error);
    if (status == FM_OK && v)
        status = take_fix(r->run, v, c->topic, &m, r->error);
    fm_arena_free(&arena);
    return status;
}

/* "port-propeller" of "/phoenix": parameter /phoenix/port_propeller/group. */
static const char *find_group(const reading *r, const char *base, const char *name)
{
    for (size_t i = 0; i < fm_mcap_metadata_count(r->reader); i++) {
        const fm_mcap_record *m = fm_mcap_metadata_at(r->reader, i);
        for (size_t k = 0; strcmp(m->name, "parameters") == 0 && k < m->pair_count; k++) {
            char path[256];
            snprintf(path, sizeof path, "%.100s/%.100s/group", base, name);
            if (fm_text_name_equal(m->pairs[k].key, path))
                return m->pairs[k].value;
        }
    }
    return "";
}

static int start_actuators(reading *r, fm_run_vehicle *v, const fm_msg_actuator_state *m)
{
    fm_arena *arena = &r->run->arena;
    v->actuators = fm_arena_alloc(arena, (m->names.count + 1) * sizeof *v->actuators);
    if (!v->actuators)
        return 0;
    for (size_t i = 0; i < m->names.count && i < m->units.count; i++) {
        fm_run_actuator *a = &v->actuators[i];
        a->name = fm_arena_text(arena, m->names.items[i]);
        a->unit = fm_arena_text(arena, m->units.items[i]);
        a->group = fm_arena_text(arena, find_group(r, v->base, m->names.items[i]));
        a->values.most = r->run->most;
        if (!a->name || !a->unit || !a->group)
            return 0;
        v->actuator_count++;
    }
    return 1;
}

static fm_status take_actuators(reading *r, const channel *c, const fm_mcap_message *message)
{
    fm_msg_actuator_state m;
    fm_arena arena = {0};
    fm_status status =
        fm_message_decode(&fm_msg_actuator_state_type, message->data, message->size, &m, &arena, r->error);
    fm_run_vehicle *v = status == FM_OK ? c->base->vehicle : NULL;
    int ok = !v || v->actuators || start_actuators(r, v, &m);
    for (size_t i = 0; ok && v && i < v->actuator_count; i++)
        ok = fm_run_series_add(&v->actuators[i].values, 1e-9 * (double)message->time,
                               i < m.values.count ? m.values.items[i] : NAN);
    fm_arena_free(&arena);
    return status != FM_OK ? status : ok ? FM_OK : fm_run_data_no_memory(r->error);
}

static fm_status take_wrench(reading *r, const channel *c, const fm_mcap_message *message)
{
    fm_msg_wrench_stamped m;
    fm_arena arena = {0};
    fm_status status =
        fm_message_decode(&fm_msg_wrench_stamped_type, message->data, message->size, &m, &arena, r->error);
    fm_run_vehicle *v = status == FM_OK ? c->base->vehicle : NULL;
    int ok = !v || fm_run_series_add(&v->force, 1e-9 * (double)message->time, m.wrench.force.x);
    fm_arena_free(&arena);
    return status != FM_OK ? status : ok ? FM_OK : fm_run_data_no_memory(r->error);
}

static fm_status take_event(reading *r, const fm_mcap_message *message)
{
    fm_msg_event m;
    fm_run_data *run = r->run;
    fm_status status = fm_message_decode(&fm_msg_event_type, message->data, message->size, &m, &run->arena, r->error);
    if (status != FM_OK)
        return status;
    if (run->event_count % 64 == 0) {
        fm_run_event *events = fm_realloc(run->events, (run->event_count + 64) * sizeof *events);
        if (!events)
            return fm_run_data_no_memory(r->error);
        run->events = events;
    }
    run->events[run->event_count++] =
        (fm_run_event){m.stamp.sec + 1e-9 * m.stamp.nanosec, m.vehicle, m.kind, m.text, m.value};
    return FM_OK;
}

static fm_status take_values(reading *r, channel *c, const fm_mcap_message *message)
{
    int wanted = 1;
    fm_run_vehicle *v = c->base->vehicle;
    if (!v)
        return FM_OK;
    fm_status status = fm_run_values_take(r->run, v, c->values, message, &wanted, r->error);
    if (!wanted)
        c->kind = IGNORED;
    return status;
}

static fm_status take(reading *r, const fm_mcap_message *message)
{
    channel *c = &r->channels[message->channel];
    switch (c->kind) {
    case TRUTH:
    case ESTIMATE: return take_odometry(r, c, message);
    case FIXES: return take_pose(r, c, message);
    case ACTUATORS: return take_actuators(r, c, message);
    case WRENCH: return take_wrench(r, c, message);
    case VALUES: return take_values(r, c, message);
    case EVENTS: return take_event(r, message);
    case IGNORED: break;
    }
    return FM_OK;
}

static int is_type(const fm_mcap_channel *found, const char *name)
{
    return found->schema && strcmp(found->schema->name, name) == 0 && strcmp(found->encoding, "cdr") == 0;
}

static int ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a > b && strcmp(text + a - b, end) == 0;
}

/* "/phoenix" of "/phoenix/odom", one for all channels that have it; NULL: no memory. */
static topic_base *find_base(reading *r, const char *topic)
{
    const char *slash = strrchr(topic, '/');
    size_t length = slash ? (size_t)(slash - topic) : 0;
    for (size_t i = 0; i < r->base_count; i++)
        if (strncmp(r->bases[i]->text, topic, length) == 0 && !r->bases[i]->text[length])
            return r->bases[i];
    topic_base *base = fm_arena_alloc(&r->run->arena, sizeof *base);
    char *text = fm_arena_text(&r->run->arena, topic);
    if (!base || !text)
        return NULL;
    text[length] = 0;
    base->text = text;
    return r->bases[r->base_count++] = base;
}

static fm_status view_at(reading *r, const fm_mcap_channel *found, size_t *vehicles)
{
    static const char odometry[] = "nav_msgs/msg/Odometry";
    channel *c = &r->channels[found->id];
    c->topic = found->topic;
    if (!(c->base = find_base(r, found->topic)))
        return fm_run_data_no_memory(r->error);
    if (is_type(found, odometry))
        c->kind = ends_with(found->topic, "/odom") ? TRUTH : ESTIMATE;
    else if (is_type(found, "geometry_msgs/msg/PoseWithCovarianceStamped"))
        c->kind = FIXES;
    else if (is_type(found, "fathom_msgs/msg/ActuatorState"))
        c->kind = ACTUATORS;
    else if (is_type(found, "geometry_msgs/msg/WrenchStamped") && ends_with(found->topic, "/wrench"))
        c->kind = WRENCH;
    else if (is_type(found, "fathom_msgs/msg/Event"))
        c->kind = EVENTS;
    else if (is_type(found, "fathom_msgs/msg/Values"))
        c->kind = VALUES;
    *vehicles += c->kind == TRUTH;
    if (c->kind == VALUES && !(c->values = fm_run_values_create(r->run, found->topic)))
        return fm_run_data_no_memory(r->error);
    return FM_OK;
}

/* The last scene counts: it knows all that stands still. */
static fm_status read_scene(reading *r)
{
    const fm_mcap_channel *scene = fm_mcap_find_channel(r->reader, "/scene");
    fm_mcap_cursor *cursor;
    fm_mcap_message m = {0};
    if (!scene || !is_type(scene, "fathom_msgs/msg/Scene"))
        return FM_OK;
    fm_status status = fm_mcap_query_open(r->reader, &(fm_mcap_query){.channel = scene}, &cursor, r->error);
    while (status == FM_OK && (status = fm_mcap_next(cursor, &m, r->error)) == FM_OK && m.data) {
        status = fm_message_decode(&fm_msg_scene_type, m.data, m.size, &r->run->scene, &r->run->arena, r->error);
        r->run->has_scene = status == FM_OK;
    }
    fm_mcap_query_close(cursor);
    return status;
}

static uint64_t nanoseconds(double seconds)
{
    return seconds > 0 ? (uint64_t)(seconds * 1e9 + 0.5) : 0;
}

static fm_status read_messages(reading *r, const fm_run_window *request)
{
    const fm_mcap_info *info = fm_mcap_get_info(r->reader);
    fm_mcap_query query = {.start = nanoseconds(request->from), .end = nanoseconds(request->to)};
    uint64_t end = query.end && query.end < info->end ? query.end : info->end,
             start = query.start > info->start ? query.start : info->start;
    double span = end > start ? (double)(end - start) : 1, told = 0;
    fm_mcap_cursor *cursor;
    fm_mcap_message m = {0};
    fm_status status = fm_mcap_query_open(r->reader, &query, &cursor, r->error);
    while (status == FM_OK && (status = fm_mcap_next(cursor, &m, r->error)) == FM_OK && m.data) {
        status = take(r, &m);
        double share = m.time > start ? (double)(m.time - start) / span : 0;
        if (request->progress && share >= told + 0.01)
            request->progress(request->context, told = share);
    }
    fm_mcap_query_close(cursor);
    return status;
}

/* Where a track was at a time; its ends hold beyond it. */
static void track_at(const fm_run_track *track, double t, double point[3])
{
    size_t i = 0;
    while (i + 1 < track->count && track->t[i + 1] < t)
        i++;
    size_t next = i + 1 < track->count ? i + 1 : i;
    double span = track->t[next] - track->t[i], f = span > 0 ? fmin(fmax((t - track->t[i]) / span, 0), 1) : 0;
    for (int k = 0; k < 3; k++)
        point[k] = track->position[k][i] + f * (track->position[k][next] - track->position[k][i]);
}

/* A fix is valid for a time before its message: it is compared with the whole track. */
static int finish_fixes(const fm_run_vehicle *v, fm_run_estimate *fixes)
{
    int ok = fm_run_track_end(&fixes->track);
    for (size_t i = 0; i < fixes->track.count && v->track.count && ok; i++) {
        double point[3], sum = 0, t = fixes->track.t[i];
        track_at(&v->track, t, point);
        for (int k = 0; k < 3; k++)
            sum += (fixes->track.position[k][i] - point[k]) * (fixes->track.position[k][i] - point[k]);
        ok = fm_run_series_add(&fixes->error, t, sqrt(sum));
    }
    return ok && fm_run_series_end(&fixes->error);
}

static fm_status finish(reading *r, const fm_run_window *request)
{
    const fm_mcap_info *info = fm_mcap_get_info(r->reader);
    for (size_t i = 0; i < r->run->vehicle_count; i++) {
        fm_run_vehicle *v = &r->run->vehicles[i];
        int ok = for_series(v, fm_run_series_end) && fm_run_track_end(&v->track);
        for (size_t k = 0; ok && k < v->estimate_count; k++)
            ok = fm_run_track_end(&v->estimates[k].track);
        for (size_t k = 0; ok && k < v->fix_count; k++)
            ok = finish_fixes(v, &v->fixes[k]);
        if (!ok)
            return fm_run_data_no_memory(r->error);
    }
    if (r->run->vehicle_count)
        return fm_run_plan_read(r->reader, r->run, r->error);
    if (request->from > 0 || request->to > 0)
        return fm_fail(r->error, FM_ERR_MISSING, "no vehicle between %g s and %g s; the log holds %g s to %g s",
                       request->from, request->to > 0 ? request->to : 1e-9 * (double)info->end,
                       1e-9 * (double)info->start, 1e-9 * (double)info->end);
    return fm_fail(r->error, FM_ERR_MISSING,
                   "no vehicle in this log: no channel …/odom of type nav_msgs/msg/Odometry has messages");
}

fm_status fm_run_data_read(fm_mcap_reader *reader, const fm_run_window *request, fm_run_data *run, fm_error *error)
{
    static const fm_run_window everything;
    request = request ? request : &everything;
    *run = (fm_run_data){.title = fm_mcap_get_metadata(reader, "run", "title"),
                         .name = request->name,
                         .from = HUGE_VAL,
                         .to = -HUGE_VAL};
    reading r = {.reader = reader, .run = run, .error = error};
    size_t vehicles = 0;
    r.channels = fm_alloc((fm_mcap_channel_ids(reader) + 1) * sizeof *r.channels);
    r.bases = fm_alloc((fm_mcap_channel_count(reader) + 1) * sizeof *r.bases);
    run->vehicles = fm_alloc(VEHICLES_MOST * sizeof *run->vehicles);
    fm_status status = run->vehicles && r.channels && r.bases ? FM_OK : fm_run_data_no_memory(error);
    for (size_t i = 0; i < fm_mcap_channel_count(reader) && status == FM_OK; i++)
        status = view_at(&r, fm_mcap_channel_at(reader, i), &vehicles);
    size_t share = POINTS_ALL / (SERIES_EACH * (vehicles ? vehicles : 1)) / 4 * 4;
    run->most = share < 1024 ? 1024 : share < FM_RUN_POINTS ? share : FM_RUN_POINTS;
    if (status == FM_OK)
        status = read_scene(&r);
    if (status == FM_OK)
        status = read_messages(&r, request);
    if (status == FM_OK)
        status = finish(&r, request);
    fm_free(r.channels);
    fm_free(r.bases);
    return status;
}
