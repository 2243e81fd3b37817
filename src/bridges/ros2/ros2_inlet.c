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

/* A command with the defaults of its arguments; commands of a vehicle name it. */
static fm_command begin(const inbound *in, fm_command_kind kind)
{
    fm_command command;
    fm_command_begin(&command, kind, NULL);
    const fm_argument *vehicle = fm_command_argument(fm_command_row_of(kind), FM_ARGUMENT_VEHICLE);
    if (vehicle && in->inlet->kind >= FM_ROS2_RUN_KINDS)
        fm_argument_write_name(vehicle, &command, in->inlet->owner, NULL);
    return command;
}

static fm_status give(const inbound *in, const fm_command *command)
{
    in->take(in->user, in->inlet, command, NULL);
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
    const fm_command command = begin(in, m->data ? FM_COMMAND_STOP : FM_COMMAND_START);
    return give(in, &command);
}

static fm_status read_step(const inbound *in)
{
    const fm_msg_uint32_value *m = in->message;
    fm_command command = begin(in, FM_COMMAND_STEP);
    if (m->data == 0)
        return fm_fail(in->error, FM_ERR_RANGE, "no steps: must be 1 and more");
    command.step.steps = m->data;
    return give(in, &command);
}

static fm_status read_reset(const inbound *in)
{
    const fm_command command = begin(in, FM_COMMAND_RESET);
    return give(in, &command);
}

static fm_status read_speed(const inbound *in)
{
    const fm_msg_float64_value *m = in->message;
    fm_command command = begin(in, FM_COMMAND_SPEED);
    command.speed.speed = m->data;
    fm_status status = fm_command_check(&command, in->error);
    return status == FM_OK ? give(in, &command) : status;
}

static fm_status read_parameter(const inbound *in)
{
    const fm_msg_key_value *m = in->message;
    fm_command command = begin(in, FM_COMMAND_SET);
    if (fm_number_read("set_parameter", m->value, &command.set.value, in->error) != FM_OK)
        return FM_ERR_RANGE;
    if (strlen(m->key) >= sizeof command.set.path)
        return fm_fail(in->error, FM_ERR_RANGE, "a path of more than %zu characters", sizeof command.set.path - 1);
    strcpy(command.set.path, m->key);
    return give(in, &command);
}

/* --- of a vehicle --- */

/* Forward-port-up to forward-starboard-down; 0 if a number is not finite or exceeds `most`. */
static int turn_vector(fm_msg_vector3 v, double most, double turned[3])
{
    turned[0] = v.x;
    turned[1] = -v.y;
    turned[2] = -v.z;
    return fabs(v.x) <= most && fabs(v.y) <= most && fabs(v.z) <= most;
}

static fm_status take_twist(const inbound *in, const fm_msg_twist *m)
{
    double velocity[6];
    if (!turn_vector(m->linear, 1000, velocity) || !turn_vector(m->angular, 1000, velocity + 3))
        return fm_fail(in->error, FM_ERR_RANGE, "cmd_vel: must be -1000 … 1000 m/s and rad/s");
    in->take(in->user, in->inlet, NULL, velocity);
    return FM_OK;
}

static fm_status read_twist(const inbound *in)
{
    return take_twist(in, in->message);
}

static fm_status read_twist_stamped(const inbound *in)
{
    return take_twist(in, &((const fm_msg_twist_stamped *)in->message)->twist);
}

static fm_status read_wrench(const inbound *in)
{
    const fm_msg_wrench *m = in->message;
    fm_command command = begin(in, FM_COMMAND_PUSH);
    return turn_vector(m->force, DBL_MAX, command.push.force) && turn_vector(m->torque, DBL_MAX, command.push.moment)
               ? give(in, &command)
               : no_number(in, "cmd_wrench");
}

/* The first available number of position, velocity and effort; NaN: none. */
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
    fm_command command = begin(in, FM_COMMAND_ORDER);
    for (size_t i = 0; i < m->name.count; i++)
        if (!isfinite(joint_value(m, i)) || strlen(m->name.items[i]) >= sizeof command.order.actuator)
            return no_number(in, "cmd_actuators");
    for (size_t i = 0; i < m->name.count; i++) {
        command.order.value = joint_value(m, i);
        strcpy(command.order.actuator, m->name.items[i]);
        give(in, &command);
    }
    return FM_OK;
}

static fm_status read_order(const inbound *in)
{
    const fm_msg_float64_value *m = in->message;
    fm_command command = begin(in, FM_COMMAND_ORDER);
    command.order.value = m->data;
    memcpy(command.order.actuator, in->inlet->target, sizeof command.order.actuator);
    return isfinite(m->data) ? give(in, &command) : no_number(in, in->inlet->target);
}

static fm_status read_setpoint(const inbound *in)
{
    const fm_msg_float64_value *m = in->message;
    fm_command desire = begin(in, FM_COMMAND_DESIRE), release = begin(in, FM_COMMAND_RELEASE);
    desire.desire.value = m->data;
    memcpy(desire.desire.what, in->inlet->target, sizeof desire.desire.what);
    memcpy(release.release.what, in->inlet->target, sizeof release.release.what);
    return isinf(m->data) ? no_number(in, in->inlet->target) : give(in, isnan(m->data) ? &release : &desire);
}

static fm_status read_steering(const inbound *in)
{
    static const fm_command_kind kinds[] = {FM_COMMAND_TAKE, FM_COMMAND_RELEASE, FM_COMMAND_ENGAGE,
                                            FM_COMMAND_DISENGAGE};
    const fm_msg_string_value *m = in->message;
    fm_command command = begin(in, kinds[in->inlet->kind - FM_ROS2_TAKE]);
    const fm_argument *target = fm_command_argument(fm_command_row_of(command.kind), FM_ARGUMENT_PLAIN);
    if (fm_argument_write_name(target, &command, m->data, in->error) != FM_OK)
        return FM_ERR_RANGE;
    return give(in, &command);
}

/* --- all of them --- */

static const struct {
    const char *name; /* after the owner's name; a target follows it */
    const fm_message *type;
    fm_status (*read)(const inbound *in);
} inlets[FM_ROS2_INLET_KINDS] = {
    [FM_ROS2_PAUSE] = {"pause", &fm_msg_bool_value_type, read_pause},
    [FM_ROS2_STEP] = {"step", &fm_msg_uint32_value_type, read_step},
    [FM_ROS2_RESET] = {"reset", &fm_ros2_empty, read_reset},
    [FM_ROS2_SPEED] = {"speed", &fm_msg_float64_value_type, read_speed},
    [FM_ROS2_SET_PARAMETER] = {"set_parameter", &fm_msg_key_value_type, read_parameter},
    [FM_ROS2_TWIST] = {"cmd_vel", &fm_msg_twist_type, read_twist},
    [FM_ROS2_TWIST_STAMPED] = {"cmd_vel", &fm_msg_twist_stamped_type, read_twist_stamped},
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
