/* The elongated-body model: reference speeds and thrusts of an independent program, convergence, conservation. */
#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "fish/body.h"
#include "fish/preset.h"
#include "fish/servo_table.h"

#define DEGREE (FM_PI / 180)
#define assert_close(found, expected, relative) assert_near(found, expected, (relative)*fabs(expected))

typedef struct swim {
    double speed, thrust, yaw_rate, wobble, path_speed, efficiency, strouhal;
} swim;

static fm_fish_elongated_params body(void)
{
    fm_fish_shape shape = fm_fish_shape_preset();
    fm_fish_params fish = preset_fish();
    fm_fish_elongated_setup setup = fm_fish_elongated_defaults(&fish, shape.head_length, &shape.tail);
    fm_fish_station stations[161];
    static fm_fish_element elements[FM_FISH_ELEMENTS_MAX];
    fm_fish_elongated_params p;
    fm_error error;
    fm_fish_shape_stations(&shape, stations, 161);
    assert_int_equal(fm_fish_elongated_build(&p, elements, &setup, stations, 161, &error), FM_OK);
    return p;
}

static fm_servo_table table(double wavelength)
{
    fm_fish_params wave = preset_fish();
    fm_servo_table t;
    fm_error error;
    wave.k = 2 * FM_PI / wavelength;
    assert_int_equal(fm_servo_table_fit(&t, &wave, &preset_tail, 36, 1.5, &error), FM_OK);
    return t;
}

/* Posture of step i of `steps` a beat. */
static void posture(const fm_servo_table *t, int i, int steps, double frequency, double deflection, double angle[4],
                    double rate[4])
{
    fm_fish_play(t->angle, t->rows, t->tail.joints, (double)(i % steps) / steps, angle, rate);
    fm_fish_deflect(t->tail.joints, angle, deflection);
    for (int j = 0; j < 4; j++)
        rate[j] *= frequency;
}

/* Swims `beats` and averages over the last four. */
static swim swim_on(const fm_fish_elongated_params *p, const fm_servo_table *t, double frequency, double deflection,
                    int steps, int beats)
{
    fm_fish_elongated_state s = {0};
    fm_fish_elongated_out o;
    fm_fish_beat beat = {0};
    swim r = {0};
    double angle[4], rate[4], start[3] = {0.15 * frequency, 0, 0}, h0 = 0, low = INFINITY, high = -INFINITY;
    int from = steps * (beats - 4), n = 4 * steps;
    for (int i = 0; i < steps * beats; i++) {
        posture(t, i, steps, frequency, deflection, angle, rate);
        if (i == 0)
            fm_fish_elongated_start(p, &s, angle, rate, start);
        if (i == from)
            h0 = s.heading;
        fm_fish_elongated_step(p, &s, angle, rate, 1, 1 / (steps * frequency), &o);
        fm_fish_beat_add(&beat, &o, frequency, 0.048, i % steps == 0, 1 / (steps * frequency));
        if (i >= from) {
            r.speed += o.forward / n;
            r.thrust += o.thrust / n;
            r.path_speed += hypot(o.forward, o.sideways) / n;
            low = fmin(low, s.heading);
            high = fmax(high, s.heading);
        }
    }
    r.wobble = 0.5 * (high - low);
    r.yaw_rate = (s.heading - h0) * frequency / 4;
    r.efficiency = beat.efficiency;
    r.strouhal = beat.strouhal;
    return r;
}

static void self_propelled_speeds_agree_with_the_reference(void **state)
{
    (void)state;
    static const double row[][3] = {/* Hz, m/s, mean thrust N */
                                    {0.5, 0.06129986239496227, 0.0020759505814175834},
                                    {1, 0.14087309200076673, 0.00836712442129127},
                                    {1.5, 0.22751858399891328, 0.01890421726769705},
                                    {2, 0.3190586921785477, 0.03370367054611467},
                                    {2.5, 0.4153970690644898, 0.05278555546942242}};
    fm_fish_elongated_params p = body();
    fm_servo_table t = table(0.6);
    for (int i = 0; i < 5; i++) {
        swim r = swim_on(&p, &t, row[i][0], 0, 200, 60);
        assert_close(r.speed, row[i][1], 0.02);
        assert_close(r.thrust, row[i][2], 0.03);
        assert_close(r.strouhal, row[i][0] * 0.048 / row[i][1], 0.05);
        assert_between(0.3, r.efficiency, 1);
    }
}

