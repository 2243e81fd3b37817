/* Robots of URDF and SDF as models of Fathom: links merged into one body, the plugins of Gazebo Sim and of UUV
 * Simulator as hydrodynamics, actuators and sensors. docs/import.md. What has no counterpart is listed with its line.
 */
#ifndef FM_IMPORTS_IMPORT_H
#define FM_IMPORTS_IMPORT_H

#include <stddef.h>

#include "base/error.h"

enum { FM_IMPORT_FILES_MOST = 64, FM_IMPORT_NAMES_MOST = 512, FM_IMPORT_TABLES_MOST = 32, FM_IMPORT_FOLDERS_MOST = 16 };

/* The axis of the base link that points ahead. */
typedef enum fm_import_forward { FM_IMPORT_X, FM_IMPORT_MINUS_X, FM_IMPORT_Y, FM_IMPORT_MINUS_Y } fm_import_forward;

typedef struct fm_import_options {
    const char *name;  /* of the model; NULL: as the source is named */
    const char *model; /* which of several in a world; NULL: the only one */
    fm_import_forward forward;
    const char *folders[FM_IMPORT_FOLDERS_MOST]; /* in which model:// and package:// are looked up */
    size_t folder_count;
    int closed; /* no other file is opened */
} fm_import_options;

/* A table beside the model. */
typedef struct fm_import_table {
    char file[96];
    char *text;
} fm_import_table;

typedef struct fm_import_result {
    char name[64];
    char *model, *scenario; /* XML */
    char *report;           /* one line for each thing that is not imported or has a remark; "" if none */
    size_t lost, remarks;
    fm_import_table tables[FM_IMPORT_TABLES_MOST];
    size_t table_count;
} fm_import_result;

/* Reads a file. Errors name file, line and element. Free the result, also on failure. */
fm_status fm_import_read(const char *path, const fm_import_options *options, fm_import_result *result, fm_error *error);
/* The same from memory; `file` is its name in messages. */
fm_status fm_import_parse(const char *file, const char *text, size_t size, const fm_import_options *options,
                          fm_import_result *result, fm_error *error);
void fm_import_free(fm_import_result *result);

#endif
