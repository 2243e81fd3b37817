#include "telemetry/layout.h"
#include "telemetry/frames.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "telemetry/layout_frame.h"
#include "telemetry/layout_names.h"

enum { COLUMNS_MAX = 100000, NODES_BYTES = 16 << 20 }; /* of a layout; bytes that its fields may take */

/* One field in its context. */
typedef struct fm_layout_node {
    const fm_field *field; /* NULL at the root */
    const char *unit;
    const char *path; /* without indices, for messages about left-out fields */
    struct fm_layout_node *children;
    size_t child_count;
    size_t most;    /* longest sequence seen; the count of an array */
    size_t first;   /* first column within an item of the parent */
    size_t columns; /* of one item */
    int left_out;
    int frames;                               /* of a frame_id: FM_FRAMES_… that were measured */
    enum { PLAIN, NAMES, UNITS, NAMED } role; /* if items have names: the list of names, and the values it names */
} fm_layout_node;

static fm_status no_memory(fm_error *error)
{
    return fm_fail(error, FM_ERR_MEMORY, "out of memory for a layout");
}

/* --- building ------------------------------------------------------------------------------------------------------
 */

static const char *join(fm_arena *arena, const char *path, const char *name)
{
    size_t length = strlen(path) + strlen(name) + 2;
    char *joined = fm_arena_alloc(arena, length);
    if (joined)
        snprintf(joined, length, "%s%s%s", path, path[0] ? "." : "", name);
    return joined;
}

static fm_status build(fm_layout *layout, const fm_message *type, fm_layout_node *node, fm_error *error)
{
    node->children = fm_arena_alloc(&layout->arena, (type->field_count + 1) * sizeof *node->children);
    if (!node->children)
        return no_memory(error);
    for (size_t i = 0; i < type->field_count; i++) {
        const fm_field *field = &type->fields[i];
        if (field->shape == FM_SHAPE_CONSTANT)
            continue;
        fm_layout_node *child = &node->children[node->child_count++];
        child->field = field;
        child->unit = field->unit[0] ? field->unit : node->unit;
        child->most = field->shape == FM_SHAPE_SEQUENCE ? 0 : field->count;
        if (layout->arena.used > NODES_BYTES)
            return fm_fail(error, FM_ERR_RANGE, "the message has too many fields or too long names");
        child->path = join(&layout->arena, node->path, field->name);
        if (!child->path)
            return no_memory(error);
        fm_status status = field->message ? build(layout, field->message, child, error) : FM_OK;
        if (status != FM_OK)
            return status;
    }
    return FM_OK;
}

static int is_sequence_of(const fm_layout_node *node, int text)
{
    return node->field->shape == FM_SHAPE_SEQUENCE && !node->field->message &&
           (node->field->type == FM_FIELD_string) == text;
}

/* A list of names precedes the numbers that it names, at the top level of a message. */
static fm_status find_names(fm_layout *layout, fm_error *error)
{
    fm_layout_node *root = layout->root, *names = NULL;
    for (size_t i = 0; i < root->child_count; i++) {
        fm_layout_node *child = &root->children[i];
        const char *name = child->field->name;
        if (!names && is_sequence_of(child, 1) && (!strcmp(name, "names") || !strcmp(name, "name")))
            names = child;
        else if (names && is_sequence_of(child, 1) && !strcmp(name, "units"))
            child->role = UNITS;
        else if (names && is_sequence_of(child, 0))
            child->role = NAMED, names->role = NAMES;
    }
    if (!names || names->role != NAMES)
        return FM_OK;
    layout->names = fm_arena_alloc(&layout->arena, sizeof *layout->names);
    return layout->names ? FM_OK : no_memory(error);
}

