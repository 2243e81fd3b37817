#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>

#include "base/random.h"

/* The kat_vectors of the Random123 distribution for philox4x32 with 10 rounds. */
static void philox_gives_the_published_known_answers(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], answer[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint32_t out[4];
        fm_philox(known[i].counter, known[i].key, out);
        assert_memory_equal(out, known[i].answer, sizeof out);
    }
}

static void every_part_of_the_key_changes_the_block(void **state)
{
    (void)state;
    fm_random_key base = {1, 2, 3};
    uint32_t first[4], other[6][4];
    fm_random_block(base, 4, first);
    fm_random_block((fm_random_key){1 + (1ull << 32), 2, 3}, 4, other[0]);
    fm_random_block((fm_random_key){1, 3, 3}, 4, other[1]);
    fm_random_block((fm_random_key){1, 2, 4}, 4, other[2]);
    fm_random_block(base, 5, other[3]);
    fm_random_block(base, 4 + (1ull << 32), other[4]);
    fm_random_block_at(base, 4, 1, other[5]);
    for (size_t i = 0; i < 6; i++)
        assert_memory_not_equal(first, other[i], sizeof first);
}

static void uniform_numbers_fill_the_unit_interval_evenly(void **state)
{
    (void)state;
    enum { COUNT = 100000, BINS = 100 };
    int bins[BINS] = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        double u = fm_random_uniform((fm_random_key){7, 1, 1}, i / 10, i % 10);
        assert_at_least(u, 0);
        assert_less(u, 1);
        bins[(int)(u * BINS)]++;
    }
    double chi = 0;
    for (int i = 0; i < BINS; i++)
        chi += pow(bins[i] - COUNT / BINS, 2) / (COUNT / BINS);
    assert_between(60, chi, 149); /* 99 degrees of freedom: 0.1 % on either side */
}

static void normal_numbers_have_the_moments_and_tail_of_a_gaussian(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    double sum[5] = {0}, pairs = 0;
    int beyond = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        double n = fm_random_normal((fm_random_key){3, 2, 1}, i / 2, i % 2), p = 1;
        for (int k = 1; k < 5; k++)
            sum[k] += (p *= n);
        beyond += fabs(n) > 1.959963985;
        if (i % 2 == 0)
            pairs += n * fm_random_normal((fm_random_key){3, 2, 1}, i / 2, 1);
    }
    assert_nearer(sum[1] / COUNT, 0, 4 / sqrt(COUNT));
    assert_nearer(sum[2] / COUNT, 1, 4 * sqrt(2.0 / COUNT));
    assert_nearer(sum[3] / COUNT, 0, 4 * sqrt(15.0 / COUNT));
    assert_nearer(sum[4] / COUNT, 3, 4 * sqrt(96.0 / COUNT));
    assert_nearer(beyond, 0.05 * COUNT, 4 * sqrt(0.05 * 0.95 * COUNT));
    assert_nearer(pairs / (COUNT / 2), 0, 4 / sqrt(COUNT / 2));
}

static void the_smallest_and_largest_bits_give_finite_normals(void **state)
{
    (void)state;
    assert_same(fm_random_unit(0, 0), 0);
    assert_less(fm_random_unit(~0u, ~0u), 1);
    assert_true(isfinite(fm_random_normal_of(0, 0, 0)));
    assert_true(isfinite(fm_random_normal_of(fm_random_unit(~0u, ~0u), 0.25, 1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_published_known_answers),
        cmocka_unit_test(every_part_of_the_key_changes_the_block),
        cmocka_unit_test(uniform_numbers_fill_the_unit_interval_evenly),
        cmocka_unit_test(normal_numbers_have_the_moments_and_tail_of_a_gaussian),
        cmocka_unit_test(the_smallest_and_largest_bits_give_finite_normals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
