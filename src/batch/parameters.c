#include "batch/parameters.h"

#include <fathom/variant.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* --- types with other values --- */

/* The scenario with the values that differ from those of the model. */
static fm_model *load_with(const fm_batch *b, const double *values, fm_error *error)
{
    const fm_batch_parameters *p = &b->parameters;
    size_t *numbers = fm_alloc((p->count + 1) * sizeof *numbers), count = 0;
    double *changed = fm_alloc((p->count + 1) * sizeof *changed);
    for (size_t i = 0; numbers && changed && i < p->count; i++) {
        if (values[i] == p->nominal[i])
            continue;
        numbers[count] = p->numbers[i];
        changed[count++] = values[i];
    }
    fm_model *model = numbers && changed ? fm_model_variant(b->types[0].model, numbers, changed, count, error) : NULL;
    if (!numbers || !changed)
        fm_fail(error, FM_ERR_MEMORY, "no memory for %zu parameters", p->count);
    fm_free(numbers);
    fm_free(changed);
    return model;
}

/* The vehicle with these values, as in a model loaded with them. */
static fm_status derive_type(const fm_batch *b, const double *values, fm_batch_type *type, fm_error *error)
{
    *type = (fm_batch_type){0};
    fm_model *model = load_with(b, values, error);
    if (!model)
        return error->status;
    fm_status status = fm_batch_make_type(b, type, model, b->types[0].placement->name, error);
    if (status == FM_OK && !fm_flat_alike(b->types[0].flat, type->flat))
        status = fm_fail(error, FM_ERR_MODEL, "the value changes the structure of the vehicle, not only its numbers");
    if (status == FM_OK)
        status = fm_batch_begin_type(b, type, error);
    if (status == FM_OK && !(type->values = fm_alloc((b->parameters.count + 1) * sizeof *values)))
        status = fm_fail(error, FM_ERR_MEMORY, "no memory for a variant");
    if (status == FM_OK)
        memcpy(type->values, values, b->parameters.count * sizeof *values);
    else
        fm_batch_free_type(type);
    type->model = NULL;
    type->placement = NULL;
    fm_model_free(model);
    return status;
}

/* --- rows --- */

/* Whether a type differs from the first in data that a reset or a step reads; a reset keeps the current. */
static int differs(const fm_batch *b, const fm_batch_type *type)
{
    size_t size = fm_batch_number_size(b), after = b->rows.current + 3;
    const char *x = b->types[0].start, *y = type->start;
    return memcmp(b->types[0].flat, type->flat, type->flat->bytes) || memcmp(x, y, b->rows.current * size) ||
           memcmp(x + after * size, y + after * size, (b->rows.count - after) * size);
}

/* Refuses a parameter that a batch cannot vary: tries a value next to that of the model, above or below it. */
static fm_status try_parameter(const fm_batch *b, size_t row, fm_error *error)
{
    const fm_batch_parameters *p = &b->parameters;
    const double nominal = p->nominal[row], step = nominal != 0 ? 1e-3 * fabs(nominal) : 1e-3;
    fm_error why = {0}, inner = {0};
    fm_status status = FM_ERR_RANGE;
    double *values = fm_alloc(p->count * sizeof *values);
    if (!values)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %zu parameters", p->count);
    memcpy(values, p->nominal, p->count * sizeof *values);
    fm_batch_type type = {0};
    for (int side = 1; side >= -1 && status != FM_OK && status != FM_ERR_MEMORY; side -= 2) {
        values[row] = nominal + side * step;
        status = derive_type(b, values, &type, &inner);
        if (why.status == FM_OK || why.status == FM_ERR_RANGE)
            why = inner;
    }
    int same = status == FM_OK && !differs(b, &type);
    fm_free(values);
    fm_batch_free_type(&type);
    if (status != FM_OK)
        return fm_fail(error, why.status, "a batch cannot vary '%.200s': %s", p->paths[row], why.text);
    return same ? fm_fail(error, FM_ERR_MODEL, "a batch cannot vary '%.200s': it has no effect on the vehicle",
                          p->paths[row])
                : FM_OK;
}

