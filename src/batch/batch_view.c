/* The arrays of a batch. */
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "batch/batch.h"

typedef struct field_view {
    void *data;
    size_t rows, columns, stride; /* elements */
    int code, bits;               /* DLPack */
    int host;                     /* in the memory of the processor, wherever the batch is */
} field_view;

/* Which rows of the table. */
static int table_rows(const fm_batch *b, fm_batch_field field, uint32_t *first, uint32_t *count)
{
    const fm_batch_rows *r = &b->rows;
    switch (field) {
    case FM_BATCH_STATE: return *first = r->state, *count = 13, 1;
    case FM_BATCH_ORDERS: return *first = r->orders, *count = r->actuators, 1;
    case FM_BATCH_OBSERVATIONS: return *first = r->observation, *count = FM_BATCH_POSE + r->actuators, 1;
    case FM_BATCH_CURRENT: return *first = r->current, *count = 3, 1;
    case FM_BATCH_FAULTS: return *first = r->faults, *count = 3 * r->actuators, 1;
    case FM_BATCH_METRICS: return *first = r->tally, *count = 4, 1;
    case FM_BATCH_BAD: return *first = r->bad, *count = 1, 1;
    case FM_BATCH_CHARGE: return *first = r->charge, *count = 1, 1;
    default: return 0;
    }
}

static fm_status find_field(const fm_batch *b, fm_batch_field field, field_view *p, fm_error *error)
{
    uint32_t first, count;
    if (!b)
        return fm_fail(error, FM_ERR_ARGUMENT, "batch must not be NULL");
    *p = (field_view){.rows = 1, .columns = b->count, .stride = b->stride, .code = 1, .bits = 64};
    if (table_rows(b, field, &first, &count)) {
        p->data = (char *)b->numbers + first * b->stride * fm_batch_number_size(b);
        p->rows = count;
        p->code = 2;
        p->bits = b->single ? 32 : 64;
        return FM_OK;
    }
    switch (field) {
    case FM_BATCH_SEEDS: p->data = b->seeds; return FM_OK;
    case FM_BATCH_AGES: p->data = b->ages; return FM_OK;
    case FM_BATCH_VARIANTS:
        p->data = b->variants;
        p->bits = 32;
        return FM_OK;
    case FM_BATCH_PARAMETERS:
        *p = (field_view){b->parameters.values, b->parameters.count, b->count, b->count, 2, 64, 1};
        return FM_OK;
    case FM_BATCH_EPISODES:
        p->data = b->episodes;
        p->bits = 32;
        return FM_OK;
    default: return fm_fail(error, FM_ERR_ARGUMENT, "%d is no field of a batch", (int)field);
    }
}

fm_status fm_batch_map(fm_batch *b, fm_batch_field field, fm_batch_view *view, fm_error *error)
{
    field_view p;
    fm_status status =
        view ? find_field(b, field, &p, error) : fm_fail(error, FM_ERR_ARGUMENT, "view must not be NULL");
    if (status != FM_OK)
        return status;
    *view = (fm_batch_view){.data = p.data,
                            .device_type = b->lanes || p.host ? 1 : 2,
                            .type_code = p.code,
                            .type_bits = p.bits,
                            .dimensions = 2,
                            .shape = {(int64_t)p.rows, (int64_t)p.columns},
                            .strides = {(int64_t)p.stride, 1}};
    return FM_OK;
}

/* --- arrays for others --- */

/* What an exported array keeps. */
typedef struct exported {
    fm_dl_array array;
    int64_t shape[2], strides[2];
} exported;

static void end_export(fm_dl_array *array)
{
    fm_batch_free(array->manager);
    fm_free(array);
}

