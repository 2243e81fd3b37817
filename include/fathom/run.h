/* A run: a world with its clock, inputs and outputs.
 *
 * Sinks receive the outputs: a log, a CSV file, a server, a page, a program's own callbacks. Inputs come from any
 * thread through one queue and take effect at the start of the next step. The world records them with their tick, so
 * every run can be repeated bit for bit.
 *
 * A run belongs to one thread, the stepping thread: it attaches sinks, steps, and may read and steer the world
 * directly. Functions marked "any thread" may be called by other threads at the same time. The library reads no clock:
 * for real-time pacing pass the time to fm_run_advance, or a clock to fm_run_go. */
#ifndef FATHOM_RUN_H
#define FATHOM_RUN_H

#include <fathom/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A run. Belongs to the stepping thread; free it with fm_run_free, before its model. */
typedef struct fm_run fm_run;
/* An attached sink. Belongs to the run, until it is detached or the run has finished. */
typedef struct fm_sink fm_sink;

/* --- pace --- */
/* How fast a run advances; copied by the functions that take it. */
typedef struct fm_run_pace {
    double speed; /* times real time; 0: as fast as possible */
    int lockstep; /* a step starts only when all participants are ready; the first step waits for at least one to join
                   */
    double deadline; /* s of the clock that a step waits for them; 0: no limit */
} fm_run_pace;

/* How to create a run; zero-initialise for the defaults. Read only during creation. */
typedef struct fm_run_options {
    size_t size;                   /* sizeof(fm_run_options); 0: the members of version 0.1 */
    const fm_world_options *world; /* seed and threads; NULL: defaults */
    double duration;               /* s; 0: as in the scenario; HUGE_VAL: endless. To end at 0 s, use fm_run_set_end */
    fm_run_pace pace;
    size_t inputs; /* capacity of the input queue, 1 … 4096; 0: 1024 */
    size_t burst;  /* maximum steps per call of fm_run_advance; 0: 100 */
} fm_run_options;

/* Creates a run of a new world, which belongs to the run. Returns NULL and sets *error on failure. The model must
 * outlive it. Free it with fm_run_free. */
FM_API fm_run *fm_run_create(const fm_model *model, const fm_run_options *options, fm_error *error);
/* Creates a run of an existing world (restored, or stepped before), which the caller still owns and which must outlive
 * the run. options->world is not used. */
FM_API fm_run *fm_run_create_on(fm_world *world, const fm_run_options *options, fm_error *error);
/* Frees a run; NULL is allowed. Finishes it first if necessary, ignoring errors. */
FM_API void fm_run_free(fm_run *run);

/* Returns the world of the run. Only the stepping thread may use it. */
FM_API fm_world *fm_run_world(const fm_run *run);
/* Sets the end of the run, s since the start of the world; HUGE_VAL: endless. Call it between steps. */
FM_API fm_status fm_run_set_end(fm_run *run, double time, fm_error *error);
/* What ends a run before its end. */
typedef enum fm_run_goal {
    FM_RUN_UNTIL_FILE,      /* what the scenario says: fm_world_over */
    FM_RUN_UNTIL_WAYPOINTS, /* that, or the last waypoint of all lists that do not loop */
    FM_RUN_UNTIL_DURATION   /* nothing */
} fm_run_goal;
/* Chooses what ends the run before its end; new runs have FM_RUN_UNTIL_FILE. FM_ERR_MODEL: no vehicle has a list of
 * waypoints that ends, and nothing is changed. */
FM_API fm_status fm_run_set_until(fm_run *run, fm_run_goal until, fm_error *error);
/* Returns the end of the run, s since the start of the world; HUGE_VAL: endless. */
FM_API double fm_run_end(const fm_run *run);
/* Returns whether the run is over: it reached its end, was stopped, or failed. */
FM_API int fm_run_over(const fm_run *run);

/* --- stepping, independent of the pace --- */
/* Makes one step: inputs, world, messages, sinks. After a failure it returns the same error again. */
FM_API fm_status fm_run_step(fm_run *run, fm_error *error);
/* Steps until `time` (s since the start of the world), the end, or a stop. */
FM_API fm_status fm_run_until(fm_run *run, double time, fm_error *error);

/* --- stepping at the pace --- */
/* Makes the steps that are due when the caller's monotonic clock shows `now` (s, any origin; at speed 0 used only for
 * deadlines). *wait (may be NULL) is the time until the next step is due, s. 0: call again at once; HUGE_VAL: wait for
 * a resume, ready or stop, or the run is over. The schedule does not drift: it counts from where the pace was last set.
 * A step is late if it begins more than one period after its due time. */
