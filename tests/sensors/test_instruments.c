/* Perfect instruments tell the truth: against closed forms and the state itself. */
#include "sensors/probe.h"

#include "ocean/column.h"

static void a_resting_imu_feels_gravity_upwards(void **state)
{
    (void)state;
    fm_world *world = start_probe("", "position='0 0 10 m' attitude='20 30 40 deg'", "<imu/>");
    step(world, 1);
    const fm_imu_reading *r = reading(world, "imu");
    double g = 9.80665, phi = 20 * DEGREE, theta = 30 * DEGREE;
    assert_near(r->linear_acceleration[0], g * sin(theta), 1e-12);
    assert_near(r->linear_acceleration[1], -g * cos(theta) * sin(phi), 1e-12);
    assert_near(r->linear_acceleration[2], -g * cos(theta) * cos(phi), 1e-12);
    assert_int_equal(r->head.count, 1);
    finish(world);
}

/* Free, spinning about z with its centre at rest: r ω² inwards at a lever arm r. */
static void an_imu_off_the_axis_feels_the_centripetal_acceleration(void **state)
{
    (void)state;
    fm_world *world = start_probe("", "position='0 0 10 m' rates='0 0 2 rad/s'", "<imu position='0.5 0.1 0 m'/>");
    step(world, 5);
    const fm_imu_reading *r = reading(world, "imu");
    assert_near(r->angular_velocity[2], 2, 1e-12);
    assert_near(r->linear_acceleration[0], -0.5 * 4, 1e-9);
    assert_near(r->linear_acceleration[1], -0.1 * 4, 1e-9);
    finish(world);
}

static void a_mounted_imu_measures_in_its_own_axes(void **state)
{
    (void)state;
    fm_world *world = start_probe("", "position='0 0 10 m' rates='0 0 2 rad/s'", "<imu attitude='0 -90 0 deg'/>");
    step(world, 1);
    const fm_imu_reading *r = reading(world, "imu"); /* its x axis points down */
    assert_near(r->angular_velocity[0], 2, 1e-12);
    assert_near(r->linear_acceleration[0], -9.80665, 1e-12);
    assert_near(r->angular_velocity[2], 0, 1e-12);
    finish(world);
}

/* Flat Earth: a tilt φ about y lets g sin φ leak forward, ½ g sin φ t² of position. */
static void gravity_leaks_through_the_tilt_error_of_an_ins(void **state)
{
    (void)state;
    fm_world *world = start_probe("", "position='0 0 10 m'", "<ins tilt-error='0 0.1 0 deg'/>");
    step(world, 1001);
    const fm_ins_reading *r = reading(world, "ins");
    double leak = 9.80665 * sin(0.1 * DEGREE), t = 10;
    assert_near(fabs(r->position[0]), 0.5 * leak * t * t, 1e-9);
    assert_near(fabs(r->velocity[0]), leak * t, 1e-3 * leak * t);
    assert_near(r->position[1], 0, 1e-12);
    finish(world);
}

static void a_gyro_bias_makes_the_error_of_an_ins_grow_with_the_cube_of_time(void **state)
{
    (void)state;
    fm_world *world = start_probe("", "position='0 0 10 m'", "<ins><gyro bias='0 1e-5 0 rad/s'/></ins>");
    step(world, 1001);
    double t = 10, wanted = 9.80665 * 1e-5 * t * t * t / 6;
    assert_near(fabs(((const fm_ins_reading *)reading(world, "ins"))->position[0]), wanted, 2e-3 * wanted);
    finish(world);
}

static void a_perfect_ins_follows_a_tumbling_body(void **state)
{
    (void)state;
    fm_world *world = start_probe("", "position='0 0 10 m' velocity='1 0.5 0.2 m/s' rates='0.1 0.2 0.3 rad/s'",
                                  "<ins position='0.4 0 0 m'/>");
    step(world, 500);
    fm_pose pose;
    fm_world_pose(world, 0, &pose);
    step(world, 1); /* samples the state of that pose */
    const fm_ins_reading *r = reading(world, "ins");
    double R[9], lever[3];
    fm_quat_matrix(pose.attitude, R);
    fm_vector_to_world(R, (double[3]){0.4, 0, 0}, lever);
    for (int i = 0; i < 3; i++)
        assert_near(r->position[i], pose.position[i] + lever[i], 0.01);
    finish(world);
}

