/* Parts: force terms, sensors and controllers. Built-in parts and those of a plugin register through the same table.
 *
 * A part has
 * - a constant config, filled from its XML element through the offsets of its attribute table,
 * - live parameters: the first live_size bytes of config; the world holds the values in force,
 * - a state and, for sensors, an output. Both contain no pointers, only 8-byte fields (double, int64_t), and are zeroed
 *   at the start. They are copied, saved, restored and hashed with the world.
 *
 * Callbacks must depend on nothing else. Vehicles may be stepped by several threads, each vehicle by one at a time: a
 * callback may write only to what its context points to. */
#ifndef FATHOM_PART_H
#define FATHOM_PART_H

#include <fathom/describe.h>
#include <fathom/quantity.h>
#include <fathom/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The vehicle being built, as its parts see it. Valid during `load`; loading uses one thread. */
typedef struct fm_part_load fm_part_load;
/* The surrounding sea; read it through surroundings.h. Valid as long as the world. */
typedef struct fm_environment fm_environment;
/* What moves in the sea: vehicles, obstacles on tracks. Constant during a step. */
typedef struct fm_bodies fm_bodies;
struct fm_world;

/* When a part runs in a step: sensors first, then controllers, then force terms. */
typedef enum fm_part_kind { FM_PART_FORCE, FM_PART_SENSOR, FM_PART_CONTROLLER } fm_part_kind;

/* The vehicle as its parts see it. World axes NED, body axes forward-starboard-down, SI. Valid during the call. */
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
    double charge, capacity;    /* J in the battery, now and when full; 0: no battery */
    double power, hotel;        /* W drawn now: total, and hotel load only */
} fm_vehicle_view;

/* One call of a part. Valid until the callback returns. */
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
    const void *live;       /* live parameters in force, laid out like the head of config */
    const void *kind_state; /* state of the vehicle's kind, a struct of that kind (a fish: fish/fish.h) */
    void *state;
    void *output;  /* sensors: the latest sample */
    double *force; /* force terms: [6] N, N·m, body axes; add to it */
    struct fm_world *world;
    int slot;          /* of the vehicle in the world */
    double *air_force; /* force terms: like `force`, but also acts out of the water, where `force` fades out */
} fm_part_context;

/* Frame of an output. Vectors and quaternions are in Fathom's frames; ROS messages are converted. */
typedef enum fm_output_frame {
    FM_OUTPUT_PLAIN, /* a number, or in the message's own frame */
    FM_OUTPUT_BODY,  /* forward-starboard-down, becomes forward-left-up */
    FM_OUTPUT_WORLD  /* north-east-down (a quaternion: body → world), becomes east-north-up */
} fm_output_frame;
/* Who can read an output. */
typedef enum fm_output_reach {
    FM_OUTPUT_OPEN,  /* all */
    FM_OUTPUT_LOCAL, /* readers and columns only: the message has no such field */
    FM_OUTPUT_INNER  /* other parts of the vehicle only */
} fm_output_reach;
/* One output of a part: `count` values at `offset` (bytes) of its output block. `field` is the path in its message: a
 * number, a fixed array, a sequence (with `count` items), a whole geometry_msgs vector or point (3 values), or a
 * quaternion (4 values, w x y z); a sequence of vectors takes 3 values per item. Telemetry converts `unit` to the unit
 * of the message. Without a message, field names are free: the part's channel carries names, units and values
 * (fathom_msgs/Values). */
typedef struct fm_output {
    const char *field;
    const char *unit;
    size_t offset;
    size_t count;
    fm_output_type type;
    fm_output_frame frame;
    const char *text; /* of a TEXT; the names of a NAME */
    fm_output_reach reach;
    fm_quantity quantity; /* its meaning, for other parts */
} fm_output;

/* Rows of a table of outputs: the struct of the output and its member; path in the message; unit; number of values;
 * frame; quantity. A NUMBER is one value without a frame. */
#define FM_OUTPUT_FIELD(its_type, member, its_field, its_unit, its_count, its_frame, its_quantity)                     \
    {                                                                                                                  \
        .field = its_field, .unit = its_unit, .offset = offsetof(its_type, member), .count = its_count,                \
        .frame = its_frame, .quantity = its_quantity                                                                   \
    }
