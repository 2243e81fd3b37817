/* The cells of a height map by their depths: which of them meet a box, and a lower bound of the distance from a point
 * to the nearest. Blocks of 4 × 4 cells store their minimum and maximum depth, so do blocks of 4 × 4 blocks, and so on.
 * Queries allocate nothing. */
#ifndef FM_GEOMETRY_MAP_TREE_H
#define FM_GEOMETRY_MAP_TREE_H

#include "geometry/box_tree.h"
#include "geometry/heightmap.h"

typedef struct fm_map_tree fm_map_tree;

/* The map must outlive the tree. NULL and *error without memory. */
fm_map_tree *fm_map_tree_create(const fm_heightmap *map, fm_error *error);
void fm_map_tree_free(fm_map_tree *tree);

/* The cell between nodes (row, column) and (row + 1, column + 1). */
typedef void fm_cell_visitor(void *user, size_t row, size_t column);

/* Visits all cells whose boxes meet *box, from south-west to north-east block by block. The visitor may shrink *box. */
void fm_map_tree_visit(const fm_map_tree *tree, const fm_aabb *box, fm_cell_visitor *visit, void *user);

/* A distance (m) from the point within which no cell's box lies; `limit` at most. */
double fm_map_tree_clearance(const fm_map_tree *tree, const double point[3], double limit);

#endif
