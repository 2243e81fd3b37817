/* Reading numbers from NetCDF files: finding variables by name or CF standard name, unpacking scale and offset. In a
 * build without NetCDF opening says so (FM_ERR_MISSING). */
#ifndef FM_OCEAN_NETCDF_FILE_H
#define FM_OCEAN_NETCDF_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/memory.h"

enum { FM_NETCDF_RANK = 4, FM_NETCDF_NAME = 257 }; /* dimensions of a variable at most; bytes of a name */

typedef struct fm_netcdf {
    int id;
    const char *path;
    fm_error *error; /* where failures are written; may be NULL */
} fm_netcdf;

typedef struct fm_netcdf_array {
    double *values; /* scale and offset applied; missing values are NaN; last dimension fastest */
    size_t count;
    int rank;
    int dimension[FM_NETCDF_RANK]; /* ids */
    size_t length[FM_NETCDF_RANK];
    char name[FM_NETCDF_NAME];
    char units[64], standard_name[128], positive[16]; /* attributes, empty where absent */
} fm_netcdf_array;

fm_status fm_netcdf_open(fm_netcdf *file, const char *path, fm_error *error);
void fm_netcdf_close(fm_netcdf *file);

/* The variable whose standard_name or else name is in one of the NULL-terminated lists. `what` is for the error text.
 */
fm_status fm_netcdf_find(const fm_netcdf *file, const char *what, const char *const *standard_names,
                         const char *const *names, int *variable);
/* Whether such a variable is there. */
bool fm_netcdf_has(const fm_netcdf *file, const char *const *standard_names, const char *const *names);

/* All values of a variable, into the arena. */
fm_status fm_netcdf_read(const fm_netcdf *file, int variable, fm_arena *arena, fm_netcdf_array *out);
/* The coordinate variable of a dimension. */
fm_status fm_netcdf_read_coordinate(const fm_netcdf *file, int dimension, fm_arena *arena, fm_netcdf_array *out);

#endif