FM_API fm_status fm_run_advance(fm_run *run, double now, double *wait, fm_error *error);

/* A clock of the caller; must live until fm_run_go returns. */
typedef struct fm_run_clock {
    double (*now)(void *user);                      /* s, monotonic; any thread */
    void (*sleep_until)(void *user, double moment); /* until the clock shows this; may return early */
    void (*wake)(void *user);                       /* ends a sleep early, from any thread; NULL: not supported */
    void *user;
} fm_run_clock;
/* Steps at the pace until the run is over. `clock` may be NULL for an unpaced run without deadlines. */
FM_API fm_status fm_run_go(fm_run *run, const fm_run_clock *clock, fm_error *error);

/* Changes the pace. Any thread. */
FM_API fm_status fm_run_set_pace(fm_run *run, const fm_run_pace *pace, fm_error *error);
/* Pauses the run after the current step. Any thread. */
FM_API void fm_run_pause(fm_run *run);
/* Resumes a paused run. Any thread. */
FM_API void fm_run_resume(fm_run *run);
/* Pauses the run and makes `steps` steps at once. Any thread. */
FM_API void fm_run_single(fm_run *run, uint64_t steps);
/* Stops the run: no further step begins. Any thread, also from a signal handler. */
FM_API void fm_run_stop(fm_run *run);

/* A call to be made by the stepping thread. The memory belongs to the caller and must stay valid until the call. */
typedef struct fm_run_task {
    void (*call)(fm_run *run, struct fm_run_task *task);
    struct fm_run_task *next; /* used by the run */
    double moment;            /* the same: when it was posted, s of the clock of fm_run_go */
} fm_run_task;
/* Queues a task. It is called once, between two steps, also while the run is paused; at the latest by fm_run_finish
 * (then fm_run_over is true). It may do what the stepping thread may do between steps: read and steer the world, attach
 * and detach sinks. FM_ERR_STATE: the run has finished, and the call will not be made. Any thread. */
FM_API fm_status fm_run_post(fm_run *run, fm_run_task *task);

/* Lock-step: the run waits before each step for every participant that has joined, at any pace, until it leaves. A
 * participant pushes its inputs with its number as their tag and then calls fm_run_ready. Inputs of one step are
 * applied in the order of their tags, so the result does not depend on timing. */

/* Joins the run. Returns the number of the participant, from 1; -1: out of memory. Any thread. */
FM_API int fm_run_join(fm_run *run, fm_error *error);
/* Leaves the run: it no longer waits for this participant. Any thread. */
FM_API void fm_run_leave(fm_run *run, int participant);
/* Reports that a participant is ready for the next step. Any thread. */
FM_API fm_status fm_run_ready(fm_run *run, int participant);

/* --- inputs, any thread: they wait in the queue for the next step. FM_ERR_FULL: the queue is full; the input is
 * dropped and counted. The world checks an input when it takes it: see `refused` of fm_sink_config. Units and meaning
 * of the arguments are those of the function with the same name in world.h. --- */

/* Queues any input; it is copied. */
FM_API fm_status fm_run_submit(fm_run *run, const fm_input *input, fm_error *error);
/* Queues an order for an actuator; see fm_world_order. */
FM_API fm_status fm_run_order(fm_run *run, const char *vehicle, const char *actuator, double value, fm_error *error);
/* Queues a change of a live parameter, SI; see fm_world_set. */
FM_API fm_status fm_run_set(fm_run *run, const char *path, double value, fm_error *error);
/* Queues a setpoint; see fm_world_desire. */
FM_API fm_status fm_run_desire(fm_run *run, const char *vehicle, const char *what, double value, fm_error *error);
/* Takes an actuator; see fm_world_take. */
FM_API fm_status fm_run_take(fm_run *run, const char *vehicle, const char *actuator, fm_error *error);
/* Releases an actuator or a setpoint; see fm_world_release. */
FM_API fm_status fm_run_release(fm_run *run, const char *vehicle, const char *what, fm_error *error);
/* Engages a controller; see fm_world_engage. */
FM_API fm_status fm_run_engage(fm_run *run, const char *vehicle, const char *controller, fm_error *error);
/* Disengages a controller; see fm_world_disengage. */
FM_API fm_status fm_run_disengage(fm_run *run, const char *vehicle, const char *controller, fm_error *error);
/* Applies an external force and moment; see fm_world_force. */
FM_API fm_status fm_run_force(fm_run *run, const char *vehicle, const double force[6], fm_error *error);
/* Adds a vehicle; see fm_world_spawn. */
FM_API fm_status fm_run_spawn(fm_run *run, const char *name, const char *like, const double position[3],
                              const double euler[3], fm_error *error);
