#include "studies/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/text.h"

enum { VALUES_MOST = 10000000 };

/* --- reading --- */

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t");
}

/* A number, and blanks around it. */
static bool take_number(const char **at, double *number)
{
    *at = skip_blanks(*at);
    bool taken = fm_text_number_read(at, number);
    *at = skip_blanks(*at);
    return taken;
}

static fm_status refuse(const char *text, const char *why, fm_error *error)
{
    return fm_fail(error, FM_ERR_SYNTAX,
                   "'%s': %s: must be PATH=A:B:STEP, PATH=a,b,c, PATH~normal(MEAN,DEVIATION) and PATH~uniform(A,B), "
                   "followed by a unit: '/v/approach/angle=10:90:5 deg'",
                   text, why);
}

static bool read_unit(const char *at, fm_sweep_axis *axis)
{
    at = skip_blanks(at);
    size_t length = strlen(at);
    while (length > 0 && at[length - 1] == ' ')
        length--;
    if (length >= sizeof axis->unit)
        return false;
    memcpy(axis->unit, at, length);
    return true;
}

/* A number with an optional unit, up to one of `ends`; all of them have the same unit, or only the last one has. */
static bool take_quantity(const char **at, const char *ends, double *number, fm_sweep_axis *axis)
{
    fm_sweep_axis own = {0};
    char text[2 * FM_AXIS_UNIT];
    if (!take_number(at, number))
        return false;
    size_t length = strcspn(*at, ends);
    if (length >= sizeof text || (strchr("0123456789.+-", **at ? **at : 'x') && strncmp(*at, "1/", 2) != 0))
        return false; /* of a position */
    memcpy(text, *at, length);
    text[length] = 0;
    *at += length;
    if (!read_unit(text, &own) || (axis->unit[0] && strcmp(axis->unit, own.unit) != 0))
        return false;
    memcpy(axis->unit, own.unit, sizeof axis->unit);
    return true;
}

/* The number that a person would have written: 0.3 instead of 0.30000000000000004. */
static double round_value(double value)
{
    char text[40];
    const char *at = text;
    snprintf(text, sizeof text, "%.15g", value);
    return fm_text_number_read(&at, &value) ? value : 0;
}

static fm_status read_range(fm_sweep_plan *plan, fm_sweep_axis *axis, const char *text, const char *at, fm_error *error)
{
    double from, to, step;
    if (!take_quantity(&at, ":", &from, axis) || *at++ != ':' || !take_quantity(&at, ":", &to, axis) || *at++ != ':' ||
        !take_quantity(&at, ":", &step, axis) || *at)
        return refuse(text, "a range has three numbers, from:to:step, and one unit", error);
    double steps = step != 0 ? (to - from) / step : -1;
    if (!(steps >= 0) || steps >= VALUES_MOST)
        return refuse(text, "the step must lead from the first number to the second, in at most 10,000,000 steps",
                      error);
    axis->count = (size_t)floor(steps * (1 + 1e-12) + 1e-9) + 1;
    axis->values = fm_arena_alloc(&plan->arena, axis->count * sizeof *axis->values);
    for (size_t i = 0; axis->values && i < axis->count; i++)
        axis->values[i] = round_value(from + (double)i * step);
    return axis->values ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for %zu values", axis->count);
}

/* "1,2,3 m" or "1 m,2 m,3 m": every item a number, of one unit. */
static bool read_numbers(fm_sweep_axis *axis, const char *at)
{
    bool fine = true;
    for (size_t i = 0; i < axis->count && fine; i++) {
        fine = take_quantity(&at, ",", &axis->values[i], axis);
        at += *at == ',';
    }
    if (!fine)
        memset(axis->unit, 0, sizeof axis->unit);
    return fine;
}

static bool begins(const char *item, const char *word)
{
    return !strncasecmp(item, word, strlen(word));
}

/* Why these values cannot be words; NULL: they can. */
static const char *find_fault(const char *at)
{
    bool numbers = true, bare = false;
    for (double number;; at++) {
        const char *item = skip_blanks(at), *end = item;
        at = item + strcspn(item, ",");
        if (at == item)
            return "a value is missing";
        if (begins(item, "nan") || begins(item, "inf") || begins(item, "-inf"))
            return "numbers are finite";
        bool number_first = fm_text_number_read(&end, &number);
        numbers &= number_first;
        bare |= number_first && skip_blanks(end) == at;
        if (!*at)
            return numbers && bare ? "the numbers need one unit, after the last or after each" : NULL;
    }
}

