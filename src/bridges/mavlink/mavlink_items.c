#include <math.h>

#include "base/memory.h"
#include "bridges/mavlink/mavlink_mission.h"
#include "missions/mission.h"
#include "physics/angle.h"

#define E7 (FM_DEGREE * 1e-7) /* rad */

uint8_t fm_mav_mission_result(fm_status status)
{
    switch (status) {
    case FM_OK: return FM_MAV_MISSION_ACCEPTED;
    case FM_ERR_FULL: return FM_MAV_MISSION_NO_SPACE;
    case FM_ERR_MODEL: return FM_MAV_MISSION_UNSUPPORTED;
    case FM_ERR_RANGE: return FM_MAV_MISSION_INVALID;
    case FM_ERR_NAME: return FM_MAV_MISSION_DENIED;
    default: return FM_MAV_MISSION_ERROR;
    }
}

int fm_mav_items_goes(const fm_mav_mission_item_int *item)
{
    return item->command == FM_MISSION_WAYPOINT || item->command == FM_MISSION_LOITER ||
           item->command == FM_MISSION_LOITER_TIME || item->command == FM_MISSION_RETURN;
}

static fm_mission_item item_of(const fm_mav_mission_item_int *m, int number)
{
    return (fm_mission_item){.command = m->command,
                             .frame = m->frame,
                             .params = {(double)m->param1, (double)m->param2, (double)m->param3, (double)m->param4},
                             .latitude = m->x * E7,
                             .longitude = m->y * E7,
                             .altitude = (double)m->z,
                             .number = number};
}

fm_status fm_mav_items_read(const fm_mav_mission_item_int *items, size_t count, const fm_geodetic *origin,
                            fm_waypoint *list, size_t *list_count, double *radius, fm_error *error)
{
    fm_mission_plan plan = fm_mission_begin(NULL, "item");
    fm_status status = FM_OK;
    plan.home = *origin;
    plan.has_home = true;
    for (size_t i = 0; i < count && status == FM_OK; i++) {
        const fm_mission_item item = item_of(&items[i], (int)i);
        status = fm_mission_add(&plan, &item, error);
    }
    *list_count = 0;
    if (status == FM_OK)
        status = fm_mission_to_waypoints(&plan, origin, NAN, list, list_count, error);
    if (status == FM_OK)
        status = fm_mission_radius(&plan, radius, error);
    fm_mission_free(&plan);
    return status;
}

static int32_t degrees7(double angle)
{
    return isnan(angle) ? 0 : (int32_t)floor(angle / E7 + 0.5);
}

static fm_mav_mission_item_int item_from(const fm_mission_item *item, size_t seq)
{
    return (fm_mav_mission_item_int){.param1 = (float)item->params[0],
                                     .param2 = (float)item->params[1],
                                     .param3 = (float)item->params[2],
                                     .param4 = (float)item->params[3],
                                     .x = degrees7(item->latitude),
                                     .y = degrees7(item->longitude),
                                     .z = (float)item->altitude,
                                     .seq = (uint16_t)seq,
                                     .command = (uint16_t)item->command,
                                     .frame = (uint8_t)item->frame,
                                     .autocontinue = 1};
}

fm_mav_mission_item_int *fm_mav_items_write(const fm_waypoint *list, size_t list_count, double speed, double radius,
                                            const fm_geodetic *origin, size_t *count)
{
    const fm_mission_source source = {list, list_count, speed, radius, *origin, {0, 0}};
    fm_mission_plan plan = fm_mission_begin(NULL, "item");
    fm_mav_mission_item_int *items = NULL;
    *count = 0;
    if (fm_mission_from_waypoints(&source, &plan, NULL) == FM_OK && plan.count > 0 && plan.count < UINT16_MAX)
        items = fm_alloc(plan.count * sizeof *items);
    for (size_t i = 0; items && i < plan.count; i++)
        items[(*count)++] = item_from(&plan.items[i], i);
    fm_mission_free(&plan);
    return items;
}
