#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "plot/colour.h"

static double linear_of_srgb(double c)
{
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static void oklab_of(fm_colour colour, double lab[3])
{
    double r = linear_of_srgb(colour.red), g = linear_of_srgb(colour.green), b = linear_of_srgb(colour.blue);
    double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
    lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
    lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

static double difference(fm_colour a, fm_colour b)
{
    double p[3], q[3];
    oklab_of(a, p);
    oklab_of(b, q);
    return sqrt(pow(p[0] - q[0], 2) + pow(p[1] - q[1], 2) + pow(p[2] - q[2], 2));
}

static void oklab_knows_white_black_and_red(void **state)
{
    (void)state;
    double lab[3]; /* B. Ottosson's published values: red is L 0.628, a 0.225, b 0.126 */
    oklab_of(fm_colour_hex(0xffffff), lab);
    assert_nearer(lab[0], 1, 1e-3);
    assert_nearer(lab[1], 0, 1e-3);
    assert_nearer(lab[2], 0, 1e-3);
    oklab_of(fm_colour_hex(0x000000), lab);
    assert_nearer(lab[0], 0, 1e-9);
    oklab_of(fm_colour_hex(0xff0000), lab);
    assert_nearer(lab[0], 0.628, 1e-3);
    assert_nearer(lab[1], 0.225, 1e-3);
    assert_nearer(lab[2], 0.126, 1e-3);
}

static void equal_steps_of_a_map_look_equally_large(void **state)
{
    (void)state;
    fm_colour table[FM_MAP_SIZE];
    enum { STRIDE = 16, HALF = FM_MAP_SIZE / 2 }; /* by halves: a diverging map turns back in the middle */
    for (int map = FM_MAP_SEQUENTIAL; map <= FM_MAP_GREY; map++) {
        fm_colour_table((fm_colour_map)map, table);
        double least = 1, most = 0;
        for (int half = 0; half < FM_MAP_SIZE; half += HALF)
            for (int i = half; i + STRIDE < half + HALF; i++) {
                double step = difference(table[i], table[i + STRIDE]);
                least = fmin(least, step);
                most = fmax(most, step);
            }
        assert_greater(least, 0.04);
        assert_less(most, 1.15 * least);
    }
}

static void zero_is_the_lightest_of_a_diverging_map(void **state)
{
    (void)state;
    fm_colour table[FM_MAP_SIZE];
    double lab[3], middle[3];
    fm_colour_table(FM_MAP_DIVERGING, table);
    oklab_of(table[FM_MAP_SIZE / 2], middle);
    assert_less(difference(table[FM_MAP_SIZE / 2], table[FM_MAP_SIZE / 2 - 1]), 1e-6);
    for (int i = 0; i < FM_MAP_SIZE; i++) {
        oklab_of(table[i], lab);
        assert_at_most(lab[0], middle[0] + 1e-9);
    }
}

static void the_sequential_map_gets_lighter_all_the_way(void **state)
{
    (void)state;
    fm_colour table[FM_MAP_SIZE];
    double lab[3], last = -1;
    fm_colour_table(FM_MAP_SEQUENTIAL, table);
    for (int i = 0; i < FM_MAP_SIZE; i++) {
        oklab_of(table[i], lab);
        assert_greater(lab[0], last);
        last = lab[0];
    }
    assert_greater(last, 0.9);
}

/* Linear light through the matrices of Viénot, Brettel and Mollon (1999): how the colour looks without one cone. */
static fm_colour seen_without(fm_colour c, const double m[2][3])
{
    double rgb[3] = {c.red, c.green, c.blue}, linear[3], out[3];
    for (int i = 0; i < 3; i++)
        linear[i] = rgb[i] <= 0.04045 ? rgb[i] / 12.92 : pow((rgb[i] + 0.055) / 1.055, 2.4);
    for (int i = 0; i < 3; i++) {
        const double *row = m[i / 2];
        double v = fmin(fmax(row[0] * linear[0] + row[1] * linear[1] + row[2] * linear[2], 0), 1);
        out[i] = v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055;
    }
    return (fm_colour){out[0], out[1], out[2], 1};
}

static void the_first_six_series_differ_for_the_colour_blind(void **state)
{
    (void)state;
    static const double without[2][2][3] = {{{0.11238, 0.88762, 0}, {0.00401, -0.00401, 1}},
                                            {{0.29275, 0.70725, 0}, {-0.02234, 0.02234, 1}}};
    for (int theme = FM_THEME_LIGHT; theme <= FM_THEME_DARK; theme++)
        for (int cone = 0; cone < 2; cone++)
            for (size_t i = 0; i < 6; i++)
                for (size_t k = 0; k < i; k++) {
                    fm_colour a = seen_without(fm_colour_series((fm_theme)theme, i), without[cone]);
                    fm_colour b = seen_without(fm_colour_series((fm_theme)theme, k), without[cone]);
                    if (difference(a, b) <= 0.05)
                        fail_msg("theme %d, cone %d: series %zu and %zu differ by %g", theme, cone, i, k,
                                 difference(a, b));
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oklab_knows_white_black_and_red),
        cmocka_unit_test(equal_steps_of_a_map_look_equally_large),
        cmocka_unit_test(zero_is_the_lightest_of_a_diverging_map),
        cmocka_unit_test(the_sequential_map_gets_lighter_all_the_way),
        cmocka_unit_test(the_first_six_series_differ_for_the_colour_blind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
