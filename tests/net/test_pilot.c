/* External autopilots: their outputs push the vehicle where their tables say, and the state that they get is true. */
#include <math.h>
#include <string.h>

#include "bridges/pilot/pilot_outputs.h"
#include "bridges/pilot/pilot_view.h"
#include "physics/actuator.h"
#include "support/scenario.h"
#include "world/world.h"

#define ROV(model) "<fathom version='1'><world dt='0.01 s'/><vehicle name='rov' model='" model "'/></fathom>"

/* Generalised force of a vehicle when one channel is at `value`, at rest and at once. */
#define FULL 103.930864 /* rad/s, the Otter's greatest order */

static void push(const fm_type *type, const fm_pilot_outputs *outputs, unsigned channel, double value, double force[6])
{
    double channels[FM_PILOT_CHANNELS] = {0}, orders[32] = {0};
    fm_supply supply = {type->tables, 0};
    channels[channel - 1] = value;
    fm_pilot_outputs_mix(outputs, channels, orders);
    memset(force, 0, 6 * sizeof *force);
    for (size_t i = 0; i < type->actuator_count; i++)
        for (int k = 0; k < 6; k++)
            force[k] += type->actuators[i].column[k] * fm_actuator_thrust(&type->actuators[i], &supply, orders[i]);
}

static int sign_of(double x)
{
    return x > 1e-9 ? 1 : x < -1e-9 ? -1 : 0;
}

/* A motor's factors as AP_Motors6DOF.cpp writes them: roll, pitch, yaw, throttle (up), forward, lateral. Positive
 * pulses push the vehicle that way (SIM_Submarine.h: forward, lateral, less throttle). */
typedef double factors[6];

static void check_frame(const char *model, const char *frame, const factors *table, unsigned motors)
{
    fm_model *m = load(model);
    fm_pilot_outputs outputs;
    fm_error error = {0};
    if (fm_pilot_outputs_read(&m->types[0], frame, &outputs, &error) != FM_OK)
        fail_msg("%s", error.text);
    assert_int_equal(outputs.count, motors);
    for (unsigned i = 0; i < motors; i++)
        for (double value = -1; value <= 1; value += 2) {
            const double *f = table[i];
            double force[6];
            push(&m->types[0], &outputs, i + 1, value, force);
            const double wanted[6] = {f[4], f[5], -f[3], f[0], f[1], f[2]};
            for (int k = 0; k < 6; k++)
                assert_int_equal(sign_of(force[k]), sign_of(value * wanted[k]));
        }
    fm_model_free(m);
}

static void ardusubs_vectored_frame_pushes_the_bluerov2_as_its_factors_say(void **state)
{
    static const factors table[] = {{0, 0, 1, 0, -1, 1}, {0, 0, -1, 0, -1, -1}, {0, 0, -1, 0, 1, 1},
                                    {0, 0, 1, 0, 1, -1}, {1, 0, 0, -1, 0, 0},   {-1, 0, 0, -1, 0, 0}};
    (void)state;
    check_frame(ROV("bluerov2"), "vectored", table, 6);
}

static void ardusubs_vectored_6dof_frame_pushes_the_heavy_as_its_factors_say(void **state)
{
    static const factors table[] = {{0, 0, 1, 0, -1, 1}, {0, 0, -1, 0, -1, -1}, {0, 0, -1, 0, 1, 1},
                                    {0, 0, 1, 0, 1, -1}, {1, -1, 0, -1, 0, 0},  {-1, -1, 0, -1, 0, 0},
                                    {1, 1, 0, -1, 0, 0}, {-1, 1, 0, -1, 0, 0}};
    (void)state;
    check_frame(ROV("bluerov2-heavy"), "vectored-6dof", table, 8);
}

/* PX4's CA_ROTORn of the heavy: position (x, y) and axis of each, whose moments are r × axis. */
static void px4s_frame_pushes_the_heavy_along_its_axes(void **state)
{
    static const double rotors[8][5] = {{0.5, 0.3, 1, -1, 0},   {0.5, -0.3, 1, 1, 0},  {-0.5, 0.3, 1, 1, 0},
                                        {-0.5, -0.3, 1, -1, 0}, {0.5, 0.5, 0, 0, -1},  {0.5, -0.5, 0, 0, 1},
                                        {-0.5, 0.5, 0, 0, 1},   {-0.5, -0.5, 0, 0, -1}};
    factors table[8];
    (void)state;
    for (int i = 0; i < 8; i++) {
        const double *r = rotors[i], *a = rotors[i] + 2;
        const double f[6] = {r[1] * a[2], -r[0] * a[2], r[0] * a[1] - r[1] * a[0], -a[2], a[0], a[1]};
        memcpy(table[i], f, sizeof f);
    }
    check_frame(ROV("bluerov2-heavy"), "px4-bluerov2-heavy", (const factors *)table, 8);
}

