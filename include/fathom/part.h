/* Parts: force terms, sensors and controllers. Built-in parts and those of a plugin register through the same table.
 *
 * A part has a const config (filled from its XML element by the offsets of its attribute table), a block of live
 * parameters (the first live_size bytes of config; the world holds the values in force), a state and, for sensors, an
 * output. State and output are pointer-free, made of 8-byte fields (double, int64_t), zeroed at the start; they are
 * copied, saved, restored and hashed with the world. Callbacks must depend on nothing else. */
#ifndef FATHOM_PART_H
#define FATHOM_PART_H

#include <fathom/describe.h>
#include <fathom/quantity.h>
#include <fathom/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fm_part_load fm_part_load;     /* what a loader may ask of the vehicle being built */
typedef struct fm_environment fm_environment; /* the sea around, asked by surroundings.h */
typedef struct fm_bodies fm_bodies;           /* what moves in it: vehicles, obstacles on tracks */
struct fm_world;

typedef enum fm_part_kind { FM_PART_FORCE, FM_PART_SENSOR, FM_PART_CONTROLLER } fm_part_kind;

/* The vehicle as its parts see it. World axes NED, body axes forward-starboard-down, SI. */
typedef struct fm_vehicle_view {
    const double *position;     /* [3] m, NED */
    const double *attitude;     /* [4] quaternion (w, x, y, z), body → world */
    const double *rotation;     /* [9] the same as a matrix by row */
    const double *velocity;     /* [6] over ground, body axes: m/s, rad/s */
    const double *acceleration; /* [6] rate of change of velocity over the last step: m/s², rad/s² */
    const double *water;        /* [3] velocity of the water here, m/s, NED */
    double depth_below;         /* water depth minus own depth (altitude), m; HUGE_VAL without a bottom */
    double gravity;             /* m/s² */
    double density;             /* of the water here, kg/m³ */
    double charge, capacity;    /* J left in the battery and when full; 0: no battery */
    double power, hotel;        /* W drawn now in all, and of that by the hotel load */
} fm_vehicle_view;

/* One call of a part. */
typedef struct fm_part_context {
    uint64_t tick;    /* of the world */
    double time;      /* s since the start */
    double period;    /* s between two calls of this part (force terms: the vehicle's step) */
    uint64_t seed;    /* random numbers (surroundings.h) come from these three and the tick */
    uint32_t entity;  /* this vehicle */
    uint32_t channel; /* this part */
    const fm_vehicle_view *vehicle;
    const fm_environment *environment;
    const fm_bodies *bodies; /* at the start of the step */
    const void *config;
    const void *live;       /* live parameters in force, laid out as the head of config */
    const void *kind_state; /* what the vehicle's kind keeps, a struct of that kind (a fish: fish/fish.h) */
    void *state;
    void *output;  /* sensors: the latest sample */
    double *force; /* force terms: [6] N, N·m, body axes; add to it */
    struct fm_world *world;
    int slot;          /* of the vehicle in the world */
    double *air_force; /* force terms: as `force`, for what acts out of the water too; `force` fades there */
} fm_part_context;

/* One output of a part: `count` values from `offset` (bytes) of its output block. `field` is the path in its message: a
 * number, a fixed array, a sequence (which then has `count` items), or a whole geometry_msgs vector or point (3 values)
 * or quaternion (4 values, w x y z); a sequence of vectors takes 3 values an item. Telemetry converts `unit` to that of
 * the message. Without a message, field names are free: the part's channel carries names, units and values
 * (fathom_msgs/Values). */
/* Vectors and quaternions stand in our frames; what leaves for ROS is converted. */
typedef enum fm_output_frame {
    FM_OUTPUT_PLAIN, /* a number, or in the message's own frame */
    FM_OUTPUT_BODY,  /* forward-starboard-down, becomes forward-left-up */
    FM_OUTPUT_WORLD  /* north-east-down (a quaternion: body → world), becomes east-north-up */
} fm_output_frame;
typedef enum fm_output_reach {
    FM_OUTPUT_OPEN,  /* for all */
    FM_OUTPUT_LOCAL, /* for readers and columns only: the message has no such field */
    FM_OUTPUT_INNER  /* for other parts of the vehicle only */
} fm_output_reach;
typedef struct fm_output {
    const char *field;
    const char *unit;
    size_t offset;
    size_t count;
    fm_output_type type;
    fm_output_frame frame;
    const char *text; /* of a TEXT; the names of a NAME */
    fm_output_reach reach;
    fm_quantity quantity; /* what it holds, for other parts */
} fm_output;

/* Rows of a table of outputs: the struct of the output and its member; path in the message; unit; how many values;
 * frame; quantity. A NUMBER is one value without a frame. */
