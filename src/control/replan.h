/* Shortest paths over cells whose costs change during the motion: D* Lite (Koenig and Likhachev, 2002, the first form),
 * on a grid of 8 neighbours with integer costs, so that sums do not depend on their order. (K3), (K4)
 *
 * All arrays belong to the caller, who keeps them in a block of state; nothing is allocated. */
#ifndef FM_CONTROL_REPLAN_H
#define FM_CONTROL_REPLAN_H

#include <stddef.h>
#include <stdint.h>

enum {
    FM_REPLAN_STRAIGHT = 1000, /* cost of one cell's side at cost 1 */
    FM_REPLAN_DIAGONAL = 1414,
    FM_REPLAN_BLOCKED = 255,   /* cost of a cell that cannot be entered */
    FM_REPLAN_FAR = 0x7fffffff /* no way */
};

typedef struct fm_replan_cell {
    int32_t g, rhs; /* cost from here to the goal: as settled, and through the neighbours */
    int32_t key[2]; /* while it is queued */
    int32_t queue;  /* queue[i] of cell i of this array: the cell at index i of the heap */
    int32_t index;  /* of this cell in the heap; -1: not queued */
} fm_replan_cell;

typedef struct fm_replan_head {
    int64_t goal, start; /* cells */
    int64_t shift;       /* k_m: growth of the keys since the start moved */
    int64_t queued;      /* cells in the heap */
    int64_t expansions;  /* cells settled since the beginning */
} fm_replan_head;

typedef struct fm_replan {
    int32_t rows, columns;
    const uint8_t *cost; /* of each cell: 1 free, larger: to be avoided, FM_REPLAN_BLOCKED: occupied */
    fm_replan_head *head;
    fm_replan_cell *cells;
} fm_replan;

/* Only the costs are known; call fm_replan_search next. */
void fm_replan_begin(const fm_replan *plan, int32_t start, int32_t goal);
/* The vehicle is in another cell. */
void fm_replan_move(const fm_replan *plan, int32_t start);
/* The cost of this cell has changed (already stored in `cost`). */
void fm_replan_change(const fm_replan *plan, int32_t cell);
/* Finds the lowest cost from the start to the goal; FM_REPLAN_FAR: no path. */
int32_t fm_replan_search(const fm_replan *plan);
/* The next cell of the path from this one; -1: none. */
int32_t fm_replan_next(const fm_replan *plan, int32_t cell);

/* (K3) Cost of a step from a cell to its neighbour towards the goal: its length times the cost of the cell being
 * entered; FM_REPLAN_FAR: occupied. An occupied cell can be left. */
int32_t fm_replan_step_cost(const fm_replan *plan, int32_t from, int32_t to);
/* The neighbours of a cell, at most 8, always in the same order; returns their number. */
int fm_replan_neighbours(const fm_replan *plan, int32_t cell, int32_t out[8]);

#endif
