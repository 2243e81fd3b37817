/* The forward-looking sonar of the REMUS paper in the vertical plane ahead: the returns of pixels, or of bottom nodes.
 */
#ifndef FM_SENSORS_NODE_SONAR_H
#define FM_SENSORS_NODE_SONAR_H

#include <fathom/part.h>

#include "control/follower.h"

/* Output: this head, then `room` ranges [m] and `room` bearings [rad], positive down from the horizontal; in mode rays
 * followed by the published part of the image (node_sonar.c). */
typedef struct fm_node_image {
    int64_t number; /* of images taken so far; 0: none yet */
    int64_t count;  /* of returns: nodes, or pixels of the level image */
    int64_t own;    /* of returns that follow: pixels of the image that pitches with the vehicle; nodes have none */
    int64_t room;   /* of returns at most */
    double spacing; /* m covered by a return: between nodes, or the length of a bin */
    double theta;   /* rad, pitch when the image was taken */
} fm_node_image;

extern const fm_part_class fm_node_sonar_class;
/* For a kernel (control/follower.h); the reason if it cannot take this sonar, or NULL. */
const char *fm_node_sonar_describe(const void *config, fm_follower *p);

#endif
