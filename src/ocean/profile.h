/* Measured profiles of the water: temperature and salinity at increasing depths, from CSV or NetCDF. */
#ifndef FM_OCEAN_PROFILE_H
#define FM_OCEAN_PROFILE_H

#include <stddef.h>

#include "base/error.h"
#include "base/memory.h"
#include "physics/water.h"

typedef struct fm_profile {
    size_t count;              /* of nodes, at least 1 */
    const double *depth;       /* m, strictly increasing */
    const double *temperature; /* °C, ITS-90 */
    const double *salinity;    /* PSS-78 */
} fm_profile;

/* Its nodes as the kernel takes them. */
static inline fm_water_levels fm_profile_levels(const fm_profile *profile)
{
    return (fm_water_levels){profile->depth, profile->temperature, profile->salinity, (int32_t)profile->count};
}

/* CSV: a header names the columns depth (m), temperature (degC) and salinity, in any order, each with or without its
 * unit in brackets; other columns are ignored; empty lines and lines that begin with # are skipped. Arrays go to the
 * arena. Errors name row (line of the file, from 1) and column (from 1). `name` stands for the file in errors. */
fm_status fm_profile_parse_csv(fm_profile *profile, const char *text, size_t length, const char *name, fm_arena *arena,
                               fm_error *error);
fm_status fm_profile_read_csv(fm_profile *profile, const char *path, fm_arena *arena, fm_error *error);

/* NetCDF: one-dimensional variables depth, temperature, salinity (or their CF standard names) over one dimension. */
fm_status fm_profile_read_netcdf(fm_profile *profile, const char *path, fm_arena *arena, fm_error *error);

#endif
