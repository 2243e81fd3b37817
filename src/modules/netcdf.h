/* libfathom-netcdf.so: all reading and writing of NetCDF, loaded on first use. NetCDF brings 40 shared libraries along,
 * most of them for network access, which a program that only steps a world should not load.
 *
 * One list: netcdf.c (in libfathom) makes a function of each row that loads the module and forwards the call;
 * netcdf_module.c (in the module) fills the table with the real functions. A build of archives has the real ones alone.
 */
#ifndef FM_MODULES_NETCDF_H
#define FM_MODULES_NETCDF_H

#include "acoustics/sound_file.h"
#include "analysis/record.h"
#include "geometry/heightmap.h"
#include "ocean/netcdf_file.h"
#include "studies/points.h"
#include "studies/result.h"
#include "telemetry/export.h"

/* F(name, parameters, arguments, the error argument, outputs set even if the module is missing): fm_status */
#define FM_NETCDF_FUNCTIONS(F)                                                                                         \
    F(fm_netcdf_open, (fm_netcdf * file, const char *path, fm_error *error), (file, path, error), error,               \
      *file = (fm_netcdf){.id = -1})                                                                                   \
    F(fm_netcdf_find,                                                                                                  \
      (const fm_netcdf *file, const char *what, const char *const *standard_names, const char *const *names,           \
       int *variable),                                                                                                 \
      (file, what, standard_names, names, variable), file->error, (void)0)                                             \
    F(fm_netcdf_read, (const fm_netcdf *file, int variable, fm_arena *arena, fm_netcdf_array *out),                    \
      (file, variable, arena, out), file->error, (void)0)                                                              \
    F(fm_netcdf_read_coordinate, (const fm_netcdf *file, int dimension, fm_arena *arena, fm_netcdf_array *out),        \
      (file, dimension, arena, out), file->error, (void)0)                                                             \
    F(fm_heightmap_read_netcdf,                                                                                        \
      (const char *path, const fm_heightmap_options *options, fm_heightmap *map, fm_error *error),                     \
      (path, options, map, error), error, *map = (fm_heightmap){0})                                                    \
    F(fm_record_read_netcdf,                                                                                           \
      (fm_record * record, const char *file, const fm_record_options *options, fm_error *error),                       \
      (record, file, options, error), error, *record = (fm_record){.file = file})                                      \
    F(fm_export_netcdf,                                                                                                \
      (fm_mcap_reader * reader, const char *path, const fm_export_options *options, fm_export_result *result,          \
       fm_error *error),                                                                                               \
      (reader, path, options, result, error), error, *result = (fm_export_result){0})                                  \
    F(fm_field_write_netcdf,                                                                                           \
      (const char *path, const fm_field_options *options, double source_depth, const double *loss, fm_error *error),   \
      (path, options, source_depth, loss, error), error, (void)0)                                                      \
    F(fm_arrivals_write_netcdf,                                                                                        \
      (const char *path, const fm_arrival *arrivals, size_t count, double absorption, fm_error *error),                \
      (path, arrivals, count, absorption, error), error, (void)0)                                                      \
    F(fm_sweep_write_netcdf, (const fm_sweep *sweep, const char *path, const char *command, fm_error *error),          \
      (sweep, path, command, error), error, (void)0)                                                                   \
    F(fm_sweep_take_netcdf, (fm_sweep * sweep, const char *path, fm_error *error), (sweep, path, error), error,        \
      (void)0)                                                                                                         \
    F(fm_points_read_netcdf, (fm_points * points, fm_error * error), (points, error), error, (void)0)                  \
    F(fm_result_read, (fm_result * result, const char *path, fm_error *error), (result, path, error), error,           \
      *result = (fm_result){0})

typedef struct fm_netcdf_module {
    const char *version; /* FATHOM_VERSION of its build */
#define FM_NETCDF_MEMBER(name, parameters, arguments, where, first) fm_status(*name) parameters;
    FM_NETCDF_FUNCTIONS(FM_NETCDF_MEMBER)
#undef FM_NETCDF_MEMBER
    void (*fm_netcdf_close)(fm_netcdf *file);
    bool (*fm_netcdf_has)(const fm_netcdf *file, const char *const *standard_names, const char *const *names);
} fm_netcdf_module;

#endif
