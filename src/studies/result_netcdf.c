/* Results as NetCDF-4 following the CF conventions: one dimension, `run`. */
#include "studies/result.h"

#include "base/error.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <netcdf.h>
#include <netcdf_mem.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cf_units.h"
#include "base/outfile.h"
#include "base/text.h"

static fm_status nc_failed(int code, const char *path, fm_error *error)
{
    return fm_fail(error, FM_ERR_LIBRARY, "%s: NetCDF: %s", path, nc_strerror(code));
}

/* --- writing --- */

/* A variable's name: letters, digits and '_'; the second of two alike gets a number. */
static void name_variable(int file, const char *from, char name[NC_MAX_NAME + 1])
{
    size_t length = 0;
    int id;
    for (; *from && length < 200; from++)
        if (isalnum((unsigned char)*from))
            name[length++] = *from;
        else if (length > 0)
            name[length++] = '_';
    name[length] = 0;
    for (unsigned i = 2; nc_inq_varid(file, name, &id) == NC_NOERR; i++)
        snprintf(name + length, 16, "_%u", i);
}

static int put_text(int file, int variable, const char *name, const char *text)
{
    return nc_put_att_text(file, variable, name, strlen(text), text);
}

typedef struct description {
    const char *name; /* path, or VEHICLE.METRIC */
    const char *unit, *text, *role;
} description;

static int define_over(int file, int count, const int *dimensions, nc_type type, const description *d, int *id)
{
    char name[NC_MAX_NAME + 1], unit[4 * FM_AXIS_UNIT];
    name_variable(file, d->name, name);
    int code = nc_def_var(file, name, type, count, dimensions, id);
    if (type == NC_DOUBLE) {
        double none = NAN;
        code = code ? code : nc_def_var_fill(file, *id, NC_FILL, &none);
        code = code ? code : put_text(file, *id, "units", fm_unit_cf(d->unit, unit, sizeof unit));
        code = code ? code : put_text(file, *id, "unit_as_written", d->unit);
    }
    code = code ? code : put_text(file, *id, "long_name", d->text[0] ? d->text : d->name);
    code = code ? code : put_text(file, *id, "path", d->name);
    return code ? code : put_text(file, *id, "role", d->role);
}

static int define(int file, int dimension, nc_type type, const description *d, int *id)
{
    return define_over(file, 1, &dimension, type, d, id);
}

/* A list of words as flags: their numbers, and the words with '_' for spaces; also the unchanged words. */
static int put_flags(int file, int id, const fm_sweep_axis *axis)
{
    fm_text meanings = {0};
    int *numbers = fm_alloc(axis->count * sizeof *numbers), code = numbers ? 0 : NC_ENOMEM;
    for (size_t i = 0; i < axis->count && numbers; i++) {
        numbers[i] = (int)i;
        fm_text_add(&meanings, "%s", i ? " " : "");
        for (const char *c = axis->words[i]; *c; c++)
            fm_text_add(&meanings, "%c", *c == ' ' ? '_' : *c);
    }
    code = code ? code : nc_put_att_int(file, id, "flag_values", NC_INT, axis->count, numbers);
    code = code ? code : put_text(file, id, "flag_meanings", meanings.failed ? "" : meanings.data);
    code = code ? code : nc_put_att_string(file, id, "words", axis->count, (const char **)(void *)axis->words);
    fm_text_free(&meanings);
    fm_free(numbers);
    return code;
}

static int define_axis(int file, int dimension, const fm_sweep_axis *axis, int *id)
{
    description d = {axis->path, axis->unit, axis->text, "input"};
    int code = define(file, dimension, axis->kind == FM_AXIS_WORDS ? NC_INT : NC_DOUBLE, &d, id);
    code = code ? code : put_text(file, *id, "sampling", fm_distribution_sampling(axis->kind));
    return code || axis->kind != FM_AXIS_WORDS ? code : put_flags(file, *id, axis);
}

static int define_outcome(int file, int dimension, int *id)
{
    static const signed char values[] = {FM_OUTCOME_NONE, FM_OUTCOME_FINISHED, FM_OUTCOME_FAILED};
    int code = nc_def_var(file, "outcome", NC_BYTE, 1, &dimension, id);
    code = code ? code : put_text(file, *id, "long_name", "how the run ended");
    code = code ? code : nc_put_att_schar(file, *id, "flag_values", NC_BYTE, 3, values);
    return code ? code : put_text(file, *id, "flag_meanings", "not_run finished failed");
}

typedef struct layout {
    int seed, outcome, axes[FM_AXES_MOST];
    int *columns;
    int time, *series;
} layout;

