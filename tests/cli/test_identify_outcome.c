/* What `fathom identify` leaves behind: the same result after it was killed, the values as a scenario and as --set, and
 * an exit status that says whether they can be used. */
#include "support/files.h"
#include "support/near.h"
#include "support/program.h"

static program_run r;

static const char zigzag[] =
    "<fathom version='1' title='Phoenix zigzags'><world dt='0.05 s' duration='40 s' gravity='32.174 ft/s2'><water "
    "density='1.94 slug/ft3'/></world>"
    "<vehicle name='phoenix' model='nps-auv-ii' position='0 0 3 m' velocity='2 0 0 ft/s'><speed-log noise='0.01 m/s' "
    "period='0.2 s'/>"
    "<imu period='0.2 s'><gyro noise='0.3 deg/s'/></imu><orders>"
    "<at t='0 s' propellers='700 rpm'/><at t='4 s' bow-rudder='15 deg' stern-rudder='-15 deg'/>"
    "<at t='12 s' bow-rudder='-15 deg' stern-rudder='15 deg' propellers='400 rpm'/><at t='20 s' bow-rudder='10 deg' "
    "stern-rudder='-10 deg'/>"
    "<at t='28 s' propellers='700 rpm' bow-rudder='0 deg' stern-rudder='0 deg'/></orders></vehicle></fathom>";

#define DRAG "/phoenix/hydrodynamics/X_u_absu"
#define DAMPING "/phoenix/hydrodynamics/N_absu_r"
#define MAPS                                                                                                           \
    "--map phoenix.u=/phoenix/speed-log.twist.linear.forward --map phoenix.r=/phoenix/imu.angular_velocity.yaw "
#define FIT "identify outcome.xml --data outcome.mcap " MAPS "--fit " DRAG " --fit " DAMPING " --json "

static int make_log(void **unused)
{
    (void)unused;
    write_file("outcome.xml", zigzag);
    run_fathom(&r, "run outcome.xml --log outcome.mcap --quiet --set " DRAG "=-0.0095 --set " DAMPING "=-0.0055");
    expect_run(&r, 0, "");
    return 0;
}

/* The number after a name in the object of a parameter. */
static double number_of(const char *object, const char *name)
{
    char wanted[100];
    const char *at = strstr(r.out, object);
    snprintf(wanted, sizeof wanted, "\"%s\": ", name);
    at = at ? strstr(at, wanted) : NULL;
    if (!at)
        fail_msg("no \"%s\" of %s in %.2000s%.1000s", name, object, r.out, r.err);
    return atof(at + strlen(wanted));
}

/* Starts a fit and strikes it once its journal has some runs. */
static void strike(const char *name, const char *options, const char *signal)
{
    run_shell(&r,
              "rm -f %s.csv %s.csv.journal; " FATHOM_PROGRAM " " FIT "%s --threads 1 --csv %s.csv >/dev/null 2>&1 & "
              "pid=$!; until [ $(stat -c %%s %s.csv.journal 2>/dev/null || echo 0) -gt 60000 ] || ! kill -0 $pid; do "
              "sleep 0.01; done; kill -%s $pid; wait $pid; echo $?",
              name, name, options, name, name, signal);
}

static void expect_same(const char *name, const char *options)
{
    run_fathom(&r, FIT "%s --csv whole_%s.csv", options, name);
    expect_run(&r, 0, "\"converged\": true");
    char *whole = strdup(r.out);
    run_fathom(&r, FIT "%s --csv %s.csv", options, name);
    expect_run(&r, 1, "was interrupted. --resume continues it");
    run_fathom(&r, FIT "%s --csv %s.csv --resume", options, name);
    expect_run(&r, 0, "");
    assert_string_equal(r.out, whole);
    free(whole);
    run_shell(&r, "cmp whole_%s.csv %s.csv && test ! -e %s.csv.journal", name, name, name);
    expect_run(&r, 0, "");
}

static void a_killed_fit_continues_to_the_same_result(void **unused)
{
    (void)unused;
    strike("killed", "--searches 3", "KILL");
    expect_run(&r, 0, "137");
    expect_same("killed", "--searches 3");
    strike("pieces", "--segment 5 --start state --loss huber --bias phoenix.u --delay phoenix.r", "TERM");
    expect_run(&r, 0, "143");
    expect_same("pieces", "--segment 5 --start state --loss huber --bias phoenix.u --delay phoenix.r");
}