#define FM_OUTPUT_NUMBER(its_type, member, its_field, its_unit, its_quantity)                                          \
    FM_OUTPUT_FIELD(its_type, member, its_field, its_unit, 1, FM_OUTPUT_PLAIN, its_quantity)
/* An output for other parts of the vehicle only. */
#define FM_OUTPUT_GIVEN(its_type, member, its_field, its_unit, its_count, its_quantity)                                \
    {                                                                                                                  \
        .field = its_field, .unit = its_unit, .offset = offsetof(its_type, member), .count = its_count,                \
        .reach = FM_OUTPUT_INNER, .quantity = its_quantity                                                             \
    }
/* A constant text in the message. */
#define FM_OUTPUT_CONSTANT(its_field, its_text)                                                                        \
    {                                                                                                                  \
        .field = its_field, .unit = "", .count = 1, .type = FM_OUTPUT_TEXT, .text = its_text                           \
    }

/* Attribute rows for a part with a mounting position: `member` is its fm_mount, `looks` the default attitude. */
#define FM_MOUNT_ATTRS(its_type, member, looks)                                                                        \
    FM_VECTOR_ATTR(its_type, member.position, 3, "position", "m", 0, 0, "0 0 0 m", 0,                                  \
                   "on the vehicle: forward, starboard, down"),                                                        \
        FM_VECTOR_ATTR(its_type, member.attitude, 3, "attitude", "rad", 0, 0, looks, 0,                                \
                       "on the vehicle: roll, pitch, heading")
/* Location of the fm_mount in a config, for fm_part_class.mount. */
#define FM_MOUNT_AT(its_type, member) (1 + offsetof(its_type, member))

/* How to tell whether an output is new. */
enum {
    FM_COUNTS_NOTHING, /* it is new in every period */
    FM_COUNTS_SAMPLES, /* its first word (int64_t) counts the samples; a message is sent when it has changed */
    FM_COUNTS_READING, /* the same, and it begins with a whole fm_reading */
    FM_COUNTS_MESSAGES /* the same, and none is omitted at a lower message rate */
};

/* What happened to the vehicle, for verdicts. */
typedef struct fm_vehicle_history {
    long long contacts;   /* times that contact with obstacles or bottom began */
    double min_clearance; /* m; NaN: not measured */
    double distance;      /* m travelled */
} fm_vehicle_history;

struct fm_waypoint; /* world.h */
/* How far a vehicle is along its list of waypoints. */
typedef enum fm_route_progress {
    FM_ROUTE_ENDLESS,   /* it has no end */
    FM_ROUTE_UNDERWAY,  /* there are waypoints to reach */
    FM_ROUTE_DONE,      /* the last is reached, and held as long as it should be */
    FM_ROUTE_MARKED = 4 /* added: the file ends the run with it */
} fm_route_progress;
/* Callbacks of a guidance whose waypoints may change during a run. Their contexts have no vehicle and no environment;
 * indices have been checked. Called by the stepping thread between steps. */
typedef struct fm_waypoint_calls {
    size_t (*count)(const fm_part_context *context);
    void (*get)(const fm_part_context *context, size_t i, struct fm_waypoint *out);
    /* Checks whether a waypoint is valid in a list of `count`. */
    fm_status (*check)(const fm_part_context *context, const struct fm_waypoint *waypoint, size_t count,
                       fm_error *error);
    void (*add)(const fm_part_context *context, size_t before, const struct fm_waypoint *waypoint);
    void (*move)(const fm_part_context *context, size_t i, const struct fm_waypoint *waypoint);
    void (*clear)(const fm_part_context *context);
    fm_route_progress (*course)(const fm_part_context *context); /* how far it is; NULL: not known */
} fm_waypoint_calls;

