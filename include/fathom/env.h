/* Environments: n copies of one scenario, stepped together, for learning and for planners. Observations and actions are
 * arrays with one row per environment, on the CPU or the GPU, without copies.
 *
 *     static const char *const observed[] = {"position", "euler", "velocity"};
 *     fm_env_options options = {.size = sizeof options, .interval = 0.1, .time_limit = 60,
 *                               .observations = observed, .observation_count = 3, .normalised = 1,
 *                               .autoreset = FM_ENV_NEXT_STEP};
 *     fm_env *env = fm_env_create(model, 4096, &options, &error);
 *     fm_env_reset(env, NULL, &error);
 *     float *actions = fm_env_look(env, FM_ENV_ACTIONS).data;
 *     for (;;) { …write actions, read observations… fm_env_step(env, &error); }
 *
 * A row is one environment, an episode its run from one reset to the next. A row ends terminated (the task is over) or
 * truncated (the time is up), with a reason. Rows of the same key, parameters and actions have the same bits in every
 * engine that computes in double, on any number of threads. */
#ifndef FATHOM_ENV_H
#define FATHOM_ENV_H

#include <fathom/dlpack.h>
#include <fathom/fields.h>
#include <fathom/variant.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Environments of one scenario. One thread may use them at a time; different ones are independent. The model must
 * outlive them. */
typedef struct fm_env fm_env;

/* What computes the steps. */
typedef enum fm_env_engine {
    FM_ENV_AUTO,   /* cuda if a GPU is available and there are many rows, else simd, else worlds */
    FM_ENV_WORLDS, /* one world per row: any scenario, all sensors, obstacles, contact, other vehicles, controllers */
    FM_ENV_SIMD,   /* one row per lane of a vector register: the vehicle and its water alone */
    FM_ENV_CUDA    /* as simd, one row per thread of a GPU; the arrays are in GPU memory */
} fm_env_engine;

/* What happens to a row that has ended. */
typedef enum fm_env_autoreset {
    FM_ENV_MANUAL,    /* nothing: its arrays stay as they are until fm_env_reset */
    FM_ENV_NEXT_STEP, /* the next fm_env_step resets it in place of a step; that action is ignored, the reward is 0 */
    FM_ENV_SAME_STEP  /* the same fm_env_step resets it: observations are the first ones of the new episode, the last
                         ones of the old episode are in FM_ENV_FINAL_OBSERVATIONS */
} fm_env_autoreset;

/* Why a row has ended: FM_ENV_REASONS. */
typedef enum fm_env_reason {
    FM_ENV_RUNNING,    /* it has not */
    FM_ENV_TIME_UP,    /* the time limit (truncated); the others are terminated */
    FM_ENV_DIVERGED,   /* its state is not finite or out of range */
    FM_ENV_CONTACT,    /* its vehicle touched something */
    FM_ENV_TOO_DEEP,   /* its vehicle is below the depth limit */
    FM_ENV_NAN_ACTION, /* an action is NaN; the order before it was kept */
    FM_ENV_CONDITION   /* `end` was met, the scenario's <end>, or `judge` ended it */
} fm_env_reason;

/* What a judge is given: all rows after a step, before any of them is reset. On a GPU the pointers are the GPU's, and
 * the work of the step may still be under way on `stream`: a judge launches its own work there. */
typedef struct fm_env_moment {
    size_t rows, observations, actions; /* numbers in a row */
    int bits;                           /* of the three arrays of numbers: 32 or 64 */
    int device_type, device_id;         /* fm_dl_device */
    void *stream;                       /* a CUstream; NULL on the CPU */
    const void *observation, *action;   /* [rows][observations], [rows][actions]: as in their arrays */
    void *reward;                       /* [rows], 0: to be written */
    uint8_t *terminated;                /* [rows]: set to 1 to end a row (reason FM_ENV_CONDITION) */
    const uint8_t *reasons;             /* [rows]: fm_env_reason so far */
    const int64_t *steps;               /* [rows] since the start of the episode, this one included; 0: a row that was
                                           reset in place of this step */
} fm_env_moment;
/* Writes rewards and ends episodes; called once per step, by the thread that steps. */
typedef void fm_env_judge(void *user, const fm_env_moment *moment);