#define FM_OUTPUT_FIELD(its_type, member, its_field, its_unit, its_count, its_frame, its_quantity)                     \
    {                                                                                                                  \
        .field = its_field, .unit = its_unit, .offset = offsetof(its_type, member), .count = its_count,                \
        .frame = its_frame, .quantity = its_quantity                                                                   \
    }
#define FM_OUTPUT_NUMBER(its_type, member, its_field, its_unit, its_quantity)                                          \
    FM_OUTPUT_FIELD(its_type, member, its_field, its_unit, 1, FM_OUTPUT_PLAIN, its_quantity)
/* For other parts of the vehicle only. */
#define FM_OUTPUT_GIVEN(its_type, member, its_field, its_unit, its_count, its_quantity)                                \
    {                                                                                                                  \
        .field = its_field, .unit = its_unit, .offset = offsetof(its_type, member), .count = its_count,                \
        .reach = FM_OUTPUT_INNER, .quantity = its_quantity                                                             \
    }
#define FM_OUTPUT_CONSTANT(its_field, its_text)                                                                        \
    {                                                                                                                  \
        .field = its_field, .unit = "", .count = 1, .type = FM_OUTPUT_TEXT, .text = its_text                           \
    }

/* Rows of the element of a part that sits somewhere: `member` is its fm_mount, `looks` its attitude by default. */
#define FM_MOUNT_ATTRS(its_type, member, looks)                                                                        \
    FM_VECTOR_ATTR(its_type, member.position, 3, "position", "m", 0, 0, "0 0 0 m", 0,                                  \
                   "on the vehicle: forward, starboard, down"),                                                        \
        FM_VECTOR_ATTR(its_type, member.attitude, 3, "attitude", "rad", 0, 0, looks, 0,                                \
                       "on the vehicle: roll, pitch, heading")
/* Where it stands, for fm_part_class.mount. */
#define FM_MOUNT_AT(its_type, member) (1 + offsetof(its_type, member))

/* How an output tells that it is news. */
enum {
    FM_COUNTS_NOTHING, /* every period is news */
    FM_COUNTS_SAMPLES, /* its first word (int64_t) counts the samples given out; a message goes out when it changed */
    FM_COUNTS_READING, /* likewise, and it begins with a whole fm_reading */
    FM_COUNTS_MESSAGES /* likewise, and none of them is left out where fewer are asked for */
};

/* What happened to the vehicle, for verdicts. */
typedef struct fm_vehicle_history {
    long long contacts;   /* onsets of contact with obstacles and bottom */
    double min_clearance; /* m; NaN: not looked at */
    double distance;      /* m travelled */
} fm_vehicle_history;

/* A guidance whose waypoints may change in a run. Contexts have no vehicle and no sea; places in the list have been
 * checked. */
struct fm_waypoint; /* world.h */
typedef struct fm_waypoint_calls {
    size_t (*count)(const fm_part_context *context);
    void (*get)(const fm_part_context *context, size_t i, struct fm_waypoint *out);
    /* Whether a waypoint may stand in a list of `count`. */
    fm_status (*check)(const fm_part_context *context, const struct fm_waypoint *waypoint, size_t count,
                       fm_error *error);
    void (*add)(const fm_part_context *context, size_t before, const struct fm_waypoint *waypoint);
    void (*move)(const fm_part_context *context, size_t i, const struct fm_waypoint *waypoint);
    void (*clear)(const fm_part_context *context);
} fm_waypoint_calls;

/* A set point of a controller: a number among its live parameters. What is released goes back to its value at load. */
typedef struct fm_setpoint {
    const char *name, *also; /* "bearing"; another name for it ("heading"), or NULL */
    const char *unit, *text;
    double min, max; /* both 0: no limits */
    size_t offset;   /* of the number in config, within live_size */
    size_t flag;     /* 1 + offset of an int64_t: 0 there says that it is not set; 0: there is none */
    int optional;    /* without a flag: NaN says that it is not set */
} fm_setpoint;
#define FM_SETPOINT_ROW(its_type, member, its_name, its_unit, its_min, its_max, its_text)                              \
    .name = its_name, .unit = its_unit, .text = its_text, .min = its_min, .max = its_max,                              \
    .offset = offsetof(its_type, member)

