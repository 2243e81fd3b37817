/* Pictures and pages that the program writes, as a browser and an XML reader see them; each is made by a process of its
 * own. */
#include "support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define PROGRAM "../fathom" /* beside the folder the tests run in */
#define SCENARIO FATHOM_SOURCE_DIR "/scenarios/phoenix-mission.xml"

enum { TEXT = 1 << 20 };

/* Runs a line of the shell; what it prints goes to text, its exit status is returned. */
static int shell(char text[TEXT], const char *line)
{
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    size_t size = fread(text, 1, TEXT - 1, pipe);
    text[size] = 0;
    return WEXITSTATUS(pclose(pipe));
}

static void must(const char *line)
{
    static char text[TEXT];
    if (shell(text, line) != 0)
        fail_msg("%s: %s", line, text);
}

static void expect(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in: %s", part, text);
}

static int record_once(void **state)
{
    (void)state;
    must(PROGRAM " run " SCENARIO " --fast --quiet --log report.mcap 2>&1");
    return 0;
}

static void every_svg_is_well_formed(void **state)
{
    (void)state;
    must(PROGRAM " plot report.mcap -o report.svg 2>&1");
    must(PROGRAM " plot report.mcap --dark -o dark.svg 2>&1");
    must(PROGRAM " plot report.mcap /phoenix/odom.pose.pose.position -o field.svg 2>&1");
    must("xmllint --noout report.svg dark.svg field.svg 2>&1");
    must("! grep -qaP '\\x00' report.svg dark.svg field.svg");
}

/* What a reader sees of the page, told in its title: the size of the figure, how many curves it holds, and every
 * heading that is seen and no part of the figure. */
static const char probe[] =
    "<script>const svg = document.querySelector('figure svg'), box = svg ? svg.getBoundingClientRect() : {};\n"
    "const seen = [...document.querySelectorAll('h2')].filter(h => h.checkVisibility() && !h.closest('svg') &&\n"
    "    h.getBoundingClientRect().height > 10 && h.getBoundingClientRect().top >= (box.bottom ?? 0));\n"
    "const rows = h => h.nextElementSibling?.querySelectorAll('tr').length;\n"
    "const drawn = svg ? [...svg.querySelectorAll('path')].filter(p => p.getBoundingClientRect().width > 50) : [];\n"
    "const numbers = [...document.querySelectorAll('h2 + table td.n[title]')].map(n => n.textContent);\n"
    "const short = numbers.length > 5 && numbers.every(n => /^-?[\\d.]{1,7}(e[-+]\\d+)?$/.test(n));\n"
    "document.title = `figure ${box.width > 400 && box.height > 400} curves ${drawn.length > 10} digits ${short} ` +\n"
    "    seen.map(h => `${h.textContent} ${rows(h) > 1}`).join(' ');</script>\n";

static void a_browser_shows_figure_metrics_and_events_of_a_report(void **state)
{
    (void)state;
    static char text[TEXT];
    must(PROGRAM " report report.mcap -o report.html 2>&1");
    FILE *file = fopen("probe.js", "w");
    assert_non_null(file);
    assert_true(fputs(probe, file) >= 0 && fclose(file) == 0);
    must("cat report.html probe.js >probe.html && rm -rf chromium.profile");
    assert_int_equal(shell(text, "timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic "
                                 "--no-first-run --disable-background-networking --disable-component-update "
                                 "--disable-sync --user-data-dir=chromium.profile --window-size=1200,1600 "
                                 "--dump-dom \"file://$PWD/probe.html\" 2>chromium.txt"),
                     0);
    const char *title = strstr(text, "<title>");
    assert_non_null(title);
    char seen[200];
    snprintf(seen, sizeof seen, "%.*s", (int)strcspn(title + 7, "<"), title + 7);
    assert_string_equal(seen, "figure true curves true digits true Metrics true Events true Run true Scenario false");
}

/* Phoenix dives from 3 m to 6 m. */
static void depth_is_positive_unless_the_frame_of_ros_is_asked_for(void **state)
{
    (void)state;
    static char text[TEXT];
    must(PROGRAM " export report.mcap /phoenix/odom --csv ned 2>&1 && " PROGRAM
                 " export report.mcap /phoenix/odom --frame enu --csv enu 2>&1");
    assert_int_equal(shell(text, "head -1 ned/phoenix.odom.csv | tr ',' '\\n' | sed -n 6,8p; "
                                 "tail -1 ned/phoenix.odom.csv | cut -d, -f6-8"),
                     0);
    expect(text, "pose.pose.position.north [m]\npose.pose.position.east [m]\npose.pose.position.down [m]\n");
    double ned[3], enu[3];
    assert_int_equal(sscanf(strrchr(text, ']') + 1, "%lf,%lf,%lf", &ned[0], &ned[1], &ned[2]), 3);
    assert_true(ned[2] > 5.5 && ned[2] < 6.5);
    assert_int_equal(shell(text, "tail -1 enu/phoenix.odom.csv | cut -d, -f6-8"), 0);
    assert_int_equal(sscanf(text, "%lf,%lf,%lf", &enu[0], &enu[1], &enu[2]), 3);
    assert_true(enu[0] == ned[1] && enu[1] == ned[0] && enu[2] == -ned[2]);
    must(PROGRAM " plot report.mcap /phoenix/odom.pose.pose.position.down -o down.svg 2>&1 && " PROGRAM
                 " plot report.mcap --frame enu /phoenix/odom.pose.pose.position.z -o up.svg 2>&1");
    assert_int_equal(shell(text, PROGRAM " plot report.mcap --frame abc -o x.svg 2>&1"), 2);
    expect(text, "ned");
}