/* A title for people: the scenario's title, or the name of its file. */
static void name_sweep(const fm_model *model, char *text, size_t size)
{
    const char *path = fm_model_file(model, 0).path, *slash = strrchr(path, '/');
    const char *title = fm_model_title(model), *name = slash ? slash + 1 : path;
    snprintf(text, size, "%s%s", title[0] ? "" : "Sweep of ", title[0] ? title : name);
}

static int put_head(int file, const fm_sweep *s, const char *command)
{
    char identity[24], *plan = fm_plan_write(s->plan);
    snprintf(identity, sizeof identity, "%016llx", (unsigned long long)s->identity);
    char title[512];
    name_sweep(s->model, title, sizeof title);
    int code = plan ? put_text(file, NC_GLOBAL, "Conventions", "CF-1.10") : NC_ENOMEM;
    code = code ? code : put_text(file, NC_GLOBAL, "title", title);
    code = code ? code : put_text(file, NC_GLOBAL, "source", "fathom " FATHOM_VERSION);
    code = code ? code : put_text(file, NC_GLOBAL, "history", command);
    code = code ? code : put_text(file, NC_GLOBAL, "scenario", fm_model_file(s->model, 0).path);
    const long long runs = (long long)s->plan->runs;
    code = code ? code : put_text(file, NC_GLOBAL, "plan", plan);
    code = code ? code : put_text(file, NC_GLOBAL, "design", fm_design_name(s->plan->design));
    code = code ? code : nc_put_att_longlong(file, NC_GLOBAL, "design_runs", NC_INT64, 1, &runs);
    code = code ? code : put_text(file, NC_GLOBAL, "sweep_identity", identity);
    fm_free(plan);
    return code;
}

/* The inputs and the seed are the auxiliary coordinates of the results. */
static int put_coordinates(int file, const fm_sweep *s, const layout *l)
{
    fm_text names = {0};
    char name[NC_MAX_NAME + 1];
    int code = NC_NOERR;
    for (size_t i = 0; i < s->plan->axis_count && !code; i++)
        if (!(code = nc_inq_varname(file, l->axes[i], name)))
            fm_text_add(&names, "%s ", name);
    fm_text_add(&names, "seed");
    code = code ? code : names.failed ? NC_ENOMEM : put_text(file, l->outcome, "coordinates", names.data);
    for (size_t i = 0; i < s->column_count && !code; i++)
        code = put_text(file, l->columns[i], "coordinates", names.data);
    fm_text_free(&names);
    return code;
}

/* Over runs and time. */
static int define_series(int file, int run, const fm_sweep *s, layout *l)
{
    int dimensions[2] = {run, 0}, code = NC_NOERR;
    if (s->series_count == 0)
        return NC_NOERR;
    code = nc_def_dim(file, "time", s->samples, &dimensions[1]);
    code = code ? code : nc_def_var(file, "time", NC_DOUBLE, 1, &dimensions[1], &l->time);
    code = code ? code : put_text(file, l->time, "units", "s");
    code = code ? code : put_text(file, l->time, "long_name", "time since the start of the run");
    for (size_t i = 0; i < s->series_count && !code; i++) {
        const fm_sweep_column *c = &s->series[i];
        code = define_over(file, 2, dimensions, NC_DOUBLE, &(description){c->name, c->unit, c->text, "series"},
                           &l->series[i]);
    }
    return code;
}

static int put_times(int file, const fm_sweep *s, const layout *l)
{
    int code = NC_NOERR;
    for (size_t k = 0; s->series_count && k < s->samples && !code; k++) {
        const double time = (double)(s->stride * k) * fm_model_dt(s->model);
        code = nc_put_var1_double(file, l->time, &k, &time);
    }
    return code;
}

/* One run after the other: a row has the samples of a series one after the other. */
static int put_series(int file, const fm_sweep *s, const layout *l, size_t first, size_t count)
{
    int code = NC_NOERR;
    for (size_t run = first; run < first + count; run++)
        for (size_t i = 0; i < s->series_count && !code; i++)
            code = nc_put_vara_double(file, l->series[i], (size_t[2]){run, 0}, (size_t[2]){1, s->samples},
                                      s->values + run * s->width + s->column_count + i * s->samples);
    return code;
}

