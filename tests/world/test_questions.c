/* What programs ask of a world: water, obstacles, rays and names of sound (fathom/sea.h), and what guidances know
 * (fathom/guidance.h). */
#include <fathom/guidance.h>
#include <fathom/sea.h>

#include "support/scenario.h"

/* --- water --- */

static const char warm_sea[] =
    "<fathom version='1'><world dt='0.1 s'><current velocity='0.3 -0.2 0 m/s'/><bottom depth='40 m'/>"
    "<water density='1025 kg/m3'><temperature surface='18 degC' z1='10 m' z2='35 m' slope1='-0.2 K/m' slope2='-0.02 "
    "K/m'><spot amplitude='2 K' centre='0 0 25 m' sigma='20 20 4 m'/></temperature></water></world></fathom>";

static void the_water_at_a_place_is_that_of_the_scenario(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_water_info w;
    fm_world *world = start(warm_sea);
    assert_int_equal(fm_world_water(world, (double[]){500, 0, 20}, &w, &error), FM_OK);
    assert_near(w.temperature, 18 - 0.2 * 10, 1e-9);
    assert_near(w.salinity, 35, 1e-9);
    assert_near(w.velocity[0], 0.3, 1e-12);
    assert_near(w.velocity[1], -0.2, 1e-12);
    assert_near(w.bottom, 40, 1e-12);
    assert_near(w.pressure, 101325 + 1025 * 9.81 * 20, 2e3);
    assert_int_equal(fm_world_water(world, (double[]){0, 0, 25}, &w, &error), FM_OK);
    assert_near(w.temperature, 18 - 0.2 * 15 + 2, 1e-9);
    finish(world);
}

static void water_at_no_place_is_refused(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_water_info w = {.temperature = 1};
    fm_world *world = start(warm_sea);
    assert_int_equal(fm_world_water(world, (double[]){0, NAN, 0}, &w, &error), FM_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "not finite"));
    assert_near(w.temperature, 0, 0);
    assert_int_equal(fm_world_water(NULL, (double[]){0, 0, 0}, &w, &error), FM_ERR_ARGUMENT);
    finish(world);
}

/* --- obstacles --- */

static void obstacles_are_listed_in_the_order_of_the_scenario_where_they_are_now(void **state)
{
    (void)state;
    fm_world *world =
        start("<fathom version='1'><world dt='0.5 s'><sphere name='ball' position='1 2 3 m' radius='4 m'/>"
              "<box name='wreck' position='10 0 5 m' size='6 22 9.5 m' attitude='0 0 90 deg'/>"
              "<sphere name='fish' position='0 0 9 m' radius='0.5 m'><track t='0 10 s' x='0 20 m' y='0 0 m' z='9 9 m'/>"
              "</sphere></world></fathom>");
    step(world, 10);
    assert_int_equal(fm_world_obstacle_count(world), 3);
    const fm_obstacle_info ball = fm_world_obstacle(world, 0), wreck = fm_world_obstacle(world, 1),
                           fish = fm_world_obstacle(world, 2);
    assert_string_equal(ball.name, "ball");
    assert_string_equal(ball.shape, "sphere");
    assert_near(ball.size[0], 4, 0);
    assert_near(ball.position[1], 2, 0);
    assert_string_equal(wreck.shape, "box");
    assert_near(wreck.size[1], 11, 1e-12);
    assert_near(wreck.rotation[3], 1, 1e-12); /* its x axis points east */
    assert_int_equal(wreck.moves, 0);
    assert_int_equal(fish.moves, 1);
    assert_near(fish.position[0], 2 * fm_world_time(world), 1e-9);
    assert_null(fm_world_obstacle(world, 3).name);
    finish(world);
}

/* --- sound --- */

#define EAR "<mass mass='100 kg' inertia='10 10 10 kg*m2'/><buoyancy force='980.665 N'/>"

/* In water of one temperature and salinity sound gains 0.016 to 0.018 m/s per metre by the pressure: rays are arcs of
 * circles, R = c / (g cos), bent upwards. */
static void a_ray_in_even_water_is_an_arc_bent_upwards(void **state)
{
    (void)state;
    fm_world *world =
        start("<fathom version='1'><world dt='0.1 s'><bottom depth='3000 m'/><water><temperature surface='15 degC' "
              "slope1='0 K/m' slope2='0 K/m'/></water><acoustics speed='column' paths='rays'/></world>"
              "<vehicle name='a' position='0 0 900 m'>" EAR "<transducer/></vehicle></fathom>");
    double p[101][2];
    fm_water_info above, below;
    fm_world_water(world, (double[]){0, 0, 800}, &above, NULL);
    fm_world_water(world, (double[]){0, 0, 1000}, &below, NULL);
    const double gradient = (below.sound_speed - above.sound_speed) / 200,
                 radius = 0.5 * (above.sound_speed + below.sound_speed) / gradient;
    assert_int_equal(fm_world_sound_ray(world, 900, 0, 20, p, 101), 101);
    assert_near(p[0][0], 0, 0);
    assert_near(p[0][1], 900, 0);
    assert_near(p[100][0], 2000, 1e-6);
    assert_near(p[100][1], 900 - 2000.0 * 2000.0 / (2 * radius), 0.1);
    finish(world);
}

