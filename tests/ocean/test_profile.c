#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#ifdef FM_HAVE_NETCDF
#include <netcdf.h>
#endif

#include "ocean/column.h"
#include "ocean/profile.h"

static void sample(const fm_profile *profile, double depth, double *temperature, double *salinity)
{
    const fm_water_levels levels = fm_profile_levels(profile);
    fm_water_levels_at(&levels, depth, temperature, salinity);
}

static fm_status parse(const char *text, fm_profile *profile, fm_arena *arena, fm_error *error)
{
    *error = (fm_error){0};
    return fm_profile_parse_csv(profile, text, strlen(text), "cast.csv", arena, error);
}

static void a_cast_is_linear_between_its_rows_and_constant_beyond(void **state)
{
    (void)state;
    fm_arena arena = {0};
    fm_profile p;
    fm_error error;
    const char *text =
        "# cast 17\r\nSalinity, oxygen, Depth (m), \"temperature [degC]\"\r\n\r\n34,1,0,20\r\n35,2,10,18\n36,3,110,8";
    assert_int_equal(parse(text, &p, &arena, &error), FM_OK);
    assert_int_equal(p.count, 3);
    double t, s;
    sample(&p, 5, &t, &s);
    assert_near(t, 19, 1e-12);
    assert_near(s, 34.5, 1e-12);
    sample(&p, 60, &t, &s);
    assert_near(t, 13, 1e-12);
    assert_near(s, 35.5, 1e-12);
    sample(&p, -1, &t, &s);
    assert_near(t, 20, 0);
    sample(&p, 5000, &t, &s);
    assert_near(s, 36, 0);
    fm_water_column column = fm_water_column_default();
    column.profile = &p;
    assert_near(fm_water_column_sample(&column, 0, 0, 60).salinity, 35.5, 1e-12);
    fm_arena_free(&arena);
}

static void bad_rows_are_named_by_row_and_column(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        int line;
    } cases[] = {
        {"depth,temperature,salinity\n0,20,35\n10,abc,35\n", "row 3, column 2 (temperature): 'abc' is not a number", 3},
        {"depth,temperature,salinity\n0,20\n", "row 2: only 2 columns", 2},
        {"depth,temperature,salinity\n0,20,\n", "row 2, column 3 (salinity): '' is not a number", 2},
        {"depth,temperature,salinity\n0,20,135\n", "row 2, column 3 (salinity): 135 is out of range: must be 0 … 50",
         2},
        {"depth,temperature,salinity\n0,nan,35\n", "row 2, column 2 (temperature): nan is out of range", 2},
        {"depth,temperature,salinity\n10,20,35\n\n10,20,35\n",
         "row 4, column 1 (depth): 10 m is not deeper than the 10 m", 4},
        {"depth,temperature\n0,20\n", "no column 'salinity'", 1},
        {"depth [ft],temperature,salinity\n0,20,35\n", "depth is in 'ft': must be 'm'", 1},
        {"depth,depth,temperature,salinity\n", "a second column 'depth'", 1},
        {"depth,temperature,salinity\n", "no data", 1},
        {"", "no data", 0},
        {"depth,temperature,salinity\n0,1e999,35\n", "out of range", 2},
        {"depth,temperature,salinity\n0 m,20,35\n", "'0 m' is not a number", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fm_arena arena = {0};
        fm_profile p;
        fm_error error;
        assert_int_not_equal(parse(cases[i].text, &p, &arena, &error), FM_OK);
        if (!strstr(error.text, cases[i].message))
            fail_msg("'%s' does not say '%s'", error.text, cases[i].message);
        assert_int_equal(error.line, cases[i].line);
        assert_string_equal(error.file, "cast.csv");
        fm_arena_free(&arena);
    }
}

static void files_are_read_by_their_ending(void **state)
{
    (void)state;
    fm_arena arena = {0};
    fm_profile p;
    fm_error error = {0};
    FILE *file = fopen("profile_test.csv", "w");
    assert_non_null(file);
    fputs("depth,temperature,salinity\n", file);
    for (int i = 0; i < 20000; i++)
        fprintf(file, "%.2f,%.4f,%.4f\n", 0.5 * i, 20 - 0.0005 * i, 35.0);
    fclose(file);
    assert_int_equal(fm_profile_read_csv(&p, "profile_test.csv", &arena, &error), FM_OK);
    assert_int_equal(p.count, 20000);
    assert_near(p.temperature[19999], 20 - 0.0005 * 19999, 1e-4);
    unlink("profile_test.csv");
    assert_int_equal(fm_profile_read_csv(&p, "profile_test.csv", &arena, &error), FM_ERR_FILE);
    assert_non_null(strstr(error.text, "opened"));
    fm_arena_free(&arena);
}

