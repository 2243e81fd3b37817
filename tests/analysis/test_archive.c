/* Telemetry of real vehicles: lines as they come, and a record asked at any time. */
#include "analysis/archive.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/telemetry_line.h"
#include "support/near.h"

static fm_kinematics motion;
static fm_telemetry_line found;

static fm_telemetry_fault line(const char *text)
{
    fm_telemetry_fault fault = fm_telemetry_line_read(text, strlen(text), &found, NULL);
    motion = found.motion;
    return fault;
}

static void a_line_is_read_in_its_units(void **state)
{
    (void)state;
    assert_int_equal(line("t=12.5 x=10 y=-20 z=3.28083989501 psi=1.5 u=2 m1=0.3 V1=\r"), FM_TELEMETRY_GOOD);
    assert_near(found.time, 12.5, 0);
    assert_near(motion.values[FM_KINEMATICS_NORTH], 3.048, 1e-12);
    assert_near(motion.values[FM_KINEMATICS_EAST], -6.096, 1e-12);
    assert_near(motion.values[FM_KINEMATICS_DEPTH], 1, 1e-9);
    assert_near(motion.values[FM_KINEMATICS_HEADING], 1.5, 0);
    assert_near(motion.values[FM_KINEMATICS_WATER_SURGE], 0.6096, 1e-12);
    assert_true(isnan(motion.values[FM_KINEMATICS_SURGE]));
    assert_int_equal(line("time[ms]=250 depth[ft]=10 heading[deg]=90 north=4"), FM_TELEMETRY_GOOD);
    assert_near(found.time, 0.25, 1e-15);
    assert_near(motion.values[FM_KINEMATICS_DEPTH], 3.048, 1e-12);
    assert_near(motion.values[FM_KINEMATICS_HEADING], 90 * DEGREE, 1e-12);
    assert_near(motion.values[FM_KINEMATICS_NORTH], 4, 0);
    assert_int_equal(fm_kinematics_known(&motion), 3);
}

static void lines_that_are_none_are_told_by_their_fault(void **state)
{
    (void)state;
    static char long_line[FM_TELEMETRY_LINE_MOST + 8] = "depth=1 ";
    memset(long_line + 8, ' ', sizeof long_line - 9);
    static const char *const malformed[] = {
        "depth",      "=3",       "depth=deep",  "depth=nan",        "depth=inf",
        "depth=0x10", "depth=1e", "depth[kg]=3", "depth=1 \x01\x02", "depth=1,heading=2"};
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++)
        if (line(malformed[i]) != FM_TELEMETRY_MALFORMED)
            fail_msg("'%s' is taken", malformed[i]);
    assert_int_equal(line(long_line), FM_TELEMETRY_MALFORMED);
    assert_int_equal(fm_telemetry_line_read("depth=1\0", 8, &found, NULL), FM_TELEMETRY_MALFORMED);
    assert_int_equal(line("depth=1e9"), FM_TELEMETRY_RANGE);
    assert_int_equal(line("heading=1e6"), FM_TELEMETRY_RANGE);
    assert_int_equal(line("surge=-1001"), FM_TELEMETRY_RANGE);
    assert_int_equal(line("t=1 rudder=3"), FM_TELEMETRY_EMPTY);
    assert_int_equal(line(""), FM_TELEMETRY_EMPTY);
}

/* At 45 degrees the radii of curvature of WGS 84 are 6367382 m along the meridian and 6388838 m across it. */
static void latitude_and_longitude_are_metres_from_the_origin(void **state)
{
    (void)state;
    const fm_geodetic origin = {45 * DEGREE, 10 * DEGREE, 0};
    assert_int_equal(line("latitude=45.01 longitude=10 depth=3"), FM_TELEMETRY_GOOD);
    assert_near(found.latitude, 45.01 * DEGREE, 1e-12);
    assert_int_equal(fm_telemetry_line_position(&found, &origin, NULL), FM_TELEMETRY_GOOD);
    assert_near(found.motion.values[FM_KINEMATICS_NORTH], 6367382 * 0.01 * DEGREE, 0.1);
    assert_near(found.motion.values[FM_KINEMATICS_EAST], 0, 1e-6);
    assert_int_equal(line("latitude[rad]=0.785398163397448 longitude=9.99"), FM_TELEMETRY_GOOD);
    assert_int_equal(fm_telemetry_line_position(&found, &origin, NULL), FM_TELEMETRY_GOOD);
    assert_near(found.motion.values[FM_KINEMATICS_EAST], -6388838 * sqrt(0.5) * 0.01 * DEGREE, 0.1);
    assert_int_equal(line("latitude=-45 longitude=10"), FM_TELEMETRY_GOOD);
    assert_int_equal(fm_telemetry_line_position(&found, &origin, NULL), FM_TELEMETRY_RANGE);
    assert_int_equal(line("latitude=45"), FM_TELEMETRY_EMPTY);
}