static int define_all(int file, const fm_sweep *s, layout *l)
{
    const fm_sweep_plan *plan = s->plan;
    int run, code = nc_def_dim(file, "run", plan->total, &run);
    code = code ? code : nc_def_var(file, "seed", NC_INT64, 1, &run, &l->seed);
    code = code ? code : put_text(file, l->seed, "long_name", "seed of the random numbers");
    code = code ? code : define_outcome(file, run, &l->outcome);
    for (size_t i = 0; i < plan->axis_count && !code; i++)
        code = define_axis(file, run, &plan->axes[i], &l->axes[i]);
    for (size_t i = 0; i < s->column_count && !code; i++) {
        const fm_sweep_column *c = &s->columns[i];
        code = define(file, run, NC_DOUBLE, &(description){c->name, c->unit, c->text, "output"}, &l->columns[i]);
    }
    code = code ? code : define_series(file, run, s, l);
    code = code ? code : put_coordinates(file, s, l);
    return code ? code : nc_enddef(file);
}

enum { ROWS = 4096 }; /* at a time */

static int put_block(int file, const fm_sweep *s, const layout *l, size_t first, double *numbers)
{
    const fm_sweep_plan *plan = s->plan;
    size_t count = plan->total - first < ROWS ? plan->total - first : ROWS;
    double values[FM_AXES_MOST];
    long long seeds[ROWS];
    for (size_t r = 0; r < count; r++) {
        seeds[r] = (long long)fm_plan_seed(plan, first + r);
        fm_plan_values(plan, first + r, values);
        for (size_t i = 0; i < plan->axis_count; i++)
            numbers[i * ROWS + r] = values[i];
    }
    int code = nc_put_vara_longlong(file, l->seed, &first, &count, seeds);
    for (size_t i = 0; i < plan->axis_count && !code; i++)
        code = nc_put_vara_double(file, l->axes[i], &first, &count, numbers + i * ROWS);
    for (size_t i = 0; i < s->column_count && !code; i++) {
        for (size_t r = 0; r < count; r++)
            numbers[r] = s->values[(first + r) * s->width + i];
        code = nc_put_vara_double(file, l->columns[i], &first, &count, numbers);
    }
    code = code ? code : put_series(file, s, l, first, count);
    return code ? code : nc_put_vara_uchar(file, l->outcome, &first, &count, s->outcomes + first);
}

static int put_all(int file, const fm_sweep *s, const char *command)
{
    layout l = {.columns = fm_alloc((s->column_count + 1) * sizeof *l.columns),
                .series = fm_alloc((s->series_count + 1) * sizeof *l.series)};
    double *numbers = fm_alloc((s->plan->axis_count + 1) * ROWS * sizeof *numbers);
    int code = l.columns && l.series && numbers ? put_head(file, s, command) : NC_ENOMEM;
    code = code ? code : define_all(file, s, &l);
    code = code ? code : put_times(file, s, &l);
    for (size_t first = 0; first < s->plan->total && !code; first += ROWS)
        code = put_block(file, s, &l, first, numbers);
    fm_free(l.columns);
    fm_free(l.series);
    fm_free(numbers);
    return code;
}

enum { IMAGE = 1 << 16 }; /* bytes, more than an empty file has */

/* The bytes of a file without variables, which the library continues in memory; from malloc, as it requires. One
 * created in memory would lose the order of its variables. */
static fm_status begin_image(fm_outfile *output, NC_memio *image, fm_error *error)
{
    int file;
    image->memory = calloc(1, IMAGE);
    if (!image->memory)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the result");
    if (fwrite(image->memory, 1, IMAGE, output->file) < IMAGE || fflush(output->file) != 0)
        return fm_fail(error, FM_ERR_FILE, "%s: %s", output->path, strerror(errno));
    int code = output->temporary[0] ? nc_create(output->temporary, NC_NETCDF4 | NC_CLOBBER, &file) : NC_EPERM;
    code = code ? code : nc_close(file);
    FILE *made = code ? NULL : fopen(output->temporary, "rb");
    image->size = made ? fread(image->memory, 1, IMAGE, made) : 0;
    if (made)
        fclose(made);
    rewind(output->file);
    return image->size ? FM_OK : nc_failed(code ? code : NC_EACCESS, output->path, error);
}

/* Created in memory and written by us: HDF5, which would write the bytes otherwise, crashes at the end of a program
 * when the disk was full. */
static fm_status write_whole(const fm_sweep *sweep, fm_outfile *output, const char *command, fm_error *error)
{
    NC_memio image = {0}, whole = {0};
    int file;
    fm_status status = begin_image(output, &image, error);
    if (status != FM_OK)
        return free(image.memory), status;
    int code = nc_open_memio(output->path, NC_WRITE | NC_NETCDF4, &image, &file);
    if (code)
        return free(image.memory), nc_failed(code, output->path, error);
    code = put_all(file, sweep, command);
    int closed = nc_close_memio(file, &whole);
    code = code ? code : closed;
    if (!code)
        fwrite(whole.memory, 1, whole.size, output->file);
    free(whole.memory);
    return code ? nc_failed(code, output->path, error) : FM_OK;
}

