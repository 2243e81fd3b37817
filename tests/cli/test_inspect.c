/* What the program prints about scenarios and logs: `fathom params`, `fathom info`. */
#include <glob.h>

#include "support/files.h"
#include "support/program.h"

#define TURN FATHOM_SOURCE_DIR "/scenarios/phoenix-turn.xml"
#define SHOWCASE FATHOM_SOURCE_DIR "/scenarios/showcase.xml"

static program_run r;

static int lines_of(const char *text)
{
    int lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void expect_line(const char *start, const char *part)
{
    const char *at = strstr(r.out, start);
    if (!at)
        fail_msg("%s: no line with '%s'", r.line, start);
    char line[512];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    if (!strstr(line, part))
        fail_msg("%s: '%s' is not in '%s'", r.line, part, line);
}

/* --- params --- */

static void parameters_are_shown_as_they_are_written_and_in_si_on_request(void **unused)
{
    (void)unused;
    assert_int_equal(run_fathom(&r, "params " TURN " --set '/phoenix/attitude=0 0 45 deg'"), 0);
    expect_line("/phoenix/attitude ", " 0 0 45 deg ");
    expect_line("/phoenix/attitude ", "[-401.07, 401.07 deg]"); /* 7 rad */
    expect_line("/phoenix/port_propeller/rated ", " 700 rpm ");
    expect_line("/phoenix/port_propeller/rated ", "954930 rpm]"); /* 100000 rad/s */
    expect_line("/phoenix/bow_rudder/limit ", " deg");
    assert_int_equal(run_fathom(&r, "params " TURN " --si --set '/phoenix/attitude=0 0 45 deg'"), 0);
    expect_line("/phoenix/attitude ", " 0 0 0.7853981633974483 rad ");
    expect_line("/phoenix/port_propeller/rated ", " 73.30382858376183 rad/s ");
}

static void a_pattern_and_two_options_choose_parameters(void **unused)
{
    (void)unused;
    assert_int_equal(run_fathom(&r, "params " TURN), 0);
    int all = lines_of(r.out);
    assert_int_equal(run_fathom(&r, "params " TURN " stern_rudder"), 0);
    int word = lines_of(r.out);
    assert_between(3, word, all / 10);
    assert_int_equal(run_fathom(&r, "params " TURN " '/phoenix/stern_rudder/*'"), 0);
    assert_int_equal(lines_of(r.out), word);
    assert_int_equal(run_fathom(&r, "params " TURN " --live"), 0);
    assert_int_equal(run_shell(&r, FATHOM_PROGRAM " params " TURN " --live | grep -cE '  load  '"), 1);
    assert_int_equal(run_fathom(&r, "params " TURN " --written"), 0);
    int written = lines_of(r.out);
    assert_between(50, written, all / 2);
    expect_line("/world/duration", "120 s");
    assert_null(strstr(r.out, "/world/latitude"));
    assert_int_equal(run_fathom(&r, "params " TURN " --written --set '/world/latitude=50 deg'"), 0);
    expect_line("/world/latitude", " 50 deg ");
    assert_int_equal(run_fathom(&r, "params " TURN " nothing_like_it"), 1);
}

/* --- info --- */

static void a_log_is_told_on_one_screen(void **unused)
{
    (void)unused;
    assert_int_equal(run_fathom(&r, "run " SHOWCASE " --quiet --duration 1 --log inspect.mcap"), 0);
    assert_int_equal(run_fathom(&r, "info inspect.mcap"), 0);
    assert_less(lines_of(r.out), 100); /* of six vehicles with their instruments */
    assert_int_equal(run_fathom(&r, "run " TURN " --quiet --set '/world/latitude=50 deg' --log inspect.mcap"), 0);
    assert_int_equal(run_fathom(&r, "info inspect.mcap"), 0);
    assert_less(lines_of(r.out), 50);
    expect_run(&r, 0, "set.0 = /world/latitude=50 deg");
    assert_null(strstr(r.out, "/phoenix/port_propeller/rated"));
    assert_int_equal(run_fathom(&r, "info inspect.mcap --parameters"), 0);
    expect_line("/phoenix/port_propeller/rated", "= 700 rpm");
    expect_line("/world/latitude =", "50 deg");
    assert_null(strstr(r.out, "/world/longitude")); /* it is not written in the file */
    assert_int_equal(run_fathom(&r, "info inspect.mcap --metrics"), 0);
    expect_line("phoenix/distance", " m");
}

static void channels_of_a_shoal_are_folded(void **unused)
{
    (void)unused;
    write_file("inspect-many.xml",
               "<fathom version='1'><world dt='0.1 s' duration='1 s'/>"
               "<vehicle name='ball' count='40'><mass mass='1 kg' inertia='1 1 1 kg*m2'/></vehicle></fathom>");
    assert_int_equal(run_fathom(&r, "run inspect-many.xml --quiet --log inspect.mcap"), 0);
    assert_int_equal(run_fathom(&r, "info inspect.mcap"), 0);
    assert_less(lines_of(r.out), 50);
    expect_line("/ball-1/odom", "(40)");
    assert_int_equal(run_fathom(&r, "info inspect.mcap --channels"), 0);
    expect_line("/ball-40/odom", "nav_msgs");
}

/* --- by name --- */

/* Every file of a folder is listed with a line about it. */
static void expect_all(const char *command, const char *pattern)
{
    glob_t found;
    assert_int_equal(run_fathom(&r, "%s", command), 0);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_int_equal((size_t)lines_of(r.out), found.gl_pathc);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char name[64];
        const char *base = strrchr(found.gl_pathv[i], '/') + 1;
        snprintf(name, sizeof name, "  %.*s ", (int)(strlen(base) - 4), base);
        const char *at = strstr(r.out, name);
        if (!at || strcspn(at + 24, "\n") < 5)
            fail_msg("%s: no line about%s", command, name);
    }
    globfree(&found);
}

static void scenarios_and_models_are_listed_and_run_by_name(void **unused)
{
    (void)unused;
    expect_all("scenarios", FATHOM_SOURCE_DIR "/scenarios/*.xml");
    expect_all("models", FATHOM_SOURCE_DIR "/models/*.xml");
    assert_int_equal(run_fathom(&r, "run phoenix-turn --duration 1 --summary -"), 0);
    expect_run(&r, 0, "\"duration\": 1,");
    assert_int_equal(run_fathom(&r, "params phoenix-turn.xml rudder"), 0);
    run_fathom(&r, "run phoenix-trun");
    expect_run(&r, 1, "`fathom scenarios` lists");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_are_shown_as_they_are_written_and_in_si_on_request),
        cmocka_unit_test(a_pattern_and_two_options_choose_parameters),
        cmocka_unit_test(a_log_is_told_on_one_screen),
        cmocka_unit_test(channels_of_a_shoal_are_folded),
        cmocka_unit_test(scenarios_and_models_are_listed_and_run_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
