#include "fish/servo_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/outfile.h"

#define DEGREE (FM_PI / 180)

static const char *const COLUMN[] = {"phase_deg",  "joint1_deg", "joint2_deg", "joint3_deg", "joint4_deg",
                                     "joint5_deg", "joint6_deg", "joint7_deg", "joint8_deg"};
enum { FILE_BYTES_MAX = 1 << 20 };
_Static_assert(sizeof COLUMN / sizeof *COLUMN == FM_FISH_JOINTS_MOST + 1, "a phase and each joint");

fm_status fm_servo_fit_phase(const fm_fish_params *wave, const fm_fish_tail *tail, double cycles, double *angle,
                             fm_error *error)
{
    fm_fish_chord chord = {0};
    double before = 0;
    const double *link = tail->link;
    for (int j = 0; j < tail->joints; j++) {
        if (!(link[j] > 0) || !isfinite(link[j]))
            return fm_fail(error, FM_ERR_RANGE, "link %d of the tail is %g m long, but must be longer than 0", j + 1,
                           link[j]);
        if (!fm_fish_fit_link(wave, link[j], cycles, &chord))
            return fm_fail(error, FM_ERR_MODEL, "link %d (%g m) does not end on the body wave at phase %g", j + 1,
                           link[j], cycles);
        angle[j] = chord.psi - before;
        before = chord.psi;
    }
    return FM_OK;
}

static fm_status check_table(const fm_fish_tail *tail, int rows, fm_error *error)
{
    if (tail->joints < 1 || tail->joints > FM_FISH_JOINTS_MOST)
        return fm_fail(error, FM_ERR_RANGE, "a tail of %d joints: must be 1 to %d", tail->joints, FM_FISH_JOINTS_MOST);
    if (rows < FM_SERVO_ROWS_MIN || rows > FM_SERVO_ROWS_MAX)
        return fm_fail(error, FM_ERR_RANGE, "a servo table of %d rows: must be %d to %d", rows, FM_SERVO_ROWS_MIN,
                       FM_SERVO_ROWS_MAX);
    return FM_OK;
}

static fm_status check_limit(double limit, fm_error *error)
{
    if (!(limit > 0) || limit > FM_PI)
        return fm_fail(error, FM_ERR_RANGE, "servo limit of %g deg: must be more than 0 up to 180", limit / DEGREE);
    return FM_OK;
}

/* An empty table of this tail. */
static fm_status begin_table(fm_servo_table *table, const fm_fish_tail *tail, int rows, double limit, fm_error *error)
{
    fm_status status = check_table(tail, rows, error);
    if (status == FM_OK)
        status = check_limit(limit, error);
    if (status == FM_OK)
        *table = (fm_servo_table){.rows = rows, .limit = limit, .tail = *tail};
    return status;
}

static fm_status check_angles(const fm_servo_table *table, int row, fm_error *error)
{
    const double *angle = table->angle + row * table->tail.joints;
    for (int j = 0; j < table->tail.joints; j++)
        if (!(fabs(angle[j]) <= table->limit))
            return fm_fail(error, FM_ERR_RANGE,
                           "row %d, joint %d of the servo table: %.3f deg is past the servo's "
                           "limit of %.3f deg",
                           row + 1, j + 1, angle[j] / DEGREE, table->limit / DEGREE);
    return FM_OK;
}

fm_status fm_servo_table_fit(fm_servo_table *table, const fm_fish_params *wave, const fm_fish_tail *tail, int rows,
                             double limit, fm_error *error)
{
    fm_status status = begin_table(table, tail, rows, limit, error);
    for (int i = 0; i < rows && status == FM_OK; i++) {
        status = fm_servo_fit_phase(wave, tail, (double)i / rows, table->angle + i * tail->joints, error);
        if (status == FM_OK)
            status = check_angles(table, i, error);
    }
    return status;
}

fm_status fm_servo_table_swing(fm_servo_table *table, const fm_fish_tail *tail, const double *swing, const double *lag,
                               int rows, double limit, fm_error *error)
{
    fm_status status = begin_table(table, tail, rows, limit, error);
    for (int i = 0; i < rows && status == FM_OK; i++) {
        for (int j = 0; j < tail->joints; j++)
            table->angle[i * tail->joints + j] = swing[j] * fm_sin(2 * FM_PI * i / rows - lag[j]);
        status = check_angles(table, i, error);
    }
    return status;
}

