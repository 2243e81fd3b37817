/* The bridge to ArduPilot's SITL (docs/ardupilot.md). */
#ifndef FM_BRIDGES_ARDUPILOT_ARDUPILOT_DOOR_H
#define FM_BRIDGES_ARDUPILOT_ARDUPILOT_DOOR_H

#include "server/door.h"
#include "world/bridge_settings.h"

fm_status fm_ardupilot_door(const fm_bridge_settings *settings, fm_door *door, fm_error *error);

#endif
