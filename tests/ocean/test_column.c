#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>

#include "ocean/column.h"
#include "ocean/seawater.h"
#include "physics/real.h"

static void temperature_is_continuous_at_the_knees_of_the_profile(void **state)
{
    (void)state;
    fm_water_column c = fm_water_column_default();
    const double knees[] = {20, 120};
    for (size_t i = 0; i < 2; i++)
        assert_near(fm_water_column_temperature(&c, 0, 0, knees[i] - 1e-9),
                    fm_water_column_temperature(&c, 0, 0, knees[i] + 1e-9), 1e-9);
    assert_near(fm_water_column_temperature(&c, 0, 0, 5), 18, 0);
    assert_near(fm_water_column_temperature(&c, 0, 0, 70), 18 - 0.06 * 50, 1e-12);
    assert_near(fm_water_column_temperature(&c, 0, 0, 620), 12 - 0.002 * 500, 1e-12);
}

static void a_spot_adds_its_amplitude_at_the_centre_and_one_e_th_at_one_over_alpha(void **state)
{
    (void)state;
    fm_water_column c = fm_water_column_default();
    fm_spot spot = {3, {100, -50, 10}, 0.02, 0.05, 0.25};
    double plain = fm_water_column_temperature(&c, 0, 0, 10);
    c.temperature.spots = &spot;
    c.temperature.spot_count = 1;
    assert_near(fm_water_column_temperature(&c, 100, -50, 10) - plain, 3, 1e-12);
    assert_near(fm_water_column_temperature(&c, 100 + 1 / 0.02, -50, 10) - plain, 3 / exp(1), 1e-12);
    assert_near(fm_water_column_temperature(&c, 100, -50 - 1 / 0.05, 10) - plain, 3 / exp(1), 1e-12);
    assert_near(fm_water_column_temperature(&c, 100, -50, 10 + 1 / 0.25) - plain, 3 / exp(1), 1e-12);
    assert_near(fm_water_column_temperature(&c, 1e5, 1e5, 10) - plain, 0, 0);
}

static void a_warm_spot_is_lighter_and_sounds_travel_faster_in_it(void **state)
{
    (void)state;
    fm_water_column c = fm_water_column_default();
    fm_water plain = fm_water_column_sample(&c, 0, 0, 50);
    fm_spot spot = {2, {0, 0, 50}, 0.1, 0.1, 0.1};
    c.temperature.spots = &spot;
    c.temperature.spot_count = 1;
    fm_water warm = fm_water_column_sample(&c, 0, 0, 50);
    assert_less(warm.density, plain.density - 0.3);
    assert_greater(warm.sound_speed, plain.sound_speed + 4);
    assert_greater(warm.conductivity, plain.conductivity);
}

static void the_physical_conductivity_returns_the_salinity_profile(void **state)
{
    (void)state;
    fm_water_column c = fm_water_column_default();
    c.salinity.profile = (fm_segments){34.2, 30, 200, 0.005, 0.0001};
    for (double z = 0; z < 3000; z += 113) {
        fm_water w = fm_water_column_sample(&c, 10, 20, z);
        double s = fm_salinity_from_conductivity(w.conductivity, w.temperature, (w.pressure - 101325) / 1e4);
        assert_near(s, fm_segments_at(&c.salinity.profile, z), 1e-9);
        assert_near(w.salinity, s, 1e-9);
        assert_near(w.density, fm_seawater_density(s, w.temperature, (w.pressure - 101325) / 1e4), 1e-9);
        assert_near(w.density, fm_water_column_density(&c, 10, 20, z), 0);
        assert_near(w.sound_speed, fm_water_column_sound_speed(&c, 10, 20, z), 0);
    }
}

/* With T 18→14→10 °C and C 46.2→46.6→47.0 mS/cm the salinity runs 35.3→39.4→44.3: why this is not the default. */
static void the_printed_conductivity_makes_salinity_rise_with_depth(void **state)
{
    (void)state;
    fm_water_column c = fm_water_column_default();
    c.conductivity_mode = FM_CONDUCTIVITY_PRINTED;
    c.temperature.profile = (fm_segments){18, 0, 100, -0.04, -0.04};
    c.conductivity.profile = (fm_segments){4.62, 0, 100, 4e-4, 4e-4};
    assert_near(fm_water_column_sample(&c, 0, 0, 0).salinity, 35.3, 0.1);
    assert_near(fm_water_column_sample(&c, 0, 0, 100).salinity, 39.4, 0.1);
    assert_near(fm_water_column_sample(&c, 0, 0, 200).salinity, 44.3, 0.2);
    assert_near(fm_water_column_sample(&c, 0, 0, 200).conductivity, 4.70, 1e-12);
}

