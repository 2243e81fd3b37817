/* Frames on their way from the stepping thread to the loop's thread: written there, numbered and sent here. */
#ifndef FM_BRIDGES_MAVLINK_MAVLINK_LETTERS_H
#define FM_BRIDGES_MAVLINK_MAVLINK_LETTERS_H

#include "bridges/mavlink/mavlink_wire.h"

/* Consecutive frames, their sequence numbers still 0. Zeroed: empty. */
typedef struct fm_mav_letters {
    uint8_t *bytes;
    size_t size, room;
    uint8_t system; /* of their sender */
} fm_mav_letters;

void fm_mav_letters_free(fm_mav_letters *letters);
/* Room for one more frame; NULL: out of memory. */
uint8_t *fm_mav_letters_next(fm_mav_letters *letters);
/* Moves all frames of `from` to the end of `to`. */
void fm_mav_letters_move(fm_mav_letters *to, fm_mav_letters *from);

/* Appends a message of the vehicle with this system number; without memory it is left out. */
#define FM_MAV_SAY(letters, name, ...)                                                                                 \
    do {                                                                                                               \
        fm_mav_sender from_ = {(letters)->system, 1, 0};                                                               \
        uint8_t *next_ = fm_mav_letters_next(letters);                                                                 \
        if (next_)                                                                                                     \
            (letters)->size += fm_mav_##name##_write(&from_, &(fm_mav_##name)__VA_ARGS__, next_);                      \
    } while (0)

/* A text for people, in parts of 50 bytes where it is longer; cut after a whole word beyond 199. */
void fm_mav_letters_text(fm_mav_letters *letters, int severity, const char *text);

#endif
