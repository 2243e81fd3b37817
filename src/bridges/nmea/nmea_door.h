/* The bridge to charts, displays and autopilots by NMEA 0183 (docs/nmea.md). */
#ifndef FM_BRIDGES_NMEA_NMEA_DOOR_H
#define FM_BRIDGES_NMEA_NMEA_DOOR_H

#include "server/door.h"
#include "world/bridge_settings.h"

enum fm_nmea_transport { FM_NMEA_UDP, FM_NMEA_TCP, FM_NMEA_PTY };

fm_status fm_nmea_door(const fm_bridge_settings *settings, fm_door *door, fm_error *error);

#endif