static void scalar_instruments_tell_the_state(void **state)
{
    (void)state;
    fm_world *world = start_probe("<current velocity='0.3 0 0 m/s'/>",
                                  "position='5 6 12 m' attitude='0 0 30 deg' velocity='1.5 0 0 m/s'",
                                  "<compass/><compass name='magnetic' declination='-5 deg'/><depth position='0 0 0.5 "
                                  "m'/><pressure/><speed-log/>");
    step(world, 1);
    assert_near(value_of(world, "compass"), 30 * DEGREE, 1e-12);
    assert_near(value_of(world, "magnetic"), 35 * DEGREE, 1e-12);
    assert_near(value_of(world, "depth"), 12.5, 1e-10);
    double p[3];
    fm_water_column_fit_pressure(41 * DEGREE, p);
    assert_near(value_of(world, "pressure"), p[0] + p[1] * 12 + p[2] * 144, 1e-6);
    assert_near(value_of(world, "speed-log"), 1.5 - 0.3 * cos(30 * DEGREE), 1e-12);
    finish(world);
}

static void a_ctd_gives_back_the_salinity_of_the_water(void **state)
{
    (void)state;
    fm_world *world = start_probe("", "position='0 0 60 m'", "<ctd/>");
    step(world, 1);
    const fm_ctd_reading *r = reading(world, "ctd");
    assert_near(r->salinity, 35, 1e-9);
    assert_near(r->temperature, 18 - 0.06 * 40, 1e-9);
    finish(world);
}

static void an_echosounder_over_a_plane_at_pitch_reads_h_over_cosine(void **state)
{
    (void)state;
    for (int pitch = -60; pitch <= 60; pitch += 15) {
        char probe[128];
        snprintf(probe, sizeof probe, "position='3 4 10 m' attitude='0 %d 25 deg'", pitch);
        fm_world *world =
            start_probe("<bottom depth='30 m'/>", probe, "<echosounder/><echosounder name='flat' mode='formula'/>");
        step(world, 1);
        assert_near(range_of(world, "echosounder"), 20 / cos(pitch * DEGREE), 1e-9);
        assert_near(range_of(world, "flat"), 20, 1e-12);
        finish(world);
    }
}

static void an_echosounder_out_of_reach_reads_infinity(void **state)
{
    (void)state;
    fm_world *world =
        start_probe("<bottom depth='300 m'/>", "position='0 0 10 m'",
                    "<echosounder range='200 m'/><echosounder name='near' nearest='295 m' range='400 m'/>");
    step(world, 1);
    assert_same(range_of(world, "echosounder"), HUGE_VAL);
    assert_same(range_of(world, "near"), -HUGE_VAL);
    finish(world);
}

/* Beams of a DVL at pitch θ over a plane: closed form of the angle between beam and plumb line. */
static void dvl_beams_on_a_plane_have_their_closed_form(void **state)
{
    (void)state;
    fm_world *world =
        start_probe("<bottom depth='50 m'/>", "position='0 0 20 m' attitude='0 10 0 deg' velocity='1.2 -0.3 0.1 m/s'",
                    "<dvl beam-azimuth='0 deg'/>");
    step(world, 1);
    const fm_dvl_reading *r = reading(world, "dvl");
    const double v[3] = {1.2, -0.3, 0.1}, a = 30 * DEGREE, t = 10 * DEGREE;
    assert_near(r->range[0], 30 / cos(a + t), 1e-9); /* nose up: the fore beam looks ahead, longer */
    assert_near(r->range[2], 30 / cos(a - t), 1e-9);
    assert_near(r->range[1], 30 / (cos(a) * cos(t)), 1e-9);
    for (int i = 0; i < 3; i++)
        assert_near(r->velocity[i], v[i], 1e-12);
    assert_near(r->beam_velocity[0], 1.2 * sin(a) + 0.1 * cos(a), 1e-12);
    assert_near(r->altitude, 30, 1e-9);
    finish(world);
}

static void a_dvl_loses_the_bottom_beyond_its_range(void **state)
{
    (void)state;
    fm_world *world = start_probe("<current velocity='0 0.5 0 m/s'/><bottom depth='150 m'/>",
                                  "position='0 0 20 m' velocity='1 0 0 m/s'",
                                  "<dvl range='100 m'/><dvl name='water' range='100 m' water-track='true'/>");
    step(world, 1);
    const fm_dvl_reading *r = reading(world, "dvl"), *w = reading(world, "water");
    assert_same(r->good_beams, 0);
    assert_same(r->velocities_valid, 0);
    assert_true(isnan(r->velocity[0]));
    assert_same(w->mode, 2);
    assert_near(w->velocity[0], 1, 1e-12);
    assert_near(w->velocity[1], -0.5, 1e-12);
    finish(world);
}

/* WGS 84, from the Earth's centre, m. */
static void place_on_ellipsoid(double latitude, double longitude, double xyz[3])
{
    double e2 = 6.69437999014e-3, s = sin(latitude * DEGREE), n = 6378137 / sqrt(1 - e2 * s * s);
    xyz[0] = n * cos(latitude * DEGREE) * cos(longitude * DEGREE);
    xyz[1] = n * cos(latitude * DEGREE) * sin(longitude * DEGREE);
    xyz[2] = n * (1 - e2) * s;
}