/* Full pulses are full command: the force of the T200's own table at 1900 and 1100 µs and 16 V. */
static void full_pulses_give_the_force_of_the_measured_table(void **state)
{
    fm_model *m = load(ROV("bluerov2"));
    fm_supply supply = {m->types[0].tables, 0};
    (void)state;
    assert_nearer(fm_actuator_thrust(&m->types[0].actuators[0], &supply, fm_pilot_outputs_order(&m->types[0], 0, -1)),
                  -39.91, 0.01);
    double half = fm_actuator_thrust(&m->types[0].actuators[0], &supply, fm_pilot_outputs_order(&m->types[0], 0, 0.5));
    assert_between(10, half, 20); /* 1700 µs: 15 N, a quarter of the force and not half of it */
    assert_same(fm_pilot_outputs_order(&m->types[0], 0, 7), fm_pilot_outputs_order(&m->types[0], 0, 1));
    fm_model_free(m);
}

static void skid_steering_turns_away_from_the_side_that_pushes(void **state)
{
    static const char *const models[] = {ROV("otter"), ROV("heron")};
    (void)state;
    for (int i = 0; i < 2; i++) {
        fm_model *m = load(models[i]);
        fm_pilot_outputs outputs;
        double port[6], starboard[6], astern[6];
        assert_int_equal(fm_pilot_outputs_read(&m->types[0], "skid-steering", &outputs, NULL), FM_OK);
        push(&m->types[0], &outputs, 1, 0.5, port);
        push(&m->types[0], &outputs, 3, 0.5, starboard);
        push(&m->types[0], &outputs, 1, -0.5, astern);
        assert_greater(port[0], 1);
        assert_greater(port[5], 0.3); /* ahead, and to starboard */
        assert_greater(starboard[0], 1);
        assert_less(starboard[5], -0.3);
        assert_less(astern[0], -1);
        assert_less(astern[5], -0.3);
        fm_model_free(m);
    }
}

static void steering_and_throttle_are_mixed_for_two_propellers(void **state)
{
    fm_model *m = load(ROV("otter"));
    fm_pilot_outputs outputs;
    double ahead[6], turn[6], channels[FM_PILOT_CHANNELS] = {0.5, 0, 1}, orders[2] = {0};
    (void)state;
    assert_int_equal(fm_pilot_outputs_read(&m->types[0], "steering-throttle", &outputs, NULL), FM_OK);
    push(&m->types[0], &outputs, 3, 0.5, ahead);
    push(&m->types[0], &outputs, 1, 0.5, turn);
    assert_greater(ahead[0], 1);
    assert_nearer(ahead[5], 0, 1e-9);
    assert_greater(turn[5], 1);
    fm_pilot_outputs_mix(&outputs, channels, orders);
    assert_same(orders[0], FULL);       /* port: 1 + 0.5 is full */
    assert_same(orders[1], 0.5 * FULL); /* starboard: 1 − 0.5 */
    fm_model_free(m);
}

static void outputs_may_be_named_one_by_one(void **state)
{
    fm_model *m = load(ROV("otter"));
    fm_pilot_outputs outputs;
    double channels[FM_PILOT_CHANNELS] = {0}, orders[2] = {0};
    (void)state;
    assert_int_equal(fm_pilot_outputs_read(&m->types[0], " 32:-port-propeller  2:starboard_propeller ", &outputs, NULL),
                     FM_OK);
    channels[31] = 1;
    channels[1] = 0.25;
    fm_pilot_outputs_mix(&outputs, channels, orders);
    assert_same(orders[0], -FULL);
    assert_same(orders[1], 0.25 * FULL);
    fm_model_free(m);
}

