#include "bridges/mavlink/mavlink_mission.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "world/inputs.h"

enum { PATIENCE = 1500 /* ms */, TRIES = 5, ITEMS_MOST = 4000 };

static void drop_upload(fm_mav_mission *m)
{
    fm_free(m->upload.items);
    m->upload = (fm_mav_upload){.open = 0};
}

static void drop_items(fm_mav_mission *m)
{
    fm_free(m->items);
    fm_free(m->list);
    fm_free(m->scratch);
    m->items = NULL;
    m->list = m->scratch = NULL;
    m->count = m->list_count = m->first = 0;
    m->known = 0;
}

void fm_mav_mission_free(fm_mav_mission *m)
{
    drop_upload(m);
    drop_items(m);
}

void fm_mav_mission_forget(fm_mav_mission *m)
{
    fm_mav_mission_free(m);
    m->target = 0;
    m->done = 0;
}

/* --- the vehicle's list --- */

static double live_of(const fm_world *world, const char *vehicle, const char *list, const char *what)
{
    char path[128];
    double value = NAN;
    snprintf(path, sizeof path, "/%s/%.60s/%s", vehicle, list, what);
    fm_world_get(world, path, &value, NULL);
    return value;
}

static int is_same(const fm_waypoint *a, const fm_waypoint *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (memcmp(a[i].position, b[i].position, sizeof a->position) != 0 || a[i].speed != b[i].speed ||
            a[i].hold != b[i].hold)
            return 0;
    return 1;
}

/* Whether the vehicle still has the waypoints of the items; before they were applied it need not. */
static int is_mirrored(const fm_mav_mission *m, const fm_mav_flight *f, const fm_world *world)
{
    if (!m->known || fm_world_steps(world) <= m->since)
        return m->known;
    const size_t rest = m->list_count - m->first;
    if (fm_world_waypoints(world, f->name, NULL, NULL, 0) != rest)
        return 0;
    if (rest == 0)
        return 1;
    fm_world_waypoints(world, f->name, NULL, m->scratch, rest);
    return is_same(m->scratch, m->list + m->first, rest);
}

static int make_list(fm_mav_mission *m, size_t count)
{
    m->list = fm_alloc((count + 1) * sizeof *m->list);
    m->scratch = fm_alloc((count + 1) * sizeof *m->scratch);
    return m->list && m->scratch;
}

/* Items are those that a station has sent; another source of waypoints replaces them. */
static void mirror(fm_mav_mission *m, const fm_mav_flight *f, const fm_world *world)
{
    const char *name = fm_world_waypoint_list(world, f->name, NULL);
    if (is_mirrored(m, f, world))
        return;
    drop_items(m);
    m->known = 1;
    m->since = fm_world_steps(world);
    const size_t count = fm_world_waypoints(world, f->name, NULL, NULL, 0);
    if (!name || !count || !make_list(m, count))
        return;
    m->list_count = fm_world_waypoints(world, f->name, NULL, m->list, count);
    m->items = fm_mav_items_write(m->list, m->list_count, live_of(world, f->name, name, "speed"),
                                  live_of(world, f->name, name, "radius"), &m->origin, &m->count);
}

static fm_status put_list(const fm_mav_flight *f, fm_world *world, const fm_waypoint *list, size_t count,
                          fm_error *error)
{
    fm_input input;
    fm_status status =
        fm_mav_submit(world, fm_input_begin(&input, FM_COMMAND_WAYPOINTS_CLEAR, f->name, NULL, error), &input, error);
    for (size_t i = 0; i < count && status == FM_OK; i++)
        status = fm_mav_submit(world, fm_input_waypoint(&input, f->name, NULL, -1, &list[i], error), &input, error);
    return status;
}

/* All of the waypoints, or the old ones again. */
static fm_status replace_list(fm_mav_mission *m, const fm_mav_flight *f, fm_world *world, const fm_waypoint *list,
                              size_t count, fm_error *error)
{
    if (!fm_world_waypoint_list(world, f->name, NULL))
        return fm_fail(error, FM_ERR_NAME, "'%s' has no <waypoints>", f->name);
    const size_t old_count = fm_world_waypoints(world, f->name, NULL, NULL, 0);
    fm_waypoint *old = fm_alloc((old_count + 1) * sizeof *old);
    if (!old)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for %zu waypoints", old_count);
    fm_world_waypoints(world, f->name, NULL, old, old_count);
    fm_status status = put_list(f, world, list, count, error);
    if (status != FM_OK)
        put_list(f, world, old, old_count, NULL);
    fm_free(old);
    m->since = fm_world_steps(world);
    m->target = 0;
    m->done = 0;
    return status;
}

/* --- items and waypoints --- */

