/* Evaluating an expression for one sample after the other. */
#include <math.h>
#include <string.h>

#include "ask/program.h"
#include "physics/angle.h"

/* --- of the present sample --- */

static double raise(double base, int power)
{
    double result = 1;
    for (int i = power < 0 ? -power : power; i > 0; i--)
        result *= base;
    return power < 0 ? 1 / result : result;
}

static double root_of_squares(const double *x, int count)
{
    double most = 0, sum = 0;
    for (int i = 0; i < count; i++) {
        if (isnan(x[i]))
            return NAN;
        most = fabs(x[i]) > most ? fabs(x[i]) : most;
    }
    if (most == 0 || isinf(most))
        return most;
    for (int i = 0; i < count; i++)
        sum += (x[i] / most) * (x[i] / most);
    return most * sqrt(sum);
}

static double least(double a, double b)
{
    return isnan(a) || isnan(b) ? NAN : a < b ? a : b;
}

/* The operators. */
static double combine(const fm_ask_node *n, double a, double b)
{
    switch (n->operation) {
    case FM_ASK_NEGATE: return -a;
    case FM_ASK_ADD: return a + b;
    case FM_ASK_SUBTRACT: return a - b;
    case FM_ASK_MULTIPLY: return a * b;
    case FM_ASK_DIVIDE: return a / b;
    case FM_ASK_POWER: return raise(a, n->whole);
    case FM_ASK_LESS: return a < b;
    case FM_ASK_LESS_EQUAL: return a <= b;
    case FM_ASK_MORE: return a > b;
    case FM_ASK_MORE_EQUAL: return a >= b;
    case FM_ASK_EQUAL: return a == b;
    case FM_ASK_UNEQUAL: return !isnan(a) && !isnan(b) && a != b;
    case FM_ASK_NOT: return a == 0;
    case FM_ASK_AND: return a != 0 && b != 0;
    case FM_ASK_OR: return a != 0 || b != 0;
    default: return NAN;
    }
}

static double call(const fm_ask_node *n, const double *x)
{
    switch (n->operation) {
    case FM_ASK_ABS: return fabs(x[0]);
    case FM_ASK_SQRT: return sqrt(x[0]);
    case FM_ASK_SIN: return fm_sin(x[0]);
    case FM_ASK_COS: return fm_cos(x[0]);
    case FM_ASK_TAN: return fm_sin(x[0]) / fm_cos(x[0]);
    case FM_ASK_ASIN: return fabs(x[0]) <= 1 ? fm_asin(x[0]) : NAN;
    case FM_ASK_ACOS: return fabs(x[0]) <= 1 ? fm_atan2(sqrt((1 - x[0]) * (1 + x[0])), x[0]) : NAN;
    case FM_ASK_ATAN2: return fm_atan2(x[0], x[1]);
    case FM_ASK_EXP: return fm_exp(x[0]);
    case FM_ASK_LOG: return x[0] > 0 ? fm_log(x[0]) : NAN;
    case FM_ASK_SIGN: return isnan(x[0]) ? NAN : (double)((x[0] > 0) - (x[0] < 0));
    case FM_ASK_HYPOT: return root_of_squares(x, n->whole);
    case FM_ASK_WRAP: return fabs(x[0]) < 1e9 ? fm_angle_wrap_pi(x[0]) : NAN;
    case FM_ASK_LEAST: return least(x[0], x[1]);
    case FM_ASK_MOST: return -least(-x[0], -x[1]);
    case FM_ASK_IF: return x[0] != 0 ? x[1] : n->whole > 2 ? x[2] : NAN;
    default: return combine(n, x[0], x[1]);
    }
}

/* --- of all samples --- */

/* Trapezoids over the spans at whose ends x is known. own: sum, time that it covers, x before. */
static void add_span(double *own, double x, double span)
{
    if (!isnan(x) && !isnan(own[2])) {
        own[0] += 0.5 * (own[2] + x) * span;
        own[1] += span;
    }
    own[2] = x;
}

static double take_integral(fm_ask_operation operation, double *own, double x, double span, int first)
{
    const double square = x * x, taken = operation == FM_ASK_RMS ? square : operation == FM_ASK_EFFORT ? fabs(x) : x;
    if (first)
        own[2] = own[3] = NAN;
    if (isnan(own[3])) /* the first that is known */
        own[3] = taken;
    add_span(own, taken, span);
    if (operation == FM_ASK_INTEGRAL || operation == FM_ASK_EFFORT)
        return isnan(own[3]) ? NAN : own[0];
    const double mean = own[1] > 0 ? own[0] / own[1] : own[3];
    return operation == FM_ASK_RMS ? sqrt(mean) : mean;
}

