/* Points of a plan from a file: one column per varied parameter, named by its path. Other columns are left out. */
#ifndef FM_STUDIES_POINTS_H
#define FM_STUDIES_POINTS_H

#include "studies/plan.h"

typedef struct fm_points_column {
    char path[FM_AXIS_PATH], unit[FM_AXIS_UNIT];
    double *values; /* one per row; of words their places in the list */
    char **words;   /* NULL: numbers */
    size_t word_count;
} fm_points_column;

typedef struct fm_points {
    fm_arena *arena;
    const char *file;
    fm_points_column columns[FM_AXES_MOST];
    size_t count, rows;
} fm_points;

/* A table with a header: "/v/mass/mass [kg],/v/position/x [m]"; cells are separated by ',' or by tabs, and quoted if
 * they contain a comma. `text` ends with a 0. */
fm_status fm_points_parse_csv(fm_points *points, const char *text, fm_error *error);
/* Variables of one dimension that have an attribute `path`: those of a result of a sweep, or of any other program. */
fm_status fm_points_read_netcdf(fm_points *points, fm_error *error);

#endif
