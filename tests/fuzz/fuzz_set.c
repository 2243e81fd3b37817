/* libFuzzer target: each line is a --set PATH=VALUE of a whole scenario, which is loaded with them or refused. The
 * scenario is small, because it is loaded again for each input. */
#include <fathom/fathom.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SETS_MOST = 4 };

static const char scenario[] = "<fathom version='1'><world dt='0.1 s' duration='1 s'><current velocity='0.1 0 0 m/s'/>"
                               "<sphere name='rock' position='30 0 5 m' radius='2 m'/></world>"
                               "<vehicle name='auv' model='tiny' position='0 0 5 m'><depth/></vehicle></fathom>";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const dirs[] = {FATHOM_SOURCE_DIR "/tests/fuzz/models"};
    const char *sets[SETS_MOST];
    char *text = malloc(size + 1);
    fm_error error = {0};
    fm_load_options options = {.set = sets, .model_dirs = dirs, .model_dir_count = 1};
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    for (char *line = strtok(text, "\n"); line && options.set_count < SETS_MOST; line = strtok(NULL, "\n"))
        sets[options.set_count++] = line;
    fm_model *model = fm_model_load_memory(scenario, sizeof scenario - 1, "fuzz.xml", &options, &error);
    fm_world *world = model && fm_model_vehicle_count(model) < 100 ? fm_world_create(model, NULL, &error) : NULL;
    for (int i = 0; world && i < 3 && fm_world_step(world, &error) == FM_OK; i++)
        ;
    if (!model && !error.text[0])
        abort();
    fm_world_free(world);
    fm_model_free(model);
    free(text);
    return 0;
}
