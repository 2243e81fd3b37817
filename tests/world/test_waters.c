/* The sea changes in a run: density, sound, spots and mounds are live parameters, and what is measured follows them. */
#include "support/scenario.h"

#define SEA                                                                                                            \
    "<fathom version='1'><world dt='0.05 s' duration='600 s'><water density='1025 kg/m3'>"                             \
    "<temperature surface='18 degC' z1='5 m' z2='20 m' slope1='-0.3 K/m' slope2='-0.02 K/m'>"                          \
    "<spot amplitude='2 K' centre='3 0 10 m' sigma='4 5 2 m'/></temperature>"                                          \
    "<salinity surface='35'><spot amplitude='1' centre='0 0 10 m' sigma='4 4 4 m'/></salinity></water>"                \
    "<bottom depth='30 m'><mound height='-4 m' centre='2 1 0 m' sigma='6 8 1 m'/></bottom></world>"

/* A stone that nothing moves: it hangs at the origin in 10 m depth. */
static fm_world *look(void)
{
    fm_world *world = start(SEA "<vehicle name='v' model='lauv' position='0 0 10 m'><ctd/><echosounder mode='formula' "
                                "range='100 m'/><dvl range='100 m'/></vehicle></fathom>");
    step(world, 2);
    return world;
}

static double profile(double z)
{
    return z <= 5 ? 18 : z <= 20 ? 18 - 0.3 * (z - 5) : 18 - 0.3 * 15 - 0.02 * (z - 20);
}

static double hill(double top, const double off[3], const double sigma[3], int axes)
{
    double sum = 0;
    for (int i = 0; i < axes; i++)
        sum += off[i] * off[i] / (2 * sigma[i] * sigma[i]);
    return top * exp(-sum);
}

static void a_spot_that_grows_moves_and_spreads_is_what_the_ctd_measures(void **unused)
{
    (void)unused;
    fm_world *world = look();
    double at[3] = {3, 0, 10}, sigma[3] = {4, 5, 2}, top = 2;
    static const struct {
        const char *path;
        double value;
    } changes[] = {{"/water/temperature/spot/amplitude", -1.5}, {"/water/temperature/spot/centre/x", 1},
                   {"/water/temperature/spot/centre/y", -2},    {"/water/temperature/spot/centre/z", 11},
                   {"/water/temperature/spot/sigma/x", 2},      {"/water/temperature/spot/sigma/y", 3},
                   {"/water/temperature/spot/sigma/z", 1}};
    double *const numbers[] = {&top, &at[0], &at[1], &at[2], &sigma[0], &sigma[1], &sigma[2]};
    for (size_t i = 0; i <= FM_COUNT(changes); i++) {
        const fm_pose pose = pose_of(world, 0);
        const double *p = pose.position;
        const double off[3] = {p[0] - at[0], p[1] - at[1], p[2] - at[2]};
        near("temperature", column_of(world, 0, "ctd.temperature"), profile(p[2]) + hill(top, off, sigma, 3), 2e-4);
        if (i == FM_COUNT(changes))
            break;
        set_live(world, changes[i].path, changes[i].value);
        *numbers[i] = changes[i].value;
        step(world, 1);
    }
    finish(world);
}

static void a_spot_of_salt_reaches_the_salinity(void **unused)
{
    (void)unused;
    fm_world *world = look();
    near("salinity", column_of(world, 0, "ctd.salinity"), 36, 1e-3);
    set_live(world, "/water/salinity/spot/amplitude", 0);
    step(world, 1);
    near("salinity without the spot", column_of(world, 0, "ctd.salinity"), 35, 1e-3);
    finish(world);
}

static void a_mound_that_grows_is_under_the_echosounder(void **unused)
{
    (void)unused;
    fm_world *world = look();
    const double sigma[3] = {6, 8, 1}, off[3] = {-2, -1, 0};
    const double z = pose_of(world, 0).position[2];
    near("range", column_of(world, 0, "echosounder.range"), 30 + hill(-4, off, sigma, 2) - z, 2e-3);
    set_live(world, "/bottom/mound/height", -12);
    step(world, 1);
    near("range", column_of(world, 0, "echosounder.range"), 30 + hill(-12, off, sigma, 2) - z, 2e-3);
    set_live(world, "/bottom/mound/centre/x", 0);
    set_live(world, "/bottom/mound/centre/y", 0);
    step(world, 1);
    near("range on its top", column_of(world, 0, "echosounder.range"), 18 - z, 2e-3);
    set_live(world, "/bottom/mound/sigma/x", 0.5);
    set_live(world, "/bottom/mound/centre/x", 50);
    step(world, 1);
    near("range off it", column_of(world, 0, "echosounder.range"), 30 - z, 2e-3);
    finish(world);
}

