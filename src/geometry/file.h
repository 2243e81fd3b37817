/* Whole files into memory. */
#ifndef FM_GEOMETRY_FILE_H
#define FM_GEOMETRY_FILE_H

#include <stddef.h>

#include "base/error.h"

#define FM_FILE_LIMIT ((size_t)1 << 31) /* bytes: larger geometry files are refused */

/* *data (free with fm_free) contains the file and one zero byte after it. */
fm_status fm_geometry_file(const char *path, char **data, size_t *size, fm_error *error);

#endif
