/* What ground stations ask of a vehicle, except for commands: sticks, guided points, missions, parameters, the time. */
#include "bridges/mavlink/mavlink_request.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "world/inputs.h"
#include "world/world.h"

enum { QUIET = 5000 /* ms between two reports of the same kind */ };

static const fm_mav_params *params_of(const fm_mav_request *r)
{
    const fm_slot *slot = &r->world->slots[r->system->slot];
    return &r->ground->params[slot->vehicle->type];
}

fm_status fm_mav_request_check(const fm_mav_request *r, fm_error *error)
{
    if (!r->trusted)
        return fm_fail(error, FM_ERR_STATE, "this station is not verified: it must answer PING");
    if (!r->named)
        return fm_fail(error, FM_ERR_ARGUMENT, "orders to all vehicles are not supported: name one system");
    return FM_OK;
}

/* --- sticks and guided points, which have no acknowledgement --- */

/* Stations repeat these messages: the reason is given now and then. */
static void report(const fm_mav_request *r, fm_status status, const fm_error *error)
{
    if (status == FM_OK || (r->system->reported && r->peer.now - r->system->reported < QUIET))
        return;
    r->system->reported = r->peer.now;
    fm_mav_outbox_text(r->out, FM_MAV_WARNING, error->text);
}

static double stick(int16_t value)
{
    return value == INT16_MAX ? 0 : fmin(fmax(value * 1e-3, -1), 1);
}

static void take_sticks(const fm_mav_request *r)
{
    enum { PITCH = 1, ROLL = 2 };
    fm_mav_manual_control m;
    fm_error error = {0};
    fm_mav_manual_control_read(r->frame, &m);
    const int boat = r->system->flight.boat;
    const double ahead = stick(m.x) + (boat ? stick(m.z) : 0);
    const double sticks[FM_MAV_STICKS] = {fmin(fmax(ahead, -1), 1),
                                          stick(m.y),
                                          boat ? 0 : -stick(m.z),
                                          m.enabled_extensions & ROLL ? stick(m.t) : 0,
                                          m.enabled_extensions & PITCH ? stick(m.s) : 0,
                                          stick(m.r)};
    fm_status status = fm_mav_request_check(r, &error);
    if (status == FM_OK)
        status = fm_mav_flight_move_sticks(&r->system->flight, r->world, sticks, &error);
    report(r, status, &error);
}

static void refuse_sticks(const fm_mav_request *r, const char *name, const char *instead)
{
    fm_error error = {0};
    report(r, fm_fail(&error, FM_ERR_MODEL, "%s is not supported: send %s", name, instead), &error);
}

static void take_target(const fm_mav_request *r)
{
    fm_mav_flight *f = &r->system->flight;
    fm_mav_target target;
    fm_error error = {0};
    fm_status status = fm_mav_request_check(r, &error);
    if (status == FM_OK && r->frame->id == FM_MAV_ID_SET_POSITION_TARGET_LOCAL_NED) {
        fm_mav_set_position_target_local_ned m;
        fm_mav_set_position_target_local_ned_read(r->frame, &m);
        status = fm_mav_aim_local(f, r->world, &m, &target, &error);
    } else if (status == FM_OK) {
        fm_mav_set_position_target_global_int m;
        fm_mav_set_position_target_global_int_read(r->frame, &m);
        status = fm_mav_aim_global(&r->ground->origin, &m, &target, &error);
    }
    if (status == FM_OK)
        status = fm_mav_flight_aim(f, r->world, &target, &error);
    report(r, status, &error);
}

/* --- parameters --- */

static void say_value(const fm_mav_request *r, size_t i, double value)
{
    const fm_mav_params *p = params_of(r);
    fm_mav_param_value m = {.param_value = (float)value,
                            .param_count = (uint16_t)p->count,
                            .param_index = (uint16_t)i,
                            .param_type = FM_MAV_PARAM_REAL32};
    memcpy(m.param_id, p->list[i].name, sizeof m.param_id);
    FM_MAV_PUT(r->out, param_value, &m);
}

static void say_parameter(const fm_mav_request *r, size_t i)
{
    say_value(r, i, fm_mav_params_get(params_of(r), i, r->world, r->system->flight.name, r->out->system));
}

enum { UNKNOWN = 1, OUT_OF_RANGE = 2, NOT_PERMITTED = 3, READ_ONLY = 5 }; /* MAV_PARAM_ERROR */

