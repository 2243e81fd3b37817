/* Task of a robotic fish: find a thing by its colour in the pictures of its cameras, swim to it, and circle it where it
 * looks as large as asked for. It uses only bearing and width in the pictures and its own turn rate.
 *
 *   search    not seen: a full turn and more, then straight on for a while, and again
 *   approach  seen: towards it, slower where it looks large
 *   circle    it looks as large as asked for: it is kept abeam; larger: the fish turns off, smaller: towards it
 * (B12)
 *
 * A fish has no brake, so that it circles in place of stopping. Bearings and turn rates are positive to starboard. */
#ifndef FM_FISH_SEEK_H
#define FM_FISH_SEEK_H

#include "fish/behaviour.h"
#include "fish/colour_blob.h"

typedef struct fm_seek_params {
    double size;   /* rad: width at which it is reached */
    double turn;   /* rad/s: of the search */
    double leg;    /* s straight on after a turn that found nothing */
    double widest; /* rad: bearing up to which the cameras see */
} fm_seek_params;

typedef struct fm_seek_state {
    int64_t behaviour; /* FM_FISH_SEARCH, FM_FISH_APPROACH or FM_FISH_CIRCLE */
    int64_t misses;    /* pictures since the last one that showed it */
    double bearing;    /* rad, by its last picture and its own turning since */
    double width;      /* rad, of its last pictures, smoothed */
    double unseen;     /* s since then */
    double side;       /* +1: it is or was to starboard */
    double turned;     /* rad of the present turn of the search; negative: s left of its straight leg */
} fm_seek_state;

void fm_seek_begin(fm_seek_state *s);
/* A new picture; blob NULL: it does not show the thing. */
void fm_seek_see(const fm_seek_params *p, fm_seek_state *s, const fm_blob *blob);
/* One cycle of dt at this turn rate (rad/s) with this cruising speed (m/s). */
fm_fish_decision fm_seek_decide(const fm_seek_params *p, fm_seek_state *s, double speed, double turn_rate, double dt);
/* Whether an echo at this bearing (rad) and range (m) is that of the thing that is approached, and no obstacle. */
int fm_seek_wants(const fm_seek_state *s, double bearing, double range);

#endif
