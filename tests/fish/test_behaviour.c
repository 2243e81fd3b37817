/* Tasks and behaviours: trajectories followed, targets pursued, decisions that the inverse map can carry out. */
#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "fish/behaviour.h"
#include "fish/fish_avoid.h"
#include "fish/preset.h"

static void carry_out(const fm_fish_params *p, fm_fish_state *s, const fm_fish_decision *d, double dt)
{
    double a, v, f, deflection;
    fm_fish_expect(d, s->speed, &a, &v);
    fm_fish_inverse(p, a, v, s->speed, &f, &deflection);
    fm_fish_step(p, s, f, deflection, dt);
}

static void a_circle_is_followed_within_millimetres(void **state)
{
    (void)state;
    fm_fish_params p = preset_fish();
    fm_fish_path path;
    fm_error error;
    assert_int_equal(fm_fish_path_circle(&path, 0, 0, 1, 720, &error), FM_OK);
    fm_fish_state s = {.x = 1, .heading = 0.5 * FM_PI, .speed = 0.1};
    double sum = 0, speed = 0;
    int n = 0;
    for (int i = 0; i < 2400; i++) {
        fm_fish_decision d = fm_fish_follow(&path, s.x, s.y, s.heading, s.speed, 0.2, 0.25);
        carry_out(&p, &s, &d, 0.05);
        if (i > 800) {
            sum += pow(hypot(s.x, s.y) - 1, 2);
            speed += s.speed;
            n++;
        }
    }
    fm_fish_path_free(&path);
    assert_less(sqrt(sum / n), 0.02);
    assert_nearer(speed / n, 0.2, 0.002);
}

static void a_moving_target_is_kept_at_half_a_metre(void **state)
{
    (void)state;
    fm_fish_params p = preset_fish();
    fm_fish_state s = {.x = -1, .speed = 0.1};
    double sum = 0, tx = 0, ty = 0, course = 0.2;
    int n = 0;
    for (int i = 0; i < 2400; i++) {
        course += 0.05 * 0.15 * sin(0.1 * i * 0.05);
        tx += 0.05 * 0.12 * cos(course);
        ty += 0.05 * 0.12 * sin(course);
        fm_fish_decision d = fm_fish_pursue(s.x, s.y, s.heading, tx, ty, 0.12, 0.5);
        carry_out(&p, &s, &d, 0.05);
        if (i > 800) {
            sum += hypot(tx - s.x, ty - s.y);
            n++;
        }
    }
    assert_nearer(sum / n, 0.515, 0.1);
}

static void a_polyline_is_left_at_its_end(void **state)
{
    (void)state;
    static const double corner[] = {0, 0, 2, 0, 2, 2};
    fm_fish_params p = preset_fish();
    fm_fish_path path;
    fm_error error;
    assert_int_equal(fm_fish_path_points(&path, corner, 3, 0, &error), FM_OK);
    fm_fish_state s = {.speed = 0.1};
    double worst = 0;
    for (int i = 0; i < 1200; i++) {
        fm_fish_decision d = fm_fish_follow(&path, s.x, s.y, s.heading, s.speed, 0.2, 0.25);
        carry_out(&p, &s, &d, 0.05);
        if (s.y < 1.9)
            worst = fmax(worst, fabs(fm_fish_path_nearest(&path, s.x, s.y).offset));
    }
    fm_fish_path_free(&path);
    assert_less(worst, 0.15); /* it cuts the corner */
    assert_greater(s.y, 2);
    assert_less(s.speed, 0.05);
}

static void offset_is_positive_to_starboard_of_the_path(void **state)
{
    (void)state;
    static const double north[] = {0, 0, 4, 0};
    fm_fish_path path;
    fm_error error;
    assert_int_equal(fm_fish_path_points(&path, north, 2, 0, &error), FM_OK);
    fm_fish_path_point a = fm_fish_path_nearest(&path, 1, 0.3), b = fm_fish_path_nearest(&path, 1, -0.3);
    assert_nearer(a.offset, 0.3, 1e-12);
    assert_nearer(b.offset, -0.3, 1e-12);
    assert_nearer(a.along, 1, 1e-12);
    assert_greater(fm_fish_steer_to(0, 0, 0, 1, 1), 0); /* east of north: to starboard */
    fm_fish_path_free(&path);
}

