#include "plot/ticks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/describe.h"

/* Numbers that reach 10^5 or stay below 10^-3 share a factor. */
enum { LARGEST_PLAIN_EXPONENT = 4, SMALLEST_PLAIN_EXPONENT = -3 };

void fm_power_text(char *text, size_t size, int exponent)
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char plain[16];
    snprintf(plain, sizeof plain, "%d", exponent);
    size_t used = (size_t)snprintf(text, size, "10");
    for (const char *c = plain; *c && used + 4 < size; c++) {
        const char *glyph = *c == '-' ? "⁻" : digits[*c - '0'];
        used += (size_t)snprintf(text + used, size - used, "%s", glyph);
    }
}

/* A number with a typographic minus. */
static void number_text(char *text, size_t size, double value, int decimals)
{
    char plain[64];
    snprintf(plain, sizeof plain, "%.*f", decimals, value);
    int zero = plain[strspn(plain, "-0.")] == '\0'; /* "-0.00" is zero */
    if (plain[0] == '-')
        snprintf(text, size, "%s%.20s", zero ? "" : "−", plain + 1);
    else
        snprintf(text, size, "%.23s", plain);
}

static int decimals_of(double step)
{
    int decimals = 0;
    while (decimals < 9 && fabs(step - round(step)) > 1e-6 * fabs(step)) {
        step *= 10;
        decimals++;
    }
    return decimals;
}

/* Marks at multiples of step * unit; the labels count in unit. */
static void mark(fm_ticks *ticks, double low, double high, double step, double unit, int minors)
{
    double slack = 1e-9 * (high - low);
    int decimals = decimals_of(step);
    double first = ceil((low - slack) / (step * unit));
    for (size_t i = 0; ticks->count < FM_TICKS_MAX; i++) {
        double index = first + (double)i, at = index * step * unit;
        if (at > high + slack)
            break;
        ticks->at[ticks->count] = at;
        number_text(ticks->text[ticks->count++], FM_TICK_TEXT, index * step, decimals);
    }
    double fine = step * unit / minors, start = ceil((low - slack) / fine);
    for (size_t i = 0; ticks->minor_count < FM_TICKS_MINOR_MAX; i++) {
        double index = start + (double)i;
        if (index * fine > high + slack)
            break;
        if (fmod(index, minors) != 0)
            ticks->minor[ticks->minor_count++] = index * fine;
    }
}

static size_t marks_between(double low, double high, double step)
{
    double slack = 1e-9 * (high - low);
    double count = floor((high + slack) / step) - ceil((low - slack) / step) + 1;
    return count > 1e6 ? 1000000 : (size_t)fmax(count, 0);
}

/* The smallest 1-2-5 step with at most `most` marks, but a finer one where that leaves fewer than two; *leading is its
 * first digit. */
static double nice_step(double low, double high, size_t most, int *leading)
{
    static const int digits[] = {1, 2, 5};
    int exponent = (int)floor(log10((high - low) / (double)most)) - 1;
    double finer = 0;
    for (;; exponent++)
        for (size_t i = 0; i < FM_COUNT(digits); i++) {
            double step = exponent >= 0 ? digits[i] * pow(10, exponent) : digits[i] / pow(10, -exponent);
            size_t marks = marks_between(low, high, step);
            if (marks < 2 && finer > 0)
                return finer;
            *leading = digits[i];
            if (marks <= most)
                return step;
            finer = step;
        }
}

void fm_ticks_linear(fm_ticks *ticks, double low, double high, size_t most)
{
    *ticks = (fm_ticks){0};
    int leading;
    double step = nice_step(low, high, most, &leading);
    int exponent = (int)floor(log10(fmax(fabs(low), fabs(high))) + 1e-9);
    double unit = 1;
    int narrow = step < pow(10, exponent - 4); /* a narrow window far from zero: the last digits matter */
    if ((exponent > LARGEST_PLAIN_EXPONENT && !narrow) || exponent < SMALLEST_PLAIN_EXPONENT) {
        unit = pow(10, exponent);
        memcpy(ticks->factor, "×", sizeof "×");
        fm_power_text(ticks->factor + strlen("×"), FM_TICK_TEXT - strlen("×"), exponent);
    }
    mark(ticks, low, high, step / unit, unit, leading == 2 ? 4 : 5);
}

/* Steps people count in, in the unit, and into how many parts minor marks cut each. */
typedef struct time_step {
    double step;
    int minors;
} time_step;

