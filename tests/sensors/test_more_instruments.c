/* Instruments on actuators and the battery; rays and feelers that meet other vehicles and obstacles on their way;
 * waves. */
#include "sensors/probe.h"

#include "ocean/column.h"
#include "sensors/camera.h"

static double actuator_now(const fm_world *world, int index)
{
    const fm_slot *slot = &world->slots[0];
    return fm_actuator_states(slot->type, slot->vehicle)[index].value;
}

/* A lag of the first order: δ(1 − e^(−t/τ)). A sample is the state at the start of its step. */
static void fin_position_and_shaft_speed_are_those_of_the_actuators(void **state)
{
    (void)state;
    fm_world *world = start_probe(
        "", "position='0 0 10 m'",
        "<fin name='rudder' area='0.01 m2' lift-slope='3 1/rad' dynamics='first-order' time-constant='0.5 "
        "s'/><propeller name='screw' thrust='50 N' rated='1000 rpm' dynamics='first-order' time-constant='0.2 s'/>"
        "<fin-position actuator='rudder'/><shaft-rpm actuator='screw'/>");
    order(world, "probe", "rudder", 0.3);
    order(world, "probe", "screw", 80);
    step(world, 1);
    assert_near(value_of(world, "fin-position"), 0, 0);
    for (int i = 1; i < 100; i++) {
        double fin = actuator_now(world, 0), shaft = actuator_now(world, 1);
        step(world, 1);
        assert_near(value_of(world, "fin-position"), fin, 0);
        assert_near(value_of(world, "shaft-rpm"), shaft, 0);
        assert_near(fin, 0.3 * (1 - exp(-0.01 * i / 0.5)), 1e-9);
        assert_near(shaft, 80 * (1 - exp(-0.01 * i / 0.2)), 1e-6);
    }
    set_live(world, "/probe/rudder/stuck", 1);
    order(world, "probe", "rudder", -0.3);
    step(world, 1);
    double stuck = actuator_now(world, 0);
    step(world, 50);
    assert_near(value_of(world, "fin-position"), stuck, 0);
    finish(world);
}

/* 30 W hotel load, 200 W (1/4)^1.5 of a screw at half its rated speed; P = (U − R I) I. */
static void a_battery_monitor_tells_voltage_current_and_charge(void **state)
{
    (void)state;
    fm_world *world =
        start_probe("", "position='0 0 10 m'",
                    "<battery capacity='100 kJ' hotel='30 W'/><propeller name='screw' thrust='50 N' "
                    "rated='1000 rpm' power='200 W'/>"
                    "<battery-monitor voltage='24 V' empty-voltage='20 V' resistance='0.5 "
                    "ohm'/><propulsion-current voltage='24 V' empty-voltage='20 V' resistance='0.5 ohm'/>");
    order(world, "probe", "screw", 500 * 2 * FM_PI / 60);
    step(world, 1);
    const fm_battery_reading *r = reading(world, "battery-monitor");
    step(world, 500);
    const fm_vehicle *v = world->slots[0].vehicle;
    double power = v->power, charge = v->charge;
    assert_near(power, 55, 1e-9);
    assert_near(charge, 1e5 - 5.01 * 55, 0.011 * 55); /* the screw draws from its first or second step on */
    step(world, 1);
    double part = charge / 1e5, open = 20 + 4 * part, current = (open - sqrt(open * open - 4 * 0.5 * 55)) / (2 * 0.5);
    assert_near(r->current, -current, 1e-9);
    assert_near(r->voltage, open - 0.5 * current, 1e-9);
    assert_near(r->voltage * -r->current, 55, 1e-9);
    assert_near(r->percentage, part, 1e-12);
    assert_near(r->charge, charge / (24 * 3600), 1e-9);
    assert_near(r->capacity, 1e5 / (24 * 3600), 1e-9);
    assert_near(value_of(world, "propulsion-current"), current * 25 / 55, 1e-9);
    finish(world);
}

