#include "scenario/schema.h"

#include "base/units.h"

#include <math.h>
#include <string.h>

/* ---- elements of a table ---- */

static size_t index_of(const fm_element *const *list, size_t count, const fm_element *element)
{
    size_t i = 0;
    while (i < count && list[i] != element)
        i++;
    return i;
}

/* Adds the elements below list[from] and after it. */
static size_t collect_below(const fm_registry *registry, const fm_element **list, size_t from, size_t count)
{
    for (size_t i = from; i < count; i++) {
        fm_accepted accepted = {0};
        while (fm_accepted_next(list[i], registry, &accepted) && count < FM_SCHEMA_ELEMENTS)
            if (index_of(list, count, accepted.element) == count)
                list[count++] = accepted.element;
    }
    return count;
}

size_t fm_elements_collect(const fm_element *root, const fm_registry *registry, const fm_element **list)
{
    list[0] = root;
    size_t count = collect_below(registry, list, 0, 1);
    for (const fm_registered *r = NULL; (r = fm_registry_next(registry, "root", r)) && count < FM_SCHEMA_ELEMENTS;) {
        list[count] = r->element;
        count = collect_below(registry, list, count, count + 1);
    }
    return count;
}

/* ---- pieces of XML ---- */

static void add_documentation(fm_text *out, const char *text)
{
    fm_text_add(out, "<a:documentation>");
    fm_text_add_escaped(out, text ? text : "");
    fm_text_add(out, "</a:documentation>\n");
}

/* A word in the syntax of XML Schema's regular expressions. */
static void add_literal(fm_text *out, const char *word)
{
    for (; *word; word++)
        fm_text_add(out, strchr("\\|.?*+(){}[]^$-", *word) ? "\\%c" : "%c", *word);
}

/* ---- forms of values ---- */

#define NUMBER "[+\\-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+\\-]?[0-9]+)?"
/* A compound unit: its dimension is not checked here, only that there is an operator, exponent or parenthesis. It may
 * directly follow the number, unless it begins with "1" ("1/s"); none begins with "x". */
#define COMPOUND "[A-WYZa-wyz%(][A-Za-z0-9%/*.^()+ \\-]*[/*.^()0-9 ][A-Za-z0-9%/*.^()+ \\-]*"
#define INVERSE "\\s1[/*.^ ][A-Za-z0-9%/*.^()+ \\-]*"

static void add_units(fm_text *out, const char *unit)
{
    fm_unit wanted, candidate;
    const char *name;
    bool plain = *unit == 0;
    fm_unit_parse(unit, &wanted, NULL);
    fm_text_add(out, plain ? "(\\s*%%|\\s*(" : "\\s*(");
    for (size_t i = 0; (name = fm_unit_name(i, &candidate)); i++) {
        if (!fm_unit_compatible(&wanted, &candidate) || strcmp(name, "%") == 0)
            continue;
        add_literal(out, name);
        fm_text_add(out, "|");
    }
    fm_text_add(out, "%s|%s)%s", COMPOUND, INVERSE, plain ? ")?" : "");
}

static void add_numbers(fm_text *out, const fm_attr *attr)
{
    fm_text_add(out, "<data type=\"string\"><param name=\"pattern\">\\s*%s", NUMBER);
    if (attr->type == FM_ATTR_VECTOR)
        fm_text_add(out, "(\\s+%s){%zu}", NUMBER, attr->count - 1);
    else if (attr->type == FM_ATTR_LIST && attr->count <= 16)
        fm_text_add(out, "(\\s+%s){0,%zu}", NUMBER, attr->count - 1);
    else if (attr->type == FM_ATTR_LIST)
        fm_text_add(out, "(\\s+%s)*", NUMBER);
    add_units(out, attr->unit);
    fm_text_add(out, "\\s*</param></data>\n");
}

static void add_integer(fm_text *out, const fm_attr *attr)
{
    fm_text_add(out, "<data type=\"integer\">");
    if ((attr->min != 0 || attr->max != 0) && isfinite(attr->min))
        fm_text_add(out, "<param name=\"minInclusive\">%.0f</param>", attr->min);
    if ((attr->min != 0 || attr->max != 0) && isfinite(attr->max) && attr->max < 9e15)
        fm_text_add(out, "<param name=\"maxInclusive\">%.0f</param>", attr->max);
    fm_text_add(out, "</data>\n");
}

static void add_choices(fm_text *out, const fm_attr *attr)
{
    fm_text_add(out, "<data type=\"string\"><param name=\"pattern\">\\s*(");
    for (size_t i = 0; attr->choices[i]; i++) {
        fm_text_add(out, "%s", i ? "|" : "");
        add_literal(out, attr->choices[i]);
    }
    fm_text_add(out, ")\\s*</param></data>\n");
}