/* --- records --- */

static fm_archive archive;

static void read_text(const char *text, double offset, double gap)
{
    FILE *file = fopen("archive.csv", "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    fm_error error = {0};
    if (fm_archive_read(&archive, "archive.csv", &(fm_archive_options){.offset = offset, .gap = gap}, &error) != FM_OK)
        fail_msg("%s", error.text);
}

static double at(double time, fm_kinematics_quantity quantity)
{
    fm_archive_at(&archive, time, &motion);
    return motion.values[quantity];
}

static void between_samples_it_goes_along_straight_lines_and_the_short_way_round(void **state)
{
    (void)state;
    read_text("t [s],z [ft],heading [deg]\n10,10,350\n12,20,10\n", -10, 0);
    assert_near(at(0.5, FM_KINEMATICS_DEPTH), 12.5 * 0.3048, 1e-12);
    assert_near(angle_between(at(1, FM_KINEMATICS_HEADING), 0), 0, 1e-12);
    assert_near(angle_between(at(1.5, FM_KINEMATICS_HEADING), 5 * DEGREE), 0, 1e-12);
    assert_near(at(2, FM_KINEMATICS_DEPTH), 6.096, 1e-12);
    assert_near(at(0, FM_KINEMATICS_DEPTH), 3.048, 1e-12); /* back, as after a reset */
    assert_near(archive.first, 0, 0);
    assert_near(archive.last, 2, 0);
    fm_archive_free(&archive);
}

static void outside_and_in_gaps_there_is_nothing(void **state)
{
    (void)state;
    read_text("time,depth,north\n0,1,0\n1,,1\n2,3,2\n3,4,3\n9,10,9\n10,11,10\n", 0, 4);
    assert_true(isnan(at(-0.001, FM_KINEMATICS_DEPTH)) && isnan(at(10.001, FM_KINEMATICS_DEPTH)));
    assert_near(at(1, FM_KINEMATICS_DEPTH), 2, 1e-12); /* one cell is empty: not a gap */
    assert_true(isnan(at(3.001, FM_KINEMATICS_DEPTH)) && isnan(at(8.999, FM_KINEMATICS_NORTH)));
    assert_near(at(9, FM_KINEMATICS_DEPTH), 10, 0);
    assert_int_equal(fm_archive_at(&archive, 5, &motion), 0);
    assert_int_equal(fm_archive_at(&archive, 9.5, &motion), 2);
    fm_archive_free(&archive);
}

static void a_heading_that_was_measured_late_is_aligned(void **state)
{
    (void)state;
    static double t[400], y[400];
    char text[20000] = "time,heading [deg]\n";
    for (int i = 0; i < 400; i++) {
        t[i] = 0.1 * i;
        y[i] = remainder(3 * sin(0.3 * t[i]), 360 * DEGREE);
        double late = 0.1 * i - 1.7; /* what the vehicle did 1.7 s before its clock says so */
        snprintf(text + strlen(text), sizeof text - strlen(text), "%.3f,%.9f\n", t[i], 3 * sin(0.3 * late) / DEGREE);
    }
    read_text(text, 0, 0);
    fm_record_series model[FM_KINEMATICS_COUNT] = {0};
    model[FM_KINEMATICS_HEADING] = (fm_record_series){.name = "heading", .unit = "rad", .t = t, .y = y, .count = 400};
    double correlation;
    fm_kinematics_quantity by = FM_KINEMATICS_NORTH;
    fm_error error = {0};
    assert_int_equal(fm_archive_align(&archive, model, 5, &correlation, &by, &error), FM_OK);
    assert_int_equal(by, FM_KINEMATICS_HEADING);
    assert_near(archive.offset, -1.7, 0.02);
    assert_greater(correlation, 0.999);
    fm_archive_free(&archive);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_read_in_its_units),
        cmocka_unit_test(latitude_and_longitude_are_metres_from_the_origin),
        cmocka_unit_test(lines_that_are_none_are_told_by_their_fault),
        cmocka_unit_test(between_samples_it_goes_along_straight_lines_and_the_short_way_round),
        cmocka_unit_test(outside_and_in_gaps_there_is_nothing),
        cmocka_unit_test(a_heading_that_was_measured_late_is_aligned),
    };
    return cmocka_run_group_tests_name("archive", tests, NULL, NULL);
}
