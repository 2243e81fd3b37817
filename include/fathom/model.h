/* The model: everything that never changes in a run. Loaded from a scenario file, const afterwards, shared by threads.
 */
#ifndef FATHOM_MODEL_H
#define FATHOM_MODEL_H

#include <fathom/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fm_model fm_model;

/* How to load a scenario; zero-initialise for the defaults. */
typedef struct fm_load_options {
    size_t size;            /* sizeof(fm_load_options); 0: the members of version 0.1 */
    const char *const *set; /* "PATH=VALUE" overrides, applied before checks and derivation */
    size_t set_count;
    /* Bridges beside those of the scenario, each "KIND attribute=value …" as of <bridge>. */
    const char *const *bridges;
    size_t bridge_count;
    int no_bridges; /* those of the scenario are left out */
    /* Where models are looked for, after the scenario's own folder and before those that are looked into always:
     * $FATHOM_MODELS and the installed models. */
    const char *const *model_dirs;
    size_t model_dir_count;
    /* Where a plugin is looked for, by its file name, that is not where the scenario says: for scenarios that were
     * moved. */
    const char *const *plugin_dirs;
    size_t plugin_dir_count;
    /* Called for every error found (there may be many); the first one is also returned in *error. May be NULL. */
    void (*report)(void *user, const fm_error *error);
    /* Called for what is accepted and yet hardly meant: parts in an order in which they do not meet, waypoints below
     * the bottom. May be NULL. */
    void (*warn)(void *user, const fm_error *warning);
    void *user;
} fm_load_options;

/* NULL and *error where the scenario is refused. */
FM_API fm_model *fm_model_load(const char *file, const fm_load_options *options, fm_error *error);
/* The same from memory; `file` names it in messages and anchors relative paths. */
FM_API fm_model *fm_model_load_memory(const char *text, size_t size, const char *file, const fm_load_options *options,
                                      fm_error *error);
FM_API void fm_model_free(fm_model *model);

FM_API double fm_model_dt(const fm_model *model);       /* s, the world tick */
FM_API double fm_model_duration(const fm_model *model); /* s */
/* Ticks in a time (s), to the nearest; UINT64_MAX for ever. */
FM_API uint64_t fm_model_ticks(const fm_model *model, double seconds);
FM_API uint64_t fm_model_seed(const fm_model *model);
FM_API size_t fm_model_vehicle_count(const fm_model *model);

/* Where the model came from: the scenario first, then includes, models and the data files that attributes name. */
typedef struct fm_file_info {
    const char *path; /* as it was opened */
    const char *data; /* its bytes as they were read; NULL for data files, which are not kept */
    size_t size;
} fm_file_info;
FM_API size_t fm_model_file_count(const fm_model *model);
FM_API fm_file_info fm_model_file(const fm_model *model, size_t i);
FM_API const char *fm_model_title(const fm_model *model); /* "" where it has none */
/* The scenario as XML with every value in force, models and --set included. NULL when out of memory; free with fm_free.
 */
FM_API char *fm_model_write(const fm_model *model);

/* Parameters as they stand after loading. */
typedef struct fm_param_info {
    const char *path; /* "/phoenix/autopilot/depth/kp" */
    const char *unit; /* SI; "" has no dimension */
    const char *text;
    const char *fallback; /* default as written, or NULL */
    double min, max;      /* min == max == 0: no limits */
    int live;             /* may change in a running world */
    const char *value;    /* present value, as text in `unit` */
    const char *written;  /* the same as it was written, or its default is: "15 deg", "700 rpm"; "" is not set */
    int set;              /* by a file or by fm_load_options.set; else it has its default */
} fm_param_info;
FM_API size_t fm_model_param_count(const fm_model *model);
FM_API fm_param_info fm_model_param(const fm_model *model, size_t i);

#ifdef __cplusplus
}
#endif
#endif
