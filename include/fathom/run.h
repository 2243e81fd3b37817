/* A run: a world that is stepped, steered and told about.
 *
 * Sinks listen: a log, a CSV file, a server, a page, a program's own callbacks. Inputs come from anywhere by one queue
 * and are taken at the start of the next step; the world records them with their tick, so that every run can be
 * repeated bit for bit, whoever steered it.
 *
 * A run belongs to one thread, the stepping one: it attaches sinks, steps, and may read and steer the world directly.
 * Functions that say "any thread" may be called by others meanwhile. The library reads no clock: whoever wants a run in
 * step with one gives the time in (fm_run_advance) or lends a clock (fm_run_go). */
#ifndef FATHOM_RUN_H
#define FATHOM_RUN_H

#include <fathom/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fm_run fm_run;
typedef struct fm_sink fm_sink; /* one that is attached */

/* --- how fast it goes --- */
typedef struct fm_run_pace {
    double speed;    /* times real time; 0: as fast as it goes */
    int lockstep;    /* each step waits until every participant is ready, the first until one has joined */
    double deadline; /* s of the given clock that a step waits for them; 0: for ever */
} fm_run_pace;

/* Zero-initialise for the defaults. */
typedef struct fm_run_options {
    size_t size;                   /* sizeof(fm_run_options); 0: the members of version 0.1 */
    const fm_world_options *world; /* seed and threads; NULL: defaults */
    double duration;               /* s; 0: the scenario's; HUGE_VAL: no end. Any other end, also 0: fm_run_set_end */
    fm_run_pace pace;
    size_t inputs; /* that may wait for a step, 1 … 4096; 0: 1024 */
    size_t burst;  /* steps in one call of fm_run_advance at most; 0: 100 */
} fm_run_options;

/* A run of a new world. NULL and *error where it cannot be made. The model must outlive it. */
FM_API fm_run *fm_run_create(const fm_model *model, const fm_run_options *options, fm_error *error);
/* A run of a world that the caller keeps (restored, or stepped before); options->world is not read. */
FM_API fm_run *fm_run_create_on(fm_world *world, const fm_run_options *options, fm_error *error);
/* Finishes first, if that was not done; what goes wrong then is not told. */
FM_API void fm_run_free(fm_run *run);

FM_API fm_world *fm_run_world(const fm_run *run);
/* When it ends, s since the start of the world; HUGE_VAL: never. Between steps. */
FM_API fm_status fm_run_set_end(fm_run *run, double time, fm_error *error);
FM_API double fm_run_end(const fm_run *run);
/* Whether no more steps will come: the end is reached, it was stopped, or it has failed. */
FM_API int fm_run_over(const fm_run *run);

/* --- stepping, whatever the pace is --- */
/* One step: inputs, world, messages, sinks. After a failure it gives the same error again. */
FM_API fm_status fm_run_step(fm_run *run, fm_error *error);
/* Steps until `time` (s since the start of the world) or the end is reached, or it is stopped. */
FM_API fm_status fm_run_until(fm_run *run, double time, fm_error *error);

/* --- stepping by the pace --- */
/* Makes the steps that are due when the caller's monotonic clock shows `now` (s, any origin; with a speed of 0 it is
 * read for deadlines only). *wait, where given, is how long nothing will be due: 0: call again at once; HUGE_VAL: until
 * someone resumes, gets ready or stops, or for ever once the run is over. The schedule does not drift: it is counted
 * from where the pace was last set. A step is late when it begins more than one period after its moment. */
FM_API fm_status fm_run_advance(fm_run *run, double now, double *wait, fm_error *error);

/* A clock, lent by the caller. */
typedef struct fm_run_clock {
    double (*now)(void *user);                 /* s, monotonic */
    void (*sleep)(void *user, double seconds); /* may return early */
    void (*wake)(void *user);                  /* ends a sleep, from any thread; NULL: a sleep lasts its time */
    void *user;
} fm_run_clock;
/* Goes on until the run is over. `clock` may be NULL for a run as fast as it goes without deadlines. */
FM_API fm_status fm_run_go(fm_run *run, const fm_run_clock *clock, fm_error *error);

/* Any thread. */
FM_API fm_status fm_run_set_pace(fm_run *run, const fm_run_pace *pace, fm_error *error);
FM_API void fm_run_pause(fm_run *run);
FM_API void fm_run_resume(fm_run *run);
/* Pauses, and makes that many steps at once. */
FM_API void fm_run_single(fm_run *run, uint64_t steps);
/* No further step begins. Also from a signal handler. */
FM_API void fm_run_stop(fm_run *run);

