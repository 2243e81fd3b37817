/* Reads XML with libxml2's SAX2 interface directly into nodes. No document type, no entities beyond the predefined
 * ones, no network; includes are ours. */
#include "base/text.h"
#include "base/xml.h"
#include "scenario/tree.h"
#include "scenario/unknown.h"

#include <libxml/parserInternals.h>
#include <pthread.h>

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

typedef struct reader {
    fm_tree *tree;
    fm_report *report;
    const fm_element *root;
    unsigned flags;
    int depth;        /* of open elements, over all files */
    size_t includes;  /* files included so far */
    fm_status status; /* the first failure; FM_ERR_MEMORY once memory ran out */
} reader;

/* One open file. */
typedef struct source {
    reader *reader;
    const char *name;          /* in the tree's arena */
    char *real;                /* canonical path, to detect cycles; NULL for memory */
    const struct source *from; /* the file that includes this one */
    xmlParserCtxtPtr context;
    fm_node *node; /* the open element, or NULL */
    bool fragment; /* the root is <fragment> */
    bool root_seen, stopped;
    int ignored;   /* nested elements inside a refused one */
    int own_depth; /* open elements of this file */
} source;

static void read_include(source *s, const char *path, int line);
static void fail(source *s, fm_status status, int line, const char *format, ...) __attribute__((format(printf, 4, 5)));

static void stop(source *s)
{
    s->stopped = s->reader->tree->cut = true;
    if (s->context)
        xmlStopParser(s->context);
}

static void fail(source *s, fm_status status, int line, const char *format, ...)
{
    char text[700];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fm_report_add(s->reader->report, status, s->name, line, "%s", text);
    if (s->reader->status == FM_OK || status == FM_ERR_MEMORY)
        s->reader->status = status;
    if (status == FM_ERR_MEMORY || fm_report_full(s->reader->report))
        stop(s);
}

/* ---- lines ---- */

enum { MAX_LINES = 256 }; /* attributes of one tag whose lines are stored separately */

typedef struct tag_lines {
    int tag, attributes[MAX_LINES];
} tag_lines;

/* libxml2 reports the line where a start tag ends. The tag's own text precedes the cursor and cannot contain another
 * '<': from there the lines of the tag and of each attribute are counted. */
static void find_lines(source *s, tag_lines *lines)
{
    xmlParserInputPtr input = s->context->input;
    const xmlChar *end = input->cur, *start = end;
    int line = input->line;
    while (start > input->base && *start != '<') {
        start--;
        line -= *start == '\n';
    }
    lines->tag = line;
    size_t attribute = 0;
    int quote = 0;
    for (const xmlChar *c = start; c < end; c++) {
        line += *c == '\n';
        if (quote)
            quote = *c == quote ? 0 : quote;
        else if (*c == '"' || *c == '\'') {
            quote = *c;
            if (attribute < MAX_LINES)
                lines->attributes[attribute++] = line;
        }
    }
    for (; attribute < MAX_LINES; attribute++)
        lines->attributes[attribute] = line;
}

/* ---- attributes ---- */

static void unknown_attribute(source *s, const fm_element *element, const char *name, int line)
{
    char text[700];
    fail(s, FM_ERR_NAME, line, "%s", fm_unknown_attribute_write(element, name, text, sizeof text));
}

static void read_attribute(source *s, fm_node *node, const char *name, const char *written, int line)
{
    const fm_element *element = node->element;
    size_t i = fm_attr_index(element, name);
    fm_value value;
    fm_error error = {0};
    fm_status status = FM_OK;
    if (i >= element->attr_count &&
        ((node->part && strcmp(name, "plugin") == 0) || (element->kind && strcmp(name, "kind") == 0)))
        return; /* read before the element is looked up: plugin_attribute, find_kind */
    if (i >= element->attr_count) {
        if (!(element->flags & FM_ELEMENT_OPEN))
            unknown_attribute(s, element, name, line);
        else if (fm_node_set_extra(s->reader->tree, node, name, written, s->name, line, &error) != FM_OK)
            fail(s, error.status, line, "%s", error.text);
        return;
    }
    status = fm_value_parse(&s->reader->tree->arena, &element->attrs[i], written, s->name, line, &value, &error);
    if (status == FM_OK)
        node->values[i] = value;
    else {
        fail(s, status, line, "%s of <%s>: %s", name, element->name, error.text);
        if (node->values[i].source == FM_VALUE_UNSET) {
            node->values[i].source = FM_VALUE_WRITTEN; /* so that it is not reported as missing too */
            node->broken = true;
        }
    }
}

