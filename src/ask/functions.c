/* The functions of the language: names, arguments, units. */
#include <stdio.h>
#include <string.h>

#include "ask/program.h"
#include "base/error.h"
#include "physics/real.h"

/* --- units of the arguments and of the result --- */

static fm_status want_numbers(fm_ask_call *c)
{
    fm_status status = FM_OK;
    for (int i = 0; i < c->count && status == FM_OK; i++)
        status = fm_ask_want_number(c->ask, c->name, c->arguments[i], c->error);
    return status;
}

static fm_status same(fm_ask_call *c)
{
    c->type = c->arguments[0]->type;
    fm_status status = want_numbers(c);
    for (int i = 1; i < c->count && status == FM_OK; i++)
        status = fm_ask_join(c->ask, c->name, c->arguments[0], c->arguments[i], &c->type, c->error);
    c->type.nought = 0;
    return status;
}

/* A condition counts as 1 or 0. */
static fm_status any(fm_ask_call *c)
{
    c->type = c->arguments[0]->type;
    c->type.condition = c->type.nought = 0;
    return FM_OK;
}

static fm_status want_dimension(const fm_ask_call *c, const fm_ask_node *node, int axis, const char *wanted)
{
    char found[160];
    fm_ask_type type = {0};
    if (axis >= 0)
        type.power[axis] = 1;
    return node->type.nought || fm_ask_alike(&node->type, &type)
               ? FM_OK
               : fm_ask_fail(c->ask, node->from, c->error, FM_ERR_UNIT, "%s: %s: must be %s", c->name,
                             fm_ask_describe(c->ask, node, found, sizeof found), wanted);
}

static fm_status angle_to_number(fm_ask_call *c)
{
    c->type = (fm_ask_type){0};
    return want_dimension(c, c->arguments[0], FM_DIM_RAD, "an angle, in rad or deg");
}

static fm_status angle_to_angle(fm_ask_call *c)
{
    c->type = (fm_ask_type){.power = {[FM_DIM_RAD] = 1}};
    return want_dimension(c, c->arguments[0], FM_DIM_RAD, "an angle, in rad or deg");
}

static fm_status number_to_number(fm_ask_call *c)
{
    c->type = (fm_ask_type){0};
    return want_dimension(c, c->arguments[0], -1, "a number without unit");
}

static fm_status number_to_angle(fm_ask_call *c)
{
    c->type = (fm_ask_type){.power = {[FM_DIM_RAD] = 1}};
    return want_dimension(c, c->arguments[0], -1, "a number without unit");
}

static fm_status same_to_angle(fm_ask_call *c)
{
    fm_status status = same(c);
    c->type = (fm_ask_type){.power = {[FM_DIM_RAD] = 1}};
    return status;
}

static fm_status to_number(fm_ask_call *c)
{
    c->type = (fm_ask_type){0};
    return want_numbers(c);
}

static fm_status root(fm_ask_call *c)
{
    char found[160];
    const fm_ask_node *a = c->arguments[0];
    fm_status status = want_numbers(c);
    c->type = (fm_ask_type){0};
    for (int i = 0; i < FM_DIM_COUNT && status == FM_OK; i++) {
        if (a->type.power[i] % 2)
            status =
                fm_ask_fail(c->ask, a->from, c->error, FM_ERR_UNIT, "%s: %s: each exponent of its unit must be even",
                            c->name, fm_ask_describe(c->ask, a, found, sizeof found));
        c->type.power[i] = (int8_t)(a->type.power[i] / 2);
    }
    return status;
}

/* Times s. */
static fm_status over_time(fm_ask_call *c)
{
    fm_ask_node second = {.type = {.power = {[FM_DIM_S] = 1}}}, number = *c->arguments[0];
    number.type.condition = 0;
    return fm_ask_multiply_units(c->ask, &number, &second, 1, &c->type, c->error);
}

static fm_status condition_to_time(fm_ask_call *c)
{
    c->type = (fm_ask_type){.power = {[FM_DIM_S] = 1}};
    return fm_ask_want_condition(c->ask, c->name, c->arguments[0], c->error);
}

static fm_status condition_to_number(fm_ask_call *c)
{
    c->type = (fm_ask_type){0};
    return fm_ask_want_condition(c->ask, c->name, c->arguments[0], c->error);
}

/* if(condition, a, b), at(condition, a). */
static fm_status chosen(fm_ask_call *c)
{
    fm_status status = fm_ask_want_condition(c->ask, c->name, c->arguments[0], c->error);
    fm_ask_call numbers = *c;
    numbers.arguments[0] = c->arguments[1];
    numbers.arguments[1] = c->count > 2 ? c->arguments[2] : NULL;
    numbers.count = c->count - 1;
    if (status == FM_OK)
        status = same(&numbers);
    c->type = numbers.type;
    return status;
}

