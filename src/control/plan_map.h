/* A map of cells in a plane, level or upright along the way from a start to a goal, that grows with what a sonar sees.
 *
 * Plane coordinates, m: along the way from `from` towards `goal` (level distance), and across it to starboard (level
 * plane) or the depth (upright plane). docs/theory/planning.md */
#ifndef FM_CONTROL_PLAN_MAP_H
#define FM_CONTROL_PLAN_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "control/replan.h"

enum { FM_PLANE_LEVEL, FM_PLANE_UPRIGHT };

/* Where the map lies, fixed at load. */
typedef struct fm_plan_frame {
    int64_t plane;         /* FM_PLANE_… */
    double from[3];        /* m, NED */
    double cosine, sine;   /* of the heading from `from` to the goal */
    double goal[2];        /* m, in the plane */
    double low[2];         /* m: corner of cell 0 */
    double cell;           /* m: side of a cell */
    int32_t rows, columns; /* cells along the way; cells across it or in depth */
} fm_plan_frame;

typedef struct fm_plan_map {
    const fm_plan_frame *frame;
    uint8_t *hits; /* echoes seen in a cell, at most 255 */
    uint8_t *cost; /* 1 free, more: near something, FM_REPLAN_BLOCKED: something is there */
} fm_plan_map;

/* What marks a cell. */
typedef struct fm_plan_marking {
    int64_t hits;      /* echoes that make a cell closed */
    double clearance;  /* m about it that is kept from where there is another way */
    int64_t near_cost; /* of a cell within the clearance */
} fm_plan_marking;

/* World to plane, and back (level: at depth `depth`). */
void fm_plan_frame_project(const fm_plan_frame *frame, const double world[3], double plane[2]);
void fm_plan_frame_point(const fm_plan_frame *frame, const double plane[2], double depth, double world[3]);
/* How far a place is across the plane, m: to starboard of the upright one; for the level one, its depth. */
double fm_plan_frame_off(const fm_plan_frame *frame, const double world[3]);
/* The cell of a place; -1: outside. The nearest cell of it, always inside. */
int32_t fm_plan_frame_cell(const fm_plan_frame *frame, const double plane[2]);
int32_t fm_plan_frame_nearest_cell(const fm_plan_frame *frame, const double plane[2]);
void fm_plan_frame_centre(const fm_plan_frame *frame, int32_t cell, double plane[2]);

/* An echo in a cell. Where that closes it, costs about it change: `plan` (may be NULL) is told. Returns 1 then. */
int fm_plan_map_echo(const fm_plan_map *map, const fm_plan_marking *how, const fm_replan *plan, int32_t cell);
/* Whether the straight way between two places comes nowhere nearer than `half_width` to a closed cell's centre, or no
 * nearer than it begins. */
int fm_plan_map_free(const fm_plan_map *map, const double from[2], const double to[2], double half_width);
/* The greatest cost of the cells on the straight way between two places. */
int32_t fm_plan_map_dearest(const fm_plan_map *map, const double from[2], const double to[2]);
/* Calls visit(user, centre) for each closed cell with its centre within `reach` m of a place, always in the same order.
 */
void fm_plan_map_visit(const fm_plan_map *map, const double at[2], double reach,
                       void (*visit)(void *user, const double centre[2]), void *user);

#endif
