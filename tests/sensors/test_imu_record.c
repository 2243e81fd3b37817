/* <imu-record> errs, fails and lags as every other instrument does. */
#include "sensors/imu_record.h"
#include "sensors/sensor_case.h"

static const fm_imu_record *record(const sensor_case *c)
{
    return reading(c, "imu-record");
}

static void without_errors_it_tells_the_motion_of_the_vehicle(void **state)
{
    (void)state;
    sensor_case c =
        open_case("", "position='1 2 30 m' attitude='5 -10 70 deg' velocity='0.6 0 0 m/s'", "<imu-record/>");
    const double degree = 3.14159265358979323846 / 180;
    assert_true(record(&c)->head.count == 0); /* the record of the launch is there before the first sample */
    assert_true(fabs(record(&c)->depth - 30) < 1e-12);
    step_case(&c, 5);
    fm_pose pose;
    fm_world_pose(c.world, 0, &pose);
    assert_true(record(&c)->head.count == 5 && record(&c)->head.valid == 1);
    assert_true(fabs(record(&c)->euler[0] - 5 * degree) < 1e-9);
    assert_true(fabs(record(&c)->euler[1] + 10 * degree) < 1e-9);
    assert_true(fabs(record(&c)->euler[2] - 70 * degree) < 1e-9);
    assert_true(fabs(record(&c)->forward - 0.6) < 1e-9);
    assert_true(fabs(record(&c)->depth - pose.position[2]) < 0.6 * 0.011); /* one step old */
    close_case(&c);
}

static void each_quantity_has_noise_and_bias_of_its_own(void **state)
{
    (void)state;
    sensor_case c =
        open_case("", "position='0 0 30 m' velocity='0.5 0 0 m/s'",
                  "<imu-record forward-scale='1.1'><forward bias='0.02 m/s'/><depth noise='0.2 m' bias='1 m'/>"
                  "<attitude bias='1 2 3 deg'/><rates quantum='0.1 rad/s' bias='0.06 0 0 rad/s'/></imu-record>");
    double sum = 0, squares = 0;
    enum { COUNT = 900 };
    for (int i = 0; i < COUNT; i++) {
        step_case(&c, 1);
        sum += record(&c)->depth;
        squares += record(&c)->depth * record(&c)->depth;
    }
    const double mean = sum / COUNT, deviation = sqrt(squares / COUNT - mean * mean), degree = 3.14159265358979 / 180;
    assert_true(fabs(mean - 31) < 4 * 0.2 / sqrt(COUNT)); /* four standard errors */
    assert_true(fabs(deviation - 0.2) < 4 * 0.2 / sqrt(2.0 * COUNT));
    assert_true(fabs(record(&c)->forward - (1.1 * 0.5 + 0.02)) < 1e-12);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(record(&c)->euler[k] - (k + 1) * degree) < 1e-9);
    assert_true(fabs(record(&c)->rates[0] - 0.1) < 1e-12 && record(&c)->rates[1] == 0);
    close_case(&c);
}

static void it_drops_out_dies_and_sticks(void **state)
{
    (void)state;
    sensor_case c = open_case("", "position='0 0 30 m' velocity='0 0 1 m/s'", "<imu-record/>");
    step_case(&c, 10);
    const double last = record(&c)->depth;
    set_live(&c, "/probe/imu_record/dropout", 1);
    step_case(&c, 20);
    assert_true(record(&c)->depth == last && record(&c)->head.valid == 0 && record(&c)->head.count == 10);
    set_live(&c, "/probe/imu_record/dropout", 0);
    set_live(&c, "/probe/imu_record/fault", 1);
    step_case(&c, 20);
    assert_true(record(&c)->depth == last && record(&c)->head.valid == 0 && record(&c)->head.count == 10);
    set_live(&c, "/probe/imu_record/fault", 2);
    step_case(&c, 20);
    assert_true(record(&c)->depth == last && record(&c)->head.valid == 1 && record(&c)->head.count == 30);
    set_live(&c, "/probe/imu_record/fault", 0);
    step_case(&c, 1);
    assert_true(fabs(record(&c)->depth - 30.7) < 1e-9);
    close_case(&c);
}

static void it_lags_by_its_latency(void **state)
{
    (void)state;
    sensor_case c = open_case("", "position='0 0 30 m' velocity='0 0 1 m/s'", "<imu-record latency='0.2 s'/>");
    step_case(&c, 101); /* the last sample is taken at 1 s */
    assert_true(fabs(record(&c)->depth - 30.8) < 1e-9);
    assert_true(fabs(record(&c)->head.time - 0.8) < 1e-12);
    close_case(&c);
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
