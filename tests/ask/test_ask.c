#include "support/cmocka_all.h"
#include "support/files.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask/ask.h"
#include "base/error.h"
#include "base/memory.h"

#define PI 3.14159265358979323846

/* --- numbers to ask about: their names and units --- */

static const struct {
    const char *name, *unit;
    long count; /* with an index below it; 0: none */
} known[] = {{"a", "m", 0},
             {"b", "m/s", 0},
             {"c", "", 0},
             {"angle", "rad", 0},
             {"rov.x", "m", 0},
             {"rov.stern-planes", "rad", 0},
             {"dvl.velocity", "m/s", 3},
             {"area", "m2", 0},
             {"temperature", "K", 0},
             {"rov.stern", "rad", 0},
             {"planes", "rad", 0}};
enum { KNOWN = sizeof known / sizeof *known };

static fm_status find(void *user, const char *name, long index, fm_ask_input *input, fm_error *error)
{
    (void)user;
    for (size_t i = 0; i < KNOWN; i++) {
        if (strcmp(known[i].name, name) != 0)
            continue;
        if (known[i].count ? index < 0 || index >= known[i].count : index >= 0)
            return fm_fail(error, FM_ERR_RANGE, "'%s' has %ld numbers", name, known[i].count);
        input->number = i + (index > 0 ? (size_t)index * 100 : 0);
        return fm_unit_parse(known[i].unit, &input->unit, error);
    }
    return FM_ERR_NAME;
}

static void offer(void *user, void (*take)(void *to, const char *name), void *to)
{
    (void)user;
    for (size_t i = 0; i < KNOWN; i++)
        take(to, known[i].name);
}

static const fm_ask_names names = {find, offer, NULL};

static fm_ask *read_kind(const char *text, fm_ask_kind kind, const char *unit)
{
    fm_error error = {0};
    fm_ask *ask = fm_ask_read(text, &names, kind, unit, &error);
    if (!ask)
        fail_msg("'%s': %s", text, error.text);
    return ask;
}

/* The answer of one sample: each number is `x`. */
static double answer(const char *text, double x)
{
    double state[2000], inputs[64];
    for (size_t i = 0; i < 64; i++)
        inputs[i] = x;
    fm_ask *ask = read_kind(text, FM_ASK_ANY, NULL);
    fm_ask_begin(ask, state);
    fm_ask_note(ask, state, 7, inputs);
    const double value = fm_ask_value(ask, state);
    fm_ask_free(ask);
    return value;
}

/* The answer over a course: all numbers are course(t), from 0 to `end` in steps of `dt`. */
static double course_answer(const char *text, double (*course)(double t), double dt, int steps)
{
    double state[2000], inputs[64];
    fm_ask *ask = read_kind(text, FM_ASK_ANY, NULL);
    fm_ask_begin(ask, state);
    for (int k = 0; k <= steps; k++) {
        for (size_t i = 0; i < 64; i++)
            inputs[i] = course(k * dt);
        fm_ask_note(ask, state, k * dt, inputs);
    }
    const double value = fm_ask_value(ask, state);
    fm_ask_free(ask);
    return value;
}

static void refused(const char *text, const char *words)
{
    fm_error error = {0};
    fm_ask *ask = fm_ask_read(text, &names, FM_ASK_ANY, NULL, &error);
    if (ask)
        fail_msg("'%s' was accepted", text);
    if (!strstr(error.text, words))
        fail_msg("'%s': '%s' does not say '%s'", text, error.text, words);
}

/* --- facts --- */

static void numbers_are_in_si(void **state)
{
    (void)state;
    assert_near(answer("3 ft", 0), 0.9144, 1e-15);
    assert_near(answer("90 deg", 0), PI / 2, 1e-15);
    assert_near(answer("2 knot", 0), 2 * 1852 / 3600.0, 1e-15);
    assert_near(answer("5 %", 0), 0.05, 1e-16);
    assert_near(answer("18 degC", 0), 291.15, 1e-12);
    assert_near(answer("-5 degC", 0), 268.15, 1e-12);
    assert_near(answer("- 5 degC", 0), 268.15, 1e-12);
    assert_near(answer("2 N/(m/s)2", 0), 2, 0);
    assert_near(answer("3 m/s^-1", 0), 3, 0);
    assert_near(answer("1.5e3 mm", 0), 1.5, 1e-15);
    assert_near(answer(".5", 0), 0.5, 0);
    assert_near(answer("10 min", 0), 600, 0);
}

