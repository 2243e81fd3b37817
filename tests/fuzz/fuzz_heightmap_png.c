/* libFuzzer target: the PNG height map reader takes any bytes and either gives a sound map or says why not. */
#include "heightmap_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_heightmap(fm_heightmap_parse_png, data, size);
}
