/* A model that writes itself is the same model when it is read again. */
#include "support/scenario.h"

/* One of each kind of vehicle, with tables, meshes, parts, several sections and joints. */
static const char *const names[] = {"phoenix-turn",   "remus-rise", "wavesim-ctd", "snookie-wake-search",
                                    "bluerov2-hover", "fish-depth", "fish-pool",   "fish-behaviours",
                                    "otter-harbour",  "lauv-survey"};

static void a_scenario_written_and_read_again_goes_the_same_way(void **state)
{
    (void)state;
    for (size_t i = 0; i < FM_COUNT(names); i++) {
        fm_error error = {0};
        fm_load_options options = tree_options(NULL);
        fm_model *model = load_scenario(names[i], NULL);
        char *text = fm_model_write(model);
        fm_model *copy = fm_model_load_memory(text, strlen(text), scenario_path(names[i]), &options, &error);
        if (!copy)
            fail_msg("%s: line %d of what it wrote: %s", names[i], error.line, error.text);
        char *again = fm_model_write(copy);
        fm_world *one = fm_world_create(model, NULL, &error), *two = fm_world_create(copy, NULL, &error);
        step(one, 5);
        step(two, 5);
        if (fm_world_hash(one) != fm_world_hash(two))
            fail_msg("%s goes another way when it is read again", names[i]);
        assert_null(strstr(text, " model=\"nps"));
        fm_world_free(one);
        fm_world_free(two);
        fm_free(again);
        fm_free(text);
        fm_model_free(copy);
        fm_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scenario_written_and_read_again_goes_the_same_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
