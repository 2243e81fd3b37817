/* Batches: thousands to millions of vehicles of one scenario's type, stepped together, all numbers in plain arrays.
 *
 * A batch moves hulls (body, actuators and their faults, battery, moving masses, force terms, surface), robotic fish
 * and the diving model, in currents and stratified water, by the same kernels as a world and, in double on a processor,
 * with the same bits. Sensors, controllers, obstacles and other vehicles are not in it: orders are the caller's. What a
 * learning environment needs: step, look, order, reset those that are done.
 *
 *     fm_batch *batch = fm_batch_create(model, 4096, NULL, &error);
 *     fm_batch_view state, orders;
 *     fm_batch_look(batch, FM_BATCH_STATE, &state, &error);    (13 rows of 4096 doubles, in place)
 *     fm_batch_look(batch, FM_BATCH_ORDERS, &orders, &error);
 *     for (;;) { …write orders…; fm_batch_step(batch, 10, &error); …read state…; fm_batch_reset(batch, done, &error); }
 */
#ifndef FATHOM_BATCH_H
#define FATHOM_BATCH_H

#include <fathom/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fm_batch fm_batch;

typedef enum fm_batch_backend {
    FM_BATCH_AUTO, /* a GPU where there is one and the batch is large, else SIMD */
    FM_BATCH_SIMD, /* vehicles in the lanes of vector registers */
    FM_BATCH_CUDA  /* a vehicle a thread; the arrays are in the memory of the GPU */
} fm_batch_backend;

/* Zero-initialise for the defaults. */
typedef struct fm_batch_options {
    size_t size; /* sizeof(fm_batch_options); 0: the members of version 0.1 */
    fm_batch_backend backend;
    int single;          /* float instead of double */
    int threads;         /* of the processor; 0 or 1: the calling thread alone */
    const char *vehicle; /* of the scenario; NULL: the first */
    /* Further models whose vehicle of that name differs in numbers alone (coefficients, masses, sizes, start):
     * parameters for each vehicle. FM_BATCH_VARIANTS says which vehicle is of which; 0 is `model`. */
    const fm_model *const *variants;
    size_t variant_count;
    /* Standard deviation of the noise on each row of FM_BATCH_OBSERVATIONS, SI; NULL: none. The numbers depend on a
     * vehicle's seed and age alone. */
    const double *noise;
    const char *instructions; /* "avx512", "avx2", "sse2", "neon"; NULL: the widest that the processor has */
} fm_batch_options;

/* `count` vehicles, each as its scenario starts it. The models must outlive it where there are variants. NULL and the
 * reason where a batch cannot move it: waves, a current from a file's grid, density that follows from conductivity,
 * force terms of a wall nearby or of plugins. */
FM_API fm_batch *fm_batch_create(const fm_model *model, size_t count, const fm_batch_options *options, fm_error *error);
FM_API void fm_batch_free(fm_batch *batch);

/* All vehicles by so many of their steps, at most 10^9, orders held. A vehicle whose state gets out of hand goes on and
 * is marked. */
FM_API fm_status fm_batch_step(fm_batch *batch, size_t steps, fm_error *error);
/* Vehicles whose byte in `mask` is not 0 begin again, by their variant, with orders of 0 (a fish: those of its birth)
 * and healthy actuators; NULL: all. Current and seed stay. */
FM_API fm_status fm_batch_reset(fm_batch *batch, const unsigned char *mask, fm_error *error);

/* --- the arrays --- */

typedef enum fm_batch_field {
    FM_BATCH_STATE,  /* position (m, NED), attitude (quaternion body → world, or Euler angles and 0, rad), velocity
                        over ground (body axes: m/s, rad/s): 13 rows. Of a fish position and heading may be written
                        (speed, pitch and roll follow from its swimming), of the diving model position and pitch
                        rate */
    FM_BATCH_ORDERS, /* a row an actuator, in its unit */
    FM_BATCH_OBSERVATIONS, /* x, y, z, phi, theta, psi, u … r, then the values of the actuators; renewed by each call of
                              fm_batch_step, with noise */
    FM_BATCH_CURRENT,      /* uniform part of the water's velocity, m/s, NED: 3 rows */
    FM_BATCH_FAULTS,       /* efficiency, stuck, reversed of each actuator: 3 rows an actuator */
    FM_BATCH_METRICS,  /* distance (m), greatest depth (m), greatest speed² (m²/s²), greatest sine of the pitch angle
                          since the start: 4 rows */
    FM_BATCH_BAD,      /* not 0: the state was not finite or out of reach: 1 row */
    FM_BATCH_CHARGE,   /* J left in the battery: 1 row */
    FM_BATCH_SEEDS,    /* uint64: 1 row */
    FM_BATCH_AGES,     /* uint64, steps since the start: 1 row */
    FM_BATCH_VARIANTS, /* uint32: 1 row; counts for fm_batch_reset. Its parameters count from fm_batch_refresh on */
    FM_BATCH_PARAMETERS /* double: a row a number of the type, a column a variant; count from fm_batch_refresh on */
} fm_batch_field;

/* An array in place: element (row, vehicle) stands `row · strides[0] + vehicle · strides[1]` elements behind `data`.
 * The members are those of DLPack's DLTensor, so that a view is handed to NumPy, PyTorch or JAX without a copy. */
typedef struct fm_batch_view {
    void *data;
    int device_type; /* 1: memory of the processor, 2: of a GPU (kDLCPU, kDLCUDA) */
    int device_id;
    int type_code;  /* 1: uint, 2: float (kDLUInt, kDLFloat) */
    int type_bits;  /* 32 or 64 */
    int dimensions; /* 2 */
    int64_t shape[2];
    int64_t strides[2];
} fm_batch_view;
FM_API fm_status fm_batch_look(fm_batch *batch, fm_batch_field field, fm_batch_view *view, fm_error *error);
/* "x", "rudder-top"; NULL: no such row. */
FM_API const char *fm_batch_row_name(const fm_batch *batch, fm_batch_field field, size_t row);
FM_API size_t fm_batch_count(const fm_batch *batch);
FM_API double fm_batch_dt(const fm_batch *batch); /* s of one step */
/* "simd avx2 double" */
FM_API const char *fm_batch_describe(const fm_batch *batch);
/* Row by row, closely packed, in double whatever the batch has: for what is in the memory of a GPU. */
FM_API fm_status fm_batch_get(fm_batch *batch, fm_batch_field field, double *values, fm_error *error);
FM_API fm_status fm_batch_put(fm_batch *batch, fm_batch_field field, const double *values, fm_error *error);
/* Takes over what was written into FM_BATCH_PARAMETERS and FM_BATCH_VARIANTS. */
FM_API fm_status fm_batch_refresh(fm_batch *batch, fm_error *error);

#ifdef __cplusplus
}
#endif
#endif
