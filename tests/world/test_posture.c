/* Quaternion and Euler posture, the vertical, and the order of every integrator. */
#include "support/scenario.h"

#include "world/world.h"

#include "physics/integrate.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#define DEG (FM_PI / 180)

/* A smooth manoeuvre: linear and quadratic damping, a steady push that turns, pitches and rolls. */
static fm_world *body_in(const char *sea, double dt, const char *attributes)
{
    char text[2048];
    snprintf(
        text, sizeof text,
        "<fathom version='1'><world dt='%.17g s' duration='100 s'><water surface='none'/>%s</world><vehicle "
        "name='body' velocity='1 0.2 0.1 "
        "m/s' %s>"
        "<mass mass='40 kg' centre='0 0 0.03 m' inertia='1.1 4.3 4.9 kg*m2'/>"
        "<added-mass-matrix linear='4 35 38 kg' angular='0.2 3.1 2.9 kg*m2'/>"
        "<drag X_u='-5 N*s/m' Y_v='-40 N*s/m' Z_w='-45 N*s/m' K_p='-2 N*m*s/rad' M_q='-9 N*m*s/rad' N_r='-8 N*m*s/rad' "
        "Y_uv='-12 N*s2/m2' N_uv='-5 N*m*s2/m2'/>"
        "<thruster name='push' position='0 0.1 -0.05 m' direction='1 0.1 0.05' thrust='40 N'/>"
        "<orders><at t='0 s' push='12 N'/></orders></vehicle></fathom>",
        dt, sea, attributes);
    return start(text);
}

static fm_world *body(double dt, const char *attributes)
{
    return body_in("", dt, attributes);
}

static fm_body_state state_after(double dt, const char *attributes, double time)
{
    fm_world *world = body(dt, attributes);
    run_until(world, time);
    fm_body_state s = world->slots[0].vehicle->body;
    finish(world);
    return s;
}

/* --- a reference that shares only the right-hand side --- */

typedef struct reference {
    const fm_type *type;
    fm_body_input input;
} reference;

static int rate(double t, const double y[], double out[], void *user)
{
    (void)t;
    const reference *r = user;
    fm_stream still = {0};
    fm_body_state s, k;
    memcpy(&s, y, sizeof s);
    fm_body_rate(&r->type->body, &r->type->mass, &r->input, &still, &s, &k);
    memcpy(out, &k, sizeof k);
    return GSL_SUCCESS;
}

/* Runge-Kutta-Prince-Dormand 8(9) at 1e-13. */
static fm_body_state tight_reference(double time)
{
    fm_world *world = body(0.01, "");
    fm_body_state s = world->slots[0].vehicle->body;
    step(world, 1); /* so that the thruster has its order */
    reference r = {world->slots[0].type, world->slots[0].vehicle->input};
    gsl_odeiv2_system system = {rate, NULL, 13, &r};
    gsl_odeiv2_driver *driver = gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-3, 1e-13, 1e-13);
    double y[13], t = 0;
    memcpy(y, &s, sizeof s);
    assert_int_equal(gsl_odeiv2_driver_apply(driver, &t, time, y), GSL_SUCCESS);
    gsl_odeiv2_driver_free(driver);
    finish(world);
    memcpy(&s, y, sizeof s);
    fm_quat_normalise(s.attitude);
    return s;
}

static void check_order(const char *name, double dt, double expected)
{
    char attributes[64];
    snprintf(attributes, sizeof attributes, "integrator='%s'", name);
    fm_body_state exact = tight_reference(2), coarse = state_after(dt, attributes, 2),
                  fine = state_after(dt / 2, attributes, 2);
    double order = log2(fm_body_difference(&coarse, &exact) / fm_body_difference(&fine, &exact));
    near(name, order, expected, 0.15);
}

static void each_integrator_has_its_order(void **unused)
{
    (void)unused;
    check_order("euler", 0.005, 1);
    check_order("text", 0.005, 1);
    check_order("heun", 0.01, 2);
    check_order("rk4", 0.05, 4);
}

static void substeps_are_smaller_steps(void **unused)
{
    (void)unused;
    fm_body_state divided = state_after(0.1, "integrator='rk4' substeps='10'", 2),
                  small = state_after(0.01, "integrator='rk4'", 2);
    near("difference of 10 sub-steps and 10 steps", fm_body_difference(&divided, &small), 0, 1e-13);
}

static void error_control_reaches_its_tolerance_and_repeats_to_the_bit(void **unused)
{
    (void)unused;
    fm_body_state exact = tight_reference(2);
    fm_body_state loose = state_after(0.1, "integrator='rk4' tolerance='1e-6'", 2);
    fm_body_state tight = state_after(0.1, "integrator='rk4' tolerance='1e-11'", 2);
    fm_body_state again = state_after(0.1, "integrator='rk4' tolerance='1e-11'", 2);
    fm_body_state heun = state_after(0.1, "integrator='heun' tolerance='1e-6'", 2);
    assert_less(fm_body_difference(&loose, &exact), 20 * 1e-6);
    assert_less(fm_body_difference(&tight, &exact), 20 * 1e-11);
    assert_less(fm_body_difference(&heun, &exact), 20 * 1e-6);
    assert_memory_equal(&tight, &again, sizeof tight);
}