fm_status fm_sweep_write_netcdf(const fm_sweep *sweep, const char *path, const char *command, fm_error *error)
{
    fm_outfile output;
    fm_status status = fm_outfile_open(&output, path, error);
    if (status != FM_OK)
        return status;
    status = write_whole(sweep, &output, command, error);
    if (status == FM_OK)
        return fm_outfile_close(&output, error);
    fm_outfile_abandon(&output);
    return status;
}

/* --- reading --- */

/* A text attribute; "" if there is none. */
static void get_text(int file, int variable, const char *name, char *text, size_t size)
{
    size_t length;
    nc_type type;
    text[0] = 0;
    if (nc_inq_att(file, variable, name, &type, &length) != NC_NOERR || type != NC_CHAR || length >= size)
        return;
    if (nc_get_att_text(file, variable, name, text) == NC_NOERR)
        text[length] = 0;
    else
        text[0] = 0;
}

/* Number of the variable of this path and role; -1: none. A metric and a series may have one path. */
static int find_path(int file, const char *path, const char *role)
{
    int count = 0;
    char found[512], its[16];
    nc_inq_nvars(file, &count);
    for (int i = 0; i < count; i++) {
        get_text(file, i, "path", found, sizeof found);
        get_text(file, i, "role", its, sizeof its);
        if (!strcmp(found, path) && !strcmp(its, role))
            return i;
    }
    return -1;
}

static fm_status take_all(int file, fm_sweep *s, const char *path, fm_error *error)
{
    char identity[64], wanted[24];
    snprintf(wanted, sizeof wanted, "%016llx", (unsigned long long)s->identity);
    get_text(file, NC_GLOBAL, "sweep_identity", identity, sizeof identity);
    if (strcmp(identity, wanted) != 0)
        return fm_fail(
            error, FM_ERR_MODEL,
            "%s holds another sweep: scenario, its data files and plugins, --vary, --design, --runs, --seed, --set, "
            "--duration, --metric, --series, --every and --precision must be those that it began with",
            path);
    int id, code = nc_inq_varid(file, "outcome", &id);
    code = code ? code : nc_get_var_uchar(file, id, s->outcomes);
    double *numbers = fm_alloc((s->plan->total + 1) * sizeof *numbers);
    for (size_t i = 0; i < s->column_count && numbers && !code; i++) {
        code = nc_get_var_double(file, find_path(file, s->columns[i].name, "output"), numbers);
        for (size_t r = 0; r < s->plan->total && !code; r++)
            s->values[r * s->width + i] = numbers[r];
    }
    for (size_t i = 0; i < s->series_count && !code; i++) {
        const int variable = find_path(file, s->series[i].name, "series");
        for (size_t r = 0; r < s->plan->total && !code; r++)
            code = nc_get_vara_double(file, variable, (size_t[2]){r, 0}, (size_t[2]){1, s->samples},
                                      s->values + r * s->width + s->column_count + i * s->samples);
    }
    fm_free(numbers);
    if (code || !numbers)
        return nc_failed(code ? code : NC_ENOMEM, path, error);
    for (size_t r = 0; r < s->plan->total; r++) {
        s->found += s->outcomes[r] != FM_OUTCOME_NONE;
        s->failed += s->outcomes[r] == FM_OUTCOME_FAILED;
    }
    return FM_OK;
}

fm_status fm_sweep_take_netcdf(fm_sweep *sweep, const char *path, fm_error *error)
{
    int file;
    if (access(path, F_OK) != 0)
        return FM_OK;
    int code = nc_open(path, NC_NOWRITE, &file);
    if (code)
        return nc_failed(code, path, error);
    fm_status status = take_all(file, sweep, path, error);
    nc_close(file);
    return status;
}

static fm_status read_words(fm_result *r, int file, int id, fm_result_variable *v, fm_error *error)
{
    size_t count;
    char **words;
    if (nc_inq_attlen(file, id, "words", &count) != NC_NOERR || count == 0)
        return FM_OK;
    v->words = fm_arena_alloc(&r->arena, count * sizeof *v->words);
    words = fm_alloc(count * sizeof *words);
    int code = v->words && words ? nc_get_att_string(file, id, "words", words) : NC_ENOMEM;
    for (size_t i = 0; i < count && !code; i++)
        if (!(v->words[i] = fm_arena_text(&r->arena, words[i])))
            code = NC_ENOMEM;
    if (words && !code)
        nc_free_string(count, words);
    fm_free(words);
    v->word_count = count;
    return code ? nc_failed(code, v->name, error) : FM_OK;
}