static void operators_bind_as_in_arithmetic(void **state)
{
    (void)state;
    assert_near(answer("1 + 2 * 3", 0), 7, 0);
    assert_near(answer("(1 + 2) * 3", 0), 9, 0);
    assert_near(answer("8 / 4 / 2", 0), 1, 0);
    assert_near(answer("7 - 2 - 1", 0), 4, 0);
    assert_near(answer("-2^2", 0), -4, 0);
    assert_near(answer("2^-2", 0), 0.25, 0);
    assert_near(answer("- - 3", 0), 3, 0);
    assert_near(answer("1 < 2 and not 3 < 2 or 1 > 5", 0), 1, 0);
    assert_near(answer("1 > 2 and 1 > 2 or 1 < 2", 0), 1, 0);
    assert_near(answer("1 > 2 && (1 > 2 || 1 < 2)", 0), 0, 0);
    assert_near(answer("!(1 > 2)", 0), 1, 0);
    assert_near(answer("a-a", 3), 0, 0);
    assert_near(answer("10 m/s * 2 s - a", 3), 17, 0);
    assert_near(answer("10 m / t", 0), 10.0 / 7, 1e-15);
    assert_near(answer("2 m^2 + area", 1), 3, 0);
    assert_near(answer("(2 m)^2 + area", 1), 5, 0);
    assert_near(answer("time - t + 1 s", 0), 1, 0);
}

static void a_hyphen_belongs_to_a_name_that_has_one(void **state)
{
    (void)state;
    assert_near(answer("rov.stern-planes", 2), 2, 0);
    assert_near(answer("rov.stern - planes", 2), 0, 0);
    assert_near(answer("rov.x-a", 2), 0, 0);
}

static void functions_have_their_values(void **state)
{
    (void)state;
    assert_near(answer("hypot(3 m, 4 m)", 0), 5, 1e-15);
    assert_near(answer("hypot(2, 3, 6)", 0), 7, 1e-15);
    assert_near(answer("sqrt(area)", 9), 3, 0);
    assert_near(answer("sin(30 deg)", 0), 0.5, 1e-15);
    assert_near(answer("cos(60 deg)", 0), 0.5, 1e-15);
    assert_near(answer("tan(45 deg)", 0), 1, 1e-15);
    assert_near(answer("asin(0.5)", 0), PI / 6, 1e-15);
    assert_near(answer("acos(-0.5)", 0), 2 * PI / 3, 1e-15);
    assert_near(answer("atan2(-1 m, -1 m)", 0), -3 * PI / 4, 1e-15);
    assert_near(answer("exp(log(3))", 0), 3, 1e-15);
    assert_near(answer("wrap(370 deg)", 0), 10 * PI / 180, 1e-14);
    assert_near(answer("wrap(190 deg)", 0), -170 * PI / 180, 1e-14);
    assert_near(answer("sign(-3 m)", 0), -1, 0);
    assert_near(answer("min(4 m, a, 3 m)", 2), 2, 0);
    assert_near(answer("max(4 m, a, 3 m)", 2), 4, 0);
    assert_near(answer("abs(-3)", 0), 3, 0);
    assert_near(answer("if(a > 1 m, 5, 6)", 2), 5, 0);
    assert_near(answer("if(a > 1 m, 5, 6)", 0), 6, 0);
    assert_near(answer("2 * pi", 0), 2 * PI, 0);
    assert_near(answer("dvl.velocity[2]", 4), 4, 0);
    assert_true(isnan(answer("asin(2)", 0)));
    assert_true(isnan(answer("if(a > 1 m, 5)", 0)));
    assert_true(isnan(answer("sqrt(-1)", 0)));
}

static void what_is_unknown_meets_no_condition(void **state)
{
    (void)state;
    assert_near(answer("a < 1 m or a >= 1 m or a == 1 m or a != 1 m", NAN), 0, 0);
    assert_true(isnan(answer("min(a, 1 m)", NAN)));
    assert_true(isnan(answer("hypot(a, 1 m)", NAN)));
}

