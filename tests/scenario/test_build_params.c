/* What a model lists as its parameters, beside what its world can change. */
#include "support/scenario.h"
#include "world/world.h"

static bool lists(const fm_model *model, const char *path)
{
    char wanted[512];
    size_t i = 0;
    snprintf(wanted, sizeof wanted, "%s", path);
    for (char *c = wanted; *c; c++)
        *c = *c == '-' ? '_' : *c;
    while (i < fm_model_param_count(model) && strcmp(fm_model_param(model, i).path, wanted) != 0)
        i++;
    return i < fm_model_param_count(model) && fm_model_param(model, i).live;
}

/* A vector is listed as a whole. */
static void expect_listed(const fm_model *model, const char *prefix, const fm_live_param *live)
{
    char path[512];
    snprintf(path, sizeof path, "%s%s", prefix, live->path);
    if (live->attr->type == FM_ATTR_VECTOR)
        *strrchr(path, '/') = 0;
    if (live->attr->fallback && !lists(model, path))
        fail_msg("%s is live and not listed", path);
}

static void every_live_parameter_with_a_default_is_listed(void **state)
{
    (void)state;
    static const char *const names[] = {"snookie-wall", "bluerov2-hover", "phoenix-turn", "remus-rise", "fish-pool"};
    for (size_t k = 0; k < FM_COUNT(names); k++) {
        fm_model *model = load_scenario(names[k], NULL);
        for (size_t i = 0; i < model->live_count; i++)
            expect_listed(model, "", &model->live[i]);
        for (size_t v = 0; v < model->vehicle_count; v++) {
            const fm_type *type = &model->types[model->vehicles[v].type];
            char prefix[128];
            snprintf(prefix, sizeof prefix, "/%s/", model->vehicles[v].name);
            for (size_t i = 0; i < type->live_count; i++)
                expect_listed(model, prefix, &type->live[i]);
        }
        fm_model_free(model);
    }
}

static void a_listed_default_is_the_value_in_force_and_no_path_stands_twice(void **state)
{
    (void)state;
    fm_model *model = load_scenario("snookie-wall", NULL);
    int found = 0;
    for (size_t i = 0; i < fm_model_param_count(model); i++) {
        fm_param_info a = fm_model_param(model, i);
        found += strcmp(a.path, "/snookie/imu_record/forward/bias") == 0;
        if (strcmp(a.path, "/current/velocity") == 0)
            assert_string_equal(a.value, "0 0 0 m/s");
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(a.path, fm_model_param(model, k).path);
    }
    assert_int_equal(found, 1);
    fm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_live_parameter_with_a_default_is_listed),
        cmocka_unit_test(a_listed_default_is_the_value_in_force_and_no_path_stands_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
