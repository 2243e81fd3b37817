/* Markers for other people's viewers: every shape stands where the scenario puts it, in east-north-up. */
#include "support/scenario.h"

#include "base/memory.h"
#include "telemetry/markers.h"

static const char scene_text[] =
    "<fathom version='1'><world duration='10 s' capacity='3'><bottom depth='40 m'/>"
    "<sphere name='ball' position='5 6 7 m' radius='2 m'/>"
    "<box name='crate' position='10 20 30 m' size='1 2 3 m' attitude='0 0 90 deg'/>"
    "<column name='pile' position='1 2 10 m' radius='0.5 m' height='8 m'/>"
    "<wall name='quay' position='60 0 0 m' normal='-1 0 0'/></world>"
    "<vehicle name='tube' position='0 0 12 m'><mass mass='10 kg' inertia='1 1 1 kg*m2'/><buoyancy force='98 N'/>"
    "<hull kind='capsule' size='2 0.4 0.4 m'/></vehicle></fathom>";

static fm_arena arena;
static fm_scene scene;
static fm_markers markers;

static fm_world *build(const char *text)
{
    fm_error error = {0};
    fm_world *world = start(text);
    if (fm_scene_build(world, &arena, &scene, &error) != FM_OK ||
        fm_markers_build(&scene, world, &arena, &markers, &error) != FM_OK)
        fail_msg("%s", error.text);
    fm_scene_place(&scene, world);
    fm_markers_place(&markers, &scene, world, (fm_msg_time){0});
    return world;
}

static void end(fm_world *world)
{
    fm_arena_free(&arena);
    arena = (fm_arena){0};
    finish(world);
}

static const fm_msg_marker *marker_of(const fm_msg_marker_array *array, const char *ns)
{
    for (size_t i = 0; i < array->markers.count; i++)
        if (array->markers.items[i].ns && strcmp(array->markers.items[i].ns, ns) == 0)
            return &array->markers.items[i];
    fail_msg("no marker of '%s'", ns);
    return NULL;
}

static void stands(const fm_msg_marker *m, int type, const double position[3], const double scale[3])
{
    assert_int_equal(m->type, type);
    near("x", m->pose.position.x, position[0], 1e-9);
    near("y", m->pose.position.y, position[1], 1e-9);
    near("z", m->pose.position.z, position[2], 1e-9);
    near("scale x", m->scale.x, scale[0], 1e-9);
    near("scale y", m->scale.y, scale[1], 1e-9);
    near("scale z", m->scale.z, scale[2], 1e-9);
}

static void obstacles_have_their_place_and_size(void **unused)
{
    (void)unused;
    fm_world *world = build(scene_text);
    stands(marker_of(&markers.world, "ball"), FM_MSG_marker_SPHERE, (double[]){6, 5, -7}, (double[]){4, 4, 4});
    stands(marker_of(&markers.world, "crate"), FM_MSG_marker_CUBE, (double[]){20, 10, -30}, (double[]){1, 2, 3});
    const fm_msg_marker *pile = marker_of(&markers.world, "pile");
    assert_int_equal(pile->type, FM_MSG_marker_CYLINDER);
    near("height of the pile", pile->scale.z, 8, 1e-9);
    near("its thickness", pile->scale.x, 1, 1e-9);
    assert_string_equal(pile->header.frame_id, "map");
    end(world);
}

/* The square's face towards the water lies in the plane of the wall: north = 60 m. */
static void a_wall_is_a_square_with_its_face_in_the_plane(void **unused)
{
    (void)unused;
    fm_world *world = build(scene_text);
    const fm_msg_marker *quay = marker_of(&markers.world, "quay");
    const fm_msg_quaternion *q = &quay->pose.orientation;
    double normal[3] = {2 * (q->x * q->z + q->w * q->y), 2 * (q->y * q->z - q->w * q->x),
                        1 - 2 * (q->x * q->x + q->y * q->y)};
    near("its normal points south", normal[1], -1, 1e-9);
    near("its face", quay->pose.position.y + normal[1] * quay->scale.z / 2, 60, 1e-9);
    assert_at_least(quay->scale.x, 100);
    assert_less(quay->scale.z, 0.1);
    end(world);
}

