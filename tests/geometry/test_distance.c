#include "support/near.h"

#include <stddef.h>

#include "geometry/distance.h"
#include "geometry/gjk.h"
#include "geometry/portal.h"
#include "geometry_random.h"

static const double NO_TURN[4] = {1, 0, 0, 0};

static fm_shape at(fm_shape shape, double x, double y, double z)
{
    fm_shape_place(&shape, (double[3]){x, y, z}, NO_TURN);
    return shape;
}

static void spheres_are_apart_by_their_centres_less_their_radii(void **state)
{
    (void)state;
    fm_shape a = at(fm_shape_sphere(1), 0, 0, 0), b = at(fm_shape_sphere(2), 3, 4, 0);
    fm_separation s;
    fm_shape_separation(&a, &b, &s);
    assert_near(s.distance, 2, 1e-14);
    assert_near(s.normal[0], -0.6, 1e-15);
    assert_near(s.point_a[1], 0.8, 1e-15);
    fm_shape_place(&b, (double[3]){0.6, 0.8, 0}, NO_TURN);
    fm_shape_separation(&a, &b, &s);
    assert_near(s.distance, -2, 1e-14);
    fm_shape_separation(&a, &a, &s); /* the same centre: out upwards */
    assert_near(s.distance, -2, 0);
    assert_near(s.normal[2], -1, 0);
}

static void parallel_faces_of_boxes_are_apart_by_their_gap(void **state)
{
    (void)state;
    fm_shape a = at(fm_shape_box(1, 1, 1), 0, 0, 0), b = at(fm_shape_box(2, 2, 2), 3.5, 0.3, -0.2);
    fm_separation s;
    fm_shape_separation(&a, &b, &s);
    assert_near(s.distance, 0.5, 1e-14);
    assert_near(s.normal[0], -1, 1e-14);
    fm_shape_place(&b, (double[3]){2.9, 0.3, -0.2}, NO_TURN);
    fm_shape_separation(&a, &b, &s);
    assert_near(s.distance, -0.1, 1e-12);
    assert_near(s.normal[0], -1, 1e-9);
    assert_between(-1.01, s.point_a[1], 1.01);
}

static void columns_standing_side_by_side_are_apart_by_their_axes_less_their_radii(void **state)
{
    (void)state;
    fm_shape a = at(fm_shape_cylinder(0.5, 10, 2), 0, 0, 0), b = at(fm_shape_cylinder(0.7, 4, 2), 3, 4, 1);
    assert_near(fm_shape_distance(&a, &b), 3.8, 1e-12);
    fm_shape c = at(fm_shape_capsule(0.25, 1, 0), -2, 0, 3); /* end on against the column */
    assert_near(fm_shape_distance(&a, &c), 0.25, 1e-12);
}

static void an_ellipsoid_is_as_far_from_a_point_as_lagrange_says(void **state)
{
    (void)state;
    /* The nearest point x solves x_i = a_i² p_i / (a_i² + λ) with Σ (x_i/a_i)² = 1: found by bisection of λ. */
    dice d = {9};
    for (int trial = 0; trial < 300; trial++) {
        double axis[3] = {roll(&d, 0.3, 2), roll(&d, 0.3, 2), roll(&d, 0.3, 2)}, p[3], n[3];
        roll_direction(&d, n);
        for (int i = 0; i < 3; i++)
            p[i] = n[i] * roll(&d, 2.1, 5);
        double low = 0, high = 1e3, square = 0;
        for (int k = 0; k < 200; k++) {
            double lambda = 0.5 * (low + high), sum = 0;
            for (int i = 0; i < 3; i++)
                sum += pow(axis[i] * p[i] / (axis[i] * axis[i] + lambda), 2);
            if (sum > 1)
                low = lambda;
            else
                high = lambda;
        }
        for (int i = 0; i < 3; i++)
            square += pow(p[i] - axis[i] * axis[i] * p[i] / (axis[i] * axis[i] + low), 2);
        fm_shape ellipsoid = fm_shape_ellipsoid(axis[0], axis[1], axis[2]),
                 point = at(fm_shape_sphere(1e-3), p[0], p[1], p[2]);
        if (square > 1e-4)
            assert_near(fm_shape_distance(&ellipsoid, &point), sqrt(square) - 1e-3, 1e-9);
    }
}

static void any_shape_stands_on_a_plane_at_its_deepest_point(void **state)
{
    (void)state;
    fm_shape floor = at(fm_shape_plane(), 0, 0, 20), ball = at(fm_shape_sphere(0.5), 3, 2, 19);
    fm_separation s;
    fm_shape_separation(&ball, &floor, &s);
    assert_near(s.distance, 0.5, 1e-14);
    assert_near(s.normal[2], -1, 0);
    assert_near(s.point_b[2], 20, 1e-14);
    fm_shape tilted = fm_shape_box(1, 1, 1);
    fm_shape_place(&tilted, (double[3]){0, 0, 19}, (double[4]){cos(M_PI / 8), sin(M_PI / 8), 0, 0});
    fm_shape_separation(&floor, &tilted, &s); /* the other way round: 45° about x */
    assert_near(s.distance, 1 - sqrt(2), 1e-12);
    assert_near(s.normal[2], 1, 0);
}

