/* The control kernels with eight vehicles a vector. The lanes start at eight distances from the rise of the bottom,
 * which are the phases of the sonar frame over which the reference gives ranges: the vector build must find the same
 * numbers. */
#define FM_LANES 8
#define FM_ONE_TYPE
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wpsabi"
#endif
#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>

#include "control/autopilot.h"
#include "control/guidance.h"
#include "control/remus_metrics.h"
#include "control/remus_params.h"
#include "control/sliding_mode.h"

static const fm_sliding_params gains = {.k = {-1.1193960855487857, -0.08385101912098589, 0.023781275443222366, 0},
                                        .s = {1.2441483597828948, -2.438297512648674, -3.834383200513981, 1},
                                        .eta = 0.12287325754169474,
                                        .phi = 0.5,
                                        .limit = 13.6 * FM_DEGREE,
                                        .trim_w = -0.06608054514539903,
                                        .trim_theta = -2.4585300939967953 * FM_DEGREE,
                                        .trim_delta = -2.942960000610453 * FM_DEGREE};
enum { NODES = 1000, BEHIND = 20 };

static fm_real eight(double first, double step)
{
    fm_real r = fm_const(0);
    for (int i = 0; i < FM_LANES; i++)
        r[i] = first + step * i;
    return r;
}

static fm_remus_metrics run_lanes(void)
{
    static double depth[NODES];
    const double x0 = -0.5 * BEHIND;
    for (int i = 0; i < NODES; i++)
        depth[i] = x0 + 0.5 * i >= 60 ? 16 : 20;
    const fm_diving_params remus = remus_params(1.54);
    const fm_threat_params threat = remus_threat(3, 1);
    const fm_diving_model model = fm_diving_derive(&remus);
    fm_diving_state s = {
        .w = fm_const(gains.trim_w), .theta = fm_const(gains.trim_theta), .x = eight(0, -0.5), .z = fm_const(17)};
    fm_threat_state sonar = {.age = fm_const(0)};
    fm_remus_metrics metrics = {.altitude = {.low = fm_const(0)}};
    for (int i = 0; i <= 3000; i++) {
        fm_real fresh = fm_const(0);
        if (fm_any(fm_threat_due(&threat, &sonar, 0.05)))
            fresh = fm_threat_of_nodes(&threat, x0, depth, 0, NODES, s.x, s.z, s.theta);
        const fm_real seen = fm_threat_hold(&threat, &sonar, fresh, 0.05), wanted = fm_threat_altitude(&threat, seen);
        const fm_real bottom = 20.0 - 4.0 * fm_clamp((s.x - 59.5) / 0.5, fm_const(0), fm_const(1)), h = bottom - s.z;
        const fm_diving_input in = {.delta = fm_sliding_dive(&gains, s.w, s.q, s.theta, wanted - h),
                                    .current_x = fm_const(0),
                                    .current_z = fm_const(0)};
        fm_remus_metrics_add(&metrics, fm_const(i * 0.05), h, s.theta, seen, 10 * FM_DEGREE, 100);
        fm_diving_step_rk4(&model, &s, &in, 0.05);
    }
    return metrics;
}

static void eight_vehicles_in_one_vector_meet_the_rise_as_eight_runs_would(void **state)
{
    (void)state;
    const fm_remus_metrics m = run_lanes();
    static const double reversals[7] = {6, 6, 4, 4, 4, 5, 6};
    double low = 1e9, high = -1e9, steep = 0;
    for (int i = 0; i < 7; i++) {
        low = fmin(low, m.altitude.low[i]);
        high = fmax(high, m.altitude.low[i]);
        steep = fmax(steep, m.pitch.high[i] / FM_DEGREE);
        assert_same(m.reversals.count[i], reversals[i]);
    }
    assert_nearer(m.altitude.low[0], 1.678169108159997, 1e-6);
    assert_nearer(low, 1.4737594559445917, 1e-6);
    assert_nearer(high, 2.9992295199550973, 1e-6);
    assert_nearer(steep, 40.13496045623269, 1e-5);
}

/* Waypoints reached and final position of vehicles that steer by line of sight, from headings psi at speeds [m/s]. */
static fm_real steer(fm_real psi, fm_real speed, fm_real at[3])
{
    static const double points[3][3] = {{20, 0, 5}, {20, 20, 5}, {0, 20, 8}};
    const fm_waypoints list = {.points = points, .count = 3};
    const fm_los_params sight = {.lookahead = 5, .radius = 5};
    const fm_pid_params heading = {.kp = 2, .low = -0.5, .high = 0.5, .rate = 1, .tracking = 1, .wraps = 1};
    const fm_pid_drive plain = fm_pid_plain();
    fm_waypoints_state s = {.target = fm_const(0)};
    fm_pid_state pid = {.integral = fm_const(0)};
    at[0] = fm_const(0);
    at[1] = fm_const(0);
    at[2] = fm_const(5);
    for (int i = 0; i < 400; i++) {
        const fm_los r = fm_waypoints_step(&list, &sight, &s, at, 0.1);
        psi = psi + 0.1 * fm_pid_step(&heading, &pid, r.course, psi, &plain, 0.1);
        at[0] = at[0] + 0.1 * speed * fm_cos(psi);
        at[1] = at[1] + 0.1 * speed * fm_sin(psi);
        at[2] = r.depth;
    }
    return s.reached;
}

static void every_lane_steers_as_if_it_were_alone(void **state)
{
    (void)state;
    const fm_real psi = eight(-3, 0.8), speed = eight(0.25, 0.25);
    fm_real at[3], alone[3];
    const fm_real reached = steer(psi, speed, at);
    assert_same(reached[0], 0);
    assert_same(reached[7], 3);
    for (int i = 0; i < FM_LANES; i++) {
        const fm_real same = steer(fm_const(psi[i]), fm_const(speed[i]), alone);
        assert_same(same[0], reached[i]);
        for (int k = 0; k < 3; k++)
            assert_same(alone[k][0], at[k][i]);
    }
}

static void the_autopilots_work_on_vectors(void **state)
{
    (void)state;
    fm_hybrid_pilot_params p = {.low = 0.3, .high = 0.8};
    p.fins.heading = (fm_pid_params){.kp = 1, .low = -1, .high = 1, .wraps = 1};
    p.fins.design_speed = 1;
    p.fins.least_speed = 0.1;
    p.thrusters.heading = (fm_pid_params){.kp = 10, .low = -10, .high = 10, .wraps = 1};
    fm_hybrid_pilot_state s = {.fins = {.depth = {.integral = fm_const(0)}}};
    fm_autopilot_orders orders = {.heading = fm_const(0.5)};
    fm_autopilot_sensed m = {.u = eight(0, 0.2)};
    fm_real f[6];
    const fm_fin_orders o = fm_hybrid_pilot_step(&p, &s, &orders, &m, 0.1, f);
    assert_same(o.rudder[0], 0);
    assert_same(f[5][0], 5);
    assert_same(f[5][7], 0);
    assert_nearer(o.rudder[5], 0.5, 1e-15); /* at the design speed */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_vehicles_in_one_vector_meet_the_rise_as_eight_runs_would),
        cmocka_unit_test(every_lane_steers_as_if_it_were_alone),
        cmocka_unit_test(the_autopilots_work_on_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
