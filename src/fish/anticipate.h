/* Predictive avoidance: rows of ranges over time are grouped into moving and resting objects, and the fish takes the
 * turn whose path keeps clear of their predicted positions (B5)-(B8).
 *
 * It uses only the ranges of its instruments and its own dead reckoning (integrated speed and turn rate), no map and
 * no neighbour's state. Ranges are grouped into objects; small ones that stand free are followed by an alpha-beta
 * filter in the odometer's frame and remembered for some seconds after they left the fan; the others are taken as
 * resting and remembered for a shorter while. Frames as in physics/fish.h. No allocation, state without pointers. */
#ifndef FM_FISH_ANTICIPATE_H
#define FM_FISH_ANTICIPATE_H

#include "physics/real.h"

enum {
    FM_ANTICIPATE_BEAMS = 64,
    FM_ANTICIPATE_TRACKS = 8,
    FM_ANTICIPATE_FRAMES = 7 /* remembered rows of resting echoes */
};

/* One bearing of an instrument: where its ray begins in the body, and where it leads. */
typedef struct fm_anticipate_beam {
    double x, y;         /* ahead of joint 1 and to starboard, m */
    double bearing;      /* rad to starboard */
    double cosine, sine; /* of the bearing */
    int32_t side;        /* of the instrument: -1 port, 1 starboard */
    int32_t sensor;      /* number of the instrument, as it was added */
    int64_t item;        /* its place among the ranges of that instrument */
} fm_anticipate_beam;

typedef struct fm_anticipate_params {
    double nose;          /* ahead of joint 1, m */
    double bow;           /* bearing up to which something is ahead, rad */
    double range;         /* the farthest that an instrument sees, m */
    double tail;          /* joint 1 to the tip, m */
    double bend;          /* of the tail's line in the hardest turn, rad */
    double body_radius;   /* half its width, m */
    double turn_max;      /* rad/s */
    double horizon;       /* of the path looked at, s */
    double foresight;     /* of it where moving things are still looked for, s */
    double margin;        /* room wanted about resting things, m */
    double margin_moving; /* ... and about moving ones, m */
    double growth;        /* of a track's uncertainty, m/s */
    double memory;        /* of a track out of sight, s */
    double close;         /* range ahead at which only turning hard is left, m */
    double widest;        /* cosine of the bearing up to which the beams detect obstacles */
    int32_t beams, sensors;
    fm_anticipate_beam beam[FM_ANTICIPATE_BEAMS]; /* by bearing, from port to starboard */
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
    double port, starboard;           /* least range of the bow's beams on each side, m */
    double port_wide, starboard_wide; /* the same within twice p->bow */
    double clear;                     /* way free straight ahead of the nose, as wide as the fish and a margin, m */
    double hard;                      /* side of a hard turn under way: +1, -1; 0 none */
    double avoids, alarm;             /* 1: it departs from the task; when the task's way was last not free, s */
    fm_anticipate_track track[FM_ANTICIPATE_TRACKS];
    double echo_x[FM_ANTICIPATE_FRAMES][FM_ANTICIPATE_BEAMS]; /* resting echoes, odometer frame, m */
    double echo_y[FM_ANTICIPATE_FRAMES][FM_ANTICIPATE_BEAMS];
    int32_t echo_rests[FM_ANTICIPATE_BEAMS]; /* of frame 0: part of a resting thing */
    int32_t echoes[FM_ANTICIPATE_FRAMES];
    int32_t frame;      /* the one last written; frame 0 is the present one */
    double frame_clock; /* s since a frame was stored */
} fm_anticipate_state;

fm_anticipate_params fm_anticipate_preset(void);
void fm_anticipate_begin(fm_anticipate_state *s);

/* Adds an instrument at (x, y) in the body with `rays` evenly spaced bearings of half_angle to both sides of its axis
 * (rad to starboard) and a range of `range` m; 0: no space for that many beams. */
int fm_anticipate_add(fm_anticipate_params *p, double x, double y, double axis, double half_angle, int rays,
                      double range);

/* Own motion since the last call: forward speed m/s, turn rate rad/s. */
void fm_anticipate_move(fm_anticipate_state *s, double speed, double turn_rate, double dt);

/* Takes one row of ranges, one per beam, in the order of the beams; at or beyond p->range means no echo. dt: s since
 * the last row. */
void fm_anticipate_sense(const fm_anticipate_params *p, fm_anticipate_state *s, const double *range, double dt);

/* Chooses turn rate (rad/s) and speed (m/s) near those of the task. Returns 1 if it departs from the task: as soon as
 * the task's path is not free, until it has been free for a while; a turn is kept until another is clearly better. */
int fm_anticipate_decide(const fm_anticipate_params *p, fm_anticipate_state *s, double own_speed, double task_turn,
                         double task_speed, double *turn_rate, double *speed);

#endif
