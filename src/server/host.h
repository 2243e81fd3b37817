/* Internals of a host, for its implementations: server.c, run_host.c. */
#ifndef FM_SERVER_HOST_H
#define FM_SERVER_HOST_H

#include <pthread.h>

#include "server/door.h"

enum { FM_HOST_DOORS = 64, FM_HOST_COUNTERS = 256 };

typedef struct fm_host_counter {
    char name[48];
    fm_counter value;
} fm_host_counter;

struct fm_host {
    uv_loop_t *loop;
    const fm_model *model;
    fm_run *run;
    fm_server *server;
    void (*tell)(void *user, const char *text); /* NULL: no listener */
    void *tell_user;
    void (*execute)(void *user, const fm_command *command, const char *holder, fm_command_done *done, void *done_user);
    void *execute_user;
    fm_door doors[FM_HOST_DOORS];
    size_t door_count;
    size_t opened;        /* of them, also one that could not */
    pthread_mutex_t lock; /* of the list of counters */
    fm_host_counter counters[FM_HOST_COUNTERS];
    size_t counter_count;
};

void fm_host_init(fm_host *host, const fm_model *model);
void fm_host_destroy(fm_host *host); /* releases the doors */

/* The loop's thread. */
fm_status fm_host_open(fm_host *host, fm_error *error);
void fm_host_turn(fm_host *host);
void fm_host_close(fm_host *host);
/* The stepping thread. */
void fm_host_begin(fm_host *host, fm_run *run);
void fm_host_steer(fm_host *host, fm_run *run);
void fm_host_step(fm_host *host, fm_run *run);
void fm_host_event(fm_host *host, fm_run *run, const fm_event *event);
void fm_host_end(fm_host *host, fm_run *run);

#endif
