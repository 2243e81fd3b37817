/* Instruments: the latest sample of any part of a vehicle that has outputs, by name: sensors, and controllers that
 * report their own values. Values are SI and radians. Vectors are in Fathom's axes: world north-east-down, body
 * forward-starboard-down, or the instrument's own axes if it is mounted at an angle. Images and sonar fans are ordinary
 * fields: bytes by row, with their sizes in other fields.
 *
 * Call these functions from the thread that steps the world, between steps or in the callbacks of a sink. */
#ifndef FATHOM_INSTRUMENT_H
#define FATHOM_INSTRUMENT_H

#include <fathom/quantity.h>
#include <fathom/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Describes an instrument and its latest sample. The texts are valid until the vehicle is removed. */
typedef struct fm_instrument_info {
    const char *name;    /* "dvl"; NULL: no such instrument */
    const char *kind;    /* its element: "dvl" */
    const char *message; /* type of its message in logs: "sensor_msgs/Imu"; "": fathom_msgs/Values */
    double period;       /* s between two samples */
    double time;         /* s since the start: when the latest sample was taken; NaN: no sample */
    uint64_t samples;    /* samples so far: a change means a new sample */
    int valid;           /* 0: no sample in the last period (lost, faulty, nothing in view) */
    int external;        /* its values come from outside (fm_world_sense); if not valid, they are stale */
    size_t field_count;
} fm_instrument_info;

/* One field of the latest sample. `data` points into the world and is valid until its next step. */
typedef struct fm_sample {
    const char *name;    /* "velocity", "image.data"; NULL: no such field */
    char unit[32];       /* SI, of fm_sample_values: "m/s"; "" has no dimension */
    double time;         /* s since the start: when it was taken; NaN: no sample */
    fm_output_type type; /* of `data`: double, uint8_t, float, int64_t, or a text */
    size_t count;        /* number of values; 1 for a text */
    const void *data;    /* a text is NUL-terminated */
    double scale, shift; /* value = scale × data + shift: 1 and 0 if the instrument uses SI */
} fm_sample;

/* Returns the number of instruments of the vehicle in a slot. */
FM_API size_t fm_world_instrument_count(const fm_world *world, int slot);
/* Returns instrument `i`, from 0; `name` is NULL if it does not exist. */
FM_API fm_instrument_info fm_world_instrument(const fm_world *world, int slot, size_t i);
/* Returns the index of the instrument with this name; -1: not found. */
FM_API int fm_world_instrument_find(const fm_world *world, int slot, const char *name);
/* Returns field `field` of the latest sample of instrument `i`; `name` is NULL if it does not exist. */
FM_API fm_sample fm_world_instrument_field(const fm_world *world, int slot, size_t i, size_t field);

/* Finds a field by the names of vehicle, instrument and field (NULL: its first field) and fills *sample. */
FM_API fm_status fm_world_instrument_read(const fm_world *world, const char *vehicle, const char *instrument,
                                          const char *field, fm_sample *sample, fm_error *error);
/* Writes at most `room` values, SI, and returns the total number of values. A text has none. */
FM_API size_t fm_sample_values(const fm_sample *sample, double *values, size_t room);

#ifdef __cplusplus
}
#endif
#endif
