#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>

#include "ocean/bottom.h"

static void a_positive_height_is_a_hole_and_a_negative_one_a_mound(void **state)
{
    (void)state;
    fm_mound features[2] = {{5, {100, 0}, 0.1, 0.2}, {-8, {-100, 0}, 0.1, 0.2}};
    fm_bottom b = {
        .kind = FM_BOTTOM_PLANE, .depth = 50, .slope_x = 0.01, .slope_y = -0.02, .mounds = features, .mound_count = 2};
    assert_near(fm_bottom_depth(&b, 0, 0), 50, 1e-12);
    assert_near(fm_bottom_depth(&b, 100, 0), 51 + 5, 1e-12);
    assert_near(fm_bottom_depth(&b, -100, 0), 49 - 8, 1e-12);
    assert_near(fm_bottom_depth(&b, 110, 0), 51.1 + 5 / exp(1), 1e-12); /* at 1/α */
    assert_near(fm_bottom_depth(&b, 100, 5), 50.9 + 5 / exp(1), 1e-12); /* at 1/β */
}

static void land_is_at_the_surface(void **state)
{
    (void)state;
    fm_bottom b = {.kind = FM_BOTTOM_PLANE, .depth = 1, .slope_x = -0.1};
    double n[3];
    assert_near(fm_bottom_depth(&b, 20, 0), 0, 0);
    fm_bottom_normal(&b, 20, 0, n);
    assert_near(n[2], -1, 0);
}

static void slopes_are_the_derivatives_of_depth_and_normals_stand_on_them(void **state)
{
    (void)state;
    fm_mound feature = {-8, {3, 4}, 0.1, 0.2};
    double heights[12];
    for (int i = 0; i < 12; i++)
        heights[i] = 30 + 3 * sin(2.0 * i);
    fm_bottom kinds[3] = {
        {.kind = FM_BOTTOM_PLANE, .depth = 50, .slope_x = 0.1, .slope_y = -0.2},
        {.kind = FM_BOTTOM_NODES, .x0 = -5, .dx = 5, .nx = 4, .depths = heights},
        {.kind = FM_BOTTOM_GRID, .x0 = -5, .dx = 5, .nx = 4, .y0 = -3, .dy = 4, .ny = 3, .depths = heights},
    };
    for (int k = 0; k < 3; k++) {
        kinds[k].mounds = &feature;
        kinds[k].mound_count = 1;
        for (double x = -7.3; x < 13; x += 1.9)
            for (double y = -5.1; y < 7; y += 1.3) {
                double h = 1e-5, n[3];
                double sx = (fm_bottom_depth(&kinds[k], x + h, y) - fm_bottom_depth(&kinds[k], x - h, y)) / (2 * h);
                double sy = (fm_bottom_depth(&kinds[k], x, y + h) - fm_bottom_depth(&kinds[k], x, y - h)) / (2 * h);
                fm_bottom_normal(&kinds[k], x, y, n);
                assert_near(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-14);
                assert_near(n[0] + n[2] * sx, 0, 1e-8); /* at right angles to (1, 0, ∂D/∂x) */
                assert_near(n[1] + n[2] * sy, 0, 1e-8);
                assert_less(n[2], 0);
            }
    }
}

/* The REMUS run: 20 m, then 16 m from x = 60, nodes every 0.5 m; 17.5445 m at x = 59.8069 in the reference trajectory.
 */
static void a_rise_takes_one_node_interval(void **state)
{
    (void)state;
    static double depths[400];
    fm_bottom_rise(depths, 400, 0, 0.5, 60, 20, 16);
    fm_bottom b = {.kind = FM_BOTTOM_NODES, .dx = 0.5, .nx = 400, .depths = depths};
    assert_near(fm_bottom_depth(&b, 59.5, 7), 20, 1e-12);
    assert_near(fm_bottom_depth(&b, 59.8069, -7), 17.5445, 5e-4);
    assert_near(fm_bottom_depth(&b, 60, 0), 16, 1e-12);
    assert_near(fm_bottom_depth(&b, 1e6, 0), 16, 1e-12);
    assert_near(fm_bottom_depth(&b, -50, 0), 20, 1e-12);
    double fine[700]; /* 600 · 0.1 is not 60 in binary */
    fm_bottom_rise(fine, 700, 0, 0.1, 60, 20, 16);
    assert_near(fine[599], 20, 0);
    assert_near(fine[600], 16, 0);
}

static void a_grid_reproduces_a_bilinear_floor_exactly(void **state)
{
    (void)state;
    double depths[20];
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 4; j++) {
            double x = -10 + 3.0 * i, y = 20 + 2.0 * j;
            depths[4 * i + j] = 40 + 0.3 * x - 0.5 * y + 0.02 * x * y;
        }
    fm_bottom b = {.kind = FM_BOTTOM_GRID, .x0 = -10, .dx = 3, .nx = 5, .y0 = 20, .dy = 2, .ny = 4, .depths = depths};
    for (double x = -10; x <= 2; x += 0.7)
        for (double y = 20; y <= 26; y += 0.45)
            assert_near(fm_bottom_depth(&b, x, y), 40 + 0.3 * x - 0.5 * y + 0.02 * x * y, 1e-12);
    assert_near(fm_bottom_depth(&b, 100, 100), depths[19], 0);
    assert_near(fm_bottom_depth(&b, -100, -100), depths[0], 0);
}

static void impossible_floors_are_refused(void **state)
{
    (void)state;
    fm_error error = {0};
    double depths[2] = {10, NAN};
    fm_bottom b = {.kind = FM_BOTTOM_PLANE, .depth = INFINITY};
    assert_int_equal(fm_bottom_check(&b, &error), FM_ERR_RANGE);
    b = (fm_bottom){.kind = FM_BOTTOM_NODES, .dx = 0, .nx = 2, .depths = depths};
    assert_int_equal(fm_bottom_check(&b, &error), FM_ERR_RANGE);
    b.dx = 1;
    assert_int_equal(fm_bottom_check(&b, &error), FM_ERR_RANGE);
    depths[1] = 11;
    assert_int_equal(fm_bottom_check(&b, &error), FM_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_positive_height_is_a_hole_and_a_negative_one_a_mound),
        cmocka_unit_test(land_is_at_the_surface),
        cmocka_unit_test(slopes_are_the_derivatives_of_depth_and_normals_stand_on_them),
        cmocka_unit_test(a_rise_takes_one_node_interval),
        cmocka_unit_test(a_grid_reproduces_a_bilinear_floor_exactly),
        cmocka_unit_test(impossible_floors_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
