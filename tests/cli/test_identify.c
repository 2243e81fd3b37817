/* `fathom identify` as its user meets it: from a log of noisy instruments, from a table, from NetCDF; and what it
 * refuses. */
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

/* The number behind a name in the object of a parameter or quantity. */
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

static void expect_within(const char *path, double truth, double part)
{
    double value = number_of(path, "value"), deviation = number_of(path, "deviation");
    below(path, fabs(value / truth - 1), part);
    below(path, fabs(value - truth), 3.3 * deviation);
    assert_between(number_of(path, "low"), value, number_of(path, "high"));
}

#define DRAG "/phoenix/hydrodynamics/X_u_absu"
#define DAMPING "/phoenix/hydrodynamics/N_absu_r"
#define LOG_MAPS                                                                                                       \
    "--map phoenix.u=/phoenix/speed-log.twist.linear.forward --map phoenix.r=/phoenix/imu.angular_velocity.yaw "

static int make_log(void **unused)
{
    (void)unused;
    write_file("identify.xml", zigzag);
    run_fathom(&r, "run identify.xml --log identify.mcap --csv identify_csv --quiet --set " DRAG
                   "=-0.0095 --set " DAMPING "=-0.0055");
    expect_run(&r, 0, "");
    return 0;
}

static void coefficients_come_back_from_a_log_of_noisy_instruments(void **unused)
{
    (void)unused;
    run_fathom(&r, "identify identify.xml --data identify.mcap " LOG_MAPS "--fit " DRAG " --fit " DAMPING
                   " --json --csv identify_rows.csv -o identify.html");
    expect_run(&r, 0, "\"converged\": true");
    expect_within(DRAG, -0.0095, 0.03);
    expect_within(DAMPING, -0.0055, 0.1);
    near("noise of the speed log", number_of("phoenix.u", "sigma"), 0.01, 0.002);
    near("what was kept", number_of("phoenix.u\"", "checked\": {\"samples"), 50, 0);
    char *page = read_file("identify.html", NULL), *rows = read_file("identify_rows.csv", NULL);
    assert_non_null(strstr(page, "95 % from"));
    assert_non_null(strstr(page, "image/svg+xml"));
    assert_non_null(strstr(rows, "0,phoenix.r,rad/s,checked,"));
    free(page);
    free(rows);
}

/* A forecast that stays at the first row of each segment of 5 s, from the table itself. */
static double constant_of(const char *file, int column)
{
    char *table = read_file(file, NULL), *line = strchr(table, '\n') + 1;
    double sum = 0, count = 0, first = 0, begun = -1;
    for (; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const char *cell = line;
        double t = atof(cell), value;
        for (int c = 0; c < column; c++)
            cell = strchr(cell, ',') + 1;
        value = atof(cell);
        if (floor(t / 5 + 1e-6) > begun) {
            begun = floor(t / 5 + 1e-6);
            first = value;
        }
        sum += (value - first) * (value - first);
        count++;
    }
    free(table);
    return sqrt(sum / count);
}

static void the_score_of_segments_is_reported_beside_that_of_a_constant(void **unused)
{
    (void)unused;
    run_fathom(&r, "identify identify.xml --data identify_csv/phoenix.csv --map phoenix.u=u --map phoenix.r=r "
                   "--segment 5 --check 0 --fit " DAMPING " --json"); /* the drag stays a fifth too small */
    expect_run(&r, 0, "\"converged\": true");
    double u = number_of("phoenix.u\"", "constant"), yaw = number_of("phoenix.r\"", "constant");
    near("surge", u, constant_of("identify_csv/phoenix.csv", 7), 0.02 * u);
    near("yaw", yaw, constant_of("identify_csv/phoenix.csv", 12), 0.02 * yaw);
    assert_less(number_of("phoenix.u\"", "rms"), 0.5 * u);
    assert_less(number_of("phoenix.r\"", "rms"), 0.1 * yaw);
    run_fathom(&r, "identify identify.xml --data identify_csv/phoenix.csv --map phoenix.u=u --segment 5 --check 0 "
                   "--set " DRAG "=-0.085 --fit '" DRAG
                   "=-0.09:-0.08'"); /* such drag that staying as it was would be better */
    expect_run(&r, 3, "followed no better than by a constant");
    assert_non_null(strstr(r.out, "constant"));
}

static void what_was_ordered_from_outside_is_ordered_again(void **unused)
{
    (void)unused;
    write_file("identify_still.xml",
               "<fathom version='1'><world dt='0.05 s' duration='20 s' gravity='32.174 ft/s2'><water density='1.94 "
               "slug/ft3'/></world>"
               "<vehicle name='phoenix' model='nps-auv-ii' position='0 0 3 m' velocity='2 0 0 ft/s'/></fathom>");
    run_fathom(&r, "identify identify_still.xml --data identify_csv/phoenix.csv --map phoenix.u=u --map phoenix.r=r "
                   "--input port-propeller=x --fit " DRAG);
    expect_run(&r, 1, "must be VEHICLE.QUANTITY");
    run_fathom(
        &r, "identify identify_still.xml --data identify_csv/phoenix.csv --map phoenix.u=u --map phoenix.r=r --input "
            "phoenix.port-propeller=port-propeller.order "
            "--input phoenix.starboard-propeller=starboard-propeller.order --input phoenix.bow-rudder=bow-rudder.order "
            "--input phoenix.stern-rudder=stern-rudder.order --fit " DRAG " --fit " DAMPING " --json");
    expect_run(&r, 0, "\"converged\": true");
    near(DRAG, number_of(DRAG, "value"), -0.0095, 2e-5); /* orders arrive a tick after they were recorded */
    near(DAMPING, number_of(DAMPING, "value"), -0.0055, 5e-5);
}

