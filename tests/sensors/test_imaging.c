/* Imaging sonars, and bottoms from files, against closed forms. */
#include "sensors/probe.h"

#include <unistd.h>

#include "sensors/echo_image.h"

static int level_at(const fm_world *world, const char *name, int beams, int bins, int beam, int bin)
{
    const fm_echo_reading *r = reading(world, name);
    return ((const uint8_t *)(r->values.image + 3 * beams + bins))[bin * beams + beam];
}

/* A wall 10.05 m ahead: the beam at azimuth a hears it at 10.05/cos a with intensity reflectivity · cos a. */
static void a_multibeam_sees_a_wall_in_the_right_bins(void **state)
{
    (void)state;
    fm_world *world =
        start_probe("<wall name='w' position='10.05 0 0 m' normal='-1 0 0' reflectivity='0.8'/>", "position='0 0 10 m'",
                    "<multibeam beams='31' bins='100' range='20 m' sector='60 deg' beam-height='0 deg' rays='1'/>"
                    "<multibeam name='deaf' beams='31' bins='100' range='20 m' sector='60 deg' beam-height='0 deg' "
                    "rays='1' threshold='0.75'/>");
    step(world, 1);
    for (int beam = 0; beam < 31; beam++) {
        double a = (-30 + 2 * beam) * DEGREE;
        for (int bin = 0; bin < 100; bin++) {
            int wanted = bin == (int)(10.05 / cos(a) / 0.2) ? (int)floor(255 * 0.8 * cos(a) + 0.5) : 0;
            assert_int_equal(level_at(world, "multibeam", 31, 100, beam, bin), wanted);
            assert_int_equal(level_at(world, "deaf", 31, 100, beam, bin), 0.8 * cos(a) >= 0.75 ? wanted : 0);
        }
    }
    finish(world);
}

static void a_frame_is_held_over_its_interval(void **state)
{
    (void)state;
    fm_world *world = start_probe(
        "<wall name='w' position='10.05 0 0 m' normal='-1 0 0'/>", "position='0 0 10 m' velocity='1 0 0 m/s'",
        "<multibeam beams='3' bins='200' range='20 m' rays='1' beam-height='0 deg' period='0.5 s'/>");
    step(world, 50);
    assert_greater(level_at(world, "multibeam", 3, 200, 1, 100), 0); /* still the picture of t = 0 */
    step(world, 1);
    assert_same(level_at(world, "multibeam", 3, 200, 1, 100), 0);
    assert_greater(level_at(world, "multibeam", 3, 200, 1, 95), 0);
    finish(world);
}

static void a_scanning_head_turns_a_step_with_each_ping(void **state)
{
    (void)state;
    fm_world *world = start_probe("<sphere name='s' position='0 6 10 m' radius='1 m'/>", "position='0 0 10 m'",
                                  "<scanning-sonar step='10 deg' rays='1' beam-height='0 deg' bins='100' range='10 "
                                  "m'/><scanning-sonar name='sector' scan='40 deg' step='10 deg' rays='1'/>");
    for (int ping = 0; ping < 40; ping++) {
        step(world, 1);
        assert_near(((const fm_echo_reading *)reading(world, "scanning-sonar"))->values.heading,
                    (ping % 36) * 10 * DEGREE, 1e-9);
        assert_int_equal(level_at(world, "scanning-sonar", 1, 100, 0, 50) > 0, ping % 36 == 9);
        int k = ping % 8, wanted = k <= 4 ? k * 10 - 20 : 60 - k * 10;
        assert_near(((const fm_echo_reading *)reading(world, "sector"))->values.heading, wanted * DEGREE, 1e-9);
    }
    finish(world);
}

static void a_side_scan_hears_nothing_nearer_than_the_altitude(void **state)
{
    (void)state;
    fm_world *world = start_probe("<bottom depth='20 m'/>", "position='0 0 10 m'",
                                  "<side-scan bins='100' range='50 m' rays='2000'/>");
    step(world, 1);
    for (int bin = 0; bin < 20; bin++) /* 10 / sin 85° = 10.04 m is its first echo */
        assert_int_equal(level_at(world, "side-scan", 2, 100, 0, bin) + level_at(world, "side-scan", 2, 100, 1, bin),
                         0);
    assert_greater(level_at(world, "side-scan", 2, 100, 0, 20), 0);
    assert_greater(level_at(world, "side-scan", 2, 100, 1, 20), 0);
    assert_int_equal(level_at(world, "side-scan", 2, 100, 0, 40),
                     level_at(world, "side-scan", 2, 100, 1, 40)); /* both sides alike */
    finish(world);
}

