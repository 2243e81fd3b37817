/* An external autopilot that controls one vehicle in lock-step: shared by the bridges to ArduPilot and PX4. Each of its
 * frames contains orders and permits a number of steps. */
#ifndef FM_BRIDGES_PILOT_PILOT_H
#define FM_BRIDGES_PILOT_PILOT_H

#include <pthread.h>

#include "bridges/pilot/pilot_outputs.h"
#include "server/door.h"

enum { FM_PILOT_ACTUATORS = 64 };

typedef struct fm_pilot {
    char vehicle[32];
    fm_pilot_outputs outputs;
    double dt; /* s, tick of the world */
    fm_counter *full;
    const char *name;     /* name that holds the actuators: "ardupilot", "px4" */
    pthread_mutex_t lock; /* of what follows */
    fm_run *run;          /* NULL: there is none */
    int participant;      /* 0: not in lock-step */
    uint64_t steps;       /* of the world, as last seen */
    uint64_t left;        /* remaining steps of its present frame */
} fm_pilot;

/* For this vehicle (NULL: the first). `outputs` as in the attribute; NULL: the first of `frames` that fits, NULL after
 * the last. */
fm_status fm_pilot_init(fm_pilot *pilot, const char *name, const fm_model *model, const char *vehicle,
                        const char *outputs, const char *const *frames, fm_error *error);
void fm_pilot_destroy(fm_pilot *pilot);

/* --- the stepping thread --- */
void fm_pilot_begin(fm_pilot *pilot, fm_run *run); /* the run waits for it from now on */
void fm_pilot_end(fm_pilot *pilot);
/* After a step, and before the first: 1: it was the last step of a frame. */
int fm_pilot_step(fm_pilot *pilot);

/* --- the loop's thread --- */
int fm_pilot_is_joined(fm_pilot *pilot);
int fm_pilot_is_unpaced(fm_pilot *pilot); /* only the participants of its run set its pace */
/* Orders, channels −1 … 1, and permission for these steps. It joins the run again if it had left. */
void fm_pilot_fly(fm_pilot *pilot, const double channels[FM_PILOT_CHANNELS], uint64_t steps);
/* Returns the actuators to their previous owners; the run continues without it. */
void fm_pilot_leave(fm_pilot *pilot);
void fm_pilot_rest(fm_pilot *pilot);  /* the same, but the run waits for it */
void fm_pilot_reset(fm_pilot *pilot); /* the world restarts with the next step */

#endif
