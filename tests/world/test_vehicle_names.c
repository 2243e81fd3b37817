/* Vehicles are found by their names, whichever vehicles came and went before. */
#include "support/scenario.h"

#include "base/random.h"
#include "world/world.h"

enum { SLOTS = 40, NAMES = 90, TURNS = 4000 };

static void name_of(char *name, size_t size, int number)
{
    snprintf(name, size, "v%d", number);
}

/* The slots one by one, as the state has them. */
static int search_through(const fm_world *world, const char *name)
{
    for (int i = 0; i < fm_world_slots(world); i++)
        if (fm_world_name(world, i) && strcmp(fm_world_name(world, i), name) == 0)
            return i;
    return -1;
}

static void check_all(const fm_world *world)
{
    char name[16];
    for (int i = 0; i < NAMES; i++) {
        name_of(name, sizeof name, i);
        assert_int_equal(fm_world_find(world, name), search_through(world, name));
    }
}

static void whoever_comes_and_goes_is_found_where_the_slots_have_them(void **unused)
{
    (void)unused;
    fm_error error = {0};
    fm_world *world = start("<fathom version='1'><world dt='0.1 s' duration='10000 s' capacity='40'/><type name='b' "
                            "model='wavesim-buoy'/><vehicle name='v0' model='wavesim-buoy'/></fathom>");
    const fm_random_key key = {7, 1, 2};
    int come = 0, gone = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        char name[16];
        name_of(name, sizeof name, (int)(NAMES * fm_random_uniform(key, (uint64_t)turn, 0)));
        const double at[3] = {3.0 * turn, 0, 5}, level[3] = {0};
        if (fm_world_find(world, name) >= 0)
            gone += fm_world_remove(world, name, &error) == FM_OK;
        else
            come += fm_world_spawn(world, name, "b", at, level, &error) == FM_OK;
        if (turn % 4 == 0)
            step(world, 1);
        if (turn % 8 == 0)
            check_all(world);
    }
    assert_greater(come, TURNS / 4);
    assert_greater(gone, TURNS / 4);
    assert_int_equal(fm_world_reset(world, &error), FM_OK);
    step(world, 1);
    check_all(world);
    assert_int_equal(fm_world_find(world, "v0"), 0);
    assert_int_equal(fm_world_find(world, ""), -1);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whoever_comes_and_goes_is_found_where_the_slots_have_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
