/* What moves is felt by the lateral line: spheres on tracks, other vehicles. Wakes: test_snookie_wake.c. */
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
        assert_greater(fabs(v[0]), 1e-5);
    }
    finish(world);
    finish(alone);
}

/* The distance of two hulls, capsules of 0.74 m and 0.25 m: of the straight lines between the centres of their half
 * spheres, by trying points of both, less two radii. */
static double hulls_apart(const fm_world *world)
{
    enum { POINTS = 50 };
    fm_pose pose[2];
    double least = HUGE_VAL;
    for (int i = 0; i < 2; i++)
        assert_int_equal(fm_world_pose(world, i, &pose[i]), FM_OK);
    for (int a = 0; a <= POINTS; a++)
        for (int b = 0; b <= POINTS; b++) {
            double s[2] = {0.245 * (2.0 * a / POINTS - 1), 0.245 * (2.0 * b / POINTS - 1)}, off[2], square = 0;
            for (int k = 0; k < 2; k++) {
                off[k] = pose[0].position[k] - pose[1].position[k];
                for (int i = 0; i < 2; i++)
                    off[k] += (i ? -1 : 1) * s[i] * (k ? sin(pose[i].euler[2]) : cos(pose[i].euler[2]));
                square += off[k] * off[k];
            }
            least = fmin(least, sqrt(square) - 0.25);
        }
    return least;
}

/* The ball passes 1.5 m away; the other Snookie comes nearer, and that is reported. */
static void two_snookies_that_meet_turn_away(void **state)
{
    (void)state;
    fm_world *world = start_scenario("snookie-meeting", NULL);
    double least = HUGE_VAL;
    for (double t = 0.02; t < 25; t += 0.02) {
        run_until(world, t);
        least = fmin(least, hulls_apart(world));
    }
    run_until(world, 25);
    for (int i = 0; i < 2; i++) {
        near("least distance to the other, m", metric_of(world, i, "min_separation"), least, 0.003);
        assert_greater(metric_of(world, i, "min_clearance"), 1.3);
    }
    assert_between(0.2, least, 0.5);
    for (int i = 0; i < 2; i++) {
        assert_at_least(metric_of(world, i, "detections"), 1);
        assert_same(metric_of(world, i, "contacts"), 0);
    }
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_that_comes_is_felt_as_its_dipole_and_image),
        cmocka_unit_test(another_vehicle_that_passes_is_felt),
        cmocka_unit_test(two_snookies_that_meet_turn_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
