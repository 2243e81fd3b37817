/* <end>: a condition that ends the run. */
#include "ask/end.h"
#include "base/error.h"
#include "scenario/build.h"

typedef struct end_config {
    const char *when, *text;
} end_config;

static const fm_attr end_attrs[] = {
    FM_TEXT_ATTR(end_config, when, "when", NULL, FM_ATTR_REQUIRED,
                 "condition over fields and metrics of the vehicles, with units, evaluated after every tick: "
                 "\"rov.depth > 20 m or t > first(rov.contact == 1) + 5 s\" (docs/expressions.md)"),
    FM_TEXT_ATTR(end_config, text, "text", NULL, 0, "what is reported when it ends the run; default: the condition"),
};
const fm_element fm_end_element =
    FM_TABLE_ELEMENT(end_config, "end", end_attrs, NULL, FM_ELEMENT_ONCE,
                     "Ends the run as soon as a condition holds, before its duration is over.");

static void free_probe(void *probe)
{
    fm_ask_probe_free(probe);
}

static fm_status keep(fm_builder *b, fm_ask_probe *probe)
{
    fm_release *r = fm_build_alloc(b, sizeof *r);
    if (!r) {
        fm_ask_probe_free(probe);
        return FM_ERR_MEMORY;
    }
    *r = (fm_release){free_probe, probe, b->model->releases};
    b->model->releases = r;
    return FM_OK;
}

fm_status fm_build_end(fm_builder *b)
{
    const fm_node *node = fm_node_child(b->tree->root, "end");
    end_config c;
    fm_error error = {0};
    if (!node)
        return FM_OK;
    fm_node_fill(node, &c);
    fm_ask_end *end = fm_build_alloc(b, sizeof *end);
    if (!end)
        return FM_ERR_MEMORY;
    end->text = c.text && c.text[0] ? c.text : NULL;
    end->probe = fm_ask_probe_create(b->model, -1, c.when, FM_ASK_CONDITION, NULL, &error);
    if (!end->probe)
        return fm_node_fail(node, "when", b->report, error.status, "%s", error.text);
    if (keep(b, end->probe) != FM_OK)
        return FM_ERR_MEMORY;
    return fm_build_subsystem(b, &fm_end_subsystem, end, fm_ask_end_words(end));
}
