#include "bridges/ros2/ros2_inlet.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/accept.h"
#include "bridges/ros2/ros2_names.h"

/* One message, as it was decoded. */
typedef struct inbound {
    const fm_ros2_inlet *inlet;
    const void *message;
    fm_ros2_take *take;
    void *user;
    fm_error *error;
} inbound;

static fm_status give(const inbound *in, fm_wire_command *command)
{
    if (in->inlet->kind >= FM_ROS2_RUN_KINDS)
        memcpy(command->name, in->inlet->owner, sizeof command->name);
    in->take(in->user, in->inlet, command);
    return FM_OK;
}

static fm_status no_number(const inbound *in, const char *what)
{
    return fm_fail(in->error, FM_ERR_RANGE, "%s: a number that is none or infinite", what);
}

/* --- of the run --- */

static fm_status read_pause(const inbound *in)
{
    const fm_msg_bool_value *m = in->message;
    return give(in, &(fm_wire_command){.verb = m->data ? FM_WIRE_STOP : FM_WIRE_START});
}

static fm_status read_step(const inbound *in)
{
    const fm_msg_uint32_value *m = in->message;
    if (m->data == 0)
        return fm_fail(in->error, FM_ERR_RANGE, "no steps; accepted is 1 and more");
    return give(in, &(fm_wire_command){.verb = FM_WIRE_STEP, .value = m->data});
}

static fm_status read_reset(const inbound *in)
{
    return give(in, &(fm_wire_command){.verb = FM_WIRE_RESET});
}

static fm_status read_speed(const inbound *in)
{
    const fm_msg_float64_value *m = in->message;
    if (!isfinite(m->data) || m->data < 0)
        return fm_fail(in->error, FM_ERR_RANGE, "a speed of %g; accepted is 0 and more", m->data);
    return give(in, &(fm_wire_command){.verb = FM_WIRE_SPEED, .value = m->data});
}

static fm_status read_parameter(const inbound *in)
{
    const fm_msg_key_value *m = in->message;
    fm_wire_command command = {.verb = FM_WIRE_SET};
    if (fm_number_read("set_parameter", m->value, &command.value, in->error) != FM_OK)
        return FM_ERR_RANGE;
    if (strlen(m->key) >= sizeof command.target)
        return fm_fail(in->error, FM_ERR_RANGE, "a path of more than %zu characters", sizeof command.target - 1);
    strcpy(command.target, m->key);
    return give(in, &command);
}

/* --- of a vehicle --- */

/* Forward-port-up to forward-starboard-down; 0 where a number is none or beyond `most`. */
static int turn_vectors(fm_msg_vector3 a, fm_msg_vector3 b, double most, double turned[6])
{
    const double both[6] = {a.x, -a.y, -a.z, b.x, -b.y, -b.z};
    int fine = 1;
    for (int i = 0; i < 6; i++) {
        turned[i] = both[i];
        fine &= fabs(both[i]) <= most;
    }
    return fine;
}

static fm_status read_twist(const inbound *in)
{
    const fm_msg_twist *m = in->message;
    fm_wire_command command = {0};
    if (!turn_vectors(m->linear, m->angular, 1000, command.pose))
        return fm_fail(in->error, FM_ERR_RANGE, "cmd_vel: accepted are -1000 … 1000 m/s and rad/s");
    return give(in, &command);
}

static fm_status read_wrench(const inbound *in)
{
    const fm_msg_wrench *m = in->message;
    fm_wire_command command = {.verb = FM_WIRE_PUSH};
    return turn_vectors(m->force, m->torque, DBL_MAX, command.pose) ? give(in, &command) : no_number(in, "cmd_wrench");
}

/* The first number that is there of position, velocity and effort; NaN: none. */
static double joint_value(const fm_msg_joint_state *m, size_t i)
{
    double value = i < m->position.count ? m->position.items[i] : (double)NAN;
    if (isnan(value) && i < m->velocity.count)
        value = m->velocity.items[i];
    if (isnan(value) && i < m->effort.count)
        value = m->effort.items[i];
    return value;
}

static fm_status read_orders(const inbound *in)
{
    const fm_msg_joint_state *m = in->message;
    fm_wire_command command = {.verb = FM_WIRE_ORDER};
    for (size_t i = 0; i < m->name.count; i++)
        if (!isfinite(joint_value(m, i)) || strlen(m->name.items[i]) >= sizeof command.target)
            return no_number(in, "cmd_actuators");
    for (size_t i = 0; i < m->name.count; i++) {
        command.value = joint_value(m, i);
        strcpy(command.target, m->name.items[i]);
        give(in, &command);
    }
    return FM_OK;
}