/* By PARAM_ERROR, and for stations that do not know it by a text. */
static void refuse_parameter(const fm_mav_request *r, const char *name, int index, int code, const char *text)
{
    fm_mav_param_error m = {.param_index = (int16_t)index,
                            .target_system = r->peer.system,
                            .target_component = r->peer.component,
                            .error = (uint8_t)code};
    memcpy(m.param_id, name, strnlen(name, sizeof m.param_id - 1));
    FM_MAV_PUT(r->out, param_error, &m);
    fm_mav_outbox_text(r->out, FM_MAV_WARNING, text);
}

static void refuse_unknown(const fm_mav_request *r, const char *name, int index)
{
    char text[64];
    snprintf(text, sizeof text, "no parameter %s", index >= 0 ? "with this index" : name);
    refuse_parameter(r, name, index, UNKNOWN, text);
}

static void read_parameter(const fm_mav_request *r)
{
    fm_mav_param_request_read m;
    fm_mav_param_request_read_read(r->frame, &m);
    const int i = m.param_index >= 0 ? m.param_index : fm_mav_params_find(params_of(r), m.param_id);
    if (i >= 0 && (size_t)i < params_of(r)->count)
        say_parameter(r, (size_t)i);
    else
        refuse_unknown(r, m.param_id, m.param_index);
}

static fm_status try_parameter(const fm_mav_request *r, size_t i, double value, fm_error *error)
{
    fm_status status = fm_mav_request_check(r, error);
    return status == FM_OK ? fm_mav_params_set(params_of(r), i, r->world, r->system->flight.name, value, error)
                           : status;
}

static void set_parameter(const fm_mav_request *r)
{
    fm_mav_param_set m;
    fm_error error = {0};
    fm_mav_param_set_read(r->frame, &m);
    const int i = fm_mav_params_find(params_of(r), m.param_id);
    if (i < 0) {
        refuse_unknown(r, m.param_id, -1);
        return;
    }
    const fm_status status = try_parameter(r, (size_t)i, (double)m.param_value, &error);
    if (status == FM_OK) {
        say_value(r, (size_t)i, (double)m.param_value);
        return;
    }
    const int own = !params_of(r)->list[i].path;
    refuse_parameter(r, m.param_id, i,
                     own                      ? READ_ONLY
                     : status == FM_ERR_RANGE ? OUT_OF_RANGE
                                              : NOT_PERMITTED,
                     error.text);
    say_parameter(r, (size_t)i);
}

/* --- missions, time, files --- */

/* Questions are free; changes are orders. */
static int changes_mission(const fm_mav_frame *frame)
{
    switch (frame->id) {
    case FM_MAV_ID_MISSION_COUNT:
    case FM_MAV_ID_MISSION_ITEM:
    case FM_MAV_ID_MISSION_ITEM_INT:
    case FM_MAV_ID_MISSION_CLEAR_ALL:
    case FM_MAV_ID_MISSION_SET_CURRENT:
    case FM_MAV_ID_MISSION_WRITE_PARTIAL_LIST: return 1;
    default: return 0;
    }
}

static void answer_mission(const fm_mav_request *r)
{
    fm_error error = {0};
    if (changes_mission(r->frame) && fm_mav_request_check(r, &error) != FM_OK) {
        FM_MAV_SAY(
            r->out, mission_ack,
            {.target_system = r->peer.system, .target_component = r->peer.component, .type = FM_MAV_MISSION_DENIED});
        fm_mav_outbox_text(r->out, FM_MAV_WARNING, error.text);
        return;
    }
    fm_mav_mission_answer(&r->system->mission, &r->system->flight, r->world, r->frame, &r->peer, r->out);
}

static void answer_time(const fm_mav_request *r)
{
    fm_mav_timesync m;
    fm_mav_timesync_read(r->frame, &m);
    if (m.tc1 != 0)
        return; /* an answer itself */
    FM_MAV_SAY(r->out, timesync,
               {.tc1 = (int64_t)floor(fm_world_time(r->world) * 1e9 + 0.5),
                .ts1 = m.ts1,
                .target_system = r->peer.system,
                .target_component = r->peer.component});
}

