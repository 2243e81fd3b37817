/* Instruments: the latest sample of any part of a vehicle that gives something out, by name: sensors, and what
 * controllers tell of themselves. Values are SI and radians; vectors stand in Fathom's axes, the world's
 * north-east-down, the body's forward-starboard-down, an instrument's own where it is mounted otherwise. Images and
 * sonar fans are fields like others: bytes by row, with fields for their sizes beside them. */
#ifndef FATHOM_INSTRUMENT_H
#define FATHOM_INSTRUMENT_H

#include <fathom/quantity.h>
#include <fathom/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fm_instrument_info {
    const char *name;    /* "dvl"; NULL: there is no such instrument */
    const char *kind;    /* its element: "dvl" */
    const char *message; /* type of its message in logs: "sensor_msgs/Imu"; "": fathom_msgs/Values */
    double period;       /* s between two samples */
    double time;         /* s since the start: when the latest sample was taken; NaN: there is none */
    uint64_t samples;    /* given out so far: a change means news */
    int valid;           /* 0: the last period brought none (lost, faulty, nothing to see) */
    int external;        /* its values come from outside (fm_world_sense); not valid then: they are stale */
    size_t field_count;
} fm_instrument_info;

/* One field of the latest sample. */
typedef struct fm_sample {
    const char *name;    /* "velocity", "image.data"; NULL: there is no such field */
    char unit[32];       /* SI, of fm_sample_values: "m/s"; "" has no dimension */
    double time;         /* s since the start: when it was taken; NaN: there is no sample */
    fm_output_type type; /* of `data`: double, uint8_t, float, int64_t, or a text */
    size_t count;        /* of values; of a text: 1 */
    const void *data;    /* as it lies in the world, until the next step; a text ends with NUL */
    double scale, shift; /* value = scale × data + shift: 1 and 0 where the instrument speaks SI */
} fm_sample;

/* Of the vehicle in a slot; numbers go from 0. */
FM_API size_t fm_world_instrument_count(const fm_world *world, int slot);
FM_API fm_instrument_info fm_world_instrument(const fm_world *world, int slot, size_t i);
FM_API int fm_world_instrument_find(const fm_world *world, int slot, const char *name); /* -1: none of that name */
FM_API fm_sample fm_world_instrument_field(const fm_world *world, int slot, size_t i, size_t field);

/* The same by names; `field` NULL: the first. */
FM_API fm_status fm_world_instrument_read(const fm_world *world, const char *vehicle, const char *instrument,
                                          const char *field, fm_sample *sample, fm_error *error);
/* Writes the first `room` values, SI; returns how many there are. A text has none. */
FM_API size_t fm_sample_values(const fm_sample *sample, double *values, size_t room);

#ifdef __cplusplus
}
#endif
#endif
