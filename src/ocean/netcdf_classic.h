/* Whether a classic NetCDF file (CDF-1, -2, -5) is as long as its header promises. The NetCDF library gives zeros for
 * what is missing from a truncated file; HDF5-based files it checks itself. */
#ifndef FM_OCEAN_NETCDF_CLASSIC_H
#define FM_OCEAN_NETCDF_CLASSIC_H

#include <stdio.h>

#include "base/error.h"

/* FM_OK for a complete classic file and for anything that does not begin as one. `path` is for the error. */
fm_status fm_netcdf_classic_check(FILE *file, const char *path, fm_error *error);

#endif
