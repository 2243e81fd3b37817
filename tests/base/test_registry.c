#include "support/cmocka_all.h"

#include <stddef.h>

#include "base/memory.h"
#include "base/registry.h"
#include "base/text.h"

static const fm_element fin = {.name = "fin"}, motor = {.name = "motor"}, sonar = {.name = "sonar"};

static void parts_are_found_by_group_and_name_in_their_order(void **state)
{
    (void)state;
    fm_registry registry = {0};
    int class_of_fin = 0;
    assert_int_equal(fm_registry_add(&registry, "actuator", &motor, NULL, NULL), FM_OK);
    assert_int_equal(fm_registry_add(&registry, "sensor", &sonar, NULL, NULL), FM_OK);
    assert_int_equal(fm_registry_add(&registry, "actuator", &fin, &class_of_fin, NULL), FM_OK);
    assert_ptr_equal(fm_registry_find(&registry, "actuator", "fin")->class_table, &class_of_fin);
    assert_null(fm_registry_find(&registry, "sensor", "fin"));
    const fm_registered *first = fm_registry_next(&registry, "actuator", NULL);
    assert_ptr_equal(first->element, &motor);
    const fm_registered *second = fm_registry_next(&registry, "actuator", first);
    assert_ptr_equal(second->element, &fin);
    assert_null(fm_registry_next(&registry, "actuator", second));
    assert_int_equal(fm_registry_add(&registry, "actuator", &fin, NULL, NULL), FM_ERR_ARGUMENT);
    assert_int_equal(fm_registry_add(&registry, "sensor", &fin, NULL, NULL), FM_OK);
    fm_registry_free(&registry);
}

static void a_registry_without_memory_says_so(void **state)
{
    (void)state;
    fm_registry registry = {0};
    fm_alloc_fail_after(0);
    fm_status status = fm_registry_add(&registry, "actuator", &motor, NULL, NULL);
    fm_alloc_fail_after(-1);
    assert_int_equal(status, FM_ERR_MEMORY);
    assert_null(fm_registry_find(&registry, "actuator", "motor"));
}

static void the_distance_of_names_counts_their_edits(void **state)
{
    (void)state;
    assert_int_equal(fm_text_distance("kitten", "sitting", 9), 3);
    assert_int_equal(fm_text_distance("world", "wrold", 9), 1); /* neighbours swapped */
    assert_int_equal(fm_text_distance("max-speed", "Max_Speed", 9), 0);
    assert_int_equal(fm_text_distance("", "abc", 9), 3);
    assert_greater(fm_text_distance("completely", "different!", 3), 3);
    assert_true(fm_text_name_equal("a-b_c", "a_b-c") && !fm_text_name_equal("ab", "abc") &&
                !fm_text_name_equal("A", "a"));
    assert_true(fm_text_name_valid("_a.b-2") && !fm_text_name_valid("2a") && !fm_text_name_valid("") &&
                !fm_text_name_valid("a b"));
}

static void the_nearest_name_comes_first(void **state)
{
    (void)state;
    char buffer[200];
    fm_nearest nearest = {.wanted = "desnity"};
    fm_nearest_offer(&nearest, "identity");
    fm_nearest_offer(&nearest, "temperature");
    fm_nearest_offer(&nearest, "density");
    assert_string_equal(nearest.names[0], "density");
    assert_string_equal(fm_nearest_write(&(fm_nearest){.wanted = "x"}, buffer, sizeof buffer), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_found_by_group_and_name_in_their_order),
        cmocka_unit_test(a_registry_without_memory_says_so),
        cmocka_unit_test(the_distance_of_names_counts_their_edits),
        cmocka_unit_test(the_nearest_name_comes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
