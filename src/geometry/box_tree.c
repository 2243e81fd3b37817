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
    size_t count, leaves, room;
    fm_keyed *keys, *space; /* of the sort; NULL: it is filled */
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

static void sort_items(fm_box_tree *tree, fm_box_source *box_of, const void *user)
{
    fm_aabb all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}, box;
    for (size_t i = 0; i < tree->count; i++) {
        box_of(user, (uint32_t)i, &box);
        fm_aabb_join(&all, &box);
    }
    for (size_t i = 0; i < tree->count; i++) {
        box_of(user, (uint32_t)i, &box);
        tree->keys[i] = (fm_keyed){morton(&all, &box), (uint32_t)i};
    }
    const fm_keyed *sorted = fm_keyed_sort(tree->keys, tree->space, tree->count);
    for (size_t i = 0; i < tree->count; i++)
        tree->items[i] = sorted[i].index;
}

void fm_box_tree_fill(fm_box_tree *tree, size_t count, fm_box_source *box_of, const void *user)
{
    tree->count = count;
    tree->leaves = (count + LEAF - 1) / LEAF;
    if (!count)
        return;
    sort_items(tree, box_of, user);
    fill_node(tree, (branch){0, 0, tree->leaves}, box_of, user);
}

fm_box_tree *fm_box_tree_reserve(size_t room, fm_error *error)
{
    if (room < 1 || room > INT32_MAX) {
        fm_fail(error, FM_ERR_RANGE, "a tree of %zu boxes: must be 1 to %d", room, INT32_MAX);
        return NULL;
    }
    fm_box_tree *tree = fm_alloc(sizeof *tree);
    if (tree) {
        *tree = (fm_box_tree){.room = room};
        tree->nodes = fm_alloc((2 * ((room + LEAF - 1) / LEAF) - 1) * sizeof *tree->nodes);
        tree->items = fm_alloc(room * sizeof *tree->items);
        tree->keys = fm_alloc(room * sizeof *tree->keys);
        tree->space = fm_alloc(room * sizeof *tree->space);
    }
    if (!tree || !tree->nodes || !tree->items || !tree->keys || !tree->space) {
        fm_box_tree_free(tree);
        fm_fail(error, FM_ERR_MEMORY, "no memory for a tree of %zu boxes", room);
        return NULL;
    }
    return tree;
}

static void drop_sort(fm_box_tree *tree)
{
    fm_free(tree->keys);
    fm_free(tree->space);
    tree->keys = tree->space = NULL;
}

fm_box_tree *fm_box_tree_create(size_t count, fm_box_source *box_of, const void *user, fm_error *error)
{
    fm_box_tree *tree = fm_box_tree_reserve(count, error);
    if (!tree)
        return NULL;
    fm_box_tree_fill(tree, count, box_of, user);
    drop_sort(tree);
    return tree;
}

void fm_box_tree_free(fm_box_tree *tree)
{
    if (!tree)
        return;
    drop_sort(tree);
    fm_free(tree->nodes);
    fm_free(tree->items);
    fm_free(tree);
}

size_t fm_box_tree_bytes(const fm_box_tree *tree)
{
    return sizeof *tree + 2 * ((tree->room + LEAF - 1) / LEAF) * sizeof *tree->nodes +
           tree->room * (sizeof *tree->items + (tree->keys ? 2 * sizeof *tree->keys : 0));
}

/* --- questions --- */

void fm_region_set_box(fm_region *region, const fm_aabb *box)
{
    region->box = *box;
    region->count = 0;
}

/* In this order what is not a number (0 times an infinite reach) changes nothing. */
static inline void join_point(fm_aabb *box, double x, double y, double z)
{
    box->low[0] = x < box->low[0] ? x : box->low[0];
    box->low[1] = y < box->low[1] ? y : box->low[1];
    box->low[2] = z < box->low[2] ? z : box->low[2];
    box->high[0] = x > box->high[0] ? x : box->high[0];
    box->high[1] = y > box->high[1] ? y : box->high[1];
    box->high[2] = z > box->high[2] ? z : box->high[2];
}

/* The rays of an instrument begin at one point, which is joined once. */
static fm_aabb box_rays(size_t count, const double (*origin)[3], const double (*direction)[3], const double *reach)
{
    fm_aabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    double x = NAN, y = NAN, z = NAN;
    for (size_t i = 0; i < count; i++) {
        const double *o = origin[i], *d = direction[i], r = reach[i];
        if (!(r >= 0))
            continue;
        if (o[0] != x || o[1] != y || o[2] != z)
            join_point(&box, x = o[0], y = o[1], z = o[2]);
        join_point(&box, x + r * d[0], y + r * d[1], z + r * d[2]);
    }
    return box;
}

void fm_region_set_rays(fm_region *r, size_t count, const double (*origin)[3], const double (*direction)[3],
                        const double *reach)
{
    r->box = box_rays(count, origin, direction, reach);
    r->count = 0;
    r->slack = 0;
    for (size_t i = 0; i < count && count <= FM_REGION_RAYS; i++) {
        if (!(reach[i] >= 0))
            continue;
        for (int k = 0; k < 3; k++) {
            r->rays[r->count].origin[k] = origin[i][k];
            r->rays[r->count].end[k] = origin[i][k] + reach[i] * direction[i][k];
            r->rays[r->count].inverse[k] = 1 / direction[i][k];
            r->slack = fmax(r->slack, fabs(origin[i][k]));
        }
        r->rays[r->count++].reach = reach[i] * (1 + 1e-9);
    }
    r->slack = 1e-9 * (1 + r->slack);
}

/* By slabs. What is 0 times infinity excludes nothing. */
static inline bool ray_meets(const double origin[3], const double inverse[3], double reach, double slack,
                             const fm_aabb *box)
{
    double from = 0, to = reach;
    for (int k = 0; k < 3; k++) {
        double a = (box->low[k] - slack - origin[k]) * inverse[k], b = (box->high[k] + slack - origin[k]) * inverse[k];
        double enter = a < b ? a : b, leave = a < b ? b : a;
        from = enter > from ? enter : from;
        to = leave < to ? leave : to;
    }
    return !(from > to);
}

bool fm_region_meets(const fm_region *r, const fm_aabb *box)
{
    bool meets = fm_aabb_meet(&r->box, box);
    if (!meets || !r->count)
        return meets;
    for (size_t i = 0; i < r->count; i++)
        if (ray_meets(r->rays[i].origin, r->rays[i].inverse, r->rays[i].reach, r->slack, box))
            return true;
    return false;
}

/* Visits the items of all leaves that meet *box, and where there is one the region. */
static void visit_leaves(const fm_box_tree *tree, const fm_aabb *box, const fm_region *region, fm_box_visitor *visit,
                         void *user)
{
    branch stack[DEEPEST];
    int depth = 0;
    if (tree->count)
        stack[depth++] = (branch){0, 0, tree->leaves};
    while (depth > 0) {
        branch b = stack[--depth];
        const fm_aabb *node = &tree->nodes[b.node];
        if (region ? !fm_region_meets(region, node) : !fm_aabb_meet(node, box))
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

void fm_box_tree_visit(const fm_box_tree *tree, const fm_aabb *box, fm_box_visitor *visit, void *user)
{
    visit_leaves(tree, box, NULL, visit, user);
}

void fm_box_tree_visit_region(const fm_box_tree *tree, const fm_region *region, fm_box_visitor *visit, void *user)
{
    visit_leaves(tree, NULL, region, visit, user);
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