static void closed_forms_equal_gjk(void **state)
{
    (void)state;
    dice d = {3};
    int apart = 0;
    for (int trial = 0; trial < 5000; trial++) {
        fm_shape a =
            trial % 2 ? fm_shape_sphere(roll(&d, 0.1, 1)) : fm_shape_capsule(roll(&d, 0.1, 1), roll(&d, 0.1, 2), 1);
        fm_shape b = trial % 3 ? fm_shape_capsule(roll(&d, 0.1, 1), roll(&d, 0.1, 2), 0) : fm_shape_box(1, 0.5, 2);
        if (b.kind == FM_SHAPE_BOX)
            a = fm_shape_sphere(0.3);
        roll_pose(&d, &a, 3);
        roll_pose(&d, &b, 3);
        fm_gjk_result gjk;
        fm_gjk(&a, &b, &gjk);
        if (gjk.distance == 0)
            continue;
        apart++;
        fm_separation s;
        fm_shape_separation(&a, &b, &s);
        assert_near(s.distance, gjk.distance - fm_shape_margin(&a) - fm_shape_margin(&b), 1e-10);
    }
    assert_greater(apart, 3000);
}

static bool is_smooth(const fm_shape *s)
{
    return s->kind == FM_SHAPE_CYLINDER || s->kind == FM_SHAPE_ELLIPSOID;
}

/* Independent of GJK: no pair of surface points is nearer, and the normal certifies the distance as a lower bound
 * (the supporting planes at the two points are that far apart). */
static void distance_is_both_reached_and_a_lower_bound(void **state)
{
    (void)state;
    dice d = {4};
    int apart = 0, exact = 0;
    for (int trial = 0; trial < 20000; trial++) {
        fm_shape a = roll_shape(&d, 3), b = roll_shape(&d, 3);
        fm_separation s;
        fm_shape_separation(&a, &b, &s);
        if (s.distance <= 0)
            continue;
        apart++;
        fm_d3 n = fm_d3_of(s.normal), difference = fm_d3_sub(fm_d3_of(s.point_a), fm_d3_of(s.point_b));
        assert_near(fm_d3_norm(n), 1, 1e-12);
        assert_near(fm_d3_norm(fm_d3_sub(difference, fm_d3_scale(n, s.distance))), 0, 1e-9);
        double down[3] = {-n.x, -n.y, -n.z}, pa[3], pb[3];
        fm_shape_support(&a, down, pa);
        fm_shape_support(&b, s.normal, pb);
        double bound = fm_d3_dot(n, fm_d3_sub(fm_d3_of(pa), fm_d3_of(pb)));
        /* the bound is of first order in the normal, which smooth shapes give to about 1e-8 */
        bool smooth = is_smooth(&a) || is_smooth(&b);
        assert_near(s.distance, bound, smooth ? 1e-6 : 1e-10);
        exact += s.distance - bound < 1e-10;
        /* the points belong to the shapes: moved in by a hair they are inside */
        for (int i = 0; i < 3; i++) {
            pa[i] = s.point_a[i] + 1e-5 * (a.position[i] - s.point_a[i]);
            pb[i] = s.point_b[i] + 1e-5 * (b.position[i] - s.point_b[i]);
        }
        assert_true(fm_shape_contains(&a, pa));
        assert_true(fm_shape_contains(&b, pb));
    }
    print_message("distance: %d pairs apart, bounded to 1e-10 m in %d\n", apart, exact);
    assert_greater(apart, 8000);
    assert_greater(exact, 0.98 * apart);
}

static void distance_is_symmetric(void **state)
{
    (void)state;
    dice d = {5};
    for (int trial = 0; trial < 5000; trial++) {
        fm_shape a = roll_shape(&d, 2.5), b = roll_shape(&d, 2.5);
        fm_separation s, t;
        fm_shape_separation(&a, &b, &s);
        fm_shape_separation(&b, &a, &t);
        if (s.distance > 1e-9) {
            assert_near(s.distance, t.distance, 1e-10);
            assert_near(fm_shape_distance(&a, &b), s.distance, 0);
        } else {
            assert_less(t.distance, 1e-9);
        }
    }
}

