/* The duration of planning: a vehicle moves over a grid while obstacles appear ahead of it. */
#include <math.h>
#include <string.h>

#include "bench.h"
#include "control/replan.h"

enum { ROWS = 300, COLUMNS = 90, CELLS = ROWS * COLUMNS };

/* One walk. Returns the number of searches; each starts from scratch if the first argument is set. */
static int walk(int anew, double *seconds)
{
    static uint8_t cost[CELLS];
    static fm_replan_cell cells[CELLS];
    fm_replan_head head = {0};
    const fm_replan plan = {.rows = ROWS, .columns = COLUMNS, .cost = cost, .head = &head, .cells = cells};
    const int32_t goal = CELLS - 1 - COLUMNS / 2;
    uint64_t random = 7;
    int searches = 0;
    memset(cost, 1, sizeof cost);
    fm_replan_begin(&plan, COLUMNS / 2, goal);
    fm_replan_search(&plan);
    const double start = bench_now();
    while (head.start != goal) {
        const int32_t row = (int32_t)head.start / COLUMNS + 8;
        for (int i = 0; i < 4 && row < ROWS - 2; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            const int32_t cell = row * COLUMNS + (int32_t)((random >> 33) % COLUMNS);
            cost[cell] = FM_REPLAN_BLOCKED;
            fm_replan_change(&plan, cell);
        }
        if (anew)
            fm_replan_begin(&plan, (int32_t)head.start, goal);
        fm_replan_search(&plan);
        searches++;
        fm_replan_move(&plan, fm_replan_next(&plan, (int32_t)head.start));
    }
    *seconds = bench_now() - start;
    return searches;
}

void bench_planner(bench_report *report)
{
    bench_result *result = bench_begin(report, "planner/replan/300x90-cells");
    if (!result)
        return;
    double best = INFINITY, scratch = INFINITY, end = bench_now() + report->seconds, seconds;
    int searches = 0;
    do {
        searches = walk(0, &seconds);
        best = fmin(best, seconds / searches);
        scratch = fmin(scratch, walk(1, &seconds) > 0 ? seconds / searches : INFINITY);
    } while (bench_now() < end);
    result->steps_per_s = 1 / best;
    result->ratio = best / scratch;
}
