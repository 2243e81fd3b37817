/* An underwater camera: one ray per pixel; light is absorbed and scattered along it. */
#ifndef FM_SENSORS_CAMERA_H
#define FM_SENSORS_CAMERA_H

#include "sensors/imperfect.h"

typedef struct fm_camera_config {
    fm_health health;
    double noise;    /* live: standard deviation of each value, 0 … 1 */
    double exposure; /* live: brightness of all */
    fm_instrument instrument;
    int64_t width, height; /* pixels */
    double field_of_view;  /* rad, across */
    double range;          /* m: farther is water */
    double attenuation[3]; /* 1/m: red, green, blue; attenuation of light on its way to the camera */
    double downwelling[3]; /* 1/m: of daylight with depth */
    double water[3];       /* colour of the water in daylight, 0 … 1 */
    double sun[3];         /* towards the sun, NED; derived: unit */
    double ambient;        /* 0 … 1: share of diffuse daylight */
    double lamp;           /* brightness of a lamp at the camera at 1 m */
    double texture;        /* 0 … 1: strength of the pattern on the bottom */
    int64_t shadows;
} fm_camera_config;

typedef struct fm_camera_reading {
    fm_reading head;
    double height, width, step, big_endian;
    double image[]; /* packed: red, green, blue bytes, rows from the top */
} fm_camera_reading;

/* Renders the picture of a camera with this config from a station. rgb: 3 · width · height bytes. */
void fm_camera_draw(const fm_part_context *context, const fm_camera_config *config, const fm_instrument_pose *at,
                    uint8_t *rgb);

#endif
