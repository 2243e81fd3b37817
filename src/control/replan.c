/* D* Lite: the search runs from the goal towards the vehicle, so that results on the goal's side stay valid when the
 * vehicle moves and when the map around it grows. */
#include "control/replan.h"

/* --- the grid --- */

int fm_replan_neighbours(const fm_replan *plan, int32_t cell, int32_t out[8])
{
    const int32_t row = cell / plan->columns, column = cell % plan->columns;
    int count = 0;
    for (int32_t i = -1; i <= 1; i++)
        for (int32_t k = -1; k <= 1; k++) {
            const int32_t r = row + i, c = column + k;
            if ((i || k) && r >= 0 && r < plan->rows && c >= 0 && c < plan->columns)
                out[count++] = r * plan->columns + c;
        }
    return count;
}

int32_t fm_replan_step_cost(const fm_replan *plan, int32_t from, int32_t to)
{
    const int32_t cost = plan->cost[to], rows = from / plan->columns - to / plan->columns,
                  columns = from % plan->columns - to % plan->columns;
    if (cost == FM_REPLAN_BLOCKED)
        return FM_REPLAN_FAR;
    return cost * (rows == 0 || columns == 0 ? FM_REPLAN_STRAIGHT : FM_REPLAN_DIAGONAL);
}

static int32_t cost_sum(int32_t a, int32_t b)
{
    return a >= FM_REPLAN_FAR - b ? FM_REPLAN_FAR : a + b;
}

/* (K4) The minimum cost of a path between two cells. */
static int32_t least_cost(const fm_replan *plan, int32_t a, int32_t b)
{
    int32_t rows = a / plan->columns - b / plan->columns, columns = a % plan->columns - b % plan->columns;
    rows = rows < 0 ? -rows : rows;
    columns = columns < 0 ? -columns : columns;
    const int32_t both = rows < columns ? rows : columns, more = rows < columns ? columns : rows;
    return both * FM_REPLAN_DIAGONAL + (more - both) * FM_REPLAN_STRAIGHT;
}

/* --- the queue: a heap of cells by their keys --- */

static int key_before(const int32_t a[2], const int32_t b[2])
{
    return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
}

static void heap_put(const fm_replan *plan, int64_t index, int32_t cell)
{
    plan->cells[index].queue = cell;
    plan->cells[cell].index = (int32_t)index;
}

static void heap_rise(const fm_replan *plan, int64_t index, int32_t cell)
{
    while (index > 0) {
        const int64_t parent = (index - 1) / 2;
        const int32_t above = plan->cells[parent].queue;
        if (!key_before(plan->cells[cell].key, plan->cells[above].key))
            break;
        heap_put(plan, index, above);
        index = parent;
    }
    heap_put(plan, index, cell);
}

static void heap_sink(const fm_replan *plan, int64_t index, int32_t cell)
{
    const int64_t count = plan->head->queued;
    for (int64_t child; (child = 2 * index + 1) < count; index = child) {
        if (child + 1 < count &&
            key_before(plan->cells[plan->cells[child + 1].queue].key, plan->cells[plan->cells[child].queue].key))
            child++;
        const int32_t below = plan->cells[child].queue;
        if (!key_before(plan->cells[below].key, plan->cells[cell].key))
            break;
        heap_put(plan, index, below);
    }
    heap_put(plan, index, cell);
}

static void heap_add(const fm_replan *plan, int32_t cell)
{
    heap_rise(plan, plan->head->queued++, cell);
}

static void heap_remove(const fm_replan *plan, int32_t cell)
{
    const int64_t index = plan->cells[cell].index, last = --plan->head->queued;
    const int32_t moved = plan->cells[last].queue;
    plan->cells[cell].index = -1;
    if (index == last)
        return;
    plan->cells[moved].index = (int32_t)index;
    heap_sink(plan, index, moved);
    heap_rise(plan, plan->cells[moved].index, moved);
}

/* --- the search --- */

