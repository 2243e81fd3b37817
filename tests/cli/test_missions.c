/* Missions with an end: lanes of a survey, then="end", --until waypoints. */
#include <math.h>

#include "support/cmocka_all.h"

#include "support/compare.h"
#include "support/files.h"
#include "support/program.h"

static program_run r;

static const char pilot[] = "<autopilot steering='fins' design-speed='1.3 m/s'>"
                            "<heading kp='1' ki='0.02 1/s' kd='1 s' limit='20 deg'/>"
                            "<depth kp='0.2 rad/m' ki='0.01 rad/m/s' kd='0.1 rad*s/m' limit='20 deg'/>"
                            "<pitch kp='1.5' ki='0.1 1/s' kd='0.5 s' limit='20 deg'/>"
                            "<speed kp='20 N*s/m' ki='2 N/m' feed='4 kg/m'/></autopilot>";

static void write_mission(const char *path, const char *attributes, const char *inside)
{
    char text[4096];
    snprintf(
        text, sizeof text,
        "<fathom version='1'><world dt='0.02 s' duration='600 s'/><vehicle name='lauv' model='lauv' position='0 0 3 "
        "m' velocity='1.3 0 0 m/s'><waypoints speed='1.3 m/s' lookahead='6 m' radius='4 m' %s>%s</waypoints>%s"
        "</vehicle></fathom>",
        attributes, inside, pilot);
    write_file(path, text);
}

static double number(const char *text, const char *name)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\": ", name);
    const char *at = strstr(text, quoted);
    assert_non_null(at);
    return strtod(at + strlen(quoted), NULL);
}

/* The distinct goals of the CSV's legs, in their order. */
static size_t read_goals(const char *path, double goals[][3], size_t most)
{
    run_shell(
        &r,
        "awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^waypoints.to/) c[++n] = i; next } { k = $c[1] \" "
        "\" $c[2] \" \" $c[3]; if (k != last && k !~ /nan/) print k; last = k }' %s",
        path);
    size_t count = 0;
    for (char *at = r.out; count < most && *at; at = strchr(at, '\n') + 1)
        if (sscanf(at, "%lf %lf %lf", &goals[count][0], &goals[count][1], &goals[count][2]) == 3)
            count++;
    return count;
}

/* Towards 30°, 20 m wide to starboard (size > 0) or port: corners by the definition of a heading. */
static void check_lanes(double width)
{
    const double psi = M_PI / 6, length = 50, spacing = 10, side = width < 0 ? -1 : 1;
    double goals[16][3];
    char inside[256];
    snprintf(inside, sizeof inside, "<survey corner='20 5 3 m' size='50 %g m' spacing='10 m' heading='30 deg'/>",
             width);
    write_mission("missions_lanes.xml", "then='end'", inside);
    run_fathom(&r, "run missions_lanes.xml --csv missions_lanes --quiet");
    expect_run(&r, 0, "");
    assert_int_equal(read_goals("missions_lanes/lauv.csv", goals, 16), 6);
    for (int i = 0; i < 6; i++) {
        double far = i % 4 == 1 || i % 4 == 2 ? length : 0, off = side * spacing * (i / 2);
        assert_near(goals[i][0], 20 + far * cos(psi) - off * sin(psi), 1e-9);
        assert_near(goals[i][1], 5 + far * sin(psi) + off * cos(psi), 1e-9);
        assert_near(goals[i][2], 3, 0);
    }
}

static void a_survey_is_lanes_there_and_back_to_starboard_or_port(void **state)
{
    (void)state;
    check_lanes(20);
    check_lanes(-29.9);
}

static void waypoints_and_surveys_follow_in_file_order(void **state)
{
    (void)state;
    double goals[16][3];
    write_mission("missions_order.xml", "then='end'",
                  "<waypoint position='20 0 3 m'/><survey corner='40 0 3 m' size='20 5 m' spacing='10 m'/><waypoint "
                  "position='60 20 3 m'/>");
    run_fathom(&r, "run missions_order.xml --csv missions_order --quiet");
    expect_run(&r, 0, "");
    assert_int_equal(read_goals("missions_order/lauv.csv", goals, 16), 4);
    const double north[] = {20, 40, 60, 60}, east[] = {0, 0, 0, 20};
    for (int i = 0; i < 4; i++) {
        assert_near(goals[i][0], north[i], 1e-12);
        assert_near(goals[i][1], east[i], 1e-12);
    }
}

