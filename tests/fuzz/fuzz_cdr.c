/* Any bytes as a message: the first byte picks a type of the table; decoded into its struct and into columns. */
#include <stdlib.h>
#include <string.h>

#include "telemetry/layout.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_columns(const fm_message *type, const uint8_t *data, size_t size)
{
    fm_error error;
    fm_layout layout;
    if (fm_layout_init(&layout, type, &error) != FM_OK)
        return;
    if (fm_layout_measure(&layout, data, size, &error) == FM_OK && fm_layout_finish(&layout, 256, &error) == FM_OK) {
        fm_cell *row = calloc(layout.count + 1, sizeof *row);
        if (row && fm_layout_read(&layout, data, size, row, &error) != FM_OK)
            abort(); /* what could be measured can be read */
        free(row);
    }
    fm_layout_free(&layout);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const fm_message *type = fm_messages[data[0] % fm_message_count];
    fm_arena arena = {0};
    fm_error error;
    void *message = calloc(1, type->struct_size);
    if (message && fm_message_decode(type, data + 1, size - 1, message, &arena, &error) == FM_OK) {
        size_t again = fm_message_size(type, message);
        uint8_t *buffer = malloc(again);
        if (buffer && fm_message_encode(type, message, buffer, again) != again)
            abort(); /* the size was promised */
        free(buffer);
    }
    free(message);
    fm_arena_free(&arena);
    read_columns(type, data + 1, size - 1);
    return 0;
}
