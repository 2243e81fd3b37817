/* Items in the order of their centres along a Morton curve, four per leaf; above them a balanced binary tree whose
 * shape follows from the number of leaves. Nodes are in preorder: the left child of node n over `leaves` leaves is n +
 * 1, the right one n + 2 · (leaves / 2), so that no links are stored. */
#include "geometry/box_tree.h"

#include "base/memory.h"
#include "geometry/sort.h"

enum { LEAF = 4, DEEPEST = 40 };

struct fm_box_tree {
    fm_aabb *nodes;
    uint32_t *items; /* sorted */
    size_t count, leaves;
};

/* A node on the way through the tree. */
typedef struct branch {
    size_t node, leaf, leaves; /* its first leaf, how many */
} branch;

static branch left_of(branch b)
{
    return (branch){b.node + 1, b.leaf, b.leaves / 2};
}

static branch right_of(branch b)
{
    return (branch){b.node + 2 * (b.leaves / 2), b.leaf + b.leaves / 2, b.leaves - b.leaves / 2};
}

void fm_aabb_join(fm_aabb *box, const fm_aabb *other)
{
    for (int k = 0; k < 3; k++) {
        box->low[k] = fmin(box->low[k], other->low[k]);
        box->high[k] = fmax(box->high[k], other->high[k]);
    }
}

double fm_aabb_gap_squared(const fm_aabb *box, const double point[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double out = fmax(fmax(box->low[k] - point[k], point[k] - box->high[k]), 0);
        sum += out * out;
    }
    return sum;
}

/* --- building --- */

/* 21 bits, each followed by two zeros. */
static uint64_t spread(uint64_t x)
{
    x = (x | x << 32) & 0x001f00000000ffffu;
    x = (x | x << 16) & 0x001f0000ff0000ffu;
    x = (x | x << 8) & 0x100f00f00f00f00fu;
    x = (x | x << 4) & 0x10c30c30c30c30c3u;
    return (x | x << 2) & 0x1249249249249249u;
}

static uint64_t morton(const fm_aabb *all, const fm_aabb *box)
{
    uint64_t key = 0;
    for (int k = 0; k < 3; k++) {
        double extent = all->high[k] - all->low[k], centre = 0.5 * box->low[k] + 0.5 * box->high[k];
        double part = extent > 0 ? (centre - all->low[k]) / extent : 0;
        key |= spread((uint64_t)(fmin(fmax(part, 0), 1) * 2097151.0)) << k;
    }
    return key;
}

static fm_aabb fill_node(fm_box_tree *tree, branch b, fm_box_source *box_of, const void *user)
{
    fm_aabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}, other;
    if (b.leaves == 1) {
        for (size_t i = LEAF * b.leaf; i < tree->count && i < LEAF * (b.leaf + 1); i++) {
            box_of(user, tree->items[i], &other);
            fm_aabb_join(&box, &other);
        }
    } else {
        box = fill_node(tree, left_of(b), box_of, user);
        other = fill_node(tree, right_of(b), box_of, user);
        fm_aabb_join(&box, &other);
    }
    tree->nodes[b.node] = box;
    return box;
}

static void sort_items(fm_box_tree *tree, fm_keyed *keys, fm_keyed *space, fm_box_source *box_of, const void *user)
{
    fm_aabb all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}, box;
    for (size_t i = 0; i < tree->count; i++) {
        box_of(user, (uint32_t)i, &box);
        fm_aabb_join(&all, &box);
    }
    for (size_t i = 0; i < tree->count; i++) {
        box_of(user, (uint32_t)i, &box);
        keys[i] = (fm_keyed){morton(&all, &box), (uint32_t)i};
    }
    const fm_keyed *sorted = fm_keyed_sort(keys, space, tree->count);
    for (size_t i = 0; i < tree->count; i++)
        tree->items[i] = sorted[i].index;
}

fm_box_tree *fm_box_tree_create(size_t count, fm_box_source *box_of, const void *user, fm_error *error)
{
    if (count < 1 || count > INT32_MAX) {
        fm_fail(error, FM_ERR_RANGE, "a tree of %zu boxes: must be 1 to %d", count, INT32_MAX);
        return NULL;
    }
    fm_box_tree *tree = fm_alloc(sizeof *tree);
    fm_keyed *keys = fm_alloc(count * sizeof *keys), *space = fm_alloc(count * sizeof *space);
    if (tree) {
        *tree = (fm_box_tree){.count = count, .leaves = (count + LEAF - 1) / LEAF};
        tree->nodes = fm_alloc((2 * tree->leaves - 1) * sizeof *tree->nodes);
        tree->items = fm_alloc(count * sizeof *tree->items);
    }
    if (!keys || !space || !tree || !tree->nodes || !tree->items) {
        fm_box_tree_free(tree);
        tree = NULL;
        fm_fail(error, FM_ERR_MEMORY, "no memory for a tree of %zu boxes", count);
    } else {
        sort_items(tree, keys, space, box_of, user);
        fill_node(tree, (branch){0, 0, tree->leaves}, box_of, user);
    }
    fm_free(keys);
    fm_free(space);
    return tree;
}

void fm_box_tree_free(fm_box_tree *tree)
{
    if (!tree)
        return;
    fm_free(tree->nodes);
    fm_free(tree->items);
    fm_free(tree);
}

/* --- questions --- */

void fm_box_tree_visit(const fm_box_tree *tree, const fm_aabb *box, fm_box_visitor *visit, void *user)
{
    branch stack[DEEPEST];
    int depth = 0;
    stack[depth++] = (branch){0, 0, tree->leaves};
    while (depth > 0) {
        branch b = stack[--depth];
        if (!fm_aabb_meet(&tree->nodes[b.node], box))
            continue;
        if (b.leaves > 1) {
            stack[depth++] = right_of(b);
            stack[depth++] = left_of(b);
            continue;
        }
        for (size_t i = LEAF * b.leaf; i < tree->count && i < LEAF * (b.leaf + 1); i++)
            visit(user, tree->items[i]);
    }
}

bool fm_aabb_is_small(const fm_aabb *box, double gap_squared)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (box->high[k] - box->low[k]) * (box->high[k] - box->low[k]);
    return 16 * sum < gap_squared;
}

double fm_box_tree_clearance(const fm_box_tree *tree, const double point[3], double limit)
{
    branch stack[DEEPEST];
    int depth = 0;
    double best = limit * limit;
    stack[depth++] = (branch){0, 0, tree->leaves};
    while (depth > 0) {
        branch b = stack[--depth];
        double gap = fm_aabb_gap_squared(&tree->nodes[b.node], point);
        if (gap >= best)
            continue;
        if (b.leaves == 1 || fm_aabb_is_small(&tree->nodes[b.node], gap)) {
            best = gap;
            continue;
        }
        branch near = left_of(b), far = right_of(b);
        if (fm_aabb_gap_squared(&tree->nodes[far.node], point) < fm_aabb_gap_squared(&tree->nodes[near.node], point)) {
            branch swap = near;
            near = far;
            far = swap;
        }
        stack[depth++] = far;
        stack[depth++] = near;
    }
    return sqrt(best);
}
