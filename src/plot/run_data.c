#include "plot/run_data.h"

#include <math.h>
#include <string.h>

#include "telemetry/frames.h"

enum { VEHICLES_MOST = 1024 };

int fm_run_series_add(fm_run_series *s, double value)
{
    if (s->count == s->room) {
        size_t room = 2 * s->room + 256;
        double *items = fm_realloc(s->items, room * sizeof *items);
        if (!items)
            return 0;
        s->items = items;
        s->room = room;
    }
    s->items[s->count++] = value;
    return 1;
}

static fm_status out_of_memory(fm_error *error)
{
    return fm_fail(error, FM_ERR_MEMORY, "out of memory for the run's data");
}

void fm_run_data_free(fm_run_data *run)
{
    for (size_t i = 0; i < run->vehicle_count; i++) {
        fm_run_vehicle *v = &run->vehicles[i];
        fm_run_series *all[] = {&v->t,       &v->north, &v->east,   &v->depth,      &v->roll,    &v->pitch,
                                &v->heading, &v->speed, &v->bottom, &v->actuator_t, &v->force_t, &v->force};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            fm_free(all[k]->items);
        for (size_t k = 0; k < v->actuator_count; k++)
            fm_free(v->actuators[k].values.items);
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

/* --- one channel after the other --- */

typedef fm_status visit(fm_run_data *run, void *user, const fm_mcap_message *message, fm_error *error);

static fm_status each_message(fm_mcap_reader *reader, const fm_mcap_channel *channel, fm_run_data *run, void *user,
                              visit *call, fm_error *error)
{
    fm_mcap_cursor *cursor;
    fm_mcap_message message = {0};
    fm_status status = fm_mcap_query_open(reader, &(fm_mcap_query){.channel = channel}, &cursor, error);
    while (status == FM_OK && (status = fm_mcap_next(cursor, &message, error)) == FM_OK && message.data)
        status = call(run, user, &message, error);
    fm_mcap_query_close(cursor);
    return status;
}

static int is_type(const fm_mcap_channel *channel, const char *name)
{
    return channel->schema && strcmp(channel->schema->name, name) == 0 && strcmp(channel->encoding, "cdr") == 0;
}

static double unwrapped(const fm_run_series *series, double angle)
{
    const double turn = 6.283185307179586;
    double last = series->count ? series->items[series->count - 1] : angle < 0 ? angle + turn : angle;
    return angle + turn * floor((last - angle) / turn + 0.5);
}

static int add_pose(fm_run_data *run, fm_run_vehicle *v, double t, const fm_msg_odometry *o)
{
    double q[4];
    const fm_msg_point *p = &o->pose.pose.position;
    const fm_msg_vector3 *u = &o->twist.twist.linear;
    fm_ned_attitude_from_enu(o->pose.pose.orientation, q);
    double sine = 2 * (q[0] * q[2] - q[3] * q[1]);
    return fm_run_series_add(&v->t, t) && fm_run_series_add(&v->north, p->y) && fm_run_series_add(&v->east, p->x) &&
           fm_run_series_add(&v->depth, -p->z) &&
           fm_run_series_add(&v->roll, atan2(2 * (q[0] * q[1] + q[2] * q[3]), 1 - 2 * (q[1] * q[1] + q[2] * q[2]))) &&
           fm_run_series_add(&v->pitch, asin(fmin(fmax(sine, -1), 1))) &&
           fm_run_series_add(&v->heading, unwrapped(&v->heading, atan2(2 * (q[0] * q[3] + q[1] * q[2]),
                                                                       1 - 2 * (q[2] * q[2] + q[3] * q[3])))) &&
           fm_run_series_add(&v->speed, sqrt(u->x * u->x + u->y * u->y + u->z * u->z)) &&
           fm_run_series_add(&v->bottom, fm_run_data_bottom(run, p->y, p->x));
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
    return v->name ? (run->vehicle_count++, v) : NULL;
}

static fm_status take_odometry(fm_run_data *run, void *user, const fm_mcap_message *message, fm_error *error)
{
    fm_msg_odometry o;
    fm_arena arena = {0};
    fm_status status = fm_message_decode(&fm_msg_odometry_type, message->data, message->size, &o, &arena, error);
    fm_run_vehicle *v = status == FM_OK ? find_vehicle(run, user, o.child_frame_id) : NULL;
    if (status == FM_OK && (!v || !add_pose(run, v, 1e-9 * (double)message->time, &o)))
        status =
            v ? out_of_memory(error) : fm_fail(error, FM_ERR_FULL, "over %d vehicles in one figure", VEHICLES_MOST);
    fm_arena_free(&arena);
    return status;
}

static int start_actuators(fm_run_data *run, fm_run_vehicle *v, const fm_msg_actuator_state *m)
{
    v->actuators = fm_arena_alloc(&run->arena, (m->names.count + 1) * sizeof *v->actuators);
    if (!v->actuators)
        return 0;
    for (size_t i = 0; i < m->names.count && i < m->units.count; i++) {
        v->actuators[i].name = fm_arena_text(&run->arena, m->names.items[i]);
        v->actuators[i].unit = fm_arena_text(&run->arena, m->units.items[i]);
        if (!v->actuators[i].name || !v->actuators[i].unit)
            return 0;
        v->actuator_count++;
    }
    return 1;
}

static fm_status take_actuators(fm_run_data *run, void *user, const fm_mcap_message *message, fm_error *error)
{
    fm_msg_actuator_state m;
    fm_arena arena = {0};
    fm_status status = fm_message_decode(&fm_msg_actuator_state_type, message->data, message->size, &m, &arena, error);
    fm_run_vehicle *v = status == FM_OK ? find_vehicle(run, user, m.header.frame_id) : NULL;
    int ok = v != NULL && (v->actuators || start_actuators(run, v, &m)) &&
             fm_run_series_add(&v->actuator_t, 1e-9 * (double)message->time);
    for (size_t i = 0; ok && i < v->actuator_count; i++)
        ok = fm_run_series_add(&v->actuators[i].values, i < m.values.count ? m.values.items[i] : NAN);
    fm_arena_free(&arena);
    return status != FM_OK ? status : ok ? FM_OK : out_of_memory(error);
}

static fm_status take_wrench(fm_run_data *run, void *user, const fm_mcap_message *message, fm_error *error)
{
    fm_msg_wrench_stamped m;
    fm_arena arena = {0};
    fm_status status = fm_message_decode(&fm_msg_wrench_stamped_type, message->data, message->size, &m, &arena, error);
    fm_run_vehicle *v = status == FM_OK ? find_vehicle(run, user, m.header.frame_id) : NULL;
    int ok = v && fm_run_series_add(&v->force_t, 1e-9 * (double)message->time) &&
             fm_run_series_add(&v->force, m.wrench.force.x);
    fm_arena_free(&arena);
    return status != FM_OK ? status : ok ? FM_OK : out_of_memory(error);
}

static fm_status take_event(fm_run_data *run, void *user, const fm_mcap_message *message, fm_error *error)
{
    fm_msg_event m;
    (void)user;
    fm_status status = fm_message_decode(&fm_msg_event_type, message->data, message->size, &m, &run->arena, error);
    if (status != FM_OK)
        return status;
    if (run->event_count % 64 == 0) {
        fm_run_event *events = fm_realloc(run->events, (run->event_count + 64) * sizeof *events);
        if (!events)
            return out_of_memory(error);
        run->events = events;
    }
    run->events[run->event_count++] = (fm_run_event){m.stamp.sec + 1e-9 * m.stamp.nanosec, m.vehicle, m.kind, m.value};
    return FM_OK;
}

/* The last scene counts: it knows all that stands still. */
static fm_status take_scene(fm_run_data *run, void *user, const fm_mcap_message *message, fm_error *error)
{
    (void)user;
    fm_status status =
        fm_message_decode(&fm_msg_scene_type, message->data, message->size, &run->scene, &run->arena, error);
    run->has_scene = status == FM_OK;
    return status;
}

static int ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a > b && strcmp(text + a - b, end) == 0;
}

static fm_status read_kind(fm_mcap_reader *reader, fm_run_data *run, const char *end, const char *type, visit *call,
                           fm_error *error)
{
    fm_status status = FM_OK;
    for (size_t i = 0; i < fm_mcap_channel_count(reader) && status == FM_OK; i++) {
        const fm_mcap_channel *channel = fm_mcap_channel_at(reader, i);
        if (!ends_with(channel->topic, end) || !is_type(channel, type) || !channel->messages)
            continue;
        char *base = fm_arena_text(&run->arena, channel->topic);
        if (!base)
            return out_of_memory(error);
        base[strlen(base) - strlen(end)] = 0;
        status = each_message(reader, channel, run, base, call, error);
    }
    return status;
}

fm_status fm_run_data_read(fm_mcap_reader *reader, fm_run_data *run, fm_error *error)
{
    *run = (fm_run_data){.title = fm_mcap_get_metadata(reader, "run", "title")};
    run->vehicles = fm_alloc(VEHICLES_MOST * sizeof *run->vehicles);
    if (!run->vehicles)
        return out_of_memory(error);
    const fm_mcap_channel *scene = fm_mcap_find_channel(reader, "/scene"),
                          *events = fm_mcap_find_channel(reader, "/events");
    fm_status status = FM_OK;
    if (scene && is_type(scene, "fathom_msgs/msg/Scene"))
        status = each_message(reader, scene, run, NULL, take_scene, error);
    if (status == FM_OK && events && is_type(events, "fathom_msgs/msg/Event"))
        status = each_message(reader, events, run, NULL, take_event, error);
    if (status == FM_OK)
        status = read_kind(reader, run, "/odom", "nav_msgs/msg/Odometry", take_odometry, error);
    if (status == FM_OK)
        status = read_kind(reader, run, "/actuators", "fathom_msgs/msg/ActuatorState", take_actuators, error);
    if (status == FM_OK)
        status = read_kind(reader, run, "/wrench", "geometry_msgs/msg/WrenchStamped", take_wrench, error);
    if (status == FM_OK && !run->vehicle_count)
        status = fm_fail(error, FM_ERR_MISSING,
                         "no vehicle in this log: no channel …/odom of type nav_msgs/msg/Odometry has messages");
    return status;
}