/* How to create environments; zero-initialise for the defaults and set `size`. Read only during fm_env_create. */
typedef struct fm_env_options {
    size_t size; /* sizeof(fm_env_options) */
    fm_env_engine engine;
    fm_env_autoreset autoreset;
    int float64;         /* arrays of observations, actions and rewards are float64; 0: float32 */
    int single;          /* simd and cuda compute in float; 0: double */
    int threads;         /* CPU threads; 0 or 1: the calling thread only */
    const char *vehicle; /* that acts and is observed; NULL: the first one */
    /* Fields by name (fathom/fields.h), one after the other in a row: "position", "dvl.velocity" of the vehicle,
     * "other.x" of another one. None: x, y, z, phi, theta, psi, u … r, then the values of the actuators. */
    const char *const *observations;
    size_t observation_count;
    /* Actuators of the vehicle by name, one after the other in a row; none: all of them. Their orders are the row's
     * alone, and are held over a step; controllers of the scenario keep the others. */
    const char *const *actions;
    size_t action_count;
    int normalised;  /* actions are -1 … 1 over the limits of each actuator; 0: in its unit. Clipped to the limits */
    double interval; /* s from one step to the next: a whole multiple of the vehicle's step; 0: that step */
    double time_limit;  /* s of an episode, then it is truncated; 0: the scenario's duration; infinite: none */
    double depth_limit; /* m: the vehicle's origin below it ends the episode; 0: none */
    int end_on_contact; /* the first contact of the vehicle ends the episode */
    /* Paths of numbers that differ from row to row, as for fm_model_param_find: the columns of FM_ENV_PARAMETERS. */
    const char *const *parameters;
    size_t parameter_count;
    int seeded; /* episode keys follow from `seed`; 0: from the scenario's seed */
    uint64_t seed;
    /* Standard deviation of normal noise that is added to each column of the observations, in its unit; NULL: none. It
     * depends on the row's key and step alone. */
    const double *noise;
    fm_env_judge *judge; /* NULL: rewards are 0, or those of `reward` */
    void *user;          /* of the judge */
    void *stream;        /* cuda: a CUstream on which all work is queued; NULL: the default stream */
    /* Expressions with units over fields and metrics (docs/expressions.md), evaluated after every step, before the
     * judge; names without a vehicle are of the one that acts. Functions over time ("integral", "change") see the steps
     * of the episode, its start included. An answer that is unknown counts as 0. Engines worlds and simd; cuda refuses
     * them, and simd those that read what it does not compute. */
    const char *reward;       /* its answer is the reward: "change(-hypot(x - 10 m, y)) / 1 m"; NULL: none */
    const char *end;          /* a condition that ends the row, reason FM_ENV_CONDITION; NULL: none */
    const char *const *costs; /* the columns of FM_ENV_COSTS */
    size_t cost_count;
} fm_env_options;

/* Creates `rows` environments, all at the start of their first episode. Free them with fm_env_free. Returns NULL and
 * sets *error if an option is refused, or if the engine cannot compute the scenario or an observation: *error names
 * what it is. FM_ENV_AUTO then takes worlds. */
FM_API fm_env *fm_env_create(const fm_model *model, size_t rows, const fm_env_options *options, fm_error *error);
/* Frees environments; NULL is allowed. Arrays that were exported (fm_env_export) stay valid until their deleters are
 * called. */
FM_API void fm_env_free(fm_env *env);

/* Starts new episodes in the rows whose byte in `mask` is not 0 (one byte per row, in the memory of the environment's
 * device; NULL: all). Each takes the parameters of the last fm_env_refresh and its next key, and its first
 * observations are written; rewards, ends and reasons are cleared. Allocates nothing; on a GPU it is queued. */
FM_API fm_status fm_env_reset(fm_env *env, const uint8_t *mask, fm_error *error);
/* Applies the actions and advances every row by one interval; then writes observations, rewards, ends and reasons.
 * Allocates nothing; on a GPU it is queued on the stream and returns at once. A row that diverges or is given a NaN
 * ends; the others are not affected. */
FM_API fm_status fm_env_step(fm_env *env, fm_error *error);
/* Takes over what was written to FM_ENV_PARAMETERS: derives a variant (fathom/variant.h) for each row whose numbers
 * have changed. A row uses it from its next reset on. Returns an error that names row and path if a value is refused;
 * then nothing changes. */
FM_API fm_status fm_env_refresh(fm_env *env, fm_error *error);
/* Waits until all that was queued on a GPU is done, and returns what went wrong there; on a CPU it returns at once. */
FM_API fm_status fm_env_wait(fm_env *env, fm_error *error);
/* Queues all further work on another CUstream, after what is queued already. On a CPU: no effect. */
FM_API fm_status fm_env_set_stream(fm_env *env, void *stream, fm_error *error);
/* Returns the CUstream in use; NULL: the default stream, or a CPU. */
FM_API void *fm_env_stream(const fm_env *env);

/* --- arrays: row-major, contiguous --- */

