/* The programs that NVRTC compiles from the kernels, and their cache. */
#ifndef FM_BATCH_CUDA_PROGRAMS_H
#define FM_BATCH_CUDA_PROGRAMS_H

#include <stddef.h>

enum fm_cuda_program {
    FM_PROGRAM_TABLE,       /* initial states, observations */
    FM_PROGRAM_BODY,        /* steps of bodies alone */
    FM_PROGRAM_FELT,        /* of those that feel walls in still water */
    FM_PROGRAM_CHAIN,       /* of those with a chain */
    FM_PROGRAM_FEELER_FLOW, /* of those that feel more than walls */
    FM_PROGRAM_OWN,         /* of those whose kind has a body of its own */
    FM_PROGRAM_ENV,         /* rows of environments; in double alone */
    FM_PROGRAM_FAST,        /* of one type alone, given as baked.h */
    FM_PROGRAMS
};

/* Compiles a program for an architecture ("sm_90") and returns its binary, `size` bytes; free it. For a virtual
 * architecture ("compute_80") it only checks that the program compiles: *size is 0. `baked`: of FM_PROGRAM_FAST. NULL
 * and the reason in `why` if it does not compile, or NVRTC is missing. */
char *fm_program_compile(enum fm_cuda_program program, int single, const char *architecture, const char *baked,
                         size_t *size, char *why, size_t why_size);
/* The same from the user's cache ($XDG_CACHE_HOME or ~/.cache, fathom/), if a program of this source, architecture and
 * NVRTC was compiled before; otherwise compiles and stores it. */
char *fm_program_find(enum fm_cuda_program program, int single, const char *architecture, size_t *size, char *why,
                      size_t why_size);

#endif