fm_dl_array *fm_batch_export(fm_batch *b, fm_batch_field field, fm_error *error)
{
    fm_batch_view view;
    if (fm_batch_map(b, field, &view, error) != FM_OK)
        return NULL;
    exported *e = fm_alloc(sizeof *e);
    if (!e) {
        fm_fail(error, FM_ERR_MEMORY, "no memory for an array");
        return NULL;
    }
    memcpy(e->shape, view.shape, sizeof e->shape);
    memcpy(e->strides, view.strides, sizeof e->strides);
    atomic_fetch_add(&b->references, 1);
    e->array = (fm_dl_array){.major = 1,
                             .manager = b,
                             .deleter = end_export,
                             .flags = field == FM_BATCH_OBSERVATIONS || field == FM_BATCH_METRICS ? FM_DL_READ_ONLY : 0,
                             .tensor = {.data = view.data,
                                        .device_type = view.device_type,
                                        .device_id = view.device_id,
                                        .ndim = 2,
                                        .code = (uint8_t)view.type_code,
                                        .bits = (uint8_t)view.type_bits,
                                        .lanes = 1,
                                        .shape = e->shape,
                                        .strides = e->strides}};
    return &e->array;
}

/* --- copies in double --- */

static double read_element(const field_view *p, const void *row, size_t i)
{
    if (p->code == 2)
        return p->bits == 32 ? (double)((const float *)row)[i] : ((const double *)row)[i];
    return p->bits == 32 ? (double)((const uint32_t *)row)[i] : (double)((const uint64_t *)row)[i];
}

static void write_element(const field_view *p, void *row, size_t i, double value)
{
    if (p->code == 2 && p->bits == 32)
        ((float *)row)[i] = (float)value;
    else if (p->code == 2)
        ((double *)row)[i] = value;
    else if (p->bits == 32)
        ((uint32_t *)row)[i] = value > 0 ? (uint32_t)value : 0;
    else
        ((uint64_t *)row)[i] = value > 0 ? (uint64_t)value : 0;
}

/* Copies row by row through `row`; `put`: into the batch. */
static fm_status move_rows(fm_batch *b, const field_view *p, double *get, const double *put, void *row, fm_error *error)
{
    size_t size = (size_t)p->bits / 8;
    fm_status status = FM_OK;
    for (size_t r = 0; r < p->rows && status == FM_OK; r++) {
        char *at = (char *)p->data + r * p->stride * size;
        if (get && p->host)
            memcpy(row, at, p->columns * size);
        else if (get)
            status = fm_batch_copy(b, row, at, p->columns * size, error);
        for (size_t i = 0; i < p->columns && get; i++)
            get[r * p->columns + i] = read_element(p, row, i);
        for (size_t i = 0; i < p->columns && put; i++)
            write_element(p, row, i, put[r * p->columns + i]);
        if (put && p->host)
            memcpy(at, row, p->columns * size);
        else if (put)
            status = fm_batch_copy(b, at, row, p->columns * size, error);
    }
    return status;
}

static fm_status move_field(fm_batch *b, fm_batch_field field, double *get, const double *put, fm_error *error)
{
    field_view p;
    fm_status status =
        get || put ? find_field(b, field, &p, error) : fm_fail(error, FM_ERR_ARGUMENT, "array must not be NULL");
    if (status != FM_OK)
        return status;
    void *row = fm_alloc(p.columns * 8);
    if (!row)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a row");
    status = move_rows(b, &p, get, put, row, error);
    fm_free(row);
    return status;
}

fm_status fm_batch_get(fm_batch *batch, fm_batch_field field, double *values, fm_error *error)
{
    return move_field(batch, field, values, NULL, error);
}

fm_status fm_batch_put(fm_batch *batch, fm_batch_field field, const double *values, fm_error *error)
{
    return move_field(batch, field, NULL, values, error);
}

fm_status fm_batch_put_seeds(fm_batch *b, const uint64_t *seeds, fm_error *error)
{
    if (!b || !seeds)
        return fm_fail(error, FM_ERR_ARGUMENT, "batch and seeds must not be NULL");
    return fm_batch_copy(b, b->seeds, seeds, b->count * sizeof *seeds, error);
}

