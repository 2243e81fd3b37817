/* The hot thermistor against a reference program (steady values, scheme errors) and its own laws. */
#include <math.h>

#include "sensors/thermistor.h"
#include "support/near.h"
#include "support/rows.h"

static void steady_states_agree_with_the_reference_to_a_tenth_of_a_millivolt(void **unused)
{
    (void)unused;
    int count = 0;
    for (rows r = open_rows("thermistor.txt"); next_row(&r); count++) {
        double i, r0, v, celsius, voltage, tau;
        assert_int_equal(sscanf(r.line, "%lf %lf %lf %lf %lf %lf", &i, &r0, &v, &celsius, &voltage, &tau), 6);
        fm_thermistor p = fm_thermistor_printed();
        p.i = i, p.r0 = r0;
        double t = fm_thermistor_steady(&p, v);
        assert_near(t - 273.15, celsius, 1e-6);
        assert_near(fm_thermistor_voltage(&p, t), voltage, 1e-7);
        double slope;
        fm_thermistor_rate(&p, t, fm_thermistor_loss(&p, v), &slope);
        assert_near(-1e3 / slope, tau, 1e-5); /* the time constant, ms */
    }
    assert_at_least(count, 18);
}

static void printed_constants_give_97_degrees_and_the_preset_gives_70(void **unused)
{
    (void)unused;
    fm_thermistor printed = fm_thermistor_printed(), preset = fm_thermistor_70_degrees();
    assert_near(fm_thermistor_steady(&printed, 0) - 273.15, 97.44958998616738, 1e-6);
    assert_near(fm_thermistor_steady(&preset, 0) - 273.15, 70, 1e-6);
}

static void the_bead_does_not_know_the_direction_and_rest_is_the_limit_of_slow_flow(void **unused)
{
    (void)unused;
    fm_thermistor p = fm_thermistor_printed();
    assert_same(fm_thermistor_loss(&p, 0.2), fm_thermistor_loss(&p, -0.2));
    assert_same(fm_thermistor_loss(&p, 0), p.a);
    assert_same(fm_thermistor_loss(&p, -0.0), p.a);
    assert_near(fm_thermistor_loss(&p, 1e-30), p.a, 1e-12);
    assert_near(fm_thermistor_loss(&p, 1e-310), p.a, 1e-12);
}

/* 1.97 V per m/s at 0.15 m/s by the reference; elsewhere the slope of the steady voltage. */
static void sensitivity_is_the_slope_of_the_steady_voltage(void **unused)
{
    (void)unused;
    fm_thermistor p = fm_thermistor_printed();
    assert_near(fm_thermistor_sensitivity(&p, 0.15), 1.97, 0.005);
    for (double v = 0.01; v < 1; v *= 1.7) {
        double up = fm_thermistor_voltage(&p, fm_thermistor_steady(&p, v * 1.0001)),
               down = fm_thermistor_voltage(&p, fm_thermistor_steady(&p, v * 0.9999));
        assert_near(fm_thermistor_sensitivity(&p, v), (up - down) / (2e-4 * v), 1e-4);
    }
}

/* The four courses of the reference: velocity [m/s] at time t [s], start velocity for the steady start, duration. */
static double course(char name, double t)
{
    switch (name) {
    case 'A': return 0.18;
    case 'D': return 0.15;
    case 'C': return 0.15 + 0.05 * sin(2 * FM_PI * 5 * t);
    default: return 0;
    }
}

static double rk4(const fm_thermistor *p, char name, double t, double temperature, double h)
{
    double j, k[4];
    k[0] = fm_thermistor_rate(p, temperature, fm_thermistor_loss(p, course(name, t)), &j);
    k[1] = fm_thermistor_rate(p, temperature + h / 2 * k[0], fm_thermistor_loss(p, course(name, t + h / 2)), &j);
    k[2] = fm_thermistor_rate(p, temperature + h / 2 * k[1], fm_thermistor_loss(p, course(name, t + h / 2)), &j);
    k[3] = fm_thermistor_rate(p, temperature + h * k[2], fm_thermistor_loss(p, course(name, t + h)), &j);
    return temperature + h / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]);
}

