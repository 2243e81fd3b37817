/* The reference in Markdown: an index by task, and pages with one section per element. Elements and equation ids are
 * links. */
#include "scenario/schema.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct page {
    fm_text *out;
    const fm_registry *registry;
    const fm_element **list;
    size_t count;
    size_t number; /* of this page; fm_manual_page_count: the index */
} page;

/* --- pages --- */

/* A page has the elements of a registry group, or those below an element, and everything below them that is on no other
 * page. */
static const struct {
    const char *name, *title, *group, *below;
    int itself; /* the parent element is on this page too */
} pages[] = {
    {"scenario", "Files, worlds and vehicles", "root", "fathom", 1},
    {"sea", "The sea", "surroundings", "world", 0},
    {"vehicle", "Hull, actuators and orders", NULL, "vehicle", 0},
    {"body", "Mass, hydrodynamics and kinds of bodies", "kind", NULL, 0},
    {"sensors", "Sensors", "sensor", NULL, 0},
    {"control", "Navigation, guidance and control", "controller", NULL, 0},
    {"forces", "Force terms", "force", NULL, 0},
    {"look", "Appearance", NULL, "look", 1},
    {"bridges", "Bridges to other programs", "bridge", NULL, 0},
};

size_t fm_manual_page_count(void)
{
    return sizeof pages / sizeof *pages;
}

const char *fm_manual_page_name(size_t i)
{
    return i < fm_manual_page_count() ? pages[i].name : "README";
}

/* --- links --- */

static bool accepts(const page *p, const fm_element *parent, const fm_element *child)
{
    fm_accepted accepted = {0};
    while (fm_accepted_next(parent, p->registry, &accepted))
        if (accepted.element == child)
            return true;
    return false;
}

static bool is_registered(const fm_registry *registry, const char *group, const fm_element *element)
{
    const fm_registered *part = NULL;
    while (group && (part = fm_registry_next(registry, group, part)))
        if (part->element == element)
            return true;
    return false;
}

/* The page that an element is on. Its parents are before it in the list. */
static size_t page_of(const page *p, const fm_element *element)
{
    for (size_t i = 0; i < fm_manual_page_count(); i++)
        if (is_registered(p->registry, pages[i].group, element) ||
            (pages[i].itself && strcmp(pages[i].below, element->name) == 0))
            return i;
    for (size_t k = 0; k < p->count && p->list[k] != element; k++) {
        if (!accepts(p, p->list[k], element))
            continue;
        for (size_t i = 0; i < fm_manual_page_count(); i++)
            if (pages[i].below && strcmp(pages[i].below, p->list[k]->name) == 0)
                return i;
        return page_of(p, p->list[k]);
    }
    return 0;
}

/* The first element that may contain this one if others have the same name; NULL: its name, or its kind, is
 * sufficient. */
static const fm_element *owner_to_name(const page *p, const fm_element *element)
{
    size_t same = 0;
    if (element->kind)
        return NULL;
    for (size_t i = 0; i < p->count; i++)
        same += strcmp(p->list[i]->name, element->name) == 0;
    for (size_t i = 0; i < p->count && same > 1; i++)
        if (accepts(p, p->list[i], element))
            return p->list[i];
    return NULL;
}

/* Writes "depth", "autopilot-depth" if several are called <depth>, or "bridge-dis" for <bridge kind="dis">. */
static const char *write_anchor(const page *p, const fm_element *element, char *buffer, size_t size)
{
    const fm_element *owner = owner_to_name(p, element);
    snprintf(buffer, size, "%s%s%s%s%s", owner ? owner->name : "", owner ? "-" : "", element->name,
             element->kind ? "-" : "", element->kind ? element->kind : "");
    return buffer;
}

/* `<depth>`, or `<bridge kind="dis">`. */
static void add_tag(const page *p, const fm_element *element)
{
    if (element->kind)
        fm_text_add(p->out, "`<%s kind=\"%s\">`", element->name, element->kind);
    else
        fm_text_add(p->out, "`<%s>`", element->name);
}

static void add_link(const page *p, const fm_element *element)
{
    char anchor[128];
    fm_text_add(p->out, "[");
    add_tag(p, element);
    size_t number = page_of(p, element);
    fm_text_add(p->out, "](%s%s#%s)", number == p->number ? "" : pages[number].name, number == p->number ? "" : ".md",
                write_anchor(p, element, anchor, sizeof anchor));
}

