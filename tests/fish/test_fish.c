/* The paper's speed, thrust, turn and inverse relations against an independent program's results. */
#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>

#include "fish/preset.h"

#define DEGREE (FM_PI / 180)
#define assert_close(found, expected, relative) assert_near(found, expected, (relative)*fabs(expected))

static void thrust_follows_from_the_top_speed(void **state)
{
    (void)state;
    static const double row[][4] = {/* Hz, m/s, C_f, N */
                                    {0.25, 0.04, 0.026439462874455283, 0.001281574644853516},
                                    {0.5, 0.08, 0.02067244524630009, 0.0040081421926884166},
                                    {1, 0.16, 0.01633863656637826, 0.012671472157735827},
                                    {1.5, 0.24, 0.014308539496746722, 0.02496830644387913},
                                    {2, 0.32, 0.013051387240199285, 0.04048814951287536},
                                    {2.5, 0.4, 0.012167679806998614, 0.05897922359993033}};
    fm_fish_params p = preset_fish();
    assert_close(fm_fish_beat_width(&p), 0.048, 1e-12);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        double u = fm_fish_top_speed(&p, row[i][0]);
        assert_close(u, row[i][1], 1e-9);
        assert_close(fm_fish_friction(p.reynolds_length, p.viscosity, u), row[i][2], 1e-9);
        assert_close(fm_fish_thrust(&p, row[i][0]), row[i][3], 1e-9);
    }
}

static void drag_opposes_motion_and_vanishes_at_rest(void **state)
{
    (void)state;
    fm_fish_params p = preset_fish();
    assert_same(fm_fish_drag(&p, 0), 0);
    assert_same(fm_fish_drag(&p, 0.2), -fm_fish_drag(&p, -0.2));
    assert_at_least(fm_fish_drag(&p, 1e-30), 0);
    assert_less(fm_fish_drag(&p, 1e-30), 1e-12);
}

/* Start from rest at 2 Hz; the reference stepped 10 ms. */
static void a_fish_at_two_hertz_gathers_way(void **state)
{
    (void)state;
    fm_fish_params p = preset_fish();
    fm_fish_state s = {0};
    double reached[3] = {0}, share[3] = {0.5, 0.9, 0.95};
    for (int i = 1; i <= 2000; i++) {
        fm_fish_step(&p, &s, 2, 0, 0.01);
        for (int k = 0; k < 3; k++)
            if (reached[k] == 0 && s.speed >= share[k] * 0.32)
                reached[k] = i * 0.01;
        if (i == 500) {
            assert_close(s.speed, 0.22856589291010349, 0.001);
            assert_close(s.x, 0.6503650122490087, 0.005);
        }
    }
    assert_close(s.speed, 0.31920323632521275, 0.0005);
    assert_close(s.x, 5.154760333139676, 0.001);
    assert_close(reached[0], 2.99, 0.004);
    assert_close(reached[1], 8.46, 0.004);
    assert_close(reached[2], 10.66, 0.004);
    if (!(fabs(s.cycles) < 1e-9))
        assert_nearer(s.cycles, 1, 1e-9);
}

static void a_fish_cannot_brake_it_coasts_a_metre(void **state)
{
    (void)state;
    fm_fish_params p = preset_fish();
    fm_fish_state s = {.speed = 0.32};
    double t = 0;
    for (; s.speed > 0.16; t += 0.01)
        fm_fish_step(&p, &s, 0, 0, 0.01);
    assert_close(t, 4.61, 0.003);
    assert_close(s.x, 1.034592353182504, 0.005);
}

static void a_deflected_tail_turns_the_fish_to_starboard(void **state)
{
    (void)state;
    fm_fish_params p = preset_fish();
    fm_fish_state s = {.speed = 0.2};
    for (int i = 0; i < 500; i++)
        fm_fish_step(&p, &s, 1.5, 30 * DEGREE, 0.01);
    assert_close(s.speed, 0.21431004620930796, 0.005);
    assert_close(s.heading, 4.5, 1e-6);
    assert_nearer(s.x, -0.2392680661689736, 0.005); /* the reference steps position before heading */
    assert_nearer(s.y, 0.27233901751819484, 0.005);
}

static void the_turning_radius_does_not_depend_on_frequency(void **state)
{
    (void)state;
    static const double row[][3] = {/* deg, steady U at 2 Hz, radius */
                                    {10, 0.3171029964811235, 0.7608847401049555},
                                    {20, 0.3083891490207802, 0.37569564619562795},
                                    {30, 0.29377942159063675, 0.244816184658864},
                                    {40, 0.27310166652854606, 0.17702948740572746},
                                    {50, 0.24600579356081737, 0.1338073983884428}};
    fm_fish_params p = preset_fish();
    for (int i = 0; i < 5; i++)
        for (int f = 1; f <= 2; f++) {
            fm_fish_state s = {.speed = 0.1 * f};
            for (int k = 0; k < 6000; k++)
                fm_fish_step(&p, &s, f, row[i][0] * DEGREE, 0.02);
            double radius = s.speed / fm_fish_turn_rate(&p, f, row[i][0] * DEGREE);
            assert_close(radius, row[i][2], 0.003);
            if (f == 2)
                assert_close(s.speed, row[i][1], 1e-5);
        }
}

