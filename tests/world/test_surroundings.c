/* A sensor from a shared object (examples/plugin/probe.c) sees the world through the public headers alone. */
#include "support/scenario.h"

#include <unistd.h>

#include "support/files.h"
#include "support/program.h"

/* A wall 20 m ahead, a current to the north-east, two probes of different names and periods. */
#define SEA(plugin)                                                                                                    \
    "<fathom version='1'><world dt='0.1 s' duration='20 s' seed='5'>"                                                  \
    "<water><temperature surface='11 degC' z1='20 m' z2='30 m' slope1='0 K/m' slope2='0 K/m'/></water>"                \
    "<current velocity='0.3 0.4 0 m/s'/>"                                                                              \
    "<wall name='quay' position='20 0 0 m' normal='-1 0 0'/></world>"                                                  \
    "<vehicle name='auv' position='0 0 5 m'><mass mass='10 kg' inertia='1 1 1 kg*m2'/>"                                \
    "<buoyancy force='98.0665 N'/>"                                                                                    \
    "<probe plugin='" plugin "' name='bow' position='1.5 0 0 m'/>"                                                     \
    "<probe name='noisy' period='0.5 s' noise='0.1 m'/>"                                                               \
    "<probe name='twin' noise='0.1 m'/>"                                                                               \
    "<probe name='aft' attitude='0 0 180 deg'/></vehicle></fathom>"
static const char sea[] = SEA(PLUGIN_FILE);

static fm_sample sample(const fm_world *world, const char *probe, const char *field)
{
    fm_sample s;
    fm_error error = {0};
    if (fm_world_instrument_read(world, "auv", probe, field, &s, &error) != FM_OK)
        fail_msg("%s", error.text);
    return s;
}

static double value(const fm_world *world, const char *probe, const char *field)
{
    double v = NAN;
    fm_sample s = sample(world, probe, field);
    assert_at_least(fm_sample_values(&s, &v, 1), 1);
    return v;
}

static void a_probe_sees_the_wall_and_the_water(void **unused)
{
    (void)unused;
    fm_world *world = start(sea);
    step(world, 1);
    double current[3];
    fm_sample s = sample(world, "bow", "current");
    assert_int_equal(fm_sample_values(&s, current, 3), 3);
    near("range from its place", value(world, "bow", "range"), 18.5, 1e-9);
    assert_true(isinf(value(world, "aft", "range"))); /* no echo aft */
    near("temperature, in kelvin as all SI", value(world, "bow", "temperature"), 273.15 + 11, 1e-9);
    near("current to the north", current[0], 0.3, 1e-12);
    near("current to the east", current[1], 0.4, 1e-12);
    assert_string_equal(s.unit, "m/s");
    finish(world);
}

static void name_and_period_are_given_to_every_part(void **unused)
{
    (void)unused;
    fm_world *world = start(sea);
    step(world, 13); /* ticks 0 … 12: the last multiple of five is 10 */
    near("period", fm_world_instrument(world, 0, 1).period, 0.5, 1e-12);
    assert_string_equal(fm_world_instrument(world, 0, 1).name, "noisy");
    near("time of the sample", sample(world, "noisy", "range").time, 1.0, 1e-12);
    near("time of another", sample(world, "bow", "range").time, 1.2, 1e-12);
    finish(world);
}

static void its_noise_has_the_deviation_that_was_asked_for_and_no_memory(void **unused)
{
    (void)unused;
    fm_world *world = start(sea);
    enum { COUNT = 4000 };
    double sum = 0, squares = 0, product = 0, last = 0;
    for (int i = 0; i < COUNT; i++) {
        step(world, 1);
        double error = value(world, "twin", "range") - (20 - pose_of(world, 0).position[0]);
        sum += error;
        squares += error * error;
        product += error * last;
        last = error;
    }
    near("mean", sum / COUNT, 0, 5 * 0.1 / sqrt(COUNT));
    near("deviation", sqrt(squares / COUNT), 0.1, 5 * 0.1 / sqrt(2.0 * COUNT));
    near("correlation", product / squares, 0, 5 / sqrt(COUNT));
    finish(world);
}

