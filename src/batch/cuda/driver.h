/* The functions of the NVIDIA driver and NVRTC in use: both are opened at run time, so that the build needs none of
 * their headers and libraries. Types and numbers as in cuda.h and nvrtc.h. */
#ifndef FM_BATCH_CUDA_DRIVER_H
#define FM_BATCH_CUDA_DRIVER_H

#include <stddef.h>
#include <stdint.h>

enum { FM_CUDA_MAJOR = 75, FM_CUDA_MINOR = 76 }; /* attributes of a device: compute capability */

/* Functions of libcuda.so.1: name, then arguments. All return 0, or an error code. */
#define FM_DRIVER_EACH(F)                                                                                              \
    F(cuInit, (unsigned flags))                                                                                        \
    F(cuDeviceGetCount, (int *count))                                                                                  \
    F(cuDeviceGet, (int *device, int ordinal))                                                                         \
    F(cuDeviceGetName, (char *name, int size, int device))                                                             \
    F(cuDeviceGetAttribute, (int *value, int attribute, int device))                                                   \
    F(cuDevicePrimaryCtxRetain, (void **context, int device))                                                          \
    F(cuCtxSetCurrent, (void *context))                                                                                \
    F(cuCtxSynchronize, (void))                                                                                        \
    F(cuMemAlloc_v2, (uint64_t * memory, size_t bytes))                                                                \
    F(cuMemFree_v2, (uint64_t memory))                                                                                 \
    F(cuMemsetD8_v2, (uint64_t memory, unsigned char value, size_t bytes))                                             \
    F(cuMemcpy, (uint64_t to, uint64_t from, size_t bytes))                                                            \
    F(cuModuleLoadData, (void **module, const void *image))                                                            \
    F(cuModuleUnload, (void *module))                                                                                  \
    F(cuModuleGetFunction, (void **function, void *module, const char *name))                                          \
    F(cuLaunchKernel, (void *function, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by, unsigned bz,      \
                       unsigned shared, void *stream, void **arguments, void **extra))                                 \
    F(cuGetErrorString, (int code, const char **text))

/* The same of libnvrtc.so. */
#define FM_NVRTC_EACH(F)                                                                                               \
    F(nvrtcVersion, (int *major, int *minor))                                                                          \
    F(nvrtcCreateProgram, (void **program, const char *source, const char *name, int headers,                          \
                           const char *const *texts, const char *const *names))                                        \
    F(nvrtcCompileProgram, (void *program, int count, const char *const *options))                                     \
    F(nvrtcGetProgramLogSize, (void *program, size_t *size))                                                           \
    F(nvrtcGetProgramLog, (void *program, char *log))                                                                  \
    F(nvrtcGetCUBINSize, (void *program, size_t *size))                                                                \
    F(nvrtcGetCUBIN, (void *program, char *image))                                                                     \
    F(nvrtcDestroyProgram, (void **program))

#define FM_DRIVER_MEMBER(name, arguments) int(*name) arguments;
typedef struct fm_driver {
    FM_DRIVER_EACH(FM_DRIVER_MEMBER)
} fm_driver;
typedef struct fm_nvrtc {
    FM_NVRTC_EACH(FM_DRIVER_MEMBER)
} fm_nvrtc;
#undef FM_DRIVER_MEMBER

/* Opened once; NULL: the machine has none, or an old one that lacks a function (driver.c). */
const fm_driver *fm_driver_find(void);
const fm_nvrtc *fm_nvrtc_find(void);

#endif
