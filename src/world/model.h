/* The model and its vehicle types, as the world uses them. Built by src/scenario, const afterwards. */
#ifndef FM_WORLD_MODEL_H
#define FM_WORLD_MODEL_H

#include <fathom/model.h>
#include <fathom/part.h>
#include <fathom/world.h>

#include "base/memory.h"
#include "base/part.h"
#include "world/kind.h"
#include "world/subsystem.h"
#include "world/waters.h"

/* A live parameter: a word of the record, or of the world's own live block. */
typedef struct fm_live_param {
    const char *path; /* below the vehicle, "autopilot/depth/kp", '_' for '-' */
    const fm_attr *attr;
    uint32_t offset;    /* words from the start of the record (or of the world's block) */
    uint32_t component; /* of a vector */
} fm_live_param;

typedef struct fm_metric_def {
    const char *name, *unit, *text;
    fm_metric_kind kind;
} fm_metric_def;

enum {
    FM_TOUCHES_MOST = 256,
    FM_PARTNERS_MOST = 128
}; /* obstacles and vehicles that one touches at a time; more end the run */

typedef struct fm_contact_rule {
    enum fm_contact_response response;
    int clearance;      /* evaluate the distance to obstacles and bottom each step */
    int ends;           /* the first contact with them ends the vehicle's run */
    double restitution; /* 0 … 1 */
    double friction;    /* Coulomb */
    double kept_speed;  /* 0 … 1, of FM_CONTACT_RESTORE */
    double parting;     /* m, the same for `restore`: how far each of two vehicles that meet is moved apart in a step */
} fm_contact_rule;

/* A timed order of the scenario. */
typedef struct fm_timed_order {
    uint64_t tick;
    int actuator;
    double value;
} fm_timed_order;

/* A live parameter that the scenario changes at a given time: a fault, or any other event. */
typedef struct fm_timed_change {
    uint64_t tick;
    double value;
    const char *path; /* "/phoenix/stern_lateral/efficiency" */
    const char *text; /* of the event: "set /phoenix/stern_lateral/efficiency to 0.5" */
} fm_timed_change;

/* The element of an actuator and its position, for clients that draw or drive the vehicle. */
typedef struct fm_actuator_fitting {
    const char *element; /* "propeller", "fin" …; "order": one of the vehicle's kind */
    double position[3];  /* m, body */
} fm_actuator_fitting;

struct fm_type {
    const char *name; /* of the model, or of the <type> */
    int declared;     /* by a <type>: no vehicle may have its name */
    const fm_kind *kind;
    const void *kind_config; /* data of the kind; its own struct */
    size_t joint_count;      /* of a kind that has joints */
    fm_body body;
    fm_mass mass; /* at load; vehicles with moving masses hold their own */
    fm_weights weights;
    int full_coriolis;
    const fm_moving_mass *moving;
    const double *tables; /* of thrusters (physics/thruster_table.h) */
    size_t table_numbers;
    size_t moving_count;
    enum fm_integrator integrator;
    int substeps;
    double tolerance; /* sub-steps by error control; 0: off */
    int no_surface;   /* the water has no surface: the hull is always fully submerged */
    uint64_t period;  /* ticks of a vehicle step */
    double step_s;    /* s, period in seconds */

    fm_actuator *actuators;
    const char *const *actuator_names;
    const char *const *actuator_groups;
    const char *const *actuator_units; /* of orders and values: "rad/s", "N" */
    const fm_actuator_fitting *fittings;
    const fm_actuator_fault *faults; /* at the start */
    size_t actuator_count;
    int has_dynamics;            /* some actuator is not static or has a rate limit: it never settles */
    const struct fm_foil *foils; /* fins by their size */
    size_t foil_count;
    const uint32_t *delays; /* of orders to each actuator, steps; NULL: no delays */

    fm_part *parts; /* sensors, then controllers, then force terms, each in file order */
    size_t part_count, sensor_count, controller_count, force_count;
    size_t force_first;

    const fm_live_param *live;
    size_t live_count;
    const fm_metric_def *metrics;
    size_t metric_count;
    const char *const *columns, *const *column_units;
    const uint32_t *column_words; /* where in the record, for those beyond the actuators */
    size_t column_count;
    const struct fm_record_field *fields; /* fields.h */
    size_t field_count;

    fm_battery battery;
    fm_craft craft;         /* the data that the step reads; made by fm_type_lay_out */
    const fm_shape *shapes; /* of the hull, body axes; convex */
    size_t shape_count;
    fm_contact_rule contact;
    double rated_depth, crush_depth; /* m; 0: none */
    double length;                   /* m, overall, for people and figures */
    double width, height;            /* m */
    const struct fm_look *looks;     /* what is drawn of it */
    size_t look_count;

    /* layout of the record, in words */
    fm_block actuator_block, fault_block, metric_block, kind_block;
    fm_block delay_block;   /* delayed orders, a ring for each actuator with a delay */
    fm_block touch_block;   /* obstacles and bottom touched now: bodies + 1, increasing, 0 after the last */
    fm_block partner_block; /* vehicles touched now: slots + 1, increasing, 0 after the last */
    uint32_t record_words;
};

/* A vehicle of the scenario. */
typedef struct fm_placement {
    const char *name;
    int type;
    double position[3], euler[3];
    double velocity[6]; /* over ground, body */
    const fm_timed_order *orders;
    size_t order_count;
} fm_placement;

