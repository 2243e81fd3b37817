/* What happened in a run, as the program reports it: events name what was hit, which waypoint, which parameter. */
#include "support/files.h"
#include "support/program.h"

static program_run r;

static void run_scenario(const char *path, const char *text)
{
    write_file(path, text);
    if (run_fathom(&r, "run %s --quiet --log events.mcap", path) != 0)
        fail_msg("%s: %s", path, r.err);
    run_shell(&r, FATHOM_PROGRAM " export events.mcap --csv events_csv /events && cat events_csv/events.csv");
    if (r.status != 0)
        fail_msg("%s", r.err);
}

static void expect(const char *words)
{
    if (!strstr(r.out, words))
        fail_msg("'%s' is not among the events: %s", words, r.out);
}

#define BALL                                                                                                           \
    "<mass mass='20 kg' inertia='0.5 0.5 0.5 kg*m2'/><buoyancy force='196.133 N'/>"                                    \
    "<hull kind='sphere' size='0.4 0.4 0.4 m'/>"

static void a_contact_names_the_obstacle_the_bottom_and_the_vehicle(void **unused)
{
    (void)unused;
    run_scenario("events-contact.xml",
                 "<fathom version='1'><world dt='0.01 s' duration='20 s'><water density='1025 kg/m3'/>"
                 "<bottom depth='12 m'/><sphere name='pillar' position='3 0 10 m' radius='0.5 m'/></world>"
                 "<vehicle name='ball' position='0 0 10 m' velocity='0.5 0 0 m/s'>" BALL "</vehicle>"
                 "<vehicle name='other' position='0 3 10 m' velocity='0 0 0.4 m/s'>" BALL "</vehicle>"
                 "<vehicle name='third' position='0 6 10 m' velocity='0.4 0 0 m/s'>" BALL "</vehicle>"
                 "<vehicle name='fourth' position='2 6 10 m'>" BALL "</vehicle></fathom>");
    expect("contact with pillar");
    expect("contact with the bottom");
    expect("contact with fourth");
}

static void a_fault_names_its_parameter_and_what_was_written(void **unused)
{
    (void)unused;
    run_shell(&r, "sed -e 's|duration=\"[^\"]*\"|duration=\"3 s\"|' -e 's|</fathom>|<faults><at t=\"1 s\" "
                  "path=\"/phoenix/stern_rudder/efficiency\" value=\"0.25\"/></faults></fathom>|' " FATHOM_SOURCE_DIR
                  "/scenarios/phoenix-turn.xml >events-fault.xml");
    char *text = read_file("events-fault.xml", NULL);
    run_scenario("events-fault.xml", text);
    free(text);
    expect("parameter set");
    expect("set /phoenix/stern_rudder/efficiency to 0.25");
}

static void a_waypoint_is_told_by_its_number(void **unused)
{
    (void)unused;
    if (run_fathom(&r, "run " FATHOM_SOURCE_DIR "/scenarios/phoenix-dock.xml --quiet --duration 30 --log events.mcap"))
        fail_msg("%s", r.err);
    run_shell(&r, FATHOM_PROGRAM " export events.mcap --csv events_csv /events && cat events_csv/events.csv");
    expect("waypoint 1 of 3 reached");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contact_names_the_obstacle_the_bottom_and_the_vehicle),
        cmocka_unit_test(a_fault_names_its_parameter_and_what_was_written),
        cmocka_unit_test(a_waypoint_is_told_by_its_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