static void outputs_that_are_not_there_are_refused_by_name(void **state)
{
    fm_model *m = load(ROV("otter"));
    fm_pilot_outputs outputs;
    static const char *const cases[][2] = {
        {"vectored", "motor 1"},     {"1:port-propeler", "did you mean 'port-propeller'"},
        {"33:port-propeller", "33"}, {"0:port-propeller", "channels 1"},
        {"vektored", "vectored"},    {"-1:port-propeller", "-1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fm_error error = {0};
        assert_int_not_equal(fm_pilot_outputs_read(&m->types[0], cases[i][0], &outputs, &error), FM_OK);
        if (!strstr(error.text, cases[i][1]))
            fail_msg("'%s' does not tell of '%s'", error.text, cases[i][1]);
    }
    fm_model_free(m);
}

/* --- what is sent --- */

/* A body that rests feels what bears it: −g along its own vertical, whatever its attitude. */
static void a_vehicle_at_rest_feels_gravity_only(void **state)
{
    fm_world *world =
        start("<fathom version='1'><world dt='0.01 s' gravity='9.81 m/s2' latitude='36.6 deg' longitude='-121.9 deg'/>"
              "<vehicle name='rov' model='bluerov2' position='3 -4 12 m' attitude='10 20 30 deg'/></fathom>");
    fm_pilot_view v;
    const double roll = 10 * FM_PI / 180, pitch = 20 * FM_PI / 180, g = 9.81;
    (void)state;
    assert_true(fm_pilot_view_fill(world, 0, &v));
    assert_nearer(v.force[0], g * sin(pitch), 1e-12);
    assert_nearer(v.force[1] + g * sin(roll) * cos(pitch), 0, 1e-12);
    assert_nearer(v.force[2] + g * cos(roll) * cos(pitch), 0, 1e-12);
    assert_same(v.position[0], 3);
    assert_same(v.position[2], 12);
    assert_same(v.geodetic.height, -12);
    assert_nearer(v.geodetic.latitude * 180 / FM_PI - 36.6, 3 / 110964.0, 1e-8); /* a degree is 110 964 m there */
    assert_between(2.15e5, v.pressure, 2.3e5);
    assert_true(isnan(v.wind[0]));
    assert_true(isnan(v.battery[0]));
    assert_same(v.range_count, 0);
    assert_true(!v.dry);
    assert_true(!v.boat);
    assert_false(fm_pilot_view_fill(world, 1, &v));
    finish(world);
}

/* Specific force is the change of the velocity over ground, seen from the body, less gravity. */
static void a_turning_vehicle_feels_the_change_of_its_velocity(void **state)
{
    fm_world *world = start("<fathom version='1'><world dt='0.001 s' gravity='9.81 m/s2'/>"
                            "<vehicle name='rov' model='bluerov2' position='0 0 20 m' velocity='1 0.3 0.1 m/s'><orders>"
                            "<at t='0 s' front-port='20 N' rear-port='30 N'/></orders></vehicle></fathom>");
    fm_pilot_view before, after;
    (void)state;
    run_until(world, 2);
    fm_pilot_view_fill(world, 0, &before);
    run_until(world, 2.001);
    fm_pilot_view_fill(world, 0, &after);
    double felt[3] = {0};
    const double *R = fm_slot_rotation(world, 0);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            felt[i] += R[3 * k + i] * ((after.velocity[k] - before.velocity[k]) / 0.001 - (k == 2 ? 9.81 : 0));
    for (int i = 0; i < 3; i++)
        assert_nearer(felt[i], after.force[i], 2e-3);
    assert_greater(fabs(after.rates[2]), 0.1);
    finish(world);
}

/* An echosounder looks down, a sonar ahead; one without an echo sends more than it can measure. */
static void ranges_come_from_the_instruments(void **state)
{
    fm_world *world = start("<fathom version='1'><world dt='0.01 s'><bottom depth='30 m'/></world>"
                            "<vehicle name='rov' model='bluerov2' position='0 0 12 m'>"
                            "<echosounder range='100 m'/><sonar range='50 m'/><imu/></vehicle></fathom>");
    fm_pilot_view v;
    (void)state;
    run_until(world, 0.02);
    assert_true(fm_pilot_view_fill(world, 0, &v));
    assert_int_equal(v.range_count, 2);
    assert_nearer(v.ranges[0].distance, 18, 0.05);
    assert_nearer(v.ranges[0].axis[2], 1, 1e-12);
    assert_nearer(v.ranges[1].axis[0], 1, 1e-12);
    assert_nearer(v.ranges[1].distance, 55, 1e-9);
    assert_same(v.ranges[1].farthest, 50);
    fm_pilot_view own = v;
    assert_true(fm_pilot_view_measure(world, 0, &own));
    for (int i = 0; i < 3; i++) /* of the step before */
        assert_nearer(own.force[i], v.force[i], 0.5);
    finish(world);
}

static void apparent_wind_comes_from_ahead_of_a_fast_boat(void **state)
{
    fm_pilot_view v = {.velocity = {0, 5, 0}, .wind = {0, 0, 0}, .euler = {0, 0, FM_PI / 2}};
    double apparent[2];
    (void)state;
    fm_pilot_apparent_wind(&v, apparent);
    assert_nearer(apparent[0], 0, 1e-12);
    assert_nearer(apparent[1], 5, 1e-12);
    v.wind[0] = 5; /* blows north, from starboard of a boat that heads east */
    fm_pilot_apparent_wind(&v, apparent);
    assert_nearer(apparent[0], FM_PI / 4, 1e-12);
    assert_nearer(apparent[1], 5 * sqrt(2), 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ardusubs_vectored_frame_pushes_the_bluerov2_as_its_factors_say),
        cmocka_unit_test(ardusubs_vectored_6dof_frame_pushes_the_heavy_as_its_factors_say),
        cmocka_unit_test(px4s_frame_pushes_the_heavy_along_its_axes),
        cmocka_unit_test(full_pulses_give_the_force_of_the_measured_table),
        cmocka_unit_test(skid_steering_turns_away_from_the_side_that_pushes),
        cmocka_unit_test(steering_and_throttle_are_mixed_for_two_propellers),
        cmocka_unit_test(outputs_may_be_named_one_by_one),
        cmocka_unit_test(outputs_that_are_not_there_are_refused_by_name),
        cmocka_unit_test(a_vehicle_at_rest_feels_gravity_only),
        cmocka_unit_test(a_turning_vehicle_feels_the_change_of_its_velocity),
        cmocka_unit_test(ranges_come_from_the_instruments),
        cmocka_unit_test(apparent_wind_comes_from_ahead_of_a_fast_boat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