static fm_status read_order(const inbound *in)
{
    const fm_msg_float64_value *m = in->message;
    fm_wire_command command = {.verb = FM_WIRE_ORDER, .value = m->data};
    memcpy(command.target, in->inlet->target, sizeof command.target);
    return isfinite(m->data) ? give(in, &command) : no_number(in, in->inlet->target);
}

static fm_status read_setpoint(const inbound *in)
{
    const fm_msg_float64_value *m = in->message;
    fm_wire_command command = {.verb = isnan(m->data) ? FM_WIRE_RELEASE : FM_WIRE_DESIRE,
                               .value = isnan(m->data) ? 0 : m->data};
    memcpy(command.target, in->inlet->target, sizeof command.target);
    return isinf(m->data) ? no_number(in, in->inlet->target) : give(in, &command);
}

static fm_status read_steering(const inbound *in)
{
    static const fm_wire_verb verbs[] = {FM_WIRE_TAKE, FM_WIRE_RELEASE, FM_WIRE_ENGAGE, FM_WIRE_DISENGAGE};
    const fm_msg_string_value *m = in->message;
    fm_wire_command command = {.verb = (uint16_t)verbs[in->inlet->kind - FM_ROS2_TAKE]};
    if (strlen(m->data) >= sizeof command.target)
        return fm_fail(in->error, FM_ERR_RANGE, "a name of more than %zu characters", sizeof command.target - 1);
    strcpy(command.target, m->data);
    return give(in, &command);
}

/* --- all of them --- */

static const struct {
    const char *name; /* behind the owner's; a target follows it */
    const fm_message *type;
    fm_status (*read)(const inbound *in);
} inlets[FM_ROS2_INLET_KINDS] = {
    [FM_ROS2_PAUSE] = {"pause", &fm_msg_bool_value_type, read_pause},
    [FM_ROS2_STEP] = {"step", &fm_msg_uint32_value_type, read_step},
    [FM_ROS2_RESET] = {"reset", &fm_ros2_empty, read_reset},
    [FM_ROS2_SPEED] = {"speed", &fm_msg_float64_value_type, read_speed},
    [FM_ROS2_SET_PARAMETER] = {"set_parameter", &fm_msg_key_value_type, read_parameter},
    [FM_ROS2_TWIST] = {"cmd_vel", &fm_msg_twist_type, read_twist},
    [FM_ROS2_WRENCH] = {"cmd_wrench", &fm_msg_wrench_type, read_wrench},
    [FM_ROS2_ORDERS] = {"cmd_actuators", &fm_msg_joint_state_type, read_orders},
    [FM_ROS2_ORDER] = {"order", &fm_msg_float64_value_type, read_order},
    [FM_ROS2_SETPOINT] = {"setpoint", &fm_msg_float64_value_type, read_setpoint},
    [FM_ROS2_TAKE] = {"take", &fm_msg_string_value_type, read_steering},
    [FM_ROS2_RELEASE] = {"release", &fm_msg_string_value_type, read_steering},
    [FM_ROS2_ENGAGE] = {"engage", &fm_msg_string_value_type, read_steering},
    [FM_ROS2_DISENGAGE] = {"disengage", &fm_msg_string_value_type, read_steering},
};

const fm_message *fm_ros2_inlet_type(fm_ros2_inlet_kind kind)
{
    return inlets[kind].type;
}

void fm_ros2_inlet_name(const fm_ros2_inlet *inlet, char *name, size_t room)
{
    snprintf(name, room, "/%s/%s%s%s", inlet->owner, inlets[inlet->kind].name, inlet->target[0] ? "/" : "",
             inlet->target);
}

fm_status fm_ros2_inlet_read(const fm_ros2_inlet *inlet, const void *data, size_t size, fm_arena *arena,
                             fm_ros2_take *take, void *user, fm_error *error)
{
    const fm_message *type = inlets[inlet->kind].type;
    void *message = fm_arena_alloc(arena, type->struct_size);
    if (!message)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a message");
    fm_status status = fm_message_decode(type, data, size, message, arena, error);
    return status == FM_OK ? inlets[inlet->kind].read(&(inbound){inlet, message, take, user, error}) : status;
}
