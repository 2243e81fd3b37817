/* The flow at a sphere and its thermistors as programs ask for them (fathom/flow.h). */
#include <fathom/flow.h>
#include <math.h>
#include <string.h>

#include "support/cmocka_all.h"
#include "support/near.h"

enum { POINTS = 40 };

/* Points all over a sphere. */
static void spread(double u[POINTS][3])
{
    for (int i = 0; i < POINTS; i++) {
        const double z = 1 - 2 * (i + 0.5) / POINTS, turn = 2.4 * i;
        u[i][0] = sqrt(1 - z * z) * cos(turn);
        u[i][1] = sqrt(1 - z * z) * sin(turn);
        u[i][2] = z;
    }
}

static fm_flow *create(fm_flow_options options)
{
    fm_error error = {0};
    options.size = sizeof options;
    fm_flow *flow = fm_flow_create(&options, &error);
    if (!flow)
        fail_msg("%s", error.text);
    return flow;
}

/* Greatest speed of the water through the surface, over that of the sphere. */
static double leak(fm_flow *flow, const double centre[3], const double velocity[3])
{
    double u[POINTS][3], v[POINTS][3], most = 0;
    spread(u);
    fm_flow_surface(flow, centre, velocity, POINTS, (const double(*)[3])u, v);
    for (int i = 0; i < POINTS; i++) {
        double through = 0;
        for (int k = 0; k < 3; k++)
            through += (v[i][k] - velocity[k]) * u[i][k];
        most = fmax(most, fabs(through));
    }
    return most / sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2]);
}

static void past_a_lone_sphere_the_water_is_half_as_fast_again(void **state)
{
    (void)state;
    fm_flow *flow = create((fm_flow_options){.radius = 0.3, .solution = FM_SOLUTION_ALONE});
    const double still[3] = {0}, velocity[3] = {0.4, 0, 0}, side[1][3] = {{0, 1, 0}};
    double v[1][3];
    fm_flow_surface(flow, still, velocity, 1, side, v);
    assert_near(velocity[0] - v[0][0], 1.5 * 0.4, 1e-12);
    below("water through the sphere", leak(flow, still, velocity), 1e-12);
    fm_flow_free(flow);
}

static void exact_flow_at_a_wall_passes_no_water_through_the_sphere_and_a_mirror_does(void **state)
{
    (void)state;
    const fm_flow_options wall = {.radius = 0.1, .point = {0, 0, 5}, .direction = {0, 0, 1}};
    fm_flow_options options = wall;
    const double centre[3] = {3, 1, 5 - 0.11}, velocity[3] = {0.2, 0, 0.1};
    options.solution = FM_SOLUTION_EXACT;
    fm_flow *exact = create(options);
    options.solution = FM_SOLUTION_MIRROR;
    fm_flow *mirror = create(options);
    below("water through the sphere, exact", leak(exact, centre, velocity), 1e-6);
    assert_greater(leak(mirror, centre, velocity), 0.01);
    fm_flow_free(exact);
    fm_flow_free(mirror);
}

static void exact_flow_at_a_cylinder_passes_little_water_through_the_sphere(void **state)
{
    (void)state;
    fm_flow *flow = create((fm_flow_options){.radius = 0.075,
                                             .solution = FM_SOLUTION_EXACT,
                                             .cylinder = 0.045,
                                             .point = {0, 0.075 + 0.045 + 0.03, 0},
                                             .direction = {0, 0, 1},
                                             .gap = 0.03});
    below("water through the sphere", leak(flow, (double[]){0.01, 0, 0}, (double[]){0.1, 0, 0}), 1e-3);
    fm_flow_free(flow);
}

/* Far from the wall all three agree. */
static void far_from_a_wall_the_sphere_is_alone(void **state)
{
    (void)state;
    const double centre[3] = {0, 0, -40}, velocity[3] = {0.5, 0, 0};
    double u[POINTS][3], v[3][POINTS][3];
    spread(u);
    for (int i = 0; i < 3; i++) {
        fm_flow *flow = create((fm_flow_options){.radius = 1, .solution = (fm_flow_solution)i, .direction = {0, 0, 1}});
        fm_flow_surface(flow, centre, velocity, POINTS, (const double(*)[3])u, v[i]);
        fm_flow_free(flow);
    }
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < 3; k++) {
            assert_near(v[1][i][k], v[0][i][k], 1e-5);
            assert_near(v[2][i][k], v[0][i][k], 1e-5);
        }
}

static void options_of_another_size_or_out_of_range_are_refused(void **state)
{
    (void)state;
    fm_error error = {0};
    assert_null(fm_flow_create(&(fm_flow_options){.radius = 1}, &error));
    assert_int_equal(error.status, FM_ERR_ARGUMENT);
    assert_null(fm_flow_create(&(fm_flow_options){.size = sizeof(fm_flow_options), .radius = -1}, &error));
    assert_int_equal(error.status, FM_ERR_RANGE);
    assert_null(fm_flow_create(
        &(fm_flow_options){
            .size = sizeof(fm_flow_options), .radius = 1, .solution = FM_SOLUTION_MIRROR, .direction = {0, 0, 2}},
        &error));
    assert_non_null(strstr(error.text, "unit vector"));
}

/* --- thermistors --- */

static double heat(const fm_bead *b, double t, double speed)
{
    const double volts = fm_bead_voltage(b, t);
    return volts * b->current - (b->a + b->b * pow(fabs(speed), b->n)) * (t - b->water);
}

static void a_steady_bead_loses_the_heat_that_its_current_brings(void **state)
{
    (void)state;
    const fm_bead bead = fm_bead_printed();
    for (double speed = 0; speed < 1; speed += 0.1)
        assert_near(heat(&bead, fm_bead_steady(&bead, speed), speed), 0, 1e-12);
    assert_near(fm_bead_voltage(&bead, bead.t0), bead.current * bead.r0, 1e-12);
}

static void a_bead_comes_to_its_steady_temperature(void **state)
{
    (void)state;
    const fm_bead bead = fm_bead_printed();
    double t = fm_bead_steady(&bead, 0.1);
    for (int i = 0; i < 2000; i++)
        t = fm_bead_step(&bead, t, 0.3, 1e-3);
    assert_near(t, fm_bead_steady(&bead, 0.3), 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(past_a_lone_sphere_the_water_is_half_as_fast_again),
        cmocka_unit_test(exact_flow_at_a_wall_passes_no_water_through_the_sphere_and_a_mirror_does),
        cmocka_unit_test(exact_flow_at_a_cylinder_passes_little_water_through_the_sphere),
        cmocka_unit_test(far_from_a_wall_the_sphere_is_alone),
        cmocka_unit_test(options_of_another_size_or_out_of_range_are_refused),
        cmocka_unit_test(a_steady_bead_loses_the_heat_that_its_current_brings),
        cmocka_unit_test(a_bead_comes_to_its_steady_temperature),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