/* Coefficients of an independent fit to Saunders 1981 over 0 … 6000 m. */
static void the_pressure_fit_matches_saunders(void **state)
{
    (void)state;
    static const double table[][3] = {{0, 10058.0, 0.02334},
                                      {30, 10071.3, 0.02343},
                                      {41, 10080.9, 0.02350},
                                      {45, 10084.6, 0.02353},
                                      {60, 10098.0, 0.02362}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double p[3], latitude = table[i][0] * FM_PI / 180;
        fm_water_column_fit_pressure(latitude, p);
        assert_near(p[0], 101325, 0);
        assert_near(p[1], table[i][1], 0.6);
        assert_near(p[2], table[i][2], 2e-4);
        for (double z = 0; z <= 6000; z += 250)
            assert_near(z * (p[1] + p[2] * z), 1e4 * fm_pressure_from_depth(z, latitude), 1600);
    }
}

static void above_the_surface_the_values_of_the_surface_hold(void **state)
{
    (void)state;
    fm_water_column c = fm_water_column_default();
    fm_water air = fm_water_column_sample(&c, 0, 0, -3), surface = fm_water_column_sample(&c, 0, 0, 0);
    assert_memory_equal(&air, &surface, sizeof air);
    assert_near(air.pressure, 101325, 0);
}

static void the_automatic_sound_speed_joins_fresh_and_salt_water(void **state)
{
    (void)state;
    fm_water_column c = fm_water_column_default();
    double last = 0;
    for (double s = 0; s <= 40; s += 0.01) {
        c.salinity.profile.surface = s;
        double now = fm_water_column_sound_speed(&c, 0, 0, 4000);
        if (s > 0) {
            assert_greater(now, last);
            assert_less(now - last, 0.05);
        }
        last = now;
    }
    c.salinity.profile.surface = 0.1;
    assert_near(fm_water_column_sound_speed(&c, 0, 0, 10), fm_sound_speed_chen_millero(0.1, 18, 10.0848), 1e-3);
    c.salinity.profile.surface = 35;
    assert_near(fm_water_column_sound_speed(&c, 0, 0, 10), fm_sound_speed_del_grosso(35, 18, 10.0848), 1e-3);
}

static void a_fixed_density_and_sound_speed_hold_everywhere(void **state)
{
    (void)state;
    fm_water_column c = fm_water_column_default();
    c.density = 1025;
    c.sound = FM_SOUND_CONSTANT;
    c.sound_speed = 1500;
    fm_water w = fm_water_column_sample(&c, 3, 4, 500);
    assert_near(w.density, 1025, 0);
    assert_near(w.sound_speed, 1500, 0);
    assert_near(fm_water_column_density(&c, 1, 1, 1), 1025, 0);
}

static void impossible_columns_are_refused(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_water_column good = fm_water_column_default(), c = good;
    assert_int_equal(fm_water_column_check(&good, &error), FM_OK);
    c.temperature.profile.z2 = 5;
    assert_int_equal(fm_water_column_check(&c, &error), FM_ERR_MODEL);
    c = good;
    c.salinity.profile.surface = -1;
    assert_int_equal(fm_water_column_check(&c, &error), FM_ERR_RANGE);
    c = good;
    c.pressure[1] = 0;
    assert_int_equal(fm_water_column_check(&c, &error), FM_ERR_MODEL);
    c = good;
    c.density = 3;
    assert_int_equal(fm_water_column_check(&c, &error), FM_ERR_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(temperature_is_continuous_at_the_knees_of_the_profile),
        cmocka_unit_test(a_spot_adds_its_amplitude_at_the_centre_and_one_e_th_at_one_over_alpha),
        cmocka_unit_test(a_warm_spot_is_lighter_and_sounds_travel_faster_in_it),
        cmocka_unit_test(the_physical_conductivity_returns_the_salinity_profile),
        cmocka_unit_test(the_printed_conductivity_makes_salinity_rise_with_depth),
        cmocka_unit_test(the_pressure_fit_matches_saunders),
        cmocka_unit_test(above_the_surface_the_values_of_the_surface_hold),
        cmocka_unit_test(the_automatic_sound_speed_joins_fresh_and_salt_water),
        cmocka_unit_test(a_fixed_density_and_sound_speed_hold_everywhere),
        cmocka_unit_test(impossible_columns_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