static void running_out_of_memory_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    long live = fm_alloc_live();
    const char *text = "depth,temperature,salinity\n0,20,35\n";
    fm_arena arena = {0};
    fm_profile p;
    fm_error error;
    fm_alloc_fail_after(0);
    fm_status status = parse(text, &p, &arena, &error);
    fm_alloc_fail_after(-1);
    assert_int_equal(status, FM_ERR_MEMORY);
    fm_arena_free(&arena);
    assert_int_equal(fm_alloc_live(), live);
}

#ifdef FM_HAVE_NETCDF

/* A cast of three nodes; salinity is packed as short. */
static void write_cast(const char *path, const char *units, const double depth[3], const double temperature[3])
{
    int id, d, z, t, s;
    const short packed[3] = {0, 500, 1000};
    const double scale = 0.001, offset = 35;
    assert_int_equal(nc_create(path, NC_CLOBBER, &id), 0);
    nc_def_dim(id, "level", 3, &d);
    nc_def_var(id, "depth", NC_DOUBLE, 1, &d, &z);
    nc_def_var(id, "T", NC_DOUBLE, 1, &d, &t);
    nc_put_att_text(id, t, "standard_name", strlen("sea_water_temperature"), "sea_water_temperature");
    nc_put_att_text(id, t, "units", strlen(units), units);
    nc_def_var(id, "salinity", NC_SHORT, 1, &d, &s);
    nc_put_att_double(id, s, "scale_factor", NC_DOUBLE, 1, &scale);
    nc_put_att_double(id, s, "add_offset", NC_DOUBLE, 1, &offset);
    nc_enddef(id);
    nc_put_var_double(id, z, depth);
    nc_put_var_double(id, t, temperature);
    nc_put_var_short(id, s, packed);
    assert_int_equal(nc_close(id), 0);
}

static void a_netcdf_cast_is_unpacked_and_converted(void **state)
{
    (void)state;
    fm_arena arena = {0};
    fm_profile p;
    fm_error error = {0};
    write_cast("profile_test.nc", "K", (double[]){0, 50, 100}, (double[]){293.15, 288.15, 283.15});
    assert_int_equal(fm_profile_read_netcdf(&p, "profile_test.nc", &arena, &error), FM_OK);
    assert_int_equal(p.count, 3);
    assert_near(p.temperature[1], 15, 1e-9);
    assert_near(p.salinity[1], 35.5, 1e-9);
    assert_near(p.depth[2], 100, 0);
    unlink("profile_test.nc");
    fm_arena_free(&arena);
}

static void bad_netcdf_casts_are_refused_with_a_reason(void **state)
{
    (void)state;
    fm_arena arena = {0};
    fm_profile p;
    fm_error error = {0};
    write_cast("profile_bad.nc", "degF", (double[]){0, 50, 100}, (double[]){20, 15, 10});
    assert_int_equal(fm_profile_read_netcdf(&p, "profile_bad.nc", &arena, &error), FM_ERR_UNIT);
    assert_non_null(strstr(error.text, "degF"));
    write_cast("profile_bad.nc", "degC", (double[]){0, 100, 50}, (double[]){20, 15, 10});
    assert_int_equal(fm_profile_read_netcdf(&p, "profile_bad.nc", &arena, &error), FM_ERR_RANGE);
    assert_non_null(strstr(error.text, "depth[2]"));
    write_cast("profile_bad.nc", "degC", (double[]){0, 50, 100}, (double[]){20, 15, 1e30});
    assert_int_equal(fm_profile_read_netcdf(&p, "profile_bad.nc", &arena, &error), FM_ERR_RANGE);
    FILE *file = fopen("profile_bad.nc", "w");
    fputs("CDF\001 this is not a header", file);
    fclose(file);
    assert_int_equal(fm_profile_read_netcdf(&p, "profile_bad.nc", &arena, &error), FM_ERR_FILE);
    assert_string_equal(error.file, "profile_bad.nc");
    unlink("profile_bad.nc");
    fm_arena_free(&arena);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cast_is_linear_between_its_rows_and_constant_beyond),
        cmocka_unit_test(bad_rows_are_named_by_row_and_column),
        cmocka_unit_test(files_are_read_by_their_ending),
        cmocka_unit_test(running_out_of_memory_is_reported_and_leaks_nothing),
#ifdef FM_HAVE_NETCDF
        cmocka_unit_test(a_netcdf_cast_is_unpacked_and_converted),
        cmocka_unit_test(bad_netcdf_casts_are_refused_with_a_reason),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
