/* A live run as a show: publishes its messages to the hub, its parameters, and services that steer it. */
#ifndef FM_PAGE_LIVE_SHOW_H
#define FM_PAGE_LIVE_SHOW_H

#include <stdatomic.h>

#include <fathom/run.h>

#include "page/show.h"
#include "server/door.h"

enum { FM_LIVE_SHOW_SERVICES = FM_COMMAND_KINDS + 8 };

typedef struct fm_live_show {
    fm_show show;
    fm_run *run;
    size_t inputs; /* number of the channel /inputs */
    fm_host *host; /* executes the commands; NULL: the run is steered directly */
    int run_channel, clients_channel, params_channel, notes_channel, waypoints_channel, setpoints_channel;
    atomic_int waypoints_stale; /* their lists may have changed since they were published */
    uint64_t origin;            /* ns of the run at which the world last restarted; of the sink's thread */
    atomic_int paused, over;
    _Atomic uint64_t tick; /* of the world */
    uint64_t end;          /* tick at which the run pauses, once for each start; UINT64_MAX: none */
    int pauses, met_end;   /* it pauses at the end that the scenario names, too; that end was reached */
    atomic_int ended;      /* it has */
    size_t next_change;    /* of the scenario's timed changes of parameters; of the stepping thread */
    uint64_t frame;        /* ticks between two pictures of which at least one vehicle has moved */
    char told[1280];       /* by a bridge, lately; under the lock of the show */
    fm_run_pace pace;
    double factor;                /* simulated over real time, lately */
    double last_clock, last_time; /* s, of the factor */
    int *numbers;                 /* of the run's channels in the hub; -1: none; the sink's thread */
    size_t number_count;
    char failure[768];   /* what ended the run */
    pthread_t writer;    /* of a snapshot … */
    atomic_int writing;  /* … and how it stands */
    json_t *clients;     /* of a server, as last published; NULL: not yet */
    double clients_told; /* s of the clock */
    /* Requested by a viewer, executed by the owner of the run: another scenario. */
    char wanted[128];
    fm_show_call *loading; /* the call waiting for it; answered by the owner of the run */
    void (*load)(void *user);
    void *load_user;
    fm_show_service services[FM_LIVE_SHOW_SERVICES]; /* of all commands, and the page's own */
    char service_names[FM_COMMAND_KINDS][32], *service_schemas[FM_COMMAND_KINDS];
    json_t *scenarios; /* names and titles of scenarios that can be loaded; NULL: none */
} fm_live_show;

/* `rate`: maximum samples per second of each vehicle and instrument; `speed`, `paused`: initial state of the run. Call
 * before the first step. */
fm_status fm_live_show_open(fm_live_show *live, fm_run *run, const char *scenario, double rate, double speed,
                            int paused, fm_error *error);
/* The run pauses at its duration, as `fathom run` ends there. Before the first step. */
void fm_live_show_end_at(fm_live_show *live, double duration);
/* What a bridge reports, for viewers. Any thread. */
void fm_live_show_report(fm_live_show *live, const char *text);
/* A few times a second, in the loop's thread: how the run goes (channel /run). `clock`: s, monotonic. */
void fm_live_show_tell(fm_live_show *live, double clock);
/* After the run has finished. */
void fm_live_show_close(fm_live_show *live);

/* --- shared by live_show.c, live_services.c and live_state.c --- */
/* Pieces of the schemas of channels and services. */
#define FM_SHOW_FIELDS(fields) "{\"type\":\"object\",\"properties\":{" fields "}}"
#define FM_SHOW_TEXT(name) "\"" name "\":{\"type\":\"string\"}"
#define FM_SHOW_NUMBER(name) "\"" name "\":{\"type\":\"number\"}"
/* Takes the object. */
void fm_live_show_publish(fm_live_show *live, int channel, json_t *object);
fm_server *fm_live_show_server(const fm_live_show *live); /* NULL: none */
int fm_live_show_paused(fm_live_show *live);
/* A line on the channel /notes. */
void fm_live_show_note(fm_live_show *live, int level, const char *text);
/* An input to the world; answered once the world has applied it. */
fm_status fm_live_show_give(fm_live_show *live, const fm_command *command, fm_error *error);
fm_status fm_live_show_set_param(fm_show *show, const char *path, double value, fm_error *error);

/* A service for every command that the page offers, and the page's own. */
fm_status fm_live_services_list(fm_live_show *live, fm_error *error);
fm_status fm_live_services_call(fm_show *show, const char *name, const json_t *request, json_t *reply, fm_error *error);
/* Waits for a snapshot that is still being written. */
void fm_live_services_end(fm_live_show *live);

#endif
