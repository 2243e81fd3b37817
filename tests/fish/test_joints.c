/* Tails of one to eight joints: their links end on the wave, momentum and energy balance, and a fish that beats to both
 * sides alike swims straight. */
#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "fish/body.h"
#include "fish/preset.h"
#include "fish/servo_fit.h"
#include "fish/servo_table.h"

enum { COUNTS = 5, STEPS = 200 };
static const int counts[COUNTS] = {1, 2, 3, 5, 8};

/* The default fish, its tail of 0.24 m cut into this number of links, no two alike. */
static fm_fish_tail tail_of(int joints)
{
    fm_fish_tail tail = {.joints = joints};
    double sum = 0;
    for (int j = 0; j < joints; j++)
        sum += tail.link[j] = 1 + 0.1 * j;
    for (int j = 0; j < joints; j++)
        tail.link[j] *= 0.24 / sum;
    return tail;
}

static fm_servo_table table_of(int joints)
{
    fm_fish_params wave = preset_fish();
    fm_fish_tail tail = tail_of(joints);
    fm_servo_table t;
    fm_error error = {0};
    if (fm_servo_table_fit(&t, &wave, &tail, 36, 1.5, &error) != FM_OK)
        fail_msg("%d joints: %s", joints, error.text);
    return t;
}

static fm_fish_elongated_params body_of(int joints)
{
    fm_fish_shape shape = fm_fish_shape_preset();
    fm_fish_params fish = preset_fish();
    fm_fish_tail tail = tail_of(joints);
    fm_fish_elongated_setup setup = fm_fish_elongated_defaults(&fish, shape.head_length, &tail);
    fm_fish_station stations[161];
    static fm_fish_element elements[FM_FISH_ELEMENTS_MAX];
    fm_fish_elongated_params p;
    fm_error error = {0};
    fm_fish_shape_stations(&shape, stations, 161);
    if (fm_fish_elongated_build(&p, elements, &setup, stations, 161, &error) != FM_OK)
        fail_msg("%d joints: %s", joints, error.text);
    return p;
}

static void posture(const fm_servo_table *t, int i, double frequency, double deflection, double *angle, double *rate)
{
    fm_fish_play(t->angle, t->rows, t->tail.joints, (double)(i % STEPS) / STEPS, angle, rate);
    fm_fish_deflect(t->tail.joints, angle, deflection);
    for (int j = 0; j < t->tail.joints; j++)
        rate[j] *= frequency;
}

/* y = (c1 x + c2 x²) sin(k x − ωt), written out here. */
static void each_link_ends_on_the_wave(void **state)
{
    (void)state;
    const fm_fish_params wave = preset_fish();
    for (int n = 0; n < COUNTS; n++) {
        fm_servo_table t = table_of(counts[n]);
        for (int i = 0; i < t.rows; i++) {
            double x[FM_FISH_JOINTS_MOST + 1], y[FM_FISH_JOINTS_MOST + 1];
            fm_fish_chain(&t.tail, t.angle + i * counts[n], x, y);
            for (int j = 1; j <= counts[n]; j++) {
                const double aft = -x[j], port = -y[j],
                             expected = (0.05 * aft + 0.05 / 0.24 * aft * aft) *
                                        sin(2 * FM_PI / 0.6 * aft - 2 * FM_PI * i / t.rows);
                assert_nearer(port, expected, 1e-9);
                assert_nearer(hypot(x[j] - x[j - 1], y[j] - y[j - 1]), t.tail.link[j - 1], 1e-15);
            }
        }
        servo_fit fit = fit_of(&t, &wave);
        assert_nearer(fit.tip_amplitude, fm_servo_table_reach(&t), 1e-15);
    }
}

/* A chord of length l leaves a wave of curvature y'' by l² y''/8: eight links follow it better than one. */
static void more_joints_follow_the_wave_better(void **state)
{
    (void)state;
    const fm_fish_params wave = preset_fish();
    double before = INFINITY;
    for (int n = 0; n < COUNTS; n++) {
        fm_servo_table t = table_of(counts[n]);
        servo_fit fit = fit_of(&t, &wave);
        assert_less(fit.deviation, before);
        before = fit.deviation;
    }
    assert_less(before, 0.75e-3); /* m; 0.038 m links: l²/8 times 4 1/m at the tip */
}

