/* Vehicles that are written alike are of one type and share its nodes, and nothing else about them is shared. */
#include "base/memory.h"
#include "base/text.h"
#include "scenario/load.h"
#include "support/scenario.h"
#include "world/scenes.h"

static const char THREE[] =
    "<fathom version='1'><world dt='0.1 s' duration='10 s'/>"
    "<vehicle name='a' model='lauv' position='0 0 5 m'><orders><at t='1 s' propeller='900 rpm'/></orders></vehicle>"
    "<vehicle name='b' model='lauv' position='0 20 5 m' velocity='1 0 0 m/s'>"
    "<orders><at t='1 s' propeller='900 rpm'/></orders></vehicle>"
    "<vehicle name='c' model='lauv' position='0 40 5 m' count='2'>"
    "<orders><at t='1 s' propeller='900 rpm'/></orders></vehicle></fathom>";

static const char *value_of(const fm_model *model, const char *path)
{
    const fm_param_info *info = fm_model_find_param(model, path);
    if (!info)
        fail_msg("no parameter %s", path);
    return info->value;
}

static void vehicles_written_alike_are_of_one_type(void **state)
{
    (void)state;
    fm_model *model = load(THREE);
    assert_int_equal(model->type_count, 1);
    assert_int_equal(model->vehicle_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(model->vehicles[i].type, 0);
        assert_int_equal(model->vehicles[i].order_count, 1);
    }
    assert_near(model->vehicles[1].position[1], 20, 1e-12);
    assert_near(model->vehicles[1].velocity[0], 1, 1e-12);
    assert_near(model->vehicles[2].velocity[0], 0, 1e-12);
    assert_string_equal(value_of(model, "/b/position"), "0 20 5 m");
    assert_string_equal(value_of(model, "/a/position"), "0 0 5 m");
    fm_model_free(model);
}

/* The same vehicles, made different by a text of no consequence: each is a type of its own. */
static void alike_or_not_they_list_the_same_parameters_and_move_with_the_same_bits(void **state)
{
    (void)state;
    fm_text apart = {0};
    for (const char *c = THREE; *c; c++) {
        fm_text_add(&apart, "%c", *c);
        if (strncmp(c, "'0 20 5 m' ", 11) == 0 || strncmp(c, "'0 40 5 m' ", 11) == 0)
            fm_text_add(&apart, "0 %c0 5 m' text='%c' ", c[3], c[3]), c += 10;
    }
    fm_model *one = load(THREE), *three = load(apart.data);
    assert_int_equal(one->type_count, 1);
    assert_int_equal(three->type_count, 3);
    assert_int_equal(fm_model_param_count(one), fm_model_param_count(three));
    for (size_t i = 0; i < fm_model_param_count(one); i++) {
        fm_param_info a = fm_model_param(one, i), b = fm_model_param(three, i);
        assert_string_equal(a.path, b.path);
        if (!strstr(a.path, "/text"))
            assert_string_equal(a.value, b.value);
        assert_int_equal(a.live, b.live);
        assert_int_equal(a.set || strstr(a.path, "/text"), b.set || strstr(a.path, "/text"));
    }
    fm_world *worlds[2] = {create(one, 1), create(three, 1)};
    step(worlds[0], 60);
    step(worlds[1], 60);
    assert_same(motion_hash(worlds[0]), motion_hash(worlds[1]));
    fm_text_free(&apart);
    finish(worlds[0]);
    finish(worlds[1]);
}

static void a_setting_changes_the_vehicle_that_it_names_alone(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "c"};
    for (size_t k = 0; k < 3; k++) {
        char set[64];
        const char *sets[] = {set, NULL};
        snprintf(set, sizeof set, "/%s/mass/mass=18.5 kg", names[k]);
        fm_model *model = load_with(THREE, sets);
        for (size_t i = 0; i < 3; i++) {
            char path[64];
            snprintf(path, sizeof path, "/%s/mass/mass", names[i]);
            assert_string_equal(value_of(model, path), i == k ? "18.5 kg" : "18 kg");
        }
        assert_int_equal(model->type_count, 2);
        for (size_t v = 0; v < model->vehicle_count; v++)
            assert_near(model->types[model->vehicles[v].type].mass.weight / 9.80665,
                        model->vehicles[v].name[0] == names[k][0] ? 18.5 : 18, 1e-9);
        fm_error error = {0};
        fm_model *varied = fm_model_vary(model, (const char *const[]){"/b/mass/mass=19 kg"}, 1, &error);
        assert_non_null(varied);
        assert_string_equal(value_of(varied, "/b/mass/mass"), "19 kg");
        assert_string_equal(value_of(varied, "/a/mass/mass"), k == 0 ? "18.5 kg" : "18 kg");
        assert_string_equal(value_of(varied, "/c/mass/mass"), k == 2 ? "18.5 kg" : "18 kg");
        fm_model_free(varied);
        fm_model_free(model);
    }
}

static void a_copy_and_a_written_scenario_are_the_same_model(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_model *model = load(THREE), *copy = fm_model_vary(model, NULL, 0, &error);
    assert_non_null(copy);
    assert_int_equal(copy->type_count, 1);
    assert_same(copy->identity, model->identity);
    char *text = fm_model_write(model);
    assert_non_null(text);
    fm_model *again = load(text);
    assert_int_equal(fm_model_param_count(again), fm_model_param_count(model));
    for (size_t i = 0; i < fm_model_param_count(model); i++)
        assert_string_equal(fm_model_param(again, i).path, fm_model_param(model, i).path);
    fm_free(text);
    fm_model_free(again);
    fm_model_free(copy);
    fm_model_free(model);
}

static void what_is_wrong_in_vehicles_written_alike_is_told_once(void **state)
{
    (void)state;
    static const char text[] = "<fathom version='1'><world dt='0.1 s'/>"
                               "<vehicle name='a' model='lauv' period='0.15 s'/>"
                               "<vehicle name='b' model='lauv' period='0.15 s' position='0 9 0 m'/>"
                               "<vehicle name='b' model='lauv' period='0.15 s'/></fathom>";
    fm_error error = {0};
    assert_null(fm_model_load_memory(text, strlen(text), "alike.xml", NULL, &error));
    assert_non_null(strstr(error.text, "b"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vehicles_written_alike_are_of_one_type),
        cmocka_unit_test(alike_or_not_they_list_the_same_parameters_and_move_with_the_same_bits),
        cmocka_unit_test(a_setting_changes_the_vehicle_that_it_names_alone),
        cmocka_unit_test(a_copy_and_a_written_scenario_are_the_same_model),
        cmocka_unit_test(what_is_wrong_in_vehicles_written_alike_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