static void the_bottom_is_triangles_at_its_depth(void **unused)
{
    (void)unused;
    fm_world *world = build(scene_text);
    const fm_msg_marker *bottom = marker_of(&markers.world, "bottom");
    assert_int_equal(bottom->type, FM_MSG_marker_TRIANGLE_LIST);
    assert_at_least(bottom->points.count, 6);
    assert_same(bottom->points.count % 3, 0);
    double area = 0;
    for (size_t i = 0; i < bottom->points.count; i += 3) {
        const fm_msg_point *a = &bottom->points.items[i], *b = a + 1, *c = a + 2;
        near("depth", a->z, -40, 1e-6);
        double cross = (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
        assert_greater(cross, 0); /* seen from above */
        area += cross / 2;
    }
    const fm_msg_scene_heightmap *map = scene.message.heightmaps.items;
    near("all of it", area, map->dx * (map->columns - 1) * map->dy * (map->rows - 1), 1e-6 * area);
    end(world);
}

/* A capsule of 2 m and 0.4 m: a cylinder of 1.6 m along x, and a ball at each end of it. */
static void a_capsule_is_a_cylinder_and_two_balls_in_the_frame_of_its_vehicle(void **unused)
{
    (void)unused;
    fm_world *world = build(scene_text);
    const fm_msg_marker *m = markers.vehicles.markers.items;
    assert_int_equal(markers.vehicles.markers.count, 4);
    assert_int_equal(m[0].action, FM_MSG_marker_DELETEALL);
    assert_int_equal(m[1].type, FM_MSG_marker_CYLINDER);
    near("length", m[1].scale.z, 1.6, 1e-9);
    near("ends", fabs(m[2].pose.position.x), 0.8, 1e-9);
    near("on both sides", m[2].pose.position.x + m[3].pose.position.x, 0, 1e-9);
    for (int i = 1; i < 4; i++) {
        assert_string_equal(m[i].header.frame_id, "tube/base_link");
        near("thickness", m[i].scale.x, 0.4, 1e-9);
        assert_int_equal(m[i].frame_locked, 1);
        for (int k = 1; k < i; k++)
            assert_different(m[i].id, m[k].id);
    }
    end(world);
}

static void messages_fit_what_was_announced_when_vehicles_come(void **unused)
{
    (void)unused;
    fm_error error = {0};
    const double there[3] = {9, 9, 9}, level[3] = {0};
    fm_world *world = build(scene_text);
    assert_int_equal(fm_message_size(&fm_msg_marker_array_type, &markers.world), markers.max_world_size);
    assert_int_equal(fm_world_spawn(world, "a-name-of-thirty-one-characters", "tube", there, level, &error), FM_OK);
    assert_int_equal(fm_world_spawn(world, "b-name-of-thirty-one-characters", "tube", level, level, &error), FM_OK);
    step(world, 1);
    fm_scene_place(&scene, world);
    fm_markers_place(&markers, &scene, world, (fm_msg_time){1, 2});
    assert_int_equal(markers.vehicles.markers.count, 10);
    assert_at_most(fm_message_size(&fm_msg_marker_array_type, &markers.vehicles), markers.max_vehicles_size);
    assert_int_equal(fm_world_remove(world, "tube", &error), FM_OK);
    step(world, 1);
    fm_markers_place(&markers, &scene, world, (fm_msg_time){1, 2});
    assert_int_equal(markers.vehicles.markers.count, 7);
    end(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obstacles_have_their_place_and_size),
        cmocka_unit_test(a_wall_is_a_square_with_its_face_in_the_plane),
        cmocka_unit_test(the_bottom_is_triangles_at_its_depth),
        cmocka_unit_test(a_capsule_is_a_cylinder_and_two_balls_in_the_frame_of_its_vehicle),
        cmocka_unit_test(messages_fit_what_was_announced_when_vehicles_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
