/* What built-in controllers may ask of the vehicle being built beyond the public loader functions. Implemented by the
 * scenario builder. */
#ifndef FM_CONTROL_FACTS_H
#define FM_CONTROL_FACTS_H

#include <fathom/part.h>

#include "physics/diving.h"

/* The parameters of a vehicle of kind "diving"; NULL for other kinds. */
const fm_diving_params *fm_load_diving(fm_part_load *load);

#endif
