/* `fathom plot` of tables (CSV) and of measurements from `fathom bench --sizes --json`. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "plot.h"
#include "plot/sheets.h"
#include "plot/table_figure.h"

int cli_is_table(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".csv") == 0;
}

int cli_is_bench(const char *path)
{
    size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".json") == 0;
}

/* The table of a sweep contains words, and lacks the description of each column in its NetCDF file. */
static bool is_table_of_sweep(const char *path)
{
    static const char head[] = "run,seed,outcome";
    char text[sizeof head] = "";
    FILE *file = fopen(path, "r");
    bool read = file && fread(text, 1, sizeof head - 1, file) == sizeof head - 1;
    if (file)
        fclose(file);
    return read && strcmp(text, head) == 0;
}

fm_figure *cli_plot_table(const cli_plot_sweep_request *r, int *code)
{
    fm_arena arena = {0};
    fm_columns table;
    fm_error error = {0};
    fm_figure *figure = NULL;
    if (fm_columns_read(&table, r->path, &arena, &error) == FM_OK)
        figure = fm_table_draw(
            &(fm_table_request){
                .table = &table, .x = r->x, .columns = r->metrics, .column_count = r->metric_count, .theme = r->theme},
            &error);
    if (!figure && is_table_of_sweep(r->path))
        fprintf(stderr, "fathom plot: %s is the table of a sweep; what `fathom sweep -o FILE.nc` writes is drawn\n",
                r->path);
    else if (!figure)
        fprintf(stderr, "fathom plot: %s: %s\n", r->path, error.text);
    fm_arena_free(&arena);
    *code = figure ? CLI_DONE : CLI_FAILED;
    return figure;
}

fm_figure *cli_plot_bench(const char *path, fm_theme theme, int *code)
{
    fm_arena arena = {0};
    fm_error error = {0};
    fm_bench_size *sizes = NULL;
    size_t size = 0, count = 0;
    fm_figure *figure = NULL;
    char *text = fm_figures_read_file(path, &size, &error);
    if (text && fm_bench_parse(text, size, path, &arena, &sizes, &count, &error) == FM_OK)
        figure = fm_bench_draw(sizes, count, theme, &error);
    if (!figure)
        fprintf(stderr, "fathom plot: %s\n", error.text);
    fm_free(text);
    fm_arena_free(&arena);
    *code = figure ? CLI_DONE : CLI_FAILED;
    return figure;
}
