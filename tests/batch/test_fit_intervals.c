/* A 95 % interval holds the truth 95 times in 100, whatever the record begins with. */
#include "batch/fitting.h"

#define BODY                                                                                                           \
    "<fathom version='1'><world dt='0.1 s' duration='12 s'/><vehicle name='body' position='0 0 5 m' velocity='1 0 0 "  \
    "m/s'>"                                                                                                            \
    "<mass mass='100 kg' inertia='10 10 10 kg*m2'/><buoyancy volume='0.0975609756 m3'/><drag X_u_absu='-70 N*s2/m2' "  \
    "X_u='-25 N*s/m'/>"                                                                                                \
    "<thruster name='motor' direction='1 0 0' thrust='200 N'/><orders><at t='0 s' motor='60 N'/><at t='4 s' "          \
    "motor='160 N'/><at t='9 s' motor='0 N'/></orders>"                                                                \
    "</vehicle></fathom>"

static const quantity of_body[] = {{"body.u", 7, 0.02}, {"body.x", 1, 0.05}};
static const char *const true_body[] = {"/body/drag/X_u_absu=-75 N*s2/m2", "/body/drag/X_u=-20 N*s/m", NULL},
                         *const sought_body[] = {"/body/drag/X_u_absu", "/body/drag/X_u"};

enum { SEEDS = 20 };

/* How often the interval of each parameter held the true value, and how far the values lie apart over what the
 * intervals say. */
static void count_hits(request q, int hits[2], double spread[2])
{
    static const double values[] = {-75, -20};
    double square[2] = {0}, said[2] = {0};
    size_t runs = 0;
    hits[0] = hits[1] = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        result r = {0};
        q.seed = seed;
        fit_record(&q, &r);
        runs += r.fit->runs;
        for (int i = 0; i < 2; i++) {
            const fm_fit_parameter *p = &r.fit->parameters[i];
            hits[i] += p->least <= values[i] && values[i] <= p->most;
            square[i] += (p->value - values[i]) * (p->value - values[i]);
            said[i] += p->deviation * p->deviation;
        }
        end_fit(&r);
    }
    print_message("%zu runs\n", runs);
    for (int i = 0; i < 2; i++)
        spread[i] = sqrt(square[i] / said[i]);
}

/* Of 20 intervals of 95 %, 16 to 20 hold the truth with a probability of 0.997 (binomial). A segment of 0 s: one, from
 * the scenario's start. */
static void expect_intervals(double segment)
{
    int hits[2];
    double spread[2];
    count_hits((request){.text = BODY,
                         .truth = true_body,
                         .parameters = sought_body,
                         .parameter_count = 2,
                         .what = of_body,
                         .count = 2,
                         .every = 1,
                         .segment = segment,
                         .given = segment > 0,
                         .from_record = segment > 0},
               hits, spread);
    print_message("%d and %d of %d; spread %.3f %.3f\n", hits[0], hits[1], SEEDS, spread[0], spread[1]);
    for (int i = 0; i < 2; i++) {
        assert_in_range(hits[i], 16, 20);
        near("spread", spread[i], 1, 0.35);
    }
}

static void intervals_hold_the_truth_95_times_in_100(void **unused)
{
    (void)unused;
    expect_intervals(0);
}

/* Starts that are noisy too: the record says where a segment begins, and is wrong by its noise. */
static void intervals_hold_the_truth_where_each_segment_begins_in_noise(void **unused)
{
    (void)unused;
    expect_intervals(4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_hold_the_truth_95_times_in_100),
        cmocka_unit_test(intervals_hold_the_truth_where_each_segment_begins_in_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
