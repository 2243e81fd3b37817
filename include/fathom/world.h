/* The world: everything that changes in a run. Many worlds may share one model.
 *
 * One thread may use a world at a time; only fm_world_cancel and fm_world_progress may be called by others. Names are
 * case-sensitive. Indices start at 0. */
#ifndef FATHOM_WORLD_H
#define FATHOM_WORLD_H

#include <fathom/command.h>
#include <fathom/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A world. One thread at a time; free it with fm_world_free, before its model. */
typedef struct fm_world fm_world;

/* What happens to a vehicle or tether whose state diverges. */
typedef enum fm_runaway {
    FM_RUNAWAY_DEFAULT, /* same as FM_RUNAWAY_END */
    FM_RUNAWAY_REMOVE,  /* it is removed, with an event "runaway" that gives the reason; the run continues */
    FM_RUNAWAY_END      /* the step fails */
} fm_runaway;

/* How to create a world; zero-initialise for the defaults: the model's seed, one thread. Read only during
 * fm_world_create. */
typedef struct fm_world_options {
    size_t size; /* sizeof(fm_world_options); 0: the members of version 0.1 */
    int seeded;  /* use `seed` instead of the scenario's */
    uint64_t seed;
    int threads;           /* 0 or 1: the calling thread only */
    fm_runaway on_runaway; /* for scenarios without <world on-runaway="…"> */
} fm_world_options;

/* Creates a world in the starting state of the scenario. Returns NULL and sets *error on failure. The model must
 * outlive it. Free it with fm_world_free. */
FM_API fm_world *fm_world_create(const fm_model *model, const fm_world_options *options, fm_error *error);
/* Frees a world; NULL is allowed. */
FM_API void fm_world_free(fm_world *world);

/* Advances the world by one tick. On an error (a non-finite state) the world keeps the bad state; *error names vehicle,
 * quantity and tick. */
FM_API fm_status fm_world_step(fm_world *world, fm_error *error);
/* Advances the world by `ticks`, with the inputs so far; faster than as many calls of fm_world_step, with the same
 * bits. It stops after a tick at which fm_world_over becomes 1. *made (may be NULL): the ticks made, also on an error.
 */
FM_API fm_status fm_world_advance(fm_world *world, uint64_t ticks, uint64_t *made, fm_error *error);
/* Cancels the current step, or the next one: it returns FM_ERR_CANCELLED, and *error names the stage and the vehicle.
 * For steps that take too long. The world is then in the middle of a step: reset, restore or free it. Any thread, also
 * from a signal handler. */
FM_API void fm_world_cancel(fm_world *world);
/* Sets *stage to the current stage of the step ("contact"; "": none) and *vehicle to the vehicle being processed ("":
 * none, or all; with several threads one of them). Any thread, also from a signal handler. */
FM_API void fm_world_progress(const fm_world *world, const char **stage, const char **vehicle);
/* Returns what happens to a vehicle that diverges; never FM_RUNAWAY_DEFAULT. */
FM_API fm_runaway fm_world_on_runaway(const fm_world *world);
/* Steps until `time`, s since the start. */
FM_API fm_status fm_world_run_until(fm_world *world, double time, fm_error *error);
/* Returns the time, s since the start. */
FM_API double fm_world_time(const fm_world *world);
/* Returns the number of ticks since the start or the last reset. */
FM_API uint64_t fm_world_tick(const fm_world *world);
/* Returns the model of the world. */
FM_API const fm_model *fm_world_model(const fm_world *world);

/* --- vehicles: slots 0 … fm_world_slots - 1; a slot may be empty --- */
/* Returns the number of slots. */
FM_API int fm_world_slots(const fm_world *world);
/* Returns the slot of the vehicle with this name; -1: unknown. */
FM_API int fm_world_find(const fm_world *world, const char *name);
/* Returns the name of the vehicle in a slot, valid until it is removed; NULL: empty slot. */
FM_API const char *fm_world_name(const fm_world *world, int slot);
/* Position, attitude and velocity of a vehicle. */
typedef struct fm_pose {
    double position[3]; /* m, NED */
    double attitude[4]; /* quaternion (w, x, y, z), body → world */
    double euler[3];    /* rad: phi, theta, psi; psi in [0, 2π) */
    double velocity[6]; /* over ground, body axes: m/s, rad/s */
} fm_pose;
/* Copies the pose of the vehicle in a slot to *pose. FM_ERR_ARGUMENT: empty slot. */
FM_API fm_status fm_world_pose(const fm_world *world, int slot, fm_pose *pose);
/* Returns the motion of the vehicle in a slot, not copied: 13 numbers, position (m, NED), attitude (quaternion w, x, y,
 * z, body → world; with posture="euler" phi, theta, psi and 0, rad), velocity over ground (body axes: m/s, rad/s). They
 * change with each step. The address is that of the slot and valid as long as the world; NULL: no such slot. Do not
 * write there. */