/* A NUL-terminated copy of a SAX2 attribute value, or NULL. */
static char *copy_value(const xmlChar **attribute)
{
    size_t length = (size_t)(attribute[4] - attribute[3]);
    char *copy = fm_alloc(length + 1);
    if (copy)
        memcpy(copy, attribute[3], length);
    return copy;
}

typedef void attribute_function(source *s, fm_node *node, const char *name, const char *written, int line);

static void each_attribute(source *s, fm_node *node, int count, const xmlChar **attributes, const tag_lines *lines,
                           attribute_function *function)
{
    for (int i = 0; i < count && !s->stopped; i++) {
        const xmlChar **attribute = attributes + 5 * i;
        int line = lines->attributes[i < MAX_LINES ? i : MAX_LINES - 1];
        if (attribute[1]) {
            fail(s, FM_ERR_NAME, line, "attribute '%.60s:%.60s' is not known: names here have no prefix",
                 (const char *)attribute[1], (const char *)attribute[0]);
            continue;
        }
        char *written = copy_value(attribute);
        if (!written) {
            fail(s, FM_ERR_MEMORY, line, "out of memory");
            return;
        }
        function(s, node, (const char *)attribute[0], written, line);
        fm_free(written);
    }
}

/* ---- elements ---- */

static void unknown_element(source *s, const fm_node *parent, const char *name, int line)
{
    char text[700];
    fail(
        s, FM_ERR_NAME, line, "%s",
        fm_unknown_element_write(s->reader->root, s->reader->tree->registry, parent->element, name, text, sizeof text));
}

static const fm_element fragment_element = {.name = "fragment"};
static const fm_element include_element = {.name = "include"};

/* The root of a file: the expected root element, or <fragment> in an included file. */
static fm_node *open_root(source *s, const char *name, int line)
{
    const char *expected = s->fragment ? fragment_element.name : s->reader->root->name;
    s->root_seen = true;
    if (strcmp(name, expected) != 0) {
        s->reader->tree->cut |= !s->fragment;
        fail(s, FM_ERR_NAME, line, "<%.60s> is invalid here: must be <%s> as the root of this file", name, expected);
        return NULL;
    }
    if (s->fragment)
        return s->node;
    fm_error error = {0};
    fm_node *node = fm_node_add(s->reader->tree, NULL, s->reader->root, NULL, s->name, line, &error);
    if (!node)
        fail(s, error.status, line, "%s", error.text);
    s->reader->tree->root = node;
    return node;
}

/* The `kind` of an element, as in the file; one that is too long matches no element. */
typedef struct written_kind {
    char text[64];
    int line; /* 0: it is not written */
} written_kind;

/* Elements of this name exist, but not of this kind. */
static void unknown_kind(source *s, const char *name, const written_kind *kind, int line)
{
    char text[700];
    fm_unknown_kind_write(s->node->element, s->reader->tree->registry, name, kind->line ? kind->text : NULL, text,
                          sizeof text);
    fail(s, kind->line ? FM_ERR_NAME : FM_ERR_SYNTAX, kind->line ? kind->line : line, "%s", text);
}

