/* Gravity and the plane of the bottom change in a run, and all that hangs on them follows. */
#include "support/scenario.h"

#include "environment/environment.h"
#include "world/stream.h"
#include "world/tether.h"
#include "world/world.h"

#define BALL(depth)                                                                                                    \
    "<vehicle name='v' model='wavesim-buoy' position='0 0 " depth " m'><mass mass='200 kg' centre='0 0 0 "             \
    "m'/></vehicle>"

static const double ball_mass = 200, ball_added = 28.98, ball_volume = M_PI / 6 * 0.6 * 0.6 * 0.6;

/* In the air nothing but gravity moves it: v = ∫ g dt, z = ∫ v dt, whatever its mass. */
static void a_dropped_ball_falls_by_the_gravity_of_each_moment(void **unused)
{
    (void)unused;
    static const double gravity[] = {9.80665, 1.62, 24.79, 3.71};
    fm_world *world = start("<fathom version='1'><world dt='0.01 s' duration='60 s'/>" BALL("-60") "</fathom>");
    double v = 0, z = -60;
    for (size_t i = 0; i < FM_COUNT(gravity); i++) {
        if (i)
            set_live(world, "/world/gravity", gravity[i]);
        step(world, 50);
        z += 0.5 * v + 0.5 * gravity[i] * 0.25;
        v += 0.5 * gravity[i];
        near("speed", pose_of(world, 0).velocity[2], v, 1e-9);
        near("depth", pose_of(world, 0).position[2], z, 1e-9);
    }
    finish(world);
}

/* Under water: (m − ρV) g against the mass and the added mass. */
static void a_sinking_ball_starts_with_its_weight_in_water_over_its_virtual_mass(void **unused)
{
    (void)unused;
    for (double gravity = 1; gravity < 60; gravity *= 3) {
        fm_world *world = start("<fathom version='1'><world dt='0.0001 s' duration='60 s'/>" BALL("30") "</fathom>");
        set_live(world, "/world/gravity", gravity);
        step(world, 1);
        double expected = (ball_mass - 1025 * ball_volume) * gravity / (ball_mass + ball_added);
        near("acceleration", pose_of(world, 0).velocity[2] / 1e-4, expected, 1e-3 * expected);
        finish(world);
    }
}

/* What is set before the first step is as if it had been loaded: hulls that float, dive and are moored, ballast and
 * moving masses, waves, instruments. */
static void a_world_under_another_gravity_moves_as_one_that_was_loaded_with_it(void **unused)
{
    (void)unused;
    static const char text[] =
        "<fathom version='1'><world dt='0.02 s' duration='60 s'><waves><wave amplitude='0.4 m' period='5 s' "
        "direction='30 deg'/><jonswap height='0.5 m' period='4 s' components='20'/></waves></world>"
        "<vehicle name='buoy' model='wavesim-buoy' position='0 0 0.1 m'/>"
        "<vehicle name='rov' model='bluerov2' position='4 0 6 m'><ballast name='tank' limit='2 kg' rate='1 kg/s' "
        "position='0.1 0 0 m'/><moving-mass name='slider' mass='1 kg' limit='0.1 m' rate='50 mm/s'/><imu/>"
        "<orders><at t='0.1 s' tank='1 kg' slider='0.05 m'/></orders></vehicle>"
        "<tether name='cable' from='buoy' to='rov' length='9 m' mass='0.3 kg/m'/></fathom>";
    fm_world *loaded_so = create(load_with(text, (const char *const[]){"/world/gravity=4.2 m/s2", NULL}), 1),
             *set_so = start(text), *as_it_was = start(text);
    set_live(set_so, "/world/gravity", 4.2);
    run_until(loaded_so, 4);
    run_until(set_so, 4);
    run_until(as_it_was, 4);
    for (int slot = 0; slot < 2; slot++) {
        const fm_pose a = pose_of(loaded_so, slot), b = pose_of(set_so, slot), other = pose_of(as_it_was, slot);
        for (int i = 0; i < 3; i++)
            near("position", b.position[i], a.position[i], 1e-9);
        assert_greater(fabs(other.position[2] - a.position[2]), 1e-3);
    }
    near("specific force", column_of(set_so, 1, "imu.linear_acceleration[2]"),
         column_of(loaded_so, 1, "imu.linear_acceleration[2]"), 1e-9);
    assert_nearer(column_of(as_it_was, 1, "imu.linear_acceleration[2]"), -9.8, 3);
    assert_nearer(column_of(set_so, 1, "imu.linear_acceleration[2]"), -4.2, 2);
    finish(loaded_so);
    finish(set_so);
    finish(as_it_was);
}