/* Work for the stepping thread. Any thread: it is called once, between two steps and soon, also while the run is
 * paused; by fm_run_finish at the latest (fm_run_over tells). It may do what the stepping thread may between steps:
 * read and steer the world, attach and detach. The memory is the caller's, until the call. FM_ERR_STATE: the run is
 * finished, and the call will not come. */
typedef struct fm_run_task {
    void (*call)(fm_run *run, struct fm_run_task *task);
    struct fm_run_task *next; /* the run's */
} fm_run_task;
FM_API fm_status fm_run_post(fm_run *run, fm_run_task *task);

/* Lock-step. Any thread: whoever joins is waited for before each step, whatever the pace, until he leaves. A
 * participant pushes his inputs with his number as their tag and then says that he is ready. Inputs of one step are
 * taken in the order of their tags, so that it does not matter who was faster. */
FM_API int fm_run_join(fm_run *run, fm_error *error); /* his number, from 1; -1: no memory */
FM_API void fm_run_leave(fm_run *run, int participant);
FM_API fm_status fm_run_ready(fm_run *run, int participant);

/* --- steering, any thread: these wait in the queue for the next step. FM_ERR_FULL: the queue is full, and the input is
 * counted and gone. Whether an input fits the world is found out when its turn comes: see `refused` of a sink. --- */
FM_API fm_status fm_run_push(fm_run *run, const fm_input *input, fm_error *error);
FM_API fm_status fm_run_order(fm_run *run, const char *vehicle, const char *actuator, double value, fm_error *error);
FM_API fm_status fm_run_set(fm_run *run, const char *path, double value, fm_error *error);
/* As the functions of these names in world.h. */
FM_API fm_status fm_run_desire(fm_run *run, const char *vehicle, const char *what, double value, fm_error *error);
FM_API fm_status fm_run_take(fm_run *run, const char *vehicle, const char *actuator, fm_error *error);
FM_API fm_status fm_run_release(fm_run *run, const char *vehicle, const char *what, fm_error *error);
FM_API fm_status fm_run_engage(fm_run *run, const char *vehicle, const char *controller, fm_error *error);
FM_API fm_status fm_run_disengage(fm_run *run, const char *vehicle, const char *controller, fm_error *error);
FM_API fm_status fm_run_force(fm_run *run, const char *vehicle, const double force[6], fm_error *error);
FM_API fm_status fm_run_spawn(fm_run *run, const char *name, const char *like, const double position[3],
                              const double euler[3], fm_error *error);
FM_API fm_status fm_run_remove(fm_run *run, const char *name, fm_error *error);
FM_API fm_status fm_run_reset(fm_run *run, fm_error *error); /* the end of the run counts from there */
FM_API fm_status fm_run_sight(fm_run *run, const char *vehicle, const fm_sighting *seen, fm_error *error);
FM_API fm_status fm_run_sense(fm_run *run, const char *vehicle, const char *what, double value, fm_error *error);
FM_API fm_status fm_run_waypoint_add(fm_run *run, const char *vehicle, const char *list, int before,
                                     const fm_waypoint *waypoint, fm_error *error);
FM_API fm_status fm_run_waypoint_move(fm_run *run, const char *vehicle, const char *list, int i,
                                      const fm_waypoint *waypoint, fm_error *error);
FM_API fm_status fm_run_waypoint_clear(fm_run *run, const char *vehicle, const char *list, fm_error *error);
/* As fm_world_modem_send (modem.h) and fm_world_emit (sound.h). */
FM_API fm_status fm_run_modem_send(fm_run *run, const char *vehicle, const char *modem, int64_t to, const void *data,
                                   size_t size, fm_error *error);
struct fm_emission;
FM_API fm_status fm_run_emit(fm_run *run, const char *vehicle, const char *transducer,
                             const struct fm_emission *emission, fm_error *error);

/* Any thread. */
typedef struct fm_run_counts {
    uint64_t steps;      /* made by this run */
    uint64_t late;       /* of those, late */
    double latest;       /* s by which the latest one was late */
    uint64_t inputs;     /* taken from the queue by the world */
    uint64_t refused;    /* refused by the world */
    uint64_t overflowed; /* that found the queue full */
    uint64_t missed;     /* participants that a lock-step did not wait for any longer */
} fm_run_counts;
FM_API fm_run_counts fm_run_get_counts(const fm_run *run);

/* --- sinks --- */
typedef enum fm_sink_delivery {
    FM_SINK_PACED, /* messages by a thread of the sink's own: a run in real time drops what it cannot take in time, one
                      that goes as fast as it can waits for it */
    FM_SINK_DROP,  /* likewise, never waited for */
    FM_SINK_WAIT,  /* likewise, always waited for: between steps, nothing is lost */
    FM_SINK_DIRECT /* messages within the step, by the stepping thread */
} fm_sink_delivery;

