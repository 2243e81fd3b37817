/* How a user starts SITL for a bridge: the firmware that flies a frame, its parameter file and the command. No input
 * or output except looking for the file. */
#ifndef FM_BRIDGES_ARDUPILOT_ARDUPILOT_LAUNCH_H
#define FM_BRIDGES_ARDUPILOT_ARDUPILOT_LAUNCH_H

#include "bridges/ardupilot/ardupilot_config.h"
#include "bridges/pilot/pilot_outputs.h"

enum { FM_ARDUPILOT_COMMAND = 1024 };

/* A firmware of ArduPilot as it flies one frame. */
typedef struct fm_ardupilot_craft {
    const char *frame;    /* of `outputs`; NULL: outputs that are listed one by one */
    const char *firmware; /* as sim_vehicle.py names it */
    const char *scenario; /* whose parameter file, beside it, describes this frame; NULL: none does */
    double loop;          /* Hz, its main loop */
} fm_ardupilot_craft;

const fm_ardupilot_craft *fm_ardupilot_craft_of(const fm_pilot_outputs *outputs);

/* Path of its parameter file; 0: it has none, or it is not installed. */
int fm_ardupilot_parameters(const fm_ardupilot_craft *craft, char *path, size_t size);

/* The line that starts SITL at this place (rad, the origin of the scenario), for a shell. */
void fm_ardupilot_command(const fm_ardupilot_craft *craft, const fm_ardupilot_config *config, double latitude,
                          double longitude, char text[FM_ARDUPILOT_COMMAND]);

/* "3", "3 and 4", "3, 4 and 5": the bits that are set, counted from 1. */
void fm_ardupilot_list(uint32_t channels, char *text, size_t size);

#endif
