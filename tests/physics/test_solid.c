/* Distances of hulls as kernels know them, against those of the geometry that worlds use. */
#include "physics/solid.h"

#include <string.h>

#include "support/near.h"

#include "base/random.h"
#include "geometry/distance.h"

enum { TRIES = 400, KINDS = 4 };

static uint64_t drawn;

static double draw(double low, double high)
{
    return low + (high - low) * fm_random_uniform((fm_random_key){11, 0, 3}, drawn++, 0);
}

/* A sphere, box, cylinder or capsule somewhere, turned somehow. */
static fm_shape some_shape(int kind, double reach)
{
    const double size[3] = {draw(0.1, 0.6), draw(0.1, 1.5), draw(0.1, 0.6)};
    double place[3], turn[4];
    for (int k = 0; k < 3; k++)
        place[k] = draw(-reach, reach);
    for (int k = 0; k < 4; k++)
        turn[k] = draw(-1, 1);
    fm_shape s = kind == 0   ? fm_shape_sphere(size[0])
                 : kind == 1 ? fm_shape_box(size[0], size[1], size[2])
                 : kind == 2 ? fm_shape_cylinder(size[0], size[1], 2)
                             : fm_shape_capsule(size[0], size[1], 0);
    fm_shape_place(&s, place, turn);
    return s;
}

static fm_ground_solid solid_of(const fm_shape *s)
{
    static const int32_t kinds[] = {[FM_SHAPE_SPHERE] = FM_SOLID_BALL,
                                    [FM_SHAPE_BOX] = FM_SOLID_BOX,
                                    [FM_SHAPE_CYLINDER] = FM_SOLID_CYLINDER,
                                    [FM_SHAPE_CAPSULE] = FM_SOLID_CAPSULE};
    const int first = s->kind == FM_SHAPE_CYLINDER || s->kind == FM_SHAPE_CAPSULE ? s->axis : 0;
    fm_ground_solid out = {.kind = kinds[s->kind]};
    for (int k = 0; k < 3; k++) {
        out.centre[k] = s->position[k];
        out.size[k] = s->size[k];
        for (int axis = 0; axis < 3; axis++)
            out.axes[3 * k + axis] = s->rotation[3 * k + (first + axis) % 3];
    }
    return out;
}

/* Where it is known the gap is the distance, else not more. The hull's own frame is turned too. */
static void a_known_gap_is_the_distance_and_a_bound_is_not_more(void **unused)
{
    (void)unused;
    int known = 0, bounds = 0;
    for (int i = 0; i < TRIES; i++) {
        const fm_shape local = some_shape(i % KINDS, 0.5), other = some_shape(i / KINDS % KINDS, 6);
        const fm_shape frame = some_shape(0, 1);
        const fm_shape hull = fm_shape_carried(&local, frame.position, frame.quaternion);
        const fm_ground_solid shape = solid_of(&local), solid = solid_of(&other);
        fm_hull_pose at;
        memcpy(at.position, frame.position, sizeof at.position);
        memcpy(at.R, frame.rotation, sizeof at.R);
        fm_mask dim;
        const double gap = fm_hull_gap(&shape, &at, &solid, solid.centre, &dim);
        const double distance = fm_shape_distance(&hull, &other);
        if (distance == 0)
            continue;
        if (dim)
            assert_at_most(gap, distance + 1e-9);
        else
            assert_near(gap, distance, 1e-9);
        known += !dim;
        bounds += dim != 0;
    }
    assert_greater(known, TRIES / 4);
    assert_greater(bounds, TRIES / 8);
}

static void the_gap_to_a_plane_is_that_of_the_deepest_point(void **unused)
{
    (void)unused;
    for (int i = 0; i < TRIES; i++) {
        const fm_shape local = some_shape(i % KINDS, 0.5), frame = some_shape(0, 1);
        const fm_shape hull = fm_shape_carried(&local, frame.position, frame.quaternion);
        const double point[3] = {draw(-5, 5), draw(-5, 5), draw(-5, 5)}, up[3] = {draw(-1, 1), draw(-1, 1), -1};
        const fm_shape wall = fm_shape_wall(point, up);
        fm_ground_solid plane = {.kind = FM_SOLID_PLANE};
        fm_d3 n = fm_shape_plane_normal(&wall);
        plane.axes[0] = n.x, plane.axes[3] = n.y, plane.axes[6] = n.z;
        fm_hull_pose at;
        memcpy(at.position, frame.position, sizeof at.position);
        memcpy(at.R, frame.rotation, sizeof at.R);
        fm_mask dim;
        fm_separation s;
        const fm_ground_solid shape = solid_of(&local);
        fm_shape_separation(&hull, &wall, &s);
        assert_near(fm_hull_gap(&shape, &at, &plane, point, &dim), s.distance, 1e-12);
        assert_false(dim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_known_gap_is_the_distance_and_a_bound_is_not_more),
        cmocka_unit_test(the_gap_to_a_plane_is_that_of_the_deepest_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
