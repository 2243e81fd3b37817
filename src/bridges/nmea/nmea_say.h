/* A vehicle in NMEA 0183: all sentences of one point in time. No input or output. */
#ifndef FM_BRIDGES_NMEA_NMEA_SAY_H
#define FM_BRIDGES_NMEA_NMEA_SAY_H

#include <fathom/frames.h>
#include <fathom/run.h>

#include "bridges/nmea/nmea.h"

enum { FM_NMEA_REPORT = 16384, FM_NMEA_TARGETS = 99 };

/* Writes the sentences of the vehicle in a slot, and TTM and AIVDM of the others; returns the number of characters.
 * `utc`: s since 1970. Sentences that do not fit are left out. */
size_t fm_nmea_say(const fm_world *world, int slot, const char *talker, double utc, char text[FM_NMEA_REPORT]);

#endif
