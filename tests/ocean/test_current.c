#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>

#include "ocean/current.h"
#include "physics/real.h"

#define FM_SLOPE_TYPE fm_current
#define FM_SLOPE_VELOCITY(field, t, position, out) fm_current_velocity(field, NULL, t, position, out)
#define FM_SLOPE_SMOOTH FM_SLOPE_VELOCITY
#include "physics/current_slope.h"

static void velocity_of(const fm_current_component *c, double t, double x, double y, double z, double out[3])
{
    fm_current current = {c, 1};
    fm_current_velocity(&current, NULL, t, (double[3]){x, y, z}, out);
}

static void components_add_up(void **state)
{
    (void)state;
    const double depth[2] = {0, 100}, velocity[2][3] = {{1, 0, 0}, {0, 2, 0}};
    fm_current_component parts[2] = {{.kind = FM_CURRENT_UNIFORM, .uniform = {0.5, -0.25, 0.125}},
                                     {.kind = FM_CURRENT_PROFILE, .profile = {2, depth, velocity}}};
    fm_current current = {parts, 2};
    double v[3];
    fm_current_velocity(&current, NULL, 0, (double[3]){7, 8, 25}, v);
    assert_near(v[0], 1.25, 1e-15);
    assert_near(v[1], 0.25, 1e-15);
    assert_near(v[2], 0.125, 1e-15);
    fm_current_velocity(&current, NULL, 0, (double[3]){7, 8, 1000}, v);
    assert_near(v[1], 1.75, 1e-15);
    assert_int_equal(fm_current_state_count(&current), 0);
}

static void a_profile_shears_at_its_slope(void **state)
{
    (void)state;
    const double depth[2] = {0, 100}, velocity[2][3] = {{1, 0, 0}, {0, 2, 0}};
    fm_current_component part = {.kind = FM_CURRENT_PROFILE, .profile = {2, depth, velocity}};
    fm_current current = {&part, 1};
    double g[9];
    fm_slope_gradient(&current, 0, (double[3]){0, 0, 40}, g);
    for (int i = 0; i < 9; i++)
        assert_near(g[i], i == 2 ? -0.01 : i == 5 ? 0.02 : 0, 1e-13);
}

static void a_tide_repeats_after_its_period_and_turns_round_its_ellipse(void **state)
{
    (void)state;
    double speed = fm_tide_speed("M2");
    assert_near(2 * FM_PI / speed / 3600, 12.4206012, 1e-6); /* hours */
    assert_same(fm_tide_speed("X9"), 0);
    fm_tide_constituent m2 = {speed, 0.8, 0.2, 30 * FM_PI / 180, 0.4};
    fm_current_component part = {.kind = FM_CURRENT_TIDE, .tide = {&m2, 1}};
    double a[3], b[3], top = 0.4 / speed, quarter = FM_PI / 2 / speed;
    velocity_of(&part, 1000, 0, 0, 0, a);
    velocity_of(&part, 1000 + 4 * quarter, 0, 0, 0, b);
    assert_near(a[0], b[0], 1e-12);
    velocity_of(&part, top, 5, 5, 5, a);
    assert_near(a[0], 0.8 * cos(30 * FM_PI / 180), 1e-12);
    assert_near(a[1], 0.8 * sin(30 * FM_PI / 180), 1e-12);
    velocity_of(&part, top + quarter, 5, 5, 5, a); /* 90° clockwise of 30° is 120° */
    assert_near(a[0], 0.2 * cos(120 * FM_PI / 180), 1e-12);
    assert_near(a[1], 0.2 * sin(120 * FM_PI / 180), 1e-12);
}

/* ∮ v·dl on a circle of radius r about (cx, cy). */
static double circulation(const fm_current_component *c, double t, double cx, double cy, double r)
{
    double sum = 0;
    for (int i = 0; i < 360; i++) {
        double a = i * FM_PI / 180, v[3];
        velocity_of(c, t, cx + r * cos(a), cy + r * sin(a), 3, v);
        sum += (-v[0] * sin(a) + v[1] * cos(a)) * r * FM_PI / 180;
    }
    return sum;
}

