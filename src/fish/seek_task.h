/* <seek> in a <fish-brain>: the elements of the task, and its part of the brain's cycle. */
#ifndef FM_FISH_SEEK_TASK_H
#define FM_FISH_SEEK_TASK_H

#include <fathom/part.h>

#include "fish/eyes.h"
#include "fish/seek.h"

typedef struct fm_seek_config {
    double colour[3], tolerance, size, pixels; /* 0 … 1, rad, rad, 1 */
    double turn, leg;                          /* rad/s, s */
    /* derived */
    fm_eyes eyes;
    fm_hue hue;
    fm_seek_params params;
    int metric_seen;
} fm_seek_config;

typedef struct fm_seek_memory {
    fm_eyes_state eyes;
    fm_seek_state state;
} fm_seek_memory;

enum { FM_SEEK_ATTRS = 6 };
extern const fm_attr fm_seek_attrs[FM_SEEK_ATTRS];

fm_status fm_seek_load(fm_part_load *load, fm_seek_config *config, fm_error *error);
/* Looks at new pictures and decides; an event where the behaviour changes. */
fm_fish_decision fm_seek_run(const fm_part_context *context, const fm_seek_config *config, fm_seek_memory *memory,
                             double speed, double turn_rate);

#endif