static const fm_element *find_anchor(const page *p, const char *wanted, size_t length)
{
    char anchor[128];
    for (size_t i = 0; i < p->count; i++) {
        write_anchor(p, p->list[i], anchor, sizeof anchor);
        if (strlen(anchor) == length && strncmp(anchor, wanted, length) == 0)
            return p->list[i];
    }
    return NULL;
}

/* The page of docs/theory with the equations whose ids begin with this character; NULL: none. */
static const char *page_of_equation(char first)
{
    static const struct {
        const char *letters, *page;
    } theory[] = {{"6", "phoenix"}, {"C", "control"},     {"R", "remus"},  {"O", "ocean"},    {"SXDWML", "snookie"},
                  {"HEBF", "fish"}, {"I", "instruments"}, {"T", "tether"}, {"A", "acoustics"}};
    for (size_t i = 0; i < sizeof theory / sizeof *theory; i++)
        if (strchr(theory[i].letters, first))
            return theory[i].page;
    return NULL;
}

/* The length of "(C12)" at the start of a text; 0 if it does not start with an equation id. */
static size_t equation_length(const char *text)
{
    size_t n = 2;
    if (text[0] != '(' || !text[1] || !page_of_equation(text[1]) || (text[1] == '6' && text[2] != '.'))
        return 0;
    for (size_t digits = 0; isdigit((unsigned char)text[n]) || (text[n] == '.' && digits < n); n++)
        digits += text[n] != '.';
    if (n == 2)
        return 0;
    n += islower((unsigned char)text[n]) ? 1 : 0;
    return text[n] == ')' ? n + 1 : 0;
}

static void add_equation(fm_text *out, const char *text, size_t length)
{
    fm_text_add(out, "[%.*s](../theory/%s.md#", (int)length, text, page_of_equation(text[1]));
    for (size_t i = 1; i + 1 < length; i++)
        fm_text_add(out, "%c", text[i] == '.' ? '-' : tolower((unsigned char)text[i]));
    fm_text_add(out, ")");
}

/* The length of "<name>" at the start of a text; 0 if it does not start with one. */
static size_t tag_length(const char *text)
{
    size_t n = strspn(text + 1, "abcdefghijklmnopqrstuvwxyz-");
    return text[0] == '<' && n && text[n + 1] == '>' ? n + 2 : 0;
}

/* Text from a table of elements, with its equations as links and its elements as code. */
static void add_prose(fm_text *out, const char *text)
{
    while (text && *text) {
        size_t equation = equation_length(text), tag = tag_length(text), length = equation + tag ? equation + tag : 1;
        if (equation)
            add_equation(out, text, length);
        else if (tag)
            fm_text_add(out, "`%.*s`", (int)length, text);
        else if (*text == '|')
            fm_text_add(out, "\\|");
        else if (*text == '<')
            fm_text_add(out, "&lt;");
        else
            fm_text_add(out, "%c", *text == '\n' ? ' ' : *text);
        text += length;
    }
}

/* --- attributes --- */

