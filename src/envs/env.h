/* Environments from within: their arrays, and the engine that moves their rows. */
#ifndef FM_ENVS_ENV_H
#define FM_ENVS_ENV_H

#include <fathom/env.h>
#include <stdatomic.h>

#include "ask/probe.h"
#include "base/memory.h"
#include "batch/batch.h"
#include "batch/env_rows.h"
#include "world/fields.h"

/* A column of the observations: a number of a field. */
typedef struct fm_env_number {
    const fm_record_field *field;
    size_t index; /* of the field in the model */
    size_t element;
    int vehicle; /* of the scenario; -1: the world */
    const char *name;
} fm_env_number;

/* What an engine does with rows; `job` is that of the environments. */
typedef struct fm_env_class {
    /* Rows whose byte in `mask` is not 0 (NULL: all) begin an episode and are observed. */
    fm_status (*reset)(fm_env *env, const uint8_t *mask, fm_error *error);
    fm_status (*act)(fm_env *env, fm_error *error);    /* phases and orders, then the steps */
    fm_status (*settle)(fm_env *env, fm_error *error); /* ends and observations */
    fm_status (*finish)(fm_env *env, fm_error *error); /* after the judge */
    fm_status (*refresh)(fm_env *env, fm_error *error);
    fm_status (*save)(fm_env *env, fm_env_state *state, const uint8_t *mask, fm_error *error);
    fm_status (*restore)(fm_env *env, const fm_env_state *state, const uint32_t *from, const uint8_t *mask,
                         fm_error *error);
    fm_status (*open_state)(fm_env *env, fm_env_state *state, fm_error *error);
    void (*close_state)(fm_env_state *state);
    void (*close)(fm_env *env);
} fm_env_class;

struct fm_env {
    fm_arena arena;
    atomic_int references; /* of the caller, and of each exported array */
    const fm_model *model;
    size_t count;
    fm_env_options options; /* its pointers are not kept */
    fm_env_engine engine;
    const fm_env_class *class;
    int vehicle;               /* of the scenario */
    uint64_t ticks;            /* of the world, or steps of the batch, of one step */
    fm_env_number *seen;       /* columns of the observations */
    const char **orders_names; /* of the actions */
    size_t *numbers;           /* handles of the parameters */
    const char **paths;
    size_t parameter_count;
    double *parameters, *taken; /* [row][parameter]: the caller's; those that a variant was made of */
    fm_env_job job;
    const fm_env_order *orders; /* of the job, in CPU memory */
    void *memory[24];           /* of the arrays, where they are computed */
    size_t memory_count;
    fm_batch *batch;            /* NULL: worlds */
    struct fm_env_asked *asked; /* NULL: no expressions */
    size_t cost_count;
    void *costs; /* [row][cost] */
    struct fm_env_worlds *worlds;
    struct fm_env_table *table;
    struct fm_threads *threads;
    int64_t shapes[FM_ENV_ARRAYS][2], strides[FM_ENV_ARRAYS][2];
    char text[400];
};

struct fm_env_state {
    fm_env *env;
    void *rows;         /* of the engine */
    void *asked;        /* of expressions */
    unsigned char *set; /* [row]: it holds one */
};

extern const fm_env_class fm_env_by_worlds, fm_env_by_table;
/* Opens the engine; the options were checked, `job` is complete but for its arrays. */
fm_status fm_env_open_worlds(fm_env *env, fm_error *error);
fm_status fm_env_open_table(fm_env *env, fm_error *error);
/* Why a batch cannot compute these environments; NULL: it can. */
const char *fm_env_table_verdict(const fm_env *env, char *room, size_t size);

/* --- env_ask.c: rewards, costs and ends as expressions --- */
fm_status fm_env_open_asked(fm_env *env, fm_error *error);  /* reads them */
fm_status fm_env_start_asked(fm_env *env, fm_error *error); /* when the engine is open */
void fm_env_close_asked(fm_env *env);
/* As fm_env_table_verdict. */
const char *fm_env_asked_verdict(const fm_env *env, char *room, size_t size);
void fm_env_judge_asked(fm_env *env); /* after the engine has settled a step */
/* In rows whose episode is another one than before; `clears`: and their costs become 0. */
void fm_env_begin_asked(fm_env *env, int clears);
fm_status fm_env_open_asked_state(const fm_env *env, fm_env_state *state, fm_error *error);
void fm_env_close_asked_state(fm_env_state *state);
void fm_env_save_asked(const fm_env *env, fm_env_state *state, const uint8_t *mask);
void fm_env_restore_asked(const fm_env *env, const fm_env_state *state, const uint32_t *from, const uint8_t *mask);
/* Where a batch has a number; 0: it has not. */
int fm_env_find_source(const fm_env *env, const fm_env_number *number, fm_env_source *source);
/* The world of a row, of the engine worlds. */
const fm_world *fm_env_world(const fm_env *env, size_t row);

/* Memory where the environments are computed, zeroed, released with them. */
fm_status fm_env_allocate(fm_env *env, void **memory, size_t bytes, fm_error *error);
/* `work` for pieces of the rows, by all threads. */
void fm_env_share(fm_env *env, void (*work)(void *user, size_t piece), void *user, size_t rows_in_piece);
/* The model of a row with its parameters as they are now; the caller's. NULL: they are those of the model. */
fm_status fm_env_vary(const fm_env *env, size_t row, fm_model **variant, fm_error *error);

#endif