fm_status fm_layout_init(fm_layout *layout, const fm_message *type, fm_error *error)
{
    *layout = (fm_layout){0};
    layout->root = fm_arena_alloc(&layout->arena, sizeof *layout->root);
    if (!layout->root)
        return no_memory(error);
    layout->root->unit = "";
    layout->root->path = "";
    layout->root->most = 1;
    fm_status status = build(layout, type, layout->root, error);
    if (status == FM_OK)
        status = find_names(layout, error);
    if (status != FM_OK)
        fm_layout_free(layout);
    return status;
}

void fm_layout_free(fm_layout *layout)
{
    fm_arena_free(&layout->arena);
    *layout = (fm_layout){0};
}

/* --- walking a message ---------------------------------------------------------------------------------------------
 */

typedef struct walker {
    const uint8_t *body;
    size_t at, size;
    fm_cell *row;           /* NULL while measuring */
    fm_layout_names *names; /* NULL: items are numbered */
    fm_arena *arena;
    fm_error *error;
} walker;

static fm_status ends_within(const walker *w, const fm_layout_node *node)
{
    return fm_fail(w->error, FM_ERR_SYNTAX, "the message of %zu bytes ends within the field '%s'", w->size + 4,
                   node->path);
}

static const uint8_t *take(walker *w, size_t align, size_t bytes)
{
    size_t start = (w->at + align - 1) & ~(align - 1);
    if (start > w->size || bytes > w->size - start)
        return NULL;
    w->at = start + bytes;
    return w->body + start;
}

static void set_cell(fm_cell *cell, fm_field_type type, const uint8_t *from)
{
    int16_t i16;
    uint16_t u16;
    int32_t i32;
    uint32_t u32;
    cell->kind = FM_CELL_INT;
    switch (type) {
    case FM_FIELD_bool:
    case FM_FIELD_byte:
    case FM_FIELD_uint8: cell->value.integer = *from; break;
    case FM_FIELD_int8: cell->value.integer = (int8_t)*from; break;
    case FM_FIELD_int16:
        memcpy(&i16, from, 2);
        cell->value.integer = i16;
        break;
    case FM_FIELD_uint16:
        memcpy(&u16, from, 2);
        cell->value.integer = u16;
        break;
    case FM_FIELD_int32:
        memcpy(&i32, from, 4);
        cell->value.integer = i32;
        break;
    case FM_FIELD_uint32:
        memcpy(&u32, from, 4);
        cell->value.integer = u32;
        break;
    case FM_FIELD_int64: memcpy(&cell->value.integer, from, 8); break;
    case FM_FIELD_uint64:
        cell->kind = FM_CELL_UINT;
        memcpy(&cell->value.natural, from, 8);
        break;
    case FM_FIELD_float32:
        cell->kind = FM_CELL_REAL;
        memcpy(&cell->single, from, 4);
        cell->value.real = cell->single;
        break;
    case FM_FIELD_float64:
        cell->kind = FM_CELL_REAL;
        memcpy(&cell->value.real, from, 8);
        break;
    default: break;
    }
}

static fm_status take_text(walker *w, const fm_layout_node *node, const char **text, size_t *text_length)
{
    uint32_t length;
    const uint8_t *from = take(w, 4, 4);
    if (!from)
        return ends_within(w, node);
    memcpy(&length, from, 4);
    from = take(w, 1, length);
    if (!from)
        return ends_within(w, node);
    *text = (const char *)from;
    *text_length = length > 0 && from[length - 1] == 0 ? length - 1u : length;
    return FM_OK;
}

static fm_status walk_text(walker *w, fm_layout_node *node, size_t column, int keep)
{
    const char *text;
    size_t length;
    fm_status status = take_text(w, node, &text, &length);
    if (status == FM_OK && !w->row && strcmp(node->field->name, "frame_id") == 0)
        node->frames |= fm_frame_is_world(text, length) ? FM_FRAMES_WORLD : FM_FRAMES_BODY;
    if (status == FM_OK && keep) {
        w->row[column].kind = FM_CELL_TEXT;
        w->row[column].value.text.start = text;
        w->row[column].value.text.length = length;
    }
    return status;
}

