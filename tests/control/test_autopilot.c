/* Autopilots of fin-steered, thruster-steered and hybrid vehicles on small plants. */
#include "support/cmocka_all.h"

#include <stddef.h>

#include "control/autopilot.h"
#include "control/remus_case.h"

#define LIMIT (13.6 * FM_DEGREE)

static fm_fin_pilot_params remus_pilot(void)
{
    return (fm_fin_pilot_params){
        .depth = {.kp = 0.25, .ki = 0.02, .low = -0.5, .high = 0.5, .tracking = 2},
        .pitch = {.kp = 1.2, .ki = 0.5, .kd = 0.8, .low = -LIMIT, .high = LIMIT, .tracking = 2},
        .heading = {.kp = 1, .kd = 1.5, .low = -LIMIT, .high = LIMIT, .wraps = 1},
        .roll = {.kp = 0.5, .kd = 0.3, .low = -LIMIT, .high = LIMIT},
        .speed = {.kp = 40, .ki = 10, .low = 0, .high = 60, .tracking = 1},
        .drag_feed = 20,
        .design_speed = 1.54,
        .least_speed = 0.5};
}

/* REMUS diving from 10 to 14 m at a speed [m/s]; returns the depth after 60 s. */
static double dive(double speed, double *overshoot)
{
    const fm_diving_params params = remus_params(speed);
    const fm_diving_model model = fm_diving_derive(&params);
    const fm_fin_pilot_params pilot = remus_pilot();
    const fm_fin_mix_params stern = {.pitch = -1, .limit = LIMIT}; /* delta > 0 is nose down */
    fm_fin_pilot_state s = {0};
    fm_diving_state x = {.z = 10};
    const fm_autopilot_orders orders = {.depth = 14, .speed = speed};
    for (int i = 0; i < 2400; i++) {
        const fm_diving_input still = {.delta = 0};
        const fm_diving_state rate = fm_diving_rate(&model, &x, &still);
        const fm_autopilot_sensed m = {.depth = x.z, .depth_rate = rate.z, .theta = x.theta, .q = x.q, .u = speed};
        const fm_fin_orders o = fm_fin_pilot_step(&pilot, &s, &orders, &m, 1, 0.05);
        const fm_diving_input in = {.delta = fm_fin_mix(&stern, &o)};
        fm_diving_step_rk4(&model, &x, &in, 0.05);
        *overshoot = fmax(*overshoot, x.z - 14);
    }
    return x.z;
}

static void depth_pitch_and_plane_in_cascade_dive_an_unstable_buoyant_vehicle(void **state)
{
    (void)state;
    for (double speed = 1.2; speed < 2.2; speed += 0.2) {
        double overshoot = 0;
        const double depth = dive(speed, &overshoot);
        assert_nearer(depth, 14, 0.05);
        assert_less(overshoot, 1.0);
    }
}

static void plane_gains_fall_with_the_square_of_the_speed_and_change_sign_astern(void **state)
{
    (void)state;
    const fm_fin_pilot_params p = remus_pilot();
    assert_nearer(fm_fin_schedule(&p, 1.54), 1, 1e-15);
    assert_nearer(fm_fin_schedule(&p, 3.08), 0.25, 1e-15);
    assert_same(fm_fin_schedule(&p, -1.54), -fm_fin_schedule(&p, 1.54));
    assert_same(fm_fin_schedule(&p, 0.1), fm_fin_schedule(&p, 0.5));
}

/* Yaw rate [rad/s] plant r' = 0.3 u|u| rudder - 0.5 |u| r; heading after some seconds from 350 to 20 deg. */
static double turn(double u)
{
    fm_fin_pilot_params p = remus_pilot();
    p.heading.low = -10; /* no limits: the linear loop */
    p.heading.high = 10;
    fm_fin_pilot_state s = {0};
    const fm_autopilot_orders orders = {.heading = 20 * FM_DEGREE, .speed = fabs(u)};
    double psi = 350 * FM_DEGREE, r = 0;
    for (int i = 0; i < 4000; i++) {
        const fm_autopilot_sensed m = {.psi = fm_angle_positive(fm_angle_wrap_pi(psi)), .r = r, .u = u};
        const fm_fin_orders o = fm_fin_pilot_step(&p, &s, &orders, &m, 1, 0.01);
        r += 0.01 * (0.3 * u * fabs(u) * o.rudder - 0.5 * fabs(u) * r);
        psi += 0.01 * r;
    }
    return psi;
}