FM_API const double *fm_world_motion(const fm_world *world, int slot);

/* --- inputs: applied at the start of the next step, in the order given, and recorded with their tick. Inputs that
 * change nothing are dropped. FM_ERR_NAME: unknown vehicle or target; FM_ERR_RANGE: the value is out of range --- */
/* Orders an actuator, or each actuator of a group, in its unit, and takes control of it: orders of the schedule and of
 * the vehicle's controllers have no effect until it is released. The holder is "program"; use fm_world_input for
 * another name. */
FM_API fm_status fm_world_order(fm_world *world, const char *vehicle, const char *actuator, double value,
                                fm_error *error);
/* Takes an actuator (or a group; NULL: all of the vehicle) with its present order: orders of others are refused until
 * it is released. */
FM_API fm_status fm_world_take(fm_world *world, const char *vehicle, const char *actuator, fm_error *error);
/* Releases an actuator or a group (to its previous owner) or a setpoint (to the value of the scenario); NULL: all
 * actuators and setpoints of the vehicle. What another client has taken is not released. */
FM_API fm_status fm_world_release(fm_world *world, const char *vehicle, const char *what, fm_error *error);
/* Disengages a controller: it keeps running but writes no actuators, which go to the last order of the schedule, or to
 * 0. `controller` is the name of the part; NULL: all of the vehicle. */
FM_API fm_status fm_world_disengage(fm_world *world, const char *vehicle, const char *controller, fm_error *error);
/* Engages a controller again; NULL: all of the vehicle. */
FM_API fm_status fm_world_engage(fm_world *world, const char *vehicle, const char *controller, fm_error *error);

/* Kinds of owners of an actuator. */
typedef enum fm_owner_kind { FM_OWNER_SCHEDULE, FM_OWNER_CONTROLLER, FM_OWNER_CLIENT } fm_owner_kind;
enum { FM_HOLDER_SIZE = 32 };
/* The owner of an actuator: its orders have effect. */
typedef struct fm_owner {
    fm_owner_kind kind;
    int taken;                 /* orders of others are refused */
    char name[FM_HOLDER_SIZE]; /* "schedule", the controller's part, or the client or bridge */
} fm_owner;
/* Copies the present owner of an actuator to *owner. Actuators are numbered as in fm_world_column. */
FM_API fm_status fm_world_owner(const fm_world *world, int slot, size_t actuator, fm_owner *owner);
/* Returns 1 if a controller is engaged, 0 if it is not, -1 if the vehicle has no controller with that name. */
FM_API int fm_world_engaged(const fm_world *world, int slot, const char *controller);

/* Sets a live parameter by path ("/phoenix/autopilot/depth/kp"), SI. */
FM_API fm_status fm_world_set(fm_world *world, const char *path, double value, fm_error *error);
/* Reads a parameter by path, SI; the value in force, not one that waits for the next step. */
FM_API fm_status fm_world_get(const fm_world *world, const char *path, double *value, fm_error *error);
/* Adds a vehicle at rest. `like` is a vehicle of the scenario, the name of one of its <type>s, or a vehicle model.
 * Position in m, NED; roll, pitch, heading in rad. Needs a free slot (<world capacity="…">). */
FM_API fm_status fm_world_spawn(fm_world *world, const char *name, const char *like, const double position[3],
                                const double euler[3], fm_error *error);
/* The same with an acoustic address (1 to 65535) for its first transducer. 0: the address of its type if it is free,
 * else the lowest free one. Fails if another vehicle has the address, or the type has no <transducer>. */
FM_API fm_status fm_world_spawn_addressed(fm_world *world, const char *name, const char *like, const double position[3],
                                          const double euler[3], int64_t address, fm_error *error);
/* Removes a vehicle; its slot becomes free. */
FM_API fm_status fm_world_remove(fm_world *world, const char *name, fm_error *error);
/* Resets the world at once to the state of tick 0, as created by fm_world_create. Everything set, added or removed
 * since is undone, and the following steps are those of a new world with the same seed. */
FM_API fm_status fm_world_reset(fm_world *world, fm_error *error);
/* Returns 1 if the scenario's <end> was met since the last start or reset, or if vehicles have reached the last
 * waypoint of all lists with then="end": a run ends then, and a further step would go on. 0: not yet, or the scenario
 * has neither. */
