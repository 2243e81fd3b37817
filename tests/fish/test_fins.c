/* Pectoral fins: lift by the formula, depth reached and held, roll righted, no authority at rest. */
#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>

#include "physics/fish_fins.h"

static void lift_grows_with_the_square_of_speed(void **state)
{
    (void)state;
    fm_fish_fins_params p = fm_fish_fins_preset();
    double l = fm_fish_fin_lift(&p, 0.1, 0.2);
    assert_nearer(l, 0.5 * 1000 * (2 * FM_PI * 1.5 / 3.5) * 0.1 * 0.001 * 0.04, 1e-12);
    assert_nearer(fm_fish_fin_lift(&p, 0.1, 0.4), 4 * l, 1e-12);
    assert_same(fm_fish_fin_lift(&p, -0.1, 0.2), -l);
}

static fm_fish_fins_state run(fm_fish_fins_state s, double depth, double speed, double seconds, double *deepest)
{
    fm_fish_fins_params p = fm_fish_fins_preset();
    *deepest = s.depth;
    for (int i = 0; i < seconds / 0.02; i++) {
        double starboard, port;
        fm_fish_fins_control(&p, &s, depth, speed, &starboard, &port);
        fm_fish_fins_step(&p, &s, starboard, port, speed, 0.02);
        *deepest = fmax(*deepest, s.depth);
    }
    return s;
}

static void a_swimming_fish_reaches_its_depth_and_stays(void **state)
{
    (void)state;
    double deepest;
    fm_fish_fins_state s = run((fm_fish_fins_state){.depth = 0.2}, 0.5, 0.2, 60, &deepest);
    assert_nearer(s.depth, 0.5, 0.01);
    assert_less(deepest, 0.56);
    assert_nearer(s.pitch, 0, 0.03);
    assert_nearer(s.heave, 0, 0.01);
}

static void a_rolled_fish_rights_itself_faster_with_its_fins(void **state)
{
    (void)state;
    fm_fish_fins_params p = fm_fish_fins_preset();
    double area[2] = {0};
    for (int fins = 0; fins < 2; fins++) {
        fm_fish_fins_state s = {.depth = 0.3, .roll = 0.4};
        for (int i = 0; i < 500; i++) {
            double a = 0, b = 0;
            if (fins)
                fm_fish_fins_control(&p, &s, 0.3, 0.3, &a, &b);
            fm_fish_fins_step(&p, &s, a, b, 0.3, 0.01);
            area[fins] += 0.01 * fabs(s.roll);
        }
        assert_nearer(s.roll, 0, 0.1);
    }
    assert_less(area[1], area[0]);
}

static void a_fish_at_rest_cannot_change_its_depth(void **state)
{
    (void)state;
    double deepest;
    fm_fish_fins_state s = run((fm_fish_fins_state){.depth = 0.2}, 0.5, 0, 30, &deepest);
    assert_same(s.depth, 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lift_grows_with_the_square_of_speed),
        cmocka_unit_test(a_swimming_fish_reaches_its_depth_and_stays),
        cmocka_unit_test(a_rolled_fish_rights_itself_faster_with_its_fins),
        cmocka_unit_test(a_fish_at_rest_cannot_change_its_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
