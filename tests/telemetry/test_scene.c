/* What the scene tells of instruments comes from the contract of parts. */
#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "telemetry/scene.h"
#include "world/scenario_text.h"

static const fm_msg_scene_mount *mount_of(const fm_scene *scene, const char *name)
{
    const fm_msg_scene_mount *mounts = scene->message.mounts.items;
    for (size_t i = 0; i < scene->message.mounts.count; i++)
        if (strcmp(mounts[i].name, name) == 0)
            return &mounts[i];
    fail_msg("no mount '%s'", name);
    return NULL;
}

static void close_to(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-12))
        fail_msg("found %.15g, expected %.15g", found, expected);
}

static void the_scene_tells_where_instruments_sit_and_how_far_and_wide_they_see(void **state)
{
    (void)state;
    const double degree = 3.14159265358979323846 / 180;
    fm_model *model = model_from_text(
        "<fathom version='1'><world><bottom depth='30 m'/></world><vehicle name='a' model='nps-auv-ii'>"
        "<sonar name='eye' position='1 0.2 -0.3 m' attitude='0 0 90 deg' range='60 m' nearest='0.5 m' "
        "half-angle='15 deg' vertical-half-angle='4 deg'/>"
        "<camera width='64' height='32' field-of-view='90 deg' range='25 m'/><node-sonar range='35 m'/><depth/>"
        "</vehicle></fathom>");
    assert_non_null(model);
    fm_error error = {0};
    fm_world *world = fm_world_create(model, NULL, &error);
    fm_arena arena = {0};
    fm_scene scene;
    assert_int_equal(fm_scene_build(world, &arena, &scene, &error), FM_OK);
    fm_scene_place(&scene, world);
    const fm_msg_scene_mount *eye = mount_of(&scene, "eye"), *camera = mount_of(&scene, "camera");
    /* forward-left-up: y and z change sign; a quarter turn to starboard is one to the right */
    close_to(eye->pose.position.x, 1);
    close_to(eye->pose.position.y, -0.2);
    close_to(eye->pose.position.z, 0.3);
    close_to(eye->pose.orientation.w, sqrt(0.5));
    close_to(eye->pose.orientation.z, -sqrt(0.5));
    close_to(eye->range_min, 0.5);
    close_to(eye->range_max, 60);
    close_to(eye->fov_horizontal, 30 * degree);
    close_to(eye->fov_vertical, 8 * degree);
    /* tan of the half angle goes with the pixels */
    close_to(camera->fov_horizontal, 90 * degree);
    close_to(camera->fov_vertical, 2 * atan(0.5));
    close_to(camera->range_max, 25);
    close_to(mount_of(&scene, "node-sonar")->range_max, 35);
    close_to(mount_of(&scene, "depth")->range_max, 0);
    fm_arena_free(&arena);
    fm_world_free(world);
    fm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scene_tells_where_instruments_sit_and_how_far_and_wide_they_see),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
