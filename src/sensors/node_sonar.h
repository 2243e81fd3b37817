/* The forward-looking sonar of the REMUS paper in the vertical plane ahead: the returns of bottom nodes. */
#ifndef FM_SENSORS_NODE_SONAR_H
#define FM_SENSORS_NODE_SONAR_H

#include <fathom/part.h>

/* Output: this head, then `room` ranges [m] and `room` bearings [rad], positive down from the horizontal. */
typedef struct fm_node_image {
    int64_t number; /* of images taken so far; 0: none yet */
    int64_t count;  /* of returns */
    int64_t room;   /* of returns at most */
    double spacing; /* m, between nodes */
    double theta;   /* rad, pitch when the image was taken */
} fm_node_image;

static inline const double *fm_node_ranges(const fm_node_image *image)
{
    return (const double *)(const void *)(image + 1);
}

static inline const double *fm_node_bearings(const fm_node_image *image)
{
    return fm_node_ranges(image) + image->room;
}

extern const fm_part_class fm_node_sonar_class;

#endif
