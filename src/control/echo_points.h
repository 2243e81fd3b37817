/* What a sonar has seen, as places about the vehicle, whichever kind of sonar it is: one that gives an image of echoes
 * (<multibeam>, <scanning-sonar>), one that gives returns with their bearings (<node-sonar>), or one range
 * (<sonar>). Found at load by the quantities that the instrument gives. */
#ifndef FM_CONTROL_ECHO_POINTS_H
#define FM_CONTROL_ECHO_POINTS_H

#include <fathom/part.h>

typedef struct fm_echo_view {
    int64_t part;                    /* its number among the parts */
    fm_quantity_view range;          /* of one range; count 0: not that */
    fm_quantity_view ranges;         /* m: of returns or of bins */
    fm_quantity_view returns, pitch; /* of returns; returns.count 0: not those */
    fm_quantity_view bearings;
    fm_quantity_view beams, echoes; /* of an image */
} fm_echo_view;

/* The sonar of this name; NULL: the first sensor that gives such. */
fm_status fm_echo_view_load(fm_part_load *load, const char *name, fm_echo_view *view, fm_error *error);
/* How many places one look can give at most. */
size_t fm_echo_view_most(const fm_echo_view *view);
/* The i-th of them: body axes (forward, starboard, down) from the vehicle's origin, m. 0: nothing was seen there. */
int fm_echo_view_point(const fm_part_context *context, const fm_echo_view *view, size_t i, double body[3]);

#endif
