#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>

#include "forces/wind.h"

static void wind_weakens_towards_the_water_by_the_power_law(void **state)
{
    (void)state;
    fm_wind wind = {{7, -3}, 1.225, 1.0 / 7};
    double v[2];
    fm_wind_at(&wind, 10, v);
    assert_near(v[0], 7, 1e-14);
    fm_wind_at(&wind, 1, v);
    assert_near(v[0], 7 * pow(0.1, 1.0 / 7), 1e-12);
    assert_near(v[1], -3 * pow(0.1, 1.0 / 7), 1e-12);
    fm_wind_at(&wind, 0, v);
    assert_near(v[0], 0, 0);
    wind.exponent = 0;
    fm_wind_at(&wind, 0.5, v);
    assert_near(v[1], -3, 0);
}

static void a_buoy_is_pushed_down_wind_by_half_rho_cd_a_v_squared(void **state)
{
    (void)state;
    fm_wind_area buoy = {0.5, 0.5, 0, 1, 1.1, 1.1, 0};
    double load[3];
    fm_wind_load(&buoy, 1.225, (double[2]){-6, -8}, load); /* at rest, air moving at (6, 8) */
    assert_near(hypot(load[0], load[1]), 0.5 * 1.225 * 1.1 * 0.5 * 100, 1e-10);
    assert_near(load[0] / load[1], 0.75, 1e-12);
    assert_greater(load[0], 0);
    assert_near(load[2], 0, 0);
}

/* Against the form with angles: X = q CX, CX = −cx cos γ, CY = cy sin γ, CN = cn sin 2γ, γ = −atan2(v, u). */
static void loads_follow_the_angle_of_attack(void **state)
{
    (void)state;
    fm_wind_area craft = {2, 6, 8, 1, 0.6, 0.8, 0.1};
    for (double a = -3; a < 3.1; a += 0.4) {
        double u = 9 * cos(a), v = 9 * sin(a), gamma = -atan2(v, u), q = 0.5 * 1.2 * 81, load[3];
        fm_wind_load(&craft, 1.2, (double[2]){u, v}, load);
        assert_near(load[0], -q * 0.6 * cos(gamma) * 2, 1e-10);
        assert_near(load[1], q * 0.8 * sin(gamma) * 6, 1e-10);
        assert_near(load[2], q * 0.1 * sin(2 * gamma) * 6 * 8, 1e-10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wind_weakens_towards_the_water_by_the_power_law),
        cmocka_unit_test(a_buoy_is_pushed_down_wind_by_half_rho_cd_a_v_squared),
        cmocka_unit_test(loads_follow_the_angle_of_attack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