/* One message of a channel. */
/* A channel: a stream of messages of one type. */
typedef struct fm_channel_info {
    const char *topic; /* "/phoenix/odom"; "": no such channel, or none at the moment */
    const char *text;  /* one sentence for people */
    char type[64];     /* "nav_msgs/msg/Odometry" */
    int latched;       /* the last message is given to sinks that come later */
} fm_channel_info;

typedef struct fm_sink_message {
    uint32_t channel;  /* number, see fm_sink_channel */
    uint32_t sequence; /* of the channel */
    uint64_t time;     /* ns since the start of the world */
    const void *data;  /* CDR (XCDR1, little endian, with its encapsulation); until the callback returns */
    size_t size;
} fm_sink_message;

typedef struct fm_run_ending {
    fm_status status;  /* FM_OK, or why the run failed */
    const char *text;  /* "finished", "interrupted", or what went wrong */
    uint64_t dropped;  /* messages that this sink did not get */
    uint64_t overrun;  /* of those, though it was waited for: one step brought more than its buffer holds */
    uint64_t oversize; /* messages that were longer than their channel announces, and reached nobody */
} fm_run_ending;

/* What a sink does; all callbacks may be NULL. They are called by the stepping thread, `message` by the thread that its
 * delivery says. A step waits for its callbacks: one that must not hold it up lives on messages. Callbacks may steer
 * the world and push inputs; they must not step, finish or free the run, nor detach. */
typedef struct fm_sink_config {
    double rate;   /* messages: samples per second of each vehicle and instrument at most; 0: every step and sample */
    double buffer; /* s of messages that wait for the sink's thread at most; 0: 2 s, 0.5 s where it is waited for */
    fm_sink_delivery delivery;
    /* On attaching; a failure is returned by fm_run_attach. */
    fm_status (*start)(void *user, fm_sink *sink, fm_error *error);
    /* Just before each step, when the inputs of the queue are taken: for sources that steer the world directly, with
     * the newest that they have. */
    void (*steer)(void *user, fm_sink *sink);
    /* Before the first step that it sees, and after each; a failure ends the run. */
    fm_status (*step)(void *user, fm_sink *sink, fm_error *error);
    void (*message)(void *user, const fm_sink_message *message);
    /* A vehicle has come or gone, and with it a channel: from now on `channel` has this topic; "": none. By the thread
     * of `message`, in order with the messages; `info` lives until the callback returns. */
    void (*channel)(void *user, uint32_t channel, const fm_channel_info *info);
    void (*event)(void *user, fm_sink *sink, const fm_event *event);
    /* An input from the queue that the world does not take. */
    void (*refused)(void *user, fm_sink *sink, const fm_input *input, const fm_error *error);
    /* The run has failed. */
    void (*error)(void *user, fm_sink *sink, const fm_error *error);
    /* After the last message; the sink is gone when it returns. Called wherever `start` went well. */
    fm_status (*end)(void *user, fm_sink *sink, const fm_run_ending *ending, fm_error *error);
    /* Last of all, also where attaching fails: for what `user` points to. */
    void (*release)(void *user);
    void *user;
} fm_sink_config;

/* Between steps, at any time in a run. *sink, where given, is for fm_run_detach. */
FM_API fm_status fm_run_attach(fm_run *run, const fm_sink_config *config, fm_sink **sink, fm_error *error);
/* Ends one sink before the run does. */
FM_API fm_status fm_run_detach(fm_run *run, fm_sink *sink, fm_error *error);
/* Last messages, then the end of every sink. The first failure of a sink is returned; all of them are ended. */
FM_API fm_status fm_run_finish(fm_run *run, fm_error *error);

FM_API fm_run *fm_sink_run(const fm_sink *sink);
/* The channels whose messages a sink gets; none without a `message` callback. Between steps: those of vehicles come and
 * go with them (fm_sink_config.channel). */
FM_API size_t fm_sink_channel_count(const fm_sink *sink);
FM_API fm_channel_info fm_sink_channel(const fm_sink *sink, size_t i);
/* The definition of its type, as ROS 2 writes it (encoding "ros2msg"); NULL: no memory or no such channel; free with
 * fm_free. */
FM_API char *fm_sink_schema(const fm_sink *sink, size_t i);
/* The same by the name of a type, "nav_msgs/msg/Odometry"; any thread. */
FM_API char *fm_type_schema(const char *type);

#ifdef __cplusplus
}
#endif
#endif
