/* The reference page: one section per element, in Markdown. */
#include "scenario/schema.h"

#include <string.h>

/* Text inside a cell of a table. */
static void add_cell(fm_text *out, const char *text)
{
    for (; text && *text; text++) {
        if (*text == '|')
            fm_text_add(out, "\\|");
        else if (*text == '<')
            fm_text_add(out, "&lt;");
        else
            fm_text_add(out, "%c", *text == '\n' ? ' ' : *text);
    }
    fm_text_add(out, " | ");
}

static void add_form(fm_text *out, const fm_attr *attr)
{
    char type[64];
    if (attr->type == FM_ATTR_CHOICE) {
        for (size_t i = 0; attr->choices[i]; i++)
            fm_text_add(out, "%s`%s`", i ? ", " : "", attr->choices[i]);
    } else
        fm_text_add(out, "%s", fm_attr_type_write(attr, type, sizeof type));
    if (attr->unit && *attr->unit)
        fm_text_add(out, ", %s", attr->unit);
    if (attr->flags & FM_ATTR_LIVE)
        fm_text_add(out, ", live");
    fm_text_add(out, " | ");
}

static void add_attribute(fm_text *out, const fm_attr *attr)
{
    char range[160];
    fm_text_add(out, "| `%s` | ", attr->name);
    add_form(out, attr);
    if (attr->flags & FM_ATTR_REQUIRED)
        fm_text_add(out, "required | ");
    else
        add_cell(out, attr->fallback);
    add_cell(out, fm_range_write(attr, range, sizeof range));
    add_cell(out, attr->text);
    out->length -= out->length && !out->failed ? 1 : 0; /* no space at the end of a line */
    fm_text_add(out, "\n");
}

static bool accepts(const fm_element *parent, const fm_registry *registry, const fm_element *child)
{
    fm_accepted accepted = {0};
    while (fm_accepted_next(parent, registry, &accepted))
        if (accepted.element == child)
            return true;
    return false;
}

static void add_places(fm_text *out, const fm_registry *registry, const fm_element *const *list, size_t count,
                       const fm_element *element)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (!accepts(list[i], registry, element))
            continue;
        fm_text_add(out, "%s`<%s>`", any ? ", " : "Inside: ", list[i]->name);
        any = true;
    }
    if (!any) {
        fm_text_add(out, "The root of a file.\n\n");
        return;
    }
    bool once = element->flags & FM_ELEMENT_ONCE, needed = element->flags & FM_ELEMENT_REQUIRED;
    fm_text_add(out, "; %s.\n\n",
                once && needed ? "exactly once"
                : once         ? "at most once"
                : needed       ? "at least once"
                               : "any number");
}

static void add_contents(fm_text *out, const fm_registry *registry, const fm_element *element)
{
    fm_accepted accepted = {0};
    bool any = false;
    while (fm_accepted_next(element, registry, &accepted)) {
        fm_text_add(out, "%s`<%s>`", any ? ", " : "Contains: ", accepted.element->name);
        any = true;
    }
    fm_text_add(out, any ? ".\n\n" : "");
}

static void add_section(fm_text *out, const fm_registry *registry, const fm_element *const *list, size_t count,
                        const fm_element *element)
{
    fm_text_add(out, "## `<%s>`\n\n%s\n\n", element->name, element->text ? element->text : "");
    add_places(out, registry, list, count, element);
    add_contents(out, registry, element);
    if (element->attr_count) {
        fm_text_add(out, "| attribute | value | default | accepted | meaning |\n|---|---|---|---|---|\n");
        for (size_t i = 0; i < element->attr_count; i++)
            add_attribute(out, &element->attrs[i]);
        fm_text_add(out, "\n");
    }
    if (element->flags & FM_ELEMENT_OPEN)
        fm_text_add(out, "Further attributes are accepted; see the text.\n\n");
}

fm_status fm_manual_write(const fm_element *root, const fm_registry *registry, fm_text *out, fm_error *error)
{
    const fm_element **list = fm_alloc(FM_SCHEMA_ELEMENTS * sizeof *list);
    if (!list)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for the reference page");
    size_t count = fm_elements_collect(root, registry, list);
    fm_text_add(out, "# Elements and attributes\n\nEvery number has its unit behind it (`7.302 ft`, `0 0 10 m`, "
                     "`45 deg`); a bare number stands only where there is no dimension. `<include file=\"…\"/>` puts "
                     "the children of another file's `<fragment>` in its place.\n\n");
    for (size_t i = 0; i < count; i++)
        add_section(out, registry, list, count, list[i]);
    fm_free(list);
    return out->failed ? fm_fail(error, FM_ERR_MEMORY, "out of memory for the reference page") : FM_OK;
}
