/* <reynolds-drag>: terminal speeds of spheres, interpolation, refusals. */
#include "support/scenario.h"

#include "world/world.h"

#define BALL_MASS 1.0

/* A ball in fresh water, held deep, sinking along z with the weight less the buoyancy W − B (N). */
static fm_world *ball(double net_weight, double speed, const char *drag)
{
    char text[2048];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s' duration='1000 s' gravity='10 m/s2'><water density='1000 "
             "kg/m3'/></world>"
             "<vehicle name='ball' position='0 0 10 m' velocity='0 0 %.17g m/s'><mass mass='1 kg' inertia='0.01 0.01 "
             "0.01 kg*m2'/>"
             "<buoyancy force='%.17g N'/>%s</vehicle></fathom>",
             speed, 10 * BALL_MASS - net_weight, drag);
    return start(text);
}

static void a_ball_in_syrup_falls_at_stokes_speed(void **unused)
{
    (void)unused;
    /* cd = 24/Re makes the drag 3π μ d V; d 0.1 m, ν 0.01 m²/s, μ 10 Pa·s; the table is dense enough for 24/Re at Re
     * 0.5 */
    double d = 0.1, mu = 10, net = 0.5, stokes = net / (3 * FM_PI * mu * d);
    fm_world *world =
        ball(net, 0,
             "<reynolds-drag axis='all' length='0.1 m' area='0.00785398163397448 m2' viscosity='0.01 m2/s' "
             "reynolds='0.5 0.525 0.5306 0.55 0.6' cd='48 45.714286 45.231813 43.636364 40'/>");
    run_until(world, 30);
    near("terminal speed", pose_of(world, 0).velocity[2], stokes, 2e-3 * stokes);
    finish(world);
}

static double retardation(double speed)
{
    fm_world *world = ball(0, speed,
                           "<reynolds-drag axis='z' length='1 m' area='0.01 m2' viscosity='1e-6 m2/s' reynolds='1e5 "
                           "1e6 4e6' cd='0.5 0.1 0.2'/>");
    step(world, 1);
    double a = (speed - pose_of(world, 0).velocity[2]) / 0.01;
    finish(world);
    return a;
}

static void the_coefficient_is_linear_in_the_logarithm_of_reynolds_number(void **unused)
{
    (void)unused;
    static const struct {
        double speed, cd;
    } rows[] = {{0.1, 0.5}, {1, 0.1}, {4, 0.2}, {0.31622776601683794, 0.3}, {2, 0.15}, {0.01, 0.5}, {8, 0.2}};
    for (size_t i = 0; i < FM_COUNT(rows); i++) {
        double v = rows[i].speed, expected = 0.5 * 1000 * 0.01 * rows[i].cd * v * v / BALL_MASS;
        near("retardation", retardation(v), expected, 1e-6 * expected + 1e-12);
    }
}

static void a_force_off_the_centre_turns_the_body(void **unused)
{
    (void)unused;
    fm_world *world =
        ball(0, 1, "<reynolds-drag axis='z' length='1 m' area='0.01 m2' centre='0.2 0 0 m' reynolds='1e5' cd='1'/>");
    step(world, 1);
    /* 5 N up at x 0.2 m: M = −x Z = +1 N·m over 0.01 kg·m² */
    near("pitch acceleration", pose_of(world, 0).velocity[4] / 0.01, 100, 1e-6);
    finish(world);
}

static void refused(const char *drag, const char *words)
{
    char text[1024];
    fm_error error = {0};
    snprintf(text, sizeof text,
             "<fathom version='1'><world/><vehicle name='ball'><mass mass='1 kg' inertia='1 1 1 "
             "kg*m2'/>%s</vehicle></fathom>",
             drag);
    fm_model *model = try_load(text, &error);
    assert_null(model);
    assert_non_null(strstr(error.text, words));
    assert_int_equal(error.line, 1);
}

static void tables_that_make_no_sense_are_refused(void **unused)
{
    (void)unused;
    refused("<reynolds-drag length='1 m' area='1 m2' reynolds='1 2 3' cd='1 2'/>",
            "3 Reynolds numbers and 2 coefficients");
    refused("<reynolds-drag length='1 m' area='1 m2' reynolds='1 2 2' cd='1 2 3'/>", "Reynolds number 3 is not above");
    refused("<reynolds-drag length='1 m' area='1 m2' reynolds='0' cd='1'/>", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_in_syrup_falls_at_stokes_speed),
        cmocka_unit_test(the_coefficient_is_linear_in_the_logarithm_of_reynolds_number),
        cmocka_unit_test(a_force_off_the_centre_turns_the_body),
        cmocka_unit_test(tables_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