static void a_vortex_has_its_circulation_far_away(void **state)
{
    (void)state;
    fm_current_component part = {.kind = FM_CURRENT_VORTEX,
                                 .vortex = {FM_VORTEX_LAMB_OSEEN, {10, 20}, {0.5, 0}, 6, 2, 0}};
    assert_near(circulation(&part, 0, 10, 20, 40), 6, 1e-10);
    assert_near(circulation(&part, 8, 14, 20, 40), 6, 1e-10); /* drifted 4 m north */
    assert_near(circulation(&part, 0, 10, 20, 2), 6 * (1 - exp(-1)), 1e-10);
    part.vortex.model = FM_VORTEX_RANKINE;
    assert_near(circulation(&part, 0, 10, 20, 40), 6, 1e-10);
    assert_near(circulation(&part, 0, 10, 20, 1), 6 * 0.25, 1e-10);
}

static void a_lamb_oseen_core_grows_by_viscosity(void **state)
{
    (void)state;
    fm_current_component part = {.kind = FM_CURRENT_VORTEX,
                                 .vortex = {FM_VORTEX_LAMB_OSEEN, {0, 0}, {0, 0}, 6, 2, 0.1}};
    assert_near(circulation(&part, 30, 0, 0, 4), 6 * (1 - exp(-1)), 1e-10); /* core² = 4 + 4·0.1·30 = 16 */
}

static void vortex_and_jet_are_free_of_divergence(void **state)
{
    (void)state;
    fm_current_component parts[3] = {
        {.kind = FM_CURRENT_VORTEX, .vortex = {FM_VORTEX_LAMB_OSEEN, {1, 2}, {0, 0}, 6, 2, 0}},
        {.kind = FM_CURRENT_VORTEX, .vortex = {FM_VORTEX_RANKINE, {1, 2}, {0, 0}, 6, 2, 0}},
        {.kind = FM_CURRENT_JET, .jet = {{1, 2}, 0.7, 1.5, 3, 10, 5}},
    };
    for (int k = 0; k < 3; k++)
        for (double x = -5; x < 6; x += 1.37)
            for (double y = -4; y < 7; y += 1.21) {
                fm_current current = {&parts[k], 1};
                double g[9];
                fm_slope_gradient(&current, 0, (double[3]){x, y, 9}, g);
                assert_near(g[0] + g[4] + g[8], 0, 1e-4);
            }
}

static void a_vortex_is_solid_rotation_at_its_centre_and_free_of_curl_outside(void **state)
{
    (void)state;
    fm_current_component part = {.kind = FM_CURRENT_VORTEX,
                                 .vortex = {FM_VORTEX_LAMB_OSEEN, {0, 0}, {0, 0}, 2 * FM_PI, 1, 0}};
    fm_current current = {&part, 1};
    double g[9];
    fm_slope_gradient(&current, 0, (double[3]){0, 0, 0}, g);
    assert_near(g[3] - g[1], 2, 1e-3); /* ∂v/∂x − ∂u/∂y = Γ/(π core²) */
    fm_slope_gradient(&current, 0, (double[3]){20, 3, 0}, g);
    assert_near(g[3] - g[1], 0, 1e-8);
}

static void a_jet_carries_the_volume_of_a_bickley_jet(void **state)
{
    (void)state;
    fm_current_component part = {.kind = FM_CURRENT_JET, .jet = {{0, 5}, 0, 1.5, 3, 0, 0}}; /* to the north */
    double flux = 0, v[3];
    for (double y = -95; y < 105; y += 0.01) {
        velocity_of(&part, 0, 3, y, 50, v);
        flux += v[0] * 0.01;
        assert_same(v[1], 0);
        assert_same(v[2], 0);
    }
    assert_near(flux, 2 * 1.5 * 3, 1e-6); /* ∫ sech² = 2 */
    velocity_of(&part, 0, 3, 5, 50, v);
    assert_near(v[0], 1.5, 1e-15);
}

