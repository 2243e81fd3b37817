/* The model: everything that never changes in a run, loaded from a scenario file. */
#ifndef FATHOM_MODEL_H
#define FATHOM_MODEL_H

#include <fathom/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A loaded scenario. Constant after loading: any number of threads, worlds, runs and batches may share it, and it must
 * outlive them. Free it with fm_model_free. */
typedef struct fm_model fm_model;

struct fm_part_class; /* part.h */
/* A part of the calling program, for a scenario that does not name a plugin. */
typedef struct fm_load_part {
    const struct fm_part_class *part_class; /* must live as long as the model, its variants and their worlds */
    /* The vehicle that gets one with the default attributes, after its other parts. NULL: none; the scenario may have
     * elements of this name. */
    const char *vehicle;
} fm_load_part;

/* How to load a scenario; zero-initialise for the defaults. Read only while loading. */
typedef struct fm_load_options {
    size_t size;            /* sizeof(fm_load_options); 0: the members of version 0.1 */
    const char *const *set; /* "PATH=VALUE" overrides, applied before values are checked and derived */
    size_t set_count;
    /* Bridges in addition to those of the scenario, each "KIND attribute=value …" as in <bridge>. */
    const char *const *bridges;
    size_t bridge_count;
    int no_bridges; /* ignore the bridges of the scenario */
    /* Directories searched for models, after the scenario's own and before the default ones: $FATHOM_MODELS and the
     * installed models. */
    const char *const *model_dirs;
    size_t model_dir_count;
    /* Directories searched for a plugin, by file name, if it is not where the scenario says: for scenarios that were
     * moved. */
    const char *const *plugin_dirs;
    size_t plugin_dir_count;
    /* Called for every error found (there may be many); the first one is also returned in *error. May be NULL. */
    void (*report)(void *user, const fm_error *error);
    /* Called for input that is valid but probably a mistake: parts in an order that has no effect, waypoints below the
     * bottom. May be NULL. */
    void (*warn)(void *user, const fm_error *warning);
    void *user;
    /* Parts of the calling program. A class may occur several times, for several vehicles. */
    const fm_load_part *parts;
    size_t part_count;
} fm_load_options;

/* Loads a scenario file. Returns NULL and sets *error if the scenario is invalid. Free it with fm_model_free. */
FM_API fm_model *fm_model_load(const char *file, const fm_load_options *options, fm_error *error);
/* Finds a scenario by its name ("phoenix-turn", with or without ".xml") in the folders of installed scenarios and
 * writes the path of its file. FM_ERR_NAME: none has it; FM_ERR_FULL: the path has more than `size` bytes. */
FM_API fm_status fm_scenario_find(const char *name, char *path, size_t size, fm_error *error);
/* Loads a scenario from memory; `file` is its name in messages and the base of relative paths. */
FM_API fm_model *fm_model_load_memory(const char *text, size_t size, const char *file, const fm_load_options *options,
                                      fm_error *error);
/* Frees a model; NULL is allowed. Nothing may use it any more. */
FM_API void fm_model_free(fm_model *model);

/* Returns the tick of the world, s. */
FM_API double fm_model_dt(const fm_model *model);
/* Returns the duration of the scenario, s. */
FM_API double fm_model_duration(const fm_model *model);
/* Returns the number of ticks in a time (s), rounded to the nearest; UINT64_MAX for an infinite time. */
FM_API uint64_t fm_model_ticks(const fm_model *model, double seconds);
/* Returns the seed of the scenario. */
FM_API uint64_t fm_model_seed(const fm_model *model);
/* Returns the number of vehicles in the scenario. */
FM_API size_t fm_model_vehicle_count(const fm_model *model);

/* A file that the model was loaded from. Belongs to the model. */
typedef struct fm_file_info {
    const char *path; /* as it was opened */
    const char *data; /* its contents as read; NULL for data files, which are not kept */
    size_t size;
} fm_file_info;
/* Returns the number of files the model was loaded from. */
FM_API size_t fm_model_file_count(const fm_model *model);
/* Returns file `i`: the scenario first, then includes, models, and the data files that attributes name. */
FM_API fm_file_info fm_model_file(const fm_model *model, size_t i);
/* Returns the title of the scenario, owned by the model; "": none. */
FM_API const char *fm_model_title(const fm_model *model);
/* Returns the scenario as XML with every value in force, including models and overrides. The caller frees it with
 * fm_free; NULL: out of memory. */
FM_API char *fm_model_write(const fm_model *model);

/* A parameter after loading. Belongs to the model. */
typedef struct fm_param_info {
    const char *path; /* "/phoenix/autopilot/depth/kp" */
    const char *unit; /* SI; "": no dimension */
    const char *text;
    const char *fallback; /* default as written, or NULL */
    double min, max;      /* min == max == 0: no limits */
    int live;             /* may change in a running world */
    const char *value;    /* as text in `unit` */
    const char *written;  /* value or default as written: "15 deg", "700 rpm"; "": not set */
    int set;              /* given by a file or fm_load_options.set; otherwise it is the default */
} fm_param_info;
/* Returns the number of parameters. */
FM_API size_t fm_model_param_count(const fm_model *model);
/* Returns parameter `i`, from 0. */
FM_API fm_param_info fm_model_param(const fm_model *model, size_t i);

#ifdef __cplusplus
}
#endif
#endif
