/* Boxes in a tree: which of them meet a box or rays, and how far from a point the nearest may be.
 *
 * The tree is a function of the boxes alone, all arithmetic is double, and queries allocate nothing: results and
 * their order are the same on every computer. */
#ifndef FM_GEOMETRY_BOX_TREE_H
#define FM_GEOMETRY_BOX_TREE_H

#include "geometry/shape.h"

typedef struct fm_box_tree fm_box_tree;

/* Writes the box of an item, 0 … count − 1; all its numbers are finite. */
typedef void fm_box_source(const void *user, uint32_t item, fm_aabb *out);

/* NULL and *error without memory, without items, or more than 2³¹. */
fm_box_tree *fm_box_tree_create(size_t count, fm_box_source *box_of, const void *user, fm_error *error);
void fm_box_tree_free(fm_box_tree *tree);
/* An empty tree with room for boxes that move: filled as often as wanted, without allocation. */
fm_box_tree *fm_box_tree_reserve(size_t room, fm_error *error);
void fm_box_tree_fill(fm_box_tree *tree, size_t count, fm_box_source *box_of, const void *user);
size_t fm_box_tree_bytes(const fm_box_tree *tree);

typedef void fm_box_visitor(void *user, uint32_t item);

/* Visits all items whose boxes meet *box, and some near ones. The visitor may shrink *box. */
void fm_box_tree_visit(const fm_box_tree *tree, const fm_aabb *box, fm_box_visitor *visit, void *user);

/* What boxes are sought for: a box; or rays, straight from an origin along a direction (m, NED; any length) for `reach`
 * times that length. Few rays are followed one by one, of many their box counts. */
enum { FM_REGION_RAYS = 16 /* that are followed */ };
typedef struct fm_region {
    fm_aabb box;  /* or that of the rays */
    size_t count; /* of rays that are followed; 0: all of the box counts */
    double slack; /* m: boxes count as larger, against rounding */
    struct {
        double origin[3], end[3], inverse[3] /* of the direction */, reach;
    } rays[FM_REGION_RAYS];
} fm_region;

/* The region of a box; of rays, of which those with a reach below 0 or NaN are left out. */
void fm_region_set_box(fm_region *region, const fm_aabb *box);
void fm_region_set_rays(fm_region *region, size_t count, const double (*origin)[3], const double (*direction)[3],
                        const double *reach);
/* Never false where the box meets the region. */
bool fm_region_meets(const fm_region *region, const fm_aabb *box);
/* As fm_box_tree_visit, of boxes that may meet the region. */
void fm_box_tree_visit_region(const fm_box_tree *tree, const fm_region *region, fm_box_visitor *visit, void *user);

/* A distance (m) from the point within which no item's box lies; `limit` at most. */
double fm_box_tree_clearance(const fm_box_tree *tree, const double point[3], double limit);

/* Do two boxes meet? */
static inline bool fm_aabb_meet(const fm_aabb *a, const fm_aabb *b)
{
    return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] && b->low[1] <= a->high[1] &&
           a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}
/* The smallest box that holds both. */
void fm_aabb_join(fm_aabb *box, const fm_aabb *other);
/* Distance of a point from a box, squared (m²). */
double fm_aabb_gap_squared(const fm_aabb *box, const double point[3]);
/* Whether its diagonal is below a quarter of that distance: then the node represents its contents. */
bool fm_aabb_is_small(const fm_aabb *box, double gap_squared);

#endif
