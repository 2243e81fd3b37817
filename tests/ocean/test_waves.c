#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>

#include "ocean/sea_sum.h"
#include "ocean/waves.h"
#include "physics/real.h"
#include "physics/waves.h"

#define GRAVITY 9.81

static void the_dispersion_relation_is_satisfied_from_shallow_to_deep(void **state)
{
    (void)state;
    for (double depth = 0.2; depth < 5000; depth *= 1.9)
        for (double frequency = 0.02; frequency < 20; frequency *= 1.4) {
            double k = fm_wave_number(frequency, depth, GRAVITY);
            assert_near(GRAVITY * k * tanh(k * depth) / (frequency * frequency), 1, 1e-13);
        }
    assert_near(fm_wave_number(0.01, 1, GRAVITY), 0.01 / sqrt(GRAVITY), 1e-7); /* long waves run at √(g h) */
    assert_near(fm_wave_number(2, 0, GRAVITY), 4 / GRAVITY, 1e-15);
}

static fm_sea one_wave(fm_wave *wave, double depth)
{
    *wave = fm_wave_make(0.7, 0.9, 0.6, 0.3, depth, GRAVITY);
    return (fm_sea){wave, 1, depth, GRAVITY, 1025};
}

static void a_crest_travels_at_the_phase_speed(void **state)
{
    (void)state;
    fm_wave w;
    fm_sea sea = one_wave(&w, 30);
    double c = w.frequency / w.number, start = w.phase / w.frequency; /* the crest leaves the origin at start */
    for (double t = 0; t < 100; t += 7)
        assert_near(fm_sea_elevation(&sea, start + t, c * t * cos(0.6), c * t * sin(0.6)), 0.7, 1e-12);
}

/* Central differences of the velocity: ∂v_i/∂x_j. */
static void gradient(const fm_sea *sea, double t, const double p[3], double out[3][3])
{
    for (int j = 0; j < 3; j++) {
        double a[3] = {p[0], p[1], p[2]}, b[3] = {p[0], p[1], p[2]}, h = 1e-4;
        a[j] -= h;
        b[j] += h;
        fm_sea_sample before = fm_sea_at(sea, t, a), after = fm_sea_at(sea, t, b);
        for (int i = 0; i < 3; i++)
            out[i][j] = (after.velocity[i] - before.velocity[i]) / (2 * h);
    }
}

static void orbital_motion_is_free_of_divergence_and_curl(void **state)
{
    (void)state;
    fm_wave waves[20];
    fm_jonswap spectrum = {2, 8, 3.3, 1, 10};
    const double depths[] = {0, 15};
    for (int k = 0; k < 2; k++) {
        fm_jonswap_waves(&spectrum, depths[k], GRAVITY, 3, 0, waves, 20);
        fm_sea sea = {waves, 20, depths[k], GRAVITY, 1025};
        for (double z = 0.5; z < 14; z += 2.3) {
            double g[3][3];
            gradient(&sea, 12.3, (double[3]){5, 6, z}, g);
            assert_near(g[0][0] + g[1][1] + g[2][2], 0, 1e-8);
            assert_near(g[1][0] - g[0][1], 0, 1e-8);
            assert_near(g[2][0] - g[0][2], 0, 1e-8);
            assert_near(g[2][1] - g[1][2], 0, 1e-8);
            fm_sea_sample s = fm_sea_at(&sea, 12.3, (double[3]){5, 6, z});
            const double slope[6] = {g[0][0], g[0][1], g[0][2], g[1][1], g[1][2], g[2][2]};
            for (int i = 0; i < 6; i++)
                assert_near(s.gradient[i], slope[i], 1e-7);
        }
    }
}

