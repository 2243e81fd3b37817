#include "imports/foreign_xml.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/xml.h"

typedef struct reader {
    fm_arena *arena;
    const char *file;
    xmlParserCtxtPtr context;
    fm_foreign *root, *at;
    fm_text text; /* of the element at hand, since its last child */
    int depth;
    size_t count;
    fm_error *error;
    fm_status status;
} reader;

static void refuse(reader *r, fm_status status, int line, const char *text)
{
    if (r->status != FM_OK)
        return;
    r->status = fm_fail_at(r->error, status, r->file, line, "%s", text);
    xmlStopParser(r->context);
}

static int line_of(const reader *r)
{
    return r->context->input ? r->context->input->line : 0;
}

/* A copy of a part of a text without spaces at both ends. */
static const char *trimmed(reader *r, const char *text, size_t length)
{
    while (length && isspace((unsigned char)*text))
        text++, length--;
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    char *copy = fm_arena_alloc(r->arena, length + 1);
    if (!copy)
        refuse(r, FM_ERR_MEMORY, 0, "out of memory");
    else if (length)
        memcpy(copy, text, length);
    return copy ? copy : "";
}

static const char *joined(reader *r, const xmlChar *prefix, const xmlChar *name)
{
    const size_t before = prefix ? strlen((const char *)prefix) + 1 : 0, length = strlen((const char *)name);
    char *text = fm_arena_alloc(r->arena, before + length + 1);
    if (!text) {
        refuse(r, FM_ERR_MEMORY, 0, "out of memory");
        return "";
    }
    if (prefix) {
        memcpy(text, prefix, before - 1);
        text[before - 1] = ':';
    }
    memcpy(text + before, name, length);
    return text;
}

static void add_attributes(reader *r, fm_foreign *element, int count, const xmlChar **list)
{
    fm_foreign_attr **link = &element->attrs;
    for (int i = 0; i < count && r->status == FM_OK; i++, list += 5) {
        *link = fm_arena_alloc(r->arena, sizeof **link);
        if (!*link) {
            refuse(r, FM_ERR_MEMORY, 0, "out of memory");
            return;
        }
        (*link)->name = joined(r, list[1], list[0]);
        (*link)->value = trimmed(r, (const char *)list[3], (size_t)(list[4] - list[3]));
        link = &(*link)->next;
    }
}

/* Text before and between children counts as one. */
static void end_text(reader *r)
{
    if (r->text.failed)
        refuse(r, FM_ERR_MEMORY, 0, "out of memory");
    else if (r->at && r->text.length) {
        const char *own = trimmed(r, r->text.data, r->text.length);
        if (*own && !*r->at->text)
            r->at->text = own;
    }
    r->text.length = 0;
}

static void on_start(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces,
                     const xmlChar **declared, int count, int defaulted, const xmlChar **attributes)
{
    reader *r = ((xmlParserCtxtPtr)data)->_private;
    (void)uri, (void)namespaces, (void)declared, (void)defaulted;
    end_text(r);
    if (r->status != FM_OK)
        return;
    if (++r->depth > FM_FOREIGN_DEPTH_MOST || ++r->count > FM_FOREIGN_ELEMENTS_MOST) {
        refuse(r, FM_ERR_RANGE, line_of(r), "too many elements: must be up to 200 inside each other and 50000 in all");
        return;
    }
    fm_foreign *element = fm_arena_alloc(r->arena, sizeof *element);
    if (!element) {
        refuse(r, FM_ERR_MEMORY, 0, "out of memory");
        return;
    }
    *element =
        (fm_foreign){.name = joined(r, prefix, name), .text = "", .file = r->file, .line = line_of(r), .parent = r->at};
    add_attributes(r, element, count, attributes);
    if (!r->at)
        r->root = element;
    else if (r->at->last)
        r->at->last->next = element;
    else
        r->at->first = element;
    if (r->at)
        r->at->last = element;
    r->at = element;
}

static void on_end(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    reader *r = ((xmlParserCtxtPtr)data)->_private;
    (void)name, (void)prefix, (void)uri;
    end_text(r);
    if (r->status != FM_OK || !r->at)
        return;
    r->depth--;
    r->at = r->at->parent;
}

