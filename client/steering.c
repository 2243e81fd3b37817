/* Steering the client's own vehicle: ownership of its actuators, and set points of its controllers. */
#include <math.h>
#include <string.h>

#include "client.h"

/* Sends a command about the client's own vehicle: the one that it added, or that it controls. */
static fm_status steer(fm_client *client, fm_command_kind kind, const char *target, double value, fm_error *error)
{
    fm_command command;
    if (!client)
        return fm_client_fail(error, FM_ERR_ARGUMENT, "client must not be NULL");
    const int brings = client->options.role <= FM_CLIENT_BUOY;
    if (!brings && client->options.role != FM_CLIENT_CONTROLLER)
        return fm_client_fail(error, FM_ERR_STATE, "this client has no vehicle of its own: use fm_client_command_send");
    fm_status status = fm_command_begin(&command, kind, error);
    const char *names[] = {brings ? client->options.name : client->options.model, target};
    const fm_command_row *row = fm_command_row_of(kind);
    for (size_t i = 0; status == FM_OK && i < row->argument_count; i++)
        status = i < 2 ? fm_argument_write_name(&row->arguments[i], &command, names[i], error)
                       : fm_argument_write(&row->arguments[i], &command, &value, error);
    return status == FM_OK ? fm_client_command_send(client, &command, NULL, error) : status;
}

fm_status fm_client_take(fm_client *client, const char *actuator, fm_error *error)
{
    return steer(client, FM_COMMAND_TAKE, actuator, 0, error);
}

fm_status fm_client_release(fm_client *client, const char *what, fm_error *error)
{
    return steer(client, FM_COMMAND_RELEASE, what, 0, error);
}

fm_status fm_client_engage(fm_client *client, const char *controller, fm_error *error)
{
    return steer(client, FM_COMMAND_ENGAGE, controller, 0, error);
}

fm_status fm_client_disengage(fm_client *client, const char *controller, fm_error *error)
{
    return steer(client, FM_COMMAND_DISENGAGE, controller, 0, error);
}

fm_status fm_client_desire(fm_client *client, const char *setpoint, double value, fm_error *error)
{
    return steer(client, FM_COMMAND_DESIRE, setpoint, value, error);
}

/* --- lists --- */

typedef struct rows {
    void *to;
    size_t room;
} rows;

static void take_setpoint(void *user, uint32_t number, fm_wire_in *in)
{
    const rows *into = user;
    fm_wire_setpoint s;
    if (!fm_wire_get_setpoint(in, &s) || number >= into->room)
        return;
    fm_client_setpoint *row = (fm_client_setpoint *)into->to + number;
    *row = (fm_client_setpoint){
        .least = s.least, .most = s.most, .value = s.set ? s.value : (double)NAN, .optional = s.optional};
    memcpy(row->part, s.part, sizeof row->part);
    memcpy(row->name, s.name, sizeof row->name);
    memcpy(row->unit, s.unit, sizeof row->unit);
}

static void take_owner(void *user, uint32_t number, fm_wire_in *in)
{
    const rows *into = user;
    fm_wire_owner o;
    if (!fm_wire_get_owner(in, &o) || number >= into->room)
        return;
    fm_client_owner *row = (fm_client_owner *)into->to + number;
    *row = (fm_client_owner){.kind = o.kind, .taken = o.taken, .order = o.order};
    memcpy(row->actuator, o.actuator, sizeof row->actuator);
    memcpy(row->name, o.name, sizeof row->name);
}

static size_t read_list(fm_client *client, uint16_t what, fm_client_list_row *take, rows *into, fm_error *error)
{
    uint32_t total = 0;
    if (!client || (!into->to && into->room)) {
        fm_client_fail(error, FM_ERR_ARGUMENT, "client and the list must not be NULL");
        return 0;
    }
    return fm_client_list_ask(client, what, "", take, into, &total, error) == FM_OK ? total : 0;
}

size_t fm_client_setpoints_read(fm_client *client, fm_client_setpoint *setpoints, size_t room, fm_error *error)
{
    return read_list(client, FM_WIRE_SETPOINTS, take_setpoint, &(rows){setpoints, room}, error);
}

size_t fm_client_owners_read(fm_client *client, fm_client_owner *owners, size_t room, fm_error *error)
{
    return read_list(client, FM_WIRE_OWNERS, take_owner, &(rows){owners, room}, error);
}
