/* libFuzzer target: the reader of a fish's trajectory takes any bytes and gives a path or says why not. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fish/behaviour.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fm_fish_path path;
    fm_error error = {0};
    long before = fm_alloc_live();
    if (fm_fish_path_parse(&path, (const char *)data, size, "fuzz.txt", &error) != FM_OK && !error.text[0])
        abort();
    fm_fish_path_free(&path);
    if (fm_alloc_live() != before)
        abort();
    return 0;
}