static void units_are_checked(void **state)
{
    (void)state;
    refused("a + b", "column 5: '+': 'a' is in m, 'b' is in m/s: both must have the same unit");
    refused("a > 3", "'a' is in m, '3' has no unit: both must have the same unit");
    refused("hypot(a, c)", "hypot: 'a' is in m, 'c' has no unit");
    refused("sin(a)", "column 5: sin: 'a' is in m: must be an angle");
    refused("sqrt(a)", "each exponent of its unit must be even");
    refused("exp(a)", "must be a number without unit");
    refused("a and b > 1 m/s", "'and': 'a' is in m: must be a condition");
    refused("-(a > 1 m)", "'-': 'a > 1 m' is a condition: must be a number");
    refused("(a > 1 m) + 1", "is a condition: must be a number");
    refused("first(a)", "first: 'a' is in m: must be a condition");
    refused("settling(a, 1 m, 3 s)", "settling: 'a' is in m, '3 s' is in s");
    refused("if(a, 1, 2)", "must be a condition");
    refused("area^9 * area^9 * area^9", "exponents of the unit are too large");
    refused("1 m * area > 2 m2", "is in m3");
    refused("temperature > 5 s", "'temperature' is in K, '5 s' is in s");
    assert_near(answer("a > 0", 1), 1, 0); /* 0 has every unit */
    assert_near(answer("max(0, a - 1 m)", 3), 2, 0);
    fm_error error = {0};
    assert_null(fm_ask_read("a", &names, FM_ASK_CONDITION, NULL, &error));
    assert_non_null(strstr(error.text, "must be a condition"));
    assert_null(fm_ask_read("a > 1 m", &names, FM_ASK_NUMBER, NULL, &error));
    assert_null(fm_ask_read("a", &names, FM_ASK_NUMBER, "s", &error));
    assert_non_null(strstr(error.text, "'a' is in m: must be in s"));
    fm_ask_free(read_kind("a / b", FM_ASK_NUMBER, "min"));
}

static void errors_name_the_column(void **state)
{
    (void)state;
    refused("", "column 1: the expression ends");
    refused("a +", "column 4: the expression ends");
    refused("(a", "column 3: missing ')' for the '(' in column 1");
    refused("a)", "column 2: ')' is invalid");
    refused("a = 3 m", "column 3: '=' is invalid: write '=='");
    refused("1 m < a < 2 m", "column 9: comparisons in a row: write 'a < b and b < c'");
    refused("rov.xx", "column 1: unknown name 'rov.xx'; did you mean 'rov.x'");
    refused("hypott(a, a)", "unknown function 'hypott'; did you mean 'hypot'");
    refused("hypot(a)", "hypot has 1 argument here: must be hypot(x, y)");
    refused("10 meters", "column 4: unknown unit 'meters'");
    refused("5 m s", "column 5: 's' is invalid: must be an operator");
    refused("s", "'s' is a unit: must follow a number, as in '1 s'");
    refused("dvl.velocity", "'dvl.velocity' has 3 numbers");
    refused("dvl.velocity[3]", "has 3 numbers");
    refused("dvl.velocity[x]", "column 13: an index is a whole number");
    refused("a ^ 2.5", "an exponent must be a whole number");
    refused("a ^ 10", "an exponent must be a whole number");
    refused("1e999", "the number is out of range");
    refused("ä", "column 1");
    refused("3 m + ü", "column 7");
    char deep[600] = "";
    memset(deep, '(', 500);
    refused(deep, "inside each other");
    memset(deep, '-', 500);
    refused(deep, "inside each other");
}

/* --- over time --- */

static double sine(double t)
{
    return sin(t);
}

/* Over ten periods of sin t: the trapezoidal rule is exact for whole periods of a sine, but for rounding. */
static void integrals_of_a_sine(void **state)
{
    (void)state;
    const int steps = 6283;
    const double dt = 20 * PI / steps;
    assert_near(course_answer("integral(a)", sine, dt, steps), 0, 1e-12);
    assert_near(course_answer("mean(a)", sine, dt, steps), 0, 1e-13);
    assert_near(course_answer("rms(a)", sine, dt, steps), sqrt(0.5), 1e-13);
    assert_near(course_answer("integral(a^2)", sine, dt, steps), 10 * PI, 1e-11);
    assert_near(course_answer("effort(a)", sine, dt, steps), 40, 40 * dt * dt / 12 * 1.01);
    assert_near(course_answer("max(a)", sine, dt, steps), 1, dt * dt / 8 * 1.01);
    assert_near(course_answer("min(a)", sine, dt, steps), -1, dt * dt / 8 * 1.01);
    assert_near(course_answer("mean(a > 0)", sine, dt, steps), 0.5, 0.5 / steps * 10);
    assert_near(course_answer("integral(a > 0)", sine, dt, steps), 10 * PI, 10 * dt);
    assert_near(course_answer("count(a > 0.5 m)", sine, dt, steps), 10, 0);
    assert_near(course_answer("first(a > 0.5 m)", sine, dt, steps), PI / 6, dt);
    assert_near(course_answer("last(a > 0.5 m)", sine, dt, steps), 18 * PI + 5 * PI / 6, dt);
    assert_near(course_answer("at(b > 0.5 m/s, t)", sine, dt, steps), PI / 6, dt);
    assert_near(course_answer("start(a)", sine, dt, steps), 0, 0);
    assert_near(course_answer("end(a)", sine, dt, steps), 0, 1e-12);
    assert_true(isnan(course_answer("first(a > 2 m)", sine, dt, steps)));
    assert_near(course_answer("integral(1)", sine, dt, steps), 20 * PI, 1e-11);
    assert_near(course_answer("max(integral(a))", sine, dt, steps), 2, dt * dt / 6 * 1.01 + 1e-12);
    assert_near(course_answer("mean(if(t > 3.1415926 s and t < 6.2831853 s, a))", sine, dt, steps), -2 / PI, 2 * dt);
}

