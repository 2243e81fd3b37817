/* The tail of a robotic fish (<fish>): its links, the body wave that it follows and its servo table. Equations:
 * docs/theory/fish.md. Phases are counted in tail beats, from 0 to 1 and on; SI and radians. */
#ifndef FATHOM_FISH_H
#define FATHOM_FISH_H

#include <fathom/world.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FM_TAIL_JOINTS_MOST = 8 };

/* A copy of what a fish is built of; independent of the world. */
typedef struct fm_tail {
    int joints;                       /* 1 … FM_TAIL_JOINTS_MOST */
    double link[FM_TAIL_JOINTS_MOST]; /* m, length of each link behind its joint; 0 beyond the last */
    double head;                      /* m, from the nose to joint 1, the body's origin */
    double c1, c2, k;                 /* of the body wave now: linear (1) and quadratic (1/m) envelope, rad/m */
    int rows;                         /* of the servo table */
} fm_tail;

/* The tail of a vehicle. FM_ERR_NAME: no such vehicle; FM_ERR_MODEL: it is not a fish. */
FM_API fm_status fm_world_tail(const fm_world *world, const char *vehicle, fm_tail *tail, fm_error *error);
/* Angles of the joints (rad, clockwise seen from above) that its servo table, as loaded, gives at a phase: between the
 * phases of its rows by a spline. Writes `joints` values; FM_ERR_… as fm_world_tail. */
FM_API fm_status fm_world_tail_angles(const fm_world *world, const char *vehicle, double phase, double *angle,
                                      fm_error *error);

/* Lateral displacement of the body wave (H2), m to port, at a distance (m) from joint 1 towards the tail. Any thread.
 */
FM_API double fm_tail_wave(const fm_tail *tail, double behind, double phase);
/* Where joints and tip are with these joint angles: joints + 1 points (m) in body axes, forward and starboard of joint
 * 1, which is the first of them. Any thread. */
FM_API void fm_tail_points(const fm_tail *tail, const double *angle, double (*points)[2]);

#ifdef __cplusplus
}
#endif
#endif
