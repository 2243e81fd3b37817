/* Absorption, noise, reflections and links against published and independently computed values. */
#include "acoustics/loss.h"

#include "support/near.h"

static void absorption_has_the_values_of_the_formulas(void **state)
{
    (void)state;
    static const double thorp[5][2] = {{1, 0.0690}, {10, 1.1870}, {25, 6.1048}, {50, 17.467}, {100, 34.069}};
    static const double cold[5][2] = {{1, 0.0631}, {10, 1.1509}, {25, 5.7454}, {50, 15.1435}, {100, 27.5361}};
    static const double deep[3][2] = {{10, 0.8454}, {25, 4.3309}, {100, 29.2406}};
    fm_sound_water at_top = {4, 35, 0, 8}, below = {10, 35, 1000, 8};
    for (int i = 0; i < 5; i++) {
        assert_near(1e3 * fm_absorption_thorp(1e3 * thorp[i][0]), thorp[i][1], 1e-3);
        assert_near(1e3 * fm_absorption_francois_garrison(1e3 * cold[i][0], &at_top), cold[i][1], 1e-4);
    }
    for (int i = 0; i < 3; i++)
        assert_near(1e3 * fm_absorption_francois_garrison(1e3 * deep[i][0], &below), deep[i][1], 1e-4);
    for (double f = 2; f <= 100; f *= 1.5) { /* kHz; the short form */
        double whole = fm_absorption_francois_garrison(1e3 * f, &at_top);
        assert_near(fm_absorption_ainslie_mccolm(1e3 * f, &at_top) / whole, 1, 0.1);
    }
}

static void fresh_water_absorbs_without_salts(void **state)
{
    (void)state;
    fm_sound_water lake = {10, 0, 0, 7};
    double one = fm_absorption_francois_garrison(1e5, &lake), two = fm_absorption_francois_garrison(2e5, &lake);
    assert_near(two / one, 4, 1e-9); /* only the square of the frequency is left */
}

static void wavesims_signal_dies(void **state)
{
    (void)state;
    static const double level[5][2] = {{1, 179.995}, {10, 159.95}, {100, 139.5}, {1000, 115.0}, {5000, 81.0206}};
    for (int i = 0; i < 5; i++)
        assert_near(fm_level_wavesim(180, level[i][0]), level[i][1], 1e-4);
    assert_near(fm_level_wavesim(180, 8319.59), 60, 1e-4);
    assert_near(fm_level_wavesim(180, 0), 179.995, 1e-9);
}

static void noise_is_that_of_its_sources(void **state)
{
    (void)state;
    static const double noise[5][2] = {{0.1, 67.79}, {1, 60.95}, {10, 46.09}, {25, 38.55}, {100, 28.94}};
    for (int i = 0; i < 5; i++)
        assert_near(fm_ambient_noise(1e3 * noise[i][0], 0.5, 5), noise[i][1], 0.01);
    assert_near(fm_level_sum(60, 60), 60 + 10 * log10(2), 1e-9);
}

static void sand_reflects_as_rayleigh_says(void **state)
{
    (void)state;
    fm_seabed sand, lossless;
    double turn;
    assert_true(fm_seabed_find("sand", &sand));
    lossless = sand;
    lossless.attenuation = 0;
    assert_near(pow(10, fm_bottom_loss(&lossless, 1500, 1, &turn) / 20), 0.3528, 1e-4);
    assert_near(turn, 0, 1e-9);
    assert_near(pow(10, fm_bottom_loss(&sand, 1500, sin(5 * DEGREE), &turn) / 20), 0.9509, 1e-4);
    assert_near(pow(10, fm_bottom_loss(&sand, 1500, sin(45 * DEGREE), &turn) / 20), 0.4032, 1e-4);
    for (double angle = 0.5; angle < 24; angle += 1) /* below the critical angle nothing is lost without attenuation */
        assert_near(fm_bottom_loss(&lossless, 1500, sin(angle * DEGREE), &turn), 0, 1e-9);
    assert_false(fm_seabed_find("cheese", &sand));
}

static void no_reflection_makes_energy(void **state)
{
    (void)state;
    for (const char *const *name = fm_seabed_names; *name; name++) {
        fm_seabed seabed;
        double turn;
        assert_true(fm_seabed_find(*name, &seabed));
        for (double angle = 0; angle <= 90; angle += 1)
            assert_at_most(fm_bottom_loss(&seabed, 1500, sin(angle * DEGREE), &turn), 1e-9);
    }
    for (double angle = 0; angle <= 90; angle += 5)
        assert_at_most(fm_surface_loss(0.5, 1000, 1500, sin(angle * DEGREE)), 0);
}

static void links_fail_as_often_as_theory_says(void **state)
{
    (void)state;
    double eight = pow(10, 0.8);
    assert_near(fm_bit_error_bpsk(eight), 1.909e-4, 1e-7);
    assert_near(fm_bit_error_bfsk(eight), 2.132e-2, 1e-5);
    assert_near(fm_frame_error(fm_bit_error_bpsk(eight), 256), 0.0477, 1e-4);
    assert_near(fm_bit_error_bpsk(pow(10, 0.96)), 9.74e-6, 1e-8);
    for (double ratio = 0; ratio < 20; ratio += 0.37)
        assert_near(fm_bit_error_bpsk(ratio) / (0.5 * erfc(sqrt(ratio))), 1, 1e-11);
    assert_near(fm_frame_error(1e-12, 1000), 1e-9, 1e-17);
    assert_near(fm_doppler_shift(25000, 1500, 0, 2) - 25000, 33.378, 1e-3);
    assert_near(fm_doppler_shift(fm_doppler_shift(25000, 1500, 0, 2), 1500, 2, 0) - 25000, 66.756, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absorption_has_the_values_of_the_formulas),
        cmocka_unit_test(fresh_water_absorbs_without_salts),
        cmocka_unit_test(wavesims_signal_dies),
        cmocka_unit_test(noise_is_that_of_its_sources),
        cmocka_unit_test(sand_reflects_as_rayleigh_says),
        cmocka_unit_test(no_reflection_makes_energy),
        cmocka_unit_test(links_fail_as_often_as_theory_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
