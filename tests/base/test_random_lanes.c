#include "support/cmocka_all.h"

#include <stddef.h>

#define FM_LANES 2
#include "base/random.h"

/* Box–Muller with the scalar functions of the live engine. */
static double scalar_normal(fm_random_key key, uint64_t tick, uint32_t index)
{
    double u = fm_random_uniform(key, tick, index & ~1u), v = fm_random_uniform(key, tick, index | 1u);
    double radius = __builtin_sqrt(-2 * Sleef_cinz_logd1_u10purec(1 - u)), angle = 2 * FM_PI * v;
    return radius * ((index & 1u) ? Sleef_cinz_sind1_u10purec(angle) : Sleef_cinz_cosd1_u10purec(angle));
}

static void a_lane_draws_the_same_bits_as_the_live_engine(void **state)
{
    (void)state;
    fm_random_key keys[FM_LANES];
    for (uint32_t i = 0; i < FM_LANES; i++)
        keys[i] = (fm_random_key){42, i, 5};
    for (uint64_t tick = 0; tick < 500; tick++) {
        fm_real n = fm_random_normal_lanes(keys, tick, (uint32_t)tick % 5);
        for (int i = 0; i < FM_LANES; i++) {
            double expected = scalar_normal(keys[i], tick, (uint32_t)tick % 5), got = n[i];
            assert_memory_equal(&got, &expected, sizeof got);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_lane_draws_the_same_bits_as_the_live_engine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
