#include "bridges/bridges.h"

#include <string.h>

#include "base/error.h"
#include "bridges/ardupilot/ardupilot_door.h"
#include "bridges/dis/dis_door.h"
#include "bridges/mavlink/mavlink_door.h"
#include "bridges/nmea/nmea_door.h"
#include "bridges/ros2/ros2_door.h"
#include "world/model.h"

/* Fills the door; what it points to is released with it. The settings live as long as the model. */
typedef fm_status bridge_maker(const fm_bridge_settings *settings, fm_door *door, fm_error *error);

static const struct {
    const char *name;
    bridge_maker *make;
    const char *missing; /* why it is not there */
} kinds[FM_BRIDGE_KINDS] = {
    [FM_BRIDGE_DIS] = {"dis", fm_dis_door, NULL},
#ifdef FM_HAVE_DDS
    [FM_BRIDGE_ROS2] = {"ros2", fm_ros2_door, NULL},
#else
    [FM_BRIDGE_ROS2] = {"ros2", NULL,
                        "this program was built without Cyclone DDS (Debian's cyclonedds-dev; build it again)"},
#endif
    [FM_BRIDGE_ARDUPILOT] = {"ardupilot", fm_ardupilot_door, NULL},
    [FM_BRIDGE_MAVLINK] = {"mavlink", fm_mavlink_door, NULL},
    [FM_BRIDGE_NMEA] = {"nmea", fm_nmea_door, NULL},
};

int fm_bridges_has(const char *kind)
{
    for (size_t i = 0; i < FM_BRIDGE_KINDS; i++)
        if (strcmp(kinds[i].name, kind) == 0)
            return kinds[i].make != NULL;
    return 0;
}

size_t fm_bridges_count(const fm_model *model)
{
    return model->bridge_count;
}

fm_status fm_bridges_add(fm_place *place, fm_error *error)
{
    const fm_model *model = fm_place_model(place);
    fm_status status = FM_OK;
    for (size_t i = 0; i < model->bridge_count && status == FM_OK; i++) {
        const fm_bridge_settings *s = &model->bridges[i];
        fm_door door = {.name = kinds[s->kind].name};
        if (!kinds[s->kind].make)
            return fm_fail(error, FM_ERR_STATE, "there is no bridge of kind '%s': %s", kinds[s->kind].name,
                           kinds[s->kind].missing);
        status = kinds[s->kind].make(s, &door, error);
        if (status == FM_OK)
            status = fm_place_add(place, &door, error);
    }
    return status;
}
