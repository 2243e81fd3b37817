/* Commands of ground stations, modes, and the messages that they request. */
#include <math.h>
#include <string.h>

#include "bridges/mavlink/mavlink_request.h"
#include "physics/angle.h"
#include "run/run.h"
#include "world/world.h"

enum { RESULT_ACCEPTED, RESULT_LATER, RESULT_DENIED, RESULT_UNSUPPORTED }; /* MAV_RESULT */

/* MAV_CMD. */
enum {
    DO_SET_MODE = 176,
    DO_CHANGE_SPEED = 178,
    DO_REPOSITION = 192,
    DO_PAUSE_CONTINUE = 193,
    DO_SET_MISSION_CURRENT = 224,
    DO_SET_STANDARD_MODE = 262,
    MISSION_START = 300,
    COMPONENT_ARM_DISARM = 400
};

/* --- what a station may know --- */

static void say_version(const fm_mav_request *r)
{
    enum { PARAM_FLOAT = 2, MISSION_INT = 4, COMMAND_INT = 8, LOCAL_NED = 128, GLOBAL_INT = 256, MAVLINK2 = 8192 };
    FM_MAV_SAY(r->out, autopilot_version,
               {.capabilities = PARAM_FLOAT | MISSION_INT | COMMAND_INT | LOCAL_NED | GLOBAL_INT | MAVLINK2,
                .uid = 0xFA740000u + r->out->system});
}

static void say_home(const fm_mav_request *r)
{
    const double unit = FM_DEGREE * 1e-7;
    const fm_geodetic *origin = &r->ground->origin;
    FM_MAV_SAY(r->out, home_position,
               {.latitude = (int32_t)floor(origin->latitude / unit + 0.5),
                .longitude = (int32_t)floor(origin->longitude / unit + 0.5),
                .q = {1, 0, 0, 0}});
}

static uint32_t number_of(const fm_mav_request *r, fm_mav_mode mode)
{
    return fm_mav_mode_number(r->ground->dialect, r->system->flight.boat, mode);
}

static void say_mode(const fm_mav_request *r, int index)
{
    enum { NOT_SELECTABLE = 2 };
    const fm_mav_mode mode = (fm_mav_mode)(index - 1);
    const int possible = fm_mav_flight_check(&r->system->flight, r->world, mode, NULL) == FM_OK;
    fm_mav_available_modes m = {.custom_mode = number_of(r, mode),
                                .properties = possible ? 0 : NOT_SELECTABLE,
                                .number_modes = FM_MAV_MODES,
                                .mode_index = (uint8_t)index,
                                .standard_mode = fm_mav_mode_standard(mode)};
    strcpy(m.mode_name, fm_mav_mode_name(mode));
    FM_MAV_PUT(r->out, available_modes, &m);
}

static int say_modes(const fm_mav_request *r, double index)
{
    if (!(index >= 0 && index <= FM_MAV_MODES))
        return 0;
    for (int i = 1; i <= FM_MAV_MODES; i++)
        if (index == 0 || index == i)
            say_mode(r, i);
    return 1;
}

static void say_current_mode(const fm_mav_request *r)
{
    const fm_mav_mode mode = r->system->flight.mode;
    FM_MAV_SAY(r->out, current_mode,
               {.custom_mode = number_of(r, mode),
                .intended_custom_mode = number_of(r, mode),
                .standard_mode = fm_mav_mode_standard(mode)});
}

static void say_mission(const fm_mav_request *r)
{
    fm_mav_mission_current now;
    fm_mav_mission_now(&r->system->mission, &r->system->flight, r->world, &now);
    FM_MAV_PUT(r->out, mission_current, &now);
}

/* A message that can be requested; 0: unsupported. */
static int say_message(const fm_mav_request *r, double id, double index)
{
    if (id == FM_MAV_ID_AUTOPILOT_VERSION)
        say_version(r);
    else if (id == FM_MAV_ID_HOME_POSITION)
        say_home(r);
    else if (id == FM_MAV_ID_AVAILABLE_MODES)
        return say_modes(r, index);
    else if (id == FM_MAV_ID_CURRENT_MODE)
        say_current_mode(r);
    else if (id == FM_MAV_ID_MISSION_CURRENT)
        say_mission(r);
    else
        return 0;
    return 1;
}

/* --- commands --- */

/* COMMAND_LONG and COMMAND_INT. */
typedef struct command {
    unsigned id;
    double params[4];
    double latitude, longitude, altitude; /* rad, m; NaN: not given */
    int frame;
} command;

static double finite_or_nan(double value, double unit)
{
    return isfinite(value) ? value * unit : (double)NAN;
}