static fm_node *open_child(source *s, const char *name, const written_kind *kind, int line)
{
    fm_accepted accepted;
    fm_tree *tree = s->reader->tree;
    if (!fm_accepted_find(s->node->element, tree->registry, name, NULL, &accepted)) {
        unknown_element(s, s->node, name, line);
        s->node->broken = true;
        return NULL;
    }
    if (accepted.element->kind &&
        (!kind->line || !fm_accepted_find(s->node->element, tree->registry, name, kind->text, &accepted))) {
        unknown_kind(s, name, kind, line);
        s->node->broken = true;
        return NULL;
    }
    const fm_node *twin = accepted.element->flags & FM_ELEMENT_ONCE ? fm_node_child(s->node, name) : NULL;
    if (twin) {
        fail(s, FM_ERR_NAME, line, "<%s> occurs twice inside <%s>; the first is in %s, line %d", name,
             s->node->element->name, twin->file, twin->line);
        return NULL;
    }
    if (tree->node_count >= FM_TREE_NODES) {
        fail(s, FM_ERR_FULL, line, "more than %d elements", FM_TREE_NODES);
        stop(s);
        return NULL;
    }
    fm_error error = {0};
    fm_node *node = fm_node_add(tree, s->node, accepted.element, accepted.part, s->name, line, &error);
    if (!node)
        fail(s, error.status, line, "<%s>: %s", name, error.text);
    return node;
}

static written_kind find_kind(int count, const xmlChar **attributes, const tag_lines *lines)
{
    written_kind kind = {0};
    for (int i = 0; i < count; i++) {
        const xmlChar **attribute = attributes + 5 * i;
        if (attribute[1] || strcmp((const char *)attribute[0], "kind") != 0)
            continue;
        kind.line = lines->attributes[i < MAX_LINES ? i : MAX_LINES - 1];
        snprintf(kind.text, sizeof kind.text, "%.*s", (int)(attribute[4] - attribute[3]), (const char *)attribute[3]);
    }
    return kind;
}

static void plugin_attribute(source *s, fm_node *node, const char *name, const char *written, int line)
{
    const fm_attr file = {.name = "plugin", .type = FM_ATTR_FILE, .unit = ""};
    fm_tree *tree = s->reader->tree;
    fm_value value;
    fm_error error = {0};
    (void)node;
    if (strcmp(name, "plugin") != 0)
        return;
    fm_status status = fm_value_parse(&tree->arena, &file, written, s->name, line, &value, &error);
    if (status == FM_OK)
        status = tree->load_plugin ? tree->load_plugin(tree->plugin_user, value.text, &error)
                                   : fm_fail(&error, FM_ERR_MISSING, "plugins are not allowed here");
    if (status != FM_OK)
        fail(s, status, line, "plugin: %s", error.text);
}

static void include_attribute(source *s, fm_node *node, const char *name, const char *written, int line)
{
    (void)node;
    if (strcmp(name, "file") != 0)
        fail(s, FM_ERR_NAME, line, "<include> has no attribute '%.60s'; it has file", name);
    else
        read_include(s, written, line);
}

static void open_include(source *s, int count, const xmlChar **attributes, const tag_lines *lines)
{
    if (s->reader->flags & FM_READ_ALONE)
        fail(s, FM_ERR_NAME, lines->tag, "<include> is not allowed here: this text must not refer to other files");
    else if (count == 0)
        fail(s, FM_ERR_SYNTAX, lines->tag, "<include>: attribute 'file' is missing");
    else
        each_attribute(s, NULL, count, attributes, lines, include_attribute);
    s->ignored = 1;
}

static void check_encoding(source *s)
{
    const char *encoding = (const char *)s->context->encoding;
    if (!encoding && s->context->input)
        encoding = (const char *)s->context->input->encoding;
    if (!encoding || strcasecmp(encoding, "UTF-8") == 0 || strcasecmp(encoding, "US-ASCII") == 0 ||
        strcasecmp(encoding, "ASCII") == 0)
        return;
    fail(s, FM_ERR_SYNTAX, 1, "encoding is '%.60s': must be UTF-8", encoding);
    stop(s);
}

