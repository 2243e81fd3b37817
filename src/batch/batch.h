/* Internals of a batch: its table, its types, and the engine that moves it. */
#ifndef FM_BATCH_BATCH_H
#define FM_BATCH_BATCH_H

#include <fathom/batch.h>

#include <stdatomic.h>

#include "batch/cuda.h"
#include "batch/lanes.h"
#include "physics/flat.h"
#include "world/model.h"

/* The type and initial state of the vehicles of a variant. */
typedef struct fm_batch_type {
    fm_flat *flat;         /* in double */
    void *start;           /* [row]: a vehicle at its start */
    double *values;        /* of the parameters that it was derived with; NULL: a model that the caller passed */
    const fm_model *model; /* the caller's */
    const fm_placement *placement;
} fm_batch_type;

/* The rows of FM_BATCH_PARAMETERS (parameters.h). */
typedef struct fm_batch_parameters {
    size_t count;
    const char **paths, **units;
    size_t *numbers; /* handles (fathom/variant.h) */
    double *nominal; /* of the model */
    double *values;  /* [row][vehicle] */
} fm_batch_parameters;

struct fm_batch {
    fm_arena arena;
    atomic_int references; /* of the caller, and of each exported array */
    size_t count, stride;  /* vehicles; numbers in a row */
    const fm_type *type;   /* of variant 0, for names */
    const char **names;    /* of its actuators */
    double dt;             /* s */
    fm_batch_type *types;
    size_t type_count;
    fm_batch_parameters parameters;
    fm_batch_rows rows;
    int single;    /* float */
    double *noise; /* one per row of the observation; NULL: none */
    /* where it is computed: on a GPU these are its pointers */
    void *numbers; /* [row][stride] */
    uint64_t *seeds, *ages;
    uint64_t *streams; /* seeds of the present episodes (guard.h) */
    uint32_t *variants, *episodes;
    void *starts; /* [row][variant]: a vehicle at its start */
    void *blocks; /* of the types: one, one per group, or one per variant (GPU) */
    size_t block_bytes;
    void *device_noise;
    void *special;               /* kernel for the one type, on a GPU; NULL: none */
    uint32_t *rest;              /* for it */
    const fm_lanes_build *lanes; /* NULL: on a GPU */
    struct fm_threads *threads;  /* NULL: the caller alone */
    int varied;                  /* each vehicle may get a block of its own */
    int separate;                /* each vehicle has a block of its own, on a GPU */
    int whole;                   /* runs of a scenario, including what steers the vehicle */
    void *walls;                 /* table of the flow at walls, in the memory of the engine; NULL: none */
    const fm_cuda_module *cuda;
    char text[160];
};

/* The scenario's vehicle of this name (NULL: the first), or -1. */
int fm_batch_find_vehicle(const fm_model *model, const char *name);
/* Which kernel moves it. */
enum fm_lanes_kernel fm_batch_kernel(const fm_batch *batch);
/* FM_OK, or why a batch cannot move this vehicle as a world would; `whole`: in a run with everything that steers it. */
fm_status fm_batch_accept(const fm_model *model, int vehicle, int whole, fm_error *error);
/* Like fm_batch_create, for runs of the scenario: with everything that steers its vehicle. The models were accepted
 * (scenario_run.h) and outlive the batch. */
fm_batch *fm_batch_create_whole(const fm_model *model, size_t count, const fm_batch_options *options, fm_error *error);
/* Like fm_batch_create, for vehicles whose blocks the caller changes one by one (envs/env_table.c). */
fm_batch *fm_batch_create_varied(const fm_model *model, size_t count, const fm_batch_options *options, fm_error *error);
/* Resets all vehicles to the start of their variants, with the current of each. */
fm_status fm_batch_restart(fm_batch *batch, fm_error *error);
/* fm_batch_step that is queued on a CUstream (NULL: the default one) and not waited for, on a GPU. */
fm_status fm_batch_queue(fm_batch *batch, size_t steps, void *stream, fm_error *error);
/* On a GPU: gives each vehicle a block of its own, of the first type. The caller writes them from then on. */
fm_status fm_batch_separate(fm_batch *batch, fm_error *error);
/* Reads or writes a row of the table in double; and one number for `count` vehicles from `first` on. */
fm_status fm_batch_get_row(fm_batch *batch, uint32_t row, double *values, fm_error *error);
fm_status fm_batch_put_row(fm_batch *batch, uint32_t row, const double *values, fm_error *error);
fm_status fm_batch_fill(fm_batch *batch, uint32_t row, size_t first, size_t count, double value, fm_error *error);

/* A type of the scenario's vehicle of this name; its initial state, after the rows are laid out; its destruction. */
fm_status fm_batch_make_type(const fm_batch *batch, fm_batch_type *type, const fm_model *model, const char *vehicle,
                             fm_error *error);
fm_status fm_batch_begin_type(const fm_batch *batch, fm_batch_type *type, fm_error *error);
void fm_batch_free_type(fm_batch_type *type);
/* Memory for blocks and starts of a number of types, to be built afterwards; nothing changes on failure. */
fm_status fm_batch_reserve_types(fm_batch *batch, size_t types, fm_error *error);
/* Blocks and starts from the present types, and only blocks if vehicles are already moving (batch_types.c). */
fm_status fm_batch_build_types(fm_batch *batch, fm_error *error);
fm_status fm_batch_build_blocks(fm_batch *batch, fm_error *error);
size_t fm_batch_number_size(const fm_batch *batch); /* bytes */
/* Memory of the engine, and copies to and from it. */
fm_status fm_batch_allocate(fm_batch *batch, void **memory, size_t bytes, fm_error *error);
fm_status fm_batch_copy(const fm_batch *batch, void *to, const void *from, size_t bytes, fm_error *error);
void fm_batch_release(const fm_batch *batch, void *memory);

#endif
