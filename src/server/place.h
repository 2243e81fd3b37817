/* Internals of a place, for its implementations: server.c, beside.c. */
#ifndef FM_SERVER_PLACE_H
#define FM_SERVER_PLACE_H

#include <pthread.h>

#include "server/door.h"

enum { FM_PLACE_DOORS = 64, FM_PLACE_COUNTERS = 256 };

typedef struct fm_place_counter {
    char name[48];
    fm_counter value;
} fm_place_counter;

struct fm_place {
    uv_loop_t *loop;
    const fm_model *model;
    fm_run *run;
    fm_server *server;
    void (*tell)(void *user, const char *text); /* NULL: no listener */
    void *tell_user;
    void (*execute)(void *user, const fm_command *command, const char *holder, fm_command_done *done, void *done_user);
    void *execute_user;
    fm_door doors[FM_PLACE_DOORS];
    size_t door_count;
    size_t opened;        /* of them, also one that could not */
    pthread_mutex_t lock; /* of the list of counters */
    fm_place_counter counters[FM_PLACE_COUNTERS];
    size_t counter_count;
};

void fm_place_init(fm_place *place, const fm_model *model);
void fm_place_destroy(fm_place *place); /* releases the doors */

/* The loop's thread. */
fm_status fm_place_open(fm_place *place, fm_error *error);
void fm_place_turn(fm_place *place);
void fm_place_close(fm_place *place);
/* The stepping thread. */
void fm_place_begin(fm_place *place, fm_run *run);
void fm_place_steer(fm_place *place, fm_run *run);
void fm_place_step(fm_place *place, fm_run *run);
void fm_place_event(fm_place *place, fm_run *run, const fm_event *event);
void fm_place_end(fm_place *place, fm_run *run);

#endif
