/* Pictures and pages that the program writes, as a browser and an XML reader see them; each is made by a process of its
 * own. */
#include "support/files.h"
#include "support/program.h"

#define SCENARIO FATHOM_SOURCE_DIR "/scenarios/phoenix-mission.xml"

static program_run r;

static void must(const char *line)
{
    if (run_shell(&r, "%s", line) != 0)
        fail_msg("%s: %s%s", line, r.out, r.err);
}

static void expect(const char *part)
{
    if (!said(&r, part))
        fail_msg("'%s' is not in what %s said: %.3000s%.3000s", part, r.line, r.out, r.err);
}

static int record_once(void **state)
{
    (void)state;
    must(FATHOM_PROGRAM " run " SCENARIO " --fast --quiet --log report.mcap");
    return 0;
}

static void every_svg_is_well_formed(void **state)
{
    (void)state;
    must(FATHOM_PROGRAM " plot report.mcap -o report.svg");
    must(FATHOM_PROGRAM " plot report.mcap --dark -o dark.svg");
    must(FATHOM_PROGRAM " plot report.mcap /phoenix/odom.pose.pose.position -o field.svg");
    must("xmllint --noout report.svg dark.svg field.svg");
    must("! grep -qaP '\\x00' report.svg dark.svg field.svg");
}

/* What a reader sees of the page, reported in its title: the size of the figure, how many curves it holds, and every
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
    must(FATHOM_PROGRAM " report report.mcap -o report.html");
    write_file("probe.js", probe);
    must("cat report.html probe.js >probe.html && rm -rf chromium.profile");
    assert_int_equal(run_shell(&r, "timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic "
                                   "--no-first-run --disable-background-networking --disable-component-update "
                                   "--disable-sync --user-data-dir=chromium.profile --window-size=1200,1600 "
                                   "--dump-dom \"file://$PWD/probe.html\" 2>chromium.txt"),
                     0);
    const char *title = strstr(r.out, "<title>");
    assert_non_null(title);
    char seen[200];
    snprintf(seen, sizeof seen, "%.*s", (int)strcspn(title + 7, "<"), title + 7);
    assert_string_equal(seen, "figure true curves true digits true Metrics true Events true Run true Scenario false");
}

/* Phoenix dives from 3 m to 6 m. */
static void depth_is_positive_unless_the_frame_of_ros_is_asked_for(void **state)
{
    (void)state;
    must(FATHOM_PROGRAM " export report.mcap /phoenix/odom --csv ned && " FATHOM_PROGRAM
                        " export report.mcap /phoenix/odom --frame enu --csv enu");
    assert_int_equal(run_shell(&r, "head -1 ned/phoenix.odom.csv | tr ',' '\\n' | sed -n 6,8p; "
                                   "tail -1 ned/phoenix.odom.csv | cut -d, -f6-8"),
                     0);
    expect("pose.pose.position.north [m]\npose.pose.position.east [m]\npose.pose.position.down [m]\n");
    double ned[3], enu[3];
    assert_int_equal(sscanf(strrchr(r.out, ']') + 1, "%lf,%lf,%lf", &ned[0], &ned[1], &ned[2]), 3);
    assert_between(5.5, ned[2], 6.5);
    assert_int_equal(run_shell(&r, "tail -1 enu/phoenix.odom.csv | cut -d, -f6-8"), 0);
    assert_int_equal(sscanf(r.out, "%lf,%lf,%lf", &enu[0], &enu[1], &enu[2]), 3);
    assert_same(enu[0], ned[1]);
    assert_same(enu[1], ned[0]);
    assert_same(enu[2], -ned[2]);
    must(FATHOM_PROGRAM " plot report.mcap /phoenix/odom.pose.pose.position.down -o down.svg && " FATHOM_PROGRAM
                        " plot report.mcap --frame enu /phoenix/odom.pose.pose.position.z -o up.svg");
    assert_int_equal(run_shell(&r, FATHOM_PROGRAM " plot report.mcap --frame abc -o x.svg"), 2);
    expect("ned");
}

static void logs_are_drawn_over_each_other_and_fields_over_fields(void **state)
{
    (void)state;
    must("cp report.mcap again.mcap && " FATHOM_PROGRAM " plot report.mcap again.mcap --from 10 --to 60 -o both.svg");
    must(FATHOM_PROGRAM " plot report.mcap again.mcap /phoenix/autopilot.depth -o depths.svg");
    must(FATHOM_PROGRAM " plot report.mcap --x /phoenix/odom.pose.pose.position.x /phoenix/odom.pose.pose.position.y "
                        "-o xy.svg");
    must("xmllint --noout both.svg depths.svg xy.svg");
    assert_int_equal(run_shell(&r, FATHOM_PROGRAM " plot report.mcap --from 500 --to 600 -o x.svg"), 1);
    expect("no vehicle between 500 s and 600 s; the log holds 0 s to 420 s");
    assert_int_equal(run_shell(&r, FATHOM_PROGRAM " plot report.mcap --from 50 --to 40 -o x.svg"), 2);
    assert_int_equal(run_shell(&r, FATHOM_PROGRAM " plot report.mcap --x /phoenix/odom.pose.pose.position.x -o x.svg"),
                     2);
    expect("name what to draw over it");
    assert_int_equal(run_shell(&r, FATHOM_PROGRAM " plot report.mcap --x /phoenix/odom.pose.pose.position "
                                                  "/phoenix/odom.pose.pose.position.y -o x.svg"),
                     2);
    expect("it has 3 fields: must be one");
    assert_int_equal(run_shell(&r, FATHOM_PROGRAM " plot report.mcap missing.mcap -o x.svg"), 1);
    expect("missing.mcap");
}

/* Of a whole channel the stamps are not drawn; what stands still is named instead. */
static void a_whole_channel_is_drawn_without_stamps(void **state)
{
    (void)state;
    assert_int_equal(run_shell(&r, FATHOM_PROGRAM " plot report.mcap /phoenix/autopilot -o pilot.svg"), 0);
    expect("constant, not drawn:");
    expect("autopilot.roll.demand");
    assert_null(strstr(r.out, "stamp"));
    must(FATHOM_PROGRAM " plot report.mcap /clock.clock.sec -o clock.svg");
}

static void values_have_their_names_in_info_plot_and_export(void **state)
{
    (void)state;
    assert_int_equal(run_shell(&r, FATHOM_PROGRAM " info report.mcap /phoenix/waypoints /phoenix/actuators"), 0);
    expect("\n  depth                                              float64  m\n");
    expect("\n  bow-rudder                                         float64  rad\n");
    expect("\n  port-propeller.orders                              float64  rad/s\n");
    assert_true(!strstr(r.out, "values[") && !strstr(r.out, "names["));
    must(FATHOM_PROGRAM " plot report.mcap /phoenix/waypoints.depth /phoenix/actuators.bow-rudder -o names.svg");
    must(FATHOM_PROGRAM " export report.mcap /phoenix/waypoints /phoenix/actuators --csv names");
    assert_int_equal(run_shell(&r, "head -1 names/phoenix.waypoints.csv names/phoenix.actuators.csv"), 0);
    expect(",depth [m],speed [m/s],");
    expect(",bow-rudder [rad],");
    assert_null(strstr(r.out, "values["));
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