static void gauss_markov_has_its_deviation_and_correlation_time(void **state)
{
    (void)state;
    enum { STEPS = 200000, LAG = 40 };
    fm_current_component part = {.kind = FM_CURRENT_GAUSS_MARKOV, .gauss_markov = {{0.3, 0.1, 0}, 10}};
    fm_current current = {&part, 1};
    assert_int_equal(fm_current_state_count(&current), FM_DRIFT_NUMBERS);
    static double history[STEPS];
    double v[FM_DRIFT_NUMBERS], sum = 0, square = 0, lagged = 0, cross = 0;
    fm_current_advance(&current, 99, 4, 0, 0.25, v);
    for (uint64_t i = 0; i < STEPS; i++) {
        double led = v[0] + 0.25 * v[3]; /* where its acceleration leads */
        fm_current_advance(&current, 99, 4, i + 1, 0.25, v);
        assert_near(v[0], led, 1e-15);
        history[i] = v[0];
        sum += v[0];
        square += v[0] * v[0];
        cross += v[0] * v[1];
        assert_same(v[2], 0);
        if (i >= LAG)
            lagged += v[0] * history[i - LAG];
    }
    /* 50000 s hold 2500 independent pieces of 2τ */
    assert_near(sum / STEPS, 0, 4 * 0.3 / 50);
    assert_near(square / STEPS / 0.09, 1, 4 * sqrt(2.0 / 5000));
    assert_near(lagged / square, exp(-1), 0.06); /* at a lag of 10 s */
    assert_near(cross / STEPS / 0.03, 0, 4 / sqrt(5000));
}

static void gauss_markov_statistics_do_not_depend_on_the_step(void **state)
{
    (void)state;
    fm_current_component part = {.kind = FM_CURRENT_GAUSS_MARKOV, .gauss_markov = {{1, 1, 1}, 2}};
    fm_current current = {&part, 1};
    double square = 0;
    for (uint32_t entity = 0; entity < 20000; entity++) { /* an ensemble, after one step much longer than τ */
        double v[FM_DRIFT_NUMBERS];
        fm_current_advance(&current, 5, entity, 0, 1, v);
        fm_current_advance(&current, 5, entity, 1, 1, v);
        square += v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    }
    assert_near(square / 60000, 1, 4 * sqrt(2.0 / 60000));
}

static void the_same_seed_gives_the_same_current(void **state)
{
    (void)state;
    fm_current_component parts[2] = {{.kind = FM_CURRENT_GAUSS_MARKOV, .gauss_markov = {{1, 1, 1}, 2}},
                                     {.kind = FM_CURRENT_GAUSS_MARKOV, .gauss_markov = {{1, 1, 1}, 2}}};
    fm_current current = {parts, 2};
    double a[2 * FM_DRIFT_NUMBERS], b[2 * FM_DRIFT_NUMBERS], v[3];
    fm_current_advance(&current, 1, 0, 0, 0.1, a);
    fm_current_advance(&current, 1, 0, 0, 0.1, b);
    fm_current_advance(&current, 1, 0, 1, 0.1, a);
    fm_current_advance(&current, 1, 0, 1, 0.1, b);
    assert_memory_equal(a, b, sizeof a);
    assert_memory_not_equal(a, a + FM_DRIFT_NUMBERS, 3 * sizeof(double)); /* two processes are two draws */
    fm_current_velocity(&current, a, 0, (double[3]){0}, v);
    assert_near(v[1], a[1] + a[FM_DRIFT_NUMBERS + 1], 1e-15);
}