/* x'' + 2 d w x' + w^2 x = w^2, d = 0.2, w = 3 rad/s, from rest. */
enum { W = 3 };
static const double damping = 0.2;
static double second_order(double t)
{
    const double wd = W * sqrt(1 - damping * damping);
    return 1 - exp(-damping * W * t) * (cos(wd * t) + damping / sqrt(1 - damping * damping) * sin(wd * t));
}

/* The overshoot is exp(-pi d / sqrt(1 - d^2)). Beyond the last crossing of the band it stays inside: found by bisection
 * between the extremes of the response, which lie at whole multiples of pi / wd. */
static void a_second_order_response_overshoots_and_settles(void **state)
{
    (void)state;
    const double wd = W * sqrt(1 - damping * damping), root = sqrt(1 - damping * damping), dt = 1e-4;
    assert_near(course_answer("overshoot(a, 1 m)", second_order, dt, 200000), exp(-PI * damping / root), 1e-7);
    const double band = 0.05;
    int extreme = 0;
    while (exp(-damping * W * (extreme + 1) * PI / wd) > band)
        extreme++;
    double low = extreme * PI / wd, high = (extreme + 1) * PI / wd;
    for (int i = 0; i < 100; i++) {
        const double middle = 0.5 * (low + high);
        if (fabs(second_order(middle) - 1) > band)
            low = middle;
        else
            high = middle;
    }
    assert_near(course_answer("settling(a, 1 m, 5 cm)", second_order, dt, 200000), high, 1.01 * dt);
    assert_true(isnan(course_answer("settling(a, 1 m, 1 um)", second_order, dt, 20000)));
    assert_near(course_answer("overshoot(-a, -1 m)", second_order, dt, 200000), exp(-PI * damping / root), 1e-7);
    assert_near(course_answer("overshoot(a, 2 m)", second_order, dt, 200000), 0, 0);
}

static double gap(double t)
{
    return t >= 2 && t <= 3 ? NAN : 2 * t;
}

/* What is unknown is left out: the integral of 2 t over [0, 2) and (3, 5]. */
static void unknown_samples_are_left_out(void **state)
{
    (void)state;
    const double dt = 0.001;
    assert_near(course_answer("integral(a)", gap, dt, 5000), 4 + 16, 20 * dt);
    assert_near(course_answer("mean(a)", gap, dt, 5000), 20.0 / 4, 5 * dt);
    assert_near(course_answer("max(a)", gap, dt, 5000), 10, 1e-12);
    assert_true(isnan(answer("mean(a)", NAN)));
    assert_true(isnan(answer("integral(a)", NAN)));
    assert_near(answer("mean(a)", 4), 4, 0); /* one sample */
}

static void change_is_the_difference_to_the_sample_before(void **state)
{
    (void)state;
    double numbers[2000];
    fm_ask *ask = read_kind("change(a)", FM_ASK_NUMBER, "m");
    fm_ask_begin(ask, numbers);
    const double course[] = {3, 5, 4.5}, expected[] = {0, 2, -0.5};
    for (int i = 0; i < 3; i++) {
        fm_ask_note(ask, numbers, i, &course[i]);
        assert_near(fm_ask_value(ask, numbers), expected[i], 0);
    }
    fm_ask_free(ask);
}

