/* Control of a run from any thread: inputs into its queue. */
#include "base/error.h"
#include "run/run.h"
#include "world/inputs.h"

fm_status fm_run_submit(fm_run *run, const fm_input *input, fm_error *error)
{
    if (!run || !input)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s must not be NULL", run ? "input" : "run");
    if (!fm_input_queue_put(run->queue, input, fm_run_moment(run)))
        return fm_fail(error, FM_ERR_FULL, "%zu inputs wait already for the next step; no more are taken before it",
                       fm_input_queue_room(run->queue));
    return FM_OK;
}

static fm_status submit(fm_run *run, fm_status made, const fm_input *input, fm_error *error)
{
    return made == FM_OK ? fm_run_submit(run, input, error) : made;
}

fm_status fm_run_order(fm_run *run, const char *vehicle, const char *actuator, double value, fm_error *error)
{
    fm_input input;
    return submit(run, fm_input_value(&input, FM_COMMAND_ORDER, vehicle, actuator, value, error), &input, error);
}

fm_status fm_run_set(fm_run *run, const char *path, double value, fm_error *error)
{
    fm_input input;
    return submit(run, fm_input_value(&input, FM_COMMAND_SET, NULL, path, value, error), &input, error);
}

fm_status fm_run_desire(fm_run *run, const char *vehicle, const char *what, double value, fm_error *error)
{
    fm_input input;
    return submit(run, fm_input_value(&input, FM_COMMAND_DESIRE, vehicle, what, value, error), &input, error);
}

fm_status fm_run_take(fm_run *run, const char *vehicle, const char *actuator, fm_error *error)
{
    fm_input input;
    return submit(run, fm_input_begin(&input, FM_COMMAND_TAKE, vehicle, actuator, error), &input, error);
}

fm_status fm_run_release(fm_run *run, const char *vehicle, const char *what, fm_error *error)
{
    fm_input input;
    return submit(run, fm_input_begin(&input, FM_COMMAND_RELEASE, vehicle, what, error), &input, error);
}

fm_status fm_run_engage(fm_run *run, const char *vehicle, const char *controller, fm_error *error)
{
    fm_input input;
    return submit(run, fm_input_begin(&input, FM_COMMAND_ENGAGE, vehicle, controller, error), &input, error);
}

fm_status fm_run_disengage(fm_run *run, const char *vehicle, const char *controller, fm_error *error)
{
    fm_input input;
    return submit(run, fm_input_begin(&input, FM_COMMAND_DISENGAGE, vehicle, controller, error), &input, error);
}

fm_status fm_run_sight(fm_run *run, const char *vehicle, const fm_sighting *seen, fm_error *error)
{
    fm_input input;
    return submit(run, fm_input_sight(&input, vehicle, seen, error), &input, error);
}

fm_status fm_run_force(fm_run *run, const char *vehicle, const double force[6], fm_error *error)
{
    fm_input input;
    return submit(run, fm_input_force(&input, vehicle, force, error), &input, error);
}

fm_status fm_run_spawn(fm_run *run, const char *name, const char *like, const double position[3], const double euler[3],
                       fm_error *error)
{
    fm_input input;
    return submit(run, fm_input_spawn(&input, name, like, position, euler, error), &input, error);
}

fm_status fm_run_remove(fm_run *run, const char *name, fm_error *error)
{
    fm_input input;
    return submit(run, fm_input_begin(&input, FM_COMMAND_REMOVE, name, NULL, error), &input, error);
}

fm_status fm_run_reset(fm_run *run, fm_error *error)
{
    return fm_run_submit(run, &(fm_input){.command.kind = FM_COMMAND_RESET}, error);
}

fm_status fm_run_sense(fm_run *run, const char *vehicle, const char *what, double value, fm_error *error)
{
    fm_input input;
    return submit(run, fm_input_value(&input, FM_COMMAND_SENSE, vehicle, what, value, error), &input, error);
}

fm_status fm_run_waypoint_add(fm_run *run, const char *vehicle, const char *list, int before,
                              const fm_waypoint *waypoint, fm_error *error)
{
    fm_input input;
    fm_status made = fm_input_waypoint(&input, vehicle, list, before, waypoint, error);
    return submit(run, made, &input, error);
}

fm_status fm_run_waypoint_move(fm_run *run, const char *vehicle, const char *list, int i, const fm_waypoint *waypoint,
                               fm_error *error)
{
    fm_input input;
    fm_status made = fm_input_waypoint_move(&input, vehicle, list, i, waypoint, error);
    return submit(run, made, &input, error);
}

fm_status fm_run_waypoint_clear(fm_run *run, const char *vehicle, const char *list, fm_error *error)
{
    fm_input input;
    fm_status made = fm_input_begin(&input, FM_COMMAND_WAYPOINTS_CLEAR, vehicle, list, error);
    return submit(run, made, &input, error);
}

fm_status fm_run_modem_send(fm_run *run, const char *vehicle, const char *modem, int64_t to, const void *data,
                            size_t size, fm_error *error)
{
    fm_input input;
    return submit(run, fm_input_message(&input, vehicle, modem, to, data, size, error), &input, error);
}

fm_status fm_run_emit(fm_run *run, const char *vehicle, const char *transducer, const fm_emission *emission,
                      fm_error *error)
{
    fm_input input;
    return submit(run, fm_input_emission(&input, vehicle, transducer, emission, error), &input, error);
}
