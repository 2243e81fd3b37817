/* D* Lite on maps that change under way, against Dijkstra's search from scratch each time. */
#include "control/replan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control/potential_field.h"
#include "support/cmocka_all.h"
#include "support/near.h"

enum { ROWS = 40, COLUMNS = 30, CELLS = ROWS * COLUMNS };

typedef struct case_of {
    uint8_t cost[CELLS];
    fm_replan_head head;
    fm_replan_cell cells[CELLS];
    uint64_t random;
} case_of;

static uint32_t draw(case_of *c, uint32_t below)
{
    c->random = c->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(c->random >> 33) % below;
}

static fm_replan view(case_of *c)
{
    return (fm_replan){.rows = ROWS, .columns = COLUMNS, .cost = c->cost, .head = &c->head, .cells = c->cells};
}

/* Dijkstra from the goal by plain relaxation of all cells until nothing changes: costs of all cells. */
static void from_scratch(const uint8_t *cost, int goal, int64_t *best)
{
    for (int i = 0; i < CELLS; i++)
        best[i] = INT64_MAX / 4;
    best[goal] = 0;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int i = 0; i < CELLS; i++)
            for (int dr = -1; dr <= 1; dr++)
                for (int dc = -1; dc <= 1; dc++) {
                    const int r = i / COLUMNS + dr, k = i % COLUMNS + dc, to = r * COLUMNS + k;
                    if (r < 0 || r >= ROWS || k < 0 || k >= COLUMNS || to == i || cost[to] == FM_REPLAN_BLOCKED)
                        continue;
                    const int64_t way = best[to] + (dr && dc ? 1414 : 1000) * (int64_t)cost[to];
                    if (way < best[i]) {
                        best[i] = way;
                        changed = 1;
                    }
                }
    }
}

/* Closes, opens or makes dear a few cells. */
static void change_some(case_of *c, const fm_replan *plan, uint32_t count)
{
    static const uint8_t kinds[] = {FM_REPLAN_BLOCKED, FM_REPLAN_BLOCKED, FM_REPLAN_BLOCKED, 1, 20};
    for (uint32_t i = 0; i < count; i++) {
        const int32_t cell = (int32_t)draw(c, CELLS);
        if (cell == c->head.goal)
            continue;
        c->cost[cell] = kinds[draw(c, sizeof kinds)];
        fm_replan_change(plan, cell);
    }
}

static void begin(case_of *c, uint64_t seed)
{
    memset(c, 0, sizeof *c);
    memset(c->cost, 1, sizeof c->cost);
    c->random = seed;
    const fm_replan plan = view(c);
    fm_replan_begin(&plan, (int32_t)draw(c, 4 * COLUMNS), CELLS - 1 - (int32_t)draw(c, 4 * COLUMNS)); /* far apart */
}

static void a_replanned_way_costs_what_a_search_from_scratch_finds(void **unused)
{
    (void)unused;
    static case_of c;
    static int64_t best[CELLS];
    int closed = 0, moved = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        begin(&c, seed);
        const fm_replan plan = view(&c);
        for (int round = 0; round < 25; round++) {
            const int32_t cost = fm_replan_search(&plan);
            from_scratch(c.cost, (int)c.head.goal, best);
            const int64_t want = best[c.head.start];
            if (want > FM_REPLAN_FAR ? cost != FM_REPLAN_FAR : cost != want)
                fail_msg("seed %d round %d: %d, from scratch %lld", (int)seed, round, (int)cost, (long long)want);
            closed += cost == FM_REPLAN_FAR;
            const int32_t next = fm_replan_next(&plan, (int32_t)c.head.start);
            if (cost != FM_REPLAN_FAR && next >= 0) {
                fm_replan_move(&plan, next);
                moved++;
            }
            change_some(&c, &plan, 30);
        }
    }
    print_message("%d steps walked, %d rounds without a way\n", moved, closed);
    assert_greater(moved, 200); /* ways were there to be walked */
    assert_less(closed, 100);
}