static void the_deflection_turns_the_tip_by_all_of_itself(void **state)
{
    (void)state;
    for (int joints = 1; joints <= FM_FISH_JOINTS_MOST; joints++) {
        double angle[FM_FISH_JOINTS_MOST] = {0}, sum = 0;
        fm_fish_deflect(joints, angle, 0.6);
        for (int j = 0; j < joints; j++)
            sum += angle[j];
        assert_nearer(sum, -0.6, 1e-15);
    }
}

/* Held at rest, a rigid tail of length l that swings as A sin: mean thrust ½ m l² (2πf)² A J1(A). */
static void one_joint_at_rest_has_the_thrust_of_the_closed_form(void **state)
{
    (void)state;
    const double swing[1] = {0.5}, lag[1] = {0}, f = 1.5;
    const fm_fish_tail tail = tail_of(1);
    fm_fish_elongated_params p = body_of(1);
    fm_servo_table t;
    fm_error error = {0};
    assert_int_equal(fm_servo_table_swing(&t, &tail, swing, lag, 360, 1, &error), FM_OK);
    double sum = 0, still[3] = {0};
    for (int i = 0; i < STEPS; i++) {
        double angle[1], rate[1], force[3], wake;
        fm_fish_segment segment[2];
        posture(&t, i, f, 0, angle, rate);
        fm_fish_segments(&tail, angle, rate, segment);
        fm_fish_tail_force(&p, &segment[1], still, force, &wake);
        sum += force[0] / STEPS;
    }
    const double w = 2 * FM_PI * f, expected = 0.5 * p.tail_added * 0.24 * 0.24 * w * w * 0.5 * j1(0.5);
    assert_nearer(sum, expected, 1e-4 * expected);
}

static void momentum_is_kept_without_drag_and_shedding(void **state)
{
    (void)state;
    for (int n = 0; n < COUNTS; n++) {
        fm_fish_elongated_params p = body_of(counts[n]);
        p.cross_drag = p.skin_drag = 0;
        p.shedding = 0;
        fm_servo_table t = table_of(counts[n]);
        fm_fish_elongated_state s = {.x = 3, .y = -2, .heading = 0.7};
        fm_fish_elongated_out o;
        double angle[FM_FISH_JOINTS_MOST], rate[FM_FISH_JOINTS_MOST], v[3] = {0.2, 0.03, 0.4}, px = 0, py = 0, l = 0;
        for (int i = 0; i < 5 * STEPS; i++) {
            posture(&t, i, 2, 0.3, angle, rate);
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
        }
    }
}

typedef struct swim {
    double speed, thrust, drag, turn, efficiency; /* means of the last eight beats */
} swim;

static swim swim_on(int joints, double deflection)
{
    enum { BEATS = 100, LAST = 8 };
    fm_fish_elongated_params p = body_of(joints);
    fm_servo_table t = table_of(joints);
    fm_fish_elongated_state s = {0};
    fm_fish_elongated_out o = {0};
    fm_fish_beat beat = {0};
    swim r = {0};
    double angle[FM_FISH_JOINTS_MOST], rate[FM_FISH_JOINTS_MOST], start[3] = {0.15, 0, 0}, heading = 0, f = 2;
    for (int i = 0; i < STEPS * BEATS; i++) {
        posture(&t, i, f, deflection, angle, rate);
        if (i == 0)
            fm_fish_elongated_start(&p, &s, angle, rate, start);
        if (i == STEPS * (BEATS - LAST))
            heading = s.heading;
        fm_fish_elongated_step(&p, &s, angle, rate, 1, 1 / (STEPS * f), &o);
        fm_fish_beat_add(&beat, &o, f, 0.048, i % STEPS == 0, 1 / (STEPS * f));
        if (i >= STEPS * (BEATS - LAST)) {
            r.speed += o.forward / (STEPS * LAST);
            r.thrust += o.thrust / (STEPS * LAST);
            r.drag -= o.drag / (STEPS * LAST);
        }
    }
    r.turn = (s.heading - heading) * f / LAST;
    r.efficiency = beat.efficiency;
    return r;
}