/* --- other vehicles, own hull --- */

#define TARGET(place, hull) "</vehicle><vehicle name='target' " place ">" PROBE_BODY hull
#define OWN "<hull kind='sphere' size='1 1 1 m'/>"

static void rays_meet_the_hull_of_another_vehicle_and_not_the_own(void **state)
{
    (void)state;
    fm_world *world =
        start_probe("", "position='0 0 10 m'",
                    OWN "<sonar half-angle='0 deg' rays='1'/><sonar name='wide' half-angle='20 deg' rays='41'/><sonar "
                        "name='off' half-angle='0 deg' rays='1' attitude='0 0 3 deg'/>"
                        "<sonar name='past' half-angle='0 deg' rays='1' attitude='0 0 15 deg'/><infrared range='8 "
                        "m'/><infrared name='short' range='6.9 m'/><sonar name='aft' attitude='0 0 180 deg'/>" TARGET(
                            "position='8 0 10 m'", "<hull kind='sphere' size='2 2 2 m'/>"));
    step(world, 1);
    double s = 8 * sin(3 * DEGREE);
    assert_near(range_of(world, "sonar"), 7, 1e-9);
    assert_near(range_of(world, "wide"), 7, 1e-9);
    assert_near(range_of(world, "off"), 8 * cos(3 * DEGREE) - sqrt(1 - s * s), 1e-9);
    assert_same(range_of(world, "past"), HUGE_VAL); /* tangent at 7.18° */
    assert_near(range_of(world, "infrared"), 7, 1e-9);
    assert_same(range_of(world, "short"), HUGE_VAL);
    assert_same(range_of(world, "aft"), HUGE_VAL);
    finish(world);
}

static void rays_follow_a_vehicle_that_moves_and_turns(void **state)
{
    (void)state;
    fm_world *world = start_probe(
        "", "position='0 0 10 m'",
        OWN "<sonar half-angle='0 deg' rays='1'/>" TARGET("position='9 0 10 m' integrator='rk4' rates='0 0 0.5 rad/s'",
                                                          "<hull kind='box' size='4 1 1 m'/>"));
    step(world, 51); /* the last sample is of 0.5 s: turned by 0.25 rad */
    assert_near(range_of(world, "sonar"), 9 - fmin(2 / cos(0.25), 0.5 / sin(0.25)), 1e-6);
    step(world, 264); /* 3.14 s: 1.57 rad, broadside */
    assert_near(range_of(world, "sonar"), 9 - 0.5 / sin(1.57), 1e-6);
    finish(world);
}

/* The sphere fills half the field of view across: colour of a surface head-on at its distance, water beside it. */
static void a_camera_sees_another_vehicle_at_its_distance(void **state)
{
    (void)state;
    fm_world *world =
        start_probe("", "position='0 0 5 m'",
                    OWN "<camera width='101' height='3' field-of-view='60 deg' texture='0' ambient='1' "
                        "attenuation='0.3 0.2 0.1 1/m' downwelling='0 0 0 1/m' water='0 0.3 0.6'/>" TARGET(
                            "position='4 0 5 m'", "<hull kind='sphere' size='2 2 2 m'/>"));
    step(world, 1);
    const uint8_t *row = (const uint8_t *)((const fm_camera_reading *)reading(world, "camera"))->image + 3 * 101;
    const double colour[3] = {0.55, 0.5, 0.42}, water[3] = {0, 0.3, 0.6}, loss[3] = {0.3, 0.2, 0.1};
    for (int k = 0; k < 3; k++) {
        double left = exp(-loss[k] * 3), value = colour[k] * 0.65 * left + 0.75 * water[k] * (1 - left);
        assert_near(row[3 * 50 + k], 255 * sqrt(value), 0.51);
    }
    int seen = 0; /* red comes from the hull alone */
    for (int i = 0; i < 101; i++)
        seen += row[3 * i] > 40;
    double edge = tan(asin(1.0 / 4)) / tan(30 * DEGREE) * 50.5; /* pixels from the middle to the tangent */
    assert_near(seen, 2 * edge, 1.5);
    finish(world);
}

