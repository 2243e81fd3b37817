/* What is in a NetCDF file: its attributes, groups and variables, without their values. */
#ifndef FM_ANALYSIS_NETCDF_OUTLINE_H
#define FM_ANALYSIS_NETCDF_OUTLINE_H

#include <stddef.h>

#include "base/error.h"
#include "base/memory.h"

/* All texts are in the arena of fm_netcdf_outline_read; "" where something is absent. */
typedef struct fm_netcdf_variable {
    const char *name, *type;  /* type as CDL has it: double, int, string … */
    const char *shape;        /* "time = 2401, source = 3" */
    const char *units, *text; /* attributes units and long_name */
} fm_netcdf_variable;

typedef struct fm_netcdf_group {
    const char *path;  /* "/": the root */
    const char *shape; /* its own dimensions */
    fm_netcdf_variable *variables;
    size_t count;
} fm_netcdf_group;

typedef struct fm_netcdf_attribute {
    const char *name, *value; /* a number or numbers are written as text */
} fm_netcdf_attribute;

typedef struct fm_netcdf_outline {
    const char *format;              /* "NetCDF-4", "NetCDF classic" … */
    fm_netcdf_attribute *attributes; /* of the whole file */
    fm_netcdf_group *groups;         /* the root first */
    size_t attribute_count, group_count;
} fm_netcdf_outline;

/* In a build without NetCDF: FM_ERR_MISSING. */
fm_status fm_netcdf_outline_read(fm_netcdf_outline *outline, const char *path, fm_arena *arena, fm_error *error);

#endif
