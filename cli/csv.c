#include "csv.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/outfile.h"
#include "inputs.h"
#include "run/row.h"
#include "telemetry/decimal.h"

typedef struct csv_file {
    FILE *out;              /* NULL: not opened yet */
    uint64_t written;       /* tick of the last row + 1 */
    size_t columns, orders; /* of the vehicle's row, followed by the orders of its actuators */
    double *row;
    char *line; /* room for a row as text */
    char name[64];
} csv_file;

typedef struct csv_table {
    const char *dir;
    double rate;     /* Hz; 0: the vehicle's own */
    uint64_t stride; /* ticks between rows; 0: the vehicle's period */
    int count, failed;
    fm_decimal *decimal;
    csv_file *files; /* one per slot */
} csv_table;

/* Orders given in degrees and rpm are in these units in the table. */
typedef struct order_unit {
    const char *unit, *shown;
    double num, den; /* x as shown is x·num/den in `unit` */
} order_unit;

static const order_unit *shown_unit(const char *unit)
{
    static const order_unit units[] = {{"rad", "deg", M_PI, 180}, {"rad/s", "rpm", 2 * M_PI, 60}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(units[i].unit, unit))
            return &units[i];
    return NULL;
}

/* 15 for an input of 15 deg, not the neighbouring number from the conversion to radians and back. */
static double show_value(const order_unit *own, double value)
{
    if (!own)
        return value;
    double shown = value * own->den / own->num, plain = rint(shown * 1e9) / 1e9;
    return plain * own->num / own->den == value ? plain : shown;
}

/* Of column `i`; NULL: unchanged. */
static const order_unit *unit_of_column(const csv_file *file, const fm_world *world, int slot, size_t i)
{
    return i >= FM_ROW_POSE && i < FM_ROW_POSE + file->orders ? shown_unit(fm_row_unit(world, slot, i)) : NULL;
}

static void write_name(const csv_file *file, const fm_world *world, int slot, size_t column, const char *ending)
{
    const order_unit *own = unit_of_column(file, world, slot, column);
    const char *unit = own ? own->shown : fm_row_unit(world, slot, column);
    fprintf(file->out, "%s%s%s", column || *ending ? "," : "", fm_row_name(world, slot, column), ending);
    if (unit[0])
        fprintf(file->out, " [%s]", unit);
}

static void write_header(const csv_file *file, const fm_world *world, int slot)
{
    for (size_t i = 0; i < file->columns; i++)
        write_name(file, world, slot, i, "");
    for (size_t i = 0; i < file->orders; i++)
        write_name(file, world, slot, FM_ROW_POSE + i, ".order");
    fputc('\n', file->out);
}

static int make_room(csv_file *file, const fm_world *world, int slot)
{
    file->columns = fm_row_count(world, slot);
    file->orders = fm_row_order_count(world, slot);
    double *row = realloc(file->row, file->columns * sizeof *file->row);
    file->row = row ? row : file->row;
    char *line = realloc(file->line, (file->columns + file->orders) * (FM_DECIMAL_SIZE + 1));
    file->line = line ? line : file->line;
    return row && line;
}

static fm_status open_file(csv_table *csv, const fm_world *world, int slot, fm_error *error)
{
    csv_file *file = &csv->files[slot];
    char path[1024];
    snprintf(file->name, sizeof file->name, "%s", fm_world_name(world, slot));
    snprintf(path, sizeof path, "%s/%s.csv", csv->dir, file->name);
    file->written = 0;
    if (!make_room(file, world, slot))
        return fm_fail(error, FM_ERR_MEMORY, "--csv: %s: out of memory", path);
    if (!cli_output_apart_from_model("run", "--csv", path, fm_world_model(world)))
        return fm_fail(error, FM_ERR_FILE, "--csv: %s: it is left as it is", path);
    file->out = fm_outfile_begin_table(path);
    if (!file->out) {
        csv->failed = 1;
        return fm_fail(error, FM_ERR_FILE, "--csv: %s: %s", path, strerror(errno));
    }
    setvbuf(file->out, NULL, _IOFBF, 1 << 16);
    write_header(file, world, slot);
    return FM_OK;
}

static int make_folder(const char *dir)
{
    struct stat found;
    if (mkdir(dir, 0777) == 0)
        return 1;
    if (errno != EEXIST || stat(dir, &found) != 0)
        return 0;
    errno = ENOTDIR;
    return S_ISDIR(found.st_mode);
}

static fm_status start_csv(void *user, fm_sink *sink, fm_error *error)
{
    csv_table *csv = user;
    const fm_world *world = fm_run_world(fm_sink_run(sink));
    if (strlen(csv->dir) >= 900)
        return fm_fail(error, FM_ERR_RANGE, "--csv %s: the name is too long", csv->dir);
    if (!make_folder(csv->dir))
        return fm_fail(error, FM_ERR_FILE, "--csv %s: %s", csv->dir, strerror(errno));
    csv->count = fm_world_slots(world);
    csv->files = calloc((size_t)csv->count + 1, sizeof *csv->files);
    csv->decimal = fm_decimal_create();
    if (!csv->files || !csv->decimal)
        return fm_fail(error, FM_ERR_MEMORY, "--csv %s: out of memory", csv->dir);
    if (csv->rate > 0) {
        csv->stride = fm_model_ticks(fm_world_model(world), 1 / csv->rate);
        csv->stride = csv->stride ? csv->stride : 1;
    }
    for (int slot = 0; slot < csv->count; slot++)
        if (fm_world_name(world, slot) && open_file(csv, world, slot, error) != FM_OK)
            return FM_ERR_FILE;
    return FM_OK;
}