static void find_key(const fm_replan *plan, int32_t cell, int32_t key[2])
{
    const fm_replan_cell *c = &plan->cells[cell];
    const int32_t least = c->g < c->rhs ? c->g : c->rhs;
    key[0] = cost_sum(cost_sum(least, least_cost(plan, (int32_t)plan->head->start, cell)), (int32_t)plan->head->shift);
    key[1] = least;
}

/* The lowest cost through a neighbour. */
static int32_t search_around(const fm_replan *plan, int32_t cell)
{
    int32_t around[8], best = FM_REPLAN_FAR;
    const int count = fm_replan_neighbours(plan, cell, around);
    for (int i = 0; i < count; i++) {
        const int32_t way = cost_sum(plan->cells[around[i]].g, fm_replan_step_cost(plan, cell, around[i]));
        best = way < best ? way : best;
    }
    return best;
}

/* A cell whose two costs differ is queued. */
static void update_cell(const fm_replan *plan, int32_t cell)
{
    fm_replan_cell *c = &plan->cells[cell];
    if (cell != plan->head->goal)
        c->rhs = search_around(plan, cell);
    if (c->index >= 0)
        heap_remove(plan, cell);
    if (c->g == c->rhs)
        return;
    find_key(plan, cell, c->key);
    heap_add(plan, cell);
}

static void update_around(const fm_replan *plan, int32_t cell)
{
    int32_t around[8];
    const int count = fm_replan_neighbours(plan, cell, around);
    for (int i = 0; i < count; i++)
        update_cell(plan, around[i]);
}

void fm_replan_begin(const fm_replan *plan, int32_t start, int32_t goal)
{
    const int32_t count = plan->rows * plan->columns;
    *plan->head = (fm_replan_head){.goal = goal, .start = start, .expansions = plan->head->expansions};
    for (int32_t i = 0; i < count; i++)
        plan->cells[i] = (fm_replan_cell){.g = FM_REPLAN_FAR, .rhs = FM_REPLAN_FAR, .index = -1};
    plan->cells[goal].rhs = 0;
    find_key(plan, goal, plan->cells[goal].key);
    heap_add(plan, goal);
}

void fm_replan_move(const fm_replan *plan, int32_t start)
{
    plan->head->shift += least_cost(plan, (int32_t)plan->head->start, start);
    plan->head->start = start;
    if (plan->head->shift > FM_REPLAN_FAR / 2) /* the keys have grown to their end */
        fm_replan_begin(plan, start, (int32_t)plan->head->goal);
}

void fm_replan_change(const fm_replan *plan, int32_t cell)
{
    update_cell(plan, cell);
    update_around(plan, cell);
}

/* Whether the first cell of the queue must be settled before the path of the start is known. */
static int is_open(const fm_replan *plan)
{
    const fm_replan_cell *s = &plan->cells[plan->head->start];
    int32_t key[2];
    if (!plan->head->queued)
        return 0;
    find_key(plan, (int32_t)plan->head->start, key);
    return s->rhs != s->g || key_before(plan->cells[plan->cells[0].queue].key, key);
}

int32_t fm_replan_search(const fm_replan *plan)
{
    while (is_open(plan)) {
        const int32_t cell = plan->cells[0].queue;
        fm_replan_cell *c = &plan->cells[cell];
        int32_t key[2];
        find_key(plan, cell, key);
        plan->head->expansions++;
        if (key_before(c->key, key)) { /* queued before the vehicle moved on */
            update_cell(plan, cell);
            continue;
        }
        if (c->g > c->rhs) {
            c->g = c->rhs;
            heap_remove(plan, cell);
        } else {
            c->g = FM_REPLAN_FAR;
            update_cell(plan, cell);
        }
        update_around(plan, cell);
    }
    return plan->cells[plan->head->start].g;
}

int32_t fm_replan_next(const fm_replan *plan, int32_t cell)
{
    int32_t around[8], best = FM_REPLAN_FAR, next = -1;
    const int count = fm_replan_neighbours(plan, cell, around);
    for (int i = 0; i < count; i++) {
        const int32_t way = cost_sum(plan->cells[around[i]].g, fm_replan_step_cost(plan, cell, around[i]));
        if (way < best) {
            best = way;
            next = around[i];
        }
    }
    return cell == plan->head->goal ? -1 : next;
}