/* Numbers over runs and time. */
static fm_status read_series(fm_result *r, int file, int id, fm_error *error)
{
    fm_result_series *series = &r->series[r->series_count];
    int dimension;
    size_t samples = 0;
    int code = nc_inq_dimid(file, "time", &dimension);
    code = code ? code : nc_inq_dimlen(file, dimension, &samples);
    if (!code && !r->times) {
        r->samples = samples;
        r->times = fm_arena_alloc(&r->arena, (samples + 1) * sizeof *r->times);
        int time;
        code = nc_inq_varid(file, "time", &time);
        code = code ? code : r->times ? nc_get_var_double(file, time, r->times) : NC_ENOMEM;
    }
    get_text(file, id, "path", series->name, sizeof series->name);
    get_text(file, id, "unit_as_written", series->unit, sizeof series->unit);
    get_text(file, id, "long_name", series->text, sizeof series->text);
    series->values = code ? NULL : fm_arena_alloc(&r->arena, (r->runs * samples + 1) * sizeof *series->values);
    code = code ? code : series->values ? nc_get_var_double(file, id, series->values) : NC_ENOMEM;
    r->series_count++;
    return code ? nc_failed(code, series->name, error) : FM_OK;
}

static fm_status read_variable(fm_result *r, int file, int id, fm_error *error)
{
    fm_result_variable *v = &r->variables[r->variable_count];
    char role[16], sampling[16];
    get_text(file, id, "role", role, sizeof role);
    get_text(file, id, "sampling", sampling, sizeof sampling);
    if (!strcmp(role, "series"))
        return read_series(r, file, id, error);
    if (strcmp(role, "input") != 0 && strcmp(role, "output") != 0)
        return FM_OK;
    v->input = role[0] == 'i';
    v->drawn = v->input && strcmp(sampling, "listed") != 0;
    get_text(file, id, "path", v->name, sizeof v->name);
    get_text(file, id, "unit_as_written", v->unit, sizeof v->unit);
    get_text(file, id, "long_name", v->text, sizeof v->text);
    v->values = fm_arena_alloc(&r->arena, (r->runs + 1) * sizeof *v->values);
    if (!v->values)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu runs", r->runs);
    int code = nc_get_var_double(file, id, v->values);
    if (code)
        return nc_failed(code, v->name, error);
    r->variable_count++;
    return read_words(r, file, id, v, error);
}

static fm_status read_all(fm_result *r, int file, const char *path, fm_error *error)
{
    int count = 0, id, code = nc_inq_dimid(file, "run", &id);
    code = code ? code : nc_inq_dimlen(file, id, &r->runs);
    code = code ? code : nc_inq_varid(file, "outcome", &id);
    if (code)
        return fm_fail(error, FM_ERR_SYNTAX, "%s is no result of a sweep: it has no dimension 'run' and no 'outcome'",
                       path);
    nc_inq_nvars(file, &count);
    r->outcomes = fm_arena_alloc(&r->arena, r->runs + 1);
    r->variables = fm_arena_alloc(&r->arena, ((size_t)count + 1) * sizeof *r->variables);
    r->series = fm_arena_alloc(&r->arena, ((size_t)count + 1) * sizeof *r->series);
    if (!r->outcomes || !r->variables || !r->series)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu runs", r->runs);
    code = nc_get_var_uchar(file, id, r->outcomes);
    for (size_t i = 0; i < r->runs && !code; i++)
        r->finished += r->outcomes[i] == FM_OUTCOME_FINISHED;
    get_text(file, NC_GLOBAL, "title", r->title, sizeof r->title);
    get_text(file, NC_GLOBAL, "history", r->command, sizeof r->command);
    get_text(file, NC_GLOBAL, "design", r->design, sizeof r->design);
    long long runs;
    r->drawn = nc_get_att_longlong(file, NC_GLOBAL, "design_runs", &runs) == NC_NOERR && runs > 0 ? (size_t)runs : 0;
    fm_status status = code ? nc_failed(code, path, error) : FM_OK;
    for (int i = 0; i < count && status == FM_OK; i++)
        status = read_variable(r, file, i, error);
    return status;
}

fm_status fm_result_read(fm_result *result, const char *path, fm_error *error)
{
    int file;
    *result = (fm_result){0};
    int code = nc_open(path, NC_NOWRITE, &file);
    if (code)
        return nc_failed(code, path, error);
    fm_status status = read_all(result, file, path, error);
    nc_close(file);
    return status;
}