static void shorter_waves_swim_faster(void **state)
{
    (void)state;
    static const double row[][2] = {{0.4, 0.434}, {0.5, 0.36801}, {0.6, 0.31822}, {0.7, 0.28277}, {0.8, 0.2546}};
    fm_fish_elongated_params p = body();
    for (int i = 0; i < 5; i++) {
        fm_servo_table t = table(row[i][0]);
        assert_close(swim_on(&p, &t, 2, 0, 200, 50).speed, row[i][1], 0.05);
    }
}

static void without_cross_flow_drag_speeds_hardly_change(void **state)
{
    (void)state;
    fm_fish_elongated_params p = body();
    p.cross_drag = 0;
    fm_servo_table t4 = table(0.4), t8 = table(0.8);
    assert_close(swim_on(&p, &t4, 2, 0, 200, 60).speed, 0.438, 0.05);
    assert_close(swim_on(&p, &t8, 2, 0, 200, 60).speed, 0.2534, 0.05);
}

static void without_recoil_the_fish_would_be_twice_as_fast(void **state)
{
    (void)state;
    fm_fish_elongated_params p = body();
    p.recoil = 0;
    fm_servo_table t = table(0.6);
    swim r = swim_on(&p, &t, 2, 0, 200, 60);
    assert_close(r.speed, 0.6826681828900447, 0.005);
    assert_same(r.wobble, 0);
}

/* Mean thrust of a fish held on a straight course at a given speed. */
static double held_thrust(double speed)
{
    fm_fish_elongated_params p = body();
    fm_servo_table t = table(0.6);
    double sum = 0, v[3] = {speed, 0, 0}, tail[3], wake, angle[4], rate[4];
    for (int i = 0; i < 400; i++) {
        fm_fish_segment seg[5];
        posture(&t, i, 400, 2, 0, angle, rate);
        fm_fish_segments(&p.tail, angle, rate, seg);
        fm_fish_tail_force(&p, &seg[4], v, tail, &wake);
        sum += tail[0] / 400;
    }
    return sum;
}

static void mean_thrust_of_a_held_fish_agrees_with_the_reference(void **state)
{
    (void)state;
    assert_close(held_thrust(0), 0.1755131879167136, 0.005);
    assert_close(held_thrust(0.3), 0.16480194359446876, 0.005);
    assert_close(held_thrust(0.5), 0.1475924374562134, 0.005);
}

static void speed_converges_with_the_step(void **state)
{
    (void)state;
    fm_fish_elongated_params p = body();
    fm_servo_table t = table(0.6);
    double a = swim_on(&p, &t, 2, 0, 100, 60).speed, b = swim_on(&p, &t, 2, 0, 200, 60).speed;
    double c = swim_on(&p, &t, 2, 0, 400, 60).speed;
    assert_nearer(c, b, 0.7 * fabs(b - a)); /* first order */
    assert_nearer(b, a, 0.01 * b);
}

/* Reference radii 2.47, 0.79, 0.46 m; starboard deflection turns to starboard. */
static void turning_radii_agree_with_the_reference(void **state)
{
    (void)state;
    static const double row[][2] = {{10, 2.4731448718772704}, {30, 0.7917482250354303}, {50, 0.45987564674256026}};
    fm_fish_elongated_params p = body();
    fm_servo_table t = table(0.6);
    for (int i = 0; i < 3; i++) {
        swim r = swim_on(&p, &t, 2, row[i][0] * DEGREE, 200, 100);
        assert_greater(r.yaw_rate, 0);
        assert_close(r.path_speed / r.yaw_rate, row[i][1], 0.03);
    }
}

