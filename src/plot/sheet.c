#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/columns.h"
#include "base/error.h"
#include "plot/sheets.h"

fm_figure *fm_sheet_figure(fm_sheet *sheet, double width_mm, double height_mm)
{
    if (!sheet->figure)
        sheet->figure = fm_figure_create(width_mm, height_mm, FM_THEME_LIGHT);
    return sheet->figure;
}

fm_status fm_figure_fail(fm_error *error, fm_status status, const char *format, ...)
{
    char text[sizeof error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return fm_fail(error, status, "%s", text);
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

void fm_sheet_share(fm_sheet *sheet, size_t count, void (*work)(void *user, size_t i), void *user)
{
    fm_threads_share(sheet->pool, count, work, user);
}

int fm_sheet_threads(const fm_sheet *sheet)
{
    return sheet->pool ? fm_threads_count(sheet->pool) : 1;
}

const fm_run_folders *fm_sheet_folders(const fm_sheet *sheet)
{
    return &sheet->folders;
}

/* --- scenarios --- */

FILE *fm_sheet_scenario(fm_sheet *sheet, fm_error *error)
{
    if (!sheet->scenario)
        sheet->scenario = open_memstream(&sheet->scenario_text, &sheet->scenario_size);
    if (!sheet->scenario)
        fm_fail(error, FM_ERR_MEMORY, "out of memory for a scenario");
    return sheet->scenario;
}

/* Closes the stream; the text is the caller's. NULL and *error: not all of it could be kept. */
static char *take_scenario(fm_sheet *sheet, fm_error *error)
{
    const bool whole = sheet->scenario && fclose(sheet->scenario) == 0;
    char *text = sheet->scenario_text;
    sheet->scenario = NULL;
    sheet->scenario_text = NULL;
    if (whole)
        return text;
    fm_fail(error, FM_ERR_MEMORY, "out of memory for a scenario");
    free(text);
    return NULL;
}

/* The request with its scenario; false and *error where there is none. `*text` is to be freed. */
static bool complete_request(fm_sheet *sheet, fm_run_request *request, char **text, fm_error *error)
{
    *text = NULL;
    if (request->scenario || request->text)
        return true;
    request->text = *text = take_scenario(sheet, error);
    return *text != NULL;
}

/* What lives as long as a sheet besides its memory. */
struct fm_sheet_holding {
    fm_track *track;
    fm_model *model;
    fm_world *world;
    fm_sheet_holding *next;
};

static fm_sheet_holding *hold(fm_sheet *sheet, fm_error *error)
{
    fm_sheet_holding *holding = fm_sheet_alloc(sheet, sizeof *holding);
    if (!holding) {
        fm_fail(error, FM_ERR_MEMORY, "out of memory for a run");
        return NULL;
    }
    holding->next = sheet->holdings;
    return sheet->holdings = holding;
}

fm_track *fm_sheet_run(fm_sheet *sheet, const fm_run_request *request, fm_error *error)
{
    char *text;
    fm_run_request complete = *request;
    fm_sheet_holding *holding = hold(sheet, error);
    if (!holding || !complete_request(sheet, &complete, &text, error))
        return NULL;
    holding->track = fm_track_run(&sheet->folders, &complete, error);
    free(text);
    return holding->track;
}

fm_world *fm_sheet_world(fm_sheet *sheet, const fm_run_request *request, fm_error *error)
{
    char *text;
    fm_run_request complete = *request;
    fm_sheet_holding *holding = hold(sheet, error);
    if (!holding || !complete_request(sheet, &complete, &text, error))
        return NULL;
    holding->model = fm_run_request_load(&sheet->folders, &complete, error);
    free(text);
    if (holding->model)
        holding->world = fm_world_create(holding->model, NULL, error);
    return holding->world;
}

void fm_sheet_clear(fm_sheet *sheet)
{
    for (fm_sheet_holding *h = sheet->holdings; h; h = h->next) {
        fm_track_free(h->track);
        fm_world_free(h->world);
        fm_model_free(h->model);
    }
    if (sheet->scenario)
        fclose(sheet->scenario);
    free(sheet->scenario_text);
    fm_arena_free(&sheet->arena);
    fm_text_free(&sheet->notes);
    fm_free(sheet->checks);
    fm_free(sheet->svg);
}

/* --- tables --- */

struct fm_sheet_table {
    const char *name;
    fm_columns columns;
};

void fm_sheet_find_file(const fm_sheet *sheet, const char *name, char *path, size_t size)
{
    *path = 0;
    for (size_t i = 0; i < sheet->folders.model_dir_count; i++) {
        snprintf(path, size, "%s/%s", sheet->folders.model_dirs[i], name);
        if (access(path, R_OK) == 0)
            return;
    }
}

const fm_sheet_table *fm_sheet_read_table(fm_sheet *sheet, const char *name, fm_error *error)
{
    char path[4096];
    fm_sheet_table *table = fm_sheet_alloc(sheet, sizeof *table);
    if (!table) {
        fm_fail(error, FM_ERR_MEMORY, "out of memory for %s", name);
        return NULL;
    }
    table->name = copy(sheet, name);
    fm_sheet_find_file(sheet, name, path, sizeof path);
    return fm_columns_read(&table->columns, path, &sheet->arena, error) == FM_OK ? table : NULL;
}

size_t fm_sheet_table_rows(const fm_sheet_table *table)
{
    return table->columns.rows;
}

const double *fm_sheet_table_column(const fm_sheet_table *table, const char *heading, fm_error *error)
{
    const double *column = fm_columns_find(&table->columns, heading);
    if (!column)
        fm_fail(error, FM_ERR_NAME, "%s has no column '%s'", table->name, heading);
    return column;
}
