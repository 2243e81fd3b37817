/* libFuzzer target: the OBJ reader takes any bytes and either gives a sound mesh or says why not. */
#include "mesh_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_mesh(fm_mesh_parse_obj, data, size);
}