static void momentum_is_kept_without_drag_and_shedding(void **state)
{
    (void)state;
    fm_fish_elongated_params p = body();
    p.cross_drag = p.skin_drag = 0;
    p.shedding = 0;
    fm_servo_table t = table(0.6);
    fm_fish_elongated_state s = {.x = 3, .y = -2, .heading = 0.7};
    fm_fish_elongated_out o;
    double angle[4], rate[4], v[3] = {0.2, 0.03, 0.4}, px = 0, py = 0, l = 0, wander = 0;
    for (int i = 0; i < 4000; i++) {
        posture(&t, i, 200, 2, 0.3, angle, rate);
        if (i == 0) {
            fm_fish_elongated_start(&p, &s, angle, rate, v);
            px = s.momentum_x;
            py = s.momentum_y;
            l = s.spin + s.x * s.momentum_y - s.y * s.momentum_x;
        }
        fm_fish_elongated_step(&p, &s, angle, rate, 1, 0.0025, &o);
        assert_same(s.momentum_x, px);
        assert_same(s.momentum_y, py);
        assert_nearer(s.spin + s.x * s.momentum_y - s.y * s.momentum_x, l, 1e-12);
        wander = fmax(wander, fabs(o.yaw_rate));
    }
    assert_greater(wander, 0.3); /* the head does move: the test is not of a fish at rest */
}

static void a_start_gives_back_its_velocity(void **state)
{
    (void)state;
    fm_fish_elongated_params p = body();
    fm_servo_table t = table(0.6);
    double angle[4], rate[4], v[3] = {0.2, -0.05, 0.3};
    posture(&t, 37, 200, 1.5, 0.2, angle, rate);
    fm_fish_elongated_state s = {.heading = 2};
    fm_fish_elongated_out o;
    fm_fish_elongated_start(&p, &s, angle, rate, v);
    fm_fish_elongated_step(&p, &s, angle, rate, 1, 1e-3, &o);
    assert_nearer(o.forward, 0.2, 1e-12);
    assert_nearer(o.sideways, -0.05, 1e-12);
    assert_nearer(o.yaw_rate, 0.3, 1e-12);
}

static void steering_turns_momentum_with_the_fish(void **state)
{
    (void)state;
    fm_fish_elongated_state s = {.heading = 0.2, .momentum_x = 1, .momentum_y = 2, .spin = 0.5};
    fm_fish_elongated_steer(&s, 0.5 * FM_PI);
    assert_nearer(s.momentum_x, -2, 1e-12);
    assert_nearer(s.momentum_y, 1, 1e-12);
    assert_same(s.spin, 0.5);
}

static void bad_stations_are_refused(void **state)
{
    (void)state;
    fm_fish_params fish = preset_fish();
    fm_fish_elongated_setup setup = fm_fish_elongated_defaults(&fish, 0.16, &preset_tail);
    fm_fish_station s[3] = {{0, 0.1, 0.1}, {0.2, -1, 0.1}, {0.4, 0.1, 0.1}};
    static fm_fish_element elements[FM_FISH_ELEMENTS_MAX];
    fm_fish_elongated_params p;
    fm_error error = {0};
    assert_int_equal(fm_fish_elongated_build(&p, elements, &setup, s, 3, &error), FM_ERR_RANGE);
    assert_non_null(strstr(error.text, "station 2"));
    s[1].height = 0.1;
    s[2].x = 0.5;
    assert_int_equal(fm_fish_elongated_build(&p, elements, &setup, s, 3, &error), FM_ERR_MODEL);
    s[2].x = 0.4;
    setup.link_elements = 100;
    assert_int_equal(fm_fish_elongated_build(&p, elements, &setup, s, 3, &error), FM_ERR_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(self_propelled_speeds_agree_with_the_reference),
        cmocka_unit_test(shorter_waves_swim_faster),
        cmocka_unit_test(without_cross_flow_drag_speeds_hardly_change),
        cmocka_unit_test(without_recoil_the_fish_would_be_twice_as_fast),
        cmocka_unit_test(mean_thrust_of_a_held_fish_agrees_with_the_reference),
        cmocka_unit_test(speed_converges_with_the_step),
        cmocka_unit_test(turning_radii_agree_with_the_reference),
        cmocka_unit_test(momentum_is_kept_without_drag_and_shedding),
        cmocka_unit_test(a_start_gives_back_its_velocity),
        cmocka_unit_test(steering_turns_momentum_with_the_fish),
        cmocka_unit_test(bad_stations_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