static fm_status allocate_rows(fm_batch *b, size_t count, fm_error *error)
{
    fm_batch_parameters *p = &b->parameters;
    p->paths = fm_arena_alloc(&b->arena, count * sizeof *p->paths);
    p->units = fm_arena_alloc(&b->arena, count * sizeof *p->units);
    p->numbers = fm_arena_alloc(&b->arena, count * sizeof *p->numbers);
    p->nominal = fm_arena_alloc(&b->arena, count * sizeof *p->nominal);
    p->values = fm_arena_alloc(&b->arena, count * b->count * sizeof *p->values);
    p->count = p->paths && p->units && p->numbers && p->nominal && p->values ? count : 0;
    return p->count ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for %zu parameters", count);
}

fm_status fm_batch_list_parameters(fm_batch *b, const fm_batch_options *o, fm_error *error)
{
    fm_batch_parameters *p = &b->parameters;
    const fm_model *model = b->types[0].model;
    if (o->parameter_count == 0)
        return FM_OK;
    if (!o->parameters)
        return fm_fail(error, FM_ERR_ARGUMENT, "parameters must not be NULL: parameter_count is %zu",
                       o->parameter_count);
    if (o->variant_count)
        return fm_fail(error, FM_ERR_ARGUMENT,
                       "a batch has variants or parameters, not both: fm_batch_refresh makes "
                       "variants of the values of the parameters");
    fm_status status = allocate_rows(b, o->parameter_count, error);
    for (size_t i = 0; i < p->count && status == FM_OK; i++) {
        if (!o->parameters[i])
            return fm_fail(error, FM_ERR_ARGUMENT, "the path of a parameter must not be NULL");
        status = fm_model_param_find(model, o->parameters[i], &p->numbers[i], error);
        if (status != FM_OK)
            return status;
        const fm_number_info info = fm_model_number(model, p->numbers[i]);
        p->nominal[i] = info.value;
        p->paths[i] = fm_arena_text(&b->arena, o->parameters[i]);
        p->units[i] = fm_arena_text(&b->arena, info.unit);
        if (!p->paths[i] || !p->units[i])
            return fm_fail(error, FM_ERR_MEMORY, "no memory for names");
        for (size_t k = 0; k < b->count; k++)
            p->values[i * b->count + k] = p->nominal[i];
    }
    for (size_t i = 0; i < p->count && status == FM_OK; i++)
        status = try_parameter(b, i, error);
    return status;
}

/* --- columns become variants --- */

typedef struct column {
    const double *values;
    size_t bytes, vehicle;
} column;

static int compare_columns(const void *left, const void *right)
{
    const column *a = left, *b = right;
    const int differ = memcmp(a->values, b->values, a->bytes);
    return differ ? differ : (a->vehicle > b->vehicle) - (a->vehicle < b->vehicle);
}

static int compare_type(const void *key, const void *type)
{
    const column *c = key;
    return memcmp(c->values, ((const fm_batch_type *)type)->values, c->bytes);
}

/* Working data of a refresh. Types after the first are sorted by their values. */
typedef struct refresh {
    double *values;  /* [vehicle][row] */
    column *columns; /* sorted */
    fm_batch_type *types;
    size_t type_count;
    unsigned char *kept; /* of the batch's types: whether it is kept */
    unsigned char *made; /* of the new types: whether this refresh derived it */
    uint32_t *variants;
} refresh;

