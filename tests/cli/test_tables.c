/* `fathom plot` of tables and of measurements. */
#include <math.h>

#include "plot/parts.h"
#include "plot/table_figure.h"
#include "support/files.h"
#include "support/program.h"

static program_run r;

static void expect(int status, const char *words)
{
    expect_run(&r, status, words);
}

#define TABLE "generation,policy [m],best [m],speed [m/s]\n0,3,2,1\n1,2,1,\n2,1,0.5,2\n"

static fm_figure *draw_table(const char *x, char **columns, size_t count)
{
    fm_arena arena = {0};
    fm_columns table;
    fm_error error = {0};
    assert_int_equal(fm_columns_parse(&table, TABLE, strlen(TABLE), "table", &arena, &error), FM_OK);
    fm_figure *figure =
        fm_table_draw(&(fm_table_request){.table = &table, .x = x, .columns = columns, .column_count = count}, &error);
    assert_non_null(figure);
    fm_arena_free(&arena);
    return figure;
}

static void columns_of_one_unit_share_a_plot(void **unused)
{
    (void)unused;
    fm_figure *figure = draw_table(NULL, NULL, 0);
    assert_int_equal(figure->axes_count, 2);
    const fm_axes *metres = figure->axes[0], *speeds = figure->axes[1];
    assert_string_equal(metres->x.label, "generation");
    assert_string_equal(metres->y.unit, "m");
    assert_string_equal(metres->first->label, "policy");
    assert_string_equal(metres->first->next->label, "best");
    assert_null(metres->first->next->next);
    assert_string_equal(speeds->y.label, "speed");
    assert_same(speeds->first->count, 3);
    assert_true(isnan(speeds->first->y[1])); /* an empty cell is a gap */
    fm_figure_destroy(figure);
    figure = draw_table("policy", (char *[]){(char[]){"best"}}, 1);
    assert_int_equal(figure->axes_count, 1);
    assert_string_equal(figure->axes[0]->x.unit, "m");
    assert_string_equal(figure->axes[0]->y.label, "best");
    assert_same(figure->axes[0]->first->x[0], 3);
    assert_same(figure->axes[0]->first->y[0], 2);
    fm_figure_destroy(figure);
}

static void what_a_table_has_not_is_told(void **unused)
{
    (void)unused;
    FILE *out = fopen("table.csv", "w");
    fputs(TABLE, out);
    fclose(out);
    run_fathom(&r, "plot table.csv best --x policy -o table.svg");
    expect(0, "");
    run_fathom(&r, "plot table.csv spead -o table.svg");
    expect(1, "table.csv: no column 'spead'; did you mean 'speed'?");
    run_fathom(&r, "plot table.csv --histogram -o table.svg");
    expect(2, "--histogram are for results of sweeps");
    run_fathom(&r, "plot table.csv --from 3 -o table.svg");
    expect(2, "are for logs");
    run_fathom(&r, "plot missing.csv -o table.svg");
    expect(1, "missing.csv");
    run_shell(&r, "echo '{\"results\": []}' >none.json");
    run_fathom(&r, "plot none.json -o table.svg");
    expect(1, "none.json holds no result sizes/KIND/COUNT");
}

static void measured_sizes_become_a_figure(void **unused)
{
    (void)unused;
    run_fathom(&r, "bench --sizes --json --seconds 0.001 --only sizes/strips");
    expect(0, "\"sizes/strips/200\"");
    char *few = strstr(r.out, "sizes/strips/5\"");
    double cost = atof(strstr(few, "ns_per_step\": ") + 14), speed = atof(strstr(few, "steps_per_s\": ") + 14);
    assert_greater(cost, 10);
    assert_nearer(cost * speed, 1e9, 1);
    FILE *out = fopen("sizes.json", "w");
    fputs(r.out, out);
    fclose(out);
    run_fathom(&r, "plot sizes.json -o sizes.svg");
    expect(0, "");
    assert_greater(size_of("sizes.svg"), 1000);
    run_fathom(&r, "bench --sizes --list");
    expect(0, "sizes/vehicles/10000");
    expect(0, "sizes/beams/1024");
    expect(0, "sizes/transducers/1000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_one_unit_share_a_plot),
        cmocka_unit_test(what_a_table_has_not_is_told),
        cmocka_unit_test(measured_sizes_become_a_figure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