static const time_step second_steps[] = {{10, 5}, {15, 3}, {20, 4}, {30, 3}, {60, 4}};
static const time_step minute_steps[] = {{1, 4}, {2, 4}, {5, 5}, {10, 5}, {15, 3}, {20, 4}, {30, 3}, {60, 4}};
static const time_step hour_steps[] = {{1, 4}, {2, 4}, {3, 3}, {6, 6}, {12, 4}, {24, 4}, {48, 4}, {96, 4}};

static int mark_from(fm_ticks *ticks, double low, double high, size_t most, double unit, const time_step *steps,
                     size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (marks_between(low, high, steps[i].step * unit) <= most) {
            mark(ticks, low, high, steps[i].step, unit, steps[i].minors);
            return 1;
        }
    return 0;
}

void fm_ticks_time(fm_ticks *ticks, double low, double high, size_t most)
{
    double span = high - low;
    int leading, done = 0;
    *ticks = (fm_ticks){0};
    if (span <= 240) {
        ticks->unit = "s";
        double step = nice_step(low, high, most, &leading);
        if (step >= 10)
            done = mark_from(ticks, low, high, most, 1, second_steps, FM_COUNT(second_steps));
        if (!done)
            mark(ticks, low, high, step, 1, leading == 2 ? 4 : 5);
        return;
    }
    int hours = span > 5 * 3600;
    double unit = hours ? 3600 : 60;
    ticks->unit = hours ? "h" : "min";
    done = hours ? mark_from(ticks, low, high, most, unit, hour_steps, FM_COUNT(hour_steps))
                 : mark_from(ticks, low, high, most, unit, minute_steps, FM_COUNT(minute_steps));
    if (!done) {
        double step = nice_step(low / unit, high / unit, most, &leading);
        mark(ticks, low, high, step, unit, leading == 2 ? 4 : 5);
    }
}

static void add_log_mark(fm_ticks *ticks, double at, int digit, int exponent, int plain)
{
    if (ticks->count == FM_TICKS_MAX)
        return;
    char *text = ticks->text[ticks->count];
    ticks->at[ticks->count++] = at;
    if (plain)
        number_text(text, FM_TICK_TEXT, at, exponent < 0 ? -exponent : 0);
    else if (digit == 1)
        fm_power_text(text, FM_TICK_TEXT, exponent);
    else {
        char power[FM_TICK_TEXT];
        fm_power_text(power, sizeof power, exponent);
        snprintf(text, FM_TICK_TEXT, "%d×%.18s", digit, power);
    }
}

void fm_ticks_log(fm_ticks *ticks, double low, double high, size_t most)
{
    double slack = 1e-9, from = log10(low), to = log10(high);
    int first = (int)floor(from + slack), last = (int)ceil(to - slack);
    int whole = (int)floor(to + slack) - (int)ceil(from - slack) + 1; /* powers of ten in sight */
    if (whole < 1 || (to - from < 1 && whole < 2 && high / low < 3)) {
        fm_ticks_linear(ticks, low, high, most);
        return;
    }
    *ticks = (fm_ticks){0};
    int every = (whole + (int)most - 1) / (int)most;
    int between = 3 * whole + 2 <= (int)most + 1 && whole <= 3;
    int plain = first >= -3 && last <= 4;
    for (int e = first; e <= last; e++)
        for (int digit = 1; digit <= 9; digit++) {
            double at = e >= 0 ? digit * pow(10, e) : digit / pow(10, -e);
            if (log10(at) < from - slack || log10(at) > to + slack)
                continue;
            int major = digit == 1 ? e % every == 0 : between && (digit == 2 || digit == 5);
            if (major)
                add_log_mark(ticks, at, digit, e, plain);
            else if ((digit == 1 || every == 1) && ticks->minor_count < FM_TICKS_MINOR_MAX)
                ticks->minor[ticks->minor_count++] = at;
        }
}

void fm_ticks_named(fm_ticks *ticks, double low, double high, const char *const *names, size_t count)
{
    *ticks = (fm_ticks){0};
    for (size_t i = 0; i < count && ticks->count < FM_TICKS_MAX; i++)
        if ((double)i >= low && (double)i <= high) {
            snprintf(ticks->text[ticks->count], FM_TICK_TEXT, "%s", names[i]);
            ticks->at[ticks->count++] = (double)i;
        }
}
