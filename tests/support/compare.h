/* Comparisons of numbers: each evaluates its operands once, prints both when it fails, and fails for NaN. Operands are
 * converted to their common type as C's own comparison converts them. */
#ifndef TESTS_SUPPORT_COMPARE_H
#define TESTS_SUPPORT_COMPARE_H

#include <stdint.h>
#include <stdio.h>

typedef struct compared {
    enum { COMPARED_REAL, COMPARED_SIGNED, COMPARED_UNSIGNED } type;
    double real;
    intmax_t integer;
    uintmax_t natural;
} compared;

/* How the left operand lies to the right one; none of them for NaN. */
enum { COMPARED_LESS = 1, COMPARED_SAME = 2, COMPARED_GREATER = 4 };

static inline compared compared_real(double value)
{
    return (compared){.type = COMPARED_REAL, .real = value};
}

static inline compared compared_signed(intmax_t value)
{
    return (compared){.type = COMPARED_SIGNED, .integer = value};
}

static inline compared compared_unsigned(uintmax_t value)
{
    return (compared){.type = COMPARED_UNSIGNED, .natural = value};
}

#define COMPARED_ORDER(a, b)                                                                                           \
    (((a) < (b) ? COMPARED_LESS : 0) | ((a) == (b) ? COMPARED_SAME : 0) | ((a) > (b) ? COMPARED_GREATER : 0))

static inline int compared_order(compared a, compared b)
{
    if (a.type == COMPARED_REAL)
        return COMPARED_ORDER(a.real, b.real);
    if (a.type == COMPARED_SIGNED)
        return COMPARED_ORDER(a.integer, b.integer);
    return COMPARED_ORDER(a.natural, b.natural);
}

static inline const char *compared_text(compared a, char text[32])
{
    if (a.type == COMPARED_REAL)
        snprintf(text, 32, "%.17g", a.real);
    else if (a.type == COMPARED_SIGNED)
        snprintf(text, 32, "%jd", a.integer);
    else
        snprintf(text, 32, "%ju", a.natural);
    return text;
}

/* Fails the test at file:line unless the order of found and expected is one of `accepted`. */
static inline void compared_check(const char *what, compared found, int accepted, compared expected, const char *file,
                                  int line)
{
    static const char *const relations[] = {"", "<", "==", "<=", ">", "!=", ">="};
    char left[32], right[32];
    if (compared_order(found, expected) & accepted)
        return;
    print_error("ERROR: %s: found %s, expected %s %s\n", what, compared_text(found, left), relations[accepted],
                compared_text(expected, right));
    _fail(file, line);
}

/* The same unless |found - expected| is within the tolerance. */
static inline void compared_check_near(const char *what, double found, double expected, double tolerance, int accepted,
                                       const char *file, int line)
{
    double off = found - expected;
    if (COMPARED_ORDER(off < 0 ? -off : off, tolerance) & accepted)
        return;
    print_error("ERROR: %s: found %.17g, expected %.17g within %g (off by %.3g)\n", what, found, expected, tolerance,
                off);
    _fail(file, line);
}

/* clang-format off */
#define COMPARED_OF(value)                                                                                             \
    _Generic((value),                                                                                                  \
        float: compared_real,                                                                                          \
        double: compared_real,                                                                                         \
        int: compared_signed,                                                                                          \
        long: compared_signed,                                                                                         \
        long long: compared_signed,                                                                                    \
        unsigned: compared_unsigned,                                                                                   \
        unsigned long: compared_unsigned,                                                                              \
        unsigned long long: compared_unsigned)(value)
/* clang-format on */

#define COMPARED_AS(value, other) COMPARED_OF((__typeof__(1 ? (value) : (other)))(value))

/* The left operand is evaluated first. */
#define COMPARED_CHECK(what, a, accepted, b)                                                                           \
    do {                                                                                                               \
        const compared compared_left = COMPARED_AS(a, b);                                                              \
        const compared compared_right = COMPARED_AS(b, a);                                                             \
        compared_check(what, compared_left, accepted, compared_right, __FILE__, __LINE__);                             \
    } while (0)

#define assert_less(a, b) COMPARED_CHECK(#a " < " #b, a, COMPARED_LESS, b)
#define assert_at_most(a, b) COMPARED_CHECK(#a " <= " #b, a, COMPARED_LESS | COMPARED_SAME, b)
#define assert_greater(a, b) COMPARED_CHECK(#a " > " #b, a, COMPARED_GREATER, b)
#define assert_at_least(a, b) COMPARED_CHECK(#a " >= " #b, a, COMPARED_GREATER | COMPARED_SAME, b)
#define assert_same(a, b) COMPARED_CHECK(#a " == " #b, a, COMPARED_SAME, b)
#define assert_different(a, b) COMPARED_CHECK(#a " != " #b, a, COMPARED_LESS | COMPARED_GREATER, b)

#define COMPARED_CHECK_RANGE(what, low, value, high, same)                                                             \
    do {                                                                                                               \
        __typeof__((value) + 0) compared_value = (value);                                                              \
        COMPARED_CHECK(what, compared_value, COMPARED_GREATER | (same), low);                                          \
        COMPARED_CHECK(what, compared_value, COMPARED_LESS | (same), high);                                            \
    } while (0)

#define assert_between(low, value, high) COMPARED_CHECK_RANGE(#low " < " #value " < " #high, low, value, high, 0)
#define assert_within(low, value, high)                                                                                \
    COMPARED_CHECK_RANGE(#low " <= " #value " <= " #high, low, value, high, COMPARED_SAME)

#define COMPARED_CHECK_NEAR(what, found, expected, tolerance, accepted)                                                \
    do {                                                                                                               \
        const double compared_found = (double)(found);                                                                 \
        const double compared_expected = (double)(expected);                                                           \
        compared_check_near(what, compared_found, compared_expected, (double)(tolerance), accepted, __FILE__,          \
                            __LINE__);                                                                                 \
    } while (0)

/* |found - expected| <= tolerance, and < tolerance */
#define assert_near(found, expected, tolerance)                                                                        \
    COMPARED_CHECK_NEAR(#found, found, expected, tolerance, COMPARED_LESS | COMPARED_SAME)
#define assert_nearer(found, expected, tolerance) COMPARED_CHECK_NEAR(#found, found, expected, tolerance, COMPARED_LESS)

#endif