typedef struct fm_part_class {
    fm_part_kind kind;
    const fm_element *element; /* name, attributes, children */
    size_t live_size;          /* bytes at the head of config that are live parameters, a multiple of 8 */
    size_t state_size;         /* bytes, a multiple of 8; load may enlarge it (fm_load_state_size) */
    size_t output_size;        /* likewise */
    const char *message;      /* ROS 2 type of the channel ("sensor_msgs/FluidPressure"), or NULL: fathom_msgs/Values */
    const fm_output *outputs; /* what of the output goes where in the message */
    size_t output_count;
    int counts;   /* FM_COUNTS_… */
    size_t mount; /* FM_MOUNT_AT(config, member): where its fm_mount stands in its config; 0: it has none */
    fm_status (*load)(fm_part_load *load, void *config, fm_error *error); /* checks and derives; may be NULL */
    void (*start)(const fm_part_context *context);                        /* state at birth; may be NULL */
    void (*run)(const fm_part_context *context);                          /* one period */
    /* How the run ended, in one line for people ("avoided: closest 0.162 m"); reads, changes nothing; may be NULL. */
    void (*verdict)(const fm_part_context *context, const fm_vehicle_history *history, char *text, size_t size);
    const fm_waypoint_calls *waypoints; /* NULL: it has none */
    const fm_setpoint *setpoints;
    size_t setpoint_count;
    const struct fm_lane_part *lanes; /* how batches run it, of built-in parts; NULL: worlds alone do */
} fm_part_class;

/* --- at load time; -1 and an error where there is no such thing --- */
FM_API int fm_load_actuator(fm_part_load *load, const char *name, fm_error *error);
/* Actuators of a group, or the one actuator of that name; returns how many there are, writes at most `most`. */
FM_API size_t fm_load_actuators(fm_part_load *load, const char *name, int *indices, size_t most);
/* Sensor by name; it must stand before its reader in the file or be a sensor of the same vehicle. */
FM_API int fm_load_sensor(fm_part_load *load, const char *name, fm_error *error);
/* Registers a metric of this vehicle and returns its index. fm_load_metric(…, "detections", "", "…", FM_METRIC_SUM). */
typedef enum fm_metric_kind {
    FM_METRIC_MIN,
    FM_METRIC_MAX,
    FM_METRIC_SUM,
    FM_METRIC_RMS,
    FM_METRIC_LAST,
    FM_METRIC_FIRST,
    FM_METRIC_MEAN
} fm_metric_kind;
FM_API int fm_load_metric(fm_part_load *load, const char *name, const char *unit, const char *text,
                          fm_metric_kind kind);
/* Whether an earlier part of this vehicle gives a metric of this name. Parts that share one write into the same number.
 */
FM_API int fm_load_has_metric(fm_part_load *load, const char *name);
FM_API void fm_load_state_size(fm_part_load *load, size_t bytes);
FM_API void fm_load_output_size(fm_part_load *load, size_t bytes);
/* Outputs of this one instance in place of the class's, where their number depends on what is written; `outputs` must
 * live as long as the model (fm_load_alloc). */
FM_API void fm_load_outputs(fm_part_load *load, const fm_output *outputs, size_t count);
FM_API double fm_load_period(const fm_part_load *load); /* s between two calls of this part */
/* Its name among the parts of the vehicle: its attribute `name`, or that of its element. */
FM_API const char *fm_load_name(const fm_part_load *load);
FM_API const fm_environment *fm_load_environment(const fm_part_load *load);
FM_API void *fm_load_alloc(fm_part_load *load, size_t bytes); /* const data that lives as long as the model */
/* Calls release(thing) when the model is freed; 0: no memory, nothing is kept. */
FM_API int fm_load_on_free(fm_part_load *load, void (*release)(void *thing), void *thing);
/* Was the child element (or the attribute) written in the file, or set? Children of children that stand at most once
 * are named by their path: "fish-body/section". */
FM_API int fm_load_has_child(fm_part_load *load, const char *element);
FM_API int fm_load_has_attribute(fm_part_load *load, const char *attribute);
/* Repeated children: how many `element`s there are; fills *config from the i-th. */
FM_API size_t fm_load_child_count(fm_part_load *load, const char *element);
FM_API fm_status fm_load_child(fm_part_load *load, const char *element, size_t i, void *config, fm_error *error);
FM_API int fm_load_child_has(fm_part_load *load, const char *element, size_t i, const char *attribute);
/* What an actuator does, for controllers that share out forces and deflections. */
typedef struct fm_actuator_info {
    const char *name, *group; /* group may be NULL */
    int thruster;             /* 1: pushes with law(order) newtons along its column */
    int fin;                  /* 1: deflects */
    double low, high;         /* accepted orders: rad/s (propeller), V (tunnel thruster), N (thruster), rad (fin) … */
    int square;               /* law of a thruster: F = gain x|x| if 1, gain x if 0 */
    double gain, gain_reverse; /* N per unit (or unit²), for positive and negative orders */
    double column[6];          /* N, N·m, body axes: thruster: for 1 N; fin: for 1 rad at 1 m/s ahead */
} fm_actuator_info;
FM_API size_t fm_load_actuator_count(fm_part_load *load);
FM_API fm_actuator_info fm_load_actuator_info(fm_part_load *load, size_t i);
/* What part of its force or deflection the i-th actuator gives at the start: 1 healthy … 0 dead. */
FM_API double fm_load_actuator_efficiency(fm_part_load *load, size_t i);
/* The kind of this vehicle ("body", "diving", "fish") and what the kind knows of it, a struct of that kind; NULL: no
 * more than a body. */
