#include "missions/mission.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "physics/angle.h"

/* --- plans --- */

fm_mission_plan fm_mission_begin(const char *name, const char *noun)
{
    return (fm_mission_plan){.name = name, .noun = noun, .cruise_speed = NAN};
}

void fm_mission_free(fm_mission_plan *plan)
{
    fm_free(plan->items);
    plan->items = NULL;
    plan->count = plan->room = 0;
}

fm_status fm_mission_add(fm_mission_plan *plan, const fm_mission_item *item, fm_error *error)
{
    if (plan->count >= FM_MISSION_ITEMS_MOST)
        return fm_mission_refuse(plan, item, error, FM_ERR_RANGE, "too many items: must be up to %d",
                                 FM_MISSION_ITEMS_MOST);
    if (plan->count == plan->room) {
        const size_t room = plan->room ? 2 * plan->room : 64;
        fm_mission_item *items = fm_realloc(plan->items, room * sizeof *items);
        if (!items)
            return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu items of a mission", room);
        plan->items = items;
        plan->room = room;
    }
    plan->items[plan->count++] = *item;
    return FM_OK;
}

fm_status fm_mission_refuse(const fm_mission_plan *plan, const fm_mission_item *item, fm_error *error, fm_status status,
                            const char *format, ...)
{
    char text[240], part[24] = "";
    va_list arguments;
    va_start(arguments, format);
    fm_text_vprint(text, sizeof text, format, arguments);
    va_end(arguments);
    if (item->part)
        snprintf(part, sizeof part, ", part %d", item->part);
    return fm_fail(error, status, "%.200s%s%s %d%s: %s", plan->name ? plan->name : "", plan->name ? ": " : "",
                   plan->noun, item->number, part, text);
}

/* --- commands --- */

enum { REFUSED, SKIPPED };

/* Commands that become no waypoint. Those of cameras, servos … do not change where a vehicle goes. */
static const struct {
    int command;
    const char *name;
    int verdict;
} others[] = {
    {18, "NAV_LOITER_TURNS", REFUSED},
    {21, "NAV_LAND", REFUSED},
    {22, "NAV_TAKEOFF", REFUSED},
    {82, "NAV_SPLINE_WAYPOINT", REFUSED},
    {84, "NAV_VTOL_TAKEOFF", REFUSED},
    {85, "NAV_VTOL_LAND", REFUSED},
    {112, "CONDITION_DELAY", SKIPPED},
    {115, "CONDITION_YAW", SKIPPED},
    {177, "DO_JUMP", REFUSED},
    {181, "DO_SET_RELAY", SKIPPED},
    {182, "DO_REPEAT_RELAY", SKIPPED},
    {183, "DO_SET_SERVO", SKIPPED},
    {184, "DO_REPEAT_SERVO", SKIPPED},
    {195, "DO_SET_ROI_LOCATION", SKIPPED},
    {197, "DO_SET_ROI_NONE", SKIPPED},
    {200, "DO_CONTROL_VIDEO", SKIPPED},
    {201, "DO_SET_ROI", SKIPPED},
    {202, "DO_DIGICAM_CONFIGURE", SKIPPED},
    {203, "DO_DIGICAM_CONTROL", SKIPPED},
    {204, "DO_MOUNT_CONFIGURE", SKIPPED},
    {205, "DO_MOUNT_CONTROL", SKIPPED},
    {206, "DO_SET_CAM_TRIGG_DIST", SKIPPED},
    {211, "DO_GRIPPER", SKIPPED},
    {214, "DO_SET_CAM_TRIGG_INTERVAL", SKIPPED},
    {530, "SET_CAMERA_MODE", SKIPPED},
    {531, "SET_CAMERA_ZOOM", SKIPPED},
    {532, "SET_CAMERA_FOCUS", SKIPPED},
    {1000, "DO_GIMBAL_MANAGER_PITCHYAW", SKIPPED},
    {2000, "IMAGE_START_CAPTURE", SKIPPED},
    {2001, "IMAGE_STOP_CAPTURE", SKIPPED},
    {2003, "DO_TRIGGER_CONTROL", SKIPPED},
    {2500, "VIDEO_START_CAPTURE", SKIPPED},
    {2501, "VIDEO_STOP_CAPTURE", SKIPPED},
};

static const char *find_name(int command, int verdict)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].command == command && others[i].verdict == verdict)
            return others[i].name;
    return NULL;
}

const char *fm_mission_skipped(int command)
{
    return find_name(command, SKIPPED);
}

/* --- items to waypoints --- */

typedef struct taking {
    const fm_mission_plan *plan;
    const fm_geodetic *origin;
    double depth; /* m, where an item has no altitude; NaN: none */
    double speed; /* m/s, of the next waypoints; -1: that of the list */
    fm_waypoint *list;
    size_t count;
    bool returned; /* nothing may follow */
} taking;

#define REFUSE(t, item, status, ...) fm_mission_refuse((t)->plan, item, error, status, __VA_ARGS__)

