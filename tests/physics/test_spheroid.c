/* Added mass of spheroids against Lamb's closed forms, and of Snookie against the reference values. */
#include <math.h>

#include "physics/spheroid.h"
#include "support/near.h"

static void snookie_has_the_reference_added_mass_and_inertia(void **unused)
{
    (void)unused;
    fm_spheroid s = fm_spheroid_added_mass(0.125, 0.37, 1000);
    assert_near(s.alpha0, 0.221017305476076, 1e-12);
    assert_near(s.beta0, 0.889491347261962, 1e-12);
    assert_near(s.k1, 0.12423803005864695, 1e-12);
    assert_near(s.k2, 0.8009765120414486, 1e-12);
    assert_near(s.k_prime, 0.4584886301472491, 1e-12);
    assert_near(s.m11, 3.0086032194921635, 1e-10);
    assert_near(s.m22, 19.396802345690308, 1e-10);
    assert_near(s.m55, 0.33869591524598447, 1e-11);
}

static void prolate_and_oblate_follow_lambs_closed_forms(void **unused)
{
    (void)unused;
    for (double ratio = 1.2; ratio < 20; ratio *= 1.7) {
        double e = sqrt(1 - 1 / (ratio * ratio)), e2 = e * e;
        fm_spheroid s = fm_spheroid_added_mass(1, ratio, 1);
        assert_near(s.alpha0, 2 * (1 - e2) / (e2 * e) * (atanh(e) - e), 1e-13);
        assert_near(s.beta0, 1 / e2 - (1 - e2) / (e2 * e) * atanh(e), 1e-13);
        double split = s.beta0 - s.alpha0;
        assert_near(s.k_prime, e2 * e2 * split / ((2 - e2) * (2 * e2 - (2 - e2) * split)), 1e-12);
        s = fm_spheroid_added_mass(ratio, 1, 1);
        assert_near(s.alpha0, 2 / e2 * (1 - sqrt(1 - e2) * asin(e) / e), 1e-13);
        assert_near(s.beta0, sqrt(1 - e2) / (e2 * e) * asin(e) - (1 - e2) / e2, 1e-13);
    }
}

static void a_sphere_carries_half_its_displaced_mass_and_turns_freely(void **unused)
{
    (void)unused;
    for (double b = 0.999999; b < 1.0000015; b += 5e-7) {
        fm_spheroid s = fm_spheroid_added_mass(1, b, 1000);
        assert_near(s.k1, 0.5, 2e-6);
        assert_near(s.k2, 0.5, 2e-6);
        assert_near(s.k_prime, 0, 1e-11);
    }
    assert_near(fm_spheroid_added_mass(1, 1, 1).k1, 0.5, 1e-15);
}

static void a_thin_disc_carries_the_water_of_its_known_limit(void **unused)
{
    (void)unused;
    fm_spheroid s = fm_spheroid_added_mass(1, 1e-6, 1);
    assert_near(s.m11, 8.0 / 3, 1e-5);   /* 8/3 ρ a³ broadside */
    assert_near(s.m55, 16.0 / 45, 1e-5); /* 16/45 ρ a⁵ about a diameter */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(snookie_has_the_reference_added_mass_and_inertia),
        cmocka_unit_test(prolate_and_oblate_follow_lambs_closed_forms),
        cmocka_unit_test(a_sphere_carries_half_its_displaced_mass_and_turns_freely),
        cmocka_unit_test(a_thin_disc_carries_the_water_of_its_known_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
