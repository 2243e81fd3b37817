/* Axes of what `fathom export` writes: numbers against the true ones, in our frames and in those of ROS, and the frame
 * that each message names. */
#include "support/files.h"
#include "support/near.h"
#include "support/program.h"

static program_run r;

#define BODY "<mass mass='100 kg' inertia='10 10 10 kg*m2'/>"
#define BEACON(name, place, more)                                                                                      \
    "<vehicle name='" name "' position='" place " m'>" BODY "<transducer " more "/></vehicle>"

/* A probe at north 190, east 85, depth 40 that looks east, its instruments, and beacons. */
static const char scenario[] =
    "<fathom version='1'><world dt='0.05 s' duration='12 s' seed='3'><bottom depth='100 m'/><acoustics "
    "speed='constant' "
    "sound-speed='1500 m/s' carried='false'/><current velocity='0.3 -0.1 0 m/s'/></world>"
    "<vehicle name='probe' position='190 85 40 m' attitude='0 0 90 deg'>" BODY "<transducer name='t'/>"
    "<lbl interval='3 s' sound-speed='1500 m/s'><beacon address='1' position='0 0 95 m'/><beacon address='2' "
    "position='1000 0 90 m'/><beacon address='3' position='0 1000 85 m'/></lbl>"
    "<one-way-ranging sound-speed='1500 m/s'><beacon address='4' position='300 420 60 m'/></one-way-ranging><adcp/>"
    "<usbl/><ins/><dvl/></vehicle>" BEACON("b1", "0 0 95", "address='1' replies='true'")
        BEACON("b2", "1000 0 90", "address='2' replies='true'") BEACON("b3", "0 1000 85", "address='3' replies='true'")
            BEACON("b4", "300 420 60", "address='4' ping-period='5 s'") "</fathom>";

/* The text of a column in the first row. */
static const char *text_of(const char *file, const char *column)
{
    static char text[200];
    char *all = read_file(file, NULL), *row = strchr(all, '\n');
    assert_non_null(row);
    *row++ = 0;
    row[strcspn(row, "\n")] = 0;
    for (char *name = all; name && row; name = strchr(name, ','), row = strchr(row, ',')) {
        name += *name == ',';
        row += *row == ',';
        size_t length = strcspn(name, ","), bare = strcspn(name, " ,");
        if (strlen(column) == bare && strncmp(name, column, bare) == 0 && length >= bare) {
            snprintf(text, sizeof text, "%.*s", (int)strcspn(row, ","), row);
            free(all);
            return text;
        }
    }
    fail_msg("%s has no column '%s': %.500s", file, column, all);
    return NULL;
}

static void expect_row(const char *file, const char *stem, const char *const names[3], double x, double y, double z)
{
    const double truth[3] = {x, y, z};
    for (int i = 0; i < 3; i++) {
        char column[200];
        snprintf(column, sizeof column, "%s%s", stem, names[i]);
        near(column, atof(text_of(file, column)), truth[i], 1e-3);
    }
}

static const char *const ned[3] = {"north", "east", "down"}, *const frd[3] = {"forward", "starboard", "down"},
                         *const xyz[3] = {"x", "y", "z"};

static int run_it(void **state)
{
    (void)state;
    write_file("axes.xml", scenario);
    run_fathom(&r, "run axes.xml --log axes.mcap --quiet");
    expect_run(&r, 0, "");
    run_fathom(&r, "export axes.mcap --csv axes_ned");
    expect_run(&r, 0, "");
    run_fathom(&r, "export axes.mcap --csv axes_enu --frame enu");
    expect_run(&r, 0, "");
    return 0;
}

static void exports_are_north_east_down(void **state)
{
    (void)state;
    expect_row("axes_ned/probe.odom.csv", "pose.pose.position.", ned, 190, 85, 40);
    expect_row("axes_ned/probe.lbl.csv", "pose.pose.position.", ned, 190, 85, 40);
    expect_row("axes_ned/probe.one-way-ranging.csv", "position.", ned, 300, 420, 60);
    expect_row("axes_ned/probe.adcp.csv", "velocities[0].", ned, 0.3, -0.1, 0);
    expect_row("axes_ned/probe.ins.csv", "pose.pose.position.", ned, 190, 85, 40);
    expect_row("axes_ned/acoustics.emissions.csv", "origin.", ned, 190, 85, 40);
    expect_row("axes_ned/tf.csv", "transforms[0].transform.translation.", ned, 190, 85, 40);
    double far = sqrt(335.0 * 335 + 110 * 110 + 20 * 20); /* from the east, to port, below */
    expect_row("axes_ned/probe.usbl.csv", "position.", frd, 335 / far, -110 / far, 20 / far);
    near("current, north", atof(text_of("axes_ned/current.csv", "velocity.north[7]")), 0.3, 1e-6);
    near("current, east", atof(text_of("axes_ned/current.csv", "velocity.east[7]")), -0.1, 1e-6);
    near("current, down", atof(text_of("axes_ned/current.csv", "velocity.down[7]")), 0, 1e-6);
    near("its first depth", atof(text_of("axes_ned/current.csv", "down0")), 0.5, 1e-9);
    assert_greater(atof(text_of("axes_ned/current.csv", "ddown")), 0);
}

static void the_log_is_as_ros_has_it(void **state)
{
    (void)state;
    expect_row("axes_enu/probe.odom.csv", "pose.pose.position.", xyz, 85, 190, -40);
    expect_row("axes_enu/probe.lbl.csv", "pose.pose.position.", xyz, 85, 190, -40);
    expect_row("axes_enu/probe.one-way-ranging.csv", "position.", xyz, 420, 300, -60);
    expect_row("axes_enu/probe.adcp.csv", "velocities[0].", xyz, -0.1, 0.3, 0);
    expect_row("axes_enu/probe.ins.csv", "pose.pose.position.", xyz, 85, 190, -40);
    expect_row("axes_enu/acoustics.emissions.csv", "origin.", xyz, 85, 190, -40);
    near("current, east", atof(text_of("axes_enu/current.csv", "velocity[0]")), -0.1, 1e-6);
    near("current, north", atof(text_of("axes_enu/current.csv", "velocity[1]")), 0.3, 1e-6);
}

static void messages_name_the_frame_that_their_numbers_are_in(void **state)
{
    (void)state;
    static const char *const in_the_world[] = {"probe.odom", "probe.lbl", "probe.one-way-ranging", "probe.adcp",
                                               "probe.ins",  "current",   "acoustics.emissions"};
    for (size_t i = 0; i < sizeof in_the_world / sizeof *in_the_world; i++) {
        char file[100];
        snprintf(file, sizeof file, "axes_enu/%s.csv", in_the_world[i]);
        assert_string_equal(text_of(file, "header.frame_id"), i ? "map" : "odom");
    }
    assert_string_equal(text_of("axes_enu/probe.ins.csv", "child_frame_id"), "probe/ins");
    assert_string_equal(text_of("axes_enu/probe.odom.csv", "child_frame_id"), "probe/base_link");
    assert_string_equal(text_of("axes_enu/probe.usbl.csv", "header.frame_id"), "probe/base_link");
    assert_string_equal(text_of("axes_enu/probe.dvl.csv", "header.frame_id"), "probe/dvl");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exports_are_north_east_down),
        cmocka_unit_test(the_log_is_as_ros_has_it),
        cmocka_unit_test(messages_name_the_frame_that_their_numbers_are_in),
    };
    return cmocka_run_group_tests(tests, run_it, NULL);
}