static fm_status same_to_time(fm_ask_call *c)
{
    fm_status status = same(c);
    c->type = (fm_ask_type){.power = {[FM_DIM_S] = 1}};
    return status;
}

/* --- the table --- */

static const fm_ask_signature signatures[] = {
    {"abs", "abs(x)", "magnitude", 1, 1, FM_ASK_ABS, same},
    {"sqrt", "sqrt(x)", "square root; sqrt(4 m2) is 2 m", 1, 1, FM_ASK_SQRT, root},
    {"hypot", "hypot(x, y), hypot(x, y, z)", "root of the sum of the squares", 2, 3, FM_ASK_HYPOT, same},
    {"sin", "sin(angle)", "sine", 1, 1, FM_ASK_SIN, angle_to_number},
    {"cos", "cos(angle)", "cosine", 1, 1, FM_ASK_COS, angle_to_number},
    {"tan", "tan(angle)", "tangent", 1, 1, FM_ASK_TAN, angle_to_number},
    {"asin", "asin(x)", "angle with this sine, -90 to 90 deg", 1, 1, FM_ASK_ASIN, number_to_angle},
    {"acos", "acos(x)", "angle with this cosine, 0 to 180 deg", 1, 1, FM_ASK_ACOS, number_to_angle},
    {"atan2", "atan2(y, x)", "angle of the point (x, y) from the axis of x, -180 to 180 deg", 2, 2, FM_ASK_ATAN2,
     same_to_angle},
    {"exp", "exp(x)", "exponential", 1, 1, FM_ASK_EXP, number_to_number},
    {"log", "log(x)", "natural logarithm", 1, 1, FM_ASK_LOG, number_to_number},
    {"sign", "sign(x)", "1, 0 or -1", 1, 1, FM_ASK_SIGN, to_number},
    {"wrap", "wrap(angle)", "the same angle within -180 to 180 deg", 1, 1, FM_ASK_WRAP, angle_to_angle},
    {"min", "min(x, y, …)", "the least of several", 2, 0, FM_ASK_LEAST, same},
    {"max", "max(x, y, …)", "the greatest of several", 2, 0, FM_ASK_MOST, same},
    {"if", "if(condition, x, y)", "x where the condition holds, else y (left out: unknown)", 2, 3, FM_ASK_IF, chosen},
    {"min", "min(x)", "least value", 1, 1, FM_ASK_MIN, any},
    {"max", "max(x)", "greatest value", 1, 1, FM_ASK_MAX, any},
    {"mean", "mean(x)", "mean over time; of a condition the part of the time in which it holds", 1, 1, FM_ASK_MEAN,
     any},
    {"rms", "rms(x)", "root of the mean of the square over time", 1, 1, FM_ASK_RMS, same},
    {"integral", "integral(x)", "integral over time; of a condition the time in which it holds", 1, 1, FM_ASK_INTEGRAL,
     over_time},
    {"effort", "effort(x)", "integral of the magnitude over time", 1, 1, FM_ASK_EFFORT, over_time},
    {"first", "first(condition)", "time at which it first holds; unknown: never", 1, 1, FM_ASK_FIRST,
     condition_to_time},
    {"last", "last(condition)", "time at which it last held; unknown: never", 1, 1, FM_ASK_LAST, condition_to_time},
    {"count", "count(condition)", "how often it became true", 1, 1, FM_ASK_COUNT, condition_to_number},
    {"at", "at(condition, x)", "value of x when the condition first holds", 2, 2, FM_ASK_AT, chosen},
    {"start", "start(x)", "value at the first sample", 1, 1, FM_ASK_START, same},
    {"end", "end(x)", "value at the last sample", 1, 1, FM_ASK_END, same},
    {"change", "change(x)", "difference to the sample before", 1, 1, FM_ASK_CHANGE, same},
    {"settling", "settling(x, target, band)",
     "time from which x stays within `band` of `target` to the end; unknown: it does not", 3, 3, FM_ASK_SETTLING,
     same_to_time},
    {"overshoot", "overshoot(x, target)", "how far x goes beyond `target`, seen from where it starts; 0: it does not",
     2, 2, FM_ASK_OVERSHOOT, same},
};

const fm_ask_signature *fm_ask_signature_find(const char *name, size_t length, int arguments)
{
    const fm_ask_signature *found = NULL;
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++) {
        const fm_ask_signature *s = &signatures[i];
        if (strlen(s->name) != length || memcmp(s->name, name, length))
            continue;
        if (!found || (arguments >= s->least && (!s->most || arguments <= s->most)))
            found = s;
    }
    return found;
}

const char *fm_ask_signature_name(size_t i)
{
    return i < sizeof signatures / sizeof *signatures ? signatures[i].name : NULL;
}

const char *fm_ask_function(size_t i, const char **about)
{
    if (i >= sizeof signatures / sizeof *signatures)
        return NULL;
    if (about)
        *about = signatures[i].about;
    return signatures[i].form;
}
