#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef FM_HAVE_NETCDF
#include <netcdf.h>
#endif

#include "ocean/current.h"
#include "physics/real.h"

#define DEGREES (FM_PI / 180)
#define PATH "current_test.nc"

#ifdef FM_HAVE_NETCDF

static int define_axis(int file, const char *name, size_t length, const char *units, int *variable)
{
    int dimension;
    assert_int_equal(nc_def_dim(file, name, length, &dimension), 0);
    assert_int_equal(nc_def_var(file, name, NC_DOUBLE, 1, &dimension, variable), 0);
    nc_put_att_text(file, *variable, "units", strlen(units), units);
    return dimension;
}

/* Ocean-model style: u(time, depth, lat, lon) with latitude running south, longitude 0 … 360, packed shorts with fill.
 */
static void write_geographic(void)
{
    int file, axes[4], variables[4], u, v;
    const double time[2] = {1000, 1002}, depth[2] = {0, 100}, lat[3] = {41.2, 41.1, 41.0}, lon[2] = {351.0, 351.2};
    const double scale = 0.001, offset = 0;
    const short fill = -32767;
    short east[24], north[24];
    assert_int_equal(nc_create(PATH, NC_CLOBBER, &file), 0);
    axes[0] = define_axis(file, "time", 2, "hours since 1950-01-01", &variables[0]);
    axes[1] = define_axis(file, "depth", 2, "m", &variables[1]);
    axes[2] = define_axis(file, "latitude", 3, "degrees_north", &variables[2]);
    axes[3] = define_axis(file, "longitude", 2, "degrees_east", &variables[3]);
    nc_def_var(file, "uo", NC_SHORT, 4, axes, &u);
    nc_def_var(file, "vo", NC_SHORT, 4, axes, &v);
    for (int k = 0; k < 2; k++) {
        int id = k ? v : u;
        nc_put_att_short(file, id, "_FillValue", NC_SHORT, 1, &fill);
        nc_put_att_double(file, id, "scale_factor", NC_DOUBLE, 1, &scale);
        nc_put_att_double(file, id, "add_offset", NC_DOUBLE, 1, &offset);
        nc_put_att_text(file, id, "units", 5, "m s-1");
    }
    nc_enddef(file);
    for (int n = 0; n < 24; n++) {
        int t = n / 12, z = n / 6 % 2, j = n / 2 % 3, i = n % 2;
        east[n] = (short)(100 + 1000 * t + 200 * z + 10 * j + i);
        north[n] = (short)(-50 - 100 * j);
    }
    north[1] = fill;
    nc_put_var_double(file, variables[0], time);
    nc_put_var_double(file, variables[1], depth);
    nc_put_var_double(file, variables[2], lat);
    nc_put_var_double(file, variables[3], lon);
    nc_put_var_short(file, u, east);
    nc_put_var_short(file, v, north);
    assert_int_equal(nc_close(file), 0);
}

/* Time as the record dimension, in the 64-bit-offset format: two record variables share each record. */
static void write_records(void)
{
    int file, axes[3], variables[3], u, v;
    assert_int_equal(nc_create(PATH, NC_CLOBBER | NC_64BIT_OFFSET, &file), 0);
    axes[0] = define_axis(file, "time", NC_UNLIMITED, "s", &variables[0]);
    axes[1] = define_axis(file, "x", 1, "m", &variables[1]);
    axes[2] = define_axis(file, "y", 1, "m", &variables[2]);
    nc_def_var(file, "u", NC_DOUBLE, 3, axes, &u);
    nc_def_var(file, "v", NC_DOUBLE, 3, axes, &v);
    nc_enddef(file);
    for (size_t i = 0; i < 5; i++) {
        size_t at[3] = {i, 0, 0};
        double time = 10.0 * (double)i, speed = 0.1 * (double)i, zero = 0;
        nc_put_var1_double(file, variables[0], at, &time);
        nc_put_var1_double(file, u, at, &speed);
        nc_put_var1_double(file, v, at, &zero);
    }
    assert_int_equal(nc_close(file), 0);
}

