#include "page/player_overlay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "physics/real.h"
#include "telemetry/frames.h"
#include "telemetry/schema.h"

/* One vehicle. */
typedef struct laid {
    fm_overlay *overlay;
    uint16_t channel; /* of the recording: its odometry */
    int numbers[FM_OVERLAY_TOPICS];
    uint64_t count; /* samples so far */
} laid;

enum { MOST = 64, BYTES = 4096 };

struct fm_player_overlay {
    fm_hub *hub;
    laid all[MOST];
    size_t count;
};

static int is_odometry(const fm_mcap_channel *c)
{
    size_t length = strlen(c->topic);
    return c->schema && strcmp(c->schema->name, "nav_msgs/msg/Odometry") == 0 && length > 6 && c->topic[0] == '/' &&
           strcmp(c->topic + length - 5, "/odom") == 0 && strchr(c->topic + 1, '/') == c->topic + length - 5;
}

/* The channel of the vehicle; if the overlay has no vehicle yet, that of the first, whose name it then takes. */
static const fm_mcap_channel *find_channel(fm_overlay *o, const fm_mcap_reader *recording)
{
    char topic[64];
    for (size_t i = 0; i < fm_mcap_channel_count(recording); i++) {
        const fm_mcap_channel *c = fm_mcap_channel_at(recording, i);
        if (!is_odometry(c))
            continue;
        if (!o->vehicle[0])
            snprintf(o->vehicle, sizeof o->vehicle, "%.*s", (int)(strlen(c->topic) - 6), c->topic + 1);
        snprintf(topic, sizeof topic, "/%s/odom", o->vehicle);
        if (strcmp(topic, c->topic) == 0)
            return c;
    }
    return NULL;
}

static fm_status add_channels(laid *l, fm_hub *hub, fm_error *error)
{
    char topic[128], *schema = fm_schema_text(&fm_msg_values_type);
    int ok = schema != NULL;
    for (int i = 0; i < FM_OVERLAY_TOPICS && ok; i++) {
        fm_overlay_name(l->overlay, (fm_overlay_topic)i, topic, sizeof topic);
        l->numbers[i] =
            fm_hub_add(hub, &(fm_hub_channel){topic, "cdr", "fathom_msgs/msg/Values", schema, "ros2msg", 0});
        ok = l->numbers[i] >= 0;
    }
    fm_free(schema);
    return ok ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "out of memory for an overlay");
}

static fm_status lay(fm_player_overlay *p, fm_overlay *o, const fm_mcap_reader *recording, fm_error *error)
{
    char topic[128];
    if (p->count == MOST)
        return fm_overlay_free(o), fm_fail(error, FM_ERR_FULL, "more than %d overlays", MOST);
    laid *l = &p->all[p->count++];
    l->overlay = o;
    const fm_mcap_channel *channel = find_channel(o, recording);
    if (!channel)
        return fm_fail(error, FM_ERR_NAME, "overlay: no vehicle '%s' in the recording", o->vehicle);
    fm_overlay_name(o, FM_OVERLAY_MEASURED, topic, sizeof topic);
    if (fm_mcap_find_channel(recording, topic))
        return fm_fail(error, FM_ERR_NAME, "overlay: the recording has telemetry of '%s' already", o->vehicle);
    l->channel = channel->id;
    return add_channels(l, p->hub, error);
}

fm_player_overlay *fm_player_overlay_open(fm_overlay *overlays, const fm_mcap_reader *recording, fm_hub *hub,
                                          fm_error *error)
{
    fm_player_overlay *p = overlays ? fm_alloc(sizeof *p) : NULL;
    fm_status status = p || !overlays ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "out of memory for an overlay");
    if (p)
        p->hub = hub;
    for (fm_overlay *o = overlays, *next; o; o = next) {
        next = o->next;
        if (status == FM_OK)
            status = lay(p, o, recording, error);
        else
            fm_overlay_free(o);
    }
    if (status == FM_OK)
        return p;
    fm_player_overlay_close(p);
    return NULL;
}

void fm_player_overlay_close(fm_player_overlay *p)
{
    for (size_t i = 0; p && i < p->count; i++)
        fm_overlay_free(p->all[i].overlay);
    fm_free(p);
}

/* Values of an odometry; it does not contain the velocity of the water. */
static void read_motion(const fm_msg_odometry *o, fm_kinematics *m)
{
    const fm_msg_point p = o->pose.pose.position;
    const fm_msg_vector3 v = o->twist.twist.linear, w = o->twist.twist.angular;
    double q[4];
    fm_ned_attitude_from_enu(o->pose.pose.orientation, q);
    double sine = 2 * (q[0] * q[2] - q[3] * q[1]);
    fm_kinematics_clear(m);
    m->values[FM_KINEMATICS_NORTH] = p.y;
    m->values[FM_KINEMATICS_EAST] = p.x;
    m->values[FM_KINEMATICS_DEPTH] = -p.z;
    m->values[FM_KINEMATICS_ROLL] = fm_atan2(2 * (q[0] * q[1] + q[2] * q[3]), 1 - 2 * (q[1] * q[1] + q[2] * q[2]));
    m->values[FM_KINEMATICS_PITCH] = fm_atan2(sine, sqrt(fmax(0, 1 - sine * sine)));
    m->values[FM_KINEMATICS_HEADING] = fm_atan2(2 * (q[0] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] * q[2] + q[3] * q[3]));
    m->values[FM_KINEMATICS_SURGE] = v.x;
    m->values[FM_KINEMATICS_SWAY] = -v.y;
    m->values[FM_KINEMATICS_HEAVE] = -v.z;
    m->values[FM_KINEMATICS_ROLL_RATE] = w.x;
    m->values[FM_KINEMATICS_PITCH_RATE] = -w.y;
    m->values[FM_KINEMATICS_YAW_RATE] = -w.z;
}

static void publish(const fm_player_overlay *p, const laid *l, fm_overlay_topic topic, uint64_t time)
{
    double values[FM_OVERLAY_VALUES];
    uint8_t bytes[BYTES];
    fm_msg_values message = fm_overlay_message(l->overlay, topic, time, values);
    size_t size = fm_message_encode(&fm_msg_values_type, &message, bytes, sizeof bytes);
    if (size)
        fm_hub_publish(p->hub, &(fm_hub_message){(uint32_t)l->numbers[topic], time, bytes, size});
}

static void tell(const fm_player_overlay *p, laid *l, const fm_mcap_message *m)
{
    fm_arena arena = {0};
    fm_msg_odometry odometry;
    fm_error ignored = {0};
    fm_kinematics model;
    uint64_t before = l->overlay->reading.number;
    fm_status status = fm_message_decode(&fm_msg_odometry_type, m->data, m->size, &odometry, &arena, &ignored);
    if (status == FM_OK) {
        read_motion(&odometry, &model);
        fm_overlay_take(l->overlay, &model, 1e-9 * (double)m->time, l->count++);
        publish(p, l, FM_OVERLAY_MODEL, m->time);
    }
    fm_arena_free(&arena);
    if (status != FM_OK || l->overlay->reading.number == before)
        return;
    publish(p, l, FM_OVERLAY_MEASURED, m->time);
    publish(p, l, FM_OVERLAY_DIFFERENCE, m->time);
}

void fm_player_overlay_take(fm_player_overlay *p, const fm_mcap_message *m)
{
    for (size_t i = 0; p && i < p->count; i++)
        if (p->all[i].channel == m->channel)
            tell(p, &p->all[i], m);
}
