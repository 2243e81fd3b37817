#include "support/near.h"

#include <stddef.h>

#include "geometry/shape.h"
#include "geometry_random.h"

static const double NO_TURN[4] = {1, 0, 0, 0};

/* A direction from o to within 1.5 m of a target along each axis. */
static void aim(dice *d, const double o[3], const double target[3], double out[3])
{
    double p[3];
    roll_point(d, 1.5, p);
    fm_d3 way = fm_d3_sub(fm_d3_add(fm_d3_of(target), fm_d3_of(p)), fm_d3_of(o));
    fm_d3_store(fm_d3_unit(way, (fm_d3){1, 0, 0}), out);
}

static void the_support_point_is_farthest_and_on_the_surface(void **state)
{
    (void)state;
    dice d = {1};
    for (int trial = 0; trial < 2000; trial++) {
        fm_shape shape = roll_shape(&d, 3);
        double n[3], p[3], other[3], q[3];
        roll_direction(&d, n);
        fm_shape_support(&shape, n, p);
        for (int k = 0; k < 20; k++) { /* no other surface point reaches farther */
            roll_direction(&d, other);
            fm_shape_support(&shape, other, q);
            assert_at_most(fm_d3_dot(fm_d3_of(q), fm_d3_of(n)), fm_d3_dot(fm_d3_of(p), fm_d3_of(n)) + 1e-12);
        }
        fm_d3 inward = fm_d3_scale(fm_d3_sub(fm_d3_of(shape.position), fm_d3_of(p)), 1e-6);
        fm_d3_store(fm_d3_add(fm_d3_of(p), inward), q);
        assert_true(fm_shape_contains(&shape, q));
        fm_d3_store(fm_d3_add_scaled(fm_d3_of(p), 1e-9, fm_d3_of(n)), q);
        assert_false(fm_shape_contains(&shape, q));
    }
}

static void the_bounding_box_and_ball_hold_the_shape_tightly(void **state)
{
    (void)state;
    dice d = {2};
    for (int trial = 0; trial < 500; trial++) {
        fm_shape shape = roll_shape(&d, 3);
        fm_aabb box;
        fm_shape_aabb(&shape, &box);
        double most[3] = {-INFINITY, -INFINITY, -INFINITY}, ball = fm_shape_bounding_radius(&shape);
        for (int k = 0; k < 200; k++) {
            double n[3], p[3];
            roll_direction(&d, n);
            fm_shape_support(&shape, n, p);
            assert_at_most(fm_d3_norm(fm_d3_sub(fm_d3_of(p), fm_d3_of(shape.position))), ball + 1e-12);
            for (int i = 0; i < 3; i++) {
                assert_within(box.low[i] - 1e-12, p[i], box.high[i] + 1e-12);
                most[i] = fmax(most[i], p[i]);
            }
        }
        for (int i = 0; i < 3; i++)
            assert_less(box.high[i] - most[i], 0.6);
    }
    fm_shape turned = fm_shape_box(1, 1, 1);
    fm_aabb box;
    fm_shape_place(&turned, (double[3]){0, 0, 0},
                   (double[4]){cos(0.125 * 3.14159265358979), 0, 0, sin(0.125 * 3.14159265358979)});
    fm_shape_aabb(&turned, &box);
    assert_near(box.high[0], sqrt(2), 1e-12);
}

static void a_ray_meets_a_sphere_where_the_quadratic_says(void **state)
{
    (void)state;
    fm_shape sphere = fm_shape_sphere(2);
    fm_shape_place(&sphere, (double[3]){1000, 0, 10}, NO_TURN);
    fm_ray_span span;
    /* offset 1.2 from the centre: half chord 1.6 */
    assert_true(fm_shape_ray(&sphere, (double[3]){0, 1.2, 10}, (double[3]){1, 0, 0}, &span));
    assert_near(span.enter, 998.4, 1e-12);
    assert_near(span.leave, 1001.6, 1e-12);
    assert_near(span.normal.x, -0.8, 1e-13);
    assert_near(span.normal.y, 0.6, 1e-13);
    assert_true(fm_shape_ray(&sphere, (double[3]){0, 2, 10}, (double[3]){1, 0, 0}, &span)); /* tangent */
    assert_near(span.enter, 1000, 0);
    assert_near(span.leave, 1000, 0);
    assert_false(fm_shape_ray(&sphere, (double[3]){0, 2.0000001, 10}, (double[3]){1, 0, 0}, &span));
}