static void records_interpolate_in_time_and_must_all_be_there(void **state)
{
    (void)state;
    fm_arena arena = {0};
    fm_current_grid grid;
    fm_error error = {0};
    write_records();
    assert_int_equal(fm_current_grid_read_netcdf(&grid, PATH, 0, 0, &arena, &error), FM_OK);
    fm_current_component part = {.kind = FM_CURRENT_GRID, .grid = &grid};
    fm_current current = {&part, 1};
    double velocity[3];
    fm_current_velocity(&current, NULL, 25, (double[3]){0}, velocity);
    assert_near(velocity[0], 0.25, 1e-12);
    struct stat whole;
    assert_int_equal(stat(PATH, &whole), 0);
    assert_int_equal(truncate(PATH, whole.st_size - 1), 0);
    assert_int_equal(fm_current_grid_read_netcdf(&grid, PATH, 0, 0, &arena, &error), FM_ERR_FILE);
    assert_non_null(strstr(error.text, "cut off"));
    unlink(PATH);
    fm_arena_free(&arena);
}

static void an_ocean_model_file_lands_in_the_worlds_frame(void **state)
{
    (void)state;
    fm_arena arena = {0};
    fm_current_grid grid;
    fm_error error = {0};
    write_geographic();
    fm_status status = fm_current_grid_read_netcdf(&grid, PATH, 41 * DEGREES, -9 * DEGREES, &arena, &error);
    assert_string_equal(error.text, "");
    assert_int_equal(status, FM_OK);
    assert_int_equal(grid.norths, 3);
    assert_near(grid.time[1], 7200, 1e-9);
    assert_near(grid.north[0], 0, 1e-6);
    assert_near(grid.north[1], 0.1 * 111064, 20); /* a degree at 41° N is 111.06 km */
    assert_near(grid.east[0], 0, 1e-6);
    assert_near(grid.east[1], 0.2 * 84138, 40); /* and 84.1 km of longitude */
    fm_current_component part = {.kind = FM_CURRENT_GRID, .grid = &grid};
    fm_current current = {&part, 1};
    double velocity[3];
    fm_current_velocity(&current, NULL, 0, (double[3]){0, 0, 0}, velocity); /* lat 41.0 is the file's last row, j = 2 */
    assert_near(velocity[0], -0.25, 1e-12);
    assert_near(velocity[1], 0.12, 1e-12);
    fm_current_velocity(&current, NULL, 3600, (double[3]){0, grid.east[1] / 2, 50}, velocity);
    assert_near(velocity[1], 0.1 + 0.5 + 0.1 + 0.02 + 0.0005, 1e-12);
    fm_current_velocity(&current, NULL, 0, (double[3]){grid.north[2], grid.east[1], 0}, velocity);
    assert_near(velocity[0], 0, 1e-15); /* land */
    unlink(PATH);
    fm_arena_free(&arena);
}

/* u(y, x) over metres: x is north, y is east. */
static void write_local(const char *x_name, const char *u_units, double bad)
{
    int file, axes[2], variables[2], u, v;
    const double x[3] = {0, 10, 20}, y[2] = {0, 5};
    double along[6], across[6];
    assert_int_equal(nc_create(PATH, NC_CLOBBER, &file), 0);
    axes[0] = define_axis(file, "y", 2, "m", &variables[1]);
    axes[1] = define_axis(file, x_name, 3, "m", &variables[0]);
    nc_def_var(file, "u", NC_DOUBLE, 2, axes, &u);
    nc_def_var(file, "v", NC_DOUBLE, 2, axes, &v);
    nc_put_att_text(file, u, "units", strlen(u_units), u_units);
    nc_enddef(file);
    for (int n = 0; n < 6; n++) {
        along[n] = 0.1 * x[n % 3] + bad;
        across[n] = 0.2 * y[n / 3];
    }
    nc_put_var_double(file, variables[0], x);
    nc_put_var_double(file, variables[1], y);
    nc_put_var_double(file, u, along);
    nc_put_var_double(file, v, across);
    assert_int_equal(nc_close(file), 0);
}

