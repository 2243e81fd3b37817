#include "support/cmocka_all.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "geometry/broadphase.h"
#include "geometry_random.h"

static void scatter(dice *d, size_t n, double reach, double size, fm_aabb *boxes)
{
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            boxes[i].low[k] = roll(d, -reach, reach);
            boxes[i].high[k] = boxes[i].low[k] + roll(d, 0, size);
        }
}

static int overlap(const fm_aabb *a, const fm_aabb *b)
{
    for (int k = 0; k < 3; k++)
        if (!(a->low[k] <= b->high[k] && b->low[k] <= a->high[k] && a->low[k] <= a->high[k] && b->low[k] <= b->high[k]))
            return 0;
    return 1;
}

static void compare_with_all_pairs(size_t n, const fm_aabb *boxes, const uint32_t *groups)
{
    fm_broadphase *b = fm_broadphase_create(n, n * n, NULL);
    const fm_broadphase_pair *pairs;
    size_t count, at = 0;
    assert_int_equal(fm_broadphase_pairs(b, n, boxes, groups, &pairs, &count, NULL), FM_OK);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++)
            if (overlap(&boxes[i], &boxes[j]) && !(groups && groups[i] == groups[j])) {
                assert_less(at, count);
                assert_int_equal(pairs[at].first, i);
                assert_int_equal(pairs[at].second, j);
                at++;
            }
    assert_int_equal(at, count);
    fm_broadphase_free(b);
}

static void pairs_equal_those_of_all_against_all_in_order(void **state)
{
    (void)state;
    dice d = {1};
    fm_aabb boxes[300];
    uint32_t groups[300];
    for (int trial = 0; trial < 20; trial++) {
        scatter(&d, 300, 5 + trial, 3, boxes);
        for (size_t i = 0; i < 300; i++)
            groups[i] = (uint32_t)roll(&d, 0, 40);
        compare_with_all_pairs(300, boxes, NULL);
        compare_with_all_pairs(300, boxes, groups);
    }
}

static void unbounded_boxes_meet_all_and_broken_ones_none(void **state)
{
    (void)state;
    dice d = {2};
    fm_aabb boxes[50];
    scatter(&d, 50, 10, 1, boxes);
    for (int k = 0; k < 3; k++) {
        boxes[7].low[k] = -INFINITY;
        boxes[7].high[k] = INFINITY;
    }
    boxes[9].low[1] = NAN;
    boxes[11].low[2] = boxes[11].high[2] + 1;
    compare_with_all_pairs(50, boxes, NULL);
}

static void touching_boxes_are_a_pair(void **state)
{
    (void)state;
    fm_aabb boxes[3] = {{{0, 0, 0}, {1, 1, 1}}, {{1, 0, 0}, {2, 1, 1}}, {{-1, 0, 0}, {-0.0, 1, 1}}};
    compare_with_all_pairs(3, boxes, NULL);
}

static void too_many_pairs_or_bodies_are_refused(void **state)
{
    (void)state;
    fm_aabb boxes[10] = {0};
    fm_error error = {0};
    fm_broadphase *b = fm_broadphase_create(10, 44, &error);
    const fm_broadphase_pair *pairs;
    size_t count;
    assert_int_equal(fm_broadphase_pairs(b, 10, boxes, NULL, &pairs, &count, &error), FM_ERR_FULL);
    assert_string_equal(error.text, "45 overlapping pairs in a broad phase with room for 44");
    assert_int_equal(count, 0);
    assert_int_equal(fm_broadphase_pairs(b, 11, boxes, NULL, &pairs, &count, &error), FM_ERR_FULL);
    fm_broadphase_free(b);
    assert_null(fm_broadphase_create(0, 1, &error));
}

static void a_failed_allocation_leaves_nothing_behind(void **state)
{
    (void)state;
    long before = fm_alloc_live();
    for (long n = 0; n < 7; n++) {
        fm_alloc_fail_after(n);
        assert_null(fm_broadphase_create(10, 10, NULL));
    }
    fm_alloc_fail_after(-1);
    assert_int_equal(fm_alloc_live(), before);
}

static void ten_thousand_moving_bodies_take_no_allocation(void **state)
{
    (void)state;
    enum { N = 10000, STEPS = 20 };
    dice d = {3};
    fm_aabb *boxes = fm_alloc(N * sizeof *boxes);
    scatter(&d, N, 100, 2, boxes); /* 10,000 in 200 m × 200 m × 200 m */
    fm_broadphase *b = fm_broadphase_create(N, 20 * N, NULL);
    const fm_broadphase_pair *pairs;
    size_t count = 0;
    fm_alloc_fail_after(0);
    clock_t start = clock();
    for (int step = 0; step < STEPS; step++) {
        for (size_t i = 0; i < N; i++) {
            double move = roll(&d, -0.02, 0.02);
            boxes[i].low[0] += move;
            boxes[i].high[0] += move;
        }
        assert_int_equal(fm_broadphase_pairs(b, N, boxes, NULL, &pairs, &count, NULL), FM_OK);
    }
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC / STEPS;
    fm_alloc_fail_after(-1);
    print_message("broad phase: %d bodies, %zu pairs, %.2f ms a step\n", N, count, 1e3 * seconds);
    assert_greater(count, 0);
    fm_broadphase_free(b);
    fm_free(boxes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_equal_those_of_all_against_all_in_order),
        cmocka_unit_test(unbounded_boxes_meet_all_and_broken_ones_none),
        cmocka_unit_test(touching_boxes_are_a_pair),
        cmocka_unit_test(too_many_pairs_or_bodies_are_refused),
        cmocka_unit_test(a_failed_allocation_leaves_nothing_behind),
        cmocka_unit_test(ten_thousand_moving_bodies_take_no_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