/* Names and units of the items; they take no columns of their own. */
static fm_status walk_names(walker *w, const fm_layout_node *node, size_t count)
{
    const char *text;
    size_t length;
    fm_status status = FM_OK;
    for (size_t i = 0; i < count && status == FM_OK; i++) {
        status = take_text(w, node, &text, &length);
        if (status == FM_OK &&
            !(node->role == NAMES ? fm_layout_names_next(w->names, w->arena, text, length, !w->row)
                                  : w->row || fm_layout_names_unit(w->names, w->arena, i, text, length)))
            status = no_memory(w->error);
    }
    return status;
}

static fm_status walk_message(walker *w, fm_layout_node *node, size_t column, int keep);

static fm_status walk_items(walker *w, fm_layout_node *node, size_t count, size_t column, int keep)
{
    fm_field_type type = node->field->type;
    size_t size = fm_field_size(type);
    fm_status status = FM_OK;
    if (size == 0) {
        for (size_t i = 0; i < count && status == FM_OK; i++, column += node->columns)
            status = type == FM_FIELD_string ? walk_text(w, node, column, keep) : walk_message(w, node, column, keep);
        return status;
    }
    const uint8_t *from = count <= w->size ? take(w, count > 0 ? size : 1, size * count) : NULL;
    if (!from)
        return ends_within(w, node);
    for (size_t i = 0; i < count && keep; i++) {
        long index = node->role == NAMED ? fm_layout_names_index(w->names, i) : (long)i;
        if (index >= 0 && (size_t)index < node->most)
            set_cell(&w->row[column + (size_t)index], type, from + i * size);
    }
    return FM_OK;
}

static fm_status walk_field(walker *w, fm_layout_node *node, size_t column, int keep)
{
    size_t count = node->field->count;
    keep = keep && !node->left_out;
    if (node->field->shape == FM_SHAPE_SEQUENCE) {
        uint32_t length;
        const uint8_t *from = take(w, 4, 4);
        if (!from)
            return ends_within(w, node);
        memcpy(&length, from, 4);
        count = length;
        if (count > w->size - w->at) /* every item takes a byte or more */
            return ends_within(w, node);
        if (!w->row && count > node->most)
            node->most = count;
        if (w->row && keep && count > node->most)
            return fm_fail(w->error, FM_ERR_ARGUMENT, "the field '%s' is longer than any measured message", node->path);
        if (node->role == NAMES || node->role == UNITS)
            return walk_names(w, node, count);
        if (!w->row && node->role == NAMED && count > w->names->index_count + w->names->unnamed)
            w->names->unnamed = count - w->names->index_count;
    }
    return walk_items(w, node, count, column, keep);
}

static fm_status walk_message(walker *w, fm_layout_node *node, size_t column, int keep)
{
    fm_status status = FM_OK;
    if (node->child_count == 0 && !take(w, 1, 1)) /* ROS encodes an empty message as one byte */
        return ends_within(w, node);
    for (size_t i = 0; i < node->child_count && status == FM_OK; i++)
        status = walk_field(w, &node->children[i], column + node->children[i].first, keep);
    return status;
}

static fm_status walk(const fm_layout *layout, fm_arena *arena, const void *data, size_t size, fm_cell *row,
                      fm_error *error)
{
    const uint8_t *bytes = data;
    if (size < 4 || bytes[0] != 0 || bytes[1] != 1)
        return fm_fail(error, FM_ERR_SYNTAX, "not a little-endian CDR message (one starts with 00 01 00 00)");
    walker w = {bytes + 4, 0, size - 4, row, layout->names, arena, error};
    if (w.names)
        fm_layout_names_begin(w.names);
    return walk_message(&w, layout->root, 0, row != NULL);
}

fm_status fm_layout_measure(fm_layout *layout, const void *data, size_t size, fm_error *error)
{
    return walk(layout, &layout->arena, data, size, NULL, error);
}

