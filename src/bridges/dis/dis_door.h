/* The bridge to other simulators by DIS (docs/dis.md). */
#ifndef FM_BRIDGES_DIS_DIS_DOOR_H
#define FM_BRIDGES_DIS_DIS_DOOR_H

#include "server/door.h"
#include "world/bridge_settings.h"

fm_status fm_dis_door(const fm_bridge_settings *settings, fm_door *door, fm_error *error);
#endif
