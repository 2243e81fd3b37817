/* Parts and the world's state: what only asks changes nothing. */
#include "support/scenario.h"

#include "world/world.h"

/* Dives through a current that grows with depth, so that the water is another one after the last step. */
static void asking_for_the_verdict_leaves_the_state_as_it_was(void **state)
{
    (void)state;
    fm_world *world =
        start("<fathom version='1'><world dt='0.01 s'><current><layers depth='0 100 m' north='0 1 m/s' "
              "east='0 2 m/s'/></current><sphere name='mine' position='50 0 10 m' radius='0.5 m'/></world>"
              "<vehicle name='block' position='0 0 10 m' velocity='0 0 1 m/s'><mass mass='40 kg' "
              "inertia='1 1 1 kg*m2'/><speed-log/><mine-sonar/></vehicle></fathom>");
    step(world, 100);
    char text[200];
    uint64_t before = fm_world_hash(world);
    fm_world_verdict(world, 0, text, sizeof text);
    assert_different(text[0], 0);
    assert_same(fm_world_hash(world), before);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(asking_for_the_verdict_leaves_the_state_as_it_was)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
