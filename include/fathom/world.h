/* The world: everything that changes in a run. Many worlds may share one model; a world belongs to one caller at a
 * time. */
#ifndef FATHOM_WORLD_H
#define FATHOM_WORLD_H

#include <fathom/command.h>
#include <fathom/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fm_world fm_world;

/* What happens to a vehicle whose state diverges, and to a tether that does. */
typedef enum fm_runaway {
    FM_RUNAWAY_DEFAULT, /* as FM_RUNAWAY_END */
    FM_RUNAWAY_REMOVE,  /* it leaves the world, with an event "runaway" that says why; the run goes on */
    FM_RUNAWAY_END      /* the step fails */
} fm_runaway;

/* Zero-initialise for the defaults: the model's seed, one thread. */
typedef struct fm_world_options {
    int seeded; /* use `seed` instead of the scenario's */
    uint64_t seed;
    int threads;           /* 0 or 1: the calling thread alone */
    fm_runaway on_runaway; /* of scenarios that do not say it: <world on-runaway="…"> */
} fm_world_options;

FM_API fm_world *fm_world_create(const fm_model *model, const fm_world_options *options, fm_error *error);
FM_API void fm_world_free(fm_world *world);

/* One tick. On an error (a non-finite state) the world stays where it was found bad; *error names vehicle, quantity,
 * tick. */
FM_API fm_status fm_world_step(fm_world *world, fm_error *error);
/* Ends the step that is being made, or the next one, with FM_ERR_CANCELLED; *error names the stage and the vehicle. For
 * steps that take too long. Any thread, also a signal handler. The world is then in the middle of a step: reset,
 * restore or free it. */
FM_API void fm_world_cancel(fm_world *world);
/* The stage that is being made ("contact"; "": none), and the vehicle that it works on ("": none, or all of them). Any
 * thread, also a signal handler; with several threads one of their vehicles. */
FM_API void fm_world_progress(const fm_world *world, const char **stage, const char **vehicle);
FM_API fm_runaway fm_world_on_runaway(const fm_world *world); /* never FM_RUNAWAY_DEFAULT */
/* Steps until `time` (s since the start) is reached. */
FM_API fm_status fm_world_run_until(fm_world *world, double time, fm_error *error);
FM_API double fm_world_time(const fm_world *world);
FM_API uint64_t fm_world_tick(const fm_world *world);
FM_API const fm_model *fm_world_model(const fm_world *world);

/* --- vehicles: slots 0 … fm_world_slots - 1; a slot may be empty --- */
FM_API int fm_world_slots(const fm_world *world);
FM_API int fm_world_find(const fm_world *world, const char *name); /* -1: no such vehicle */
FM_API const char *fm_world_name(const fm_world *world, int slot); /* NULL: empty slot */
typedef struct fm_pose {
    double position[3]; /* m, NED */
    double attitude[4]; /* quaternion (w, x, y, z), body → world */
    double euler[3];    /* rad: phi, theta, psi; psi in [0, 2π) */
    double velocity[6]; /* over ground, body axes: m/s, rad/s */
} fm_pose;
FM_API fm_status fm_world_pose(const fm_world *world, int slot, fm_pose *pose);

/* --- inputs: taken at the start of the next step, in the order given, and recorded with their tick. One that changes
 * nothing is dropped --- */
/* An order from outside, in the unit of the actuator (or of each one in a group). It holds the actuator: what the
 * schedule and the controllers of the vehicle order from then on waits until the actuator is released. The holder is
 * "program"; orders under another name are given with fm_world_input. */
FM_API fm_status fm_world_order(fm_world *world, const char *vehicle, const char *actuator, double value,
                                fm_error *error);
/* Holds an actuator (or a group; NULL: all of the vehicle) with its present order, and refuses the orders of others
 * until it is released. */
FM_API fm_status fm_world_take(fm_world *world, const char *vehicle, const char *actuator, fm_error *error);
/* Gives back an actuator or a group (the previous owner has it again) or a set point (the scenario's own value is in
 * force again); NULL: all actuators and set points of the vehicle. What another client has taken stays its own. */
FM_API fm_status fm_world_release(fm_world *world, const char *vehicle, const char *what, fm_error *error);
/* A controller that is disengaged keeps running but writes no actuators: they go to what the schedule ordered last, or
 * to 0. `controller` is the name of the part; NULL: all of the vehicle. */
FM_API fm_status fm_world_disengage(fm_world *world, const char *vehicle, const char *controller, fm_error *error);
FM_API fm_status fm_world_engage(fm_world *world, const char *vehicle, const char *controller, fm_error *error);