/* A setpoint of a controller: one of its live parameters. A released setpoint returns to its value at load. */
typedef struct fm_setpoint {
    const char *name, *also; /* "bearing"; another name for it ("heading"), or NULL */
    const char *unit, *text;
    double min, max; /* both 0: no limits */
    size_t offset;   /* of the number in config, within live_size */
    size_t flag;     /* 1 + offset of an int64_t that is 0 while the setpoint is not set; 0: no such flag */
    int optional;    /* without a flag: NaN means not set */
} fm_setpoint;
/* A row of a table of setpoints. */
#define FM_SETPOINT_ROW(its_type, member, its_name, its_unit, its_min, its_max, its_text)                              \
    .name = its_name, .unit = its_unit, .text = its_text, .min = its_min, .max = its_max,                              \
    .offset = offsetof(its_type, member)

/* Everything the library knows about a class of parts. Constant; must live as long as the models that use it. `load` is
 * called by the loading thread, the other callbacks by any thread of the world, for one vehicle by one at a time. */
typedef struct fm_part_class {
    fm_part_kind kind;
    const fm_element *element; /* name, attributes, children */
    size_t live_size;          /* bytes at the head of config that are live parameters, a multiple of 8 */
    size_t state_size;         /* bytes, a multiple of 8; `load` may enlarge it (fm_load_state_size) */
    size_t output_size;        /* the same (fm_load_output_size) */
    const char *message;      /* ROS 2 type of the channel ("sensor_msgs/FluidPressure"), or NULL: fathom_msgs/Values */
    const fm_output *outputs; /* maps the output to the message */
    size_t output_count;
    int counts;   /* FM_COUNTS_… */
    size_t mount; /* FM_MOUNT_AT(config, member): its fm_mount in its config; 0: none */
    fm_status (*load)(fm_part_load *load, void *config, fm_error *error); /* checks and derives; may be NULL */
    void (*start)(const fm_part_context *context);                        /* initial state; may be NULL */
    void (*run)(const fm_part_context *context);                          /* one period */
    /* Writes the outcome of the run in one line ("avoided: closest 0.162 m"); changes nothing; may be NULL. */
    void (*verdict)(const fm_part_context *context, const fm_vehicle_history *history, char *text, size_t size);
    const fm_waypoint_calls *waypoints; /* NULL: none */
    const fm_setpoint *setpoints;
    size_t setpoint_count;
    /* Force terms that act through an actuator: adds the force and moment (N, N·m, body axes) that this order to the
     * actuator makes in water of this density (kg/m³), of a propeller at rest, of a fin at 1 m/s ahead. Viewers steer
     * by it. NULL: it uses no actuator. */
    void (*effect)(const void *config, int actuator, double order, double density, double effect[6]);
    /* How batches run it; for built-in parts. NULL: only worlds run it. */
    const struct fm_lane_part *lanes;
} fm_part_class;

/* --- at load time, in the callback `load` only --- */
/* Returns the index of the actuator with this name; -1 and *error: unknown. */
FM_API int fm_load_actuator(fm_part_load *load, const char *name, fm_error *error);
/* Finds the actuators of a group, or the one actuator with that name. Writes at most `most` indices and returns the
 * total number. */
FM_API size_t fm_load_actuators(fm_part_load *load, const char *name, int *indices, size_t most);
/* Returns the index of the sensor with this name, which must precede its reader in the file or be a sensor of the same
 * vehicle; -1 and *error: unknown. */
FM_API int fm_load_sensor(fm_part_load *load, const char *name, fm_error *error);
/* How the noted values of a metric are combined. */
typedef enum fm_metric_kind {
    FM_METRIC_MIN,
    FM_METRIC_MAX,
    FM_METRIC_SUM,
    FM_METRIC_RMS,
    FM_METRIC_LAST,
    FM_METRIC_FIRST,
    FM_METRIC_MEAN
} fm_metric_kind;
/* Registers a metric of this vehicle and returns its index, for fm_metric_note:
 * fm_load_metric(load, "detections", "", "…", FM_METRIC_SUM). `unit` is SI. */
FM_API int fm_load_metric(fm_part_load *load, const char *name, const char *unit, const char *text,
                          fm_metric_kind kind);
/* Returns whether an earlier part of this vehicle has registered this metric. Parts that share a metric write to the
 * same number. */
