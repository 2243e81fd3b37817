/* Where a value lies on an increasing axis of nodes, for linear interpolation. */
#ifndef FM_PHYSICS_AXIS_H
#define FM_PHYSICS_AXIS_H

#include "physics/real.h"

typedef struct fm_axis_cell {
    fm_real low, high; /* numbers of the nodes on either side; the same one beyond the ends */
    fm_real fraction;  /* 0 … 1 from low to high */
} fm_axis_cell;

/* Beyond the ends the value of the end node holds. count ≥ 1. */
FM_FN fm_axis_cell fm_axis_find(const fm_par *nodes, int32_t count, fm_real value)
{
    fm_real zero = fm_const(0), one = fm_const(1), last = fm_const(count - 1), low = zero, high = last;
    fm_mask above = value > fm_const(nodes[0]), inside = above & (value < fm_const(nodes[count - 1]));
    fm_axis_cell cell;
    cell.low = cell.high = fm_select(above, last, zero);
    cell.fraction = zero;
    if (!fm_any(inside))
        return cell;
    while (fm_any(high - low > one)) { /* lanes that are there already stay */
        fm_real middle = low + fm_real_floor((high - low) / fm_const(2));
        fm_mask up = fm_table_entry(nodes, middle) <= value;
        fm_mask open = high - low > one;
        high = fm_select(up | (open == 0), high, middle);
        low = fm_select(up, middle, low);
    }
    fm_real from = fm_table_entry(nodes, low), to = fm_table_entry(nodes, high);
    cell.low = fm_select(inside, low, cell.low);
    cell.high = fm_select(inside, high, cell.high);
    cell.fraction = fm_select(inside, (value - from) / (to - from), zero);
    return cell;
}

FM_FN fm_real fm_axis_mix(fm_axis_cell cell, const fm_par *values)
{
    fm_real low = fm_table_entry(values, cell.low);
    return low + cell.fraction * (fm_table_entry(values, cell.high) - low);
}

#endif
