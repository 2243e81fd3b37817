/* Tables of numbers as text: comma-separated columns under a line of headings; lines that begin with # and empty lines
 * are skipped. */
#ifndef FM_BASE_COLUMNS_H
#define FM_BASE_COLUMNS_H

#include "base/error.h"
#include "base/memory.h"

enum { FM_COLUMNS_MOST = 64, FM_COLUMNS_ROWS_MOST = 1000000, FM_COLUMNS_BYTES_MOST = 1 << 26 };

typedef struct fm_columns {
    size_t columns, rows;
    const char *names[FM_COLUMNS_MOST];
    double *values[FM_COLUMNS_MOST]; /* [columns][rows]; NaN: an empty cell */
} fm_columns;

/* From a text in memory; names and numbers live in the arena. `name` is used in errors. */
fm_status fm_columns_parse(fm_columns *table, const char *text, size_t size, const char *name, fm_arena *arena,
                           fm_error *error);
fm_status fm_columns_read(fm_columns *table, const char *path, fm_arena *arena, fm_error *error);
/* The column with this heading; NULL: none. */
double *fm_columns_find(const fm_columns *table, const char *heading);

#endif