static void on_text(void *data, const xmlChar *text, int length)
{
    reader *r = ((xmlParserCtxtPtr)data)->_private;
    if (r->status == FM_OK && r->at)
        fm_text_add(&r->text, "%.*s", length, (const char *)text);
}

static void on_doctype(void *data, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
    reader *r = ((xmlParserCtxtPtr)data)->_private;
    (void)name, (void)external, (void)system;
    refuse(r, FM_ERR_SYNTAX, line_of(r), "a document type (<!DOCTYPE …>) is not allowed");
}

/* Prefixes without a declaration are usual in SDF. */
static void on_xml_error(void *data, xmlErrorPtr xml)
{
    reader *r = ((xmlParserCtxtPtr)data)->_private;
    char text[300], whole[340];
    if (xml->level == XML_ERR_WARNING || xml->domain == XML_FROM_NAMESPACE || r->status != FM_OK)
        return;
    snprintf(text, sizeof text, "%s", xml->message ? xml->message : "unknown reason");
    text[strcspn(text, "\n")] = 0;
    fm_text_clean(text);
    snprintf(whole, sizeof whole, "not well-formed XML: %s", text);
    if (xml->code == XML_ERR_NO_MEMORY)
        refuse(r, FM_ERR_MEMORY, xml->line, "out of memory in libxml2");
    else
        refuse(r, FM_ERR_SYNTAX, xml->line, whole);
}

static void parse(reader *r, const char *text, size_t size)
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
    r->context = fm_xml_parser_create(text, size, &handler, XML_PARSE_COMPACT, r);
    if (!r->context) {
        r->status = fm_fail_at(r->error, FM_ERR_MEMORY, r->file, 0, "libxml2 cannot create a parser");
        return;
    }
    xmlParseDocument(r->context);
    if (!r->context->wellFormed)
        refuse(r, FM_ERR_SYNTAX, 0, "not well-formed XML");
    xmlFreeDoc(r->context->myDoc);
    xmlFreeParserCtxt(r->context);
}

fm_foreign *fm_foreign_parse(fm_arena *arena, const char *file, const char *text, size_t size, fm_error *error)
{
    reader r = {.arena = arena, .file = fm_arena_text(arena, file), .error = error};
    if (!r.file) {
        fm_fail(error, FM_ERR_MEMORY, "out of memory");
        return NULL;
    }
    if (size == 0 || size > FM_FOREIGN_BYTES_MOST) {
        fm_fail_at(error, FM_ERR_RANGE, r.file, 0, "has %zu bytes: must be XML with 1 to %d", size,
                   FM_FOREIGN_BYTES_MOST);
        return NULL;
    }
    if (memchr(text, 0, size)) {
        fm_fail_at(error, FM_ERR_SYNTAX, r.file, 0, "contains a zero byte: must be XML");
        return NULL;
    }
    parse(&r, text, size);
    fm_text_free(&r.text);
    return r.status == FM_OK ? r.root : NULL;
}

/* ---- finding ---- */

static const char *bare(const char *name)
{
    const char *colon = strchr(name, ':');
    return colon ? colon + 1 : name;
}

bool fm_foreign_is(const fm_foreign *element, const char *name)
{
    return strcmp(bare(element->name), name) == 0;
}

fm_foreign *fm_foreign_next(fm_foreign *parent, const char *name, fm_foreign *previous)
{
    fm_foreign *child = previous ? previous->next : parent ? parent->first : NULL;
    while (child && !fm_foreign_is(child, name))
        child = child->next;
    if (child)
        child->read = true;
    return child;
}

fm_foreign *fm_foreign_child(fm_foreign *parent, const char *name)
{
    return fm_foreign_next(parent, name, NULL);
}

const char *fm_foreign_attr_get(fm_foreign *element, const char *name)
{
    for (fm_foreign_attr *attr = element ? element->attrs : NULL; attr; attr = attr->next)
        if (strcmp(bare(attr->name), name) == 0) {
            attr->read = true;
            return attr->value;
        }
    return NULL;
}

void fm_foreign_accept(fm_foreign *element)
{
    element->read = true;
    for (fm_foreign_attr *attr = element->attrs; attr; attr = attr->next)
        attr->read = true;
    for (fm_foreign *child = element->first; child; child = child->next)
        fm_foreign_accept(child);
}
