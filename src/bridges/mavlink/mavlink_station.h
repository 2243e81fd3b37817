/* Which ground station has the stream: the one that is configured, and beside it at most one other. No sockets here. */
#ifndef FM_BRIDGES_MAVLINK_MAVLINK_STATION_H
#define FM_BRIDGES_MAVLINK_MAVLINK_STATION_H

#include "server/socket.h"

enum {
    FM_MAV_STATION_SILENCE = 5000, /* ms without a frame after which another station may take the place of the guest */
    FM_MAV_STATION_FACTOR = 3      /* bytes sent for each one received, until a guest has shown that it is there */
};

/* The configured address always has the stream; a group (broadcast, multicast) has it while there is no guest. A guest
 * is the first that writes while the configured station is silent. It is verified when it answers a PING, or when it
 * is on this computer: nobody else can write from there. */
typedef struct fm_mav_station {
    fm_address configured, guest;
    int group;                /* of the configured address */
    int has_guest, verified;  /* the guest */
    uint64_t heard, answered; /* ms: last frame of the guest; of the configured station, 0: none yet */
    uint64_t challenge;       /* that a PING brings and its answer repeats */
    size_t budget;            /* bytes that a guest that is not verified may still be sent */
} fm_mav_station;

void fm_mav_station_init(fm_mav_station *station, const fm_address *configured);
/* A datagram of this size has come; `random` makes the challenge of a new guest. 0: it is a stranger's. */
int fm_mav_station_hear(fm_mav_station *station, const fm_address *from, size_t size, uint64_t now, uint64_t random);
/* An answer to the PING came from there. */
void fm_mav_station_verify(fm_mav_station *station, const fm_address *from, uint64_t challenge);
/* Whom the stream goes to: up to two; a guest that has been silent is forgotten. */
size_t fm_mav_station_list(fm_mav_station *station, uint64_t now, fm_address to[2]);
/* Takes the bytes from the budget of a guest that is not verified; 0: it may not be sent so much. */
int fm_mav_station_may_send(fm_mav_station *station, const fm_address *to, size_t size);

#endif