static bool read_words(fm_sweep_plan *plan, fm_sweep_axis *axis, const char *at)
{
    axis->words = fm_arena_alloc(&plan->arena, axis->count * sizeof *axis->words);
    for (size_t i = 0; axis->words && i < axis->count; i++) {
        at = skip_blanks(at);
        size_t length = strcspn(at, ",");
        char *word = axis->words[i] = fm_arena_alloc(&plan->arena, length + 1);
        if (!word)
            return false;
        memcpy(word, at, length);
        at += length + 1;
    }
    axis->kind = FM_AXIS_WORDS;
    return axis->words != NULL;
}

static fm_status read_list(fm_sweep_plan *plan, fm_sweep_axis *axis, const char *text, const char *at, fm_error *error)
{
    axis->count = 1;
    for (const char *c = at; *c; c++)
        axis->count += *c == ',';
    axis->values = fm_arena_alloc(&plan->arena, axis->count * sizeof *axis->values);
    if (!*skip_blanks(at))
        return refuse(text, "no value", error);
    if (axis->values && read_numbers(axis, at))
        return FM_OK;
    if (find_fault(at))
        return refuse(text, find_fault(at), error);
    if (!axis->values || !read_words(plan, axis, at))
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu values", axis->count);
    return FM_OK;
}

static fm_status read_distribution(fm_sweep_axis *axis, const char *text, const char *at, fm_error *error)
{
    static const struct {
        const char *name;
        fm_axis_kind kind;
    } known[] = {{"normal(", FM_AXIS_NORMAL}, {"uniform(", FM_AXIS_UNIFORM}};
    at = skip_blanks(at);
    for (size_t i = 0; i < 2; i++) {
        if (strncmp(at, known[i].name, strlen(known[i].name)) != 0)
            continue;
        at += strlen(known[i].name);
        axis->kind = known[i].kind;
        char inside[256];
        const char *end = strchr(at, ')');
        if (!end || (size_t)(end - at) + strlen(end) >= sizeof inside)
            return refuse(text, "the ')' is missing", error);
        snprintf(inside, sizeof inside, "%.*s %s", (int)(end - at), at, end + 1); /* a unit may precede or follow */
        at = inside;
        if (!take_quantity(&at, ",", &axis->a, axis) || *at++ != ',' || !take_quantity(&at, ",", &axis->b, axis) || *at)
            return refuse(text, "a distribution has two numbers, and one unit", error);
        if (axis->kind == FM_AXIS_NORMAL ? !(axis->b >= 0) : !(axis->b >= axis->a))
            return refuse(text,
                          axis->kind == FM_AXIS_NORMAL ? "a standard deviation is not negative"
                                                       : "the first number must not be greater than the second",
                          error);
        return FM_OK;
    }
    return refuse(text, "that is no distribution", error);
}

static bool same_path(const char *a, const char *b)
{
    return fm_text_name_equal(a, b);
}

fm_status fm_plan_vary(fm_sweep_plan *plan, const char *text, fm_error *error)
{
    size_t length = strcspn(text, "=~");
    if (plan->axis_count == FM_AXES_MOST)
        return fm_fail(error, FM_ERR_FULL, "more than %d parameters vary", FM_AXES_MOST);
    fm_sweep_axis *axis = &plan->axes[plan->axis_count];
    *axis = (fm_sweep_axis){.text = ""};
    if (!text[length] || length == 0 || length >= sizeof axis->path)
        return refuse(text, "'=' or '~' is missing after the path", error);
    memcpy(axis->path, text, length);
    const char *at = text + length + 1;
    fm_status status = text[length] == '~'    ? read_distribution(axis, text, at, error)
                       : strchr(at, ':') != 0 ? read_range(plan, axis, text, at, error)
                                              : read_list(plan, axis, text, at, error);
    if (status != FM_OK)
        return status;
    axis->seed = same_path(axis->path, "/world/seed");
    for (size_t i = 0; i < plan->axis_count; i++)
        if (same_path(plan->axes[i].path, axis->path))
            return fm_fail(error, FM_ERR_NAME, "'%s' varies twice", axis->path);
    plan->axis_count++;
    return FM_OK;
}

/* --- numbers of runs --- */

static bool is_listed(const fm_sweep_axis *axis)
{
    return axis->kind == FM_AXIS_NUMBERS || axis->kind == FM_AXIS_WORDS;
}