static void on_start(void *data, const xmlChar *xml_name, const xmlChar *prefix, const xmlChar *uri, int namespaces,
                     const xmlChar **namespace_list, int count, int defaulted, const xmlChar **attributes)
{
    source *s = ((xmlParserCtxtPtr)data)->_private;
    const char *name = (const char *)xml_name;
    (void)namespaces, (void)namespace_list, (void)defaulted;
    if (s->stopped)
        return;
    tag_lines lines;
    find_lines(s, &lines);
    s->reader->depth++;
    s->own_depth++;
    if (!s->root_seen)
        check_encoding(s);
    if (s->reader->depth > FM_TREE_DEPTH) {
        fail(s, FM_ERR_SYNTAX, lines.tag, "elements are nested more than %d deep", FM_TREE_DEPTH);
        stop(s);
    }
    if (s->stopped)
        return;
    if (s->ignored) {
        s->ignored++;
        return;
    }
    if (prefix || uri) {
        fail(s, FM_ERR_NAME, lines.tag, "<%.60s> is in namespace '%.100s': must be none", name,
             uri ? (const char *)uri : (const char *)prefix);
        s->root_seen = true;
        s->ignored = 1;
        return;
    }
    if (s->root_seen && strcmp(name, include_element.name) == 0) {
        open_include(s, count, attributes, &lines);
        return;
    }
    bool root = !s->root_seen;
    if (!root)
        each_attribute(s, NULL, count, attributes, &lines, plugin_attribute);
    written_kind kind = find_kind(count, attributes, &lines);
    fm_node *node = root ? open_root(s, name, lines.tag) : open_child(s, name, &kind, lines.tag);
    if (!node) {
        s->ignored = 1;
        return;
    }
    s->node = node;
    if (root && s->fragment) {
        if (count > 0)
            fail(s, FM_ERR_NAME, lines.tag, "<fragment> has no attributes");
    } else
        each_attribute(s, node, count, attributes, &lines, read_attribute);
}

static int compare_names(const void *a, const void *b)
{
    const fm_node *const *x = a, *const *y = b;
    int order = strcmp((*x)->element->name, (*y)->element->name);
    return order ? order : strcmp(fm_node_name(*x), fm_node_name(*y));
}

/* Two siblings of the same element cannot have the same name. */
static void check_names(source *s, const fm_node *parent)
{
    size_t count = 0, i = 0;
    for (const fm_node *child = parent->first; child; child = child->next)
        count += fm_node_name(child) != NULL;
    if (count < 2)
        return;
    const fm_node **named = fm_alloc(count * sizeof *named);
    if (!named) {
        fail(s, FM_ERR_MEMORY, parent->line, "out of memory");
        return;
    }
    for (const fm_node *child = parent->first; child; child = child->next)
        if (fm_node_name(child))
            named[i++] = child;
    qsort(named, count, sizeof *named, compare_names);
    for (i = 1; i < count && !s->stopped; i++)
        if (compare_names(&named[i - 1], &named[i]) == 0)
            fail(s, FM_ERR_NAME, named[i]->line, "two elements <%s> have the name '%.60s'; the other is in %s, line %d",
                 named[i]->element->name, fm_node_name(named[i]), named[i - 1]->file, named[i - 1]->line);
    fm_free(named);
}

static void on_end(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    source *s = ((xmlParserCtxtPtr)data)->_private;
    (void)name, (void)prefix, (void)uri;
    if (s->stopped)
        return;
    s->reader->depth--;
    s->own_depth--;
    if (s->ignored)
        s->ignored--;
    else if (s->own_depth > 0 || !s->fragment) {
        check_names(s, s->node);
        s->node = s->node->parent;
    }
}

static void on_text(void *data, const xmlChar *text, int length)
{
    source *s = ((xmlParserCtxtPtr)data)->_private;
    if (s->stopped || s->ignored)
        return;
    for (int i = 0; i < length; i++) {
        if (!isspace(text[i])) {
            fail(s, FM_ERR_SYNTAX, s->context->input->line, "text '%.*s' is invalid here: only elements are allowed",
                 length - i > 40 ? 40 : length - i, (const char *)text + i);
            return;
        }
    }
}

static void on_doctype(void *data, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
    source *s = ((xmlParserCtxtPtr)data)->_private;
    (void)name, (void)external, (void)system;
    if (s->stopped)
        return;
    fail(s, FM_ERR_SYNTAX, s->context->input->line, "a document type (<!DOCTYPE …>) is not allowed");
    stop(s);
}

