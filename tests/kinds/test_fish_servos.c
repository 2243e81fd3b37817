/* Servos of the robotic fish: no joint turns faster than its servo, the published gaits are untouched, a servo that is
 * too slow shows it; and the brain does not chatter. */
#include "kinds/fish_worlds.h"

#include "fish/behaviour.h"
#include "kinds/fish.h"

static const double DEFAULT_RATE = 300 * DEG; /* rad/s: 60 degrees in 0.2 s */

static const double *angles(const fm_world *world, int slot)
{
    return fm_fish_words_of(world->slots[slot].type, world->slots[slot].vehicle)->angle;
}

/* A tail at rest: joints 1 and 2 bear half of the deflection each, to the other side, and get there at their rate. */
static void a_deflection_is_reached_at_the_rate_of_the_servos(void **state)
{
    (void)state;
    static const double rates[2] = {300, 90};
    for (int r = 0; r < 2; r++)
        for (int side = -1; side <= 1; side += 2) {
            char inside[200];
            snprintf(inside, sizeof inside, r ? "<fish><servo-table rate='%g deg/s'/></fish>" : "<fish/>", rates[r]);
            fm_world *world = one_fish("", inside);
            double first[4];
            memcpy(first, angles(world, 0), sizeof first);
            set(world, "/fish/fish/deflection", side * 40 * DEG);
            for (int k = 1; k <= 30; k++) {
                step(world, 1);
                double bend = -side * fmin(0.01 * k * rates[r], 20) * DEG;
                near("joint 1", angles(world, 0)[0] - first[0], bend, 1e-12);
                near("joint 2", angles(world, 0)[1] - first[1], bend, 1e-12);
                near("joint 3", angles(world, 0)[2] - first[2], 0, 1e-15);
                near("deflection of the tail", column_of(world, 0, "tail-deflection"), -2 * bend, 1e-12);
            }
            finish(world);
        }
}

/* (H9) follows the deflection that the tail has: 1.2 f sin of it while it bends. */
static void the_turn_follows_the_tail_and_not_the_order(void **state)
{
    (void)state;
    fm_world *world = one_fish("", "<fish><wave frequency='2 Hz'/></fish>");
    run_until(world, 1);
    set(world, "/fish/fish/deflection", 50 * DEG);
    double before = 0, ordered = 1.2 * 2 * sin(50 * DEG);
    for (int k = 0; k < 60; k++) {
        step(world, 1);
        double turn = pose_of(world, 0).velocity[5];
        near("1.2 f sin", turn, 1.2 * 2 * sin(column_of(world, 0, "tail-deflection")), 1e-12);
        assert_at_least(turn, before);
        if (k < 5)
            assert_less(turn, 0.7 * ordered);
        before = turn;
    }
    near("in the end the order", before, ordered, 1e-12);
    finish(world);
}

/* Orders at random, every step: the largest step of any joint against the rate. */
static double largest_step(const char *model, double dt, double *widest)
{
    char text[600];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='%g s' duration='60 s'><water density='1000 kg/m3'/></world><vehicle "
             "name='fish' model='%s' position='0 0 1 m'/></fathom>",
             dt, model);
    fm_world *world = start(text);
    size_t joints = fm_world_joint_count(world, 0);
    double most = 0, before[8], noise = 0.37;
    *widest = 0;
    for (int k = 0; k < 2000; k++) {
        memcpy(before, angles(world, 0), joints * sizeof *before);
        noise = fmod(noise * 997.13 + 0.61, 1);
        order(world, "fish", "deflection", (2 * noise - 1) * 50 * DEG);
        order(world, "fish", "frequency", 2.5 * fmod(31 * noise, 1));
        step(world, 1);
        for (size_t j = 0; j < joints; j++) {
            most = fmax(most, fabs(angles(world, 0)[j] - before[j]));
            *widest = fmax(*widest, fabs(angles(world, 0)[j]));
        }
    }
    finish(world);
    return most;
}

static void no_joint_turns_faster_than_its_servo_whatever_is_ordered(void **state)
{
    (void)state;
    static const char *const models[] = {"robotic-fish", "robotic-fish-elongated", "robotic-fish-fins",
                                         "robotic-fish-one-joint"};
    static const double steps[3] = {0.01, 0.05, 0.005};
    for (int m = 0; m < 4; m++)
        for (int i = 0; i < 3; i++) {
            double widest, most = largest_step(models[m], steps[i], &widest), allowed = DEFAULT_RATE * steps[i];
            print_message("%s, %g s: %.4f of %.4f rad\n", models[m], steps[i], most, allowed);
            assert_at_most(most, allowed * (1 + 1e-12));
            assert_greater(most, 0.99 * allowed);
            assert_less(widest, 75 * DEG);
        }
}