FM_API const char *fm_load_kind(fm_part_load *load);
FM_API const void *fm_load_kind_config(fm_part_load *load);
/* Whether the scenario has a vehicle (*obstacle = -1) or an obstacle (*obstacle is its index) of this name. */
FM_API int fm_load_find_target(fm_part_load *load, const char *name, int *obstacle);
/* Parts of this vehicle that stand before this one (all sensors, and earlier controllers): their outputs can be read
 * with fm_sensor_output(context, i). */
typedef struct fm_part_info {
    const char *name;
    const fm_part_class *part_class;
    const void *config;
} fm_part_info;
FM_API size_t fm_load_part_count(fm_part_load *load);
FM_API fm_part_info fm_load_part_info(fm_part_load *load, size_t i);
/* Whether one of these parts gives a quantity; fills the view if so. */
FM_API int fm_load_quantity(fm_part_load *load, size_t part, fm_quantity quantity, fm_quantity_view *view);
/* The sensor of this name, which must give the quantity; without a name (NULL) the first sensor that does. Returns its
 * number and fills the view. */
FM_API int fm_load_find_quantity(fm_part_load *load, fm_quantity quantity, const char *name, fm_quantity_view *view,
                                 fm_error *error);
/* An error at the place of this part in its file. */
FM_API fm_status fm_load_fail(fm_part_load *load, fm_error *error, fm_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same at the place of the i-th child `element` (NULL, or not written: of this part), or of its attribute (NULL: of
 * the element). */
FM_API fm_status fm_load_fail_at(fm_part_load *load, const char *element, size_t i, const char *attribute,
                                 fm_error *error, fm_status status, const char *format, ...)
    __attribute__((format(printf, 7, 8)));

/* --- in a step --- */
FM_API void fm_actuator_order(const fm_part_context *context, int actuator, double value);
FM_API double fm_actuator_value(const fm_part_context *context, int actuator);
FM_API double fm_actuator_force(const fm_part_context *context, int actuator);
/* rad/s: of a thruster by its measured table; of others their value. */
FM_API double fm_actuator_shaft(const fm_part_context *context, int actuator);
/* What part of its force or deflection an actuator still gives (its live parameter `efficiency`), for controllers that
 * are told of faults; 0: dead. */
FM_API double fm_actuator_efficiency(const fm_part_context *context, int actuator);
FM_API const void *fm_sensor_output(const fm_part_context *context, int sensor);
/* How fresh that output is, for every kind of class. */
FM_API fm_reading fm_sensor_reading(const fm_part_context *context, int sensor);
/* The i-th value of a quantity, in its unit. */
FM_API double fm_quantity_value(const fm_part_context *context, const fm_quantity_view *view, size_t i);
/* Several from the first on. */
FM_API void fm_quantity_values(const fm_part_context *context, const fm_quantity_view *view, size_t count,
                               double *values);
/* Where a long quantity begins; its values one by one with fm_quantity_at. */
FM_API const void *fm_quantity_data(const fm_part_context *context, const fm_quantity_view *view);
static inline double fm_quantity_at(const fm_quantity_view *view, const void *data, size_t i)
{
    double value;
    switch (view->type) {
    case FM_OUTPUT_UINT8: value = ((const unsigned char *)data)[i]; break;
    case FM_OUTPUT_FLOAT32: value = ((const float *)data)[i]; break;
    case FM_OUTPUT_INT64: value = (double)((const int64_t *)data)[i]; break;
    default: value = ((const double *)data)[i]; break;
    }
    return view->scale == 1 && view->shift == 0 ? value : value * view->scale + view->shift;
}
FM_API void fm_metric_note(const fm_part_context *context, int metric, double value);
/* An event of this vehicle: appears in the log, in the run's output and on the telemetry channel. `kind` must be a
 * string literal or live as long as the model. */
FM_API void fm_event_emit(const fm_part_context *context, const char *kind, double value);
/* The same with its text for people, which is copied: "waypoint 3 reached". */
FM_API void fm_event_emit_text(const fm_part_context *context, const char *kind, double value, const char *text);

/* --- plugins: a shared object exports `const fm_plugin fm_plugin_v1`. Elements of its classes take the attributes
 * `name` and, but for force terms, `period` whether or not they list them. --- */
enum { FM_PLUGIN_ABI = 4 };
typedef struct fm_plugin {
    uint32_t abi; /* FM_PLUGIN_ABI */
    uint32_t class_count;
    const fm_part_class *const *classes;
} fm_plugin;
FM_API extern const fm_plugin fm_plugin_v1; /* the plugin defines it; the library has none */

#ifdef __cplusplus
}
#endif
#endif