fm_status fm_plan_close(fm_sweep_plan *plan, fm_error *error)
{
    plan->cells = 1;
    for (size_t i = 0; i < plan->axis_count; i++)
        if (is_listed(&plan->axes[i]) && __builtin_mul_overflow(plan->cells, plan->axes[i].count, &plan->cells))
            plan->cells = SIZE_MAX;
    if (plan->runs == 0)
        plan->runs = 1;
    if (plan->design == FM_DESIGN_POINTS)
        plan->cells = plan->axis_count ? plan->axes[0].count : 1;
    if (plan->design != FM_DESIGN_FACTORIAL && plan->design != FM_DESIGN_POINTS)
        plan->total = plan->runs;
    else if (__builtin_mul_overflow(plan->cells, plan->runs, &plan->total))
        plan->total = SIZE_MAX;
    if (plan->total > UINT32_MAX)
        return fm_fail(error, FM_ERR_RANGE, "the plan has too many runs: must be at most 4,294,967,295");
    return plan->design == FM_DESIGN_LATIN ? fm_plan_shuffle(plan, error) : FM_OK;
}

void fm_plan_free(fm_sweep_plan *plan)
{
    fm_arena_free(&plan->arena);
    *plan = (fm_sweep_plan){0};
}

static double drawn_value(const fm_sweep_plan *plan, size_t i, size_t run)
{
    const fm_sweep_axis *axis = &plan->axes[i];
    double u = fm_plan_draw(plan, i, run);
    switch (axis->kind) {
    case FM_AXIS_NORMAL: return round_value(axis->a + axis->b * fm_normal_quantile(u));
    case FM_AXIS_UNIFORM: return round_value(axis->a + (axis->b - axis->a) * u);
    default: break;
    }
    size_t index = (size_t)(u * (double)axis->count);
    index = index < axis->count ? index : axis->count - 1;
    return axis->kind == FM_AXIS_WORDS ? (double)index : axis->values[index];
}

void fm_plan_values(const fm_sweep_plan *plan, size_t run, double *values)
{
    size_t cell = run / plan->runs;
    for (size_t i = plan->axis_count; i-- > 0;) {
        const fm_sweep_axis *axis = &plan->axes[i];
        if (plan->design == FM_DESIGN_POINTS) {
            values[i] = axis->values[cell];
            continue;
        }
        if (plan->design != FM_DESIGN_FACTORIAL || !is_listed(axis)) {
            values[i] = drawn_value(plan, i, run);
            continue;
        }
        size_t index = cell % axis->count;
        cell /= axis->count;
        values[i] = axis->kind == FM_AXIS_WORDS ? (double)index : axis->values[index];
    }
}

uint64_t fm_plan_seed(const fm_sweep_plan *plan, size_t run)
{
    double values[FM_AXES_MOST];
    for (size_t i = 0; i < plan->axis_count; i++)
        if (plan->axes[i].seed) {
            fm_plan_values(plan, run, values);
            return values[i] > 0 ? (uint64_t)values[i] : 0;
        }
    bool repeats = plan->design == FM_DESIGN_FACTORIAL || plan->design == FM_DESIGN_POINTS;
    return plan->seed + (repeats ? run % plan->runs : run);
}

/* --- writing --- */

const char *fm_axis_write(const fm_sweep_axis *axis, double value, char *buffer, size_t size)
{
    char number[40];
    if (axis->kind == FM_AXIS_WORDS) {
        snprintf(buffer, size, "%s", axis->words[(size_t)value]);
        return buffer;
    }
    if (floor(value) == value && fabs(value) < 1e15)
        snprintf(number, sizeof number, "%.0f", value);
    else
        fm_text_number_write(number, sizeof number, value);
    snprintf(buffer, size, "%s%s%s", number, axis->unit[0] ? " " : "", axis->unit);
    return buffer;
}

static void write_axis(fm_text *text, const fm_sweep_axis *axis)
{
    char value[FM_AXIS_PATH];
    if (!is_listed(axis)) {
        fm_text_add(text, "%s~%s(%.17g,%.17g) %s\n", axis->path, axis->kind == FM_AXIS_NORMAL ? "normal" : "uniform",
                    axis->a, axis->b, axis->unit);
        return;
    }
    fm_text_add(text, "%s=", axis->path);
    for (size_t i = 0; i < axis->count; i++)
        fm_text_add(text, "%s%s", i ? "," : "",
                    fm_axis_write(axis, axis->words ? (double)i : axis->values[i], value, sizeof value));
    fm_text_add(text, "\n");
}

char *fm_plan_write(const fm_sweep_plan *plan)
{
    static const char *const designs[] = {"factorial", "random", "latin", "sobol", "points"};
    fm_text text = {0};
    fm_text_add(&text, "%s runs %zu seed %llu\n", designs[plan->design], plan->runs, (unsigned long long)plan->seed);
    for (size_t i = 0; i < plan->axis_count; i++)
        write_axis(&text, &plan->axes[i]);
    if (text.failed)
        fm_text_free(&text);
    return text.data;
}