/* Every beat up to the fastest, at any deflection: bit by bit what servos without a limit do. */
static void published_gaits_are_within_the_rate(void **state)
{
    (void)state;
    static const char *const thrusts[] = {"thrust='paper'", "thrust='elongated-body'",
                                          "thrust='elongated-body' turning='tail-force'"};
    for (int m = 0; m < 3; m++)
        for (double f = 0.5; f < 2.6; f += 0.5) {
            fm_pose found[2];
            double angle[2][4];
            for (int i = 0; i < 2; i++) {
                char inside[300];
                snprintf(inside, sizeof inside,
                         "<fish %s deflection='%g deg'><wave frequency='%g Hz'/><servo-table rate='%g rad/s'/></fish>",
                         thrusts[m], 40 * f - 50, f, i ? 1000 : DEFAULT_RATE);
                fm_world *world = one_fish("velocity='0.1 0 0 m/s'", inside);
                run_until(world, 12);
                found[i] = pose_of(world, 0);
                memcpy(angle[i], angles(world, 0), sizeof angle[i]);
                finish(world);
            }
            assert_memory_equal(found[0].position, found[1].position, sizeof found[0].position);
            assert_memory_equal(found[0].velocity, found[1].velocity, sizeof found[0].velocity);
            assert_memory_equal(angle[0], angle[1], sizeof angle[0]);
        }
}

/* A servo at a third of the speed that the beat asks for turns to and fro at its rate: a triangle of R/(4 f). The
 * elongated body, which swims by its joints, is slower for it. */
static void a_servo_too_slow_for_the_beat_swings_as_a_triangle(void **state)
{
    (void)state;
    double speed[2], widest = 0;
    for (int slow = 0; slow < 2; slow++) {
        char inside[300];
        snprintf(inside, sizeof inside,
                 "<fish thrust='elongated-body'><wave frequency='2 Hz'/><servo-table swing='0 0 0 20 deg' rate='%d "
                 "deg/s'/></fish>",
                 slow ? 80 : 1000);
        fm_world *world = one_fish("velocity='0.2 0 0 m/s'", inside);
        run_until(world, 20);
        for (int k = 0; k < 200; k++) {
            step(world, 1);
            widest = slow ? fmax(widest, fabs(angles(world, 0)[3])) : 0;
        }
        speed[slow] = fm_fish_words_of(world->slots[0].type, world->slots[0].vehicle)->beat.speed;
        finish(world);
    }
    print_message("%.3f and %.3f m/s, %.3f degrees\n", speed[0], speed[1], widest / DEG);
    near("R/(4 f)", widest, 80 * DEG / (4 * 2), 0.05 * 10 * DEG);
    assert_between(0, speed[1], 0.8 * speed[0]);
}

/* What a brain decides: changes of behaviour, those that lasted under 0.5 s, and the largest step of a joint. */
typedef struct chatter {
    int switches, hasty;
    double step; /* rad */
} chatter;

static chatter listen(const char *scenario, double seconds)
{
    enum { MOST = 64 };
    static double before[MOST][4], since[MOST];
    static int last[MOST];
    fm_world *world = start_scenario(scenario, NULL);
    chatter c = {0};
    for (int i = 0; i < world->slot_count; i++)
        last[i] = -1;
    while (fm_world_time(world) < seconds - 1e-9) {
        for (int i = 0; i < world->slot_count; i++)
            memcpy(before[i], angles(world, i), sizeof before[i]);
        step(world, 1);
        for (int i = 0; i < world->slot_count; i++) {
            fm_sample sample;
            fm_error error = {0};
            double now;
            assert_int_equal(
                fm_world_instrument_read(world, fm_world_name(world, i), "fish-brain", "behaviour", &sample, &error),
                FM_OK);
            fm_sample_values(&sample, &now, 1);
            for (int j = 0; j < 4; j++)
                c.step = fmax(c.step, fabs(angles(world, i)[j] - before[i][j]));
            if ((int)now == last[i])
                continue;
            c.switches += last[i] >= 0;
            c.hasty += last[i] >= 0 && fm_world_time(world) - since[i] < 0.5 - 1e-9;
            last[i] = (int)now;
            since[i] = fm_world_time(world);
        }
    }
    print_message("%s: %d changes of behaviour, %d of them hasty, largest step %.4f rad\n", scenario, c.switches,
                  c.hasty, c.step);
    finish(world);
    return c;
}

/* Without hysteresis and rate limit: 725 changes in 300 s of the pool, 437 of them hasty, and 1753 (830) in 60 s of the
 * school; the largest steps were 0.44 and 0.91 rad. */
static void the_brain_keeps_to_what_it_decided_and_joints_within_their_rate(void **state)
{
    (void)state;
    chatter pool = listen("fish-pool", 300), school = listen("fish-school", 60);
    assert_at_most(pool.step, DEFAULT_RATE * 0.05 * (1 + 1e-12));
    assert_at_most(school.step, DEFAULT_RATE * 0.05 * (1 + 1e-12));
    assert_between(100, pool.switches, 725 / 2);
    assert_less(pool.hasty, 437 / 10);
    assert_between(200, school.switches, 1753 / 2);
    assert_less(school.hasty, 830 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_deflection_is_reached_at_the_rate_of_the_servos),
        cmocka_unit_test(the_turn_follows_the_tail_and_not_the_order),
        cmocka_unit_test(no_joint_turns_faster_than_its_servo_whatever_is_ordered),
        cmocka_unit_test(published_gaits_are_within_the_rate),
        cmocka_unit_test(a_servo_too_slow_for_the_beat_swings_as_a_triangle),
        cmocka_unit_test(the_brain_keeps_to_what_it_decided_and_joints_within_their_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