FM_API int fm_world_over(const fm_world *world);
/* Returns the number of steps since the world was created, including those before a reset: unlike the tick it never
 * decreases. */
FM_API uint64_t fm_world_steps(const fm_world *world);

/* Sets a value of an instrument from outside: from an emulator in another process, or hardware on a bench. `what` is
 * the instrument and a field of its sample ("ctd/temperature", "dvl/velocity[1]"), `value` SI. From then on the
 * instrument measures nothing itself (its parameter `fault` is "external") and reports these values. NaN: the value is
 * stale, and the sample is marked invalid. Set `fault` to 0 to return to the built-in instrument. */
FM_API fm_status fm_world_sense(fm_world *world, const char *vehicle, const char *what, double value, fm_error *error);

/* Sets a setpoint of a controller ("heading", "depth", "speed" …; fm_world_setpoint lists them), SI. `what` is the
 * name, or PART/NAME if several controllers have it (default: the last one in the file). A setpoint overrides the
 * guidance (waypoints, mission …) until it is released. NaN unsets an optional setpoint. */
FM_API fm_status fm_world_desire(fm_world *world, const char *vehicle, const char *what, double value, fm_error *error);
/* A setpoint and its present value; the texts are valid until the vehicle is removed. */
typedef struct fm_setpoint_info {
    const char *part, *name; /* "autopilot", "depth" */
    const char *unit, *text; /* SI */
    double min, max;         /* both 0: no limits */
    double value;            /* NaN: not set */
    int optional;            /* it can be unset */
} fm_setpoint_info;
/* Returns the number of setpoints of the vehicle in a slot. */
FM_API size_t fm_world_setpoint_count(const fm_world *world, int slot);
/* Returns setpoint `i`. */
FM_API fm_setpoint_info fm_world_setpoint(const fm_world *world, int slot, size_t i);

/* Applies a force (N) and moment (N·m, about the body origin), body axes, in addition to all others: for an external
 * thruster model or a test stand. They stay in effect until changed; zeros end them. Rigid bodies only. */
FM_API fm_status fm_world_force(fm_world *world, const char *vehicle, const double force[6], fm_error *error);

/* The state of a vehicle of kind "foreign", which another simulator moves: its pose now and how to extrapolate it until
 * the next update, with one of the dead-reckoning algorithms of DIS. */
typedef struct fm_sighting {
    int algorithm;          /* 1 … 9: static, FPW, RPW, RVW, FVW, FPB, RPB, RVB, FVB */
    double position[3];     /* m, NED */
    double euler[3];        /* rad: phi, theta, psi */
    double velocity[3];     /* m/s over ground: NED; body axes with algorithms 6 to 9 */
    double acceleration[3]; /* m/s², rates of these three numbers */
    double rates[3];        /* rad/s, body axes */
} fm_sighting;
/* Updates a vehicle of kind "foreign"; *seen is copied. */
FM_API fm_status fm_world_sight(fm_world *world, const char *vehicle, const fm_sighting *seen, fm_error *error);

/* A waypoint of a vehicle's guidance. In the functions below `list` is the name of the part; NULL: the first part with
 * waypoints. */
typedef struct fm_waypoint {
    double position[3]; /* m, NED */
    double speed;       /* m/s on the leg to it; below 0: the speed of the list */
    double hold;        /* s to hold position after reaching it (thrusters) */
} fm_waypoint;
/* Inserts a waypoint at index `before`; -1: at the end. A completed list continues with waypoints added at its end. */
FM_API fm_status fm_world_waypoint_add(fm_world *world, const char *vehicle, const char *list, int before,
                                       const fm_waypoint *waypoint, fm_error *error);
/* Replaces waypoint `i`. */
FM_API fm_status fm_world_waypoint_move(fm_world *world, const char *vehicle, const char *list, int i,
                                        const fm_waypoint *waypoint, fm_error *error);
/* Removes all waypoints. The vehicle hovers or keeps its last orders, as its list specifies for the end. */
FM_API fm_status fm_world_waypoint_clear(fm_world *world, const char *vehicle, const char *list, fm_error *error);
/* Copies at most `room` waypoints (`waypoints` may be NULL) and returns the total number. */
FM_API size_t fm_world_waypoints(const fm_world *world, const char *vehicle, const char *list, fm_waypoint *waypoints,
                                 size_t room);

