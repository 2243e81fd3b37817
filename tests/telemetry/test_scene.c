/* What the scene tells of instruments comes from the contract of parts. */
#include "support/scenario.h"

#include "base/memory.h"
#include "telemetry/scene.h"

static const fm_msg_scene_mount *mount_of(const fm_scene *scene, const char *name)
{
    const fm_msg_scene_mount *mounts = scene->message.mounts.items;
    for (size_t i = 0; i < scene->message.mounts.count; i++)
        if (strcmp(mounts[i].name, name) == 0)
            return &mounts[i];
    fail_msg("no mount '%s'", name);
    return NULL;
}

static void the_scene_tells_where_instruments_sit_and_how_far_and_wide_they_see(void **state)
{
    (void)state;
    fm_world *world =
        start("<fathom version='1'><world><bottom depth='30 m'/></world><vehicle name='a' model='nps-auv-ii'>"
              "<sonar name='eye' position='1 0.2 -0.3 m' attitude='0 0 90 deg' range='60 m' nearest='0.5 m' "
              "half-angle='15 deg' vertical-half-angle='4 deg'/>"
              "<camera width='64' height='32' field-of-view='90 deg' range='25 m'/><node-sonar range='35 m' "
              "spacing='0.5 m'/><depth/>"
              "</vehicle></fathom>");
    fm_error error = {0};
    fm_arena arena = {0};
    fm_scene scene;
    assert_int_equal(fm_scene_build(world, &arena, &scene, &error), FM_OK);
    fm_scene_place(&scene, world);
    const fm_msg_scene_mount *eye = mount_of(&scene, "eye"), *camera = mount_of(&scene, "camera");
    /* forward-left-up: y and z change sign; a quarter turn to starboard is one to the right */
    assert_near(eye->pose.position.x, 1, 1e-12);
    assert_near(eye->pose.position.y, -0.2, 1e-12);
    assert_near(eye->pose.position.z, 0.3, 1e-12);
    assert_near(eye->pose.orientation.w, sqrt(0.5), 1e-12);
    assert_near(eye->pose.orientation.z, -sqrt(0.5), 1e-12);
    assert_near(eye->range_min, 0.5, 1e-12);
    assert_near(eye->range_max, 60, 1e-12);
    assert_near(eye->fov_horizontal, 30 * DEGREE, 1e-12);
    assert_near(eye->fov_vertical, 8 * DEGREE, 1e-12);
    /* tan of the half angle goes with the pixels */
    assert_near(camera->fov_horizontal, 90 * DEGREE, 1e-12);
    assert_near(camera->fov_vertical, 2 * atan(0.5), 1e-12);
    assert_near(camera->range_max, 25, 1e-12);
    assert_near(mount_of(&scene, "node-sonar")->range_max, 35, 1e-12);
    assert_near(mount_of(&scene, "depth")->range_max, 0, 1e-12);
    fm_arena_free(&arena);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scene_tells_where_instruments_sit_and_how_far_and_wide_they_see),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