static void add_value(fm_text *out, const fm_attr *attr)
{
    switch (attr->type) {
    case FM_ATTR_REAL:
    case FM_ATTR_VECTOR:
    case FM_ATTR_LIST: add_numbers(out, attr); break;
    case FM_ATTR_INT: add_integer(out, attr); break;
    case FM_ATTR_CHOICE: add_choices(out, attr); break;
    case FM_ATTR_BOOL:
        fm_text_add(out,
                    "<data type=\"string\"><param name=\"pattern\">\\s*(true|false|yes|no|1|0)\\s*</param></data>\n");
        break;
    case FM_ATTR_NAME:
        fm_text_add(out, "<data type=\"string\"><param name=\"pattern\">\\s*[A-Za-z_][A-Za-z0-9_.\\-]*\\s*</param>"
                         "</data>\n");
        break;
    case FM_ATTR_FILE:
        fm_text_add(out, "<data type=\"string\"><param name=\"pattern\">\\s*\\S(.|\\s)*</param></data>\n");
        break;
    case FM_ATTR_TEXT: fm_text_add(out, "<text/>\n"); break;
    }
}

/* ---- many numbers alike ---- */

/* Validators try an optional attribute both ways, and n of them 2^n ways (libxml2 does). In elements with many
 * attributes the optional numbers of one unit share a pattern, which a validator checks once; in tables of coefficients
 * those of all units do, and the reader checks the unit. */
enum { MANY = 12, UNITS_MANY = 10 };

static bool is_required(const fm_attr *attr, bool partial)
{
    return !partial && (attr->flags & FM_ATTR_REQUIRED);
}

static bool is_shared(const fm_element *element, const fm_attr *attr, bool partial)
{
    return element->attr_count > MANY && attr->type == FM_ATTR_REAL && !is_required(attr, partial);
}

/* A table of coefficients: numbers of many units. */
static bool is_table(const fm_element *element)
{
    size_t units = 0;
    for (size_t i = 0; i < element->attr_count; i++) {
        size_t k = 0;
        while (k < i && (element->attrs[k].type != FM_ATTR_REAL || !element->attrs[i].unit ||
                         strcmp(element->attrs[k].unit, element->attrs[i].unit) != 0))
            k++;
        units += element->attrs[i].type == FM_ATTR_REAL && k == i;
    }
    return units > UNITS_MANY;
}

static bool share(const fm_element *element, const fm_attr *a, const fm_attr *b)
{
    return strcmp(a->unit, b->unit) == 0 || is_table(element);
}

/* The pattern of all attributes that share with attribute `first`. */
static void add_shared(fm_text *out, const fm_element *element, const fm_attr *first, bool partial)
{
    const fm_attr *end = element->attrs + element->attr_count;
    fm_text_add(out, "<zeroOrMore><attribute><choice>");
    for (const fm_attr *attr = first; attr < end; attr++)
        if (is_shared(element, attr, partial) && share(element, first, attr))
            fm_text_add(out, "<name ns=\"\">%s</name>", attr->name);
    fm_text_add(out, "</choice>\n<a:documentation>");
    for (const fm_attr *attr = first; attr < end; attr++)
        if (is_shared(element, attr, partial) && share(element, first, attr)) {
            fm_text_add(out, "%s: ", attr->name);
            fm_text_add_escaped(out, attr->text);
            fm_text_add(out, "\n");
        }
    fm_text_add(out, "</a:documentation>\n");
    if (is_table(element))
        fm_text_add(out,
                    "<data type=\"string\"><param "
                    "name=\"pattern\">\\s*%s(\\s*(%%|[A-WYZa-wyz][A-Za-z]*|%s|%s))?\\s*</param></data>",
                    NUMBER, COMPOUND, INVERSE);
    else
        add_value(out, first);
    fm_text_add(out, "</attribute></zeroOrMore>\n");
}

static bool is_first_shared(const fm_element *element, size_t i, bool partial)
{
    for (size_t k = 0; k < i; k++)
        if (is_shared(element, &element->attrs[k], partial) && share(element, &element->attrs[k], &element->attrs[i]))
            return false;
    return true;
}

