/* Cameras: a known scene against its stored picture, and geometry and light in closed form. */
#include "sensors/probe.h"

#include <time.h>

#include "sensors/camera.h"
#include "support/png.h"

static const char scene[] =
    "<bottom depth='14 m' colour='0.75 0.68 0.5'><mound height='-1.5 m' centre='9 3 0 m' sigma='1.5 1.5 1 m'/></bottom>"
    "<sphere name='ball' position='6 -1.5 12.6 m' radius='0.7 m' colour='0.9 0.25 0.1'/>"
    "<box name='crate' position='7 1.2 13.3 m' size='1.2 1.2 1.4 m' attitude='0 0 35 deg' colour='0.2 0.5 0.85'/>"
    "<column name='pile' position='11 -3 4 m' radius='0.4 m' height='11 m' colour='0.8 0.8 0.3'/>";

static const uint8_t *image_of(const fm_world *world, const char *name)
{
    return (const uint8_t *)((const fm_camera_reading *)reading(world, name))->image;
}

static void the_picture_of_a_known_scene_is_the_stored_one(void **state)
{
    (void)state;
    fm_world *world = start_probe(scene, "position='0 0 11 m' attitude='0 -8 0 deg'",
                                  "<camera width='320' height='240' shadows='true' period='1 s'/>");
    step(world, 1);
    fm_error error = {0};
    static uint8_t stored[320 * 240 * 3];
    const uint8_t *found = image_of(world, "camera");
    assert_int_equal(write_png("camera_scene.png", found, 320, 240, &error), FM_OK);
    if (read_png(TEST_DATA "/sensors/camera_scene.png", stored, 320, 240, &error) != FM_OK)
        fail_msg("%s", error.text);
    size_t off = 0;
    for (size_t i = 0; i < sizeof stored; i++)
        off += abs(found[i] - stored[i]) > 3;
    assert_less(off, sizeof stored / 500); /* edges may fall either way */
    finish(world);
}

/* Through clear water a surface of colour a, seen head-on at distance r, has lost e^(−world r). */
static void light_fades_and_haze_grows_with_distance(void **state)
{
    (void)state;
    const double far[2] = {2, 12};
    for (int i = 0; i < 2; i++) {
        char wall[256];
        snprintf(wall, sizeof wall, "<wall name='w' position='%g 0 0 m' normal='-1 0 0' colour='0.8 0.8 0.8'/>",
                 far[i]);
        fm_world *world = start_probe(wall, "position='0 0 5 m'",
                                      "<camera width='3' height='3' field-of-view='1 deg' texture='0' ambient='1' "
                                      "attenuation='0.3 0.2 0.1 1/m' downwelling='0 0 0 1/m' water='0 0.3 0.6'/>");
        step(world, 1);
        const uint8_t *p = image_of(world, "camera") + 3 * 4;
        const double water[3] = {0, 0.3, 0.6}, loss[3] = {0.3, 0.2, 0.1};
        for (int k = 0; k < 3; k++) {
            double left = exp(-loss[k] * far[i]), value = 0.8 * 0.65 * left + 0.75 * water[k] * (1 - left);
            assert_near(p[k], 255 * sqrt(value), 0.51);
        }
        finish(world);
    }
}

/* Column of the picture where a narrow bright target lies. */
static double target_column(const uint8_t *rgb, int width, int height)
{
    double sum = 0, weight = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const uint8_t *p = rgb + 3 * (y * width + x);
            if (p[0] > 100 && p[1] < 60)
                sum += x + 0.5, weight++;
        }
    assert_greater(weight, 3);
    return sum / weight;
}

static void a_stereo_pair_sees_the_disparity_of_the_distance(void **state)
{
    (void)state;
    fm_world *world =
        start_probe("<sphere name='ball' position='5 0 5 m' radius='0.2 m' colour='1 0 0'/>", "position='0 0 5 m'",
                    "<camera name='left' position='0 -0.2 0 m' width='640' height='64' texture='0' attenuation='0 0 0 "
                    "1/m' downwelling='0 0 0 1/m' water='0 0 0.1'/>"
                    "<camera name='right' position='0 0.2 0 m' width='640' height='64' texture='0' attenuation='0 0 0 "
                    "1/m' downwelling='0 0 0 1/m' water='0 0 0.1'/>");
    step(world, 1);
    double focal = 320 / tan(30 * DEGREE), disparity = target_column(image_of(world, "left"), 640, 64) -
                                                       target_column(image_of(world, "right"), 640, 64);
    assert_near(disparity, focal * 0.4 / 5, 0.5);
    finish(world);
}

static void a_picture_of_640_by_480_is_drawn_quickly(void **state)
{
    (void)state;
    fm_world *world =
        start_probe("<bottom depth='14 m'/><sphere name='ball' position='6 -1.5 12.6 m' radius='0.7 m'/><box "
                    "name='crate' position='7 1.2 13.3 m' size='1.2 1.2 1.4 m'/>",
                    "position='0 0 11 m' attitude='0 -8 0 deg'", "<camera/>");
    struct timespec a, b;
    step(world, 1);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    step(world, 3);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    double each = ((double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec)) / 3;
    print_message("%.1f ms a picture\n", 1e3 * each);
    assert_less(each, 2); /* `fathom bench` holds it to 60 ms */
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_picture_of_a_known_scene_is_the_stored_one),
                                       cmocka_unit_test(light_fades_and_haze_grows_with_distance),
                                       cmocka_unit_test(a_stereo_pair_sees_the_disparity_of_the_distance),
                                       cmocka_unit_test(a_picture_of_640_by_480_is_drawn_quickly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