/* --- postures --- */

static void compare_postures(const char *sea)
{
    fm_world *a = body_in(sea, 0.01, "integrator='rk4' position='0 0 20 m'");
    fm_world *b = body_in(sea, 0.01, "integrator='rk4' position='0 0 20 m' posture='euler'");
    for (int t = 1; t <= 10; t++) {
        run_until(a, t);
        run_until(b, t);
        fm_pose p = pose_of(a, 0), q = pose_of(b, 0);
        for (int i = 0; i < 3; i++) {
            near("position", p.position[i], q.position[i], 1e-8);
            near("angle", angle_between(p.euler[i], q.euler[i]), 0, 1e-8);
        }
        for (int i = 0; i < 6; i++)
            near("velocity", p.velocity[i], q.velocity[i], 1e-8);
    }
    finish(a);
    finish(b);
}

static void quaternion_and_euler_runs_agree(void **unused)
{
    (void)unused;
    compare_postures("");
}

/* Turning water gives a body an acceleration that depends on how it is turned itself. */
static void quaternion_and_euler_runs_agree_in_a_current_with_gradients(void **unused)
{
    (void)unused;
    compare_postures("<current><vortex model='rankine' centre='3 2 0 m' circulation='40 m2/s' core='20 m'/>"
                     "<layers depth='0 40 m' north='-2 2 m/s' east='1.5 -1.5 m/s'/></current>");
}

/* A free body that turns about its y axis through `sign` straight up and down. */
static fm_world *tumbling(const char *attributes)
{
    char text[1024];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s' duration='100 s'><water surface='none'/></world><vehicle "
             "name='loop' integrator='rk4' "
             "velocity='1 0 0 m/s' %s>"
             "<mass mass='40 kg' inertia='1 4 4 kg*m2'/></vehicle></fathom>",
             attributes);
    return start(text);
}

static void a_loop_about_y_passes_straight_up_and_down_without_a_blink(void **unused)
{
    (void)unused;
    for (int sign = -1; sign <= 1; sign += 2) {
        char attributes[64]; /* one turn in 8 s: a quarter is 200 steps */
        snprintf(attributes, sizeof attributes, "rates='0 %.17g 0 rad/s'", sign * 2 * FM_PI / 8);
        fm_world *world = tumbling(attributes);
        double R[9], before[9];
        fm_quat_matrix(world->slots[0].vehicle->body.attitude, before);
        for (int i = 1; i <= 800; i++) {
            step(world, 1);
            fm_quat_matrix(world->slots[0].vehicle->body.attitude, R);
            for (int k = 0; k < 9; k++)
                near("change of the rotation matrix in one step", R[k], before[k], 2 * FM_PI / 800 * 1.0001);
            memcpy(before, R, sizeof R);
            if (i == 200)
                near("pitch after a quarter", pose_of(world, 0).euler[1] / DEG, sign * 90, 1e-4);
        }
        fm_pose end = pose_of(world, 0);
        near("pitch after a loop", end.euler[1] / DEG, 0, 1e-6);
        near("heading after a loop", angle_between(end.euler[2], 0) / DEG, 0, 1e-6);
        near("roll after a loop", angle_between(end.euler[0], 0) / DEG, 0, 1e-6);
        finish(world);
    }
}

static void euler_posture_stops_at_the_vertical_with_an_error(void **unused)
{
    (void)unused;
    static const char *const rates[2] = {"posture='euler' rates='0 45 0 deg/s'",
                                         "posture='euler' rates='0 -45 0 deg/s'"};
    for (int i = 0; i < 2; i++) {
        fm_world *world = tumbling(rates[i]);
        fm_error error = {0};
        assert_int_equal(fm_world_run_until(world, 8, &error), FM_ERR_STATE);
        assert_non_null(strstr(error.text, "'loop'"));
        assert_non_null(strstr(error.text, "pitch"));
        near("time of the stop", fm_world_time(world), 2, 0.03);
        finish(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_integrator_has_its_order),
        cmocka_unit_test(substeps_are_smaller_steps),
        cmocka_unit_test(error_control_reaches_its_tolerance_and_repeats_to_the_bit),
        cmocka_unit_test(quaternion_and_euler_runs_agree),
        cmocka_unit_test(quaternion_and_euler_runs_agree_in_a_current_with_gradients),
        cmocka_unit_test(a_loop_about_y_passes_straight_up_and_down_without_a_blink),
        cmocka_unit_test(euler_posture_stops_at_the_vertical_with_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