static void add_attributes(fm_text *out, const fm_element *element, bool partial)
{
    if (element->kind)
        fm_text_add(out, "<attribute name=\"kind\"><value>%s</value></attribute>\n", element->kind);
    for (size_t i = 0; i < element->attr_count; i++) {
        const fm_attr *attr = &element->attrs[i];
        bool required = is_required(attr, partial);
        if (is_shared(element, attr, partial)) {
            if (is_first_shared(element, i, partial))
                add_shared(out, element, attr, partial);
            continue;
        }
        fm_text_add(out, "%s<attribute name=\"%s\">\n", required ? "" : "<optional>", attr->name);
        add_documentation(out, attr->text);
        add_value(out, attr);
        fm_text_add(out, "</attribute>%s\n", required ? "" : "</optional>");
    }
    if (!(element->flags & FM_ELEMENT_OPEN))
        return;
    fm_text_add(out, "<zeroOrMore><attribute><nsName ns=\"\">");
    for (size_t i = 0; i < element->attr_count; i++)
        fm_text_add(out, "%s<name ns=\"\">%s</name>", i ? "" : "<except>", element->attrs[i].name);
    fm_text_add(out, "%s</nsName><text/></attribute></zeroOrMore>\n", element->attr_count ? "</except>" : "");
}

/* ---- content ---- */

/* For an element of a plugin, besides `plugin`. */
#define ANY_ATTRIBUTES                                                                                                 \
    "<zeroOrMore><attribute><anyName><except><name ns=\"\">plugin</name></except></anyName></attribute></zeroOrMore>"
#define ANY_CHILDREN "<zeroOrMore><ref name=\"anything\"/></zeroOrMore>"

typedef struct writer {
    const fm_registry *registry;
    const fm_element **list;
    size_t count;
    const bool *partial; /* for each element: its required parts may be elsewhere */
    fm_text *out;
} writer;

static bool is_partial(const writer *w, const fm_element *element)
{
    return w->partial[index_of(w->list, w->count, element)];
}

/* Everything inside an element that a model is merged into, at any depth. Parents precede their children in the list,
 * except for recursive tables: those are visited again. */
static void mark_partial(const writer *w, bool *partial)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < w->count; i++) {
            fm_accepted accepted = {0};
            if (!partial[i] && !(w->list[i]->flags & FM_ELEMENT_LAID))
                continue;
            while (fm_accepted_next(w->list[i], w->registry, &accepted)) {
                size_t child = index_of(w->list, w->count, accepted.element);
                more |= !partial[child];
                partial[child] = true;
            }
        }
    }
}

static void add_reference(const writer *w, const fm_element *element)
{
    fm_text_add(w->out, "<ref name=\"%s-%zu\"/>", element->name, index_of(w->list, w->count, element));
}

/* Elements of one name that differ in their kind, as one choice: branches of an interleave may not share a name. A
 * plugin may add another kind. */
static void add_kinds(const writer *w, const fm_element *parent, const char *name)
{
    fm_accepted accepted = {0};
    fm_text_add(w->out, "<zeroOrMore><choice>");
    while (fm_accepted_next(parent, w->registry, &accepted))
        if (strcmp(accepted.element->name, name) == 0)
            add_reference(w, accepted.element);
    fm_text_add(w->out,
                "<element name=\"%s\"><attribute name=\"plugin\"/>" ANY_ATTRIBUTES ANY_CHILDREN
                "</element></choice></zeroOrMore>\n",
                name);
}

static bool is_first_of_name(const writer *w, const fm_element *parent, const fm_element *element)
{
    fm_accepted first;
    return fm_accepted_find(parent, w->registry, element->name, NULL, &first) && first.element == element;
}

/* Whether plugins may add elements with names of their own. */
static bool takes_plugins(const writer *w, const fm_element *element)
{
    const fm_registered *part;
    for (size_t i = 0; element->groups && element->groups[i]; i++)
        if (!(part = fm_registry_next(w->registry, element->groups[i], NULL)) || !part->element->kind)
            return true;
    return false;
}

/* The children in any order; `includes` is how often an include may occur among them, or NULL. */
static void add_children(const writer *w, const fm_element *element, const char *includes, bool required)
{
    fm_accepted accepted = {0};
    fm_text_add(w->out, "<interleave>\n");
    while (fm_accepted_next(element, w->registry, &accepted)) {
        bool once = accepted.element->flags & FM_ELEMENT_ONCE;
        bool needed = required && (accepted.element->flags & FM_ELEMENT_REQUIRED);
        const char *wrapper = once && needed ? "group" : once ? "optional" : needed ? "oneOrMore" : "zeroOrMore";
        if (accepted.element->kind) {
            if (is_first_of_name(w, element, accepted.element))
                add_kinds(w, element, accepted.element->name);
            continue;
        }
        fm_text_add(w->out, "<%s>", wrapper);
        add_reference(w, accepted.element);
        fm_text_add(w->out, "</%s>\n", wrapper);
    }
    if (takes_plugins(w, element))
        fm_text_add(w->out, "<zeroOrMore><ref name=\"plugin\"/></zeroOrMore>\n");
    if (includes)
        fm_text_add(w->out, "<%s><ref name=\"include\"/></%s>\n", includes, includes);
    fm_text_add(w->out, "</interleave>\n");
}

