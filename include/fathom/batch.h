/* Batches: thousands to millions of vehicles of one type, stepped together, with all numbers in plain arrays.
 *
 * A batch moves hulls (body, actuators and their faults, battery, moving masses, force terms, surface), robotic fish
 * and the diving model, in currents and stratified water. It uses the same kernels as a world and, in double precision
 * on a CPU, gives the same bits. Sensors, controllers, obstacles and other vehicles are not simulated: the caller
 * writes the orders. A batch offers what a learning environment needs: step, observe, order, and reset the vehicles
 * that are done.
 *
 *     fm_batch *batch = fm_batch_create(model, 4096, NULL, &error);
 *     fm_batch_view state, orders;
 *     fm_batch_map(batch, FM_BATCH_STATE, &state, &error);    (13 rows of 4096 doubles, not copied)
 *     fm_batch_map(batch, FM_BATCH_ORDERS, &orders, &error);
 *     for (;;) { …write orders…; fm_batch_step(batch, 10, &error); …read state…; fm_batch_reset(batch, done, &error); }
 */
#ifndef FATHOM_BATCH_H
#define FATHOM_BATCH_H

#include <fathom/dlpack.h>
#include <fathom/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A batch of vehicles. One thread may use a batch at a time; different batches are independent. The models must outlive
 * it if options.variants or options.parameters is set. */
typedef struct fm_batch fm_batch;

/* What computes the steps. */
typedef enum fm_batch_backend {
    FM_BATCH_AUTO, /* a GPU if one is available and the batch is large, else SIMD */
    FM_BATCH_SIMD, /* one vehicle per lane of a vector register */
    FM_BATCH_CUDA  /* one vehicle per GPU thread; the arrays are in GPU memory */
} fm_batch_backend;

/* How to create a batch; zero-initialise for the defaults. It is read only during fm_batch_create. */
typedef struct fm_batch_options {
    size_t size; /* sizeof(fm_batch_options); 0: the members of version 0.1 */
    fm_batch_backend backend;
    int single;          /* float instead of double */
    int threads;         /* CPU threads; 0 or 1: the calling thread only */
    const char *vehicle; /* name in the scenario; NULL: the first vehicle */
    /* More models whose vehicle of that name differs only in numbers (coefficients, masses, sizes, start), so that
     * each vehicle can have its own parameters. FM_BATCH_VARIANTS selects the variant per vehicle; 0 is `model`. */
    const fm_model *const *variants;
    size_t variant_count;
    /* Standard deviation of the noise on each row of FM_BATCH_OBSERVATIONS, SI; NULL: no noise. The noise
     * depends only on a vehicle's seed, episode and age. */
    const double *noise;
    const char *instructions; /* "avx512", "avx2", "sse2", "neon"; NULL: the widest set of this CPU */
    /* Paths of the parameters that differ from vehicle to vehicle ("/rov/mass/mass", "/rov/mass/centre/z"), as listed
     * by fm_model_param; NULL: none. They are the rows of FM_BATCH_PARAMETERS. Not together with `variants`. */
    const char *const *parameters;
    size_t parameter_count;
} fm_batch_options;

/* Creates `count` vehicles in the starting state of the scenario. Free it with fm_batch_free. Returns NULL and sets
 * *error if the vehicle needs something a batch cannot simulate: waves, a current read from a grid file, density
 * derived from conductivity, wall-effect force terms or force terms of plugins; or if a parameter is not a number, has
 * no value in the model, changes more than numbers, or has no effect on the vehicle. */
FM_API fm_batch *fm_batch_create(const fm_model *model, size_t count, const fm_batch_options *options, fm_error *error);
/* Frees a batch and its arrays; NULL is allowed. Views of it become invalid. */
FM_API void fm_batch_free(fm_batch *batch);

/* Advances every vehicle by `steps` (at most 10^9) with orders held. A vehicle whose state diverges keeps running and
 * is flagged in FM_BATCH_BAD. */
FM_API fm_status fm_batch_step(fm_batch *batch, size_t steps, fm_error *error);
/* Restarts the vehicles whose byte in `mask` (one byte per vehicle; NULL: all) is not 0: starting state of their
 * variant, orders of 0 (a fish: its initial orders) and healthy actuators. Current and seed stay; each episode has its
 * own noise (FM_BATCH_EPISODES). */
FM_API fm_status fm_batch_reset(fm_batch *batch, const unsigned char *mask, fm_error *error);

/* --- the arrays --- */