static void netcdf_gives_what_the_log_gives(void **unused)
{
    (void)unused;
    run_fathom(
        &r,
        "identify identify.xml --data identify.mcap --map phoenix.u=/phoenix/speed-log.twist.linear.forward --fit " DRAG
        " --json --threads 1");
    expect_run(&r, 0, "\"converged\": true");
    double of_log = number_of(DRAG, "value");
    run_fathom(&r, "export identify.mcap --netcdf identify.nc");
    expect_run(&r, 0, "");
    run_fathom(
        &r,
        "identify identify.xml --data identify.nc --map phoenix.u=/phoenix_speed-log.twist_linear_forward --fit " DRAG
        " --json --from 0");
    expect_run(&r, 0, "\"converged\": true");
    near(DRAG, number_of(DRAG, "value"), of_log, 1e-12);
}

/* "5e-6 1/m" is one number and its unit. */
static void parameters_in_1_per_m_and_1_per_rad_come_back(void **unused)
{
    (void)unused;
    write_file(
        "identify_per.xml",
        "<fathom version='1'><world dt='0.05 s' duration='20 s'/><vehicle name='lauv' model='lauv' position='0 0 "
        "30 m' velocity='1.2 0 0 m/s'><orders><at t='0 s' propeller='1000 rpm'/><at t='2 s' rudders='5 deg'/>"
        "<at t='8 s' rudders='-5 deg'/></orders></vehicle><vehicle name='glider' model='slocum' position='0 50 "
        "200 m' velocity='0.3 0 0 m/s'/></fathom>");
    run_fathom(&r, "run identify_per.xml --csv identify_per --quiet --set '/lauv/upper-rudder/lift-slope=2.5 1/rad' "
                   "--set '/glider/buoyancy/compression=9e-6 1/m'");
    expect_run(&r, 0, "");
    run_fathom(&r, "identify identify_per.xml --data identify_per/lauv.csv --map lauv.r=r --fit "
                   "/lauv/upper-rudder/lift-slope --json");
    expect_run(&r, 0, "\"converged\": true");
    near("lift slope, 1/rad", number_of("lift-slope", "value"), 2.5, 0.01);
    run_fathom(&r, "identify identify_per.xml --data identify_per/glider.csv --map glider.z=z --fit "
                   "'/glider/buoyancy/compression=1e-6:1e-4 1/m' --json");
    expect_run(&r, 0, "\"converged\": true");
    near("compression, 1/m", number_of("compression", "value"), 9e-6, 1e-8);
}

static void what_cannot_be_found_is_told(void **unused)
{
    (void)unused;
    run_fathom(&r, "identify identify.xml --data identify.mcap " LOG_MAPS "--fit /phoenix/hydrodynamics/K_p");
    expect_run(&r, 0, "is not determined by these records");
    run_fathom(&r, "identify identify.xml --data identify.mcap --map phoenix.u=/phoenix/speed-log.twist.linear.forward "
                   "--fit /phoenix/height");
    expect_run(&r, 1, "has no effect on what is compared");
    run_fathom(&r, "identify identify.xml --data identify.mcap --map "
                   "'phoenix.imu.angular_velocity[2]=/phoenix/imu.angular_velocity.yaw' --fit " DRAG);
    expect_run(&r, 1, "depends on its seed");
    run_fathom(&r, "identify identify.xml --data identify.mcap " LOG_MAPS "--fit " DRAG "=-0.009:-0.008");
    expect_run(&r, 1, "outside its bounds");
    run_fathom(&r, "identify identify.xml --data identify.mcap " LOG_MAPS "--fit " DRAG "=-0.009:-0.007");
    expect_run(&r, 0, "is at its bound");
    run_fathom(&r, "identify identify.xml --data identify.mcap --map phoenix.u=/phoenix/speed --fit " DRAG);
    expect_run(&r, 1, "unknown field or column '/phoenix/speed'");
    run_fathom(&r, "identify identify.xml --data identify.mcap " LOG_MAPS "--fit " DRAG " --csv identify.mcap");
    expect_run(&r, 2, "--csv");
    run_fathom(&r, "identify identify.xml --data identify.mcap " LOG_MAPS "--fit " DRAG " --csv a.png -o ./a.png");
    expect_run(&r, 2, "name the same file");
    run_fathom(&r, "identify identify.xml --data identify.mcap " LOG_MAPS "--fit " DRAG " --csv nowhere/a.csv");
    expect_run(&r, 1, "--csv nowhere/a.csv: No such file or directory");
    assert_string_equal(r.out, ""); /* reported before the fit */
    run_fathom(
        &r, "identify identify.xml --data identify_csv/phoenix.csv --map phoenix.u=u*3+-1 --map phoenix.r=r --fit " DRAG
            "=-0.02:0");
    expect_run(&r, 3, "phoenix.u is not followed: the residuals are ");
    expect_run(&r, 3, "THE INTERVALS CANNOT BE TRUSTED");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coefficients_come_back_from_a_log_of_noisy_instruments),
        cmocka_unit_test(the_score_of_segments_is_reported_beside_that_of_a_constant),
        cmocka_unit_test(what_was_ordered_from_outside_is_ordered_again),
        cmocka_unit_test(netcdf_gives_what_the_log_gives),
        cmocka_unit_test(parameters_in_1_per_m_and_1_per_rad_come_back),
        cmocka_unit_test(what_cannot_be_found_is_told),
    };
    return cmocka_run_group_tests(tests, make_log, NULL);
}