static void add_cell(fm_text *out, const char *text)
{
    add_prose(out, text);
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

/* --- coefficients, of which there are hundreds, as one rule --- */

static const char rows[] = "XYZKMN";

/* The product of velocities in "X_uv"; NULL if the name is not such a coefficient. */
static const char *product_of(const fm_attr *attr)
{
    return strchr(rows, attr->name[0]) && attr->name[1] == '_' ? attr->name + 2 : NULL;
}

static const fm_attr *find_coefficient(const fm_element *element, char row, const char *product)
{
    for (size_t i = 0; i < element->attr_count; i++)
        if (element->attrs[i].name[0] == row && product_of(&element->attrs[i]) &&
            strcmp(product_of(&element->attrs[i]), product) == 0)
            return &element->attrs[i];
    return NULL;
}

/* Whether the coefficient of this product exists in all six equations. */
static bool stands_in_all_rows(const fm_element *element, const char *product)
{
    for (const char *row = rows; *row; row++)
        if (!find_coefficient(element, *row, product))
            return false;
    return true;
}

static bool is_folded(const fm_element *element, const fm_attr *attr)
{
    return product_of(attr) && stands_in_all_rows(element, product_of(attr));
}

static bool same_units(const fm_element *element, const fm_attr *x, const fm_attr *other)
{
    const char *moment = find_coefficient(element, 'K', product_of(x))->unit,
               *other_moment = find_coefficient(element, 'K', product_of(other))->unit;
    return strcmp(x->unit, other->unit) == 0 && strcmp(moment, other_moment) == 0;
}

/* The products whose coefficients have the units of the first one, in one row; nothing if an earlier row has it. */
static void add_products(fm_text *out, const fm_element *element, size_t first)
{
    const fm_attr *x = &element->attrs[first];
    for (size_t i = 0; i < first; i++)
        if (element->attrs[i].name[0] == 'X' && is_folded(element, &element->attrs[i]) &&
            same_units(element, x, &element->attrs[i]))
            return;
    for (size_t i = first; i < element->attr_count; i++)
        if (element->attrs[i].name[0] == 'X' && is_folded(element, &element->attrs[i]) &&
            same_units(element, x, &element->attrs[i]))
            fm_text_add(out, "%s`%s`", i == first ? "| " : " ", product_of(&element->attrs[i]));
    const char *moment = find_coefficient(element, 'K', product_of(x))->unit;
    fm_text_add(out, " | %s | %s |\n", *x->unit ? x->unit : "none", *moment ? moment : "none");
}

static void add_coefficients(fm_text *out, const fm_element *element)
{
    const fm_attr *first = NULL;
    for (size_t i = 0; i < element->attr_count; i++) {
        const fm_attr *attr = &element->attrs[i];
        if (attr->name[0] != 'X' || !is_folded(element, attr))
            continue;
        if (!first)
            fm_text_add(out,
                        "Further attributes are EQUATION_PRODUCT: `X_`, `Y_`, `Z_` (forces) or `K_`, `M_`, `N_` "
                        "(moments), followed by one of these. `%s`, for one, is the %s. What is not written is 0.\n\n| "
                        "product | unit of `X_`, `Y_`, `Z_` | unit of `K_`, `M_`, `N_` |\n|---|---|---|\n",
                        attr->name, attr->text);
        first = attr;
        add_products(out, element, i);
    }
    fm_text_add(out, first ? "\n" : "");
}

/* --- sections --- */

static void add_parents(const page *p, const fm_element *element)
{
    bool any = false;
    for (size_t i = 0; i < p->count; i++) {
        if (!accepts(p, p->list[i], element))
            continue;
        fm_text_add(p->out, any ? ", " : "Inside: ");
        add_link(p, p->list[i]);
        any = true;
    }
    if (!any) {
        fm_text_add(p->out, "The root of a file.\n\n");
        return;
    }
    bool once = element->flags & FM_ELEMENT_ONCE, needed = element->flags & FM_ELEMENT_REQUIRED;
    fm_text_add(p->out, "; %s.\n\n",
                once && needed ? "exactly once"
                : once         ? "at most once"
                : needed       ? "at least once"
                               : "any number");
}

static void add_contents(const page *p, const fm_element *element)
{
    fm_accepted accepted = {0};
    bool any = false;
    while (fm_accepted_next(element, p->registry, &accepted)) {
        fm_text_add(p->out, any ? ", " : "Contains: ");
        add_link(p, accepted.element);
        any = true;
    }
    fm_text_add(p->out, any ? ".\n\n" : "");
}

/* --- attributes shared by many elements of a page --- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool has_attribute(const fm_element *element, const fm_attr *attr)
{
    for (size_t i = 0; i < element->attr_count; i++) {
        const fm_attr *a = &element->attrs[i];
        if (same_text(a->name, attr->name) && a->type == attr->type && a->flags == attr->flags &&
            a->count == attr->count && same_text(a->unit, attr->unit) && same_text(a->fallback, attr->fallback) &&
            same_text(a->text, attr->text) && a->min <= attr->min && a->min >= attr->min && a->max <= attr->max &&
            a->max >= attr->max)
            return true;
    }
    return false;
}

/* Whether enough elements of this page have the attribute for a row of its own. */
static bool is_common(const page *p, const fm_attr *attr)
{
    enum { MANY = 8 };
    size_t count = 0;
    for (size_t i = 0; i < p->count; i++)
        count += has_attribute(p->list[i], attr) && page_of(p, p->list[i]) == p->number;
    return count >= MANY;
}

static const char attribute_head[] = "| attribute | value | default | accepted | meaning |\n|---|---|---|---|---|\n";

/* Whether an element of this page before the given one has the attribute. */
static bool is_listed(const page *p, size_t element, const fm_attr *attr)
{
    for (size_t i = 0; i < element; i++)
        if (page_of(p, p->list[i]) == p->number && has_attribute(p->list[i], attr))
            return true;
    return false;
}

static void add_common(const page *p)
{
    bool any = false;
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = 0; page_of(p, p->list[i]) == p->number && k < p->list[i]->attr_count; k++) {
            const fm_attr *attr = &p->list[i]->attrs[k];
            if (is_folded(p->list[i], attr) || !is_common(p, attr) || is_listed(p, i, attr))
                continue;
            if (!any)
                fm_text_add(p->out,
                            "## <a id=\"common\"></a>Common attributes\n\nMany elements of this page have these. "
                            "Each names those that it has.\n\n%s",
                            attribute_head);
            any = true;
            add_attribute(p->out, attr);
        }
    fm_text_add(p->out, any ? "\n" : "");
}

