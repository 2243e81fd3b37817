/* The vertical-plane diving model: linear rows and eigenvalues against an independent program, steps against closed
 * forms. */
#include "support/cmocka_all.h"

#include <stddef.h>

#include "control/remus_case.h"
#include "support/eigen.h"

static void relatively(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance * fmax(fabs(expected), 1e-12)))
        fail_msg("found %.15g, expected %.15g", found, expected);
}

static void the_remus_rows_at_1_54_m_per_s_are_those_of_the_reference(void **state)
{
    (void)state;
    static const double a[2][3] = {{-1.1248249413570717, 0.5929993689187443, 0.02071956452645549},
                                   {3.946087891574928, -0.9621235032428783, -0.7083299831375821}};
    static const double b[2] = {-0.6498030275413385, -4.003106861566053},
                        d[2] = {-0.10681668509228531, 0.02474864372486323};
    const fm_diving_params p = remus_params(1.54);
    const fm_diving_model m = fm_diving_derive(&p);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++)
            relatively(m.a[i][k], a[i][k], 1e-12);
        relatively(m.b[i], b[i], 1e-12);
        relatively(m.d[i], d[i], 1e-12);
    }
}

/* Real eigenvalue and the complex pair of [w q theta]. */
static void eigenvalues_are(fm_diving_params p, double real, double pair_real, double pair_imaginary)
{
    const fm_diving_model m = fm_diving_derive(&p);
    double a[9] = {m.a[0][0], m.a[0][1], m.a[0][2], m.a[1][0], m.a[1][1], m.a[1][2], 0, 1, 0}, re[3], im[3];
    eigenvalues(3, a, re, im);
    int pairs = 0;
    for (int i = 0; i < 3; i++) {
        if (im[i] == 0) {
            relatively(re[i], real, 1e-9);
        } else {
            relatively(re[i], pair_real, 1e-9);
            relatively(fabs(im[i]), pair_imaginary, 1e-9);
            pairs++;
        }
    }
    assert_int_equal(pairs, 2);
}

static void the_open_loop_is_unstable_as_published_at_every_speed(void **state)
{
    (void)state;
    fm_diving_params p = remus_params(1.5);
    p.scaled = 0;
    eigenvalues_are(p, -2.406024480120061, 0.16169327107643688, 0.5205959852520675);
    p.speed = 1.54;
    eigenvalues_are(p, -2.4334840269621645, 0.1732677911811061, 0.5136048518470946);
    p.speed = 2.0;
    eigenvalues_are(p, -2.724048760462606, 0.2937647447929305, 0.4197309672268407);
    p.scaled = 1;
    eigenvalues_are(p, -3.235732967623436, 0.2627051561494115, 0.4668559157175382);
    p.speed = 1.5;
    eigenvalues_are(p, -2.3627522300686987, 0.1650051192876198, 0.5172239886277168);
}

static void plane_forces_grow_with_the_square_of_the_speed(void **state)
{
    (void)state;
    const fm_diving_params slow = remus_params(1), fast = remus_params(2);
    const fm_diving_model s = fm_diving_derive(&slow), f = fm_diving_derive(&fast);
    relatively(f.b[0], 4 * s.b[0], 1e-14);
    relatively(f.b[1], 4 * s.b[1], 1e-14);
    relatively(f.a[0][0], 2 * s.a[0][0], 1e-14);
}

/* Error at 1 s of n steps against very fine RK4. */
static double error_of(int steps,
                       void (*step)(const fm_diving_model *, fm_diving_state *, const fm_diving_input *, double))
{
    const fm_diving_params p = remus_params(1.54);
    const fm_diving_model m = fm_diving_derive(&p);
    const fm_diving_input in = {.delta = -0.1, .current_x = 0.2, .current_z = -0.1};
    fm_diving_state s = {.w = 0.1, .theta = 0.2, .z = 10}, fine = s;
    for (int i = 0; i < steps; i++)
        step(&m, &s, &in, 1.0 / steps);
    for (int i = 0; i < 4000; i++)
        fm_diving_step_rk4(&m, &fine, &in, 1.0 / 4000);
    return fabs(s.z - fine.z) + fabs(s.x - fine.x) + fabs(s.theta - fine.theta) + fabs(s.w - fine.w) +
           fabs(s.q - fine.q);
}

static void heun(const fm_diving_model *m, fm_diving_state *s, const fm_diving_input *in, double dt)
{
    fm_diving_step_heun(m, s, in, dt);
}

static void rk4(const fm_diving_model *m, fm_diving_state *s, const fm_diving_input *in, double dt)
{
    fm_diving_step_rk4(m, s, in, dt);
}

static void heun_is_of_second_and_runge_kutta_of_fourth_order(void **state)
{
    (void)state;
    const double heun_order = log2(error_of(40, heun) / error_of(80, heun));
    const double rk4_order = log2(error_of(20, rk4) / error_of(40, rk4));
    assert_between(1.9, heun_order, 2.1);
    assert_between(3.8, rk4_order, 4.2);
}

static void a_current_carries_the_vehicle_and_leaves_the_motion_through_the_water_alone(void **state)
{
    (void)state;
    const fm_diving_params p = remus_params(1.54);
    const fm_diving_model m = fm_diving_derive(&p);
    const fm_diving_input still = {.delta = 0.05}, moving = {.delta = 0.05, .current_x = -0.3, .current_z = 0.1};
    fm_diving_state a = {.z = 5}, b = a;
    for (int i = 0; i < 100; i++) {
        fm_diving_step_rk4(&m, &a, &still, 0.05);
        fm_diving_step_rk4(&m, &b, &moving, 0.05);
    }
    assert_nearer(b.x - a.x + 0.3 * 5, 0, 1e-12);
    assert_nearer(b.z - a.z, 0.1 * 5, 1e-12);
    assert_same(a.theta, b.theta);
    assert_same(a.w, b.w);
}

static void the_sliding_autopilot_dives_to_an_ordered_depth_and_stays(void **state)
{
    (void)state;
    const fm_diving_params p = remus_params(1.54);
    const fm_diving_model m = fm_diving_derive(&p);
    const fm_sliding_design design = remus_design();
    fm_sliding_params gains;
    assert_int_equal(fm_sliding_gains(&m, &design, &gains, NULL), FM_OK);
    fm_diving_state s = {.z = 10};
    for (int i = 0; i < 2000; i++) {
        const fm_diving_input in = {.delta = fm_sliding_dive(&gains, s.w, s.q, s.theta, s.z - 15)};
        assert_near(in.delta, 0, design.limit);
        fm_diving_step_rk4(&m, &s, &in, 0.05);
    }
    assert_nearer(s.z, 15, 2e-3);
    assert_nearer(s.q, 0, 1e-6); /* the linear trim leaves 0.12 mm */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_remus_rows_at_1_54_m_per_s_are_those_of_the_reference),
        cmocka_unit_test(the_open_loop_is_unstable_as_published_at_every_speed),
        cmocka_unit_test(plane_forces_grow_with_the_square_of_the_speed),
        cmocka_unit_test(heun_is_of_second_and_runge_kutta_of_fourth_order),
        cmocka_unit_test(a_current_carries_the_vehicle_and_leaves_the_motion_through_the_water_alone),
        cmocka_unit_test(the_sliding_autopilot_dives_to_an_ordered_depth_and_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