static void the_rudder_turns_across_north_ahead_and_astern(void **state)
{
    (void)state;
    assert_nearer(turn(1.54), 380 * FM_DEGREE, 1e-3);
    assert_nearer(turn(0.8), 380 * FM_DEGREE, 1e-3);
    assert_nearer(turn(-1.0), 380 * FM_DEGREE, 1e-3);
}

static void differential_planes_roll_and_common_planes_pitch(void **state)
{
    (void)state;
    const fm_fin_mix_params port = {.pitch = -1, .roll = 1, .limit = 0.3},
                            starboard = {.pitch = -1, .roll = -1, .limit = 0.3};
    const fm_fin_orders roll = {.aileron = 0.1}, pitch = {.elevator = 0.1}, hard = {.elevator = -0.5};
    assert_same(fm_fin_mix(&port, &roll), -fm_fin_mix(&starboard, &roll));
    assert_same(fm_fin_mix(&port, &pitch), fm_fin_mix(&starboard, &pitch));
    assert_same(fm_fin_mix(&port, &hard), 0.3);
}

static void the_propeller_takes_the_vehicle_to_the_ordered_speed(void **state)
{
    (void)state;
    const fm_fin_pilot_params p = remus_pilot();
    fm_fin_pilot_state s = {0};
    const fm_autopilot_orders orders = {.speed = 1.2};
    double u = 0;
    for (int i = 0; i < 6000; i++) {
        const fm_autopilot_sensed m = {.u = u};
        const double thrust = fm_fin_pilot_step(&p, &s, &orders, &m, 1, 0.01).thrust;
        assert_within(0, thrust, 60);
        u += 0.01 * (thrust - 22 * u * fabs(u)) / 31; /* needs a tenth more than the feed-forward */
    }
    assert_nearer(u, 1.2, 1e-3);
}

/* What is fed forward is a force: at the ordered speed it is the drag of 20 kg/m, four times as much at twice the
 * speed, astern as well. */
static void at_the_ordered_speed_the_thrust_is_the_drag(void **state)
{
    (void)state;
    fm_fin_pilot_params p = remus_pilot();
    p.speed.low = -60;
    for (double speed = -1.5; speed < 1.6; speed += 0.5) {
        fm_fin_pilot_state s = {0};
        const fm_autopilot_orders orders = {.speed = speed};
        const fm_autopilot_sensed m = {.u = speed};
        const double thrust = fm_fin_pilot_step(&p, &s, &orders, &m, 1, 0.01).thrust;
        assert_nearer(thrust, 20 * speed * fabs(speed), 1e-12);
    }
}

static fm_thruster_pilot_params rov_pilot(void)
{
    return (fm_thruster_pilot_params){
        .surge = {.kp = 100, .ki = 40, .low = -80, .high = 80, .tracking = 1},
        .sway = {.kp = 100, .ki = 40, .low = -80, .high = 80, .tracking = 1},
        .depth = {.kp = 60, .ki = 15, .kd = 70, .low = -80, .high = 80, .tracking = 2},
        .roll = {.kp = 10, .kd = 5, .low = -10, .high = 10},
        .pitch = {.kp = 10, .kd = 5, .low = -10, .high = 10},
        .heading = {.kp = 10, .ki = 1, .kd = 8, .low = -10, .high = 10, .tracking = 2, .wraps = 1}};
}