static fm_status sort_columns(const fm_batch *b, refresh *r, fm_error *error)
{
    const fm_batch_parameters *p = &b->parameters;
    r->values = fm_alloc(b->count * p->count * sizeof *r->values);
    r->columns = fm_alloc(b->count * sizeof *r->columns);
    r->types = fm_alloc((b->count + 1) * sizeof *r->types);
    r->kept = fm_alloc(b->type_count);
    r->made = fm_alloc(b->count + 1);
    r->variants = fm_alloc(b->stride * sizeof *r->variants);
    if (!r->values || !r->columns || !r->types || !r->kept || !r->made || !r->variants)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the parameters of %zu vehicles", b->count);
    for (size_t i = 0; i < b->count; i++) {
        for (size_t k = 0; k < p->count; k++)
            r->values[i * p->count + k] = p->values[k * b->count + i];
        r->columns[i] = (column){r->values + i * p->count, p->count * sizeof *r->values, i};
    }
    qsort(r->columns, b->count, sizeof *r->columns, compare_columns);
    return FM_OK;
}

static fm_status name_column(const fm_batch *b, const column *c, const fm_error *why, fm_error *error)
{
    const fm_batch_parameters *p = &b->parameters;
    size_t row = 0;
    while (row + 1 < p->count && c->values[row] == p->nominal[row])
        row++;
    return fm_fail(error, why->status, "vehicle %zu, '%.200s' %g %s: %s", c->vehicle, p->paths[row], c->values[row],
                   p->units[row], why->text);
}

/* The type of a column: the one that already has these values, or a new one. */
static fm_status add_column_type(const fm_batch *b, refresh *r, const column *c, fm_error *error)
{
    fm_batch_type *old = bsearch(c, b->types + 1, b->type_count - 1, sizeof *old, compare_type),
                  *type = &r->types[r->type_count];
    fm_error inner = {0};
    if (old) {
        *type = *old;
        r->kept[old - b->types] = 1;
    } else if (derive_type(b, c->values, type, &inner) != FM_OK)
        return name_column(b, c, &inner, error);
    r->made[r->type_count++] = !old;
    return FM_OK;
}

static fm_status make_types(const fm_batch *b, refresh *r, fm_error *error)
{
    const fm_batch_parameters *p = &b->parameters;
    fm_status status = FM_OK;
    r->types[0] = b->types[0];
    r->kept[0] = 1;
    r->type_count = 1;
    for (size_t i = 0; i < b->count && status == FM_OK; i++) {
        const column *c = &r->columns[i];
        int same = i > 0 && memcmp(c->values, c[-1].values, c->bytes) == 0;
        int first = memcmp(c->values, p->nominal, c->bytes) == 0;
        if (!same && !first)
            status = add_column_type(b, r, c, error);
        r->variants[c->vehicle] = first ? 0 : (uint32_t)r->type_count - 1;
    }
    return status;
}

/* Replaces the types of the batch; types that no vehicle uses any more are destroyed. */
static fm_status use_types(fm_batch *b, refresh *r, fm_error *error)
{
    fm_status status = fm_batch_copy(b, b->variants, r->variants, b->stride * sizeof *r->variants, error);
    for (size_t i = 0; i < b->type_count; i++)
        if (!r->kept[i])
            fm_batch_free_type(&b->types[i]);
    fm_free(b->types);
    b->types = r->types;
    b->type_count = r->type_count;
    r->types = NULL;
    return status == FM_OK ? fm_batch_build_types(b, error) : status;
}

/* Destroys types that the batch has not taken over. */
static void end_refresh(refresh *r)
{
    for (size_t i = 0; r->types && i < r->type_count; i++)
        if (r->made[i])
            fm_batch_free_type(&r->types[i]);
    void *const all[] = {r->values, r->columns, r->types, r->kept, r->made, r->variants};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        fm_free(all[i]);
}

fm_status fm_batch_take_parameters(fm_batch *b, fm_error *error)
{
    refresh r = {0};
    fm_status status = sort_columns(b, &r, error);
    if (status == FM_OK)
        status = make_types(b, &r, error);
    if (status == FM_OK)
        status = fm_batch_reserve_types(b, r.type_count, error);
    if (status == FM_OK)
        status = use_types(b, &r, error);
    end_refresh(&r);
    return status;
}