static void a_ray_meets_box_column_capsule_and_spheroid_in_closed_form(void **state)
{
    (void)state;
    fm_ray_span span;
    double c = sqrt(0.5);
    fm_shape box = fm_shape_box(1, 2, 3);
    assert_true(fm_shape_ray(&box, (double[3]){-5, 1, 2}, (double[3]){1, 0, 0}, &span));
    assert_near(span.enter, 4, 1e-14);
    assert_near(span.leave, 6, 1e-14);
    assert_near(span.normal.x, -1, 0);
    fm_shape column = fm_shape_cylinder(0.5, 10, 2);
    assert_true(fm_shape_ray(&column, (double[3]){-5, 0.3, 2}, (double[3]){1, 0, 0}, &span));
    assert_near(span.enter, 4.6, 1e-14);
    assert_near(span.normal.y, 0.6, 1e-14);
    assert_true(fm_shape_ray(&column, (double[3]){0.3, 0.2, -14}, (double[3]){0, 0, 1}, &span)); /* through the top */
    assert_near(span.enter, 4, 1e-14);
    assert_near(span.leave, 24, 1e-14);
    assert_near(span.normal.z, -1, 0);
    fm_shape hull = fm_shape_capsule(0.5, 2, 0);
    assert_true(fm_shape_ray(&hull, (double[3]){-10, 0, 0}, (double[3]){1, 0, 0}, &span));
    assert_near(span.enter, 7.5, 1e-14);
    assert_near(span.leave, 12.5, 1e-14);
    assert_true(fm_shape_ray(&hull, (double[3]){1, -4, 0.3}, (double[3]){0, 1, 0}, &span));
    assert_near(span.enter, 3.6, 1e-14);
    fm_shape spheroid = fm_shape_ellipsoid(2, 1, 1);
    /* x = −8 + c t, y = −4 + c t meets x²/4 + y² + z² = 1: s = c t: 5 s² − 48 s + 124 = 0 has no root: a miss */
    assert_false(fm_shape_ray(&spheroid, (double[3]){-8, -4, 0}, (double[3]){c, c, 0}, &span));
    /* from (−4, −3): (s − 4)² + 4 (s − 3)² = 4: 5 s² − 32 s + 48 = 0: s = 2.4, 4 */
    assert_true(fm_shape_ray(&spheroid, (double[3]){-4, -3, 0}, (double[3]){c, c, 0}, &span));
    assert_near(span.enter, 2.4 / c, 1e-13);
    assert_near(span.leave, 4 / c, 1e-13);
}

/* Independent of the formulas: bisection of "inside" along the ray, with inside from each shape's own inequality. */
static int inside(const fm_shape *s, const double local[3])
{
    const double *h = s->size;
    double along = local[s->axis], u = local[(s->axis + 1) % 3], v = local[(s->axis + 2) % 3];
    switch (s->kind) {
    case FM_SHAPE_SPHERE: return local[0] * local[0] + local[1] * local[1] + local[2] * local[2] < h[0] * h[0];
    case FM_SHAPE_BOX: return fabs(local[0]) < h[0] && fabs(local[1]) < h[1] && fabs(local[2]) < h[2];
    case FM_SHAPE_CYLINDER: return fabs(along) < h[1] && hypot(u, v) < h[0];
    case FM_SHAPE_CAPSULE: return hypot(hypot(u, v), fmax(fabs(along) - h[1], 0)) < h[0];
    case FM_SHAPE_ELLIPSOID: return pow(local[0] / h[0], 2) + pow(local[1] / h[1], 2) + pow(local[2] / h[2], 2) < 1;
    default: return 0;
    }
}

static int inside_at(const fm_shape *s, const double o[3], const double d[3], double t)
{
    fm_d3 p = fm_d3_add_scaled(fm_d3_of(o), t, fm_d3_of(d));
    double local[3];
    fm_d3_store(fm_d3_rotate_back(s->rotation, fm_d3_sub(p, fm_d3_of(s->position))), local);
    return inside(s, local);
}

static void spans_equal_bisection_of_the_inside_on_random_rays(void **state)
{
    (void)state;
    dice d = {4};
    int hits = 0;
    for (int trial = 0; trial < 20000; trial++) {
        fm_shape s = roll_shape(&d, 2);
        if (s.kind == FM_SHAPE_HULL)
            continue;
        double o[3], n[3];
        fm_ray_span span;
        roll_point(&d, 6, o);
        aim(&d, o, s.position, n);
        if (!fm_shape_ray(&s, o, n, &span)) {
            double t = -fm_d3_dot(fm_d3_sub(fm_d3_of(o), fm_d3_of(s.position)), fm_d3_of(n));
            for (int k = -20; k <= 20; k++)
                assert_false(inside_at(&s, o, n, t + 0.1 * k));
            continue;
        }
        double middle = 0.5 * (span.enter + span.leave), width = span.leave - span.enter;
        if (width < 1e-3)
            continue;
        hits++;
        for (int side = 0; side < 2; side++) {
            double in = middle, out = side ? middle + 10 : middle - 10;
            for (int k = 0; k < 60; k++) {
                double t = 0.5 * (in + out);
                if (inside_at(&s, o, n, t))
                    in = t;
                else
                    out = t;
            }
            assert_near(side ? span.leave : span.enter, in, 1e-12 / width + 1e-13);
        }
        assert_near(fm_d3_norm(span.normal), 1, 1e-12);
        assert_at_most(fm_d3_dot(span.normal, fm_d3_of(n)), 1e-9);
    }
    assert_greater(hits, 1000);
}

