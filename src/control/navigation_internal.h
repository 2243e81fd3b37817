/* Shared by the files of <navigation>: its config, its state, and the instruments that it reads. */
#ifndef FM_CONTROL_NAVIGATION_INTERNAL_H
#define FM_CONTROL_NAVIGATION_INTERNAL_H

#include <fathom/frames.h>

#include "control/navigation_fusion.h"
#include "control/navigator.h"

/* One instrument that provides a quantity: the output used, and those that accompany it. */
typedef struct fm_navigation_source {
    int64_t given; /* fm_quantity */
    fm_quantity_view view;
    fm_quantity_view with;     /* count 0: nothing */
    fm_quantity_view variance; /* of fixes and ranges; count 0: not available */
    char name[32];             /* of the instrument */
} fm_navigation_source;

typedef struct fm_navigation_config {
    const char *names[FM_NAVIGATES_QUANTITIES]; /* instruments in order of preference; NULL: the true value */
    double current[3];                          /* m/s, NED: current assumed by the navigator */
    double patience;                            /* s */
    const char *name;
    double period;
    fm_fusion_config filter;
    int64_t fuses; /* 1: a <filter> was written */
    fm_navigation_source sources[FM_NAVIGATES_QUANTITIES][FM_NAVIGATION_SOURCES];
    int64_t count[FM_NAVIGATES_QUANTITIES];
    fm_geodetic origin; /* of the world's axes */
    int64_t error_metric, final_metric, lost_metric, rms_metric;
    int64_t nees_metric, taken_metric, refused_metric; /* of a filter */
} fm_navigation_config;

typedef struct fm_navigation_state {
    int64_t used[FM_NAVIGATES_QUANTITIES]; /* 1 + index of the source in use; 0: none is left */
    /* of a filter only */
    int64_t seen[FM_NAVIGATES_QUANTITIES][FM_NAVIGATION_SOURCES]; /* samples of each source so far */
    double taken[FM_NAVIGATES_QUANTITIES];                        /* s: when the last sample was taken */
    double interval[FM_NAVIGATES_QUANTITIES];                     /* s between the last two */
    int64_t through_water;                                        /* 1: the velocity is measured through the water */
    fm_fusion fusion;
} fm_navigation_state;

/* How an instrument with this output (fm_quantity) provides a quantity (FM_NAVIGATES_…): FM_TELLS_…. */
int fm_navigation_tells(int quantity, int64_t given);

extern const fm_element fm_navigation_element;
/* Those of a filter follow the others. */
enum { FM_NAVIGATION_OUTPUTS = 11, FM_NAVIGATION_OUTPUTS_FUSED = 23 };
extern const fm_output fm_navigation_outputs[FM_NAVIGATION_OUTPUTS_FUSED];
fm_status fm_navigation_load(fm_part_load *load, void *memory, fm_error *error);

#endif