static void on_xml_error(void *data, xmlErrorPtr xml)
{
    source *s = ((xmlParserCtxtPtr)data)->_private;
    if (s->stopped || xml->level == XML_ERR_WARNING)
        return;
    char text[300];
    snprintf(text, sizeof text, "%s", xml->message ? xml->message : "not well-formed");
    text[strcspn(text, "\n")] = 0;
    const bool ampersand = xml->code == XML_ERR_NAME_REQUIRED || xml->code == XML_ERR_ENTITYREF_SEMICOL_MISSING;
    if (xml->code == XML_ERR_NO_MEMORY)
        fail(s, FM_ERR_MEMORY, xml->line, "out of memory in libxml2");
    else if (ampersand && strstr(text, "EntityRef"))
        fail(s, FM_ERR_SYNTAX, xml->line, "not well-formed XML: write '&amp;' for '&', and '&lt;' for '<'");
    else if (xml->code == XML_ERR_LT_IN_ATTRIBUTE)
        fail(s, FM_ERR_SYNTAX, xml->line,
             "not well-formed XML: '<' in the value of an attribute: write '&lt;', or close the quotes before it");
    else
        fail(s, FM_ERR_SYNTAX, xml->line, "not well-formed XML: %s", text);
    s->reader->tree->cut = true;
}

/* ---- files ---- */

static void parse_source(source *s, const char *data, size_t size)
{
    const xmlSAXHandler handler = {
        .initialized = XML_SAX2_MAGIC,
        .startElementNs = on_start,
        .endElementNs = on_end,
        .characters = on_text,
        .cdataBlock = on_text,
        .internalSubset = on_doctype,
        .serror = on_xml_error,
    };
    s->context = fm_xml_parser_create(data, size, &handler, XML_PARSE_NOENT | XML_PARSE_COMPACT, s);
    if (!s->context) {
        fail(s, FM_ERR_MEMORY, 0, "libxml2 cannot create a parser");
        return;
    }
    xmlParseDocument(s->context);
    if (!s->context->wellFormed && s->reader->status == FM_OK)
        fail(s, FM_ERR_SYNTAX, 0, "not well-formed XML");
    xmlFreeDoc(s->context->myDoc);
    xmlFreeParserCtxt(s->context);
    s->context = NULL;
    s->reader->depth -= s->own_depth; /* what an aborted file left open */
}

static void check_and_parse(source *s, const char *data, size_t size)
{
    const char *nul = memchr(data, 0, size);
    if (size == 0)
        fail(s, FM_ERR_SYNTAX, 0, "the file is empty: must be XML");
    else if (nul)
        fail(s, FM_ERR_SYNTAX, 0, "byte %zu is NUL: must be XML in UTF-8", (size_t)(nul - data));
    else if (fm_tree_note_file(s->reader->tree, s->name, data, size) != FM_OK)
        fail(s, FM_ERR_MEMORY, 0, "out of memory for the text of the file");
    else
        parse_source(s, data, size);
}

/* The bytes of a file in *data (fm_alloc), with all checks. */
static void load_file(source *s, const char *path, int line, char **data, size_t *size)
{
    struct stat info;
    FILE *file = NULL;
    *data = NULL;
    if (stat(path, &info) != 0)
        fail(s, FM_ERR_FILE, line, "cannot read '%.300s': %s", path, strerror(errno));
    else if (!S_ISREG(info.st_mode))
        fail(s, FM_ERR_FILE, line, "cannot read '%.300s': not a regular file", path);
    else if (info.st_size > FM_TREE_FILE_SIZE)
        fail(s, FM_ERR_FILE, line, "'%.300s' has %lld bytes: must be at most %d", path, (long long)info.st_size,
             FM_TREE_FILE_SIZE);
    else if (!(file = fopen(path, "rb")))
        fail(s, FM_ERR_FILE, line, "cannot read '%.300s': %s", path, strerror(errno));
    else if (!(*data = fm_alloc((size_t)info.st_size + 1)))
        fail(s, FM_ERR_MEMORY, line, "out of memory for '%.300s'", path);
    else
        *size = fread(*data, 1, (size_t)info.st_size, file);
    if (*data && ferror(file)) {
        fail(s, FM_ERR_FILE, line, "cannot read '%.300s': %s", path, strerror(errno));
        fm_free(*data);
        *data = NULL;
    }
    if (file)
        fclose(file);
}