static void a_grid_reproduces_a_linear_field_exactly(void **state)
{
    (void)state;
    const double time[3] = {0, 10, 40}, depth[2] = {0, 50}, north[3] = {-10, 0, 30}, east[2] = {5, 25};
    double velocity[36][3];
    for (int n = 0; n < 36; n++) {
        double t = time[n / 12], z = depth[n / 6 % 2], x = north[n / 2 % 3], y = east[n % 2];
        velocity[n][0] = 1 + 0.1 * t - 0.2 * z + 0.3 * x + 0.4 * y;
        velocity[n][1] = 2 - 0.5 * t + 0.6 * z - 0.7 * x + 0.8 * y;
        velocity[n][2] = 0.01 * x;
    }
    fm_current_grid grid = {3, 2, 3, 2, time, depth, north, east, (const double(*)[3])velocity};
    fm_current_component part = {.kind = FM_CURRENT_GRID, .grid = &grid};
    fm_current current = {&part, 1};
    fm_error error;
    assert_int_equal(fm_current_check(&current, &error), FM_OK);
    for (int i = 0; i < 50; i++) {
        double t = 0.8 * i, x = -10 + 0.79 * i, y = 5 + 0.39 * i, z = 0.97 * i, v[3], g[9], rate[3];
        velocity_of(&part, t, x, y, z, v);
        assert_near(v[0], 1 + 0.1 * t - 0.2 * z + 0.3 * x + 0.4 * y, 1e-12);
        assert_near(v[1], 2 - 0.5 * t + 0.6 * z - 0.7 * x + 0.8 * y, 1e-12);
        assert_near(v[2], 0.01 * x, 1e-12);
        if (i == 0)
            continue;
        fm_slope_gradient(&current, t, (double[3]){x, y, z}, g);
        assert_near(g[0], 0.3, 1e-10);
        assert_near(g[4], 0.8, 1e-10);
        assert_near(g[5], 0.6, 1e-10);
        fm_slope_rate(&current, t, (double[3]){x, y, z}, rate);
        assert_near(rate[1], -0.5, 1e-10);
    }
    double in[3], out[3];
    velocity_of(&part, 40, 30, 25, 50, in);
    velocity_of(&part, 400, 300, 250, 500, out);
    assert_memory_equal(in, out, sizeof in);
}

static void impossible_currents_are_refused(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_current_component part = {.kind = FM_CURRENT_GAUSS_MARKOV, .gauss_markov = {{1, 1, 1}, 0}};
    fm_current current = {&part, 1};
    assert_int_equal(fm_current_check(&current, &error), FM_ERR_RANGE);
    part = (fm_current_component){.kind = FM_CURRENT_VORTEX};
    assert_int_equal(fm_current_check(&current, &error), FM_ERR_RANGE);
    part = (fm_current_component){.kind = FM_CURRENT_JET};
    assert_int_equal(fm_current_check(&current, &error), FM_ERR_RANGE);
    part = (fm_current_component){.kind = FM_CURRENT_PROFILE};
    assert_int_equal(fm_current_check(&current, &error), FM_ERR_MODEL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_add_up),
        cmocka_unit_test(a_profile_shears_at_its_slope),
        cmocka_unit_test(a_tide_repeats_after_its_period_and_turns_round_its_ellipse),
        cmocka_unit_test(a_vortex_has_its_circulation_far_away),
        cmocka_unit_test(a_lamb_oseen_core_grows_by_viscosity),
        cmocka_unit_test(vortex_and_jet_are_free_of_divergence),
        cmocka_unit_test(a_vortex_is_solid_rotation_at_its_centre_and_free_of_curl_outside),
        cmocka_unit_test(a_jet_carries_the_volume_of_a_bickley_jet),
        cmocka_unit_test(gauss_markov_has_its_deviation_and_correlation_time),
        cmocka_unit_test(gauss_markov_statistics_do_not_depend_on_the_step),
        cmocka_unit_test(the_same_seed_gives_the_same_current),
        cmocka_unit_test(a_grid_reproduces_a_linear_field_exactly),
        cmocka_unit_test(impossible_currents_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
