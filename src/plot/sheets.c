/* Choosing figures by name, drawing them on all cores, writing their files. */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/options.h"
#include "base/outfile.h"
#include "plot/sheets.h"

/* --- choosing --- */

static bool is_named(const fm_figures_options *options, const fm_figure_set *set, const fm_figure_spec *spec)
{
    char whole[128];
    snprintf(whole, sizeof whole, "%s/%s", set->name, spec->id);
    for (size_t i = 0; i < options->name_count; i++)
        if (strcmp(options->names[i], set->name) == 0 || strcmp(options->names[i], whole) == 0)
            return true;
    return options->name_count == 0;
}

static fm_status check_name(const char *name, fm_error *error)
{
    static const size_t most = 256;
    char names[256][96], near[512];
    size_t count = 0;
    fm_nearest nearest = {.wanted = name};
    for (const fm_figure_set *const *set = fm_figures_sets(); *set; set++) {
        if (strcmp(name, (*set)->name) == 0)
            return FM_OK;
        fm_nearest_offer(&nearest, (*set)->name);
        for (size_t i = 0; i < (*set)->count && count < most; i++) {
            snprintf(names[count], sizeof names[count], "%s/%s", (*set)->name, (*set)->figures[i].id);
            if (strcmp(name, names[count]) == 0)
                return FM_OK;
            fm_nearest_offer(&nearest, names[count++]);
        }
    }
    return fm_fail(error, FM_ERR_NAME, "unknown figure or set '%s'%s (`fathom figures --list` lists them)", name,
                   fm_nearest_write(&nearest, near, sizeof near));
}

static size_t choose(const fm_figures_options *options, fm_sheet *sheets)
{
    size_t count = 0;
    for (const fm_figure_set *const *set = fm_figures_sets(); *set; set++)
        for (size_t i = 0; i < (*set)->count; i++) {
            const fm_figure_spec *spec = &(*set)->figures[i];
            if (!is_named(options, *set, spec) || (options->fast && !spec->fast))
                continue;
            if (sheets)
                sheets[count] = (fm_sheet){.set = *set, .spec = spec};
            count++;
        }
    return count;
}

/* --- drawing --- */

typedef struct work {
    const fm_figures_options *options;
    fm_figures *figures;
    size_t *order; /* slow ones first */
    pthread_mutex_t lock;
    size_t done;
} work;

static fm_status write_picture(fm_sheet *sheet, const char *dir, const char *ending, const void *bytes, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s-%s.%s", dir, sheet->set->name, sheet->spec->id, ending);
    return fm_figures_write_file(path, bytes, size, &sheet->error);
}

static fm_status write_pictures(fm_sheet *sheet, const char *dir)
{
    fm_status status = fm_figure_render(sheet->figure, FM_FIGURE_SVG, &sheet->svg, &sheet->svg_size, &sheet->error);
    if (status != FM_OK || !dir)
        return status;
    status = write_picture(sheet, dir, "svg", sheet->svg, sheet->svg_size);
    if (status != FM_OK)
        return status;
    unsigned char *png = NULL;
    size_t size = 0;
    status = fm_figure_render(sheet->figure, FM_FIGURE_PNG, &png, &size, &sheet->error);
    if (status == FM_OK)
        status = write_picture(sheet, dir, "png", png, size);
    fm_free(png);
    return status;
}

static void judge(fm_sheet *sheet)
{
    sheet->passed = sheet->as_known = sheet->error.status == FM_OK;
    for (size_t i = 0; i < sheet->check_count; i++) {
        const bool holds = fm_check_passed(&sheet->checks[i]);
        sheet->passed &= holds;
        sheet->as_known &= holds == (sheet->checks[i].known == NULL);
    }
}