fm_status fm_layout_read(const fm_layout *layout, const void *data, size_t size, fm_cell *row, fm_error *error)
{
    fm_cell *whole = layout->picks ? layout->whole : row;
    const size_t count = layout->picks ? layout->whole_count : layout->count;
    for (size_t i = 0; i < count; i++)
        whole[i].kind = FM_CELL_EMPTY;
    fm_status status = walk(layout, NULL, data, size, whole, error);
    if (status == FM_OK && layout->turn_count)
        fm_layout_turn_row(layout->turns, layout->turn_count, whole);
    if (status == FM_OK && layout->picks)
        fm_layout_pick_row(layout, row);
    return status;
}

/* --- columns -------------------------------------------------------------------------------------------------------
 */

/* Decides what items are called: the names met in messages, or numbers if there are too many names. */
static fm_status settle_names(fm_layout *layout, fm_error *error)
{
    fm_layout_names *names = layout->names;
    size_t most = 0;
    for (size_t i = 0; names && i < layout->root->child_count; i++) {
        fm_layout_node *child = &layout->root->children[i];
        most = child->role == NAMES ? child->most : most;
        child->role = names->off ? PLAIN : child->role;
        if (child->role == NAMED && child->most)
            child->most = names->count + names->unnamed;
    }
    if (!names || names->off) {
        layout->names = NULL;
        return FM_OK;
    }
    names->index = fm_arena_alloc(&layout->arena, (most + 1) * sizeof *names->index);
    names->index_room = most + 1;
    return names->index ? FM_OK : no_memory(error);
}

/* Sets first, columns and left_out below a node; counts what is left out. */
static size_t assign(fm_layout_node *node, size_t max_columns, size_t *left_out)
{
    size_t total = 0;
    for (size_t i = 0; i < node->child_count; i++) {
        fm_layout_node *child = &node->children[i];
        child->first = total;
        int value = !child->field->message && child->role != NAMES && child->role != UNITS;
        child->columns = child->child_count > 0 ? assign(child, max_columns, left_out) : value ? 1 : 0;
        size_t all = child->columns > 0 && child->most > max_columns / child->columns ? max_columns + 1
                                                                                      : child->columns * child->most;
        child->left_out = all > max_columns;
        *left_out += child->left_out ? 1 : 0;
        total += child->left_out ? 0 : all;
    }
    return total;
}

typedef struct naming {
    fm_layout *layout;
    fm_layout_column *columns;
    const char **left_out;
    size_t at, left_at;
} naming;

static fm_status name_columns(naming *n, const fm_layout_node *node, const char *path, fm_error *error);

/* Item i of a sequence: "rudder-top" of values, "rudder-top.orders" of others, or "values[3]" without a name. */
static const char *item_name(naming *n, const fm_layout_node *node, const char *base, size_t i)
{
    const fm_layout_names *names = node->role == NAMED ? n->layout->names : NULL;
    const fm_layout_name *item = names && i < names->count ? &names->items[i] : NULL;
    size_t number = names && !item ? i - names->count : i, length = strlen(base) + (item ? strlen(item->name) : 0) + 32;
    char *made = fm_arena_alloc(&n->layout->arena, length), again[24] = "";
    if (!made)
        return NULL;
    if (item && item->again)
        snprintf(again, sizeof again, "#%zu", item->again + 1);
    int alone = strcmp(node->field->name, "values") == 0;
    if (item && item->name[0])
        snprintf(made, length, "%s%s%s%s", item->name, again, alone ? "" : ".", alone ? "" : base);
    else
        snprintf(made, length, "%s[%zu]", base, number);
    return made;
}

static const char *item_unit(const naming *n, const fm_layout_node *node, size_t i)
{
    const fm_layout_names *names = node->role == NAMED ? n->layout->names : NULL;
    return names && i < names->count && names->items[i].unit[0] ? names->items[i].unit : node->unit;
}