FM_API int fm_load_has_metric(fm_part_load *load, const char *name);
/* Sets the size of the part's state, bytes. */
FM_API void fm_load_state_size(fm_part_load *load, size_t bytes);
/* Sets the size of the part's output, bytes. */
FM_API void fm_load_output_size(fm_part_load *load, size_t bytes);
/* Replaces the outputs of the class for this instance, if their number depends on the file. `outputs` must live as long
 * as the model (fm_load_alloc). */
FM_API void fm_load_outputs(fm_part_load *load, const fm_output *outputs, size_t count);
/* Returns the time between two calls of this part, s. */
FM_API double fm_load_period(const fm_part_load *load);
/* Returns the name of the part in its vehicle: its attribute `name`, or the name of its element. */
FM_API const char *fm_load_name(const fm_part_load *load);
/* Returns the environment of the scenario; valid as long as the model. */
FM_API const fm_environment *fm_load_environment(const fm_part_load *load);
/* Allocates memory for constant data that lives as long as the model, which frees it; NULL: out of memory. */
FM_API void *fm_load_alloc(fm_part_load *load, size_t bytes);
/* Registers release(thing) to be called when the model is freed. Returns 0 if out of memory: then it is not called. */
FM_API int fm_load_on_free(fm_part_load *load, void (*release)(void *thing), void *thing);
/* Returns whether the child element was written in the file or set. Name children of children that may occur once by
 * their path: "fish-body/section". */
FM_API int fm_load_has_child(fm_part_load *load, const char *element);
/* Returns whether the attribute was written in the file or set. */
FM_API int fm_load_has_attribute(fm_part_load *load, const char *attribute);
/* Returns the number of children `element`. */
FM_API size_t fm_load_child_count(fm_part_load *load, const char *element);
/* Returns the name of the i-th child of any kind, in the order of the file; NULL: there are fewer. */
FM_API const char *fm_load_child_name(fm_part_load *load, size_t i);
/* Fills *config from the i-th child `element`. */
FM_API fm_status fm_load_child(fm_part_load *load, const char *element, size_t i, void *config, fm_error *error);
/* Returns whether the i-th child `element` has this attribute in the file. */
FM_API int fm_load_child_has(fm_part_load *load, const char *element, size_t i, const char *attribute);
/* What an actuator does, for controllers that allocate forces and deflections. The texts live as long as the model. */
typedef struct fm_actuator_info {
    const char *name, *group; /* group may be NULL */
    int thruster;             /* 1: produces law(order) newtons along its column */
    int fin;                  /* 1: deflects */
    double low, high;         /* range of orders: rad/s (propeller), V (tunnel thruster), N (thruster), rad (fin) … */
    int square;               /* law of a thruster: F = gain x|x| if 1, gain x if 0 */
    double gain, gain_reverse; /* N per unit (or unit²), for positive and negative orders */
    double column[6];          /* N, N·m, body axes: thruster: for 1 N; fin: for 1 rad at 1 m/s ahead */
} fm_actuator_info;
/* Returns the number of actuators of this vehicle. */
FM_API size_t fm_load_actuator_count(fm_part_load *load);
/* Returns what the i-th actuator does. */
FM_API fm_actuator_info fm_load_actuator_info(fm_part_load *load, size_t i);
/* Returns the efficiency of the i-th actuator at the start: 1 healthy … 0 dead. */
FM_API double fm_load_actuator_efficiency(fm_part_load *load, size_t i);
/* Returns the kind of this vehicle: "body", "diving", "fish". */
FM_API const char *fm_load_kind(fm_part_load *load);
/* Returns the config of the vehicle's kind, a struct of that kind; NULL for kind "body". */
FM_API const void *fm_load_kind_config(fm_part_load *load);
/* Returns whether the scenario has a vehicle (*obstacle = -1) or an obstacle (*obstacle: its index) with this name. */
FM_API int fm_load_find_target(fm_part_load *load, const char *name, int *obstacle);
/* A part of this vehicle that precedes this one (all sensors, and earlier controllers). Read its output with
 * fm_sensor_output(context, i). Lives as long as the model. */