static command command_of_long(const fm_mav_frame *frame)
{
    fm_mav_command_long c;
    fm_mav_command_long_read(frame, &c);
    return (command){.id = c.command,
                     .params = {(double)c.param1, (double)c.param2, (double)c.param3, (double)c.param4},
                     .latitude = finite_or_nan((double)c.param5, FM_DEGREE),
                     .longitude = finite_or_nan((double)c.param6, FM_DEGREE),
                     .altitude = finite_or_nan((double)c.param7, 1)};
}

static command command_of_int(const fm_mav_frame *frame)
{
    const double unit = FM_DEGREE * 1e-7;
    fm_mav_command_int c;
    fm_mav_command_int_read(frame, &c);
    return (command){.id = c.command,
                     .params = {(double)c.param1, (double)c.param2, (double)c.param3, (double)c.param4},
                     .latitude = c.x == INT32_MAX ? (double)NAN : c.x * unit,
                     .longitude = c.y == INT32_MAX ? (double)NAN : c.y * unit,
                     .altitude = finite_or_nan((double)c.z, 1),
                     .frame = c.frame};
}

static fm_status set_mode(const fm_mav_request *r, int mode, fm_error *error)
{
    if (mode < 0)
        return fm_fail(error, FM_ERR_ARGUMENT, "this mode is not supported: must be MANUAL, GUIDED, AUTO or HOLD");
    return fm_mav_flight_set_mode(&r->system->flight, r->world, (fm_mav_mode)mode, error);
}

static fm_status arm(const fm_mav_request *r, double armed, fm_error *error)
{
    if (armed != 0 && armed != 1)
        return fm_fail(error, FM_ERR_ARGUMENT, "param1 of COMPONENT_ARM_DISARM is %g: must be 0 or 1", armed);
    if (armed == 1 && fm_run_paused(r->run))
        return fm_fail(error, FM_ERR_STATE, "the run is stopped");
    return fm_mav_flight_arm(&r->system->flight, r->world, (int)armed, error);
}

static fm_status reposition(const fm_mav_request *r, const command *c, fm_error *error)
{
    enum { CHANGE_MODE = 1 };
    fm_mav_flight *f = &r->system->flight;
    fm_mav_target target;
    fm_status status = fm_mav_aim_check_frame(c->frame, error);
    if (status == FM_OK)
        status = fm_mav_aim_place(&r->ground->origin, c->latitude, c->longitude, c->altitude, &target, error);
    if (status == FM_OK && !f->armed)
        status = fm_fail(error, FM_ERR_STATE, "'%s' is not armed", f->name);
    if (status == FM_OK && c->params[1] > 0 && (unsigned)c->params[1] & CHANGE_MODE)
        status = fm_mav_flight_set_mode(f, r->world, FM_MAV_GUIDED, error);
    target.speed = c->params[0] > 0 ? c->params[0] : (double)NAN;
    target.radius = c->params[2] > 0 ? c->params[2] : 0;
    target.yaw = finite_or_nan(c->params[3], 1);
    return status == FM_OK ? fm_mav_flight_aim(f, r->world, &target, error) : status;
}

static fm_status start_mission(const fm_mav_request *r, const command *c, fm_error *error)
{
    fm_mav_flight *f = &r->system->flight;
    fm_status status = f->armed ? FM_OK : fm_fail(error, FM_ERR_STATE, "'%s' is not armed", f->name);
    if (status == FM_OK && c->params[0] >= 0 && c->params[0] <= UINT16_MAX)
        status = fm_mav_mission_go_to(&r->system->mission, f, r->world, (size_t)c->params[0], error);
    return status == FM_OK ? fm_mav_flight_set_mode(f, r->world, FM_MAV_AUTO, error) : status;
}

static fm_status change_speed(const fm_mav_request *r, const command *c, fm_error *error)
{
    fm_mav_flight *f = &r->system->flight;
    const double speed = c->params[1];
    if (c->params[0] != 0 && c->params[0] != 1)
        return fm_fail(error, FM_ERR_ARGUMENT, "a speed of type %g is not supported: must be 0 or 1", c->params[0]);
    if (speed == -1)
        return FM_OK;
    if (!(speed > 0 && speed <= 100) && speed != -2)
        return fm_fail(error, FM_ERR_RANGE, "a speed of %g m/s is out of range: must be above 0, up to 100 m/s", speed);
    f->speed = speed == -2 ? (double)NAN : speed;
    if (speed > 0)
        f->target.speed = speed;
    return FM_OK;
}