static fm_status name_field(naming *n, const fm_layout_node *parent, const fm_layout_node *node, const char *path,
                            fm_error *error)
{
    const fm_message *within = parent->field ? parent->field->message : NULL;
    int in_stamp = within && !strcmp(within->package, "builtin_interfaces");
    const char *base = join(&n->layout->arena, path, node->field->name);
    fm_status status = base ? FM_OK : no_memory(error);
    if (node->left_out) {
        n->left_out[n->left_at++] = node->path;
        return status;
    }
    for (size_t i = 0; i < node->most && node->columns > 0 && status == FM_OK; i++) {
        const char *name = base;
        if (node->field->shape != FM_SHAPE_ONE && !(name = item_name(n, node, base, i)))
            return no_memory(error);
        if (node->field->message)
            status = name_columns(n, node, name, error);
        else
            n->columns[n->at++] = (fm_layout_column){.path = name,
                                                     .field = node->field,
                                                     .unit = item_unit(n, node, i),
                                                     .stamp = in_stamp,
                                                     .frames = node->frames};
    }
    return status;
}

static fm_status name_columns(naming *n, const fm_layout_node *node, const char *path, fm_error *error)
{
    fm_status status = FM_OK;
    for (size_t i = 0; i < node->child_count && status == FM_OK; i++)
        status = name_field(n, node, &node->children[i], path, error);
    return status;
}

/* A nested field left out within an array is reported once per item: space for all of them. */
static size_t count_left_out(const fm_layout_node *node)
{
    size_t total = 0;
    for (size_t i = 0; i < node->child_count; i++) {
        const fm_layout_node *child = &node->children[i];
        total += child->left_out ? 1 : child->columns > 0 ? child->most * count_left_out(child) : 0;
    }
    return total;
}

fm_status fm_layout_finish(fm_layout *layout, size_t max_columns, fm_error *error)
{
    size_t left_out = 0;
    fm_status settled = settle_names(layout, error);
    if (settled != FM_OK)
        return settled;
    layout->count = assign(layout->root, max_columns, &left_out);
    if (layout->count > COLUMNS_MAX)
        return fm_fail(error, FM_ERR_RANGE, "a message has over %d columns", COLUMNS_MAX);
    left_out = count_left_out(layout->root);
    fm_layout_column *columns = fm_arena_alloc(&layout->arena, (layout->count + 1) * sizeof *columns);
    const char **names = fm_arena_alloc(&layout->arena, (left_out + 1) * sizeof *names);
    if (!columns || !names)
        return no_memory(error);
    naming n = {layout, columns, names, 0, 0};
    fm_status status = name_columns(&n, layout->root, "", error);
    layout->columns = columns;
    layout->left_out = names;
    layout->left_out_count = n.left_at;
    return status;
}

long fm_layout_find(const fm_layout *layout, const char *path)
{
    for (size_t i = 0; i < layout->count; i++)
        if (strcmp(layout->columns[i].path, path) == 0 ||
            (layout->columns[i].alias && strcmp(layout->columns[i].alias, path) == 0))
            return (long)i;
    return -1;
}

int fm_cell_same(const fm_cell *a, const fm_cell *b)
{
    if (a->kind != b->kind)
        return 0;
    if (a->kind == FM_CELL_TEXT)
        return a->value.text.length == b->value.text.length &&
               memcmp(a->value.text.start, b->value.text.start, a->value.text.length) == 0;
    return a->kind == FM_CELL_EMPTY || a->value.natural == b->value.natural;
}

double fm_cell_number(const fm_cell *cell)
{
    switch (cell->kind) {
    case FM_CELL_REAL: return cell->value.real;
    case FM_CELL_INT: return (double)cell->value.integer;
    case FM_CELL_UINT: return (double)cell->value.natural;
    default: return NAN;
    }
}