typedef struct fm_part_info {
    const char *name;
    const fm_part_class *part_class;
    const void *config;
} fm_part_info;
/* Returns the number of parts that precede this one. */
FM_API size_t fm_load_part_count(fm_part_load *load);
/* Returns the i-th of the parts that precede this one. */
FM_API fm_part_info fm_load_part_info(fm_part_load *load, size_t i);
/* Returns whether one of these parts has an output with this quantity, and fills the view if so. */
FM_API int fm_load_quantity(fm_part_load *load, size_t part, fm_quantity quantity, fm_quantity_view *view);
/* Finds the sensor with this name, which must have the quantity; NULL: the first sensor that has it. Returns its index
 * and fills the view; -1 and *error: none. */
FM_API int fm_load_find_quantity(fm_part_load *load, fm_quantity quantity, const char *name, fm_quantity_view *view,
                                 fm_error *error);
/* Fills *error with a message and the file and line of this part; returns `status`. */
FM_API fm_status fm_load_fail(fm_part_load *load, fm_error *error, fm_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same with the line of the i-th child `element` (NULL, or not written: of this part), or of its attribute (NULL:
 * of the element). */
FM_API fm_status fm_load_fail_at(fm_part_load *load, const char *element, size_t i, const char *attribute,
                                 fm_error *error, fm_status status, const char *format, ...)
    __attribute__((format(printf, 7, 8)));

/* --- in a step, in the callbacks of a part only --- */
/* Orders an actuator, in its unit; takes effect in this step. */
FM_API void fm_actuator_order(const fm_part_context *context, int actuator, double value);
/* Returns the present value of an actuator, in its unit. */
FM_API double fm_actuator_value(const fm_part_context *context, int actuator);
/* Returns the present force of a thruster, N. */
FM_API double fm_actuator_force(const fm_part_context *context, int actuator);
/* Returns the shaft speed, rad/s: from the measured table of a thruster; for other actuators their value. */
FM_API double fm_actuator_shaft(const fm_part_context *context, int actuator);
/* Returns the efficiency of an actuator (its live parameter `efficiency`), for controllers that know about faults:
 * 1 healthy … 0 dead. */
FM_API double fm_actuator_efficiency(const fm_part_context *context, int actuator);
/* Returns the output of a part (fm_load_sensor), a struct of its class; valid until the callback returns. */
FM_API const void *fm_sensor_output(const fm_part_context *context, int sensor);
/* Returns count, validity and time of that output, for every class. */
FM_API fm_reading fm_sensor_reading(const fm_part_context *context, int sensor);
/* Returns the i-th value of a quantity, in the unit of the quantity. */
FM_API double fm_quantity_value(const fm_part_context *context, const fm_quantity_view *view, size_t i);
/* Writes the first `count` values of a quantity. */
FM_API void fm_quantity_values(const fm_part_context *context, const fm_quantity_view *view, size_t count,
                               double *values);
/* Returns the raw values of a long quantity; read them with fm_quantity_at. */
FM_API const void *fm_quantity_data(const fm_part_context *context, const fm_quantity_view *view);
/* Returns the i-th value of raw data, in the unit of the quantity. */
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
/* Adds a value to a metric (fm_load_metric), SI. */
FM_API void fm_metric_note(const fm_part_context *context, int metric, double value);
/* Reports an event of this vehicle to the log, the run's output and the telemetry channel. `kind` must be a string
 * literal or live as long as the model. */
FM_API void fm_event_emit(const fm_part_context *context, const char *kind, double value);
/* The same with a text for people, which is copied: "waypoint 3 reached". */
FM_API void fm_event_emit_text(const fm_part_context *context, const char *kind, double value, const char *text);

/* --- plugins: a shared object exports `const fm_plugin fm_plugin_v1`. Elements of its classes always accept the
 * attribute `name` and, except for force terms, `period`. --- */
enum { FM_PLUGIN_ABI = 4 };
struct fm_bridge_class; /* bridge.h */
/* The classes of a plugin. Constant; the library stays loaded as long as the models that use it. */
typedef struct fm_plugin {
    uint32_t abi; /* FM_PLUGIN_ABI */
    uint32_t class_count;
    const fm_part_class *const *classes;
    const struct fm_bridge_class *const *bridges;
    uint32_t bridge_count;
} fm_plugin;
/* Defined by the plugin, not by the library. */
FM_API extern const fm_plugin fm_plugin_v1;

#ifdef __cplusplus
}
#endif
#endif