static void logs_are_drawn_over_each_other_and_fields_over_fields(void **state)
{
    (void)state;
    static char text[TEXT];
    must("cp report.mcap again.mcap && " PROGRAM " plot report.mcap again.mcap --from 10 --to 60 -o both.svg 2>&1");
    must(PROGRAM " plot report.mcap again.mcap /phoenix/autopilot.depth -o depths.svg 2>&1");
    must(PROGRAM " plot report.mcap --x /phoenix/odom.pose.pose.position.x /phoenix/odom.pose.pose.position.y "
                 "-o xy.svg 2>&1");
    must("xmllint --noout both.svg depths.svg xy.svg 2>&1");
    assert_int_equal(shell(text, PROGRAM " plot report.mcap --from 500 --to 600 -o x.svg 2>&1"), 1);
    expect(text, "no vehicle between 500 s and 600 s; the log holds 0 s to 420 s");
    assert_int_equal(shell(text, PROGRAM " plot report.mcap --from 50 --to 40 -o x.svg 2>&1"), 2);
    assert_int_equal(shell(text, PROGRAM " plot report.mcap --x /phoenix/odom.pose.pose.position.x -o x.svg 2>&1"), 2);
    expect(text, "name what to draw over it");
    assert_int_equal(shell(text, PROGRAM " plot report.mcap --x /phoenix/odom.pose.pose.position "
                                         "/phoenix/odom.pose.pose.position.y -o x.svg 2>&1"),
                     2);
    expect(text, "it has 3 fields, accepted is one");
    assert_int_equal(shell(text, PROGRAM " plot report.mcap missing.mcap -o x.svg 2>&1"), 1);
    expect(text, "missing.mcap");
}

/* Of a whole channel the stamps are not drawn; what stands still is named instead. */
static void a_whole_channel_is_drawn_without_stamps(void **state)
{
    (void)state;
    static char text[TEXT];
    assert_int_equal(shell(text, PROGRAM " plot report.mcap /phoenix/autopilot -o pilot.svg 2>&1"), 0);
    expect(text, "constant, not drawn:");
    expect(text, "autopilot.roll.demand");
    assert_null(strstr(text, "stamp"));
    must(PROGRAM " plot report.mcap /clock.clock.sec -o clock.svg 2>&1");
}

static void values_have_their_names_in_info_plot_and_export(void **state)
{
    (void)state;
    static char text[TEXT];
    assert_int_equal(shell(text, PROGRAM " info report.mcap /phoenix/waypoints /phoenix/actuators 2>&1"), 0);
    expect(text, "\n  depth                                              float64  m\n");
    expect(text, "\n  bow-rudder                                         float64  rad\n");
    expect(text, "\n  port-propeller.orders                              float64  rad/s\n");
    assert_true(!strstr(text, "values[") && !strstr(text, "names["));
    must(PROGRAM " plot report.mcap /phoenix/waypoints.depth /phoenix/actuators.bow-rudder -o names.svg 2>&1");
    must(PROGRAM " export report.mcap /phoenix/waypoints /phoenix/actuators --csv names 2>&1");
    assert_int_equal(shell(text, "head -1 names/phoenix.waypoints.csv names/phoenix.actuators.csv"), 0);
    expect(text, ",depth [m],speed [m/s],");
    expect(text, ",bow-rudder [rad],");
    assert_null(strstr(text, "values["));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_svg_is_well_formed),
        cmocka_unit_test(depth_is_positive_unless_the_frame_of_ros_is_asked_for),
        cmocka_unit_test(logs_are_drawn_over_each_other_and_fields_over_fields),
        cmocka_unit_test(a_whole_channel_is_drawn_without_stamps),
        cmocka_unit_test(values_have_their_names_in_info_plot_and_export),
        cmocka_unit_test(a_browser_shows_figure_metrics_and_events_of_a_report),
    };
    return cmocka_run_group_tests(tests, record_once, NULL);
}