static void orbital_velocity_decays_as_cosh_and_stops_at_the_bottom(void **state)
{
    (void)state;
    fm_wave w;
    fm_sea sea = one_wave(&w, 30);
    double t = w.phase / w.frequency, top = fm_sea_at(&sea, t, (double[3]){0, 0, 0}).velocity[0];
    for (double z = 0; z <= 30; z += 3)
        assert_near(fm_sea_at(&sea, t, (double[3]){0, 0, z}).velocity[0] / top,
                    cosh(w.number * (30 - z)) / cosh(w.number * 30), 1e-12);
    assert_near(top, 0.7 * 0.9 / tanh(w.number * 30) * cos(0.6), 1e-12);
    for (double s = 0; s < 7; s += 0.5)
        assert_near(fm_sea_at(&sea, s, (double[3]){3, 4, 30}).velocity[2], 0, 1e-15);
}

static void deep_water_orbits_are_circles_that_shrink_as_e_to_minus_kz(void **state)
{
    (void)state;
    fm_wave w;
    fm_sea sea = one_wave(&w, 0);
    for (double t = 0; t < 7; t += 0.5) {
        fm_sea_sample s = fm_sea_at(&sea, t, (double[3]){1, 2, 10});
        double speed =
            sqrt(s.velocity[0] * s.velocity[0] + s.velocity[1] * s.velocity[1] + s.velocity[2] * s.velocity[2]);
        assert_near(speed, 0.7 * 0.9 * exp(-w.number * 10), 1e-12);
    }
}

static void the_surface_moves_with_the_water(void **state)
{
    (void)state;
    fm_wave w;
    fm_sea sea = one_wave(&w, 12);
    for (double t = 0; t < 7; t += 0.5) { /* ∂η/∂t is the upward velocity at the mean surface */
        double h = 1e-4, rate = (fm_sea_elevation(&sea, t + h, 3, 4) - fm_sea_elevation(&sea, t - h, 3, 4)) / (2 * h);
        assert_near(-fm_sea_at(&sea, t, (double[3]){3, 4, 0}).velocity[2], rate, 1e-8);
    }
}

static void acceleration_is_the_rate_of_velocity_and_the_gradient_of_pressure(void **state)
{
    (void)state;
    fm_wave waves[8];
    fm_jonswap spectrum = {2, 8, 3.3, 1, 4};
    fm_jonswap_waves(&spectrum, 25, GRAVITY, 3, 0, waves, 8);
    fm_sea sea = {waves, 8, 25, GRAVITY, 1025};
    double p[3] = {5, -6, 4}, t = 17, h = 1e-4;
    fm_sea_sample now = fm_sea_at(&sea, t, p), before = fm_sea_at(&sea, t - h, p), after = fm_sea_at(&sea, t + h, p);
    for (int i = 0; i < 3; i++) {
        double a[3] = {p[0], p[1], p[2]}, b[3] = {p[0], p[1], p[2]};
        a[i] -= h;
        b[i] += h;
        double slope = (fm_sea_at(&sea, t, b).pressure - fm_sea_at(&sea, t, a).pressure) / (2 * h);
        assert_near(now.acceleration[i], (after.velocity[i] - before.velocity[i]) / (2 * h), 1e-8);
        assert_near(1025 * now.acceleration[i], -slope, 1e-3); /* linear Euler equation */
    }
    double v[3] = {0};
    fm_sea_add_velocity(&sea, t, p, v);
    for (int i = 0; i < 3; i++)
        assert_near(v[i], now.velocity[i], 1e-15);
}

/* JONSWAP as published, over x = ω/ω_p and without scale. */
static double jonswap(double x, double gamma)
{
    const double off = (x - 1) / (x <= 1 ? 0.07 : 0.09);
    return pow(x, -5) * exp(-1.25 * pow(x, -4)) * pow(gamma, exp(-0.5 * off * off));
}

/* Share of its energy below x. */
static double share_below(double x, double gamma)
{
    const double h = 1e-3;
    double below = 0, all = 0;
    for (double at = 0.2 + h / 2; at < 15; at += h) {
        below += at < x ? jonswap(at, gamma) * h : 0;
        all += jonswap(at, gamma) * h;
    }
    return below / all;
}