static fm_status place_item(const taking *t, const fm_mission_item *item, double latitude, double longitude,
                            double position[3], fm_error *error)
{
    double local[3];
    if (!(fabs(latitude) <= 90 * FM_DEGREE) || !(fabs(longitude) <= 360 * FM_DEGREE))
        return REFUSE(t, item, FM_ERR_RANGE,
                      "latitude %g deg, longitude %g deg: must be -90 to 90 deg and -360 to 360 deg",
                      latitude / FM_DEGREE, longitude / FM_DEGREE);
    const double turned = longitude > FM_PI    ? longitude - 2 * FM_PI
                          : longitude < -FM_PI ? longitude + 2 * FM_PI
                                               : longitude;
    const fm_geodetic at = {latitude, turned, 0}, origin = {t->origin->latitude, t->origin->longitude, 0};
    fm_geodetic_to_local(&origin, &at, local);
    const double away = sqrt(local[0] * local[0] + local[1] * local[1] + local[2] * local[2]);
    if (!(away <= FM_MISSION_REACH))
        return REFUSE(t, item, FM_ERR_RANGE, "lies %.0f km from the origin of the world: must be up to %g km",
                      away * 1e-3, FM_MISSION_REACH * 1e-3);
    position[0] = local[0];
    position[1] = local[1];
    return FM_OK;
}

static fm_status find_depth(const taking *t, const fm_mission_item *item, double *depth, fm_error *error)
{
    if (!fm_mission_frame_fits(item->frame))
        return REFUSE(t, item, FM_ERR_MODEL,
                      "frame %d is not supported: must be 0, 3, 5 or 6 (latitude, longitude, altitude above the sea)",
                      item->frame);
    *depth = isnan(item->altitude) ? t->depth : 0 - item->altitude;
    if (isnan(*depth))
        return REFUSE(t, item, FM_ERR_MODEL, "has no altitude: give one, or the attribute depth");
    if (!(fabs(*depth) <= 1e7))
        return REFUSE(t, item, FM_ERR_RANGE, "altitude %g m: must be -1e7 to 1e7 m", item->altitude);
    return FM_OK;
}

/* Seconds of a parameter; not given: 0. */
static fm_status find_hold(const taking *t, const fm_mission_item *item, double *hold, fm_error *error)
{
    *hold = isnan(item->params[0]) ? 0 : item->params[0];
    if (!(*hold >= 0 && *hold <= FM_MISSION_FOR_GOOD))
        return REFUSE(t, item, FM_ERR_RANGE, "a hold of %g s: must be 0 to %g s", *hold, FM_MISSION_FOR_GOOD);
    return FM_OK;
}

static fm_status take_waypoint(taking *t, const fm_mission_item *item, fm_error *error)
{
    fm_waypoint *to = &t->list[t->count];
    *to = (fm_waypoint){.speed = t->speed};
    fm_status status = find_depth(t, item, &to->position[2], error);
    if (status == FM_OK)
        status = place_item(t, item, item->latitude, item->longitude, to->position, error);
    if (status == FM_OK && item->command == FM_MISSION_LOITER)
        to->hold = FM_MISSION_FOR_GOOD;
    else if (status == FM_OK)
        status = find_hold(t, item, &to->hold, error);
    t->count += status == FM_OK;
    return status;
}

static fm_status take_return(taking *t, const fm_mission_item *item, fm_error *error)
{
    const double depth = t->count ? t->list[t->count - 1].position[2] : t->depth;
    fm_waypoint *to = &t->list[t->count];
    if (!t->plan->has_home)
        return REFUSE(t, item, FM_ERR_MODEL, "returns to a home position, but the file has none");
    *to = (fm_waypoint){.speed = t->speed, .position = {0, 0, isnan(depth) ? 0 : depth}};
    fm_status status = place_item(t, item, t->plan->home.latitude, t->plan->home.longitude, to->position, error);
    t->count += status == FM_OK;
    t->returned = true;
    return status;
}

static fm_status take_delay(taking *t, const fm_mission_item *item, fm_error *error)
{
    double hold;
    if (!(item->params[0] >= 0))
        return REFUSE(t, item, FM_ERR_MODEL, "delays until a time of day: must be a number of seconds");
    if (!t->count)
        return REFUSE(t, item, FM_ERR_MODEL, "delays before the first waypoint: must follow one");
    fm_status status = find_hold(t, item, &hold, error);
    double *held = &t->list[t->count - 1].hold;
    if (status == FM_OK)
        *held = fmin(*held + hold, FM_MISSION_FOR_GOOD);
    return status;
}

static fm_status take_speed(taking *t, const fm_mission_item *item, fm_error *error)
{
    const double kind = item->params[0], speed = item->params[1];
    if (!isnan(kind) && kind != 0 && kind != 1)
        return REFUSE(t, item, FM_ERR_MODEL, "changes a speed of kind %g: must be 0 or 1 (speed ahead)", kind);
    if (speed == -1 || isnan(speed))
        return FM_OK;
    if (speed != -2 && !(speed >= 0 && speed <= 100))
        return REFUSE(t, item, FM_ERR_RANGE, "a speed of %g m/s: must be 0 to 100 m/s, -1 or -2", speed);
    t->speed = speed == -2 ? -1 : speed;
    return FM_OK;
}