/* -1: a command that is not supported. */
static int try_order(const fm_mav_request *r, const command *c, fm_status *status, fm_error *error)
{
    const int dialect = r->ground->dialect, boat = r->system->flight.boat;
    switch (c->id) {
    case COMPONENT_ARM_DISARM: *status = arm(r, c->params[0], error); break;
    case DO_SET_MODE:
        *status = set_mode(r, fm_mav_mode_of_command(dialect, boat, c->params[0], c->params[1], c->params[2]), error);
        break;
    case DO_SET_STANDARD_MODE: *status = set_mode(r, c->params[0] == 6 ? FM_MAV_AUTO : -1, error); break;
    case DO_REPOSITION: *status = reposition(r, c, error); break;
    case DO_PAUSE_CONTINUE: *status = set_mode(r, c->params[0] == 0 ? FM_MAV_HOLD : FM_MAV_AUTO, error); break;
    case DO_SET_MISSION_CURRENT:
        *status =
            c->params[0] >= 0 && c->params[0] <= UINT16_MAX
                ? fm_mav_mission_go_to(&r->system->mission, &r->system->flight, r->world, (size_t)c->params[0], error)
                : fm_fail(error, FM_ERR_RANGE, "item %g is out of range: must be 0 to 65535", c->params[0]);
        break;
    case MISSION_START: *status = start_mission(r, c, error); break;
    case DO_CHANGE_SPEED: *status = change_speed(r, c, error); break;
    default: return -1;
    }
    return 0;
}

static int result_of(fm_status status)
{
    return status == FM_OK                                   ? RESULT_ACCEPTED
           : status == FM_ERR_STATE || status == FM_ERR_FULL ? RESULT_LATER
                                                             : RESULT_DENIED;
}

static void acknowledge(const fm_mav_request *r, unsigned id, int result)
{
    FM_MAV_SAY(r->out, command_ack,
               {.command = (uint16_t)id,
                .result = (uint8_t)result,
                .target_system = r->peer.system,
                .target_component = r->peer.component});
}

static double requested_message(const command *c)
{
    return c->id == FM_MAV_CMD_REQUEST_MESSAGE        ? c->params[0]
           : c->id == FM_MAV_CMD_REQUEST_CAPABILITIES ? FM_MAV_ID_AUTOPILOT_VERSION
           : c->id == FM_MAV_CMD_GET_HOME_POSITION    ? FM_MAV_ID_HOME_POSITION
                                                      : -1;
}

/* A message follows the acknowledgement of the command that requests it. */
static void answer_question(const fm_mav_request *r, const command *c, double id)
{
    fm_mav_outbox more = {.system = r->out->system};
    fm_mav_request later = *r;
    later.out = &more;
    const int known = say_message(&later, id, c->params[1]);
    acknowledge(r, c->id, known ? RESULT_ACCEPTED : RESULT_UNSUPPORTED);
    fm_mav_outbox_move(r->out, &more);
    fm_mav_outbox_free(&more);
}

static void answer_command(const fm_mav_request *r, const command *c)
{
    fm_error error = {0};
    fm_status status = fm_mav_request_check(r, &error);
    const double id = requested_message(c);
    if (id >= 0) {
        answer_question(r, c, id);
        return;
    }
    if (status == FM_OK && try_order(r, c, &status, &error) < 0) {
        acknowledge(r, c->id, RESULT_UNSUPPORTED);
        return;
    }
    acknowledge(r, c->id, result_of(status));
    if (status != FM_OK)
        fm_mav_outbox_text(r->out, FM_MAV_WARNING, error.text);
}

/* SET_MODE has no acknowledgement of its own; it gets that of a command with its number, as ArduPilot sends it. */
static void answer_set_mode(const fm_mav_request *r)
{
    fm_mav_set_mode m;
    fm_error error = {0};
    fm_mav_set_mode_read(r->frame, &m);
    fm_status status = fm_mav_request_check(r, &error);
    if (status == FM_OK)
        status = set_mode(r, fm_mav_mode_find(r->ground->dialect, r->system->flight.boat, m.base_mode, m.custom_mode),
                          &error);
    acknowledge(r, FM_MAV_ID_SET_MODE, result_of(status));
    if (status != FM_OK)
        fm_mav_outbox_text(r->out, FM_MAV_WARNING, error.text);
}

int fm_mav_command_answer(const fm_mav_request *r)
{
    command c;
    switch (r->frame->id) {
    case FM_MAV_ID_COMMAND_LONG:
        c = command_of_long(r->frame);
        answer_command(r, &c);
        return 1;
    case FM_MAV_ID_COMMAND_INT:
        c = command_of_int(r->frame);
        answer_command(r, &c);
        return 1;
    case FM_MAV_ID_SET_MODE: answer_set_mode(r); return 1;
    default: return 0;
    }
}
