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
                   "'%s': %s: must be PATH=A:B:STEP, PATH=a,b,c, PATH~normal(MEAN,DEVIATION), "
                   "PATH~normal(MEAN,DEVIATION,LOW,HIGH), PATH~lognormal(MEAN,DEVIATION), PATH~uniform(A,B) or "
                   "PATH~triangular(LOW,MODE,HIGH), followed by a unit: '/v/approach/angle=10:90:5 deg'",
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
    const char *fault = fm_distribution_read(axis, skip_blanks(at), take_quantity);
    return fault ? refuse(text, fault, error) : FM_OK;
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
    return !fm_axis_drawn(axis);
}

size_t fm_plan_group(const fm_sweep_plan *plan)
{
    return plan->design == FM_DESIGN_SALTELLI ? plan->axis_count + 2
           : plan->design == FM_DESIGN_MORRIS ? plan->axis_count + 1
                                              : 1;
}

/* Designs for sensitivity change one independent number after the other. */
static fm_status check_design(const fm_sweep_plan *plan, fm_error *error)
{
    const bool groups = plan->design == FM_DESIGN_SALTELLI || plan->design == FM_DESIGN_MORRIS;
    const char *design = fm_design_name(plan->design);
    for (size_t i = 0; i < plan->axis_count; i++)
        if (plan->axes[i].seed && groups)
            return fm_fail(error, FM_ERR_ARGUMENT, "design %s: '%s' cannot vary: each group of runs has one seed",
                           design, plan->axes[i].path);
        else if (plan->points && is_listed(&plan->axes[i]) && i >= plan->point_axes)
            return fm_fail(error, FM_ERR_ARGUMENT,
                           "'%s' has a list of values: with points from a file only "
                           "distributions may vary besides",
                           plan->axes[i].path);
    if (groups && plan->axis_count == 0)
        return fm_fail(error, FM_ERR_ARGUMENT, "design %s: no parameter varies", design);
    if (groups && plan->correlation)
        return fm_fail(error, FM_ERR_ARGUMENT, "design %s needs independent parameters: these are correlated", design);
    return FM_OK;
}

