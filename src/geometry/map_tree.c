#include "geometry/map_tree.h"

#include "base/memory.h"

enum { SIDE = 4, LEVELS_MOST = 16 };

typedef struct level {
    size_t rows, columns, cells; /* blocks north and east; cells of a block along one side */
    double (*depth)[2];          /* least and greatest, m */
} level;

struct fm_map_tree {
    const fm_heightmap *map;
    int levels; /* the last is one block */
    level level[LEVELS_MOST];
};

static size_t blocks_of(size_t cells, size_t side)
{
    return (cells + side - 1) / side;
}

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* --- building --- */

static void join(double depth[2], double least, double most)
{
    depth[0] = fmin(depth[0], least);
    depth[1] = fmax(depth[1], most);
}

static void measure_nodes(const fm_heightmap *map, const level *l, size_t row, size_t column)
{
    double *depth = l->depth[row * l->columns + column];
    size_t north = least_of((row + 1) * l->cells, map->rows - 1),
           east = least_of((column + 1) * l->cells, map->columns - 1);
    depth[0] = INFINITY;
    depth[1] = -INFINITY;
    for (size_t i = row * l->cells; i <= north; i++)
        for (size_t j = column * l->cells; j <= east; j++)
            join(depth, map->depth[i * map->columns + j], map->depth[i * map->columns + j]);
}

static void measure_blocks(const level *below, const level *l, size_t row, size_t column)
{
    double *depth = l->depth[row * l->columns + column];
    depth[0] = INFINITY;
    depth[1] = -INFINITY;
    for (size_t i = row * SIDE; i < least_of((row + 1) * SIDE, below->rows); i++)
        for (size_t j = column * SIDE; j < least_of((column + 1) * SIDE, below->columns); j++) {
            const double *d = below->depth[i * below->columns + j];
            join(depth, d[0], d[1]);
        }
}

static bool add_level(fm_map_tree *tree)
{
    const fm_heightmap *map = tree->map;
    level *l = &tree->level[tree->levels], *below = tree->levels ? l - 1 : NULL;
    l->cells = below ? below->cells * SIDE : SIDE;
    l->rows = blocks_of(map->rows - 1, l->cells);
    l->columns = blocks_of(map->columns - 1, l->cells);
    l->depth = fm_alloc(l->rows * l->columns * sizeof *l->depth);
    if (!l->depth)
        return false;
    tree->levels++;
    for (size_t i = 0; i < l->rows; i++)
        for (size_t j = 0; j < l->columns; j++) {
            if (below)
                measure_blocks(below, l, i, j);
            else
                measure_nodes(map, l, i, j);
        }
    return true;
}

fm_map_tree *fm_map_tree_create(const fm_heightmap *map, fm_error *error)
{
    fm_map_tree *tree = fm_alloc(sizeof *tree);
    bool good = tree != NULL;
    if (tree)
        tree->map = map;
    while (good &&
           (tree->levels == 0 || tree->level[tree->levels - 1].rows > 1 || tree->level[tree->levels - 1].columns > 1))
        good = add_level(tree);
    if (good)
        return tree;
    fm_map_tree_free(tree);
    fm_fail(error, FM_ERR_MEMORY, "no memory for the tree of a height map of %zu × %zu nodes", map->rows, map->columns);
    return NULL;
}

void fm_map_tree_free(fm_map_tree *tree)
{
    for (int i = 0; tree && i < tree->levels; i++)
        fm_free(tree->level[i].depth);
    fm_free(tree);
}

/* --- questions --- */

static fm_aabb block_box(const fm_map_tree *tree, int at, size_t row, size_t column)
{
    const fm_heightmap *m = tree->map;
    const level *l = &tree->level[at];
    const double *depth = l->depth[row * l->columns + column];
    size_t north = least_of((row + 1) * l->cells, m->rows - 1),
           east = least_of((column + 1) * l->cells, m->columns - 1);
    return (fm_aabb){{m->north + (double)(row * l->cells) * m->north_step,
                      m->east + (double)(column * l->cells) * m->east_step, depth[0]},
                     {m->north + (double)north * m->north_step, m->east + (double)east * m->east_step, depth[1]}};
}

typedef struct walk {
    const fm_map_tree *tree;
    const fm_aabb *box;
    fm_cell_visitor *visit;
    void *user;
} walk;

static void visit_cells(const walk *w, size_t row, size_t column)
{
    const fm_heightmap *m = w->tree->map;
    for (size_t i = row * SIDE; i < least_of((row + 1) * SIDE, m->rows - 1); i++)
        for (size_t j = column * SIDE; j < least_of((column + 1) * SIDE, m->columns - 1); j++) {
            const double *d = m->depth + i * m->columns + j, *n = d + m->columns;
            fm_aabb cell = {{m->north + (double)i * m->north_step, m->east + (double)j * m->east_step,
                             fmin(fmin(d[0], d[1]), fmin(n[0], n[1]))},
                            {m->north + (double)(i + 1) * m->north_step, m->east + (double)(j + 1) * m->east_step,
                             fmax(fmax(d[0], d[1]), fmax(n[0], n[1]))}};
            if (fm_aabb_meet(&cell, w->box))
                w->visit(w->user, i, j);
        }
}

static void visit_block(const walk *w, int at, size_t row, size_t column)
{
    fm_aabb box = block_box(w->tree, at, row, column);
    if (!fm_aabb_meet(&box, w->box))
        return;
    if (at == 0) {
        visit_cells(w, row, column);
        return;
    }
    const level *below = &w->tree->level[at - 1];
    for (size_t i = row * SIDE; i < least_of((row + 1) * SIDE, below->rows); i++)
        for (size_t j = column * SIDE; j < least_of((column + 1) * SIDE, below->columns); j++)
            visit_block(w, at - 1, i, j);
}

void fm_map_tree_visit(const fm_map_tree *tree, const fm_aabb *box, fm_cell_visitor *visit, void *user)
{
    visit_block(&(walk){tree, box, visit, user}, tree->levels - 1, 0, 0);
}

/* Lowers *best (m²) to the least distance squared of the blocks below; small and far ones are not opened. */
static void near_block(const fm_map_tree *tree, int at, size_t row, size_t column, const double point[3], double *best)
{
    fm_aabb box = block_box(tree, at, row, column);
    double gap = fm_aabb_gap_squared(&box, point);
    if (gap >= *best)
        return;
    if (at == 0 || fm_aabb_is_small(&box, gap)) {
        *best = gap;
        return;
    }
    const level *below = &tree->level[at - 1];
    for (size_t i = row * SIDE; i < least_of((row + 1) * SIDE, below->rows); i++)
        for (size_t j = column * SIDE; j < least_of((column + 1) * SIDE, below->columns); j++)
            near_block(tree, at - 1, i, j, point, best);
}

double fm_map_tree_clearance(const fm_map_tree *tree, const double point[3], double limit)
{
    double best = limit * limit;
    near_block(tree, tree->levels - 1, 0, 0, point, &best);
    return sqrt(best);
}
