/* Avoidance that anticipates: what two fans of ranges saw over time becomes moving and resting things, and the fish
 * takes the turn whose path keeps clear of where they will be (B5)-(B8).
 *
 * It knows only its own sonar ranges and its own dead reckoning (speed and turn rate summed up), no map and no
 * neighbour's state. Ranges are grouped into things; small ones that stand free are followed by an alpha-beta filter
 * in the odometer's frame and remembered for some seconds after they left the fans; the others are taken as resting
 * and remembered for a shorter while. Frames as in physics/fish.h. No allocation, state without pointers. */
#ifndef FM_FISH_ANTICIPATE_H
#define FM_FISH_ANTICIPATE_H

#include "physics/real.h"

enum {
    FM_SONAR_FANS = 2,
    FM_SONAR_RAYS = 25,
    FM_ANTICIPATE_TRACKS = 8,
    FM_ANTICIPATE_FRAMES = 7, /* remembered fans of resting echoes */
    FM_ANTICIPATE_ECHOES = FM_SONAR_FANS * FM_SONAR_RAYS
};

typedef struct fm_anticipate_params {
    double nose;          /* of the sonars ahead of joint 1, m */
    double eye;           /* of the sonars to each side, m */
    double axis;          /* of each fan to its side, rad */
    double half_angle;    /* of each fan, rad */
    double bow;           /* bearing up to which something is ahead, rad */
    double range;         /* of the sonars, m */
    double tail;          /* joint 1 to the tip, m */
    double bend;          /* of the tail's line in the hardest turn, rad */
    double body_radius;   /* half its width, m */
    double turn_max;      /* rad/s */
    double horizon;       /* of the path looked at, s */
    double margin;        /* room wanted about resting things, m */
    double margin_moving; /* ... and about moving ones, m */
    double growth;        /* of a track's uncertainty, m/s */
    double memory;        /* of a track out of sight, s */
    double close;         /* range ahead at which only turning hard is left, m */
    double cosine[FM_SONAR_FANS][FM_SONAR_RAYS], sine[FM_SONAR_FANS][FM_SONAR_RAYS]; /* of the rays' bearings */
} fm_anticipate_params;

typedef struct fm_anticipate_track {
    double x, y, vx, vy; /* odometer frame, m, m/s */
    double extent;       /* half its visible width, m */
    double age, unseen;  /* s; age < 0: free slot */
} fm_anticipate_track;

typedef struct fm_anticipate_state {
    double x, y, heading;             /* the odometer, m, rad */
    double clock;                     /* s */
    double turn;                      /* last choice, rad/s */
    double port, starboard;           /* least range within half_angle of the heading on each side, m */
    double port_wide, starboard_wide; /* the same within twice p->bow */
    double hard;                      /* side of a hard turn under way: +1, -1; 0 none */
    fm_anticipate_track track[FM_ANTICIPATE_TRACKS];
    double echo_x[FM_ANTICIPATE_FRAMES][FM_ANTICIPATE_ECHOES]; /* resting echoes, odometer frame, m */
    double echo_y[FM_ANTICIPATE_FRAMES][FM_ANTICIPATE_ECHOES];
    int32_t echo_rests[FM_ANTICIPATE_ECHOES]; /* of frame 0: part of a resting thing */
    int32_t echoes[FM_ANTICIPATE_FRAMES];
    int32_t frame;      /* the one last written; frame 0 is the present one */
    double frame_clock; /* s since a frame was stored */
} fm_anticipate_state;

fm_anticipate_params fm_anticipate_preset(void);
void fm_anticipate_begin(fm_anticipate_state *s);

/* Bearing of ray i of fan 0 (port) or 1 (starboard), rad to starboard; rays run from port to starboard. */
double fm_anticipate_bearing(const fm_anticipate_params *p, int fan, int ray);

/* Own motion since the last call: forward speed m/s, turn rate rad/s. */
void fm_anticipate_move(fm_anticipate_state *s, double speed, double turn_rate, double dt);

/* Takes one pair of fans; a range at or beyond p->range means no echo. */
void fm_anticipate_sense(const fm_anticipate_params *p, fm_anticipate_state *s,
                         const double range[FM_SONAR_FANS][FM_SONAR_RAYS], double dt);

/* Chooses turn rate (rad/s) and speed (m/s) near what the task wants. Returns 1 where it departs from the task. */
int fm_anticipate_decide(const fm_anticipate_params *p, fm_anticipate_state *s, double own_speed, double task_turn,
                         double task_speed, double *turn_rate, double *speed);

#endif