static size_t multiply(size_t a, size_t b)
{
    size_t product;
    return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

fm_status fm_plan_close(fm_sweep_plan *plan, fm_error *error)
{
    plan->cells = 1;
    for (size_t i = 0; i < plan->axis_count; i++)
        if (is_listed(&plan->axes[i]))
            plan->cells = multiply(plan->cells, plan->axes[i].count);
    if (plan->runs == 0)
        plan->runs = 1;
    if (plan->design == FM_DESIGN_POINTS)
        plan->cells = plan->points ? plan->points : plan->axis_count ? plan->axes[0].count : 1;
    const bool repeats = plan->design == FM_DESIGN_FACTORIAL || plan->design == FM_DESIGN_POINTS;
    plan->total = multiply(plan->runs, repeats ? plan->cells : fm_plan_group(plan));
    fm_status status = check_design(plan, error);
    if (status == FM_OK && plan->total > UINT32_MAX)
        status = fm_fail(error, FM_ERR_RANGE, "the plan has too many runs: must be at most 4,294,967,295");
    if (status == FM_OK && plan->correlation)
        status = fm_plan_factorise(plan, error);
    return status == FM_OK && plan->design == FM_DESIGN_LATIN ? fm_plan_shuffle(plan, error) : status;
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
    if (fm_axis_drawn(axis))
        return round_value(fm_distribution_quantile(axis, u));
    size_t index = (size_t)(u * (double)axis->count);
    index = index < axis->count ? index : axis->count - 1;
    return axis->kind == FM_AXIS_WORDS ? (double)index : axis->values[index];
}

void fm_plan_values(const fm_sweep_plan *plan, size_t run, double *values)
{
    size_t cell = run / plan->runs;
    for (size_t i = plan->axis_count; i-- > 0;) {
        const fm_sweep_axis *axis = &plan->axes[i];
        const bool drawn = !is_listed(axis);
        if (plan->design == FM_DESIGN_POINTS && !drawn) {
            values[i] = axis->values[cell];
            continue;
        }
        if (plan->design != FM_DESIGN_FACTORIAL || drawn) {
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
    return plan->seed + (repeats ? run % plan->runs : run / fm_plan_group(plan));
}

/* --- correlations --- */

fm_status fm_plan_begin_correlation(fm_sweep_plan *plan, fm_error *error)
{
    if (plan->correlation)
        return FM_OK;
    plan->correlation = fm_arena_alloc(&plan->arena, (size_t)FM_AXES_MOST * FM_AXES_MOST * sizeof *plan->correlation);
    for (size_t i = 0; plan->correlation && i < FM_AXES_MOST; i++)
        plan->correlation[i * FM_AXES_MOST + i] = 1;
    return plan->correlation ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for correlations");
}

/* The drawn axis of that path; axis_count: none. */
static size_t find_drawn(const fm_sweep_plan *plan, const char *path, size_t length)
{
    char name[FM_AXIS_PATH];
    fm_text_print(name, sizeof name, "%.*s", (int)length, path);
    size_t i = 0;
    while (i < plan->axis_count && !(fm_axis_drawn(&plan->axes[i]) && same_path(plan->axes[i].path, name)))
        i++;
    return i;
}

fm_status fm_plan_correlate(fm_sweep_plan *plan, const char *text, fm_error *error)
{
    const char *comma = strchr(text, ','), *sign = comma ? strchr(comma, '=') : NULL, *at = sign ? sign + 1 : text;
    double number;
    if (!sign || !fm_text_number_read(&at, &number) || *skip_blanks(at) || !(fabs(number) < 1))
        return fm_fail(error, FM_ERR_SYNTAX,
                       "'%s': must be PATH,PATH=NUMBER with a correlation between -1 and 1: '/v/a,/v/b=0.7'", text);
    const size_t a = find_drawn(plan, text, (size_t)(comma - text));
    const size_t b = find_drawn(plan, comma + 1, (size_t)(sign - comma - 1));
    if (a == plan->axis_count || b == plan->axis_count || a == b)
        return fm_fail(error, FM_ERR_NAME, "'%s': both must be different parameters that vary with a distribution",
                       text);
    if (fm_plan_begin_correlation(plan, error) != FM_OK)
        return FM_ERR_MEMORY;
    plan->correlation[a * FM_AXES_MOST + b] = plan->correlation[b * FM_AXES_MOST + a] = number;
    return FM_OK;
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

static void write_drawn(fm_text *text, const fm_sweep_axis *axis)
{
    size_t count;
    fm_text_add(text, "%s~%s(", axis->path, fm_distribution_name(axis->kind, &count));
    for (size_t i = 0; i < count; i++)
        fm_text_add(text, "%s%.17g", i ? "," : "", axis->given[i]);
    fm_text_add(text, ") %s\n", axis->unit);
}

static void write_axis(fm_text *text, const fm_sweep_axis *axis, size_t points)
{
    char value[FM_AXIS_PATH];
    if (!is_listed(axis)) {
        write_drawn(text, axis);
        return;
    }
    fm_text_add(text, "%s=", axis->path);
    for (size_t i = 0; i < (points ? points : axis->count); i++)
        fm_text_add(text, "%s%s", i ? "," : "",
                    fm_axis_write(axis, axis->words && !points ? (double)i : axis->values[i], value, sizeof value));
    fm_text_add(text, "\n");
}

static void write_correlations(fm_text *text, const fm_sweep_plan *plan)
{
    for (size_t i = 0; plan->correlation && i < plan->axis_count; i++)
        for (size_t k = 0; k < i; k++)
            if (plan->correlation[i * FM_AXES_MOST + k] != 0)
                fm_text_add(text, "%s,%s=%.17g\n", plan->axes[k].path, plan->axes[i].path,
                            plan->correlation[i * FM_AXES_MOST + k]);
}

const char *fm_design_name(fm_design design)
{
    static const char *const names[] = {"factorial", "random", "latin", "sobol", "saltelli", "morris", "points"};
    return names[design];
}

char *fm_plan_write(const fm_sweep_plan *plan)
{
    fm_text text = {0};
    fm_text_add(&text, "%s runs %zu seed %llu\n", fm_design_name(plan->design), plan->runs,
                (unsigned long long)plan->seed);
    for (size_t i = 0; i < plan->axis_count; i++)
        write_axis(&text, &plan->axes[i], i < plan->point_axes ? plan->points : 0);
    write_correlations(&text, plan);
    if (text.failed)
        fm_text_free(&text);
    return text.data;
}