static void draw(fm_sheet *sheet, const char *dir)
{
    fm_status status = sheet->spec->draw(sheet, &sheet->error);
    if (status == FM_OK && (sheet->no_memory || sheet->notes.failed))
        status = fm_fail(&sheet->error, FM_ERR_MEMORY, "out of memory");
    else if (status == FM_OK && (!sheet->figure || sheet->check_count == 0))
        status = fm_fail(&sheet->error, FM_ERR_ARGUMENT, "its function drew no figure or checked nothing");
    if (status == FM_OK && sheet->refused.status != FM_OK) {
        sheet->error = sheet->refused;
        status = sheet->refused.status;
    }
    if (status == FM_OK)
        status = write_pictures(sheet, dir);
    if (status != FM_OK && sheet->error.status == FM_OK)
        sheet->error.status = status;
    judge(sheet);
    fm_figure_destroy(sheet->figure);
    sheet->figure = NULL;
}

static void draw_one(void *user, size_t i)
{
    work *w = user;
    fm_sheet *sheet = &w->figures->sheets[w->order[i]];
    draw(sheet, w->options->dir);
    pthread_mutex_lock(&w->lock);
    w->done++;
    if (w->options->progress)
        w->options->progress(w->options->user, w->done, w->figures->count, sheet->set, sheet->spec, sheet->passed);
    pthread_mutex_unlock(&w->lock);
}

static void put_slow_first(const fm_figures *figures, size_t *order)
{
    size_t count = 0;
    for (int fast = 0; fast < 2; fast++)
        for (size_t i = 0; i < figures->count; i++)
            if (figures->sheets[i].spec->fast == (fast == 1))
                order[count++] = i;
}

static fm_status draw_all(fm_figures *figures, const fm_figures_options *options, fm_error *error)
{
    work w = {.options = options, .figures = figures, .order = fm_alloc((figures->count + 1) * sizeof *w.order)};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int threads = options->threads > 0 ? options->threads : cores > 0 ? (int)cores : 1;
    fm_threads *pool = fm_threads_create(threads);
    if (!w.order || !pool) {
        fm_free(w.order);
        fm_threads_free(pool);
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for %d threads", threads);
    }
    fm_folders *folders = &figures->folders;
    fm_folders_find(folders); /* where the caller names none */
    fm_run_folders where = {folders->scenario_dirs, folders->count, folders->model_dirs, folders->count};
    if (options->scenario_dir_count)
        where.scenario_dirs = options->scenario_dirs, where.scenario_dir_count = options->scenario_dir_count;
    if (options->model_dir_count)
        where.model_dirs = options->model_dirs, where.model_dir_count = options->model_dir_count;
    for (size_t i = 0; i < figures->count; i++) {
        figures->sheets[i].pool = pool;
        figures->sheets[i].folders = where;
    }
    put_slow_first(figures, w.order);
    pthread_mutex_init(&w.lock, NULL);
    fm_threads_share(pool, figures->count, draw_one, &w);
    pthread_mutex_destroy(&w.lock);
    fm_threads_free(pool);
    fm_free(w.order);
    return FM_OK;
}

/* --- the whole --- */

static fm_status write_gathered(const fm_figures *figures, const char *dir, fm_error *error)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/report.html", dir);
    fm_status status = fm_figures_report(figures, path, error);
    if (status != FM_OK)
        return status;
    snprintf(path, sizeof path, "%s/validation.json", dir);
    return fm_figures_json(figures, path, error);
}

/* The folder and those above it. */
static fm_status make_folder(const char *dir, fm_error *error)
{
    char path[4096];
    snprintf(path, sizeof path, "%s", dir);
    for (char *c = path + 1; *c; c++)
        if (*c == '/') {
            *c = 0;
            mkdir(path, 0777); /* a folder that cannot be made is reported at the last one */
            *c = '/';
        }
    struct stat found;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return fm_fail(error, FM_ERR_FILE, "%s: %s", dir, strerror(errno));
    if (stat(path, &found) != 0 || !S_ISDIR(found.st_mode))
        return fm_fail(error, FM_ERR_FILE, "%s: %s", dir, strerror(ENOTDIR));
    return FM_OK;
}