static void write_row(const csv_table *csv, const csv_file *file, const fm_world *world, int slot)
{
    char *at = file->line;
    fm_row_read(world, slot, file->row, file->columns);
    for (size_t i = 0; i < file->columns + file->orders; i++) {
        size_t column = i < file->columns ? i : FM_ROW_POSE + i - file->columns;
        double value = i < file->columns ? file->row[i] : fm_row_order(world, slot, i - file->columns);
        const order_unit *own = unit_of_column(file, world, slot, column);
        at += fm_decimal_real(csv->decimal, show_value(own, value), at);
        *at++ = ',';
    }
    at[-1] = '\n';
    fwrite(file->line, 1, (size_t)(at - file->line), file->out);
}

/* A file that could not be written to its last row is removed; one that is no regular file stays. */
static void close_file(csv_table *csv, csv_file *file)
{
    char path[1024];
    struct stat found;
    FILE *out = file->out;
    file->out = NULL;
    if (!out)
        return;
    const bool regular = fstat(fileno(out), &found) == 0 && S_ISREG(found.st_mode), broken = ferror(out);
    if (fclose(out) == 0 && !broken)
        return;
    if (!csv->failed)
        fprintf(stderr, "fathom run: %s/%s.csv could not be written: %s\n", csv->dir, file->name, strerror(errno));
    csv->failed = 1;
    snprintf(path, sizeof path, "%s/%s.csv", csv->dir, file->name);
    if (regular && unlink(path) == 0)
        fprintf(stderr, "fathom run: %s was incomplete and is removed\n", path);
}

/* The row of one vehicle, if it is due. */
static fm_status write_slot(csv_table *csv, const fm_world *world, int slot, int last, fm_error *error)
{
    uint64_t tick = fm_world_tick(world);
    csv_file *file = &csv->files[slot];
    const char *name = fm_world_name(world, slot);
    if (!name)
        return FM_OK;
    if (file->out && strcmp(name, file->name) != 0) { /* another vehicle has taken the slot */
        close_file(csv, file);
    }
    if (!file->out && open_file(csv, world, slot, error) != FM_OK)
        return FM_ERR_FILE;
    uint64_t stride = csv->stride ? csv->stride : fm_world_period(world, slot);
    if (file->written == tick + 1 || (tick % stride != 0 && !last && file->written))
        return FM_OK;
    errno = 0;
    write_row(csv, file, world, slot);
    file->written = tick + 1;
    if (!ferror(file->out))
        return FM_OK;
    csv->failed = 1;
    return fm_fail(error, FM_ERR_FILE, "--csv: %s/%s.csv: %s", csv->dir, file->name, strerror(errno));
}

/* Nothing more is written or reported after the first failure. */
static fm_status write_rows(csv_table *csv, const fm_sink *sink, int last, fm_error *error)
{
    const fm_world *world = fm_run_world(fm_sink_run(sink));
    fm_status status = FM_OK;
    for (int slot = 0; slot < csv->count && status == FM_OK && !csv->failed; slot++)
        status = write_slot(csv, world, slot, last, error);
    return status;
}

static fm_status step_csv(void *user, fm_sink *sink, fm_error *error)
{
    return write_rows(user, sink, 0, error);
}

static fm_status end_csv(void *user, fm_sink *sink, const fm_run_ending *ending, fm_error *error)
{
    (void)ending;
    csv_table *csv = user;
    fm_error late = {0};
    if (write_rows(csv, sink, 1, &late) != FM_OK)
        fprintf(stderr, "fathom run: %s\n", late.text);
    for (int slot = 0; slot < csv->count; slot++)
        close_file(csv, &csv->files[slot]);
    return csv->failed ? fm_fail(error, FM_ERR_FILE, "--csv %s: not everything could be written", csv->dir) : FM_OK;
}

static void release_csv(void *user)
{
    csv_table *csv = user;
    for (int slot = 0; slot < csv->count && csv->files; slot++) {
        if (csv->files[slot].out)
            fclose(csv->files[slot].out);
        free(csv->files[slot].row);
        free(csv->files[slot].line);
    }
    fm_free(csv->decimal);
    free(csv->files);
    free(csv);
}

fm_status cli_csv_attach(fm_run *run, const char *dir, double rate, fm_error *error)
{
    csv_table *csv = calloc(1, sizeof *csv);
    if (!csv)
        return fm_fail(error, FM_ERR_MEMORY, "--csv %s: out of memory", dir);
    csv->dir = dir;
    csv->rate = rate;
    fm_sink_config config = {.start = start_csv, .step = step_csv, .end = end_csv, .release = release_csv, .user = csv};
    return fm_run_attach(run, &config, NULL, error);
}
