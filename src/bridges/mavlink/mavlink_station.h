/* Selects the ground stations that receive the stream: the configured one, and at most one guest. No sockets here. */
#ifndef FM_BRIDGES_MAVLINK_MAVLINK_STATION_H
#define FM_BRIDGES_MAVLINK_MAVLINK_STATION_H

#include "server/socket.h"

enum {
    FM_MAV_STATION_SILENCE = 5000, /* ms without a frame after which another station may replace the guest */
    FM_MAV_STATION_FACTOR = 3      /* bytes sent per byte received, until a guest is verified */
};

/* The configured address always receives the stream; a group (broadcast, multicast) receives it without a
 * guest. A guest is the first station that writes while the configured one is silent. It is verified when it answers a
 * PING, or if it is on this computer, where no one else can forge the address. */
typedef struct fm_mav_station {
    fm_address configured, guest;
    int group;                /* of the configured address */
    int has_guest, verified;  /* the guest */
    uint64_t heard, answered; /* ms: last frame of the guest; of the configured station, 0: none yet */
    uint64_t challenge;       /* sent in a PING and repeated in its answer */
    size_t budget;            /* bytes that may still be sent to an unverified guest */
} fm_mav_station;

void fm_mav_station_init(fm_mav_station *station, const fm_address *configured);
/* A datagram of this size has arrived; `random` becomes the challenge of a new guest. 0: from an unknown station. */
int fm_mav_station_hear(fm_mav_station *station, const fm_address *from, size_t size, uint64_t now, uint64_t random);
/* An answer to the PING came from there. */
void fm_mav_station_verify(fm_mav_station *station, const fm_address *from, uint64_t challenge);
/* Whether orders from there are carried out: not those of a guest that is not verified. */
int fm_mav_station_is_trusted(const fm_mav_station *station, const fm_address *from);
/* The stations that receive the stream: up to two; a guest that has timed out is forgotten. */
size_t fm_mav_station_list(fm_mav_station *station, uint64_t now, fm_address to[2]);
/* Takes bytes from the budget of an unverified guest; 0: the budget is exceeded. */
int fm_mav_station_may_send(fm_mav_station *station, const fm_address *to, size_t size);

#endif
