#include "support/cmocka_all.h"

#include <stdio.h>

#include "base/memory.h"
#include "base/names.h"

static void a_name_keeps_its_counters_among_thousands(void **state)
{
    (void)state;
    enum { NAMES = 5000 };
    static char names[NAMES][16];
    fm_name_set set = {0};
    assert_int_equal(fm_name_set_create(&set, NAMES, NULL), FM_OK);
    for (size_t i = 0; i < NAMES; i++) {
        snprintf(names[i], sizeof names[i], "rock-%zu", i);
        fm_name_entry *entry = fm_name_set_at(&set, names[i]);
        assert_same(entry->count, 0);
        assert_same(entry->index, 0);
        entry->count = i + 1;
    }
    for (size_t i = 0; i < NAMES; i++) {
        char again[16];
        snprintf(again, sizeof again, "rock_%zu", i); /* '-' and '_' are the same */
        assert_int_equal(fm_name_set_at(&set, again)->count, i + 1);
    }
    fm_name_set_free(&set);
}

static void a_set_of_no_names_exists_and_one_without_memory_does_not(void **state)
{
    (void)state;
    fm_name_set set = {0};
    assert_int_equal(fm_name_set_create(&set, 0, NULL), FM_OK);
    fm_name_set_free(&set);
    fm_alloc_fail_after(0);
    fm_status status = fm_name_set_create(&set, 4, NULL);
    fm_alloc_fail_after(-1);
    assert_int_equal(status, FM_ERR_MEMORY);
    fm_name_set_free(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_keeps_its_counters_among_thousands),
        cmocka_unit_test(a_set_of_no_names_exists_and_one_without_memory_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