static void the_run_ends_at_the_tick_of_the_last_waypoint(void **state)
{
    (void)state;
    write_mission("missions_end.xml", "then='end'", "<waypoint position='40 0 3 m'/><waypoint position='60 20 3 m'/>");
    run_fathom(&r, "run missions_end.xml --summary - --log missions_end.mcap");
    expect_run(&r, 0, "\"ending\": \"finished\"");
    double end = number(r.out, "duration"), x = number(r.out, "x") - 60, y = number(r.out, "y") - 20;
    assert_near(number(r.out, "waypoints_reached"), 2, 0);
    assert_between(3.9, hypot(x, y), 4); /* the radius, less than one step of 0.026 m into it */
    assert_between(30, end, 100);
    run_fathom(&r, "replay missions_end.mcap --verify");
    expect_run(&r, 0, "the same");
    run_fathom(&r, "run missions_end.xml --until duration --summary -");
    assert_near(number(r.out, "duration"), 600, 1e-9);
    run_fathom(&r, "run missions_end.xml --duration 10 --summary -");
    assert_near(number(r.out, "duration"), 10, 1e-9);
    run_shell(&r, FATHOM_PROGRAM " sweep missions_end.xml --vary /world/seed=1,2 --metric lauv.x --csv missions.csv -o "
                                 "missions.nc --quiet && tail -1 missions.csv");
    expect_run(&r, 0, "");
    assert_near(strtod(strrchr(r.out, ',') + 1, NULL), x + 60, 1e-12);
}

static void until_waypoints_ends_what_would_carry_on(void **state)
{
    (void)state;
    write_mission("missions_on.xml", "", "<waypoint position='40 0 3 m'/>");
    run_fathom(&r, "run missions_on.xml --summary -");
    assert_near(number(r.out, "duration"), 600, 1e-9);
    run_fathom(&r, "run missions_on.xml --until waypoints --summary -");
    expect_run(&r, 0, "\"finished\"");
    assert_between(25, number(r.out, "duration"), 60);
    run_fathom(&r, "run fish-pool --until waypoints");
    expect_run(&r, 1, "no vehicle has <waypoints> that end");
    run_fathom(&r, "run missions_on.xml --until tomorrow");
    expect_run(&r, 2, "must be waypoints or duration");
}

static void what_cannot_be_meant_is_refused(void **state)
{
    (void)state;
    write_mission("missions_bad.xml", "then='end' loop='true'", "<waypoint position='40 0 3 m'/>");
    run_fathom(&r, "check missions_bad.xml");
    expect_run(&r, 1, "then=\"end\" has no effect with loop");
    write_mission("missions_bad.xml", "", "");
    run_fathom(&r, "check missions_bad.xml");
    expect_run(&r, 1, "no <waypoint> or <survey> given");
    write_mission("missions_bad.xml", "", "<survey corner='0 0 3 m' size='-5 20 m' spacing='5 m'/>");
    run_fathom(&r, "check missions_bad.xml");
    expect_run(&r, 1, "must be longer than 0 m");
    write_mission("missions_bad.xml", "", "<survey corner='0 0 3 m' size='5 1000000 m' spacing='0.01 m'/>");
    run_fathom(&r, "check missions_bad.xml");
    expect_run(&r, 1, "up to 5000 lanes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_survey_is_lanes_there_and_back_to_starboard_or_port),
        cmocka_unit_test(waypoints_and_surveys_follow_in_file_order),
        cmocka_unit_test(the_run_ends_at_the_tick_of_the_last_waypoint),
        cmocka_unit_test(until_waypoints_ends_what_would_carry_on),
        cmocka_unit_test(what_cannot_be_meant_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