/* `by` is the file named when the file cannot be opened: the including file, or the file itself. */
static void read_source(source *s, source *by, int line)
{
    char *data = NULL;
    size_t size = 0;
    s->real = realpath(s->name, NULL);
    for (const source *open = s->from; open && s->real; open = open->from) {
        if (open->real && strcmp(open->real, s->real) == 0) {
            fail(by, FM_ERR_FILE, line, "'%.300s' includes itself", s->name);
            free(s->real);
            return;
        }
    }
    load_file(by, s->name, line, &data, &size);
    if (data)
        check_and_parse(s, data, size);
    fm_free(data);
    free(s->real);
}

static void read_include(source *s, const char *path, int line)
{
    reader *r = s->reader;
    fm_value value;
    fm_error error = {0};
    const fm_attr file_attr = {.name = "file", .type = FM_ATTR_FILE, .unit = ""};
    fm_status status = fm_value_parse(&r->tree->arena, &file_attr, path, s->name, line, &value, &error);
    if (status != FM_OK) {
        fail(s, status, line, "file of <include>: %s", error.text);
        return;
    }
    int depth = 0;
    for (const source *open = s; open; open = open->from)
        depth++;
    if (depth > FM_TREE_INCLUDE_DEPTH || ++r->includes > FM_TREE_INCLUDES) {
        fail(s, FM_ERR_FILE, line, "too many includes: at most %d inside each other and %d in all",
             FM_TREE_INCLUDE_DEPTH, FM_TREE_INCLUDES);
        stop(s);
        return;
    }
    source inner = {.reader = r, .name = value.text, .from = s, .node = s->node, .fragment = true};
    const size_t before = r->report ? r->report->count : 0;
    read_source(&inner, s, line);
    s->node->broken |= r->report && r->report->count > before;
    if (inner.stopped && (fm_report_full(r->report) || r->status == FM_ERR_MEMORY))
        stop(s);
}

/* ---- entry points ---- */

static fm_status finish(reader *r)
{
    if (r->status == FM_OK && !r->tree->root)
        r->status = fm_report_add(r->report, FM_ERR_SYNTAX, NULL, 0, "no <%s> element was found", r->root->name);
    if (!r->tree->root || r->status == FM_ERR_MEMORY || (r->flags & FM_READ_PARTIAL))
        return r->status;
    fm_status status = fm_node_complete(r->tree, r->tree->root, r->report);
    return r->status ? r->status : status;
}

static pthread_once_t libxml_ready = PTHREAD_ONCE_INIT; /* libxml2 must be initialised once, before threads use it */

static fm_status start(source *s, const char *name, const fm_registry *registry)
{
    pthread_once(&libxml_ready, xmlInitParser);
    s->reader->tree->registry = registry;
    s->name = fm_arena_text(&s->reader->tree->arena, name ? name : "");
    if (!s->name)
        return fm_report_add(s->reader->report, FM_ERR_MEMORY, name, 0, "out of memory");
    return FM_OK;
}

fm_status fm_tree_read(fm_tree *tree, const char *path, const fm_element *root, const fm_registry *registry,
                       unsigned flags, fm_report *report)
{
    reader r = {.tree = tree, .report = report, .root = root, .flags = flags};
    source s = {.reader = &r};
    fm_status status = start(&s, path, registry);
    if (status != FM_OK)
        return status;
    read_source(&s, &s, 0);
    return finish(&r);
}

fm_status fm_tree_read_memory(fm_tree *tree, const char *data, size_t size, const char *name, const fm_element *root,
                              const fm_registry *registry, unsigned flags, fm_report *report)
{
    reader r = {.tree = tree, .report = report, .root = root, .flags = flags};
    source s = {.reader = &r};
    fm_status status = start(&s, name, registry);
    if (status != FM_OK)
        return status;
    if (size > FM_TREE_FILE_SIZE)
        return fm_report_add(report, FM_ERR_FILE, name, 0, "%zu bytes: must be at most %d", size, FM_TREE_FILE_SIZE);
    check_and_parse(&s, data, size);
    return finish(&r);
}