/* Steady swimming: the mean thrust is the mean drag, and less than all work goes into the way. Beating to both sides
 * alike keeps the course; a deflection turns to its side, the mirrored one to the other, as fast. */
static void a_fish_of_any_number_of_joints_swims_straight_and_turns(void **state)
{
    (void)state;
    for (int n = 0; n < COUNTS; n++) {
        const swim straight = swim_on(counts[n], 0), starboard = swim_on(counts[n], 0.5),
                   port = swim_on(counts[n], -0.5);
        print_message("%d joints: %.3f m/s, thrust %.2f mN, drag %.2f mN, turn %.4f, %.3f rad/s\n", counts[n],
                      straight.speed, 1e3 * straight.thrust, 1e3 * straight.drag, straight.turn, starboard.turn);
        assert_between(0.05, straight.speed, 0.7);
        assert_nearer(straight.thrust, straight.drag, 0.08 * straight.thrust);
        assert_between(0.3, straight.efficiency, 1);
        assert_nearer(straight.turn, 0, 2e-3);
        assert_greater(starboard.turn, 0.05);
        assert_nearer(starboard.turn + port.turn, 0, 0.02 * starboard.turn);
        assert_nearer(starboard.speed, port.speed, 0.01 * port.speed);
    }
}

static void a_table_of_any_number_of_joints_goes_through_its_file(void **state)
{
    (void)state;
    for (int n = 0; n < COUNTS; n++) {
        char text[20000], says[80];
        fm_error error = {0};
        fm_servo_table t = table_of(counts[n]), back = {.tail = t.tail}, other = {.tail = tail_of(4)};
        FILE *out = fmemopen(text, sizeof text, "w");
        assert_int_equal(fm_servo_table_write(&t, out, &error), FM_OK);
        fclose(out);
        assert_int_equal(fm_servo_table_parse(&back, text, strlen(text), "t.csv", 1.5, &error), FM_OK);
        assert_int_equal(back.rows, t.rows);
        for (int i = 0; i < t.rows * counts[n]; i++)
            assert_nearer(back.angle[i], t.angle[i], 1e-10);
        assert_int_equal(fm_servo_table_parse(&other, text, strlen(text), "t.csv", 1.5, &error), FM_ERR_SYNTAX);
        snprintf(says, sizeof says, counts[n] > 4 ? "more than 5 columns" : "has %d columns: must be 5", counts[n] + 1);
        assert_non_null(strstr(error.text, says));
    }
}

static void no_joints_and_nine_are_refused(void **state)
{
    (void)state;
    const fm_fish_params wave = preset_fish();
    fm_fish_shape shape = fm_fish_shape_preset();
    fm_servo_table t;
    for (int joints = 0; joints <= 9; joints += 9) {
        const fm_fish_tail tail = {.joints = joints};
        fm_error error = {0};
        assert_int_equal(fm_servo_table_fit(&t, &wave, &tail, 18, 1, &error), FM_ERR_RANGE);
        assert_non_null(strstr(error.text, "must be 1 to 8"));
        shape.tail.joints = joints;
        assert_int_equal(fm_fish_shape_check(&shape, &error), FM_ERR_RANGE);
        assert_non_null(strstr(error.text, "must be 1 to 8"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_link_ends_on_the_wave),
        cmocka_unit_test(more_joints_follow_the_wave_better),
        cmocka_unit_test(the_deflection_turns_the_tip_by_all_of_itself),
        cmocka_unit_test(one_joint_at_rest_has_the_thrust_of_the_closed_form),
        cmocka_unit_test(momentum_is_kept_without_drag_and_shedding),
        cmocka_unit_test(a_fish_of_any_number_of_joints_swims_straight_and_turns),
        cmocka_unit_test(a_table_of_any_number_of_joints_goes_through_its_file),
        cmocka_unit_test(no_joints_and_nine_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
