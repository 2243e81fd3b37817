#include "telemetry/schema.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* --- writing -------------------------------------------------------------------------------------------------------
 */

typedef struct text_buffer {
    char *text;
    size_t length, capacity;
    int failed;
} text_buffer;

static void append(text_buffer *b, const char *text)
{
    size_t length = strlen(text);
    if (!b->failed && b->length + length + 1 > b->capacity) {
        size_t capacity = 2 * b->capacity + length + 256;
        char *grown = fm_realloc(b->text, capacity);
        b->failed = grown == NULL;
        if (grown) {
            b->text = grown;
            b->capacity = capacity;
        }
    }
    if (b->failed)
        return;
    memcpy(b->text + b->length, text, length + 1);
    b->length += length;
}

static void append_field(text_buffer *b, const fm_field *field)
{
    char line[512], type[256], shape[32] = "";
    if (field->type == FM_FIELD_MESSAGE)
        snprintf(type, sizeof type, "%s/%s", field->message->package, field->message->name);
    else
        snprintf(type, sizeof type, "%s", fm_field_type_name(field->type));
    if (field->shape == FM_SHAPE_ARRAY)
        snprintf(shape, sizeof shape, "[%zu]", field->count);
    if (field->shape == FM_SHAPE_SEQUENCE)
        snprintf(shape, sizeof shape, "[]");
    if (field->shape == FM_SHAPE_CONSTANT)
        snprintf(line, sizeof line, "%s %s=%s\n", type, field->name, field->value);
    else if (field->unit[0])
        snprintf(line, sizeof line, "%s%s %s # [%s]\n", type, shape, field->name, field->unit);
    else
        snprintf(line, sizeof line, "%s%s %s\n", type, shape, field->name);
    append(b, line);
}

enum { NESTED_MAX = 64 };

/* Nested types in the order of their first appearance, each once. */
static void collect(const fm_message *type, const fm_message **seen, size_t *count)
{
    for (size_t i = 0; i < type->field_count; i++) {
        const fm_message *nested = type->fields[i].message;
        size_t k = 0;
        while (nested && k < *count && seen[k] != nested)
            k++;
        if (!nested || k < *count || *count == NESTED_MAX)
            continue;
        seen[(*count)++] = nested;
        collect(nested, seen, count);
    }
}

char *fm_schema_text(const fm_message *type)
{
    static const char rule[] =
        "================================================================================\nMSG: ";
    const fm_message *nested[NESTED_MAX];
    size_t count = 0;
    text_buffer b = {0};
    append(&b, "");
    for (size_t i = 0; i < type->field_count; i++)
        append_field(&b, &type->fields[i]);
    collect(type, nested, &count);
    for (size_t n = 0; n < count; n++) {
        append(&b, rule);
        append(&b, nested[n]->package);
        append(&b, "/");
        append(&b, nested[n]->name);
        append(&b, "\n");
        for (size_t i = 0; i < nested[n]->field_count; i++)
            append_field(&b, &nested[n]->fields[i]);
    }
    if (b.failed) {
        fm_free(b.text);
        return NULL;
    }
    return b.text;
}

char *fm_schema_definition(const fm_message *type)
{
    text_buffer b = {0};
    append(&b, "");
    for (size_t i = 0; i < type->field_count; i++)
        append_field(&b, &type->fields[i]);
    if (b.failed) {
        fm_free(b.text);
        return NULL;
    }
    return b.text;
}

void fm_schema_name(const fm_message *type, char *name, size_t capacity)
{
    snprintf(name, capacity, "%s/msg/%s", type->package, type->name);
}

/* --- reading -------------------------------------------------------------------------------------------------------
 */

enum { SECTIONS_MAX = 256, DEPTH_MAX = 16, NODES_MAX = 20000, NAME_MAX_BYTES = 255 };

typedef struct span {
    const char *start, *end;
} span;

typedef struct parser {
    const char *name; /* of the schema, for errors */
    fm_arena *arena;
    fm_error *error;
    fm_message sections[SECTIONS_MAX];
    span bodies[SECTIONS_MAX];
    fm_message *stored; /* the sections in the arena */
    size_t count;
    int line;
} parser;

static fm_status refuse(parser *p, const char *what, span found)
{
    int length = found.end - found.start > 80 ? 80 : (int)(found.end - found.start);
    return fm_fail(p->error, FM_ERR_SYNTAX, "schema '%s', line %d: %s: '%.*s'", p->name, p->line, what, length,
                   found.start);
}

static fm_status out_of_memory(parser *p)
{
    return fm_fail(p->error, FM_ERR_MEMORY, "out of memory in a schema");
}

static span next_line(span *rest)
{
    span line = {rest->start, memchr(rest->start, '\n', (size_t)(rest->end - rest->start))};
    if (!line.end)
        line.end = rest->end;
    rest->start = line.end < rest->end ? line.end + 1 : line.end;
    return line;
}

