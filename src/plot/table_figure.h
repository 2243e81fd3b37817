/* Figures of tables: columns over one of them, and measurements of `fathom bench --sizes --json` over their sizes. */
#ifndef FM_PLOT_TABLE_FIGURE_H
#define FM_PLOT_TABLE_FIGURE_H

#include "base/columns.h"
#include "plot/figure.h"

/* Headings are "name" or "name [unit]"; columns of one unit share a plot. `x` and `columns` name columns, with or
 * without their unit; x NULL: the first column, no columns: all others. NULL and *error where that cannot be drawn. */
typedef struct fm_table_request {
    const fm_columns *table;
    const char *x;
    char **columns;
    size_t column_count;
    fm_theme theme;
} fm_table_request;
fm_figure *fm_table_draw(const fm_table_request *request, fm_error *error);

/* One measured size: `count` of `kind` ("vehicles") cost this number of ns per step. */
typedef struct fm_bench_size {
    char kind[32];
    double count, ns;
} fm_bench_size;

/* Reads the results whose names are sizes/KIND/COUNT from the JSON of `fathom bench`; the list lives in the arena. */
fm_status fm_bench_parse(const char *text, size_t size, const char *name, fm_arena *arena, fm_bench_size **sizes,
                         size_t *count, fm_error *error);
fm_figure *fm_bench_draw(const fm_bench_size *sizes, size_t count, fm_theme theme, fm_error *error);

#endif
