/* What moves is felt by the lateral line: spheres on tracks, other vehicles, vortices of a wake. */
#include "support/scenario.h"

enum { SENSORS = 8 };
static const double ANGLES[SENSORS] = {52.5, 65, 77.5, 90, -52.5, -65, -77.5, -90};

static double felt(const fm_world *world, int slot, int sensor)
{
    char name[48];
    snprintf(name, sizeof name, "lateral-line.velocities[%d]", sensor);
    return column_of(world, slot, name);
}

/* A Snookie that hovers, its nose at the origin of this frame: x ahead. */
static fm_world *hover(const char *flow, const char *world_parts, const char *others)
{
    char text[2048];
    snprintf(
        text, sizeof text,
        "<fathom version='1'><world dt='0.01 s' gravity='9.81 m/s2'><water density='1000 kg/m3'/>%s</world>"
        "<vehicle name='snookie' model='snookie' position='-0.245 0 5 m'><flow model='%s'/><hover-pd speed='0 m/s'/>"
        "</vehicle>%s</fathom>",
        world_parts, flow, others);
    return start(text);
}

/* Dipole mu at d ahead, along x, and its image in the nose: the closed form (Hicks). Its part along the sensor. */
static double closed_form(double d, double mu, double angle)
{
    const double a = 0.125;
    double u[2] = {cos(angle), sin(angle)}, s[2] = {-sin(angle), cos(angle)}, v[2] = {0};
    double places[2] = {d, a * a / d}, moments[2] = {mu, -mu * a * a * a / (d * d * d)};
    for (int i = 0; i < 2; i++) {
        double r[2] = {a * u[0] - places[i], a * u[1]}, r2 = r[0] * r[0] + r[1] * r[1];
        for (int k = 0; k < 2; k++)
            v[k] += moments[i] / (r2 * sqrt(r2)) * (3 * r[0] * r[k] / r2 - (k == 0));
    }
    return v[0] * s[0] + v[1] * s[1];
}

/* The hull hovers and is hardly moved; the sphere comes at 0.2 m/s from ahead. */
static void a_sphere_that_comes_is_felt_as_its_dipole_and_image(void **state)
{
    (void)state;
    static const char ball[] =
        "<sphere name='ball' position='2 0 5 m' radius='0.1 m'><track t='0 10 s' x='2 0 m' y='0 0 m' "
        "z='5 5 m'/></sphere>";
    static const char *const models[] = {"wall", "dipole", "sources"};
    for (int m = 0; m < 3; m++) {
        fm_world *world = hover(models[m], ball, "");
        step(world, 650);
        double d = 2 - 0.2 * 6.49; /* at the last sample */
        for (int i = 0; i < SENSORS; i++) {
            double exact = closed_form(d, 0.5 * 1e-3 * -0.2, ANGLES[i] * DEGREE);
            near("velocity", felt(world, 0, i), exact, 0.02 * fabs(exact) + 2e-6);
        }
        finish(world);
    }
}

/* Another Snookie goes by at 2.5 m: far enough to be a dipole of its volume and the water it carries, 𝒱 (1 + k1) U/4π,
 * in a flow that is nearly uniform on the nose. */
static void another_vehicle_that_passes_is_felt(void **state)
{
    (void)state;
    fm_world *world = hover("wall", "",
                            "<vehicle name='other' model='snookie' position='-1.245 2.5 5 m' velocity='0.5 0 0 m/s'/>"),
             *alone = hover("wall", "", "");
    step(world, 200);
    step(alone, 200);
    fm_pose other = pose_of(world, 1), own = pose_of(world, 0);
    double volume = 4.0 / 3 * 3.14159265358979 * 0.37 * 0.125 * 0.125,
           moment = volume * 1.124238 / (4 * 3.14159265358979) * 0.5;
    double r[2] = {own.position[0] + 0.245 - other.position[0], own.position[1] - other.position[1]};
    double r2 = r[0] * r[0] + r[1] * r[1], scale = moment / (r2 * sqrt(r2));
    double v[2] = {scale * (3 * r[0] * r[0] / r2 - 1), scale * 3 * r[0] * r[1] / r2};
    for (int i = 0; i < SENSORS; i++) {
        double expected = 1.5 * (-v[0] * sin(ANGLES[i] * DEGREE) + v[1] * cos(ANGLES[i] * DEGREE));
        near("velocity", felt(world, 0, i) - felt(alone, 0, i), expected, 0.25 * sqrt(v[0] * v[0] + v[1] * v[1]));
        assert_true(fabs(v[0]) > 1e-5);
    }
    finish(world);
    finish(alone);
}