static span trim(span s)
{
    while (s.start < s.end && isspace((unsigned char)*s.start))
        s.start++;
    while (s.end > s.start && isspace((unsigned char)s.end[-1]))
        s.end--;
    return s;
}

static int is_rule(span line)
{
    line = trim(line);
    for (const char *c = line.start; c < line.end; c++)
        if (*c != '=')
            return 0;
    return line.end - line.start >= 3;
}

static char *copy(parser *p, span s)
{
    char *text = fm_arena_alloc(p->arena, (size_t)(s.end - s.start) + 1);
    if (text)
        memcpy(text, s.start, (size_t)(s.end - s.start));
    return text;
}

/* "package/Name" or "package/msg/Name" into the two names of a section. */
static fm_status name_section(parser *p, span full, fm_message *section)
{
    full = trim(full);
    const char *slash = memchr(full.start, '/', (size_t)(full.end - full.start));
    if (!slash)
        return refuse(p, "a message name is package/Name", full);
    span title = {slash + 1, full.end};
    if (title.end - title.start > 4 && memcmp(title.start, "msg/", 4) == 0)
        title.start += 4;
    section->package = copy(p, (span){full.start, slash});
    section->name = copy(p, title);
    return section->package && section->name ? FM_OK : out_of_memory(p);
}

static fm_status split_sections(parser *p, const char *text, size_t length)
{
    span rest = {text, text + length}, name = {p->name, p->name + strlen(p->name)};
    fm_status status = name_section(p, name, &p->sections[0]);
    p->bodies[0] = (span){text, text + length};
    p->count = 1;
    while (rest.start < rest.end && status == FM_OK) {
        const char *before = rest.start;
        if (!is_rule(next_line(&rest)))
            continue;
        span title = trim(next_line(&rest));
        if (p->count == SECTIONS_MAX || title.end - title.start < 5 || memcmp(title.start, "MSG:", 4) != 0)
            return refuse(p, "expected 'MSG: package/Name' after a rule (at most 256 of them)", title);
        p->bodies[p->count - 1].end = before;
        status = name_section(p, (span){title.start + 4, title.end}, &p->sections[p->count]);
        p->bodies[p->count++] = rest;
    }
    return status;
}

static const fm_message *find_section(const parser *p, span type, const char *package)
{
    const char *slash = memchr(type.start, '/', (size_t)(type.end - type.start));
    span title = {slash ? slash + 1 : type.start, type.end};
    if (slash && title.end - title.start > 4 && memcmp(title.start, "msg/", 4) == 0)
        title.start += 4;
    span owner = slash ? (span){type.start, slash} : (span){package, package + strlen(package)};
    if (!slash && title.end - title.start == 6 && memcmp(title.start, "Header", 6) == 0)
        owner = (span){"std_msgs", (const char *)"std_msgs" + 8};
    for (size_t i = 0; i < p->count; i++) {
        const fm_message *m = &p->stored[i];
        if (strlen(m->name) == (size_t)(title.end - title.start) &&
            memcmp(m->name, title.start, strlen(m->name)) == 0 &&
            strlen(m->package) == (size_t)(owner.end - owner.start) &&
            memcmp(m->package, owner.start, strlen(m->package)) == 0)
            return m;
    }
    return NULL;
}

static int is_word(span s, const char *word)
{
    return strlen(word) == (size_t)(s.end - s.start) && memcmp(s.start, word, strlen(word)) == 0;
}

static fm_status parse_type(parser *p, span type, const char *package, fm_field *field)
{
    const char *bound = memchr(type.start, '<', (size_t)(type.end - type.start));
    if (bound) /* string<=10 */
        type.end = bound;
    for (int t = 0; t < FM_FIELD_MESSAGE; t++)
        if (is_word(type, fm_field_type_name((fm_field_type)t))) {
            field->type = (fm_field_type)t;
            return FM_OK;
        }
    if (is_word(type, "char")) {
        field->type = FM_FIELD_uint8;
        return FM_OK;
    }
    field->type = FM_FIELD_MESSAGE;
    field->message = find_section(p, type, package);
    return field->message ? FM_OK : refuse(p, "unknown type", type);
}

/* "[36]", "[]" or "[<=8]" at the end of a type; cuts it off. */
static fm_status parse_shape(parser *p, span *type, fm_field *field)
{
    const char *open = memchr(type->start, '[', (size_t)(type->end - type->start));
    field->shape = FM_SHAPE_ONE;
    field->count = 1;
    if (!open)
        return FM_OK;
    span inside = {open + 1, type->end - 1};
    if (type->end[-1] != ']')
        return refuse(p, "a type with an open bracket", *type);
    type->end = open;
    field->shape = inside.start == inside.end || *inside.start == '<' ? FM_SHAPE_SEQUENCE : FM_SHAPE_ARRAY;
    if (field->shape == FM_SHAPE_SEQUENCE)
        return FM_OK;
    field->count = 0;
    for (const char *c = inside.start; c < inside.end; c++) {
        if (!isdigit((unsigned char)*c) || field->count > 100000000)
            return refuse(p, "an array length is a number up to 1e8", inside);
        field->count = field->count * 10 + (size_t)(*c - '0');
    }
    return field->count > 0 ? FM_OK : refuse(p, "an array has one item or more", inside);
}