static bool has_required_child(const writer *w, const fm_element *element)
{
    fm_accepted accepted = {0};
    bool laid = is_partial(w, element) || element->flags & FM_ELEMENT_LAID;
    while (!laid && fm_accepted_next(element, w->registry, &accepted))
        if (accepted.element->flags & FM_ELEMENT_REQUIRED)
            return true;
    return false;
}

static void add_content(const writer *w, const fm_element *element)
{
    fm_accepted first = {0};
    if (!fm_accepted_next(element, w->registry, &first))
        return;
    if (!has_required_child(w, element)) {
        add_children(w, element, "zeroOrMore", false);
        return;
    }
    /* what is required may come from an included file */
    fm_text_add(w->out, "<choice>\n");
    add_children(w, element, NULL, true);
    add_children(w, element, "oneOrMore", false);
    fm_text_add(w->out, "</choice>\n");
}

static void add_element(const writer *w, const fm_element *element)
{
    fm_text_add(w->out, "<define name=\"%s-%zu\"><element name=\"%s\">\n", element->name,
                index_of(w->list, w->count, element), element->name);
    add_documentation(w->out, element->text);
    add_attributes(w->out, element, is_partial(w, element));
    add_content(w, element);
    fm_text_add(w->out, "<empty/></element></define>\n");
}

/* Elements of a plugin: any that have the attribute `plugin`, with names that are not taken. */
static void add_plugins(const writer *w)
{
    fm_text_add(w->out, "<define name=\"plugin\"><element><anyName><except><name ns=\"\">include</name>");
    for (size_t i = 0; i < w->count; i++)
        fm_text_add(w->out, "<name ns=\"\">%s</name>", w->list[i]->name);
    fm_text_add(w->out, "</except></anyName><attribute name=\"plugin\"/>" ANY_ATTRIBUTES ANY_CHILDREN
                        "</element></define>\n<define name=\"anything\"><element><anyName/>"
                        "<zeroOrMore><attribute><anyName/></attribute></zeroOrMore><zeroOrMore><ref name=\"anything\"/>"
                        "</zeroOrMore></element></define>\n");
}

static void add_grammar(const writer *w)
{
    fm_text_add(w->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<grammar xmlns=\"http://relaxng.org/ns/structure/1.0\"\n"
                        "         xmlns:a=\"http://relaxng.org/ns/compatibility/annotations/1.0\"\n"
                        "         datatypeLibrary=\"http://www.w3.org/2001/XMLSchema-datatypes\">\n<start><choice>");
    add_reference(w, w->list[0]);
    for (const fm_registered *r = NULL; (r = fm_registry_next(w->registry, "root", r));)
        add_reference(w, r->element);
    fm_text_add(w->out,
                "<ref name=\"fragment\"/></choice></start>\n"
                "<define name=\"include\"><element name=\"include\"><attribute name=\"file\"/><empty/></element>"
                "</define>\n<define name=\"fragment\"><element name=\"fragment\"><zeroOrMore><choice>"
                "<ref name=\"include\"/>");
    for (size_t i = 1; i < w->count; i++)
        add_reference(w, w->list[i]);
    fm_text_add(w->out, "</choice></zeroOrMore></element></define>\n");
    for (size_t i = 0; i < w->count; i++)
        add_element(w, w->list[i]);
    add_plugins(w);
    fm_text_add(w->out, "</grammar>\n");
}

fm_status fm_schema_write(const fm_element *root, const fm_registry *registry, unsigned flags, fm_text *out,
                          fm_error *error)
{
    bool *partial = fm_alloc(FM_SCHEMA_ELEMENTS * sizeof *partial);
    writer w = {.registry = registry, .partial = partial, .out = out};
    w.list = fm_alloc(FM_SCHEMA_ELEMENTS * sizeof *w.list);
    if (w.list && partial) {
        w.count = fm_elements_collect(root, registry, w.list);
        if (flags & FM_READ_PARTIAL)
            memset(partial, true, w.count * sizeof *partial);
        mark_partial(&w, partial);
        add_grammar(&w);
    }
    bool complete = w.list && partial && !out->failed;
    fm_free(w.list);
    fm_free(partial);
    return complete ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "out of memory for the schema");
}