static void add_common_names(const page *p, const fm_element *element)
{
    bool any = false;
    for (size_t i = 0; i < element->attr_count; i++) {
        const fm_attr *attr = &element->attrs[i];
        if (is_folded(element, attr) || !is_common(p, attr))
            continue;
        fm_text_add(p->out, "%s`%s`", any ? ", " : "[Common](#common): ", attr->name);
        if (attr->unit && *attr->unit)
            fm_text_add(p->out, " (%s)", attr->unit);
        any = true;
    }
    fm_text_add(p->out, any ? ".\n\n" : "");
}

static void add_attributes(const page *p, const fm_element *element)
{
    bool any = false;
    for (size_t i = 0; i < element->attr_count; i++) {
        if (is_folded(element, &element->attrs[i]) || is_common(p, &element->attrs[i]))
            continue;
        fm_text_add(p->out, "%s", any ? "" : attribute_head);
        any = true;
        add_attribute(p->out, &element->attrs[i]);
    }
    fm_text_add(p->out, any ? "\n" : "");
    add_common_names(p, element);
}

static void add_section(const page *p, const fm_element *element)
{
    char anchor[128];
    const fm_element *owner = owner_to_name(p, element);
    fm_text_add(p->out, "## <a id=\"%s\"></a>", write_anchor(p, element, anchor, sizeof anchor));
    add_tag(p, element);
    if (owner)
        fm_text_add(p->out, " of `<%s>`", owner->name);
    fm_text_add(p->out, "\n\n");
    add_prose(p->out, element->text);
    fm_text_add(p->out, "\n\n");
    add_parents(p, element);
    add_contents(p, element);
    add_attributes(p, element);
    add_coefficients(p->out, element);
    if (element->flags & FM_ELEMENT_OPEN)
        fm_text_add(p->out, "Further attributes are accepted; see the text.\n\n");
}

/* --- index --- */

/* Groups related elements, by anchors. */
static const struct {
    const char *task, *elements;
} tasks[] = {
    {"A torpedo, by propeller and fins: `models/remus-100.xml`, `scenarios/lauv-survey.xml`",
     "mass component buoyancy added-mass hydrodynamics drag cross-flow spheroid propeller fin moving-mass ballast hull "
     "battery autopilot waypoints navigation"},
    {"An ROV, by thrusters: `models/bluerov2.xml`, `models/bluerov2-heavy.xml`, `scenarios/bluerov2-hover.xml`",
     "mass buoyancy added-mass-matrix drag thruster tunnel-thruster hull tether autopilot station hover camera"},
    {"A surface craft or a buoy: `models/otter.xml`, `models/heron.xml`, `models/kvlcc2.xml`, "
     "`scenarios/otter-harbour.xml`, `scenarios/wavesim-trio.xml`",
     "mass float drag propeller wind-area waves jonswap wind autopilot tether"},
    {"A fish: `models/robotic-fish.xml`, `scenarios/fish-pool.xml`",
     "fish fish-wave swimming servo-table fish-body section fish-brain free-swimming trajectory pursuit seek pool "
     "water-noise "
     "coverage"},
    {"The sea", "world water current waves wind bottom wall column sphere box pool"},
    {"Knowing where one is", "navigation vehicle-depth vehicle-pressure compass imu ins dvl speed-log gps ctd"},
    {"Seeing", "echosounder sonar infrared multibeam scanning-sonar profiling-sonar side-scan camera mine-sonar "
               "lateral-line bumper"},
    {"Steering ([tuning](../scenarios.md#tuning-an-autopilot))",
     "orders mission waypoints station autopilot bottom-following avoid planner reflex hover-pd fish-brain"},
    {"Limits, damage and measures", "limits contact battery faults leak turning-circle zigzag-test coverage"},
};