/* The unit in a comment "# [m/s]". */
static const char *parse_unit(parser *p, span line)
{
    const char *hash = memchr(line.start, '#', (size_t)(line.end - line.start));
    span s = trim((span){hash ? hash + 1 : line.end, line.end});
    if (s.end - s.start < 3 || *s.start != '[' || s.end[-1] != ']')
        return "";
    return copy(p, (span){s.start + 1, s.end - 1});
}

/* "type name", "type name default", "type NAME=value"; everything after '#' is a comment. */
static fm_status parse_field(parser *p, span line, const char *package, fm_field *field)
{
    const char *hash = memchr(line.start, '#', (size_t)(line.end - line.start));
    span code = trim((span){line.start, hash ? hash : line.end});
    span type = {code.start, code.start};
    while (type.end < code.end && !isspace((unsigned char)*type.end))
        type.end++;
    span name = trim((span){type.end, code.end});
    const char *end = name.start;
    while (end < name.end && (isalnum((unsigned char)*end) || *end == '_'))
        end++;
    span value = trim((span){end, name.end});
    name.end = end;
    if (name.start == name.end || type.start == type.end)
        return refuse(p, "expected 'type name'", code);
    if (name.end - name.start > NAME_MAX_BYTES)
        return refuse(p, "the name of a field has 255 letters at most", name);
    fm_status status = parse_shape(p, &type, field);
    if (status == FM_OK)
        status = parse_type(p, type, package, field);
    field->name = copy(p, name);
    field->unit = parse_unit(p, line);
    if (value.start < value.end && *value.start == '=') {
        field->shape = FM_SHAPE_CONSTANT;
        field->value = copy(p, trim((span){value.start + 1, value.end}));
    }
    return status != FM_OK || (field->name && field->unit) ? status : out_of_memory(p);
}

static int has_field(span line)
{
    line = trim(line);
    return line.start < line.end && *line.start != '#' && !is_rule(line);
}

static fm_status parse_section(parser *p, size_t index)
{
    fm_message *section = &p->stored[index];
    size_t lines = 0;
    for (span rest = p->bodies[index]; rest.start < rest.end;)
        lines += has_field(next_line(&rest)) ? 1 : 0;
    fm_field *fields = fm_arena_alloc(p->arena, (lines + 1) * sizeof *fields);
    if (!fields)
        return out_of_memory(p);
    section->fields = fields;
    fm_status status = FM_OK;
    p->line = 0;
    for (span rest = p->bodies[index]; rest.start < rest.end && status == FM_OK;) {
        span line = next_line(&rest);
        p->line++;
        if (has_field(line))
            status = parse_field(p, line, section->package, &fields[section->field_count++]);
    }
    return status;
}

/* No type may contain itself, and the total size must stay small enough to walk. */
static fm_status check_nesting(parser *p, const fm_message *type, int depth, size_t *nodes)
{
    fm_status status = FM_OK;
    *nodes += type->field_count + 1;
    if (depth > DEPTH_MAX || *nodes > NODES_MAX)
        return fm_fail(p->error, FM_ERR_SYNTAX, "schema '%s' nests too deeply or has over %d fields", p->name,
                       NODES_MAX);
    for (size_t i = 0; i < type->field_count && status == FM_OK; i++)
        if (type->fields[i].message)
            status = check_nesting(p, type->fields[i].message, depth + 1, nodes);
    return status;
}

static fm_status parse_all(parser *p, const char *text, size_t length)
{
    fm_status status = split_sections(p, text, length);
    if (status != FM_OK)
        return status;
    p->stored = fm_arena_alloc(p->arena, p->count * sizeof *p->stored);
    if (!p->stored)
        return out_of_memory(p);
    memcpy(p->stored, p->sections, p->count * sizeof *p->stored);
    for (size_t i = 0; i < p->count && status == FM_OK; i++)
        status = parse_section(p, i);
    size_t nodes = 0;
    return status == FM_OK ? check_nesting(p, &p->stored[0], 0, &nodes) : status;
}

fm_status fm_schema_parse(const char *name, const char *text, size_t length, fm_arena *arena, const fm_message **type,
                          fm_error *error)
{
    parser *p = fm_alloc(sizeof *p);
    if (!p)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory in a schema");
    p->name = name;
    p->arena = arena;
    p->error = error;
    fm_status status = parse_all(p, text, length);
    *type = status == FM_OK ? &p->stored[0] : NULL;
    fm_free(p);
    return status;
}
