/* Making inputs: names are checked for their length here, all else by fm_world_input. */
#ifndef FM_WORLD_INPUTS_H
#define FM_WORLD_INPUTS_H

#include <fathom/world.h>

fm_status fm_input_order(fm_input *input, const char *vehicle, const char *actuator, double value, fm_error *error);
fm_status fm_input_parameter(fm_input *input, const char *path, double value, fm_error *error);
fm_status fm_input_spawn(fm_input *input, const char *name, const char *like, const double position[3],
                         const double euler[3], fm_error *error);
fm_status fm_input_remove(fm_input *input, const char *name, fm_error *error);

#endif
