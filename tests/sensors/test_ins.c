/* Inertial navigation over an Earth that turns and is round, against the closed forms of navigation textbooks. */
#include "physics/earth.h"
#include "physics/posture.h"
#include "sensors/probe.h"

static const double GRAVITY = 9.80665, RATE = 7.292115e-5; /* m/s², rad/s */

/* A probe at rest or under way at 45° north, steps of `dt` s. */
static fm_world *start_ins(const char *dt, const char *probe, const char *instruments)
{
    char text[2048];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='%s' latitude='45 deg' longitude='10 deg'/>"
             "<vehicle name='probe' %s>" PROBE_BODY "%s</vehicle></fathom>",
             dt, probe, instruments);
    return start(text);
}

static const fm_ins_reading *ins(const fm_world *world)
{
    return reading(world, "ins");
}

static double radius_of_meridian(void)
{
    double meridian, across;
    fm_earth_radii(45 * DEGREE, &meridian, &across);
    return meridian;
}

/* --- what gyroscopes and accelerometers feel --- */

static void gyroscopes_at_rest_feel_the_earth_turn(void **state)
{
    (void)state;
    fm_world *world = start_ins("0.01 s", "position='0 0 10 m' attitude='0 0 90 deg'", "<imu earth='turning'/>");
    step(world, 1);
    const fm_imu_reading *r = reading(world, "imu");
    assert_near(r->angular_velocity[0], 0, 1e-16);
    assert_near(r->angular_velocity[1], -RATE * cos(45 * DEGREE), 1e-12); /* north is to port */
    assert_near(r->angular_velocity[2], -RATE * sin(45 * DEGREE), 1e-12);
    assert_near(r->linear_acceleration[2], -GRAVITY, 1e-9);
    finish(world);
}

/* Eastwards over ground: the Coriolis force pulls up (Eötvös) and to the south, the roundness of the Earth up. */
static void a_vehicle_under_way_feels_coriolis_and_the_roundness(void **state)
{
    (void)state;
    const double v = 10, s = sin(45 * DEGREE);
    double meridian, across;
    fm_earth_radii(45 * DEGREE, &meridian, &across);
    fm_world *world =
        start_ins("0.01 s", "position='0 0 0 m' attitude='0 0 90 deg' velocity='10 0 0 m/s'", "<imu earth='turning'/>");
    step(world, 1);
    const fm_imu_reading *r = reading(world, "imu");
    assert_near(r->angular_velocity[1], -RATE * s - v / across, 1e-11);
    assert_near(r->linear_acceleration[2] + GRAVITY, 2 * RATE * v * s + v * v / across, 1e-8);
    assert_near(r->linear_acceleration[1], -(2 * RATE * v * s + v * v / across), 1e-8); /* starboard is south */
    finish(world);
}

/* --- navigation --- */

/* The flat one, in whose frame the vehicle moves, is exact (test_instruments.c). */
static void without_errors_it_knows_where_it_is(void **state)
{
    (void)state;
    fm_world *world = start_ins("0.02 s", "position='0 0 10 m' velocity='3 1 0 m/s' rates='0 0 0.002 rad/s'",
                                "<ins earth='turning' position='0.3 0 0 m'/><ins name='flat' position='0.3 0 0 m'/>");
    step(world, 30001);
    const fm_ins_reading *flat = reading(world, "flat");
    assert_greater(fabs(flat->position[0]), 500);
    assert_greater(fabs(flat->position[1]), 500);
    for (int i = 0; i < 3; i++) {
        assert_near(ins(world)->position[i], flat->position[i], 0.01);
        assert_near(ins(world)->velocity[i], flat->velocity[i], 1e-4);
        assert_near(ins(world)->rates[i], flat->rates[i], 1e-9);
    }
    finish(world);
}

/* A tilt makes a pendulum of the length of the Earth's radius: 84.4 min. The half swings differ a little, since the
 * Earth turns. When the velocity is zero was found by another program that integrates r'' = C f + g in axes that do not
 * turn, over a sphere of the meridian's radius, without Earth rate, transport rate and Coriolis terms. */
static void a_tilt_swings_with_the_period_of_schuler(void **state)
{
    (void)state;
    const double period = 2 * FM_PI * sqrt(radius_of_meridian() / GRAVITY), tilt = 1e-4;
    fm_world *world = start_ins("1 s", "position='0 0 0 m'", "<ins earth='turning' tilt-error='0 1e-4 0 rad'/>");
    static const double inertial[3] = {2516.29, 5067.57, 7548.21}; /* s */
    double crossings[4] = {0}, before = 0, largest = 0;
    int count = 0;
    for (int t = 0; t < 8000 && count < 3; t++) {
        step(world, 1);
        double v = ins(world)->velocity[0];
        if (t > 10 && v * before < 0)
            crossings[count++] = t - v / (v - before); /* the first sample is that of t = 0 */
        largest = fmax(largest, fabs(v));
        before = v;
    }
    assert_near(period / 60, 84.4, 0.05);
    assert_int_equal(count, 3);
    assert_near(crossings[1], period, 0.001 * period);
    for (int i = 0; i < 3; i++)
        assert_near(crossings[i], inertial[i], 3);
    assert_near(largest, tilt * sqrt(GRAVITY * radius_of_meridian()), 0.02 * largest);
    finish(world);
}

