#include "support/cmocka_all.h"

#include <stddef.h>
#include <string.h>

#include "base/memory.h"

static void arena_pieces_are_aligned_zeroed_and_freed_together(void **state)
{
    (void)state;
    long before = fm_alloc_live();
    fm_arena arena = {0};
    for (size_t i = 1; i < 3000; i += 7) {
        unsigned char *piece = fm_arena_alloc(&arena, i);
        assert_non_null(piece);
        assert_int_equal((size_t)piece % 16, 0);
        for (size_t k = 0; k < i; k++) {
            assert_int_equal(piece[k], 0);
            piece[k] = 0xff;
        }
    }
    fm_arena_free(&arena);
    assert_int_equal(fm_alloc_live(), before);
}

static void the_nth_allocation_can_be_made_to_fail(void **state)
{
    (void)state;
    fm_alloc_fail_after(2);
    void *a = fm_alloc(8), *b = fm_alloc(8), *c = fm_alloc(8);
    fm_alloc_fail_after(-1);
    assert_non_null(a);
    assert_non_null(b);
    assert_null(c);
    fm_free(a);
    fm_free(b);
}

static void an_arena_that_is_rewound_gives_its_newest_block_again_zeroed(void **unused)
{
    (void)unused;
    fm_arena arena = {0};
    fm_arena_rewind(&arena); /* of nothing */
    assert_non_null(fm_arena_alloc(&arena, 100));
    char *first = fm_arena_alloc(&arena, 50000);
    memset(first, 7, 50000);
    long live = fm_alloc_live();
    fm_arena_rewind(&arena);
    assert_int_equal(fm_alloc_live(), live - 1); /* the older block is gone */
    char *again = fm_arena_alloc(&arena, 30000), *more = fm_arena_alloc(&arena, 19000);
    assert_ptr_equal(again, first);
    assert_int_equal(fm_alloc_live(), live - 1);
    for (int i = 0; i < 30000; i++)
        assert_int_equal(again[i], 0);
    assert_int_equal(more[18999], 0);
    fm_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_pieces_are_aligned_zeroed_and_freed_together),
        cmocka_unit_test(the_nth_allocation_can_be_made_to_fail),
        cmocka_unit_test(an_arena_that_is_rewound_gives_its_newest_block_again_zeroed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
