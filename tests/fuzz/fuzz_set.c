/* libFuzzer target: each line is a --set PATH=VALUE. All are set in the tree of a scenario; one input of four, chosen
 * by its bytes, is also loaded as a whole and stepped, which takes most of the time. */
#include <fathom/fathom.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/build.h"
#include "scenario/load.h"
#include "scenario/params.h"

enum { SETS_MOST = 4 };

static const char scenario[] = "<fathom version='1'><world dt='0.1 s' duration='1 s'><current velocity='0.1 0 0 m/s'/>"
                               "<sphere name='rock' position='30 0 5 m' radius='2 m'/></world>"
                               "<vehicle name='auv' model='tiny' position='0 0 5 m'><depth/></vehicle></fathom>";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int is_loaded(const uint8_t *data, size_t size)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * 16777619u;
    return hash % 4 == 0;
}

static fm_registry *built_ins(void)
{
    static fm_registry registry;
    if (!registry.count &&
        (fm_registry_reserve(&registry, 1024, NULL) != FM_OK || fm_registry_add_built_ins(&registry, NULL) != FM_OK))
        abort();
    return &registry;
}

/* What is refused has a reason; what is accepted can be set again. */
static void set_in_tree(const char *const *sets, size_t count)
{
    fm_tree tree = {0};
    fm_report report = {0};
    if (fm_tree_read_memory(&tree, scenario, sizeof scenario - 1, "fuzz.xml", &fm_fathom_element, built_ins(),
                            FM_READ_PARTIAL, &report) != FM_OK)
        abort();
    for (size_t i = 0; i < count; i++) {
        fm_error error = {0};
        fm_status status = fm_tree_assign(&tree, sets[i], &error);
        if (status != FM_OK ? !error.text[0] : fm_tree_assign(&tree, sets[i], &error) != FM_OK)
            abort();
    }
    fm_node_complete(&tree, tree.root, &report);
    fm_tree_free(&tree);
    fm_report_free(&report);
}

static void load_and_step(const char *const *sets, size_t count)
{
    static const char *const dirs[] = {FATHOM_SOURCE_DIR "/tests/fuzz/models"};
    fm_error error = {0};
    fm_load_options options = {.set = sets, .set_count = count, .model_dirs = dirs, .model_dir_count = 1};
    fm_model *model = fm_model_load_memory(scenario, sizeof scenario - 1, "fuzz.xml", &options, &error);
    fm_world *world = model && fm_model_vehicle_count(model) < 100 ? fm_world_create(model, NULL, &error) : NULL;
    for (int i = 0; world && i < 3 && fm_world_step(world, &error) == FM_OK; i++)
        ;
    if (!model && !error.text[0])
        abort();
    fm_world_free(world);
    fm_model_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *sets[SETS_MOST];
    size_t count = 0;
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    for (char *line = strtok(text, "\n"); line && count < SETS_MOST; line = strtok(NULL, "\n"))
        sets[count++] = line;
    set_in_tree(sets, count);
    if (is_loaded(data, size))
        load_and_step(sets, count);
    free(text);
    return 0;
}
