/* Variants of a model have the bits of a model that is loaded with the same values. */
#include "support/scenario.h"

#include "base/text.h"

static const char *const scenarios[] = {"phoenix-dive",     "bluerov2-hover", "fish-trajectory",
                                        "snookie-corridor", "glider-survey",  "otter-harbour"};

/* A value beside the model's, within the limits where they are near. */
static double other_value(const fm_number_info *info)
{
    const double value = info->value == 0 ? 1e-3 : info->value * (1 + 1e-3);
    return info->min < info->max && value > info->max ? info->value * (1 - 1e-3) : value;
}

static void write_path(const fm_number_info *info, char *path, size_t size)
{
    if (info->component < 0)
        snprintf(path, size, "%s", info->parameter);
    else
        snprintf(path, size, "%s/%d", info->parameter, info->component);
}

/* The same model: its text, its parameters, and the states of its world. */
static void assert_same_model(const fm_model *a, const fm_model *b, const char *path)
{
    char *left = fm_model_write(a), *right = fm_model_write(b);
    if (strcmp(left, right) != 0)
        fail_msg("%s: the scenarios differ", path);
    fm_free(left);
    fm_free(right);
    assert_int_equal(fm_model_param_count(a), fm_model_param_count(b));
    for (size_t i = 0; i < fm_model_param_count(a); i++) {
        assert_string_equal(fm_model_param(a, i).path, fm_model_param(b, i).path);
        assert_string_equal(fm_model_param(a, i).value, fm_model_param(b, i).value);
        assert_string_equal(fm_model_param(a, i).written, fm_model_param(b, i).written);
        assert_int_equal(fm_model_param(a, i).set, fm_model_param(b, i).set);
    }
    fm_world *first = create(a, 1), *second = create(b, 1);
    for (int k = 0; k < 5; k++) {
        if (fm_world_hash(first) != fm_world_hash(second))
            fail_msg("%s: after %d steps the states differ", path, k);
        if ((fm_world_step(first, NULL) == FM_OK) != (fm_world_step(second, NULL) == FM_OK))
            fail_msg("%s: step %d succeeds in one of the worlds only", path, k);
    }
    fm_world_free(first);
    fm_world_free(second);
}

static void compare_number(const fm_model *model, const char *scenario, size_t number, size_t *made)
{
    fm_number_info info = fm_model_number(model, number);
    char path[512], value[64], set[640];
    size_t found;
    fm_error error = {0}, other = {0};
    write_path(&info, path, sizeof path);
    if (fm_model_param_find(model, path, &found, &error) != FM_OK)
        fail_msg("%s", error.text);
    assert_int_equal(found, number);
    const double changed = other_value(&info);
    snprintf(set, sizeof set, "%s=%s %s", path, fm_text_number_write(value, sizeof value, changed), info.unit);
    fm_model *loaded_model = try_load_scenario(scenario, (const char *const[]){set, NULL}, &other);
    fm_model *variant = fm_model_variant(model, &number, &changed, 1, &error);
    if (!loaded_model != !variant)
        fail_msg("%s: %s", path, variant ? other.text : error.text);
    if (!variant)
        return;
    assert_int_equal(fm_model_param_find(variant, path, &found, &error), FM_OK);
    near(path, fm_model_number(variant, found).value, changed, 0);
    (*made)++;
    assert_same_model(variant, loaded_model, path);
    fm_model_free(variant);
    fm_model_free(loaded_model);
}

/* Of every parameter that is a number: each eighth, to be quick, from another one in each scenario on. */
static void a_variant_equals_a_model_loaded_with_that_value(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof scenarios / sizeof *scenarios; s++) {
        fm_model *model = load_scenario(scenarios[s], NULL);
        size_t made = 0, count = 0;
        for (size_t i = 0; i < fm_model_param_count(model) * 65; i++)
            if (fm_model_number(model, i).parameter && count++ % 8 == s % 8)
                compare_number(model, scenarios[s], i, &made);
        assert_greater(made, 10);
        fm_model_free(model);
    }
}

static void several_numbers_change_together_and_the_last_of_a_number_counts(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_model *model = load_scenario("bluerov2-hover", NULL);
    size_t mass, z;
    assert_int_equal(fm_model_param_find(model, "/rov/mass/mass", &mass, &error), FM_OK);
    assert_int_equal(fm_model_param_find(model, "/rov/mass/centre/z", &z, &error), FM_OK);
    fm_model *variant = fm_model_variant(model, (size_t[]){mass, z, mass}, (double[]){11, 0.015625, 11.75}, 3, &error);
    fm_model *loaded_model = load_scenario(
        "bluerov2-hover", (const char *const[]){"/rov/mass/mass=11.75 kg", "/rov/mass/centre/z=0.015625 m", NULL});
    assert_non_null(variant);
    assert_same_model(variant, loaded_model, "mass and centre");
    fm_model *third = fm_model_variant(variant, &mass, (double[]){12.5}, 1, &error);
    assert_non_null(third);
    near("mass", fm_model_number(third, mass).value, 12.5, 0);
    near("centre", fm_model_number(third, z).value, 0.015625, 0);
    fm_model_free(third);
    fm_model_free(variant);
    fm_model_free(loaded_model);
    fm_model_free(model);
}

static void what_is_no_number_or_out_of_range_is_refused_with_its_path(void **state)
{
    (void)state;
    fm_model *model = load_scenario("bluerov2-hover", NULL);
    static const struct {
        const char *path, *why;
    } wrong[] = {{"/rov/mass/masss", "/rov/mass/mass"},
                 {"/rov/mass/centre", "/rov/mass/centre/x"},
                 {"/rov/mass/centre/w", "3 numbers"},
                 {"/rov/autopilot/steering", "must be a number"}};
    size_t number;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fm_error error = {0};
        assert_int_not_equal(fm_model_param_find(model, wrong[i].path, &number, &error), FM_OK);
        if (!strstr(error.text, wrong[i].why))
            fail_msg("%s: %s", wrong[i].path, error.text);
    }
    fm_error error = {0};
    assert_int_equal(fm_model_param_find(model, "/rov/mass/mass", &number, &error), FM_OK);
    assert_null(fm_model_variant(model, &number, (double[]){-1}, 1, &error));
    if (!strstr(error.text, "/rov/mass/mass"))
        fail_msg("%s", error.text);
    fm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_variant_equals_a_model_loaded_with_that_value),
        cmocka_unit_test(several_numbers_change_together_and_the_last_of_a_number_counts),
        cmocka_unit_test(what_is_no_number_or_out_of_range_is_refused_with_its_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
