#include "control/waypoints_file.h"

#include <math.h>

#include "environment/environment.h"
#include "missions/mission_file.h"

/* The error of a file, at the attribute that names it. */
static fm_status fail_file(fm_part_load *load, const fm_error *found, fm_error *error)
{
    return fm_load_fail_at(load, NULL, 0, "file", error, found->status, "%s", found->text);
}

static fm_status take_plan(fm_part_load *load, const fm_mission_plan *plan, double depth, int radius_given,
                           fm_waypoints_file *file, fm_error *error)
{
    const fm_environment *e = fm_load_environment(load);
    const fm_geodetic origin = {e->latitude, e->longitude, 0};
    fm_error found = {0};
    file->list = fm_load_alloc(load, (plan->count + 1) * sizeof *file->list);
    if (!file->list)
        return FM_ERR_MEMORY;
    if (fm_mission_to_waypoints(plan, &origin, depth, file->list, &file->count, &found) != FM_OK)
        return fail_file(load, &found, error);
    if (!file->count)
        return fm_load_fail_at(load, NULL, 0, "file", error, FM_ERR_MODEL,
                               "%.200s has no waypoints: must be one or more", plan->name);
    if (!radius_given && fm_mission_radius(plan, &file->radius, &found) != FM_OK)
        return fail_file(load, &found, error);
    file->speed = plan->cruise_speed;
    if (!isnan(file->speed) && !(file->speed >= 0 && file->speed <= 100))
        return fm_load_fail_at(load, NULL, 0, "file", error, FM_ERR_RANGE,
                               "%.200s: cruiseSpeed is %g m/s: must be 0 to 100 m/s", plan->name, file->speed);
    return FM_OK;
}

fm_status fm_waypoints_load_file(fm_part_load *load, const char *path, double depth, int radius_given,
                                 fm_waypoints_file *file, fm_error *error)
{
    const fm_environment *e = fm_load_environment(load);
    fm_mission_plan plan;
    fm_error found = {0};
    *file = (fm_waypoints_file){.speed = NAN, .radius = NAN};
    if (!e || !e->has_origin)
        return fm_load_fail_at(load, NULL, 0, "file", error, FM_ERR_MODEL,
                               "'%.200s' has positions on the Earth, and the scenario has no origin there: must have "
                               "latitude and longitude in <world>",
                               path);
    fm_status status = fm_mission_read(path, &plan, &found);
    status =
        status == FM_OK ? take_plan(load, &plan, depth, radius_given, file, error) : fail_file(load, &found, error);
    fm_mission_free(&plan);
    return status;
}
