/* What the devices measure: the reading of the instrument, and echoes of the sea along a beam. For the stepping thread,
 * between two steps; the world is only read. */
#ifndef FM_BRIDGES_PING_PING_MEASURE_H
#define FM_BRIDGES_PING_PING_MEASURE_H

#include <fathom/run.h>

#include "bridges/ping/ping_config.h"
#include "bridges/ping/ping_device.h"
#include "sensors/echo_image.h"

enum { FM_PING_RAYS = 128 /* of the cone of a Ping1D */ };

typedef struct fm_ping_measure {
    const fm_ping_config *config;
    double (*directions)[3]; /* room for the rays of a beam */
    int64_t rays;
    double echo[FM_PING_SAMPLES];
} fm_ping_measure;

/* For an instrument of this model. */
fm_status fm_ping_measure_create(fm_ping_measure *measure, const fm_model *model, const fm_ping_config *config,
                                 fm_error *error);
void fm_ping_measure_free(fm_ping_measure *measure);

/* The number of samples that the instrument has given; -1: the vehicle is not there. */
int64_t fm_ping_measure_count(const fm_ping_measure *measure, const fm_world *world);
/* A measurement of a Ping1D with these settings, from the newest sample; its number stays. */
void fm_ping_measure_1d(fm_ping_measure *measure, fm_world *world, const fm_ping_1d *settings, fm_ping_profile *out);
/* A transmission of a Ping360: `samples` bytes. 0: the vehicle is not there. */
int fm_ping_measure_360(fm_ping_measure *measure, fm_world *world, const fm_ping_shot *shot, uint8_t *data);

#endif
