#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "figures/internal.h"

fm_figure *fm_sheet_figure(fm_sheet *sheet, double width_mm, double height_mm)
{
    if (!sheet->figure)
        sheet->figure = fm_figure_create(width_mm, height_mm, FM_THEME_LIGHT);
    return sheet->figure;
}

static const char *copy(fm_sheet *sheet, const char *text)
{
    const char *own = fm_arena_text(&sheet->arena, text ? text : "");
    sheet->no_memory |= !own;
    return own;
}

void fm_sheet_check(fm_sheet *sheet, const fm_check *check)
{
    if (sheet->check_count == sheet->check_capacity) {
        size_t capacity = sheet->check_capacity ? 2 * sheet->check_capacity : 8;
        fm_check *more = fm_realloc(sheet->checks, capacity * sizeof *more);
        if (!more) {
            sheet->no_memory = true;
            return;
        }
        sheet->checks = more;
        sheet->check_capacity = capacity;
    }
    fm_check *own = &sheet->checks[sheet->check_count++];
    *own = *check;
    own->quantity = copy(sheet, check->quantity);
    own->paper = check->paper ? copy(sheet, check->paper) : NULL;
    own->unit = copy(sheet, check->unit);
    own->remark = copy(sheet, check->remark);
    own->known = check->known ? copy(sheet, check->known) : NULL;
}

void fm_sheet_fails(fm_sheet *sheet, const char *reason)
{
    if (sheet->check_count)
        sheet->checks[sheet->check_count - 1].known = copy(sheet, reason);
}

/* Beyond rounding. */
static bool is_wide(double tolerance, double number)
{
    return tolerance > 0.1 * fabs(number) * (1 + 1e-9);
}

static void refuse(fm_sheet *sheet, const char *quantity, double low, double high, const char *unit)
{
    if (sheet->refused.status == FM_OK)
        fm_fail(&sheet->refused, FM_ERR_ARGUMENT,
                "'%s' accepts %.4g to %.4g %s: must be at most a tenth of the number to either side, or stated by the "
                "source (fm_sheet_check_stated)",
                quantity, low, high, unit);
}

void fm_sheet_check_near(fm_sheet *sheet, const char *quantity, const char *paper, const char *unit, double ours,
                         double expected, double tolerance, const char *remark)
{
    const double low = expected - tolerance, high = expected + tolerance;
    if (expected != 0 && is_wide(tolerance, expected))
        refuse(sheet, quantity, low, high, unit);
    fm_sheet_check(sheet, &(fm_check){quantity, paper, unit, ours, expected, low, high, remark, NULL});
}

void fm_sheet_check_range(fm_sheet *sheet, const char *quantity, const char *paper, const char *unit, double ours,
                          double low, double high, const char *remark)
{
    const double middle = 0.5 * (low + high);
    if (isfinite(middle) && low * high > 0 && is_wide(0.5 * (high - low), middle))
        refuse(sheet, quantity, low, high, unit);
    if (strcmp(unit, "%") == 0 && low == 0 && high > 10)
        refuse(sheet, quantity, low, high, unit);
    fm_sheet_check(sheet, &(fm_check){quantity, paper, unit, ours, NAN, low, high, remark, NULL});
}

void fm_sheet_check_stated(fm_sheet *sheet, const char *quantity, const char *paper, const char *unit, double ours,
                           double low, double high, const char *remark)
{
    fm_sheet_check(sheet, &(fm_check){quantity, paper, unit, ours, NAN, low, high, remark, NULL});
}

void fm_sheet_check_holds(fm_sheet *sheet, const char *fact, const char *paper, bool holds, const char *remark)
{
    fm_sheet_check(sheet, &(fm_check){fact, paper, "", holds, NAN, 1, 1, remark, NULL});
}

bool fm_check_passed(const fm_check *check)
{
    return check && check->ours >= check->low && check->ours <= check->high;
}

void fm_sheet_note(fm_sheet *sheet, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fm_text_add(&sheet->notes, "%s%s", sheet->notes.length ? "\n" : "", text);
}

void *fm_sheet_alloc(fm_sheet *sheet, size_t size)
{
    void *memory = fm_arena_alloc(&sheet->arena, size);
    sheet->no_memory |= !memory;
    return memory;
}

double *fm_sheet_reals(fm_sheet *sheet, size_t count)
{
    return fm_sheet_alloc(sheet, count * sizeof(double));
}

fm_arena *fm_sheet_arena(fm_sheet *sheet)
{
    return &sheet->arena;
}

void fm_sheet_share(fm_sheet *sheet, size_t count, void (*work)(void *user, size_t i), void *user)
{
    fm_threads_share(sheet->pool, count, work, user);
}

fm_track *fm_sheet_run(fm_sheet *sheet, const fm_run_request *request, fm_error *error)
{
    return fm_figures_run_scenario(&sheet->places, request, &sheet->arena, error);
}

const fm_run_places *fm_sheet_places(const fm_sheet *sheet)
{
    return &sheet->places;
}