/* Rays and contact see it too: a sphere at rest on the bottom is lifted by a mound that grows under it. */
static void a_mound_that_grows_is_touched(void **unused)
{
    (void)unused;
    fm_world *world = start("<fathom version='1'><world dt='0.02 s' duration='600 s'><bottom depth='12 m'><mound "
                            "height='-0.1 m' centre='0 0 0 m' sigma='9 9 1 m'/></bottom></world><vehicle name='v' "
                            "model='wavesim-buoy' position='0 0 8 m'><mass mass='200 kg'/><contact response='impulse' "
                            "clearance='true'/></vehicle></fathom>");
    run_until(world, 60);
    near("at rest on the bottom", pose_of(world, 0).position[2], 11.9 - 0.3, 0.02);
    for (int i = 1; i <= 100; i++) {
        set_live(world, "/bottom/mound/height", -0.1 - 0.02 * i);
        step(world, 10);
    }
    run_until(world, fm_world_time(world) + 20);
    const fm_pose pose = pose_of(world, 0);
    const double *p = pose.position, off[3] = {p[0], p[1], 0}, sigma[3] = {9, 9, 1};
    near("lifted", p[2], 12 + hill(-2.1, off, sigma, 2) - 0.3, 0.03);
    finish(world);
}

/* Archimedes: ρ g V less the weight, against the drag, is the force that starts it. */
static void lighter_water_lets_a_neutral_vehicle_sink(void **unused)
{
    (void)unused;
    fm_world *world =
        start("<fathom version='1'><world dt='0.01 s' duration='60 s'><water density='1025 kg/m3'/></world>"
              "<vehicle name='v' model='wavesim-buoy' position='0 0 20 m'><mass mass='115.924769 kg'/>"
              "</vehicle></fathom>");
    run_until(world, 5);
    near("neutral", pose_of(world, 0).velocity[2], 0, 1e-4);
    set_live(world, "/water/density", 1000);
    step(world, 1);
    const double volume = M_PI / 6 * 0.6 * 0.6 * 0.6, force = 9.80665 * (115.924769 - 1000 * volume),
                 mass = 115.924769 + 28.98;
    near("first acceleration", (pose_of(world, 0).velocity[2]) / 0.01, force / mass, 0.02 * force / mass);
    set_live(world, "/water/density", 1025);
    run_until(world, 50);
    near("neutral again", pose_of(world, 0).velocity[2], 0, 1e-3);
    finish(world);
}

static void the_sound_speed_follows_its_parameters(void **unused)
{
    (void)unused;
    fm_world *world = look();
    const double sea = column_of(world, 0, "dvl.sound_speed");
    near("of the sea", sea, 1515, 10);
    set_live(world, "/water/sound/formula", 4); /* constant */
    set_live(world, "/water/sound/speed", 1480);
    step(world, 1);
    near("constant", column_of(world, 0, "dvl.sound_speed"), 1480, 0);
    set_live(world, "/water/sound/formula", 0);
    step(world, 1);
    near("of the sea again", column_of(world, 0, "dvl.sound_speed"), sea, 0.01);
    finish(world);
}

static void other_worlds_of_the_model_keep_their_sea_and_a_saved_one_brings_its_own(void **unused)
{
    (void)unused;
    fm_error error = {0};
    fm_model *model = load(SEA "<vehicle name='v' model='lauv' position='0 0 10 m'><ctd/></vehicle></fathom>");
    fm_world *one = create(model, 1), *two = create(model, 1);
    set_live(one, "/water/temperature/spot/amplitude", 5);
    step(one, 2);
    step(two, 2);
    const double warm = column_of(one, 0, "ctd.temperature"), calm = column_of(two, 0, "ctd.temperature");
    assert_greater(warm, calm + 1);
    const size_t size = fm_world_state_size(one);
    void *saved = malloc(size);
    assert_int_equal(fm_world_save(one, saved, size, &error), FM_OK);
    assert_int_equal(fm_world_restore(two, saved, size, &error), FM_OK);
    step(one, 5);
    step(two, 5);
    assert_same(fm_world_hash(one), fm_world_hash(two));
    near("temperature", column_of(two, 0, "ctd.temperature"), column_of(one, 0, "ctd.temperature"), 0);
    free(saved);
    fm_world_free(one);
    fm_world_free(two);
    fm_model_free(model);
}

/* The scenario: Santos and Matos' sensors, with the changes that it plans. */
static void wavesims_sensors_see_the_planned_changes(void **unused)
{
    (void)unused;
    fm_world *world = start_scenario("wavesim-ctd", NULL);
    run_until(world, 91.9);
    const double before = column_of(world, 0, "ctd.temperature");
    run_until(world, 92.5);
    assert_greater(column_of(world, 0, "ctd.temperature"), before + 0.5); /* the spot grows from 2 K to 3 K */
    run_until(world, 124.9);
    const double deep = column_of(world, 0, "echosounder.range");
    run_until(world, 126.5);
    assert_less(column_of(world, 0, "echosounder.range"), deep - 2); /* the mound from 5 m to 8 m */
    run_until(world, 320);
    near("sound speed", column_of(world, 0, "dvl.sound_speed"), 1485, 0);
    near("waypoints", metric_of(world, 0, "waypoints_reached"), 3, 0);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spot_that_grows_moves_and_spreads_is_what_the_ctd_measures),
        cmocka_unit_test(a_spot_of_salt_reaches_the_salinity),
        cmocka_unit_test(a_mound_that_grows_is_under_the_echosounder),
        cmocka_unit_test(a_mound_that_grows_is_touched),
        cmocka_unit_test(lighter_water_lets_a_neutral_vehicle_sink),
        cmocka_unit_test(the_sound_speed_follows_its_parameters),
        cmocka_unit_test(other_worlds_of_the_model_keep_their_sea_and_a_saved_one_brings_its_own),
        cmocka_unit_test(wavesims_sensors_see_the_planned_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
