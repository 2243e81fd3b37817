#include "geometry/broadphase.h"

#include <string.h>

#include "base/memory.h"
#include "geometry/sort.h"

typedef struct entry {
    double low[3], high[3]; /* sweep axis first */
    uint32_t index, group;
} entry;

struct fm_broadphase {
    size_t body_room, pair_room;
    entry *entries;             /* sorted by low[0] */
    fm_keyed *keys, *key_space; /* the sort's two sides */
    fm_broadphase_pair *pairs;
    fm_keyed *pair_keys, *pair_space; /* index: not used */
    size_t pair_count;
};

void fm_broadphase_free(fm_broadphase *b)
{
    if (!b)
        return;
    fm_free(b->entries);
    fm_free(b->keys);
    fm_free(b->key_space);
    fm_free(b->pairs);
    fm_free(b->pair_keys);
    fm_free(b->pair_space);
    fm_free(b);
}

fm_broadphase *fm_broadphase_create(size_t bodies, size_t pairs, fm_error *error)
{
    if (bodies < 1 || bodies > INT32_MAX || pairs < 1 || pairs > INT32_MAX) {
        fm_fail(error, FM_ERR_RANGE, "room for %zu bodies and %zu pairs: must be 1 to %d of each", bodies, pairs,
                INT32_MAX);
        return NULL;
    }
    fm_broadphase *b = fm_alloc(sizeof *b);
    if (b) {
        b->body_room = bodies;
        b->pair_room = pairs;
        b->entries = fm_alloc(bodies * sizeof *b->entries);
        b->keys = fm_alloc(bodies * sizeof *b->keys);
        b->key_space = fm_alloc(bodies * sizeof *b->key_space);
        b->pairs = fm_alloc(pairs * sizeof *b->pairs);
        b->pair_keys = fm_alloc(pairs * sizeof *b->pair_keys);
        b->pair_space = fm_alloc(pairs * sizeof *b->pair_space);
    }
    if (!b || !b->entries || !b->keys || !b->key_space || !b->pairs || !b->pair_keys || !b->pair_space) {
        fm_broadphase_free(b);
        fm_fail(error, FM_ERR_MEMORY, "no memory for the broad phase of %zu bodies and %zu pairs", bodies, pairs);
        return NULL;
    }
    return b;
}

/* Unsigned integers in the order of the doubles. */
static uint64_t ordered(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | 0x8000000000000000u;
}

static bool is_proper(const fm_aabb *box)
{
    return box->low[0] <= box->high[0] && box->low[1] <= box->high[1] && box->low[2] <= box->high[2];
}

/* The axis along which the boxes lie farthest apart for their size: Σ |centre − mean| over the finite ones. */
static int sweep_axis(size_t count, const fm_aabb *boxes)
{
    double best = -1;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        double sum = 0, squares = 0, extent = 0, n = 0;
        for (size_t i = 0; i < count; i++) {
            double c = 0.5 * boxes[i].low[k] + 0.5 * boxes[i].high[k], e = boxes[i].high[k] - boxes[i].low[k];
            if (!isfinite(c) || !isfinite(e))
                continue;
            sum += c;
            squares += c * c;
            extent += e;
            n++;
        }
        double spread = n > 0 ? sqrt(fmax(squares / n - sum / n * (sum / n), 0)) / (extent / n + 1e-9) : 0;
        if (spread > best) {
            best = spread;
            axis = k;
        }
    }
    return axis;
}

static size_t sort_entries(fm_broadphase *b, size_t count, const fm_aabb *boxes, const uint32_t *groups, int axis)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (is_proper(&boxes[i]))
            b->keys[used++] = (fm_keyed){ordered(boxes[i].low[axis] + 0.0), (uint32_t)i};
    const fm_keyed *sorted = fm_keyed_sort(b->keys, b->key_space, used);
    for (size_t i = 0; i < used; i++) {
        const fm_aabb *box = &boxes[sorted[i].index];
        entry *e = &b->entries[i];
        for (int k = 0; k < 3; k++) {
            e->low[k] = box->low[(axis + k) % 3];
            e->high[k] = box->high[(axis + k) % 3];
        }
        e->index = sorted[i].index;
        e->group = groups ? groups[e->index] : e->index;
    }
    return used;
}

static bool overlap_across(const entry *e, const entry *f)
{
    return (e->low[1] <= f->high[1]) & (f->low[1] <= e->high[1]) & (e->low[2] <= f->high[2]) &
           (f->low[2] <= e->high[2]);
}

/* Counts all pairs, keeps as many as there is room for. */
static size_t sweep(fm_broadphase *b, size_t used)
{
    size_t found = 0;
    for (size_t i = 0; i < used; i++) {
        const entry *e = &b->entries[i];
        for (const entry *f = e + 1; f < b->entries + used && f->low[0] <= e->high[0]; f++) {
            if (!overlap_across(e, f) || e->group == f->group)
                continue;
            uint64_t first = e->index < f->index ? e->index : f->index, second = e->index ^ f->index ^ first;
            if (found < b->pair_room)
                b->pair_keys[found].key = first << 31 | second; /* indices are below 2³¹ */
            found++;
        }
    }
    return found;
}

fm_status fm_broadphase_pairs(fm_broadphase *b, size_t count, const fm_aabb *boxes, const uint32_t *groups,
                              const fm_broadphase_pair **pairs, size_t *pair_count, fm_error *error)
{
    *pairs = b->pairs;
    *pair_count = 0;
    if (count > b->body_room)
        return fm_fail(error, FM_ERR_FULL, "%zu bodies in a broad phase with room for %zu", count, b->body_room);
    size_t used = sort_entries(b, count, boxes, groups, sweep_axis(count, boxes));
    size_t found = sweep(b, used);
    if (found > b->pair_room)
        return fm_fail(error, FM_ERR_FULL, "%zu overlapping pairs in a broad phase with room for %zu", found,
                       b->pair_room);
    const fm_keyed *sorted = fm_keyed_sort(b->pair_keys, b->pair_space, found);
    for (size_t i = 0; i < found; i++)
        b->pairs[i] = (fm_broadphase_pair){(uint32_t)(sorted[i].key >> 31), (uint32_t)(sorted[i].key & 0x7fffffffu)};
    *pair_count = found;
    return FM_OK;
}