/* (O5.1) in deep water: k = ω²/g, so that the motion at depth z is a ω e^(−kz). */
static void waves_keep_their_period_and_change_their_length(void **unused)
{
    (void)unused;
    fm_world *world = start("<fathom version='1'><world dt='0.01 s' duration='60 s'><waves><wave amplitude='0.5 m' "
                            "period='6 s'/></waves></world>" BALL("30") "</fathom>");
    static const double gravity[] = {9.80665, 3, 20};
    for (size_t i = 0; i < FM_COUNT(gravity); i++) {
        double most = 0, omega = 2 * M_PI / 6, velocity[3];
        set_live(world, "/world/gravity", gravity[i]);
        for (int k = 0; k < 600; k++) {
            step(world, 1);
            fm_stream_velocity(world, (const double[3]){0, 0, 5}, velocity);
            most = fmax(most, fabs(velocity[0]));
        }
        double expected = 0.5 * omega * exp(-omega * omega / gravity[i] * 5);
        near("orbital speed", most, expected, 1e-4 * expected);
    }
    finish(world);
}

/* The diving model: heave starts with (W − B) over the mass, and both are g times something. */
static void a_diving_model_feels_it_too(void **unused)
{
    (void)unused;
    double rise[2];
    for (int i = 0; i < 2; i++) {
        fm_world *world = start("<fathom version='1'><world dt='0.001 s' duration='60 s'/><vehicle name='v' "
                                "model='remus-diving' position='0 0 20 m'/></fathom>");
        if (i)
            set_live(world, "/world/gravity", 3 * 9.80665);
        step(world, 1);
        rise[i] = pose_of(world, 0).velocity[2];
        finish(world);
    }
    assert_less(rise[0], 0);
    near("heave", rise[1], 3 * rise[0], 1e-3 * fabs(rise[0]));
}

/* A tether at rest bears its weight in water: the tension at the upper end is that, at the lower none. */
static void a_hanging_cable_pulls_by_its_weight_in_water(void **unused)
{
    (void)unused;
    fm_world *world = start("<fathom version='1'><world dt='0.01 s' duration='600 s' energy-check='0.1'><water "
                            "surface='none'/></world><vehicle name='block' position='0.2 0 5 m'><mass mass='1e8 kg' "
                            "inertia='1e9 1e9 1e9 kg*m2'/></vehicle><tether name='cable' from-point='0 0 5 m' "
                            "to='block' length='10 m' mass='0.5 kg/m' stiffness='50000 N' damping='200 N*s' "
                            "pieces='20'/></fathom>");
    const fm_tethers *tethers = fm_subsystem_config(fm_world_model(world), FM_SUBSYSTEM_TETHERS);
    for (double gravity = 9.80665; gravity > 2; gravity /= 3) {
        set_live(world, "/world/gravity", gravity);
        run_until(world, fm_world_time(world) + 40);
        double weight = tethers->list[0].cable.wet_mass * gravity * 10;
        near("tension", fm_tether_tension(world, &tethers->list[0]), weight / 2, 0.01 * weight);
    }
    finish(world);
}

static void a_reset_brings_back_the_gravity_of_the_scenario(void **unused)
{
    (void)unused;
    fm_error error = {0};
    fm_model *model = load_scenario("phoenix-ballast", NULL);
    fm_world *one = create(model, 1), *two = create(model, 1);
    set_live(one, "/world/gravity", 2);
    step(one, 100);
    assert_int_equal(fm_world_reset(one, &error), FM_OK);
    step(one, 300);
    step(two, 300);
    assert_memory_equal(&(fm_pose[]){pose_of(one, 0)}, &(fm_pose[]){pose_of(two, 0)}, sizeof(fm_pose));
    fm_world_free(one);
    fm_world_free(two);
    fm_model_free(model);
}

static void a_saved_world_brings_its_gravity_along(void **unused)
{
    (void)unused;
    fm_error error = {0};
    fm_model *model = load_scenario("phoenix-ballast", NULL);
    fm_world *one = create(model, 1), *two = create(model, 1);
    set_live(one, "/world/gravity", 2);
    step(one, 100);
    const size_t size = fm_world_state_size(one);
    void *saved = malloc(size);
    assert_int_equal(fm_world_save(one, saved, size, &error), FM_OK);
    assert_int_equal(fm_world_restore(two, saved, size, &error), FM_OK);
    step(one, 100);
    step(two, 100);
    assert_same(fm_world_hash(one), fm_world_hash(two));
    free(saved);
    fm_world_free(one);
    fm_world_free(two);
    fm_model_free(model);
}

