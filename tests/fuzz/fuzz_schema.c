/* Any bytes as a schema text. What is accepted can be laid out and written again. */
#include "telemetry/layout.h"
#include "telemetry/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fm_arena arena = {0};
    fm_error error;
    const fm_message *type;
    fm_layout layout;
    if (fm_schema_parse("a/msg/B", (const char *)data, size, &arena, &type, &error) == FM_OK &&
        fm_layout_init(&layout, type, &error) == FM_OK) {
        fm_layout_finish(&layout, 256, &error);
        fm_layout_free(&layout);
        fm_free(fm_schema_text(type));
    }
    fm_arena_free(&arena);
    return 0;
}
