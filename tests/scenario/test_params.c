#include "support/cmocka_all.h"

#include <stddef.h>

#include "scenario/params.h"
#include "scenario/sea_table.h"

#include <stdio.h>
#include <string.h>

typedef struct fixture {
    fm_tree tree;
    fm_registry registry;
    fm_report report;
    long live;
} fixture;

static void load(fixture *f, const char *text)
{
    *f = (fixture){.live = fm_alloc_live()};
    assert_int_equal(sea_registry(&f->registry), FM_OK);
    assert_int_equal(fm_tree_read_memory(&f->tree, text, strlen(text), "sea.xml", &sea_element, &f->registry,
                                         FM_READ_PARTIAL, &f->report),
                     FM_OK);
}

static void end(fixture *f)
{
    fm_tree_free(&f->tree);
    fm_registry_free(&f->registry);
    fm_report_free(&f->report);
    assert_int_equal(fm_alloc_live(), f->live);
}

static void set(fixture *f, const char *assignment)
{
    fm_error error = {0};
    if (fm_tree_assign(&f->tree, assignment, &error) != FM_OK)
        fail_msg("%s: %s", assignment, error.text);
}

static void refuse(fixture *f, const char *assignment, fm_status status, const char *reason)
{
    fm_error error = {0};
    fm_status got = fm_tree_assign(&f->tree, assignment, &error);
    if (got != status || !strstr(error.text, reason))
        fail_msg("%s: got %s: %s", assignment, fm_status_name(got), error.text);
}

static double number(fixture *f, const char *path)
{
    fm_node *node;
    const fm_attr *attr;
    fm_error error = {0};
    if (fm_tree_find(&f->tree, path, &node, &attr, &error) != FM_OK)
        fail_msg("%s: %s", path, error.text);
    return node->values[attr - node->element->attrs].numbers[0];
}

static void a_path_sets_what_it_names(void **state)
{
    (void)state;
    fixture f;
    load(&f, sea_example);
    set(&f, "/world/dt=20 ms");
    assert_same(number(&f, "/world/dt"), 0.02);
    set(&f, "/water/density=1000 kg/m3");
    assert_same(number(&f, "/water/density"), 1000);
    assert_same(number(&f, "/world/water/density"), 1000);
    set(&f, "/phoenix/port/max_speed=5 rad/s");
    assert_same(number(&f, "/phoenix/port/max-speed"), 5);
    assert_greater(number(&f, "/phoenix/starboard/max-speed"), 100);
    set(&f, "/phoenix/pump/gain=2 N/V2");
    set(&f, "/phoenix/plan/rest[2]/after=3 s");
    assert_same(number(&f, "/phoenix/plan/rest[1]/after"), 60);
    assert_same(number(&f, "/phoenix/plan/rest[2]/after"), 3);
    set(&f, "/phoenix/plan/rest[1]/stern-rudder=15 deg"); /* an open element */
    end(&f);
}

static void an_optional_element_is_added_when_one_of_its_parameters_is_set(void **state)
{
    (void)state;
    fixture f;
    load(&f, "<sea version='1'><boat name='b'/></sea>");
    set(&f, "/water/temperature=20 degC");
    fm_node *world = fm_node_child(f.tree.root, "world");
    assert_non_null(world);
    set(&f, "/water/density=1000 kg/m3");
    assert_ptr_equal(world->first, world->last);
    assert_same(number(&f, "/water/temperature"), 20);
    assert_same(number(&f, "/water/density"), 1000);
    set(&f, "/b/hull/width=3 ft");
    assert_same(number(&f, "/b/hull/width"), 3 * 0.3048);
    assert_same(number(&f, "/b/hull/length"), 10 * 0.3048);
    refuse(&f, "/b/plan/when=1 s", FM_ERR_NAME, "no parameter");
    assert_null(fm_node_child(fm_node_child(f.tree.root, "boat"), "plan"));
    end(&f);
}

