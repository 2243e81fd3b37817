/* Energy without a source, as the program reports it: a warning when a scenario is read, and the end of a run that is
 * watched. */
#include "support/files.h"
#include "support/program.h"
#include "support/scenario.h"

static program_run r;

/* A raft of 100 kg, 11 mm deep in the water, 5 mm off its rest: swings of 30 rad/s. */
#define RAFT "<mass mass='100 kg' inertia='75 75 150 kg*m2'/><float shape='box' size='3 3 0.2 m'/>"
/* Weight 5 cm below the centre of buoyancy, no drag: 1.18 J at 20 degrees of roll. */
#define PENDULUM "<mass mass='40 kg' centre='0 0 0.05 m' inertia='2 6 6 kg*m2'/>"

static void write_case(const char *path, double dt, const char *world, const char *vehicle, const char *body)
{
    char text[2048];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='%g s' duration='200 s' %s><water density='1025 kg/m3'/></world>"
             "<vehicle name='v' %s>%s</vehicle></fathom>",
             dt, world, vehicle, body);
    write_file(path, text);
}

/* The events of the last log, in r.out. */
static void export_events(void)
{
    run_shell(&r, FATHOM_PROGRAM " export energy.mcap --csv energy_csv /events && cat energy_csv/events.csv");
    assert_int_equal(r.status, 0);
}

/* The number before these words in what was said. */
static double number_before(const char *text, const char *words)
{
    const char *at = strstr(text, words);
    if (!at)
        fail_msg("'%s' is not in: %s", words, text);
    while (at > text && at[-1] == ' ')
        at--;
    while (at > text && at[-1] != ' ')
        at--;
    return strtod(at, NULL);
}

static void a_float_that_gains_energy_by_its_step_ends_the_run_with_an_event(void **unused)
{
    (void)unused;
    write_case("energy-raft.xml", 2, "energy-check='0.1'", "position='0 0 -0.0842 m'", RAFT);
    run_fathom(&r, "run energy-raft.xml --log energy.mcap");
    expect_run(&r, 1, "vehicle 'v': its energy has grown by");
    expect_run(&r, 1, "without a source");
    export_events();
    if (!strstr(r.out, "energy without a source") || !strstr(r.out, "2 s is too long a step"))
        fail_msg("no event: %s", r.out);
    write_case("energy-raft.xml", 0.2, "energy-check='0.1'", "position='0 0 -0.0842 m' integrator='midpoint'", RAFT);
    run_fathom(&r, "run energy-raft.xml");
    assert_int_equal(r.status, 0);
}

static void the_event_knows_the_energy_and_a_step_that_would_do(void **unused)
{
    (void)unused;
    write_case("energy-pendulum.xml", 0.2, "energy-check='0.2'", "position='0 0 90 m' attitude='20 0 0 deg'", PENDULUM);
    run_fathom(&r, "run energy-pendulum.xml --quiet --log energy.mcap");
    expect_run(&r, 1, "energy-check allows 0.2");
    export_events();
    near("energy before, J", number_before(r.out, "J to"), 40 * 9.80665 * 0.05 * (1 - cos(20 * acos(-1) / 180)), 0.4);
    double step = number_before(r.out, "s would do");
    if (!(step > 0.001 && step < 0.2))
        fail_msg("a step of %g s", step);
    write_case("energy-pendulum.xml", step, "energy-check='0.2'", "position='0 0 90 m' attitude='20 0 0 deg'",
               PENDULUM);
    assert_int_equal(run_fathom(&r, "run energy-pendulum.xml"), 0);
}

static void thrust_waves_wind_current_and_tethers_are_sources(void **unused)
{
    (void)unused;
    static const char *const scenarios[] = {"otter-harbour", "wavesim-trio", "phoenix-turn", "lauv-survey", "showcase"};
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        run_fathom(&r, "run %s --quiet --duration 12 --set /world/energy-check=0.02", scenario_path(scenarios[i]));
        if (r.status != 0)
            fail_msg("%s: %s", scenarios[i], r.err);
    }
}

static void a_step_that_is_too_long_is_warned_of_by_check_and_run(void **unused)
{
    (void)unused;
    write_case("energy-pendulum.xml", 0.2, "", "position='0 0 90 m' attitude='20 0 0 deg'", PENDULUM);
    run_fathom(&r, "check energy-pendulum.xml");
    expect_run(&r, 0, "warning: <vehicle name=\"v\">: a step of 0.2 s is too long for it: at rest, a swing of");
    expect_run(&r, 0, "would do");
    run_fathom(&r, "run energy-pendulum.xml --duration 1");
    expect_run(&r, 0, "warning: <vehicle name=\"v\">: a step of 0.2 s is too long");
    run_fathom(&r, "run energy-pendulum.xml --duration 1 --quiet");
    assert_false(said(&r, "warning"));
}

/* ω = √(ρ g A/m) = 80 rad/s, 16 parts a radian and 2 s */
static void a_step_that_would_need_too_many_parts_at_the_surface_is_warned_of(void **unused)
{
    (void)unused;
    write_case("energy-raft.xml", 2, "", "position='0 0 -0.0842 m'",
               RAFT "<drag Z_w='-1500 N*s/m' K_p='-900 N*m*s/rad' M_q='-900 N*m*s/rad'/>");
    run_fathom(&r, "check energy-raft.xml");
    expect_run(&r, 0, "would have to be divided into");
    double parts = number_before(r.err, "parts: must be");
    near("parts", parts, 2 * 16 * sqrt(1025 * 9.80665 * 9 / 100), 0.25 * parts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_float_that_gains_energy_by_its_step_ends_the_run_with_an_event),
        cmocka_unit_test(the_event_knows_the_energy_and_a_step_that_would_do),
        cmocka_unit_test(thrust_waves_wind_current_and_tethers_are_sources),
        cmocka_unit_test(a_step_that_is_too_long_is_warned_of_by_check_and_run),
        cmocka_unit_test(a_step_that_would_need_too_many_parts_at_the_surface_is_warned_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
