/* Every step ends: hulls that begin inside each other, with any mixture of answers to contact. */
#include "support/scenario.h"

#include "world/world.h"

#define WORLD "<fathom version='1'><world dt='0.01 s' duration='10 s'><water surface='none'/></world>"

static const char *const responses[] = {"count", "impulse", "restore"};

static void step_pair(const char *first, const char *second, const char *place, const char *velocity)
{
    static char text[8192];
    snprintf(text, sizeof text,
             WORLD "<vehicle name='a' model='nps-auv-ii' position='0 0 5 m' velocity='1 0 0 m/s'><contact "
                   "response='%s'/></vehicle><vehicle name='b' model='nps-auv-ii' position='%s' velocity='%s'><contact "
                   "response='%s'/></vehicle></fathom>",
             first, place, velocity, second);
    fm_world *world = start(text);
    step(world, 20);
    assert_true(isfinite(pose_of(world, 0).position[0]) && isfinite(pose_of(world, 1).position[0]));
    finish(world);
}

static void two_that_begin_inside_each_other_step_whatever_their_answers(void **unused)
{
    (void)unused;
    static const char *const places[] = {"0.5 0.1 5 m", "0 0 5 m", "0 0.05 5.1 m"};
    static const char *const velocities[] = {"0 0 0 m/s", "-2 0 0 m/s", "0 0 1 m/s"};
    for (size_t a = 0; a < FM_COUNT(responses); a++)
        for (size_t b = 0; b < FM_COUNT(responses); b++)
            for (size_t i = 0; i < FM_COUNT(places); i++)
                step_pair(responses[a], responses[b], places[i], velocities[i]);
}

/* A heap of twelve in one place, three of each answer and three without one. */
static void a_heap_of_mixed_answers_steps(void **unused)
{
    (void)unused;
    static char text[16384];
    int n = snprintf(text, sizeof text, WORLD);
    for (int i = 0; i < 12; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "<vehicle name='v%d' model='nps-auv-ii' position='%g %g 5 m' velocity='%g 0 0 m/s'><contact "
                      "response='%s'/></vehicle>",
                      i, 0.3 * (i % 4), 0.2 * (i / 4), i % 3 - 1.0, i % 4 < 3 ? responses[i % 4] : "none");
    snprintf(text + n, sizeof text - (size_t)n, "</fathom>");
    fm_world *world = start(text);
    step(world, 20);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_that_begin_inside_each_other_step_whatever_their_answers),
        cmocka_unit_test(a_heap_of_mixed_answers_steps),
    };
    return cmocka_run_group_tests_name("bounds", tests, NULL, NULL);
}