static void a_hull_of_box_corners_is_hit_like_the_box(void **state)
{
    (void)state;
    dice d = {5};
    double corners[8][3];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            corners[i][k] = (i >> k & 1 ? 1 : -1) * (1 + 0.5 * k);
    fm_shape box = fm_shape_box(1, 1.5, 2), hull = fm_shape_hull(corners, 8);
    int hits = 0;
    for (int trial = 0; trial < 3000; trial++) {
        roll_pose(&d, &box, 2);
        fm_shape_place(&hull, box.position, box.quaternion);
        double o[3], n[3];
        fm_ray_span a, b;
        roll_point(&d, 6, o);
        aim(&d, o, box.position, n);
        bool hit = fm_shape_ray(&box, o, n, &a), hull_hit = fm_shape_ray(&hull, o, n, &b);
        if (hit != hull_hit) {
            if (hit)
                assert_less(a.leave - a.enter, 1e-9);
            continue;
        }
        if (!hit)
            continue;
        hits++;
        assert_near(a.enter, b.enter, 1e-11);
        assert_near(a.leave, b.leave, 1e-11);
        if (a.leave - a.enter > 1e-6)
            assert_greater(fm_d3_dot(a.normal, b.normal), 1 - 1e-9);
    }
    assert_greater(hits, 500);
}

static void a_wall_is_solid_behind_its_outward_normal(void **state)
{
    (void)state;
    dice d = {6};
    for (int trial = 0; trial < 200; trial++) {
        double p[3], n[3], front[3], behind[3];
        roll_point(&d, 5, p);
        roll_direction(&d, n);
        if (trial == 0)
            n[0] = n[1] = 0, n[2] = 1;
        if (trial == 1)
            n[0] = n[1] = 0, n[2] = -1;
        fm_shape wall = fm_shape_wall(p, n);
        fm_d3 normal = fm_shape_plane_normal(&wall);
        assert_near(fm_d3_dot(normal, fm_d3_of(n)), 1, 1e-12);
        for (int i = 0; i < 3; i++) {
            front[i] = p[i] + n[i];
            behind[i] = p[i] - n[i];
        }
        assert_false(fm_shape_contains(&wall, front));
        assert_true(fm_shape_contains(&wall, behind));
        fm_ray_span span;
        double back[3] = {-n[0], -n[1], -n[2]};
        assert_true(fm_shape_ray(&wall, front, back, &span));
        assert_near(span.enter, 1, 1e-12);
    }
}

static void a_carried_shape_turns_and_moves_with_its_body(void **state)
{
    (void)state;
    fm_shape nose = fm_shape_sphere(0.1);
    fm_shape_place(&nose, (double[3]){1, 0, 0}, NO_TURN);
    double s = sqrt(0.5); /* heading east: 90° about down */
    fm_shape world = fm_shape_carried(&nose, (double[3]){10, 20, 5}, (double[4]){s, 0, 0, s});
    assert_near(world.position[0], 10, 1e-14);
    assert_near(world.position[1], 21, 1e-14);
    assert_near(world.position[2], 5, 0);
}

static void impossible_shapes_are_refused(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_shape shape = fm_shape_sphere(-1);
    assert_int_equal(fm_shape_check(&shape, &error), FM_ERR_RANGE);
    shape = fm_shape_box(1, NAN, 1);
    assert_int_equal(fm_shape_check(&shape, &error), FM_ERR_RANGE);
    shape = fm_shape_cylinder(1, 1, 3);
    assert_int_equal(fm_shape_check(&shape, &error), FM_ERR_RANGE);
    shape = fm_shape_hull(NULL, 0);
    assert_int_equal(fm_shape_check(&shape, &error), FM_ERR_MODEL);
    shape = fm_shape_capsule(1, 0, 0);
    assert_int_equal(fm_shape_check(&shape, &error), FM_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_support_point_is_farthest_and_on_the_surface),
        cmocka_unit_test(the_bounding_box_and_ball_hold_the_shape_tightly),
        cmocka_unit_test(a_ray_meets_a_sphere_where_the_quadratic_says),
        cmocka_unit_test(a_ray_meets_box_column_capsule_and_spheroid_in_closed_form),
        cmocka_unit_test(spans_equal_bisection_of_the_inside_on_random_rays),
        cmocka_unit_test(a_hull_of_box_corners_is_hit_like_the_box),
        cmocka_unit_test(a_wall_is_solid_behind_its_outward_normal),
        cmocka_unit_test(a_carried_shape_turns_and_moves_with_its_body),
        cmocka_unit_test(impossible_shapes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