/* The waypoint that an item leads to: its own, or the next one. */
static size_t waypoint_of(const fm_mav_mission *m, size_t seq)
{
    size_t count = 0;
    for (size_t i = 0; i < seq; i++)
        count += (size_t)fm_mav_items_goes(&m->items[i]);
    return count;
}

static int item_of(const fm_mav_mission *m, size_t waypoint)
{
    size_t count = 0;
    for (size_t i = 0; i < m->count; i++)
        if (fm_mav_items_goes(&m->items[i]) && count++ == waypoint)
            return (int)i;
    return -1;
}

fm_status fm_mav_mission_go_to(fm_mav_mission *m, fm_mav_flight *f, fm_world *world, size_t seq, fm_error *error)
{
    mirror(m, f, world);
    const size_t to = seq < m->count ? waypoint_of(m, seq) : m->list_count;
    if (to >= m->list_count)
        return fm_fail(error, FM_ERR_RANGE, "item %zu of '%s' leads to no waypoint: the mission has %zu items", seq,
                       f->name, m->count);
    fm_status status = replace_list(m, f, world, m->list + to, m->list_count - to, error);
    m->first = status == FM_OK ? to : m->first;
    return status;
}

int fm_mav_mission_reach(fm_mav_mission *m, const fm_mav_flight *f, const fm_world *world, size_t number)
{
    const size_t count = fm_world_waypoints(world, f->name, NULL, NULL, 0);
    mirror(m, f, world);
    m->done = number >= count;
    m->target = m->done ? number - 1 : number;
    return item_of(m, m->first + number - 1);
}

void fm_mav_mission_now(fm_mav_mission *m, const fm_mav_flight *f, const fm_world *world, fm_mav_mission_current *now)
{
    enum { NO_MISSION = 1, NOT_STARTED, ACTIVE, PAUSED, COMPLETE };
    mirror(m, f, world);
    const int seq = item_of(m, m->first + m->target), follows = f->mode == FM_MAV_AUTO;
    *now = (fm_mav_mission_current){.seq = seq < 0 ? 0 : (uint16_t)seq,
                                    .total = (uint16_t)m->count,
                                    .mission_state = !m->count              ? NO_MISSION
                                                     : m->done              ? COMPLETE
                                                     : follows && f->armed  ? ACTIVE
                                                     : m->first + m->target ? PAUSED
                                                                            : NOT_STARTED,
                                    .mission_mode = follows ? 1 : 2};
}

/* --- the protocol --- */

static void acknowledge(const fm_mav_peer *peer, int result, uint8_t kind, fm_mav_outbox *out)
{
    FM_MAV_SAY(out, mission_ack,
               {.target_system = peer->system,
                .target_component = peer->component,
                .type = (uint8_t)result,
                .mission_type = kind});
}

/* The result of something that was tried, with the reason why not. */
static void conclude(const fm_mav_peer *peer, fm_status status, const fm_error *error, fm_mav_outbox *out)
{
    acknowledge(peer, fm_mav_mission_result(status), 0, out);
    if (status != FM_OK)
        fm_mav_outbox_text(out, FM_MAV_WARNING, error->text);
}

static void request(fm_mav_mission *m, uint64_t now, fm_mav_outbox *out)
{
    fm_mav_upload *u = &m->upload;
    u->asked = now;
    FM_MAV_SAY(out, mission_request_int,
               {.seq = (uint16_t)u->next, .target_system = u->peer.system, .target_component = u->peer.component});
}

/* Their acceptance radius, if they have one. */
static fm_status set_radius(const fm_mav_flight *f, fm_world *world, double radius, fm_error *error)
{
    fm_input input;
    char path[96];
    if (isnan(radius))
        return FM_OK;
    snprintf(path, sizeof path, "/%s/%.50s/radius", f->name, fm_world_waypoint_list(world, f->name, NULL));
    return fm_mav_submit(world, fm_input_value(&input, FM_COMMAND_SET, NULL, path, radius, error), &input, error);
}

/* The items of the upload become those of the mission; they are the vehicle's own from the next step on. */
static fm_status adopt(fm_mav_mission *m, fm_mav_mission *next, fm_mav_flight *f, fm_world *world, fm_error *error)
{
    fm_mav_upload *u = &m->upload;
    double radius = NAN;
    if (!make_list(next, u->count))
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for %zu waypoints", u->count);
    fm_status status = fm_mav_items_read(u->items, u->count, &m->origin, next->list, &next->list_count, &radius, error);
    if (status == FM_OK)
        status = replace_list(m, f, world, next->list, next->list_count, error);
    if (status == FM_OK)
        status = set_radius(f, world, radius, error);
    if (status != FM_OK)
        return status;
    drop_items(m);
    m->items = u->items;
    m->count = u->count;
    m->list = next->list;
    m->scratch = next->scratch;
    m->list_count = next->list_count;
    m->known = 1;
    u->items = NULL;
    *next = (fm_mav_mission){.count = 0};
    return FM_OK;
}

