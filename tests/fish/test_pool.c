/* Three fish and two columns in a 6 x 4 m pool: what the two avoidance rules do. With arguments (rule 0 or 1, number of
 * seeds, seconds a run, the number before the first seed) it is the campaign program whose numbers docs/theory/fish.md
 * gives. */
#include "support/cmocka_all.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "fish/pool.h"

static void swim(pool *p, uint64_t seed, int anticipate, double seconds)
{
    pool_begin(p, 3, seed, anticipate);
    for (long i = 0; i < (long)(seconds * 20); i++)
        pool_step(p, 0.05);
}

static void the_reactive_rule_cruises_and_covers_the_pool(void **state)
{
    (void)state;
    static pool p;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        swim(&p, seed, 0, 300);
        double mean = p.speed_sum / (double)p.cycles, cover = pool_coverage(&p);
        assert_nearer(mean, 0.199, 0.004);
        assert_between(0.5, cover, 0.8);
        assert_less((double)p.fish_contacts, 0.01 * (double)p.cycles);
    }
}

static void fish_that_anticipate_touch_neither_walls_nor_each_other(void **state)
{
    (void)state;
    static pool p;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        swim(&p, seed, 1, 300);
        assert_int_equal(p.static_contacts, 0);
        assert_int_equal(p.fish_contacts, 0);
        assert_greater(p.clearance, 0);
        assert_greater(p.speed_sum / (double)p.cycles, 0.17);
        assert_greater(pool_coverage(&p), 0.5);
    }
}

static void the_same_seed_gives_the_same_swim(void **state)
{
    (void)state;
    static pool a, b;
    swim(&a, 5, 1, 30);
    swim(&b, 5, 1, 30);
    for (int i = 0; i < 3; i++) {
        assert_same(a.f[i].s.x, b.f[i].s.x);
        assert_same(a.f[i].s.heading, b.f[i].s.heading);
    }
}

static int campaign(int rule, int seeds, double seconds, int after)
{
    static pool p;
    int fish_runs = 0, static_runs = 0;
    double least = INFINITY, speed = 0, cover = 0;
    for (int seed = after + 1; seed <= after + seeds; seed++) {
        swim(&p, (uint64_t)seed, rule, seconds);
        fish_runs += p.fish_contacts > 0;
        static_runs += p.static_contacts > 0;
        least = fmin(least, p.clearance);
        speed += p.speed_sum / (double)p.cycles / seeds;
        cover += pool_coverage(&p) / seeds;
        if (p.fish_contacts || p.static_contacts)
            printf("seed %d: %ld static and %ld fish-fish contact cycles\n", seed, p.static_contacts, p.fish_contacts);
        fflush(stdout);
    }
    printf("rule %d, %d seeds of %g s: runs with static contact %d, with fish-fish contact %d; least static clearance "
           "%.3f m, "
           "mean speed %.3f m/s, coverage %.2f\n",
           rule, seeds, seconds, static_runs, fish_runs, least, speed, cover);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 || argc == 5)
        return campaign(atoi(argv[1]), atoi(argv[2]), atof(argv[3]), argc == 5 ? atoi(argv[4]) : 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reactive_rule_cruises_and_covers_the_pool),
        cmocka_unit_test(fish_that_anticipate_touch_neither_walls_nor_each_other),
        cmocka_unit_test(the_same_seed_gives_the_same_swim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