static fm_status refuse_command(const taking *t, const fm_mission_item *item, fm_error *error)
{
    const char *name = find_name(item->command, REFUSED);
    return REFUSE(t, item, FM_ERR_MODEL,
                  "command %d%s%s%s is not supported: must be 16 (waypoint), 17 or 19 (loiter), 20 (return), 93 "
                  "(delay), 178 (speed), or one of a camera, gimbal, gripper, servo or relay, which is "
                  "skipped",
                  item->command, name ? " (" : "", name ? name : "", name ? ")" : "");
}

static fm_status take_item(taking *t, const fm_mission_item *item, fm_error *error)
{
    if (fm_mission_skipped(item->command))
        return FM_OK;
    if (t->returned)
        return REFUSE(t, item, FM_ERR_MODEL, "follows the return to the home position, which must be the last item");
    switch (item->command) {
    case FM_MISSION_WAYPOINT:
    case FM_MISSION_LOITER:
    case FM_MISSION_LOITER_TIME: return take_waypoint(t, item, error);
    case FM_MISSION_RETURN: return take_return(t, item, error);
    case FM_MISSION_DELAY: return take_delay(t, item, error);
    case FM_MISSION_CHANGE_SPEED: return take_speed(t, item, error);
    default: return refuse_command(t, item, error);
    }
}

fm_status fm_mission_to_waypoints(const fm_mission_plan *plan, const fm_geodetic *origin, double depth,
                                  fm_waypoint *list, size_t *count, fm_error *error)
{
    taking t = {.plan = plan, .origin = origin, .depth = depth, .speed = -1, .list = list};
    fm_status status = FM_OK;
    for (size_t i = 0; i < plan->count && status == FM_OK; i++)
        status = take_item(&t, &plan->items[i], error);
    *count = t.count;
    return status;
}

fm_status fm_mission_radius(const fm_mission_plan *plan, double *radius, fm_error *error)
{
    *radius = NAN;
    for (size_t i = 0; i < plan->count; i++) {
        const fm_mission_item *item = &plan->items[i];
        const double own = item->command == FM_MISSION_WAYPOINT ? item->params[1] : NAN;
        if (isnan(own) || own == 0)
            continue;
        if (!(own >= 0.01 && own <= 1e5))
            return fm_mission_refuse(plan, item, error, FM_ERR_RANGE, "a radius of %g m: must be 0.01 to 1e5 m, or 0",
                                     own);
        if (!isnan(*radius) && own != *radius)
            return fm_mission_refuse(
                plan, item, error, FM_ERR_RANGE,
                "a radius of %g m after one of %g m: must be the same, or give the attribute radius", own, *radius);
        *radius = own;
    }
    return FM_OK;
}

/* --- waypoints to items --- */

static fm_status add_speed(fm_mission_plan *plan, double speed, fm_error *error)
{
    return fm_mission_add(plan,
                          &(fm_mission_item){.command = FM_MISSION_CHANGE_SPEED,
                                             .frame = FM_MISSION_NO_FRAME,
                                             .params = {0, speed, -1, 0},
                                             .number = (int)plan->count + 1},
                          error);
}

static fm_status add_waypoint(const fm_mission_source *source, const fm_waypoint *waypoint, fm_mission_plan *plan,
                              fm_error *error)
{
    const fm_geodetic at = fm_geodetic_from_chart(&source->origin, waypoint->position[0], waypoint->position[1]);
    return fm_mission_add(plan,
                          &(fm_mission_item){.command = FM_MISSION_WAYPOINT,
                                             .frame = FM_MISSION_RELATIVE,
                                             .params = {waypoint->hold, source->radius, 0, NAN},
                                             .latitude = at.latitude,
                                             .longitude = at.longitude,
                                             .altitude = 0 - waypoint->position[2],
                                             .number = (int)plan->count + 1},
                          error);
}

fm_status fm_mission_from_waypoints(const fm_mission_source *source, fm_mission_plan *plan, fm_error *error)
{
    double speed = NAN; /* of the items so far: a vehicle that flies them may have another of its own */
    fm_status status = FM_OK;
    plan->home = fm_geodetic_from_chart(&source->origin, source->home[0], source->home[1]);
    plan->has_home = true;
    plan->cruise_speed = source->speed;
    for (size_t i = 0; i < source->count && status == FM_OK; i++) {
        const fm_waypoint *waypoint = &source->list[i];
        const double own = waypoint->speed < 0 ? source->speed : waypoint->speed;
        if (own != speed)
            status = add_speed(plan, speed = own, error);
        if (status == FM_OK)
            status = add_waypoint(source, waypoint, plan, error);
    }
    return status;
}