static void a_ray_ends_at_the_surface_and_a_world_without_sound_has_none(void **state)
{
    (void)state;
    double p[100][2];
    fm_world *world = start("<fathom version='1'><world dt='0.1 s'><bottom depth='100 m'/><acoustics speed='column' "
                            "paths='rays'/></world><vehicle name='a' position='0 0 50 m'>" EAR
                            "<transducer name='voice'/></vehicle></fathom>"),
             *silent = start(warm_sea);
    const size_t count = fm_world_sound_ray(world, 50, -45 * DEGREE, 10, p, 100);
    assert_in_range(count, 5, 7); /* 50 m along */
    assert_near(p[3][1], 20, 0.2);
    assert_int_equal(fm_world_sound_ray(silent, 50, 0, 10, p, 100), 0);
    assert_int_equal(fm_world_sound_ray(world, 50, 0, 0, p, 100), 0);
    assert_string_equal(fm_world_transducer(world, 0, 0), "voice");
    assert_null(fm_world_transducer(world, 0, 1));
    assert_null(fm_world_transducer(world, 1, 0));
    finish(world);
    finish(silent);
}

/* --- guidances --- */

static void the_map_of_a_planner_has_the_reef_and_nothing_else(void **state)
{
    (void)state;
    enum { ROOM = 4096 };
    static double cells[ROOM][2];
    fm_world *world = start_scenario("remus-reef-planned", NULL);
    assert_int_equal(fm_world_planner_map(world, "remus", NULL, cells, ROOM), 0);
    run_until(world, 40);
    const size_t count = fm_world_planner_map(world, "remus", NULL, cells, ROOM);
    assert_in_range(count, 5, ROOM);
    assert_int_equal(fm_world_planner_map(world, "remus", "planner", NULL, 0), count);
    for (size_t i = 0; i < count; i++) {
        double nearest = INFINITY;
        for (size_t k = 0; k < fm_world_obstacle_count(world); k++) {
            const fm_obstacle_info o = fm_world_obstacle(world, k);
            const double size = strcmp(o.shape, "sphere") == 0 ? o.size[0] : hypot(o.size[0], o.size[1]);
            nearest = fmin(nearest, hypot(cells[i][0] - o.position[0], cells[i][1] - o.position[1]) - size);
        }
        below("distance of a cell from the reef, m", nearest, 2); /* navigation drifts, a cell is 1 m wide */
    }
    assert_int_equal(fm_world_planner_map(world, "remus", "pilot", cells, ROOM), 0);
    assert_int_equal(fm_world_planner_map(world, "triton", NULL, cells, ROOM), 0);
    finish(world);
}

/* (R10), typed again. */
static double weight(double near, double end, double range, double bearing)
{
    if (range >= 20 || fabs(bearing) > 10 * DEGREE)
        return 0;
    return (near + (end - near) * range / 20) * 0.5 * (1 + cos(0.5 * 180 * DEGREE * bearing / (10 * DEGREE)));
}

static void a_return_is_weighed_by_the_parameters_in_force(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_world *world = start_scenario("remus-rise", NULL);
    const double ranges[] = {0, 5, 19.9, 20.1}, bearings[] = {-9 * DEGREE, 0, 4 * DEGREE, 10.1 * DEGREE};
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 4; k++)
                assert_near(fm_world_return_weight(world, "remus", pass ? "avoid" : NULL, ranges[i], bearings[k]),
                            weight(pass ? 0.4 : 0.2, 0.15, ranges[i], bearings[k]), 1e-12);
        assert_int_equal(fm_world_set(world, "/remus/avoid/weight", 0.4, &error), FM_OK);
        step(world, 1);
    }
    assert_true(isnan(fm_world_return_weight(world, "remus", "sonar", 1, 0)));
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_water_at_a_place_is_that_of_the_scenario),
        cmocka_unit_test(water_at_no_place_is_refused),
        cmocka_unit_test(obstacles_are_listed_in_the_order_of_the_scenario_where_they_are_now),
        cmocka_unit_test(a_ray_in_even_water_is_an_arc_bent_upwards),
        cmocka_unit_test(a_ray_ends_at_the_surface_and_a_world_without_sound_has_none),
        cmocka_unit_test(the_map_of_a_planner_has_the_reef_and_nothing_else),
        cmocka_unit_test(a_return_is_weighed_by_the_parameters_in_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