static void parts_and_seeds_draw_numbers_of_their_own_and_the_same_again(void **unused)
{
    (void)unused;
    fm_error error = {0};
    fm_model *model = load(sea);
    fm_world *a = create(model, 1), *b = create(model, 1),
             *c = fm_world_create(model, &(fm_world_options){.seeded = 1, .seed = 6}, &error);
    step(a, 1);
    step(b, 1);
    step(c, 1);
    assert_same(value(a, "twin", "range"), value(b, "twin", "range"));
    assert_different(value(a, "twin", "range"), value(c, "twin", "range"));
    assert_different(value(a, "twin", "range"), value(a, "noisy", "range"));
    fm_world_free(a);
    fm_world_free(b);
    fm_world_free(c);
    fm_model_free(model);
}

/* --- a log whose plugin is found again --- */

/* Runs the scenario from a folder that holds the plugin; the log stands elsewhere. */
static void record(const char *folder)
{
    static program_run r;
    char text[sizeof sea + 64], path[256];
    snprintf(r.line, sizeof r.line, "rm -rf %s && mkdir %s && cp %s %s/libprobe.so", folder, folder, PLUGIN_FILE,
             folder);
    run_line(&r);
    expect_run(&r, 0, "");
    snprintf(text, sizeof text, "%s", SEA("./libprobe.so"));
    snprintf(path, sizeof path, "%s/sea.xml", folder);
    write_file(path, text);
    run_fathom(&r, "run %s --quiet --log %s.mcap", path, folder);
    expect_run(&r, 0, "");
}

static void a_log_whose_plugin_is_found_again_replays(void **unused)
{
    (void)unused;
    static program_run r;
    record("probe_place");
    run_fathom(&r, "replay probe_place.mcap --verify");
    expect_run(&r, 0, "probe_place.mcap: the same");
    /* moved beside the log */
    snprintf(r.line, sizeof r.line,
             "rm -rf probe_moved && mkdir probe_moved && mv probe_place.mcap probe_moved/ && mv "
             "probe_place/libprobe.so probe_moved/ && rm -r probe_place");
    run_line(&r);
    expect_run(&r, 0, "");
    run_fathom(&r, "replay probe_moved/probe_place.mcap --verify");
    expect_run(&r, 0, "the same");
    /* another file of that name */
    snprintf(r.line, sizeof r.line, "echo x >> probe_moved/libprobe.so");
    run_line(&r);
    run_fathom(&r, "replay probe_moved/probe_place.mcap --verify");
    expect_run(&r, 0, "is not the one that the log was recorded with");
    /* nowhere */
    snprintf(r.line, sizeof r.line, "rm probe_moved/libprobe.so");
    run_line(&r);
    run_fathom(&r, "replay probe_moved/probe_place.mcap --verify");
    expect_run(&r, 1, "libprobe.so");
}

static void a_plugin_is_not_looked_for_among_the_systems_libraries(void **unused)
{
    (void)unused;
    fm_error error = {0};
    assert_null(try_load("<fathom version='1'><world/><vehicle name='a' model='lauv'><x plugin='libm.so.6'/></vehicle>"
                         "</fathom>",
                         &error));
    assert_int_equal(error.status, FM_ERR_FILE);
    assert_non_null(strstr(error.text, "no file '"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_probe_sees_the_wall_and_the_water),
        cmocka_unit_test(name_and_period_are_given_to_every_part),
        cmocka_unit_test(its_noise_has_the_deviation_that_was_asked_for_and_no_memory),
        cmocka_unit_test(parts_and_seeds_draw_numbers_of_their_own_and_the_same_again),
        cmocka_unit_test(a_log_whose_plugin_is_found_again_replays),
        cmocka_unit_test(a_plugin_is_not_looked_for_among_the_systems_libraries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
