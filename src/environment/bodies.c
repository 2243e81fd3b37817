#include "environment/bodies.h"

#include <math.h>

enum { FEW = 16, CELLS_HALF = 1 << 21 };
static const double CELLS_PER_METRE = 8;

/* The cell of a north coordinate; distant ones share the last cells. */
static uint64_t cell_of(double north)
{
    double cell = floor(north * CELLS_PER_METRE);
    cell = cell >= -CELLS_HALF ? cell : -CELLS_HALF; /* a NaN too */
    return (uint64_t)((int64_t)(cell < CELLS_HALF ? cell : CELLS_HALF) + CELLS_HALF);
}

/* At least the bounding radius, without a root. */
static inline double loose_radius(const fm_shape *shape)
{
    return shape->kind == FM_SHAPE_PLANE ? HUGE_VAL : shape->size[0] + shape->size[1] + shape->size[2];
}

void fm_bodies_sort(fm_bodies *bodies, fm_keyed *keyed, fm_keyed *space)
{
    bodies->order = NULL;
    bodies->widest = 0;
    if (bodies->count <= FEW)
        return;
    for (size_t i = 0; i < bodies->count; i++) {
        keyed[i] = (fm_keyed){cell_of(bodies->list[i].shape.position[0]), (uint32_t)i};
        bodies->widest = fmax(bodies->widest, loose_radius(&bodies->list[i].shape));
    }
    bodies->order = fm_keyed_sort(keyed, space, bodies->count);
}

static bool is_near(const fm_shape *shape, const double low[3], const double high[3])
{
    double reach = loose_radius(shape);
    for (int k = 0; k < 3; k++)
        if (shape->position[k] > high[k] + reach || shape->position[k] < low[k] - reach)
            return false;
    return true;
}

/* The first place in the order whose cell is at or after this one. */
static size_t find_cell(const fm_bodies *bodies, uint64_t cell)
{
    size_t low = 0, high = bodies->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (bodies->order[middle].key < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void sort_numbers(uint32_t *numbers, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint32_t next = numbers[i];
        size_t k = i;
        for (; k > 0 && numbers[k - 1] > next; k--)
            numbers[k] = numbers[k - 1];
        numbers[k] = next;
    }
}

size_t fm_bodies_near(const fm_bodies *bodies, const double low[3], const double high[3], uint32_t *near, size_t most)
{
    size_t count = 0, first = 0;
    uint64_t last = UINT64_MAX;
    if (bodies->order) {
        first = find_cell(bodies, cell_of(low[0] - bodies->widest));
        last = cell_of(high[0] + bodies->widest);
    }
    for (size_t i = first; i < bodies->count && (!bodies->order || bodies->order[i].key <= last); i++) {
        uint32_t number = bodies->order ? bodies->order[i].index : (uint32_t)i;
        if (!is_near(&bodies->list[number].shape, low, high))
            continue;
        if (count < most)
            near[count] = number;
        count++;
    }
    if (bodies->order && count <= most)
        sort_numbers(near, count);
    return count;
}