static void a_journal_of_another_fit_is_refused(void **unused)
{
    (void)unused;
    strike("other", "", "KILL");
    expect_run(&r, 0, "137");
    run_fathom(&r, FIT "--loss cauchy --csv other.csv --resume");
    expect_run(&r, 1, "other.csv.journal belongs to another fit");
    run_shell(&r, "rm other.csv.journal");
    run_fathom(&r, FIT "--resume");
    expect_run(&r, 2, "--resume needs the --csv, --save, --set-list or --output");
}

/* A run of the saved scenario and one with the list end where a run with the values of the report does. */
static void the_values_are_saved_as_a_scenario_and_as_a_list(void **unused)
{
    (void)unused;
    run_fathom(&r, FIT "--save found.xml --set-list found.txt");
    expect_run(&r, 0, "");
    const double drag = number_of(DRAG, "value"), damping = number_of(DAMPING, "value");
    run_fathom(&r, "params found.xml --json X_u_absu");
    expect_run(&r, 0, "");
    run_shell(&r, "cat found.txt");
    double listed[2];
    assert_int_equal(sscanf(r.out, "--set '" DRAG "=%lf'\n--set '" DAMPING "=%lf'", &listed[0], &listed[1]), 2);
    near("drag", listed[0], drag, 1e-9 * fabs(drag)); /* the report has 12 digits */
    near("damping", listed[1], damping, 1e-9 * fabs(damping));
    run_fathom(&r, "run outcome.xml --csv by_hand --quiet --set " DRAG "=%.17g --set " DAMPING "=%.17g", listed[0],
               listed[1]);
    expect_run(&r, 0, "");
    run_shell(&r, "xargs -a found.txt " FATHOM_PROGRAM " run outcome.xml --csv by_list --quiet");
    expect_run(&r, 0, "");
    run_fathom(&r, "run found.xml --csv by_scenario --quiet");
    expect_run(&r, 0, "");
    run_shell(&r, "ls by_hand/* && diff -r by_hand by_list && diff -r by_hand by_scenario");
    expect_run(&r, 0, "phoenix");
}

/* A gyroscope that reads 1 deg/s too much, a log that is 0.3 s late, and a drag that is known. */
static void instruments_and_priors_are_options(void **unused)
{
    (void)unused;
    run_fathom(&r, "identify outcome.xml --data outcome.mcap "
                   "--map phoenix.u=/phoenix/speed-log.twist.linear.forward "
                   "--map phoenix.r=/phoenix/imu.angular_velocity.yaw+0.0174533 --fit " DRAG " --fit " DAMPING
                   " --bias 'phoenix.r~normal(0,5) deg/s' --delay phoenix.u --prior '" DRAG
                   "~normal(-0.0095,0.001)' --json");
    expect_run(&r, 0, "\"path\": \"bias of phoenix.r\"");
    near("bias", number_of("bias of phoenix.r", "value"), 1 * DEGREE, 0.1 * DEGREE);
    near("delay", number_of("delay of phoenix.u", "value"), 0, 0.1);
    near("damping", number_of(DAMPING, "value"), -0.0055, 0.0002);
    run_fathom(&r, "identify outcome.xml --data outcome.mcap --fit " DRAG " --prior '" DAMPING "~normal(-0.005,1)'");
    expect_run(&r, 1, "not one of the parameters that are fitted");
    run_fathom(&r, "identify outcome.xml --data outcome.mcap --fit " DRAG " --prior " DRAG "=3");
    expect_run(&r, 2, "must be PATH~normal(MEAN,DEVIATION)");
}

/* 0: the values can be used; 1: it did not converge; 3: the residuals say that they are wrong. */
static void the_exit_status_says_whether_the_values_can_be_used(void **unused)
{
    (void)unused;
    run_fathom(&r, FIT "--set " DRAG "=-0.1 --iterations 1");
    expect_run(&r, 1, "did not converge");
    run_fathom(&r, FIT "--sigma 'phoenix.u=1 mm/s' --sigma 'phoenix.r=0.3 deg/s'");
    expect_run(&r, 3, "\"trusted\": false");
    /* the speed of another vehicle: it sails astern */
    run_fathom(&r, "identify outcome.xml --data outcome.mcap --map "
                   "phoenix.u=/phoenix/speed-log.twist.linear.forward*-1 --fit " DRAG);
    expect_run(&r, 3, "a constant follows what is compared as well");
    expect_run(&r, 3, "CANNOT BE TRUSTED");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_killed_fit_continues_to_the_same_result),
        cmocka_unit_test(a_journal_of_another_fit_is_refused),
        cmocka_unit_test(the_values_are_saved_as_a_scenario_and_as_a_list),
        cmocka_unit_test(instruments_and_priors_are_options),
        cmocka_unit_test(the_exit_status_says_whether_the_values_can_be_used),
    };
    return cmocka_run_group_tests(tests, make_log, NULL);
}
