/* The wake of a cylinder against Kármán's closed forms. */
#include "physics/current.h"

#include <math.h>
#include <string.h>

#include "ocean/current.h"
#include "support/near.h"

static const fm_vortex_street STREET = {.point = {1, 2},
                                        .diameter = 0.2,
                                        .stream = {-0.2, 0},
                                        .strouhal = 0.2,
                                        .ratio = 0.281,
                                        .drift = 0.86,
                                        .formation = 0.2,
                                        .length = 0.2 + 60 * 0.86,
                                        .core = 0.02};

static void it_sheds_by_the_strouhal_number_with_the_stable_spacing(void **state)
{
    (void)state;
    near("f", fm_vortex_street_frequency(&STREET), 0.2, 1e-12); /* 0.2 · 0.2/0.2 */
    near("l", fm_vortex_street_spacing(&STREET), 0.86, 1e-12);  /* 0.172 m/s · 5 s */
    /* Kármán: the street lags by Γ/(l √8) at the ratio 0.281, where cosh² π h/l = 2 */
    near("lag", fm_vortex_street_circulation(&STREET) / (0.86 * sqrt(8)), 0.028, 5e-5);
}

/* Lamb, art. 156: an endless row of vortices of circulation gamma and spacing l, seen from (x, y) beside one of them.
 */
static void add_row(double gamma, double l, double x, double y, double v[2])
{
    double a = 2 * M_PI * x / l, b = 2 * M_PI * y / l, scale = gamma / (2 * l) / (cosh(b) - cos(a));
    v[0] -= scale * sinh(b);
    v[1] += scale * sin(a);
}

/* In the middle of a wake of 60 spacings the rows are nearly endless: what is missing is Γ h/(π l X), X = 30 l. The
 * stream goes south: along is −north, across −east.
 */
static void in_the_middle_of_the_wake_it_is_two_endless_rows(void **state)
{
    (void)state;
    fm_vortex_street street = STREET;
    street.core = 1e-3; /* Lamb's vortices are points */
    const double l = 0.86, h = 0.281 * l, gamma = fm_vortex_street_circulation(&STREET);
    for (double t = 0; t < 10; t += 1.3)
        for (double across = -1; across < 1.1; across += 0.37) {
            double along = 0.2 + 30 * l, position[3] = {1 - along, 2 - across, 5}, found[3] = {0}, exact[2] = {0};
            double moved = 0.2 * t * l; /* f t spacings */
            add_row(gamma, l, along - 0.2 - moved, across + h / 2, exact);
            add_row(-gamma, l, along - 0.2 - moved - l / 2, across - h / 2, exact);
            fm_vortex_street_add(&street, t, position, found);
            near("along", -found[0], exact[0], 5e-3 * gamma / l);
            near("across", -found[1], exact[1], 5e-3 * gamma / l);
            near("down", found[2], 0, 0);
        }
}

static void the_wake_is_slower_between_its_rows_and_free_of_sources(void **state)
{
    (void)state;
    const double h = 1e-5;
    double mean = 0;
    for (int i = 0; i < 50; i++) {
        double position[3] = {1 - 20, 2, 0}, v[3] = {0};
        fm_vortex_street_add(&STREET, i * 0.1, position, v);
        mean += v[0] / 50;
    }
    near("mean against the stream", mean, fm_vortex_street_circulation(&STREET) / 0.86, 2e-3); /* Γ/l */
    double divergence = 0;
    for (int k = 0; k < 2; k++)
        for (int side = -1; side < 2; side += 2) {
            double position[3] = {1 - 3.1, 2.07, 0}, v[3] = {0};
            position[k] += side * h;
            fm_vortex_street_add(&STREET, 1.7, position, v);
            divergence += side * v[k] / (2 * h);
        }
    near("divergence", divergence, 0, 2e-6);
}

static void a_wake_too_long_or_too_short_is_refused(void **state)
{
    (void)state;
    fm_current_component c = {.kind = FM_CURRENT_STREET};
    fm_current current = {&c, 1};
    fm_error error = {0};
    c.street = STREET;
    assert_int_equal(fm_current_check(&current, &error), FM_OK);
    c.street.length = 1;
    assert_int_equal(fm_current_check(&current, &error), FM_ERR_RANGE);
    c.street.length = 100;
    assert_int_equal(fm_current_check(&current, &error), FM_ERR_RANGE);
    assert_non_null(strstr(error.text, "must be"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_sheds_by_the_strouhal_number_with_the_stable_spacing),
        cmocka_unit_test(in_the_middle_of_the_wake_it_is_two_endless_rows),
        cmocka_unit_test(the_wake_is_slower_between_its_rows_and_free_of_sources),
        cmocka_unit_test(a_wake_too_long_or_too_short_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
