/* The view of <node-sonar>: nodes of the bottom in the vertical plane ahead. docs/theory/remus.md (R9), (R12) */
#ifndef FM_SENSORS_NODE_LINE_H
#define FM_SENSORS_NODE_LINE_H

#include "physics/angle.h"
#include "physics/real.h"

/* Nodes stand at whole multiples of the spacing along the course, counted from the origin. */
typedef struct fm_node_line {
    fm_real north, east; /* of the course, a unit vector */
    fm_real along;       /* m, of the vehicle */
    fm_real first;       /* number of the node that is not ahead */
} fm_node_line;

FM_FN fm_real fm_node_floor(fm_real a)
{
    const fm_real r = fm_real_round_even(a);
    return fm_select(r > a, r - fm_const(1), r);
}

/* position: m, NED; heading: rad; spacing: m */
FM_FN fm_node_line fm_node_line_of(const fm_real position[3], fm_real heading, fm_var spacing)
{
    fm_node_line l;
    l.north = fm_cos(heading);
    l.east = fm_sin(heading);
    l.along = l.north * position[0] + l.east * position[1];
    l.first = fm_node_floor(l.along / spacing);
    return l;
}

/* m to node i of those ahead */
FM_FN fm_real fm_node_ahead(const fm_node_line *l, int i, fm_var spacing)
{
    return (l->first + fm_const((fm_par)i)) * spacing - l->along;
}

typedef struct fm_node_return {
    fm_mask seen;
    fm_real range, bearing; /* m; rad, > 0 down from the horizontal */
} fm_node_return;

/* (R9) A node `ahead` and `below` [m], for a sonar with a range of `range` [m]. `highest` [rad] is the smallest bearing
 * so far, initially pi: with occlusion, nodes hidden by higher ones return nothing (R12). */
FM_FN fm_node_return fm_node_search(fm_real ahead, fm_real below, fm_var range, int occlusion, fm_real *highest)
{
    const fm_real zero = fm_const(0);
    fm_node_return n;
    n.range = fm_sqrt(ahead * ahead + below * below);
    n.bearing = zero;
    n.seen = (ahead > zero) & (n.range < fm_real_wide(range));
    if (!fm_any(n.seen))
        return n;
    const fm_real safe = fm_select(n.range > zero, n.range, fm_const(1));
    n.bearing = fm_asin(fm_clamp(below / safe, fm_const(-1), fm_const(1)));
    if (occlusion)
        n.seen = n.seen & ((n.bearing > *highest) == 0);
    *highest = fm_select(n.seen, fm_min(*highest, n.bearing), *highest);
    return n;
}

#endif