/* Files are not supported: every request is refused with the error "unknown command". */
static void refuse_file(const fm_mav_request *r)
{
    enum {
        SEQUENCE = 0,
        SESSION = 2,
        OPCODE = 3,
        SIZE = 4,
        REQUEST = 5,
        DATA = 12,
        ACK = 128,
        NAK = 129,
        NO_COMMAND = 7
    };
    fm_mav_file_transfer_protocol m, answer = {.target_system = r->peer.system, .target_component = r->peer.component};
    fm_mav_file_transfer_protocol_read(r->frame, &m);
    if (m.payload[OPCODE] == ACK || m.payload[OPCODE] == NAK)
        return;
    const unsigned sequence = (m.payload[SEQUENCE] | (unsigned)m.payload[SEQUENCE + 1] << 8) + 1;
    answer.payload[SEQUENCE] = (uint8_t)sequence;
    answer.payload[SEQUENCE + 1] = (uint8_t)(sequence >> 8);
    answer.payload[SESSION] = m.payload[SESSION];
    answer.payload[OPCODE] = NAK;
    answer.payload[SIZE] = 1;
    answer.payload[REQUEST] = m.payload[OPCODE];
    answer.payload[DATA] = NO_COMMAND;
    FM_MAV_PUT(r->out, file_transfer_protocol, &answer);
}

/* --- one frame --- */

static void answer(const fm_mav_request *r)
{
    switch (r->frame->id) {
    case FM_MAV_ID_MANUAL_CONTROL: take_sticks(r); break;
    case FM_MAV_ID_SET_POSITION_TARGET_LOCAL_NED:
    case FM_MAV_ID_SET_POSITION_TARGET_GLOBAL_INT: take_target(r); break;
    case FM_MAV_ID_PARAM_REQUEST_LIST:
        for (size_t i = 0; i < params_of(r)->count; i++)
            say_parameter(r, i);
        break;
    case FM_MAV_ID_PARAM_REQUEST_READ: read_parameter(r); break;
    case FM_MAV_ID_PARAM_SET: set_parameter(r); break;
    case FM_MAV_ID_TIMESYNC: answer_time(r); break;
    case FM_MAV_ID_FILE_TRANSFER_PROTOCOL: refuse_file(r); break;
    case FM_MAV_ID_LOG_REQUEST_LIST: FM_MAV_SAY(r->out, log_entry, {.num_logs = 0}); break;
    case FM_MAV_ID_RC_CHANNELS_OVERRIDE: refuse_sticks(r, "RC_CHANNELS_OVERRIDE", "MANUAL_CONTROL"); break;
    case FM_MAV_ID_SET_ATTITUDE_TARGET: refuse_sticks(r, "SET_ATTITUDE_TARGET", "SET_POSITION_TARGET_LOCAL_NED"); break;
    default:
        if (!fm_mav_command_answer(r))
            answer_mission(r);
    }
}

static void wait_for_items(fm_mav_ground *g, uint64_t now, fm_mav_outbox *out)
{
    for (size_t i = 0; i < g->count; i++) {
        out->system = g->systems[i].sender.system;
        fm_mav_mission_wait(&g->systems[i].mission, now, out);
    }
}

void fm_mav_request_answer(fm_mav_ground *g, fm_run *run, const fm_mav_errand *e, fm_mav_outbox *out)
{
    unsigned target, component;
    fm_world *world = fm_run_world(run);
    if (!e->framed) {
        wait_for_items(g, e->now, out);
        return;
    }
    fm_mav_frame_target(&e->frame, &target, &component);
    for (size_t i = 0; i < g->count; i++) {
        fm_mav_system *s = &g->systems[i];
        if (target != 0 && target != s->sender.system)
            continue;
        fm_mav_system_meet(s, world);
        if (!s->flight.type)
            continue;
        out->system = s->sender.system;
        const fm_mav_request r = {.ground = g,
                                  .system = s,
                                  .run = run,
                                  .world = world,
                                  .frame = &e->frame,
                                  .peer = {e->frame.system, e->frame.component, e->from, e->now},
                                  .trusted = e->trusted,
                                  .named = target != 0 || g->count == 1,
                                  .out = out};
        answer(&r);
    }
}

void fm_mav_system_meet(fm_mav_system *s, const fm_world *world)
{
    if (fm_mav_flight_meet(&s->flight, world, s->slot))
        fm_mav_mission_forget(&s->mission);
}