/* A state is bytes: copied in the middle it goes on to the same bits. */
static void a_copied_state_goes_on_to_the_same_bits(void **state)
{
    (void)state;
    double one[500], other[500];
    fm_ask *ask = read_kind("rms(a) + max(a - 1 m) * mean(c) + overshoot(a, 0.3 m) + integral(b)", FM_ASK_NUMBER, "m");
    assert_at_most(fm_ask_words(ask), 500);
    fm_ask_begin(ask, one);
    for (int k = 0; k < 1000; k++) {
        const double inputs[] = {sin(k * 0.01), cos(k * 0.02), 1.0 / (1 + k)};
        if (k == 500)
            memcpy(other, one, sizeof other);
        fm_ask_note(ask, one, k * 0.01, inputs);
        if (k >= 500)
            fm_ask_note(ask, other, k * 0.01, inputs);
    }
    const double a = fm_ask_value(ask, one), b = fm_ask_value(ask, other);
    assert_memory_equal(&a, &b, sizeof a);
    fm_ask_free(ask);
}

static void noting_allocates_nothing(void **state)
{
    (void)state;
    double numbers[500], inputs[8] = {1, 2, 3};
    fm_ask *ask = read_kind("settling(a, 1 m, 0.1 m) > 3 s and rms(b) < 2 m/s", FM_ASK_CONDITION, NULL);
    const long live = fm_alloc_live();
    fm_alloc_fail_after(0);
    fm_ask_begin(ask, numbers);
    for (int k = 0; k < 10; k++)
        fm_ask_note(ask, numbers, k, inputs);
    fm_alloc_fail_after(-1);
    assert_int_equal(fm_alloc_live(), live);
    fm_ask_free(ask);
}

static void a_failed_allocation_is_reported(void **state)
{
    (void)state;
    for (long n = 0; n < 8; n++) {
        const long live = fm_alloc_live();
        fm_error error = {0};
        fm_alloc_fail_after(n);
        fm_ask *ask = fm_ask_read("a + 1 m", &names, FM_ASK_ANY, NULL, &error);
        fm_alloc_fail_after(-1);
        if (!ask)
            assert_int_equal(error.status, FM_ERR_MEMORY);
        fm_ask_free(ask);
        assert_int_equal(fm_alloc_live(), live);
    }
}

/* Every function of the table, as it is written there. */
static void the_page_about_expressions_lists_every_function(void **state)
{
    (void)state;
    char *page = read_file(FATHOM_SOURCE_DIR "/docs/expressions.md", NULL);
    const char *form;
    for (size_t i = 0; (form = fm_ask_function(i, NULL)); i++)
        if (!strstr(page, form))
            fail_msg("docs/expressions.md does not list %s", form);
    free(page);
}

static void an_expression_has_a_name(void **state)
{
    (void)state;
    char name[FM_ASK_NAME];
    assert_string_equal(fm_ask_split("miss=hypot(a, b) < 1 m", name, sizeof name), "hypot(a, b) < 1 m");
    assert_string_equal(name, "miss");
    assert_string_equal(fm_ask_split("a == 3 m", name, sizeof name), "a == 3 m");
    assert_string_equal(fm_ask_split("max(rov.depth) - 10 m", name, sizeof name), "max(rov.depth) - 10 m");
    assert_string_equal(name, "max_rov.depth_10_m");
    assert_false(fm_ask_is_expression("rov.min_clearance"));
    assert_false(fm_ask_is_expression("rov.*"));
    assert_false(fm_ask_is_expression("*.stern-planes"));
    assert_true(fm_ask_is_expression("max(rov.x)"));
    assert_true(fm_ask_is_expression("x=rov.x"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_in_si),
        cmocka_unit_test(operators_bind_as_in_arithmetic),
        cmocka_unit_test(a_hyphen_belongs_to_a_name_that_has_one),
        cmocka_unit_test(functions_have_their_values),
        cmocka_unit_test(what_is_unknown_meets_no_condition),
        cmocka_unit_test(units_are_checked),
        cmocka_unit_test(errors_name_the_column),
        cmocka_unit_test(integrals_of_a_sine),
        cmocka_unit_test(a_second_order_response_overshoots_and_settles),
        cmocka_unit_test(unknown_samples_are_left_out),
        cmocka_unit_test(change_is_the_difference_to_the_sample_before),
        cmocka_unit_test(a_copied_state_goes_on_to_the_same_bits),
        cmocka_unit_test(noting_allocates_nothing),
        cmocka_unit_test(a_failed_allocation_is_reported),
        cmocka_unit_test(the_page_about_expressions_lists_every_function),
        cmocka_unit_test(an_expression_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
