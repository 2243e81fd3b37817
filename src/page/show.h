/* A show: what viewers see, a live run or a recording. The hub has its messages; the show has its name, its parameters,
 * its services, and the state of playback. */
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
    uint64_t version;  /* version of the show at its last change */
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
    int seek; /* position to seek to, or last sought */
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
    fm_show_call *calls; /* calls without an answer, or with an answer not yet fetched; under the lock */
    fm_show_call *asked; /* the call that `set` or `call` is handling; of the thread that serves */
    /* Called on the thread that serves. NULL: not available. Both may defer their answer (fm_show_defer). */
    fm_status (*set)(fm_show *show, const char *path, double value, fm_error *error);
    fm_status (*call)(fm_show *show, const char *service, const json_t *request, json_t *reply, fm_error *error);
    void (*play)(fm_show *show, const fm_play *wanted, fm_play *now);
    void (*deserted)(fm_show *show); /* the last viewer has left */
    void *user;
};

/* Takes the hub. */
fm_status fm_show_open(fm_show *show, const char *name, fm_error *error);
void fm_show_close(fm_show *show);
/* Makes space for the parameters, in the order in which they are then written into show->params. */
fm_status fm_show_reserve(fm_show *show, size_t count, fm_error *error);
/* Any thread: sets the value of a parameter. */
void fm_show_param_changed(fm_show *show, const char *path, double value);
/* Any thread: resets all parameters to their initial values. */
void fm_show_params_reset(fm_show *show);
const fm_show_param *fm_show_find_param(const fm_show *show, const char *path);

#endif