static void add_task(const page *p, const char *task, const char *elements)
{
    fm_text_add(p->out, "| %s | ", task);
    for (const char *at = elements; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        const fm_element *found = find_anchor(p, at, length);
        if (found)
            add_link(p, found);
        else
            fm_text_add(p->out, "`<%.*s>`", (int)length, at);
        fm_text_add(p->out, " ");
        at += length;
    }
    fm_text_add(p->out, "|\n");
}

static int by_name(const void *a, const void *b)
{
    const fm_element *const *x = a, *const *y = b;
    int order = strcmp((*x)->name, (*y)->name);
    return order || !(*x)->kind || !(*y)->kind ? order : strcmp((*x)->kind, (*y)->kind);
}

static void add_pages(const page *p)
{
    fm_text_add(p->out, "\n| page | elements |\n|---|---|\n");
    for (size_t i = 0; i < fm_manual_page_count(); i++) {
        size_t count = 0;
        for (size_t k = 0; k < p->count; k++)
            count += page_of(p, p->list[k]) == i;
        fm_text_add(p->out, "| [%s](%s.md) | %zu |\n", pages[i].title, pages[i].name, count);
    }
}

/* `sorted` has space for all elements. */
static void add_index(const page *p, const fm_element **sorted)
{
    fm_text_add(p->out, "| to build | elements |\n|---|---|\n");
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++)
        add_task(p, tasks[i].task, tasks[i].elements);
    add_pages(p);
    memcpy(sorted, p->list, p->count * sizeof *sorted);
    qsort(sorted, p->count, sizeof *sorted, by_name);
    fm_text_add(p->out, "\n## All elements\n\n");
    for (size_t i = 0; i < p->count; i++) {
        const fm_element *owner = owner_to_name(p, sorted[i]);
        if (i)
            fm_text_add(p->out, sorted[i]->name[0] == sorted[i - 1]->name[0] ? ", " : "\n\n");
        add_link(p, sorted[i]);
        if (owner)
            fm_text_add(p->out, " of `<%s>`", owner->name);
    }
    fm_text_add(p->out, "\n");
}

fm_status fm_manual_write(const fm_element *root, const fm_registry *registry, size_t number, fm_text *out,
                          fm_error *error)
{
    const fm_element **list = fm_alloc(2 * FM_SCHEMA_ELEMENTS * sizeof *list);
    if (!list)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for the reference");
    page p = {out, registry, list, fm_elements_collect(root, registry, list), number};
    if (number < fm_manual_page_count()) {
        fm_text_add(out, "# %s\n\n", pages[number].title);
        add_common(&p);
        for (size_t i = 0; i < p.count; i++)
            if (page_of(&p, list[i]) == number)
                add_section(&p, list[i]);
        if (out->length && !out->failed)
            out->data[--out->length] = 0; /* no empty line at the end */
    } else {
        fm_text_add(out, "# Elements and attributes\n\nEvery number is followed by its unit (`7.302 ft`, `0 0 10 m`, "
                         "`45 deg`); a number without a unit is valid only for a quantity without a dimension. "
                         "`<include file=\"…\"/>` is replaced by the children of another file's `<fragment>`. Ids such "
                         "as (C12) lead to the [theory](../theory/README.md).\n\n");
        add_index(&p, list + FM_SCHEMA_ELEMENTS);
    }
    fm_free(list);
    return out->failed ? fm_fail(error, FM_ERR_MEMORY, "out of memory for the reference") : FM_OK;
}