static void thrusters_hold_depth_heading_and_speed_against_buoyancy(void **state)
{
    (void)state;
    const fm_thruster_pilot_params p = rov_pilot();
    fm_thruster_pilot_state s = {0};
    const fm_autopilot_orders orders = {.depth = 5, .heading = -3, .speed = 0.5, .sway = -0.2};
    double z = 2, w = 0, psi = 3, r = 0, u = 0, v = 0, f[6];
    for (int i = 0; i < 8000; i++) {
        const fm_autopilot_sensed m = {.depth = z, .depth_rate = w, .psi = psi, .r = r, .u = u, .v = v};
        fm_thruster_pilot_step(&p, &s, &orders, &m, 1, 0.01, f);
        w += 0.01 * (f[2] - 12 - 60 * w * fabs(w)) / 40; /* 12 N buoyant */
        r += 0.01 * (f[5] - 0.5 * r) / 2;
        u += 0.01 * (f[0] - 50 * u * fabs(u)) / 40;
        v += 0.01 * (f[1] - 80 * v * fabs(v)) / 50;
        z += 0.01 * w;
        psi += 0.01 * r;
    }
    assert_nearer(z, 5, 1e-3);
    assert_nearer(fm_angle_wrap_pi(psi + 3), 0, 1e-3);
    assert_nearer(u, 0.5, 1e-3);
    assert_nearer(v, -0.2, 1e-3);
    assert_greater(psi, 3); /* the short way from 172 to -172 deg */
    assert_same(f[3], 0);
    assert_same(f[4], 0);
}

static void fins_and_thrusters_share_the_work_smoothly_between_two_speeds(void **state)
{
    (void)state;
    double last = 0;
    assert_same(fm_hybrid_share(0.3, 0.8, 0.2), 0);
    assert_same(fm_hybrid_share(0.3, 0.8, 0.9), 1);
    assert_same(fm_hybrid_share(0.3, 0.8, -2), 1);
    for (double u = 0; u < 1; u += 0.01) {
        const double share = fm_hybrid_share(0.3, 0.8, u);
        assert_at_least(share, last);
        assert_less(share - last, 0.031); /* steepest slope 1.5/0.5 per m/s */
        last = share;
    }
}

static void a_hybrid_steers_by_thrusters_at_rest_and_by_fins_at_speed(void **state)
{
    (void)state;
    const fm_hybrid_pilot_params p = {.fins = remus_pilot(), .thrusters = rov_pilot(), .low = 0.3, .high = 0.8};
    const fm_autopilot_orders orders = {.depth = 5, .heading = 1, .speed = 0.5};
    const fm_autopilot_sensed slow = {.depth = 4, .u = 0.1}, fast = {.depth = 4, .u = 1.5};
    fm_hybrid_pilot_state s = {0};
    double f[6];
    fm_fin_orders o = fm_hybrid_pilot_step(&p, &s, &orders, &slow, 0.1, f);
    assert_same(o.elevator, 0);
    assert_same(o.rudder, 0);
    assert_same(o.thrust, 0);
    assert_greater(f[2], 0);
    assert_greater(f[5], 0);
    assert_same(s.fins.heading.integral, 0);
    assert_same(s.fins.depth.integral, 0); /* what is not in use does not wind up */
    s = (fm_hybrid_pilot_state){0};
    o = fm_hybrid_pilot_step(&p, &s, &orders, &fast, 0.1, f);
    assert_less(o.elevator, 0);
    assert_greater(o.rudder, 0);
    assert_less(o.pitch, 0);
    for (int i = 0; i < 6; i++)
        assert_same(f[i], 0);
    assert_same(s.thrusters.depth.integral, 0);
}

static void an_altitude_becomes_the_depth_that_has_it(void **state)
{
    (void)state;
    assert_same(fm_autopilot_depth_for_altitude(17, 2, 3), 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_pitch_and_plane_in_cascade_dive_an_unstable_buoyant_vehicle),
        cmocka_unit_test(plane_gains_fall_with_the_square_of_the_speed_and_change_sign_astern),
        cmocka_unit_test(the_rudder_turns_across_north_ahead_and_astern),
        cmocka_unit_test(differential_planes_roll_and_common_planes_pitch),
        cmocka_unit_test(the_propeller_takes_the_vehicle_to_the_ordered_speed),
        cmocka_unit_test(at_the_ordered_speed_the_thrust_is_the_drag),
        cmocka_unit_test(thrusters_hold_depth_heading_and_speed_against_buoyancy),
        cmocka_unit_test(fins_and_thrusters_share_the_work_smoothly_between_two_speeds),
        cmocka_unit_test(a_hybrid_steers_by_thrusters_at_rest_and_by_fins_at_speed),
        cmocka_unit_test(an_altitude_becomes_the_depth_that_has_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