static fm_status run(fm_figures *figures, const fm_figures_options *options, fm_error *error)
{
    fm_status status = FM_OK;
    for (size_t i = 0; i < options->name_count && status == FM_OK; i++)
        status = check_name(options->names[i], error);
    if (status == FM_OK && options->dir)
        status = make_folder(options->dir, error);
    if (status != FM_OK)
        return status;
    figures->count = choose(options, NULL);
    figures->sheets = fm_alloc((figures->count + 1) * sizeof *figures->sheets);
    if (!figures->sheets)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for %zu figures", figures->count);
    choose(options, figures->sheets);
    status = draw_all(figures, options, error);
    return status == FM_OK && options->dir ? write_gathered(figures, options->dir, error) : status;
}

fm_figures *fm_figures_run(const fm_figures_options *options, fm_error *error)
{
    fm_figures_options o;
    if (!options)
        return fm_fail(error, FM_ERR_ARGUMENT, "options must not be NULL"), NULL;
    if (FM_READ_OPTIONS(&o, options, fm_figures_options, error) != FM_OK)
        return NULL;
    fm_figures *figures = fm_alloc(sizeof *figures);
    if (!figures)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory"), NULL;
    if (run(figures, &o, error) == FM_OK)
        return figures;
    fm_figures_free(figures);
    return NULL;
}

void fm_figures_free(fm_figures *figures)
{
    if (!figures)
        return;
    for (size_t i = 0; figures->sheets && i < figures->count; i++)
        fm_sheet_clear(&figures->sheets[i]);
    fm_free(figures->sheets);
    fm_free(figures);
}

size_t fm_figures_count(const fm_figures *figures)
{
    return figures ? figures->count : 0;
}

fm_figure_result fm_figures_result(const fm_figures *figures, size_t i)
{
    if (i >= fm_figures_count(figures))
        return (fm_figure_result){.notes = "", .error = "unknown figure"};
    const fm_sheet *sheet = &figures->sheets[i];
    return (fm_figure_result){sheet->set,
                              sheet->spec,
                              sheet->checks,
                              sheet->check_count,
                              sheet->notes.data ? sheet->notes.data : "",
                              sheet->passed,
                              sheet->as_known,
                              sheet->error.status == FM_OK ? NULL : sheet->error.text};
}

const unsigned char *fm_figures_svg(const fm_figures *figures, size_t i, size_t *size)
{
    const fm_sheet *sheet = i < fm_figures_count(figures) ? &figures->sheets[i] : NULL;
    if (size)
        *size = sheet ? sheet->svg_size : 0;
    return sheet ? sheet->svg : NULL;
}

bool fm_figures_as_known(const fm_figures *figures)
{
    for (size_t i = 0; i < fm_figures_count(figures); i++)
        if (!figures->sheets[i].as_known)
            return false;
    return figures != NULL;
}

bool fm_figures_passed(const fm_figures *figures)
{
    for (size_t i = 0; i < fm_figures_count(figures); i++)
        if (!figures->sheets[i].passed)
            return false;
    return figures != NULL;
}

/* --- files and numbers --- */

fm_status fm_figures_write_file(const char *path, const void *bytes, size_t size, fm_error *error)
{
    return fm_outfile_write(path, bytes, size, error);
}

char *fm_figures_read_file(const char *path, size_t *size, fm_error *error)
{
    FILE *in = fopen(path, "rb");
    long length = -1;
    if (in && fseek(in, 0, SEEK_END) == 0)
        length = ftell(in);
    char *text = length >= 0 && fseek(in, 0, SEEK_SET) == 0 ? fm_alloc((size_t)length + 1) : NULL;
    *size = text ? fread(text, 1, (size_t)length, in) : 0;
    if (!text || *size != (size_t)length) {
        fm_fail(error, FM_ERR_FILE, "%s could not be read: %s", path, strerror(errno));
        fm_free(text);
        text = NULL;
    }
    if (in)
        fclose(in);
    return text;
}

const char *fm_figure_number(char buffer[32], double value)
{
    if (isnan(value))
        return strcpy(buffer, "–");
    if (isinf(value))
        return strcpy(buffer, value > 0 ? "∞" : "−∞");
    if (value == 0)
        value = 0; /* no minus before a zero */
    snprintf(buffer, 32, "%.4g", value);
    return buffer;
}
