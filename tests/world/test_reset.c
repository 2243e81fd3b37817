/* A world that is reset in the middle of a run is a new one, in every scenario of the tree and whatever has happened to
 * it before. */
#include "support/scenario_names.h"

#include "world/world.h"

enum { BEFORE = 12, AFTER = 8 }; /* steps */

static uint64_t fresh_hash(const fm_model *model)
{
    fm_world *world = create(model, 1);
    step(world, AFTER);
    uint64_t hash = fm_world_hash(world);
    fm_world_free(world);
    return hash;
}

static void reset(fm_world *world)
{
    fm_error error = {0};
    if (fm_world_reset(world, &error) != FM_OK)
        fail_msg("%s", error.text);
}

/* Runs to the middle, resets, and goes on for AFTER steps. */
static uint64_t hash_after_reset(fm_world *world)
{
    step(world, BEFORE);
    reset(world);
    step(world, AFTER);
    return fm_world_hash(world);
}

static void every_scenario_after_a_reset_is_as_after_a_fresh_start(void **unused)
{
    (void)unused;
    static scenario_name names[SCENARIOS_MOST];
    int count = list_scenarios(names), wrong = 0;
    assert_greater(count, 40);
    for (int i = 0; i < count; i++) {
        fm_world *world = start_scenario(names[i], NULL);
        uint64_t fresh = fresh_hash(fm_world_model(world)), once = hash_after_reset(world);
        fm_error error = {0};
        assert_int_equal(fm_world_remove(world, fm_world_name(world, 0), &error), FM_OK);
        uint64_t twice = hash_after_reset(world); /* with a vehicle missing */
        if (once != fresh || twice != fresh) {
            print_message("%s: %016llx after a fresh start, %016llx after a reset, %016llx after a second one\n",
                          names[i], (unsigned long long)fresh, (unsigned long long)once, (unsigned long long)twice);
            wrong++;
        }
        finish(world);
    }
    assert_int_equal(wrong, 0);
}

/* --- vehicles that come and go while others feel the water --- */

#define NOSES                                                                                                          \
    "<fathom version='1'><world dt='0.01 s' duration='60 s' capacity='4'><water surface='none'/></world>"              \
    "<vehicle name='a' model='snookie' position='0 0 5 m'/><vehicle name='b' model='snookie' position='2 0 5 m'/>"     \
    "</fathom>"

static void replace(fm_world *world, const char *gone, const char *name)
{
    static const double at[3] = {0, 2, 5}, level[3];
    fm_error error = {0};
    if (gone)
        assert_int_equal(fm_world_remove(world, gone, &error), FM_OK);
    if (fm_world_spawn(world, name, "snookie", at, level, &error) != FM_OK)
        fail_msg("%s", error.text);
}

static void a_vehicle_that_feels_the_water_comes_in_the_step_in_which_another_goes(void **unused)
{
    (void)unused;
    fm_world *world = start(NOSES);
    step(world, BEFORE);
    replace(world, "a", "c");
    step(world, AFTER);
    assert_less(fm_world_find(world, "a"), 0);
    assert_at_least(fm_world_find(world, "c"), 0);
    finish(world);
}

/* What a vehicle feels when it comes depends on the state alone, and not on what this world did before it had it. */
static void a_vehicle_that_comes_after_a_restore_finds_the_same_water(void **unused)
{
    (void)unused;
    fm_world *first = start(NOSES), *second = create(fm_world_model(first), 1);
    fm_error error = {0};
    step(first, BEFORE);
    size_t size = fm_world_state_size(first);
    void *saved = malloc(size);
    assert_non_null(saved);
    assert_int_equal(fm_world_save(first, saved, size, &error), FM_OK);
    assert_int_equal(fm_world_restore(second, saved, size, &error), FM_OK);
    free(saved);
    replace(first, NULL, "c");
    replace(second, NULL, "c");
    step(first, AFTER);
    step(second, AFTER);
    assert_same(fm_world_hash(first), fm_world_hash(second));
    fm_world_free(second);
    finish(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scenario_after_a_reset_is_as_after_a_fresh_start),
        cmocka_unit_test(a_vehicle_that_feels_the_water_comes_in_the_step_in_which_another_goes),
        cmocka_unit_test(a_vehicle_that_comes_after_a_restore_finds_the_same_water),
    };
    return cmocka_run_group_tests_name("reset", tests, NULL, NULL);
}
