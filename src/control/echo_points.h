/* Detections of a sonar as points relative to the vehicle, for every kind of sonar: with an image of echoes
 * (<multibeam>, <scanning-sonar>), with returns and their bearings (<node-sonar>), or with one range (<sonar>). Found
 * at load by the quantities that the instrument provides. */
#ifndef FM_CONTROL_ECHO_POINTS_H
#define FM_CONTROL_ECHO_POINTS_H

#include <fathom/part.h>

typedef struct fm_echo_view {
    int64_t part;                    /* its number among the parts */
    fm_quantity_view range;          /* of one range; count 0: not that */
    fm_quantity_view ranges;         /* m: of returns or of bins */
    fm_quantity_view returns, pitch; /* of returns; returns.count 0: another kind */
    fm_quantity_view bearings;
    fm_quantity_view beams, echoes; /* of an image */
} fm_echo_view;

/* The sonar of this name; NULL: the first suitable sensor. */
fm_status fm_echo_view_load(fm_part_load *load, const char *name, fm_echo_view *view, fm_error *error);
/* Maximum number of points of one sample. */
size_t fm_echo_view_most(const fm_echo_view *view);
/* The i-th point: body axes (forward, starboard, down) from the vehicle's origin, m. 0: no echo. */
int fm_echo_view_point(const fm_part_context *context, const fm_echo_view *view, size_t i, double body[3]);

#endif
