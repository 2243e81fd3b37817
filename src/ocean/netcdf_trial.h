/* NetCDF-4 files are HDF5 inside, and damaged or malicious bytes can crash that library. Such a file is first read in a
 * separate process, with limited memory and time. */
#ifndef FM_OCEAN_NETCDF_TRIAL_H
#define FM_OCEAN_NETCDF_TRIAL_H

#include "base/error.h"

/* FM_OK if the whole file could be read, and for anything that is not HDF5. */
fm_status fm_netcdf_trial(const char *path, fm_error *error);

#endif