static void a_trajectory_file_is_read_or_refused_by_line(void **state)
{
    (void)state;
    static const char good[] = "# square\n0, 0\n1 0\n1,1\n0\t1\nclosed\n", bad[] = "0,0\n1,zero\n",
                      late[] = "0 0\n1 1\nclosed\n2 2\n";
    fm_fish_path path;
    fm_error error = {0};
    assert_int_equal(fm_fish_path_parse(&path, good, strlen(good), "square.txt", &error), FM_OK);
    assert_true(path.closed);
    assert_same(path.count, 4);
    assert_nearer(fm_fish_path_length(&path), 4, 1e-12);
    fm_fish_path_free(&path);
    assert_int_equal(fm_fish_path_parse(&path, bad, strlen(bad), "bad.txt", &error), FM_ERR_SYNTAX);
    assert_int_equal(error.line, 2);
    assert_int_equal(fm_fish_path_parse(&path, late, strlen(late), "late.txt", &error), FM_ERR_SYNTAX);
    assert_int_equal(error.line, 4);
    assert_int_equal(fm_fish_path_parse(&path, "1 1\n", 4, "one.txt", &error), FM_ERR_RANGE);
    assert_int_equal(fm_fish_path_parse(&path, "1 1\n1 1\n", 8, "same.txt", &error), FM_ERR_MODEL);
    assert_int_equal(fm_fish_path_load(&path, "no/such.txt", &error), FM_ERR_FILE);
    assert_int_equal(fm_alloc_live(), 0);
}

static void a_behaviour_is_chosen_for_speed_and_turn(void **state)
{
    (void)state;
    assert_int_equal(fm_fish_decide(0.2, 0, 0.2).behaviour, FM_FISH_CONSTANT);
    assert_int_equal(fm_fish_decide(0.3, 0, 0.2).behaviour, FM_FISH_ACCELERATE);
    assert_int_equal(fm_fish_decide(0.1, 0, 0.2).behaviour, FM_FISH_DECELERATE);
    assert_int_equal(fm_fish_decide(0.2, -0.8, 0.2).behaviour, FM_FISH_TURN);
    assert_int_equal(fm_fish_decide(0, 0, 0.2).behaviour, FM_FISH_HOVER);
    assert_int_equal(fm_fish_pursue(0, 0, 0, 1, 0, 0.1, 0.5).behaviour, FM_FISH_PURSUE);
}

static fm_fish_behaviour goes_on(fm_fish_behaviour before, double speed, double turn)
{
    fm_fish_decision d = fm_fish_decide(speed, turn, 0.2);
    return fm_fish_persist(before, &d, 0.2);
}

/* A band between the beginning and the end of each; what avoids, hovers or pursues is never held up. */
static void a_behaviour_goes_on_until_it_is_clearly_over(void **state)
{
    (void)state;
    for (int side = -1; side <= 1; side += 2) {
        assert_int_equal(goes_on(FM_FISH_CONSTANT, 0.2, side * 0.16), FM_FISH_CONSTANT);
        assert_int_equal(goes_on(FM_FISH_TURN, 0.2, side * 0.16), FM_FISH_TURN);
        assert_int_equal(goes_on(FM_FISH_TURN, 0.2, side * 0.11), FM_FISH_CONSTANT);
    }
    assert_int_equal(goes_on(FM_FISH_CONSTANT, 0.21, 0), FM_FISH_CONSTANT);
    assert_int_equal(goes_on(FM_FISH_ACCELERATE, 0.21, 0), FM_FISH_ACCELERATE);
    assert_int_equal(goes_on(FM_FISH_ACCELERATE, 0.204, 0), FM_FISH_CONSTANT);
    assert_int_equal(goes_on(FM_FISH_DECELERATE, 0.19, 0), FM_FISH_DECELERATE);
    assert_int_equal(goes_on(FM_FISH_DECELERATE, 0.21, 0), FM_FISH_CONSTANT);
    assert_int_equal(goes_on(FM_FISH_ACCELERATE, 0.2, 0.3), FM_FISH_TURN);
    assert_int_equal(goes_on(FM_FISH_TURN, 0, 0), FM_FISH_HOVER);
    assert_int_equal(goes_on(FM_FISH_AVOID, 0.2, 0), FM_FISH_CONSTANT);
}