static void the_inverse_map_gives_back_what_was_asked(void **state)
{
    (void)state;
    fm_fish_params p = preset_fish();
    double f, d;
    fm_fish_inverse(&p, 0.02, 0.5, 0.2, &f, &d);
    assert_close(f, 1.755292968988547, 1e-9);
    assert_close(d, 13.73179670671489 * DEGREE, 1e-9);
    for (double a = 0; a < 0.03; a += 0.007)
        for (double v = -1; v <= 1; v += 0.23) {
            fm_fish_inverse(&p, a, v, 0.15, &f, &d);
            assert_close(fm_fish_turn_rate(&p, f, d), v, 1e-9);
            if (f > 1.01 * fabs(v) / (1.2 * sin(50 * DEGREE)))
                assert_nearer(fm_fish_acceleration(&p, f, d, 0.15), a, 1e-9);
        }
}

static void the_inverse_map_stays_within_the_fish_s_means(void **state)
{
    (void)state;
    fm_fish_params p = preset_fish();
    double f, d;
    fm_fish_inverse(&p, 10, 0, 0.2, &f, &d);
    assert_close(f, 2.5, 1e-9);
    fm_fish_inverse(&p, -10, 0, 0.2, &f, &d);
    assert_less(f, 1e-9);
    assert_same(d, 0);
    fm_fish_inverse(&p, -10, -0.9, 0.2, &f, &d);
    assert_close(f, 0.9 / (1.2 * sin(50 * DEGREE)), 1e-9);
    assert_close(d, -50 * DEGREE, 1e-6);
    fm_fish_inverse(&p, 0, 99, 0.2, &f, &d);
    assert_close(f, 2.5, 1e-9);
    assert_close(d, 50 * DEGREE, 1e-9);
}

/* The inverse map by halvings alone, each with its own push. */
static void invert_by_halvings(const fm_fish_params *p, double a, double v, double speed, double *f, double *d)
{
    double limit = fm_sin(p->deflection_max), target = p->mass * a + fm_fish_drag(p, speed);
    double high = p->frequency_max, low = fmin(fabs(v) / (p->turn_gain * limit), high);
    for (int i = 0; i < FM_FISH_INVERSE_HALVINGS; i++) {
        double middle = 0.5 * (low + high), s = fm_fish_deflection_sine(p, v, middle, limit);
        if (fm_fish_thrust(p, middle) * sqrt(1 - s * s) < target)
            low = middle;
        else
            high = middle;
    }
    *f = 0.5 * (low + high);
    *d = fm_asin(fm_fish_deflection_sine(p, v, *f, limit));
}

static void the_inverse_map_has_the_bits_of_halvings_alone(void **state)
{
    (void)state;
    fm_fish_params p = preset_fish();
    double f, d, expected_f, expected_d;
    uint64_t dice = 1;
    for (int i = 0; i < 20000; i++) {
        double u[4];
        for (int k = 0; k < 4; k++) {
            dice = dice * 6364136223846793005u + 1442695040888963407u;
            u[k] = (double)(dice >> 11) * 0x1p-53;
        }
        double a = (2 * u[0] - 1) * (i % 3 ? 0.03 : 3e-4), v = i % 5 ? 2.4 * u[1] - 1.2 : 0, speed = 0.6 * u[2] - 0.1;
        p.deflection_max = (20 + 69 * u[3]) * DEGREE;
        fm_fish_inverse(&p, a, v, speed, &f, &d);
        invert_by_halvings(&p, a, v, speed, &expected_f, &expected_d);
        assert_same(f, expected_f);
        assert_same(d, expected_d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thrust_follows_from_the_top_speed),
        cmocka_unit_test(drag_opposes_motion_and_vanishes_at_rest),
        cmocka_unit_test(a_fish_at_two_hertz_gathers_way),
        cmocka_unit_test(a_fish_cannot_brake_it_coasts_a_metre),
        cmocka_unit_test(a_deflected_tail_turns_the_fish_to_starboard),
        cmocka_unit_test(the_turning_radius_does_not_depend_on_frequency),
        cmocka_unit_test(the_inverse_map_gives_back_what_was_asked),
        cmocka_unit_test(the_inverse_map_stays_within_the_fish_s_means),
        cmocka_unit_test(the_inverse_map_has_the_bits_of_halvings_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