static void gps_is_silent_under_water(void **state)
{
    (void)state;
    fm_world *world =
        start_probe("", "position='1000 2000 1.005 m' velocity='0 0 -1 m/s'", "<gps position='0 0 -0.2 m'/>");
    step(world, 70);
    const fm_gps_reading *r = reading(world, "gps");
    assert_int_equal(r->head.count, 0);
    assert_true(isnan(r->latitude));
    step(world, 20); /* the antenna leaves the water after 0.805 s: samples of 0.81 … 0.89 s */
    assert_int_equal(r->head.count, 9);
    /* the vector between the two places on the ellipsoid, along the axes at the origin */
    double here[3], there[3], s = sin(41 * DEGREE), c = cos(41 * DEGREE), sl = sin(-8 * DEGREE), cl = cos(-8 * DEGREE);
    place_on_ellipsoid(41, -8, here);
    place_on_ellipsoid(r->latitude, r->longitude, there);
    for (int i = 0; i < 3; i++)
        there[i] -= here[i];
    assert_near(-s * cl * there[0] - s * sl * there[1] + c * there[2], 1000, 1e-7);
    assert_near(-sl * there[0] + cl * there[1], 2000, 1e-7);
    finish(world);
}

static void echoes_from_walls_have_their_closed_form(void **state)
{
    (void)state;
    fm_world *world =
        start_probe("<wall name='ahead' position='10 0 0 m' normal='-1 0 0'/><sphere name='ball' position='0 "
                    "8 10 m' radius='2 m'/>",
                    "position='0 0 10 m'",
                    "<sonar name='slanted' half-angle='0 deg' rays='1' attitude='0 0 40 deg'/><sonar "
                    "name='wide' half-angle='30 deg' rays='7' attitude='0 0 20 deg'/>"
                    "<sonar name='side' half-angle='10 deg' rays='5' attitude='0 0 90 deg'/><infrared "
                    "attitude='0 0 90 deg' range='7 m'/><sonar name='behind' attitude='0 0 180 deg'/>");
    step(world, 1);
    assert_near(range_of(world, "slanted"), 10 / cos(40 * DEGREE), 1e-9);
    assert_near(range_of(world, "wide"), 10, 1e-9); /* its ray 20° to port of the axis */
    assert_near(range_of(world, "side"), 6, 1e-9);
    assert_near(range_of(world, "infrared"), 6, 1e-9);
    assert_same(range_of(world, "behind"), HUGE_VAL);
    finish(world);
}

static void a_bumper_feels_what_its_sphere_touches(void **state)
{
    (void)state;
    fm_world *world = start_probe("<bottom depth='10.5 m'/><wall name='ahead' position='1.2 0 0 m' normal='-1 0 0'/>",
                                  "position='0 0 10 m' velocity='0.5 0 0 m/s'",
                                  "<bumper radius='0.1 m' position='1 0 0 m'/><bumper name='keel' radius='0.1 m' "
                                  "position='0 0 0.45 m'/><bumper name='aft' position='-1 0 0 m'/>");
    step(world, 20); /* the last sample is of 0.19 s: the feeler ends at 1.195 m */
    assert_same(value_of(world, "bumper"), 0);
    assert_same(value_of(world, "keel"), 1);
    assert_same(value_of(world, "aft"), 0);
    step(world, 2);
    assert_same(value_of(world, "bumper"), 1);
    finish(world);
}

static void a_leak_is_seen_and_told(void **state)
{
    (void)state;
    fm_world *world = start_probe("", "position='0 0 10 m'", "<leak/>");
    step(world, 1);
    assert_same(value_of(world, "leak"), 0);
    set_live(world, "/probe/leak/water", 1);
    step(world, 1);
    const fm_event *events;
    assert_int_equal(fm_world_events(world, &events), 1);
    assert_string_equal(events[0].kind, "leak");
    assert_same(value_of(world, "leak"), 1);
    finish(world);
}

static void latency_delays_by_whole_periods(void **state)
{
    (void)state;
    fm_world *world = start_probe("", "position='0 0 10 m' velocity='0 0 1 m/s'",
                                  "<depth/><depth name='late' period='0.02 s' latency='0.06 s'/>");
    step(world, 41); /* the last sample is of 0.40 s */
    const fm_value_reading *late = reading(world, "late");
    assert_near(value_of(world, "depth"), 10.40, 1e-9);
    assert_near(late->value, 10.34, 1e-9);
    assert_near(late->head.time, 0.34, 1e-12);
    assert_int_equal(late->head.count, 21 - 3);
    finish(world);
}