/* The cells of the way add up to its cost, and the way ends at the goal. */
static void the_way_is_as_long_as_it_is_said_to_be(void **unused)
{
    (void)unused;
    static case_of c;
    begin(&c, 5);
    const fm_replan plan = view(&c);
    change_some(&c, &plan, 250);
    const int32_t cost = fm_replan_search(&plan);
    int32_t cell = (int32_t)c.head.start, sum = 0, next;
    assert_less(cost, FM_REPLAN_FAR);
    while ((next = fm_replan_next(&plan, cell)) >= 0) {
        sum += fm_replan_step_cost(&plan, cell, next);
        cell = next;
    }
    assert_int_equal(cell, c.head.goal);
    assert_int_equal(sum, cost);
}

/* A vehicle walks to the far corner while things appear a few cells ahead of it; each time one search knows what was,
 * the other begins again. */
static void replanning_settles_fewer_cells_than_planning_anew(void **unused)
{
    (void)unused;
    static case_of c, anew;
    begin(&c, 3);
    const fm_replan plan = view(&c), other = view(&anew);
    fm_replan_begin(&plan, 0, CELLS - 1);
    anew.head.expansions = c.head.expansions = 0;
    while (c.head.start != c.head.goal) {
        const int32_t cost = fm_replan_search(&plan);
        memcpy(anew.cost, c.cost, sizeof c.cost);
        fm_replan_begin(&other, (int32_t)c.head.start, CELLS - 1);
        assert_int_equal(fm_replan_search(&other), cost);
        fm_replan_move(&plan, fm_replan_next(&plan, (int32_t)c.head.start));
        const int32_t row = (int32_t)c.head.start / COLUMNS + 3, column = (int32_t)draw(&c, COLUMNS - 1);
        if (row < ROWS - 1) {
            c.cost[row * COLUMNS + column] = FM_REPLAN_BLOCKED;
            fm_replan_change(&plan, row * COLUMNS + column);
        }
    }
    print_message("%lld cells settled, afresh %lld\n", (long long)c.head.expansions, (long long)anew.head.expansions);
    assert_less(4 * c.head.expansions, anew.head.expansions);
}

/* --- the potential --- */

/* (K1), (K2) written out again. */
static double potential(const fm_potential_params *p, double x, double y)
{
    const double d = sqrt(x * x + y * y), rho = sqrt((x - 3) * (x - 3) + (y - 1) * (y - 1));
    const double well = d < p->well ? d * d / (2 * p->well) : d - p->well / 2;
    const double hill = rho < p->far ? 0.5 * p->hill * 0.3 * (p->far / rho - 1) * (p->far / rho - 1) : 0;
    return well + hill;
}

static void the_course_of_the_potential_is_its_steepest_way_down(void **unused)
{
    (void)unused;
    const fm_potential_params p = {.well = 4, .hill = 7, .far = 9, .near = 0.25};
    for (int i = 0; i < 400; i++) {
        const double x = -10 + 1.07 * (i % 20), y = -9 + 1.03 * (i / 20), h = 1e-6;
        const double offset[2] = {x, y}, from[2] = {x - 3, y - 1};
        double a[2], b[2];
        const double value = fm_potential_well(&p, offset, a) + fm_potential_hill(&p, 0.3, from, b);
        near("potential", value, potential(&p, x, y), 1e-12 * (1 + fabs(value)));
        near("slope north", a[0] + b[0], (potential(&p, x + h, y) - potential(&p, x - h, y)) / (2 * h),
             1e-5 * (1 + fabs(b[0])));
        near("slope east", a[1] + b[1], (potential(&p, x, y + h) - potential(&p, x, y - h)) / (2 * h),
             1e-5 * (1 + fabs(b[1])));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_replanned_way_costs_what_a_search_from_scratch_finds),
        cmocka_unit_test(the_way_is_as_long_as_it_is_said_to_be),
        cmocka_unit_test(replanning_settles_fewer_cells_than_planning_anew),
        cmocka_unit_test(the_course_of_the_potential_is_its_steepest_way_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