static void a_bumper_feels_another_vehicle_and_not_the_own_hull(void **state)
{
    (void)state;
    fm_world *world =
        start_probe("", "position='0 0 10 m' velocity='0.5 0 0 m/s'",
                    OWN "<bumper radius='0.1 m' position='0.6 0 0 m'/><bumper name='inside' radius='0.1 m'/>" TARGET(
                        "position='2 0 10 m'", "<hull kind='sphere' size='2 2 2 m'/>"));
    step(world, 60); /* the last sample is of 0.59 s: the feeler ends at 0.995 m, the hull begins at 1 m */
    assert_same(value_of(world, "bumper"), 0);
    step(world, 2);
    assert_same(value_of(world, "bumper"), 1);
    assert_same(value_of(world, "inside"), 0);
    finish(world);
}

/* --- obstacles on tracks --- */

static void a_moving_obstacle_is_seen_where_it_is(void **state)
{
    (void)state;
    fm_world *world = start_probe(
        "<sphere name='ball' position='9 0 10 m' radius='1 m'><track t='0 4 s' x='9 5 m' y='0 0 m' z='10 10 "
        "m'/></sphere>"
        "<column name='pile' position='0 9 6 m' radius='0.5 m' height='3 m'><track t='0 10 s' x='0 0 m' y='9 9 m' z='6 "
        "16 m'/></column>",
        "position='0 0 10 m'",
        OWN "<sonar half-angle='0 deg' rays='1'/><sonar name='side' half-angle='0 deg' rays='1' attitude='0 0 90 deg'/>"
            "<bumper radius='0.6 m' position='3.5 0 0 m'/>");
    step(world, 151); /* sample of 1.5 s */
    assert_near(range_of(world, "sonar"), 9 - 1.5 - 1, 1e-9);
    assert_near(range_of(world, "side"), 8.5, 1e-9); /* the pile reaches from 7.5 m to 10.5 m */
    assert_same(value_of(world, "bumper"), 0);
    step(world, 265); /* 4.15 s: the ball stays at the end of its track; the pile from 10.15 m down */
    assert_near(range_of(world, "sonar"), 4, 1e-9);
    assert_same(range_of(world, "side"), HUGE_VAL);
    assert_same(value_of(world, "bumper"), 1);
    finish(world);
}

/* --- waves --- */

/* ω² = g k tanh(k h), by bisection. */
static double wave_number(double omega, double depth)
{
    double low = 0, high = 100;
    for (int i = 0; i < 200; i++) {
        double k = (low + high) / 2;
        if (9.80665 * k * (depth > 0 ? tanh(k * depth) : 1) < omega * omega)
            low = k;
        else
            high = k;
    }
    return low;
}

/* Roll, pitch, yaw, rad: body to NED. */
static void turn_to_world(const double euler[3], const double body[3], double world[3])
{
    double c[3], s[3];
    for (int i = 0; i < 3; i++)
        c[i] = cos(euler[i]), s[i] = sin(euler[i]);
    const double R[9] = {c[2] * c[1],
                         c[2] * s[1] * s[0] - s[2] * c[0],
                         c[2] * s[1] * c[0] + s[2] * s[0],
                         s[2] * c[1],
                         s[2] * s[1] * s[0] + c[2] * c[0],
                         s[2] * s[1] * c[0] - c[2] * s[0],
                         -s[1],
                         c[1] * s[0],
                         c[1] * c[0]};
    for (int i = 0; i < 3; i++)
        world[i] = R[3 * i] * body[0] + R[3 * i + 1] * body[1] + R[3 * i + 2] * body[2];
}

