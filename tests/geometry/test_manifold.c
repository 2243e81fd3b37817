#include "support/cmocka_all.h"

#include "geometry/manifold.h"
#include "geometry_random.h"

static const double UP[3] = {0, 0, -1}, LEVEL[4] = {1, 0, 0, 0};

static fm_shape at(fm_shape shape, double x, double y, double z)
{
    double p[3] = {x, y, z};
    fm_shape_place(&shape, p, LEVEL);
    return shape;
}

/* Extent of the patch along x and y, and that all its gaps are as given. */
static void expect_patch(const fm_shape *a, const fm_shape *b, size_t count, double gap, const double x[2],
                         const double y[2])
{
    fm_manifold_point p[FM_MANIFOLD];
    size_t found = fm_shape_manifold(a, b, UP, 1e-3, p);
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    assert_int_equal(found, count);
    for (size_t i = 0; i < found; i++) {
        assert_nearer(p[i].gap, gap, 1e-12);
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], p[i].point[k]);
            high[k] = fmax(high[k], p[i].point[k]);
        }
    }
    assert_nearer(low[0], x[0], 1e-12);
    assert_nearer(high[0], x[1], 1e-12);
    assert_nearer(low[1], y[0], 1e-12);
    assert_nearer(high[1], y[1], 1e-12);
}

static void a_box_bears_on_a_plane_with_its_four_corners(void **state)
{
    (void)state;
    fm_shape box = at(fm_shape_box(1, 2, 0.5), 3, 4, 9.5 - 1e-5), plane = at(fm_shape_plane(), 0, 0, 10);
    expect_patch(&box, &plane, 4, 1e-5, (double[]){2, 4}, (double[]){2, 6});
}

static void crossed_boxes_bear_on_the_square_they_share(void **state)
{
    (void)state;
    fm_shape upper = at(fm_shape_box(3, 0.5, 0.5), 0, 0, -1.00001), lower = at(fm_shape_box(0.4, 3, 0.5), 0, 0, 0);
    expect_patch(&upper, &lower, 4, 1e-5, (double[]){-0.4, 0.4}, (double[]){-0.5, 0.5});
    fm_shape post = at(fm_shape_box(0.2, 0.1, 0.5), 0, 0, 0); /* narrower than what stands on it */
    expect_patch(&upper, &post, 4, 1e-5, (double[]){-0.2, 0.2}, (double[]){-0.1, 0.1});
}

static void a_skid_bears_on_a_box_with_the_ends_of_what_lies_over_it(void **state)
{
    (void)state;
    fm_shape skid = at(fm_shape_capsule(0.1, 1, 0), 0.5, 0, -0.60001), box = at(fm_shape_box(1, 1, 0.5), 0, 0, 0);
    expect_patch(&skid, &box, 2, 1e-5, (double[]){-0.5, 1}, (double[]){0, 0});
    fm_shape tube = at(fm_shape_cylinder(0.1, 1, 0), 0.5, 0, -0.60001);
    expect_patch(&tube, &box, 2, 1e-5, (double[]){-0.5, 1}, (double[]){0, 0});
    fm_shape other = at(fm_shape_capsule(0.3, 2, 0), 1.7, 0, -0.2);
    expect_patch(&skid, &other, 2, 1e-5, (double[]){-0.3, 1.5}, (double[]){0, 0});
}

static void a_triangle_takes_the_part_of_a_face_over_it(void **state)
{
    (void)state;
    static const double corners[3][3] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}};
    fm_shape box = at(fm_shape_box(0.5, 0.5, 0.5), 3, 1, -0.50001), flat = fm_shape_hull(corners, 3);
    expect_patch(&box, &flat, 4, 1e-5, (double[]){2.5, 3.5}, (double[]){0.5, 1.5});
    box = at(fm_shape_box(0.5, 0.5, 0.5), 1, 1, -0.50001); /* half of it: a triangle */
    expect_patch(&box, &flat, 3, 1e-5, (double[]){0.5, 1.5}, (double[]){0.5, 1.5});
}

static void a_tilted_box_bears_with_the_edge_that_is_near(void **state)
{
    (void)state;
    double q[4] = {cos(0.005), sin(0.005), 0, 0}, p[3] = {0, 0, -0.6};
    fm_shape box = fm_shape_box(1, 1, 0.5), plane = fm_shape_plane();
    fm_shape_place(&box, p, q);
    fm_manifold_point points[FM_MANIFOLD];
    double lowest = -0.6 + 0.5 * cos(0.01) + sin(0.01);
    plane.position[2] = lowest + 1e-5;
    assert_int_equal(fm_shape_manifold(&box, &plane, UP, 1e-3, points), 2);
    assert_nearer(points[0].point[1], points[1].point[1], 1e-12);
    assert_nearer(points[0].gap, 1e-5, 1e-12);
}

static void round_things_and_corners_have_no_patch(void **state)
{
    (void)state;
    fm_manifold_point points[FM_MANIFOLD];
    fm_shape ball = at(fm_shape_sphere(1), 0, 0, -1.5), box = at(fm_shape_box(1, 1, 0.5), 0, 0, 0);
    assert_int_equal(fm_shape_manifold(&ball, &box, UP, 1e-3, points), 0);
    fm_shape crossed = at(fm_shape_capsule(0.1, 1, 1), 0, 0, -0.2), skid = at(fm_shape_capsule(0.1, 1, 0), 0, 0, 0);
    assert_int_equal(fm_shape_manifold(&crossed, &skid, UP, 1e-3, points), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_bears_on_a_plane_with_its_four_corners),
        cmocka_unit_test(crossed_boxes_bear_on_the_square_they_share),
        cmocka_unit_test(a_skid_bears_on_a_box_with_the_ends_of_what_lies_over_it),
        cmocka_unit_test(a_triangle_takes_the_part_of_a_face_over_it),
        cmocka_unit_test(a_tilted_box_bears_with_the_edge_that_is_near),
        cmocka_unit_test(round_things_and_corners_have_no_patch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
