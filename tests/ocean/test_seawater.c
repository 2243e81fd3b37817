#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>

#include "ocean/seawater.h"
#include "physics/real.h"

#define DEGREES (FM_PI / 180)
/* The report's temperatures are IPTS-68. */
#define T68(t) ((t) / 1.00024)

static double salinity(double ratio, double t, double p)
{
    return fm_salinity_from_conductivity(ratio * FM_CONDUCTIVITY_STANDARD, T68(t), p);
}

/* UNESCO technical papers in marine science 44, check values of each algorithm. */
static void salinity_meets_the_unesco_check_values(void **state)
{
    (void)state;
    assert_near(salinity(1.888091, 40, 10000), 40.0000, 5e-6);
    assert_near(salinity(1, 15, 0), 35.000, 1e-5); /* rt(15) is 1 only to the printed digits */
    assert_near(salinity(1.2, 20, 2000), 37.245628, 5e-7);
    assert_near(salinity(0.65, 5, 1500), 27.995347, 5e-7);
    assert_near(fm_conductivity_from_salinity(40, T68(40), 10000) / FM_CONDUCTIVITY_STANDARD, 1.888091, 5e-7);
}

static void conductivity_and_salinity_are_inverse_from_fresh_water_to_brine(void **state)
{
    (void)state;
    for (double s = 0; s <= 42; s += s < 3 ? 0.05 : 0.7)
        for (double t = -2; t <= 35; t += 4.1)
            for (double p = 0; p <= 10000; p += 2500) {
                double c = fm_conductivity_from_salinity(s, t, p);
                assert_at_least(c, 0);
                assert_near(fm_salinity_from_conductivity(c, t, p), s, 1e-10);
            }
}

static void salinity_is_continuous_where_the_fresh_water_extension_begins(void **state)
{
    (void)state;
    double c = fm_conductivity_from_salinity(2, 12, 100);
    assert_near(fm_salinity_from_conductivity(c * (1 - 1e-9), 12, 100), 2, 1e-7);
    assert_near(fm_salinity_from_conductivity(c * (1 + 1e-9), 12, 100), 2, 1e-7);
    assert_near(fm_salinity_from_conductivity(0, 12, 100), 0, 1e-15);
}

static void density_meets_the_unesco_check_values(void **state)
{
    (void)state;
    static const double check[][4] = {{0, 5, 0, 999.96675},    {0, 5, 10000, 1044.12802},
                                      {35, 5, 0, 1027.67547},  {35, 5, 10000, 1069.48914},
                                      {35, 25, 0, 1023.34306}, {35, 25, 10000, 1062.53817}};
    for (size_t i = 0; i < sizeof check / sizeof check[0]; i++)
        assert_near(fm_seawater_density(check[i][0], T68(check[i][1]), check[i][2]), check[i][3], 6e-6);
    assert_near(fm_seawater_density(40, T68(40), 10000) - 1000, 59.82037, 1e-5);
    assert_near(1 / fm_seawater_density(40, T68(40), 10000) - 1 / fm_seawater_density(35, 0, 10000), 981.30210e-8,
                5e-12);
}

static void depth_and_pressure_meet_the_check_values(void **state)
{
    (void)state;
    assert_near(fm_seawater_depth(10000, 30 * DEGREES), 9712.653, 5e-4);
    assert_near(fm_pressure_from_depth(7321.45, 30 * DEGREES), 7500.00, 0.01);
    for (double z = 0; z < 6000; z += 500)
        assert_near(fm_seawater_depth(fm_pressure_from_depth(z, 45 * DEGREES), 45 * DEGREES), z,
                    0.5); /* the two published fits differ by 0.4 m at 6 km */
}

/* K/dbar: the slope of the temperature of water that is moved from its pressure. */
static double lapse_of(double salinity, double temperature, double pressure)
{
    return (fm_potential_temperature(salinity, temperature, pressure, pressure + 1) -
            fm_potential_temperature(salinity, temperature, pressure, pressure - 1)) /
           2;
}

static void heat_and_freezing_meet_the_unesco_check_values(void **state)
{
    (void)state;
    assert_near(fm_freezing_point(40, 500), T68(-2.588567), 1e-6);
    assert_near(fm_specific_heat(40, T68(40), 10000), 3849.500, 1e-3);
    assert_near(lapse_of(40, T68(40), 10000), T68(3.255976e-4), 1e-10);
    assert_near(fm_potential_temperature(40, T68(40), 10000, 0), T68(36.89073), 1e-5);
}