static void take_mission(fm_mav_mission *m, fm_mav_flight *f, fm_world *world, const fm_mav_peer *peer,
                         fm_mav_outbox *out)
{
    fm_error error = {0};
    fm_mav_mission next = {.count = 0};
    fm_status status = adopt(m, &next, f, world, &error);
    fm_mav_mission_free(&next);
    conclude(peer, status, &error, out);
    drop_upload(m);
}

static int is_partner(const fm_mav_upload *u, const fm_mav_peer *peer)
{
    return u->open && u->peer.system == peer->system && u->peer.component == peer->component &&
           fm_address_equal(&u->peer.from, &peer->from);
}

static void begin_upload(fm_mav_mission *m, fm_mav_flight *f, fm_world *world, const fm_mav_mission_count *c,
                         const fm_mav_peer *peer, fm_mav_outbox *out)
{
    if (m->upload.open && !is_partner(&m->upload, peer)) {
        acknowledge(peer, FM_MAV_MISSION_DENIED, 0, out);
        return;
    }
    drop_upload(m);
    if (c->count > ITEMS_MOST) {
        acknowledge(peer, FM_MAV_MISSION_NO_SPACE, 0, out);
        return;
    }
    m->upload = (fm_mav_upload){.open = 1, .peer = *peer, .count = c->count};
    m->upload.items = fm_alloc((c->count + 1u) * sizeof *m->upload.items);
    if (!m->upload.items) {
        acknowledge(peer, FM_MAV_MISSION_ERROR, 0, out);
        drop_upload(m);
    } else if (c->count == 0)
        take_mission(m, f, world, peer, out);
    else
        request(m, peer->now, out);
}

static void take_item(fm_mav_mission *m, fm_mav_flight *f, fm_world *world, const fm_mav_mission_item_int *item,
                      const fm_mav_peer *peer, fm_mav_outbox *out)
{
    fm_mav_upload *u = &m->upload;
    if (!is_partner(u, peer) || item->seq > u->next) {
        acknowledge(peer, FM_MAV_MISSION_SEQUENCE, item->mission_type, out);
        return;
    }
    if (item->seq < u->next)
        return; /* the answer to a repeated request */
    u->items[u->next++] = *item;
    u->tries = 0;
    if (u->next == u->count)
        take_mission(m, f, world, peer, out);
    else
        request(m, peer->now, out);
}

static void give_item(fm_mav_mission *m, const fm_mav_flight *f, const fm_world *world, size_t seq,
                      const fm_mav_peer *peer, fm_mav_outbox *out)
{
    mirror(m, f, world);
    if (seq >= m->count) {
        acknowledge(peer, FM_MAV_MISSION_SEQUENCE, 0, out);
        return;
    }
    fm_mav_mission_item_int item = m->items[seq];
    fm_mav_mission_current now;
    fm_mav_mission_now(m, f, world, &now);
    item.target_system = peer->system;
    item.target_component = peer->component;
    item.current = now.seq == seq;
    FM_MAV_PUT(out, mission_item_int, &item);
}

static void give_count(fm_mav_mission *m, const fm_mav_flight *f, const fm_world *world, uint8_t kind,
                       const fm_mav_peer *peer, fm_mav_outbox *out)
{
    mirror(m, f, world);
    FM_MAV_SAY(out, mission_count,
               {.count = kind == 0 ? (uint16_t)m->count : 0,
                .target_system = peer->system,
                .target_component = peer->component,
                .mission_type = kind});
}

static void clear(fm_mav_mission *m, fm_mav_flight *f, fm_world *world, const fm_mav_peer *peer, fm_mav_outbox *out)
{
    fm_error error = {0};
    fm_status status = replace_list(m, f, world, NULL, 0, &error);
    if (status == FM_OK) {
        drop_items(m);
        m->known = 1;
    }
    conclude(peer, status, &error, out);
}

static void set_current(fm_mav_mission *m, fm_mav_flight *f, fm_world *world, size_t seq, fm_mav_outbox *out)
{
    fm_error error = {0};
    fm_mav_mission_current now;
    if (fm_mav_mission_go_to(m, f, world, seq, &error) != FM_OK)
        fm_mav_outbox_text(out, FM_MAV_WARNING, error.text);
    fm_mav_mission_now(m, f, world, &now);
    FM_MAV_PUT(out, mission_current, &now);
}

