/* libFuzzer target: the scenario reader takes any bytes and either gives a tree or says why not. What it accepts can be
 * filled, listed, set again to its own values and laid over itself. */
#include "../scenario/sea_table.h"
#include "scenario/params.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool set_again(void *user, const fm_param *param)
{
    fm_error error = {0};
    if (param->value[0] && fm_tree_set(user, param->path, param->value, &error) != FM_OK && !error.text[0])
        abort();
    return true;
}

static void use_tree(fm_tree *tree, fm_report *report)
{
    for (fm_node *boat = NULL; (boat = fm_node_next(tree->root, "boat", boat));) {
        if (!fm_node_config(tree, boat, NULL))
            abort();
        if (fm_node_overlay(tree, boat, tree->root->first, report) != FM_OK && report->count == 0)
            abort();
    }
    if (tree->node_count < 100)
        fm_tree_params(tree, set_again, NULL, tree);
    fm_node_complete(tree, tree->root, report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    long before = fm_alloc_live();
    fm_tree tree = {0};
    fm_registry registry = {0};
    fm_report report = {0};
    if (sea_registry(&registry) != FM_OK)
        abort();
    fm_status status = fm_tree_read_memory(&tree, (const char *)data, size, "fuzz.xml", &sea_element, &registry,
                                           FM_READ_ALONE | FM_READ_PARTIAL, &report);
    if ((status == FM_OK) != (report.count == 0) || (status != FM_OK && report.first.text[0] == 0))
        abort();
    if (status == FM_OK)
        use_tree(&tree, &report);
    fm_tree_free(&tree);
    fm_registry_free(&registry);
    fm_report_free(&report);
    if (fm_alloc_live() != before)
        abort();
    return 0;
}