double fm_servo_table_reach(const fm_servo_table *table)
{
    double reach = 0, x[FM_FISH_JOINTS_MOST + 1], y[FM_FISH_JOINTS_MOST + 1];
    for (int i = 0; i < table->rows; i++) {
        fm_fish_chain(&table->tail, table->angle + i * table->tail.joints, x, y);
        reach = fmax(reach, fabs(y[table->tail.joints]));
    }
    return reach;
}

fm_status fm_servo_table_write(const fm_servo_table *table, FILE *out, fm_error *error)
{
    const int joints = table->tail.joints;
    fprintf(out,
            "# servo look-up table of a robotic fish of %d joint%s: one tail beat in %d equal steps of phase\n"
            "# angles in degrees, positive clockwise seen from above; joint 1 is the one behind the head\n"
            "# links",
            joints, joints == 1 ? "" : "s", table->rows);
    for (int j = 0; j < joints; j++)
        fprintf(out, " %.6g", table->tail.link[j]);
    fprintf(out, " m, servo limit %.6g deg\n", table->limit / DEGREE);
    for (int c = 0; c <= joints; c++)
        fprintf(out, "%s%s", COLUMN[c], c < joints ? "," : "\n");
    for (int i = 0; i < table->rows; i++) {
        fprintf(out, "%.6f", 360.0 * i / table->rows);
        for (int j = 0; j < joints; j++)
            fprintf(out, ",%.9f", table->angle[i * joints + j] / DEGREE);
        fprintf(out, "\n");
    }
    if (ferror(out))
        return fm_fail(error, FM_ERR_FILE, "the servo table cannot be written: %s", strerror(errno));
    return FM_OK;
}

fm_status fm_servo_table_save(const fm_servo_table *table, const char *path, fm_error *error)
{
    fm_outfile output;
    fm_status status = fm_outfile_open(&output, path, error);
    if (status != FM_OK)
        return status;
    status = fm_servo_table_write(table, output.file, error);
    if (status == FM_OK)
        return fm_outfile_close(&output, error);
    fm_outfile_abandon(&output);
    return status;
}

/* What the reader knows while it walks through the lines. */
typedef struct reader {
    const char *name;
    int line;                        /* of the file, from 1 */
    int rows;                        /* read so far */
    int headed;                      /* the heading line was seen */
    double phase[FM_SERVO_ROWS_MAX]; /* degrees */
    fm_servo_table *table;
    fm_error *error;
} reader;

static char *trim(char *text)
{
    while (*text == ' ' || *text == '\t')
        text++;
    size_t n = strlen(text);
    while (n > 0 && strchr(" \t\r", text[n - 1]))
        text[--n] = '\0';
    return text;
}

static fm_status read_heading(reader *r, int column, const char *cell)
{
    if (strcmp(cell, COLUMN[column]) != 0)
        return fm_fail_at(r->error, FM_ERR_SYNTAX, r->name, r->line, "column %d is headed \"%.40s\": must be \"%s\"",
                          column + 1, cell, COLUMN[column]);
    return FM_OK;
}

static fm_status read_number(reader *r, int column, const char *cell)
{
    char *end;
    double value = strtod(cell, &end);
    if (end == cell || *end != '\0')
        return fm_fail_at(r->error, FM_ERR_SYNTAX, r->name, r->line,
                          "row %d, column %d (%s): \"%.40s\" is not a number", r->rows + 1, column + 1, COLUMN[column],
                          cell);
    if (!isfinite(value))
        return fm_fail_at(r->error, FM_ERR_RANGE, r->name, r->line, "row %d, column %d (%s): \"%.40s\" is not finite",
                          r->rows + 1, column + 1, COLUMN[column], cell);
    if (column == 0) {
        r->phase[r->rows] = value;
        return FM_OK;
    }
    if (fabs(value) * DEGREE > r->table->limit * (1 + 1e-12))
        return fm_fail_at(r->error, FM_ERR_RANGE, r->name, r->line,
                          "row %d, column %d (%s): %g deg is past the servo's "
                          "limit of %g deg",
                          r->rows + 1, column + 1, COLUMN[column], value, r->table->limit / DEGREE);
    r->table->angle[r->rows * r->table->tail.joints + column - 1] = value * DEGREE;
    return FM_OK;
}

