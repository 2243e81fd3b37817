/* The cameras of a robotic fish: where their newest pictures show a colour. This is the only source of information
 * about a target. */
#ifndef FM_FISH_EYES_H
#define FM_FISH_EYES_H

#include <fathom/part.h>

#include "fish/colour_blob.h"

enum { FM_EYES_MOST = 4 };

typedef struct fm_eyes {
    size_t count;
    fm_quantity_view view[FM_EYES_MOST];
    fm_eye_lens lens[FM_EYES_MOST];
    double widest; /* rad: bearing up to which they see, to the side that sees less */
    double pixel;  /* sr: the largest of their pixels */
} fm_eyes;

/* When each gave its last picture, and how often it does. */
typedef struct fm_eyes_state {
    int64_t pictures[FM_EYES_MOST];
    double time[FM_EYES_MOST], interval[FM_EYES_MOST]; /* s */
} fm_eyes_state;

/* Finds the cameras of this fish that look about level. */
fm_status fm_eyes_load(fm_part_load *load, fm_eyes *eyes, fm_error *error);
/* Returns 1 where a picture is new; *seen: whether the pictures show at least `pixels` of the colour, as *blob. The
 * pictures of the other cameras count as long as they keep their pace. */
int fm_eyes_see(const fm_part_context *context, const fm_eyes *eyes, fm_eyes_state *state, const fm_hue *hue,
                double pixels, int *seen, fm_blob *blob);

#endif
