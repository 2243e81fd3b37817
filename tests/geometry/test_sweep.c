/* Shapes on their ways: when they first touch, against many small steps and closed forms. */
#include "support/cmocka_all.h"

#include <string.h>

#include "geometry/sweep.h"
#include "geometry_random.h"
#include "physics/real.h"

static const double TOUCH = 1e-5;

static void roll_quaternion(dice *d, double q[4])
{
    fm_shape shape = fm_shape_sphere(1);
    roll_pose(d, &shape, 1);
    memcpy(q, shape.quaternion, 4 * sizeof *q);
}

static fm_motion roll_motion(dice *d, double reach, double way, double turn)
{
    fm_motion m;
    double start[FM_POSE], along[3], rotation[3];
    roll_point(d, reach, start);
    roll_quaternion(d, start + 3);
    roll_point(d, way, along);
    roll_point(d, turn, rotation);
    fm_motion_set(start, along, rotation, &m);
    return m;
}

/* Against five hundred small steps: no overlap before the touch, and at it they are just apart. */
static void compare_with_small_steps(const fm_sweep_side *a, const fm_sweep_side *b)
{
    fm_separation here;
    fm_sweep_result result;
    fm_shape first = fm_sweep_shape(a, 0), other = fm_sweep_shape(b, 0);
    fm_sweep_side standing = *b;
    standing.motion = NULL;
    standing.shape = &other;
    fm_sweep_separation(&first, &standing, &here);
    if (here.distance < TOUCH)
        return;
    bool touched = fm_sweep_touch(a, b, TOUCH, NULL, 0, 1, &result);
    double s = result.s;
    if (touched)
        assert_less(s, 1);
    else
        assert_same(s, 1);
    for (int i = 0; i <= 500; i++) {
        fm_shape shape = fm_sweep_shape(a, s * i / 500);
        other = fm_sweep_shape(b, s * i / 500);
        fm_sweep_separation(&shape, &standing, &here);
        assert_greater(here.distance, 0.45 * TOUCH);
    }
    if (touched && !(here.distance < 1.2 * TOUCH))
        fail_msg("touch at %g with a distance of %g", s, here.distance);
}

static void random_pairs_touch_where_small_steps_find_them(void **state)
{
    (void)state;
    dice d = {21};
    for (int trial = 0; trial < 800; trial++) {
        fm_shape shape_a = roll_shape(&d, 0.3), shape_b = roll_shape(&d, 0.3);
        fm_motion move_a = roll_motion(&d, 4, 8, trial % 3 ? 2 : 0), move_b = roll_motion(&d, 1, 3, trial % 2 ? 4 : 0);
        fm_sweep_side a = {.shape = &shape_a, .motion = &move_a}, b = {.shape = &shape_b, .motion = &move_b};
        compare_with_small_steps(&a, &b);
        b.motion = NULL;
        compare_with_small_steps(&a, &b);
    }
}

static void random_shapes_touch_a_thin_triangle_where_small_steps_find_it(void **state)
{
    (void)state;
    dice d = {22};
    for (int trial = 0; trial < 800; trial++) {
        double points[3][3], face[3];
        for (int i = 0; i < 3; i++)
            roll_point(&d, 2, points[i]);
        fm_shape shape = roll_shape(&d, 0.3), flat = fm_shape_hull((const double(*)[3])points, 3);
        fm_d3 e = fm_d3_sub(fm_d3_of(points[1]), fm_d3_of(points[0])),
              f = fm_d3_sub(fm_d3_of(points[2]), fm_d3_of(points[0]));
        fm_d3_store(fm_d3_unit(fm_d3_cross(e, f), (fm_d3){0, 0, 1}), face);
        fm_motion move = roll_motion(&d, 4, 8, trial % 3 ? 3 : 0);
        compare_with_small_steps(&(fm_sweep_side){.shape = &shape, .motion = &move},
                                 &(fm_sweep_side){.shape = &flat, .face = face});
    }
}

/* A sphere of radius r at distance D from a wall, at speed v: touch at s = (D − r − touch)/v. */
static void a_sphere_meets_a_wall_at_the_moment_of_the_closed_form(void **state)
{
    (void)state;
    static const double origin[3] = {0}, outward[3] = {1, 0, 0}, start[FM_POSE] = {5, 1, 2, 1}, none[3] = {0};
    double way[3] = {-2000, 30, 0};
    fm_shape ball = fm_shape_sphere(0.5), wall = fm_shape_wall(origin, outward);
    fm_motion move;
    fm_sweep_result r;
    fm_motion_set(start, way, none, &move);
    assert_true(fm_sweep_touch(&(fm_sweep_side){.shape = &ball, .motion = &move}, &(fm_sweep_side){.shape = &wall},
                               TOUCH, NULL, 0, 1, &r));
    assert_nearer(r.s, 4.5 / 2000, 1.1 * TOUCH / 2000);
    assert_greater(r.at.normal[0], 1 - 1e-12);
    assert_nearer(r.first_gap, 4.5, 1e-12);
}

