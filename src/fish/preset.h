/* Default parameters of a robotic fish, the four-joint one: a 0.40 m fish with a head of 0.16 m, in fresh water. St, nu
 * and the 1.2 of (H9) are from the paper; the others are chosen (docs/theory/fish.md lists and justifies them). */
#ifndef FM_FISH_PRESET_H
#define FM_FISH_PRESET_H

#include "physics/fish.h"

#define FM_FISH_LENGTH 0.40      /* nose to tip, m */
#define FM_FISH_HEAD_LENGTH 0.16 /* nose to joint 1, m */
#define FM_FISH_HEAD_WIDTH 0.055 /* of the head's collision box, m */
#define FM_FISH_TAIL_WIDTH 0.050 /* of the tail's collision box, m */
#define FM_FISH_HEIGHT 0.080     /* of both boxes, m */
#define FM_FISH_SERVO_ROWS 18    /* M */

fm_fish_params fm_fish_preset(void);
extern const fm_fish_tail fm_fish_preset_tail;

#endif
