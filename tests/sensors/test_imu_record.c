/* <imu-record> errs, fails and lags as every other instrument does. */
#include "sensors/imu_record.h"
#include "sensors/probe.h"

static const fm_imu_record *record(const fm_world *world)
{
    return reading(world, "imu-record");
}

static void without_errors_it_tells_the_motion_of_the_vehicle(void **state)
{
    (void)state;
    fm_world *world =
        start_probe("", "position='1 2 30 m' attitude='5 -10 70 deg' velocity='0.6 0 0 m/s'", "<imu-record/>");
    assert_same(record(world)->head.count, 0); /* the record of the launch is there before the first sample */
    assert_nearer(record(world)->depth, 30, 1e-12);
    step(world, 5);
    fm_pose pose;
    fm_world_pose(world, 0, &pose);
    assert_same(record(world)->head.count, 5);
    assert_same(record(world)->head.valid, 1);
    assert_nearer(record(world)->euler[0], 5 * DEGREE, 1e-9);
    assert_nearer(record(world)->euler[1] + 10 * DEGREE, 0, 1e-9);
    assert_nearer(record(world)->euler[2], 70 * DEGREE, 1e-9);
    assert_nearer(record(world)->forward, 0.6, 1e-9);
    assert_nearer(record(world)->depth, pose.position[2], 0.6 * 0.011); /* one step old */
    finish(world);
}

static void each_quantity_has_noise_and_bias_of_its_own(void **state)
{
    (void)state;
    fm_world *world =
        start_probe("", "position='0 0 30 m' velocity='0.5 0 0 m/s'",
                    "<imu-record forward-scale='1.1'><forward bias='0.02 m/s'/><depth noise='0.2 m' bias='1 m'/>"
                    "<attitude bias='1 2 3 deg'/><rates quantum='0.1 rad/s' bias='0.06 0 0 rad/s'/></imu-record>");
    double sum = 0, squares = 0;
    enum { COUNT = 900 };
    for (int i = 0; i < COUNT; i++) {
        step(world, 1);
        sum += record(world)->depth;
        squares += record(world)->depth * record(world)->depth;
    }
    const double mean = sum / COUNT, deviation = sqrt(squares / COUNT - mean * mean);
    assert_nearer(mean, 31, 4 * 0.2 / sqrt(COUNT)); /* four standard errors */
    assert_nearer(deviation, 0.2, 4 * 0.2 / sqrt(2.0 * COUNT));
    assert_nearer(record(world)->forward, 1.1 * 0.5 + 0.02, 1e-12);
    for (int k = 0; k < 3; k++)
        assert_nearer(record(world)->euler[k], (k + 1) * DEGREE, 1e-9);
    assert_nearer(record(world)->rates[0], 0.1, 1e-12);
    assert_same(record(world)->rates[1], 0);
    finish(world);
}

static void it_drops_out_dies_and_sticks(void **state)
{
    (void)state;
    fm_world *world = start_probe("", "position='0 0 30 m' velocity='0 0 1 m/s'", "<imu-record/>");
    step(world, 10);
    const double last = record(world)->depth;
    set_live(world, "/probe/imu_record/dropout", 1);
    step(world, 20);
    assert_same(record(world)->depth, last);
    assert_same(record(world)->head.valid, 0);
    assert_same(record(world)->head.count, 10);
    set_live(world, "/probe/imu_record/dropout", 0);
    set_live(world, "/probe/imu_record/fault", 1);
    step(world, 20);
    assert_same(record(world)->depth, last);
    assert_same(record(world)->head.valid, 0);
    assert_same(record(world)->head.count, 10);
    set_live(world, "/probe/imu_record/fault", 2);
    step(world, 20);
    assert_same(record(world)->depth, last);
    assert_same(record(world)->head.valid, 1);
    assert_same(record(world)->head.count, 30);
    set_live(world, "/probe/imu_record/fault", 0);
    step(world, 1);
    assert_nearer(record(world)->depth, 30.7, 1e-9);
    finish(world);
}

static void it_lags_by_its_latency(void **state)
{
    (void)state;
    fm_world *world = start_probe("", "position='0 0 30 m' velocity='0 0 1 m/s'", "<imu-record latency='0.2 s'/>");
    step(world, 101); /* the last sample is taken at 1 s */
    assert_nearer(record(world)->depth, 30.8, 1e-9);
    assert_nearer(record(world)->head.time, 0.8, 1e-12);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_errors_it_tells_the_motion_of_the_vehicle),
        cmocka_unit_test(each_quantity_has_noise_and_bias_of_its_own),
        cmocka_unit_test(it_drops_out_dies_and_sticks),
        cmocka_unit_test(it_lags_by_its_latency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
