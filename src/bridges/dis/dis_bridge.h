/* Internals of the DIS bridge. The stepping thread writes due PDUs into an outbox and steers the world with those of
 * others from an inbox (dis_tell.c); the loop's thread sends (dis_bridge.c), receives, and executes requests of
 * simulation managers (dis_listen.c). Times are simulated ones. */
#ifndef FM_BRIDGES_DIS_DIS_BRIDGE_H
#define FM_BRIDGES_DIS_DIS_BRIDGE_H

#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>

#include "bridges/dis/dis_config.h"
#include "bridges/dis/dis_others.h"
#include "bridges/dis/dis_sender.h"
#include "bridges/dis/dis_sound.h"
#include "server/door.h"

enum { FM_DIS_OUTBOX = 1 << 20, FM_DIS_INBOX = 1024 }; /* bytes; entities */

/* What the vehicle of a slot is to others. */
typedef struct fm_dis_nature {
    fm_dis_entity_type type;
    uint8_t force;
} fm_dis_nature;

/* The velocity of the vehicle of a slot, m/s, world axes, and when that vehicle arrived. */
typedef struct fm_dis_motion {
    int64_t born;
    double velocity[3];
} fm_dis_motion;

typedef struct fm_dis_bridge {
    const fm_dis_config *config;
    fm_host *host;
    fm_dis_rule rule;
    fm_geodetic origin;

    /* the loop's thread */
    uv_udp_t udp;
    uv_timer_t watch;
    int opened;
    struct sockaddr_in target;
    int was_paused, managed;
    uint32_t request;
    uint8_t received[65536];
    fm_dis_pdu heard, answer;

    /* the stepping thread */
    fm_dis_sender *senders; /* a slot each */
    fm_dis_noise *noises;
    int64_t *born; /* tick at which the vehicle of a slot arrived; -1: empty */
    fm_dis_nature *natures;
    fm_dis_motion *motions; /* at the start of the step */
    int slots;
    fm_dis_others others;
    double last;
    uint16_t events;
    fm_dis_pdu said;

    /* both, under the lock */
    pthread_mutex_t lock;
    uint8_t *outbox;
    size_t out;
    fm_dis_entity *inbox;
    size_t in;
    fm_run *run; /* NULL: none yet, or no more */
    double time; /* s: as of the last step */

    fm_counter *sent, *heard_well, *full, *unsent, *own, *other_exercise, *refused, *crowded, *no_type, *beyond,
        *silent;
    fm_counter *world_refuses, *acknowledged, *collisions;
    fm_counter *drops[FM_DIS_RESULTS];
} fm_dis_bridge;

static inline void fm_dis_count(fm_counter *counter)
{
    atomic_fetch_add(counter, 1);
}

/* --- dis_tell.c; the stepping thread --- */
void fm_dis_bridge_begin(void *user, fm_run *run);
void fm_dis_bridge_steer(void *user, fm_run *run);
void fm_dis_bridge_step(void *user, fm_run *run);
void fm_dis_bridge_event(void *user, fm_run *run, const fm_event *event);
void fm_dis_bridge_end(void *user, fm_run *run);
/* The header of a PDU from this simulation; either thread. */
void fm_dis_bridge_head(const fm_dis_bridge *bridge, fm_dis_pdu *pdu, fm_dis_pdu_type type, double time);

/* --- dis_listen.c; the loop's thread --- */
void fm_dis_bridge_give_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer);
void fm_dis_bridge_take(uv_udp_t *udp, ssize_t size, const uv_buf_t *buffer, const struct sockaddr *from,
                        unsigned flags);
void fm_dis_bridge_send(fm_dis_bridge *bridge, const uint8_t *bytes, size_t size, const struct sockaddr *to);
void fm_dis_bridge_manage(fm_dis_bridge *bridge, int starts); /* requests others to start or stop */
void fm_dis_bridge_watch(uv_timer_t *timer);                  /* whether this simulation was started or stopped */
double fm_dis_bridge_time(fm_dis_bridge *bridge);             /* s: as of the last step */

#endif