static void a_latency_between_periods_is_refused(void **state)
{
    (void)state;
    fm_error error = {0};
    const char *text = "<fathom version='1'><world dt='0.01 s'/><vehicle name='p'>" PROBE_BODY
                       "<depth period='0.02 s' latency='0.05 s'/></vehicle></fathom>";
    assert_null(try_load(text, &error));
    assert_non_null(strstr(error.text, "latency"));
}

/* A wall 3 m ahead, 13 bearings 5° apart: each range is 3/cos β with white noise of its own, the range of the
 * instrument is the shortest of them, and a walk of the bias moves all alike. */
static void a_sonar_by_bearing_has_noise_of_its_own_at_each(void **state)
{
    (void)state;
    enum { BEARINGS = 13, SAMPLES = 600 };
    fm_world *world = start_probe("<wall name='wall' position='3 0 0 m' normal='-1 0 0'/>", "position='0 0 5 m'",
                                  "<sonar name='fan' half-angle='30 deg' rays='13' vertical-half-angle='5 deg' "
                                  "vertical-rays='3' range='10 m' by-bearing='true' noise='0.01 m'/>");
    double mean[BEARINGS] = {0}, square[BEARINGS] = {0}, product = 0;
    for (int i = 0; i < SAMPLES; i++) {
        step(world, 1);
        const fm_range_reading *r = reading(world, "fan");
        const double *range = (const double *)(r + 1);
        double least = INFINITY, off[BEARINGS];
        for (int k = 0; k < BEARINGS; k++) {
            off[k] = range[k] - 3 / cos((k - 6) * 5 * FM_PI / 180);
            mean[k] += off[k] / SAMPLES;
            square[k] += off[k] * off[k] / SAMPLES;
            least = fmin(least, range[k]);
        }
        assert_same(r->range, least);
        product += off[0] * off[12] / SAMPLES;
    }
    for (int k = 0; k < BEARINGS; k++) { /* four standard deviations of the estimates */
        assert_near(mean[k], 0, 4 * 0.01 / sqrt(SAMPLES));
        assert_near(sqrt(square[k]), 0.01, 4 * 0.01 / sqrt(2 * SAMPLES));
    }
    assert_near(product, 0, 4 * 1e-4 / sqrt(SAMPLES));
    fm_error error = {0};
    assert_int_equal(fm_world_set(world, "/probe/fan/noise", 0, &error), FM_OK);
    assert_int_equal(fm_world_set(world, "/probe/fan/bias", 0.5, &error), FM_OK);
    step(world, 1);
    const double *range = (const double *)((const fm_range_reading *)reading(world, "fan") + 1);
    assert_near(range[6], 3.5, 1e-9);
    assert_near(range[0], 3 / cos(30 * FM_PI / 180) + 0.5, 1e-9);
    assert_int_equal(fm_world_set(world, "/probe/fan/fault", 2, &error), FM_OK); /* stuck */
    assert_int_equal(fm_world_set(world, "/probe/fan/bias", 0, &error), FM_OK);
    step(world, 1);
    assert_near(range[6], 3.5, 1e-9);
    assert_int_equal(fm_world_set(world, "/probe/fan/fault", 1, &error), FM_OK);
    step(world, 1);
    assert_int_equal(((const fm_reading *)reading(world, "fan"))->valid, 0);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_resting_imu_feels_gravity_upwards),
        cmocka_unit_test(an_imu_off_the_axis_feels_the_centripetal_acceleration),
        cmocka_unit_test(a_mounted_imu_measures_in_its_own_axes),
        cmocka_unit_test(gravity_leaks_through_the_tilt_error_of_an_ins),
        cmocka_unit_test(a_gyro_bias_makes_the_error_of_an_ins_grow_with_the_cube_of_time),
        cmocka_unit_test(a_perfect_ins_follows_a_tumbling_body),
        cmocka_unit_test(scalar_instruments_tell_the_state),
        cmocka_unit_test(a_ctd_gives_back_the_salinity_of_the_water),
        cmocka_unit_test(an_echosounder_over_a_plane_at_pitch_reads_h_over_cosine),
        cmocka_unit_test(an_echosounder_out_of_reach_reads_infinity),
        cmocka_unit_test(dvl_beams_on_a_plane_have_their_closed_form),
        cmocka_unit_test(a_dvl_loses_the_bottom_beyond_its_range),
        cmocka_unit_test(gps_is_silent_under_water),
        cmocka_unit_test(echoes_from_walls_have_their_closed_form),
        cmocka_unit_test(a_bumper_feels_what_its_sphere_touches),
        cmocka_unit_test(a_leak_is_seen_and_told),
        cmocka_unit_test(latency_delays_by_whole_periods),
        cmocka_unit_test(a_latency_between_periods_is_refused),
        cmocka_unit_test(a_sonar_by_bearing_has_noise_of_its_own_at_each)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