static void two_snookies_that_meet_turn_away(void **state)
{
    (void)state;
    fm_world *world = start_scenario("snookie-meeting", NULL);
    run_until(world, 25);
    for (int i = 0; i < 2; i++)
        assert_true(metric_of(world, i, "detections") >= 1 && metric_of(world, i, "contacts") == 0);
    finish(world);
}

/* --- the wake --- */

/* Power of a signal at a frequency, Hz. */
static double power_at(const double *x, int count, double dt, double frequency)
{
    double re = 0, im = 0;
    for (int i = 0; i < count; i++) {
        double window = 0.5 - 0.5 * cos(2 * 3.14159265358979 * i / (count - 1)),
               w = 2 * 3.14159265358979 * frequency * i * dt;
        re += window * x[i] * cos(w), im += window * x[i] * sin(w);
    }
    return re * re + im * im;
}

/* A line that stands still beside the middle of the wake: the greatest power is at the shedding frequency St U/D. */
static void the_line_swings_at_the_shedding_frequency(void **state)
{
    (void)state;
    static const char text[] =
        "<fathom version='1'><world dt='0.05 s'><water density='1000 kg/m3' surface='none'/><current velocity='-0.2 0 "
        "0 "
        "m/s'><vortex-street behind='pile' strouhal='%g'/></current><column name='pile' position='0 0 -1 m' "
        "radius='0.1 m' "
        "height='6 m'/></world><vehicle name='probe' model='towed-sphere' position='-3 0.25 2 m'/></fathom>";
    static const double strouhal[] = {0.2, 0.24};
    enum { COUNT = 1200 };
    for (int k = 0; k < 2; k++) {
        char scenario[1024];
        static double x[COUNT];
        double best = 0, most = 0;
        snprintf(scenario, sizeof scenario, text, strouhal[k]);
        fm_world *world = start(scenario);
        fm_pose held = pose_of(world, 0);
        for (int i = 0; i < COUNT; i++) {
            step(world, 1);
            assert_int_equal(fm_world_place(world, "probe", &held, NULL), FM_OK); /* by its axis */
            x[i] = column_of(world, 0, "lateral-line.voltages[0]") - column_of(world, 0, "lateral-line.voltages[1]");
        }
        for (double f = 0.05; f < 1; f += 0.002) {
            double power = power_at(x, COUNT, 0.05, f);
            best = power > most ? f : best;
            most = fmax(power, most);
        }
        near("frequency", best, strouhal[k] * 0.2 / 0.2, 0.01);
        finish(world);
    }
}

static void snookie_finds_the_wake(void **state)
{
    (void)state;
    fm_world *world = start_scenario("snookie-wake", NULL);
    run_until(world, 120);
    assert_true(isfinite(metric_of(world, 0, "wake_found")) && metric_of(world, 0, "wake_found") > 10);
    near("frequency", metric_of(world, 0, "wake_frequency"), 0.2, 0.02); /* it moves, and few vortices pass */
    assert_true(metric_of(world, 0, "contacts") == 0);
    finish(world);
    world = start_scenario("snookie-wake", (const char *const[]){"/snookie/position=-2.5 -8 2 m", NULL});
    run_until(world, 60);
    assert_true(isnan(metric_of(world, 0, "wake_found"))); /* none out there */
    finish(world);
}

static void refused(const char *current, const char *told)
{
    char text[1024];
    fm_error error = {0};
    snprintf(
        text, sizeof text,
        "<fathom version='1'><world dt='0.1 s'>%s<column name='pile' position='0 0 0 m' radius='0.1 m' height='5 m'/>"
        "</world></fathom>",
        current);
    assert_null(try_load(text, &error));
    if (!strstr(error.text, told))
        fail_msg("'%s' does not say '%s'", error.text, told);
}

static void a_street_without_a_column_or_a_stream_is_refused(void **state)
{
    (void)state;
    refused("<current velocity='0.1 0 0 m/s'><vortex-street behind='pole'/></current>",
            "no <column> of the name 'pole'");
    refused("<current><vortex-street behind='pile'/></current>", "stands still");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_that_comes_is_felt_as_its_dipole_and_image),
        cmocka_unit_test(another_vehicle_that_passes_is_felt),
        cmocka_unit_test(two_snookies_that_meet_turn_away),
        cmocka_unit_test(the_line_swings_at_the_shedding_frequency),
        cmocka_unit_test(snookie_finds_the_wake),
        cmocka_unit_test(a_street_without_a_column_or_a_stream_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
