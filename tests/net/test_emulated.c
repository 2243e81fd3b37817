/* Sensors whose values an emulator outside sends by datagrams. */
#include "net/served.h"
#include "support/near.h"

/* It holds the depth that its sensor shows. */
#define SEA                                                                                                            \
    "<fathom version='1'><world dt='0.02 s' seed='3'><water density='1000 kg/m3'/></world>"                            \
    "<vehicle name='rov' model='bluerov2' position='0 0 5 m'><depth period='0.1 s'/><navigation depth='depth'/>"       \
    "<mission><at t='0 s' place='0 0 m' depth='5 m' heading='0 deg'/></mission><autopilot steering='thrusters'>"       \
    "<heading thrust-kp='2 N*m/rad' thrust-ki='0.1 N*m/rad/s' thrust-kd='2 N*m*s/rad'/>"                               \
    "<depth thrust-kp='20 N/m' thrust-ki='0 N/m/s' thrust-kd='40 N*s/m'/>"                                             \
    "<hover kp='10 N/m' ki='1 N/m/s' kd='30 N*s/m'/></autopilot></vehicle></fathom>"

static served server;
static program_run r;

/* Depth and its variance, or none: the built-in sensor measures again. */
static void put_depth(fm_caller *caller, const double *depth)
{
    uint8_t bytes[64];
    fm_wire_out out = {.bytes = bytes, .room = sizeof bytes};
    fm_wire_put_sensor(&out, &(fm_wire_sensor){.length = (uint16_t)(FM_WIRE_SIZE_sample + (depth ? 16 : 0))});
    fm_wire_put_sample(&out, &(fm_wire_sample){.flags = depth ? FM_WIRE_SAMPLE_VALID : 0, .parts = 1});
    if (depth) {
        fm_wire_put_f64(&out, *depth);
        fm_wire_put_f64(&out, 0.01);
    }
    fm_caller_send(caller, FM_WIRE_SENSOR_PUT, bytes, out.size);
}

/* What the vehicle's own client receives from its depth sensor, when the flags are these. */
static double expect_depth(fm_caller *pilot, int flags)
{
    fm_wire_in payload;
    fm_wire_sensor head;
    fm_wire_sample sample;
    for (double end = seconds_now() + 10; seconds_now() < end;) {
        expect_message(pilot, FM_WIRE_SENSORS, &payload);
        assert_true(fm_wire_get_sensor(&payload, &head) && fm_wire_get_sample(&payload, &sample));
        if (sample.flags == flags)
            return fm_wire_get_f64(&payload);
    }
    fail_msg("no sample with flags %d came", flags);
    return 0;
}

static double expect_true_depth(fm_caller *pilot)
{
    fm_wire_header header;
    uint32_t flags;
    return expect_state(pilot, &header, &flags).position[2];
}

static void a_vehicle_believes_what_an_emulator_says(void **state)
{
    (void)state;
    const double deep = 7, nonsense = NAN;
    write_file("net_emulated.xml", SEA);
    serve(&server, "--speed 8 --log net_emulated.mcap net_emulated.xml");
    fm_caller *pilot = call_as(&server, FM_WIRE_CONTROLLER, "pilot", "rov", 100000);
    fm_caller *gauge = call_as(&server, FM_WIRE_EMULATOR, "gauge", "rov", FM_WIRE_NONE);
    near("its own", expect_depth(pilot, FM_WIRE_SAMPLE_VALID), 5, 0.1);
    put_depth(gauge, &nonsense);
    fm_wire_in payload;
    fm_wire_error refusal;
    expect_message(gauge, FM_WIRE_ERROR, &payload);
    assert_true(fm_wire_get_error(&payload, &refusal));
    assert_same(refusal.code, FM_WIRE_BAD_VALUE);
    double end = seconds_now() + 10;
    while (expect_true_depth(pilot) > 4 && seconds_now() < end)
        put_depth(gauge, &deep);
    assert_less(expect_true_depth(pilot), 4.2); /* it takes itself for too deep, and rises */
    put_depth(gauge, &deep);
    assert_same(expect_depth(pilot, FM_WIRE_SAMPLE_VALID | FM_WIRE_SAMPLE_EXTERNAL), 7);
    assert_same(expect_depth(pilot, FM_WIRE_SAMPLE_STALE | FM_WIRE_SAMPLE_EXTERNAL), 7); /* it says no more */
    put_depth(gauge, &deep);
    assert_same(expect_depth(pilot, FM_WIRE_SAMPLE_VALID | FM_WIRE_SAMPLE_EXTERNAL), 7);
    fm_caller_close(gauge); /* in order: the built-in sensor measures again */
    assert_less(expect_depth(pilot, FM_WIRE_SAMPLE_VALID), 5);
    fm_caller_close(pilot);
    assert_int_equal(stop_serving(&server), 0);
    run_fathom(&r, "replay net_emulated.mcap --verify");
    expect_run(&r, 0, "the same");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vehicle_believes_what_an_emulator_says),
    };
    return cmocka_run_group_tests_name("emulated", tests, NULL, NULL);
}
