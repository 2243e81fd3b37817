/* Acoustic instruments, as parts of a vehicle; src/scenario/built_ins.c lists them. */
#ifndef FM_ACOUSTICS_PARTS_H
#define FM_ACOUSTICS_PARTS_H

#include <fathom/part.h>

extern const fm_part_class fm_lbl_class, fm_one_way_ranging_class, fm_doppler_ranging_class, fm_usbl_class,
    fm_sbl_class, fm_modem_class;
extern const fm_part_class fm_acoustic_altimeter_class, fm_adcp_class;

/* Default position of a transducer, body axes: below the bottom of a boat, at the origin of all other vehicles.
 * Implemented by the scenario builder. */
void fm_load_keel(fm_part_load *load, double point[3]);

#endif