static void lapse_rate_follows_from_expansion_and_heat(void **state)
{
    (void)state;
    /* Γ = T α/(ρ cp), with the expansion α from the equation of state; 1 dbar = 1e4 Pa */
    double s = 35, t = 10, p = 2000, h = 1e-3, rho = fm_seawater_density(s, t, p);
    double expansion = -(fm_seawater_density(s, t + h, p) - fm_seawater_density(s, t - h, p)) / (2 * h * rho);
    double lapse = 1e4 * (t + 273.15) * expansion / (rho * fm_specific_heat(s, t, p));
    assert_near(lapse_of(s, t, p) / lapse, 1, 5e-3);
}

static void sound_speed_meets_the_published_check_values(void **state)
{
    (void)state;
    assert_near(fm_sound_speed_mackenzie(35, T68(25), 1000), 1550.744, 5e-4);
    assert_near(fm_sound_speed_chen_millero(40, T68(40), 10000), 1731.995, 5e-4);
}

/* Against TEOS-10 (gsw 3.6.16): columns S, T90, p, Del Grosso, Chen–Millero, TEOS-10. */
static void sound_speed_formulas_agree_with_the_thermodynamic_standard(void **state)
{
    (void)state;
    static const double table[][6] = {{35, 0, 0, 1449.083, 1449.139, 1449.025},
                                      {35, 10, 0, 1489.789, 1489.831, 1489.789},
                                      {35, 0, 5000, 1533.335, 1533.969, 1533.327},
                                      {35, 0, 10000, 1622.269, 1623.150, 1622.184}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double s = table[i][0], t = table[i][1], p = table[i][2];
        assert_near(fm_sound_speed_del_grosso(s, t, p), table[i][3], 1e-3);
        assert_near(fm_sound_speed_chen_millero(s, t, p), table[i][4], 1e-3);
        assert_near(fm_sound_speed_del_grosso(s, t, p), table[i][5], 0.1);
        assert_near(fm_sound_speed_mackenzie(s, t, fm_seawater_depth(p, 45 * DEGREES)), table[i][5], 0.75);
    }
}

/* Against TEOS-10 (gsw 3.6.16, Absolute Salinity = 35.16504/35 S): S, T90, p, C in S/m, density, sound speed, potential
 * temperature. Conductivity is the same scale; the others may differ by what separates the two standards. */
static void conductivity_density_and_heat_agree_with_the_thermodynamic_standard(void **state)
{
    (void)state;
    static const double table[][7] = {{35, 10, 1000, 3.852952192, 1031.432687, 1506.1388, 9.879149},
                                      {5, 20, 0, 0.806673680, 1002.010166, 1488.0241, 20.000000},
                                      {1, 15, 0, 0.157881428, 999.876741, 1467.1135, 15.000000},
                                      {0.3, 4, 500, 0.037486051, 1002.675811, 1430.1661, 3.996947},
                                      {38, 13, 2500, 4.518392302, 1039.570991, 1544.8010, 12.618916},
                                      {34.7, 1.5, 6000, 3.235231445, 1054.367444, 1557.0061, 0.936522}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double s = table[i][0], t = table[i][1], p = table[i][2];
        assert_near(fm_conductivity_from_salinity(s, t, p), table[i][3], 2e-9);
        assert_near(fm_seawater_density(s, t, p), table[i][4], 0.02);
        assert_near(fm_sound_speed_chen_millero(s, t, p), table[i][5], 0.8);
        if (s > 30) /* the range of the lapse-rate fit */
            assert_near(fm_potential_temperature(s, t, p, 0), table[i][6], 2e-3);
    }
}

static void sound_speed_follows_from_compressibility(void **state)
{
    (void)state;
    /* 1/c² = dρ/dp − Γ-correction: (∂ρ/∂p)_adiabatic along the adiabat of the same water */
    double s = 35, t = 15, p = 1000, h = 50;
    double up = fm_seawater_density(s, fm_potential_temperature(s, t, p, p + h), p + h);
    double down = fm_seawater_density(s, fm_potential_temperature(s, t, p, p - h), p - h);
    double speed = sqrt(2 * h * 1e4 / (up - down));
    assert_near(speed, fm_sound_speed_chen_millero(s, t, p), 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(salinity_meets_the_unesco_check_values),
        cmocka_unit_test(conductivity_and_salinity_are_inverse_from_fresh_water_to_brine),
        cmocka_unit_test(salinity_is_continuous_where_the_fresh_water_extension_begins),
        cmocka_unit_test(density_meets_the_unesco_check_values),
        cmocka_unit_test(depth_and_pressure_meet_the_check_values),
        cmocka_unit_test(heat_and_freezing_meet_the_unesco_check_values),
        cmocka_unit_test(lapse_rate_follows_from_expansion_and_heat),
        cmocka_unit_test(sound_speed_meets_the_published_check_values),
        cmocka_unit_test(sound_speed_formulas_agree_with_the_thermodynamic_standard),
        cmocka_unit_test(conductivity_density_and_heat_agree_with_the_thermodynamic_standard),
        cmocka_unit_test(sound_speed_follows_from_compressibility),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