static void a_local_file_has_u_along_x_and_v_along_y(void **state)
{
    (void)state;
    fm_arena arena = {0};
    fm_current_grid grid;
    fm_error error = {0};
    write_local("x", "m/s", 0);
    assert_int_equal(fm_current_grid_read_netcdf(&grid, PATH, 0, 0, &arena, &error), FM_OK);
    fm_current_component part = {.kind = FM_CURRENT_GRID, .grid = &grid};
    fm_current current = {&part, 1};
    double velocity[3];
    fm_current_velocity(&current, NULL, 77, (double[3]){13, 4, 9}, velocity);
    assert_near(velocity[0], 1.3, 1e-12);
    assert_near(velocity[1], 0.8, 1e-12);
    unlink(PATH);
    fm_arena_free(&arena);
}

static void expect_failure(fm_status expected, const char *message)
{
    fm_arena arena = {0};
    fm_current_grid grid;
    fm_error error = {0};
    fm_status status = fm_current_grid_read_netcdf(&grid, PATH, 0, 0, &arena, &error);
    if (!strstr(error.text, message))
        fail_msg("'%s' does not say '%s'", error.text, message);
    assert_int_equal(status, expected);
    assert_string_equal(error.file, PATH);
    fm_arena_free(&arena);
}

static void bad_current_files_are_refused_with_a_reason(void **state)
{
    (void)state;
    unlink(PATH);
    expect_failure(FM_ERR_FILE, "cannot be opened");
    write_local("x", "knots", 0);
    expect_failure(FM_ERR_UNIT, "knots");
    write_local("q", "m/s", 0);
    expect_failure(FM_ERR_NAME, "'q' is none of");
    write_local("lat", "m/s", 0);
    expect_failure(FM_ERR_UNIT, "degrees_north");
    write_local("x", "m/s", 1000);
    expect_failure(FM_ERR_RANGE, "must be at most 100 m/s");
    write_local("x", "m/s", 0);
    struct stat whole;
    assert_int_equal(stat(PATH, &whole), 0);
    for (off_t length = 4; length < whole.st_size; length += 4) { /* however much of the file is missing */
        write_local("x", "m/s", 0);
        assert_int_equal(truncate(PATH, length), 0);
        expect_failure(FM_ERR_FILE, "cut off");
    }
    FILE *file = fopen(PATH, "w");
    fputs("CDF\001 not really", file);
    fclose(file);
    expect_failure(FM_ERR_FILE, "damaged");
    file = fopen(PATH, "w");
    fputs("u,v\n1,2\n", file);
    fclose(file);
    expect_failure(FM_ERR_FILE, "cannot open as NetCDF");
    unlink(PATH);
}

#endif

static void without_a_file_reading_fails_cleanly(void **state)
{
    (void)state;
    fm_arena arena = {0};
    fm_current_grid grid;
    fm_error error = {0};
    assert_int_not_equal(fm_current_grid_read_netcdf(&grid, "no/such.nc", 0, 0, &arena, &error), FM_OK);
    assert_string_equal(error.file, "no/such.nc");
    assert_different(error.text[0], 0);
    fm_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef FM_HAVE_NETCDF
        cmocka_unit_test(an_ocean_model_file_lands_in_the_worlds_frame),
        cmocka_unit_test(records_interpolate_in_time_and_must_all_be_there),
        cmocka_unit_test(a_local_file_has_u_along_x_and_v_along_y),
        cmocka_unit_test(bad_current_files_are_refused_with_a_reason),
#endif
        cmocka_unit_test(without_a_file_reading_fails_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
