/* Parts of `fathom info`. */
#ifndef CLI_INFO_H
#define CLI_INFO_H

#include <stddef.h>

/* Prints what is in a NetCDF file, or the variables of the groups of these names; an exit status. */
int cli_info_netcdf(const char *path, char *const *groups, size_t count);

#endif