/* A command for a world and the client that gave it, as it is queued and recorded; a plain copy. */
typedef struct fm_input {
    uint64_t tick;               /* steps of the world before it (fm_world_steps) */
    char holder[FM_HOLDER_SIZE]; /* the client that gives an order, takes or releases; "": "program" */
    uint64_t tag;                /* free to use (run.h); not recorded */
    fm_command command;
} fm_input;
/* Points *inputs to the inputs applied in the last step and returns their number. Valid until the next step. */
FM_API size_t fm_world_inputs(const fm_world *world, const fm_input **inputs);
/* Applies an input, which is copied: any command except those to the run (start, stop, step, speed, log, quit). For
 * replay, and for orders of another holder than "program". */
FM_API fm_status fm_world_input(fm_world *world, const fm_input *input, fm_error *error);

/* --- events of the last step --- */
enum { FM_EVENT_TEXT_SIZE = 128 };
/* Something that happened in a step; valid until the next one. */
typedef struct fm_event {
    uint64_t tick;
    int slot;
    const char *kind; /* "rated depth passed", "contact", "waypoint reached" …; for programs */
    double value;
    char text[FM_EVENT_TEXT_SIZE]; /* "contact with pillar", "waypoint 3 reached" …; for people */
} fm_event;
/* Points *events to the events of the last step and returns their number. Valid until the next step. */
FM_API size_t fm_world_events(const fm_world *world, const fm_event **events);

/* --- metrics --- */
/* A metric of a vehicle and its present value; the texts are valid until the vehicle is removed. */
typedef struct fm_metric_info {
    const char *name, *unit, *text;
    double value; /* SI; NaN: never observed (JSON null) */
} fm_metric_info;
/* Returns the number of metrics of the vehicle in a slot. */
FM_API size_t fm_world_metric_count(const fm_world *world, int slot);
/* Returns metric `i`. */
FM_API fm_metric_info fm_world_metric(const fm_world *world, int slot, size_t i);

/* Writes the outcome of the run for this vehicle in one line of at most `size` bytes; "": its parts report nothing. */
FM_API void fm_world_verdict(const fm_world *world, int slot, char *text, size_t size);

/* --- columns: numbers of a vehicle in addition to its pose (actuators, sensor outputs) --- */
/* Returns the number of columns; the actuators come first. */
FM_API size_t fm_world_column_count(const fm_world *world, int slot);
/* Returns the name of column `i`, valid until the vehicle is removed. */
FM_API const char *fm_world_column_name(const fm_world *world, int slot, size_t i);
/* Returns the SI unit of column `i`; "": no dimension. */
FM_API const char *fm_world_column_unit(const fm_world *world, int slot, size_t i);
/* Returns the present value of column `i`, SI. */
FM_API double fm_world_column(const fm_world *world, int slot, size_t i);

/* --- joints of a vehicle (a fish: joint1, joint2 …, at most 8, from the head) --- */
/* Returns the number of joints; 0: none. */
FM_API size_t fm_world_joint_count(const fm_world *world, int slot);
/* Returns the name of joint `i`; a constant string. */
FM_API const char *fm_world_joint_name(const fm_world *world, int slot, size_t i);
/* Writes the angles (rad, clockwise seen from above) and rates (rad/s), fm_world_joint_count of each. */
FM_API void fm_world_joints(const fm_world *world, int slot, double *angle, double *rate);

/* Returns the number of ticks between two steps of the vehicle in a slot. */
FM_API uint64_t fm_world_period(const fm_world *world, int slot);

/* --- state --- */
/* Returns a hash of the state, field by field. */
FM_API uint64_t fm_world_hash(const fm_world *world);
/* Returns the size of the saved state, bytes. It grows with the inputs that wait for the next step. */
FM_API size_t fm_world_state_size(const fm_world *world);
/* Saves everything that changes to `buffer`, including the inputs that wait for the next step, but not those in the
 * queue of a run (run.h). FM_ERR_FULL: `size` is too small. */
FM_API fm_status fm_world_save(const fm_world *world, void *buffer, size_t size, fm_error *error);
/* Restores a saved state into any world of the same model. A state that is truncated, damaged (checksum) or of another
 * model is refused, and the world is unchanged. The state depends on the version of Fathom and on the computer: do not
 * use it as a file format. */
FM_API fm_status fm_world_restore(fm_world *world, const void *buffer, size_t size, fm_error *error);
/* Sets position, attitude and velocity of a vehicle of kind "body" at once (`euler` is ignored). Like fm_world_restore
 * it is not an input and is not recorded: for predictors that start from an estimate. */
FM_API fm_status fm_world_place(fm_world *world, const char *vehicle, const fm_pose *pose, fm_error *error);
/* Returns the memory that the vehicle in a slot uses, bytes. */
FM_API size_t fm_world_bytes_per_vehicle(const fm_world *world, int slot);

#ifdef __cplusplus
}
#endif
#endif
