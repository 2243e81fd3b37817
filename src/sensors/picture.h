/* Pictures as PNG files: 8-bit red, green, blue. */
#ifndef FM_SENSORS_PICTURE_H
#define FM_SENSORS_PICTURE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

fm_status fm_picture_write_png(const char *path, const uint8_t *rgb, size_t width, size_t height, fm_error *error);
/* Into rgb[3 · width · height], which must be the size of the picture. */
fm_status fm_picture_read_png(const char *path, uint8_t *rgb, size_t width, size_t height, fm_error *error);

#endif
