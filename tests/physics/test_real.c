#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>

#include "physics/real.h"

static void elementary_functions_agree_with_libm_to_an_ulp_or_so(void **state)
{
    (void)state;
    for (double x = -3; x < 3; x += 0.0137) {
        assert_nearer(fm_sin(x), sin(x), 3e-16);
        assert_nearer(fm_exp(x), exp(x), 4e-16 * exp(x));
        assert_nearer(fm_tanh(x), tanh(x), 4e-16);
        assert_nearer(fm_atan2(x, 0.7), atan2(x, 0.7), 5e-16);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(elementary_functions_agree_with_libm_to_an_ulp_or_so)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