static fm_status read_line(reader *r, char *text)
{
    text = trim(text);
    if (*text == '\0' || *text == '#')
        return FM_OK;
    if (r->headed && r->rows == FM_SERVO_ROWS_MAX)
        return fm_fail_at(r->error, FM_ERR_FULL, r->name, r->line, "more than %d rows", FM_SERVO_ROWS_MAX);
    const int columns = 1 + r->table->tail.joints;
    int column = 0;
    for (char *cell = text, *next; cell; cell = next, column++) {
        next = strchr(cell, ',');
        if (next)
            *next++ = '\0';
        if (column >= columns)
            return fm_fail_at(r->error, FM_ERR_SYNTAX, r->name, r->line, "row %d has more than %d columns",
                              r->rows + r->headed, columns);
        fm_status status = r->headed ? read_number(r, column, trim(cell)) : read_heading(r, column, trim(cell));
        if (status != FM_OK)
            return status;
    }
    if (column != columns)
        return fm_fail_at(r->error, FM_ERR_SYNTAX, r->name, r->line, "row %d has %d columns: must be %d",
                          r->rows + r->headed, column, columns);
    r->rows += r->headed;
    r->headed = 1;
    return FM_OK;
}

/* Phases must step evenly through one beat. */
static fm_status check_phases(reader *r)
{
    if (r->rows < FM_SERVO_ROWS_MIN)
        return fm_fail_at(r->error, FM_ERR_RANGE, r->name, r->line, "%d rows: must be %d to %d", r->rows,
                          FM_SERVO_ROWS_MIN, FM_SERVO_ROWS_MAX);
    for (int i = 0; i < r->rows; i++)
        if (fabs(r->phase[i] - 360.0 * i / r->rows) > 0.01)
            return fm_fail_at(r->error, FM_ERR_RANGE, r->name, 0,
                              "row %d, column 1 (phase_deg): %g, but %d rows step "
                              "evenly through 360 degrees, here %g",
                              i + 1, r->phase[i], r->rows, 360.0 * i / r->rows);
    r->table->rows = r->rows;
    return FM_OK;
}

static fm_status read_lines(reader *r, char *text, size_t size)
{
    char *end = text + size;
    if (memchr(text, '\0', size))
        return fm_fail_at(r->error, FM_ERR_SYNTAX, r->name, 0, "holds a zero byte; a CSV text file is expected");
    while (text < end) {
        char *stop = memchr(text, '\n', (size_t)(end - text));
        char *next = stop ? stop + 1 : end;
        *(stop ? stop : end) = '\0';
        r->line++;
        fm_status status = read_line(r, text);
        if (status != FM_OK)
            return status;
        text = next;
    }
    return check_phases(r);
}

fm_status fm_servo_table_parse(fm_servo_table *table, const char *text, size_t size, const char *name, double limit,
                               fm_error *error)
{
    fm_status status = check_table(&table->tail, FM_SERVO_ROWS_MIN, error);
    if (status == FM_OK)
        status = check_limit(limit, error);
    if (status != FM_OK)
        return status;
    if (size > FILE_BYTES_MAX)
        return fm_fail_at(error, FM_ERR_FULL, name, 0, "%zu bytes; a servo table has at most %d", size, FILE_BYTES_MAX);
    char *copy = fm_alloc(size + 1);
    fm_servo_table *fresh = fm_alloc(sizeof *fresh);
    if (copy && fresh) {
        memcpy(copy, text, size);
        fresh->tail = table->tail;
        fresh->limit = limit;
        reader r = {.name = name, .table = fresh, .error = error};
        status = read_lines(&r, copy, size);
        if (status == FM_OK)
            *table = *fresh;
    } else {
        status = fm_fail(error, FM_ERR_MEMORY, "out of memory for a servo table");
    }
    fm_free(copy);
    fm_free(fresh);
    return status;
}

fm_status fm_servo_table_load(fm_servo_table *table, const char *path, double limit, fm_error *error)
{
    FILE *in = fopen(path, "rb");
    if (!in)
        return fm_fail_at(error, FM_ERR_FILE, path, 0, "cannot be opened: %s", strerror(errno));
    char *text = fm_alloc(FILE_BYTES_MAX + 1);
    fm_status status;
    if (!text) {
        status = fm_fail(error, FM_ERR_MEMORY, "out of memory for a servo table");
    } else {
        size_t size = fread(text, 1, FILE_BYTES_MAX + 1, in);
        if (ferror(in))
            status = fm_fail_at(error, FM_ERR_FILE, path, 0, "cannot be read: %s", strerror(errno));
        else
            status = fm_servo_table_parse(table, text, size, path, limit, error);
    }
    fm_free(text);
    fclose(in);
    return status;
}
