/* Frames on their way from the stepping thread to the loop's thread: written there, numbered and sent here. */
#ifndef FM_BRIDGES_MAVLINK_MAVLINK_OUTBOX_H
#define FM_BRIDGES_MAVLINK_MAVLINK_OUTBOX_H

#include "bridges/mavlink/mavlink_wire.h"

/* Consecutive frames, their sequence numbers still 0. Zeroed: empty. */
typedef struct fm_mav_outbox {
    uint8_t *bytes;
    size_t size, room;
    uint8_t system; /* of their sender */
} fm_mav_outbox;

void fm_mav_outbox_free(fm_mav_outbox *outbox);
/* Room for one more frame; NULL: out of memory. */
uint8_t *fm_mav_outbox_next(fm_mav_outbox *outbox);
/* Moves all frames of `from` to the end of `to`. */
void fm_mav_outbox_move(fm_mav_outbox *to, fm_mav_outbox *from);

/* Appends a message (a pointer to it) of the vehicle with this system number; without memory it is left out. */
#define FM_MAV_PUT(outbox, name, ...)                                                                                  \
    do {                                                                                                               \
        fm_mav_sender from_ = {(outbox)->system, 1, 0};                                                                \
        uint8_t *next_ = fm_mav_outbox_next(outbox);                                                                   \
        if (next_)                                                                                                     \
            (outbox)->size += fm_mav_##name##_write(&from_, __VA_ARGS__, next_);                                       \
    } while (0)
/* The same, from its members: {.member = value, …}. */
#define FM_MAV_SAY(outbox, name, ...) FM_MAV_PUT(outbox, name, &(fm_mav_##name)__VA_ARGS__)

enum { FM_MAV_WARNING = 4 }; /* MAV_SEVERITY of reasons */
/* A text for people, in parts of 50 bytes where it is longer; cut after a whole word beyond 199. */
void fm_mav_outbox_text(fm_mav_outbox *outbox, int severity, const char *text);

#endif
