/* A vehicle in NMEA 0183: all sentences of one point in time. No input or output. */
#ifndef FM_BRIDGES_NMEA_NMEA_SAY_H
#define FM_BRIDGES_NMEA_NMEA_SAY_H

#include <fathom/frames.h>
#include <fathom/run.h>

#include "bridges/nmea/nmea.h"
#include "bridges/nmea/nmea_config.h"

enum { FM_NMEA_REPORT = 16384, FM_NMEA_TARGETS = 99 };
#define FM_NMEA_STATIC_EVERY 60.0 /* s between two reports of the static data of ships */
#define FM_NMEA_CLASS_A 20.0      /* m: ships of this length and more are of class A in AIS */

/* What a report needs of the time since the run began; zero-initialise. */
typedef struct fm_nmea_past {
    double time;                       /* s: of the last step */
    double through_water, over_ground; /* m travelled */
    double next_static;                /* s: when the static data of ships are due */
    unsigned sequence;                 /* of messages of several sentences */
} fm_nmea_past;

/* After each step: adds what the vehicle in a slot has travelled. A time before the last one starts again at 0. */
void fm_nmea_past_add(fm_nmea_past *past, const fm_world *world, int slot);

/* Writes the sentences of the vehicle in a slot, and TTM and AIVDM of the others; returns the number of characters.
 * Sentences that do not fit are left out. */
size_t fm_nmea_say(const fm_world *world, int slot, const fm_nmea_config *config, fm_nmea_past *past,
                   char text[FM_NMEA_REPORT]);

#endif