/* A rod of half length L turns about its middle: its end, at (L cos φ, L sin φ), meets a thin post at angle φ. */
static void a_turning_rod_meets_a_post_at_its_angle(void **state)
{
    (void)state;
    static const double start[FM_POSE] = {0, 0, 0, 1}, none[3] = {0}, level[4] = {1, 0, 0, 0};
    for (int turns = 0; turns < 3; turns++) {
        double turn[3] = {0, 0, 1 + turns * FM_PI}, place[3] = {0.9 * cos(0.7), 0.9 * sin(0.7), 0};
        fm_shape rod = fm_shape_capsule(0.01, 0.99, 0), post = fm_shape_cylinder(0.01, 1, 2);
        fm_motion move;
        fm_sweep_result r;
        fm_shape_place(&post, place, level);
        fm_motion_set(start, none, turn, &move);
        assert_true(fm_sweep_touch(&(fm_sweep_side){.shape = &rod, .motion = &move}, &(fm_sweep_side){.shape = &post},
                                   TOUCH, NULL, 0, 1, &r));
        double expected = 0.7 - asin((0.02 + TOUCH) / 0.9);
        assert_nearer(r.s * turn[2], expected, 2 * TOUCH);
    }
}

/* Sliding over a plane that is cut into triangles touches nothing. */
static void a_box_that_slides_over_coplanar_triangles_touches_none(void **state)
{
    (void)state;
    static const double up[3] = {0, 0, -1}, none[3] = {0};
    double start[FM_POSE] = {0.1, 0.2, -0.25 - 1.03 * TOUCH, 1}, way[3] = {3, 1, 0};
    fm_shape box = fm_shape_box(0.5, 0.3, 0.25);
    fm_motion move;
    fm_motion_set(start, way, none, &move);
    for (int i = -3; i < 6; i++)
        for (int j = -3; j < 6; j++) {
            double points[3][3] = {{i, j, 0}, {i + 1, j, 0}, {i + 1, j + 1, 0}};
            fm_shape flat = fm_shape_hull((const double(*)[3])points, 3);
            fm_sweep_result r;
            fm_sweep_axes axes = {.normal = {{0, 0, -1}}, .count = 1};
            assert_false(fm_sweep_touch(&(fm_sweep_side){.shape = &box, .motion = &move},
                                        &(fm_sweep_side){.shape = &flat, .face = up, .ground = true}, TOUCH, &axes, 0,
                                        1, &r));
        }
}

static void the_motion_between_two_poses_ends_at_the_second(void **state)
{
    (void)state;
    dice d = {23};
    for (int trial = 0; trial < 500; trial++) {
        double turn[3], way[3], from[FM_POSE], to[FM_POSE], end[FM_POSE];
        fm_motion move, again;
        roll_point(&d, 5, from);
        roll_quaternion(&d, from + 3);
        roll_point(&d, 4, way);
        roll_point(&d, 7, turn); /* more than once around */
        fm_motion_set(from, way, turn, &move);
        fm_motion_at(&move, 1, to);
        fm_motion_between(from, to, turn, &again);
        assert_nearer(again.angle, move.angle, 1e-9);
        fm_motion_at(&again, 0.37, end);
        fm_motion_at(&move, 0.37, to);
        for (int k = 0; k < FM_POSE; k++)
            assert_nearer(end[k], to[k], 1e-9);
    }
}

/* Rolling about a pivot: the pivot goes straight, the body about it. */
static void the_pivot_of_a_drift_goes_straight(void **state)
{
    (void)state;
    dice d = {24};
    for (int trial = 0; trial < 200; trial++) {
        double pose[FM_POSE], velocity[6], pivot[3];
        fm_motion move;
        roll_point(&d, 5, pose);
        roll_quaternion(&d, pose + 3);
        roll_point(&d, 3, velocity);
        roll_point(&d, 3, velocity + 3);
        roll_point(&d, 1, pivot);
        fm_motion_drift(pose, velocity, 0.4, pivot, &move);
        fm_d3 path[3];
        for (int i = 0; i < 3; i++) {
            double at[FM_POSE];
            fm_shape frame = fm_shape_sphere(1);
            fm_motion_at(&move, 0.5 * i, at);
            fm_shape_place(&frame, at, at + 3);
            path[i] = fm_d3_add(fm_d3_of(at), fm_d3_rotate(frame.rotation, fm_d3_of(pivot)));
        }
        fm_d3 bend = fm_d3_sub(fm_d3_add(path[0], path[2]), fm_d3_scale(path[1], 2));
        assert_less(fm_d3_norm(bend), 1e-12);
        double soon[FM_POSE]; /* and starts with the given velocity */
        fm_shape frame = fm_shape_sphere(1);
        fm_motion_at(&move, 1e-6, soon);
        fm_shape_place(&frame, pose, pose + 3);
        fm_d3 v = fm_d3_rotate(frame.rotation, fm_d3_of(velocity));
        fm_d3 moved = fm_d3_scale(fm_d3_sub(fm_d3_of(soon), fm_d3_of(pose)), 1 / 0.4e-6);
        assert_less(fm_d3_norm(fm_d3_sub(moved, v)), 1e-4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_pairs_touch_where_small_steps_find_them),
        cmocka_unit_test(random_shapes_touch_a_thin_triangle_where_small_steps_find_it),
        cmocka_unit_test(a_sphere_meets_a_wall_at_the_moment_of_the_closed_form),
        cmocka_unit_test(a_turning_rod_meets_a_post_at_its_angle),
        cmocka_unit_test(a_box_that_slides_over_coplanar_triangles_touches_none),
        cmocka_unit_test(the_motion_between_two_poses_ends_at_the_second),
        cmocka_unit_test(the_pivot_of_a_drift_goes_straight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