static void the_components_carry_the_energy_where_the_spectrum_has_it(void **state)
{
    (void)state;
    enum { COUNT = 400 };
    static fm_wave waves[COUNT];
    const double gammas[] = {1, 3.3, 7}, parts[] = {0.8, 0.95, 1, 1.1, 1.5, 2.5}, peak = 2 * FM_PI / 8;
    for (int k = 0; k < 3; k++) {
        fm_jonswap s = {2, 8, gammas[k], 0, 0};
        fm_jonswap_waves(&s, 0, GRAVITY, 11, 2, waves, COUNT);
        for (size_t n = 0; n < sizeof parts / sizeof *parts; n++) {
            double m0 = 0, below = 0;
            for (int i = 0; i < COUNT; i++) {
                double e = waves[i].amplitude * waves[i].amplitude / 2;
                m0 += e;
                below += waves[i].frequency < parts[n] * peak ? e : 0;
                if (i != 0)
                    assert_at_least(waves[i].frequency, waves[i - 1].frequency);
            }
            assert_near(m0, 0.25, 1e-12); /* Hs²/16 */
            assert_near(below / m0, share_below(parts[n], gammas[k]), 1.5 / COUNT + 2e-3);
        }
    }
}

/* Pierson and Moskowitz's spectrum has a closed form: the share below x is exp(−1.25 x⁻⁴). */
static void without_peakedness_the_components_are_those_of_pierson_and_moskowitz(void **state)
{
    (void)state;
    enum { COUNT = 400 };
    static fm_wave waves[COUNT];
    fm_jonswap s = {3, 10, 1, 0, 0};
    fm_jonswap_waves(&s, 0, GRAVITY, 5, 1, waves, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_near(exp(-1.25 * pow(waves[i].frequency * 10 / (2 * FM_PI), -4)), (i + 0.5) / COUNT, 0.5 / COUNT + 2e-3);
}

static void the_elevation_of_a_sea_has_a_quarter_of_hs_as_deviation(void **state)
{
    (void)state;
    fm_wave waves[100];
    fm_jonswap spectrum = {2, 8, 3.3, 0.5, 8};
    fm_jonswap_waves(&spectrum, 50, GRAVITY, 1, 0, waves, 100);
    fm_sea sea = {waves, 100, 50, GRAVITY, 1025};
    double square = 0, fourth = 0;
    int count = 0;
    for (double t = 0; t < 40000; t += 3.7, count++) {
        double e = fm_sea_elevation(&sea, t, 10, 20);
        square += e * e;
        fourth += e * e * e * e;
    }
    assert_near(square / count, 0.25, 0.015);
    assert_near(fourth / count / (square / count * square / count), 3, 0.3); /* Gaussian */
}

static void spreading_turns_the_components_about_the_mean_direction(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    static fm_wave waves[COUNT];
    fm_jonswap s = {2, 8, 3.3, 0.8, 10};
    fm_jonswap_waves(&s, 0, GRAVITY, 5, 0, waves, COUNT);
    double along = 0, across = 0;
    for (int i = 0; i < COUNT; i++) {
        along += cos(0.8) * waves[i].travel[0] + sin(0.8) * waves[i].travel[1];
        across += -sin(0.8) * waves[i].travel[0] + cos(0.8) * waves[i].travel[1];
    }
    assert_near(along / COUNT, 10.0 / 11, 0.01); /* mean cosine of cos^2s(θ/2) is s/(s+1) */
    assert_near(across / COUNT, 0, 0.04);
}

static void the_same_seed_gives_the_same_sea_and_another_gives_another(void **state)
{
    (void)state;
    fm_wave a[10], b[10], c[10];
    fm_jonswap s = {2, 8, 3.3, 0, 5};
    fm_jonswap_waves(&s, 0, GRAVITY, 5, 0, a, 10);
    fm_jonswap_waves(&s, 0, GRAVITY, 5, 0, b, 10);
    fm_jonswap_waves(&s, 0, GRAVITY, 6, 0, c, 10);
    assert_memory_equal(a, b, sizeof a);
    assert_memory_not_equal(a, c, sizeof a);
}

static void water_noise_stays_bounded_and_runs_at_the_speed_of_its_wave(void **state)
{
    (void)state;
    fm_water_noise noise = {{0.003, 0.003, 0}, {0.5, 0.5, 0}, GRAVITY};
    double speed = sqrt(GRAVITY * 0.5 / (2 * FM_PI)), a[3], b[3], p[3] = {1, 2, 3}, last[3];
    fm_water_noise_offset(&noise, 0, p, a);
    fm_water_noise_offset(&noise, 2, (double[3]){1 + 2 * speed, 2 + 2 * speed, 3}, b);
    for (int i = 0; i < 3; i++)
        assert_near(a[i], b[i], 1e-15);
    fm_water_noise_offset(&noise, 0, p, last);
    for (int i = 1; i < 20000; i++) { /* P += E_new − E_old, each E at the vehicle's own place */
        double now[3];
        fm_water_noise_offset(&noise, 0.01 * i, p, now);
        for (int k = 0; k < 3; k++) {
            p[k] += now[k] - last[k];
            last[k] = now[k];
        }
    }
    assert_near(p[0], 1, 0.0061);
    assert_near(p[2], 3, 0);
}

static void impossible_seas_are_refused(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_wave w;
    (void)one_wave(&w, 30);
    assert_int_equal(fm_wave_check(&w, &error), FM_OK);
    w.amplitude = 20;
    assert_int_equal(fm_wave_check(&w, &error), FM_ERR_MODEL);
    fm_jonswap good = {2, 8, 3.3, 0, 5}, bad = good;
    assert_int_equal(fm_jonswap_check(&good, &error), FM_OK);
    bad.peak_period = 0;
    assert_int_equal(fm_jonswap_check(&bad, &error), FM_ERR_RANGE);
    bad = good;
    bad.peakedness = NAN;
    assert_int_equal(fm_jonswap_check(&bad, &error), FM_ERR_RANGE);
}

/* --- several components at a time --- */

/* The sum of (O5.2)–(O5.5) written plainly, one component after the other. */
static fm_sea_sample plain_sum(const fm_sea *sea, double t, const double p[3])
{
    fm_sea_sample out = {0};
    for (size_t i = 0; i < sea->count; i++) {
        const fm_wave *w = &sea->waves[i];
        double theta = w->number * (w->travel[0] * p[0] + w->travel[1] * p[1]) - w->frequency * t + w->phase;
        double c = fm_cos(theta), s = fm_sin(theta), near = fm_exp(-w->number * p[2]), far, both, h, v, q;
        out.elevation += w->amplitude * c;
        if (w->number * p[2] >= 40)
            continue;
        h = v = q = near;
        if (sea->depth > 0) {
            far = fm_exp(-w->number * (2 * sea->depth - p[2]));
            both = fm_exp(-2 * w->number * sea->depth);
            h = (near + far) / (1 - both);
            v = (near - far) / (1 - both);
            q = (near + far) / (1 + both);
        }
        double along = w->amplitude * w->frequency * h, down = -(w->amplitude * w->frequency) * v;
        for (int k = 0; k < 2; k++) {
            out.velocity[k] += along * c * w->travel[k];
            out.acceleration[k] += along * w->frequency * s * w->travel[k];
        }
        out.velocity[2] += down * s;
        out.acceleration[2] -= down * w->frequency * c;
        double bend = along * w->number * s, shear = down * w->number * c, n = w->travel[0], e = w->travel[1];
        const double slope[6] = {-(bend * n * n), -(bend * n * e), shear * n, -(bend * e * e), shear * e, bend};
        for (int k = 0; k < 6; k++)
            out.gradient[k] += slope[k];
        out.pressure += sea->density * sea->gravity * w->amplitude * q * c;
    }
    return out;
}

static int processor_has_avx2(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2");
#else
    return 1; /* the narrow sum under another name */
#endif
}

static int processor_has_avx512(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f");
#else
    return 1;
#endif
}

static void sums_in_vectors_are_the_plain_sum_and_have_the_same_bits_at_every_width(void **state)
{
    (void)state;
    enum { MOST = 61 };
    fm_wave waves[MOST];
    fm_jonswap spectrum = {.significant_height = 1.5, .peak_period = 5, .peakedness = 3.3, .spreading = 8};
    fm_sea_summer *const widths[] = {fm_sea_sum_narrow, fm_sea_sum_wide, fm_sea_sum_widest};
    for (int k = 0; k < 400; k++) {
        double depth = k % 2 ? 0 : 15, p[3] = {7.0 * k, -3.0 * k, depth > 0 ? k % 15 : 0.5 * k}, t = 0.37 * k;
        size_t count = 1 + (size_t)k % MOST;
        fm_jonswap_waves(&spectrum, depth, 9.81, (uint64_t)k, 0, waves, count);
        fm_sea sea = {.waves = waves, .count = count, .depth = depth, .gravity = 9.81, .density = 1025};
        fm_sea_sample plain = plain_sum(&sea, t, p), found = fm_sea_at(&sea, t, p);
        const double *expected = &plain.elevation, *numbers = &found.elevation;
        for (size_t i = 0; i < sizeof plain / sizeof *expected; i++)
            assert_near(numbers[i], expected[i], i + 1 < sizeof plain / sizeof *expected ? 1e-12 : 1e-8); /* Pa */
        for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
            fm_sea_sample narrow;
            if ((w == 1 && !processor_has_avx2()) || (w == 2 && !processor_has_avx512()))
                continue;
            widths[w](&sea, t, p, p[2], FM_SEA_ELEVATION | FM_SEA_PRESSURE, &narrow);
            assert_memory_equal(&found, &narrow, sizeof found);
        }
        double height = fm_sea_elevation(&sea, t, p[0], p[1]), v[3] = {0};
        assert_memory_equal(&height, &found.elevation, sizeof height);
        fm_sea_add_velocity(&sea, t, p, v);
        assert_memory_equal(v, found.velocity, sizeof v);
        found.elevation = 0;
        fm_sea_sample below = fm_sea_below(&sea, t, p);
        assert_memory_equal(&found, &below, sizeof found);
    }
}