/* The arrays of environments; n rows. */
typedef enum fm_env_array {
    FM_ENV_OBSERVATIONS,       /* (n, k) float */
    FM_ENV_ACTIONS,            /* (n, k) float, writable: orders for the next step */
    FM_ENV_REWARDS,            /* (n) float: of the last step */
    FM_ENV_TERMINATED,         /* (n) bool: the last step ended it */
    FM_ENV_TRUNCATED,          /* (n) bool: the last step used up its time */
    FM_ENV_REASONS,            /* (n) uint8: fm_env_reason */
    FM_ENV_FINAL_OBSERVATIONS, /* (n, k) float: of each row, the last observations of the episode that ended last */
    FM_ENV_PARAMETERS,         /* (n, k) float64, SI, writable, in CPU memory: fm_env_refresh takes them */
    FM_ENV_KEYS,         /* (n) uint64, writable: the key of the episode after the next reset; a reset puts the key
                            that follows from the seed, the row and the number of its next episode here */
    FM_ENV_EPISODE_KEYS, /* (n) uint64: of the present episode: the seed of all its random numbers */
    FM_ENV_STEPS,        /* (n) int64: steps since the start of the episode */
    FM_ENV_EPISODES,     /* (n) int64: episodes begun before the present one */
    FM_ENV_COSTS,        /* (n, k) float: the answers of fm_env_options.costs after the last step */
    FM_ENV_ARRAYS        /* number of arrays */
} fm_env_array;
/* Returns an array, not copied; `data` is NULL if it has no columns. Its memory and shape are valid as long as the
 * environments. */
FM_API fm_dl_tensor fm_env_look(const fm_env *env, fm_env_array array);
/* Returns an array as a managed DLPack tensor that keeps the memory alive; NULL and *error on failure. Arrays that are
 * not "writable" above are marked read-only. On a GPU the consumer's stream must wait for fm_env_stream. */
FM_API fm_dl_array *fm_env_export(fm_env *env, fm_env_array array, fm_error *error);

/* --- description --- */

/* A column of the observations or of the actions. Belongs to the environment. */
typedef struct fm_env_column {
    const char *name; /* "rov.x", "rov.velocity[2]", "thruster-1"; NULL: no such column */
    const char *unit; /* "": no dimension; of an action that is normalised too */
    double min, max;  /* limits of the numbers in the array; infinite: none */
    size_t field;     /* of the model (fm_model_field), or the actuator (fm_model_actuator) */
    size_t element;   /* of the field; 0 for an actuator */
} fm_env_column;
/* Returns column `i` of the observations. */
FM_API fm_env_column fm_env_observation(const fm_env *env, size_t i);
/* Returns column `i` of the actions. */
FM_API fm_env_column fm_env_action(const fm_env *env, size_t i);
/* Returns the number of rows. */
FM_API size_t fm_env_count(const fm_env *env);
/* Returns the time from one step to the next, s. */
FM_API double fm_env_interval(const fm_env *env);
/* Returns what computes the steps; never FM_ENV_AUTO. */
FM_API fm_env_engine fm_env_engine_used(const fm_env *env);
/* Returns the engine for people, and why FM_ENV_AUTO chose worlds: "worlds (rov.sonar.ranges: worlds only)". */
FM_API const char *fm_env_describe(const fm_env *env);
/* Returns the name of a reason: "diverged"; "": running, or no reason. */
FM_API const char *fm_env_reason_name(fm_env_reason reason);

/* --- save and restore --- */

/* A saved state of all rows, on their device. Belongs to its environments, which must outlive it. */
typedef struct fm_env_state fm_env_state;
/* Creates a state with room for all rows, which holds none yet. Free it with fm_env_state_free. */
FM_API fm_env_state *fm_env_state_create(fm_env *env, fm_error *error);
/* Frees a state; NULL is allowed. */
FM_API void fm_env_state_free(fm_env_state *state);
/* Saves the rows whose byte in `mask` is not 0 (NULL: all): vehicle, episode, parameters, and their rows of all
 * arrays. */
FM_API fm_status fm_env_save(fm_env *env, fm_env_state *state, const uint8_t *mask, fm_error *error);
/* Restores rows: row i takes row from[i] of the state (`from` and `mask` in the memory of the device; from NULL: the
 * same row). A planner branches so: all rows take the same row of the state, and go on with different actions. A row
 * of the state that was never saved is left out. */
FM_API fm_status fm_env_restore(fm_env *env, const fm_env_state *state, const uint32_t *from, const uint8_t *mask,
                                fm_error *error);

#ifdef __cplusplus
}
#endif
#endif