/* A gyroscope that drifts by ε gives a speed that swings between 0 and 2 ε R; the flat one runs away with g ε t²/2. */
static void a_drift_is_bounded_by_the_roundness_of_the_earth(void **state)
{
    (void)state;
    const double drift = 0.1 * DEGREE / 3600, r = radius_of_meridian();
    fm_world *world =
        start_ins("1 s", "position='0 0 0 m'",
                  "<ins earth='turning'><gyro bias='0 0.1 0 deg/h'/></ins><ins name='flat'><gyro bias='0 0.1 0 "
                  "deg/h'/></ins>");
    double largest = 0;
    for (int t = 0; t < 5064; t++) {
        step(world, 1);
        largest = fmax(largest, fabs(ins(world)->velocity[0]));
    }
    assert_near(largest, 2 * drift * r, 0.05 * largest);
    assert_near(fabs(ins(world)->position[0]), drift * r * 5064, 0.05 * drift * r * 5064);
    const fm_ins_reading *flat = reading(world, "flat");
    assert_near(fabs(flat->velocity[0]), GRAVITY * drift * 5063.0 * 5063 / 2, 0.01 * fabs(flat->velocity[0]));
    finish(world);
}

/* An error ψ of the heading takes the Earth's turning about north for one about east: a drift of Ω cos φ ψ. */
static void an_error_of_the_heading_drifts_like_a_gyroscope(void **state)
{
    (void)state;
    const double psi = 0.01, drift = RATE * cos(45 * DEGREE) * psi;
    fm_world *world = start_ins("1 s", "position='0 0 0 m'", "<ins earth='turning' tilt-error='0 0 0.01 rad'/>");
    double largest = 0;
    for (int t = 0; t < 5064; t++) {
        step(world, 1);
        largest = fmax(largest, fabs(ins(world)->velocity[0]));
    }
    assert_near(largest, 2 * drift * radius_of_meridian(), 0.05 * largest);
    finish(world);
}

/* --- the gyrocompass --- */

/* Heading found, less the true one, rad; roll and pitch too. */
static void found_attitude(const char *instrument, double off[3])
{
    fm_world *world = start_ins("0.1 s", "position='0 0 5 m' attitude='3 -4 70 deg'", instrument);
    double R[9];
    step(world, 599);
    assert_int_equal(ins(world)->head.count, 0); /* silent while it looks for north */
    step(world, 2);
    assert_int_equal(ins(world)->head.count, 2);
    fm_quat_matrix(ins(world)->orientation, R);
    fm_euler_from_matrix(R, off);
    off[0] -= 3 * DEGREE;
    off[1] += 4 * DEGREE;
    off[2] -= 70 * DEGREE;
    finish(world);
}

static void a_gyrocompass_finds_north(void **state)
{
    (void)state;
    double off[3];
    found_attitude("<ins earth='turning' gyrocompass='60 s'/>", off);
    for (int i = 0; i < 3; i++)
        assert_near(off[i], 0, 1e-6); /* the vehicle swings a little about its start */
}

/* ε east over Ω cos φ for the heading, a level error b of the accelerometers over g for the tilt. */
static void its_gyroscopes_limit_how_well_it_finds_north(void **state)
{
    (void)state;
    const double bias = 0.01 * DEGREE / 3600;
    double off[3];
    fm_world *world = start_ins("0.1 s", "position='0 0 5 m'",
                                "<ins earth='turning' gyrocompass='60 s'><gyro bias='0 0.01 0 deg/h'/><accelerometer "
                                "bias='0 0.001 0 m/s2'/></ins>");
    double R[9];
    step(world, 601);
    fm_quat_matrix(ins(world)->orientation, R);
    fm_euler_from_matrix(R, off);
    double tilt = 0.001 / GRAVITY, heading = fm_angle_wrap_pi(off[2]);
    assert_near(off[0], -tilt, 0.01 * tilt);
    /* the tilt about north takes a share of the Earth's turning about down for one about east */
    assert_near(heading, -(bias / RATE / cos(45 * DEGREE)) + tilt * tan(45 * DEGREE), 0.02 * fabs(heading));
    finish(world);
}

static void what_has_no_north_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *latitude, *ins, *says;
    } wrong[] = {{"45 deg", "<ins gyrocompass='60 s'/>", "nothing points north"},
                 {"89.5 deg", "<ins earth='turning'/>", "-89 … 89 deg"},
                 {"-90 deg", "<imu earth='turning'/>", "-89 … 89 deg"}};
    for (size_t i = 0; i < FM_COUNT(wrong); i++) {
        char text[1024];
        fm_error error = {0};
        int length = snprintf(text, sizeof text,
                              "<fathom version='1'><world dt='0.1 s' latitude='%s'/><vehicle name='probe'>" PROBE_BODY
                              "%s</vehicle></fathom>",
                              wrong[i].latitude, wrong[i].ins);
        assert_null(fm_model_load_memory(text, (size_t)length, "probe.xml", NULL, &error));
        assert_non_null(strstr(error.text, wrong[i].says));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gyroscopes_at_rest_feel_the_earth_turn),
        cmocka_unit_test(a_vehicle_under_way_feels_coriolis_and_the_roundness),
        cmocka_unit_test(without_errors_it_knows_where_it_is),
        cmocka_unit_test(a_tilt_swings_with_the_period_of_schuler),
        cmocka_unit_test(a_drift_is_bounded_by_the_roundness_of_the_earth),
        cmocka_unit_test(an_error_of_the_heading_drifts_like_a_gyroscope),
        cmocka_unit_test(a_gyrocompass_finds_north),
        cmocka_unit_test(its_gyroscopes_limit_how_well_it_finds_north),
        cmocka_unit_test(what_has_no_north_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