/* Removes a vehicle; see fm_world_remove. */
FM_API fm_status fm_run_remove(fm_run *run, const char *name, fm_error *error);
/* Resets the world; see fm_world_reset. The end of the run counts from there. */
FM_API fm_status fm_run_reset(fm_run *run, fm_error *error);
/* Updates a vehicle moved by another simulator; see fm_world_sight. */
FM_API fm_status fm_run_sight(fm_run *run, const char *vehicle, const fm_sighting *seen, fm_error *error);
/* Sets a value of an instrument; see fm_world_sense. */
FM_API fm_status fm_run_sense(fm_run *run, const char *vehicle, const char *what, double value, fm_error *error);
/* Adds a waypoint; see fm_world_waypoint_add. */
FM_API fm_status fm_run_waypoint_add(fm_run *run, const char *vehicle, const char *list, int before,
                                     const fm_waypoint *waypoint, fm_error *error);
/* Moves a waypoint; see fm_world_waypoint_move. */
FM_API fm_status fm_run_waypoint_move(fm_run *run, const char *vehicle, const char *list, int i,
                                      const fm_waypoint *waypoint, fm_error *error);
/* Removes all waypoints; see fm_world_waypoint_clear. */
FM_API fm_status fm_run_waypoint_clear(fm_run *run, const char *vehicle, const char *list, fm_error *error);
/* Sends bytes through a modem; see fm_world_modem_send (modem.h). */
FM_API fm_status fm_run_modem_send(fm_run *run, const char *vehicle, const char *modem, int64_t to, const void *data,
                                   size_t size, fm_error *error);
struct fm_emission;
/* Emits a sound; see fm_world_emit (sound.h). */
FM_API fm_status fm_run_emit(fm_run *run, const char *vehicle, const char *transducer,
                             const struct fm_emission *emission, fm_error *error);

/* How delays are distributed, s. A quantile is up to 6.3 % too large, never too small; 0 without a delay. */
typedef struct fm_run_delays {
    uint64_t count;               /* of delays */
    double p50, p99, p999, worst; /* 50 %, 99 %, 99.9 % and all of them were at most this long */
} fm_run_delays;

/* Counters of a run. */
typedef struct fm_run_counts {
    uint64_t steps;      /* made by this run */
    uint64_t late;       /* of those, late */
    double latest;       /* s, the largest delay of a late step */
    uint64_t inputs;     /* taken from the queue by the world */
    uint64_t refused;    /* refused by the world */
    uint64_t overflowed; /* dropped because the queue was full */
    uint64_t missed;     /* times that a participant missed its lock-step deadline */
    /* Of paced steps: from the time that a step was due to its begin. */
    fm_run_delays lateness;
    /* Of inputs from other threads, in a paced run on a clock (fm_run_go): from the moment at which an input is
     * received (fm_run_submit, fm_run_post, a datagram of a client) to the moment at which the sinks have the messages
     * of the step that applied it. */
    fm_run_delays response;
} fm_run_counts;
/* Returns the counters. Any thread. */
FM_API fm_run_counts fm_run_get_counts(const fm_run *run);

/* --- sinks --- */
/* How messages reach a sink. */
typedef enum fm_sink_delivery {
    FM_SINK_PACED, /* through a thread of the sink: a paced run drops messages that miss the deadline, an unpaced run
                      waits for the sink */
    FM_SINK_DROP,  /* through a thread of the sink: messages that miss the deadline are always dropped */
    FM_SINK_WAIT,  /* through a thread of the sink: the run always waits between steps; nothing is dropped */
    FM_SINK_DIRECT /* by the stepping thread, during the step */
} fm_sink_delivery;

/* A channel: a stream of messages of one type. The texts are valid until the channel closes. */
typedef struct fm_channel_info {
    const char *topic; /* "/phoenix/odom"; "": no such channel, or closed */
    const char *text;  /* one sentence for people */
    char type[64];     /* "nav_msgs/msg/Odometry" */
    int latched;       /* sinks that attach later receive the last message */
} fm_channel_info;