/* Largest voltage error of a scheme against fine RK4 steps. */
static double largest_error(char name, int explicit_euler, double h)
{
    fm_thermistor p = fm_thermistor_printed();
    double start = name == 'D' ? 0 : 0.15, duration = name == 'C' ? 0.6 : 0.3, worst = 0;
    double t = fm_thermistor_steady(&p, start), exact = t;
    int steps = (int)lround(duration / h), fine = (int)ceil(h / 1e-3 - 1e-9) * 2;
    for (int k = 0; k < steps; k++) {
        double time = k * h, v = course(name, time), mean = 0.5 * (v + course(name, time + h));
        t = explicit_euler ? fm_thermistor_euler_step(&p, t, v, h) : fm_thermistor_step(&p, t, mean, h);
        for (int i = 0; i < fine; i++)
            exact = rk4(&p, name, time + i * h / fine, exact, h / fine);
        worst = fmax(worst, fabs(fm_thermistor_voltage(&p, t) - fm_thermistor_voltage(&p, exact)));
    }
    return worst;
}

static void scheme_errors_are_those_of_the_reference_table(void **unused)
{
    (void)unused;
    int count = 0;
    for (rows r = open_rows("thermistor_errors.txt"); next_row(&r);) {
        char name[32], scheme[32];
        double h, expected;
        assert_int_equal(sscanf(r.line, "%31s %31s %lf %lf", name, scheme, &h, &expected), 4);
        if (name[0] == 'B' || strcmp(scheme, "linimp") == 0 || h > 0.01 || h < 1e-5 || expected < 1e-8)
            continue; /* the reference compares 20 ms steps at the jump itself; below 1e-8 V it is round-off */
        double error = largest_error(name[0], strcmp(scheme, "euler") == 0, h);
        if (!(error < 1.1 * expected && error > 0.8 * expected))
            print_error("%s: found %g\n", r.line, error);
        assert_between(0.8 * expected, error, 1.1 * expected);
        count++;
    }
    assert_greater(count, 20);
}

static void the_exponential_step_is_second_order_and_stable_at_any_step(void **unused)
{
    (void)unused;
    assert_near(log2(largest_error('C', 0, 2e-3) / largest_error('C', 0, 1e-3)), 2, 0.05);
    fm_thermistor p = fm_thermistor_printed();
    double steady = fm_thermistor_steady(&p, 0.3), t = fm_thermistor_steady(&p, 0);
    for (int k = 0; k < 20; k++)
        t = fm_thermistor_step(&p, t, 0.3, 10.0);
    assert_near(t, steady, 1e-9);
    for (int k = 0; k < 100; k++) {
        t = fm_thermistor_euler_step(&p, t, 0.3, 10.0);
        assert_true(isfinite(t) && isfinite(fm_thermistor_voltage(&p, t)));
    }
}

/* The steady state read backwards. */
static void a_voltage_tells_the_speed_that_holds_it(void **state)
{
    (void)state;
    fm_thermistor p = fm_thermistor_printed();
    for (double v = 0.005; v < 2; v *= 1.7) {
        double t = fm_thermistor_steady(&p, v), u = fm_thermistor_voltage(&p, t);
        assert_nearer(fm_thermistor_temperature(&p, u), t, 1e-9);
        assert_nearer(fm_thermistor_speed(&p, t), v, 1e-8 * v);
    }
    assert_same(fm_thermistor_speed(&p, fm_thermistor_steady(&p, 0) + 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_voltage_tells_the_speed_that_holds_it),
        cmocka_unit_test(steady_states_agree_with_the_reference_to_a_tenth_of_a_millivolt),
        cmocka_unit_test(printed_constants_give_97_degrees_and_the_preset_gives_70),
        cmocka_unit_test(sensitivity_is_the_slope_of_the_steady_voltage),
        cmocka_unit_test(the_bead_does_not_know_the_direction_and_rest_is_the_limit_of_slow_flow),
        cmocka_unit_test(scheme_errors_are_those_of_the_reference_table),
        cmocka_unit_test(the_exponential_step_is_second_order_and_stable_at_any_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
