/* A map of cells in a plane, horizontal or vertical along the line from a start to a goal, filled with the echoes of a
 * sonar.
 *
 * Plane coordinates, m: along the line from `from` towards `goal` (horizontal distance), and across it to starboard
 * (horizontal plane) or the depth (vertical plane). docs/theory/planning.md */
#ifndef FM_CONTROL_PLAN_MAP_H
#define FM_CONTROL_PLAN_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "control/replan.h"

enum { FM_PLANE_LEVEL, FM_PLANE_UPRIGHT };

/* Position of the map, fixed at load. */
typedef struct fm_plan_frame {
    int64_t plane;         /* FM_PLANE_… */
    double from[3];        /* m, NED */
    double cosine, sine;   /* of the heading from `from` to the goal */
    double goal[2];        /* m, in the plane */
    double low[2];         /* m: corner of cell 0 */
    double cell;           /* m: side of a cell */
    int32_t rows, columns; /* cells along the line; cells across it or in depth */
} fm_plan_frame;

typedef struct fm_plan_map {
    const fm_plan_frame *frame;
    uint8_t *hits; /* echoes seen in a cell, at most 255 */
    uint8_t *cost; /* 1 free; larger: near an obstacle; FM_REPLAN_BLOCKED: occupied */
} fm_plan_map;

/* What marks a cell. */
typedef struct fm_plan_marking {
    int64_t hits;      /* echoes that make a cell closed */
    double clearance;  /* m around it that are avoided if there is another path */
    int64_t near_cost; /* of a cell within the clearance */
} fm_plan_marking;

/* World to plane, and back (horizontal: at depth `depth`). */
void fm_plan_frame_project(const fm_plan_frame *frame, const double world[3], double plane[2]);
void fm_plan_frame_point(const fm_plan_frame *frame, const double plane[2], double depth, double world[3]);
/* Distance of a place from the plane, m: to starboard of the vertical one; for the horizontal one, its depth. */
double fm_plan_frame_off(const fm_plan_frame *frame, const double world[3]);
/* The cell of a place; -1: outside. The nearest cell to it, always inside. */
int32_t fm_plan_frame_cell(const fm_plan_frame *frame, const double plane[2]);
int32_t fm_plan_frame_nearest_cell(const fm_plan_frame *frame, const double plane[2]);
void fm_plan_frame_centre(const fm_plan_frame *frame, int32_t cell, double plane[2]);

/* Adds an echo to a cell. If the cell becomes occupied, costs around it change, and `plan` (may be NULL) is updated.
 * Returns 1 in that case. */
int fm_plan_map_echo(const fm_plan_map *map, const fm_plan_marking *how, const fm_replan *plan, int32_t cell);
/* Whether the straight line between two places stays at least `half_width` from the centres of occupied cells, or no
 * closer than at its start. */
int fm_plan_map_free(const fm_plan_map *map, const double from[2], const double to[2], double half_width);
/* The largest cost of the cells on the straight line between two places. */
int32_t fm_plan_map_dearest(const fm_plan_map *map, const double from[2], const double to[2]);
/* Calls visit(user, centre) for each occupied cell with its centre within `reach` m of a place, always in the same
 * order. */
void fm_plan_map_visit(const fm_plan_map *map, const double at[2], double reach,
                       void (*visit)(void *user, const double centre[2]), void *user);

#endif
