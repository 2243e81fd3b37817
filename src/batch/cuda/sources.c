/* The sources of the kernels, for NVRTC: the headers that cmake/Cuda.cmake lists in FM_CUDA_LIST, and replacements for
 * standard headers that NVRTC lacks. */
#include <stddef.h>

#include "batch/cuda/blocks.h"

#define FM_SOURCE(number, name, file)                                                                                  \
    __asm__(".section .rodata\nfm_source_" #number ":\n.incbin \"" file "\"\n.byte 0\n.previous\n");                   \
    extern const char fm_source_##number[] __attribute__((visibility("hidden")));
#include FM_CUDA_LIST
#undef FM_SOURCE

#define FM_SOURCE(number, name, file) {name, fm_source_##number},
const char *const fm_cuda_sources[][2] = {
#include FM_CUDA_LIST
    {"stdint.h", "typedef signed char int8_t; typedef unsigned char uint8_t; typedef short int16_t;\n"
                 "typedef unsigned short uint16_t; typedef int int32_t; typedef unsigned int uint32_t;\n"
                 "typedef long long int64_t; typedef unsigned long long uint64_t, uintptr_t;\n"},
    {"stddef.h", "#define NULL 0\n"},
    {"stdbool.h", ""},
    {"string.h", ""},
    {"math.h", "#define HUGE_VAL __longlong_as_double(0x7ff0000000000000LL)\n"
               "#define NAN __longlong_as_double(0x7ff8000000000000LL)\n"},
    /* the compiler of the processor has checked the layouts, which are the same on the GPU */
    {"assert.h", "#define static_assert(...)\n"},
    {NULL, NULL}};
