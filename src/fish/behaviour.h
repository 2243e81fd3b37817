/* Decisions of the robotic fish as pure functions: tasks give an error, the behaviours library gives what to do about
 * it (expected acceleration and turn rate). Turn rates positive to starboard, world x, y as north and east. */
#ifndef FM_FISH_BEHAVIOUR_H
#define FM_FISH_BEHAVIOUR_H

#include <stddef.h>

#include <fathom/status.h>

/* The behaviours library: all that a fish may decide to do. */
typedef enum fm_fish_behaviour {
    FM_FISH_CRUISE,     /* keep speed and heading */
    FM_FISH_ACCELERATE, /* to the given speed */
    FM_FISH_DECELERATE, /* by coasting */
    FM_FISH_TURN,       /* at the given rate, at the given speed */
    FM_FISH_HOVER,      /* tail at rest, drifting to a stop */
    FM_FISH_BACK_OFF    /* hard round and away, no faster than needed */
} fm_fish_behaviour;

typedef struct fm_fish_decision {
    fm_fish_behaviour behaviour;
    double speed; /* wanted, m/s */
    double turn;  /* wanted, rad/s */
} fm_fish_decision;

/* Expected acceleration (m/s2) and turn rate (rad/s) of a decision at this speed: input of fm_fish_inverse. */
void fm_fish_expect(const fm_fish_decision *decision, double own_speed, double *acceleration, double *turn_rate);
/* The behaviour that a wanted speed and turn rate amount to. */
fm_fish_decision fm_fish_decide(double speed, double turn, double own_speed);
const char *fm_fish_behaviour_name(fm_fish_behaviour behaviour);

/* Free swimming: a turn rate drawn anew every 1-4 s. Random numbers (0-1) come from the caller. */
typedef struct fm_fish_wander {
    double turn; /* rad/s */
    double left; /* s until the next draw */
} fm_fish_wander;
/* Returns 1 when it used up the two numbers. */
int fm_fish_wander_step(fm_fish_wander *wander, double most, double dt, double random_turn, double random_hold);

/* A static trajectory: a polyline, closed or open. */
typedef struct fm_fish_path {
    double *point; /* x, y of each corner, m */
    size_t count;
    int closed;
} fm_fish_path;

typedef struct fm_fish_path_place {
    double along;  /* arc length of the nearest point, m */
    double offset; /* distance from the path, positive to starboard of it, m */
} fm_fish_path_place;

fm_status fm_fish_path_circle(fm_fish_path *path, double x, double y, double radius, int corners, fm_error *error);
fm_status fm_fish_path_points(fm_fish_path *path, const double *xy, size_t count, int closed, fm_error *error);
/* A text file: '#' comments, one "x, y" or "x y" a line, in metres; the last line "closed" closes it. */
fm_status fm_fish_path_parse(fm_fish_path *path, const char *text, size_t size, const char *name, fm_error *error);
fm_status fm_fish_path_load(fm_fish_path *path, const char *file, fm_error *error);
void fm_fish_path_free(fm_fish_path *path);
double fm_fish_path_length(const fm_fish_path *path);
fm_fish_path_place fm_fish_path_nearest(const fm_fish_path *path, double x, double y);
void fm_fish_path_at(const fm_fish_path *path, double along, double *x, double *y);

/* Turn rate towards a point: 1.5 times the bearing error, at most 1.2 rad/s. */
double fm_fish_steer_to(double x, double y, double heading, double target_x, double target_y);
/* Static trajectory: a carrot `ahead` m (0.25) along the path from the nearest point. */
fm_fish_decision fm_fish_follow(const fm_fish_path *path, double x, double y, double heading, double own_speed,
                                double speed, double ahead);
/* Dynamic trajectory: the moving target at a set distance; v = target speed + 0.3 (d - distance). */
fm_fish_decision fm_fish_pursue(double x, double y, double heading, double own_speed, double target_x, double target_y,
                                double target_speed, double distance);

#endif