/* The arrays of a batch. Columns are vehicles unless stated otherwise. */
typedef enum fm_batch_field {
    FM_BATCH_STATE,  /* position (m, NED), attitude (quaternion body → world, or Euler angles and 0, rad), velocity
                        over ground (body axes: m/s, rad/s): 13 rows. Writable: everything; for a fish only position and
                        heading (speed, pitch and roll follow from its swimming), for the diving model only position and
                        pitch rate */
    FM_BATCH_ORDERS, /* one row per actuator, in its unit */
    FM_BATCH_OBSERVATIONS, /* x, y, z, phi, theta, psi, u … r, then the actuator values; updated by each call of
                              fm_batch_step, with noise */
    FM_BATCH_CURRENT,      /* uniform part of the water's velocity, m/s, NED: 3 rows */
    FM_BATCH_FAULTS,       /* efficiency, stuck, reversed: 3 rows per actuator */
    FM_BATCH_METRICS,  /* distance (m), greatest depth (m), greatest speed² (m²/s²), greatest sine of the pitch angle
                          since the start: 4 rows */
    FM_BATCH_BAD,      /* fm_batch_bad: why the vehicle is not to be trusted: 1 row; 0: it is */
    FM_BATCH_CHARGE,   /* J left in the battery: 1 row */
    FM_BATCH_SEEDS,    /* uint64: 1 row */
    FM_BATCH_AGES,     /* uint64, steps since the start: 1 row */
    FM_BATCH_VARIANTS, /* uint32: 1 row; used by fm_batch_reset; its parameters take effect after fm_batch_refresh. With
                          options.parameters fm_batch_refresh writes it */
    FM_BATCH_PARAMETERS, /* double, in CPU memory: one row per path of options.parameters, SI; takes effect after
                            fm_batch_refresh */
    FM_BATCH_EPISODES    /* uint32: resets of the vehicle; with seed and age it determines the noise: 1 row */
} fm_batch_field;

/* Values of FM_BATCH_BAD. They stay until the vehicle is reset. */
typedef enum fm_batch_bad {
    FM_BATCH_SOUND,     /* nothing is wrong */
    FM_BATCH_DIVERGED,  /* its state was not finite or out of range */
    FM_BATCH_NAN_ORDER, /* an order was NaN: it became 0 */
    FM_BATCH_NO_VARIANT /* FM_BATCH_VARIANTS names no variant: it is of variant 0 (on a GPU; elsewhere an error) */
} fm_batch_bad;

/* An array of the batch, not copied: element (row, vehicle) is at `data` + `row · strides[0] + vehicle · strides[1]`
 * elements. Valid until the batch is freed. For NumPy, PyTorch or JAX see fm_batch_export. */
typedef struct fm_batch_view {
    void *data;
    int device_type; /* 1: CPU memory, 2: GPU memory (kDLCPU, kDLCUDA) */
    int device_id;
    int type_code;  /* 1: uint, 2: float (kDLUInt, kDLFloat) */
    int type_bits;  /* 32 or 64 */
    int dimensions; /* 2 */
    int64_t shape[2];
    int64_t strides[2];
} fm_batch_view;
/* Fills *view with the location and layout of an array. The batch keeps ownership of the memory. */
FM_API fm_status fm_batch_map(fm_batch *batch, fm_batch_field field, fm_batch_view *view, fm_error *error);
/* Returns an array as a managed DLPack tensor that keeps its memory alive, even after fm_batch_free; NULL and *error on
 * failure. */
FM_API fm_dl_array *fm_batch_export(fm_batch *batch, fm_batch_field field, fm_error *error);
/* Returns the name of a row ("x", "rudder-top"), valid as long as the batch; NULL: no such row. */
FM_API const char *fm_batch_row_name(const fm_batch *batch, fm_batch_field field, size_t row);
/* Returns the unit of a row of FM_BATCH_PARAMETERS ("kg"; "": no dimension), valid as long as the batch; NULL: no such
 * row, or a row of another array. */
FM_API const char *fm_batch_row_unit(const fm_batch *batch, fm_batch_field field, size_t row);
/* Finds the row of this name: the first one if several have it. '-' and '_' are the same. */
FM_API fm_status fm_batch_find_row(const fm_batch *batch, fm_batch_field field, const char *name, size_t *row,
                                   fm_error *error);
/* Returns the number of vehicles. */
FM_API size_t fm_batch_count(const fm_batch *batch);
/* Returns the duration of one step, s. */
FM_API double fm_batch_dt(const fm_batch *batch);
/* Returns what computes the steps ("simd avx2 double"), valid as long as the batch. */
FM_API const char *fm_batch_describe(const fm_batch *batch);
/* Copies an array to `values`, row by row without gaps, converted to double. Works for arrays in GPU memory. */
FM_API fm_status fm_batch_get(fm_batch *batch, fm_batch_field field, double *values, fm_error *error);
/* Copies `values`, laid out as by fm_batch_get, into an array of the batch. */
FM_API fm_status fm_batch_put(fm_batch *batch, fm_batch_field field, const double *values, fm_error *error);
/* Copies one seed per vehicle to FM_BATCH_SEEDS: those above 2^53 too, which fm_batch_put cannot. */
FM_API fm_status fm_batch_put_seeds(fm_batch *batch, const uint64_t *seeds, fm_error *error);
/* Applies what was written to FM_BATCH_PARAMETERS and FM_BATCH_VARIANTS. Every different column of parameters is
 * derived as fm_model_load with fm_load_options.set derives it, so that a vehicle has the bits of that world; columns
 * of the last refresh are reused. What belongs to the start (position, charge, moving masses) takes effect after
 * fm_batch_reset. Returns an error that names the vehicle and the path if a value is refused; then nothing changes. */
FM_API fm_status fm_batch_refresh(fm_batch *batch, fm_error *error);

#ifdef __cplusplus
}
#endif
#endif
