#include "support/cmocka_all.h"

#include <stddef.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_pieces_are_aligned_zeroed_and_freed_together),
        cmocka_unit_test(the_nth_allocation_can_be_made_to_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
