/* Which moving bodies are near: against looking at all of them. */
#include "support/cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "environment/bodies.h"
#include "environment/sight.h"
#include "geometry/geometry_random.h"

enum { MANY = 600 };

static fm_shape any_shape(dice *d, double reach)
{
    double a = roll(d, 0.05, 0.6), b = roll(d, 0.05, 0.6);
    int kind = (int)roll(d, 0, 5);
    fm_shape s = kind == 0   ? fm_shape_sphere(a)
                 : kind == 1 ? fm_shape_box(a, b, 0.3)
                 : kind == 2 ? fm_shape_cylinder(a, b, 2)
                 : kind == 3 ? fm_shape_capsule(a, b, 0)
                             : fm_shape_ellipsoid(a, b, 0.2);
    roll_pose(d, &s, reach);
    return s;
}

static void fill(fm_ray_body *list, size_t count, uint64_t seed)
{
    dice d = {seed};
    for (size_t i = 0; i < count; i++)
        list[i] = (fm_ray_body){any_shape(&d, 20), (uint32_t)i};
    list[count / 2].shape.position[0] = -1e9; /* far off, as slots that are free */
}

typedef struct gathered {
    uint32_t bodies[MANY];
    size_t count;
} gathered;

static void gather(void *user, const fm_ray_body *body)
{
    gathered *g = user;
    assert_less(g->count, MANY);
    g->bodies[g->count++] = body->body;
}

static void bodies_near_a_box_are_those_whose_balls_meet_it(void **state)
{
    (void)state;
    static fm_ray_body list[MANY];
    dice d = {11};
    for (size_t count = 0; count <= MANY; count = count < 20 ? count + 7 : count + 290) {
        fill(list, count > 0 ? count : 1, 5 + count);
        fm_bodies bodies = {.list = list, .items = count};
        for (int trial = 0; trial < 300; trial++) {
            double low[3], high[3];
            gathered near = {.count = 0};
            roll_point(&d, 22, low);
            for (int k = 0; k < 3; k++)
                high[k] = low[k] + roll(&d, 0, 6);
            fm_bodies_visit_box(&bodies, low, high, gather, &near);
            size_t at = 0;
            for (size_t i = 1; i < near.count; i++)
                assert_greater(near.bodies[i], near.bodies[i - 1]);
            for (size_t i = 0; i < count; i++) { /* all that may meet it are among them */
                double r = fm_shape_bounding_radius(&list[i].shape), square = 0;
                for (int k = 0; k < 3; k++) {
                    double p = list[i].shape.position[k], off = fmax(fmax(low[k] - p, p - high[k]), 0);
                    square += off * off;
                }
                while (at < near.count && near.bodies[at] < i)
                    at++;
                if (square <= r * r) {
                    assert_less(at, near.count);
                    assert_same(near.bodies[at], i);
                }
            }
        }
    }
}

/* The same hits as rays that are given all bodies, over a bottom that is met before some and after others. */
static void rays_meet_the_same_bodies_as_without_a_search(void **state)
{
    (void)state;
    static fm_ray_body list[MANY];
    fm_error error = {0};
    fm_ray_scene *scene = fm_ray_scene_create(&(fm_ray_static){0}, &error);
    assert_non_null(scene);
    fill(list, MANY, 77);
    fm_bottom bottom = {.kind = FM_BOTTOM_PLANE, .depth = 12};
    fm_environment environment = {.scene = scene, .bottom = &bottom};
    fm_bodies bodies = {.list = list, .items = MANY};
    dice d = {9};
    int met = 0, below = 0;
    for (int trial = 0; trial < 200; trial++) {
        double origin[4][3], direction[4][3], range = trial % 5 ? 25 : 60;
        fm_ray_hit a[4], b[4];
        roll_point(&d, 11, origin[0]);
        for (int i = 0; i < 4; i++) {
            memcpy(origin[i], origin[0], sizeof origin[0]);
            roll_direction(&d, direction[i]);
        }
        fm_part_context context = {.environment = &environment, .bodies = &bodies, .slot = -1};
        fm_sight_cast(&context, 4, (const double(*)[3])origin, (const double(*)[3])direction, range, a);
        fm_rays_cast(scene, list, MANY, 4, (const double(*)[3])origin, (const double(*)[3])direction, range,
                     FM_RAY_NOBODY, b);
        for (int i = 0; i < 4; i++) {
            double down = direction[i][2] > 0 ? (12 - origin[i][2]) / direction[i][2] : HUGE_VAL;
            if (down <= range && down < b[i].distance) {
                assert_same(a[i].body, FM_BODY_BOTTOM);
                assert_near(a[i].distance, down, 1e-12);
                below++;
                continue;
            }
            assert_same(a[i].distance, b[i].distance);
            assert_same(a[i].body, b[i].body);
            assert_same(a[i].cosine, b[i].cosine);
            met += b[i].body != FM_RAY_NOBODY;
        }
    }
    assert_greater(met, 30);
    assert_greater(below, 20);
    fm_ray_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_near_a_box_are_those_whose_balls_meet_it),
        cmocka_unit_test(rays_meet_the_same_bodies_as_without_a_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
