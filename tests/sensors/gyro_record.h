/* Many samples of one noisy instrument, for facts about their distribution. */
#ifndef FM_TESTS_SENSORS_GYRO_RECORD_H
#define FM_TESTS_SENSORS_GYRO_RECORD_H

#include "sensors/probe.h"

enum { SAMPLES = 20000 };

/* Samples of one component of the gyroscopes of a probe at rest. */
static inline double *record_gyro(const char *flaws)
{
    char instruments[256];
    snprintf(instruments, sizeof instruments, "<imu><gyro %s/></imu>", flaws);
    fm_world *world = start_probe("", "position='0 0 10 m'", instruments);
    double *x = calloc(SAMPLES, sizeof *x);
    for (int i = 0; i < SAMPLES; i++) {
        step(world, 1);
        x[i] = ((const fm_imu_reading *)reading(world, "imu"))->angular_velocity[0];
    }
    finish(world);
    return x;
}

static inline int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#endif
