/* A show: what is put before viewers, a live run or a recording. The hub has its messages; the show has its name, its
 * parameters, what can be asked of it, and how it is played. */
#ifndef FM_PAGE_SHOW_H
#define FM_PAGE_SHOW_H

#include <jansson.h>
#include <pthread.h>

#include "page/hub.h"

typedef struct fm_show_param {
    const char *path, *unit, *text; /* live as long as the show */
    double min, max;                /* min == max == 0: no limits */
    int live;
    int written;       /* in the scenario or a file of it, or set at load */
    int numeric;       /* it has one number as its value */
    double value;      /* then */
    double first;      /* and at the start of the run */
    const char *words; /* else */
    uint64_t version;  /* of the show when it was last changed */
} fm_show_param;

typedef struct fm_show_service {
    const char *name;    /* "/pause" */
    const char *text;    /* what it does */
    const char *request; /* JSON schema of its fields */
} fm_show_service;

typedef enum fm_play_state { FM_PLAY_PLAYING, FM_PLAY_PAUSED, FM_PLAY_BUFFERING, FM_PLAY_ENDED } fm_play_state;
typedef struct fm_play {
    fm_play_state state;
    float speed;
    int seek; /* `time` is to be gone to, or was gone to */
    uint64_t time;
} fm_play;

typedef struct fm_show fm_show;
typedef struct fm_show_call fm_show_call; /* show_calls.h */
struct fm_show {
    fm_hub *hub;
    char name[128];       /* of the server, for people */
    json_t *metadata;     /* texts by name */
    uint64_t start, end;  /* ns, of a recording; equal: a live run */
    pthread_mutex_t lock; /* of the parameters and calls */
    fm_show_param *params;
    size_t param_count;
    uint64_t param_version; /* of the newest change */
    const fm_show_service *services;
    size_t service_count;
    fm_show_call *calls; /* that are not answered yet, or whose answers are not fetched; under the lock */
    fm_show_call *asked; /* the one that `set` or `call` is asked now; of the thread that serves */
    /* By the thread that serves. NULL where it cannot be done. Both may defer their answer (fm_show_defer). */
    fm_status (*set)(fm_show *show, const char *path, double value, fm_error *error);
    fm_status (*call)(fm_show *show, const char *service, const json_t *request, json_t *reply, fm_error *error);
    void (*play)(fm_show *show, const fm_play *wanted, fm_play *now);
    void (*deserted)(fm_show *show); /* the last viewer has left */
    void *user;
};

/* Takes the hub. */
fm_status fm_show_open(fm_show *show, const char *name, fm_error *error);
void fm_show_close(fm_show *show);
/* Room for the parameters, in the order in which they are then written into show->params. */
fm_status fm_show_reserve(fm_show *show, size_t count, fm_error *error);
/* Any thread: a parameter has this value now. */
void fm_show_param_changed(fm_show *show, const char *path, double value);
/* Any thread: all have the values of the start again. */
void fm_show_params_reset(fm_show *show);
const fm_show_param *fm_show_find_param(const fm_show *show, const char *path);

#endif
