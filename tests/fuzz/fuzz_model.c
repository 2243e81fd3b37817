/* Scenario text to a whole model, with the full table of elements and all built-in parts. */
#include <fathom/fathom.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const dirs[] = {FATHOM_SOURCE_DIR "/models"};
    fm_load_options options = {.model_dirs = dirs, .model_dir_count = 1};
    fm_error error = {0};
    fm_model *model = fm_model_load_memory((const char *)data, size, "fuzz.xml", &options, &error);
    if (model && fm_model_vehicle_count(model) < 100) {
        fm_world *world = fm_world_create(model, NULL, &error);
        for (int i = 0; world && i < 3 && fm_world_step(world, &error) == FM_OK; i++)
            ;
        fm_world_free(world);
    }
    fm_model_free(model);
    return 0;
}
