/* The inputs of an on-board controller about its own motion: from one instrument with all of them, like <imu-record>,
 * or from several. */
#ifndef FM_CONTROL_OWN_MOTION_H
#define FM_CONTROL_OWN_MOTION_H

#include <fathom/part.h>

typedef struct fm_own_motion_view {
    fm_quantity_view depth, euler, rates, forward;
} fm_own_motion_view;

typedef struct fm_own_motion {
    double depth;    /* m */
    double euler[3]; /* rad: roll, pitch, yaw */
    double rates[3]; /* rad/s */
    double forward;  /* m/s over ground */
} fm_own_motion;

/* The first instrument that has all of it; otherwise the first one for each quantity. */
fm_status fm_load_own_motion(fm_part_load *load, fm_own_motion_view *view, fm_error *error);
/* Whether one part gives it all. */
int fm_own_motion_is_of(const fm_own_motion_view *view, int part);
fm_own_motion fm_own_motion_read(const fm_part_context *context, const fm_own_motion_view *view);

#endif
