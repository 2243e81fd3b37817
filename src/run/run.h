/* Internals of a run: run.c steps, sinks.c publishes, pace.c keeps time. */
#ifndef FM_RUN_RUN_H
#define FM_RUN_RUN_H

#include <fathom/log.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "run/delays.h"
#include "run/queue.h"
#include "telemetry/tap.h"
#include "telemetry/world_channels.h"

/* The world's channels at one rate, shared by the sinks that use it. */
typedef struct fm_run_channels {
    fm_world_channels *channels;
    double rate; /* Hz; 0: every step */
    int begun;   /* the initial state was published to its first listener */
    struct fm_run_channels *next;
} fm_run_channels;

struct fm_sink {
    fm_run *run;
    fm_sink_config config;
    fm_run_channels *channels; /* NULL: no `message` */
    fm_tap *tap;               /* NULL: delivered directly */
    int begun;
    struct fm_sink *next;
};

typedef struct fm_participant {
    int joined, ready;
} fm_participant;

/* The pace. All under `lock`. */
typedef struct fm_run_schedule {
    pthread_mutex_t lock;
    fm_run_pace pace;
    int paused;
    uint64_t singles; /* steps to make though paused */
    int anchored;     /* 0: the schedule begins with the next reading of the clock */
    double anchor;    /* s of the clock, when the world had made anchor_step steps */
    uint64_t anchor_step;
    fm_participant *participants;
    size_t participant_count;
    size_t participant_room;
    int waiting;          /* for participants … */
    double waiting_since; /* … since then, s of the clock */
    uint64_t missed;
    const fm_run_clock *clock; /* of fm_run_go, while it runs */
} fm_run_schedule;

struct fm_run {
    fm_world *world;
    int owns_world;
    uint64_t last;         /* tick at which it ends; UINT64_MAX: never */
    fm_input_queue *queue; /* NULL: nothing comes from outside */
    uint32_t *turns;       /* of the queue's inputs in lock-step: order by tag */
    double *moments;       /* s of the clock: when the inputs that the next step answers were received */
    size_t moment_count;
    fm_sink *sinks; /* in the order of attaching */
    fm_run_channels *channels;
    fm_overlay *overlays; /* telemetry of real vehicles, next to the world; in the order of attaching */
    fm_error failure;     /* status FM_OK: none */
    fm_error found;       /* for the step being made; kept to avoid clearing it each time */
    int finished;
    fm_run_goal until;
    uint64_t burst;
    double looked;             /* s of the clock: the moment for which fm_run_advance last asked whether to step */
    fm_run_schedule *schedule; /* NULL: steps are made on request */
    sem_t wake;                /* of fm_run_go, while it waits for an input … */
    _Atomic int posted;        /* … a token lies there */
    _Atomic int stopped;
    _Atomic(fm_run_task *) tasks; /* the newest first */
    _Atomic int free_running;     /* no pace, no pause, no lock-step: no check before a step */
    _Atomic uint64_t steps, inputs, refused, late;
    _Atomic double latest;
    fm_delays lateness, response;
};

/* sinks.c */
fm_status fm_run_begin_sinks(fm_run *run, fm_error *error); /* before the first step of each */
fm_status fm_run_tell_sinks(fm_run *run, fm_error *error);  /* after a step */
void fm_run_steer_sinks(fm_run *run);                       /* when inputs are taken */
void fm_run_tell_refusal(fm_run *run, const fm_input *input, const fm_error *error);
void fm_run_tell_failure(fm_run *run);
void fm_run_free_sinks(fm_run *run);
/* The channels of a sink; NULL: it receives no messages. */
fm_channels *fm_sink_channels(const fm_sink *sink);

/* log.c */
typedef struct fm_log_counts {
    uint64_t dropped, lost; /* messages so far: too late for the recorder; refused by the disk */
} fm_log_counts;
fm_log_counts fm_sink_log_counts(const fm_sink *sink); /* of a sink that fm_run_record has made; stepping thread */

/* An open log: its file is checked, empty except for the attachments, and locked. Made by any thread, for one run. */
typedef struct fm_log_file fm_log_file;
fm_status fm_log_file_open(const fm_model *model, const char *path, const fm_log_options *options, fm_log_file **file,
                           fm_error *error);
void fm_log_file_free(fm_log_file *file); /* one that is not recorded into */
/* Like fm_run_record, into a file that it takes ownership of, also on failure. */
fm_status fm_run_record_into(fm_run *run, fm_log_file *file, const fm_log_options *options, fm_error *error);

/* overlays.c */
/* Overlays a real vehicle's telemetry on the vehicle of this name. Takes ownership of the source, also on failure. Must
 * be called before any listener is attached to the run: FM_ERR_STATE. FM_ERR_NAME: no such vehicle, or it has an
 * overlay. */
fm_status fm_run_overlay(fm_run *run, const char *vehicle, const fm_overlay_source *source, fm_error *error);
void fm_run_follow_overlays(fm_run *run); /* before messages are published */
void fm_run_free_overlays(fm_run *run);

/* run.c */
int fm_run_complete(const fm_run *run); /* it has reached its end, or the scenario's */
fm_status fm_run_steps(fm_run *run, uint64_t last, uint64_t most, fm_error *error);

/* pace.c */
fm_run_schedule *fm_run_schedule_create(void);
void fm_run_schedule_free(fm_run_schedule *schedule);
void fm_run_wake(fm_run *run);          /* makes threads that wait for the next step check again */
int fm_run_in_lockstep(fm_run *run);    /* by its pace, or since a participant has joined */
int fm_run_paused(fm_run *run);         /* any thread */
int fm_run_unpaced(fm_run *run);        /* as fast as possible; any thread */
double fm_run_waits_since(fm_run *run); /* s of the clock since a step waits for participants; HUGE_VAL: none does */
double fm_run_moment(fm_run *run);      /* s of the clock of fm_run_go; NaN: without a clock. Any thread */
/* The next step answers an input that was received at this moment of the clock. Stepping thread. */
void fm_run_note_input(fm_run *run, double moment);
void fm_run_note_answers(fm_run *run); /* after a step */

/* tasks.c */
void fm_run_do_tasks(fm_run *run);
void fm_run_end_tasks(fm_run *run); /* executes waiting tasks; accepts no more */

#endif