/* Airy: ρ g a cosh k(h − z)/cosh kh cos(k x − ω t + φ), over P0 + P1 z + P2 z². */
static void waves_show_in_the_pressure(void **state)
{
    (void)state;
    const double depths[2] = {0, 12};
    for (int i = 0; i < 2; i++) {
        char sea[256];
        snprintf(sea, sizeof sea,
                 "<water density='1020 kg/m3'/><waves depth='%g m'><wave amplitude='0.8 m' period='6 s' direction='30 "
                 "deg' phase='40 deg'/></waves>",
                 depths[i]);
        fm_world *world = start_probe(sea, "position='3 4 6 m'", "<pressure position='0.5 0 0.2 m'/>");
        double omega = 2 * FM_PI / 6, h = depths[i], k = wave_number(omega, h), p[3], lowest = HUGE_VAL,
               highest = -HUGE_VAL;
        fm_water_column_fit_pressure(41 * DEGREE, p);
        for (int n = 0; n < 700; n++) {
            fm_pose pose;
            fm_world_pose(world, 0, &pose);
            step(world, 1);
            double arm[3];
            turn_to_world(pose.euler, (const double[3]){0.5, 0, 0.2}, arm);
            double x = pose.position[0] + arm[0], y = pose.position[1] + arm[1], z = pose.position[2] + arm[2];
            double decay = h > 0 ? cosh(k * (h - z)) / cosh(k * h) : exp(-k * z);
            double wave = 1020 * 9.80665 * 0.8 * decay *
                          cos(k * (x * cos(30 * DEGREE) + y * sin(30 * DEGREE)) - omega * 0.01 * n + 40 * DEGREE);
            assert_near(value_of(world, "pressure"), p[0] + p[1] * z + p[2] * z * z + wave, 1e-3);
            lowest = fmin(lowest, wave);
            highest = fmax(highest, wave);
        }
        assert_greater(highest - lowest, 4000);
        finish(world);
    }
}

/* The antenna stands 0.3 m above the mean surface: it is covered while the crest there is higher. */
static void gps_is_silent_while_a_crest_covers_the_antenna(void **state)
{
    (void)state;
    fm_world *world = start_probe("<waves><wave amplitude='0.8 m' period='4 s'/></waves>", "position='0 0 2 m'",
                                  "<gps position='0 0 -2.3 m'/>");
    const fm_gps_reading *r = reading(world, "gps");
    double omega = 2 * FM_PI / 4, k = omega * omega / 9.80665;
    int heard = 0, silent = 0;
    for (int n = 0; n < 800; n++) {
        fm_pose pose;
        int64_t before = r->head.count;
        fm_world_pose(world, 0, &pose);
        step(world, 1);
        double over = -(pose.position[2] - 2.3) - 0.8 * cos(k * pose.position[0] - omega * 0.01 * n);
        if (fabs(over) < 1e-9)
            continue;
        assert_int_equal(r->head.count - before, over > 0);
        heard += over > 0;
        silent += over < 0;
    }
    assert_greater(heard, 50);
    assert_greater(silent, 50);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fin_position_and_shaft_speed_are_those_of_the_actuators),
                                       cmocka_unit_test(a_battery_monitor_tells_voltage_current_and_charge),
                                       cmocka_unit_test(rays_meet_the_hull_of_another_vehicle_and_not_the_own),
                                       cmocka_unit_test(rays_follow_a_vehicle_that_moves_and_turns),
                                       cmocka_unit_test(a_camera_sees_another_vehicle_at_its_distance),
                                       cmocka_unit_test(a_bumper_feels_another_vehicle_and_not_the_own_hull),
                                       cmocka_unit_test(a_moving_obstacle_is_seen_where_it_is),
                                       cmocka_unit_test(waves_show_in_the_pressure),
                                       cmocka_unit_test(gps_is_silent_while_a_crest_covers_the_antenna)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