static void moving_out_along_the_normal_by_the_depth_just_separates(void **state)
{
    (void)state;
    dice d = {6};
    int overlapping = 0, least = 0, local = 0;
    for (int trial = 0; trial < 5000; trial++) {
        fm_shape a = roll_shape(&d, 1), b = roll_shape(&d, 1);
        fm_separation s;
        fm_shape_separation(&a, &b, &s);
        if (s.distance >= -1e-6)
            continue;
        overlapping++;
        fm_shape out = a;
        for (int i = 0; i < 3; i++)
            out.position[i] -= (s.distance - 1e-7) * s.normal[i];
        double clear = fm_shape_distance(&out, &b);
        assert_greater(clear, 0.9e-7); /* more than 1e-7 only where the normal is not the best one */
        local += clear < 1.1e-7;
        /* sampling: how often some direction lets a out on a clearly shorter way */
        double shortest = INFINITY;
        for (int k = 0; k < 300; k++) {
            double n[3], minus[3], pa[3], pb[3];
            roll_direction(&d, n);
            for (int i = 0; i < 3; i++)
                minus[i] = -n[i];
            fm_shape_support(&a, minus, pa);
            fm_shape_support(&b, n, pb);
            shortest = fmin(shortest, fm_d3_dot(fm_d3_of(n), fm_d3_sub(fm_d3_of(pb), fm_d3_of(pa))));
        }
        least += -s.distance <= shortest * 1.001;
    }
    print_message("penetration: %d overlapping pairs, the shortest way out in %d, no shorter one near in %d\n",
                  overlapping, least, local);
    assert_greater(overlapping, 2000);
    assert_greater(least, 0.97 * overlapping);
    assert_greater(local, 0.95 * overlapping);
}

static void a_box_resting_in_a_box_is_pushed_up_out_of_it(void **state)
{
    (void)state;
    fm_shape ground = at(fm_shape_box(10, 10, 1), 0, 0, 11), crate = fm_shape_box(0.5, 0.4, 0.3);
    fm_separation s;
    for (int turn = 0; turn < 8; turn++) {
        double angle = 0.3 * turn;
        fm_shape_place(&crate, (double[3]){2, 3, 9.71}, (double[4]){cos(angle / 2), 0, 0, sin(angle / 2)});
        fm_shape_separation(&crate, &ground, &s);
        assert_near(s.distance, -0.01, 1e-12);
        assert_near(s.normal[2], -1, 1e-12);
        assert_near(s.point_a[0], 2, 0.71);
        assert_near(s.point_a[2], 10.01, 1e-9);
        fm_shape_separation(&ground, &crate, &s);
        assert_near(s.normal[2], 1, 1e-12);
    }
}

/* The line from b's middle less a's through the origin leaves {p_b − p_a} at x: moved by x, a just touches b. */
static void moved_to_where_the_portal_lies_the_shapes_just_touch(void **state)
{
    (void)state;
    int found = 0, touching = 0;
    dice d = {77};
    for (int trial = 0; trial < 4000; trial++) {
        fm_shape a = roll_shape(&d, 1), b = roll_shape(&d, 1);
        fm_portal portal;
        if (a.kind == FM_SHAPE_HULL || b.kind == FM_SHAPE_HULL) /* their middle is not their position */
            continue;
        if (fm_shape_distance(&a, &b) > 0) {
            assert_false(fm_portal_find(&a, &b, &portal));
            continue;
        }
        if (!fm_portal_find(&a, &b, &portal))
            continue;
        double on_a[3], on_b[3], along[3], against[3], height = 0, speed = 0;
        fm_d3_store(portal.normal, along);
        fm_d3_store(fm_d3_scale(portal.normal, -1), against);
        fm_shape_support(&a, against, on_a);
        fm_shape_support(&b, along, on_b);
        for (int k = 0; k < 3; k++) {
            height += along[k] * (on_b[k] - on_a[k]);
            speed += along[k] * (a.position[k] - b.position[k]);
        }
        fm_shape moved = a, beyond = a;
        for (int k = 0; k < 3; k++) {
            double x = height / speed * (a.position[k] - b.position[k]);
            moved.position[k] += x;
            beyond.position[k] += x * 1.01 + 1e-3 * along[k];
        }
        found++;
        touching += fm_shape_distance(&moved, &b) < 1e-6 && fm_shape_distance(&beyond, &b) > 1e-5;
    }
    print_message("portal: %d overlapping pairs, on the surface in %d\n", found, touching);
    assert_greater(found, 300);
    assert_at_least(touching, found - found / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_are_apart_by_their_centres_less_their_radii),
        cmocka_unit_test(parallel_faces_of_boxes_are_apart_by_their_gap),
        cmocka_unit_test(columns_standing_side_by_side_are_apart_by_their_axes_less_their_radii),
        cmocka_unit_test(an_ellipsoid_is_as_far_from_a_point_as_lagrange_says),
        cmocka_unit_test(any_shape_stands_on_a_plane_at_its_deepest_point),
        cmocka_unit_test(closed_forms_equal_gjk),
        cmocka_unit_test(distance_is_both_reached_and_a_lower_bound),
        cmocka_unit_test(distance_is_symmetric),
        cmocka_unit_test(moving_out_along_the_normal_by_the_depth_just_separates),
        cmocka_unit_test(a_box_resting_in_a_box_is_pushed_up_out_of_it),
        cmocka_unit_test(moved_to_where_the_portal_lies_the_shapes_just_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
