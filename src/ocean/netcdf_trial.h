/* NetCDF-4 files are HDF5 inside, and bytes that are damaged (or meant to harm) can bring that library down. Such a
 * file is read in a process of its own first, with little memory and time. */
#ifndef FM_OCEAN_NETCDF_TRIAL_H
#define FM_OCEAN_NETCDF_TRIAL_H

#include "base/error.h"

/* FM_OK where all of the file could be read, and for anything that is not HDF5. */
fm_status fm_netcdf_trial(const char *path, fm_error *error);

#endif