/* Who owns an actuator now. Actuators are numbered as in fm_world_column. */
typedef enum fm_owner_kind { FM_OWNER_SCHEDULE, FM_OWNER_CONTROLLER, FM_OWNER_CLIENT } fm_owner_kind;
enum { FM_HOLDER_SIZE = 32 };
typedef struct fm_owner {
    fm_owner_kind kind;
    int taken;                 /* orders of others are refused */
    char name[FM_HOLDER_SIZE]; /* "schedule", the controller's part, or the client or bridge */
} fm_owner;
FM_API fm_status fm_world_owner(const fm_world *world, int slot, size_t actuator, fm_owner *owner);
/* Whether a controller writes its actuators; -1: the vehicle has none of that name. */
FM_API int fm_world_engaged(const fm_world *world, int slot, const char *controller);

FM_API fm_status fm_world_set(fm_world *world, const char *path, double value, fm_error *error);
FM_API fm_status fm_world_get(const fm_world *world, const char *path, double *value, fm_error *error);
/* A new vehicle, at rest: `like` is a vehicle of the scenario, the name of one of its <type>s, or the model of a
 * vehicle. It takes a slot that <world capacity="…"> left free. */
FM_API fm_status fm_world_spawn(fm_world *world, const char *name, const char *like, const double position[3],
                                const double euler[3], fm_error *error);
/* The same with an acoustic address (1 to 65535) for its first transducer. 0: the one of its type where no other
 * vehicle has it, else the lowest that is free. Refused: an address that another vehicle has, or a type without
 * <transducer>. */
FM_API fm_status fm_world_spawn_addressed(fm_world *world, const char *name, const char *like, const double position[3],
                                          const double euler[3], int64_t address, fm_error *error);
FM_API fm_status fm_world_remove(fm_world *world, const char *name, fm_error *error);
/* Back to the start, at once: the state of tick 0, as fm_world_create made it, whatever was set, spawned or removed
 * since. The next step is the first again, and all that follows is as in a new world of the same seed. */
FM_API fm_status fm_world_reset(fm_world *world, fm_error *error);
/* Steps since the world was made, those before a reset too: it only grows, where the tick goes back. */
FM_API uint64_t fm_world_steps(const fm_world *world);

/* A value that an instrument is to show, from outside: an emulator in another process, hardware on a bench. `what` is
 * the instrument and a field of its sample ("ctd/temperature", "dvl/velocity[1]"), `value` SI. From then on the
 * instrument measures nothing itself (its parameter `fault` is "external") and shows what comes; NaN says that the
 * value is stale: the sample is marked not valid. Setting `fault` to 0 gives it back to the built-in instrument. */
FM_API fm_status fm_world_sense(fm_world *world, const char *vehicle, const char *what, double value, fm_error *error);

/* Set points: what the controllers of a vehicle are to hold ("heading", "depth", "speed" …; fm_world_setpoint lists
 * them). `what` is the name, or PART/NAME where several controllers have it; without a part the last one in the file is
 * meant. A set point counts more than what a guidance (waypoints, mission …) orders, until it is released. NaN: not
 * set, for those that can be. */
FM_API fm_status fm_world_desire(fm_world *world, const char *vehicle, const char *what, double value, fm_error *error);
typedef struct fm_setpoint_info {
    const char *part, *name; /* "autopilot", "depth" */
    const char *unit, *text; /* SI */
    double min, max;         /* both 0: no limits */
    double value;            /* NaN: not set */
    int optional;            /* it can be not set */
} fm_setpoint_info;
FM_API size_t fm_world_setpoint_count(const fm_world *world, int slot);
FM_API fm_setpoint_info fm_world_setpoint(const fm_world *world, int slot, size_t i);

/* Force (N) and moment (N·m, about the body origin), body axes, from outside: a thruster model of one's own, a test
 * stand. They act beside all others, held over each step, until the next ones come; zeros end them. Rigid bodies only.
 */
FM_API fm_status fm_world_force(fm_world *world, const char *vehicle, const double force[6], fm_error *error);

/* What another simulator says of a vehicle of kind "foreign", which it moves: where it is now, and how it will go on
 * until the next word, by one of the dead-reckoning algorithms of DIS. */
typedef struct fm_sighting {
    int algorithm;          /* 1 … 9: static, FPW, RPW, RVW, FVW, FPB, RPB, RVB, FVB */
    double position[3];     /* m, NED */
    double euler[3];        /* rad: phi, theta, psi */
    double velocity[3];     /* m/s over ground: NED; body axes with algorithms 6 to 9 */
    double acceleration[3]; /* m/s², of these three numbers */
    double rates[3];        /* rad/s, body axes */
} fm_sighting;
FM_API fm_status fm_world_sight(fm_world *world, const char *vehicle, const fm_sighting *seen, fm_error *error);

/* Waypoints of a vehicle's guidance. `list` names the part; NULL: the first that has waypoints. */
typedef struct fm_waypoint {
    double position[3]; /* m, NED */
    double speed;       /* m/s on the way to it; below 0: that of the list */
    double hold;        /* s to keep the place once it is reached (thrusters) */
} fm_waypoint;
/* `before`: the place in the list that it takes, from 0; -1: the last. A list that was done goes on with what is added
 * behind it. */
