/* DLPack 1.0: arrays that NumPy, PyTorch, JAX, CuPy and others take over without a copy.
 *
 * The structs have the layout of dlpack.h (https://dmlc.github.io/dlpack): cast fm_dl_tensor to DLTensor and
 * fm_dl_array to DLManagedTensorVersioned. In Python put the pointer into a capsule named "dltensor_versioned". */
#ifndef FATHOM_DLPACK_H
#define FATHOM_DLPACK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where the memory of an array is (DLDeviceType). */
typedef enum fm_dl_device {
    FM_DL_CPU = 1, /* memory of the processor */
    FM_DL_CUDA = 2 /* memory of a GPU */
} fm_dl_device;

/* What an element is (DLDataTypeCode). */
typedef enum fm_dl_code { FM_DL_INT = 0, FM_DL_UINT = 1, FM_DL_FLOAT = 2, FM_DL_BOOL = 6 } fm_dl_code;

/* Flags of a managed array. */
enum { FM_DL_READ_ONLY = 1 };

/* An array: element (i, j) is at `data` + `byte_offset` + (i · strides[0] + j · strides[1]) · bits / 8 bytes
 * (DLTensor). */
typedef struct fm_dl_tensor {
    void *data;
    int32_t device_type; /* fm_dl_device */
    int32_t device_id;   /* number of the GPU; 0 on the CPU */
    int32_t ndim;
    uint8_t code;     /* fm_dl_code */
    uint8_t bits;     /* 8, 32 or 64 */
    uint16_t lanes;   /* 1 */
    int64_t *shape;   /* ndim */
    int64_t *strides; /* ndim, elements */
    uint64_t byte_offset;
} fm_dl_tensor;

/* An array that keeps its owner alive (DLManagedTensorVersioned). The one who takes it over calls deleter(self) once,
 * from any thread; until then its memory is valid, even if the owner was freed. */
typedef struct fm_dl_array {
    uint32_t major, minor; /* version of DLPack: 1.0 */
    void *manager;
    void (*deleter)(struct fm_dl_array *self);
    uint64_t flags; /* FM_DL_READ_ONLY */
    fm_dl_tensor tensor;
} fm_dl_array;

#ifdef __cplusplus
}
#endif
#endif