typedef struct fm_settings {
    double dt, duration; /* s */
    uint64_t seed;
    double latitude, longitude; /* rad, of the origin */
    double epoch;               /* s since 1970: when the run begins */
    double gravity;             /* m/s² */
    double density;             /* kg/m³, nominal */
    int no_surface;             /* water without end above */
    double current[3];          /* m/s, NED, uniform */
    size_t capacity;            /* slots */
    size_t spare;               /* of them beyond the vehicles of the scenario, at least */
    double energy_check;        /* world/energy.h: tolerance; 0: off */
    fm_runaway on_runaway;      /* FM_RUNAWAY_DEFAULT: as the world's options say */
} fm_settings;

/* The attributes of <server>, used by server/server.h. */
typedef struct fm_server_settings {
    int64_t port, clients;
    double keep_alive, timeout, keep;               /* s of the clock */
    double state_period, sensor_period, log_period; /* s of simulation; 0: every step */
    double deadline;                                /* s of the clock; 0: none */
    const char *lockstep;                           /* names separated by spaces; NULL: none */
    int64_t telemetry_loop, hardware_loop;          /* UDP ports; 0: none */
} fm_server_settings;

/* A resource outside the arena that belongs to the model. */
typedef struct fm_release {
    void (*release)(void *thing);
    void *thing;
    struct fm_release *next;
} fm_release;

/* A plugin that the model has parts from. */
typedef struct fm_plugin_file {
    const char *path; /* absolute */
    uint64_t hash;    /* of its bytes */
} fm_plugin_file;

/* A <bridge>: its class, and its settings in its own struct. */
typedef struct fm_bridge_config {
    const char *kind;
    const struct fm_bridge_class *class; /* fathom/bridge.h */
    const void *config;                  /* of the size given by the class's element */
} fm_bridge_config;

/* A part of the list of parameters. Those of a vehicle that is written like an earlier one are described when they are
 * asked for: by far most of a fleet's never are. */
typedef struct fm_param_range {
    size_t first, count;                    /* in the list */
    const fm_param_info *infos;             /* those of the range; with a path: those of the other vehicle */
    const char *path;                       /* of the vehicle, "/v7"; NULL: infos are its own */
    size_t cut;                             /* letters of each other path that `path` takes the place of */
    const void *node;                       /* whose own attributes come first in the range; NULL: none do */
    uint64_t hash;                          /* of them */
    const struct fm_param_renewal *renewal; /* of a variant: from what it is described; NULL: none */
    _Atomic(fm_param_info *) described; /* with a path or renewal: one block of memory; NULL until it is asked for */
} fm_param_range;

/* The parameters of a range; described when they are first asked for. NULL: no memory. Any thread. */
const fm_param_info *fm_model_infos(const fm_model *model, fm_param_range *range);

struct fm_model {
    fm_arena arena;
    fm_release *releases;
    fm_settings settings;
    const fm_server_settings *server;
    const fm_bridge_config *bridges;
    size_t bridge_count;
    fm_type *types;
    size_t type_count;
    fm_placement *vehicles;
    size_t vehicle_count;
    const char **reserved; /* names that no vehicle may have: its parameters would have the paths of an element */
    size_t reserved_count;
    const fm_live_param
        *live; /* live parameters of the world itself, paths from the root; offsets in fm_world's live block */
    const double *live_start; /* their initial values, one word each */
    size_t live_count;
    size_t sea_live, sea_subsystems, sea_words; /* of those, and of the subsystems, what the sea has; they come first */
    const fm_timed_change *changes;             /* in order of time */
    size_t change_count;
    fm_param_range *params; /* in order */
    size_t param_range_count, param_count;
    fm_param_info *(*describe_params)(const fm_param_range *range); /* NULL: no memory */
    const fm_environment *environment;
    int environment_shared;       /* it is that of the model of which this is a variant */
    const fm_waters_word *waters; /* live parameters of the sea (waters.h) */
    size_t waters_count;
    fm_subsystem_row subsystems[FM_SUBSYSTEMS_MOST];
    size_t subsystem_count, subsystem_words;
    uint64_t identity; /* snapshot.h: saved states of other models are refused; 0: of a variant, found when needed */
    const char *title; /* "" where it has none */
    const char *about; /* the comment at the head of the scenario, on one line; "": none */
    const char *view;  /* the page's first view, JSON; "": none */
    const fm_file_info *files;
    size_t file_count;
    const fm_plugin_file *plugins;
    size_t plugin_count;
    void *source;      /* the scenario tree, kept for parameters and for the recording */
    const char **sets; /* "PATH=VALUE" settings that it was loaded with, for the recording */
    size_t set_count;
    void (*free_source)(void *source);
};

/* The parameter at a path, '-' and '_' being the same; NULL: none. */
const fm_param_info *fm_model_find_param(const fm_model *model, const char *path);

/* The part of a role by its name, or (NULL, "") the first; -1: none. */
int fm_type_find_part(const fm_type *type, fm_part_role role, const char *name);

/* The layout of a type's record, and its craft; called by the builder when everything is known. */
void fm_type_lay_out(fm_type *type);

/* The type under a gravity of `ratio` times that of its model, in `out`; `config`: space for its kind's config_size
 * bytes. */
void fm_type_weigh(const fm_type *loaded, double ratio, void *config, fm_type *out);

/* Virtual mass, its inverse and the momentum matrix from mass properties and added mass; FM_ERR_MODEL with the reason
 * if it is not symmetric positive definite. */
fm_status fm_mass_derive(const fm_mass_properties *properties, const double added[36], int full_coriolis, fm_mass *mass,
                         fm_error *error);

#endif
