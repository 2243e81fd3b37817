/* The Earth's magnetic field against NOAA's test values and an independent program. */
#include "physics/magnetic_field.h"

#include <math.h>
#include <stdio.h>

#include "base/calendar.h"
#include "support/cmocka_all.h"

#define DEGREE (3.14159265358979323846 / 180)

/* Compares every row of a table; returns the number of rows. */
static int compare_rows(const char *path, double tolerance)
{
    char line[256];
    int rows = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        double year, height, latitude, longitude, expected[3], field[3];
        if (sscanf(line, "%lf %lf %lf %lf %lf %lf %lf", &year, &height, &latitude, &longitude, &expected[0],
                   &expected[1], &expected[2]) != 7)
            continue;
        const fm_geodetic position = {latitude * DEGREE, longitude * DEGREE, height * 1e3};
        fm_magnetic_field(&position, year, field);
        for (int i = 0; i < 3; i++)
            assert_near(field[i], expected[i], tolerance);
        rows++;
    }
    fclose(file);
    return rows;
}

/* To the digit that is printed, 0.1 nT. */
static void the_field_has_noaas_test_values(void **state)
{
    (void)state;
    assert_int_equal(compare_rows(TEST_DATA "/geomagnetism/noaa.txt", 0.05), 12);
}

static void the_field_is_that_of_an_independent_program(void **state)
{
    (void)state;
    assert_int_equal(compare_rows(TEST_DATA "/geomagnetism/pygeomag.txt", 0.002), 40);
}

/* Axes turn with the longitude there, the field does not. */
static void the_field_is_smooth_at_a_pole(void **state)
{
    double here[3], near[3];
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        const fm_geodetic pole = {sign * 90 * DEGREE, 0.3, 0}, beside = {sign * (90 - 1e-7) * DEGREE, 0.3, 0};
        fm_magnetic_field(&pole, 2026, here);
        fm_magnetic_field(&beside, 2026, near);
        for (int i = 0; i < 3; i++)
            assert_near(here[i], near[i], 1e-3);
    }
}

static double year_of(const char *date)
{
    double moment = 0;
    assert_true(fm_calendar_read(date, &moment));
    return fm_magnetic_year(moment);
}

static void a_date_outside_the_models_time_takes_its_nearer_end(void **state)
{
    (void)state;
    assert_near(year_of("2025-01-01"), 2025, 1e-12);
    assert_near(year_of("2027-07-02T12:00:00Z"), 2027.5, 1e-9);
    assert_near(year_of("2028-12-31T12:00:00Z"), 2028 + 365.5 / 366, 1e-9);
    assert_same(year_of("2020-01-01"), 2025);
    assert_same(year_of("2029-12-31T23:59:59Z") < 2030, 1);
    assert_same(year_of("2030-01-01"), 2030);
    assert_same(year_of("2050-01-01"), 2030);
    double early[3], first[3];
    const fm_geodetic position = {0.8, 0.2, 0};
    fm_magnetic_field(&position, 2020, early);
    fm_magnetic_field(&position, 2025, first);
    assert_memory_equal(early, first, sizeof early);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_field_has_noaas_test_values),
        cmocka_unit_test(the_field_is_that_of_an_independent_program),
        cmocka_unit_test(the_field_is_smooth_at_a_pole),
        cmocka_unit_test(a_date_outside_the_models_time_takes_its_nearer_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