static void an_unknown_path_names_the_nearest(void **state)
{
    (void)state;
    fixture f;
    load(&f, sea_example);
    refuse(&f, "/water/densty=1 kg/m3", FM_ERR_NAME, "did you mean '/water/density'");
    refuse(&f, "/phoenix/prot/gain=1 N/V2", FM_ERR_NAME, "'/phoenix/port/gain'");
    refuse(&f, "/phoenix/motor/gain=1 N/V2", FM_ERR_NAME, "not unique");
    refuse(&f, "/phoenix/name=x", FM_ERR_NAME, "no parameter");
    refuse(&f, "water/density=1 kg/m3", FM_ERR_NAME, "/world/dt");
    refuse(&f, "/water/density", FM_ERR_SYNTAX, "PATH=VALUE");
    refuse(&f, "/water/density=1 kg/m3", FM_ERR_RANGE, "900 … 1200 kg/m3");
    refuse(&f, "/water/density=1025", FM_ERR_UNIT, "kg/m3");
    refuse(&f, "////=1", FM_ERR_NAME, "");
    end(&f);
}

static bool note(void *user, const fm_param *param)
{
    char *text = user;
    sprintf(text + strlen(text), "%s=%s|", param->path, param->value);
    return true;
}

static void all_parameters_are_listed_by_paths_that_find_them(void **state)
{
    (void)state;
    fixture f;
    load(&f, "<sea version='1'><world seed='3'/><boat name='b-1' integrator='rk4'><motor name='x' gain='1 N/V2' "
             "max-speed='5 rad/s'/>"
             "<pump name='x' gain='2 N/V2' max-speed='5 rad/s'/><plan><rest after='1 s'/><rest/></plan></boat></sea>");
    char text[4096] = "";
    assert_true(fm_tree_params(&f.tree, note, NULL, text));
    assert_string_equal(text, "/sea/version=1|/world/dt=0.01 s|/world/seed=3|/world/tides=false|/world/title=|"
                              "/b_1/model=|/b_1/mesh=|/b_1/position=0 0 0 m|/b_1/heading=0 rad|/b_1/speed=0 m/s|"
                              "/b_1/integrator=rk4|"
                              "/b_1/motor:x/gain=1 N/V2|/b_1/motor:x/max_speed=5 rad/s|"
                              "/b_1/pump:x/gain=2 N/V2|/b_1/pump:x/max_speed=5 rad/s|"
                              "/b_1/plan/rest[1]/after=1 s|/b_1/plan/rest[2]/after=|");
    for (char *path = strtok(text, "|"); path; path = strtok(NULL, "|")) {
        fm_node *node;
        const fm_attr *attr;
        char again[FM_PATH_SIZE];
        *strchr(path, '=') = 0;
        assert_int_equal(fm_tree_find(&f.tree, path, &node, &attr, NULL), FM_OK);
        assert_string_equal(fm_node_path(node, attr->name, again, sizeof again), path);
    }
    end(&f);
}

static void setting_without_memory_fails_cleanly(void **state)
{
    (void)state;
    for (long n = 0;; n++) {
        fixture f;
        load(&f, "<sea version='1'/>");
        fm_error error = {0};
        fm_alloc_fail_after(n);
        char big[40000];
        memset(big, 'x', sizeof big);
        big[sizeof big - 1] = 0;
        fm_status status = fm_tree_set(&f.tree, "/world/title", big, &error);
        fm_alloc_fail_after(-1);
        end(&f);
        if (status == FM_OK)
            return;
        assert_int_equal(status, FM_ERR_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_sets_what_it_names),
        cmocka_unit_test(an_optional_element_is_added_when_one_of_its_parameters_is_set),
        cmocka_unit_test(an_unknown_path_names_the_nearest),
        cmocka_unit_test(all_parameters_are_listed_by_paths_that_find_them),
        cmocka_unit_test(setting_without_memory_fails_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