/* Reads or writes a row of the table. */
static fm_status move_row(fm_batch *b, uint32_t row, double *to, const double *from, fm_error *error)
{
    size_t size = fm_batch_number_size(b);
    field_view p = {(char *)b->numbers + row * b->stride * size, 1, b->count, b->stride, 2, (int)size * 8, 0};
    void *room = fm_alloc(p.columns * 8);
    if (!room)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a row");
    fm_status status = move_rows(b, &p, to, from, room, error);
    fm_free(room);
    return status;
}

fm_status fm_batch_get_row(fm_batch *b, uint32_t row, double *values, fm_error *error)
{
    return move_row(b, row, values, NULL, error);
}

fm_status fm_batch_put_row(fm_batch *b, uint32_t row, const double *values, fm_error *error)
{
    return move_row(b, row, NULL, values, error);
}

fm_status fm_batch_fill(fm_batch *b, uint32_t row, size_t first, size_t count, double value, fm_error *error)
{
    size_t size = fm_batch_number_size(b);
    field_view p = {NULL, 1, count, count, 2, (int)size * 8, 0};
    void *room = fm_alloc(count * size);
    if (!room)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a row");
    for (size_t i = 0; i < count; i++)
        write_element(&p, room, i, value);
    fm_status status =
        fm_batch_copy(b, (char *)b->numbers + (row * b->stride + first) * size, room, count * size, error);
    fm_free(room);
    return status;
}

/* --- names --- */

const char *fm_batch_row_name(const fm_batch *b, fm_batch_field field, size_t row)
{
    static const char *const state[] = {"x", "y", "z", "q0", "q1", "q2", "q3", "u", "v", "w", "p", "q", "r"};
    static const char *const seen[] = {"x", "y", "z", "phi", "theta", "psi", "u", "v", "w", "p", "q", "r"};
    static const char *const current[] = {"north", "east", "down"};
    static const char *const metrics[] = {"distance", "max_depth", "max_speed_squared", "peak_sine_pitch"};
    static const char *const single[] = {"bad", "charge", "seed", "age", "variant"};
    field_view p;
    if (!b || find_field(b, field, &p, NULL) != FM_OK || row >= p.rows)
        return NULL;
    switch (field) {
    case FM_BATCH_STATE: return state[row];
    case FM_BATCH_ORDERS: return b->names[row];
    case FM_BATCH_OBSERVATIONS: return row < FM_BATCH_POSE ? seen[row] : b->names[row - FM_BATCH_POSE];
    case FM_BATCH_CURRENT: return current[row];
    case FM_BATCH_FAULTS: return b->names[row / 3];
    case FM_BATCH_METRICS: return metrics[row];
    case FM_BATCH_PARAMETERS: return b->parameters.paths[row];
    case FM_BATCH_EPISODES: return "episode";
    default: return single[field - FM_BATCH_BAD];
    }
}

const char *fm_batch_row_unit(const fm_batch *b, fm_batch_field field, size_t row)
{
    return fm_batch_row_name(b, field, row) && field == FM_BATCH_PARAMETERS ? b->parameters.units[row] : NULL;
}

fm_status fm_batch_find_row(const fm_batch *b, fm_batch_field field, const char *name, size_t *row, fm_error *error)
{
    const char *found;
    if (!b || !name || !row)
        return fm_fail(error, FM_ERR_ARGUMENT, "batch, name and row must not be NULL");
    for (*row = 0; (found = fm_batch_row_name(b, field, *row)); ++*row)
        if (fm_text_name_equal(found, name))
            return FM_OK;
    return fm_fail(error, FM_ERR_NAME,
                   field == FM_BATCH_PARAMETERS ? "'%.200s' is not a parameter of this batch: name "
                                                  "it in fm_batch_options.parameters"
                                                : "no row '%.200s' in this array of the batch",
                   name);
}

size_t fm_batch_count(const fm_batch *batch)
{
    return batch ? batch->count : 0;
}

double fm_batch_dt(const fm_batch *batch)
{
    return batch ? batch->dt : 0;
}

const char *fm_batch_describe(const fm_batch *batch)
{
    return batch ? batch->text : "";
}