/* The same wanted speed and turn: each behaviour does another thing with them. */
static void behaviours_act_each_in_its_way(void **state)
{
    (void)state;
    static const struct {
        fm_fish_behaviour behaviour;
        double acceleration, turn; /* of 0.36 m/s and 0.5 rad/s wanted at 0.2 m/s, at most 0.05 m/s2 */
    } row[] = {{FM_FISH_CONSTANT, 0.2, 0.5},   {FM_FISH_ACCELERATE, 0.05, 0.5}, {FM_FISH_DECELERATE, 0, 0.5},
               {FM_FISH_TURN, 0.2, 0.5},       {FM_FISH_HOVER, -1, 0},          {FM_FISH_AVOID, 0.2, 0.5},
               {FM_FISH_BACK_OFF, -0.25, 0.5}, {FM_FISH_PURSUE, 0.2, 0.5}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        double acceleration, turn;
        fm_fish_decision d = {.behaviour = row[i].behaviour, .speed = 0.36, .turn = 0.5, .rate = 0.05};
        fm_fish_expect(&d, 0.2, &acceleration, &turn);
        assert_nearer(acceleration, row[i].acceleration, 1e-12);
        assert_same(turn, row[i].turn);
    }
}

static void a_hovering_fish_stops_beating_its_tail(void **state)
{
    (void)state;
    fm_fish_params p = preset_fish();
    fm_fish_decision d = fm_fish_decide(0, 0, 0.2);
    double a, v, f, deflection;
    for (double u = 0; u < 0.4; u += 0.1) {
        fm_fish_expect(&d, u, &a, &v);
        fm_fish_inverse(&p, a, v, u, &f, &deflection);
        assert_less(f, 1e-9);
        assert_same(deflection, 0);
    }
}

static void a_fish_backs_off_round_its_own_length(void **state)
{
    (void)state;
    fm_fish_params p = preset_fish();
    fm_fish_state s = {.speed = 0.2};
    fm_fish_decision d = {.behaviour = FM_FISH_BACK_OFF, .turn = 1.8};
    double most = 0;
    while (s.heading < FM_PI) {
        carry_out(&p, &s, &d, 0.05);
        most = fmax(most, s.x);
    }
    assert_less(most, 0.16); /* it goes less than a head's length further ahead */
}

static void the_reactive_rule_turns_away_and_keeps_its_side(void **state)
{
    (void)state;
    fm_fish_avoid_params p = fm_fish_avoid_preset();
    fm_fish_avoid_state s = {0};
    double active, turn, speed;
    fm_fish_avoid(&p, &s, 1.2, 1.4, 0.05, &active, &turn, &speed);
    assert_same(active, 0);
    fm_fish_avoid(&p, &s, 0.8, 1.4, 0.05, &active, &turn, &speed);
    assert_same(active, 1);
    assert_greater(turn, 0); /* near to port: to starboard */
    fm_fish_avoid(&p, &s, 1.0, 0.95, 0.05, &active, &turn, &speed);
    assert_same(active, 1);
    assert_greater(turn, 0); /* committed */
    fm_fish_avoid(&p, &s, 0.9, 0.5, 0.05, &active, &turn, &speed);
    assert_greater(turn, 0); /* may not flip yet */
    s.since = 1;
    fm_fish_avoid(&p, &s, 0.9, 0.5, 0.05, &active, &turn, &speed);
    assert_less(turn, 0);
    assert_nearer(turn + 1.8 * 0.55 / 0.8, 0, 1e-12);
    assert_nearer(speed, 0.2 * 0.4 / 0.6, 1e-12);
    fm_fish_avoid(&p, &s, 1.2, 1.2, 0.05, &active, &turn, &speed);
    assert_same(active, 0);
    assert_same(s.side, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_circle_is_followed_within_millimetres),
        cmocka_unit_test(a_moving_target_is_kept_at_half_a_metre),
        cmocka_unit_test(a_polyline_is_left_at_its_end),
        cmocka_unit_test(offset_is_positive_to_starboard_of_the_path),
        cmocka_unit_test(a_trajectory_file_is_read_or_refused_by_line),
        cmocka_unit_test(a_behaviour_is_chosen_for_speed_and_turn),
        cmocka_unit_test(a_behaviour_goes_on_until_it_is_clearly_over),
        cmocka_unit_test(behaviours_act_each_in_its_way),
        cmocka_unit_test(a_hovering_fish_stops_beating_its_tail),
        cmocka_unit_test(a_fish_backs_off_round_its_own_length),
        cmocka_unit_test(the_reactive_rule_turns_away_and_keeps_its_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