/* Fences and rally points: there are none. */
static int refuse_kind(const fm_mav_frame *frame, uint8_t kind, const fm_mav_peer *peer, fm_mav_outbox *out)
{
    const int clears_all = frame->id == FM_MAV_ID_MISSION_CLEAR_ALL && kind == UINT8_MAX;
    if (kind == 0 || clears_all || frame->id == FM_MAV_ID_MISSION_REQUEST_LIST)
        return 0;
    acknowledge(peer, FM_MAV_MISSION_UNSUPPORTED, kind, out);
    return 1;
}

typedef union message {
    fm_mav_mission_count count;
    fm_mav_mission_item_int item;
    fm_mav_mission_item old_item;
    fm_mav_mission_request_int request;
    fm_mav_mission_request old_request;
    fm_mav_mission_request_list list;
    fm_mav_mission_clear_all clear;
    fm_mav_mission_set_current current;
    fm_mav_mission_ack ack;
    fm_mav_mission_write_partial_list part;
    fm_mav_mission_request_partial_list asked;
} message;

/* Its kind of mission; -1: a message of another protocol. */
static int read_message(const fm_mav_frame *frame, message *m)
{
    switch (frame->id) {
    case FM_MAV_ID_MISSION_COUNT: return fm_mav_mission_count_read(frame, &m->count), m->count.mission_type;
    case FM_MAV_ID_MISSION_ITEM_INT: return fm_mav_mission_item_int_read(frame, &m->item), m->item.mission_type;
    case FM_MAV_ID_MISSION_ITEM: return fm_mav_mission_item_read(frame, &m->old_item), m->old_item.mission_type;
    case FM_MAV_ID_MISSION_REQUEST_INT:
        return fm_mav_mission_request_int_read(frame, &m->request), m->request.mission_type;
    case FM_MAV_ID_MISSION_REQUEST: /* the same bytes */
        return fm_mav_mission_request_int_read(frame, &m->request), m->request.mission_type;
    case FM_MAV_ID_MISSION_REQUEST_LIST: return fm_mav_mission_request_list_read(frame, &m->list), m->list.mission_type;
    case FM_MAV_ID_MISSION_CLEAR_ALL: return fm_mav_mission_clear_all_read(frame, &m->clear), m->clear.mission_type;
    case FM_MAV_ID_MISSION_SET_CURRENT: return fm_mav_mission_set_current_read(frame, &m->current), 0;
    case FM_MAV_ID_MISSION_ACK: return fm_mav_mission_ack_read(frame, &m->ack), 0;
    case FM_MAV_ID_MISSION_WRITE_PARTIAL_LIST:
        return fm_mav_mission_write_partial_list_read(frame, &m->part), m->part.mission_type;
    case FM_MAV_ID_MISSION_REQUEST_PARTIAL_LIST:
        return fm_mav_mission_request_partial_list_read(frame, &m->asked), m->asked.mission_type;
    default: return -1;
    }
}

int fm_mav_mission_answer(fm_mav_mission *m, fm_mav_flight *f, fm_world *world, const fm_mav_frame *frame,
                          const fm_mav_peer *peer, fm_mav_outbox *out)
{
    message what;
    const int kind = read_message(frame, &what);
    if (kind < 0)
        return 0;
    if (refuse_kind(frame, (uint8_t)kind, peer, out))
        return 1;
    switch (frame->id) {
    case FM_MAV_ID_MISSION_COUNT: begin_upload(m, f, world, &what.count, peer, out); break;
    case FM_MAV_ID_MISSION_ITEM_INT: take_item(m, f, world, &what.item, peer, out); break;
    case FM_MAV_ID_MISSION_REQUEST:
    case FM_MAV_ID_MISSION_REQUEST_INT: give_item(m, f, world, what.request.seq, peer, out); break;
    case FM_MAV_ID_MISSION_REQUEST_LIST: give_count(m, f, world, (uint8_t)kind, peer, out); break;
    case FM_MAV_ID_MISSION_CLEAR_ALL: clear(m, f, world, peer, out); break;
    case FM_MAV_ID_MISSION_SET_CURRENT: set_current(m, f, world, what.current.seq, out); break;
    case FM_MAV_ID_MISSION_ACK: /* of a download, or an upload is called off */
        if (is_partner(&m->upload, peer))
            drop_upload(m);
        break;
    default: acknowledge(peer, FM_MAV_MISSION_UNSUPPORTED, (uint8_t)kind, out);
    }
    return 1;
}

void fm_mav_mission_wait(fm_mav_mission *m, uint64_t now, fm_mav_outbox *out)
{
    fm_mav_upload *u = &m->upload;
    if (!u->open || now - u->asked < PATIENCE)
        return;
    if (++u->tries <= TRIES) {
        request(m, now, out);
        return;
    }
    acknowledge(&u->peer, FM_MAV_MISSION_CANCELLED, 0, out);
    drop_upload(m);
}
