/* Decisions of the robotic fish as pure functions: tasks compute an error, and a behaviour from the library acts on it
 * (expected acceleration and turn rate). Turn rates positive to starboard, world x, y as north and east. */
#ifndef FM_FISH_BEHAVIOUR_H
#define FM_FISH_BEHAVIOUR_H

#include <stddef.h>

#include <fathom/status.h>

/* The behaviours library: all that a fish may decide to do. The first five are those the paper names for motion
 * control, avoiding and pursuing those it names for navigation; the others are ours. */
typedef enum fm_fish_behaviour {
    FM_FISH_CONSTANT,   /* keep the given speed; small corrections of the heading */
    FM_FISH_ACCELERATE, /* towards a higher speed, at most at the given rate */
    FM_FISH_DECELERATE, /* towards a lower one; a fish has no brake: it coasts at most */
    FM_FISH_TURN,       /* at the given rate, at the given speed */
    FM_FISH_HOVER,      /* tail at rest, drifting to a stop */
    FM_FISH_AVOID,      /* the turn and speed that the avoidance found */
    FM_FISH_PURSUE,     /* after a target, at a set distance */
    FM_FISH_BACK_OFF,   /* the bumper touched: turns hard away, no faster than needed */
    FM_FISH_SEARCH,     /* the target is not in the pictures: turns, then swims straight on */
    FM_FISH_APPROACH,   /* towards it */
    FM_FISH_CIRCLE,     /* it has the requested apparent size: circles it */
    FM_FISH_BEHAVIOURS
} fm_fish_behaviour;
/* Their names, in that order, as one text with '|' between them (fathom_msgs/FishDecision). */
#define FM_FISH_BEHAVIOUR_NAMES "constant|accelerate|decelerate|turn|hover|avoid|pursue|back off|search|approach|circle"

typedef struct fm_fish_decision {
    fm_fish_behaviour behaviour;
    double speed; /* wanted, m/s */
    double turn;  /* wanted, rad/s */
    double rate;  /* of accelerate and decelerate: most, m/s2; 0: as fast as the speed is wanted */
} fm_fish_decision;

/* What the behaviour does: expected acceleration (m/s2) and turn rate (rad/s) at this speed, the input of
 * fm_fish_inverse. */
void fm_fish_expect(const fm_fish_decision *decision, double own_speed, double *acceleration, double *turn_rate);
/* The behaviour for a wanted speed and turn rate. */
fm_fish_decision fm_fish_decide(double speed, double turn, double own_speed);
/* Hysteresis: `before`, the behaviour of the last cycle, where the wanted speed and turn rate still ask for it. A turn
 * that began above 0.2 rad/s ends below 0.12, a change of speed that began 0.02 m/s off ends 0.005 m/s off. */
fm_fish_behaviour fm_fish_persist(fm_fish_behaviour before, const fm_fish_decision *decision, double own_speed);

/* Free swimming: a new random turn rate every 1-4 s. Random numbers (0-1) come from the caller. */
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

typedef struct fm_fish_path_point {
    double along;  /* arc length of the nearest point, m */
    double offset; /* distance from the path, positive to starboard of it, m */
} fm_fish_path_point;

fm_status fm_fish_path_circle(fm_fish_path *path, double x, double y, double radius, int corners, fm_error *error);
fm_status fm_fish_path_points(fm_fish_path *path, const double *xy, size_t count, int closed, fm_error *error);
/* A text file: '#' comments, one "x, y" or "x y" per line, in metres; a last line "closed" closes it. */
fm_status fm_fish_path_parse(fm_fish_path *path, const char *text, size_t size, const char *name, fm_error *error);
fm_status fm_fish_path_load(fm_fish_path *path, const char *file, fm_error *error);
void fm_fish_path_free(fm_fish_path *path);
double fm_fish_path_length(const fm_fish_path *path);
fm_fish_path_point fm_fish_path_nearest(const fm_fish_path *path, double x, double y);
void fm_fish_path_at(const fm_fish_path *path, double along, double *x, double *y);

/* Turn rate towards a point: 1.5 times the bearing error, at most 1.2 rad/s. */
double fm_fish_steer_to(double x, double y, double heading, double target_x, double target_y);
/* Static trajectory: a carrot `ahead` m (0.25) along the path from the nearest point. */
fm_fish_decision fm_fish_follow(const fm_fish_path *path, double x, double y, double heading, double own_speed,
                                double speed, double ahead);
/* Dynamic trajectory: the moving target at a set distance; v = target speed + 0.3 (d - distance). */
fm_fish_decision fm_fish_pursue(double x, double y, double heading, double target_x, double target_y,
                                double target_speed, double distance);

#endif