/* own: the best so far. */
static double take_extreme(fm_ask_operation operation, double *own, double x, int first)
{
    if (first)
        own[0] = NAN;
    if (isnan(own[0]) || (operation == FM_ASK_MIN ? x < own[0] : x > own[0]))
        own[0] = x;
    return own[0];
}

/* own: what is kept, whether it was true, how often it became true. */
static double take_condition(fm_ask_operation operation, double *own, double holds, double kept, int first)
{
    if (first)
        own[0] = NAN;
    const int rises = holds != 0 && own[1] == 0;
    if (operation == FM_ASK_LAST ? holds != 0 : rises && own[2] == 0)
        own[0] = kept;
    own[2] += rises;
    own[1] = holds != 0;
    return operation == FM_ASK_COUNT ? own[2] : own[0];
}

/* own: the time from which it is inside; NaN: it is not. */
static double take_settling(double *own, const double *x, double time, int first)
{
    const int inside = fabs(x[0] - x[1]) <= x[2];
    if (first)
        own[0] = NAN;
    if (!inside)
        own[0] = NAN;
    else if (isnan(own[0]))
        own[0] = time;
    return own[0];
}

/* own: side on which the target lies at the start, whether that is known, the greatest excess. */
static double take_overshoot(double *own, const double *x)
{
    const double off = x[0] - x[1];
    if (isnan(off))
        return own[1] != 0 ? own[2] : NAN;
    if (own[1] == 0) {
        own[0] = off > 0 ? -1 : off < 0 ? 1 : 0;
        own[1] = 1;
    }
    const double excess = own[0] == 0 ? fabs(off) : own[0] * off;
    own[2] = excess > own[2] ? excess : own[2];
    return own[2];
}

static double take_change(double *own, double x, int first)
{
    const double change = first ? 0 : x - own[0];
    own[0] = x;
    return change;
}

static double reduce(const fm_ask_node *n, double *own, const double *x, double time, double span, int first)
{
    switch (n->operation) {
    case FM_ASK_MIN:
    case FM_ASK_MAX: return take_extreme(n->operation, own, x[0], first);
    case FM_ASK_MEAN:
    case FM_ASK_RMS:
    case FM_ASK_INTEGRAL:
    case FM_ASK_EFFORT: return take_integral(n->operation, own, x[0], span, first);
    case FM_ASK_FIRST:
    case FM_ASK_LAST:
    case FM_ASK_COUNT: return take_condition(n->operation, own, x[0], time, first);
    case FM_ASK_AT: return take_condition(n->operation, own, x[0], x[1], first);
    case FM_ASK_START: return own[0] = first ? x[0] : own[0];
    case FM_ASK_END: return x[0];
    case FM_ASK_CHANGE: return take_change(own, x[0], first);
    case FM_ASK_SETTLING: return take_settling(own, x, time, first);
    case FM_ASK_OVERSHOOT: return take_overshoot(own, x);
    default: return NAN;
    }
}

/* --- samples --- */

void fm_ask_begin(const fm_ask *ask, double *state)
{
    memset(state, 0, ask->words * sizeof *state);
    for (size_t i = 0; i < ask->node_count; i++)
        state[FM_ASK_VALUES + i] = ask->nodes[i].operation == FM_ASK_CONSTANT ? ask->nodes[i].number : NAN;
}

void fm_ask_note(const fm_ask *ask, double *state, double time, const double *inputs)
{
    const int first = state[FM_ASK_SAMPLES] == 0;
    const double span = first ? 0 : time - state[FM_ASK_TIME_BEFORE];
    double *values = state + FM_ASK_VALUES;
    for (size_t i = 0; i < ask->node_count; i++) {
        const fm_ask_node *n = &ask->nodes[i];
        const double x[FM_ASK_ARGUMENTS] = {values[n->arguments[0]], values[n->arguments[1]], values[n->arguments[2]]};
        if (n->operation == FM_ASK_INPUT)
            values[i] = inputs[n->whole];
        else if (n->operation == FM_ASK_TIME)
            values[i] = time;
        else if (n->operation >= FM_ASK_REDUCTIONS)
            values[i] = reduce(n, state + n->words, x, time, span, first);
        else if (n->operation != FM_ASK_CONSTANT)
            values[i] = call(n, x);
    }
    state[FM_ASK_SAMPLES] += 1;
    state[FM_ASK_TIME_BEFORE] = time;
}

double fm_ask_value(const fm_ask *ask, const double *state)
{
    return state[FM_ASK_VALUES + ask->node_count - 1];
}
