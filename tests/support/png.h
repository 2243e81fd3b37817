/* Pictures as PNG files: 8-bit red, green, blue. */
#ifndef TESTS_SUPPORT_PNG_H
#define TESTS_SUPPORT_PNG_H

#include <png.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

static fm_status write_png(const char *path, const uint8_t *rgb, size_t width, size_t height, fm_error *error)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB};
    if (png_image_write_to_file(&image, path, 0, rgb, 0, NULL))
        return FM_OK;
    return fm_fail(error, FM_ERR_FILE, "%s: %s", path, image.message);
}

/* Into rgb[3 · width · height], which must be the size of the picture. */
static fm_status read_png(const char *path, uint8_t *rgb, size_t width, size_t height, fm_error *error)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path))
        return fm_fail(error, FM_ERR_FILE, "%s: %s", path, image.message);
    if (image.width != width || image.height != height) {
        png_image_free(&image);
        return fm_fail(error, FM_ERR_RANGE, "%s: %u × %u pixels given: must be %zu × %zu", path, image.width,
                       image.height, width, height);
    }
    image.format = PNG_FORMAT_RGB;
    if (png_image_finish_read(&image, NULL, rgb, 0, NULL))
        return FM_OK;
    return fm_fail(error, FM_ERR_FILE, "%s: %s", path, image.message);
}

#endif