/* One message of a channel; valid until the callback returns. */
typedef struct fm_sink_message {
    uint32_t channel;  /* index, see fm_sink_channel */
    uint32_t sequence; /* counts the messages of the channel */
    uint64_t time;     /* ns since the start of the world */
    const void *data;  /* CDR (XCDR1, little endian, with encapsulation header) */
    size_t size;
} fm_sink_message;

/* How the run ended, for a sink; valid until the callback returns. */
typedef struct fm_run_ending {
    fm_status status;  /* FM_OK, or why the run failed */
    const char *text;  /* "finished", "interrupted", or what went wrong */
    uint64_t dropped;  /* messages that this sink did not receive */
    uint64_t overrun;  /* of those, lost although the run waits: one step produced more than the buffer holds */
    uint64_t oversize; /* messages longer than their channel allows; sent to no sink */
} fm_run_ending;

/* The callbacks of a sink; all may be NULL. The stepping thread calls them, except `message` and `channel`, which are
 * called by the thread that `delivery` selects. A step waits for its callbacks: a sink that must not slow down the run
 * uses only messages. Callbacks may steer the world and push inputs; they must not step, finish or free the run, nor
 * detach. The struct is copied by fm_run_attach. */
typedef struct fm_sink_config {
    double rate;   /* maximum messages per second of each vehicle and instrument; 0: every step and sample */
    double buffer; /* s of messages that may wait for the sink's thread; 0: 2 s, or 0.5 s if the run waits for it */
    fm_sink_delivery delivery;
    /* Called when attaching; fm_run_attach returns its failure. */
    fm_status (*start)(void *user, fm_sink *sink, fm_error *error);
    /* Called just before each step, after the inputs of the queue: for sources that steer the world directly with
     * their newest data. */
    void (*steer)(void *user, fm_sink *sink);
    /* Called before the first step after attaching, and after each step; a failure ends the run. */
    fm_status (*step)(void *user, fm_sink *sink, fm_error *error);
    /* A message of a channel. */
    void (*message)(void *user, const fm_sink_message *message);
    /* A vehicle was added or removed, and a channel with it: from now on `channel` has this topic; "": closed. Called
     * by the thread of `message`, in order with the messages; `info` is valid until the callback returns. */
    void (*channel)(void *user, uint32_t channel, const fm_channel_info *info);
    /* An event of the last step. */
    void (*event)(void *user, fm_sink *sink, const fm_event *event);
    /* The world refused an input from the queue. */
    void (*refused)(void *user, fm_sink *sink, const fm_input *input, const fm_error *error);
    /* The run has failed. */
    void (*error)(void *user, fm_sink *sink, const fm_error *error);
    /* Called after the last message if `start` succeeded; the sink is invalid when it returns. */
    fm_status (*end)(void *user, fm_sink *sink, const fm_run_ending *ending, fm_error *error);
    /* Called last, also if attaching fails: frees what `user` points to. */
    void (*release)(void *user);
    void *user;
} fm_sink_config;

/* Attaches a sink, between steps, at any time in a run. *sink (may be NULL) is for fm_run_detach. Stepping thread. */
FM_API fm_status fm_run_attach(fm_run *run, const fm_sink_config *config, fm_sink **sink, fm_error *error);
/* Detaches a sink before the run ends: delivers its last messages and calls `end`. Stepping thread, between steps. */
FM_API fm_status fm_run_detach(fm_run *run, fm_sink *sink, fm_error *error);
/* Finishes the run: delivers the last messages, then ends every sink. Returns the first failure of a sink; all sinks
 * are ended. Stepping thread. */
FM_API fm_status fm_run_finish(fm_run *run, fm_error *error);

/* Returns the run of a sink. */
FM_API fm_run *fm_sink_run(const fm_sink *sink);
/* Returns the number of channels of a sink; 0 without a `message` callback. Channels of vehicles open and close with
 * them (fm_sink_config.channel), so call it between steps. */
FM_API size_t fm_sink_channel_count(const fm_sink *sink);
/* Returns channel `i`, from 0. Call it between steps. */
FM_API fm_channel_info fm_sink_channel(const fm_sink *sink, size_t i);
/* Returns the definition of the channel's type in ROS 2 form (encoding "ros2msg"). Free with fm_free. NULL: out of
 * memory or no such channel. */
FM_API char *fm_sink_schema(const fm_sink *sink, size_t i);
/* Returns the definition of a type by name, "nav_msgs/msg/Odometry", in the same form. Free with fm_free. NULL: out of
 * memory or unknown type. Any thread. */
FM_API char *fm_type_schema(const char *type);

#ifdef __cplusplus
}
#endif
#endif
