/* The part <planner>: shared by its files. planner_part.c reads, maps and orders, planner_methods.c decides where to
 * go. docs/theory/planning.md (K1)-(K7) */
#ifndef FM_CONTROL_PLANNER_H
#define FM_CONTROL_PLANNER_H

#include "control/echo_points.h"
#include "control/guidance_part.h"
#include "control/plan_map.h"

enum { FM_PLAN_CONTOUR, FM_PLAN_POTENTIAL, FM_PLAN_CELLS };

typedef struct fm_planner_config {
    double speed, lookahead, radius, band; /* live: m/s, m, m, m */
    double clearance;                      /* live for the contour; m */
    double climb, ceiling, lead;           /* live: rad, m, m */
    double well, hill, influence;          /* live: m, m, m */
    int64_t method, then, hold_depth;
    double goal[3]; /* m, NED */
    double margin;  /* m */
    int64_t hits, near_cost;
    fm_plan_frame frame; /* `from`, `plane`, `cell` as in the file, the rest derived */
    const char *sonar, *name;
    double period;
    fm_echo_view echoes;
    int64_t navigation;
    int64_t path_metric, time_metric, distance_metric, cells_metric, expansions_metric, most_metric, replans_metric;
} fm_planner_config;

/* State: this head, hits and costs (one byte per cell each, whole words), then the cells of the search. */
typedef struct fm_planner_state {
    int64_t look;    /* number of the sonar's last sample that was mapped */
    int64_t closed;  /* cells with something in them */
    int64_t reached; /* 1: the goal */
    int64_t started;
    int64_t following;   /* contour: 0 heads for the goal; 1, -1 follows an edge to port, to starboard */
    int64_t lost;        /* 1: no path exists */
    int64_t replans;     /* searches after the map had grown */
    int64_t grown;       /* the map since the last search */
    double hit;          /* m from the goal at which following began */
    double course;       /* rad in the plane, from the line to the goal; last decision */
    double heading;      /* rad, to keep after the goal */
    double along, depth; /* m, vertical plane: position of the last decision, and the depth ordered there */
    double path;         /* m travelled up to the goal */
    double last[3];      /* m, NED: position up to which the path was measured */
    double aim[2];       /* m, in the plane */
    double way;          /* cost of the planned path, in metres of free water */
    fm_replan_head search;
} fm_planner_state;

/* Views of a state. */
fm_plan_map fm_planner_map(const fm_planner_config *config, fm_planner_state *state);
fm_replan fm_planner_search(const fm_planner_config *config, fm_planner_state *state);

/* Direction to take from `at` [m, in the plane]: sets course, aim and the method's state. */
void fm_planner_decide(const fm_planner_config *config, const fm_planner_config *live, fm_planner_state *state,
                       const double at[2]);

#endif