static void a_profile_of_a_flat_bottom_is_h_over_cosine(void **state)
{
    (void)state;
    fm_world *world = start_probe("<bottom depth='20 m'/>", "position='0 0 10 m'",
                                  "<profiling-sonar attitude='0 -90 0 deg' sector='80 deg' points='9'/>");
    step(world, 9);
    const double *ranges = (const double *)reading(world, "profiling-sonar") + 3 + 7;
    for (int i = 0; i < 9; i++)
        assert_near(ranges[i], 10 / cos((-40 + 10 * i) * DEGREE), 1e-9);
    finish(world);
}

/* Range to a Gaussian mound straight below and at a slant, by bisection in long steps of its own. */
static void rays_meet_mounds_where_the_formula_says(void **state)
{
    (void)state;
    fm_world *world = start_probe(
        "<bottom depth='20 m'><mound height='-6 m' centre='8 0 0 m' sigma='2 2 1 m'/></bottom>", "position='0 0 15 m'",
        "<sonar rays='1' half-angle='0 deg' attitude='0 -15 0 deg'/><echosounder position='8 0 0 m'/>");
    step(world, 1);
    double low = 0, high = 10;
    for (int i = 0; i < 100; i++) {
        double t = 0.5 * (low + high), x = t * cos(15 * DEGREE), z = 15 + t * sin(15 * DEGREE);
        *(20 - 6 * exp(-(x - 8) * (x - 8) / 8) > z ? &low : &high) = t;
    }
    assert_near(range_of(world, "sonar"), low, 1e-8);
    assert_near(range_of(world, "echosounder"), 0, 1e-12); /* 15 m is inside the mound, which reaches up to 14 m */
    finish(world);
}

/* A tilted plane written as an OBJ: depth, echo and slant echo are those of the plane. */
static void a_bottom_from_a_mesh_file_is_where_its_triangles_are(void **state)
{
    (void)state;
    FILE *file = fopen("floor.obj", "w");
    fputs("v -100 -100 20\nv 100 -100 40\nv 100 100 40\nv -100 100 20\nf 1 2 3\nf 1 3 4\n", file); /* 30 + x/10 */
    fclose(file);
    char bottom[512], folder[256];
    assert_non_null(getcwd(folder, sizeof folder));
    snprintf(bottom, sizeof bottom, "<bottom><mesh file='%s/floor.obj'/></bottom>", folder);
    fm_world *world =
        start_probe(bottom, "position='10 3 10 m'",
                    "<echosounder/><echosounder name='formula' mode='formula'/><sonar rays='1' half-angle='0 "
                    "deg' attitude='0 -45 0 deg' range='100 m'/>");
    step(world, 1);
    assert_near(range_of(world, "echosounder"), 21, 1e-9);
    assert_near(range_of(world, "formula"), 21, 1e-9);
    assert_near(range_of(world, "sonar"), 21 * sqrt(2) / 0.9, 1e-9);
    finish(world);
}

static void a_bottom_needs_a_depth_or_a_file(void **state)
{
    (void)state;
    fm_error error = {0};
    const char *none = "<fathom version='1'><world><bottom/></world></fathom>";
    assert_null(try_load(none, &error));
    assert_non_null(strstr(error.text, "depth"));
    error = (fm_error){0};
    const char *missing =
        "<fathom version='1'><world><bottom><heightmap file='nowhere.png'/></bottom></world></fathom>";
    assert_null(try_load(missing, &error));
    if (!strstr(error.text, "nowhere.png"))
        fail_msg("%s", error.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_multibeam_sees_a_wall_in_the_right_bins),
                                       cmocka_unit_test(a_frame_is_held_over_its_interval),
                                       cmocka_unit_test(a_scanning_head_turns_a_step_with_each_ping),
                                       cmocka_unit_test(a_side_scan_hears_nothing_nearer_than_the_altitude),
                                       cmocka_unit_test(a_profile_of_a_flat_bottom_is_h_over_cosine),
                                       cmocka_unit_test(rays_meet_mounds_where_the_formula_says),
                                       cmocka_unit_test(a_bottom_from_a_mesh_file_is_where_its_triangles_are),
                                       cmocka_unit_test(a_bottom_needs_a_depth_or_a_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