FM_API fm_status fm_world_waypoint_add(fm_world *world, const char *vehicle, const char *list, int before,
                                       const fm_waypoint *waypoint, fm_error *error);
FM_API fm_status fm_world_waypoint_move(fm_world *world, const char *vehicle, const char *list, int i,
                                        const fm_waypoint *waypoint, fm_error *error);
/* Removes all of them; the vehicle hovers where it is, or carries on as it was last ordered, as its list says for the
 * end. */
FM_API fm_status fm_world_waypoint_clear(fm_world *world, const char *vehicle, const char *list, fm_error *error);
/* How many there are, and the first `room` of them; `waypoints` may be NULL. */
FM_API size_t fm_world_waypoints(const fm_world *world, const char *vehicle, const char *list, fm_waypoint *waypoints,
                                 size_t room);

/* A command that the world has taken or is to take, with who gave it. */
typedef struct fm_input {
    uint64_t tick;               /* steps of the world before it (fm_world_steps) */
    char holder[FM_HOLDER_SIZE]; /* the client that gives an order, takes or releases; "": "program" */
    uint64_t tag;                /* free to use (run.h); not recorded */
    fm_command command;
} fm_input;
/* Inputs taken in the last step, for recording. */
FM_API size_t fm_world_inputs(const fm_world *world, const fm_input **inputs);
/* Gives an input to the world: any command but those to the run (start, stop, step, speed, log, quit). For replay,
 * and for orders under another name than "program". */
FM_API fm_status fm_world_input(fm_world *world, const fm_input *input, fm_error *error);

/* --- events of the last step --- */
enum { FM_EVENT_TEXT_SIZE = 128 };
typedef struct fm_event {
    uint64_t tick;
    int slot;
    const char *kind; /* "rated depth passed", "contact", "waypoint reached" …; for programs */
    double value;
    char text[FM_EVENT_TEXT_SIZE]; /* "contact with pillar", "waypoint 3 reached" …; for people */
} fm_event;
FM_API size_t fm_world_events(const fm_world *world, const fm_event **events);

/* --- metrics --- */
typedef struct fm_metric_info {
    const char *name, *unit, *text;
    double value; /* SI; NaN: never observed (JSON null) */
} fm_metric_info;
FM_API size_t fm_world_metric_count(const fm_world *world, int slot);
FM_API fm_metric_info fm_world_metric(const fm_world *world, int slot, size_t i);

/* How the run ended for this vehicle, in one line for people; empty where no part of it has anything to say. */
FM_API void fm_world_verdict(const fm_world *world, int slot, char *text, size_t size);

/* --- columns: what a vehicle tells beside its pose (actuators, sensor outputs), one number each --- */
FM_API size_t fm_world_column_count(const fm_world *world, int slot);
FM_API const char *fm_world_column_name(const fm_world *world, int slot, size_t i);
FM_API const char *fm_world_column_unit(const fm_world *world, int slot, size_t i); /* SI; "": no dimension */
FM_API double fm_world_column(const fm_world *world, int slot, size_t i);

/* --- joints of vehicles that have some (a fish: joint1, joint2 …, at most 8, the head's first) --- */
FM_API size_t fm_world_joint_count(const fm_world *world, int slot);
FM_API const char *fm_world_joint_name(const fm_world *world, int slot, size_t i);
/* Angles (rad, clockwise seen from above) and rates (rad/s), fm_world_joint_count of each. */
FM_API void fm_world_joints(const fm_world *world, int slot, double *angle, double *rate);

/* Ticks between two steps of this vehicle. */
FM_API uint64_t fm_world_period(const fm_world *world, int slot);

/* --- state --- */
FM_API uint64_t fm_world_hash(const fm_world *world); /* over the state block, field by field */
/* Saving takes all that changes, the inputs that wait for the next step too. What waits in the queue of a run (run.h)
 * is the run's. fm_world_state_size: bytes that it takes now; it grows with the inputs that wait. */
FM_API size_t fm_world_state_size(const fm_world *world);
FM_API fm_status fm_world_save(const fm_world *world, void *buffer, size_t size, fm_error *error);
/* Into any world of the same model. What is cut off, damaged (by its checksum) or of another model is refused, and the
 * world stays as it was. The state depends on the version of Fathom and on the computer: it is no format for files that
 * are kept. */
FM_API fm_status fm_world_restore(fm_world *world, const void *buffer, size_t size, fm_error *error);
/* Puts a vehicle of kind "body" at a position, an attitude and a velocity (`euler` is not read). Like fm_world_restore
 * no input and not recorded: for predictors that begin from an estimate. */
FM_API fm_status fm_world_place(fm_world *world, const char *vehicle, const fm_pose *pose, fm_error *error);
FM_API size_t fm_world_bytes_per_vehicle(const fm_world *world, int slot);

#ifdef __cplusplus
}
#endif
#endif