static void the_phase_of_a_wave_turns_within_rounding_up_to_any_time(void **state)
{
    (void)state;
    uint64_t dice = 7;
    for (int k = 0; k < 200000; k++) {
        dice = dice * 6364136223846793005u + 1442695040888963407u;
        static const double scales[] = {1, 100, 1e4, 9.9e5, 1e8};
        double angle = (2 * (double)(dice >> 11) / 9007199254740992.0 - 1) * scales[k % 5], c, s;
        if (k % 7 == 0)
            angle = rint(angle) * (FM_PI / 2);
        fm_wave_turn(angle, &c, &s);
        assert_near(c, cosl(angle), 3e-16);
        assert_near(s, sinl(angle), 3e-16);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_in_vectors_are_the_plain_sum_and_have_the_same_bits_at_every_width),
        cmocka_unit_test(the_phase_of_a_wave_turns_within_rounding_up_to_any_time),
        cmocka_unit_test(the_dispersion_relation_is_satisfied_from_shallow_to_deep),
        cmocka_unit_test(a_crest_travels_at_the_phase_speed),
        cmocka_unit_test(orbital_motion_is_free_of_divergence_and_curl),
        cmocka_unit_test(orbital_velocity_decays_as_cosh_and_stops_at_the_bottom),
        cmocka_unit_test(deep_water_orbits_are_circles_that_shrink_as_e_to_minus_kz),
        cmocka_unit_test(the_surface_moves_with_the_water),
        cmocka_unit_test(acceleration_is_the_rate_of_velocity_and_the_gradient_of_pressure),
        cmocka_unit_test(without_peakedness_the_components_are_those_of_pierson_and_moskowitz),
        cmocka_unit_test(the_components_carry_the_energy_where_the_spectrum_has_it),
        cmocka_unit_test(the_elevation_of_a_sea_has_a_quarter_of_hs_as_deviation),
        cmocka_unit_test(spreading_turns_the_components_about_the_mean_direction),
        cmocka_unit_test(the_same_seed_gives_the_same_sea_and_another_gives_another),
        cmocka_unit_test(water_noise_stays_bounded_and_runs_at_the_speed_of_its_wave),
        cmocka_unit_test(impossible_seas_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