/* --- the bottom and the column --- */

static void a_plane_that_rises_and_tilts_is_seen_and_touched(void **unused)
{
    (void)unused;
    fm_world *world = start("<fathom version='1'><world dt='0.02 s' duration='600 s'><bottom depth='40 m'/></world>"
                            "<vehicle name='v' model='wavesim-buoy' position='3 2 8 m'><mass mass='200 kg' centre='0 0 "
                            "0 m'/><contact response='impulse' friction='1'/><echosounder mode='formula' range='100 "
                            "m'/></vehicle></fathom>");
    set_live(world, "/bottom/depth", 12);
    step(world, 2);
    near("range", column_of(world, 0, "echosounder.range"), 12 - pose_of(world, 0).position[2], 0.02);
    run_until(world, 60);
    near("at rest on it", pose_of(world, 0).position[2], 12 - 0.3, 0.02);
    set_live(world, "/bottom/slope_north", 0.5);
    set_live(world, "/bottom/slope-east", -0.25);
    step(world, 1);
    near("depth there", fm_environment_depth(world->environment, 3, 2), 12 + 1.5 - 0.5, 1e-12);
    finish(world);
}

static void a_bottom_by_nodes_has_no_plane_to_move(void **unused)
{
    (void)unused;
    fm_error error = {0};
    fm_world *world = start("<fathom version='1'><world dt='0.02 s'><bottom depth='40 m'><nodes depths='10 20 m'/>"
                            "</bottom></world>" BALL("5") "</fathom>");
    assert_int_equal(fm_world_set(world, "/bottom/depth", 12, &error), FM_ERR_NAME);
    assert_non_null(strstr(error.text, "fixed when the scenario is loaded"));
    finish(world);
}

/* T0, z1, z2, s1, s2 and P0, P1, P2 as WaVeSim has them. */
static void profiles_and_pressure_are_what_the_ctd_measures(void **unused)
{
    (void)unused;
    fm_world *world = start("<fathom version='1'><world dt='0.05 s'><bottom depth='90 m'/></world><vehicle name='v' "
                            "model='lauv' position='0 0 30 m'><ctd/></vehicle></fathom>");
    static const struct {
        const char *path;
        double value;
    } changes[] = {
        {"/water/temperature/surface", 25},  {"/water/temperature/z1", 5},       {"/water/temperature/z2", 10},
        {"/water/temperature/slope1", -0.4}, {"/water/temperature/slope2", 0.1}, {"/water/salinity/surface", 30},
        {"/water/pressure/p0", 9e4},         {"/water/pressure/p1", 5000},       {"/water/pressure/p2", 0.5}};
    for (size_t i = 0; i < FM_COUNT(changes); i++)
        set_live(world, changes[i].path, changes[i].value);
    step(world, 2);
    double z = pose_of(world, 0).position[2];
    near("temperature", column_of(world, 0, "ctd.temperature"), 25 - 0.4 * 5 + 0.1 * (z - 10), 2e-3);
    near("salinity", column_of(world, 0, "ctd.salinity"), 30, 2e-3);
    near("pressure", column_of(world, 0, "ctd.pressure"), 9e4 + 5000 * z + 0.5 * z * z, 30);
    set_live(world, "/water/temperature/z1", 15); /* the second slope begins where the first would end */
    step(world, 1);
    near("temperature", column_of(world, 0, "ctd.temperature"), 25 + 0.1 * (z - 15), 2e-3);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dropped_ball_falls_by_the_gravity_of_each_moment),
        cmocka_unit_test(a_sinking_ball_starts_with_its_weight_in_water_over_its_virtual_mass),
        cmocka_unit_test(a_world_under_another_gravity_moves_as_one_that_was_loaded_with_it),
        cmocka_unit_test(waves_keep_their_period_and_change_their_length),
        cmocka_unit_test(a_diving_model_feels_it_too),
        cmocka_unit_test(a_hanging_cable_pulls_by_its_weight_in_water),
        cmocka_unit_test(a_reset_brings_back_the_gravity_of_the_scenario),
        cmocka_unit_test(a_saved_world_brings_its_gravity_along),
        cmocka_unit_test(a_plane_that_rises_and_tilts_is_seen_and_touched),
        cmocka_unit_test(a_bottom_by_nodes_has_no_plane_to_move),
        cmocka_unit_test(profiles_and_pressure_are_what_the_ctd_measures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
